//! A text as the most lenient reader sees it.
//!
//! Models, browsers and parsers each overlook something: case, spaces inside a tag, characters that
//! are not shown, letters that look alike, references such as `&lt;`. [`fold`] overlooks all of it
//! at once and remembers for every character that is left where it came from.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

/// One character as it is seen, and the bytes that it stands for.
pub(super) type Seen = (char, Range<usize>);

/// So often references are decoded: each round takes one `&amp;` off, and nobody nests deeper.
const ROUNDS: usize = 16;

/// Folds a text: references decoded, what is not shown left out, letters that look alike made one,
/// all lower case. Spaces stay, as a space or as a line break.
pub(super) fn fold(text: &str) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        push(c, at..at + c.len_utf8(), &mut seen);
    }
    for _ in 0..ROUNDS {
        let before = seen.len();
        seen = decoded(&seen);
        if seen.len() == before {
            break;
        }
    }
    seen
}

fn push(c: char, place: Range<usize>, seen: &mut Vec<Seen>) {
    if c.is_ascii() {
        match c {
            '\n' | '\r' => seen.push(('\n', place)),
            _ if c.is_ascii_whitespace() => seen.push((' ', place)),
            _ if c.is_ascii_control() => {}
            _ => seen.push((c.to_ascii_lowercase(), place)),
        }
        return;
    }
    if is_unseen(c) {
        return;
    }
    for plain in std::iter::once(c).nfkd() {
        let plain = alike(plain);
        if matches!(plain, '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}') {
            seen.push(('\n', place.clone()));
        } else if plain.is_whitespace() {
            seen.push((' ', place.clone()));
        } else if !is_unseen(plain) {
            seen.extend(plain.to_lowercase().map(|lower| (alike(lower), place.clone())));
        }
    }
}

/// Tells whether a character is not shown by itself: default ignorable, a control, or a mark that
/// only changes the letter before it.
fn is_unseen(c: char) -> bool {
    c.is_control() && !c.is_whitespace()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
            // Combining marks.
            | '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{1AB0}'..='\u{1AFF}'
            | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Letters and signs that look alike and that compatibility does not join (confusables).
const ALIKE: &[(&str, char)] = &[
    ("‹〈⟨❮❰˂ᐸ≺⋖«≪⟪《⧼⦑\u{16B2}", '<'),
    ("›〉⟩❯❱˃ᐳ≻⋗»≫⟫》⧽⦒", '>'),
    ("∕⁄⧸╱⟋〳\u{1735}⼃丿", '/'),
    ("⧹╲⟍∖", '\\'),
    ("‐‑‒–—―−﹘⁃➖˗ー一\u{2F00}⎯─᠆⸺⸻", '-'),
    ("ˍ‗", '_'),
    ("∶꞉ː˸׃։᛬⁚", ':'),
    ("∣ǀ⏐│❘｜¦", '|'),
    ("аАαΑɑᴀ", 'a'),
    ("вВβΒ", 'b'),
    ("сСϲϹᴄ", 'c'),
    ("ԁ", 'd'),
    ("еЕεΕᴇ", 'e'),
    ("ԍɡ", 'g'),
    ("һНнʜ", 'h'),
    ("іІιΙıɩɪ", 'i'),
    ("јЈ", 'j'),
    ("кКқκΚᴋ", 'k'),
    ("ӏӀʟƖ", 'l'),
    ("мМᴍ", 'm'),
    ("оОοΟσօᴏø๐০੦", 'o'),
    ("рРρΡᴘ", 'p'),
    ("ԛ", 'q'),
    ("ѕЅꜱƽ", 's'),
    ("тТτΤᴛŧ", 't'),
    ("уУүʏ", 'y'),
    ("ѵνΝᴠ", 'v'),
    ("ԝᴡ", 'w'),
    ("хХχΧ", 'x'),
    ("гʀᴦ", 'r'),
    ("пηΗոռɴ", 'n'),
    ("υΥսᴜ", 'u'),
    ("ζΖ", 'z'),
];

/// Returns the plain letter that one looks like.
fn alike(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    ALIKE.iter().find(|(letters, _)| letters.contains(c)).map_or(c, |(_, plain)| *plain)
}

/// Decodes one round of references: `&lt;`, `&#60;`, `&#x3c;`, `\u003c`, `\u{3c}`, `\x3c`, `%3c`.
fn decoded(seen: &[Seen]) -> Vec<Seen> {
    let mut out: Vec<Seen> = Vec::with_capacity(seen.len());
    let mut at = 0;
    while at < seen.len() {
        let found = match seen[at].0 {
            '&' => named(seen, at).or_else(|| numbered(seen, at)),
            '\\' => escaped(seen, at),
            '%' => hex(seen, at + 1, 2, 2),
            _ => None,
        };
        match found {
            Some((c, end)) => {
                push(c, seen[at].1.start..seen[end - 1].1.end, &mut out);
                at = end;
            }
            None => {
                out.push(seen[at].clone());
                at += 1;
            }
        }
    }
    out
}

const NAMES: &[(&str, char)] = &[
    ("lt", '<'),
    ("gt", '>'),
    ("amp", '&'),
    ("sol", '/'),
    ("bsol", '\\'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("lowbar", '_'),
    ("colon", ':'),
    ("nbsp", ' '),
    ("tab", ' '),
    ("newline", '\n'),
    ("shy", '\u{AD}'),
    ("zwnj", '\u{200C}'),
    ("zwj", '\u{200D}'),
    ("vert", '|'),
    ("verbar", '|'),
    ("lang", '<'),
    ("rang", '>'),
];

fn named(seen: &[Seen], at: usize) -> Option<(char, usize)> {
    let (name, c) = NAMES
        .iter()
        .filter(|(name, _)| starts_with(seen, at + 1, name))
        .max_by_key(|(name, _)| name.len())?;
    let end = at + 1 + name.chars().count();
    // Browsers take some of them without the semicolon.
    let closed = seen.get(end).is_some_and(|(c, _)| *c == ';');
    (closed || matches!(*name, "lt" | "gt" | "amp" | "shy" | "nbsp"))
        .then_some((*c, end + usize::from(closed)))
}

fn numbered(seen: &[Seen], at: usize) -> Option<(char, usize)> {
    if seen.get(at + 1)?.0 != '#' {
        return None;
    }
    let is_hex = seen.get(at + 2)?.0 == 'x';
    let (start, radix) = if is_hex { (at + 3, 16) } else { (at + 2, 10) };
    let digits: String =
        seen[start..].iter().map(|(c, _)| *c).take_while(|c| c.is_digit(radix)).take(12).collect();
    let c = char::from_u32(u32::from_str_radix(&digits, radix).ok()?)?;
    let end = start + digits.len();
    Some((c, end + usize::from(seen.get(end).is_some_and(|(c, _)| *c == ';'))))
}

fn escaped(seen: &[Seen], at: usize) -> Option<(char, usize)> {
    match seen.get(at + 1)?.0 {
        'u' if seen.get(at + 2)?.0 == '{' => {
            let (c, end) = hex(seen, at + 3, 1, 6)?;
            (seen.get(end)?.0 == '}').then_some((c, end + 1))
        }
        'u' => hex(seen, at + 2, 4, 4),
        'x' => hex(seen, at + 2, 2, 2),
        '/' => Some(('/', at + 2)),
        _ => None,
    }
}

fn hex(seen: &[Seen], start: usize, least: usize, most: usize) -> Option<(char, usize)> {
    let digits: String =
        seen.get(start..)?.iter().map(|(c, _)| *c).take_while(char::is_ascii_hexdigit).take(most).collect();
    if digits.len() < least {
        return None;
    }
    Some((char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?, start + digits.len()))
}

/// Tells whether these letters stand at a place.
fn starts_with(seen: &[Seen], at: usize, letters: &str) -> bool {
    seen.get(at..).is_some_and(|rest| {
        let mut rest = rest.iter().map(|(c, _)| *c);
        letters.chars().all(|letter| rest.next() == Some(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_overlooked_at_once() {
        let check = |text: &str, expected: &str| {
            let seen: String = fold(text).into_iter().map(|(c, _)| c).collect();
            assert_eq!(seen, expected, "{text:?}");
        };
        check("Plain text\nof two lines", "plain text\nof two lines");
        check("&lt;&LT;&#60;&#x3C;&#x03c;\\u003c\\x3C%3c", "<<<<<<<<");
        check("&amp;amp;lt;b", "<b");
        check("＜ＬＯＲＥ", "<lore");
        check("l\u{200B}o\u{FEFF}r\u{AD}e\u{E0020}", "lore");
        check("lоrе", "lore");
        check("‹∕lore›", "</lore>");
        check("é", "e");
        check("AT&T and R&D; 100% &c.", "at&t and r&d; 100% &c.");
    }
}
