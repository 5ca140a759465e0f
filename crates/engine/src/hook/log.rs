//! Our own log: what went wrong where nobody was to be disturbed.

use lore_store::derived::Derived;

use crate::{Engine, World};

const LOG: &str = "hook.log";
/// A longer log begins anew, so that it never grows without bound.
const LONGEST: u64 = 256 << 10;

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
