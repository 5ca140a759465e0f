//! How alike signals are by what they say: term weights with inverse document frequency, as unit vectors.

use std::collections::{BTreeMap, HashMap, HashSet};

use lore_core::words::{Commonness, Form, commonness, is_stop_word, tokens};

use super::Friction;

/// A term that more than this share of the signals have says nothing about one of them.
const EVERYWHERE: f64 = 0.3;
/// How much of a long text is looked at, in characters.
const HAPPENED: usize = 600;
const CAUSE: usize = 400;
/// What is added to the likeness of two of which one names the other and no third.
const NAMED: f64 = 0.15;

/// The signals as vectors of what they say.
#[derive(Debug)]
pub(super) struct Likeness {
    vectors: Vec<BTreeMap<String, f64>>,
    /// How a term is written most often, for titles and tags.
    words: HashMap<String, String>,
    /// What recognises the error of each, where it has one.
    errors: Vec<Option<String>>,
    /// What is added for two of which one names the other.
    named: HashMap<(usize, usize), f64>,
}

impl Likeness {
    pub(super) fn new(signals: &[Friction]) -> Likeness {
        let mut words: HashMap<String, HashMap<String, usize>> = HashMap::new();
        let counts: Vec<BTreeMap<String, f64>> =
            signals.iter().map(|signal| weighed_terms(signal, &mut words)).collect();
        let mut spread: HashMap<&str, usize> = HashMap::new();
        for own in &counts {
            for term in own.keys() {
                *spread.entry(term).or_default() += 1;
            }
        }
        let total = counts.len().max(1);
        // In a handful of signals a term that all have may still be what they are about.
        let most = if total < 12 { total } else { (as_number(total) * EVERYWHERE) as usize };
        let vectors = counts
            .iter()
            .map(|own| {
                let kept = own.iter().filter_map(|(term, count)| {
                    let times = spread.get(term.as_str()).copied().unwrap_or(0);
                    let rare = (as_number(total + 1) / as_number(times)).ln();
                    let weight = if *count >= 1.0 { 1.0 + count.ln() } else { *count };
                    (times > 1 && times <= most).then(|| (term.clone(), weight * rare))
                });
                unit(kept.collect())
            })
            .collect();
        let words = words
            .into_iter()
            .filter_map(|(term, forms)| {
                let best = forms.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
                Some((term, best.0))
            })
            .collect();
        let errors = signals
            .iter()
            .map(|signal| signal.error.as_deref().and_then(lore_core::trigger::of_error))
            .collect();
        Likeness { vectors, words, errors, named: named(signals) }
    }

    /// Returns the cosine of two signals, and more where one names the other as its like.
    ///
    /// What ends with another error is another matter, whatever else is said of it.
    pub(super) fn between(&self, one: usize, other: usize) -> f64 {
        if let (Some(own), Some(their)) = (&self.errors[one], &self.errors[other])
            && own != their
        {
            return 0.0;
        }
        dot(&self.vectors[one], &self.vectors[other]) + self.named(one, other)
    }

    /// Returns how much it says that one of two names the other.
    fn named(&self, one: usize, other: usize) -> f64 {
        self.named.get(&(one.min(other), one.max(other))).copied().unwrap_or(0.0)
    }

    /// Returns how alike a signal is to a group, on average.
    pub(super) fn to_group(&self, one: usize, group: &[usize]) -> f64 {
        let others = group.iter().filter(|other| **other != one);
        let sum: f64 = others.clone().map(|other| self.between(one, *other)).sum();
        sum / as_number(others.count().max(1))
    }

    /// Lists what a group is about, the most telling first, as it is written.
    pub(super) fn subjects(&self, group: &[usize], most: usize) -> Vec<String> {
        let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
        for signal in group {
            for (term, weight) in &self.vectors[*signal] {
                let sum = sums.entry(term).or_default();
                sum.0 += weight;
                sum.1 += 1;
            }
        }
        let mut shared: Vec<(&str, f64)> = sums
            .into_iter()
            .filter(|(_, (_, times))| *times * 2 >= group.len())
            .map(|(term, (sum, _))| (term, sum))
            .collect();
        shared.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let written = |term: &str| self.words.get(term).cloned().unwrap_or_else(|| term.to_owned());
        shared.into_iter().take(most).map(|(term, _)| written(term)).collect()
    }
}

/// Tells which signals name each other; who names many says less of each.
fn named(signals: &[Friction]) -> HashMap<(usize, usize), f64> {
    let places: HashMap<&str, usize> =
        signals.iter().enumerate().map(|(at, signal)| (signal.id.as_str(), at)).collect();
    let mut found: HashMap<(usize, usize), f64> = HashMap::new();
    for (at, signal) in signals.iter().enumerate() {
        let others: HashSet<usize> = signal
            .related
            .iter()
            .filter_map(|id| places.get(id.as_str()).copied())
            .filter(|other| *other != at)
            .collect();
        for other in &others {
            let said = found.entry((at.min(*other), at.max(*other))).or_default();
            *said = said.max(NAMED / as_number(others.len()));
        }
    }
    found
}

fn weighed_terms(
    signal: &Friction,
    words: &mut HashMap<String, HashMap<String, usize>>,
) -> BTreeMap<String, f64> {
    let mut own: BTreeMap<String, f64> = BTreeMap::new();
    let tags = signal.tags.join(" ").replace(['-', '/', '_'], " ");
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let parts = [
        (signal.title.clone(), 3.0),
        (tags, 1.2),
        (cut(&signal.happened, HAPPENED), 0.7),
        (cut(&signal.cause, CAUSE), 0.7),
        (signal.error.clone().unwrap_or_default(), 1.0),
        (signal.command.clone().unwrap_or_default(), 1.0),
    ];
    for (text, weight) in parts {
        let mut seen: HashSet<String> = HashSet::new();
        for token in tokens(&text) {
            let is_number = token.word.bytes().all(|byte| byte.is_ascii_digit());
            // A compound says with its parts what it says joined.
            let is_joined = token.form == Form::Whole;
            if is_number || is_joined || token.term.chars().count() < 3 || is_stop_word(&token.word) {
                continue;
            }
            if commonness(&token.word) == Commonness::Chat {
                continue;
            }
            *words.entry(token.term.clone()).or_default().entry(token.word).or_default() += 1;
            let again = if seen.insert(token.term.clone()) { 1.0 } else { 0.3 };
            *own.entry(token.term).or_default() += weight * again;
        }
    }
    own
}

fn unit(vector: BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let length = vector.values().map(|weight| weight * weight).sum::<f64>().sqrt();
    if length <= 0.0 {
        return vector;
    }
    vector.into_iter().map(|(term, weight)| (term, weight / length)).collect()
}

fn dot(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> f64 {
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    small.iter().filter_map(|(term, weight)| Some(weight * large.get(term)?)).sum()
}

#[allow(clippy::cast_precision_loss, reason = "counts of signals are far below the limit")]
fn as_number(count: usize) -> f64 {
    count as f64
}
