//! The use cases; the only place where the stages meet.
