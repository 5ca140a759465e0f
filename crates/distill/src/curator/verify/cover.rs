//! V4 to V6: names, numbers and sentences stand in the lines that are cited.

use lore_core::Op;

use super::form::decides_nothing;
use super::known::is_word_of_the_base;
use super::{Galley, Noticed, Room};
use crate::curator::words::{self, Cover, content};
use crate::curator::{numbers, openings};
use crate::extract::sentence::sentences as cut;

/// A name may stand in a line so near to a cited one; that line is then cited too.
const NEAR: u32 = 5;
/// A name in so many lines is a word of this session.
const COMMON: usize = 3;
/// So many lines may be cited in the end.
const LINES: usize = 12;
/// This share of a sentence's telling words must be covered.
const SHARE: f64 = 0.5;
/// A line that is not cited may cover so much more of a sentence, and no more.
const BETTER: f64 = 0.3;
/// So many telling words of an entry must stand in the lines that say the same.
const SAME: usize = 2;

/// What a sentence may say beyond its entry without a cited line that says any of it: less than this share.
const BEYOND: f64 = 0.4;

/// V4: every name stands in the cited lines, in the entry, in the heading, or elsewhere in the packet; the
/// line where it stands is then cited too.
pub(super) fn names(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let mut more: Vec<u32> = Vec::new();
    let cover = galley.cover(&galley.edit.lines, room);
    let text = galley.edit.said().to_owned();
    let mut far: Option<String> = None;
    for name in words::names(&text).iter().filter(|name| !cover.has_name(name)) {
        match place_of(name, &galley.edit.lines, room) {
            _ if room.heading.has_name(name) || is_path_of_entry(name, &cover, room) => {}
            Found::Nowhere if is_word_of_the_base(name, &room.statements) => {}
            Found::Near(line) => more.push(line),
            Found::Everywhere => {}
            Found::Far(line) if far.is_none() => {
                far = Some(format!(
                    "`{}` stands in line {line} only, which was not cited: it is cited too",
                    shown(name)
                ));
                more.push(line);
            }
            Found::Far(line) | Found::Pasted(line) => {
                return Noticed::Refuse(format!(
                    "`{}` stands in line {line}, which is not cited",
                    shown(name)
                ));
            }
            Found::Nowhere => {
                return Noticed::Refuse(format!("the name `{}` stands nowhere in the packet", shown(name)));
            }
        }
    }
    let anywhere = |word: &str| {
        cover.has_name(word)
            || room.heading.has_name(word)
            || room.lines.iter().any(|line| line.has_name(word))
            || is_path_of_entry(word, &cover, room)
            || is_word_of_the_base(word, &room.statements)
    };
    let opens = |word: &str| {
        let mut elsewhere = room.lines.iter().chain([&room.heading]);
        cover.has_opening(word) || elsewhere.any(|line| line.has_opening(word))
    };
    if let Some(word) = openings::openings(&text).iter().find(|word| !opens(word)) {
        return Noticed::Refuse(format!(
            "the word `{}`, which may be a name, stands nowhere in the packet",
            shown(word)
        ));
    }
    let title = galley.edit.title.clone().unwrap_or_default();
    let said = Cover::of([text.as_str()]);
    if let Some(name) = words::names(&title).iter().find(|name| !anywhere(name) && !said.has_name(name)) {
        return Noticed::Refuse(format!(
            "the name `{}` of the title stands nowhere in the packet",
            shown(name)
        ));
    }
    let room_left = LINES.saturating_sub(galley.edit.lines.len());
    more.dedup();
    if more.len() > room_left {
        return Noticed::Refuse("its names stand in more lines than it cites".to_owned());
    }
    galley.edit.lines.extend(&more);
    galley.edit.lines.sort_unstable();
    galley.edit.lines.dedup();
    let mut lost = Vec::new();
    if let Some(was) = galley.edit.was.clone() {
        let then = galley.cover(&was.lines, room);
        let foreign = |name: &&String| !then.has_name(name) && !cover.has_name(name);
        if let Some(name) = words::names(&was.text).iter().find(foreign) {
            lost.push(format!("what was before is left out: `{}` does not stand in its lines", shown(name)));
            galley.edit.was = None;
        }
    }
    if let Some(reason) = galley.edit.reason.clone() {
        let foreign = |name: &&String| !cover.has_name(name) && !said.has_name(name);
        if let Some(name) = words::names(&reason).iter().find(foreign) {
            lost.push(format!("the reason is left out: `{}` does not stand in the cited lines", shown(name)));
            galley.edit.reason = None;
        }
    }
    if let Some(far) = far {
        lost.push(far);
        return Noticed::Flag(lost.join("; "));
    }
    match (lost.is_empty(), more.first()) {
        (false, _) => Noticed::Lower(lost.join("; ")),
        (true, Some(line)) => Noticed::Note(format!("line {line} is cited too, a name stands there")),
        (true, None) => Noticed::Fine,
    }
}

enum Found {
    Near(u32),
    Everywhere,
    Far(u32),
    Pasted(u32),
    Nowhere,
}

/// The whole path of a file that the lines name by its end may come from any entry that is shown.
fn is_path_of_entry(name: &str, cover: &Cover, room: &Room<'_>) -> bool {
    let Some((_, file)) = name.rsplit_once('/') else { return false };
    let has_ending = file.rsplit_once('.').is_some_and(|(stem, end)| stem.len() > 1 && !end.is_empty());
    has_ending && cover.has_name(file) && room.statements.iter().any(|stated| stated.names(name))
}

fn place_of(name: &str, cited: &[u32], room: &Room<'_>) -> Found {
    let packet = room.context.packet;
    let hits: Vec<u32> = packet
        .lines
        .iter()
        .zip(&room.lines)
        .filter(|(_, cover)| cover.has_name(name))
        .map(|(line, _)| line.number)
        .collect();
    let same_session =
        |a: u32, b: u32| packet.line(a).map(|line| &line.session) == packet.line(b).map(|line| &line.session);
    let near =
        |hit: &&u32| cited.iter().any(|line| line.abs_diff(**hit) <= NEAR && same_session(*line, **hit));
    // What was pasted is not drawn in unasked.
    let decides = |hit: &&u32| packet.line(**hit).is_some_and(|line| !decides_nothing(line.class));
    if let Some(line) = hits.iter().filter(near).find(decides) {
        Found::Near(*line)
    } else if hits.len() >= COMMON {
        Found::Everywhere
    } else if let Some(line) = hits.iter().find(decides) {
        Found::Far(*line)
    } else {
        hits.first().map_or(Found::Nowhere, |line| Found::Pasted(*line))
    }
}

/// V5: every number stands in the cited lines themselves.
pub(super) fn numbers(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let cover = galley.cover(&galley.edit.lines, room);
    let missing = |text: &str, cover: &Cover| {
        // The day on which something was said is known without being said.
        let text = room.days.iter().fold(text.to_owned(), |text, day| text.replace(day.as_str(), " "));
        let is_year = |written: &str| room.days.iter().any(|day| day.split('-').next() == Some(written));
        numbers::numbers(&text)
            .into_iter()
            .find(|(written, ways)| {
                !cover.has_number(ways) && !room.heading.has_number(ways) && !is_year(written)
            })
            .map(|(written, _)| written)
    };
    if let Some(number) = missing(galley.edit.said(), &cover) {
        return Noticed::Refuse(format!("the number {number} does not stand in the cited lines"));
    }
    let title = galley.edit.title.as_deref().unwrap_or_default();
    if let Some(number) = missing(title, &cover) {
        return Noticed::Refuse(format!(
            "the number {number} of the title does not stand in the cited lines"
        ));
    }
    let mut lost = Vec::new();
    if let Some(was) = galley.edit.was.clone()
        && let Some(number) = missing(&was.text, &galley.cover(&was.lines, room))
    {
        lost.push(format!("what was before is left out: {number} does not stand in its lines"));
        galley.edit.was = None;
    }
    if let Some(number) = galley.edit.reason.as_deref().and_then(|reason| missing(reason, &cover)) {
        lost.push(format!("the reason is left out: {number} does not stand in the cited lines"));
        galley.edit.reason = None;
    }
    if lost.is_empty() { Noticed::Fine } else { Noticed::Lower(lost.join("; ")) }
}

/// V6: at least half of every sentence stands in the cited lines or in the entry, and no other line
/// says it better.
pub(super) fn sentences(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if galley.edit.op == Op::Same {
        return says_the_same(galley, room);
    }
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let cover = galley.cover(&galley.edit.lines, room);
    let weak = |text: &str, cover: &Cover| -> Option<String> {
        let sentence = cut(text).into_iter().find(|sentence| cover.share(sentence) < SHARE)?;
        let share = (cover.share(sentence) * 100.0).round();
        Some(format!("only {share} % of the words of “{}” stand in the cited lines", shown(sentence)))
    };
    if let Some(said) = weak(galley.edit.said(), &cover) {
        return Noticed::Refuse(said);
    }
    if let Some(said) = said_elsewhere(galley, room).or_else(|| adds_what_no_line_says(galley, room)) {
        return Noticed::Refuse(said);
    }
    let mut lost = Vec::new();
    if let Some(was) = galley.edit.was.clone()
        && weak(&was.text, &galley.cover(&was.lines, room)).is_some()
    {
        lost.push("what was before is left out: its lines do not say it");
        galley.edit.was = None;
    }
    if galley.edit.reason.as_deref().and_then(|reason| weak(reason, &cover)).is_some() {
        lost.push("the reason is left out: the cited lines do not give it");
        galley.edit.reason = None;
    }
    if lost.is_empty() { Noticed::Fine } else { Noticed::Lower(lost.join("; ")) }
}

/// Finds a sentence that has words beyond its entry, and not one of them in the cited lines: what the entry
/// says already covers half of any sentence about the same thing.
fn adds_what_no_line_says(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let target = galley.target.filter(|_| galley.edit.op != Op::New)?;
    let mut known = Cover::of([target.title.as_str()]);
    lore_core::Article::parse(&target.body).claims().for_each(|claim| known.add(&claim.text));
    let lines = Cover::of(galley.cited(room).iter().map(|line| line.text.as_str()));
    let sentence = cut(galley.edit.said()).into_iter().find(|sentence| {
        let words = sentence.split(|c: char| !c.is_alphanumeric());
        let telling = words.filter(|word| !content(word).is_empty());
        let telling: Vec<&str> = telling.collect();
        let beyond: Vec<&str> = telling.iter().copied().filter(|word| known.share(word) == 0.0).collect();
        let weighs = beyond.len() >= 2 && beyond.len() as f64 >= BEYOND * telling.len() as f64;
        weighs && beyond.iter().all(|word| lines.share(word) == 0.0)
    })?;
    Some(format!("nothing that “{}” adds to the entry stands in the cited lines", shown(sentence)))
}

/// Finds a line that says more of a sentence than all the lines the editor cited for it.
fn said_elsewhere(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let cover = galley.cover(&galley.asked, room);
    for sentence in cut(galley.edit.said()) {
        let cited = cover.share(sentence);
        let others = room.context.packet.lines.iter().zip(&room.lines);
        let better = others
            .filter(|(line, _)| !galley.asked.contains(&line.number))
            .find(|(_, said)| said.share(sentence) >= cited + BETTER);
        if let Some((line, _)) = better {
            return Some(format!(
                "line {} says more of “{}” than the cited lines",
                line.number,
                shown(sentence)
            ));
        }
    }
    None
}

/// Lines that say the same as an entry share its telling words; pasted ones are no evidence for it.
fn says_the_same(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let packet = room.context.packet;
    galley.edit.lines.retain(|number| packet.line(*number).is_some_and(|line| !decides_nothing(line.class)));
    let Some(entry) = galley.target else { return Noticed::Fine };
    let texts = galley.edit.lines.iter().filter_map(|number| packet.line(*number));
    let cover = Cover::of(texts.map(|line| line.text.as_str()));
    let article = lore_core::Article::parse(&entry.body);
    let said: Vec<String> =
        article.current().chain(&article.conflict).map(|claim| claim.text.clone()).collect();
    let mut stems = content(&format!("{}. {}", entry.title, said.join(" ")));
    stems.sort_unstable();
    stems.dedup();
    let shared = stems.iter().filter(|stem| cover.stems.contains(*stem)).count();
    if shared < SAME.min(stems.len().max(1)) {
        return Noticed::Refuse("the cited lines do not say what the entry says".to_owned());
    }
    Noticed::Fine
}

fn shown(text: &str) -> String {
    crate::article::shorten(text, 60)
}
