//! Claude Code's records as they stand in the file, borrowed from the line.
//!
//! Only what is used is named; everything else is walked over. Fields of an unexpected
//! type read as absent, so that one odd value does not cost the record.

use std::borrow::Cow;

use serde::Deserialize;

use super::chain::key;
use crate::walk::{Broken, Walk, decode};

/// One line.
#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    pub(super) kind: Text<'a>,
    pub(super) subtype: Text<'a>,
    pub(super) uuid: Text<'a>,
    pub(super) parent_uuid: Text<'a>,
    pub(super) logical_parent_uuid: Text<'a>,
    pub(super) session_id: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) is_sidechain: Flag,
    pub(super) timestamp: Text<'a>,
    pub(super) cwd: Text<'a>,
    pub(super) git_branch: Text<'a>,
    pub(super) version: Text<'a>,
    pub(super) is_meta: Flag,
    pub(super) is_compact_summary: Flag,
    pub(super) is_api_error_message: Flag,
    pub(super) message: Message<'a>,
    /// What a tool left beside its result, with whatever follows it on the line.
    pub(super) structured: Option<&'a [u8]>,
    pub(super) plan_content: Text<'a>,
    pub(super) origin: Origin<'a>,
    pub(super) forked_from: Reference<'a>,
    pub(super) content: Content<'a>,
    pub(super) attachment: Attachment<'a>,
    pub(super) operation: Text<'a>,
    pub(super) data: Progress<'a>,
    pub(super) summary: Text<'a>,
    pub(super) custom_title: Text<'a>,
    pub(super) ai_title: Text<'a>,
    pub(super) leaf_uuid: Text<'a>,
    pub(super) pr_url: Text<'a>,
    pub(super) prevented_continuation: Flag,
    pub(super) stop_reason: Text<'a>,
}

/// A message as the model's interface has it.
#[derive(Debug, Default)]
pub(super) struct Message<'a> {
    pub(super) id: Text<'a>,
    pub(super) model: Text<'a>,
    pub(super) content: Content<'a>,
}

/// Prose, or a list of parts.
#[derive(Debug, Default)]
pub(super) enum Content<'a> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    /// One part, as most messages have.
    Part(Part<'a>),
    Parts(Vec<Part<'a>>),
}

/// One part of a message.
#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) kind: Text<'a>,
    pub(super) text: Option<Cow<'a, str>>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    /// As it is written; nobody has looked yet whether it is JSON.
    pub(super) input: Option<&'a [u8]>,
    pub(super) tool_use_id: Text<'a>,
    /// As it is written; nobody has looked yet whether it is UTF-8.
    pub(super) content: Option<&'a [u8]>,
    pub(super) is_error: Flag,
}

/// What the harness attached to the conversation.
#[derive(Debug, Default)]
pub(super) struct Attachment<'a> {
    pub(super) kind: Text<'a>,
    pub(super) prompt: Content<'a>,
    pub(super) mode: Text<'a>,
    pub(super) origin: Origin<'a>,
}

/// Where a record came from, if not from a person.
#[derive(Debug, Default)]
pub(super) struct Origin<'a> {
    pub(super) kind: Text<'a>,
}

impl Origin<'_> {
    /// Tells whether it does not say that something else than a person wrote it.
    pub(super) fn may_be_a_person(&self) -> bool {
        matches!(self.kind.written(), b"" | b"human" | b"user")
    }
}

/// Another session.
#[derive(Debug, Default)]
pub(super) struct Reference<'a> {
    pub(super) session: Text<'a>,
}

/// What a running tool or subagent reports, inside a `progress` record.
#[derive(Debug, Default)]
pub(super) struct Progress<'a> {
    pub(super) kind: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) message: Option<Box<Record<'a>>>,
}

/// What a tool that asks a person left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    pub(super) questions: Vec<Question>,
    pub(super) answers: serde_json::Map<String, serde_json::Value>,
}

/// A question an agent put.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Question {
    pub(super) question: String,
    pub(super) header: String,
    pub(super) options: Vec<Choice>,
}

/// One of the answers offered.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) description: String,
}

/// A short text as it is written between its quotes, or nothing where something else stands.
///
/// There are a dozen in every record, and most are only ever compared.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// Returns the text as it is written, empty where there is none.
    pub(super) fn written(self) -> &'a [u8] {
        self.0
    }

    /// Tells whether there is nothing.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns a number to compare ids by, where there is one.
    pub(super) fn key(self) -> Option<u64> {
        (!self.is_empty()).then(|| key(self.0))
    }

    /// Decodes the text, empty where there is none; what is not UTF-8 in it is replaced.
    pub(super) fn get(self) -> Cow<'a, str> {
        decode(self.0).unwrap_or_else(|_| Cow::Owned(String::from_utf8_lossy(self.0).into_owned()))
    }

    /// Decodes the text where there is one and it is not empty.
    pub(super) fn some(self) -> Option<Cow<'a, str>> {
        (!self.is_empty()).then(|| self.get())
    }

    fn read(walk: &mut Walk<'a>) -> Result<Text<'a>, Broken> {
        walk.written().map(|written| Text(written.unwrap_or_default()))
    }
}

/// A yes, or nothing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Flag(pub(super) bool);

/// How much of a line has to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All of it: it may be torn.
    Whole,
    /// Up to what a tool left beside its result, which says the same again and is often the larger
    /// half of a line; nothing that matters follows it.
    Needed,
}

impl<'a> Record<'a> {
    /// Reads a line.
    pub(super) fn of_line(bytes: &'a [u8], reach: Reach) -> Result<Record<'a>, Broken> {
        let mut walk = Walk::new(bytes);
        if walk.peek()? != b'{' {
            return Err(Broken::Shape);
        }
        let may_stop = reach == Reach::Needed && bytes.ends_with(b"}");
        let mut record = Record::default();
        walk.enter(b'{')?;
        while let Some(key) = walk.key()? {
            match key {
                b"toolUseResult" => {
                    record.structured = Some(walk.rest()?);
                    if may_stop && record.kind.written() == b"user" && !record.uuid.is_empty() {
                        return Ok(record);
                    }
                    walk.skip()?;
                }
                b"data" => record.data = Progress::read(&mut walk)?,
                _ => record.field(key, &mut walk)?,
            }
        }
        walk.end()?;
        Ok(record)
    }

    /// Reads a record within another.
    fn inner(walk: &mut Walk<'a>) -> Result<Option<Box<Record<'a>>>, Broken> {
        if !walk.enter(b'{')? {
            return Ok(None);
        }
        let mut record = Record::default();
        while let Some(key) = walk.key()? {
            match key {
                b"toolUseResult" => record.structured = Some(walk.skip()?),
                _ => record.field(key, walk)?,
            }
        }
        Ok(Some(Box::new(record)))
    }

    fn field(&mut self, key: &[u8], walk: &mut Walk<'a>) -> Result<(), Broken> {
        let text = match key {
            b"type" => &mut self.kind,
            b"subtype" => &mut self.subtype,
            b"uuid" => &mut self.uuid,
            b"parentUuid" => &mut self.parent_uuid,
            b"logicalParentUuid" => &mut self.logical_parent_uuid,
            b"sessionId" => &mut self.session_id,
            b"agentId" => &mut self.agent_id,
            b"timestamp" => &mut self.timestamp,
            b"cwd" => &mut self.cwd,
            b"gitBranch" => &mut self.git_branch,
            b"version" => &mut self.version,
            b"planContent" => &mut self.plan_content,
            b"operation" => &mut self.operation,
            b"summary" => &mut self.summary,
            b"customTitle" => &mut self.custom_title,
            b"aiTitle" => &mut self.ai_title,
            b"leafUuid" => &mut self.leaf_uuid,
            b"prUrl" => &mut self.pr_url,
            b"stopReason" => &mut self.stop_reason,
            _ => return self.other_field(key, walk),
        };
        *text = Text::read(walk)?;
        Ok(())
    }

    fn other_field(&mut self, key: &[u8], walk: &mut Walk<'a>) -> Result<(), Broken> {
        match key {
            b"isSidechain" => self.is_sidechain = Flag::read(walk)?,
            b"isMeta" => self.is_meta = Flag::read(walk)?,
            b"isCompactSummary" => self.is_compact_summary = Flag::read(walk)?,
            b"isApiErrorMessage" => self.is_api_error_message = Flag::read(walk)?,
            b"preventedContinuation" => self.prevented_continuation = Flag::read(walk)?,
            b"message" => self.message = Message::read(walk)?,
            b"content" => self.content = Content::read(walk)?,
            b"origin" => self.origin = Origin::read(walk)?,
            b"forkedFrom" => self.forked_from = Reference::read(walk)?,
            b"attachment" => self.attachment = Attachment::read(walk)?,
            _ => {
                walk.skip()?;
            }
        }
        Ok(())
    }
}

impl Flag {
    fn read(walk: &mut Walk<'_>) -> Result<Flag, Broken> {
        walk.skip().map(|raw| Flag(raw == b"true"))
    }
}

/// Reads a map of which only a few keys matter; anything but a map reads as nothing.
macro_rules! read_map {
    ($type:ident { $($key:literal => $field:ident: $read:expr),* }) => {
        impl<'a> $type<'a> {
            fn read(walk: &mut Walk<'a>) -> Result<$type<'a>, Broken> {
                let mut value = $type::default();
                if walk.enter(b'{')? {
                    while let Some(key) = walk.key()? {
                        match key {
                            $($key => value.$field = $read(walk)?,)*
                            _ => { walk.skip()?; }
                        }
                    }
                }
                Ok(value)
            }
        }
    };
}

read_map!(Message { b"id" => id: Text::read, b"model" => model: Text::read, b"content" => content: Content::read });
read_map!(Attachment {
    b"type" => kind: Text::read, b"prompt" => prompt: Content::read,
    b"commandMode" => mode: Text::read, b"origin" => origin: Origin::read
});
read_map!(Origin { b"kind" => kind: Text::read });
read_map!(Progress {
    b"type" => kind: Text::read, b"agentId" => agent_id: Text::read, b"message" => message: Record::inner
});
read_map!(Reference { b"sessionId" => session: Text::read });
read_map!(Part {
    b"type" => kind: Text::read, b"text" => text: Walk::string, b"id" => id: Text::read,
    b"name" => name: Text::read, b"input" => input: present, b"tool_use_id" => tool_use_id: Text::read,
    b"content" => content: present, b"is_error" => is_error: Flag::read
});

/// Takes a value as it is written; `null` reads as nothing. Whether it is UTF-8 is seen where it is
/// decoded: of the long ones only the ends are kept, and often nothing.
fn present<'a>(walk: &mut Walk<'a>) -> Result<Option<&'a [u8]>, Broken> {
    walk.skip().map(|raw| Some(raw).filter(|raw| *raw != b"null"))
}

impl<'a> Content<'a> {
    /// Reads content that stands for itself; nothing where it is broken.
    pub(super) fn of(raw: &'a [u8]) -> Content<'a> {
        Content::read(&mut Walk::new(raw)).unwrap_or_default()
    }

    fn read(walk: &mut Walk<'a>) -> Result<Content<'a>, Broken> {
        if walk.peek()? != b'[' {
            return Ok(walk.string()?.map_or(Content::Nothing, Content::Text));
        }
        let mut content = Content::Nothing;
        walk.enter(b'[')?;
        while walk.item()? {
            match walk.peek()? {
                b'{' => content.push(Part::read(walk)?),
                // A plain text may stand in the place of a part.
                _ => walk.string()?.into_iter().for_each(|text| content.push(text_part(text))),
            }
        }
        Ok(content)
    }

    fn push(&mut self, part: Part<'a>) {
        *self = match std::mem::take(self) {
            Content::Nothing | Content::Text(_) => Content::Part(part),
            Content::Part(first) => Content::Parts(vec![first, part]),
            Content::Parts(mut parts) => {
                parts.push(part);
                Content::Parts(parts)
            }
        };
    }
}

fn text_part(text: Cow<'_, str>) -> Part<'_> {
    Part { kind: Text(b"text"), text: Some(text), ..Part::default() }
}

impl<'a> Content<'a> {
    /// Lists the prose in it.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let whole = match self {
            Content::Text(text) => Some(text.as_ref()),
            _ => None,
        };
        let prose = self.parts().iter().filter(|part| part.kind.written() == b"text");
        whole.into_iter().chain(prose.map(|part| part.text.as_deref().unwrap_or_default()))
    }

    /// Lists the parts.
    pub(super) fn parts(&self) -> &[Part<'a>] {
        match self {
            Content::Part(part) => std::slice::from_ref(part),
            Content::Parts(parts) => parts,
            Content::Nothing | Content::Text(_) => &[],
        }
    }
}
