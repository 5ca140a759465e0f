//! What people laid down: rules, decisions, corrections, answers, facts they state.
//!
//! People's rulings have a way of their own from their words to a page. They are told by what a
//! sentence does ([`mood`]) and not by what it is about, kept in the person's own words, and never
//! dropped for their length or their title, never crowded out.

mod alone;
mod amended;
mod announced;
mod answer_title;
mod aside;
mod at_hand;
mod besides;
mod bond;
mod classifier;
mod clauses;
mod cues;
mod diagnosis;
mod features;
mod for_all;
mod force;
mod form;
mod form_answer;
mod grammar;
mod habit;
mod handed_on;
mod heard;
mod hearsay;
mod hollow;
mod laid_down;
mod language;
mod lead;
mod message;
mod mood;
mod notice;
mod occasion;
mod options;
mod ours;
mod outlives;
mod passing;
mod place;
mod prints;
mod progress;
mod qualified;
mod question;
mod quoted;
mod reply;
mod reported;
mod settled;
mod suggested;
mod talk;
mod trouble;
mod turned;
mod under_way;
mod values;
mod wanted;
mod wording;
mod words;
mod written;

use lore_core::session::{Block, Channel, Turn};
use lore_core::{Backing, Candidate, Confidence, Evidence, Kind, Route, Session, Voice};

pub(crate) use self::alone::is_torn;
use self::amended::{Amendment, takes_back_a_rule};
pub(crate) use self::amended::{DROPS, RULES};
use self::bond::Bond;
pub use self::classifier::{Classifier, KINDS};
use self::cues::SpeechCue;
use self::diagnosis::is_diagnosis;
use self::force::{
    goes_on, is_complaint, is_directive, is_firm, is_ground, is_plain_order, lays_down, obeys_the_forms,
};
use self::form::{is_how_to_work, is_printed};
pub(crate) use self::grammar::begins_with_verb;
use self::handed_on::is_handed_on;
use self::heard::{Heard, Mood};
use self::hearsay::without_hearsay;
use self::hollow::is_hollow;
pub(crate) use self::laid_down::carries_a_rule;
use self::laid_down::{ends_for_good, is_seal};
pub(crate) use self::language::Language;
use self::language::is_beyond_us;
use self::message::Message;
pub(crate) use self::message::casual;
pub use self::message::{SeenSentence, seen};
use self::notice::is_notice;
use self::occasion::{Occasion, worked_on};
use self::prints::is_print;
pub(crate) use self::quoted::own_words;
use self::reported::is_failing;
pub(crate) use self::trouble::is_trouble;
pub use self::wanted::wants_change;
pub(crate) use self::words::is_finite;
use crate::extract::keywords::{files, keywords};
use crate::extract::scene::{Scene, is_person};
use crate::extract::sentence::word_count;

/// A sentence of more words tells a story.
const LONG: usize = 60;
/// A message of more words is a document, of which only what is plainly laid down counts.
const DOCUMENT: usize = 220;
/// In a message of fewer words every sentence counts.
const BRIEF: usize = 60;
/// A message of fewer words is about one thing.
const FEW_WORDS: usize = 25;
/// At most so many sentences make one ruling.
const SENTENCES: usize = 3;

/// Finds what people laid down in a session, in the order they said it.
pub fn rulings(session: &Session) -> Vec<Candidate> {
    let scene = Scene::new(session);
    let mut found: Vec<Candidate> = Vec::new();
    // What the message before laid down begins here.
    let mut last = 0;
    let said = scene.views.iter().zip(worked_on(&scene));
    for (view, at_work) in said.filter(|(view, _)| is_person(view.turn)) {
        let before = view.answers.map(|at| scene.views[at].turn);
        let asked = before.map(Turn::text).unwrap_or_default();
        if corrects(session, view.turn, &mut found[last..]) {
            continue;
        }
        last = found.len();
        for block in &view.turn.blocks {
            let said = match view.turn.channel {
                Channel::Answer => form_answer::chosen(&block.text),
                _ => of_message(&block.text, &asked, at_work),
            };
            // The option of an answer says what its one word means.
            let said = said.into_iter().filter(|said| said.option.is_some() || !is_hollow(&said.text));
            found.extend(said.map(|ruling| candidate(session, (view.turn, before), block, ruling)));
        }
    }
    found
}

/// Tells whether a message only corrects what its author laid down in the one before, which then says what was meant.
fn corrects(session: &Session, turn: &Turn, laid_down: &mut [Candidate]) -> bool {
    let [block] = turn.blocks.as_slice() else { return false };
    let amendment = Amendment::read(&block.text).filter(|_| !laid_down.is_empty());
    let by = cite(session, turn, (block.line, block.text.clone(), Voice::Person));
    amendment.is_some_and(|amendment| amendment.correct(laid_down, &by))
}

/// Something a person laid down.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Utterance {
    title: String,
    text: String,
    /// The words as they stand in the message.
    quote: String,
    kind: Kind,
    /// The words of the agent that an answer takes up.
    option: Option<String>,
    /// Whether it was laid down or only stated.
    route: Route,
    /// Why it is taken for one, in words.
    why: &'static str,
}

/// Finds what one message lays down, given what the agent said last.
fn of_message(text: &str, asked: &str, at_work: bool) -> Vec<Utterance> {
    let text = &quoted::own_words(text);
    if let Some(answer) = reply::answer(text, asked, at_work) {
        return vec![answer];
    }
    let text = &without_hearsay(text);
    let is_nobodys = is_notice(text) || is_print(text) || is_handed_on(text) || is_beyond_us(text);
    if is_nobodys || question::answers_by_number(text, asked) {
        return Vec::new();
    }
    let message = Message::hear(text, at_work, reply::answers_an_offer(asked));
    if is_playbook(&message.heard.concat(), message.occasion.words) {
        return Vec::new();
    }
    let mut seen = message.features().into_iter();
    let paragraphs = message.paragraphs.iter().zip(&message.heard);
    paragraphs
        .flat_map(|(sentences, heard)| {
            let seen: Vec<Vec<String>> = seen.by_ref().take(heard.len()).collect();
            of_paragraph(sentences, heard, &seen, message.occasion)
        })
        .collect()
}

/// Finds what a paragraph lays down: what stands together was meant together.
fn of_paragraph(
    sentences: &[String],
    heard: &[Heard],
    seen: &[Vec<String>],
    occasion: Occasion,
) -> Vec<Utterance> {
    let classifier = Classifier::shipped();
    // "This is the command:" says nothing without what followed it.
    let leads_up = |at: usize| heard[at].body.trim_end_matches(['.', ' ']).ends_with(':');
    // "If you're about to leave, ring. That's a general thing": what stands behind it says that it lasts.
    let sealed = |at: usize| {
        let told = heard[at].telling > 1 && !matches!(heard[at].mood, Mood::Question | Mood::Courtesy);
        let holds =
            || heard.get(at + 1).is_some_and(|next| is_seal(&next.body)) && !is_failing(&heard[at].body);
        told && (ends_for_good(&heard[at]) || holds())
    };
    // "This took me two days. …": what it cost is said for what follows.
    let costs = |at: usize| heard.len() > at + 1 && announced::is_hard_won(&sentences[at]);
    let lasts = |at: usize| {
        let laid_down = || lays_down(&heard[at], occasion, classifier.lasting(&seen[at]));
        !leads_up(at) && !costs(at) && !is_seal(&heard[at].body) && (sealed(at) || laid_down())
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < heard.len() {
        let mut end = at + 1;
        let from = at;
        if let Some(bond) = bonded(&heard[at..], occasion).filter(|bond| !bond.is_in_order() || !lasts(at)) {
            out.push(bond.utterance(&heard[at..], &sentences[at..]));
            at += 2;
            continue;
        }
        // "Move it to X. Y no longer works for us.": the order and what it rests on are one decision.
        // What it rests on was told beside the order and not for the sake of another.
        let beside = Occasion { asks: false, ..occasion };
        // "You keep oiling the locks. Stop that.": so are a complaint and what is to end.
        let ends = |next: &Heard| is_complaint(&heard[at]) && next.mood == Mood::Prohibition;
        let one = |next: &Heard| is_plain_order(&heard[at]) && is_ground(next, beside) || ends(next);
        if heard.get(end).is_some_and(one) {
            at = end;
            end += 1;
        }
        if if from < at { obeys_the_forms(&heard[at], beside) } else { lasts(at) } {
            let mut length = word_count(&heard[at].body);
            while end < heard.len() && end - at < SENTENCES {
                length += word_count(&heard[end].body);
                // "Please …" asks for something else.
                let asks = sentences[end].to_lowercase().starts_with("please")
                    && heard[end].mood != Mood::Prohibition;
                if length > LONG
                    || asks
                    || !(is_seal(&heard[end].body)
                        || goes_on(&heard[end])
                        || lasts(end)
                        || obeys_the_forms(&heard[end], occasion))
                {
                    break;
                }
                end += 1;
            }
            let brief = occasion.words < BRIEF;
            let firm =
                from < at || is_firm(&heard[at], occasion.words) || brief && is_directive(heard[at].mood);
            if !firm && !brief {
                // In a long message remarks belong to its story.
                at = end;
                continue;
            }
            let body: Vec<&str> = heard[from..end].iter().map(|heard| heard.body.as_str()).collect();
            out.push(Utterance {
                title: wording::title(&telling_sentence(&heard[from..end]).body),
                text: wording::text(&body),
                quote: sentences[from..end].join(" "),
                kind: if from < at && !is_complaint(&heard[from]) {
                    Kind::Decision
                } else {
                    match is_how_to_work(&heard[at]) {
                        true => Kind::Preference,
                        false if is_diagnosis(&heard[at].body) => Kind::Limitation,
                        false => classifier.kind(&seen[at], form::kind(&heard[at])),
                    }
                },
                option: None,
                route: if firm { Route::Ruling } else { Route::Remark },
                why: heard[at].mood.word(),
            });
        } else if may_overrule(&heard[at], occasion) {
            out.push(Utterance {
                title: wording::title(&heard[at].body),
                text: wording::text(&[heard[at].body.as_str()]),
                quote: sentences[at].clone(),
                kind: Kind::Decision,
                option: None,
                route: Route::Order,
                why: heard[at].mood.word(),
            });
        }
        at = end;
    }
    out
}

/// Finds two sentences that say one thing together, told to be known and not amid work.
fn bonded(heard: &[Heard], occasion: Occasion) -> Option<Bond> {
    let told = !occasion.at_work && occasion.words < BRIEF;
    let bond = heard.first().zip(heard.get(1)).filter(|_| told);
    bond.and_then(|(one, next)| Bond::between(one, next))
}

/// "No brass please. The locks are iron": a refusal of a few words is told by what stands behind it.
fn telling_sentence(heard: &[Heard]) -> &Heard {
    let first = &heard[0];
    let says = |heard: &&Heard| {
        let opens = heard.body.split_whitespace().next().unwrap_or_default().to_lowercase();
        word_count(&heard.body) >= REFUSAL
            && matches!(heard.mood, Mood::Statement | Mood::Practice | Mood::Duty)
            && !["it", "they", "that", "this", "he", "she", "because"].contains(&opens.as_str())
    };
    let refuses = word_count(&first.body) < REFUSAL && first.body.to_lowercase().starts_with("no ");
    heard[1..].iter().find(says).filter(|_| refuses).unwrap_or(first)
}

/// A refusal of fewer words tells only what is not wanted.
const REFUSAL: usize = 4;

/// Tells whether a sentence that lays nothing down might still end what is known: "make it 15
/// minutes" is a piece of work, and whoever knows of 24 hours learns that they are over.
fn may_overrule(heard: &Heard, occasion: Occasion) -> bool {
    let asks = matches!(heard.mood, Mood::Question | Mood::Courtesy)
        || heard.mood == Mood::Fragment && word_count(&heard.body) < 5;
    (!asks && heard.telling > 1 || heard.mood != Mood::Question && takes_back_a_rule(&heard.body))
        && occasion.words < BRIEF
        && !heard.has(SpeechCue::Doubting)
        && !heard.has(SpeechCue::Once)
        && !is_printed(&heard.body)
}

/// Tells whether a message speaks to a program rather than of the project: it says who the reader is.
fn is_playbook(heard: &[Heard], words: usize) -> bool {
    let addresses = |heard: &Heard| {
        let body = heard.body.to_lowercase();
        body.starts_with("you are ")
            || body.starts_with("your job")
            || body.starts_with("your task")
            || body.starts_with("arguments:")
            || body.starts_with("implement the following")
            || body.starts_with("follow these steps")
    };
    heard.iter().take(3).any(addresses) || heard.iter().any(addresses) && words > 30
}

/// Makes the candidate; an answer also cites the words that it takes up.
fn candidate(
    session: &Session,
    (turn, before): (&Turn, Option<&Turn>),
    block: &Block,
    ruling: Utterance,
) -> Candidate {
    let mut evidence = vec![cite(session, turn, (block.line, ruling.quote, Voice::Person))];
    if let (Some(option), Some(before)) = (ruling.option, before) {
        let words =
            |block: &&Block| block.text.contains(option.split_whitespace().last().unwrap_or_default());
        let line = before.blocks.iter().rfind(words).map_or_else(|| before.line(), |block| block.line);
        evidence.push(cite(session, before, (line, option, Voice::Agent)));
    }
    let laid_down = ruling.route != Route::Order;
    Candidate {
        kind: ruling.kind,
        confidence: if laid_down { Confidence::High } else { Confidence::Low },
        keywords: keywords(&ruling.title, &ruling.text),
        files: files(&ruling.text),
        issue: session.issue.clone(),
        evidence,
        weight: if laid_down { 1.0 } else { 0.0 },
        features: vec![(format!("a person said it in {}", ruling.why), 1.0)],
        at: turn.at,
        title: ruling.title,
        text: ruling.text,
        route: ruling.route,
        backing: Backing::Words,
    }
}

fn cite(session: &Session, turn: &Turn, (line, quote, voice): (u32, String, Voice)) -> Evidence {
    Evidence { session: session.id.clone(), agent: session.agent.clone(), line, quote, voice, at: turn.at }
}

#[cfg(test)]
mod tests;
