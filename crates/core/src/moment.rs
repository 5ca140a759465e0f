//! A day or an instant, as precise as its author wrote it.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// A point in time in front matter: `2026-02-20` or `2026-02-20T12:32:37Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Moment {
    /// Only the day is known.
    Day(Date),
    /// The instant is known.
    Instant(Timestamp),
}

/// The text is neither a day nor an instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date (expected `2026-02-20` or `2026-02-20T12:32:37Z`)")]
pub struct NotAMoment(pub String);

impl Moment {
    /// Returns the day in UTC.
    pub fn date(self) -> Date {
        match self {
            Moment::Day(date) => date,
            Moment::Instant(at) => at.to_zoned(TimeZone::UTC).date(),
        }
    }

    /// Returns the instant, taking the start of the day in UTC where only the day is known.
    pub fn instant(self) -> Timestamp {
        match self {
            Moment::Day(date) => TimeZone::UTC
                .to_timestamp(date.to_datetime(jiff::civil::Time::midnight()))
                .unwrap_or(Timestamp::UNIX_EPOCH),
            Moment::Instant(at) => at,
        }
    }

    /// Counts whole days from this moment to a later one; never negative.
    pub fn days_until(self, later: Moment) -> u32 {
        let span = later.date().since(self.date());
        span.map_or(0, |span| u32::try_from(span.get_days()).unwrap_or(0))
    }
}

impl FromStr for Moment {
    type Err = NotAMoment;

    /// Accepts RFC 3339, a space instead of `T`, a missing zone (taken as UTC), and plain days.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.len() == 10
            && let Ok(date) = text.parse::<Date>()
        {
            return Ok(Moment::Day(date));
        }
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Moment::Instant(at));
        }
        text.parse::<DateTime>()
            .ok()
            .and_then(|civil| TimeZone::UTC.to_timestamp(civil).ok())
            .map(Moment::Instant)
            .ok_or_else(|| NotAMoment(text.to_owned()))
    }
}

impl TryFrom<String> for Moment {
    type Error = NotAMoment;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> String {
        moment.to_string()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Day(date) => write!(f, "{date}"),
            Moment::Instant(at) => write!(f, "{at}"),
        }
    }
}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        // A bare day sorts before the instants of that day, so that the order is total.
        let rank = |moment: &Moment| u8::from(matches!(moment, Moment::Instant(_)));
        (self.instant(), rank(self)).cmp(&(other.instant(), rank(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_and_tools_write() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Moment>().unwrap().to_string(), expected, "{text}");
        };
        check("2026-02-20", "2026-02-20");
        check("2026-02-20T12:32:37Z", "2026-02-20T12:32:37Z");
        check("2026-02-20T12:32:37.5+01:00", "2026-02-20T11:32:37.5Z");
        check("2026-02-20 12:32:37", "2026-02-20T12:32:37Z");
        check("2026-02-20T12:32", "2026-02-20T12:32:00Z");
        assert!("yesterday".parse::<Moment>().is_err());
        assert!("2026-13-01".parse::<Moment>().is_err());
    }

    #[test]
    fn counts_days() {
        let day = |text: &str| text.parse::<Moment>().unwrap();
        assert_eq!(day("2026-01-01").days_until(day("2026-03-01T10:00:00Z")), 59);
        assert_eq!(day("2026-03-01").days_until(day("2026-01-01")), 0);
    }
}
