//! Holds a condition against a project.

use super::condition::{Condition, Fact};
use super::{Project, Truth, Verdict, files, git, language, packages, runtime, setting, symbol};

/// Tells whether a condition holds.
pub fn evaluate(condition: &str, project: &Project) -> Verdict {
    judge(&language::parse(condition), project)
}

fn judge(condition: &Condition, project: &Project) -> Verdict {
    match condition {
        Condition::All(parts) => Verdict::all(parts.iter().map(|part| judge(part, project)).collect()),
        Condition::Any(parts) => Verdict::any(parts.iter().map(|part| judge(part, project)).collect()),
        Condition::Not(inner) => judge(inner, project).negated(),
        Condition::Free(text) => {
            Verdict::plain(Truth::CannotTell, format!("`{text}` is for people to judge"))
        }
        Condition::TooDeep => {
            let deepest = language::DEEPEST;
            let words = format!("it has more than {deepest} parentheses within each other; write it flatter");
            Verdict::plain(Truth::CannotTell, words)
        }
        Condition::Fact(fact) => look_up(fact, project),
    }
}

fn look_up(fact: &Fact, project: &Project) -> Verdict {
    match fact {
        Fact::Package { ecosystem, name, comparators } => {
            packages::judge(project, *ecosystem, name, comparators)
        }
        Fact::Runtime { name, comparators } => runtime::judge(project, name, comparators),
        Fact::File { path, test } => files::judge(project, path, test),
        Fact::Symbol { name, path } => symbol::judge(project, name, path.as_deref()),
        Fact::Setting { path, key, equal, value } => {
            setting::judge(project, path, key, *equal, value.as_deref())
        }
        Fact::Branch(name) => git::branch(project, name),
        Fact::OnBranch(name) => git::on_branch(project, name),
        Fact::Tag(name) => git::tag(project, name),
        Fact::Unchanged { path, since } => git::unchanged(project, path, since),
        Fact::Monorepo => packages::monorepo(project),
    }
}
