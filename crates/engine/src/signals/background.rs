//! Sensing and reflection after a worker has curated: failing at them must not cost the curation.

use super::SenseOptions;
use crate::reflection::ReflectOptions;
use crate::sessions::SessionFilter;
use crate::{Engine, Error};

impl Engine {
    /// Looks for friction in what was curated, and reflects where enough came together.
    pub(crate) fn sense_in_background(&self, filter: SessionFilter) {
        let options = SenseOptions { filter, ..SenseOptions::default() };
        let failed = |what: &str, error: &Error| self.log(&format!("{what}: {error}"));
        if let Err(error) = self.sense(&options, &|_, _| {}) {
            failed("sensing", &error);
        }
        if let Err(error) = self.reflect(&ReflectOptions { due: true, ..ReflectOptions::default() }) {
            failed("reflection", &error);
        }
    }
}
