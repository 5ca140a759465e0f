//! Whether what is known is still true, by the conditions it rests on.

use lore_core::{EntryId, Status};
pub use lore_ground::freshness::Truth;
use lore_store::{Snapshot, Summary};
use serde::Serialize;

use crate::verdicts::Verdicts;
use crate::{Engine, Error};

/// An entry and how its conditions stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The entry.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// Its file, relative to the base.
    pub path: String,
    /// All conditions together.
    pub truth: Truth,
    /// Each condition.
    pub conditions: Vec<JudgedCondition>,
}

/// One condition and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgedCondition {
    /// The condition, as it was written.
    pub condition: String,
    /// Whether it holds.
    pub truth: Truth,
    /// What says so.
    pub evidence: Vec<String>,
}

impl Engine {
    /// Judges every entry that rests on conditions, those that no longer hold first.
    pub fn freshness(&self) -> Result<Vec<Judged>, Error> {
        let snapshot = self.store.snapshot()?;
        Ok(self.judge_all(&snapshot))
    }

    /// Judges conditions on their own and counts those of which something could be told.
    pub fn judge_conditions(&self, conditions: &[String]) -> Result<usize, Error> {
        let mut verdicts = self.verdicts();
        verdicts.prepare(conditions.iter());
        let told = conditions.iter().filter(|one| verdicts.judge(one).truth != Truth::CannotTell).count();
        verdicts.save();
        Ok(told)
    }

    pub(crate) fn judge_all(&self, snapshot: &Snapshot) -> Vec<Judged> {
        let mut verdicts = self.verdicts();
        let rests = |summary: &&Summary| {
            !summary.depends_on.is_empty() && !summary.archived && summary.status != Status::Superseded
        };
        let wanted: Vec<&Summary> = snapshot.summaries().filter(rests).collect();
        verdicts.prepare(wanted.iter().flat_map(|summary| &summary.depends_on));
        let mut judged: Vec<Judged> = wanted.iter().map(|summary| judge(summary, &mut verdicts)).collect();
        // What cannot be kept is judged again next time.
        verdicts.save();
        let rank = |truth: Truth| match truth {
            Truth::Broken => 0,
            Truth::CannotTell => 1,
            Truth::Holds => 2,
        };
        judged.sort_by(|a, b| rank(a.truth).cmp(&rank(b.truth)).then_with(|| a.id.cmp(&b.id)));
        judged
    }
}

fn judge(summary: &Summary, verdicts: &mut Verdicts) -> Judged {
    let one = |condition: &String| {
        let verdict = verdicts.judge(condition);
        JudgedCondition { condition: condition.clone(), truth: verdict.truth, evidence: verdict.evidence }
    };
    let conditions: Vec<JudgedCondition> = summary.depends_on.iter().map(one).collect();
    let any = |truth: Truth| conditions.iter().any(|condition| condition.truth == truth);
    let truth = match (any(Truth::Broken), any(Truth::CannotTell)) {
        (true, _) => Truth::Broken,
        (false, true) => Truth::CannotTell,
        (false, false) => Truth::Holds,
    };
    Judged {
        id: summary.id.clone(),
        title: summary.title.clone(),
        path: summary.path.clone(),
        truth,
        conditions,
    }
}
