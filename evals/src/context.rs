//! Where the data are, and how they are unpacked.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use tempfile::TempDir;

/// What a suite may use.
pub(crate) struct Context {
    data: PathBuf,
    transcripts: Option<PathBuf>,
    pub(crate) repos: Option<PathBuf>,
    pub(crate) model: Option<PathBuf>,
    dump: Option<PathBuf>,
    pub(crate) grade: Option<PathBuf>,
    /// Recorded answers of an editor.
    pub(crate) answers: Option<PathBuf>,
    /// Where to write what an editor would be shown.
    pub(crate) write_packets: Option<PathBuf>,
    projects: Vec<String>,
    everything: bool,
    settings: BTreeMap<String, String>,
    scratch: OnceCell<TempDir>,
}

/// What every suite may be told on the command line.
#[derive(Debug, clap::Args)]
pub(crate) struct ContextOptions {
    /// Folder with the recorded data
    #[arg(long, default_value = "data")]
    pub(crate) data: PathBuf,
    /// Folder with unpacked transcripts, instead of the archives in the data folder
    #[arg(long)]
    pub(crate) transcripts: Option<PathBuf>,
    /// Folder with bare clones as `<owner>+<name>/repo`
    #[arg(long)]
    pub(crate) repos: Option<PathBuf>,
    /// Folder with an embedding model in Hugging Face layout
    #[arg(long)]
    pub(crate) model: Option<PathBuf>,
    /// Write what the product produced, one JSON object per line
    #[arg(long)]
    pub(crate) dump: Option<PathBuf>,
    /// Write what a person or another program is to grade, one JSON object per line
    #[arg(long)]
    pub(crate) grade: Option<PathBuf>,
    /// Folder with recorded answers of an editor
    #[arg(long, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// Write what an editor would be shown into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) write_packets: Option<PathBuf>,
    /// Only these projects
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) project: Vec<String>,
    /// Also the projects that stay unread while the product is being built
    #[arg(long)]
    pub(crate) all: bool,
    /// Further settings of the suite, as `name=value`
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// Projects that nobody looks into while building, so that what they say at the end is news.
pub(crate) const UNREAD: [&str; 5] = ["contact", "hk", "m-gemini", "orpheus", "tij"];

/// Anything that stops a suite.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

impl Context {
    pub(crate) fn new(options: ContextOptions) -> Context {
        let ContextOptions { data, transcripts, repos, model, dump, grade, .. } = options;
        let ContextOptions { answers, write_packets, project, all, settings, .. } = options;
        let pairs = settings.into_iter().filter_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        Context {
            data,
            transcripts,
            repos,
            model,
            dump,
            grade,
            answers,
            write_packets,
            projects: project,
            everything: all,
            settings: pairs.collect(),
            scratch: OnceCell::new(),
        }
    }

    /// Returns a file of the data folder.
    pub(crate) fn data(&self, path: &str) -> PathBuf {
        self.data.join(path)
    }

    /// Returns a setting of the suite, as a number.
    pub(crate) fn setting(&self, name: &str, default: usize) -> usize {
        self.settings.get(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    /// Returns a setting of the suite, as it was given.
    pub(crate) fn setting_text(&self, name: &str) -> Option<&str> {
        self.settings.get(name).map(String::as_str)
    }

    /// Reads JSON lines, plain or gzipped; a missing file is empty, so that a suite can say so.
    pub(crate) fn json_lines<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, Failure> {
        let full = self.data(path);
        if !full.exists() {
            return Ok(Vec::new());
        }
        let file = File::open(&full)?;
        let reader: Box<dyn Read> =
            if path.ends_with(".gz") { Box::new(flate2::read::GzDecoder::new(file)) } else { Box::new(file) };
        let mut rows = Vec::new();
        for (number, line) in BufReader::new(reader).lines().enumerate() {
            let line = line?;
            if !line.trim().is_empty() {
                let row = serde_json::from_str(&line).map_err(|e| format!("{path}:{}: {e}", number + 1))?;
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Unpacks every archive of a folder of the data (`transcripts`, `stores`) and returns name → folder.
    pub(crate) fn unpacked(&self, folder: &str) -> Result<BTreeMap<String, PathBuf>, Failure> {
        let mut found = BTreeMap::new();
        let source = self.data(folder);
        let given = self.transcripts.as_ref().filter(|_| folder == "transcripts");
        let mut archives = archives(&source)?;
        if folder == "transcripts" {
            archives.retain(|(name, _)| self.is_wanted(name));
        }
        if let Some(given) = given {
            let apart = archives.iter().any(|(name, _)| given.join(name).is_dir());
            if archives.is_empty() {
                found.insert("all".to_owned(), given.clone());
            }
            archives.retain(|(name, _)| {
                let own = given.join(name);
                let is_there = own.is_dir() || !apart;
                if is_there {
                    found.insert(name.clone(), if apart { own } else { given.clone() });
                }
                !is_there
            });
        }
        let scratch = match self.scratch.get() {
            Some(scratch) => scratch,
            None => {
                let made = TempDir::with_prefix("lore-evals-")?;
                self.scratch.get_or_init(|| made)
            }
        };
        for (name, archive) in archives {
            let target = scratch.path().join(folder).join(&name);
            if !target.is_dir() {
                std::fs::create_dir_all(&target)?;
                let decoder = zstd::Decoder::new(File::open(archive)?)?;
                tar::Archive::new(decoder).unpack(&target)?;
            }
            found.insert(name, target);
        }
        Ok(found)
    }

    /// Tells whether a project is to be looked at.
    pub(crate) fn is_wanted(&self, project: &str) -> bool {
        if self.projects.is_empty() {
            self.everything || !UNREAD.contains(&project)
        } else {
            self.projects.iter().any(|name| name == project)
        }
    }

    /// Writes one text as it is, where that was asked for.
    pub(crate) fn dump_text(&self, text: &str) -> Result<(), Failure> {
        if let Some(path) = &self.dump {
            std::fs::write(path, text)?;
        }
        Ok(())
    }

    /// Returns the file that was asked for, for suites that make something other than lines.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.dump.as_deref()
    }

    /// Writes what the product produced, where that was asked for.
    pub(crate) fn dump<T: serde::Serialize>(&self, rows: &[T]) -> Result<(), Failure> {
        let Some(path) = &self.dump else { return Ok(()) };
        write_lines(path, rows)
    }
}

/// Writes one JSON object per line.
pub(crate) fn write_lines<T: serde::Serialize>(path: &Path, rows: &[T]) -> Result<(), Failure> {
    let mut out = BufWriter::new(File::create(path)?);
    for row in rows {
        serde_json::to_writer(&mut out, row)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn archives(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for file in std::fs::read_dir(folder)? {
            let path = file?.path();
            let name = path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(".tar.zst"));
            if let Some(name) = name {
                found.push((name.to_owned(), path.clone()));
            }
        }
    }
    found.sort();
    Ok(found)
}
