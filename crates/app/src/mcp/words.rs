//! What is said to whoever sits at a shell, in the words of this door: a command becomes the tool that does the same.
//! What no tool does stays a command.

/// Commands, the tools that do the same, and whether what stands behind a command is handed on.
const TOOLS: [(&str, &str, bool); 14] = [
    ("sessions show", "get", true),
    ("open", "get", true),
    ("show", "get", true),
    ("query", "search", true),
    ("ask", "ask", true),
    ("brief", "brief", true),
    ("context", "context", true),
    ("ground", "ground", true),
    ("impact", "impact", true),
    ("packet", "curate_next", false),
    ("edits", "curate_submit", false),
    ("curate", "curate_next", false),
    ("learn", "learn", false),
    ("new", "learn", false),
];

/// What is said otherwise as a whole.
const SENTENCES: [(&str, &str); 6] = [
    (
        "`lore list` shows every entry, `lore sessions` every session",
        "`search` finds entries and what was said in past sessions",
    ),
    ("`lore list` shows every entry", "`search` finds entries"),
    (", or `lore list`.", "."),
    ("`lore curate` reads past sessions", "`curate_next` fetches past sessions to curate"),
    ("in words: lore ask ", "in words: "),
    ("in words: lore spike ", "in words: "),
];

/// What frames the rules that are told.
const FRAMES: [(&str, &str); 2] = [
    ("`lore show ID` tells more", "`get` tells more"),
    ("more: `lore list --rules`", "more: `search` with kinds [\"preference\"]"),
];

/// Says something of ours in the words of the tools.
pub(super) fn over_here(said: &str) -> String {
    let mut text = said.to_owned();
    for (there, here) in SENTENCES {
        text = text.replace(there, here);
    }
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, command, after)) = next_command(rest) {
        out.push_str(before);
        out.push_str(&as_tool(command).unwrap_or_else(|| format!("`lore {command}`")));
        rest = after;
    }
    out + rest
}

/// Says what frames entries in the words of the tools; the entries stay as they are.
pub(super) fn framed(text: &str) -> String {
    FRAMES.iter().fold(text.to_owned(), |text, (there, here)| text.replacen(there, here, 1))
}

/// Finds the next command between backticks, with what stands before and after it.
fn next_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("`lore ")?;
    let (command, after) = rest.split_once('`')?;
    Some((before, command, after))
}

fn as_tool(command: &str) -> Option<String> {
    let behind =
        |words: &str| command.strip_prefix(words).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    let (tool, takes, rest) =
        TOOLS.iter().find_map(|(words, tool, takes)| Some((tool, takes, behind(words)?.trim())))?;
    match rest {
        "" => Some(format!("`{tool}`")),
        // An option may be one that the tool does not have.
        rest if *takes && !rest.contains("--") => Some(format!("`{tool}` with `{rest}`")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_becomes_the_tool_that_does_the_same() {
        let check = |said: &str, expected: &str| assert_eq!(over_here(said), expected);
        check(
            "3 more turns; `lore open 6af70815#L88` goes on",
            "3 more turns; `get` with `6af70815#L88` goes on",
        );
        check("fetch one with `lore packet`", "fetch one with `curate_next`");
        check(
            "say why it is wrong with `lore learn`, or `lore rm ID`",
            "say why it is wrong with `learn`, or `lore rm ID`",
        );
        check("`lore new TITLE --body -` takes a page", "`lore new TITLE --body -` takes a page");
        check("run `lore ground --track`, then try again", "run `lore ground --track`, then try again");
        check("`lore list` shows every entry", "`search` finds entries");
        check("Try other words, or `lore list`.", "Try other words.");
        check("ask in words: lore ask \"why do we use X?\"", "ask in words: \"why do we use X?\"");
        check("`lore openings` is none", "`lore openings` is none");
        check("a lone `lore mark", "a lone `lore mark");
    }

    #[test]
    fn entries_keep_their_own_words() {
        let text = "(… `lore show ID` tells more):\n- Use `lore show ID` in hooks.";
        assert_eq!(framed(text), "(… `get` tells more):\n- Use `lore show ID` in hooks.");
    }
}
