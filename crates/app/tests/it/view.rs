//! The base as one page: inert whatever stands in it, and a door that only its user can open.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use insta::assert_snapshot;

use crate::desk::Desk;

const DISPUTE: &str = "---\nid: fac-2026-02-03-retries-stop-after-three\ntype: fact\ntitle: Retries stop after three\nstatus: disputed\n\
    sources:\n  - id: s1\n    resource: session://codex/abc#L9\n    voice: person\n    session: abc\n    lines:\n      - 9\n\
    \u{20}\u{20}- id: s2\n    resource: session://codex/ghi#L2\n    voice: agent\n    session: ghi\n    lines:\n      - 2\ncurated_by: auto\n---\n\n\
    ## Conflict\n\nThe sources contradict each other and nobody has decided yet.\n\n- Retries stop after three.[^s1]\n  Said by a person\n- Retries stop after five.[^s2]\n  Said by an agent\n\n\
    [^s1]: A person, `session://codex/abc#L9`\n[^s2]: An agent, `session://codex/ghi#L2`\n";

/// Everything that has ever run in a page that only meant to show it.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \
    [a link](javascript:alert(3)) <!-- <script> ]]> @@SCRIPT@@ &lt;b&gt; \u{202e}gnirts \u{2028} ${alert(4)} {{7*7}}";

fn with_dispute() -> Desk {
    let desk = Desk::with_base();
    desk.write("knowledge/project/retries-stop-after-three.md", DISPUTE);
    desk
}

#[test]
fn a_hostile_entry_is_inert() {
    let desk = Desk::with_base();
    let text = DISPUTE.replace("Retries stop after three", HOSTILE).replace("Said by a person", HOSTILE);
    let text = text.replace("title: ", "title: >-\n  ").replace("session: abc", "session: \"</script>\"");
    desk.write("knowledge/project/hostile.md", &text);
    let run = desk.lore(&["view", "--out", "page.html"]);
    assert_eq!(run.code, 0, "{run}");
    let page = desk.read("page.html");
    assert!(page.contains("alert(1)"), "it is shown as what it is");
    assert_eq!(page.matches("</script>").count(), 2, "the island and our script end, nothing else does");
    assert_eq!(page.matches("<script").count(), 2);
    for raw in ["<img", "onerror=alert(2)>", "<!--", "\u{202e}", "\u{2028}"] {
        assert!(!page.contains(raw), "{raw:?}");
    }
    let policy =
        page.split("Content-Security-Policy\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let policy = policy.expect("there is a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(policy.contains("require-trusted-types-for 'script'"), "{policy}");
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "nothing is loaded from anywhere");
    let island = page.split("id=\"lore-data\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: serde_json::Value = serde_json::from_str(island.expect("there is data")).expect("it is JSON");
    assert_eq!(data["schema"], "lore.view/1");
    assert!(data["entries"][0]["title"].as_str().is_some_and(|title| title.starts_with("</script><script>")));
}

#[test]
fn a_page_says_what_it_is_and_where() {
    let desk = with_dispute();
    desk.lore(&["new", "Use PostgreSQL", "--type", "decision", "--body", "Bookings live in PostgreSQL."]);
    let dry = desk.lore(&["view", "--out", "page.html", "--dry-run"]);
    assert!(dry.out.starts_with("would write [desk]/project/page.html  2 entries"), "{dry}");
    assert!(!desk.project().join("page.html").exists());
    let run = desk.lore(&["view", "--out", "page.html", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!((&told["schema"], &told["disputed"]), (&"lore.view.page/1".into(), &1.into()));
    assert_eq!(told["bytes"], desk.read("page.html").len());
    let printed = desk.lore(&["view", "--out", "-"]);
    assert_eq!(printed.out, desk.read("page.html"), "the same base gives the same page");
    let agent = desk.run(&["view", "--out", "-"], &[("CLAUDECODE", "1")]);
    assert!(
        agent.out.contains("<!doctype html>") && !agent.out.starts_with("<!doctype"),
        "it is fenced for an agent"
    );
    desk.write("page.html", "mine");
    assert_snapshot!(desk.lore(&["view", "--out", "page.html"]));
    assert!(desk.lore(&["view", "use-postgresql"]).out.contains("Bookings live in PostgreSQL."));
}

/// A door that goes with the test.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(mut command: Command) -> Served {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be run");
        let mut lines = BufReader::new(child.stdout.take().expect("it talks")).lines();
        let told = lines.find_map(|line| {
            Some(line.ok()?.trim().strip_prefix("\"address\": \"")?.trim_end_matches('"').to_owned())
        });
        Served { child, address: told.expect("it says where it is") }
    }

    fn host(&self) -> &str {
        self.address.trim_start_matches("http://").split('/').next().expect("has a host")
    }

    fn token(&self) -> &str {
        self.address.trim_end_matches('/').rsplit('/').next().expect("has a token")
    }

    /// Sends a request as it stands and returns the status and all of the answer.
    fn asked(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.host()).expect("it can be reached");
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_default(), answer)
    }

    fn get(&self, path: &str, fields: &str) -> (u16, String) {
        self.asked(&format!("GET {path} HTTP/1.1\r\n{fields}\r\n"))
    }

    /// Decides something as the page does.
    fn decide(&self, fields: &str, body: &str) -> (u16, String) {
        let head = format!("POST /{}/review HTTP/1.1\r\nHost: {}\r\n", self.token(), self.host());
        self.asked(&format!("{head}{fields}Content-Length: {}\r\n\r\n{body}", body.len()))
    }
}

#[test]
fn the_door_opens_to_its_user_alone() {
    let desk = with_dispute();
    let served = Served::new(desk.command(&["view", "--serve", "--json"], &[]));
    let (host, token) = (served.host(), served.token());
    let ours = format!("Host: {host}\r\n");
    let check = |path: String, fields: &str, expected: u16| {
        let (status, answer) = served.get(&path, fields);
        assert_eq!(status, expected, "{path} {fields}: {answer}");
        assert!(expected == 200 || !answer.contains("Retries"), "nothing of the base is told: {answer}");
    };
    check(format!("/{token}/"), &ours, 200);
    check(format!("/{token}/view.json"), &format!("{ours}Origin: http://{host}\r\n"), 200);
    check(format!("/{token}"), &ours, 308);
    check("/".to_owned(), &ours, 403);
    check("/view.json".to_owned(), &ours, 403);
    check(format!("/{}0/", &token[1..]), &ours, 403);
    check(format!("/{token}/"), "Host: rebound.example\r\n", 403);
    check(
        format!("/{token}/"),
        &format!("Host: rebound.example:{}\r\n", host.rsplit(':').next().unwrap_or("")),
        403,
    );
    check(format!("/{token}/"), "", 403);
    check(format!("/{token}/"), &format!("{ours}{ours}"), 403);
    check(format!("/{token}/"), &format!("{ours}Origin: https://evil.example\r\n"), 403);
    check(format!("/{token}/"), &format!("{ours}Origin: null\r\n"), 403);
    check(
        format!("/{token}/"),
        &format!("{ours}Origin: http://{host}\r\nOrigin: https://evil.example\r\n"),
        403,
    );
    check(format!("/{token}/../etc/passwd"), &ours, 404);
    check(format!("/{token}/review"), &ours, 405);
    let (_, page) = served.get(&format!("/{token}/"), &ours);
    assert!(
        page.contains("frame-ancestors 'none'") && page.contains("Cache-Control: no-store"),
        "it is not kept"
    );
    let tag = served.get(&format!("/{token}/view.json"), &ours).1;
    let tag = tag.lines().find_map(|line| line.strip_prefix("ETag: ")).expect("has a tag").to_owned();
    check(format!("/{token}/view.json"), &format!("{ours}If-None-Match: {tag}\r\n"), 304);
}

#[test]
fn a_person_decides_on_the_page_and_the_base_changes() {
    let desk = with_dispute();
    let new =
        DISPUTE.replace("stop-after-three", "are-counted").replace("status: disputed", "status: current");
    desk.write("knowledge/project/retries-are-counted.md", &new.replace("## Conflict", "## Key facts"));
    let served = Served::new(desk.command(&["view", "--serve", "--json"], &[]));
    let json = "Content-Type: application/json\r\n";
    let version = |entry: &str| {
        let (_, answer) =
            served.get(&format!("/{}/view.json", served.token()), &format!("Host: {}\r\n", served.host()));
        let data: serde_json::Value =
            serde_json::from_str(answer.split("\r\n\r\n").nth(1).expect("has a body")).expect("is JSON");
        let all = data["entries"].as_array().expect("lists entries").clone();
        let found = all.iter().find(|one| one["id"] == entry).expect("is shown");
        found["version"].as_str().expect("says which text it is").to_owned()
    };
    let disputed = version("fac-2026-02-03-retries-stop-after-three");
    let settle = |side: u32, says: &str| {
        format!(
            "{{\"entry\":\"fac-2026-02-03-retries-stop-after-three\",\"version\":\"{disputed}\",\"ruling\":\"settle\",\"side\":{side},\"says\":\"{says}\"}}"
        )
    };
    let before = desk.read("knowledge/project/retries-stop-after-three.md");
    let check = |fields: &str, body: &str, expected: u16| {
        let (status, answer) = served.decide(fields, body);
        assert_eq!(status, expected, "{fields} {body}: {answer}");
        assert!(answer.contains("\"schema\":\"lore.error/1\""), "{answer}");
        assert_eq!(desk.read("knowledge/project/retries-stop-after-three.md"), before, "nothing changed");
    };
    check("Content-Type: text/plain\r\n", &settle(2, "Retries stop after five."), 415);
    check(&format!("{json}Origin: https://evil.example\r\n"), &settle(2, "Retries stop after five."), 403);
    check(json, &settle(2, "Retries stop after nine."), 409);
    check(json, &settle(7, "Retries stop after five."), 409);
    check(json, &settle(2, "").replace(",\"says\":\"\"", ""), 400);
    check(json, "{\"entry\":\"x\",\"ruling\":\"supersede\",\"by\":\"y\"}", 400);
    check(json, "{\"entry\":\"no-such-entry\",\"version\":\"0\",\"ruling\":\"keep\"}", 409);
    check(json, "nothing", 400);
    let (status, answer) = served.decide(json, &settle(2, "Retries stop after five."));
    assert_eq!(status, 200, "{answer}");
    let after = desk.read("knowledge/project/retries-stop-after-three.md");
    assert!(after.contains("status: current") && after.contains("human:ada"), "{after}");
    let counted = "fac-2026-02-03-retries-are-counted";
    let keep =
        |version: &str| format!("{{\"entry\":\"{counted}\",\"version\":\"{version}\",\"ruling\":\"keep\"}}");
    assert_eq!(served.decide(json, &keep("0").replace(",\"version\":\"0\"", "")).0, 400);
    let shown = version(counted);
    let path = "knowledge/project/retries-are-counted.md";
    desk.write(path, &desk.read(path).replace("three", "nine"));
    let (status, answer) = served.decide(json, &keep(&shown));
    assert!(status == 409 && answer.contains("was changed since it was shown"), "{answer}");
    assert!(!desk.read(path).contains("verified:"), "nobody read what it says now");
    assert_eq!(served.decide(json, &keep(&version(counted))).0, 200);
    assert!(desk.read("knowledge/project/retries-are-counted.md").contains("verified:"));
    let reject = keep(&version(counted)).replace("\"keep\"", "\"reject\",\"why\":\"nobody counts\"");
    assert_eq!(served.decide(json, &reject).0, 200);
    assert!(!desk.project().join("knowledge/project/retries-are-counted.md").exists());
}

#[test]
fn an_agent_can_show_the_page_and_decides_nothing() {
    let desk = with_dispute();
    let served = Served::new(desk.command(&["view", "--serve", "--json"], &[("CLAUDECODE", "1")]));
    assert_eq!(served.get(&format!("/{}/", served.token()), &format!("Host: {}\r\n", served.host())).0, 200);
    let body = "{\"entry\":\"fac-2026-02-03-retries-stop-after-three\",\"version\":\"0\",\"ruling\":\"reject\",\"why\":\"no\"}";
    let (status, answer) = served.decide("Content-Type: application/json\r\n", body);
    assert!(status == 409 && answer.contains("a person"), "{answer}");
}

#[test]
fn folders_for_other_programs_say_what_became_of_them() {
    let desk = Desk::with_base();
    desk.lore(&["new", "Use PostgreSQL", "--type", "decision", "--body", "Bookings live in PostgreSQL."]);
    desk.lore(&[
        "new",
        "Answer in short sentences",
        "--type",
        "preference",
        "--body",
        "Answer in short sentences.",
    ]);
    assert_snapshot!("export_rehearsed", desk.lore(&["export", "--adr", "docs/adr", "--dry-run"]));
    assert_snapshot!("export_written", desk.lore(&["export", "--obsidian", "vault"]));
    desk.write(
        "vault/Decisions/Use PostgreSQL.md",
        &desk.read("vault/Decisions/Use PostgreSQL.md").replace("Bookings", "Orders"),
    );
    assert_snapshot!("export_left", desk.lore(&["export", "--obsidian", "vault"]));
    assert_snapshot!("export_json", desk.lore(&["export", "--mdbook", "book", "--json"]));
    assert_snapshot!("export_twice", desk.lore(&["export", "--mdbook", "book", "--adr", "docs/adr"]));
}
