//! The protocol over HTTP on this machine, in both of its eras; and who is turned away.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::desk::Desk;

/// A server that ends with the test.
struct Served {
    child: Child,
    port: u16,
    token: String,
    told: Value,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(desk: &Desk, more: &[&str]) -> Served {
    let arguments = [&["mcp", "--http", "--port", "0", "--json"], more].concat();
    let mut command = desk.command(&arguments, &[]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the binary can be run");
    let mut out = BufReader::new(child.stdout.take().expect("the output is a pipe"));
    let mut text = String::new();
    while serde_json::from_str::<Value>(&text).is_err() {
        assert!(out.read_line(&mut text).expect("the output can be read") > 0, "{text}");
    }
    let told: Value = serde_json::from_str(&text).expect("it was just read");
    let url = told["url"].as_str().expect("there is an address");
    let port = url.split([':', '/']).nth(4).and_then(|port| port.parse().ok()).expect("there is a port");
    let file = told["token_file"].as_str().expect("there is a file");
    let token = std::fs::read_to_string(file).expect("the token is kept").trim().to_owned();
    Served { child, port, token, told }
}

/// An answer: its status, its head and its body.
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }

    /// The messages in it, whether they came as one object or as a stream of events.
    fn messages(&self) -> Vec<Value> {
        let lines = self.body.lines().filter_map(|line| line.strip_prefix("data:").or(Some(line)));
        lines.filter_map(|line| serde_json::from_str(line.trim()).ok()).collect()
    }
}

impl Served {
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the door is open");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let _ = stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn post(&self, more: &[(&str, &str)], message: &Value) -> Reply {
        let token = format!("Bearer {}", self.token);
        let usual = [
            ("Authorization", token.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        self.request("POST", "/mcp", &[&usual, more].concat(), &message.to_string())
    }
}

fn desk() -> Desk {
    let desk = Desk::with_base();
    let body = "Bookings live in PostgreSQL.";
    let run = desk.lore(&["new", "Use PostgreSQL for bookings", "--type", "decision", "--body", body]);
    assert_eq!(run.code, 0, "{run}");
    desk
}

fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } })
}

#[test]
fn an_older_client_has_a_session_and_a_newer_one_needs_none() {
    let desk = desk();
    let served = serve(&desk, &[]);
    assert_eq!(served.told["schema"], "lore.mcp/1");
    let begun = served.post(&[], &initialize());
    assert_eq!(begun.status, 200, "{}", begun.head);
    let session = begun.header("mcp-session-id").expect("a session begins").to_owned();
    let of = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    let done = served.post(&of, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(done.status, 202, "{}", done.head);
    let call = json!({ "name": "search", "arguments": { "query": "where do bookings live" } });
    let ask = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call });
    let found = served.post(&of, &ask);
    assert!(found.body.contains("Use PostgreSQL for bookings"), "{}", found.body);
    // A session that nobody began is none.
    let foreign = [("Mcp-Session-Id", "00000000-0000-4000-8000-000000000000"), of[1]];
    assert_eq!(served.post(&foreign, &ask).status, 404);
    let ended = served.request(
        "DELETE",
        "/mcp",
        &[of[0], ("Authorization", &format!("Bearer {}", served.token))],
        "",
    );
    assert_eq!(ended.status, 204, "{}", ended.head);
    assert_eq!(served.post(&of, &ask).status, 404);

    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    let mut params = call;
    params["_meta"] = meta;
    let ask = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params });
    let newest =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "search")];
    let found = served.post(&newest, &ask);
    let messages = found.messages();
    let answer = messages.iter().find(|message| message["id"] == 3).expect("there is an answer");
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    assert!(answer.to_string().contains("Use PostgreSQL for bookings"), "{answer}");
}

#[test]
fn nobody_comes_in_by_another_name_from_a_page_or_without_the_token() {
    let desk = desk();
    let served = serve(&desk, &[]);
    let here = format!("127.0.0.1:{}", served.port);
    let right = format!("Bearer {}", served.token);
    let wrong = format!("Bearer {}", served.token.replace(|c: char| c.is_ascii_digit(), "0"));
    let page = format!("http://{here}");
    let body = initialize().to_string();
    let check = |headers: &[(&str, &str)], expected: u16| {
        let usual = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        let reply = served.request("POST", "/mcp", &[&usual, headers].concat(), &body);
        assert_eq!(reply.status, expected, "{headers:?}: {}", reply.head);
        assert!(reply.status == 200 || !reply.body.contains("lore\""), "nothing is told: {}", reply.body);
    };
    check(&[("Authorization", &right)], 200);
    check(&[("Authorization", &right), ("Origin", &page)], 200);
    check(&[], 401);
    check(&[("Authorization", &wrong)], 401);
    check(&[("Authorization", &format!("Basic {}", served.token))], 401);
    check(&[("Authorization", &right), ("Authorization", &wrong)], 401);
    check(&[("Authorization", &right), ("Host", "rebound.example")], 403);
    check(&[("Authorization", &right), ("Host", &here.replace("127.0.0.1", "rebound.example"))], 403);
    check(&[("Authorization", &right), ("Origin", "https://evil.example")], 403);
    check(&[("Authorization", &right), ("Origin", "null")], 403);
    check(&[("Authorization", &right), ("Origin", &page), ("Origin", "https://evil.example")], 403);
    assert_eq!(served.request("GET", "/elsewhere", &[("Authorization", &right)], "").status, 404);
    assert_eq!(served.request("GET", "/mcp", &[], "").status, 401);
    let long = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "x": "x".repeat(5 << 20) } });
    assert_eq!(served.post(&[], &long).status, 413);
    // Whoever was turned away did no harm.
    check(&[("Authorization", &right)], 200);
}

#[test]
fn the_token_is_shown_once_kept_for_its_user_alone_and_can_be_renewed() {
    let desk = desk();
    let first = serve(&desk, &[]);
    assert_eq!(first.told["token"].as_str(), Some(first.token.as_str()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = first.told["token_file"].as_str().expect("there is a file");
        let mode = std::fs::metadata(file).expect("the file is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let second = serve(&desk, &[]);
    assert_eq!((second.told.get("token"), &second.token), (None, &first.token));
    let third = serve(&desk, &["--new-token"]);
    assert_ne!(third.token, first.token);
    let stale = format!("Bearer {}", first.token);
    let reply = third.request("POST", "/mcp", &[("Authorization", &stale)], "{}");
    assert_eq!(reply.status, 401);
    assert!(
        reply.header("www-authenticate").is_some_and(|value| value.starts_with("Bearer")),
        "{}",
        reply.head
    );
    let taken = first.port.to_string();
    let run = desk.lore(&["mcp", "--http", "--port", &taken]);
    assert_eq!(run.code, 3, "{run}");
    assert!(run.to_string().contains("`--port 0`"), "it says how a free one is found: {run}");
    assert_eq!(desk.lore(&["mcp", "--port", "1"]).code, 2);
}
