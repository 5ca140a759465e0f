//! Sentence models from local files: listed, installed, verified. Nothing is ever downloaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_core::ContentHash;
use lore_core::meaning::StaticTable;
use lore_store::derived::Derived;
use lore_surface::{Bert, Embedder, cosine};
use serde::{Deserialize, Serialize};

use crate::{Engine, Error};

/// The files a model consists of, in the layout of Hugging Face.
const FILES: [&str; 3] = ["config.json", "vocab.txt", "model.safetensors"];
/// Lists the files of an installed model with their hashes.
const MANIFEST: &str = "lore-model.json";

/// A source of vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// What to call it in the settings.
    pub name: String,
    /// Where it lies; nothing for what is part of the program.
    pub folder: Option<PathBuf>,
    /// Bytes on disk, or in the program.
    pub bytes: u64,
    /// Whether the settings ask for it.
    pub in_use: bool,
}

/// What was found when a model was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verified {
    /// The model.
    pub name: String,
    /// Length of its vectors.
    pub dimensions: usize,
    /// How much nearer two sentences of one meaning are than two of different meaning.
    pub contrast: f64,
    /// What is wrong with it; nothing where it can be used.
    pub problems: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    files: Vec<(String, String, u64)>,
}

/// Two sentences that mean the same, and one that does not.
const SAME: [&str; 3] = [
    "The tests fail because the database is locked.",
    "A lock on the database makes the test suite break.",
    "Please write the release notes in a friendly tone.",
];

impl Engine {
    /// Lists where vectors can come from.
    pub fn models(&self) -> Result<Vec<Model>, Error> {
        let wanted = &self.settings.query.model;
        let table = Model {
            name: "static".to_owned(),
            folder: None,
            bytes: StaticTable::bytes(),
            in_use: wanted == "static",
        };
        let mut found = vec![table];
        let folder = self.model_folder()?;
        let Ok(listing) = std::fs::read_dir(&folder) else { return Ok(found) };
        for path in listing.filter_map(|item| Some(item.ok()?.path())) {
            let Some(manifest) = read_manifest(&path) else { continue };
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let bytes = manifest.files.iter().map(|(_, _, bytes)| bytes).sum();
            found.push(Model { in_use: *wanted == name, name, folder: Some(path), bytes });
        }
        found[1..].sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// Copies a model out of a local folder, after trying it.
    pub fn install_model(&self, from: &Path, name: Option<&str>, dry_run: bool) -> Result<Verified, Error> {
        let from = self.world.directory.join(from);
        let own = from.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.map(str::to_owned).or(own).unwrap_or_default().to_lowercase();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(plain) || matches!(name.as_str(), "static" | "none") {
            let sentence = format!("`{name}` cannot be the name of a model");
            return Err(Error::request(sentence, "give one with `--name`: letters, digits, `-` and `.`"));
        }
        let mut tried = try_out(&name, &Bert::load(&from)?);
        if !tried.problems.is_empty() || dry_run {
            return Ok(tried);
        }
        let target = Derived::ordinary(self.model_folder()?.join(&name));
        let mut files = Vec::new();
        for file in FILES {
            let path = from.join(file);
            let bytes = std::fs::read(&path).map_err(|source| Error::File { doing: "read", path, source })?;
            target.write(file, &bytes)?;
            files.push((file.to_owned(), ContentHash::of(&bytes).to_string(), bytes.len() as u64));
        }
        target.write_json(MANIFEST, &Manifest { files })?;
        tried.problems.extend(self.verify_model(&name)?.problems);
        Ok(tried)
    }

    /// Reads a model's files again and tries it.
    pub fn verify_model(&self, name: &str) -> Result<Verified, Error> {
        if name == "static" {
            return Ok(try_out(name, &StaticTable::shipped()));
        }
        let folder = self.model_folder()?.join(name);
        let Some(manifest) = read_manifest(&folder) else { return Err(unknown(name)) };
        let mut problems = Vec::new();
        for (file, hash, _) in &manifest.files {
            let bytes = std::fs::read(folder.join(file)).unwrap_or_default();
            if ContentHash::of(&bytes).as_str() != hash {
                problems.push(format!("`{file}` is not the file that was installed"));
            }
        }
        if !problems.is_empty() {
            return Ok(Verified { name: name.to_owned(), dimensions: 0, contrast: 0.0, problems });
        }
        Ok(try_out(name, &Bert::load(&folder)?))
    }

    /// Loads the model that the settings ask for.
    pub(crate) fn model(&self, name: &str) -> Result<Arc<dyn Embedder>, Error> {
        let folder = self.model_folder()?.join(name);
        if read_manifest(&folder).is_none() {
            return Err(unknown(name));
        }
        Ok(Arc::new(Bert::load(&folder)?))
    }

    fn model_folder(&self) -> Result<PathBuf, Error> {
        Ok(self.world.data_folder().ok_or(Error::NoHome)?.join("models"))
    }
}

fn unknown(name: &str) -> Error {
    let hint = "`lore model list` shows what there is; `lore config set query.model static` goes back";
    Error::request(format!("no model `{name}` is installed"), hint)
}

fn read_manifest(folder: &Path) -> Option<Manifest> {
    serde_json::from_slice(&std::fs::read(folder.join(MANIFEST)).ok()?).ok()
}

fn try_out(name: &str, embedder: &dyn Embedder) -> Verified {
    let [a, b, c] = SAME.map(|text| embedder.embed(text));
    let contrast = cosine(&a, &b) - cosine(&a, &c);
    let mut problems = Vec::new();
    if contrast <= 0.1 {
        problems.push("it does not tell sentences of one meaning from others".to_owned());
    }
    Verified { name: name.to_owned(), dimensions: embedder.dimensions(), contrast, problems }
}
