//! What an agent is told in the middle of its work: before it changes a file, and after a command failed.

use lore_core::trigger::Happening;
use lore_core::{Detail, Entry, Kind, Moment};
use lore_surface::{Chosen, ContextRequest, Stack, concerning, triggered};

use super::prompt::write;
use super::session::Seen;
use super::{Context, Occasion};
use crate::gather::Gathered;
use crate::{Engine, Error};

/// What is said in the middle of work is short: so many tokens.
const BUDGET: usize = 200;
/// So many entries about a file are worth an interruption.
const ABOUT_FILES: usize = 3;
/// So many about a failure.
const ABOUT_A_FAILURE: usize = 2;
/// What one learns from when something fails, the most important first.
const LESSONS: [Kind; 4] = [Kind::Lesson, Kind::Resolution, Kind::Limitation, Kind::Pattern];
/// Words by which the line that says why is told from the rest.
const TELLING: [&str; 10] = [
    "error",
    "panick",
    "exception",
    "fail",
    "cannot",
    "can't",
    "not found",
    "no such",
    "undefined",
    "refused",
];

impl Engine {
    /// Writes what is said at work; nothing where the occasion is another.
    pub(super) fn say_at_work(
        &self,
        occasion: &Occasion,
        seen: &mut Seen,
        context: &mut Context,
    ) -> Result<Option<String>, Error> {
        let budget = BUDGET.min(context.budget);
        let text = match occasion {
            Occasion::Files(files) => self.say_about_files(files, budget, seen, context)?,
            Occasion::Failure { command, error } => {
                let happening = Happening { error, command, file: "" };
                self.say_about_failure(&happening, budget, seen, context)?
            }
            Occasion::Begin(_) | Occasion::Prompt(_) | Occasion::Whole(_) => return Ok(None),
        };
        if text.is_empty() && context.silent.is_none() {
            context.silent = Some("nothing is known about it, or it was said before".to_owned());
        }
        Ok(Some(text))
    }

    fn say_about_files(
        &self,
        files: &[String],
        budget: usize,
        seen: &mut Seen,
        context: &mut Context,
    ) -> Result<String, Error> {
        let key = |file: &String| format!("file://{file}");
        // What lies outside is worked on all the same, and nothing is known about it.
        let named = |file: &String| self.from_project(file).unwrap_or_else(|_| file.clone());
        let files: Vec<String> = files.iter().map(named).collect();
        // A file is looked up when it is first changed; an agent comes back to it again and again.
        let new: Vec<String> = files.into_iter().filter(|file| !seen.ids.contains(&key(file))).collect();
        if new.is_empty() {
            return Ok(String::new());
        }
        let picks = self.on_index(|snapshot| concerning(snapshot, &new, &seen.ids, ABOUT_FILES))?;
        seen.ids.extend(new.iter().map(key));
        let chosen = Chosen { picks, ..Chosen::default() };
        let mut judges = self.judges();
        let text = write(&chosen, (budget, ""), Moment::Instant(self.world.now), context, &mut judges);
        judges.save();
        Ok(text)
    }

    fn say_about_failure(
        &self,
        happening: &Happening<'_>,
        budget: usize,
        seen: &Seen,
        context: &mut Context,
    ) -> Result<String, Error> {
        let today = Moment::Instant(self.world.now);
        // A lesson that was made of this very failure needs no likeness.
        let picks = self.on_index(|snapshot| triggered(snapshot, happening, &seen.ids, ABOUT_A_FAILURE))?;
        if !picks.is_empty() {
            let mut judges = self.judges();
            let chosen = Chosen { picks, ..Chosen::default() };
            let text = write(&chosen, (budget, ""), today, context, &mut judges);
            judges.save();
            return Ok(text);
        }
        let stack = Stack::default();
        let words = gist(happening.error);
        let request = ContextRequest {
            prompt: &words,
            today,
            articles: ABOUT_A_FAILURE,
            passages: 0,
            seen: &seen.ids,
            kinds: &LESSONS,
            stack: &stack,
            unasked: true,
        };
        let Gathered { mut chosen, mut judges, .. } = self.gather(&request, (true, Vec::new()), 0)?;
        // A lesson that knows its error is not about another one, however alike they read.
        chosen.picks.retain(|pick| !knows_its_error(&pick.card.entry));
        context.silent.clone_from(&chosen.silent);
        let text = write(&chosen, (budget, ""), today, context, &mut judges);
        judges.save();
        Ok(text)
    }
}

fn knows_its_error(entry: &Entry) -> bool {
    let Detail::Lesson(lesson) = &entry.detail else { return false };
    lesson.triggers.iter().any(|trigger| trigger.trim_start().starts_with("error"))
}

/// Takes the lines that say why a command failed. What the command was says nothing: it fails for many reasons.
fn gist(error: &str) -> String {
    let lines: Vec<&str> = error.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let tells = |line: &&&str| {
        let line = line.to_lowercase();
        TELLING.iter().any(|word| line.contains(word))
    };
    let mut chosen: Vec<&str> = lines.iter().filter(tells).take(3).copied().collect();
    if chosen.is_empty() {
        chosen = lines.iter().rev().take(3).rev().copied().collect();
    }
    let cut = |line: &str| line.chars().take(200).collect::<String>();
    chosen.into_iter().map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_say_why_are_kept() {
        let noise = "   Compiling a\n   Compiling b\nerror[E0433]: failed to resolve: use of undeclared crate `ring`\n  --> src/a.rs\nwarning: x";
        assert_eq!(gist(noise), "error[E0433]: failed to resolve: use of undeclared crate `ring`");
        assert_eq!(gist("one\ntwo\nthree\nfour"), "two\nthree\nfour");
        assert_eq!(gist(""), "");
    }
}
