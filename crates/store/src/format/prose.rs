//! Where in a file stands what somebody wrote, and not what gives the file its form.

use std::ops::Range;

use super::split::{lines, split};

/// Fields that hold words; what others hold are states, times and names.
const WORDS: [&str; 3] = ["title", "description", "tags"];

/// Lists the stretches of prose: title, description and tags, and the body between its headings.
pub(crate) fn prose(text: &str) -> Vec<Range<usize>> {
    let parts = split(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for line in lines(text, parts.yaml.start).take_while(|line| line.start < parts.yaml.end) {
        let said = &text[line.clone()];
        if let Some((key, _)) = said.split_once(':').filter(|_| said.starts_with(char::is_alphabetic)) {
            is_open = WORDS.contains(&key.trim_end());
            if is_open {
                found.push(line.start + key.len() + 1..line.end);
            }
        } else if let Some(last) = found.last_mut().filter(|_| is_open) {
            last.end = line.end;
        }
    }
    is_open = false;
    for line in lines(text, parts.body) {
        let is_heading = text[line.clone()].starts_with("## ");
        match found.last_mut().filter(|_| is_open && !is_heading) {
            Some(last) => last.end = line.end,
            None if is_heading => {}
            None => found.push(line),
        }
        is_open = !is_heading;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_states_and_headings_are_no_prose() {
        let text = "---\nid: fct-2026-01-01-current\ntitle: The current\n  state\nstatus: current\ntags:\n  - current\n\
                    sources:\n  - id: s1\n---\n\nIt is\ncurrent.\n\n## Current\n\n- One.\n";
        let found: Vec<&str> = prose(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            [" The current\n  state\n", "\n  - current\n", "It is\ncurrent.\n\n", "\n- One.\n"]
        );
        assert_eq!(prose("No front matter.\n").first(), Some(&(0..17)));
        assert!(prose("").is_empty());
    }
}
