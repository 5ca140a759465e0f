//! The right base is found from anywhere in a project.

use std::path::Path;

use lore_core::{Kind, ProjectId};
use lore_store::git::Git;
use lore_store::registry::{Registry, project_id};
use lore_store::{BeginError, CommitOptions, Location, OpenError, Owner, Scope, ScopeKind, Store};
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

/// The state lay in the work tree: a clone could bring a journal that was then carried out, and
/// `git add --all` took what sessions had said.
#[test]
fn state_lies_where_no_clone_can_put_it() {
    let repo = TestRepo::with_git();
    repo.write("services/billing/src/main.rs", "");
    repo.commit("sources");
    for project in [repo.path(), repo.join("services/billing")] {
        let store = Store::init(&Scope::at(&project)).unwrap();
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        transaction.create(crate::entry(Kind::Fact, "A thing")).unwrap();
        transaction.commit(&CommitOptions::default()).unwrap();
        store.snapshot().unwrap();
    }
    let scope = Scope::at(&repo.join("services/billing"));
    assert_eq!(scope.work, repo.join(".git/lore/services+billing+knowledge"));
    assert_eq!((&scope.shared, &scope.project), (&scope.work, &repo.join("services/billing")));
    assert!(scope.work.join("staging/journal").is_file());
    assert!(repo.join(".git/lore/knowledge/staging/journal").is_file());
    let seen = repo.git(&["status", "--porcelain", "--ignored", "--untracked-files=all"]);
    assert!(seen.lines().all(|line| line.contains("knowledge/")), "{seen}");
}

#[test]
fn worktrees_share_what_is_not_about_their_files() {
    let repo = TestRepo::with_git();
    let side = TestRepo::new();
    let side_path = side.join("tree");
    repo.git(&["worktree", "add", "--quiet", &side_path.to_string_lossy(), "-b", "side"]);
    let (here, there) = (Scope::at(&repo.path()), Scope::at(&side_path));
    assert_eq!(here.shared, there.shared);
    assert_eq!((&here.work, &here.shared), (&here.shared, &repo.join(".git/lore/knowledge")));
    assert_eq!(there.work, repo.join(".git/worktrees/tree/lore/knowledge"));
    // A `.git` file that names a repository which does not know of it gets a place of its own.
    let stranger = TestRepo::new();
    stranger.write(".git", format!("gitdir: {}\n", repo.join(".git").display()));
    let strange = Scope::at(&stranger.path());
    assert!(strange.work.starts_with(repo.join(".git/lore")) && strange.work != here.work, "{strange:?}");
}

#[test]
fn a_base_named_by_its_folder_is_the_one_that_is_found() {
    for repo in [TestRepo::new(), TestRepo::with_git()] {
        for location in [Location::default(), Location { folder: "docs/kb".into() }] {
            let scope = Scope::with_location(&repo.path(), &location);
            assert_eq!(Scope::named(&scope.root, &location), scope);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_base_behind_a_link_out_of_the_repository_is_read_and_not_written() {
    let elsewhere = TestRepo::new();
    let other = Store::init(&Scope::at(&elsewhere.path())).unwrap();
    other.begin(&Owner::machine("test"), start()).unwrap().commit(&CommitOptions::default()).unwrap();
    let before = crate::files(&elsewhere.path());
    let repo = TestRepo::with_git();
    std::os::unix::fs::symlink(elsewhere.join("knowledge"), repo.join("knowledge")).unwrap();
    let store = Store::open(&Scope::at(&repo.path())).unwrap();
    assert!(store.snapshot().unwrap().is_empty());
    assert!(matches!(store.begin(&Owner::machine("test"), start()), Err(BeginError::Elsewhere(_))));
    assert_eq!(crate::files(&elsewhere.path()), before);
}

#[cfg(unix)]
#[test]
fn a_state_folder_behind_a_link_is_refused() {
    let outside = TestRepo::new();
    outside.write("staging/kept", "theirs");
    for (repo, at) in [(TestRepo::new(), ".lore"), (TestRepo::with_git(), ".git/lore")] {
        drop(Store::init(&Scope::at(&repo.path())).unwrap());
        std::os::unix::fs::symlink(outside.path(), repo.join(at)).unwrap();
        let refused = Store::open(&Scope::at(&repo.path())).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|why| why.contains(at) && why.contains("symbolic link")));
    }
    assert_eq!(outside.read("staging/kept"), "theirs");
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
fn a_folder_whose_project_is_called_otherwise_now_is_listed_once() {
    let home = TestRepo::new();
    let registry = Registry::new(&home.join("data/.lore"));
    for id in ["v2", "a.org/x/tool@v2"] {
        registry.register(&ProjectId::new(id), &home.path(), start()).unwrap();
    }
    let projects = registry.projects();
    let ids: Vec<&str> = projects.iter().map(|project| project.id.as_str()).collect();
    assert_eq!(ids, ["a.org/x/tool@v2"]);
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
