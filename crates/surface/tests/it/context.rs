//! What an agent is told: whatever the base, within the budget, cited, never what no longer holds as if it did.

use std::collections::BTreeSet;

use lore_core::text::tokens;
use lore_core::{Kind, LinkKind, SessionId, Source, Status, Voice};
use lore_surface::{
    Card, Chosen, ContextRequest, Index, Level, Packed, Passage, Stack, Standing, choose, entry_line, pack,
};
use proptest::prelude::*;

use crate::fixture::{card, filled, link, today};

const WORDS: [&str; 12] = [
    "ledger", "cache", "queue", "mail", "header", "commit", "retry", "token", "calendar", "webhook", "index",
    "lock",
];

/// One entry as numbers: kind, words, status, whom it replaces, contradicts or limits.
type Drawn = (usize, Vec<usize>, usize, Option<usize>, usize);

fn cards(drawn: &[Drawn]) -> Vec<Card> {
    let mut cards: Vec<Card> = Vec::new();
    for (number, (kind, words, status, target, how)) in drawn.iter().enumerate() {
        let said: Vec<&str> = words.iter().map(|word| WORDS[word % WORDS.len()]).collect();
        let body = format!("The {} is what we settled on as number {number}.", said.join(" and the "));
        let mut made =
            card(Kind::ALL[kind % Kind::ALL.len()], &format!("About {} {number}", said.join(" ")), &body);
        made.entry.status =
            [Status::Current, Status::Superseded, Status::Disputed, Status::Outdated][status % 4];
        if let Some(other) = target.filter(|_| number > 0) {
            let other = other % number;
            let kinds = [LinkKind::SupersededBy, LinkKind::Contradicts, LinkKind::QualifiedBy];
            let target = cards[other].clone();
            link(&mut made, kinds[how % 3], &target);
        }
        cards.push(made);
    }
    cards
}

fn told(cards: &[Card], prompt: &str, budget: usize) -> (Packed, BTreeSet<String>) {
    let index = filled(cards);
    let seen = BTreeSet::new();
    let stack = Stack::default();
    let request = ContextRequest {
        prompt,
        today: today(),
        articles: 5,
        passages: 0,
        seen: &seen,
        kinds: &[],
        stack: &stack,
        unasked: false,
    };
    let chosen = choose(&index.snapshot(), &request).unwrap();
    let lines: Vec<_> =
        chosen.picks.iter().map(|pick| entry_line(pick, &Standing::default(), today())).collect();
    let critical = lines.iter().filter(|line| line.critical).map(|line| line.source.clone()).collect();
    (pack(&lines, budget), critical)
}

/// Returns the titles of what is told to a prompt that nobody asked with.
fn told_unasked(cards: &[Card], prompt: &str) -> Vec<String> {
    let index = filled(cards);
    let request = ContextRequest {
        prompt,
        today: today(),
        articles: 5,
        passages: 0,
        seen: &BTreeSet::new(),
        kinds: &[],
        stack: &Stack::default(),
        unasked: true,
    };
    let chosen = choose(&index.snapshot(), &request).unwrap();
    chosen.picks.into_iter().map(|pick| pick.card.entry.title).collect()
}

#[test]
fn what_shares_an_everyday_word_or_a_part_of_the_prompt_is_not_told() {
    let said = |kind: Kind, text: &str| {
        let mut made = card(kind, text.trim_end_matches('.'), text);
        made.entry.curated_by = lore_core::Curator::Human;
        made
    };
    let cards = [
        said(Kind::Fact, "Harbour dues are printed on blue receipts."),
        said(Kind::Fact, "The customs office wants receipts by the third of each month."),
        said(Kind::Preference, "Please do not write sailor names onto the pier."),
        said(Kind::Preference, "Merged receipts must never be torn."),
    ];
    let told = told_unasked(&cards, "print the harbour dues receipts on both sides");
    assert_eq!(told[0], "Harbour dues are printed on blue receipts", "{told:?}");
    assert!(!told.iter().any(|title| title.contains("customs")), "{told:?}");
    assert_eq!(told_unasked(&cards, "how do I write a haiku for a lantern?"), [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_the_base_the_text_keeps_its_promises(
        drawn in prop::collection::vec(
            (0usize..12, prop::collection::vec(0usize..12, 1..4), 0usize..4, prop::option::of(0usize..20), 0usize..3), 1..16),
        asked in prop::collection::vec(0usize..12, 1..4),
        budget in 20usize..400,
    ) {
        let cards = cards(&drawn);
        let prompt: Vec<&str> = asked.iter().map(|word| WORDS[*word]).collect();
        let prompt = format!("What about the {}?", prompt.join(" and the "));
        let (packed, critical) = told(&cards, &prompt, budget);
        prop_assert!(tokens(&packed.lines.join("\n")) <= budget || packed.over_budget);
        prop_assert!(!packed.over_budget || packed.sources.iter().any(|source| critical.contains(source)));
        for (line, source) in packed.lines.iter().zip(&packed.sources) {
            let entry = &cards.iter().find(|card| card.entry.id.as_str() == source).unwrap().entry;
            prop_assert!(line.contains(&format!("[{} · ", entry.id.handle())), "not cited: {line}");
            let mark = match entry.status {
                Status::Superseded => "NO LONGER HOLDS: ",
                Status::Outdated => "OUTDATED: ",
                Status::Disputed => "DISPUTED: ",
                Status::Current => "",
            };
            prop_assert!(line.contains(mark), "{line}");
            prop_assert!(entry.kind != Kind::Signal, "{line}");
            // What replaces, contradicts or limits a shown entry is shown with it.
            for other in &entry.links {
                let is_signal = other.target.starts_with("sig-");
                prop_assert!(is_signal || packed.sources.contains(&other.target), "{line} without {}", other.target);
            }
        }
        prop_assert_eq!(told(&cards, &prompt, budget).0, packed, "the same question, the same text");
    }
}

#[test]
fn nothing_is_said_twice_and_nothing_about_something_else() {
    let cards = cards(&[(0, vec![0, 1], 0, None, 0), (1, vec![2], 0, None, 0)]);
    let index = filled(&cards);
    let stack = Stack::default();
    let ask = |prompt: &str, seen: &BTreeSet<String>| {
        let request = ContextRequest {
            prompt,
            today: today(),
            articles: 5,
            passages: 2,
            seen,
            kinds: &[],
            stack: &stack,
            unasked: true,
        };
        choose(&index.snapshot(), &request).unwrap()
    };
    let first = ask("the ledger and the cache", &BTreeSet::new());
    assert_eq!(first.picks.len(), 1);
    let seen = first.picks.iter().map(|pick| pick.card.entry.id.to_string()).collect();
    assert!(ask("the ledger and the cache", &seen).silent.is_some());
    assert!(ask("names for a hamster", &BTreeSet::new()).silent.is_some());
}

#[test]
fn the_words_an_entry_was_made_of_do_not_take_its_place() {
    let mut index =
        filled(&[card(Kind::Decision, "Move the ledger to PostgreSQL", "Move the ledger to PostgreSQL.")]);
    let said = [
        "OK, move the ledger to PostgreSQL. The ledger no longer fits into SQLite now that two instances write.",
        "Let me look at the ledger.",
        "The ledger in PostgreSQL is copied every night to another place.",
    ];
    shelve(&mut index, (1..).zip(said));
    let chosen = chosen(&index, "where does the ledger live, in SQLite or PostgreSQL?", &BTreeSet::new());
    assert_eq!(chosen.picks.len(), 1, "{chosen:#?}");
    assert!(chosen.said.iter().all(|quote| !quote.text.is_empty()), "{chosen:#?}");
    assert!(chosen.said.iter().any(|quote| quote.text.contains("every night")), "{chosen:#?}");
}

/// Chooses what to say about a prompt that surely has to do with the base.
fn chosen(index: &Index, prompt: &str, seen: &BTreeSet<String>) -> Chosen {
    let stack = Stack::default();
    let (articles, passages) = (5, 8);
    let request = ContextRequest {
        prompt,
        today: today(),
        articles,
        passages,
        seen,
        kinds: &[],
        stack: &stack,
        unasked: false,
    };
    choose(&index.snapshot(), &request).unwrap()
}

/// Puts what was said at these lines of one session on the shelf.
fn shelve<'t>(index: &mut Index, said: impl IntoIterator<Item = (u32, &'t str)>) {
    let passage = |(sequence, (line, text)): (u32, (u32, &str))| Passage {
        session: SessionId::new("s1"),
        agent: "test".to_owned(),
        project: None,
        line,
        sequence,
        voice: Voice::Person,
        at: None,
        files: Vec::new(),
        text: text.to_owned(),
    };
    let passages: Vec<Passage> = (0..).zip(said).map(passage).collect();
    let mut writer = index.writer().unwrap();
    writer.clear(Level::Passages).unwrap();
    writer.put_passages("s1", &passages).unwrap();
    writer.commit(Level::Passages, "").unwrap();
}

#[test]
fn a_long_answer_is_quoted_more_than_once_and_not_again() {
    let mut index = filled(&[card(Kind::Fact, "The office plants are watered on Monday", "On Monday.")]);
    let said = [
        (7, "A cron job can be added to the crontab of the machine; it runs every five minutes."),
        (7, "For a cron schedule with seconds the job needs the scheduler library, which is a dependency."),
        (7, "Each cron job writes its own log below `logs/`, rotated by size."),
        (7, "Remove a cron job with `schedule rm` and the name that `schedule ls` shows."),
        (9, "The office plants are watered on Monday."),
    ];
    shelve(&mut index, said);
    let ask = |seen: &BTreeSet<String>| chosen(&index, "can I add a cron job?", seen).said;
    let first = ask(&BTreeSet::new());
    let cron = first.iter().filter(|quote| quote.source.ends_with("#L7"));
    assert_eq!(cron.count(), 3, "{first:#?}");
    let seen: BTreeSet<String> = first.iter().map(|quote| quote.key()).collect();
    let second = ask(&seen);
    assert!(second.iter().all(|quote| !seen.contains(&quote.key())), "{second:#?}");
    assert_eq!(second.iter().filter(|quote| quote.source.ends_with("#L7")).count(), 1, "{second:#?}");
}

#[test]
fn what_an_entry_says_no_longer_holds_is_not_quoted_and_the_entry_leads() {
    let body = "The ledger lives in PostgreSQL.[^s2]\n\n## History\n\n- The ledger lives in SQLite, in one file.[^s1]\n  \
                Until 2026-02-05\n";
    let mut moved = card(Kind::Decision, "Move the ledger", body);
    for (id, line) in [("s1", 1), ("s2", 9)] {
        let mut source = Source::new(format!("session://test/s1#L{line}"), Voice::Person);
        source.id = Some(id.to_owned());
        moved.entry.sources.push(source);
    }
    let other = card(Kind::Fact, "The ledger file is copied at night", "The ledger file is copied at night.");
    let mut index = filled(&[moved, other]);
    let said = [
        (1, "Which file does the ledger live in? The ledger lives in SQLite, in one file."),
        (1, "The ledger file is read by the reports as well, which nobody changes."),
        (4, "The ledger lives in a file with a lock beside it."),
    ];
    shelve(&mut index, said);
    let chosen = chosen(&index, "which file does the ledger live in?", &BTreeSet::new());
    assert!(chosen.said.iter().all(|quote| !quote.text.contains("SQLite")), "{chosen:#?}");
    assert!(chosen.said.iter().any(|quote| quote.text.contains("reports")), "the rest of the record stays");
    assert_eq!(chosen.picks[0].card.entry.title, "Move the ledger", "{chosen:#?}");
}

#[test]
fn a_page_stands_in_the_place_of_the_words_it_was_made_of() {
    let mut linked = card(Kind::Decision, "Never link a session copy", "Never link a session copy.[^s1]\n");
    let id = Some("s1".to_owned());
    let source = Source { id, ..Source::session_line("test", &SessionId::new("s1"), 3, Voice::Person) };
    linked.entry.sources.push(source);
    let mut index = filled(&[linked]);
    let words = "No! Never link a session copy of the workbench for local verification: the global binary \
                 then points into a folder that the cleanup removes, and every other terminal breaks.";
    shelve(&mut index, [(3, words), (8, "The workbench opens in a second.")]);
    let seen = BTreeSet::new();
    let stack = Stack::default();
    let request = ContextRequest {
        prompt: "the global binary of the workbench is missing after cleanup, terminal breaks on verification",
        today: today(),
        articles: 5,
        passages: 8,
        seen: &seen,
        kinds: &[],
        stack: &stack,
        unasked: true,
    };
    let chosen = choose(&index.snapshot(), &request).unwrap();
    assert_eq!(chosen.picks.len(), 1, "{chosen:#?}");
    assert!(chosen.said.iter().all(|quote| !quote.source.ends_with("#L3")), "{chosen:#?}");
}
