use lore_core::{Article, Claim, Entry, Kind, Moment, Source, Status, Voice};
use proptest::prelude::*;

use super::*;

fn source(number: u32) -> Source {
    let session = lore_core::SessionId::new(format!("session-{number}"));
    let at = format!("2026-02-{:02}T10:00:00Z", number % 27 + 1).parse::<Moment>().ok();
    Source { at, ..Source::session_line("claude", &session, number, Voice::Person) }
}

/// An entry as the machine writes it: each claim with the numbers of its sources.
fn article(claims: &[(&str, &[u32])]) -> String {
    let mut entry = Entry::new("fac-2026-02-01-retries".parse().unwrap(), Kind::Fact, "Retries");
    let mut article = Article::default();
    for (text, numbers) in claims {
        let mut keys = Vec::new();
        for number in *numbers {
            let wanted = source(*number);
            let known = entry.sources.iter().find(|known| known.resource == wanted.resource);
            let key = known.and_then(|known| known.id.clone()).unwrap_or_else(|| {
                let key = format!("s{}", entry.sources.len() + 1);
                article.notes.push(lore_core::article::Note {
                    id: key.clone(),
                    text: format!("`{}`", wanted.resource),
                });
                entry.sources.push(Source { id: Some(key.clone()), ..wanted.clone() });
                key
            });
            keys.push(key);
        }
        let list = if article.lead.is_empty() { &mut article.lead } else { &mut article.facts };
        list.push(Claim::new(text, keys));
    }
    entry.body = article.render();
    entry.updated = entry.last_heard();
    format::with_hash(&format::write(&entry))
}

const PATH: &str = "project/retries.md";

fn one(base: Option<&str>, ours: &str, theirs: &str) -> String {
    let base = base.map(str::as_bytes);
    let merged = merge(PATH, base, ours.as_bytes(), theirs.as_bytes());
    let again = merge(PATH, base, theirs.as_bytes(), ours.as_bytes());
    assert_eq!(merged, again, "whoever merges writes the same");
    match merged {
        MergedFile::One(bytes) => String::from_utf8(bytes).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn read(text: &str) -> (Entry, Article) {
    let take = Take::read(PATH, text.as_bytes()).expect("the merged text is an entry");
    let article = Article::parse(&take.entry.body);
    (take.entry, article)
}

fn texts(claims: &[Claim]) -> Vec<&str> {
    claims.iter().map(|claim| claim.text.as_str()).collect()
}

#[test]
fn evidence_of_both_sides_is_joined_under_new_footnotes() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let ours = article(&[("Retries stop after three.", &[1, 2]), ("Waits double.", &[2])]);
    let theirs = article(&[("Retries stop after three.", &[1, 3]), ("A queue holds the rest.", &[3])]);
    let (entry, article) = read(&one(Some(&base), &ours, &theirs));
    assert_eq!(entry.sources.len(), 3);
    assert_eq!(article.lead[0].sources.len(), 3);
    assert_eq!(article.facts.len(), 2);
    let behind = |claim: &Claim| entry.sources_of(claim).map(|s| s.resource.clone()).collect::<Vec<_>>();
    let queue = article.facts.iter().find(|claim| claim.text.starts_with("A queue")).unwrap();
    assert_eq!(behind(queue), ["session://claude/session-3#L3"]);
    assert_eq!((entry.curated_by, entry.status), (lore_core::Curator::Auto, Status::Current));
    assert_eq!(article.notes.len(), 3);
}

#[test]
fn two_people_who_word_one_claim_differently_dispute() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let ours = base.replace("Retries stop after three.", "Retries stop after four.");
    let theirs = base.replace("Retries stop after three.", "Retries stop after nine attempts.");
    let merged = one(Some(&base), &ours, &theirs);
    let (entry, article) = read(&merged);
    assert_eq!(entry.status, Status::Disputed);
    let mut sides = texts(&article.conflict);
    sides.sort_unstable();
    assert_eq!(sides, ["Retries stop after four.", "Retries stop after nine attempts."]);
    assert!(article.lead.is_empty(), "{merged}");
    assert_eq!(entry.curated_by, lore_core::Curator::Mixed);
}

#[test]
fn two_people_who_say_something_else_altogether_dispute_too() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let ours = base.replace("Retries stop after three.", "Retries stop after three, spread over an hour.");
    let theirs = base.replace("Retries stop after three.", "Nothing is ever tried again.");
    for base in [Some(base.as_str()), None] {
        let (entry, article) = read(&one(base, &ours, &theirs));
        assert_eq!((entry.status, article.conflict.len()), (Status::Disputed, 2), "{base:?}: {article:?}");
        assert!(article.lead.is_empty() && article.facts.is_empty(), "{article:?}");
    }
}

#[test]
fn what_people_wrote_down_is_one_source_however_often_it_is_merged() {
    let mut entry = Entry::new("fac-2026-02-01-retries".parse().unwrap(), Kind::Fact, "Retries");
    entry.body = "Retries stop after three.\n".to_owned();
    entry.curated_by = lore_core::Curator::Human;
    entry.sources.push(Source::new("human:ada", Voice::Person));
    let written = |entry: &Entry| format::with_hash(&format::write(entry));
    for round in 0..4 {
        let base = written(&entry);
        let by = |name: &str| {
            let at = format!("2026-03-{:02}", round + 1).parse().ok();
            let stamp = lore_core::Stamp { by: name.to_owned(), at };
            written(&Entry { verified: vec![stamp], ..entry.clone() })
        };
        entry = read(&one(Some(&base), &by("human:ada"), &by("human:bob"))).0;
        assert_eq!(entry.sources.len(), 1, "{:?}", entry.sources);
    }
}

/// What one side confirmed was confirmed for the other's words too.
#[test]
fn a_confirmation_stays_with_the_words_it_confirmed() {
    let stamp = |name: &str| lore_core::Stamp { by: name.to_owned(), at: "2026-03-01".parse().ok() };
    let page = |words: &str, confirmed: &[&str]| {
        let mut entry = Entry::new("fac-2026-02-01-retries".parse().unwrap(), Kind::Fact, "Retries");
        entry.body = format!("# Retries\n\n{words}\n");
        entry.curated_by = lore_core::Curator::Human;
        entry.verified = confirmed.iter().map(|name| stamp(name)).collect();
        format::with_hash(&format::write(&entry))
    };
    let check = |base: &str, ours: &str, theirs: &str, expected: &[&str]| {
        let merged = one(Some(base), ours, theirs);
        let (entry, _) = read(&merged);
        let by: Vec<&str> = entry.verified.iter().map(|stamp| stamp.by.as_str()).collect();
        assert_eq!(by, expected, "{merged}");
        assert_eq!(one(Some(ours), &merged, ours), merged, "merged once is merged");
        assert_eq!(one(Some(theirs), &merged, theirs), merged, "merged once is merged");
    };
    let (old, new) = ("Retries stop after three.", "Retries stop after nine.");
    let base = page(old, &[]);
    check(&base, &page(new, &["human:ada"]), &page(old, &["human:bob"]), &["human:ada"]);
    check(&base, &page(new, &[]), &page(old, &["human:bob"]), &[]);
    check(&base, &page(old, &["human:ada"]), &page(old, &["human:bob"]), &["human:ada", "human:bob"]);
    // Nobody has seen what both sides make together.
    let both = format!("{new}\n\nWaits double.");
    check(
        &page(&format!("{old}\n\nWaits grow."), &[]),
        &page(&format!("{new}\n\nWaits grow."), &["human:ada"]),
        &page(&format!("{old}\n\nWaits double."), &["human:bob"]),
        &[],
    );
    check(
        &page(old, &["human:ada"]),
        &page(&both, &["human:ada"]),
        &page(old, &["human:ada", "human:bob"]),
        &["human:ada"],
    );
}

#[test]
fn what_two_people_settled_differently_is_open_again() {
    let conflict = "## Conflict\n\n- Retries stop after three.[^s1]\n  Said by a person on 2026-01-05\n\
                    - Retries stop after nine.[^s2]\n  Said by a person on 2026-01-06\n";
    let settled = |holds: &str, fell: &str| {
        format!(
            "{holds}\n\n## History\n\n- {fell}\n  Until 2026-02-03\n  Replaced by: it\n  Reason: settled by human:ada\n"
        )
    };
    let (three, nine) = ("Retries stop after three.[^s1]", "Retries stop after nine.[^s2]");
    let page = |body: &str, status: Status| {
        let text = article(&[("Retries stop after three.", &[1]), ("Retries stop after nine.", &[2])]);
        let (mut entry, _) = read(&text);
        entry.status = status;
        entry.body = format!("{body}\n[^s1]: `session-1`\n[^s2]: `session-2`\n");
        format::with_hash(&format::write(&entry))
    };
    let base = page(conflict, Status::Disputed);
    let ours = page(&settled(three, nine), Status::Current);
    let theirs = page(&settled(nine, three), Status::Current);
    let (entry, article) = read(&one(Some(&base), &ours, &theirs));
    assert_eq!((entry.status, article.conflict.len()), (Status::Disputed, 2), "{article:?}");
    assert!(article.history.is_empty(), "{article:?}");
    let (entry, article) = read(&one(Some(&base), &ours, &base));
    assert_eq!((entry.status, texts(&article.lead)), (Status::Current, vec!["Retries stop after three."]));
}

#[test]
fn entries_that_two_people_let_replace_each_other_dispute_again() {
    use lore_core::{Link, LinkKind};
    let with = |status: Status, kind: Option<LinkKind>| {
        let (mut entry, _) = read(&article(&[("Retries stop after three.", &[1])]));
        entry.status = status;
        if status == Status::Superseded {
            let fell = "- Retries stop after three.[^s1]\n  Until 2026-02-03\n  Reason: decided by human:bob";
            entry.body = format!("## History\n\n{fell}\n\n[^s1]: `session-1`\n");
        }
        entry.links.extend(kind.map(|kind| Link::new(kind, "fac-2026-02-01-nine")));
        format::with_hash(&format::write(&entry))
    };
    let base = with(Status::Disputed, Some(LinkKind::Contradicts));
    let ours = with(Status::Current, Some(LinkKind::Supersedes));
    let theirs = with(Status::Superseded, Some(LinkKind::SupersededBy));
    let (entry, article) = read(&one(Some(&base), &ours, &theirs));
    assert_eq!(entry.status, Status::Disputed);
    assert_eq!(texts(&article.lead), ["Retries stop after three."]);
    let kinds: Vec<LinkKind> = entry.links.iter().map(|link| link.kind).collect();
    assert_eq!(kinds, [LinkKind::Contradicts]);
}

/// The page as `lore edit` leaves it: what held is history, and the new words are signed.
fn edited(base: &str, new: &str, by: &str) -> String {
    let (mut entry, mut article) = read(base);
    let at = "2026-03-02".parse().ok();
    let old = article.lead.remove(0);
    let standing = lore_core::Standing::Past {
        until: at,
        replaced_by: Some(new.to_owned()),
        reason: Some(format!("edited by {by}")),
    };
    article.history.insert(0, Claim { standing, ..old });
    let key = format!("s{}", entry.sources.len() + 1);
    article.lead.insert(0, Claim::new(new, vec![key.clone()]));
    article.notes.push(lore_core::article::Note { id: key.clone(), text: format!("`{by}`") });
    entry.sources.push(Source { id: Some(key), at, ..Source::new(by, Voice::Person) });
    entry.verified = vec![lore_core::Stamp { by: by.to_owned(), at }];
    entry.curated_by = lore_core::Curator::Mixed;
    entry.title = new.trim_end_matches('.').to_owned();
    entry.body = article.render();
    format::with_hash(&format::write(&entry))
}

#[test]
fn two_people_who_edit_one_claim_dispute_though_the_old_words_are_in_the_history() {
    let base = article(&[("Retries stop after three.", &[1]), ("Waits double each time.", &[2])]);
    let ours = edited(&base, "Retries stop after four.", "human:ada");
    let theirs = edited(&base, "Retries stop after nine.", "human:bob");
    let again = edited(&ours, "Retries stop after seven.", "human:ada");
    let by_hand = base.replace("Retries stop after three.", "Retries stop after nine.");
    let check = |ours: &str, theirs: &str, expected: [(&str, &str); 2]| {
        let merged = one(Some(&base), ours, theirs);
        let (entry, article) = read(&merged);
        assert_eq!((entry.status, entry.verified.len()), (Status::Disputed, 0), "{merged}");
        let mut sides: Vec<(&str, &str)> = Vec::new();
        for claim in &article.conflict {
            let lore_core::Standing::Disputed { said: Some(said) } = &claim.standing else { continue };
            sides.push((&claim.text, said));
        }
        sides.sort_unstable();
        assert_eq!(sides, expected, "{merged}");
        assert!(article.lead.is_empty(), "{merged}");
        assert_eq!(texts(&article.facts), ["Waits double each time."]);
        let old = article.history.iter().find(|claim| claim.text == "Retries stop after three.").unwrap();
        let lore_core::Standing::Past { replaced_by, reason, .. } = &old.standing else { panic!("{old:?}") };
        assert_eq!((replaced_by, reason), (&None, &None), "nobody has decided what holds instead");
        assert_eq!(one(Some(ours), &merged, ours), merged, "merged once is merged");
        assert_eq!(one(Some(theirs), &merged, theirs), merged, "merged once is merged");
    };
    let ada = ("Retries stop after four.", "human:ada, in an edit on 2026-03-02");
    let bob = ("Retries stop after nine.", "human:bob, in an edit on 2026-03-02");
    check(&ours, &theirs, [ada, bob]);
    check(&again, &theirs, [bob, ("Retries stop after seven.", ada.1)]);
    check(&ours, &by_hand, [ada, (bob.0, "a person, in an edit")]);
}

#[test]
fn an_edit_that_only_one_person_made_is_merged_as_it_is() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let ours = edited(&base, "Retries stop after four.", "human:ada");
    let theirs = base.replace("title: Retries", "title: Retrying");
    let (entry, article) = read(&one(Some(&base), &ours, &theirs));
    assert_eq!((entry.status, texts(&article.lead)), (Status::Current, vec!["Retries stop after four."]));
    assert_eq!(article.history.len(), 1);
    let same = edited(&base, "Retries stop after four.", "human:bob");
    let (entry, article) = read(&one(Some(&base), &ours, &same));
    assert_eq!((entry.status, texts(&article.lead)), (Status::Current, vec!["Retries stop after four."]));
    assert_eq!(entry.verified.len(), 2);
}

#[test]
fn what_a_session_replaced_and_a_person_edited_is_disputed() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let person = edited(&base, "Retries stop after four.", "human:ada");
    let machine = article(&[("Retries stop after nine.", &[2])]).replace(
        "\n[^s1]:",
        "\n## History\n\n- Retries stop after three.\n  Replaced by: Retries stop after nine.\n\n[^s1]:",
    );
    let machine = format::with_hash(&machine);
    let (entry, article) = read(&one(Some(&base), &person, &machine));
    assert_eq!((entry.status, article.conflict.len()), (Status::Disputed, 2), "{article:?}");
    let said = |claim: &Claim| match &claim.standing {
        lore_core::Standing::Disputed { said } => said.clone().unwrap_or_default(),
        _ => String::new(),
    };
    let said: Vec<String> = article.conflict.iter().map(said).collect();
    assert_eq!(said, ["human:ada, in an edit on 2026-03-02", "a person on 2026-02-03"]);
    let worded = article_reworded(&base);
    let (entry, article) = read(&one(Some(&base), &person, &worded));
    assert_eq!((entry.status, texts(&article.lead)), (Status::Current, vec!["Retries stop after four."]));
    assert!(texts(&article.history).contains(&"Retries stop after three attempts."), "{article:?}");
}

fn article_reworded(base: &str) -> String {
    format::with_hash(&base.replace("Retries stop after three.", "Retries stop after three attempts."))
}

#[test]
fn a_page_that_two_people_rename_keeps_one_heading() {
    let page = |title: &str, words: &str| {
        let mut entry = Entry::new("fac-2026-02-01-retries".parse().unwrap(), Kind::Fact, title);
        entry.body = format!("# {title}\n\n{words}\n");
        entry.curated_by = lore_core::Curator::Human;
        format::with_hash(&format::write(&entry))
    };
    let base = page("Retries", "Retries stop after three.");
    let ours = page("When to give up", "Retries stop after four.");
    let theirs = page("Nine tries", "Retries stop after nine.");
    for base in [Some(base.as_str()), None] {
        let merged = one(base, &ours, &theirs);
        let headings: Vec<&str> = merged.lines().filter(|line| line.starts_with("# ")).collect();
        let (entry, article) = read(&merged);
        assert_eq!(headings, [format!("# {}", entry.title)], "{merged}");
        assert_eq!((entry.status, article.conflict.len()), (Status::Disputed, 2), "{merged}");
    }
}

#[test]
fn people_who_change_different_things_do_not_disturb_each_other() {
    let base = article(&[("Retries stop after three.", &[1]), ("Waits double each time.", &[2])]);
    let ours = base.replace("Retries stop after three.", "Retries stop after four.");
    let theirs = base.replace("Waits double each time.", "Waits triple each time.");
    let (entry, article) = read(&one(Some(&base), &ours, &theirs));
    assert_eq!(entry.status, Status::Current);
    assert_eq!(texts(&article.lead), ["Retries stop after four."]);
    assert_eq!(texts(&article.facts), ["Waits triple each time."]);
}

#[test]
fn a_persons_words_stand_against_the_machines_and_keep_its_evidence() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let person = base.replace("Retries stop after three.", "Retries stop after three, always.");
    let machine = article(&[("Retries stop after three attempts.", &[1, 2]), ("Waits double.", &[2])]);
    let (entry, article) = read(&one(Some(&base), &person, &machine));
    assert_eq!(texts(&article.lead), ["Retries stop after three, always."]);
    assert_eq!(article.lead[0].sources.len(), 2);
    assert_eq!(texts(&article.facts), ["Waits double."]);
    assert_eq!(texts(&article.history), ["Retries stop after three attempts."]);
    assert_eq!((entry.sources.len(), entry.curated_by), (2, lore_core::Curator::Mixed));
}

#[test]
fn free_text_of_a_person_keeps_its_shape() {
    let base = article(&[("Retries stop after three.", &[1])]);
    let own = "\n```sh\n## not a heading\nretry --max 3\n```\n\n| a | b |\n|---|---|\n";
    let person = base.replace("\n[^s1]:", &format!("{own}\n[^s1]:"));
    let machine = article(&[("Retries stop after three.", &[1, 2])]);
    let merged = one(Some(&base), &person, &machine);
    assert!(merged.contains(own.trim()), "{merged}");
    assert!(merged.contains("[^s1][^s2]"), "{merged}");
}

#[test]
fn different_entries_under_one_name_are_both_kept() {
    let one = article(&[("Retries stop after three.", &[1])]);
    let two = one.replace("fac-2026-02-01", "fac-2026-03-01");
    let ways = [(&one, &two), (&two, &one)];
    for (ours, theirs) in ways {
        let merged = merge(PATH, None, ours.as_bytes(), theirs.as_bytes());
        let expected = MergedFile::Two { here: one.clone().into(), elsewhere: two.clone().into() };
        assert_eq!(merged, expected);
    }
}

#[test]
fn machine_state_is_merged_line_by_line() {
    let check = |path: &str, base: &str, ours: &str, theirs: &str, expected: &str| {
        let found = merge(path, Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes());
        assert_eq!(found, MergedFile::One(expected.into()), "{path}");
        assert_eq!(merge(path, Some(base.as_bytes()), theirs.as_bytes(), ours.as_bytes()), found, "{path}");
    };
    check(".lore/ledger/2026-02", "", "c\ts\t000000007\th\n", "c\ts\t000000040\ti\n", "c\ts\t000000040\ti\n");
    check(".lore/manifest/2026-02", "a\tx\nb\ty\n", "b\ty\nc\tz\n", "a\tx\nb\tw\n", "b\tw\nc\tz\n");
    let stone = "fac-2026-01-01-sky\t2026-02-03\thuman:ana\tSky\t\tno\n";
    let later = "fac-2026-01-01-sky\t2026-02-09\thuman:bo\tSky\t\tno\n";
    check(".lore/tombstones", stone, "", stone, "");
    check(".lore/tombstones", "", later, stone, stone);
    check(".lore/tombstones", stone, "", later, later);
}

/// What one side does to an article: claims it adds, words anew, drops, and by whose hand.
#[derive(Debug, Clone)]
struct Deed {
    number: u32,
    hand: bool,
    verb: u8,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = (0u32..6, any::<bool>(), 0u8..4).prop_map(|(number, hand, verb)| Deed { number, hand, verb });
    prop::collection::vec(deed, 0..4)
}

const SUBJECTS: [&str; 6] = ["cache", "queue", "pool", "lock", "log", "index"];

fn apply(text: &str, deeds: &[Deed], side: u32) -> String {
    let mut text = text.to_owned();
    for deed in deeds {
        let subject = SUBJECTS[deed.number as usize];
        let mut entry = Take::read(PATH, text.as_bytes()).unwrap().entry;
        match deed.verb {
            0 => {
                text =
                    text.replace(&format!("The {subject} has"), &format!("The {subject} on side {side} has"))
            }
            _ => {
                let mut article = Article::parse(&entry.body);
                let number = 100 * side + deed.number;
                let key = format!("s{}", 50 + entry.sources.len());
                if !entry.sources.iter().any(|known| known.resource == source(number).resource) {
                    entry.sources.push(Source { id: Some(key.clone()), ..source(number) });
                }
                match deed.verb {
                    1 => article.facts.push(Claim::new(&format!("The {subject} grew on {side}."), vec![key])),
                    2 => article
                        .lead
                        .iter_mut()
                        .chain(&mut article.facts)
                        .take(1)
                        .for_each(|claim| claim.sources.push(key.clone())),
                    _ => entry.tags.push(format!("{subject}-{side}")),
                }
                entry.body = article.render();
                text = format::write(&entry);
            }
        }
        if !deed.hand {
            text = format::with_hash(&text);
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn merging_loses_nothing_and_does_not_depend_on_who_merges(ours in deeds(), theirs in deeds()) {
        let claims: Vec<(String, [u32; 1])> =
            SUBJECTS.iter().zip(1..).map(|(s, n)| (format!("The {s} has {n} parts."), [n])).collect();
        let listed: Vec<(&str, &[u32])> = claims.iter().map(|(text, n)| (text.as_str(), &n[..])).collect();
        let base = article(&listed);
        let (ours, theirs) = (apply(&base, &ours, 1), apply(&base, &theirs, 2));
        let merged = one(Some(&base), &ours, &theirs);
        prop_assert!(!has_markers(&merged));
        let (entry, article) = read(&merged);
        for side in [&ours, &theirs] {
            let (theirs, said) = read(side);
            for source in &theirs.sources {
                prop_assert!(entry.sources.iter().any(|known| known.resource == source.resource), "{merged}");
            }
            prop_assert!(theirs.tags.iter().all(|tag| entry.tags.contains(tag)), "{merged}");
            let before = read(&base).1;
            for claim in said.claims() {
                let is_old = before.claims().any(|old| old.text == claim.text);
                let is_there = article.claims().any(|known| known.text == claim.text);
                prop_assert!(is_old || is_there, "lost: {}\n{merged}", claim.text);
            }
        }
        // What was merged once is merged.
        prop_assert_eq!(one(Some(&ours), &merged, &ours), merged);
    }
}
