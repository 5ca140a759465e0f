//! Claude Code's records as they stand in the file, borrowed from the line.
//!
//! Only what is used is named; everything else is skipped by the parser. Fields of an unexpected
//! type read as absent, so that one odd value does not cost the record.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// One line.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'a"))]
pub(super) struct Record<'a> {
    #[serde(rename = "type")]
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
    #[serde(borrow)]
    pub(super) tool_use_result: Option<&'a RawValue>,
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
    Parts(Vec<Part<'a>>),
}

/// One part of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Part<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    pub(super) tool_use_id: Text<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
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
    pub(super) options: Vec<Choice>,
}

/// One of the answers offered.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) description: String,
}

/// A text, or nothing where something else stands.
#[derive(Debug, Default, Clone)]
pub(super) struct Text<'a>(Option<Cow<'a, str>>);

impl Text<'_> {
    /// Returns the text, empty where there is none.
    pub(super) fn get(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns the text where there is one and it is not empty.
    pub(super) fn some(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

/// A yes, or nothing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Flag(pub(super) bool);

macro_rules! ignore {
    ($($visit:ident: $type:ty),*) => {
        $(fn $visit<E>(self, _: $type) -> Result<Self::Value, E> { Ok(Self::Value::default()) })*
    };
}

macro_rules! lenient {
    ($visitor:ident, $value:ty, $about:literal, { $($own:item)* }) => {
        struct $visitor;
        impl<'de> Visitor<'de> for $visitor {
            type Value = $value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($about)
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
            fn visit_none<E>(self) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
            ignore!(visit_i64: i64, visit_u64: u64, visit_f64: f64);
            $($own)*
        }
    };
}

fn skip_seq<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<(), A::Error> {
    while seq.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn skip_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

lenient!(TextVisitor, Text<'de>, "a text", {
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Some(Cow::Borrowed(text))))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Some(Cow::Owned(text.to_owned()))))
    }
    ignore!(visit_bool: bool);
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        skip_seq(seq).map(|()| Text::default())
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        skip_map(map).map(|()| Text::default())
    }
});

lenient!(FlagVisitor, Flag, "a yes or no", {
    fn visit_bool<E>(self, yes: bool) -> Result<Self::Value, E> {
        Ok(Flag(yes))
    }
    ignore!(visit_str: &str);
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        skip_seq(seq).map(|()| Flag::default())
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        skip_map(map).map(|()| Flag::default())
    }
});

lenient!(ContentVisitor, Content<'de>, "prose or parts", {
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(text.to_owned())))
    }
    ignore!(visit_bool: bool);
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element::<AnyPart<'de>>()? {
            parts.extend(part.0);
        }
        Ok(Content::Parts(parts))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        skip_map(map).map(|()| Content::default())
    }
});

/// A part, or a plain text standing in its place, or nothing.
#[derive(Default)]
struct AnyPart<'a>(Option<Part<'a>>);

fn text_part(text: Cow<'_, str>) -> AnyPart<'_> {
    let kind = Text(Some(Cow::Borrowed("text")));
    AnyPart(Some(Part { kind, text: Text(Some(text)), ..Part::default() }))
}

lenient!(AnyPartVisitor, AnyPart<'de>, "a part", {
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(text_part(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text_part(Cow::Owned(text.to_owned())))
    }
    ignore!(visit_bool: bool);
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        skip_seq(seq).map(|()| AnyPart::default())
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let part = Part::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(AnyPart(Some(part)))
    }
});

macro_rules! deserialize_with {
    ($($type:ident => $visitor:expr),* $(,)?) => {
        $(impl<'de: 'a, 'a> Deserialize<'de> for $type<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor)
            }
        })*
    };
}

deserialize_with!(Text => TextVisitor, Content => ContentVisitor, AnyPart => AnyPartVisitor);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagVisitor)
    }
}

/// Reads a map of which only a few keys matter; anything but a map reads as nothing.
macro_rules! lenient_map {
    ($type:ident, $visitor:ident, { $($key:literal => $field:ident),* }) => {
        lenient!($visitor, $type<'de>, "a map", {
            ignore!(visit_bool: bool, visit_str: &str);
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                skip_seq(seq).map(|()| $type::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut value = $type::default();
                while let Some(key) = map.next_key::<Text<'de>>()? {
                    match key.get() {
                        $($key => value.$field = map.next_value()?,)*
                        _ => { map.next_value::<IgnoredAny>()?; }
                    }
                }
                Ok(value)
            }
        });
        deserialize_with!($type => $visitor);
    };
}

lenient_map!(Message, MessageVisitor, { "id" => id, "model" => model, "content" => content });
lenient_map!(Attachment, AttachmentVisitor, {
    "type" => kind, "prompt" => prompt, "commandMode" => mode, "origin" => origin
});
lenient_map!(Origin, OriginVisitor, { "kind" => kind });
lenient_map!(Progress, ProgressVisitor, { "type" => kind, "agentId" => agent_id, "message" => message });
lenient_map!(Reference, ReferenceVisitor, { "sessionId" => session });

impl<'a> Content<'a> {
    /// Lists the prose in it.
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Content::Nothing => Vec::new(),
            Content::Text(text) => vec![text],
            Content::Parts(parts) => {
                parts.iter().filter(|part| part.kind.get() == "text").map(|part| part.text.get()).collect()
            }
        }
    }

    /// Lists the parts.
    pub(super) fn parts(&self) -> &[Part<'a>] {
        match self {
            Content::Parts(parts) => parts,
            _ => &[],
        }
    }
}
