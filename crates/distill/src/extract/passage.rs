//! Gathers the passages of a session that could be knowledge, each with its surroundings.

use std::collections::BTreeSet;

use lore_core::session::{Block, Channel, Turn};
use lore_core::{Evidence, FormAnswer, Voice};

use crate::extract::choice::{self, Fate};
use crate::extract::commit;
use crate::extract::lexicon::Cues;
use crate::extract::scene::{Scene, View, commits, is_agent, is_person};
use crate::extract::segment::{Piece, Shape, pieces};
use crate::extract::sentence::{plain, word_count};
use crate::extract::sift::{chunks, grouped, keep};
use crate::extract::terms::{Term, ratio, terms};

/// Where the words of a passage come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Origin {
    Person,
    Agent,
    Plan,
    Commit,
}

impl Origin {
    pub(crate) const ALL: [Origin; 4] = [Origin::Person, Origin::Agent, Origin::Plan, Origin::Commit];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Origin::Person => "person",
            Origin::Agent => "agent",
            Origin::Plan => "plan",
            Origin::Commit => "commit",
        }
    }
}

/// A few sentences that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    pub(crate) origin: Origin,
    /// Index of its turn in the scene.
    pub(crate) view: usize,
    /// Record it stands in.
    pub(crate) line: u32,
    pub(crate) shape: Shape,
    pub(crate) headings: Vec<String>,
    pub(crate) lead: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) before_code: bool,
    /// What is kept of it, at most three sentences.
    pub(crate) sentences: Vec<String>,
    /// Whether sentences were left out because they only narrate or ask.
    pub(crate) trimmed: bool,
    /// Place of its piece in the message: index and count.
    pub(crate) place: (usize, usize),
    /// How many words the whole message has.
    pub(crate) message_words: usize,
    pub(crate) option: Option<Fate>,
    /// The sentence before it in the message, for pronouns.
    pub(crate) context: Option<String>,
    /// What a terse answer refers to: the option taken, or the question put, and where it stands.
    pub(crate) referent: Option<(String, u32)>,
    /// How later passages took it up.
    pub(crate) sequel: Sequel,
    pub(crate) cues: Cues,
    pub(crate) terms: BTreeSet<Term>,
}

impl Passage {
    pub(crate) fn words(&self) -> usize {
        self.sentences.iter().map(|sentence| word_count(sentence)).sum()
    }

    pub(crate) fn text(&self) -> String {
        self.sentences.join(" ")
    }
}

/// What became of a statement later in the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sequel {
    /// It was told again.
    pub(crate) retold: bool,
    /// A person objected to it or replaced it.
    pub(crate) opposed: bool,
    /// The agent took it back or replaced it.
    pub(crate) undone: bool,
}

/// Collects the passages of a session in the order they were said.
pub(crate) fn passages(scene: &Scene<'_>) -> Vec<Passage> {
    let mut found = Vec::new();
    for (index, view) in scene.views.iter().enumerate() {
        let turn = view.turn;
        if is_person(turn) {
            from_message(scene, index, Origin::Person, &mut found);
        } else if is_agent(turn) {
            let origin = if turn.channel == Channel::Reply { Origin::Agent } else { Origin::Plan };
            from_message(scene, index, origin, &mut found);
        }
        for call in turn.tool_calls.iter().filter(|call| commits(call)) {
            let Some(message) = call.command.as_deref().and_then(commit::message) else { continue };
            let blocks = [(call.line, commit::as_prose(&message))];
            gather(scene, index, Origin::Commit, &blocks, &mut found);
        }
    }
    found.retain(|passage| passage.origin == Origin::Person || !is_about_checking(passage));
    follow_up(&mut found);
    found
}

/// Tells whether a passage only says how the work was tested: true for a day, and told by the tests themselves.
fn is_about_checking(passage: &Passage) -> bool {
    let above = passage.headings.last().into_iter().chain(&passage.lead).chain(&passage.label);
    let checking = |title: &String| {
        let lower = title.to_lowercase();
        [
            "_test.",
            ".test.",
            "test plan",
            "verification",
            "manual test",
            "test coverage",
            "tests added",
            "updated tests",
        ]
        .iter()
        .any(|word| lower.contains(word))
    };
    let first = passage.sentences.first().map(String::as_str).unwrap_or_default().trim_start_matches('`');
    above.into_iter().any(checking)
        || first.starts_with("Test") && first.contains('`')
        || first.contains("_test.")
}

/// So many pairs of passages of a session are compared, which takes well below a second; up to about
/// three thousand passages that is every one with all that follow.
const PAIRS: usize = 4_000_000;
/// So many of those that follow are looked at in any case.
const NEXT: usize = 64;

/// Looks for each passage at what was said about the same things afterwards.
///
/// In a session without end only at what comes next, so that the time grows with its length.
fn follow_up(passages: &mut [Passage]) {
    let reach = reach(passages.len());
    for index in 0..passages.len() {
        let (before, after) = passages.split_at_mut(index + 1);
        let passage = &mut before[index];
        if passage.terms.len() < 2 {
            continue;
        }
        let next = after.iter().take(reach);
        for later in next.filter(|later| later.view > passage.view && later.terms.len() >= 2) {
            let shared = passage.terms.intersection(&later.terms).count();
            if shared < 2 {
                continue;
            }
            let share = ratio(shared, passage.terms.len().min(later.terms.len()));
            let turns = later.cues.has("reversing") || later.cues.has("replacing");
            passage.sequel.retold |= share >= 0.6 && !turns;
            if later.origin == Origin::Person {
                passage.sequel.opposed |= share >= 0.3 && (turns || later.cues.has("refusing"));
            } else {
                passage.sequel.undone |= share >= 0.5 && turns;
            }
        }
    }
}

/// Says how many passages after one are looked at, in a session of so many.
fn reach(passages: usize) -> usize {
    (PAIRS / passages.max(1)).max(NEXT)
}

/// Makes the evidence of a passage.
pub(crate) fn evidence(scene: &Scene<'_>, passage: &Passage) -> Vec<Evidence> {
    let turn = scene.views[passage.view].turn;
    let make = |line: u32, quote: String, voice: Voice| Evidence {
        session: scene.session.id.clone(),
        agent: scene.session.agent.clone(),
        line,
        quote,
        voice,
        at: turn.at,
    };
    let voice = if passage.origin == Origin::Commit { Voice::Agent } else { turn.voice() };
    let mut evidence = vec![make(passage.line, passage.text(), voice)];
    // An option that was taken is evidence; a question is not.
    if let Some((quote, line)) = passage.referent.as_ref().filter(|(quote, _)| !quote.ends_with('?')) {
        evidence.push(make(*line, quote.clone(), Voice::Agent));
    }
    evidence
}

fn from_message(scene: &Scene<'_>, index: usize, origin: Origin, found: &mut Vec<Passage>) {
    let turn = scene.views[index].turn;
    for block in turn.blocks.iter().filter(|_| turn.channel == Channel::Answer) {
        answers(scene, index, block, found);
    }
    if turn.channel == Channel::Answer {
        return;
    }
    let blocks: Vec<(u32, String)> =
        turn.blocks.iter().map(|block| (block.line, block.text.clone())).collect();
    gather(scene, index, origin, &blocks, found);
}

/// Takes answers together with their questions.
fn answers(scene: &Scene<'_>, index: usize, block: &Block, found: &mut Vec<Passage>) {
    for told in FormAnswer::all_in(&block.text) {
        let question = plain(told.question);
        let first = found.len();
        gather(scene, index, Origin::Person, &[(block.line, told.answer.to_owned())], found);
        for passage in &mut found[first..] {
            if !question.is_empty() {
                passage.terms.extend(terms(&question));
                passage.referent = Some((question.clone(), block.line));
            }
        }
    }
}

fn gather(
    scene: &Scene<'_>,
    index: usize,
    origin: Origin,
    blocks: &[(u32, String)],
    found: &mut Vec<Passage>,
) {
    let view = &scene.views[index];
    let read: Vec<(u32, Vec<Piece>)> = blocks.iter().map(|(line, text)| (*line, pieces(text))).collect();
    let count = read.iter().map(|(_, pieces)| pieces.len()).sum();
    let message_words = read.iter().flat_map(|(_, pieces)| pieces).map(Piece::words).sum();
    let answered = Answered::of(scene, view, origin);
    let reply = reply_to(scene, view);
    let picked = reply.and_then(choice::picked);
    let mut place = 0;
    let mut context: Option<String> = None;
    for (line, pieces) in &read {
        let options =
            if origin == Origin::Agent { choice::options(pieces) } else { vec![None; pieces.len()] };
        let picked = picked.clone().or_else(|| choice::taken_up(pieces, &options, reply?));
        for group in grouped(pieces, &options) {
            let first = &pieces[group.start];
            let option = options[group.start].as_ref().map(|key| fate(key, picked.as_deref()));
            let kept: Vec<String> =
                pieces[group.clone()].iter().flat_map(|piece| keep(piece, origin)).collect();
            let all: usize = pieces[group.clone()].iter().map(|piece| piece.sentences.len()).sum();
            for sentences in chunks(kept.clone()) {
                let cues =
                    sentences.iter().fold(Cues::default(), |sum, sentence| sum.union(Cues::of(sentence)));
                let text = sentences.join(" ");
                let before = std::mem::replace(&mut context, sentences.last().cloned());
                found.push(Passage {
                    origin,
                    view: index,
                    line: *line,
                    shape: first.shape,
                    headings: first.headings.clone(),
                    lead: first.lead.clone(),
                    label: first.label.clone(),
                    before_code: pieces[group.end - 1].before_code,
                    trimmed: kept.len() < all,
                    place: (place, count),
                    message_words,
                    option,
                    context: before,
                    referent: answered.referent(first, &text, view.turn),
                    sequel: Sequel::default(),
                    cues,
                    terms: terms(&text),
                    sentences,
                });
            }
            place += group.len();
        }
    }
}

fn fate(key: &str, picked: Option<&str>) -> Fate {
    match picked {
        Some(picked) if picked == key => Fate::Chosen,
        Some(_) => Fate::Passed,
        None => Fate::Open,
    }
}

/// Returns what the person said next, where the agent had the last word before.
fn reply_to<'a>(scene: &'a Scene<'_>, view: &View<'_>) -> Option<&'a str> {
    let next = view.next_person.filter(|_| view.closes_task)?;
    scene.views[next].turn.blocks.first().map(|block| block.text.as_str())
}

/// The agent's message that a person's words answer.
struct Answered {
    pieces: Vec<(u32, Piece)>,
}

impl Answered {
    fn of(scene: &Scene<'_>, view: &View<'_>, origin: Origin) -> Answered {
        let turn = view.answers.filter(|_| origin == Origin::Person).map(|index| scene.views[index].turn);
        let blocks = turn.map(|turn| turn.blocks.as_slice()).unwrap_or_default();
        let pieces = blocks
            .iter()
            .flat_map(|block| pieces(&block.text).into_iter().map(|piece| (block.line, piece)))
            .collect();
        Answered { pieces }
    }

    /// Finds what terse words refer to: an option, a numbered point, or the question before them.
    fn referent(&self, piece: &Piece, text: &str, turn: &Turn) -> Option<(String, u32)> {
        if self.pieces.is_empty() {
            return None;
        }
        let key = choice::picked(text).or_else(|| piece.ordinal.clone());
        if let Some(key) = key {
            let all: Vec<Piece> = self.pieces.iter().map(|(_, piece)| piece.clone()).collect();
            if let Some(item) = choice::item(&all, &key) {
                let line = self.pieces.iter().find(|(_, piece)| piece == item).map_or(0, |(line, _)| *line);
                return Some((choice::describe(item), line));
            }
        }
        // A question is quoted only where the answer cannot be understood without it.
        if word_count(text) > 9 || turn.channel == Channel::Answer {
            return None;
        }
        let (line, piece) = self.pieces.last()?;
        let asked = piece.sentences.iter().rev().find(|sentence| sentence.ends_with('?'))?;
        (word_count(asked) >= 4).then(|| (asked.clone(), *line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transcript of sixty thousand short prompts took minutes, because each passage was compared with
    /// all that follow.
    #[test]
    fn comparing_grows_with_the_length_of_a_session() {
        for count in [1, 100, 2_000] {
            assert!(reach(count) >= count, "{count}: all that follow");
        }
        for count in [3_000, 60_000, 1_000_000] {
            assert!(count * reach(count) <= PAIRS.max(count * NEXT), "{count}");
        }
    }
}
