//! What a person edits is their word: title, author, time and history follow the text.

use lore_core::{Article, Curator, Standing, Voice};
use lore_engine::learn::Lesson;
use lore_engine::{Engine, review::Ruling};

use crate::stage::Stage;

/// Changes the text of an entry as its person would in an editor.
fn edit(stage: &Stage, id: &str, change: impl FnOnce(&str) -> String) -> lore_core::Entry {
    let engine = stage.engine();
    let draft = engine.checkout(id).expect("can be read");
    engine.checkin(&draft, &change(&draft.text)).expect("can be put in place");
    stage.engine().show(id).expect("is there").entry
}

fn agents(stage: &Stage, text: &str) -> String {
    let mut world = stage.world();
    world.variables.insert("CLAUDECODE".to_owned(), "1".to_owned());
    let lesson = Lesson {
        kind: Some("decision".to_owned()),
        title: text.trim_end_matches('.').to_owned(),
        text: text.to_owned(),
        ..Lesson::default()
    };
    let engine = Engine::open(world).expect("the base can be opened");
    engine.learn(&lesson, false).expect("can be learned").id.to_string()
}

fn past(entry: &lore_core::Entry) -> Vec<String> {
    let told = |claim: lore_core::Claim| match claim.standing {
        Standing::Past { until, replaced_by, .. } => {
            format!(
                "{} → {} {:?}",
                claim.text,
                replaced_by.unwrap_or_default(),
                until.map(|at| at.to_string())
            )
        }
        other => panic!("{other:?}"),
    };
    Article::parse(&entry.body).history.into_iter().map(told).collect()
}

// The list went on telling the old sentence, and the answer named the agent.
#[test]
fn an_edit_of_an_agents_words_is_the_editors_own() {
    let mut stage = Stage::new();
    let id = agents(&stage, "Mails are sent at night.");
    stage.day = 3;
    let entry =
        edit(&stage, &id, |text| text.replace("\n\nMails are sent at night.", "\n\nMails are sent at noon."));
    assert_eq!((entry.title.as_str(), entry.curated_by), ("Mails are sent at noon", Curator::Mixed));
    assert!(
        entry.description.as_deref().is_some_and(|text| text.starts_with("Mails are sent at noon")),
        "{entry:?}"
    );
    let own = entry.sources.last().expect("has sources");
    assert_eq!(
        (own.voice, own.at, own.resource.as_str()),
        (Voice::Person, Some(stage.engine().world().moment()), "human:ada")
    );
    assert!(entry.is_verified_by_a_person());
    assert_eq!(past(&entry), ["Mails are sent at night. → Mails are sent at noon. Some(\"2026-02-23\")"]);
    assert!(
        entry.body.starts_with("# Mails are sent at noon\n\nMails are sent at noon.\n"),
        "{}",
        entry.body
    );
}

#[test]
fn the_log_calls_an_edit_of_the_text_a_change() {
    let mut stage = Stage::new();
    let id = agents(&stage, "Mails are sent at night.");
    stage.day = 3;
    edit(&stage, &id, |text| text.replace("\n\nMails are sent at night.", "\n\nMails are sent at noon."));
    let what = |stage: &Stage| stage.engine().why(&id).expect("can be told").runs[0].what;
    assert_eq!(what(&stage), "changed");
    let other = agents(&stage, "The bell hangs at the pier.");
    stage.engine().review(&other, Ruling::Keep, false).expect("is kept");
    assert_eq!(stage.engine().why(&other).expect("can be told").runs[0].what, "confirmed");
}

#[test]
fn a_footnote_that_was_left_standing_names_the_editor() {
    let mut stage = Stage::new();
    let said = "Never use floating point for money. All amounts are integer cents, everywhere in the code.";
    stage.session("s-1", 1, &[("user", said), ("assistant", "Understood.")]);
    stage.curate();
    let (path, before) = stage.article_with("floating point");
    assert!(before.contains("[^s1]"), "{before}");
    stage.day = 5;
    let entry = edit(&stage, &path, |text| {
        text.replacen("\nNever use floating point for money.", "\nNever use decimals for money.", 1)
    });
    let article = Article::parse(&entry.body);
    let own = entry.sources.last().expect("has sources");
    assert_eq!(article.lead[0].sources, own.id.iter().cloned().collect::<Vec<_>>(), "{}", entry.body);
    assert_eq!(own.resource, "human:ada");
    assert!(
        entry.body.contains(&format!("[^{}]: A person on 2026-02-25", article.lead[0].sources[0])),
        "{}",
        entry.body
    );
    assert!(past(&entry)[0].starts_with("Never use floating point for money."), "{}", entry.body);
    assert_eq!(article.history[0].sources, ["s1"], "what held keeps its evidence");
    assert!(entry.title.contains("decimals"), "{}", entry.title);
    assert!(stage.engine().review(&path, Ruling::Keep, true).is_ok());
}

#[test]
fn what_the_person_set_stays_as_they_set_it() {
    let stage = Stage::new();
    let own =
        stage.engine().remember("Releases go out on Tuesdays.", None, false).expect("is kept").id.to_string();
    // Title and text at once: the title is what they typed.
    let entry = edit(&stage, &own, |text| {
        text.replace("title: Releases go out on Tuesdays", "title: When we release")
            .replace("\n\nReleases go out on Tuesdays.", "\n\nReleases go out on Mondays.")
    });
    assert_eq!(entry.title, "When we release");
    assert_eq!(entry.description.as_deref(), Some("Releases go out on Mondays"));
    // A title in words of their own is theirs also afterwards.
    let entry = edit(&stage, &own, |text| {
        text.replace("\n\nReleases go out on Mondays.", "\n\nReleases go out on Fridays.")
    });
    assert_eq!(entry.title, "When we release");
    assert_eq!(past(&entry).len(), 2, "{}", entry.body);
    // The heading says it as well as the key.
    let entry = edit(&stage, &own, |text| text.replace("# Releases go out on Tuesdays", "# When we release"));
    assert_eq!(entry.title, "When we release");
    // Spelling is no other statement.
    let entry = edit(&stage, &own, |text| {
        text.replace("\n\nReleases go out on Fridays.", "\n\nReleases go out on fridays!")
    });
    assert_eq!((past(&entry).len(), entry.sources.len()), (2, 3), "{}", entry.body);
}

#[test]
fn a_page_of_a_persons_own_keeps_its_form() {
    let stage = Stage::new();
    let body =
        "We use PostgreSQL\nfor all bookings.\n\n```sql\nselect 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let new = lore_engine::entries::NewEntry {
        title: "Where bookings live".to_owned(),
        body: body.to_owned(),
        ..lore_engine::entries::NewEntry::default()
    };
    let id = stage.engine().add(new, false).expect("can be added").id.to_string();
    let entry = edit(&stage, &id, |text| text.replace("We use PostgreSQL\n", "We use MySQL\n"));
    assert_eq!(entry.title, "Where bookings live");
    assert!(
        entry.body.starts_with(&format!("# Where bookings live\n\n{}", body.replace("PostgreSQL", "MySQL"))),
        "{}",
        entry.body
    );
    assert_eq!(past(&entry).len(), 1, "{}", entry.body);
}
