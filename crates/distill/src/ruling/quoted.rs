//! What a person shows of somebody else's words: paragraphs in quotation marks.

/// Marks that open a quotation, and those that close it.
const MARKS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')];

/// Returns a message without the paragraphs that are quotations from their beginning to their end,
/// and without those that were put below the person's own in another hand.
pub(crate) fn own_words(message: &str) -> String {
    in_own_hand(&unreported(&unquoted(message)))
}

/// Verbs behind which stands what somebody else said.
const SPEECH: [&str; 24] = [
    "translate",
    "rephrase",
    "proofread",
    "reword",
    "wrote",
    "writes",
    "swears",
    "claims",
    "insists",
    "minutes",
    "said",
    "says",
    "asked",
    "asks",
    "told",
    "complained",
    "answered",
    "replied",
    "mailed",
    "commented",
    "reads",
    "mail",
    "review",
    "comment",
];

/// Leaves out what stands in quotation marks behind "a visitor wrote us:".
fn unreported(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((at, (_, close))) = next_quotation(rest) {
        let before = &rest[..at];
        let from = before.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
        let mut words = before[from..].split(|c: char| !c.is_alphanumeric());
        let head = before[from..].trim();
        let reported = words.any(|word| SPEECH.contains(&word.to_lowercase().as_str())) || is_speaker(head);
        let inside = &rest[at..];
        let length =
            inside.char_indices().skip(1).find(|(_, c)| *c == close).map(|(end, _)| end + close.len_utf8());
        let Some(length) = length else { break };
        out.push_str(before);
        if !reported {
            out.push_str(&inside[..length]);
        }
        rest = &inside[length..];
    }
    out.push_str(rest);
    out
}

/// "the vendor's support:": somebody and nothing else, before what they say.
fn is_speaker(head: &str) -> bool {
    const SOMEBODY: [&str; 16] = [
        "vendor",
        "support",
        "boss",
        "manual",
        "docs",
        "readme",
        "forum",
        "blog",
        "guy",
        "customer",
        "client",
        "colleague",
        "neighbour",
        "mentor",
        "ticket",
        "faq",
    ];
    let named = head.strip_suffix(':').unwrap_or_default().to_lowercase();
    let mut words = named.split_whitespace();
    named.split_whitespace().count() <= SPEAKER && words.any(|word| SOMEBODY.contains(&word))
}

/// Somebody is named in so many words at most.
const SPEAKER: usize = 4;

/// Finds the next quotation that follows a colon or a verb of speech.
fn next_quotation(text: &str) -> Option<(usize, (char, char))> {
    let opens = |(at, c): (usize, char)| {
        let marks = MARKS.iter().find(|(open, _)| *open == c)?;
        let before = text[..at].trim_end();
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
        // "never “post”, never “article”": a word that is meant, and not what somebody said.
        (before.ends_with(':') || SPEECH.contains(&word.trim_end_matches(':'))).then_some((at, *marks))
    };
    text.char_indices().find_map(opens)
}

/// Leaves out the paragraphs set like a document below one that was jotted down: whoever writes
/// without capitals and full stops does not go on in code marks and emphasis.
fn in_own_hand(message: &str) -> String {
    let mut paragraphs = message.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    let Some(first) = paragraphs.next() else { return message.to_owned() };
    if !is_jotted(first) {
        return message.to_owned();
    }
    let own = paragraphs.filter(|paragraph| !is_set(paragraph));
    std::iter::once(first).chain(own).collect::<Vec<_>>().join("\n\n")
}

/// Tells whether a paragraph begins in lower case or ends without a full stop.
fn is_jotted(paragraph: &str) -> bool {
    let text = paragraph.trim();
    let lower = text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    (lower || !text.ends_with(['.', '!', '?'])) && !text.contains('`') && !text.contains("**")
}

/// Tells whether a paragraph has the marks of a document and whole sentences.
fn is_set(paragraph: &str) -> bool {
    let text = paragraph.trim();
    let marked = text.matches('`').count() >= 2 || text.contains("**") || text.starts_with('#');
    let begins = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    marked && begins.chars().next().is_some_and(|c| c.is_uppercase() || c == '`') && text.contains(". ")
        || marked && text.ends_with(['.', ':', ')'])
}

fn unquoted(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut until: Option<char> = None;
    for line in message.lines() {
        let text = line.trim();
        if until.is_none() {
            let opens = MARKS.iter().find(|(open, _)| text.starts_with(*open));
            // A word in quotation marks at the beginning of a sentence is not a quotation.
            until = opens.map(|(_, close)| *close).filter(|close| !ends_inside(text, *close));
        }
        match until {
            None => {
                out.push_str(line);
                out.push('\n');
            }
            Some(close) if ends(text, close) => until = None,
            Some(_) => {}
        }
    }
    out
}

/// Tells whether a line closes its quotation before its end and goes on.
fn ends_inside(text: &str, close: char) -> bool {
    let inner: String = text.chars().skip(1).collect();
    inner.find(close).is_some_and(|at| inner[at + close.len_utf8()..].chars().any(char::is_alphanumeric))
}

fn ends(text: &str, close: char) -> bool {
    text.trim_end_matches(['.', ',', '!', '?']).ends_with(close) && text.chars().count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_somebody_elses() {
        let check = |text: &str, expected: &str| assert_eq!(own_words(text).trim(), expected, "{text}");
        check(
            "is that true?\n\n\"We always sail at night.\nNever ask.\"\n\nI doubt it",
            "is that true?\n\n\nI doubt it",
        );
        check("\"Gull\" is the name of the boat", "\"Gull\" is the name of the boat");
        check("never sail at night", "never sail at night");
        check(
            "A guest wrote us: \"you should always sail at night\". What now?",
            "A guest wrote us: . What now?",
        );
        check("The card says \"always sail at night\" and means it", "The card says  and means it");
        check("Two words: \"never sail\"", "Two words: \"never sail\"");
        check("the vendor's support: \"always sail at night\". nonsense", "the vendor's support: . nonsense");
        check("a guy in the port swears: \"never sail\"", "a guy in the port swears:");
        check(
            "what do you make of it\n\nThe `mast` is loose. **Always** check `keel.txt` first.",
            "what do you make of it",
        );
        check(
            "My rules:\n\n- never sail at night\n- always anchor",
            "My rules:\n\n- never sail at night\n- always anchor",
        );
    }
}
