//! What a file is for, told by its path: code, test, document, settings, or made by a program.

use serde::{Deserialize, Serialize};

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Source code.
    Code,
    /// A test, or data of one.
    Test,
    /// Something for people to read.
    Document,
    /// Settings, manifests, build files.
    Settings,
    /// Written by a program: locks, snapshots, bundles.
    Made,
    /// Anything else.
    Other,
}

impl Role {
    /// Tells the role from a path.
    pub(super) fn of(path: &str) -> Role {
        let low = path.to_lowercase();
        let name = low.rsplit('/').next().unwrap_or(&low);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let made = [
            "package-lock.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "cargo.lock",
            "go.sum",
            "poetry.lock",
            "uv.lock",
        ];
        let closed = [
            "snap", "lock", "min.js", "map", "png", "jpg", "svg", "ico", "gif", "woff", "woff2", "pyc",
            "sum", "golden",
        ];
        if made.contains(&name) || closed.contains(&ending) {
            return Role::Made;
        }
        if is_test(&low, name) {
            return Role::Test;
        }
        match ending {
            "md" | "mdx" | "rst" | "txt" | "adoc" | "tpl" => Role::Document,
            "json" | "yml" | "yaml" | "toml" | "ini" | "cfg" | "xml" | "gradle" | "mod" | "lockb" | "env"
            | "properties" => Role::Settings,
            "" if name.starts_with('.') || name == "makefile" || name == "dockerfile" => Role::Settings,
            "" if name == "changes" || name == "changelog" || name == "readme" || name == "authors" => {
                Role::Document
            }
            "" => Role::Other,
            _ if name.starts_with('.') => Role::Settings,
            "html" | "css" | "csv" | "sample" => Role::Other,
            _ => Role::Code,
        }
    }
}

fn is_test(low: &str, name: &str) -> bool {
    let folders = [
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "e2e",
        "testdata",
        "fixtures",
        "playground",
        "testing",
    ];
    let code = |name: &str| !name.ends_with(".md");
    let marked = name.starts_with("test_")
        || [".test.", ".spec.", "_test.", "_spec.", "tests.", "test.java", "test.kt", "test.cs"]
            .iter()
            .any(|mark| name.contains(mark));
    marked || (low.split('/').any(|part| folders.contains(&part)) && code(name))
}

/// Tells whether a file tests something: code whose own name says so, or that lies where only tests lie.
///
/// Much below a folder of tests is what tests need: data, styles, whole programs.
pub(super) fn is_test_code(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_code = Role::of(&format!("a.{ending}")) == Role::Code
        && !matches!(ending, "scss" | "sass" | "less" | "sql" | "graphql" | "proto");
    is_code && (is_named_test(name) || is_among_tests(path, name, ending))
}

fn is_named_test(name: &str) -> bool {
    let low = name.to_lowercase();
    let stem = name.split('.').next().unwrap_or(name);
    let begins = ["test_", "test-"].iter().any(|mark| low.starts_with(mark));
    let inner = [".test.", ".spec.", "_test.", "_spec.", "_tests.", "-test.", "-spec.", "-tests."];
    let humps = ["Test", "Tests", "Spec", "IT"].iter().any(|mark| {
        let before = stem.strip_suffix(mark).and_then(|rest| rest.chars().last());
        before.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
    });
    begins || humps || inner.iter().any(|mark| low.contains(mark))
}

/// Cargo and Jest take whatever lies in a folder of this name for a test; what tests share lies there too.
fn is_among_tests(path: &str, name: &str, ending: &str) -> bool {
    let shared =
        ["util", "utils", "common", "helper", "helpers", "support", "setup", "mod", "main", "macros"];
    if shared.contains(&bare_stem(name).as_str()) {
        return false;
    }
    let mut above = path.rsplit('/').skip(1);
    match ending {
        "rs" => above.any(|part| part == "tests") && !path.split('/').any(|part| part == "fixtures"),
        "js" | "jsx" | "ts" | "tsx" => above.next() == Some("__tests__"),
        _ => false,
    }
}

/// Tells whether a path holds a day or a running number in front of a name: `2026-03-01-login/plan.md`, `0007_add_users.sql`.
///
/// Plans, decisions, migrations and samples that are numbered are written once, and the next one gets the next number.
pub(super) fn is_numbered(path: &str) -> bool {
    path.split('/').any(|part| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        (2..=14).contains(&digits) && matches!(part.as_bytes().get(digits), Some(b'-' | b'_' | b'.'))
    })
}

/// Tells whether a document of this stem is where what changes is written down.
pub(super) fn is_changelog(stem: &str) -> bool {
    matches!(stem, "changelog" | "changes" | "history" | "news" | "releases" | "release-notes" | "whatsnew")
}

/// Returns the stem of a file name without the marks of a test, in lower case.
pub(super) fn bare_stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or(name);
    let mut stem = stem.to_owned();
    for mark in ["Tests", "Test", "Spec"] {
        if let Some(rest) = stem.strip_suffix(mark).filter(|rest| !rest.is_empty()) {
            stem = rest.to_owned();
            break;
        }
    }
    let low = stem.to_lowercase();
    let low = low.strip_prefix("test_").unwrap_or(&low);
    let low = ["_tests", "_test", "_spec", "-test", "-spec"]
        .iter()
        .find_map(|mark| low.strip_suffix(mark))
        .unwrap_or(low);
    low.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_told_from_paths() {
        let check = |path: &str, role: Role| assert_eq!(Role::of(path), role, "{path}");
        check("src/tax.rs", Role::Code);
        check("src/tax_test.go", Role::Test);
        check("a/src/test/java/TaxTest.java", Role::Test);
        check("docs/tax.md", Role::Document);
        check("package.json", Role::Settings);
        check("Cargo.lock", Role::Made);
        check("test/__snapshots__/a.snap", Role::Made);
    }

    #[test]
    fn what_a_test_needs_is_no_test() {
        let check = |path: &str, is_test: bool| assert_eq!(is_test_code(path), is_test, "{path}");
        for path in [
            "src/tax.test.ts",
            "tests/test_tax.py",
            "tax_test.go",
            "a/src/test/java/TaxTest.java",
            "crates/shop/tests/tax.rs",
            "src/__tests__/tax.js",
        ] {
            check(path, true);
        }
        for path in [
            "playground/chunk-importmap/static.css",
            "playground/hmr/hmr.ts",
            "tests/test_apps/cliapp/app.py",
            "src/__tests__/fixtures/tax.js",
            "tests/fixtures/tax.rs",
            "tests/util.rs",
            "tests/test_data.json",
            "src/latest.ts",
            "src/contest.py",
        ] {
            check(path, false);
        }
    }

    #[test]
    fn a_test_and_what_it_tests_share_a_stem() {
        for path in ["src/tax.ts", "src/tax.test.ts", "tests/test_tax.py", "tax_test.go", "TaxTest.java"] {
            assert_eq!(bare_stem(path), "tax", "{path}");
        }
    }
}
