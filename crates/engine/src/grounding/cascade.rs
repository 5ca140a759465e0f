//! Asking sources one after the other or side by side, none longer than it may take.
//!
//! A source that hangs is left behind: its thread ends with the program, its answer is not waited for.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lore_ground::findings::{CERTAIN, Code, Finding, HIGH};
use lore_ground::router::SourceKind;
use serde::{Deserialize, Serialize};

use crate::onlooker::Watched;

/// So often it is looked whether anybody still waits.
const GLANCE: Duration = Duration::from_millis(50);

/// Somewhere an answer can come from. What it is asked holds no secret any more.
pub trait GroundSource: Send + Sync {
    /// Which one it is.
    fn kind(&self) -> SourceKind;
    /// Looks for an answer; finding nothing is not a failure.
    fn ask(&self, question: &str) -> Result<Vec<Finding>, SourceFailure>;
}

/// Why a source gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceFailure {
    /// Nobody set it up, which is not an error.
    #[error("{0}")]
    Absent(String),
    /// It was tried.
    #[error("{0}")]
    Failed(String),
    /// It says itself that it took too long.
    #[error("{0}")]
    TimedOut(String),
}

/// What became of asking one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The source.
    pub source: SourceKind,
    /// `answered`, `nothing`, `failed`, `timed-out` or `absent`.
    pub outcome: AskedOutcome,
    /// Why, where it gave no answer.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub why: String,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

/// How asking a source ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskedOutcome {
    /// It said something.
    Answered,
    /// It looked and found nothing.
    Nothing,
    /// It could not look.
    Failed,
    /// It took too long.
    TimedOut,
    /// It is not set up.
    Absent,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// After the first that says anything.
    FirstAnswer,
    /// After the first that is sure.
    Sure,
    /// When all have been asked; side by side.
    Never,
}

/// What all sources together said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cascaded {
    /// What they found, in the order they were asked.
    pub findings: Vec<Finding>,
    /// What became of each.
    pub asked: Vec<Asked>,
}

impl Cascaded {
    /// Says what was noticed: time-outs, and that nobody could answer.
    pub fn codes(&self) -> Vec<Code> {
        let tried: Vec<&Asked> =
            self.asked.iter().filter(|asked| asked.outcome != AskedOutcome::Absent).collect();
        let went_wrong =
            |asked: &&&Asked| matches!(asked.outcome, AskedOutcome::Failed | AskedOutcome::TimedOut);
        let mut codes = Vec::new();
        if tried.iter().filter(went_wrong).count() == tried.len() {
            codes.push(Code::AllFailed);
        }
        if tried.iter().any(|asked| asked.outcome == AskedOutcome::TimedOut) {
            codes.push(Code::TimedOut);
        }
        codes
    }
}

type Reply = (usize, Duration, Result<Vec<Finding>, SourceFailure>);

/// Asks sources in their order within a time.
pub(crate) fn cascade(
    sources: &[Arc<dyn GroundSource>],
    question: &str,
    stop: Stop,
    limit: Duration,
    watched: &Watched,
) -> Cascaded {
    let began = Instant::now();
    let mut done = Cascaded::default();
    if stop == Stop::Never {
        let (send, receive) = mpsc::channel();
        for (at, source) in sources.iter().enumerate() {
            start(source, at, question, &send);
        }
        drop(send);
        let mut replies: Vec<Option<Reply>> = sources.iter().map(|_| None).collect();
        while replies.iter().any(Option::is_none) {
            let left = limit.saturating_sub(began.elapsed());
            match patient(&receive, left, watched) {
                Some(reply) => {
                    let at = reply.0;
                    replies[at] = Some(reply);
                    let answered = replies.iter().filter(|reply| reply.is_some()).count();
                    watched.at(answered as u64, sources.len() as u64, "asking sources");
                }
                None => break,
            }
        }
        for (source, reply) in sources.iter().zip(replies) {
            note(&mut done, source.kind(), reply, limit);
        }
        return done;
    }
    let mut waiting: VecDeque<&Arc<dyn GroundSource>> = sources.iter().collect();
    while let Some(source) = waiting.pop_front() {
        if watched.is_gone() {
            break;
        }
        watched.at((sources.len() - waiting.len() - 1) as u64, sources.len() as u64, source.kind().word());
        // Whoever hangs must leave time for those behind.
        let left = limit.saturating_sub(began.elapsed());
        let share = left / u32::try_from(waiting.len() + 1).unwrap_or(1);
        let (send, receive) = mpsc::channel();
        start(source, 0, question, &send);
        let reply = patient(&receive, share, watched);
        let sure = note(&mut done, source.kind(), reply, share);
        let answered = done.asked.last().is_some_and(|asked| asked.outcome == AskedOutcome::Answered);
        if (stop == Stop::FirstAnswer && answered) || (stop == Stop::Sure && sure >= HIGH) {
            break;
        }
    }
    done
}

/// Waits for a reply, but not for longer than somebody waits for us.
fn patient(receive: &mpsc::Receiver<Reply>, limit: Duration, watched: &Watched) -> Option<Reply> {
    let began = Instant::now();
    loop {
        let left = limit.saturating_sub(began.elapsed());
        match receive.recv_timeout(left.min(GLANCE)) {
            Ok(reply) => return Some(reply),
            Err(mpsc::RecvTimeoutError::Timeout) if left > GLANCE && !watched.is_gone() => {}
            Err(_) => return None,
        }
    }
}

fn start(source: &Arc<dyn GroundSource>, at: usize, question: &str, send: &mpsc::Sender<Reply>) {
    let (source, question, send) = (Arc::clone(source), question.to_owned(), send.clone());
    std::thread::spawn(move || {
        let began = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| source.ask(&question)))
            .unwrap_or_else(|_| Err(SourceFailure::Failed("it ended in a panic".to_owned())));
        // Nobody may be waiting any more.
        let _ = send.send((at, began.elapsed(), answer));
    });
}

/// Writes down what became of a source and returns how sure its best answer is.
fn note(done: &mut Cascaded, source: SourceKind, reply: Option<Reply>, waited: Duration) -> f64 {
    let (outcome, why, taken, findings) = match reply {
        None => (
            AskedOutcome::TimedOut,
            format!("no answer within {:.1} s", waited.as_secs_f64()),
            waited,
            Vec::new(),
        ),
        Some((_, taken, Ok(findings))) if findings.is_empty() => {
            (AskedOutcome::Nothing, String::new(), taken, findings)
        }
        Some((_, taken, Ok(findings))) => (AskedOutcome::Answered, String::new(), taken, findings),
        Some((_, taken, Err(SourceFailure::Absent(why)))) => (AskedOutcome::Absent, why, taken, Vec::new()),
        Some((_, taken, Err(SourceFailure::TimedOut(why)))) => {
            (AskedOutcome::TimedOut, why, taken, Vec::new())
        }
        Some((_, taken, Err(SourceFailure::Failed(why)))) => (AskedOutcome::Failed, why, taken, Vec::new()),
    };
    // What a source says about itself is not believed: it speaks for itself alone, and never with certainty.
    let findings: Vec<Finding> = findings
        .into_iter()
        .map(|finding| Finding { source, confidence: finding.confidence.clamp(0.0, CERTAIN), ..finding })
        .collect();
    let best = findings.iter().map(|finding| finding.confidence).fold(0.0, f64::max);
    let millis = u64::try_from(taken.as_millis()).unwrap_or(u64::MAX);
    done.asked.push(Asked { source, outcome, why, millis });
    done.findings.extend(findings);
    best
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::Receiver;

    use super::*;

    /// A source that says what it was told to say.
    struct Said(SourceKind, Result<Vec<Finding>, SourceFailure>);

    impl GroundSource for Said {
        fn kind(&self) -> SourceKind {
            self.0
        }
        fn ask(&self, _: &str) -> Result<Vec<Finding>, SourceFailure> {
            self.1.clone()
        }
    }

    /// A source that never answers: it waits for what nobody sends.
    struct Hangs(SourceKind, Mutex<Receiver<()>>);

    impl GroundSource for Hangs {
        fn kind(&self) -> SourceKind {
            self.0
        }
        fn ask(&self, _: &str) -> Result<Vec<Finding>, SourceFailure> {
            let _ = self.1.lock().map(|waiting| waiting.recv());
            Ok(Vec::new())
        }
    }

    struct Panics;

    impl GroundSource for Panics {
        fn kind(&self) -> SourceKind {
            SourceKind::Web
        }
        fn ask(&self, _: &str) -> Result<Vec<Finding>, SourceFailure> {
            panic!("a lying source")
        }
    }

    fn says(kind: SourceKind, confidence: f64) -> Arc<dyn GroundSource> {
        let finding = Finding {
            source: SourceKind::Repo,
            text: "x".to_owned(),
            confidence,
            at: "a:1".to_owned(),
            how: "passage".to_owned(),
        };
        Arc::new(Said(kind, Ok(vec![finding])))
    }

    fn fails(kind: SourceKind) -> Arc<dyn GroundSource> {
        Arc::new(Said(kind, Err(SourceFailure::Failed("refused".to_owned()))))
    }

    fn outcomes(done: &Cascaded) -> Vec<AskedOutcome> {
        done.asked.iter().map(|asked| asked.outcome).collect()
    }

    fn cascade(sources: &[Arc<dyn GroundSource>], question: &str, stop: Stop, limit: Duration) -> Cascaded {
        super::cascade(sources, question, stop, limit, &Watched::default())
    }

    const SECOND: Duration = Duration::from_secs(20);

    #[test]
    fn a_sure_source_ends_the_round_and_an_unsure_one_does_not() {
        let sources =
            [says(SourceKind::Repo, 0.5), says(SourceKind::History, 0.9), says(SourceKind::Web, 0.9)];
        let done = cascade(&sources, "q", Stop::Sure, SECOND);
        assert_eq!(done.asked.len(), 2);
        assert_eq!(cascade(&sources, "q", Stop::FirstAnswer, SECOND).asked.len(), 1);
        assert_eq!(cascade(&sources, "q", Stop::Never, SECOND).asked.len(), 3);
    }

    #[test]
    fn a_failing_or_absent_source_hands_on_to_the_next() {
        let absent: Arc<dyn GroundSource> =
            Arc::new(Said(SourceKind::Web, Err(SourceFailure::Absent("off".to_owned()))));
        let done = cascade(
            &[absent, fails(SourceKind::History), says(SourceKind::Repo, 0.6)],
            "q",
            Stop::Sure,
            SECOND,
        );
        assert_eq!(outcomes(&done), [AskedOutcome::Absent, AskedOutcome::Failed, AskedOutcome::Answered]);
        assert!(done.codes().is_empty());
        let done = cascade(&[fails(SourceKind::Repo), fails(SourceKind::History)], "q", Stop::Sure, SECOND);
        assert_eq!(done.codes(), [Code::AllFailed]);
    }

    #[test]
    fn a_hanging_source_leaves_the_others_their_time() {
        for stop in [Stop::Sure, Stop::Never] {
            let (keep, wait) = mpsc::channel();
            let hangs: Arc<dyn GroundSource> = Arc::new(Hangs(SourceKind::Repo, Mutex::new(wait)));
            let done =
                cascade(&[hangs, says(SourceKind::History, 0.6)], "q", stop, Duration::from_millis(400));
            assert_eq!(outcomes(&done), [AskedOutcome::TimedOut, AskedOutcome::Answered], "{stop:?}");
            assert_eq!(done.codes(), [Code::TimedOut]);
            drop(keep);
        }
    }

    #[test]
    fn a_lying_source_speaks_for_itself_and_is_never_certain() {
        let done = cascade(&[says(SourceKind::Web, 7.0)], "q", Stop::Never, SECOND);
        assert_eq!((done.findings[0].source, done.findings[0].confidence), (SourceKind::Web, 0.95));
        let done = cascade(&[Arc::new(Panics)], "q", Stop::Never, SECOND);
        assert_eq!(outcomes(&done), [AskedOutcome::Failed]);
    }
}
