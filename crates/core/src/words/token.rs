//! Words out of text: prose, identifiers, paths, versions, and scripts without spaces.
//!
//! An identifier is found by its parts and as a whole: `parseHTTPHeader` gives `pars`, `http`,
//! `header` and the whole; `user_id`, `userId` and `user-id` share the whole `userid`.

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// Longer runs are data, not words.
const LONGEST: usize = 80;
/// From this length on, a hexadecimal run is also found by its first seven digits.
const HASH_LENGTH: usize = 12;

/// How a token came out of its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An ordinary word.
    Plain,
    /// A part of something compound.
    Part,
    /// Something compound, joined.
    Whole,
}

/// One searchable token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Lower-cased, folded and stemmed.
    pub term: String,
    /// Lower-cased and folded, as it was written.
    pub word: String,
    /// How it came out of its word.
    pub form: Form,
    /// Where it stands among the words of the text.
    pub position: usize,
    /// Whether it is written with a capital or a digit in it: a name, an acronym, an identifier.
    pub marked: bool,
}

/// Splits a text into tokens; never fails, whatever the characters.
pub fn tokens(text: &str) -> Vec<Token> {
    tokens_stemmed(text, |_| true)
}

/// Splits a text into tokens, of which only some are stemmed: stemming takes longer than the rest.
pub fn tokens_stemmed(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<Token> {
    let stemmer = Stemmer::new(Algorithm::English);
    let stem = |word: &str| if wanted(word) { stem(word, &stemmer) } else { word.to_owned() };
    let folded;
    let text = if text.is_ascii() {
        text
    } else {
        folded = fold(text);
        &folded
    };
    let mut out = Vec::with_capacity(text.len() / 5);
    let mut position = 0;
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        rest = &rest[start..];
        let length = compound_length(rest);
        let (compound, after) = rest.split_at(length);
        position = push_compound(compound, after, position, &stem, &mut out);
        rest = after;
    }
    out
}

/// Tells whether the word carries grammar rather than meaning.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Composes compatibility forms and takes accents off, so that `naïve` is found by `naive`.
pub(super) fn fold(text: &str) -> String {
    text.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).nfc().collect()
}

/// Measures the run of letters, digits and single joiners at the start of the text.
fn compound_length(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_alphanumeric() {
            length = at + c.len_utf8();
        } else {
            let goes_on = is_joiner(c) && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
            let comma = c != ',' || text[..at].ends_with(|d: char| d.is_ascii_digit());
            if !goes_on || !comma {
                break;
            }
        }
    }
    length
}

fn is_joiner(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | '\\' | ':' | '@' | '\'' | '’' | ',' | '&' | '+')
}

/// Adds the tokens of one compound and returns the next free position.
fn push_compound(
    compound: &str,
    after: &str,
    mut position: usize,
    stem: &impl Fn(&str) -> String,
    out: &mut Vec<Token>,
) -> usize {
    let compound = without_possessive(compound);
    if is_simple(compound) {
        let word = compound.to_ascii_lowercase();
        let marked = compound.as_bytes()[0].is_ascii_uppercase();
        out.push(Token { term: stem(&word), word, form: Form::Plain, position, marked });
        return position + 1;
    }
    let first = position;
    let mut parts = Vec::new();
    for run in compound.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.chars().any(is_unspaced) {
            parts.extend(bigrams(run));
        } else {
            parts.extend(case_parts(run).into_iter().map(str::to_owned));
        }
    }
    let contraction = compound.contains(['\'', '’']) && !compound.contains(['/', '_', '.']);
    let single = parts.len() == 1;
    let marked = compound.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit())
        || compound.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let mut push = |word: String, form, position| {
        if word.chars().count() <= LONGEST {
            let term = stem(&word);
            out.push(Token { term, word, form, position, marked });
        }
    };
    // Wholes come first, because the index wants positions that never go back.
    if parts.len() > 1 && parts.len() <= 12 && !compound.chars().any(is_unspaced) {
        let whole = parts.concat().to_lowercase();
        push(whole, if contraction { Form::Plain } else { Form::Whole }, first);
        if let Some((_, name)) = compound.rsplit_once(['/', '\\'])
            && name.contains(['.', '-', '_'])
        {
            let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
            push(letters.to_lowercase(), Form::Whole, first);
        }
    }
    if single && let Some(suffix) = language_suffix(compound, after) {
        push(format!("{}{suffix}", compound.to_lowercase()), Form::Whole, first);
    }
    if let Some(prefix) = hash_prefix(compound) {
        push(prefix.to_lowercase(), Form::Whole, first);
    }
    if contraction {
        return first + 1;
    }
    for part in &parts {
        // The digits of `1.2.3` say nothing on their own.
        let bare_digit = part.len() == 1 && part.as_bytes()[0].is_ascii_digit();
        if single || !bare_digit {
            push(part.to_lowercase(), if single { Form::Plain } else { Form::Part }, position);
        }
        position += 1;
    }
    position
}

/// Tells whether a word is letters only, at most the first of them a capital: most words are, and need
/// nothing of what follows.
fn is_simple(word: &str) -> bool {
    let (first, rest) = word.as_bytes().split_first().unwrap_or((&0, &[]));
    (2..LONGEST).contains(&rest.len())
        && first.is_ascii_alphabetic()
        && rest.iter().all(u8::is_ascii_lowercase)
}

/// Takes off the `'s` of a possessive.
fn without_possessive(compound: &str) -> &str {
    let cut = |suffix| compound.strip_suffix(suffix);
    cut("'s").or_else(|| cut("’s")).or_else(|| cut("'S")).filter(|rest| !rest.is_empty()).unwrap_or(compound)
}

/// Finds the signs that belong to the name of a language: `C++`, `C#`, `F#`.
fn language_suffix(word: &str, after: &str) -> Option<&'static str> {
    if word.len() > 2 {
        return None;
    }
    ["++", "#"].into_iter().find(|suffix| after.starts_with(suffix))
}

/// Returns the first seven digits of a long hexadecimal run, as git prints a commit.
fn hash_prefix(word: &str) -> Option<&str> {
    let hexadecimal = word.len() >= HASH_LENGTH
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit());
    if hexadecimal { word.get(..7) } else { None }
}

/// Splits at changes of case: `parseHTTPHeader` is `parse`, `HTTP`, `Header`.
fn case_parts(run: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for window in 1..chars.len() {
        let (at, c) = chars[window];
        let before = chars[window - 1].1;
        let next = chars.get(window + 1).map(|(_, next)| *next);
        let rises = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        let falls = before.is_uppercase() && c.is_uppercase() && next.is_some_and(char::is_lowercase);
        // A plural such as `APIs` stays whole.
        let plural = falls && next == Some('s') && window + 2 == chars.len();
        if (rises || falls) && !plural {
            parts.push(&run[start..at]);
            start = at;
        }
    }
    parts.push(&run[start..]);
    parts
}

/// Scripts that are written without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2ffff}')
}

/// Splits a run into pairs of neighbours where it has no spaces, and into words where it has.
fn bigrams(run: &str) -> Vec<String> {
    let mut out = Vec::new();
    let chars: Vec<char> = run.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let unspaced = is_unspaced(chars[at]);
        let end = (at..chars.len()).find(|i| is_unspaced(chars[*i]) != unspaced).unwrap_or(chars.len());
        let piece = &chars[at..end];
        if !unspaced || piece.len() < 2 {
            out.push(piece.iter().collect());
        } else {
            out.extend(piece.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
        at = end;
    }
    out
}

/// Words that the stemmer takes for forms of another with which they share only the beginning: what a `product` is has
/// nothing to do with `production`, nor what is `important` with an `import`. Each with the stem it gets, sorted.
#[rustfmt::skip]
const APART: &[(&str, &str)] = &[
    ("apartment", "apartment"), ("apartments", "apartment"),
    ("authorities", "authoriti"), ("authority", "authoriti"),
    ("authorization", "authoriz"), ("authorizations", "authoriz"), ("authorize", "authoriz"),
    ("authorized", "authoriz"), ("authorizes", "authoriz"), ("authorizing", "authoriz"),
    ("department", "department"), ("departments", "department"),
    ("edition", "edition"), ("editions", "edition"),
    ("experiment", "experiment"), ("experimental", "experiment"), ("experimented", "experiment"),
    ("experimenting", "experiment"), ("experiments", "experiment"),
    ("importance", "important"), ("important", "important"), ("importantly", "important"),
    ("internal", "internal"), ("internally", "internal"), ("internals", "internal"),
    ("objective", "objectiv"), ("objectives", "objectiv"),
    ("paste", "paste"), ("pasted", "paste"), ("pastes", "paste"), ("pasting", "paste"),
    ("production", "production"), ("productions", "production"),
    ("productive", "productiv"), ("productivity", "productiv"),
    ("universities", "universiti"), ("university", "universiti"),
];

fn stem(word: &str, stemmer: &Stemmer) -> String {
    if let Ok(at) = APART.binary_search_by(|(apart, _)| (*apart).cmp(word)) {
        return APART[at].1.to_owned();
    }
    if word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()) {
        stemmer.stem(word).into_owned()
    } else {
        word.to_owned()
    }
}

/// English words that carry grammar rather than meaning, sorted.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are",
    "arent", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but",
    "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing",
    "dont", "down", "during", "each", "ever", "few", "for", "from", "further", "get", "gets", "got", "had",
    "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "him", "himself",
    "his", "how", "i", "id", "if", "ill", "im", "in", "into", "is", "isnt", "it", "its", "itself", "ive",
    "just", "let", "lets", "many", "may", "me", "might", "more", "most", "much", "must", "my", "myself",
    "no", "nor", "not", "now", "of", "off", "on", "once", "one", "only", "or", "other", "ought", "our",
    "ours", "out", "over", "own", "please", "same", "shall", "she", "should", "shouldnt", "so", "some",
    "such", "tell", "than", "that", "thats", "the", "their", "theirs", "them", "themselves", "then",
    "there", "theres", "these", "they", "theyre", "this", "those", "through", "to", "too", "under", "until",
    "up", "us", "very", "was", "wasnt", "we", "were", "werent", "what", "whats", "when", "where", "whether",
    "which", "while", "who", "whom", "whose", "why", "will", "with", "wont", "would", "wouldnt", "you",
    "youd", "your", "youre", "yours", "yourself", "youve",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_begin_alike_are_kept_apart() {
        assert!(APART.is_sorted_by(|a, b| a.0 < b.0), "they are found by halves");
        let term = |word: &str| tokens(word).remove(0).term;
        for (a, b) in [
            ("product", "production"),
            ("import", "important"),
            ("author", "authorize"),
            ("edit", "edition"),
            ("intern", "internal"),
            ("depart", "department"),
            ("experience", "experiment"),
        ] {
            assert_ne!(term(a), term(b), "{a}, {b}");
        }
        assert_eq!(term("products"), term("product"));
        assert_eq!(term("authorization"), term("authorize"));
    }

    #[test]
    fn simple_words_come_out_as_any_other() {
        for word in ["The", "locks", "running", "a", "C", "of", "abc", "Deadbeefdeadbeef"] {
            let plain = tokens(word);
            // A second word beside it, which is not simple, must not change it.
            let beside = tokens(&format!("{word} x_y"));
            assert_eq!(plain, beside[..plain.len()], "{word}");
            assert_eq!((plain.len(), plain[0].form, plain[0].position), (1, Form::Plain, 0), "{word}");
            assert_eq!(plain[0].marked, word.starts_with(char::is_uppercase), "{word}");
        }
    }
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> = tokens(text).into_iter().map(|token| token.term).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn prose_is_lowered_folded_and_stemmed() {
        check("Running the tests, twice!", "run the test twice");
        check("naïve Café", "naiv cafe");
        check("Nate's dogs don't bark", "nate dog dont bark");
        check("10,000 entries at 8:30", "10000 10 000 entri at 830 30");
    }

    #[test]
    fn identifiers_are_found_by_part_and_whole() {
        check("parseHTTPHeader", "parsehttphead pars http header");
        check("user_id userId user-id", "userid user id userid user id userid user id");
        check("re-entry", "reentri re entri");
        check("GR-005", "gr005 gr 005");
        check("C++ and C# or c", "c++ c and c# c or c");
        check("v1.2.3", "v123 v1");
        check("src/lib/auth.rs", "srclibauthr authr src lib auth rs");
        check("REST APIs", "rest api");
        check("commit 0123456789abcdef0123", "commit 0123456 0123456789abcdef0123");
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        check("検索索引", "検索 索索 索引");
        check("型", "型");
        check("Rust言語", "rust 言語");
        check("поиск по индексу", "поиск по индексу");
    }

    #[test]
    fn stop_words_are_sorted_so_that_they_can_be_found() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("which") && !is_stop_word("index"));
    }

    proptest! {
        #[test]
        fn any_text_gives_ordered_tokens(text in any::<String>()) {
            let found = tokens(&text);
            prop_assert!(found.is_sorted_by_key(|token| token.position));
            prop_assert!(found.iter().all(|token| !token.term.is_empty()));
        }
    }
}
