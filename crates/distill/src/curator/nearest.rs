//! The entries a packet shows beside the record, so that nothing is written twice.

use std::collections::BTreeMap;

use lore_core::text::tokens;
use lore_core::{
    Article, DecidedBy, Entry, EntryId, LineClass, NearEntry, PacketLine, Source, Status, one_line,
};

use super::digest::SessionDigest;
use super::given_up::GivenUp;
use super::tidy::cut_to;
use super::verify::is_protected;
use crate::article::{is_article, shorten};

/// So many entries at most, beside the preferences; so many of them with their text, the first ones whole.
const MOST: usize = 14;
const TOLD: usize = 10;
const WHOLE: usize = 4;
/// So many drafts are named, and so much of each is shown, in characters.
const DRAFTS: usize = 16;
const DRAFT: usize = 60;
/// So much of an entry's text is shown, and of one that stands farther off, in characters.
const SHOWN: usize = 520;
const BEGINNING: usize = 240;
/// So much of the record is one question, in characters.
const QUESTION: usize = 1_200;

/// So many answers to each question are worth having.
pub const ANSWERS: usize = 12;

/// So many entries that the record may have overtaken come before nearer ones.
const IN_DOUBT: usize = 3;

/// Lists what to ask the index for: the whole record, what it gives up, each line of a person, each plan and
/// commit.
pub fn questions(digests: &[SessionDigest]) -> Vec<String> {
    let lines = || digests.iter().flat_map(|digest| &digest.lines);
    let whole: Vec<&str> = lines().map(|line| line.text.as_str()).collect();
    let mut out = vec![cut_to(&whole.join("\n"), 4 * QUESTION)];
    let gone = given_up(digests).joined();
    out.extend((!gone.is_empty()).then(|| cut_to(&gone, QUESTION)));
    for line in lines() {
        let question = match line.class {
            LineClass::Typed => cut_to(&line.text, QUESTION),
            LineClass::PlanAccepted | LineClass::PlanOpen | LineClass::Commit => {
                line.text.lines().next().unwrap_or_default().to_owned()
            }
            _ => continue,
        };
        if !question.is_empty() && !out.contains(&question) {
            out.push(question);
        }
    }
    out
}

fn given_up(digests: &[SessionDigest]) -> GivenUp {
    let lines = digests.iter().flat_map(|digest| &digest.lines);
    GivenUp::of(&lines.filter(|line| !line.old).collect::<Vec<_>>())
}

/// Joins the answers to all questions: what the record may have overtaken first, then the best, current ones before
/// others, and all preferences.
pub fn choose(
    digests: &[SessionDigest],
    answers: Vec<Vec<(Entry, f64)>>,
    preferences: Vec<Entry>,
) -> Vec<Entry> {
    let mut best: BTreeMap<EntryId, (Entry, f64)> = BTreeMap::new();
    for (entry, score) in answers.into_iter().flatten().filter(|(entry, _)| is_article(entry.kind)) {
        let known = best.entry(entry.id.clone()).or_insert((entry, score));
        known.1 = known.1.max(score);
    }
    let mut found: Vec<(Entry, f64)> = best.into_values().collect();
    let is_past = |entry: &Entry| !matches!(entry.status, Status::Current | Status::Disputed);
    found.sort_by(|a, b| {
        is_past(&a.0).cmp(&is_past(&b.0)).then(b.1.total_cmp(&a.1)).then(a.0.id.cmp(&b.0.id))
    });
    let found: Vec<&Entry> = found.iter().map(|(entry, _)| entry).collect();
    let found = in_doubt_first(found, &given_up(digests));
    let mut out: Vec<Entry> = found.into_iter().take(MOST).cloned().collect();
    let mut rest: Vec<Entry> =
        preferences.into_iter().filter(|entry| entry.status == Status::Current).collect();
    rest.sort_by(|a, b| a.id.cmp(&b.id));
    for entry in rest {
        if !out.iter().any(|known| known.id == entry.id) {
            out.push(entry);
        }
    }
    out
}

/// Puts the entries first that name what the record gives up: only with their text can an editor see that they
/// no longer hold.
pub(super) fn in_doubt_first<'e>(entries: Vec<&'e Entry>, gone: &GivenUp) -> Vec<&'e Entry> {
    let holds = |entry: &&&Entry| matches!(entry.status, Status::Current | Status::Disputed);
    let holding: Vec<&Entry> = entries.iter().filter(holds).copied().collect();
    let first: Vec<&Entry> = gone.overtakes(&holding).into_iter().take(IN_DOUBT).collect();
    let rest = entries.into_iter().filter(|entry| !first.iter().any(|one| one.id == entry.id));
    first.iter().copied().chain(rest.collect::<Vec<_>>()).collect()
}

/// Writes the entries within a budget of tokens: the nearest with their text, the next with its
/// beginning, the others by their titles.
pub(super) fn show(entries: &[&Entry], budget: usize) -> (Vec<NearEntry>, String) {
    let mut near: Vec<NearEntry> = Vec::new();
    let mut out = String::new();
    let (mut spent, mut told) = (0, 0);
    for entry in entries.iter().filter(|entry| is_article(entry.kind)) {
        let short = format!("e{}", near.len() + 1);
        let title = heading(&short, entry);
        // What nobody worded is long and seldom meant.
        let is_whole = told < WHOLE && !is_raw(entry);
        let text = if is_whole { lead(entry) } else { cut_to(&lead(entry), BEGINNING) };
        let with_text = format!("{title}    {text}\n");
        let is_told = told < TOLD && spent + tokens(&with_text) <= budget * 4 / 5;
        told += usize::from(is_told);
        let shown = if is_told { with_text } else { title };
        if spent + tokens(&shown) > budget {
            continue;
        }
        spent += tokens(&shown);
        out.push_str(&shown);
        near.push(NearEntry { short, id: entry.id.clone(), lines: Vec::new() });
    }
    (near, out)
}

/// Names drafts by the lines that they were taken from and how they begin; those whose lines are not shown are left out.
pub(super) fn show_drafts(drafts: &[&Entry], lines: &[PacketLine], near: &mut Vec<NearEntry>) -> String {
    let mut named = Vec::new();
    for draft in drafts {
        let rests = |line: &&PacketLine| {
            let own = |source: &Source| {
                source.session.as_ref() == Some(&line.session) && source.lines.contains(&line.record)
            };
            !line.old && draft.sources.iter().any(own)
        };
        let own: Vec<u32> = lines.iter().filter(rests).map(|line| line.number).collect();
        if own.is_empty() || named.len() >= DRAFTS {
            continue;
        }
        let short = format!("e{}", near.len() + 1);
        let numbers: Vec<String> = own.iter().map(u32::to_string).collect();
        let title = shorten(&one_line(&draft.title), DRAFT);
        named.push(format!("{short} [{}] {title}\n", numbers.join(",")));
        near.push(NearEntry { short, id: draft.id.clone(), lines: own });
    }
    if named.is_empty() { String::new() } else { format!("drafts of lines:\n{}", named.concat()) }
}

/// What rules copied out of a record is not worded yet.
pub(super) fn is_raw(entry: &Entry) -> bool {
    !entry.is_edited() && !is_protected(entry)
}

fn heading(short: &str, entry: &Entry) -> String {
    let confirmed = if entry.is_verified_by_a_person() { ", confirmed" } else { "" };
    let raw = if is_raw(entry) { " · raw" } else { "" };
    let who = DecidedBy::of(entry);
    let day = entry.updated.or(entry.created).map(|day| format!(" · {}", day.date())).unwrap_or_default();
    let status =
        if entry.status == Status::Current { String::new() } else { format!(" · {}", entry.status) };
    format!("{short}  {}{raw} · {who}{confirmed}{day}{status} · {}\n", entry.kind, one_line(&entry.title))
}

/// Returns the statement of an entry with what was added to it, or both sides where it has none that holds: what is not
/// shown is added once more.
pub(super) fn lead(entry: &Entry) -> String {
    let article = Article::parse(&entry.body);
    let texts: Vec<&str> = match article.lead.is_empty() {
        true => article.conflict.iter().map(|claim| claim.text.as_str()).collect(),
        false => article.current().map(|claim| claim.text.as_str()).collect(),
    };
    cut_to(&one_line(&texts.join(" ")), SHOWN)
}

#[cfg(test)]
mod tests {
    use lore_core::Kind;

    use super::*;

    fn entry(kind: Kind, title: &str, status: Status) -> Entry {
        let id = EntryId::new(kind, jiff::civil::date(2026, 1, 1), title);
        Entry { body: format!("{title} it is."), status, ..Entry::new(id, kind, title) }
    }

    #[test]
    fn the_best_come_first_and_every_preference_comes() {
        let (old, low) =
            (entry(Kind::Fact, "Old", Status::Superseded), entry(Kind::Fact, "Low", Status::Current));
        let (high, rule) =
            (entry(Kind::Fact, "High", Status::Current), entry(Kind::Preference, "Rule", Status::Current));
        let answers = vec![vec![(old, 9.0), (low.clone(), 1.0)], vec![(high, 3.0), (low, 2.0)]];
        let titles: Vec<String> =
            choose(&[], answers, vec![rule]).into_iter().map(|entry| entry.title).collect();
        assert_eq!(titles, ["High", "Low", "Old", "Rule"]);
    }

    #[test]
    fn past_their_share_entries_are_shown_by_their_titles() {
        let of_a_person = |entry: Entry| Entry { curated_by: lore_core::Curator::Human, ..entry };
        let entries = [
            of_a_person(entry(Kind::Fact, "First", Status::Current)),
            entry(Kind::Fact, "Second", Status::Current),
            entry(Kind::Preference, "Rule", Status::Current),
        ];
        let (near, text) = show(&entries.each_ref(), 21);
        let expected = "e1  fact · person · First\n    First it is.\ne2  fact · raw · person · Second\n";
        assert_eq!(text, expected);
        assert_eq!(near.iter().map(|near| near.short.as_str()).collect::<Vec<_>>(), ["e1", "e2"]);
        assert_eq!(near[1].id, entries[1].id);
        let many: Vec<Entry> = (0..60)
            .map(|n| of_a_person(entry(Kind::Preference, &format!("Rule {n}"), Status::Current)))
            .collect();
        let (_, text) = show(&many.iter().collect::<Vec<_>>(), 250);
        assert!(tokens(&text) <= 250, "{text}");
        assert_eq!(text.matches(" it is.").count(), TOLD, "{text}");
    }
}
