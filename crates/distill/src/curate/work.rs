//! One article while it is being worked on.

use lore_core::{Article, Candidate, Curator, Entry, Moment, Proposal, Reason, Source, Status, Voice};

use super::{compare, merge};
use crate::article;

/// Where a claim stands in its article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    Lead(usize),
    Why(usize),
    Fact(usize),
    Conflict(usize),
    Doubted(usize),
    History(usize),
}

/// One article on the desk.
pub(crate) struct Work {
    pub(crate) entry: Entry,
    pub(crate) article: Article,
    /// The claims taken apart.
    pub(super) sides: Vec<(Spot, compare::Side)>,
    pub(crate) is_new: bool,
    pub(crate) touched: bool,
    pub(crate) reasons: Vec<Reason>,
    /// The candidates that went into it in this run.
    pub(super) told_by: Vec<Candidate>,
    /// How many sources it had before.
    pub(super) sources_before: usize,
}

impl Work {
    /// Puts an article on the desk.
    pub(crate) fn new(entry: Entry, article: Article) -> Work {
        let sources_before = entry.sources.len();
        Work {
            entry,
            article,
            sides: Vec::new(),
            is_new: false,
            touched: false,
            reasons: Vec::new(),
            told_by: Vec::new(),
            sources_before,
        }
    }

    /// Tells whether it is past for somebody who speaks now. An agent that repeats what a person took back, or somebody
    /// who said it before that, does not bring it back.
    pub(super) fn is_past(&self, side: &compare::Side) -> bool {
        match self.entry.status {
            Status::Superseded => true,
            Status::Outdated if !self.entry.is_set_aside() => {
                let stamps = self.entry.verified.iter().filter_map(|stamp| stamp.at);
                let taken_back = stamps.map(Moment::instant).max();
                let is_later = side.at.is_none_or(|at| taken_back.is_none_or(|then| at > then));
                side.voice >= Voice::Person && is_later
            }
            Status::Current | Status::Disputed | Status::Outdated => false,
        }
    }

    /// Lists the evidence that came while it was being worked on.
    pub(crate) fn added_sources(&self) -> Vec<Source> {
        self.entry.sources.get(self.sources_before..).unwrap_or_default().to_vec()
    }
}

/// Turns a changed article into a proposal.
pub(super) fn propose(mut work: Work, now: jiff::Timestamp) -> Proposal {
    let reasons = std::mem::take(&mut work.reasons);
    if work.entry.curated_by != Curator::Auto {
        let sources = work.added_sources();
        return Proposal::AddSources { id: work.entry.id, sources, reasons };
    }
    let is_new = work.is_new;
    let entry = Box::new(article::finish(work.entry, &work.article, now));
    if is_new { Proposal::Create { entry, reasons } } else { Proposal::Replace { entry, reasons } }
}

/// Returns the most trusted voice among the sources a claim cites; a person's where it cites none.
pub(super) fn voice_of(entry: &Entry, keys: &[String]) -> Voice {
    merge::cited(entry, keys).map(|source| source.voice).max().unwrap_or(Voice::Person)
}
