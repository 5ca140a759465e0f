//! The form of an answer, as it is published.

/// The JSON schema of `lore.edits/1`.
pub const EDITS_SCHEMA: &str = r#"{ "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "lore.edits/1",
  "type": "object", "required": ["packet", "edits"],
  "properties": {
    "packet": { "type": "string" },
    "edits": { "type": "array", "maxItems": 30, "items": {
      "type": "object", "required": ["op", "lines"],
      "properties": {
        "n": { "type": "integer", "minimum": 1 },
        "op": { "enum": ["new", "same", "adds", "refines", "supersedes", "disputes", "split", "drop"] },
        "risk": { "type": "string" },
        "entry": { "type": "string" },
        "kind": { "enum": ["decision", "preference", "fact", "architecture", "limitation", "event"] },
        "title": { "type": "string", "maxLength": 112 },
        "text": { "type": "string", "maxLength": 650 },
        "reason": { "type": "string", "maxLength": 300 },
        "lines": { "type": "array", "minItems": 1, "maxItems": 24, "items": { "type": "integer", "minimum": 1 } },
        "decided_by": { "enum": ["person", "agreed", "agent", "nobody"] },
        "was": { "type": "object", "additionalProperties": false, "required": ["text"],
          "properties": {
            "text": { "type": "string", "maxLength": 375 },
            "lines": { "type": "array", "items": { "type": "integer", "minimum": 1 } } } },
        "scope": { "enum": ["project", "person"] }
      } } },
    "unsure": { "type": "array", "items": { "type": "object",
      "properties": {
        "lines": { "type": "array", "items": { "type": "integer", "minimum": 1 } },
        "question": { "type": "string" } } } }
  } }"#;

/// The JSON schema of `looks`: what a second look says, by the numbers of the claims.
pub const LOOKS_SCHEMA: &str = r#"{ "type": "object", "additionalProperties": { "anyOf": [
    { "enum": ["entailed", "partly", "no", "contradicts", "idle"] },
    { "type": "object", "required": ["partly"],
      "properties": { "partly": { "type": "string" }, "title": { "type": "string" } } }
  ] } }"#;
