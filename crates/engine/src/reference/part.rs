//! The part of a long place that a citation is about.

/// So much of a place is shown behind a footnote, in characters …
const MOST: usize = 1_600;
/// … this much of it before the words that are quoted.
const BEFORE: usize = 400;
/// So many letters of a quotation find it again: the rest of it may have been cut or worded.
const OPENING: usize = 24;

/// Cuts a text to what stands around the words that are quoted of it, or to its beginning; nothing where it is short
/// enough to be shown whole.
pub(super) fn part_about(text: &str, quoted: &str) -> Option<String> {
    let length = text.chars().count();
    if length <= MOST {
        return None;
    }
    let opening: String = quoted.chars().take(OPENING).collect();
    let found = if opening.trim().is_empty() { None } else { text.find(&opening) };
    let at = found.map_or(0, |at| text[..at].chars().count());
    let first = at.saturating_sub(BEFORE).min(length - MOST);
    let part: String = text.chars().skip(first).take(MOST).collect();
    let (head, tail) = (if first > 0 { "… " } else { "" }, if first + MOST < length { " …" } else { "" });
    Some(format!("{head}{}{tail}\n", part.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_shown_with_a_little_around_it() {
        let filler = "The crew was greeted and had some tea. ".repeat(100);
        let text = format!("{filler}Tickets are never sent by mail. {filler}");
        let part = part_about(&text, "Tickets are never sent by mail.").unwrap();
        assert!(part.contains("Tickets are never sent") && part.chars().count() < MOST + 10, "{part}");
        assert!(part.starts_with("… ") && part.ends_with(" …\n"), "{part}");
        let beginning = part_about(&text, "Something that was worded anew.").unwrap();
        assert!(beginning.starts_with("The crew") && beginning.ends_with(" …\n"), "{beginning}");
        assert_eq!(part_about("Tickets are never sent by mail.", "Tickets"), None);
    }
}
