//! Where the code speaks of what was asked: definitions, uses and passages, each with its line.

use rustc_hash::FxHashMap;

use super::bm25::Statistics;
use super::design;
use super::graph::Graph;
use super::roles::Role;
use super::tree;
use super::words::{Cutter, Term, is_compound, name_of};
use super::{Outlines, ScanRequest};
use crate::findings::Finding;
use crate::router::SourceKind;

/// So many files are opened to find the line.
const OPENED: usize = 8;
/// Longer lines are cut; what stands behind the cut is not shown, so it speaks for nothing.
const LONGEST: usize = 200;
/// What a test says of a thing is an example more often than the thing.
const IN_A_TEST: f64 = 0.8;

/// Opens the lines around what we keep current in files of somebody else.
const OUR_MARK: &str = "<!-- lore:";

/// Where something stands.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    score: f64,
    confidence: f64,
    at: String,
    text: String,
    how: &'static str,
}

/// Looks a question up in the code.
pub fn look_up(request: &ScanRequest<'_>, names: &[String], known: &mut Outlines) -> Vec<Finding> {
    let asked = design::read(request.text);
    let tree = tree::read(request, known, &|_| false);
    let graph = Graph::of(&tree.files);
    let statistics =
        Statistics::of(&asked.words, tree.files.iter().map(|file| file.outline.words.as_slice()));
    let mut places: Vec<Place> = Vec::new();
    let mut wanted: Vec<String> =
        asked.names.keys().cloned().chain(names.iter().flat_map(|name| last_part(name))).collect();
    wanted.sort();
    wanted.dedup();
    for file in &tree.files {
        for one in file.outline.defined.iter().filter(|one| wanted.contains(&one.name)) {
            let definers = graph.definers.get(&name_of(&one.name)).copied().unwrap_or(1);
            let is_code = Role::of(&file.path) == Role::Code;
            let sure = 0.9 - 0.05 * f64::from(definers.min(6) - 1) - if is_code { 0.0 } else { 0.15 };
            let sure = sure * (0.5 + 0.5 * meant(&one.name, &asked.words, &statistics));
            let text = line(request, &file.path, one.line).unwrap_or_else(|| one.name.clone());
            let at = format!("{}:{}", file.path, one.line);
            places.push(Place { score: 10.0 + sure, confidence: sure, at, text, how: "definition" });
        }
    }
    let mut scored: Vec<(f64, &str)> = tree
        .files
        .iter()
        .map(|file| {
            let named = wanted.iter().filter(|name| file.outline.speaks_of(name_of(name))).count() as f64;
            let role = if matches!(Role::of(&file.path), Role::Made) { 0.3 } else { 1.0 };
            (role * (statistics.score(&asked.words, &file.outline.words) + 4.0 * named), file.path.as_str())
        })
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let defined = |name: &String| graph.definers.contains_key(&name_of(name));
    let known: Vec<&String> = wanted.iter().filter(|name| defined(name)).collect();
    for (_, path) in scored.into_iter().take(OPENED) {
        places.extend(best_line(request, path, &asked.words, &statistics, &wanted, &known));
    }
    places.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.at.cmp(&b.at)));
    places.dedup_by(|a, b| a.at == b.at);
    places.truncate(6);
    places
        .into_iter()
        .map(|place| Finding {
            source: SourceKind::Repo,
            text: place.text,
            confidence: (place.confidence * 100.0).round() / 100.0,
            at: place.at,
            how: place.how.to_owned(),
        })
        .collect()
}

/// Returns a line with those beside it that say something more of what was asked.
fn with_neighbours(lines: &[&str], seen: &[Vec<Term>], at: usize) -> String {
    let says_more = |other: &usize| {
        *other == at || (!seen[*other].is_empty() && seen[*other].iter().any(|term| !seen[at].contains(term)))
    };
    let near = (at.saturating_sub(1)..(at + 2).min(lines.len())).filter(says_more);
    shortened(&near.map(|other| lines[other].trim()).collect::<Vec<_>>().join(" / "))
}

/// `Type::method` and `module.name` are defined by their last part.
fn last_part(name: &str) -> Option<String> {
    name.rsplit(['.', ':', '/']).find(|part| part.len() > 2).map(str::to_owned)
}

fn line(request: &ScanRequest<'_>, path: &str, number: u32) -> Option<String> {
    let text = request.project.text(path)?;
    text.lines().nth(number as usize - 1).map(shortened)
}

fn shortened(line: &str) -> String {
    line.trim().chars().take(LONGEST).collect()
}

/// Says what share of the question a name is, from 0 to 1; one that only code writes so is all of it.
fn meant(name: &str, asked: &FxHashMap<Term, f64>, statistics: &Statistics) -> f64 {
    if is_compound(name) {
        return 1.0;
    }
    let all: f64 = asked.keys().map(|term| statistics.weight(*term)).sum();
    let mut own = 0.0;
    Cutter::default().cut(name, |term| own += asked.get(&term).map_or(0.0, |_| statistics.weight(term)));
    (own / all.max(0.1)).min(1.0)
}

/// Returns what is shown of a line.
fn beginning(line: &str) -> &str {
    line.char_indices().nth(LONGEST).map_or(line, |(end, _)| &line[..end])
}

/// Empties the lines that we wrote into somebody else's file: what they say is the base's, and no evidence beside it.
fn without_our_blocks<'t>(lines: impl Iterator<Item = &'t str>) -> impl Iterator<Item = &'t str> {
    let mut is_inside = false;
    lines.map(move |line| {
        let is_mark = line.trim_start().starts_with(OUR_MARK);
        let is_ours = is_inside || is_mark;
        if is_mark {
            is_inside = line.trim_end().ends_with("begin -->");
        }
        if is_ours { "" } else { line }
    })
}

/// Finds the line of a file that says most of what was asked, with the line before and after it in view.
fn best_line(
    request: &ScanRequest<'_>,
    path: &str,
    asked: &FxHashMap<Term, f64>,
    statistics: &Statistics,
    wanted: &[String],
    known: &[&String],
) -> Option<Place> {
    let text = request.project.text(path)?;
    let all: f64 = asked.keys().map(|term| statistics.weight(*term)).sum::<f64>().max(0.1);
    let mut cutter = Cutter::default();
    let lines: Vec<&str> = without_our_blocks(text.lines().take(20_000)).map(beginning).collect();
    let mut seen: Vec<Vec<Term>> = Vec::with_capacity(lines.len());
    for line in &lines {
        let mut terms = Vec::new();
        cutter.cut(line, |term| {
            if asked.contains_key(&term) && !terms.contains(&term) {
                terms.push(term);
            }
        });
        seen.push(terms);
    }
    let weight = |terms: &[Term]| terms.iter().map(|term| statistics.weight(*term)).sum::<f64>();
    let mut best: Option<(f64, usize)> = None;
    for (at, own) in seen.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
        let mut near: Vec<Term> = own.clone();
        for terms in &seen[at.saturating_sub(2)..(at + 3).min(seen.len())] {
            near.extend(terms.iter().filter(|term| !near.contains(term)).copied().collect::<Vec<_>>());
        }
        let named = wanted.iter().any(|name| lines[at].contains(name.as_str()));
        let score = weight(own) + 0.5 * (weight(&near) - weight(own)) + if named { 2.0 } else { 0.0 };
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, at));
        }
    }
    let (score, at) = best?;
    let named = wanted.iter().any(|name| lines[at].contains(name.as_str()));
    let share = (score / all).min(1.0);
    // Somebody's name that nothing here defines is a word like others.
    let used = known.iter().any(|name| lines[at].contains(name.as_str()));
    let sure = if used { 0.45 + 0.25 * share } else { 0.15 + 0.55 * share };
    let sure = if Role::of(path) == Role::Test { sure * IN_A_TEST } else { sure };
    Some(Place {
        score: share + if named { 1.0 } else { 0.0 },
        confidence: sure,
        at: format!("{path}:{}", at + 1),
        text: with_neighbours(&lines, &seen, at),
        how: if named { "usage" } else { "passage" },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_ours_are_emptied_and_lines_keep_their_numbers() {
        let text = "Moor at the pier.\n<!-- lore:rules begin -->\n- Never moor. [x]\n<!-- lore:rules end -->\nRing twice.";
        let lines: Vec<&str> = without_our_blocks(text.lines()).collect();
        assert_eq!(lines, ["Moor at the pier.", "", "", "", "Ring twice."]);
    }
}
