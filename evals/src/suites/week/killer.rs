//! Kills workers, and counts the processes that are about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Every so many workers one is killed.
const EVERY: usize = 4;

/// Somebody who kills workers without warning.
pub(super) struct Killer {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<usize>,
}

impl Killer {
    /// Begins with the workers of a folder.
    pub(super) fn start(folder: &Path) -> Killer {
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, folder) = (Arc::clone(&stop), folder.to_owned());
        let thread = std::thread::spawn(move || {
            let (mut known, mut killed) = (BTreeSet::new(), 0);
            while !seen.load(Ordering::Relaxed) {
                for process in workers(&folder) {
                    if known.insert(process) && known.len() % EVERY == 0 {
                        // Sometimes at once, sometimes in the middle of a session, sometimes while it writes.
                        std::thread::sleep(Duration::from_millis((known.len() as u64 * 53) % 150));
                        let gone = Command::new("kill")
                            .args(["-9", &process.to_string()])
                            .stderr(Stdio::null())
                            .status();
                        killed += usize::from(gone.is_ok_and(|status| status.success()));
                    }
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            killed
        });
        Killer { stop, thread }
    }

    /// Ends, and says how many it got.
    pub(super) fn stop(self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

/// Counts the processes that work for a base below this folder.
pub(super) fn running(folder: &Path) -> usize {
    workers(folder).len()
}

fn workers(folder: &Path) -> Vec<u32> {
    let wanted = format!("LORE_BASE={}", folder.display());
    let own = |path: &PathBuf| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one.starts_with(wanted.as_bytes()))
    };
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes =
        folders.filter_map(|folder| Some((folder.file_name().to_str()?.parse().ok()?, folder.path())));
    processes.filter(|(_, path)| own(path)).map(|(process, _)| process).collect()
}
