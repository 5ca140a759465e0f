//! What changed between two texts, line by line, for people.

use serde::Serialize;

/// Unchanged lines shown around a change.
const AROUND: usize = 2;

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "line", content = "text", rename_all = "lowercase")]
pub enum Line {
    /// It stays.
    Kept(String),
    /// It is new.
    Added(String),
    /// It goes.
    Removed(String),
    /// So many lines that stay are not shown.
    Gap(usize),
}

/// Compares two texts and leaves out what is far from any change.
pub fn diff(before: &str, after: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    folded(whole(&old, &new))
}

/// Compares by the longest common subsequence; entries are short.
fn whole(old: &[&str], new: &[&str]) -> Vec<Line> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut out: Vec<Line> = old[..start].iter().map(|line| Line::Kept((*line).to_owned())).collect();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            out.push(Line::Kept(a[i].to_owned()));
            (i, j) = (i + 1, j + 1);
        } else if j < b.len() && (i == a.len() || longest[i * width + j + 1] > longest[(i + 1) * width + j]) {
            out.push(Line::Added(b[j].to_owned()));
            j += 1;
        } else {
            out.push(Line::Removed(a[i].to_owned()));
            i += 1;
        }
    }
    out.extend(old_rest[old_rest.len() - end..].iter().map(|line| Line::Kept((*line).to_owned())));
    out
}

fn folded(lines: Vec<Line>) -> Vec<Line> {
    let is_kept = |line: &Line| matches!(line, Line::Kept(_));
    let near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        lines[from..lines.len().min(at + AROUND + 1)].iter().any(|line| !is_kept(line))
    };
    let shown: Vec<bool> = (0..lines.len()).map(near).collect();
    let mut out = Vec::new();
    let mut hidden = 0;
    for (line, shown) in lines.into_iter().zip(shown) {
        if !shown {
            hidden += 1;
            continue;
        }
        if hidden > 0 {
            out.push(Line::Gap(std::mem::take(&mut hidden)));
        }
        out.push(line);
    }
    if hidden > 0 && !out.is_empty() {
        out.push(Line::Gap(hidden));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: &str) {
        let shown: Vec<String> = diff(before, after)
            .into_iter()
            .map(|line| match line {
                Line::Kept(text) => format!(" {text}"),
                Line::Added(text) => format!("+{text}"),
                Line::Removed(text) => format!("-{text}"),
                Line::Gap(count) => format!("@{count}"),
            })
            .collect();
        assert_eq!(shown.join("|"), expected, "{before:?} → {after:?}");
    }

    #[test]
    fn changes_are_shown_with_what_is_around_them() {
        check("", "a\nb", "+a|+b");
        check("a\nb", "a\nb", "");
        check("a\nb\nc", "a\nx\nc", " a|-b|+x| c");
        check("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n8", "@4| 5| 6|-7|+8");
        check("x\n1\n2\n3\n4\n5\n6\ny", "1\n2\n3\n4\n5\n6", "-x| 1| 2|@2| 5| 6|-y");
    }
}
