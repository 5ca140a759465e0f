//! One self-contained statement with its sources.

use serde::{Deserialize, Serialize};

use crate::Moment;

/// One statement inside an article, with the footnotes it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// One to three sentences on one line.
    pub text: String,
    /// Footnote keys, which are ids of the entry's sources; none means that a person wrote it.
    pub sources: Vec<String>,
    /// Whether it still holds.
    pub standing: Standing,
}

/// Whether a claim still holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "kebab-case")]
pub enum Standing {
    /// It holds as far as we know.
    Current,
    /// Another claim says otherwise, and nobody has decided.
    Disputed {
        /// Who said it and when, in words.
        said: Option<String>,
    },
    /// A later claim reads as if it took its place, and nobody has confirmed that.
    PossiblyReplaced {
        /// The day or instant of the later claim.
        since: Option<Moment>,
        /// The later claim.
        by: Option<String>,
        /// Why we think so, in words.
        reason: Option<String>,
    },
    /// It held once.
    Past {
        /// The day or instant it was replaced.
        until: Option<Moment>,
        /// What holds instead, in words.
        replaced_by: Option<String>,
        /// Why we think so, in words.
        reason: Option<String>,
    },
}

impl Claim {
    /// Makes a current claim; line breaks and footnote marks inside the text are taken out.
    pub fn new(text: &str, sources: Vec<String>) -> Claim {
        Claim { text: one_line(text), sources, standing: Standing::Current }
    }

    /// Tells whether it holds as far as we know.
    pub fn is_current(&self) -> bool {
        self.standing == Standing::Current
    }
}

/// Joins the lines of a text and takes out what would read as a footnote mark.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    while let Some(from) = out.find("[^") {
        let end = out[from..].find(']').map_or(from + 2, |at| from + at + 1);
        out.replace_range(from..end, "");
    }
    // Taking a mark out can leave two spaces, or a space at an end.
    if out.contains("  ") || out.starts_with(' ') || out.ends_with(' ') {
        return one_line(&out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_claim_is_one_line_without_marks() {
        let check = |text: &str, expected: &str| assert_eq!(Claim::new(text, vec![]).text, expected);
        check("Use\n  tabs. ", "Use tabs.");
        check("Use tabs.[^s1] Always.[^s2]", "Use tabs. Always.");
        check("broken [^ mark", "broken mark");
    }

    proptest! {
        #[test]
        fn cleaning_is_idempotent(text in "[a-z\\[\\]^ \n]{0,40}") {
            let once = one_line(&text);
            prop_assert_eq!(one_line(&once), once);
        }
    }
}
