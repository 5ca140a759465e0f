//! The judgement: sessions become claims and articles.

pub mod extract;
