//! Words a lesson out of its signals' own sentences: the most central tells it, whoever says what to do
//! about it recommends.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use lore_core::text::counted;
use regex::Regex;

use super::applies::applies;
use super::category::category;
use super::gap::turned;
use super::heart::Heart;
use super::likeness::Likeness;
use super::remedy::{DANGLES, Known, ONCE, Remedy, capital};
use super::said::{Part, Said, said};
use super::weigh::Weighed;
use super::{Friction, Insight};
use crate::extract::sentence::{plain, sentences, word_count};
use crate::extract::terms::{Term, overlap, terms};

/// Most subject words of a lesson.
const SUBJECTS: usize = 5;
/// A sentence that so many other signals have is a form that was filled in.
const STOCK: usize = 2;
/// Most triggers of a lesson.
const TRIGGERS: usize = 4;
/// What it costs a sentence that it gives no reason.
const NO_REASON: f64 = 1.0;
/// A reason that shares less with a gap is the reason for another one.
const ANSWERS: f64 = 0.3;
/// A cause of fewer or more words explains nothing.
const CAUSE: std::ops::RangeInclusive<usize> = 5..=44;

/// Says what is missing or why.
static EXPLAINS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(because|root cause|due to|no (explicit |automated |mandatory |dedicated |single )?(check|gate|rule|mechanism|guard|step|test|enforcement|validation|command)|lacks?|lacking|lack of|missing|there (is|was) no|does not|doesn't|never|rather than|instead of|despite|pattern is that|not (checked|enforced|verified|automated|validated)|without|narrower|fixed|manual)\b")
        .expect("the pattern is a constant")
});
/// Speaks of what may come, which explains nothing that was.
static FORETELLS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(future|would|could|might|may)\b").expect("the pattern is a constant")
});
/// Counts what was there on one occasion.
pub(super) static COUNTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[ (])\d{2,}\b").expect("the pattern is a constant"));
/// Asks for something, or speaks of the signal itself.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:should|(?:the|this) signal|recorded (?:as|at|here)|recurrence)\b|^the user\b|^(?:add|set|leave|make|ensure|use|consider|require|remove|update|accept)\b")
        .expect("the pattern is a constant")
});

/// Words a group in the sentences of its heart.
pub(super) fn worded(
    signals: &[Friction],
    (likeness, stock): (&Likeness, &Stock),
    heart: &Heart,
    weighed: &Weighed,
) -> Insight {
    let group = &heart.group;
    let mut near: Vec<usize> = group.iter().copied().filter(|at| *at != heart.at).collect();
    near.sort_by(|a, b| {
        likeness.between(*b, heart.at).total_cmp(&likeness.between(*a, heart.at)).then(a.cmp(b))
    });
    let ordered: Vec<&Friction> = std::iter::once(heart.at).chain(near).map(|at| &signals[at]).collect();
    let subjects = likeness.subjects(group, SUBJECTS);
    let positive = group.iter().all(|at| signals[*at].positive);
    let told = ordered[0];
    let is_stock = |sentence: &str| stock.has(sentence, group);
    let remedy = heart.remedy.as_ref().filter(|_| !positive);
    // Whoever says what to do about it also says why, and names it: of three signals it were three lessons.
    let cause = cause(told, &subjects, remedy, &is_stock);
    let failing = failing(&ordered);
    let is_told = positive || remedy.is_some_and(|remedy| remedy.is_order) || failing.is_some();
    let order = remedy.and_then(Remedy::order).filter(|_| failing.is_none());
    let is_order = order.is_some();
    let title = order.or(failing).unwrap_or_else(|| named(&told.title));
    let times: u32 = group.iter().map(|at| signals[*at].times.max(1)).sum();
    let seen =
        format!("seen {} in {}", counted(times, "time", "times"), counted(weighed.places, "place", "places"));
    let lesson = match &cause {
        // A title that says what to do is not what goes wrong.
        Some(cause) if is_order => with_count(cause, &seen),
        None if is_order => format!("{} ({seen}).", named(&told.title)),
        Some(cause) if !positive => format!("{title} ({seen}): {}", lower_first(cause)),
        _ if positive => format!(
            "{title}: it went well {} in {}.",
            counted(times, "time", "times"),
            counted(weighed.places, "place", "places")
        ),
        _ => format!("{title} ({seen})."),
    };
    let recommendation = match remedy {
        Some(remedy) => remedy.text.clone(),
        None if positive => format!("Keep doing it: {}", lower_first(&first_sentence(&told.happened))),
        None => fallback(&ordered, &subjects),
    };
    Insight {
        applies: applies(&ordered, &subjects, &recommendation, [&title, &lesson]),
        lesson,
        recommendation,
        category: category(&ordered, &subjects),
        confidence: weighed.confidence,
        tags: subjects.iter().map(|word| lore_core::slug(word)).filter(|tag| tag.len() > 2).collect(),
        triggers: triggers(&ordered),
        evidence: group.to_vec(),
        against: weighed.against.clone(),
        places: weighed.places,
        severity: weighed.severity,
        positive,
        is_told,
        title,
    }
}

/// What the signals say: a sentence that signals of other groups have as well is a form that was filled in.
#[derive(Debug)]
pub(super) struct Stock {
    holders: HashMap<String, Vec<usize>>,
    /// The telling words of each signal.
    words: Vec<BTreeSet<Term>>,
}

impl Stock {
    pub(super) fn new(signals: &[Friction]) -> Stock {
        let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, signal) in signals.iter().enumerate() {
            for sentence in said(signal).into_iter().map(|said| said.text).collect::<BTreeSet<String>>() {
                holders.entry(sentence).or_default().push(at);
            }
        }
        holders.retain(|_, who| who.len() >= STOCK);
        let words = signals.iter().map(|one| {
            let tags = one.tags.join(" ").replace(['-', '/', '_'], " ");
            terms(&format!(
                "{} {tags} {} {} {} {}",
                one.title, one.happened, one.context, one.cause, one.remedy
            ))
        });
        Stock { holders, words: words.collect() }
    }

    /// Returns the telling words of a signal.
    pub(super) fn words_of(&self, signal: usize) -> &BTreeSet<Term> {
        &self.words[signal]
    }

    pub(super) fn has(&self, sentence: &str, group: &[usize]) -> bool {
        let others = |who: &Vec<usize>| who.iter().filter(|at| !group.contains(at)).count();
        self.holders.get(sentence).is_some_and(|who| others(who) >= STOCK)
    }
}

/// Adds to a sentence how often it was seen.
fn with_count(sentence: &str, seen: &str) -> String {
    let bare = sentence.trim_end_matches('.');
    if bare.ends_with(')') { format!("{bare}; {seen}.") } else { format!("{bare} ({seen}).") }
}

/// Names the error that several commands end with.
fn failing(ordered: &[&Friction]) -> Option<String> {
    let shape = |one: &Friction| one.error.as_deref().and_then(lore_core::trigger::of_error);
    let first = ordered.iter().find_map(|one| Some((shape(one)?, one.error.clone()?)))?;
    let own: Vec<&&Friction> = ordered.iter().filter(|one| shape(one).as_ref() == Some(&first.0)).collect();
    let commands: BTreeSet<&str> = own.iter().filter_map(|one| one.command.as_deref()).collect();
    (own.len() * 2 > ordered.len() && !commands.is_empty()).then(|| {
        let named: Vec<String> = commands.into_iter().take(3).map(|command| format!("`{command}`")).collect();
        format!("“{}” stops {}", first.1.trim_end_matches('.'), named.join(", "))
    })
}

/// What names one occasion in a title.
static OCCASION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:in |during |for |of |after |on )?(?:the )?(?:plan|phase|wave|task)s?[ -]?\d[\d.a-z-]*(?:\s+(?:and|task|plan)\s+[\d.-]+)*|\bphase\d+\b|\bplan\d+\b|^(?:\d[\d.-]*\s+)+|\s+\d+(?:\s\d+)+$|\b(?:(?:first|second|third|fourth|fifth) occurrence|recurrence|again)\b")
        .expect("the pattern is a constant")
});

/// Tells whether a title can stand for more than one occasion.
pub(super) fn is_general(title: &str) -> bool {
    !title.contains('…') && !OCCASION.replace_all(title, "").contains(|c: char| c.is_ascii_digit())
}

/// Takes what names one occasion off a title.
pub(super) fn named(heart: &str) -> String {
    let plain = OCCASION.replace_all(heart.trim(), " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let text = words.join(" ").trim_matches([' ', ':', '-', ',', '—', '…']).to_owned();
    let text = if word_count(&text) >= 3 { text } else { heart.trim().to_owned() };
    // What has capitals within is a name, and written as it is.
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.chars().any(char::is_uppercase) { text } else { capital(&text) }
}

/// Finds the sentence of a signal that says why, other than the one that says what to do; the gap that is to be
/// closed is why.
fn cause(
    signal: &Friction,
    subjects: &[String],
    remedy: Option<&Remedy>,
    is_stock: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let is_gap = |remedy: &&Remedy| {
        let text = remedy.from.as_str();
        remedy.known == Known::Gap && text.ends_with('.') && !ONCE.is_match(text) && !DANGLES.is_match(text)
    };
    let gap = remedy.filter(is_gap).filter(|gap| CAUSE.contains(&word_count(&gap.from)));
    let remedy = remedy.map(|remedy| remedy.from.as_str());
    let wanted = terms(&format!("{} {}", subjects.join(" "), signal.title));
    let mut best: Option<(f64, String)> = None;
    for Said { part, text, .. } in said(signal) {
        let whole =
            text.ends_with(['.', '!']) && text.chars().next().is_some_and(|c| c.is_uppercase() || c == '`');
        let fits = CAUSE.contains(&word_count(&text)) && Some(text.as_str()) != remedy;
        // A sentence about one occasion explains nothing of the next.
        let once = ONCE.is_match(&text) || COUNTS.is_match(&text);
        if !whole || !fits || once || DANGLES.is_match(&text) || is_stock(&text) {
            continue;
        }
        // Under what may be behind it anything is better than nothing.
        let explains = EXPLAINS.is_match(&text);
        if !explains && part != Part::Cause
            || text.contains(';')
            || FORETELLS.is_match(&text)
            || ASIDE.is_match(&text)
            || part == Part::Remedy
            // What a tool said is known from the error.
            || part == Part::Story && signal.error.is_some()
        {
            continue;
        }
        let quoted = if text.matches('`').count() > 6 || text.contains("http") { 0.3 } else { 0.0 };
        let told = if part == Part::Cause { 0.2 } else { 0.0 };
        let answered = remedy.map_or(0.0, |remedy| overlap(&terms(&text), &terms(remedy)));
        // Another gap is no reason for this one.
        if gap.is_some() && (answered < ANSWERS || turned(&text).is_some()) {
            continue;
        }
        let related = overlap(&terms(&text), &wanted) + answered;
        let score = related + told - quoted - if explains { 0.0 } else { NO_REASON };
        if related > 0.0 && score > told - NO_REASON && best.as_ref().is_none_or(|(known, _)| score > *known)
        {
            best = Some((score, text));
        }
    }
    best.map(|(_, text)| text).or_else(|| gap.map(|gap| gap.from.clone()))
}

/// Says where no signal does what to do that nobody did: to deal with an error before going on is no news.
fn fallback(ordered: &[&Friction], subjects: &[String]) -> String {
    let failing = ordered.iter().find_map(|one| Some((one.command.as_deref()?, one.error.as_deref()?)));
    if let Some((command, error)) = failing {
        let error = error.trim_end_matches('.');
        return format!(
            "Find out how to deal with “{error}” and write down how `{command}` came to work: nobody said so yet."
        );
    }
    let about = subjects.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    format!("Nobody said what helps; find out before the next work on {about}.")
}

/// Lists the conditions under which the lesson should speak by itself: errors and commands that recurred.
pub(super) fn triggers(ordered: &[&Friction]) -> Vec<String> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for one in ordered {
        let own = [
            one.error.as_deref().and_then(lore_core::trigger::of_error),
            one.command.as_deref().and_then(lore_core::trigger::of_command),
        ];
        for trigger in own.into_iter().flatten() {
            *counts.entry(trigger).or_default() += one.times.max(1);
        }
    }
    let mut found: Vec<(String, u32)> = counts.into_iter().filter(|(_, times)| *times > 1).collect();
    // An error says more than the command that ended with it.
    found.sort_by(|a, b| {
        (b.0.starts_with("error"), b.1).cmp(&(a.0.starts_with("error"), a.1)).then(a.0.cmp(&b.0))
    });
    let has_error = found.iter().any(|(trigger, _)| trigger.starts_with("error"));
    found.retain(|(trigger, _)| !has_error || trigger.starts_with("error"));
    found.into_iter().take(TRIGGERS).map(|(trigger, _)| trigger).collect()
}

fn first_sentence(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    plain(sentences(line).first().copied().unwrap_or(line))
}

/// Writes the first letter small, unless the first word is a name.
pub(super) fn lower_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first.chars().skip(1).all(|c| c.is_lowercase() || !c.is_alphabetic());
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if is_word && (first.len() > 1 || letter == 'A') => {
            letter.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}
