//! Look-ups and filters by exact terms: no text is read and nothing is scanned.

use lore_core::{Kind, SessionId, Status};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentReader, TantivyError, Term};

use crate::document::{path_keys, plain_issue, plain_tag};
use crate::schema::EntryFields;
use crate::scope::keys_around;
use crate::silence::record_key;

/// Something exact that an entry is filed under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookUp {
    /// Its id or one of its aliases.
    Name(String),
    /// A tag, or one above it.
    Tag(String),
    /// A domain, or one above it.
    Domain(String),
    /// An issue, with or without `#`.
    Issue(String),
    /// A file by its path or name, or a folder by its path with a slash at the end.
    File(String),
    /// What holds for a file: it names the file or a folder around it, in whatever way.
    Around(String),
    /// A kind.
    Kind(Kind),
    /// A status.
    Status(Status),
    /// A project.
    Project(String),
    /// An id, alias or path that the entry links to.
    LinksTo(String),
    /// A line of a session that what holds in the entry rests on.
    Record(SessionId, u32),
}

impl LookUp {
    /// Returns the terms of which any one has to be there.
    pub(crate) fn terms(&self, fields: &EntryFields) -> Vec<Term> {
        let one = |field: Field, text: &str| vec![Term::from_field_text(field, text)];
        match self {
            LookUp::Name(name) => one(fields.name, name),
            LookUp::Tag(tag) => one(fields.tag, &plain_tag(tag)),
            LookUp::Domain(domain) => one(fields.domain, &plain_tag(domain)),
            LookUp::Issue(issue) => one(fields.issue, plain_issue(issue)),
            LookUp::File(path) => {
                file_forms(path).iter().map(|form| Term::from_field_text(fields.file, form)).collect()
            }
            LookUp::Around(file) => {
                keys_around(file).iter().map(|key| Term::from_field_text(fields.file, key)).collect()
            }
            LookUp::Kind(kind) => one(fields.kind, kind.word()),
            LookUp::Status(status) => one(fields.status, status.word()),
            LookUp::Project(project) => one(fields.project, project),
            LookUp::LinksTo(target) => one(fields.link, target),
            LookUp::Record(session, line) => one(fields.rests, &record_key(session, *line)),
        }
    }
}

/// Lists the forms under which a path may be filed: an agent gives it absolute, an entry relative.
pub(crate) fn file_forms(path: &str) -> Vec<String> {
    let path = path.trim().replace('\\', "/");
    let path = path.trim_start_matches("./").trim_start_matches('/');
    let mut forms = vec![path.to_owned()];
    let mut rest = path;
    while let Some((_, tail)) = rest.split_once('/') {
        // A bare name would match every file that is called so.
        if !tail.contains('/') {
            break;
        }
        forms.push(tail.to_owned());
        rest = tail;
    }
    forms
}

/// Lists the folders that hold a file, nearest first.
pub(crate) fn folders(path: &str) -> Vec<String> {
    let mut keys: Vec<String> = path_keys(path).into_iter().filter(|key| key.ends_with('/')).collect();
    keys.reverse();
    keys
}

/// Returns the living documents of a segment that have any of the terms, in order.
pub(crate) fn holders(segment: &SegmentReader, terms: &[Term]) -> Result<Vec<DocId>, TantivyError> {
    let mut docs = Vec::new();
    for term in terms {
        let inverted = segment.inverted_index(term.field())?;
        let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? else { continue };
        while postings.doc() != tantivy::TERMINATED {
            if !segment.is_deleted(postings.doc()) {
                docs.push(postings.doc());
            }
            postings.advance();
        }
    }
    docs.sort_unstable();
    docs.dedup();
    Ok(docs)
}

/// Documents of one segment that may be shown; none means all.
pub(crate) struct Allowed(Option<Vec<bool>>);

impl Allowed {
    /// Allows what is in all of the groups; within a group any term will do.
    pub(crate) fn new(segment: &SegmentReader, groups: &[Vec<Term>]) -> Result<Allowed, TantivyError> {
        let mut allowed: Option<Vec<bool>> = None;
        for terms in groups.iter().filter(|terms| !terms.is_empty()) {
            let mut group = vec![false; segment.max_doc() as usize];
            for doc in holders(segment, terms)? {
                let before = allowed.as_ref().is_none_or(|allowed| allowed[doc as usize]);
                group[doc as usize] = before;
            }
            allowed = Some(group);
        }
        Ok(Allowed(allowed))
    }

    pub(crate) fn has(&self, doc: DocId) -> bool {
        self.0.as_ref().is_none_or(|allowed| allowed[doc as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_find_relative_ones_but_bare_names_do_not_spread() {
        assert_eq!(
            file_forms("/home/me/app/src/a.rs"),
            ["home/me/app/src/a.rs", "me/app/src/a.rs", "app/src/a.rs", "src/a.rs"]
        );
        assert_eq!(file_forms("a.rs"), ["a.rs"]);
        assert_eq!(folders("src/auth/a.rs"), ["src/auth/", "src/"]);
    }
}
