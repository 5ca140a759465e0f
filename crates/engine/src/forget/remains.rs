//! What is out of our reach: git's history, agents' own transcripts, other clones.

use std::path::Path;

use lore_core::forget::Phrase;
use lore_ground::freshness::Project;
use lore_surface::Struck;
use serde::Serialize;

use super::eraser::Eraser;
use crate::Engine;
use crate::sessions::SessionFilter;

/// What still holds it, and what a person can do about it. We never do it ourselves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Remains {
    /// Commits whose changes hold it, with the files.
    pub commits: Vec<Holding>,
    /// Transcripts of agents that hold it.
    pub transcripts: Vec<String>,
    /// Files of the project that hold it: its own, and what was exported there.
    pub files: Vec<String>,
    /// Commands that take it out of git's history.
    pub commands: Vec<String>,
    /// Further places, in words.
    pub notes: Vec<String>,
}

/// A commit that holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Holding {
    /// The commit.
    pub commit: String,
    /// The file.
    pub file: String,
}

impl Remains {
    pub(super) fn take_in(&mut self, other: Remains) {
        self.commits.extend(other.commits);
        self.transcripts.extend(other.transcripts);
        self.files.extend(other.files);
        self.files.sort();
        self.files.dedup();
        self.commands.extend(other.commands);
        self.notes.extend(other.notes);
        self.notes.sort();
        self.notes.dedup();
    }
}

impl Engine {
    pub(super) fn remains(&self, eraser: &Eraser, phrase: Option<&Phrase>, struck: &Struck) -> Remains {
        let mut remains = Remains::default();
        if let (Some(git), Some(phrase)) = (self.store.git(), phrase) {
            let found = git.commits_with(&phrase.expression()).unwrap_or_default();
            remains.commits = found.into_iter().map(|(commit, file)| Holding { commit, file }).collect();
            if !remains.commits.is_empty() {
                let words = phrase.plain().replace(' ', r"\W+");
                remains.commands = vec![
                    format!(r"echo 'regex:(?i)(?<!\w){words}(?!\w)==>forgotten' > ../words"),
                    "git filter-repo --replace-text ../words && rm ../words".to_owned(),
                    "git reflog expire --expire=now --all && git gc --prune=now".to_owned(),
                    "git push --force --all && git push --force --tags".to_owned(),
                ];
                let everywhere = "the words go from every file of the history, code too: look at `git diff` of a copy first";
                remains.notes.push(everywhere.to_owned());
                remains.notes.push("every clone has to be made anew after history was rewritten".to_owned());
            }
        }
        remains.transcripts = struck.sources.iter().cloned().collect();
        if let Ok(archive) = self.archive_in_doubt() {
            let sources = archive.sources(&SessionFilter::default()).unwrap_or_default();
            let named = sources.iter().map(|found| found.path.to_string_lossy().into_owned());
            remains.transcripts.extend(named.filter(|path| eraser.is_in(path)));
        }
        remains.transcripts.sort();
        remains.transcripts.dedup();
        if !self.is_personal() {
            let is_transcript = |path: &String| remains.transcripts.iter().any(|known| known.ends_with(path));
            remains.files = self.files_with(eraser).into_iter().filter(|path| !is_transcript(path)).collect();
        }
        for settings in self.settings_files() {
            let text = std::fs::read_to_string(&settings.path).unwrap_or_default();
            if text.lines().any(|line| eraser.is_in_line(line)) {
                let path = settings.path.display();
                remains.notes.push(format!("your settings name it and stay as they are: {path}"));
            }
        }
        remains.notes.push("other clones forget it with `lore forget --sealed` after they merged".to_owned());
        remains
    }

    /// Lists the files of the project, outside the base, that hold it.
    fn files_with(&self, eraser: &Eraser) -> Vec<String> {
        let project = Project::new(self.project());
        let base = self.root().strip_prefix(self.project()).ok().and_then(|base| base.to_str());
        let is_outside = |path: &String| base.is_none_or(|base| !Path::new(path).starts_with(base));
        let files = project.files_that(&|text| eraser.is_in(text));
        files.into_iter().filter(is_outside).collect()
    }
}
