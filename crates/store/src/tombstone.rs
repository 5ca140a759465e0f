//! What was removed and must not come back, also in another clone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use lore_core::{Article, ContentHash, Curator, Entry, EntryId, Kind, one_line};
use unicode_normalization::UnicodeNormalization as _;

use crate::lines::{self, Lines};

/// One entry that is gone for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// Its id.
    pub id: EntryId,
    /// When its absence was noted.
    pub on: Date,
    /// Who removed it, as far as is known.
    pub by: String,
    /// What it was called.
    pub title: String,
    /// Ids it had elsewhere.
    pub aliases: Vec<String>,
    /// Why.
    pub why: String,
    /// What it rested on, as `session#line`, where that is known: said in other words it is still gone.
    pub evidence: Vec<String>,
    /// What it said, a hash for each sentence, where that is known: said again in another session it is still gone.
    pub said: Vec<String>,
}

impl Tombstone {
    /// Tells whether an agent removed it, which keeps no person's words out.
    pub fn is_by_an_agent(&self) -> bool {
        self.by.starts_with("agent:")
    }

    pub(crate) fn line(&self) -> String {
        let on = self.on.to_string();
        let [aliases, evidence, said] =
            [&self.aliases, &self.evidence, &self.said].map(|list| list.join(","));
        lines::join([self.id.as_str(), &on, &self.by, &self.title, &aliases, &self.why, &evidence, &said])
    }

    pub(crate) fn parse(line: &str) -> Option<Tombstone> {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let id = next().parse().ok()?;
        let on = next().parse().unwrap_or(Date::ZERO);
        let (by, title) = (next().to_owned(), next().to_owned());
        let list = |text: &str| text.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect();
        let (aliases, why) = (list(next()), next().to_owned());
        let (evidence, said) = (list(next()), list(next()));
        Some(Tombstone { id, on, by, title, aliases, why, evidence, said })
    }
}

/// All tombstones of a base.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tombstones {
    by_id: BTreeMap<EntryId, Tombstone>,
    by_alias: HashMap<String, EntryId>,
    by_subject: HashMap<(Kind, String), EntryId>,
    by_saying: HashMap<String, BTreeSet<EntryId>>,
}

impl Tombstones {
    pub(crate) fn parse(text: &str) -> Tombstones {
        let mut stones = Tombstones::default();
        lines::parse(text)
            .iter()
            .filter_map(|line| Tombstone::parse(line))
            .for_each(|stone| stones.add(stone));
        stones
    }

    pub(crate) fn render(&self) -> String {
        lines::render(&self.by_id.values().map(Tombstone::line).collect::<Lines>())
    }

    /// Lists them by id.
    pub fn iter(&self) -> impl Iterator<Item = &Tombstone> {
        self.by_id.values()
    }

    /// Finds the tombstone of what said all that a text says, in the same words.
    pub fn saying(&self, text: &str) -> Option<&Tombstone> {
        let said = sayings([text]);
        let mut holders = said.iter().map(|saying| self.by_saying.get(saying));
        let first = holders.next()??.clone();
        let all = holders.try_fold(first, |all, holds| Some(all.intersection(holds?).cloned().collect()))?;
        all.first().and_then(|id| self.by_id.get(id))
    }

    /// Finds the tombstone that forbids an entry: same id, an alias, the same kind and title, or the same words.
    pub fn forbidding(&self, entry: &Entry) -> Option<&Tombstone> {
        let named = |name: &str| {
            let own = name.parse().ok().and_then(|id: EntryId| self.by_id.get(&id));
            own.or_else(|| self.by_id.get(self.by_alias.get(name)?))
        };
        let mut names = std::iter::once(entry.id.as_str()).chain(entry.aliases.iter().map(String::as_str));
        let by_name = names.find_map(named).or_else(|| {
            let subject = (entry.kind, subject(&entry.title));
            self.by_id.get(self.by_subject.get(&subject)?)
        });
        let says: Vec<String> =
            Article::parse(&entry.body).current().map(|claim| claim.text.clone()).collect();
        by_name.or_else(|| self.saying(&says.join(" ")).filter(|_| entry.kind != Kind::Signal))
    }

    /// Finds the tombstone of an id.
    pub fn get(&self, id: &EntryId) -> Option<&Tombstone> {
        self.by_id.get(id)
    }

    /// Tells whether an entry whose text is by that hand is gone although its file is there: one of the
    /// machine's is, a person's is not.
    pub(crate) fn covers(&self, id: &EntryId, curated_by: Curator) -> bool {
        curated_by == Curator::Auto && self.by_id.contains_key(id)
    }

    pub(crate) fn contains(&self, id: &EntryId) -> bool {
        self.by_id.contains_key(id)
    }

    /// Adds one. Where two clones removed the same entry, the earlier removal counts, with what both know.
    pub(crate) fn add(&mut self, mut stone: Tombstone) {
        if let Some(known) = self.by_id.get(&stone.id) {
            let (mut first, second) = if (known.on, known.line()) <= (stone.on, stone.line()) {
                (known.clone(), stone)
            } else {
                (stone, known.clone())
            };
            first.aliases.extend(second.aliases);
            first.evidence.extend(second.evidence);
            first.said.extend(second.said);
            for list in [&mut first.aliases, &mut first.evidence, &mut first.said] {
                list.sort();
                list.dedup();
            }
            stone = first;
        }
        self.by_alias.extend(stone.aliases.iter().map(|alias| (alias.clone(), stone.id.clone())));
        // The same trouble may be noticed again; a signal is not a subject.
        if let Some(kind) = stone.id.kind().filter(|kind| *kind != Kind::Signal) {
            self.by_subject.insert((kind, subject(&stone.title)), stone.id.clone());
            for saying in &stone.said {
                self.by_saying.entry(saying.clone()).or_default().insert(stone.id.clone());
            }
        }
        self.by_id.insert(stone.id.clone(), stone);
    }

    pub(crate) fn lift(&mut self, id: &EntryId) {
        self.by_id.remove(id);
        self.by_alias.retain(|_, of| of != id);
        self.by_subject.retain(|_, of| of != id);
        for holders in self.by_saying.values_mut() {
            holders.remove(id);
        }
    }
}

/// Words that may stand in a sentence or not, without making it another.
const FILLERS: [&str; 14] =
    ["a", "an", "the", "please", "so", "also", "and", "then", "that", "our", "we", "here", "ok", "okay"];
/// A sentence of fewer words is said of many things.
const FEWEST: usize = 3;

/// Names what an entry says, to know it again: its statements, and the words it rests on where they are one sentence.
pub(crate) fn said_in(entry: &Entry) -> Vec<String> {
    let article = Article::parse(&entry.body);
    let claims = article.current().chain(&article.conflict).chain(&article.doubted);
    let words = article.context.iter().map(|quote| quote.words.as_str());
    let words = words.filter(|words| sentences(words).len() == 1);
    sayings(claims.map(|claim| claim.text.as_str()).chain(words))
}

/// Hashes each sentence without case, accents, marks and fillers; short ones are left out.
fn sayings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let plain = |sentence: &String| {
        let all = subject(sentence);
        let words: Vec<&str> = all.split(' ').filter(|word| !FILLERS.contains(word)).collect();
        // Some scripts write a sentence as one word.
        (words.len() >= FEWEST || !all.is_ascii()).then(|| words.join(" "))
    };
    let sentences = texts.into_iter().flat_map(sentences);
    let hash = |words: String| ContentHash::of(words.as_bytes()).short().to_owned();
    sentences.filter_map(|sentence| plain(&sentence)).map(hash).collect::<BTreeSet<_>>().into_iter().collect()
}

fn sentences(text: &str) -> Vec<String> {
    Article::parse(&one_line(text)).lead.into_iter().map(|claim| claim.text).collect()
}

/// Returns the words of a title, all of them and in any script: what begins alike is not the same.
fn subject(title: &str) -> String {
    // Accents and apostrophes are left out by some keyboards; marks of other scripts make another letter.
    let is_silent = |c: &char| matches!(c, '\'' | '’' | '`' | '\u{300}'..='\u{36f}');
    let letters: String = title.nfkd().filter(|c| !is_silent(c)).collect();
    let letters = letters.to_lowercase();
    let words: Vec<&str> =
        letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { title.to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stone() -> Tombstone {
        Tombstone {
            id: "fac-2026-01-01-the-sky-is-green".parse().unwrap(),
            on: jiff::civil::date(2026, 2, 3),
            by: "human:ana".to_owned(),
            title: "The sky is green".to_owned(),
            aliases: vec!["kb-0007".to_owned()],
            why: "it is not".to_owned(),
            evidence: vec!["s-1#7".to_owned(), "s-2#40".to_owned()],
            said: sayings(["The sky is green above the harbour. Nobody paints it."]),
        }
    }

    #[test]
    fn forbids_by_id_alias_and_title() {
        let mut stones = Tombstones::default();
        stones.add(stone());
        let stones = Tombstones::parse(&stones.render());
        assert_eq!(stones.iter().cloned().collect::<Vec<_>>(), [stone()]);
        let entry = |kind, title: &str| {
            Entry::new(EntryId::new(kind, jiff::civil::date(2026, 5, 5), title), kind, title)
        };
        let check = |entry: Entry, expected: bool| assert_eq!(stones.forbidding(&entry).is_some(), expected);
        check(entry(Kind::Fact, "The sky is GREEN!"), true);
        check(entry(Kind::Preference, "The sky is green"), false);
        check(entry(Kind::Fact, "The sky is blue"), false);
        check(Entry { aliases: vec!["kb-0007".to_owned()], ..entry(Kind::Event, "Other") }, true);
    }

    /// The same words in another session, under another title or kind, made the entry anew.
    #[test]
    fn forbids_what_was_said_in_the_same_words() {
        let mut stones = Tombstones::default();
        stones.add(stone());
        let mut stones = Tombstones::parse(&stones.render());
        let check = |stones: &Tombstones, text: &str, expected: bool| {
            assert_eq!(stones.saying(text).is_some(), expected, "{text}");
            let day = jiff::civil::date(2026, 5, 5);
            let entry = Entry::new(EntryId::new(Kind::Decision, day, "Colours"), Kind::Decision, "Colours");
            let entry = Entry { body: format!("{text}\n"), ..entry };
            assert_eq!(stones.forbidding(&entry).is_some(), expected, "{text}");
        };
        check(&stones, "the sky is green above the harbour", true);
        check(&stones, "Please: the sky is green above our harbour! And nobody paints it.", true);
        check(&stones, "The sky is green above the harbour. Boats are blue on Sundays.", false);
        check(&stones, "The sky is not green above the harbour.", false);
        check(&stones, "Yes.", false);
        let id = stone().id;
        stones.lift(&id);
        check(&stones, "The sky is green above the harbour.", false);
    }

    #[test]
    fn titles_that_begin_alike_or_share_a_latin_word_are_not_the_same() {
        let check = |removed: &str, other: &str, expected: bool| {
            let mut stones = Tombstones::default();
            stones.add(Tombstone { title: removed.to_owned(), aliases: Vec::new(), ..stone() });
            let day = jiff::civil::date(2026, 5, 5);
            let entry = Entry::new(EntryId::new(Kind::Fact, day, other), Kind::Fact, other);
            assert_eq!(stones.forbidding(&entry).is_some(), expected, "{removed} / {other}");
        };
        let deploys = "Deploys of the billing service go out on Tuesdays";
        check(&format!("{deploys} only"), &format!("{deploys} at noon"), false);
        check("Используем Redis для кеша", "Redis больше не нужен", false);
        check("Используем Redis для кеша", "Используем redis для кеша.", true);
        check("API を使う", "API は廃止", false);
        check("The café isn’t open", "the cafe isnt open", true);
        check("???", "!!!", false);
    }
}
