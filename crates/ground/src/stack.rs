//! What a project is built with, read from its manifests.

use std::collections::BTreeSet;

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
}
