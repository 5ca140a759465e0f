//! What says of itself that it holds beyond the work it was said for: always, never, from now on, each of
//! a sort, this instead of that, what we do, what must be.

use super::alone::points_away;
use super::at_hand::{begins_with_work, forbids_work, names_code, serves_work, turns_to_work};
use super::clauses::{is_ordered_for_good, must_never};
use super::cues::SpeechCue;
use super::habit::is_habit;
use super::heard::{Heard, Mood};
use super::ours::{is_habit_of_ours, is_plain_fact};
use super::talk::{asks_a_favour, is_talk, supposes, trails_off};
use super::words::{FINITE, WORK, Word, is_plural, words_of};
use crate::extract::flaws::is_plain_verb;
use crate::extract::terms::is_common;

/// Tells whether a sentence outlives the work it was said for.
pub(super) fn outlives_work(heard: &Heard) -> bool {
    let body = heard.body.trim();
    // "Use the old ledger, I don't want cards for this": what is to be used stands in the first clause.
    let says_how = heard.mood == Mood::Order && begins_with_use(body);
    // "Don't lend the key any more, they lose it": what must not be done stands there, too.
    let forbids = heard.mood == Mood::Prohibition && (heard.everlasting || heard.has(SpeechCue::Lasting));
    let clause = if says_how || forbids { body.split([',', ';']).next().unwrap_or(body) } else { body };
    let turns = turns_to_work(body) && !heard.has(SpeechCue::Lasting);
    if names_code(body) || points_away(clause) || trails_off(body) || turns || is_talk(body) {
        return false;
    }
    // "One thing to remember: …", "don't add lamps without asking me": whoever says so means beyond this work.
    // So does whoever puts right what holds in all cases.
    let put_right = heard.has(SpeechCue::Correcting) && holds_regardless(body);
    if (heard.to_be_kept || put_right) && heard.telling > 1 || is_asked_first(body) && heard.telling > 0 {
        return true;
    }
    // "From now on", "always": said in so many words, whatever the verb.
    let lasting = says_from_now_on(heard);
    let lasts = lasting || says_for_ever(heard);
    if is_habit(body) {
        return true;
    }
    let for_all = lasts || is_for_each(body);
    let chosen = sets_against(body);
    // "Any more" is firm too, and mostly of what somebody sees.
    let firm = heard.has(SpeechCue::Firm) && (!heard.english || demands(body));
    // "Our pier has 512 berths".
    let measured = body.to_lowercase().starts_with("our ") && is_plain_fact(heard);
    let set_against = chosen && (heard.has(SpeechCue::Reason) || names_a_thing(body));
    match heard.mood {
        Mood::Prohibition => {
            // "Stop the pumps" ends what is going on, "stop oiling the locks" a habit.
            let words = words_of(body);
            let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
            let ends = matches!(said(0), "stop" | "quit");
            let habit = ends && said(1).ends_with("ing") && heard.telling > 2;
            let reasoned = heard.telling > 1 && (heard.has(SpeechCue::Reason) || gives_ground(body));
            // "Don't make any changes to the lamp" says how far to go, "don't lend any keys" what is not done.
            lasts || habit || !ends && !forbids_work(body) && (for_all || reasoned)
        }
        Mood::Order => {
            let words = words_of(body);
            let first = words.first().map_or("", |word| word.text.as_str());
            let standing = first == "prefer" && heard.telling > 2
                || matches!(first, "always" | "never")
                || heard.has(SpeechCue::Lasting) && !thinks(body);
            let kept = begins_with_use(body) && (for_all || chosen || gives_ground(body));
            !serves_work(body) && (standing || kept) || is_ordered_for_good(body) || must_never(body)
        }
        Mood::Resolve => lasts || set_against && names_a_way(body) || chooses(body),
        Mood::Practice | Mood::Duty | Mood::Wish => {
            let general = for_all
                || measured
                || set_against
                || prefers(body) && heard.telling > 2
                || is_habit_of_ours(body)
                || is_on_purpose(body)
                || is_of_a_sort(heard) && (chosen || firm)
                || demands_of_a_thing(heard);
            general && !begins_with_work(body) && !supposes(body) && !asks_a_favour(body)
        }
        // How something is belongs to the moment, unless it says otherwise.
        Mood::Statement | Mood::Fragment => {
            let sort = is_of_a_sort(heard) && (chosen || firm);
            let given_up = lasts && body.to_lowercase().contains(" for us");
            // "Änderungen gehen immer über die Brücke"; the small words that tell a report from a rule are known of English only.
            let for_ever = lasts && !heard.english && heard.telling > 1;
            (lasting
                || for_ever
                || given_up
                || measured
                || sort
                || demands_of_each(body)
                || orders_always(body))
                && !begins_with_work(body)
                && !supposes(body)
        }
        _ => false,
    }
}

/// "Don't lend keys without asking me first": somebody wants to be asked, whenever it comes to that.
pub(super) fn is_asked_first(body: &str) -> bool {
    const ASKED: [&str; 20] = [
        " without asking",
        " without my ok",
        " without my okay",
        " without my approval",
        " without my permission",
        " without checking with me",
        " without telling me",
        " before asking me",
        " unless i ask",
        " unless i say",
        " unless i tell",
        " ohne zu fragen",
        " ohne mich zu fragen",
        " ohne rückfrage",
        " sin preguntar",
        " sans demander",
        " sans me demander",
        " sem perguntar",
        " senza chiedere",
        " zonder te vragen",
    ];
    let lower = body.to_lowercase();
    ASKED.iter().any(|words| lower.contains(words)) && !lower.contains(" again")
}

/// "A tide has six hours here, no matter which": it holds in all cases.
fn holds_regardless(body: &str) -> bool {
    const REGARDLESS: [&str; 12] = [
        "no matter",
        "regardless",
        "in all cases",
        "whatever the ",
        "egal ",
        "in jedem fall",
        "da igual",
        "peu importe",
        "quel que soit",
        "não importa",
        "non importa",
        "ongeacht",
    ];
    let lower = body.to_lowercase();
    REGARDLESS.iter().any(|words| lower.contains(words))
}

/// Tells whether a sentence says what must be.
fn demands(body: &str) -> bool {
    let words = words_of(body);
    let alone = |word: &Word| {
        matches!(
            word.text.as_str(),
            "must" | "mustn't" | "never" | "always" | "nobody" | "only" | "may" | "shall"
        )
    };
    words.iter().any(alone)
        || words.windows(2).any(|pair| {
            matches!(pair[0].text.as_str(), "have" | "has") && pair[1].text == "to"
                || pair[0].text == "not" && matches!(pair[1].text.as_str(), "allowed" | "permitted")
        })
}

/// "From now on", and "every time" where it is said of a deed and not of what somebody sees.
fn says_from_now_on(heard: &Heard) -> bool {
    const REPEATED: [&str; 4] = ["everytime", "every time", "each time", "whenever"];
    let lower = heard.body.to_lowercase();
    let told = !matches!(heard.mood, Mood::Statement | Mood::Fragment | Mood::Practice | Mood::Report);
    heard.has(SpeechCue::Lasting) && (told || !REPEATED.iter().any(|word| lower.contains(word)))
}

/// "Always", "never"; "no longer" and "any more" where something is given up: of a thing they say what somebody sees.
fn says_for_ever(heard: &Heard) -> bool {
    if !heard.everlasting {
        return false;
    }
    let words = words_of(&heard.body);
    let is_always =
        |word: &Word| matches!(word.text.as_str(), "always" | "never" | "ever" | "nobody" | "nothing");
    // "We are no longer short of pilots".
    let ours = words.first().is_some_and(|word| matches!(word.text.as_str(), "we" | "we're"))
        && words.windows(2).take(3).any(|pair| pair[0].text == "no" && pair[1].text == "longer");
    let for_us = words.windows(2).any(|pair| pair[0].text == "for" && pair[1].text == "us");
    let lower = heard.body.to_lowercase();
    let ends = ["no longer", "anymore", "any more"].iter().any(|words| lower.contains(words));
    let given_up = matches!(heard.mood, Mood::Prohibition | Mood::Resolve | Mood::Wish | Mood::Order)
        || is_habit_of_ours(&heard.body)
        || for_us
        || ours;
    // "Nothing ever lit up" is what somebody saw.
    let seen = words.windows(2).any(|pair| pair[0].text == "nothing" && pair[1].text == "ever");
    !seen && (!heard.english || words.iter().any(is_always) || ends && given_up || lower.contains("banned"))
}

/// "Let's use brass instead of iron": how something is to be done, and not what to make of it.
fn names_a_way(body: &str) -> bool {
    let words = words_of(body);
    let opens = words.iter().position(|word| matches!(word.text.as_str(), "let's" | "lets"));
    opens.is_some_and(|at| {
        words.iter().skip(at + 1).take(3).any(|word| {
            MANNER.contains(&word.text.as_str()) || matches!(word.text.as_str(), "take" | "go" | "have")
        })
    })
}

/// "…, customers pin versions", "… - it rusts": a clause of its own behind the order, and no other order.
fn gives_ground(body: &str) -> bool {
    let words = words_of(body);
    let clause = words.iter().position(|word| word.ends_clause).map_or(words.len(), |at| at + 1);
    let rest = &words[clause..];
    let dash = body.contains(" - ") || body.contains(" – ") || body.contains(" — ");
    let states = |word: &Word| FINITE.contains(&word.text.as_str()) || is_plain_verb(&word.text);
    let works = rest.first().is_some_and(|word| WORK.contains(&word.text.as_str()) || word.text == "but");
    // "…, and try to reach the crane as well": another order.
    let more = matches!(rest, [and, verb, ..] if and.text == "and" && is_an_order(&verb.text));
    dash || rest.len() > 2 && !works && !more && rest.iter().any(states)
}

/// Tells whether a word orders something where it opens a clause.
pub(super) fn is_an_order(word: &str) -> bool {
    WORK.contains(&word) || is_plain_verb(word)
}

/// "I prefer brass": a preference by its own word.
fn prefers(body: &str) -> bool {
    let lower = body.to_lowercase();
    ["i prefer ", "i'd prefer ", "i would prefer ", "i'd rather ", "i hate ", "we prefer "]
        .iter()
        .any(|opening| lower.starts_with(opening))
}

/// "Every gate needs a lock": what each of a sort has to have.
fn demands_of_each(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    // "All lamps are on the left" is what somebody sees.
    let verbs = ["needs", "need", "gets", "get", "goes", "go", "lives", "live", "stays", "stay"];
    (matches!(said(0), "every" | "each" | "all") && is_for_each(body) || said(0) == "everything")
        && words.iter().skip(1).take(6).any(|word| verbs.contains(&word.text.as_str()))
        && !words.iter().any(|word| matches!(word.text.as_str(), "i" | "but" | "now" | "still"))
}

/// "When the bell rings, always shut the gate": an order for good behind its occasion.
fn orders_always(body: &str) -> bool {
    let words = words_of(body);
    // "…, always white" has nothing to do behind it.
    words.windows(4).any(|four| four[0].ends_clause && matches!(four[1].text.as_str(), "always" | "never"))
}

/// "Think about how to do it always" asks for thought.
fn thinks(body: &str) -> bool {
    let first = words_of(body).into_iter().map(|word| word.text).next().unwrap_or_default();
    matches!(first.as_str(), "think" | "make" | "ensure" | "update" | "change" | "consider")
}

/// "We took the bell down on purpose": whoever finds it gone shall know.
fn is_on_purpose(body: &str) -> bool {
    let lower = body.to_lowercase();
    lower.starts_with("we ")
        && [" on purpose", " deliberately", " intentionally"].iter().any(|words| lower.contains(words))
}

/// "Keys hang in the hall": a sort of thing, named without an article.
fn is_of_a_sort(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let Some(first) = words.first().map(|word| word.text.as_str()) else { return false };
    let plural = is_plural(first) && first.len() > 3 && !is_common(first);
    plural && first.chars().all(char::is_alphabetic) && heard.telling > 1
}

/// "Boats over 5 tons must take a pilot": a demand on things of a sort, with its measure or its name.
/// What we, you or it must do is work.
fn demands_of_a_thing(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let doer = words.iter().take_while(|word| !matches!(word.text.as_str(), "must" | "has" | "have"));
    let somebody = ["we", "you", "i", "it", "they", "this", "that", "there"];
    heard.mood == Mood::Duty
        && heard.has(SpeechCue::Firm)
        && words.len() >= WHOLE_DEMAND
        && names_a_thing(&heard.body)
        && !doer.into_iter().any(|word| somebody.contains(&word.text.as_str()))
}

/// A demand of fewer words does not say what for.
const WHOLE_DEMAND: usize = 7;

/// "Brass instead of iron", "brass, not iron": what was chosen, and over what.
fn sets_against(body: &str) -> bool {
    const AGAINST: [&str; 16] = [
        " i don't want ",
        " i dont want ",
        " we don't want ",
        " instead of ",
        " rather than ",
        ", not ",
        " and not ",
        " statt ",
        " anstatt ",
        " au lieu d",
        " plutôt qu",
        " en lugar de ",
        " en vez de ",
        " em vez de ",
        " ao invés d",
        "ではなく",
    ];
    let lower = format!(" {} ", body.to_lowercase());
    AGAINST.iter().any(|words| lower.contains(words))
}

/// Verbs that say how something is kept or done whenever it is.
const MANNER: [&str; 25] = [
    "pin",
    "stick",
    "stay",
    "use",
    "prefer",
    "keep",
    "name",
    "call",
    "store",
    "save",
    "show",
    "display",
    "format",
    "treat",
    "round",
    "escape",
    "return",
    "sort",
    "quote",
    "indent",
    "sign",
    "tag",
    "prefix",
    "encode",
    "represent",
];

/// "Let's use brass for the gates", "let's go with brass for them all": a choice, and for what.
fn chooses(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let opens = words.iter().position(|word| matches!(word.text.as_str(), "let's" | "lets"));
    let Some(at) = opens.map(|at| at + 1) else { return false };
    let goes = said(at) == "go" && matches!(said(at + 1), "with" | "for");
    let sticks = matches!(said(at), "stick" | "stay");
    let purpose = words.iter().skip(at + 2).any(|word| word.text == "for");
    // "Let's keep the old name" answers what was shown.
    (goes || sticks || MANNER.contains(&said(at))) && purpose
}

/// Tells whether an order says what to use or how to keep something.
pub(super) fn begins_with_use(body: &str) -> bool {
    let words = words_of(body);
    let verb = words.iter().find(|word| !matches!(word.text.as_str(), "always" | "only" | "please"));
    verb.is_some_and(|word| MANNER.contains(&word.text.as_str()))
}

/// Tells whether what comes first is each of a sort, and not each of the moments of one thing.
fn is_for_each(body: &str) -> bool {
    let words = words_of(body);
    let first =
        words.iter().take(3).position(|word| matches!(word.text.as_str(), "each" | "every" | "all" | "any"));
    first.is_some_and(|at| {
        words.get(at + 1).is_some_and(|next| {
            let these =
                matches!(next.text.as_str(), "the" | "these" | "those" | "our" | "my" | "your" | "of");
            !these && !next.text.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Tells whether a sentence names something by how it is written: in marks, as code, as a value.
fn names_a_thing(body: &str) -> bool {
    let is_name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
        let inner = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        inner || word.contains('_') || word.starts_with("--") || word.chars().any(|c| c.is_ascii_digit())
    };
    let proper = |word: &str| word.len() > 2 && word.starts_with(char::is_uppercase);
    body.contains(['`', '"', '“'])
        || body.split_whitespace().any(is_name)
        || body.split_whitespace().skip(1).any(proper)
}

#[cfg(test)]
mod tests {
    use super::super::{Language, mood::hear};
    use super::*;

    #[track_caller]
    fn check(sentence: &str, belongs_to_work: bool) {
        let heard = hear(sentence, Language::English);
        assert_eq!(outlives_work(&heard), !belongs_to_work, "{heard:?}");
    }

    #[test]
    fn what_describes_the_work_at_hand_belongs_to_it() {
        check("The lamp in the hall is very dark.", true);
        check("We have a small leak in the roof.", true);
        check("Each gate has a lock, but no key", true);
        check("All gates use the old lock, which sticks", true);
        check("The lock no longer turns", true);
        check("The keeper should always call gate.close(key) before the bell", true);
        check("We need to investigate the noise in the cellar", true);
        check("Use the small ladder", true);
        check("Let's cut a new key first", true);
        check("Let's go with a date on every line", true);
        check("Keep all the lamps that we hung", true);
        check("Stop all the pumps", true);
        check("Stop sharing", true);
        check("We must take 2 pilots to the boat that came in", true);
        check("Don't fix anything because the keeper is away", true);
        check("If the tide is right, the boat should never touch the ground", true);
        check("The harbour office takes no cash.", true);
        check("Every 5 minutes we ring the bell of the east tower", true);
        check("We don't always have the key of the archive", true);
        check("All lamps are on the left side of the pier", true);
        check("Let's keep the short name of the boat, like `gull`", true);
        check("Let's go back to boat 1", true);
        check("Don't make any changes to our north gate", true);
        check("Sort the boats of a pier by length, and try to cover the long ones", true);
        check("When you painted the boats, you left out the small ones: gull and tern", true);
        check("The ferry is getting stuck at 90% of the way", true);
        check("colours are nice again, but the lamps do not get lit anymore", true);
        check("We run in so many issues here", true);
        check("We never dealt with such storms on the pier", true);
        check("Getting a note that boats are not allowed from the harbour office", true);
        check("I want the last three gates also to be frozen", true);
        check("We don't want the lamp in there anymore now that it is day", true);
        check("We also aren't getting the bell and I can no longer move the crane", true);
        check("We will paint the gate when the pier is done", true);
        check("Continue but do not ask me after each boat", true);
        check("No I mean in the ledger what are the columns for", true);
        check("The crane must have some sort of brake since it stops by itself", true);
        check("In the north office are we using the brass keys", true);
        check("Let's stick with the current pier for the ferries", true);
        check("One final change to the pier, let's paint it instead of \"Harbour One\"", true);
        check("Create a second pier with a lamp with each berth", true);
        check("The tide which changes each time the moon does", true);
        check("I would've expected one lamp but nothing ever lit up on our pier", true);
    }

    #[test]
    fn what_says_that_it_holds_outlives_it() {
        check("From now on the keys hang in the hall.", false);
        check("From now on, run the pumps before every tide", false);
        check("no, keys hang next to the door, not in the hall", false);
        check("We only run the ferry on Tuesdays", false);
        check("I prefer small boats, at most 5 tons", false);
        check("Every gate needs a lock", false);
        check("Amounts must be whole crowns", false);
        check("When the bell rings, always shut the gate", false);
        check("Don't use tar, we have our own pitch", false);
        check("never lend the brass key", false);
        check("Always use brass for the gates", false);
        check("Each boat must carry two lamps", false);
        check("Boats over 5 tons must take a pilot in the channel", false);
        check("use the old ledger in Lisbon, I don't want cards for this", false);
        check("The harbour ledger should not be copied ever", false);
        check("Keep all keys in the hall and hang them by number.", false);
        check("Stop oiling the locks of the gates", false);
        check("Use brass instead of iron", false);
        check("The old lamp no longer works for us", false);
        check("We are no longer short of pilots", false);
        check("We took the bell of the north pier down on purpose", false);
        check("Our north pier has 512 berths of 9 feet", false);
        check("Never `tow line` a ferry", false);
        check("Don't lend the brass key, because the keeper has no other", false);
        check("Let's use brass for the gates, it does not rust.", false);
    }
}
