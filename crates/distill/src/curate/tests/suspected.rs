//! What people say in other words, without looking up what they said before.

use super::*;

const ELSE: [&str; 4] = [
    "Invoices are sent as PDF files by the accounting service.",
    "The choir of the town sings on Sundays.",
    "Bread dough rests for two hours before it is baked.",
    "Never water the orchids with hard water.",
];

/// What an entry is doubted for when no form of words speaks for it.
const SUSPICION: &str = "its words read as if that were no longer so";

/// Tells what a base of several entries suspects to be over when something is said.
fn doubted(known: &[&'static str], new: &Told) -> Vec<String> {
    let mut base = Base::default();
    for (at, text) in known.iter().enumerate() {
        let said = Told {
            session: ["a", "b", "c", "d", "e"][at % 5],
            hour: i64::try_from(at).unwrap(),
            ..told(text)
        };
        base = written(&run(vec![said.candidate()], &base), base);
    }
    let curation = run(vec![new.candidate()], &base);
    let decisions = curation.decisions.iter();
    decisions
        .filter(|decision| decision.reasons.iter().any(|reason| reason.0 == SUSPICION))
        .map(|decision| decision.against.clone().unwrap_or_default())
        .collect()
}

const OLD: &str = "Deliveries to the islands take three days.";
const NEW: &str =
    "since the new boat sails parcels for the islands arrive the next morning, change the shop page";

#[test]
fn what_people_say_in_other_words_is_suspected() {
    let known: Vec<&'static str> = ELSE.into_iter().chain([OLD]).collect();
    assert_eq!(doubted(&known, &told(NEW).later(60)), [OLD]);
    assert_eq!(doubted(&ELSE, &told(NEW).later(60)), [""; 0]);
    assert_eq!(doubted(&known, &told(NEW).agent().later(60)), [""; 0], "an agent tells much");
}

#[test]
fn what_is_about_something_else_is_not() {
    for (old, new) in [
        (
            "Deliveries to the islands take three days.",
            "since the new conductor came the choir meets the next morning, change the poster",
        ),
        (
            "Letters to the mountain villages take a week.",
            "orchids are watered once a month from now on, change the note on the balcony",
        ),
        ("The nightly job starts at 2.", "the choir now meets an hour later"),
        ("Error messages are in German only.", "from now on the newsletter goes out on Mondays"),
    ] {
        let known: Vec<&'static str> = ELSE.into_iter().chain([old]).collect();
        assert!(doubted(&known, &told(new).later(60)).iter().all(|doubted| doubted != old), "{new}");
    }
}

#[test]
fn what_an_agent_chose_is_doubted_by_a_persons_later_word() {
    let base = known(&told("The agent put the tides as a table into the gate.").agent());
    let new = told("since the storm the pilots get the tides on a slate, the table is gone").later(60);
    let decision = &run(vec![new.candidate()], &base).decisions[0];
    assert_eq!(decision.outcome, Outcome::PossiblyReplaced, "{:?}", decision.reasons);
}

#[test]
fn what_is_said_in_passing_is_heard_where_it_reads_as_a_change() {
    let strict = |_: usize| Bars { form: true, ..PLAIN };
    let path = |entry: &Entry| format!("{}/{}.md", entry.kind.topic(), entry.id.slug());
    let now = Timestamp::from_second(START + 1_000_000).unwrap();
    let outcome = |text: &'static str| {
        let base = known(&told("The greenhouse fan starts at 28 degrees."));
        let candidate =
            Candidate { route: lore_core::Route::Order, ..told(text).later(60).weight(0.3).candidate() };
        let curation = curate(vec![candidate], &Setting { known: &base, now, path: &path, bars: &strict });
        curation.decisions[0].outcome
    };
    assert_eq!(outcome("tomatoes got cooked, the fan kicks in at 24 already"), Outcome::PossiblyReplaced);
    assert_eq!(outcome("clean the fan while you are in there"), Outcome::Dropped);
}

#[test]
fn where_much_is_known_nothing_is_suspected() {
    let mut base = known(&told(OLD));
    for number in 0..60 {
        let title = format!("Drawer{number} holds stamp{number}");
        let id = lore_core::EntryId::new(Kind::Fact, jiff::civil::date(2026, 1, 1), &title);
        base.insert(Entry { body: format!("{title}."), ..Entry::new(id, Kind::Fact, title) });
    }
    let decision = &run(vec![told(NEW).later(60).candidate()], &base).decisions[0];
    assert!(decision.reasons.iter().all(|reason| reason.0 != SUSPICION), "{:?}", decision.reasons);
}
