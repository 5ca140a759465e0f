//! Small words that were typed in a hurry: "allways run it befor you comit".

use lore_core::words::{Commonness, commonness};

/// Words that say what a sentence does, and are mistyped often.
const MEANT: [&str; 17] = [
    "always",
    "never",
    "before",
    "because",
    "please",
    "every",
    "everything",
    "everywhere",
    "should",
    "without",
    "instead",
    "anymore",
    "prefer",
    "commit",
    "until",
    "decided",
    "longer",
];

/// Returns the word that was meant, where one letter is wrong, missing, doubled or in the wrong place.
///
/// The first letter is hardly ever wrong, and a word that everybody knows was meant as it stands.
pub(crate) fn spelled(word: &str) -> &str {
    let meant = MEANT.iter().find(|meant| {
        word.len() + 1 >= meant.len()
            && word.len() <= meant.len() + 1
            && word.as_bytes().first() == meant.as_bytes().first()
            && word != **meant
            && is_one_slip(word.as_bytes(), meant.as_bytes())
    });
    match meant {
        Some(meant) if commonness(word) == Commonness::Rare => meant,
        _ => word,
    }
}

/// Tells whether one letter put in, left out, changed or swapped with the next makes the one word of the other.
fn is_one_slip(word: &[u8], meant: &[u8]) -> bool {
    let same = word.iter().zip(meant).take_while(|(a, b)| a == b).count();
    let (word, meant) = (&word[same..], &meant[same..]);
    let rest = |word: &[u8], from: usize| word.get(from..).map(<[u8]>::to_vec);
    let swapped = word.len() > 1 && meant.len() > 1 && word[0] == meant[1] && word[1] == meant[0];
    rest(word, 1) == rest(meant, 1) && !word.is_empty()
        || rest(word, 1).as_deref() == Some(meant)
        || rest(meant, 1).as_deref() == Some(word)
        || swapped && rest(word, 2) == rest(meant, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_read_as_what_was_meant() {
        let check = |word: &str, expected: &str| assert_eq!(spelled(word), expected, "{word}");
        check("allways", "always");
        check("alwasy", "always");
        check("befor", "before");
        check("comit", "commit");
        check("plese", "please");
        check("nevr", "never");
        check("evry", "every");
        check("shoud", "should");
        check("fever", "fever");
        check("level", "level");
        check("ever", "ever");
        check("summit", "summit");
        check("a", "a");
        check("", "");
        check("überall", "überall");
    }
}
