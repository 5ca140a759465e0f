//! A validator written by others finds no errors.

use std::process::Command;

use crate::{Base, one_of_each};

/// The validator, where the test run was told its place.
fn validator() -> Option<std::ffi::OsString> {
    let found = std::env::var_os("LORE_OKF");
    let must = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(found.is_some() || !must, "LORE_OKF does not name the `okf` program; ./test installs it");
    found
}

#[test]
fn a_base_with_every_kind_of_entry_is_conformant() {
    let Some(okf) = validator() else { return };
    let base = Base::new();
    base.write(|transaction| {
        for entry in one_of_each() {
            transaction.create(entry).unwrap();
        }
    });
    base.write(|transaction| {
        transaction.archive("sig-2026-02-20-a-signal-of-note").unwrap();
        transaction.remove("pat-2026-02-20-a-pattern-of-note", "out of date").unwrap();
    });
    let output = Command::new(okf).arg("validate").arg(base.repo.join("knowledge")).output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("[error]"), "{said}");
}
