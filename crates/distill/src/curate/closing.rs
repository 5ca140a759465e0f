//! The end of a run: what is written, under which title, and what waits.

use std::collections::HashMap;

use lore_core::{Article, Candidate, Curator, EntryId, LinkKind, Proposal};

use super::desk::Desk;
use super::fetch::FETCHED;
use super::merit::merit_together;
use super::promote::place;
use super::work::{Work, propose};
use super::{in_order, merge};
use crate::article;

/// So often those that wait are looked at again.
const ROUNDS: usize = 3;

/// What a run comes to.
pub(super) struct Finished {
    pub(super) proposals: Vec<Proposal>,
    pub(super) queue: Vec<Candidate>,
    /// New articles that got another name than they began with.
    pub(super) renamed: HashMap<EntryId, EntryId>,
}

impl Desk<'_> {
    /// Says what is to be written and what waits.
    pub(super) fn finish(mut self) -> Finished {
        for _ in 0..ROUNDS {
            if !self.settle() {
                break;
            }
        }
        let mut kept = Vec::new();
        for at in 0..self.works.len() {
            if self.waits(at) {
                let told_by = std::mem::take(&mut self.works[at].told_by);
                self.queue.extend(told_by);
            } else if self.works[at].touched {
                kept.push(at);
            }
        }
        let renamed = kept.iter().filter_map(|at| self.head(*at)).collect();
        let mut by_tag: HashMap<String, Vec<usize>> = HashMap::new();
        for at in &kept {
            for tag in &self.works[*at].entry.tags {
                by_tag.entry(tag.clone()).or_default().push(*at);
            }
        }
        for at in &kept {
            self.relate(*at, &by_tag);
        }
        let now = self.setting.now;
        let mut works: Vec<Option<Work>> = self.works.into_iter().map(Some).collect();
        let proposals = kept.into_iter().filter_map(|at| works[at].take()).map(|work| propose(work, now));
        Finished { proposals: proposals.collect(), queue: self.queue, renamed }
    }

    /// Opens a new article with what speaks most for it; what came first need not say it best.
    fn head(&mut self, at: usize) -> Option<(EntryId, EntryId)> {
        let work = &mut self.works[at];
        if !work.is_new || !merge::open_with_best(work) {
            return None;
        }
        let before = work.entry.id.clone();
        let plain = article::id_for(&work.entry);
        let mut id = plain.clone();
        let mut number = 2;
        while id != before && self.is_taken(&id) {
            id = plain.numbered(number);
            number += 1;
        }
        self.by_id.remove(&before);
        self.by_id.insert(id.clone(), at);
        self.works[at].entry.id = id.clone();
        (id != before).then_some((before, id))
    }

    pub(super) fn is_taken(&self, id: &EntryId) -> bool {
        let known = self.setting.known;
        known.contains(id) || known.is_forgotten(id) || self.by_id.contains_key(id)
    }

    /// Tells whether too little speaks for a new article.
    fn waits(&self, at: usize) -> bool {
        let work = &self.works[at];
        let ranks = work.told_by.iter().filter_map(place).filter_map(|place| self.foremost.get(&place));
        let lift = match ranks.min() {
            Some(0) => 2.0 * self.bars.foremost,
            Some(_) => self.bars.foremost,
            None => 0.0,
        };
        // What stands against a person's own page was weighed when it was set beside it.
        let stands_against = work.entry.linked(LinkKind::Contradicts).next().is_some();
        work.is_new
            && !stands_against
            && merit_together(&work.told_by, self.bars.form) + lift < self.bars.article
    }

    /// Looks again at the candidates that wait: what came later may be an article they belong into.
    /// A second run over the same sessions would find it, and must find nothing to do.
    fn settle(&mut self) -> bool {
        let waiting: Vec<usize> = (0..self.works.len()).filter(|at| self.waits(*at)).collect();
        let mut again = std::mem::take(&mut self.queue);
        for at in &waiting {
            self.clear(*at);
            again.append(&mut self.works[*at].told_by);
        }
        let before = again.len();
        for candidate in in_order(again) {
            self.take(candidate);
        }
        let after: usize =
            (0..self.works.len()).filter(|at| self.waits(*at)).map(|at| self.works[at].told_by.len()).sum();
        after + self.queue.len() < before
    }

    /// Takes an article off the desk.
    fn clear(&mut self, at: usize) {
        for (_, side) in std::mem::take(&mut self.works[at].sides) {
            for term in &side.reading.terms {
                if let Some(works) = self.by_stem.get_mut(&term.stem) {
                    works.remove(&at);
                }
            }
        }
        let work = &mut self.works[at];
        work.article = Article::default();
        work.entry.sources.clear();
        work.touched = false;
        self.by_id.remove(&work.entry.id);
    }

    /// Links an article to its neighbours, those of this run included.
    fn relate(&mut self, at: usize, by_tag: &HashMap<String, Vec<usize>>) {
        let work = &self.works[at];
        if work.entry.curated_by != Curator::Auto || work.entry.tags.is_empty() {
            return;
        }
        let text = format!("{}. {}", work.entry.title, work.entry.tags.join(". "));
        let mut others = self.setting.known.similar(&text, FETCHED);
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for tag in &work.entry.tags {
            for other in by_tag.get(tag).into_iter().flatten().filter(|other| **other != at) {
                *shared.entry(*other).or_default() += 1;
            }
        }
        let mut near: Vec<usize> =
            shared.into_iter().filter(|(_, n)| *n > 1).map(|(other, _)| other).collect();
        near.sort_unstable();
        others.extend(near.into_iter().map(|other| self.works[other].entry.clone()));
        article::relate(&mut self.works[at], &others, self.setting.path);
    }
}
