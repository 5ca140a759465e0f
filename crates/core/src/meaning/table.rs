//! The small table that ships in the binary: a vector per word piece, added up and averaged.
//!
//! The bytes are read where they lie, so that a process that asks one question pays for nothing else:
//! `LORETAB1`, number of pieces, dimensions, length of the names, fingerprint, then for each piece (sorted by name) the end of its name
//! and its scale, then the names, then the vectors as signed bytes.

use std::cell::RefCell;
use std::collections::HashMap;

use super::wordpiece::{PieceIndex, pieces};
use super::{fingerprint, quantise};

/// Opens every table.
const MAGIC: &[u8; 8] = b"LORETAB1";
/// The table that is part of the binary.
const SHIPPED: &[u8] = include_bytes!("../../assets/static-table.bin");

/// A vector per word piece.
pub struct StaticTable {
    name: String,
    dimensions: usize,
    pieces: usize,
    index: &'static [u8],
    names: &'static [u8],
    vectors: &'static [u8],
}

/// One word piece with its weighted vector, for making a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The piece, with `##` in front where it goes inside a word.
    pub piece: String,
    /// What it means, scaled by how much it says.
    pub vector: Vec<f32>,
}

impl StaticTable {
    /// Returns the table that ships with the program.
    pub fn shipped() -> StaticTable {
        StaticTable::read(SHIPPED).expect("the table in the binary was written by `encode`")
    }

    /// Returns how big the table in the program is.
    pub fn bytes() -> u64 {
        SHIPPED.len() as u64
    }

    /// Reads a table where it lies.
    pub fn read(bytes: &'static [u8]) -> Option<StaticTable> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (pieces, rest) = number(rest)?;
        let (dimensions, rest) = number(rest)?;
        let (length, rest) = number(rest)?;
        let (print, rest) = number(rest)?;
        let (index, rest) = rest.split_at_checked(pieces * 8)?;
        let (names, vectors) = rest.split_at_checked(length)?;
        let fits = vectors.len() == pieces * dimensions && dimensions.is_multiple_of(8) && dimensions > 0;
        let name = format!("static-{dimensions}-{print:08x}");
        fits.then_some(StaticTable { name, dimensions, pieces, index, names, vectors })
    }

    /// Writes a table, the same for the same rows in whatever order.
    pub fn encode(mut rows: Vec<Row>) -> Vec<u8> {
        rows.sort_by(|a, b| a.piece.as_bytes().cmp(b.piece.as_bytes()));
        let dimensions = rows.first().map_or(8, |row| row.vector.len());
        let mut index = Vec::new();
        let mut names = Vec::new();
        let mut vectors = Vec::new();
        for row in &rows {
            names.extend_from_slice(row.piece.as_bytes());
            let largest = row.vector.iter().fold(0.0f32, |most, v| most.max(v.abs()));
            index.extend_from_slice(&(names.len() as u32).to_le_bytes());
            index.extend_from_slice(&(largest / 127.0).to_le_bytes());
            vectors.extend(quantise(&row.vector).iter().map(|v| v.cast_unsigned()));
        }
        let lengths = [rows.len(), dimensions, names.len()];
        let content = [index, names, vectors].concat();
        let mut out = MAGIC.to_vec();
        for length in lengths {
            out.extend_from_slice(&(length as u32).to_le_bytes());
        }
        out.extend_from_slice(&fingerprint(&content).to_le_bytes());
        out.extend(content);
        out
    }

    fn name_end(&self, at: usize) -> usize {
        let bytes = self.index.get(at * 8..at * 8 + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
    }

    fn piece(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.name_end(before));
        self.names.get(start..self.name_end(at)).unwrap_or_default()
    }

    fn scale(&self, at: usize) -> f32 {
        let bytes = self.index.get(at * 8 + 4..at * 8 + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0.0, f32::from_le_bytes)
    }
}

fn number(bytes: &'static [u8]) -> Option<(usize, &'static [u8])> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*head) as usize, rest))
}

impl PieceIndex for StaticTable {
    fn find(&self, piece: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.pieces);
        while low < high {
            let middle = low.midpoint(high);
            match self.piece(middle).cmp(piece.as_bytes()) {
                std::cmp::Ordering::Equal => return u32::try_from(middle).ok(),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl StaticTable {
    /// Names the vectors: another name, other vectors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the length of every vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the vector of a text; all zero where the table knows none of its words.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        self.summed(text, self)
    }

    /// Returns the vectors of many texts, faster than one after the other.
    pub fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        // The same words come again and again, and finding one takes longer than adding it up.
        let memory = Memory { table: self, known: RefCell::default() };
        texts.iter().map(|text| self.summed(text, &memory)).collect()
    }

    /// Returns the vector of one word with its length, which is how much the word says (the rarer, the
    /// longer); nothing where the table does not know the word.
    pub fn word(&self, word: &str) -> Option<(Vec<f32>, f32)> {
        let mut sum = vec![0.0f32; self.dimensions];
        let mut whole = true;
        pieces(word, self, |piece| match piece {
            Some(piece) => self.add(piece as usize, &mut sum),
            None => whole = false,
        });
        let length = sum.iter().map(|v| v * v).sum::<f32>().sqrt();
        (whole && length > 0.0).then_some((sum, length))
    }

    fn add(&self, at: usize, sum: &mut [f32]) {
        let scale = self.scale(at);
        let row = self.vectors.get(at * self.dimensions..(at + 1) * self.dimensions).unwrap_or_default();
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += scale * f32::from(value.cast_signed());
        }
    }

    fn summed(&self, text: &str, vocabulary: &impl PieceIndex) -> Vec<f32> {
        let mut sum = vec![0.0f32; self.dimensions];
        pieces(text, vocabulary, |piece| {
            if let Some(at) = piece {
                self.add(at as usize, &mut sum);
            }
        });
        let length = sum.iter().map(|v| v * v).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|v| *v /= length);
        }
        sum
    }
}

/// A table that remembers what it was asked for.
struct Memory<'t> {
    table: &'t StaticTable,
    known: RefCell<HashMap<String, Option<u32>>>,
}

impl PieceIndex for Memory<'_> {
    fn find(&self, piece: &str) -> Option<u32> {
        if let Some(known) = self.known.borrow().get(piece) {
            return *known;
        }
        let found = self.table.find(piece);
        self.known.borrow_mut().insert(piece.to_owned(), found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(piece: &str, vector: [f32; 8]) -> Row {
        Row { piece: piece.to_owned(), vector: vector.to_vec() }
    }

    #[test]
    fn tables_read_back() {
        let rows = vec![
            row("lock", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            row("##s", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            row("key", [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ];
        let table = StaticTable::read(StaticTable::encode(rows).leak()).unwrap();
        assert_eq!(table.embed("Locks"), table.embed("lock"));
        assert_eq!(table.embed("zebra"), vec![0.0; 8]);
        assert_eq!(table.embed_all(&["key", "key"]), [table.embed("key"), table.embed("key")]);
        let both = table.embed("lock key");
        assert!(both[0] > both[1] && both[1] > 0.4, "{both:?}");
        assert!(StaticTable::read(b"LORETAB1\x01\0\0\0").is_none());
        assert!(StaticTable::read(b"something else").is_none());
    }

    #[test]
    fn the_shipped_table_knows_what_is_near() {
        let table = StaticTable::shipped();
        let near =
            |a: &str, b: &str| -> f32 { table.embed(a).iter().zip(table.embed(b)).map(|(a, b)| a * b).sum() };
        assert!(
            near("delete the file", "remove a document") > near("delete the file", "sunny weather") + 0.2
        );
        assert!(near("database", "PostgreSQL") > near("database", "holiday"));
        assert!(SHIPPED.len() <= 6_000_000);
    }
}
