//! A language model as an editor sees it from here: words in, words out.

use lore_core::Packet;

/// Answers what it is asked. Implemented over a command, over HTTP and, in tests, by a script.
pub trait Model {
    /// Returns the name that results are remembered under.
    fn name(&self) -> &str;

    /// Answers.
    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError>;
}

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    /// What for.
    pub errand: Errand,
    /// The packet it is about.
    pub packet: &'a Packet,
    /// The whole text that goes out.
    pub text: &'a str,
}

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// Edits for a packet.
    Edits,
    /// The same once more, because the answer could not be read.
    Again,
    /// Edits that were refused, in better words.
    Repair,
    /// Whether claims are covered by their lines.
    Look,
    /// Better words for lessons.
    Lessons,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelReply {
    /// Its words.
    pub text: String,
    /// What the provider says it cost, in and out.
    pub tokens: Option<(usize, usize)>,
    /// Whether the provider says that it was cut off.
    pub cut_off: bool,
}

impl ModelReply {
    /// Makes a reply of which only the words are known.
    pub fn of(text: impl Into<String>) -> ModelReply {
        ModelReply { text: text.into(), tokens: None, cut_off: false }
    }
}

/// Why a model gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Nobody answered.
    #[error("the model `{0}` could not be reached: {1}")]
    Unreachable(String, String),
    /// It took too long.
    #[error("the model `{0}` did not answer within {1} seconds")]
    TimedOut(String, u64),
    /// It answered that it will not.
    #[error("the model `{0}` refused: {1}")]
    Refused(String, String),
}
