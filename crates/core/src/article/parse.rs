//! From Markdown to claims; every text is an article.

use super::render::{CONFLICT, CONTEXT, DOUBTED, FACTS, HISTORY, RELATED, UNSETTLED, WHY, needs_escape};
use super::{Article, Note, Quote, Related, Section};
use crate::claim::one_line;
use crate::text::is_cut_short;
use crate::{Claim, Standing};

pub(super) fn article(body: &str) -> Article {
    let mut out = Article::default();
    let (sections, notes) = split(body);
    out.notes = notes;
    for (name, lines) in sections {
        match name.as_deref() {
            None => out.lead = prose(&lines),
            Some(name) if is(name, WHY) => out.why.extend(prose(&lines)),
            Some(name) if is(name, FACTS) => out.facts.extend(prose(&lines)),
            Some(name) if is(name, CONFLICT) => out.conflict.extend(sides(&lines)),
            Some(name) if is(name, DOUBTED) => out.doubted.extend(doubted(&lines)),
            Some(name) if is(name, HISTORY) => out.history.extend(past(&lines)),
            Some(name) if is(name, CONTEXT) && quotes(&lines).is_some() => {
                out.context.extend(quotes(&lines).into_iter().flatten());
            }
            Some(name) if is(name, RELATED) && links(&lines).is_some() => {
                out.related.extend(links(&lines).into_iter().flatten());
            }
            Some(name) => out.other.push(Section { heading: name.to_owned(), body: block(&lines) }),
        }
    }
    out
}

fn is(name: &str, ours: &str) -> bool {
    name.eq_ignore_ascii_case(ours)
}

type Lines<'a> = Vec<&'a str>;

/// Splits at second-level headings, outside of code, and takes the footnotes out.
fn split(body: &str) -> (Vec<(Option<String>, Lines<'_>)>, Vec<Note>) {
    let mut sections: Vec<(Option<String>, Lines<'_>)> = vec![(None, Vec::new())];
    let mut notes = Vec::new();
    let mut fence: Option<&str> = None;
    for line in body.lines() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => {
                if let Some(name) = line.strip_prefix("## ").map(str::trim).filter(|name| !name.is_empty()) {
                    sections.push((Some(name.to_owned()), Vec::new()));
                    continue;
                }
                if let Some(note) = note(line) {
                    notes.push(note);
                    continue;
                }
            }
            _ => {}
        }
        if let Some((_, lines)) = sections.last_mut() {
            lines.push(line);
        }
    }
    (sections, notes)
}

fn note(line: &str) -> Option<Note> {
    let (id, text) = line.strip_prefix("[^")?.split_once("]:")?;
    let plain = !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    plain.then(|| Note { id: id.to_owned(), text: text.trim().to_owned() })
}

/// Reads paragraphs and list items as claims; code, tables, quotations and headings are not claims.
fn prose(lines: &[&str]) -> Vec<Claim> {
    blocks(lines)
        .into_iter()
        .flat_map(|block| match block {
            Block::Item(text, _) => vec![marked(&text)],
            Block::Paragraph(text) => sentences(&text),
        })
        .filter(|claim| !claim.text.is_empty())
        .collect()
}

enum Block {
    Paragraph(String),
    /// A list item and the indented lines below it.
    Item(String, Vec<String>),
}

fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut out = Vec::new();
    let mut open = false;
    let mut fence: Option<&str> = None;
    for line in lines {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        if fence.is_some() || mark.is_some() {
            fence = match (fence, mark) {
                (None, mark) => mark,
                (Some(opened), Some(mark)) if opened == mark => None,
                (opened, _) => opened,
            };
            open = false;
            continue;
        }
        let text = line.trim();
        if text.is_empty() {
            open = false;
        } else if let Some(item) = bullet(line) {
            out.push(Block::Item(item.to_owned(), Vec::new()));
            open = true;
        } else if let (true, Some(Block::Item(_, below))) = (open && line.starts_with(' '), out.last_mut()) {
            below.push(text.to_owned());
        } else if text.starts_with(['#', '|', '>']) {
            open = false;
        } else if let (true, Some(Block::Paragraph(paragraph))) = (open, out.last_mut()) {
            paragraph.push(' ');
            paragraph.push_str(text);
        } else {
            let plain = text.strip_prefix('\\').filter(|rest| needs_escape(rest)).unwrap_or(text);
            out.push(Block::Paragraph(plain.to_owned()));
            open = true;
        }
    }
    out
}

/// Returns the text of a list item: `- `, `* `, `+ ` or `1. `, at most a little indented.
fn bullet(line: &str) -> Option<&str> {
    let indent = line.len() - line.trim_start().len();
    let text = line.trim_start();
    let rest = ["- ", "* ", "+ "].into_iter().find_map(|mark| text.strip_prefix(mark)).or_else(|| {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        (1..=3).contains(&digits).then(|| text[digits..].strip_prefix(". ")).flatten()
    });
    rest.map(str::trim).filter(|_| indent < 2)
}

/// Cuts a paragraph into claims: at footnotes where it has any, else at sentences.
fn sentences(paragraph: &str) -> Vec<Claim> {
    let mut out = Vec::new();
    let mut rest = paragraph;
    while let Some(from) = rest.find("[^") {
        let (text, tail) = rest.split_at(from);
        let (sources, after) = marks(tail);
        if sources.is_empty() {
            break;
        }
        out.push(Claim::new(text, sources));
        rest = after;
    }
    out.extend(cut(&one_line(rest)).into_iter().map(|sentence| Claim::new(&sentence, Vec::new())));
    out
}

/// Reads consecutive footnote marks at the beginning of a text.
fn marks(text: &str) -> (Vec<String>, &str) {
    let mut sources = Vec::new();
    let mut rest = text;
    while let Some((id, after)) = rest.strip_prefix("[^").and_then(|tail| tail.split_once(']')) {
        if id.is_empty() || id.contains(char::is_whitespace) {
            break;
        }
        sources.push(id.to_owned());
        rest = after;
    }
    (sources, rest)
}

/// Cuts at the end of sentences: a full stop, a space, and something that begins a sentence.
fn cut(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        let ends = matches!(c, '.' | '!' | '?') && bytes.get(at + 1) == Some(&b' ');
        let next = text.get(at + 2..).and_then(|rest| rest.chars().next());
        let begins = next.is_some_and(|c| c.is_uppercase() || matches!(c, '`' | '"' | '“' | '('));
        if ends && begins && !(c == '.' && is_cut_short(&text[from..at])) {
            out.push(text[from..=at].trim().to_owned());
            from = at + 1;
        }
    }
    let last = text[from..].trim();
    if !last.is_empty() {
        out.push(last.to_owned());
    }
    out
}

/// Reads one list item: its text, and the footnotes at its end.
fn marked(text: &str) -> Claim {
    let mut body = text.trim();
    let mut sources = Vec::new();
    while let Some((before, id)) = body.strip_suffix(']').and_then(|rest| rest.rsplit_once("[^")) {
        if id.is_empty() || id.contains(char::is_whitespace) || id.contains(']') {
            break;
        }
        sources.insert(0, id.to_owned());
        body = before;
    }
    Claim::new(body, sources)
}

fn sides(lines: &[&str]) -> Vec<Claim> {
    let to_side = |block| match block {
        Block::Item(text, below) => {
            let said = below.iter().find_map(|line| line.strip_prefix("Said by ")).map(str::to_owned);
            Some(Claim { standing: Standing::Disputed { said }, ..marked(&text) })
        }
        Block::Paragraph(text) if text == UNSETTLED => None,
        Block::Paragraph(text) => {
            Some(Claim { standing: Standing::Disputed { said: None }, ..marked(&text) })
        }
    };
    blocks(lines).into_iter().filter_map(to_side).filter(|claim| !claim.text.is_empty()).collect()
}

fn past(lines: &[&str]) -> Vec<Claim> {
    detailed(lines, |detail| Standing::Past {
        until: detail("Until ").and_then(|text| text.parse().ok()),
        replaced_by: detail("Replaced by: "),
        reason: detail("Reason: "),
    })
}

fn doubted(lines: &[&str]) -> Vec<Claim> {
    detailed(lines, |detail| Standing::PossiblyReplaced {
        since: detail("Since ").and_then(|text| text.parse().ok()),
        by: detail("Possibly replaced by: "),
        reason: detail("Reason: "),
    })
}

/// Reads items whose standing is told in the lines below them.
fn detailed(lines: &[&str], standing: impl Fn(&dyn Fn(&str) -> Option<String>) -> Standing) -> Vec<Claim> {
    let to_claim = |block| {
        let (text, below) = match block {
            Block::Item(text, below) => (text, below),
            Block::Paragraph(text) => (text, Vec::new()),
        };
        let detail = |name: &str| below.iter().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        Claim { standing: standing(&detail), ..marked(&text) }
    };
    blocks(lines).into_iter().map(to_claim).filter(|claim| !claim.text.is_empty()).collect()
}

/// Reads quotations where every line is one; otherwise the section is a person's own.
fn quotes(lines: &[&str]) -> Option<Vec<Quote>> {
    let lines = lines.iter().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (said, rest) = line.strip_prefix("- ")?.split_once(": “")?;
            let (words, mark) = rest.rsplit_once('”')?;
            let (sources, after) = marks(mark);
            let [source] = sources.as_slice() else { return None };
            let quote = Quote { said: said.to_owned(), words: words.to_owned(), source: source.clone() };
            after.is_empty().then_some(quote)
        })
        .collect()
}

fn links(lines: &[&str]) -> Option<Vec<Related>> {
    let lines = lines.iter().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (title, rest) = line.strip_prefix("- [")?.split_once("](")?;
            let path = rest.trim_end().strip_suffix(')')?;
            Some(Related { title: title.to_owned(), path: path.to_owned() })
        })
        .collect()
}

fn block(lines: &[&str]) -> String {
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn claim(text: &str, sources: &[&str]) -> Claim {
        Claim::new(text, sources.iter().map(|s| (*s).to_owned()).collect())
    }

    #[test]
    fn a_whole_article_reads_back() {
        let body = "Sessions are kept in PostgreSQL.[^s1][^s3] Writes go through a pool.[^s2]\n\n\
            ## Why\n\n- SQLite locks the file on every write.[^s1]\n\n\
            ## Key facts\n\n- The pool has ten connections.[^s2]\n\n\
            ## Conflict\n\nThe sources contradict each other and nobody has decided yet.\n\n\
            - Retries stop after 3.[^s1]\n  Said by a person on 2026-01-05\n\
            - Retries stop after 5.[^s2]\n  Said by an agent on 2026-01-06\n\n\
            ## Possibly replaced\n\n- The pool has five connections.[^s0]\n  Since 2026-01-06\n  \
            Possibly replaced by: The pool has ten connections.\n  Reason: another value\n\n\
            ## Context\n\n- A person on 2026-01-05: “use postgres, please”[^s1]\n\n\
            ## History\n\n- Sessions are kept in SQLite.[^s0]\n  Until 2026-01-05\n  \
            Replaced by: Sessions are kept in PostgreSQL.\n  Reason: another value for the same setting\n\n\
            ## Related\n\n- [Connection pool](../architecture/pool.md)\n\n\
            [^s0]: `session://a/x#L1`\n[^s1]: `session://a/x#L9`\n";
        let article = Article::parse(body);
        assert_eq!(article.lead[0], claim("Sessions are kept in PostgreSQL.", &["s1", "s3"]));
        assert_eq!(article.lead[1], claim("Writes go through a pool.", &["s2"]));
        assert_eq!(article.conflict.len(), 2);
        assert!(article.is_disputed());
        assert!(matches!(&article.doubted[0].standing, Standing::PossiblyReplaced { since: Some(_), .. }));
        assert_eq!(article.quote("s1").map(|quote| quote.words.as_str()), Some("use postgres, please"));
        assert!(matches!(
            &article.history[0].standing,
            Standing::Past { until: Some(_), reason: Some(_), .. }
        ));
        assert_eq!(article.render(), body);
    }

    #[test]
    fn a_persons_free_text_becomes_claims_without_sources() {
        let body = "# Tabs\n\nWe use tabs. Editors differ, e.g. `vim` shows eight.\n\n* never spaces\n1. really\n\n\
            ```\n## not a heading. Not a claim.\n```\n\n## My notes\n\nanything | goes\n";
        let article = Article::parse(body);
        let texts: Vec<&str> = article.lead.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(
            texts,
            ["We use tabs.", "Editors differ, e.g. `vim` shows eight.", "never spaces", "really"]
        );
        assert!(article.lead.iter().all(|claim| claim.sources.is_empty()));
        assert_eq!(article.other[0].body, "anything | goes");
    }

    fn text() -> impl Strategy<Value = String> {
        "[A-Za-z`#>*-][a-z `.,#>*()-]{0,30}[a-z]\\.".prop_map(|text| one_line(&text))
    }

    fn sourced() -> impl Strategy<Value = Claim> {
        (text(), prop::collection::vec("s[1-9]", 1..3)).prop_map(|(text, sources)| Claim::new(&text, sources))
    }

    fn articles() -> impl Strategy<Value = Article> {
        let past =
            (sourced(), prop::option::of(text()), prop::option::of(text())).prop_map(|(claim, by, why)| {
                let until = "2026-01-02".parse().ok();
                Claim { standing: Standing::Past { until, replaced_by: by, reason: why }, ..claim }
            });
        let side = (sourced(), prop::option::of(text()))
            .prop_map(|(claim, said)| Claim { standing: Standing::Disputed { said }, ..claim });
        let doubt = (sourced(), prop::option::of(text()), prop::option::of(text())).prop_map(
            |(claim, by, reason)| {
                let since = "2026-01-03".parse().ok();
                Claim { standing: Standing::PossiblyReplaced { since, by, reason }, ..claim }
            },
        );
        let lead = prop::collection::vec(sourced(), 0..3);
        let list = || prop::collection::vec(sourced(), 0..3);
        let quote = ("[A-Za-z ]{1,9}[a-z]", text()).prop_map(|(said, words)| Quote {
            said: said.trim().to_owned(),
            words,
            source: "s1".to_owned(),
        });
        let parts =
            (lead, list(), list(), prop::collection::vec(side, 0..3), prop::collection::vec(quote, 0..3));
        (parts, prop::collection::vec(doubt, 0..2), prop::collection::vec(past, 0..3)).prop_map(
            |((lead, why, facts, conflict, context), doubted, history)| {
                let notes = vec![Note { id: "s1".to_owned(), text: "somewhere".to_owned() }];
                Article { lead, why, facts, conflict, doubted, context, history, notes, ..Article::default() }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(article in articles()) {
            prop_assert_eq!(Article::parse(&article.render()), article);
        }

        #[test]
        fn reading_settles_any_text(body in "[a-zA-Z#>*`.:“”|\\[\\]^()\\\\ \n-]{0,200}") {
            let once = Article::parse(&body);
            let twice = Article::parse(&once.render());
            prop_assert_eq!(Article::parse(&twice.render()), twice);
        }
    }
}
