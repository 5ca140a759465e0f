//! The truth: Markdown in git, and the only code that writes it.

pub mod format;
