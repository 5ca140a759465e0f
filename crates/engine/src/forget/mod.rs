//! Forgetting words, a session or a person everywhere we write.
//!
//! First the base: one transaction takes the words out of entries and tracked state and leaves a seal,
//! from which they cannot be read, so that they do not come back. Then everything beside it: change
//! sets, passages, caches, queue, usage, what agents were told, logs. Each step does nothing where
//! there is nothing left to do, so that a run that was cut short is finished by running it again.

mod eraser;
mod places;
mod remains;
mod rewrite;

use std::collections::BTreeSet;

use lore_core::forget::{FORGOTTEN, Finds as _, Phrase};
use lore_core::text::counted;
use lore_core::{ContentHash, EntryId, Handle, Moment, SessionId};
use lore_store::{CommitOptions, Lists, Owner, Refused, Sealed, Stored};
use lore_surface::Struck;
use serde::Serialize;

use self::eraser::Eraser;
pub use self::remains::{Holding, Remains};
use crate::review::reconcile;
use crate::{Engine, Error};

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Whatever fits: a session whose id it is, a person who is called so, else the words.
    Named(String),
    /// These words.
    Words(String),
    /// A session by its id.
    Session(String),
    /// A person by their name.
    Person(String),
    /// What other clones forgot and this one knows by its seals.
    Sealed,
}

/// Where it was found, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ForgetReport {
    /// `words`, `session` or `person`.
    pub kind: String,
    /// Entries that lost something, by file.
    pub changed: Vec<String>,
    /// Entries that are gone, because nothing else was in them.
    pub removed: Vec<String>,
    /// Tracked files of machine state that lost something.
    pub state: Vec<String>,
    /// Change sets that lost something; what they held cannot be taken back any more.
    pub change_sets: usize,
    /// Passages of past sessions.
    pub passages: usize,
    /// Other files of ours that lost something or are gone.
    pub files: Vec<String>,
    /// The same in the user's own base.
    pub personal: Option<Box<ForgetReport>>,
    /// What is out of our reach.
    pub remains: Remains,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl ForgetReport {
    /// Tells whether it was found nowhere.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
            && self.removed.is_empty()
            && self.state.is_empty()
            && self.change_sets == 0
            && self.passages == 0
            && self.files.is_empty()
            && self.personal.as_ref().is_none_or(|personal| personal.is_empty())
    }

    fn take_in(&mut self, other: ForgetReport) {
        self.kind = other.kind;
        self.changed.extend(other.changed);
        self.removed.extend(other.removed);
        self.state.extend(other.state);
        self.files.extend(other.files);
        self.change_sets += other.change_sets;
        self.passages += other.passages;
        self.remains.take_in(other.remains);
    }
}

/// Shorter words stand everywhere.
const SHORTEST: usize = 3;
/// In scripts that write a word with a sign or two, so many will do.
const SHORTEST_SIGNS: usize = 2;

impl Engine {
    /// Forgets something everywhere we write, or lists where it is.
    pub fn forget_about(&self, subject: &Subject, dry_run: bool) -> Result<ForgetReport, Error> {
        if !dry_run {
            self.only_a_person("erase what is known", "ask the user to run `lore forget` themselves")?;
        }
        // What is to be taken out has to be seen, also where it is held back from everybody else.
        if self.store.door().has_seals() {
            return self.seeing_everything()?.forget_about(subject, dry_run);
        }
        let subject = self.settled(subject)?;
        let mut report = ForgetReport { kind: "words".to_owned(), dry_run, ..ForgetReport::default() };
        for (mut eraser, phrases) in self.erasers(&subject)? {
            eraser.entries = self.going(&eraser)?;
            report.take_in(self.erase(&eraser, &phrases, dry_run)?);
        }
        if !self.is_personal()
            && let Ok(own) = Engine::open_personal(self.world.clone())
        {
            report.personal = Some(Box::new(own.forget_about(&subject, dry_run)?));
        }
        Ok(report)
    }

    /// Opens the base without holding anything back that was forgotten.
    fn seeing_everything(&self) -> Result<Engine, Error> {
        let engine = Engine::open_scope(self.world.clone(), self.scope.clone())?;
        let door = engine.store.door().without_seals();
        Ok(Engine { store: engine.store.with_door(&door), asker: self.asker.clone(), ..engine })
    }

    /// Decides what is meant, the same for every base.
    fn settled(&self, subject: &Subject) -> Result<Subject, Error> {
        let Subject::Named(name) = subject else { return Ok(subject.clone()) };
        // Whoever names an entry wants it gone, and not its name.
        if name.parse::<EntryId>().is_ok() || name.parse::<Handle>().is_ok() {
            let snapshot = self.store.snapshot()?;
            if let Ok(entry) = snapshot.resolve(name) {
                let hint = format!(
                    "`lore rm {0}` takes it out; forgetting is for words, sessions and people",
                    entry.id.handle()
                );
                return Err(Error::request("that is an entry", hint));
            }
        }
        if let Some(session) = self.session_called(name) {
            return Ok(Subject::Session(session));
        }
        if self.is_a_person(name)? {
            return Ok(Subject::Person(name.clone()));
        }
        Ok(Subject::Words(name.clone()))
    }

    /// Says what is looked for, with the words of it where they are known.
    fn erasers(&self, subject: &Subject) -> Result<Vec<(Eraser, Vec<Phrase>)>, Error> {
        let one = |kind, text: &str| {
            // Whoever is known by two letters is called so; elsewhere a word of them may be anything.
            let is_known = kind == Sealed::Person && self.is_a_person(text)?;
            let is_long = |phrase: &Phrase| match phrase.letters() {
                letters if letters >= SHORTEST => true,
                // A letter of some scripts is a word.
                letters => is_known || letters >= SHORTEST_SIGNS && !text.is_ascii(),
            };
            let phrase = Phrase::new(text).filter(is_long).ok_or_else(|| {
                let hint = match kind {
                    Sealed::Person => "nobody of that name is known here; give at least three letters",
                    _ => "give at least three letters",
                };
                Error::request(format!("`{text}` is too short to be looked for"), hint)
            })?;
            // Citations name a session by its beginning.
            let short = (kind == Sealed::Session).then(|| SessionId::new(text).unmistakable()).flatten();
            let short = short.and_then(|short| Phrase::new(&short));
            let phrases: Vec<Phrase> = std::iter::once(phrase).chain(short).collect();
            Ok(vec![(Eraser::new(kind, &phrases), phrases)])
        };
        match subject {
            Subject::Named(text) | Subject::Words(text) => one(Sealed::Words, text),
            Subject::Person(name) => one(Sealed::Person, name.strip_prefix("human:").unwrap_or(name)),
            Subject::Session(id) => {
                let id = bare(id);
                one(Sealed::Session, self.session_called(id).as_deref().unwrap_or(id))
            }
            Subject::Sealed => {
                let seals = self.store.seals();
                Ok(seals
                    .iter()
                    .map(|(kind, seal)| (Eraser::sealed(*kind, seal.clone()), Vec::new()))
                    .collect())
            }
        }
    }

    /// Lists the entries that go, by id and by file.
    fn going(&self, eraser: &Eraser) -> Result<Vec<String>, Error> {
        let today = Moment::Instant(self.world.now);
        let mut ids = Vec::new();
        for stored in self.store.snapshot()?.read_all() {
            if matches!(erased(eraser, &stored, today, &BTreeSet::new())?, Some((None, _))) {
                let id = &stored.entry.id;
                ids.extend([id.to_string(), id.handle().to_string(), stored.path]);
            }
        }
        Ok(ids)
    }

    /// Finds the curated session that a name is the id of, or the beginning of one.
    fn session_called(&self, name: &str) -> Option<String> {
        let name = bare(name);
        let is_it = |id: &str| id == name || (name.len() >= 8 && id.starts_with(name));
        let ledger = self.store.ledger();
        ledger.iter().map(|curated| curated.session.as_str()).find(|id| is_it(id)).map(str::to_owned)
    }

    fn is_a_person(&self, name: &str) -> Result<bool, Error> {
        if name.starts_with("human:") {
            return Ok(true);
        }
        let stamp = format!("human:{name}");
        let snapshot = self.store.snapshot()?;
        Ok(snapshot.read_all().iter().any(|stored| {
            let entry = &stored.entry;
            entry.verified.iter().chain(&entry.generated).any(|by| by.by == stamp)
                || entry.sources.iter().any(|source| source.resource == stamp)
        }))
    }

    fn erase(&self, eraser: &Eraser, phrases: &[Phrase], dry_run: bool) -> Result<ForgetReport, Error> {
        let mut report = ForgetReport { kind: eraser.kind.word().to_owned(), ..ForgetReport::default() };
        // What lies beside the base goes first, while the base still tells which entries it speaks of:
        // a run that is cut short then finds them again. What the transaction leaves goes after it.
        let struck = self.erase_beside(eraser, dry_run, &mut report)?;
        self.erase_in_base(eraser, phrases, dry_run, &mut report)?;
        if !dry_run {
            self.store.forget_touched(&self.forgetter(eraser), self.world.now)?;
            self.erase_beside(eraser, dry_run, &mut report)?;
        }
        report.remains = self.remains(eraser, phrases.first(), &struck);
        Ok(report)
    }

    /// Takes it out of change sets, passages and every other file of ours.
    fn erase_beside(
        &self,
        eraser: &Eraser,
        dry_run: bool,
        report: &mut ForgetReport,
    ) -> Result<Struck, Error> {
        let forgets = |text: &str| eraser.is_beside(text);
        report.change_sets += match dry_run {
            true => self.store.change_sets_with(&forgets),
            false => self.store.forget_in_change_sets(&forgets, FORGOTTEN)?,
        };
        let struck = self.erase_passages(eraser, dry_run)?;
        report.passages += struck.passages;
        self.erase_files(eraser, dry_run, report)?;
        Ok(struck)
    }

    /// Says in whose name it is forgotten: not in that of whoever is.
    fn forgetter(&self, eraser: &Eraser) -> Owner {
        let by = self.world.person();
        let name = by.strip_prefix("human:").unwrap_or(&by);
        Owner::person(if eraser.is_in(name) { FORGOTTEN } else { name }, "forget")
    }

    /// Takes it out of entries and tracked state, in one transaction that leaves a seal.
    fn erase_in_base(
        &self,
        eraser: &Eraser,
        phrases: &[Phrase],
        dry_run: bool,
        report: &mut ForgetReport,
    ) -> Result<(), Error> {
        let today = Moment::Instant(self.world.now);
        let mut transaction = self.store.begin(&self.forgetter(eraser), self.world.now)?;
        let all = transaction.base().read_all();
        let goes = |stored: &&Stored| eraser.has(stored) && eraser.entry(&stored.entry, today).is_none();
        let gone: BTreeSet<String> =
            all.iter().filter(goes).map(|stored| stored.entry.id.to_string()).collect();
        for stored in all {
            let Some((text, path)) = erased(eraser, &stored, today, &gone)? else { continue };
            let list = if text.is_some() { &mut report.changed } else { &mut report.removed };
            list.push(stored.path.clone());
            transaction.erase(&stored, text.as_deref(), &path)?;
        }
        report.state = transaction.erase_state(&|line| eraser.line(line));
        let seals = self.store.seals();
        let is_sealed =
            |words: &str| seals.iter().any(|(kind, seal)| *kind == eraser.kind && seal.is_in(words));
        for phrase in phrases.iter().filter(|phrase| !is_sealed(&phrase.plain())) {
            let salt = format!("{}{}{}", self.world.now, std::process::id(), self.root().display());
            transaction.seal(eraser.kind, &phrase.seal(ContentHash::of(salt.as_bytes()).short()));
        }
        if dry_run {
            return Ok(());
        }
        let count = report.changed.len() + report.removed.len();
        let said = format!("forgot {} in {}", report.kind, counted(count, "entry", "entries"));
        let git = self.settings.git.commit.then(|| format!("knowledge: {said}"));
        let said = Some(said);
        transaction.commit(&CommitOptions { git, said, lists: Lists::All, ..CommitOptions::default() })?;
        Ok(())
    }
}

/// Returns the id in `session://agent/id#L7`.
fn bare(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.split('#').next().unwrap_or(name)
}

/// Says what is left of an entry's file and where it lies then; nothing where it has none of it.
fn erased(
    eraser: &Eraser,
    stored: &Stored,
    today: Moment,
    gone: &BTreeSet<String>,
) -> Result<Option<(Option<String>, String)>, Error> {
    let Some(text) = stored.text() else { return Ok(None) };
    let has = eraser.has(stored);
    if !has && !stored.entry.links.iter().any(|link| gone.contains(&link.target)) {
        return Ok(None);
    }
    let left = if has { eraser.entry(&stored.entry, today) } else { Some(stored.entry.clone()) };
    let Some(mut entry) = left else { return Ok(Some((None, stored.path.clone()))) };
    // What was said against something that is forgotten stands against nothing, and names it no more.
    reconcile(&mut entry, &|target| gone.contains(target));
    entry.links.retain(|link| !gone.contains(&link.target));
    let rewritten = if entry == stored.entry {
        text.to_owned()
    } else {
        lore_store::format::rewrite(text, &entry).map_err(Refused::from)?
    };
    let left = rewrite::without(eraser, &stored.path, &rewritten);
    let path = rewrite::path_without(eraser, &stored.entry, &stored.path);
    // A word may stand in it as a key or a state alone.
    if left == text && path.is_none() {
        return Ok(None);
    }
    Ok(Some((Some(left), path.unwrap_or_else(|| stored.path.clone()))))
}
