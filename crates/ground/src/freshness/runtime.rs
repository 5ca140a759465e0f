//! Languages and tools whose version a repository pins.

use std::sync::LazyLock;

use regex::Regex;

use super::project::line_of;
use super::setting::without_comments;
use super::version::{Comparator, Operator, Overlap, Scheme, Versions};
use super::{Project, Truth, Verdict};

/// Where a runtime is pinned: file, and how its version is found there.
type Pin = (&'static str, Where);

enum Where {
    /// The whole file is the version.
    Whole,
    /// `name version` on a line, as in `.tool-versions`.
    Line(&'static str),
    /// A key of a JSON file, as a pointer.
    Json(&'static str),
    /// The first match of a pattern.
    Pattern(&'static str),
}

/// Returns our name of a runtime, where it is one.
pub(super) fn known(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "node" | "nodejs" | "node.js" => "node",
        "npm" => "npm",
        "pnpm" => "pnpm",
        "yarn" => "yarn",
        "bun" => "bun",
        "deno" => "deno",
        "python" => "python",
        "rust" | "rustc" => "rust",
        "go" | "golang" => "go",
        "java" | "jdk" => "java",
        "ruby" => "ruby",
        "php" => "php",
        "dotnet" | ".net" => "dotnet",
        "gradle" => "gradle",
        _ => return None,
    })
}

fn pins(name: &str) -> &'static [Pin] {
    use Where::{Json, Line, Pattern, Whole};
    match name {
        "node" => &[
            (".nvmrc", Whole),
            (".node-version", Whole),
            (".tool-versions", Line("nodejs")),
            ("mise.toml", Pattern(r#"(?m)^node\s*=\s*"([^"]+)""#)),
            ("package.json", Json("/volta/node")),
            ("package.json", Json("/engines/node")),
        ],
        "npm" => &[
            ("package.json", Pattern(r#""packageManager"\s*:\s*"npm@([^"+]+)"#)),
            ("package.json", Json("/engines/npm")),
        ],
        "pnpm" => &[
            ("package.json", Pattern(r#""packageManager"\s*:\s*"pnpm@([^"+]+)"#)),
            ("package.json", Json("/engines/pnpm")),
        ],
        "yarn" => &[
            ("package.json", Pattern(r#""packageManager"\s*:\s*"yarn@([^"+]+)"#)),
            ("package.json", Json("/engines/yarn")),
        ],
        "bun" => {
            &[(".bun-version", Whole), ("package.json", Pattern(r#""packageManager"\s*:\s*"bun@([^"+]+)"#))]
        }
        "deno" => &[(".dvmrc", Whole), (".tool-versions", Line("deno"))],
        "python" => &[
            (".python-version", Whole),
            (".tool-versions", Line("python")),
            ("runtime.txt", Pattern(r"python-([\w.]+)")),
            ("pyproject.toml", Pattern(r#"(?m)^requires-python\s*=\s*"([^"]+)""#)),
            ("pyproject.toml", Pattern(r#"(?m)^python\s*=\s*"([^"]+)""#)),
            ("Pipfile", Pattern(r#"python_version\s*=\s*"([^"]+)""#)),
        ],
        "rust" => &[
            ("rust-toolchain.toml", Pattern(r#"channel\s*=\s*"([^"]+)""#)),
            ("rust-toolchain", Whole),
            (".tool-versions", Line("rust")),
            ("Cargo.toml", Pattern(r#"(?m)^rust-version\s*=\s*"([^"]+)""#)),
        ],
        "go" => &[
            ("go.mod", Pattern(r"(?m)^toolchain\s+go([\w.]+)")),
            ("go.mod", Pattern(r"(?m)^go\s+([\w.]+)")),
            (".go-version", Whole),
            (".tool-versions", Line("golang")),
        ],
        "java" => &[
            (".java-version", Whole),
            (".sdkmanrc", Pattern(r"(?m)^java=([\d.]+)")),
            (".tool-versions", Line("java")),
            (
                "pom.xml",
                Pattern(r"<(?:maven\.compiler\.release|java\.version|maven\.compiler\.source)>([^<]+)<"),
            ),
            ("build.gradle", Pattern(r"JavaLanguageVersion\.of\((\d+)\)")),
            ("build.gradle.kts", Pattern(r"JavaLanguageVersion\.of\((\d+)\)")),
        ],
        "ruby" => &[
            (".ruby-version", Whole),
            (".tool-versions", Line("ruby")),
            ("Gemfile.lock", Pattern(r"(?m)^RUBY VERSION\s+ruby ([\d.]+)")),
            ("Gemfile", Pattern(r#"(?m)^\s*ruby\s+["']([^"']+)["']"#)),
        ],
        "php" => &[
            (".php-version", Whole),
            (".tool-versions", Line("php")),
            ("composer.json", Json("/config/platform/php")),
            ("composer.json", Json("/require/php")),
        ],
        "dotnet" => &[("global.json", Json("/sdk/version"))],
        "gradle" => &[("gradle/wrapper/gradle-wrapper.properties", Pattern(r"gradle-([\d.]+)-"))],
        _ => &[],
    }
}

pub(super) fn judge(project: &Project, name: &str, comparators: &[Comparator]) -> Verdict {
    let scheme = if name == "python" { Scheme::Pep440 } else { Scheme::Semver };
    let wanted = Versions::satisfying(scheme, comparators);
    for (file, how) in pins(name) {
        let Some(text) = project.text(file) else { continue };
        let Some(pinned) = find(&text, how) else { continue };
        let place =
            line_of(&text, &pinned).map_or_else(|| (*file).to_owned(), |line| format!("{file}:{line}"));
        let evidence = format!("{place} pins {name} `{pinned}`");
        let Some(range) = range(scheme, &pinned) else {
            return Verdict::from_file(Truth::CannotTell, file, evidence);
        };
        let truth = match range.within(&wanted) {
            Overlap::Inside => Truth::Holds,
            Overlap::Outside => Truth::Broken,
            Overlap::Partly => Truth::CannotTell,
        };
        return Verdict::from_file(truth, file, evidence);
    }
    let files = pins(name).iter().map(|(file, _)| (*file).to_owned()).collect();
    Verdict { truth: Truth::CannotTell, evidence: vec![format!("nothing pins {name}")], files }
}

fn find(text: &str, how: &Where) -> Option<String> {
    let found = match how {
        Where::Whole => text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#'))
            .map(str::to_owned),
        Where::Line(name) => text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some(name)).then(|| words.next()).flatten().map(str::to_owned)
        }),
        Where::Json(pointer) => {
            let value: serde_json::Value = serde_json::from_str(&without_comments(text)).ok()?;
            value.pointer(pointer).and_then(serde_json::Value::as_str).map(str::to_owned)
        }
        Where::Pattern(pattern) => Regex::new(pattern).ok()?.captures(text).map(|found| found[1].to_owned()),
    };
    found
        .map(|version| version.trim().trim_start_matches('v').to_owned())
        .filter(|version| !version.is_empty())
}

/// Reads a pin: comparisons where there are signs, otherwise all versions that begin so.
fn range(scheme: Scheme, pinned: &str) -> Option<Versions> {
    static SIGNED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(>=|<=|==|!=|~=|~>|>|<|=|\^|~)\s*v?([\w.*+\-]+)").expect("the pattern is fixed")
    });
    let mut all: Option<Versions> = None;
    for alternative in pinned.split("||") {
        let alternative = alternative.trim();
        let mut comparators: Vec<Comparator> = SIGNED
            .captures_iter(alternative)
            .filter_map(|found| {
                Some(Comparator { operator: Operator::from_sign(&found[1])?, version: found[2].to_owned() })
            })
            .collect();
        if comparators.is_empty() {
            let plain = alternative.trim_end_matches(".x");
            if !plain.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            let parts = plain.split('.').count();
            let version = if parts < 3 { format!("{plain}.*") } else { plain.to_owned() };
            comparators.push(Comparator { operator: Operator::Equal, version });
        }
        let versions = Versions::satisfying(scheme, &comparators);
        all = Some(match all {
            None => versions,
            Some(before) => before.or(versions),
        });
    }
    all
}
