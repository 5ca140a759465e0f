//! Which language a message is written in, told by its commonest words.
//!
//! Only the languages whose cues we have are told apart; any other is taken for English, whose cues
//! then find nothing.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A language whose cues we have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    English,
    German,
    Spanish,
    French,
    Portuguese,
    Italian,
    Dutch,
    Japanese,
}

/// The commonest words of each language that the others do not share.
const COMMON: [(Language, &str, &str); 8] = [
    (
        Language::English,
        "en",
        "the is are and of to in for we our it this that with not you use from be on have i do no only all as at by if or when then than which what there here out up but before after them they their has had were been can could should must would every each any also just more most please between into without never always one your its does did don doesn dont isn nothing",
    ),
    (
        Language::German,
        "de",
        "der die das und ist nicht wir ein eine mit auf für den dem im sind bitte noch auch mir ich einen von zu wird direkt über immer läuft bei nach zum zur des nutzt wenn oder aber als nur kein keine jetzt wurde aus vom unser unsere hat haben werden sie es ihr uns dann wurden sich durch beim dass diese dieser dieses vor unter zwischen seit mehr sehr kann muss soll sollte künftig statt danke vielen dank funktioniert",
    ),
    (
        Language::Spanish,
        "es",
        "el los las del y es en que para con por una se no van está código ahora los como de la siempre nada un a hemos han nos más usamos este esta estos estas desde hasta porque pero cuando también fue ser tiene tienen cada gracias muchas perfecto funciona bien deja",
    ),
    (
        Language::French,
        "fr",
        "le les des et est une pas que pour avec dans du au on ne ce sur nous avant par en la trop chez plus toujours de un n l d sont avons ont été nos notre votre cette ces aux mais quand depuis aussi très où fait doit faut peut qui il elle ils sans merci beaucoup parfait fonctionne bien",
    ),
    (
        Language::Portuguese,
        "pt",
        "o os as da do dos e é em que para com por uma não um no na então precisa de app você mais foi são ao aos pelo pela das nos nas até mas também quando está temos tem isso este esta agora já depois antes muito sem obrigado obrigada funciona perfeito",
    ),
    (
        Language::Italian,
        "it",
        "il lo gli i della del dei delle di e è per con non che una nel nella dal si sono più sempre mai usiamo prima solo un la le in questo ora da abbiamo hanno alla alle dai dalla nei sui anche quando fino ogni viene vengono stato stata deve devono può grazie mille funziona benissimo perfetto così questa fatto",
    ),
    (
        Language::Dutch,
        "nl",
        "de het een en van is niet met voor op we wij altijd eerst je zijn aan dat die naar nooit ook in nu graag moet geen als wordt onze om elke bij uit nog maar heeft draait nacht hebben kan worden omdat tussen sinds wel deze toch toen gaat staat kunnen mogen moeten willen zonder vanaf bedankt dank werkt prima",
    ),
    (Language::Japanese, "ja", ""),
];

impl Language {
    /// Reads the two letters of a language.
    pub(crate) fn from_code(code: &str) -> Option<Language> {
        COMMON.iter().find(|(_, known, _)| *known == code).map(|(language, ..)| *language)
    }

    /// Tells the language of a message by the words that are commonest in one of them.
    pub(crate) fn of(text: &str) -> Language {
        if text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}')) {
            return Language::Japanese;
        }
        let mut counts = [0usize; COMMON.len()];
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let bits = bits_of(&word.to_lowercase());
            for (at, count) in counts.iter_mut().enumerate() {
                *count += usize::from(bits & (1 << at) != 0);
            }
        }
        let english = counts[0];
        let others = COMMON.iter().zip(counts).skip(1);
        // Of languages that share their words the first one counts.
        let best = others.map(|((language, ..), n)| (n, *language)).rev().max_by_key(|(n, _)| *n);
        // One word may be anybody's; letters that English does not have break a tie.
        let length = text.split_whitespace().count();
        let few =
            english == 0 && (length < 5 || length < 8 && text.split_whitespace().any(is_nobodys_english));
        let foreign = text.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
        match best {
            Some((n, language))
                if n > english && (n > 1 || foreign || few) || n == english && n > 0 && foreign =>
            {
                language
            }
            _ => Language::English,
        }
    }
}

/// Tells whether a text is in letters of which we know no word: it can be found, and an editor may read it.
pub(super) fn is_beyond_us(text: &str) -> bool {
    let is_known =
        |c: &char| matches!(c, '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{3040}'..='\u{30ff}');
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (known, unknown): (Vec<char>, Vec<char>) = letters.partition(is_known);
    Language::of(text) != Language::Japanese && unknown.len() > known.len()
}

/// Tells whether a word is among the commonest of another language and no English one.
fn is_nobodys_english(word: &str) -> bool {
    const ENGLISH_TOO: [&str; 9] = ["die", "des", "app", "par", "con", "per", "non", "van", "les"];
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let bits = bits_of(&word);
    word.len() > 2 && bits != 0 && bits & 1 == 0 && !ENGLISH_TOO.contains(&word.as_str())
}

/// Returns in which languages a word is among the commonest, one bit each.
fn bits_of(word: &str) -> u8 {
    static BITS: OnceLock<HashMap<&'static str, u8>> = OnceLock::new();
    let bits = BITS.get_or_init(|| {
        let mut bits: HashMap<&'static str, u8> = HashMap::new();
        for (at, (_, _, common)) in COMMON.iter().enumerate() {
            for word in common.split_whitespace() {
                *bits.entry(word).or_default() |= 1 << at;
            }
        }
        bits
    });
    bits.get(word).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        let check = |text: &str, expected| assert_eq!(Language::of(text), expected, "{text}");
        check("never on fridays", Language::English);
        check("Das Formular wird immer zweimal geprüft.", Language::German);
        check("Los informes van siempre en PDF.", Language::Spanish);
        check("On garde toujours une copie des factures.", Language::French);
        check("O relatório fica em PDF, não em Word.", Language::Portuguese);
        check("名前は必ず書いてください。", Language::Japanese);
        check("", Language::English);
        check("use tabs", Language::English);
    }

    #[test]
    fn letters_we_know_no_word_of_are_beyond_us() {
        assert!(is_beyond_us("把 boat.py 里的超时从 30 秒改成 60 秒"));
        assert!(is_beyond_us("Лодки всегда у восточного причала"));
        assert!(!is_beyond_us("名前は必ず書いてください。"));
        assert!(!is_beyond_us("Während der Flut läuft die Fähre Łódź an"));
    }
}
