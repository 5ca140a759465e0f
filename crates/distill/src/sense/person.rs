//! Frustration and correction in a person's words; and praise.
//!
//! A complaint is told by what a sentence does: it says that something still does not work, contradicts,
//! says the same once more, questions, forbids, takes back. Who takes the blame, asks openly, supposes,
//! quotes or repeats an earlier message does not complain.

use lore_core::session::{Channel, Outcome};
use lore_core::{Severity, SignalType};

use super::{Sensed, at_work, cues, cut, raised, said};
use crate::extract::scene::{Scene, View, changes_files, is_person};
use crate::extract::sentence::word_count;

/// So many sentences of a message are heard: who complains does so at the beginning.
const HEARD: usize = 5;
/// A longer sentence tells a story or describes a task.
const LONG: usize = 45;
/// A longer message is a description, in which a supposed failure is part of the task.
const BRIEF: usize = 25;
/// A longer message gives instructions, of which "do not" is one.
const ORDERS: usize = 40;
/// Programs that are run around any work: what was complained about is not them.
const AROUND: [&str; 31] = [
    "git",
    "gh",
    "cd",
    "ls",
    "cat",
    "echo",
    "printf",
    "head",
    "tail",
    "find",
    "grep",
    "rg",
    "mkdir",
    "cp",
    "mv",
    "rm",
    "for",
    "while",
    "sleep",
    "export",
    "source",
    "bash",
    "sh",
    "zsh",
    "pwsh",
    "powershell",
    "sed",
    "awk",
    "wc",
    "jq",
    "tee",
];
/// So much of a session's name tells it from others.
const SHORT_NAME: usize = 12;

/// A complaint within so many messages of another is a second one.
const SOON: u32 = 3;

/// What a person does with a sentence, and how that is told without the words.
const DEEDS: [(&str, &str, Severity); 8] = [
    ("exclaims", "Annoyance at the work", Severity::Medium),
    ("forbids", "The agent had to be stopped", Severity::Medium),
    ("undoes", "Work had to be taken back", Severity::Medium),
    ("restates", "The same had to be said again", Severity::Medium),
    ("contradicts", "What the agent said or did was contradicted", Severity::Medium),
    ("persists", "Reported as done and still not working", Severity::Medium),
    ("challenges", "What the agent did was questioned", Severity::Low),
    ("displeased", "The result was not good enough", Severity::Low),
];

/// Finds a person's complaints.
pub(super) fn complaints(scene: &Scene<'_>) -> Vec<Sensed> {
    let mut found: Vec<Sensed> = Vec::new();
    let mut earlier: Vec<String> = Vec::new();
    let mut number = 0_u32;
    let mut last: Option<u32> = None;
    for (at, view) in scene.views.iter().enumerate().filter(|(_, view)| is_person(view.turn)) {
        number += 1;
        let text = view.turn.text();
        let heard = hear(&text, number, &earlier);
        earlier.push(letters(&text));
        if heard.is_empty() {
            continue;
        }
        let again = last.is_some_and(|last| number - last <= SOON);
        last = Some(number);
        found.push(complaint(scene, (at, view), &heard, again));
    }
    found
}

/// A sentence that complains: what it does, the words that show it, the sentence.
struct Complaint {
    deed: usize,
    words: String,
    sentence: String,
}

fn hear(text: &str, number: u32, earlier: &[String]) -> Vec<Complaint> {
    let sentences = said::sentences(text);
    if sentences.iter().any(|sentence| cues::find("own-fault", sentence).is_some()) {
        return Vec::new();
    }
    let length = word_count(text);
    let mut found = Vec::new();
    for (place, sentence) in sentences.iter().take(HEARD).enumerate() {
        let own = letters(sentence);
        let is_copied = own.len() > 24 && earlier.iter().any(|said| said.contains(&own));
        if word_count(sentence) > LONG || is_copied {
            continue;
        }
        for (deed, (group, ..)) in DEEDS.iter().enumerate() {
            let Some(words) = cues::find(group, sentence) else { continue };
            if !is_in_place(group, sentence, words, (place, length, number)) {
                continue;
            }
            let (words, sentence) = (words.to_owned(), sentence.clone());
            found.push(Complaint { deed, words, sentence });
        }
    }
    found
}

/// Tells whether a cue means what it says where it stands.
fn is_in_place(
    group: &str,
    sentence: &str,
    words: &str,
    (place, length, number): (usize, usize, u32),
) -> bool {
    let asks = sentence.ends_with('?') && cues::find("asks", sentence).is_some();
    let begins = sentence.find(words).unwrap_or(0);
    let supposed =
        cues::find("supposes", sentence).is_some_and(|cue| sentence.find(cue).is_some_and(|at| at < begins));
    match group {
        // Who opens with what does not work describes the task; who says "still" goes on with an old one.
        "persists" => !asks && (!supposed || length <= BRIEF) && (number > 1 || goes_on(sentence)),
        // Nobody contradicts what was not said yet.
        "contradicts" => number > 1 && !asks && (!supposed || length <= BRIEF),
        "displeased" => !asks,
        "forbids" => number > 1 && length <= ORDERS && place < 2,
        "undoes" => number > 1 || !asks,
        _ => true,
    }
}

fn goes_on(sentence: &str) -> bool {
    let words = sentence.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.into_iter().any(|word| matches!(word.as_str(), "still" | "again" | "yet" | "keeps"))
}

fn complaint(scene: &Scene<'_>, (at, view): (usize, &View<'_>), heard: &[Complaint], again: bool) -> Sensed {
    let main = heard.iter().min_by_key(|one| one.deed).expect("the caller heard something");
    let (group, title, _) = DEEDS[main.deed];
    let mut severity = heard.iter().map(|one| DEEDS[one.deed].2).max().unwrap_or(Severity::Low);
    let mut why: Vec<String> =
        heard.iter().map(|one| format!("{}: “{}”", DEEDS[one.deed].0, cut(&one.words, 60))).collect();
    let kinds = heard.iter().map(|one| one.deed).collect::<std::collections::BTreeSet<_>>().len();
    let stops = view.turn.channel == Channel::Rejection
        || scene.views[..at].iter().rev().take(2).any(|view| is_interrupted(view));
    for (holds, told) in [
        (again, "the second complaint within a few messages"),
        (kinds > 1, "it complains in more than one way"),
        (stops, "the agent was interrupted or refused"),
    ] {
        if holds {
            why.push(told.to_owned());
        }
    }
    if usize::from(again) + usize::from(kinds > 1) + usize::from(stops) > 0 {
        severity = raised(severity).min(Severity::High);
    }
    if heard.iter().any(|one| cues::find("ruins", &one.sentence).is_some()) {
        why.push("something was lost that is hard to bring back".to_owned());
        severity = Severity::Critical;
    }
    let doing = at_work(scene, at);
    let about =
        doing.iter().map(|doing| subject_of(doing)).find(|about| !is_around(about)).unwrap_or_default();
    let session = scene.session.id.as_str();
    let title = match about.as_str() {
        "" => format!("{title}, in session {}", short_name(session)),
        about => format!("{title}: {about}"),
    };
    let line = view.turn.blocks.first().map_or(0, |block| block.line);
    let how = match view.turn.channel {
        Channel::Rejection => "while refusing what the agent was about to do",
        Channel::Queued => "while the agent was still at work",
        Channel::Answer => "in answer to a question",
        _ => "in a message to the agent",
    };
    let happened = format!("{} {how}.", told(group));
    let context = if doing.is_empty() {
        "The agent had changed nothing yet.".to_owned()
    } else {
        format!("Before that the agent {}.", doing.join(", "))
    };
    Sensed {
        line,
        at: view.turn.at,
        happened,
        context,
        why,
        // With nothing to recognise it by, it is nothing but this session's.
        subject: match about.as_str() {
            "" => format!("{group} in {session}"),
            about => format!("{group} {about}"),
        },
        files: doing.iter().filter_map(|doing| doing.strip_prefix("edited `")).map(unticked).collect(),
        quote: Some(main.sentence.clone()),
        ..Sensed::new(SignalType::Frustration, severity, title)
    }
}

/// Says what was done, as a sentence about the occasion.
fn told(group: &str) -> &'static str {
    match group {
        "exclaims" => "The person was annoyed and said so",
        "forbids" => "The person told the agent to stop or not to do what it was doing",
        "undoes" => "The person took work of the agent back or had it taken back",
        "restates" => "The person had to say again what was meant, or that it had been said before",
        "contradicts" => "The person contradicted what the agent had said or done",
        "persists" => "The person reported that what had been called done does not work",
        "challenges" => "The person questioned what the agent did or claimed",
        _ => "The person found the result not good enough",
    }
}

fn subject_of(doing: &str) -> String {
    doing.split_once('`').map(|(_, rest)| unticked(rest)).unwrap_or_default()
}

/// Tells whether a command says nothing of what the work was about.
fn is_around(about: &str) -> bool {
    let first = about.split_whitespace().next().unwrap_or_default();
    AROUND.contains(&first.rsplit('/').next().unwrap_or_default())
}

/// Returns the end of a session's name: many begin with the day.
fn short_name(session: &str) -> String {
    let end = session.rsplit(['-', '_']).next().unwrap_or_default();
    end.chars().take(SHORT_NAME).collect()
}

fn unticked(text: &str) -> String {
    text.trim_end_matches('`').to_owned()
}

fn is_interrupted(view: &View<'_>) -> bool {
    view.turn.tool_calls.iter().any(|call| call.outcome == Outcome::Interrupted)
        || view.turn.channel == Channel::Notice
            && view.turn.blocks.iter().any(|block| block.text.contains("interrupted"))
}

/// Reduces a text to its letters, so that a copy is recognised.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Finds plain praise of a piece of work that went through without a complaint.
pub(super) fn praise(scene: &Scene<'_>, complaints: &[Sensed]) -> Vec<Sensed> {
    if !complaints.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, view) in scene.views.iter().enumerate().filter(|(_, view)| is_person(view.turn)) {
        let works = scene.views[..at].iter().rev().take_while(|view| !is_person(view.turn));
        let edits = works.flat_map(|view| &view.turn.tool_calls).filter(|call| changes_files(call)).count();
        let text = view.turn.text();
        let sentences = said::sentences(&text);
        let praised = sentences.iter().take(2).find_map(|sentence| cues::find("praises", sentence));
        if let Some(words) = praised.filter(|_| edits >= 3) {
            let doing = at_work(scene, at);
            let about = doing.first().map(|doing| subject_of(doing)).unwrap_or_default();
            found.push(Sensed {
                line: view.turn.blocks.first().map_or(0, |block| block.line),
                at: view.turn.at,
                is_positive: true,
                happened: format!(
                    "The person praised a piece of work of {edits} edits without a correction."
                ),
                context: format!("Before that the agent {}.", doing.join(", ")),
                why: vec![format!("praises: “{words}”"), format!("{edits} edits since the last message")],
                subject: format!("praises {about}").trim().to_owned(),
                ..Sensed::new(SignalType::GoodPattern, Severity::Low, format!("Work was praised: {about}"))
            });
        }
    }
    found
}
