//! What packets look like, and what no answer can do to a base.

mod again;
mod answers;
mod applying;
mod asked;
mod drafts;
mod fields;
mod hostile;
mod later;
mod lenient;
mod made;
mod mutation;
mod packets;
mod proofs;
mod properties;
mod rules;
mod surplus;
mod weak;
mod wording;
