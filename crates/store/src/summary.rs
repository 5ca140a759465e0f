//! What is known of an entry without opening its file.

use std::fmt;

use lore_core::article::DOUBTED;
use lore_core::{
    Confidence, ContentHash, Curator, Detail, Entry, EntryId, Kind, LifecycleState, Link, Moment, Severity,
    Status, Trust,
};
use serde::{Deserialize, Serialize};

/// Which bytes a file held; two files with the same version are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Version(u128);

impl Version {
    /// Names these bytes.
    pub fn of(bytes: &[u8]) -> Version {
        let hash = ContentHash::of(bytes);
        let digits = hash.as_str().get(..32).unwrap_or_default();
        Version(u128::from_str_radix(digits, 16).unwrap_or_default())
    }

    pub(crate) fn bits(self) -> u128 {
        self.0
    }

    pub(crate) fn from_bits(bits: u128) -> Version {
        Version(bits)
    }

    /// Returns a number that differs between versions, for adding up many of them.
    pub(crate) fn number(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// An entry as lists, counts, links and look-ups need it. The text stays in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Its name.
    pub id: EntryId,
    /// Its file, relative to the base.
    #[serde(skip)]
    pub path: String,
    /// Which bytes the file held.
    #[serde(skip)]
    pub version: Version,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// One sentence about it.
    pub description: Option<String>,
    /// Whether it can be relied on.
    pub status: Status,
    /// How sure we are.
    pub confidence: Option<Confidence>,
    /// Subject words.
    pub tags: Vec<String>,
    /// Part of the system it is about.
    pub domain: Option<String>,
    /// Project it came from.
    pub project: Option<String>,
    /// When it was first known.
    #[serde(with = "compact")]
    pub created: Option<Moment>,
    /// When it last changed.
    #[serde(with = "compact")]
    pub updated: Option<Moment>,
    /// From this day on it should be looked at again.
    #[serde(with = "compact")]
    pub stale_after: Option<Moment>,
    /// Conditions it rests on.
    pub depends_on: Vec<String>,
    /// Files of the repository it is about.
    pub files: Vec<String>,
    /// Issues it belongs to.
    pub issues: Vec<String>,
    /// Edges to other entries.
    pub links: Vec<Link>,
    /// Ids it had elsewhere.
    pub aliases: Vec<String>,
    /// Whose text it is, a person's edits included.
    pub curated_by: Curator,
    /// Whether a person confirmed it.
    pub verified: bool,
    /// How far it can be relied on.
    pub trust: Option<Trust>,
    /// How often it was seen.
    pub occurrences: Option<u32>,
    /// Where a signal stands.
    pub lifecycle: Option<LifecycleState>,
    /// How bad a signal or a finding is.
    pub severity: Option<Severity>,
    /// Whether something in it seems to have been replaced by something later.
    pub doubted: bool,
    /// Whether it lies in the archive.
    #[serde(skip)]
    pub archived: bool,
}

impl Summary {
    /// Tells whether it holds, and only the machine stands behind it: no person wrote, edited or confirmed it.
    pub fn is_unreviewed(&self) -> bool {
        self.status == Status::Current && self.is_unconfirmed()
    }

    /// Tells whether it is shown, disputed or not, and no person wrote, edited or confirmed it. Friction waits for somebody
    /// to deal with it, and not for a confirmation.
    pub fn is_unconfirmed(&self) -> bool {
        let is_shown = matches!(self.status, Status::Current | Status::Disputed) && self.kind != Kind::Signal;
        is_shown && self.curated_by == Curator::Auto && !self.verified
    }

    /// Takes the summary of an entry; `curated_by` is what the file really is, not what it says.
    pub(crate) fn of(entry: &Entry, curated_by: Curator) -> Summary {
        let (lifecycle, severity) = match &entry.detail {
            Detail::Signal(signal) => (Some(signal.lifecycle_state), signal.severity),
            Detail::Feedback(feedback) => (None, feedback.severity),
            _ => (None, None),
        };
        Summary {
            id: entry.id.clone(),
            path: String::new(),
            version: Version::default(),
            kind: entry.kind,
            title: entry.title.clone(),
            description: entry.description.clone(),
            status: entry.status,
            confidence: entry.confidence,
            tags: entry.tags.clone(),
            domain: entry.domain.clone(),
            project: entry.project.clone(),
            created: entry.created,
            updated: entry.updated,
            stale_after: entry.stale_after,
            depends_on: entry.depends_on.clone(),
            files: entry.files.clone(),
            issues: entry.issues.clone(),
            links: entry.links.clone(),
            aliases: entry.aliases.clone(),
            curated_by,
            verified: entry.is_verified_by_a_person(),
            trust: entry.trust(),
            occurrences: entry.occurrences,
            lifecycle,
            severity,
            doubted: entry.body.contains(&format!("\n## {DOUBTED}\n")),
            archived: false,
        }
    }
}

/// Moments as numbers, because reading ten thousand of them as text takes longer than everything else.
mod compact {
    use jiff::Timestamp;
    use jiff::civil::Date;
    use lore_core::Moment;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    enum Compact {
        Day(i16, i8, i8),
        Instant(i64, i32),
    }

    pub(super) fn serialize<S: Serializer>(
        moment: &Option<Moment>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let compact = moment.map(|moment| match moment {
            Moment::Day(date) => Compact::Day(date.year(), date.month(), date.day()),
            Moment::Instant(at) => Compact::Instant(at.as_second(), at.subsec_nanosecond()),
        });
        compact.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Moment>, D::Error> {
        let compact = Option::<Compact>::deserialize(deserializer)?;
        let moment = compact.map(|compact| match compact {
            Compact::Day(year, month, day) => Date::new(year, month, day).map(Moment::Day),
            Compact::Instant(second, nanosecond) => Timestamp::new(second, nanosecond).map(Moment::Instant),
        });
        moment.transpose().map_err(D::Error::custom)
    }
}
