//! Values that are made of words, or look as if they were: types, passwords that are words, and what is
//! surely neither.

use super::MARK;
use super::bytes::Mix;
use super::values::{
    is_numbered_name, is_place, is_placeholder, is_type_or_word, is_variable, names_a_secret,
};

/// Tells whether a bare value is a type with a size or an algorithm in its name: `Uint8Array`,
/// `Ed25519PrivateKey`, `Aes256Gcm`.
pub(super) fn is_sized_type(value: &str) -> bool {
    const SIZES: &[&str] = &[
        "1", "2", "3", "8", "16", "32", "58", "62", "64", "128", "160", "192", "224", "256", "384", "448",
        "512", "1024", "2048", "4096", "25519",
    ];
    let is_part = |c: char| c.is_ascii_digit();
    let numbers = || value.split(|c| !is_part(c)).filter(|number| !number.is_empty());
    let words = || value.split(is_part).filter(|word| !word.is_empty());
    let last_is_word = value.ends_with(|c: char| c.is_ascii_alphabetic());
    let named = |word: &str| word.len() >= 2 || matches!(word, "k" | "u" | "i" | "V");
    // Words in camel case and the number of a version.
    let plain = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let plain = plain.strip_suffix('V').unwrap_or(plain);
    let camel = Mix::of(plain.as_bytes());
    if plain.len() < value.len()
        && value.len() - plain.len() <= 3
        && camel.letters() == camel.length
        && camel.capitals == 0
        && camel.upper >= 2
        && camel.upper * 3 <= camel.length
        && value.starts_with(|c: char| c.is_ascii_uppercase())
    {
        return true;
    }
    value.len() <= 48
        && last_is_word
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && numbers().count() <= 2
        && numbers().all(|number| SIZES.contains(&number))
        && words().count() > 1
        && words().all(|word| named(word) && Mix::of(word.as_bytes()).capitals * 2 <= word.len())
        && words().next_back().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Tells whether words are joined as people make passwords of them: `hunter-two-horse`.
pub(super) fn is_joined_words(value: &str) -> bool {
    let words = value.split(['-', '_', '.']);
    let word = |word: &str| word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    value.contains('-')
        && value.len() >= 8
        && words.clone().count() >= 2
        && words.clone().all(word)
        && !names_a_secret(value)
        && !words
            .clone()
            .any(|word| matches!(word, "based" | "only" | "less" | "free" | "protected" | "file"))
}

/// Tells whether a word with a number is one that people take for a password: `hunter2`, `pass1234`.
pub(super) fn is_weak_password(value: &str) -> bool {
    let digits = value.bytes().rev().take_while(u8::is_ascii_digit).count();
    let letters = value.len() - digits;
    digits > 0 && letters >= 4 && value[..letters].bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Tells whether a bare word to the end of a line may be a password and nothing else: one word in small
/// letters that is no word about passwords.
pub(super) fn is_lone_word(value: &str) -> bool {
    const ENDINGS: &[&str] =
        &["ed", "ing", "able", "tion", "ly", "type", "string", "hash", "str", "array", "less"];
    (5..=24).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_lowercase())
        && !is_type_or_word(value)
        && !is_variable(value)
        && !ENDINGS.iter().any(|ending| value.ends_with(ending))
}

/// Tells whether a few small words make a phrase that opens something.
pub(super) fn is_phrase(value: &str) -> bool {
    let words = value.split(' ');
    (3..=8).contains(&words.clone().count())
        && words.clone().all(|word| word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
        && !names_a_secret(value)
}

/// Tells whether what an environment file gives a variable is taken as it stands: a shell would have to
/// mark anything else.
pub(super) fn is_plain_literal(value: &str) -> bool {
    value.len() >= 4
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && !is_type_or_word(value)
        && !is_place(value)
        && !is_placeholder(value)
}

/// Tells whether a text to the end of a line holds signs as no code does: many, and brackets that do
/// not pair.
pub(super) fn is_wild(value: &str) -> bool {
    let mix = Mix::of(value.as_bytes());
    let mut open: Vec<char> = Vec::new();
    let mut paired = true;
    for c in value.chars() {
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                let wanted = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                paired &= open.pop() == Some(wanted);
            }
            _ => {}
        }
    }
    let unpaired = !paired || !open.is_empty();
    !value.contains(MARK)
        && !value.contains("***")
        && mix.signs >= 5
        && (value.len() >= 12 && unpaired && open.len() < 6
            || value.len() >= 8 && mix.signs * 2 >= value.len())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Tells whether an argument that a program takes for a password is one.
pub(super) fn is_argument_secret(value: &str, quoted: bool) -> bool {
    // Between quotes any word may be one; without them it may be prose, or a place.
    let prose = matches!(value, "and" | "for" | "the" | "with") || is_type_or_word(value) || is_place(value);
    value.len() >= 3
        && (quoted || !prose)
        && !value.starts_with(['$', '-', '<', '{', '%', '*', '[', '`'])
        && !is_placeholder(value)
}

/// Tells whether a word is none of a language: digits or signs among its letters, or case that changes.
pub(super) fn is_no_word(value: &str) -> bool {
    let value = value.trim_end_matches([',', '.', ';', ':', ')', '?', '!']);
    let mix = Mix::of(value.as_bytes());
    value.len() >= 5 && (mix.mixed() || mix.signs > 0 || mix.mixed_case()) && !is_numbered_name(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_from_passwords() {
        for value in ["Uint8Array", "Ed25519PrivateKey", "Aes256Gcm", "ApiKeyV2", "Base64String"] {
            assert!(is_sized_type(value), "{value}");
        }
        for value in ["Falcon42", "hunter2", "q7Xk2PzR9vLm4TbW", "Summer2024", "aB3dE5fG7h"] {
            assert!(!is_sized_type(value), "{value}");
        }
    }

    #[test]
    fn passwords_may_be_words() {
        assert!(is_joined_words("hunter-two-horse"));
        assert!(!is_joined_words("app-credentials"));
        assert!(!is_joined_words("Hunter-Two"));
        assert!(is_lone_word("swordfish"));
        for value in ["string", "required", "hashed", "password", "Swordfish"] {
            assert!(!is_lone_word(value), "{value}");
        }
        assert!(is_no_word("Falcon42") && !is_no_word("falcon") && !is_no_word("step-2"));
        assert!(is_wild("a{{b}c)d${e]f(g[h>-_$#i}}") && !is_wild("settings[0].get(name)"));
    }
}
