//! Replies to questions, as people type them.

use super::*;

#[track_caller]
fn check(asked: &str, reply: &str, expected: Option<&str>) {
    assert_eq!(answer(reply, asked, false).map(|ruling| ruling.text).as_deref(), expected, "{reply}");
}

#[test]
fn each_of_two_questions_has_its_answer() {
    check(
        "Two points on the pier. First, do we sell maps? Second, do we close at ten?",
        "nope to the first, yes to the second but at 15",
        Some(
            "Do we sell maps? Nope; Do we close at ten? Yes but at 15 (in answer to “Two points on the pier. First, do we sell maps? Second, do we close at ten?”).",
        ),
    );
}

#[test]
fn options_in_one_line_and_bare_answers_are_taken_up() {
    let lamps = "1. Lamps of oil on the pier 2. Lamps of gas on the pier. Which one?";
    check(
        lamps,
        "the second one",
        Some(
            "Lamps of gas on the pier (in answer to “1. Lamps of oil on the pier 2. Lamps of gas on the pier. Which one?”).",
        ),
    );
    let named = "How should the berths be marked?\n\nOption A: a painted number\nOption B: a small brass plate\n\nWhich one do you prefer for the berths?";
    let taken = answer("Option B please", named, false).map(|said| said.text).unwrap_or_default();
    assert!(taken.starts_with("A small brass plate (in answer to"), "{taken}");
    let title = |asked: &str, reply: &str| answer(reply, asked, false).map(|said| said.title);
    let gas = title(lamps, "the second one").unwrap_or_default();
    assert_eq!(gas.matches("Lamps of gas").count(), 1, "{gas}");
    let plate = title(named, "Option B please").unwrap_or_default();
    assert!(!plate.contains("Option"), "{plate}");
    let inline =
        "How should the berths be marked? Option A: a painted number. Option B: a small brass plate.";
    let taken = answer("Option B please", inline, false).map(|said| said.text).unwrap_or_default();
    assert!(taken.starts_with("A small brass plate (in answer to"), "{taken}");
    check(
        "Should we allow more than one boat per berth?",
        "no",
        Some(
            "We do not allow more than one boat per berth (in answer to “Should we allow more than one boat per berth?”).",
        ),
    );
    check("Should we go on with the lamps of the pier?", "yes", None);
}

#[test]
fn what_was_and_what_is_the_persons_decides_nothing() {
    check("Which boats were counted last year: ferries, tugs, or both?", "ferries and tugs", None);
    check("Were you asking about the berths or about the crane?", "the crane on the north pier", None);
    check("What should crews find first? A) a list of berths of the day B) all of the above", "B", None);
}

#[test]
fn the_plan_of_the_day_decides_nothing() {
    let asked = "1. Paint the pier\n2. Paint the crane\n\nWhich approach?";
    check(asked, "1. just make sure the crew knows where the brushes are", None);
    check(asked, "let's go with option 1. i also wonder if we need two brushes", None);
}

#[test]
fn what_was_meant_is_told() {
    check(
        "Which paint for the door? A) red B) green C) none",
        "B, but two coats",
        Some("Green, but two coats (in answer to “Which paint for the door? A) red B) green C) none?”)."),
    );
    check(
        "Should the old keys (1) be thrown away or (2) be kept for a year?",
        "2",
        Some(
            "Be kept for a year (in answer to “Should the old keys (1) be thrown away or (2) be kept for a year?”).",
        ),
    );
    check(
        "Ferry tickets: paper, cards, or both?",
        "second one, with a photo",
        Some("Cards, with a photo (in answer to “Ferry tickets: paper, cards, or both?”)."),
    );
    check(
        "Do you want me to keep the 9 foot berths in the harbour?",
        "no, 12 foot and up is enough",
        Some(
            "No, 12 foot and up is enough (in answer to “Do you want me to keep the 9 foot berths in the harbour?”).",
        ),
    );
    check(
        "Shall I ring the bell whenever the ferry leaves the pier?",
        "yes, always",
        Some("Yes, always (in answer to “Shall I ring the bell whenever the ferry leaves the pier?”)."),
    );
    check(
        "Should guests be able to moor their boats without a permit?",
        "yes, but only by day",
        Some(
            "Yes, but only by day (in answer to “Should guests be able to moor their boats without a permit?”).",
        ),
    );
    check("Should I oil all the ropes?", "yes, but only the long ones", None);
    check(
        "Should the harbour ledgers be kept in ink from now on?",
        "yes",
        Some("Yes (in answer to “Should the harbour ledgers be kept in ink from now on?”)."),
    );
    check("Should I keep the harbour ledgers in ink?", "yes", None);
    check(
        "There are two ways to mark a berth: 1. a painted number, 2. a small brass plate. Which one do you prefer?",
        "the second",
        Some(
            "A small brass plate (in answer to “There are two ways to mark a berth: 1. a painted number, 2. a small brass plate. Which one do you prefer?”).",
        ),
    );
    check(
        "I could replace the brass locks with iron ones, they last longer. Shall I?",
        "nah, keep brass",
        Some(
            "Nah, keep brass (in answer to “I could replace the brass locks with iron ones, they last longer. Shall I?”).",
        ),
    );
    check("I could replace the brass locks with iron ones. Shall I?", "no, keep going", None);
    check("Shall I ring the bell of the pier now?", "yes, do it", None);
    check(
        "Do you want idle berth permits torn up after 30 or after 90 days?",
        "90",
        Some("90 (in answer to “Do you want idle berth permits torn up after 30 or after 90 days?”)."),
    );
    check(
        "Is it OK to ring the fog bell at night?",
        "no, nothing between 10pm and 8am",
        Some("No, nothing between 10pm and 8am (in answer to “Is it OK to ring the fog bell at night?”)."),
    );
    check("Should I ring the fog bell of the pier?", "no, not now", None);
    check(
        "What is the maximum number of boats that may lie at the pier?",
        "40",
        Some("40 (in answer to “What is the maximum number of boats that may lie at the pier?”)."),
    );
    check(
        "Soll der Schlüssel am Haken oder im Kasten hängen?",
        "im Kasten",
        Some("Im Kasten (in answer to “Soll der Schlüssel am Haken oder im Kasten hängen?”)."),
    );
    check(
        "Ferry tickets for the islands: paper slips, or plastic cards?",
        "the second one please, and then go on with the boats",
        Some("Plastic cards (in answer to “Ferry tickets for the islands: paper slips, or plastic cards?”)."),
    );
    check(
        "Which name for the boat, \"Gull\" or \"Tern\"?",
        "Tern",
        Some("Tern (in answer to “Which name for the boat, \"Gull\" or \"Tern\"?”)."),
    );
    check(
        "Two questions. 1. Sell the boat? 2. Sell the pier as well?",
        "1 yes, 2 no, we need it",
        Some(
            "Sell the boat? Yes; Sell the pier as well? No; We need it (in answer to “Two questions. 1. Sell the boat? 2. Sell the pier as well?”).",
        ),
    );
}

#[test]
fn the_very_words_of_an_option_are_an_answer_also_at_work() {
    let told = |asked: &str, reply: &str, at_work: bool| answer(reply, asked, at_work).map(|told| told.title);
    let depth = "Which depth should I write for dry berths, -99 or none?";
    assert_eq!(told(depth, "-99", true).as_deref(), Some("Which depth should I write for dry berths? -99"));
    let whole = told(depth, "-99, the port's chart reader chokes on blanks", true);
    assert_eq!(whole.as_deref(), Some("Which depth should I write for dry berths? -99"));
    let swaps =
        "How should berth swaps be approved?\nA) by the guests alone\nB) always by the harbour master";
    let chosen = told(swaps, "B, the harbour master wants to see every swap", true);
    assert_eq!(chosen.as_deref(), Some("How should berth swaps be approved? Always by the harbour master"));
    assert_eq!(told("Which berth should I paint first, 3 or 4?", "4", true), None, "the order of work");
    let gulls = "Should gulls be fed at the north pier or at the south pier in winter?";
    let reply = "the north pier floods in winter and the gulls know it";
    assert_eq!(told(gulls, reply, true), None, "part of the talk");
    assert_eq!(told("Shall I paint the berth or the pier?", "the pier", true), None, "leave to work");
    let stays =
        told("Iron locks are out. Shall I replace the brass locks?", "stick with brass, iron rusts", false);
    assert_eq!(stays.as_deref(), Some("Replace the brass locks? Stick with brass, iron rusts"));
}

#[test]
fn a_number_a_key_in_words_and_the_end_of_an_option_are_answers() {
    let told = |asked: &str, reply: &str| answer(reply, asked, false).map(|told| told.title);
    let weight = "Above which weight do I refuse a crate at the pier? I would take 150 kg.";
    assert!(told(weight, "make that 200, a crate of eels is heavy").is_some());
    let lamps = "May I raise the pier lamps from 1 to 10 watts?";
    assert!(told(lamps, "leave it at one, the cable gets warm otherwise").is_some());
    assert_eq!(told(lamps, "make it quick"), None);
    let berth = "A boat comes without papers. 1 - refuse the berth, 2 - moor and flag it, 3 - assume the usual papers?";
    assert!(told(berth, "number two, and paint it red").is_some_and(|title| title.contains("oor and flag")));
    let gate = "When the gate has lost its power, shall it open or stay shut?";
    assert!(told(gate, "open. nobody sleeps on the pier because of us").is_some());
    let paint = "Before I order the paint for the boats: Pier/B-1 or Pier/B-2?";
    assert!(told(paint, "B-2, the salt does not eat it").is_some());
    assert_eq!(told("Shall I order the paint?", "B-2 is empty"), None);
    let eels = "What shall I do with lost crates: 1) sell them, 2) store them in the shed, 3) list them at the gate?";
    assert!(told(eels, "3").is_some_and(|title| title.contains("ist them at the gate")));
    let lamp = "May I remove the oil lamps of the pier?";
    assert!(told(lamp, "keep them, but behind the shed, the crews still use those").is_some());
    assert_eq!(told(lamp, "keep it"), None);
    let fog = "When the fog bell is broken, should the ferry wait, sound its horn, or turn back to the pier?";
    assert!(
        told(fog, "none of these. row out and light the lamps of the buoys")
            .is_some_and(|title| title.contains("ow out"))
    );
    assert_eq!(told(fog, "none of these"), None);
    assert!(told("Which name for the boat, Gull or Tern?", "Tern sounds nicer").is_some());
}

#[test]
fn an_item_of_a_list_is_no_question() {
    check("1. Sell the boat\n2. Keep the boat\n3. Something else?", "3", None);
    check("Which paint for the door? A) red B) green C) none", "A and 2", None);
}

#[test]
fn a_yes_to_an_offer_lays_nothing_down() {
    check("Shall I paint the door now?", "yes", None);
    check("Would you like me to continue with the garden?", "go ahead", None);
    check("The door is painted.", "now the garden", None);
}

#[test]
fn a_bare_yes_or_no_and_a_suggestion_that_is_taken_decide() {
    let asked = "Should lamps of moored boats burn at noon?";
    check(asked, "nope", Some("Nope (in answer to “Should lamps of moored boats burn at noon?”)."));
    check(
        asked,
        "no, never. the pier has lamps of its own",
        Some(
            "No, never. the pier has lamps of its own (in answer to “Should lamps of moored boats burn at noon?”).",
        ),
    );
    check("Should I paint the lamps of the pier?", "yes", None);
    check("Does it burn at noon?", "no", None);
    let asked = "For boats that share a berth I would suggest a bell; alternatives are a flag or a lamp. OK?";
    check(
        asked,
        "yes take your suggestion",
        Some(
            "A bell (in answer to “For boats that share a berth I would suggest a bell; alternatives are a flag or a lamp. OK?”).",
        ),
    );
}

#[test]
fn options_within_a_question_can_be_taken() {
    let of = |asked: &str, said: &str| answer(said, asked, true).map(|found| found.title);
    let asked = "I'll build the gate. Should I use brass or plain iron for the hinges of the gate?";
    assert!(of(asked, "brass, the smith has it in stock").is_some());
    assert!(of(asked, "plain iron").is_some());
    let asked = "Tickets of the night ferry can last 5 minutes or 1 hour. Which do you prefer?";
    assert!(of(asked, "5 minutes is fine").is_some());
    let asked = "Shall I put the log of the harbour (1) into the shed or (2) into the boat?";
    assert!(answer("none of them, it goes into the desk of the keeper", asked, false).is_some());
    let asked = "For the log of the ferries I see two ways: 1) slates 2) paper rolls. Which one?";
    assert!(answer("the 2nd", asked, false).is_some_and(|found| found.title.contains("Paper rolls")));
}

#[test]
fn each_of_three_questions_has_its_answer() {
    let asked = "Three open points. 1. Keep bell 2.5 (or buy 4.0)? 2. Move the crane to the east pier? 3. Drop the foghorn?";
    let said =
        answer("1 keep it, 2 no, 3 yes finally", asked, false).map(|found| found.text).unwrap_or_default();
    assert!(
        said.contains("Drop the foghorn? Yes finally")
            && said.contains("Move the crane to the east pier? No"),
        "{said}"
    );
}

#[test]
fn letters_that_grow_in_lower_case_do_no_harm() {
    for odd in ["İİİİİİ A) x B) y?", "ẞẞ A) Ö B) x?", "Number two: İİ or ẞẞ?"] {
        for reply in ["number two ẞẞ", "İ", "the second İ", "none of theseİ, x y z", "b, İẞ"] {
            let _ = answer(reply, odd, false);
        }
    }
}

#[test]
fn what_the_question_is_about_stands_in_the_sentence_before_it() {
    let check = |asked: &str, reply: &str, title: &str, told: &str| {
        let found = answer(reply, asked, false).map(|found| (found.title, found.text)).unwrap_or_default();
        assert_eq!(found.0, title, "{asked}");
        assert!(found.1.contains(told), "{}", found.1);
    };
    check(
        "The gate meets a boat without papers. Should it (A) stay shut, or (B) open and ring the bell?",
        "B",
        "The gate meets a boat without papers: Open and ring the bell",
        "“The gate meets a boat without papers. Should it",
    );
    check(
        "The pier lamps need a fuel.\n\nTallow, whale oil, or simply a can of paraffin?",
        "paraffin pls",
        "The pier lamps need a fuel: Simply a can of paraffin",
        "Paraffin (in answer to “The pier lamps need a fuel. Tallow",
    );
    check(
        "I can keep the tide books in two places.\n\n1. the boathouse\n2. the desk of the keeper\n\nWhich one?",
        "2",
        "I can keep the tide books in two places: The desk of the keeper",
        "two places. Which one?",
    );
    check(
        "Lost crates have to be listed. a) on a slate with at most 5 lines, b) in a book. Which one?",
        "a sounds right, but give it 8 lines",
        "Lost crates have to be listed: On a slate with at most 5 lines",
        "On a slate with at most 5 lines, but give it 8 lines",
    );
    check(
        "For the ferry gate, would you rather have a rope or a small chain?",
        "the second one",
        "The ferry gate: A small chain",
        "A small chain (in",
    );
    check(
        "Should late ferries (a) redirect to the north pier or (b) wait for the tide?",
        "a, but keep the bell ringing",
        "Late ferries: Redirect to the north pier",
        "Redirect to the north pier, but keep the bell ringing",
    );
}

#[test]
fn a_title_keeps_what_bounds_the_answer() {
    let check = |asked: &str, reply: &str, expected: &str| {
        let title = answer(reply, asked, false).map(|found| found.title);
        assert_eq!(title.as_deref(), Some(expected), "{reply}");
    };
    check(
        "May I move the berth books from slate to paper?",
        "yes, but the ledger stays slate",
        "Move the berth books from slate to paper? Yes, but the ledger stays slate",
    );
    check(
        "Shall I raise the toll of the north pier for large barges to 60 crowns per night?",
        "yes but only for guests",
        "Raise the toll of the north pier for large barges? Only for guests",
    );
    check(
        "Should the harbour office take foreign coins this year?",
        "no, not in winter. the bank is shut then",
        "Should the harbour office take foreign coins this year? No, not in winter",
    );
    check(
        "Should gulls be counted at noon?",
        "only if the keeper is bored",
        "Should gulls be counted at noon? Only if the keeper is bored",
    );
    check(
        "What is the least depth in feet that the ferry has to work on?",
        "9",
        "What is the least depth in feet? 9",
    );
    check(
        "Wie viele Boote darf ein Gast am Steg haben?",
        "2",
        "Wie viele Boote darf ein Gast am Steg haben? 2",
    );
}
