//! Plain changes, and what only looks like one.

use super::*;

#[test]
fn an_exchange_in_any_language_replaces() {
    let replaces = |old, new| check(&told(old), &told(new).later(30), Outcome::Supersedes);
    replaces("Usamos Latón para las lámparas.", "Cambiamos Latón por Vidrio para las lámparas.");
    let doubts = |old, new| check(&told(old), &told(new).later(30), Outcome::PossiblyReplaced);
    doubts("Ada is the keeper of the north lamp.", "The keeper of the north lamp is Bea.");
    doubts("灯りのビルドにはParcelを使っています。", "灯りのビルドはParcelからesbuildに変えました。");
    replaces("We light the pier with Brass.", "We swapped Brass for Mirrors on the pier.");
}

#[test]
fn what_was_denied_and_is_demanded_later_is_over() {
    let old = told("Pilots can swap berths without approval.");
    let new = told("When pilots swap berths, the keeper has to approve it.").later(30);
    check(&old, &new, Outcome::Supersedes);
}

#[test]
fn of_a_message_that_says_several_things_the_title_is_the_one_that_changes() {
    let old = told("Pages of the pier register show 24 boats.");
    let mut new =
        told("Fix the broken crane, and register pages show 36 boats from today so adapt the ledger too.")
            .later(30)
            .candidate();
    new.title = "Fix the broken crane".to_owned();
    let base = written(&run(vec![new], &known(&old)), known(&old));
    let title = &base.entries()[0].title;
    assert!(title.starts_with("Register pages show 36 boats"), "{title}");
}

#[test]
fn what_is_done_away_with_elsewhere_stays_here() {
    let stands = |old, new| {
        let run = run(vec![told(new).later(30).candidate()], &known(&told(old)));
        let outcome = run.decisions[0].outcome;
        assert!(!matches!(outcome, Outcome::Supersedes), "{old} / {new}: {outcome:?}");
    };
    stands("We use Brass for the lamps.", "We no longer use Brass for ropes.");
    stands("The ledger is kept for 5 years.", "We replaced the ledger with Papyrus.");
    stands("Boats pay the toll in winter.", "Boats do not pay the toll in summer.");
}

#[test]
fn the_same_sentence_with_another_value_is_a_change_whoever_says_it() {
    let outcome =
        |old: Told, new: Told| run(vec![new.later(30).candidate()], &known(&old)).decisions[0].outcome;
    let changed = |old, new| outcome(told(old), told(new));
    for (old, new) in [
        ("The crane lifts 500 bags per turn.", "The crane lifts 200 bags per turn."),
        ("A day pass holds for 12 hours.", "A day pass holds for 30 minutes."),
        ("the main lamp of the pier is called Ada", "On the pier the main lamp is called Bea."),
        ("The ledger lies in the office.", "The ledger lies in the boathouse, not in the office."),
        (
            "Guests may enter by every gate of the pier.",
            "Guests may enter only by the east gate of the pier.",
        ),
    ] {
        let outcome = changed(old, new);
        assert!(
            matches!(outcome, Outcome::Supersedes | Outcome::PossiblyReplaced | Outcome::Disputed),
            "{old} / {new}: {outcome:?}"
        );
    }
    let seen = outcome(
        told("The crane gives its weights in tons."),
        told("The crane gives its weights in pounds.").agent(),
    );
    // An agent does not replace what a person said.
    assert!(matches!(seen, Outcome::Disputed | Outcome::PossiblyReplaced), "{seen:?}");
    for (old, new) in [
        ("The crane lifts 500 bags per turn.", "The crane turns 6 times a day."),
        ("The north crane lifts 500 bags.", "The south crane lifts 200 bags."),
    ] {
        let outcome = changed(old, new);
        assert!(!matches!(outcome, Outcome::Supersedes), "{old} / {new}: {outcome:?}");
    }
}

#[test]
fn another_country_is_another_subject() {
    let old = told("The EU shed keeps letters for 30 days.");
    let curation =
        run(vec![told("us shed: letters are kept for 90 days").later(30).candidate()], &known(&old));
    let outcome = curation.decisions[0].outcome;
    assert!(matches!(outcome, Outcome::New | Outcome::Adds), "{outcome:?}");
}

#[test]
fn what_an_agent_saw_puts_a_persons_word_in_doubt_and_opens_no_page() {
    let path = |entry: &Entry| format!("{}/{}.md", entry.kind.topic(), entry.id.slug());
    let now = Timestamp::from_second(START + 1_000_000).unwrap();
    let strict = |_: usize| Bars { form: true, ..PLAIN };
    let outcome = |base: &Base, text: &'static str| {
        let candidates = vec![told(text).later(30).agent().candidate()];
        let curation = curate(candidates, &Setting { known: base, now, path: &path, bars: &strict });
        curation.decisions[0].outcome
    };
    let base = known(&told("The crane at the long quay lifts 5 tons."));
    assert_eq!(
        outcome(&base, "The crane at the long quay lifts 4 tons, as I can see in crane.toml."),
        Outcome::Disputed
    );
    assert_eq!(outcome(&base, "I found that the bell rings 4 times."), Outcome::Dropped);
    let base = known(&told("The import from the harbour office is idempotent."));
    let seen = "I found that the import from the harbour office is not idempotent: twice makes two.";
    assert_eq!(outcome(&base, seen), Outcome::Disputed);
    let base = known(&told("Never call the harbour office from the night ferry."));
    assert_eq!(outcome(&base, "The night ferry should call the harbour office directly."), Outcome::Disputed);
    for (old, new) in [
        (
            "Do not oil the winch of the ferry by hand.",
            "The night crew should oil the winch of the ferry by hand after each trip.",
        ),
        (
            "Hands off the tide table of the harbour, we never edit it.",
            "The crew should always edit the tide table of the harbour after a storm.",
        ),
    ] {
        assert_eq!(outcome(&known(&told(old)), new), Outcome::Disputed, "{new}");
    }
    let base = known(&told("Never oil the winch by hand."));
    assert_eq!(outcome(&base, "The night crew should oil the anchor chain by hand."), Outcome::Dropped);
    let other = Base::default();
    assert_eq!(
        outcome(&other, "The crane at the long quay lifts 4 tons, as I can see in crane.toml."),
        Outcome::Dropped
    );
}

/// "We decided to use … instead of …" was taken for the subject of both.
#[test]
fn what_shares_only_how_it_is_laid_down_stays() {
    let outcome = |old: &'static str, new: &'static str| {
        run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome
    };
    for (old, new) in [
        ("We decided to use brass instead of iron.", "We decided to use Ropes instead of Chains."),
        ("We agreed to use brass, not iron.", "We agreed to use Ropes, not Chains."),
        ("Always use brass instead of iron.", "Always use Ropes instead of Chains."),
        ("We decided not to use buoys.", "We decided not to use lanterns."),
        ("We decided to go with Brass.", "We decided to go with Papyrus."),
        ("The default berth length is 20.", "The maximum berth length is 100."),
    ] {
        let outcome = outcome(old, new);
        assert!(matches!(outcome, Outcome::New | Outcome::Adds), "{old} / {new}: {outcome:?}");
    }
    let back =
        outcome("We decided to use brass instead of iron.", "We decided to use iron instead of brass.");
    assert_eq!(back, Outcome::Supersedes);
}

/// The permission for one place took the place of the prohibition.
#[test]
fn what_is_allowed_somewhere_stands_beside_the_rule() {
    let outcome = |old: &'static str, new: &'static str| {
        run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome
    };
    let beside = outcome("Never light-up.", "Light-up is ok on summer piers.");
    assert!(matches!(beside, Outcome::New | Outcome::Adds), "{beside:?}");
    assert_eq!(
        outcome("Never sail on Fridays.", "Forget what I said about sailing on Fridays."),
        Outcome::Supersedes
    );
    assert_eq!(
        outcome("The ferry lies at berth 9.", "Scratch that about berth 9, it is 12."),
        Outcome::Supersedes
    );
}

#[test]
fn news_of_somebody_named_ends_nothing() {
    for (old, new) in [
        ("The telescope is booked through Marta.", "Marta moved to Lisbon."),
        ("We buy our tar from Vogel.", "Vogel is now called Vogel & Sons."),
        ("Lena Berg signs the papers of the pier.", "Lena Berg got married and is now called Lena Horn."),
    ] {
        let outcome = run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome;
        assert!(matches!(outcome, Outcome::New | Outcome::Adds), "{old} / {new}: {outcome:?}");
    }
    let renamed = told("The main lamp is now called Bea.").later(30);
    let outcome = run(vec![renamed.candidate()], &known(&told("The main lamp is Ada."))).decisions[0].outcome;
    assert!(matches!(outcome, Outcome::Supersedes | Outcome::PossiblyReplaced), "{outcome:?}");
}

#[test]
fn what_may_be_another_thing_or_leaves_a_part_is_marked_and_not_carried_out() {
    for (old, new) in [
        ("The harbour office uses Brass.", "We dropped Brass from the boat house."),
        ("Pilots may carry 3 lamps.", "Pilots may invite 5 guests."),
        ("The log is kept on paper and the tides on slate.", "The tides are no longer kept on slate."),
    ] {
        let outcome = run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome;
        assert!(outcome != Outcome::Supersedes, "{old} / {new}: {outcome:?}");
    }
    check(
        &told("The log is kept on slate."),
        &told("The log is no longer kept on slate.").later(30),
        Outcome::Supersedes,
    );
}

#[test]
fn the_same_rule_with_another_number_from_now_on_replaces() {
    let replaces = |old, new| check(&told(old), &told(new).later(30), Outcome::Supersedes);
    replaces("Every boat needs one lamp.", "From now on every boat needs two lamps.");
    replaces("Every PR needs one approval.", "From now on every PR needs two approvals.");
    replaces("Every PR needs one approval.", "Every PR needs two approvals, starting this sprint.");
    replaces("Every boat needs one lamp.", "Every boat needs two lamps, starting this season.");
    replaces("A boat carries 4 guests.", "As of today a boat carries 6 guests.");
    replaces("The bell rings 3 times.", "Starting next week the bell rings 5 times.");
}

#[test]
fn the_same_with_another_number_for_one_thing_stands_beside_the_rule() {
    let stands = |old, new| {
        let run = run(vec![told(new).later(30).candidate()], &known(&told(old)));
        let outcome = run.decisions[0].outcome;
        let is_told = matches!(outcome, Outcome::Supersedes | Outcome::Disputed | Outcome::PossiblyReplaced);
        assert!(!is_told, "{old} / {new}: {outcome:?} {:?}", run.decisions[0].reasons);
    };
    stands("Guests are capped at 3.", "Guests are capped at 5 for the ferry.");
    stands("A boat waits 30 minutes.", "A boat waits 60 minutes at the north pier.");
    stands("The lamp burns for 8 hours.", "The lamp burns for 12 hours in the boathouse.");
    stands("The crane lifts 20 bags per turn.", "In the east dock, the crane lifts forty bags per turn.");
    stands("Boats get 40 litres of water.", "Boats get 90 litres of water for night trips.");
    stands("The gate closes at 8 pm.", "The Porto gate closes at 6 pm.");
    stands(
        "Lamps are checked every 10 minutes.",
        "The harbour lamp is checked every two hours because it is old.",
    );
}

#[test]
fn the_same_with_another_number_and_a_reason_is_a_change() {
    let noticed = |old, new| {
        let run = run(vec![told(new).later(30).candidate()], &known(&told(old)));
        let outcome = run.decisions[0].outcome;
        let is_told = matches!(outcome, Outcome::Supersedes | Outcome::Disputed | Outcome::PossiblyReplaced);
        assert!(is_told, "{old} / {new}: {outcome:?} {:?}", run.decisions[0].reasons);
    };
    noticed("The ledger is kept for 5 years.", "The ledger is kept for 10 years for legal reasons.");
    noticed("We keep three spare boats tied up overnight.", "We keep one spare boat tied up overnight.");
    noticed(
        "Ropes must be at least 8 metres long.",
        "As of Monday, ropes must be at least fourteen metres long.",
    );
    noticed(
        "The north lamp burns at 70 watts.",
        "we turned the north lamp up to 80, that's the new standard",
    );
    noticed("Deck lamps go out after 9 hours.", "make deck lamps go out after 15 minutes");
    noticed("The bell rings at 1 am.", "The bell rings at 4 am, 1 am collided with the tide.");
    noticed("Guests may sleep on the pier.", "Nobody may sleep on the pier anymore.");
    noticed("We write a log entry for every tide.", "We stopped writing log entries altogether.");
    noticed("The regatta is planned for May.", "The regatta has slipped to July.");
}

#[test]
fn what_is_avoided_is_not_what_is_demanded() {
    let old = told("We avoid diesel in the harbour shed.");
    let new = told("Diesel is avoided in the harbour shed because its roof is low.").later(30);
    let run = run(vec![new.candidate()], &known(&old));
    let outcome = run.decisions[0].outcome;
    assert!(!matches!(outcome, Outcome::Supersedes | Outcome::Disputed), "{outcome:?}");
}

/// Three facts of a series replaced each other, and one was left.
#[test]
fn each_of_a_series_stands_by_itself() {
    for (old, new) in [
        ("Winch 1 lifts crane 1 of the yard.", "Winch 2 lifts crane 2 of the yard."),
        ("Edition 1 of the chart uses fathoms.", "Edition 2 of the chart uses metres."),
        ("Signal 12 means that a hatch is open.", "Signal 13 means that a pump is stuck."),
    ] {
        let outcome = run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome;
        assert!(matches!(outcome, Outcome::New | Outcome::Adds), "{old} / {new}: {outcome:?}");
    }
    let decided = run(
        vec![told("Chart 22 is required now.").later(30).candidate()],
        &known(&told("Chart 20 is required.")),
    );
    assert_eq!(decided.decisions[0].plainness, crate::curate::Plainness::Certain);
}

#[test]
fn who_announces_a_change_the_same_hour_is_no_second_person() {
    let old = told("The pier closes at 18:00.");
    check(&old, &told("The pier closes at 19:00 from now on.").later(1), Outcome::Supersedes);
    check(&old, &told("The pier closes at 19:00.").later(1), Outcome::Disputed);
}

#[test]
fn of_two_values_the_one_that_is_not_spoken_of_stays() {
    let old = told("The bell always rings at 31 strokes and the horn at 51 strokes.");
    check(&old, &told("The horn is at 58 strokes now, not 51.").later(30), Outcome::PossiblyReplaced);
}
