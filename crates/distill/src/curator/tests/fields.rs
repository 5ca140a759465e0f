//! Invented sessions of many trades, with edits that are true of them.

use lore_core::{DecidedBy, Edit, Kind, LineClass, Op, Packet, Was};

use super::proofs::packet_of;

/// The words of one trade.
struct Trade {
    name: &'static str,
    thing: &'static str,
    part: &'static str,
    file: &'static str,
    old: &'static str,
    new: &'static str,
    unit: &'static str,
    actor: &'static str,
    reason: &'static str,
    place: &'static str,
    symptom: &'static str,
    flag: &'static str,
}

macro_rules! trades {
    ($($name:literal $thing:literal $part:literal $file:literal $old:literal $new:literal $unit:literal $actor:literal $reason:literal $place:literal $symptom:literal $flag:literal;)*) => {
        const TRADES: &[Trade] = &[$(Trade { name: $name, thing: $thing, part: $part, file: $file, old: $old, new: $new, unit: $unit, actor: $actor, reason: $reason, place: $place, symptom: $symptom, flag: $flag }),*];
    };
}

trades! {
    "billing" "invoice export" "InvoiceExporter" "src/billing/export.ts" "Stripe" "Adyen" "days" "merchants" "the acquirer rejects batches that mix currencies" "the settlement cluster" "duplicate invoices" "EXPORT_BATCHED";
    "harbour" "berth planner" "BerthSolver" "planner/berth_solver.py" "Gurobi" "HiGHS" "berths" "harbour pilots" "the licence server sits behind the old firewall" "the tide gauge host" "overlapping berths" "TIDE_AWARE";
    "clinic" "appointment reminder" "ReminderJob" "app/jobs/reminder_job.rb" "Twilio" "Sinch" "hours" "receptionists" "messages after ten are fined by the regulator" "the evening queue" "reminders in the middle of the night" "QUIET_HOURS";
    "game" "matchmaker" "LobbyService" "server/lobby/service.go" "WebSockets" "QUIC" "players" "streamers" "packet loss on mobile networks stalls the whole lobby" "the Frankfurt region" "lobbies that never start" "RANKED_ONLY";
    "orchard" "frost forecast" "FrostModel" "models/frost.jl" "Prophet" "XGBoost" "stations" "growers" "night temperatures are not seasonal enough" "the valley gateway" "alarms on warm nights" "HUMIDITY_INPUT";
    "library" "catalogue import" "MarcReader" "import/marc_reader.pl" "Solr" "Meilisearch" "records" "cataloguers" "diacritics are folded differently on both sides" "the nightly importer" "authors listed twice" "FOLD_DIACRITICS";
    "rail" "timetable feed" "GtfsWriter" "feeds/gtfs_writer.kt" "Protobuf" "FlatBuffers" "departures" "dispatchers" "old displays only understand the first version of the feed" "the platform displays" "ghost departures" "FEED_V1";
    "bakery" "dough schedule" "ProofTimer" "firmware/proof_timer.c" "FreeRTOS" "Zephyr" "trays" "bakers" "the timer drifts when the oven fan starts" "the basement controller" "overproofed dough" "FAN_GUARD";
    "museum" "audio guide" "TrackPlayer" "mobile/lib/track_player.dart" "ExoPlayer" "AVFoundation" "rooms" "visitors" "headphones reconnect whenever the screen locks" "the cloakroom beacon" "tracks that restart" "BEACON_LOCK";
    "translation" "glossary check" "TermMatcher" "lint/term_matcher.rs" "Hunspell" "Nuspell" "terms" "translators" "compound nouns are split at the wrong place" "the review server" "false alarms on compounds" "STRICT_TERMS";
    "wind" "turbine report" "BladeScanner" "analysis/blade_scanner.m" "OpenCV" "Halide" "images" "inspectors" "rain drops look like cracks at low resolution" "the tower computer" "cracks that are not there" "RAIN_MASK";
    "theatre" "seat map" "SeatLayout" "web/seat_layout.vue" "Canvas" "WebGL" "seats" "ushers" "touch screens in the foyer cannot hover" "the foyer kiosk" "seats sold twice" "HOLD_SEATS";
    "courier" "route sheet" "StopOrder" "routing/stop_order.cpp" "Valhalla" "OSRM" "stops" "drivers" "narrow bridges are missing from the road data" "the depot tablet" "detours over closed bridges" "BRIDGE_RULES";
    "school" "grade book" "MarkSheet" "grades/mark_sheet.ex" "LDAP" "Keycloak" "classes" "teachers" "substitutes need access within a morning" "the staff room terminal" "marks entered for the wrong class" "SUBSTITUTE_LOGIN";
}

/// A packet and the edits that are true of it.
pub(super) struct Invented {
    pub(super) packet: Packet,
    pub(super) edits: Vec<Edit>,
}

/// Makes a session for each trade and each of a few numbers.
pub(super) fn invented() -> Vec<Invented> {
    let variants = [(3_u32, 7_u32), (12, 45)];
    TRADES.iter().flat_map(|trade| variants.map(|(few, many)| invent(trade, few, many))).collect()
}

/// Gathers the lines of a session and the edits that cite them.
#[derive(Default)]
struct Scribe {
    lines: Vec<(LineClass, String)>,
    edits: Vec<Edit>,
}

impl Scribe {
    fn line(&mut self, class: LineClass, text: String) -> u32 {
        self.lines.push((class, text));
        u32::try_from(self.lines.len()).unwrap()
    }

    fn edit(&mut self, kind: Kind, by: DecidedBy, title: String, text: String, lines: &[u32]) -> &mut Edit {
        let edit = Edit {
            kind: Some(kind),
            title: Some(title),
            text: Some(text),
            decided_by: Some(by),
            ..Edit::new(Op::New, lines.to_vec())
        };
        self.edits.push(edit);
        self.edits.last_mut().unwrap()
    }
}

fn invent(trade: &Trade, few: u32, many: u32) -> Invented {
    let mut scribe = Scribe::default();
    openings(trade, few, many, &mut scribe);
    findings(trade, few, many, &mut scribe);
    endings(trade, few, many, &mut scribe);
    let lines: Vec<(LineClass, &str)> =
        scribe.lines.iter().map(|(class, text)| (*class, text.as_str())).collect();
    Invented { packet: packet_of(&format!("{}-{few}", trade.name), &lines, &[]), edits: scribe.edits }
}

fn openings(t: &Trade, few: u32, many: u32, s: &mut Scribe) {
    use LineClass::{Closing, Commit, Passing, Typed};
    let Trade { thing, part, file, old, new, unit, actor, reason, place, symptom, .. } = t;
    s.line(Typed, "good morning, lets pick up where we stopped yesterday".to_owned());
    let a = s.line(Passing, format!("Right now the {thing} goes through {old}. Moving it to {new} means one dependency less, and {reason}."));
    let p =
        s.line(Typed, format!("ok do {new} for the {thing} then, {old} never worked for the {actor} anyway"));
    let c = s.line(
        Closing,
        format!(
            "Done: `{part}` in {file} talks to {new} now and the {old} client is gone. All checks are green."
        ),
    );
    let edit = s.edit(
        Kind::Decision,
        DecidedBy::Agreed,
        format!("{thing} runs on {new}, not {old}"),
        format!("The {thing} goes through {new} instead of {old}, because {reason}. `{part}` in `{file}` talks to {new}."),
        &[a, p, c],
    );
    edit.was = Some(Was { text: format!("The {thing} goes through {old}."), lines: vec![a] });
    let a = s.line(Passing, format!("Found it, the root cause: `{part}` stops after {many} {unit} and drops whatever comes behind that without an error."));
    s.edit(
        Kind::Limitation,
        DecidedBy::Nobody,
        format!("{part} stops after {many} {unit}"),
        format!("`{part}` drops everything behind the first {many} {unit} and reports no error."),
        &[a],
    );
    let p = s.line(Typed, format!("and please never edit {file} by hand, its generated from the {thing} schema, you will lose it at the next build"));
    s.edit(
        Kind::Preference,
        DecidedBy::Person,
        format!("{file} is generated"),
        format!("`{file}` is generated from the {thing} schema and must never be edited by hand: the next build overwrites it."),
        &[p],
    );
    let c = s.line(Commit, format!("fix({}): retry the {thing} {few} times before giving up\nWithout retries we saw {symptom} whenever {place} restarted.", t.name));
    s.edit(
        Kind::Fact,
        DecidedBy::Agent,
        format!("{thing} retries {few} times"),
        format!("The {thing} is retried {few} times before it gives up, since {symptom} appeared whenever {place} restarted."),
        &[c],
    );
}

fn findings(t: &Trade, few: u32, many: u32, s: &mut Scribe) {
    use LineClass::{Closing, Passing, PlanAccepted, Typed};
    let Trade { thing, part, file, old, new, unit, actor, reason, place, symptom, flag, .. } = t;
    let a = s.line(Typed, format!("answers: Where should the {thing} keep its state? → In {place} (survives a restart, costs {few} more {unit})"));
    s.edit(
        Kind::Decision,
        DecidedBy::Person,
        format!("{thing} keeps state in {place}"),
        format!("The state of the {thing} is kept in {place} so that it survives a restart, at the cost of {few} more {unit}."),
        &[a],
    );
    let plan = s.line(PlanAccepted, format!("Plan for the {thing}\n1. Split {part} into a reader and a writer\n2. Guard the writer with the {flag} flag, off at first\n3. Switch {place} over last, because {reason}"));
    s.edit(
        Kind::Decision,
        DecidedBy::Agreed,
        format!("{part} is split, guarded by {flag}"),
        format!("`{part}` is split into a reader and a writer; the writer is guarded by the `{flag}` flag, which is off at first. {} is switched over last.", capital(place)),
        &[plan],
    );
    let a = s.line(
        Passing,
        format!("I'll put the rule for {symptom} into {file}, because that is where {old} had it."),
    );
    let p = s.line(Typed, format!("no, rules about {symptom} belong into {part}, {file} is only for wiring"));
    let edit = s.edit(
        Kind::Preference,
        DecidedBy::Person,
        format!("Rules belong into {part}"),
        format!("Rules about {symptom} belong into `{part}`; `{file}` is only for wiring."),
        &[p],
    );
    edit.was = Some(Was { text: format!("The rule for {symptom} goes into `{file}`."), lines: vec![a] });
    let c = s.line(Closing, format!("How it hangs together: {actor} call {part}, which queues the {thing} with {new}; a worker picks it up every {many} {unit} and reports to {place}."));
    s.edit(
        Kind::Architecture,
        DecidedBy::Nobody,
        format!("Path of the {thing}"),
        format!("A call of {actor} goes to `{part}`, which queues the {thing} with {new}. A worker picks it up every {many} {unit} and reports to {place}."),
        &[c],
    );
    let a = s.line(Passing, format!("Turns out `{part}` reads `{flag}` only once at start, so a change of it needs a restart of {place}."));
    s.edit(
        Kind::Limitation,
        DecidedBy::Nobody,
        format!("{flag} is read at start only"),
        format!(
            "`{flag}` is read by `{part}` only once at start; after a change {place} has to be restarted."
        ),
        &[a],
    );
}

fn endings(t: &Trade, few: u32, many: u32, s: &mut Scribe) {
    use LineClass::{Closing, Commit, Passing, Typed};
    let Trade { thing, part, old, unit, actor, reason, place, symptom, .. } = t;
    let a = s.line(Closing, format!("The limit of the {thing} is {few} {unit} at the moment. Should I raise it? More would slow {place} down."));
    let p = s
        .line(Typed, format!("raise it from {few} to {many} {unit}, the {actor} complained about {symptom}"));
    let edit = s.edit(
        Kind::Decision,
        DecidedBy::Agreed,
        format!("Limit of the {thing} is {many} {unit}"),
        format!("The limit of the {thing} is raised from {few} to {many} {unit}, because the {actor} complained about {symptom}."),
        &[a, p],
    );
    edit.was = Some(Was { text: format!("The limit of the {thing} is {few} {unit}."), lines: vec![a] });
    let p = s
        .line(Typed, format!("one more thing, we dont bring {old} back, not even for the {thing}: {reason}"));
    s.edit(
        Kind::Decision,
        DecidedBy::Person,
        format!("{old} does not come back"),
        format!("{old} is not brought back, not even for the {thing}: {reason}."),
        &[p],
    );
    let c = s.line(Closing, format!("What happened last night: {place} was down for {few} {unit}, which is why the {actor} saw {symptom}. The queue of the {thing} was replayed and nothing got lost."));
    s.edit(
        Kind::Event,
        DecidedBy::Nobody,
        format!("{place} was down"),
        format!("{} was down for {few} {unit}, so the {actor} saw {symptom}; the queue of the {thing} was replayed and nothing got lost.", capital(place)),
        &[c],
    );
    s.line(
        Passing,
        "Let me look at the remaining warnings before we close this for today, there are only some left."
            .to_owned(),
    );
    let c = s.line(Commit, format!("test({}): pin the clock in the tests of {part}\nThey failed on the last {few} {unit} of every month because the fixture used the current date.", t.name));
    s.edit(
        Kind::Fact,
        DecidedBy::Agent,
        format!("Tests of {part} pin the clock"),
        format!("The tests of `{part}` pin the clock, because the fixture used the current date and they failed on the last {few} {unit} of every month."),
        &[c],
    );
    s.line(
        Closing,
        "Everything is pushed. Tell me when you want to go on with the next item on the list.".to_owned(),
    );
}

fn capital(text: &str) -> String {
    crate::article::capitalised(text)
}
