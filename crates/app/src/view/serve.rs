//! `lore view --serve`: the page with a person's decisions, on this machine only, until Ctrl-C.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lore_core::ContentHash;
use lore_engine::Engine;
use lore_engine::review::Ruling;
use lore_engine::view::ViewOptions;
use serde::Deserialize;

use super::http::{BadRequest, HttpAnswer, HttpRequest, JSON};
use super::{Reading, data, page, policy};
use crate::error::Failure;
use crate::loopback::{Knock, Loopback};

/// So long a caller may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);
/// So many callers are heard at once; a browser needs six.
const CALLERS: usize = 32;

/// What a person decided on the page.
#[derive(Debug, Deserialize)]
struct Decided {
    /// The entry.
    entry: String,
    /// Which text of it the page showed.
    version: Option<String>,
    #[serde(flatten)]
    ruling: Ruling,
}

/// Answers callers until the program is ended.
pub(crate) fn serve(
    engine: &Engine,
    listener: &TcpListener,
    door: &Loopback,
    options: ViewOptions,
) -> Result<(), Failure> {
    let desk = Desk { engine, door, options, deciding: Mutex::new(()) };
    let callers = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            if callers.fetch_add(1, Ordering::Relaxed) >= CALLERS {
                callers.fetch_sub(1, Ordering::Relaxed);
                let _ = HttpAnswer::refusal(503, "too many callers at once").write(&mut stream);
                continue;
            }
            let (desk, callers) = (&desk, &callers);
            scope.spawn(move || {
                desk.hear(stream);
                callers.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
    Ok(())
}

struct Desk<'a> {
    engine: &'a Engine,
    door: &'a Loopback,
    options: ViewOptions,
    /// One decision after the other.
    deciding: Mutex<()>,
}

impl Desk<'_> {
    fn hear(&self, mut stream: TcpStream) {
        let _ = stream.set_read_timeout(Some(PATIENCE)).and(stream.set_write_timeout(Some(PATIENCE)));
        let answer = match HttpRequest::read(&mut stream) {
            Ok(request) => self.answer(&request),
            Err(BadRequest::Silence) => return,
            Err(BadRequest::TooLarge) => HttpAnswer::refusal(413, "that is too large"),
            Err(BadRequest::Malformed) => HttpAnswer::refusal(400, "that is not understood"),
        };
        if let Err(error) = answer.write(&mut stream).and_then(|()| stream.flush()) {
            tracing::debug!(%error, "a caller went away");
        }
    }

    /// Answers a request of somebody who may come in.
    fn answer(&self, request: &HttpRequest) -> HttpAnswer {
        let (secret, path) = split(&request.path);
        let knock = Knock {
            host: request.field("host"),
            // An origin that stands there twice is a foreign one.
            origin: request.origin(),
            secret: Some(secret),
        };
        if let Err(refused) = self.door.allowed(knock) {
            return HttpAnswer::refusal(403, refused.sentence());
        }
        let answer = match (request.method.as_str(), path) {
            ("GET", Some("")) => self.page(),
            ("GET", Some("view.json")) => self.data(request.field("if-none-match")),
            ("POST", Some("review")) => Ok(self.review(request)),
            ("GET", None) => Ok(HttpAnswer::refusal(308, "").with("Location", format!("/{secret}/"))),
            (_, Some("" | "view.json" | "review")) => Ok(HttpAnswer::refusal(405, "not in this way")),
            _ => Ok(HttpAnswer::refusal(404, "there is nothing here")),
        };
        answer.unwrap_or_else(|failure| told(500, &failure))
    }

    fn page(&self) -> Result<HttpAnswer, Failure> {
        let view = self.engine.at_present()?.base_view(self.options)?;
        let policy = format!("{}; frame-ancestors 'none'", policy(Reading::Served));
        let page = page(&view, Reading::Served)?;
        Ok(HttpAnswer::new(200, "text/html; charset=utf-8", page).with("Content-Security-Policy", policy))
    }

    /// Returns the base as it is now, or that it is as the caller knows it.
    fn data(&self, known: Option<&str>) -> Result<HttpAnswer, Failure> {
        let data = data(&self.engine.at_present()?.base_view(self.options)?)?;
        let tag = format!("\"{}\"", ContentHash::of(data.as_bytes()).short());
        let answer = if known == Some(tag.as_str()) {
            HttpAnswer::new(304, JSON, "")
        } else {
            HttpAnswer::new(200, JSON, data)
        };
        Ok(answer.with("ETag", tag))
    }

    /// Does what a person decided, by the same calls as `lore review`.
    fn review(&self, request: &HttpRequest) -> HttpAnswer {
        // A form of another page cannot send this kind without being asked about first.
        let is_json = request.field("content-type").is_some_and(|kind| kind.starts_with("application/json"));
        if !is_json {
            return HttpAnswer::refusal(415, "a decision is JSON");
        }
        let Ok(decided) = serde_json::from_slice::<Decided>(&request.body) else {
            return HttpAnswer::refusal(400, "that is no decision");
        };
        if matches!(decided.ruling, Ruling::Merge { .. } | Ruling::Supersede { .. }) {
            return HttpAnswer::refusal(400, "that is decided with `lore review`");
        }
        // Nobody chooses what they did not read.
        if matches!(decided.ruling, Ruling::Settle { says: None, .. }) {
            return HttpAnswer::refusal(400, "what the chosen side says is missing");
        }
        let Some(version) = decided.version else {
            return HttpAnswer::refusal(400, "which text of it was shown is missing: load the page again");
        };
        let _one_by_one = self.deciding.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match self.decide(&decided.entry, &decided.ruling, &version) {
            Ok(body) => HttpAnswer::new(200, JSON, body),
            Err(failure) => told(409, &failure),
        }
    }

    fn decide(&self, entry: &str, ruling: &Ruling, shown: &str) -> Result<String, Failure> {
        let engine = self.engine.at_present()?;
        let done = engine.review_shown(entry, ruling, shown)?;
        Ok(serde_json::json!({ "schema": "lore.reviewed/1", "reviewed": [done] }).to_string())
    }
}

/// Takes the secret off a path; what follows is nothing where not even a slash does.
fn split(path: &str) -> (&str, Option<&str>) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or((path, None), |(secret, rest)| (secret, Some(rest)))
}

fn told(status: u16, failure: &Failure) -> HttpAnswer {
    HttpAnswer::new(status, JSON, failure.as_json().to_string())
}
