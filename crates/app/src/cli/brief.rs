//! `lore brief`

use std::io::Read as _;

use lore_engine::Engine;
use lore_engine::brief::Topic;

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Ui, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: lore brief 42 --files src/auth/login.rs\n         gh issue view 42 | lore brief 42 -"
)]
pub(super) struct Args {
    /// Issue number, words, or both; `-` reads more text from standard input
    subject: Vec<String>,
    /// A file that will be touched; may be repeated
    #[arg(long = "files", value_name = "FILE")]
    files: Vec<String>,
    /// Part of the system
    #[arg(long)]
    domain: Option<String>,
    /// Read the text of the issue from this file
    #[arg(long, value_name = "FILE")]
    text: Option<std::path::PathBuf>,
    /// Ask the `gh` program for the text of the issue
    #[arg(long)]
    gh: bool,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> String {
        self.subject.join(" ")
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let is_number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let files = engine.all_from_project(&args.files)?;
    let mut topic = Topic { files, domain: args.domain, ..Topic::default() };
    let mut words: Vec<String> = Vec::new();
    for (at, word) in args.subject.into_iter().enumerate() {
        let plain = word.trim_start_matches('#');
        if at == 0 && is_number(plain) {
            topic.issue = Some(plain.to_owned());
        } else if word == "-" {
            words.push(standard_input()?);
        } else {
            words.push(word);
        }
    }
    if let Some(path) = &args.text {
        let text = std::fs::read_to_string(path).map_err(|source| lore_engine::Error::File {
            doing: "read",
            path: path.clone(),
            source,
        })?;
        words.push(text);
    }
    topic.text = words.join(" ");
    if args.gh {
        topic.text = format!("{}\n{}", topic.text, engine.issue_from_gh(topic.issue.as_deref())?);
    }
    let brief = engine.brief(&topic)?;
    if ui.is_json() {
        ui.json("lore.brief/1", &brief);
    } else {
        ui.print(sanitised(&brief.markdown));
    }
    Ok(if brief.is_empty() { Code::No } else { Code::Done })
}

/// Reads everything that is given on standard input.
pub(super) fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|source| lore_engine::Error::File {
        doing: "read",
        path: "standard input".into(),
        source,
    })?;
    Ok(text)
}
