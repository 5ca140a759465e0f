//! Whoever waits is told how far it is, and what nobody waits for any more is not finished.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use lore_engine::grounding::{GroundOptions, GroundSource, SourceFailure};
use lore_engine::impact::ImpactOptions;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Error, Onlooker};
use lore_ground::findings::Finding;
use lore_ground::router::SourceKind;

use crate::stage::{MONEY, Stage};

/// Somebody who leaves after hearing something so many times.
struct Leaves {
    after: u64,
    heard: AtomicU64,
    doing: Mutex<Vec<String>>,
}

impl Leaves {
    fn after(after: u64) -> Arc<Leaves> {
        Arc::new(Leaves { after, heard: AtomicU64::new(0), doing: Mutex::default() })
    }

    fn heard(&self) -> u64 {
        self.heard.load(Ordering::SeqCst)
    }
}

impl Onlooker for Leaves {
    fn at(&self, _: u64, _: u64, doing: &str) {
        self.heard.fetch_add(1, Ordering::SeqCst);
        self.doing.lock().expect("nobody panics").push(doing.to_owned());
    }

    fn is_gone(&self) -> bool {
        self.heard() >= self.after
    }
}

fn filter() -> SessionFilter {
    SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() }
}

#[test]
fn reading_sessions_is_called_off_and_nothing_is_taken_for_read() {
    let stage = Stage::new();
    for number in 0..40 {
        stage.session(&format!("s-{number}"), number, MONEY);
    }
    let leaves = Leaves::after(2);
    let engine = stage.engine().watched_by(leaves.clone());
    assert!(matches!(engine.next_packet(&filter(), None), Err(Error::CalledOff)));
    assert!(leaves.heard() < 20, "it went on: {}", leaves.heard());
    let stays = Leaves::after(u64::MAX);
    let engine = stage.engine().watched_by(stays.clone());
    let handed = engine.next_packet(&filter(), None).expect("somebody waits");
    assert!(handed.packet.is_some(), "what was not read waits still");
    assert!(stays.doing.lock().expect("nobody panics").contains(&"reading sessions".to_owned()));
}

#[test]
fn a_scan_is_called_off_between_two_portions() {
    let stage = Stage::with_git();
    for number in 0..600 {
        stage.repo.write(&format!("src/part{number}.rs"), format!("pub fn booking_{number}() {{}}\n"));
    }
    let leaves = Leaves::after(1);
    let options = ImpactOptions::new("Move the bookings to another table");
    let watched = stage.engine().watched_by(leaves.clone());
    assert!(matches!(watched.impact(&options), Err(Error::CalledOff)));
    assert!(!stage.engine().impact(&options).expect("somebody waits").files.is_empty());
}

/// A source that answers only when the test ends.
struct Hangs(Mutex<mpsc::Receiver<()>>);

impl GroundSource for Hangs {
    fn kind(&self) -> SourceKind {
        SourceKind::Repo
    }

    fn ask(&self, _: &str) -> Result<Vec<Finding>, SourceFailure> {
        let _ = self.0.lock().map(|wait| wait.recv());
        Ok(Vec::new())
    }
}

#[test]
fn a_question_that_nobody_waits_for_is_left_and_its_answer_not_kept() {
    let stage = Stage::new();
    let (keep, wait) = mpsc::channel::<()>();
    let hangs: Arc<dyn GroundSource> = Arc::new(Hangs(Mutex::new(wait)));
    let mut options = GroundOptions::new("where do bookings live?");
    options.limit = Some(Duration::from_secs(600));
    let began = Instant::now();
    let engine = stage.engine().watched_by(Leaves::after(1));
    let outcome = engine.ground_with(&options, &|_| vec![Arc::clone(&hangs)]);
    assert!(matches!(outcome, Err(Error::CalledOff)));
    assert!(began.elapsed() < Duration::from_secs(120), "it waited for the source");
    drop(keep);
    let again =
        stage.engine().ground(&GroundOptions::new("where do bookings live?")).expect("somebody waits");
    assert!(!again.cached, "half an answer is none");
}
