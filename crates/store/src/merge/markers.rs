//! What git leaves in a file where it could not decide.

use std::borrow::Cow;

/// The versions that conflict markers hold apart, each a whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// What this side says.
    pub ours: String,
    /// What both began with, where git was told to show it.
    pub base: Option<String>,
    /// What the other side says.
    pub theirs: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Both,
    Ours,
    Base,
    Theirs,
}

/// Tells whether a text holds a conflict; one that is shown in a block of code is none.
pub fn has_markers(text: &str) -> bool {
    text.contains("<<<<<<< ") && sides(text).is_some()
}

/// Returns the first line, from one, with a mark of a merge, also of one that is not whole any more; one that is shown
/// in a block of code is none.
pub fn marked_line(text: &str) -> Option<u32> {
    if !text.contains("<<<<<<<") && !text.contains(">>>>>>>") {
        return None;
    }
    let is_mark = |line: &str| {
        ["<<<<<<<", ">>>>>>>"]
            .into_iter()
            .any(|mark| line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
    };
    let mut fence: Option<&str> = None;
    for (at, line) in text.lines().map(str::trim_end).enumerate() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        fence = match (fence, mark) {
            (None, mark) => mark,
            (Some(open), Some(mark)) if open == mark => None,
            (open, _) => open,
        };
        if fence.is_none() && is_mark(line) {
            return u32::try_from(at + 1).ok();
        }
    }
    None
}

/// Takes a text with markers apart; nothing where it holds no whole conflict.
pub fn sides(text: &str) -> Option<Sides> {
    let (mut ours, mut base, mut theirs) = (String::new(), String::new(), String::new());
    let (mut at, mut found, mut shown) = (At::Both, false, false);
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let word = line.trim_end();
        if at == At::Both {
            let mark = ["```", "~~~"].into_iter().find(|mark| word.trim_start().starts_with(mark));
            fence = match (fence, mark) {
                (None, mark) => mark,
                (Some(open), Some(mark)) if open == mark => None,
                (open, _) => open,
            };
        }
        at = match at {
            At::Both if fence.is_none() && word.starts_with("<<<<<<< ") => At::Ours,
            At::Ours if word.starts_with("||||||| ") || word == "|||||||" => {
                shown = true;
                At::Base
            }
            At::Ours | At::Base if word == "=======" => At::Theirs,
            At::Theirs if word.starts_with(">>>>>>> ") => {
                found = true;
                At::Both
            }
            same => {
                if matches!(same, At::Both | At::Ours) {
                    ours.push_str(line);
                }
                if matches!(same, At::Both | At::Base) {
                    base.push_str(line);
                }
                if matches!(same, At::Both | At::Theirs) {
                    theirs.push_str(line);
                }
                same
            }
        };
    }
    (found && at == At::Both).then(|| Sides { ours, base: shown.then_some(base), theirs })
}

/// Returns the text as readers should see it: without markers, what both sides say.
pub(crate) fn readable<'t>(path: &str, text: &'t str) -> Cow<'t, str> {
    let Some(sides) = sides(text) else { return text.into() };
    let base = sides.base.as_deref().map(str::as_bytes);
    match super::merge(path, base, sides.ours.as_bytes(), sides.theirs.as_bytes()) {
        super::MergedFile::One(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        super::MergedFile::Two { here, .. } => String::from_utf8_lossy(&here).into_owned().into(),
        super::MergedFile::Foreign => sides.ours.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_taken_apart() {
        let text = "a\n<<<<<<< ours\nb\n||||||| base\nx\n=======\nc\n>>>>>>> theirs\nd\n";
        let found = sides(text).unwrap();
        assert_eq!((found.ours.as_str(), found.theirs.as_str()), ("a\nb\nd\n", "a\nc\nd\n"));
        assert_eq!(found.base.as_deref(), Some("a\nx\nd\n"));
        let check = |text: &str, expected: bool| assert_eq!(has_markers(text), expected, "{text}");
        check(text, true);
        check("Title\n=======\n", false);
        check("<<<<<<< HEAD\nonly begun\n", false);
        check(&format!("How it looks:\n\n```\n{text}```\n"), false);
    }
}
