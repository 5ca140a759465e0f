//! What is covered and could be said better. None of it decides anything: the editor is asked once.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::{Article, Claim, LineClass, Op};
use regex::Regex;

use super::hygiene::LEFT_OUT;
use super::polarity::denies;
use super::{Galley, Room};
use super::{clauses, later, offered};
use crate::article::shorten;
use crate::curator::numbers::numbers;
use crate::curator::words::{Cover, content, names};
use crate::extract::sentence::sentences;

/// So much of what is quoted in a remark, in characters.
const SHOWN: usize = 80;
/// A title of so many telling words says something of its own.
const TITLE: usize = 3;
/// This share of them must stand in the text or in the lines.
const TITLED: f64 = 0.5;
/// A commit did what a wish says with this share of its telling words.
const COMMITTED: f64 = 0.45;
/// How people tell the state of things at the end of a day's work.
static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?:at\ (?:the\ )?(?:session(?:'s)?\ end|end\ of\ the\ session)|(?:the\ )?session\ (?:ended|ends)\b|(?:was|were|is|are)\ still\ (?:running|building|open|being|to\ be)
            |still\ (?:planned|pending|to\ be\ (?:verified|built|done))|awaiting\ (?:\w+\ )?(?:review|approval|merge)|not\ (?:yet\ )?(?:merged|committed|pushed|planned\ yet)
            |the\ commit\ succeeded|(?:was|were)\ (?:written\ and\ )?committed|reported\ as\ (?:applied|done|fixed)|remain(?:s|ed)\ open|merged\ as\ `?[0-9a-f]{7}|set\ out\ to)\b",
    )
    .expect("the pattern is a constant")
});
/// What a later line takes back shares so many telling words with it.
const TAKEN: usize = 2;
/// Statements about the same share so many telling words, and half of what the shorter one has.
const SHARED: usize = 3;
/// So many values that a finer wording leaves out are more than a matter of taste.
const LOST: usize = 2;
/// A finer wording repeats at least this share of the telling words of what it words.
const REPEATED: f64 = 0.4;

/// Lists what could be said better.
pub(super) fn wanting(galley: &Galley<'_>, room: &Room<'_>) -> Vec<String> {
    const RULES: [fn(&Galley<'_>, &Room<'_>) -> Option<String>; 12] = [
        two_points,
        hole,
        no_statement,
        title_beyond_the_text,
        clause_beyond_the_lines,
        done_since,
        taken_back_since,
        offered::merely_offered,
        only_planned,
        story,
        left_out,
        beside_another_value,
    ];
    if !galley.speaks() {
        return Vec::new();
    }
    RULES.iter().filter_map(|rule| rule(galley, room)).collect()
}

/// A title with a semicolon, or a label with a list, carries more than one point.
fn two_points(galley: &Galley<'_>, _: &Room<'_>) -> Option<String> {
    let title = galley.edit.title.as_deref()?;
    let lists = |rest: &str| rest.matches(", ").count() + rest.matches(" and ").count() >= 2;
    let is_list = title.split_once(": ").is_some_and(|(_, rest)| lists(rest));
    let says = || "the title says more than one thing: say the one point, or make two edits of it".to_owned();
    (title.contains("; ") || is_list).then(says)
}

/// A sentence from which an address was taken reads as if something were missing.
fn hole(galley: &Galley<'_>, _: &Room<'_>) -> Option<String> {
    let has_one = galley.edit.said().contains(LEFT_OUT);
    has_one
        .then(|| format!("no person typed the address, so it reads “{LEFT_OUT}”: say it in words without it"))
}

/// A title that opens like a question names a subject.
fn no_statement(galley: &Galley<'_>, _: &Room<'_>) -> Option<String> {
    const ASKING: [&str; 8] = ["what", "which", "how", "when", "where", "why", "who", "whether"];
    let title = galley.edit.title.as_deref()?;
    let opens = title.split_whitespace().next().unwrap_or_default().to_lowercase();
    // “When the queue is full, uploads wait” is a statement.
    (ASKING.contains(&opens.as_str()) && !title.contains(", "))
        .then(|| "the title names a subject and not the point".to_owned())
}

fn title_beyond_the_text(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let title = galley.edit.title.as_deref()?;
    let mut cover = galley.cover(&galley.edit.lines, room);
    cover.add(galley.edit.said());
    let is_said = cover.share(title) >= TITLED;
    (content(title).len() >= TITLE && !is_said)
        .then(|| "the title says what neither the text nor the lines say".to_owned())
}

fn clause_beyond_the_lines(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let (clause, line) = clauses::added(galley, room)?;
    let clause = shorten(&clause, SHOWN);
    Some(match line {
        Some(line) => {
            format!("line {line} may say “{clause}”, no cited line does: cite it, or leave the clause out")
        }
        None => format!("no line says “{clause}”: leave it out, or say it as a line does"),
    })
}

/// Finds the later commit that did what is told as a wish or a plan.
fn done_since(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    const OPEN: [&str; 8] =
        [" is to ", " are to ", " planned", " proposed", " proposes", " wants ", " wanted ", " will be "];
    let text = galley.edit.said();
    let lower = format!(" {} ", text.to_lowercase());
    let is_wish = OPEN.iter().any(|sign| lower.contains(sign));
    let last = galley.cited(room).into_iter().max_by_key(|line| line.number).filter(|_| is_wish)?;
    let own = names(text);
    let mut later = room.context.packet.lines.iter().zip(&room.lines).rev();
    let (line, _) = later.find(|(line, said)| {
        let is_about = own.is_empty() || own.iter().any(|name| said.has_whole(name));
        line.class == LineClass::Commit
            && line.number > last.number
            && line.session == last.session
            && is_about
            && said.share(text) >= COMMITTED
    })?;
    Some(format!("line {} may be the commit that did it: say what holds, and cite it", line.number))
}

/// Finds the later word by which somebody denies or corrects what is told as something that holds, or a person or a
/// commit takes it away again.
fn taken_back_since(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    later::taken_back(galley, room).or_else(|| taken_away_since(galley, room)).map(later::said_of)
}

fn taken_away_since(galley: &Galley<'_>, room: &Room<'_>) -> Option<u32> {
    let said = galley.edit.said();
    let title = galley.edit.title.as_deref().unwrap_or(said);
    if takes_away(said) || denies(title) {
        return None;
    }
    let last = galley.cited(room).into_iter().max_by_key(|line| line.number)?;
    let own: BTreeSet<String> = content(title).into_iter().collect();
    let ends_it = |sentence: &str| {
        let theirs: BTreeSet<String> = content(sentence).into_iter().collect();
        let shared = own.intersection(&theirs).count();
        takes_away(sentence) && shared >= TAKEN && shared * 2 >= own.len().min(theirs.len())
    };
    let line = room.context.packet.lines.iter().find(|line| {
        matches!(line.class, LineClass::Typed | LineClass::Commit)
            && line.number > last.number
            && line.session == last.session
            && line.text.lines().flat_map(sentences).any(ends_it)
    })?;
    Some(line.number)
}

/// Tells whether a sentence says that something goes.
fn takes_away(sentence: &str) -> bool {
    const ROOTS: [&str; 9] =
        ["remove", "removing", "revert", "undo", "scrap", "delete", "deleting", "drop", "rollback"];
    let words = sentence.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.into_iter().any(|word| ROOTS.iter().any(|root| word.starts_with(root)))
}

/// Finds the plan that nobody has agreed to and that alone says most of what is told.
fn only_planned(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let plan = galley.cited(room).into_iter().find(|line| line.class == LineClass::PlanOpen)?;
    let others: Vec<u32> = galley
        .cited(room)
        .into_iter()
        .filter(|line| line.class != LineClass::PlanOpen)
        .map(|line| line.number)
        .collect();
    let said = galley.edit.said();
    let lower = said.to_lowercase();
    let is_told_as_plan = ["plan", "is to ", "are to ", "propos"].iter().any(|word| lower.contains(word));
    (!is_told_as_plan && galley.cover(&others, room).share(said) < TITLED).then(|| {
        format!(
            "line {} is a plan nobody has agreed to: cite a line that shows it was done, or leave it out",
            plan.number
        )
    })
}

/// Finds words that tell how the session went, which nobody needs who reads it later.
fn story(galley: &Galley<'_>, _: &Room<'_>) -> Option<String> {
    let told = STORY.find(galley.edit.said())?;
    Some(format!("“{}” tells how the session went: say what holds, or leave that out", told.as_str()))
}

/// Finds what a finer wording of an entry leaves out.
fn left_out(galley: &Galley<'_>, _: &Room<'_>) -> Option<String> {
    // What rules copied is not worded yet; most of it may go.
    let target = galley.target.filter(|target| galley.edit.op == Op::Refines && target.is_edited())?;
    let was = galley.edit.was.as_ref().map(|was| was.text.as_str()).unwrap_or_default();
    let said = Cover::of([galley.edit.said(), galley.edit.title.as_deref().unwrap_or_default(), was]);
    let article = Article::parse(&target.body);
    let mut lost: Vec<String> = Vec::new();
    for claim in &article.lead {
        let gone = names(&claim.text).into_iter().filter(|name| !said.has_name(name));
        lost.extend(gone);
        let gone = numbers(&claim.text).into_iter().filter(|(_, ways)| !said.has_number(ways));
        lost.extend(gone.map(|(written, _)| written));
    }
    // Of most entries only the title was shown; whoever words one finer has to know what it says.
    let untold = || article.lead.iter().find(|claim| said.share(&claim.text) < REPEATED);
    if lost.len() < LOST
        && let Some(claim) = untold()
    {
        let text = shorten(&claim.text, SHOWN);
        return Some(format!("the entry says “{text}”: say that again with it, or in was that it is over"));
    }
    (lost.len() >= LOST).then(|| {
        format!(
            "the entry also says {}: say it again, or in was that it is over",
            shorten(&lost.join(", "), SHOWN)
        )
    })
}

/// Finds the statement of an entry beside which something is put that says another value of the same.
fn beside_another_value(galley: &Galley<'_>, _: &Room<'_>) -> Option<String> {
    let target = galley.target.filter(|_| galley.edit.op == Op::Adds)?;
    let text = galley.edit.said();
    let own: BTreeSet<String> = content(text).into_iter().collect();
    let differs = |claim: &&Claim| {
        let theirs: BTreeSet<String> = content(&claim.text).into_iter().collect();
        let shared = own.intersection(&theirs).count();
        let (here, there) = (numbers(text), Cover::of([claim.text.as_str()]));
        let values = !here.is_empty() && !numbers(&claim.text).is_empty();
        let other_value = values && !here.iter().any(|(_, ways)| there.has_number(ways));
        shared >= SHARED
            && shared * 2 >= own.len().min(theirs.len())
            && (other_value || denies(text) != denies(&claim.text))
    };
    let article = Article::parse(&target.body);
    let claim = article.current().find(differs)?;
    let said = shorten(&claim.text, SHOWN);
    Some(format!("the entry says “{said}”: if both hold, refine it to say how; if not, supersede it"))
}
