//! Answers of earlier runs, so that nothing is asked and paid twice.

use lore_core::ContentHash;
use lore_distill::model::Answers;
use lore_store::derived::Derived;

/// Answers as files below the cache.
pub(super) struct Kept<'d> {
    derived: &'d Derived,
}

impl<'d> Kept<'d> {
    pub(super) fn new(derived: &'d Derived) -> Kept<'d> {
        Kept { derived }
    }
}

impl Answers for Kept<'_> {
    fn get(&self, key: &ContentHash) -> Option<String> {
        std::fs::read_to_string(self.derived.path(&name(key)).ok()?).ok()
    }

    fn put(&mut self, key: &ContentHash, answer: &str) {
        if let Err(error) = self.derived.write_text(&name(key), answer) {
            tracing::debug!(%error, "an answer is not kept and may be asked for again");
        }
    }
}

fn name(key: &ContentHash) -> String {
    let digits: String = key.as_str().chars().filter(char::is_ascii_hexdigit).collect();
    format!("cache/answers/{digits}.json")
}
