//! What a person hands in that holds for the moment only: a piece of work, an idea.

use lore_core::Kind;

/// What a sentence reads like that says nothing of how things are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// Something to do, which is over once it is done.
    Task,
    /// Something somebody considers.
    Idea,
}

/// Marks that people put before what is left to do.
const MARKS: [&str; 6] = ["todo", "to do", "to-do", "fixme", "[ ]", "- [ ]"];
/// Openings of what is only considered.
const MUSING: [&str; 20] = [
    "maybe ",
    "perhaps ",
    "possibly ",
    "what if ",
    "how about ",
    "what about ",
    "i wonder ",
    "we could ",
    "we might ",
    "i could ",
    "i might ",
    "vielleicht ",
    "eventuell ",
    "wir könnten ",
    "peut-être ",
    "quizá",
    "tal vez ",
    "talvez ",
    "misschien ",
    "forse ",
];

/// Openings of what is over once it is done, of one thing that is at hand. Any other order may be one for good: "use brass",
/// "write the log first".
const MENDING: [&str; 12] = [
    "fix the ",
    "fix this ",
    "fix that ",
    "mend the ",
    "repair the ",
    "debug the ",
    "investigate ",
    "look into ",
    "find out ",
    "figure out ",
    "finish the ",
    "clean up the ",
];

impl Passing {
    /// How somebody who means it all the same has it kept.
    pub(crate) const HINT: &str = "say what holds: lore remember \"Releases go out on Tuesdays.\"; to keep it as it is, and as unsure, say `--kind`";

    /// Reads what a sentence is like; nothing where it may well be how things are.
    pub(crate) fn read(text: &str) -> Option<Passing> {
        let lower = text.trim().to_lowercase();
        let opens = |with: &&str| lower.starts_with(*with);
        let marked = |mark: &&str| {
            let rest = lower.strip_prefix(*mark);
            // "Todo lists are kept in the wiki" tells of them.
            rest.is_some_and(|rest| mark.ends_with(']') || rest.trim_start().starts_with(':'))
        };
        if MARKS.iter().any(marked) {
            Some(Passing::Task)
        } else if MUSING.iter().any(opens) {
            Some(Passing::Idea)
        } else {
            MENDING.iter().any(opens).then_some(Passing::Task)
        }
    }

    /// Tells whether that is all there is to it, where the sentence was heard as some kind of knowledge or as none.
    pub(crate) fn holds_for(self, heard: Option<Kind>) -> bool {
        // "Use brass": what is to be done each time is a rule, and what is decided is no wish any more.
        self == Passing::Idea || heard.is_none()
    }

    /// Says so.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Passing::Task => "that reads like something to do, of which nothing holds once it is done",
            Passing::Idea => "that reads like an idea, and nobody could tell later whether it came true",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remember::heard;

    #[test]
    fn tasks_and_ideas_are_told_from_what_holds() {
        let check = |text: &str, expected: Option<Passing>| {
            let read = Passing::read(text).filter(|passing| passing.holds_for(heard(text).0));
            assert_eq!(read, expected, "{text}");
        };
        check("mend the bell rope", Some(Passing::Task));
        check("fix the leak in the boathouse", Some(Passing::Task));
        check("TODO: paint the pier", Some(Passing::Task));
        check("maybe we should moor at the east pier", Some(Passing::Idea));
        check("Vielleicht sollten wir am Ostpier anlegen.", Some(Passing::Idea));
        check("We could sell tickets on board", Some(Passing::Idea));
        check("Use the east pier for ferries.", None);
        check("Paint the boats first.", None);
        check("Move the slow boats to the night.", None);
        check("Always moor at the east pier.", None);
        check("Never mend a rope with tape.", None);
        check("Todo lists hang in the boathouse.", None);
        check("Ring the bell before the gate opens.", None);
        check("Mend sails with waxed thread.", None);
        check("The ferry leaves from the east pier.", None);
        check("We moor at the east pier because the west pier silts up.", None);
        check("Releases go out on Tuesdays.", None);
        check("Use brass lamps, not iron ones.", None);
        check("From now on tickets are printed twice.", None);
    }
}
