//! Reads `EXPERIMENT.md`: what is run for each alternative, how often, and within which limits.
//!
//! The page is for people; what is run stands in its code blocks, under headings that say what they are.
//! Everything that is run or written is in this one file, so that its hash is the hash of the experiment.

use std::time::Duration;

/// Where an alternative runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// In a copy of the project as it was committed last.
    #[default]
    Copy,
    /// In a git worktree of its own, for experiments that need the history.
    Worktree,
    /// In an empty folder.
    Empty,
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentPlan {
    /// How often each alternative is measured.
    pub repetitions: u32,
    /// How often each is run before that, without counting.
    pub warm_up: u32,
    /// How long one run may take.
    pub time: Duration,
    /// How much memory its processes may hold together, in bytes.
    pub memory: u64,
    /// How much it may print, in bytes.
    pub output: u64,
    /// How many processes it may have at a time.
    pub processes: u32,
    /// Where it runs.
    pub stage: Stage,
    /// Variables that are handed on besides the few that every run has.
    pub environment: Vec<String>,
    /// Commands whose first line of output says what was measured with.
    pub versions: Vec<String>,
    /// Files that are put into the place of every alternative.
    pub files: Vec<PlannedFile>,
    /// What is run once in every place.
    pub prepare: Option<String>,
    /// What is compared.
    pub alternatives: Vec<PlannedAlternative>,
}

/// A file of the experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// Its path in the place.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// One alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedAlternative {
    /// Its name.
    pub name: String,
    /// What is run once before it is measured.
    pub prepare: Option<String>,
    /// What is measured.
    pub measure: String,
}

/// Something is wrong with the page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", place(*.line))]
pub struct PlanProblem {
    /// The line; 0 where it is about the whole page.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

fn place(line: usize) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}

impl Default for ExperimentPlan {
    fn default() -> ExperimentPlan {
        ExperimentPlan {
            repetitions: 10,
            warm_up: 1,
            time: Duration::from_secs(60),
            memory: 2048 << 20,
            output: 1 << 20,
            processes: 64,
            stage: Stage::Copy,
            environment: Vec::new(),
            versions: Vec::new(),
            files: Vec::new(),
            prepare: None,
            alternatives: Vec::new(),
        }
    }
}

/// What the blocks below a heading are.
enum Section {
    Other,
    Settings,
    File(String),
    Prepare,
    Alternative,
    PrepareAlternative,
}

impl ExperimentPlan {
    /// Reads the page; what is wrong is told with its line, all of it at once.
    pub fn parse(text: &str) -> Result<ExperimentPlan, Vec<PlanProblem>> {
        let mut plan = ExperimentPlan::default();
        let mut problems = Vec::new();
        let mut section = Section::Other;
        let mut lines = text.lines().enumerate();
        while let Some((at, line)) = lines.next() {
            let wrong = |what: String| PlanProblem { line: at + 1, what };
            if let Some(fence) = fence(line) {
                let mut block = String::new();
                for (_, line) in lines.by_ref().take_while(|(_, line)| !line.trim_end().starts_with(&fence)) {
                    block.push_str(line);
                    block.push('\n');
                }
                plan.take(&section, block);
            } else if let Some(heading) = line.strip_prefix("## ") {
                section = plan.open(heading.trim(), &mut problems, at + 1);
            } else if line.trim_end() == "### Prepare" && matches!(section, Section::Alternative) {
                section = Section::PrepareAlternative;
            } else if line.trim_end() == "### Measure" && matches!(section, Section::PrepareAlternative) {
                section = Section::Alternative;
            } else if matches!(section, Section::Settings)
                && let Some(setting) = line.trim().strip_prefix("- ")
                && let Err(what) = plan.set(setting)
            {
                problems.push(wrong(what));
            }
        }
        for one in &plan.alternatives {
            if !has_commands(&one.measure) {
                problems.push(PlanProblem { line: 0, what: format!("`{}` has nothing to run", one.name) });
            }
        }
        if plan.alternatives.is_empty() {
            problems
                .push(PlanProblem { line: 0, what: "there is no heading `## Alternative: NAME`".to_owned() });
        }
        if problems.is_empty() { Ok(plan) } else { Err(problems) }
    }

    fn open(&mut self, heading: &str, problems: &mut Vec<PlanProblem>, line: usize) -> Section {
        if let Some(name) = heading.strip_prefix("Alternative:") {
            let name = name.trim().trim_matches('`').to_owned();
            if name.is_empty() || self.alternatives.iter().any(|one| one.name.eq_ignore_ascii_case(&name)) {
                let what = format!("the alternative `{name}` needs a name that no other has");
                problems.push(PlanProblem { line, what });
            }
            self.alternatives.push(PlannedAlternative { name, prepare: None, measure: String::new() });
            return Section::Alternative;
        }
        if let Some(path) = heading.strip_prefix("File:") {
            let path = path.trim().trim_matches('`').to_owned();
            let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
            if path.contains(['\\', '\0', ':']) || !path.split('/').all(plain) {
                problems
                    .push(PlanProblem { line, what: format!("the file `{path}` is not below the place") });
            }
            return Section::File(path);
        }
        match heading {
            "Settings" => Section::Settings,
            "Prepare" => Section::Prepare,
            _ => Section::Other,
        }
    }

    fn take(&mut self, section: &Section, block: String) {
        let add = |to: &mut Option<String>, block: String| match to {
            Some(text) => text.push_str(&block),
            None if has_commands(&block) => *to = Some(block),
            None => {}
        };
        match section {
            Section::File(path) => self.files.push(PlannedFile { path: path.clone(), text: block }),
            Section::Prepare => add(&mut self.prepare, block),
            Section::Alternative => {
                if let Some(last) = self.alternatives.last_mut() {
                    last.measure.push_str(&block);
                }
            }
            Section::PrepareAlternative => {
                if let Some(last) = self.alternatives.last_mut() {
                    add(&mut last.prepare, block);
                }
            }
            Section::Settings | Section::Other => {}
        }
    }

    fn set(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("`{line}` is not `NAME: VALUE`"))?;
        let (name, value) = (name.trim(), value.trim().trim_matches('`'));
        let count = |value: &str, most: u32| match value.parse::<u32>() {
            Ok(number) if number <= most => Ok(number),
            _ => Err(format!("`{name}` takes a whole number up to {most}")),
        };
        let size = |value: &str| {
            let number =
                value.strip_suffix("MB").map(str::trim).and_then(|number| number.parse::<u64>().ok());
            number
                .filter(|megabytes| (1..=1 << 20).contains(megabytes))
                .map(|megabytes| megabytes << 20)
                .ok_or_else(|| format!("`{name}` takes megabytes, such as `512 MB`"))
        };
        match name {
            "repetitions" => self.repetitions = count(value, 1000)?.max(1),
            "warm-up" => self.warm_up = count(value, 100)?,
            "processes" => self.processes = count(value, 4096)?.max(1),
            "time" => {
                let seconds = value.trim_end_matches('s').trim_end().parse::<f64>();
                let seconds = seconds.ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
                self.time = Duration::from_secs_f64(seconds.ok_or("`time` takes seconds, such as `60 s`")?);
            }
            "memory" => self.memory = size(value)?,
            "output" => self.output = size(value)?,
            "place" => {
                self.stage = match value {
                    "copy" => Stage::Copy,
                    "worktree" => Stage::Worktree,
                    "empty" => Stage::Empty,
                    _ => return Err("`place` is `copy`, `worktree` or `empty`".to_owned()),
                }
            }
            "environment" => self.environment.extend(value.split(',').map(|one| one.trim().to_owned())),
            "version" => self.versions.push(value.to_owned()),
            _ => return Err(format!("there is no setting `{name}`")),
        }
        Ok(())
    }
}

/// Returns the fence that a line opens.
fn fence(line: &str) -> Option<String> {
    let ticks = line.chars().take_while(|c| *c == '`').count();
    (ticks >= 3).then(|| "`".repeat(ticks))
}

/// Tells whether a block holds more than comments.
fn has_commands(block: &str) -> bool {
    block.lines().map(str::trim).any(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "---\ntype: spike-experiment\n---\n\n# Experiment\n\n## Settings\n\n- repetitions: 5\n- warm-up: 0\n\
                        - time: 2.5 s\n- memory: 128 MB\n- place: empty\n- version: `cc --version`\n\nSome words.\n\n\
                        ## File: `src/main.c`\n\n```c\nint main() { return 0; }\n```\n\n## Prepare\n\n```sh\ncc src/main.c\n```\n\n\
                        ## Alternative: a\n\n```sh\n./a.out\n```\n\n## Alternative: b\n\n### Prepare\n\n```sh\nmake b\n```\n\n\
                        ### Measure\n\n````sh\n./b\n```\n````\n";

    #[test]
    fn the_page_says_what_is_run() {
        let plan = ExperimentPlan::parse(PAGE).unwrap();
        assert_eq!(
            (plan.repetitions, plan.warm_up, plan.memory, plan.stage),
            (5, 0, 128 << 20, Stage::Empty)
        );
        assert_eq!(plan.time, Duration::from_millis(2500));
        assert_eq!(plan.versions, ["cc --version"]);
        assert_eq!(
            plan.files,
            [PlannedFile { path: "src/main.c".into(), text: "int main() { return 0; }\n".into() }]
        );
        assert_eq!(plan.prepare.as_deref(), Some("cc src/main.c\n"));
        let names: Vec<_> =
            plan.alternatives.iter().map(|one| (one.name.as_str(), one.measure.as_str())).collect();
        assert_eq!(names, [("a", "./a.out\n"), ("b", "./b\n```\n")]);
        assert_eq!(plan.alternatives[1].prepare.as_deref(), Some("make b\n"));
    }

    #[test]
    fn everything_that_is_wrong_is_told() {
        let check = |page: &str, expected: &[&str]| {
            let problems = ExperimentPlan::parse(page).unwrap_err();
            let told: Vec<String> = problems.iter().map(|one| one.to_string()).collect();
            assert_eq!(told.len(), expected.len(), "{told:?}");
            assert!(told.iter().zip(expected).all(|(told, part)| told.contains(part)), "{told:?}");
        };
        check("", &["no heading"]);
        check("## Alternative: a\n```sh\n# nothing yet\n```\n", &["nothing to run"]);
        check(
            "## Settings\n- speed: 3\n- place: moon\n- time: soon\n## Alternative: a\n```\ntrue\n```\n",
            &["no setting", "`place` is", "seconds"],
        );
        check(
            "## File: ../x\n## Alternative: a\n```\ntrue\n```\n## Alternative: A\n```\ntrue\n```\n",
            &["not below", "no other has"],
        );
    }
}
