//! Which entries the base holds, so that a missing file is known to have been deleted.
//!
//! This is tracked beside the entries and therefore always speaks of the same branch and commit:
//! switching branches makes files vanish too, and that is no deletion. It is kept by the month in
//! the id, so that a write touches one small file.

use lore_core::EntryId;

use crate::{Summary, layout};

/// One entry the base is known to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) id: EntryId,
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) aliases: Vec<String>,
}

/// Returns the file of the month in an id.
pub(crate) fn path(month: &str) -> String {
    format!("{}/{month}", layout::MANIFEST)
}

/// Lists the entries that a month's file knows but that, as `present` says of their ids, are not there.
pub(crate) fn missing(text: &str, present: impl Fn(&str) -> bool) -> Vec<Known> {
    let absent = |line: &&str| line.split('\t').next().is_some_and(|id| !id.is_empty() && !present(id));
    text.lines().filter(absent).filter_map(parse).collect()
}

/// Writes the file of a month: what is there, and what is known of entries that are not checked out.
pub(crate) fn render(summaries: &mut [&Summary], skipped: &[Known]) -> String {
    summaries.sort_by(|a, b| (&a.id, &a.path).cmp(&(&b.id, &b.path)));
    let text = summaries.iter().fold(String::new(), |text, summary| {
        line(text, (summary.id.as_str(), &summary.path, &summary.title, &summary.aliases))
    });
    if skipped.is_empty() {
        return text;
    }
    let of =
        |known: &Known| line(String::new(), (known.id.as_str(), &known.path, &known.title, &known.aliases));
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    lines.extend(skipped.iter().map(of));
    lines.sort();
    lines.concat()
}

/// Adds the line of an entry; what would break the line becomes a space.
fn line(mut text: String, (id, path, title, aliases): (&str, &str, &str, &[String])) -> String {
    let mut clean = |field: &str| {
        let at = text.len();
        text.push_str(field);
        if text[at..].contains(['\t', '\n', '\r']) {
            let cleaned = text[at..].replace(['\t', '\n', '\r'], " ");
            text.replace_range(at.., &cleaned);
        }
        text.push('\t');
    };
    clean(id);
    clean(path);
    clean(title);
    aliases.iter().enumerate().for_each(|(number, alias)| {
        if number > 0 {
            text.push(',');
        }
        text.push_str(alias);
    });
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}

fn parse(line: &str) -> Option<Known> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let id = next().parse().ok()?;
    let (path, title) = (next().to_owned(), next().to_owned());
    let aliases = next().split(',').filter(|alias| !alias.is_empty()).map(str::to_owned).collect();
    Some(Known { id, path, title, aliases })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::{Curator, Entry, Kind};

    #[test]
    fn what_is_not_there_any_more_is_known_by_name() {
        let mut one = Entry::new("fac-2026-02-20-one".parse().unwrap(), Kind::Fact, "One\tand only");
        one.aliases = vec!["kb-1".to_owned(), "kb-2".to_owned()];
        let two = Entry::new("fac-2026-02-20-two".parse().unwrap(), Kind::Fact, "Two");
        let summary =
            |entry| Summary { path: "project/a.md".to_owned(), ..Summary::of(entry, Curator::Auto) };
        let (one, two) = (summary(&one), summary(&two));
        let text = render(&mut [&two, &one], &[]);
        assert_eq!(
            text,
            "fac-2026-02-20-one\tproject/a.md\tOne and only\tkb-1,kb-2\nfac-2026-02-20-two\tproject/a.md\tTwo\n"
        );
        let missing = missing(&text, |id| id.ends_with("two"));
        assert_eq!((missing.len(), &missing[0].aliases), (1, &one.aliases));
    }
}
