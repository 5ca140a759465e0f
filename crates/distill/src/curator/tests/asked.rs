//! What an edit was asked to do and what it does instead: nothing of the difference goes untold.

use lore_core::{DecidedBy, Edit, Entry, Op, ProofMark, Proofread, Was};

use super::lenient::{new, packet, ruling};
use super::proofs::read_one;

fn read(op: Op, text: &str, lines: &[u32], was: &str) -> Proofread {
    let known: Entry = ruling();
    let edit = Edit {
        op,
        entry: Some("e1".to_owned()),
        decided_by: Some(DecidedBy::Person),
        was: Some(Was { text: was.to_owned(), lines: lines.to_vec() }),
        ..new(text, lines)
    };
    read_one(edit, &packet(&[&known]), std::slice::from_ref(&known))
}

/// What became a dispute was told as applied, and what was before vanished.
#[test]
fn another_deed_and_fields_that_are_left_out_are_told() {
    let turned = "Crews sell tickets in cash through `CashBook`.";
    let disputed = read(Op::Supersedes, turned, &[1, 4], "The harbour master counted every coin by hand.");
    assert_eq!((disputed.edit.op, disputed.asked), (Op::Disputes, Some(Op::Supersedes)), "{disputed:?}");
    assert_eq!(
        (disputed.mark, disputed.without.as_slice()),
        (ProofMark::Lowered, ["was".to_owned()].as_slice())
    );
    let account = disputed.account().unwrap();
    assert!(account.contains("as a dispute") && account.contains("what was before is left out"), "{account}");
    let said_again = read(Op::Adds, "Crews sell tickets by card.", &[1], "The coins were stolen twice.");
    assert_eq!((said_again.edit.op, said_again.asked), (Op::Same, Some(Op::Adds)), "{said_again:?}");
    assert_eq!(said_again.without, ["was"], "{said_again:?}");
}

#[test]
fn what_is_done_as_it_was_asked_for_has_nothing_to_tell() {
    let better = "Crews sell tickets by card, because the coins were stolen twice.";
    let read = read(Op::Refines, better, &[1], "The coins were stolen twice.");
    assert_eq!((read.asked, read.without.len(), read.account()), (None, 0, None), "{read:?}");
}
