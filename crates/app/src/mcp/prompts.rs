//! The common jobs as prompts: what the skills say, with what they are about.

use lore_engine::install::skills;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

/// Jobs, and what each is about.
const JOBS: [(&str, Option<(&str, &str)>); 5] = [
    ("knowledge", Some(("question", "What you want to know"))),
    ("curate", None),
    ("spike", Some(("question", "The question, such as: should we use X or Y for Z?"))),
    ("reflect", None),
    ("ground", Some(("design", "The design, the claim or the question"))),
];

/// Lists the prompts.
pub(super) fn all() -> Vec<Prompt> {
    let one = |(name, about): &(&str, Option<(&str, &str)>)| {
        let (description, _) = skill(name)?;
        let arguments = about.map(|(argument, about)| {
            vec![PromptArgument::new(argument).with_description(about).with_required(false)]
        });
        Some(Prompt::new(*name, Some(description), arguments))
    };
    JOBS.iter().filter_map(one).collect()
}

/// Returns one prompt.
pub(super) fn one(name: &str, arguments: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let job = JOBS.iter().find(|(job, _)| *job == name);
    let (Some((_, about)), Some((description, body))) = (job, skill(name)) else {
        return Err(ErrorData::invalid_params(format!("there is no prompt `{name}`"), None));
    };
    let known = |key: &String| about.is_some_and(|(argument, _)| argument == key);
    if let Some(key) = arguments.into_iter().flat_map(JsonObject::keys).find(|key| !known(key)) {
        return Err(ErrorData::invalid_params(format!("`{name}` takes no argument `{key}`"), None));
    }
    let given = about.and_then(|(argument, _)| arguments?.get(argument)?.as_str());
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    let text = match given {
        Some(given) => format!("{body}\n\nIt is about: {given}"),
        None => body.to_owned(),
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(description))
}

/// Takes a skill apart: its description and its body.
fn skill(name: &str) -> Option<(&'static str, &'static str)> {
    let (_, text) = skills().iter().find(|(skill, _)| *skill == name)?;
    let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let description = front.lines().find_map(|line| line.strip_prefix("description: "))?;
    Some((description, body.trim()))
}
