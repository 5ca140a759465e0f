//! Lines within a budget: one-liners first, then more of each in order, the lowest dropped.

use lore_core::text::tokens;

/// A line in two sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it cites.
    pub source: String,
    /// As short as it can be said.
    pub short: String,
    /// With more.
    pub long: String,
    /// The least of it that is worth saying, where nothing more has room.
    pub least: Option<String>,
    /// Whether it may exceed the budget.
    pub critical: bool,
}

/// What fits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Packed {
    /// The lines, in their order.
    pub lines: Vec<String>,
    /// What they cite, in the same order.
    pub sources: Vec<String>,
    /// Which of the lines that were given they are, in the same order.
    pub taken: Vec<usize>,
    /// What did not fit.
    pub dropped: Vec<String>,
    /// What the lines cost, with their ends.
    pub tokens: usize,
    /// Whether something critical exceeded the budget.
    pub over_budget: bool,
}

/// Takes lines in order while they fit, then extends them in order while that fits; the least of those
/// that did not fit fills what is left.
pub fn pack(lines: &[Line], budget: usize) -> Packed {
    let cost = |text: &str| tokens(text) + 1;
    let mut taken: Vec<(usize, &str)> = Vec::new();
    let mut dropped: Vec<usize> = Vec::new();
    let mut packed = Packed::default();
    let must: usize = lines.iter().filter(|line| line.critical).map(|line| cost(&line.short)).sum();
    // Room for what must be there is kept free, so that it exceeds the budget only by itself.
    let mut optional = budget.saturating_sub(must);
    for (at, line) in lines.iter().enumerate() {
        let price = cost(&line.short);
        if !line.critical {
            if price > optional {
                dropped.push(at);
                continue;
            }
            optional -= price;
        }
        packed.tokens += price;
        taken.push((at, &line.short));
    }
    packed.over_budget = packed.tokens > budget;
    for (at, text) in &mut taken {
        let more = cost(&lines[*at].long).saturating_sub(cost(text));
        if packed.tokens + more <= budget {
            packed.tokens += more;
            *text = &lines[*at].long;
        }
    }
    dropped.retain(|at| {
        let least = lines[*at].least.as_deref();
        let Some(least) = least.filter(|least| packed.tokens + cost(least) <= budget) else { return true };
        packed.tokens += cost(least);
        taken.push((*at, least));
        false
    });
    packed.dropped = dropped.into_iter().map(|at| lines[at].source.clone()).collect();
    packed.sources = taken.iter().map(|(at, _)| lines[*at].source.clone()).collect();
    packed.taken = taken.iter().map(|(at, _)| *at).collect();
    packed.lines = taken.into_iter().map(|(_, text)| text.to_owned()).collect();
    packed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(source: &str, short: usize, long: usize, critical: bool) -> Line {
        let least = (short > 50).then(|| "x".repeat(short / 3));
        Line { source: source.to_owned(), short: "s".repeat(short), long: "l".repeat(long), least, critical }
    }

    #[test]
    fn one_liners_come_before_more_of_the_first() {
        let lines = [line("a", 40, 400, false), line("b", 40, 80, false), line("c", 40, 40, false)];
        let packed = pack(&lines, 44);
        assert_eq!(packed.sources, ["a", "b", "c"]);
        assert_eq!(packed.lines[1], "l".repeat(80), "what is left goes to the first that fits");
        assert_eq!(pack(&lines, 25).dropped, ["c"]);
    }

    #[test]
    fn what_is_critical_exceeds_the_budget_and_says_so() {
        let lines = [line("a", 40, 40, false), line("b", 400, 400, true)];
        let packed = pack(&lines, 50);
        assert_eq!((packed.sources, packed.over_budget), (vec!["b".to_owned()], true));
    }

    #[test]
    fn what_is_left_is_filled_with_the_least_of_the_next() {
        let lines = [line("a", 40, 40, false), line("b", 120, 120, false)];
        let packed = pack(&lines, 23);
        assert_eq!((packed.sources.len(), packed.dropped.len()), (2, 0));
        assert_eq!(packed.lines[1], "x".repeat(40));
    }

    proptest! {
        #[test]
        fn the_budget_holds_unless_something_is_critical(
            sizes in prop::collection::vec((0usize..300, 0usize..900, any::<bool>()), 0..20), budget in 0usize..600
        ) {
            let lines: Vec<Line> = sizes
                .iter()
                .enumerate()
                .map(|(n, (short, more, critical))| line(&n.to_string(), *short, short + more, *critical))
                .collect();
            let packed = pack(&lines, budget);
            let text = packed.lines.join("\n");
            prop_assert!(tokens(&text) <= packed.tokens.max(1));
            prop_assert_eq!(packed.over_budget, packed.tokens > budget);
            let must: usize = lines.iter().filter(|l| l.critical).map(|l| tokens(&l.short) + 1).sum();
            prop_assert!(packed.tokens <= budget.max(must));
            prop_assert_eq!(packed.sources.len() + packed.dropped.len(), lines.len());
            prop_assert!(lines.iter().filter(|l| l.critical).all(|l| packed.sources.contains(&l.source)));
        }
    }
}
