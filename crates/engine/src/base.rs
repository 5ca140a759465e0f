//! Finding, making and opening the base that is meant.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use lore_store::door::Door;
use lore_store::git::Git;
use lore_store::registry::{self, Registry};
use lore_store::{CommitOptions, Committed, Location, Owner, Scope, ScopeKind, Store, Transaction};
use serde::Serialize;

use crate::asker::Asker;
use crate::config::consent::Consent;
use crate::config::{Config, Faith, Layer, Settings, SettingsFile};
use crate::env::LORE_BASE;
use crate::onlooker::Watched;
use crate::{Error, World};

/// One base, open, with the settings that hold for it.
pub struct Engine {
    pub(crate) world: World,
    pub(crate) scope: Scope,
    pub(crate) store: Store,
    pub(crate) config: Config,
    pub(crate) settings: Settings,
    pub(crate) patience: Patience,
    /// Whether something was answered from an index that a worker should bring into step.
    pub(crate) behind: AtomicBool,
    pub(crate) asker: Asker,
    pub(crate) watched: Watched,
    /// When this was opened.
    pub(crate) opened: Instant,
}

/// How long whoever asks can wait for the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Patience {
    /// Until it is in step, or built.
    #[default]
    Whole,
    /// Not at all: what is there has to do.
    Hook,
}

/// How a base is made.
#[derive(Debug, Clone, Default)]
pub struct InitOptions {
    /// Make the user's personal base instead of the project's.
    pub personal: bool,
    /// The project's folder, instead of the repository around the current folder.
    pub project: Option<PathBuf>,
    /// Have git merge entries by meaning, with this program; nothing leaves git as it is.
    pub merge_driver: Option<String>,
}

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Initialised {
    /// The folder of the base.
    pub base: PathBuf,
    /// Whether it is the user's own.
    pub personal: bool,
    /// Whether the folder lies in a git repository, so that the base can travel with it.
    pub in_git: bool,
    /// Whether git was told to merge entries by meaning, in this clone.
    pub merge_driver: bool,
    /// Where the repository is shared, as far as this clone says; the base goes there with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// The rule by which git leaves the base out, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<String>,
    /// What somebody had written in the place of our lists, and where it is kept now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rescued: Vec<String>,
}

impl Engine {
    /// Opens the base around the current folder, or the one that `LORE_BASE` names.
    pub fn open(world: World) -> Result<Engine, Error> {
        let scope = Engine::locate(&world)?;
        Engine::open_scope(world, scope)
    }

    /// Opens the user's own base.
    pub fn open_personal(world: World) -> Result<Engine, Error> {
        let data = world.data_folder().ok_or(Error::NoHome)?;
        let scope = Scope::personal(&data);
        if !scope.exists() {
            return Err(Error::NoPersonalBase(scope.root));
        }
        Engine::open_scope(world, scope)
    }

    /// Makes a base.
    pub fn init(world: &World, options: &InitOptions) -> Result<Initialised, Error> {
        let scope = if options.personal {
            Scope::personal(&world.data_folder().ok_or(Error::NoHome)?)
        } else {
            Engine::new_scope(world, options)?
        };
        if scope.exists() {
            return Err(Error::BaseExists(scope.root));
        }
        let store = Store::init(&scope)?;
        let in_git = store.git().is_some();
        // The first transaction writes the lists, so that the base is whole from the start.
        let transaction = store.begin(&Owner::machine("init"), world.now)?;
        let committed = transaction.commit(&CommitOptions::default())?;
        let rescued = committed.diagnostics.iter().map(|found| match &found.hint {
            Some(hint) => format!("{}: {hint}", found.place.file),
            None => found.place.file.clone(),
        });
        let rescued = rescued.collect();
        let engine = Engine::open_scope(world.clone(), scope)?;
        if !options.personal {
            engine.register();
        }
        let merge_driver =
            options.merge_driver.as_ref().is_some_and(|program| engine.register_merge_driver(program));
        let remote = engine.store.git().and_then(Git::remote).filter(|_| !options.personal);
        let remote = remote.map(|remote| engine.store.door().written(&remote).into_owned());
        let ignored = engine.ignored_by().filter(|_| !options.personal);
        let base = engine.scope.root;
        let personal = options.personal;
        Ok(Initialised { base, personal, in_git, merge_driver, remote, ignored, rescued })
    }

    /// Names the folder in which lies what met a write on its way, where something lies there.
    pub(crate) fn kept_aside(&self) -> Option<String> {
        let folder = self.store.work().folder().join(lore_store::RESCUED);
        let mut inside = std::fs::read_dir(&folder).ok()?;
        inside.next().map(|_| folder.display().to_string())
    }

    /// Says which rule keeps git from seeing the base.
    pub(crate) fn ignored_by(&self) -> Option<String> {
        self.store.git()?.ignored_by(&self.scope.root.join("index.md"))
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_fault(mut self, fault: lore_store::Fault) -> Engine {
        self.store = self.store.with_fault(fault);
        self
    }

    /// Opens the same base for a rehearsal: whatever is done with it leaves no trace on the disk.
    pub fn rehearsing(&self) -> Result<Engine, Error> {
        let mut engine = Engine::open_scope(self.world.clone(), self.scope.clone())?;
        engine.store = engine.store.still();
        engine.patience = self.patience;
        engine.asker = self.asker.clone();
        Ok(engine)
    }

    /// Tells whether it was opened for a rehearsal.
    pub(crate) fn is_rehearsing(&self) -> bool {
        self.store.work().is_still()
    }

    /// Returns the present time for what takes long, in whole seconds since this was opened; a given time stands still.
    pub(crate) fn present(&self) -> Timestamp {
        if self.world.has_given_time() {
            return self.world.now;
        }
        let passed = SignedDuration::from_secs(self.opened.elapsed().as_secs().cast_signed());
        self.world.now.checked_add(passed).unwrap_or(self.world.now)
    }

    /// Returns the folder of the base.
    pub fn root(&self) -> &Path {
        &self.scope.root
    }

    /// Returns the folder of the project the base belongs to.
    pub fn project(&self) -> &Path {
        &self.scope.project
    }

    /// Tells whether it is the user's own base.
    pub fn is_personal(&self) -> bool {
        self.scope.kind == ScopeKind::Personal
    }

    /// Returns the world it was opened in.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Remembers the project in the registry, as far as the user's data folder can be written.
    pub(crate) fn register(&self) {
        if let Some(data) = self.world.data_folder() {
            let id = registry::project_id(self.store.git(), self.project());
            let registry = Registry::new(&Scope::personal(&data).work);
            if let Err(error) = registry.register(&id, self.project(), self.world.now) {
                tracing::warn!(%error, "the project could not be registered");
            }
        }
    }

    /// Commits a transaction as the settings say.
    pub(crate) fn commit(&self, transaction: Transaction<'_>, message: &str) -> Result<Committed, Error> {
        let git = self.settings.git.commit.then(|| format!("knowledge: {message}"));
        let options = CommitOptions { git, said: Some(message.to_owned()), ..CommitOptions::default() };
        let committed = transaction.commit(&options)?;
        self.settle_merges(&committed.files);
        match committed.git {
            Some(Err(refusal)) => Err(Error::NotCommitted(refusal)),
            git => Ok(Committed { git, ..committed }),
        }
    }

    pub(crate) fn open_scope(world: World, scope: Scope) -> Result<Engine, Error> {
        let store = Store::open(&scope)?;
        let config = load_config(&world, &scope, store.git())?;
        let settings = config.settings();
        let door = Door::with_patterns(&settings.redact.patterns)?.with_seals(&store.seals());
        let store = store.with_door(&door);
        let (patience, behind) = (Patience::default(), AtomicBool::new(false));
        let asker = Asker::of(&world);
        let watched = Watched::default();
        let opened = Instant::now();
        Ok(Engine { world, scope, store, config, settings, patience, behind, asker, watched, opened })
    }

    fn locate(world: &World) -> Result<Scope, Error> {
        if let Some(base) = world.variable(LORE_BASE) {
            let scope = Scope::named(&world.place(Path::new(base)), &Engine::location(world)?);
            return if scope.exists() { Ok(scope) } else { Err(Error::NoBase(scope.root)) };
        }
        let location = Engine::location(world)?;
        Scope::find(&world.directory, &location).ok_or_else(|| Error::NoBase(world.directory.clone()))
    }

    fn new_scope(world: &World, options: &InitOptions) -> Result<Scope, Error> {
        let folder = options.project.as_ref().map(|project| world.place(project));
        let top = || Git::discover(&world.directory).map(|git| git.top().to_owned());
        // A folder that is not there is a name that was mistyped.
        if let Some(missing) = folder.as_ref().filter(|folder| !folder.is_dir()) {
            let what = if missing.exists() { "is no folder" } else { "is not there" };
            let hint = "name the folder of a project that exists, or none for the repository around you";
            return Err(Error::request(format!("`{}` {what}; nothing was made", missing.display()), hint));
        }
        let project = folder.or_else(top).unwrap_or_else(|| world.directory.clone());
        Ok(Scope::with_location(&project, &Engine::location(world)?))
    }

    /// Only the user's file and the defaults can say where a base lies before it is found.
    fn location(world: &World) -> Result<Location, Error> {
        let settings = Config::of_user(world)?.settings();
        Ok(Location { folder: PathBuf::from(settings.base.location) })
    }
}

/// Lists the settings files that hold for a base, the weakest first.
pub(crate) fn config_files(world: &World, scope: &Scope, git: Option<&Git>) -> Vec<SettingsFile> {
    let file = |layer: Layer, path: PathBuf| {
        let faith = if is_own(scope, git, &path) { Faith::Own } else { Faith::Arrived };
        SettingsFile { layer, path, faith }
    };
    let project = file(Layer::Project, scope.root.join(".lore/config.toml"));
    let checkout = file(Layer::Checkout, scope.work.join("config.toml"));
    let user = world.config_file().map(SettingsFile::own);
    user.into_iter().chain([project, checkout]).collect()
}

/// Tells whether only the user can have put a file there: in their personal base, or in the git
/// directory, into which a clone brings nothing of the other side.
fn is_own(scope: &Scope, git: Option<&Git>, path: &Path) -> bool {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let in_git = |git: &Git| folder.is_some_and(|folder| folder.starts_with(git.common()));
    scope.kind == ScopeKind::Personal || git.is_some_and(in_git)
}

/// Merges the settings that hold for a base; what the user allowed is looked up only if it is needed.
pub(crate) fn load_config(world: &World, scope: &Scope, git: Option<&Git>) -> Result<Config, Error> {
    let allowed = |text: &str| {
        let project = consent_id(scope, git);
        world.data_folder().is_some_and(|data| Consent::load(&data).allows(&project, text))
    };
    Ok(Config::load(&config_files(world, scope, git), &allowed)?)
}

/// Names a project in what the user allowed.
pub(crate) fn consent_id(scope: &Scope, git: Option<&Git>) -> String {
    registry::project_id(git, &scope.project).to_string()
}
