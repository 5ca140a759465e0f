//! What packets look like, and what no answer can do to a base.

mod answers;
mod made;
mod packets;
