//! A question in words, answered in the words that were written or said.

use lore_core::handle::shown;
use lore_core::text::{counted, tokens};
use lore_core::{Moment, Voice};
use lore_store::git::Git;
use lore_surface::{Answering, AskOptions, Quote};
use serde::Serialize;

use crate::query::Across;
use crate::spike::{Answered, AnsweredHow};
use crate::written::Written;
use crate::{Engine, Error};

/// The lead has at most so many lines.
const LEAD: usize = 3;
/// So many tokens an answer may cost where nothing is said.
const USUAL: usize = 500;

/// What is asked, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// What the answer may cost, in tokens.
    pub budget: usize,
    /// As things stood at this moment, instead of now.
    pub as_of: Option<Moment>,
}

/// What can be said to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// Whether what is known answers it; where not, the nearest is given all the same.
    pub known: bool,
    /// Why it counts as an answer, or why it does not.
    pub why: String,
    /// What answers it, in one to three lines; both sides where it changed or is disputed.
    pub lead: Vec<Evidence>,
    /// The evidence, best first, within the budget.
    pub passages: Vec<Evidence>,
    /// What an experiment answered, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<Answered>,
    /// What files of the project and the user's own say about it, beside what is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<Written>,
}

/// Words that were written or said, with their source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The words, as they stand there.
    pub text: String,
    /// `current`, `disputed`, `outdated`, `superseded`; for what was only said: `uncurated` or `earlier`.
    pub status: String,
    /// Whether the machine wrote it and no person has confirmed it.
    pub unreviewed: bool,
    /// By what the code shows that it no longer holds, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// The id of the entry, or `session://<agent>/<id>#L<line>`.
    pub source: String,
    /// `entry` or `passage`.
    pub level: &'static str,
    /// Whose words they are: `person`, `agent`, `tool`.
    pub voice: Voice,
    /// When it was written or said.
    pub at: Option<Moment>,
    /// How it ranks among the others, the larger the better; numbers of two questions do not compare.
    pub score: f64,
    /// The project it is from, where it is not this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

impl Question {
    /// Asks in words, with the usual budget.
    pub fn new(text: impl Into<String>) -> Question {
        Question { text: text.into(), budget: USUAL, as_of: None }
    }
}

impl Engine {
    /// Answers a question from entries and past sessions, or says that it is not known.
    pub fn ask(&self, question: &Question) -> Result<Answer, Error> {
        if question.text.trim().is_empty() {
            return Err(Error::request(
                "there is no question",
                "ask in words: lore ask \"why do we use X?\"",
            ));
        }
        let options = AskOptions {
            today: Moment::Instant(self.world.now),
            budget: question.budget,
            as_of: question.as_of,
            projects: Vec::new(),
            own_names: self.own_names(),
        };
        let mut given =
            self.with_library(|index| lore_surface::answer(&index.snapshot(), &question.text, &options))?;
        let is_too_little = !given.abstained && given.lead.is_empty() && given.passages.is_empty();
        let excluded = self.exclusion()?;
        let may_be_told = |quote: &Quote| quote.level != "passage" || !excluded.is_off_limits(&quote.text);
        given.lead.retain(may_be_told);
        given.passages.retain(may_be_told);
        // Where nothing can be put first, nothing is known, whatever else was once said.
        given.abstained |= given.lead.is_empty();
        // What is said by the way is among the passages, if it is worth saying.
        let answered = if question.as_of.is_none() { self.answered(&question.text)? } else { None };
        let answered = answered.filter(|answered| answered.how != AnsweredHow::Incidental);
        let measured = answered.as_ref().filter(|answered| answered.is_whole() && given.abstained);
        // A file says what holds now, not what held then.
        let written = if question.as_of.is_none() { self.written_about(&question.text) } else { Vec::new() };
        let answering = Answering::of(&question.text, &options.own_names);
        let stands = written.iter().find(|one| given.abstained && answering.answered_by(&one.text));
        let stands = stands.map(|one| format!("{}:{} says it", one.file, one.line));
        let mut lead = Evidence::with_measured(given.lead, answered.as_ref());
        lead.truncate(LEAD);
        let mut passages = Evidence::with_measured(given.passages, answered.as_ref());
        // The code says what holds now, not what held then.
        if question.as_of.is_none() {
            self.hold_against_the_code(lead.iter_mut().chain(&mut passages))?;
        }
        let known = !given.abstained || measured.is_some() || stands.is_some();
        if is_too_little && !known {
            let tokens = counted(question.budget, "token", "tokens");
            let sentence = format!("what answers it does not fit into {tokens}");
            return Err(Error::request(
                sentence,
                format!("leave the budget out for {USUAL}, or name a larger one"),
            ));
        }
        Ok(Answer {
            question: question.text.clone(),
            known,
            why: measured.map(Answered::line).or(stands).unwrap_or(given.why),
            lead,
            passages,
            answered,
            written,
        })
    }
}

impl Engine {
    /// Says beside what entries say whether the code shows that it no longer holds.
    fn hold_against_the_code<'e>(&self, told: impl Iterator<Item = &'e mut Evidence>) -> Result<(), Error> {
        let mut broken = self.broken_by(self)?;
        let is_told_as_true = |one: &&mut Evidence| matches!(one.status.as_str(), "current" | "disputed");
        for one in told.filter(|one| one.level == "entry").filter(is_told_as_true) {
            one.broken = broken.of(&one.source);
        }
        broken.save();
        Ok(())
    }

    /// Lists what this project is called: its folder, and where it is published. A name of several words is left out,
    /// for each of them may be meant by itself.
    pub(crate) fn own_names(&self) -> Vec<String> {
        let folder = self.project().file_name().map(|name| name.to_string_lossy().into_owned());
        let published = self.store.git().and_then(Git::remote);
        let published = published.map(|url| {
            let last = url.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
            last.trim_end_matches(".git").to_owned()
        });
        let names = folder.into_iter().chain(published);
        names.filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric)).collect()
    }

    /// Answers a question also from other projects' bases; without an answer anywhere, as from here alone.
    pub fn ask_across(&self, question: &Question, across: &Across) -> Result<Answer, Error> {
        let own = match across {
            Across::Project(_) => None,
            Across::Here | Across::All => Some(self.ask(question)?),
        };
        // What is the user's own is looked for where the project does not know.
        if let Some(own) = own.as_ref().filter(|own| *across == Across::Here && own.known) {
            return Ok(own.clone());
        }
        let mut answers: Vec<Answer> = own.into_iter().collect();
        for (name, other) in self.others(across)? {
            let mut answer = other.ask(question)?;
            for passage in answer.lead.iter_mut().chain(&mut answer.passages) {
                passage.project = Some(name.clone());
            }
            answers.push(answer);
        }
        // Where nobody knows, the first that was asked says so.
        let first_known = answers.iter().position(|answer| answer.known).unwrap_or(0);
        let mut told = match answers.is_empty() {
            true => self.ask(question)?,
            false => answers.remove(first_known),
        };
        if told.known {
            for answer in answers.into_iter().filter(|answer| answer.known) {
                told.lead.extend(answer.lead);
                told.passages.extend(answer.passages);
            }
            told.lead.sort_by(|a, b| b.score.total_cmp(&a.score));
            told.lead.truncate(LEAD);
            told.passages.sort_by(|a, b| b.score.total_cmp(&a.score));
            let mut left = question.budget;
            let mut fits = |passage: &Evidence| {
                let cost = tokens(&passage.text);
                let fits = cost <= left;
                left -= if fits { cost } else { 0 };
                fits
            };
            let mut kept = 0;
            told.passages.retain(|passage| {
                let keep = fits(passage) || kept == 0;
                kept += usize::from(keep);
                keep
            });
        }
        Ok(told)
    }
}

impl Evidence {
    /// Puts what was measured before what was written or said.
    fn with_measured(quotes: Vec<Quote>, answered: Option<&Answered>) -> Vec<Evidence> {
        let mut passages: Vec<Evidence> = quotes.into_iter().map(Evidence::of).collect();
        for one in answered.iter().flat_map(|answered| &answered.by).rev() {
            passages.retain(|known| known.source != one.id);
            let measured = Evidence {
                text: one.answer.clone(),
                status: "current".to_owned(),
                unreviewed: false,
                broken: None,
                source: one.id.clone(),
                level: "entry",
                voice: Voice::Tool,
                at: None,
                score: 1.0,
                project: None,
            };
            passages.insert(0, measured);
        }
        passages
    }

    fn of(quote: Quote) -> Evidence {
        let Quote { text, status, unreviewed, source, level, voice, at, score, .. } = quote;
        let (broken, project) = (None, None);
        Evidence { text, status, unreviewed, broken, source, level, voice, at, score, project }
    }

    /// Says in a word or two what a line that does not simply hold is; empty where it does.
    pub fn opening(&self) -> &'static str {
        match self.status.as_str() {
            "superseded" | "outdated" => "before that:",
            "disputed" => "disputed:",
            "possibly-replaced" => "possibly replaced:",
            _ => "",
        }
    }

    /// Says what is the matter with it, where it stands, since when and whose words it is.
    pub fn citation(&self) -> String {
        let day = self.at.map(|at| format!(", {}", at.date())).unwrap_or_default();
        let status = match self.status.as_str() {
            "current" if self.unreviewed => "unreviewed, ".to_owned(),
            "current" | "earlier" => String::new(),
            "uncurated" => "only said, ".to_owned(),
            other => format!("{other}, "),
        };
        let who = match self.voice {
            Voice::Person => ", a person",
            Voice::Agent => ", an agent",
            Voice::Tool | Voice::Web => "",
        };
        let broken =
            self.broken.as_deref().map(|why| format!("no longer holds: {why}; ")).unwrap_or_default();
        let project = self.project.as_ref().map(|name| format!(", in {name}")).unwrap_or_default();
        format!("({broken}{status}{}{day}{who}{project})", shown(&self.source))
    }

    /// Tells whether it is given as something that holds today.
    pub fn is_current(&self) -> bool {
        matches!(self.status.as_str(), "current" | "uncurated")
    }
}
