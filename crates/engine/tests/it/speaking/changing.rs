//! What changes a part of what is known, takes it back, or turns out to stand beside it.

use lore_core::{LinkKind, Status};
use lore_engine::ask::Question;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::forget::Subject;
use lore_engine::meet::Meeting;
use lore_engine::review::Ruling;

use crate::stage::Stage;

fn remembered(stage: &mut Stage, old: &str, new: &str) -> (String, lore_engine::remember::Remembered) {
    let known = stage.engine().remember(old, None, false).expect("it is kept");
    stage.day += 1;
    let done = stage.engine().remember(new, None, false).expect("it is kept");
    (known.id.to_string(), done)
}

#[test]
fn a_change_of_a_part_leaves_the_rest_standing() {
    for (old, new, asked, left) in [
        (
            "Bait is kept at -18 degrees in chest F2.",
            "Bait moved to chest F5.",
            "at what degrees is bait kept?",
            "-18",
        ),
        (
            "The boiler watch ends at 6 and is paid 25 percent extra.",
            "The boiler watch is paid 30 percent extra now.",
            "when does the boiler watch end?",
            "ends at 6",
        ),
    ] {
        let mut stage = Stage::new();
        let (old, done) = remembered(&mut stage, old, new);
        assert_eq!(done.met.as_ref().map(|met| met.how), Some(Meeting::Changes), "{done:?}");
        let entry = stage.engine().show(&old).expect("it is there").entry;
        assert_eq!(entry.status, Status::Current);
        assert_eq!(entry.linked(LinkKind::QualifiedBy).collect::<Vec<_>>(), [done.id.as_str()]);
        let answer = stage.engine().ask(&Question::new(asked)).expect("an answer");
        let told: Vec<&str> = answer.lead.iter().map(|line| line.text.as_str()).collect();
        assert!(told.iter().any(|text| text.contains(left)), "{answer:#?}");
        assert!(
            told.iter().any(|text| text.contains(&done.title[..12])),
            "the change comes along: {answer:#?}"
        );
        let prompt = Occasion::Prompt(asked.to_owned());
        let context = stage.engine().context(&ContextOptions::new(prompt)).expect("a context");
        let text = context.text;
        assert!(text.contains(left) && text.contains(&done.title[..12]), "{text}");
        assert!(!text.contains("NO LONGER HOLDS"), "{text}");
    }
}

#[test]
fn who_takes_something_back_leaves_nothing_to_remember() {
    let mut stage = Stage::new();
    let (old, done) = remembered(
        &mut stage,
        "Never prune the plum trees after March.",
        "Forget the rule about pruning plum trees.",
    );
    assert_eq!((done.outcome, done.id.as_str()), ("withdrawn", old.as_str()));
    assert_eq!(stage.engine().show(&old).expect("it is there").entry.status, Status::Outdated);
    let run = done.run.expect("it can be taken back");
    stage.engine().undo(Some(&run), false).expect("it is taken back");
    assert_eq!(stage.engine().show(&old).expect("it is there").entry.status, Status::Current);
    let nothing = stage.engine().remember("Scrap the thing about the submarine.", None, false);
    assert!(nothing.is_err(), "{nothing:?}");
}

#[test]
fn a_question_and_a_single_word_are_nothing_to_remember() {
    let stage = Stage::new();
    for text in ["Should the choir tune to 440 Hz?", "nope"] {
        assert!(stage.engine().remember(text, None, false).is_err(), "{text}");
    }
    assert!(
        stage
            .engine()
            .remember("Should the choir tune to 440 Hz?", Some(lore_core::Kind::Fact), false)
            .is_ok()
    );
}

#[test]
fn a_task_and_an_idea_are_kept_where_somebody_insists_and_then_as_unsure() {
    let stage = Stage::new();
    for text in ["TODO: tune the choir organ", "mend the organ pipes", "maybe we should sing in Latin"] {
        let refused = stage.engine().remember(text, None, false).expect_err("is refused");
        assert!(refused.to_string().contains("reads like"), "{refused}");
        let kept = stage.engine().remember(text, Some(lore_core::Kind::Fact), false).expect("is kept");
        let entry = stage.engine().show(kept.id.as_str()).expect("is there").entry;
        assert_eq!(entry.confidence, Some(lore_core::Confidence::Low), "{text}");
    }
    let kept = stage
        .engine()
        .remember("The choir \u{1b}[31msings\u{1b}[0m\u{7} in Latin.", None, false)
        .expect("is kept");
    let text = stage.repo.read(&format!("knowledge/{}", kept.path));
    assert!(text.contains("The choir sings in Latin.") && !text.contains(['\u{1b}', '\u{7}']), "{text}");
}

fn disputed(stage: &mut Stage) -> (String, String) {
    let (old, done) = remembered(stage, "Tickets cost 12 euros.", "Tickets cost 8 euros.");
    assert_eq!(done.met.as_ref().map(|met| met.how), Some(Meeting::Contradicts), "{done:?}");
    (old, done.id.to_string())
}

#[test]
fn an_answer_from_one_side_tells_the_other() {
    let mut stage = Stage::new();
    let (old, done) = remembered(
        &mut stage,
        "Patients under 12 see Dr. Okafor in room 3.",
        "Dr. Okafor has left; Dr. Lindqvist sees the children.",
    );
    assert_eq!(done.met.as_ref().map(|met| met.how), Some(Meeting::Contradicts), "{done:?}");
    assert_eq!(done.title, "Dr. Okafor has left; Dr. Lindqvist sees the children");
    let answer = stage.engine().ask(&Question::new("who sees patients under 12?")).expect("an answer");
    let sources: Vec<&str> = answer.lead.iter().map(|line| line.source.as_str()).collect();
    assert!(sources.contains(&old.as_str()) && sources.contains(&done.id.as_str()), "{answer:#?}");
}

#[test]
fn both_sides_of_a_dispute_may_be_right() {
    let mut stage = Stage::new();
    let (old, new) = disputed(&mut stage);
    stage.engine().review(&new, Ruling::Both, false).expect("it is settled");
    for (one, other) in [(&old, &new), (&new, &old)] {
        let entry = stage.engine().show(one).expect("it is there").entry;
        assert_eq!(entry.status, Status::Current);
        assert_eq!(entry.linked(LinkKind::Contradicts).count(), 0);
        assert_eq!(entry.linked(LinkKind::Related).collect::<Vec<_>>(), [other.as_str()]);
        assert!(stage.engine().review(one, Ruling::Both, false).is_err(), "nothing is left to settle");
    }
}

#[test]
fn what_stood_against_something_forgotten_holds_again() {
    let mut stage = Stage::new();
    let (old, new) = disputed(&mut stage);
    stage.engine().forget_about(&Subject::Named("12 euros".to_owned()), false).expect("it is forgotten");
    assert!(stage.engine().show(&old).is_err());
    let entry = stage.engine().show(&new).expect("it is there").entry;
    assert_eq!((entry.status, entry.links.len()), (Status::Current, 0), "{:?}", entry.links);
}

/// Remembers sentences one after the other and returns how each entry stands in the end.
fn standing(said: &[&str]) -> Vec<Status> {
    let mut stage = Stage::new();
    let mut kept = Vec::new();
    for text in said {
        let done = stage.engine().remember(text, None, false).expect("it is kept");
        kept.push(done.id.to_string());
        stage.day += 1;
    }
    kept.iter().map(|id| stage.engine().show(id).expect("it is there").entry.status).collect()
}

#[test]
fn what_was_withdrawn_is_held_against_nothing() {
    let said = [
        "Pier logs are kept for 7 years.",
        "Ignore what I said about pier logs.",
        "Pier logs are kept for 5 years.",
    ];
    assert_eq!(standing(&said), [Status::Outdated, Status::Outdated, Status::Current]);
}

#[test]
fn a_change_reaches_everything_it_contradicts() {
    use Status::{Current, Outdated, Superseded};
    let check = |said: &[&str], expected: &[Status]| assert_eq!(standing(said), expected, "{said:?}");
    check(
        &[
            "We ship on Tuesdays and Thursdays.",
            "We no longer ship on Thursdays.",
            "We now ship on Mondays and Wednesdays.",
        ],
        &[Superseded, Superseded, Current],
    );
    check(
        &[
            "Berth cards expire after 3 years.",
            "Berth cards expire after 5 years.",
            "Berth cards now expire after 7 years.",
        ],
        &[Superseded, Superseded, Current],
    );
    check(
        &[
            "Pier logs are kept for 7 years.",
            "Pier logs are kept for 5 years.",
            "It's no longer true that pier logs are kept for 7 years.",
        ],
        &[Outdated, Current, Outdated],
    );
}

#[test]
fn who_says_what_takes_the_place_of_what_is_believed() {
    for (old, new) in [
        ("Use brass for the lamps.", "Use copper instead of brass."),
        ("Wir nutzen Messing für die Lampen.", "Wir nutzen jetzt Kupfer statt Messing."),
        ("Usamos Latón.", "Ya no usamos Latón, ahora usamos Vidrio."),
        (
            "Der Mindestbestellwert beträgt 20 Euro.",
            "Der Mindestbestellwert beträgt nicht mehr 20, sondern 25 Euro.",
        ),
        ("The choir meets every second Wednesday at 9:30.", "The choir no longer meets."),
    ] {
        assert_eq!(standing(&[old, new]), [Status::Superseded, Status::Current], "{old} / {new}");
    }
}

#[test]
fn who_takes_back_one_of_several_is_asked_which() {
    let stage = Stage::new();
    for text in ["Pier logs are kept for 7 years.", "Pier logs are written in ink by the watch."] {
        stage.engine().remember(text, None, false).expect("it is kept");
    }
    let asked = stage.engine().remember("Drop the pier log rule.", None, false).expect_err("two fit");
    let asked = asked.to_string();
    assert!(asked.contains("7 years") && asked.contains("in ink"), "{asked}");
    let done = stage.engine().remember("Forget that pier logs are kept for 7 years.", None, false);
    assert_eq!(done.expect("one fits best").outcome, "withdrawn");
}

#[test]
fn what_is_counted_otherwise_for_one_place_is_told_to_stand_beside_the_rule() {
    for (old, new, how) in [
        ("The toll is 20 percent.", "The toll is 10 percent in Austria.", Meeting::Beside),
        ("Parcels weigh at most 30 kg.", "Parcels for partners weigh at most 50 kg.", Meeting::Beside),
        ("The toll is 20 percent.", "The toll is 10 percent.", Meeting::Contradicts),
    ] {
        let (_, done) = remembered(&mut Stage::new(), old, new);
        let met = done.met.unwrap_or_else(|| panic!("`{new}` meets nothing"));
        assert_eq!((met.how, met.unsure), (how, false), "{new}");
    }
}

#[test]
fn a_secret_alone_is_not_kept_as_a_page() {
    let stage = Stage::new();
    let said = "The password of the weather station is hunter2-Xy77.";
    let refused = stage.engine().remember(said, None, false).expect_err("nothing is left of it").to_string();
    assert!(refused.contains("secret") && !refused.contains("hunter2"), "{refused}");
    let said = "The password of the weather station is hunter2-Xy77. It changes every May.";
    let kept = stage.engine().remember(said, None, false).expect("the rest is worth keeping");
    assert!(kept.title.contains("weather station"), "{kept:?}");
    let other = "The password of the tide gauge is never sent by mail.";
    let met = stage.engine().remember(other, None, false).expect("it is kept").met;
    assert!(met.is_none_or(|met| met.how == Meeting::Beside));
}

/// A wrong replacement could only be undone with the new sentence, and `keep` said "kept" while nothing held again.
#[test]
fn what_was_replaced_by_mistake_may_hold_again_beside_the_new() {
    let mut stage = Stage::new();
    let (old, done) = remembered(&mut stage, "The office closes at 8.", "The office now closes at 9.");
    assert_eq!(done.met.as_ref().map(|met| met.how), Some(Meeting::Replaces), "{done:?}");
    let status = |name: &str| stage.engine().show(name).expect("it is there").entry.status;
    assert_eq!(status(&old), Status::Superseded);
    assert!(stage.engine().review(&old, Ruling::Keep, false).is_err(), "nothing would hold again");
    for named in [old.as_str(), done.id.as_str()] {
        let run = stage.engine().review(named, Ruling::Both, false).expect("both hold").run;
        let entry = stage.engine().show(&old).expect("it is there").entry;
        assert_eq!((entry.status, status(done.id.as_str())), (Status::Current, Status::Current));
        assert_eq!(entry.linked(LinkKind::SupersededBy).count(), 0);
        stage.engine().undo(run.as_deref(), false).expect("it is taken back");
        assert_eq!(status(&old), Status::Superseded);
    }
}

/// The second of three changes was taken back, and the first value held again beside the third.
#[test]
fn a_change_that_was_changed_again_is_not_taken_back() {
    let mut stage = Stage::new();
    let (first, second) =
        remembered(&mut stage, "Alarms go out through the bell.", "Alarms go out through the horn now.");
    let run = second.run.clone().expect("a run");
    stage.day += 1;
    let third = stage.engine().remember("Alarms go out through the siren now.", None, false).expect("kept");
    assert_eq!(third.met.as_ref().map(|met| met.how), Some(Meeting::Replaces), "{third:?}");
    let undone = stage.engine().undo(Some(&run), false).expect("it can be asked for");
    assert!(undone.restored.is_empty() && undone.left.len() == 2, "{undone:?}");
    let holds = |name: &str| stage.engine().show(name).expect("it is there").entry.status == Status::Current;
    assert!(!holds(&first) && !holds(second.id.as_str()) && holds(third.id.as_str()));
}

/// The value that took the place of a rule was kept as a fact, and no agent was told it at the start any more.
#[test]
fn what_takes_the_place_of_a_rule_is_a_rule() {
    let mut stage = Stage::new();
    let (_, done) = remembered(
        &mut stage,
        "Always light the lamps with brass.",
        "The lamps are lit with copper instead of brass.",
    );
    assert_eq!(done.met.as_ref().map(|met| met.how), Some(Meeting::Replaces), "{done:?}");
    assert_eq!(done.kind, lore_core::Kind::Preference);
}

/// Words that only sound like a change replaced standing rules.
#[test]
fn what_only_sounds_like_a_change_replaces_nothing() {
    for (old, new) in [
        ("Never sail to Main.", "We switched the Main pier's name to Trunk."),
        ("We send charts to the pier Pi by post.", "We no longer use carts on the Pi."),
        ("We read the tide over the wire.", "We no longer read the wind over the wire."),
        ("The ledger runs on an old clock.", "The ledger now runs the new forms."),
        ("The panel uses berth 843.", "The new guest panel uses berth 943 now."),
        ("Winch 1 lifts crane 1.", "Winch 2 lifts crane 2."),
    ] {
        let mut stage = Stage::new();
        let (old, done) = remembered(&mut stage, old, new);
        assert_ne!(done.met.as_ref().map(|met| met.how), Some(Meeting::Replaces), "{done:?}");
        assert_ne!(stage.engine().show(&old).expect("it is there").entry.status, Status::Superseded);
    }
}

/// Each was shown as a contradiction that somebody had to settle.
#[test]
fn who_says_in_other_words_that_it_changed_is_believed() {
    for (old, new) in [
        ("Boats ramp up at 80 knots per hour.", "Boats ramp up at 120 knots per hour as of today."),
        ("Ada owns the pier ledger.", "Bea took over the pier ledger from Ada."),
        ("Letters go out with pigeons.", "Forget pigeons, letters go out by boat and we use sails."),
        ("Berth 20 is required.", "Berth 22 is required now."),
    ] {
        let mut stage = Stage::new();
        let (old, done) = remembered(&mut stage, old, new);
        assert_eq!(done.met.as_ref().map(|met| met.how), Some(Meeting::Replaces), "{new}: {done:?}");
        assert_eq!(stage.engine().show(&old).expect("it is there").entry.status, Status::Superseded);
    }
}

#[test]
fn what_somebody_else_is_quoted_with_contradicts_nothing() {
    for new in [
        "The surveyor wrote \"you moor with chains\", which is wrong, ignore that page.",
        "A visitor said: “you moor with chains”. That is not so.",
    ] {
        let mut stage = Stage::new();
        let (old, done) = remembered(&mut stage, "We moor with hemp ropes.", new);
        let opposes = |how| matches!(how, Meeting::Contradicts | Meeting::Replaces | Meeting::Changes);
        assert!(!done.met.as_ref().is_some_and(|met| opposes(met.how)), "{done:?}");
        assert_eq!(stage.engine().show(&old).expect("it is there").entry.status, Status::Current);
    }
}
