//! The MCP server in an agent's settings: JSON, TOML or YAML, each changed in its text.

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use super::json_text::Text;

const SERVER: &str = "lore";

/// How an agent writes servers down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerShape {
    /// `mcpServers` in JSON: most agents.
    Servers,
    /// `mcp` in JSON, the command a list.
    OpenCode,
    /// `mcp_servers` in TOML.
    Codex,
    /// `extensions` in YAML.
    Goose,
}

/// Puts the server in; one of that name that is there stays.
pub(super) fn add(shape: ServerShape, text: Option<&str>, program: &str) -> Result<String, String> {
    match shape {
        ServerShape::Servers => {
            let server = json!({ "command": program, "args": ["mcp"] });
            add_json(text, "mcpServers", &server)
        }
        ServerShape::OpenCode => {
            let server = json!({ "type": "local", "command": [program, "mcp"], "enabled": true });
            add_json(text, "mcp", &server)
        }
        ServerShape::Codex => add_toml(text.unwrap_or_default(), program),
        ServerShape::Goose => add_yaml(text.unwrap_or_default(), program),
    }
}

/// Takes the server out, if it starts us: whatever somebody set beside that, it serves nobody without us.
pub(super) fn take_out(shape: ServerShape, text: &str) -> Result<String, String> {
    match shape {
        ServerShape::Servers => take_out_json(text, "mcpServers"),
        ServerShape::OpenCode => take_out_json(text, "mcp"),
        ServerShape::Codex => take_out_toml(text),
        ServerShape::Goose => Ok(take_out_yaml(text)),
    }
}

/// Tells whether a server of our name is there.
pub(super) fn is_present(shape: ServerShape, text: &str) -> bool {
    let in_json = |key: &str| {
        Text::new(text).is_ok_and(|text| text.value().pointer(&format!("/{key}/{SERVER}")).is_some())
    };
    match shape {
        ServerShape::Servers => in_json("mcpServers"),
        ServerShape::OpenCode => in_json("mcp"),
        ServerShape::Codex => {
            let table = text.parse::<DocumentMut>().ok();
            table.is_some_and(|table| {
                table.get("mcp_servers").and_then(|servers| servers.get(SERVER)).is_some()
            })
        }
        ServerShape::Goose => {
            let mut inside = false;
            text.lines().any(|line| {
                inside = if line.starts_with([' ', '#']) { inside } else { line.trim_end() == YAML_LIST };
                inside && (line.trim() == YAML_NAME || line.trim() == "lore:")
            })
        }
    }
}

fn add_json(text: Option<&str>, key: &str, server: &Value) -> Result<String, String> {
    let mut text = Text::new(text.unwrap_or("{}\n"))?;
    let known = text.value().pointer(&format!("/{key}/{SERVER}"));
    // One of ours may start a program that lies elsewhere by now.
    if known.is_some_and(|known| is_ours(known) && known != server) {
        text.remove_member(&[key], SERVER)?;
    }
    text.insert_if_missing(&[key], SERVER, server)?;
    Ok(text.into_string())
}

/// Tells whether a server is as we wrote it. Who gave it an environment or a time limit wrote it, or made it theirs:
/// nothing is put in its place.
fn is_ours(server: &Value) -> bool {
    let is_plain = server.as_object().is_some_and(|fields| {
        fields.keys().all(|field| ["command", "args", "type", "enabled"].contains(&field.as_str()))
    });
    is_plain && serves_us(server)
}

/// Tells whether a server is this program.
fn serves_us(server: &Value) -> bool {
    let words = |field: &str| server.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
    let (args, command) = (words("args"), words("command"));
    let program = server.get("command").and_then(Value::as_str).or(command.first().and_then(Value::as_str));
    program.is_some_and(starts_us) && args.last().or(command.last()).and_then(Value::as_str) == Some("mcp")
}

/// Tells whether a program is this one, wherever it lies.
fn starts_us(program: &str) -> bool {
    std::path::Path::new(program).file_stem().is_some_and(|name| name == SERVER)
}

fn take_out_json(text: &str, key: &str) -> Result<String, String> {
    let mut text = Text::new(text)?;
    if text.value().pointer(&format!("/{key}/{SERVER}")).is_some_and(serves_us) {
        text.remove_member(&[key], SERVER)?;
        text.remove_if_empty(&[key])?;
    }
    Ok(text.into_string())
}

fn add_toml(text: &str, program: &str) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let servers = document.entry("mcp_servers").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or("`mcp_servers` is not a table")?;
    if let Some(known) = servers.get_mut(SERVER) {
        let is_other = known.get("command").and_then(Item::as_str) != Some(program);
        if !is_other || !is_ours_in_toml(known) {
            return Ok(text.to_owned());
        }
        known["command"] = value(program);
        return Ok(written_as(text, &document));
    }
    let mut server = Table::new();
    server["command"] = value(program);
    server["args"] = value(toml_edit::Array::from_iter(["mcp"]));
    if !text.trim().is_empty() {
        server.decor_mut().set_prefix("\n");
    }
    servers.insert(SERVER, Item::Table(server));
    Ok(written_as(text, &document))
}

fn is_ours_in_toml(server: &Item) -> bool {
    let is_plain = |server: &dyn TableLike| server.iter().all(|(key, _)| ["command", "args"].contains(&key));
    serves_us_in_toml(server) && server.as_table_like().is_some_and(is_plain)
}

fn serves_us_in_toml(server: &Item) -> bool {
    server.as_table_like().is_some_and(|server| {
        let args = server.get("args").and_then(Item::as_array);
        server.get("command").and_then(Item::as_str).is_some_and(starts_us)
            && args.and_then(|args| args.get(0)?.as_str()) == Some("mcp")
    })
}

fn take_out_toml(text: &str) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let Some(servers) = document.get_mut("mcp_servers").and_then(Item::as_table_like_mut) else {
        return Ok(text.to_owned());
    };
    if !servers.get(SERVER).is_some_and(serves_us_in_toml) {
        return Ok(text.to_owned());
    }
    servers.remove(SERVER);
    if servers.is_empty() {
        document.remove("mcp_servers");
    }
    Ok(written_as(text, &document))
}

/// Writes TOML with the line ends of the text it was read from; the parser forgets them.
fn written_as(text: &str, document: &DocumentMut) -> String {
    let plain = document.to_string().replace("\r\n", "\n");
    if text.contains("\r\n") { plain.replace('\n', "\r\n") } else { plain }
}

const YAML_LIST: &str = "extensions:";
const YAML_NAME: &str = "lore: # written by lore install";

fn add_yaml(text: &str, program: &str) -> Result<String, String> {
    let without = take_out_yaml(text);
    let known = (without != text).then(|| add_yaml(&without, program)).transpose()?;
    if known.is_some() || is_present(ServerShape::Goose, text) {
        return Ok(known.unwrap_or_else(|| text.to_owned()));
    }
    let program = serde_json::to_string(program).unwrap_or_default();
    let fields = [
        "enabled: true",
        "type: stdio",
        "name: lore",
        &format!("cmd: {program}"),
        "args: [mcp]",
        "timeout: 60",
        "envs: {}",
    ];
    let ours = |indent: &str| {
        let field = |field: &&str| format!("{indent}{indent}{field}\n");
        format!("{indent}{YAML_NAME}\n{}", fields.iter().map(field).collect::<String>())
    };
    let mut out = String::new();
    let mut placed = false;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        if line.trim_end() == YAML_LIST {
            out.push_str(if line.ends_with('\n') { "" } else { "\n" });
            out.push_str(&ours(&indent_of(lines.clone())?));
            placed = true;
        } else if line.starts_with(YAML_LIST) {
            return Err(
                "`extensions` is written on one line; add `lore mcp` with `goose configure`".to_owned()
            );
        }
    }
    if !placed {
        let gap = if out.is_empty() || out.ends_with('\n') { "" } else { "\n" };
        out.push_str(&format!("{gap}{YAML_LIST}\n{}", ours("  ")));
    }
    Ok(out)
}

/// Returns how far the members of a list are set in, as the lines below its name show.
fn indent_of<'l>(below: impl Iterator<Item = &'l str>) -> Result<String, String> {
    let mut members = below
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .take_while(|line| line.starts_with([' ', '\t']));
    let Some(first) = members.next() else { return Ok("  ".to_owned()) };
    let indent = &first[..first.len() - first.trim_start().len()];
    match indent.chars().all(|c| c == ' ') && first.trim_end().ends_with(':') {
        true => Ok(indent.to_owned()),
        false => Err("the members of `extensions` are written in a form that is not known here".to_owned()),
    }
}

fn take_out_yaml(text: &str) -> String {
    let mut out = String::new();
    let mut ours: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if line.trim() == YAML_NAME {
            ours = Some(indent);
        } else if ours.is_none_or(|own| indent <= own) {
            ours = None;
            out.push_str(line);
        }
    }
    // A list that only we were in.
    let rest = out.trim_end();
    match rest.strip_suffix(YAML_LIST).filter(|rest| (rest.is_empty() || rest.ends_with('\n')) && out != text)
    {
        Some(rest) => rest.to_owned(),
        None => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: ServerShape, original: &str) {
        let with = add(shape, Some(original), "lore").unwrap();
        assert!(is_present(shape, &with) && !is_present(shape, original), "{with}");
        assert_eq!(add(shape, Some(&with), "lore").unwrap(), with, "twice is once");
        assert_eq!(take_out(shape, &with).unwrap(), original);
    }

    #[test]
    fn a_server_comes_and_goes_and_the_rest_stays() {
        check(
            ServerShape::Servers,
            "{\n  \"mcpServers\": {\n    \"db\": {\"command\": \"db-mcp\"} // ours\n  }\n}\n",
        );
        check(ServerShape::OpenCode, "{\n  // mine\n  \"theme\": \"x\",\n}\n");
        check(
            ServerShape::Codex,
            "# mine\nmodel = \"x\" # fast\n\n[mcp_servers.db]\ncommand = \"db-mcp\"\n\n[tools]\nweb = true\n",
        );
        check(ServerShape::Codex, "model = \"x\"\n");
        check(ServerShape::Codex, "");
        check(ServerShape::Goose, "GOOSE_MODEL: x\nextensions:\n  db:\n    enabled: true\nmore: 1\n");
        check(ServerShape::Goose, "GOOSE_MODEL: x\n");
        check(
            ServerShape::Goose,
            "extensions:\n    db:\n        enabled: true\n    more:\n        enabled: false\n",
        );
        check(ServerShape::Goose, "extensions:\n # mine\n db:\n  enabled: true\n");
        let with =
            add(ServerShape::Goose, Some("extensions:\n    db:\n        enabled: true\n"), "lore").unwrap();
        assert!(with.contains("\n    lore: #") && with.contains("\n        enabled: true\n"), "{with}");
    }

    #[test]
    fn a_program_that_moved_is_followed() {
        let shapes = [ServerShape::Servers, ServerShape::OpenCode, ServerShape::Codex, ServerShape::Goose];
        for shape in shapes {
            let old = add(shape, None, "/opt/old/lore").unwrap();
            let new = add(shape, Some(&old), "/usr/bin/lore").unwrap();
            assert!(new.contains("/usr/bin/lore") && !new.contains("/opt/old"), "{new}");
            assert_eq!(add(shape, Some(&new), "/usr/bin/lore").unwrap(), new, "twice is once");
        }
    }

    #[test]
    fn anothers_server_of_our_name_stays() {
        for (shape, text) in [
            (
                ServerShape::Servers,
                "{\"mcpServers\": {\"lore\": {\"command\": \"other\", \"args\": [\"serve\"]}}}",
            ),
            (ServerShape::Codex, "[mcp_servers.lore]\ncommand = \"other\"\nargs = [\"serve\"]\n"),
            (ServerShape::Goose, "extensions:\n    lore:\n        enabled: false\n"),
        ] {
            assert_eq!(add(shape, Some(text), "lore").unwrap(), text);
            assert_eq!(take_out(shape, text).unwrap(), text);
        }
    }

    #[test]
    fn what_somebody_set_beside_ours_is_kept_and_goes_with_it() {
        for (shape, text, rest) in [
            (
                ServerShape::Codex,
                "model = \"x\"\n\n[mcp_servers.lore]\ncommand = \"/opt/lore\"\nargs = [\"mcp\"]\nstartup_timeout_sec = 60\n\n[mcp_servers.lore.env]\nA = \"b\"\n",
                "model = \"x\"\n",
            ),
            (
                ServerShape::Servers,
                "{\"mcpServers\": {\"lore\": {\"command\": \"lore\", \"args\": [\"mcp\"], \"env\": {\"A\": \"b\"}}}}",
                "{}",
            ),
        ] {
            assert_eq!(add(shape, Some(text), "lore").unwrap(), text);
            assert_eq!(take_out(shape, text).unwrap(), rest);
        }
    }

    #[test]
    fn what_cannot_be_changed_safely_is_refused() {
        assert!(add(ServerShape::Goose, Some("extensions: {}\n"), "lore").is_err());
        assert!(add(ServerShape::Codex, Some("mcp_servers = 3\n"), "lore").is_err());
        assert!(add(ServerShape::Codex, Some("not toml\n"), "lore").is_err());
    }
}
