//! `lore mcp`

use super::{Global, Outcome};
use crate::error::{Code, Failure};
use crate::mcp::{Server, serve};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: claude mcp add lore -- lore mcp")]
pub(super) struct Args {}

pub(super) fn run(global: &Global) -> Outcome {
    let server = Server::new(global.world()?, global.personal);
    serve(server).map_err(|error| Failure::environment("the client could not be served", &error))?;
    Ok(Code::Done)
}
