//! Lines are found where they stand, whatever the limit; taking a text apart loses no order.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lore_capture::{Lines, classify};

fuzz_target!(|data: &[u8]| {
    let Some((limit, data)) = data.split_first() else { return };
    let mut lines = Lines::new(data, usize::from(*limit));
    while let Some(line) = lines.next_line() {
        let at = usize::try_from(line.offset).expect("fits");
        assert_eq!(&data[at..at + line.bytes.len()], line.bytes);
        let text = String::from_utf8_lossy(line.bytes);
        let mut from = text.as_ptr() as usize;
        for writing in classify(&text) {
            let here = writing.text.as_ptr() as usize;
            assert!(here >= from && !writing.text.is_empty());
            from = here;
        }
    }
});
