//! What happened around each turn: what was asked, how it was answered, what was done with it.

use std::collections::HashMap;

use lore_core::Voice;
use lore_core::session::{Author, Branch, Channel, FileAction, Outcome, Session, Telltale, ToolCall, Turn};

use crate::extract::lexicon::Cues;
use crate::extract::terms::{Term, terms};

/// How the person took what the agent said last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Nobody said anything more.
    Silence,
    /// Agreed.
    Accepted,
    /// Disagreed, corrected or turned back.
    Refused,
    /// Went on with something else.
    WentOn,
}

/// A turn and its surroundings.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) turn: &'a Turn,
    /// How many times a person has spoken up to here.
    pub(crate) task: u32,
    /// No later prose of the agent before the person speaks again.
    pub(crate) closes_task: bool,
    /// No later prose of the agent at all.
    pub(crate) closes_session: bool,
    /// Tools are used between this turn and the next prose.
    pub(crate) works_on: bool,
    /// Files were changed earlier in the same task.
    pub(crate) after_edits: bool,
    /// Files are changed later, before the person speaks again.
    pub(crate) before_edits: bool,
    /// A commit is made later in the session.
    pub(crate) before_commit: bool,
    /// How the person took it, for the agent's last words of a task.
    pub(crate) reply: Reply,
    /// The agent's last prose before a person's turn.
    pub(crate) answers: Option<usize>,
    /// The person's next turn.
    pub(crate) next_person: Option<usize>,
}

/// A session, seen as a conversation.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) session: &'a Session,
    pub(crate) views: Vec<View<'a>>,
    /// Whether any file was changed.
    pub(crate) changes: bool,
    echoes: HashMap<Term, Echo>,
}

/// Where a term was used.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Echo {
    /// First turn of a person with it, plus one.
    pub(crate) first_person: usize,
    /// Last turn of a person with it, plus one.
    pub(crate) last_person: usize,
    /// Last closing words or commit message with it, plus one.
    pub(crate) last_closing: usize,
    /// Last change of a file with it, plus one.
    pub(crate) last_edit: usize,
    /// In how many turns it was used.
    pub(crate) turns: u32,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(session: &'a Session) -> Scene<'a> {
        let turns: Vec<&Turn> = session.turns.iter().filter(|turn| turn.branch == Branch::Live).collect();
        let views = views(&turns);
        let echoes = echoes(&views);
        let changes = turns.iter().any(|turn| turn.tool_calls.iter().any(changes_files));
        Scene { session, views, changes, echoes }
    }

    pub(crate) fn echo(&self, term: &Term) -> Echo {
        self.echoes.get(term).copied().unwrap_or_default()
    }
}

/// Tells whether a person speaks here in their own words.
pub(crate) fn is_person(turn: &Turn) -> bool {
    turn.author == Author::Person && turn.channel.is_persons_words()
}

/// Tells whether these are an agent's words that may hold knowledge.
pub(crate) fn is_agent(turn: &Turn) -> bool {
    (matches!(turn.channel, Channel::Reply | Channel::Plan) || is_handed_over(turn))
        && turn.author != Author::Tool
}

/// Tells whether a person sent here what an agent had written.
pub(crate) fn is_handed_over(turn: &Turn) -> bool {
    matches!(turn.channel, Channel::PastedPlan | Channel::Pasted)
        && turn.voice() == Voice::Agent
        && !matches!(turn.telltale, Some(Telltale::Playbook | Telltale::Template | Telltale::SetWords))
}

/// Tells whether the person takes part here, in own words or by handing a plan over.
pub(crate) fn is_prompt(turn: &Turn) -> bool {
    is_person(turn) || matches!(turn.channel, Channel::PastedPlan | Channel::Pasted)
}

pub(crate) fn changes_files(call: &ToolCall) -> bool {
    call.outcome != Outcome::Rejected
        && call.outcome != Outcome::Failed
        && call.files.iter().any(|touch| touch.action != FileAction::Read)
}

pub(crate) fn commits(call: &ToolCall) -> bool {
    matches!(call.outcome, Outcome::Done | Outcome::Unknown)
        && call
            .command
            .as_deref()
            .is_some_and(|command| command.contains("git commit") || command.contains("gh pr create"))
}

fn views<'a>(turns: &[&'a Turn]) -> Vec<View<'a>> {
    let mut views: Vec<View<'a>> = Vec::with_capacity(turns.len());
    let mut task = 0;
    let mut edited = false;
    let mut last_agent = None;
    for (index, turn) in turns.iter().enumerate() {
        if is_prompt(turn) {
            task += 1;
            edited = false;
        }
        let answers = if is_person(turn) { last_agent } else { None };
        views.push(View {
            turn,
            task,
            closes_task: false,
            closes_session: false,
            works_on: false,
            after_edits: edited,
            before_edits: false,
            before_commit: false,
            reply: Reply::Silence,
            answers,
            next_person: None,
        });
        edited |= turn.tool_calls.iter().any(changes_files);
        if is_agent(turn) && has_prose(turn) && !is_handed_over(turn) {
            last_agent = Some(index);
        }
    }
    look_back(&mut views);
    views
}

/// Fills in what can only be known from what came later.
fn look_back(views: &mut [View<'_>]) {
    let (mut prose_in_task, mut prose_later, mut works, mut edits, mut commit) =
        (false, false, false, false, false);
    let mut person: Option<(usize, Reply)> = None;
    for index in (0..views.len()).rev() {
        let turn = views[index].turn;
        let own_edit = turn.tool_calls.iter().any(changes_files);
        let own_commit = turn.tool_calls.iter().any(commits);
        let view = &mut views[index];
        view.works_on = works || !turn.tool_calls.is_empty();
        view.before_edits = edits || own_edit;
        view.before_commit = commit || own_commit;
        view.next_person = person.map(|(at, _)| at);
        let prose = is_agent(turn) && has_prose(turn);
        if prose && !is_handed_over(turn) {
            view.closes_task = !prose_in_task;
            view.closes_session = !prose_later;
            view.reply = person.map_or(Reply::Silence, |(_, reply)| reply);
            prose_in_task = true;
            prose_later = true;
            works = false;
        } else {
            works |= !turn.tool_calls.is_empty();
        }
        edits |= own_edit;
        commit |= own_commit;
        if is_prompt(turn) {
            view.before_edits = edits;
            person = Some((index, reply(turn)));
            prose_in_task = false;
            works = false;
            edits = false;
        }
    }
}

fn has_prose(turn: &Turn) -> bool {
    turn.blocks.iter().any(|block| block.text.chars().any(char::is_alphanumeric))
}

/// Reads from a person's words how they took what the agent said.
fn reply(turn: &Turn) -> Reply {
    if turn.channel == Channel::Rejection {
        return Reply::Refused;
    }
    let text = turn.blocks.first().map(|block| block.text.as_str()).unwrap_or_default();
    let opening: String = text.chars().take(160).collect();
    let cues = Cues::of(&opening);
    if cues.has("refusing") {
        Reply::Refused
    } else if cues.has("accepting") {
        Reply::Accepted
    } else {
        Reply::WentOn
    }
}

fn echoes(views: &[View<'_>]) -> HashMap<Term, Echo> {
    let mut echoes: HashMap<Term, Echo> = HashMap::new();
    for (index, view) in views.iter().enumerate() {
        let person = is_person(view.turn);
        if person || is_agent(view.turn) {
            for block in &view.turn.blocks {
                for term in terms(&block.text) {
                    let echo = echoes.entry(term).or_default();
                    echo.turns += 1;
                    if person {
                        echo.last_person = index + 1;
                        if echo.first_person == 0 {
                            echo.first_person = index + 1;
                        }
                    }
                    if view.closes_task {
                        echo.last_closing = index + 1;
                    }
                }
            }
        }
        for call in &view.turn.tool_calls {
            if commits(call) {
                for term in terms(call.command.as_deref().unwrap_or_default()) {
                    echoes.entry(term).or_default().last_closing = index + 1;
                }
            } else if changes_files(call) {
                for term in terms(&call.arguments) {
                    echoes.entry(term).or_default().last_edit = index + 1;
                }
            }
        }
    }
    echoes
}
