//! Values that a shell offers for the word at the cursor: what only the base, the settings or this machine know.

use lore_core::text::counted;
use lore_core::{Kind, Status};

use crate::entries::Filter;
use crate::install::AGENTS;
use crate::log::LogOptions;
use crate::sessions::SessionFilter;
use crate::{Engine, config::Config};

/// So many sessions are offered, the newest.
const SESSIONS: usize = 50;
/// So many runs are.
const RUNS: usize = 30;

/// What sort of value is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Entries, by handle or by name.
    Entries,
    /// Signals among them.
    Signals,
    /// Spikes among them.
    Spikes,
    /// Past sessions.
    Sessions,
    /// Runs that can be taken back.
    Runs,
    /// Kinds of entries.
    Kinds,
    /// Tags that are used.
    Tags,
    /// Domains that are used.
    Domains,
    /// Agents we can be wired into.
    Agents,
    /// Names of settings.
    Settings,
}

/// A value, and what it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suggested {
    /// The value.
    pub value: String,
    /// A few words about it.
    pub about: String,
}

impl Suggested {
    fn new(value: impl Into<String>, about: impl Into<String>) -> Suggested {
        Suggested { value: value.into(), about: about.into() }
    }
}

impl Engine {
    /// Lists the values that begin so, the likeliest first; what cannot be listed is not.
    pub fn suggested(&self, values: Values, begun: &str) -> Vec<Suggested> {
        let of_kind = |kind: Option<Kind>| {
            let filter = Filter { kinds: kind.into_iter().collect(), ..Filter::default() };
            let mut items = self.listed(&filter).unwrap_or_default();
            // What no longer holds is seldom meant.
            items.sort_by_key(|item| !matches!(item.status, Status::Current | Status::Disputed));
            let named = items.into_iter().filter_map(|item| {
                let handle = item.handle.to_string();
                let stem =
                    item.path.rsplit('/').next().unwrap_or(&item.path).trim_end_matches(".md").to_owned();
                let value = [handle, stem].into_iter().find(|name| name.starts_with(begun))?;
                Some(Suggested::new(value, item.title))
            });
            named.collect::<Vec<_>>()
        };
        match values {
            Values::Entries => of_kind(None),
            Values::Signals => of_kind(Some(Kind::Signal)),
            Values::Spikes => of_kind(Some(Kind::Spike)),
            Values::Sessions => self.newest_sessions(begun),
            Values::Runs => {
                let chronicle = self.log_of_runs(&LogOptions { since: None, limit: Some(RUNS) });
                let runs = chronicle.map(|chronicle| chronicle.runs).unwrap_or_default();
                let runs = runs.into_iter().filter(|run| run.undone_by.is_none() && run.command != "git");
                let run = runs.filter_map(|run| {
                    let said = run.said.unwrap_or(run.command);
                    Some(Suggested::new(run.id?, format!("{} {said}", run.at)))
                });
                run.filter(|run| run.value.starts_with(begun)).collect()
            }
            Values::Tags | Values::Domains => {
                let Ok(snapshot) = self.store.snapshot() else { return Vec::new() };
                let mut counts = std::collections::BTreeMap::<String, usize>::new();
                for summary in snapshot.summaries() {
                    let words = if values == Values::Tags {
                        summary.tags.clone()
                    } else {
                        summary.domain.iter().cloned().collect()
                    };
                    for word in words.into_iter().filter(|word| word.starts_with(begun)) {
                        *counts.entry(word).or_default() += 1;
                    }
                }
                let mut found: Vec<(String, usize)> = counts.into_iter().collect();
                found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                found
                    .into_iter()
                    .map(|(word, count)| Suggested::new(word, counted(count, "entry", "entries")))
                    .collect()
            }
            Values::Kinds | Values::Agents | Values::Settings => {
                Engine::suggested_without_base(values, begun)
            }
        }
    }

    /// Lists the values that are the same everywhere.
    pub fn suggested_without_base(values: Values, begun: &str) -> Vec<Suggested> {
        let all: Vec<Suggested> = match values {
            Values::Kinds => Kind::ALL.iter().map(|kind| Suggested::new(kind.to_string(), "")).collect(),
            Values::Agents => AGENTS.iter().map(|agent| Suggested::new(agent.name, agent.title)).collect(),
            Values::Settings => {
                let config = Config::defaults();
                config.list().iter().map(|setting| Suggested::new(setting.key.clone(), "")).collect()
            }
            _ => Vec::new(),
        };
        all.into_iter().filter(|one| one.value.starts_with(begun)).collect()
    }

    /// Names the newest sessions by their files, without opening any.
    fn newest_sessions(&self, begun: &str) -> Vec<Suggested> {
        let sources = self.archive().and_then(|archive| archive.sources(&SessionFilter::default()));
        let mut sources = sources.unwrap_or_default();
        sources.sort_by_key(|found| std::cmp::Reverse(found.modified));
        let named = sources.iter().filter_map(|found| {
            let stem = found.path.file_stem()?.to_str()?;
            // Some agents put the time before the id.
            let id = stem
                .len()
                .checked_sub(36)
                .and_then(|at| stem.get(at..))
                .filter(|id| is_uuid(id))
                .unwrap_or(stem);
            let day = found.modified.map(|at| at.to_string().chars().take(10).collect::<String>());
            Some(Suggested::new(id, format!("{} {}", found.agent, day.unwrap_or_default())))
        });
        named.filter(|one| one.value.starts_with(begun)).take(SESSIONS).collect()
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
