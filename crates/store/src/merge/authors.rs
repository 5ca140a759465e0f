//! Who wrote which of two wordings that meet in a conflict, as far as the sources tell.

use std::collections::HashMap;

use lore_core::{Entry, Source, Voice};

use super::manuscript::Strand;

/// How the name of a person opens.
const PERSON: &str = "human:";

/// The people who wrote on two sides.
pub(super) struct Authors {
    main: Hand,
    other: Hand,
}

/// Who wrote on one side since the sides parted.
struct Hand {
    /// By the footnote of what they said.
    signed: HashMap<String, String>,
    /// Whoever wrote last without one.
    last: Option<String>,
}

impl Authors {
    /// Reads the sources of both sides; `keys` says how footnotes of the other side are called now.
    pub(super) fn of(
        base: Option<&Entry>,
        [main, other]: [&Entry; 2],
        keys: &HashMap<String, String>,
    ) -> Authors {
        let is_in = |entry: &Entry, source: &Source| entry.sources.contains(source);
        let was = |source: &Source| base.is_some_and(|base| is_in(base, source));
        // What both sides have was there before, known or not.
        let ours = Hand::of(main, |source| !was(source) && !is_in(other, source), &HashMap::new());
        let theirs = Hand::of(other, |source| !was(source) && !is_in(main, source), keys);
        Authors { main: ours, other: theirs }
    }

    /// Says who wrote a sentence of the first side, in the line below a side of a conflict.
    pub(super) fn of_main(&self, strand: &Strand) -> String {
        self.main.said(strand)
    }

    /// Says who wrote a sentence of the other side.
    pub(super) fn of_other(&self, strand: &Strand) -> String {
        self.other.said(strand)
    }
}

impl Hand {
    fn of(side: &Entry, is_new: impl Fn(&Source) -> bool, keys: &HashMap<String, String>) -> Hand {
        let new: Vec<&Source> = side.sources.iter().filter(|source| is_new(source)).collect();
        let signed = new.iter().filter_map(|source| {
            let key = source.id.as_ref()?;
            Some((keys.get(key).unwrap_or(key).clone(), author(source)))
        });
        let unsigned = new.iter().filter(|source| source.id.is_none() && is_an_edit(source));
        let last = unsigned.max_by_key(|source| source.at).map(|source| author(source));
        Hand { signed: signed.collect(), last }
    }

    fn said(&self, strand: &Strand) -> String {
        // A footnote that was there before belongs to the words before.
        let by = match strand.marks.is_empty() {
            true => self.last.as_deref(),
            false => strand.marks.iter().rev().find_map(|mark| self.signed.get(mark)).map(String::as_str),
        };
        format!("  Said by {}", by.unwrap_or("a person, in an edit"))
    }
}

fn is_an_edit(source: &Source) -> bool {
    source.voice == Voice::Person && source.resource.starts_with(PERSON)
}

fn author(source: &Source) -> String {
    let who = match source.voice {
        Voice::Person if is_an_edit(source) => format!("{}, in an edit", source.resource),
        Voice::Person => "a person".to_owned(),
        Voice::Agent => "an agent".to_owned(),
        Voice::Tool => "a tool".to_owned(),
        Voice::Web => "a web page".to_owned(),
    };
    match source.at {
        Some(at) => format!("{who} on {}", at.date()),
        None => who,
    }
}
