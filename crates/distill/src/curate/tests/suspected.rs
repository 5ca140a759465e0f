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

#[test]
fn what_people_say_in_other_words_is_suspected() {
    for (old, new) in [(
        "Deliveries to the islands take three days.",
        "since the new boat sails parcels for the islands arrive the next morning, change the shop page",
    )] {
        let known: Vec<&'static str> = ELSE.into_iter().chain([old]).collect();
        assert_eq!(doubted(&known, &told(new).later(60)), [old], "{new}");
        assert_eq!(doubted(&ELSE, &told(new).later(60)), [""; 0], "{new}");
        let by_agent = told(new).agent().later(60);
        assert_eq!(doubted(&known, &by_agent), [""; 0], "an agent tells much: {new}");
    }
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
fn where_much_is_known_nothing_is_suspected() {
    let (old, new) = (
        "Deliveries to the islands take three days.",
        "since the new boat sails parcels for the islands arrive the next morning, change the shop page",
    );
    let mut base = known(&told(old));
    for number in 0..60 {
        let text = format!("Shelf {number} of the archive holds the letters of the year {}.", 1800 + number);
        let filler = candidate(&text, Kind::Fact, Voice::Person, "filler", 1, 0.9);
        base = written(&run(vec![filler], &base), base);
    }
    let decision = &run(vec![told(new).later(60).candidate()], &base).decisions[0];
    assert!(decision.reasons.iter().all(|reason| reason.0 != SUSPICION), "{:?}", decision.reasons);
}
