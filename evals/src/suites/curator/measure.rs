//! What an editor left behind, held against the labels of the sessions it went through.

use std::collections::{BTreeMap, BTreeSet};

use fancy_regex::Regex;
use lore_core::{Article, EDITED, Entry, LinkKind, SessionId, Status};
use lore_engine::Engine;
use lore_engine::entries::Filter;
use serde::Serialize;

use super::changes;
use super::corpus::Corpus;
use super::labels::{Candidate, Item, Labels, all, patterns};
use crate::context::Failure;
use crate::words::Words;

/// Counts of right ones and of all, by name.
pub(super) type Tallies = BTreeMap<&'static str, (usize, usize)>;

/// An entry as it is held against the labels.
pub(super) struct Page {
    pub(super) entry: Entry,
    /// Title and claims that hold.
    pub(super) current: String,
    /// What no longer holds, or is disputed.
    pub(super) past: String,
    pub(super) is_edited: bool,
    pub(super) is_current: bool,
    /// Files and records it cites, of the sessions that count, and of all.
    pub(super) cited: Vec<(String, u32)>,
    rests: Vec<(String, u32)>,
}

/// A line as an editor was shown it, for whoever grades what rests on it.
#[derive(Debug, Serialize)]
struct Cited {
    file: String,
    line: u32,
    said: Vec<String>,
}

/// An entry for somebody to grade.
#[derive(Debug, Serialize)]
pub(super) struct Graded {
    project: String,
    id: String,
    kind: &'static str,
    title: String,
    text: String,
    cited: Vec<Cited>,
}

/// Everything in a base that cites a session which the editor went through.
pub(super) struct Left {
    pub(super) project: String,
    pub(super) pages: Vec<Page>,
    pub(super) files: Vec<String>,
}

impl Left {
    pub(super) fn read(engine: &Engine, corpus: &Corpus) -> Result<Left, Failure> {
        let mut pages = Vec::new();
        let chosen: Vec<_> = corpus.counted.iter().map(|at| &corpus.sessions[*at]).collect();
        for item in engine.list(&Filter::default())? {
            let entry = engine.show(item.id.as_str())?.entry;
            let article = Article::parse(&entry.body);
            // A session that grew lies in two files; the one that counts is meant.
            let held = |id: &SessionId| {
                let counted = chosen.iter().copied().find(|held| held.session == *id);
                counted.or_else(|| corpus.sessions.iter().find(|held| held.session == *id))
            };
            let sources = entry.sources.iter();
            let rests: Vec<(String, u32)> = sources
                .filter_map(|source| Some((held(source.session.as_ref()?)?, &source.lines)))
                .flat_map(|(held, lines)| lines.iter().map(|line| (held.file.clone(), *line)))
                .collect();
            let is_counted = |(file, _): &&(String, u32)| chosen.iter().any(|held| held.file == *file);
            let cited: Vec<(String, u32)> = rests.iter().filter(is_counted).cloned().collect();
            if cited.is_empty() {
                continue;
            }
            let join = |claims: Vec<&str>| claims.join("\n");
            let is_current = entry.status == Status::Current;
            let holding = article.current().map(|claim| claim.text.as_str()).collect::<Vec<_>>();
            let disputed = article.conflict.iter().map(|claim| claim.text.as_str());
            let gone =
                article.history.iter().map(|claim| claim.text.as_str()).chain(disputed).collect::<Vec<_>>();
            let (current, past) = match is_current {
                true => (format!("{}\n{}", entry.title, join(holding)), join(gone)),
                false => (String::new(), format!("{}\n{}\n{}", entry.title, join(holding), join(gone))),
            };
            let is_edited = entry.is_edited();
            pages.push(Page { is_edited, is_current, current, past, cited, rests, entry });
        }
        let files = chosen.iter().map(|held| held.file.clone()).collect();
        Ok(Left { project: corpus.name.clone(), pages, files })
    }

    /// Takes the figures of a project.
    pub(super) fn measure(&self, corpus: &Corpus, labels: &Labels) -> Result<Tallies, Failure> {
        let mut tallies = Tallies::new();
        let mut count = |name: &'static str, right: bool| {
            let tally = tallies.entry(name).or_default();
            tally.0 += usize::from(right);
            tally.1 += 1;
        };
        let own = |project: &str, file: &str| {
            project == self.project && self.files.iter().any(|known| known == file)
        };
        let items: Vec<&(Item, Vec<Regex>)> =
            labels.items.iter().filter(|(item, _)| own(&item.corpus, &item.file)).collect();
        let counted = |item: &Item| matches!(item.confidence.as_str(), "high" | "medium");
        for (item, must) in items.iter().filter(|(item, _)| counted(item)) {
            let shown = corpus.sessions.iter().filter(|held| held.file == item.file);
            let shown: Vec<&str> = shown.map(|held| held.shown.as_str()).collect();
            count("coverage", covered(&item.quote, &shown.join("\n")));
            let mut near = self.pages.iter().filter(|page| page.cites(&item.file));
            let found = near.clone().find(|page| page.is_current && all(must, &page.current));
            let with_history = near.any(|page| all(must, &format!("{}\n{}", page.current, page.past)));
            count("recall", found.is_some());
            count("recall_with_history", with_history);
            if let Some(page) = found {
                count("type_accuracy", page.entry.kind.word() == item.kind);
            }
        }
        if !items.is_empty() {
            let topics: Vec<&str> = items.iter().filter_map(|(item, _)| item.topic_key.as_deref()).collect();
            let right = |page: &Page| {
                labels.items.iter().filter(|(item, _)| item.corpus == self.project).any(|(item, must)| {
                    let related = item.topic_key.as_deref().is_some_and(|topic| topics.contains(&topic));
                    (page.cites(&item.file) || related)
                        && all(must, &format!("{}\n{}", page.current, page.past))
                })
            };
            for page in self.pages.iter().filter(|page| page.is_current) {
                count(if page.is_edited { "precision_must" } else { "rules_precision_must" }, right(page));
            }
        }
        for noise in labels.noise.iter().filter(|noise| own(&noise.corpus, &noise.file)) {
            let kept = |page: &&Page| {
                page.is_current
                    && page.cited.iter().any(|(file, line)| *file == noise.file && *line == noise.line)
                    && Words::of(&noise.quote).mostly_in(&Words::of(&page.current))
            };
            let mut keeping = self.pages.iter().filter(kept);
            count("noise_rate", keeping.clone().any(|page| page.is_edited));
            // An entry may rest on the same line and share its words without saying it.
            let said = keeping.clone().any(|page| page.is_edited && changes::is_said(&noise.quote, page));
            count("noise_said", said);
            count("rules_noise_rate", keeping.any(|page| !page.is_edited));
        }
        changes::count(self, labels, &mut count);
        self.questions(&items, labels, &mut count)?;
        self.judged(labels, &mut count);
        Ok(tallies)
    }

    /// Lists the noise that an editor kept, by the words it shares, for somebody to read.
    pub(super) fn noise(&self, labels: &Labels) -> Vec<serde_json::Value> {
        let mut rows = Vec::new();
        for noise in labels.noise.iter().filter(|noise| noise.corpus == self.project) {
            let keeps = |page: &&Page| {
                page.is_current
                    && page.is_edited
                    && page.cited.iter().any(|(file, line)| *file == noise.file && *line == noise.line)
                    && Words::of(&noise.quote).mostly_in(&Words::of(&page.current))
            };
            rows.extend(self.pages.iter().filter(keeps).map(|page| {
                serde_json::json!({
                    "project": self.project, "noise": noise.quote, "said": changes::is_said(&noise.quote, page),
                    "entry": page.entry.id, "says": page.current,
                })
            }));
        }
        rows
    }

    fn questions(
        &self,
        items: &[&(Item, Vec<Regex>)],
        labels: &Labels,
        count: &mut impl FnMut(&'static str, bool),
    ) -> Result<(), Failure> {
        for question in labels.questions.iter().filter(|question| question.corpus == self.project) {
            // Only what the sessions of the editor can answer is asked of it.
            let is_ours = |id: &String| items.iter().any(|(item, _)| item.id == *id);
            if question.answer.is_none()
                || question.evidence.is_empty()
                || !question.evidence.iter().all(is_ours)
            {
                continue;
            }
            let (accept, reject) = (patterns(&question.accept)?, patterns(&question.reject)?);
            let mut current = self.pages.iter().filter(|page| page.is_current);
            count("qa_entry", current.clone().any(|page| all(&accept, &page.current)));
            let stale = |page: &Page| {
                page.is_edited
                    && reject.iter().any(|pattern| pattern.is_match(&page.current).unwrap_or(false))
            };
            count("qa_stale", current.any(stale));
        }
        Ok(())
    }

    fn judged(&self, labels: &Labels, count: &mut impl FnMut(&'static str, bool)) {
        let own: Vec<&Candidate> = labels
            .judged
            .iter()
            .filter(|one| one.corpus == self.project && self.files.contains(&one.file))
            .collect();
        let near = |page: &Page, file: &str, line: u32| {
            page.cited.iter().any(|(cited, at)| cited == file && at.abs_diff(line) <= 2)
        };
        for candidate in own.iter().filter(|one| one.keep == 2) {
            let words = [Some(&candidate.text), candidate.better.as_ref()].into_iter().flatten();
            let words: Vec<Words> = words.map(|text| Words::of(text)).collect();
            let says = |page: &Page| {
                let text = Words::of(&format!("{}\n{}", page.current, page.past));
                near(page, &candidate.file, candidate.line)
                    && words.iter().any(|words| words.mostly_in(&text))
            };
            count("judged_keep2_recall", self.pages.iter().any(says));
        }
        for page in self.pages.iter().filter(|page| page.is_current) {
            let text = Words::of(&page.current);
            let matched = own.iter().filter(|one| near(page, &one.file, one.line));
            let best = matched
                .map(|one| (Words::of(&one.text).likeness(&text), one))
                .filter(|(likeness, _)| *likeness >= 0.5)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, one)) = best {
                let names = match page.is_edited {
                    true => ["judged_keep2", "judged_junk"],
                    false => ["rules_judged_keep2", "rules_judged_junk"],
                };
                count(names[0], one.keep == 2);
                count(names[1], one.keep == 0);
            }
        }
        for change in labels.changes.iter().filter(|change| {
            let ours = |file: &String| self.files.contains(file);
            change.corpus == self.project && ours(&change.old_file) && ours(&change.new_file)
        }) {
            let (old, new) = (Words::of(&change.old), Words::of(&change.new));
            let gone = self.pages.iter().any(|page| {
                old.mostly_in(&Words::of(&page.past)) && near(page, &change.old_file, change.old_line)
            });
            let stands = self.pages.iter().any(|page| {
                page.is_current
                    && new.mostly_in(&Words::of(&page.current))
                    && near(page, &change.new_file, change.new_line)
            });
            match change.relation.as_str() {
                "supersedes" | "contradicts" => {
                    count("judged_changes_noticed", gone && stands);
                    count("judged_new_stands", stands);
                }
                "compatible" => count("judged_false_conflicts", gone && stands),
                _ => {}
            }
        }
    }

    /// Counts entries that hold: of the editor, and of rules.
    pub(super) fn sizes(&self) -> (usize, usize) {
        let current = self.pages.iter().filter(|page| page.is_current);
        let edited = current.clone().filter(|page| page.is_edited).count();
        (edited, current.count() - edited)
    }

    /// Draws entries of the editor for somebody to grade, the same ones every time.
    /// Only what these packets left, where all that is counted comes of some of them.
    pub(super) fn to_grade(&self, corpus: &Corpus, packets: &BTreeSet<String>, most: usize) -> Vec<Graded> {
        let cited = |(file, line): &(String, u32)| {
            let held = corpus.sessions.iter().filter(|held| held.file == *file);
            let lines = held.flat_map(|held| &held.lines).filter(|(record, _)| record == line);
            Cited { file: file.clone(), line: *line, said: lines.map(|(_, said)| said.clone()).collect() }
        };
        let mut own: Vec<&Page> =
            self.pages.iter().filter(|page| page.is_current && page.is_edited).collect();
        own.retain(|page| {
            page.entry.extra[EDITED]["packet"].as_str().is_some_and(|name| packets.contains(name))
        });
        own.sort_by_key(|page| lore_core::hash::key(&[page.entry.id.as_str().as_bytes()]));
        let graded = |page: &&Page| Graded {
            project: self.project.clone(),
            id: page.entry.id.to_string(),
            kind: page.entry.kind.word(),
            title: page.entry.title.clone(),
            text: as_read(&page.entry),
            // An entry that an earlier session began rests on its lines too.
            cited: page.rests.iter().map(cited).collect(),
        };
        own.iter().take(most).map(graded).collect()
    }

    /// Counts entries that replaced another.
    pub(super) fn replaced(&self) -> usize {
        let replaces = |page: &&Page| page.entry.linked(LinkKind::Supersedes).next().is_some();
        self.pages.iter().filter(|page| page.is_edited).filter(replaces).count()
    }
}

impl Page {
    fn cites(&self, file: &str) -> bool {
        self.cited.iter().any(|(cited, _)| cited == file)
    }
}

/// Writes an entry as it is read: what holds, why, what is disputed, and what held before or was turned down, apart.
fn as_read(entry: &Entry) -> String {
    let article = Article::parse(&entry.body);
    let parts = [
        ("", &article.lead),
        ("Key facts", &article.facts),
        ("Why", &article.why),
        ("Disputed", &article.conflict),
        ("History (held before, or turned down)", &article.history),
    ];
    let mut out = entry.title.clone();
    for (heading, claims) in parts.into_iter().filter(|(_, claims)| !claims.is_empty()) {
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        let texts = texts.join("\n");
        out.push_str(&if heading.is_empty() {
            format!("\n{texts}")
        } else {
            format!("\n{heading}:\n{texts}")
        });
    }
    out
}

/// Tells whether nearly all words of a quote are shown.
fn covered(quote: &str, shown: &str) -> bool {
    let words = |text: &str| -> std::collections::BTreeSet<String> {
        let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        runs.map(str::to_lowercase).collect()
    };
    let (quote, shown) = (words(quote), words(shown));
    !quote.is_empty() && quote.intersection(&shown).count() * 100 >= quote.len() * 85
}
