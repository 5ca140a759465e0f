//! Who writes, and on whose behalf.

/// Who writes, for the lock, for stamps, and for what may be overwritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// `human:<name>` or `<producer>/<version>`, as stamps in the entries name it.
    pub by: String,
    /// What is being done, such as `curate`.
    pub what: String,
    /// The machine, where it is known.
    pub host: Option<String>,
    /// Whose hand it is.
    pub hand: Hand,
}

/// Whose hand moves: a person may change anything, the machine only its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// A person does it, through us.
    Person,
    /// We do it by ourselves.
    Machine,
}

impl Owner {
    /// Acts for ourselves.
    pub fn machine(what: impl Into<String>) -> Owner {
        let by = concat!("lorekeep/", env!("CARGO_PKG_VERSION")).to_owned();
        Owner { by, what: what.into(), host: None, hand: Hand::Machine }
    }

    /// Acts for a person.
    pub fn person(name: &str, what: impl Into<String>) -> Owner {
        Owner { by: format!("human:{name}"), what: what.into(), host: None, hand: Hand::Person }
    }

    /// Acts in somebody's name upon what the machine wrote, which stays the machine's.
    #[must_use]
    pub fn leaving_it_ours(self) -> Owner {
        Owner { hand: Hand::Machine, ..self }
    }

    /// Tells whose hand it is.
    pub fn hand(&self) -> Hand {
        self.hand
    }
}
