//! Whether a name is defined.

use regex::Regex;

use super::{Project, Truth, Verdict, files};

/// Words that stand before the name of a definition, in the languages we meet.
const BEFORE: &str = "fn|func|function|def|class|struct|enum|trait|interface|type|impl|module|mod|namespace|object|record|protocol|actor|const|let|var|val|static|macro_rules!|defmodule|defp|sub|proc|typedef|union|data|newtype|export default|extension|table|view|procedure";

/// Ends of files that hold source code.
const CODE: &[&str] = &[
    "rs", "go", "py", "ts", "tsx", "js", "jsx", "mjs", "cjs", "java", "kt", "kts", "rb", "php", "cs", "c",
    "h", "cc", "cpp", "hpp", "swift", "scala", "ex", "exs", "lua", "sql", "vue", "svelte", "zig", "hs", "ml",
    "clj", "dart", "pl",
];

pub(super) fn judge(project: &Project, name: &str, path: Option<&str>) -> Verdict {
    // `Type::method` and `Type.method` are looked for by their last part.
    let last = name.rsplit([':', '.', '#']).next().unwrap_or(name);
    let Some(definition) = definition(last) else {
        return Verdict::plain(Truth::CannotTell, format!("`{name}` is not a name"));
    };
    let paths: Vec<String> = match path {
        Some(path) if path.contains('*') => owned(files::matching(project, path).unwrap_or_default()),
        Some(path) if project.inside(path).is_some_and(|full| full.is_dir()) => {
            let folder = format!("{}/", path.trim_end_matches('/'));
            owned(
                project
                    .paths()
                    .iter()
                    .map(String::as_str)
                    .filter(|file| file.starts_with(&folder) && is_code(file))
                    .collect(),
            )
        }
        Some(path) => vec![path.to_owned()],
        None => owned(project.paths().iter().map(String::as_str).filter(|file| is_code(file)).collect()),
    };
    for file in &paths {
        let Some(text) = project.text(file) else { continue };
        if let Some(found) = definition.find(&text) {
            let line = text[..found.end()].matches('\n').count() + 1;
            return Verdict::from_file(Truth::Holds, file, format!("{file}:{line} defines `{last}`"));
        }
    }
    let place = path.unwrap_or("the source code");
    Verdict {
        truth: Truth::Broken,
        evidence: vec![format!("{place} does not define `{last}`")],
        files: paths,
    }
}

/// A definition is a defining word before the name, or the name before what only definitions have.
fn definition(name: &str) -> Option<Regex> {
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
        return None;
    }
    let name = regex::escape(name);
    let pattern = format!(
        r"(?m)(?:^|[^\w$.])(?:{BEFORE})\s+(?:\([^)\n]*\)\s*|\*|self\.|\w+\s*\.\s*)?{name}\b|^\s*(?:(?:public|private|protected|internal|static|async|final|abstract|override|virtual|readonly|export|pub|inline|extern|[\w<>\[\],?&*]+)\s+)+{name}\s*(?:<[^>\n]*>)?\([^;\n]*\)?[^;\n]*\{{|^\s*(?:async\s+|static\s+|get\s+|set\s+)?{name}\s*\([^)\n]*\)\s*(?::[^{{\n]+)?\{{|^{name}\s*=\s*\S|^\s*(?:export\s+)?{name}\s*[:=]\s*(?:async\s*)?(?:function|\()"
    );
    Regex::new(&pattern).ok()
}

fn is_code(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| CODE.contains(&end))
}

fn owned(paths: Vec<&str>) -> Vec<String> {
    paths.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_uses() {
        let check = |name: &str, text: &str, expected: bool| {
            let found = definition(name).is_some_and(|regex| regex.is_match(text));
            assert_eq!(found, expected, "`{name}` in {text:?}");
        };
        check("AuthService", "export class AuthService {", true);
        check("AuthService", "const a = new AuthService();", false);
        check("login", "  async login(user: string): Promise<void> {", true);
        check("login", "  await login(user);", false);
        check("Open", "func (s *Store) Open(path string) error {", true);
        check("open", "pub(crate) fn open(path: &Path) -> Self {", true);
        check("handler", "const handler = async () => {}", true);
        check("LIMIT", "LIMIT = 5", true);
        check("parse", "    def parse(self):", true);
        check("Foo", "public record Foo(int x) {", true);
        check("getName", "    public String getName() {", true);
        check("getName", "    return user.getName();", false);
        check("Auth", "class AuthService", false);
    }
}
