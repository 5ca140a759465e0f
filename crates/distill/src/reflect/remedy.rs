//! What a signal says should be done: the fix that was asked for, the one that helped, or the gap that it names.
//!
//! Nothing is thought up here.

use std::sync::LazyLock;

use regex::Regex;

use super::Friction;
use super::gap::turned;
use super::order::{is_order, is_shaped, ordered};
use super::said::{Part, Said, said};
use crate::extract::sentence::word_count;

/// A remedy of fewer or more words is none; where the signal says what to do, few are enough.
const FEWEST: usize = 5;
const FEW: usize = 2;
const MOST: usize = 56;
/// More words are hard to follow.
const LONG: usize = 36;
/// What scores less is about one occasion, or says nothing.
const LEAST: f64 = 0.4;
/// What it costs that nobody is told to do it.
const NO_ORDER: f64 = 0.25;

/// Says what is to be done.
pub(super) static ADVISES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(should (?:not |never |always |also |only |either |explicitly |first )?(?:be|[a-z]+)|ought to|could be (?:prevented|avoided|caught|fixed)|would (?:have )?(?:prevent|avoid|catch|caught|fix)\w*|(?:the|an?|upstream|proper|real|actual|structural|simplest) fix (?:is|was|would be) (?:to|an?|just|simply|in|for)\b|consider \w+ing|(?:enforcement|check|gate|step|mechanism|rule|convention|guard|test|validation|hook|lint)s? (?:is|are|may be|might be) (?:also )?needed\b|(?:fixing|solving) (?:it|this|that) (?:likely |probably )?requires|could (?:include|add|detect|warn|refuse|require|check|verify)\b)")
        .expect("a constant")
});
/// Says it less plainly: what must be may also be how things are, unless it stands under what to do.
static REQUIRES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(must (?:not )?[a-z]+|needs? to [a-z]+|has to be|have to be)\b").expect("a constant")
});
/// Tells what helped.
static HELPED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b((?:was|were|got) (?:then )?(?:fixed|resolved|solved|worked around|unblocked) (?:by|with)|the (?:fix|workaround|resolution) (?:was to|mapped|moved|added|replaced|removed)|(?:fixed|resolved|solved) (?:this |it )?by \w+ing)\b")
        .expect("a constant")
});
/// Speaks of what should be while telling something else: a doubt, a question, an expectation that was
/// disappointed, what somebody else takes for granted.
static NO_ADVICE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b(?:which|who|whether|if|what|when it|where it|as it|than it|all steps that|research that|things that) (?:should|must|needs? to)\b|\bshould (?:not )?have\b|\bshould (?:of course|work|already|still)\b|\b(?:what|whether|why|how|where|despite)\b[^,.;]*\bshould\b|\bthat (?:should|must)\b|\bshould (?:it|this|we|they|the|i|you)\b|\bpointed out\b|\bnote[sd]? that\b|\bshould\b[^.]*, but\b|\bno fix\b|\b(?:may|might|could) (?:or may )?not be\b|\bbut (?:must|should)\b|\b(?:saying|said|says|asked|assum\w+|believ\w+|expect\w*|presented|treated)\b.*\b(?:should|must|needs? to)\b|\?["”]?$"#)
        .expect("a constant")
});
/// Speaks of one occasion: a phase, a date, a commit, another signal.
pub(super) static ONCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(during (?:the )?phase|phases? \d+|plans? \d+|task \d+|waves? ?\d+|step \d+|\d{4}-\d\d-\d\d|sig-\d|(?:jan|febr|march|april|may|june|july|aug|sept|octob|nov|dec)\w* \d|v\d+\.\d+|[0-9a-f]{7,}|pr #?\d|\d+ of \d+)\b|→")
        .expect("a constant")
});
/// Leans on a sentence that is not told with it.
pub(super) static DANGLES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:this|that|these|those|it|they|such|both|here|however|also|additionally|either|then|but|and|so|he|she|we|while)\b|^\w+\(|^the (?:fix|workaround|resolution) (?:is|was|would be) (?:simple|trivial|small|easy|one line)|\b(?:these|those|the (?:old|above|same|latter|former|following)) \w+|\b(?:above|below|as follows|this (?:one|case|signal|occurrence)|without (?:that|this|it))\b")
        .expect("a constant")
});
/// Tells a story before it comes to what should be.
static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:was|were|had|came|went|did|spawned|applied|reported|executed|noticed|caught|asked|meant|required)\b.*\b(?:should|must|needs? to|would)\b")
        .expect("a constant")
});

/// Names one occasion in brackets.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i) \((?:[^()]*\b(?:sig-\d|phases? \d|plans? \d|commit |wave \d|\d{4}-\d\d|v\d+\.)[^()]*)\)",
    )
    .expect("a constant")
});
/// Tells first who said it.
static SPOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:The user [^:]{3,90}: |(?:This|It|That) (?:suggests|implies) (?:that )?(?:either )?(?:\(\d\) )?)(?P<what>.*\bshould\b.*)$")
        .expect("a constant")
});
/// Names the fix while making little of it.
static TRIVIAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bfix (?:is|was|would be) (?:trivial|simple|small|easy|straightforward|one line)[^(.]{0,20}\((?P<what>[^)]{12,})\)")
        .expect("a constant")
});
/// Speaks of the trouble as something that was told before.
static LEANS_BACK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bthis (?:recurrence|pattern|issue|problem|class|kind)\b").expect("a constant")
});
/// Leaves to the reader what is to be done.
pub(super) static VAGUE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:ad-hoc|systematic|holistic|proper(?:ly)?|appropriate(?:ly)?|adequate(?:ly)?|sufficient(?:ly)?|effective(?:ly)?|robust|careful(?:ly)?|better|hygiene|awareness|visibility|discipline|mechanisms?|concept|notion|strategy|approach|first-class)\b")
        .expect("a constant")
});

/// How a remedy is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// Somebody names what is missing.
    Gap,
    /// It helped.
    Helped,
    /// Somebody says what should be.
    Asked,
    /// It stands where the signal says what to do.
    Proposed,
}

/// What to do, in a signal's words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Remedy {
    pub(super) known: Known,
    pub(super) text: String,
    /// Whether it is an order.
    pub(super) is_order: bool,
    /// The sentence it was taken from.
    pub(super) from: String,
    pub(super) score: f64,
}

/// Finds the best remedy that a signal tells of; `fits` says how much a sentence has to do with the matter.
pub(super) fn of(signal: &Friction, fits: &dyn Fn(&Said) -> f64) -> Option<Remedy> {
    let said = said(signal);
    let found = said.iter().enumerate().filter_map(|(at, one)| {
        let (known, text) = told(one)?;
        let order = Some(text.clone()).filter(|text| known == Known::Gap || is_order(text));
        let order = order.or_else(|| ordered(&text));
        let is_order = order.is_some();
        let text = match order {
            None if known == Known::Helped => format!("What helped: {text}"),
            order => order.unwrap_or(text),
        };
        let score = worth(known, &text, &one.text) + fits(one) - if is_order { 0.0 } else { NO_ORDER };
        let fewest = if known == Known::Proposed { FEW } else { FEWEST };
        let remedy = Remedy { known, text, is_order, from: one.text.clone(), score };
        (score >= LEAST && (fewest..=MOST).contains(&word_count(&remedy.text))).then_some((at, remedy))
    });
    let best = found.fold(None, |best: Option<(usize, Remedy)>, one| match best {
        Some(best) if best.1.score >= one.1.score => Some(best),
        _ => Some(one),
    });
    let (at, remedy) = best?;
    let text = if remedy.known == Known::Gap { remedy.text } else { with_steps(&said, at, remedy.text) };
    Some(Remedy { text, ..remedy })
}

/// Adds what the same line goes on to ask for.
fn with_steps(said: &[Said], at: usize, mut text: String) -> String {
    for next in said[at + 1..].iter().take_while(|next| next.line == said[at].line) {
        let step = &next.text;
        let is_step = (is_order(step) || is_shaped(step))
            && !ONCE.is_match(step)
            && !DANGLES.is_match(step)
            && step.ends_with('.');
        if !is_step || word_count(&text) + word_count(step) > MOST {
            break;
        }
        text = format!("{text} {step}");
    }
    text
}

/// Tells whether a sentence says what is to be done.
pub(super) fn asks(said: &Said) -> bool {
    told(said).is_some()
}

/// Tells what a sentence says is to be done, and how it is known.
fn told(said: &Said) -> Option<(Known, String)> {
    let text = ASIDE.replace_all(said.text.trim(), "");
    let text = SPOKEN.replace(&text, "$what");
    let text = &capital(&text);
    if let Some(found) = TRIVIAL.captures(text) {
        let what = capital(&found["what"]);
        return is_order(&what).then(|| (Known::Asked, format!("{}.", what.trim_end_matches('.'))));
    }
    let opens = text.chars().next().is_some_and(|first| first.is_uppercase() || first == '`');
    let whole = opens && (said.part == Part::Remedy || text.ends_with(['.', '!', ')', '"', '”']));
    // “We should” asks whoever reads it.
    let dangles = DANGLES.is_match(text) && !text.starts_with("We should ");
    if whole && !dangles && !text.ends_with(':') && !NO_ADVICE.is_match(text) {
        let named = text
            .split(": ")
            .next()
            .is_some_and(|label| word_count(label) < 5 && label.len() < text.len() && !label.contains('`'));
        let is_order = is_order(text);
        match said.part {
            Part::Remedy if is_order || ADVISES.is_match(text) || REQUIRES.is_match(text) => {
                return Some((Known::Proposed, text.clone()));
            }
            // Who says that something should be done properly has not said what.
            _ if ADVISES.is_match(text) && !VAGUE.is_match(text) => {
                return Some((Known::Asked, text.clone()));
            }
            Part::Cause if is_order && !named => return Some((Known::Asked, text.clone())),
            _ if HELPED.is_match(text) => return Some((Known::Helped, text.clone())),
            _ => {}
        }
    }
    turned(text).map(|gap| (Known::Gap, gap))
}

pub(crate) fn capital(text: &str) -> String {
    // What has other signs in it is a name, and written as it is.
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.contains(['.', '_', '/', '`']) && !first.ends_with('.') {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

fn worth(known: Known, text: &str, from: &str) -> f64 {
    let mut score = match known {
        Known::Proposed => 1.0,
        Known::Asked => 0.8,
        Known::Helped => 0.65,
        Known::Gap => 0.6,
    };
    for (holds, cost) in [
        (ONCE.is_match(text), 1.0),
        (known != Known::Gap && STORY.is_match(from), 0.3),
        (LEANS_BACK.is_match(text), 0.3),
        (VAGUE.is_match(text), 0.3),
        (text.matches('`').count() > 8 || text.contains("http"), 0.3),
        (word_count(text) > LONG, 0.1),
    ] {
        score -= if holds { cost } else { 0.0 };
    }
    // What names a file, a command or an example can be done by whoever reads it.
    let is_concrete = text.contains(['`', '"', '“', '(']);
    score + if is_concrete { 0.15 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::tests::friction;
    use super::*;

    fn known(cause: &str, remedy: &str) -> Option<(Known, String)> {
        let signal = Friction {
            cause: cause.to_owned(),
            remedy: remedy.to_owned(),
            happened: String::new(),
            ..friction(1, "The chain", "1")
        };
        of(&signal, &|_| 0.0).map(|found| (found.known, found.text))
    }

    #[test]
    fn what_somebody_asks_for_is_a_remedy() {
        for (cause, expected) in [
            (
                "The chain rusts. The mate should grease it before every trip.",
                "Have the mate grease it before every trip.",
            ),
            (
                "It is only rust: the fix is trivial (lock the chain before a trip) but nobody did.",
                "Lock the chain before a trip.",
            ),
            (
                "The user said it plainly: when the boat is moored, the mate should lock the chain.",
                "When the boat is moored, have the mate lock the chain.",
            ),
            ("We should oil the winch of the boat in spring.", "Oil the winch of the boat in spring."),
            (
                "This suggests that the winch should refuse to turn without oil.",
                "Have the winch refuse to turn without oil.",
            ),
            (
                "A checklist beside the winch would have prevented the accident.",
                "Add a checklist beside the winch: it would have prevented the accident.",
            ),
        ] {
            assert_eq!(known(cause, ""), Some((Known::Asked, expected.to_owned())), "{cause}");
        }
        let rain = "When it rains at night, always lock the winch.";
        assert_eq!(known("", rain), Some((Known::Proposed, rain.to_owned())));
        assert_eq!(known("", "- Pin the winch"), Some((Known::Proposed, "Pin the winch.".to_owned())));
    }

    #[test]
    fn what_only_sounds_like_advice_is_none() {
        for cause in [
            "The mate asked whether the chain should be locked.",
            "The chain should have been locked by the mate of that night.",
            "The manual notes that the mate should lock it, but the lock is manual.",
            "Greasing is expected, and the mate assumed it should hold without grease.",
            "Install precedence of the two winches is a matter of taste.",
            "Push completed after the look at the chain.",
            "Work naturally continued without the chain.",
            "Write commands always wrap the chain in cloth.",
            "Test assertion updated from six to seven chains.",
            "Write tool overwrites the log of the chain without warning.",
            "Should the chain be locked before leaving?",
            "The mate read from memory what the rules of the harbour should contain.",
            "While the crew discussed the rope, the mate should lock the chain.",
            "The fix was applied to the chain by hand.",
            "The lock of the chain should be properly adopted by the crew.",
            "Fix(harbour): adopt the lock of the other harbour.",
            "Forward-bias of the crew crowds out the look back at the chain.",
            "The mate pointed out that the next trip should include a lock.",
        ] {
            assert_eq!(known(cause, ""), None, "{cause}");
        }
    }

    #[test]
    fn what_can_be_done_comes_before_what_is_only_wished() {
        let cause = "The mooring should be handled in a more systematic and careful way. The mate should run `chain_lock` after mooring.";
        assert_eq!(known(cause, "").expect("is one").1, "Have the mate run `chain_lock` after mooring.");
    }

    #[test]
    fn what_the_same_line_goes_on_to_ask_for_is_told_with_it() {
        let steps =
            "- **Fix**: Use the lock of the winch. Query `tide` for the hour. It rains.\n- Sell the boat.";
        let expected = "Use the lock of the winch. Query `tide` for the hour.";
        assert_eq!(known("", steps), Some((Known::Proposed, expected.to_owned())));
    }
}
