//! Gathers the passages of a session that could be knowledge, each with its surroundings.

use std::collections::BTreeSet;

use lore_core::session::{Channel, Turn};
use lore_core::{Evidence, Voice};

use crate::extract::choice::{self, Fate};
use crate::extract::commit;
use crate::extract::lexicon::Cues;
use crate::extract::scene::{Scene, View, commits, is_agent, is_person};
use crate::extract::segment::{Piece, Shape, pieces};
use crate::extract::sentence::word_count;
use crate::extract::terms::{Term, terms};

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

/// At most so many sentences make one passage.
const MOST_SENTENCES: usize = 3;
/// And about so many words.
const MOST_WORDS: usize = 60;
/// Items shorter than this are told together with their neighbours.
const SHORT_ITEM: usize = 9;

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
            let blocks = [(call.line, message)];
            gather(scene, index, Origin::Commit, &blocks, &mut found);
        }
    }
    found
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
    if let Some((quote, line)) = &passage.referent {
        evidence.push(make(*line, quote.clone(), Voice::Agent));
    }
    evidence
}

fn from_message(scene: &Scene<'_>, index: usize, origin: Origin, found: &mut Vec<Passage>) {
    let blocks: Vec<(u32, String)> =
        scene.views[index].turn.blocks.iter().map(|block| (block.line, block.text.clone())).collect();
    gather(scene, index, origin, &blocks, found);
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
    let picked = picked_later(scene, view);
    let mut place = 0;
    let mut context: Option<String> = None;
    for (line, pieces) in &read {
        let options =
            if origin == Origin::Agent { choice::options(pieces) } else { vec![None; pieces.len()] };
        for group in grouped(pieces, &options) {
            let first = &pieces[group.start];
            let option = options[group.start].as_ref().map(|key| fate(key, picked.as_deref()));
            let kept: Vec<String> =
                pieces[group.clone()].iter().flat_map(|piece| keep(&piece.sentences, origin)).collect();
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
                    cues,
                    terms: terms(&text),
                    sentences,
                });
            }
            place += group.len();
        }
    }
}

/// Groups short neighbours of one list; everything else stands alone.
fn grouped(pieces: &[Piece], options: &[Option<String>]) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for index in 0..pieces.len() {
        let joins = groups.last().is_some_and(|group| {
            let first = &pieces[group.start];
            let piece = &pieces[index];
            let words: usize = pieces[group.clone()].iter().map(Piece::words).sum();
            piece.shape == Shape::Item
                && first.shape == Shape::Item
                && piece.list == first.list
                && group.len() < MOST_SENTENCES
                && options[index].is_none()
                && options[group.start].is_none()
                && piece.words() <= SHORT_ITEM
                && words <= SHORT_ITEM * group.len()
        });
        match groups.last_mut() {
            Some(group) if joins => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// Leaves out sentences that only narrate, ask or greet.
fn keep(sentences: &[String], origin: Origin) -> Vec<String> {
    let worth = |sentence: &&String| {
        let words = word_count(sentence);
        match origin {
            Origin::Person => words >= 1,
            Origin::Agent | Origin::Plan => {
                let cues = Cues::of(sentence);
                let idle = cues.has("announcing") || choice::is_asking(sentence);
                let empty = words <= 4 && !sentence.contains('`') && !sentence.contains(':');
                !idle && !empty
            }
            Origin::Commit => words >= 3,
        }
    };
    sentences.iter().filter(worth).cloned().collect()
}

/// Cuts a run of sentences into passages of bounded length.
fn chunks(sentences: Vec<String>) -> Vec<Vec<String>> {
    let mut chunks: Vec<Vec<String>> = Vec::new();
    let mut words = 0;
    for sentence in sentences {
        let more = word_count(&sentence);
        match chunks.last_mut() {
            Some(chunk) if chunk.len() < MOST_SENTENCES && words + more <= MOST_WORDS => {
                chunk.push(sentence);
                words += more;
            }
            _ => {
                chunks.push(vec![sentence]);
                words = more;
            }
        }
    }
    chunks
}

fn fate(key: &str, picked: Option<&str>) -> Fate {
    match picked {
        Some(picked) if picked == key => Fate::Chosen,
        Some(_) => Fate::Passed,
        None => Fate::Open,
    }
}

fn picked_later(scene: &Scene<'_>, view: &View<'_>) -> Option<String> {
    let reply = scene.views[view.next_person?].turn;
    reply.blocks.first().and_then(|block| choice::picked(&block.text))
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
        let terse = word_count(text) <= 14 || turn.channel == Channel::Answer;
        if !terse {
            return None;
        }
        let question = self.pieces.iter().rev().find_map(|(line, piece)| {
            let asked = piece.sentences.iter().rev().find(|sentence| sentence.ends_with('?'))?;
            (word_count(asked) >= 4).then(|| (asked.clone(), *line))
        });
        let last =
            || self.pieces.last().and_then(|(line, piece)| Some((piece.sentences.last()?.clone(), *line)));
        question.or_else(last)
    }
}
