//! A person goes through what the machine wrote, and their word stands.

use lore_core::Status;
use lore_engine::entries::Filter;
use lore_engine::review::{Cause, Ruling};

use crate::stage::{Stage, usual};

fn pending(stage: &Stage) -> Vec<(String, Cause)> {
    let pending = stage.engine().to_review(&Filter::default()).expect("can be listed");
    pending.into_iter().map(|one| (one.item.id.to_string(), one.cause)).collect()
}

fn rule(stage: &Stage, name: &str, ruling: Ruling) -> lore_engine::review::Reviewed {
    stage.engine().review(name, ruling, false).expect("the ruling is carried out")
}

fn curated() -> Stage {
    let stage = usual();
    stage.curate();
    assert!(pending(&stage).len() >= 2, "{:?}", pending(&stage));
    stage
}

#[test]
fn what_was_kept_does_not_wait_any_more() {
    let stage = curated();
    let mut before = pending(&stage);
    let at = before.iter().position(|(_, cause)| *cause == Cause::New).expect("something is new");
    let (kept, _) = before.remove(at);
    rule(&stage, &kept, Ruling::Keep);
    assert_eq!(pending(&stage), before);
    let shown = stage.engine().show(&kept).expect("is there");
    assert!(shown.entry.is_verified_by_a_person());
    assert_eq!(shown.entry.curated_by, lore_core::Curator::Auto, "the machine goes on keeping it up");
    let text = stage.base();
    stage.bootstrap();
    assert_eq!(stage.base(), text);
}

/// What a person wrote and what no longer holds was counted as waiting for a confirmation in one place and not in another.
#[test]
fn what_nobody_has_confirmed_is_counted_alike() {
    let stage = curated();
    let waiting = pending(&stage);
    rule(&stage, &waiting[0].0, Ruling::Supersede { by: waiting[1].0.clone() });
    let note = "---\ntype: fact\ntitle: The gate\n---\nThe gate is green.\n";
    stage.repo.write("knowledge/project/gate.md", note);
    let waiting = pending(&stage).len();
    let listed =
        stage.engine().list(&Filter { unverified: true, ..Filter::default() }).expect("can be listed");
    let status = stage.engine().status().expect("can be told");
    assert_eq!((listed.len(), status.unverified), (waiting, waiting), "{listed:?}");
    assert_eq!(status.news.new + status.news.disputed, waiting);
}

#[test]
fn what_was_rejected_does_not_come_back_in_whatever_words() {
    let stage = curated();
    let (path, text) = stage.article_with("floating point");
    rule(&stage, &path, Ruling::Reject { why: "obvious".to_owned() });
    let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("has an id").to_owned();
    assert!(pending(&stage).iter().all(|(other, _)| *other != id));
    for _ in 0..3 {
        let report = stage.bootstrap();
        assert!(report.rejected > 0, "it was found again and left out");
        let titles: Vec<String> = report.created.iter().map(|one| one.title.clone()).collect();
        assert!(titles.iter().all(|title| !title.contains("floating")), "{titles:?}");
    }
    // The same person says the same again in another session: that is the same entry, and gone.
    stage.session("s-again", 9, crate::stage::MONEY);
    stage.curate();
    assert!(!stage.project().join("knowledge").join(&path).exists());
}

#[test]
fn a_rehearsed_ruling_changes_nothing() {
    let stage = curated();
    let before = stage.base();
    let name = pending(&stage)[0].0.clone();
    for ruling in [Ruling::Keep, Ruling::Reject { why: "no".to_owned() }] {
        let done = stage.engine().review(&name, ruling, true).expect("can be rehearsed");
        assert!(done.dry_run);
        assert_eq!(stage.base(), before);
    }
}

#[test]
fn a_merged_entry_leaves_its_words_its_evidence_and_its_name() {
    let stage = curated();
    let waiting = pending(&stage);
    let (from, into) = (waiting[0].0.clone(), waiting[1].0.clone());
    let (engine, old) = (stage.engine(), stage.engine().show(&from).expect("is there").entry);
    let sources = engine.show(&into).expect("is there").entry.sources.len();
    let done = rule(&stage, &from, Ruling::Merge { into: into.clone() });
    assert_eq!(done.other.map(|id| id.to_string()), Some(into.clone()));
    let merged = stage.engine().show(&into).expect("is there").entry;
    let claim = lore_core::Article::parse(&old.body).lead[0].text.clone();
    assert!(merged.body.contains(&claim), "{}", merged.body);
    assert_eq!(merged.sources.len(), sources + old.sources.len());
    for key in merged.sources.iter().filter_map(|source| source.id.clone()) {
        assert!(merged.body.contains(&format!("[^{key}]:")), "every footnote is there: {key}");
    }
    assert_eq!(stage.engine().show(&from).map(|shown| shown.entry.id.to_string()).ok(), Some(into));
    let (titles, articles) = (pending(&stage), stage.articles().len());
    stage.bootstrap();
    assert_eq!((pending(&stage), stage.articles().len()), (titles, articles), "it does not come apart again");
}

#[test]
fn a_superseded_entry_names_what_holds_instead() {
    let stage = curated();
    let waiting = pending(&stage);
    let (old, new) = (waiting[0].0.clone(), waiting[1].0.clone());
    rule(&stage, &old, Ruling::Supersede { by: new.clone() });
    let log = stage.engine().log_of_runs(&lore_engine::log::LogOptions::default()).expect("can be told");
    assert_eq!(log.runs[0].by, "human:ada", "who decided it did it");
    let why = stage.engine().why(&old).expect("can be told");
    assert_eq!((why.runs[0].by.as_str(), why.runs[0].what), ("human:ada", "superseded"));
    let shown = stage.engine().show(&old).expect("is there");
    assert_eq!(shown.entry.curated_by, lore_core::Curator::Auto, "the words stay the machine's");
    assert_eq!(shown.entry.status, Status::Superseded);
    assert!(shown.entry.linked(lore_core::LinkKind::SupersededBy).any(|id| id == new));
    assert!(lore_core::Article::parse(&shown.entry.body).current().next().is_none());
    assert!(pending(&stage).iter().all(|(id, _)| *id != old));
    stage.bootstrap();
    assert_eq!(stage.engine().show(&old).expect("is there").entry.status, Status::Superseded);
    let itself = stage.engine().review(&old, Ruling::Supersede { by: old.clone() }, false);
    assert!(itself.is_err());
}

#[test]
fn a_dispute_is_settled_by_naming_the_side() {
    let stage = curated();
    let (path, text) = stage.article_with("floating point");
    // Two people differ; written as the machine writes it.
    let lead =
        lore_core::Article::parse(text.split("\n---\n").nth(1).expect("has a body")).lead[0].text.clone();
    let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("has an id").to_owned();
    let mut entry = stage.engine().show(&id).expect("is there").entry;
    let mut article = lore_core::Article::parse(&entry.body);
    let one = article.lead.remove(0);
    let disputed = |said: &str| lore_core::Standing::Disputed { said: Some(said.to_owned()) };
    article.conflict = vec![
        lore_core::Claim { standing: disputed("a person on 2026-02-21"), ..one },
        lore_core::Claim {
            standing: disputed("a person on 2026-03-01"),
            ..lore_core::Claim::new("Amounts are decimals.", Vec::new())
        },
    ];
    entry.body = article.render();
    entry.status = Status::Disputed;
    let plain = lore_store_text(&entry);
    stage.repo.write(&format!("knowledge/{path}"), plain);

    assert_eq!(pending(&stage)[0], (id.clone(), Cause::Disputed));
    let sides = stage.engine().review_page(&id).expect("can be opened").sides;
    assert_eq!(
        sides.iter().map(|side| side.text.as_str()).collect::<Vec<_>>(),
        [lead.as_str(), "Amounts are decimals."]
    );
    assert!(stage.engine().review(&id, Ruling::Keep, false).is_err(), "keeping settles nothing");
    assert!(stage.engine().review(&id, Ruling::Settle { side: 3, says: None }, false).is_err());
    let says = |text: &str| Ruling::Settle { side: 1, says: Some(text.to_owned()) };
    let refused = stage.engine().review(&id, says("Amounts are decimals."), false).unwrap_err();
    assert!(refused.to_string().contains("changed since"), "{refused}");
    rule(&stage, &id, says(&lead));
    let settled = stage.engine().show(&id).expect("is there").entry;
    assert_eq!(settled.status, Status::Current);
    let article = lore_core::Article::parse(&settled.body);
    assert_eq!(article.lead[0].text, lead);
    assert_eq!(article.history[0].text, "Amounts are decimals.");
    assert!(article.conflict.is_empty());
    assert!(pending(&stage).iter().all(|(other, _)| *other != id));
}

#[test]
fn a_page_comes_with_the_words_it_rests_on() {
    let stage = curated();
    let (path, _) = stage.article_with("floating point");
    let mut page = stage.engine().review_page(&path).expect("can be opened");
    assert_eq!(page.sides, []);
    let cited = &mut page.rests_on[0];
    assert_eq!((cited.voice, cited.around.as_ref()), (lore_core::Voice::Person, None));
    assert_eq!(cited.at.map(|at| at.date().to_string()).as_deref(), Some("2026-02-21"));
    stage.engine().look_up(cited);
    let around = cited.around.as_deref().expect("the transcript is there");
    assert!(around.contains("All amounts are integer cents"), "{around}");
    // Agents clear their transcripts away; then it is said what stands there instead.
    std::fs::remove_dir_all(stage.project().join("sessions")).expect("can be removed");
    stage.engine().look_up(cited);
    assert!(cited.note.as_deref().is_some_and(|note| note.contains("not on this machine")), "{cited:?}");
}

#[test]
fn a_ruling_names_the_run_that_takes_it_back() {
    let stage = curated();
    let before = (stage.articles(), pending(&stage));
    let names: Vec<String> = before.1.iter().take(2).map(|(id, _)| id.clone()).collect();
    let engine = stage.engine().at_present().expect("can be opened again");
    let done = engine.review_all(&names, &Ruling::Reject { why: "no".into() }, false).expect("are rejected");
    let run = done[0].run.clone().expect("a run did it");
    assert_eq!(done[1].run.as_ref(), Some(&run), "both in one");
    assert_eq!(engine.last_run().as_ref(), Some(&run));
    rule(&stage, &before.1[2].0, Ruling::Keep);
    stage.engine().undo(Some(&run), false).expect("is taken back");
    assert_eq!(pending(&stage), before.1[..2], "they wait again, and what was kept since does not");
    let rehearsed = engine.review(&names[0], Ruling::Keep, true).expect("can be rehearsed");
    assert_eq!(rehearsed.run, None);
}

#[test]
fn a_review_begins_where_it_stopped() {
    let stage = curated();
    assert_eq!(stage.engine().review_place(), None);
    let place = lore_engine::review::ReviewPlace {
        entry: pending(&stage)[1].0.clone(),
        search: "mails".to_owned(),
        grouping: "kind".to_owned(),
        only: vec![("state".to_owned(), "new".to_owned())],
    };
    let base = stage.base();
    stage.engine().keep_review_place(&place);
    assert_eq!(stage.engine().review_place(), Some(place));
    assert_eq!(stage.base(), base, "it is nothing that others get");
    stage.repo.write(".lore/review.json", "{\"entry\": \"x\", \"newer\": 1}");
    assert_eq!(stage.engine().review_place().map(|place| place.entry).as_deref(), Some("x"));
}

fn lore_store_text(entry: &lore_core::Entry) -> String {
    lore_store::format::with_hash(&lore_store::format::write(entry))
}

/// Two sentences of people stand beside each other; neither could be chosen, because neither names sides.
#[test]
fn a_dispute_between_entries_of_people_is_settled_like_any_other() {
    let said = |day: &str| lore_engine::entries::NewEntry {
        title: format!("Invoices are sent on {day}"),
        kind: Some(lore_core::Kind::Fact),
        body: format!("Invoices are sent on {day}."),
        ..Default::default()
    };
    for (side, holds, falls) in [(1, "Fridays", "Mondays"), (2, "Mondays", "Fridays")] {
        let stage = Stage::new();
        let monday = stage.engine().add(said("Mondays"), false).expect("can be written").id.to_string();
        let friday = stage.engine().add(said("Fridays"), false).expect("can be written").id.to_string();
        let engine = stage.engine();
        let sides = engine.review_page(&friday).expect("can be opened").sides;
        let texts: Vec<&str> = sides.iter().map(|side| side.text.as_str()).collect();
        assert_eq!(texts, ["Invoices are sent on Fridays.", "Invoices are sent on Mondays."]);
        let before = stage.base();
        for wrong in [0, 3] {
            assert!(
                engine.review(&friday, Ruling::Settle { side: wrong, says: None }, false).is_err(),
                "{wrong}"
            );
        }
        // Its number has come to stand for another sentence since it was shown.
        let shown = texts[2 - side].to_owned();
        assert!(engine.review(&friday, Ruling::Settle { side, says: Some(shown) }, false).is_err());
        assert_eq!(stage.base(), before);
        rule(&stage, &friday, Ruling::Settle { side, says: Some(texts[side - 1].to_owned()) });
        let status = |day: &str| {
            let id = if day == "Mondays" { &monday } else { &friday };
            stage.engine().show(id).expect("is there").entry.status
        };
        assert_eq!((status(holds), status(falls)), (Status::Current, Status::Superseded), "side {side}");
        assert_eq!(pending(&stage), [], "nothing is left to decide");
    }
}

/// After an edit of its title the same words made it anew, from the next session that had them.
#[test]
fn what_was_rejected_is_known_by_what_it_said() {
    let mut stage = curated();
    let (path, text) = stage.article_with("floating point");
    let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("has an id").to_owned();
    let title = text.lines().find(|line| line.starts_with("title: ")).expect("has a title").to_owned();
    stage.day = 8;
    let engine = stage.engine();
    let draft = engine.checkout(&id).expect("can be read");
    engine.checkin(&draft, &draft.text.replace(&title, "title: How we count")).expect("can be edited");
    rule(&stage, &id, Ruling::Reject { why: "obvious".to_owned() });
    stage.session("s-again", 9, crate::stage::MONEY);
    let report = stage.curate();
    assert!(report.rejected > 0, "{report:?}");
    stage.bootstrap();
    let says = |text: &String| text.contains("floating point for money");
    let found: Vec<String> =
        stage.articles().into_iter().filter(|(_, text)| says(text)).map(|one| one.0).collect();
    assert_eq!(found, Vec::<String>::new(), "{path} came back");
    // A person who says it by hand means it.
    stage.engine().remember("Never use floating point for money.", None, false).expect("it is kept");
    stage.session("s-third", 12, crate::stage::MONEY);
    assert_eq!(stage.curate().rejected, 0);
}

/// The side that was right stood in both entries afterwards, under two titles.
#[test]
fn a_settled_dispute_leaves_one_entry_that_says_it() {
    for side in [1, 2] {
        let mut stage = Stage::new();
        let (enabled, disabled) =
            ("Colour output is enabled by default.", "Colour output is disabled by default.");
        stage.engine().remember(enabled, None, false).expect("it is kept");
        stage.day = 2;
        let mut world = stage.world();
        world.variables.insert("CLAUDECODE".to_owned(), "1".to_owned());
        let lesson = lore_engine::learn::Lesson {
            kind: Some("decision".to_owned()),
            title: disabled.trim_end_matches('.').to_owned(),
            text: disabled.to_owned(),
            ..lore_engine::learn::Lesson::default()
        };
        let engine = lore_engine::Engine::open(world).expect("the base can be opened");
        let other = engine.learn(&lesson, false).expect("can be learned").id.to_string();
        let sides = stage.engine().review_page(&other).expect("can be opened").sides;
        let right = sides[side - 1].text.clone();
        rule(&stage, &other, Ruling::Settle { side, says: None });
        let filter = Filter { status: Some(Status::Current), ..Filter::default() };
        let held = stage.engine().list(&filter).expect("can be listed");
        assert_eq!(held.len(), 1, "{right}: {held:#?}");
        let entry = stage.engine().show(held[0].id.as_str()).expect("is there").entry;
        let article = lore_core::Article::parse(&entry.body);
        assert_eq!(article.lead[0].text, right);
        assert!(entry.is_verified_by_a_person());
        assert_eq!(pending(&stage), [], "nothing is left to settle");
    }
}

/// A page that tells of something else by now, with a rule that this seemed to replace.
#[test]
fn a_rule_that_holds_beside_what_seemed_to_replace_it_is_a_rule_again() {
    for ruling in [Ruling::Both, Ruling::Keep] {
        let stage = Stage::new();
        let text = "---\nid: evt-2026-02-03-berths-change-in-may\ntype: event\ntitle: Berths change in May\n\
            description: Berths change in May\ncreated: 2026-02-03\nstatus: current\ncurated_by: auto\nsources:\n  \
            - id: s1\n    resource: session://claude-code/s-1#L3\n    voice: person\n    session: s-1\n    lines:\n      - 3\n    \
            at: 2026-01-02\n  - id: s2\n    resource: session://claude-code/s-2#L5\n    voice: person\n    session: s-2\n    \
            lines:\n      - 5\n    at: 2026-02-03\n---\n\nBerths change in May because of the regatta.[^s2]\n\n\
            ## Possibly replaced\n\n- Never moor at the north berth without a pilot.[^s1]\n  Since 2026-02-03\n  \
            Possibly replaced by: Berths change in May because of the regatta.\n\n\
            [^s1]: A person on 2026-01-02, `session://claude-code/s-1#L3`\n\
            [^s2]: A person on 2026-02-03, `session://claude-code/s-2#L5`\n";
        stage.repo.write("knowledge/history/berths-change-in-may.md", text);
        let id = "evt-2026-02-03-berths-change-in-may";
        assert_eq!(pending(&stage), [(id.to_owned(), Cause::PossiblyReplaced)]);
        rule(&stage, id, ruling);
        let page = stage.engine().show(id).expect("is there").entry;
        assert!(!page.body.contains("north berth") && page.sources.len() == 1, "{}", page.body);
        let (_, own) = stage.article_with("Never moor at the north berth");
        assert!(own.contains("type: preference") && own.contains("s-1#L3") && !own.contains("s-2"), "{own}");
        let rules =
            stage.engine().list(&Filter { kinds: vec![lore_core::Kind::Preference], ..Filter::default() });
        assert_eq!(rules.expect("can be listed").len(), 1);
        assert_eq!(pending(&stage), []);
    }
}
