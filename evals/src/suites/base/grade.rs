//! Claims that nobody has judged yet, drawn for a reader who sees page and cited records only.

use lore_core::ContentHash;
use serde::Serialize;

use super::claims::{Records, Standing, Stated};
use super::labels::Labels;
use crate::words::Words;

/// So many claims of a project are drawn.
const DRAWN: usize = 40;

/// Decides the draw; the same claims are drawn again after a change elsewhere.
const SEED: &str = "base-1";

/// So much of a cited record is shown.
const SHOWN: usize = 1500;

/// One claim to be graded.
#[derive(Serialize)]
pub(super) struct ToGrade {
    project: String,
    page: String,
    title: String,
    claim: String,
    page_text: String,
    cited: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    file: Option<String>,
    line: u32,
    voice: &'static str,
    text: String,
}

/// Draws claims that match no judged statement.
pub(super) fn draw(project: &str, standing: &Standing, labels: &Labels, records: &Records) -> Vec<ToGrade> {
    let mut open: Vec<(ContentHash, &Stated)> = standing
        .current()
        .filter(|claim| labels.judgement(claim).is_none())
        .map(|claim| (ContentHash::of(format!("{SEED}\n{project}\n{}", claim.text).as_bytes()), claim))
        .collect();
    open.sort_by(|a, b| a.0.cmp(&b.0));
    let shown = |claim: &Stated| {
        let cited = claim.cited.iter().map(|cited| Shown {
            file: cited.files.first().cloned(),
            line: cited.line,
            voice: cited.voice,
            text: around(records.text(cited).unwrap_or_default(), &claim.words),
        });
        ToGrade {
            project: project.to_owned(),
            page: claim.page.clone(),
            title: claim.title.clone(),
            claim: claim.text.clone(),
            page_text: standing.pages.get(&claim.page).cloned().unwrap_or_default(),
            cited: cited.collect(),
        }
    };
    open.into_iter().take(DRAWN).map(|(_, claim)| shown(claim)).collect()
}

/// Cuts a long record down to the part that is most like the claim.
fn around(text: &str, words: &Words) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= SHOWN {
        return text.to_owned();
    }
    let part = |from: usize| letters[from..letters.len().min(from + SHOWN)].iter().collect::<String>();
    let parts = (0..letters.len()).step_by(SHOWN / 2).map(part);
    let best = parts.map(|part| (words.likeness(&Words::of(&part)), part));
    best.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, part)| part).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::claims::Cited;
    use super::super::labels::Judged;
    use super::super::labels::made_up::said;
    use super::*;

    #[test]
    fn a_long_record_is_cut_to_where_the_words_stand() {
        let long = format!("{}the kiln is fired on Fridays{}", "x ".repeat(4000), " y".repeat(4000));
        let cut = around(&long, &Words::of("kiln fired on Fridays"));
        assert!(cut.contains("kiln is fired") && cut.len() <= SHOWN, "{cut}");
        assert_eq!(around("short", &Words::of("kiln")), "short");
    }

    fn drawn(claims: Vec<Stated>, labels: &Labels) -> Vec<String> {
        let standing = Standing { claims, ..Standing::default() };
        let drawn = draw("p", &standing, labels, &Records::made_up(&[]));
        drawn.into_iter().map(|one| one.claim).collect()
    }

    fn claim(number: usize) -> Stated {
        let text = format!("claim {number}");
        let cited = vec![Cited { files: vec!["a".to_owned()], line: 3, voice: "agent" }];
        Stated { words: Words::of(&text), text, cited, is_current: true, ..Stated::default() }
    }

    #[test]
    fn the_draw_is_the_same_every_time() {
        let forward = drawn((0..100).map(claim).collect(), &Labels::default());
        assert_eq!(forward.len(), DRAWN);
        assert_eq!(drawn((0..100).rev().map(claim).collect(), &Labels::default()), forward);
    }

    #[test]
    fn what_was_judged_or_no_longer_holds_is_not_drawn() {
        let judged = Judged { id: "j".to_owned(), keep: 0, spot: said("a", 3, "claim 1") };
        let labels = Labels { judged: vec![judged], ..Labels::default() };
        let past = Stated { is_current: false, ..claim(2) };
        assert_eq!(drawn(vec![claim(1), past, claim(3)], &Labels::default()).len(), 2);
        assert_eq!(drawn(vec![claim(1)], &labels), Vec::<String>::new());
    }
}
