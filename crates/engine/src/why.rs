//! Why something is known: whose words it rests on, what it replaced, and which runs touched it.

use lore_core::{Article, Claim, LinkKind, Standing, Voice};
use serde::Serialize;

use crate::ended::{Ended, Named};
use crate::log::LogOptions;
use crate::signals::{Note, Occurrence};
use crate::{Engine, Error};

/// Why an entry says what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The entry.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: lore_core::Status,
    /// Its statements, those that hold first.
    pub claims: Vec<WhyClaim>,
    /// What it replaced.
    pub replaced: Vec<Named>,
    /// How it ended, where it no longer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Who confirmed it, and when.
    pub confirmed: Vec<String>,
    /// What files say against it.
    pub against: Vec<String>,
    /// What became of it, newest first.
    pub runs: Vec<WhyRun>,
}

/// A statement and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyClaim {
    /// The statement.
    pub text: String,
    /// `holds`, `disputed`, `possibly replaced`, `until DAY`; `noted` of friction that is not written down.
    pub standing: String,
    /// The words it rests on; none where a person wrote it.
    pub sources: Vec<WhySource>,
}

/// Words that a statement rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhySource {
    /// Whose words.
    pub voice: Voice,
    /// When, as far as it is known.
    pub day: Option<String>,
    /// What opens it.
    pub reference: String,
    /// The words, where the page quotes them.
    pub quote: Option<String>,
}

/// A run that touched an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyRun {
    /// What takes it back, where that can be.
    pub id: Option<String>,
    /// The day.
    pub day: String,
    /// Who.
    pub by: String,
    /// What became of the entry, in a word.
    pub what: &'static str,
}

impl Engine {
    /// Tells why an entry says what it says.
    pub fn why(&self, name: &str) -> Result<Why, Error> {
        let shown = match (self.show(name), self.note_called(name)) {
            (Ok(shown), _) => shown,
            (Err(_), Some(note)) => match &note.entry {
                Some(entry) => self.show(entry)?,
                None => return Ok(why_noted(&note)),
            },
            (Err(error), None) => return Err(error),
        };
        let entry = shown.entry;
        let article = Article::parse(&entry.body);
        let groups = [
            &article.lead,
            &article.why,
            &article.facts,
            &article.conflict,
            &article.doubted,
            &article.history,
        ];
        let source = |key: &String| {
            let source = entry.sources.iter().find(|source| source.id.as_deref() == Some(key))?;
            let quote = article.context.iter().find(|quote| quote.source == *key);
            Some(WhySource {
                voice: source.voice,
                day: source.at.map(|at| at.date().to_string()),
                reference: format!("{}#{key}", entry.id.handle()),
                quote: quote.map(|quote| quote.words.clone()),
            })
        };
        let claim = |claim: &Claim| WhyClaim {
            text: claim.text.clone(),
            standing: standing(&claim.standing),
            sources: claim.sources.iter().filter_map(source).collect(),
        };
        let stamp = |stamp: &lore_core::Stamp| match stamp.at {
            Some(at) => format!("{} on {}", stamp.by, at.date()),
            None => stamp.by.clone(),
        };
        let mut runs = Vec::new();
        for run in self.log_of_runs(&LogOptions::default())?.runs {
            for told in run.entries.iter().filter(|told| told.id.as_ref() == Some(&entry.id)) {
                let day = lore_core::Moment::Instant(run.at).date().to_string();
                runs.push(WhyRun { id: run.id.clone(), day, by: run.by.clone(), what: told.what });
            }
        }
        let snapshot = self.store.snapshot()?;
        let replaced = Named::linked(&snapshot, &entry, LinkKind::Supersedes);
        let disagreements = self.known_disagreements();
        let against =
            disagreements.iter().filter(|one| one.entry == entry.id).map(|one| one.beside()).collect();
        Ok(Why {
            claims: groups.into_iter().flatten().map(claim).collect(),
            replaced,
            ended: shown.ended,
            confirmed: entry.verified.iter().map(stamp).collect(),
            against,
            runs,
            id: entry.id.to_string(),
            title: entry.title.clone(),
            status: entry.status,
        })
    }
}

/// Tells why friction was noted: what was noticed, and where.
fn why_noted(note: &Note) -> Why {
    let source = |one: &Occurrence| WhySource {
        voice: if note.is_private() { Voice::Person } else { Voice::Tool },
        day: one.at.map(|at| lore_core::Moment::Instant(at).date().to_string()),
        reference: match one.line {
            0 => format!("{} {}", one.agent, one.session),
            line => format!("session://{}/{}#L{line}", one.agent, one.session),
        },
        quote: None,
    };
    let claim = WhyClaim {
        text: note.happened.clone(),
        standing: "noted".to_owned(),
        sources: note.occasions.iter().map(source).collect(),
    };
    Why {
        id: note.id.clone(),
        title: note.title.clone(),
        status: lore_core::Status::Current,
        claims: vec![claim],
        replaced: Vec::new(),
        ended: None,
        confirmed: Vec::new(),
        against: Vec::new(),
        runs: Vec::new(),
    }
}

fn standing(standing: &Standing) -> String {
    match standing {
        Standing::Current => "holds".to_owned(),
        Standing::Disputed { .. } => "disputed".to_owned(),
        Standing::PossiblyReplaced { .. } => "possibly replaced".to_owned(),
        Standing::Past { until: Some(until), .. } => format!("until {}", until.date()),
        Standing::Past { reason: Some(reason), .. } => reason.clone(),
        Standing::Past { .. } => "held once".to_owned(),
    }
}
