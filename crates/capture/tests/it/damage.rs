//! Whatever happens to a file, reading goes on.

use std::path::Path;

use lore_capture::{HEAD, Input, ReadOptions, Reader, readers};

use crate::support::cases;

/// Reads bytes with the reader that knew them before they were damaged.
fn survive(reader: &dyn Reader, path: &Path, bytes: &[u8]) {
    let options = ReadOptions::default();
    let input = Input::bytes(path, bytes, &options);
    reader.recognises(path, &bytes[..bytes.len().min(HEAD)]);
    reader.read(&input, &mut |session| drop(session)).expect("content is never an error");
}

#[test]
fn readers_take_each_others_files() {
    let options = ReadOptions::default();
    for (path, bytes, _) in cases() {
        for reader in readers() {
            let _ = reader.read(&Input::bytes(&path, &bytes, &options), &mut |session| drop(session));
        }
    }
}

#[test]
fn torn_files_are_read_to_the_tear() {
    for (path, bytes, reader) in cases() {
        let step = (bytes.len() / 20).max(1);
        (0..=bytes.len()).step_by(step).for_each(|end| survive(reader, &path, &bytes[..end]));
    }
}

#[test]
fn dirty_files_are_read_all_the_same() {
    for (path, bytes, reader) in cases() {
        let marked: Vec<u8> = b"\xef\xbb\xbf\0\0".iter().chain(&bytes).copied().collect();
        survive(reader, &path, &marked);
        let step = (bytes.len() / 30).max(1);
        for at in (0..bytes.len()).step_by(step) {
            let mut dirty = bytes.clone();
            dirty[at] = match at % 5 {
                0 => 0,
                1 => b'"',
                2 => 0xff,
                3 => b'\n',
                _ => b'}',
            };
            survive(reader, &path, &dirty);
        }
    }
}

/// Replaces values by others of another type, one at a time.
#[test]
fn values_of_the_wrong_type_are_passed_over() {
    let strange =
        [serde_json::json!(7), serde_json::json!("x"), serde_json::json!([[]]), serde_json::Value::Null];
    for (path, bytes, reader) in cases() {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let Ok(serde_json::Value::Object(record)) = serde_json::from_str(line) else { continue };
            for key in record.keys() {
                let mut changed = record.clone();
                changed[key] = strange[index % strange.len()].clone();
                let changed = serde_json::Value::Object(changed).to_string();
                let mut all = lines.clone();
                all[index] = &changed;
                survive(reader, &path, all.join("\n").as_bytes());
            }
        }
    }
}

/// Puts lists within lists, far deeper than anyone writes them, in the place of every value.
#[test]
fn what_is_nested_without_end_is_passed_over() {
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let mapped = format!("{}1{}", "{\"content\":".repeat(20_000), "}".repeat(20_000));
    let tagged = format!("\"{}\"", "<user_query>\\n".repeat(20_000));
    for (path, bytes, reader) in cases() {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate().take(4) {
            let Ok(serde_json::Value::Object(record)) = serde_json::from_str(line) else { continue };
            for key in record.keys() {
                let mut marked = record.clone();
                marked[key] = serde_json::json!("HERE");
                let value = [&deep, &mapped, &tagged][index % 3];
                let changed = serde_json::Value::Object(marked).to_string().replace("\"HERE\"", value);
                let mut all = lines.clone();
                all[index] = &changed;
                survive(reader, &path, all.join("\n").as_bytes());
            }
        }
    }
}
