//! What people laid down: rules, decisions, corrections, answers, facts they state.
//!
//! People's rulings have a way of their own from their words to a page. They are told by what a
//! sentence does ([`mood`]) and not by what it is about, kept in the person's own words, and never
//! dropped for their length or their title, never crowded out (C-03).

mod alone;
mod aside;
mod cues;
mod form;
mod laid_down;
mod language;
mod mood;
mod occasion;
mod options;
mod outlives;
mod question;
mod quoted;
mod reply;
mod trouble;
mod under_way;
mod wording;
mod words;

use lore_core::session::{Block, Channel, Turn};
use lore_core::{Candidate, Confidence, Evidence, Kind, Route, Session, Voice};

pub(crate) use self::alone::is_torn;
use self::alone::points_away;
use self::cues::SpeechCue;
use self::form::{
    is_chat, is_diagnostic, is_habit, is_printed, is_set, is_so_many_per, is_standing_use, is_undertaking,
    is_value_for, is_way_of_a_sort, kind, wants_a_thing,
};
pub(crate) use self::laid_down::carries_a_rule;
pub(crate) use self::language::Language;
pub(crate) use self::mood::begins_with_verb;
use self::mood::{Heard, Mood, hear};
use self::occasion::{Occasion, belongs_to_work, worked_on};
use self::outlives::{begins_with_use, is_plan_of_work, tells_trouble};
pub(crate) use self::quoted::own_words;
use self::trouble::is_trouble;
use crate::extract::keywords::{files, keywords};
use crate::extract::scene::{Scene, is_person};
use crate::extract::segment::pieces;
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
    let mut found = Vec::new();
    let said = scene.views.iter().zip(worked_on(&scene));
    for (view, at_work) in said.filter(|(view, _)| is_person(view.turn)) {
        let before = view.answers.map(|at| scene.views[at].turn);
        let asked = before.map(Turn::text).unwrap_or_default();
        for block in &view.turn.blocks {
            let said = match view.turn.channel {
                Channel::Answer => reply::chosen(&block.text),
                _ => of_message(&block.text, &asked, at_work),
            };
            found.extend(
                said.into_iter().map(|ruling| candidate(session, (view.turn, before), block, ruling)),
            );
        }
    }
    found
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
    if is_table(text) {
        return Vec::new();
    }
    let language = Language::of(text);
    let paragraphs: Vec<Vec<String>> = pieces(text)
        .into_iter()
        .map(|piece| piece.sentences.iter().flat_map(|sentence| casual(sentence)).collect())
        .collect();
    let words: usize = paragraphs.iter().flatten().map(|sentence| word_count(sentence)).sum();
    let heard: Vec<Vec<Heard>> =
        paragraphs.iter().map(|paragraph| of_one_breath(paragraph, language)).collect();
    if is_playbook(&heard.concat(), words) {
        return Vec::new();
    }
    // Who asks for something besides tells what it takes, and who answers an offer speaks of it.
    let asks = heard
        .iter()
        .flatten()
        .any(|heard| matches!(heard.mood, Mood::Task | Mood::Question) && !is_habit(&heard.body))
        || reply::answers_an_offer(asked);
    let occasion = Occasion { words, at_work, asks };
    paragraphs
        .iter()
        .zip(&heard)
        .flat_map(|(sentences, heard)| of_paragraph(sentences, heard, occasion))
        .collect()
}

/// Hears the sentences of a paragraph; "That's wrong." makes a correction of the next.
fn of_one_breath(sentences: &[String], language: Language) -> Vec<Heard> {
    let mut heard: Vec<Heard> = sentences.iter().map(|sentence| hear(sentence, language)).collect();
    for at in 1..heard.len() {
        let before = &heard[at - 1];
        let short = before.telling < 2 && word_count(&before.body) < 4;
        let denies = word_count(&before.body) < 5 && before.body.to_lowercase().starts_with("not ");
        if before.has(SpeechCue::Correcting) && short || denies {
            heard[at].correct();
        }
    }
    heard
}

/// Finds what a paragraph lays down: what stands together was meant together.
fn of_paragraph(sentences: &[String], heard: &[Heard], occasion: Occasion) -> Vec<Utterance> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < heard.len() {
        let mut end = at + 1;
        let from = at;
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
        if lays_down(&heard[at], if from < at { beside } else { occasion }) {
            let mut length = word_count(&heard[at].body);
            while end < heard.len() && end - at < SENTENCES {
                length += word_count(&heard[end].body);
                // "Please …" asks for something else.
                let asks = sentences[end].to_lowercase().starts_with("please");
                if length > LONG || asks || !(goes_on(&heard[end]) || lays_down(&heard[end], occasion)) {
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
                title: wording::title(&heard[from].body),
                text: wording::text(&body),
                quote: sentences[from..end].join(" "),
                kind: if from < at && !is_complaint(&heard[from]) {
                    Kind::Decision
                } else {
                    kind(&heard[at])
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

/// Tells whether a sentence that lays nothing down might still end what is known: "make it 15
/// minutes" is a piece of work, and whoever knows of 24 hours learns that they are over.
fn may_overrule(heard: &Heard, occasion: Occasion) -> bool {
    let asks = matches!(heard.mood, Mood::Question | Mood::Courtesy)
        || heard.mood == Mood::Fragment && word_count(&heard.body) < 5;
    !asks
        && heard.telling > 1
        && occasion.words < BRIEF
        && !heard.has(SpeechCue::Doubting)
        && !heard.has(SpeechCue::Once)
        && !is_printed(&heard.body)
}

/// Cuts what people who write in lower case leave in one piece.
pub(crate) fn casual(sentence: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    let bytes = sentence.as_bytes();
    for (at, c) in sentence.char_indices() {
        let wide = matches!(c, '。' | '！' | '？');
        let ends = matches!(c, '.' | '!' | '?') && bytes.get(at + 1).is_some_and(|next| *next == b' ');
        let abbreviates = ["e.g", "i.e", "etc", "vs", "approx", "ca", "no", "nr"]
            .iter()
            .any(|short| sentence[from..at].to_lowercase().ends_with(&format!(" {short}")));
        if (wide || ends) && !abbreviates {
            let end = at + c.len_utf8();
            out.push(sentence[from..end].trim().to_owned());
            from = end;
        }
    }
    out.push(sentence[from..].trim().to_owned());
    out.retain(|part| part.chars().any(char::is_alphanumeric));
    out
}

/// Tells whether a message was copied from a terminal: columns set with blanks.
fn is_table(text: &str) -> bool {
    let printed = text.lines().next().is_some_and(is_diagnostic) && text.lines().count() > 1;
    printed || text.lines().filter(|line| line.trim().contains("   ")).count() > 1
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
    };
    heard.iter().take(3).any(addresses) || heard.iter().any(addresses) && words > 30
}

/// Tells whether a sentence lays something down that outlives the task.
fn lays_down(heard: &Heard, occasion: Occasion) -> bool {
    let message = occasion.words;
    let words = word_count(&heard.body);
    if heard.telling == 0 || words > LONG || heard.has(SpeechCue::Doubting) || is_printed(&heard.body) {
        return false;
    }
    if is_torn(&heard.body)
        || tells_trouble(&heard.body)
        || is_trouble(&heard.body)
        || belongs_to_work(heard, occasion)
    {
        return false;
    }
    // "Don't touch it for now, until noon" lasts until noon.
    let once = is_until(heard)
        || heard.has(SpeechCue::Once)
            && (!heard.has(SpeechCue::Standing)
                || heard.mood == Mood::Prohibition && !heard.has(SpeechCue::Lasting));
    let lasts = heard.has(SpeechCue::Universal) || heard.has(SpeechCue::Standing);
    let document = message > DOCUMENT;
    if is_habit(&heard.body) && !once && !document {
        return true;
    }
    match heard.mood {
        Mood::Courtesy | Mood::Question | Mood::Task | Mood::Report | Mood::Fragment => {
            // "tabs only", "float32 for all grids": no verb, and still a rule.
            let announced = (heard.has(SpeechCue::Correcting) || heard.has(SpeechCue::Informing))
                && !points_away(&heard.body);
            heard.mood == Mood::Fragment
                && (lasts
                    || announced
                    || is_value_for(&heard.body)
                    || is_so_many_per(&heard.body)
                    || is_way_of_a_sort(&heard.body))
                && !once
                && message < BRIEF
                && heard.telling > 1
        }
        Mood::Prohibition => !once && heard.telling > 0,
        Mood::Order => {
            let reasoned = heard.has(SpeechCue::Reason) && begins_with_use(&heard.body);
            let meant = lasts || heard.contrasts || heard.has(SpeechCue::Correcting) || reasoned;
            !once && !document && (meant || is_standing_use(&heard.body) || is_way_of_a_sort(&heard.body))
        }
        Mood::Resolve => !once,
        Mood::Wish => {
            let firm = heard.has(SpeechCue::Firm) || heard.has(SpeechCue::Lasting);
            !once
                && !document
                && heard.telling > 1
                && (firm
                    || !is_undertaking(&heard.body)
                        && (lasts || heard.contrasts || wants_a_thing(&heard.body)))
        }
        Mood::Practice | Mood::Duty => {
            // "We test with brass here": of so few words one is enough.
            let enough = if heard.mood == Mood::Practice && words > 3 { 0 } else { 1 };
            !once
                && heard.telling > enough
                && !heard.has(SpeechCue::Leaning)
                && (is_set(heard)
                    || heard.has(SpeechCue::Standing)
                    || heard.under_way
                    || !(heard.english && is_chat(&heard.body)) && !is_plan_of_work(&heard.body))
        }
        Mood::Statement => {
            let settled = lasts || heard.contrasts || heard.has(SpeechCue::Reason) || message < BRIEF;
            let sure = heard.has(SpeechCue::Universal) || heard.has(SpeechCue::Correcting);
            let named = heard.telling > usize::from(!sure);
            let chat =
                heard.english && is_chat(&heard.body) && !is_set(heard) && !heard.has(SpeechCue::Correcting);
            settled && !once && !document && named && !heard.has(SpeechCue::Leaning) && !chat
        }
    }
}

/// "Hold off on the bell until I'm back": a directive that ends by itself.
fn is_until(heard: &Heard) -> bool {
    let directive =
        matches!(heard.mood, Mood::Resolve | Mood::Order | Mood::Prohibition | Mood::Wish | Mood::Fragment);
    directive
        && !heard.has(SpeechCue::Lasting)
        && heard.body.to_lowercase().split_whitespace().any(|word| word == "until")
}

/// Tells whether whoever says such a sentence says what is to be, and not only how something is.
const fn is_directive(mood: Mood) -> bool {
    matches!(mood, Mood::Prohibition | Mood::Order | Mood::Resolve | Mood::Wish | Mood::Practice | Mood::Duty)
}

/// Tells whether a sentence leaves no doubt that it lays something down.
fn is_firm(heard: &Heard, message: usize) -> bool {
    let firm = heard.has(SpeechCue::Firm) || heard.has(SpeechCue::Lasting);
    let foreign = heard.has(SpeechCue::Universal) && !heard.body.is_ascii();
    message <= DOCUMENT
        && match heard.mood {
            Mood::Prohibition => firm || heard.has(SpeechCue::Correcting) || message < FEW_WORDS,
            Mood::Order => {
                firm || heard.has(SpeechCue::Correcting)
                    || message < FEW_WORDS && is_standing_use(&heard.body)
            }
            _ => firm || foreign || heard.mood == Mood::Practice && heard.has(SpeechCue::Standing),
        }
}

/// Tells whether a sentence orders something in so many words, and names it.
fn is_plain_order(heard: &Heard) -> bool {
    matches!(heard.mood, Mood::Order | Mood::Task)
        && heard.telling > 1
        && !heard.has(SpeechCue::Once)
        && !heard.has(SpeechCue::Doubting)
        && mood::begins_with_verb(&heard.body)
}

/// "You keep oiling the locks", "you always forget the lamp".
fn is_complaint(heard: &Heard) -> bool {
    let lower = heard.body.to_lowercase();
    ["you keep ", "you always ", "you constantly ", "you never "]
        .iter()
        .any(|opening| lower.starts_with(opening))
        && heard.telling > 1
}

/// Tells whether a sentence can be what an order before it rests on.
fn is_ground(heard: &Heard, occasion: Occasion) -> bool {
    matches!(heard.mood, Mood::Statement | Mood::Practice)
        && (heard.has(SpeechCue::Standing) || heard.has(SpeechCue::Ours))
        && lays_down(heard, occasion)
}

/// Tells whether a sentence belongs to the one before: it gives its reason or leans on it.
fn goes_on(heard: &Heard) -> bool {
    let leans = heard.has(SpeechCue::Leaning) || heard.mood == Mood::Fragment && word_count(&heard.body) < 8;
    leans && !matches!(heard.mood, Mood::Question | Mood::Task | Mood::Courtesy)
}

/// Makes the candidate; an answer also cites the words that it takes up.
fn candidate(
    session: &Session,
    (turn, before): (&Turn, Option<&Turn>),
    block: &Block,
    ruling: Utterance,
) -> Candidate {
    let cite = |line: u32, quote: String, voice: Voice, turn: &Turn| Evidence {
        session: session.id.clone(),
        agent: session.agent.clone(),
        line,
        quote,
        voice,
        at: turn.at,
    };
    let mut evidence = vec![cite(block.line, ruling.quote, Voice::Person, turn)];
    if let (Some(option), Some(before)) = (ruling.option, before) {
        let words =
            |block: &&Block| block.text.contains(option.split_whitespace().last().unwrap_or_default());
        let line = before.blocks.iter().rfind(words).map_or_else(|| before.line(), |block| block.line);
        evidence.push(cite(line, option, Voice::Agent, before));
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
    }
}

#[cfg(test)]
mod tests {
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
        let said = "The lamp in the hall is dark.";
        let long = "I looked at the lamp and found that the wire had come loose behind the panel, so I took the panel off, \
                    put the wire back, tightened both screws and checked that the light came on again at once. \
                    The panel itself is old and should be replaced some day; until then it is held by two new clips that I found in \
                    the workshop, and the switch beside the door was cleaned too.";
        let kept = |reply| routes(said, reply).iter().any(|(route, _)| *route == Route::Remark);
        assert!(kept("Noted."));
        assert!(!kept(long));
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
        check(
            "Oil the lock. Also, for the future: new keys go into the chest.",
            "New keys go into the chest.",
        );
        check(
            "That's wrong. The tide turns at 21:30 here, not 22:00. Please mend the table.",
            "The tide turns at 21:30 here, not 22:00.",
        );
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
        assert_eq!(
            kept("since the last storm the bell rings twice instead of once, look at it please"),
            [""; 0]
        );
        assert_eq!(kept("The bell rings twice, can you have a look?"), [""; 0]);
    }

    #[test]
    fn a_piece_of_work_may_end_what_is_known() {
        let found = routes("make the gate passes expire after 15 minutes", "Done.");
        assert_eq!(found, [(Route::Order, "Make the gate passes expire after 15 minutes.".to_owned())]);
        assert_eq!(routes("why do the gate passes expire after 15 minutes?", "Because."), []);
    }
}
