//! The truth: Markdown in git, and the only code that writes it.
