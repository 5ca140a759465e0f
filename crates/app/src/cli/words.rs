//! Words an option takes, for help and completion; what is wrong with another one we say ourselves.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use lore_core::{Confidence, Kind, Status};
use lore_engine::surfacing::Role;

/// Offers some words and takes any.
#[derive(Debug, Clone)]
pub(super) struct Words(Vec<&'static str>);

impl TypedValueParser for Words {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|word| PossibleValue::new(*word))))
    }
}

/// Offers the kinds of entries.
pub(super) fn kinds() -> Words {
    Words(Kind::ALL.iter().map(|kind| kind.word()).collect())
}

/// Offers what an entry can be.
pub(super) fn statuses() -> Words {
    let all = [Status::Current, Status::Outdated, Status::Superseded, Status::Disputed];
    Words(all.iter().map(|status| status.word()).collect())
}

/// Offers how sure one can be.
pub(super) fn confidences() -> Words {
    Words([Confidence::High, Confidence::Medium, Confidence::Low].iter().map(|one| one.word()).collect())
}

/// Offers who can ask.
pub(super) fn roles() -> Words {
    Words(Role::ALL.iter().map(|role| role.word()).collect())
}
