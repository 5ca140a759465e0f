//! Other programs' SQLite files, read without leaving a trace and without trusting their schema.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::json::time_of;
use crate::{Input, ReadError};

/// How long we wait while the agent writes.
const PATIENCE: Duration = Duration::from_secs(2);

/// Most bytes of one value that are looked at.
const LARGEST_VALUE: usize = 64 << 20;

/// A database that is only read.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Connection,
    path: PathBuf,
}

/// One row: a value for each column that was asked for, nothing where the table lacks it.
#[derive(Debug)]
pub(crate) struct Row(Vec<Cell>);

#[derive(Debug)]
enum Cell {
    Nothing,
    Number(f64),
    Bytes(Vec<u8>),
}

/// Tells whether the head of a file is that of a SQLite database.
pub(crate) fn is_database(head: &[u8]) -> bool {
    head.starts_with(b"SQLite format 3\0")
}

impl Database {
    /// Opens a database that another program may be writing.
    pub(crate) fn open(input: &Input<'_>) -> Result<Database, ReadError> {
        let refuse = |source| ReadError::Database { path: input.path.to_owned(), source };
        let connection = connect(input.path).map_err(refuse)?;
        connection.busy_timeout(PATIENCE).map_err(refuse)?;
        Ok(Database { connection, path: input.path.to_owned() })
    }

    /// Tells whether there is such a table.
    pub(crate) fn has_table(&self, table: &str) -> bool {
        !self.columns(table).is_empty()
    }

    /// Reads columns of a table; `rest` may hold a condition with `?1` and an order.
    ///
    /// Every column that the table lacks is nothing in every row; a table that is not there has no rows.
    pub(crate) fn rows(
        &self,
        table: &str,
        wanted: &[&str],
        rest: &str,
        parameter: Option<&str>,
    ) -> Result<Vec<Row>, ReadError> {
        let mut rows = Vec::new();
        self.each(table, wanted, rest, parameter, |row| rows.push(row))?;
        Ok(rows)
    }

    /// Does the same without holding the rows.
    pub(crate) fn each(
        &self,
        table: &str,
        wanted: &[&str],
        rest: &str,
        parameter: Option<&str>,
        mut sink: impl FnMut(Row),
    ) -> Result<(), ReadError> {
        let there = self.columns(table);
        if there.is_empty() {
            return Ok(());
        }
        let refuse = |source| ReadError::Database { path: self.path.clone(), source };
        let columns: Vec<String> = wanted
            .iter()
            .map(|column| {
                if there.iter().any(|name| name == column) {
                    format!("\"{column}\"")
                } else {
                    "NULL".to_owned()
                }
            })
            .collect();
        let query = format!("SELECT {} FROM \"{table}\" {rest}", columns.join(", "));
        let mut statement = self.connection.prepare(&query).map_err(refuse)?;
        let mut found = match parameter {
            Some(value) => statement.query([value]),
            None => statement.query([]),
        }
        .map_err(refuse)?;
        while let Some(row) = found.next().map_err(refuse)? {
            let cells = (0..wanted.len()).map(|index| row.get_ref(index).map_or(Cell::Nothing, Cell::from));
            sink(Row(cells.collect()));
        }
        Ok(())
    }

    /// Names the columns of a table.
    fn columns(&self, table: &str) -> Vec<String> {
        let names = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
            let names = statement.query_map([table], |row| row.get(0))?;
            names.collect()
        };
        names().unwrap_or_default()
    }
}

impl Row {
    /// Returns a value as text that is not empty.
    pub(crate) fn text(&self, index: usize) -> Option<String> {
        match self.0.get(index)? {
            Cell::Nothing => None,
            Cell::Number(number) => Some(number.to_string()),
            Cell::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        }
        .filter(|text| !text.is_empty())
    }

    /// Returns a value as bytes.
    pub(crate) fn bytes(&self, index: usize) -> Option<&[u8]> {
        match self.0.get(index)? {
            Cell::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Parses a value as JSON; nothing where it is not.
    pub(crate) fn json(&self, index: usize) -> Option<Value> {
        serde_json::from_slice(self.bytes(index)?).ok()
    }

    /// Reads a value as a time.
    pub(crate) fn time(&self, index: usize) -> Option<Timestamp> {
        match self.0.get(index)? {
            Cell::Nothing => None,
            Cell::Number(number) => time_of(&Value::from(*number)),
            Cell::Bytes(bytes) => time_of(&Value::String(String::from_utf8_lossy(bytes).into_owned())),
        }
    }
}

impl From<ValueRef<'_>> for Cell {
    fn from(value: ValueRef<'_>) -> Cell {
        match value {
            ValueRef::Null => Cell::Nothing,
            ValueRef::Integer(number) => Cell::Number(number as f64),
            ValueRef::Real(number) => Cell::Number(number),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) if bytes.len() <= LARGEST_VALUE => {
                Cell::Bytes(bytes.to_vec())
            }
            ValueRef::Text(_) | ValueRef::Blob(_) => Cell::Nothing,
        }
    }
}

/// Opens the file so that nothing is written beside it.
///
/// While a writer is at work its log lies beside the file and has to be read too. Where there is
/// none, the file is declared unchanging, or else SQLite would create the log itself.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if Path::new(&log).exists() {
        return Connection::open_with_flags(path, flags);
    }
    let mut uri = String::from("file:");
    for byte in path.to_string_lossy().replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
}
