//! What was committed lately: messages and files.

use jiff::Timestamp;

use super::{Git, GitError};

/// A commit with its message and its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentCommit {
    /// Its id.
    pub id: String,
    /// When it was made.
    pub at: Option<Timestamp>,
    /// The whole message.
    pub message: String,
    /// Files it changed.
    pub files: Vec<String>,
}

impl Git {
    /// Lists the last commits, newest first, without merges.
    pub fn recent(&self, most: usize) -> Result<Vec<RecentCommit>, GitError> {
        let count = format!("--max-count={most}");
        let format = "--format=%x1e%H%x1f%ct%x1f%B%x1f";
        let text =
            self.ask(&["log", "--no-merges", "--no-renames", "--name-only", &count, format, "HEAD"])?;
        Ok(text.split('\u{1e}').filter_map(parse).collect())
    }
}

fn parse(record: &str) -> Option<RecentCommit> {
    let mut fields = record.splitn(4, '\u{1f}');
    let id = fields.next().map(str::trim).filter(|id| !id.is_empty())?.to_owned();
    let at = fields.next()?.trim().parse().ok().and_then(|second| Timestamp::from_second(second).ok());
    let message = fields.next()?.trim().to_owned();
    let files = fields.next().unwrap_or_default().lines().map(str::trim);
    let files = files.filter(|file| !file.is_empty()).map(str::to_owned).collect();
    Some(RecentCommit { id, at, message, files })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_apart() {
        let record =
            "abc\u{1f}1700000000\u{1f}fix: rope\n\nResolves: sig-1\n\u{1f}\n\nsrc/rope.rs\nsrc/pier.rs\n";
        let commit = parse(record).expect("is a commit");
        assert_eq!((commit.id.as_str(), commit.message.lines().count()), ("abc", 3));
        assert_eq!(commit.files, ["src/rope.rs", "src/pier.rs"]);
        assert_eq!(parse("\n"), None);
    }
}
