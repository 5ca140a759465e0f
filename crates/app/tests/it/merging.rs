//! Two people, one repository: real git, and this binary as its merge driver.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use lore_engine::check::Fix;
use lore_engine::curate::CurateOptions;
use lore_engine::entries::Filter;
use lore_engine::install::{InstallOptions, Whose};
use lore_engine::review::{Cause, Ruling};
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};
use tempfile::TempDir;

use crate::desk::Desk;

/// One clone, with its own user and clock.
struct Clone {
    folder: PathBuf,
    user: &'static str,
    now: &'static str,
}

impl Clone {
    fn world(&self) -> World {
        let variables =
            [("HOME", self.folder.join("../home").display().to_string()), ("LORE_USER", self.user.into())];
        World {
            now: self.now.parse().expect("is a time"),
            directory: self.folder.clone(),
            variables: variables.map(|(name, value)| (name.to_owned(), value)).into(),
        }
    }

    fn engine(&self) -> Engine {
        Engine::open(self.world()).expect("the base can be opened")
    }

    fn git(&self, arguments: &[&str]) -> (bool, String) {
        git(&self.folder, arguments)
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all", "knowledge"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    /// Has git merge entries with the binary under test.
    fn wire(&self) {
        let options = InstallOptions {
            agent: "git".to_owned(),
            whose: Whose::Project,
            program: env!("CARGO_BIN_EXE_lore").to_owned(),
            dry_run: false,
        };
        lore_engine::install::install(self.engine().world(), &options).expect("the driver can be registered");
    }

    /// Curates these sessions and no others.
    fn curate(&self, sessions: &[usize]) {
        let inbox = self.folder.join("sessions");
        let _ = std::fs::remove_dir_all(&inbox);
        std::fs::create_dir_all(&inbox).expect("a folder can be made");
        for number in sessions {
            std::fs::write(inbox.join(format!("s-{number}.jsonl")), session(*number))
                .expect("can be written");
        }
        let filter = SessionFilter { path: Some(PathBuf::from("sessions")), ..SessionFilter::default() };
        let options = CurateOptions { filter, ..CurateOptions::default() };
        let report = self.engine().curate(&options, &|_, _| {}).expect("curation works");
        assert_eq!(report.problems, Vec::<String>::new());
        self.commit("curated");
    }

    /// Edits the words of an entry in its file, as an editor would.
    fn edit(&self, path: &str, from: &str, to: &str) {
        let full = self.folder.join("knowledge").join(path);
        let text = std::fs::read_to_string(&full).expect("the file is there");
        let at = text.find("\n---\n").expect("front matter ends") + 5;
        let body = text[at..].replacen(from, to, 1);
        std::fs::write(full, format!("{}{body}", &text[..at])).expect("can be written");
    }

    /// Merges, mends what git left, and commits; returns what git said.
    fn merge(&self, other: &str) -> String {
        let (_, said) = self.git(&["merge", "--quiet", "--no-edit", other]);
        let report = self.engine().check(Fix::Safe).expect("the base can be checked");
        assert!(report.is_clean(), "after {said}: {:#?}", report.diagnostics);
        let (_, left) = self.git(&["ls-files", "--unmerged"]);
        assert_eq!(left, "", "everything is decided");
        self.commit("merged");
        said
    }

    fn knowledge(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let root = self.folder.join("knowledge");
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for item in std::fs::read_dir(folder).expect("can be listed").flatten() {
                if item.path().is_dir() {
                    folders.push(item.path());
                } else {
                    let name = item.path().strip_prefix(&root).expect("is inside").display().to_string();
                    files.insert(name, std::fs::read_to_string(item.path()).expect("is text"));
                }
            }
        }
        files
    }

    fn entries(&self) -> Vec<lore_engine::entries::Item> {
        self.engine().list(&Filter::default()).expect("can be listed")
    }
}

fn git(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=T", "-c", "user.email=t@example.org"]).args(arguments);
    command.env("HOME", folder.join("../home")).env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C");
    let output = command.output().expect("git can be run");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// What people rule on: a sentence with a place for the value, and the values it takes in turn.
const RULINGS: [(&str, [&str; 3]); 20] = [
    (
        "Never use floating point for money. All amounts are {}, everywhere in the code.",
        ["integer cents", "decimal strings", "rational numbers"],
    ),
    (
        "Use {} for sending confirmation mails, not Redis.",
        ["the PostgreSQL queue table", "a cron job", "the nightly worker"],
    ),
    (
        "From now on always write log lines as {}. That is a rule for the whole project.",
        ["JSON objects", "plain text", "key-value pairs"],
    ),
    ("The build server must run the linter {} before every release.", ["twice", "once", "in strict mode"]),
    (
        "We decided to keep uploaded images in {} because the disk filled up.",
        ["an S3 bucket", "the media folder", "a CDN"],
    ),
    (
        "Always name database migrations after {}, never after the ticket.",
        ["the table", "the release", "the date"],
    ),
    (
        "Session tokens expire after {}. Do not change that without asking me.",
        ["15 minutes", "two hours", "one day"],
    ),
    (
        "Feature flags live in {}; we do not want another service for them.",
        ["a TOML file", "environment variables", "the admin page"],
    ),
    (
        "The search index is rebuilt {}, never during the day.",
        ["every night", "on Sundays", "after each import"],
    ),
    (
        "Release notes are written by {}, not by the bot.",
        ["the author of the change", "the release manager", "the support team"],
    ),
    (
        "Use {} for the public API and keep the old one for a year.",
        ["version 2 of the REST schema", "GraphQL", "gRPC"],
    ),
    (
        "Keyboard shortcuts are defined in {} so that translators can find them.",
        ["shortcuts.yml", "the menu file", "the help page"],
    ),
    (
        "Customer exports must be encrypted with {} before they leave the server.",
        ["age", "GPG", "a zip password"],
    ),
    ("The mobile app supports {} and nothing older.", ["Android 12", "Android 10", "iOS 16"]),
    (
        "Tests that need the network go to {}, the rest must work offline.",
        ["the integration folder", "a nightly job", "the staging cluster"],
    ),
    (
        "Currency rates are fetched from {} once a day.",
        ["the central bank", "a paid provider", "the partner feed"],
    ),
    (
        "Error pages are rendered by {}, never by the framework default.",
        ["the edge cache", "a static site", "the frontend"],
    ),
    (
        "We pin the compiler to {} until the audit is over.",
        ["version 1.80", "version 1.91", "the nightly of March"],
    ),
    (
        "Invoices are numbered by {} and never reused.",
        ["year and counter", "customer and counter", "a random id"],
    ),
    ("Backups are kept for {} in another region.", ["30 days", "90 days", "one year"]),
];

/// One session of the month: somebody rules on something, sometimes otherwise than before.
fn session(number: usize) -> String {
    let (sentence, values) = RULINGS[number % RULINGS.len()];
    let value = values[number / RULINGS.len() % values.len()];
    let ruling = sentence.replace("{}", value);
    let answer = format!("Done: I changed the code so that it is {value} now, and the tests pass.");
    let turns = [("user", ruling), ("assistant", answer)];
    let mut text = String::new();
    for (line, (role, words)) in turns.iter().enumerate() {
        let at = format!("2026-02-{:02}T{:02}:{:02}:00Z", number % 27 + 1, number / 27 + 8, line);
        let content = match *role {
            "user" => serde_json::json!({"role": "user", "content": words}),
            _ => serde_json::json!({"role": "assistant", "id": format!("m-{number}"), "model": "m",
                "content": [{"type": "text", "text": words}]}),
        };
        let record = serde_json::json!({
            "parentUuid": line.checked_sub(1).map(|before| format!("{number}-{before}")),
            "uuid": format!("{number}-{line}"), "sessionId": format!("session-{number}"), "isSidechain": false,
            "cwd": "/srv/project", "version": "2.0.0", "timestamp": at, "type": role, "message": content,
        });
        text.push_str(&format!("{record}\n"));
    }
    text
}

/// A repository with an empty base and two clones of it, both with the merge driver.
fn two_clones() -> (TempDir, Clone, Clone) {
    let temp = TempDir::new().expect("a temporary folder can be made");
    std::fs::create_dir_all(temp.path().join("home")).expect("can be made");
    let origin = Clone { folder: temp.path().join("origin"), user: "ada", now: "2026-02-01T08:00:00Z" };
    std::fs::create_dir_all(&origin.folder).expect("can be made");
    origin.git(&["init", "--quiet", "-b", "main"]);
    std::fs::write(origin.folder.join(".gitignore"), "/.lore/\n/sessions/\n").expect("can be written");
    origin.git(&["add", ".gitignore"]);
    Engine::init(&origin.world(), &InitOptions::default()).expect("a base can be made");
    origin.commit("start");
    let clone = |name: &str, user, now| {
        git(temp.path(), &["clone", "--quiet", "origin", name]);
        let clone = Clone { folder: temp.path().join(name), user, now };
        clone.wire();
        clone
    };
    let (a, b) = (clone("a", "ana", "2026-03-01T09:00:00Z"), clone("b", "bo", "2026-03-04T17:30:00Z"));
    for (one, other) in [(&a, "b"), (&b, "a")] {
        one.git(&["remote", "add", "other", &format!("../{other}")]);
    }
    (temp, a, b)
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % below.max(1)
    }

    fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            all.swap(at, self.roll(at + 1));
        }
        all
    }
}

/// Each clone curates the sessions in its own order and portions and changes some entries by hand; then
/// each merges the other.
fn history(seed: u64, sessions: usize, touched: usize) {
    let (_temp, a, b) = two_clones();
    let mut dice = Dice(seed);
    let mut rejected = Vec::new();
    for clone in [&a, &b] {
        let order = dice.shuffled(sessions);
        let portion = sessions / (2 + dice.roll(3)) + 1;
        order.chunks(portion).for_each(|part| clone.curate(part));
        let mut entries = clone.entries();
        entries.sort_by(|x, y| x.id.cmp(&y.id));
        let pick =
            |dice: &mut Dice, entries: &[lore_engine::entries::Item]| -> Vec<lore_engine::entries::Item> {
                (0..touched.min(entries.len())).map(|_| entries[dice.roll(entries.len())].clone()).collect()
            };
        let confirmed: Vec<String> =
            pick(&mut dice, &entries).iter().map(|item| item.id.to_string()).collect();
        clone.engine().verify(&confirmed, false).expect("can be confirmed");
        for item in pick(&mut dice, &entries) {
            clone.edit(
                &item.path,
                "\n\n[^s1]:",
                &format!("\n\nAs {} saw it in `{}`.\n\n[^s1]:", clone.user, item.id),
            );
        }
        let mut out: Vec<String> = pick(&mut dice, &entries).iter().map(|item| item.id.to_string()).collect();
        out.sort();
        out.dedup();
        let why = Ruling::Reject { why: "not worth it".to_owned() };
        clone.engine().review_all(&out, &why, false).expect("can be rejected");
        rejected.push(out);
        clone.commit("a month of work");
    }
    for clone in [&a, &b] {
        clone.git(&["fetch", "--quiet", "other"]);
    }
    let before = [a.entries(), b.entries()];
    let texts = [a.knowledge(), b.knowledge()];
    a.merge("other/main");
    b.merge("other/main");
    let (one, other) = (a.knowledge(), b.knowledge());
    for path in one.keys().chain(other.keys()) {
        assert_eq!(one.get(path), other.get(path), "seed {seed}: {path} depends on who merges");
    }
    assert!(one.values().all(|text| !text.contains("<<<<<<< ")), "seed {seed}: no markers");
    let now: Vec<String> = a.entries().iter().map(|item| item.id.to_string()).collect();
    let stones = &one[".lore/tombstones"];
    for item in before.iter().flatten() {
        let id = item.id.as_str();
        assert!(now.iter().any(|known| known == id) || stones.contains(id), "seed {seed}: {id} is lost");
    }
    let contested: Vec<String> = {
        let pending = a.engine().to_review(&Filter::default()).expect("can be listed");
        pending.iter().filter(|one| one.cause == Cause::Rejected).map(|one| one.item.id.to_string()).collect()
    };
    for id in rejected.iter().flatten().filter(|id| now.contains(id)) {
        assert!(contested.contains(id), "seed {seed}: {id} returned");
    }
    // Every source that either side cites is cited still, unless its entry was rejected.
    let all: String = one.values().map(String::as_str).collect();
    for (path, text) in texts.iter().flatten().filter(|(path, _)| path.ends_with(".md")) {
        let id = text.lines().find_map(|line| line.strip_prefix("id: ")).unwrap_or_default();
        if id.is_empty() || stones.contains(id) {
            continue;
        }
        for line in text.lines().filter_map(|line| line.trim().strip_prefix("resource: ")) {
            assert!(all.contains(line), "seed {seed}: {path} lost {line}");
        }
    }
}

#[test]
fn two_people_one_repository_a_month_of_work() {
    history(1, 100, 10);
}

#[test]
fn whoever_merges_gets_the_same_tree() {
    // Most of the time goes to starting git; two at a time keep both ends busy.
    std::thread::scope(|scope| {
        let half =
            |from: u64| scope.spawn(move || (from..14).step_by(2).for_each(|seed| history(seed, 8, 2)));
        [half(2), half(3)].into_iter().for_each(|half| half.join().expect("every history agrees"));
    });
}

#[test]
fn the_same_sessions_give_the_same_bytes_everywhere() {
    // `generated.at`, `last_auto_curated`, the log and the runs told when and where curation ran.
    let places =
        [("one", "ana", "2026-03-01T09:00:00Z"), ("a much longer name/two", "bo", "2027-11-30T23:59:59Z")];
    let trees: Vec<BTreeMap<String, String>> = places
        .into_iter()
        .map(|(name, user, now)| {
            let temp = TempDir::new().expect("a temporary folder can be made");
            let clone = Clone { folder: temp.path().join(name), user, now };
            std::fs::create_dir_all(&clone.folder).expect("can be made");
            clone.git(&["init", "--quiet", "-b", "main"]);
            Engine::init(&clone.world(), &InitOptions::default()).expect("a base can be made");
            for portion in [0..15, 15..40] {
                clone.curate(&portion.collect::<Vec<_>>());
            }
            clone.knowledge()
        })
        .collect();
    assert!(trees[0].len() > 20, "something was curated: {:?}", trees[0].keys());
    for path in trees[0].keys().chain(trees[1].keys()) {
        assert_eq!(trees[0].get(path), trees[1].get(path), "{path}");
    }
}

fn written(clone: &Clone, title: &str, body: &str) -> String {
    let new = lore_engine::entries::NewEntry {
        title: title.to_owned(),
        body: body.to_owned(),
        ..lore_engine::entries::NewEntry::default()
    };
    let id = clone.engine().add(new, false).expect("can be written").id.to_string();
    clone.commit("written");
    id
}

#[test]
fn values_that_met_in_a_merge_are_compared() {
    // Two branches said different things, merged clean, and both stood as current for ever.
    let (_temp, a, b) = two_clones();
    let one = written(&a, "Colours", "Colour output is enabled by default.");
    let two = written(&b, "Plain output", "Colour output is disabled by default.");
    for clone in [&a, &b] {
        clone.git(&["fetch", "--quiet", "other"]);
    }
    a.merge("other/main");
    b.merge("other/main");
    assert_eq!(a.knowledge(), b.knowledge());
    for id in [&one, &two] {
        let entry = a.engine().show(id).expect("is there").entry;
        assert_eq!(entry.status.word(), "disputed", "{id}");
    }
    let ruling = Ruling::Supersede { by: two.clone() };
    a.engine().review(&one, ruling, false).expect("can be decided");
    assert_eq!(a.engine().show(&two).expect("is there").entry.status.word(), "current");
    assert!(a.engine().check(Fix::No).expect("can be checked").is_clean());
}

#[test]
fn an_edit_stands_against_a_rejection_and_a_review_decides() {
    let (_temp, a, b) = two_clones();
    a.curate(&[0, 1, 2]);
    b.git(&["pull", "--quiet", "other", "main"]);
    let item = a.entries().remove(0);
    let id = item.id.to_string();
    a.engine().review(&id, Ruling::Reject { why: "wrong".to_owned() }, false).expect("can be rejected");
    a.commit("rejected");
    b.edit(&item.path, "\n\n[^s1]:", "\n\nThis one matters.\n\n[^s1]:");
    b.commit("edited");
    a.git(&["fetch", "--quiet", "other"]);
    b.git(&["fetch", "--quiet", "other"]);
    let said = a.merge("other/main");
    assert!(said.contains("CONFLICT (modify/delete)"), "{said}");
    b.merge("other/main");
    assert_eq!(a.knowledge(), b.knowledge());
    let pending = a.engine().to_review(&Filter::default()).expect("can be listed");
    let found = pending.iter().find(|one| one.item.id == item.id).expect("it is listed");
    assert_eq!(found.cause, Cause::Rejected);
    assert!(found.rejected.as_deref().is_some_and(|why| why.contains("wrong")), "{found:?}");
    let rejected = || {
        let pending = a.engine().to_review(&Filter::default()).expect("can be listed");
        pending.iter().filter(|one| one.cause == Cause::Rejected).count()
    };
    a.engine().review(&id, Ruling::Keep, false).expect("can be kept");
    assert_eq!(rejected(), 0);
    a.engine().undo(None, false).expect("can be taken back");
    assert_eq!(rejected(), 1, "it waits again");
    assert_eq!(a.knowledge(), b.knowledge());
}

#[test]
fn several_rejections_are_one_transaction() {
    let (_temp, a, _b) = two_clones();
    let one = written(&a, "First", "The first thing.");
    let names = [one.clone(), "there-is-no-such-entry".to_owned()];
    let ruling = Ruling::Reject { why: "x".to_owned() };
    assert!(a.engine().review_all(&names, &ruling, false).is_err());
    assert!(a.engine().show(&one).is_ok(), "all of it or nothing");
}

/// Every write asked git what is undecided, for which git reads its whole index.
#[cfg(unix)]
#[test]
fn git_is_asked_what_is_undecided_only_after_its_index_changed() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::with_base();
    desk.git(&["config", "user.name", "ada"]);
    desk.git(&["config", "user.email", "ada@host.example"]);
    let (tools, log) = (desk.home().join("tools"), desk.home().join("asked"));
    std::fs::create_dir_all(&tools).expect("can be made");
    let real = std::env::var("PATH").expect("there is a path");
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\nPATH='{real}' exec git \"$@\"\n", log.display());
    std::fs::write(tools.join("git"), script).expect("can be written");
    std::fs::set_permissions(tools.join("git"), std::fs::Permissions::from_mode(0o755)).expect("can be set");
    let path = format!("{}:{real}", tools.display());
    let asked = |title: &str| {
        let _ = std::fs::remove_file(&log);
        let run = desk.run(&["new", title, "--body", "It is so."], &[("PATH", &path)]);
        let log = std::fs::read_to_string(&log).unwrap_or_default();
        (run.code, log.matches("--unmerged").count())
    };
    assert_eq!(asked("One thing"), (0, 1));
    assert_eq!(asked("Another thing"), (0, 0));
    desk.git(&["add", "--all"]);
    desk.git(&["commit", "--quiet", "-m", "two things"]);
    assert_eq!(asked("A third thing"), (0, 1), "the index is another one");
    // A stash that does not fit leaves nothing in git's folder but the index.
    let file = "knowledge/project/one-thing.md";
    let text = desk.read(file);
    desk.write(file, &text.replace("It is so.", "It is otherwise."));
    desk.git(&["stash", "--quiet"]);
    desk.write(file, &text.replace("It is so.", "It is not so."));
    desk.git(&["commit", "--quiet", "--all", "-m", "changed"]);
    let fits = git(&desk.project(), &["-c", "merge.lorekeep.driver=false", "stash", "pop", "--quiet"]).0;
    assert!(!fits && git(&desk.project(), &["ls-files", "--unmerged"]).1.contains("one-thing"));
    assert_eq!(asked("A fourth thing"), (2, 1), "nothing is written until it is decided");
    assert_eq!(asked("A fourth thing"), (2, 1), "and it is asked again");
}

#[test]
fn nothing_is_written_into_a_merge_that_waits() {
    let (_temp, a, b) = two_clones();
    let first = written(&a, "Same words", "One body.");
    a.git(&["config", "--local", "--remove-section", "merge.lorekeep"]);
    let id = written(&b, "Same words", "Another body.");
    a.git(&["fetch", "--quiet", "other"]);
    a.git(&["merge", "--quiet", "other/main"]);
    let report = a.engine().check(Fix::No).expect("can be checked");
    let codes: Vec<&str> = report.diagnostics.iter().map(|found| found.code.as_str()).collect();
    assert!(
        codes.iter().all(|code| *code == "merge-conflict") && !codes.is_empty(),
        "{:#?}",
        report.diagnostics
    );
    let refused = a.engine().verify(std::slice::from_ref(&id), false).expect_err("a merge waits");
    assert!(refused.to_string().contains("not finished"), "{refused}");
    let report = a.engine().check(Fix::Safe).expect("can be mended");
    assert!(report.is_clean(), "{:#?}", report.diagnostics);
    let text = |id: &str| a.engine().show(id).expect("is there").text;
    assert!(text(&first).contains("One body.") && text(&id).contains("Another body."));
}

#[test]
fn the_driver_is_registered_with_a_word_and_taken_back_without_a_trace() {
    let registered =
        |desk: &Desk| git(&desk.project(), &["config", "--local", "--get", "merge.lorekeep.driver"]);
    let desk = Desk::new();
    let run = desk.lore(&["init", "--no-merge-driver"]);
    assert!(!run.out.contains("by meaning") && !registered(&desk).0, "{run}");
    let run = desk.lore(&["install", "git", "--dry-run"]);
    assert!(run.out.contains("merge-driver %O %A %B %P") && !registered(&desk).0, "{run}");
    let told = format!("{}{}", run.out, run.err);
    assert!(told.contains("would be changed") && told.contains("git would merge"), "{run}");
    assert!(!told.contains("git now merges"), "{run}");
    let run = desk.lore(&["install", "git"]);
    assert!(run.code == 0 && registered(&desk).1.contains("merge-driver %O %A %B %P"), "{run}");
    let run = desk.lore(&["uninstall", "git", "--dry-run"]);
    let told = format!("{}{}", run.out, run.err);
    assert!(
        told.contains("would be changed") && told.contains("git would merge") && registered(&desk).0,
        "{run}"
    );
    assert_eq!(desk.lore(&["uninstall", "git"]).code, 0);
    let (_, settings) = git(&desk.project(), &["config", "--local", "--list"]);
    assert!(!settings.contains("lorekeep"), "{settings}");

    let desk = Desk::new();
    let run = desk.lore(&["init"]);
    assert!(run.out.contains("git will merge entries by meaning") && registered(&desk).0, "{run}");
}
