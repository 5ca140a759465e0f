//! What a person has before them who reviews: the page, the words it rests on, and where they stopped.

use lore_core::{Article, Moment, Voice};
use serde::{Deserialize, Serialize};

use super::{Side, sides};
use crate::entries::Shown;
use crate::{Engine, Error};

/// Where the place is kept, beside the base.
const PLACE: &str = "review.json";
/// So many turns of a session are shown around a cited one.
const AROUND: usize = 1;

/// An entry with everything that speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewPage {
    /// The entry.
    pub shown: Shown,
    /// The sides of its dispute, where there is one.
    pub sides: Vec<Side>,
    /// What it rests on.
    pub rests_on: Vec<CitedWords>,
}

/// One source of an entry, with its words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CitedWords {
    /// Whose words they were.
    pub voice: Voice,
    /// When they were said.
    pub at: Option<Moment>,
    /// Where they stand; `lore open` takes it.
    pub place: String,
    /// What the page quotes of them.
    pub quoted: Vec<String>,
    /// The transcript around them, once it was looked up.
    pub around: Option<String>,
    /// What one should know about that, such as that the transcript is gone.
    pub note: Option<String>,
}

/// Where a person stopped reviewing. Unknown words mean nothing, so that an older one can be read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewPlace {
    /// The entry they looked at.
    pub entry: String,
    /// What they searched for.
    pub search: String,
    /// By what they grouped.
    pub grouping: String,
    /// What they narrowed the list to, as pairs of what and which.
    pub only: Vec<(String, String)>,
}

impl Engine {
    /// Opens an entry for review; the transcripts are left for [`Engine::look_up`], because they are long.
    pub fn review_page(&self, name: &str) -> Result<ReviewPage, Error> {
        let shown = match (self.show(name), self.note_called(name)) {
            (Err(_), Some(note)) => return Err(note.is_no_entry()),
            (shown, _) => shown?,
        };
        let article = Article::parse(&shown.entry.body);
        let sides = sides(&*self.store.snapshot()?, &shown.entry);
        let cited = shown.entry.sources.iter().map(|source| {
            let of_it = |key: &String| source.id.as_ref() == Some(key);
            let quotes = article.context.iter().filter(|quote| of_it(&quote.source));
            CitedWords {
                voice: source.voice,
                at: source.at,
                place: source.resource.clone(),
                quoted: quotes.map(|quote| quote.words.clone()).collect(),
                around: None,
                note: None,
            }
        });
        Ok(ReviewPage { rests_on: cited.collect(), sides, shown })
    }

    /// Looks up the transcript around cited words; what cannot be found says why.
    pub fn look_up(&self, cited: &mut CitedWords) {
        if !cited.place.starts_with("session://") {
            return;
        }
        match self.open_reference("by-hand", &cited.place, Some(AROUND)) {
            Ok(opened) => {
                cited.around = Some(opened.text);
                cited.note = opened.note;
            }
            Err(error) => cited.note = Some(error.to_string()),
        }
    }

    /// Returns where a person stopped reviewing, in this worktree.
    pub fn review_place(&self) -> Option<ReviewPlace> {
        let path = self.store.work().path(PLACE).ok()?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Remembers it, as far as anything can be remembered here.
    pub fn keep_review_place(&self, place: &ReviewPlace) {
        if let Err(error) = self.store.work().write_json_clean(PLACE, place) {
            tracing::debug!(%error, "where the review stopped is not remembered");
        }
    }

    /// Returns the last run of this checkout, by which it can be taken back.
    pub fn last_run(&self) -> Option<String> {
        self.store.change_sets().pop().map(|set| set.id)
    }

    /// Opens the same base for the same person as it is now: the time goes on, and others write.
    pub fn at_present(&self) -> Result<Engine, Error> {
        let engine = Engine::open_scope(self.world.at_present(), self.scope.clone())?;
        Ok(Engine { asker: self.asker.clone(), ..engine })
    }
}
