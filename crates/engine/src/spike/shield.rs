//! Makes the user's tree read-only for an experiment, where the system lets us.
//!
//! On Linux a namespace of its own (`unshare`) can see a folder read-only that everybody else writes.
//! Where that is not allowed, or on another system, the tree is only looked at before and after.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs the script behind the first argument with the folders behind it read-only.
const WRAPPER: &str = "s=$1; shift; for p; do mount --bind -- \"$p\" \"$p\" && mount -o remount,ro,bind -- \"$p\" || exit 125; \
                       done; exec /bin/sh -eu -c \"$s\"";

/// The folders that an experiment may read and not write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shield(Vec<PathBuf>);

impl Shield {
    /// Shields folders, unless the system does not allow it or the place itself lies in one.
    pub(super) fn over(folders: &[&Path], place: &Path) -> Shield {
        let mut folders: Vec<PathBuf> = folders
            .iter()
            .filter_map(|folder| folder.canonicalize().ok())
            .filter(|folder| folder != Path::new("/"))
            .collect();
        folders.sort();
        folders.dedup();
        let inner = folders.clone();
        // What lies in another is shielded with it.
        folders.retain(|folder| !inner.iter().any(|other| other != folder && folder.starts_with(other)));
        let place = place.canonicalize().unwrap_or_else(|_| place.to_owned());
        let shield = Shield(folders);
        if shield.0.iter().any(|folder| place.starts_with(folder)) || !shield.works() {
            return Shield::default();
        }
        shield
    }

    /// Tells whether it holds anything back.
    pub(super) fn is_up(&self) -> bool {
        !self.0.is_empty()
    }

    /// Makes the command that runs a script behind it.
    pub(super) fn command(&self, script: &str) -> Command {
        if self.0.is_empty() {
            let mut command = Command::new("/bin/sh");
            command.args(["-eu", "-c", script]);
            return command;
        }
        let mut command = Command::new("unshare");
        command.args([
            "--user",
            "--map-root-user",
            "--mount",
            "--",
            "/bin/sh",
            "-c",
            WRAPPER,
            "lore-shield",
            script,
        ]);
        command.args(&self.0);
        command
    }

    fn works(&self) -> bool {
        if self.0.is_empty() || !cfg!(target_os = "linux") {
            return false;
        }
        let mut command = self.command("true");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}
