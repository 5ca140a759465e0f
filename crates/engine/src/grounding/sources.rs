//! The sources that every project has: its code, and what is remembered of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lore_core::Voice;
use lore_ground::findings::{Finding, shared};
use lore_ground::freshness::Project;
use lore_ground::git::ask_git;
use lore_ground::router::{SourceKind, names_in};
use lore_ground::scan::{History as GitHistory, Outlines, ScanRequest, look_up};
use lore_store::Scope;
use lore_store::derived::Derived;
use lore_surface::Answering;

use super::cascade::{GroundSource, SourceFailure};
use super::web::Web;
use crate::ask::{Evidence, Question};
use crate::impact::OUTLINES;
use crate::own_files::OwnFiles;
use crate::{Engine, World};

/// Files may be read so long before a question is answered with what there is.
const READING: Duration = Duration::from_millis(2500);
/// So many of the last commits are looked through.
const COMMITS: &str = "--max-count=3000";
/// So many names of a question are looked up in what was changed, and lines are followed back so far.
const NAMES: usize = 2;
const BLAMED: &str = "--since=4.years";
/// What fits no better than this has a few common words in common with the question; what fits so well speaks of it.
const STRANGE: f64 = 0.2;
const FITS: f64 = 0.75;
/// This much remains of what no longer holds.
const OVER: f64 = 0.4;
/// Words before what they define, in the languages that have such words.
const DEFINING: &str = "fn|func|function|def|class|struct|enum|trait|interface|type|module|const|let|var|val|object|record|fun|sub";

/// No more than this is made of what only agents say: below what a gate rests on.
const HEARSAY: f64 = 0.3;

/// What an answer may rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reliance {
    /// Whatever is known.
    Anybody,
    /// What a person stands behind: an agent must not lift its own gate by writing down what it wants.
    Persons,
}

impl Engine {
    /// Makes the sources of this project.
    pub(super) fn ground_sources(&self, reliance: Reliance) -> Vec<Arc<dyn GroundSource>> {
        let (world, scope) = (self.world.clone(), self.scope.clone());
        let all: [Arc<dyn GroundSource>; 3] = [
            Arc::new(Repo {
                root: self.project().to_owned(),
                kept: self.store.work().clone(),
                world: world.clone(),
            }),
            Arc::new(Web::of(&self.settings.ground, &world)),
            Arc::new(Past { world, scope, reliance }),
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
        let own = OwnFiles::of(&self.world, &self.root);
        let request = ScanRequest {
            project: &project,
            text: question,
            history: &&GitHistory::default(),
            limit: 0,
            now: i64::try_from(self.world.now.as_nanosecond()).unwrap_or(i64::MAX),
            is_own: &|path, text| own.has(path, text),
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
    reliance: Reliance,
}

impl GroundSource for Past {
    fn kind(&self) -> SourceKind {
        SourceKind::History
    }

    fn ask(&self, question: &str) -> Result<Vec<Finding>, SourceFailure> {
        let failed = |error: crate::Error| SourceFailure::Failed(error.to_string());
        let engine = Engine::open_scope(self.world.clone(), self.scope.clone()).map_err(failed)?;
        let short: String = question.chars().take(600).collect();
        let answering = Answering::of(&short, &engine.own_names());
        let answer = engine.ask(&Question::new(short)).map_err(failed)?;
        let mut found: Vec<Finding> = answer
            .passages
            .iter()
            .take(4)
            .map(|passage| Finding {
                source: SourceKind::History,
                text: passage.text.chars().take(300).collect(),
                confidence: (self.sureness(passage, answering.fit(&passage.text)) * 100.0).round() / 100.0,
                at: lore_core::handle::shown(&passage.source),
                how: standing(passage),
            })
            .collect();
        found.extend(self.commits(question));
        found.extend(self.last_changes(question));
        Ok(found)
    }
}

impl Past {
    /// Says how sure a passage makes us, given who must stand behind it.
    fn sureness(&self, passage: &Evidence, fit: f64) -> f64 {
        let is_hearsay = passage.level == "entry" && passage.unreviewed && passage.voice != Voice::Person;
        let most = if is_hearsay && self.reliance == Reliance::Persons { HEARSAY } else { 1.0 };
        sureness(passage, fit).min(most)
    }

    /// Finds the commits that speak of what was asked.
    fn commits(&self, question: &str) -> Vec<Finding> {
        let log = ask_git(&self.scope.project, &["log", COMMITS, "--no-merges", "--format=%h %cs %s"])
            .unwrap_or_default();
        let mut scored: Vec<(f64, &str)> = log
            .lines()
            .map(|line| (shared(question, line.get(19..).unwrap_or(line)), line))
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

    /// Finds when the lines that define what was asked about were last changed, and with what words.
    fn last_changes(&self, question: &str) -> Vec<Finding> {
        let project = &self.scope.project;
        let own = OwnFiles::of(&self.world, project);
        let mut found = Vec::new();
        for name in names_in(question).iter().filter_map(|name| last_word(name)).take(NAMES) {
            let pattern = format!("({DEFINING})[[:space:]]+{name}[^[:alnum:]_]");
            let hits =
                ask_git(project, &["grep", "-nIE", "--max-count=1", "-e", &pattern]).unwrap_or_default();
            for hit in hits.lines().take(NAMES) {
                let mut parts = hit.splitn(3, ':');
                let (Some(path), Some(line)) = (parts.next(), parts.next()) else { continue };
                let text = std::fs::read_to_string(project.join(path)).unwrap_or_default();
                if own.has(path, &text) {
                    continue;
                }
                let range = format!("{line},{line}");
                let blame = ["blame", "--porcelain", BLAMED, "-L", &range, "--", path];
                let told = ask_git(project, &blame).and_then(|told| blamed(&told));
                found.extend(told.map(|(commit, day, subject)| Finding {
                    source: SourceKind::History,
                    text: format!("`{name}` was last changed on {day}: {subject}"),
                    confidence: 0.45,
                    at: format!("commit {commit} ({path}:{line})"),
                    how: "blame".to_owned(),
                }));
            }
        }
        found.truncate(NAMES);
        found
    }
}

/// Says how what is known stands.
fn standing(passage: &Evidence) -> String {
    let broken = passage.broken.as_ref().map(|why| format!("no longer holds: {why}"));
    broken.unwrap_or_else(|| passage.status.clone())
}

/// Says how sure a passage of the past makes us: by how well it fits what was asked, and how it stands.
fn sureness(passage: &Evidence, fit: f64) -> f64 {
    let stands = match passage.status.as_str() {
        // The code speaks against it.
        _ if passage.broken.is_some() => OVER,
        "current" if !passage.unreviewed => 1.0,
        "current" => 0.85,
        "uncurated" => 0.75,
        "disputed" => 0.65,
        _ => OVER,
    };
    let fits = ((fit - STRANGE) / (FITS - STRANGE)).clamp(0.0, 1.0);
    (0.1 + 0.85 * fits) * stands
}

/// `Type::method` and `module.name` are defined by their last part.
fn last_word(name: &str) -> Option<&str> {
    let last = name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|part| part.len() > 2);
    last.filter(|part| part.is_ascii())
}

/// Reads the commit, its day and its subject from what `git blame --porcelain` prints for one line.
fn blamed(told: &str) -> Option<(String, String, String)> {
    let commit: String = told.split_whitespace().next()?.chars().take(7).collect();
    let field = |name: &str| told.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let second: i64 = field("committer-time ")?.parse().ok()?;
    let day = jiff::Timestamp::from_second(second).ok()?.strftime("%Y-%m-%d").to_string();
    // What is not committed has no history yet, and where following ends git names a commit that did not touch the line.
    let is_end = told.lines().any(|line| line == "boundary");
    (commit != "0000000" && !is_end).then(|| (commit, day, field("summary ").unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_change_of_a_line_is_read() {
        let told = "5e1f0c9aa 12 12 1\nauthor Ada\nauthor-time 1767225600\ncommitter-time 1767312000\nsummary tax: round half up\nfilename src/tax.rs\n\tfn round() {\n";
        let expected = ("5e1f0c9".to_owned(), "2026-01-02".to_owned(), "tax: round half up".to_owned());
        assert_eq!(blamed(told), Some(expected));
        assert_eq!(blamed(&told.replace("5e1f0c9aa", "000000000")), None, "not committed yet");
        let end = told.replace("filename", "boundary\nfilename");
        assert_eq!(blamed(&end), None, "not followed any further");
        assert_eq!(blamed(""), None);
        assert_eq!((last_word("Tax::round"), last_word("a"), last_word("zoë")), (Some("round"), None, None));
    }
}
