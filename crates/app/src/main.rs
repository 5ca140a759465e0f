//! The lore binary: command line and MCP.
fn main() {}
