//! How sure an answer is: as sure as what was found speaks of what was asked.

use std::path::Path;

use lore_core::Kind;
use lore_engine::entries::NewEntry;
use lore_engine::export::{FolderForm, FolderOptions};
use lore_engine::grounding::{GroundOptions, Grounding};
use lore_engine::impact::ImpactOptions;
use lore_engine::install::{self, InstallOptions, Whose};
use lore_engine::tracks::Deed;

use crate::stage::Stage;

/// Below this an answer is called low.
const LOW: f64 = 0.4;

/// A small project with code and with decisions that a person wrote down.
fn agency() -> Stage {
    let stage = Stage::with_git();
    stage.repo.write(
        "src/booking.rs",
        "/// A booking can be cancelled without a fee until so many hours before the journey.\n\
         pub const FREE_UNTIL_HOURS: u32 = 24;\n\n\
         /// Cancels a booking and hands the deposit back.\n\
         pub fn cancel_booking(booking: &mut Booking) {}\n",
    );
    stage.repo.write(
        "src/outbox.rs",
        "/// Mails are put into the outbox; a worker sends them every minute.\n\
         pub fn put_into_outbox(mail: Mail) {}\n",
    );
    for (title, text) in [
        ("Bookings are kept in SQLite", "Bookings are kept in SQLite, because one file needs no server."),
        ("Invoices are numbered without gaps", "Invoices are numbered per year and without gaps."),
        (
            "Dates are shown in the traveller's time zone",
            "Dates are shown in the time zone of the traveller.",
        ),
        (
            "Configured values are used as they were sent",
            "What is configured is used as the customer sent it.",
        ),
    ] {
        let new = NewEntry {
            kind: Some(Kind::Decision),
            title: title.to_owned(),
            body: text.to_owned(),
            ..NewEntry::default()
        };
        stage.engine().add(new, false).expect("can be added");
    }
    stage.repo.commit("a small agency");
    stage
}

fn ground(stage: &Stage, question: &str) -> Grounding {
    stage.engine().ground(&GroundOptions::new(question)).expect("can be asked")
}

/// Passages that shared a few common words with the question were given with eight tenths and more.
#[test]
fn nobody_is_sure_of_what_is_known_nowhere() {
    let stage = agency();
    for question in [
        "How does the payment gateway retry failed Stripe webhooks?",
        "Which Kafka topic carries the shipment events?",
        "Where is the GraphQL resolver for user avatars?",
        "Why did we choose Kubernetes operators over Helm charts?",
        "What is the maximum upload size of profile pictures?",
        "Which Redis eviction policy is used for the shopping cart?",
        "How are push notifications sent to iOS devices?",
        "Where do we validate VAT numbers of European customers?",
        "Which OAuth scopes does the calendar integration request?",
        "How is the Bluetooth pairing timeout configured?",
    ] {
        let found = ground(&stage, question);
        assert!(found.confidence < LOW, "{question}: {found:#?}");
    }
}

#[test]
fn what_is_known_is_said_with_confidence() {
    let stage = agency();
    for question in [
        "Until how many hours before the journey can a booking be cancelled without a fee?",
        "Who sends the mails in the outbox?",
        "What does `cancel_booking` do?",
        "What is FREE_UNTIL_HOURS?",
        "Where are mails put into the outbox?",
        "How are invoices numbered?",
        "Are there gaps between the numbers of invoices?",
        "Where are bookings kept?",
        "Why are bookings in SQLite?",
        "In which time zone are dates shown?",
    ] {
        let found = ground(&stage, question);
        assert!(found.confidence >= LOW, "{question}: {found:#?}");
    }
}

/// For five minutes an entry that was replaced or removed was still given as what holds.
#[test]
fn what_was_written_down_since_is_in_the_answer() {
    let stage = agency();
    let question = "Where are bookings kept?";
    let says = |stage: &Stage, word: &str| {
        ground(stage, question).findings.iter().any(|finding| finding.text.contains(word))
    };
    assert!(says(&stage, "one file needs no server"));
    assert!(ground(&stage, question).cached, "nothing changed");
    let told = "We moved the bookings from SQLite to Postgres.";
    stage.engine().remember(told, None, false).expect("can be told");
    assert!(!ground(&stage, question).cached);
    assert!(says(&stage, "Postgres"));
}

/// What was told as an order was filed as a fact, and facts stood against nothing.
#[test]
fn what_a_person_told_stands_against_who_breaks_it() {
    for (rule, kept, broken) in [
        (
            "Never ring the harbour bell faster than every 40 minutes.",
            "Ring the harbour bell every 60 minutes",
            "Ring the harbour bell every 5 minutes",
        ),
        (
            "Raise tools/flag.sh before any launch of the ferry.",
            "Raise tools/flag.sh, then launch the ferry",
            "Launch the ferry without tools/flag.sh",
        ),
        (
            "A refund needs two signed letters.",
            "Print a refund of two signed letters",
            "A refund needs three signed letters",
        ),
        (
            "In src/ferry never print to the ledger.",
            "Print to the ledger in src/tolls",
            "Print to the ledger in src/ferry",
        ),
    ] {
        let stage = agency();
        stage.engine().remember(rule, None, false).expect("can be told");
        let against = |wish: &str| ground(&stage, wish).against;
        assert_eq!(against(kept), [], "{kept} keeps to {rule}");
        assert_eq!(against(broken).len(), 1, "{broken} breaks {rule}");
    }
}

/// Every edit read the tracks of all sessions that ever were, and those that were given up were kept for ever.
#[test]
fn a_session_finds_its_own_track_and_old_ones_go() {
    let mut stage = agency();
    let edited = |stage: &Stage, session: &str| {
        stage.engine().notice_deed(session, &Deed::Edited).expect("can be noticed");
    };
    edited(&stage, "codex/old");
    stage.day += 31;
    edited(&stage, "codex/a");
    edited(&stage, "codex/b");
    edited(&stage, "codex/a");
    let sessions = |stage: &Stage| {
        let tracks = stage.engine().tracks().into_iter().map(|standing| standing.track.session);
        let mut sessions: Vec<String> = tracks.collect();
        sessions.sort();
        sessions
    };
    assert_eq!(sessions(&stage), ["codex/a", "codex/b", "codex/old"], "one track each");
    // What another session's file holds is nobody's business: also a broken one must not stop an edit.
    let tracks = stage.state().join("tracks");
    std::fs::write(tracks.join("broken.json"), "{").expect("can be written");
    edited(&stage, "codex/b");
    stage.engine().make_due_checks();
    assert_eq!(sessions(&stage), ["codex/a", "codex/b"], "what was given up is gone");
    let done = stage.engine();
    let own =
        done.tracks().into_iter().find(|standing| standing.track.session == "codex/a").expect("is open");
    done.finish_track(Some(&own.track.id)).expect("can be finished");
    stage.day += 1;
    edited(&stage, "codex/a");
    assert_eq!(sessions(&stage), ["codex/a", "codex/a", "codex/b"], "after the end another one begins");
}

/// Exported pages stood above the code, and a viewed page told where its own search box is drawn.
#[test]
fn what_we_wrote_into_the_project_is_no_code() {
    let stage = agency();
    // The home of these tests lies in the project.
    stage.repo.write(".gitignore", "home/\n");
    let engine = stage.engine();
    for agent in ["claude-code", "copilot", "cursor", "pi", "opencode"] {
        let options = InstallOptions {
            agent: agent.to_owned(),
            whose: Whose::Project,
            program: "lore".to_owned(),
            dry_run: false,
        };
        install::install(&stage.world(), &options).expect("can be installed");
    }
    for (form, folder) in [(FolderForm::Mdbook, "book"), (FolderForm::Obsidian, "notes")] {
        engine.export_folder(form, Path::new(folder), &FolderOptions::default()).expect("can be exported");
    }
    let page = "<!doctype html>\n<meta name=\"generator\" content=\"lore view\">\n\
                <script>function drawSearchBox() {} // bookings are cancelled here</script>\n";
    engine.write_page(Some(Path::new("docs.html")), page, false).expect("can be written");
    stage.repo.write("docs/own.html", "<p>Bookings are cancelled by phone.</p>\n");
    stage.repo.commit("pages");

    let text = "Bookings and invoices are kept by the agent; ground every decision and cancel_booking";
    let impact = stage.engine().impact(&ImpactOptions::new(text)).expect("can be scanned");
    let mut listed: Vec<&str> = impact.files.iter().map(|file| file.path.as_str()).collect();
    listed.retain(|path| !path.starts_with("src/"));
    listed.retain(|path| !["docs/own.html", ".gitignore", "README.md"].contains(path));
    assert_eq!(listed, Vec::<&str>::new());

    for question in ["Where is drawSearchBox?", "Where are bookings cancelled?", "Which packet is next?"] {
        let found = ground(&stage, question);
        let code = found.findings.iter().filter(|one| one.source.word() == "repo" || one.how == "blame");
        let mut cited: Vec<&str> = code.map(|one| one.at.as_str()).collect();
        cited.retain(|at| !at.starts_with("src/") && !at.starts_with("docs/own.html"));
        assert_eq!(cited, Vec::<&str>::new(), "{question}");
    }

    // What somebody changed is theirs.
    stage.repo.write(".claude/skills/ground/SKILL.md", "Ground every invoice and booking decision.\n");
    let impact = stage.engine().impact(&ImpactOptions::new(text)).expect("can be scanned");
    assert!(impact.files.iter().any(|file| file.path == ".claude/skills/ground/SKILL.md"), "{impact:#?}");
}

/// The rules that we keep current in AGENTS.md were taken for what the repository says, and for another opinion.
#[test]
fn the_rules_we_keep_in_a_file_of_theirs_are_no_evidence() {
    let stage = Stage::with_git();
    stage.repo.write("AGENTS.md", "# Harbour\n\nThe tide table lies in `tides.csv`.\n");
    stage.repo.write(".gitignore", "home/\n");
    let engine = stage.engine();
    for rule in ["Always read tides.csv before a ferry is booked.", "Never write to tides.csv at night."] {
        engine.remember(rule, None, false).expect("can be remembered");
    }
    engine.write_rules(false, false).expect("can be written");
    stage.repo.commit("rules");
    let found = ground(&stage, "Where is tides.csv read?");
    let cited: Vec<&str> = found.findings.iter().map(|one| one.at.as_str()).collect();
    assert!(cited.contains(&"AGENTS.md:3"), "{cited:?}");
    assert!(cited.iter().all(|at| !at.starts_with("AGENTS.md") || *at == "AGENTS.md:3"), "{cited:?}");
}

/// A transcript that was committed beside the code speaks of everything, and was taken for what changes.
#[test]
fn transcripts_in_the_repository_are_no_code() {
    let stage = Stage::with_git();
    stage.repo.write("src/berths.py", "def book_berth(ship):\n    return ship\n");
    let said = "The booking of a berth goes through book_berth, which takes the ship.";
    stage.session_at("docs/talks/s-1.jsonl", "s-1", 1, &[("user", said), ("assistant", said)]);
    let chat = format!("# aider chat started at 2026-02-01 10:00:00\n\n#### {said}\n");
    stage.repo.write("docs/talks/.aider.chat.history.md", chat);
    stage.repo.commit("everything");
    let text = "Let book_berth take the length of the ship.";
    let impact = stage.engine().impact(&ImpactOptions::new(text)).expect("can be scanned");
    let mut listed: Vec<&str> = impact.files.iter().map(|file| file.path.as_str()).collect();
    // The home of these tests lies in the project.
    listed.retain(|path| !path.starts_with("home/") && *path != "README.md");
    assert_eq!(listed, ["src/berths.py"]);
    let found = ground(&stage, "Where is book_berth?");
    let code = found.findings.iter().filter(|one| one.source.word() == "repo" || one.how == "blame");
    let places: Vec<&str> = code.map(|one| one.at.as_str()).collect();
    assert!(places.iter().any(|at| at.starts_with("src/berths.py")), "{places:?}");
    assert!(places.iter().all(|at| !at.starts_with("docs/talks")), "{places:?}");
}
