//! From a note, or a person's words, to a signal in a base.

use lore_core::{
    Confidence, Detail, Entry, EntryId, Kind, Link, LinkKind, Moment, Severity, Signal, SignalType, Source,
    Voice,
};
use lore_store::Transaction;
use serde::Deserialize;

use super::notebook::{Note, Occurrence};
use crate::{Engine, Error};

/// Stands in a signal where nobody said anything.
pub(crate) const UNKNOWN: &str = "Not known.";
/// So many occasions are cited: the places that a lesson counts are read off the citations.
pub(super) const CITED: usize = 40;

/// A signal as somebody tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct NewSignal {
    /// What happened, in a few words.
    pub title: String,
    /// What sort it is; `custom` where nothing is said.
    #[serde(rename = "type")]
    pub signal_type: Option<SignalType>,
    /// How bad it is; `medium` where nothing is said.
    pub severity: Option<Severity>,
    /// Whether it tells of something that went well.
    pub positive: bool,
    /// What happened.
    pub happened: String,
    /// What was going on.
    pub context: String,
    /// What may be behind it.
    pub cause: String,
    /// What to do about it, or what helped.
    pub remedy: String,
    /// The phase it happened in.
    pub phase: Option<String>,
    /// The plan it happened in.
    pub plan: Option<String>,
    /// Subject words.
    pub tags: Vec<String>,
    /// Files it is about.
    pub files: Vec<String>,
}

impl Engine {
    /// Writes a signal down as somebody tells it; nothing is analysed, nothing is compared.
    pub fn add_signal(&self, told: &NewSignal, dry_run: bool) -> Result<crate::entries::Done, Error> {
        let title = lore_core::one_line(told.title.trim().trim_end_matches('.'));
        if title.is_empty() {
            return Err(Error::request("a signal needs a title", "say in a few words what happened"));
        }
        let files = self.all_from_project(&told.files)?;
        let now = self.world.moment();
        let mut transaction = self.begin("signal")?;
        let id = transaction.free_id(&EntryId::new(Kind::Signal, now.date(), &title));
        let mut entry = Entry::new(id, Kind::Signal, &title);
        let happened =
            if told.happened.trim().is_empty() { format!("{title}.") } else { told.happened.clone() };
        entry.body = body(&title, [&happened, &told.context, &told.cause, &told.remedy]);
        entry.description = crate::entries::first_sentence(&happened);
        entry.tags.clone_from(&told.tags);
        entry.files = files;
        entry.confidence = Some(Confidence::High);
        entry.detail = Detail::Signal(Signal {
            severity: Some(told.severity.unwrap_or(Severity::Medium)),
            signal_type: Some(told.signal_type.unwrap_or(SignalType::Custom)),
            polarity: Some(polarity(told.positive).to_owned()),
            phase: told.phase.clone(),
            plan: told.plan.clone(),
            detection_method: Some("manual".to_owned()),
            ..Signal::default()
        });
        self.sign(&mut entry);
        entry.verified.clear();
        let written = transaction.create(entry)?;
        let (id, path) = (written.id, written.path);
        if !dry_run {
            self.commit(transaction, &format!("signal {id}"))?;
        }
        Ok(crate::entries::Done { id, path, met: None, dry_run })
    }
}

/// How a note is written.
pub(super) struct Keeping<'a> {
    /// How bad it is told.
    pub(super) severity: Severity,
    /// The signal that came back by it.
    pub(super) recurs: Option<&'a EntryId>,
    /// The project it is from, where it goes to the user's own base.
    pub(super) project: Option<&'a str>,
    /// Now.
    pub(super) now: jiff::Timestamp,
}

/// Writes a note into a base as a signal; one that came back cites the one it was.
pub(super) fn write(
    transaction: &mut Transaction<'_>,
    note: &Note,
    keeping: &Keeping<'_>,
) -> Result<EntryId, Error> {
    let Keeping { severity, recurs, project, now } = *keeping;
    let at = note.last().unwrap_or(now);
    let moment = Moment::Instant(at);
    let id = transaction.free_id(&EntryId::new(Kind::Signal, moment.date(), &note.title));
    let mut entry = Entry::new(id, Kind::Signal, &note.title);
    let why = note.why.iter().map(|why| format!("- {why}")).collect::<Vec<_>>().join("\n");
    let happened = match (&note.quote, note.is_private()) {
        (Some(quote), _) => format!("{}\n\n> {quote}", note.happened),
        (None, true) => note.happened.clone(),
        (None, false) => format!("{}\n\nNoticed by rule:\n\n{why}", note.happened),
    };
    let cause = note.cause.clone().unwrap_or_default();
    let remedy = note.remedy().unwrap_or_default().to_owned();
    entry.body = body(&note.title, [&happened, &note.context, &cause, &remedy]);
    entry.project = project.map(str::to_owned);
    entry.description = crate::entries::first_sentence(&note.happened);
    entry.tags = tags(note);
    entry.files.clone_from(&note.files);
    entry.created = Some(moment);
    entry.updated = Some(moment);
    entry.confidence = Some(Confidence::Medium);
    entry.occurrences = Some(note.times);
    entry.sources = note.occasions.iter().rev().take(CITED).map(|one| source(note, one)).collect();
    entry.links.extend(recurs.map(|id| Link::new(LinkKind::RecurrenceOf, id.as_str())));
    entry.detail = Detail::Signal(Signal {
        severity: Some(severity),
        signal_type: Some(note.signal_type),
        polarity: Some(polarity(note.positive).to_owned()),
        phase: note.phase.clone(),
        plan: note.plan.clone(),
        detection_method: Some(sensor(note).to_owned()),
        subject: Some(note.subject.clone()).filter(|subject| !subject.is_empty()),
        command: note.command.clone(),
        error: note.error.clone(),
        ..Signal::default()
    });
    Ok(transaction.create(entry)?.id)
}

/// Makes the citation of an occasion.
pub(super) fn source(note: &Note, one: &Occurrence) -> Source {
    let at = one.at.map(Moment::Instant);
    let voice = match (note.is_private(), one.agent.as_str()) {
        (true, _) => Voice::Person,
        (false, "git" | "plan") => Voice::Tool,
        (false, _) => Voice::Agent,
    };
    match one.agent.as_str() {
        "git" => Source {
            at,
            commit: Some(one.session.clone()),
            ..Source::new(format!("commit:{}", one.session), voice)
        },
        "plan" => Source { at, ..Source::new(format!("plan:{}", one.session), voice) },
        agent => Source {
            at,
            ..Source::session_line(agent, &lore_core::SessionId::new(one.session.clone()), one.line, voice)
        },
    }
}

fn sensor(note: &Note) -> &'static str {
    match note.occasions.first().map(|one| one.agent.as_str()) {
        Some("git") => "sensor-git",
        Some("plan") => "sensor-artifact",
        _ => "sensor-session",
    }
}

fn polarity(positive: bool) -> &'static str {
    if positive { "positive" } else { "negative" }
}

/// Subject words: the sort, the program, the language of the file.
fn tags(note: &Note) -> Vec<String> {
    let program = note.command.as_deref().and_then(|command| command.split_whitespace().next());
    let program = program.map(|program| lore_core::slug(program.rsplit('/').next().unwrap_or(program)));
    let ending =
        note.files.first().and_then(|file| file.rsplit_once('.')).map(|(_, ending)| lore_core::slug(ending));
    let mut tags = vec![note.signal_type.word().to_owned()];
    tags.extend(program.into_iter().chain(ending).filter(|tag| !tag.is_empty() && tag.len() < 24));
    tags.dedup();
    tags
}

fn body(title: &str, [happened, context, cause, remedy]: [&String; 4]) -> String {
    let mut out = format!("# {title}\n");
    for (heading, text) in [("What Happened", happened), ("Context", context), ("Potential Cause", cause)] {
        let text = text.trim();
        out.push_str(&format!("\n## {heading}\n\n{}\n", if text.is_empty() { UNKNOWN } else { text }));
    }
    if !remedy.trim().is_empty() {
        out.push_str(&format!("\n## Remedy\n\n{}\n", remedy.trim()));
    }
    out
}
