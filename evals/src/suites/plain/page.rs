//! An article as it lies on the disk, read without the product's own reader.

use std::collections::BTreeMap;

/// What the measures look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Page {
    pub(super) status: String,
    pub(super) kind: String,
    pub(super) title: String,
    /// Title and text, without quotations and links.
    pub(super) text: String,
    pub(super) voices: Vec<String>,
    pub(super) whole: String,
}

impl Page {
    /// Reads front matter and text.
    pub(super) fn parse(whole: &str) -> Page {
        let (front, body) =
            whole.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or(("", whole));
        let get = |key: &str| {
            let line = front.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.unwrap_or_default().trim().trim_matches(['"', '\'', ' ']).to_owned()
        };
        let ends = ["\n## Context", "\n## Related", "\n## Sources"];
        let end = ends.iter().filter_map(|heading| body.find(heading)).min().unwrap_or(body.len());
        let voice = |line: &str| {
            let word: String =
                line.split_once("voice:")?.1.trim().chars().take_while(|c| c.is_alphanumeric()).collect();
            Some(word)
        };
        let title = get("title");
        Page {
            status: get("status"),
            kind: get("type"),
            text: format!("{title}\n{}", &body[..end]),
            title,
            voices: front.lines().filter_map(voice).collect(),
            whole: whole.to_owned(),
        }
    }

    /// Returns what tells whether it changed: links come and go with other pages.
    pub(super) fn own(&self) -> &str {
        self.whole.split_once("\n## Related").map_or(&self.whole, |(own, _)| own)
    }
}

/// Returns the pages that are new or changed; timelines are made of other pages.
pub(super) fn changed<'p>(
    before: &BTreeMap<String, Page>,
    now: &'p BTreeMap<String, Page>,
) -> BTreeMap<&'p str, &'p Page> {
    let differs = |path: &String, page: &Page| before.get(path).is_none_or(|old| old.own() != page.own());
    now.iter()
        .filter(|(path, page)| page.kind != "timeline" && differs(path, page))
        .map(|(path, page)| (path.as_str(), page))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "---\ntitle: \"Kiln days\"\ntype: decision\nstatus: current\nsources:\n  - voice: person\n---\n\nThe kiln is fired on Fridays.\n\n## Context\n\n> every friday\n\n## Related\n\n- x\n";

    #[test]
    fn a_page_is_read_by_its_lines() {
        let page = Page::parse(PAGE);
        assert_eq!(
            (page.title.as_str(), page.kind.as_str(), page.status.as_str()),
            ("Kiln days", "decision", "current")
        );
        assert_eq!(page.voices, ["person"]);
        assert!(page.text.contains("Fridays") && !page.text.contains("every friday"), "{}", page.text);
    }

    #[test]
    fn another_link_is_no_change_and_another_sentence_is() {
        let of = |text: &str| BTreeMap::from([("a.md".to_owned(), Page::parse(text))]);
        let before = of(PAGE);
        assert!(changed(&before, &of(&PAGE.replace("- x", "- y"))).is_empty());
        assert_eq!(changed(&before, &of(&PAGE.replace("Fridays", "Mondays"))).len(), 1);
        assert!(changed(&BTreeMap::new(), &of(&PAGE.replace("decision", "timeline"))).is_empty());
    }
}
