//! Conditions held against small projects of every ecosystem.
#![allow(clippy::disallowed_methods, reason = "tests set their own stage")]

mod matrix;

use lore_ground::freshness::{Project, Truth, evaluate};

#[test]
fn every_verdict_of_the_matrix_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for fixture in matrix::FIXTURES {
        let root = folder.path().join(fixture.name);
        matrix::make(fixture, &root).unwrap();
        let project = Project::new(&root);
        for (condition, expected) in fixture.cases {
            count += 1;
            let verdict = evaluate(condition, &project);
            if verdict.truth != *expected {
                wrong.push(format!(
                    "{}: {condition}: {:?} {:?}",
                    fixture.name, verdict.truth, verdict.evidence
                ));
            }
            assert!(!verdict.evidence.is_empty(), "{condition} has no evidence");
        }
    }
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 200, "only {count} conditions");
}

#[test]
fn evidence_names_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, condition: &str, truth: Truth, evidence: &str| {
        let fixture = matrix::FIXTURES.iter().find(|fixture| fixture.name == name).unwrap();
        let root = folder.path().join(name);
        matrix::make(fixture, &root).unwrap();
        let verdict = evaluate(condition, &Project::new(&root));
        assert_eq!((verdict.truth, verdict.evidence.join("; ").as_str()), (truth, evidence));
    };
    check("npm-lock", "prisma >= 4.0", Truth::Holds, "package-lock.json:6 prisma 5.2.0");
    check("cargo-manifest", "tokio < 1", Truth::Broken, "Cargo.toml:5 tokio 1.38");
    check("npm-manifest", "src/lib/auth.ts exists", Truth::Holds, "src/lib/auth.ts is there");
    check(
        "npm-manifest",
        "symbol AuthService in src/lib/auth.ts",
        Truth::Holds,
        "src/lib/auth.ts:2 defines `AuthService`",
    );
}

#[test]
fn nothing_outside_the_project_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret.txt"), "x").unwrap();
    let root = folder.path().join("project");
    std::fs::create_dir(&root).unwrap();
    let project = Project::new(&root);
    for condition in ["../secret.txt exists", "/etc/passwd exists", "file ../secret.txt exists"] {
        assert_ne!(evaluate(condition, &project).truth, Truth::Holds, "{condition}");
    }
}
