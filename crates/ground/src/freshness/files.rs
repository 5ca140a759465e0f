//! Whether a path is there and what its text says.

use globset::GlobBuilder;
use regex::RegexBuilder;

use super::condition::FileTest;
use super::project::line_of;
use super::{Project, Truth, Verdict};

pub(super) fn judge(project: &Project, path: &str, test: &FileTest) -> Verdict {
    let path = path.trim_start_matches("./");
    match test {
        FileTest::Contains(words) => text(project, path, |text| line_of(text, words), words),
        FileTest::Matches(pattern) => {
            let built = RegexBuilder::new(pattern).multi_line(true).size_limit(1 << 20).build();
            match built {
                Ok(regex) => text(
                    project,
                    path,
                    |text| regex.find(text).and_then(|found| line_of(text, found.as_str())),
                    pattern,
                ),
                Err(_) => {
                    Verdict::plain(Truth::CannotTell, format!("`{pattern}` is not a regular expression"))
                }
            }
        }
        FileTest::Exists | FileTest::IsFile | FileTest::IsFolder => presence(project, path, test),
    }
}

fn presence(project: &Project, path: &str, test: &FileTest) -> Verdict {
    if path.contains(['*', '?', '[', '{']) {
        return match matching(project, path) {
            None => Verdict::plain(Truth::CannotTell, format!("`{path}` is not a pattern")),
            Some(found) => match found.first() {
                Some(first) => Verdict::from_file(Truth::Holds, first, format!("{first} matches `{path}`")),
                None => Verdict::from_file(Truth::Broken, path, format!("nothing matches `{path}`")),
            },
        };
    }
    let Some(full) = project.inside(path) else {
        return Verdict::plain(Truth::CannotTell, format!("`{path}` lies outside the repository"));
    };
    let is_there = match test {
        FileTest::IsFile => full.is_file(),
        FileTest::IsFolder => full.is_dir(),
        _ => full.exists(),
    };
    let (truth, word) = if is_there { (Truth::Holds, "is there") } else { (Truth::Broken, "is not there") };
    Verdict::from_file(truth, path, format!("{path} {word}"))
}

/// Most braces of a glob that is looked up.
const MOST_BRACES: usize = 64;

/// Lists the files a glob names; nothing where it is not a glob.
pub(super) fn matching<'p>(project: &'p Project, pattern: &str) -> Option<Vec<&'p str>> {
    // Braces within each other take a piece of the stack each.
    if pattern.matches('{').count() > MOST_BRACES {
        return None;
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build().ok()?.compile_matcher();
    Some(project.paths().iter().map(String::as_str).filter(|path| glob.is_match(path)).collect())
}

fn text(project: &Project, path: &str, find: impl Fn(&str) -> Option<usize>, wanted: &str) -> Verdict {
    let paths = match path.contains('*') {
        true => matching(project, path).unwrap_or_default(),
        false => vec![path],
    };
    let mut readable = false;
    for path in &paths {
        if let Some(text) = project.text(path) {
            readable = true;
            if let Some(line) = find(&text) {
                return Verdict::from_file(Truth::Holds, path, format!("{path}:{line} has `{wanted}`"));
            }
        }
    }
    if readable {
        return Verdict::from_file(Truth::Broken, path, format!("{path} does not have `{wanted}`"));
    }
    Verdict::from_file(Truth::Broken, path, format!("{path} is not there"))
}

#[cfg(test)]
mod tests {
    use lore_core::trigger::{Happening, holds};

    use super::*;

    /// Triggers of lessons and conditions of entries are written alike.
    #[test]
    fn a_pattern_means_the_same_to_a_trigger() {
        let paths = [
            "src/mod.rs",
            "src/a/mod.rs",
            "src/a/b/mod.rs",
            "srcx/mod.rs",
            "src",
            "src/a.rs",
            "src/ab.rs",
            "src/[a].rs",
            "a.ts",
            "a.tsx",
            "src/a^.rs",
            "src/].rs",
            "lib/src.rs",
        ];
        let patterns = [
            "src/**/mod.rs",
            "src/**",
            "src/*",
            "src/*.rs",
            "src/**.rs",
            "src/?.rs",
            "src/[ab].rs",
            "src/[!b].rs",
            "src/[a-c]?.rs",
            "src/[]].rs",
            "src/\\[a\\].rs",
            "src/a[\\^].rs",
            "src/{a,ab}.rs",
            "{src,srcx}/mod.rs",
            "a.{ts,tsx}",
            "src/mod.rs",
            "src/a**/mod.rs",
            "src/**/b/**",
            "src/[",
            "src/{a",
            "{src/**,x}",
            "{src/**/mod.rs,x}",
            "{x,**/mod.rs}",
            "**/mod.rs",
            "**",
        ];
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern).literal_separator(true).build();
            let matcher = glob.ok().map(|glob| glob.compile_matcher());
            for path in paths {
                let expected = matcher.as_ref().is_some_and(|glob| glob.is_match(path));
                let happening = Happening { file: path, ..Happening::default() };
                assert_eq!(holds(&format!("file {pattern}"), &happening), expected, "{pattern} {path}");
            }
        }
    }
}
