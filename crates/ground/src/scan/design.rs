//! What a design text names: paths whole or in part, names of code, words, and what is to happen.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::words::{Cutter, Term, is_compound, name_of, names};

/// What is to happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeType {
    /// It is there and becomes another.
    Modify,
    /// Little speaks for it: whether it has to change is to be looked at.
    Check,
    /// It is not there yet.
    Create,
    /// It goes.
    Delete,
    /// It gets another name or place.
    Rename,
}

/// A design, taken apart.
#[derive(Debug, Default)]
pub(super) struct Design {
    /// What looks like a path or a file name, with how often it stands there and what is to happen.
    pub(super) paths: BTreeMap<String, Named>,
    /// Names of code, as written, with how much they weigh.
    pub(super) names: BTreeMap<String, f64>,
    /// Every whole word in lower case.
    pub(super) whole: FxHashSet<String>,
    /// Stems with how much they weigh.
    pub(super) words: FxHashMap<Term, f64>,
    /// The same for the first line alone.
    pub(super) title: FxHashMap<Term, f64>,
    /// The part of the project that the first line begins with, as in `parser: ...`.
    pub(super) scopes: Vec<String>,
    /// Which files of the repository hold it.
    pub(super) copies: FxHashSet<usize>,
}

/// A path that the text names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    pub(super) times: u32,
    pub(super) change: Option<ChangeType>,
    /// Whether it stands in a list of files, not in running text.
    pub(super) listed: bool,
    /// Whether every mention only refers to it: something to read first.
    pub(super) referred: bool,
    /// Whether the line, or what it stands under, says that it changes.
    pub(super) to_change: bool,
}

/// Takes a design text apart.
pub(super) fn read(text: &str) -> Design {
    let mut design = Design::default();
    let mut heading = None;
    let mut standing = Standing::Open;
    let mut cutter = Cutter::default();
    for line in text.lines() {
        let said = change_in(line);
        if is_heading(line) {
            heading = said;
            standing = Standing::of(line);
        }
        for word in parts(line) {
            let word = trimmed(word);
            if looks_like_a_path(word) {
                let named =
                    design.paths.entry(word.trim_start_matches("./").trim_start_matches('@').to_owned());
                let named = named.or_insert(Named {
                    times: 0,
                    change: None,
                    listed: false,
                    referred: true,
                    to_change: false,
                });
                named.times += 1;
                named.change = named.change.or(change_of(line, word).or(said.filter(is_mild))).or(heading);
                named.listed |= is_listed(line, word);
                let referred = standing == Standing::Context || is_referred(line, word);
                named.referred &= referred;
                named.to_change |= !referred && (standing == Standing::Change || says_change(line, word));
            }
        }
        // Between back quotes stands code, also where a word alone would not show it.
        for (at, piece) in line.split('`').enumerate() {
            for name in names(piece) {
                let is_quoted = at % 2 == 1;
                if name.len() > 2
                    && (is_compound(name) || is_quoted)
                    && !name.bytes().all(|b| b.is_ascii_digit())
                {
                    let weight: &mut f64 = design.names.entry(name.to_owned()).or_default();
                    *weight += if is_quoted { 1.5 } else { 1.0 };
                }
                design.whole.insert(name.to_lowercase());
            }
        }
        cutter.cut(line, |term| *design.words.entry(term).or_default() += 1.0);
    }
    // A first line of one word is a heading that any design has.
    for line in text.lines() {
        cutter.cut(line, |term| {
            design.title.insert(term, 1.0);
        });
        if design.title.len() > 1 {
            design.scopes = scopes(line);
            break;
        }
    }
    // What is said ten times is not ten times as much.
    for (term, weight) in &mut design.words {
        *weight = weight.ln_1p() + if design.title.contains_key(term) { 1.0 } else { 0.0 };
    }
    for weight in design.names.values_mut() {
        *weight = weight.ln_1p();
    }
    design
}

impl Design {
    /// Returns the names of code by number.
    pub(super) fn name_terms(&self) -> FxHashMap<Term, f64> {
        self.names.iter().map(|(name, weight)| (name_of(name), *weight)).collect()
    }
}

fn trimmed(word: &str) -> &str {
    let word = word
        .trim_matches(|c: char| ",;:!?{}\u{201c}\u{201d}".contains(c))
        .trim_end_matches(['.', ':', '!', '?']);
    // A link's words stand before its target.
    let word = word.rsplit_once("](").map_or(word, |(_, target)| target);
    let word = without_emphasis(word);
    // `file.rs:12` and `file.rs#L3` name the file.
    let end = word.find([':', '#']).filter(|at| word[..*at].contains('.') && !word.contains("::"));
    let word = end.map_or(word, |at| &word[..at]);
    let word = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')).unwrap_or(word);
    // Brackets belong to a path only where they open and close in it.
    let (open, close) = (word.matches('(').count(), word.matches(')').count());
    let word = if close > open { word.trim_end_matches(')') } else { word };
    if open > close { word.trim_start_matches('(') } else { word }
}

/// Takes the stars off a name that is set in bold: `**tax.rs:**` is no pattern, `**/tax.rs` and `src/**` are.
fn without_emphasis(word: &str) -> &str {
    let bare = word.strip_suffix("**").filter(|rest| !rest.ends_with(['/', '*'])).unwrap_or(word);
    let is_pattern = |rest: &&str| rest.starts_with(['/', '*']) || (bare == word && rest.starts_with('.'));
    let bare = bare.strip_prefix("**").filter(|rest| !is_pattern(rest)).unwrap_or(bare);
    bare.trim_end_matches([':', ','])
}

fn looks_like_a_path(word: &str) -> bool {
    if word.len() < 3 || word.len() > 250 || word.contains("://") || word.starts_with("--") {
        return false;
    }
    let last = word.rsplit('/').next().unwrap_or(word);
    let has_ending = last.rsplit_once('.').is_some_and(|(stem, ending)| {
        (!stem.is_empty() || word.starts_with('.'))
            && (1..=10).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
            && ending.bytes().any(|b| b.is_ascii_alphabetic())
    });
    let is_folder = word.contains('/') && word.split('/').filter(|part| !part.is_empty()).count() >= 1;
    let plain = word.chars().all(|c| c.is_alphanumeric() || "._-/@+[]()*$~{}".contains(c));
    plain && (has_ending || is_folder) && word.chars().any(char::is_alphabetic)
}

/// What the text says of everything below a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It changes.
    Change,
    /// It is there to be read.
    Context,
    /// Nothing.
    Open,
}

impl Standing {
    fn of(heading: &str) -> Standing {
        let low = heading.to_lowercase();
        let has = |words: &[&str]| low.split(|c: char| !c.is_alphabetic()).any(|word| words.contains(&word));
        let change = [
            "modify", "modified", "change", "changes", "changed", "affected", "affects", "impact", "touched",
            "update", "updates", "edit", "edits", "files",
        ];
        let context = [
            "context",
            "reference",
            "references",
            "related",
            "interfaces",
            "background",
            "sources",
            "reading",
            "links",
        ];
        if heading.trim_start().starts_with("</") {
            Standing::Open
        } else if has(&context) {
            Standing::Context
        } else if has(&change) {
            Standing::Change
        } else {
            Standing::Open
        }
    }
}

/// Tells whether a line says before a path that it changes.
fn says_change(line: &str, path: &str) -> bool {
    let before = line.split(path).next().unwrap_or_default().to_lowercase();
    let words = [
        "modify", "modifies", "modified", "update", "updates", "updated", "change", "changes", "edit",
        "extend", "affected", "affects", "refactor", "replace", "remove", "delete", "rename", "move",
        "files", "fix", "wire",
    ];
    before.split(|c: char| !c.is_alphabetic()).any(|word| words.contains(&word))
}

/// Reads the part of the project from a first line such as `parser: ...` or `fix(parser, cli): ...`.
fn scopes(line: &str) -> Vec<String> {
    let Some((before, _)) = line.trim_start_matches(['#', ' ']).split_once(": ") else { return Vec::new() };
    let inner = before.split_once('(').map_or(before, |(_, inner)| inner).trim_end_matches('!');
    let parts = inner.trim_end_matches(')').split([',', ' ']).map(str::trim).filter(|part| part.len() > 1);
    let parts: Vec<String> = parts.map(|part| part.trim_matches('/').to_lowercase()).collect();
    if parts.len() > 3 { Vec::new() } else { parts }
}

/// Tells whether a line only points to a file that is to be read.
fn is_referred(line: &str, path: &str) -> bool {
    let before = line.split(path).next().unwrap_or_default().to_lowercase();
    let points = ["see ", "read ", "refer", "context", "based on", "as in ", "per ", "from:", "depends"];
    path.starts_with('@')
        || before.trim_end().ends_with('@')
        || points.iter().any(|word| before.contains(word))
}

/// Tells whether a line holds little more than the path, and other paths before it.
fn is_listed(line: &str, path: &str) -> bool {
    let line = line.trim();
    let is_item = line.starts_with(['-', '*', '|', '+']) || line.contains("path:") || line.starts_with('<');
    let Some(before) = line.find(path).filter(|_| is_item).map(|at| &line[..at]) else { return false };
    let prose = parts(before).filter(|word| !looks_like_a_path(trimmed(word)));
    before.len() < 40 || prose.map(|word| word.len() + 1).sum::<usize>() < 40
}

fn is_heading(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#')
        || (line.starts_with('<') && line.ends_with('>') && !line.contains(' '))
        || (line.ends_with(':') && line.len() < 80)
        || (line.starts_with("**") && line.ends_with("**"))
        || line.ends_with(":**")
}

/// Cuts a line where no path goes on.
fn parts(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || "`'\"<>|,;=".contains(c))
}

/// What is not to happen to a file because something of the kind happens to something in it.
fn is_mild(change: &ChangeType) -> bool {
    !matches!(change, ChangeType::Delete | ChangeType::Rename)
}

/// Says what a line says is to happen to a path itself: in a list what the line says, in a sentence what stands right before it.
fn change_of(line: &str, path: &str) -> Option<ChangeType> {
    const BETWEEN: [&str; 9] = ["the", "file", "files", "old", "unused", "module", "script", "and", "folder"];
    if is_listed(line, path) {
        return change_in(line);
    }
    let before = &line[..line.find(path)?];
    // Paths that stand before it in the same list are between, too.
    let words = parts(before).rev().map(|word| trimmed(word).to_lowercase());
    let mut words = words.filter(|word| !word.is_empty() && !looks_like_a_path(word));
    let verb = words.find(|word| !BETWEEN.contains(&word.as_str()))?;
    change_in(&verb)
}

/// Says what a line says is to happen.
fn change_in(line: &str) -> Option<ChangeType> {
    let low = line.to_lowercase();
    let has = |words: &[&str]| low.split(|c: char| !c.is_alphabetic()).any(|word| words.contains(&word));
    if has(&["delete", "deleted", "deletes", "remove", "removed", "removes", "drop"]) {
        Some(ChangeType::Delete)
    } else if has(&["rename", "renamed", "renames", "move", "moved", "moves"]) {
        Some(ChangeType::Rename)
    } else if has(&["create", "creates", "created", "new", "add", "adds", "introduce"])
        && !has(&["modify", "update", "extend", "edit"])
    {
        Some(ChangeType::Create)
    } else if has(&["modify", "modified", "update", "updated", "extend", "edit", "change", "changed"]) {
        Some(ChangeType::Modify)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_however_they_stand() {
        let check = |text: &str, expected: &[&str]| {
            let design = read(text);
            let found: Vec<&str> = design.paths.keys().map(String::as_str).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("Change `src/app/(auth)/login/page.tsx`.", &["src/app/(auth)/login/page.tsx"]);
        check("see (tax.rs:12), then Cargo.toml!", &["Cargo.toml", "tax.rs"]);
        check("- from: \"src/a.ts\"", &["src/a.ts"]);
        check("https://example.org/a.html and 3.14", &[]);
        check("all of src/tax/*.rs", &["src/tax/*.rs"]);
        check("@docs/guide.md", &["docs/guide.md"]);
        check(
            "**TaxRow.tsx:** and **src/a.ts**, **.env.example**",
            &[".env.example", "TaxRow.tsx", "src/a.ts"],
        );
        check("all of **/tax.rs and src/**", &["**/tax.rs", "src/**"]);
    }

    #[test]
    fn what_is_to_happen_comes_from_the_line_or_the_heading() {
        let design =
            read("### Files to remove\n- src/diff.ts\n### Changed\n- create src/new.ts\n- src/old.ts\n");
        let change = |path: &str| design.paths[path].change;
        assert_eq!(change("src/diff.ts"), Some(ChangeType::Delete));
        assert_eq!(change("src/new.ts"), Some(ChangeType::Create));
        assert_eq!(change("src/old.ts"), Some(ChangeType::Modify));
        let told = read(
            "Change func_3 in src/m3.rs so that it returns a Result. Delete the old comment.\nDelete the files `a/x.rs` and a/y.rs. Remove the flag from src/a.rs.\n",
        );
        let change = |path: &str| told.paths[path].change;
        assert_eq!(change("src/m3.rs"), None, "a comment goes, not the file");
        assert_eq!([change("a/x.rs"), change("a/y.rs")], [Some(ChangeType::Delete); 2]);
        assert_eq!(change("src/a.rs"), None, "a flag goes, not the file");
    }

    #[test]
    fn names_of_code_are_told_from_words() {
        let design = read("The `limit` of maxRetries and read_all is checked here");
        let names: Vec<&str> = design.names.keys().map(String::as_str).collect();
        assert_eq!(names, ["limit", "maxRetries", "read_all"]);
    }

    #[test]
    fn what_is_listed_to_change_is_told_from_what_is_to_be_read() {
        let design = read(
            "## Context\n- src/clock.ts\n\nfiles_modified:\n  - src/tax.ts\n\n## Why\n- src/rate.ts is slow\n\
             - Affected code: `src/bill.ts`\n",
        );
        let check = |path: &str, referred: bool, to_change: bool| {
            let named = &design.paths[path];
            assert_eq!((named.referred, named.to_change), (referred, to_change), "{path}");
        };
        check("src/clock.ts", true, false);
        check("src/tax.ts", false, true);
        check("src/rate.ts", false, false);
        check("src/bill.ts", false, true);
    }

    #[test]
    fn a_line_may_list_several_paths() {
        let line = "- Affected code: `src/taxes/of/one/country.ts`, `src/taxes/of/all/countries.ts`";
        let listed = |text: &str| read(text).paths["src/taxes/of/all/countries.ts"].listed;
        assert!(listed(line));
        assert!(!listed(&line.replace("code", "code, which is slow and hard to read, at least in parts")));
    }

    #[test]
    fn the_first_line_that_says_something_is_the_title() {
        let check = |text: &str, scopes: &[&str]| assert_eq!(read(text).scopes, scopes, "{text}");
        check("parser: read dates", &["parser"]);
        check("fix(tax/rate): round up", &["tax/rate"]);
        check("Round prices up", &[]);
        let design = read("## Why\nRound prices up");
        let mut cutter = Cutter::default();
        cutter.cut("price", |term| assert!(design.title.contains_key(&term)));
    }
}
