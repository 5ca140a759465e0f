//! The repair round: what was refused for its words is asked for once more.

use std::fmt::Write as _;

use lore_core::text::tokens;
use lore_core::{ProofMark, Proofread};

use super::verify::ProofSheet;
use super::verify::plain;

/// So much a request for repair may cost, in tokens.
const BUDGET: usize = 400;
/// Refusals of these rules can be mended by other words or other lines.
const MENDABLE: [&str; 5] = ["V3", "V4", "V5", "V6", "V18"];

const TASK: &str = "\
Some of your edits were not taken. Return them once more, corrected by the same lines, in the same form with the same packet; leave out what the lines do not say. \
Cite every line you use; keep names and numbers exactly as there. The other edits stand.";

/// Tells whether other words could save an edit.
fn is_mendable(proof: &Proofread) -> bool {
    let refusal = proof.remarks.iter().find(|remark| remark.mark == ProofMark::Refused);
    proof.mark == ProofMark::Refused && refusal.is_some_and(|remark| MENDABLE.contains(&remark.rule.as_str()))
}

/// Writes the request for a second try; nothing where there is nothing to mend.
pub fn repair(sheet: &ProofSheet) -> Option<String> {
    let refused = sheet.proofs.iter().filter(|proof| is_mendable(proof)).map(|proof| {
        let name = proof.edit.title.as_deref().unwrap_or_else(|| proof.edit.said());
        (
            proof.number,
            format!("{} “{}”", proof.edit.op, crate::article::shorten(name, 60)),
            proof.why().unwrap_or_default(),
        )
    });
    let unread = sheet.unread.iter().map(|(number, why)| (*number, "edit".to_owned(), why.as_str()));
    let mut out = format!("{TASK}\n");
    let mut count = 0;
    for (number, name, why) in refused.chain(unread) {
        let mut line = String::new();
        let _ = writeln!(line, "- {number}, {name}: {}", crate::article::shorten(why, 160));
        if tokens(&out) + tokens(&line) > BUDGET {
            break;
        }
        out.push_str(&line);
        count += 1;
    }
    (count > 0).then_some(out)
}

/// Joins the second try to the first: what is taken now replaces what was refused, and nothing is
/// taken twice or beyond what was asked for. What is refused again stays refused.
pub fn mend(mut first: ProofSheet, second: ProofSheet) -> ProofSheet {
    let mut allowed = first.proofs.iter().filter(|proof| is_mendable(proof)).count() + first.unread.len();
    let mut known: Vec<String> = first
        .proofs
        .iter()
        .filter(|proof| proof.mark != ProofMark::Refused)
        .map(|proof| plain(proof.edit.said()))
        .collect();
    let mut last = first
        .proofs
        .iter()
        .map(|proof| proof.number)
        .chain(first.unread.iter().map(|(n, _)| *n))
        .max()
        .unwrap_or(0);
    for mut proof in second.proofs.into_iter().filter(|proof| proof.mark != ProofMark::Refused) {
        let said = plain(proof.edit.said());
        if allowed == 0 || known.contains(&said) {
            continue;
        }
        allowed -= 1;
        last += 1;
        known.push(said);
        proof.number = last;
        first.proofs.push(proof);
    }
    first
}
