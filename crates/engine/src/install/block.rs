//! A block of ours in a Markdown file of somebody else, between marks that are not shown.

use std::ops::Range;

/// The block that says how to use the base.
pub(crate) const KNOWLEDGE: &str = "lore:knowledge";

/// The block that holds the rules themselves.
pub(crate) const RULES: &str = "lore:rules";
/// Every block of ours.
pub(crate) const ALL: [&str; 2] = [KNOWLEDGE, RULES];

fn begin(name: &str) -> String {
    format!("<!-- {name} begin -->")
}

fn end(name: &str) -> String {
    format!("<!-- {name} end -->")
}

/// Finds a block, its marks and the line break behind it included.
pub(crate) fn find(text: &str, name: &str) -> Option<Range<usize>> {
    let start = text.find(&begin(name))?;
    let close = start + text[start..].find(&end(name))? + end(name).len();
    let close = if text[close..].starts_with('\n') { close + 1 } else { close };
    Some(start..close)
}

/// Puts a block in, in the place of an earlier one, or else at the end.
pub(crate) fn with(text: &str, name: &str, inner: &str) -> String {
    let block = format!("{}\n{}\n{}\n", begin(name), inner.trim_end(), end(name));
    if let Some(range) = find(text, name) {
        return format!("{}{block}{}", &text[..range.start], &text[range.end..]);
    }
    if text.is_empty() {
        return block;
    }
    let gap = if text.ends_with("\n\n") {
        ""
    } else if text.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    format!("{text}{gap}{block}")
}

/// Takes a block out, with the empty line that parted it from what stood before.
pub(crate) fn without(text: &str, name: &str) -> String {
    let Some(range) = find(text, name) else { return text.to_owned() };
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let before = if after.trim().is_empty() { before.strip_suffix('\n').unwrap_or(before) } else { before };
    format!("{before}{after}")
}

/// Tells whether a text is nothing but blocks of ours.
pub(crate) fn is_all(text: &str) -> bool {
    let rest = ALL.iter().fold(text.to_owned(), |rest, name| without(&rest, name));
    rest.len() < text.len() && rest.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_is_renewed_and_goes() {
        for original in ["# Rules\n\nBe kind.\n", "", "no break at the end"] {
            let with = with(original, KNOWLEDGE, "Ask first.\n");
            assert!(with.starts_with(original) && with.ends_with("end -->\n"), "{with}");
            let renewed = super::with(&with, KNOWLEDGE, "Ask twice.");
            assert!(renewed.contains("Ask twice.") && !renewed.contains("Ask first."), "{renewed}");
            assert_eq!(super::with(&renewed, KNOWLEDGE, "Ask twice.\n"), renewed);
            assert_eq!(without(&renewed, KNOWLEDGE).trim_end(), original.trim_end());
        }
        assert!(is_all(&with("", RULES, "x")) && !is_all(&with("# A\n", RULES, "x")) && !is_all(""));
        let amid = format!("# A\n\n{}\n# B\n", with("", KNOWLEDGE, "x"));
        assert_eq!(without(&amid, KNOWLEDGE), "# A\n\n\n# B\n");
    }
}
