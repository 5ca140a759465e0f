//! The everyday forms: how many secrets are found, and how much that only looks like one is left alone.

use std::collections::BTreeMap;

use lore_core::redact::Redactor;

use crate::forms;

/// Hits out of all.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    hits: usize,
    all: usize,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.all += 1;
    }

    fn ratio(self) -> f64 {
        self.hits as f64 / self.all as f64
    }
}

#[test]
fn secrets_are_found_however_they_are_printed() {
    let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
    let mut by_family: BTreeMap<&str, Share> = BTreeMap::new();
    let mut by_printing: BTreeMap<&str, Share> = BTreeMap::new();
    let mut missed = Vec::new();
    for form in forms::all() {
        let findings = Redactor::standard().redact(&form.text).findings;
        let found: Vec<_> = findings.into_iter().map(|finding| finding.range).collect();
        let hit = form.secrets.iter().all(|secret| forms::is_covered(*secret, &found));
        shares.entry(if form.held_out { "held out" } else { "seen" }).or_default().count(hit);
        by_family.entry(form.family).or_default().count(hit);
        by_printing.entry(form.printing).or_default().count(hit);
        if !hit {
            missed.push(format!("{} / {}", form.family, form.printing));
        }
    }
    eprintln!("recall {shares:?}\nby printing {by_printing:?}\nby family {by_family:?}\nmissed {missed:#?}");
    let forms: usize = shares.values().map(|share| share.all).sum();
    assert!(forms >= 200, "{forms} forms");
    for (part, share) in shares {
        assert!(share.ratio() >= 0.95, "{part}: {share:?}, missed {missed:#?}");
    }
    // No family and no printing is given up for the others.
    for (name, share) in by_family.iter().chain(&by_printing) {
        assert!(share.ratio() >= 0.6, "{name}: {share:?}");
    }
}

#[test]
fn what_looks_like_a_secret_and_is_none_is_left_alone() {
    let texts = forms::lookalikes();
    assert!(texts.len() >= 100, "{} look-alikes", texts.len());
    let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
    let mut touched = Vec::new();
    for text in texts {
        for printing in ["plain", "number and arrow", "added line", "JSON string"] {
            let printed = forms::print(&text, printing);
            let redacted = Redactor::standard().redact(&printed);
            let part = if forms::hash(&printed).is_multiple_of(3) { "held out" } else { "seen" };
            shares.entry(part).or_default().count(redacted.findings.is_empty());
            if !redacted.findings.is_empty() {
                touched.push(redacted.text.into_owned());
            }
        }
    }
    eprintln!("untouched {shares:?}\ntouched {touched:#?}");
    for (part, share) in shares {
        assert!(share.ratio() >= 0.98, "{part}: {share:?}, touched {touched:#?}");
    }
}

#[test]
fn forms_settle() {
    for form in forms::all() {
        let once = Redactor::standard().redact(&form.text);
        let again = Redactor::standard().redact(&once.text);
        assert!(again.findings.is_empty(), "{} / {}: {}", form.family, form.printing, once.text);
    }
}
