//! What a spike's papers say and what its measurements mean; same input, same output.
//!
//! [`ExperimentPlan`] reads `EXPERIMENT.md`. [`Criterion`] reads one line of `criteria`. [`decide()`] compares
//! measurements with criteria, with the noise taken into account, and recommends. [`paper`] and [`plot`]
//! write what people read; nothing written there is ever read back.

mod criterion;
mod decide;
mod noise;
pub mod paper;
mod plan;
pub mod plot;
mod unit;

pub use criterion::{Comparison, Criterion, NotACriterion, Threshold};
pub use decide::{CriterionVerdict, Decided, JudgedCriterion, decide, too_few};
pub use noise::{ENOUGH, Measured, Spread, coverage, how_often};
pub use plan::{ExperimentPlan, PlanProblem, PlannedAlternative, PlannedFile, Stage};
pub use unit::UnitProblem;
