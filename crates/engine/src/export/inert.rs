//! Markdown of the base for other people's programs: it reads the same and can do nothing.
//!
//! mdBook passes HTML through and reads files in where `{{#include …}}` stands; plugins of Obsidian run
//! code blocks; every reader loads images from anywhere. What was said in a session must not reach any of
//! that. The rule is blunt, because Markdown is read differently everywhere: outside a code block that
//! starts at the margin no `<` survives as one, whatever a reader takes for code.

use lore_core::text;

/// Which program reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// Any reader of Markdown.
    Plain,
    /// mdBook.
    Book,
    /// Obsidian.
    Vault,
}

/// Makes a text of several lines harmless; code blocks stay what they are.
pub(super) fn page(markdown: &str, reader: Reader) -> String {
    let clean = text::clean(markdown);
    let mut out = String::with_capacity(clean.len() + 64);
    let mut fence: Option<(char, usize)> = None;
    for line in clean.lines() {
        match (fence, opening(line)) {
            (None, Some((mark, length, info))) => {
                fence = Some((mark, length));
                out.extend(std::iter::repeat_n(mark, length));
                out.push_str(&language(info, reader));
            }
            (Some((mark, length)), _) => {
                if closes(line, mark, length) {
                    fence = None;
                }
                out.push_str(&unincluded(line, reader));
            }
            (None, None) => out.push_str(&written(line, reader)),
        }
        out.push('\n');
    }
    // What was left open would swallow what follows.
    if let Some((mark, length)) = fence {
        out.extend(std::iter::repeat_n(mark, length));
        out.push('\n');
    }
    out
}

/// Makes a text harmless that stands on one line.
pub(super) fn line(text: &str, reader: Reader) -> String {
    let clean = text::clean(text);
    let one = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match block_start(&one) {
        Some(digits) => {
            let (before, rest) = one.split_at(digits);
            format!("{before}\\{}", written(rest, reader))
        }
        None => written(&one, reader),
    }
}

/// Makes a text harmless that stands between the brackets of a link.
pub(super) fn label(text: &str, reader: Reader) -> String {
    line(&text.replace(['[', ']'], " "), reader).replace('|', "-")
}

/// Returns where a backslash keeps a line from being a heading, a list, a rule or a block of code.
fn block_start(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let thrice = |mark: &str| rest.starts_with(&mark.repeat(3));
    let starts = match digits {
        0 => {
            rest.starts_with(['#', '>', '|', '='])
                || ["- ", "+ ", "* "].iter().any(|bullet| rest.starts_with(bullet))
                || matches!(rest, "-" | "+" | "*")
                || ["-", "*", "_", "~", "`"].iter().any(|mark| thrice(mark))
        }
        _ => rest.starts_with(['.', ')']),
    };
    starts.then_some(digits)
}

/// Reads a line that opens a code block at the margin: its mark, its length, its language.
fn opening(line: &str) -> Option<(char, usize, &str)> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == mark).count();
    let info = &line[length..];
    (length >= 3 && !info.contains('`')).then_some((mark, length, info))
}

fn closes(line: &str, mark: char, length: usize) -> bool {
    let rest = line.trim_start_matches(' ');
    let indented = line.len() - rest.len();
    let run = rest.chars().take_while(|c| *c == mark).count();
    indented < 4 && run >= length && rest[run..].trim().is_empty()
}

/// Keeps the plain name of a language; anything else could be an instruction to a plugin.
fn language(info: &str, reader: Reader) -> String {
    let name = info.trim().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    if reader == Reader::Vault { String::new() } else { name.to_owned() }
}

/// Takes the life out of one line outside of code blocks.
fn written(line: &str, reader: Reader) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            // What is escaped already stays so, unless it is a bracket of HTML.
            let length = rest.chars().take(2).map(char::len_utf8).sum();
            let (pair, after) = rest.split_at(length);
            out.push_str(&pair.replace('<', "&lt;"));
            rest = after;
        } else if let Some((code, after)) = code_span(rest) {
            out.push_str(&code_written(code, reader));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("![") {
            out.push_str("!\\[");
            rest = after;
        } else if let Some(after) = rest.strip_prefix("](") {
            out.push_str(if leads_to_a_page(after) { "](" } else { "]\\(" });
            rest = after;
        } else if let Some(after) = rest.strip_prefix("]:") {
            // A definition of where a reference leads; ours are footnotes and numbers only.
            out.push_str(if line.trim_start().starts_with("[^") { "]:" } else { "]\\:" });
            rest = after;
        } else if let (Reader::Vault, Some(after)) = (reader, rest.strip_prefix("[[")) {
            out.push_str("\\[\\[");
            rest = after;
        } else {
            match c {
                '<' => out.push_str("&lt;"),
                c => out.push(c),
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    unincluded(&out, reader)
}

/// Reads code within a line, with its marks.
fn code_span(text: &str) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(|byte| *byte == b'`').count();
    if length == 0 {
        return None;
    }
    let mut from = length;
    while let Some(at) = text[from..].find('`') {
        let start = from + at;
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if run == length {
            return Some(text.split_at(start + run));
        }
        from = start + run;
    }
    None
}

/// Writes code so that it is code to every reader: in HTML of our own where its marks would not do.
fn code_written(code: &str, reader: Reader) -> String {
    let inner = code.trim_matches('`');
    let is_query = reader == Reader::Vault && inner.trim_start().starts_with(['=', '$']);
    if !inner.contains('<') && !is_query {
        return code.to_owned();
    }
    let mut out = String::from("<code>");
    for c in inner.trim().chars() {
        match c {
            c if c.is_alphanumeric() || c == ' ' => out.push(c),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    out.push_str("</code>");
    out
}

/// Tells whether the target of a link is a plain address or a place in the same folder.
fn leads_to_a_page(target: &str) -> bool {
    let target = target.split(')').next().unwrap_or_default().trim();
    let is_web = target.starts_with("https://") || target.starts_with("http://");
    !target.is_empty() && (is_web || !target.contains([':', '&', '\\', '<']))
}

/// Keeps mdBook from reading files in.
fn unincluded(line: &str, reader: Reader) -> String {
    if reader == Reader::Book { line.replace("{{#", "\\{{#") } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_can_do_nothing() {
        let check = |text: &str, expected: &str| assert_eq!(line(text, Reader::Plain), expected, "{text}");
        check("Use **tabs**, see `src/a.rs`.", "Use **tabs**, see `src/a.rs`.");
        check("a < b, <script>alert(1)</script>", "a &lt; b, &lt;script>alert(1)&lt;/script>");
        check("a `Vec<u8>` here", "a <code>Vec&#60;u8&#62;</code> here");
        check("an escaped \\`<b>` is no code", "an escaped \\`&lt;b>` is no code");
        check("\\<b>", "\\&lt;b>");
        check("![x](http://spy.example/x.png)", "!\\[x](http://spy.example/x.png)");
        check("[x](javascript:alert(1))", "[x]\\(javascript:alert(1))");
        check("[x](java&#115;cript:alert(1))", "[x]\\(java&#115;cript:alert(1))");
        check("[x](https://a.example/b) [y](other.md#z)", "[x](https://a.example/b) [y](other.md#z)");
        check("[x]: javascript:alert(1)", "[x]\\: javascript:alert(1)");
        check("# no heading", "\\# no heading");
        check("1. no list", "1\\. no list");
        check("```js", "\\```js");
        check("`a` first", "`a` first");
        check("two\nlines", "two lines");
        check("3 of them", "3 of them");
    }

    #[test]
    fn only_blocks_at_the_margin_are_code() {
        let check = |text: &str, expected: &str| assert_eq!(page(text, Reader::Plain), expected, "{text}");
        check("```rust,ignore\na < b\n```\n<b>", "```rust\na < b\n```\n&lt;b>\n");
        // To a reader of Markdown these are no blocks, or end before we would think so.
        check("    ```\n<script>", "    ```\n&lt;script>\n");
        check("- ```\n<script>", "- ```\n&lt;script>\n");
        check("```\na\n   ```\n<script>", "```\na\n   ```\n&lt;script>\n");
        check("````\n```\n<a>\n````\n<b>", "````\n```\n<a>\n````\n&lt;b>\n");
        check("~~~\nopen <a>", "~~~\nopen <a>\n~~~\n");
        check("a ` b\nc ` <script> ` d", "a ` b\nc <code>&#60;script&#62;</code> d\n");
    }

    #[test]
    fn books_read_no_files_and_vaults_run_no_queries() {
        assert_eq!(line("see {{#include ../secret}}", Reader::Book), "see \\{{#include ../secret}}");
        assert_eq!(page("```\n{{#include x}}\n```", Reader::Book), "```\n\\{{#include x}}\n```\n");
        assert_eq!(page("```dataviewjs\ndv.view()\n```", Reader::Vault), "```\ndv.view()\n```\n");
        assert_eq!(
            line("now `$= dv.view()`", Reader::Vault),
            "now <code>&#36;&#61; dv&#46;view&#40;&#41;</code>"
        );
        assert_eq!(line("see [[Other]]", Reader::Vault), "see \\[\\[Other]]");
        assert_eq!(label("a [b] | <c>", Reader::Vault), "a b - &lt;c>");
    }
}
