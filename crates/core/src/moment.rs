//! A day or an instant, as precise as its author wrote it.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
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

/// The text does not name a time in the past.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date (expected `2026-02-20`, `7d`, `2 weeks`, `monday` or `yesterday`)")]
pub struct NotInThePast(pub String);

impl Moment {
    /// Reads a time as people say it when they look back: `7d`, `2 weeks ago`, `yesterday`, `monday`,
    /// `last month`, or a date. Days are those of UTC, like all days here.
    pub fn looking_back(text: &str, now: Timestamp) -> Result<Moment, NotInThePast> {
        let said = text.trim().to_lowercase();
        let today = Moment::Instant(now).date();
        match said.as_str() {
            "now" => return Ok(Moment::Instant(now)),
            "today" => return Ok(Moment::Day(today)),
            "yesterday" => return Ok(Moment::Day(back(today, Span::new().days(1)))),
            _ => {}
        }
        let rest = said.strip_suffix("ago").unwrap_or(&said).trim();
        let last = rest.strip_prefix("last ").map(str::trim);
        if let Some(day) = weekday(last.unwrap_or(rest)) {
            // On a Monday, `monday` is a week ago: `today` says the other.
            let behind = i64::from(today.weekday().since(day));
            let behind = if behind == 0 { 7 } else { behind };
            return Ok(Moment::Day(back(today, Span::new().days(behind))));
        }
        let (count, unit) = match last {
            Some(unit) => (Some(1), unit),
            None => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                (rest[..digits].parse::<i64>().ok(), rest[digits..].trim())
            }
        };
        if let Some(moment) = count.and_then(|count| before(now, today, count, unit)) {
            return Ok(moment);
        }
        text.parse().map_err(|_| NotInThePast(text.trim().to_owned()))
    }

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

/// Goes back by a number of units; hours and minutes give an instant, the rest a day.
fn before(now: Timestamp, today: Date, count: i64, unit: &str) -> Option<Moment> {
    let span = match unit {
        "min" | "mins" | "minute" | "minutes" => {
            return now.checked_sub(Span::new().try_minutes(count).ok()?).ok().map(Moment::Instant);
        }
        "h" | "hr" | "hrs" | "hour" | "hours" => {
            return now.checked_sub(Span::new().try_hours(count).ok()?).ok().map(Moment::Instant);
        }
        "d" | "day" | "days" => Span::new().try_days(count),
        "w" | "wk" | "week" | "weeks" => Span::new().try_weeks(count),
        "m" | "mo" | "month" | "months" => Span::new().try_months(count),
        "y" | "yr" | "year" | "years" => Span::new().try_years(count),
        _ => return None,
    };
    today.checked_sub(span.ok()?).ok().map(Moment::Day)
}

fn back(today: Date, span: Span) -> Date {
    today.checked_sub(span).unwrap_or(Date::MIN)
}

fn weekday(text: &str) -> Option<Weekday> {
    Some(match text {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tue" => Weekday::Tuesday,
        "wednesday" | "wed" => Weekday::Wednesday,
        "thursday" | "thu" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" | "sat" => Weekday::Saturday,
        "sunday" | "sun" => Weekday::Sunday,
        _ => return None,
    })
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
    fn reads_what_people_say_when_they_look_back() {
        // A Wednesday.
        let now: Timestamp = "2026-03-04T10:30:00Z".parse().unwrap();
        let check = |text: &str, expected: &str| {
            let read = Moment::looking_back(text, now).map(|moment| moment.to_string());
            assert_eq!(read.as_deref(), Ok(expected), "{text}");
        };
        check("today", "2026-03-04");
        check("Yesterday", "2026-03-03");
        check("7d", "2026-02-25");
        check("7 days ago", "2026-02-25");
        check("2 weeks", "2026-02-18");
        check("1m", "2026-02-04");
        check("last month", "2026-02-04");
        check("1y", "2025-03-04");
        check("36h", "2026-03-02T22:30:00Z");
        check("90 minutes ago", "2026-03-04T09:00:00Z");
        check("monday", "2026-03-02");
        check("last Friday", "2026-02-27");
        check("wed", "2026-02-25");
        check("2026-02-20", "2026-02-20");
        check(" 2026-02-20T12:32:37Z ", "2026-02-20T12:32:37Z");
        for text in
            ["", "d", "7", "7 moons", "tomorrow", "-3d", "99999999999999999999d", "2026-13-01", "ago", "last"]
        {
            assert_eq!(Moment::looking_back(text, now), Err(NotInThePast(text.to_owned())), "{text}");
        }
        assert!(Moment::looking_back("9000000000d", now).is_err());
    }

    proptest::proptest! {
        #[test]
        fn looking_back_never_looks_ahead(count in 0u32.., unit in "(h|min|d|w|m|y) ?(ago)?") {
            let now: Timestamp = "2026-03-04T10:30:00Z".parse().unwrap();
            if let Ok(moment) = Moment::looking_back(&format!("{count}{unit}"), now) {
                proptest::prop_assert!(moment <= Moment::Instant(now));
            }
        }
    }

    #[test]
    fn counts_days() {
        let day = |text: &str| text.parse::<Moment>().unwrap();
        assert_eq!(day("2026-01-01").days_until(day("2026-03-01T10:00:00Z")), 59);
        assert_eq!(day("2026-03-01").days_until(day("2026-01-01")), 0);
    }
}
