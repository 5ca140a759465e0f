//! The measure: what stands in a base against the labels.

use super::claims::{Records, Standing};
use super::labels::{Labels, Spot};
use crate::cells::{Cells, Good, Headline, Measured};
use crate::report::Report;

/// The figures of the suite.
const FIGURES: [Measured; 11] = [
    figure("base_recall", Good::High, Headline::Pooled),
    figure("rulings_recall", Good::High, Headline::Pooled),
    figure("preferences_recall", Good::High, Headline::Pooled),
    figure("keep2", Good::High, Headline::Mean),
    figure("keep1", Good::High, Headline::Mean),
    figure("junk", Good::Low, Headline::Mean),
    figure("judged_share", Good::High, Headline::Mean),
    figure("noise", Good::Low, Headline::Mean),
    figure("reversals_right", Good::High, Headline::Pooled),
    figure("stale_current", Good::Low, Headline::Pooled),
    figure("false_citations", Good::Low, Headline::Mean),
];

const fn figure(name: &'static str, good: Good, headline: Headline) -> Measured {
    Measured { name, good, headline }
}

/// Counts everything that one base of a project shows.
pub(super) fn score(
    project: &str,
    standing: &Standing,
    labels: &Labels,
    records: &Records,
    is_there: &dyn Fn(&Spot) -> bool,
) -> Cells {
    let mut cells = Cells::default();
    for item in labels.items.iter().filter(|item| is_there(&item.spot)) {
        let found = standing.current().any(|claim| item.spot.stands_in(claim));
        cells.count("base_recall", project, found);
        if item.is_ruling {
            cells.count("rulings_recall", project, found);
        }
        if item.is_preference {
            cells.count("preferences_recall", project, found);
        }
    }
    for noise in labels.noise.iter().filter(|noise| is_there(noise)) {
        cells.count("noise", project, standing.current().any(|claim| noise.stands_in(claim)));
    }
    for claim in standing.current() {
        cells.count("false_citations", project, !records.hold(claim));
        if labels.judged.is_empty() {
            continue;
        }
        let judgement = labels.judgement(claim);
        cells.count("judged_share", project, judgement.is_some());
        if let Some(judged) = judgement {
            cells.count("keep2", project, judged.keep == 2);
            cells.count("keep1", project, judged.keep == 1);
            cells.count("junk", project, judged.keep == 0);
        }
    }
    changes(project, standing, labels, is_there, &mut cells);
    cells
}

fn changes(
    project: &str,
    standing: &Standing,
    labels: &Labels,
    is_there: &dyn Fn(&Spot) -> bool,
    cells: &mut Cells,
) {
    for change in labels.changes.iter().filter(|one| is_there(&one.old) && is_there(&one.new)) {
        let held = |spot: &Spot| standing.claims.iter().any(|claim| spot.stands_in(claim));
        let (old, new) = (held(&change.old), held(&change.new));
        if !old && !new {
            continue;
        }
        // A claim that tells of both says what holds now.
        let only_old = |claim| change.old.stands_in(claim) && !change.new.stands_in(claim);
        let stale = standing.current().any(only_old);
        cells.count("stale_current", project, stale);
        if old && new {
            let told = standing.current().any(|claim| change.new.stands_in(claim));
            cells.count("reversals_right", project, told && !stale);
        }
    }
}

/// Writes all figures under a prefix.
pub(super) fn write(cells: &Cells, prefix: &str, report: &mut Report) {
    for figure in &FIGURES {
        cells.write(figure, prefix, report);
    }
}

/// Writes how much worse young bases are than whole ones of the same projects, at the worst size.
pub(super) fn write_rises(whole: &Cells, young: &[&Cells], report: &mut Report) {
    for (name, figure, good) in [
        ("small.junk_rise", "junk", Good::Low),
        ("small.noise_rise", "noise", Good::Low),
        ("small.rulings_fall", "rulings_recall", Good::High),
    ] {
        let worse = |cells: &&Cells| {
            let small = cells.shared_with(figure, whole).share()?;
            let full = whole.shared_with(figure, cells).share()?;
            Some(if good == Good::Low { small - full } else { full - small })
        };
        if let Some(worst) = young.iter().filter_map(worse).max_by(f64::total_cmp) {
            report.set_number(name, worst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::claims::{Cited, Stated};
    use super::super::labels::made_up::{passage, pattern, said};
    use super::super::labels::{Change, Item, Judged};
    use super::*;
    use crate::cells::Cell;
    use crate::words::Words;

    fn claim(text: &str, file: &str, line: u32) -> Stated {
        Stated {
            text: text.to_owned(),
            words: Words::of(text),
            cited: vec![Cited { files: vec![file.to_owned()], line, voice: "person" }],
            is_current: true,
            ..Stated::default()
        }
    }

    fn past(text: &str, file: &str, line: u32) -> Stated {
        Stated { is_current: false, ..claim(text, file, line) }
    }

    fn check(labels: &Labels, claims: Vec<Stated>, expected: &[(&str, usize, usize)]) {
        let standing = Standing { articles: claims.len(), claims, ..Standing::default() };
        let records = Records::made_up(&[("a", 3, "the kiln is fired on Fridays"), ("b", 9, "nothing")]);
        let mut cells = score("p", &standing, labels, &records, &|_| true);
        for (figure, part, whole) in expected {
            assert_eq!(*cells.cell(figure, "p"), Cell { part: *part, whole: *whole }, "{figure}");
        }
    }

    #[test]
    fn an_item_is_found_where_a_current_claim_matches_and_cites_its_session() {
        let item =
            |is_ruling, is_preference| Item { spot: pattern("a", "kiln.*friday"), is_ruling, is_preference };
        let labels = Labels { items: vec![item(true, false), item(false, true)], ..Labels::default() };
        let right = "The kiln is fired on Fridays";
        let all = |part| {
            [("base_recall", part * 2, 2), ("rulings_recall", part, 1), ("preferences_recall", part, 1)]
        };
        check(&labels, vec![claim(right, "a", 3)], &all(1));
        check(&labels, vec![claim("The kiln is fired on Mondays", "a", 3)], &all(0));
        check(&labels, vec![claim(right, "b", 9)], &all(0));
        check(&labels, vec![past(right, "a", 3)], &all(0));
    }

    #[test]
    fn noise_counts_where_its_record_is_cited_for_its_words() {
        let labels = Labels { noise: vec![passage("a", 3, "let me fire the kiln now")], ..Labels::default() };
        check(&labels, vec![claim("Let me fire the kiln", "a", 3)], &[("noise", 1, 1)]);
        check(&labels, vec![claim("Let me fire the kiln", "a", 4)], &[("noise", 0, 1)]);
        check(&labels, vec![claim("Glazes are kept dry", "a", 3)], &[("noise", 0, 1)]);
    }

    #[test]
    fn claims_take_the_grade_of_the_statement_they_are_made_of() {
        let judged =
            |id: &str, keep, line, words| Judged { id: id.to_owned(), keep, spot: said("a", line, words) };
        let labels = Labels {
            judged: vec![
                judged("good", 2, 3, "the kiln is fired on Fridays"),
                judged("minor", 1, 30, "glazes stand on the left shelf"),
                judged("bad", 0, 4, "the kiln is now being opened"),
            ],
            ..Labels::default()
        };
        let one = |text, line| vec![claim(text, "a", line)];
        let grades =
            |k2, k1, junk| [("keep2", k2, 1), ("keep1", k1, 1), ("junk", junk, 1), ("judged_share", 1, 1)];
        check(&labels, one("The kiln is fired on Fridays", 3), &grades(1, 0, 0));
        check(&labels, one("Glazes stand on the left shelf", 32), &grades(0, 1, 0));
        check(&labels, one("The kiln is now being opened", 4), &grades(0, 0, 1));
        check(&labels, one("Clay is bought in March", 3), &[("keep2", 0, 0), ("judged_share", 0, 1)]);
        check(&labels, one("The kiln is fired on Fridays", 9), &[("keep2", 0, 0), ("judged_share", 0, 1)]);
    }

    #[test]
    fn a_reversal_is_right_where_the_newer_stands_and_the_older_does_not() {
        let change = Change {
            old: said("a", 3, "the kiln is fired on Fridays"),
            new: said("b", 9, "the kiln is fired on Mondays now"),
        };
        let labels = Labels { changes: vec![change], ..Labels::default() };
        let old = "The kiln is fired on Fridays";
        let new = "The kiln is fired on Mondays now";
        let figures = |right, of, stale| [("reversals_right", right, of), ("stale_current", stale, 1)];
        check(&labels, vec![past(old, "a", 3), claim(new, "b", 9)], &figures(1, 1, 0));
        check(&labels, vec![claim(old, "a", 3), claim(new, "b", 9)], &figures(0, 1, 1));
        check(&labels, vec![claim(old, "a", 3), past(new, "b", 9)], &figures(0, 1, 1));
        check(&labels, vec![claim(old, "a", 3)], &figures(0, 0, 1));
        check(&labels, vec![claim(new, "b", 9)], &figures(0, 0, 0));
        check(&labels, vec![], &[("stale_current", 0, 0)]);
    }

    #[test]
    fn a_citation_is_false_where_the_record_does_not_hold_the_words() {
        let labels = Labels::default();
        check(&labels, vec![claim("The kiln is fired on Fridays", "a", 3)], &[("false_citations", 0, 1)]);
        check(&labels, vec![claim("The kiln is fired on Fridays", "b", 9)], &[("false_citations", 1, 1)]);
        check(&labels, vec![claim("The kiln is fired on Fridays", "a", 5)], &[("false_citations", 1, 1)]);
    }

    #[test]
    fn young_bases_are_held_against_whole_ones_of_the_same_projects() {
        let cells = |part, whole| {
            let mut cells = Cells::default();
            *cells.cell("junk", "p") = Cell { part, whole };
            cells
        };
        let mut report = Report::default();
        write_rises(&cells(1, 10), &[&cells(1, 10), &cells(3, 10)], &mut report);
        assert_eq!(report.to_json(), r#"{"small.junk_rise":0.2}"#);
    }
}
