//! `lore list`

use lore_core::{Kind, Status};
use lore_engine::Engine;
use lore_engine::entries::{Filter, Item};
use serde::Serialize;

use super::{Outcome, words};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, cut, paint};

#[derive(Debug, Clone, clap::Args)]
#[command(
    after_help = "Examples:\n  lore list --type decision --since 2026-01-01\n  lore list --status disputed\n  lore list --rules"
)]
pub(super) struct Args {
    #[command(flatten)]
    filter: FilterArgs,
    /// Only the rules people set, those they confirmed first: what every session is told
    #[arg(long)]
    rules: bool,
    /// Show at most this many
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
}

/// Which entries are wanted; shared by `list` and `export`.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct FilterArgs {
    /// Only this kind; may be repeated
    #[arg(long = "type", short = 't', value_name = "KIND", value_parser = words::kinds())]
    kinds: Vec<String>,
    /// Only this status: current, outdated, superseded or disputed
    #[arg(long, value_parser = words::statuses())]
    status: Option<String>,
    /// Only with this tag or one below it
    #[arg(long)]
    tag: Option<String>,
    /// Only of this issue
    #[arg(long)]
    issue: Option<String>,
    /// Only about this file or folder
    #[arg(long)]
    file: Option<String>,
    /// Only changed on or after this day: `2026-01-31`, `7d`, `yesterday`, `monday`
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Also what lies in the archive
    #[arg(long)]
    archived: bool,
    /// Only what no person has confirmed
    #[arg(long)]
    unverified: bool,
}

impl FilterArgs {
    pub(super) fn resolve(self, engine: &Engine) -> Result<Filter, Failure> {
        let status = match &self.status {
            None => None,
            Some(word) => Some(Status::from_word(word).ok_or_else(|| {
                let hint = "use current, outdated, superseded or disputed";
                Failure::usage(format!("`{word}` is not a status"), hint)
            })?),
        };
        let kinds: Result<Vec<Kind>, _> = self.kinds.iter().map(|word| word.parse::<Kind>()).collect();
        Ok(Filter {
            kinds: kinds.map_err(lore_engine::Error::from)?,
            status,
            tag: self.tag,
            issue: self.issue.map(|issue| issue.trim_start_matches('#').to_owned()),
            file: self.file.as_deref().map(|file| engine.from_project(file)).transpose()?,
            since: self.since.as_deref().map(|text| engine.looking_back(text)).transpose()?,
            archived: self.archived,
            unverified: self.unverified,
        })
    }
}

#[derive(Debug, Serialize)]
struct Listing<'a> {
    total: usize,
    entries: &'a [Item],
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let filter = args.filter.resolve(engine)?;
    let items = if args.rules { engine.rules(&filter)? } else { engine.list(&filter)? };
    let shown = &items[..items.len().min(args.limit.unwrap_or(usize::MAX))];
    if ui.is_json() {
        ui.json("lore.list/1", &Listing { total: items.len(), entries: shown });
        return Ok(Code::Done);
    }
    if items.is_empty() && args.rules {
        ui.note("No rules. `lore remember \"Always …\"` sets one.");
    } else if items.is_empty() && filter != Filter::default() {
        ui.note("No entry fits. `lore list` shows every one, `lore list --archived` those put away too.");
    } else if items.is_empty() {
        ui.note("No entries. `lore new \"…\"` writes one, `lore import PATH` takes in a store.");
    }
    for item in shown {
        ui.line(line(item));
        for rule in &item.also {
            ui.line(format!("  · {}", cut(rule, 76)));
        }
    }
    if shown.len() < items.len() {
        ui.note(format!("… and {} more", items.len() - shown.len()));
    }
    Ok(Code::Done)
}

/// Renders an entry in two lines of at most 80 columns: the title, and what it is.
pub(super) fn line(item: &Item) -> String {
    let status = match item.status {
        Status::Current if item.is_unreviewed() => format!(" {}", paint(Tone::Faint, "unreviewed")),
        Status::Current => String::new(),
        Status::Disputed => format!(" {}", paint(Tone::Bad, "disputed")),
        other => format!(" {}", paint(Tone::Warn, other.word())),
    };
    let replaced = match item.possibly_replaced {
        // The title is what was said last; the mark is about what it may have replaced.
        true => format!(" {}", paint(Tone::Warn, "possibly replaces another statement")),
        false => String::new(),
    };
    let broken = match item.broken {
        Some(_) => format!(" {}", paint(Tone::Bad, "no longer holds")),
        None => String::new(),
    };
    let day = item.updated.map(|moment| moment.date().to_string()).unwrap_or_default();
    let title = cut(&item.title, 68);
    let facts = format!("{:<12} {day:<10}", item.kind.word());
    format!(
        "{}{status}{replaced}{broken}\n  {} {}",
        paint(Tone::Strong, title),
        paint(Tone::Faint, facts),
        paint(Tone::Name, item.id.handle().as_str())
    )
}
