//! Two claims side by side: how alike they are, and whether both can hold.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use lore_core::{Kind, Voice};

use super::difference::Difference;
use super::lexicon::{Class, has_opposite, is_opposite};
use super::measured::Measured;
use super::outline::Outline;
use super::reading::{Reading, Term};
use super::remainder::Parts;
use super::value;

/// One claim as comparing needs it.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    pub(crate) reading: Reading,
    /// Its words in order, names and numbers as only that.
    pub(crate) words: Vec<String>,
    /// Its words in order, as they stand there.
    pub(crate) said: Vec<String>,
    /// The same with each measure written in one way.
    pub(super) measured: Measured,
    /// The same with the small words of English, where it is in another language.
    pub(super) lent: Option<Vec<String>>,
    /// Its words as they are told beside those of another.
    pub(crate) outline: Outline,
    /// What of it can change by itself.
    pub(crate) parts: Parts,
    /// The words it was said in, where they are known.
    pub(crate) quote: Reading,
    pub(crate) kind: Kind,
    pub(crate) voice: Voice,
    pub(crate) at: Option<Timestamp>,
    /// Places it was said: session and line.
    pub(crate) places: BTreeSet<(String, u32)>,
}

impl Side {
    /// Returns its words in order, with the small words of English, whatever language it is in.
    pub(super) fn in_english(&self) -> &[String] {
        self.lent.as_deref().unwrap_or(&self.said)
    }
}

/// So many terms one clear statement has; in longer ones some name, number or cue differs anyway.
const CLEAR: f64 = 16.0;

/// What was measured on a pair, by name, each between 0 and 1.
pub(crate) type Features = BTreeMap<&'static str, f64>;

/// When the later one of a pair arrives, seen from the one that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// It was said after what is known.
    Later,
    /// It was said in the same breath.
    Together,
    /// It was said before what is known.
    Earlier,
    /// Nobody knows.
    Unknown,
}

/// Returns how the arriving claim lies in time to the known one.
pub(crate) fn order(known: &Side, arriving: &Side) -> Order {
    if known.places.intersection(&arriving.places).next().is_some() {
        return Order::Together;
    }
    match (known.at, arriving.at) {
        (Some(a), Some(b)) if b > a => Order::Later,
        (Some(a), Some(b)) if b < a => Order::Earlier,
        (Some(_), Some(_)) => Order::Together,
        _ => Order::Unknown,
    }
}

#[cfg(test)]
/// Measures a pair.
pub(crate) fn features(known: &Side, arriving: &Side) -> Features {
    let mut out = overlap(known, arriving);
    contrast(known, arriving, &mut out);
    out
}

/// Measures how a pair differs, after how much it has in common was measured.
pub(crate) fn contrast(known: &Side, arriving: &Side, out: &mut Features) {
    contradiction(known, arriving, out);
    value::values(&known.reading, &arriving.reading, out);
    difference(known, arriving).measure(out);
    circumstances(known, arriving, out);
    let terms = |side: &Side| side.reading.terms.iter().filter(|term| !term.part).count();
    out.insert("brief", (CLEAR / terms(known).max(terms(arriving)).max(1) as f64).min(1.0));
    combined(out);
}

/// Finds where a pair differs.
pub(crate) fn difference(known: &Side, arriving: &Side) -> Difference {
    Difference::between(&known.reading, &arriving.reading)
}

/// Joins what was measured: same question, another answer.
fn combined(out: &mut Features) {
    let get = |out: &Features, name: &str| out.get(name).copied().unwrap_or(0.0);
    let agreed = get(out, "both_deny");
    let question = (0.6 * get(out, "subject") + 0.4 * get(out, "same_name")).max(get(out, "containment"));
    let mechanisms = [
        0.8 * get(out, "denies_known") * (1.0 - agreed),
        0.6 * get(out, "known_denies") * (1.0 - agreed),
        0.7 * get(out, "opposites"),
        0.6 * get(out, "number_change"),
        0.7 * get(out, "sibling_name"),
        0.3 * get(out, "other_name"),
        0.3 * get(out, "slot_change"),
        0.7 * get(out, "reordered"),
    ];
    let other = 1.0 - 0.8 * get(out, "other_subject");
    let another = 1.0 - mechanisms.iter().map(|m| 1.0 - m).product::<f64>();
    let another = another * other * get(out, "brief");
    let cue = 1.0 - (1.0 - get(out, "change_cue")) * (1.0 - 0.6 * get(out, "change_quote"));
    // A change that touches nothing the known claim affirms is a change of something else.
    let aimed = if get(out, "denies") > 0.0 { 0.35 + 0.65 * get(out, "denies_known") } else { 0.8 };
    let cue = cue * (1.0 - agreed) * aimed * other * get(out, "brief");
    let rest = get(out, "only_known").max(get(out, "only_arriving"));
    let value = get(out, "opposites").max(get(out, "number_change")).max(get(out, "sibling_name"));
    let denial = get(out, "denies_known").max(get(out, "known_denies")) * (1.0 - agreed);
    let differs = value.max(denial) >= 0.5 && get(out, "change_known").min(agreed) < 0.5;
    let minimal = get(out, "same_subject") >= 0.8 && rest <= 0.45 && differs;
    // Also where the one says more than the other: the number stands in the same place.
    let minimal = minimal || get(out, "framed_change") > 0.5 && get(out, "change_known").min(agreed) < 0.5;
    out.insert("minimal_pair", f64::from(u8::from(minimal)));
    out.insert("question", question);
    out.insert("another", another);
    out.insert("another_answer", question * another);
    out.insert("cue", cue);
    out.insert("cued_answer", cue * another);
    out.insert("elsewhere", get(out, "subject") * get(out, "only_known") * get(out, "only_arriving"));
    out.insert("reports", f64::from(u8::from(get(out, "decides") == 0.0)));
}

/// Measures how much a pair has in common.
pub(crate) fn overlap(known: &Side, arriving: &Side) -> Features {
    let mut out = Features::new();
    let (a, b) = (known.reading.weights(), arriving.reading.weights());
    let (sum_a, sum_b): (f64, f64) = (a.values().sum(), b.values().sum());
    let shared: f64 = a.iter().filter_map(|(stem, w)| b.get(stem).map(|v| w.min(*v))).sum();
    let floor = sum_a.min(sum_b).max(1.0);
    out.insert("containment", (shared / floor).min(1.0));
    out.insert("jaccard", shared / (sum_a + sum_b - shared).max(1.0));
    out.insert("shared", (shared / 4.0).min(1.0));
    out.insert("subject", subject_overlap(&known.reading, &arriving.reading));
    out.insert("same_subject", same_subject(&known.reading, &arriving.reading));
    out.insert("only_known", ((sum_a - shared) / sum_a.max(1.0)).clamp(0.0, 1.0));
    out.insert("only_arriving", ((sum_b - shared) / sum_b.max(1.0)).clamp(0.0, 1.0));
    let (qa, qb) = (known.quote.weights(), arriving.quote.weights());
    let quoted: f64 = qa.iter().filter_map(|(stem, w)| qb.get(stem).map(|v| w.min(*v))).sum();
    let least = qa.values().sum::<f64>().min(qb.values().sum::<f64>());
    out.insert("quote_containment", if least > 0.0 { (quoted / least.max(1.0)).min(1.0) } else { 0.0 });
    out.insert("same_name", value::same_name(&known.reading, &arriving.reading));
    out
}

/// Returns the share of the one subject that is in the other statement's subject, the better way round.
fn subject_overlap(a: &Reading, b: &Reading) -> f64 {
    let subject = |reading: &Reading| -> BTreeMap<String, f64> {
        let terms = reading.terms.iter().filter(|term| term.subject);
        terms.map(|term| (term.stem.clone(), term.weight)).collect()
    };
    let (a, b) = (subject(a), subject(b));
    let least = a.values().sum::<f64>().min(b.values().sum::<f64>());
    if least <= 0.0 {
        return 0.0;
    }
    let shared: f64 = a.iter().filter_map(|(stem, w)| b.get(stem).map(|v| w.min(*v))).sum();
    (shared / least).min(1.0)
}

/// Returns how far the two subjects are one and the same.
fn same_subject(a: &Reading, b: &Reading) -> f64 {
    let subject = |reading: &Reading| -> BTreeMap<String, f64> {
        let terms = reading.terms.iter().filter(|term| term.subject && !term.part);
        terms.map(|term| (term.stem.clone(), term.weight)).collect()
    };
    let (a, b) = (subject(a), subject(b));
    let shared: f64 = a.iter().filter_map(|(stem, w)| b.get(stem).map(|v| w.min(*v))).sum();
    let all = a.values().sum::<f64>() + b.values().sum::<f64>() - shared;
    if all <= 0.0 { 0.0 } else { shared / all }
}

fn contradiction(known: &Side, arriving: &Side, out: &mut Features) {
    let (a, b) = (&known.reading, &arriving.reading);
    out.insert("denies_known", (clash(a, b) / 1.5).min(1.0));
    out.insert("known_denies", (clash(b, a) / 1.5).min(1.0));
    let both = |x: &Term| b.terms.iter().any(|y| y.denied && y.stem == x.stem);
    let agree: f64 = a.terms.iter().filter(|x| x.denied && both(x)).map(|x| x.weight).sum();
    out.insert("both_deny", (agree / 1.5).min(1.0));
    out.insert("opposites", opposites(a, b));
    out.insert("denies", f64::from(u8::from(b.terms.iter().any(|term| term.denied))));
    let cue = |reading: &Reading| {
        let plain = reading.count(Class::Change) as f64;
        (0.7 * plain + 0.3 * reading.count(Class::Hint) as f64).min(1.0)
    };
    out.insert("change_cue", cue(b));
    out.insert("change_quote", cue(&arriving.quote));
    out.insert("change_known", cue(a));
    out.insert("provisional", (a.count(Class::Provisional) as f64).min(1.0));
    out.insert("provisional_new", (b.count(Class::Provisional) as f64).min(1.0));
    out.insert("reason", (b.count(Class::Reason) as f64).min(1.0));
    out.insert("condition", (b.count(Class::Condition) as f64).min(1.0));
    out.insert("negated", (b.count(Class::Negator) as f64).min(1.0));
    out.insert("negated_known", (a.count(Class::Negator) as f64).min(1.0));
}

/// Weighs what `b` denies and `a` affirms.
fn clash(a: &Reading, b: &Reading) -> f64 {
    let affirmed: BTreeMap<&str, f64> =
        a.terms.iter().filter(|term| !term.denied).map(|term| (term.stem.as_str(), term.weight)).collect();
    let mut denied: BTreeMap<&str, f64> = BTreeMap::new();
    for term in b.terms.iter().filter(|term| term.denied) {
        if let Some(weight) = affirmed.get(term.stem.as_str()) {
            denied.insert(&term.stem, weight.min(term.weight));
        }
    }
    // What is affirmed elsewhere in the same statement is not really denied by it.
    for term in b.terms.iter().filter(|term| !term.denied) {
        denied.remove(term.stem.as_str());
    }
    denied.values().sum()
}

fn opposites(a: &Reading, b: &Reading) -> f64 {
    let has = |reading: &Reading, stem: &str| reading.terms.iter().any(|term| term.stem == stem);
    let mut found: f64 = 0.0;
    for x in a.terms.iter().filter(|term| has_opposite(&term.stem)) {
        for y in &b.terms {
            if is_opposite(&x.stem, &y.stem) {
                let fresh = !has(a, &y.stem) && !has(b, &x.stem);
                let same_side = x.denied == y.denied;
                found = found.max(match (same_side, fresh) {
                    (true, true) => 1.0,
                    (true, false) => 0.4,
                    (false, _) => 0.0,
                });
            }
        }
    }
    found
}

fn circumstances(known: &Side, arriving: &Side, out: &mut Features) {
    let flag = |on: bool| f64::from(u8::from(on));
    let order = order(known, arriving);
    out.insert("not_later", flag(matches!(order, Order::Earlier | Order::Together)));
    let sessions = |side: &Side| -> BTreeSet<String> { side.places.iter().map(|(s, _)| s.clone()).collect() };
    out.insert("same_session", flag(sessions(known).intersection(&sessions(arriving)).next().is_some()));
    let hours = match (known.at, arriving.at) {
        (Some(a), Some(b)) => b.duration_since(a).as_hours().unsigned_abs() as f64,
        _ => 0.0,
    };
    out.insert("days_apart", (hours / 24.0 / 14.0).min(1.0));
    out.insert("person_over_agent", flag(known.voice < Voice::Person && arriving.voice == Voice::Person));
    out.insert("agent_over_person", flag(known.voice == Voice::Person && arriving.voice < Voice::Person));
    out.insert("limit_met", flag(known.kind == Kind::Limitation && arriving.kind != Kind::Limitation));
    out.insert("new_limit", flag(known.kind != Kind::Limitation && arriving.kind == Kind::Limitation));
    out.insert("same_kind", flag(known.kind == arriving.kind));
    out.insert("decides", flag(arriving.kind == Kind::Decision));
    out.insert("known_decides", flag(known.kind == Kind::Decision));
    out.insert("event", flag(arriving.kind == Kind::Event || known.kind == Kind::Event));
}
