//! What new articles rest on: files and packages of the project that they name.
//!
//! A condition is added only where it holds at the moment of writing and nothing in the article
//! speaks of giving the thing up, and only to what was said in a folder of this project.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use lore_core::{Article, Curator, Entry, Kind, Proposal, SessionId, Status};
use lore_ground::freshness::{Condition, Fact, FileTest, Truth, parse};
use lore_store::Transaction;

use crate::Engine;
use crate::suggest::of_package;
use crate::verdicts::Verdicts;

/// Most files, and most conditions of any sort, that an article is made to rest on.
const FILES: usize = 2;
const MOST: usize = 3;

/// Words that say that something goes, or is not what it was; a star stands for any ending.
const LEAVING: [&str; 17] = [
    "delet*",
    "remov*",
    "drop",
    "drops",
    "dropp*",
    "renam*",
    "move",
    "moved",
    "moving",
    "replac*",
    "migrat*",
    "deprecat*",
    "obsolet*",
    "legacy",
    "retir*",
    "instead",
    "longer",
];
/// Words that say that a package is not what is used.
const UNWANTED: [&str; 10] =
    ["not", "never", "no", "avoid*", "without", "against", "rather", "don't", "doesn't", "reject*"];

/// Words by which something that is filed as an event says how things are or have to be.
const LASTING: [&str; 10] =
    ["always", "never", "must", "only", "is", "are", "lives", "should", "every*", "whenever"];

/// Finds conditions for the articles of one run.
#[derive(Default)]
pub(crate) struct Rests {
    here: BTreeSet<SessionId>,
    elsewhere: BTreeSet<SessionId>,
    /// Nothing where it is turned off, or where there is no project to look at.
    ground: Option<Ground>,
}

struct Ground {
    verdicts: Verdicts,
    /// The base itself, relative to the project: knowledge does not rest on knowledge.
    base: Option<PathBuf>,
    /// Words of the manifests, read when the first article asks.
    used: Option<BTreeSet<String>>,
    packages: HashMap<String, Option<String>>,
}

impl Rests {
    pub(crate) fn new(engine: &Engine) -> Rests {
        let wanted = engine.settings.curate.conditions && !engine.is_personal();
        let ground = wanted.then(|| Ground {
            verdicts: engine.verdicts(),
            base: engine.root().strip_prefix(engine.project()).ok().map(PathBuf::from),
            used: None,
            packages: HashMap::new(),
        });
        Rests { ground, ..Rests::default() }
    }

    /// Notes where a session went on.
    pub(crate) fn heard(&mut self, session: &SessionId, is_here: bool) {
        let sessions = if is_here { &mut self.here } else { &mut self.elsewhere };
        sessions.insert(session.clone());
    }

    /// Lets a new article rest on what it names; takes conditions out that rested on what it no longer says.
    pub(crate) fn settle(&mut self, proposal: &mut Proposal, transaction: &Transaction<'_>) {
        let Some(ground) = &mut self.ground else { return };
        match proposal {
            Proposal::Create { entry, .. } => {
                let mut sessions = entry.sources.iter().filter_map(|source| source.session.as_ref());
                let is_ours = sessions.clone().any(|session| self.here.contains(session))
                    && !sessions.any(|session| self.elsewhere.contains(session));
                // What happened stays true, whatever becomes of the files.
                let lasts = |entry: &Entry| {
                    entry.kind != Kind::Event
                        || claims(entry).iter().any(|claim| has_word(claim, "", &LASTING))
                };
                let is_current = entry.status == Status::Current && lasts(entry);
                let is_made_here = is_ours && entry.curated_by == Curator::Auto;
                if is_made_here && is_current && entry.depends_on.is_empty() {
                    entry.depends_on = ground.conditions(entry);
                }
                if is_made_here {
                    ground.spell_out(&mut entry.files);
                }
            }
            Proposal::Replace { entry, .. } if !entry.depends_on.is_empty() => {
                // A person's text refuses to be replaced, so what stands there is ours.
                let Ok(before) = transaction.get(entry.id.as_str()) else { return };
                let (before, now) = (claims(&before.entry), claims(entry));
                entry.depends_on.retain(|one| match subject(one) {
                    Some(subject) => stays(&now, &subject, &LEAVING) || !names(&before, &subject),
                    None => true,
                });
            }
            _ => {}
        }
    }

    /// Lists what an entry rests on by the files that whoever handed it in named; its text need not name them too.
    pub(crate) fn of_files(&mut self, entry: &Entry) -> Vec<String> {
        let said = [claims(entry), vec![entry.title.clone()]].concat();
        let leaves = |file: &String| said.iter().any(|claim| has_word(claim, file, &LEAVING));
        let Some(ground) = self.ground.as_mut().filter(|_| entry.kind != Kind::Event) else {
            return Vec::new();
        };
        let files = entry.files.iter().filter(|file| !leaves(file));
        files.filter_map(|file| ground.of_file(file)).take(FILES).collect()
    }

    /// Keeps the verdicts; what cannot be kept is judged again next time.
    pub(crate) fn save(&self) {
        if let Some(ground) = &self.ground {
            ground.verdicts.save();
        }
    }
}

impl Ground {
    fn conditions(&mut self, entry: &Entry) -> Vec<String> {
        let said = claims(entry);
        let mut found: Vec<String> = Vec::new();
        for file in &entry.files {
            if found.len() < FILES
                && stays(&said, file, &LEAVING)
                && let Some(condition) = self.of_file(file)
                && !found.contains(&condition)
            {
                found.push(condition);
            }
        }
        let mut packages: Vec<String> = said.iter().flat_map(|claim| proper_names(claim)).collect();
        packages.dedup();
        for package in packages {
            let wanted = stays(&said, &package, &LEAVING) && stays(&said, &package, &UNWANTED);
            if found.len() < MOST
                && wanted
                && let Some(condition) = self.of_package(&package)
                && !found.contains(&condition)
            {
                found.push(condition);
            }
        }
        found
    }

    /// Gives files that were half named the path that whoever opens them will use.
    fn spell_out(&self, files: &mut Vec<String>) {
        for file in files.iter_mut() {
            if let Some(path) = self.path_of(file) {
                *file = path;
            }
        }
        let mut seen = BTreeSet::new();
        files.retain(|file| seen.insert(file.clone()));
    }

    fn path_of(&self, name: &str) -> Option<String> {
        let root = format!("{}/", self.verdicts.project().root().display());
        self.verdicts.project().file(name.strip_prefix(&root).unwrap_or(name)).map(str::to_owned)
    }

    fn of_file(&mut self, name: &str) -> Option<String> {
        let path = self.path_of(name)?;
        let hidden = path.starts_with(".lore/") || self.base.as_ref().is_some_and(|base| is_in(&path, base));
        let condition = format!("{path} exists");
        let reads_back =
            parse(&condition) == Condition::Fact(Fact::File { path: path.clone(), test: FileTest::Exists });
        let holds = !hidden && reads_back && self.verdicts.judge(&condition).truth == Truth::Holds;
        holds.then_some(condition)
    }

    fn of_package(&mut self, name: &str) -> Option<String> {
        if self.used.is_none() {
            let mut used = lore_ground::stack(self.verdicts.project());
            used.retain(|word| word.len() > 1);
            for own in lore_ground::own_names(self.verdicts.project()) {
                used.remove(&own);
            }
            self.used = Some(used);
        }
        let name = name.to_lowercase();
        if !self.used.as_ref().is_some_and(|used| used.contains(&name)) {
            return None;
        }
        if let Some(known) = self.packages.get(&name) {
            return known.clone();
        }
        let made = of_package(&name, &mut self.verdicts);
        let made = made.filter(|one| matches!(parse(one), Condition::Fact(Fact::Package { .. })));
        self.packages.insert(name, made.clone());
        made
    }
}

fn is_in(path: &str, folder: &std::path::Path) -> bool {
    std::path::Path::new(path).starts_with(folder)
}

/// Lists what an article says to hold, a sentence each.
fn claims(entry: &Entry) -> Vec<String> {
    Article::parse(&entry.body).current().map(|claim| claim.text.clone()).collect()
}

/// Tells whether a sentence names a thing, and no sentence that does speaks of giving it up.
fn stays(claims: &[String], thing: &str, words: &[&str]) -> bool {
    let mut naming = claims.iter().filter(|claim| contains(claim, thing)).peekable();
    naming.peek().is_some() && !naming.any(|claim| has_word(claim, thing, words))
}

fn has_word(claim: &str, thing: &str, known: &[&str]) -> bool {
    // The thing's own name may hold one of the words.
    let claim = claim.to_lowercase();
    let rest = if thing.is_empty() { claim } else { claim.replace(&thing.to_lowercase(), " ") };
    let words = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let fits = |word: &str, known: &str| match known.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == known,
    };
    words.into_iter().any(|word| known.iter().any(|known| fits(word, known)))
}

fn contains(claim: &str, thing: &str) -> bool {
    claim.to_lowercase().contains(&thing.to_lowercase())
}

/// Lists words that are written as names of packages: as code, with signs inside, or with a capital letter.
fn proper_names(claim: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, part) in claim.split('`').enumerate() {
        if at % 2 == 1 {
            found.push(part.trim().to_owned());
            continue;
        }
        let plain = |c: char| !c.is_alphanumeric() && !matches!(c, '@' | '/' | '-' | '_');
        for (place, word) in part.split_whitespace().enumerate() {
            let word = word.trim_matches(plain);
            let signs = word.contains(['@', '/', '-', '_'])
                && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@');
            let capital = place > 0 && word.len() > 3 && word.starts_with(|c: char| c.is_ascii_uppercase());
            if signs || capital {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// Returns the file or package that a condition of ours is about.
fn subject(condition: &str) -> Option<String> {
    match parse(condition) {
        Condition::Fact(Fact::File { path, test: FileTest::Exists }) => {
            Some(path.rsplit('/').next().unwrap_or(&path).to_owned())
        }
        Condition::Fact(Fact::Package { name, .. }) => Some(name),
        _ => None,
    }
}

fn names(claims: &[String], subject: &str) -> bool {
    claims.iter().any(|claim| contains(claim, subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(claim: &str, thing: &str, stays_there: bool) {
        let claims = [claim.to_owned()];
        let is = stays(&claims, thing, &LEAVING) && stays(&claims, thing, &UNWANTED);
        assert_eq!(is, stays_there, "{claim}");
    }

    #[test]
    fn what_is_to_go_is_nothing_to_rest_on() {
        check("Queries go through Prisma.", "Prisma", true);
        check("We note that Prisma is slow in the movie list.", "Prisma", true);
        check("We moved from Prisma to SQL.", "Prisma", false);
        check("Do not use Prisma.", "Prisma", false);
        check("Prisma will be removed.", "Prisma", false);
        check("The file dropzone.ts handles uploads.", "dropzone.ts", true);
        check("Nothing here.", "Prisma", false);
    }

    #[test]
    fn names_are_told_from_words() {
        let names = proper_names("Express handles `zod` and log lines go to date-fns, see Prisma and time.");
        assert_eq!(names, ["zod", "date-fns", "Prisma"]);
    }
}
