//! A person's yes to an experiment, by the hash of its page: another letter needs another yes.
//!
//! It is kept with the user's data, so that no clone can bring one along.

use lore_core::ContentHash;
use lore_distill::spike::ExperimentPlan;
use lore_store::registry;
use serde::Serialize;

use super::workspace::{criteria, folder, of_spike};
use crate::config::consent::Consent;
use crate::{Engine, Error};

/// An experiment as a person is asked about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExperimentShown {
    /// The spike.
    pub id: String,
    /// Hash of the page.
    pub hash: String,
    /// The page.
    pub text: String,
    /// Whether a person has said yes to exactly this.
    pub confirmed: bool,
}

impl Engine {
    /// Shows what an experiment would run.
    pub fn experiment(&self, name: &str) -> Result<ExperimentShown, Error> {
        let stored = self.read_spike(name)?;
        let id = stored.entry.id.to_string();
        let path = page_of(&stored.path);
        let text = self.store.paper(&path).ok_or_else(|| {
            let hint = format!("write `{}`", self.root().join(&path).display());
            Error::request(format!("`{id}` has no EXPERIMENT.md"), hint)
        })?;
        let data = self.world.data_folder().ok_or(Error::NoHome)?;
        let confirmed = Consent::load(&data).allows(&self.consent_to(&id), &text);
        Ok(ExperimentShown { hash: hash_of(&text), id, text, confirmed })
    }

    /// Refuses an experiment that could not be run, so that nobody is asked for a yes to it.
    pub fn only_what_can_be_run(&self, name: &str) -> Result<(), Error> {
        self.plan_of(name, &self.experiment(name)?).map(drop)
    }

    /// Reads an experiment as it is run.
    pub(super) fn plan_of(&self, name: &str, shown: &ExperimentShown) -> Result<ExperimentPlan, Error> {
        let plan = ExperimentPlan::parse(&shown.text).map_err(|problems| {
            let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Error::request(
                format!("EXPERIMENT.md cannot be run: {}", told.join("; ")),
                format!(
                    "correct it, or put another in its place: lore spike design {name} --experiment FILE"
                ),
            )
        })?;
        let stored = self.read_spike(name)?;
        let spike = of_spike(&stored.entry)?;
        if spike.criteria.is_empty() {
            let hint = format!(
                "say what has to come out: lore spike design {name} --criterion \"wall_ms of A < 0.9 x B\""
            );
            return Err(Error::request(format!("`{}` has no criteria", shown.id), hint));
        }
        criteria(&spike.criteria)?;
        Ok(plan)
    }

    /// Takes a person's yes to the experiment with this hash.
    pub fn confirm_experiment(&self, name: &str, hash: &str) -> Result<(), Error> {
        let hint = "ask the user to run `lore spike run` in a terminal of their own";
        self.only_a_person("confirm an experiment", hint)?;
        let shown = self.experiment(name)?;
        if hash.len() < 8 || !shown.hash.starts_with(hash) {
            let sentence = format!("the experiment of `{}` is not the one that `{hash}` names", shown.id);
            return Err(Error::request(
                sentence,
                format!("read EXPERIMENT.md again; its hash is {}", shown.hash),
            ));
        }
        let data = self.world.data_folder().ok_or(Error::NoHome)?;
        let mut consent = Consent::load(&data);
        consent.allow(&self.consent_to(&shown.id), &shown.text);
        consent.save(&data)?;
        Ok(())
    }

    /// Returns the hash of the experiment that stands beside the spike in this file.
    pub(super) fn experiment_hash(&self, path: &str) -> Option<String> {
        self.store.paper(&page_of(path)).map(|text| hash_of(&text))
    }

    fn consent_to(&self, id: &str) -> String {
        format!("{}#{id}", registry::project_id(self.store.git(), self.project()))
    }
}

fn page_of(path: &str) -> String {
    format!("{}/EXPERIMENT.md", folder(path))
}

fn hash_of(text: &str) -> String {
    ContentHash::of(text.as_bytes()).short().to_owned()
}
