//! Format 1: what a new base starts with. See `docs/format.md`.

use crate::layout;

/// Files of an empty base. Machine state is a set of lines, so both sides of a merge are kept;
/// generated lists are put right by the next write.
pub(super) const INITIAL: &[(&str, &str)] = &[(
    layout::ATTRIBUTES,
    "index.md merge=union\n\
     log.md merge=union\n\
     history/timeline.md merge=union\n\
     .lore/tombstones merge=union\n\
     .lore/manifest/* merge=union\n\
     .lore/ledger/* merge=union\n\
     .lore/runs/* merge=union\n\
     .lore/state/** merge=union\n",
)];
