//! What is taken and could be said better: what is asked, what is taken of the answer, what it costs.

use lore_core::redact::Redactor;
use lore_core::text::tokens;
use lore_core::{DecidedBy, EDITED, Edit, Entry, Kind, LineClass, Op, Packet, ProofMark, Proofread, Voice};

use super::made::entry_of;
use super::proofs::{bare, packet_of, read_one};
use crate::curator::{
    AGAIN_REFUSED, EditAnswer, ProofContext, ProofSheet, Renamed, mend, proofread, read_answer, repair,
    reword,
};

/// A yard that paints boats: a wish, a remark on the side, a report, a commit, a ruling.
fn yard(near: &[&Entry]) -> Packet {
    packet_of(
        "yard",
        &[
            (
                LineClass::Typed,
                "hulls should be primed twice before the varnish, the first coat peels in salt water",
            ),
            (
                LineClass::Passing,
                "The drying oven of the yard trips its breaker above 70 degrees on humid mornings.",
            ),
            (
                LineClass::Closing,
                "Hulls are primed twice with `SaltGuard` before the varnish. The drying oven stays at 60 degrees.",
            ),
            (
                LineClass::Commit,
                "feat(hull): prime hulls twice with SaltGuard before the varnish\nThe second coat is skipped for dinghies.",
            ),
            (LineClass::Typed, "masts are stored indoors from October on"),
        ],
        near,
    )
}

fn new(title: &str, text: &str, lines: &[u32]) -> Edit {
    Edit {
        kind: Some(Kind::Decision),
        title: Some(title.to_owned()),
        text: Some(text.to_owned()),
        decided_by: Some(DecidedBy::Person),
        ..Edit::new(Op::New, lines.to_vec())
    }
}

fn on(op: Op, text: &str, lines: &[u32]) -> Edit {
    Edit { op, entry: Some("e1".to_owned()), title: None, ..new("", text, lines) }
}

/// An entry that an editor has worded.
fn worded(title: &str, text: &str) -> Entry {
    let mut entry = entry_of(Kind::Fact, title, text, Voice::Agent);
    entry.extra.insert(EDITED.to_owned(), serde_json::json!({ "by": "model m", "packet": "p-1" }));
    entry
}

const PRIMED: &str = "Hulls are primed twice before the varnish, because the first coat peels in salt water.";

#[track_caller]
fn wants(proof: &Proofread, reason: &str) {
    assert!(proof.mark < ProofMark::Proposal, "{:?}", proof.remarks);
    assert!(proof.wanting.iter().any(|one| one.contains(reason)), "{reason}: {:?}", proof.wanting);
}

#[test]
fn a_title_says_one_point_as_a_statement() {
    let read = |title: &str| read_one(new(title, PRIMED, &[1]), &yard(&[]), &[]);
    wants(&read("Hulls are primed twice; varnish comes last"), "more than one thing");
    wants(&read("Hulls: primer, salt water and varnish"), "more than one thing");
    wants(&read("How hulls are primed before the varnish"), "not the point");
    wants(&read("Yearly contracts go through the harbour office"), "neither the text nor the lines");
    for fine in [
        "Hulls are primed twice before the varnish",
        "Primer: two coats, then varnish",
        "When hulls meet salt water, the first coat peels",
    ] {
        assert_eq!(read(fine).wanting, [""; 0], "{fine}");
    }
}

#[test]
fn a_clause_from_another_line_draws_that_line_in() {
    let text = "Hulls are primed twice before the varnish, so the first coat cannot peel in salt water, \
                and the drying oven trips its breaker on humid mornings.";
    let proof = read_one(new("Hulls are primed twice", text, &[1]), &yard(&[]), &[]);
    assert_eq!(proof.edit.lines, [1, 2], "{:?}", proof.remarks);
    assert!(proof.remarks.iter().any(|remark| remark.rule == "V19"), "{:?}", proof.remarks);
    assert_eq!(proof.wanting, [""; 0]);
    let mut pasted = yard(&[]);
    pasted.lines[1].class = LineClass::Pasted;
    let proof = read_one(new("Hulls are primed twice", text, &[1]), &pasted, &[]);
    assert_eq!(proof.edit.lines, [1], "what was pasted is not drawn in");
}

#[test]
fn a_clause_that_no_line_says_is_asked_about() {
    let text = "Hulls are primed twice before the varnish since the first coat peels in salt water \
                (insurers demand yearly certificates anyway).";
    let read = |text: &str| read_one(new("Hulls are primed twice", text, &[1]), &yard(&[]), &[]);
    wants(&read(text), "no line says “insurers demand");
    assert_eq!(read(text).mark, ProofMark::Flagged, "what nobody said is not written unseen");
    let text = text.replace(
        "insurers demand yearly certificates",
        "crews saw the drying oven trip its breaker in storms",
    );
    wants(&read(&text), "line 2 may say “crews saw");
}

#[test]
fn what_is_told_as_a_wish_is_asked_for_the_commit_that_did_it() {
    let wish = "Hulls are to be primed twice before the varnish, because the first coat peels in salt water.";
    let proof = read_one(new("Hulls are to be primed twice", wish, &[1]), &yard(&[]), &[]);
    wants(&proof, "line 4 may be the commit");
    let cited = read_one(new("Hulls are to be primed twice", wish, &[1, 4]), &yard(&[]), &[]);
    assert_eq!(cited.wanting, [""; 0]);
    let done = read_one(new("Hulls are primed twice", PRIMED, &[1]), &yard(&[]), &[]);
    assert_eq!(done.wanting, [""; 0], "what is told as done has its end");
    let other = "Masts are to be stored indoors from October on.";
    let other = read_one(new("Masts are to be stored indoors", other, &[5]), &yard(&[]), &[]);
    assert_eq!(other.wanting, [""; 0], "no later line is about it");
}

#[test]
fn how_the_session_went_is_asked_to_be_left_out() {
    let read = |text: &str| read_one(new("Hulls are primed twice", text, &[1, 3]), &yard(&[]), &[]).wanting;
    let told = "Hulls are still being primed twice with `SaltGuard` before the varnish at session end.";
    assert!(read(told).iter().any(|why| why.contains("tells how the session went")), "{:?}", read(told));
    assert_eq!(read("Hulls are primed twice with `SaltGuard` before the varnish."), [""; 0]);
}

#[test]
fn finer_words_keep_what_the_entry_says() {
    let known = worded("Hulls are primed", "Hulls are primed with `TarBase` for 3 days before the varnish.");
    let packet = yard(&[&known]);
    let read = |text: &str| read_one(on(Op::Refines, text, &[1, 3]), &packet, std::slice::from_ref(&known));
    wants(&read("Hulls are primed twice before the varnish."), "TarBase");
    let whole = "Hulls are primed with `TarBase` for 3 days, twice before the varnish.";
    assert_eq!(read(whole).wanting, [""; 0]);
    let raw = entry_of(Kind::Fact, "Hulls", "Hulls are primed with `TarBase` for 3 days.", Voice::Agent);
    let packet = yard(&[&raw]);
    let proof = read_one(on(Op::Refines, PRIMED, &[1, 3]), &packet, &[raw]);
    assert_eq!(proof.wanting, [""; 0], "what rules copied need not be kept");
}

#[test]
fn what_is_added_beside_another_value_is_asked_about() {
    let known = worded("Drying oven", "The drying oven of the yard stays at 80 degrees.");
    let packet = yard(&[&known]);
    let read = |text: &str, lines: &[u32]| {
        read_one(on(Op::Adds, text, lines), &packet, std::slice::from_ref(&known))
    };
    wants(&read("The drying oven stays at 60 degrees.", &[3]), "stays at 80 degrees");
    let beside = "The drying oven trips its breaker on humid mornings.";
    assert_eq!(read(beside, &[2]).wanting, [""; 0]);
}

fn sheet(edits: Vec<Edit>, packet: &Packet) -> ProofSheet {
    let edits = edits.into_iter().enumerate().map(|(at, edit)| (at + 1, Ok(edit))).collect();
    read(&EditAnswer { edits, ..EditAnswer::default() }, packet)
}

fn read(answer: &EditAnswer, packet: &Packet) -> ProofSheet {
    let context = bare(packet);
    proofread(answer, &context)
}

fn two_titles() -> Vec<Edit> {
    vec![
        new("Masts are stored indoors", "Masts are stored indoors from October on.", &[5]),
        new("Hulls are primed twice; varnish comes last", PRIMED, &[1]),
    ]
}

#[test]
fn the_request_shows_the_cited_lines_and_not_the_packet() {
    let packet = yard(&[]);
    let first = sheet(two_titles(), &packet);
    let asked = reword(&first, &packet, &[]).unwrap();
    assert!(asked.contains("\n2: {\"op\":\"new\"") && asked.contains("why: the title says"), "{asked}");
    assert!(asked.contains("[1] P: hulls should") && !asked.contains("masts"), "{asked}");
    assert!(asked.contains(packet.id.as_str()), "{asked}");
    assert!(
        repair(&first).unwrap().contains("- 2, new “Hulls are primed twice; varnish comes last”, taken:")
    );
    let many = vec![new("Hulls are primed twice; varnish comes last", PRIMED, &[1, 3, 4]); 12];
    assert!(tokens(&reword(&sheet(many, &packet), &packet, &[]).unwrap()) <= 2_400);
    let fine = sheet(vec![new("Hulls are primed twice", PRIMED, &[1])], &packet);
    assert_eq!((reword(&fine, &packet, &[]), repair(&fine)), (None, None));
    let refused = new("Hulls", "Hulls are primed by the Zebra crew before the varnish in salt water.", &[1]);
    let mixed = sheet([two_titles(), vec![refused]].concat(), &packet);
    let asked = reword(&mixed, &packet, &[]).unwrap();
    assert!(asked.contains("\n3: {\"op\":\"new\"") && asked.contains("not taken: "), "{asked}");
    assert!(asked.contains("\n2: {\"op\":\"new\"") && asked.contains("[1] P: hulls should"), "{asked}");
    assert_eq!(repair(&mixed).unwrap().matches("\n- ").count(), 2);
}

#[test]
fn the_request_shows_the_entries_where_one_was_named_that_is_not_there() {
    let old = entry_of(Kind::Fact, "Masts", "Masts are stored indoors.", Voice::Agent);
    let packet = yard(&[&old]);
    let on = |entry: &str, lines: &[u32]| Edit {
        op: Op::Refines,
        entry: Some(entry.to_owned()),
        ..new("Masts are stored indoors", "Masts are stored indoors from October on.", lines)
    };
    let asked =
        |edit: Edit| reword(&sheet(vec![edit], &packet), &packet, std::slice::from_ref(&old)).unwrap();
    let named = asked(on("e9", &[5]));
    assert!(named.contains("`e9` is not an entry") && named.contains("\ne1: Masts are stored"), "{named}");
    let missing = asked(on("e1", &[5, 99]));
    assert!(missing.contains("line 99 does not exist") && missing.contains("[5] "), "{missing}");
    assert!(missing.contains("it refines the entry: Masts are stored"), "{missing}");
}

#[test]
fn the_request_shows_the_commit_that_did_it() {
    let packet = yard(&[]);
    let wish = "Hulls are to be primed twice before the varnish, because the first coat peels in salt water.";
    let first = sheet(vec![new("Hulls are to be primed twice", wish, &[1])], &packet);
    assert!(reword(&first, &packet, &[]).unwrap().contains("[4] COMMIT: feat(hull)"));
}

/// Who hands in by hand changed an edit that nobody had asked about, and the old words were written in silence.
#[test]
fn by_hand_any_edit_may_be_said_in_other_words() {
    let packet = yard(&[]);
    let whole = |edit: &str| {
        let answer = read_answer(&format!("{{\"edits\":[{edit}]}}")).unwrap();
        mend(sheet(two_titles(), &packet), read(&answer, &packet), Renamed::Any)
    };
    let other = "{\"n\":1,\"op\":\"new\",\"kind\":\"decision\",\"title\":\"Masts are indoors from October on\",\
        \"text\":\"Masts are stored indoors from October on.\",\"lines\":[5],\"decided_by\":\"person\"}";
    let titles = |sheet: &ProofSheet| {
        sheet.proofs.iter().filter_map(|proof| proof.edit.title.clone()).collect::<Vec<_>>()
    };
    assert_eq!(titles(&whole(other))[0], "Masts are indoors from October on");
    let foreign = other.replace("Masts are stored indoors", "Masts are stored at Zebra Hall");
    let kept = whole(&foreign);
    assert_eq!(titles(&kept)[0], "Masts are stored indoors");
    assert!(kept.proofs[0].remarks.iter().any(|remark| remark.rule == AGAIN_REFUSED), "{:?}", kept.proofs[0]);
}

/// What a person had removed again later in the session was written as a decision that holds.
#[test]
fn what_a_later_line_takes_back_is_asked_about() {
    let lines = [
        (LineClass::Typed, "add queue groups to the harbour bell so that several towers share it"),
        (
            LineClass::Closing,
            "The harbour bell supports queue groups now: towers with the same group share it.",
        ),
        (LineClass::Typed, "Remove queue group support of the bell again"),
    ];
    let packet = packet_of("bell", &lines, &[]);
    let asked = |title: &str, text: &str, lines: &[u32]| {
        let read = read_one(new(title, text, lines), &packet, &[]);
        read.wanting.iter().any(|said| said.contains("take it back"))
    };
    let text = "The harbour bell supports queue groups: towers with the same group share it.";
    assert!(asked("The harbour bell supports queue groups", text, &[1, 2]));
    let gone = "Queue group support of the harbour bell was removed again.";
    assert!(!asked("Queue groups were removed from the bell", gone, &[1, 3]));
    assert!(!asked("Towers of a group share the bell", "Towers with the same group share it.", &[1, 2, 3]));
}

/// A plan that was still open was told as what is.
#[test]
fn what_only_an_open_plan_says_is_asked_about() {
    let lines = [
        (LineClass::Typed, "the tide gauges should be checked as well"),
        (
            LineClass::PlanOpen,
            "Plan: gauges run the same health checks as the lamps, every ten minutes, in one loop.",
        ),
        (LineClass::Commit, "feat: gauges run the health checks of the lamps every ten minutes"),
    ];
    let packet = packet_of("gauges", &lines, &[]);
    let asked = |text: &str, lines: &[u32]| {
        let read = read_one(new("Gauges run the health checks of the lamps", text, lines), &packet, &[]);
        read.wanting.iter().any(|said| said.contains("a plan nobody has agreed to"))
    };
    let done = "Gauges run the same health checks as the lamps, every ten minutes.";
    assert!(asked(done, &[1, 2]));
    assert!(!asked(done, &[2, 3]));
    assert!(!asked("Gauges are to run the same health checks as the lamps, every ten minutes.", &[1, 2]));
}

#[test]
fn better_words_take_the_place_and_the_number_of_the_first() {
    let packet = yard(&[]);
    let again = |edits: &str| {
        let answer = read_answer(&format!("{{\"edits\":[{edits}]}}")).unwrap();
        let whole = mend(sheet(two_titles(), &packet), read(&answer, &packet), Renamed::Asked);
        let told = |proof: &Proofread| (proof.number, proof.edit.title.clone().unwrap_or_default());
        whole.proofs.iter().filter(|proof| proof.is_applied()).map(told).collect::<Vec<_>>()
    };
    let edit = |n: &str, title: &str, text: &str| {
        format!(
            "{{{n}\"op\":\"new\",\"kind\":\"decision\",\"title\":\"{title}\",\"text\":\"{text}\",\"lines\":[1],\"decided_by\":\"person\"}}"
        )
    };
    let masts = (1, "Masts are stored indoors".to_owned());
    let as_it_was = (2, "Hulls are primed twice; varnish comes last".to_owned());
    let better = edit("\"n\":2,", "Hulls are primed twice", PRIMED);
    let taken = [masts.clone(), (2, "Hulls are primed twice".to_owned())];
    assert_eq!(again(&better), taken);
    assert_eq!(again(&edit("", "Hulls are primed twice", PRIMED)), taken, "known by its words");
    assert_eq!(again(""), [masts.clone(), as_it_was.clone()]);
    let worse =
        edit("\"n\":2,", "Hulls are primed twice", "Hulls are primed by the Zebra crew in salt water.");
    assert_eq!(
        again(&worse),
        [masts.clone(), as_it_was.clone()],
        "what the lines do not say changes nothing"
    );
    let other = edit("\"n\":1,", "Masts burn", "Hulls are primed twice before the varnish.");
    assert_eq!(again(&other), [masts.clone(), as_it_was], "nobody asked about it");
    let half =
        edit("\"n\":2,", "First coat peels in salt water", "The first coat of hulls peels in salt water.");
    let third = edit("\"n\":2,", "Hulls get varnish", "Hulls get the varnish after the first coat.");
    let halves = (3, "First coat peels in salt water".to_owned());
    assert_eq!(
        again(&format!("{better},{half},{third}")),
        [&taken[..], &[halves]].concat(),
        "two and no more"
    );
}

#[test]
fn what_the_mark_of_a_line_says_is_known() {
    let packet = packet_of(
        "yard",
        &[
            (LineClass::Typed, "let us rent the second slipway for the winter"),
            (LineClass::PlanRefused, "Plan: rent the second slipway of the harbour for the winter months"),
        ],
        &[],
    );
    let text =
        "The person asked to rent the second slipway for the winter. The plan for it was not accepted.";
    let proof = read_one(new("Second slipway is not rented yet", text, &[1, 2]), &packet, &[]);
    assert!(proof.mark < ProofMark::Proposal, "{:?}", proof.remarks);
    let text = "The slipway is rented for the winter. Moorings of the harbour cost extra per month.";
    let proof = read_one(new("Second slipway is rented", text, &[1, 2]), &packet, &[]);
    assert!(
        proof.mark >= ProofMark::Proposal,
        "what only a refused plan says is not known: {:?}",
        proof.remarks
    );
}

#[test]
fn a_name_that_many_entries_say_is_a_word_of_the_project() {
    let named = |count: usize| -> Vec<Entry> {
        let text = |at: usize| {
            let name = if at < count { "Slipstream" } else { "The yard" };
            format!("{name} keeps list number {at} of the boats.")
        };
        (0..8).map(|at| entry_of(Kind::Fact, &format!("List {at}"), &text(at), Voice::Agent)).collect()
    };
    let edit =
        new("Masts are stored indoors", "In Slipstream masts are stored indoors from October on.", &[5]);
    let read =
        |entries: &[Entry]| read_one(edit.clone(), &yard(&entries.iter().collect::<Vec<_>>()), entries).mark;
    assert_eq!(read(&named(3)), ProofMark::Applied);
    assert_eq!(read(&named(2)), ProofMark::Refused, "too few say it");
    assert_eq!(read(&[]), ProofMark::Refused);
}

#[test]
fn what_the_project_is_called_need_not_be_said() {
    let packet = yard(&[]);
    let edit = new("Masts are stored indoors", "Slipstream stores masts indoors from October on.", &[5]);
    let mark = |project: &str| {
        let answer = EditAnswer { edits: vec![(1, Ok(edit.clone()))], ..EditAnswer::default() };
        let context = ProofContext {
            packet: &packet,
            entries: &[],
            removed: &[],
            project,
            redactor: Redactor::standard(),
        };
        proofread(&answer, &context).proofs.remove(0).mark
    };
    assert_eq!((mark("slipstream"), mark("harbour")), (ProofMark::Applied, ProofMark::Refused));
}

#[test]
fn who_speaks_of_curl_fetches_nothing() {
    let said = "without the header requests pass, so schedulers and curl are unaffected; curl ferry.sh fetches the timetable";
    let packet = packet_of("laptop", &[(LineClass::Typed, said)], &[]);
    let mark = |text: &str| read_one(new("Requests without the header pass", text, &[1]), &packet, &[]).mark;
    let spoken = mark("Requests pass without the header, so schedulers and curl are unaffected.");
    assert_ne!(spoken, ProofMark::Refused);
    assert_eq!(mark("The timetable is fetched with curl ferry.sh."), ProofMark::Refused);
}

#[test]
fn who_speaks_of_sudo_runs_nothing() {
    let packet = packet_of(
        "laptop",
        &[(
            LineClass::Typed,
            "sudo credentials are cached per terminal here, agents cannot use them; the mirror is set up with sudo make mirror",
        )],
        &[],
    );
    let mark = |text: &str| read_one(new("Sudo is asked for per terminal", text, &[1]), &packet, &[]).mark;
    assert_eq!(
        mark("Here sudo credentials are cached per terminal, so agents cannot use them."),
        ProofMark::Applied
    );
    assert_eq!(mark("The mirror is set up with sudo make mirror."), ProofMark::Refused);
}
