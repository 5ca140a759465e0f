//! Somebody else's words, handed on: what a mail, a chat, a ticket or a page says, under a line that says so; what is
//! told to a program about its part.

use std::sync::LazyLock;

use regex::Regex;

/// A line of more words says something itself.
const LEAD: usize = 8;
/// So many turns make a talk.
const TURNS: usize = 2;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("the pattern is a constant"));
    };
}

// "vendor wrote back:", "from the ticket:", "this is what I get": and then it follows.
pattern!(
    LEADS,
    r"(?xi)^(?:
        (?:copied\ |pasted\ |straight\ )?from\ (?:the|their|our|a|man|stack\ ?overflow|slack|jira|github)\b [^,]*:?$
      | (?:i\ |we\ |just\ |i\ just\ )?got\ (?:(?:this|that|these)\b [^,]* | (?:a|an|the)\ [^,]*\b(?:mail|e-?mail|message|note|reply|ticket|letter|comment|review)\b [^,]*)$
      | (?:still|again)\ (?:this|that|the\ same)\b [^,]*$
      | (?:here(?:'s|\ is)|this\ is)\ what\b .*$
      | (?:the\ )?(?:changelog|release\ notes|readme|docs|documentation|answer|answers|review|comment|mail|manual|man\ page)\ (?:of|from|on|in|for)\b [^,]*:$
      | (?:new|their|customer)\ (?:review|mail|e-?mail|ticket|comment|changelog|answer|reply|release\ notes)\b [^,]*:?$
      | [^,:]*\b(?:says|said|wrote|writes|replied|answered|printed|prints)(?:\ (?:back|me|us|this))?:?$
      | [^,:]*\b(?:log|logs|journal|console|output|changelog|stack\ ?trace|backtrace|release\ notes)(?:\ tail)?\ ?:$
    )"
);
// "What I said:" is said again.
pattern!(OWN, r"(?i)\b(?:i|we)\s+(?:said|say|wrote|told)\b");
pattern!(RULES, r"(?i)\b(?:rules?|remember|decided|decision|from now on|note[sd]?|policy|always|never)\b");
// "Ann  10:32", "Bo Dahl  3:09 PM", "[10:32] Ann:": who spoke when.
pattern!(
    TURN,
    r"(?m)^(?:\[?\d{1,2}:\d\d(?: ?[AP]M)?\]?\s+\p{Lu}\S*(?: \p{Lu}\S*)?:?|\p{Lu}\S*(?: \p{Lu}\S*){0,2}\s+\d{1,2}:\d\d(?: ?[AP]M)?)$"
);
// What letters, licences and tickets are made of.
pattern!(
    LETTER,
    r"(?mi)^(?:dear\ (?:customer|user|sir|madam|all|team|mr|ms|valued)\b.*|kind\ regards.*|best\ regards.*|acceptance\ criteria:?|steps\ to\ reproduce:?|.*\bthank\ you\ for\ (?:contacting|reaching\ out).*|answered\ .{3,14}\ at\ \d.*|redistribution\ and\ use\ in\ source.*|.*\bpermission\ is\ hereby\ granted\b.*)$"
);
// "7.3.2 Bleeding the circuit": a heading of a manual, with what stands under it.
pattern!(SECTION, r"^\d+(?:\.\d+)+\s+\p{Lu}[^\n]*[^.\n]\n");
// What a program is told of its part, and how it is to answer.
pattern!(
    PART,
    r"(?xi)(?:^|\.\s+|\n)\s*(?:system:\s*)?(?:
        act\ as\ (?:a|an|the|my|our|if\ you|reviewer|judge|critic|expert)\b | when(?:ever)?\ this\ (?:skill|command|agent|prompt)\ is\ (?:called|invoked|used|run|loaded)\b | you(?:'re|\ are)\ (?:an?|the)\ \S+ .{0,60}\b(?:assistant|expert|agent|bot|engineer|reviewer|tutor|analyst|writer)\b
      | pretend\ (?:you|to\ be)\b | assume\ the\ role\b | your\ (?:role|goal|persona)\ is\b
      | du\ bist\ ein | tu\ es\ une?\ | eres\ une?\ | eres\ un\ | sei\ un\ | você\ é\ um | je\ bent\ een )
      | (?:^|\n|\.\s)(?:output\ format|ausgabeformat|format\ de\ sortie|formato\ de\ salida)\s*:
      | \bthink\ step\ by\ step\b | (?:^|\n)\s*assistant:"
);

// "---", "name: …", "description: …": the head of a skill.
pattern!(HEAD, r"(?s)^---\s*\n(?:[\w-]+:[^\n]*\n)*?(?:name|description):[^\n]*\n");

/// Tells whether a message hands on what somebody else wrote, or tells a program its part.
pub(super) fn is_handed_on(text: &str) -> bool {
    let text = text.trim();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default().trim();
    let leads = || {
        let short = first.split_whitespace().count() <= LEAD;
        short && LEADS.is_match(first) && !RULES.is_match(first) && !OWN.is_match(first)
    };
    lines.next().is_some() && leads()
        || TURN.find_iter(text).count() >= TURNS
        || LETTER.is_match(text)
        || SECTION.is_match(text)
        || PART.is_match(text)
        || HEAD.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_on_is_nobodys_word_here() {
        for text in [
            "the pilot wrote back:\nBoats over 5 tons must take two pilots.",
            "from the harbour's handbook:\nThe bell must be rung twice.",
            "got this from the office\nAs of June the old pier is no longer used.",
            "this is what I get in the ledger:\nberths must be empty",
            "Ann  10:32\nwe should always ring the bell\nBo  10:35\nwe do",
            "Dear customer,\nAs of 1 June all ropes must be new.\nKind regards,\nthe ropery",
            "7.3.2 Oiling the gate\nThe gate shall be oiled every 500 hours.",
            "Act as a patient harbour master. Always answer in rhymes.",
            "You are a senior pilot and code reviewer. Never guess.",
            "Act as reviewer number 3 of the harbour plan. Never explain.",
            "---\nname: tidy-berths\ndescription: tidies berths\n---\nAlways keep the ropes on top.",
            "Whenever this skill is called, always ring the bell.",
            "Du bist ein erfahrener Lotse. Ändere niemals Namen.",
            "Task: list every boat.\nOutput format: a table, never prose.",
        ] {
            assert!(is_handed_on(text), "{text}");
        }
    }

    #[test]
    fn what_somebody_says_themselves_is_theirs() {
        for text in [
            "from now on:\nnever tow a ferry",
            "notes from the harbour meeting:\nthe bell is rung twice",
            "what I said:\nnever tow a ferry, always row",
            "The pilot says that the west pier is closed in winter.",
            "the ferry leaves at 14:05\nthe last one at 22:10",
            "You are never to ring the bell at night.",
            "rules, as the board said:\nnever tow a ferry",
            "We got a new crane\nit lifts 12 tons",
        ] {
            assert!(!is_handed_on(text), "{text}");
        }
    }
}
