//! What an agent hears that nobody asked for: rules whole, the newer of two first, and whose words a quotation is.

use std::collections::BTreeSet;

use lore_core::{Article, Claim, Kind, LinkKind, Standing as Stands, Voice};
use lore_surface::{
    Chosen, ContextRequest, Index, Stack, Standing, choose, entry_line, pack, rule_line, rules, said_line,
    tells_whole,
};

use crate::fixture::{card, filled, link, said, today};

fn heard(index: &Index, prompt: &str) -> Chosen {
    let request = ContextRequest {
        prompt,
        today: today(),
        articles: 5,
        passages: 8,
        seen: &BTreeSet::new(),
        kinds: &[],
        stack: &Stack::default(),
        unasked: true,
    };
    choose(&index.snapshot(), &request).unwrap()
}

fn quoted(index: &Index, prompt: &str) -> String {
    heard(index, prompt).said.iter().map(|quote| said_line(quote).long).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_rule_of_a_page_is_told_and_what_is_left_out_is_counted() {
    let body = "Always ring the bell before the ferry leaves.\n\n## Why\n\n- Bathers swim behind it.\n\n\
                ## Key facts\n\n- The bell never rings at night.\n";
    let rule = card(Kind::Preference, "Always ring the bell before the ferry leaves", body);
    let index = filled(&[rule]);
    let picks = rules(&index.snapshot()).unwrap();
    let says = ["Always ring the bell before the ferry leaves.", "The bell never rings at night."];
    assert_eq!(picks[0].says, says);
    let line = rule_line(&picks[0], &Standing::default());
    let whole = pack(std::slice::from_ref(&line), 100);
    assert!(says.iter().all(|rule| whole.lines[0].contains(rule)), "{whole:?}");
    assert!(tells_whole(&picks[0], &whole.lines[0]), "{whole:?}");
    let tight = pack(std::slice::from_ref(&line), 25);
    assert!(tight.lines[0].contains("1 more") && !tells_whole(&picks[0], &tight.lines[0]), "{tight:?}");
}

#[test]
fn of_a_decision_only_what_always_holds_is_told_as_a_rule() {
    let body = "Never moor at the wooden pier.\n\n## Key facts\n\n- The pier has two lamps.\n";
    let index = filled(&[card(Kind::Decision, "Never moor at the wooden pier", body)]);
    let picks = rules(&index.snapshot()).unwrap();
    assert_eq!(picks[0].says, ["Never moor at the wooden pier."]);
}

#[test]
fn a_title_that_its_text_repeats_does_not_cut_the_text_off() {
    let text =
        "Bell signals are in Morse, in the daytime and without a lamp, and a lamp never stands in for them.";
    let rule = card(Kind::Preference, "Bell signals: Morse, daytime, without lamp", text);
    let index = filled(&[rule]);
    let picks = rules(&index.snapshot()).unwrap();
    let line = rule_line(&picks[0], &Standing::default());
    assert!(line.short.contains(text) && !line.short.contains("Bell signals:"), "{line:?}");
}

#[test]
fn what_may_have_been_replaced_is_marked_and_told_behind_the_newer() {
    let old = card(Kind::Fact, "The last ferry leaves at 18:00", "The last ferry leaves at 18:00.");
    let mut article = Article::default();
    article.lead.push(Claim::new("The last ferry leaves at 19:00 from now on.", Vec::new()));
    let standing = Stands::PossiblyReplaced { since: None, by: None, reason: None };
    let doubted = Claim { standing, ..Claim::new("The last ferry leaves at 18:00.", Vec::new()) };
    article.doubted.push(doubted);
    let mut new = card(Kind::Fact, "The last ferry leaves at 19:00 from now on", &article.render());
    link(&mut new, LinkKind::Contradicts, &old);
    let index = filled(&[old, new]);
    let chosen = heard(&index, "When does the last ferry leave?");
    let lines: Vec<String> =
        chosen.picks.iter().map(|pick| entry_line(pick, &Standing::default(), today()).long).collect();
    assert!(lines[0].contains("19:00 from now on"), "{lines:#?}");
    assert!(lines[1].starts_with("- POSSIBLY REPLACED by fac-"), "{lines:#?}");
    assert!(lines[1].contains("· possibly replaced ·") && !lines[1].contains("· current ·"), "{lines:#?}");
    assert!(chosen.picks[0].score >= chosen.picks[1].score, "{chosen:#?}");
}

#[test]
fn a_reason_is_marked_and_stands_behind_its_claim() {
    let body =
        "Ferries moor at the stone pier.\n\n## Why\n\n- Ice broke the wooden pier in the winter storm\n";
    let index = filled(&[card(Kind::Decision, "Ferries moor at the stone pier", body)]);
    let chosen = heard(&index, "Did ice break the wooden pier of the ferries in the winter storm?");
    let line = entry_line(&chosen.picks[0], &Standing::default(), today()).long;
    let told = "Ferries moor at the stone pier. (why: Ice broke the wooden pier in the winter storm)";
    assert!(line.contains(told), "{line}");
}

#[test]
fn a_quotation_says_whose_words_it_is_and_guesses_are_not_quoted() {
    let mut index = filled(&[]);
    let prompt = "which varnish does the lighthouse stair have?";
    let varnish = "The lighthouse stair has a varnish of linseed.";
    said(&mut index, &[(Voice::Person, varnish)]);
    assert!(quoted(&index, prompt).contains("· a person ·"), "{}", quoted(&index, prompt));
    said(&mut index, &[(Voice::Agent, varnish)]);
    assert!(quoted(&index, prompt).contains("· an agent ·"), "{}", quoted(&index, prompt));
    said(&mut index, &[(Voice::Agent, "Probably the lighthouse stair has a varnish of linseed.")]);
    assert_eq!(quoted(&index, prompt), "");
}

#[test]
fn what_nobody_accepted_is_not_quoted() {
    let mut index = filled(&[]);
    let prompt = "which varnish does the lighthouse stair have?";
    let varnish = (Voice::Agent, "Decision: the lighthouse stair gets a varnish of linseed.");
    said(&mut index, &[varnish, (Voice::Person, "Good, go on.")]);
    assert!(quoted(&index, prompt).contains("linseed"));
    for reply in ["hm let me think about it", "I have to ask Ottilie first"] {
        said(&mut index, &[varnish, (Voice::Person, reply)]);
        assert_eq!(quoted(&index, prompt), "", "{reply}");
    }
    let proposal = "I'd suggest a varnish of linseed for the lighthouse stair.";
    said(&mut index, &[(Voice::Agent, proposal), (Voice::Person, "No, not on the stair.")]);
    assert!(!quoted(&index, prompt).contains("I'd suggest"));
}

#[test]
fn what_is_left_out_of_a_quotation_is_marked_and_a_text_to_explain_is_not_quoted() {
    let mut index = filled(&[]);
    let prompt = "which varnish does the lighthouse stair have?";
    let text =
        "The lighthouse stair is of oak. ERROR: pump stopped. The lighthouse stair has a varnish of linseed.";
    said(&mut index, &[(Voice::Person, text)]);
    let line = quoted(&index, prompt);
    assert!(line.contains("is of oak. … The lighthouse stair has"), "{line}");
    said(&mut index, &[(Voice::Person, &format!("Explain this notice: {text}"))]);
    assert_eq!(quoted(&index, prompt), "");
}
