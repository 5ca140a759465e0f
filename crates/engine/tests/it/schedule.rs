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

/// A shell block was appended to whatever was there, also to a hook in Python.
#[test]
fn anothers_hook_is_never_touched() {
    let stage = Stage::with_git();
    let hook = ".git/hooks/post-commit";
    let python = "#!/usr/bin/env python3\nprint('mine')\n";
    stage.repo.write(hook, python);
    let error = stage.engine().install_schedule(Way::GitHook, false).expect_err("it is not ours");
    assert!(error.to_string().contains("in another language"), "{error}");
    assert_eq!(stage.repo.read(hook), python);
    // A folder of hooks among the project's files is another tool's.
    stage.repo.write(".husky/post-commit", "npm test\n");
    stage.repo.git(&["config", "core.hooksPath", ".husky"]);
    let error = stage.engine().install_schedule(Way::GitGate, false).expect_err("they are not ours");
    assert!(error.to_string().contains(".husky"), "{error}");
    assert_eq!(stage.repo.read(".husky/post-commit"), "npm test\n");
}

#[test]
fn a_script_that_leaves_early_does_not_keep_us_from_running() {
    let stage = Stage::with_git();
    let hook = ".git/hooks/post-commit";
    stage.repo.write(hook, "#!/bin/sh\nexit 0");
    stage.engine().install_schedule(Way::GitHook, false).expect("can be installed");
    let text = stage.repo.read(hook);
    assert!(text.find("lore curate").expect("is there") < text.find("exit 0").expect("is there"), "{text}");
    stage.engine().uninstall_schedule(Way::GitHook, false).expect("can be taken out");
    assert_eq!(stage.repo.read(hook), "#!/bin/sh\nexit 0", "byte for byte");
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
