//! Words that a tool printed before keep its trust, whoever repeats them.
//!
//! Curation reads only the conversation. What tools printed is looked at once the candidates are
//! known, and only for their words: an agent's sentence that stands in a file it had just read, or a
//! block that somebody pasted, is then the tool's and becomes nothing by itself. What a person typed
//! stays theirs, also where a file says the same.

use std::collections::HashMap;
use std::sync::Arc;

use lore_capture::{Found, Keep, Phrases, ReadOptions};
use lore_core::session::{Printed, Session};
use lore_core::{Evidence, SessionId, Voice};
use lore_distill::printed::{is_printed, phrases_of};
use rayon::prelude::*;

use super::reading::Part;
use crate::sessions::Archive;

/// A message of a person with more words than this may have been pasted.
const LONG: usize = 60;
/// More candidates of one session are not asked about; those behind weigh next to nothing.
const MOST: usize = 128;

/// One piece of evidence whose words may be a tool's.
pub(super) struct Doubt {
    candidate: usize,
    evidence: usize,
    phrases: Vec<String>,
}

/// Lists the evidence of a session's candidates that may be a tool's words.
pub(super) fn doubts(session: &Session, found: &[lore_core::Candidate]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    for (candidate, one) in found.iter().enumerate().take(MOST) {
        for (evidence, said) in one.evidence.iter().enumerate() {
            let may_be = match said.voice {
                Voice::Agent => true,
                Voice::Person => is_long(session, said),
                Voice::Tool | Voice::Web => false,
            };
            let phrases = if may_be { phrases_of(&said.quote) } else { Vec::new() };
            if !phrases.is_empty() {
                doubts.push(Doubt { candidate, evidence, phrases });
            }
        }
    }
    doubts
}

fn is_long(session: &Session, said: &Evidence) -> bool {
    let blocks = session.turns.iter().flat_map(|turn| &turn.blocks).filter(|block| block.line == said.line);
    blocks.map(|block| block.text.split_whitespace().count()).sum::<usize>() > LONG
}

/// Looks through what tools printed and gives their words back to them.
pub(super) fn settle(archive: &Archive, sources: &[Found], parts: &mut [Part]) {
    let mut of_source: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| !part.doubts.is_empty()) {
        of_source.entry(part.source).or_default().push(at);
    }
    let asked: Vec<(usize, Vec<usize>)> = of_source.into_iter().collect();
    let known: &[Part] = parts;
    let look = |(source, of): &(usize, Vec<usize>)| {
        let options = archive.options(Keep::Conversation);
        repeated(&sources[*source], of.iter().map(|at| (*at, &known[*at])), options)
    };
    let found: Vec<(usize, usize, usize)> = asked.par_iter().flat_map_iter(look).collect();
    for (part, candidate, evidence) in found {
        parts[part].found[candidate].evidence[evidence].voice = Voice::Tool;
    }
}

/// Reads one source again, only for the phrases, and names the evidence that was printed before.
fn repeated<'p>(
    source: &Found,
    parts: impl Iterator<Item = (usize, &'p Part)> + Clone,
    options: ReadOptions,
) -> Vec<(usize, usize, usize)> {
    let all: Vec<String> =
        parts.clone().flat_map(|(_, part)| &part.doubts).flat_map(|doubt| doubt.phrases.clone()).collect();
    let Some(phrases) = Phrases::new(&all) else { return Vec::new() };
    let options = ReadOptions { listen: Some(Arc::new(phrases)), ..options };
    let mut printed: HashMap<SessionId, Vec<Printed>> = HashMap::new();
    let outcome = lore_capture::read_path(&source.path, &options, &mut |session| {
        printed.entry(session.id).or_default().extend(session.printed);
    });
    if let Err(error) = outcome {
        tracing::debug!(%error, "what tools printed cannot be looked at");
    }
    let mut out = Vec::new();
    let mut first = 0;
    for (at, part) in parts {
        let nothing = Vec::new();
        let here = printed.get(&part.curated.session).unwrap_or(&nothing);
        for doubt in &part.doubts {
            let own = first..first + doubt.phrases.len();
            first = own.end;
            let line = part.found[doubt.candidate].evidence[doubt.evidence].line;
            let before = |phrase: &usize| here.iter().any(|hit| hit.phrase == *phrase && hit.line < line);
            if is_printed(own.clone().filter(before).count(), own.len()) {
                out.push((at, doubt.candidate, doubt.evidence));
            }
        }
    }
    out
}
