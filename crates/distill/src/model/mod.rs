//! Optional refinement by a language model: it may word better, never know more (C-04).
//!
//! The heuristic candidates stand on their own. A model, or an agent that fetched the candidates,
//! may hand back better titles and sentences. What it hands back must be supported by the words
//! that are cited; otherwise the heuristic wording stands, and the result says so.

mod prompt;
mod support;

use lore_core::{Candidate, Confidence, ContentHash, ENTRY_BAR, Kind, text::tokens};
use serde::{Deserialize, Serialize};

pub use prompt::{prompt, schema};

/// Text in, text out. Implemented by the engine over HTTP and over a command.
pub trait Model {
    /// Returns the name that results are remembered under.
    fn name(&self) -> &str;

    /// Answers a prompt with JSON that fits the schema.
    fn complete(&self, prompt: &str, schema: &serde_json::Value) -> Result<String, ModelError>;
}

/// Why a model gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Nobody answered.
    #[error("the model `{0}` could not be reached: {1}")]
    Unreachable(String, String),
    /// It took too long.
    #[error("the model `{0}` did not answer within {1} seconds")]
    TimedOut(String, u64),
    /// It answered that it will not.
    #[error("the model `{0}` refused: {1}")]
    Refused(String, String),
}

/// What a run may spend, in our own estimate of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens left.
    pub tokens: usize,
}

/// Answers of earlier runs, by the hash of model and prompt.
pub trait Answers {
    /// Returns an earlier answer.
    fn get(&self, key: &ContentHash) -> Option<String>;

    /// Keeps an answer.
    fn put(&mut self, key: &ContentHash, answer: &str);
}

/// A candidate as it is handed out for refinement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// Names it when the refined entry comes back.
    pub candidate: String,
    /// What sort of knowledge it is, as far as we know.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Our title.
    pub title: String,
    /// Our wording.
    pub text: String,
    /// The words it rests on.
    pub quotes: Vec<String>,
}

/// A candidate as a model or an agent hands it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefinedEntry {
    /// The name it was offered under.
    pub candidate: String,
    /// Whether it is worth keeping.
    #[serde(default = "yes")]
    pub keep: bool,
    /// What sort of knowledge it is.
    #[serde(rename = "type", default)]
    pub kind: Option<Kind>,
    /// At most ten words.
    #[serde(default)]
    pub title: Option<String>,
    /// One to three self-contained sentences.
    #[serde(default)]
    pub text: Option<String>,
    /// Subject words.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// How explicitly it was said.
    #[serde(default)]
    pub confidence: Option<Confidence>,
}

fn yes() -> bool {
    true
}

/// Candidates after refinement, with what was refused and why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Refined {
    /// All candidates, in their order; those that were not refined are as they were.
    pub candidates: Vec<Candidate>,
    /// What did not go as asked, in words.
    pub notes: Vec<String>,
    /// How many were reworded.
    pub reworded: usize,
}

/// Names a candidate by its content, so that it can come back later and from elsewhere.
pub fn name_of(candidate: &Candidate) -> String {
    let mut key = format!("{}\n{}\n{}", candidate.kind, candidate.title, candidate.text);
    for evidence in &candidate.evidence {
        key.push_str(&format!("\n{}:{}:{}", evidence.session, evidence.line, evidence.quote));
    }
    format!("c-{}", ContentHash::of(key.as_bytes()).short())
}

/// Hands candidates out.
pub fn offer(candidates: &[Candidate]) -> Vec<Offered> {
    let offered = |candidate: &Candidate| Offered {
        candidate: name_of(candidate),
        kind: candidate.kind,
        title: candidate.title.clone(),
        text: candidate.text.clone(),
        quotes: candidate.evidence.iter().map(|evidence| evidence.quote.clone()).collect(),
    };
    candidates.iter().map(offered).collect()
}

/// Takes refined entries back; each is checked against the words it rests on.
pub fn accept(mut candidates: Vec<Candidate>, refined: &[RefinedEntry]) -> Refined {
    let names: Vec<String> = candidates.iter().map(name_of).collect();
    let mut notes = Vec::new();
    let mut reworded = 0;
    for entry in refined {
        let Some(at) = names.iter().position(|name| *name == entry.candidate) else {
            notes.push(format!("`{}` is not one of the candidates", entry.candidate));
            continue;
        };
        match apply(&candidates[at], entry) {
            Ok(better) => {
                reworded +=
                    usize::from(better.text != candidates[at].text || better.title != candidates[at].title);
                candidates[at] = better;
            }
            Err(refusal) => {
                notes.push(format!("kept our own wording of “{}”: {refusal}", candidates[at].title))
            }
        }
    }
    Refined { candidates, notes, reworded }
}

/// Asks a model to refine the candidates; whatever goes wrong, the candidates stand as they are.
pub fn refine(
    candidates: Vec<Candidate>,
    model: &dyn Model,
    budget: &mut Budget,
    answers: &mut dyn Answers,
) -> Refined {
    let stand =
        |candidates: Vec<Candidate>, note: String| Refined { candidates, notes: vec![note], reworded: 0 };
    if candidates.is_empty() {
        return Refined::default();
    }
    let prompt = prompt(&offer(&candidates));
    let key = ContentHash::of(format!("{}\n{prompt}", model.name()).as_bytes());
    let known = answers.get(&key);
    let answer = match known {
        Some(answer) => answer,
        None => {
            let cost = 2 * tokens(&prompt);
            if cost > budget.tokens {
                let left = budget.tokens;
                return stand(candidates, format!("not refined: about {cost} tokens needed, {left} left"));
            }
            budget.tokens -= cost;
            match model.complete(&prompt, &schema()) {
                Ok(answer) => answer,
                Err(error) => return stand(candidates, format!("not refined: {error}")),
            }
        }
    };
    match read(&answer) {
        Ok(refined) => {
            answers.put(&key, &answer);
            accept(candidates, &refined)
        }
        Err(error) => {
            stand(candidates, format!("not refined: the answer is not what was asked for ({error})"))
        }
    }
}

/// Reads an answer, also where the model wrapped it in prose or a code fence.
pub fn read(answer: &str) -> Result<Vec<RefinedEntry>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Answer {
        entries: Vec<RefinedEntry>,
    }
    let start = answer.find('{').unwrap_or(0);
    let end = answer.rfind('}').map_or(answer.len(), |at| at + 1);
    let inner = answer.get(start..end).unwrap_or(answer);
    serde_json::from_str::<Answer>(inner).map(|answer| answer.entries)
}

/// Puts a refined entry in the place of a candidate, or says why not.
fn apply(candidate: &Candidate, entry: &RefinedEntry) -> Result<Candidate, String> {
    let mut better = candidate.clone();
    if !entry.keep {
        better.weight = better.weight.min(ENTRY_BAR / 2.0);
        return Ok(better);
    }
    if let Some(kind) = entry.kind {
        if !crate::article::is_article(kind) {
            return Err(format!("`{kind}` is not a kind of article"));
        }
        better.kind = kind;
    }
    if let Some(title) = &entry.title {
        better.title = support::title(title)?;
    }
    if let Some(text) = &entry.text {
        better.text = support::text(text)?;
    }
    support::supported(candidate, &better)?;
    if !entry.keywords.is_empty() {
        better.keywords = support::keywords(candidate, &entry.keywords);
    }
    if let Some(confidence) = entry.confidence {
        // A model may doubt; it cannot make a statement more explicit than it was.
        better.confidence = confidence.min(candidate.confidence);
    }
    Ok(better)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use lore_core::{Evidence, SessionId, Voice};

    use super::*;

    fn candidate() -> Candidate {
        let evidence = Evidence {
            session: SessionId::new("s"),
            agent: "agent".to_owned(),
            line: 3,
            quote: "no, keep the cache in `out/cache`, at most 40 MB".to_owned(),
            voice: Voice::Person,
            at: None,
        };
        Candidate {
            kind: Kind::Decision,
            title: "Keep cache".to_owned(),
            text: "The build cache is kept in `out/cache`.".to_owned(),
            confidence: Confidence::Medium,
            keywords: vec!["cache".to_owned()],
            files: Vec::new(),
            issue: None,
            evidence: vec![evidence],
            weight: 0.8,
            features: Vec::new(),
            at: None,
            route: lore_core::Route::Statement,
        }
    }

    fn refined(title: &str, text: &str) -> RefinedEntry {
        RefinedEntry {
            candidate: name_of(&candidate()),
            keep: true,
            kind: Some(Kind::Decision),
            title: Some(title.to_owned()),
            text: Some(text.to_owned()),
            keywords: vec!["cache".to_owned(), "quantum".to_owned()],
            confidence: Some(Confidence::High),
        }
    }

    #[test]
    fn a_better_wording_is_taken_when_the_evidence_supports_it() {
        let text = "The build cache is kept in `out/cache` and is at most 40 MB.";
        let result = accept(vec![candidate()], &[refined("Build cache is kept in out/cache", text)]);
        assert_eq!(result.notes, Vec::<String>::new());
        assert_eq!(result.candidates[0].text, text);
        assert_eq!(result.candidates[0].keywords, ["cache"]);
        assert_eq!(result.candidates[0].confidence, Confidence::Medium);
        assert_eq!(result.reworded, 1);
    }

    #[test]
    fn what_the_evidence_does_not_say_is_refused() {
        let check = |title: &str, text: &str, why: &str| {
            let result = accept(vec![candidate()], &[refined(title, text)]);
            assert_eq!(result.candidates, [candidate()], "{text}");
            assert!(result.notes[0].contains(why), "{:?}", result.notes);
        };
        check("Build cache", "The build cache is kept in `/var/cache`.", "/var/cache");
        check("Build cache", "The build cache is at most 90 MB.", "90");
        check("Build cache", "The build cache is not kept in `out/cache`.", "turns round");
        check(
            "Build cache",
            "Engineers love reproducible deterministic hermetic pipelines.",
            "most of its words",
        );
        check("One two three four five six seven eight nine ten eleven", "The cache is kept.", "11 words");
        let unknown =
            RefinedEntry { candidate: "c-000000000000".to_owned(), ..refined("Cache", "The cache.") };
        assert!(accept(vec![candidate()], &[unknown]).notes[0].contains("not one of the candidates"));
    }

    #[test]
    fn a_candidate_that_is_not_worth_keeping_falls_below_the_bar() {
        let dropped = RefinedEntry { keep: false, ..refined("x", "x") };
        assert!(accept(vec![candidate()], &[dropped]).candidates[0].weight < ENTRY_BAR);
    }

    struct Scripted(Result<String, ModelError>);

    impl Model for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }
        fn complete(&self, _: &str, _: &serde_json::Value) -> Result<String, ModelError> {
            self.0.clone()
        }
    }

    #[derive(Default)]
    struct Memory(HashMap<ContentHash, String>);

    impl Answers for Memory {
        fn get(&self, key: &ContentHash) -> Option<String> {
            self.0.get(key).cloned()
        }
        fn put(&mut self, key: &ContentHash, answer: &str) {
            self.0.insert(key.clone(), answer.to_owned());
        }
    }

    #[test]
    fn whatever_goes_wrong_the_heuristic_result_stands() {
        let failing = [
            Scripted(Err(ModelError::TimedOut("scripted".to_owned(), 30))),
            Scripted(Ok("I would rather not.".to_owned())),
            Scripted(Ok("{\"entries\": [{\"surprise\": 1}]}".to_owned())),
        ];
        for model in failing {
            let result =
                refine(vec![candidate()], &model, &mut Budget { tokens: 100_000 }, &mut Memory::default());
            assert_eq!(result.candidates, [candidate()]);
            assert!(result.notes[0].starts_with("not refined"), "{:?}", result.notes);
        }
        let poor = &mut Budget { tokens: 10 };
        let result = refine(vec![candidate()], &Scripted(Ok(String::new())), poor, &mut Memory::default());
        assert!(result.notes[0].contains("tokens needed"));
    }

    #[test]
    fn an_answer_is_asked_for_once() {
        let entry = refined("Build cache", "The build cache is kept in `out/cache`.");
        let answer = format!("```json\n{{\"entries\": [{}]}}\n```", serde_json::to_string(&entry).unwrap());
        let (mut budget, mut memory) = (Budget { tokens: 100_000 }, Memory::default());
        let first = refine(vec![candidate()], &Scripted(Ok(answer)), &mut budget, &mut memory);
        assert_eq!(first.candidates[0].title, "Build cache");
        let left = budget;
        let silent = Scripted(Err(ModelError::TimedOut("scripted".to_owned(), 1)));
        let second = refine(vec![candidate()], &silent, &mut budget, &mut memory);
        assert_eq!(second.candidates, first.candidates);
        assert_eq!(budget, left);
    }
}
