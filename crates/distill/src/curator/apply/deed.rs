//! An edit with its evidence, ready to be carried out.

use jiff::Timestamp;
use lore_core::redact::Redactor;
use lore_core::words::{Commonness, commonness};
use lore_core::{
    Candidate, Confidence, EDITED, Evidence, Kind, LineClass, Moment, Packet, PacketLine, Proofread, Reason,
    SessionId, one_line,
};
use serde_json::json;

use super::PlanContext;
use crate::article;
use crate::curate::Work;
use crate::curator::digest::own_words;
use crate::curator::tidy::is_cut;
use crate::curator::verify::without_addresses;
use crate::curator::words::content;
use crate::extract::keywords;
use crate::extract::sentence::sentences;

/// A word of software of so many letters is what a tool is called.
const SHORT: usize = 3;
/// So long may the part of a line be that is quoted, in characters.
const QUOTED: usize = 240;

/// An edit with its evidence.
pub(super) struct Deed<'a> {
    pub(super) proof: &'a Proofread,
    context: &'a PlanContext<'a>,
    /// The statement as curation takes it.
    pub(super) candidate: Candidate,
    /// What held before, with the lines that said so.
    pub(super) was: Option<Candidate>,
}

impl<'a> Deed<'a> {
    pub(super) fn of(proof: &'a Proofread, context: &'a PlanContext<'a>) -> Deed<'a> {
        let edit = &proof.edit;
        let kind = edit.kind.or_else(|| proof.target.as_ref().and_then(lore_core::EntryId::kind));
        let title = edit.title.as_deref().unwrap_or_default();
        let make = |title: &str, text: &str, lines: &[u32]| {
            candidate(title, text, lines, kind, proof.confidence, context.packet)
        };
        Deed {
            proof,
            context,
            candidate: make(title, edit.said(), &edit.lines),
            was: edit.was.as_ref().map(|was| make("", &was.text, &was.lines)),
        }
    }

    /// Lists the records it rests on, those of what was before included.
    pub(super) fn cited(&self) -> impl Iterator<Item = (&SessionId, u32)> {
        let candidates = std::iter::once(&self.candidate).chain(&self.was);
        candidates
            .flat_map(|candidate| &candidate.evidence)
            .map(|evidence| (&evidence.session, evidence.line))
    }

    /// Lists what the lines say that it cites.
    pub(super) fn cited_texts(&self) -> impl Iterator<Item = &'a str> {
        let packet = self.context.packet;
        let lines = self.proof.edit.lines.iter().filter_map(|number| packet.line(*number));
        lines.map(|line| line.text.as_str())
    }

    /// Returns the title as the editor wrote it, a name that opens it in its own letters (`cc-lib`, `v2`).
    pub(super) fn title(&self) -> String {
        let title = article::title(&self.candidate);
        let written = one_line(&self.candidate.title);
        let opening = written.split(' ').next().unwrap_or_default();
        // `uv`, `git`: what is no English word is written as whoever wrote it did.
        let is_tool = match commonness(opening) {
            Commonness::Rare => opening.is_ascii(),
            Commonness::Software => opening.len() <= SHORT,
            Commonness::Chat | Commonness::Prompt | Commonness::English => false,
        };
        let is_name = opening.starts_with(char::is_lowercase)
            && (opening.chars().any(|c| !c.is_alphabetic()) || is_tool);
        let opens = title.chars().next().map_or(0, char::len_utf8);
        match written.chars().next().filter(|_| is_name) {
            Some(first) => format!("{first}{}", &title[opens..]),
            None => title,
        }
    }

    /// Tells whether it words anew what rules wrote from lines of its packet.
    pub(super) fn is_about_a_draft(&self) -> bool {
        self.proof.target.as_ref().is_some_and(|target| self.context.packet.is_draft(target))
    }

    /// Everything it says.
    pub(super) fn words(&self) -> String {
        let edit = &self.proof.edit;
        let was = edit.was.as_ref().map(|was| was.text.as_str());
        let parts = [edit.title.as_deref(), edit.text.as_deref(), edit.reason.as_deref(), was];
        parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// Says in the entry who edited it, and in the proposal why.
    pub(super) fn sign(&self, work: &mut Work) {
        let stamp =
            json!({ "by": self.context.editor.to_string(), "packet": self.context.packet.id.as_str() });
        work.entry.extra.insert(EDITED.to_owned(), stamp);
        let name = if self.candidate.title.is_empty() { &work.entry.title } else { &self.candidate.title };
        work.reasons.push(Reason(format!("“{name}”: {} by {}", self.proof.edit.op, self.context.editor)));
        for remark in &self.proof.remarks {
            work.reasons.push(Reason(format!("“{name}”: {}", remark.said)));
        }
    }
}

fn candidate(
    title: &str,
    text: &str,
    lines: &[u32],
    kind: Option<Kind>,
    confidence: Confidence,
    packet: &Packet,
) -> Candidate {
    let lines: Vec<_> = lines.iter().filter_map(|number| packet.line(*number)).collect();
    let issue =
        lines.first().and_then(|line| packet.sessions.iter().find(|part| part.session == line.session));
    let at: Option<Timestamp> = lines.iter().filter_map(|line| line.at).map(Moment::instant).max();
    let evidence = lines.iter().map(|line| Evidence {
        session: line.session.clone(),
        agent: line.agent.clone(),
        line: line.record,
        quote: quote(line, text, packet),
        voice: line.class.voice(),
        at: line.at.map(Moment::instant),
    });
    let title = one_line(title);
    Candidate {
        kind: kind.unwrap_or(Kind::Fact),
        confidence,
        keywords: keywords::keywords(&title, text),
        files: keywords::files(text),
        issue: issue.and_then(|part| part.issue.clone()),
        evidence: evidence.collect(),
        weight: 1.0,
        features: Vec::new(),
        at,
        title,
        text: one_line(text),
        route: lore_core::Route::Statement,
        backing: lore_core::Backing::Words,
    }
}

/// Quotes a line; an agent's words without addresses that nobody typed.
fn quote(line: &PacketLine, text: &str, packet: &Packet) -> String {
    let said = if line.class == LineClass::Typed { own_words(&line.text) } else { line.text.as_str() };
    let part = telling_part(said, text);
    let part = if line.class == LineClass::Typed { part } else { without_addresses(&part, packet) };
    // A part of a line may look like a secret that the whole did not.
    Redactor::standard().redact(&part).text.into_owned()
}

/// Returns the sentence of a line that says most of a statement; a short line whole.
fn telling_part(line: &str, text: &str) -> String {
    if line.chars().count() <= QUOTED {
        return one_line(line);
    }
    let said = content(text);
    let shared = |sentence: &str| {
        let mut stems = content(sentence);
        stems.sort_unstable();
        stems.dedup();
        stems.iter().filter(|stem| said.contains(stem)).count()
    };
    let mut best: (usize, &str) = (0, "");
    // A list has a point a line; where a line was cut, the pieces beside the cut are no sentences.
    let pieces = line.lines().flat_map(sentences).filter(|piece| !is_cut(piece));
    for sentence in pieces {
        let count = shared(sentence);
        if count > best.0 {
            best = (count, sentence);
        }
    }
    let best = best.1.trim_start();
    one_line(["- ", "* ", "• "].iter().find_map(|mark| best.strip_prefix(mark)).unwrap_or(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_of_a_list_is_quoted_and_not_what_a_cut_left_of_it() {
        let filler = "- The crew was greeted at the pier and had some tea with the pilots\n".repeat(4);
        let line = format!(
            "{filler}- Tickets are pri […90 characters left out…] ed on board\n- Tickets are printed ashore."
        );
        assert_eq!(
            telling_part(&line, "Tickets are printed ashore, not on board."),
            "Tickets are printed ashore."
        );
        assert_eq!(telling_part("- short", "Tickets"), "- short");
        let flag = format!("{filler}--ashore prints the tickets.");
        assert_eq!(telling_part(&flag, "Tickets are printed with --ashore."), "--ashore prints the tickets.");
    }
}
