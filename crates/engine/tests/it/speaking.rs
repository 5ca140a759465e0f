//! When to speak: what a prompt needs is said, everyday prompts get silence, whatever the base is about.
//!
//! The statements and prompts are from many fields and were written before the floor was set; nothing
//! was fitted to them.

mod asking;
mod changing;

use lore_engine::ask::Question;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::meet::Meeting;
use lore_engine::review::Ruling;
use lore_engine::{Engine, World};

use crate::stage::Stage;

const PAIRS: &str = include_str!("speaking/pairs.tsv");
const EVERYDAY: &str = include_str!("speaking/everyday.txt");

fn pairs() -> Vec<[&'static str; 3]> {
    let row = |line: &'static str| -> [&'static str; 3] {
        line.split('\t').collect::<Vec<_>>().try_into().expect("three columns")
    };
    PAIRS.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn said(engine: &Engine, prompt: &str) -> String {
    let options = ContextOptions::new(Occasion::Prompt(prompt.to_owned()));
    engine.context(&options).expect("there is a context").text
}

#[test]
fn what_is_needed_is_said_and_everyday_prompts_get_silence() {
    let stage = Stage::new();
    let engine = stage.engine();
    let pairs = pairs();
    for [known, ..] in &pairs {
        engine.remember(known, None, false).expect("it is kept");
    }
    let says = |prompt: &str, known: &str| said(&engine, prompt).contains(known.trim_end_matches('.'));
    let missed: Vec<&str> =
        pairs.iter().filter(|[known, needs, _]| !says(needs, known)).map(|[_, needs, _]| *needs).collect();
    let is_loud = |prompt: &&str| !said(&engine, prompt).is_empty();
    let loud: Vec<&str> = EVERYDAY.lines().filter(is_loud).collect();
    let beside: Vec<&str> = pairs.iter().map(|[.., beside]| *beside).filter(is_loud).collect();
    assert!(missed.len() * 100 <= pairs.len() * 20, "{missed:#?}");
    assert!(loud.len() * 100 <= EVERYDAY.lines().count() * 3, "{loud:#?}");
    // These are about a word of the base, and only sometimes about nothing that it knows.
    assert!(beside.len() * 100 <= pairs.len() * 35, "{beside:#?}");
}

/// Each word alone is an everyday one; side by side they name what is known.
#[test]
fn what_several_everyday_words_name_together_is_said() {
    let stage = Stage::new();
    let engine = stage.engine();
    for known in [
        "make clean also deletes the tide charts, we lost a week of work like that.",
        "Ada owns the returns desk, ask her before you change it.",
    ] {
        engine.remember(known, None, false).expect("it is kept");
    }
    assert!(said(&engine, "run make clean and build it again").contains("tide charts"));
    assert!(said(&engine, "change the way the returns desk works").contains("Ada owns"));
    for other in ["clean this up and make it work", "build it again"] {
        assert_eq!(said(&engine, other), "", "{other}");
    }
}

#[test]
fn a_small_base_is_no_louder_than_a_large_one() {
    let stage = Stage::new();
    let engine = stage.engine();
    for [known, ..] in pairs().iter().take(3) {
        engine.remember(known, None, false).expect("it is kept");
    }
    let loud: Vec<&str> = EVERYDAY.lines().filter(|prompt| !said(&engine, prompt).is_empty()).collect();
    assert!(loud.len() <= 1, "{loud:#?}");
    let unrelated = pairs()[10..].iter().filter(|[_, needs, _]| !said(&engine, needs).is_empty()).count();
    assert!(unrelated <= 5, "{unrelated} prompts about other things");
}

#[test]
fn a_word_of_several_entries_tells_where_and_not_what() {
    let stage = Stage::new();
    let engine = stage.engine();
    engine.remember("Every gantry needs an owner, otherwise it is torn down.", None, false).expect("kept");
    let prompt = "write three sentences about what a gantry is, for our new intern, and count the words";
    assert!(!said(&engine, prompt).is_empty(), "of one entry it may be the one");
    engine.remember("I want the log of each gantry written in ink.", None, false).expect("kept");
    assert_eq!(said(&engine, prompt), "");
    // Whoever asks may mean one of two.
    let question = "how do I read the long shadow of a gantry at dusk, by the sun dial?";
    assert!(!said(&engine, question).is_empty());
    engine.remember("The gantry at the north pier lifts 40 tons.", None, false).expect("kept");
    for prompt in [prompt, question] {
        assert_eq!(said(&engine, prompt), "", "{prompt}");
    }
    assert!(said(&engine, "who may be the owner of the new gantry?").contains("torn down"));
}

#[test]
fn nothing_is_said_twice_and_a_session_hears_enough() {
    let stage = Stage::new();
    let engine = stage.engine();
    let pairs = pairs();
    for [known, ..] in &pairs {
        engine.remember(known, None, false).expect("it is kept");
    }
    let ask = |prompt: &str| {
        let session = Some("claude-code/one".to_owned());
        let options = ContextOptions { session, ..ContextOptions::new(Occasion::Prompt(prompt.to_owned())) };
        engine.context(&options).expect("there is a context")
    };
    let first = ask(pairs[0][1]);
    assert!(!first.is_silent());
    assert!(ask(pairs[0][1]).is_silent(), "it was said before");
    let spoken = pairs.iter().filter(|[_, needs, _]| !ask(needs).is_silent()).count();
    assert!((5..=12).contains(&spoken), "{spoken} prompts of one session");
}

#[test]
fn a_sentence_is_kept_confirmed_and_held_against_what_is_known() {
    let mut stage = Stage::new();
    let kept = stage.engine().remember("We use Redis for the job queue.", None, false).expect("it is kept");
    assert_eq!((kept.outcome, kept.met), ("kept", None));
    assert!(stage.engine().show(kept.id.as_str()).expect("it is there").entry.is_verified_by_a_person());
    stage.day = 3;
    let again = stage.engine().remember("We use Redis for the job queue", None, false).expect("it is known");
    assert_eq!((again.outcome, &again.id), ("known", &kept.id));
    let changed = stage
        .engine()
        .remember("We use RabbitMQ for the job queue, not Redis.", None, false)
        .expect("it is kept");
    let met = changed.met.expect("it met the old value");
    assert_eq!((met.how, &met.id), (Meeting::Replaces, &kept.id));
    let answer = stage.engine().ask(&Question::new("which job queue do we use?")).expect("an answer");
    assert!(answer.known && answer.lead[0].text.contains("RabbitMQ"), "{answer:#?}");
    assert!(!answer.lead[0].text.contains("Redis for"), "{answer:#?}");
    let run = changed.run.expect("it can be taken back");
    stage.engine().undo(Some(&run), false).expect("it is taken back");
    let old = stage.engine().show(kept.id.as_str()).expect("it is there");
    assert_eq!(old.entry.status, lore_core::Status::Current);
}

#[test]
fn a_change_in_plain_words_is_noticed_when_it_is_remembered() {
    let pairs = [
        ("Hulls are painted with alkyd.", "We switched from alkyd to epoxy for hulls."),
        ("The regatta starts on June 6.", "the regatta is pushed back to June 20"),
        ("Tilda runs the winter storage.", "Tilda left, Bente runs the winter storage"),
        ("The slipway carries 40 tons.", "the slipway carries 55 tons since the repair"),
        (
            "use rope fenders on the visitor pier",
            "stop using rope fenders, rubber is enough on the visitor pier",
        ),
    ];
    for (old, new) in pairs {
        let mut stage = Stage::new();
        let known = stage.engine().remember(old, None, false).expect("it is kept");
        stage.day = 3;
        let met = stage.engine().remember(new, None, false).expect("it is kept").met;
        let met = met.unwrap_or_else(|| panic!("`{new}` meets nothing"));
        assert_eq!(met.id, known.id);
        assert!(matches!(met.how, Meeting::Replaces | Meeting::Contradicts), "{met:?}");
    }
}

#[test]
fn what_is_said_later_is_told_beside_what_a_person_wrote_and_settled_there_too() {
    let mut stage = Stage::new();
    stage.day = 5;
    let known = stage.engine().remember("Hulls are painted with alkyd.", None, false).expect("it is kept");
    let before = stage.engine().show(known.id.as_str()).expect("it is there").entry.body;
    stage.session(
        "s-1",
        2,
        &[("user", "We switched from alkyd to bitumen for hulls."), ("assistant", "Noted.")],
    );
    stage.curate();
    let question = Question::new("what are hulls painted with?");
    let answer = stage.engine().ask(&question).expect("an answer");
    assert!(answer.lead[0].text.contains("alkyd."), "said before it was written: {answer:#?}");
    stage.session(
        "s-2",
        9,
        &[("user", "We switched from alkyd to epoxy for hulls."), ("assistant", "Noted.")],
    );
    stage.day = 10;
    stage.curate();
    let answer = stage.engine().ask(&question).expect("an answer");
    assert!(answer.lead[0].text.contains("epoxy"), "{answer:#?}");
    let old = answer.lead.iter().find(|line| line.text.contains("painted with alkyd")).expect("both sides");
    assert_eq!(old.status, "possibly-replaced", "{answer:#?}");
    assert_eq!(stage.engine().show(known.id.as_str()).expect("it is there").entry.body, before);
    let newer = stage.article_with("epoxy").0;
    stage.engine().review(&newer, Ruling::Settle { side: 1, says: None }, false).expect("it is settled");
    let old = stage.engine().show(known.id.as_str()).expect("it is there");
    assert_eq!(old.entry.status, lore_core::Status::Superseded);
}

#[test]
fn a_rule_that_was_taken_back_in_a_session_is_told_as_disputed() {
    let mut stage = Stage::new();
    stage.engine().remember("Never moor boats at the north pier.", None, false).expect("it is kept");
    let said = "We moor boats at the north pier again, the repair is over.";
    stage.session("s-1", 9, &[("user", said), ("assistant", "Noted.")]);
    stage.day = 10;
    stage.curate();
    let options = ContextOptions::new(Occasion::Begin(lore_capture::hook::Begun::Empty));
    let text = stage.engine().context(&options).expect("there is a context").text;
    assert!(text.contains("DISPUTED: Never moor boats"), "{text}");
    assert!(text.contains("a person says otherwise: “We moor boats at the north pier again"), "{text}");
}

#[test]
fn a_rehearsal_writes_nothing_and_a_secret_is_taken_out() {
    let stage = Stage::new();
    let engine = stage.engine();
    engine.remember("Releases go out on Tuesdays.", None, true).expect("a rehearsal");
    assert!(engine.list(&lore_engine::entries::Filter::default()).expect("a list").is_empty());
    let key = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let kept =
        engine.remember(&format!("The deploy token {key} ends in May."), None, false).expect("it is kept");
    let shown = engine.show(kept.id.as_str()).expect("it is there");
    assert!(!shown.text.contains(&key), "{}", shown.text);
    assert!(engine.remember("…", None, false).is_err());
}

#[test]
fn an_agent_cannot_speak_as_a_person() {
    let stage = Stage::new();
    let mut world: World = stage.world();
    world.variables.insert("LORE_AGENT".to_owned(), "robin".to_owned());
    let engine = Engine::open(world).expect("the base can be opened");
    let refused = engine.remember("Never run the linter.", None, false).expect_err("only a person can");
    assert!(refused.to_string().contains("only a person"), "{refused}");
    assert!(engine.list(&lore_engine::entries::Filter::default()).expect("a list").is_empty());
}

/// What holds an agent could be switched off by it.
#[test]
fn an_agent_cannot_take_off_what_holds_it() {
    let stage = Stage::new();
    let mut world: World = stage.world();
    world.variables.insert("CLAUDECODE".to_owned(), "1".to_owned());
    let engine = Engine::open(world.clone()).expect("the base can be opened");
    for (key, value) in [("ground.enforce", "off"), ("curate.command", "llm"), ("redact.patterns", "x")] {
        let refused = lore_engine::settings::set_for_user(&world, key, Some(value)).expect_err(key);
        assert!(refused.to_string().contains("only a person"), "{refused}");
        assert!(engine.config_set(lore_engine::config::Layer::Project, key, Some(value)).is_err(), "{key}");
    }
    engine.config_set(lore_engine::config::Layer::Project, "query.limit", Some("9")).expect("anybody may");
    lore_engine::settings::set_for_user(&stage.world(), "ground.enforce", Some("off")).expect("a person may");
}

#[test]
fn what_a_sentence_names_it_is_about() {
    let stage = Stage::new();
    let kept = stage.engine().remember("src/berths.js must not read the ledger.", None, false);
    let kept = kept.expect("it is kept");
    assert_eq!(stage.engine().show(kept.id.as_str()).expect("it is there").entry.files, ["src/berths.js"]);
}

#[test]
fn what_was_replaced_holds_again_when_its_replacement_is_removed() {
    let mut stage = Stage::new();
    let old = stage.engine().remember("Hulls are painted with alkyd.", None, false).expect("it is kept");
    stage.day = 3;
    let new = stage.engine().remember("Hulls are painted with epoxy instead of alkyd.", None, false);
    let new = new.expect("it is kept");
    let removed = stage.engine().remove(new.id.as_str(), "never true", false).expect("it goes");
    assert_eq!(removed.holds_again, std::slice::from_ref(&old.id));
    let shown = stage.engine().show(old.id.as_str()).expect("it is there");
    assert_eq!(shown.entry.status, lore_core::Status::Current);
    let answer = stage.engine().ask(&Question::new("what are hulls painted with?")).expect("an answer");
    assert!(answer.known && answer.lead[0].text.contains("alkyd"), "{answer:#?}");
}

/// What was known and did not fit read as not known.
#[test]
fn a_budget_that_holds_nothing_is_refused_where_something_is_known() {
    let stage = Stage::new();
    stage.engine().remember("Hulls are painted with alkyd.", None, false).expect("it is kept");
    let ask = |text: &str, budget| stage.engine().ask(&Question { budget, ..Question::new(text) });
    let question = "what are hulls painted with?";
    assert!(ask(question, 100).expect("an answer").known);
    let refused = ask(question, 1).expect_err("nothing fits").to_string();
    assert_eq!(refused, "what answers it does not fit into 1 token");
    assert!(!ask("who cooks on board?", 1).expect("an answer").known);
}

#[test]
fn what_is_said_on_two_pages_is_told() {
    let mut stage = Stage::new();
    let said = "Use rope fenders on the visitor pier.";
    let first = stage.engine().remember(said, None, false).expect("it is kept");
    let (file, away) = (stage.project().join("knowledge").join(&first.path), stage.project().join("away.md"));
    std::fs::rename(&file, &away).expect("it can be moved");
    stage.day = 3;
    stage.engine().remember(said, None, false).expect("it is kept");
    std::fs::rename(&away, file.with_file_name("theirs.md")).expect("it can be moved");
    let found = stage.engine().check(lore_engine::check::Fix::No).expect("a check").diagnostics;
    let twice = found.iter().find(|one| one.code == "said-twice").unwrap_or_else(|| panic!("{found:#?}"));
    assert!(twice.message.contains(first.handle.as_str()), "{twice:?}");
}

#[test]
fn a_session_hears_every_rule_in_one_short_line() {
    let mut stage = Stage::new();
    let rules = [
        "Always write the changelog entry with the change.",
        "Never push to main directly.",
        "Always ask before a migration is run.",
    ];
    for (day, rule) in (0..).zip(rules) {
        stage.day = day;
        stage.engine().remember(rule, None, false).expect("it is kept");
    }
    stage.engine().remember("The staging box has 16 GB of memory.", None, false).expect("it is kept");
    let begin = Occasion::Begin(lore_capture::hook::Begun::Empty);
    let told = stage.engine().context(&ContextOptions::new(begin.clone())).expect("a start").text;
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(lines[0].contains("migration") && lines[2].contains("changelog"), "newest first: {told}");
    assert!(!told.contains("16 GB"), "{told}");
    let few = ContextOptions { budget: Some(120), ..ContextOptions::new(begin) };
    let told = stage.engine().context(&few).expect("a start").text;
    assert!(told.contains("more: `lore list --rules`"), "{told}");
    let listed = stage.engine().rules(&lore_engine::entries::Filter::default()).expect("a list");
    assert_eq!(listed.len(), 3, "{listed:?}");
}

/// What an agent had done, and was told to leave, answered alone the question whether one may.
#[test]
fn what_a_person_objected_to_does_not_answer() {
    let stage = Stage::new();
    stage.session(
        "s-names",
        1,
        &[
            ("user", "Show which boat lies at which berth on the harbour plan."),
            (
                "assistant",
                "I added a log line with the names of the guests to make the berth plan easier to debug.",
            ),
            ("user", "No, never write the names of guests into the log. They are nobody's business."),
            ("assistant", "Removed it."),
        ],
    );
    stage.curate();
    let answer =
        stage.engine().ask(&Question::new("may I write the names of guests into the log while debugging?"));
    let answer = answer.expect("can be asked");
    assert!(answer.known, "{answer:#?}");
    assert!(answer.lead[0].text.to_lowercase().contains("never write the names"), "{:#?}", answer.lead);
    assert!(answer.lead.iter().all(|line| !line.text.contains("I added")), "{:#?}", answer.lead);
}

/// An entry that answers was followed by whatever sessions had said with one of its words.
#[test]
fn an_entry_is_not_made_longer_by_words_about_something_else() {
    let stage = Stage::new();
    stage.session(
        "s-pumps",
        1,
        &[
            ("user", "Why does the gauge in the van flicker when the pump runs?"),
            ("assistant", "The gauge in the van flickers because its relay is worn out, not the pump's."),
            ("user", "And the other pump?"),
            ("assistant", "The fresh water pump was replaced in spring and its gauge shows no flicker."),
        ],
    );
    stage.curate();
    let engine = stage.engine();
    let known = "Fuel for the bilge pump is stored in the red shed, never on deck.";
    engine.remember(known, None, false).expect("it is kept");
    let text = said(&engine, "where is the fuel for the bilge pump stored?");
    assert!(text.contains("red shed"), "{text}");
    assert!(!text.contains("flicker") && !text.contains("other pump"), "{text}");
}

/// The project's own name, which stands in everything, made anything an answer.
#[test]
fn what_the_project_is_called_tells_nothing() {
    let stage = Stage::with_git();
    stage.repo.git(&["remote", "add", "origin", "https://example.org/ferries/harbourly.git"]);
    let (engine, name) = (stage.engine(), "Harbourly");
    engine
        .remember(&format!("{name} keeps the tide tables for two years."), None, false)
        .expect("it is kept");
    let asked = |text: String| engine.ask(&Question::new(text)).expect("can be asked").known;
    assert!(asked(format!("How long does {name} keep the tide tables?")));
    assert!(!asked(format!("Which payment provider does {name} charge through?")));
}

#[test]
fn what_a_file_of_the_project_says_is_known() {
    let stage = Stage::new();
    stage.repo.write("AGENTS.md", "# Rules\n\n- Never push to the lighthouse branch.\n");
    let answer =
        stage.engine().ask(&Question::new("may I push to the lighthouse branch?")).expect("can be asked");
    assert!(answer.known && answer.why.contains("AGENTS.md"), "{answer:#?}");
}

#[test]
fn what_a_person_says_in_other_words_puts_the_old_in_doubt() {
    let mut stage = Stage::new();
    stage.session(
        "s-1",
        2,
        &[("user", "Samples are kept in the freezer for two weeks."), ("assistant", "Noted.")],
    );
    stage.curate();
    let later = "From now on every sample stays in the freezer for half a year, the ethics board wants that.";
    stage.session("s-2", 9, &[("user", later), ("assistant", "Changed.")]);
    stage.day = 10;
    stage.curate();
    let answer = stage.engine().ask(&Question::new("how long are samples kept in the freezer?"));
    let answer = answer.expect("an answer");
    let old = answer.lead.iter().find(|line| line.text.contains("two weeks")).expect("both sides");
    assert_eq!(old.status, "possibly-replaced", "{answer:#?}");
    assert!(answer.lead.iter().any(|line| line.text.contains("half a year")), "{answer:#?}");
}
