//! Paths as text in files of ours: every path comes back as it was, also one that is not Unicode.
//!
//! serde refuses such a path, and with it all that stands beside it. A byte that is no part of a letter is
//! written as NUL and its two digits: no path holds NUL, so that nothing else reads like that.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Stands before the digits of a byte.
const MARK: char = '\0';

/// A path in a list or as a key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text(PathBuf);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserialize(deserializer).map(Text)
    }
}

/// Writes a path.
pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    match path.to_str() {
        Some(text) => serializer.serialize_str(text),
        None => serializer.serialize_str(&written(path)),
    }
}

/// Reads a path.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(read(String::deserialize(deserializer)?))
}

/// Does so for a path that may be missing.
pub(crate) mod maybe {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.clone().map(Text).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Text>::deserialize(deserializer)?.map(|text| text.0))
    }
}

/// Does so for a list or a set of paths.
pub(crate) mod list {
    use super::*;

    pub(crate) fn serialize<'p, S: Serializer>(
        paths: impl IntoIterator<Item = &'p PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.into_iter().cloned().map(Text))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, P: FromIterator<PathBuf>>(
        deserializer: D,
    ) -> Result<P, D::Error> {
        Ok(Vec::<Text>::deserialize(deserializer)?.into_iter().map(|text| text.0).collect())
    }
}

/// Does so for what is kept by path.
pub(crate) mod keys {
    use super::*;

    pub(crate) fn serialize<S: Serializer, V: Serialize>(
        map: &BTreeMap<PathBuf, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(map.iter().map(|(path, value)| (Text(path.clone()), value)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, V: Deserialize<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<PathBuf, V>, D::Error> {
        let map = BTreeMap::<Text, V>::deserialize(deserializer)?;
        Ok(map.into_iter().map(|(text, value)| (text.0, value)).collect())
    }
}

#[cfg(unix)]
fn written(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut out = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("{MARK}{byte:02x}"));
        }
    }
    out
}

#[cfg(unix)]
fn read(text: String) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    if !text.contains(MARK) {
        return PathBuf::from(text);
    }
    let mut parts = text.split(MARK);
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        // Whatever else follows the mark was not written here; it names no file then.
        bytes.extend(byte);
        bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(windows)]
fn written(path: &Path) -> String {
    use std::os::windows::ffi::OsStrExt as _;
    let mut out = String::new();
    for unit in char::decode_utf16(path.as_os_str().encode_wide()) {
        match unit {
            Ok(letter) => out.push(letter),
            Err(half) => out.push_str(&format!("{MARK}{:04x}", half.unpaired_surrogate())),
        }
    }
    out
}

#[cfg(windows)]
fn read(text: String) -> PathBuf {
    use std::os::windows::ffi::OsStringExt as _;
    let mut parts = text.split(MARK);
    let mut units: Vec<u16> = parts.next().unwrap_or_default().encode_utf16().collect();
    for part in parts {
        units.extend(part.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok()));
        units.extend(part.get(4..).unwrap_or_default().encode_utf16());
    }
    PathBuf::from(OsString::from_wide(&units))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Kept {
        #[serde(with = "super")]
        one: PathBuf,
        #[serde(with = "super::maybe")]
        maybe: Option<PathBuf>,
        #[serde(with = "super::list")]
        list: Vec<PathBuf>,
        #[serde(with = "super::keys")]
        keys: BTreeMap<PathBuf, u32>,
    }

    #[test]
    fn every_path_comes_back() {
        let check = |bytes: &[u8], written: Option<&str>| {
            let path = PathBuf::from(OsString::from_vec(bytes.to_vec()));
            let kept = Kept {
                one: path.clone(),
                maybe: Some(path.clone()),
                list: vec![path.clone()],
                keys: [(path, 1)].into(),
            };
            let text = serde_json::to_string(&kept).unwrap();
            assert_eq!(serde_json::from_str::<Kept>(&text).unwrap(), kept, "{text}");
            let one: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert!(written.is_none_or(|written| one["one"] == written), "{text}");
        };
        check(b"/home/ana/x.jsonl", Some("/home/ana/x.jsonl"));
        check("/\u{fc}/\u{fffd}".as_bytes(), Some("/\u{fc}/\u{fffd}"));
        check(b"/caf\xe9/x.jsonl", Some("/caf\0e9/x.jsonl"));
        check(b"\xff\xfe\xc3", None);
        check(b"", Some(""));
    }
}
