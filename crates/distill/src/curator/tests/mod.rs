//! What packets look like, and what no answer can do to a base.

mod again;
mod answers;
mod fields;
mod made;
mod mutants;
mod mutation;
mod packets;
mod proofs;
mod rules;
