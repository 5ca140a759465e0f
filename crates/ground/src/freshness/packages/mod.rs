//! Which packages a project uses, in which versions: lock files first, then manifests.

mod cargo;
mod composer;
mod gems;
mod go;
mod maven;
mod npm;
mod nuget;
mod pypi;

use std::collections::BTreeSet;

use super::version::{Comparator, Operator, Overlap, Scheme, Versions};
use super::{Project, Truth, Verdict};

/// A family of packages with its own files and its own rules for versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ecosystem {
    /// JavaScript: npm, yarn, pnpm, bun.
    Npm,
    /// Rust.
    Cargo,
    /// Python.
    Pypi,
    /// Go modules.
    Go,
    /// Maven and Gradle.
    Maven,
    /// Ruby.
    Gems,
    /// PHP.
    Composer,
    /// .NET.
    Nuget,
}

impl Ecosystem {
    const ALL: [Ecosystem; 8] = [
        Ecosystem::Npm,
        Ecosystem::Cargo,
        Ecosystem::Pypi,
        Ecosystem::Go,
        Ecosystem::Maven,
        Ecosystem::Gems,
        Ecosystem::Composer,
        Ecosystem::Nuget,
    ];

    /// Returns the word that stands before a package name, as in `npm:react`.
    pub const fn word(self) -> &'static str {
        match self {
            Ecosystem::Npm => "npm",
            Ecosystem::Cargo => "cargo",
            Ecosystem::Pypi => "pypi",
            Ecosystem::Go => "go",
            Ecosystem::Maven => "maven",
            Ecosystem::Gems => "gem",
            Ecosystem::Composer => "composer",
            Ecosystem::Nuget => "nuget",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Ecosystem> {
        let lower = word.to_ascii_lowercase();
        Ecosystem::ALL.into_iter().find(|ecosystem| ecosystem.word() == lower).or(match lower.as_str() {
            "crate" | "crates" => Some(Ecosystem::Cargo),
            "pip" | "python" => Some(Ecosystem::Pypi),
            "gradle" => Some(Ecosystem::Maven),
            "rubygems" | "gems" => Some(Ecosystem::Gems),
            _ => None,
        })
    }

    fn scheme(self) -> Scheme {
        match self {
            Ecosystem::Npm | Ecosystem::Cargo | Ecosystem::Go | Ecosystem::Nuget => Scheme::Semver,
            Ecosystem::Pypi => Scheme::Pep440,
            Ecosystem::Maven => Scheme::Maven,
            Ecosystem::Gems => Scheme::Gem,
            Ecosystem::Composer => Scheme::Composer,
        }
    }

    fn uses(self, project: &Project, name: &str) -> Vec<Use> {
        match self {
            Ecosystem::Npm => npm::uses(project, name),
            Ecosystem::Cargo => cargo::uses(project, name),
            Ecosystem::Pypi => pypi::uses(project, name),
            Ecosystem::Go => go::uses(project, name),
            Ecosystem::Maven => maven::uses(project, name),
            Ecosystem::Gems => gems::uses(project, name),
            Ecosystem::Composer => composer::uses(project, name),
            Ecosystem::Nuget => nuget::uses(project, name),
        }
    }

    /// Names of the files that tell which packages are used.
    fn files(self) -> &'static [&'static str] {
        match self {
            Ecosystem::Npm => &[
                "package-lock.json",
                "npm-shrinkwrap.json",
                "yarn.lock",
                "pnpm-lock.yaml",
                "bun.lock",
                "package.json",
            ],
            Ecosystem::Cargo => &["Cargo.lock", "Cargo.toml"],
            Ecosystem::Pypi => &[
                "uv.lock",
                "poetry.lock",
                "pdm.lock",
                "Pipfile.lock",
                "requirements.txt",
                "pyproject.toml",
                "Pipfile",
                "setup.cfg",
            ],
            Ecosystem::Go => &["go.mod"],
            Ecosystem::Maven => {
                &["gradle.lockfile", "pom.xml", "build.gradle", "build.gradle.kts", "libs.versions.toml"]
            }
            Ecosystem::Gems => &["Gemfile.lock", "Gemfile", "*.gemspec"],
            Ecosystem::Composer => &["composer.lock", "composer.json"],
            Ecosystem::Nuget => {
                &["packages.lock.json", "*.csproj", "*.fsproj", "Directory.Packages.props", "packages.config"]
            }
        }
    }

    fn is_here(self, project: &Project) -> bool {
        self.files().iter().any(|name| !project.named(name).is_empty())
    }
}

/// One mention of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Use {
    file: String,
    line: usize,
    /// The version a lock file names, or the range a manifest allows; nothing where any will do.
    version: Option<String>,
    /// Whether a lock file says so.
    locked: bool,
}

pub(super) fn judge(
    project: &Project,
    ecosystem: Option<Ecosystem>,
    name: &str,
    comparators: &[Comparator],
) -> Verdict {
    let here: Vec<Ecosystem> = match ecosystem {
        Some(one) => vec![one],
        None => Ecosystem::ALL.into_iter().filter(|ecosystem| ecosystem.is_here(project)).collect(),
    };
    let mut files = BTreeSet::new();
    for ecosystem in &here {
        files.extend(ecosystem.files().iter().flat_map(|name| project.named(name)).map(str::to_owned));
        let uses = ecosystem.uses(project, name);
        // A lock file says what is really used; a manifest only what would be allowed.
        let locked: Vec<&Use> = uses.iter().filter(|one| one.locked).collect();
        let telling: Vec<&Use> = if locked.is_empty() { uses.iter().collect() } else { locked };
        if !telling.is_empty() {
            return verdict(*ecosystem, name, &telling, comparators);
        }
    }
    let files: Vec<String> = files.into_iter().collect();
    if files.is_empty() {
        let evidence = "no manifest or lock file is here".to_owned();
        return Verdict { truth: Truth::CannotTell, evidence: vec![evidence], files };
    }
    let evidence = format!("{} does not name `{name}`", files.join(", "));
    Verdict { truth: Truth::Broken, evidence: vec![evidence], files }
}

fn verdict(ecosystem: Ecosystem, name: &str, uses: &[&Use], comparators: &[Comparator]) -> Verdict {
    let wanted = Versions::satisfying(ecosystem.scheme(), comparators);
    let one = |found: &&Use| {
        let shown = found.version.as_deref().unwrap_or("any version");
        let evidence = format!("{}:{} {name} {shown}", found.file, found.line);
        let truth = match (&found.version, comparators.is_empty()) {
            (_, true) => Truth::Holds,
            (None, _) => Truth::CannotTell,
            (Some(version), _) => {
                let range = if found.locked {
                    Some(Versions::exactly(ecosystem.scheme(), version))
                } else {
                    range(ecosystem, version)
                };
                match range.map(|range| range.within(&wanted)) {
                    Some(Overlap::Inside) => Truth::Holds,
                    Some(Overlap::Outside) => Truth::Broken,
                    Some(Overlap::Partly) | None => Truth::CannotTell,
                }
            }
        };
        Verdict::from_file(truth, &found.file, evidence)
    };
    let parts: Vec<Verdict> = uses.iter().map(one).collect();
    let mixed = parts.iter().any(|part| part.truth == Truth::Holds)
        && parts.iter().any(|part| part.truth == Truth::Broken);
    let mut whole = Verdict::all(parts.clone());
    if mixed {
        // Several versions side by side: nobody can tell which one is meant.
        whole.truth = Truth::CannotTell;
        whole.evidence = parts.iter().flat_map(|part| part.evidence.clone()).collect();
    }
    whole
}

/// Reads the range a manifest allows, as its ecosystem writes ranges.
fn range(ecosystem: Ecosystem, text: &str) -> Option<Versions> {
    let scheme = ecosystem.scheme();
    let text = text.trim();
    if text.is_empty() || matches!(text, "*" | "latest" | "x") {
        return Some(Versions::all(scheme));
    }
    if matches!(ecosystem, Ecosystem::Maven | Ecosystem::Nuget) && text.starts_with(['[', '(']) {
        return interval(scheme, text);
    }
    let separator = if ecosystem == Ecosystem::Composer && !text.contains("||") { "|" } else { "||" };
    let mut all: Option<Versions> = None;
    for alternative in text.split(separator) {
        let comparators = comparators(ecosystem, alternative.trim())?;
        let versions = Versions::satisfying(scheme, &comparators);
        all = Some(match all {
            None => versions,
            Some(before) => before.or(versions),
        });
    }
    all
}

fn comparators(ecosystem: Ecosystem, text: &str) -> Option<Vec<Comparator>> {
    // `1.2 - 1.9` is a hyphen range in npm and Composer.
    if let Some((low, high)) = text.split_once(" - ") {
        let made = |operator, version: &str| Comparator { operator, version: version.trim().to_owned() };
        return Some(vec![made(Operator::AtLeast, low), made(Operator::AtMost, high)]);
    }
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let sign_end = rest.find(|c: char| !"<>=!~^".contains(c)).unwrap_or(rest.len());
        let (sign, after) = rest.split_at(sign_end);
        let after = after.trim_start();
        let end = after.find([',', ' ', '<', '>']).unwrap_or(after.len());
        let version = after[..end].trim_start_matches('v');
        if !version.starts_with(|c: char| c.is_ascii_digit()) && !version.starts_with(['*', 'x', 'X']) {
            return None;
        }
        let operator = if sign.is_empty() { bare(ecosystem, version) } else { Operator::from_sign(sign)? };
        found.push(Comparator { operator, version: version.to_owned() });
        rest = after[end..].trim_start_matches([',', ' ']);
    }
    Some(found)
}

/// What a version without a sign means: exactly it, or also what is compatible with it.
fn bare(ecosystem: Ecosystem, version: &str) -> Operator {
    match ecosystem {
        Ecosystem::Cargo => Operator::Caret,
        Ecosystem::Nuget => Operator::AtLeast,
        Ecosystem::Npm if version.split('.').count() < 3 => Operator::Caret,
        _ => Operator::Equal,
    }
}

/// Reads `[1.0,2.0)`, as Maven and NuGet write it.
fn interval(scheme: Scheme, text: &str) -> Option<Versions> {
    let inner = text.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let Some((low, high)) = inner.split_once(',') else {
        return Some(Versions::exactly(scheme, inner.trim()));
    };
    let mut comparators = Vec::new();
    if !low.trim().is_empty() {
        let operator = if text.starts_with('[') { Operator::AtLeast } else { Operator::Above };
        comparators.push(Comparator { operator, version: low.trim().to_owned() });
    }
    if !high.trim().is_empty() {
        let operator = if text.ends_with(']') { Operator::AtMost } else { Operator::Below };
        comparators.push(Comparator { operator, version: high.trim().to_owned() });
    }
    Some(Versions::satisfying(scheme, &comparators))
}

/// Tells whether the repository holds several packages.
pub(super) fn monorepo(project: &Project) -> Verdict {
    let signs: [(&str, &str); 8] = [
        ("pnpm-workspace.yaml", "packages"),
        ("lerna.json", ""),
        ("nx.json", ""),
        ("turbo.json", ""),
        ("go.work", "use"),
        ("rush.json", ""),
        ("package.json", "\"workspaces\""),
        ("Cargo.toml", "[workspace]"),
    ];
    for (file, sign) in signs {
        if let Some(text) = project.text(file)
            && let Some(line) = super::project::line_of(&text, sign)
        {
            return Verdict::from_file(Truth::Holds, file, format!("{file}:{line} joins several packages"));
        }
    }
    let poms = project.text("pom.xml").is_some_and(|text| text.contains("<modules>"));
    let gradle = ["settings.gradle", "settings.gradle.kts"]
        .iter()
        .any(|file| project.text(file).is_some_and(|text| text.contains("include")));
    if poms || gradle {
        return Verdict::plain(Truth::Holds, "the build joins several modules");
    }
    for name in ["package.json", "pyproject.toml", "go.mod", "composer.json", "*.gemspec"] {
        let found = project.named(name);
        if found.len() > 1 {
            let shown: Vec<&str> = found.iter().take(3).copied().collect();
            return Verdict::from_file(
                Truth::Holds,
                found[0],
                format!("several packages: {}", shown.join(", ")),
            );
        }
    }
    Verdict::plain(Truth::Broken, "no workspace file and no second package")
}

/// Finds the line of a text after a place, for evidence.
fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}
