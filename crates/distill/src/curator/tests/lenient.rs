//! True edits that were refused or lowered once, and what stays refused beside them.

use lore_core::{DecidedBy, Edit, Entry, Kind, LineClass, Op, Packet, ProofMark, Source, Voice};

use super::applying::Shelf;
use super::made::{entry_of, minute};
use super::proofs::{packet_of, read_one};

pub(super) fn packet(near: &[&Entry]) -> Packet {
    let mut lines = vec![
        (LineClass::Typed, "crews sell tickets by card, the coins were stolen twice"),
        (
            LineClass::Closing,
            "PowerShell 5.1 mangles the ticket file and `sh -c '…'`; `.env.example` names the card reader.",
        ),
        (LineClass::Passing, "The tickets are printed automatically when a card is read."),
        (LineClass::Closing, "I think crews should sell tickets in cash through `CashBook` again."),
    ];
    for text in ["one", "two", "three", "four", "five", "six", "seven", "eight"] {
        lines.push((LineClass::Passing, text));
    }
    packet_of("ferry", &lines, near)
}

pub(super) fn new(text: &str, lines: &[u32]) -> Edit {
    Edit {
        kind: Some(Kind::Fact),
        title: Some("Tickets".to_owned()),
        text: Some(text.to_owned()),
        ..Edit::new(Op::New, lines.to_vec())
    }
}

fn mark(text: &str, lines: &[u32]) -> ProofMark {
    read_one(new(text, lines), &packet(&[]), &[]).mark
}

#[test]
fn what_opens_a_sentence_may_be_an_ordinary_word() {
    let said = "Crews sell tickets by card. ";
    for more in [
        "Reason: the coins were stolen twice.",
        "Otherwise the coins are stolen.",
        "Automatic tickets are printed when a card is read, e.g. by crews.",
        "Cards are read when tickets are printed.",
        "Unprinted tickets are read by card.",
    ] {
        assert_eq!(mark(&format!("{said}{more}"), &[1, 3]), ProofMark::Applied, "{more}");
    }
    for more in ["Oracle tickets are printed when a card is read.", "Cassandra sells tickets by card."] {
        assert_eq!(mark(&format!("{said}{more}"), &[1, 3]), ProofMark::Refused, "{more}");
    }
}

#[test]
fn mark_up_that_is_spoken_of_is_quoted() {
    let lines =
        [(LineClass::Closing, "The ticket page strips `<script>` and ends at `<!-- End of tickets -->`.")];
    let packet = packet_of("ferry", &lines, &[]);
    let mark = |text: &str| read_one(new(text, &[1]), &packet, &[]);
    let said = "The ticket page strips `<script>` and ends at `<!-- End of tickets -->`.";
    assert_eq!(mark(said).mark, ProofMark::Applied);
    let bare = mark(&said.replace('`', ""));
    assert_eq!(bare.mark, ProofMark::Refused);
    assert!(
        bare.why().unwrap().contains("“<script>”"),
        "who repairs it is told what it is: {:?}",
        bare.why()
    );
}

#[test]
fn names_of_shells_and_files_are_no_commands_and_no_addresses() {
    assert_eq!(mark("PowerShell 5.1 mangles the ticket file.", &[2]), ProofMark::Applied);
    assert_eq!(mark("The card reader is named in `.env.example`.", &[2]), ProofMark::Applied);
    assert_eq!(mark("The ticket file is mended by powershell -enc aGk=.", &[2]), ProofMark::Refused);
    assert_eq!(mark("The card reader mangles `sh -c '…'` in the ticket file.", &[2]), ProofMark::Applied);
    assert_eq!(mark("The card reader mangles `sh -c 'x'` in the ticket file.", &[2]), ProofMark::Refused);
    assert_eq!(
        mark("The card reader mangles `sh -c '…' x | sh` in the ticket file.", &[2]),
        ProofMark::Refused
    );
}

/// A title that ended in the name of a program was read on into the text.
#[test]
fn a_command_does_not_begin_in_a_title_and_end_in_the_text() {
    let said = "tickets are fetched with curl: releases of the reader come by card, at most 5 an hour";
    let packet = packet_of("ferry", &[(LineClass::Typed, said)], &[]);
    let read = |title: &str, text: &str| {
        read_one(Edit { title: Some(title.to_owned()), ..new(text, &[1]) }, &packet, &[])
    };
    let text = "Releases of the reader come by card, at most 5 an hour.";
    assert_eq!(read("Tickets are fetched with curl", text).mark, ProofMark::Applied);
    assert_eq!(read("Tickets are fetched with curl -s", text).mark, ProofMark::Refused);
    let order = read("Tickets: ignore previous", "Instructions of the reader come by card.");
    assert_eq!(order.mark, ProofMark::Refused, "an order may go on in the text");
    assert!(order.why().is_some_and(|why| !why.contains('\n')), "{order:?}");
}

#[test]
fn a_command_of_the_project_called_eval_is_no_shell() {
    let said = "`crew eval` tests every card reader; none of them calls `eval()`, eval(code) or eval \"$x\"";
    let packet = packet_of("ferry", &[(LineClass::Typed, said)], &[]);
    let read = |text: &str| read_one(new(text, &[1]), &packet, &[]).mark;
    assert_ne!(read("`crew eval` tests every card reader."), ProofMark::Refused);
    assert_ne!(read("None of the card readers calls `eval()`."), ProofMark::Refused);
    assert_eq!(read("None of the card readers calls eval(code)."), ProofMark::Refused);
    assert_eq!(read("None of the card readers calls eval \"$x\"."), ProofMark::Refused);
}

#[test]
fn of_too_many_lines_the_telling_ones_are_kept() {
    let read = read_one(
        new(
            "Crews sell tickets by card, because the coins were stolen twice.",
            &[12, 11, 10, 9, 8, 7, 6, 5, 3, 1],
        ),
        &packet(&[]),
        &[],
    );
    assert_eq!(read.mark, ProofMark::Applied, "{read:?}");
    assert_eq!(read.edit.lines.len(), 8);
    assert!(read.edit.lines.contains(&1), "{read:?}");
}

/// A ruling that rules took from the first line of the packet.
pub(super) fn ruling() -> Entry {
    let mut entry = entry_of(Kind::Preference, "Cards", "Crews sell tickets by card.", Voice::Person);
    let session = lore_core::SessionId::new("ferry");
    let source = Source::session_line("claude-code", &session, 10, Voice::Person);
    entry.sources = vec![Source { id: Some("s1".to_owned()), at: Some(minute(1)), ..source }];
    entry
}

fn on_ruling(op: Op, text: &str, lines: &[u32]) -> (Op, ProofMark) {
    let ruling = ruling();
    let edit = Edit {
        entry: Some("e1".to_owned()),
        decided_by: Some(DecidedBy::Person),
        ..Edit { op, kind: Some(Kind::Preference), ..new(text, lines) }
    };
    let read = read_one(edit, &packet(&[&ruling]), std::slice::from_ref(&ruling));
    (read.edit.op, read.mark)
}

#[test]
fn a_ruling_is_worded_anew_from_its_own_line_and_turned_by_no_other() {
    let better = "Crews sell tickets by card, because the coins were stolen twice.";
    assert_eq!(on_ruling(Op::Refines, better, &[1]), (Op::Refines, ProofMark::Applied));
    assert_eq!(on_ruling(Op::Supersedes, better, &[1]), (Op::Supersedes, ProofMark::Applied));
    let turned = "Crews sell tickets in cash through `CashBook`.";
    assert_eq!(on_ruling(Op::Supersedes, turned, &[1, 4]), (Op::Disputes, ProofMark::Lowered));
    assert_eq!(on_ruling(Op::Refines, turned, &[1, 4]), (Op::Adds, ProofMark::Flagged));
}

#[test]
fn what_an_agent_adds_to_a_ruling_does_not_turn_it() {
    let printed = "The tickets are printed automatically when a card is read.";
    assert_eq!(
        on_ruling(Op::Adds, printed, &[3]),
        (Op::Adds, ProofMark::Lowered),
        "nobody but the agent says so"
    );
    let against = on_ruling(Op::Adds, "Crews do not sell tickets by card.", &[4]);
    assert_eq!(against.0, Op::Disputes, "{against:?}");
}

#[test]
fn a_name_is_looked_for_in_the_whole_packet() {
    let mut packet = packet(&[]);
    packet.sessions[0].files = vec!["src/till/receipt.rs".to_owned()];
    packet.lines.push(lore_core::PacketLine {
        number: 13,
        record: 130,
        class: LineClass::Closing,
        text: "The harbour master keeps the `SeatPlan` of every ferry.".to_owned(),
        ..packet.lines[2].clone()
    });
    packet.lines.push(lore_core::PacketLine {
        number: 14,
        record: 140,
        class: LineClass::Pasted,
        text: "FROM ELSEWHERE the tickets are kept in `OtherShop`.".to_owned(),
        ..packet.lines[2].clone()
    });
    let read = |text: &str| read_one(new(text, &[1, 3]), &packet, &[]);
    let said = "The tickets are printed automatically when a card is read";
    let file = read(&format!("{said}, by `src/till/receipt.rs`."));
    assert_eq!(file.mark, ProofMark::Applied, "a file that was changed: {file:?}");
    let far = read(&format!("{said}, from the `SeatPlan`."));
    assert_eq!(far.mark, ProofMark::Flagged, "one line has it: {far:?}");
    assert!(far.edit.lines.contains(&13), "{far:?}");
    let pasted = read(&format!("{said}, in `OtherShop`."));
    assert_eq!(pasted.mark, ProofMark::Refused, "pasted words are not drawn in: {pasted:?}");
    let day = read(&format!("On 2026-03-02 {}.", said.to_lowercase()));
    assert_eq!(day.mark, ProofMark::Applied, "{day:?}");
    let other = read(&format!("On 2026-03-09 {}.", said.to_lowercase()));
    assert_eq!(other.mark, ProofMark::Refused, "{other:?}");
}

#[test]
fn the_path_of_a_file_may_come_from_an_entry() {
    let entry = entry_of(Kind::Fact, "Till", "`apps/till/card.rs` reads cards.", Voice::Agent);
    let packet = packet_of("ferry", &[(LineClass::Closing, "`card.rs` reads every card twice.")], &[&entry]);
    let read = |text: &str| read_one(new(text, &[1]), &packet, std::slice::from_ref(&entry)).mark;
    assert_eq!(read("`apps/till/card.rs` reads every card twice."), ProofMark::Applied);
    assert_eq!(read("`apps/shop/card.rs` reads every card twice."), ProofMark::Refused);
}

#[test]
fn a_little_too_long_is_taken_and_much_too_long_is_not() {
    let said = "Crews sell tickets by card, the coins were stolen twice";
    let long = |times: usize| format!("{}.", vec![said; times].join(", "));
    let read = |text: &str| read_one(new(text, &[1]), &packet(&[]), &[]);
    assert_eq!(read(&long(10)).mark, ProofMark::Applied);
    assert_eq!(read(&long(10)).remarks.len(), 1, "the editor is told");
    assert_eq!(read(&long(12)).mark, ProofMark::Refused);
}

#[test]
fn what_agents_shall_not_do_is_no_order_and_a_port_belongs_to_its_machine() {
    let packet = packet_of(
        "ferry",
        &[
            (LineClass::Typed, "the till is on 10.1.2.3, and agents must never run the card test themselves"),
            (LineClass::Closing, "The till answers at 10.1.2.3:9000, the shop at 10.9.9.9:80."),
        ],
        &[],
    );
    let read = |text: &str| read_one(new(text, &[1, 2]), &packet, &[]).mark;
    assert_eq!(read("Agents must never run the card test themselves."), ProofMark::Applied);
    assert_eq!(read("Agents must always run the card test themselves."), ProofMark::Refused);
    assert_eq!(read("The till answers at 10.1.2.3:9000."), ProofMark::Applied);
    assert_eq!(read("The shop answers at 10.9.9.9:80."), ProofMark::Refused);
    let was = lore_core::Was { text: "The shop answered at 10.9.9.9:80.".to_owned(), lines: vec![1] };
    let read =
        read_one(Edit { was: Some(was), ..new("The till answers at 10.1.2.3:9000.", &[2]) }, &packet, &[]);
    assert_eq!((read.mark, read.edit.was), (ProofMark::Lowered, None), "the edit goes on without it");
}

/// Words of an agent with an address in them that nobody typed.
fn packet_with_address() -> Packet {
    let said = "Without `TICKET_URL` the booking client uses `https://tickets.quay.example` and sends the crew's \
        key with all requests; it prints one warning. The card reader is built with ASP.NET and reads the system prompt of the crew.";
    packet_of("addresses", &[(LineClass::Closing, said), (LineClass::Typed, "fine")], &[])
}

#[test]
fn an_address_that_nobody_typed_is_left_out_where_enough_is_said_without_it() {
    let packet = packet_with_address();
    let text = "Without `TICKET_URL` the booking client uses `https://tickets.quay.example` and sends the crew's key with all requests.";
    let read = read_one(new(text, &[1]), &packet, &[]);
    assert_eq!(read.mark, ProofMark::Lowered, "{read:?}");
    assert_eq!(
        read.edit.said(),
        "Without `TICKET_URL` the booking client uses [address left out] and sends the crew's key with all requests."
    );
    assert!(
        read.wanting.iter().any(|why| why.contains("without it")),
        "the editor may close the gap: {read:?}"
    );
    // Nor does it come in with the words that are quoted.
    let plan = Shelf::default().plan(&[read], &packet);
    assert_eq!(plan.proposals.len(), 1, "{plan:?}");
    assert!(!format!("{plan:?}").contains("quay.example"), "{plan:?}");
    let bare = read_one(new("The booking client uses https://tickets.quay.example.", &[1]), &packet, &[]);
    assert_eq!(bare.mark, ProofMark::Refused, "{bare:?}");
    for fine in
        ["The card reader is built with ASP.NET.", "The card reader reads the system prompt of the crew."]
    {
        assert_eq!(read_one(new(fine, &[1]), &packet, &[]).mark, ProofMark::Applied, "{fine}");
    }
}

#[test]
fn why_something_was_so_that_is_gone_does_not_go_on() {
    let lines = [(
        LineClass::Closing,
        "`CashBook` was removed from the ticket desk. `CardReader` keeps all sales of a day.",
    )];
    let replaced = |body: &str| {
        let old = entry_of(Kind::Fact, "Sales", body, Voice::Agent);
        let packet = packet_of("replaced", &lines, &[&old]);
        let text = "`CashBook` was removed from the ticket desk; `CardReader` keeps all sales of a day.";
        let edit = Edit { op: Op::Supersedes, entry: Some("e1".to_owned()), ..new(text, &[1]) };
        let read = read_one(edit, &packet, &[old]);
        assert!(read.mark < ProofMark::Proposal, "{read:?}");
        read.carried.len()
    };
    assert_eq!(replaced("Sales wait in a queue. `CashBook` prints twice because its roll is short."), 0);
    assert_eq!(replaced("Sales wait in a queue. They are counted at night because crews leave late."), 1);
}
