//! Going through what waits, one entry after the other.

use std::io::Write as _;

use lore_engine::Engine;
use lore_engine::entries::Filter;
use lore_engine::review::{Cause, Pending, Ruling};

use super::{once, pending, show_one, show_question, told};
use crate::cli::list::FilterArgs;
use crate::cli::{Outcome, edit};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, cut, paint};

/// Shows one entry after the other and asks.
pub(super) fn walk(ui: &Ui, engine: &Engine, filter: FilterArgs, by: Option<&str>) -> Outcome {
    let pending = pending(engine, filter, by)?;
    let questions = engine.edit_questions();
    if pending.is_empty() && questions.is_empty() {
        ui.note("Nothing waits for you.");
        return Ok(Code::Done);
    }
    for question in &questions {
        ui.line("");
        show_question(ui, engine, &question.id)?;
        let answer = match question.proposals.is_empty() {
            true => answered(ui, "[n]o more of this  [enter] later  [q]uit"),
            false => answered(ui, "[y]es, do it  [n]o  [enter] later  [q]uit"),
        };
        let done = match answer.as_deref() {
            None | Some("q" | "quit") => return Ok(Code::Done),
            Some("y" | "yes") => engine.grant(&question.id, false).map(|_| "granted"),
            Some("n" | "no") => engine.dismiss(&question.id, false).map(|_| "dismissed"),
            Some(_) => continue,
        };
        match done {
            Ok(word) => ui.line(format!("{word} {}", paint(Tone::Name, &question.id))),
            // One refusal must not end the walk.
            Err(error) => drop(Failure::from(error).report(ui)),
        }
    }
    let told = once(&pending);
    let mut shown = 0;
    for (at, one) in told.iter().enumerate() {
        let id = one.item.id.to_string();
        // What was decided about another may have settled this one, and some of those behind it.
        let still = engine.to_review(&Filter::default())?;
        let waits = |one: &&&Pending| still.iter().any(|still| still.item.id == one.item.id);
        let left = told[at..].iter().filter(waits).count();
        let Some(one) = still.iter().find(|still| still.item.id == one.item.id) else { continue };
        shown += 1;
        ui.line(format!("\n{}", paint(Tone::Faint, format!("── {shown} of {}", shown + left - 1))));
        show_one(ui, engine, &id)?;
        loop {
            match ask(ui, engine, &id, one.cause) {
                Ok(Next::Another) => break,
                Ok(Next::Stop) => return Ok(Code::Done),
                Ok(Next::Again) => {}
                // One wrong answer must not end the walk.
                Err(failure) => drop(failure.report(ui)),
            }
        }
    }
    Ok(Code::Done)
}

enum Next {
    Another,
    Again,
    Stop,
}

fn ask(ui: &Ui, engine: &Engine, id: &str, cause: Cause) -> Result<Next, Failure> {
    let question = match cause {
        Cause::Disputed => {
            "[1, 2, …] is right  [b]oth are  [e]dit  [m]erge  [x] reject  [r]eplaced  [enter] later  [q]uit"
        }
        Cause::PossiblyReplaced => {
            "[1, 2, …] holds  [y] keep both  [e]dit  [m]erge  [x] reject  [r]eplaced  [enter] later  [q]uit"
        }
        Cause::New | Cause::Rejected | Cause::SetAside => {
            "[y] keep  [e]dit  [m]erge  [x] reject  [r]eplaced  [enter] later  [q]uit"
        }
    };
    let answer = answered(ui, question);
    let Some(answer) = answer else { return Ok(Next::Stop) };
    let ruling = match answer.as_str() {
        "" => return Ok(Next::Another),
        "q" | "quit" => return Ok(Next::Stop),
        // The keys of the screen, so that none of them means its opposite here.
        "y" | "yes" | "k" | "keep" => Ruling::Keep,
        "x" | "reject" => Ruling::Reject {
            why: answered(ui, "why?")
                .filter(|why| !why.is_empty())
                .unwrap_or_else(|| "not worth keeping".to_owned()),
        },
        "m" | "merge" => match answered(ui, "into which entry?").filter(|name| !name.is_empty()) {
            Some(into) => Ruling::Merge { into },
            None => return Ok(Next::Again),
        },
        "r" | "replaced" | "s" | "supersede" => {
            match answered(ui, "which entry holds instead?").filter(|name| !name.is_empty()) {
                Some(by) => Ruling::Supersede { by },
                None => return Ok(Next::Again),
            }
        }
        "b" | "both" => Ruling::Both,
        "e" | "edit" => {
            edit::open(ui, engine, id)?;
            return Ok(Next::Another);
        }
        other => match other.parse::<usize>() {
            Ok(side) => Ruling::Settle { side, says: None },
            Err(_) => {
                ui.note(format!("`{}` is not one of the answers", cut(other, 20)));
                return Ok(Next::Again);
            }
        },
    };
    ui.line(told(&engine.review(id, ruling, false)?));
    Ok(Next::Another)
}

/// Puts a question and returns the answer, or nothing where nobody is there any more.
fn answered(ui: &Ui, question: &str) -> Option<String> {
    ui.print(format!("{} ", paint(Tone::Name, question)));
    let _ = std::io::stdout().flush();
    let mut answer = String::new();
    match std::io::stdin().read_line(&mut answer) {
        Ok(read) if read > 0 => Some(answer.trim().to_owned()),
        _ => None,
    }
}
