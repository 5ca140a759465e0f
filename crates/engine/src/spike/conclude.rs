//! From measurements to a decision: outcome, answer, papers, what it rests on.

use lore_core::{Confidence, Detail, EntryId, Source, SpikeOutcome, SpikeState, Voice};
use lore_distill::spike::{CriterionVerdict, Decided, JudgedCriterion, Measured, decide, paper, plot};
use lore_surface::Inquiry;
use serde::Serialize;

use super::record::measured;
use super::view::SpikeView;
use super::workspace::{confidence, criteria, folder, illegal};
use crate::entries::in_short;
use crate::suggest::of_package;
use crate::{Engine, Error};

/// An answer that was found by reading, not by measuring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAnswer {
    /// What came out.
    pub outcome: SpikeOutcome,
    /// The answer, in one sentence.
    pub answer: String,
    /// Where it was found.
    pub source: Option<String>,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpikeDecision {
    /// The spike as it stands now.
    pub spike: SpikeView,
    /// What to take.
    pub recommended: Option<String>,
    /// Why.
    pub because: String,
    /// Every criterion with what was measured, and whether it was met.
    pub criteria: Vec<(String, String, &'static str)>,
    /// For each criterion how often an interval such as its own holds the true median; nothing where nobody measured it.
    pub coverage: Vec<Option<f64>>,
    /// What makes the answer less sure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Files that were written, relative to the base.
    pub files: Vec<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl SpikeDecision {
    /// Tells whether a criterion was told by too few numbers to be right nineteen times out of twenty.
    pub fn is_less_sure(&self, criterion: usize) -> bool {
        let coverage = self.coverage.get(criterion).copied().flatten();
        let is_told =
            self.criteria.get(criterion).is_some_and(|one| one.2 != CriterionVerdict::Unclear.words());
        is_told && coverage.is_some_and(|coverage| coverage < 0.95)
    }
}

/// Pictures of so many metrics are kept.
const PLOTS: usize = 2;

impl Engine {
    /// Compares what was measured with the criteria and writes the decision.
    pub fn decide_spike(&self, name: &str, dry_run: bool) -> Result<SpikeDecision, Error> {
        let mut transaction = self.begin("spike decide")?;
        let (mut stored, mut spike) = self.spike_in(&transaction, name)?;
        let place = self.run_place(&stored.entry.id, &stored.path);
        spike.state = Some(spike.stage().go(SpikeState::Concluded).map_err(|refused| illegal(&refused))?);
        let head = self.run_head(&place).filter(|head| head.ended.as_deref() == Some("complete"));
        let head = head.ok_or_else(|| {
            let hint = format!(
                "run it here with `lore spike run {name}`, or say what was read with --outcome and --answer"
            );
            Error::request(format!("`{}` was not measured on this machine", stored.entry.id), hint)
        })?;
        if self.experiment_hash(&stored.path).as_ref() != Some(&head.experiment) {
            let hint =
                format!("run this one with `lore spike run {name}`, or bring back the page that was run");
            let sentence = format!("`{}` was measured with another experiment", stored.entry.id);
            return Err(Error::request(sentence, hint));
        }
        let measured = measured(&head, &self.run_lines(&place, head.round));
        let wanted = criteria(&spike.criteria)?;
        let simplest =
            spike.simplest.clone().or_else(|| head.alternatives.first().cloned()).unwrap_or_default();
        let decided = decide(&measured, &wanted, &simplest);
        // Numbers of runs before the one that failed may tell something.
        if decided.outcome == SpikeOutcome::Inconclusive && measured.is_none_left() {
            return Err(not_measured(&stored.entry.id, name, &measured));
        }
        spike.outcome = Some(decided.outcome);
        let subject = Inquiry::parse(spike.question.as_deref().unwrap_or(&stored.entry.title)).subject;
        let answer = paper::answer(&spike, &decided, &subject);
        let now = self.world.moment();
        let entry = &mut stored.entry;
        entry.description = Some(answer.clone());
        let sure = if decided.warning().is_some() { Confidence::Medium } else { Confidence::High };
        entry.confidence = Some(confidence(decided.outcome).min(sure));
        entry.depends_on.extend(self.rests_on(&spike.alternatives, spike.question.as_deref()));
        entry.depends_on.extend(self.tools_of(&spike.conditions));
        entry.depends_on.sort();
        entry.depends_on.dedup();
        entry.body = paper::page(entry, &spike, Some(&answer));
        let folder = folder(&stored.path).to_owned();
        let table = format!("results/round-{}.csv", head.round);
        // A picture of numbers that are all the same says nothing.
        let varies = |metric: &String| {
            let of = |name: &String| measured.spread(name, metric);
            let spreads: Vec<_> = measured.alternatives.iter().filter_map(of).collect();
            let bounds = spreads.iter().flat_map(|spread| [spread.min, spread.max]);
            bounds.clone().any(|number| Some(number) != bounds.clone().next())
        };
        let plots: Vec<(String, String, String)> = paper::shown_metrics(&decided, &measured)
            .into_iter()
            .filter(varies)
            .filter_map(|metric| {
                Some((
                    metric.clone(),
                    format!("results/round-{}-{}.svg", head.round, lore_core::slug(&metric)),
                    plot::svg(&measured, &metric)?,
                ))
            })
            .take(PLOTS)
            .collect();
        let named: Vec<(String, String)> =
            plots.iter().map(|(metric, path, _)| (metric.clone(), path.clone())).collect();
        let round = paper::Round {
            number: head.round,
            on: head.began.clone(),
            repetitions: head.repetitions,
            plots: &named,
            table: &table,
        };
        let text = paper::decision(entry, &spike, &decided, &measured, &round);
        let source = format!("{folder}/{table}");
        if !entry.sources.iter().any(|known| known.resource == source) {
            let title = Some(format!("measurements of round {}", head.round));
            let id = Some(format!("r{}", head.round));
            entry.sources.push(Source { at: Some(now), title, id, ..Source::new(source, Voice::Tool) });
        }
        let asked_in = spike.asked_in.clone();
        entry.detail = Detail::Spike(spike);
        let mut files = vec![format!("{folder}/DECISION.md"), format!("{folder}/{table}")];
        transaction.put_paper(&files[0], &text)?;
        transaction.put_paper(&files[1], &paper::table(&measured))?;
        for (_, path, picture) in &plots {
            transaction.put_paper(&format!("{folder}/{path}"), picture)?;
            files.push(format!("{folder}/{path}"));
        }
        let id = entry.id.clone();
        let mut view = self.view(entry, &stored.path);
        transaction.replace(stored.entry, stored.version)?;
        if !dry_run {
            self.commit(transaction, &format!("decide {id}: {}", decided.outcome))?;
            self.owe_answer(asked_in.as_deref(), id.as_str())?;
            view = self.show_spike(id.as_str())?;
        }
        Ok(report(view, decided, files, dry_run))
    }

    /// Concludes a question that needed no experiment, because it was answered by reading.
    pub fn conclude_spike(
        &self,
        name: &str,
        read: &ReadAnswer,
        dry_run: bool,
    ) -> Result<SpikeDecision, Error> {
        let mut transaction = self.begin("spike conclude")?;
        let (mut stored, mut spike) = self.spike_in(&transaction, name)?;
        let answer = in_short(read.answer.trim());
        if answer.is_empty() {
            return Err(Error::request("there is no answer", "give it with --answer, in one sentence"));
        }
        spike.state = Some(spike.stage().go(SpikeState::Concluded).map_err(|refused| illegal(&refused))?);
        spike.outcome = Some(read.outcome);
        spike.conditions.push("answered by reading, nothing was measured".to_owned());
        let entry = &mut stored.entry;
        entry.description = Some(answer.clone());
        entry.confidence = Some(confidence(read.outcome).min(Confidence::Medium));
        entry.depends_on.extend(self.rests_on(&spike.alternatives, spike.question.as_deref()));
        entry.depends_on.dedup();
        entry.body = paper::page(entry, &spike, Some(&read.answer))
            .replace("- [DECISION.md](DECISION.md): what was measured, and what follows\n", "");
        if let Some(source) = &read.source {
            let at = Some(self.world.moment());
            entry.sources.push(Source {
                at,
                id: Some("read".to_owned()),
                ..Source::new(source.clone(), Voice::Web)
            });
        }
        let asked_in = spike.asked_in.clone();
        entry.detail = Detail::Spike(spike);
        let id = entry.id.clone();
        let view = self.view(entry, &stored.path);
        transaction.replace(stored.entry, stored.version)?;
        if !dry_run {
            self.commit(transaction, &format!("conclude {id}: {}", read.outcome))?;
            self.owe_answer(asked_in.as_deref(), id.as_str())?;
        }
        let because = "it was read, not measured".to_owned();
        Ok(SpikeDecision {
            spike: view,
            recommended: None,
            because,
            criteria: Vec::new(),
            coverage: Vec::new(),
            warnings: Vec::new(),
            files: Vec::new(),
            dry_run,
        })
    }

    /// Lists the tools it was measured with, as far as the project says which version it is built with.
    fn tools_of(&self, conditions: &[String]) -> Vec<String> {
        let mut verdicts = self.verdicts();
        let mut found = Vec::new();
        for said in conditions.iter().filter_map(|condition| condition.strip_prefix("with ")) {
            let mut words = said.split_whitespace();
            let tool = match words.next().unwrap_or_default().to_lowercase() {
                tool if tool == "rustc" => "rust".to_owned(),
                tool => tool.trim_end_matches(['0', '1', '2', '3', '.']).to_owned(),
            };
            let version = words.find_map(|word| {
                let mut parts = word.trim_start_matches('v').split('.');
                let (major, minor) = (parts.next()?.parse::<u32>().ok()?, parts.next()?.parse::<u32>().ok()?);
                Some(format!("{major}.{minor}"))
            });
            let condition = version.map(|version| format!("{tool} >= {version}"));
            found.extend(
                condition.filter(|one| verdicts.judge(one).truth == lore_ground::freshness::Truth::Holds),
            );
        }
        verdicts.save();
        found
    }

    /// Lists the packages of the project that a question names, in the versions that are used now.
    fn rests_on(&self, alternatives: &[String], question: Option<&str>) -> Vec<String> {
        let mut verdicts = self.verdicts();
        let used = lore_ground::stack(verdicts.project());
        let words = alternatives.iter().map(String::as_str).chain(question);
        let mut names: Vec<String> = words
            .flat_map(|text| {
                text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '@' | '/' | '.'))
            })
            .map(|word| word.trim_matches(['.', '/']).to_lowercase())
            .filter(|word| used.contains(word))
            .collect();
        names.sort();
        names.dedup();
        let found = names.iter().filter_map(|name| of_package(name, &mut verdicts)).collect();
        verdicts.save();
        found
    }
}

/// Says that no alternative ran to its end, which answers nothing.
fn not_measured(id: &EntryId, name: &str, measured: &Measured) -> Error {
    let failed: Vec<String> = measured.failed.iter().map(|(name, why)| format!("{name}: {why}")).collect();
    Error::request(
        format!("the alternatives of `{id}` could not be measured; {}", failed.join("; ")),
        format!(
            "mend EXPERIMENT.md, or install what it needs, and `lore spike run {name}` again; or say what was read with \
             --outcome and --answer"
        ),
    )
}

fn report(spike: SpikeView, decided: Decided, files: Vec<String>, dry_run: bool) -> SpikeDecision {
    let criteria = decided
        .criteria
        .iter()
        .map(|one| (one.criterion.to_string(), one.shown.clone(), one.verdict.words()))
        .collect();
    SpikeDecision {
        spike,
        coverage: decided.criteria.iter().map(JudgedCriterion::coverage).collect(),
        warnings: decided.warning().into_iter().collect(),
        recommended: decided.recommended,
        because: decided.because,
        criteria,
        files,
        dry_run,
    }
}
