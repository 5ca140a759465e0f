//! One entry or passage as a line: what it says, then its citation with everything one needs to weigh it.

use lore_core::article::DOUBTED;
use lore_core::text::cut_at_word;
use lore_core::{Article, Entry, Moment, SessionId, Status, Voice};

use super::against::Against;
use super::choose::{Pick, Reason};
use super::company::company_word;
use super::pack::Line;
use crate::answer::Quote;

/// How old something is, in the bands of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Age {
    /// Less than 30 days.
    Fresh,
    /// Up to 90 days.
    Ageing,
    /// More than 90 days.
    Old,
    /// Nobody wrote it down.
    Unknown,
}

/// Says how old an entry is.
pub fn age(entry: &Entry, today: Moment) -> (Age, Option<u32>) {
    match entry.updated.or(entry.created) {
        Some(since) => {
            let days = since.days_until(today);
            let band = match days {
                0..30 => Age::Fresh,
                30..=90 => Age::Ageing,
                _ => Age::Old,
            };
            (band, Some(days))
        }
        None => (Age::Unknown, None),
    }
}

/// Whether the conditions of an entry hold, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// `holds`, `broken` or `cannot tell`; nothing where it has no conditions.
    pub word: Option<String>,
    /// What says that it is broken.
    pub evidence: Option<String>,
}

/// A one-liner is about this long.
const SHORT: usize = 200;
/// One of what is always said.
const TERSE: usize = 120;
/// And no entry is longer than this.
const LONG: usize = 420;

/// Writes an entry as a line.
pub fn entry_line(pick: &Pick, standing: &Standing, today: Moment) -> Line {
    let entry = &pick.card.entry;
    let mark = mark(pick);
    let cite = citation(pick, standing, today);
    let broken = standing.evidence.as_ref().map(|evidence| format!(" (no longer holds: {evidence})"));
    let broken = broken.unwrap_or_default();
    let before = doubted(entry);
    let write = |longest: usize, claims: usize| {
        format!("- {mark}{}{before}{broken} {cite}", words(entry, &pick.says, longest, claims))
    };
    let disputed = entry.status == Status::Disputed;
    let short = write(SHORT, if disputed { 2 } else { 1 });
    Line {
        source: entry.id.to_string(),
        long: write(LONG, usize::MAX),
        short,
        least: None,
        critical: matches!(pick.reason, Reason::Disputed | Reason::Company { .. }),
    }
}

/// Writes a rule as one short line with its short id; whether it is disputed, broken or unreviewed is said. What else its
/// page lays down, and what only an agent says against it, is told where there is room; else how much there is.
pub fn rule_line(pick: &Pick, standing: &Standing) -> Line {
    let entry = &pick.card.entry;
    let mark = if entry.status == Status::Disputed { "DISPUTED: " } else { "" };
    let (sides, all) = if entry.status == Status::Disputed { (2, 2) } else { (1, usize::MAX) };
    let broken = standing.evidence.as_ref().map(|evidence| format!(" (no longer holds: {evidence})"));
    let unreviewed = if entry.is_unreviewed() { " · unreviewed" } else { "" };
    let broken = broken.unwrap_or_default();
    let before = doubted(entry);
    let write = |longest: usize, claims: usize, against: Option<&Against>| {
        let says = words(entry, &pick.says, longest, claims);
        let untold = pick.says.iter().skip(1).take(all - 1).filter(|claim| !says.contains(*claim)).count();
        let more = if untold == 0 { String::new() } else { format!(" · {untold} more") };
        let against = against.map(otherwise).unwrap_or_default();
        format!("- {mark}{says}{before}{broken}{against} [{}{unreviewed}{more}]", entry.id.handle())
    };
    let against = pick.against.as_ref();
    let short = write(TERSE, sides, against.filter(|one| one.by_people));
    let long = write(LONG, all, against);
    Line { source: entry.id.to_string(), short, long, least: None, critical: false }
}

/// Tells whether a line says all that an entry has to say, word for word.
pub fn tells_whole(pick: &Pick, line: &str) -> bool {
    let entry = &pick.card.entry;
    if pick.says.is_empty() {
        line.contains(&entry.title)
    } else {
        pick.says.iter().all(|says| line.contains(says))
    }
}

/// Says who says what against an entry, and where.
fn otherwise(against: &Against) -> String {
    let who = if against.by_people { "a person" } else { "an agent" };
    let says = cut_at_word(against.says.trim_end_matches('.'), TERSE);
    format!(" ({who} says otherwise: “{says}” {})", against.handle)
}

/// Writes words of a past session as a line.
pub fn said_line(quote: &Quote) -> Line {
    let day = quote.at.map(|at| format!(" · {}", at.date())).unwrap_or_default();
    let who = match quote.voice {
        Voice::Person => " · a person",
        Voice::Agent => " · an agent",
        Voice::Tool => " · a tool",
        Voice::Web => " · a web page",
    };
    let write = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("- “{}” [{}{who}{day}]", cut_at_word(&text, LONG), short_source(&quote.source))
    };
    let least = Some(&quote.gist).filter(|gist| !gist.is_empty()).map(|gist| write(gist));
    let line = write(&quote.text);
    Line { source: quote.source.clone(), short: line.clone(), long: line, least, critical: false }
}

/// Shortens `session://agent/<long id>#L7` to what still names the session: `lore sessions show` takes
/// the beginning of an id.
fn short_source(source: &str) -> String {
    let Some((_, rest)) = source.strip_prefix("session://").and_then(|rest| rest.split_once('/')) else {
        return source.to_owned();
    };
    let (id, line) = rest.split_once('#').unwrap_or((rest, ""));
    format!("{}#{line}", SessionId::new(id).short())
}

fn mark(pick: &Pick) -> String {
    let entry = &pick.card.entry;
    if let Some(by) = &pick.replaced_by {
        return format!("POSSIBLY REPLACED by {}: ", by.handle());
    }
    let company = match &pick.reason {
        Reason::Company { kind, of } => format!("({} {}) ", company_word(*kind), of.handle()),
        _ => String::new(),
    };
    match entry.status {
        Status::Disputed => format!("{company}DISPUTED: "),
        Status::Superseded => format!("{company}NO LONGER HOLDS: "),
        Status::Outdated => format!("{company}OUTDATED: "),
        Status::Current => company,
    }
}

/// Says what an entry may have replaced: nobody has decided yet, so both are told.
fn doubted(entry: &Entry) -> String {
    if !entry.body.contains(&format!("## {DOUBTED}")) {
        return String::new();
    }
    let article = Article::parse(&entry.body);
    let Some(before) = article.doubted.first() else { return String::new() };
    format!(" (said before, possibly replaced: “{}”)", cut_at_word(before.text.trim_end_matches('.'), TERSE))
}

/// Joins the title and as many statements as fit; a title that a statement repeats is left out.
fn words(entry: &Entry, says: &[String], longest: usize, claims: usize) -> String {
    let title = entry.title.trim_end_matches(['.', ':', '…']);
    let mut text = String::new();
    let joint = if entry.status == Status::Disputed { " / " } else { " " };
    for claim in says.iter().take(claims) {
        if !text.is_empty() && text.chars().count() + claim.chars().count() > longest {
            break;
        }
        if !text.is_empty() {
            text.push_str(joint);
        }
        text.push_str(claim);
    }
    let says_title = |text: &str| text.to_lowercase().contains(&title.to_lowercase());
    // A short title says more than the beginning of a long statement.
    let is_terse = longest <= TERSE;
    let cut_off = text.chars().count() > longest && is_terse;
    let titled = format!("{title}: {text}");
    let whole = if text.is_empty() || cut_off {
        title.to_owned()
    } else if says_title(&text)
        || text.chars().count() >= longest
        || shares_words(title, &text)
        || is_terse && titled.chars().count() > longest
    {
        text
    } else {
        titled
    };
    cut_at_word(&whole, longest)
}

/// Tells whether nearly every word of a title stands in a text.
fn shares_words(title: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let title = title.to_lowercase();
    let words = title.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let shared = words.iter().filter(|word| text.contains(**word)).count();
    shared * 4 >= words.len() * 3
}

fn citation(pick: &Pick, standing: &Standing, today: Moment) -> String {
    let entry = &pick.card.entry;
    let status = if pick.replaced_by.is_some() { "possibly replaced" } else { entry.status.word() };
    let mut parts = vec![entry.id.handle().to_string(), status.to_owned()];
    // Nobody has looked at it yet; whoever reads it should know.
    parts.extend(entry.is_unreviewed().then(|| "unreviewed".to_owned()));
    parts.extend(entry.confidence.map(|confidence| confidence.word().to_owned()));
    let (band, days) = age(entry, today);
    parts.extend(days.map(|days| format!("{days}d")));
    match (&standing.word, band) {
        (Some(word), _) => parts.push(word.clone()),
        (None, Age::Ageing) => parts.push("ageing".to_owned()),
        (None, Age::Old) => parts.push("old".to_owned()),
        (None, _) => {}
    }
    format!("[{}]", parts.join(" · "))
}
