//! The words of a text as the index takes them.

pub(crate) use lore_core::words::{Form, Token, is_stop_word, tokens, tokens_stemmed};
use tantivy::tokenizer::{TextAnalyzer, Token as IndexToken, TokenStream, Tokenizer};

/// Returns the analyzer under which the index knows the tokenizer.
pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::from(Words)
}

/// The tokenizer as tantivy wants it.
#[derive(Clone)]
struct Words;

struct WordStream {
    tokens: std::vec::IntoIter<Token>,
    current: IndexToken,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream {
        WordStream { tokens: tokens(text).into_iter(), current: IndexToken::default() }
    }
}

impl TokenStream for WordStream {
    fn advance(&mut self) -> bool {
        let Some(token) = self.tokens.next() else { return false };
        self.current.position = token.position;
        self.current.text = token.term;
        true
    }

    fn token(&self) -> &IndexToken {
        &self.current
    }

    fn token_mut(&mut self) -> &mut IndexToken {
        &mut self.current
    }
}
