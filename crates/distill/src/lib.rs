//! The judgement: sessions become claims and articles.

pub mod article;
pub mod catalogue;
pub mod curate;
pub mod curator;
pub mod extract;
pub mod fitted;
pub mod printed;
pub mod reflect;
pub mod ruling;
pub mod sense;
mod spelling;
pub mod spike;
