//! Ways to curate by itself go in and come out without touching what is not ours.

use lore_engine::schedule::Way;

use crate::stage::Stage;

#[test]
fn a_hook_goes_beside_what_is_there_and_comes_out_again() {
    let stage = Stage::with_git();
    let hook = ".git/hooks/post-commit";
    stage.repo.write(hook, "#!/bin/bash\necho mine\n");
    let engine = stage.engine();
    assert!(!engine.schedule(Way::GitHook).expect("can be told").installed);
    let rehearsed = engine.install_schedule(Way::GitHook, true).expect("can be rehearsed");
    assert_eq!(stage.repo.read(hook), "#!/bin/bash\necho mine\n");
    engine.install_schedule(Way::GitHook, false).expect("can be installed");
    engine.install_schedule(Way::GitHook, false).expect("twice is once");
    assert_eq!(stage.repo.read(hook), rehearsed.files[0].text);
    assert!(stage.repo.read(hook).contains("lore curate --due"));
    assert!(engine.schedule(Way::GitHook).expect("can be told").installed);
    // A commit goes through whether or not `lore` can be found.
    stage.repo.write("a.txt", "a");
    stage.repo.commit("with the hook");
    engine.uninstall_schedule(Way::GitHook, false).expect("can be taken out");
    assert_eq!(stage.repo.read(hook), "#!/bin/bash\necho mine\n");
    assert!(!engine.schedule(Way::GitHook).expect("can be told").installed);
}

#[test]
fn a_hook_of_our_own_goes_with_its_file() {
    let stage = Stage::with_git();
    let engine = stage.engine();
    engine.install_schedule(Way::GitHook, false).expect("can be installed");
    let path = stage.project().join(".git/hooks/post-commit");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).expect("is there").permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "git runs only what may be run");
    }
    engine.uninstall_schedule(Way::GitHook, false).expect("can be taken out");
    assert!(!path.exists());
}

#[test]
fn files_of_the_other_ways_are_written_where_they_belong() {
    let stage = Stage::new();
    let engine = stage.engine();
    for (way, file) in
        [(Way::Systemd, "home/.config/systemd/user"), (Way::GithubActions, ".github/workflows/lore.yml")]
    {
        let done = engine.install_schedule(way, false).expect("can be installed");
        assert!(stage.project().join(file).exists(), "{way:?}");
        assert!(!done.next.is_empty(), "{way:?} says what is left to do");
        engine.uninstall_schedule(way, false).expect("can be taken out");
        let left = done.files.iter().filter_map(|file| file.path.as_ref()).filter(|path| path.exists());
        assert_eq!(left.count(), 0, "{way:?}");
    }
    let error = engine.schedule(Way::GitHook).expect_err("there is no git here");
    assert_eq!(error.to_string(), "this project has no git repository");
}
