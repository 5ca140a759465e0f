//! Our own log: what went wrong where nobody was to be disturbed.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use lore_store::derived::Derived;

use crate::{Engine, World};

const LOG: &str = "hook.log";
/// A longer log begins anew, so that it never grows without bound.
const LONGEST: u64 = 256 << 10;
/// What went wrong longer ago may be mended.
const LATELY: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The last that went wrong.
pub(crate) struct LastTrouble {
    pub(crate) at: Timestamp,
    pub(crate) said: String,
    /// The whole log.
    pub(crate) log: PathBuf,
}

/// Returns the last line that was written lately.
pub(crate) fn last(engine: &Engine) -> Option<LastTrouble> {
    let log = engine.store.shared().folder().join(LOG);
    let text = std::fs::read_to_string(&log).ok()?;
    let (at, said) = text.lines().next_back()?.split_once(' ')?;
    let (at, said) = (at.parse().ok()?, said.to_owned());
    let is_late = engine.world().now.duration_since(at) <= LATELY;
    is_late.then_some(LastTrouble { at, said, log })
}

/// Adds a line, in the state of the base or, without a project, in the user's data folder.
pub(super) fn write(engine: Option<&Engine>, world: &World, line: &str) {
    let folder = match engine {
        Some(engine) => engine.store.shared().clone(),
        None => match world.data_folder() {
            Some(data) => Derived::new(data.join(lore_store::WORK)),
            None => return,
        },
    };
    if folder.folder().join(LOG).metadata().is_ok_and(|about| about.len() > LONGEST) {
        let _ = folder.remove(LOG);
    }
    // A log that cannot be written is the end of what we can do.
    let _ = folder.append_text(LOG, &format!("{} {line}\n", world.now));
}
