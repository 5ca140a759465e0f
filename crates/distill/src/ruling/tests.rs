//! What is heard of whole messages.

use lore_core::session::Author;

use super::*;

fn routes(said: &str, reply: &str) -> Vec<(Route, String)> {
    let turns = vec![
        Turn::prose(Author::Person, Channel::Prompt, 1, said),
        Turn::prose(Author::Agent, Channel::Reply, 2, reply),
    ];
    let session = Session { turns, ..Session::default() };
    rulings(&session).into_iter().map(|ruling| (ruling.route, ruling.text)).collect()
}

#[test]
fn what_is_told_is_kept_and_what_describes_the_work_is_not() {
    let said = "The keeper has a lamp in the hall.";
    let long = "I looked at the lamp and found that the wire had come loose behind the panel, so I took the panel off, \
                put the wire back, tightened both screws and checked that the light came on again at once. \
                The panel itself is old and should be replaced some day; until then it is held by two new clips that I found in \
                the workshop, and the switch beside the door was cleaned too.";
    let kept = |reply| routes(said, reply).iter().any(|(route, _)| *route == Route::Remark);
    assert!(kept("Noted."));
    assert!(!kept(long));
}

/// "Use all lamps" was kept without what it answered.
#[test]
fn points_that_answer_numbered_questions_need_them() {
    let said = "1. by length\n2. use all lamps\n3. yes, always show the keeper";
    let answers = |asked: &str| {
        let turns = vec![
            Turn::prose(Author::Agent, Channel::Reply, 1, asked),
            Turn::prose(Author::Person, Channel::Prompt, 2, said),
        ];
        rulings(&Session { turns, ..Session::default() }).len()
    };
    assert_eq!(answers("1. How are boats sorted?\n2. Which lamps?\n3. Is the keeper named?"), 0);
    assert_ne!(answers("The lamps are new."), 0);
}

#[test]
fn a_page_is_called_after_what_holds() {
    let title = |said: &str| {
        let turns = vec![Turn::prose(Author::Person, Channel::Prompt, 1, said)];
        rulings(&Session { turns, ..Session::default() }).into_iter().next().map(|ruling| ruling.title)
    };
    assert_eq!(
        title("no brass please. the locks of the pier are iron").as_deref(),
        Some("The locks of the pier are iron")
    );
    assert_eq!(title("no brass on the pier. it rusts").as_deref(), Some("No brass on the pier"));
    let habit = "when you write letters to the pilots, do it in plain words pls";
    assert_eq!(
        title(habit).as_deref(),
        Some("When you write letters to the pilots, do it in plain words pls")
    );
    let met = "After the call this morning: no lamps in the harbour office, candles only. Please start with the hall.";
    assert_eq!(title(met).as_deref(), Some("No lamps in the harbour office, candles only"));
}

/// Rules about tests vanished, for all of their words are common ones.
#[test]
fn what_is_said_for_good_in_common_words_is_kept() {
    let kept = |said: &str| routes(said, "Noted.").iter().any(|(route, _)| *route != Route::Order);
    assert!(kept("From now on, the tests are run with just test."));
    assert!(kept("From now on, tests run in CI only."));
    assert!(kept("All tests must use brass."));
    assert!(!kept("From now on do it like this."));
    assert!(!kept("all tests must pass"));
}

#[test]
fn what_is_told_beside_a_task_is_kept_where_it_says_so() {
    let kept = |said: &str| -> Vec<String> {
        let told = routes(said, "Done.").into_iter().filter(|(route, _)| *route != Route::Order);
        told.map(|(_, text)| text).collect()
    };
    let check = |said: &str, expected: &str| assert_eq!(kept(said), [expected], "{said}");
    check(
        "ok so the decision is: one lamp for both gates, two made every night a pain. please fix the lock",
        "One lamp for both gates, two made every night a pain.",
    );
    check("Oil the lock. Also, for the future: new keys go into the chest.", "New keys go into the chest.");
    check(
        "That's wrong. The tide turns at 21:30 here, not 22:00. Please mend the table.",
        "The tide turns at 21:30 here, not 22:00.",
    );
    check(
        "Never paint over a plate that is screwed on. Make a new one instead.",
        "Never paint over a plate that is screwed on. Make a new one instead.",
    );
    check(
        "Ab 1. Oktober müssen alle Boote eine Lampe am Bug haben.",
        "Ab 1. Oktober müssen alle Boote eine Lampe am Bug haben.",
    );
    check("pls allways oil the lock befor you leave", "Allways oil the lock befor you leave.");
    check("use brass here, not iron", "Use brass here, not iron.");
    assert_eq!(kept("use a nail here, not a screw"), [""; 0]);
    check(
        "Not the brass key, the east gate takes the iron one",
        "Not the brass key, the east gate takes the iron one.",
    );
    check(
        "you mixed that up: the depths are in fathoms, not in feet",
        "The depths are in fathoms, not in feet.",
    );
    check(
        "nope, the toll on barges is 10 crowns, you took 20",
        "The toll on barges is 10 crowns, you took 20.",
    );
    check(
        "before we start: don't touch the old ropes any more, those tear. can you mend the net?",
        "Don't touch the old ropes any more, those tear.",
    );
    check(
        "you keep oiling the locks of the shed. stop doing that, only oil the gates. and can you mend the net?",
        "You keep oiling the locks of the shed. Stop doing that, only oil the gates.",
    );
    check(
        "I settled on brass for the gates, iron rusts. Can you oil the lock?",
        "I settled on brass for the gates, iron rusts.",
    );
    check(
        "The harbour office has 4 doors and a bell for each pier. Why is the lamp dark?",
        "The harbour office has 4 doors and a bell for each pier.",
    );
    assert_eq!(kept("The bell rings at odd hours in the west tower, please investigate."), [""; 0]);
    check(
        "Great. Boats are free until 24 hours before the tide, please put that into the ledger.",
        "Boats are free until 24 hours before the tide, please put that into the ledger.",
    );
    assert_eq!(kept("$ ls gates\neast west\nonly one gate may be open"), [""; 0]);
    assert_eq!(kept("If we ever had a hundred boats we would need a second pier."), [""; 0]);
    check(
        "I would like you to always ask me before adding a new lamp.",
        "I would like you to always ask me before adding a new lamp.",
    );
    check(
        "You keep getting this wrong: the tide is 12 feet in our harbour, not 2.",
        "The tide is 12 feet in our harbour, not 2.",
    );
    check("one lamp per gate", "One lamp per gate.");
    check("letters in ink plz, even if the pen leaks", "Letters in ink plz, even if the pen leaks.");
    check(
        "in general I don't need a list of keys after every tide",
        "I don't need a list of keys after every tide.",
    );
    assert_eq!(kept("don't touch the rope for now, the pilot works on it until noon"), [""; 0]);
    assert_eq!(
        kept("error: no such gate `east`\n    required by lamp v0.9\nonly one gate may be open"),
        [""; 0]
    );
    assert_eq!(kept("since the last storm the bell rings twice instead of once, look at it please"), [""; 0]);
    assert_eq!(kept("The bell rings twice, can you have a look?"), [""; 0]);
}

const AT_WORK: &str = "Let me look at the lamps of the pier and what they hang on.";

fn kept(said: &str, reply: &str) -> Vec<String> {
    let told = routes(said, reply).into_iter().filter(|(route, _)| *route != Route::Order);
    told.map(|(_, text)| text).collect()
}

#[test]
fn what_says_that_it_lasts_is_kept_amid_work() {
    let check = |said: &str, expected: &str| assert_eq!(kept(said, AT_WORK), [expected], "{said}");
    check("one thing to remember: the toll for barges is 7 crowns", "The toll for barges is 7 crowns.");
    check(
        "for the record: we picked brass over iron because the gates stand in salt water",
        "We picked brass over iron because the gates stand in salt water.",
    );
    check(
        "that's wrong: a tide has 6 hours in our harbour, no matter which month",
        "A tide has 6 hours in our harbour, no matter which month.",
    );
    check(
        "You have to wind the clock before you light the lamps, always.",
        "You have to wind the clock before you light the lamps, always.",
    );
    check(
        "Berths are named after ferries without a number. Always.",
        "Berths are named after ferries without a number. Always.",
    );
    check("No, don't add ropes without asking me first.", "Don't add ropes without asking me first.");
    for said in [
        "remember to oil the gate",
        "the lamp fails at night. Always.",
        "the toll for barges is 7 crowns",
        "that's wrong: the lamp is red",
        "don't add ropes to the gate",
    ] {
        assert_eq!(kept(said, AT_WORK), [""; 0], "{said}");
    }
}

#[test]
fn what_is_handed_over_to_be_kept_is_kept() {
    let check = |said: &str, expected: &str| assert_eq!(kept(said, "Noted."), [expected], "{said}");
    check("Add this to the rules: never tow ferries at night", "Never tow ferries at night.");
    check("write this down: ropes are never oiled on deck", "Ropes are never oiled on deck.");
}

#[test]
fn what_is_reported_or_supposed_leaves_nothing() {
    for said in [
        "Our pilot claims that the lamps must never be lit. Can you check that?",
        "Somebody on a forum wrote that ropes must never be used as chains. Agree?",
        "Let's pretend that boats are limited to five guests. What breaks?",
        "The competitor never charges for berths.",
        "In my old company we always rang the bell on Fridays.",
        "guests complain that the lamps go out all the time",
        "We need night lamps",
        "The crane is broken since we switched to hemp ropes",
        "always nice to see that green lamp",
        "Ada must have moved that on Friday",
    ] {
        assert_eq!(kept(said, "Noted."), [""; 0], "{said}");
    }
    for said in [
        "The customer says that berths must always have a number.",
        "Legal says we must never keep names of guests.",
    ] {
        assert_eq!(kept(said, "Noted.").len(), 1, "{said}");
    }
}

#[test]
fn what_a_program_printed_or_is_told_is_no_statement() {
    for said in [
        "0 [main] sh 12 dofork: child -1 died unexpectedly, retry 0, exit code 0xC0000142, errno 11",
        "bellringer --resume tower_01Nb9BCW",
    ] {
        assert!(routes(said, "Hm.").iter().all(|(route, _)| *route == Route::Order), "{said}");
    }
}

#[test]
fn a_piece_of_work_may_end_what_is_known() {
    let found = routes("make the gate passes expire after 15 minutes", "Done.");
    assert_eq!(found, [(Route::Order, "Make the gate passes expire after 15 minutes.".to_owned())]);
    assert_eq!(routes("why do the gate passes expire after 15 minutes?", "Because."), []);
}

#[test]
fn what_is_sealed_is_kept_with_its_seal() {
    let said = routes("if you're about to oil more than one gate, ask me. thats a general thing with me", "");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].1.contains("ask me"), "{said:?}");
    assert_eq!(routes("oil the gate. looks fine", "").iter().filter(|(r, _)| *r != Route::Order).count(), 0);
}

#[test]
fn what_is_told_behind_what_or_how_is_no_question() {
    let kept = |said: &str| routes(said, "").iter().any(|(route, _)| *route != Route::Order);
    assert!(kept("what I'd like on the pier is lamps of brass, nothing but the bell is iron"));
    assert!(kept("how guests pay is settled, they always drop coins into the box at the gate"));
    assert!(!kept("what I want to know is whether guests always pay"));
    assert!(!kept("what lamp is on the pier"));
}

#[test]
fn what_ends_in_right_or_was_signed_off_is_told() {
    let kept = |said: &str| routes(said, "").iter().any(|(route, _)| *route != Route::Order);
    assert!(kept(
        "a cancelled trip is never taken out of the ferry book, it gets a cross so that the sums stay right"
    ));
    assert!(kept("A tide table is always signed off by one pilot."));
    assert!(!kept("the ferry book is never without a trip right"));
    let log = "winch-3 | memo to self: the gate must never be shut\nwinch-3 | sleeping\n\nwhat is this line?";
    assert!(!kept(log), "{:?}", routes(log, ""));
}

#[test]
fn traps_and_rules_of_two_sentences_are_kept_whole() {
    let check = |said: &str, expected: &str| {
        let told = routes(said, "").into_iter().find(|(route, _)| *route != Route::Order);
        assert_eq!(told.map(|(_, text)| text).as_deref(), Some(expected), "{said}");
    };
    check(
        "Beware: `ring all` wakes the keeper of the north pier as well. Use `ring pier` instead.",
        "`ring all` wakes the keeper of the north pier as well. Use `ring pier` instead.",
    );
    check(
        "when the winch sticks after a storm its the salt in the hinge. rinse it and it turns",
        "When the winch sticks after a storm its the salt in the hinge. Rinse it and it turns.",
    );
    check(
        "This cost me two nights: the tide gauge silently drops every reading when the lid is open.",
        "The tide gauge silently drops every reading when the lid is open.",
    );
    check(
        "no crane lifts guests unless the keeper said yes to it on the same day, ok?",
        "No crane lifts guests unless the keeper said yes to it on the same day.",
    );
    check(
        "no, not brass on the gates! take the iron of the smithy, the bolts fit in there",
        "Not brass on the gates! Take the iron of the smithy, the bolts fit in there.",
    );
    check(
        "sorry but no: you opened the lock to the east. Ours and those of the guests all go to the west.",
        "Sorry but no: you opened the lock to the east. Ours and those of the guests all go to the west.",
    );
    check(
        "For anything with brass in it use the soft brush, also in the hall. Could you then go on with the nets?",
        "For anything with brass in it use the soft brush, also in the hall.",
    );
    check(
        "in the hall we dont light candles at noon. only when the bishop comes. and then fix the net pls",
        "In the hall we dont light candles at noon. Only when the bishop comes.",
    );
    check(
        "talked it through at dinner: Resin 4 for the hull. tar is out",
        "Resin 4 for the hull. Tar is out.",
    );
    for passing in [
        "use the blue rope, ok?",
        "when the bell rings twice it is late. look at it",
        "if the gate sticks its your oil, take it off",
        "this took me two hours yesterday: the key was hidden",
        "you took the wrong key. use the brass one",
    ] {
        let kept: Vec<_> =
            routes(passing, "").into_iter().filter(|(route, _)| *route != Route::Order).collect();
        assert_eq!(kept, [], "{passing}");
    }
}

/// "Sorry, I meant …" was lost, and the wrong value told as what holds.
#[test]
fn who_corrects_their_last_words_is_heard() {
    let kept = |said: [&'static str; 3]| -> Vec<String> {
        let turns = said.iter().zip(1..).map(|(said, line)| match line {
            2 => Turn::prose(Author::Agent, Channel::Reply, line, *said),
            _ => Turn::prose(Author::Person, Channel::Prompt, line, *said),
        });
        let session = Session { turns: turns.collect(), ..Session::default() };
        rulings(&session).into_iter().map(|ruling| ruling.text).collect()
    };
    let of = |then| kept(["Ropes are always sold in yards.", "Noted.", then]);
    assert_eq!(of("Sorry, I meant metres, not yards."), ["Ropes are always sold in metres."]);
    assert_eq!(
        kept(["Logs of the pier are kept for two years.", "Noted.", "Make that three years."]),
        ["Logs of the pier are kept for three years."]
    );
    assert_eq!(of("Sorry, I meant brass, not iron.")[0], "Ropes are always sold in yards.");
}

#[test]
fn who_takes_something_back_is_heard() {
    for said in ["Forget the rule about Fridays.", "Scrap the lamp rule.", "scratch the lamp rule pls"] {
        assert_eq!(routes(said, "Noted.").len(), 1, "{said}");
    }
}
