//! Whether a short sentence of somebody who looked says otherwise than a claim: another value of the same thing, or that
//! there is what was said not to be.
//!
//! All that it speaks of has to be spoken of by the claim, and what the claim is about by it: another berth, another part
//! of the crane or another season is another subject.

use std::collections::BTreeSet;

use super::lexicon::{self, Class};
use super::quantity;
use super::token::{is_stop, stem};
use crate::extract::terms::number_word;

/// A value has at most so many words.
const VALUE: usize = 4;
/// Words behind which stands by what way or under what terms something is; nothing is so in two ways.
const WAYS: [&str; 4] = ["over", "via", "under", "through"];
/// Words behind which stands where or with what something is done.
const WHERE: [&str; 8] = ["by", "with", "in", "on", "at", "from", "to", "as"];
/// Verbs of being somewhere.
const BEING: [&str; 16] = [
    "live", "lives", "stored", "kept", "saved", "held", "located", "hosted", "lies", "lie", "sits", "sit",
    "resides", "found", "defined", "stays",
];
/// Verbs that only help another.
const HELPS: [&str; 21] = [
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did", "can", "must",
    "should", "will", "get", "gets", "may", "got", "goes",
];
/// Words behind which stands where, when or for whom a claim holds.
const SCOPES: [&str; 11] =
    ["for", "in", "on", "at", "during", "from", "within", "inside", "of", "with", "after"];
/// Words that say nothing of what is spoken of.
const NEUTRAL: [&str; 14] = [
    "actually",
    "currently",
    "still",
    "really",
    "configured",
    "set",
    "effective",
    "actual",
    "current",
    "about",
    "exactly",
    "only",
    "just",
    "all",
];

/// Tells whether a sentence says otherwise than a claim.
pub(super) fn says_otherwise(known: &str, seen: &str) -> bool {
    let seen = Clause::of(seen);
    // "At least 9 hooks" and "at most 20" hold both.
    let one_side = |known: &&Clause| bound(known).zip(bound(&seen)).is_none_or(|(known, seen)| known == seen);
    clauses(known).iter().filter(one_side).any(|known| {
        goes_another_way(known, &seen)
            || is_another(known, &seen)
            || measures_otherwise(known, &seen)
            || has_what_is_denied(known, &seen)
    })
}

/// A word of a clause.
#[derive(Debug, Clone)]
struct Word {
    text: String,
    stem: String,
    /// Whether it begins with a capital letter or holds a digit, not being the first.
    named: bool,
}

impl Word {
    fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit()) || number_word(&self.text).is_some()
    }

    fn is_verb(&self) -> bool {
        lexicon::is(&self.text, Class::Verb)
    }

    /// Tells whether it says what is spoken of.
    fn tells(&self) -> bool {
        !is_stop(&self.text)
            && !self.is_verb()
            && !is_negator(&self.text)
            && !SCOPES.contains(&self.text.as_str())
            && !WAYS.contains(&self.text.as_str())
            && !WHERE.contains(&self.text.as_str())
            && !NEUTRAL.contains(&self.text.as_str())
            && !lexicon::is_measure(&self.stem)
    }
}

fn is_negator(word: &str) -> bool {
    lexicon::is(&word.replace('\'', ""), Class::Negator)
        || matches!(word, "no" | "without")
        || word.ends_with("n't")
}

/// A clause: what it is about, and what it says of it.
#[derive(Debug, Clone)]
struct Clause {
    words: Vec<Word>,
    /// Where its verb stands.
    verb: usize,
}

impl Clause {
    fn of(text: &str) -> Clause {
        let mut words = Vec::new();
        for raw in text.split_whitespace() {
            let bare = raw.trim_matches(|c: char| !c.is_alphanumeric());
            let plain = bare.replace('’', "'").to_lowercase();
            let plain = plain.strip_suffix("'s").map_or(plain.clone(), str::to_owned);
            if plain.is_empty() {
                continue;
            }
            let named = !words.is_empty() && bare.contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
            words.push(Word { stem: stem(&plain), text: plain, named });
        }
        let verb = words.iter().skip(1).position(Word::is_verb).map_or(words.len(), |at| at + 1);
        Clause { words, verb }
    }

    /// Lists the stems of what it speaks of.
    fn told(&self) -> BTreeSet<&str> {
        self.words.iter().filter(|word| word.tells()).map(|word| word.stem.as_str()).collect()
    }

    /// … and those of what stands before its verb.
    fn subject(&self) -> BTreeSet<&str> {
        let before = self.words.iter().take(self.verb);
        before.filter(|word| word.tells() && !word.is_number()).map(|word| word.stem.as_str()).collect()
    }

    /// Lists the stems that say where, when or for whom it holds, but for those behind one place.
    fn scopes(&self, but: usize) -> BTreeSet<&str> {
        let opens = |at: &usize| *at != but && SCOPES.contains(&self.words[*at].text.as_str());
        let behind = |at: usize| self.behind(at).iter().filter(|word| word.tells() && !word.is_number());
        (0..self.words.len()).filter(opens).flat_map(behind).map(|word| word.stem.as_str()).collect()
    }

    /// Returns what stands behind a small word, up to the next.
    fn behind(&self, at: usize) -> &[Word] {
        let rest = &self.words[at + 1..];
        let ends = |word: &Word| {
            let word_ends =
                [&SCOPES[..], &WAYS[..], &WHERE[..]].iter().any(|of| of.contains(&word.text.as_str()));
            word_ends || word.is_verb()
        };
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Lists the words of what is done, up to a small word.
    fn deed(&self, to: usize) -> Vec<&Word> {
        let from = self.verb.min(to);
        let says = |word: &&Word| word.tells() || word.is_verb() && !HELPS.contains(&word.text.as_str());
        self.words[from..to].iter().filter(says).collect()
    }

    fn stems(&self) -> BTreeSet<&str> {
        self.words.iter().map(|word| word.stem.as_str()).collect()
    }

    /// "Readings is …": a name has its own form, and what stands before it says of which sort it is.
    fn names_its_subject(&self) -> bool {
        let plural = self.verb.checked_sub(1).is_some_and(|at| self.words[at].text.ends_with('s'));
        let singular =
            self.words.get(self.verb).is_some_and(|verb| matches!(verb.text.as_str(), "is" | "has" | "was"));
        plural && singular
    }

    fn denies(&self) -> bool {
        self.words.iter().any(|word| is_negator(&word.text))
    }
}

/// Parts a claim where it begins to say something else.
fn clauses(text: &str) -> Vec<Clause> {
    let parted = [", ", "; ", ". ", " ("].iter().fold(text.to_owned(), |text, mark| text.replace(mark, "\n"));
    parted.lines().filter(|part| part.contains(' ')).map(Clause::of).collect()
}

/// Tells whether two clauses are about the same: what the one is about the other speaks of, and the other way round, with
/// the circumstances of the claim.
fn is_of_the_same(known: &Clause, seen: &Clause, but: usize) -> bool {
    let (told, about) = (known.told(), seen.subject());
    let said = seen.told();
    let mut missing = known.subject().into_iter().filter(|stem| !said.contains(stem));
    let sort = missing.next();
    let whole = sort.is_none() || seen.names_its_subject() && missing.next().is_none();
    let scopes = known.scopes(but);
    !about.is_empty() && about.is_subset(&told) && whole && scopes.is_subset(&said)
}

/// "The lamps are lit by gas" and "by oil", "lie in the shed" and "in the boat": the same deed, in another way or place.
fn goes_another_way(known: &Clause, seen: &Clause) -> bool {
    let joins = |at: &usize| {
        let word = seen.words[*at].text.as_str();
        WAYS.contains(&word) || WHERE.contains(&word)
    };
    let Some(at) = (seen.verb + 1..seen.words.len()).rfind(joins) else { return false };
    let (by, new) = (seen.words[at].text.as_str(), telling(&seen.words[at + 1..]));
    if new.is_empty() || new.len() > VALUE || seen.denies() || known.denies() {
        return false;
    }
    let (held, said) = (known.stems(), seen.stems());
    let is_other = |place: &usize| {
        let old = telling(known.behind(*place));
        // "On channel 12", "on channel 16": what both give is no value.
        let only = |these: &[&Word], those: &[&Word]| -> Vec<String> {
            let own = these.iter().filter(|one| those.iter().all(|other| one.stem != other.stem));
            own.map(|word| word.stem.clone()).collect()
        };
        let (gone, put) = (only(&old, &new), only(&new, &old));
        !gone.is_empty()
            && !put.is_empty()
            && gone.iter().all(|stem| !said.contains(stem.as_str()))
            && put.iter().all(|stem| !held.contains(stem.as_str()))
            && is_the_same_deed(by, (known, *place), (seen, at), &old, &new)
            && is_of_the_same(known, seen, *place)
    };
    (known.verb.min(1)..known.words.len())
        .filter(|at| known.words[*at].text == by)
        .any(|place| is_other(&place))
}

/// "Driven over" and "connected over" a thing are the same way; where and with what something is done goes with the deed, and
/// what merely is somewhere is in one place.
fn is_the_same_deed(
    by: &str,
    (known, place): (&Clause, usize),
    (seen, at): (&Clause, usize),
    old: &[&Word],
    new: &[&Word],
) -> bool {
    let (mine, theirs) = (seen.deed(at), known.deed(place));
    let done = !mine.is_empty() && mine.iter().all(|word| known.stems().contains(word.stem.as_str()));
    if WAYS.contains(&by) {
        return done || mine.len() < 2;
    }
    let is_being = |deed: &[&Word]| deed.iter().all(|word| BEING.contains(&word.text.as_str()));
    let there = !matches!(by, "by" | "with" | "as" | "to") && is_being(&mine) && is_being(&theirs);
    // "In spring", "in the shed": when, and where.
    let article = |clause: &Clause, at: usize| {
        clause.words.get(at + 1).is_some_and(|next| matches!(next.text.as_str(), "the" | "a" | "an" | "our"))
    };
    let alike = article(known, place) == article(seen, at) || matches!(by, "by" | "with");
    (done && alike || there) && are_of_a_sort(old, new)
}

/// Two names, two numbers, two words of one set; two plain words where each is one.
fn are_of_a_sort(old: &[&Word], new: &[&Word]) -> bool {
    let all = |words: &[&Word], is: fn(&Word) -> bool| words.iter().any(|word| is(word));
    let set = old.iter().any(|one| new.iter().any(|other| lexicon::is_of_one_set(&one.stem, &other.stem)));
    let in_a_set = |words: &[&Word]| words.iter().any(|word| lexicon::is_in_a_set(&word.stem));
    set || all(old, Word::is_number) && all(new, Word::is_number)
        || all(old, Word::is_number) == all(new, Word::is_number)
            && !in_a_set(old)
            && !in_a_set(new)
            && old.len() <= PLAIN
            && new.len() <= PLAIN
}

/// A value that is no number has at most so many words that say something.
const PLAIN: usize = 2;

fn telling(words: &[Word]) -> Vec<&Word> {
    words.iter().filter(|word| word.tells()).collect()
}

/// "The seal is OHS", "the seal is CRN": of a thing that has one, another.
fn is_another(known: &Clause, seen: &Clause) -> bool {
    let value = |clause: &'_ Clause| -> Vec<Word> {
        let is = clause.words.get(clause.verb).is_some_and(|verb| matches!(verb.text.as_str(), "is" | "are"));
        let rest = clause.words.get(clause.verb + 1..).unwrap_or_default();
        let joins = |word: &Word| WAYS.contains(&word.text.as_str()) || SCOPES.contains(&word.text.as_str());
        if is && rest.len() <= PLAIN && !rest.iter().any(joins) { rest.to_vec() } else { Vec::new() }
    };
    let (old, new) = (value(known), value(seen));
    let (old, new) = (telling(&old), telling(&new));
    let apart = old.iter().all(|one| new.iter().all(|other| one.stem != other.stem));
    // "The default rope": of the kinds there are one is meant.
    let one_of = seen.words[..seen.verb].iter().any(|word| lexicon::is_measure(&word.stem));
    let named = |words: &[&Word]| words.iter().any(|word| word.named || word.is_number());
    let about = seen.subject();
    !old.is_empty()
        && !new.is_empty()
        && apart
        && !seen.denies()
        && !known.denies()
        && (one_of || named(&old) && named(&new))
        && are_of_a_sort(&old, &new)
        && !about.is_empty()
        && about == known.subject()
}

/// "The crane has 14 hooks", "the crane's arm … 9 hooks": another number of the same.
fn measures_otherwise(known: &Clause, seen: &Clause) -> bool {
    let (old, new) = (measures(known), measures(seen));
    let [(at, of, number)] = new.as_slice() else { return false };
    if seen.denies() || known.denies() {
        return false;
    }
    let mut same = old.iter().filter(|(_, other, _)| other == of || quantity::are_alike(other, of));
    let Some((place, _, held)) = same.next().filter(|_| same.next().is_none()) else { return false };
    let told = known.stems();
    // "The crane's oldest rope is Hemp 7": what is named says of which sort it is.
    let named = seen.words[at.saturating_sub(1)].named;
    let sort = |place: usize| named && place + 1 == seen.verb;
    let rest = seen
        .words
        .iter()
        .enumerate()
        .filter(|(place, word)| word.tells() && !word.is_number() && word.stem != *of && !sort(*place));
    let all_known = rest.clone().all(|(_, word)| told.contains(word.stem.as_str()));
    let said = seen.told();
    let unit = |stem: &&str| **stem != *of.as_str();
    let whole = known.subject().into_iter().filter(unit).all(|stem| said.contains(stem));
    let scopes = known.scopes(place.saturating_sub(1));
    number != held && rest.count() > 0 && all_known && whole && scopes.iter().all(|stem| said.contains(stem))
}

/// Lists the numbers of a clause: where each stands, what it counts or is a version of, and how much it is.
fn measures(clause: &Clause) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    for (at, word) in clause.words.iter().enumerate().filter(|(_, word)| word.is_number()) {
        let number = number_word(&word.text).map_or_else(|| word.text.clone(), str::to_owned);
        let version = at
            .checked_sub(1)
            .map(|at| &clause.words[at])
            .filter(|before| before.named && !before.is_number());
        let unit = clause.words.get(at + 1).filter(|next| next.tells() && !next.is_number());
        if let Some(of) = version.or(unit) {
            found.push((at, of.stem.clone(), number));
        }
    }
    found
}

/// Says whether a number is the least or the most.
fn bound(clause: &Clause) -> Option<Class> {
    [Class::Least, Class::Most]
        .into_iter()
        .find(|class| clause.words.iter().any(|word| lexicon::is(&word.text, *class)))
}

/// "The crane has no brake", "the crane does have a brake", "… is held by 2 brakes": there is what was said not to be.
fn has_what_is_denied(known: &Clause, seen: &Clause) -> bool {
    let Some(no) = known.words.iter().position(|word| is_negator(&word.text)) else { return false };
    let denied: BTreeSet<&str> =
        known.words[no + 1..].iter().filter(|word| word.tells()).map(|word| word.stem.as_str()).collect();
    let rest: Vec<&Word> =
        seen.words[seen.verb..].iter().filter(|word| word.tells() && !word.is_number()).collect();
    let has = rest.iter().any(|word| denied.contains(word.stem.as_str()));
    let emphatic =
        seen.words.get(seen.verb).is_some_and(|verb| matches!(verb.text.as_str(), "does" | "do" | "did"));
    let counted = seen.words[seen.verb..].iter().any(Word::is_number);
    let told = known.told();
    let others = rest.iter().filter(|word| !told.contains(word.stem.as_str())).count();
    let about = seen.subject();
    has && !seen.denies()
        && (emphatic || counted)
        && others <= usize::from(emphatic) + 2 * usize::from(counted)
        && !about.is_empty()
        && about == known.subject()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_of_the_same_is_seen() {
        let check = |known: &str, seen: &str, expected: bool| {
            assert_eq!(says_otherwise(known, seen), expected, "{known} {seen}");
        };
        check("The pier lamps are lit by gas.", "The pier lamps are lit by oil", true);
        check("list berths is sorted by tide", "berths is sorted by length", true);
        check("The small crane is driven over a Belt.", "the small crane is connected over a Chain", true);
        check(
            "All the ropes that we lend are under the OHS, I saw each of them.",
            "The lended ropes are under the Crown Seal 2",
            true,
        );
        check("Winch 2 runs at 90 turns.", "Winch 2 is set to 115 turns", true);
        check("The winch runs at 90 turns.", "The winch is configured for 115 turns", true);
        check(
            "The shed at the north pier is a hut with 25 hooks.",
            "The north pier's shed holds 102 hooks",
            true,
        );
        check(
            "We support Crane 10 and everything newer with the ferry.",
            "The ferry's minimum supported gear is Crane 7",
            true,
        );
        check("lost keys live in the shed", "Lost keys are kept in the boathouse", true);
        check("ropes are tarred with pitch", "Ropes are tarred with resin", true);
        check("the ferry calls on channel 12", "The ferry calls on channel 16", true);
        check("The pier's seal is OHS.", "The pier's seal is CRN", true);
        check("the default rope is hemp", "The default rope is nylon", true);
        check("the kiosk has no bell, everything must be shouted", "The kiosk does have bell ropes", true);
        check("The old winch has no brakes at all.", "The old winch is held by 14 brakes in the shed", true);
    }

    #[test]
    fn what_is_about_something_else_is_left() {
        let check = |known: &str, seen: &str| assert!(!says_otherwise(known, seen), "{known} {seen}");
        check("The pier lamps are lit by gas.", "The hall lamps are lit by oil");
        check("The pier lamps are lit by gas.", "The lamps are lit by oil");
        check("The lamps are lit by gas.", "The pier lamps are lit by oil");
        check("The lamps are lit by gas.", "The lamps are cleaned by Ada");
        check("The lamps are lit by gas in winter.", "The lamps are lit by oil");
        check("The winch runs at 90 turns.", "The crane runs at 115 turns");
        check("The winch runs at 90 turns.", "The winch's test drum runs at 115 turns");
        check("The winch runs at 90 turns.", "The winch has 4 ropes");
        check("The winch runs at 90 turns for guests.", "The winch runs at 115 turns");
        check("The winch has at least 12 hooks.", "The winch has at most 40 hooks");
        check("The winch runs at 90 turns.", "The winch runs at 90 turns");
        check("The winch needs at least 90 turns.", "The winch makes at most 115 turns");
        check("Ropes are tarred in spring.", "Ropes are tarred in the shed of the keeper");
        check("lost keys live in the shed", "Lost oars are kept in the boathouse");
        check("lost keys live in the shed", "Lost keys are counted in the boathouse");
        check("In winter lost keys live in the shed", "Lost keys are kept in the boathouse");
        check("lost keys live in the shed", "In winter lost keys are kept in the boathouse");
        check("the ferry calls on channel 12 at night", "The ferry calls on channel 16");
        check("The crane is red.", "The crane is old");
        check("The pier's seal is OHS.", "The hall's seal is CRN");
        check("The kiosk has no bell.", "The hall does have a bell");
        check("The kiosk has no bell.", "The kiosk has a bell tower plan");
        check("The kiosk is in the north.", "The kiosk is in the archive");
    }
}
