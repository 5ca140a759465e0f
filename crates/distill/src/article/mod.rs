//! Writing articles: short wiki pages with the statement first.

mod confirmed;
mod kind;
mod relate;
mod timeline;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use lore_core::{
    Article, Candidate, Claim, Confidence, Entry, EntryId, Kind, Moment, Source, Stamp, Status, Voice,
    one_line,
};

use crate::extract::title::title_of;
use crate::extract::wording::capital;

pub use kind::kind_by_form;
pub(crate) use relate::relate;
pub use timeline::timeline;

/// Most tags an article carries.
const TAGS: usize = 8;
/// Most words of a title; marks between them count here, other than in extraction.
pub(crate) const TITLE_WORDS: usize = 14;
/// Longest description, in characters.
const DESCRIPTION: usize = 160;

/// Tells whether entries of this kind are articles made of claims.
pub fn is_article(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Decision | Kind::Fact | Kind::Preference | Kind::Architecture | Kind::Limitation | Kind::Event
    )
}

/// Makes the front matter of a new article.
pub(crate) fn entry_for(candidate: &Candidate, now: Timestamp) -> Entry {
    let kind = kind_by_form(candidate.kind, &candidate.text);
    let kind = if is_article(kind) { kind } else { Kind::Fact };
    let at = candidate.said_at().unwrap_or(now);
    let title = title(candidate);
    let id = EntryId::new(kind, at.to_zoned(TimeZone::UTC).date(), &title);
    Entry {
        created: Some(Moment::Instant(at)),
        confidence: Some(candidate.confidence),
        ..Entry::new(id, kind, title)
    }
}

/// Returns the id that goes with the kind, the day and the title of an entry.
pub(crate) fn id_for(entry: &Entry) -> EntryId {
    let day = entry.created.map(Moment::date).or_else(|| entry.id.date());
    day.map_or_else(|| entry.id.clone(), |day| EntryId::new(entry.kind, day, &entry.title))
}

/// Returns the title of a candidate, at most ten words.
pub(crate) fn title(candidate: &Candidate) -> String {
    let title = one_line(&candidate.title);
    let source = if title.is_empty() { one_line(&candidate.text) } else { title };
    let words: Vec<&str> = source.split(' ').take(TITLE_WORDS).collect();
    capital(words.join(" ").trim_end_matches(['.', ',', ';', ':']))
}

/// Writes the title of what takes the place of a claim: of a message that says several things the clause about it.
pub(crate) fn title_in_place_of(candidate: &Candidate, replaced: &str) -> String {
    let words = |text: &str| -> Vec<String> {
        let plain = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        plain.map(|word| word.trim_end_matches('s').to_owned()).filter(|word| word.len() > 3).collect()
    };
    let known = words(replaced);
    let shared = |text: &str| words(text).iter().filter(|word| known.contains(word)).count();
    let own = title(candidate);
    if shared(&own) > 0 {
        return own;
    }
    let clauses = candidate.text.split([',', ';']).map(|clause| clause.trim().trim_start_matches("and "));
    let clause = clauses.rev().max_by_key(|clause| shared(clause)).filter(|clause| shared(clause) > 1);
    clause.map_or(own, |clause| title(&Candidate { title: clause.to_owned(), ..candidate.clone() }))
}

/// Takes what a further candidate brings into the front matter.
pub(crate) fn widen(entry: &mut Entry, candidate: &Candidate) {
    for keyword in &candidate.keywords {
        let tag = keyword.trim().to_lowercase();
        if !tag.is_empty() && entry.tags.len() < TAGS && !entry.tags.contains(&tag) {
            entry.tags.push(tag);
        }
    }
    for file in &candidate.files {
        if !entry.files.contains(file) {
            entry.files.push(file.clone());
        }
    }
    if let Some(issue) = &candidate.issue
        && !entry.issues.contains(issue)
    {
        entry.issues.push(issue.clone());
    }
    if let Some(at) = candidate.said_at().map(Moment::Instant) {
        entry.created = Some(entry.created.map_or(at, |known| known.min(at)));
        entry.updated = Some(entry.updated.map_or(at, |known| known.max(at)));
    }
    entry.confidence = entry.confidence.max(Some(candidate.confidence));
}

/// Writes the body and what follows from it.
pub(crate) fn finish(mut entry: Entry, article: &Article, now: Timestamp) -> Entry {
    if confirmed::is_replaced(&Article::parse(&entry.body), article) {
        entry.verified.clear();
    }
    entry.body = article.render();
    if entry.kind == Kind::Event {
        entry.created = happened(&entry, article).or(entry.created);
    }
    let first = article.lead.first().or(article.conflict.first()).or(article.facts.first());
    entry.description = first.map(|claim| shorten(&claim.text, DESCRIPTION));
    entry.status = if article.is_disputed() {
        Status::Disputed
    } else if article.current().next().is_none() && !article.history.is_empty() {
        Status::Superseded
    } else {
        Status::Current
    };
    if entry.status == Status::Disputed {
        entry.confidence = entry.confidence.min(Some(Confidence::Medium));
    }
    let mut sessions: Vec<&str> =
        entry.sources.iter().filter_map(|s| s.session.as_ref()).map(lore_core::SessionId::as_str).collect();
    sessions.sort_unstable();
    sessions.dedup();
    entry.occurrences = u32::try_from(sessions.len()).ok().filter(|n| *n > 1);
    let by = concat!("lorekeep/", env!("CARGO_PKG_VERSION")).to_owned();
    // As old as what it rests on: whoever curates the same sessions writes the same.
    let at = entry.last_heard().or(entry.updated).unwrap_or(Moment::Instant(now));
    entry.generated = Some(Stamp { by, at: Some(at) });
    entry.last_auto_curated = Some(at);
    entry
}

/// Returns when what an event opens with was first said: a page that became one may have told of something else before,
/// and events are told in the order of their days.
fn happened(entry: &Entry, article: &Article) -> Option<Moment> {
    let opening = article.lead.first()?;
    entry.sources_of(opening).filter_map(|source| source.at).min()
}

/// Says who said something and when.
pub(crate) fn said_by(source: &Source) -> String {
    let who = match source.voice {
        Voice::Person => "a person",
        Voice::Agent => "an agent",
        Voice::Tool => "a tool",
        Voice::Web => "a web page",
    };
    match source.at {
        Some(at) => format!("{who} on {}", at.date()),
        None => who.to_owned(),
    }
}

/// Writes a footnote.
pub fn note(source: &Source) -> String {
    let issue = source.issue.as_ref().map(|issue| format!(", issue #{issue}")).unwrap_or_default();
    format!("{}, `{}`{issue}", capitalised(&said_by(source)), source.resource)
}

/// Splits off the sentences that only give reasons.
pub(crate) fn statement_and_reasons(text: &str) -> (String, Vec<String>) {
    const OPENINGS: [&str; 6] =
        ["Because ", "The reason ", "Reason: ", "Otherwise", "This avoids ", "This prevents "];
    let article = Article::parse(&one_line(text));
    let (reasons, statements): (Vec<String>, Vec<String>) = article
        .lead
        .into_iter()
        .map(|claim| claim.text)
        .partition(|sentence| OPENINGS.iter().any(|opening| sentence.starts_with(opening)));
    if statements.is_empty() {
        return (one_line(text), Vec::new());
    }
    (statements.join(" "), reasons)
}

/// Tells whether a title states what was replaced rather than what holds now.
pub(crate) fn title_says(title: &str, replaced: &str, now: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let plain = |c: char| !c.is_alphanumeric();
        text.split(plain)
            .filter(|word| word.len() > 2 || word.contains(|c: char| c.is_ascii_digit()))
            .map(str::to_lowercase)
            .collect()
    };
    let all = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    // "No logs there any more" opens otherwise than "Logs there".
    let (whole, opening) = (all(title), [all(replaced), all(now)]);
    let (title, replaced, now) = (words(title), words(replaced), words(now));
    let only = |in_this: &[String], not_in: &[String]| {
        title.iter().filter(|word| in_this.contains(word) && !not_in.contains(word)).count()
    };
    // A title that is the opening of what was replaced states it, also where the new words name the old
    // value; unless the new ones open alike.
    let opens = |text: &[String]| !whole.is_empty() && text.starts_with(&whole);
    only(&replaced, &now) > only(&now, &replaced) || opens(&opening[0]) && !opens(&opening[1])
}

/// Lets the title and the description follow the claim that stands, where they still state one that fell.
pub fn follow_standing(entry: &mut Entry, article: &Article, fallen: &[Claim]) {
    let Some(standing) = article.lead.first().or(article.facts.first()) else { return };
    if fallen.iter().any(|claim| title_says(&entry.title, &claim.text, &standing.text)) {
        entry.title = title_of(&standing.text);
    }
    entry.description = Some(shorten(&standing.text, DESCRIPTION));
}

/// Writes the first letter large.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Cuts at a word, and says so.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let cut: String = text.chars().take(limit).collect();
    let end = cut.rfind(' ').filter(|at| *at > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_split_off() {
        let (statement, why) = statement_and_reasons(
            "Sessions are kept in memory. Because the disk is slow. Restarts lose them.",
        );
        assert_eq!(statement, "Sessions are kept in memory. Restarts lose them.");
        assert_eq!(why, ["Because the disk is slow."]);
        assert_eq!(statement_and_reasons("Because of that.").0, "Because of that.");
    }

    #[test]
    fn an_event_has_the_day_of_the_sentence_that_opens_its_page() {
        let session = lore_core::SessionId::new("s-1");
        let day = |text: &str| Moment::Day(text.parse().unwrap());
        let source = |id: &str, line, at: &str| Source {
            id: Some(id.to_owned()),
            at: Some(day(at)),
            ..Source::session_line("claude-code", &session, line, Voice::Person)
        };
        let page = |kind: Kind| {
            let id = "evt-2026-01-02-the-bell".parse().unwrap();
            let sources = vec![source("s1", 3, "2026-01-02"), source("s2", 9, "2026-03-04")];
            Entry { created: Some(day("2026-01-02")), sources, ..Entry::new(id, kind, "The bell") }
        };
        let body =
            "The bell was moved to the pier.[^s2]\n\n## History\n\n- The bell hangs in the tower.[^s1]\n";
        let article = Article::parse(body);
        let created = |kind: Kind| finish(page(kind), &article, Timestamp::UNIX_EPOCH).created;
        assert_eq!(created(Kind::Event), Some(day("2026-03-04")));
        assert_eq!(created(Kind::Fact), Some(day("2026-01-02")));
    }

    #[test]
    fn long_text_is_cut_at_a_word() {
        assert_eq!(shorten("short", 10), "short");
        assert_eq!(shorten("one two, three four", 12), "one two…");
    }

    /// Settling a dispute left the losing value in the title, so that the list said one thing and the
    /// article another.
    #[test]
    fn the_title_follows_the_claim_that_stands() {
        let check = |title: &str, fallen: &str, stands: &str, expected: &str| {
            let id = "dec-2026-04-02-x".parse().unwrap();
            let mut entry = Entry::new(id, Kind::Decision, title);
            let article = Article::parse(&format!("{stands}\n"));
            follow_standing(&mut entry, &article, &[Claim::new(fallen, Vec::new())]);
            assert_eq!(entry.title, expected);
            assert_eq!(entry.description.as_deref(), Some(stands));
        };
        check(
            "Cancellations are free until 24 hours before",
            "Cancellations are free until 24 hours before the start.",
            "Cancellations are free until 48 hours before the start.",
            "Cancellations are free until 48 hours before the start",
        );
        check("Retention of logs", "Logs are kept 30 days.", "Logs are kept 90 days.", "Retention of logs");
        check(
            "Use SQLite for bookings",
            "Use SQLite for bookings, because one process writes.",
            "Use PostgreSQL for bookings, because two instances write at once.",
            "Use PostgreSQL for bookings, because two instances write at once",
        );
    }

    #[test]
    fn a_title_that_states_the_old_value_is_noticed() {
        let old = "Retries stop after three attempts.";
        let new = "Retries stop after five attempts.";
        assert!(title_says("Retries stop after three", old, new));
        assert!(!title_says("Number of retries", old, new));
    }
}
