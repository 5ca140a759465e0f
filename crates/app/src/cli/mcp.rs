//! `lore mcp`

use lore_engine::token::kept_token;

use super::{Global, Outcome};
use crate::error::{Code, Failure};
use crate::loopback::Loopback;
use crate::mcp::{PATH, Server, serve, serve_http};
use crate::ui::{Tone, Ui, paint};

/// The file below the user's data folder that keeps the token.
const TOKEN: &str = "mcp-token";
/// The port that is tried where none is named: settings of clients stay right.
const PORT: u16 = 5673;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  claude mcp add lore -- lore mcp\n  lore mcp --http\n  claude mcp add --transport http lore http://127.0.0.1:5673/mcp --header \"Authorization: Bearer $(cat ~/.local/share/lore/mcp-token)\""
)]
pub(super) struct Args {
    /// Serve over HTTP on this machine instead of standard input and output
    #[arg(long)]
    http: bool,
    /// Port to serve at; 0 finds a free one
    #[arg(long, value_name = "N", default_value_t = PORT, requires = "http")]
    port: u16,
    /// Make a new token, so that programs with the old one are turned away
    #[arg(long, requires = "http")]
    new_token: bool,
}

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let world = global.world()?;
    let failed = |error: &std::io::Error| Failure::environment("the client could not be served", error);
    if !args.http {
        serve(Server::new(world, global.personal)).map_err(|error| failed(&error))?;
        return Ok(Code::Done);
    }
    let (listener, door) = Loopback::open(args.port)?;
    let kept = kept_token(&world, TOKEN, door.secret(), args.new_token)?;
    let door = door.with_secret(kept.token.clone());
    let address = format!("{}{PATH}", door.address());
    if ui.is_json() {
        let mut told = serde_json::json!({ "url": address, "token_file": kept.file });
        if kept.is_new {
            told["token"] = kept.token.into();
        }
        ui.json("lore.mcp/1", &told);
    } else {
        ui.line(format!("serving {}, on this machine only", paint(Tone::Strong, &address)));
        if kept.is_new {
            ui.line(format!("token {} (shown this once)", paint(Tone::Name, &kept.token)));
        }
        ui.line(format!(
            "programs send it as `Authorization: Bearer …`; it is kept in {}",
            kept.file.display()
        ));
    }
    serve_http(Server::new(world, global.personal), listener, door).map_err(|error| failed(&error))?;
    Ok(Code::Done)
}
