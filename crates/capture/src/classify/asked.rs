//! What stands above a question about it: whoever asks what a text means, whether it is true or how to answer it, or
//! wants it in other words, shows a text that they did not write.
//!
//! “Prices are in cents.” above “Can you fix the cart?” stays theirs: that asks about a cart and not about the words.

use super::lines::Look;
use super::runs::{QUOTED, Row};
use super::tongues::{JAPANESE, TONGUES, Tongue};

/// So many words may come behind the question: a thank-you, a name.
const THANKS: usize = 8;
/// So many words may stand where a pattern leaves it open.
const BETWEEN: usize = 8;
/// A question about a text has so many words at most; more say something themselves.
const LONGEST: usize = 60;

/// Marks what a person asks about at the end of a message.
pub(super) fn mark(rows: &mut [Row<'_>]) {
    let Some(from) = question_from(rows) else { return };
    // What is known for a paste right above is what was asked about.
    let own = |row: &&Row<'_>| row.look != Look::Blank;
    if rows[..from].iter().rev().find(own).is_none_or(|row| matches!(row.look, Look::Strong(_))) {
        return;
    }
    let above = rows[..from].iter().rposition(|row| matches!(row.look, Look::Strong(_)));
    let above = above.map_or(0, |at| at + 1);
    rows[above..from].iter_mut().filter(|row| row.look != Look::Blank).for_each(|row| row.look = QUOTED);
}

/// Finds the paragraph, or where there is only one the last line, that asks about what stands above.
fn question_from(rows: &[Row<'_>]) -> Option<usize> {
    let is_blank = |at: usize| rows[at].look == Look::Blank;
    let starts: Vec<usize> =
        (0..rows.len()).filter(|at| !is_blank(*at) && (*at == 0 || is_blank(at - 1))).collect();
    let last = (0..rows.len()).rev().find(|at| !is_blank(*at))?;
    match starts.as_slice() {
        [] => None,
        [only] => Some(last).filter(|last| last > only && asks_above(&rows[*last..=*last])),
        [_, behind @ ..] => {
            let of = |from: &usize| {
                let end = (*from..rows.len()).find(|end| is_blank(*end)).unwrap_or(rows.len());
                // "What does this mean?" and then the text: it points below.
                let left: usize = rows[end..].iter().map(|row| row.line.split_whitespace().count()).sum();
                (left <= THANKS && asks_above(&rows[*from..end])).then_some(*from)
            };
            behind.iter().rev().find_map(of)
        }
    }
}

/// Tells whether the lines of a paragraph ask about what stands above them.
fn asks_above(rows: &[Row<'_>]) -> bool {
    let lines: Vec<&str> = rows.iter().map(|row| row.line.trim()).collect();
    let text = lines.join("\n").replace(":\n", ": ");
    // What is asked before a colon is asked about what follows it.
    let own = text.rsplit(": ").next().unwrap_or_default();
    !rows.iter().any(|row| matches!(row.look, Look::Strong(_))) && !text.ends_with(':') && asks_about(own)
}

/// Tells whether a line asks about a text that stands below it.
pub(super) fn asks_below(line: &str) -> bool {
    const NEAR: &str = "this these following dies diese diesen dieser dieses folgende~ esto este esta estos estas \
        siguiente~ ceci ce cet cette ces suivant~ isto seguinte~ questo questa questi queste seguente~";
    let points = || clauses(line).iter().flatten().any(|word| is_listed(word, NEAR));
    asks_about(line) && (line.trim_end().ends_with(':') || points())
}

/// Tells whether a text asks about another beside it.
pub(super) fn asks_about(paragraph: &str) -> bool {
    let clauses: Vec<Vec<String>> = clauses(paragraph);
    if clauses.iter().map(Vec::len).sum::<usize>() > LONGEST {
        return false;
    }
    let marked = paragraph.contains(['?', '？']);
    let has = |tongue: &Tongue, patterns: &[&str]| {
        patterns.iter().any(|pattern| {
            let pattern: Vec<&str> = pattern.split(' ').collect();
            clauses.iter().any(|clause| (0..clause.len()).any(|at| fits(&pattern, &clause[at..], tongue)))
        })
    };
    let in_words = |tongue: &Tongue| {
        let asks = || marked || clauses.iter().any(|clause| is_listed(&clause[0], tongue.asking));
        has(tongue, tongue.about) || asks() && has(tongue, tongue.from)
    };
    TONGUES.iter().any(in_words) || JAPANESE.iter().any(|words| paragraph.contains(words))
}

/// Lists the clauses of a paragraph, each as its words in lower case.
pub(super) fn clauses(paragraph: &str) -> Vec<Vec<String>> {
    let lower = paragraph.to_lowercase().replace('’', "'").replace("tl;dr", "tldr");
    let ends = |c: char| ".?!;:,()\n\"“”«»–—…¿¡".contains(c);
    let is_part = |c: char| c.is_alphanumeric() || c == '\'';
    let words = |clause: &str| -> Vec<String> {
        clause.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    lower.split(ends).map(words).filter(|words| !words.is_empty()).collect()
}

/// Tells whether words begin with a pattern; [`Tongue`] says what its signs mean.
pub(super) fn fits(pattern: &[&str], words: &[String], tongue: &Tongue) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return true };
    let goes_on = |length: usize| fits(rest, &words[length..], tongue);
    let lengths = |alternatives: &str| -> Vec<usize> {
        alternatives.split('|').filter_map(|one| length(one, words, tongue)).collect()
    };
    match *first {
        "…" => (0..=words.len().min(BETWEEN)).any(goes_on),
        "SMALL" => {
            let small = words.iter().take_while(|word| is_listed(word, tongue.behind)).count();
            (0..=small).any(goes_on)
        }
        "$" => words.iter().all(|word| is_listed(word, tongue.behind)),
        any => match (any.strip_prefix('!'), any.strip_suffix('?')) {
            (Some(none), _) => lengths(none).is_empty() && goes_on(0),
            (None, Some(any)) => goes_on(0) || lengths(any).into_iter().any(goes_on),
            (None, None) => lengths(any).into_iter().any(goes_on),
        },
    }
}

/// Says with how many words a text begins as one alternative of a pattern does.
fn length(one: &str, words: &[String], tongue: &Tongue) -> Option<usize> {
    let first = words.first()?;
    let is_so = match one {
        "THIS" => return pointed_at(words, tongue),
        "TEXT" => is_listed(first, tongue.texts),
        "WHENCE" => is_listed(first, tongue.whence),
        form => is_form(first, form),
    };
    is_so.then_some(1)
}

/// Says of how many words what points at a text is made: “it” where nothing is named behind it, or “these points”.
fn pointed_at(words: &[String], tongue: &Tongue) -> Option<usize> {
    let first = words.first()?;
    if is_listed(first, tongue.naming) {
        let text = words.iter().skip(1).take(2).position(|word| is_listed(word, tongue.texts));
        if let Some(at) = text {
            return Some(at + 2);
        }
    }
    let alone = words.get(1).is_none_or(|next| is_listed(next, tongue.behind));
    (is_listed(first, tongue.pointing) && alone).then_some(1)
}

pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split(' ').any(|one| is_form(word, one))
}

/// Tells a word, or one that begins so where the pattern is a stem.
fn is_form(word: &str, form: &str) -> bool {
    form.strip_suffix('~').map_or(word == form, |stem| word.starts_with(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_a_text_are_told_from_others() {
        let check = |text: &str, expected: bool| assert_eq!(asks_about(text), expected, "{text}");
        for text in [
            "can you sum this up in one sentence?",
            "translate it into German please",
            "please explain these points to me",
            "what do you make of this?",
            "is that legit?",
            "Is he trolling?",
            "what do they mean by moor there?",
            "where does such a line come from",
            "who writes such things",
            "how would you answer him?",
            "can you write a nice reply to this mail?",
            "smells like a scam, doesn't it",
            "somebody left this at the pier. How do I get rid of such letters?",
            "A friend works there and sent it to me. Which of them would you keep?",
            "found this on a harbour's board, do we need that?",
            "that is from another ferry's log. why do they ring twice?",
            "I haven't written this. How did it get in?",
            "fass mir das bitte in zwei Sätzen zusammen",
            "kannst du mir das kurz auf Englisch übersetzen?",
            "was hältst du von diesem Text?",
            "was meint er damit?",
            "hat mir ein Kollege geschickt, müssen wir da was tun?",
            "¿qué opinas de esta guía?",
            "¿me lo puedes traducir?",
            "me lo mandó un amigo, ¿qué hago con los puertos?",
            "qu'en penses-tu ?",
            "tu peux me résumer ça ?",
            "o que você acha disso?",
            "cosa ne pensi?",
            "puoi tradurre questo testo?",
            "これを要約してください",
            "どういう意味ですか？",
        ] {
            check(text, true);
        }
        for text in [
            "can you fix the pier?",
            "please do this in the east wing too",
            "can you explain this function?",
            "does that also hold for the ferry?",
            "is it hard to do?",
            "what does that mean for the ferry?",
            "explain it in the handbook",
            "can you check whether it is broken?",
            "I found that the lamp is out, why?",
            "we sent the ferry out, is it back?",
            "write the answer into the table",
            "kannst du das Modul erklären?",
            "kannst du das bitte einbauen?",
            "gilt das auch für die Fähre?",
            "puedes arreglar el muelle?",
            "peux-tu réparer le quai ?",
            "pode arrumar o cais?",
            "puoi sistemare il molo?",
            "桟橋を直してください",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn what_is_asked_about_is_no_word_of_the_one_who_asks() {
        let check = |text: &str, expected: &[&str]| {
            let own = |piece: &&crate::classify::Writing<'_>| piece.channel.is_persons_words();
            let found: Vec<String> = crate::classify::classify(text)
                .iter()
                .filter(own)
                .map(|piece| piece.text.to_owned())
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "Minutes of the ferry club: from now on all lamps are red.\n\ncan you sum that up for me?",
            &["can you sum that up for me?"],
        );
        check(
            "Rule 4: never oil a rope.\nRule 5: never ring twice.\n\nwhat do you think of this?\n\nthanks!",
            &["what do you think of this?\n\nthanks!"],
        );
        check("Ropes are never oiled.\nwhat does he mean by that?", &["what does he mean by that?"]);
        // What stands above a paste that shows itself is the person's.
        check(
            "Ropes are never oiled here.\n\n> Dear pilot, oil them all.\n\nwhat does he mean?",
            &["Ropes are never oiled here.", "what does he mean?"],
        );
        check(
            "can you translate these rules into German:\n\nRopes are never oiled. Whoever oils one pays a round to all of the others at once.",
            &["can you translate these rules into German:"],
        );
        // What is asked for before a colon is asked of what follows it.
        check(
            "Ropes are never oiled.\n\ncan you translate this: oil the rope",
            &["Ropes are never oiled.\n\ncan you translate this:"],
        );
        for own in [
            "Ropes are never oiled. Can you mend the crane?",
            "Ropes are never oiled.\n\nCan you mend the crane?",
            "Ropes are never oiled.\n\nDoes the crane do that already?",
            "Ropes are never oiled.\nPut it into the handbook, please.",
            "what do you think of that?\n\nRopes are never oiled.",
            "Ropes are never oiled.\n\ncan you mend this: the rope",
            "Ropes are never oiled.\n\nwhat does this mean?\nropd: bad rope",
            "Ropes are never oiled.\n\nwhat does this mean?\n\nThe rope was not found on the pier, and the pier is not there.",
        ] {
            check(own, &[own]);
        }
    }
}
