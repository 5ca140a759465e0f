//! The coding agent of the tour: what it answers is written down, where it stands in the packet is looked up.

use serde_json::{Value, json};

/// An edit as an agent would hand it in, with a phrase of the line it rests on.
struct Scripted {
    kind: &'static str,
    title: &'static str,
    text: &'static str,
    rests_on: &'static str,
    decided_by: &'static str,
}

/// Two edits that the lines bear out, and one that nobody said.
const EDITS: [Scripted; 3] = [
    Scripted {
        kind: "limitation",
        title: "Stripe cannot refund a charge older than 180 days",
        text: "Stripe cannot refund a charge older than 180 days, so the deposit of an early booking has to be \
               paid back by bank transfer.",
        rests_on: "older than 180 days",
        decided_by: "nobody",
    },
    Scripted {
        kind: "architecture",
        title: "HTTP handlers never write to the database",
        text: "HTTP handlers never write to the database. They put a request into the booking queue, and one \
               writer task applies the requests in order, so two people cannot book the same boat.",
        rests_on: "HTTP handlers never write",
        decided_by: "agent",
    },
    Scripted {
        kind: "fact",
        title: "A refund takes 14 days",
        text: "A refund of the deposit through Stripe takes 14 days.",
        rests_on: "older than 180 days",
        decided_by: "agent",
    },
];

/// Answers a packet.
pub(super) fn answer(packet: &str, text: &str) -> String {
    let edits: Vec<Value> = EDITS
        .iter()
        .map(|one| {
            json!({ "op": "new", "kind": one.kind, "title": one.title, "text": one.text,
                "lines": [line_with(text, one.rests_on)], "decided_by": one.decided_by })
        })
        .collect();
    serde_json::to_string_pretty(&json!({ "packet": packet, "edits": edits })).unwrap_or_default()
}

/// Returns the number of the line of a packet that holds a phrase.
fn line_with(text: &str, phrase: &str) -> Option<u32> {
    let before = &text[..text.find(phrase)?];
    let opening = before.rfind("\n[")?;
    before[opening + 2..].split(']').next()?.parse().ok()
}

/// Shows the lines of a packet around a phrase, as somebody would who looks into it.
pub(super) fn glimpse(text: &str, phrase: &str) -> String {
    let Some(number) = line_with(text, phrase) else { return String::new() };
    let begins = |line: &str| line.starts_with(&format!("[{number}]"));
    let inside = text.lines().skip_while(|line| !begins(line)).enumerate();
    let own: Vec<&str> =
        inside.take_while(|(at, line)| *at == 0 || line.starts_with(' ')).map(|(_, line)| line).collect();
    format!("…\n{}\n…\n", own.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_what_they_say() {
        let packet = "RECORD 1\n[1] P: hello\n[2] A: first\n    - second\n[3] P: bye\n";
        assert_eq!(line_with(packet, "second"), Some(2));
        assert_eq!(line_with(packet, "nowhere"), None);
        assert_eq!(glimpse(packet, "second"), "…\n[2] A: first\n    - second\n…\n");
    }
}
