//! Which files a design will change, from the repository around a folder.
//!
//! Needs no base. What was read of files and of git is kept, where there is a place for it, so that
//! the next scan reads only what is new.

use std::cell::LazyCell;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lore_ground::freshness::Project;
pub use lore_ground::scan::{ChangeType, Impact, ImpactFile, Level, Reason, Risk, Role};
use lore_ground::scan::{ImpactWeights, Log, Outlines, ScanRequest, scan};
use lore_store::derived::Derived;

use crate::onlooker::Watched;
use crate::own_files::OwnFiles;
use crate::{Engine, Error, World};

pub(crate) const OUTLINES: &str = "cache/outlines.bin";
const LOG: &str = "cache/history.bin";

/// How a scan is made.
#[derive(Debug, Clone)]
pub struct ImpactOptions {
    /// The design.
    pub text: String,
    /// How many files to list.
    pub limit: usize,
    /// How long files may be read before the answer is given with what there is.
    pub time: Duration,
    /// The file that holds the design, relative to the repository: it is not what changes.
    pub design: Option<String>,
}

impl ImpactOptions {
    /// Scans for a text as the command does when nothing else is said.
    pub fn new(text: impl Into<String>) -> ImpactOptions {
        ImpactOptions { text: text.into(), limit: 20, time: Duration::from_secs(30), design: None }
    }
}

impl Engine {
    /// Tells which files of the project a design will change.
    pub fn impact(&self, options: &ImpactOptions) -> Result<Impact, Error> {
        impact_in(self.project(), Some(self.store.work()), &self.world, &self.watched, options)
    }
}

/// Tells which files around a folder a design will change, where there is no base to keep anything in.
pub fn impact_without_base(world: &World, options: &ImpactOptions) -> Result<Impact, Error> {
    let git = lore_store::git::Git::discover(&world.directory);
    let root = git.as_ref().map_or(world.directory.as_path(), |git| git.top());
    impact_at(root, None, world, options)
}

/// Tells which files of a folder a design will change, with a place for what is kept and nobody looking on.
pub fn impact_at(
    root: &Path,
    kept: Option<&Derived>,
    world: &World,
    options: &ImpactOptions,
) -> Result<Impact, Error> {
    impact_in(root, kept, world, &Watched::default(), options)
}

/// Scans a folder, with what earlier scans kept.
pub(crate) fn impact_in(
    root: &Path,
    kept: Option<&Derived>,
    world: &World,
    watched: &Watched,
    options: &ImpactOptions,
) -> Result<Impact, Error> {
    if options.text.trim().is_empty() {
        return Err(Error::request(
            "there is no design to scan for",
            "give a file with the design, or `-` and the text on standard input",
        ));
    }
    let began = Instant::now();
    let looked = AtomicU64::new(0);
    let read = |name: &str| kept.and_then(|kept| std::fs::read(kept.folder().join(name)).ok());
    let project = Project::new(root);
    let own = OwnFiles::of(world, root);
    let mut impact = std::thread::scope(|scope| {
        // Git is another program: it reads its log while we read files.
        let following = scope.spawn(|| {
            let mut log = read(LOG).map(|bytes| Log::from_bytes(&bytes)).unwrap_or_default();
            let is_new = log.follow(root);
            (log, is_new)
        });
        let log = LazyCell::new(|| following.join().unwrap_or_default());
        let history = LazyCell::new(|| log.0.history());
        let mut outlines = read(OUTLINES).map(|bytes| Outlines::from_bytes(&bytes)).unwrap_or_default();
        let request = ScanRequest {
            project: &project,
            text: &options.text,
            history: &history,
            // One more, for the design itself may be among them.
            limit: options.limit + usize::from(options.design.is_some()),
            now: i64::try_from(world.now.as_nanosecond()).unwrap_or(i64::MAX),
            is_own: &|path, text| own.has(path, text),
            time_is_up: &|| {
                let portions = looked.fetch_add(1, Ordering::Relaxed);
                watched.at(portions, 0, "reading the tree");
                watched.is_gone() || began.elapsed() >= options.time
            },
        };
        let impact = scan(&request, &mut outlines, ImpactWeights::shipped());
        if let Some(kept) = kept {
            // What cannot be kept is read again next time.
            let (log, is_new) = &*log;
            if *is_new {
                let _ = kept.write(LOG, &log.to_bytes());
            }
            if impact.read > 0 {
                let _ = kept.write(OUTLINES, &outlines.to_bytes());
            }
        }
        impact
    });
    if let Some(design) = &options.design {
        impact.files.retain(|file| file.path != *design);
        impact.files.truncate(options.limit);
    }
    watched.go_on()?;
    Ok(impact)
}
