//! The front door: the pages a stranger reads first show what the program does.
//!
//! `UPDATE_DOCS=1 cargo test -p lorekeep front` writes them anew; read the difference.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use lore_testutils::picture::picture;
use serde_json::json;

use crate::desk::{Desk, Run};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a page with what it has to be, or writes it where that was asked for.
fn is_current(name: &str, wanted: &str) {
    let path = top().join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().expect("a page has a folder")).expect("a folder can be made");
        fs::write(&path, wanted).expect("a page can be written");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(
        found == wanted,
        "{name} is not current, first at {differs:#?}; `UPDATE_DOCS=1 cargo test -p lorekeep front` writes it anew"
    );
}

/// Leaves three sessions of Claude Code in the home folder, as the agent would.
fn with_a_past(desk: &Desk) {
    let folder = desk.past();
    let sessions: [(&str, &str, &[&str]); 3] = [
        (
            "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
            "2026-01-12",
            &[
                "Where do prices come from?",
                "From `prices.csv`, read at start.",
                "We decided to keep prices in cents, because rounding went wrong twice.",
                "Understood.",
            ],
        ),
        (
            "6fa459ea-ee8a-3ca4-894e-db77e160355e",
            "2026-02-03",
            &[
                "Add a retry to the payment call.",
                "Added: three tries, one second apart.",
                "Never log card numbers, not even in debug builds.",
                "I removed the log line.",
            ],
        ),
        (
            "886313e1-3b8a-5372-9b90-0c9aee199e5d",
            "2026-02-17",
            &[
                "Orders go to the warehouse through the queue from now on, not by mail.",
                "Done: `src/checkout.rs` puts each order into the queue.",
            ],
        ),
    ];
    for (id, day, turns) in sessions {
        let mut lines = String::new();
        for (at, text) in turns.iter().enumerate() {
            let (who, content) = match at % 2 {
                0 => ("user", json!(text)),
                _ => ("assistant", json!([{ "type": "text", "text": text }])),
            };
            let line = json!({ "type": who, "uuid": format!("{at}"), "sessionId": id, "cwd": desk.project(),
                "gitBranch": "main", "timestamp": format!("{day}T10:0{at}:00Z"),
                "message": { "role": who, "content": content } });
            lines.push_str(&format!("{line}\n"));
        }
        fs::write(folder.join(format!("{id}.jsonl")), lines).expect("a file can be written");
    }
}

/// Types a line into a shell that has `lore` on its path, and returns everything it prints.
fn typed(desk: &Desk, line: &str) -> String {
    let program =
        Path::new(env!("CARGO_BIN_EXE_lore")).parent().expect("the program has a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&path)));
    let output = desk
        .in_shell(&format!("{line} 2>&1"))
        .env("PATH", path.expect("the path can be joined"))
        .stdin(Stdio::null())
        .output()
        .expect("a shell can be run");
    assert!(output.status.success() || line.contains("ask"), "{line}: {output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    desk.homely(&text).trim_end().to_owned()
}

/// Runs every command of a page's `console` blocks and returns the page with what they print.
fn run_through(desk: &Desk, page: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (at, part) in page.split("```console\n").enumerate() {
        let Some((block, rest)) = part.split_once("```").filter(|_| at > 0) else {
            parts.push(part.to_owned());
            continue;
        };
        let mut lines: Vec<String> = Vec::new();
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            lines.push(format!("$ {command}"));
            lines.extend(typed(desk, command).lines().map(str::to_owned));
        }
        parts.push(format!("{}\n```{rest}", lines.join("\n")));
    }
    parts.join("```console\n")
}

#[test]
fn the_first_ten_minutes_are_as_the_page_says() {
    let desk = Desk::new();
    desk.write("src/checkout.rs", "pub fn checkout() {}\n");
    with_a_past(&desk);
    let page = fs::read_to_string(top().join("docs/first-ten-minutes.md")).expect("the page is there");
    is_current("docs/first-ten-minutes.md", &run_through(&desk, &page));
}

/// The reference of commands is made from the same definitions as their help.
#[test]
fn the_page_of_commands_is_up_to_date() {
    let run = Desk::new().lore(&["man", "--markdown"]);
    assert_eq!(run.code, 0, "{run}");
    is_current("docs/commands.md", &run.out);
}

/// Stops of the tour that are in the picture: those that look the same on every machine.
const PICTURED: [&str; 6] = [
    "Past sessions become pages",
    "What holds now, and what it replaced",
    "Two people differ",
    "An agent edits, and every word is checked",
    "A gate that blocks, and what lifts it",
    "What the next agent is told",
];

#[test]
fn the_picture_shows_the_tour() {
    let run = Desk::new().run(&["demo"], &[("CLICOLOR_FORCE", "1")]);
    assert_eq!(run.code, 0, "{run}");
    let stops: Vec<String> =
        run.out.split("\u{1b}[1m── ").skip(1).map(|stop| format!("\u{1b}[1m── {stop}")).collect();
    let frames: Vec<&str> = PICTURED
        .iter()
        .map(|title| {
            let found = stops.iter().find(|stop| stop.contains(&format!("── {title}")));
            found.unwrap_or_else(|| panic!("the tour does not stop at {title}: {run}")).as_str()
        })
        .collect();
    is_current("docs/tour.svg", &picture("A tour of lore in a terminal", &frames));
}

/// README showed an output that the tour no longer gave.
#[test]
fn the_readme_shows_what_the_tour_shows() {
    let tour = Desk::new().lore(&["demo"]).out;
    let page = fs::read_to_string(top().join("README.md")).expect("README can be read");
    let examples = page.split("\n```").skip(1).step_by(2).filter(|block| block.starts_with('\n'));
    let lines: Vec<&str> =
        examples.flat_map(str::lines).filter(|line| !line.is_empty() && *line != "…").collect();
    assert!(lines.len() > 12, "{lines:?}");
    let strange: Vec<&&str> = lines.iter().filter(|line| !tour.contains(**line)).collect();
    assert!(strange.is_empty(), "README shows what the tour does not: {strange:#?}");
}

/// Lists the files of a sort in a folder and below it.
fn files_below(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for item in fs::read_dir(folder).expect("the folder is there").flatten() {
        if item.path().is_dir() {
            found.extend(files_below(&item.path(), end));
        } else if item.path().extension().is_some_and(|extension| extension == end) {
            found.push(item.path());
        }
    }
    found
}

/// Commands exist that our pages and hints name, and what we write for agents, with what they are shown with.
#[test]
fn commands_that_are_named_exist() {
    let mut manual = Manual::new();
    let skills = files_below(&top().join("crates/engine/src/install/files"), "md");
    assert!(skills.len() > 7, "what agents read is found: {skills:?}");
    let pages = fs::read_dir(top().join("docs")).expect("the folder is there").flatten();
    let pages = pages.map(|page| page.path()).filter(|page| page.extension().is_some_and(|end| end == "md"));
    let front = ["README.md", "SHORTCOMINGS.md"].map(|page| top().join(page));
    let mut wrong = Vec::new();
    for page in front.into_iter().chain(pages).chain(skills) {
        let text = fs::read_to_string(&page).expect("the page is there");
        let shown = text.lines().filter(|line| line.starts_with("lore "));
        for line in shown.chain(quoted(&text)) {
            wrong.extend(manual.lacks(line).map(|why| format!("{}: `{line}`: {why}", page.display())));
        }
    }
    for folder in ["crates/engine/src", "crates/app/src"] {
        for file in files_below(&top().join(folder), "rs") {
            let text = fs::read_to_string(&file).expect("the file is there");
            let production = crate::tidy::production(&text).into_iter().map(|(_, line)| line);
            let said = production.filter(|line| !line.trim_start().starts_with("//"));
            for line in said.flat_map(quoted) {
                wrong.extend(manual.lacks(line).map(|why| format!("{}: `{line}`: {why}", file.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(manual.tried > 200, "{} commands were found", manual.tried);
}

/// Lists what is quoted as a command of ours.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("`lore ").filter_map(|(at, _)| text[at + 1..].split('`').next())
}

/// What the program says of its commands, asked once for each.
struct Manual {
    desk: Desk,
    known: BTreeMap<Vec<String>, Run>,
    tried: usize,
}

impl Manual {
    fn new() -> Manual {
        Manual { desk: Desk::new(), known: BTreeMap::new(), tried: 0 }
    }

    fn help(&mut self, names: &[&str]) -> &Run {
        let key = names.iter().map(|&name| name.to_owned()).collect();
        let ask = || self.desk.lore(&[names, &["--help"]].concat());
        self.known.entry(key).or_insert_with(ask)
    }

    /// Says what is wrong with a line that names a command.
    fn lacks(&mut self, line: &str) -> Option<String> {
        let line = line.split([',', '#', '|', '<', '>', '&', ';']).next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let is_word = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let name = *words.first().filter(|name| is_word(name) && name.starts_with(char::is_alphabetic))?;
        if UNLISTED.contains(&name) {
            return None;
        }
        self.tried += 1;
        let is_listed = |help: &Run, name: &str| help.out.contains(&format!("\n  {name} "));
        let aliases = |help: &Run, name: &str| help.out.contains(&format!("[aliases: {name}]"));
        let all = self.help(&[]);
        if !is_listed(all, name) && !aliases(all, name) {
            return Some("no such command is listed".to_owned());
        }
        let inner = words.get(1).copied().filter(|word| is_word(word));
        let inner = inner.filter(|inner| is_listed(self.help(&[name]), inner));
        let asked: Vec<&str> = std::iter::once(name).chain(inner).collect();
        let help = self.help(&asked);
        let takes_words = help.out.lines().skip_while(|line| !line.starts_with("Usage:")).take(1);
        let takes_words = takes_words.flat_map(usage_words).next().is_some();
        let mut is_value = false;
        for word in &words[asked.len()..] {
            let word = word.trim_end_matches(['.', ')']);
            if word.starts_with('[') {
                continue;
            }
            if word.starts_with('-') && word.len() > 1 {
                let option = word.split('=').next().unwrap_or(word);
                if option.starts_with("--") && !help.out.contains(option) {
                    return Some(format!("there is no {option}"));
                }
                is_value = true;
            } else if !is_value && !takes_words {
                return Some(format!("it takes no `{word}`"));
            }
        }
        None
    }
}

/// Commands that only programs call, so that no person finds them in a list; and what lists them all.
const UNLISTED: [&str; 4] = ["hook", "complete", "merge-driver", "help"];

/// Lists what a command takes beside its options, as its usage says.
fn usage_words(usage: &str) -> impl Iterator<Item = &str> {
    let words = usage.split_whitespace();
    let mut before = "";
    words.filter(move |word| {
        let belongs = before.starts_with('-') || before.starts_with("[-");
        before = word;
        word.starts_with(['[', '<']) && !belongs && *word != "[OPTIONS]" && !word.starts_with("[-")
    })
}
