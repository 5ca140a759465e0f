//! What the store promises, feature by feature.

mod format;
mod import;
