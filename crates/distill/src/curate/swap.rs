//! Changes that are told in one breath: what is given up, and what comes instead.

/// Verbs of exchange and the words that join what goes to what comes, by language.
const EXCHANGES: [(&[&str], &[&str]); 8] = [
    (&["swapped", "traded", "exchanged", "swap", "trade"], &["for", "against", "with"]),
    (&["replaced", "substituted", "replace"], &["with", "by"]),
    (
        &["ersetzt", "ersetzen", "getauscht", "tauschen", "ausgetauscht", "ausgewechselt"],
        &["durch", "gegen", "mit"],
    ),
    (&["cambiamos", "cambiado", "cambié", "sustituimos", "reemplazamos", "reemplazado"], &["por"]),
    (&["trocamos", "troquei", "trocado", "substituímos", "substituído"], &["por", "pelo", "pela"]),
    (&["remplacé", "remplaçons", "échangé", "troqué"], &["par", "contre"]),
    (&["sostituito", "cambiato", "scambiato", "sostituiamo"], &["con"]),
    (&["vervangen", "vervingen", "ingeruild"], &["door", "voor"]),
];
const ARTICLES: [&str; 22] = [
    "the", "our", "a", "an", "den", "die", "das", "der", "el", "la", "los", "las", "o", "a", "os", "as",
    "le", "les", "il", "lo", "de", "het",
];
/// What is said of a topic in Japanese ends so.
const COPULAS: [&str; 6] = ["になりました", "にします", "になります", "です", "である", "だ"];
/// A value of more letters is a story.
const VALUE: usize = 24;

/// Tells whether a sentence exchanges something that is known for something that is not: "we swapped the lamp for
/// a mirror", "wir haben X durch Y ersetzt".
pub(super) fn swaps(known: &[String], arriving: &[String]) -> bool {
    let is_known = |word: &String| known.contains(word);
    EXCHANGES.iter().any(|(verbs, joints)| {
        let told = arriving.iter().any(|word| verbs.contains(&word.as_str()));
        told && (1..arriving.len()).any(|at| {
            let joins = joints.contains(&arriving[at].as_str());
            let gone = arriving[at - 1].as_str();
            let mut comes = arriving[at + 1..].iter().filter(|word| !ARTICLES.contains(&word.as_str()));
            joins
                && gone.len() > 2
                && !verbs.contains(&gone)
                && is_known(&arriving[at - 1])
                && comes.next().is_some_and(|word| !is_known(word))
        })
    })
}

/// Tells whether two Japanese sentences say different things of the same topic: "枝の名前は A です", "… B です".
pub(super) fn gives_another_value(known: &str, arriving: &str) -> bool {
    let parts = |text: &str| -> Option<(String, String)> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (topic, rest) = text.split_once('は')?;
        let rest = rest.trim_end_matches(['。', '！', '.']);
        let value = COPULAS.iter().find_map(|copula| rest.strip_suffix(copula))?;
        let plain = !value.is_empty() && value.chars().count() <= VALUE && !value.contains(['は', '、']);
        (plain && topic.chars().count() > 1).then(|| (topic.to_owned(), value.to_owned()))
    };
    match (parts(known), parts(arriving)) {
        (Some((topic, value)), Some((same, other))) => topic == same && value != other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::slot::plain_words;

    #[test]
    fn an_exchange_ends_what_is_known() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(swaps(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("We light the pier with Brass.", "We swapped Brass for Mirrors.", true);
        check("Wir nehmen Messing.", "Wir haben Messing durch Glas ersetzt.", true);
        check("Usamos Latón en el muelle.", "Cambiamos Latón por Vidrio en el muelle.", true);
        check("Usamos Latão no cais.", "Trocamos o Latão pelo Vidro.", true);
        check("We light the pier with Brass.", "We swapped Ropes for Chains.", false);
        check("We swapped Brass for Mirrors.", "We swapped Brass for Mirrors last year.", false);
    }

    #[test]
    fn a_topic_has_one_value() {
        assert!(gives_another_value("桟橋の名前は North です。", "桟橋の名前は South です。"));
        assert!(gives_another_value("桟橋の名前はNorthです", "桟橋の名前は South になりました。"));
        assert!(!gives_another_value("桟橋の名前は North です。", "灯台の名前は South です。"));
        assert!(!gives_another_value("桟橋の名前は North です。", "桟橋の名前は North です"));
    }
}
