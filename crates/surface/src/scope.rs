//! Where an entry holds: the files and folders that it names, in its front matter, its conditions and its words.

use std::collections::BTreeSet;

use lore_core::trigger::{Happening, holds};
use lore_core::{Article, Detail, Entry};

/// Stands before a key, so that what an entry holds for is not taken for what it is filed under.
const MARK: char = '\u{1}';
/// What stands before a folder that a rule is said for; "from `src/api`" speaks of another place.
const BEFORE: [&str; 18] = [
    "in",
    "under",
    "below",
    "inside",
    "within",
    "beneath",
    "for",
    "across",
    "throughout",
    "im",
    "unter",
    "innerhalb",
    "für",
    "en",
    "bajo",
    "dentro",
    "dans",
    "sous",
];
/// What may stand between.
const BETWEEN: [&str; 10] =
    ["the", "our", "all", "any", "every", "of", "files", "folder", "directory", "code"];
/// What makes a path the place that is spoken of, behind it.
const BEHIND: [&str; 5] = ["folder", "directory", "module", "tree", "package"];

/// Lists under which keys an entry is found when something below them is worked on.
pub(crate) fn keys(entry: &Entry) -> BTreeSet<String> {
    places(entry).iter().map(|place| key(root(place))).collect()
}

/// Lists the keys of all that may hold for a file: its own, and those of every folder around it.
pub(crate) fn keys_around(file: &str) -> Vec<String> {
    let file = plain(file);
    let folders = file.match_indices('/').map(|(at, _)| &file[..at]);
    std::iter::once("").chain(folders).chain([file.as_str()]).map(key).collect()
}

/// Tells whether an entry is about this very file or something that holds it, not one of the same name.
pub(crate) fn covers(entry: &Entry, file: &str) -> bool {
    let file = plain(file);
    places(entry).iter().any(|place| {
        if place.contains('*') {
            let happening = Happening { file: &file, ..Happening::default() };
            let rest = file.strip_prefix(root(place));
            return rest.is_some() && holds(&format!("file {place}"), &happening);
        }
        file == *place || file.strip_prefix(place.as_str()).is_some_and(|rest| rest.starts_with('/'))
    })
}

fn key(place: &str) -> String {
    format!("{MARK}{place}")
}

/// Returns the part of a pattern that stands before its first star, as a folder.
fn root(place: &str) -> &str {
    match place.find('*') {
        Some(star) => place[..star].rfind('/').map_or("", |at| &place[..at]),
        None => place,
    }
}

/// Lists the files, folders and patterns that an entry is about.
fn places(entry: &Entry) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = entry.files.iter().map(|file| plain(file)).collect();
    for condition in &entry.depends_on {
        found.extend(condition.split_whitespace().filter_map(path));
    }
    if let Detail::Lesson(lesson) = &entry.detail {
        found.extend(
            lesson.triggers.iter().filter_map(|trigger| trigger.trim().strip_prefix("file ")).map(plain),
        );
    }
    found.extend(said_for(&entry.title));
    for claim in Article::parse(&entry.body).current() {
        found.extend(said_for(&claim.text));
    }
    found.remove("");
    found
}

/// Lists the folders that a sentence is said for: "in `src/api` never …", "`src/api`: never …".
fn said_for(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let ends = |word: &str| word.ends_with(['.', '!', '?', ':', ';']);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(place) = path(word).filter(|_| word.contains('/')) else { continue };
        let before = words[..at].iter().rev().find(|word| !BETWEEN.contains(&bare(word).as_str()));
        let opens = before.is_none_or(|before| ends(before));
        let is_said = before.is_some_and(|before| BEFORE.contains(&bare(before).as_str()));
        let is_named = words.get(at + 1).is_some_and(|next| BEHIND.contains(&bare(next).as_str()));
        if opens || is_said || is_named {
            found.push(place);
        }
    }
    found
}

/// Reads a word as a path of the project, without what stands around it.
fn path(word: &str) -> Option<String> {
    let of_path = |c: char| c.is_alphanumeric() || "/._-*@+".contains(c);
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?']).trim_matches(|c: char| !of_path(c));
    let word = word.trim_start_matches("./").trim_end_matches(['.', '@', '+']);
    let is_one = word.chars().all(of_path) && !word.starts_with(['/', '@']) && !word.contains("//");
    let names = |c: char| c.is_alphabetic() || c == '*';
    let last = word.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let has_end = last.rsplit_once('.').is_some_and(|(_, end)| end.starts_with(char::is_alphabetic));
    (is_one && word.contains(names) && (word.contains('/') || has_end)).then(|| plain(word))
}

fn plain(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    path.trim_start_matches("./").trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use lore_core::{Kind, Lesson};

    use super::*;

    fn entry(text: &str) -> Entry {
        let id = "prf-2026-01-01-x".parse().expect("is an id");
        Entry { body: format!("{text}\n"), ..Entry::new(id, Kind::Preference, "x") }
    }

    /// Tells whether an entry is found for a file, and fits.
    fn is_told(entry: &Entry, file: &str) -> bool {
        let own = keys(entry);
        let found = keys_around(file).iter().any(|key| own.contains(key));
        assert!(found || !covers(entry, file), "what fits is found: {file}");
        found && covers(entry, file)
    }

    #[test]
    fn a_file_of_the_same_name_elsewhere_is_another() {
        let check = |own: &str, file: &str, expected: bool| {
            let entry = Entry { files: vec![own.to_owned()], ..entry("Something.") };
            assert_eq!(is_told(&entry, file), expected, "{own} {file}");
        };
        check("src/auth.rs", "src/auth.rs", true);
        check("./src/auth.rs", "src/auth.rs", true);
        check("src/auth/", "src/auth/token.rs", true);
        check("src/auth", "src/auth/deep/down/token.rs", true);
        check("src/auth", "src/authority.rs", false);
        check("auth.rs", "src/auth.rs", false);
        check("src/**/*.sql", "src/db/tables/a.sql", true);
        check("src/*.sql", "src/a.rs", false);
        check("", "src/auth.rs", false);
    }

    /// A rule "in `src/api` never …" was told to nobody who edited a file there.
    #[test]
    fn the_words_of_a_rule_say_where_it_holds() {
        let check = |text: &str, file: &str, expected: bool| {
            assert_eq!(is_told(&entry(text), file), expected, "{text}")
        };
        let file = "src/api/v2/routes.rs";
        check("In src/api never return raw errors.", file, true);
        check("Never return raw errors in `src/api/`.", file, true);
        check("Inside the src/api folder all handlers are async.", file, true);
        check("src/api: never return raw errors.", file, true);
        check("Never return raw errors. `src/api/v2` is frozen.", file, true);
        check("Below src/api/**/routes.rs nothing panics.", file, true);
        check("In src/apiary never return raw errors.", file, false);
        check("Never import from src/api anywhere.", file, false);
        check("Handle and/or in queries; see https://example.org/src/api.", file, false);
        check("In general and/or is fine.", "general/and/or/x.rs", false);
    }

    #[test]
    fn conditions_and_triggers_name_files_too() {
        let told = |entry: &Entry, file: &str| is_told(entry, file);
        let rests = Entry {
            depends_on: vec!["file src/api/mod.rs exists".to_owned()],
            ..entry("Handlers are async.")
        };
        assert!(told(&rests, "src/api/mod.rs") && !told(&rests, "src/api/other.rs"));
        let folder =
            Entry { depends_on: vec!["`migrations/` exists".to_owned()], ..entry("Never edit one.") };
        assert!(told(&folder, "migrations/0001.sql"));
        let detail = Detail::Lesson(Lesson { triggers: vec!["file *.sql".to_owned()], ..Lesson::default() });
        let lesson = Entry { detail, ..entry("Quote names.") };
        assert!(told(&lesson, "db/a.sql") && !told(&lesson, "db/a.rs"));
    }
}
