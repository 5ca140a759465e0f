//! Curating by itself, in the way the user chooses: git hook, cron, systemd timer, GitHub Actions.
//!
//! Nothing is installed unasked, nothing runs for long: each way starts `lore curate`. After a
//! commit it is `--due`, which does nothing until enough is new or something has waited for a day; at night and in
//! continuous integration whatever waits is enough. The gate asks whether a design step was checked. What another
//! tool wrote into the same file stays.

mod text;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lore_store::derived::Derived;
use serde::Serialize;

use crate::{Engine, Error};

/// A way to run by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// After each commit in this clone.
    GitHook,
    /// By the system's table of regular jobs.
    Cron,
    /// By a timer of the user's systemd.
    Systemd,
    /// In the repository's own continuous integration.
    GithubActions,
    /// Before each commit and push in this clone, for the checks of design steps.
    GitGate,
}

impl Way {
    /// Every way, in the order they are shown.
    pub const ALL: [Way; 5] = [Way::GitHook, Way::Cron, Way::Systemd, Way::GithubActions, Way::GitGate];

    /// Returns its name on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Way::GitHook => "git-hook",
            Way::Cron => "cron",
            Way::Systemd => "systemd",
            Way::GithubActions => "github-actions",
            Way::GitGate => "git-gate",
        }
    }

    /// Says when it runs.
    pub const fn about(self) -> &'static str {
        match self {
            Way::GitHook => "after each commit in this clone, in the background",
            Way::Cron => "every night, by your crontab",
            Way::Systemd => "every night, by a timer of your own systemd",
            Way::GithubActions => "every week, by a workflow that opens no port and needs no secret",
            Way::GitGate => "before each commit and push in this clone: is the design step checked?",
        }
    }
}

/// One file of a way, with what it should hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// The file; nothing for the crontab, which is not a file of ours.
    pub path: Option<PathBuf>,
    /// The whole text after installing.
    pub text: String,
    /// Only the part that is ours.
    pub ours: String,
}

/// How a way stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scheduled {
    /// The way.
    pub way: Way,
    /// When it runs.
    pub about: &'static str,
    /// Whether it is installed.
    pub installed: bool,
    /// Its files.
    pub files: Vec<Planned>,
    /// What is left for the user to do, each a command.
    pub next: Vec<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Tells how each way stands.
    pub fn schedules(&self) -> Result<Vec<Scheduled>, Error> {
        Way::ALL.into_iter().map(|way| self.schedule(way)).collect()
    }

    /// Tells how a way stands and what installing it would write.
    pub fn schedule(&self, way: Way) -> Result<Scheduled, Error> {
        let files = self.planned(way)?;
        let installed = files.iter().all(|file| current(file).is_some_and(|now| now.contains(&file.ours)));
        Ok(Scheduled { way, about: way.about(), installed, files, next: self.next(way), dry_run: true })
    }

    /// Installs a way; doing it twice is doing it once.
    pub fn install_schedule(&self, way: Way, dry_run: bool) -> Result<Scheduled, Error> {
        let mut scheduled = self.schedule(way)?;
        scheduled.dry_run = dry_run;
        if !dry_run {
            for file in &scheduled.files {
                put(file, &file.text)?;
            }
            scheduled.installed = true;
        }
        Ok(scheduled)
    }

    /// Takes a way out again, and leaves what is not ours.
    pub fn uninstall_schedule(&self, way: Way, dry_run: bool) -> Result<Scheduled, Error> {
        if !dry_run {
            let instead =
                format!("a person runs `lore schedule uninstall {}` in a terminal of their own", way.word());
            self.only_a_person("take out what was installed", &instead)?;
        }
        let mut scheduled = self.schedule(way)?;
        scheduled.dry_run = dry_run;
        scheduled.next = match way {
            Way::Systemd => vec![format!("systemctl --user disable --now {}.timer", self.unit())],
            Way::GitHook | Way::Cron | Way::GithubActions | Way::GitGate => Vec::new(),
        };
        for file in &mut scheduled.files {
            let now = current(file).unwrap_or_default();
            file.text = text::without(&now, &file.ours);
            if !dry_run {
                put(file, &file.text)?;
            }
        }
        if !dry_run {
            scheduled.installed = false;
        }
        Ok(scheduled)
    }

    fn planned(&self, way: Way) -> Result<Vec<Planned>, Error> {
        let project = self.project().display().to_string();
        let whole = |path: PathBuf, text: String| Planned { path: Some(path), ours: text.clone(), text };
        Ok(match way {
            Way::GitHook => vec![self.planned_hook("post-commit", text::hook_block())?],
            Way::GitGate => vec![
                self.planned_hook("pre-commit", text::gate_block("pre-commit"))?,
                self.planned_hook("commit-msg", text::gate_block("commit-msg"))?,
                self.planned_hook("pre-push", text::gate_block("pre-push"))?,
            ],
            Way::Cron => {
                let before = crontab().unwrap_or_default();
                let ours = text::cron_block(&project, &self.own_path());
                vec![Planned { text: text::with_block(&before, &ours), ours, path: None }]
            }
            Way::Systemd => {
                let folder = self
                    .world
                    .config_file()
                    .and_then(|file| Some(file.parent()?.parent()?.join("systemd/user")));
                let folder = folder.ok_or(Error::NoHome)?;
                let name = text::unit(&project);
                vec![
                    whole(folder.join(format!("{name}.service")), text::service(&project, &self.own_path())),
                    whole(folder.join(format!("{name}.timer")), text::timer()),
                ]
            }
            Way::GithubActions => {
                let path = self.project().join(".github/workflows/lore.yml");
                vec![whole(path, text::workflow())]
            }
        })
    }

    fn planned_hook(&self, name: &str, ours: String) -> Result<Planned, Error> {
        let no_git =
            || Error::request("this project has no git repository", "run `git init`, or choose another way");
        let folder = self.hooks_folder().ok_or_else(no_git)?;
        let path = folder.join(name);
        let by_hand = "let it call `lore curate --due --quiet` in the background, or choose cron or systemd";
        // What lies among the files of the project is everybody's, and usually another tool's.
        let common = self.store.git().map(|git| git.common().to_owned()).unwrap_or_default();
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if real(&folder).starts_with(real(self.project())) && !real(&folder).starts_with(real(&common)) {
            let sentence = format!(
                "git's hooks lie in the project itself (`{}`), where others own them",
                folder.display()
            );
            return Err(Error::request(sentence, by_hand));
        }
        let before = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes).unwrap_or_else(|_| "\0".to_owned()),
            Err(_) => String::new(),
        };
        if !text::is_for_a_shell(&before) {
            let sentence =
                format!("`{}` is somebody's hook in another language; it is left alone", path.display());
            return Err(Error::request(sentence, by_hand));
        }
        Ok(Planned { text: text::with_block_in_script(&before, &ours), ours, path: Some(path) })
    }

    /// Names ourselves for those that start us without the user's PATH.
    fn own_path(&self) -> String {
        let found = self.world.found("lore").or_else(crate::env::program);
        found.map_or_else(|| "lore".to_owned(), |path| path.display().to_string())
    }

    fn unit(&self) -> String {
        text::unit(&self.project().display().to_string())
    }

    fn next(&self, way: Way) -> Vec<String> {
        match way {
            Way::Systemd => vec![
                "systemctl --user daemon-reload".to_owned(),
                format!("systemctl --user enable --now {}.timer", self.unit()),
            ],
            Way::GithubActions => vec!["git add .github/workflows/lore.yml".to_owned()],
            Way::GitHook | Way::Cron | Way::GitGate => Vec::new(),
        }
    }

    /// Returns where git looks for hooks, a shared folder included.
    fn hooks_folder(&self) -> Option<PathBuf> {
        self.store.git()?;
        let output = Command::new("git")
            .args(["-c", "safe.bareRepository=explicit"])
            .args(["rev-parse", "--path-format=absolute", "--git-path", "hooks"])
            .current_dir(self.project())
            .stdin(Stdio::null())
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (!path.is_empty()).then(|| PathBuf::from(path))
    }
}

fn current(file: &Planned) -> Option<String> {
    match &file.path {
        Some(path) => read(path),
        None => crontab(),
    }
}

fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Writes a file, or the crontab; what would be empty goes.
fn put(file: &Planned, text: &str) -> Result<(), Error> {
    let Some(path) = &file.path else { return set_crontab(text) };
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let derived = Derived::ordinary(folder);
    if text.trim().is_empty() || text.trim() == "#!/bin/sh" {
        return Ok(derived.remove(name)?);
    }
    derived.write(name, text.as_bytes())?;
    make_runnable(path, text)
}

/// A hook that may not be run is skipped by git without a word.
fn make_runnable(path: &Path, text: &str) -> Result<(), Error> {
    #[cfg(unix)]
    if text.starts_with("#!") {
        use std::os::unix::fs::PermissionsExt as _;
        let failed = |source| Error::File { doing: "make runnable", path: path.to_owned(), source };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    Ok(())
}

fn crontab() -> Option<String> {
    let output = Command::new("crontab").arg("-l").stdin(Stdio::null()).output().ok()?;
    // A user without a crontab is told so with an error; that is an empty one.
    Some(if output.status.success() {
        String::from_utf8_lossy(&output.stdout).into_owned()
    } else {
        String::new()
    })
}

fn set_crontab(text: &str) -> Result<(), Error> {
    let failed = |source| Error::File { doing: "run", path: PathBuf::from("crontab"), source };
    let mut child = Command::new("crontab").arg("-").stdin(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut pipe) = child.stdin.take() {
        use std::io::Write as _;
        pipe.write_all(text.as_bytes()).map_err(failed)?;
    }
    let status = child.wait().map_err(failed)?;
    if status.success() {
        return Ok(());
    }
    Err(Error::request("`crontab` refused the new table", "see what it printed; nothing was changed"))
}
