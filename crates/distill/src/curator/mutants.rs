//! True edits made false in one place: what tests and measurements hold against the proof-reader.

use std::collections::BTreeMap;

use lore_core::{Edit, Packet, ProofMark, Proofread};

use super::numbers::numbers;
use super::words::{Cover, names};
use crate::extract::sentence::sentences;

/// What is done to a true edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// Another name, which stands nowhere.
    ForeignName,
    /// Another number, which stands nowhere.
    ForeignNumber,
    /// Another name of the same packet.
    NameFromElsewhere,
    /// Another number of the same packet.
    NumberFromElsewhere,
    /// One more sentence, which nobody said.
    InventedSentence,
    /// Other lines of the same packet.
    WrongLines,
    /// Denied where the lines affirm.
    NotPutIn,
    /// Affirmed where the lines deny.
    NotTakenOut,
}

/// Names of things that stand in none of the sessions.
const FOREIGN: [&str; 10] = [
    "RedisStreams",
    "Zookeeper",
    "`billing_v9.rs`",
    "Terraform",
    "`QuotaGuard`",
    "OAuth3",
    "Cassandra",
    "`lib/hydra.py`",
    "Fastly",
    "GRPC",
];

/// Such names where a sentence begins, among them some that look like ordinary words.
const OPENING: [&str; 8] =
    ["Cassandra", "Terraform", "Zookeeper", "Fastly", "Memcached", "Grammarly", "Spring", "Unleash"];

/// Sentences that sound as if they belonged anywhere.
const INVENTED: [&str; 12] = [
    "This was decided after a benchmark showed a large latency improvement.",
    "The customer insisted on this during the quarterly planning call.",
    "Older deployments keep working through a compatibility shim.",
    "Legal approved the wording before the launch.",
    "It will be revisited once the team has hired a dedicated engineer.",
    "Support staff can override the behaviour from their dashboard.",
    "Telemetry showed that nobody relied on the previous approach.",
    "The same pattern is planned for every other microservice.",
    "An external auditor recommended it after a penetration exercise.",
    "Documentation for partners has been published accordingly.",
    "Rollback is possible within minutes thanks to blue-green releases.",
    "Finance asked for it to reduce monthly hosting expenses.",
];

/// A small source of numbers that always gives the same ones.
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below that of the sides.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides.max(1) as u64).unwrap_or(0)
    }

    /// Returns one of the items.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        if items.is_empty() { None } else { items.get(self.roll(items.len())) }
    }
}

/// Makes the mutants of an edit.
pub fn mutants(edit: &Edit, packet: &Packet, dice: &mut Dice) -> Vec<(Mutation, Edit)> {
    let mut out = Vec::new();
    let text = edit.said().to_owned();
    let mut push = |mutation, text: Option<String>| {
        if let Some(text) = text {
            out.push((mutation, Edit { text: Some(text), ..edit.clone() }));
        }
    };
    let known = Cover::of(packet.lines.iter().map(|line| line.text.as_str()));
    let unknown = |names: &[&'static str]| -> Vec<&'static str> {
        names.iter().copied().filter(|name| !known.has_name(name) && !known.has_opening(name)).collect()
    };
    let first = text.split(' ').next().unwrap_or_default();
    if let Some(foreign) = dice.pick(&unknown(&OPENING)).filter(|_| first.len() > 1) {
        push(Mutation::ForeignName, Some(text.replacen(first, foreign, 1)));
    }
    let own: Vec<String> = names(&text).into_iter().filter(|name| name.len() > 3).collect();
    if let Some(name) = dice.pick(&own) {
        if let Some(foreign) = dice.pick(&unknown(&FOREIGN)) {
            let inside = text.contains(&format!("`{name}`"));
            let foreign = if inside { foreign.trim_matches('`') } else { foreign };
            push(Mutation::ForeignName, Some(text.replacen(name.as_str(), foreign, 1)));
        }
        let others: Vec<String> = packet.lines.iter().flat_map(|line| names(&line.text)).collect();
        let others: Vec<&String> =
            others.iter().filter(|other| other.len() > 3 && !text.contains(*other)).collect();
        let other = dice.pick(&others).map(|other| text.replacen(name.as_str(), other, 1));
        push(Mutation::NameFromElsewhere, other);
    }
    let own: Vec<String> = numbers(&text).into_iter().map(|(written, _)| written).collect();
    if let Some(number) = dice.pick(&own) {
        let whole: u64 = number.split(['.', ',', '_']).next().and_then(|n| n.parse().ok()).unwrap_or(0);
        push(Mutation::ForeignNumber, replace_number(&text, number, &(whole + 7_310).to_string()));
        let others: Vec<String> =
            packet.lines.iter().flat_map(|line| numbers(&line.text)).map(|(w, _)| w).collect();
        let others: Vec<&String> =
            others.iter().filter(|other| other.len() < 5 && !own.contains(other)).collect();
        let other = dice.pick(&others).and_then(|other| replace_number(&text, number, other));
        push(Mutation::NumberFromElsewhere, other);
    }
    let kept: Vec<&str> = sentences(&text).into_iter().take(2).collect();
    if let Some(invented) = dice.pick(&INVENTED) {
        push(Mutation::InventedSentence, Some(format!("{} {invented}", kept.join(" "))));
    }
    push(Mutation::NotPutIn, put_not_in(&text));
    push(Mutation::NotTakenOut, take_not_out(&text));
    let mut others: Vec<u32> = packet.lines.iter().map(|line| line.number).collect();
    others.retain(|number| !edit.lines.contains(number));
    let mut lines = Vec::new();
    while !others.is_empty() && lines.len() < edit.lines.len() {
        lines.push(others.remove(dice.roll(others.len())));
    }
    if !lines.is_empty() {
        out.push((Mutation::WrongLines, Edit { lines, was: None, ..edit.clone() }));
    }
    out
}

fn replace_number(text: &str, number: &str, other: &str) -> Option<String> {
    let at = text.match_indices(number).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + number.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '.') && !after.is_some_and(|c| c.is_ascii_digit())
    })?;
    Some(format!("{}{other}{}", &text[..at], &text[at + number.len()..]))
}

fn put_not_in(text: &str) -> Option<String> {
    let verbs = [" is ", " are ", " has ", " have ", " must ", " should ", " does ", " gets ", " requires "];
    let (at, verb) = verbs.iter().filter_map(|verb| Some((text.find(verb)?, verb))).min()?;
    let end = at + verb.len();
    (!text[end..].starts_with("not ")).then(|| format!("{}not {}", &text[..end], &text[end..]))
}

fn take_not_out(text: &str) -> Option<String> {
    [" not ", " never ", " no "]
        .iter()
        .find_map(|word| text.contains(word).then(|| text.replacen(word, " ", 1)))
}

/// How many mutants of each sort were refused, flagged, and made.
#[derive(Debug, Default)]
pub struct MutantTally(pub BTreeMap<Mutation, (usize, usize, usize)>);

impl MutantTally {
    /// Counts one.
    pub fn count(&mut self, mutation: Mutation, proof: &Proofread) {
        let row = self.0.entry(mutation).or_default();
        row.0 += usize::from(proof.mark == ProofMark::Refused);
        row.1 += usize::from(proof.mark == ProofMark::Flagged);
        row.2 += 1;
    }

    /// Returns the share that was refused.
    pub fn refused(&self, mutation: Mutation) -> f64 {
        self.0.get(&mutation).map_or(0.0, |(refused, _, all)| *refused as f64 / *all as f64)
    }
}
