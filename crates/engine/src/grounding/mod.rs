//! Grounding: a question or a design held against the repository, the history and, where the user
//! set it up, the web; the answer says what it rests on, how sure it is and where sources disagree.

mod against;
mod cache;
mod cascade;
mod held;
mod sources;
mod web;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use against::Opposing;
use cascade::cascade;
pub use cascade::{Asked, AskedOutcome, Cascaded, GroundSource, SourceFailure, Stop};
use lore_core::ContentHash;
pub use lore_ground::findings::{Code, Disagreement, Finding};
use lore_ground::findings::{HIGH, LOW, confidence, disagreements, recommendation};
use lore_ground::freshness::Project;
pub use lore_ground::gate::Depth;
use lore_ground::router::{Named, RouterWeights, names_in, route};
pub use lore_ground::router::{Route, SourceKind};
use lore_ground::scan::Outlines;
use serde::{Deserialize, Serialize};
use sources::Reliance;

use crate::impact::{Impact, ImpactOptions, OUTLINES};
use crate::{Engine, Error};

/// What is looked into, and how.
#[derive(Debug, Clone)]
pub struct GroundOptions {
    /// The question or the design.
    pub question: String,
    /// How much is looked at.
    pub depth: Depth,
    /// The track it belongs to; what one track found is no other's.
    pub track: String,
    /// How long it may take, instead of what the depth says.
    pub limit: Option<Duration>,
}

impl GroundOptions {
    /// Looks into a question one source after the other.
    pub fn new(question: impl Into<String>) -> GroundOptions {
        GroundOptions { question: question.into(), depth: Depth::Standard, track: String::new(), limit: None }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grounding {
    /// The question as it was put, without anything secret.
    pub question: String,
    /// How much was looked at.
    pub depth: Depth,
    /// Which sources were chosen, and why.
    pub route: Route,
    /// What became of each source.
    pub asked: Vec<Asked>,
    /// What was found, the surest first.
    pub findings: Vec<Finding>,
    /// Where sources contradict each other.
    pub conflicts: Vec<Disagreement>,
    /// Rules and decisions that a wish or a plan does not keep to.
    pub against: Vec<Opposing>,
    /// How sure all of it is, from 0 to 1.
    pub confidence: f64,
    /// The same as a word: high, medium, low, none.
    pub level: &'static str,
    /// What to do with it.
    pub recommendation: String,
    /// What was noticed, as codes.
    pub codes: Vec<Code>,
    /// The same in words.
    pub warnings: Vec<String>,
    /// Which files a design will change, where that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// Whether the answer is one of the last five minutes.
    pub cached: bool,
}

/// What is kept of an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    findings: Vec<Finding>,
    asked: Vec<Asked>,
    codes: Vec<Code>,
}

impl Engine {
    /// Looks into a question.
    pub fn ground(&self, options: &GroundOptions) -> Result<Grounding, Error> {
        // What a track found opens its gate.
        let reliance = if options.track.is_empty() { Reliance::Anybody } else { Reliance::Persons };
        self.ground_with(options, &|engine| engine.ground_sources(reliance))
    }

    /// The same with other sources; they are only made where nothing is kept.
    pub fn ground_with(
        &self,
        options: &GroundOptions,
        sources: &dyn Fn(&Engine) -> Vec<Arc<dyn GroundSource>>,
    ) -> Result<Grounding, Error> {
        if options.question.trim().is_empty() {
            return Err(Error::request(
                "there is no question",
                "ask in words: lore ground \"where is X handled?\"",
            ));
        }
        let began = Instant::now();
        let limit = options.limit.unwrap_or(Duration::from_secs(options.depth.seconds()));
        let safe = self.store.door().written(&options.question).into_owned();
        let is_cleaned = safe != options.question;
        if is_cleaned {
            self.log(&format!("{} {}", Code::Sanitised.number(), Code::Sanitised.says()));
        }
        let named = self.known_names(&safe);
        let route = route(&safe, named, &RouterWeights::shipped());
        // The scan reads files while the sources are asked.
        let scan = (options.depth == Depth::Full).then(|| {
            let time = limit.mul_f64(0.8);
            std::thread::scope(|scope| {
                let scan =
                    scope.spawn(|| self.impact(&ImpactOptions { time, ..ImpactOptions::new(safe.as_str()) }));
                let kept = self.asked_once(options, &safe, &route, limit, sources);
                (kept, scan.join().unwrap_or(Err(Error::Panicked)))
            })
        });
        let (answer, impact) = match scan {
            Some((answer, impact)) => (answer?, Some(impact?)),
            None => (self.asked_once(options, &safe, &route, limit, sources)?, None),
        };
        self.watched.go_on()?;
        let (kept, cached) = answer;
        let against = self.against(&safe)?;
        let mut result = finished(safe, options.depth, route, kept, cached);
        if let Some(first) = against.first() {
            result.recommendation = format!(
                "stop: {}. Keep to it, or have a person write down what holds now (`lore remember \"…\"`)",
                first.short()
            );
            notice(&mut result, Code::Conflict);
        }
        result.against = against;
        if is_cleaned {
            notice(&mut result, Code::Sanitised);
        }
        if impact.as_ref().is_some_and(|impact| impact.partial) {
            notice(&mut result, Code::TimedOut);
        }
        result.impact = impact;
        tracing::debug!(millis = began.elapsed().as_millis(), "grounded");
        Ok(result)
    }

    /// Returns what is kept of the same question, or asks; who asks at the same time waits and shares.
    fn asked_once(
        &self,
        options: &GroundOptions,
        safe: &str,
        route: &Route,
        limit: Duration,
        sources: &dyn Fn(&Engine) -> Vec<Arc<dyn GroundSource>>,
    ) -> Result<(Kept, bool), Error> {
        // What was written down or removed since makes another answer.
        self.kept_or(&[&options.track, options.depth.word(), safe, &self.state_of_base()?], || {
            let all = sources(self);
            let of = |kind: SourceKind| all.iter().filter(move |source| source.kind() == kind).cloned();
            let (order, stop): (Vec<SourceKind>, Stop) = match options.depth {
                Depth::Light => (route.order.clone(), Stop::FirstAnswer),
                Depth::MiniRepo => (vec![SourceKind::Repo], Stop::FirstAnswer),
                Depth::MiniWeb => {
                    (vec![SourceKind::Web, SourceKind::History, SourceKind::Repo], Stop::FirstAnswer)
                }
                Depth::Standard => (route.order.clone(), Stop::Sure),
                Depth::Full => (route.order.clone(), Stop::Never),
            };
            let chosen: Vec<Arc<dyn GroundSource>> = order.into_iter().flat_map(of).collect();
            let done = cascade(&chosen, safe, stop, limit, &self.watched);
            // Whatever a source quotes may hold what must not be written down.
            let clean = |text: String| self.store.door().written(&text).into_owned();
            let codes = done.codes();
            let findings = done.findings.into_iter().map(|finding| Finding {
                text: clean(finding.text),
                at: clean(finding.at),
                ..finding
            });
            let asked = done.asked.into_iter().map(|asked| Asked { why: clean(asked.why), ..asked });
            Kept { findings: findings.collect(), asked: asked.collect(), codes }
        })
    }

    /// Names what stands in the base: another entry, or another word in one, is another name.
    fn state_of_base(&self) -> Result<String, Error> {
        let snapshot = self.store.snapshot()?;
        let mut versions: Vec<String> =
            snapshot.summaries().map(|summary| summary.version.to_string()).collect();
        versions.sort();
        Ok(ContentHash::of(versions.concat().as_bytes()).short().to_owned())
    }

    /// Looks up where the names in a question are known.
    fn known_names(&self, question: &str) -> Named {
        let names = names_in(question);
        if names.is_empty() {
            return Named::default();
        }
        // Only what earlier scans read: a question is not worth reading a repository twice.
        let kept = std::fs::read(self.store.work().folder().join(OUTLINES)).unwrap_or_default();
        let outlines = Outlines::from_bytes(&kept);
        let project = Project::new(self.project());
        let in_repository = names.iter().any(|name| {
            let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
            project.file(name).is_some() || outlines.defines(last)
        });
        let stack = lore_ground::stack(&project);
        let in_manifests = names.iter().any(|name| stack.contains(&name.to_lowercase()));
        let in_base = self.store.snapshot().is_ok_and(|snapshot| {
            let titles: Vec<String> =
                snapshot.summaries().map(|summary| summary.title.to_lowercase()).collect();
            names.iter().any(|name| titles.iter().any(|title| title.contains(&name.to_lowercase())))
        });
        Named { in_repository, in_base, in_manifests, nowhere: !in_repository && !in_base && !in_manifests }
    }
}

fn finished(question: String, depth: Depth, route: Route, kept: Kept, cached: bool) -> Grounding {
    let Kept { mut findings, asked, codes } = kept;
    findings.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let conflicts = disagreements(&question, &findings);
    let confidence = (confidence(&findings, &conflicts) * 100.0).round() / 100.0;
    let level = match confidence {
        c if c >= HIGH => "high",
        c if c >= LOW => "medium",
        c if c > 0.0 => "low",
        _ => "none",
    };
    let recommendation = recommendation(&findings, &conflicts, confidence);
    let mut result = Grounding {
        question,
        depth,
        route,
        asked,
        findings,
        conflicts,
        against: Vec::new(),
        confidence,
        level,
        recommendation,
        codes: Vec::new(),
        warnings: Vec::new(),
        impact: None,
        cached,
    };
    for code in codes {
        notice(&mut result, code);
    }
    if confidence < LOW && !result.codes.contains(&Code::AllFailed) {
        notice(&mut result, Code::LowConfidence);
    }
    if !result.conflicts.is_empty() {
        notice(&mut result, Code::Conflict);
    }
    result
}

fn notice(result: &mut Grounding, code: Code) {
    if !result.codes.contains(&code) {
        result.codes.push(code);
        result.codes.sort();
        result.warnings.push(format!("{} {}", code.number(), code.says()));
        result.warnings.sort();
    }
}
