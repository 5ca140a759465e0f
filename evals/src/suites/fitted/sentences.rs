//! Sentences: whether what people type is told to last or meant for the moment, and what it is.
//!
//! The sentences in `evals/sentences` were written for this, a file per author: each line is a message, a list of
//! sentences with what they are. Whoever wrote what is measured is left out of what it was fitted on.

use std::collections::BTreeSet;

use lore_core::Kind;
use lore_distill::ruling::{self, Classifier, KINDS, SeenSentence};

use super::{Example, files, kept_at, lines, table};
use crate::context::{Context, Failure};
use crate::report::Report;

/// How strongly weights are drawn to nothing.
const DECAY: f64 = 1.0;
/// Statements that came in pairs, and not among messages, count less.
const BARE: f64 = 0.3;
/// The share of what is meant for the moment that may be taken for something that lasts.
const FALSE_SHARE: f64 = 0.05;

/// A sentence with what its author says it is.
struct Sentence {
    author: String,
    features: Vec<String>,
    form: Kind,
    label: Label,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    /// For the moment only.
    Passing,
    /// To be remembered, as this.
    Lasting(Kind),
    /// To be remembered.
    Stated,
}

impl Label {
    fn read(word: &str) -> Result<Label, Failure> {
        Ok(match word {
            "rule" => Label::Lasting(Kind::Preference),
            "stated" => Label::Stated,
            "task" | "question" | "trouble" | "status" | "once" | "maybe" | "chat" | "pasted" => {
                Label::Passing
            }
            _ => Label::Lasting(word.parse().map_err(|_| format!("no label: {word}"))?),
        })
    }

    fn lasts(self) -> bool {
        self != Label::Passing
    }
}

/// Says how the shipped procedure does on authors it has not seen.
pub(crate) fn run(_: &Context) -> Result<Report, Failure> {
    let sentences = read()?;
    let authors: BTreeSet<&str> = sentences.iter().map(|sentence| sentence.author.as_str()).collect();
    let mut report = Report::default();
    report.set("sentences", sentences.len());
    let (mut recalls, mut wrongs, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    let mut sums: Vec<(f64, bool)> = Vec::new();
    for author in authors {
        let seen: Vec<&Sentence> = sentences.iter().filter(|sentence| sentence.author != author).collect();
        let table = fit(&seen);
        let classifier = Classifier::read(&table);
        let own = || sentences.iter().filter(|sentence| sentence.author == author);
        let told = |lasts: bool| {
            let rows: Vec<f64> = own()
                .filter(|sentence| sentence.label.lasts() == lasts)
                .map(|sentence| classifier.lasting(&sentence.features))
                .collect();
            (rows.iter().filter(|sum| **sum >= 0.0).count() as f64 / rows.len().max(1) as f64, rows)
        };
        let (recall, lasting) = told(true);
        let (wrong, passing) = told(false);
        if passing.is_empty() {
            continue;
        }
        let labelled: Vec<bool> = own()
            .filter_map(|sentence| match sentence.label {
                Label::Lasting(kind) => Some(classifier.kind(&sentence.features, sentence.form) == kind),
                _ => None,
            })
            .collect();
        let right = labelled.iter().filter(|right| **right).count() as f64 / labelled.len().max(1) as f64;
        report.set_number(&format!("{author}.kept"), recall);
        report.set_number(&format!("{author}.false"), wrong);
        report.set_number(&format!("{author}.kind"), right);
        sums.extend(lasting.iter().map(|sum| (*sum, true)).chain(passing.iter().map(|sum| (*sum, false))));
        recalls.push(recall);
        wrongs.push(wrong);
        kinds.push(right);
    }
    let mean = |rows: &[f64]| rows.iter().sum::<f64>() / rows.len().max(1) as f64;
    report.set_number("kept", mean(&recalls));
    report.set_number("kept.worst", recalls.iter().copied().fold(f64::INFINITY, f64::min));
    report.set_number("false", mean(&wrongs));
    report.set_number("false.worst", wrongs.iter().copied().fold(0.0, f64::max));
    report.set_number("kind", mean(&kinds));
    report.set_number(&format!("kept@{FALSE_SHARE}"), kept_at(&mut sums, FALSE_SHARE));
    Ok(report)
}

/// Writes the table that ships, from all sentences, where `--dump` says.
pub(crate) fn run_fit(context: &Context) -> Result<Report, Failure> {
    let sentences = read()?;
    let table = fit(&sentences.iter().collect::<Vec<_>>());
    let mut report = Report::default();
    report.set("sentences", sentences.len());
    report.set("rows", table.lines().count());
    context.dump_text(&table)?;
    Ok(report)
}

/// Reads the sentences of all authors.
fn read() -> Result<Vec<Sentence>, Failure> {
    let mut out = Vec::new();
    for (author, file) in files("sentences")? {
        for message in lines::<Vec<(String, String)>>(&file)? {
            out.extend(heard(&author, &message)?);
        }
    }
    Ok(out)
}

/// Takes a message apart as the product does; what it takes for one sentence is what most of it is.
fn heard(author: &str, message: &[(String, String)]) -> Result<Vec<Sentence>, Failure> {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let said: Vec<&str> = message.iter().map(|(sentence, _)| sentence.as_str()).collect();
    let labels: Vec<(String, Label)> = message
        .iter()
        .map(|(sentence, label)| Ok((plain(sentence), Label::read(label)?)))
        .collect::<Result<_, Failure>>()?;
    let sentence = |seen: SeenSentence| {
        let words = plain(&seen.text);
        let meets = |(text, _): &&(String, Label)| text.contains(&words) || words.contains(text);
        let lasting = labels.iter().filter(meets).find(|(_, label)| label.lasts());
        let label = lasting.or_else(|| labels.iter().find(meets))?.1;
        Some(Sentence { author: author.to_owned(), features: seen.features, form: seen.form, label })
    };
    Ok(ruling::seen(&said.join(" ")).into_iter().filter_map(sentence).collect())
}

/// Fits the numbers and writes them as a table.
fn fit(sentences: &[&Sentence]) -> String {
    let questions = |label: Label| match label {
        Label::Passing => vec![Some(false)],
        Label::Stated => vec![Some(true)],
        Label::Lasting(is) => [Some(true)].into_iter().chain(KINDS.map(|kind| Some(is == kind))).collect(),
    };
    let examples: Vec<Example<'_>> = sentences
        .iter()
        .map(|sentence| Example {
            author: &sentence.author,
            seen: &sentence.features,
            answers: questions(sentence.label),
            importance: if sentence.label == Label::Stated { BARE } else { 1.0 },
        })
        .collect();
    table(&examples, 1 + KINDS.len(), DECAY)
}
