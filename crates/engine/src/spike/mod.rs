//! Open questions answered by experiment, once.
//!
//! A question is looked up first ([`Engine::answered`]). Where nothing answers it, a workspace is made
//! ([`Engine::spike`]), designed, run apart from the user's tree ([`Engine::run_spike`]) and decided by code
//! ([`Engine::decide_spike`]). From then on it is knowledge like any other.
//!
//! [`Engine::answered`]: crate::Engine::answered
//! [`Engine::spike`]: crate::Engine::spike
//! [`Engine::run_spike`]: crate::Engine::run_spike
//! [`Engine::decide_spike`]: crate::Engine::decide_spike

mod answered;
mod candidates;
#[cfg(unix)]
mod child;
mod conclude;
mod confirm;
#[cfg(not(unix))]
mod elsewhere;
mod import;
mod owed;
#[cfg(unix)]
mod place;
#[cfg(unix)]
mod processes;
mod record;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod shield;
#[cfg(unix)]
mod tree;
mod view;
mod workspace;

pub use answered::{Answered, AnsweredHow, AnsweringEntry};
pub use candidates::SpikeCandidate;
pub use conclude::{ReadAnswer, SpikeDecision};
pub use confirm::ExperimentShown;
pub use import::SpikeImport;
#[cfg(unix)]
pub(crate) use processes::end_descendants;
pub use record::{RunStatus, SpikeRun};
pub use view::SpikeView;
pub use workspace::{Design, NewSpike, SpikeAsked};
