//! The sessions of a project in the order of time, and which of them an editor goes through.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_capture::{ReadOptions, read_path};
use lore_core::SessionId;
use lore_distill::curator::{PacketBudget, digest, packets};
use rayon::prelude::*;
use serde::Deserialize;

use crate::context::{Context, Failure};
use crate::suites::files_below;

/// One session of a project.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) path: PathBuf,
    /// The file as labels name it.
    pub(super) file: String,
    pub(super) session: SessionId,
    pub(super) started: Option<Timestamp>,
    pub(super) ended: Option<Timestamp>,
    /// So many packets come of it.
    packets: usize,
    /// What an editor is shown of it, for coverage.
    pub(super) shown: String,
    /// The same line by line, with its record and whose words it holds.
    pub(super) lines: Vec<(u32, String)>,
}

/// A project with its sessions in the order of time.
pub(super) struct Corpus {
    pub(super) name: String,
    pub(super) sessions: Vec<Held>,
    /// Places of the sessions that an editor goes through, and of those that count.
    pub(super) chosen: Vec<usize>,
    pub(super) counted: Vec<usize>,
}

#[derive(Debug, Deserialize)]
struct LabelledFile {
    #[serde(default)]
    corpus: String,
    #[serde(default, alias = "new_file")]
    file: String,
    #[serde(default)]
    old_file: String,
    #[serde(default)]
    keep: Option<u8>,
}

/// Reads the projects that were asked for; only their transcripts are opened.
pub(super) fn read(context: &Context) -> Result<Vec<Corpus>, Failure> {
    let most = context.setting("packets", 12);
    let labels = labels(context)?;
    let mut found = Vec::new();
    for (name, folder) in context.unpacked("transcripts")? {
        if !folder.ends_with(&name) || !labels.keys().any(|(corpus, _)| *corpus == name) {
            continue;
        }
        let sessions = sessions(&folder)?;
        let chosen = choose(&name, &sessions, &labels, most);
        let mut counted = chosen.clone();
        if let Some(folder) = context.setting_text("counted") {
            let keys = keys_in(Path::new(folder))?;
            counted.retain(|at| keys.iter().any(|key| key.contains(sessions[*at].session.as_str())));
        }
        found.push(Corpus { name, sessions, chosen, counted });
    }
    Ok(found)
}

/// Reads which parts of the record the packets in a folder hold.
fn keys_in(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut keys = Vec::new();
    for path in files_below(folder)?.iter().filter(|path| path.to_string_lossy().ends_with(".map.json")) {
        let beside: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        keys.extend(beside["key"].as_str().map(str::to_owned));
    }
    Ok(keys)
}

fn sessions(folder: &Path) -> Result<Vec<Held>, Failure> {
    let read = |path: &PathBuf| {
        let mut held = Vec::new();
        // A file that is no transcript has nothing to say.
        let _ = read_path(path, &ReadOptions::default(), &mut |session| {
            let digest = digest(&session, 0);
            let digests: Vec<_> = digest.into_iter().collect();
            let packets = packets(&digests, &[], &PacketBudget::default());
            let lines = packets.iter().flat_map(|packet| &packet.lines);
            let marked =
                |line: &lore_core::PacketLine| (line.record, format!("{}: {}", line.class.mark(), line.text));
            let numbered = lines.clone().filter(|line| !line.old).map(marked).collect();
            held.push(Held {
                path: path.clone(),
                file: path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned(),
                session: session.id.clone(),
                started: session.started,
                ended: session.ended,
                packets: packets.len(),
                shown: lines.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n"),
                lines: numbered,
            });
        });
        held
    };
    let mut held: Vec<Held> = files_below(folder)?.par_iter().flat_map(read).collect();
    held.sort_by(|a, b| (a.started, &a.file).cmp(&(b.started, &b.file)));
    Ok(held)
}

/// Counts the labels of each file: what is worth keeping, and sides of changes.
fn labels(context: &Context) -> Result<BTreeMap<(String, String), usize>, Failure> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut count = |corpus: &str, file: &str, weight: usize| {
        if !file.is_empty() {
            *counts.entry((corpus.to_owned(), file.to_owned())).or_default() += weight;
        }
    };
    for path in ["gold/items.jsonl", "judged/candidates.jsonl"] {
        for label in context.json_lines::<LabelledFile>(path)? {
            count(&label.corpus, &label.file, usize::from(label.keep.is_none_or(|keep| keep == 2)));
        }
    }
    for label in context.json_lines::<LabelledFile>("judged/changes.jsonl")? {
        count(&label.corpus, &label.file, 1);
        count(&label.corpus, &label.old_file, 1);
    }
    Ok(counts)
}

/// Chooses the sessions with most labels until there are enough packets, and puts them in order.
fn choose(
    corpus: &str,
    sessions: &[Held],
    labels: &BTreeMap<(String, String), usize>,
    most: usize,
) -> Vec<usize> {
    let count = |held: &Held| labels.get(&(corpus.to_owned(), held.file.clone())).copied().unwrap_or(0);
    let mut places: Vec<usize> = (0..sessions.len()).filter(|at| sessions[*at].packets > 0).collect();
    places.sort_by_key(|at| std::cmp::Reverse(count(&sessions[*at])));
    let mut room = most;
    places.retain(|at| {
        let fits = sessions[*at].packets <= room;
        room -= if fits { sessions[*at].packets } else { 0 };
        fits
    });
    places.sort_unstable();
    places
}
