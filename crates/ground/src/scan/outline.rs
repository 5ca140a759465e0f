//! What one file says: its words, the names it uses, what it defines and what it asks for.

use std::cell::RefCell;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use tree_sitter::{Parser, QueryCursor, StreamingIterator as _};

use super::asked::{Asked, DECLARED};
use super::bm25::{Bag, bag};
use super::languages::{self, Grammar};
use super::words::{Cutter, Term, name_of, names};

/// Longer texts are not parsed; they are data, or made by a program.
const LONGEST_PARSED: usize = 512 << 10;
/// Of longer texts only the beginning is read for words.
const LONGEST_READ: usize = 1 << 20;
/// Most definitions that are kept of one file.
const MOST_DEFINED: usize = 2000;

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Outline {
    /// Stems of its words.
    pub(super) words: Bag,
    /// Names it speaks of, as they are written, sorted.
    pub(super) names: Vec<Term>,
    /// What it defines, in order.
    pub(super) defined: Vec<Defined>,
    /// What it asks for, as written.
    pub(super) imports: Vec<String>,
    /// The same path by path, in languages where one statement can ask for several things.
    pub(super) asked: Vec<String>,
    /// How many lines it has.
    pub(super) lines: u32,
    /// Whether we wrote it ourselves, so that it is no part of the project.
    pub(super) own: bool,
}

/// A name that a file defines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Defined {
    pub(super) name: String,
    pub(super) line: u32,
}

impl Outline {
    /// Tells whether the file speaks of a name.
    pub(super) fn speaks_of(&self, name: Term) -> bool {
        self.names.binary_search(&name).is_ok()
    }
}

thread_local! {
    static CUTTER: RefCell<Cutter> = RefCell::default();
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// Reads a text of a file with this name.
pub(super) fn outline(path: &str, text: &str) -> Outline {
    let text = beginning(text, LONGEST_READ);
    let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
    CUTTER.with_borrow_mut(|cutter| {
        cutter.cut(text, |term| {
            let count = counts.entry(term).or_default();
            *count = count.saturating_add(1);
        });
    });
    let spoken: FxHashSet<Term> = names(text).filter(|name| name.len() > 2).map(name_of).collect();
    let mut spoken: Vec<Term> = spoken.into_iter().collect();
    spoken.sort_unstable();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let parsed = languages::for_ending(ending)
        .filter(|_| text.len() <= LONGEST_PARSED && !is_squeezed(text))
        .and_then(|grammar| parse(grammar, ending, text));
    let parsed = parsed.unwrap_or_else(|| read_as_text(ending, text));
    let lines = text.lines().count().try_into().unwrap_or(u32::MAX);
    let Parsed { defined, imports, asked } = parsed;
    Outline { words: bag(counts), names: spoken, defined, imports, asked, lines, own: false }
}

/// Cuts at a boundary of characters.
fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// Tells whether a program took the line breaks out.
fn is_squeezed(text: &str) -> bool {
    text.len() > 20_000 && text.len() / (text.lines().count() + 1) > 400
}

/// What a file defines and asks for.
#[derive(Default)]
struct Parsed {
    defined: Vec<Defined>,
    imports: Vec<String>,
    asked: Vec<String>,
}

fn parse(grammar: &Grammar, ending: &str, text: &str) -> Option<Parsed> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar.language).ok()?;
        let tree = parser.parse(text, None)?;
        let captures = grammar.query.capture_names();
        let mut cursor = QueryCursor::new();
        let mut found = cursor.captures(&grammar.query, tree.root_node(), text.as_bytes());
        let (mut defined, mut imports) = (Vec::new(), Vec::new());
        let mut asked = Asked::of(ending);
        while let Some((one, at)) = found.next() {
            let capture = one.captures()[*at];
            let Some(words) = text.get(capture.node.byte_range()) else { continue };
            match captures.get(capture.index as usize).copied() {
                Some("def") if defined.len() < MOST_DEFINED && words.len() > 1 && words.len() < 120 => {
                    let line = u32::try_from(capture.node.start_position().row + 1).unwrap_or(u32::MAX);
                    defined.push(Defined { name: words.to_owned(), line });
                }
                Some("import") if words.len() < 400 => imports.push(words.to_owned()),
                Some("inner") => asked.enter(capture.node.end_byte()),
                Some("asked") => asked.add(capture.node.byte_range(), words),
                Some("child") => asked.add(capture.node.byte_range(), &format!("{DECLARED}{words}")),
                _ => {}
            }
        }
        Some(Parsed { defined, imports, asked: asked.done() })
    })
}

/// Reads definitions and imports by what stands before them, in languages that we have no grammar for.
fn read_as_text(ending: &str, text: &str) -> Parsed {
    static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?m)^[ \t]*(?:(?:pub(?:\([a-z]+\))?|public|private|protected|internal|static|export|default|async|final|abstract|open|override|sealed|data|inline|virtual|extern)\s+)*(?:fn|func|fun|function|def|defp|defmodule|class|struct|enum|trait|interface|type|module|namespace|object|record|protocol|actor|extension|const|val|var|let|sub|proc|typedef|message|service|table|view|procedure)\s+(?:self\.)?([\p{L}_$][\w$]+)";
        Regex::new(pattern).expect("the pattern is fixed")
    });
    static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"(?m)^[ \t]*(?:import|from|require|require_relative|include|use|using|source|@import|#include|alias|load)\b[ \t(]*(?:[\w{}*, \t]+[ \t]from[ \t]+)?["'<]?([\w@./:\\-]+)"#;
        Regex::new(pattern).expect("the pattern is fixed")
    });
    // In prose and data such words mean nothing.
    let is_code = !matches!(
        ending,
        "" | "md"
            | "mdx"
            | "rst"
            | "txt"
            | "json"
            | "yml"
            | "yaml"
            | "toml"
            | "xml"
            | "html"
            | "svg"
            | "csv"
            | "lock"
            | "snap"
    );
    if !is_code {
        return Parsed::default();
    }
    let (mut at, mut line) = (0, 1_u32);
    let mut defined = Vec::new();
    for one in DEFINED.captures_iter(text).take(MOST_DEFINED) {
        let Some(name) = one.get(1) else { continue };
        line += u32::try_from(text[at..name.start()].matches('\n').count()).unwrap_or(0);
        at = name.start();
        defined.push(Defined { name: name.as_str().to_owned(), line });
    }
    let imports = IMPORT.captures_iter(text).take(200).map(|one| one[1].to_owned()).collect();
    Parsed { defined, imports, asked: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is defined and asked for in a file of an ending.
    fn check(path: &str, text: &str, defined: &[&str], imports: &[&str]) {
        let outline = outline(path, text);
        let found: Vec<&str> = outline.defined.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(
            (found.as_slice(), outline.imports.as_slice()),
            (defined, owned(imports).as_slice()),
            "{path}"
        );
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn definitions_and_imports_are_seen_in_every_language() {
        check(
            "a.rs",
            "use crate::price::Tax;\nmod bill;\npub struct Order { total: u32 }\nimpl Order { fn pay(&self) {} }\n",
            &["Order", "total", "pay"],
            &["crate::price::Tax", "bill"],
        );
        check(
            "a.py",
            "import os.path\nfrom .price import Tax\nLIMIT = 3\nclass Order:\n    def pay(self): pass\n",
            &["LIMIT", "Order", "pay"],
            &["os.path", ".price"],
        );
        check(
            "a.tsx",
            "import { Tax } from './price'\nexport interface Order { total: number }\nexport const Bill = () => <b/>\n",
            &["Order", "total", "Bill"],
            &["./price"],
        );
        check(
            "a.js",
            "const tax = require('../tax')\nclass Order { pay() {} }\nfunction bill() {}\n",
            &["tax", "Order", "pay", "bill"],
            &["../tax"],
        );
        check(
            "a.go",
            "package a\nimport \"x.org/shop/tax\"\ntype Order struct { Total int }\nfunc (o *Order) Pay() {}\n",
            &["Order", "Total", "Pay"],
            &["\"x.org/shop/tax\""],
        );
        check(
            "A.java",
            "import org.shop.Tax;\nclass Order { int total; void pay() {} }\n",
            &["Order", "total", "pay"],
            &["org.shop.Tax"],
        );
        check(
            "a.c",
            "#include \"tax.h\"\nstruct order { int t; };\nint pay(void) { return 1; }\n",
            &["order", "pay"],
            &["\"tax.h\""],
        );
        check("a.sh", "source ./tax.sh\npay() { :; }\n", &["pay"], &["./tax.sh"]);
        check("a.ex", "defmodule Order do\n  def pay(x), do: x\nend\n", &["Order", "pay"], &[]);
        check("a.md", "import this class Order\n", &[], &[]);
    }

    #[cfg(feature = "all-languages")]
    #[test]
    fn further_languages_are_parsed_where_they_are_built_in() {
        check("a.cpp", "class Order { void pay(); };\nvoid Order::pay() {}\n", &["Order", "pay"], &[]);
        check("a.cs", "using Shop.Tax;\nclass Order { void Pay() {} }\n", &["Order", "Pay"], &["Shop.Tax"]);
        check("a.rb", "require 'tax'\nclass Order\n  def pay; end\nend\n", &["Order", "pay"], &["tax"]);
        check(
            "a.php",
            "<?php use Shop\\Tax;\nclass Order { function pay() {} }\n",
            &["Order", "pay"],
            &["Shop\\Tax"],
        );
        check("a.kt", "import shop.Tax\nclass Order { fun pay() {} }\n", &["Order", "pay"], &["shop.Tax"]);
        check("a.swift", "import Tax\nclass Order { func pay() {} }\n", &["Order", "pay"], &["Tax"]);
    }

    #[test]
    fn lines_of_definitions_are_counted_from_one() {
        let outline = outline("a.ex", "\n\ndefmodule Order do\nend\n");
        assert_eq!(outline.defined, [Defined { name: "Order".to_owned(), line: 3 }]);
    }
}
