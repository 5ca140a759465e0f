//! Lessons in the words of an editor: asked before anything is locked, taken only where the signals cover it.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::redact::Redactor;
use lore_core::{Curator, EDITED, Entry, LifecycleState};
use lore_distill::curator::{
    Editor, LessonPacket, WordedLesson, lesson_packets, read_remainders, read_second_look,
};
use lore_distill::reflect::{Friction, Insight, reflect};
use serde::Serialize;
use serde_json::json;

use super::lessons::{in_a_line, lesson_for};
use crate::curator::{Errand, Model, ModelReply, ModelRequest, Unanswered};
use crate::signals::Notebook;
use crate::{Engine, Error};

/// What came of asking an editor for better words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct WordingReport {
    /// Who was asked.
    pub by: String,
    /// Lessons that were to be worded.
    pub asked: usize,
    /// Lessons that have its words.
    pub worded: usize,
    /// Lessons that keep ours, and why.
    pub kept: Vec<KeptWording>,
    /// What the editor finds no lesson in; what is known already stays.
    pub none: Vec<String>,
    /// Tokens that went out and were answered.
    pub tokens_in: usize,
    /// Tokens that came back.
    pub tokens_out: usize,
    /// Answers that were known from an earlier run and cost nothing.
    pub remembered: usize,
    /// Why it ended before everything was asked.
    pub stopped: Option<String>,
}

/// A lesson that keeps the words of its signals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeptWording {
    /// The lesson.
    pub title: String,
    /// Why the editor's words were not taken.
    pub why: String,
}

/// Signals that an editor took off a lesson.
const LEFT_OUT: &str = "left_out";

/// What becomes of each lesson that was asked about.
type Settled = BTreeMap<usize, Result<WordedLesson, String>>;

/// Words for lessons, found again by the signals that each rests on.
#[derive(Debug, Default)]
pub(super) struct Wordings {
    by: String,
    words: BTreeMap<BTreeSet<String>, (WordedLesson, String)>,
    /// Signals that an editor finds no lesson in.
    none: BTreeSet<BTreeSet<String>>,
}

impl Wordings {
    /// Tells whether an editor finds no lesson in the signals of an insight.
    pub(super) fn is_none(&self, insight: &Insight, signals: &[Friction]) -> bool {
        self.none.contains(&evidence(insight, signals))
    }

    /// Tells whether an editor has words for the signals of an insight.
    pub(super) fn has(&self, insight: &Insight, signals: &[Friction]) -> bool {
        self.words.contains_key(&evidence(insight, signals))
    }

    /// Remembers what editors found no lesson in, and forgets it where one finds a lesson in it after all.
    pub(super) fn remember(&mut self, none: &mut BTreeSet<BTreeSet<String>>) {
        none.retain(|signals| !self.words.contains_key(signals));
        none.append(&mut self.none);
        self.none.clone_from(none);
    }

    /// Puts an editor's words in the place of ours, where it has any for these signals, and takes those off that
    /// tell of something else; returns its signature.
    pub(super) fn put_into(&self, insight: &mut Insight, signals: &[Friction]) -> Option<serde_json::Value> {
        let all = evidence(insight, signals);
        let (worded, packet) = self.words.get(&all)?;
        insight.narrow(signals, |signal| worded.rests_on.contains(&signal.id));
        insight.title.clone_from(&worded.title);
        insight.lesson.clone_from(&worded.lesson);
        insight.recommendation.clone_from(&worded.recommendation);
        if let Some(applies) = &worded.applies {
            insight.applies.clone_from(applies);
        }
        let left_out: Vec<&String> = all.difference(&worded.rests_on).collect();
        Some(json!({ "by": self.by, "packet": packet, LEFT_OUT: left_out }))
    }
}

/// Tells whether a lesson still has the words that code gave it.
pub(super) fn has_our_words(lesson: &Entry) -> bool {
    lesson.curated_by == Curator::Auto
        && !lesson.is_verified_by_a_person()
        && !lesson.extra.contains_key(EDITED)
}

/// Tells whether an editor took a signal off a lesson: it shares words with it, and tells of something else.
pub(super) fn was_left_out(lesson: &Entry, signal: &str) -> bool {
    let left = lesson.extra.get(EDITED).and_then(|edited| edited.get(LEFT_OUT)?.as_array());
    left.is_some_and(|left| left.iter().any(|id| id.as_str() == Some(signal)))
}

fn evidence(insight: &Insight, signals: &[Friction]) -> BTreeSet<String> {
    insight.evidence.iter().filter_map(|at| signals.get(*at)).map(|one| one.id.clone()).collect()
}

impl Engine {
    /// Asks an editor to word the lessons that nobody has worded yet.
    pub(super) fn word_lessons(
        &self,
        model: &dyn Model,
        across: bool,
    ) -> Result<(Wordings, WordingReport), Error> {
        let mut signals = self.frictions(across)?;
        signals.retain(|one| one.state != LifecycleState::Invalidated);
        let known = self.known_lessons()?;
        // What nobody can say by rules an editor may be able to.
        let reflection = reflect(&signals);
        let insights = [reflection.insights, reflection.unclear].concat();
        let known_as_none = Notebook::load(self.store.shared()).no_lessons;
        let none = BTreeSet::new();
        let wants = |at: &usize| {
            let lesson = lesson_for(&insights[*at], &signals, &known, &none);
            lesson.is_none_or(|(lesson, _)| has_our_words(lesson))
                && !known_as_none.contains(&evidence(&insights[*at], &signals))
        };
        let wanted: Vec<usize> = (0..insights.len()).filter(wants).collect();
        let by = Editor::Model(model.name().to_owned()).to_string();
        let mut wordings = Wordings { by, words: BTreeMap::new(), none: BTreeSet::new() };
        let mut report =
            WordingReport { by: model.name().to_owned(), asked: wanted.len(), ..WordingReport::default() };
        for packet in lesson_packets(&wanted, &insights, &signals) {
            let (settled, none) = match self.ask_for_words(model, &packet, &mut report) {
                Ok(answered) => answered,
                Err(Unanswered::Unreadable(why)) => {
                    (packet.asked().map(|at| (at, Err(why.clone()))).collect(), Vec::new())
                }
                Err(Unanswered::Model(error)) => {
                    report.stopped = Some(error.to_string());
                    break;
                }
                Err(Unanswered::Budget(why)) => {
                    report.stopped = Some(why);
                    break;
                }
            };
            for at in none {
                report.none.push(in_a_line(&insights[at].title));
                wordings.none.insert(evidence(&insights[at], &signals));
            }
            for (at, settled) in settled {
                let insight = &insights[at];
                let is_enough = |worded: &WordedLesson| {
                    insight.clone().narrow(&signals, |signal| worded.rests_on.contains(&signal.id))
                };
                match settled {
                    Ok(worded) if !is_enough(&worded) => {
                        let why = "the signals it cites are all of one place".to_owned();
                        report.kept.push(KeptWording { title: in_a_line(&insight.title), why });
                    }
                    Ok(worded) => {
                        let name = packet.packet.id.to_string();
                        wordings.words.insert(evidence(insight, &signals), (worded, name));
                    }
                    Err(_) if wordings.is_none(insight, &signals) => {}
                    Err(why) => report.kept.push(KeptWording { title: in_a_line(&insight.title), why }),
                }
            }
        }
        report.worded = wordings.words.len();
        Ok((wordings, report))
    }

    /// Asks about some lessons, and once more about what may be turned round.
    fn ask_for_words(
        &self,
        model: &dyn Model,
        packet: &LessonPacket,
        report: &mut WordingReport,
    ) -> Result<(Settled, Vec<usize>), Unanswered> {
        let redactor = Redactor::with_patterns(&self.settings.redact.patterns)
            .map_err(|error| Unanswered::Budget(error.to_string()))?;
        let mut ask = |errand: Errand, text: &str, is_whole: &dyn Fn(&ModelReply) -> bool| {
            let request = ModelRequest { errand, packet: &packet.packet, text };
            let asked = self.ask_model(model, &request, report.tokens_in + report.tokens_out, is_whole)?;
            report.tokens_in += asked.sent;
            report.tokens_out += asked.got;
            report.remembered += usize::from(asked.remembered);
            Ok(asked.reply.text)
        };
        // What is refused whole is worth another try, not a memory.
        let can_be_read = |reply: &ModelReply| {
            !reply.cut_off && packet.read(&reply.text, &redactor).is_ok_and(|sheet| sheet.is_of_use())
        };
        let answer = ask(Errand::Lessons, &packet.packet.text, &can_be_read)?;
        let mut sheet = packet.read(&answer, &redactor).map_err(Unanswered::Unreadable)?;
        let is_look = |reply: &ModelReply| !reply.cut_off && !read_second_look(&reply.text).is_empty();
        // What nobody looked at again is not taken.
        let looked =
            packet.second_look(&sheet).and_then(|request| ask(Errand::Look, &request, &is_look).ok());
        let looked = looked.unwrap_or_default();
        let mut looks = read_second_look(&looked);
        packet.shorten(&mut sheet, &mut looks, &read_remainders(&looked), &redactor);
        let none = sheet.no_lessons().collect();
        Ok((packet.settle(sheet, &looks), none))
    }
}
