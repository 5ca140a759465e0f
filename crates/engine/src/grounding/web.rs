//! The web, as the user set it up: a search service or a program of theirs. Off until then.

use std::path::PathBuf;
use std::time::Duration;

use lore_ground::findings::{Finding, shared};
use lore_ground::router::SourceKind;
use serde_json::Value;

use super::cascade::{GroundSource, SourceFailure};
use crate::World;
use crate::config::Ground;
use crate::curator::{ModelError, Program};

/// So many results are taken.
const RESULTS: usize = 5;
/// Longer questions are cut: no search takes a whole plan.
const LONGEST: usize = 300;

/// A search outside.
pub(super) struct Web {
    provider: String,
    #[cfg(feature = "model-http")]
    endpoint: String,
    command: String,
    #[cfg(feature = "model-http")]
    key: Option<String>,
    folder: PathBuf,
    patience: Duration,
}

impl Web {
    pub(super) fn of(settings: &Ground, world: &World) -> Web {
        Web {
            provider: settings.web.clone(),
            #[cfg(feature = "model-http")]
            endpoint: settings.web_endpoint.clone(),
            command: settings.web_command.clone(),
            #[cfg(feature = "model-http")]
            key: world.variable(crate::env::LORE_SEARCH_KEY).map(str::to_owned),
            folder: world.directory.clone(),
            patience: Duration::from_secs(settings.web_timeout),
        }
    }

    fn answer(&self, question: &str) -> Result<Value, SourceFailure> {
        let failed = |why: String| SourceFailure::Failed(why);
        match self.provider.as_str() {
            "none" | "" => Err(SourceFailure::Absent("no web search is set up (`ground.web`)".to_owned())),
            "command" => {
                let program = Program::new("web search", &self.command, self.folder.clone(), self.patience);
                let said = program.answer(question);
                let said = said.map_err(|error| match error {
                    ModelError::TimedOut(..) => SourceFailure::TimedOut(error.to_string()),
                    error => failed(error.to_string()),
                })?;
                let plain = |_| Ok(serde_json::json!({ "results": [{ "content": said }] }));
                serde_json::from_str(&said).or_else(plain)
            }
            "searxng" | "brave" | "tavily" => self.service(question),
            other => Err(failed(format!("`{other}` is no search that we know"))),
        }
    }

    #[cfg(feature = "model-http")]
    fn service(&self, question: &str) -> Result<Value, SourceFailure> {
        let failed = |error: ureq::Error| match error {
            ureq::Error::Timeout(_) => SourceFailure::TimedOut(error.to_string()),
            error => SourceFailure::Failed(error.to_string()),
        };
        let config =
            ureq::Agent::config_builder().timeout_global(Some(self.patience)).max_redirects(0).build();
        let agent: ureq::Agent = config.into();
        let key = self.key.as_deref().unwrap_or_default();
        let at = |home: &str| if self.endpoint.is_empty() { home.to_owned() } else { self.endpoint.clone() };
        let mut response = match self.provider.as_str() {
            "brave" => agent
                .get(at("https://api.search.brave.com/res/v1/web/search"))
                .query("q", question)
                .header("X-Subscription-Token", key)
                .call(),
            "tavily" => agent
                .post(at("https://api.tavily.com/search"))
                .header("authorization", format!("Bearer {key}"))
                .header("content-type", "application/json")
                .send(serde_json::json!({ "query": question, "max_results": RESULTS }).to_string()),
            _ => agent
                .get(at("http://localhost:8888/search"))
                .query("q", question)
                .query("format", "json")
                .call(),
        }
        .map_err(failed)?;
        let text = response.body_mut().with_config().limit(4 << 20).read_to_string().map_err(failed)?;
        serde_json::from_str(&text)
            .map_err(|error| SourceFailure::Failed(format!("its answer is no JSON: {error}")))
    }

    #[cfg(not(feature = "model-http"))]
    fn service(&self, _: &str) -> Result<Value, SourceFailure> {
        Err(SourceFailure::Absent(
            "this build speaks to no service; use `ground.web = \"command\"`".to_owned(),
        ))
    }
}

impl GroundSource for Web {
    fn kind(&self) -> SourceKind {
        SourceKind::Web
    }

    fn ask(&self, question: &str) -> Result<Vec<Finding>, SourceFailure> {
        let question: String = question.chars().take(LONGEST).collect();
        let answer = self.answer(&question)?;
        Ok(findings(&question, &answer))
    }
}

/// Takes results out of the shapes that services give them. Strangers wrote them: they never make us sure.
fn findings(question: &str, answer: &Value) -> Vec<Finding> {
    let results = answer.get("results").or_else(|| answer.pointer("/web/results")).and_then(Value::as_array);
    let mut found = Vec::new();
    for result in results.into_iter().flatten().take(RESULTS) {
        let text = |keys: &[&str]| {
            keys.iter().find_map(|key| result.get(key).and_then(Value::as_str)).unwrap_or_default()
        };
        let said = format!("{} {}", text(&["title"]), text(&["content", "description", "snippet"]));
        let said: String = said.trim().chars().take(300).collect();
        if said.is_empty() {
            continue;
        }
        found.push(Finding {
            source: SourceKind::Web,
            confidence: ((0.2 + 0.4 * shared(question, &said)) * 100.0).round() / 100.0,
            text: said,
            at: text(&["url", "link"]).to_owned(),
            how: "result".to_owned(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_every_shape() {
        let check = |answer: Value| {
            let found = findings("which port does redis use", &answer);
            assert_eq!(found.len(), 1, "{answer}");
            assert!(found[0].text.contains("6379") && found[0].confidence < 0.75, "{found:?}");
        };
        check(
            serde_json::json!({"results": [{"title": "Redis", "content": "port 6379", "url": "https://x"}]}),
        );
        check(serde_json::json!({"web": {"results": [{"title": "Redis", "description": "port 6379"}]}}));
        check(serde_json::json!({"results": [{"content": "redis uses port 6379"}]}));
    }
}
