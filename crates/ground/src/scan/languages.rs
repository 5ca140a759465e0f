//! The languages we parse, and what in them defines a name or asks for another file.
//!
//! The queries are short on purpose: `@def` is the name of something that other files can speak of,
//! `@import` is what a file asks for. Where one statement can ask for several things, `@asked` is all of it
//! and `@inner` a module within the file. They are compiled when the first file of a language is met.

use std::sync::LazyLock;

use tree_sitter::{Language, Query};

/// One language: its parser and its query.
pub(super) struct Grammar {
    pub(super) language: Language,
    pub(super) query: Query,
}

/// Builds a grammar; a query that does not fit its language makes the language one that is read as text.
fn grammar(language: Language, query: &str) -> Option<Grammar> {
    let query = Query::new(&language, query).ok()?;
    Some(Grammar { language, query })
}

macro_rules! languages {
    ($($(#[$gate:meta])* $name:ident: $ends:expr, $language:expr, $query:expr;)+) => {
        $($(#[$gate])* static $name: LazyLock<Option<Grammar>> =
            LazyLock::new(|| grammar($language.into(), $query));)+

        /// Returns the grammar for an ending of a file name.
        pub(super) fn for_ending(ending: &str) -> Option<&'static Grammar> {
            $($(#[$gate])* if $ends.contains(&ending) { return $name.as_ref(); })+
            None
        }

        #[cfg(test)]
        pub(super) fn all() -> Vec<(&'static str, Option<&'static Grammar>)> {
            vec![$($(#[$gate])* (stringify!($name), $name.as_ref()),)+]
        }
    };
}

const SCRIPT: &str = r#"
(function_declaration name: (_) @def)
(generator_function_declaration name: (_) @def)
(class_declaration name: (_) @def)
(method_definition name: (property_identifier) @def)
(program (lexical_declaration (variable_declarator name: (identifier) @def)))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @def))))
(import_statement source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(call_expression function: (import) arguments: (arguments (string (string_fragment) @import)))
((call_expression function: (identifier) @call arguments: (arguments (string (string_fragment) @import)))
  (#eq? @call "require"))
"#;

const TYPED: &str = r#"
(interface_declaration name: (_) @def)
(type_alias_declaration name: (_) @def)
(enum_declaration name: (_) @def)
(abstract_class_declaration name: (_) @def)
(property_signature name: (property_identifier) @def)
"#;

const C: &str = r#"
(function_definition declarator: (function_declarator declarator: (identifier) @def))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @def)))
(declaration declarator: (function_declarator declarator: (identifier) @def))
(struct_specifier name: (type_identifier) @def body: (_))
(union_specifier name: (type_identifier) @def body: (_))
(enum_specifier name: (type_identifier) @def body: (_))
(enumerator name: (identifier) @def)
(type_definition declarator: (type_identifier) @def)
(preproc_def name: (identifier) @def)
(preproc_function_def name: (identifier) @def)
(preproc_include path: (_) @import)
"#;

languages! {
    RUST: ["rs"], tree_sitter_rust::LANGUAGE, r#"
(function_item name: (identifier) @def)
(function_signature_item name: (identifier) @def)
(struct_item name: (type_identifier) @def)
(union_item name: (type_identifier) @def)
(enum_item name: (type_identifier) @def)
(enum_variant name: (identifier) @def)
(trait_item name: (type_identifier) @def)
(type_item name: (type_identifier) @def)
(const_item name: (identifier) @def)
(static_item name: (identifier) @def)
(macro_definition name: (identifier) @def)
(field_declaration name: (field_identifier) @def)
(use_declaration argument: (_) @import @asked)
(mod_item name: (identifier) @import @child !body)
(mod_item body: (_) @inner)
(extern_crate_declaration) @asked
(scoped_identifier) @asked
(scoped_type_identifier) @asked
"#;
    PYTHON: ["py", "pyi"], tree_sitter_python::LANGUAGE, r#"
(function_definition name: (identifier) @def)
(class_definition name: (identifier) @def)
(module (expression_statement (assignment left: (identifier) @def)))
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
(import_statement) @asked
(import_from_statement) @asked
"#;
    TYPESCRIPT: ["ts", "mts", "cts"], tree_sitter_typescript::LANGUAGE_TYPESCRIPT, &format!("{SCRIPT}{TYPED}");
    TSX: ["tsx"], tree_sitter_typescript::LANGUAGE_TSX, &format!("{SCRIPT}{TYPED}");
    JAVASCRIPT: ["js", "jsx", "mjs", "cjs"], tree_sitter_javascript::LANGUAGE, SCRIPT;
    GO: ["go"], tree_sitter_go::LANGUAGE, r#"
(function_declaration name: (identifier) @def)
(method_declaration name: (field_identifier) @def)
(type_spec name: (type_identifier) @def)
(field_declaration name: (field_identifier) @def)
(source_file (const_declaration (const_spec name: (identifier) @def)))
(source_file (var_declaration (var_spec name: (identifier) @def)))
(import_spec path: (_) @import)
"#;
    JAVA: ["java"], tree_sitter_java::LANGUAGE, r#"
(class_declaration name: (identifier) @def)
(interface_declaration name: (identifier) @def)
(enum_declaration name: (identifier) @def)
(record_declaration name: (identifier) @def)
(annotation_type_declaration name: (identifier) @def)
(method_declaration name: (identifier) @def)
(field_declaration declarator: (variable_declarator name: (identifier) @def))
(enum_constant name: (identifier) @def)
(import_declaration (_) @import)
"#;
    C_LANGUAGE: ["c", "h"], tree_sitter_c::LANGUAGE, C;
    BASH: ["sh", "bash"], tree_sitter_bash::LANGUAGE, r#"
(function_definition name: (word) @def)
((command name: (command_name (word) @call) argument: (word) @import) (#any-of? @call "source" "."))
"#;
    #[cfg(feature = "all-languages")]
    CPP: ["cc", "cpp", "cxx", "hpp", "hh", "hxx"], tree_sitter_cpp::LANGUAGE, &format!(
        "{C}(class_specifier name: (type_identifier) @def body: (_))
(namespace_definition name: (_) @def)
(function_definition declarator: (function_declarator declarator: (field_identifier) @def))
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @def)))"
    );
    #[cfg(feature = "all-languages")]
    C_SHARP: ["cs"], tree_sitter_c_sharp::LANGUAGE, r#"
(class_declaration name: (identifier) @def)
(interface_declaration name: (identifier) @def)
(struct_declaration name: (identifier) @def)
(record_declaration name: (identifier) @def)
(enum_declaration name: (identifier) @def)
(enum_member_declaration name: (identifier) @def)
(method_declaration name: (identifier) @def)
(property_declaration name: (identifier) @def)
(using_directive (_) @import)
"#;
    #[cfg(feature = "all-languages")]
    RUBY: ["rb", "rake"], tree_sitter_ruby::LANGUAGE, r#"
(method name: (_) @def)
(singleton_method name: (_) @def)
(class name: (_) @def)
(module name: (_) @def)
(program (assignment left: (constant) @def))
((call method: (identifier) @call arguments: (argument_list (string (string_content) @import)))
  (#any-of? @call "require" "require_relative" "load"))
"#;
    #[cfg(feature = "all-languages")]
    PHP: ["php"], tree_sitter_php::LANGUAGE_PHP, r#"
(function_definition name: (name) @def)
(method_declaration name: (name) @def)
(class_declaration name: (name) @def)
(interface_declaration name: (name) @def)
(trait_declaration name: (name) @def)
(enum_declaration name: (name) @def)
(const_element (name) @def)
(namespace_use_clause (_) @import)
"#;
    #[cfg(feature = "all-languages")]
    KOTLIN: ["kt", "kts"], tree_sitter_kotlin_ng::LANGUAGE, r#"
(class_declaration name: (identifier) @def)
(object_declaration name: (identifier) @def)
(function_declaration name: (identifier) @def)
(property_declaration (variable_declaration (identifier) @def))
(import (qualified_identifier) @import)
"#;
    #[cfg(feature = "all-languages")]
    SWIFT: ["swift"], tree_sitter_swift::LANGUAGE, r#"
(class_declaration name: (_) @def)
(protocol_declaration name: (type_identifier) @def)
(function_declaration name: (simple_identifier) @def)
(import_declaration (identifier) @import)
"#;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_fits_its_grammar() {
        let broken: Vec<&str> =
            all().into_iter().filter(|(_, grammar)| grammar.is_none()).map(|(name, _)| name).collect();
        assert!(broken.is_empty(), "{broken:?}");
    }
}
