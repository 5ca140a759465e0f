//! UTF-8 that was once read as Windows-1252.

use std::borrow::Cow;

/// Mends runs of characters that only make sense as UTF-8 read with the wrong table.
///
/// A run is mended when its characters, taken back to Windows-1252 bytes, are well-formed UTF-8
/// of at least one character. Accented words of real languages are not: an accented letter is
/// followed by a plain one, which is no continuation byte.
///
/// Text that was garbled more than once is mended until nothing is left to mend, so that mending
/// twice is mending once.
pub fn repair_mojibake(text: &str) -> Cow<'_, str> {
    match mend_once(text) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(mut mended) => {
            // Every round makes the text shorter.
            while let Cow::Owned(more) = mend_once(&mended) {
                mended = more;
            }
            Cow::Owned(mended)
        }
    }
}

fn mend_once(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| matches!(c, 'Â'..='ô')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut changed = false;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_ascii()) {
        out.push_str(&rest[..start]);
        let run = &rest[start..];
        let end = run.find(|c: char| c.is_ascii()).unwrap_or(run.len());
        changed |= mend_run(&run[..end], &mut out);
        rest = &run[end..];
    }
    out.push_str(rest);
    if changed { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

/// Appends the run, mended wherever a sequence of it is UTF-8; tells whether anything was.
fn mend_run(run: &str, out: &mut String) -> bool {
    let mut changed = false;
    let chars: Vec<char> = run.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        if let Some((mended, used)) = mend_at(&chars[at..]) {
            out.push(mended);
            at += used;
            changed = true;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    changed
}

/// Reads one UTF-8 character out of the first two to four characters.
fn mend_at(chars: &[char]) -> Option<(char, usize)> {
    let length = match byte_of(*chars.first()?)? {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let bytes: Option<Vec<u8>> = chars.get(..length)?.iter().map(|c| byte_of(*c)).collect();
    let bytes = bytes?;
    let mended = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((mended, length))
}

/// Returns the Windows-1252 byte of a character; bytes without a character stand for themselves.
fn byte_of(c: char) -> Option<u8> {
    const HIGH: [(char, u8); 27] = [
        ('€', 0x80),
        ('‚', 0x82),
        ('ƒ', 0x83),
        ('„', 0x84),
        ('…', 0x85),
        ('†', 0x86),
        ('‡', 0x87),
        ('ˆ', 0x88),
        ('‰', 0x89),
        ('Š', 0x8a),
        ('‹', 0x8b),
        ('Œ', 0x8c),
        ('Ž', 0x8e),
        ('‘', 0x91),
        ('’', 0x92),
        ('“', 0x93),
        ('”', 0x94),
        ('•', 0x95),
        ('–', 0x96),
        ('—', 0x97),
        ('˜', 0x98),
        ('™', 0x99),
        ('š', 0x9a),
        ('›', 0x9b),
        ('œ', 0x9c),
        ('ž', 0x9e),
        ('Ÿ', 0x9f),
    ];
    match c {
        '\u{80}'..='\u{ff}' => u8::try_from(u32::from(c)).ok(),
        _ => HIGH.iter().find(|(known, _)| *known == c).map(|(_, byte)| *byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mends_what_was_garbled_and_leaves_the_rest() {
        let check = |input: &str, expected: &str| assert_eq!(repair_mojibake(input), expected, "{input:?}");
        check("history â€” not a raw log", "history — not a raw log");
        check("Spock ðŸ––", "Spock 🖖");
        check("cafÃ© au lait", "café au lait");
        check("âœ… Exists", "✅ Exists");
        check("It is 5 Âµm", "It is 5 µm");
        check("Größe, naïve, Ångström, Ñandú", "Größe, naïve, Ångström, Ñandú");
        check("«Élan» – “quoted”", "«Élan» – “quoted”");
        check("日本語", "日本語");
        check("a dash, garbled twice: Ã¢â‚¬â€\u{9d}", "a dash, garbled twice: —");
    }
}
