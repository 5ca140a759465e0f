//! Other tools' stores, read as they are.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests lay out the stores they read")]

use std::fs;
use std::path::Path;

use lore_core::{Detail, Kind, LifecycleState, LinkKind, Severity, SignalType, Status};
use lore_store::import::{ImportOptions, ImportReport, Imported, StoreKind, detect, import};
use serde_json::json;
use tempfile::TempDir;

/// Lays out a store from pairs of path and content.
fn store(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn run(path: &Path, expected: StoreKind) -> ImportReport {
    assert_eq!(detect(path), Some(expected));
    let report = import(path, &ImportOptions::default()).unwrap();
    assert_eq!(report.kind, expected);
    report
}

fn from<'r>(report: &'r ImportReport, file: &str) -> &'r Imported {
    report
        .entries
        .iter()
        .find(|imported| imported.from == file)
        .unwrap_or_else(|| panic!("{file} did not arrive"))
}

fn codes(imported: &Imported) -> Vec<&str> {
    imported.repaired.iter().map(|found| found.code.as_str()).collect()
}

fn why<'r>(report: &'r ImportReport, file: &str) -> &'r str {
    report.left.iter().find(|left| left.from == file).map_or("", |left| &left.why)
}

const SIGNAL: &str = "---\nid: sig-2026-03-01-build-is-slow\ntype: signal\nproject: shop\ntags: [build, ci]\ncreated: \"2026-03-01T10:00:00Z\"\ndurability: convention\nstatus: active\nseverity: notable\nsignal_type: struggle\nsignal_category: negative\nphase: 12.10\noccurrence_count: 2\nrelated_signals:\n  - SIG-260222-001-cache-is-cold\n  - sig-2026-01-01-gone\nlifecycle_state: detected\ntriage: {}\ngsd_version: 1.2.3\n---\n\n## What Happened\n\nThe build took nine minutes. Twice.\n";

#[test]
fn a_gsd_store_arrives_whole() {
    let folder = store(&[
        (".planning/knowledge/index.md", "# Knowledge Store Index\n"),
        (".planning/knowledge/kb.db", "SQLite"),
        (".planning/knowledge/signals/shop/2026-03-01-build-is-slow.md", SIGNAL),
        (
            ".planning/knowledge/signals/shop/SIG-260222-001-cache-is-cold.md",
            "---\nid: SIG-260222-001-cache-is-cold\ntype: deviation\nseverity: critical\nstatus: remediated\nconfidence: 0.85\n---\n\n# Signal: The cache is cold\n",
        ),
        (
            ".planning/knowledge/signals/shop/2026-03-02-ticks.md",
            "---\nid: sig-2026-03-02-ticks\ntype: observation\nseverity: awful\nstatus: resolved\nlifecycle_state: triaged\nevidence:\n  supporting:\n    - `make` failed: twice\n---\n\nText.\n",
        ),
        (
            ".planning/knowledge/spikes/shop/cache.md",
            "---\nid: spk-2026-03-03-cache\ntype: spike\nhypothesis: \"Warm caches help\"\noutcome: partial\nrounds: 1\n---\n\n## Hypothesis\n",
        ),
        (
            ".planning/knowledge/lessons/tooling/warm-caches.md",
            "---\nid: les-2026-03-04-warm-caches\ntype: lesson\ncategory: tooling\nevidence_count: 3\n---\n\n# Warm the caches\n",
        ),
        (
            ".planning/knowledge/reflections/shop/reflect-2026-03-05.md",
            "---\ndate: 2026-03-05\nscope: project\n---\n\n# Reflection Report: shop\n",
        ),
    ]);
    let report = run(folder.path(), StoreKind::Gsd);
    assert_eq!(report.entries.len(), 6);
    assert_eq!(why(&report, "index.md"), "a generated index; ours is generated anew");
    assert_eq!(why(&report, "kb.db"), "a derived database");

    let slow = from(&report, "signals/shop/2026-03-01-build-is-slow.md");
    assert_eq!(slow.entry.id.as_str(), "sig-2026-03-01-build-is-slow");
    assert_eq!(slow.entry.title, "Build is slow");
    assert_eq!(slow.entry.description.as_deref(), Some("The build took nine minutes."));
    assert_eq!(slow.entry.occurrences, Some(2));
    let related: Vec<&str> = slow.entry.linked(LinkKind::Related).collect();
    assert_eq!(related, ["sig-2026-02-22-cache-is-cold", "sig-2026-01-01-gone"]);
    assert_eq!(codes(slow), ["dangling-link"]);
    let extra = json!({"durability": "convention", "signal_category": "negative", "triage": {}, "gsd_version": "1.2.3"});
    assert_eq!(serde_json::Value::Object(slow.entry.extra.clone()), extra);
    let Detail::Signal(signal) = &slow.entry.detail else { panic!("a signal") };
    assert_eq!((signal.severity, signal.signal_type), (Some(Severity::Medium), Some(SignalType::Struggle)));
    assert_eq!((signal.phase.as_deref(), signal.polarity.as_deref()), (Some("12.10"), Some("negative")));

    let cold = from(&report, "signals/shop/SIG-260222-001-cache-is-cold.md");
    assert_eq!(cold.entry.id.as_str(), "sig-2026-02-22-cache-is-cold");
    assert_eq!(cold.entry.aliases, ["SIG-260222-001-cache-is-cold"]);
    assert_eq!(cold.entry.title, "The cache is cold");
    assert_eq!(cold.entry.project.as_deref(), Some("shop"));
    assert_eq!(cold.entry.status, Status::Current);
    assert_eq!(cold.entry.extra["original_status"], "remediated");
    assert_eq!(cold.entry.extra["original_type"], "deviation");
    assert_eq!(cold.entry.extra["original_confidence"], 0.85);
    let Detail::Signal(signal) = &cold.entry.detail else { panic!("a signal") };
    assert_eq!(
        (signal.signal_type, signal.lifecycle_state),
        (Some(SignalType::Deviation), LifecycleState::Remediated)
    );

    let ticks = from(&report, "signals/shop/2026-03-02-ticks.md");
    assert!(
        codes(ticks).contains(&"yaml-backtick") && codes(ticks).contains(&"status-contradicts-lifecycle")
    );
    assert_eq!(ticks.entry.extra["evidence"]["supporting"][0], "`make` failed: twice");
    assert_eq!(ticks.entry.extra["original_severity"], "awful");
    let Detail::Signal(signal) = &ticks.entry.detail else { panic!("a signal") };
    assert_eq!(signal.lifecycle_state, LifecycleState::Remediated);

    assert_eq!(from(&report, "spikes/shop/cache.md").entry.kind, Kind::Spike);
    assert_eq!(from(&report, "lessons/tooling/warm-caches.md").entry.title, "Warm the caches");
    assert_eq!(from(&report, "reflections/shop/reflect-2026-03-05.md").entry.kind, Kind::Event);
}

#[test]
fn everything_that_arrives_can_be_written_and_read() {
    let folder = store(&[("signals/shop/2026-03-01-build-is-slow.md", SIGNAL)]);
    for imported in run(folder.path(), StoreKind::Gsd).entries {
        let text = lore_store::format::write(&imported.entry);
        let back = lore_store::format::read("x.md", text.as_bytes());
        assert_eq!(back.entry, Some(imported.entry));
        assert_eq!(back.diagnostics, []);
    }
}

#[test]
fn gitclaw_remembers() {
    let folder = store(&[
        (
            ".GITCLAW/state/memory.log",
            "[2026-02-20 12:30] Always answer in French.\n\n[2026-02-21 09:00] The site is built by a nightly job\n[2026-02-22] \n",
        ),
        (".GITCLAW/state/user.md", "# User\n\n- **Name**: Ada\n- **Notes**: Likes brevity.\n"),
        (".GITCLAW/state/issues/7.json", "{\"issueNumber\": 7, \"sessionPath\": \"state/sessions/a.jsonl\"}"),
        (".GITCLAW/state/issues/8.json", "{\"issueNumber\": 8, \"sessionPath\": \"../../etc/passwd\"}"),
        (".GITCLAW/state/issues/9.json", "{oops"),
        (".GITCLAW/state/sessions/a.jsonl", "{}"),
    ]);
    let report = run(folder.path(), StoreKind::GitClaw);
    let french = &from(&report, "memory.log:1").entry;
    assert_eq!(
        (french.id.as_str(), french.kind),
        ("prf-2026-02-20-always-answer-in-french", Kind::Preference)
    );
    assert_eq!(from(&report, "memory.log:3").entry.kind, Kind::Fact);
    assert_eq!(from(&report, "user.md").entry.title, "The user: Ada");
    assert_eq!(report.entries.len(), 3);
    assert_eq!((report.issue_sessions.len(), report.issue_sessions[0].issue.as_str()), (1, "7"));
    assert_eq!(why(&report, "issues/8.json"), "the path `../../etc/passwd` leads out of the store");
    assert!(why(&report, "issues/9.json").starts_with("not valid JSON"));
    assert_eq!(why(&report, "memory.log:4"), "nothing behind the date");
}

#[test]
fn a_knowledge_store_with_an_index_arrives() {
    let folder = store(&[
        (
            ".claude/knowledge/index.yaml",
            "version: 1\nentries:\n  - id: KE-decision-20260115-ab12\n    file: decisions/KE-decision-20260115-ab12.yaml\n  - id: KE-lost\n    file: decisions/lost.yaml\n  - id: KE-out\n    file: ../../secret.yaml\ncategories:\n  errors:\n    count: 7\n    count: 5\n    entries:\n      - id: KB-P-001\n        title: Port is taken\n        keywords: [port, start]\n        file: errors/port.md\n        created: 2026-01-03\n        used_count: 4\n",
        ),
        (".claude/knowledge/config.yaml", "decay: {rate: 0.01}\n"),
        (
            ".claude/knowledge/decisions/KE-decision-20260115-ab12.yaml",
            "id: KE-decision-20260115-ab12\ntype: decision\ncreated_at: 2026-01-15T08:00:00Z\ndecay_score: 1.0\ntags: [\"domain:billing\", money]\nsource:\n  type: issue\n  ref: \"#42\"\n  phase: enrich\ncontent:\n  title: Bill monthly\n  decision: We bill on the first.\n  rationale: |\n    Fewer disputes.\n  alternatives:\n    - option: Weekly\n      rejected_because: too much work\n  consequences:\n    positive: [calm]\n  status: superseded\n  review_date: 2026-07-01\nrelationships:\n  related_issues: [\"#42\"]\n  superseded_by: KE-feedback-20260116-cd34\n",
        ),
        (
            ".claude/knowledge/feedback/KE-feedback-20260116-cd34.json",
            "{\"id\": \"KE-feedback-20260116-cd34\", \"type\": \"feedback\", \"content\": {\"finding\": \"Totals are not rounded. Ever.\", \"severity\": \"CRITICAL\", \"category\": \"quality\", \"file_context\": {\"file\": \"src/total.rs\"}}}",
        ),
        (".claude/knowledge/errors/port.md", "Stop the other server.\n"),
        (".claude/knowledge/notes.txt", "x"),
    ]);
    let report = run(folder.path(), StoreKind::ClaudeKnowledge);
    let bill = &from(&report, "decisions/KE-decision-20260115-ab12.yaml").entry;
    assert_eq!((bill.id.as_str(), bill.title.as_str()), ("dec-2026-01-15-bill-monthly", "Bill monthly"));
    assert_eq!(bill.aliases, ["KE-decision-20260115-ab12"]);
    assert_eq!(
        (bill.domain.as_deref(), bill.tags.as_slice()),
        (Some("billing"), ["money".to_owned()].as_slice())
    );
    assert_eq!((bill.status, bill.issues.as_slice()), (Status::Superseded, ["42".to_owned()].as_slice()));
    assert_eq!(bill.sources[0].issue.as_deref(), Some("42"));
    assert_eq!(bill.extra["decay_score"], 1.0);
    assert!(
        bill.body.starts_with("## Decision\n\nWe bill on the first.\n\n## Rationale\n\nFewer disputes.\n"),
        "{}",
        bill.body
    );
    let Detail::Decision(decision) = &bill.detail else { panic!("a decision") };
    assert_eq!(decision.alternatives[0].rejected_because.as_deref(), Some("too much work"));
    let finding = &from(&report, "feedback/KE-feedback-20260116-cd34.json").entry;
    assert_eq!(finding.title, "Totals are not rounded");
    let replaced: Vec<&str> = bill.linked(LinkKind::SupersededBy).collect();
    assert_eq!(replaced, [finding.id.as_str()]);
    let Detail::Feedback(feedback) = &finding.detail else { panic!("a finding") };
    assert_eq!(
        (feedback.severity, feedback.category.as_deref()),
        (Some(Severity::Critical), Some("quality"))
    );
    let port = &from(&report, "errors/port.md").entry;
    assert_eq!((port.kind, port.title.as_str(), port.tags.len()), (Kind::Resolution, "Port is taken", 2));
    assert_eq!(why(&report, "decisions/lost.yaml"), "listed in the index, but there is no such file");
    assert!(why(&report, "../../secret.yaml").ends_with("leads out of the store"));
    assert_eq!(why(&report, "notes.txt"), "neither YAML, JSON nor Markdown");
    assert_eq!(report.entries.len(), 3);
}

#[test]
fn any_okf_bundle_arrives() {
    let folder = store(&[
        ("index.md", "---\nokf_version: \"0.2\"\n---\n# Bundle\n"),
        ("log.md", "# Log\n"),
        (
            "tables/orders.md",
            "---\ntype: BigQuery Table\ntitle: Orders\nresource: https://example.org/orders\ntags: [sales]\ngenerated: {by: exporter/1, at: 2026-01-01T00:00:00Z}\n---\n\nOne row per order.\n",
        ),
        ("runbooks/restart.md", "---\ntype: Runbook\ntitle: Restart\n---\n\nTurn it off.\n"),
        ("broken.md", "---\ntype: `x`\n---\n"),
    ]);
    let report = run(folder.path(), StoreKind::Okf);
    let orders = &from(&report, "tables/orders.md").entry;
    assert_eq!((orders.kind, orders.extra["okf_type"].as_str()), (Kind::Fact, Some("BigQuery Table")));
    assert_eq!(
        (orders.aliases.as_slice(), orders.extra["resource"].as_str()),
        (["tables/orders".to_owned()].as_slice(), Some("https://example.org/orders"))
    );
    assert_eq!(from(&report, "runbooks/restart.md").entry.kind, Kind::Pattern);
    assert_eq!(report.entries.len(), 3);
    assert_eq!(report.left.len(), 2);
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_store_is_read() {
    let outside = store(&[("secret.md", "---\ntype: signal\n---\nsecret\n")]);
    let folder = store(&[("signals/a/2026-01-01-x.md", SIGNAL), ("signals/a/2026-01-02-big.md", "")]);
    let link =
        |target: &Path, name: &str| std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    link(&outside.path().join("secret.md"), "signals/a/out.md");
    link(outside.path(), "signals/folder");
    link(Path::new("/nowhere/at/all"), "signals/a/gone.md");
    link(&folder.path().join("signals/a/2026-01-01-x.md"), "signals/a/in.md");
    fs::create_dir(folder.path().join("signals/a/folder.md")).unwrap();
    let big =
        fs::File::options().write(true).open(folder.path().join("signals/a/2026-01-02-big.md")).unwrap();
    big.set_len(50 << 20).unwrap();
    let report = run(folder.path(), StoreKind::Gsd);
    assert_eq!(why(&report, "signals/a/out.md"), "a symbolic link out of the store");
    assert_eq!(why(&report, "signals/folder"), "a symbolic link out of the store");
    assert_eq!(why(&report, "signals/a/gone.md"), "a symbolic link to nothing");
    assert_eq!(why(&report, "signals/a/2026-01-02-big.md"), "too large (50 MB, at most 8 MB)");
    // The link inside the store brings the same entry twice; the second gets another id.
    assert_eq!(report.entries.len(), 2);
    assert_ne!(report.entries[0].entry.id, report.entries[1].entry.id);
}

#[test]
fn what_is_no_store_is_said_to_be_none() {
    let folder = store(&[("src/main.rs", "fn main() {}")]);
    assert_eq!(detect(folder.path()), None);
    let error = import(folder.path(), &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("looks like no store"));
    assert!(
        import(&folder.path().join("nowhere"), &ImportOptions::default())
            .unwrap_err()
            .to_string()
            .contains("not a folder")
    );
}
