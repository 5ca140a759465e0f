//! The plain way in for a person: a sentence, kept as they said it and confirmed by them.

use lore_core::session::{Author, Channel, Turn};
use lore_core::{Confidence, Entry, EntryId, Handle, Kind, Moment, Route, Session, SessionId, Stamp, Status};
use lore_store::Transaction;
use serde::Serialize;

use crate::entries::{first_sentence, in_short};
use crate::meet::{Meeting, Met};
use crate::{Engine, Error};

/// A longer text is a page; `lore new` takes it.
const LONGEST: usize = 1200;

/// What became of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remembered {
    /// `kept`; `known` where an entry said so already and now has the person's confirmation; `withdrawn` where the
    /// person took back what an entry says.
    pub outcome: &'static str,
    /// The entry that says it now.
    pub id: EntryId,
    /// Its short name.
    pub handle: Handle,
    /// What sort of knowledge it is taken for.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Its file, relative to the base.
    pub path: String,
    /// Whether it went to the user's own base.
    pub personal: bool,
    /// What it met among what was known.
    pub met: Option<Met>,
    /// The run by which it can be taken back; nothing for a rehearsal.
    pub run: Option<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Keeps a sentence in the person's name.
    pub fn remember(&self, text: &str, kind: Option<Kind>, dry_run: bool) -> Result<Remembered, Error> {
        let instead = "hand it in as your own word: lore learn \"…\"";
        self.only_a_person("remember something in a person's name", instead)?;
        let text = lore_core::one_line(&self.store.door().written(text));
        if !text.chars().any(char::is_alphanumeric) {
            return Err(Error::request(
                "there is nothing to remember",
                "say it in a sentence: lore remember \"Releases go out on Tuesdays.\"",
            ));
        }
        if text.chars().count() > LONGEST {
            let hint = "`lore new TITLE --body -` takes a page";
            return Err(Error::request("that is more than a sentence or two", hint));
        }
        if kind.is_none() && text.ends_with(['?', '？']) {
            let hint = "`lore ask` answers questions, `lore spike` finds out what nobody knows; to keep it as it is say `--kind`";
            return Err(Error::request("that is a question, and there is nothing to remember in it", hint));
        }
        if kind.is_none() && is_one_word(&text) {
            let hint = "say what holds in a sentence: lore remember \"Releases go out on Tuesdays.\"";
            return Err(Error::request("that is one word, and nobody could tell later what it means", hint));
        }
        let (heard, title) = heard(&text);
        let kind = kind.or(heard).unwrap_or(Kind::Fact);
        let now = Moment::Instant(self.world.now);
        let mut transaction = self.begin("remember")?;
        let mut entry = Entry::new(EntryId::new(kind, now.date(), &title), kind, &title);
        entry.body = format!("# {title}\n\n{text}\n");
        entry.description = first_sentence(&text);
        entry.confidence = Some(Confidence::High);
        entry.files = lore_distill::extract::files_in(&text);
        self.sign(&mut entry);
        let met = self.meet(&entry, &transaction)?;
        if lore_distill::curate::is_withdrawal(&text) {
            return self.withdraw(transaction, met, dry_run);
        }
        if let Some(known) = met.as_ref().filter(|met| met.how == Meeting::Known) {
            let mut old = transaction.get(known.id.as_str())?;
            let stamp = Stamp { by: self.world.person(), at: Some(now) };
            old.entry.verified.retain(|known| known.by != stamp.by);
            old.entry.verified.push(stamp);
            let (kind, title) = (old.entry.kind, old.entry.title.clone());
            let written = transaction.replace(old.entry, old.version)?;
            let done = (written.id, written.path);
            let run =
                if dry_run { None } else { self.commit(transaction, &format!("confirm {}", done.0))?.run };
            return Ok(self.remembered(("known", kind, title), done, (met, run, dry_run)));
        }
        entry.id = transaction.free_id(&entry.id);
        let changed = match &met {
            Some(met) => self.tie(&mut entry, met, &transaction)?,
            None => None,
        };
        let written = transaction.create(entry)?;
        if let Some(old) = changed {
            transaction.replace(old.entry, old.version)?;
        }
        let done = (written.id, written.path);
        let run = if dry_run { None } else { self.commit(transaction, &format!("remember {}", done.0))?.run };
        Ok(self.remembered(("kept", kind, title), done, (met, run, dry_run)))
    }

    /// Lets go of what a person takes back; taking back is nothing to remember by itself.
    fn withdraw(
        &self,
        mut transaction: Transaction<'_>,
        met: Option<Met>,
        dry_run: bool,
    ) -> Result<Remembered, Error> {
        let is_against =
            |met: &Met| matches!(met.how, Meeting::Replaces | Meeting::Changes | Meeting::Contradicts);
        let Some(met) = met.filter(is_against) else {
            let hint = "`lore query` finds it, `lore rm ID` takes it out";
            return Err(Error::request("nothing that is known is about that", hint));
        };
        let mut old = transaction.get(met.id.as_str())?;
        let stamp = Stamp { by: self.world.person(), at: Some(Moment::Instant(self.world.now)) };
        old.entry.verified.retain(|known| known.by != stamp.by);
        old.entry.verified.push(stamp);
        old.entry.status = Status::Outdated;
        let (kind, title) = (old.entry.kind, old.entry.title.clone());
        let written = transaction.replace(old.entry, old.version)?;
        let done = (written.id, written.path);
        let run = if dry_run { None } else { self.commit(transaction, &format!("withdraw {}", done.0))?.run };
        Ok(self.remembered(("withdrawn", kind, title), done, (Some(met), run, dry_run)))
    }

    fn remembered(
        &self,
        (outcome, kind, title): (&'static str, Kind, String),
        (id, path): (EntryId, String),
        (met, run, dry_run): (Option<Met>, Option<String>, bool),
    ) -> Remembered {
        if !dry_run {
            self.leave_in_step();
        }
        let (handle, personal) = (id.handle(), self.is_personal());
        Remembered { outcome, id, handle, kind, title, path, personal, met, run, dry_run }
    }
}

/// Hears what a sentence lays down, as curation would in a session: its kind, and what to call it.
fn heard(text: &str) -> (Option<Kind>, String) {
    let session = Session {
        id: SessionId::new("told"),
        turns: vec![Turn::prose(Author::Person, Channel::Prompt, 1, text)],
        ..Session::default()
    };
    let found = lore_distill::ruling::rulings(&session);
    let found = found.into_iter().find(|ruling| ruling.route != Route::Order);
    let own = || in_short(text.trim_end_matches(['.', '!']));
    match found {
        // A title must not leave out what was said besides.
        Some(ruling) if ruling.text.len() * 2 > text.len() => (Some(ruling.kind), ruling.title),
        Some(ruling) => (Some(ruling.kind), own()),
        None => (None, own()),
    }
}

/// Tells whether there is one word in it; languages written without blanks say much in one.
fn is_one_word(text: &str) -> bool {
    text.is_ascii()
        && text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count() < 2
}
