//! What a change leaves standing.
//!
//! "Blood is kept at -80 degrees in freezer F2" says two things, and "blood moved to freezer F5" changes one of them:
//! whoever takes the one sentence for the end of the other loses the degrees.

use std::collections::BTreeSet;

use super::lexicon::{self, Class};
use super::quantity;
use super::token::{Token, is_stop, stem, tokens};

/// Words that put something of the same rank beside what stands before them.
const BESIDE: [&str; 12] =
    ["and", "but", "or", "plus", "und", "aber", "oder", "pero", "et", "mais", "mas", "ed"];
/// Words behind which stands how or by whom something is done.
const MEANS: [&str; 10] = ["with", "by", "via", "through", "using", "mit", "con", "avec", "com", "durch"];
/// Words behind which stands where, when or for whom it holds.
const SCOPES: [&str; 30] = [
    "for", "in", "on", "of", "from", "when", "if", "while", "during", "before", "after", "unless", "where",
    "under", "over", "at", "per", "every", "each", "within", "until", "für", "auf", "bei", "im", "en",
    "para", "pour", "dans", "sur",
];

/// What stands in a list has so many words at most.
const ITEM: usize = 1;

/// How a phrase is joined to what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Beside,
    Means,
    Scope,
}

/// Words up to the next joint.
#[derive(Debug, Clone, Default)]
struct Phrase {
    joint: Option<Joint>,
    stems: BTreeSet<String>,
    /// It opens with a number or a word of which a statement gives one, such as a day.
    opens_with_value: bool,
    has_value: bool,
    /// It is a clause of its own: it has a verb, or a comma stands before it.
    is_clause: bool,
    /// Only a comma or a full stop joins it.
    is_loose: bool,
}

/// A part of a statement that can change by itself.
#[derive(Debug, Clone)]
struct Part {
    own: BTreeSet<String>,
    joint: Option<Joint>,
    /// Another part of the same rank stands beside it.
    beside: bool,
    opens_with_value: bool,
}

/// The parts of a statement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    /// Places, times or uses that are told in one breath.
    lists: Vec<Vec<BTreeSet<String>>>,
    stems: BTreeSet<String>,
    /// What it forbids or demands behind a "but": "… but never push".
    but: BTreeSet<String>,
    /// Whether it says that something is no longer as it was …
    announces: bool,
    /// … and that it is not so.
    denies: bool,
}

impl Parts {
    /// Takes a statement apart; its reasons go with what they are given for.
    pub(crate) fn of(text: &str) -> Parts {
        let (phrases, announces, denies) = phrases(text);
        let stems = phrases.iter().flat_map(|phrase| phrase.stems.iter().cloned()).collect();
        let (mut parts, mut lists): (Vec<Part>, Vec<Vec<BTreeSet<String>>>) = Default::default();
        let mut scoped = false;
        let is_scope = |phrase: &Phrase| phrase.joint == Some(Joint::Scope) && !phrase.has_value;
        // "…, it is the only one anyway", "…, please tell Ada": a remark. "7:00, 12:00" goes on.
        let is_item = |at: usize| {
            let goes_on = |next: &Phrase| next.joint == Some(Joint::Beside) && !next.is_loose;
            phrases[at].has_value || phrases.get(at + 1).is_some_and(goes_on)
        };
        let is_remark =
            |at: usize| phrases[at].is_loose && at > 0 && !(phrases[at].stems.len() <= ITEM && is_item(at));
        for (at, phrase) in phrases.iter().enumerate() {
            let beside = phrase.joint == Some(Joint::Beside);
            // "For the cache and the queue": both say for what.
            let alone = !phrase.has_value && !phrase.is_clause && !phrases.get(at + 1).is_some_and(is_scope);
            let goes_on = scoped && beside && alone;
            if !parts.is_empty() && (is_scope(phrase) || goes_on) {
                match lists.last_mut().filter(|_| goes_on) {
                    Some(list) => list.push(phrase.stems.clone()),
                    None => lists.push(vec![phrase.stems.clone()]),
                }
                scoped = true;
                continue;
            }
            scoped = false;
            if is_remark(at) {
                break;
            }
            if let Some(last) = parts.last_mut().filter(|_| beside) {
                last.beside = true;
            }
            let (own, joint) = (phrase.stems.clone(), phrase.joint);
            parts.push(Part { own, joint, beside, opens_with_value: phrase.opens_with_value });
        }
        parts.retain(|part| !part.own.is_empty());
        Parts { parts, lists, stems, but: behind_but(text), announces, denies }
    }

    /// Tells whether what arrives speaks of a part of what is known and leaves another as it is.
    pub(crate) fn leaves(known: &Parts, arriving: &Parts) -> bool {
        // "20 percent" is not spoken of by whoever says "21 percent".
        if !known.but.is_empty() && known.but.is_disjoint(&arriving.stems) {
            return true;
        }
        let is_named = |stems: &BTreeSet<String>| {
            let mut shared = stems.intersection(&arriving.stems);
            shared.any(|stem| !quantity::is_unit(stem) || stems.len() == 1)
        };
        // Who speaks of one of several places speaks of that one.
        let in_part = |list: &Vec<BTreeSet<String>>| list.iter().any(is_named) && !list.iter().all(is_named);
        if known.lists.iter().any(in_part) {
            return true;
        }
        let (touched, untouched): (Vec<&Part>, Vec<&Part>) =
            known.parts.iter().partition(|part| is_named(&part.own));
        let is_told = |stem: &String| arriving.stems.contains(stem) && !lexicon::is_stem(stem, Class::Verb);
        let of_rank = |part: &&Part| part.beside && part.own.iter().any(is_told);
        if touched.iter().any(of_rank) && untouched.iter().any(|part| part.beside) {
            return true;
        }
        let gone = known.values().difference(&arriving.values()).count();
        let come = arriving.values().difference(&known.values()).count();
        // "5180 now, not 5174": what is exchanged is named, and the other value is not spoken of.
        let exchanged = known.values().intersection(&arriving.values()).count();
        if arriving.denies && gone > 0 && come > 0 && come == exchanged {
            return true;
        }
        match come {
            // "30 days" and "at noon" say something of their own, whatever takes the place of the rest.
            0 => {
                let is_adjunct = |part: &&Part| part.joint == Some(Joint::Scope) && part.opens_with_value;
                arriving.announces
                    && !touched.is_empty()
                    && untouched.iter().any(is_adjunct)
                    && !known.is_over_as_a_whole(arriving)
            }
            _ if gone == come => untouched.iter().any(|part| part.joint == Some(Joint::Means)),
            _ => gone > come,
        }
    }

    /// "The choir no longer meets": of what is done no more, neither the day nor the hour is left.
    fn is_over_as_a_whole(&self, arriving: &Parts) -> bool {
        let head = self.parts.first().map(|part| &part.own);
        arriving.denies && head.is_some_and(|head| arriving.stems.is_subset(head))
    }

    fn values(&self) -> BTreeSet<&str> {
        self.stems.iter().map(String::as_str).filter(|stem| is_value(stem)).collect()
    }
}

fn phrases(text: &str) -> (Vec<Phrase>, bool, bool) {
    let mut out = vec![Phrase::default()];
    let (mut announces, mut denies) = (false, false);
    let begin = |out: &mut Vec<Phrase>, joint: Joint| {
        if out.last().is_some_and(|last| !last.stems.is_empty()) {
            out.push(Phrase { joint: Some(joint), ..Phrase::default() });
        } else if let Some(last) = out.last_mut()
            // "And for the west": of one rank with what stands before it.
            && (last.joint != Some(Joint::Beside) || last.is_loose)
        {
            last.joint = Some(joint);
        }
    };
    for token in tokens(text) {
        let Token::Mark { word, .. } = token else {
            begin(&mut out, Joint::Beside);
            if let Some(last) = out.last_mut() {
                (last.is_clause, last.is_loose) = (true, true);
            }
            continue;
        };
        let word = word.to_lowercase();
        match word.as_str() {
            word if lexicon::is(word, Class::Reason) => break,
            word if BESIDE.contains(&word) => {
                begin(&mut out, Joint::Beside);
                if let Some(last) = out.last_mut() {
                    last.is_loose = false;
                }
            }
            word if MEANS.contains(&word) => begin(&mut out, Joint::Means),
            word if SCOPES.contains(&word) => begin(&mut out, Joint::Scope),
            word => {
                let Some(phrase) = out.last_mut() else { break };
                let says_how = [Class::Change, Class::Hint, Class::Negator, Class::Remover];
                announces |= lexicon::is(word, Class::Change);
                denies |= lexicon::is(word, Class::Negator) || lexicon::is(word, Class::Remover);
                phrase.is_clause |= lexicon::is(word, Class::Verb);
                let stem = stem(word);
                let is_value = is_value(&stem);
                let is_small = is_stop(word) || says_how.iter().any(|class| lexicon::is(word, *class));
                if is_small && !is_value {
                    continue;
                }
                phrase.opens_with_value |= is_value && phrase.stems.is_empty();
                phrase.has_value |= is_value;
                phrase.stems.insert(stem);
            }
        }
    }
    (out, announces, denies)
}

/// Returns the words of a second rule behind a "but".
fn behind_but(text: &str) -> BTreeSet<String> {
    const LAYS_DOWN: [&str; 7] = ["never", "always", "don't", "dont", "do not", "nie", "niemals"];
    let lower = text.to_lowercase();
    let rule = [" but ", " aber "].iter().find_map(|but| lower.split_once(but)).map(|(_, rule)| rule);
    let rule = rule.filter(|rule| LAYS_DOWN.iter().any(|opening| rule.starts_with(opening)));
    let clause = rule.unwrap_or_default().split(['.', ';', ',']).next().unwrap_or_default();
    let words = tokens(clause).into_iter().filter_map(|token| match token {
        Token::Mark { word, .. } => Some(word.to_lowercase()),
        Token::Break => None,
    });
    let says = |word: &String| {
        !is_stop(word) && !lexicon::is(word, Class::Negator) && !LAYS_DOWN.contains(&word.as_str())
    };
    words.filter(says).map(|word| stem(&word)).collect()
}

/// A number, or a word of which a statement gives one.
fn is_value(stem: &str) -> bool {
    stem.trim_start_matches(['-', '+', '€', '$']).starts_with(|c: char| c.is_ascii_digit())
        || lexicon::is_in_a_set(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &str, arriving: &str, expected: bool) {
        let (one, other) = (Parts::of(known), Parts::of(arriving));
        assert_eq!(Parts::leaves(&one, &other), expected, "{known} / {arriving}\n{one:#?}\n{other:#?}");
    }

    #[test]
    fn what_is_not_spoken_of_stays() {
        for (known, arriving) in [
            (
                "Nets must dry before a trip, and two people mend every tear.",
                "One mender is enough from now on.",
            ),
            ("Bait is stored at -80 degrees in chest F2.", "Bait moved to chest F5."),
            (
                "The ferry docks at pier 8080 in winter and 9090 in summer.",
                "In summer the ferry now docks at 9443.",
            ),
            ("Tolls go through Brass for the east and Mirror for the west.", "We no longer use Mirror."),
            (
                "Ferries to the skerry leave at 7:00, 12:00 and 18:00.",
                "The 12:00 ferry to the skerry no longer runs.",
            ),
            (
                "The night watch ends at 6 and is paid 25 percent extra.",
                "The night watch is paid 30 percent extra now.",
            ),
            ("The gulls are fed every 12 hours with rye bread.", "The gulls are now fed every 8 hours."),
            ("Choir practice is on Tuesdays at 19:00.", "Choir practice has moved to Thursdays."),
            (
                "The log is copied to Brass after 30 days in Loft.",
                "The log is copied to Copper instead of Brass.",
            ),
            ("We use Brass for the lamps and the bells.", "We no longer use Brass for the bells."),
            ("The leaflet comes in Irish and Welsh.", "We dropped the Irish leaflet."),
            ("You may row alone, short trips, but never sail.", "Don't row alone."),
            (
                "The toll for crews is 19 percent and for guests 20 percent.",
                "The toll for crews is 21 percent from January on.",
            ),
        ] {
            check(known, arriving, true);
        }
    }

    #[test]
    fn what_is_spoken_of_goes_whole() {
        for (known, arriving) in [
            ("We use Brass for the lamps.", "Use Copper instead of Brass now."),
            ("You may row, but never sail.", "Nobody may row or sail."),
            ("Brass is used for the lamps and the bells.", "We no longer use Brass."),
            ("The night ferry leaves at 2 am.", "The night ferry now leaves at 4 am."),
            ("A day pass holds for 12 hours.", "A day pass holds for 30 minutes."),
            ("Every trip needs two permits before sailing.", "One permit is enough now."),
            ("The ledger is on paper because ink lasts.", "The ledger moved to slate."),
            (
                "Use Brass for the lamps, it is one metal anyway.",
                "Move the lamps to Copper, Brass no longer works.",
            ),
            (
                "Berths are free until 24 hours before, please put that up.",
                "Berths are free until 48 hours before.",
            ),
            ("The crane lifts 500 bags per turn.", "The crane lifts 200 bags per turn."),
            ("The choir meets every second Wednesday at 9:30.", "The choir no longer meets."),
            ("The gulls are fed every 12 hours with rye bread.", "The gulls are no longer fed."),
            ("Ada mends the nets of the east pier.", "Bea mends the nets of the east pier now."),
        ] {
            check(known, arriving, false);
        }
    }
}
