//! Articles rest on the files and packages they name, and are found when one goes.

use lore_core::recall::Query;
use lore_engine::ask::Question;
use lore_engine::brief::Topic;
use lore_engine::check::Fix;
use lore_engine::entries::Filter;
use lore_engine::freshness::Truth;
use lore_engine::grounding::GroundOptions;

use crate::stage::Stage;

const PRICE: &str = "src/billing/price.rs";
const ROUNDING: &[(&str, &str)] = &[
    (
        "user",
        "Never round amounts outside of src/billing/price.rs. All rounding lives there, everywhere else amounts \
         are integer cents.",
    ),
    (
        "assistant",
        "Understood. I changed `src/billing/price.rs` so that all rounding lives there and ran the tests; they pass.",
    ),
];
const QUERIES: &[(&str, &str)] = &[
    ("user", "Let's use Prisma for all database queries, because its types are checked at build time."),
    ("assistant", "Done. All database queries go through Prisma, and the tests pass."),
];

fn stage() -> Stage {
    let stage = Stage::new();
    stage.repo.write(PRICE, "pub fn round() {}\n");
    let lock =
        r#"{"lockfileVersion":3,"packages":{"":{"name":"shop"},"node_modules/prisma":{"version":"5.2.0"}}}"#;
    stage.repo.write("package.json", r#"{"name":"shop","dependencies":{"prisma":"^5.1.0"}}"#);
    stage.repo.write("package-lock.json", lock);
    stage
}

/// Returns the conditions of the article with these words.
fn conditions(stage: &Stage, words: &str) -> Vec<String> {
    let (path, _) = stage.article_with(words);
    stage.engine().show(&path).expect("it is there").entry.depends_on
}

/// The page named `price.rs`, and whoever opened `src/billing/price.rs` was told nothing.
#[test]
fn a_file_that_was_half_named_is_found_by_its_path() {
    let stage = stage();
    let said = "Never round amounts outside of price.rs, everywhere else amounts are integer cents.";
    stage.session("s-1", 1, &[("user", said), ("assistant", "Understood.")]);
    stage.curate();
    let (path, _) = stage.article_with("round amounts");
    assert_eq!(stage.engine().show(&path).expect("it is there").entry.files, [PRICE]);
}

#[test]
fn an_article_rests_on_the_file_it_names_and_is_named_when_the_file_goes() {
    let stage = stage();
    stage.session("s-1", 1, ROUNDING);
    stage.curate();
    assert_eq!(conditions(&stage, "round amounts"), ["src/billing/price.rs exists"]);
    let (path, _) = stage.article_with("round amounts");
    let fresh = stage.engine().freshness().expect("can be judged");
    assert_eq!(fresh.iter().map(|one| one.truth).collect::<Vec<_>>(), [Truth::Holds]);

    stage.repo.remove(PRICE);
    let fresh = stage.engine().freshness().expect("can be judged");
    assert_eq!(
        fresh.iter().map(|one| (one.path.as_str(), one.truth)).collect::<Vec<_>>(),
        [(path.as_str(), Truth::Broken)]
    );
    let report = stage.engine().check(Fix::No).expect("can be checked");
    let named = report.diagnostics.iter().find(|one| one.code == "no-longer-true").expect("check says so");
    assert_eq!(named.place.file, path);
}

/// Only the context said that a page no longer holds; who asked was given it as current.
#[test]
fn an_answer_says_that_the_code_shows_it_to_be_over() {
    let stage = stage();
    stage.session("s-1", 1, ROUNDING);
    stage.curate();
    let broken = || {
        let question = Question::new("may I round amounts outside of price.rs?");
        let answer = stage.engine().ask(&question).expect("an answer");
        answer.lead.first().expect("it is known").broken.clone()
    };
    assert_eq!(broken(), None);
    stage.repo.remove(PRICE);
    assert!(broken().is_some_and(|why| why.contains("src/billing/price.rs exists")), "{:?}", broken());
}

#[test]
fn wherever_it_is_told_it_says_that_the_code_shows_it_to_be_over() {
    let mut stage = stage();
    stage.session("s-1", 1, ROUNDING);
    stage.curate();
    let words = "may I round amounts outside of price.rs?";
    let why = |broken: Option<String>| broken.unwrap_or_default().contains("src/billing/price.rs exists");
    let told = |stage: &Stage| {
        let engine = stage.engine();
        let found = engine.query(&Query::text(words)).expect("can be asked");
        let listed = engine.list(&Filter::default()).expect("can be listed");
        let briefing =
            engine.brief(&Topic { text: words.to_owned(), ..Topic::default() }).expect("can be briefed");
        let grounded = engine.ground(&GroundOptions::new(words)).expect("can be asked");
        [
            why(found.hits.first().expect("it is found").broken.clone()),
            why(listed.first().expect("it is listed").broken.clone()),
            why(briefing.must_know.first().expect("it is in the brief").broken.clone()),
            briefing.markdown.contains("(no longer holds: src/billing/price.rs exists"),
            grounded.findings.iter().any(|one| one.how.starts_with("no longer holds: src/billing/price.rs")),
            !grounded.findings.iter().any(|one| one.how == "current"),
        ]
    };
    assert_eq!(told(&stage), [false; 6]);
    stage.repo.remove(PRICE);
    // What was grounded is kept for minutes.
    stage.day += 1;
    assert_eq!(told(&stage), [true; 6]);
}

#[test]
fn an_article_rests_on_the_package_it_names() {
    let stage = stage();
    stage.session("s-1", 1, QUERIES);
    stage.curate();
    assert_eq!(conditions(&stage, "Prisma"), ["prisma >= 5"]);
    stage.repo.write("package.json", r#"{"name":"shop","dependencies":{}}"#);
    stage.repo.write("package-lock.json", r#"{"lockfileVersion":3,"packages":{"":{"name":"shop"}}}"#);
    assert_eq!(stage.engine().freshness().expect("can be judged")[0].truth, Truth::Broken);
}

#[test]
fn what_does_not_hold_is_not_written() {
    let stage = stage();
    stage.repo.remove(PRICE);
    stage.repo.remove("package-lock.json");
    stage.repo.write("package.json", r#"{"name":"prisma"}"#);
    stage.session("s-1", 1, ROUNDING);
    stage.session("s-2", 2, QUERIES);
    stage.curate();
    assert!(conditions(&stage, "round amounts").is_empty());
    assert!(conditions(&stage, "Prisma").is_empty(), "a project does not rest on itself");
}

#[test]
fn sessions_of_another_project_rest_on_nothing_here() {
    let stage = stage();
    stage.session("s-1", 1, ROUNDING);
    let here = stage.project().display().to_string();
    let text = stage.repo.read("sessions/s-1.jsonl").replace(&here, "/elsewhere/shop");
    stage.repo.write("sessions/s-1.jsonl", text);
    stage.curate();
    assert!(conditions(&stage, "round amounts").is_empty());
}

#[test]
fn it_can_be_turned_off() {
    let stage = stage();
    stage.repo.write("knowledge/.lore/config.toml", "[curate]\nconditions = false\n");
    stage.session("s-1", 1, ROUNDING);
    stage.curate();
    assert!(conditions(&stage, "round amounts").is_empty());
}

#[test]
fn further_runs_change_nothing_and_a_persons_conditions_stay() {
    let stage = stage();
    stage.session("s-1", 1, ROUNDING);
    stage.curate();
    let (path, text) = stage.article_with("round amounts");
    stage.bootstrap();
    assert_eq!(stage.article_with("round amounts").1, text);

    let file = format!("knowledge/{path}");
    let edited = text.replace("src/billing/price.rs exists", "the shop is open");
    assert_ne!(edited, text);
    stage.repo.write(&file, &edited);
    stage.session("s-2", 2, ROUNDING);
    stage.curate();
    stage.bootstrap();
    assert_eq!(conditions(&stage, "round amounts"), ["the shop is open"]);

    let emptied =
        edited.lines().filter(|line| !line.contains("the shop is open") && !line.starts_with("depends_on"));
    stage.repo.write(&file, emptied.map(|line| format!("{line}\n")).collect::<String>());
    stage.session("s-3", 3, ROUNDING);
    stage.curate();
    stage.bootstrap();
    assert!(conditions(&stage, "round amounts").is_empty());
}

#[test]
fn a_condition_goes_with_the_claim_it_rested_on() {
    let mut stage = stage();
    stage.repo.remove("package-lock.json");
    stage.repo.write("package.json", r#"{"name":"shop","dependencies":{"sqlite":"^5.1.0"}}"#);
    let first: &[(&str, &str)] = &[
        ("user", "We need to store bookings for the kayak rental. What would you use?"),
        ("assistant", "I recommend SQLite in one file next to the binary while there is one process."),
        ("user", "Let's use SQLite for the booking database, it is a single process anyway."),
        (
            "assistant",
            "Done. Bookings are now stored in SQLite at `data/kayak.db`, applied in order at start.",
        ),
    ];
    stage.session("s-1", 1, first);
    stage.curate();
    assert_eq!(conditions(&stage, "SQLite"), ["sqlite >= 5"]);
    stage.day = 5;
    let then = "OK, move the booking database to PostgreSQL. SQLite no longer works for us now that there are two \
                instances.";
    let done = "Done. The booking database is PostgreSQL 16 now instead of SQLite; `DATABASE_URL` names it.";
    stage.session("s-2", 5, &[("user", then), ("assistant", done)]);
    stage.curate();
    let (path, text) = stage.article_with("PostgreSQL");
    assert!(text.contains("SQLite"), "what was said before is still told: {text}");
    assert_eq!(stage.engine().show(&path).expect("it is there").entry.depends_on, Vec::<String>::new());
}

#[test]
fn what_no_longer_works_is_replaced_and_takes_its_condition_along() {
    let mut stage = stage();
    stage.session("s-1", 1, QUERIES);
    stage.curate();
    assert_eq!(conditions(&stage, "Prisma"), ["prisma >= 5"]);
    stage.day = 5;
    let then: &[(&str, &str)] = &[
        ("user", "Since yesterday the database queries time out. Why?"),
        ("assistant", "Prisma opens too many connections."),
        ("user", "OK, move all database queries to Drizzle. Prisma no longer works for us."),
        ("assistant", "Done. All database queries go through Drizzle now instead of Prisma."),
    ];
    stage.session("s-2", 5, then);
    stage.curate();
    let (path, text) = stage.article_with("Drizzle");
    assert!(text.contains("## History"), "{text}");
    assert_eq!(stage.engine().show(&path).expect("it is there").entry.depends_on, Vec::<String>::new());
}
