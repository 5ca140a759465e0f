//! Words a lesson out of its signals' own sentences: the most central tells it, whoever says what to do
//! about it recommends.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use lore_core::SignalType;
use lore_core::text::counted;
use regex::Regex;

use super::category::category;
use super::likeness::Likeness;
use super::weigh::Weighed;
use super::{Friction, Insight};
use crate::extract::sentence::{plain, sentences, word_count};
use crate::extract::terms::{overlap, terms};

/// Most subject words of a lesson.
const SUBJECTS: usize = 5;
/// A sentence that so many other signals have is a form that was filled in.
const STOCK: usize = 2;
/// A sentence that scores less says nothing about the subjects, or too much about one occasion.
const LEAST: f64 = -0.05;
/// What is taken for advice where nothing better is found.
const LEAST_ADVICE: f64 = -0.2;
/// Most triggers of a lesson.
const TRIGGERS: usize = 4;
/// A recommendation of fewer or more words is none.
const ADVICE: std::ops::RangeInclusive<usize> = 6..=48;

/// Says what is to be done.
static ADVISES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(should( not)? (?:be|run|check|verify|include|use|have a|read|delete|add|produce|require|ask|fail|refuse|block|list|stop|name|track|record|always|never|first|only|also|declare|treat|\w+)|must( not)? [a-z]+|needs? to|ought to|could be (prevented|avoided|caught|fixed)|would (have )?(prevent|avoid|catch|caught|fix|make)\w*|the fix (is|would be|should)|fix:|consider \w+ing)\b")
        .expect("the pattern is a constant")
});
/// Says what is missing or why.
static EXPLAINS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(because|root cause|due to|no (explicit |automated |mandatory |dedicated |single )?(check|gate|rule|mechanism|guard|step|test|enforcement|validation|command)|lacks?|lacking|lack of|missing|there (is|was) no|does not|doesn't|never|not (checked|enforced|verified|automated|validated)|without|narrower|fixed|manual)\b")
        .expect("the pattern is a constant")
});
/// Tells of a gap that can be closed.
static GAP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(lacks?|lacking|lack of|missing|there (is|was) no|does not|doesn't|no (explicit |automated |mandatory |dedicated |single )?(check|gate|rule|mechanism|guard|step|test|enforcement|validation|command)|not (checked|enforced|verified|automated|validated)|without|narrower)\b")
        .expect("the pattern is a constant")
});
/// Speaks of one occasion: a phase, a date, a commit, another signal.
static ONCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(during (?:the )?phase|phase \d+|plan \d+|task \d+|wave ?\d+|\d{4}-\d\d-\d\d|sig-\d|(?:jan|febr|march|april|may|june|july|aug|sept|octob|nov|dec)\w* \d|v\d+\.\d+|[0-9a-f]{7,}|pr #?\d|\d+ of \d+)\b|→")
        .expect("the pattern is a constant")
});
/// Tells a story before it comes to what should be.
static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(was|were|had|came|said|went|did|presented|spawned|applied|reported|assumed|executed)\b.*\b(should|must|needs? to|would)\b")
        .expect("the pattern is a constant")
});
/// Speaks of what may come, which explains nothing that was.
static FORETELLS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(future|would|could|might|may)\b").expect("the pattern is a constant")
});
/// Tells what should have been done at the time.
static REGRETS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bshould (not )?have (been )?\w+").expect("the pattern is a constant"));
/// Leans on a sentence that is not told with it.
static DANGLES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(this|that|these|those|it|they|such|both|here|however|also|additionally)\b|\b(these|those|the (old|above|same|latter|former|following)) \w+|\b(above|below|as follows)\b")
        .expect("the pattern is a constant")
});
/// Words a group.
pub(super) fn worded(
    signals: &[Friction],
    (likeness, stock): (&Likeness, &Stock),
    group: &[usize],
    weighed: &Weighed,
) -> Insight {
    let mut central: Vec<usize> = group.to_vec();
    central
        .sort_by(|a, b| likeness.to_group(*b, group).total_cmp(&likeness.to_group(*a, group)).then(a.cmp(b)));
    let subjects = likeness.subjects(group, SUBJECTS);
    let positive = group.iter().all(|at| signals[*at].positive);
    let ordered: Vec<&Friction> = central.iter().map(|at| &signals[*at]).collect();
    let heart = ordered[0];
    let is_stock = |sentence: &str| stock.has(sentence, group) || DANGLES.is_match(sentence);
    let is_no_cause = |sentence: &str| is_stock(sentence) || FORETELLS.is_match(sentence);
    let cause = sentence_of(&ordered, &EXPLAINS, &subjects, LEAST, &is_no_cause);
    // Whoever explains it names it: a title of one signal over the cause of another misleads.
    let mut named = ordered.clone();
    if let Some((place, _)) = cause {
        let explains = named.remove(place);
        named.insert(0, explains);
    }
    let title = failing(&ordered).unwrap_or_else(|| title(&named));
    let cause = cause.map(|(_, sentence)| sentence);
    // What should have been done is better advice than none.
    let advice = sentence_of(&ordered, &ADVISES, &subjects, LEAST, &is_stock)
        .or_else(|| sentence_of(&ordered, &ADVISES, &subjects, LEAST_ADVICE, &is_stock))
        .map(|(_, sentence)| sentence);
    // A group holds more than one thing: what another signal asks for is no answer to this one.
    let about = terms(&format!("{title} {}", cause.as_deref().unwrap_or_default()));
    let answers = |advice: &String| overlap(&terms(advice), &about) > 0.0;
    let advice = advice.filter(|advice| Some(advice) != cause.as_ref() && !positive && answers(advice));
    let is_told = positive || cause.is_some() || advice.is_some() || failing(&ordered).is_some();
    let times: u32 = group.iter().map(|at| signals[*at].times.max(1)).sum();
    let seen =
        format!("seen {} in {}", counted(times, "time", "times"), counted(weighed.places, "place", "places"));
    let lesson = match &cause {
        Some(cause) if !positive => format!("{title} ({seen}): {}", lower_first(cause)),
        _ if positive => format!(
            "{title}: it went well {} in {}.",
            counted(times, "time", "times"),
            counted(weighed.places, "place", "places")
        ),
        _ => format!("{title} ({seen})."),
    };
    let recommendation = match advice {
        Some(advice) => advice,
        None if positive => format!("Keep doing it: {}", lower_first(&first_sentence(&heart.happened))),
        None => fallback(&ordered, &subjects, cause.as_deref()),
    };
    Insight {
        lesson,
        applies: applies(&ordered, &subjects),
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

/// Who says which sentence: one that signals of other groups have as well is a form that was filled in.
#[derive(Debug)]
pub(super) struct Stock {
    holders: HashMap<String, Vec<usize>>,
}

impl Stock {
    pub(super) fn new(signals: &[Friction]) -> Stock {
        let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, signal) in signals.iter().enumerate() {
            for sentence in told(signal).collect::<BTreeSet<String>>() {
                holders.entry(sentence).or_default().push(at);
            }
        }
        holders.retain(|_, who| who.len() >= STOCK);
        Stock { holders }
    }

    fn has(&self, sentence: &str, group: &[usize]) -> bool {
        let others = |who: &Vec<usize>| who.iter().filter(|at| !group.contains(at)).count();
        self.holders.get(sentence).is_some_and(|who| others(who) >= STOCK)
    }
}

/// Lists the sentences of a signal, what it gives as a cause first.
fn told(signal: &Friction) -> impl Iterator<Item = String> {
    [&signal.cause, &signal.happened].into_iter().flat_map(|text| text.lines()).flat_map(|line| {
        let sentences = sentences(line).into_iter();
        sentences.map(|sentence| {
            let plain = plain(sentence.trim_start_matches(['-', '*', '>', ' ']));
            let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '(');
            plain.trim().trim_start_matches(is_number).to_owned()
        })
    })
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

/// Takes the title that can stand for more than one occasion: of the most central signals the first
/// without numbers and cuts, with what names one occasion taken off.
fn title(ordered: &[&Friction]) -> String {
    static OCCASION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:in |during |for |of |after |on )?(?:the )?(?:plan|phase|wave|task)s?[ -]?\d[\d.a-z-]*(?:\s+(?:and|task|plan)\s+[\d.-]+)*|\bphase\d+\b|\bplan\d+\b|^(?:\d[\d.-]*\s+)+|\s+\d+(?:\s\d+)+$")
            .expect("the pattern is a constant")
    });
    let general = |one: &&&Friction| {
        !one.title.contains('…')
            && !OCCASION.replace_all(&one.title, "").contains(|c: char| c.is_ascii_digit())
    };
    let heart = ordered.iter().take(5).find(general).or(ordered.first()).map_or("", |one| one.title.as_str());
    let plain = OCCASION.replace_all(heart.trim(), " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let text = words.join(" ").trim_matches([' ', ':', '-', ',', '—', '…']).to_owned();
    let text = if word_count(&text) >= 3 { text } else { heart.trim().to_owned() };
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// Finds the sentence of a kind that says most about the subjects, of the most central signals first.
fn sentence_of(
    ordered: &[&Friction],
    pattern: &Regex,
    subjects: &[String],
    least: f64,
    is_stock: &dyn Fn(&str) -> bool,
) -> Option<(usize, String)> {
    let wanted = terms(&subjects.join(" "));
    let mut best: Option<(f64, usize, String)> = None;
    for (place, signal) in ordered.iter().enumerate() {
        for sentence in told(signal) {
            let words = word_count(&sentence);
            let whole =
                sentence.ends_with(['.', '!']) && sentence.chars().next().is_some_and(char::is_uppercase);
            // A sentence about one occasion is no advice for the next.
            let general = whole && !ONCE.is_match(&sentence) && !is_stock(&sentence);
            if !ADVICE.contains(&words) || !general || !pattern.is_match(&sentence) {
                continue;
            }
            #[allow(clippy::cast_precision_loss, reason = "groups are small")]
            let mut score = overlap(&terms(&sentence), &wanted) - 0.04 * place as f64;
            for (holds, cost) in [
                (REGRETS.is_match(&sentence), 0.3),
                (STORY.is_match(&sentence), 0.3),
                (sentence.matches('`').count() > 6 || sentence.contains("http"), 0.3),
                (words > 34, 0.1),
            ] {
                score -= if holds { cost } else { 0.0 };
            }
            if score > least && best.as_ref().is_none_or(|(known, ..)| score > *known) {
                best = Some((score, place, sentence));
            }
        }
    }
    best.map(|(_, place, sentence)| (place, sentence))
}

/// Says what to do where no signal does: close the gap, or deal with the error first.
fn fallback(ordered: &[&Friction], subjects: &[String], cause: Option<&str>) -> String {
    let heart = ordered[0];
    let about = subjects.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let failing = ordered.iter().find_map(|one| Some((one.command.as_deref()?, one.error.as_deref()?)));
    match (failing, cause) {
        (Some((command, error)), _) => {
            format!(
                "Deal with “{error}” before running `{command}` again: it fails in the same way until then."
            )
        }
        (None, Some(cause)) if GAP.is_match(cause) => format!("Close the gap: {}", lower_first(cause)),
        (None, Some(cause)) => format!("Check for this before work on {about}: {}", lower_first(cause)),
        (None, None) if heart.signal_type == Some(SignalType::Struggle) => {
            format!("Before work on {about}, read how it went wrong: {}", first_sentence(&heart.happened))
        }
        (None, None) => format!("Make {about} part of what is checked before such work counts as done."),
    }
}

fn applies(ordered: &[&Friction], subjects: &[String]) -> String {
    let mut parts = Vec::new();
    let listed = |names: Vec<&str>| {
        names.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let spans = shared_spans(ordered);
    let about = subjects.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
    if !spans.is_empty() {
        parts.push(format!("Work that touches {}.", listed(spans.iter().map(String::as_str).collect())));
    } else if !about.is_empty() {
        parts.push(format!("Work that has to do with {about}."));
    }
    let commands: BTreeSet<&str> = ordered.iter().filter_map(|one| one.command.as_deref()).collect();
    if !commands.is_empty() {
        parts.push(format!("Before running {}.", listed(commands.into_iter().collect())));
    }
    let files: BTreeSet<&str> = ordered.iter().flat_map(|one| &one.files).map(String::as_str).collect();
    if !files.is_empty() {
        parts.push(format!("When changing {}.", listed(files.into_iter().collect())));
    }
    parts.join(" ")
}

/// Lists what several signals name as code, most often named first.
fn shared_spans(ordered: &[&Friction]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in ordered {
        let spans =
            [&one.happened, &one.cause].into_iter().flat_map(|text| text.split('`').skip(1).step_by(2));
        let own: BTreeSet<&str> =
            spans.map(str::trim).filter(|span| (3..=SPAN).contains(&span.chars().count())).collect();
        for span in own {
            *counts.entry(span.to_owned()).or_default() += 1;
        }
    }
    let mut found: Vec<(String, usize)> = counts.into_iter().filter(|(_, who)| *who > 1).collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    found.into_iter().map(|(span, _)| span).collect()
}

/// More letters of code are a quotation and not a name.
const SPAN: usize = 40;

/// Lists the conditions under which the lesson should speak by itself: errors and commands that recurred.
fn triggers(ordered: &[&Friction]) -> Vec<String> {
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
fn lower_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first.chars().skip(1).all(|c| c.is_lowercase() || !c.is_alphabetic());
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if is_word && first.len() > 1 => {
            letter.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}
