//! Every key and what it does: the one table that the update, the foot of the screen and the help read.

/// A key, whatever terminal it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Ctrl(char),
    Enter,
    Esc,
    Backspace,
    Tab,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
}

/// What a key asks for while the list is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Keep,
    Edit,
    Reject,
    Merge,
    Replace,
    Side,
    Both,
    Undo,
    Mark,
    MarkAll,
    Search,
    Group,
    OnlyKind,
    OnlyState,
    OnlyConfidence,
    Clear,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Focus,
    Zoom,
    Help,
    Quit,
}

/// Which keys ask for what.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) keys: &'static [Key],
    pub(crate) act: Act,
    /// The key as it is written.
    pub(crate) written: &'static str,
    /// A word for the foot of the screen; empty where there is no room for it.
    pub(crate) short: &'static str,
    /// A sentence for the help.
    pub(crate) says: &'static str,
}

const fn bind(
    keys: &'static [Key],
    act: Act,
    written: &'static str,
    short: &'static str,
    says: &'static str,
) -> Binding {
    Binding { keys, act, written, short, says }
}

/// The keys of the list.
pub(crate) const BINDINGS: &[Binding] = &[
    bind(&[Key::Char('y')], Act::Keep, "y", "keep", "it is right: keep it, confirmed by you"),
    bind(&[Key::Char('e')], Act::Edit, "e", "edit", "open it in your editor, then come back"),
    bind(&[Key::Char('x')], Act::Reject, "x", "reject", "it goes and does not come back; you are asked why"),
    bind(&[Key::Char('m')], Act::Merge, "m", "merge", "put what it says into another entry"),
    bind(&[Key::Char('r')], Act::Replace, "r", "replaced", "another entry holds instead"),
    bind(SIDES, Act::Side, "1-9", "side", "in a dispute: this side is right"),
    bind(&[Key::Char('0')], Act::Both, "0", "", "in a dispute: all sides are right, of different things"),
    bind(&[Key::Char('u')], Act::Undo, "u", "undo", "take your last step back, and the one before"),
    bind(&[Key::Char(' ')], Act::Mark, "space", "mark", "mark it: y, x, m and r then mean all marked ones"),
    bind(&[Key::Char('a')], Act::MarkAll, "a", "", "mark all that are shown, or none"),
    bind(&[Key::Char('/')], Act::Search, "/", "search", "show only what has these words"),
    bind(&[Key::Char('g')], Act::Group, "g", "group", "group by kind, state, confidence, or not"),
    bind(&[Key::Char('t')], Act::OnlyKind, "t", "", "only one kind, then the next, then all"),
    bind(
        &[Key::Char('w')],
        Act::OnlyState,
        "w",
        "",
        "only what waits for one reason, then the next, then all",
    ),
    bind(&[Key::Char('c')], Act::OnlyConfidence, "c", "", "only one confidence, then the next, then all"),
    bind(&[Key::Esc], Act::Clear, "esc", "", "show all again, mark nothing"),
    bind(&[Key::Up, Key::Char('k')], Act::Up, "up, k", "", "one up, in the list or in the text"),
    bind(&[Key::Down, Key::Char('j')], Act::Down, "down, j", "", "one down"),
    bind(&[Key::PageUp, Key::Ctrl('b')], Act::PageUp, "page up", "", "a screen up"),
    bind(&[Key::PageDown, Key::Ctrl('f')], Act::PageDown, "page down", "", "a screen down"),
    bind(&[Key::Home], Act::First, "home", "", "to the first"),
    bind(&[Key::End, Key::Char('G')], Act::Last, "end, G", "", "to the last"),
    bind(&[Key::Tab], Act::Focus, "tab", "", "move in the list, in the page, in the words it rests on"),
    bind(
        &[Key::Char('z'), Key::Enter],
        Act::Zoom,
        "z, enter",
        "",
        "the page and its words on the whole screen, and back",
    ),
    bind(&[Key::Char('?')], Act::Help, "?", "help", "this page"),
    bind(&[Key::Char('q'), Key::Ctrl('c')], Act::Quit, "q", "quit", "stop; next time you begin here"),
];

const SIDES: &[Key] = &[
    Key::Char('1'),
    Key::Char('2'),
    Key::Char('3'),
    Key::Char('4'),
    Key::Char('5'),
    Key::Char('6'),
    Key::Char('7'),
    Key::Char('8'),
    Key::Char('9'),
];

/// Finds what a key asks for in the list.
pub(crate) fn meant(key: Key) -> Option<Act> {
    BINDINGS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.act)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        let all: Vec<Key> = BINDINGS.iter().flat_map(|binding| binding.keys.iter().copied()).collect();
        for (at, key) in all.iter().enumerate() {
            assert!(!all[..at].contains(key), "{key:?} is bound twice");
        }
    }
}
