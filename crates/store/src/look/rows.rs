//! The rows of a folder as bytes that take no time to read: a look at ten thousand files reads all of them.
//!
//! The number of rows, then for each a record of one length (where its name and its id end in the text
//! behind, the key of its file, its version), then the text: names and ids one after the other.

use super::folder::Row;
use crate::Version;
use crate::cache::FileKey;

/// Two ends, four numbers of the key, the version.
const RECORD: usize = 4 + 4 + 4 * 8 + 16;
/// Stands for the end of an id that is not there.
const NONE: u32 = u32::MAX;

/// Writes rows.
pub(super) fn encode(rows: &[Row<'_>]) -> Option<Vec<u8>> {
    let mut records = Vec::with_capacity(4 + rows.len() * (RECORD + 40));
    let mut text = String::new();
    records.extend(u32::try_from(rows.len()).ok()?.to_le_bytes());
    for row in rows {
        text.push_str(row.name);
        records.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
        text.push_str(row.id.unwrap_or_default());
        let end = row.id.map_or(Some(NONE), |_| u32::try_from(text.len()).ok())?;
        records.extend(end.to_le_bytes());
        row.key.numbers().iter().for_each(|number| records.extend(number.to_le_bytes()));
        records.extend(row.version.bits().to_le_bytes());
    }
    records.extend(text.as_bytes());
    Some(records)
}

/// Reads rows; nothing where the bytes were not written here.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Row<'_>>> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    let count = u32::from_le_bytes(*count) as usize;
    let (records, text) = rest.split_at_checked(count.checked_mul(RECORD)?)?;
    let text = std::str::from_utf8(text).ok()?;
    let mut rows = Vec::with_capacity(count);
    let mut start = 0;
    for record in records.as_chunks::<RECORD>().0 {
        let number = |at: usize| record[at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let end = |at: usize| record[at..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        let name_end = end(0)? as usize;
        let name = text.get(start..name_end)?;
        start = name_end;
        let id = match end(4)? {
            NONE => None,
            id_end => {
                let id = text.get(start..id_end as usize)?;
                start = id_end as usize;
                Some(id)
            }
        };
        let key = FileKey::from_numbers([number(8)?, number(16)?, number(24)?, number(32)?]);
        let version = Version::from_bits(u128::from_le_bytes(*record[40..].first_chunk()?));
        rows.push(Row { name, key, version, id });
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(
            drawn in prop::collection::vec((".{0,9}", any::<[u64; 4]>(), any::<u128>(), prop::option::of(".{0,9}")), 0..9),
            cut in any::<prop::sample::Index>(),
        ) {
            let rows: Vec<Row<'_>> = drawn
                .iter()
                .map(|(name, key, version, id)| Row {
                    name,
                    key: FileKey::from_numbers(*key),
                    version: Version::from_bits(*version),
                    id: id.as_deref(),
                })
                .collect();
            let bytes = encode(&rows).unwrap();
            prop_assert_eq!(decode(&bytes), Some(rows));
            // Whatever was torn is nothing, or less; never a panic.
            let _ = decode(&bytes[..cut.index(bytes.len())]);
        }
    }
}
