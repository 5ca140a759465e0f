//! Versions as each ecosystem orders them, and sets of them.

mod order;
mod range;

pub(crate) use order::Scheme;
pub(crate) use range::{Overlap, Versions};

/// How a version is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `>=`
    AtLeast,
    /// `>`
    Above,
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `=`, `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `^`: up to the next breaking version.
    Caret,
    /// `~`: up to the next minor version.
    Tilde,
    /// `~>`, `~=`: the last part may grow.
    Pessimistic,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Comparator {
    /// How.
    pub operator: Operator,
    /// With what.
    pub version: String,
}

impl Operator {
    /// Reads the sign.
    pub(crate) fn from_sign(sign: &str) -> Option<Operator> {
        Some(match sign {
            ">=" => Operator::AtLeast,
            ">" => Operator::Above,
            "<=" => Operator::AtMost,
            "<" => Operator::Below,
            "=" | "==" | "===" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "^" => Operator::Caret,
            "~" => Operator::Tilde,
            "~>" | "~=" => Operator::Pessimistic,
            _ => return None,
        })
    }

    /// Returns the sign.
    #[cfg(test)]
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Operator::AtLeast => ">=",
            Operator::Above => ">",
            Operator::AtMost => "<=",
            Operator::Below => "<",
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Caret => "^",
            Operator::Tilde => "~",
            Operator::Pessimistic => "~>",
        }
    }
}
