//! What stands beside what is known, and does not take its place.

use super::*;

#[test]
fn what_is_said_of_a_part_leaves_the_whole_as_it_is() {
    let said = |old: &'static str, new: &'static str| -> Vec<String> {
        let base = known(&told(old));
        let after = written(&run(vec![told(new).later(30).candidate()], &base), base);
        let claims = |entry: &Entry| -> Vec<String> {
            Article::parse(&entry.body).current().map(|claim| claim.text.clone()).collect()
        };
        after.entries().iter().flat_map(claims).collect()
    };
    for (old, new) in [
        ("Never use hemp ropes.", "Never use hemp ropes in the shed either."),
        ("Log every tide in ink.", "Log every tide in ink in the west office as well."),
        ("We paint every Monday.", "Paint orders are written every Monday."),
    ] {
        let told = said(old, new);
        assert!(told.iter().any(|claim| claim == old) && told.iter().any(|claim| claim == new), "{told:?}");
    }
    let told = said("Never use hemp ropes.", "Never use hemp ropes, because they rot in the shed.");
    assert_eq!(told, ["Never use hemp ropes, because they rot in the shed."]);
}

#[test]
fn what_was_so_on_one_day_or_bounds_the_other_side_ends_nothing() {
    for (old, new) in [
        (
            "The night ferry leaves at 6:15.",
            "Yesterday the night ferry left at 9:40 since the gate was stuck.",
        ),
        ("A crate is never below 5 kilos.", "A crate is never above 80 kilos."),
        ("A boat file may have 300 MB.", "300 MB per boat file, that hasn't moved."),
    ] {
        let outcome = run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome;
        let ends = matches!(outcome, Outcome::Supersedes | Outcome::Disputed | Outcome::PossiblyReplaced);
        assert!(!ends, "{new}: {outcome:?}");
    }
}

#[test]
fn what_was_said_before_what_is_known_goes_to_its_history() {
    let base = known(&told("The lamp is lit at 9, not at 7.").later(50));
    let late = run(vec![told("The lamp is lit at 7.").later(2).candidate()], &base);
    let after = written(&late, base);
    let [entry] = after.entries() else { panic!("{after:?}") };
    let article = Article::parse(&entry.body);
    let texts =
        |claims: Vec<&lore_core::Claim>| claims.iter().map(|claim| claim.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(article.current().collect()), ["The lamp is lit at 9, not at 7."]);
    assert_eq!(texts(article.history.iter().collect()), ["The lamp is lit at 7."]);
}

#[test]
fn a_persons_article_only_gains_sources() {
    let mut base = known(&told("Releases are signed with the team key."));
    let mut entry = base.entries()[0].clone();
    entry.curated_by = Curator::Human;
    entry.body = "Releases are signed with the team key, and nobody may change this.\n".to_owned();
    base.insert(entry.clone());
    let same = run(vec![told("Releases are signed with the team key.").later(30).candidate()], &base);
    assert!(
        matches!(same.proposals.as_slice(), [Proposal::AddSources { sources, .. }] if sources.len() == 1)
    );
    // What is said besides stands beside it, and not nowhere.
    let besides = told("Releases are signed with the team key of the week.").later(30);
    let besides = run(vec![besides.candidate()], &base);
    assert!(matches!(besides.proposals.as_slice(), [Proposal::Create { .. }]), "{besides:?}");
    let against =
        run(vec![told("Releases are no longer signed with the team key.").later(30).candidate()], &base);
    let [Proposal::Create { entry: mine, .. }] = against.proposals.as_slice() else { panic!("{against:?}") };
    assert_eq!(mine.linked(LinkKind::Contradicts).collect::<Vec<_>>(), [entry.id.as_str()]);
    assert_eq!(Article::parse(&mine.body).doubted.len(), 1, "{}", mine.body);
    let agents = told("Releases are no longer signed with the team key.").agent().later(30);
    let against = run(vec![agents.candidate()], &base);
    let [Proposal::Create { entry: mine, .. }] = against.proposals.as_slice() else { panic!("{against:?}") };
    assert_eq!(mine.status, Status::Disputed);
}

#[test]
fn another_name_for_the_same_charge_is_a_change() {
    for (old, new) in [
        ("Ada owns the pier register.", "Bea owns the pier register."),
        ("Ines is on call in the first week.", "Paul is on call in the first week now."),
        ("Lea is the harbour pilot.", "Tom is the harbour pilot."),
    ] {
        let run = run(vec![told(new).later(30).candidate()], &known(&told(old)));
        assert_eq!(run.decisions[0].outcome, Outcome::PossiblyReplaced, "{old} | {new}: {run:#?}");
    }
    let run = run(
        vec![told("Bea owns the west pier.").later(30).candidate()],
        &known(&told("Ada owns the east pier.")),
    );
    assert!(!matches!(run.decisions[0].outcome, Outcome::PossiblyReplaced | Outcome::Supersedes), "{run:#?}");
}

#[test]
fn a_kind_of_the_thing_leaves_the_others_as_they_are() {
    for (old, new) in [
        ("Tickets are sold at the gate.", "Season tickets are now sold in the office."),
        ("Releases go out on Tuesdays.", "Hotfix releases now go out on any day."),
    ] {
        let base = known(&told(old));
        let after = written(&run(vec![told(new).later(30).candidate()], &base), base);
        let is_current = |words: &str| {
            let current =
                |entry: &Entry| Article::parse(&entry.body).current().any(|claim| claim.text == words);
            after.entries().iter().any(current)
        };
        assert!(is_current(old), "{new} leaves {old}");
    }
}

#[test]
fn what_is_said_of_all_does_not_end_what_holds_for_some() {
    for (old, new) in [
        ("Night ferries need 6 hands.", "Ferries need 2 hands."),
        ("Tolls to the islands are due in 45 days.", "Tolls are due in 14 days."),
        ("Pilots of guests get 15 percent off.", "Pilots get 5 percent off."),
    ] {
        let outcome = run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome;
        assert_ne!(outcome, Outcome::Supersedes, "{old} / {new}");
    }
}

#[test]
fn the_same_ban_in_other_words_is_one_claim() {
    for (old, new) in [
        ("Never ring the bell on Sundays.", "On Sundays nobody rings the bell."),
        ("Only pilots may steer ferries.", "Nobody but pilots may steer ferries."),
    ] {
        let outcome = run(vec![told(new).later(30).candidate()], &known(&told(old))).decisions[0].outcome;
        assert!(
            matches!(outcome, Outcome::Same | Outcome::Adds | Outcome::Refines),
            "{old} / {new}: {outcome:?}"
        );
    }
}

#[test]
fn what_stands_against_a_persons_page_does_not_wait() {
    let mut base = known(&told("Never light the lamp with oil."));
    let mut entry = base.entries()[0].clone();
    entry.curated_by = Curator::Human;
    base.insert(entry);
    let mut new = told("Oil is allowed again for the lamp.").later(30).candidate();
    new.confidence = lore_core::Confidence::Low;
    let done = run(vec![new], &base);
    assert!(matches!(done.proposals.as_slice(), [Proposal::Create { .. }]), "{done:?}");
}
