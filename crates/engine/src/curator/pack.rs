//! Making the next packet: the oldest sessions that wait, and the entries nearest to them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use lore_capture::Keep;
use lore_core::recall::Query;
use lore_core::session::Session;
use lore_core::{Entry, EntryId, Kind, Moment, Packet, SessionId, Status};
use lore_distill::curator::{
    ANSWERS, PacketBudget, SessionDigest, batches, choose, digest, is_draft, packets, questions,
};
use lore_store::Ledger;
use lore_surface::Index;
use serde::{Deserialize, Serialize};

use super::backlog::BacklogSession;
use super::desk::Desk;
use crate::curate::fingerprint;
use crate::sessions::SessionFilter;
use crate::{Engine, Error};

/// Whatever is asked for, a packet has room for this much record.
const LEAST: usize = 500;
/// What instructions and nearest entries cost beside the record.
const BESIDE: usize = 1_300;

/// A packet with what is needed to take its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Prepared {
    pub(crate) packet: Packet,
    /// The parts of sessions it holds, as the ledger names them.
    pub(crate) parts: Vec<PreparedPart>,
    /// The entries it shows, as they were.
    pub(crate) versions: BTreeMap<EntryId, String>,
    /// An answer that waits for its second half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) begun: Option<String>,
}

/// A part of a session, as the ledger names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PreparedPart {
    pub(crate) agent: String,
    pub(crate) session: SessionId,
    pub(crate) up_to: u32,
    pub(crate) hash: String,
    pub(crate) at: Option<Timestamp>,
    /// Whether it worked in a folder of this project.
    pub(crate) is_here: bool,
}

/// How large the next packet may be.
#[derive(Debug, Clone, Default)]
pub(crate) struct PacketWish {
    /// In tokens, everything included; the usual size where nothing.
    pub(crate) tokens: Option<usize>,
    /// Sessions that had their share in this run.
    pub(crate) without: BTreeSet<SessionId>,
    /// Every session by itself.
    pub(crate) apart: bool,
}

/// A session that was opened.
struct Opened {
    session: Session,
    digest: SessionDigest,
    is_here: bool,
}

impl Engine {
    /// Makes the next packet of what waits and nobody is at.
    pub(crate) fn prepare(
        &self,
        waiting: &[BacklogSession],
        wish: &PacketWish,
        desk: &Desk,
    ) -> Result<Option<Prepared>, Error> {
        let ledger = self.store.ledger();
        let leased = desk.leased(self.present());
        let free =
            |one: &&BacklogSession| !leased.contains(&one.session) && !wish.without.contains(&one.session);
        let mut budget = PacketBudget::default();
        if let Some(tokens) = wish.tokens {
            budget.record = budget.record.min(tokens.saturating_sub(BESIDE)).max(LEAST);
        }
        let mut opened: Vec<Opened> = Vec::new();
        for one in waiting.iter().filter(free) {
            let halvings = desk.halvings(&one.session);
            if halvings > 0 && !opened.is_empty() {
                break;
            }
            budget.record = (budget.record >> halvings).max(LEAST);
            let Some(next) = self.open_session(one, &ledger, desk)? else { continue };
            opened.push(next);
            let digests = opened.iter().map(|one| one.digest.clone()).collect();
            if batches(digests, &budget).len() > 1 {
                opened.pop();
                break;
            }
            if wish.apart || halvings > 0 {
                break;
            }
        }
        if opened.is_empty() {
            return Ok(None);
        }
        let digests: Vec<SessionDigest> = opened.iter().map(|one| one.digest.clone()).collect();
        let nearest = self.nearest(&digests)?;
        let Some(packet) = packets(&digests, &nearest, &budget).into_iter().next() else { return Ok(None) };
        let parts = packet.sessions.iter().filter_map(|part| {
            let one = opened.iter().find(|one| one.session.id == part.session)?;
            Some(PreparedPart {
                agent: one.session.agent.clone(),
                session: part.session.clone(),
                up_to: part.up_to,
                hash: fingerprint(&one.session, u64::from(part.up_to)),
                at: one.session.ended.or(one.session.started),
                is_here: one.is_here,
            })
        });
        let snapshot = self.store.snapshot()?;
        let version = |id: &EntryId| Some((id.clone(), snapshot.find(id.as_str())?.version.to_string()));
        let versions = packet.nearest.iter().filter_map(|near| version(&near.id)).collect();
        Ok(Some(Prepared { parts: parts.collect(), versions, packet, begun: None }))
    }

    /// Reads a session from where an editor left it; nothing where there is nothing new after all.
    fn open_session(
        &self,
        one: &BacklogSession,
        ledger: &Ledger,
        desk: &Desk,
    ) -> Result<Option<Opened>, Error> {
        let archive = self.archive()?;
        let paths = vec![one.source.clone()];
        let filter = SessionFilter { paths, everywhere: true, ..SessionFilter::default() };
        let sources = archive.sources(&filter)?;
        let wanted = |session: Session, found: &lore_capture::Found| {
            let is_here = found.own || archive.belongs(&session);
            (session.id == one.session && session.agent == one.agent).then_some((session, is_here))
        };
        let (found, _) = archive.each_of(&sources, &filter, Keep::Conversation, &|_, _| {}, wanted);
        let Some((session, is_here)) = found.into_iter().max_by_key(|(session, _)| session.turns.len())
        else {
            return Ok(None);
        };
        let edited = ledger.edited_by(&one.agent, &one.session, |packet| desk.counts(packet));
        let edited = edited.filter(|edited| edited.hash == fingerprint(&session, edited.lines));
        let from = edited.map_or(0, |edited| u32::try_from(edited.lines).unwrap_or(u32::MAX));
        let Some(mut digest) = digest(&session, from) else { return Ok(None) };
        for line in &mut digest.lines {
            if let Cow::Owned(left) = archive.exclusion().without_topics(&line.text) {
                line.text = left;
            }
        }
        digest.lines.retain(|line| !line.text.trim().is_empty());
        let seals = self.store.seals();
        if !seals.is_empty() {
            digest.lines.retain(|line| !seals.forbid(&line.text));
            for line in &mut digest.lines {
                if let Some(without) = seals.without_people(&line.text) {
                    line.text = without;
                }
            }
        }
        Ok(Some(Opened { session, digest, is_here }))
    }

    /// Finds the entries that stand nearest to what was said, and every preference.
    fn nearest(&self, digests: &[SessionDigest]) -> Result<Vec<Entry>, Error> {
        let today = Moment::Instant(self.world.now);
        let questions = questions(digests);
        let hits = self.with_library(|index: &Index| {
            let snapshot = index.snapshot();
            let ask = |text: &String| {
                let query = Query { limit: Some(ANSWERS), ..Query::text(text.as_str()) };
                let hits = snapshot.search(&query, today)?;
                Ok(hits.into_iter().map(|hit| (hit.id, hit.score)).collect::<Vec<(EntryId, f64)>>())
            };
            questions.iter().map(ask).collect::<Result<Vec<_>, _>>()
        })?;
        let snapshot = self.store.snapshot()?;
        let mut read: BTreeMap<EntryId, Option<Entry>> = BTreeMap::new();
        let mut entry = |id: &EntryId| {
            let fetch = || Some(snapshot.read(snapshot.find(id.as_str())?).ok()?.entry);
            read.entry(id.clone()).or_insert_with(fetch).clone()
        };
        // What rules made of the very lines that are shown is named by them, beside what else is near.
        let is_new = |session: &SessionId, record: u32| {
            digests.iter().any(|digest| digest.session == *session && digest.is_new(record))
        };
        let mut drafts: BTreeMap<EntryId, Entry> = BTreeMap::new();
        let mut entry = |id: &EntryId| {
            let found = entry(id)?;
            if is_draft(&found, is_new) {
                drafts.insert(found.id.clone(), found);
                return None;
            }
            Some(found)
        };
        let answers = hits
            .iter()
            .map(|hits| hits.iter().filter_map(|(id, score)| Some((entry(id)?, *score))).collect())
            .collect();
        let preferences: Vec<EntryId> = snapshot
            .summaries()
            .filter(|summary| summary.kind == Kind::Preference && summary.status == Status::Current)
            .filter(|summary| !summary.archived)
            .map(|summary| summary.id.clone())
            .collect();
        let preferences = preferences.iter().filter_map(&mut entry).collect();
        let mut chosen = choose(digests, answers, preferences);
        chosen.extend(drafts.into_values());
        Ok(chosen)
    }
}
