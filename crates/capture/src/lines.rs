//! Lines of a file of any size, in memory that depends on neither the file nor its longest line.

use std::fmt;
use std::io::{self, Read};

use lore_core::{Diagnostic, Level};
use memchr::memchr;

/// Small enough to stay in the processor's cache between being filled and being read.
const CHUNK: usize = 1 << 16;

/// One line without its line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'b> {
    /// Counted from one; empty lines count.
    pub number: u32,
    /// Where it begins in the (uncompressed) source.
    pub offset: u64,
    /// The bytes, without a line end, a byte order mark and leading NULs.
    pub bytes: &'b [u8],
    /// Whether a line feed ended it; the last line of a file being written may be torn.
    pub ended: bool,
}

/// Scans lines; over-long ones are skipped while streaming and remembered.
pub struct Lines<'a> {
    source: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    searched: usize,
    at_end: bool,
    number: u32,
    offset: u64,
    limit: usize,
    skipped: Vec<(u32, u64)>,
    broken: Option<io::Error>,
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines")
            .field("number", &self.number)
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

impl<'a> Lines<'a> {
    /// Scans a source, skipping lines longer than `limit` bytes.
    pub fn new(source: impl Read + 'a, limit: usize) -> Lines<'a> {
        Lines {
            source: Box::new(source),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            searched: 0,
            at_end: false,
            number: 0,
            offset: 0,
            limit: limit.max(1),
            skipped: Vec::new(),
            broken: None,
        }
    }

    /// Returns the next line that is not empty, or nothing at the end (or where reading broke off).
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        loop {
            let (mut from, mut to, ended) = self.advance()?;
            if self.buffer[from..to].ends_with(b"\r") {
                to -= 1;
            }
            let bytes = &self.buffer[from..to];
            let bytes = if self.number == 1 { trim_start_of_file(bytes) } else { trim_nuls(bytes) };
            from = to - bytes.len();
            if from < to {
                let offset = self.offset - (self.start - from) as u64;
                return Some(Line { number: self.number, offset, bytes: &self.buffer[from..to], ended });
            }
        }
    }

    /// Counts the lines seen so far, the skipped ones included.
    pub fn count(&self) -> u32 {
        self.number
    }

    /// Returns where the next line begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Says what was skipped and where reading broke off.
    pub fn diagnostics(&self, file: &str) -> Vec<Diagnostic> {
        let skipped = self.skipped.iter().map(|(number, length)| {
            let message = format!("the line has {length} bytes, more than are read, and was skipped");
            Diagnostic::new(Level::Warning, "line-too-long", file, message).at_line(*number)
        });
        let broken = self.broken.iter().map(|error| {
            let message = format!("reading broke off: {error}");
            Diagnostic::new(Level::Error, "read-broke-off", file, message).at_line(self.number + 1)
        });
        skipped.chain(broken).collect()
    }

    /// Moves to the next line within the limit and returns where it stands in the buffer.
    fn advance(&mut self) -> Option<(usize, usize, bool)> {
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[self.searched..self.end]) {
                let to = self.searched + at;
                return Some(self.take(to, to + 1, true));
            }
            self.searched = self.end;
            if self.at_end {
                let rest = self.start < self.end;
                return rest.then(|| self.take(self.end, self.end, false));
            }
            if self.end - self.start > self.limit {
                self.skip_line();
            } else {
                self.fill();
            }
        }
    }

    fn take(&mut self, to: usize, next: usize, ended: bool) -> (usize, usize, bool) {
        let from = self.start;
        self.offset += (next - from) as u64;
        self.start = next;
        self.searched = next;
        self.number = self.number.saturating_add(1);
        (from, to, ended)
    }

    /// Drops the rest of an over-long line without keeping it.
    fn skip_line(&mut self) {
        let mut length = (self.end - self.start) as u64;
        self.start = 0;
        self.end = 0;
        self.searched = 0;
        loop {
            self.fill();
            if let Some(at) = memchr(b'\n', &self.buffer[..self.end]) {
                length += at as u64;
                self.offset += length + 1;
                self.start = at + 1;
                self.searched = at + 1;
                break;
            }
            length += self.end as u64;
            self.end = 0;
            if self.at_end {
                self.offset += length;
                break;
            }
        }
        self.number = self.number.saturating_add(1);
        // A file of nothing but giant lines must not fill the list either.
        if self.skipped.len() < 1000 {
            self.skipped.push((self.number, length));
        }
    }

    fn fill(&mut self) {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < self.end + CHUNK / 2 {
            let grown = (self.buffer.len() * 2).clamp(CHUNK, self.limit.saturating_add(2 * CHUNK));
            self.buffer.resize(grown.max(self.end + CHUNK / 2), 0);
        }
        match self.source.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.at_end = true,
            Ok(length) => self.end += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                self.at_end = true;
                self.broken = Some(error);
            }
        }
    }
}

/// Strips a byte order mark and NULs in front of a file.
pub(crate) fn trim_start_of_file(bytes: &[u8]) -> &[u8] {
    let bytes = trim_nuls(bytes);
    trim_nuls(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

fn trim_nuls(bytes: &[u8]) -> &[u8] {
    let nuls = bytes.iter().take_while(|byte| **byte == 0).count();
    &bytes[nuls..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &[u8], limit: usize) -> Vec<(u32, u64, String, bool)> {
        let mut lines = Lines::new(text, limit);
        let mut out = Vec::new();
        while let Some(line) = lines.next_line() {
            let text = String::from_utf8_lossy(line.bytes).into_owned();
            out.push((line.number, line.offset, text, line.ended));
        }
        out
    }

    #[test]
    fn lines_have_numbers_and_places() {
        let check = |text: &[u8], expected: &[(u32, u64, &str, bool)]| {
            let expected: Vec<_> =
                expected.iter().map(|(n, o, t, e)| (*n, *o, (*t).to_owned(), *e)).collect();
            assert_eq!(all(text, 100), expected, "{text:?}");
        };
        check(b"", &[]);
        check(b"one\ntwo\n", &[(1, 0, "one", true), (2, 4, "two", true)]);
        check(b"one\r\n\ntorn", &[(1, 0, "one", true), (3, 6, "torn", false)]);
        check(b"\xef\xbb\xbfone\n\0\0two\n", &[(1, 3, "one", true), (2, 9, "two", true)]);
    }

    /// Gives out one long line after another without ever holding one.
    struct Endless {
        left: u64,
        line: u64,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = (buffer.len() as u64).min(self.left) as usize;
            buffer[..length].fill(b'x');
            // Line ends stand where what is left is a multiple of the line's length.
            let mut at = (self.left % self.line) as usize;
            while at < length {
                buffer[at] = b'\n';
                at += self.line as usize;
            }
            self.left -= length as u64;
            Ok(length)
        }
    }

    #[test]
    fn giant_lines_are_skipped_without_being_held() {
        let source = Endless { left: 200 << 20, line: 50 << 20 };
        let mut lines = Lines::new(source, 4 << 20);
        assert!(lines.next_line().is_none());
        assert_eq!(lines.diagnostics("x").len(), 4, "{lines:?}");
        assert_eq!(lines.offset(), 200 << 20);
        assert!(lines.buffer.len() <= 8 << 20, "{}", lines.buffer.len());
    }

    proptest! {
        #[test]
        fn every_line_is_found_at_its_place(text in prop::collection::vec(
            prop::sample::select(vec![b'a', b'b', b'\n', b'\r', 0u8]), 0..200), limit in 1usize..30) {
            for (number, offset, line, _) in all(&text, limit) {
                let at = offset as usize;
                prop_assert_eq!(&text[at..at + line.len()], line.as_bytes());
                let before = text[..at].iter().filter(|b| **b == b'\n').count();
                prop_assert_eq!(number as usize, before + 1);
            }
        }
    }
}
