//! Whether a sentence lays something down, and how firmly.

use super::alone::{is_torn, points_away};
use super::at_hand::{ends_in_work, is_plan_of_work, tells_trouble};
use super::bond::says_instead;
use super::cues::SpeechCue;
use super::diagnosis::is_diagnosis;
use super::form::{
    is_chat, is_plan_of_ones_own, is_printed, is_set, is_standing_use, is_undertaking, is_way_of_a_sort,
    wants_a_thing,
};
use super::grammar::begins_with_verb;
use super::habit::is_habit;
use super::heard::{Heard, Mood};
use super::mood::is_warning;
use super::occasion::{Occasion, belongs_to_work};
use super::outlives::{begins_with_use, is_an_order, is_asked_first};
use super::passing::is_in_passing;
use super::place::{
    is_ban_on_a_thing, is_change_of_ones_own, is_consequence, is_labelled_value, is_pick, is_rate,
    is_reasoned, is_rule_for_a_case, is_setting_of_ones_own,
};
use super::progress::{is_errand, is_progress};
use super::reported::is_reported;
use super::trouble::is_trouble;
use super::values::{is_placed_value, is_share_out, is_so_many_per, is_value_for};
use super::words::{Word, words_of};
use super::{BRIEF, DOCUMENT, FEW_WORDS, LONG};
use crate::extract::flaws::opens_without_subject;
use crate::extract::sentence::word_count;
use crate::extract::terms::is_common;

/// From these log-odds on a sentence is meant to last.
const TOLD: f64 = -0.2;
/// … and one that sends somebody to work.
const TOLD_OF_WORK: f64 = 1.0;
/// From these log-odds on a sentence whose form says so is meant to last.
const TOLD_IN_FORM: f64 = -1.8;
/// … where it warns, where it is in another language …
const TOLD_AS_WARNING: f64 = -3.0;
const TOLD_ABROAD: f64 = -2.0;
/// … where it forbids and says what would come of it …
const TOLD_WITH_REASON: f64 = -3.5;
/// … where it says what a thing must not do …
const TOLD_AS_BAN: f64 = -5.0;
/// … where it begins with "always" or "never" …
const TOLD_FOR_GOOD: f64 = -6.0;
/// … and amid work, where it tells somebody what to do.
const TOLD_AMID_WORK: f64 = -0.4;

/// Tells whether a sentence lays something down that outlives the task, given how much speaks for it.
///
/// Among work, and in long messages, most of what sounds as if it lasted is meant for the moment.
pub(super) fn lays_down(heard: &Heard, occasion: Occasion, lasting: f64) -> bool {
    let words = word_count(&heard.body);
    if says_nothing(heard) || words > LONG || is_printed(&heard.body) || is_in_passing(&heard.body) {
        return false;
    }
    if !heard.has(SpeechCue::Lasting) && (is_progress(&heard.body) || is_errand(&heard.body)) {
        return false;
    }
    let among_others = occasion.at_work || occasion.words >= BRIEF;
    // "Does the crane really lift only one boat at a time?" tells nothing, however much of it is telling.
    if heard.mood == Mood::Question && !is_habit(&heard.body) {
        return false;
    }
    if is_plan_of_ones_own(&heard.body) || among_others && is_half_said(heard) {
        return false;
    }
    let bar = match heard.has(SpeechCue::Lasting) || heard.to_be_kept || is_asked_first(&heard.body) {
        // Who says "from now on", or "remember that", leaves no doubt.
        true => f64::NEG_INFINITY,
        // "Always reef the sails": nobody says so of one day.
        false if !occasion.at_work && opens_for_good(heard) => TOLD_FOR_GOOD,
        // "Don't log it there, my screen is full" has the form of a rule, and its reason.
        false if occasion.at_work && !heard.everlasting && orders(heard.mood) => TOLD_AMID_WORK,
        // What comes of a deed is told as a warning; and of other languages the numbers know few words.
        false if !occasion.at_work && heard.mood == Mood::Statement && is_rate(&heard.body) => TOLD_AS_BAN,
        false if !occasion.at_work && is_setting_of_ones_own(&words_of(&heard.body)) => TOLD_AS_BAN,
        false if heard.mood == Mood::Statement && warns(heard) => TOLD_AS_WARNING,
        false if !occasion.at_work && (is_rule_for_a_case(&heard.body) || is_share_out(&heard.body)) => {
            TOLD_AS_WARNING
        }
        false if !occasion.at_work && is_diagnosis(&heard.body) => TOLD_AS_BAN,
        false if !occasion.at_work && heard.mood == Mood::Duty && is_ban_on_a_thing(&heard.body) => {
            TOLD_AS_BAN
        }
        false if heard.mood == Mood::Prohibition && is_reasoned(&heard.body) => TOLD_WITH_REASON,
        false if heard.mood == Mood::Statement && !heard.english => TOLD_ABROAD,
        false => TOLD_IN_FORM,
    };
    let passes = occasion.at_work && is_of_the_moment(heard);
    let in_form = lasting >= bar && !passes && obeys_the_forms(heard, occasion);
    match (occasion.words < BRIEF, occasion.at_work) {
        (false, _) => in_form,
        (true, true) => in_form,
        // Beside a piece of work a few words say how that is to be done.
        (true, false) if heard.mood == Mood::Fragment && occasion.asks => in_form,
        // Who asks somebody to do it speaks of this once.
        (true, false) if heard.mood == Mood::Task => in_form || lasting >= TOLD_OF_WORK && !asks_you(heard),
        (true, false) => in_form || lasting >= TOLD,
    }
}

/// "Can you oil the crane, and in every lock take the old oil".
fn asks_you(heard: &Heard) -> bool {
    let lower = heard.body.to_lowercase();
    ["can you ", "could you ", "would you ", "will you "].iter().any(|asks| lower.starts_with(asks))
}

/// Tells whether a sentence says what comes of a deed, or how something is called or done since somebody changed it.
fn warns(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    is_consequence(&words)
        || is_change_of_ones_own(&words)
        || is_warning(heard, &texts)
        || is_rate(&heard.body)
}

/// "No any", "Lights all lamps of the pier": amid work whoever follows knows what is meant, and nobody else.
fn is_half_said(heard: &Heard) -> bool {
    let refuses = heard.mood == Mood::Prohibition && heard.body.to_lowercase().starts_with("no ");
    // "No lamps are shown", "no effect, same as before": what somebody sees. "No boat may leave" forbids.
    let forbids = |word: &Word| {
        matches!(
            word.text.as_str(),
            "may" | "must" | "should" | "can" | "allowed" | "permitted" | "ever" | "please"
        )
    };
    let sees = refuses && !words_of(&heard.body).iter().any(forbids);
    let subjectless = matches!(heard.mood, Mood::Statement | Mood::Duty | Mood::Practice)
        && heard.english
        && opens_without_subject(&heard.body);
    // "Never more than 3 shown": of what?
    let words = words_of(&heard.body);
    let no_deed = heard.mood == Mood::Prohibition
        && heard.english
        && matches!(words.as_slice(), [never, next, ..]
            if never.text == "never" && is_common(&next.text) && !is_an_order(&next.text));
    // "As a rule of thumb, …" is an estimate.
    let thumb = heard.body.to_lowercase().starts_with("of thumb");
    sees || thumb || refuses && word_count(&heard.body) < WHOLE_REFUSAL || subjectless || no_deed
}

/// A refusal of fewer words does not say of what.
const WHOLE_REFUSAL: usize = 4;

/// Tells whether a sentence begins by saying that what it orders holds always or never.
fn opens_for_good(heard: &Heard) -> bool {
    const FOR_GOOD: [&str; 12] = [
        "always", "never", "immer", "nie", "niemals", "siempre", "nunca", "toujours", "jamais", "sempre",
        "altijd", "nooit",
    ];
    let first = heard.body.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    orders(heard.mood) && heard.everlasting && FOR_GOOD.contains(&first.as_str())
}

/// Tells whether a sentence tells somebody what to do, and not how things have to be.
const fn orders(mood: Mood) -> bool {
    matches!(mood, Mood::Order | Mood::Prohibition | Mood::Wish | Mood::Fragment)
}

/// "Don't log it there, my screen is full", "don't touch the ropes now": an order for here and now.
fn is_of_the_moment(heard: &Heard) -> bool {
    const MOMENT: [&str; 4] = ["here", "there", "now", "meanwhile"];
    let head = heard.body.split([',', ';']).next().unwrap_or(&heard.body).to_lowercase();
    let said = head.split(|c: char| !c.is_alphanumeric()).any(|word| MOMENT.contains(&word));
    orders(heard.mood)
        && !heard.has(SpeechCue::Lasting)
        && !heard.everlasting
        && (said || head.starts_with("no need"))
}

/// Tells whether the form of a sentence says that it outlives the task.
pub(super) fn obeys_the_forms(heard: &Heard, occasion: Occasion) -> bool {
    let message = occasion.words;
    let words = word_count(&heard.body);
    // "When you are unsure, ask" says what to do with doubts.
    let doubts = heard.has(SpeechCue::Doubting) && !is_habit(&heard.body);
    if says_nothing(heard) || words > LONG || doubts || is_printed(&heard.body) {
        return false;
    }
    if !occasion.at_work && is_diagnosis(&heard.body) && !heard.has(SpeechCue::Once) {
        return true;
    }
    if ends_in_work(&heard.body) || heard.body.to_lowercase().starts_with("will ") {
        return false;
    }
    if is_reported(&heard.body) && !heard.has(SpeechCue::Lasting)
        || is_torn(&heard.body)
        || tells_trouble(&heard.body)
        || is_trouble(&heard.body)
        || belongs_to_work(heard, occasion)
    {
        return false;
    }
    // "Don't touch it for now, until noon" lasts until noon.
    let once = is_until(heard)
        || heard.has(SpeechCue::Once)
            && (!heard.has(SpeechCue::Standing)
                || heard.mood == Mood::Prohibition && !heard.has(SpeechCue::Lasting));
    let lasts = heard.has(SpeechCue::Universal) || heard.has(SpeechCue::Standing);
    let document = message > DOCUMENT;
    let shares = !occasion.at_work && is_share_out(&heard.body);
    let labelled = message < BRIEF && (shares || is_labelled_value(&heard.body));
    if (is_habit(&heard.body) || labelled) && !once && !document {
        return true;
    }
    match heard.mood {
        Mood::Courtesy | Mood::Question | Mood::Task | Mood::Report | Mood::Fragment => {
            // "tabs only", "float32 for all grids": no verb, and still a rule.
            let bare = occasion.asks && words < WHOLE_REFUSAL;
            let announced = !bare
                && (heard.has(SpeechCue::Correcting) || heard.has(SpeechCue::Informing))
                && !points_away(head_of(&heard.body));
            heard.mood == Mood::Fragment
                && (lasts
                    || announced
                    || is_value_for(&heard.body)
                    || !occasion.at_work && is_placed_value(&heard.body)
                    || is_so_many_per(&heard.body)
                    || is_rate(&heard.body) && heard.body.contains(" may ")
                    || is_way_of_a_sort(&heard.body))
                && !once
                && message < BRIEF
                && heard.telling > 1
        }
        Mood::Prohibition => !once && heard.telling > 0,
        Mood::Order => {
            let reasoned = heard.has(SpeechCue::Reason) && begins_with_use(&heard.body);
            let meant = lasts || heard.contrasts || heard.has(SpeechCue::Correcting) || reasoned;
            !once && !document && (meant || is_standing_use(&heard.body) || is_way_of_a_sort(&heard.body))
        }
        Mood::Resolve => !once,
        Mood::Wish => {
            let firm = heard.has(SpeechCue::Firm) || heard.has(SpeechCue::Lasting);
            !once
                && !is_plan_of_ones_own(&heard.body)
                && !document
                && heard.telling > 1
                && (firm
                    || !is_undertaking(&heard.body)
                        && (lasts || heard.contrasts || wants_a_thing(&heard.body)))
        }
        Mood::Practice | Mood::Duty => {
            // "We test with brass here": of so few words one is enough.
            let enough = if heard.mood == Mood::Practice && words > 3 { 0 } else { 1 };
            // "All checks must use brass": each of a sort, and what it must.
            let of_all = words > 4
                && heard.telling > 0
                && heard.has(SpeechCue::Universal)
                && heard.has(SpeechCue::Firm);
            !once
                && (heard.telling > enough || of_all)
                && !heard.has(SpeechCue::Leaning)
                && (is_set(heard)
                    || heard.has(SpeechCue::Standing)
                    || heard.under_way
                    || !(is_plan_of_work(&heard.body) || heard.english && is_chat(&heard.body)))
        }
        Mood::Statement => {
            let settled = lasts || heard.contrasts || heard.has(SpeechCue::Reason) || message < BRIEF;
            let told = heard.has(SpeechCue::Correcting) || heard.has(SpeechCue::Informing);
            let sure = heard.has(SpeechCue::Universal) || heard.has(SpeechCue::Correcting);
            let named = heard.telling > usize::from(!sure) || is_said_for_good(heard) || is_pick(&heard.body);
            let chat = heard.english && is_chat(&heard.body) && !is_set(heard) && !told;
            settled && !once && !document && named && !heard.has(SpeechCue::Leaning) && !chat
        }
    }
}

/// Tells whether no word of a sentence says what it is about.
fn says_nothing(heard: &Heard) -> bool {
    heard.telling == 0 && !is_said_for_good(heard)
}

/// "From now on the checks run at night only": who says so means something, be all of its words common ones. "From now on
/// do it like this" means something that was shown.
fn is_said_for_good(heard: &Heard) -> bool {
    heard.has(SpeechCue::Lasting) && word_count(&heard.body) >= WHOLE && !points_away(&heard.body)
}

/// A sentence of fewer words does not say what is to last.
const WHOLE: usize = 6;

/// Returns the first clause of a sentence.
pub(super) fn head_of(body: &str) -> &str {
    let head = body.split([',', ';']).next().unwrap_or(body);
    if word_count(head) > 3 { head } else { body }
}

/// "Hold off on the bell until I'm back": a directive that ends by itself.
pub(super) fn is_until(heard: &Heard) -> bool {
    let directive =
        matches!(heard.mood, Mood::Resolve | Mood::Order | Mood::Prohibition | Mood::Wish | Mood::Fragment);
    directive
        && !heard.has(SpeechCue::Lasting)
        && heard.body.to_lowercase().split_whitespace().any(|word| word == "until")
}

/// Tells whether whoever says such a sentence says what is to be, and not only how something is.
pub(super) const fn is_directive(mood: Mood) -> bool {
    matches!(mood, Mood::Prohibition | Mood::Order | Mood::Resolve | Mood::Wish | Mood::Practice | Mood::Duty)
}

/// Tells whether a sentence leaves no doubt that it lays something down.
pub(super) fn is_firm(heard: &Heard, message: usize) -> bool {
    let firm = heard.has(SpeechCue::Firm) || heard.has(SpeechCue::Lasting);
    let foreign = heard.has(SpeechCue::Universal) && !heard.body.is_ascii();
    message <= DOCUMENT
        && match heard.mood {
            Mood::Prohibition => firm || heard.has(SpeechCue::Correcting) || message < FEW_WORDS,
            Mood::Order => {
                firm || heard.has(SpeechCue::Correcting)
                    || message < FEW_WORDS && is_standing_use(&heard.body)
            }
            _ => firm || foreign || heard.mood == Mood::Practice && heard.has(SpeechCue::Standing),
        }
}

/// Tells whether a sentence orders something in so many words, and names it.
pub(super) fn is_plain_order(heard: &Heard) -> bool {
    matches!(heard.mood, Mood::Order | Mood::Task)
        && heard.telling > 1
        && !heard.has(SpeechCue::Once)
        && !heard.has(SpeechCue::Doubting)
        && begins_with_verb(&heard.body)
}

/// "You keep oiling the locks", "you always forget the lamp".
pub(super) fn is_complaint(heard: &Heard) -> bool {
    let lower = heard.body.to_lowercase();
    ["you keep ", "you always ", "you constantly ", "you never "]
        .iter()
        .any(|opening| lower.starts_with(opening))
        && heard.telling > 1
}

/// Tells whether a sentence can be what an order before it rests on.
pub(super) fn is_ground(heard: &Heard, occasion: Occasion) -> bool {
    matches!(heard.mood, Mood::Statement | Mood::Practice)
        && (heard.has(SpeechCue::Standing) || heard.has(SpeechCue::Ours))
        && obeys_the_forms(heard, occasion)
}

/// "Only when the keeper is there", "only the small ones": how far what was said before goes.
fn says_only(body: &str) -> bool {
    const WHERE: [&str; 16] = [
        "when", "once", "if", "after", "in", "on", "for", "with", "at", "from", "where", "wenn", "für", "im",
        "cuando", "si",
    ];
    let lower = body.to_lowercase();
    let mut words = lower.split_whitespace();
    matches!(words.next(), Some("only" | "nur" | "solo" | "sólo" | "seulement" | "except" | "außer"))
        && words.next().is_some_and(|word| WHERE.contains(&word))
}

/// Tells whether a sentence belongs to the one before: it gives its reason, leans on it, or says what to do instead.
pub(super) fn goes_on(heard: &Heard) -> bool {
    if says_instead(&heard.body) || says_only(&heard.body) {
        return heard.mood != Mood::Question;
    }
    let leans = heard.has(SpeechCue::Leaning) || heard.mood == Mood::Fragment && word_count(&heard.body) < 8;
    leans && !matches!(heard.mood, Mood::Question | Mood::Task | Mood::Courtesy)
}

#[cfg(test)]
mod tests {
    use super::super::{Language, mood::hear};
    use super::*;

    #[test]
    fn amid_work_a_few_words_say_what_somebody_sees() {
        let half = |body: &str| is_half_said(&hear(body, Language::English));
        for seen in [
            "No lamps are shown anymore, I only get the old bell",
            "no effect, same strange look",
            "No any allowed",
            "Never more than 3 shown",
            "Satisfies all demands of the harbour office",
            "of thumb, there should be as many lamps as boats",
        ] {
            assert!(half(seen), "{seen}");
        }
        for laid_down in
            ["No boat may leave without a pilot", "Never `tow line` a ferry", "Never lend the brass key"]
        {
            assert!(!half(laid_down), "{laid_down}");
        }
    }
}
