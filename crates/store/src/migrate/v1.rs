//! Format 1: what a new base starts with. See `docs/format.md`.

use crate::layout;

/// Files of an empty base. Machine state is a set of lines, so both sides of a merge are kept;
/// generated lists are put right by the next write.
pub(super) const INITIAL: &[(&str, &str)] = &[
    // Many projects ignore every `.lore` folder; the one in the base must travel with it.
    (layout::IGNORE, "!/.lore/\n"),
    (
        layout::INDEX,
        "---\nokf_version: \"0.2\"\n---\n\n# News\n\n* [Log](log.md) - What happened, newest first.\n",
    ),
    (layout::LOG, "# Log\n"),
    (layout::ATTRIBUTES, ATTRIBUTES),
];

/// How git merges what is in the base. A later line wins, and a driver that a clone does not know
/// means git's own merge; so what is only ever added to, or made again, is a union everywhere.
pub(crate) const ATTRIBUTES: &str = "*.md merge=lorekeep\n\
     index.md merge=union\n\
     log.md merge=union\n\
     history/timeline.md merge=union\n\
     .lore/tombstones merge=lorekeep\n\
     .lore/manifest/* merge=union\n\
     .lore/ledger/* merge=union\n\
     .lore/runs/* merge=union\n\
     .lore/state/** merge=lorekeep\n";

/// What bases were given before there was a driver.
pub(crate) const FIRST_ATTRIBUTES: &str = "index.md merge=union\n\
     log.md merge=union\n\
     history/timeline.md merge=union\n\
     .lore/tombstones merge=union\n\
     .lore/manifest/* merge=union\n\
     .lore/ledger/* merge=union\n\
     .lore/runs/* merge=union\n\
     .lore/state/** merge=union\n";
