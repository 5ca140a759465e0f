//! What can be observed about a passage. The names are shown to people when they ask why.

use std::sync::LazyLock;

use lore_core::session::Channel;

use crate::extract::choice::Fate;
use crate::extract::lexicon::{Cues, groups};
use crate::extract::passage::{Origin, Passage};
use crate::extract::scene::{Reply, Scene, is_handed_over};
use crate::extract::segment::Shape;
use crate::extract::sentence::word_count;
use crate::extract::shape::{self, Marks};
use crate::extract::terms::ratio;

/// Observations by name; what is not there was not observed.
pub type Features = Vec<(&'static str, f64)>;

/// Cue features are told apart by who speaks: `let's` from a person is not `let's` from an agent.
static CUE_NAMES: LazyLock<Vec<(Origin, &'static str, String)>> = LazyLock::new(|| {
    let each =
        |origin: Origin| groups().map(move |group| (origin, group, format!("{} {group}", origin.word())));
    Origin::ALL.into_iter().flat_map(each).collect()
});

/// Observes a passage in its session.
pub(crate) fn observe(scene: &Scene<'_>, passage: &Passage) -> Features {
    let mut seen = Seen(Vec::with_capacity(48));
    speaker(scene, passage, &mut seen);
    cues(passage, &mut seen);
    form(passage, &mut seen);
    headings(passage, &mut seen);
    surroundings(scene, passage, &mut seen);
    echoes(scene, passage, &mut seen);
    seen.0
}

struct Seen(Features);

impl Seen {
    fn when(&mut self, holds: bool, name: &'static str) {
        if holds {
            self.0.push((name, 1.0));
        }
    }

    fn amount(&mut self, name: &'static str, value: f64) {
        if value != 0.0 {
            self.0.push((name, value));
        }
    }
}

fn speaker(scene: &Scene<'_>, passage: &Passage, seen: &mut Seen) {
    let turn = scene.views[passage.view].turn;
    seen.when(passage.origin == Origin::Person, "said by a person");
    seen.when(passage.origin == Origin::Agent, "said by the agent");
    seen.when(passage.origin == Origin::Plan, "stands in a plan");
    seen.when(is_handed_over(turn), "stands in a plan that was handed over");
    seen.when(passage.origin == Origin::Commit, "stands in a commit message");
    seen.when(turn.channel == Channel::Queued, "typed while the agent was busy");
    seen.when(turn.channel == Channel::Rejection, "said when refusing a step");
    seen.when(turn.channel == Channel::Answer, "answers a question of the agent");
    seen.when(turn.channel == Channel::CommandArguments, "given to a command");
}

fn cues(passage: &Passage, seen: &mut Seen) {
    for (origin, group, name) in CUE_NAMES.iter() {
        seen.when(*origin == passage.origin && passage.cues.has(group), name);
    }
    let asks = passage.sentences.iter().any(|sentence| sentence.ends_with('?'));
    let only_asks = passage.sentences.iter().all(|sentence| sentence.ends_with('?'));
    seen.when(asks && !only_asks, "holds a question");
    seen.when(only_asks, "only asks");
    let shouts = passage.sentences.iter().any(|sentence| sentence.ends_with('!'));
    seen.when(shouts, "exclaims");
}

fn form(passage: &Passage, seen: &mut Seen) {
    let person = passage.origin == Origin::Person;
    let words = passage.words();
    let bin = match (person, words) {
        (true, 0..=3) => "person, up to 3 words",
        (true, 4..=7) => "person, 4 to 7 words",
        (true, 8..=14) => "person, 8 to 14 words",
        (true, 15..=30) => "person, 15 to 30 words",
        (true, _) => "person, over 30 words",
        (false, 0..=5) => "up to 5 words",
        (false, 6..=10) => "6 to 10 words",
        (false, 11..=20) => "11 to 20 words",
        (false, 21..=35) => "21 to 35 words",
        (false, _) => "over 35 words",
    };
    seen.when(true, bin);
    seen.when(passage.sentences.len() > 1, "several sentences");
    seen.when(passage.shape == Shape::Item, "item of a list");
    seen.when(passage.shape == Shape::Row, "row of a table");
    seen.when(passage.label.is_some(), "opens with a label");
    seen.when(passage.before_code, "introduces code");
    seen.when(passage.trimmed, "stands beside narration");
    seen.when(passage.sentences.last().is_some_and(|sentence| sentence.ends_with(':')), "ends with a colon");
    let text = passage.text();
    let marks = Marks::of(&text);
    seen.when(marks.code_spans == 1, "names one identifier");
    seen.when(marks.code_spans == 2 || marks.code_spans == 3, "names two or three identifiers");
    seen.when(marks.code_spans > 3, "names many identifiers");
    seen.when(marks.paths, "names a path");
    seen.when(marks.line_numbers, "names a line number");
    seen.when(marks.flags, "names a flag");
    seen.when(marks.numbers, "names a number");
    seen.when(marks.quotes, "quotes words");
    seen.when(marks.arrows, "has an arrow");
    seen.when(marks.names, "names somebody or something");
    seen.when(marks.hashes, "names a commit");
    seen.when(marks.tests, if person { "person speaks of tests" } else { "speaks of tests" });
    seen.when(marks.functions, "names a function or type");
    seen.when(marks.commands, "names a command");
    seen.when(marks.links, "has a link");
    seen.when(marks.functions && marks.line_numbers, "points into code");
    seen.when(marks.symbols > 0.18, "is mostly symbols");
    seen.when(shape::is_past(&text), "told in the past");
    let own = shape::speaks_of_self(&text);
    seen.when(own, if person { "person speaks of themselves" } else { "agent speaks of itself" });
    seen.when(!person && shape::introduces_self(&text), "agent introduces itself");
    seen.when(shape::opens_with_pronoun(&text), "opens with a pronoun");
}

fn headings(passage: &Passage, seen: &mut Seen) {
    let mut title = passage.headings.join(" / ").to_lowercase();
    if let Some(lead) = &passage.lead {
        title.push_str(" / ");
        title.push_str(&lead.to_lowercase());
    }
    if let Some(label) = &passage.label {
        title.push_str(" / ");
        title.push_str(&label.to_lowercase());
    }
    seen.when(!passage.headings.is_empty(), "stands under a heading");
    for (name, words) in shape::HEADINGS {
        seen.when(words.iter().any(|word| title.contains(word)), name);
    }
}

fn surroundings(scene: &Scene<'_>, passage: &Passage, seen: &mut Seen) {
    let view = &scene.views[passage.view];
    let agent = passage.origin == Origin::Agent;
    seen.when(agent && view.closes_task, "agent's last words on a task");
    seen.when(agent && view.closes_session, "agent's last words");
    seen.when(agent && view.works_on, "agent goes on working");
    seen.when(agent && view.works_on && passage.message_words < 40, "short note between steps");
    seen.when(agent && view.after_edits && view.closes_task, "told after the work was done");
    seen.when(agent && !view.after_edits && view.closes_task, "told before any change");
    seen.when(agent && view.closes_task && view.reply == Reply::Accepted, "person agreed");
    seen.when(agent && view.closes_task && view.reply == Reply::Refused, "person objected");
    seen.when(agent && !scene.changes, "agent explains, nothing was changed");
    seen.when(!agent && !scene.changes, "asked, nothing was changed");
    seen.when(!agent && view.before_edits, "files were changed after it");
    seen.when(view.before_commit, "a commit followed");
    seen.when(!agent && view.task == 1, "in the first request");
    seen.when(passage.origin == Origin::Person && view.answers.is_some(), "replies to the agent");
    let referent = passage.referent.as_ref().map(|(text, _)| text.ends_with('?'));
    seen.when(referent == Some(true), "answers a question");
    seen.when(referent == Some(false), "takes up a numbered point");
    let person = passage.origin == Origin::Person;
    let sequel = passage.sequel;
    seen.when(sequel.retold, if person { "person: said again later" } else { "agent: said again later" });
    seen.when(
        sequel.opposed,
        if person { "person: changed by a person later" } else { "agent: opposed by a person later" },
    );
    seen.when(
        sequel.undone,
        if person { "person: changed by the agent later" } else { "agent: taken back later" },
    );
    seen.when(passage.option == Some(Fate::Open), "an option nobody chose");
    seen.when(passage.option == Some(Fate::Chosen), "the option that was chosen");
    seen.when(passage.option == Some(Fate::Passed), "an option that was not chosen");
    let advice = agent && view.closes_task && passage.cues.has("recommending");
    seen.when(advice && view.reply == Reply::Accepted, "advice that was taken");
    seen.when(advice && view.reply != Reply::Accepted, "advice that was not taken");
    let (index, count) = passage.place;
    seen.when(index == 0, "opens the message");
    seen.when(count > 1 && index + 1 == count, "ends the message");
    let long = match passage.message_words {
        0..=40 => "in a short message",
        41..=150 => "in a message of some length",
        151..=400 => "in a long message",
        _ => "in a very long message",
    };
    seen.when(true, long);
    seen.when(
        passage.origin == Origin::Person && passage.message_words > 250,
        "person's message is very long",
    );
}

fn echoes(scene: &Scene<'_>, passage: &Passage, seen: &mut Seen) {
    let now = passage.view + 1;
    let count = passage.terms.len();
    if count == 0 {
        seen.when(true, "says nothing specific");
        return;
    }
    let (mut asked, mut closed, mut taken_up, mut carried, mut usage) = (0, 0, 0, 0, 0.0);
    for term in &passage.terms {
        let echo = scene.echo(term);
        asked += usize::from(echo.first_person != 0 && echo.first_person < now);
        taken_up += usize::from(echo.last_person > now);
        closed += usize::from(echo.last_closing > now);
        carried += usize::from(echo.last_edit >= now);
        usage += f64::from(echo.turns.min(20)).ln_1p();
    }
    let agent = passage.origin != Origin::Person;
    seen.amount(
        if agent { "agent: person's words in it" } else { "person: repeats own words" },
        ratio(asked, count),
    );
    seen.amount(
        if agent { "agent: person comes back to it" } else { "person: comes back to it" },
        ratio(taken_up, count),
    );
    seen.amount(
        if agent { "agent: told again at the end" } else { "person: told again at the end" },
        ratio(closed, count),
    );
    seen.amount(
        if agent { "agent: carried out in files" } else { "person: carried out in files" },
        ratio(carried, count),
    );
    seen.amount("central to the session", usage / f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    seen.when(count <= 3, "few telling words");
    seen.when(count >= 12, "many telling words");
}

/// Tells how surely a statement was made, from its own words.
pub(crate) fn is_hedged(text: &str) -> bool {
    let cues = Cues::of(text);
    cues.has("hedging") || (cues.has("supposing") && word_count(text) < 40)
}
