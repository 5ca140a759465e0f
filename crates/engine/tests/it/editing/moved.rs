//! A project whose folder is moved keeps the sessions that were held in the old place.

use std::fs;

use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, World};
use tempfile::TempDir;

use crate::stage::{MONEY, Stage};

/// A home that stays where it is.
struct Home(TempDir);

impl Home {
    fn engine(&self, stage: &Stage) -> Engine {
        let mut world: World = stage.world();
        world.variables.insert("HOME".to_owned(), self.0.path().display().to_string());
        Engine::open(world).expect("the base can be opened")
    }

    /// Holds a session in a project, and puts it where Claude Code keeps it.
    fn hold(&self, stage: &Stage, id: &str) {
        stage.session_at("held.jsonl", id, 0, MONEY);
        let project = stage.project().display().to_string();
        let slug: String = project.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = self.0.path().join(".claude/projects").join(slug);
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::rename(stage.repo.join("held.jsonl"), folder.join(format!("{id}.jsonl"))).expect("can be moved");
    }

    /// Counts what waits for an editor: as packets are made, and as `lore status` tells it.
    fn waiting(&self, stage: &Stage) -> (usize, usize) {
        let engine = self.engine(stage);
        let backlog = engine.backlog(&SessionFilter::default(), &|_, _| {}).expect("can be listed");
        (backlog.sessions.len(), engine.editing().waiting)
    }
}

#[test]
fn what_waits_goes_on_waiting_after_a_move() {
    for stage in [Stage::new(), Stage::with_git()] {
        let home = Home(tempfile::tempdir().expect("a home can be made"));
        home.hold(&stage, "5e551011-0000-4000-8000-0000000000d1");
        assert_eq!(home.waiting(&stage), (1, 1));
        let moved = stage.copied();
        drop(stage);
        assert_eq!(home.engine(&moved).editing().waiting, 1);
        assert_eq!(home.waiting(&moved), (1, 1));
        home.hold(&moved, "5e551011-0000-4000-8000-0000000000d2");
        assert_eq!(home.waiting(&moved), (2, 2), "new sessions come to the old");
    }
}

#[test]
fn a_copy_takes_no_sessions_of_the_original() {
    let home = Home(tempfile::tempdir().expect("a home can be made"));
    let stage = Stage::with_git();
    home.hold(&stage, "5e551011-0000-4000-8000-0000000000d3");
    assert_eq!(home.waiting(&stage), (1, 1));
    let copy = stage.copied();
    assert_eq!(home.engine(&copy).editing().waiting, 0);
    assert_eq!(home.waiting(&copy), (0, 0));
}
