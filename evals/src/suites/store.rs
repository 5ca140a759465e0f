//! Whether knowledge survives killed and competing writers, and how long the store takes.
//!
//! `kills` writers are killed at random moments; `processes` writers then write at once. After
//! each, everything that was promised must be there, whole, and the lists right, without anyone
//! repairing anything. Times are taken on bases of `entries` and `big` entries.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use lore_core::{Confidence, Curator, Entry, EntryId, Kind, Link, LinkKind, Source, Voice};
use lore_store::{CommitOptions, Lists, Owner, Scope, Store};
use tempfile::TempDir;

use crate::context::{Context, Failure};
use crate::report::Report;

/// How many kills one base has to endure before the next is taken.
const KILLS_PER_BASE: usize = 100;

/// Takes all figures.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    kills(context.setting("kills", 1000), &mut report)?;
    at_once(context.setting("processes", 8), context.setting("writes", 200), &mut report)?;
    bulk(context.setting("bulk", 1000), &mut report)?;
    times("", context.setting("entries", 10_000), 25, &mut report)?;
    let big = context.setting("big", 100_000);
    if big > 0 {
        times("big_", big, 5, &mut report)?;
    }
    Ok(report)
}

/// Writes entries one by one and says so after each; started by the suite as its own process.
pub(crate) fn run_worker(context: &Context) -> Result<Report, Failure> {
    let store = Store::open(&Scope::at(&context.data("")))?;
    let name = context.setting("name", 0);
    for number in 0..context.setting("count", 1) {
        let title = format!("writer {name} fact {number}");
        let mut transaction = store.begin(&Owner::machine("eval"), now())?;
        let written = transaction.create(entry(Kind::Fact, &title, number))?;
        if number > 0 {
            // An old entry changes with the new one, so that half a transaction would show.
            let old = id(Kind::Fact, &format!("writer {name} fact {}", number - 1), number - 1);
            let stored = transaction.get(old.as_str())?;
            let body = format!("{}Then came {}.\n", stored.entry.body, written.id);
            transaction.replace(Entry { body, ..stored.entry }, stored.version)?;
        }
        transaction.commit(&CommitOptions::default())?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", written.id)?;
        out.flush()?;
    }
    Ok(Report::default())
}

/// What was found wrong in a base.
#[derive(Default)]
struct Damage {
    lost: usize,
    half_written: usize,
    repairs: usize,
    wrong_lists: usize,
}

fn kills(count: usize, report: &mut Report) -> Result<(), Failure> {
    let mut damage = Damage::default();
    let (mut killed, mut written) = (0, 0);
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    while killed < count {
        let base = base()?;
        let mut promised = Vec::new();
        for _ in 0..KILLS_PER_BASE.min(count - killed) {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut worker = worker(base.path(), killed, 1000)?;
            let mut lines = BufReader::new(worker.stdout.take().ok_or("no pipe")?).lines();
            for _ in 0..(chance >> 60) % 3 {
                promised.extend(lines.next().transpose()?);
            }
            sleep(Duration::from_micros((chance >> 40) % 15_000));
            worker.kill()?;
            worker.wait()?;
            promised.extend(lines.map_while(Result::ok));
            killed += 1;
            match Store::open(&Scope::at(base.path())) {
                Ok(store) => {
                    damage.repairs += usize::from(store.begin(&Owner::machine("eval"), now()).is_err());
                    let snapshot = store.snapshot()?;
                    damage.half_written += snapshot.diagnostics().len();
                }
                Err(_) => damage.repairs += 1,
            }
        }
        written += promised.len();
        verify(base.path(), &promised, &mut damage)?;
    }
    report.set("kills", killed);
    report.set("kill_writes", written);
    report.set("lost", damage.lost);
    report.set("half_written", damage.half_written);
    report.set("repairs_by_hand", damage.repairs);
    report.set("lists_wrong_after_kills", damage.wrong_lists);
    Ok(())
}

fn at_once(processes: usize, writes: usize, report: &mut Report) -> Result<(), Failure> {
    let base = base()?;
    let began = Instant::now();
    let workers: Vec<Child> =
        (0..processes).map(|number| worker(base.path(), number, writes)).collect::<Result<_, _>>()?;
    let readers = workers.into_iter().map(|mut worker| {
        std::thread::spawn(move || -> Vec<String> {
            let lines = worker.stdout.take().map(|pipe| BufReader::new(pipe).lines());
            let promised = lines.into_iter().flatten().map_while(Result::ok).collect();
            let _ = worker.wait();
            promised
        })
    });
    let readers: Vec<_> = readers.collect();
    let mut promised = Vec::new();
    for reader in readers {
        promised.extend(reader.join().map_err(|_| "a reader failed")?);
    }
    let seconds = began.elapsed().as_secs_f64();
    let mut damage = Damage::default();
    verify(base.path(), &promised, &mut damage)?;
    let store = Store::open(&Scope::at(base.path()))?;
    report.set("concurrent_entries", store.snapshot()?.len());
    report.set("concurrent_lost", damage.lost + damage.half_written);
    report.set("index_right", damage.wrong_lists == 0);
    report.set_number("concurrent_writes_per_second", promised.len() as f64 / seconds);
    Ok(())
}

/// Counts what is missing, damaged or listed wrongly.
fn verify(project: &Path, promised: &[String], damage: &mut Damage) -> Result<(), Failure> {
    let store = Store::open(&Scope::at(project))?;
    let snapshot = store.snapshot()?;
    damage.lost += promised.iter().filter(|id| snapshot.find(id).is_none()).count();
    for stored in snapshot.read_all() {
        // A text that does not fit its hash was not written whole.
        let whole = stored.entry.curated_by == Curator::Auto;
        // If a later entry is named, that entry must be there.
        let named = stored.entry.body.lines().filter_map(|line| line.strip_prefix("Then came "));
        let missing = named.filter(|id| snapshot.find(id.trim_end_matches('.')).is_none()).count();
        damage.half_written += usize::from(!whole) + missing;
    }
    let committed = regenerate(&store)?;
    damage.wrong_lists += committed;
    Ok(())
}

/// Times one transaction with many entries, as an import makes it.
fn bulk(entries: usize, report: &mut Report) -> Result<(), Failure> {
    let base = base()?;
    let store = Store::open(&Scope::at(base.path()))?;
    let began = Instant::now();
    let mut transaction = store.begin(&Owner::machine("eval"), now())?;
    for number in 0..entries {
        let kind = Kind::ALL[number % Kind::ALL.len()];
        transaction.create(entry(kind, &format!("subject {number} of the base"), number))?;
    }
    transaction.commit(&CommitOptions::default())?;
    report.set("bulk_entries", entries);
    report.set_number("bulk_ms", milliseconds(began));
    Ok(())
}

fn times(prefix: &str, entries: usize, runs: usize, report: &mut Report) -> Result<(), Failure> {
    let base = base()?;
    let scope = Scope::at(base.path());
    fill(&scope.root, entries)?;
    let began = Instant::now();
    regenerate(&Store::open(&scope)?)?;
    report.set_number(&format!("{prefix}first_lists_ms"), milliseconds(began));
    let name = |what: &str| format!("{prefix}{what}");

    std::fs::remove_dir_all(scope.work.join("cache"))?;
    let began = Instant::now();
    let found = Store::open(&scope)?.snapshot()?.len();
    report.set_number(&name("load_cold_ms"), milliseconds(began));
    report.set(&name("entries"), found);

    let warm = samples(runs, |_| Store::open(&scope)?.snapshot().map(drop).map_err(Into::into))?;
    report.set_number(&name("load_warm_ms"), at(&warm, 0.5));
    let store = Store::open(&scope)?;
    let snapshot = store.snapshot()?;
    let began = Instant::now();
    let read = snapshot.read_all().len();
    report.set_number(&name("read_all_ms"), milliseconds(began));
    if read != entries {
        return Err(format!("{read} of {entries} entries could be read").into());
    }

    let write = |store: &Store, title: String, number: usize| -> Result<(), Failure> {
        let mut transaction = store.begin(&Owner::machine("eval"), now())?;
        transaction.create(entry(Kind::ALL[number % 12], &title, number))?;
        transaction.commit(&CommitOptions::default())?;
        Ok(())
    };
    let cold =
        samples(runs, |number| write(&Store::open(&scope)?, format!("written cold {number}"), number))?;
    report.set_number(&name("write_ms"), at(&cold, 0.5));
    report.set_number(&name("write_p95_ms"), at(&cold, 0.95));
    let warm = samples(runs, |number| write(&store, format!("written warm {number}"), number))?;
    report.set_number(&name("write_warm_ms"), at(&warm, 0.5));

    let began = Instant::now();
    let wrong = regenerate(&Store::open(&scope)?)?;
    report.set_number(&name("regenerate_ms"), milliseconds(began));
    report.set(&name("lists_changed_by_regeneration"), wrong);
    Ok(())
}

/// Puts entries into a base as a clone would bring them, without a transaction for each.
fn fill(root: &Path, entries: usize) -> Result<(), Failure> {
    for number in 0..entries {
        let kind = Kind::ALL[number % Kind::ALL.len()];
        let entry = entry(kind, &format!("subject {number} of the base"), number);
        let folder = match kind {
            Kind::Signal => root.join(kind.topic()).join(&entry.id.as_str()[4..11]),
            _ => root.join(kind.topic()),
        };
        std::fs::create_dir_all(&folder)?;
        let text = lore_store::format::with_hash(&lore_store::format::write(&entry));
        std::fs::write(folder.join(entry.id.slug()).with_extension("md"), text)?;
    }
    Ok(())
}

/// Makes all lists again and says how many of them were not as they should be.
fn regenerate(store: &Store) -> Result<usize, Failure> {
    let transaction = store.begin(&Owner::machine("eval"), now())?;
    let options = CommitOptions { lists: Lists::All, ..CommitOptions::default() };
    Ok(transaction.commit(&options)?.files.len())
}

fn samples(count: usize, mut run: impl FnMut(usize) -> Result<(), Failure>) -> Result<Vec<f64>, Failure> {
    let mut taken = Vec::with_capacity(count);
    for number in 0..count {
        let began = Instant::now();
        run(number)?;
        taken.push(milliseconds(began));
    }
    taken.sort_by(f64::total_cmp);
    Ok(taken)
}

fn at(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}

fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}

fn base() -> Result<TempDir, Failure> {
    let temp = TempDir::with_prefix("lore-evals-store-")?;
    Store::init(&Scope::at(temp.path()))?;
    Ok(temp)
}

fn worker(project: &Path, name: usize, count: usize) -> Result<Child, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("store-worker").arg("--data").arg(project);
    command.args(["--set", &format!("name={name}"), "--set", &format!("count={count}")]);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?)
}

fn now() -> Timestamp {
    "2026-02-20T12:00:00Z".parse().unwrap_or_default()
}

fn id(kind: Kind, title: &str, number: usize) -> EntryId {
    let (month, day) = (number / 28 % 12 + 1, number % 28 + 1);
    EntryId::new(kind, jiff::civil::date(2025, month as i8, day as i8), title)
}

/// Makes an entry of the size entries have.
fn entry(kind: Kind, title: &str, number: usize) -> Entry {
    let sentence = "One paragraph says what is known, and another where it was said and by whom.";
    Entry {
        description: Some(format!("What is known about {title}, in one sentence for lists.")),
        tags: ["storage", "auth/jwt", "build", "testing"]
            .iter()
            .map(|tag| (*tag).to_owned())
            .take(1 + number % 4)
            .collect(),
        confidence: Confidence::ALL.get(number % 4).copied(),
        created: Some(lore_core::Moment::Day(id(kind, title, number).date().unwrap_or_default())),
        files: vec![format!("src/part_{}/file.rs", number % 50)],
        links: vec![Link::new(LinkKind::Related, id(kind, "neighbour", number + 1).as_str())],
        sources: (0..2)
            .map(|line| {
                Source::session_line(
                    "claude",
                    &lore_core::SessionId::new(format!("s-{number}")),
                    line + 1,
                    Voice::Person,
                )
            })
            .collect(),
        body: format!(
            "{sentence} {sentence}\n\n## Context\n\n{sentence} {sentence}\n\n## Related\n\n{sentence}\n"
        ),
        ..Entry::new(id(kind, title, number), kind, title)
    }
}
