//! The judgement: sessions become claims and articles.
