//! What is right after a dispute stands in one entry: two would say the same.

use lore_core::{Article, Claim, Entry, LinkKind, Status, text};
use lore_store::{Stored, Transaction, Version};

use super::apart::{link, reconcile, replace_all};
use crate::{Engine, Error};

/// Finds the entry on the other side of a dispute that says a claim in its own name, where one does.
pub(super) fn said_by_another(transaction: &Transaction<'_>, entry: &Entry, right: &Claim) -> Option<Stored> {
    let others = entry.linked(LinkKind::Contradicts).filter_map(|name| transaction.get(name).ok());
    let says = |other: &Stored| {
        let holds = matches!(other.entry.status, Status::Current | Status::Disputed);
        let mut claims = Article::parse(&other.entry.body).lead.into_iter();
        holds && claims.any(|claim| text::clean(&claim.text) == text::clean(&right.text))
    };
    others.into_iter().find(says)
}

impl Engine {
    /// Leaves a dispute to the other entry, which says what is right in its own name.
    pub(super) fn leave_to(
        &self,
        transaction: &mut Transaction<'_>,
        (mut entry, version): (Entry, Version),
        article: Article,
        heir: Stored,
    ) -> Result<&'static str, Error> {
        let mut newer = heir.entry;
        reconcile(&mut entry, &|target| target == newer.id.as_str());
        reconcile(&mut newer, &|target| target == entry.id.as_str());
        let says_more = article.current().next().is_some();
        entry.body = article.render();
        entry.status = if says_more { Status::Current } else { Status::Superseded };
        if says_more {
            link(&mut entry, LinkKind::Related, &newer.id);
            self.confirm(&mut entry);
        } else {
            link(&mut entry, LinkKind::SupersededBy, &newer.id);
            link(&mut newer, LinkKind::Supersedes, &entry.id);
        }
        self.confirm(&mut newer);
        transaction.replace(newer, heir.version)?;
        replace_all(transaction, vec![(entry, version)])?;
        Ok("settled")
    }
}
