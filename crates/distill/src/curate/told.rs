//! Changes that one sentence tells by its form: an exchange, a "not" alone, another holder of an office.

use super::exchange::swaps;
use super::japanese::is_another_value_in_japanese;
use super::lexicon::{self, Class};
use super::token::{Token, stem, tokens};

pub(super) const ARTICLES: [&str; 22] = [
    "the", "our", "a", "an", "den", "die", "das", "der", "el", "la", "los", "las", "o", "a", "os", "as",
    "le", "les", "il", "lo", "de", "het",
];
/// So many words behind an article may say what a sentence is about.
pub(super) const SUBJECT: usize = 2;

/// Tells whether the arriving statement does away with what the known one says: it exchanges it, gives it up by name,
/// or says the same with a "not".
pub(super) fn is_over(known: &[String], arriving: &[String]) -> bool {
    swaps(known, arriving) || gives_up_by_name(known, arriving) || denies_the_same(known, arriving)
}

/// Tells whether a sentence denies or replaces something in so many words, in whatever language.
pub fn tells_of_change(text: &str) -> bool {
    const WORDS: [&str; 21] = [
        "again",
        "gone",
        "void",
        "obsolete",
        "not",
        "never",
        "instead",
        "now",
        "anymore",
        "longer",
        "don't",
        "dont",
        "forget",
        "scratch",
        "disregard",
        "instead-of",
        "rather-than",
        "no-longer",
        "any-more",
        "no-more",
        "correction",
    ];
    const STEMS: [&str; 6] = ["switch", "replac", "dropp", "moved", "chang", "stopp"];
    let tells = |word: &str| WORDS.contains(&word) || STEMS.iter().any(|stem| word.starts_with(stem));
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
    // Of another language the words that do the same work.
    let told = |token: &Token| {
        matches!(token, Token::Mark { word, .. }
            if tells(&word.to_lowercase()) || lexicon::is(&word.to_lowercase(), Class::Change))
    };
    let pairs = [["as", "of"], ["took", "over"], ["takes", "over"], ["went", "back"], ["go", "back"]];
    let told_in_two = words.windows(2).any(|pair| pairs.iter().any(|two| two == pair));
    told_in_two || words.iter().any(|word| tells(word)) || tokens(text).iter().any(told) || is_from_on(&words)
}

/// "From January on", "ab Januar".
fn is_from_on(words: &[&str]) -> bool {
    let from = words.iter().position(|word| *word == "from");
    from.is_some_and(|at| {
        words[at + 1..].iter().take(4).skip(1).any(|word| matches!(*word, "on" | "onwards" | "onward"))
    })
}

/// "Use brass instead of iron", "iron no more, but brass": the known value is named as the one that goes.
pub(super) fn puts_in_place(known: &[String], arriving: &[String]) -> bool {
    const JOINTS: [&[&str]; 14] = [
        &["instead", "of"],
        &["rather", "than"],
        &["in", "place", "of"],
        &["statt"],
        &["anstatt"],
        &["anstelle", "von"],
        &["à", "la", "place", "de"],
        &["au", "lieu", "de"],
        &["en", "vez", "de"],
        &["en", "lugar", "de"],
        &["em", "vez", "de"],
        &["invece", "di"],
        &["al", "posto", "di"],
        &["in", "plaats", "van"],
    ];
    let goes = |joint: &&[&str]| {
        let found = arriving.windows(joint.len()).position(|run| run.iter().zip(*joint).all(|(a, b)| a == b));
        let Some(at) = found else { return false };
        let (before, behind) = (&arriving[..at.saturating_sub(REPLACED)], &arriving[at + joint.len()..]);
        let mut gone = behind.iter().filter(|word| !ARTICLES.contains(&word.as_str()));
        // "Lit with copper instead of brass": what comes stands right before, and is no place.
        gone.next().is_some_and(|word| known.contains(word))
            && !is_scoped_away(known, before)
            && !is_scoped_away(known, behind)
    };
    JOINTS.iter().any(goes)
}

/// What comes in the place of something takes so many words, with what leads to it.
const REPLACED: usize = 2;

/// "… in the bay": a place or an occasion that the known statement does not name.
pub(super) fn is_scoped_away(known: &[String], arriving: &[String]) -> bool {
    let is_new = |word: &&String| !ARTICLES.contains(&word.as_str()) && !known.contains(word);
    let scoped = |at: usize| {
        let mut behind = arriving[at + 1..].iter().filter(|word| !ARTICLES.contains(&word.as_str()));
        SCOPING.contains(&arriving[at].as_str()) && behind.next().as_ref().is_some_and(is_new)
    };
    (1..arriving.len()).any(scoped)
}

/// "Forget what I said about the pier", "scratch that about berth 9, it is 12": somebody takes their own words back.
pub(super) fn takes_back(known: &[String], arriving: &[String]) -> bool {
    let Some(topic) = taken_back(arriving) else { return false };
    let known: Vec<String> = known.iter().map(|word| stem(word)).collect();
    let telling = |word: &&&str| word.len() > 3 || word.starts_with(|c: char| c.is_ascii_digit());
    let named = topic.iter().take(TOPIC).filter(telling);
    let small = |word: &str| SCOPING.contains(&word) || matches!(word, "that" | "this" | "using" | "having");
    named.filter(|word| !small(word)).any(|word| known.contains(&stem(word)))
}

/// Returns the words behind those by which something is taken back.
pub(super) fn taken_back(said: &[String]) -> Option<Vec<&str>> {
    const VERBS: [&[&str]; 10] = [
        &["forget"],
        &["scratch"],
        &["scrap"],
        &["disregard"],
        &["ignore"],
        &["strike"],
        &["withdraw"],
        &["never", "mind"],
        &["nevermind"],
        &["drop"],
    ];
    const OPENINGS: [&[&str]; 20] = [
        &["what", "i", "said", "about"],
        &["what", "we", "said", "about"],
        &["what", "i", "told", "you", "about"],
        &["that", "about"],
        &["that", "thing", "about"],
        &["the", "thing", "about"],
        &["the", "thing", "with"],
        &["the", "rule", "about"],
        &["the", "rule", "on"],
        &["the", "rule", "that"],
        &["the", "rule", "for"],
        &["my", "rule", "about"],
        &["our", "rule", "about"],
        &["the", "decision", "about"],
        &["the", "decision", "to"],
        &["the", "ban", "on"],
        &["the", "bit", "about"],
        &["the", "part", "about"],
        &["the", "note", "about"],
        &["the", "one", "about"],
    ];
    let is_opening = |word: &&String| matches!(word.as_str(), "ok" | "okay" | "actually" | "please" | "and");
    let said: Vec<&str> = said.iter().skip_while(is_opening).map(String::as_str).collect();
    let rest = VERBS.iter().find_map(|verb| said.strip_prefix(*verb))?;
    OPENINGS.iter().find_map(|opening| rest.strip_prefix(*opening)).map(<[&str]>::to_vec)
}

/// "Forget brass, we light it with gas": what is known is thrown out by its name, and something else said.
pub(super) fn throws_out(known: &[String], arriving: &[String]) -> bool {
    const VERBS: [&str; 6] = ["forget", "scrap", "drop", "ditch", "scratch", "dump"];
    let mut said =
        arriving.iter().skip_while(|word| matches!(word.as_str(), "ok" | "okay" | "actually" | "please"));
    let opens = said.next().is_some_and(|verb| VERBS.contains(&verb.as_str()));
    let mut said = said.filter(|word| !ARTICLES.contains(&word.as_str()));
    let gone =
        said.next().is_some_and(|word| word.len() > 2 && known.iter().skip(1).any(|known| known == word));
    opens && gone && said.any(|word| matches!(word.as_str(), "we" | "we'll" | "use" | "let's" | "it's" | "i"))
}

/// "We no longer read the wind over the wire": of what is given up nothing is known, whatever else is shared.
pub(super) fn denies_another(known: &[String], arriving: &[String]) -> bool {
    let denies = |at: &usize| {
        let (word, next) = (arriving[*at].as_str(), arriving.get(at + 1).map_or("", String::as_str));
        word == "longer" && *at > 0 && arriving[at - 1] == "no"
            || (word.ends_with("n't") || word == "not") && next != "be"
    };
    let ends = |word: &String| matches!(word.as_str(), "anymore" | "longer") || word == "more";
    let Some(at) = (0..arriving.len()).find(denies).filter(|_| arriving.iter().any(ends)) else {
        return false;
    };
    let small = |word: &&String| ARTICLES.contains(&word.as_str()) || SCOPING.contains(&word.as_str());
    // Behind the verb stands what is given up.
    let mut behind = arriving[at + 1..].iter().filter(|word| !small(word)).skip(1);
    let stems: Vec<String> = known.iter().map(|word| stem(word)).collect();
    behind.next().is_some_and(|word| word.len() > 2 && !ends(word) && !stems.contains(&stem(word)))
}

/// "The limit is 1300 instead of 1280": the number that held is named as the one that goes.
pub(super) fn puts_a_number_in_place(known: &[String], arriving: &[String]) -> bool {
    let is_number = |word: &&String| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_digit());
    let joints = [["instead", "of"], ["rather", "than"], ["up", "from"], ["down", "from"]];
    arriving.windows(3).any(|three| {
        joints.iter().any(|joint| three[0] == joint[0] && three[1] == joint[1])
            && is_number(&&three[2])
            && known.contains(&three[2])
    })
}

/// What is taken back is named in so many words.
const TOPIC: usize = 5;

/// "Ada owns the pier", "Bea owns the pier now": the same charge, and somebody else who has it. "Bea took it over from
/// Ada" says so.
pub(super) fn takes_over(known: &[String], arriving: &[String]) -> bool {
    const CHARGES: [&[&str]; 12] = [
        &["owns"],
        &["maintains"],
        &["leads"],
        &["manages"],
        &["reviews"],
        &["approves"],
        &["signs"],
        &["handles"],
        &["is", "the"],
        &["is", "on", "call"],
        &["is", "responsible"],
        &["is", "in", "charge"],
    ];
    let plain = |said: &[String]| -> Vec<String> {
        said.iter().filter(|word| !matches!(word.as_str(), "now" | "again")).cloned().collect()
    };
    let (known, arriving) = (plain(known), plain(arriving));
    let (Some((one, charge)), Some((other, same))) = (known.split_first(), arriving.split_first()) else {
        return false;
    };
    let is_charge = |words: &&[&str]| {
        charge.len() > words.len() && words.iter().zip(charge).all(|(word, said)| word == said)
    };
    let handed_over = arriving.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "taken" | "took" | "takes" | "taking" | "take") && pair[1] == "over"
    }) && arriving.windows(2).any(|pair| pair[0] == "from" && known.contains(&pair[1]));
    one != other && charge == same && CHARGES.iter().any(is_charge)
        || handed_over
        || is_another_holder(&known, &arriving)
        || is_another_value_in_japanese(&known, &arriving)
}

/// "Ada is the keeper of the lamp", "the keeper of the lamp is Bea": who holds an office, said from either end.
fn is_another_holder(known: &[String], arriving: &[String]) -> bool {
    fn office(said: &[String]) -> Option<(&[String], &[String])> {
        let is = said.iter().position(|word| word == "is")?;
        match (said.first()?.as_str(), said.get(is + 1)?.as_str()) {
            ("the" | "our", _) if is > 2 => Some((&said[1..is], &said[is + 1..])),
            (_, "the" | "our") if is <= HOLDER => Some((&said[is + 2..], &said[..is])),
            _ => None,
        }
    }
    match (office(known), office(arriving)) {
        (Some((office, holder)), Some((same, other))) => {
            office == same && office.len() > 1 && holder != other && holder.len().max(other.len()) <= HOLDER
        }
        _ => false,
    }
}

/// A holder of more words is no name.
const HOLDER: usize = 3;

/// Words that turn a sentence round, and those that only carry them.
const DENYING: [&str; 4] = ["not", "never", "no", "cannot"];
const CARRYING: [&str; 4] = ["do", "does", "did", "can"];
/// Words behind which something else is spoken of.
const SCOPING: [&str; 16] = [
    "for", "in", "on", "when", "if", "unless", "except", "during", "at", "by", "with", "to", "from", "while",
    "before", "after",
];
/// So many words have to be the same.
const SAME: usize = 4;

/// Tells whether two sentences begin with the same words but for a "not" that only one of them has: "the crane lifts
/// empty crates", "the crane does not lift empty crates".
fn denies_the_same(known: &[String], arriving: &[String]) -> bool {
    let (old, new) = (bare(known), bare(arriving));
    let same = old.iter().zip(&new).take_while(|((a, _), (b, _))| a == b).count();
    let (shorter, longer) = if old.len() <= new.len() { (&old, &new) } else { (&new, &old) };
    let turned = old[..same].iter().zip(&new[..same]).filter(|((_, a), (_, b))| a != b).count();
    let goes_on = longer.get(shorter.len()).filter(|_| same == shorter.len());
    // "… for the crew" and "… for guests": what is denied of the one may hold of the other.
    let parts = (same < shorter.len()).then(|| &old[same.saturating_sub(2)..same]);
    let narrows = goes_on
        .into_iter()
        .chain(parts.into_iter().flatten())
        .any(|(word, _)| SCOPING.contains(&word.as_str()));
    same >= SAME && 2 * same >= shorter.len() && turned == 1 && !narrows
}

/// Returns the words of a sentence by their stems, each with whether it is denied, without articles and what denies.
fn bare(said: &[String]) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    let mut denied = false;
    for word in said {
        let word = word.as_str();
        if DENYING.contains(&word) || word.ends_with("n't") {
            denied = true;
        } else if !ARTICLES.contains(&word) && !CARRYING.contains(&word) {
            out.push((stem(word), std::mem::take(&mut denied)));
        }
    }
    out
}

/// "The ferry left at five last Friday because of the storm": how it was once, and why, ends nothing.
pub(super) fn tells_of_once(said: &[String]) -> bool {
    const TIMES: [&str; 11] = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "week",
        "month",
        "night",
        "time",
    ];
    const CHANGES: [&str; 11] = [
        "moved", "switched", "changed", "replaced", "dropped", "removed", "decided", "agreed", "now",
        "renamed", "raised",
    ];
    let once = said.windows(2).any(|pair| pair[0] == "last" && TIMES.contains(&pair[1].as_str()));
    let has = |words: &[&str]| said.iter().any(|word| words.contains(&word.as_str()));
    // "In 2019 the ferry was red": long ago. "The ferry was built in 2019" tells when.
    let is_year =
        |word: &String| word.len() == 4 && word.parse::<u16>().is_ok_and(|year| (1970..2100).contains(&year));
    // "Until 2019 the ferry was red, hence the paint you found."
    let opens =
        said.len() > 2 && matches!(said[0].as_str(), "in" | "until" | "till" | "before") && is_year(&said[1]);
    let long_ago =
        opens || said.windows(3).any(|three| three[0] == "back" && three[1] == "in" && is_year(&three[2]));
    let past = ["was", "were", "went", "used", "had", "did", "ran", "came"];
    if has(&CHANGES) {
        return false;
    }
    // "Yesterday the ferry left at nine since the gate was stuck."
    let went = ["was", "were", "went", "had", "did", "ran", "came", "left", "took", "got", "began", "lasted"];
    let of_a_day = said.iter().any(|word| word == "yesterday") && has(&went) && !has(&["so", "are", "is"]);
    of_a_day && has(&["because", "due", "when", "after", "since", "as"])
        || !has(&["since"]) && (once && has(&["because", "due", "when", "after"]) || long_ago && has(&past))
}

/// "We no longer light Brass", "we don't light brass any more": what is known is given up by its name.
fn gives_up_by_name(known: &[String], arriving: &[String]) -> bool {
    let denies = |word: &String| DENYING.contains(&word.as_str()) || word.ends_with("n't");
    if known.iter().any(denies) {
        return false;
    }
    let known: Vec<String> = known.iter().map(|word| stem(word)).collect();
    let named = |verb: &String, rest: &[String]| {
        let mut rest = rest.iter().filter(|word| !ARTICLES.contains(&word.as_str()));
        known.contains(&stem(verb))
            && rest.next().is_some_and(|word| word.len() > 2 && known.contains(&stem(word)))
    };
    let no_longer = arriving
        .windows(3)
        .enumerate()
        .any(|(at, three)| three[0] == "no" && three[1] == "longer" && named(&three[2], &arriving[at + 3..]));
    let ends = arriving.windows(2).any(|pair| pair[0] == "any" && pair[1] == "more")
        || arriving.iter().any(|word| word == "anymore");
    let denied = arriving
        .windows(2)
        .enumerate()
        .any(|(at, pair)| denies(&pair[0]) && named(&pair[1], &arriving[at + 2..]));
    no_longer || ends && denied
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    #[test]
    fn the_same_words_with_a_not_deny_each_other() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(denies_the_same(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("The crane skips empty crates.", "The crane does not skip empty crates.", true);
        check("Fares in the list include the toll.", "The fares in the list don't include the toll.", true);
        check("The long queue is safe, nobody waits there.", "The long queue is not safe, boats wait.", true);
        check("Fares include the ferry toll.", "Fares do not include the ferry toll for children.", false);
        check("We don't use nets for the guests.", "We use nets for the crew of the pier.", false);
        check("The crane skips empty crates.", "The lamp does not skip empty crates.", false);
        check("The crane skips empty crates.", "The crane skips empty crates twice.", false);
    }

    #[test]
    fn what_was_so_once_ends_nothing() {
        let check = |text: &str, expected| assert_eq!(tells_of_once(&plain_words(text)), expected, "{text}");
        check("Last Friday the ferry left at five because of the storm.", true);
        check("The ferry left at five.", false);
        check("Last week we moved the ferry to five because of the storm.", false);
        check("back in 2019 the ferry was red, that is why", true);
        check("In 2019 the fares went through the purser, hence the name", true);
        check("In 2019 we switched the ferry to red.", false);
    }

    #[test]
    fn what_is_given_up_by_name_is_over() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(gives_up_by_name(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("We use Brass as metal everywhere.", "We no longer use Brass, it's plain iron.", true);
        check("We use brass for the lamps.", "we don't use brass anymore", true);
        check("We use brass for the lamps.", "we no longer use rope", false);
        check("We don't use brass.", "we no longer use brass", false);
    }

    #[test]
    fn who_takes_words_back_ends_what_they_said() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(takes_back(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("Never sail on Fridays.", "Forget what I said about sailing on Fridays.", true);
        check("The ferry lies at berth 9.", "Scratch that about berth 9, it is 12.", true);
        check("Never sail on Fridays.", "Forget what I said about the crane.", false);
        check("The crane prints warnings.", "Ignore the warnings of the crane.", false);
        check("Carts must not enter the yard.", "Scrap the thing about the carts.", true);
        check("Never sail on Fridays.", "never mind the rule on sailing on Fridays", true);
    }
}
