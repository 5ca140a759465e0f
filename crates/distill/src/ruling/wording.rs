//! A ruling on a page: in the person's words, with a title that can stand in a list.

use super::Language;
use super::cues::SpeechCue;
use super::heard::{Heard, Mood};
use super::mood::hear;
use crate::extract::wording::capital;
use lore_core::text::is_cut_short;

/// Most words of a title that is cut short.
const TITLE: usize = 12;
/// A sentence in one clause of so many words is its own title.
const WHOLE: usize = 14;

/// How somebody is sent to look at something.
const SENDS: [&str; 6] = ["have a look", "look at", "take a look", "check ", "see ", "note "];
/// An errand of more words says something itself.
const ERRAND: usize = 7;

/// Joins the sentences of a ruling, each as it was said.
pub(super) fn text(sentences: &[&str]) -> String {
    let mut out = String::new();
    for sentence in sentences {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&capital(sentence.trim()));
        if !out.ends_with(['.', '!', '?', '…', '"', '”', '。', '！', '？']) {
            out.push('.');
        }
    }
    out
}

/// Makes the sentence its own title; a long one ends at a clause.
pub(super) fn title(sentence: &str) -> String {
    let whole = sentence.trim().trim_end_matches(['.', '!', ',', ';', ':', '。', '！']);
    if whole.split_whitespace().count() <= TITLE {
        return capital(whole);
    }
    // "Look at the chart: the depths are in feet": what is to be seen there is the point.
    if let Some((errand, point)) = whole.split_once(": ")
        && errand.split_whitespace().count() <= ERRAND
        && SENDS.iter().any(|verb| errand.to_lowercase().starts_with(verb))
        && point.split_whitespace().count() >= POINT
    {
        return title(point);
    }
    // What stands in brackets can wait for the page.
    let open = without_brackets(whole);
    let words: Vec<&str> = open.split_whitespace().collect();
    if words.len() <= TITLE {
        return capital(&open);
    }
    if let Some(rest) = behind_a_time(&words) {
        return title(&rest);
    }
    let ends = |at: &usize| {
        let word = words[at - 1];
        word.ends_with([',', ';', ':', '.']) && !word.strip_suffix('.').is_some_and(is_cut_short)
    };
    let clauses = || (4..=TITLE).rev().filter(ends);
    let clause = clauses().find(|cut| !hangs(&words, *cut)).or_else(|| clauses().next());
    if let Some(cut) = clause {
        let first = words[0].to_lowercase();
        // "When the tide is out, boats stay in": the point stands behind the circumstances.
        let rest = words[cut..].join(" ");
        // "For the yard we drop tar, …" has come to the point.
        let says = words[..cut]
            .iter()
            .skip(2)
            .any(|word| matches!(word.to_lowercase().as_str(), "we" | "we're" | "we'll" | "i"));
        // "For lamps of brass use oil, also in the hall": what is added comes behind the point.
        let adds = matches!(
            words[cut].to_lowercase().as_str(),
            "also" | "even" | "except" | "not" | "too" | "auch" | "aussi" | "también" | "também" | "anche"
        );
        // "If the kiln is hot, nobody opens it; when it is cold …": circumstances and point are both there.
        let is_whole = words[cut - 1].ends_with([';', '.'])
            && words[..cut - 1].iter().skip(1).any(|word| word.ends_with(','));
        if LEADING_UP.contains(&first.as_str()) && words.len() - cut >= 4 && !says && !adds && !is_whole {
            // "When you paint boats, do it in white": what is meant stands in the circumstances.
            let bound =
                rest.split_whitespace().take(3).any(|word| matches!(word, "it" | "that" | "this" | "them"));
            return match bound {
                true if words.len() <= BOUND => capital(&open),
                // "Once lit, the lamp is hot, it must not be touched": "it" is named before.
                true if rest.to_lowercase().starts_with("it ")
                    || rest.to_lowercase().starts_with("they ") =>
                {
                    capital(words[..cut].join(" ").trim_end_matches([',', ';', ':', '.']))
                }
                _ => title(&rest),
            };
        }
        if let Some(point) = behind_an_errand(&words) {
            return title(&point);
        }
        return capital(words[..cut].join(" ").trim_end_matches([',', ';', ':', '.']));
    }
    if words.len() <= WHOLE {
        return capital(&open);
    }
    capital(words[..whole_words(&words)].join(" ").trim_end_matches([',', ';', ':', '.']))
}

/// "No ballast goes on the ferry, so when we weigh it, …": the clause that ends here only leads up to the next one.
fn hangs(words: &[&str], end: usize) -> bool {
    const LEADS: [&str; 7] = ["when", "whenever", "if", "once", "while", "because", "since"];
    let begin = (1..end).rev().find(|at| words[at - 1].ends_with([',', ';', ':', '.']));
    let Some(begin) = begin.filter(|begin| *begin >= POINT) else { return false };
    let joins = usize::from(matches!(words[begin].to_lowercase().as_str(), "so" | "and" | "but"));
    words.get(begin + joins).is_some_and(|word| LEADS.contains(&word.to_lowercase().as_str()))
}

/// "Since the last storm the lamps are lit at dusk": what is so stands behind the time, without a comma between.
fn behind_a_time(words: &[&str]) -> Option<String> {
    let lower = |at: usize| words.get(at).map(|word| word.to_lowercase()).unwrap_or_default();
    let opens = matches!(lower(0).as_str(), "since" | "after" | "from" | "until");
    // "Since the audit everything is signed": what was before is over; "after the audit …" may come again.
    let of_time = lower(0) == "since"
        || matches!(lower(1).as_str(), "last" | "next" | "this")
        || lower(1) == "the" && matches!(lower(2).as_str(), "last" | "next");
    if !opens || !of_time {
        return None;
    }
    let begins = |at: &usize| {
        let words = ["the", "our", "all", "every", "each", "everything", "nothing", "we", "a", "an"];
        words.contains(&lower(*at).as_str())
    };
    let at = (3..=TIME).find(begins).filter(|at| words.len() - at >= POINT)?;
    (!words[..at].iter().any(|word| word.ends_with([',', ';']))).then(|| words[at..].join(" "))
}

/// "Bump the timeout, we always use 30 seconds for uploads": what outlives the errand stands behind it.
fn behind_an_errand(words: &[&str]) -> Option<String> {
    let heard = |text: &str| hear(text, Language::of(text));
    let cut = (3..words.len()).find(|at| words[at - 1].ends_with([',', ';', ':', '.']))?;
    let errand = heard(&words[..cut].join(" "));
    let lasts = |heard: &Heard| [SpeechCue::Standing, SpeechCue::Universal].iter().any(|cue| heard.has(*cue));
    // "Use tabs" may well be the rule; an errand is about a certain thing.
    let may_hold =
        |word: &&str| matches!(word.to_lowercase().as_str(), "use" | "keep" | "prefer" | "avoid" | "stick");
    let is_certain = |word: &&str| matches!(word.to_lowercase().as_str(), "the" | "this" | "that");
    let head = &words[..cut];
    let is_order = errand.mood == Mood::Order && head.iter().any(is_certain) && !head.iter().any(may_hold);
    // "Nobody opens the door; the apprentice may …" forbids something.
    let forbids = |word: &&str| matches!(word.to_lowercase().as_str(), "nobody" | "never" | "no" | "none");
    let is_errand = (errand.mood == Mood::Task || is_order) && !head.iter().any(forbids);
    if !is_errand || lasts(&errand) {
        return None;
    }
    let joints =
        |word: &&&str| matches!(word.to_lowercase().as_str(), "and" | "also" | "btw" | "but" | "plus");
    let joined = words[cut..].iter().take_while(joints).count();
    let rest = words[cut + joined..].join(" ");
    let point = heard(&rest);
    let points_back = |word: &&str| matches!(word.to_lowercase().as_str(), "it" | "they" | "that" | "this");
    let stands =
        point.mood != Mood::Fragment && !rest.split_whitespace().take(POINT).any(|word| points_back(&word));
    let is_long = words.len() - cut - joined >= POINT;
    (is_long && stands && (lasts(&point) || point.mood == Mood::Practice)).then_some(rest)
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",")
}

/// Words that open the circumstances of what a sentence says.
pub(super) const LEADING_UP: [&str; 23] = [
    "talked",
    "discussed",
    "spoke",
    "if",
    "when",
    "whenever",
    "as",
    "since",
    "because",
    "coz",
    "cause",
    "after",
    "before",
    "once",
    "while",
    "for",
    "with",
    "in",
    "based",
    "given",
    "although",
    "though",
    "first",
];

/// Words that begin another part of a sentence: a title may end before one of them.
const JOINTS: [&str; 27] = [
    "with", "for", "in", "on", "and", "or", "because", "so", "that", "which", "if", "when", "unless",
    "where", "from", "by", "at", "as", "but", "while", "via", "until", "before", "after", "whereas", "then",
    "since",
];

/// Ends a title before the last part that would not fit, and never on a word that leads on.
fn whole_words(words: &[&str]) -> usize {
    let joint = |at: &usize| JOINTS.contains(&words[*at].to_lowercase().as_str());
    let mut end = (SHORTEST..=TITLE).rev().find(joint).unwrap_or(TITLE);
    let is_open = |word: &str| {
        crate::extract::flaws::cannot_end(&word.to_lowercase())
            || word.strip_suffix('.').is_some_and(is_cut_short)
    };
    while end > 4 && is_open(words[end - 1]) {
        end -= 1;
    }
    end
}

/// A part of a sentence of fewer words says too little.
const SHORTEST: usize = 6;
/// A sentence that cannot be parted may have so many words as a title.
const BOUND: usize = 18;
/// The name of a time has at most so many words.
const TIME: usize = 5;
/// So many words make a point of their own.
const POINT: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_sentence_or_its_first_clause() {
        assert_eq!(title("never water the cactus on sundays."), "Never water the cactus on sundays");
        assert_eq!(
            title(
                "the archive must stay closed between ten and two, because the keeper who has the key is away then"
            ),
            "The archive must stay closed between ten and two"
        );
        assert_eq!(
            title(
                "when the tide is out, boats that have no keel stay in the harbour until the next bell has been rung"
            ),
            "Boats that have no keel stay in the harbour"
        );
        assert_eq!(
            title("for the yard we're going to drop tar and take pitch, the smell is the reason for it"),
            "For the yard we're going to drop tar and take pitch"
        );
    }

    #[test]
    fn a_title_ends_at_no_initial_and_keeps_what_is_forbidden() {
        assert_eq!(
            title("for the pier of St. Anna the bill goes to Mr. J. R. Vogel, not to the ward"),
            "For the pier of St. Anna the bill goes"
        );
        assert_eq!(
            title(
                "if the kiln is above 900 °C, nobody opens the door; below 200 °C it may be opened by the apprentice"
            ),
            "If the kiln is above 900 °C, nobody opens the door"
        );
    }

    #[test]
    fn what_is_so_since_something_is_the_title() {
        assert_eq!(
            title("since the harbour audit everything is moored at the east pier instead of the north pier"),
            "Everything is moored at the east pier instead of the north pier"
        );
    }

    #[test]
    fn a_title_does_not_end_in_what_only_leads_up() {
        assert_eq!(
            title("no ballast goes on the ferry, so when we weigh it, we need not take it off again"),
            "No ballast goes on the ferry"
        );
    }

    #[test]
    fn what_is_to_be_seen_is_the_title_and_not_the_errand() {
        assert_eq!(
            title(
                "have a look at the chart: the depths of the north pier are in feet and must not be changed by anybody"
            ),
            "The depths of the north pier are in feet"
        );
    }

    #[test]
    fn a_title_does_not_begin_with_a_pronoun() {
        assert_eq!(
            title(
                "Once lit, the small lamp will nearly always be hot, it should not be used to tell whether the keeper is in"
            ),
            "Once lit, the small lamp will nearly always be hot"
        );
    }

    #[test]
    fn what_outlives_an_errand_is_the_title() {
        let check = |sentence: &str, expected: &str| assert_eq!(title(sentence), expected);
        check(
            "fix the broken lamps on the pier, and the north gate closes at eight from today so the keeper gets home",
            "The north gate closes at eight from today so the keeper gets home",
        );
        check(
            "when you paint the boats of the pilots, do it in white and with two coats pls",
            "When you paint the boats of the pilots, do it in white and with two coats pls",
        );
        check(
            "bump the winch of the ferry, we always use whale oil for winches and never the other sort",
            "We always use whale oil for winches and never the other sort",
        );
        check(
            "please add oil to the winch, we always use whale oil for winches and never the other sort",
            "We always use whale oil for winches and never the other sort",
        );
        check(
            "since the last storm the lamps of the pier are lit at dusk, we sold the old timer to the museum",
            "The lamps of the pier are lit at dusk",
        );
        // What is ordered is what holds; what follows says why.
        check(
            "keep the old winch on the ferry, it is always faster with heavy loads than the new one is",
            "Keep the old winch on the ferry",
        );
        check(
            "rename the north pier to the long pier, it is twice as long as the other one and everybody says so",
            "Rename the north pier to the long pier",
        );
    }

    #[test]
    fn sentences_are_joined_as_they_were_said() {
        assert_eq!(text(&["no candles. ever", "they drip"]), "No candles. ever. They drip.");
    }
}
