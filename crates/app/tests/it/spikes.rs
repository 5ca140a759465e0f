//! Spikes, as they are asked, run and decided on the command line.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::desk::Desk;

const QUESTION: &str = "Should we use a heap or a list for the event queue of 2000 events?";
const PLAN: &str = "## Settings\n\n- repetitions: 6\n- place: empty\n\n## Alternative: heap\n\n```sh\necho cost=5\n```\n\n\
                    ## Alternative: list\n\n```sh\necho cost=10\n```\n";
const NAME: &str = "heap-or-list-for-event-queue";

fn designed() -> Desk {
    let desk = Desk::with_base();
    desk.write("plan.md", PLAN);
    insta::assert_snapshot!("spike_asked", desk.lore(&["spike", QUESTION]));
    let design =
        ["spike", "design", NAME, "--criterion", "cost of heap < 0.9 x list", "--experiment", "plan.md"];
    insta::assert_snapshot!("spike_design", desk.lore(&design));
    desk
}

#[test]
fn a_spike_goes_from_question_to_decision() {
    let desk = designed();
    insta::assert_snapshot!("spike_unconfirmed", desk.lore(&["spike", "run", NAME]));
    let shown = desk.lore(&["spike", "run", NAME, "--dry-run", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&shown.out).expect("the report is JSON");
    let hash = value["hash"].as_str().expect("there is a hash").to_owned();
    let agent = [("LORE_AGENT", "robin")];
    let refused = desk.run(&["spike", "run", NAME, "--confirm", &hash], &agent);
    assert_eq!(refused.code, 2, "an agent cannot say yes: {refused}");
    let run = desk.lore(&["spike", "run", NAME, "--confirm", &hash]);
    assert_eq!(run.code, 0, "{run}");
    assert!(run.out.contains("14 runs made"), "{run}");
    insta::assert_snapshot!("spike_decide", desk.lore(&["spike", "decide", NAME]));
    let paper = desk.read(&format!("knowledge/spikes/{NAME}/DECISION.md"));
    assert!(
        paper.contains("Take **heap**")
            && paper.contains("| `cost of heap < 0.9 x list` | ratio 0.500 | held |"),
        "{paper}"
    );
    let known = desk.lore(&["spike", "list or heap for the event queue?"]);
    assert!(
        known.out.starts_with("known: answered by [spk-") && known.out.contains("No spike is made."),
        "{known}"
    );
    insta::assert_snapshot!("spike_list", desk.lore(&["spike", "list"]));
    validate(&desk.project().join("knowledge"));
}

#[test]
fn no_yes_is_asked_for_what_cannot_be_run() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["spike", QUESTION]).code, 0);
    let shown = desk.lore(&["spike", "run", NAME, "--dry-run", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&shown.out).expect("the report is JSON");
    let hash = value["hash"].as_str().expect("there is a hash").to_owned();
    for more in [&[][..], &["--detach"], &["--confirm", &hash]] {
        let run = desk.lore(&[&["spike", "run", NAME][..], more].concat());
        assert!(run.code == 2 && run.err.contains("`heap` has nothing to run"), "{run}");
        assert!(run.err.contains("hint: ") && run.err.contains("lore spike design"), "{run}");
        assert!(run.err.contains("--experiment") && !run.err.contains("line 0"), "{run}");
    }
    desk.write("plan.md", PLAN);
    assert_eq!(desk.lore(&["spike", "design", NAME, "--experiment", "plan.md"]).code, 0);
    let run = desk.lore(&["spike", "run", NAME]);
    assert!(run.code == 2 && run.err.contains("has no criteria"), "{run}");
}

#[test]
fn a_run_in_the_background_can_be_followed() {
    let desk = designed();
    let shown = desk.lore(&["spike", "run", NAME, "--dry-run", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&shown.out).expect("the report is JSON");
    let hash = value["hash"].as_str().expect("there is a hash").to_owned();
    let started = desk.lore(&["spike", "run", NAME, "--confirm", &hash, "--detach"]);
    assert_eq!(started.code, 0, "{started}");
    // Asking is all that can be done about it, so it is asked until it is through.
    let done = (0..2000).any(|_| desk.lore(&["spike", "status", NAME]).out.contains("collected"));
    assert!(done, "{}", desk.lore(&["spike", "status", NAME]));
}

/// Whoever watches a run may be killed with no time to say anything.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_no_process_and_goes_on_where_it_stopped() {
    let desk = Desk::with_base();
    let (flag, pid) = (desk.home().join("go-on"), desk.home().join("pid"));
    let waits = format!(
        "test -e '{}' || {{ echo $$ > '{}'; exec sleep 600; }}\necho cost=10",
        flag.display(),
        pid.display()
    );
    desk.write(
        "plan.md",
        &PLAN.replace("- place: empty", "- place: empty\n- time: 900 s").replace("echo cost=10", &waits),
    );
    assert_eq!(desk.lore(&["spike", QUESTION, "--criterion", "cost of heap < 0.9 x list"]).code, 0);
    assert_eq!(desk.lore(&["spike", "design", NAME, "--experiment", "plan.md"]).code, 0);
    let shown = desk.lore(&["spike", "run", NAME, "--dry-run", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&shown.out).expect("the report is JSON");
    let hash = value["hash"].as_str().expect("there is a hash").to_owned();
    let mut run = desk.command(&["spike", "run", NAME, "--confirm", &hash], &[]);
    let mut run = run
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    let status = || desk.lore(&["spike", "status", NAME]).out;
    let sleeper = (0..5000).find_map(|_| {
        let _ = status();
        std::fs::read_to_string(&pid).ok()?.trim().parse::<u32>().ok()
    });
    let sleeper = sleeper.expect("the experiment has come to where it waits");
    run.kill().expect("it can be killed");
    run.wait().expect("it has ended");
    let is_alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{sleeper}/stat")).unwrap_or_default();
        stat.contains("(sleep)") && !stat.contains(") Z")
    };
    assert!((0..2000).any(|_| !is_alive() || status().is_empty()), "the group is ended with its watcher");
    let told = status();
    assert!(told.contains("running") && told.contains("interrupted"), "{told}");
    std::fs::write(&flag, "").expect("a file can be written");
    let again = desk.lore(&["spike", "run", NAME]);
    assert_eq!(again.code, 0, "{again}");
    assert!(again.out.contains("1 was there already") && again.out.contains("collected"), "{again}");
}

/// The decisions of this project itself, as they lie in its repository.
#[test]
fn the_projects_own_base_is_sound() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge");
    let desk = Desk::new();
    let copied = Command::new("cp").arg("-R").arg(&own).arg(desk.project().join("knowledge")).status();
    assert!(copied.is_ok_and(|status| status.success()));
    // What its entries rest on: the version that the project is built with, and the files that they name.
    desk.write("rust-toolchain.toml", include_str!("../../../../rust-toolchain.toml"));
    let needed = needed_files(&own);
    assert!(needed.len() >= 10, "{needed:?}");
    for path in needed {
        let text = std::fs::read_to_string(own.join("..").join(&path));
        desk.write(&path, &text.unwrap_or_else(|error| panic!("an entry rests on {path}: {error}")));
    }
    let check = desk.lore(&["check"]);
    assert_eq!(check.code, 0, "{check}");
    let list = desk.lore(&["spike", "list", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&list.out).expect("the report is JSON");
    let spikes = value["spikes"].as_array().expect("there are spikes");
    assert!(spikes.len() >= 3 && spikes.iter().all(|one| one["state"] == "concluded"), "{list}");
    let asked = desk.lore(&["spike", "read or mmap for scanning transcripts?", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&asked.out).expect("the report is JSON");
    assert_eq!(value["answered"]["how"], "full", "{asked}");
    let decision = desk.read("knowledge/spikes/mmap-or-read-for-scanning-transcripts/DECISION.md");
    let page = std::fs::read_to_string(own.join("../docs/spikes.md")).expect("the page can be read");
    let shown = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    assert!(
        shown.lines().count() > 2 && decision.contains(shown),
        "docs/spikes.md shows another decision:\n{shown}"
    );
    validate(&own);
}

/// Lists the files that entries say they rest on.
fn needed_files(base: &Path) -> std::collections::BTreeSet<String> {
    let mut found = std::collections::BTreeSet::new();
    let mut folders = vec![base.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the base can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let named = text.lines().filter_map(|line| line.strip_prefix("  - ")?.strip_suffix(" exists"));
            found.extend(named.map(str::to_owned));
        }
    }
    found
}

/// Lets a validator written by others look at a base, where the test run was told its place.
fn validate(base: &Path) {
    let Some(okf) = std::env::var_os("LORE_OKF") else { return };
    let output = Command::new(okf).arg("validate").arg(base).output().expect("the validator can be started");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !said.contains("[error]"), "{said}");
}
