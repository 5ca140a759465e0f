//! What a shell command is for, as far as it shows how work went.

/// Programs that do nothing but run tests.
const RUNNERS: [&str; 12] = [
    "pytest", "py.test", "jest", "vitest", "rspec", "phpunit", "ctest", "tox", "nox", "nextest", "mocha",
    "bats",
];
/// What only leads to the program that is meant.
const LEADS: [&str; 17] = [
    "sudo", "time", "nice", "env", "npx", "bunx", "pnpx", "uv", "poetry", "pipenv", "bundle", "run", "exec",
    "rtk", "xvfb-run", "command", "mise",
];
/// Programs that have tests as one of their jobs, named by the next word.
const BUILDERS: [&str; 26] = [
    "cargo",
    "go",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "make",
    "just",
    "task",
    "mvn",
    "mvnw",
    "gradle",
    "gradlew",
    "dotnet",
    "mix",
    "swift",
    "zig",
    "rake",
    "rails",
    "python",
    "python3",
    "node",
    "playwright",
    "composer",
    "flutter",
];

/// Tells whether a command line runs tests.
pub fn runs_tests(command: &str) -> bool {
    steps(command).any(|step| {
        let mut words = step.split_whitespace().filter(|word| !is_setting(word)).peekable();
        while words.next_if(|word| LEADS.contains(word)).is_some() {}
        // `timeout 60 cargo test`
        if words.next_if_eq(&"timeout").is_some() {
            words.next_if(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        }
        let Some(program) = words.next() else { return false };
        let name = program.rsplit('/').next().unwrap_or(program);
        if RUNNERS.contains(&name) || (program.starts_with("./") && is_test_word(name)) {
            return true;
        }
        // The job stands first, but for switches and what they are given: `cargo --locked test`, `npm --prefix web test`.
        BUILDERS.contains(&name)
            && words
                .take(4)
                .take_while(|word| !matches!(*word, "--" | "|" | "install" | "add" | "i"))
                .any(|word| is_test_word(word) || RUNNERS.contains(&word) || word == "unittest")
    })
}

/// Tells whether a command line makes a commit.
pub fn makes_commit(command: &str) -> bool {
    steps(command).any(|step| {
        let mut words = step.split_whitespace().filter(|word| !is_setting(word));
        words.next() == Some("git")
            && words
                .take(6)
                .take_while(|word| !matches!(*word, "log" | "show" | "help"))
                .any(|word| word == "commit")
    })
}

/// Lists the commands that a line runs one after the other.
fn steps(command: &str) -> impl Iterator<Item = &str> {
    let parts = command.lines().flat_map(|line| line.split("&&")).flat_map(|part| part.split("||"));
    parts
        .flat_map(|part| part.split(';'))
        .map(str::trim)
        .filter(|step| !step.is_empty() && !step.starts_with('#'))
}

/// Tells whether a word only sets a variable for one command.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

fn is_test_word(word: &str) -> bool {
    let is_test = |part: &str| matches!(part.split(['-', '.']).next(), Some("test" | "tests" | "nextest"));
    !word.starts_with('-') && word.split(':').any(is_test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_what_runs_them() {
        for command in [
            "cargo test",
            "cd app && cargo --locked test -p hull 2>&1 | tail -5",
            "RUST_LOG=debug cargo nextest run",
            "npm run test:unit",
            "npm --prefix web test",
            "npx vitest run src/pier.ts",
            "uv run pytest -q",
            "python3 -m pytest tests/",
            "python -m unittest",
            "go test ./...",
            "timeout 60 make test",
            "./test --quick",
            "bundle exec rspec",
            "./gradlew :app:test",
        ] {
            assert!(runs_tests(command), "{command}");
        }
        for command in [
            "test -f Cargo.toml",
            "ls tests",
            "cat tests/pier.rs",
            "grep -rn test src",
            "git commit -m \"add test\"",
            "cargo build",
            "cargo run -- test",
            "mkdir -p tests && touch tests/a.py",
            "echo cargo test",
            "npm install vitest",
            "",
        ] {
            assert!(!runs_tests(command), "{command}");
        }
    }

    #[test]
    fn commits_are_told_from_looking_at_them() {
        assert!(makes_commit("git add . && git commit -m \"pier: longer\""));
        assert!(makes_commit("git -c user.name=x commit --amend"));
        assert!(!makes_commit("git log --grep commit"));
        assert!(!makes_commit("echo commit"));
    }
}
