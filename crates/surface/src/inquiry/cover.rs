//! Whether what is known answers a question: by one spike, by several together, or by the way.

use lore_core::SpikeOutcome;

use super::compare::{Fit, same_thing};
use super::parse::terms;
use super::{Inquiry, compare};

/// Something that may answer a question.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownAnswer {
    /// The entry.
    pub id: String,
    /// What it was asked; nothing for entries that answer only by the way.
    pub inquiry: Option<Inquiry>,
    /// What came out, where it was measured.
    pub outcome: Option<SpikeOutcome>,
    /// What it says.
    pub text: String,
    /// Why it no longer holds, where it does not.
    pub broken: Option<String>,
}

/// How far a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnsweredHow {
    /// One spike answers it.
    Full,
    /// Several spikes answer it together; they were measured apart.
    Composite,
    /// A part is answered.
    Partial,
    /// Something says so by the way; nobody measured it for this.
    Incidental,
}

/// What answers a question already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Already {
    /// How far.
    pub how: AnsweredHow,
    /// The entries that answer it, the best first.
    pub by: Vec<String>,
    /// What stays open.
    pub open: Vec<String>,
}

/// Finds what answers a question already.
pub fn already_answered(asked: &Inquiry, known: &[KnownAnswer]) -> Option<Already> {
    let mut parts: Vec<(&KnownAnswer, &Inquiry, Vec<String>)> = Vec::new();
    let mut full: Option<Already> = None;
    for one in known {
        let Some(inquiry) = &one.inquiry else { continue };
        match (asked.answered_by(inquiry), &one.broken) {
            (Fit::Full, None) => {
                let found =
                    full.get_or_insert(Already { how: AnsweredHow::Full, by: Vec::new(), open: Vec::new() });
                found.by.push(one.id.clone());
            }
            (Fit::Full, Some(why)) => parts.push((one, inquiry, vec![why.clone()])),
            (Fit::Part(open), broken) => {
                parts.push((one, inquiry, open.into_iter().chain(broken.clone()).collect()));
            }
            (Fit::None, _) => {}
        }
    }
    full.or_else(|| composite(asked, &parts)).or_else(|| partial(&parts)).or_else(|| incidental(asked, known))
}

/// Joins spikes of which each has some of the alternatives, and each shares one with those before it.
fn composite(asked: &Inquiry, parts: &[(&KnownAnswer, &Inquiry, Vec<String>)]) -> Option<Already> {
    let only_alternatives =
        |open: &[String]| open.iter().all(|one| asked.alternatives.iter().any(|name| same_thing(name, one)));
    let mut covered: Vec<String> = Vec::new();
    let mut by: Vec<String> = Vec::new();
    let mut left: Vec<_> = parts.iter().filter(|(.., open)| only_alternatives(open)).collect();
    loop {
        let next = left.iter().position(|(_, inquiry, _)| {
            let shared = asked.shared_alternatives(inquiry);
            let joins = covered.is_empty() || shared.iter().any(|name| covered.contains(name));
            joins && shared.iter().any(|name| !covered.contains(name))
        });
        let Some(at) = next else { break };
        let (one, inquiry, _) = left.remove(at);
        covered.extend(asked.shared_alternatives(inquiry));
        by.push(one.id.clone());
    }
    let whole = asked.alternatives.iter().all(|name| covered.contains(name));
    (whole && by.len() > 1).then_some(Already { how: AnsweredHow::Composite, by, open: Vec::new() })
}

fn partial(parts: &[(&KnownAnswer, &Inquiry, Vec<String>)]) -> Option<Already> {
    let (one, _, open) = parts.iter().min_by_key(|(.., open)| open.len())?;
    Some(Already { how: AnsweredHow::Partial, by: vec![one.id.clone()], open: open.clone() })
}

/// Finds entries that name every alternative and the subject.
fn incidental(asked: &Inquiry, known: &[KnownAnswer]) -> Option<Already> {
    let subject = terms(&asked.subject);
    if asked.alternatives.len() < 2 || subject.is_empty() {
        return None;
    }
    let names = |one: &&KnownAnswer| {
        let held = terms(&one.text);
        let shared = subject.iter().filter(|term| held.contains(term)).count();
        let says = |name: &String| compare::is_named_in(name, &one.text);
        shared * 2 > subject.len() && asked.alternatives.iter().all(says) && one.broken.is_none()
    };
    let by: Vec<String> = known.iter().filter(names).take(3).map(|one| one.id.clone()).collect();
    (!by.is_empty()).then_some(Already { how: AnsweredHow::Incidental, by, open: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spike(id: &str, question: &str) -> KnownAnswer {
        KnownAnswer {
            id: id.to_owned(),
            inquiry: Some(Inquiry::parse(question)),
            outcome: Some(SpikeOutcome::Confirmed),
            text: String::new(),
            broken: None,
        }
    }

    fn said(id: &str, text: &str) -> KnownAnswer {
        KnownAnswer { inquiry: None, outcome: None, text: text.to_owned(), ..spike(id, "") }
    }

    fn check(asked: &str, known: &[KnownAnswer], expected: Option<(AnsweredHow, &[&str])>) -> Vec<String> {
        let found = already_answered(&Inquiry::parse(asked), known);
        let by: Option<(AnsweredHow, Vec<&str>)> =
            found.as_ref().map(|one| (one.how, one.by.iter().map(String::as_str).collect()));
        assert_eq!(by, expected.map(|(how, by)| (how, by.to_vec())), "{asked}");
        found.map(|one| one.open).unwrap_or_default()
    }

    #[test]
    fn one_spike_answers_whole_or_in_part() {
        let known = [spike("a", "Should we use Ash or Birch for the fence posts?")];
        check("Birch or Ash for fence posts?", &known, Some((AnsweredHow::Full, &["a"])));
        let open =
            check("Ash, Birch or Cedar for fence posts?", &known, Some((AnsweredHow::Partial, &["a"])));
        assert_eq!(open, ["Cedar"]);
        check("Should we use Ash or Birch for violins?", &known, None);
    }

    /// What was measured for logs was said to answer for images, and compressing for decompressing.
    #[test]
    fn another_purpose_is_open_and_named() {
        let known = [spike("a", "Should we use gzip or bzip2 for compressing logs?")];
        for asked in [
            "gzip or bzip2 for compressing the logs?",
            "bzip2 or gzip to compress a log?",
            "gzip or bzip2 for the compression of logs?",
        ] {
            check(asked, &known, Some((AnsweredHow::Full, &["a"])));
        }
        for (asked, expected) in [
            ("Should we use gzip or bzip2 for compressing images?", "images"),
            ("Should we use gzip or bzip2 for decompressing logs?", "decompressing"),
            ("gzip or bzip2 for compressing JSON logs?", "JSON"),
            ("gzip or bzip2 for compressing?", "other than logs"),
        ] {
            let open = check(asked, &known, Some((AnsweredHow::Partial, &["a"])));
            assert_eq!(open, [expected], "{asked}");
        }
        let stored = [spike("b", "ash or birch for storing apples?")];
        check("ash or birch for apples?", &stored, Some((AnsweredHow::Full, &["b"])));
        check("ash or birch for sending apples?", &stored, Some((AnsweredHow::Partial, &["b"])));
    }

    /// Time was said to be open where `wall_ms` had been the criterion.
    #[test]
    fn what_a_metric_measures_is_not_open() {
        let asked = |measure: &str| format!("Is gzip {measure} than bzip2 for compressing logs?");
        let told_by = |metric: &str| {
            let mut one = spike("a", "Should we use gzip or bzip2 for compressing logs?");
            one.inquiry = one.inquiry.map(|inquiry| inquiry.with_metric(metric));
            [one]
        };
        for (measure, metric) in [
            ("faster", "wall_ms"),
            ("slower", "took_s"),
            ("quicker", "p50_us"),
            ("smaller", "size"),
            ("larger", "output_kb"),
            ("smaller", "bytes"),
        ] {
            check(&asked(measure), &told_by(metric), Some((AnsweredHow::Full, &["a"])));
        }
        let memory = "Does gzip need less memory than bzip2 for compressing logs?";
        check(memory, &told_by("peak_mb"), Some((AnsweredHow::Full, &["a"])));
        check(memory, &told_by("rss_kb"), Some((AnsweredHow::Full, &["a"])));
        let open = check(&asked("faster"), &told_by("peak_mb"), Some((AnsweredHow::Partial, &["a"])));
        assert_eq!(open, ["time"]);
        check(&asked("smaller"), &told_by("wall_ms"), Some((AnsweredHow::Partial, &["a"])));
        check(&asked("faster"), &told_by("recall_min"), Some((AnsweredHow::Partial, &["a"])));
    }

    #[test]
    fn several_answer_together_where_they_share_an_alternative() {
        let known = [
            spike("a", "Should we use Ash or Birch for the fence posts?"),
            spike("b", "Should we use Birch or Cedar for the fence posts?"),
        ];
        check(
            "Ash, Birch or Cedar for the fence posts?",
            &known,
            Some((AnsweredHow::Composite, &["a", "b"])),
        );
        let apart = [known[0].clone(), spike("c", "Should we use Cedar or Douglas for the fence posts?")];
        let asked = "Ash, Birch, Cedar or Douglas for the fence posts?";
        check(asked, &apart, Some((AnsweredHow::Partial, &["a"])));
    }

    #[test]
    fn what_no_longer_holds_answers_a_part_at_most() {
        let mut known = [spike("a", "Should we use Ash or Birch for the fence posts?")];
        known[0].broken = Some("birch >= 2 no longer holds".to_owned());
        let open = check("Ash or Birch for the fence posts?", &known, Some((AnsweredHow::Partial, &["a"])));
        assert_eq!(open, ["birch >= 2 no longer holds"]);
    }

    #[test]
    fn something_may_be_answered_by_the_way() {
        let known = [said("d", "Fence posts are of Ash since Birch rotted in the first winter.")];
        check(
            "Should we use Ash or Birch for the fence posts?",
            &known,
            Some((AnsweredHow::Incidental, &["d"])),
        );
        check("Should we use Ash or Cedar for the fence posts?", &known, None);
    }
}
