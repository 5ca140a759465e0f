//! Sentences that name the same and say otherwise by a small word, and what is past already.

use lore_core::{Moment, Stamp, Status};

use super::*;

fn outcome(old: &'static str, new: &'static str) -> Outcome {
    run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome
}

#[test]
fn which_way_is_part_of_what_is_said() {
    for (old, new) in [
        ("Tolls are rounded half up.", "We round tolls half even."),
        ("Lamps are checked before the bell.", "We check the lamps after the bell."),
        ("Depths are given in feet above the sill.", "We give the depths in feet below the sill."),
        ("The list of boats is sorted oldest first.", "We sort the list of boats oldest last."),
        ("The lamp turns on at dusk.", "We turn the lamp off at dusk."),
        ("We sail on Tuesdays and Thursdays.", "We now sail on Mondays and Wednesdays."),
    ] {
        let outcome = outcome(old, new);
        let noticed = matches!(outcome, Outcome::Supersedes | Outcome::PossiblyReplaced | Outcome::Disputed);
        assert!(noticed, "{old} / {new}: {outcome:?}");
    }
    assert_ne!(outcome("Nets are mended on deck.", "Nets are mended only on deck."), Outcome::Same);
    assert_eq!(
        outcome("Lamps are checked before the bell.", "We check the lamps before the bell."),
        Outcome::Same
    );
}

#[test]
fn what_a_person_took_back_is_held_against_nothing() {
    let mut entry = known(&told("Logs of the pier are kept for 7 years.")).entries()[0].clone();
    entry.status = Status::Outdated;
    let at = Timestamp::from_second(START + 36_000).ok().map(Moment::Instant);
    entry.verified.push(Stamp { by: "human:ada".to_owned(), at });
    let base = Base::new([entry]);
    let outcome = |told: Told| run(vec![told.candidate()], &base).decisions[0].outcome;
    assert_eq!(outcome(told("Logs of the pier are kept for 5 years.").later(30)), Outcome::New);
    assert_eq!(outcome(told("Logs of the pier are kept for 7 years.").later(30)), Outcome::New);
    // Who said it before that, or an agent that repeats it, does not bring it back.
    assert_eq!(outcome(told("Logs of the pier are kept for 7 years.").later(4)), Outcome::Same);
    assert_eq!(outcome(told("Logs of the pier are kept for 7 years.").later(30).agent()), Outcome::Same);
}

/// A rename was held against whatever shared a word with the thing.
#[test]
fn another_name_ends_what_says_the_name() {
    for (old, new) in [
        ("Never load above 224 tons.", "We renamed the loader shed to Ember."),
        ("We renamed the loader shed to Ember.", "The rope shed was renamed to Basket."),
        ("The loader shed never opens before noon.", "We renamed the loader shed to Ember."),
    ] {
        let outcome = outcome(old, new);
        assert!(matches!(outcome, Outcome::New | Outcome::Adds), "{old} / {new}: {outcome:?}");
    }
    let renamed = outcome("The rope shed is called Cart.", "The rope shed was renamed to Basket.");
    assert_eq!(renamed, Outcome::Supersedes);
}

#[test]
fn a_correction_changes_the_value_it_names() {
    let known = known(&told("The crane winch talks Modbus over RS-485 at 19200 baud."));
    let said = told("Correction: the winch talks at 38400 baud, not 19200.").later(30);
    let decision = &run(vec![said.candidate()], &known).decisions[0];
    assert_eq!((decision.outcome, decision.reach), (Outcome::PossiblyReplaced, super::super::Reach::Part));
}

/// "Forget the rule about …" became the title of the rule, or was lost.
#[test]
fn what_a_person_takes_back_goes_to_the_history() {
    let base = known(&told("Never light the lamp on Fridays."));
    for words in ["Forget the rule about Fridays.", "Scrap the lamp rule."] {
        let after = written(&run(vec![told(words).later(30).candidate()], &base), base.clone());
        let [entry] = after.entries() else { panic!("{after:?}") };
        let article = Article::parse(&entry.body);
        assert_eq!(article.current().count(), 0, "{words}: {}", entry.body);
        assert_eq!(article.history[0].text, "Never light the lamp on Fridays.", "{words}");
        assert_eq!(entry.title, "Never light the lamp on Fridays", "{words}");
        assert_eq!(entry.status, Status::Superseded);
    }
    let unknown = run(vec![told("Forget the rule about harbours.").later(30).candidate()], &base);
    assert_eq!(unknown.decisions[0].outcome, Outcome::Dropped);
}

/// The new words went on under the name of whoever had confirmed the old ones.
#[test]
fn whoever_confirmed_the_old_words_has_not_confirmed_the_new() {
    let confirmed = |old: &'static str| {
        let mut entry = known(&told(old)).entries()[0].clone();
        entry.verified.push(Stamp { by: "human:ada".to_owned(), at: None });
        Base::new([entry])
    };
    let check = |old: &'static str, new: &'static str, expected: bool| {
        let base = confirmed(old);
        let written = written(&run(vec![told(new).later(30).candidate()], &base), base);
        let holds = |entry: &&Entry| entry.id.slug() == known(&told(old)).entries()[0].id.slug();
        let entry = written.entries().iter().find(holds).cloned().unwrap();
        assert_eq!(entry.is_verified_by_a_person(), expected, "{old} / {new}: {}", entry.body);
    };
    check("The worker retries 3 times.", "The worker retries 5 times.", false);
    let old = "The harbour server is authoritative for movement.";
    check(old, "Movement is client-authoritative now, the server only checks for speed.", false);
    check(
        "Releases are signed with the team key.",
        "All releases are signed with the key of the team.",
        true,
    );
}
