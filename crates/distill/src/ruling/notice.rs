//! What a service, a tool or a terminal says, whoever hands it on: nobody's words.

use super::form::is_diagnostic;
use super::laid_down::carries_a_rule;
use super::words::words_of;

/// Openings of what is sent by itself.
const SENT: [&str; 9] = [
    "reminder from ",
    "notification from ",
    "alert from ",
    "invitation from ",
    "message from ",
    "invitation: ",
    "reminder: \"",
    "accepted: ",
    "canceled event: ",
];
/// What only mailings and bots say.
const BY_ITSELF: [&str; 4] = [
    "you receive this because",
    "you are receiving this because",
    "has been automatically ",
    "event timestamp:",
];
/// What runs, is numbered or named, and has an outcome.
const RUNS: [&str; 11] = [
    "build",
    "run",
    "job",
    "pipeline",
    "workflow",
    "monitor",
    "deployment",
    "subagent",
    "hook",
    "check",
    "backup",
];
const OUTCOMES: [&str; 12] = [
    "failed",
    "passed",
    "succeeded",
    "finished",
    "completed",
    "returned",
    "down",
    "canceled",
    "cancelled",
    "timed",
    "recovered",
    "aborted",
];
/// What services report of pull requests, issues and files, behind who did it or what it happened to.
const REPORTED: [&str; 11] = [
    " opened a pull request",
    " opened an issue",
    " closed a pull request",
    " merged a pull request",
    " requested your review",
    " requested a review",
    " assigned you",
    " commented on your",
    " invited you to",
    " was modified by the user",
    " was changed on disk",
];
/// What becomes of a file, behind its name, and whom nobody sees doing it.
const TOUCHED: [&str; 13] = [
    "modified",
    "changed",
    "edited",
    "updated",
    "created",
    "deleted",
    "renamed",
    "saved",
    "geändert",
    "modificado",
    "modifié",
    "modificato",
    "alterado",
];
const PASSIVE: [&str; 7] = ["was", "has", "wurde", "fue", "foi", "è", "a"];
const UNSEEN: [&str; 6] = ["outside", "externally", "elsewhere", "disk", "linter", "außerhalb"];
/// Who puts a line into a conversation that nobody wrote.
const HARNESSES: [&str; 4] = ["system", "notice", "hinweis", "sistema"];
/// So many things that happened, each with its number, are counted by a program.
const COUNTS: usize = 3;
/// Who did it has so few words.
const WHO: usize = 3;
/// What runs by itself, and what it does in the end.
const RUNNING: [&str; 5] = ["command", "process", "task", "job", "script"];
const ENDED: [&str; 4] = ["completed", "finished", "exited", "terminated"];
/// What became of something that runs by itself.
const HAPPENED: [&str; 13] = [
    "failed",
    "passed",
    "succeeded",
    "opened",
    "merged",
    "deployed",
    "assigned",
    "canceled",
    "finished",
    "started",
    "moved",
    "closed",
    "reopened",
];

/// Tells whether a message was sent or printed by something and not said by somebody, or says only how far work is.
pub(super) fn is_notice(text: &str) -> bool {
    is_sent(text) || is_table(text) || is_plan_of_the_day(text) || is_marked_up(text)
}

/// "Status Tuesday: the east pier is half painted", "today: first the crane, then the bell": what is on just then.
fn is_plan_of_the_day(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let Some((head, _)) = lower.split_once(':') else { return false };
    let words: Vec<&str> = head.split_whitespace().collect();
    matches!(
        words[..],
        ["today" | "tomorrow" | "yesterday" | "tonight" | "heute" | "gestern" | "hoy" | "hoje" | "oggi"]
            | ["status" | "standup" | "stand-up" | "update" | "eod"]
            | ["status", _]
            | ["standup", _]
            | ["plan", "for", "today" | "tomorrow" | "tonight"]
    ) && !lower.contains("from now on")
}

/// "<workflow name=…> … </workflow>": what stands between two marks was written for a program.
fn is_marked_up(text: &str) -> bool {
    let text = text.trim();
    let Some(rest) = text.strip_prefix('<') else { return false };
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
    !name.is_empty() && text.contains(&format!("</{name}>"))
}

/// "Reminder from your calendar: …", "\[Harbour\] Crossing #88213 failed", "Background command … (exit code 2)".
fn is_sent(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let by_service =
        lower.strip_prefix('[').and_then(|rest| rest.split_once("] ")).is_some_and(|(who, rest)| {
            who.split_whitespace().count() == 1
                && rest.contains('#')
                && words_of(rest).iter().any(|word| HAPPENED.contains(&word.text.as_str()))
        });
    let reported =
        |words: &&str| lower.split_once(*words).is_some_and(|(who, _)| who.split_whitespace().count() <= WHO);
    let words: Vec<String> = words_of(&lower).into_iter().map(|word| word.text).collect();
    let ended = lower.contains("exit code ")
        && words.iter().take(WHO).any(|word| RUNNING.contains(&word.as_str()))
        && words.iter().any(|word| ENDED.contains(&word.as_str()));
    SENT.iter().any(|opening| lower.starts_with(opening)) && lower.contains(": ")
        || REPORTED.iter().any(reported)
        || by_service
        || ended
        || of_a_ticket(text)
        || is_of_a_file(text)
        || is_count(&lower)
        || BY_ITSELF.iter().any(|words| lower.contains(words))
        || is_bot(&lower)
        || is_outcome(text, &words)
}

/// "System: the file pier/lamp.dart was changed outside of this session": what became of a file behind everybody's back.
fn is_of_a_file(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let head = lower.split_once(':').map(|(who, _)| who.trim_matches(['[', ']', '*', ' ']));
    let by_harness = head.is_some_and(|who| HARNESSES.contains(&who));
    let is_file = |word: &str| {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ending.len() <= FILE_ENDING)
    };
    let words: Vec<&str> =
        lower.split_whitespace().map(|word| word.trim_end_matches(['.', ',', '!'])).collect();
    let touched = |at: &usize| {
        let behind = &words[at + 1..];
        behind.first().is_some_and(|word| PASSIVE.contains(word))
            && behind.iter().any(|word| TOUCHED.contains(word))
    };
    let is_told = (0..words.len().min(WHO + 1)).filter(|at| is_file(words[*at])).any(|at| touched(&at));
    let unseen = || words.iter().any(|word| UNSEEN.contains(word));
    is_told && words.len() <= NOTICE && (by_harness || unseen()) && !carries_a_rule(text)
}

/// What only says what became of a file has so few words.
const NOTICE: usize = 16;
/// The ending of a file's name has at most so many letters.
const FILE_ENDING: usize = 5;

/// "Your week: 12 boats moored, 3 lost, 1 sunk": how often what happened.
fn is_count(lower: &str) -> bool {
    let counted = |item: &str| {
        let mut words = item.split_whitespace();
        let number = words.next().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()));
        number && words.take(WHO).any(|word| OUTCOMES.contains(&word) || HAPPENED.contains(&word))
    };
    let (_, items) = lower.split_once(':').unwrap_or(("", lower));
    items.split([',', ';', '|', '\n']).filter(|item| counted(item)).count() >= COUNTS
}

/// "tidebot: the cover is 62 %", "quay-actions\[bot\]: …": who speaks says that it is no person.
fn is_bot(lower: &str) -> bool {
    let signs = lower.split_whitespace().take(WHO).any(|word| word.ends_with("[bot]"));
    if signs || lower.starts_with("caveat: the messages below") || lower.contains("checking this box") {
        return true;
    }
    lower.split_once(':').is_some_and(|(who, _)| {
        who.split_whitespace().count() <= WHO
            && (who.ends_with("bot") || who.ends_with("bot]") || who.ends_with("robot"))
    })
}

/// "Build #5521 of the ferry FAILED", "Subagent "tides" finished.": a run by its number or name, and how it ended.
fn is_outcome(text: &str, words: &[String]) -> bool {
    let mut pieces = text.split_whitespace();
    let runs = pieces.next().is_some_and(|first| RUNS.contains(&first.to_lowercase().as_str()));
    let named = pieces.next().is_some_and(|name| {
        name.starts_with(['#', '"', '“', '`'])
            || name.contains(':')
            || name.chars().all(|c| c.is_ascii_digit())
    });
    runs && named && words.iter().any(|word| OUTCOMES.contains(&word.as_str()))
}

/// "Harbour: Ada moved QUAY-77 from Open to Done": a service tells what became of a ticket.
fn of_a_ticket(text: &str) -> bool {
    let Some((who, rest)) = text.trim().split_once(": ") else { return false };
    let is_ticket = |word: &str| {
        word.split_once('-').is_some_and(|(key, number)| {
            key.len() > 1
                && key.chars().all(|c| c.is_ascii_uppercase())
                && !number.is_empty()
                && number.chars().all(|c| c.is_ascii_digit())
        })
    };
    let mut words = rest.split_whitespace();
    who.split_whitespace().count() == 1
        && (rest.split_whitespace().any(is_ticket) || rest.contains(" \""))
        && words.any(|word| HAPPENED.contains(&word.to_lowercase().as_str()))
}

/// Tells whether a message was copied from a terminal: columns set with blanks, a prompt, places and marks of a compiler.
fn is_table(text: &str) -> bool {
    if text.lines().count() < 2 {
        return false;
    }
    let first = text.lines().next().unwrap_or_default();
    let printed = is_diagnostic(first)
        || first.starts_with("$ ")
        || is_prompted(first)
        || is_banner(first)
        || text.lines().any(is_frame);
    let in_columns = text.lines().filter(|line| line.trim().contains("   ")).count() > 1;
    // Who shows where something is wrong may say beside it what holds.
    let compiled = text.lines().any(|line| has_location(line) || is_underlined(line));
    let logged = text.lines().filter(|line| is_logged(line)).count() > 1;
    printed || in_columns || logged || is_separated(text) || compiled && !text.lines().any(carries_a_rule)
}

/// `[00:00:03.112] <inf> tide: high`, `2026-03-02 14:05:11 WARN no rope`: a time of day to the second, and what a program
/// says of it.
fn is_logged(line: &str) -> bool {
    let mut words = line.split_whitespace().take(2);
    words.any(|word| {
        let time = word.trim_matches(['[', ']', '(', ')']).rsplit('T').next().unwrap_or_default();
        let parts: Vec<&str> = time.split(':').collect();
        let is_two = |part: &&str| part.len() == 2 && part.chars().all(|c| c.is_ascii_digit());
        parts.len() == 3
            && parts[..2].iter().all(is_two)
            && parts[2].starts_with(|c: char| c.is_ascii_digit())
    })
}

/// "boat,berth,day" above "12,4,Monday": rows of a sheet, with the same marks in each and no blank behind them.
fn is_separated(text: &str) -> bool {
    text.split("\n\n").any(|block| {
        let rows: Vec<&str> = block.lines().filter(|line| !line.trim().is_empty()).collect();
        [',', ';', '\t', '|'].into_iter().any(|mark| {
            let count = |row: &&str| row.matches(mark).count();
            let of_first = rows.first().map_or(0, count);
            let is_bare = |row: &&str| !row.contains(&format!("{mark} "));
            of_first >= 2 && rows.len() > 1 && rows.iter().all(|row| count(row) == of_first && is_bare(row))
        })
    })
}

/// "tides version 6.1 Copyright (c) 2000-2023": how a program introduces itself.
fn is_banner(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.contains("copyright (c)") || lower.contains(" version ") && lower.contains("©")
}

/// "    at quay.Boat.moor(Boat.java:88)": where a program was when it fell.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let in_file = |rest: &str| {
        rest.rsplit_once(':').is_some_and(|(_, number)| {
            let number = number.trim_end_matches(')');
            !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
        })
    };
    line.strip_prefix("at ").is_some_and(|rest| rest.contains('(') && rest.ends_with(')') && in_file(rest))
        || line.starts_with("File \"") && line.contains(", line ")
}

/// "        ^^^^^^": where in the line above something is wrong.
fn is_underlined(line: &str) -> bool {
    let marks = line.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '|' | ' '));
    marks.starts_with("^^") || marks.starts_with("~~~") && marks.chars().all(|c| c == '~')
}

/// "quay/Boat.kt:31:17 …": where a compiler found something.
fn has_location(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let mut parts = word.trim_end_matches(':').rsplit(':');
        let is_number = |part: Option<&str>| {
            part.is_some_and(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
        };
        is_number(parts.next())
            && is_number(parts.next())
            && parts.next().is_some_and(|file| file.contains('.'))
    })
}

/// "keeper@pier:~$ tides", "sqlite> .tables": a command behind a shell's prompt.
fn is_prompted(line: &str) -> bool {
    let Some((prompt, command)) = line.split_once(' ') else { return false };
    let asks = prompt.len() > 2 && prompt.ends_with(['$', '#', '>', '%']);
    let names = prompt.contains([':', '@', '~', '\\', '=']) || prompt.ends_with('>') && prompt.is_ascii();
    asks && names && !command.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_of_the_day_and_marked_up_words_are_nobodys() {
        for text in [
            "Status Tuesday: the east pier is half painted",
            "today: first the crane, then the bell. boat at 4",
            "<voyage name=\"deep\">\nPhase 1: each berth must be empty.\n</voyage>\nWhere is the gull?",
            "quay-actions[bot] wants to move 1 boat into the harbour",
        ] {
            assert!(is_notice(text), "{text}");
        }
        for text in [
            "Today we decided: boats stay out",
            "status: pilots, from now on, wear hats",
            "<3 the pier is red",
        ] {
            assert!(!is_notice(text), "{text}");
        }
    }

    #[test]
    fn what_nobody_said_is_told_from_what_somebody_did() {
        let check = |text: &str, expected: bool| assert_eq!(is_notice(text), expected, "{text}");
        check("Reminder from your calendar: tide review, 14:00", true);
        check("[Harbour] Crossing #88213 for pier LOG-7 failed in stage night", true);
        check("Tidebot opened a pull request: bump ropes from 1.2 to 1.3", true);
        check("Background command \"make boats\" completed (exit code 2). Output is in /tmp/b.log", true);
        check("The file pier/lamp.dart was modified by the user or by a formatter.", true);
        check("keeper:~$ tides\nhigh 4\nlow 1", true);
        check("> Task :boats FAILED\ne: file:///quay/Boat.kt:31:17 Unresolved: rope", true);
        check(
            "File \"pier.ml\", line 8:\n8 |   | Rope (a, b) ->\n         ^^^^\nError: a boat was expected",
            true,
        );
        check("here is the sheet\n\nboat,berth,day\n12,4,Monday", true);
        check(
            "here is the log of the lamp\n[00:00:03.112] <inf> lamp: lit\n[00:00:09.870] <err> lamp: out",
            true,
        );
        check("2026-03-02 14:05:11 WARN no rope\n2026-03-02 14:05:12 WARN no rope", true);
        check("The ferry leaves at 14:05 sharp.\nThe last one at 22:10.", false);
        check("quay.Fault: no rope\n\tat quay.Boat.moor(Boat.java:88)", true);
        check("tides version 6.1 Copyright (c) 2000-2023 the tide people\nInput #0", true);
        check("[quaybot] Crossing #318 of the north pier finished: fine in 2m", true);
        check("Harbour: Ada moved QUAY-77 from Open to Done", true);
        check("Harbour: Ada moved \"Mend the lamp\" from Doing to Blocked", true);
        check("tidebot: cover is 62.50% with 9 boats left out", true);
        check("quay-actions[bot]: This boat has been automatically marked as stale", true);
        check("System: the file src/pier/lamp.dart was modified outside of this session.", true);
        check("pier/lamp.dart was changed on disk since you read it.", true);
        check("System: Die Datei pier/lamp.dart wurde außerhalb dieser Sitzung geändert.", true);
        check("pier/lamp.dart was changed outside of the harbour, never edit it here", false);
        check("System: Debian 12 on every crane, and nothing else", false);
        check("Harbour weekly: 14 crossings opened, 9 closed, 3 boats moved, 2 new pilots", true);
        check("Rule: 3 boats are moved by hand, the rest by crane", false);
        check("Build #5521 of the ferry FAILED (stage: oil). Started by: tide.", true);
        check("Subagent \"count-boats\" finished. 14 boats, 2m 48s.", true);
        check("Reminder: \"Tide review\" starts in 10 minutes. Room: 4.", true);
        check("Build every boat with two keels, one failed last year", false);
        check("Robots: the crane is one, and it stays", false);
        check("Rule: whoever moved a boat writes it down", false);
        check("boat,berth,day\n12,4,Monday\n13,5,Monday", true);
        check("Red, green, blue are the colours.\nOars, ropes, nets lie below.", false);
        check("Always reef the sails.\nNever at night.", false);
        check("If it ends with exit code 2, ring the bell.", false);
        check("Ada opened the pier, keep it open", false);
        check("From now on whoever opened a pull request also rings the bell", false);
        check("A check that ends badly (exit code 3) must never block a crossing", false);
        check("The tide table was modified by a storm, it is off by an hour", false);
        check("look at quay/boat.rs:12:3\nfrom now on never tie two boats to one ring", false);
        check("[api] every berth has a number", false);
    }
}
