//! V8: who decided can be seen in the cited lines.

use std::collections::BTreeSet;

use lore_core::{DecidedBy, Kind, LineClass, Op};

use super::form::decides_nothing;
use super::{Galley, Noticed, Room, told_by_mark};
use crate::curator::numbers::numbers;
use crate::curator::words::{Cover, content, names};
use crate::extract::sentence::sentences;

/// So much of a sentence must be said by somebody who decides something.
pub(super) const COVERED: f64 = 0.5;

/// V8: who decided can be seen in the cited lines; what is only pasted or refused is asked about.
pub(super) fn decided_by(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let lost = without_pasted(galley, room);
    let classes: BTreeSet<LineClass> = galley.cited(room).iter().map(|line| line.class).collect();
    let typed = classes.contains(&LineClass::Typed);
    let plan = classes.contains(&LineClass::PlanAccepted);
    let agents = classes.iter().any(|class| class.is_agents() && *class != LineClass::PlanRefused);
    let asked = galley.edit.decided_by;
    let is_ruling = matches!(galley.edit.kind, Some(Kind::Decision | Kind::Preference));
    let given = match asked {
        Some(DecidedBy::Person) if typed => DecidedBy::Person,
        Some(DecidedBy::Agreed | DecidedBy::Person) if plan => DecidedBy::Agreed,
        Some(DecidedBy::Agreed) if typed && agents => DecidedBy::Agreed,
        Some(DecidedBy::Agreed) if typed => DecidedBy::Person,
        Some(DecidedBy::Person | DecidedBy::Agreed) if agents => DecidedBy::Agent,
        Some(DecidedBy::Person | DecidedBy::Agreed) => DecidedBy::Nobody,
        Some(DecidedBy::Agent) if !agents => {
            if typed {
                DecidedBy::Person
            } else {
                DecidedBy::Nobody
            }
        }
        Some(other) => other,
        None if is_ruling && typed => DecidedBy::Person,
        None if is_ruling && agents => DecidedBy::Agent,
        None => DecidedBy::Nobody,
    };
    galley.edit.decided_by = Some(given);
    if let Some(noticed) = rests_on_nothing(galley, room) {
        return noticed;
    }
    match asked {
        Some(asked) if given < asked => {
            Noticed::Lower(format!("the cited lines show that `{given}` decided, not `{asked}`"))
        }
        _ => lost.map_or(Noticed::Fine, Noticed::Lower),
    }
}

/// Leaves out what was before and why where only pasted words say it.
fn without_pasted(galley: &mut Galley<'_>, room: &Room<'_>) -> Option<String> {
    let packet = room.context.packet;
    let own = |numbers: &[u32], nothing: fn(LineClass) -> bool| -> Vec<u32> {
        let decides = |number: &u32| packet.line(*number).is_some_and(|line| !nothing(line.class));
        numbers.iter().copied().filter(decides).collect()
    };
    let mut lost = None;
    if let Some(was) = galley.edit.was.clone() {
        // A plan that was refused is what was given up.
        let cover = galley.cover(&own(&was.lines, |class| class == LineClass::Pasted), room);
        if !is_covered(&was.text, &cover) {
            galley.edit.was = None;
            lost = Some("what was before is left out: only pasted words say it".to_owned());
        }
    }
    if let Some(reason) = galley.edit.reason.clone() {
        let cover = galley.cover(&own(&galley.edit.lines, decides_nothing), room);
        if !is_covered(&reason, &cover) {
            galley.edit.reason = None;
            lost = Some("the reason is left out: only pasted words or a refused plan give it".to_owned());
        }
    }
    lost
}

pub(super) fn is_covered(text: &str, cover: &Cover) -> bool {
    sentences(text).into_iter().all(|sentence| cover.share(sentence) >= COVERED)
}

/// Finds what only pasted words or a refused plan say: a sentence is asked about, a name or number is
/// looked at again.
fn rests_on_nothing(galley: &Galley<'_>, room: &Room<'_>) -> Option<Noticed> {
    let deciding = galley.cited(room).into_iter().filter(|line| !decides_nothing(line.class));
    let deciding: Vec<u32> = deciding.map(|line| line.number).collect();
    if deciding.len() == galley.edit.lines.len() {
        return None;
    }
    let mut cover = galley.cover(&deciding, room);
    // That a plan was refused decides nothing and is known all the same.
    galley.cited(room).iter().for_each(|line| cover.add(told_by_mark(line.class)));
    let text = galley.edit.said();
    if deciding.is_empty() || !is_covered(text, &cover) || adds_what_is_pasted(galley, &deciding, room) {
        return Some(Noticed::Propose("only pasted words or a refused plan speak for it".to_owned()));
    }
    let name = names(text).into_iter().find(|name| !cover.has_name(name));
    let number =
        numbers(text).into_iter().find(|(_, ways)| !cover.has_number(ways)).map(|(written, _)| written);
    name.or(number).map(|value| Noticed::Flag(format!("only pasted words or a refused plan name `{value}`")))
}

/// Tells whether what a sentence says beyond its entry is said by nobody who decides something: the entry's
/// own words would cover half of any sentence about the same thing.
fn adds_what_is_pasted(galley: &Galley<'_>, deciding: &[u32], room: &Room<'_>) -> bool {
    if galley.target.is_none() || galley.edit.op == Op::New {
        return false;
    }
    let known = galley.cover(&[], room);
    let lines = deciding.iter().filter_map(|number| room.context.packet.line(*number));
    let said = Cover::of(lines.map(|line| line.text.as_str()));
    sentences(galley.edit.said()).into_iter().any(|sentence| {
        let stems = content(sentence);
        let beyond: Vec<&String> = stems.iter().filter(|stem| !known.stems.contains(*stem)).collect();
        let covered = beyond.iter().filter(|stem| said.stems.contains(**stem)).count();
        (covered as f64) < COVERED * beyond.len() as f64
    })
}
