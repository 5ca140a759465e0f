//! What a command line does to the project: it delivers, it changes files, or neither.

use std::sync::LazyLock;

use regex::Regex;

/// How a file is changed without an editor.
const CHANGES: [&str; 8] =
    ["sed -i", "sed --in-place", "perl -pi", "perl -i", "git apply", "patch -p", "tee ", "git revert"];

/// Tells whether a command line commits, pushes or opens a pull request.
pub fn delivers(command: &str) -> bool {
    static DELIVERS: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"(?:^|[;&|(\n]\s*|\bthen\s+|\s-l?c\s+['"]\s*)(?:[A-Za-z_]\w*=\S+\s+)*(?:sudo\s+)?(?:git(?:\s+-[cC]\s+\S+|\s+--?[\w-]+(?:=\S+)?)*\s+(?:commit|push)\b|gh\s+pr\s+(?:create|merge)\b|glab\s+mr\s+create\b|jj\s+(?:git\s+push|commit)\b|hub\s+pull-request\b)([^;&|\n]*)"#;
        Regex::new(pattern).expect("the pattern is fixed")
    });
    // Most commands have none of these words, and making the pattern ready takes longer than the hook.
    let may_deliver =
        ["commit", "push", "create", "merge", "pull-request"].iter().any(|word| command.contains(word));
    // Who only rehearses delivers nothing.
    let is_meant = |rest: &str| !rest.split_whitespace().any(|word| word == "--dry-run");
    may_deliver && DELIVERS.captures_iter(command).any(|found| is_meant(&found[1]))
}

/// Tells whether a command line changes files of the project: what an editor would do, done by a shell.
pub fn changes_files(command: &str) -> bool {
    CHANGES.iter().any(|change| command.contains(change)) || written_to(command).any(is_of_the_project)
}

/// Lists where a command line sends what it prints.
fn written_to(command: &str) -> impl Iterator<Item = &str> {
    let after = command.match_indices('>').filter_map(move |(at, _)| {
        let before = command[..at].chars().next_back();
        // `2>`, `&>` tell of errors, `->` and `=>` of something else, and a second mark belongs to the first.
        let is_arrow = before.is_some_and(|c| matches!(c, '-' | '=' | '>' | '<' | '&' | '2'));
        (!is_arrow).then(|| command[at + 1..].trim_start_matches('>').trim_start())
    });
    after.map(|rest| {
        rest.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | ')'))
            .next()
            .unwrap_or_default()
    })
}

fn is_of_the_project(target: &str) -> bool {
    let target = target.trim_matches(['"', '\'']);
    let is_name =
        target.contains(['.', '/']) && target.starts_with(|c: char| c.is_alphanumeric() || c == '.');
    // Whatever is beyond the folder is not the project, and what stands in a variable cannot be known.
    is_name && !target.starts_with("..") && !target.contains('$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_deliver_are_known() {
        let check = |command: &str, expected: bool| assert_eq!(delivers(command), expected, "{command}");
        check("git commit -m 'x'", true);
        check("cd a && git -C b push origin main", true);
        check("cargo test && gh pr create --fill", true);
        check("git add -A\ngit commit", true);
        check("git log --grep commit", false);
        check("echo git commit", false);
        check("git status", false);
    }

    #[test]
    fn commands_of_another_shell_and_rehearsals_are_known() {
        let check = |command: &str, expected: bool| assert_eq!(delivers(command), expected, "{command}");
        check("sh -c 'git commit -am x'", true);
        check("bash -lc \"git push\"", true);
        check("git commit --dry-run", false);
        check("git push --dry-run && git push", true);
    }

    #[test]
    fn what_changes_files_is_known() {
        let check = |command: &str, expected: bool| assert_eq!(changes_files(command), expected, "{command}");
        check("sed -i 's/a/b/' src/flags.rs", true);
        check("cat > src/new.rs <<EOF\nfn a() {}\nEOF", true);
        check("echo 'x' >> notes/list.md", true);
        check("printf x | tee src/a.rs", true);
        check("cargo test 2>/dev/null", false);
        check("cargo test > /dev/null 2>&1", false);
        check("ls > /tmp/list.txt", false);
        check("grep -n 'a -> b.c' src/lib.rs", false);
        check("awk '$1 > 3' data.csv", false);
    }
}
