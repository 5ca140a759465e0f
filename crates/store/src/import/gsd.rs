//! GSD stores: signals, spikes, lessons and reflections.

use jiff::civil::Date;
use lore_core::{
    Curator, Detail, Entry, Kind, Level, LifecycleState, SignalType, Source, SpikeState, Stamp, Voice,
};

use super::walk::Found;
use super::{ImportOptions, ImportReport, Imported, Left, Page, finish, first_sentence, page};
use crate::format::decode::{day_in, stem};
use crate::format::fields::Fields;
use crate::format::node::Node;
use crate::format::title;

/// Reads every file of a GSD store.
pub(super) fn read(files: &[Found], options: &ImportOptions, report: &mut ImportReport) {
    for file in files {
        match entry(file, options) {
            Ok(imported) => report.entries.push(imported),
            Err(left) => report.left.push(left),
        }
    }
}

fn entry(file: &Found, options: &ImportOptions) -> Result<Imported, Left> {
    let leave = |why: &str| Err(Left { from: file.relative.clone(), why: why.to_owned() });
    let Some(kind) = kind_of(file) else {
        return match file.name() {
            "index.md" => leave("a generated index; ours is generated anew"),
            name if name.starts_with("kb.db") => leave("a derived database"),
            _ => leave("it lies in none of signals, spikes, lessons, reflections"),
        };
    };
    if file.name() == "index.md" {
        return leave("a generated index; ours is generated anew");
    }
    if file.ending() != "md" {
        return leave("not a Markdown file");
    }
    let Page { mut fields, body, diagnostics } = page(file)?;
    settle_type(&mut fields, kind);
    if kind == Kind::Spike {
        settle_spike(&mut fields);
    }
    if kind == Kind::Signal {
        settle_lifecycle(&mut fields);
        settle_signal_type(&mut fields);
        if fields.peek("polarity").is_none()
            && let Some(category) = fields.peek("signal_category").cloned()
        {
            fields.set("polarity", category);
        }
    }
    let day = day_of(&fields, stem(&file.relative));
    if fields.peek("created").is_none_or(Node::is_empty)
        && fields.peek("date").is_none()
        && let Some(day) = day
    {
        fields.set("created", Node::Plain(day.to_string()));
    }
    let mut imported = finish(&file.relative, &renamed(file, kind), fields, body, diagnostics);
    complete(&mut imported, file, options);
    Ok(imported)
}

fn kind_of(file: &Found) -> Option<Kind> {
    let folders = [
        ("signals", Kind::Signal),
        ("spikes", Kind::Spike),
        ("lessons", Kind::Lesson),
        ("reflections", Kind::Event),
    ];
    folders.into_iter().find(|(folder, _)| file.is_under(folder)).map(|(_, kind)| kind)
}

/// Lets the folder decide the kind. Some signals carry their signal type in `type`.
fn settle_type(fields: &mut Fields, kind: Kind) {
    let written = fields.take("type");
    fields.set("type", Node::Plain(kind.word().to_owned()));
    let Some((node, line)) = written else { return };
    let Some(word) = node.text().map(str::to_ascii_lowercase) else { return };
    if word == kind.word() {
        return;
    }
    let signal_type = match word.replace('_', "-").as_str() {
        "positive-pattern" => Some(SignalType::GoodPattern),
        other => SignalType::from_word(other),
    };
    if kind == Kind::Signal && fields.peek("signal_type").is_none_or(Node::is_empty) {
        let known = signal_type.unwrap_or(SignalType::Custom);
        fields.set("signal_type", Node::Plain(known.word().to_owned()));
    }
    let message = format!("`type` says `{word}`; the folder says `{kind}`");
    fields.report(Level::Note, "type-by-folder", line, message, &format!("write `type: {kind}`"));
    fields.unread.push(("type".to_owned(), node));
}

/// Reads signal types that are none of ours as `custom`; the word stays beside.
fn settle_signal_type(fields: &mut Fields) {
    let Some(word) = fields.peek("signal_type").and_then(Node::text).map(str::to_owned) else { return };
    if word.trim().is_empty() || SignalType::from_word(&word).is_some() {
        return;
    }
    if let Some((node, line)) = fields.take("signal_type") {
        let message = format!("`signal_type` has no value `{word}`; read as `custom`");
        fields.report(Level::Note, "unknown-word", line, message, "write `signal_type: custom`");
        fields.set("signal_type", Node::Plain("custom".to_owned()));
        fields.unread.push(("signal_type".to_owned(), node));
    }
}

/// Lets the `status` of a spike say how far it has come, where that is what it says.
fn settle_spike(fields: &mut Fields) {
    let state = fields.peek("status").and_then(Node::text).and_then(SpikeState::from_word);
    // An archived entry is outdated, which is what our status says of it.
    let state = state.filter(|state| *state != SpikeState::Archived);
    if let (Some(state), None) = (state, fields.peek("state")) {
        fields.set("status", Node::Plain("current".to_owned()));
        fields.set("state", Node::Plain(state.word().to_owned()));
    }
}

/// Lets `status`, `lifecycle` and `lifecycle_state` agree: the state that is further along is the later one.
fn settle_lifecycle(fields: &mut Fields) {
    let state_of = |fields: &Fields, key: &str| fields.peek(key).and_then(Node::text).and_then(state);
    let recorded = state_of(fields, "lifecycle_state").or_else(|| state_of(fields, "lifecycle"));
    let Some(said) = state_of(fields, "status") else {
        if let (Some(state), true) = (recorded, fields.peek("lifecycle_state").is_none()) {
            fields.set("lifecycle_state", Node::Plain(state.word().to_owned()));
        }
        return;
    };
    let Some((node, line)) = fields.take("status") else { return };
    fields.set("status", Node::Plain("current".to_owned()));
    let word = node.text().unwrap_or_default().to_owned();
    let settled = recorded.map_or(said, |recorded| recorded.max(said));
    let message = match recorded {
        Some(recorded) if recorded != said => {
            format!("`status` says `{word}`, `lifecycle_state` says `{recorded}`; read as `{settled}`")
        }
        _ => format!("`status` holds a lifecycle state, `{word}`; read as `{settled}`"),
    };
    let code = if recorded.is_some_and(|recorded| recorded != said) {
        "status-contradicts-lifecycle"
    } else {
        "status-is-lifecycle"
    };
    fields.report(Level::Note, code, line, message, &format!("write `lifecycle_state: {settled}`"));
    fields.set("lifecycle_state", Node::Plain(settled.word().to_owned()));
    fields.unread.push(("status".to_owned(), node));
}

/// Reads a lifecycle state out of the words people put into `status`.
fn state(word: &str) -> Option<LifecycleState> {
    let word = word.trim().to_ascii_lowercase();
    LifecycleState::from_word(&word).or(match word.as_str() {
        "open" | "new" => Some(LifecycleState::Detected),
        "resolved" | "fixed" | "closed" | "done" => Some(LifecycleState::Remediated),
        "dismissed" | "wontfix" | "invalid" => Some(LifecycleState::Invalidated),
        _ => None,
    })
}

/// Finds the day of a file in its fields, its id or its name.
fn day_of(fields: &Fields, stem: &str) -> Option<Date> {
    let id = fields.peek("id").and_then(Node::text).unwrap_or_default();
    day_in(id).0.or_else(|| day_in(stem).0).or_else(|| short_day(id)).or_else(|| short_day(stem))
}

/// Reads the day out of `SIG-260222-008-…` and `SIG-20260222-…`.
fn short_day(name: &str) -> Option<Date> {
    let digits = name
        .split('-')
        .find(|part| part.bytes().all(|b| b.is_ascii_digit()) && matches!(part.len(), 6 | 8))?;
    let full = if digits.len() == 6 { format!("20{digits}") } else { digits.to_owned() };
    Date::strptime("%Y%m%d", &full).ok()
}

/// Returns the path with a file name from which a readable id can be made.
fn renamed(file: &Found, kind: Kind) -> String {
    let name = stem(&file.relative);
    let mut parts: Vec<&str> = name.split('-').collect();
    let is_legacy = parts
        .first()
        .is_some_and(|first| first.eq_ignore_ascii_case(kind.prefix()) && *first != kind.prefix());
    if is_legacy {
        let numbers = parts[1..]
            .iter()
            .take_while(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
            .count();
        if numbers + 1 < parts.len() {
            parts.drain(..=numbers);
        }
    }
    let folder = file.relative.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/{}.md", parts.join("-"))
}

/// Improves on a title made of a slug, which may be cut in the middle of a word.
fn better_title(entry: &Entry) -> String {
    let day = entry.id.date().map_or_else(String::new, |day| format!(" of {day}"));
    if entry.kind == Kind::Event {
        return format!("Reflection{day}");
    }
    let sentence = entry.description.as_deref().unwrap_or_default();
    let opening: String = lore_core::slug(sentence).chars().take(24).collect();
    if opening.len() < 12 || !entry.id.slug().starts_with(&opening) {
        return entry.title.clone();
    }
    let words: Vec<&str> = sentence.trim_end_matches(['.', '…']).split_whitespace().collect();
    if words.len() > 10 { format!("{}…", words[..10].join(" ")) } else { words.join(" ") }
}

/// Adds what every entry of ours has and theirs have not.
fn complete(imported: &mut Imported, file: &Found, options: &ImportOptions) {
    let entry = &mut imported.entry;
    let name = stem(&file.relative);
    if !entry.id.as_str().ends_with(name) && !entry.aliases.iter().any(|alias| alias == name) {
        entry.aliases.push(name.to_owned());
    }
    if entry.project.is_none() {
        let folder =
            file.relative.split('/').nth(1).filter(|part| !part.ends_with(".md") && *part != "_global");
        entry.project = folder.map(str::to_owned).or_else(|| options.project.clone());
    }
    if entry.description.is_none() {
        entry.description = first_sentence(&entry.body);
    }
    if entry.title == title::from_slug(entry.id.slug()) {
        entry.title = better_title(entry);
    }
    let by_hand = match &entry.detail {
        Detail::Signal(signal) => signal.detection_method.as_deref() == Some("manual"),
        _ => false,
    };
    if entry.sources.is_empty() {
        let mut source = Source::new(format!("gsd/{}", file.relative), Voice::Agent);
        source.title = Some(if by_hand { "GSD store, noted by hand" } else { "GSD store" }.to_owned());
        source.at = entry.created;
        entry.sources.push(source);
    }
    if entry.generated.is_none() {
        let version = entry.extra.get("gsd_version").and_then(serde_json::Value::as_str).unwrap_or("unknown");
        entry.generated = Some(Stamp { by: format!("gsd/{version}"), at: entry.created });
    }
    entry.curated_by = Curator::Mixed;
}
