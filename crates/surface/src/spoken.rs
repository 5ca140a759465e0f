//! The words of a text as people say them.

use lore_core::words::Form;

use crate::token;

/// Lists the words of a text with their stems; a compound is its parts.
pub(crate) fn spoken(text: &str) -> Vec<(String, String)> {
    let text = without_contractions(text);
    let parts = token::tokens(&text).into_iter().filter(|token| token.form != Form::Whole);
    parts.map(|token| (token.term, token.word)).collect()
}

/// "Carry on", "throw that away": verbs that with their particle say something other than alone, and nothing that
/// anybody could know something about.
const PHRASAL: [(&str, &[&str]); 12] = [
    ("carry", &["on"]),
    ("hang", &["on"]),
    ("hold", &["on"]),
    ("move", &["on"]),
    ("throw", &["away", "out"]),
    ("give", &["up"]),
    ("figure", &["out"]),
    ("wrap", &["up"]),
    ("calm", &["down"]),
    ("cheer", &["up"]),
    ("wake", &["up"]),
    ("mess", &["up"]),
];
/// So many words may stand between the two: "throw that old file away".
const BETWEEN: usize = 3;

/// Lists the verbs of a text that stand with such a particle.
pub(crate) fn phrasal(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let stands = |at: usize| {
        let behind = &words[at + 1..words.len().min(at + 2 + BETWEEN)];
        let particles = PHRASAL.iter().find(|(verb, _)| *verb == words[at]);
        particles.is_some_and(|(_, particles)| behind.iter().any(|word| particles.contains(word)))
    };
    (0..words.len()).filter(|at| stands(*at)).map(|at| words[at].to_owned()).collect()
}

/// Folders that hold all code of a project, as many lay it out: they say where and not what.
const ROOTS: [&str; 8] = ["src", "lib", "source", "sources", "include", "pkg", "packages", "crates"];

/// Lists the words of a text that only say where a file lies and of which sort it is: `src` and `py` of `src/mast.py`.
pub(crate) fn of_places(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let trimmed = |word: &'_ str| -> String {
        word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/')).to_owned()
    };
    let (paths, words): (Vec<String>, Vec<String>) =
        lower.split_whitespace().map(trimmed).partition(|word| word.contains('/'));
    let mut found = Vec::new();
    for path in &paths {
        let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let Some((_, ending)) = parts.pop().and_then(|name| name.rsplit_once('.')) else { continue };
        let roots = parts.into_iter().filter(|part| ROOTS.contains(part));
        found.extend(roots.chain([ending]).map(str::to_owned));
    }
    found.retain(|word| !words.contains(word));
    found
}

/// Takes off `'d`, `'ll`, `'re`, `'ve`, `'m`: `we'd` is no wedding.
fn without_contractions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '’']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mark = after.chars().next().map_or(1, char::len_utf8);
        let end = after[mark..].find(|c: char| !c.is_alphabetic()).map_or(after.len(), |end| mark + end);
        let ending = after[mark..end].to_ascii_lowercase();
        if !matches!(ending.as_str(), "d" | "ll" | "re" | "ve" | "m") {
            out.push_str(&after[..end]);
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_with_their_particle_say_something_else() {
        assert_eq!(phrasal("carry on"), ["carry"]);
        assert_eq!(phrasal("Throw that old file away!"), ["throw"]);
        assert_eq!(phrasal("may functions throw on a bad key?"), [""; 0]);
        assert_eq!(phrasal("who carries the key on Mondays?"), [""; 0]);
    }

    #[test]
    fn where_a_file_lies_is_not_what_it_is_about() {
        assert_eq!(of_places("What does src/rig/mast.py do?"), ["src", "py"]);
        assert_eq!(of_places("is src gone? see `src/mast.py`."), ["py"]);
        assert_eq!(of_places("look into src/rig, and mast.py"), [""; 0]);
        assert_eq!(of_places("and/or"), [""; 0]);
    }

    #[test]
    fn contractions_are_grammar() {
        assert_eq!(
            without_contractions("we'd say it's Nate’s, they'll don't"),
            "we say it's Nate’s, they don't"
        );
    }
}
