//! Entries and places in past sessions as resources, page by page.

use lore_core::{Status, sentinel};
use lore_engine::entries::Filter;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::Server;

/// So many entries stand on a page.
const PAGE: usize = 100;
/// No more characters are given at once.
const LONGEST: usize = 40_000;
const ENTRY: &str = "lore://entry/";
const SESSION: &str = "lore://session/";

/// Lists what can be named by a pattern.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{ENTRY}{{id}}"), "entry")
            .with_title("An entry")
            .with_description("An entry by its id, such as dec-k3f9x2")
            .with_mime_type("text/markdown"),
        ResourceTemplate::new(format!("{SESSION}{{place}}"), "session")
            .with_title("A place in a past session")
            .with_description("A session and a line, such as 6af70815#L88")
            .with_mime_type("text/plain"),
    ]
}

impl Server {
    /// Lists the entries that hold or are disputed, newest first, from a cursor on.
    pub(super) async fn resources(
        &self,
        cursor: Option<String>,
    ) -> Result<(Vec<Resource>, Option<String>), ErrorData> {
        let from = match cursor.as_deref().map(str::parse::<usize>) {
            None => 0,
            Some(Ok(from)) => from,
            Some(Err(_)) => return Err(ErrorData::invalid_params("the cursor is not one of ours", None)),
        };
        let listed = self.with(None, |engine| engine.list(&Filter::default())).await;
        let mut items = listed.map_err(|error| ErrorData::internal_error(error, None))?;
        items.retain(|item| matches!(item.status, Status::Current | Status::Disputed));
        let next = (items.len() > from + PAGE).then(|| (from + PAGE).to_string());
        let one = |item: &lore_engine::entries::Item| {
            let handle = item.id.handle().to_string();
            Resource::new(format!("{ENTRY}{handle}"), handle)
                .with_title(sentinel::clean(&item.title).into_owned())
                .with_mime_type("text/markdown")
        };
        Ok((items.iter().skip(from).take(PAGE).map(one).collect(), next))
    }

    /// Reads an entry or a place in a session, fenced like everything that is quoted.
    pub(super) async fn resource(&self, uri: String) -> Result<ReadResourceResult, ErrorData> {
        let name = uri.strip_prefix(ENTRY).or_else(|| uri.strip_prefix(SESSION));
        let unknown =
            |why: String| ErrorData::invalid_params(why, Some(serde_json::json!({ "uri": uri.clone() })));
        let Some(name) = name.map(str::to_owned).filter(|name| !name.is_empty()) else {
            return Err(unknown("resources are called lore://entry/ID and lore://session/PLACE".to_owned()));
        };
        let opened = self.with(None, move |engine| engine.open_reference("mcp", &name, None)).await;
        let opened = opened.map_err(unknown)?;
        let text = match &opened.entry {
            Some(shown) if opened.line.is_none() => shown.text.clone(),
            _ => opened.text,
        };
        let text: String = text.chars().take(LONGEST).collect();
        let kind = if uri.starts_with(ENTRY) { "text/markdown" } else { "text/plain" };
        let contents = ResourceContents::text(sentinel::wrap(&text), uri.clone()).with_mime_type(kind);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}
