//! Test helpers: throw-away repositories, a fixed clock, snapshot filters.
