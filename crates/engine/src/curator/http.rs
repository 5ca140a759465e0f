//! Models behind an address: OpenAI-compatible and Anthropic.

use std::time::Duration;

use lore_distill::curator::EDITS_SCHEMA;
use serde_json::{Value, json};

use super::model::{Errand, Model, ModelError, ModelReply, ModelRequest};

/// Longest answer that is read.
const LIMIT: u64 = 8 << 20;
/// Most tokens an answer may have.
const ANSWER: u32 = 4096;

/// How a service is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `/chat/completions`, as OpenAI and many others have it.
    OpenAi,
    /// `/messages`, as Anthropic has it.
    Anthropic,
}

impl Dialect {
    /// Returns the address of the provider itself.
    pub(super) const fn home(self) -> &'static str {
        match self {
            Dialect::OpenAi => "https://api.openai.com/v1",
            Dialect::Anthropic => "https://api.anthropic.com/v1",
        }
    }
}

/// Asks a service.
pub(super) struct Service {
    dialect: Dialect,
    endpoint: String,
    model: String,
    key: Option<String>,
    patience: Duration,
    agent: ureq::Agent,
}

impl Service {
    pub(super) fn new(
        dialect: Dialect,
        endpoint: &str,
        model: &str,
        key: Option<&str>,
        patience: Duration,
    ) -> Service {
        let endpoint = if endpoint.trim().is_empty() { dialect.home() } else { endpoint.trim() };
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(patience))
            .http_status_as_error(false)
            // A key must not follow to another host.
            .max_redirects(0)
            .build();
        Service {
            dialect,
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            model: model.to_owned(),
            key: key.map(str::to_owned),
            patience,
            agent: config.into(),
        }
    }

    fn ask(&self, path: &str, body: &Value) -> Result<(u16, Value), ModelError> {
        let unreachable = |why: String| ModelError::Unreachable(self.model.clone(), why);
        let mut request =
            self.agent.post(format!("{}{path}", self.endpoint)).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = match self.dialect {
                Dialect::OpenAi => request.header("authorization", format!("Bearer {key}")),
                Dialect::Anthropic => request.header("x-api-key", key),
            };
        }
        if self.dialect == Dialect::Anthropic {
            request = request.header("anthropic-version", "2023-06-01");
        }
        let mut response = request.send(body.to_string()).map_err(|error| match error {
            ureq::Error::Timeout(_) => ModelError::TimedOut(self.model.clone(), self.patience.as_secs()),
            error => unreachable(error.to_string()),
        })?;
        let status = response.status().as_u16();
        let text =
            response.body_mut().with_config().limit(LIMIT).read_to_string().map_err(|error| match error {
                ureq::Error::Timeout(_) => ModelError::TimedOut(self.model.clone(), self.patience.as_secs()),
                error => unreachable(error.to_string()),
            })?;
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
    }

    fn checked(&self, (status, answer): (u16, Value)) -> Result<Value, ModelError> {
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        let why =
            answer["error"]["message"].as_str().or(answer["message"].as_str()).unwrap_or("no reason given");
        Err(ModelError::Unreachable(self.model.clone(), format!("status {status}: {why}")))
    }

    fn open_ai(&self, prompt: &str, schema: Option<&Value>) -> Result<ModelReply, ModelError> {
        let mut body = json!({ "model": self.model, "messages": [{ "role": "user", "content": prompt }] });
        if let Some(schema) = schema {
            let form = json!({ "name": "edits", "strict": false, "schema": schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": form });
        }
        let mut answer = self.ask("/chat/completions", &body)?;
        if schema.is_some() && (answer.0 == 400 || answer.0 == 422) {
            // Not every compatible service knows schemas; the prompt states the form as well.
            if let Some(fields) = body.as_object_mut() {
                fields.remove("response_format");
            }
            answer = self.ask("/chat/completions", &body)?;
        }
        let answer = self.checked(answer)?;
        let message = &answer["choices"][0]["message"];
        if let Some(refusal) = message["refusal"].as_str() {
            return Err(ModelError::Refused(self.model.clone(), refusal.to_owned()));
        }
        Ok(ModelReply {
            text: message["content"].as_str().unwrap_or_default().to_owned(),
            tokens: spent(&answer["usage"], "prompt_tokens", "completion_tokens"),
            cut_off: answer["choices"][0]["finish_reason"] == "length",
        })
    }

    fn anthropic(&self, prompt: &str, schema: Option<&Value>) -> Result<ModelReply, ModelError> {
        let mut body = json!({
            "model": self.model,
            "max_tokens": ANSWER,
            "messages": [{ "role": "user", "content": prompt }],
        });
        if let Some(schema) = schema {
            let tool =
                json!({ "name": "edits", "description": "Hands back the edits.", "input_schema": schema });
            body["tools"] = json!([tool]);
            body["tool_choice"] = json!({ "type": "tool", "name": "edits" });
        }
        let answer = self.checked(self.ask("/messages", &body)?)?;
        if answer["stop_reason"] == "refusal" {
            return Err(ModelError::Refused(self.model.clone(), "it gave no reason".to_owned()));
        }
        let blocks = answer["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let used =
            blocks.iter().find(|block| block["type"] == "tool_use").map(|block| block["input"].to_string());
        let said = || blocks.iter().find_map(|block| block["text"].as_str()).map(str::to_owned);
        Ok(ModelReply {
            text: used.or_else(said).unwrap_or_default(),
            tokens: spent(&answer["usage"], "input_tokens", "output_tokens"),
            cut_off: answer["stop_reason"] == "max_tokens",
        })
    }
}

impl Model for Service {
    fn name(&self) -> &str {
        &self.model
    }

    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let schema = match request.errand {
            Errand::Edits | Errand::Again | Errand::Repair => serde_json::from_str(EDITS_SCHEMA).ok(),
            Errand::Look | Errand::Lessons => None,
        };
        self.complete(request.text, schema.as_ref())
    }
}

impl Service {
    fn complete(&self, prompt: &str, schema: Option<&Value>) -> Result<ModelReply, ModelError> {
        match self.dialect {
            Dialect::OpenAi => self.open_ai(prompt, schema),
            Dialect::Anthropic => self.anthropic(prompt, schema),
        }
    }
}

/// Reads what the provider says it cost.
fn spent(usage: &Value, sent: &str, got: &str) -> Option<(usize, usize)> {
    let count = |name: &str| usize::try_from(usage[name].as_u64()?).ok();
    Some((count(sent)?, count(got)?))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpListener;
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Answers each request with the next of these, and tells what was asked.
    fn server(answers: Vec<(u16, String)>) -> (String, Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, requests) = channel();
        std::thread::spawn(move || {
            for (status, body) in answers {
                let Ok((stream, _)) = listener.accept() else { return };
                let mut reader = BufReader::new(stream);
                let (mut head, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                        break;
                    }
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    head.push_str(&line);
                }
                let mut content = vec![0; length];
                reader.read_exact(&mut content).unwrap();
                let _ = asked.send(format!("{head}\n{}", String::from_utf8_lossy(&content)));
                let answer = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _ = reader.get_mut().write_all(answer.as_bytes());
            }
        });
        (address, requests)
    }

    fn service(dialect: Dialect, endpoint: &str) -> Service {
        Service::new(dialect, endpoint, "small", Some("key-1"), Duration::from_secs(20))
    }

    #[test]
    fn an_open_ai_service_is_asked_with_the_schema() {
        let usage = json!({"prompt_tokens": 70, "completion_tokens": 9});
        let choice = json!({"message": {"content": "{\"edits\": ["}, "finish_reason": "length"});
        let answer = json!({"choices": [choice], "usage": usage}).to_string();
        let (address, requests) = server(vec![(200, answer)]);
        let said = service(Dialect::OpenAi, &address).complete("hello", Some(&json!({"type": "object"})));
        let expected = ModelReply { text: "{\"edits\": [".to_owned(), tokens: Some((70, 9)), cut_off: true };
        assert_eq!(said, Ok(expected));
        let request = requests.recv().unwrap();
        assert!(request.starts_with("POST /chat/completions"), "{request}");
        assert!(request.to_lowercase().contains("authorization: bearer key-1"), "{request}");
        assert!(request.contains("\"strict\":false") && request.contains("hello"), "{request}");
    }

    #[test]
    fn a_service_without_schemas_is_asked_once_more() {
        let refusal = json!({"error": {"message": "unknown field response_format"}}).to_string();
        let answer = json!({"choices": [{"message": {"content": "ok"}}]}).to_string();
        let (address, requests) = server(vec![(400, refusal), (200, answer)]);
        let said = service(Dialect::OpenAi, &address).complete("hello", Some(&json!({})));
        assert_eq!(said, Ok(ModelReply::of("ok")));
        assert!(requests.recv().unwrap().contains("response_format"));
        assert!(!requests.recv().unwrap().contains("response_format"));
    }

    #[test]
    fn an_anthropic_service_hands_back_what_it_called_the_tool_with() {
        let answer = json!({"content": [{"type": "tool_use", "name": "edits", "input": {"edits": []}}]});
        let (address, requests) = server(vec![(200, answer.to_string())]);
        let said = service(Dialect::Anthropic, &address).complete("hello", Some(&json!({})));
        assert_eq!(said, Ok(ModelReply::of("{\"edits\":[]}")));
        let request = requests.recv().unwrap();
        assert!(request.starts_with("POST /messages"), "{request}");
        assert!(request.to_lowercase().contains("x-api-key: key-1"), "{request}");
        assert!(request.to_lowercase().contains("anthropic-version: 2023-06-01"), "{request}");
    }

    #[test]
    fn what_goes_wrong_is_said() {
        let error = json!({"error": {"message": "no credit left"}}).to_string();
        let (address, _requests) = server(vec![(402, error), (200, "no JSON".to_owned())]);
        let service = service(Dialect::Anthropic, &address);
        let told = service.complete("hello", Some(&json!({}))).unwrap_err().to_string();
        assert!(told.contains("status 402: no credit left"), "{told}");
        assert_eq!(service.complete("hello", Some(&json!({}))), Ok(ModelReply::of("")));
        let refused = json!({"choices": [{"message": {"refusal": "I will not"}}]}).to_string();
        let (address, _requests) = server(vec![(200, refused)]);
        let told = self::service(Dialect::OpenAi, &address).complete("hello", Some(&json!({})));
        assert_eq!(told, Err(ModelError::Refused("small".to_owned(), "I will not".to_owned())));
        let nobody = self::service(Dialect::OpenAi, "http://127.0.0.1:1").complete("hello", Some(&json!({})));
        assert!(matches!(nobody, Err(ModelError::Unreachable(..))), "{nobody:?}");
    }

    #[test]
    fn a_service_that_does_not_answer_is_given_up() {
        // It accepts and says nothing.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let service = Service::new(Dialect::OpenAi, &address, "small", None, Duration::from_millis(50));
        let told = service.complete("hello", Some(&json!({})));
        assert!(matches!(told, Err(ModelError::TimedOut(..))), "{told:?}");
    }
}
