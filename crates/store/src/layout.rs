//! Where things lie: id ↔ path, and the only file that knows folder names.
//!
//! An entry is called after its slug where that name is free, because people browse these folders;
//! otherwise after its whole id. The path is chosen once, when the entry is made. After that a
//! person may move the file anywhere in the base: entries are found by the id inside the file.

use lore_core::{Detail, Entry, Kind, slug};

/// Folder of the tracked machine state inside the base.
pub(crate) const STATE: &str = ".lore";
/// Generated list of a folder.
pub(crate) const INDEX: &str = "index.md";
/// Generated list of what happened, newest first.
pub(crate) const LOG: &str = "log.md";
/// Generated list of all events in the order of time.
pub(crate) const TIMELINE: &str = "history/timeline.md";
/// Tells git how to merge what we generate.
pub(crate) const ATTRIBUTES: &str = ".gitattributes";
/// Keeps our state tracked where projects ignore every `.lore` folder.
pub(crate) const IGNORE: &str = ".gitignore";
/// The number of the on-disk format.
pub(crate) const FORMAT: &str = ".lore/format";
/// What was removed and must not come back.
pub(crate) const TOMBSTONES: &str = ".lore/tombstones";
/// What was forgotten, as seals from which it cannot be read.
pub(crate) const FORGOTTEN: &str = ".lore/state/forgotten";
/// Every entry the base holds, by month of its id; tells a deleted entry from one never seen.
pub(crate) const MANIFEST: &str = ".lore/manifest";
/// Sessions that were curated, by month.
pub(crate) const LEDGER: &str = ".lore/ledger";
/// What runs said about themselves, by month.
pub(crate) const RUNS: &str = ".lore/runs";
/// Folder of signals that were dealt with.
pub(crate) const ARCHIVE: &str = "signals/archive";

/// A top folder, what the root index calls it, and the group it stands in there.
pub(crate) const TOPICS: &[(&str, &str, &str)] = &[
    ("decisions", "Decisions", "Articles"),
    ("architecture", "Architecture", "Articles"),
    ("project", "Project", "Articles"),
    ("preferences", "Preferences", "Articles"),
    ("history", "History", "Articles"),
    ("resolutions", "Resolutions", "Experience"),
    ("patterns", "Patterns", "Experience"),
    ("feedback", "Feedback", "Experience"),
    ("lessons", "Lessons", "Experience"),
    ("spikes", "Spikes", "Experience"),
    ("signals", "Signals", "Experience"),
];

/// Where the base lies in a project, unless it is configured otherwise.
pub const KNOWLEDGE: &str = "knowledge";
/// Where untracked machine state lies in a project.
pub const WORK: &str = ".lore";

/// Names that Windows refuses or that we generate ourselves.
const RESERVED: &[&str] = &["index", "log", "timeline", "con", "prn", "aux", "nul", "com1", "lpt1"];
/// File of a spike inside its folder.
const SPIKE: &str = "spike.md";
/// Working papers of a spike; they stand beside it and are not entries.
/// The last two are what GSD calls them.
const PAPERS: &[&str] = &["HYPOTHESIS.md", "EXPERIMENT.md", "DECISION.md", "DESIGN.md", "FINDINGS.md"];
/// Folder of the results that a decision cites, beside the papers.
const RESULTS: &str = "results";
/// Folder of lessons without a category.
const GENERAL: &str = "general";

/// Chooses the file of a new entry; `taken` tells whether a path is in use.
pub(crate) fn path_for(entry: &Entry, taken: impl Fn(&str) -> bool) -> String {
    let folder = folder_for(entry);
    let short = entry.id.slug();
    let names = [Some(short).filter(|name| !RESERVED.contains(name)), Some(entry.id.as_str())];
    let candidate = |name: &str| match entry.kind {
        Kind::Spike => format!("{folder}/{name}/{SPIKE}"),
        _ => format!("{folder}/{name}.md"),
    };
    let mut paths = names.into_iter().flatten().map(candidate);
    paths.find(|path| !taken(path)).unwrap_or_else(|| {
        (2u32..)
            .map(|number| candidate(entry.id.numbered(number).as_str()))
            .find(|path| !taken(path))
            .expect("one of four billion names is free")
    })
}

/// Chooses where a settled signal goes: the same name, under the archive.
pub(crate) fn archived(entry: &Entry, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{ARCHIVE}/{}/{name}", month(entry))
}

/// Tells whether a path is in the archive.
pub(crate) fn is_archived(path: &str) -> bool {
    path.strip_prefix(ARCHIVE).is_some_and(|rest| rest.starts_with('/'))
}

fn folder_for(entry: &Entry) -> String {
    let topic = entry.kind.topic();
    match (&entry.detail, entry.kind) {
        (Detail::Lesson(lesson), _) => {
            let category = lesson.category.as_deref().map(slug).filter(|c| !c.is_empty());
            format!("{topic}/{}", category.as_deref().unwrap_or(GENERAL))
        }
        (_, Kind::Signal) => format!("{topic}/{}", month(entry)),
        _ => topic.to_owned(),
    }
}

fn month(entry: &Entry) -> &str {
    month_of(entry.id.as_str())
}

/// Returns the `yyyy-mm` inside an id.
pub(crate) fn month_of(id: &str) -> &str {
    id.get(4..11).unwrap_or("undated")
}

/// Tells whether a file of the base can hold an entry.
pub(crate) fn is_entry(path: &str) -> bool {
    path.ends_with(".md") && !is_generated(path) && !is_paper(path)
}

/// Tells whether we generate the file and may write it at will.
pub(crate) fn is_generated(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == INDEX || name == LOG || path == TIMELINE
}

/// Tells whether the file belongs to the machine: generated, or tracked state.
pub(crate) fn is_ours(path: &str) -> bool {
    is_generated(path) || path == ATTRIBUTES || path == IGNORE || path.starts_with(".lore/")
}

/// Tells whether the next write makes the file again from the entries, should a power cut damage it.
pub(crate) fn is_rebuilt(path: &str) -> bool {
    is_generated(path) || path.strip_prefix(MANIFEST).is_some_and(|rest| rest.starts_with('/'))
}

/// Tells whether a transaction may write a path: below the base, and nothing hidden but what is ours.
pub(crate) fn is_writable(path: &str) -> bool {
    let shown = |path: &str| path.split('/').all(|part| !part.starts_with('.'));
    let hidden = path.strip_prefix(".lore/");
    is_inside(path) && (shown(hidden.unwrap_or(path)) || path == ATTRIBUTES || path == IGNORE)
}

/// Tells whether a file is a working paper of a spike, or a result that one cites.
pub(crate) fn is_paper(path: &str) -> bool {
    let Some(inside) = path.strip_prefix("spikes/") else { return false };
    let mut parts = inside.split('/').skip(1);
    match (parts.next(), parts.next()) {
        (Some(name), None) => PAPERS.contains(&name),
        (Some(folder), Some(_)) => folder == RESULTS,
        (None, _) => false,
    }
}

/// Returns the folder of a path, empty for the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Joins a folder, which may be the root, and a name.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the file of the base that a link in another file leads to, unless it leads out.
pub(crate) fn led_to(from: &str, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or(link);
    let rest = path.strip_prefix('/');
    let start = if rest.is_some() { "" } else { parent(from) };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(rest.unwrap_or(path).split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Tells whether a relative path stays below where it starts, on every platform.
pub(crate) fn is_inside(path: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    !path.contains(['\\', '\0', ':']) && path.split('/').all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::{EntryId, Lesson};

    fn entry(kind: Kind, title: &str) -> Entry {
        Entry::new(EntryId::new(kind, jiff::civil::date(2026, 2, 20), title), kind, title)
    }

    #[test]
    fn entries_lie_where_people_look() {
        let check = |entry: &Entry, expected: &str| assert_eq!(path_for(entry, |_| false), expected);
        check(&entry(Kind::Decision, "Use PostgreSQL"), "decisions/use-postgresql.md");
        check(&entry(Kind::Limitation, "No Windows"), "project/no-windows.md");
        check(&entry(Kind::Signal, "Flaky test"), "signals/2026-02/flaky-test.md");
        check(&entry(Kind::Spike, "Which queue?"), "spikes/which-queue/spike.md");
        check(&entry(Kind::Lesson, "Pin versions"), "lessons/general/pin-versions.md");
        let mut lesson = entry(Kind::Lesson, "Pin versions");
        lesson.detail = Detail::Lesson(Lesson { category: Some("../Tooling".into()), ..Lesson::default() });
        check(&lesson, "lessons/tooling/pin-versions.md");
        check(&entry(Kind::Event, "Timeline"), "history/evt-2026-02-20-timeline.md");
        check(&entry(Kind::Fact, "Index"), "project/fac-2026-02-20-index.md");
    }

    #[test]
    fn a_taken_name_falls_back_to_the_id() {
        let entry = entry(Kind::Fact, "One thing");
        let taken = |path: &str| path == "project/one-thing.md";
        assert_eq!(path_for(&entry, taken), "project/fac-2026-02-20-one-thing.md");
        let both = |path: &str| !path.ends_with("-2.md");
        assert_eq!(path_for(&entry, both), "project/fac-2026-02-20-one-thing-2.md");
    }

    #[test]
    fn tells_entries_from_the_rest() {
        let check = |path: &str, expected: bool| assert_eq!(is_entry(path), expected, "{path}");
        check("decisions/use-postgresql.md", true);
        check("decisions/index.md", false);
        check("history/timeline.md", false);
        check("project/timeline.md", true);
        check("spikes/queue/spike.md", true);
        check("spikes/queue/HYPOTHESIS.md", false);
        check("spikes/queue/results/run.md", false);
        check("notes.txt", false);
    }

    #[test]
    fn links_lead_from_the_folder_they_stand_in() {
        let check = |from: &str, link: &str, expected: Option<&str>| {
            assert_eq!(led_to(from, link).as_deref(), expected, "{from} {link}");
        };
        check("decisions/a.md", "b.md", Some("decisions/b.md"));
        check("decisions/a.md", "./b.md#part", Some("decisions/b.md"));
        check("spikes/a/spike.md", "../b/spike.md", Some("spikes/b/spike.md"));
        check("lessons/tooling/a.md", "/project/b.md", Some("project/b.md"));
        check("a.md", "x/b.md", Some("x/b.md"));
        check("a.md", "../b.md", None);
    }

    #[test]
    fn paths_cannot_leave_the_base() {
        let check = |path: &str, expected: bool| assert_eq!(is_inside(path), expected, "{path}");
        check("decisions/a.md", true);
        check("../a.md", false);
        check("a/../../b.md", false);
        check("/etc/passwd", false);
        check("a//b.md", false);
        check("c:/x.md", false);
        check("a\\..\\b.md", false);
        check("", false);
        let check = |path: &str, expected: bool| assert_eq!(is_writable(path), expected, "{path}");
        check("decisions/a.md", true);
        check(".lore/ledger/2026-02", true);
        check(".gitattributes", true);
        check(".git/hooks/post-checkout", false);
        check("decisions/.git/config", false);
        check(".lore/.git/config", false);
        check(".bashrc", false);
        check("../decisions/a.md", false);
    }
}
