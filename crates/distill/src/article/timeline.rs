//! `history/timeline.md`: what happened, in the order of time.

use std::fmt::Write as _;

use lore_core::{Article, Entry, Kind, Moment, Standing};

/// Renders the timeline from all entries; `path` gives the link to an entry as seen from the file.
///
/// Events stand on the day they happened; of other articles, the changes of mind do.
pub fn timeline<'a>(entries: impl IntoIterator<Item = &'a Entry>, path: &dyn Fn(&Entry) -> String) -> String {
    let mut lines: Vec<(Moment, String)> = Vec::new();
    for entry in entries {
        let link = format!("[{}]({})", entry.title.replace(['[', ']'], ""), path(entry));
        if entry.kind == Kind::Event
            && let Some(at) = entry.created
        {
            let said = entry.description.as_deref().filter(|text| *text != entry.title);
            let tail = said.map(|text| format!(": {text}")).unwrap_or_default();
            lines.push((at, format!("{link}{tail}")));
        }
        for claim in Article::parse(&entry.body).history {
            if let Standing::Past { until: Some(until), replaced_by: Some(by), .. } = &claim.standing {
                lines.push((*until, format!("{link}: “{}” gave way to “{by}”", claim.text)));
            }
        }
    }
    lines.sort();
    lines.dedup();
    let mut out = String::new();
    let mut month = String::new();
    for (at, line) in lines {
        let date = at.date();
        let this = format!("{:04}-{:02}", date.year(), date.month());
        if this != month {
            let gap = if out.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{gap}## {this}\n");
            month = this;
        }
        let _ = writeln!(out, "- {date}: {line}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::EntryId;

    #[test]
    fn events_and_changes_stand_in_the_order_of_time() {
        let make = |kind, day: &str, title: &str, body: &str| {
            let date = day.parse().unwrap();
            let id = EntryId::new(kind, date, title);
            Entry { created: Some(Moment::Day(date)), body: body.to_owned(), ..Entry::new(id, kind, title) }
        };
        let entries = [
            make(Kind::Event, "2026-02-03", "First release", ""),
            make(
                Kind::Decision,
                "2026-01-02",
                "Storage",
                "B.[^s2]\n\n## History\n\n- A.[^s1]\n  Until 2026-01-09\n  Replaced by: B.\n",
            ),
            make(Kind::Fact, "2026-01-01", "Nothing happened", ""),
        ];
        let text = timeline(&entries, &|entry| format!("{}.md", entry.id.slug()));
        let expected = "## 2026-01\n\n- 2026-01-09: [Storage](storage.md): “A.” gave way to “B.”\n\n\
            ## 2026-02\n\n- 2026-02-03: [First release](first-release.md)\n";
        assert_eq!(text, expected);
    }
}
