//! What is on the screen: the list that waits, what is shown of it, the page, and what was done.
//!
//! Plain data. Nothing here reads or writes; [`mod@super::update`] changes it, [`super::view`] shows it.

mod awaiting;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use self::awaiting::{Awaited, Awaiting, Facet, Heir};
use lore_engine::curator::EditQuestion;
use lore_engine::review::{ReviewPage, ReviewPlace, Ruling};

/// What the right side of the screen shows.
#[derive(Debug)]
pub(crate) enum Leaf {
    Entry(Box<ReviewPage>),
    Question(Box<EditQuestion>),
}

impl Leaf {
    fn id(&self) -> &str {
        match self {
            Leaf::Entry(page) => page.shown.entry.id.as_str(),
            Leaf::Question(question) => &question.id,
        }
    }
}

/// A line of the list as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ListRow {
    /// What follows has this in common.
    Heading { word: String, count: usize },
    /// The entry with this number among those that wait.
    Entry(usize),
}

/// Which other entry is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Into,
    Instead,
}

/// What the keys mean at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They mean what the table says.
    List,
    /// They are words to search for; what was searched before comes back with escape.
    Search { before: String },
    /// They are the reason of a rejection.
    Why { names: Vec<String>, typed: String },
    /// They are words of the other entry, of which one is chosen.
    Pick { names: Vec<String>, wanted: Wanted, typed: String, at: usize },
    /// Only a yes does it: it is about several entries.
    Sure { names: Vec<String>, ruling: Ruling },
    /// They leave the help, or move in it.
    Help { top: usize },
}

/// Where the keys that move do so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    List,
    Page,
    Words,
}

/// A step that can be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stride {
    pub(crate) run: String,
    pub(crate) told: String,
}

/// What is said at the foot of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) is_bad: bool,
}

/// What is to be done outside; everything that writes comes from a key that means it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    Rule {
        names: Vec<String>,
        ruling: Ruling,
    },
    /// Says yes or no to a question.
    Answer {
        id: String,
        granted: bool,
    },
    Edit(String),
    Undo(Stride),
    Quit,
}

impl Effect {
    /// Tells whether knowledge may change by it.
    #[cfg(test)]
    pub(crate) fn writes(&self) -> bool {
        !matches!(self, Effect::Quit)
    }
}

/// The whole state of the screen.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) waiting: Vec<Awaiting>,
    pub(crate) heirs: Vec<Heir>,
    pub(crate) listed: Vec<ListRow>,
    /// The line of the list that is meant; always an entry where there is one.
    pub(crate) cursor: usize,
    pub(crate) marked: BTreeSet<String>,
    pub(crate) grouping: Option<Facet>,
    pub(crate) only: BTreeMap<Facet, String>,
    pub(crate) search: String,
    pub(crate) mode: Mode,
    pub(crate) focus: Focus,
    pub(crate) zoomed: bool,
    pub(crate) leaf: Option<Leaf>,
    /// How far the page and its words are scrolled.
    pub(crate) scrolled: [usize; 2],
    pub(crate) steps: Vec<Stride>,
    pub(crate) notice: Notice,
    /// How many lines fit; the view says so.
    pub(crate) height: usize,
}

impl Board {
    pub(crate) fn new(waiting: Vec<Awaiting>, heirs: Vec<Heir>) -> Board {
        let mut board = Board {
            waiting,
            heirs,
            listed: Vec::new(),
            cursor: 0,
            marked: BTreeSet::new(),
            grouping: None,
            only: BTreeMap::new(),
            search: String::new(),
            mode: Mode::List,
            focus: Focus::List,
            zoomed: false,
            leaf: None,
            scrolled: [0; 2],
            steps: Vec::new(),
            notice: Notice::default(),
            height: 20,
        };
        board.list_again();
        board
    }

    /// Returns the entry that is meant.
    pub(crate) fn current(&self) -> Option<&Awaiting> {
        match self.listed.get(self.cursor)? {
            ListRow::Entry(at) => self.waiting.get(*at),
            ListRow::Heading { .. } => None,
        }
    }

    /// Returns what is to be shown of what is meant, once it is there.
    pub(crate) fn current_leaf(&self) -> Option<&Leaf> {
        let id = &self.current()?.id;
        self.leaf.as_ref().filter(|leaf| leaf.id() == id)
    }

    /// Returns the page of the entry that is meant, once it is there.
    pub(crate) fn current_page(&self) -> Option<&ReviewPage> {
        match self.current_leaf()? {
            Leaf::Entry(page) => Some(page),
            Leaf::Question(_) => None,
        }
    }

    /// Tells whether questions are among these.
    pub(crate) fn has_questions(&self, names: &[String]) -> bool {
        let asks = |one: &Awaiting| one.sort == Awaited::Question && names.contains(&one.id);
        self.waiting.iter().any(asks)
    }

    /// Returns the entries that a decision is about: the marked ones, else the one that is meant.
    pub(crate) fn chosen(&self) -> Vec<String> {
        if self.marked.is_empty() {
            return self.current().map(|one| one.id.clone()).into_iter().collect();
        }
        self.waiting.iter().map(|one| &one.id).filter(|id| self.marked.contains(*id)).cloned().collect()
    }

    /// Lists the heirs that have the typed words, at most so many; what the page links to comes first.
    pub(crate) fn matching(&self, names: &[String], typed: &str, most: usize) -> Vec<&Heir> {
        let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |one: &&Heir| {
            !names.contains(&one.id) && words.iter().all(|word| one.found.contains(word.as_str()))
        };
        let links = self.current_page().map(|page| &page.shown.entry.links);
        let linked = |one: &Heir| links.is_some_and(|links| links.iter().any(|l| l.target == one.id));
        let (mut first, rest): (Vec<&Heir>, Vec<&Heir>) =
            self.heirs.iter().filter(fits).partition(|one| linked(one));
        first.extend(rest);
        first.truncate(most);
        first
    }

    /// Lists the words that a facet has in what waits, in their order.
    pub(crate) fn words_of(&self, facet: Facet) -> BTreeSet<&str> {
        self.waiting.iter().map(|one| one.facet(facet)).collect()
    }

    /// Makes the list anew and keeps the place: at the same entry, else at the same height.
    pub(crate) fn list_again(&mut self) {
        let (id, before) = (self.current().map(|one| one.id.clone()), self.cursor);
        let words: Vec<String> = self.search.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |one: &Awaiting| {
            self.only.iter().all(|(facet, word)| one.facet(*facet) == word)
                && words.iter().all(|word| one.found.contains(word.as_str()))
        };
        let fitting = (0..self.waiting.len()).filter(|at| fits(&self.waiting[*at]));
        self.listed = match self.grouping {
            None => fitting.map(ListRow::Entry).collect(),
            Some(facet) => {
                let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
                for at in fitting {
                    groups.entry(self.waiting[at].facet(facet)).or_default().push(at);
                }
                let lines = groups.into_iter().flat_map(|(word, entries)| {
                    let heading = ListRow::Heading { word: word.to_owned(), count: entries.len() };
                    std::iter::once(heading).chain(entries.into_iter().map(ListRow::Entry))
                });
                lines.collect()
            }
        };
        let is_it =
            |line: &ListRow| matches!(line, ListRow::Entry(at) if Some(&self.waiting[*at].id) == id.as_ref());
        self.cursor = self.listed.iter().position(is_it).unwrap_or(before);
        self.settle_cursor();
    }

    /// Puts the cursor on an entry, the next one if it stands on a heading or beyond the end.
    pub(crate) fn settle_cursor(&mut self) {
        self.cursor = self.cursor.min(self.listed.len().saturating_sub(1));
        if matches!(self.listed.get(self.cursor), Some(ListRow::Heading { .. })) {
            self.cursor += 1;
        }
    }

    /// Moves by so many entries.
    pub(crate) fn go(&mut self, by: isize) {
        let down = by > 0;
        for _ in 0..by.unsigned_abs() {
            let next = if down { self.cursor + 1 } else { self.cursor.wrapping_sub(1) };
            let over = match self.listed.get(next) {
                Some(ListRow::Heading { .. }) if down => next + 1,
                Some(ListRow::Heading { .. }) => next.wrapping_sub(1),
                _ => next,
            };
            if over >= self.listed.len() {
                break;
            }
            self.cursor = over;
        }
        self.scrolled = [0; 2];
    }

    /// Takes over what waits now.
    pub(crate) fn fill(&mut self, waiting: Vec<Awaiting>, heirs: Vec<Heir>) {
        let id = self.current().map(|one| one.id.clone());
        let next = self.listed.get(self.cursor + 1).or_else(|| self.listed.get(self.cursor.wrapping_sub(1)));
        let next = match next {
            Some(ListRow::Entry(at)) => self.waiting.get(*at).map(|one| one.id.clone()),
            _ => None,
        };
        self.waiting = waiting;
        self.heirs = heirs;
        let there: BTreeSet<&String> = self.waiting.iter().map(|one| &one.id).collect();
        self.marked.retain(|id| there.contains(id));
        let wanted = [id, next].into_iter().flatten().find(|id| there.contains(id));
        self.listed.clear();
        self.list_again();
        if let Some(wanted) = wanted {
            self.go_to(&wanted);
        }
    }

    /// Leaves out what was decided, before the list is read anew.
    pub(crate) fn leave_out(&mut self, names: &[String]) {
        let waiting: Vec<Awaiting> =
            self.waiting.iter().filter(|one| !names.contains(&one.id)).cloned().collect();
        let heirs = std::mem::take(&mut self.heirs);
        self.fill(waiting, heirs);
    }

    fn go_to(&mut self, id: &str) {
        let is_it = |line: &ListRow| matches!(line, ListRow::Entry(at) if self.waiting[*at].id == id);
        if let Some(at) = self.listed.iter().position(is_it) {
            self.cursor = at;
        }
    }

    /// Says where one is, for the next time.
    pub(crate) fn place(&self) -> ReviewPlace {
        ReviewPlace {
            entry: self.current().map(|one| one.id.clone()).unwrap_or_default(),
            search: self.search.clone(),
            grouping: self.grouping.map(|facet| facet.word().to_owned()).unwrap_or_default(),
            only: self.only.iter().map(|(facet, word)| (facet.word().to_owned(), word.clone())).collect(),
        }
    }

    /// Goes back to where one stopped; what is not there any more is left out.
    pub(crate) fn return_to(&mut self, place: &ReviewPlace) {
        let facet = |word: &str| Facet::ALL.into_iter().find(|facet| facet.word() == word);
        self.grouping = facet(&place.grouping);
        for (what, word) in &place.only {
            if let Some(facet) = facet(what).filter(|facet| self.words_of(*facet).contains(word.as_str())) {
                self.only.insert(facet, word.clone());
            }
        }
        self.search.clone_from(&place.search);
        self.list_again();
        if self.listed.is_empty() {
            self.search.clear();
            self.only.clear();
            self.list_again();
        }
        self.go_to(&place.entry);
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: text.into(), is_bad: false };
    }

    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: text.into(), is_bad: true };
    }
}
