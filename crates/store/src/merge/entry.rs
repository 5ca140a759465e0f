//! Two versions of one entry become one: each field by its own rule.

use std::collections::{BTreeSet, HashMap};

use lore_core::article::CONFLICT;
use lore_core::{Curator, Entry, Link, LinkKind, Source, Stamp, Status};
use serde_json::Value;

use super::authors::Authors;
use super::body::{self, Hands};
use super::manuscript::Manuscript;
use super::{Take, pick, three};
use crate::format;

/// Merges two versions; `main` is the one whose words go first.
pub(super) fn merge(base: Option<&Take<'_>>, main: &Take<'_>, other: &Take<'_>) -> String {
    let mut merged = fields(base.map(|base| &base.entry), &main.entry, &other.entry);
    let hands = match (main.is_a_persons(), other.is_a_persons()) {
        (true, true) => Hands::People,
        (true, false) => Hands::PersonFirst,
        (false, _) => Hands::Machines,
    };
    let sources = Evidence::join(base.map(|base| &base.entry), &main.entry, &other.entry);
    let parsed = |entry: &Entry, keys: &HashMap<String, String>| Manuscript::parse(&entry.body).rekeyed(keys);
    let text = Manuscript::parse(&main.entry.body);
    let keys = sources.other_keys(&text, &Manuscript::parse(&other.entry.body));
    let theirs = parsed(&other.entry, &keys);
    let authors = Authors::of(base.map(|base| &base.entry), [&main.entry, &other.entry], &keys);
    let before = base.map(|base| parsed(&base.entry, &sources.of_base)).unwrap_or_default();
    let body = match is_open_again(&merged, &main.entry, &other.entry) {
        // What one side moved to the history is said again, in the words of the side that let it stand.
        true if main.entry.status == Status::Superseded => theirs.clone(),
        true => text.clone(),
        false => body::merge(&before, [&text, &theirs], hands, &authors),
    };
    merged.sources = sources.joined;
    let said = body.says();
    // Whoever confirmed a sentence has not confirmed that another stands against it.
    let mut opened = body.disputes();
    opened.retain(|key| !text.disputes().contains(key) && !theirs.disputes().contains(key));
    let stands = |side: &Entry, words: &Manuscript| {
        let says = words.says();
        side.title == merged.title
            && says.is_subset(&said)
            && !says.iter().any(|(key, _)| opened.contains(key))
    };
    let upheld = [(&main.entry, stands(&main.entry, &text)), (&other.entry, stands(&other.entry, &theirs))];
    merged.verified = stamps(base.map_or(&[], |base| &base.entry.verified), upheld);
    if body != text {
        merged.body = body.render();
    }
    let disputed = body
        .chapters
        .iter()
        .any(|chapter| chapter.heading.eq_ignore_ascii_case(CONFLICT) && !chapter.strands.is_empty());
    if disputed {
        merged.status = Status::Disputed;
    }
    let sessions: BTreeSet<&str> =
        merged.sources.iter().filter_map(|source| Some(source.session.as_ref()?.as_str())).collect();
    let counted = u32::try_from(sessions.len()).ok().filter(|count| *count > 1);
    merged.occurrences = merged.occurrences.max(counted);
    written(&merged, main, hands)
}

/// Writes the merged entry into the text that goes first, so that what nobody changed keeps its bytes.
fn written(merged: &Entry, main: &Take<'_>, hands: Hands) -> String {
    let canonical = || format::with_hash(&format::write(merged));
    if hands == Hands::Machines {
        return canonical();
    }
    match format::rewrite(&main.text, merged) {
        Ok(text) => format::with_hash(&text),
        // The front matter cannot be changed in place; the words are the same either way.
        Err(_) => canonical(),
    }
}

/// Merges everything but the evidence, the body and the confirmations of it.
fn fields(base: Option<&Entry>, main: &Entry, other: &Entry) -> Entry {
    let none = Vec::new();
    macro_rules! list {
        ($field:ident) => {
            three(base.map_or(&none[..], |base| &base.$field), &main.$field, &other.$field)
        };
    }
    macro_rules! value {
        ($field:ident, $both:expr) => {
            pick(base.map(|base| &base.$field), &main.$field, &other.$field, $both)
        };
        ($field:ident) => {
            value!($field, |main, _| main.clone())
        };
    }
    let mut links = three(base.map_or(&[][..], |base| &base.links), &main.links, &other.links);
    let is_contested = contested(&mut links);
    let newer = |a: &Option<Stamp>, b: &Option<Stamp>| {
        let when = |stamp: &Option<Stamp>| stamp.as_ref().map(|stamp| (stamp.at, stamp.by.clone()));
        if when(a) >= when(b) { a.clone() } else { b.clone() }
    };
    let earlier = |a: Option<lore_core::Moment>, b| match (a, b) {
        (Some(a), Some(b)) => Some(std::cmp::min(a, b)),
        (a, b) => a.or(b),
    };
    Entry {
        id: main.id.clone(),
        kind: value!(kind),
        title: value!(title),
        description: value!(description),
        tags: list!(tags),
        domain: value!(domain),
        project: value!(project),
        created: earlier(main.created, other.created),
        updated: main.updated.max(other.updated),
        status: if is_contested { Status::Disputed } else { value!(status, |a, b| *doubt(a, b)) },
        confidence: value!(confidence, |a, b| (*a).min(*b)),
        sources: Vec::new(),
        generated: newer(&main.generated, &other.generated),
        verified: Vec::new(),
        stale_after: value!(stale_after, |a, b| earlier(*a, *b)),
        depends_on: list!(depends_on),
        files: list!(files),
        issues: list!(issues),
        links,
        occurrences: value!(occurrences, |a, b| (*a).max(*b)),
        curated_by: curator(base.map(|base| base.curated_by), main.curated_by, other.curated_by),
        last_auto_curated: main.last_auto_curated.max(other.last_auto_curated),
        aliases: list!(aliases),
        detail: detail(base, main, other),
        extra: match json(base.map(extra).as_ref(), Some(&extra(main)), Some(&extra(other))) {
            Some(Value::Object(extra)) => extra,
            _ => main.extra.clone(),
        },
        body: main.body.clone(),
    }
}

/// Two people may settle one dispute in favour of different sides: where each of two entries replaces the other, neither
/// does, and the dispute is open again. Says whether it is.
fn contested(links: &mut Vec<Link>) -> bool {
    let targets = |kind: LinkKind| -> BTreeSet<String> {
        links.iter().filter(|link| link.kind == kind).map(|link| link.target.clone()).collect()
    };
    let both: Vec<String> =
        targets(LinkKind::Supersedes).intersection(&targets(LinkKind::SupersededBy)).cloned().collect();
    for target in &both {
        links.retain(|link| {
            link.target != *target || !matches!(link.kind, LinkKind::Supersedes | LinkKind::SupersededBy)
        });
        let again = Link::new(LinkKind::Contradicts, target);
        if !links.contains(&again) {
            links.push(again);
        }
    }
    !both.is_empty()
}

/// Tells whether two sides settled a dispute of an entry differently, so that it is open again.
fn is_open_again(merged: &Entry, main: &Entry, other: &Entry) -> bool {
    let fell = |entry: &Entry| entry.status == Status::Superseded;
    merged.status == Status::Disputed && fell(main) != fell(other)
}

/// Of two states that both are new, the more doubtful one.
fn doubt<'a>(a: &'a Status, b: &'a Status) -> &'a Status {
    let weight = |status: &Status| match status {
        Status::Current => 0,
        Status::Outdated => 1,
        Status::Superseded => 2,
        Status::Disputed => 3,
    };
    if weight(a) >= weight(b) { a } else { b }
}

/// A text is ours only where both versions are.
fn curator(base: Option<Curator>, main: Curator, other: Curator) -> Curator {
    match (base, main, other) {
        (_, main, other) if main == other => main,
        (Some(Curator::Human), ..) => Curator::Human,
        _ => Curator::Mixed,
    }
}

/// Merges confirmations: one per person, the newest. What was confirmed has to stand: of each side it is said whether its
/// words do, and nobody has confirmed what came in their place.
fn stamps(base: &[Stamp], sides: [(&Entry, bool); 2]) -> Vec<Stamp> {
    let [main, other] = sides.map(|(side, _)| &side.verified);
    let holds = |stamp: &Stamp| sides.iter().any(|(side, stands)| *stands && side.verified.contains(stamp));
    let mut out: Vec<Stamp> = Vec::new();
    for stamp in three(base, main, other).into_iter().filter(holds) {
        match out.iter_mut().find(|known| known.by == stamp.by) {
            Some(known) => known.at = known.at.max(stamp.at),
            None => out.push(stamp),
        }
    }
    out.sort_by(|a, b| (a.at, &a.by).cmp(&(b.at, &b.by)));
    out
}

fn extra(entry: &Entry) -> Value {
    Value::Object(entry.extra.clone())
}

fn detail(base: Option<&Entry>, main: &Entry, other: &Entry) -> lore_core::Detail {
    let value = |entry: &Entry| serde_json::to_value(&entry.detail).unwrap_or_default();
    if main.kind != other.kind {
        return main.detail.clone();
    }
    let merged = json(base.map(value).as_ref(), Some(&value(main)), Some(&value(other)));
    merged.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_else(|| main.detail.clone())
}

/// Merges values of any shape: mappings by key, lists as sets, and of two changed values the first.
fn json(base: Option<&Value>, main: Option<&Value>, other: Option<&Value>) -> Option<Value> {
    if main == other || other == base {
        return main.cloned();
    }
    if main == base {
        return other.cloned();
    }
    match (main, other) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let old = base.and_then(Value::as_object);
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            let pair = |key: &String| {
                let value = json(old.and_then(|old| old.get(key)), a.get(key), b.get(key))?;
                Some((key.clone(), value))
            };
            Some(Value::Object(keys.filter_map(pair).collect()))
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            let old = base.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            Some(Value::Array(three(old, a, b)))
        }
        (Some(Value::Null) | None, other) => other.cloned(),
        (main, _) => main.cloned(),
    }
}

/// The evidence of both sides, and what each footnote is called now.
struct Evidence {
    joined: Vec<Source>,
    of_other: HashMap<String, String>,
    of_base: HashMap<String, String>,
}

impl Evidence {
    fn join(base: Option<&Entry>, main: &Entry, other: &Entry) -> Evidence {
        let old = base.map_or(&[][..], |base| &base.sources);
        let has = |list: &[Source], source: &Source| list.iter().any(|known| is_same(known, source));
        let removed = |source: &Source| {
            has(old, source) && !(has(&main.sources, source) && has(&other.sources, source))
        };
        let mut joined: Vec<Source> = Vec::new();
        let mut of_other = HashMap::new();
        for source in main.sources.iter().filter(|source| !removed(source)) {
            let twin = other.sources.iter().find(|known| is_same(known, source));
            joined.push(twin.map_or_else(|| source.clone(), |twin| filled(source, twin)));
        }
        for source in other.sources.iter().filter(|source| !removed(source)) {
            // What people wrote cites nobody and has no key.
            let key = match joined.iter().find(|known| is_same(known, source)) {
                Some(known) => known.id.clone(),
                None => {
                    let id = source.id.as_ref().map(|_| next_key(&joined, main));
                    joined.push(Source { id: id.clone(), ..source.clone() });
                    id
                }
            };
            if let Some((old, new)) = source.id.clone().zip(key) {
                of_other.insert(old, new);
            }
        }
        let mut of_base = HashMap::new();
        for source in old {
            let now = joined.iter().find(|known| is_same(known, source)).and_then(|known| known.id.clone());
            of_base.extend(source.id.clone().zip(now));
        }
        Evidence { joined, of_other, of_base }
    }

    /// Says how the other side's footnotes are called, those included that are a person's own.
    fn other_keys(&self, main: &Manuscript, other: &Manuscript) -> HashMap<String, String> {
        let mut keys = self.of_other.clone();
        for (key, text) in &other.notes {
            let taken = |key: &str| {
                main.notes.iter().any(|(known, own)| known == key && own != text)
                    || self.joined.iter().any(|source| source.id.as_deref() == Some(key))
            };
            if !keys.contains_key(key) && taken(key) {
                let free = (2..).map(|number| format!("{key}-{number}")).find(|key| !taken(key));
                keys.extend(free.map(|free| (key.clone(), free)));
            }
        }
        keys
    }
}

/// Tells whether two sources are the same record.
fn is_same(a: &Source, b: &Source) -> bool {
    a.resource == b.resource && a.voice == b.voice && a.lines == b.lines
}

/// Fills what one side does not say of a source with what the other does.
fn filled(source: &Source, twin: &Source) -> Source {
    Source {
        title: source.title.clone().or_else(|| twin.title.clone()),
        session: source.session.clone().or_else(|| twin.session.clone()),
        issue: source.issue.clone().or_else(|| twin.issue.clone()),
        commit: source.commit.clone().or_else(|| twin.commit.clone()),
        at: source.at.or(twin.at),
        ..source.clone()
    }
}

/// Returns a key that neither the joined sources nor those that went used.
fn next_key(joined: &[Source], main: &Entry) -> String {
    let number = |source: &Source| source.id.as_deref()?.strip_prefix('s')?.parse::<u32>().ok();
    let highest = joined.iter().chain(&main.sources).filter_map(number).max().unwrap_or(0);
    format!("s{}", highest + 1)
}
