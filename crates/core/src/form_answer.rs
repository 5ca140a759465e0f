//! What a person answered in a form that an agent put up, as the text of a turn.
//!
//! A question stands on one line, below it `→ ` and the answer; before the question what the form calls it, where it has a
//! heading. Readers write it, whoever looks for decisions reads it.

/// Parts a heading from its question.
const BEHIND_HEADING: &str = " · ";
/// Opens an answer.
const ARROW: &str = "→ ";
/// A longer heading is a sentence.
const HEADING: usize = 40;

/// A question of a form and what was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FormAnswer<'t> {
    /// What the form calls the question.
    pub heading: Option<&'t str>,
    /// The question; empty where only the answer is known.
    pub question: &'t str,
    /// The answer, with what the option was offered with in brackets.
    pub answer: &'t str,
}

impl<'t> FormAnswer<'t> {
    /// Reads the answers of a turn.
    pub fn all_in(text: &'t str) -> impl Iterator<Item = FormAnswer<'t>> {
        let mut asked = "";
        text.lines().filter_map(move |line| {
            let Some(answer) = line.trim_start().strip_prefix(ARROW) else {
                asked = line;
                return None;
            };
            let parted = asked.split_once(BEHIND_HEADING);
            let parted = parted.filter(|(heading, _)| heading.len() <= HEADING && !heading.contains('?'));
            let (heading, question) = match parted {
                Some((heading, question)) => (Some(heading.trim()), question),
                None => (None, asked),
            };
            Some(FormAnswer { heading, question, answer })
        })
    }

    /// Writes it down, with what the chosen option was offered with.
    pub fn with_offer(self, about: Option<&str>) -> String {
        let FormAnswer { heading, question, answer } = self;
        let heading =
            heading.map(str::trim).filter(|heading| !heading.is_empty() && heading.len() <= HEADING);
        let heading = heading.map(|heading| format!("{heading}{BEHIND_HEADING}")).unwrap_or_default();
        match about.filter(|about| !about.is_empty()) {
            Some(about) => format!("{heading}{question}\n{ARROW}{answer} ({about})"),
            None => format!("{heading}{question}\n{ARROW}{answer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let check = |heading: Option<&str>, about: Option<&str>, expected: &str, answer: &str| {
            let asked = FormAnswer { heading, question: "Where do the keys hang?", answer: "In the hall" };
            let text = asked.with_offer(about);
            assert_eq!(text, expected);
            let read: Vec<FormAnswer<'_>> = FormAnswer::all_in(&text).collect();
            assert_eq!(read, [FormAnswer { answer, ..asked }]);
        };
        check(None, None, "Where do the keys hang?\n→ In the hall", "In the hall");
        check(
            Some("Key place"),
            Some("dry"),
            "Key place · Where do the keys hang?\n→ In the hall (dry)",
            "In the hall (dry)",
        );
        let two = "Oars · Ash or pine?\n→ Ash\nWhich day?\n→ Monday\nand Tuesday";
        let read: Vec<_> = FormAnswer::all_in(two).map(|read| (read.heading, read.question)).collect();
        assert_eq!(read, [(Some("Oars"), "Ash or pine?"), (None, "Which day?")]);
        let alone = FormAnswer { answer: "yes", ..FormAnswer::default() };
        assert_eq!(FormAnswer::all_in("→ yes").collect::<Vec<_>>(), [alone]);
    }
}
