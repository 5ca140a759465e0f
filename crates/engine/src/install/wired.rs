//! Files in a project that may hold nothing but what we put there.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::Whose;
use super::agents::AGENTS;
use super::pieces::Piece;
use crate::World;

/// What we put into files of a project, by their paths in it.
pub(crate) struct Wired(BTreeMap<String, Vec<Piece>>);

impl Wired {
    /// Lists it for every agent, be it installed or not.
    pub(crate) fn of(world: &World, project: &Path) -> Wired {
        let mut files: BTreeMap<String, Vec<Piece>> = BTreeMap::new();
        let planned = AGENTS.iter().filter_map(|agent| agent.planned(world, project, Whose::Project).ok());
        for file in planned.flatten() {
            let path = file.path.strip_prefix(project).ok().and_then(Path::to_str);
            if let Some(path) = path {
                files.entry(path.replace('\\', "/")).or_default().extend(file.pieces);
            }
        }
        Wired(files)
    }

    /// Tells whether nothing is left of a file once ours is taken out.
    pub(crate) fn is_all_ours(&self, path: &str, text: &str) -> bool {
        let Some(pieces) = self.0.get(path) else { return false };
        let mut rest = text.replace('\r', "");
        for piece in pieces {
            match piece.take_out(&rest) {
                Ok(Some(left)) => rest = left,
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
        rest.len() < text.len() && is_nothing(&rest)
    }
}

/// Tells whether settings say nothing; some agents want the version of their form.
fn is_nothing(rest: &str) -> bool {
    let fields = serde_json::from_str::<Value>(rest).ok();
    let fields = fields.as_ref().and_then(Value::as_object);
    rest.trim().is_empty() || fields.is_some_and(|fields| fields.keys().all(|field| field == "version"))
}
