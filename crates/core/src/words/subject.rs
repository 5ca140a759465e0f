//! What something is about, as far as its tags tell.

use super::{Commonness, commonness, is_stop_word};

/// Lists what tags say something is about, in lower case and each once: `auth/jwt` is also about `auth`.
///
/// A word that only shows how somebody talked is no subject.
pub fn subjects(tags: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for tag in tags {
        let tag = tag.to_lowercase();
        let above = tag.match_indices('/').map(|(end, _)| &tag[..end]);
        for subject in above.chain([tag.as_str()]) {
            if is_subject(subject) && !found.iter().any(|known| known == subject) {
                found.push(subject.to_owned());
            }
        }
    }
    found
}

fn is_subject(word: &str) -> bool {
    let last = word.rsplit('/').next().unwrap_or(word);
    !word.is_empty() && (word.contains('/') || !is_stop_word(last) && commonness(last) != Commonness::Chat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_about_what_stands_above_it() {
        let check = |tags: &[&str], expected: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
            assert_eq!(subjects(&tags), expected, "{tags:?}");
        };
        check(&["auth/JWT", "auth", "storage"], &["auth", "auth/jwt", "storage"]);
        check(&["the", "", "and"], &[]);
    }
}
