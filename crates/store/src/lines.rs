//! Tracked machine state as sorted lines, so that git merges it like text.
//!
//! A file is a set: order and repetition mean nothing, which is what makes git's `union` merge
//! safe for it. Fields within a line are separated by tabs.

use std::collections::BTreeSet;

/// A set of lines.
pub(crate) type Lines = BTreeSet<String>;

/// Reads the set; blank lines and conflict markers somebody left behind are not part of it.
pub(crate) fn parse(text: &str) -> Lines {
    let marker =
        |line: &str| ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|m| line.starts_with(m));
    text.lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !marker(line))
        .map(str::to_owned)
        .collect()
}

/// Writes the set.
pub(crate) fn render(lines: &Lines) -> String {
    lines.iter().fold(String::new(), |text, line| text + line + "\n")
}

/// Joins fields to a line; what would break the line becomes a space.
pub(crate) fn join<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let clean = |field: &str| field.replace(['\t', '\n', '\r'], " ");
    let line = fields.into_iter().map(clean).collect::<Vec<_>>().join("\t");
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_merge_reads_as_the_union() {
        let merged = "b\n<<<<<<< ours\na\n=======\nc\n>>>>>>> theirs\n\nb\n";
        assert_eq!(render(&parse(merged)), "a\nb\nc\n");
        assert_eq!(join(["a\tb", "c\nd", "", ""]), "a b\tc d");
    }
}
