//! What is written for edits that passed.

use lore_core::{
    Article, Confidence, Curator, DecidedBy, Edit, Entry, EntryId, Kind, LineClass, LinkKind, Op, Packet,
    ProofMark, Proofread, Proposal, Standing, Status, Voice, Was,
};

use super::made::entry_of;
use super::proofs::{packet_of, read_one};
use crate::curator::{EditPlan, Editor, PlanContext, plan};

/// A base in memory on which proposals are carried out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Shelf(pub(super) Vec<Entry>);

impl Shelf {
    pub(super) fn get(&self, id: &EntryId) -> &Entry {
        self.0.iter().find(|entry| entry.id == *id).unwrap()
    }

    pub(super) fn apply(&mut self, proposals: &[Proposal]) {
        for proposal in proposals {
            match proposal {
                Proposal::Create { entry, .. } => {
                    assert!(self.0.iter().all(|known| known.id != entry.id), "{} is there", entry.id);
                    self.0.push((**entry).clone());
                }
                Proposal::Replace { entry, .. } => {
                    let known = self.0.iter_mut().find(|known| known.id == entry.id).unwrap();
                    *known = (**entry).clone();
                }
                Proposal::AddSources { id, sources, .. } => {
                    let known = self.0.iter_mut().find(|known| known.id == *id).unwrap();
                    known.sources.extend(sources.iter().cloned());
                }
            }
        }
        self.0.sort_by(|a, b| a.id.cmp(&b.id));
    }

    pub(super) fn plan(&self, proofs: &[Proofread], packet: &Packet) -> EditPlan {
        let context = PlanContext {
            packet,
            entries: &self.0,
            editor: &Editor::Model("test".to_owned()),
            is_taken: &|id| self.0.iter().any(|entry| entry.id == *id),
            path: &|entry| format!("{}/{}.md", entry.kind.topic(), entry.id),
        };
        plan(proofs, &context)
    }

    /// Proof-reads, applies and hands back what was planned.
    pub(super) fn edit(&mut self, edit: Edit, packet: &Packet) -> EditPlan {
        let planned = self.plan(&[read_one(edit, packet, &self.0)], packet);
        self.apply(&planned.proposals);
        planned
    }
}

fn ferry(near: &[&Entry]) -> Packet {
    packet_of(
        "ferry",
        &[
            (
                LineClass::Passing,
                "Right now the ticket cache lies on disk, in `tickets.db`, and is read at every start.",
            ),
            (LineClass::Typed, "put the ticket cache into Redis, the ferries lose power every night"),
            (
                LineClass::Closing,
                "The ticket cache is in Redis now. It holds 500 tickets and drops the oldest first.",
            ),
            (
                LineClass::Commit,
                "feat(cache): expire tickets after 90 minutes\nThe gateway refuses older tickets.",
            ),
        ],
        near,
    )
}

const IN_REDIS: &str = "The ticket cache is kept in Redis. Because the ferries lose power every night.";

fn new() -> Edit {
    Edit {
        kind: Some(Kind::Decision),
        title: Some("Ticket cache in Redis".to_owned()),
        text: Some(IN_REDIS.to_owned()),
        decided_by: Some(DecidedBy::Person),
        was: Some(Was { text: "The ticket cache lies on disk, in `tickets.db`.".to_owned(), lines: vec![1] }),
        ..Edit::new(Op::New, vec![2, 3])
    }
}

fn on(op: Op, text: &str, lines: &[u32]) -> Edit {
    Edit { entry: Some("e1".to_owned()), text: Some(text.to_owned()), ..Edit::new(op, lines.to_vec()) }
}

#[test]
fn a_new_entry_has_its_lead_its_reason_its_history_and_its_lines() {
    let mut shelf = Shelf::default();
    shelf.edit(new(), &ferry(&[]));
    let entry = &shelf.0[0];
    insta::assert_snapshot!(entry.body);
    assert_eq!(entry.id.as_str(), "dec-2026-03-02-ticket-cache-in-redis");
    assert_eq!((entry.confidence, entry.status), (Some(Confidence::High), Status::Current));
    assert_eq!(DecidedBy::of(entry), DecidedBy::Person);
    let voices: Vec<(u32, Voice)> =
        entry.sources.iter().map(|source| (source.lines[0], source.voice)).collect();
    assert_eq!(voices, [(20, Voice::Person), (30, Voice::Agent), (10, Voice::Agent)]);
    assert_eq!(entry.extra["edited"]["by"], "model test");
    let newest = entry.sources.iter().filter_map(|source| source.at).max();
    assert_eq!(entry.generated.as_ref().and_then(|stamp| stamp.at), newest, "the clock is not asked");
    assert_eq!(entry.updated, newest);
}

#[test]
fn what_was_turned_down_never_held_and_nothing_took_its_place() {
    let text =
        "The ticket cache lies on disk, in `tickets.db`. A second disk was considered and turned down.";
    let mut packet = ferry(&[]);
    packet.lines[0].text = text.to_owned();
    let mut shelf = Shelf::default();
    shelf.edit(Edit { was: Some(Was { text: text.to_owned(), lines: vec![1] }), ..new() }, &packet);
    let history = Article::parse(&shelf.0[0].body).history;
    let told: Vec<(&str, bool, Option<&str>)> = history
        .iter()
        .map(|claim| match &claim.standing {
            Standing::Past { until, reason, .. } => (claim.text.as_str(), until.is_some(), reason.as_deref()),
            standing => panic!("{standing:?}"),
        })
        .collect();
    let expected = [
        ("The ticket cache lies on disk, in `tickets.db`.", true, None),
        ("A second disk was considered and turned down.", false, Some("it was turned down")),
    ];
    assert_eq!(told, expected);
}

#[test]
fn every_deed_done_twice_is_done_once() {
    let base = || {
        entry_of(Kind::Fact, "Ticket cache", "The ticket cache lies on disk, in `tickets.db`.", Voice::Agent)
    };
    let edits = [
        new(),
        on(Op::Same, "", &[1]),
        on(Op::Adds, "The cache holds 500 tickets and drops the oldest first.", &[3]),
        on(Op::Refines, "The ticket cache lies on disk, in `tickets.db`, and is read at every start.", &[1]),
        on(Op::Disputes, "The ticket cache is in Redis.", &[3]),
        Edit { op: Op::Supersedes, entry: Some("e1".to_owned()), ..new() },
    ];
    for edit in edits {
        let known = base();
        let packet = ferry(&[&known]);
        let mut shelf = Shelf(vec![known]);
        let first = shelf.edit(edit.clone(), &packet);
        assert!(!first.proposals.is_empty(), "{edit:?} {:?}", first.left);
        let once = shelf.clone();
        let second = shelf.edit(edit.clone(), &packet);
        assert_eq!(second.proposals, [], "{edit:?}");
        assert_eq!(shelf, once);
    }
}

#[test]
fn refining_keeps_what_it_leaves_unsaid_and_both_evidences() {
    let old = "The ticket cache of crews lies on disk. Boatswains empty it on Sundays.";
    let known = entry_of(Kind::Fact, "Cache", old, Voice::Agent);
    let packet = ferry(&[&known]);
    let mut shelf = Shelf(vec![known]);
    let title = Some("Ticket cache in tickets.db".to_owned());
    let text = "The ticket cache lies on disk in `tickets.db` and is read at every start.";
    shelf.edit(Edit { title, ..on(Op::Refines, text, &[1]) }, &packet);
    let entry = &shelf.0[0];
    let article = Article::parse(&entry.body);
    assert_eq!((entry.title.as_str(), article.lead[0].text.as_str()), ("Ticket cache in tickets.db", text));
    assert_eq!(article.lead[0].sources, ["s2", "s1"]);
    assert_eq!(article.history, [], "finer words end nothing");
    assert_eq!(article.facts[0].text, "Boatswains empty it on Sundays.");
    assert_eq!(article.facts[0].sources, ["s1"]);
}

#[test]
fn finer_words_that_say_all_of_the_old_ones_leave_nothing_in_the_past() {
    let text = "The ticket cache lies on disk in `tickets.db` and is read at every start.";
    let history = |old: &str| {
        let known = entry_of(Kind::Fact, "Cache", old, Voice::Agent);
        let packet = ferry(&[&known]);
        let mut shelf = Shelf(vec![known]);
        shelf.edit(on(Op::Refines, text, &[1]), &packet);
        let article = Article::parse(&shelf.0[0].body);
        assert_eq!(
            (article.lead[0].text.as_str(), &article.lead[0].sources[..]),
            (text, &["s2", "s1"].map(str::to_owned)[..])
        );
        (article.history.len(), article.facts.len())
    };
    assert_eq!(history("The ticket cache lies on disk."), (0, 0));
    assert_eq!(
        history("The ticket cache lies on disk, 3 copies of it."),
        (0, 1),
        "a number nobody took back"
    );
    assert_eq!(history("The ticket cache lies on disk in `cache.bin`."), (1, 0), "another name");
    assert_eq!(history("The ticket cache does not lie on disk."), (1, 0), "a denial");
    let answer = "On disk: Keep the ticket cache on disk (in answer to “Should the cache of Gate House lie in memory?”).";
    assert_eq!(history(answer), (0, 0), "a question that was answered");
}

#[test]
fn what_is_added_takes_the_place_of_what_it_says_again() {
    let known = entry_of(Kind::Fact, "Cache", "The ticket cache lies on disk.", Voice::Agent);
    let packet = ferry(&[&known]);
    let mut shelf = Shelf(vec![known.clone()]);
    let fuller = "The ticket cache lies on disk, in `tickets.db`, and is read at every start.";
    shelf.edit(on(Op::Adds, fuller, &[1]), &packet);
    let article = Article::parse(&shelf.get(&known.id).body);
    assert_eq!((article.lead[0].text.as_str(), article.facts.len(), article.history.len()), (fuller, 0, 0));
    assert_eq!(article.lead[0].sources.len(), 2);

    shelf.edit(on(Op::Adds, "The cache holds 500 tickets.", &[3]), &packet);
    let more = "The cache holds 500 tickets and drops the oldest first.";
    shelf.edit(on(Op::Adds, more, &[3]), &packet);
    let facts = Article::parse(&shelf.get(&known.id).body).facts;
    assert_eq!(facts.iter().map(|fact| fact.text.as_str()).collect::<Vec<_>>(), [more]);
    assert_eq!(facts[0].sources.len(), 1, "a line is cited once: {facts:?}");

    let before = shelf.get(&known.id).body.clone();
    shelf.edit(on(Op::Adds, "The ticket cache is read at every start.", &[1]), &packet);
    assert_eq!(shelf.get(&known.id).body, before, "nothing new was said");

    let whole = format!("{fuller} It holds 500 tickets and drops the oldest first.");
    shelf.edit(on(Op::Refines, &whole, &[1, 3]), &packet);
    let article = Article::parse(&shelf.get(&known.id).body);
    assert_eq!((article.lead[0].text.as_str(), article.facts.len()), (whole.as_str(), 0));
}

#[test]
fn replacing_links_both_ways_and_carries_the_reason() {
    let text = "The ticket cache lies on disk. This is so because crews copy it to a stick.";
    let old = entry_of(Kind::Decision, "Ticket cache on disk", text, Voice::Agent);
    let packet = ferry(&[&old]);
    let mut shelf = Shelf(vec![old.clone()]);
    let edit = Edit {
        op: Op::Supersedes,
        entry: Some("e1".to_owned()),
        text: Some("The ticket cache is kept in Redis.".to_owned()),
        was: None,
        ..new()
    };
    shelf.edit(edit, &packet);
    let after = shelf.get(&old.id);
    assert_eq!((after.status, after.body.as_str()), (Status::Superseded, old.body.as_str()));
    let next: EntryId = after.linked(LinkKind::SupersededBy).next().unwrap().parse().unwrap();
    let next = shelf.get(&next);
    assert_eq!(next.linked(LinkKind::Supersedes).collect::<Vec<_>>(), [old.id.as_str()]);
    let article = Article::parse(&next.body);
    assert_eq!(article.why[0].text, "This is so because crews copy it to a stick.");
    let source = next.sources_of(&article.why[0]).next().unwrap();
    assert_eq!(source.resource, old.sources[0].resource);
}

#[test]
fn what_a_replacement_repeats_rests_on_the_evidence_of_the_old_words() {
    let old = "The ticket cache lies on disk. Crews copy it to a stick every evening.";
    let cites_old = |text: &str| {
        let old = entry_of(Kind::Fact, "Ticket cache on disk", old, Voice::Agent);
        let packet = ferry(&[&old]);
        let mut shelf = Shelf(vec![old.clone()]);
        let edit = Edit {
            op: Op::Supersedes,
            entry: Some("e1".to_owned()),
            text: Some(text.to_owned()),
            was: None,
            ..new()
        };
        shelf.edit(edit, &packet);
        let next: EntryId =
            shelf.get(&old.id).linked(LinkKind::SupersededBy).next().unwrap().parse().unwrap();
        let next = shelf.get(&next);
        let lead = &Article::parse(&next.body).lead[0];
        let cited: Vec<String> = next.sources_of(lead).map(|source| source.resource.clone()).collect();
        cited.contains(&old.sources[0].resource)
    };
    assert!(cites_old("The ticket cache is kept in Redis. Crews copy it to a stick every evening."));
    assert!(!cites_old("The ticket cache is kept in Redis."));
}

#[test]
fn a_name_that_opens_a_title_keeps_its_letters() {
    let titled = |title: &str| {
        let packet = ferry(&[]);
        let mut shelf = Shelf::default();
        shelf.edit(Edit { title: Some(title.to_owned()), was: None, ..new() }, &packet);
        shelf.0[0].title.clone()
    };
    assert_eq!(titled("tickets-db holds the ticket cache"), "tickets-db holds the ticket cache");
    assert_eq!(titled("uv keeps the ticket cache"), "uv keeps the ticket cache");
    assert_eq!(titled("ticket cache in Redis."), "Ticket cache in Redis");
}

#[test]
fn a_dispute_shows_both_sides() {
    let old =
        entry_of(Kind::Decision, "Ticket cache on disk", "The ticket cache lies on disk.", Voice::Person);
    let packet = ferry(&[&old]);
    let mut shelf = Shelf(vec![old]);
    shelf.edit(
        Edit {
            op: Op::Supersedes,
            entry: Some("e1".to_owned()),
            lines: vec![3],
            was: None,
            text: Some("The ticket cache is in Redis.".to_owned()),
            ..new()
        },
        &packet,
    );
    let entry = &shelf.0[0];
    assert_eq!((shelf.0.len(), entry.status), (1, Status::Disputed));
    let sides: Vec<String> =
        Article::parse(&entry.body).conflict.into_iter().map(|claim| claim.text).collect();
    assert_eq!(sides, ["The ticket cache lies on disk.", "The ticket cache is in Redis."]);
}

#[test]
fn a_sixth_fact_asks_for_a_refinement() {
    let mut known = entry_of(Kind::Fact, "Cache", "The ticket cache lies on disk.", Voice::Agent);
    known.body = known.body.replacen(
        "\n\n[^s1]:",
        "\n\n## Key facts\n\n- Crews eat herring[^s1]\n- Bells ring twice[^s1]\n- Ropes are hemp[^s1]\n- Lamps burn whale oil[^s1]\n- Masts lean aft[^s1]\n\n[^s1]:",
        1,
    );
    let packet = ferry(&[&known]);
    let planned = Shelf(vec![known])
        .edit(on(Op::Adds, "The cache holds 500 tickets and drops the oldest first.", &[3]), &packet);
    assert_eq!(planned.proposals, []);
    assert!(planned.left[0].1.contains("refined"), "{:?}", planned.left);
}

#[test]
fn a_person_is_shown_the_change_of_their_text_and_it_gets_evidence() {
    let mut theirs = entry_of(Kind::Fact, "Cache", "The ticket cache lies on disk.", Voice::Person);
    theirs.curated_by = Curator::Human;
    let packet = ferry(&[&theirs]);
    let mut shelf = Shelf(vec![theirs.clone()]);
    let planned =
        shelf.edit(on(Op::Refines, "The ticket cache lies on disk in `tickets.db`.", &[1]), &packet);
    assert_eq!(planned.proposals, []);
    let [(1, Proposal::Replace { entry, .. })] = planned.questions.as_slice() else { panic!("{planned:?}") };
    assert!(entry.body.starts_with("The ticket cache lies on disk in `tickets.db`."));
    let planned = shelf.edit(on(Op::Same, "", &[1]), &packet);
    assert!(matches!(&planned.proposals[..], [Proposal::AddSources { sources, .. }] if sources.len() == 1));
    assert_eq!(shelf.0[0].body, theirs.body);
}

#[test]
fn dropping_is_a_question() {
    let noise = entry_of(Kind::Fact, "Noise", "The build printed 12 warnings.", Voice::Agent);
    let packet = ferry(&[&noise]);
    let mut shelf = Shelf(vec![noise]);
    let planned = shelf.edit(Edit { text: None, ..on(Op::Drop, "", &[3]) }, &packet);
    assert_eq!(planned.proposals, []);
    let [(1, Proposal::Replace { entry, .. })] = planned.questions.as_slice() else { panic!("{planned:?}") };
    assert_eq!(entry.status, Status::Outdated);
}

#[test]
fn several_edits_of_one_entry_are_one_proposal() {
    let known = entry_of(Kind::Fact, "Cache", "The ticket cache lies on disk.", Voice::Agent);
    let packet = ferry(&[&known]);
    let shelf = Shelf(vec![known]);
    let read = |number: usize, edit: Edit| Proofread { number, ..read_one(edit, &packet, &shelf.0) };
    let proofs = [
        read(1, on(Op::Adds, "The cache holds 500 tickets and drops the oldest first.", &[3])),
        read(2, on(Op::Adds, "Tickets expire after 90 minutes, the gateway refuses older tickets.", &[4])),
        read(3, on(Op::Same, "", &[1])),
    ];
    assert!(proofs.iter().all(|proof| proof.mark == ProofMark::Applied), "{proofs:?}");
    let planned = shelf.plan(&proofs, &packet);
    let [Proposal::Replace { entry, reasons }] = planned.proposals.as_slice() else { panic!("{planned:?}") };
    assert_eq!(Article::parse(&entry.body).facts.len(), 2);
    assert_eq!(reasons.len(), 3);
}

#[test]
fn a_quotation_holds_what_was_said_and_not_the_mark_of_its_line() {
    for mark in ["refuses a step: ", "answers: "] {
        let said = "never gas lamps, the pier is made of wood";
        let packet = packet_of("pier", &[(LineClass::Typed, &format!("{mark}{said}"))], &[]);
        let mut shelf = Shelf::default();
        let text = Some("The pier has no gas lamps, since it is made of wood.".to_owned());
        shelf.edit(
            Edit { title: Some("No gas lamps".to_owned()), text, was: None, lines: vec![1], ..new() },
            &packet,
        );
        let body = &shelf.0[0].body;
        assert!(body.contains(said) && !body.contains(mark), "{body}");
    }
}

/// The same edit twice in one answer was told as two new entries under one id.
#[test]
fn the_same_edit_twice_is_told_as_the_same() {
    let packet = ferry(&[]);
    let shelf = Shelf::default();
    let proofs: Vec<Proofread> =
        [1, 2].map(|number| Proofread { number, ..read_one(new(), &packet, &[]) }).into();
    let planned = shelf.plan(&proofs, &packet);
    assert_eq!(planned.proposals.len(), 1);
    assert_eq!(planned.again, [(2, 1, planned.proposals[0].id().clone())]);
}
