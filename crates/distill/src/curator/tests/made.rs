//! Times and entries made for tests.

use lore_core::{Entry, EntryId, Kind, Moment, SessionId, Source, Voice};

use crate::article::note;

/// Returns an instant of 2026-03-02, so many minutes after nine.
pub(super) fn minute(minutes: u32) -> Moment {
    format!("2026-03-02T{:02}:{:02}:00Z", 9 + minutes / 60, minutes % 60).parse().unwrap()
}

/// Makes an entry that rests on one line of an earlier session.
pub(super) fn entry_of(kind: Kind, title: &str, text: &str, voice: Voice) -> Entry {
    let id = EntryId::new(kind, jiff::civil::date(2026, 2, 1), title);
    let at: Moment = "2026-02-01T08:00:00Z".parse().unwrap();
    let session = SessionId::new("earlier");
    let source = Source {
        id: Some("s1".to_owned()),
        at: Some(at),
        ..Source::session_line("claude-code", &session, 4, voice)
    };
    let body = format!("{text}[^s1]\n\n[^s1]: {}\n", note(&source));
    Entry { body, created: Some(at), updated: Some(at), sources: vec![source], ..Entry::new(id, kind, title) }
}
