//! Reads a condition: facts joined by AND, OR, NOT and parentheses.
//!
//! What is not one of the known forms is free text. It is never an error: people write conditions
//! for people too, and those are answered with "cannot tell".

use std::sync::LazyLock;

use regex::Regex;

use super::condition::{Condition, Fact, FileTest};
use super::version::{Comparator, Operator};
use super::{Ecosystem, runtime};

/// Most parentheses and NOTs within each other that are followed. Nobody writes that many, and each
/// takes a piece of the stack.
pub(super) const DEEPEST: usize = 32;

/// Reads a condition.
pub fn parse(text: &str) -> Condition {
    let words = split(text);
    let mut reader = Words { words: &words, at: 0, depth: 0, too_deep: false };
    let condition = reader.any();
    match condition {
        _ if reader.too_deep => Condition::TooDeep,
        Some(condition) if reader.at == words.len() => condition,
        _ => Condition::Free(text.trim().to_owned()),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Word {
    Open,
    Close,
    And,
    Or,
    Not,
    Text(String),
}

struct Words<'w> {
    words: &'w [Word],
    at: usize,
    /// How many parentheses and NOTs are open.
    depth: usize,
    too_deep: bool,
}

impl Words<'_> {
    fn any(&mut self) -> Option<Condition> {
        let mut parts = vec![self.all()?];
        while self.take(&Word::Or) {
            parts.push(self.all()?);
        }
        Some(single(parts, Condition::Any))
    }

    fn all(&mut self) -> Option<Condition> {
        let mut parts = vec![self.one()?];
        while self.take(&Word::And) {
            parts.push(self.one()?);
        }
        Some(single(parts, Condition::All))
    }

    fn one(&mut self) -> Option<Condition> {
        if self.take(&Word::Not) {
            return self.below(Words::one).map(|inner| Condition::Not(Box::new(inner)));
        }
        if self.take(&Word::Open) {
            let inner = self.below(Words::any)?;
            return self.take(&Word::Close).then_some(inner);
        }
        match self.words.get(self.at) {
            Some(Word::Text(text)) => {
                self.at += 1;
                Some(fact(text))
            }
            _ => None,
        }
    }

    /// Reads one level further down, as far as that goes.
    fn below(&mut self, read: fn(&mut Self) -> Option<Condition>) -> Option<Condition> {
        if self.depth == DEEPEST {
            self.too_deep = true;
            return None;
        }
        self.depth += 1;
        let inner = read(self);
        self.depth -= 1;
        inner
    }

    fn take(&mut self, word: &Word) -> bool {
        let found = self.words.get(self.at) == Some(word);
        self.at += usize::from(found);
        found
    }
}

fn single(mut parts: Vec<Condition>, join: fn(Vec<Condition>) -> Condition) -> Condition {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}

/// Splits into joining words and the texts between them; quoted text and `/…/` stay whole.
fn split(text: &str) -> Vec<Word> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""[^"]*"|`[^`]*`|'[^']*'|/(?:\\.|[^/\s])(?:\\.|[^/])*/(?:\s|$)|[()]|[^\s()"'`]+"#)
            .expect("the pattern is fixed")
    });
    let mut words: Vec<Word> = Vec::new();
    let mut end = 0;
    let mut open = 0usize;
    for token in TOKEN.find_iter(text) {
        let piece = token.as_str();
        let glued = token.start() == end && end > 0;
        end = token.end();
        let word = match piece {
            // A parenthesis inside a word belongs to it, as in `handler(x)`.
            "(" if !glued || matches!(words.last(), Some(Word::Open | Word::Not)) => Word::Open,
            ")" if open > 0 => Word::Close,
            _ if piece.eq_ignore_ascii_case("and") || piece == "&&" => Word::And,
            "OR" | "or" | "||" => Word::Or,
            "NOT" | "not" | "!" if starts_a_part(&words) => Word::Not,
            _ => Word::Text(piece.to_owned()),
        };
        match (words.last_mut(), word) {
            (Some(Word::Text(before)), Word::Text(piece)) => {
                if !glued {
                    before.push(' ');
                }
                before.push_str(&piece);
            }
            (_, word) => {
                match word {
                    Word::Open => open += 1,
                    Word::Close => open -= 1,
                    _ => {}
                }
                words.push(word);
            }
        }
    }
    words
}

fn starts_a_part(words: &[Word]) -> bool {
    !matches!(words.last(), Some(Word::Text(_) | Word::Close))
}

/// Reads one fact.
fn fact(text: &str) -> Condition {
    let text = text.trim();
    let found = keyword(text)
        .or_else(|| symbol(text))
        .or_else(|| setting(text))
        .or_else(|| git(text))
        .or_else(|| file(text))
        .or_else(|| package(text));
    found.unwrap_or_else(|| Condition::Free(text.to_owned()))
}

fn keyword(text: &str) -> Option<Condition> {
    let lower = text.to_ascii_lowercase();
    matches!(lower.as_str(), "monorepo" | "is monorepo" | "a monorepo" | "the repository is a monorepo")
        .then_some(Condition::Fact(Fact::Monorepo))
}

macro_rules! form {
    ($pattern:literal) => {{
        static FORM: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("the pattern is fixed"));
        &*FORM
    }};
}

fn symbol(text: &str) -> Option<Condition> {
    let form = form!(
        r"(?i)^(?:symbol|function|class|type|struct|method)\s+[`'\x22]?([\w$.:#]+)[`'\x22]?(?:\(\))?(?:\s+(?:in|exists in|is defined in)\s+(\S+)|\s+exists|\s+is defined)?$"
    );
    let found = form.captures(text)?;
    let path = found.get(2).map(|path| unquoted(path.as_str()).to_owned());
    Some(Condition::Fact(Fact::Symbol { name: found[1].to_owned(), path }))
}

fn setting(text: &str) -> Option<Condition> {
    let form = form!(
        r"(?i)^(?:config|setting)\s+(\S+?)(?:\s+|:|#)([\w.\-/@\[\]]+)(?:\s*(==|=|is|!=|is not)\s*(.+)|\s+(?:is set|exists))?$"
    );
    let found = form.captures(text)?;
    let operator = found.get(3).map(|operator| operator.as_str().to_ascii_lowercase());
    let equal = !matches!(operator.as_deref(), Some("!=" | "is not"));
    let value = found.get(4).map(|value| unquoted(value.as_str().trim()).to_owned());
    // "is set" asks for presence, "is not set" for absence.
    let worded = matches!(operator.as_deref(), Some("is" | "is not"));
    let value = value.filter(|value| !(worded && matches!(value.as_str(), "set" | "not set")));
    let absent = found.get(4).is_some_and(|value| worded && value.as_str().trim() == "not set");
    let (path, key) = (unquoted(&found[1]).to_owned(), found[2].to_owned());
    let negated = (value.is_none() && !equal) || absent;
    let fact = Condition::Fact(Fact::Setting { path, key, equal: equal || value.is_none(), value });
    Some(if negated { Condition::Not(Box::new(fact)) } else { fact })
}

fn git(text: &str) -> Option<Condition> {
    let fact = |fact| Some(Condition::Fact(fact));
    if let Some(found) = form!(r"(?i)^(?:git\s+)?(branch|tag)\s+(\S+)\s+exists$").captures(text) {
        let name = unquoted(&found[2]).to_owned();
        let is_tag = found[1].eq_ignore_ascii_case("tag");
        return fact(if is_tag { Fact::Tag(name) } else { Fact::Branch(name) });
    }
    if let Some(found) =
        form!(r"(?i)^(?:on\s+branch|(?:current\s+)?branch\s+(?:is|==?))\s+(\S+)$").captures(text)
    {
        return fact(Fact::OnBranch(unquoted(&found[1]).to_owned()));
    }
    let unchanged = form!(r"(?i)^(\S+)\s+(?:is\s+)?(unchanged|not\s+changed|changed)\s+since\s+(\S+)$");
    let found = unchanged.captures(text)?;
    let condition = Condition::Fact(Fact::Unchanged {
        path: unquoted(&found[1]).to_owned(),
        since: unquoted(&found[3]).to_owned(),
    });
    Some(if found[2].eq_ignore_ascii_case("changed") {
        Condition::Not(Box::new(condition))
    } else {
        condition
    })
}

fn file(text: &str) -> Option<Condition> {
    if let Some(found) =
        form!(r#"(?i)^(?:file\s+)?(\S+)\s+(does not contain|contains|matches)\s+(.+)$"#).captures(text)
    {
        let path = unquoted(&found[1]);
        let words = found[3].trim();
        let pattern = words.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let test = match (found[2].eq_ignore_ascii_case("matches"), pattern) {
            (_, Some(pattern)) => FileTest::Matches(pattern.to_owned()),
            (true, None) => FileTest::Matches(unquoted(words).to_owned()),
            (false, None) => FileTest::Contains(unquoted(words).to_owned()),
        };
        if !is_path(path) {
            return None;
        }
        let condition = Condition::Fact(Fact::File { path: path.to_owned(), test });
        let negated = found[2].to_ascii_lowercase().starts_with("does");
        return Some(if negated { Condition::Not(Box::new(condition)) } else { condition });
    }
    let exists = form!(
        r"(?i)^(?:(file|path|folder|directory|dir)\s+)?(\S+)\s+(exists|is present|does not exist|doesn't exist|is missing|is absent|is gone)$"
    );
    let found = exists.captures(text)?;
    let path = unquoted(&found[2]);
    let test = match found.get(1).map(|word| word.as_str().to_ascii_lowercase()).as_deref() {
        Some("file") => FileTest::IsFile,
        Some("folder" | "directory" | "dir") => FileTest::IsFolder,
        Some(_) => FileTest::Exists,
        None if is_path(path) => {
            if path.ends_with('/') {
                FileTest::IsFolder
            } else {
                FileTest::Exists
            }
        }
        None => return None,
    };
    let path = path.trim_end_matches('/').to_owned();
    let condition = Condition::Fact(Fact::File { path, test });
    let there = matches!(found[3].to_ascii_lowercase().as_str(), "exists" | "is present");
    Some(if there { condition } else { Condition::Not(Box::new(condition)) })
}

fn package(text: &str) -> Option<Condition> {
    let installed = form!(
        r"(?i)^(?:package|dependency|depends on|uses)\s+(\S+)$|^(\S+)\s+(?:is installed|is used|is a dependency|is not installed|is not used)$"
    );
    if let Some(found) = installed.captures(text) {
        let name = found.get(1).or(found.get(2)).map_or("", |name| name.as_str());
        let (ecosystem, name) = split_ecosystem(unquoted(name));
        let condition =
            Condition::Fact(Fact::Package { ecosystem, name: name.to_owned(), comparators: Vec::new() });
        let absent = text.to_ascii_lowercase().contains(" is not ");
        return Some(if absent { Condition::Not(Box::new(condition)) } else { condition });
    }
    let compared = form!(
        r"^(?:package\s+)?([@\w][\w@./:\-]*)\s*((?:>=|<=|==|!=|~=|~>|===|>|<|=|\^|~)\s*v?[\w.*+\-!]+(?:\s*,?\s*(?:>=|<=|==|!=|~=|~>|>|<|=|\^|~)\s*v?[\w.*+\-!]+)*)$"
    );
    let found = compared.captures(text)?;
    let comparators = comparators(&found[2])?;
    let (ecosystem, name) = split_ecosystem(&found[1]);
    if ecosystem.is_none()
        && let Some(name) = runtime::known(name)
    {
        return Some(Condition::Fact(Fact::Runtime { name, comparators }));
    }
    Some(Condition::Fact(Fact::Package { ecosystem, name: name.to_owned(), comparators }))
}

fn comparators(text: &str) -> Option<Vec<Comparator>> {
    let form = form!(r"(>=|<=|===|==|!=|~=|~>|>|<|=|\^|~)\s*(v?[\w.*+\-!]+)");
    let read = |found: regex::Captures<'_>| {
        Some(Comparator { operator: Operator::from_sign(&found[1])?, version: found[2].to_owned() })
    };
    let all: Option<Vec<Comparator>> = form.captures_iter(text).map(read).collect();
    // `>= soon` is a sentence, not a version.
    all.filter(|all| all.iter().all(|one| one.version.contains(|c: char| c.is_ascii_digit())))
}

fn split_ecosystem(name: &str) -> (Option<Ecosystem>, &str) {
    match name.split_once(':') {
        Some((prefix, rest)) => match Ecosystem::from_word(prefix) {
            Some(ecosystem) => (Some(ecosystem), rest),
            None => (None, name),
        },
        None => (None, name),
    }
}

/// Tells whether a word looks like a path rather than a package.
fn is_path(word: &str) -> bool {
    let dotted = word.rsplit_once('.').is_some_and(|(_, end)| {
        (1..=10).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphanumeric())
    });
    let known =
        ["Dockerfile", "Makefile", "Gemfile", "Rakefile", "Procfile", "Justfile", "LICENSE", "README"];
    (word.contains('/') && !word.contains("://"))
        || word.contains('*')
        || dotted
        || word.starts_with('.')
        || known.contains(&word)
}

fn unquoted(text: &str) -> &str {
    for quote in ['"', '`', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(show(&parse(text)), expected, "{text}");
    }

    fn show(condition: &Condition) -> String {
        let join = |parts: &[Condition], word: &str| {
            let shown: Vec<String> = parts.iter().map(show).collect();
            format!("({})", shown.join(word))
        };
        match condition {
            Condition::All(parts) => join(parts, " & "),
            Condition::Any(parts) => join(parts, " | "),
            Condition::Not(inner) => format!("!{}", show(inner)),
            Condition::Free(_) => "free".to_owned(),
            Condition::TooDeep => "too deep".to_owned(),
            Condition::Fact(Fact::Package { ecosystem, name, comparators }) => {
                let signs: Vec<String> =
                    comparators.iter().map(|one| format!("{}{}", one.operator.sign(), one.version)).collect();
                let ecosystem = ecosystem.map(|e| format!("{}:", e.word())).unwrap_or_default();
                format!("{ecosystem}{name}{}", signs.join(","))
            }
            Condition::Fact(Fact::Runtime { name, comparators }) => {
                format!("runtime {name} {}", comparators.len())
            }
            Condition::Fact(Fact::File { path, test }) => format!("{path} {test:?}"),
            Condition::Fact(fact) => format!("{fact:?}"),
        }
    }

    #[test]
    fn packages_are_compared() {
        check("prisma >= 4.0", "prisma>=4.0");
        check("prisma>=4.0,<6", "prisma>=4.0,<6");
        check("npm:react ^18", "npm:react^18");
        check("@prisma/client ~5.1", "@prisma/client~5.1");
        check("org.slf4j:slf4j-api >= 2.0", "org.slf4j:slf4j-api>=2.0");
        check("github.com/spf13/cobra >= v1.8", "github.com/spf13/cobra>=v1.8");
        check("node >= 20", "runtime node 1");
        check("uses tokio", "tokio");
        check("tokio is not installed", "!tokio");
    }

    #[test]
    fn files_symbols_settings_and_git() {
        check("src/lib/auth.ts exists", "src/lib/auth.ts Exists");
        check("src/**/*.ts exists", "src/**/*.ts Exists");
        check("docs/ exists", "docs IsFolder");
        check("Dockerfile does not exist", "!Dockerfile Exists");
        check("src/a.rs contains \"fn main\"", "src/a.rs Contains(\"fn main\")");
        check("src/a.rs matches /fn \\w+/", "src/a.rs Matches(\"fn \\\\w+\")");
        check(
            "symbol AuthService in src/lib/auth.ts",
            "Symbol { name: \"AuthService\", path: Some(\"src/lib/auth.ts\") }",
        );
        check(
            "config package.json type == module",
            "Setting { path: \"package.json\", key: \"type\", equal: true, value: Some(\"module\") }",
        );
        check("branch release exists", "Branch(\"release\")");
        check("tag v1.0 exists", "Tag(\"v1.0\")");
        check("on branch main", "OnBranch(\"main\")");
        check(
            "src/a.rs unchanged since 2026-01-31",
            "Unchanged { path: \"src/a.rs\", since: \"2026-01-31\" }",
        );
        check("monorepo", "Monorepo");
    }

    #[test]
    fn words_join() {
        check("NOT monorepo", "!Monorepo");
        check("a.rs exists AND b.rs exists OR monorepo", "((a.rs Exists & b.rs Exists) | Monorepo)");
        check("a.rs exists AND (b.rs exists OR NOT monorepo)", "(a.rs Exists & (b.rs Exists | !Monorepo))");
        check("prisma >= 4 && ! monorepo", "(prisma>=4 & !Monorepo)");
    }

    #[test]
    fn sentences_are_free_text() {
        check("the vendor keeps the old endpoint alive", "free");
        check("team size < small", "free");
        check("", "free");
        check("AND", "free");
        check("(a.rs exists", "free");
    }

    #[test]
    fn what_is_nested_too_deep_is_said_to_be() {
        // 20 000 brackets ended `check`, the MCP server and every hook.
        let nested = |opening: &str, times: usize, closing: &str| {
            format!("{}monorepo{}", opening.repeat(times), closing.repeat(times))
        };
        check(&nested("(", 200_000, ")"), "too deep");
        check(&nested("(", 200_000, ""), "too deep");
        check(&nested("NOT ", 200_000, ""), "too deep");
        check(&nested("(NOT ", 200_000, ")"), "too deep");
        check(&nested("(", DEEPEST + 1, ")"), "too deep");
        check(&nested("(", DEEPEST, ")"), "Monorepo");
        let beside = vec!["(monorepo)"; 2_000].join(" AND ");
        check(&beside, &format!("({})", vec!["Monorepo"; 2_000].join(" & ")));
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,60}") {
            let _ = parse(&text);
        }

        #[test]
        fn reading_never_panics_on_near_misses(text in "(NOT|AND|OR|\\(|\\)|a\\.rs|exists|>=|1\\.2|\"|/| ){0,14}") {
            let _ = parse(&text);
        }
    }
}
