//! The right base is found from anywhere in a project.

use std::path::Path;

use lore_core::ProjectId;
use lore_store::git::Git;
use lore_store::registry::{Registry, project_id};
use lore_store::{Location, OpenError, Scope, ScopeKind, Store};
use lore_testutils::{TestRepo, git_environment, start};

fn found(start: &Path) -> Option<Scope> {
    Scope::find(start, &Location::default())
}

#[test]
fn the_nearest_base_wins_up_to_the_repository() {
    let repo = TestRepo::with_git();
    assert_eq!(found(&repo.path()), None);
    assert!(matches!(Store::open(&Scope::at(&repo.path())), Err(OpenError::Missing(_))));
    Store::init(&Scope::at(&repo.path())).unwrap();
    repo.write("services/billing/src/main.rs", "");
    repo.write("services/search/src/main.rs", "");
    Store::init(&Scope::at(&repo.join("services/billing"))).unwrap();
    let check = |start: &str, expected: &str| {
        let scope = found(&repo.join(start)).unwrap();
        assert_eq!(scope, Scope::at(&repo.join(expected)), "{start}");
    };
    check("services/billing/src", "services/billing");
    check("services/search/src", ".");
    // A repository inside is another project.
    repo.write("vendor/lib/README.md", "");
    lore_testutils::git(&repo.join("vendor/lib"), &["init", "--quiet"]);
    assert_eq!(found(&repo.join("vendor/lib")), None);
}

#[test]
fn a_worktree_uses_its_own_base_else_that_of_the_main_one() {
    let repo = TestRepo::with_git();
    repo.git(&["worktree", "add", "--quiet", "../empty-side", "-b", "side"]);
    let side = repo.path().parent().unwrap().join("empty-side");
    Store::init(&Scope::at(&repo.path())).unwrap();
    std::fs::create_dir_all(side.join("src")).unwrap();
    assert_eq!(found(&side.join("src")).unwrap().root, repo.join("knowledge"));
    Store::init(&Scope::at(&side)).unwrap();
    assert_eq!(found(&side.join("src")).unwrap().root, side.join("knowledge"));
    std::fs::remove_dir_all(&side).unwrap();
}

#[test]
fn the_place_can_be_configured_and_a_person_has_one_too() {
    let repo = TestRepo::new();
    let location = Location { folder: "docs/kb".into() };
    let scope = Scope::with_location(&repo.path(), &location);
    Store::init(&scope).unwrap();
    repo.write("src/main.rs", "");
    assert_eq!(Scope::find(&repo.join("src"), &location), Some(scope));
    let personal = Scope::personal(&repo.join("data"));
    assert_eq!((personal.kind, personal.root.clone()), (ScopeKind::Personal, repo.join("data/knowledge")));
    assert!(Store::init(&personal).is_ok());
}

#[test]
fn worktrees_and_clones_are_one_project() {
    let repo = TestRepo::with_git();
    repo.git(&["worktree", "add", "--quiet", "side", "-b", "side"]);
    let id = |folder: &Path| {
        let git = Git::discover(folder).map(|git| git.with_environment(git_environment()));
        project_id(git.as_ref(), folder)
    };
    assert_eq!(id(&repo.path()), id(&repo.join("side")));
    assert_eq!(id(&repo.path()).as_str(), repo.git(&["rev-parse", "HEAD"]).trim());
    repo.git(&["remote", "add", "origin", "git@example.org:team/tool.git"]);
    assert_eq!(id(&repo.join("side")), ProjectId::new("example.org/team/tool"));
    let plain = TestRepo::new();
    assert_eq!(id(&plain.path()).as_str(), plain.path().to_string_lossy());
}

#[test]
fn the_registry_keeps_every_base_that_is_still_there() {
    let home = TestRepo::new();
    let registry = Registry::new(&home.join("data/.lore"));
    assert!(registry.projects().is_empty());
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (registry, home) = (registry.clone(), &home);
            scope.spawn(move || {
                let root = home.join(&format!("clone-{number}"));
                std::fs::create_dir_all(&root).unwrap();
                registry.register(&ProjectId::new("one"), &root, start()).unwrap();
                registry.register(&ProjectId::new("one"), &root, start()).unwrap();
            });
        }
    });
    assert_eq!(registry.projects()[0].roots.len(), 8);
    std::fs::remove_dir_all(home.join("clone-3")).unwrap();
    registry.register(&ProjectId::new("two"), &home.path(), start()).unwrap();
    let projects = registry.projects();
    assert_eq!((projects.len(), projects[0].roots.len()), (2, 7));
}
