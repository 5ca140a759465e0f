//! Spike workspaces of other tools: a folder each, with papers that may have front matter or none.

use std::path::Path;

use jiff::civil::Date;
use lore_core::{
    Confidence, Curator, Detail, Entry, EntryId, Kind, Moment, Source, Spike, SpikeOutcome, SpikeState,
    Stamp, Voice, slug,
};

use super::walk::{self, Found};
use super::{ImportOptions, Imported, Left, Page, StoreKind, page};
use crate::format::decode::day_in;
use crate::format::node::Node;

/// A spike with its papers, ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedSpike {
    /// The spike.
    pub entry: Entry,
    /// The folder it came from.
    pub from: String,
    /// Papers by name, with front matter that says what they are.
    pub papers: Vec<(String, String)>,
}

/// What the papers are called, and what they are.
const PAPERS: [(&str, &str); 5] = [
    ("HYPOTHESIS.md", "spike-hypothesis"),
    ("DESIGN.md", "spike-experiment"),
    ("EXPERIMENT.md", "spike-experiment"),
    ("FINDINGS.md", "spike-findings"),
    ("DECISION.md", "spike-decision"),
];
/// Where the tools keep them, below what is named.
const PLACES: [&str; 3] = ["", "spikes", ".planning/spikes"];
/// Words that one of two names of a spike may have and the other not.
const SMALL: [&str; 6] = ["and", "the", "of", "a", "as", "for"];

/// Reads every workspace below a folder. Spikes that the tool's own store tells of are taken as they
/// are there, with the papers of the workspace beside them.
pub fn spike_workspaces(path: &Path) -> (Vec<ImportedSpike>, Vec<Left>) {
    let mut left = Vec::new();
    let Some(root) = PLACES.iter().map(|place| path.join(place)).find(|root| has_workspaces(root)) else {
        return (Vec::new(), left);
    };
    let options = ImportOptions { kind: Some(StoreKind::Gsd), project: None };
    let stored = super::import(path, &options).map(|report| report.entries).unwrap_or_default();
    let told: Vec<Imported> = stored.into_iter().filter(|one| one.entry.kind == Kind::Spike).collect();
    let mut found: Vec<ImportedSpike> = Vec::new();
    for folder in folders(&root) {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match workspace(&folder, &name) {
            Ok(mut spike) => {
                if let Some(known) = told.iter().find(|one| is_same(&one.entry, &spike.entry)) {
                    spike.entry = joined(known.entry.clone(), &spike.entry, &name);
                }
                found.push(spike);
            }
            Err(why) => left.push(Left { from: name, why }),
        }
    }
    (found, left)
}

/// Tells whether two entries are one spike, by the words of their names.
pub fn is_same_spike(a: &EntryId, b: &EntryId) -> bool {
    words(a.slug()) == words(b.slug())
}

fn is_same(known: &Entry, new: &Entry) -> bool {
    is_same_spike(&known.id, &new.id) || new.aliases.iter().any(|alias| known.aliases.contains(alias))
}

fn words(slug: &str) -> Vec<&str> {
    let mut words: Vec<&str> = slug.split('-').filter(|word| !SMALL.contains(word)).collect();
    words.sort_unstable();
    words
}

fn joined(mut entry: Entry, papers: &Entry, folder: &str) -> Entry {
    if let (Detail::Spike(spike), Detail::Spike(read)) = (&mut entry.detail, &papers.detail) {
        spike.question = spike.question.take().or_else(|| read.question.clone());
        // What a list shows of a decided question is its answer.
        if read.is_answered() && papers.description.is_some() {
            entry.description.clone_from(&papers.description);
        }
        spike.state.get_or_insert(if spike.outcome.is_some() {
            SpikeState::Concluded
        } else {
            SpikeState::Hypothesis
        });
    }
    if !entry.aliases.iter().any(|alias| alias == folder) {
        entry.aliases.push(folder.to_owned());
    }
    entry
}

fn has_workspaces(root: &Path) -> bool {
    !folders(root).is_empty()
}

/// Lists the workspaces: the folder itself, or those in it.
fn folders(root: &Path) -> Vec<std::path::PathBuf> {
    let is_one = |folder: &Path| PAPERS.iter().any(|(name, _)| folder.join(name).is_file());
    if is_one(root) {
        return vec![root.to_path_buf()];
    }
    let listing = std::fs::read_dir(root).into_iter().flatten().flatten().map(|item| item.path());
    let mut found: Vec<_> = listing.filter(|folder| !folder.is_symlink() && is_one(folder)).collect();
    found.sort();
    found
}

fn workspace(folder: &Path, name: &str) -> Result<ImportedSpike, String> {
    let mut papers = Vec::new();
    let mut read: Vec<(&str, Page)> = Vec::new();
    for (file, what) in PAPERS {
        let path = folder.join(file);
        if !path.is_file() || path.is_symlink() {
            continue;
        }
        let found = Found { relative: format!("{name}/{file}"), path };
        let text = String::from_utf8_lossy(&walk::read(&found).map_err(|left| left.why)?).into_owned();
        papers.push((file.to_owned(), with_type(&text, what, name)));
        read.push((file, page(&found).map_err(|left| left.why)?));
    }
    let entry = entry(name, &read);
    Ok(ImportedSpike { entry, from: name.to_owned(), papers })
}

/// Gives a paper front matter that says what it is, where it has none or has no type.
fn with_type(text: &str, what: &str, name: &str) -> String {
    match text.strip_prefix("---\n") {
        Some(rest)
            if rest.lines().take_while(|line| *line != "---").any(|line| line.starts_with("type:")) =>
        {
            // Its own word for what it is stays, under another key.
            let kept = rest.replacen("type:", "original_type:", 1);
            format!("---\ntype: {what}\n{kept}")
        }
        Some(rest) => format!("---\ntype: {what}\n{rest}"),
        None => format!("---\ntype: {what}\ntitle: \"{}\"\n---\n\n{text}", name.replace('"', "'")),
    }
}

fn entry(name: &str, read: &[(&str, Page)]) -> Entry {
    // The last paper knows best.
    let papers = || read.iter().rev().map(|(_, page)| page);
    let field = |keys: &[&str]| {
        let text = |page: &Page, key: &str| {
            page.fields.peek(key).and_then(Node::text).map(|text| text.trim().to_owned())
        };
        papers().find_map(|page| keys.iter().find_map(|key| text(page, key).filter(|text| !text.is_empty())))
    };
    let section =
        |names: &[&str]| papers().find_map(|page| names.iter().find_map(|name| below(&page.body, name)));
    let bold =
        |names: &[&str]| papers().find_map(|page| names.iter().find_map(|name| bold(&page.body, name)));
    let question = field(&["question"])
        .or_else(|| bold(&["Question", "Research question"]))
        .or_else(|| section(&["question"]));
    let answer =
        field(&["answer"]).or_else(|| bold(&["Answer"])).or_else(|| section(&["one-line answer", "answer"]));
    let verdict = field(&["verdict", "decision"]).or_else(|| bold(&["Verdict", "Outcome"]));
    let hypothesis = field(&["hypothesis"]).or_else(|| section(&["hypothesis"]));
    let said = field(&["outcome"]).and_then(|word| SpikeOutcome::from_word(&word));
    let decided = read.iter().any(|(file, _)| *file == "DECISION.md");
    let outcome = said
        .or_else(|| [&verdict, &answer].into_iter().flatten().find_map(|text| outcome(text)))
        .filter(|_| decided);
    let state = match field(&["status"]).and_then(|word| SpikeState::from_word(&word)) {
        _ if decided => SpikeState::Concluded,
        Some(SpikeState::Concluded | SpikeState::Archived) | None => SpikeState::Hypothesis,
        Some(state) => state,
    };
    let day = field(&["completed", "created", "generated", "date"])
        .and_then(|text| day_in(&text).0.or_else(|| any_day(&text)));
    let day =
        day.or_else(|| papers().find_map(|page| any_day(&page.body))).unwrap_or(Date::constant(1970, 1, 1));
    let plain = name.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-');
    let title = crate::format::title::from_slug(&slug(plain));
    let mut entry = Entry::new(EntryId::new(Kind::Spike, day, plain), Kind::Spike, title);
    entry.created = Some(Moment::Day(day));
    entry.aliases = vec![name.to_owned()];
    entry.description = answer
        .clone()
        .or_else(|| verdict.clone())
        .or_else(|| question.clone().map(|one| format!("Open question: {one}")));
    entry.confidence = field(&["confidence"]).and_then(|word| Confidence::from_word(&word));
    let mut source = Source::new(format!("gsd/spikes/{name}"), Voice::Agent);
    (source.title, source.at) = (Some("GSD spike workspace".to_owned()), entry.created);
    entry.sources = vec![source];
    entry.generated = Some(Stamp { by: "gsd/unknown".to_owned(), at: entry.created });
    entry.curated_by = Curator::Mixed;
    entry.body =
        body(&entry, question.as_deref(), hypothesis.as_deref(), answer.or(verdict).as_deref(), read);
    let rounds = field(&["round", "rounds", "iterations"]).and_then(|text| text.parse().ok());
    entry.detail = Detail::Spike(Spike {
        question,
        hypothesis,
        outcome,
        state: Some(state),
        rounds,
        ..Spike::default()
    });
    entry
}

fn body(
    entry: &Entry,
    question: Option<&str>,
    hypothesis: Option<&str>,
    answer: Option<&str>,
    read: &[(&str, Page)],
) -> String {
    let mut out = format!("# {}\n", entry.title);
    for (heading, text) in [("Question", question), ("Hypothesis", hypothesis), ("Answer", answer)] {
        if let Some(text) = text {
            out.push_str(&format!("\n## {heading}\n\n{text}\n"));
        }
    }
    out.push_str("\n## Papers\n\n");
    for (file, _) in read {
        out.push_str(&format!("- [{file}]({file})\n"));
    }
    out
}

/// Reads an outcome out of what people write.
fn outcome(text: &str) -> Option<SpikeOutcome> {
    let lower = text.to_lowercase();
    let first = lower.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
    if lower.starts_with("partial") {
        return Some(SpikeOutcome::Partial);
    }
    match first {
        "yes" | "confirmed" | "chosen" | "pass" | "passed" | "works" | "enable" => {
            Some(SpikeOutcome::Confirmed)
        }
        "no" | "rejected" | "fail" | "failed" | "abandon" => Some(SpikeOutcome::Rejected),
        "inconclusive" | "unclear" => Some(SpikeOutcome::Inconclusive),
        _ => None,
    }
}

/// Returns the first paragraph below a heading that ends with these words.
fn below(body: &str, name: &str) -> Option<String> {
    let is_it = |line: &&str| line.starts_with("## ") && line.trim_end().to_lowercase().ends_with(name);
    let mut lines =
        body.lines().skip_while(|line| !is_it(line)).skip(1).skip_while(|line| line.trim().is_empty());
    let mut found = Vec::new();
    for line in lines.by_ref().take_while(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        found.push(line.trim());
    }
    let text = found.join(" ");
    let text = match text.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((_, rest)) => rest.trim().to_owned(),
        None => text,
    };
    Some(text.trim_matches('"').to_owned()).filter(|text| !text.is_empty())
}

/// Returns what stands behind `**Name:**`.
fn bold(body: &str, name: &str) -> Option<String> {
    let mark = format!("**{name}:**");
    let line = body.lines().find_map(|line| line.trim().strip_prefix(mark.as_str()))?;
    Some(line.trim().trim_matches(['`', '"']).to_owned()).filter(|text| !text.is_empty())
}

/// Finds the first day that is written as `2026-04-09`.
fn any_day(text: &str) -> Option<Date> {
    let starts = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at);
    starts.filter_map(|at| text.get(at..at + 10)).find_map(|part| Date::strptime("%Y-%m-%d", part).ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    use super::*;

    fn read(papers: &[(&str, &str)]) -> ImportedSpike {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("007-which-glue");
        std::fs::create_dir(&folder).unwrap();
        for (name, text) in papers {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let (mut found, left) = spike_workspaces(temp.path());
        assert!(left.is_empty() && found.len() == 1, "{left:?}");
        found.remove(0)
    }

    #[test]
    fn papers_without_front_matter_are_read_by_their_words() {
        let spike = read(&[
            (
                "DESIGN.md",
                "# Spike\n\n## Open Question\n\nDoes bone glue hold\nin the rain?\n\n## Hypothesis\n\nIt does.\n",
            ),
            (
                "DECISION.md",
                "# Decision\n\n**Completed:** 2026-04-09\n**Question:** Does bone glue hold in the rain?\n**Answer:** Partially: for an hour.\n",
            ),
        ]);
        assert_eq!(spike.entry.id.as_str(), "spk-2026-04-09-which-glue");
        let Detail::Spike(detail) = &spike.entry.detail else { panic!("{:?}", spike.entry) };
        assert_eq!(detail.question.as_deref(), Some("Does bone glue hold in the rain?"));
        assert_eq!(
            (detail.outcome, detail.state),
            (Some(SpikeOutcome::Partial), Some(SpikeState::Concluded))
        );
        assert_eq!(spike.entry.description.as_deref(), Some("Partially: for an hour."));
        assert!(
            spike.papers.iter().all(|(_, text)| text.starts_with("---\ntype: spike-")),
            "{:?}",
            spike.papers
        );
    }

    #[test]
    fn what_was_only_designed_is_open() {
        let spike = read(&[(
            "DESIGN.md",
            "---\ncreated: 2026-02-11T12:00:00Z\nstatus: designing\ntype: binary\n---\n\n## Question\n\nWhich glue?\n",
        )]);
        let Detail::Spike(detail) = &spike.entry.detail else { panic!("{:?}", spike.entry) };
        assert_eq!((detail.outcome, detail.state), (None, Some(SpikeState::Hypothesis)));
        assert!(spike.papers[0].1.contains("original_type: binary"), "{}", spike.papers[0].1);
    }

    #[test]
    fn small_words_do_not_make_another_spike() {
        let id = |text: &str| text.parse::<EntryId>().unwrap();
        assert!(is_same_spike(&id("spk-2026-01-01-glue-and-rain"), &id("spk-2026-02-01-rain-glue")));
        assert!(!is_same_spike(&id("spk-2026-01-01-glue-and-rain"), &id("spk-2026-01-01-glue-and-snow")));
    }
}
