//! Fields and version of what lies on disk; a mismatch means rebuild.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};

/// Changes whenever the fields, the tokenizer or the vectors change their meaning.
pub(crate) const VERSION: u32 = 8;

/// The name under which the tokenizer is registered.
pub(crate) const TOKENIZER: &str = "lore";

/// A term that every document has in the fields that may stay empty: where a field has no term at all,
/// the engine builds a dictionary for it whenever it is asked, which takes longer than the search.
pub(crate) const ANY: &str = "\u{0}";

/// Fields of a curated entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryFields {
    pub(crate) id: Field,
    pub(crate) name: Field,
    pub(crate) kind: Field,
    pub(crate) status: Field,
    pub(crate) tag: Field,
    pub(crate) domain: Field,
    pub(crate) issue: Field,
    pub(crate) file: Field,
    pub(crate) project: Field,
    pub(crate) link: Field,
    /// Records that what holds in it rests on, as `session#line`.
    pub(crate) rests: Field,
    /// Records that what no longer holds rested on.
    pub(crate) past: Field,
    pub(crate) title: Field,
    pub(crate) description: Field,
    pub(crate) labels: Field,
    pub(crate) body: Field,
    pub(crate) stamp: Field,
    pub(crate) standing: Field,
    pub(crate) changed: Field,
    pub(crate) tie: Field,
    pub(crate) meaning: MeaningFields,
    pub(crate) record: Field,
}

/// Fields of a passage from a past session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassageFields {
    pub(crate) source: Field,
    pub(crate) session: Field,
    pub(crate) project: Field,
    pub(crate) voice: Field,
    pub(crate) file: Field,
    pub(crate) text: Field,
    pub(crate) context: Field,
    pub(crate) said: Field,
    pub(crate) tie: Field,
    pub(crate) meaning: MeaningFields,
    pub(crate) record: Field,
}

/// Fields of the vectors of either.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeaningFields {
    pub(crate) windows: Field,
    pub(crate) vector: Field,
    pub(crate) sketch: Field,
}

/// Builds the schema of curated entries.
pub(crate) fn entries() -> (Schema, EntryFields) {
    let mut schema = Schema::builder();
    let fields = EntryFields {
        id: schema.add_text_field("id", STRING | FAST),
        name: schema.add_text_field("name", STRING),
        kind: schema.add_text_field("kind", STRING),
        status: schema.add_text_field("status", STRING),
        tag: schema.add_text_field("tag", STRING),
        domain: schema.add_text_field("domain", STRING),
        issue: schema.add_text_field("issue", STRING),
        file: schema.add_text_field("file", STRING),
        project: schema.add_text_field("project", STRING),
        link: schema.add_text_field("link", STRING),
        rests: schema.add_text_field("rests", STRING),
        past: schema.add_text_field("past", STRING),
        title: prose(&mut schema, "title"),
        description: prose(&mut schema, "description"),
        labels: prose(&mut schema, "labels"),
        body: prose(&mut schema, "body"),
        stamp: schema.add_text_field("stamp", STRING | FAST),
        standing: schema.add_u64_field("standing", FAST),
        changed: schema.add_i64_field("changed", FAST),
        tie: schema.add_u64_field("tie", FAST),
        meaning: meaning(&mut schema),
        record: schema.add_bytes_field("record", STORED),
    };
    (schema.build(), fields)
}

/// Builds the schema of passages.
pub(crate) fn passages() -> (Schema, PassageFields) {
    let mut schema = Schema::builder();
    let fields = PassageFields {
        source: schema.add_text_field("source", STRING),
        session: schema.add_text_field("session", STRING),
        project: schema.add_text_field("project", STRING),
        voice: schema.add_text_field("voice", STRING),
        file: schema.add_text_field("file", STRING),
        text: prose(&mut schema, "text"),
        context: prose(&mut schema, "context"),
        said: schema.add_i64_field("said", FAST),
        tie: schema.add_u64_field("tie", FAST),
        meaning: meaning(&mut schema),
        record: schema.add_bytes_field("record", STORED),
    };
    (schema.build(), fields)
}

fn meaning(schema: &mut SchemaBuilder) -> MeaningFields {
    MeaningFields {
        windows: schema.add_u64_field("windows", FAST),
        vector: schema.add_u64_field("vector", FAST),
        sketch: schema.add_u64_field("sketch", FAST),
    }
}

fn prose(schema: &mut SchemaBuilder, name: &str) -> Field {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_fieldnorms(true)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    schema.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
}
