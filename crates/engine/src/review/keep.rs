//! A person says that an entry is right.

use lore_core::{Article, Claim, SET_ASIDE, Standing, Status};
use lore_store::{Stored, Transaction};

use crate::{Engine, Error};

impl Engine {
    pub(super) fn keep_entry(
        &self,
        transaction: &mut Transaction<'_>,
        mut old: Stored,
    ) -> Result<&'static str, Error> {
        if old.entry.status == Status::Disputed {
            return Err(Error::request(
                format!("`{}` is disputed; keeping it settles nothing", old.entry.id),
                format!(
                    "`lore review settle {0} --side N` says which side is right, `lore review both {0}` that all are",
                    old.entry.id
                ),
            ));
        }
        if old.entry.status == Status::Superseded {
            return Err(Error::request(
                format!("`{}` was replaced; keeping it does not bring it back", old.entry.id),
                format!("`lore review both {}` lets it hold beside what replaced it", old.entry.id),
            ));
        }
        // Whoever keeps both sides says that both hold.
        let mut article = Article::parse(&old.entry.body);
        if !article.doubted.is_empty() {
            let doubted = article.doubted.drain(..);
            let holds = doubted.map(|claim| Claim { standing: Standing::Current, ..claim }).collect();
            let staying = self.set_apart(transaction, (&mut old.entry, &mut article), holds)?;
            article.facts.extend(staying);
            old.entry.body = article.render();
        }
        if old.entry.is_set_aside() {
            old.entry.status = Status::Current;
            old.entry.extra.remove(SET_ASIDE);
        }
        self.confirm(&mut old.entry);
        // Whoever keeps what another rejected has decided.
        transaction.lift(&old.entry.id);
        transaction.replace(old.entry, old.version)?;
        Ok("kept")
    }
}
