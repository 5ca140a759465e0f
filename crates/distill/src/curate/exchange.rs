//! One thing taken for another, in so many words: "swapped brass for iron", "brass was replaced by iron".

use super::told::{ARTICLES, SUBJECT};

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

/// Tells whether a sentence exchanges something that is known for something that is not: "we swapped the lamp for
/// a mirror", "wir haben X durch Y ersetzt".
pub(super) fn swaps(known: &[String], arriving: &[String]) -> bool {
    let is_known = |word: &String| known.contains(word);
    // "We replaced the crane" ends nothing that is said of the crane.
    let of_what = known.first().filter(|word| ARTICLES.contains(&word.as_str())).map_or(1, |_| 1 + SUBJECT);
    let is_subject = |word: &str| known.iter().take(of_what).any(|known| known == word);
    EXCHANGES.iter().any(|(verbs, joints)| {
        let told = arriving.iter().any(|word| verbs.contains(&word.as_str()));
        told && (1..arriving.len()).any(|at| {
            let joins = joints.contains(&arriving[at].as_str());
            let gone = arriving[at - 1].as_str();
            let mut comes = arriving[at + 1..].iter().filter(|word| !ARTICLES.contains(&word.as_str()));
            joins
                && gone.len() > 2
                && !verbs.contains(&gone)
                && !is_subject(gone)
                && is_known(&arriving[at - 1])
                && comes.next().is_some_and(|word| !is_known(word))
        })
    })
}

/// "Brass was replaced by Iron": what is known by its name gives way to what is not.
pub(super) fn is_replaced(known: &[String], arriving: &[String]) -> bool {
    let by = (2..arriving.len()).find(|at| {
        matches!(arriving[*at].as_str(), "by" | "with")
            && matches!(arriving[*at - 1].as_str(), "replaced" | "superseded" | "substituted")
    });
    let Some(by) = by else { return false };
    let aux = |word: &&String| {
        matches!(
            word.as_str(),
            "was"
                | "is"
                | "are"
                | "were"
                | "has"
                | "have"
                | "been"
                | "being"
                | "got"
                | "now"
                | "just"
                | "will"
                | "be"
        )
    };
    let mut before = arriving[..by - 1].iter().rev().skip_while(aux);
    let gone = before.next().filter(|word| word.len() > 2);
    let comes = arriving[by + 1..].iter().find(|word| !ARTICLES.contains(&word.as_str()));
    let opens = before.all(|word| ARTICLES.contains(&word.as_str()) || word == "now");
    opens
        && gone.is_some_and(|gone| known.contains(gone))
        && comes.is_some_and(|comes| !known.contains(comes))
}

/// "We moved the lamps from Brass to Glass": from what is known to something that is not, whatever the lamps were called.
/// What else it was used for may stay.
pub(super) fn moves_from(known: &[String], arriving: &[String]) -> bool {
    const MOVES: [&str; 9] =
        ["moved", "migrated", "switched", "changed", "converted", "went", "ported", "transitioned", "moving"];
    let moves = arriving.iter().any(|word| MOVES.contains(&word.as_str()));
    let of_what = known.first().filter(|word| ARTICLES.contains(&word.as_str())).map_or(1, |_| 1 + SUBJECT);
    let is_known = |word: &String| known.iter().skip(of_what).any(|known| known == word) && word.len() > 2;
    let leaves = |at: usize| {
        let rest = &arriving[at + 1..];
        let to = rest.iter().position(|word| word == "to")?;
        let from = rest[..to].iter().find(|word| !ARTICLES.contains(&word.as_str()))?;
        let comes = rest[to + 1..].iter().find(|word| !ARTICLES.contains(&word.as_str()))?;
        Some(is_known(from) && !known.contains(comes))
    };
    // "De A à B": of and from are one word in other languages.
    let from = |word: &str| matches!(word, "from" | "of");
    moves && (0..arriving.len()).any(|at| from(&arriving[at]) && leaves(at) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    #[test]
    fn an_exchange_ends_what_is_known() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(swaps(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("We light the pier with Brass.", "We swapped Brass for Mirrors.", true);
        check("Wir nehmen Messing.", "Wir haben Messing durch Glas ersetzt.", true);
        check("Usamos Latón en el muelle.", "Cambiamos Latón por Vidrio en el muelle.", true);
        check("Usamos Latão no cais.", "Trocamos o Latão pelo Vidro.", true);
        check("The map shows 24 boats.", "We replaced the map with Brass.", false);
        let moves = |known: &str, arriving: &str| moves_from(&plain_words(known), &plain_words(arriving));
        assert!(moves("We use Brass for lighting.", "We moved the lamps from Brass to Glass."));
        assert!(!moves("We use Brass for lighting.", "We moved the ropes from Hemp to Steel."));
        assert!(!moves("Brass is polished weekly.", "We moved the lamps from Brass to Glass."));
        assert!(!moves("We moved from Brass to Glass.", "We moved the lamps from Brass to Glass."));
        check("We light the pier with Brass.", "We swapped Ropes for Chains.", false);
        check("We swapped Brass for Mirrors.", "We swapped Brass for Mirrors last year.", false);
    }

    #[test]
    fn what_is_replaced_is_known_by_its_name() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(is_replaced(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("The pier lamps run on Brass 7.", "Brass was replaced by Copper.", true);
        check("The pier lamps run on Brass 7.", "the old Brass was replaced by Copper", false);
        check("The pier lamps run on Brass 7.", "Iron has been replaced with Copper", false);
    }
}
