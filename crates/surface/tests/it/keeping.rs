//! Rebuilt or updated, in memory or in a folder: the same answers; damage is noticed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use lore_core::recall::Query;
use lore_core::{Kind, SessionId, Voice};
use lore_surface::{Access, Index, Level, Location, Passage, PassageQuery, Reason, SearchError, WriteError};
use proptest::prelude::*;

use crate::fixture::{ask, base, card, fill, filled, titles, today};

const WORDS: [&str; 12] = [
    "ledger", "cache", "retry", "header", "token", "parser", "index", "lock", "writer", "commit", "storm",
    "fold",
];

#[test]
fn a_folder_is_filled_once_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Folder(folder.path().join("index"));
    let mut index = Index::open(&location, None).unwrap();
    assert_eq!(index.to_fill(Level::Entries), Some(&Reason::New));
    fill(&mut index, &base());
    drop(index);
    let index = Index::open(&location, None).unwrap();
    assert_eq!(index.to_fill(Level::Entries), None);
    assert_eq!(index.cursor(Level::Entries).as_deref(), Some("r1"));
    assert_eq!(titles(&index, &Query::text("jitter")), ["Retry with jitter"]);
    assert_eq!(index.snapshot().stamps().unwrap().len(), base().len());
}

#[test]
fn anothers_index_is_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |access| Location::Apart {
        entries: folder.path().join("ours"),
        passages: folder.path().join("shared"),
        access,
    };
    let index = Index::open(&at(Access::Read), None).unwrap();
    assert!(!index.is_kept(Level::Entries) && !folder.path().join("ours").exists());
    fill(&mut Index::open(&at(Access::Write), None).unwrap(), &base());
    let mut index = Index::open(&at(Access::Read), None).unwrap();
    assert_eq!(titles(&index, &Query::text("jitter")), ["Retry with jitter"]);
    assert!(matches!(index.writer(), Err(WriteError::ReadOnly(_))));
    index.in_memory(Level::Entries).unwrap();
    assert_eq!(index.to_fill(Level::Entries), Some(&Reason::New));
    fill(&mut index, &base()[..1]);
    assert!(titles(&index, &Query::text("jitter")).is_empty());
    let index = Index::open(&at(Access::Read), None).unwrap();
    assert_eq!(titles(&index, &Query::text("jitter")), ["Retry with jitter"]);
}

/// Passages are shared: of two worktrees with locks of their own, one has to wait for the other.
#[test]
fn two_sets_of_entries_share_their_passages() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| Location::Apart {
        entries: folder.path().join(name),
        passages: folder.path().join("shared"),
        access: Access::Write,
    };
    let (mut one, mut two) = (Index::open(&at("one"), None).unwrap(), Index::open(&at("two"), None).unwrap());
    let mut first = one.writer().unwrap();
    first.clear(Level::Passages).unwrap();
    let mut second = two.try_writer().unwrap();
    assert!(matches!(second.clear(Level::Passages), Err(WriteError::Busy(_))));
    first.commit(Level::Passages, "p1").unwrap();
    drop((first, second));
    two.refresh().unwrap();
    assert_eq!(two.cursor(Level::Passages).as_deref(), Some("p1"));
    assert_eq!(two.to_fill(Level::Passages), None);
}

#[test]
fn an_interrupted_filling_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Folder(folder.path().to_owned());
    let mut index = Index::open(&location, None).unwrap();
    let mut writer = index.writer().unwrap();
    writer.put(&base()[..2]).unwrap();
    writer.commit(Level::Entries, "r0").unwrap();
    drop(writer);
    assert_eq!(index.to_fill(Level::Entries), Some(&Reason::New));
    drop(index);
    assert_eq!(Index::open(&location, None).unwrap().to_fill(Level::Entries), Some(&Reason::New));
}

#[test]
fn damage_means_an_empty_index_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Folder(folder.path().to_owned());
    // How many segments there are is the engine's affair and differs from filling to filling; the
    // kinds of files do not.
    let files = || -> BTreeMap<OsString, PathBuf> {
        let listed = std::fs::read_dir(folder.path().join("entries")).unwrap();
        let paths = listed.map(|file| file.unwrap().path());
        let kind = |path: &PathBuf| match path.extension() {
            Some(extension) if extension != "json" => extension.to_owned(),
            _ => path.file_name().unwrap_or_default().to_owned(),
        };
        paths.map(|path| (kind(&path), path)).filter(|(kind, _)| kind != "lock").collect()
    };
    let mut index = Index::open(&location, None).unwrap();
    fill(&mut index, &base());
    drop(index);
    let kinds: Vec<OsString> = files().into_keys().collect();
    assert!(kinds.len() > 4, "one file each for terms, postings, lengths, columns, records and the list");
    let mut torn = 0;
    for kind in kinds {
        let Some(victim) = files().remove(&kind) else { continue };
        torn += 1;
        let bytes = std::fs::read(&victim).unwrap();
        tear(&victim, &bytes[..bytes.len() / 2]);
        let mut index = Index::open(&location, None).unwrap();
        if index.to_fill(Level::Entries).is_none()
            && let Err(SearchError::Damaged(level, why)) =
                index.snapshot().search(&Query::text("ledger"), today())
        {
            index.discard(level, &why).unwrap();
        }
        fill(&mut index, &base());
        assert_eq!(titles(&index, &Query::text("jitter")), ["Retry with jitter"], "{victim:?}");
    }
    assert!(torn > 4, "{torn} kinds of files were there to be torn");
}

fn tear(path: &std::path::Path, bytes: &[u8]) {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().write(true).truncate(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_second_writer_is_told_and_readers_never_wait() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Folder(folder.path().to_owned());
    let mut first = Index::open(&location, None).unwrap();
    fill(&mut first, &base());
    let mut second = Index::open(&location, None).unwrap();
    let mut writer = first.writer().unwrap();
    writer.put(&[card(Kind::Fact, "Brand new", "Nobody has seen it.")]).unwrap();
    assert!(matches!(second.try_writer().map(|_| ()), Err(WriteError::Busy(_))));
    assert_eq!(ask(&second, &Query::text("jitter")).len(), 1);
    writer.commit(Level::Entries, "r2").unwrap();
    assert!(ask(&second, &Query::text("brand")).is_empty());
    second.refresh().unwrap();
    assert_eq!(ask(&second, &Query::text("brand")).len(), 1);
    drop(writer);
    assert!(second.try_writer().is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn updated_equals_rebuilt(steps in prop::collection::vec((0usize..8, prop::collection::vec(0usize..12, 1..9), any::<bool>()), 1..24)) {
        let mut updated = Index::open(&Location::Memory, None).unwrap();
        fill(&mut updated, &[]);
        let mut truth = std::collections::BTreeMap::new();
        for (name, words, gone) in &steps {
            let text: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
            let made = card(Kind::Fact, &format!("Note {name}"), &text.join(" "));
            let id = made.entry.id.clone();
            let mut writer = updated.writer().unwrap();
            if *gone {
                writer.remove(&id).unwrap();
                truth.remove(&id);
            } else {
                writer.put(std::slice::from_ref(&made)).unwrap();
                truth.insert(id, made);
            }
            writer.commit(Level::Entries, "x").unwrap();
        }
        let cards: Vec<_> = truth.into_values().collect();
        let rebuilt = filled(&cards);
        for words in WORDS.windows(2) {
            let query = Query { limit: Some(20), ..Query::text(words.join(" ")) };
            prop_assert_eq!(ask(&updated, &query), ask(&rebuilt, &query));
        }
        prop_assert_eq!(updated.snapshot().find(&[]).unwrap(), rebuilt.snapshot().find(&[]).unwrap());
        prop_assert_eq!(updated.snapshot().stamps().unwrap(), rebuilt.snapshot().stamps().unwrap());
    }
}

fn passage(session: &str, sequence: u32, text: &str) -> Passage {
    Passage {
        session: SessionId::new(session),
        agent: "test".to_owned(),
        project: None,
        line: sequence + 1,
        sequence,
        voice: if sequence.is_multiple_of(2) { Voice::Person } else { Voice::Agent },
        at: Some("2026-01-05T10:00:00Z".parse().unwrap()),
        files: Vec::new(),
        text: text.to_owned(),
    }
}

#[test]
fn what_was_said_is_found_with_its_place() {
    let mut index = Index::open(&Location::Memory, None).unwrap();
    let mut writer = index.writer().unwrap();
    writer.clear(Level::Passages).unwrap();
    let first = [passage("a", 0, "Which port does the gateway use?"), passage("a", 1, "It listens on 7443.")];
    writer.put_passages("a", &first).unwrap();
    writer.put_passages("b", &[passage("b", 0, "Ports are for ships.")]).unwrap();
    writer.commit(Level::Passages, "").unwrap();
    writer.put_passages("b", &[passage("b", 0, "Nothing of the kind.")]).unwrap();
    writer.commit(Level::Passages, "").unwrap();
    drop(writer);
    let snapshot = index.snapshot();
    let ask = |query: PassageQuery| -> Vec<String> {
        snapshot.said(&query).unwrap().into_iter().map(|hit| hit.passage.text).collect()
    };
    assert_eq!(ask(PassageQuery::text("gateway port"))[0], first[0].text);
    assert!(!ask(PassageQuery::text("ships")).contains(&"Ports are for ships.".to_owned()));
    let agents = PassageQuery { voices: vec![Voice::Agent], ..PassageQuery::text("7443 gateway") };
    assert_eq!(ask(agents), [first[1].text.as_str()]);
    let before = PassageQuery { until: Some("2026-01-01".parse().unwrap()), ..PassageQuery::text("gateway") };
    assert!(ask(before).is_empty());
}

#[test]
fn many_may_be_the_first_to_open_an_index() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Folder(folder.path().join("index"));
        let begin = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    begin.wait();
                    let opened = Index::open(&location, None).map(|_| ());
                    assert!(opened.is_ok(), "{opened:?}");
                });
            }
        });
    }
}

#[test]
fn whoever_waited_for_a_writer_sees_what_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Folder(folder.path().to_owned());
    let mut first = Index::open(&location, None).unwrap();
    let mut second = Index::open(&location, None).unwrap();
    assert!(second.to_fill(Level::Entries).is_some());
    let mut writer = first.writer().unwrap();
    let waiting = std::thread::spawn(move || {
        let writer = second.writer().unwrap();
        let index = writer.index();
        (
            index.to_fill(Level::Entries).is_none(),
            index.cursor(Level::Entries),
            index.snapshot().count(Level::Entries),
        )
    });
    writer.clear(Level::Entries).unwrap();
    writer.put(&base()).unwrap();
    writer.commit(Level::Entries, "r1").unwrap();
    writer.finish().unwrap();
    assert_eq!(waiting.join().unwrap(), (true, Some("r1".to_owned()), base().len() as u64));
}
