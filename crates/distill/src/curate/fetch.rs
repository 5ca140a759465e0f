//! What is known, put on the desk where a candidate comes near it.

use lore_core::{Article, Candidate, Entry};

use super::desk::Desk;
use crate::article;

/// So many entries are fetched for a candidate.
pub(super) const FETCHED: usize = 12;

impl Desk<'_> {
    /// Puts what is known near the candidate on the desk.
    pub(super) fn fetch(&mut self, candidate: &Candidate) {
        let text = format!("{}. {}. {}", candidate.title, candidate.text, candidate.keywords.join(". "));
        let mut found = self.setting.known.similar(&text, FETCHED);
        for evidence in &candidate.evidence {
            found.extend(self.setting.known.citing(&evidence.session));
        }
        self.lay(found);
    }

    /// Puts entries on the desk that do not lie there yet.
    fn lay(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            if !self.by_id.contains_key(&entry.id) && article::is_article(entry.kind) {
                let article = Article::parse(&entry.body);
                self.put(entry, article, false);
            }
        }
    }

    /// Puts all that is known on the desk; asked for only where that is little.
    pub(super) fn fetch_all(&mut self) {
        if !self.has_all {
            self.has_all = true;
            self.lay(self.setting.known.all());
        }
    }
}
