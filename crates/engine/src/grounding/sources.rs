//! The sources that every project has: its code, and what is remembered of it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lore_ground::findings::{Finding, words};
use lore_ground::freshness::Project;
use lore_ground::router::{SourceKind, names_in};
use lore_ground::scan::{History as GitHistory, Outlines, ScanRequest, look_up};
use lore_store::Scope;
use lore_store::derived::Derived;

use super::cascade::{GroundSource, SourceFailure};
use super::web::Web;
use crate::ask::Question;
use crate::impact::OUTLINES;
use crate::{Engine, World};

/// Files may be read so long before a question is answered with what there is.
const READING: Duration = Duration::from_millis(2500);
/// So many of the last commits are looked through.
const COMMITS: &str = "--max-count=3000";

impl Engine {
    /// Makes the sources of this project.
    pub(super) fn ground_sources(&self) -> Vec<Arc<dyn GroundSource>> {
        let (world, scope) = (self.world.clone(), self.scope.clone());
        let all: [Arc<dyn GroundSource>; 3] = [
            Arc::new(Repo {
                root: self.project().to_owned(),
                kept: self.store.work().clone(),
                world: world.clone(),
            }),
            Arc::new(Web::of(&self.settings.ground, &world)),
            Arc::new(Past { world, scope }),
        ];
        let is_asked = |source: &Arc<dyn GroundSource>| {
            self.settings.ground.sources.iter().any(|word| word == source.kind().word())
        };
        all.into_iter().filter(is_asked).collect()
    }
}

/// The code of the repository.
struct Repo {
    root: PathBuf,
    kept: Derived,
    world: World,
}

impl GroundSource for Repo {
    fn kind(&self) -> SourceKind {
        SourceKind::Repo
    }

    fn ask(&self, question: &str) -> Result<Vec<Finding>, SourceFailure> {
        let began = Instant::now();
        let bytes = std::fs::read(self.kept.folder().join(OUTLINES)).unwrap_or_default();
        let mut outlines = Outlines::from_bytes(&bytes);
        let project = Project::new(&self.root);
        let request = ScanRequest {
            project: &project,
            text: question,
            history: &GitHistory::default(),
            limit: 0,
            now: i64::try_from(self.world.now.as_nanosecond()).unwrap_or(i64::MAX),
            time_is_up: &|| began.elapsed() >= READING,
        };
        let found = look_up(&request, &names_in(question), &mut outlines);
        // What cannot be kept is read again next time.
        let bytes = outlines.to_bytes();
        let _ = self.kept.write(OUTLINES, &bytes);
        Ok(found)
    }
}

/// The knowledge base, past sessions, and the log of git.
struct Past {
    world: World,
    scope: Scope,
}

impl GroundSource for Past {
    fn kind(&self) -> SourceKind {
        SourceKind::History
    }

    fn ask(&self, question: &str) -> Result<Vec<Finding>, SourceFailure> {
        let failed = |error: crate::Error| SourceFailure::Failed(error.to_string());
        let engine = Engine::open_scope(self.world.clone(), self.scope.clone()).map_err(failed)?;
        let short: String = question.chars().take(600).collect();
        let answer = engine.ask(&Question::new(short)).map_err(failed)?;
        let mut found: Vec<Finding> = answer
            .passages
            .iter()
            .take(4)
            .map(|passage| {
                let base = if answer.known { 0.55 } else { 0.15 };
                let standing = match passage.status.as_str() {
                    "current" if !passage.unreviewed => 0.25,
                    "current" => 0.1,
                    "uncurated" => 0.0,
                    "disputed" => -0.15,
                    _ => -0.35,
                };
                Finding {
                    source: SourceKind::History,
                    text: passage.text.chars().take(300).collect(),
                    confidence: ((base + standing + 0.15 * passage.score) * 100.0).round() / 100.0,
                    at: lore_core::handle::shown(&passage.source),
                    how: passage.status.clone(),
                }
            })
            .collect();
        found.extend(self.commits(question));
        Ok(found)
    }
}

impl Past {
    /// Finds the commits that speak of what was asked, and who last touched the lines that define it.
    fn commits(&self, question: &str) -> Vec<Finding> {
        let asked = words(question);
        let log = self.git(&["log", COMMITS, "--no-merges", "--format=%h %cs %s"]).unwrap_or_default();
        let mut scored: Vec<(f64, &str)> = log
            .lines()
            .map(|line| {
                let said = words(line.get(19..).unwrap_or(line));
                let shared = said.intersection(&asked).count() as f64;
                (shared / (asked.len().clamp(1, 12) as f64), line)
            })
            .filter(|(share, _)| *share >= 0.3)
            .collect();
        // The log is newest first, and sorting keeps that order among equals.
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let commits = scored.into_iter().take(2).map(|(share, line)| Finding {
            source: SourceKind::History,
            text: line.to_owned(),
            confidence: ((0.25 + 0.3 * share.min(1.0)) * 100.0).round() / 100.0,
            at: format!("commit {}", line.split(' ').next().unwrap_or_default()),
            how: "commit".to_owned(),
        });
        commits.collect()
    }

    fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("git")
            .arg("-C")
            .arg(&self.scope.project)
            .args([
                "-c",
                "core.fsmonitor=false",
                "-c",
                "safe.bareRepository=explicit",
                "-c",
                "log.showSignature=false",
            ])
            .args(arguments)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .output()
            .ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
