//! Reflection: signals become lessons, and lessons gain or lose with what came since.

mod frictions;
mod lessons;
mod wording;

use std::collections::{BTreeMap, BTreeSet};

use lore_core::text::counted;
use lore_core::{Confidence, EntryId, LifecycleState, Severity};
use lore_distill::reflect::{Drift, Friction, Insight, drift, reflect};
use lore_store::{CommitOptions, Transaction};
use serde::Serialize;

use self::lessons::in_a_line;
pub use self::wording::{KeptWording, WordingReport};
use crate::curator::Model;
use crate::signals::Notebook;
use crate::{Engine, Error};

/// From so many signals that no lesson knows on, reflection is due.
const DUE: usize = 10;
/// A serious signal that stood as it was for so many days was never acted on.
const IDLE: i64 = 30;
/// So many months are drawn.
const MONTHS: usize = 8;

/// How to reflect.
#[derive(Debug, Clone, Default)]
pub struct ReflectOptions {
    /// Say what would be learned and write nothing.
    pub dry_run: bool,
    /// Only if enough came since the last time.
    pub due: bool,
    /// Also the signals of all known projects; for the user's own base.
    pub across: bool,
}

/// A lesson as reflection tells of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LessonLine {
    /// The entry; for a rehearsal what it would be called.
    pub id: String,
    /// In a few words.
    pub title: String,
    /// In one sentence.
    pub lesson: String,
    /// When it applies.
    pub applies: String,
    /// What to do.
    pub recommendation: String,
    /// What it is about.
    pub category: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// The signals behind it.
    pub evidence: Vec<String>,
    /// Signals that speak against it.
    pub against: Vec<String>,
    /// Different sessions, phases or plans.
    pub places: usize,
    /// When it is shown unasked.
    pub triggers: Vec<String>,
    /// Who worded it in this reflection; nothing where it has the words of its signals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worded_by: Option<String>,
    /// What became of it: `new`, `stronger`, `weaker`, `same`, `recounted`, `outdated`.
    pub change: &'static str,
}

/// How often friction was seen in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MonthCount {
    /// `2026-03`.
    pub month: String,
    /// Signals that tell of trouble.
    pub trouble: usize,
    /// Signals that tell of something that went well.
    pub good: usize,
}

/// What reflection found and did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ReflectReport {
    /// Signals that were looked at.
    pub signals: usize,
    /// Of these, signals that no lesson knew.
    pub unprocessed: usize,
    /// The largest group of signals.
    pub largest: usize,
    /// Lessons, new and known, that this reflection speaks of.
    pub lessons: Vec<LessonLine>,
    /// Lessons that decayed.
    pub outdated: Vec<LessonLine>,
    /// What seems to recur and is unclear: questions for a spike.
    pub unclear: Vec<LessonLine>,
    /// What became more or less.
    pub drift: Vec<Drift>,
    /// Serious signals that nobody acted on, the oldest first.
    pub never_acted_on: Vec<(String, String)>,
    /// How many signals stand in which state.
    pub states: BTreeMap<String, usize>,
    /// Signals by month.
    pub months: Vec<MonthCount>,
    /// What came of asking an editor to word the lessons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wording: Option<WordingReport>,
    /// Whether it was not due.
    pub not_due: bool,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Reflects on the signals of this base.
    pub fn reflect(&self, options: &ReflectOptions) -> Result<ReflectReport, Error> {
        self.reflect_with(options, None)
    }

    /// Reflects on the signals of this base and has an editor word the lessons: every word of it has to stand
    /// in the signals behind the lesson, and where it does not, the lesson keeps the words that it has without
    /// an editor.
    pub fn reflect_with(
        &self,
        options: &ReflectOptions,
        model: Option<&dyn Model>,
    ) -> Result<ReflectReport, Error> {
        if options.due && model.is_some() {
            // Nobody is asked for what is not going to be written.
            let rehearsed = ReflectOptions { dry_run: true, ..options.clone() };
            let rehearsed = self.reflect(&rehearsed)?;
            if rehearsed.not_due {
                return Ok(ReflectReport { dry_run: options.dry_run, ..rehearsed });
            }
        }
        // An answer may take minutes; nothing is locked meanwhile.
        let worded = model.map(|model| self.word_lessons(model, options.across)).transpose()?;
        let (wordings, wording) = worded.unzip();
        let mut wordings = wordings.unwrap_or_default();
        let _alone = (!options.dry_run).then(|| Notebook::lock(self.store.shared())).transpose()?;
        let mut book = Notebook::load(self.store.shared());
        let signals = self.frictions(options.across)?;
        let known = self.known_lessons()?;
        let used: BTreeSet<&str> =
            known.iter().flat_map(|(_, derived)| derived).map(String::as_str).collect();
        let mut report = ReflectReport {
            signals: signals.len(),
            unprocessed: signals.iter().filter(|one| !used.contains(one.id.as_str())).count(),
            dry_run: options.dry_run,
            ..ReflectReport::default()
        };
        if options.due && report.unprocessed < DUE {
            report.not_due = true;
            return Ok(report);
        }
        let standing: Vec<Friction> =
            signals.iter().filter(|one| one.state != LifecycleState::Invalidated).cloned().collect();
        report.wording = wording;
        let mut reflection = reflect(&standing);
        wordings.remember(&mut book.no_lessons);
        let is_worded = |one: &mut Insight| wordings.has(one, &standing);
        reflection.insights.extend(reflection.unclear.extract_if(.., is_worded));
        // What an editor finds no lesson in is an open question, unless it is a lesson already.
        let is_open = |one: &Insight| {
            wordings.is_none(one, &standing)
                && lessons::lesson_for(one, &standing, &known, &BTreeSet::new()).is_none()
        };
        reflection.unclear.extend(reflection.insights.extract_if(.., |one| is_open(one)));
        report.largest = reflection.largest;
        let mut transaction = self.begin_as_machine("reflect")?;
        let mut spoken: BTreeSet<EntryId> = BTreeSet::new();
        let taken: BTreeSet<&str> = signals.iter().map(|one| one.id.as_str()).collect();
        for insight in &mut reflection.insights {
            let signed = wordings.put_into(insight, &standing);
            let by = report.wording.as_ref().filter(|_| signed.is_some()).map(|report| report.by.clone());
            let line = self.learn_from(&mut transaction, insight, &standing, &known, &mut spoken, signed)?;
            let line = LessonLine { worded_by: by, ..line };
            book.used.extend(line.evidence.iter().filter(|id| taken.contains(id.as_str())).cloned());
            report.lessons.push(line);
        }
        report.outdated = self.let_decay(&mut transaction, &known, &spoken)?;
        report.unclear = reflection.unclear.iter().map(|one| told(one, &standing, "unclear", None)).collect();
        self.look_around(&signals, &mut report);
        if !options.dry_run {
            self.conclude_reflection(transaction, &report)?;
            book.reflected = Some(self.world.now);
            book.save(self.store.shared())?;
        }
        Ok(report)
    }

    fn conclude_reflection(&self, transaction: Transaction<'_>, report: &ReflectReport) -> Result<(), Error> {
        let count = |what: &str| report.lessons.iter().filter(|line| line.change == what).count();
        let (new, moved) = (count("new"), count("stronger") + count("weaker"));
        let worded = report.lessons.iter().filter(|line| line.worded_by.is_some()).count();
        let recounted = count("recounted");
        if new + moved + worded + recounted + report.outdated.len() == 0 {
            return Ok(());
        }
        let by = report.wording.as_ref().filter(|_| worded > 0);
        let by = by.map(|wording| format!(", {worded} worded by {}", wording.by)).unwrap_or_default();
        let recounted = if recounted > 0 { format!(", {recounted} counted anew") } else { String::new() };
        let line = format!(
            "reflected on {}: {}, {moved} moved, {} outdated{recounted}{by}",
            counted(report.signals, "signal", "signals"),
            counted(new, "new lesson", "new lessons"),
            report.outdated.len()
        );
        let git = self.settings.git.commit.then(|| format!("knowledge: {line}"));
        let options =
            CommitOptions { git, log_line: Some(line.clone()), said: Some(line), ..CommitOptions::default() };
        let committed = transaction.commit(&options)?;
        self.settle_merges(&committed.files);
        Ok(())
    }

    /// Looks at what is drifting and what was never acted on.
    fn look_around(&self, signals: &[Friction], report: &mut ReflectReport) {
        let newest = signals.iter().filter_map(|one| one.at).max().unwrap_or(self.world.now);
        // A store that was imported ends where it ends; its last month is what is recent.
        report.drift = drift(signals, newest.max(newest.min(self.world.now)));
        let mut months: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for one in signals {
            *report.states.entry(one.state.word().to_owned()).or_default() += 1;
            if let Some(at) = one.at {
                let count = months.entry(at.strftime("%Y-%m").to_string()).or_default();
                if one.positive { count.1 += 1 } else { count.0 += 1 }
            }
        }
        let months: Vec<MonthCount> =
            months.into_iter().map(|(month, (trouble, good))| MonthCount { month, trouble, good }).collect();
        report.months = months[months.len().saturating_sub(MONTHS)..].to_vec();
        let idle = |one: &&Friction| {
            one.severity >= Severity::High
                && !one.positive
                && one.state == LifecycleState::Detected
                && one.at.is_some_and(|at| newest.as_second() - at.as_second() >= IDLE * 86_400)
        };
        report.never_acted_on =
            signals.iter().filter(idle).map(|one| (one.id.clone(), one.title.clone())).collect();
    }
}

fn told(
    insight: &Insight,
    signals: &[Friction],
    change: &'static str,
    lesson: Option<(&EntryId, Confidence)>,
) -> LessonLine {
    let names = |list: &[usize]| list.iter().map(|at| signals[*at].id.clone()).collect();
    LessonLine {
        id: lesson.map(|(id, _)| id.to_string()).unwrap_or_default(),
        title: in_a_line(&insight.title),
        lesson: insight.lesson.clone(),
        applies: insight.applies.clone(),
        recommendation: insight.recommendation.clone(),
        category: insight.category.to_owned(),
        confidence: lesson.map_or(insight.confidence, |(_, confidence)| confidence),
        evidence: names(&insight.evidence),
        against: names(&insight.against),
        places: insight.places,
        triggers: insight.triggers.clone(),
        worded_by: None,
        change,
    }
}
