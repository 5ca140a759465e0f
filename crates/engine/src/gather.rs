//! Entries for a piece of work out of several bases: this one, the user's own, other projects'.
//!
//! What another project knows is marked with its name, counts less where that project is built with
//! other things, and is judged against its own repository.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lore_core::{Entry, EntryId, Status};
use lore_surface::{
    Chosen, Considered, ContextRequest, Line, Pick, PickReason, Snapshot, Stack, choose, entry_line,
};

use crate::others::PERSONAL;
use crate::verdicts::{Judged, Verdicts, judge, standing};
use crate::{Engine, Error};

/// At the same fit, what this project knows comes first.
const AWAY: f64 = 0.95;
/// What a project knows that shares no technology with this one.
const FOREIGN: f64 = 0.6;

/// What was chosen from several bases.
pub(crate) struct Gathered {
    pub(crate) chosen: Chosen,
    pub(crate) considered: Vec<Considered>,
    pub(crate) judges: Judges,
}

/// Judges the conditions of entries, each against the repository that it is about.
pub(crate) struct Judges {
    here: Verdicts,
    abroad: BTreeMap<String, Verdicts>,
    /// Whose an entry is, where it is not from here.
    whose: BTreeMap<String, String>,
}

impl Engine {
    /// Judges entries of this base.
    pub(crate) fn judges(&self) -> Judges {
        Judges { here: self.verdicts(), abroad: BTreeMap::new(), whose: BTreeMap::new() }
    }

    /// Chooses entries from this base, unless it is left out, and from others.
    pub(crate) fn gather(
        &self,
        request: &ContextRequest<'_>,
        (own, others): (bool, Vec<(String, Engine)>),
        consulted: usize,
    ) -> Result<Gathered, Error> {
        let own_excluded = self.exclusion()?;
        let ask = |engine: &Engine| {
            let theirs = engine.exclusion()?;
            let is_off_limits = |text: &str| own_excluded.is_off_limits(text) || theirs.is_off_limits(text);
            engine.on_index(|snapshot: &Snapshot<'_>| {
                let mut chosen = choose(snapshot, request)?;
                // What was put on the shelf before the topic was left out is not told either.
                chosen.said.retain(|quote| !is_off_limits(&quote.text));
                let looked_at =
                    if consulted > 0 { chosen.considered(snapshot, request, consulted)? } else { Vec::new() };
                Ok((chosen, looked_at))
            })
        };
        let mut judges = self.judges();
        let (mut chosen, mut considered) = if own { ask(self)? } else { Default::default() };
        for one in considered.iter_mut().filter(|one| !one.depends_on.is_empty()) {
            one.freshness = standing(&one.depends_on, &mut judges.here);
        }
        let mut more = false;
        for (name, other) in others {
            let (mut theirs, mut looked_at) = ask(&other)?;
            if name == PERSONAL {
                let private: BTreeSet<String> = other.private_entries();
                theirs.picks.retain(|pick| !private.contains(pick.card.entry.id.as_str()));
                looked_at.retain(|one| !private.contains(&one.id));
            }
            let mut verdicts = if name == PERSONAL { self.verdicts() } else { other.verdicts() };
            let factor = factor(request.stack, &verdicts, &name);
            let known: BTreeSet<EntryId> =
                chosen.picks.iter().map(|pick| pick.card.entry.id.clone()).collect();
            for mut pick in theirs.picks.into_iter().filter(|pick| !known.contains(&pick.card.entry.id)) {
                // Tags that name a technology were weighed already.
                let is_neutral = (request.stack.factor(&pick.card.entry) - 1.0).abs() < f64::EPSILON;
                pick.score *= if is_neutral { factor } else { AWAY };
                judges.whose.insert(pick.card.entry.id.to_string(), name.clone());
                chosen.picks.push(pick);
                more = true;
            }
            for mut one in looked_at {
                one.freshness = standing(&one.depends_on, &mut verdicts);
                one.why = format!("in {name}: {}", one.why);
                considered.push(one);
            }
            judges.abroad.insert(name, verdicts);
        }
        if more {
            chosen.silent = None;
            chosen.picks = in_order(std::mem::take(&mut chosen.picks), request);
        } else if !own {
            chosen.silent = Some("nothing that is written there has to do with it".to_owned());
        }
        Ok(Gathered { chosen, considered, judges })
    }
}

/// Says what remains of the score of another project's entries that name no technology.
fn factor(here: &Stack, theirs: &Verdicts, name: &str) -> f64 {
    if name == PERSONAL {
        return 1.0;
    }
    match here.meets(&Stack::new(lore_ground::stack(theirs.project()))) {
        Some(false) => FOREIGN,
        _ => AWAY,
    }
}

/// Takes the best of all bases, in the order of a role's kinds; what comes along stays with its entry.
fn in_order(picks: Vec<Pick>, request: &ContextRequest<'_>) -> Vec<Pick> {
    let mut groups: Vec<(String, Vec<Pick>)> = Vec::new();
    let beside: BTreeMap<String, String> = picks.iter().filter_map(companion).collect();
    for pick in picks {
        let mut root = pick.card.entry.id.to_string();
        // As many steps as there are picks lead to the end of any chain.
        for _ in 0..beside.len() {
            let Some(of) = beside.get(&root) else { break };
            root.clone_from(of);
        }
        match groups.last_mut().filter(|(last, _)| *last == root) {
            Some((_, group)) => group.push(pick),
            None => groups.push((root, vec![pick])),
        }
    }
    let score = |group: &[Pick]| group.iter().map(|pick| pick.score).fold(0.0, f64::max);
    groups.sort_by(|(_, a), (_, b)| score(b).total_cmp(&score(a)));
    let mut left = request.articles;
    groups.retain(|(_, group)| {
        let disputed = group.iter().any(|pick| pick.card.entry.status == Status::Disputed);
        let kept = disputed || left > 0;
        left = left.saturating_sub(usize::from(!disputed));
        kept
    });
    let rank = |group: &[Pick]| {
        let first = group.iter().find(|pick| companion(pick).is_none());
        let place =
            first.and_then(|pick| request.kinds.iter().position(|kind| pick.card.entry.kind == *kind));
        Reverse(place.map_or(0, |place| request.kinds.len() - place))
    };
    groups.sort_by_key(|(_, group)| rank(group));
    groups.into_iter().flat_map(|(_, group)| group).collect()
}

fn companion(pick: &Pick) -> Option<(String, String)> {
    match &pick.reason {
        PickReason::Company { of, .. } => Some((pick.card.entry.id.to_string(), of.to_string())),
        _ => None,
    }
}

impl Judges {
    /// Judges the conditions an entry rests on.
    pub(crate) fn judge(&mut self, entry: &Entry) -> Judged {
        let name = self.whose.get(entry.id.as_str());
        let verdicts = name.and_then(|name| self.abroad.get_mut(name)).unwrap_or(&mut self.here);
        judge(entry, verdicts)
    }

    /// Returns the project an entry is from, where it is not from here.
    pub(crate) fn whose(&self, entry: &Entry) -> Option<String> {
        self.whose.get(entry.id.as_str()).cloned()
    }

    /// Writes an entry as a line that says where it is from.
    pub(crate) fn line(&self, pick: &Pick, judged: &Judged, today: lore_core::Moment) -> Line {
        let line = entry_line(pick, &judged.standing, today);
        let Some(name) = self.whose(&pick.card.entry) else { return line };
        let marked = |text: String| match text.strip_prefix("- ") {
            Some(rest) => format!("- (in {name}) {rest}"),
            None => text,
        };
        Line { short: marked(line.short), long: marked(line.long), ..line }
    }

    /// Keeps the verdicts; those of other projects stay where they were.
    pub(crate) fn save(&self) {
        self.here.save();
    }
}
