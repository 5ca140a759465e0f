//! Reads what coding agents leave behind into one agent-neutral session.
