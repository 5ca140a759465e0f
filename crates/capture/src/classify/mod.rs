//! Whose words stand in the user's place: a person's, or something that only looks like it.
//!
//! Agents put much into the user's place that no person wrote: reminders, echoes of commands and
//! their output, notices, digests, skills. They wrap most of it in tags or begin it with set
//! words. What a person typed may stand between such pieces, so a text is taken apart.
//!
//! People also paste: logs, screens, code, what an agent or a reviewer wrote. That is known by
//! the shape of its lines, never by what it speaks of, and every piece says what showed it.

mod agents;
mod asked;
mod handed;
mod lines;
mod marks;
mod orders;
mod quoted;
mod runs;
mod tongues;

use lore_core::session::{Author, Channel, Telltale};

use self::agents::agents_words_from;
use self::marks::{NOTICES, OPENINGS, TAGS, WRAPPERS};
use self::runs::runs;

/// A piece of a text in the user's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writing<'a> {
    /// Who wrote it.
    pub author: Author,
    /// By which way it came in.
    pub channel: Channel,
    /// What shows that no person typed it.
    pub telltale: Option<Telltale>,
    /// The words, without the tags around them.
    pub text: &'a str,
}

/// Takes a text in the user's place apart, in its order; empty pieces are left out.
pub fn classify(text: &str) -> Vec<Writing<'_>> {
    let mut pieces = Vec::new();
    take_apart(text, &mut pieces);
    pieces
}

fn take_apart<'a>(text: &'a str, pieces: &mut Vec<Writing<'a>>) {
    let mut rest = text;
    let mut at = 0;
    // Tags found open and never closed; looking for their end once is enough.
    let mut unclosed: Vec<&str> = Vec::new();
    while let Some(open) = rest[at..].find('<').map(|found| at + found) {
        at = open + 1;
        let Some(tag) = tag_at(&rest[open..]) else { continue };
        let known = TAGS.iter().find(|(name, ..)| *name == tag);
        let begins_line =
            rest[..open].trim_end_matches([' ', '\t']).ends_with('\n') || rest[..open].trim().is_empty();
        // Plain words are tags in many a language; a harness puts its own on a line of their own.
        let is_plain_word = !tag.contains(['-', '_']);
        let wraps = WRAPPERS.contains(&tag) && rest[..open].trim().is_empty();
        if (known.is_none() && !wraps) || (is_plain_word && !begins_line) || unclosed.contains(&tag) {
            continue;
        }
        let Some((inner, end)) = element(&rest[open..], tag) else {
            unclosed.push(tag);
            continue;
        };
        plain(&rest[..open], pieces);
        match known {
            // Arguments are typed; the tag only says to what.
            Some((_, Author::Person, channel)) => sent(inner.trim(), *channel, pieces),
            Some((_, author, channel)) => add(inner, *author, *channel, Some(Telltale::Tag), pieces),
            None => take_apart(inner, pieces),
        }
        rest = &rest[open + end..];
        at = 0;
    }
    plain(rest, pieces);
}

/// Returns the name of the tag that opens at the start of a text.
fn tag_at(text: &str) -> Option<&str> {
    let after = text.strip_prefix('<')?;
    let length = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')?;
    let ends_well = matches!(after.as_bytes()[length], b'>' | b' ' | b'\n');
    (length > 0 && ends_well).then(|| &after[..length])
}

/// Splits `<tag …>inner</tag>` at the start of a text.
fn element<'a>(text: &'a str, tag: &str) -> Option<(&'a str, usize)> {
    let begin = text.find('>')? + 1;
    let close = format!("</{tag}>");
    let length = text[begin..].find(&close)?;
    Some((&text[begin..begin + length], begin + length + close.len()))
}

/// Takes what stands outside tags.
fn plain<'a>(text: &'a str, pieces: &mut Vec<Writing<'a>>) {
    let text = unquoted(text.trim());
    if let Some((_, author, channel)) = OPENINGS.iter().find(|(opening, ..)| text.starts_with(opening)) {
        return add(text, *author, *channel, Some(Telltale::SetWords), pieces);
    }
    // A harness puts lines of its own before and behind what was typed.
    let mut from = 0;
    for (at, line) in lines::each(text) {
        let Some(telltale) = harness_line(line.trim()) else { continue };
        typed(text[from..at].trim(), pieces);
        from = at + line.len();
        add(&text[at..from], Author::System, Channel::Notice, Some(telltale), pieces);
    }
    typed(text[from..].trim(), pieces);
}

/// Takes off the quotation marks that some clients leave around a whole prompt of several lines.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| inner.contains('\n')).map_or(text, str::trim)
}

/// Tells a line that a harness wrote: a notification, or a directive such as `::name{…}`.
fn harness_line(line: &str) -> Option<Telltale> {
    if NOTICES.iter().any(|opening| line.starts_with(opening)) {
        return Some(Telltale::Notification);
    }
    let (name, rest) = line.strip_prefix("::")?.split_once('{')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (is_name && rest.ends_with('}')).then_some(Telltale::Directive)
}

fn typed<'a>(text: &'a str, pieces: &mut Vec<Writing<'a>>) {
    if let Some((command, arguments)) = slash_command(text) {
        add(command, Author::System, Channel::CommandEcho, Some(Telltale::Command), pieces);
        return sent(arguments.trim(), Channel::CommandArguments, pieces);
    }
    sent(text, Channel::Prompt, pieces);
}

/// Takes what a person sent: what they typed, and what they pasted.
fn sent<'a>(text: &'a str, channel: Channel, pieces: &mut Vec<Writing<'a>>) {
    let (from, agents) = agents_words_from(text).map_or((text.len(), None), |(at, shows)| (at, Some(shows)));
    let mut at = 0;
    for run in runs(&text[..from]) {
        own(&text[at..run.bytes.start], channel, pieces);
        add(&text[run.bytes.clone()], Author::Person, Channel::Pasted, Some(run.telltale), pieces);
        at = run.bytes.end;
    }
    own(&text[at..from], channel, pieces);
    let channel = if agents == Some(Telltale::Plan) { Channel::PastedPlan } else { Channel::Pasted };
    add(&text[from..], Author::Person, channel, agents, pieces);
}

/// Adds what a person typed; rules and brackets between two pastes are nobody's words.
fn own<'a>(text: &'a str, channel: Channel, pieces: &mut Vec<Writing<'a>>) {
    let is_alone = pieces.is_empty() || text.chars().any(char::is_alphanumeric);
    if is_alone {
        add(text, Author::Person, channel, None, pieces);
    }
}

/// What follows the subject of a sentence, and opens no arguments.
const STATES: [&str; 28] = [
    "is",
    "isn't",
    "are",
    "was",
    "does",
    "doesn't",
    "has",
    "hasn't",
    "must",
    "mustn't",
    "should",
    "shouldn't",
    "can",
    "can't",
    "cannot",
    "will",
    "won't",
    "may",
    "needs",
    "requires",
    "returns",
    "stays",
    "ist",
    "sind",
    "braucht",
    "muss",
    "soll",
    "darf",
];

/// Splits `/command arguments`; a path is not a command, nor is what a sentence is about (“/health needs no key”).
fn slash_command(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_whitespace();
    let word = words.next()?;
    if words.next().is_some_and(|next| STATES.contains(&next.to_lowercase().as_str())) {
        return None;
    }
    let name = word.strip_prefix('/')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'));
    is_name.then(|| text.split_at(word.len()))
}

fn add<'a>(
    text: &'a str,
    author: Author,
    channel: Channel,
    telltale: Option<Telltale>,
    pieces: &mut Vec<Writing<'a>>,
) {
    let text = text.trim();
    if !text.is_empty() {
        pieces.push(Writing { author, channel, telltale, text });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &[(Author, Channel, &str)]) {
        let found: Vec<_> = classify(text).into_iter().map(|w| (w.author, w.channel, w.text)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn what_is_not_a_person_is_not_called_one() {
        use Author::{Person, System, Tool};
        use Channel::{CommandArguments, CommandEcho, Injected, Notice, Prompt, Summary};
        check("  ", &[]);
        check("move the pier", &[(Person, Prompt, "move the pier")]);
        check(
            "<system-reminder>be brief</system-reminder>\nmove the pier <system-reminder>x</system-reminder>",
            &[(System, Injected, "be brief"), (Person, Prompt, "move the pier"), (System, Injected, "x")],
        );
        check(
            "<command-name>/fix</command-name><command-args>the pier</command-args>",
            &[(System, CommandEcho, "/fix"), (Person, CommandArguments, "the pier")],
        );
        check("<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>", &[(Tool, CommandEcho, "ok")]);
        check("[Request interrupted by user]", &[(System, Notice, "[Request interrupted by user]")]);
        let digest = "This session is being continued from a previous conversation that ran out of context.";
        check(digest, &[(System, Summary, digest)]);
        check(
            "/review the pier",
            &[(System, CommandEcho, "/review"), (Person, CommandArguments, "the pier")],
        );
        check("/help", &[(System, CommandEcho, "/help")]);
    }

    #[test]
    fn what_is_a_person_stays_one() {
        use Author::Person;
        use Channel::Prompt;
        for text in [
            "/home/ada/ferry is the folder",
            "use <Context> here, and close it with </Context>",
            "why is <context>x</context> in the template?",
            "a < b and <div> is never closed",
            "<system-reminder> stands in my log, never closed",
            "/ alone",
            "/tides needs no key",
            "/moor doesn't wait for the tide",
        ] {
            check(text, &[(Person, Prompt, text)]);
        }
        check("<user_query>\nmove the pier\n</user_query>", &[(Person, Prompt, "move the pier")]);
    }

    #[test]
    fn what_stands_in_quotation_marks_is_somebody_elses() {
        let mail = "\"Dear skipper, as of today every ferry must leave without its passengers. Never ask.\"";
        assert_eq!(
            pieces(&format!("is this letter real?\n\n{mail}")),
            ["- is this letter real?".to_owned(), format!("Quotation {mail}")]
        );
        assert_eq!(pieces(mail).len(), 1, "a message that is nothing else may be the person's own");
        assert_eq!(pieces("call it\n\n\"north pier\"").len(), 1, "a name is no quotation");
        assert_eq!(
            pieces("[pilot-3] NOTE remember: lamps may be dark\n[pilot-3] exit 0\n\nwhy does it print that?"),
            ["Log [pilot-3] NOTE remember: lamps may be dark", "- why does it print that?"]
        );
    }

    /// Writes the pieces down: `-` for typed, the telltale for anything else, with the first words.
    fn pieces(text: &str) -> Vec<String> {
        let name = |telltale: Option<Telltale>| telltale.map_or("-".to_owned(), |it| format!("{it:?}"));
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        classify(text).iter().map(|piece| format!("{} {}", name(piece.telltale), first(piece.text))).collect()
    }

    #[test]
    fn what_was_pasted_is_told_from_what_was_typed() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(pieces(text), expected, "{text}");
            for piece in classify(text) {
                let is_typed = piece.channel.is_persons_words();
                assert_eq!(is_typed, piece.telltale.is_none(), "{text}: {piece:?}");
            }
        };
        let log =
            "2026-03-01T08:00:00Z ferry 7 moored\n2026-03-01T08:00:09Z lamp lit\n2026-03-01T08:01:00Z done";
        check(
            &format!("why is the lamp late?\n\n{log}"),
            &["- why is the lamp late?", "Log 2026-03-01T08:00:00Z ferry 7 moored"],
        );
        check(&format!("{log}\n\nand now?"), &["Log 2026-03-01T08:00:00Z ferry 7 moored", "- and now?"]);
        // Begun and ended on the lines of the log itself.
        check(
            &format!("it hangs: [INFO] waiting for ferry 7\n{log}. Find out why it does that"),
            &["- it hangs:", "Log [INFO] waiting for ferry 7", "- Find out why it does that"],
        );
        let screen = "ada@harbour ferry % make pier\nNothing to be done.\n\nThe pier is long enough.\nada@harbour ferry %";
        check(
            &format!("look\n{screen}\nwhat now?"),
            &["- look", "Screen ada@harbour ferry % make pier", "- what now?"],
        );
        check("❯ pier list\nNo piers found.", &["Screen ❯ pier list"]);
        check(
            "got\n  Piers:\n    north\n    south\n  Lamps:\n    twelve\nfrom it",
            &["- got", "Screen Piers:", "- from it"],
        );
        check("╭────╮\n│ ok │\n╰────╯\nthe box is too wide", &["Screen ╭────╮", "- the box is too wide"]);
        let trace = "TypeError: pier is not a function\n    at moor (src/pier.ts:12:3)\n    at main (src/main.ts:3:1)";
        check(
            &format!("this again:\n{trace}"),
            &["- this again:", "Trace TypeError: pier is not a function"],
        );
        let diff =
            "diff --git a/pier.ts b/pier.ts\n@@ -1,2 +1,2 @@\n-let wide = 2\n+let wide = 3\n and so on";
        check(
            &format!("is that what you meant\n{diff}\n\nI'd rather have four"),
            &["- is that what you meant", "Diff diff --git a/pier.ts b/pier.ts", "- I'd rather have four"],
        );
        let json = "{\n  \"berth\": \"north\",\n  \"ferries\": [\"seven\", \"nine\"],\n  \"lamps\": { \"lit\": 12, \"out\": 3 },\n  \"owner\": \"the harbour office\"\n}";
        check(
            &format!("the answer was\n{json}\nhide the owner"),
            &["- the answer was", "Data {", "- hide the owner"],
        );
        let csv = "berth,ferry,hour,length,lamp\nnorth,7,8,120,lit\nsouth,9,9,80,out\neast,11,10,95,lit\nwest,13,11,70,out\nmole,15,12,66,lit";
        check(&format!("use this\n{csv}"), &["- use this", "Data berth,ferry,hour,length,lamp"]);
        let code = "```ts\nfunction moor(pier: Pier) {\n  pier.length = 7;\n  return pier;\n}\n```";
        check(&format!("like so:\n{code}\nbut shorter"), &["- like so:", "Code ```ts", "- but shorter"]);
        check(
            "you said\n> The pier cannot be moved any further.\nit can",
            &["- you said", "Quotation > The pier cannot be moved any further.", "- it can"],
        );
        check(
            "what about this?\n\"\"\"\nThe pier is short.\n\"\"\"",
            &["- what about this?", "Quotation \"\"\""],
        );
        let letter = "From: Ada\nSubject: the pier\n\nIt leaks.";
        check(&format!("got this, answer it\n\n{letter}"), &["- got this, answer it", "Quotation From: Ada"]);
        check(
            "Von: hafen@moor.example\nAb jetzt bleibt das Tor zu.\n\nmuss ich das tun?",
            &["Quotation Von: hafen@moor.example"],
        );
        let chat = "Ada Byron  6:11 PM\nit leaks again\nBob  6:12 PM\nI'll look";
        check(
            &format!("from the channel:\n{chat}"),
            &["- from the channel:", "Quotation Ada Byron  6:11 PM"],
        );
        let irc = "<ada> we always oil the ropes\n<bo-2> never!";
        check(&format!("{irc}\n\nwho is bo?"), &["Quotation <ada> we always oil the ropes", "- who is bo?"]);
        let talk = "Brunhild: I always oil the ropes\nOdo: why?\nBrunhild: because they creak";
        check(
            &format!("{talk}\n\nwho is odo?"),
            &["Quotation Brunhild: I always oil the ropes", "- who is odo?"],
        );
        let told = "P3: I'd shut the gate\nP3: at night, always\nDriver: noted";
        check(&format!("{told}\n\nsum that up"), &["Quotation P3: I'd shut the gate", "- sum that up"]);
        let report =
            "The function `moor` returns before the ferry is tied up, so that a wave can carry it off again.";
        check(
            &format!("I also got this feedback:\n\n{report}\n\nBut I wonder if we need it."),
            &[
                "- I also got this feedback:",
                "Quotation The function `moor` returns before the ferry is tied up, so that a wave can carry it off again.",
                "- But I wonder if we need it.",
            ],
        );
    }

    #[test]
    fn a_marked_mail_is_quoted_whole_and_in_its_place() {
        let mail = "> Subject: Berths\n> Dear Odo,\n>\n> Boats must never lie at the pier for two nights.\n> crane ERR! code 4\n>\n> Best regards,\n> Ada";
        let quoted = "Quotation > Subject: Berths".to_owned();
        assert_eq!(
            pieces(&format!("answer this\n\n{mail}\n\nkeep it short")),
            ["- answer this".to_owned(), quoted.clone(), "- keep it short".to_owned()]
        );
        let whole = format!("{mail}\n\n> PS: bring ropes\n\nkeep it short");
        assert_eq!(pieces(&whole), [quoted, "- keep it short".to_owned()]);
        let chat = "10:12 Ada: never ring by hand\n10:14 Bo: why?";
        assert_eq!(
            pieces(&format!("{chat}\n\nmend the bell")),
            ["Quotation 10:12 Ada: never ring by hand".to_owned(), "- mend the bell".to_owned()]
        );
        assert_eq!(pieces("10:12 Ada: never ring by hand"), ["Quotation 10:12 Ada: never ring by hand"]);
        assert_eq!(pieces("berths > 5 are long"), ["- berths > 5 are long"]);
        assert_eq!(pieces("boats leave at 10:12: never later"), ["- boats leave at 10:12: never later"]);
    }

    #[test]
    fn what_harnesses_say_is_nobodys() {
        let check = |text: &str, expected: &[&str]| assert_eq!(pieces(text), expected, "{text}");
        check(
            "{\"task_id\":\"b1\",\"description\":\"Walk\",\"task_type\":\"local_bash\"}",
            &["Notification {\"task_id\":\"b1\",\"description\":\"Walk\",\"task_type\":\"local_bash\"}"],
        );
        check(
            "<task-notification>done</task-notification>\nRead the output file to retrieve the result: /tmp/b1",
            &["Tag done", "Notification Read the output file to retrieve the result: /tmp/b1"],
        );
        check(
            "Full transcript available at: /tmp/a.jsonl\nuse the short one",
            &["Notification Full transcript available at: /tmp/a.jsonl", "- use the short one"],
        );
        check(
            "::git-stage{cwd=\"/ferry\"}\n::git-commit{cwd=\"/ferry\"}",
            &["Directive ::git-stage{cwd=\"/ferry\"}", "Directive ::git-commit{cwd=\"/ferry\"}"],
        );
        check("call it pier::moor{}", &["- call it pier::moor{}"]);
        let step = "- Walk to the end of the pier and look whether the lamp is lit.\n".repeat(10);
        check(
            &format!("\"# Context\n\nYour name is **Ada**, a warden.\n\n{step}\""),
            &["Playbook # Context"],
        );
    }

    #[test]
    fn short_words_of_people_are_typed() {
        for text in [
            "no, use tabs",
            "3, but enabled by default",
            "1. no\n2. yes\n3. the second one",
            "A) json\nB) yeah let's go with /piers",
            "- never force push\n- always squash\n- use `jq`, not grep",
            "commit\n\nthen push",
            "1. the north pier\n   which is long\n   and has lamps\n   of gas\n   and oil\n2. the south pier",
            "nein, nimm Leerzeichen\nund immer UTF-8",
            "ログの先頭に時刻を付けて\n他は変えないで",
            "error: handle it\nwarning: ignore it",
            "port: 5054\nhost: localhost",
            "run\n```\nmake pier\n```\nfirst",
            "the steps:\n```\n1. look up the pier by its name\n2. start a new walk\n3. write down what you saw\n```",
            "$ make pier",
            "src/pier.ts:12 is wrong",
            "the ferry leaves at\n6:11 PM",
            "Meet at 6:11 PM\nand bring the lamp",
            "Rule: we oil ropes\nWhy: they creak\nRule: we ring twice",
            "<b> stands for bold\nand <i> for italic",
            "Oars: two\nRopes: five",
            "Oars: two\nRopes: five\nOars: never three",
            "To: the warden goes the key",
            "1. **How long is it?**\nten metres\n2. **Which wood?**\noak",
        ] {
            assert_eq!(classify(text).len(), 1, "{text}: {:?}", pieces(text));
            assert!(classify(text)[0].telltale.is_none(), "{text}: {:?}", pieces(text));
        }
    }

    proptest! {
        #[test]
        fn nothing_that_was_said_is_lost_or_moved(text in "([a-z$>{}\"|: ❯│`*#-]{0,24}\n){0,12}") {
            let mut from = 0;
            for piece in classify(&text) {
                let at = piece.text.as_ptr() as usize - text.as_ptr() as usize;
                prop_assert!(at >= from, "{text:?}");
                let between = &text[from..at];
                prop_assert!(!between.contains(char::is_alphanumeric) || between.contains('<'), "{between:?} of {text:?}");
                from = at + piece.text.len();
            }
            prop_assert!(!text[from..].contains(char::is_alphanumeric), "{text:?}");
        }
    }

    #[test]
    fn many_open_tags_cost_no_time() {
        let text = "<context>\n<div>".repeat(20_000);
        assert_eq!(classify(&text).len(), 1);
    }
}
