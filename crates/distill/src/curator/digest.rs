//! A session as numbered lines: who said what, in the order of the transcript.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use lore_core::redact::Redactor;
use lore_core::session::{Author, Channel, FileAction, Outcome, Session, ToolCall, Turn};
use lore_core::{LineClass, Moment, PacketLine, SessionId};
use regex::Regex;

use super::pasted::looks_pasted;
use super::tidy::{cut, cut_to, tidy, without_home};
use crate::extract::commit;

/// Of a session that has grown, so many lines from before are shown again.
const OLD_LINES: usize = 6;
/// So much of each, in characters.
const OLD_SHOWN: usize = 400;
/// So many files are named, the most edited first.
const FILES: usize = 8;
/// Shorter paragraphs of an agent at work say nothing.
const PASSING_LENGTH: usize = 45;
/// Words said again are one line from this length on: “yes” answers something else each time.
const RETYPED: usize = 24;
/// What is shown of pasted text: its beginning and its end.
const PASTED_HEAD: usize = 400;
const PASTED_TAIL: usize = 200;
/// How much of a session's id and branch its heading shows.
const ID_LENGTH: usize = 8;
const BRANCH_LENGTH: usize = 80;

/// Openings of an agent that is only working.
static WORKING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:now|let\ me|let's|i'll|i\ will|i'm\ going\ to|i\ am\ going\ to|i\ need\ to|i\ see|good|great|perfect|excellent|nice|ok(?:ay)?|next|first|then|also
            |time\ to|checking|running|looking|reading|updating|adding|fixing|all\ (?:tests|green|good|done|\d+)|tests?\ pass|build\ (?:passes|succeeds)|lint|done|both|clean)\b",
    )
    .expect("the pattern is a constant")
});
/// Signs that such a paragraph says something all the same.
static TELLING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)root\ cause|turns?\ out|because|instead\ of|rather\ than|no\ longer|cannot|can't|won't|doesn't|does\ not|limitation|requires?\b
            |confirm(?:s|ed)|the\ (?:real\ |actual\ )?(?:issue|problem|bug|reason|cause)\b|so\ that|by\ design|never|always|must\b",
    )
    .expect("the pattern is a constant")
});

/// What there is to curate in one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDigest {
    /// The session.
    pub session: SessionId,
    /// The issue it belongs to.
    pub issue: Option<String>,
    /// The two lines that open it in a packet.
    pub head: String,
    /// The day that they give.
    pub day: Option<jiff::civil::Date>,
    /// The files that they name.
    pub files: Vec<String>,
    /// Its lines in the order of the transcript; they have no numbers yet.
    pub lines: Vec<PacketLine>,
    /// The last record of the transcript.
    pub until: u32,
}

impl SessionDigest {
    /// Tells whether no editor has seen a record of it yet.
    pub fn is_new(&self, record: u32) -> bool {
        let before = self.lines.iter().filter(|line| line.old).map(|line| line.record).max();
        before.is_none_or(|before| record > before)
    }
}

/// Takes a session apart from the first record behind `from_line` on; nothing where there is
/// nothing to curate: a subagent's session, one in which no person typed, one that has not grown.
pub fn digest(session: &Session, from_line: u32) -> Option<SessionDigest> {
    if session.parent.is_some() {
        return None;
    }
    let mut lines = lines_of(session);
    lines.sort_by_key(|line| line.record);
    distrust_what_is_enclosed(&mut lines);
    without_retypings(&mut lines);
    without_the_same_plan(&mut lines);
    if !lines.iter().any(|line| line.class == LineClass::Typed) {
        return None;
    }
    let known = lines.iter().filter(|line| line.record <= from_line).count();
    if known == lines.len() {
        return None;
    }
    lines.drain(..known.saturating_sub(OLD_LINES));
    for line in lines.iter_mut().filter(|line| line.record <= from_line) {
        line.old = true;
        // Whoever read it before took out of it what was worth it.
        line.text = cut_to(&line.text, OLD_SHOWN);
    }
    let day = session.started.map(Moment::Instant).or_else(|| lines.iter().find_map(|line| line.at));
    let day = day.map(|day| day.date());
    let files = files(session);
    Some(SessionDigest {
        session: session.id.clone(),
        issue: session.issue.clone(),
        head: head(session, day, &files),
        day,
        files,
        until: last_record(session).max(lines.last().map_or(0, |line| line.record)),
        lines,
    })
}

/// Says whose words a block of a turn holds, by the way it came; nothing where they are nobody's.
fn class_of(turn: &Turn, text: &str) -> Option<LineClass> {
    match (turn.author, turn.channel) {
        (Author::Person, Channel::PastedPlan) => Some(LineClass::PlanAccepted),
        (Author::Person, Channel::Pasted) => Some(LineClass::Pasted),
        (Author::Person, channel) if channel.is_persons_words() => {
            let is_pasted = matches!(channel, Channel::Prompt | Channel::Queued) && looks_pasted(text);
            Some(if is_pasted { LineClass::Pasted } else { LineClass::Typed })
        }
        (Author::Agent, Channel::Plan) => Some(LineClass::PlanOpen),
        (Author::Agent, Channel::Reply) => Some(LineClass::Passing),
        _ => None,
    }
}

fn lines_of(session: &Session) -> Vec<PacketLine> {
    let turns: Vec<&Turn> = session.live_turns().collect();
    let closing = closing(&turns);
    let mut out = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let mut push = |record: u32, class: LineClass, text: String| {
            // What leaves the machine is redacted once more on its way out.
            let text = Redactor::standard().redact(&text).text.into_owned();
            if text.chars().any(char::is_alphanumeric) {
                let at = turn.at.or(session.started).map(Moment::Instant);
                out.push(PacketLine {
                    number: 0,
                    session: session.id.clone(),
                    agent: session.agent.clone(),
                    record,
                    class,
                    at,
                    old: false,
                    text,
                });
            }
        };
        for block in &turn.blocks {
            let Some(class) = class_of(turn, &block.text) else { continue };
            let class = match class {
                LineClass::PlanOpen => outcome_of_plan(turn, block.line).unwrap_or(LineClass::Passing),
                LineClass::Passing if closing.contains(&at) => LineClass::Closing,
                class => class,
            };
            push(block.line, class, shown(turn.channel, class, &block.text));
        }
        for call in turn.tool_calls.iter().filter(|call| call.outcome == Outcome::Done) {
            if let Some(message) = message_of(call) {
                let text = cut_to(&tidy(&message), LineClass::Commit.limit());
                push(call.line, LineClass::Commit, text);
            }
        }
    }
    taken_along(&mut out);
    out
}

/// Leaves it open what became of plans that were refused without a word: whoever turns one down says why, and whoever
/// takes one along into a fresh session refuses it as well.
fn taken_along(lines: &mut [PacketLine]) {
    let last_word = lines.iter().rposition(|line| line.class == LineClass::Typed);
    for line in lines.iter_mut().skip(last_word.map_or(0, |at| at + 1)) {
        if line.class == LineClass::PlanRefused {
            line.class = LineClass::PlanOpen;
        }
    }
}

/// Finds the agent's last words before a person speaks and at the end.
fn closing(turns: &[&Turn]) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut last = None;
    for (at, turn) in turns.iter().enumerate() {
        let is_person = turn.author == Author::Person
            && (turn.channel.is_persons_words() || turn.channel == Channel::PastedPlan);
        let has_prose = turn.blocks.iter().any(|block| !block.text.trim().is_empty());
        if is_person {
            found.extend(last.take());
        } else if turn.author == Author::Agent && turn.channel == Channel::Reply && has_prose {
            last = Some(at);
        }
    }
    found.extend(last);
    found
}

/// Says what became of the plan in a record; nothing where the record holds other words of that turn.
fn outcome_of_plan(turn: &Turn, record: u32) -> Option<LineClass> {
    let mut asking =
        turn.tool_calls.iter().filter(|call| call.name.to_lowercase().contains("plan")).peekable();
    if asking.peek().is_none() {
        return Some(LineClass::PlanOpen);
    }
    asking.find(|call| call.line == record).map(|call| match call.outcome {
        Outcome::Done => LineClass::PlanAccepted,
        Outcome::Rejected => LineClass::PlanRefused,
        _ => LineClass::PlanOpen,
    })
}

fn message_of(call: &ToolCall) -> Option<String> {
    let command = call.command.as_deref().filter(|command| command.contains("git commit"))?;
    commit::message(command)
}

/// What a line says before the words of whoever answered a question or refused a step.
const ANSWERS: &str = "answers: ";
const REFUSES: &str = "refuses a step: ";

/// Returns what was said, without what its line says before it.
pub(super) fn own_words(line: &str) -> &str {
    [ANSWERS, REFUSES].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line)
}

/// Writes a block as its line shows it.
fn shown(channel: Channel, class: LineClass, text: &str) -> String {
    let text = match class {
        LineClass::Passing => return cut_to(&passing(text), class.limit()),
        LineClass::Pasted => return cut(&tidy(text), PASTED_HEAD, PASTED_TAIL),
        _ => tidy(text),
    };
    let text = match channel {
        Channel::Answer => format!("{ANSWERS}{}", text.replace("\n→ ", " → ")),
        Channel::Rejection => format!("{REFUSES}{text}"),
        _ => text,
    };
    cut_to(&text, class.limit())
}

/// Keeps the paragraphs of an agent at work that say something.
fn passing(text: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    for paragraph in text.split("\n\n") {
        let paragraph = tidy(paragraph);
        let is_long = paragraph.chars().count() >= PASSING_LENGTH;
        if is_long && (!WORKING.is_match(&paragraph) || TELLING.is_match(&paragraph)) {
            kept.push(paragraph);
        }
    }
    kept.join("\n")
}

/// What stands between two pasted parts of one message is taken as pasted too. A reader joins what was
/// typed of a message and hands over how much was pasted, not where: only if both ends were typed is it
/// known which words these are.
fn distrust_what_is_enclosed(lines: &mut [PacketLine]) {
    for record in lines.chunk_by_mut(|a, b| a.record == b.record) {
        let places = |class: LineClass| {
            let own = record.iter().enumerate().filter(move |(_, line)| line.class == class);
            own.map(|(at, _)| at).collect::<Vec<usize>>()
        };
        let (typed, pasted) = (places(LineClass::Typed), places(LineClass::Pasted).len());
        if pasted < 2 {
            continue;
        }
        let enclosed = match typed.as_slice() {
            [_, middle @ .., _] if middle.len() + 2 == pasted + 1 => middle,
            all => all,
        };
        for at in enclosed {
            record[*at].class = LineClass::Pasted;
        }
    }
}

/// A person who sends the same words again says them once.
fn without_retypings(lines: &mut Vec<PacketLine>) {
    let mut seen: HashSet<(LineClass, String)> = HashSet::new();
    let mut before: Option<(LineClass, String)> = None;
    lines.retain(|line| {
        let key = (line.class, line.text.clone());
        let is_persons = !matches!(line.class, LineClass::Closing | LineClass::Passing);
        let is_long = line.text.chars().count() >= RETYPED;
        let again = is_persons && (before.as_ref() == Some(&key) || is_long && seen.contains(&key));
        seen.insert(key.clone());
        before = Some(key);
        !again
    });
}

/// A plan that was put before a person twice is shown once, with what became of it in the end.
fn without_the_same_plan(lines: &mut Vec<PacketLine>) {
    let is_plan = |line: &PacketLine| {
        matches!(line.class, LineClass::PlanOpen | LineClass::PlanAccepted | LineClass::PlanRefused)
    };
    let opening = |line: &PacketLine| -> String {
        let text = line.text.strip_prefix(IMPLEMENT).unwrap_or(&line.text);
        text.chars().filter(|c| c.is_alphanumeric()).take(PLAN_OPENING).collect()
    };
    let plans: Vec<(usize, String)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_plan(line))
        .map(|(at, line)| (at, opening(line)))
        .collect();
    let mut at = 0;
    lines.retain(|line| {
        let own = plans.iter().find(|(place, _)| *place == at);
        let again = own.is_some_and(|(place, text)| {
            line.class == LineClass::PlanOpen
                && plans.iter().any(|(later, same)| later > place && same == text)
        });
        at += 1;
        !again
    });
}

/// How a plan is handed on, and so much of it tells it from others.
const IMPLEMENT: &str = "Implement the following plan:";
const PLAN_OPENING: usize = 600;

fn head(session: &Session, day: Option<jiff::civil::Date>, files: &[String]) -> String {
    let id: String = session.id.as_str().chars().take(ID_LENGTH).collect();
    let day = day.map(|day| format!(" · {day}")).unwrap_or_default();
    let branch = session.branch.as_deref().filter(|branch| !branch.is_empty());
    let branch = branch
        .map(|branch| format!(" · branch {}", cut_to(&tidy(branch), BRANCH_LENGTH)))
        .unwrap_or_default();
    let files = if files.is_empty() { "none".to_owned() } else { files.join(", ") };
    format!("SESSION {id}{day} · {}{branch}\nchanged files: {files}", session.agent)
}

/// Lists the files that were edited most, as seen from the folder of the session.
fn files(session: &Session) -> Vec<String> {
    let folder = session.directory.as_deref().map(|folder| format!("{}/", folder.trim_end_matches('/')));
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    // What a person refused, or what failed, changed nothing.
    let came_about = |call: &&ToolCall| !matches!(call.outcome, Outcome::Rejected | Outcome::Failed);
    let calls = session.live_turns().flat_map(|turn| &turn.tool_calls).filter(came_about);
    let touched = calls.flat_map(|call| &call.files).filter(|touch| touch.action != FileAction::Read);
    for (place, touch) in touched.enumerate() {
        let path =
            folder.as_deref().and_then(|folder| touch.path.strip_prefix(folder)).unwrap_or(&touch.path);
        let path = tidy(&without_home(path)).replace('\n', " ");
        counts.entry(path).or_insert((0, place)).0 += 1;
    }
    let mut files: Vec<(String, (usize, usize))> = counts.into_iter().collect();
    files.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.1.1.cmp(&b.1.1)));
    files.into_iter().map(|(path, _)| path).filter(|path| !path.is_empty()).take(FILES).collect()
}

fn last_record(session: &Session) -> u32 {
    let records = session.turns.iter().flat_map(|turn| {
        let calls = turn.tool_calls.iter().map(|call| call.result_line.unwrap_or(call.line).max(call.line));
        turn.blocks.iter().map(|block| block.line).chain(calls)
    });
    records.max().unwrap_or(0)
}
