//! Whoever waits for a long use case: is told how far it is, and may call it off.
//!
//! Calling off is cooperative: loops that take long look here between two steps, and nothing is written
//! of what was not finished.

use std::sync::Arc;

use crate::{Engine, Error};

/// Somebody who waits.
pub trait Onlooker: Send + Sync {
    /// Hears how far it is; a total of zero is not known.
    fn at(&self, done: u64, total: u64, doing: &str);
    /// Tells whether nobody waits any more.
    fn is_gone(&self) -> bool;
}

/// The onlooker of an engine, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Watched(Option<Arc<dyn Onlooker>>);

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "watched" } else { "alone" })
    }
}

impl Watched {
    pub(crate) fn at(&self, done: u64, total: u64, doing: &str) {
        if let Some(onlooker) = &self.0 {
            onlooker.at(done, total, doing);
        }
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|onlooker| onlooker.is_gone())
    }

    /// Goes on, unless nobody waits any more.
    pub(crate) fn go_on(&self) -> Result<(), Error> {
        if self.is_gone() { Err(Error::CalledOff) } else { Ok(()) }
    }
}

impl Engine {
    /// Tells somebody how far long use cases are, and lets them be called off.
    #[must_use]
    pub fn watched_by(mut self, onlooker: Arc<dyn Onlooker>) -> Engine {
        self.watched = Watched(Some(onlooker));
        self
    }
}
