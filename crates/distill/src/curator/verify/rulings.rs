//! V9 to V11 and V17: what a person said stands, the later word counts, reasons go on.

use std::collections::BTreeSet;

use lore_core::{
    Article, Carried, Claim, DecidedBy, Entry, LineClass, Moment, Op, PacketLine, Source, Voice,
};

use super::decided::{COVERED, is_covered};
use super::polarity::denies;
use super::{Galley, Noticed, Room, is_protected};
use crate::curator::given_up::names_given_up;
use crate::curator::numbers::numbers;
use crate::curator::words::{Cover, content, names, nearest_sentence};
use crate::extract::sentence::sentences;

/// A person's line must share so many telling words with what it rules on; “ok” rules on nothing.
const SHARED: usize = 2;
/// So much of a reason must stand in the new words for it to have been kept.
const KEPT: f64 = 0.6;
/// So much of a sentence must stand in an entry for it to say nothing new.
const STANDS: f64 = 0.7;
/// So many telling words before its reason make a sentence say something itself, and so much of them is said again by
/// what says the same.
const CLAIM: usize = 2;
const SAME: f64 = 0.9;
/// So many reasons of a replaced entry go on.
const REASONS: usize = 2;

/// V11: the later word counts; what was before is older than what replaced it.
pub(super) fn time(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let packet = room.context.packet;
    let newest = |numbers: &[u32]| {
        numbers.iter().filter_map(|number| packet.line(*number)).map(PacketLine::when).max()
    };
    let mut lost = None;
    if let Some(was) = &galley.edit.was
        // One line can tell both: "moved from brass to iron".
        && (was.lines.is_empty() || newest(&was.lines) > newest(&galley.edit.lines))
    {
        galley.edit.was = None;
        lost = Some("what was before is left out: its lines are later than those of the edit".to_owned());
    }
    if galley.edit.op == Op::Supersedes
        && let (Some(target), Some(line)) = (galley.target, newest_line(&galley.cited(room)))
        && !is_latest(line, target.sources.iter())
    {
        if beside_a_draft(galley, room) {
            return Noticed::Lower(BESIDE.to_owned());
        }
        return Noticed::Propose(
            "what it would replace was said later: possibly replaced, a person decides".to_owned(),
        );
    }
    lost.map_or(Noticed::Fine, Noticed::Lower)
}

/// Said of an edit that may not replace a draft; the draft gives way all the same where the edit says it.
pub const BESIDE: &str = "what rules wrote of these lines stays beside it";

/// What rules took from the same lines need not be disputed: where it may not be replaced, an edit that
/// can stand alone does. Tells whether it does.
fn beside_a_draft(galley: &mut Galley<'_>, room: &Room<'_>) -> bool {
    let is_draft = galley.target.is_some_and(|target| room.context.packet.is_draft(&target.id));
    let can_stand = galley.edit.kind.is_some() && galley.edit.title.is_some();
    let replaces = matches!(galley.edit.op, Op::Supersedes | Op::Refines);
    if is_draft && can_stand && replaces {
        galley.edit.op = Op::New;
        galley.target = None;
    }
    is_draft && can_stand && replaces
}

fn newest_line<'a>(lines: &[&'a PacketLine]) -> Option<&'a PacketLine> {
    lines.iter().copied().max_by_key(|line| line.when())
}

/// Tells whether none of the sources was said after a line; unknown times do not count against it.
fn is_latest<'s>(line: &PacketLine, sources: impl Iterator<Item = &'s Source>) -> bool {
    sources.into_iter().all(|source| {
        let here = source.session.as_ref() == Some(&line.session);
        match (source.at, line.at) {
            _ if here => source.lines.iter().all(|record| *record <= line.record),
            (Some(Moment::Day(day)), Some(at)) => day <= at.date(),
            (Some(known), Some(at)) => known <= at,
            _ => true,
        }
    })
}

/// Tells whether a line is no older than what was said first: who said it again later did not take it back.
fn is_not_before<'s>(line: &PacketLine, sources: impl Iterator<Item = &'s Source>) -> bool {
    let moments: Vec<&Source> = sources.collect();
    moments.is_empty() || moments.into_iter().any(|source| is_latest(line, std::iter::once(source)))
}

/// V9: what a person ruled is overturned by a person's later word on it, or by a plan they agreed to.
pub(super) fn ruling_of_a_person(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let Some(target) = galley.target.filter(|target| is_ruling(target)) else { return Noticed::Fine };
    let lowered = match galley.edit.op {
        Op::Supersedes => Op::Disputes,
        Op::Refines | Op::Adds => Op::Adds,
        _ => return Noticed::Fine,
    };
    let persons = || target.sources.iter().filter(|source| source.voice == Voice::Person);
    let about: BTreeSet<String> = telling(target, galley.edit.said());
    let is_own = |line: &PacketLine| {
        persons().any(|source| {
            source.session.as_ref() == Some(&line.session) && source.lines.contains(&line.record)
        })
    };
    let rules = |line: &&PacketLine| {
        let decides = matches!(line.class, LineClass::Typed | LineClass::PlanAccepted);
        let words: BTreeSet<String> = content(&line.text).into_iter().collect();
        decides
            && !line.old
            && (is_latest(line, persons()) || galley.edit.op == Op::Refines && is_not_before(line, persons()))
            && words.intersection(&about).count() >= SHARED
            // The ruling itself can be said in other words; nothing that it does not say rests on it.
            && (!is_own(line) || says_all(&line.text, galley.edit.said()))
    };
    if galley.cited(room).iter().any(rules) {
        return Noticed::Fine;
    }
    if beside_a_draft(galley, room) {
        return Noticed::Lower(BESIDE.to_owned());
    }
    let asked = std::mem::replace(&mut galley.edit.op, lowered);
    galley.edit.title = None;
    if asked == Op::Refines {
        galley.edit.text = galley.edit.text.take().map(|text| without_what_stands(target, text));
    }
    if lowered == Op::Adds {
        match beside(target, galley.edit.said()) {
            Beside::Against => {
                galley.edit.op = Op::Disputes;
                return Noticed::Lower(
                    "a person decided the entry and it says the opposite: both stand, as a dispute"
                        .to_owned(),
                );
            }
            Beside::Otherwise => {
                return Noticed::Flag("it is about what a person decided, in other words".to_owned());
            }
            Beside::Besides if asked == Op::Adds => return Noticed::Fine,
            Beside::Besides => {}
        }
    }
    Noticed::Lower(match lowered {
        Op::Disputes => {
            "a person decided the entry and none overturns it here: both stand, as a dispute".to_owned()
        }
        _ => {
            "a person decided the entry and none speaks of it here: it is added beside their words".to_owned()
        }
    })
}

/// Leaves out of finer words what the entry says already: they are put beside it and not in its place.
fn without_what_stands(target: &Entry, text: String) -> String {
    let article = Article::parse(&target.body);
    let claims: Vec<&str> = article.current().map(|claim| claim.text.as_str()).collect();
    let (held, claims) = (Cover::of(claims.iter().copied()), claims.join("\n"));
    let is_said = |sentence: &str| {
        let words: BTreeSet<String> = content(sentence).into_iter().collect();
        // The same words with a “not” are not the same.
        held.says(sentence, STANDS) && denies(sentence) == denies(nearest_sentence(&claims, &words))
    };
    let new: Vec<&str> = sentences(&text).into_iter().filter(|sentence| !is_said(sentence)).collect();
    // What points back needs the sentence before it.
    let points_back = |sentence: &&str| {
        let first = sentence.split_whitespace().next().unwrap_or_default().to_lowercase();
        ["it", "its", "they", "this", "that", "these", "those", "there", "both", "otherwise", "then"]
            .contains(&first.as_str())
    };
    if new.is_empty() || new.first().is_some_and(points_back) { text } else { new.join(" ") }
}

/// How a statement stands beside a person's ruling.
enum Beside {
    /// It is about something else, or agrees.
    Besides,
    /// It is about the same and denies what the ruling says, or says what it denies.
    Against,
    /// It is about the same in other words: code cannot tell whether both can hold.
    Otherwise,
}

fn beside(ruling: &Entry, text: &str) -> Beside {
    let article = Article::parse(&ruling.body);
    let lead: Vec<&str> = article.lead.iter().map(|claim| claim.text.as_str()).collect();
    let lead = lead.join(" ");
    let (said, held) = (Cover::of([text]), Cover::of([lead.as_str()]));
    let stems: BTreeSet<String> = content(text).into_iter().collect();
    let shared = stems.iter().filter(|stem| held.stems.contains(*stem)).count();
    if shared < SHARED || shared * 2 < stems.len() {
        return Beside::Besides;
    }
    // What either denies on the way, of something else, is no opposite.
    let held_stems: BTreeSet<String> = content(&lead).into_iter().collect();
    if denies(nearest_sentence(text, &held_stems)) != denies(nearest_sentence(&lead, &stems)) {
        return Beside::Against;
    }
    let lacks = |text: &str, other: &Cover| content(text).iter().any(|stem| !other.stems.contains(stem));
    if lacks(text, &held) && lacks(&lead, &said) { Beside::Otherwise } else { Beside::Besides }
}

/// Tells whether a line says all of a text: its names and numbers, and most words of each sentence.
fn says_all(line: &str, text: &str) -> bool {
    let cover = Cover::of([line]);
    is_covered(text, &cover)
        && names(text).iter().all(|name| cover.has_name(name))
        && numbers(text).iter().all(|(_, ways)| cover.has_number(ways))
        && denies(line) == denies(text)
}

/// Tells whether a person stands behind an entry; what they state is theirs to take back as well as what they decide.
pub(super) fn is_ruling(entry: &Entry) -> bool {
    DecidedBy::of(entry).is_a_persons()
}

fn telling(target: &Entry, said: &str) -> BTreeSet<String> {
    let article = Article::parse(&target.body);
    let mut stems: BTreeSet<String> = content(said).into_iter().chain(content(&target.title)).collect();
    for claim in article.lead.iter().chain(&article.conflict) {
        stems.extend(content(&claim.text));
    }
    stems
}

/// V10: a person's text, and what a person confirmed, gets evidence and nothing else.
pub(super) fn text_of_a_person(galley: &mut Galley<'_>, _: &Room<'_>) -> Noticed {
    match galley.target {
        Some(target) if is_protected(target) && galley.edit.op != Op::Same => Noticed::Propose(format!(
            "“{}” is a person's text or confirmed by one: a person decides",
            target.title
        )),
        _ => Noticed::Fine,
    }
}

/// V17: the reason of what is replaced goes on where the new words give none.
pub(super) fn reason_goes_on(galley: &mut Galley<'_>, _: &Room<'_>) -> Noticed {
    let Some(target) = galley.target.filter(|_| galley.edit.op == Op::Supersedes) else {
        return Noticed::Fine;
    };
    let said = format!("{} {}", galley.edit.said(), galley.edit.reason.as_deref().unwrap_or_default());
    if galley.edit.reason.is_some() || gives_a_reason(&said) {
        return Noticed::Fine;
    }
    let cover = Cover::of([said.as_str()]);
    let article = Article::parse(&target.body);
    let mut found: Vec<(String, &Claim)> =
        article.why.iter().map(|claim| (claim.text.clone(), claim)).collect();
    // A sentence that says again what no longer holds does not go on with its reason.
    let still_said = |sentence: &str| {
        let told = before_the_reason(sentence);
        let words: BTreeSet<String> = content(told).into_iter().collect();
        let share = cover.share(told);
        let is_same = share >= SAME && denies(told) == denies(nearest_sentence(&said, &words));
        words.len() < CLAIM || share < COVERED || is_same
    };
    for claim in article.lead.iter().chain(&article.facts) {
        let reasons = sentences(&claim.text).into_iter().filter(|sentence| gives_a_reason(sentence));
        let reasons = reasons.filter(|sentence| still_said(sentence));
        found.extend(reasons.map(|sentence| (sentence.to_owned(), claim)));
    }
    // Why something was so that is gone tells nothing about what came instead.
    let gone: Vec<String> = sentences(galley.edit.said()).into_iter().flat_map(names_given_up).collect();
    let speaks_of_it = |text: &str| {
        let reason = Cover::of([text]);
        gone.iter().any(|name| reason.has_whole(name))
    };
    let goes_on = |(text, _): &(String, &Claim)| cover.share(text) < KEPT && !speaks_of_it(text);
    for (text, claim) in found.into_iter().filter(goes_on).take(REASONS) {
        let sources = target.sources_of(claim).cloned().collect();
        galley.carried.push(Carried { text, sources });
    }
    match galley.carried.len() {
        0 => Noticed::Fine,
        _ => Noticed::Note("the reason of the entry it replaces goes on".to_owned()),
    }
}

/// What a text says why by.
const SIGNS: [&str; 9] =
    ["because", " since ", "so that", "reason", "in order to", " due to", "otherwise", "to avoid", "to keep"];

/// Tells whether a text says why.
fn gives_a_reason(text: &str) -> bool {
    let lower = format!(" {} ", text.to_lowercase());
    SIGNS.iter().any(|sign| lower.contains(sign))
}

/// Returns what a sentence says before it says why.
fn before_the_reason(sentence: &str) -> &str {
    let lower = sentence.to_ascii_lowercase();
    let first = SIGNS.iter().filter_map(|sign| lower.find(sign)).min();
    first.map_or(sentence, |at| &sentence[..at])
}
