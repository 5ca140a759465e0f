//! The plain way in for a person: a sentence, kept as they said it and confirmed by them.

use lore_core::session::{Author, Channel, Turn};
use lore_core::{
    Article, Confidence, Entry, EntryId, Handle, Kind, Route, Session, SessionId, Stamp, Status,
};
use lore_distill::article::kind_by_form;
use lore_distill::curate::{Known, Withdrawal};
use lore_distill::extract::sentences_in;
use lore_store::Transaction;
use serde::Serialize;

use crate::entries::{first_sentence, in_short};
use crate::meet::{COMPARED, Meeting, Met};
use crate::passing::Passing;
use crate::review::replace_all;
use crate::{Engine, Error};

/// So many entries are looked at for one that is taken back.
const NEAR: usize = 24;
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
        let text = lore_core::one_line(&lore_core::text::clean(&self.store.door().written(text)));
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
        if kind.is_none() && tells_a_secret_alone(&text) {
            let hint = "say where it is kept: lore remember \"The key of the mail relay is in the vault.\"";
            return Err(Error::request("that tells a secret, which is not kept, and nothing else", hint));
        }
        if kind.is_none() && is_one_word(&text) {
            let hint = "say what holds in a sentence: lore remember \"Releases go out on Tuesdays.\"";
            return Err(Error::request("that is one word, and nobody could tell later what it means", hint));
        }
        let (heard, title) = heard(&text);
        let withdrawal = Withdrawal::read(&text);
        // Who takes something back asks for no work.
        let passing = Passing::read(&text).filter(|passing| withdrawal.is_none() && passing.holds_for(heard));
        if let Some(passing) = passing.filter(|_| kind.is_none()) {
            return Err(Error::request(passing.sentence(), Passing::HINT));
        }
        let asked = kind;
        let mut kind = asked.or(heard).unwrap_or(Kind::Fact);
        let now = self.world.moment();
        let mut transaction = self.begin("remember")?;
        let said = |kind: Kind| {
            let mut entry = Entry::new(EntryId::new(kind, now.date(), &title), kind, &title);
            entry.body = format!("# {title}\n\n{text}\n");
            entry.description = first_sentence(&text);
            entry.confidence = Some(if passing.is_some() { Confidence::Low } else { Confidence::High });
            entry.files = lore_distill::extract::files_in(&text);
            self.sign(&mut entry);
            entry
        };
        let mut entry = said(kind);
        if let Some(withdrawal) = &withdrawal {
            return self.withdraw(transaction, withdrawal, dry_run);
        }
        let met = self.meet(&entry, &transaction)?;
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
        // "Weights are now stored in kilograms" in the place of a rule is the rule from now on.
        if let Some(met) = met.as_ref().filter(|met| asked.is_none() && met.how == Meeting::Replaces)
            && transaction.get(met.id.as_str())?.entry.kind == Kind::Preference
        {
            kind = Kind::Preference;
            entry = said(kind);
        }
        entry.id = transaction.free_id(&entry.id);
        let changed = match &met {
            Some(met) => self.tie(&mut entry, met, &transaction)?,
            None => Vec::new(),
        };
        let written = transaction.create(entry)?;
        replace_all(&mut transaction, changed)?;
        let done = (written.id, written.path);
        let run = if dry_run { None } else { self.commit(transaction, &format!("remember {}", done.0))?.run };
        Ok(self.remembered(("kept", kind, title), done, (met, run, dry_run)))
    }

    /// Lets go of what a person takes back; taking back is nothing to remember by itself.
    fn withdraw(
        &self,
        mut transaction: Transaction<'_>,
        withdrawal: &Withdrawal,
        dry_run: bool,
    ) -> Result<Remembered, Error> {
        let mut meant = self.meant(&transaction, withdrawal);
        if meant.len() > 1 {
            let named: Vec<String> =
                meant.iter().map(|met| format!("{} “{}”", met.id.handle(), met.said)).collect();
            let hint = "take it back with its own words, or `lore rm ID`";
            return Err(Error::request(format!("which one do you mean: {}?", named.join(", ")), hint));
        }
        let Some(met) = meant.pop() else {
            let hint = "`lore query` finds it, `lore rm ID` takes it out";
            return Err(Error::request("nothing that is known is about that", hint));
        };
        let mut old = transaction.get(met.id.as_str())?;
        let stamp = Stamp { by: self.world.person(), at: Some(self.world.moment()) };
        old.entry.verified.retain(|known| known.by != stamp.by);
        old.entry.verified.push(stamp);
        old.entry.status = Status::Outdated;
        let (kind, title) = (old.entry.kind, old.entry.title.clone());
        let path = old.path.clone();
        let done = (old.entry.id.clone(), path);
        replace_all(&mut transaction, vec![(old.entry, old.version)])?;
        let run = if dry_run { None } else { self.commit(transaction, &format!("withdraw {}", done.0))?.run };
        Ok(self.remembered(("withdrawn", kind, title), done, (Some(met), run, dry_run)))
    }

    /// Finds what fits best to what a person takes back.
    fn meant(&self, transaction: &Transaction<'_>, withdrawal: &Withdrawal) -> Vec<Met> {
        let near = |known: &dyn Known| known.similar(&withdrawal.topic, NEAR);
        let near = crate::curate::known_in(self.store.work(), transaction, near);
        let holds = |entry: &Entry| {
            matches!(entry.status, Status::Current | Status::Disputed) && COMPARED.contains(&entry.kind)
        };
        let mut best: Vec<(f64, Met)> = Vec::new();
        for entry in near.into_iter().filter(holds) {
            let article = Article::parse(&entry.body);
            let claims = article.current().map(|claim| claim.text.clone());
            let fits = claims.chain([entry.title.clone()]).map(|said| (withdrawal.fit(&said), said));
            let Some((fit, said)) = fits.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let (id, title) = (entry.id, entry.title);
            let how = Meeting::Replaces;
            best.push((fit, Met { how, id, title, said, also: Vec::new(), unsure: false }));
        }
        let most = best.iter().map(|(fit, _)| *fit).fold(0.0, f64::max);
        best.into_iter().filter(|(fit, _)| *fit > 0.0 && *fit >= most).map(|(_, met)| met).collect()
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
pub(crate) fn heard(text: &str) -> (Option<Kind>, String) {
    let session = Session {
        id: SessionId::new("told"),
        turns: vec![Turn::prose(Author::Person, Channel::Prompt, 1, text)],
        ..Session::default()
    };
    let found = lore_distill::ruling::rulings(&session);
    let mut found: Vec<_> = found.into_iter().filter(|ruling| ruling.route != Route::Order).collect();
    for ruling in &mut found {
        ruling.kind = kind_by_form(ruling.kind, &ruling.text);
    }
    // What is said beside a rule can wait; the rule is told to every agent.
    found.sort_by_key(|ruling| ruling.kind != Kind::Preference);
    let found = found.into_iter().next();
    let own = || in_short(text.trim_end_matches(['.', '!']));
    match found {
        // A title must not leave out what was said besides, unless it is a rule that would be left out.
        Some(ruling) if ruling.kind == Kind::Preference || ruling.text.len() * 2 > text.len() => {
            (Some(ruling.kind), ruling.title)
        }
        Some(ruling) => (Some(ruling.kind), own()),
        None => (None, own()),
    }
}

/// "The key of the relay is …": a sentence that ends with what was taken out of it.
fn tells_a_secret_alone(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ']');
    end.ends_with(lore_core::redact::MARK) && sentences_in(text).len() == 1
}

/// Tells whether there is one word in it; languages written without blanks say much in one.
fn is_one_word(text: &str) -> bool {
    text.is_ascii()
        && text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count() < 2
}
