//! Whose word a command carries: a person's, or that of a coding agent in whose name it runs.
//!
//! What an agent hands in stays an agent's: it is not confirmed by anybody, it is never surer than
//! medium, it is compared with what is known like anything that arrives, and it cannot touch what a
//! person wrote or confirmed. Only a person at a terminal can say that the word is theirs.

use lore_core::{Confidence, Entry, Kind, SessionId, Source, Stamp, Voice};
use lore_store::{Owner, Transaction};

use crate::{Engine, Error, World};

/// Who is at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asker {
    /// A person.
    Person,
    /// A coding agent, whoever started it.
    Agent {
        /// Its name.
        name: String,
        /// The session it works in, where that is known.
        session: Option<SessionId>,
    },
}

/// Whether somebody sits there who could be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// At a terminal.
    AtTerminal,
    /// Nobody that can be seen: a script, or an agent without its marks.
    Unseen,
}

impl Asker {
    /// Tells from the world: who runs in an agent's shell is that agent.
    pub(crate) fn of(world: &World) -> Asker {
        match world.agent() {
            Some(name) => Asker::Agent {
                name: name.to_owned(),
                session: world.agent_session().map(|session| SessionId::new(session.to_owned())),
            },
            None => Asker::Person,
        }
    }
}

impl Engine {
    /// Returns who is at work.
    pub fn asker(&self) -> &Asker {
        &self.asker
    }

    /// Works for an agent from here on, whatever the world looks like.
    #[must_use]
    pub fn for_agent(mut self, called: &str) -> Engine {
        if self.asker == Asker::Person {
            self.asker = Asker::Agent { name: called.to_owned(), session: None };
        }
        self
    }

    /// Works for the person who just said at their terminal that the word is theirs.
    #[must_use]
    pub fn for_person(mut self) -> Engine {
        self.asker = Asker::Person;
        self
    }

    /// Begins a transaction on behalf of whoever is at work.
    pub(crate) fn begin(&self, what: &str) -> Result<Transaction<'_>, Error> {
        self.begin_for(self.owner(what))
    }

    /// Begins one in which what only the machine wrote stays the machine's, so that it goes on keeping it up to date.
    pub(crate) fn begin_leaving_it_ours(&self, what: &str) -> Result<Transaction<'_>, Error> {
        self.begin_for(self.owner(what).leaving_it_ours())
    }

    fn begin_for(&self, owner: Owner) -> Result<Transaction<'_>, Error> {
        self.refuse_in_doubt()?;
        self.refuse_undecided()?;
        Ok(self.store.begin(&owner, self.world.now)?)
    }

    fn owner(&self, what: &str) -> Owner {
        match &self.asker {
            Asker::Person => {
                let by = self.world.person();
                Owner::person(by.strip_prefix("human:").unwrap_or(&by), what)
            }
            Asker::Agent { name, .. } => {
                Owner { by: format!("agent:{}", plain(name)), ..Owner::machine(what) }
            }
        }
    }

    /// Refuses what only a person can do.
    pub(crate) fn only_a_person(&self, doing: &str, instead: &str) -> Result<(), Error> {
        match &self.asker {
            Asker::Person => Ok(()),
            Asker::Agent { name, .. } => {
                Err(Error::request(format!("{} cannot {doing}; only a person can", plain(name)), instead))
            }
        }
    }

    /// Refuses what only a person can do who is seen to be there: whoever takes an agent's marks away looks like a
    /// person, and has no terminal.
    pub(crate) fn only_a_person_at_a_terminal(
        &self,
        presence: Presence,
        doing: &str,
        instead: &str,
    ) -> Result<(), Error> {
        self.only_a_person(doing, instead)?;
        match presence {
            Presence::AtTerminal => Ok(()),
            Presence::Unseen => {
                Err(Error::request(format!("only a person at a terminal can {doing}"), instead))
            }
        }
    }

    /// Says in an entry whose word it is: a person's is confirmed by them, an agent's by nobody.
    pub(crate) fn sign(&self, entry: &mut Entry) {
        self.sign_in(entry, None);
    }

    /// Does so for an agent that names its session itself, where its shell does not.
    pub(crate) fn sign_in(&self, entry: &mut Entry, named: Option<&str>) {
        let at = Some(self.world.moment());
        let issue = entry.issues.first().cloned();
        match &self.asker {
            Asker::Person => {
                let person = self.world.person();
                entry.sources = vec![Source { at, issue, ..Source::new(person.clone(), Voice::Person) }];
                entry.verified = vec![Stamp { by: person, at }];
            }
            Asker::Agent { name, session } => {
                let name = plain(name);
                let named = named.map(|session| SessionId::new(session.to_owned()));
                let session = session.clone().or(named);
                let resource = match &session {
                    Some(session) => format!("session://{name}/{session}"),
                    None => format!("agent:{name}"),
                };
                let source = Source { at, issue, session, ..Source::new(resource, Voice::Agent) };
                entry.sources = vec![source];
                entry.verified = Vec::new();
                entry.confidence = entry.confidence.min(Some(Confidence::Medium));
            }
        }
    }

    /// Returns the kind under which a word is kept: how things should be done is for people to say.
    pub(crate) fn kind_for(&self, kind: Kind) -> Kind {
        match (&self.asker, kind) {
            (Asker::Agent { .. }, Kind::Preference) => Kind::Decision,
            _ => kind,
        }
    }
}

/// Writes a name as stamps and addresses take it; the agent may call itself anything, also a person.
fn plain(name: &str) -> String {
    let name = lore_core::slug(name);
    if name.is_empty() { "unknown".to_owned() } else { name }
}
