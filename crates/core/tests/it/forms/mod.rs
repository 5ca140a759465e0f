//! Everyday forms of secrets, made by code: families of secrets times the ways in which tools print them.
//!
//! Nothing here is a key that anyone ever had: every value is drawn when the test runs. A third of the
//! forms, chosen by a hash of their names, was held out while the rules were made.

mod families;
mod lookalikes;

pub(crate) use families::families;
pub(crate) use lookalikes::lookalikes;

/// Marks where a secret begins and ends in a text that is still to be printed.
pub(crate) const OPEN: char = '\u{1}';
pub(crate) const CLOSE: char = '\u{2}';

/// One secret as somebody wrote it down.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The lines, with marks around what has to go.
    pub(crate) text: String,
}

/// One family in one printing.
pub(crate) struct Form {
    pub(crate) family: &'static str,
    pub(crate) printing: &'static str,
    pub(crate) text: String,
    /// Where the secrets stand, in bytes.
    pub(crate) secrets: Vec<(usize, usize)>,
    /// Whether it was out of sight while the rules were made.
    pub(crate) held_out: bool,
}

/// The ways in which agents and tools print a file.
pub(crate) const PRINTINGS: &[&str] = &[
    "plain",
    "number and arrow",
    "number and tab",
    "grep",
    "grep with path",
    "grep context",
    "quote",
    "added line",
    "removed line",
    "indented",
    "comment",
    "JSON string",
    "JSON string with numbers",
    "heredoc",
    "fence",
];

/// Prints a text in one of the ways.
pub(crate) fn print(text: &str, printing: &str) -> String {
    let each = |before: &dyn Fn(usize) -> String| {
        let lines = text.split('\n').enumerate().map(|(index, line)| match line.strip_prefix(OPEN) {
            // A mark at the beginning of a line stays before the secret, not before what is printed.
            Some(rest) => format!("{}{OPEN}{rest}", before(index + 1)),
            None => format!("{}{line}", before(index + 1)),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let escaped = |text: &str| {
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
    };
    match printing {
        "number and arrow" => each(&|line| format!("{line:>6}→")),
        "number and tab" => each(&|line| format!("{line:>6}\t")),
        "grep" => each(&|line| format!("{}:", line + 11)),
        "grep with path" => each(&|line| format!("deploy/notes.txt:{}:", line + 40)),
        "grep context" => each(&|line| format!("{}-", line + 11)),
        "quote" => each(&|_| "> ".to_owned()),
        "added line" => each(&|_| "+".to_owned()),
        "removed line" => each(&|_| "-".to_owned()),
        "indented" => each(&|_| "        ".to_owned()),
        "comment" => each(&|_| "# ".to_owned()),
        "JSON string" => format!("{{\"stdout\":\"{}\",\"code\":0}}", escaped(text)),
        "JSON string with numbers" => {
            format!("{{\"content\":\"{}\"}}", escaped(&print(text, "number and arrow")))
        }
        "heredoc" => format!("cat <<'EOF' > notes\n{text}\nEOF\n"),
        "fence" => format!("Here it is:\n\n```\n{text}\n```\nand that is all."),
        _ => text.to_owned(),
    }
}

/// Makes every form.
pub(crate) fn all() -> Vec<Form> {
    let mut out = Vec::new();
    for Family { name, text } in families() {
        for printing in PRINTINGS {
            let marked = print(&text, printing);
            let mut plain = String::new();
            let mut secrets = Vec::new();
            let mut start = 0;
            for c in marked.chars() {
                match c {
                    OPEN => start = plain.len(),
                    CLOSE => secrets.push((start, plain.len())),
                    _ => plain.push(c),
                }
            }
            let held_out = hash(&format!("{name}/{printing}")).is_multiple_of(3);
            out.push(Form { family: name, printing, text: plain, secrets, held_out });
        }
    }
    out
}

/// A hash that stays what it is.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Tells whether nine tenths of a secret are covered.
pub(crate) fn is_covered(secret: (usize, usize), found: &[std::ops::Range<usize>]) -> bool {
    let covered: usize =
        found.iter().map(|range| range.end.min(secret.1).saturating_sub(range.start.max(secret.0))).sum();
    covered * 10 >= (secret.1 - secret.0) * 9
}
