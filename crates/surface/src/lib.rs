//! Finds the right entry and says why; derived and disposable.
//!
//! The main type is [`Index`]: curated entries on one shelf, passages of past sessions on another.
//! A [`Writer`] applies what the store changed; a [`Snapshot`] is searched by as many readers as
//! like, and none of them waits. What is asked is a [`lore_core::recall::Query`], what comes back
//! are [`lore_core::Hit`]s with the reasons for their place. Words (BM25 over weighted fields) and
//! meaning (vectors from an [`Embedder`]) are added on one scale.
//!
//! This crate is never the only place where a fact lives: deleting the index loses nothing, and a
//! rebuilt index answers like an updated one. It never reads the clock, the environment or the
//! network, and nobody outside knows whether the index is a folder.

mod alike;
mod answer;
mod asking;
mod before;
mod bounds;
mod brief;
mod candidate;
mod chatter;
mod clause;
mod context;
mod demand;
mod dismissed;
mod document;
mod evidence;
mod explain;
mod filter;
mod fit;
mod forget;
mod fuse;
mod hearsay;
mod index;
mod inquiry;
mod judge;
mod lead;
mod lexical;
mod passage;
mod period;
mod phrase;
mod query;
mod readable;
mod reader;
mod related;
mod said;
mod schema;
mod scope;
mod score;
mod semantic;
mod shelf;
mod silence;
mod snippet;
mod sought;
mod spoken;
mod status;
mod token;
mod undecided;
mod weigh;
mod wording;
mod writer;

pub use alike::cosine;
pub use answer::{Answer, AskOptions, Quote, answer};
pub use brief::{Advice, Brief, ContextBrief, brief, one_line};
pub use context::{
    Against, Age, Chosen, Considered, Line, Packed, Pick, Reason as PickReason, Request as ContextRequest,
    Role, Stack, Standing, Verdict, age, choose, concerning, entry_line, pack, rule_line, rules, said_line,
    tells_whole, triggered,
};
pub use explain::arithmetic;
pub use filter::LookUp;
pub use fit::{Answering, Bearing};
pub use forget::{Keep, Struck};
pub use index::{Card, Index, Level};
pub use inquiry::{Already, AnsweredHow, Fit, Inquiry, KnownAnswer, Measure, Quantity, already_answered};
pub use passage::{Passage, passages};
pub use reader::{SearchError, Snapshot};
pub use related::{Edge, Graph, Node, Reach};
pub use said::{PassageHit, PassageQuery};
pub use semantic::{Bert, Embedder, ModelError};
pub use shelf::{Access, Location, OpenError, Reason};
pub use silence::Silence;
pub use snippet::excerpt;
pub use writer::{WriteError, Writer};
