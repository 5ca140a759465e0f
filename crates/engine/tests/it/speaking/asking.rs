//! What a question is about: a time may be a part of it, and what no longer holds leads to what does.

use std::path::PathBuf;

use lore_engine::ask::{Answer, Question};
use lore_engine::sessions::SessionFilter;

use super::said;
use crate::stage::Stage;

fn asked(known: &[&str], question: &str) -> Answer {
    let stage = Stage::new();
    let engine = stage.engine();
    for known in known {
        engine.remember(known, None, false).expect("it is kept");
    }
    engine.ask(&Question::new(question)).expect("there is an answer")
}

fn first(answer: &Answer) -> &str {
    answer.lead.first().map_or("", |line| line.text.as_str())
}

#[test]
fn a_month_in_a_question_may_be_what_it_is_about() {
    let known = ["In December refunds take up to 10 working days.", "The pier is closed in February."];
    for (question, expected) in [
        ("how long do refunds take in December?", "10 working days"),
        ("is the pier closed in February?", "closed in February"),
        ("how long did refunds take in December?", "10 working days"),
    ] {
        let answer = asked(&known, question);
        assert!(answer.known && first(&answer).contains(expected), "{question}: {answer:?}");
    }
}

#[test]
fn what_took_the_place_of_what_fits_answers() {
    let known = [
        "Our payment provider is Mollie.",
        "We moved from Mollie to Stripe.",
        "We will not support decaf subscriptions after all.",
    ];
    let answer = asked(&known, "which payment provider do we use?");
    let lines: Vec<(&str, &str)> =
        answer.lead.iter().map(|line| (line.text.as_str(), line.status.as_str())).collect();
    assert_eq!(
        lines,
        [("We moved from Mollie to Stripe.", "current"), ("Our payment provider is Mollie.", "superseded")]
    );
}

#[test]
fn one_word_or_two_is_one_thing() {
    let answer = asked(
        &["The orders service times out after 8 seconds."],
        "what is the timeout of the orders service?",
    );
    assert!(answer.known && first(&answer).contains("8 seconds"), "{answer:?}");
    let answer =
        asked(&["The timeout of the ferry desk is 8 seconds."], "when does the ferry desk time out?");
    assert!(answer.known, "{answer:?}");
}

#[test]
fn how_long_and_how_much_tell_nothing_of_what_a_prompt_is_about() {
    let stage = Stage::new();
    let engine = stage.engine();
    for known in [
        "Grinder blades are changed every 400 hours.",
        "Tickets are estimated in hours.",
        "On weekends customer support answers within 48 hours.",
        "The production database is MariaDB 10.11",
    ] {
        engine.remember(known, None, false).expect("it is kept");
    }
    for prompt in
        ["I have two hours left, continue", "how many hours are in a day", "add oat milk to the product list"]
    {
        assert_eq!(said(&engine, prompt), "", "{prompt}");
    }
    assert!(said(&engine, "after how many hours are grinder blades changed?").contains("400 hours"));
}

#[test]
fn what_two_words_and_a_preposition_name_is_said() {
    let stage = Stage::new();
    let engine = stage.engine();
    engine.remember("Deploying on Fridays is fine now that we have canaries.", None, false).expect("kept");
    assert!(said(&engine, "deploy on Friday").contains("canaries"));
    assert_eq!(said(&engine, "deploy it"), "");
}

/// Asks where sessions were heard and nobody curated them.
fn heard(sessions: &[&[(&str, &str)]], question: &str) -> Answer {
    let stage = Stage::new();
    for (at, turns) in sessions.iter().enumerate() {
        stage.session(&format!("s-{at}"), at as i64, turns);
    }
    let filter = SessionFilter { path: Some(PathBuf::from("sessions")), ..SessionFilter::default() };
    stage.engine().shelve(&filter, &|_, _| {}).expect("sessions can be read");
    stage.engine().ask(&Question::new(question)).expect("there is an answer")
}

#[test]
fn what_only_asks_makes_nothing_known() {
    let check = |turns: &[(&str, &str)], question: &str| {
        let answer = heard(&[turns], question);
        assert!(!answer.known && answer.lead.is_empty(), "{answer:#?}");
        assert_eq!(answer.why, "it was only asked, and nothing that was found answers it", "{question}");
    };
    check(
        &[
            ("user", "Write the upload form."),
            ("assistant", "The form is there. Which bucket should the uploads go to?"),
        ],
        "which bucket do the uploads go to?",
    );
    check(
        &[("user", "Should the thumbnails be cached by the CDN?"), ("assistant", "Let me look at it.")],
        "are the thumbnails cached by the CDN?",
    );
    check(
        &[("user", "Write the upload form."), ("assistant", "Where should uploads be kept?")],
        "where are uploads kept?",
    );
}

#[test]
fn what_is_stated_is_told_without_the_questions_around_it() {
    let check = |sessions: &[&[(&str, &str)]], question: &str, expected: &[&str]| {
        let answer = heard(sessions, question);
        let lead: Vec<&str> = answer.lead.iter().map(|line| line.text.as_str()).collect();
        assert!(answer.known, "{answer:#?}");
        assert_eq!(lead, expected, "{question}");
    };
    check(
        &[
            &[("user", "Readings are stored in PostgreSQL."), ("assistant", "Understood.")],
            &[
                ("user", "Make the page of the gauges."),
                ("assistant", "Which database should I use for the readings?"),
            ],
        ],
        "which database are readings stored in?",
        &["Readings are stored in PostgreSQL."],
    );
    check(
        &[&[
            ("user", "The upload form?"),
            ("assistant", "Which bucket do uploads go to? The one in Frankfurt."),
        ]],
        "which bucket do the uploads go to?",
        &["Which bucket do uploads go to? The one in Frankfurt."],
    );
    check(
        &[&[("user", "Which bucket should the uploads go to?\n→ eu-1"), ("assistant", "Understood.")]],
        "which bucket do the uploads go to?",
        &["Which bucket should the uploads go to? → eu-1"],
    );
}

#[test]
fn why_it_is_not_known_says_what_is_missing() {
    let answer = asked(&["Blobs of uploads are kept for long."], "who kept blobs of uploads?");
    assert!(!answer.known, "{answer:#?}");
    assert_eq!(answer.why, "what was found speaks of it, and does not say what is asked for");
}
