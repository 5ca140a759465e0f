//! The places in which alternatives run: copies, worktrees or empty folders, never the user's tree.

use std::path::{Path, PathBuf};

use lore_core::EntryId;
use lore_distill::spike::{ExperimentPlan, Stage};
use lore_store::derived::Derived;

use super::shield::Shield;
use crate::env::{self, World};
use crate::{Engine, Error};

/// The place of one alternative.
pub(super) struct SpikePlace {
    /// Where commands run.
    pub(super) folder: PathBuf,
    /// What they see around them.
    pub(super) environment: Vec<(String, String)>,
    /// What they may not write.
    pub(super) shield: Shield,
    /// The top of its tree.
    tree: PathBuf,
    stage: Stage,
}

/// Without git, no more than this is copied.
const LARGEST: u64 = 512 << 20;

impl Engine {
    /// Makes the place of an alternative anew.
    pub(super) fn make_place(
        &self,
        spike: &EntryId,
        number: usize,
        plan: &ExperimentPlan,
    ) -> Result<SpikePlace, Error> {
        let data = Derived::new(self.world.data_folder().ok_or(Error::NoHome)?);
        let name = format!("{}/{number}", self.places_of(spike));
        let folder = data.path(&name)?;
        self.clear_place(&data, &name)?;
        for part in ["home", "tmp"] {
            data.make_folder(&format!("{name}/{part}"))?;
        }
        let tree = folder.join("tree");
        let failed = |error: lore_store::git::GitError| {
            let hint = "commit something first, or write `- place: empty` in EXPERIMENT.md";
            Error::request(format!("no place to run in can be made: {error}"), hint)
        };
        match (plan.stage, self.store.git()) {
            (Stage::Empty, _) => drop(data.make_folder(&format!("{name}/tree"))?),
            (Stage::Copy, Some(git)) => {
                data.make_folder(&format!("{name}/tree"))?;
                git.export(&tree, &folder.join("index")).map_err(failed)?;
            }
            (Stage::Worktree, Some(git)) => git.add_worktree(&tree).map_err(failed)?,
            (Stage::Worktree, None) => {
                let hint = "write `- place: copy` in EXPERIMENT.md";
                return Err(Error::request("there is no git repository to make a worktree of", hint));
            }
            (Stage::Copy, None) => {
                data.make_folder(&format!("{name}/tree"))?;
                let mut left = LARGEST;
                self.copy_project(self.project(), &data, &format!("{name}/tree"), &mut left)?;
            }
        }
        let files = Derived::ordinary(&tree);
        for file in &plan.files {
            files.write(&file.path, file.text.as_bytes())?;
        }
        let below = self.store.git().and_then(|git| self.project().strip_prefix(git.top()).ok());
        let below = below.filter(|_| plan.stage != Stage::Empty).unwrap_or(Path::new(""));
        let environment = surroundings(&self.world, &folder, &plan.environment)?;
        // A worktree writes into git's folder, which lies in the user's tree.
        let shield = match (plan.stage, self.store.git()) {
            (Stage::Worktree, _) => Shield::default(),
            (_, Some(git)) => Shield::over(&[git.top(), git.common(), self.root()], &folder),
            (_, None) => Shield::over(&[self.project(), self.root()], &folder),
        };
        Ok(SpikePlace { folder: tree.join(below), environment, shield, tree, stage: plan.stage })
    }

    /// Takes the places of a spike away.
    pub(super) fn clear_places(&self, spike: &EntryId, places: &[SpikePlace]) -> Result<(), Error> {
        for place in places.iter().filter(|place| place.stage == Stage::Worktree) {
            if let Some(git) = self.store.git() {
                let _ = git.remove_worktree(&place.tree);
            }
        }
        let data = Derived::new(self.world.data_folder().ok_or(Error::NoHome)?);
        Ok(data.remove(&self.places_of(spike))?)
    }

    fn clear_place(&self, data: &Derived, name: &str) -> Result<(), Error> {
        let tree = data.path(name)?.join("tree");
        if tree.join(".git").is_file()
            && let Some(git) = self.store.git()
        {
            let _ = git.remove_worktree(&tree);
        }
        Ok(data.remove(name)?)
    }

    /// Names the folder of a spike's places, below the user's data.
    fn places_of(&self, spike: &EntryId) -> String {
        let project = lore_core::ContentHash::of(self.project().to_string_lossy().as_bytes());
        format!("spikes/{}/{spike}", project.short())
    }

    fn copy_project(&self, from: &Path, data: &Derived, to: &str, left: &mut u64) -> Result<(), Error> {
        for item in std::fs::read_dir(from).into_iter().flatten().flatten() {
            let path = item.path();
            let name = format!("{to}/{}", item.file_name().to_string_lossy());
            let Ok(kind) = item.file_type() else { continue };
            if path == self.store.work().folder() || kind.is_symlink() {
                continue;
            }
            if kind.is_dir() {
                data.make_folder(&name)?;
                self.copy_project(&path, data, &name, left)?;
                continue;
            }
            let size = item.metadata().map(|about| about.len()).unwrap_or(0);
            if size > *left {
                let sentence = format!(
                    "the project is larger than {} MB, and there is no git to copy from",
                    LARGEST >> 20
                );
                return Err(Error::request(sentence, "write `- place: empty` in EXPERIMENT.md"));
            }
            *left -= size;
            data.copy_in(&name, &path)?;
        }
        Ok(())
    }
}

/// Builds the environment of a run: where programs are, a home and a temporary folder of its own, and
/// what the experiment asks for by name.
fn surroundings(world: &World, folder: &Path, asked: &[String]) -> Result<Vec<(String, String)>, Error> {
    let at = |part: &str| folder.join(part).to_string_lossy().into_owned();
    let mut found = vec![
        ("HOME".to_owned(), at("home")),
        ("TMPDIR".to_owned(), at("tmp")),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ("TZ".to_owned(), "UTC".to_owned()),
    ];
    found.extend(world.variable(env::PATH).map(|path| ("PATH".to_owned(), path.to_owned())));
    for one in asked.iter().filter(|one| !one.is_empty()) {
        let (name, value) = match one.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (one.as_str(), env::handed_on(one)),
        };
        let upper = name.to_uppercase();
        if ["TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL"].iter().any(|part| upper.contains(part)) {
            let sentence = format!("`{name}` looks like a secret and is not handed on to an experiment");
            return Err(Error::request(sentence, "take it out of EXPERIMENT.md"));
        }
        found.extend(value.map(|value| (name.to_owned(), value)));
    }
    Ok(found)
}
