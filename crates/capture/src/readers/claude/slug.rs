//! The name of the folder in which Claude Code keeps a project's sessions.

use std::path::Path;

/// Longest part of the name that is made of the path; what is longer gets a hash behind it.
const LONGEST: usize = 200;

/// Tells from a transcript's path whether it may belong to one of the folders: `false` is sure,
/// `None` means that only its records can tell.
///
/// Every character of the path that is no letter or digit becomes `-`, so a name fits several
/// folders, and a session may have begun in a folder below. A name that no path gives was chosen
/// by the user.
pub(super) fn may_belong(path: &Path, folders: &[&Path]) -> Option<bool> {
    let name = path.ancestors().skip(1).find_map(|folder| {
        let above = folder.parent()?.file_name()?;
        if above == "projects" { folder.file_name()?.to_str() } else { None }
    })?;
    if !is_made_of_a_path(name) {
        return None;
    }
    let fits = |folder: &&Path| {
        let slug = slug(folder);
        match name.strip_prefix(&slug[..slug.len().min(LONGEST)]) {
            Some(rest) => rest.is_empty() || rest.starts_with('-'),
            None => false,
        }
    };
    if folders.iter().any(fits) { None } else { Some(false) }
}

fn slug(folder: &Path) -> String {
    folder.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn is_made_of_a_path(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_plain = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let has_drive = bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && &bytes[1..3] == b"--";
    is_plain && (name.starts_with('-') || has_drive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_told_by_the_name() {
        let deep = format!("/home/ada/{}", "very/".repeat(60));
        let cut = format!("{}-1x2y3z", &slug(Path::new(&deep))[..LONGEST]);
        let check = |name: &str, folder: &str, expected: Option<bool>| {
            let path = format!("/home/ada/.claude/projects/{name}/0f00.jsonl");
            assert_eq!(may_belong(Path::new(&path), &[Path::new(folder)]), expected, "{name} {folder}");
        };
        check("-home-ada-ferry", "/home/ada/ferry", None);
        check("-home-ada-ferry-docs", "/home/ada/ferry", None);
        check("-home-ada-ferryboat", "/home/ada/ferry", Some(false));
        check("-home-ada-my-ferry", "/home/ada/my_ferry", None);
        check("-home-eve-ferry", "/home/ada/ferry", Some(false));
        check("C--work-ferry", "C:\\work\\ferry", None);
        check("chosen_name", "/home/ada/ferry", None);
        check(&cut, &deep, None);
        let side = Path::new("/h/.claude/projects/-home-eve/0f00/subagents/agent-a1.jsonl");
        assert_eq!(may_belong(side, &[Path::new("/home/ada")]), Some(false));
        assert_eq!(may_belong(Path::new("/tmp/x.jsonl"), &[Path::new("/home/ada")]), None);
    }
}
