//! The same use cases for agents, over the Model Context Protocol: on standard input and output, or over HTTP.
//!
//! Each call opens the base anew, so that it sees the present time and what others have written.
//! Standard output belongs to the protocol; nothing else is printed there.

mod answer;
mod asked;
mod edits;
mod fence;
mod given;
mod http;
mod plain;
mod prompts;
mod resources;
mod streams;
mod submitted;
mod tools;
mod waiting;
mod words;
mod work;

use std::io;
use std::sync::Arc;

use lore_engine::told::{Because, Telling};
use lore_engine::{Engine, World};
use rmcp::service::RequestContext;
use rmcp::transport::stdio;
use rmcp::{RoleServer, ServiceExt as _};

pub(crate) use self::http::{PATH, serve_http};
use self::streams::Streams;
use self::waiting::Waiting;

/// How a call finds its base.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    world: World,
    personal: bool,
}

impl Server {
    pub(crate) fn new(world: World, personal: bool) -> Server {
        Server { world, personal }
    }

    /// Runs a use case and writes down what the agent is given.
    async fn give<T, G>(
        &self,
        context: &RequestContext<RoleServer>,
        tool: &'static str,
        asked: String,
        work: impl FnOnce(&Engine) -> Result<T, lore_engine::Error> + Send + 'static,
    ) -> Result<fence::Json<G>, String>
    where
        T: Send + 'static,
        G: From<T> + serde::Serialize + Send + 'static,
    {
        let given = self.with(Some(context), move |engine| {
            let given = G::from(work(engine)?);
            engine.tell(&telling(engine, tool, asked, &given));
            Ok(given)
        });
        given.await.map(fence::Json)
    }

    /// Runs a use case on the base as it is now; what goes wrong is a sentence with hints. A client whose
    /// request it is hears how far it is and may call it off.
    async fn with<T: Send + 'static>(
        &self,
        context: Option<&RequestContext<RoleServer>>,
        work: impl FnOnce(&Engine) -> Result<T, lore_engine::Error> + Send + 'static,
    ) -> Result<T, String> {
        let server = self.clone();
        let waiting = context.map(|context| Arc::new(Waiting::new(context)));
        let task = tokio::task::spawn_blocking(move || {
            let world = server.world.at_present();
            let engine = if server.personal { Engine::open_personal(world) } else { Engine::open(world) };
            // Whoever talks to us here is a program; no person's word comes this way.
            let mut engine = engine.map_err(|error| sentence(&error))?.for_agent("mcp");
            if let Some(waiting) = waiting {
                engine = engine.watched_by(waiting);
            }
            work(&engine).map_err(|error| sentence(&error))
        });
        task.await.map_err(|error| format!("our bug: {error}"))?
    }
}

/// Serves until the client goes away.
pub(crate) fn serve(server: Server) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        let running = server.serve(Streams::new(stdio())).await.map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)
    });
    // Reading standard input cannot be interrupted, so it must not be waited for.
    runtime.shutdown_background();
    outcome.map(|_| ())
}

/// Makes the record of what a tool gave: the text as the client gets it, and what it names.
fn telling<G: serde::Serialize>(engine: &Engine, tool: &str, asked: String, given: &G) -> Telling {
    let value = serde_json::to_value(given).unwrap_or_default();
    let mut because = Vec::new();
    named(&value, &mut because);
    Telling {
        at: engine.world().now,
        session: format!("mcp/{}", std::process::id()),
        event: format!("mcp:{tool}"),
        asked,
        text: value.to_string(),
        because,
    }
}

/// Collects the entries and places that an answer names, with their scores.
fn named(value: &serde_json::Value, because: &mut Vec<Because>) {
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| named(item, because)),
        serde_json::Value::Object(fields) => {
            let source = fields.get("id").or_else(|| fields.get("source")).and_then(|id| id.as_str());
            if let Some(source) = source {
                let score = fields.get("score").and_then(serde_json::Value::as_f64);
                because.push(Because { source: source.to_owned(), why: "match".to_owned(), score });
            }
            let entries = fields.get("entries").and_then(|entries| entries.as_array());
            let ids = entries.into_iter().flatten().filter_map(|id| id.as_str());
            because.extend(ids.map(|id| Because {
                source: id.to_owned(),
                why: "match".to_owned(),
                score: None,
            }));
            fields.values().for_each(|value| named(value, because));
        }
        _ => {}
    }
}

fn sentence(error: &lore_engine::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        text.push_str(&format!(" because {next}"));
        cause = next.source();
    }
    for hint in error.hints() {
        text.push_str(&format!("\nhint: {hint}"));
    }
    let text = words::over_here(&text);
    lore_core::sentinel::clean(&text).into_owned()
}
