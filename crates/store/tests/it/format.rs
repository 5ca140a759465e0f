//! Reading, writing and changing files.
#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a table of cases reads better this way"
)]

use lore_core::{
    Confidence, Curator, Detail, Entry, EntryId, Kind, LifecycleState, Link, LinkKind, Severity, Source,
    Stamp, Status, Voice,
};
use lore_store::format::{self, read, rewrite, write};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Reads a file at a path, which must give an entry, and returns the codes of what was odd.
fn read_at(path: &str, text: &str) -> (Entry, Vec<String>) {
    let out = read(path, text.as_bytes());
    let codes = out.diagnostics.iter().map(|found| found.code.clone()).collect();
    for found in &out.diagnostics {
        assert!(
            found.place.line.is_some() && found.hint.is_some(),
            "{found:?} says neither where nor what to do"
        );
        assert_eq!(found.place.file, path);
    }
    (out.entry.expect("an entry"), codes)
}

const PATH: &str = "decisions/dec-2026-02-20-use-one-queue.md";

const WHOLE: &str = "\
---
id: dec-2026-02-20-use-one-queue
type: decision
topic: decisions
title: Use one queue
description: \"One queue: simpler to watch\"
tags:
  - queue
  - operations/alerts
created: 2026-02-20
updated: \"2026-02-21T10:00:00Z\"
status: current
confidence: high
alternatives:
  - option: One queue per tenant
    rejected_because: too many to watch
sources:
  - id: s1
    resource: session://claude-code/abc#L12
    voice: person
    session: abc
    lines:
      - 12
    issue: \"7\"
    at: \"2026-02-20T09:00:00Z\"
generated:
  by: lore/0.1.0
  at: \"2026-02-21T10:00:00Z\"
verified:
  - by: human:ada
    at: 2026-02-22
files:
  - src/queue.rs
issues:
  - \"7\"
related:
  - arc-2026-01-01-workers
curated_by: auto
team: platform
---

# Use one queue

Body.
";

#[test]
fn a_canonical_file_reads_and_writes_back() {
    let (entry, codes) = read_at(PATH, WHOLE);
    assert_eq!(codes, Vec::<String>::new());
    assert_eq!(entry.kind, Kind::Decision);
    assert_eq!(entry.description.as_deref(), Some("One queue: simpler to watch"));
    assert_eq!(entry.sources[0].lines, [12]);
    assert_eq!(entry.sources[0].voice, Voice::Person);
    assert_eq!(entry.extra, json!({"team": "platform"}).as_object().unwrap().clone());
    assert_eq!(entry.body, "# Use one queue\n\nBody.\n");
    assert_eq!(read(PATH, WHOLE.as_bytes()).body_line, 42);
    assert_eq!(write(&entry), WHOLE);
}

#[test]
fn damage_is_read_around_and_reported() {
    /// Reads front matter; expects some field of the entry as JSON and the codes.
    fn check(yaml: &str, pick: fn(&Entry) -> Value, expected: Value, codes: &[&str]) {
        let text = format!("---\nid: fac-2026-01-02-x\ntype: fact\ncurated_by: auto\n{yaml}\n---\nBody\n");
        let (entry, found) = read_at("project/fac-2026-01-02-x.md", &text);
        assert_eq!(pick(&entry), expected, "{yaml}");
        assert_eq!(found, codes, "{yaml}");
        assert_eq!(entry.body, "Body\n");
        assert_eq!(rewrite(&text, &entry).as_deref(), Ok(text.as_str()));
    }
    check("title: `queue` is slow", |e| json!(e.title), json!("`queue` is slow"), &["yaml-backtick"]);
    check("title: note: the queue", |e| json!(e.title), json!("note: the queue"), &["yaml-colon"]);
    check("tags:\n\t- a\n\t- b", |e| json!(e.tags), json!(["a", "b"]), &["yaml-tab"]);
    check("title: a\ntitle: b", |e| json!(e.title), json!("b"), &["yaml-duplicate-key"]);
    check("tags: a, b", |e| json!(e.tags), json!(["a", "b"]), &["wrong-type"]);
    check("title: [a, b]", |e| json!(e.title), json!("a, b"), &["wrong-type"]);
    check("description: {a: b}", |e| json!(e.description), json!(null), &["wrong-type"]);
    check("description: 12", |e| json!(e.description), json!("12"), &[]);
    check("domain: 1.10", |e| json!(e.domain), json!("1.10"), &[]);
    check("confidence: 0.85", |e| json!(e.confidence), json!("high"), &["number-for-word"]);
    check("confidence: 0.5", |e| json!(e.confidence), json!("medium"), &["number-for-word"]);
    check("confidence: 0.2", |e| json!(e.confidence), json!("low"), &["number-for-word"]);
    check("confidence: MEDIUM-HIGH", |e| json!(e.confidence), json!("medium"), &[]);
    check("status: remediated", |e| json!(e.status), json!("current"), &["unknown-word"]);
    check("created: yesterday", |e| json!(e.created), json!(null), &["not-a-date"]);
    check("occurrences: many", |e| json!(e.occurrences), json!(null), &["not-a-number"]);
    check("depends_on:\n  - node: 20", |e| json!(e.depends_on), json!(["node: 20"]), &[]);
    check("related: [object Object]", |e| json!(e.links.len()), json!(0), &[]);
    check("verified: {by: human:ada, at: 2026-01-01}", |e| json!(e.verified.len()), json!(1), &[]);
    check("verified: {at: 2026-01-01}", |e| json!(e.verified.len()), json!(0), &["stamp-without-by"]);
    check("sources: https://example.org/x", |e| json!(e.sources[0].voice), json!("web"), &[]);
    check("sources:\n  - title: nowhere", |e| json!(e.sources.len()), json!(0), &["source-without-resource"]);
    check("title: cafÃ©", |e| json!(e.title), json!("café"), &["mojibake"]);
    check("x: &a [1, 2]\ny: *a", |e| e.extra["y"].clone(), json!([1, 2]), &[]);
    check("key with: spaces: x", |e| json!(e.extra.len()), json!(1), &["yaml-colon"]);
}

#[test]
fn gaps_are_filled_from_name_folder_and_heading() {
    let check = |path: &str, text: &str, id: &str, kind: Kind, title: &str, codes: &[&str]| {
        let (entry, found) = read_at(path, text);
        assert_eq!((entry.id.as_str(), entry.kind, entry.title.as_str()), (id, kind, title), "{path}");
        assert_eq!(found, codes, "{path}");
        assert_eq!(entry.curated_by, Curator::Human, "nobody said that it may be rewritten");
        assert_eq!(rewrite(text, &entry).as_deref(), Ok(text));
    };
    let derived = ["no-front-matter", "unknown-type", "id-derived"];
    check(
        "preferences/short answers.md",
        "Keep it short.\n",
        "prf-1970-01-01-short-answers",
        Kind::Preference,
        "Short answers",
        &derived,
    );
    check(
        "decisions/2026-03-04-queue.md",
        "# One queue\n",
        "dec-2026-03-04-queue",
        Kind::Decision,
        "One queue",
        &derived,
    );
    check(
        "x/sig-2026-03-04-slow.md",
        "---\ntags: [a]\n---\n## Context\n",
        "sig-2026-03-04-slow",
        Kind::Signal,
        "Slow",
        &["unknown-type", "id-derived"],
    );
    check(
        "project/n.md",
        "---\nid: KB-7\ntype: fact\ncreated: 2026-01-02\n---\n",
        "fac-2026-01-02-n",
        Kind::Fact,
        "N",
        &["id-derived"],
    );
    check(
        "project/fac-2026-01-02-n.md",
        "---\ntype: whatever\nid: fac-2026-01-02-n\ntitle: N\n",
        "fac-2026-01-02-n",
        Kind::Fact,
        "N",
        &["unknown-type", "front-matter-open"],
    );
}

#[test]
fn what_cannot_be_an_entry_is_refused_with_a_reason() {
    let check = |bytes: &[u8], code: &str, has_entry: bool| {
        let out = read("project/x.md", bytes);
        assert!(out.diagnostics.iter().any(|found| found.code == code), "{:?}", out.diagnostics);
        assert_eq!(out.entry.is_some(), has_entry, "{code}");
    };
    check(b"", "empty-file", false);
    check(b"\xef\xbb\xbf \r\n\n", "empty-file", false);
    check(&[0; 100], "empty-file", false);
    check(&vec![b'a'; 9 * 1024 * 1024], "file-too-large", false);
    check(b"---\ntype: fact\ntitle: caf\xe9\n---\n", "not-utf-8", true);
    let wide: Vec<u8> = "---\ntype: fact\n---\nö".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&[&[0xff, 0xfe], wide.as_slice()].concat(), "not-utf-8", true);
    assert!(format::refuse_size("x.md", 50 << 20).is_some());
}

#[test]
fn bombs_do_not_go_off() {
    let mut bomb = String::from("---\ntype: fact\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    bomb.push_str("---\n");
    let (entry, codes) = read_at("project/fac-2026-01-02-x.md", &bomb);
    assert!(codes.contains(&"yaml-alias-bomb".to_owned()));
    assert!(serde_json::to_string(&entry.extra).unwrap().len() < 100_000);
    for deep in ["[".repeat(100_000), "{a: ".repeat(50_000), "- ".repeat(50_000)] {
        let text = format!("---\ntype: fact\nx: {deep}\n---\nBody\n");
        let (entry, _) = read_at("project/fac-2026-01-02-x.md", &text);
        assert_eq!(entry.kind, Kind::Fact);
        assert_eq!(rewrite(&text, &entry), Ok(text));
    }
}

/// Changes an entry and expects this text; then changes nothing and expects it again.
fn check_change(original: &str, change: impl Fn(&mut Entry), expected: &str) {
    let mut entry = read(PATH, original.as_bytes()).entry.expect("an entry");
    change(&mut entry);
    assert_eq!(rewrite(original, &entry).as_deref(), Ok(expected));
    assert_eq!(rewrite(expected, &entry).as_deref(), Ok(expected));
}

#[test]
fn a_change_touches_its_own_lines_only() {
    let original = "\u{feff}---\r\n# who reads this?\r\ntitle:   'Use one queue'   # short\r\n\r\nid: dec-2026-02-20-use-one-queue\r\ntype: decision\r\ntags: [queue, 'ops']  # two\r\nteam: {name: platform}\r\n# the end\r\n---\r\nBody.\r\n";
    check_change(
        original,
        |entry| entry.title = "Use two queues".into(),
        &original.replace("'Use one queue'", "Use two queues"),
    );
    check_change(
        original,
        |entry| entry.tags.push("a, b".into()),
        &original.replace("[queue, 'ops']", "[queue, ops, \"a, b\"]"),
    );
    check_change(
        original,
        |entry| entry.tags.clear(),
        &original.replace("tags: [queue, 'ops']  # two\r\n", ""),
    );
    check_change(
        original,
        |entry| entry.confidence = Some(Confidence::Low),
        &original.replace("# the end\r\n", "# the end\r\nconfidence: low\r\n"),
    );
    check_change(original, |entry| entry.body.push_str("More.\n"), &format!("{original}More.\r\n"));
    check_change(
        original,
        |entry| {
            entry.extra.insert("team".into(), json!("none"));
        },
        &original.replace("team: {name: platform}", "team: none"),
    );
    check_change(
        original,
        |entry| {
            entry.extra.remove("team");
        },
        &original.replace("team: {name: platform}\r\n", ""),
    );
}

#[test]
fn lists_grow_without_touching_what_their_author_wrote() {
    let original = "---\nid: dec-2026-02-20-use-one-queue\ntype: decision\nsources:\n    # the first meeting\n    - resource: notes/meeting.md   # by hand\n      author: human:ada\n\n    - {resource: x, voice: tool}\n    # none other\nstatus: current\n---\n";
    let added = "    - resource: session://pi/1#L2\n      voice: person\n      session: \"1\"\n      lines:\n        - 2\n";
    let source = Source::session_line("pi", &lore_core::SessionId::new("1"), 2, Voice::Person);
    check_change(
        original,
        |entry| entry.sources.push(source.clone()),
        &original.replace("status:", &format!("{added}status:")),
    );
    check_change(
        original,
        |entry| entry.sources[0].commit = Some("abc".into()),
        &original.replace(
            "    - resource: notes/meeting.md   # by hand\n      author: human:ada\n\n",
            "    - resource: notes/meeting.md\n      voice: person\n      commit: abc\n      author: human:ada\n",
        ),
    );
}

#[test]
fn what_was_derived_is_written_out_before_it_can_change() {
    check_change(
        "---\ntags: [a]\n---\n# Old heading\n",
        |entry| entry.body = "# New heading\n".into(),
        "---\ntags: [a]\nid: dec-2026-02-20-use-one-queue\ntype: decision\ntitle: Old heading\n---\n# New heading\n",
    );
    check_change(
        "---\nid: KB-7\ntype: decision\n---\n# T\n",
        |entry| entry.status = Status::Outdated,
        "---\nid: dec-2026-02-20-use-one-queue\ntype: decision\nstatus: outdated\naliases:\n  - KB-7\n---\n# T\n",
    );
    check_change(
        "# T\n\nText\n",
        |entry| entry.status = Status::Outdated,
        "---\nid: dec-2026-02-20-use-one-queue\ntype: decision\ntopic: decisions\ntitle: T\nstatus: outdated\ncurated_by: human\n---\n\n# T\n\nText\n",
    );
}

#[test]
fn broken_lines_stay_broken_until_they_are_changed() {
    let original =
        "---\nid: dec-2026-02-20-use-one-queue\ntype: decision\nnote: `tick` here\ntitle: a: b\n---\nBody\n";
    check_change(
        original,
        |entry| entry.status = Status::Disputed,
        &original.replace("---\nBody", "status: disputed\n---\nBody"),
    );
    check_change(
        original,
        |entry| entry.title = "c: d".into(),
        &original.replace("title: a: b", "title: \"c: d\""),
    );
}

/// Text as people, models and fuzzers write it; never blank at its ends.
fn any_text() -> impl Strategy<Value = String> {
    let nasty = "[-`:#'\" a-z0-9\\\\\\[\\]{},|>&*!%@?éß—\u{85}\u{2028}\t.\n]{1,18}";
    prop_oneof![
        "[A-Za-z ]{1,20}",
        nasty,
        any::<String>(),
        Just("yes".to_owned()),
        Just("2026-02-20".to_owned())
    ]
    .prop_map(|text| lore_core::text::repair_mojibake(text.trim()).trim().to_owned())
    .prop_filter("not blank", |text| !text.is_empty())
}

fn any_list() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_text(), 0..3)
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let texts = (any_text(), prop::option::of(any_text()), any_list(), any_list(), any_list());
    let rest = (0usize..12, any::<bool>(), any_list(), "[a-zA-Z# `\n]{0,40}", prop::option::of(0u32..9));
    (texts, rest).prop_map(
        |((title, description, tags, depends_on, files), (kind, flag, links, body, count))| {
            let kind = Kind::ALL[kind];
            let id = EntryId::new(kind, jiff::civil::date(2026, 2, 3), &title);
            let mut entry =
                Entry { tags, depends_on, files, description, ..Entry::new(id, kind, title.clone()) };
            entry.created = Some(if flag { "2026-02-03" } else { "2026-02-03T04:05:06.7Z" }.parse().unwrap());
            let kinds = LinkKind::ALL.into_iter().cycle();
            entry.links = kinds.zip(links).map(|(kind, target)| Link::new(kind, target)).collect();
            entry.links.retain(|link| link.target.trim_matches(['[', ']']) != "object Object");
            entry.links.sort_by_key(|link| LinkKind::ALL.iter().position(|kind| *kind == link.kind));
            entry.occurrences = count;
            entry.confidence = flag.then_some(Confidence::Medium);
            entry.verified = vec![Stamp { by: title.clone(), at: entry.created }];
            let mut source = Source::new(title.clone(), Voice::Person);
            source.lines = vec![1, 2];
            source.title = entry.description.clone();
            entry.sources = vec![source];
            if let Detail::Signal(signal) = &mut entry.detail {
                signal.severity = Some(Severity::High);
                signal.lifecycle_state = LifecycleState::Triaged;
                signal.lifecycle_log = entry.depends_on.clone();
            }
            entry.extra.insert("their key".into(), json!({"a": [1, title, {"b": null}], "c": 1.5}));
            entry.body =
                if body.trim().is_empty() { String::new() } else { format!("{}\n", body.trim_start()) };
            entry
        },
    )
}

/// Front matter as a person might have left it: comments, odd indentation, any order.
fn any_front_matter() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        "[a-z]{1,8}",
        "'[a-z:# ]{0,8}'",
        "\"[a-zé:# ]{0,8}\"",
        "`[a-z]{1,4}`",
        "[0-9.]{1,5}",
        "[a-z: ]{0,9}"
    ];
    let list = prop::collection::vec(scalar.clone(), 0..4);
    let block = (list.clone(), 0usize..5).prop_map(|(items, indent)| {
        items.iter().map(|item| format!("\n{}- {item}", " ".repeat(indent))).collect::<String>()
    });
    let flow = list.prop_map(|items| format!(" [{}]", items.join(" , ")));
    let value = prop_oneof![
        scalar.prop_map(|text| format!(" {text}")),
        block,
        flow,
        Just(" |\n   kept\n     text".to_owned()),
        Just("\n  a: 1\n  b: {c: d}".to_owned())
    ];
    let key = prop_oneof![
        prop::sample::select(vec![
            "id",
            "type",
            "title",
            "tags",
            "status",
            "sources",
            "related",
            "created",
            "keywords",
            "verified",
            "content_hash"
        ])
        .prop_map(str::to_owned),
        "[a-zé_]{1,8}",
    ];
    let comment = prop_oneof![
        Just(String::new()),
        Just("  # why".to_owned()),
        Just("\n# above".to_owned()),
        Just("\n\n".to_owned())
    ];
    let line = (key, value, comment).prop_map(|(key, value, comment)| format!("{key}:{value}{comment}\n"));
    (prop::collection::vec(line, 0..8), any::<bool>(), any::<bool>(), "[a-z#\n -]{0,30}").prop_map(
        |(lines, carriage, bom, body)| {
            let text = format!("{}---\n{}---\n{body}", if bom { "\u{feff}" } else { "" }, lines.concat());
            if carriage { text.replace('\n', "\r\n") } else { text }
        },
    )
}

proptest! {
    #[test]
    fn every_entry_reads_back_as_it_was_written(entry in any_entry()) {
        let text = write(&entry);
        let back = read("x.md", text.as_bytes());
        prop_assert_eq!(back.entry.as_ref(), Some(&entry), "{}", text);
        prop_assert_eq!(back.diagnostics, vec![], "{}", text);
        prop_assert_eq!(write(&entry), text);
    }

    #[test]
    fn no_change_means_the_same_bytes(text in any_front_matter()) {
        if let Some(entry) = read(PATH, text.as_bytes()).entry {
            let same = rewrite(&text, &entry);
            prop_assert_eq!(same.as_deref(), Ok(text.as_str()));
        }
    }

    #[test]
    fn no_change_means_the_same_bytes_for_any_text(text in any::<String>(), fenced in any::<bool>()) {
        let text = if fenced { format!("---\n{text}\n---\n") } else { text };
        if let Some(entry) = read(PATH, text.as_bytes()).entry {
            let same = rewrite(&text, &entry);
            prop_assert_eq!(same.as_deref(), Ok(text.as_str()));
        }
    }

    /// Whatever stands in the file: a change comes out, or the file is left alone.
    #[test]
    fn a_change_comes_out_or_is_refused(text in any_front_matter(), title in any_text(), tags in any_list()) {
        let Some(mut entry) = read(PATH, text.as_bytes()).entry else { return Ok(()) };
        entry.title = title;
        entry.tags = tags;
        if let Ok(changed) = rewrite(&text, &entry) {
            let back = read(PATH, changed.as_bytes()).entry.expect("still an entry");
            prop_assert_eq!(&back.title, &entry.title, "{}", changed);
            prop_assert_eq!(&back.tags, &entry.tags, "{}", changed);
            prop_assert_eq!(&back.extra, &entry.extra, "{}", changed);
            prop_assert_eq!(&back.body, &entry.body, "{}", changed);
        }
    }

    #[test]
    fn changing_into_any_entry_keeps_what_is_not_ours(wanted in any_entry()) {
        let original = "---\nid: fac-2026-01-01-x\n# kept\nmine:\n  - 1 # one\ntype: fact\n---\nold\n";
        let changed = rewrite(original, &Entry { extra: json!({"mine": [1]}).as_object().unwrap().clone(), ..wanted.clone() });
        let changed = changed.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(changed.contains("# kept\nmine:\n  - 1 # one\n"), "{}", changed);
        let back = read("x.md", changed.as_bytes()).entry.expect("an entry");
        prop_assert_eq!(back.sources, wanted.sources);
        prop_assert_eq!(back.detail, wanted.detail);
        prop_assert_eq!(back.body, wanted.body);
    }
}

/// People correct the sentence and leave the line above it; lists went on telling what had been wrong.
#[test]
fn a_description_follows_the_statement_that_somebody_corrected() {
    let page = |said: &str, body: &str| {
        format!(
            "---\nid: prf-2026-02-20-ropes\ntype: preference\ntopic: preferences\ntitle: Ropes\ndescription: {said}\n---\n\n# Ropes\n\n{body}\n"
        )
    };
    let described = |said: &str, body: &str| read_at("preferences/ropes.md", &page(said, body)).0.description;
    let before = "We splice ropes with five tucks";
    assert_eq!(described(before, "We splice ropes with five tucks.").as_deref(), Some(before));
    let now = "We splice ropes with seven tucks.";
    assert_eq!(described(before, now).as_deref(), Some(now));
    let own = "How ropes are joined on deck";
    assert_eq!(described(own, now).as_deref(), Some(own), "a description of its own stays");
}
