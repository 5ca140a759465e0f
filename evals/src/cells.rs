//! Shares per project, brought together: mean, worst, pooled.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::report::Report;

/// A project counts for the worst only from so many labels on; smaller cells say little alone.
pub(crate) const LABELS_FOR_WORST: usize = 15;

/// Which way a figure is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Good {
    High,
    Low,
}

/// Which of the three stands under the figure's bare name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Headline {
    Mean,
    Pooled,
}

/// A figure, which way it is good, and which form of it the bars speak of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) good: Good,
    pub(crate) headline: Headline,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cell {
    pub(crate) part: usize,
    pub(crate) whole: usize,
}

impl Cell {
    /// Counts one more case.
    pub(crate) fn count(&mut self, holds: bool) {
        self.whole += 1;
        self.part += usize::from(holds);
    }

    /// Divides, where there is something to divide by.
    #[allow(clippy::cast_precision_loss, reason = "counts of labels are small")]
    pub(crate) fn share(self) -> Option<f64> {
        (self.whole > 0).then(|| self.part as f64 / self.whole as f64)
    }
}

/// Cells by figure and project.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    figures: BTreeMap<String, BTreeMap<String, Cell>>,
}

impl Cells {
    /// Counts one case of a project.
    pub(crate) fn count(&mut self, figure: &str, project: &str, holds: bool) {
        self.cell(figure, project).count(holds);
    }

    /// Takes the counts of another.
    pub(crate) fn join(&mut self, other: &Cells) {
        for (figure, projects) in &other.figures {
            for (project, cell) in projects {
                let own = self.cell(figure, project);
                own.part += cell.part;
                own.whole += cell.whole;
            }
        }
    }

    /// Returns the cell of a figure and a project.
    pub(crate) fn cell(&mut self, figure: &str, project: &str) -> &mut Cell {
        self.figures.entry(figure.to_owned()).or_default().entry(project.to_owned()).or_default()
    }

    /// Looks a cell up; nothing was counted in one that is not there.
    pub(crate) fn get(&self, figure: &str, project: &str) -> Cell {
        self.figures.get(figure).and_then(|projects| projects.get(project)).copied().unwrap_or_default()
    }

    /// Lists the projects that have a figure.
    pub(crate) fn projects(&self, figure: &str) -> impl Iterator<Item = &String> {
        self.figures.get(figure).into_iter().flat_map(BTreeMap::keys)
    }

    /// Brings one figure together over the projects that have labels for it.
    pub(crate) fn summary(&self, figure: &str, good: Good) -> Option<Summary> {
        let projects = self.figures.get(figure)?;
        let shares: Vec<f64> = projects.values().filter_map(|cell| cell.share()).collect();
        let pooled = projects.values().fold(Cell::default(), |sum, cell| Cell {
            part: sum.part + cell.part,
            whole: sum.whole + cell.whole,
        });
        let large = projects.iter().filter(|(_, cell)| cell.whole >= LABELS_FOR_WORST);
        let large = large.filter_map(|(project, cell)| Some((project.clone(), cell.share()?)));
        let worst = large.reduce(|a, b| match good {
            Good::High if b.1 < a.1 => b,
            Good::Low if b.1 > a.1 => b,
            _ => a,
        });
        #[allow(clippy::cast_precision_loss, reason = "there are few projects")]
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        Some(Summary { mean, pooled, worst, projects: shares.len() }).filter(|one| one.projects > 0)
    }

    /// Writes a figure: under its name what the bars speak of, and beside it mean, worst and pooled.
    pub(crate) fn write(&self, measured: &Measured, prefix: &str, report: &mut Report) {
        let Some(one) = self.summary(measured.name, measured.good) else { return };
        let figure = &format!("{prefix}{}", measured.name);
        let headline = measured.headline;
        let pooled = one.pooled.share().unwrap_or_default();
        report.set_number(figure, if headline == Headline::Mean { one.mean } else { pooled });
        report.set_number(&format!("{figure}.mean"), one.mean);
        if let Some((project, worst)) = one.worst {
            report.set_number(&format!("{figure}.worst"), worst);
            report.set(&format!("{figure}.worst_project"), project);
        }
        report.set_number(&format!("{figure}.pooled"), pooled);
        report.set(&format!("{figure}.n"), one.pooled.part);
        report.set(&format!("{figure}.of"), one.pooled.whole);
    }

    /// Leaves only projects that another has cells of too, for figures that are to be compared.
    pub(crate) fn shared_with(&self, figure: &str, other: &Cells) -> Cell {
        let (Some(own), Some(others)) = (self.figures.get(figure), other.figures.get(figure)) else {
            return Cell::default();
        };
        let both = own.iter().filter(|(project, _)| others.get(*project).is_some_and(|cell| cell.whole > 0));
        both.fold(Cell::default(), |sum, (_, cell)| Cell {
            part: sum.part + cell.part,
            whole: sum.whole + cell.whole,
        })
    }

    /// Makes the table of single projects: share and counts of each figure.
    pub(crate) fn by_project(&self) -> Map<String, Value> {
        let names: BTreeSet<&String> = self.figures.values().flat_map(BTreeMap::keys).collect();
        let mut out = Map::new();
        for name in names {
            let mut row = Map::new();
            for (figure, projects) in &self.figures {
                let Some(cell) = projects.get(name) else { continue };
                let share = cell.share().map(|share| (share * 10_000.0).round() / 10_000.0);
                row.insert(figure.clone(), json!(share));
                row.insert(format!("{figure}.n"), json!(format!("{} of {}", cell.part, cell.whole)));
            }
            out.insert(name.clone(), Value::Object(row));
        }
        out
    }
}

/// One figure over all projects.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Summary {
    pub(crate) mean: f64,
    pub(crate) pooled: Cell,
    pub(crate) worst: Option<(String, f64)>,
    pub(crate) projects: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[(&str, usize, usize)]) -> Cells {
        let mut cells = Cells::default();
        for (project, part, whole) in rows {
            *cells.cell("f", project) = Cell { part: *part, whole: *whole };
        }
        cells
    }

    #[test]
    fn a_mean_weighs_projects_and_a_pool_weighs_cases() {
        let one = cells(&[("a", 20, 20), ("b", 0, 80)]).summary("f", Good::High).expect("has cells");
        assert_eq!(one.mean, 0.5);
        assert_eq!(one.pooled.share(), Some(0.2));
    }

    #[test]
    fn the_worst_looks_at_large_cells_and_knows_which_way_is_good() {
        let cells = cells(&[("small", 0, 14), ("low", 3, 15), ("high", 15, 15)]);
        let worst = |good| cells.summary("f", good).expect("has cells").worst;
        assert_eq!(worst(Good::High), Some(("low".to_owned(), 0.2)));
        assert_eq!(worst(Good::Low), Some(("high".to_owned(), 1.0)));
    }

    #[test]
    fn figures_are_compared_over_the_projects_that_both_have() {
        let all = cells(&[("a", 1, 10), ("b", 9, 10)]);
        let young = cells(&[("a", 1, 2), ("b", 0, 0)]);
        assert_eq!(all.shared_with("f", &young), Cell { part: 1, whole: 10 });
        assert_eq!(young.shared_with("f", &all), Cell { part: 1, whole: 2 });
    }

    #[test]
    fn a_figure_without_cases_is_not_written() {
        let mut report = Report::default();
        let measured = Measured { name: "f", good: Good::High, headline: Headline::Mean };
        cells(&[("a", 0, 0)]).write(&measured, "", &mut report);
        assert_eq!(report.to_json(), "{}");
    }
}
