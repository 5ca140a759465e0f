//! A weak model: answers cut short, bundled, invented, refused, swollen. Nothing wrong is applied.

use std::collections::BTreeSet;

use lore_core::redact::Redactor;
use lore_core::{Edit, Packet, ProofMark, Proposal};
use serde_json::{Value, json};

use super::applying::Shelf;
use super::fields::{Invented, invented};
use super::proofs::bare;
use crate::curator::mutants::Dice;
use crate::curator::{ProofContext, proofread, read_answer};

/// What a weak model does to a good answer.
const FAULTS: [fn(&Invented, &mut Dice) -> String; 10] = [
    |session, dice| {
        let whole = answer(session, session.edits.iter().map(value).collect());
        let end = (0..=dice.roll(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
        whole[..end].to_owned()
    },
    |session, dice| each(session, dice, |edit, _| edit["kind"] = json!("lesson")),
    |session, dice| each(session, dice, |edit, dice| edit["lines"] = json!([1, 400 + dice.roll(50)])),
    |session, dice| each(session, dice, |edit, _| edit["lines"] = json!([])),
    |session, dice| each(session, dice, |edit, dice| edit["entry"] = json!(format!("e{}", dice.roll(9)))),
    |session, dice| each(session, dice, |edit, _| edit["text"] = json!(["a", "list"])),
    |session, dice| {
        each(session, dice, |edit, _| {
            let text = edit["text"].as_str().unwrap().to_owned();
            edit["text"] = json!(format!("{text} {}", "And so on and so forth. ".repeat(20)));
        })
    },
    // Two subjects, one of them from quite another session.
    |session, dice| {
        let strangers: Vec<Invented> =
            invented().into_iter().filter(|other| other.edits[0].said() != session.edits[0].said()).collect();
        let other = dice.pick(&dice.clone().pick(&strangers).unwrap().edits).unwrap().said().to_owned();
        each(session, dice, move |edit, _| {
            let own = edit["text"].as_str().unwrap().to_owned();
            edit["text"] = json!(format!("{own} {other}"));
        })
    },
    |_, _| "I'm sorry, but I can't edit this knowledge base. {\"edits\": [}".to_owned(),
    |session, _| {
        let many = session.edits.iter().cycle().take(400).map(value).collect();
        format!("<thinking>{}</thinking>{}", "hm ".repeat(5_000), answer(session, many))
    },
];

fn value(edit: &Edit) -> Value {
    serde_json::to_value(edit).unwrap()
}

fn answer(session: &Invented, edits: Vec<Value>) -> String {
    json!({ "packet": session.packet.id.as_str(), "edits": edits }).to_string()
}

fn each(session: &Invented, dice: &mut Dice, spoil: impl Fn(&mut Value, &mut Dice)) -> String {
    let mut edits: Vec<Value> = session.edits.iter().map(value).collect();
    for edit in &mut edits {
        spoil(edit, dice);
    }
    answer(session, edits)
}

fn leads(proposals: &[Proposal]) -> Vec<String> {
    let lead = |proposal: &Proposal| match proposal {
        Proposal::Create { entry, .. } | Proposal::Replace { entry, .. } => {
            let article = lore_core::Article::parse(&entry.body);
            let claims = article.lead.iter().chain(&article.why);
            claims.map(|claim| claim.text.clone()).collect::<Vec<_>>().join(" ")
        }
        Proposal::AddSources { .. } => String::new(),
    };
    proposals.iter().map(lead).collect()
}

fn outcome(answer: &str, packet: &Packet) -> Vec<String> {
    let Ok(read) = read_answer(answer) else { return Vec::new() };
    let context = bare(packet);
    let sheet = proofread(&read, &context);
    leads(&Shelf::default().plan(&sheet.proofs, packet).proposals)
}

#[test]
fn nothing_wrong_is_applied() {
    let mut dice = Dice(5);
    for session in invented().iter().step_by(2) {
        let truths: BTreeSet<&str> = session.edits.iter().map(Edit::said).collect();
        for (fault, spoil) in FAULTS.iter().enumerate() {
            for _ in 0..2 {
                let answer = spoil(session, &mut dice);
                for lead in outcome(&answer, &session.packet) {
                    assert!(truths.contains(lead.as_str()), "fault {fault}: {lead}");
                }
            }
        }
    }
}

#[test]
fn what_was_whole_in_a_cut_answer_is_taken() {
    let session = &invented()[0];
    let whole = answer(session, session.edits.iter().take(3).map(value).collect());
    let second = whole.match_indices("{\"op\"").nth(2).unwrap().0;
    let read = read_answer(&whole[..second + 40]).unwrap();
    let context = ProofContext {
        packet: &session.packet,
        entries: &[],
        removed: &[],
        project: "",
        redactor: Redactor::standard(),
    };
    let taken =
        proofread(&read, &context).proofs.iter().filter(|proof| proof.mark != ProofMark::Refused).count();
    assert_eq!(taken, 2);
}
