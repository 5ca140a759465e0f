//! What a project is built with, read from its manifests.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::freshness::Project;

/// Manifests, and what each says by being there.
const MANIFESTS: [(&str, &[&str]); 19] = [
    ("package.json", &["javascript", "node", "nodejs", "npm"]),
    ("tsconfig.json", &["typescript"]),
    ("deno.json", &["deno", "typescript"]),
    ("Cargo.toml", &["rust", "cargo"]),
    ("pyproject.toml", &["python"]),
    ("requirements.txt", &["python"]),
    ("setup.cfg", &["python"]),
    ("Pipfile", &["python"]),
    ("go.mod", &["go", "golang"]),
    ("pom.xml", &["java", "maven"]),
    ("build.gradle", &["java", "gradle"]),
    ("build.gradle.kts", &["java", "kotlin", "gradle"]),
    ("Gemfile", &["ruby"]),
    ("composer.json", &["php", "composer"]),
    ("*.csproj", &["dotnet", "nuget"]),
    ("Dockerfile", &["docker"]),
    ("docker-compose.yml", &["docker"]),
    ("mix.exs", &["elixir"]),
    ("pubspec.yaml", &["dart"]),
];

/// Manifests deeper in the project than this are somebody else's, such as a fixture's.
const DEPTH: usize = 3;

/// Lists languages, tools and packages that the manifests of a project name, in lower case.
pub fn stack(project: &Project) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (name, says) in MANIFESTS {
        for path in project.named(name) {
            if path.matches('/').count() >= DEPTH {
                continue;
            }
            found.extend(says.iter().map(|word| (*word).to_owned()));
            let text = project.text(path).unwrap_or_default();
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '.' | '_' | '-');
            let words = text.split(|c: char| !is_name(c)).filter(|word| word.len() > 1);
            found.extend(words.map(str::to_lowercase));
        }
    }
    found
}

/// Lists the names under which the project itself stands in its manifests, in lower case.
pub fn own_names(project: &Project) -> BTreeSet<String> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^\s*(?:"name"\s*:|name\s*=|module\s)\s*"?([^"\s]+)"#).expect("the pattern is fixed")
    });
    let paths = MANIFESTS.iter().flat_map(|(name, _)| project.named(name));
    let texts = paths.filter_map(|path| project.text(path));
    let mut found = BTreeSet::new();
    for text in texts {
        found.extend(NAME.captures_iter(&text).map(|name| name[1].to_lowercase()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    fn manifests_name_what_is_used() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("package.json"), r#"{"dependencies":{"@prisma/client":"^5"}}"#)
            .unwrap();
        let found = stack(&Project::new(folder.path()));
        for word in ["javascript", "@prisma/client"] {
            assert!(found.contains(word), "{word} in {found:?}");
        }
        assert!(!found.contains("rust"));
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    fn the_project_itself_is_not_what_it_uses() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("Cargo.toml", "[package]\nname = \"Shop\"\n[dependencies]\nserde = \"1\"\n");
        write("package.json", "{\n  \"name\": \"@shop/web\",\n  \"dependencies\": {\"zod\": \"3\"}\n}");
        write("go.mod", "module example.org/shop\n\nrequire golang.org/x/text v0.3.0\n");
        let found = own_names(&Project::new(folder.path()));
        assert_eq!(found.iter().collect::<Vec<_>>(), ["@shop/web", "example.org/shop", "shop"]);
    }
}
