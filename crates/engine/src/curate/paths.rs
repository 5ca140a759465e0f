//! Paths of one machine say nothing on another: inside the repository they are written from its top,
//! below a home folder from `~`.

use std::path::PathBuf;

use lore_core::Candidate;

/// Takes what belongs to one machine out of paths.
pub(super) struct Portable {
    /// Folders of the project, the longest first, without a slash at the end.
    tops: Vec<String>,
}

impl Portable {
    /// Knows the folders of the project here, and the one a session worked in, wherever that was.
    pub(super) fn new(folders: &[PathBuf], session: Option<&str>) -> Portable {
        let mut tops: Vec<String> =
            folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
        let name = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
        let names: Vec<Option<String>> = tops.iter().map(|top| name(top)).collect();
        // On another machine the project lies elsewhere, mostly under the same name.
        tops.extend(session.map(str::to_owned).filter(|folder| names.contains(&name(folder))));
        for top in &mut tops {
            top.truncate(top.trim_end_matches(['/', '\\']).len());
        }
        tops.retain(|top| top.len() > 1);
        tops.sort_by_key(|top| std::cmp::Reverse(top.len()));
        Portable { tops }
    }

    /// Writes every path of candidates so that it means the same everywhere.
    pub(super) fn candidates(&self, candidates: &mut [Candidate]) {
        candidates.iter_mut().for_each(|candidate| self.candidate(candidate));
    }

    fn candidate(&self, candidate: &mut Candidate) {
        candidate.title = self.text(&candidate.title);
        candidate.text = self.text(&candidate.text);
        for file in &mut candidate.files {
            *file = self.text(file);
        }
        for evidence in &mut candidate.evidence {
            evidence.quote = self.text(&evidence.quote);
        }
    }

    fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut before = None;
        while let Some(next) = rest.chars().next() {
            // A path begins where nothing of a name or an address stands before it.
            let begins = before.is_none_or(|c: char| !c.is_alphanumeric() && !"/\\._-~:".contains(c));
            if begins && let Some((shown, taken)) = self.top(rest).or_else(|| home(rest)) {
                out.push_str(shown);
                rest = &rest[taken..];
                before = Some('~');
                continue;
            }
            out.push(next);
            before = Some(next);
            rest = &rest[next.len_utf8()..];
        }
        out
    }

    fn top(&self, text: &str) -> Option<(&'static str, usize)> {
        self.tops.iter().find_map(|top| {
            let after = text.strip_prefix(top.as_str())?;
            match after.chars().next() {
                Some('/' | '\\') if after[1..].starts_with(|c: char| is_of_a_path(c)) => {
                    Some(("", top.len() + 1))
                }
                Some(c) if is_of_a_path(c) && c != '.' => None,
                _ => Some((".", top.len())),
            }
        })
    }
}

/// Finds a home folder at the beginning of a text.
fn home(text: &str) -> Option<(&'static str, usize)> {
    if let Some(after) = text.strip_prefix("/root").filter(|after| after.starts_with('/')) {
        return Some(("~", text.len() - after.len()));
    }
    let bytes = text.as_bytes();
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    let (start, slash) = if drive { (2, '\\') } else { (0, '/') };
    let below = ["home", "Users"].iter().find_map(|folder| {
        text.get(start..)?.strip_prefix(slash)?.strip_prefix(folder)?.strip_prefix(slash)
    })?;
    let name = below.find(|c: char| !c.is_alphanumeric() && !"._-".contains(c)).unwrap_or(below.len());
    let after = below.get(name..).filter(|after| name > 0 && after.starts_with(slash))?;
    Some(("~", text.len() - after.len()))
}

fn is_of_a_path(c: char) -> bool {
    c.is_alphanumeric() || "/._-".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Articles held `/home/somebody/work/shop/src/db.rs`, which is nowhere on another machine.
    #[test]
    fn paths_mean_the_same_on_every_machine() {
        let here = [PathBuf::from("/home/ada/work/shop"), PathBuf::from("/tmp/trees/shop-fix")];
        let portable = Portable::new(&here, Some("/Users/grace/code/shop"));
        let check = |text: &str, expected: &str| {
            assert_eq!(portable.text(text), expected, "{text}");
            assert_eq!(portable.text(expected), expected, "done once: {expected}");
        };
        check("See `/home/ada/work/shop/src/db.rs:12`.", "See `src/db.rs:12`.");
        check("in /Users/grace/code/shop/src/db.rs, line 3", "in src/db.rs, line 3");
        check("(/tmp/trees/shop-fix/a.rs)", "(a.rs)");
        check("cd /home/ada/work/shop && make", "cd . && make");
        check("/home/ada/work/shop-old/a.rs", "~/work/shop-old/a.rs");
        check("keys in /home/grace/.ssh/config", "keys in ~/.ssh/config");
        check("C:\\Users\\Grace\\notes.txt", "~\\notes.txt");
        check("/root/.cargo/bin and /rooted", "~/.cargo/bin and /rooted");
        check("https://example.org/home/ada/x", "https://example.org/home/ada/x");
        check("/etc/hosts and /usr/home/x", "/etc/hosts and /usr/home/x");
        check("/home/ größer", "/home/ größer");
        check("", "");
    }
}
