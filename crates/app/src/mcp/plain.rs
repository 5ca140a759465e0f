//! Schemas as every client understands them.

use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use serde_json::{Map, Value};

use super::Server;

/// Returns the tools, their schemas without formats of numbers that only Rust has: clients warn of those.
pub(super) fn router() -> ToolRouter<Server> {
    let mut router = Server::tool_router();
    for route in router.map.values_mut() {
        route.attr.input_schema = plain(&route.attr.input_schema);
        route.attr.output_schema = route.attr.output_schema.as_ref().map(plain);
    }
    router
}

fn plain(schema: &Arc<Map<String, Value>>) -> Arc<Map<String, Value>> {
    let mut value = Value::Object(schema.as_ref().clone());
    strip(&mut value);
    match value {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::clone(schema),
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Object(fields) => {
            if fields.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
                fields.remove("format");
            }
            fields.values_mut().for_each(strip);
        }
        _ => {}
    }
}
