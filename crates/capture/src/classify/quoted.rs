//! What somebody else said, as a person quotes it.

use lore_core::session::Telltale;
use lore_core::words::{Commonness, commonness};

use super::asked;
use super::handed;
use super::lines::{self, Look};
use super::marks::{OWN, REPORTED};
use super::runs::{QUOTED, Row};

/// Shorter paragraphs below an announcement may be the person's own.
const PARAGRAPH: usize = 80;

/// Whoever speaks in a chat has at most so long a name.
const NAME: usize = 30;

/// Who asks about a text below does it within so many lines.
const LEADING: usize = 12;

/// Shorter quotations may be names and values.
const ENCLOSED: usize = 40;

/// Marks the lines that are quoted.
pub(super) fn mark(rows: &mut Vec<Row<'_>>) {
    marked(rows);
    between_quotes(rows);
    enclosed(rows);
    tagged(rows);
    chats(rows);
    stamped(rows);
    messages(rows);
    handed::mark(rows);
    announced(rows);
    asked::mark(rows);
}

/// Lines that begin with `>`: a block of them is a quotation as a whole, with its heads, its greetings and what a program
/// says in it. Amid the output of a program only what reads like words is quoted.
fn marked(rows: &mut [Row<'_>]) {
    let is_blank = |row: &Row<'_>| row.look == Look::Blank;
    let of_program = |row: Option<&Row<'_>>| row.is_some_and(|row| row.look.telltale().is_some());
    let mut at = 0;
    while at < rows.len() {
        let mut end =
            rows[at..].iter().position(|row| unmarked(row.line).is_none()).map_or(rows.len(), |n| at + n);
        if at == end {
            at += 1;
            continue;
        }
        // An empty line between two such blocks is theirs.
        while let Some(next) = (end..rows.len()).find(|next| !is_blank(&rows[*next])) {
            let more = rows[next..].iter().take_while(|row| unmarked(row.line).is_some()).count();
            if more == 0 {
                break;
            }
            end = next + more;
        }
        let prose = |row: &Row<'_>| {
            unmarked(row.line).is_some_and(|rest| lines::look(rest.trim_end()) == Look::Prose)
        };
        let beside = of_program(rows[..at].iter().rfind(|row| !is_blank(row)))
            || of_program(rows[end..].iter().find(|row| !is_blank(row)));
        let whole = !beside && (end - at > 1 || rows[at..end].iter().any(prose));
        rows[at..end]
            .iter_mut()
            .filter(|row| !is_blank(row) && (whole || prose(row)))
            .for_each(|row| row.look = QUOTED);
        at = end;
    }
}

/// Returns what stands behind the marks of a quoted line. A shell of Python asks with three of them.
fn unmarked(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.strip_prefix('>').filter(|_| !line.starts_with(">>> "))?;
    let rest = rest.trim_start_matches('>');
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim_start())
}

/// Lines of a chat that begin with a time of day and who speaks: `10:12 Ada: it leaks`.
fn stamped(rows: &mut [Row<'_>]) {
    for row in rows.iter_mut().filter(|row| matches!(row.look, Look::Prose | Look::Neutral)) {
        let line = row.line.trim().trim_start_matches('[');
        let behind = line.split_once([' ', ']']).filter(|(time, _)| is_hour(time)).map(|(_, rest)| rest);
        let said = behind.and_then(|rest| rest.trim_start_matches([']', '-', '–', ' ']).split_once(": "));
        let spoken = said.is_some_and(|(who, said)| {
            let named = who.split(' ').all(|word| word.starts_with(char::is_uppercase));
            named && who.len() <= NAME && who.split(' ').count() <= 3 && !said.trim().is_empty()
        });
        if spoken {
            row.look = QUOTED;
        }
    }
}

/// Tells a time of day: `10:12`, `9:05:31`.
fn is_hour(time: &str) -> bool {
    let parts: Vec<&str> = time.trim_end_matches(',').split(':').collect();
    let is_number =
        |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts.len(), 2 | 3) && parts.iter().all(is_number)
}

/// Says how long the quotation is that a text begins with, where it ends in it.
pub(super) fn ends_quotation(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let close = match first {
        '"' => '"',
        '“' => '”',
        '„' => '“',
        '«' => '»',
        _ => return None,
    };
    text.char_indices().skip(1).find(|(_, c)| *c == close).map(|(at, c)| at + c.len_utf8())
}

/// Lines between two that hold nothing but three quotation marks.
fn between_quotes(rows: &mut [Row<'_>]) {
    let mut open: Option<usize> = None;
    for at in 0..rows.len() {
        if !matches!(rows[at].line.trim(), "\"\"\"" | "'''") {
            continue;
        }
        match open.take() {
            None => open = Some(at),
            Some(from) => rows[from..=at].iter_mut().for_each(|row| row.look = QUOTED),
        }
    }
}

/// Paragraphs that stand in quotation marks from their first sign to their last, below other words.
fn enclosed(rows: &mut [Row<'_>]) {
    const OPEN: [char; 4] = ['"', '“', '„', '«'];
    const CLOSE: [char; 4] = ['"', '”', '“', '»'];
    let mut from = 0;
    while from < rows.len() {
        let blank = |row: &Row<'_>| row.look == Look::Blank;
        let end = (from..rows.len()).find(|at| blank(&rows[*at])).unwrap_or(rows.len());
        if end > from {
            let (first, last) = (rows[from].line.trim(), rows[end - 1].line.trim());
            let length: usize = rows[from..end].iter().map(|row| row.line.trim().len()).sum();
            let quoted = first.starts_with(OPEN) && last.ends_with(CLOSE) && length >= ENCLOSED;
            let beside = from > 0 || end < rows.len();
            if quoted && beside {
                rows[from..end].iter_mut().for_each(|row| row.look = QUOTED);
            }
        }
        from = end + 1;
    }
}

/// Lines in a row that begin with the same name in brackets: two of them are a log already.
fn tagged(rows: &mut [Row<'_>]) {
    let tag = |line: &str| -> Option<String> {
        let (name, rest) = line.trim_start().strip_prefix('[')?.split_once(']')?;
        let is_name = (2..40).contains(&name.len()) && !name.contains(' ') && rest.starts_with([' ', ':']);
        is_name.then(|| name.to_owned())
    };
    for at in 1..rows.len() {
        if tag(rows[at].line).is_some_and(|own| tag(rows[at - 1].line) == Some(own)) {
            rows[at - 1].look = Look::Strong(Telltale::Log);
            rows[at].look = Look::Strong(Telltale::Log);
        }
    }
}

/// Lines of a chat: each begins with who says it, as `<name>`, or as `Name:` where one answers another.
fn chats(rows: &mut [Row<'_>]) {
    let mut at = 0;
    while at < rows.len() {
        let mut speakers: Vec<Speaker<'_>> = Vec::new();
        for row in &rows[at..] {
            // Where somebody has spoken twice, who answers may be named by what they are.
            let by_office = speakers.len() > 1 && speakers[0] == speakers[1];
            let Some(speaker) = speaker(row.line, by_office) else { break };
            speakers.push(speaker);
        }
        let end = at + speakers.len();
        let marked = speakers.iter().all(|speaker| matches!(speaker, Speaker::Marked));
        // "Oars: …", "Ropes: …", "Oars: …" is somebody's own list: nobody speaks in it.
        let again = (1..speakers.len()).any(|n| speakers[..n].contains(&speakers[n]));
        let several = speakers.windows(2).any(|two| two[0] != two[1]);
        let talk = again && several && rows[at..end].iter().any(|row| speaks(row.line));
        if speakers.len() > 1 && (marked || talk) {
            rows[at..end].iter_mut().for_each(|row| row.look = QUOTED);
        }
        at = end.max(at + 1);
    }
}

/// Who says a line of a chat.
#[derive(PartialEq, Eq)]
enum Speaker<'a> {
    /// A chat's own marks name them.
    Marked,
    /// They are named before a colon.
    Named(&'a str),
}

fn speaker(line: &str, by_office: bool) -> Option<Speaker<'_>> {
    let line = line.trim();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '@' | '+' | '\'');
    let is_name = |name: &str| {
        (2..=NAME).contains(&name.len()) && name.chars().all(is_part) && name.split(' ').count() <= 3
    };
    if let Some((name, said)) = line.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        let said = said.starts_with(' ') && !said.contains("</");
        return (said && is_name(name)).then_some(Speaker::Marked);
    }
    let (name, said) = line.split_once(": ")?;
    // "Rule: …", "Why: …": what is named by a word of every day is no person.
    let of_person = |word: &str| {
        let is_rare = || commonness(&word.to_lowercase()) == Commonness::Rare;
        word.starts_with(char::is_uppercase) && (by_office || is_rare())
    };
    let named = is_name(name) && name.split(' ').all(of_person);
    (named && !said.trim().is_empty()).then_some(Speaker::Named(name))
}

/// How the lines in the head of a letter begin.
const HEADS: [&str; 25] = [
    "From: ",
    "To: ",
    "Cc: ",
    "Subject: ",
    "Date: ",
    "Sent: ",
    "Reply-To: ",
    "Von: ",
    "An: ",
    "Betreff: ",
    "Datum: ",
    "Gesendet: ",
    "De: ",
    "Para: ",
    "Asunto: ",
    "Enviado: ",
    "Assunto: ",
    "À: ",
    "Objet: ",
    "Envoyé: ",
    "Da: ",
    "Oggetto: ",
    "Inviato: ",
    "Van: ",
    "Onderwerp: ",
];

/// Tells a line with the address of a mailbox.
fn names_address(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let word = word.trim_matches(['<', '>', ',', ';', '"']);
        word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
    })
}

/// The head of a letter, or lines that say when a message came; what follows is somebody else's.
fn messages(rows: &mut [Row<'_>]) {
    let is_head = |row: &Row<'_>| HEADS.iter().any(|head| row.line.trim_start().starts_with(head));
    let from_address = |row: &Row<'_>| is_head(row) && names_address(row.line);
    let wrote = |row: &Row<'_>| {
        let line = row.line.trim();
        line.starts_with("On ") && line.ends_with(" wrote:")
    };
    let heads_on = |at: usize| is_head(&rows[at]) && rows.get(at + 1).is_some_and(is_head);
    let letter = (0..rows.len()).find(|at| wrote(&rows[*at]) || from_address(&rows[*at]) || heads_on(*at));
    // Copied from a chat: the time on a line of its own, or names and times above each message.
    let times: Vec<usize> = (0..rows.len()).filter(|at| names_time(rows[*at].line)).collect();
    let is_blank = |at: usize| rows.get(at).is_some_and(|row| row.look == Look::Blank);
    let is_alone = |at: &usize| {
        rows[*at].line.split_whitespace().count() == 2 && *at > 0 && is_blank(at - 1) && is_blank(at + 1)
    };
    let chat = times.first().copied().filter(|at| times.len() > 1 || is_alone(at));
    if let Some(from) = letter.into_iter().chain(chat).min() {
        rows[from..].iter_mut().filter(|row| row.look != Look::Blank).for_each(|row| row.look = QUOTED);
    }
}

/// Tells a line such as `6:11 PM` or `Ada Byron  6:11 PM`.
fn names_time(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [names @ .., time, half] = words.as_slice() else { return false };
    let is_number =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    matches!(*half, "AM" | "PM")
        && time.split_once(':').is_some_and(|(hour, minute)| is_number(hour) && is_number(minute))
        && names.len() <= 3
        && names.iter().all(|name| name.starts_with(char::is_uppercase))
}

/// Paragraphs below a line that announces what somebody else says, for as long as nobody speaks
/// for themselves in them.
fn announced(rows: &mut [Row<'_>]) {
    let mut at = 0;
    while at < rows.len() {
        let row = rows[at];
        at += 1;
        let asks = || at <= LEADING && row.look == Look::Prose && asked::asks_below(row.line);
        if row.look == QUOTED || !announces(row.line) && !asks() {
            continue;
        }
        while at < rows.len() {
            while at < rows.len() && rows[at].look == Look::Blank {
                at += 1;
            }
            let end = (at..rows.len()).find(|end| rows[*end].look == Look::Blank).unwrap_or(rows.len());
            if at == end || !is_report(&rows[at..end]) {
                break;
            }
            rows[at..end].iter_mut().for_each(|row| row.look = QUOTED);
            at = end;
        }
    }
}

fn announces(line: &str) -> bool {
    line.trim_end()
        .strip_suffix(':')
        .is_some_and(|line| words(line).any(|word| REPORTED.contains(&word.as_str())))
}

fn is_report(rows: &[Row<'_>]) -> bool {
    let length: usize = rows.iter().map(|row| row.line.trim().len()).sum();
    let first = rows[0].line.trim();
    let begins = first.starts_with(|c: char| c.is_uppercase() || matches!(c, '`' | '*'));
    length >= PARAGRAPH && begins && !first.ends_with('?') && !rows.iter().any(|row| speaks(row.line))
}

/// Tells whether somebody speaks for themselves or to the agent.
pub(super) fn speaks(line: &str) -> bool {
    words(line).any(|word| OWN.contains(&word.as_str()))
}

fn words(line: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    line.split(move |c: char| !is_part(c)).map(|word| word.replace('’', "'").to_lowercase())
}
