//! Briefs and answers: within the budget, cited, and silent when nothing is known.

use lore_core::recall::Query;
use lore_core::text::tokens;
use lore_core::{Detail, Kind, Pattern, PatternType, Resolution, SessionId, Source, Voice};
use lore_surface::{Advice, AskOptions, Card, Index, Level, Passage, answer, brief};

use crate::fixture::{ask, base, card, filled, today};

#[test]
fn a_brief_keeps_to_its_budget_and_says_what_it_left_out() {
    let index = filled(&base());
    let hits = ask(&index, &Query { limit: Some(8), ..Query::text("ledger cache retry header commits") });
    assert!(hits.len() >= 5);
    let all = brief(&hits, 2000, |_| false);
    assert_eq!((all.included.len(), all.dropped.len(), all.over_budget), (hits.len(), 0, false));
    assert!(hits.iter().all(|hit| all.text.contains(&format!("[{}]", hit.id.handle()))));
    let small = brief(&hits, 60, |_| false);
    assert!(small.tokens <= 60 && !small.dropped.is_empty(), "{small:?}");
    let last = hits.last().unwrap().id.clone();
    let critical = brief(&hits, 60, |hit| hit.id == last);
    assert!(critical.over_budget && critical.included.contains(&last));
    assert_eq!(brief(&[], 100, |_| false).text, "");
}

#[test]
fn a_context_brief_has_its_sections() {
    let mut cards = base();
    let mut bad = card(Kind::Pattern, "Retry without limit", "Endless retries took the gateway down.");
    bad.entry.detail = Detail::Pattern(Pattern { pattern_type: Some(PatternType::AntiPattern) });
    cards.push(bad);
    cards[2].entry.detail = Detail::Resolution(Resolution {
        root_cause: Some("state".to_owned()),
        time_to_resolve: Some("2 hours".to_owned()),
        ..Resolution::default()
    });
    let index = filled(&cards);
    let agents = vec![Advice { agent: "reviewer".to_owned(), because: "9 of 10 went well".to_owned() }];
    let query = Query::text("retry header");
    let text = index.snapshot().context_brief(&query, today(), agents).unwrap().to_markdown();
    for part in [
        "### Summary",
        "### Must-Know",
        "Retry with jitter",
        "### Related Past Issues",
        "took 2 hours",
        "### Anti-Patterns to Avoid",
        "Retry without limit",
        "### Recommended Agents",
        "- reviewer: 9 of 10 went well",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let filler = Query::text("the parser of the header ignores a fold in one commit");
    let text = index.snapshot().context_brief(&filler, today(), Vec::new()).unwrap().to_markdown();
    assert!(text.contains("Header parser") && !text.contains("Prefers small"), "far behind:\n{text}");
    let nothing = index.snapshot().context_brief(&Query::text("zebra"), today(), Vec::new()).unwrap();
    assert_eq!(
        nothing.to_markdown(),
        "## Context Brief\n\n### Summary\n\nNothing is known yet about “zebra”.\n"
    );
}

fn with_sessions() -> Index {
    said_beside(&base())
}

/// Puts entries beside what was said in a session.
fn said_beside(cards: &[Card]) -> Index {
    let mut index = filled(cards);
    let said = [
        ("2026-01-03T10:00:00Z", "The gateway listens on port 7443 for now."),
        ("2026-01-12T10:00:00Z", "We moved the gateway to port 8443 because 7443 was taken."),
        ("2026-01-13T10:00:00Z", "Lunch is at noon."),
    ];
    let passages: Vec<Passage> = said
        .iter()
        .zip(0..)
        .map(|((at, text), sequence)| Passage {
            session: SessionId::new("s1"),
            agent: "test".to_owned(),
            project: None,
            line: sequence + 10,
            sequence,
            voice: Voice::Person,
            at: Some(at.parse().unwrap()),
            files: Vec::new(),
            text: (*text).to_owned(),
        })
        .collect();
    let mut writer = index.writer().unwrap();
    writer.clear(Level::Passages).unwrap();
    writer.put_passages("s1", &passages).unwrap();
    writer.commit(Level::Passages, "").unwrap();
    drop(writer);
    index
}

fn options() -> AskOptions {
    AskOptions { today: today(), budget: 200, as_of: None, projects: Vec::new(), own_names: Vec::new() }
}

#[test]
fn an_answer_quotes_entries_and_sessions_with_their_place() {
    let index = with_sessions();
    let given = answer(&index.snapshot(), "Which database do we use for the ledger?", &options()).unwrap();
    assert_eq!(given.passages[0].source, "dec-2026-01-10-use-postgresql-for-the-ledger");
    assert!(!given.abstained, "{given:?}");
    let given = answer(&index.snapshot(), "Which port does the gateway listen on?", &options()).unwrap();
    let sources: Vec<&str> = given.passages.iter().map(|quote| quote.source.as_str()).collect();
    assert!(sources.contains(&"session://test/s1#L11"), "{given:#?}");
    assert!(given.passages.iter().map(|quote| tokens(&quote.text)).sum::<usize>() <= 200);
}

#[test]
fn an_answer_can_be_as_of_a_day() {
    let index = with_sessions();
    let question = "Which port did the gateway use on January 5?";
    let given = answer(&index.snapshot(), question, &options()).unwrap();
    assert!(given.passages.iter().any(|quote| quote.text.contains("7443")));
    assert!(!given.passages.iter().any(|quote| quote.text.contains("8443")), "{given:#?}");
}

/// A page that came to speak of it later stood first, with what it said then of something else.
#[test]
fn what_a_page_said_of_something_else_is_no_answer_of_that_day() {
    let body = "The ledger is closed each Friday evening.[^s1]\n\n## Key facts\n\n- The gateway listens on port 9443, the port of \
                every gateway.[^s2]\n\n## Context\n";
    let mut page = card(Kind::Fact, "Port of the gateway", body);
    for (id, line, day) in [("s1", 30, "2026-01-03"), ("s2", 31, "2026-02-11")] {
        let mut source = Source::new(format!("session://test/s7#L{line}"), Voice::Person);
        source.id = Some(id.to_owned());
        source.at = day.parse().ok();
        page.entry.sources.push(source);
    }
    page.entry.created = "2026-01-03".parse().ok();
    let mut cards = base();
    cards.push(page);
    let index = said_beside(&cards);
    let options = AskOptions { as_of: "2026-01-05".parse().ok(), ..options() };
    let given = answer(&index.snapshot(), "Which port does the gateway listen on?", &options).unwrap();
    assert!(given.lead.iter().all(|quote| !quote.text.contains("Friday")), "{given:#?}");
    assert!(given.lead.first().is_some_and(|quote| quote.text.contains("7443")), "{given:#?}");
}

#[test]
fn what_an_entry_says_no_longer_holds_is_said_to_be_superseded() {
    let body = "Everything goes through 8443 since the move.[^s2]\n\n## History\n\n- Listens at 7443, the gateway.[^s1]\n  \
                Until 2026-01-12\n";
    let mut moved = card(Kind::Fact, "Port of the gateway", body);
    for (id, line) in [("s1", 10), ("s2", 11)] {
        let mut source = Source::new(format!("session://test/s1#L{line}"), Voice::Person);
        source.id = Some(id.to_owned());
        moved.entry.sources.push(source);
    }
    let mut cards = base();
    cards.push(moved);
    let index = said_beside(&cards);
    let given = answer(&index.snapshot(), "Which port does the gateway listen on?", &options()).unwrap();
    let old: Vec<_> = given.passages.iter().filter(|quote| quote.text.contains("7443 for now")).collect();
    assert!(!old.is_empty() && old.iter().all(|quote| quote.status == "superseded"), "{given:#?}");
    let new = given.passages.iter().find(|quote| quote.source.ends_with("#L11"));
    assert!(new.is_none_or(|quote| quote.status != "superseded"), "{given:#?}");
}

#[test]
fn what_nobody_knows_is_not_answered() {
    let index = with_sessions();
    for question in ["Who paints the office kitchen?", "", "zebra quantum harvest"] {
        let given = answer(&index.snapshot(), question, &options()).unwrap();
        assert!(given.abstained, "{question}: {given:#?}");
    }
}
