//! Two clones go their own ways and meet again: the same result whoever merges, and nothing lost.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::article::Note;
use lore_core::{
    Article, Claim, Curator, Entry, EntryId, Kind, Level, Link, LinkKind, Moment, SessionId, Source, Stamp,
    Status, Voice,
};
use lore_store::git::Unmerged;
use lore_store::merge::{MergedFile, has_markers, merge};
use lore_store::{CommitOptions, Lists, Mended, Owner, Refused, format};
use lore_testutils::{TestRepo, start};
use proptest::prelude::*;

use crate::{Base, entry, files, open};

type Files = BTreeMap<String, String>;

/// An article with one claim and one source, as curation writes it.
fn article(id: &str, title: &str, text: &str, number: u32) -> Entry {
    let id: EntryId = id.parse().unwrap();
    let mut entry = Entry::new(id, Kind::Fact, title);
    cite(&mut entry, Article::default(), number, |article, key| {
        article.lead.push(Claim::new(text, vec![key]))
    });
    entry
}

/// Adds a source and whatever rests on it.
fn cite(entry: &mut Entry, mut article: Article, number: u32, then: impl FnOnce(&mut Article, String)) {
    let session = SessionId::new(format!("session-{number}"));
    let source = Source::session_line("claude", &session, number, Voice::Person);
    let known = entry.sources.iter().find(|known| known.resource == source.resource);
    let key = known.and_then(|known| known.id.clone()).unwrap_or_else(|| {
        let key = format!("s{}", entry.sources.len() + 1);
        let at = format!("2026-02-{:02}T10:00:00Z", number % 27 + 1).parse::<Moment>().ok();
        article.notes.push(Note { id: key.clone(), text: format!("`{}`", source.resource) });
        entry.sources.push(Source { id: Some(key.clone()), at, ..source });
        key
    });
    then(&mut article, key);
    entry.body = article.render();
}

/// What somebody does in one clone.
#[derive(Debug, Clone, Copy)]
struct Deed {
    number: usize,
    verb: Verb,
}

#[derive(Debug, Clone, Copy)]
enum Verb {
    Create,
    AddEvidence,
    AddClaim,
    Relate,
    Verify,
    Edit,
    Reject,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let verb = prop_oneof![
        Just(Verb::Create),
        Just(Verb::AddEvidence),
        Just(Verb::AddClaim),
        Just(Verb::Relate),
        Just(Verb::Verify),
        Just(Verb::Edit),
        Just(Verb::Reject),
    ];
    prop::collection::vec((0usize..9, verb).prop_map(|(number, verb)| Deed { number, verb }), 1..10)
}

const SUBJECTS: [&str; 9] = ["cache", "queue", "pool", "lock", "log", "index", "timer", "mailer", "parser"];
/// So many are there from the beginning.
const THERE: usize = 5;

fn name(number: usize) -> String {
    format!("fac-2026-02-{:02}-the-{}", number + 1, SUBJECTS[number])
}

/// Finds an entry in a tree, with its file.
fn find(tree: &Files, id: &str) -> Option<(String, Entry)> {
    let is_entry = |path: &&String| path.starts_with("project/");
    tree.keys().filter(is_entry).find_map(|path| {
        let entry = entry_at(tree, path);
        (entry.id.as_str() == id).then(|| (path.clone(), entry))
    })
}

fn entry_at(tree: &Files, path: &str) -> Entry {
    let text = &tree[path];
    let mut entry = format::read(path, text.as_bytes()).entry.unwrap();
    if format::stored_hash(text) != Some(format::content_hash(text)) {
        entry.curated_by = Curator::Mixed;
    }
    entry
}

fn put(tree: &mut Files, path: &str, entry: &Entry) {
    tree.insert(path.to_owned(), format::with_hash(&format::write(entry)));
}

fn create(tree: &mut Files, entry: &Entry) {
    let short = format!("project/{}.md", entry.id.slug());
    let path = if tree.contains_key(&short) { format!("project/{}.md", entry.id) } else { short };
    put(tree, &path, &Entry { created: entry.last_heard(), updated: entry.last_heard(), ..entry.clone() });
    let manifest = tree.entry(format!(".lore/manifest/{}", &entry.id.as_str()[4..11])).or_default();
    manifest.push_str(&format!("{}\t{path}\t{}\n", entry.id, entry.title));
    *manifest = sorted(manifest);
}

fn sorted(text: &str) -> String {
    let lines: BTreeSet<&str> = text.lines().collect();
    lines.into_iter().fold(String::new(), |text, line| text + line + "\n")
}

/// Does in memory what a transaction does on disk: three hundred histories are many.
fn act(tree: &mut Files, deed: Deed, side: u32) {
    let Deed { number, verb } = deed;
    let (id, subject) = (name(number), SUBJECTS[number]);
    let fresh = 100 * side + u32::try_from(number).unwrap();
    let stone = tree.get(".lore/tombstones").is_some_and(|stones| stones.contains(&id));
    let Some((path, mut entry)) = find(tree, &id) else {
        // The last two subjects are noticed on different days: two entries want one file.
        let id =
            if number > 6 { id.replace("fac-2026-02", &format!("fac-2026-{:02}", 2 + side)) } else { id };
        let text = format!("The {subject} has {} parts.", if number % 2 == 0 { 3 } else { side });
        if matches!(verb, Verb::Create) && !stone && find(tree, &id).is_none() {
            create(tree, &article(&id, &format!("The {subject}"), &text, fresh));
        }
        return;
    };
    let article = Article::parse(&entry.body);
    let ours = entry.curated_by == Curator::Auto;
    match verb {
        Verb::Create => {}
        Verb::AddEvidence if ours => cite(&mut entry, article, fresh, |article, key| {
            article.lead.iter_mut().take(1).for_each(|claim| claim.sources.push(key.clone()));
        }),
        Verb::AddClaim if ours => cite(&mut entry, article, fresh, |article, key| {
            let text = format!("The {subject} grew on side {side}.");
            if !article.facts.iter().any(|claim| claim.text == text) {
                article.facts.push(Claim::new(&text, vec![key]));
            }
        }),
        Verb::Relate if find(tree, &name((number + 1) % THERE)).is_some() && entry.links.is_empty() => {
            entry.links.push(Link::new(LinkKind::Related, name((number + 1) % THERE)));
        }
        Verb::AddEvidence | Verb::AddClaim | Verb::Relate => {}
        Verb::Verify => entry.verified = vec![Stamp { by: format!("human:{side}"), at: None }],
        Verb::Edit => {
            let text = tree[&path].replacen(" has ", &format!(" of clone {side} has "), 1);
            tree.insert(path, text);
            return;
        }
        Verb::Reject => {
            tree.remove(&path);
            let manifest = tree.get_mut(&format!(".lore/manifest/{}", &id[4..11])).unwrap();
            *manifest = manifest
                .lines()
                .filter(|line| !line.starts_with(&id))
                .fold(String::new(), |t, l| t + l + "\n");
            let stones = tree.entry(".lore/tombstones".to_owned()).or_default();
            stones.push_str(&format!("{id}\t2026-02-2{side}\thuman:{side}\tThe {subject}\t\tno\n"));
            *stones = sorted(stones);
            let linking: Vec<String> =
                tree.keys().filter(|path| path.starts_with("project/")).cloned().collect();
            for path in linking {
                let mut entry = entry_at(tree, &path);
                if entry.links.iter().any(|link| link.target == id) {
                    entry.links.retain(|link| link.target != id);
                    put(tree, &path, &entry);
                }
            }
            return;
        }
    }
    entry.updated = entry.updated.max(entry.last_heard());
    put(tree, &path, &entry);
}

/// Does what git does with two trees, the merge driver and the attributes of a base included.
fn git_merge(base: &Files, ours: &Files, theirs: &Files) -> (Files, Vec<Unmerged>) {
    let (mut merged, mut unmerged) = (Files::new(), Vec::new());
    let paths: BTreeSet<&String> = base.keys().chain(ours.keys()).chain(theirs.keys()).collect();
    for path in paths {
        let (o, a, b) = (base.get(path), ours.get(path), theirs.get(path));
        let bytes = |text: Option<&String>| text.map(|text| text.clone().into_bytes());
        let undecided = || Unmerged { path: path.clone(), base: bytes(o), ours: bytes(a), theirs: bytes(b) };
        let union = path.rsplit('/').next() == Some("index.md")
            || path == "log.md"
            || [".lore/manifest/", ".lore/ledger/", ".lore/runs/"]
                .iter()
                .any(|folder| path.starts_with(folder));
        let result = match (a, b) {
            (a, b) if a == b => a.cloned(),
            (a, b) if o == a => b.cloned(),
            (a, b) if o == b => a.cloned(),
            (Some(a), Some(b)) if union => {
                let lines = a.lines().chain(b.lines().filter(|line| !a.lines().any(|known| known == *line)));
                Some(lines.fold(String::new(), |text, line| text + line + "\n"))
            }
            (Some(a), Some(b)) => match merge(path, o.map(|o| o.as_bytes()), a.as_bytes(), b.as_bytes()) {
                MergedFile::One(bytes) => Some(String::from_utf8(bytes).unwrap()),
                MergedFile::Two { here, .. } => {
                    unmerged.push(undecided());
                    Some(String::from_utf8(here).unwrap())
                }
                MergedFile::Foreign => panic!("{path} is not ours"),
            },
            (None, None) => None,
            (left, right) => {
                unmerged.push(undecided());
                left.or(right).cloned()
            }
        };
        merged.extend(result.map(|text| (path.clone(), text)));
    }
    (merged, unmerged)
}

/// Puts a merged tree into a clone of its own, mends it, and returns it.
fn mended(tree: &Files, unmerged: Vec<Unmerged>) -> (TestRepo, Mended) {
    let repo = TestRepo::new();
    for (path, text) in tree {
        repo.write(&format!("knowledge/{path}"), text);
    }
    let store = open(&repo.path());
    let mut transaction = store.begin(&Owner::machine("check"), start()).unwrap();
    let mended = transaction.mend(unmerged).unwrap();
    transaction.commit(&CommitOptions { lists: Lists::All, ..CommitOptions::default() }).unwrap();
    (repo, mended)
}

fn entries(tree: &Files) -> BTreeMap<EntryId, Entry> {
    let paths = tree.keys().filter(|path| path.starts_with("project/") && !path.ends_with("/index.md"));
    let all = paths.map(|path| entry_at(tree, path));
    all.map(|entry| (entry.id.clone(), entry)).collect()
}

fn meet(ours: &[Deed], theirs: &[Deed]) {
    let mut base = Files::from([(".lore/format".to_owned(), "1\n".to_owned())]);
    for (number, subject) in SUBJECTS.iter().enumerate().take(THERE) {
        let fresh = u32::try_from(number).unwrap();
        let text = format!("The {subject} has 3 parts.");
        create(&mut base, &article(&name(number), &format!("The {subject}"), &text, fresh));
    }
    let [a, b] = [(ours, 1), (theirs, 2)].map(|(deeds, side)| {
        let mut tree = base.clone();
        deeds.iter().for_each(|deed| act(&mut tree, *deed, side));
        tree
    });
    let (there, back) = (git_merge(&base, &a, &b), git_merge(&base, &b, &a));
    let ((there, _), (back, _)) = (mended(&there.0, there.1), mended(&back.0, back.1));
    let (one, other) = (files(&there.join("knowledge")), files(&back.join("knowledge")));
    for path in one.keys().chain(other.keys()) {
        assert_eq!(one.get(path), other.get(path), "{path} depends on who merges");
    }
    assert!(one.values().all(|text| !has_markers(text)));
    let store = open(&there.path());
    let found = store.snapshot().unwrap().diagnostics();
    assert!(found.iter().all(|found| found.level == Level::Note), "{found:#?}");
    let (merged, stones) = (entries(&one), store.tombstones());
    let snapshot = store.snapshot().unwrap();
    for summary in snapshot.summaries() {
        let broken = summary.links.iter().find(|link| snapshot.find(&link.target).is_none());
        assert!(broken.is_none(), "{} leads nowhere: {broken:?}", summary.id);
    }
    let [mine, yours, begun] = [&a, &b, &base].map(entries);
    for (side, other) in [(&mine, &yours), (&yours, &mine)] {
        for (id, entry) in side {
            let Some(now) = merged.get(id) else {
                assert!(stones.get(id).is_some(), "{id} is gone without a stone");
                continue;
            };
            for source in &entry.sources {
                let kept = now.sources.iter().any(|known| known.resource == source.resource);
                assert!(kept, "{id} lost {}", source.resource);
            }
            let said = Article::parse(&now.body);
            let before = begun.get(id).map(|entry| Article::parse(&entry.body)).unwrap_or_default();
            for claim in Article::parse(&entry.body).claims() {
                let old = before.claims().any(|known| known.text == claim.text);
                assert!(
                    old || said.claims().any(|known| known.text == claim.text),
                    "{id} lost “{}”",
                    claim.text
                );
            }
        }
        // What one side rejected is back only where the other side's person wrote or confirmed.
        for (id, old) in &begun {
            if !side.contains_key(id) && merged.contains_key(id) {
                let edited = other.get(id).is_some_and(|entry| {
                    entry.curated_by != Curator::Auto && entry != old || entry.verified != old.verified
                });
                assert!(edited && stones.get(id).is_some(), "{id} returned");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn two_clones_that_meet_agree(ours in deeds(), theirs in deeds()) {
        meet(&ours, &theirs);
    }
}

#[test]
fn a_stone_wins_over_the_machines_file_and_not_over_a_persons() {
    // Rejected in one clone, curated in another, merged: it was back, and the next write took the stone away.
    let base = Base::new();
    base.create(entry(Kind::Fact, "Wrong"));
    let file = base.knowledge("project/wrong.md");
    let manifest = base.knowledge(".lore/manifest/2026-02");
    base.write_as(&Owner::person("ana", "reject"), |transaction| {
        transaction.remove("fac-2026-02-20-wrong", "it is").unwrap();
    });
    base.repo.write("knowledge/project/wrong.md", &file);
    base.repo.write("knowledge/.lore/manifest/2026-02", &manifest);
    assert!(base.again().get("wrong").is_err(), "nobody is shown it");
    base.write(|transaction| drop(transaction.create(entry(Kind::Fact, "Else")).unwrap()));
    assert!(!base.repo.join("knowledge/project/wrong.md").exists());
    assert_eq!(base.again().tombstones().iter().count(), 1);

    base.repo.write("knowledge/project/wrong.md", file.replace("as was said", "but I say so"));
    base.repo.write("knowledge/.lore/manifest/2026-02", &manifest);
    base.write(|transaction| drop(transaction.create(entry(Kind::Fact, "More")).unwrap()));
    assert!(base.again().get("wrong").is_ok());
    assert_eq!(base.again().tombstones().iter().count(), 1, "a review decides");
}

#[test]
fn links_follow_an_entry_that_goes() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Old"));
    base.create(entry(Kind::Fact, "New"));
    let linked = |kind, to: &str| Link::new(kind, format!("fac-2026-02-20-{to}"));
    let with = |title: &str, links| Entry { links, ..entry(Kind::Fact, title) };
    base.create(with("Neighbour", vec![linked(LinkKind::Related, "old"), linked(LinkKind::Related, "new")]));
    base.create(with("Other", vec![linked(LinkKind::DerivedFrom, "old")]));
    base.write_as(&Owner::person("ana", "supersede"), |transaction| {
        let mut old = transaction.get("fac-2026-02-20-old").unwrap();
        old.entry.status = Status::Superseded;
        old.entry.links.push(linked(LinkKind::SupersededBy, "new"));
        transaction.replace(old.entry, old.version).unwrap();
    });
    base.write_as(&Owner::person("ana", "rm"), |transaction| {
        transaction.remove("fac-2026-02-20-old", "gone").unwrap();
    });
    let links = |name: &str| base.again().get(name).unwrap().entry.links;
    assert_eq!(links("neighbour"), [linked(LinkKind::Related, "new")]);
    assert_eq!(links("other"), [linked(LinkKind::DerivedFrom, "new")]);
    base.write_as(&Owner::person("ana", "rm"), |transaction| {
        transaction.remove("fac-2026-02-20-new", "gone").unwrap();
    });
    assert_eq!((links("neighbour"), links("other")), (Vec::new(), Vec::new()));
}

#[test]
fn markers_are_one_finding_and_what_both_sides_say_is_read() {
    // Each line of the front matter was complained about, and the conflict itself was not named.
    let base = Base::new();
    let one = article("fac-2026-02-01-cache", "The cache", "The cache has 3 parts.", 1);
    base.create(one);
    let text = base.knowledge("project/cache.md");
    let theirs = text.replace("The cache has 3 parts.", "The cache has 4 parts.");
    let conflict = format!("<<<<<<< HEAD\n{text}=======\n{theirs}>>>>>>> other\n");
    base.repo.write("knowledge/project/cache.md", &conflict);
    let store = base.again();
    let found = store.snapshot().unwrap().diagnostics();
    assert_eq!(found.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["merge-conflict"]);
    let read = store.get("fac-2026-02-01-cache").unwrap().entry;
    assert!(!read.body.contains("<<<<") && !read.body.contains("===="), "{}", read.body);
    assert!(read.body.contains("3 parts") && read.body.contains("4 parts"), "{}", read.body);
    base.write(|transaction| {
        let stored = transaction.get("fac-2026-02-01-cache").unwrap();
        let refused = transaction.replace(Entry { title: "X".into(), ..stored.entry }, stored.version);
        assert!(matches!(refused, Err(Refused::Conflicted(_))));
        transaction.mend(Vec::new()).unwrap();
    });
    assert!(!has_markers(&base.knowledge("project/cache.md")));
    assert_eq!(base.again().snapshot().unwrap().diagnostics(), []);
}
