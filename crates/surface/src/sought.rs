//! The words of a question, and how rare they are in everything that is known.

use tantivy::TantivyError;

use crate::filter::holders;
use crate::index::Level;
use crate::lexical;
use crate::query::Word;
use crate::reader::{SearchError, Snapshot};

/// A text has about this many pieces, and a word is in one of them.
const PIECES: u64 = 5;

/// A word of the question, with how rare it is in everything that is known.
pub(crate) struct Sought {
    pub(crate) word: Word,
    pub(crate) rarity: f64,
    /// Whether it stands anywhere at all.
    pub(crate) found: bool,
}

/// Looks up how rare the words of a question are, over both levels.
pub(crate) fn sought(snapshot: &Snapshot<'_>, words: Vec<Word>) -> Result<Vec<Sought>, SearchError> {
    snapshot.guard(Level::Entries, || {
        let entries = [snapshot.index.entry_fields.title, snapshot.index.entry_fields.body];
        let passages = [snapshot.index.passage_fields.text];
        let living = snapshot.count(Level::Entries) + snapshot.count(Level::Passages);
        let mut out = Vec::with_capacity(words.len());
        for word in words {
            let mut having = 0;
            for (searcher, fields) in [(&snapshot.entries, &entries[..]), (&snapshot.passages, &passages[..])]
            {
                let terms: Vec<_> =
                    fields.iter().map(|field| tantivy::Term::from_field_text(*field, &word.term)).collect();
                for segment in searcher.segment_readers() {
                    having += holders(segment, &terms)?.len();
                }
            }
            let rarity = f64::from(lexical::rarity(
                u32::try_from(living * PIECES).unwrap_or(u32::MAX),
                u32::try_from(having).unwrap_or(u32::MAX),
            ));
            out.push(Sought { word, rarity, found: having > 0 });
        }
        Ok::<_, TantivyError>(out)
    })
}
