//! Where experiments cannot be kept apart, none is run.

use super::record::SpikeRun;
use crate::{Engine, Error};

impl Engine {
    /// Says that experiments are not run on this system.
    pub fn run_spike(&self, _: &str, _: &dyn Fn(u32, u32)) -> Result<SpikeRun, Error> {
        let hint = "run it on Linux, macOS or in WSL; `lore spike decide --outcome … --answer …` takes what was found elsewhere";
        Err(Error::request("experiments need a Unix system", hint))
    }
}
