//! Two articles on one subject become one.

use std::collections::HashMap;

use lore_core::{Article, Claim, Entry, Status};

/// Most tags an article carries.
const TAGS: usize = 8;

/// Puts what one article says into another, with its evidence.
pub(super) fn joined(from: Entry, mut into: Entry) -> Entry {
    let theirs = Article::parse(&from.body);
    let mut article = Article::parse(&into.body);
    let keys = take_sources(&from, &mut into);
    let named = |key: &String| keys.get(key).cloned().unwrap_or_else(|| key.clone());
    let rekeyed = |claim: Claim| Claim { sources: claim.sources.iter().map(named).collect(), ..claim };
    for claim in theirs.lead.into_iter().chain(theirs.facts) {
        add(&mut article, rekeyed(claim));
    }
    article.why.extend(theirs.why.into_iter().map(rekeyed));
    article.conflict.extend(theirs.conflict.into_iter().map(rekeyed));
    article.doubted.extend(theirs.doubted.into_iter().map(rekeyed));
    article.history.extend(theirs.history.into_iter().map(rekeyed));
    for mut quote in theirs.context {
        quote.source = named(&quote.source);
        if !article.context.iter().any(|known| known.source == quote.source && known.words == quote.words) {
            article.context.push(quote);
        }
    }
    for mut note in theirs.notes {
        note.id = named(&note.id);
        if !article.notes.iter().any(|known| known.id == note.id) {
            article.notes.push(note);
        }
    }
    for section in theirs.other {
        if !article.other.contains(&section) {
            article.other.push(section);
        }
    }
    into.body = article.render();
    if article.is_disputed() {
        into.status = Status::Disputed;
    }
    extend(&mut into.tags, from.tags);
    into.tags.truncate(TAGS);
    extend(&mut into.files, from.files);
    extend(&mut into.issues, from.issues);
    extend(&mut into.depends_on, from.depends_on);
    extend(&mut into.aliases, std::iter::once(from.id.to_string()).chain(from.aliases));
    into.created = match (into.created, from.created) {
        (Some(own), Some(other)) => Some(own.min(other)),
        (own, other) => own.or(other),
    };
    into.confidence = into.confidence.max(from.confidence);
    let own = into.id.to_string();
    into.links.extend(from.links.into_iter().filter(|link| link.target != own));
    into.links.retain(|link| link.target != from.id.as_str());
    into.links.dedup();
    into
}

/// Adds the evidence of one entry to another and says what each footnote is called there.
fn take_sources(from: &Entry, into: &mut Entry) -> HashMap<String, String> {
    let mut keys = HashMap::new();
    for source in &from.sources {
        let same = into.sources.iter().find(|known| {
            known.resource == source.resource && known.voice == source.voice && known.lines == source.lines
        });
        let key = match same {
            Some(known) => known.id.clone().unwrap_or_default(),
            None => {
                let used = |key: &str| into.sources.iter().any(|known| known.id.as_deref() == Some(key));
                let key = (1..).map(|number| format!("s{number}")).find(|key| !used(key)).unwrap_or_default();
                let mut taken = source.clone();
                taken.id = Some(key.clone());
                into.sources.push(taken);
                key
            }
        };
        if let Some(old) = &source.id {
            keys.insert(old.clone(), key);
        }
    }
    keys
}

/// Adds a claim, or its evidence where the claim is there.
fn add(article: &mut Article, claim: Claim) {
    let known =
        article.lead.iter_mut().chain(article.facts.iter_mut()).find(|known| known.text == claim.text);
    match known {
        Some(known) => extend(&mut known.sources, claim.sources),
        None => article.facts.push(claim),
    }
}

fn extend<T: PartialEq>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}
