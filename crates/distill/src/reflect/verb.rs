//! Verbs under their endings: "adding" and "added" are "add", "written" is "write".

use crate::extract::flaws::is_plain_verb;

/// Verbs whose participles are their own.
const IRREGULAR: [(&str, &str); 24] = [
    ("written", "write"),
    ("run", "run"),
    ("set", "set"),
    ("kept", "keep"),
    ("made", "make"),
    ("read", "read"),
    ("split", "split"),
    ("done", "do"),
    ("shown", "show"),
    ("given", "give"),
    ("chosen", "choose"),
    ("built", "build"),
    ("rebuilt", "rebuild"),
    ("sent", "send"),
    ("left", "leave"),
    ("held", "hold"),
    ("put", "put"),
    ("cut", "cut"),
    ("taken", "take"),
    ("hidden", "hide"),
    ("found", "find"),
    ("brought", "bring"),
    ("told", "tell"),
    ("seen", "see"),
];

/// Finds the plain form of what is done to something.
pub(super) fn participle(word: &str) -> Option<String> {
    let own = IRREGULAR.iter().find(|(form, _)| *form == word).map(|(_, plain)| (*plain).to_owned());
    own.or_else(|| word.ends_with("ed").then(|| plain_form(word)).flatten())
}

/// Takes the ending off a verb: "adding" and "added" are "add".
pub(super) fn plain_form(verb: &str) -> Option<String> {
    if !verb.is_ascii() {
        return None;
    }
    if let Some(stem) = verb.strip_suffix("ied") {
        return Some(format!("{stem}y"));
    }
    let stem = verb.strip_suffix("ed").or_else(|| verb.strip_suffix("ing")).filter(|stem| stem.len() > 1)?;
    let forms = [format!("{stem}e"), stem.to_owned(), stem[..stem.len() - 1].to_owned()];
    let known = forms.iter().find(|form| is_plain_verb(form)).cloned();
    // Of what is in no list only the endings tell.
    let silent = ["at", "iz", "uc", "iv", "ag", "ur", "ac"].iter().any(|end| stem.ends_with(end));
    let closed = ["ld", "nt", "ct", "st", "rt", "ck", "sh", "lt", "nd", "ss", "ll", "ff", "rd", "ch", "pt"];
    known.or_else(|| match stem.len() > 3 {
        true if silent => Some(format!("{stem}e")),
        true if closed.iter().any(|end| stem.ends_with(end)) => Some(stem.to_owned()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_found_under_their_endings() {
        for (form, plain) in
            [("adding", "add"), ("running", "run"), ("validated", "validate"), ("applied", "apply")]
        {
            assert_eq!(plain_form(form).as_deref(), Some(plain));
        }
        assert_eq!(plain_form("bed"), None);
    }
}
