//! What follows from a person's edit of an entry's text: it is their word from then on, the title and the description say
//! what the text says, and what held before goes to the history.
//!
//! The text itself stays as it was typed: footnotes of replaced words, the history and the heading are the only lines that
//! are touched.

use lore_core::{
    Article, Claim, Confidence, Curator, DecidedBy, Entry, Kind, Moment, Source, Stamp, Standing, Voice,
    article,
};
use lore_distill::article::{follow_standing, is_article, note};

use crate::entries::{first_sentence, in_short};
use crate::remember;

/// A statement that was put in the place of another.
struct Change {
    old: Claim,
    new: Claim,
}

/// Lets everything beside the text follow an edit that `by` made at `at`.
pub(crate) fn follow(before: &Entry, entry: &mut Entry, by: &str, at: Moment) {
    let old = Article::parse(&before.body);
    let new = Article::parse(&entry.body);
    take_title_from_heading(before, entry);
    if entry.kind == Kind::Signal || says_the_same(&old, &new) {
        return;
    }
    let changes = changes(&old, &new);
    if is_article(entry.kind) {
        sign(before, entry, (&old, &new), by, at);
        keep_in_history(entry, &old, &changes, by, at);
    }
    follow_title(before, entry, &old, &new);
}

/// Whoever changes the heading above the text and not the key says what the entry is called.
fn take_title_from_heading(before: &Entry, entry: &mut Entry) {
    let named = heading(&before.body).is_some_and(|title| title == before.title);
    if let Some(title) = heading(&entry.body).filter(|_| named && entry.title == before.title) {
        entry.title = title.to_owned();
    }
}

fn heading(body: &str) -> Option<&str> {
    body.lines().find(|line| !line.trim().is_empty())?.strip_prefix("# ").map(str::trim)
}

/// Tells whether no more than spelling, order of sections or evidence changed.
fn says_the_same(old: &Article, new: &Article) -> bool {
    let all = |article: &Article| -> Vec<Vec<String>> {
        article.current().map(|claim| words(&claim.text)).collect()
    };
    all(old) == all(new)
}

fn words(text: &str) -> Vec<String> {
    let plain = text.split(|c: char| !c.is_alphanumeric() && !"%+#<>=".contains(c));
    plain.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Pairs what is new with what stood in its place.
fn changes(old: &Article, new: &Article) -> Vec<Change> {
    let parts = [(&old.lead, &new.lead), (&old.why, &new.why), (&old.facts, &new.facts)];
    let stays =
        |claim: &Claim, among: &Article| among.claims().any(|other| words(&other.text) == words(&claim.text));
    let mut found = Vec::new();
    for (old_part, new_part) in parts {
        let gone: Vec<&Claim> = old_part.iter().filter(|claim| !stays(claim, new)).collect();
        let come: Vec<&Claim> = new_part.iter().filter(|claim| !stays(claim, old)).collect();
        // What is only taken out is taken out: nothing holds in its place.
        let Some(last) = come.last() else { continue };
        for (at, claim) in gone.into_iter().enumerate() {
            let by = come.get(at).unwrap_or(last);
            found.push(Change { old: claim.clone(), new: (*by).clone() });
        }
    }
    found
}

/// Makes what is new the editor's own word.
fn sign(before: &Entry, entry: &mut Entry, (old, new): (&Article, &Article), by: &str, at: Moment) {
    let used = |key: &str| entry.sources.iter().any(|known| known.id.as_deref() == Some(key));
    let key = (1..).map(|number| format!("s{number}")).find(|key| !used(key)).unwrap_or_default();
    let source = Source { id: Some(key.clone()), at: Some(at), ..Source::new(by.to_owned(), Voice::Person) };
    let known = |claim: &Claim| old.claims().any(|other| words(&other.text) == words(&claim.text));
    let mut cited = false;
    for claim in new.current().filter(|claim| !known(claim)) {
        // A mark that was left standing says that somebody else said it.
        let marks: String = claim.sources.iter().map(|source| format!("[^{source}]")).collect();
        let last = claim.text.split(' ').next_back().unwrap_or_default();
        let (from, to) = (format!("{last}{marks}"), format!("{last}[^{key}]"));
        if !marks.is_empty() && entry.body.contains(&from) {
            entry.body = entry.body.replacen(&from, &to, 1);
            cited = true;
        }
    }
    if cited {
        append_note(&mut entry.body, &format!("[^{key}]: {}", note(&source)));
    }
    entry.sources.push(Source { id: cited.then_some(key), ..source });
    if entry.verified == before.verified {
        // Who confirmed other words did not confirm these.
        entry.verified = vec![Stamp { by: by.to_owned(), at: Some(at) }];
    }
    if entry.confidence == before.confidence {
        entry.confidence = Some(Confidence::High);
    }
    if DecidedBy::of(before) == DecidedBy::of(entry) && !DecidedBy::of(entry).is_a_persons() {
        DecidedBy::Person.write(entry);
    }
}

/// Puts a footnote below those that are there.
fn append_note(body: &mut String, note: &str) {
    let is_note = body.trim_end().lines().next_back().is_some_and(|line| line.starts_with("[^"));
    body.truncate(body.trim_end().len());
    body.push_str(if is_note { "\n" } else { "\n\n" });
    body.push_str(note);
    body.push('\n');
}

/// Writes what held before the edit into the history.
fn keep_in_history(entry: &mut Entry, old: &Article, changes: &[Change], by: &str, at: Moment) {
    let cites = |key: &String| entry.sources.iter().any(|source| source.id.as_ref() == Some(key));
    let past = |change: &Change| {
        let standing = Standing::Past {
            until: Some(Moment::Day(at.date())),
            replaced_by: Some(change.new.text.clone()),
            reason: Some(format!("edited by {by}")),
        };
        let sources = change.old.sources.iter().filter(|key| cites(key)).cloned().collect();
        Claim { sources, standing, ..change.old.clone() }
    };
    let history: Vec<Claim> = changes.iter().map(past).collect();
    if history.is_empty() {
        return;
    }
    let mut missing: Vec<_> = old.notes.clone();
    missing.retain(|note| {
        let cited = history.iter().any(|claim| claim.sources.contains(&note.id));
        cited && !entry.body.contains(&format!("[^{}]:", note.id))
    });
    entry.body = with_history(&entry.body, history);
    for note in missing {
        append_note(&mut entry.body, &format!("[^{}]: {}", note.id, note.text));
    }
}

/// Puts claims above the history that is there, else where a history stands: before the neighbours and the footnotes.
fn with_history(body: &str, history: Vec<Claim>) -> String {
    let section = Article { history, ..Article::default() }.render();
    let is_heading = |line: &str, name: &str| {
        line.strip_prefix("## ").is_some_and(|title| title.trim().eq_ignore_ascii_case(name))
    };
    let lines: Vec<&str> = body.trim_end().lines().collect();
    let joined = |lines: &[&str]| lines.join("\n").trim().to_owned();
    if let Some(at) = lines.iter().position(|line| is_heading(line, article::HISTORY)) {
        let (above, below) = (joined(&lines[..at]), joined(&lines[at + 1..]));
        return format!("{above}\n\n{}\n{below}\n", section.trim_end());
    }
    let notes = lines.iter().rev().take_while(|line| line.starts_with("[^") || line.trim().is_empty());
    let notes = lines.len() - notes.count();
    let related = lines.iter().position(|line| is_heading(line, article::RELATED));
    let at = related.unwrap_or(notes).min(notes);
    let (above, below) = (joined(&lines[..at]), joined(&lines[at..]));
    let parts = [above, section.trim_end().to_owned(), below];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// Lets the title and the description say what the text says now, unless the person said what they are.
fn follow_title(before: &Entry, entry: &mut Entry, old: &Article, new: &Article) {
    let first = |article: &Article| article.lead.first().or(article.facts.first()).cloned();
    let (Some(fell), Some(stands)) = (first(old), first(new)) else { return };
    let fallen: Vec<Claim> =
        old.current().filter(|claim| new.current().all(|other| other.text != claim.text)).cloned().collect();
    let (title, description) = (entry.title.clone(), entry.description.clone());
    if before.curated_by == Curator::Auto && !fallen.is_empty() {
        follow_standing(entry, new, &fallen);
    } else if words(&fell.text) != words(&stands.text) {
        if is_made_of(&before.title, &fell.text) {
            entry.title = remember::heard(&stands.text).1;
        }
        if before.description.as_deref().is_none_or(|text| is_made_of(text, &fell.text)) {
            entry.description = first_sentence(&stands.text);
        }
    }
    // What the person changed themselves stays.
    if title != before.title {
        entry.title = title;
    }
    if description != before.description {
        entry.description = description;
    }
    if entry.title != before.title && heading(&entry.body) == Some(before.title.as_str()) {
        let (from, to) = (format!("# {}", before.title), format!("# {}", entry.title));
        entry.body = entry.body.replacen(&from, &to, 1);
    }
}

/// Tells whether a title or a description was made of a statement and not thought of.
fn is_made_of(short: &str, statement: &str) -> bool {
    let (own, whole) = (words(short), words(statement));
    let heard = || remember::heard(statement).1;
    !own.is_empty() && whole.starts_with(&own) || words(&in_short(statement)) == own || words(&heard()) == own
}
