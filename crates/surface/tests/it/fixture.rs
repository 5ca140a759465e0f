//! Small bases to search in.

use jiff::civil::date;
use lore_core::recall::Query;
use lore_core::{Entry, EntryId, Hit, Kind, Link, LinkKind, Moment, SessionId, Status, Voice};
use lore_surface::{Card, Index, Level, Location, Passage};

/// Makes a card whose id comes from its title.
pub(crate) fn card(kind: Kind, title: &str, body: &str) -> Card {
    let id = EntryId::new(kind, date(2026, 1, 10), title);
    let mut entry = Entry::new(id, kind, title);
    entry.body = body.to_owned();
    entry.created = Some("2026-01-10".parse().unwrap());
    let path = format!("{}/{}.md", kind.topic(), entry.id);
    Card { entry, path, stamp: "1".to_owned() }
}

/// Links the first card to the second.
pub(crate) fn link(from: &mut Card, kind: LinkKind, to: &Card) {
    from.entry.links.push(Link::new(kind, to.entry.id.as_str()));
}

/// Fills a new index in memory.
pub(crate) fn filled(cards: &[Card]) -> Index {
    let mut index = Index::open(&Location::Memory, None).unwrap();
    fill(&mut index, cards);
    index
}

/// Replaces everything that is in an index.
pub(crate) fn fill(index: &mut Index, cards: &[Card]) {
    let mut writer = index.writer().unwrap();
    writer.clear(Level::Entries).unwrap();
    writer.put(cards).unwrap();
    writer.commit(Level::Entries, "r1").unwrap();
    writer.finish().unwrap();
}

/// Asks on a fixed day.
pub(crate) fn ask(index: &Index, query: &Query) -> Vec<Hit> {
    index.snapshot().search(query, today()).unwrap()
}

/// Asks and returns the titles.
pub(crate) fn titles(index: &Index, query: &Query) -> Vec<String> {
    ask(index, query).into_iter().map(|hit| hit.title).collect()
}

/// Puts what was said in one session on the shelf, turn by turn.
pub(crate) fn said(index: &mut Index, turns: &[(Voice, &str)]) {
    let passage = |((voice, text), sequence): (&(Voice, &str), u32)| Passage {
        session: SessionId::new("s1"),
        agent: "test".to_owned(),
        project: None,
        line: sequence * 2 + 3,
        sequence,
        voice: *voice,
        at: Some("2026-01-12T10:00:00Z".parse().unwrap()),
        files: Vec::new(),
        text: (*text).to_owned(),
    };
    let passages: Vec<Passage> = turns.iter().zip(0..).map(passage).collect();
    let mut writer = index.writer().unwrap();
    writer.clear(Level::Passages).unwrap();
    writer.put_passages("s1", &passages).unwrap();
    writer.commit(Level::Passages, "").unwrap();
}

pub(crate) fn today() -> Moment {
    "2026-01-20".parse().unwrap()
}

/// A small base about one made-up program.
pub(crate) fn base() -> Vec<Card> {
    let mut database =
        card(Kind::Decision, "Use PostgreSQL for the ledger", "We need transactions over several tables.");
    database.entry.tags = vec!["storage/sql".to_owned()];
    database.entry.domain = Some("storage".to_owned());
    database.entry.files = vec!["src/ledger/store.rs".to_owned()];
    database.entry.issues = vec!["42".to_owned()];
    let mut old = card(Kind::Decision, "Use SQLite for the ledger", "One file is the simplest ledger.");
    old.entry.status = Status::Superseded;
    link(&mut old, LinkKind::SupersededBy, &database);
    let mut header = card(
        Kind::Resolution,
        "Header parser dropped folded lines",
        "parseHTTPHeader ignored re-entry after a fold. Fixed in v1.2.3, see GR-005.",
    );
    header.entry.files = vec!["src/http/header.rs".to_owned()];
    header.entry.domain = Some("network".to_owned());
    let mut pattern = card(Kind::Pattern, "Retry with jitter", "Retries without jitter make storms.");
    pattern.entry.occurrences = Some(8);
    let preference = card(Kind::Preference, "Prefers small commits", "Each commit does one thing.");
    let foreign = card(Kind::Fact, "検索エンジンの選択", "全文検索には転置索引を使う。");
    let mut left =
        card(Kind::Fact, "Cache lives for five minutes", "The cache keeps answers for five minutes.");
    left.entry.status = Status::Disputed;
    let mut right = card(Kind::Fact, "Cache lives for one hour", "Answers are kept for an hour.");
    right.entry.status = Status::Disputed;
    link(&mut left, LinkKind::Contradicts, &right);
    vec![database, old, header, pattern, preference, foreign, left, right]
}
