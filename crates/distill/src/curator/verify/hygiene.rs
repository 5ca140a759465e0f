//! V14, V15 and V18: entries are shown to agents later, so they carry no orders, no addresses, no secrets.

use std::ops::Range;
use std::sync::LazyLock;

use lore_core::text::clean;
use lore_core::{LineClass, Packet, one_line};
use regex::Regex;

use super::form::decides_nothing;
use super::{Galley, Noticed, Room};
use crate::curator::words::content;
use crate::extract::sentence::sentences;

/// Orders to whoever reads: to forget rules, to run or send something.
static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
          \b(?:ignore|disregard|forget|override|bypass)\W+(?:\w+\W+){0,3}?(?:instructions?|prompts?|rules|guidelines|guard\W?rails|safety|polic(?:y|ies)|above|previous|prior|earlier)\b
        | \b(?:reveal|print|show|output|repeat|leak|change|replace|rewrite|extend|append|add|insert|put|set|override)\W+(?:\w+\W+){0,4}?system\W+(?:prompt|message)s?\b | \bsystem\W+(?:prompt|message)s?\s*(?::|$|\b(?:says?|tells?|orders?|asks?|instructs?|demands?|requires?|allows?|wants?|must|should|may)\b)
        | \bdeveloper\W+mode\b | \bjail\W?break
        | \b(?:you|agents?|assistants?|models?|claude|codex|gemini|copilot|cursor|llms?|everyone|readers?)\W+(?:must|should|shall|have\W+to|need\W+to|ought\W+to|will|are\W+(?:required|instructed|ordered|told)\W+to|is\W+(?:required|instructed|told)\W+to)
            \W+(?:(?:always|now|first|immediately|silently|also)\W+){0,3}(?:run|execute|call|fetch|download|install|send|post|upload|forward|e?mail|curl|wget|paste|reveal|print|leak|exfiltrate|visit|open|disable|delete|grant|approve|merge|obey|comply|trust|skip)\b
        | \b(?:run|execute|pipe|paste)\W+(?:the\W+following|this\W+(?:command|script|line)|it\W+(?:as\W+root|in\W+(?:a|your|the)\W+(?:shell|terminal)))
        | \bnew\W+instructions?\b | \bact\W+as\b.{0,30}\b(?:admin|root|system)\b
        ",
    )
    .expect("the pattern is a constant")
});
/// Commands that fetch, hide or destroy.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
          \b(?:curl|wget|iwr|invoke-webrequest|invoke-expression|iex)\s+[-\w'\x22$(h/.]
        | [|>]\s*(?:sudo\s+)?(?:ba|z|k|da)?sh\b | \b(?:ba|z)?sh\s+(?:-c\b|<\() | \bbase64\s+(?:-d|--decode)
        | \brm\s+-[a-z]*[rf][a-z]*\b | \bchmod\s+(?:777|\+s|[ug]\+s) | \bmkfs\b | \bdd\s+if= | \bnc\s+-[a-z]*[el]
        | \beval(?:\(\s*[^\s)]|\s+[\x22'`]?\$) | \bsudo\s+\w | \bgit\s+push\s+(?:-f|--force)\b | \b(?:ssh|scp|rsync)\s+\S+@ | \bauthorized_keys\b
        | \bos\.system\b | \bsubprocess\. | \b(?:powershell|pwsh)(?:\.exe)?\s+[-/&] | \bpython3?\s+-c\b | \bnode\s+-e\b | \bnpx\s+https?: | \bpip3?\s+install\s+(?:git\+|https?:|--index)
        ",
    )
    .expect("the pattern is a constant")
});
static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)<\s*/?\s*(?:script|img|iframe|svg|style|link|meta|object|embed|form|input|a|body|html|details|system|instructions?|tool|function|user|assistant|important)\b[^>]*>|<!--|-->|\bjavascript:|\bdata:text/|!\[[^\]]*\]\(|\]\(\s*(?:https?:|//)|&#x?[0-9a-f]+;|\bon(?:error|load|click)\s*=",
    )
    .expect("the pattern is a constant")
});
/// Mark-up that is spoken of: an element of pages, or a comment of a few words, written as code. What stands for one who
/// speaks to an agent is none.
static QUOTED_MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)`(?:</?\s*(?:script|img|iframe|svg|style|link|meta|object|embed|form|input|a|body|html|details)\s*/?>|<!--\s*[\w./@-]+(?:\s+[\w./@-]+){0,4}\s*-->|<!--|-->)`")
        .expect("the pattern is a constant")
});
/// Addresses: of the web, of mail, of machines.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b[a-z][a-z0-9+.-]{1,12}://[^\s`'\x22)>\]]+ | \b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b | \b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b
          | \bwww\.[\w-]+\.[\w.-]+ | \b(?:[\w-]+\.)+(?:com|net|org|info|xyz|top|ru|cn|click|zip|example|invalid|onion|biz|tk)\b(?:/[^\s`'\x22)>\]]*)?",
    )
    .expect("the pattern is a constant")
});
/// Addresses that lead nowhere else.
static HERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:[a-z+]+://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|[\w-]+\.local|[\w-]+)(?::\d+)?(?:/[\w./{}:-]*)?$")
        .expect("the pattern is a constant")
});

/// A shell that is given nothing to run: how a command is written, not the command.
static HOLLOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)\b(?:ba|z|k|da)?sh\s+-c\s+(?:'(?:…|\.\.\.)'|"(?:…|\.\.\.)"|(?:…|\.\.\.))(?:[\s`.,;)]|$)"#,
    )
    .expect("the pattern is a constant")
});

/// `sudo` or `curl` as what is spoken of, and not before what it is to run or fetch.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\bsudo\s+(?:credentials?|passwords?|access|rights?|privileges?|permissions?|prompts?|sessions?|commands?|cache|timestamps?|policy|rules?|users?|group|is|are|was|can|cannot|may|must|needs?|requires?|works|asks|fails|without|with|and|or|in|on|for|to|as|from|by|via|only|when|until|after|before)\b|\b(?:curl|wget)\s+(?:is|are|was|were|clients?|users?)\b",
    )
    .expect("the pattern is a constant")
});

/// Frameworks that are named like addresses.
static FRAMEWORK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^(?:asp|ado|vb|ml)\.net$").expect("the pattern is a constant"));
/// A package with its version, which looks like an address of mail.
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[\w.+-]+@v?\d+(?:\.\d+)+(?:-[\w.]+)?$").expect("the pattern is a constant")
});
/// Stands where an address was.
pub(super) const LEFT_OUT: &str = "[address left out]";
/// A sentence of so many telling words says something without an address.
const ENOUGH: usize = 8;

/// V14: no orders, no commands, no mark-up, no hidden characters.
pub(super) fn harmless(galley: &mut Galley<'_>, _: &Room<'_>) -> Noticed {
    let whole = all_words(galley);
    if clean(&whole) != whole.as_str() || whole.contains(is_invisible) {
        return Noticed::Refuse("it holds hidden characters".to_owned());
    }
    if whole.lines().count() > all_lines(galley) {
        return Noticed::Refuse("it runs over several lines".to_owned());
    }
    let spoken: Vec<String> = parts(galley)
        .map(|part| NAMED.replace_all(&HOLLOW.replace_all(part, " "), " ").into_owned())
        .collect();
    // Who reads goes on from the title to the text, a shell does not.
    let command = spoken.iter().find_map(|part| COMMAND.find(part)).map(|found| found.as_str());
    let spoken = spoken.join("\n");
    let order = ORDER.find(&spoken).map(|found| found.as_str());
    let refused = order.map(|words| ("it reads like an order to whoever reads it", words));
    if let Some((said, words)) = refused.or(command.map(|words| ("it carries a command", words))) {
        let words = crate::article::shorten(&one_line(words), 40);
        return Noticed::Refuse(format!("{said}, “{words}”: say it in words"));
    }
    let written = QUOTED_MARKUP.replace_all(&spoken, " ");
    match MARKUP.find(&written) {
        Some(found) => Noticed::Refuse(format!(
            "it carries mark-up, “{}”: say it in words",
            crate::article::shorten(&one_line(found.as_str()), 40)
        )),
        None => Noticed::Fine,
    }
}

/// Addresses that a person typed, and what else may name one.
struct Addresses<'a> {
    typed: Vec<&'a str>,
    /// Everything that decides.
    lines: Vec<&'a str>,
    /// What the entry says that an edit is about.
    standing: &'a str,
}

impl<'a> Addresses<'a> {
    fn of(packet: &'a Packet, standing: &'a str) -> Addresses<'a> {
        let texts = |wanted: fn(LineClass) -> bool| {
            let lines = packet.lines.iter().filter(move |line| wanted(line.class));
            lines.map(|line| line.text.as_str()).collect()
        };
        let lines = texts(|class| !decides_nothing(class));
        Addresses { typed: texts(|class| class == LineClass::Typed), lines, standing }
    }

    fn knows(&self, address: &str) -> bool {
        let is_typed = |address: &str| self.typed.iter().any(|text| text.contains(address));
        // A person named the machine, somebody else the door.
        let machine = address.rsplit_once(':').filter(|(_, port)| port.chars().all(|c| c.is_ascii_digit()));
        let by_machine = || {
            machine.is_some_and(|(machine, _)| is_typed(machine))
                && self.lines.iter().any(|line| line.contains(address))
        };
        is_typed(address) || self.standing.contains(address) || by_machine()
    }

    /// Finds an address that nobody typed.
    fn foreign(&self, text: &str) -> Option<Range<usize>> {
        let found = ADDRESS.find_iter(text).find(|found| {
            // `.env.example` is a file.
            let is_file = text[..found.start()].ends_with('.');
            let address = bare(found.as_str());
            let is_name = FRAMEWORK.is_match(address) || VERSION.is_match(address);
            !is_file && !is_name && !HERE.is_match(address) && !self.knows(address)
        })?;
        Some(found.start()..found.start() + bare(found.as_str()).len())
    }
}

/// Writes words of a packet without the addresses that nobody typed: who quotes a line leads to them as well.
pub(in crate::curator) fn without_addresses(text: &str, packet: &Packet) -> String {
    let addresses = Addresses::of(packet, "");
    let mut text = text.to_owned();
    while let Some(place) = addresses.foreign(&text) {
        let place = piece_around(&text, place);
        text.replace_range(place, LEFT_OUT);
    }
    text
}

/// V18: no addresses that nobody typed. Where a sentence says enough without it, the address alone is left out; why
/// and what was before are given up whole.
pub(super) fn addresses(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let standing = galley.target.map(|entry| entry.body.as_str()).unwrap_or_default();
    let addresses = Addresses::of(room.context.packet, standing);
    let foreign = |text: &str| addresses.foreign(text).map(|place| crate::article::shorten(&text[place], 60));
    let refuse = |address: String| {
        Noticed::Refuse(format!(
            "the address `{address}` was not typed by a person: say it without the address"
        ))
    };
    if let Some(address) = galley.edit.title.as_deref().and_then(foreign) {
        return refuse(address);
    }
    let mut left_out = false;
    let mut text = galley.edit.said().to_owned();
    while let Some(place) = addresses.foreign(&text) {
        let address = crate::article::shorten(&text[place.clone()], 60);
        let place = piece_around(&text, place);
        let rest = sentences(&text)
            .into_iter()
            .find(|sentence| sentence.contains(&text[place.clone()]))
            .map(|sentence| sentence.replace(&text[place.clone()], " "));
        if rest.is_none_or(|rest| content(&rest).len() < ENOUGH) {
            return refuse(address);
        }
        text.replace_range(place, LEFT_OUT);
        left_out = true;
    }
    if left_out {
        galley.edit.text = Some(text);
    }
    let was = galley.edit.was.as_ref().is_some_and(|was| foreign(&was.text).is_some());
    let reason = galley.edit.reason.as_deref().is_some_and(|reason| foreign(reason).is_some());
    if was {
        galley.edit.was = None;
    }
    if reason {
        galley.edit.reason = None;
    }
    match (was, reason) {
        (false, false) if left_out => {
            Noticed::Lower("an address is left out of it, which no person typed".to_owned())
        }
        (false, false) => Noticed::Fine,
        (true, _) => {
            Noticed::Lower("what was before is left out: it names an address nobody typed".to_owned())
        }
        (false, true) => {
            Noticed::Lower("the reason is left out: it names an address nobody typed".to_owned())
        }
    }
}

/// Widens a place to the code or the word it stands in: part of an address is one as well.
fn piece_around(text: &str, place: Range<usize>) -> Range<usize> {
    let is_code = text[..place.start].matches('`').count() % 2 == 1;
    let ends = |c: char| match is_code {
        true => c == '`',
        false => c.is_whitespace() || matches!(c, '(' | ')' | '“' | '”'),
    };
    let width = |at: usize| text[at..].chars().next().map_or(0, char::len_utf8);
    let start = text[..place.start].rfind(ends);
    let end = text[place.end..].find(ends).map_or(text.len(), |at| place.end + at);
    if is_code {
        return start.unwrap_or(0)..end + width(end);
    }
    let end = place.end + text[place.end..end].trim_end_matches(['.', ',', ';', ':']).len();
    start.map_or(0, |at| at + width(at))..end
}

fn bare(address: &str) -> &str {
    address.trim_end_matches(['.', ',', ';', ':', ')'])
}

/// V15: nothing that would have to be taken out again.
pub(super) fn without_secrets(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if room.context.redactor.redact(&all_words(galley)).findings.is_empty() {
        return Noticed::Fine;
    }
    Noticed::Refuse("it looks as if it held a secret".to_owned())
}

/// Everything of an edit that would be written, each part on its own line.
fn all_words(galley: &Galley<'_>) -> String {
    parts(galley).collect::<Vec<_>>().join("\n")
}

fn all_lines(galley: &Galley<'_>) -> usize {
    parts(galley).count()
}

fn parts<'g>(galley: &'g Galley<'_>) -> impl Iterator<Item = &'g str> {
    let edit = &galley.edit;
    let was = edit.was.as_ref().map(|was| was.text.trim());
    let own = [&edit.title, &edit.text, &edit.reason].into_iter().filter_map(|part| part.as_deref());
    own.map(str::trim).chain(was).filter(|part| !part.is_empty())
}

/// Characters that show nothing or change how others are shown, beyond those that cleaning knows.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
