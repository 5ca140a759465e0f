//! The stops of the tour, in their order.

use lore_core::{Kind, Status};
use lore_engine::entries::Filter;
use lore_engine::{demo, hook};

use super::{Tour, agent};
use crate::error::Failure;
use crate::ui::{Tone, counted, paint};

/// The error that stopped four sessions.
const ERROR: &str = "error: relation \"bookings\" does not exist";
/// The question that nobody could answer without measuring.
const QUESTION: &str = "Should we use JSON or CSV for the day list of the pier display?";

/// Goes from one to the next.
pub(super) fn all(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.say(
        "Kayak is a small booking service. Marta works on it with Claude Code, João with Codex. Eleven\n\
         sessions lie behind them, six weeks in all, and nobody took notes.",
    );
    curated(tour)?;
    rules(tour)?;
    reversal(tour)?;
    dispute(tour)?;
    edited(tour)?;
    lesson(tour)?;
    spike(tour)?;
    gate(tour)?;
    told(tour)?;
    asked(tour)?;
    secret(tour)?;
    at_home(tour);
    Ok(())
}

fn curated(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "Past sessions become pages",
        "No model is asked. What people laid down is kept in their words, and each page names the line.",
    );
    tour.lore(&["curate", "--sessions", "sessions"])
}

fn rules(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "Rules that were said once, in passing",
        "Every session is told them when it begins, so nobody has to say them again.",
    );
    tour.lore(&["list", "--rules"])
}

fn reversal(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "What holds now, and what it replaced",
        "In March it was SQLite. That stays on the page, with the day and the reason; agents are told what holds.",
    );
    let engine = tour.engine()?;
    let decisions = engine.list(&Filter { kinds: vec![Kind::Decision], ..Filter::default() })?;
    for item in decisions {
        if engine.show(item.id.as_str())?.entry.body.contains("## History") {
            tour.lore(&["show", item.id.handle().as_str()])?;
        }
    }
    Ok(())
}

fn dispute(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "Two people differ",
        "João said 24 hours, Marta said 48, on the same afternoon. Nothing is guessed: both stand until a person\n\
         says which holds.",
    );
    let disputed = tour.engine()?.list(&Filter { status: Some(Status::Disputed), ..Filter::default() })?;
    for item in &disputed {
        let handle = item.id.handle();
        tour.lore(&["show", handle.as_str()])?;
        tour.lore(&["review", "settle", handle.as_str(), "--side", "2"])?;
    }
    Ok(())
}

fn edited(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "An agent edits, and every word is checked",
        "What people did not lay down waits for an editor: your own agent, or a model. It gets numbered lines and\n\
         hands in edits that cite them. Here it keeps a limitation and how the parts fit; its third edit says\n\
         what no line says.",
    );
    let packet = std::cell::RefCell::new(String::new());
    tour.lore_in(&tour.agents_world(), &["packet", "--sessions", "sessions"], &|text| {
        let shown = agent::glimpse(&text, "older than 180 days");
        packet.replace(text);
        shown
    })?;
    let text = packet.into_inner();
    let name = text.split_whitespace().find(|word| word.starts_with("p-") && word.len() > 6);
    let name = name.unwrap_or_default().trim_end_matches([',', '.', ';']);
    demo::write(&tour.folder, "answer.json", &agent::answer(name, &text))?;
    tour.lore_as_agent(&["edits", "answer.json", "--now"])
}

fn lesson(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "Friction becomes a lesson",
        "Four sessions ran into the same wall, and people got short with their agents. What failed is the\n\
         project's; who was annoyed stays on their machine.",
    );
    tour.lore(&["sense", "--sessions", "sessions"])?;
    tour.lore(&["reflect"])?;
    tour.lore(&[
        "surface",
        "--role",
        "debugger",
        "--task",
        "run the tests",
        "--error",
        ERROR,
        "--budget",
        "80",
    ])
}

fn spike(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "An open question becomes an experiment, once",
        "“Is the day list smaller as JSON or as CSV?” Nobody knew. A spike measures it apart from your tree, after\n\
         your yes to exactly this experiment; whoever asks again gets the answer.",
    );
    tour.lore(&["spike", QUESTION])?;
    let engine = tour.engine()?;
    let Some(spike) = engine.spikes(None)?.into_iter().next() else { return Ok(()) };
    let name = spike.id.handle();
    let name = name.as_str();
    tour.lore(&[
        "spike",
        "design",
        name,
        "--criterion",
        "size_bytes of CSV < 0.6 x JSON",
        "--experiment",
        "plan.md",
    ])?;
    let hash = engine.experiment(name)?.hash;
    tour.lore(&["spike", "run", name, "--confirm", &hash])?;
    tour.lore(&["spike", "decide", name])?;
    tour.lore(&["spike", QUESTION])
}

fn gate(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "A gate that blocks, and what lifts it",
        "Where you want it, no change passes unchecked. The agent is about to edit a file; its hook is refused\n\
         until the change was held against the code and what is known.",
    );
    tour.lore(&["config", "set", "ground.enforce", "as-table", "--whose", "user"])?;
    tour.lore(&["config", "set", "ground.mode", "FULL", "--whose", "user"])?;
    let hook = |event: &str, fields: serde_json::Value| {
        let mut message = serde_json::json!({ "session_id": "5c2e", "cwd": tour.folder });
        if let (Some(message), Some(fields)) = (message.as_object_mut(), fields.as_object()) {
            message.extend(fields.clone());
        }
        hook::answer(tour.agents_world(), "claude-code", event, message.to_string().as_bytes()).output
    };
    let wish = "Change FREE_UNTIL_HOURS to what was settled for cancellations";
    hook("user-prompt-submit", serde_json::json!({ "prompt": wish }));
    let edit = || {
        let input = serde_json::json!({ "file_path": tour.folder.join("src/cancel.rs"),
            "old_string": "24", "new_string": "48" });
        let reply = hook("pre-tool-use", serde_json::json!({ "tool_name": "Edit", "tool_input": input }));
        let reply: serde_json::Value =
            reply.and_then(|reply| serde_json::from_str(&reply).ok()).unwrap_or_default();
        let refused = reply["hookSpecificOutput"]["permissionDecisionReason"].as_str().map(str::to_owned);
        let said = match &refused {
            Some(reason) => format!("{} {reason}", paint(Tone::Bad, "refused:")),
            None => paint(Tone::Good, "allowed"),
        };
        tour.typed("claude: edits src/cancel.rs", said, true);
    };
    edit();
    tour.lore_as_agent(&["ground", "--track"])?;
    edit();
    Ok(())
}

fn told(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "What the next agent is told",
        "With its first prompt an agent gets what bears on it, with ids it can open; where nothing is known it\n\
         gets nothing.",
    );
    tour.lore(&["context", "--prompt", "Why did we leave SQLite?"])?;
    tour.lore(&["context", "--only-prompt", "--prompt", "fix the failing test"])
}

fn asked(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop("A question", "One to three lines with their source; where nobody said anything, it says so.");
    tour.lore(&["ask", "When is a cancellation free?"])?;
    tour.lore(&["ask", "Which colour are the paddles?"])
}

fn secret(tour: &Tour<'_>) -> Result<(), Failure> {
    tour.stop(
        "The key somebody pasted",
        "It stood in a prompt of March. Secrets are taken out before anything is written.",
    );
    let key = demo::secret();
    let found =
        files_with(&tour.folder.join("knowledge"), &key) + files_with(&tour.folder.join(".lore"), &key);
    let said = if found == 0 { "nothing found".to_owned() } else { counted(found, "file", "files") };
    tour.typed("grep -r sk_test knowledge .lore", said, found == 0);
    Ok(())
}

/// Counts the files below a folder that hold a text.
fn files_with(folder: &std::path::Path, text: &str) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let count = |path: std::path::PathBuf| match path.is_dir() {
        true => files_with(&path, text),
        false => {
            std::fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)).into()
        }
    };
    entries.map(|entry| count(entry.path())).sum()
}

fn at_home(tour: &Tour<'_>) {
    tour.stop(
        "Now in your own repository",
        "Nothing leaves your machine, and `lore undo` takes each step back.",
    );
    for (command, what) in [
        ("lore init", "makes knowledge/ and says which past sessions it found"),
        ("lore curate", "turns them into pages; --dry-run shows them first"),
        ("lore review", "keep, correct or remove each with one key"),
        ("lore install --all", "your agents are told what is known"),
    ] {
        tour.say(format!("  {}  {what}", paint(Tone::Name, format!("{command:<20}"))));
    }
}
