//! The screen without a terminal: keys in, effects and pictures out.

use lore_core::{Confidence, Entry, EntryId, Kind, Moment, Status, Voice};
use lore_engine::curator::EditQuestion;
use lore_engine::entries::{Item, Shown};
use lore_engine::review::{Cause, CitedWords, Pending, ReviewPage, ReviewPlace, Ruling, Side};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::board::{Awaiting, Board, Effect, Focus, Heir, Leaf, Mode, Stride};
use super::keys::{BINDINGS, Key};
use super::update::update;
use super::view::{Palette, draw, regions};

fn item(kind: Kind, title: &str, status: Status, confidence: Confidence) -> Item {
    let id = EntryId::new(kind, jiff::civil::date(2026, 2, 20), title);
    Item {
        handle: id.handle(),
        kind,
        title: title.to_owned(),
        description: Some(format!("{title}, in short")),
        status,
        confidence: Some(confidence),
        updated: Some(Moment::Day(jiff::civil::date(2026, 2, 21))),
        tags: Vec::new(),
        path: format!("project/{}.md", id.slug()),
        curated_by: lore_core::Curator::Auto,
        verified: false,
        possibly_replaced: false,
        broken: None,
        also: Vec::new(),
        id,
    }
}

fn pending() -> Vec<Pending> {
    let one = |kind, title: &str, cause, status, confidence| Pending {
        item: item(kind, title, status, confidence),
        cause,
        rejected: (cause == Cause::Rejected)
            .then(|| "rejected by human:bo on 2026-02-19: no longer used".to_owned()),
        against: Vec::new(),
    };
    vec![
        one(Kind::Fact, "Old exports are kept", Cause::Rejected, Status::Current, Confidence::Low),
        one(Kind::Decision, "Amounts are integer cents", Cause::Disputed, Status::Disputed, Confidence::High),
        one(
            Kind::Preference,
            "Log lines are JSON, one object per line, everywhere in the project",
            Cause::New,
            Status::Current,
            Confidence::High,
        ),
        one(
            Kind::Decision,
            "Mails go through the 郵便 queue\u{1b}[31m table",
            Cause::New,
            Status::Current,
            Confidence::Medium,
        ),
        one(Kind::Fact, "Exports run at night", Cause::New, Status::Current, Confidence::Medium),
    ]
}

fn question() -> EditQuestion {
    let told = serde_json::json!({
        "id": "q-1", "packet": "p-1", "by": "model small", "title": "Exports may run at noon",
        "question": "Is this still so?", "text": "Exports run at noon.", "entry": null,
        "lines": [{ "session": "5ec4e700-0000-4000-8000-00000000beef", "line": 7, "voice": "person",
                    "at": "2026-02-22", "words": "exports at noon\u{1b}[2J, maybe" }],
    });
    serde_json::from_value(told).expect("is a question")
}

fn board() -> Board {
    let pending = pending();
    let waiting = pending.iter().map(Awaiting::of).chain([Awaiting::asked(&question())]).collect();
    let mut heirs: Vec<Heir> = pending.iter().map(|one| Heir::of(&one.item)).collect();
    heirs.push(Heir::of(&item(Kind::Decision, "Money is never a float", Status::Current, Confidence::High)));
    let mut board = Board::new(waiting, heirs);
    board.height = 20;
    board
}

/// Opens the page of the entry that is meant, as the program does when the keys rest.
fn opened(board: &mut Board) {
    let Some(one) = board.current() else { return };
    if one.id == "q-1" {
        board.leaf = Some(Leaf::Question(Box::new(question())));
        return;
    }
    let id: EntryId = one.id.parse().expect("is an id");
    let is_disputed = one.facet(super::board::Facet::State) == "disputed";
    let mut entry = Entry::new(id.clone(), id.kind().unwrap_or(Kind::Fact), one.title.clone());
    entry.body = format!(
        "# {}\n\nThe first sentence of the page says what holds, and it is long enough to be broken into lines.[^s1]\n\n\
         - a point\n- \u{202e}another point\u{7}\n\n[^s1]: a footnote\n",
        one.title
    );
    let side = |number, text: &str| Side {
        number,
        text: text.to_owned(),
        said: Some("a person on 2026-02-20".to_owned()),
    };
    let shown = Shown {
        text: String::new(),
        path: "project/page.md".to_owned(),
        trust: None,
        linked_from: Vec::new(),
        ended: None,
        diagnostics: Vec::new(),
        entry,
    };
    board.leaf = Some(Leaf::Entry(Box::new(ReviewPage {
        shown,
        sides: if is_disputed { vec![side(1, "Amounts are cents."), side(2, "Amounts are decimals.")] } else { Vec::new() },
        rests_on: vec![
            CitedWords {
                voice: Voice::Person,
                at: Some(Moment::Day(jiff::civil::date(2026, 2, 20))),
                place: "session://claude-code/5ec4e700-0000-4000-8000-00000000beef#L3".to_owned(),
                quoted: vec!["all amounts are cents, please".to_owned()],
                around: Some("── person  2026-02-20  line 3\nall amounts are cents, please\u{1b}]0;x\u{7}\n\n── agent  line 4\nDone: 金額 are cents now.".to_owned()),
                note: None,
            },
            CitedWords {
                voice: Voice::Agent,
                at: None,
                place: "session://codex/0a11d000-0000-4000-8000-00000000cafe#L9".to_owned(),
                quoted: vec!["I changed price.rs".to_owned()],
                around: None,
                note: Some("the transcript is not on this machine".to_owned()),
            },
        ],
    })));
}

fn typed(board: &mut Board, keys: &str) -> Vec<Effect> {
    keys.chars()
        .flat_map(|letter| {
            let key = match letter {
                '\n' => Key::Enter,
                '\u{1b}' => Key::Esc,
                letter => Key::Char(letter),
            };
            update(board, key)
        })
        .collect()
}

fn ids(board: &Board, titles: &[&str]) -> Vec<String> {
    titles
        .iter()
        .map(|title| board.waiting.iter().find(|one| one.title.contains(title)).expect("is there").id.clone())
        .collect()
}

fn picture(board: &Board, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("can be made");
    terminal.draw(|frame| draw(board, Palette::Colours, frame)).expect("can be drawn");
    terminal.backend().to_string()
}

#[test]
fn single_keys_decide_about_the_entry_that_is_meant() {
    let mut board = board();
    let one = ids(&board, &["Old exports"]);
    assert_eq!(typed(&mut board, "y"), [Effect::Rule { names: one.clone(), ruling: Ruling::Keep }]);
    assert_eq!(typed(&mut board, "e"), [Effect::Edit(one[0].clone())]);
    assert_eq!(typed(&mut board, "x"), []);
    assert_eq!(
        typed(&mut board, "not any more\n"),
        [Effect::Rule { names: one.clone(), ruling: Ruling::Reject { why: "not any more".to_owned() } }]
    );
    assert_eq!(typed(&mut board, "xno\u{1b}"), [], "escape does nothing");
    assert_eq!(
        typed(&mut board, "x\n"),
        [Effect::Rule { names: one, ruling: Ruling::Reject { why: super::update::NO_REASON.to_owned() } }]
    );
}

#[test]
fn another_entry_is_chosen_by_its_words() {
    let mut board = board();
    let one = ids(&board, &["Old exports"]);
    let into = board.heirs.last().expect("is there").id.clone();
    assert_eq!(
        typed(&mut board, "mnever float\n"),
        [Effect::Rule { names: one.clone(), ruling: Ruling::Merge { into: into.clone() } }]
    );
    assert_eq!(
        typed(&mut board, "rmoney\n"),
        [Effect::Rule { names: one.clone(), ruling: Ruling::Supersede { by: into } }]
    );
    assert_eq!(typed(&mut board, "mno such words\n"), [], "nothing is chosen where nothing fits");
    typed(&mut board, "\u{1b}");
    typed(&mut board, "m");
    let offered: Vec<&str> = board.matching(&one, "", 50).iter().map(|one| one.title.as_str()).collect();
    assert!(!offered.iter().any(|title| title.contains("Old exports")), "not itself: {offered:?}");
    update(&mut board, Key::Down);
    let second = board.matching(&one, "", 50)[1].id.clone();
    assert_eq!(
        update(&mut board, Key::Enter),
        [Effect::Rule { names: one, ruling: Ruling::Merge { into: second } }]
    );
}

#[test]
fn a_side_is_chosen_only_where_it_is_shown() {
    let mut board = board();
    typed(&mut board, "j");
    assert_eq!(typed(&mut board, "1"), [], "the sides are not on the screen yet");
    opened(&mut board);
    let one = ids(&board, &["integer cents"]);
    assert_eq!(typed(&mut board, "3"), []);
    assert_eq!(board.notice.text, "It has 2 sides.");
    let two = Effect::Rule {
        names: one.clone(),
        ruling: Ruling::Settle { side: 2, says: Some("Amounts are decimals.".to_owned()) },
    };
    assert_eq!(typed(&mut board, "2"), [two]);
    assert_eq!(typed(&mut board, "0"), [Effect::Rule { names: one, ruling: Ruling::Both }]);
}

#[test]
fn several_are_decided_after_a_yes() {
    let mut board = board();
    assert_eq!(typed(&mut board, "/export short\n"), []);
    assert_eq!(typed(&mut board, "ay"), []);
    assert!(matches!(&board.mode, Mode::Sure { names, .. } if names.len() == 2), "{:?}", board.mode);
    assert_eq!(typed(&mut board, "n"), [], "anything else is no");
    let both = ids(&board, &["Old exports", "Exports run"]);
    assert_eq!(typed(&mut board, "yy"), [Effect::Rule { names: both, ruling: Ruling::Keep }]);
    assert_eq!(typed(&mut board, "e"), [], "one at a time");
    typed(&mut board, "\u{1b}");
    assert!(board.marked.is_empty() && board.search.is_empty());
}

#[test]
fn a_question_is_granted_or_dismissed() {
    let mut board = board();
    update(&mut board, Key::End);
    assert_eq!(typed(&mut board, "y"), [Effect::Answer { id: "q-1".to_owned(), granted: true }]);
    assert_eq!(typed(&mut board, "x"), [Effect::Answer { id: "q-1".to_owned(), granted: false }]);
    assert_eq!(typed(&mut board, "emr1"), []);
    assert!(board.notice.text.contains("granted with y"), "{:?}", board.notice);
    assert_eq!(typed(&mut board, "ay"), [], "not together with entries");
    opened(&mut board);
    let shown = picture(&board, 100, 30);
    assert!(shown.contains("Is this still so?") && shown.contains("exports at noon, maybe"), "{shown}");
}

#[test]
fn steps_are_taken_back_one_after_the_other() {
    let mut board = board();
    assert_eq!(typed(&mut board, "u"), []);
    let step = |run: &str| Stride { run: run.to_owned(), told: "kept".to_owned() };
    board.steps = vec![step("1-a"), step("2-b")];
    assert_eq!(typed(&mut board, "uu"), [Effect::Undo(step("2-b")), Effect::Undo(step("1-a"))]);
}

#[test]
fn the_list_is_narrowed_and_grouped_by_whatever_words_there_are() {
    let mut board = board();
    let titles = |board: &Board| -> Vec<String> {
        let shown = board.listed.iter().map(|line| match line {
            super::board::ListRow::Entry(at) => board.waiting[*at].title.chars().take(7).collect(),
            super::board::ListRow::Heading { word, count } => format!("{word} {count}"),
        });
        shown.collect()
    };
    typed(&mut board, "t");
    assert_eq!(titles(&board), ["Amounts", "Mails g"]);
    typed(&mut board, "w");
    assert_eq!(titles(&board), ["Amounts"]);
    typed(&mut board, "\u{1b}g");
    assert_eq!(
        titles(&board),
        [
            "decision 2",
            "Amounts",
            "Mails g",
            "fact 2",
            "Old exp",
            "Exports",
            "preference 1",
            "Log lin",
            "question 1",
            "Exports"
        ]
    );
    assert!(board.current().is_some(), "the cursor is never on a heading");
    typed(&mut board, "gg");
    assert_eq!(titles(&board)[0], "high 2");
    typed(&mut board, "g");
    assert_eq!(titles(&board).len(), 6);
    for _ in 0..4 {
        typed(&mut board, "c");
        assert!(titles(&board).len() < 6);
    }
    typed(&mut board, "c");
    assert_eq!(titles(&board).len(), 6, "after the last word come all");
}

#[test]
fn one_begins_where_one_stopped() {
    let mut board = board();
    typed(&mut board, "gt");
    let mut again = self::board();
    again.return_to(&board.place());
    assert_eq!(again.place(), board.place());
    assert_eq!(again.listed, board.listed);
    let gone = ReviewPlace {
        entry: "fac-2020-01-01-gone".to_owned(),
        search: "zzz".to_owned(),
        ..ReviewPlace::default()
    };
    let mut again = self::board();
    again.return_to(&gone);
    assert_eq!(again.listed.len(), 6, "what is not there any more hides nothing");
}

#[test]
fn what_was_decided_leaves_and_the_next_is_meant() {
    let mut board = board();
    typed(&mut board, "jj");
    let (id, next) = (board.current().expect("is meant").id.clone(), board.waiting[3].id.clone());
    board.leave_out(&[id]);
    assert_eq!(board.current().expect("is meant").id, next);
    let all: Vec<String> = board.waiting.iter().map(|one| one.id.clone()).collect();
    board.leave_out(&all);
    assert!(board.current().is_none());
    assert!(picture(&board, 80, 24).contains("Nothing waits for you."));
    assert_eq!(typed(&mut board, "yxmru1 a/"), [], "and nothing can be decided");
}

#[test]
fn pictures() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut board = board();
        opened(&mut board);
        insta::assert_snapshot!(format!("list_{width}x{height}"), picture(&board, width, height));
        typed(&mut board, "j");
        opened(&mut board);
        insta::assert_snapshot!(format!("dispute_{width}x{height}"), picture(&board, width, height));
        typed(&mut board, " g");
        opened(&mut board);
        insta::assert_snapshot!(format!("grouped_{width}x{height}"), picture(&board, width, height));
        typed(&mut board, "m");
        insta::assert_snapshot!(format!("merge_{width}x{height}"), picture(&board, width, height));
        typed(&mut board, "\u{1b}ay");
        insta::assert_snapshot!(format!("sure_{width}x{height}"), picture(&board, width, height));
        typed(&mut board, "n?");
        insta::assert_snapshot!(format!("help_{width}x{height}"), picture(&board, width, height));
        typed(&mut board, "qz");
        insta::assert_snapshot!(format!("zoomed_{width}x{height}"), picture(&board, width, height));
    }
}

#[test]
fn nothing_of_an_entry_steers_the_terminal() {
    let mut board = board();
    for _ in 0..6 {
        opened(&mut board);
        let shown = picture(&board, 100, 30);
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown}");
        assert!(!shown.contains('\u{202e}') && !shown.contains("]0;"), "{shown}");
        typed(&mut board, "j");
    }
}

/// Ten thousand entries: what a key and a picture cost must not grow with them.
#[test]
fn a_long_list_is_drawn_as_fast_as_a_short_one() {
    let many: Vec<Pending> = (0..10_000)
        .map(|number| Pending {
            item: item(Kind::Fact, &format!("Thing {number} is so"), Status::Current, Confidence::High),
            cause: Cause::New,
            rejected: None,
            against: Vec::new(),
        })
        .collect();
    let mut board = Board::new(
        many.iter().map(Awaiting::of).collect(),
        many.iter().map(|one| Heir::of(&one.item)).collect(),
    );
    board.height = 38;
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).expect("can be made");
    let begun = std::time::Instant::now();
    for _ in 0..100 {
        update(&mut board, Key::Down);
        terminal.draw(|frame| draw(&board, Palette::Colours, frame)).expect("can be drawn");
    }
    let each = begun.elapsed() / 100;
    // Twenty pictures a second are fluent; without optimisation and on a busy machine there is still room.
    assert!(each < std::time::Duration::from_millis(50), "{each:?} for a key and a picture");
}

fn any_key() -> impl Strategy<Value = Key> {
    let bound: Vec<Key> = BINDINGS.iter().flat_map(|binding| binding.keys.iter().copied()).collect();
    prop_oneof![
        6 => proptest::sample::select(bound),
        2 => Just(Key::Enter),
        1 => Just(Key::Esc),
        1 => Just(Key::Backspace),
        1 => Just(Key::Ctrl('u')),
        2 => any::<char>().prop_map(Key::Char),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever is typed, nothing panics, and nothing is written but by the key that means it there.
    #[test]
    fn only_a_key_that_means_it_writes(keys in proptest::collection::vec(any_key(), 1..60), width in 1u16..140, height in 1u16..50) {
        let mut board = board();
        for key in keys {
            opened(&mut board);
            let mode = board.mode.clone();
            let effects = update(&mut board, key);
            for effect in &effects {
                let is_meant = match (&mode, key) {
                    (_, Key::Ctrl('c')) => !effect.writes(),
                    (Mode::List, Key::Char('q')) => !effect.writes(),
                    (Mode::List, Key::Char('y' | 'e' | 'u' | '0'..='9')) => effect.writes(),
                    (Mode::List, Key::Char('x')) => matches!(effect, Effect::Answer { granted: false, .. }),
                    (Mode::Why { .. } | Mode::Pick { .. }, Key::Enter) => effect.writes(),
                    (Mode::Sure { .. }, Key::Char('y')) => effect.writes(),
                    _ => false,
                };
                prop_assert!(is_meant, "{mode:?} {key:?} {effect:?}");
                if let Effect::Rule { names, .. } = effect {
                    let asked = names.len() == 1 || matches!(mode, Mode::Sure { .. });
                    prop_assert!(asked && !names.is_empty(), "{names:?} without a yes");
                }
            }
            prop_assert!(board.listed.is_empty() || board.current().is_some(), "an entry is meant");
            prop_assert!(board.focus != Focus::List || !board.zoomed);
            picture(&board, width, height);
            let _ = regions(ratatui::layout::Rect::new(0, 0, width, height), board.zoomed);
        }
    }
}
