//! Aider: one Markdown file for each repository, to which every chat is appended.
//!
//! A line that begins with `#### ` is what the person typed, one with `> ` is what aider itself
//! said; everything else is the model's.

use std::path::Path;

use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Diagnostic, Session};
use serde_json::json;

use crate::conversation::{Conversation, Record, ToolResult};
use crate::json::time_of;
use crate::{Input, Location, Places, ReadError, Reader};

const OPENING: &str = "# aider chat started at ";

/// Reads aider's chat histories.
pub(super) struct Aider;

impl Reader for Aider {
    fn agent(&self) -> &'static str {
        "aider"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let named = path.file_name().is_some_and(|name| name == ".aider.chat.history.md");
        named || memchr::memmem::find(head, OPENING.as_bytes()).is_some_and(|at| at < 16)
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let mut lines = input.lines()?;
        let mut chat: Option<Chat<'_>> = None;
        let mut chats = 0;
        while let Some(line) = lines.next_line() {
            let text = String::from_utf8_lossy(line.bytes);
            if let Some(started) = text.strip_prefix(OPENING) {
                if let Some(done) = chat.replace(Chat::new(input, started.trim())) {
                    sink(done.finish(Vec::new()));
                }
                chats += 1;
            }
            let number = line.number;
            match &mut chat {
                Some(chat) => chat.line(number, &text),
                // The head of the file may have been cut off.
                None => chat.insert(Chat::new(input, "")).line(number, &text),
            }
        }
        let findings = lines.diagnostics(&input.path.to_string_lossy());
        if let Some(done) = chat
            && (chats > 0 || !done.is_empty())
        {
            sink(done.finish(findings));
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let mut found = vec![Location::file(places.home.join(".aider.chat.history.md"))];
        if places.variable("AIDER_CHAT_HISTORY_FILE").is_some() {
            found.push(Location::file(places.folder("AIDER_CHAT_HISTORY_FILE", "")));
        }
        found
    }

    fn project_locations(&self, folder: &Path) -> Vec<Location> {
        vec![Location::file(folder.join(".aider.chat.history.md"))]
    }
}

/// Who wrote a run of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Person,
    Aider,
    Model,
}

/// One chat on its way to a session.
struct Chat<'a> {
    talk: Conversation<'a>,
    voice: Voice,
    run: Vec<String>,
    from: u32,
    last: u32,
    thinking: bool,
    objection: Objection,
}

/// How far aider is with showing which edit of the model it could not make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Objection {
    None,
    Open,
    /// Within the edit itself, whose lines may begin like anybody's.
    Edit,
}

impl<'a> Chat<'a> {
    fn new(input: &Input<'a>, started: &str) -> Chat<'a> {
        let folder = input.path.parent();
        let name = folder.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let stamp = started.replace([' ', ':'], "-");
        let id = format!("aider-{}-{stamp}", name.unwrap_or_default());
        let mut talk = Conversation::new(input, "aider", &id);
        talk.draft.seen_at(time_of(&json!(started)));
        let directory = folder.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        talk.draft.session.directory = talk.draft.short(&directory);
        Chat {
            talk,
            voice: Voice::Model,
            run: Vec::new(),
            from: 0,
            last: 0,
            thinking: false,
            objection: Objection::None,
        }
    }

    fn is_empty(&self) -> bool {
        self.talk.len() == 0 && self.run.iter().all(|line| line.trim().is_empty())
    }

    fn line(&mut self, number: u32, line: &str) {
        if line.starts_with(OPENING) {
            return;
        }
        let (voice, text) = match (marked(line, "####"), marked(line, ">")) {
            _ if self.is_objection(line) => (Voice::Aider, line),
            (Some(text), _) => (Voice::Person, text),
            (_, Some(text)) => (Voice::Aider, text),
            _ => (Voice::Model, line),
        };
        // Empty lines are not reported, so a gap in the numbers is one.
        let gap = number > self.last + 1;
        if voice != self.voice {
            self.flush();
            self.voice = voice;
            // What is left open when somebody else speaks was never closed.
            self.thinking = false;
        } else if gap && voice == Voice::Model && !self.run.is_empty() {
            self.run.push(String::new());
        }
        self.last = number;
        if voice == Voice::Model && self.is_thought(line) {
            return;
        }
        if self.run.is_empty() {
            self.from = number;
        }
        self.run.push(text.to_owned());
    }

    /// Makes a turn of the lines gathered so far.
    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.run);
        if lines.is_empty() {
            return;
        }
        self.talk.record(Record { line: self.from, at: None, id: None });
        match self.voice {
            Voice::Person => self.person(&lines.join("\n")),
            Voice::Aider => self.aider(&lines),
            Voice::Model => self.talk.reply(&lines.join("\n")),
        }
    }

    /// Takes what was typed: words, a command with words, or a mere command.
    fn person(&mut self, typed: &str) {
        self.talk.end_reply();
        let typed = typed.trim_start();
        let command = typed.split_whitespace().next().unwrap_or_default();
        let rest = typed.get(command.len()..).unwrap_or_default().trim();
        match command {
            "/ask" | "/code" | "/architect" | "/context" | "/copy-context" | "/help" if !rest.is_empty() => {
                self.talk.say(Author::Person, Channel::CommandArguments, rest);
            }
            "/run" | "/test" | "/git" | "!" => {
                let line = if command == "/git" { format!("git {rest}") } else { rest.to_owned() };
                self.talk.command_of_person(&line, Outcome::Unknown, "");
            }
            _ if is_command(command) => {
                self.talk.say(Author::System, Channel::CommandEcho, typed);
            }
            _ => {
                self.talk.prompt(typed);
            }
        }
    }

    /// Takes what aider said: which files it changed, which model it uses, and other notices.
    fn aider(&mut self, lines: &[String]) {
        let mut notice = Vec::new();
        for line in lines {
            if let Some(path) = line.strip_prefix("Applied edit to ") {
                let path = path.trim();
                let id = format!("{}:{path}", self.from);
                self.talk.call(Some(&id), "apply_edit", &json!({ "path": path }));
                self.talk.result(ToolResult { id: Some(&id), outcome: Outcome::Done, output: line });
                continue;
            }
            let model = line.strip_prefix("Main model: ").or_else(|| line.strip_prefix("Model: "));
            self.talk.written_by(model.and_then(|text| text.split_whitespace().next()));
            notice.push(line.as_str());
        }
        let notice = notice.join("\n");
        if lines.iter().any(|line| line.starts_with("^C")) {
            self.talk.interrupt(&notice);
        } else {
            self.talk.say(Author::System, Channel::Notice, &notice);
        }
    }

    /// Tells whether a line is part of what aider tells the model by itself when an edit fits nowhere; only its first
    /// lines are marked as aider's.
    fn is_objection(&mut self, line: &str) -> bool {
        let behind = line.starts_with("The SEARCH section must exactly match")
            || (line.starts_with("# The other ") && line.contains("SEARCH/REPLACE"))
            || line.starts_with("Don't re-send them.")
            || line.starts_with("Just reply with fixed versions of the block");
        self.objection = match self.objection {
            _ if behind => Objection::None,
            _ if line.starts_with("## SearchReplaceNoExactMatch:") => Objection::Open,
            Objection::Edit if line.starts_with(">>>>>>> REPLACE") => Objection::Open,
            Objection::Open if line.starts_with("<<<<<<< SEARCH") => Objection::Edit,
            // It was only quoted, or cut off.
            Objection::Open if marked(line, "####").or(marked(line, ">")).is_some() => Objection::None,
            same => same,
        };
        behind || self.objection != Objection::None
    }

    /// Tells whether a line is part of what the model thought aloud.
    fn is_thought(&mut self, line: &str) -> bool {
        let mark = line.trim();
        if mark.starts_with("<thinking-content-") || mark == "► **THINKING**" {
            self.thinking = true;
        } else if mark.starts_with("</thinking-content-") || mark == "► **ANSWER**" {
            self.thinking = false;
            return true;
        }
        self.thinking
    }

    fn finish(mut self, findings: Vec<Diagnostic>) -> Session {
        self.flush();
        self.talk.draft.add_diagnostics(findings);
        self.talk.finish()
    }
}

/// Returns what stands behind a mark at the beginning of a line.
fn marked<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.strip_prefix(mark).filter(|text| text.is_empty() || text.starts_with(' ')).map(str::trim)
}

/// Tells a command from a path that happens to stand first.
fn is_command(word: &str) -> bool {
    let name = word.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}
