//! What keeps a base from being written, merged or trusted, and what to do about it.


use crate::exclude::what_is_in_doubt;
use crate::{Engine, Error};

impl Engine {
    /// Looks whether everything can be read, written and merged as it should be.
    pub(super) fn look_at_upkeep(&self, find: &mut impl FnMut(bool, String, &str)) -> Result<(), Error> {
        if let Some(doubt) = self.config.in_doubt() {
            let what = format!("{}; hooks are silent and nothing is kept", what_is_in_doubt(doubt));
            find(true, what, &doubt.hint);
        }
        Ok(())
    }
}
