//! All or nothing, in order, and checked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lore_core::{Entry, EntryId, Kind, LifecycleState, Link, LinkKind, Source, Voice};
use lore_store::{
    BeginError, CommitError, CommitOptions, Curated, LockError, Owner, Point, Refused, ResolveError,
};
use lore_testutils::{days_later, start};

use crate::{Base, entry, files, id, one_of_each};

#[test]
fn every_kind_is_written_where_people_look_and_read_back() {
    let base = Base::new();
    base.write(|transaction| {
        for entry in one_of_each() {
            transaction.create(entry).unwrap();
        }
    });
    let snapshot = base.again().snapshot().unwrap();
    assert_eq!(snapshot.len(), 12);
    assert_eq!(snapshot.diagnostics(), []);
    for wanted in one_of_each() {
        let stored = snapshot.read(snapshot.find(wanted.id.as_str()).unwrap()).unwrap();
        assert_eq!(stored.entry.body, wanted.body);
        assert_eq!(stored.entry.detail, wanted.detail);
        assert_eq!(stored.entry.sources.len(), 1);
        // What the machine writes is as old as what it knows of, which here is the day in the id.
        assert_eq!(stored.entry.created.unwrap().to_string(), "2026-02-20");
    }
    let paths: Vec<&str> = snapshot.summaries().map(|summary| summary.path.as_str()).collect();
    insta::assert_snapshot!(paths.join("\n"), @"
    architecture/a-architecture-of-note.md
    decisions/a-decision-of-note.md
    feedback/a-feedback-of-note.md
    history/a-event-of-note.md
    lessons/tooling/a-lesson-of-note.md
    patterns/a-pattern-of-note.md
    preferences/a-preference-of-note.md
    project/a-fact-of-note.md
    project/a-limitation-of-note.md
    resolutions/a-resolution-of-note.md
    signals/2026-02/a-signal-of-note.md
    spikes/a-spike-of-note/spike.md
    ");
}

#[cfg(unix)]
#[test]
fn everything_in_the_base_has_the_permissions_of_an_ordinary_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let base = Base::new();
    base.create(entry(Kind::Fact, "Open to all"));
    let mode = |path: &str| std::fs::metadata(base.repo.join(path)).unwrap().permissions().mode();
    let ordinary = mode(&base.repo.write("ordinary", "").file_name().unwrap().to_string_lossy());
    for path in base.files().keys() {
        assert_eq!(mode(&format!("knowledge/{path}")), ordinary, "{path}");
    }
}

#[test]
fn a_dropped_transaction_leaves_no_trace() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Kept"));
    let before = base.files();
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry(Kind::Fact, "Dropped")).unwrap();
    transaction.remove("fac-2026-02-20-kept", "no reason").unwrap();
    drop(transaction);
    assert_eq!(base.files(), before);
    assert_eq!(base.store.snapshot().unwrap().len(), 1);
}

#[test]
fn a_transaction_sees_its_own_changes() {
    let base = Base::new();
    base.write(|transaction| {
        let first = transaction.create(entry(Kind::Fact, "One")).unwrap();
        assert!(matches!(transaction.create(entry(Kind::Fact, "One")), Err(Refused::Taken { .. })));
        assert_eq!(transaction.free_id(&first.id).as_str(), "fac-2026-02-20-one-2");
        let mut changed = transaction.get(first.id.as_str()).unwrap();
        changed.entry.body = "Changed at once.\n".to_owned();
        let second = transaction.replace(changed.entry, changed.version).unwrap();
        assert_eq!((&second.path, second.version == first.version), (&first.path, false));
        transaction.create(entry(Kind::Fact, "Two")).unwrap();
        transaction.remove("fac-2026-02-20-two", "changed my mind").unwrap();
        assert!(matches!(transaction.get("fac-2026-02-20-two"), Err(Refused::Unknown(_))));
    });
    assert!(base.knowledge("project/one.md").contains("Changed at once."));
    assert_eq!(base.store.snapshot().unwrap().len(), 1);
}

#[test]
fn a_change_made_meanwhile_is_never_lost() {
    let base = Base::new();
    let written = base.create(entry(Kind::Decision, "Contested"));
    let read = base.store.get("contested").unwrap();
    base.write(|transaction| {
        let source = Source::new("session://codex/s-9#L1", Voice::Agent);
        transaction.add_sources(written.id.as_str(), vec![source]).unwrap();
    });
    base.write(|transaction| {
        let refused = transaction.replace(read.entry.clone(), read.version).unwrap_err();
        assert!(matches!(refused, Refused::Changed { .. }), "{refused}");
    });
    assert!(base.knowledge("decisions/contested.md").contains("codex"));
}

#[test]
fn a_person_who_saves_during_a_transaction_stops_all_of_it() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Contested"));
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry(Kind::Fact, "Other")).unwrap();
    let stored = transaction.get("fac-2026-02-20-contested").unwrap();
    transaction.replace(Entry { body: "The machine's.\n".into(), ..stored.entry }, stored.version).unwrap();
    let path = "knowledge/project/contested.md";
    base.repo.write(path, base.repo.read(path).replace("as was said", "as I say"));
    let before = base.files();
    let error = transaction.commit(&CommitOptions::default()).unwrap_err();
    assert!(matches!(error, CommitError::Changed { .. }), "{error}");
    assert_eq!(base.files(), before);
    assert_eq!(files(&base.repo.join(".lore/staging")).keys().collect::<Vec<_>>(), ["1-done", "journal"]);
}

#[test]
fn only_what_is_whole_and_clean_is_written() {
    let base = Base::new();
    let before = base.files();
    base.write(|transaction| {
        let mut check = |bad: Entry, expected: &str| {
            let refused = transaction.create(bad).unwrap_err().to_string();
            assert!(refused.contains(expected), "{refused}");
        };
        let good = || entry(Kind::Fact, "A fact");
        check(Entry { title: String::new(), ..good() }, "no title");
        check(Entry { kind: Kind::Decision, ..good() }, "another kind");
        check(Entry { links: vec![Link::new(LinkKind::Related, "")], ..good() }, "leads nowhere");
        let secret = "The key is AKIAIOSFODNN7EXAMPLE and API_KEY=sk-live-51H8xQ2eZvKYlo2C0aBcDeF.\n";
        check(Entry { body: secret.to_owned(), ..good() }, "secret");
    });
    assert_eq!(base.files(), before);
}

#[test]
fn one_writer_at_a_time_and_readers_do_not_care() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "There"));
    let other = base.again().with_patience(Duration::from_millis(1));
    let transaction = base.store.begin(&Owner::machine("a long run"), start()).unwrap();
    assert_eq!(other.snapshot().unwrap().len(), 1);
    match other.begin(&Owner::machine("test"), start()) {
        Err(BeginError::Lock(LockError::Held { holder: Some(holder) })) => {
            assert_eq!((holder.pid, holder.what.as_str()), (std::process::id(), "a long run"));
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("two writers at once"),
    }
    drop(transaction);
    assert!(other.begin(&Owner::machine("test"), start()).is_ok());
}

#[test]
fn what_goes_wrong_before_or_during_writing_changes_nothing() {
    for point in [Point::Stage, Point::Promise, Point::Put, Point::Sync] {
        for number in 0..6 {
            let base = Base::new();
            base.create(entry(Kind::Fact, "Old"));
            let before = base.files();
            let count = AtomicUsize::new(0);
            let full = move |at: Point| {
                if at == point && count.fetch_add(1, Ordering::Relaxed) == number {
                    return Err(std::io::ErrorKind::StorageFull.into());
                }
                Ok(())
            };
            let store = base.again().with_fault(Arc::new(full));
            let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
            transaction.create(entry(Kind::Fact, "New")).unwrap();
            let old = transaction.get("fac-2026-02-20-old").unwrap();
            transaction.replace(Entry { body: "Other.\n".into(), ..old.entry }, old.version).unwrap();
            match transaction.commit(&CommitOptions::default()) {
                Ok(_) => assert!(number > 0, "{point:?} was never reached"),
                Err(error) => {
                    assert!(error.to_string().contains("nothing was changed"), "{point:?} {number}: {error}");
                    assert_eq!(base.files(), before, "{point:?} {number}");
                    assert_eq!(store.snapshot().unwrap().len(), 1);
                }
            }
            base.create(entry(Kind::Event, "Afterwards"));
        }
    }
}

#[test]
fn readers_see_the_old_or_the_new_at_every_moment_of_a_write() {
    let base = Base::new();
    base.write(|transaction| {
        for title in ["Changed", "Removed", "Kept"] {
            transaction.create(entry(Kind::Fact, title)).unwrap();
        }
        transaction.create(entry(Kind::Signal, "Archived")).unwrap();
    });
    let view = |store: &lore_store::Store| {
        let snapshot = store.snapshot().unwrap();
        let seen =
            snapshot.summaries().map(|s| (s.path.clone(), s.version, snapshot.read(s).unwrap().version));
        seen.collect::<Vec<_>>()
    };
    let old = view(&base.store);
    let (warm, cold) = (base.again(), base.repo.path());
    view(&warm);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let look = move |at: Point| {
        let mut seen = log.lock().unwrap();
        seen.push((at, view(&warm)));
        seen.push((at, view(&crate::open(&cold))));
        Ok(())
    };
    let store = base.again().with_fault(Arc::new(look));
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry(Kind::Decision, "New")).unwrap();
    transaction.remove("fac-2026-02-20-removed", "wrong").unwrap();
    transaction.archive("sig-2026-02-20-archived").unwrap();
    let stored = transaction.get("fac-2026-02-20-changed").unwrap();
    transaction.replace(Entry { body: "Other.\n".into(), ..stored.entry }, stored.version).unwrap();
    transaction.commit(&CommitOptions::default()).unwrap();
    let new = view(&base.again());
    assert_ne!(old, new);
    let seen = seen.lock().unwrap();
    assert!(seen.iter().filter(|(at, _)| *at == Point::Put).count() > 10);
    let promised = seen.iter().position(|(at, _)| *at == Point::Promised).unwrap();
    for (number, (at, view)) in seen.iter().enumerate() {
        assert!(*view == if number < promised { &old[..] } else { &new[..] }, "half of it at {at:?}");
    }
}

#[test]
fn a_persons_edit_after_a_crash_is_not_overwritten_by_finishing_the_write() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Contested"));
    let die = |at: Point| match at {
        Point::Promised => Err(std::io::ErrorKind::Interrupted.into()),
        _ => Ok(()),
    };
    let store = base.again().with_fault(Arc::new(die));
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    let stored = transaction.get("fac-2026-02-20-contested").unwrap();
    transaction.replace(Entry { body: "The machine's.\n".into(), ..stored.entry }, stored.version).unwrap();
    transaction.commit(&CommitOptions::default()).unwrap_err();
    let path = "knowledge/project/contested.md";
    base.repo.write(path, base.repo.read(path).replace("as was said", "as I say"));
    base.create(entry(Kind::Fact, "Next"));
    assert!(base.repo.read(path).contains("as I say"));
    assert!(base.repo.read(".lore/rescued/project/contested.md").contains("The machine's."));
}

#[test]
fn a_disk_that_stays_broken_keeps_the_promise_for_later() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Old"));
    let broken = |at: Point| match at {
        Point::Put => Err(std::io::ErrorKind::ReadOnlyFilesystem.into()),
        _ => Ok(()),
    };
    let store = base.again().with_fault(Arc::new(broken));
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.remove("fac-2026-02-20-old", "wrong").unwrap();
    let error = transaction.commit(&CommitOptions::default()).unwrap_err();
    assert!(matches!(error, CommitError::Apply(_)), "{error}");
    // What was promised last is that everything stays as it was, and that is what readers see.
    assert_eq!(store.snapshot().unwrap().len(), 1);
    assert!(store.begin(&Owner::machine("test"), start()).is_err());
    assert_eq!(base.again().snapshot().unwrap().len(), 1);
    base.create(entry(Kind::Event, "Afterwards"));
}

#[test]
fn what_is_archived_moves_and_what_is_removed_goes() {
    let base = Base::new();
    base.create(entry(Kind::Signal, "Flaky"));
    base.create(entry(Kind::Fact, "Gone"));
    let signal = id(Kind::Signal, "Flaky");
    base.write(|transaction| {
        transaction.archive(signal.as_str()).unwrap();
        transaction.remove("fac-2026-02-20-gone", "wrong").unwrap();
    });
    let archived = "signals/archive/2026-02/flaky.md".to_owned();
    let snapshot = base.store.snapshot().unwrap();
    assert!(snapshot.find("sig-2026-02-20-flaky").unwrap().archived);
    assert!(snapshot.find("fac-2026-02-20-gone").is_none());
    assert!(!base.repo.join("knowledge/signals/2026-02").exists(), "empty folders go");
    assert!(base.repo.join("knowledge").join(archived).exists());
}

#[test]
fn state_and_sessions_travel_with_the_base() {
    let base = Base::new();
    let mut transaction = base.store.begin(&Owner::machine("curate"), days_later(1)).unwrap();
    let session = lore_core::SessionId::new("s-1");
    transaction.note_curated([Curated {
        at: Some(start()),
        agent: "claude".into(),
        session: session.clone(),
        lines: 12,
        hash: "h".into(),
        edited: None,
    }]);
    transaction.put_state("agents/outcomes", ["b\t1".to_owned(), "a\t2".to_owned()]).unwrap();
    assert!(matches!(transaction.put_state("../../x", []), Err(Refused::Outside(_))));
    let options = CommitOptions { log_line: Some("read 1 session".into()), ..CommitOptions::default() };
    transaction.commit(&options).unwrap();
    let store = base.again();
    assert_eq!(store.ledger().get("claude", &session).unwrap().lines, 12);
    assert_eq!(store.read_state("agents/outcomes"), ["a\t2", "b\t1"]);
    assert!(base.knowledge("log.md").contains("## 2026-02-20\n\n* **Run**: read 1 session"));
}

#[test]
fn names_lead_to_entries() {
    let base = Base::new();
    base.create(Entry { aliases: vec!["kb-0042".into()], ..entry(Kind::Fact, "Water is wet") });
    base.create(entry(Kind::Fact, "Water boils"));
    let snapshot = base.store.snapshot().unwrap();
    for name in [
        "fac-2026-02-20-water-is-wet",
        "kb-0042",
        "project/water-is-wet.md",
        "water-is-wet",
        "fac-2026-02-20-water-i",
        "knowledge/project/water-is-wet.md",
        "./knowledge/project/water-is-wet",
        "“Water is wet”",
        "'water is WET'",
        id(Kind::Fact, "Water is wet").handle().as_str(),
        &format!("[{}]", id(Kind::Fact, "Water is wet").handle()),
        &id(Kind::Fact, "Water is wet").handle().as_str()[..8],
    ] {
        assert_eq!(snapshot.resolve(name).unwrap().title, "Water is wet", "{name}");
    }
    assert!(
        matches!(snapshot.resolve("fac-2026"), Err(ResolveError::Ambiguous { found, .. }) if found.len() == 2)
    );
    assert!(
        matches!(snapshot.resolve("boiling-water"), Err(ResolveError::Unknown { near, .. }) if near.len() == 2)
    );
    assert!(matches!(snapshot.resolve(""), Err(ResolveError::Unknown { .. })));
}

#[test]
fn a_beginning_that_fits_many_is_told_as_a_list() {
    let base = Base::new();
    for number in 1..=24 {
        base.create(entry(Kind::Fact, &format!("Pier {number} has a bell")));
    }
    let told = base.again().snapshot().unwrap().resolve("fac").unwrap_err().to_string();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "`fac` could be any of 24 entries:");
    assert_eq!(lines.len(), 22, "{told}");
    assert!(lines[1].starts_with("  fac-") && lines[1].ends_with(" has a bell"), "{told}");
    assert_eq!(lines[21], "  and 4 more");
}

/// Two ids whose handles begin alike, found by trying: the second gets a number, also after the first is gone.
#[test]
fn a_handle_never_leads_to_two_entries() {
    let base = Base::new();
    let (first, second) = (id(Kind::Fact, "Fact 8957"), id(Kind::Fact, "Fact 37344"));
    assert_eq!(first.handle(), second.handle());
    base.create(entry(Kind::Fact, "Fact 8957"));
    let check = |base: &Base| {
        base.write(|transaction| {
            let free = transaction.free_id(&second);
            assert_eq!(free.as_str(), "fac-2026-02-20-fact-37344-2");
            assert_ne!(free.handle(), first.handle());
        });
    };
    check(&base);
    base.write_as(&Owner::person("ada", "rm"), |transaction| {
        transaction.remove(first.as_str(), "wrong").unwrap();
    });
    check(&base);
}

/// Files of another tool or clone can bring such a pair; then more of the handle is asked for, and taken.
#[test]
fn handles_that_begin_alike_are_told_apart_by_more_of_them() {
    let base = Base::new();
    for title in ["Fact 8957", "Fact 37344"] {
        base.create(entry(Kind::Fact, title));
    }
    let snapshot = base.again().snapshot().unwrap();
    let handle = id(Kind::Fact, "Fact 8957").handle();
    assert!(
        matches!(snapshot.resolve(handle.as_str()), Err(ResolveError::Ambiguous { found, .. }) if found.len() == 2)
    );
    let longer = &lore_core::Handle::longest(&id(Kind::Fact, "Fact 8957")).to_string()[..11];
    assert_eq!(snapshot.resolve(longer).unwrap().title, "Fact 8957");
}

#[test]
fn a_signal_moves_through_its_life_even_when_a_person_edited_it() {
    let base = Base::new();
    base.create(entry(Kind::Signal, "Flaky"));
    let path = "knowledge/signals/2026-02/flaky.md";
    base.repo.write(path, base.repo.read(path).replace("as was said", "as I say"));
    base.write(|transaction| {
        let mut stored = transaction.get("sig-2026-02-20-flaky").unwrap();
        if let lore_core::Detail::Signal(signal) = &mut stored.entry.detail {
            signal.lifecycle_state = LifecycleState::Triaged;
            signal.lifecycle_log.push("detected → triaged, by ada, 2026-02-21: look at it".into());
        }
        transaction.replace(stored.entry.clone(), stored.version).unwrap();
        let again = transaction.get("sig-2026-02-20-flaky").unwrap();
        let louder = Entry { title: "Very flaky".into(), ..again.entry };
        assert!(matches!(transaction.replace(louder, again.version), Err(Refused::Frozen { .. })));
    });
    let text = base.repo.read(path);
    assert!(
        text.contains("triaged") && text.contains("as I say") && text.contains("curated_by: mixed"),
        "{text}"
    );
}

#[test]
fn a_persons_edit_cannot_change_what_a_signal_observed_either() {
    let base = Base::new();
    base.create(entry(Kind::Signal, "Flaky"));
    base.write(|transaction| {
        let stored = transaction.get("sig-2026-02-20-flaky").unwrap();
        let text = stored.text().unwrap().replace("as was said", "as I would have it");
        let id = stored.entry.id.clone();
        let refused = transaction.replace_text(&id, &text, stored.version);
        assert!(matches!(refused, Err(Refused::Frozen { what: "its text", .. })), "{refused:?}");
        let text = stored.text().unwrap().replace("lifecycle_state: detected", "lifecycle_state: verified");
        let refused = transaction.replace_text(&id, &text, stored.version);
        assert!(matches!(refused, Err(Refused::Move { .. })), "{refused:?}");
    });
}

#[test]
fn a_warm_store_notices_every_edit_and_damage_to_its_cache() {
    let base = Base::new();
    base.write(|transaction| {
        for number in 0..100 {
            transaction.create(entry(Kind::Fact, &format!("Fact {number}"))).unwrap();
        }
    });
    let titles = |store: &lore_store::Store| {
        store.snapshot().unwrap().summaries().map(|summary| summary.title.clone()).collect::<Vec<_>>()
    };
    let expected = titles(&base.store);
    assert_eq!(titles(&base.again()), expected);
    // The same length within the same tick of the clock.
    let path = "knowledge/project/fact-7.md";
    base.repo.write(path, base.repo.read(path).replace("title: Fact 7", "title: Fict 7"));
    assert!(titles(&base.store).contains(&"Fict 7".to_owned()));
    assert!(titles(&base.again()).contains(&"Fict 7".to_owned()));
    base.repo.write(path, base.repo.read(path).replace("Fict 7", "Fact 7"));
    for cache in files(&base.repo.join(".lore/cache")).keys() {
        base.repo.write(&format!(".lore/cache/{cache}"), "nonsense");
    }
    assert_eq!(titles(&base.again()), expected);
    std::fs::remove_dir_all(base.repo.join(".lore")).unwrap();
    assert_eq!(titles(&base.again()), expected);
}

/// Every spike is `spike.md`, and one name may stand in two folders.
#[test]
fn removing_an_entry_leaves_links_to_files_of_the_same_name() {
    let base = Base::new();
    let links = [
        (Kind::Spike, "Which broker?", "../which-broker/spike.md"),
        (Kind::Spike, "Which cache?", "../which-cache/spike.md"),
        (Kind::Fact, "A name", "../../project/a-name.md"),
        (Kind::Decision, "A name", "../../decisions/a-name.md"),
    ];
    base.write(|transaction| {
        for (kind, title, _) in links {
            transaction.create(entry(kind, title)).unwrap();
        }
        let mut linking = entry(Kind::Spike, "Which queue?");
        linking.body.push_str("\n## Related\n\n");
        for (kind, title, path) in links {
            linking.links.push(Link::new(LinkKind::Related, id(kind, title).as_str()));
            linking.body.push_str(&format!("- [{kind}: {title}]({path})\n"));
        }
        transaction.create(linking).unwrap();
    });
    let check = |gone: EntryId, left: &[&str]| {
        base.write(|transaction| {
            transaction.remove(gone.as_str(), "wrong").unwrap();
        });
        let text = base.knowledge("spikes/which-queue/spike.md");
        let titles =
            text.lines().filter_map(|line| line.strip_prefix("- [")?.split_once("](").map(|it| it.0));
        assert_eq!(titles.collect::<Vec<_>>(), left);
    };
    check(id(Kind::Spike, "Which broker?"), &["spike: Which cache?", "fact: A name", "decision: A name"]);
    check(id(Kind::Fact, "A name"), &["spike: Which cache?", "decision: A name"]);
}

#[test]
fn where_an_entry_lies_or_would_lie_is_told() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "One thing"));
    base.repo.rename("knowledge/project/one-thing.md", "knowledge/project/moved.md");
    let snapshot = base.again().snapshot().unwrap();
    let check = |entry: &Entry, expected: &str| assert_eq!(snapshot.path_of(entry), expected);
    check(&entry(Kind::Fact, "One thing"), "project/moved.md");
    check(&entry(Kind::Spike, "Which queue?"), "spikes/which-queue/spike.md");
    check(&entry(Kind::Lesson, "Pin versions"), "lessons/general/pin-versions.md");
}
