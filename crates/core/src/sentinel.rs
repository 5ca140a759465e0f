//! Marks around everything we put into a conversation, so that we never read it back.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem;

/// Opens text of ours.
pub const OPEN: &str = "<lorekeep-context>";

/// Closes text of ours.
pub const CLOSE: &str = "</lorekeep-context>";

/// Puts the marks around a text that is about to be given to an agent.
///
/// Marks inside the text are taken out first, so that nothing quoted in it can end it early.
pub fn wrap(text: &str) -> String {
    let inner = text.replace(OPEN, "").replace(CLOSE, "");
    format!("{OPEN}\n{}\n{CLOSE}", inner.trim_matches('\n'))
}

/// Takes out everything that stands between our marks, and the marks.
///
/// An opening mark that is never closed hides the rest of the text: half of our own words read
/// back as someone's knowledge would be worse than losing a few of theirs.
pub fn strip(text: &str) -> Cow<'_, str> {
    static MARK: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new("lorekeep-context>"));
    if MARK.find(text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = stripped_once(text);
    for _ in 0..ROUNDS {
        if !out.contains(OPEN) && !out.contains(CLOSE) {
            return Cow::Owned(out);
        }
        // Taking marks out can bring two halves of another one together.
        out = stripped_once(&out);
    }
    // Somebody nested halves on purpose. Without the sign that opens a mark there can be none.
    out.retain(|c| c != '<');
    Cow::Owned(out)
}

/// How often halves that come together are taken out.
const ROUNDS: usize = 8;

fn stripped_once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        out.push_str(&rest[..at]);
        let after = &rest[at + OPEN.len()..];
        match after.find(CLOSE) {
            Some(end) => rest = &after[end + CLOSE.len()..],
            None => rest = "",
        }
    }
    out.push_str(rest);
    if out.contains("lorekeep-context>") { out.replace(CLOSE, "") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn our_own_words_are_never_read_back() {
        let check = |text: &str, expected: &str| assert_eq!(strip(text), expected, "{text:?}");
        check("untouched", "untouched");
        check(&wrap("known: x"), "");
        check(&format!("before\n{}\nafter", wrap("known: x")), "before\n\nafter");
        check(&format!("before {OPEN} never closed"), "before ");
        check(&format!("stray {CLOSE} mark"), "stray  mark");
        check(&wrap(&format!("quotes {CLOSE} the mark")), "");
    }

    #[test]
    fn halves_within_halves_end() {
        // Each level was a call of its own, and ended the process.
        let (head, tail) = CLOSE.split_at(4);
        let text = format!("{}{}", head.repeat(50_000), tail.repeat(50_000));
        let left = strip(&text);
        assert!(!left.contains(OPEN) && !left.contains(CLOSE));
        assert_eq!(strip(&left), left);
    }

    proptest! {
        #[test]
        fn stripping_twice_is_stripping_once(parts in prop::collection::vec(
            prop::sample::select(vec![OPEN, CLOSE, "a", "\n", "<lorekeep", "-context>", "</lorekeep", "<"]), 0..12)) {
            let once = strip(&parts.concat()).into_owned();
            prop_assert_eq!(strip(&once), once.as_str());
        }
    }
}
