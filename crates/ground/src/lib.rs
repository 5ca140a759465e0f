//! Checks knowledge and new work against the code repository.
