//! Links between neighbouring articles.

use lore_core::article::Related;
use lore_core::{Entry, Link, LinkKind};

use crate::curate::Work;

/// Most neighbours an article names.
const MOST: usize = 5;
/// So many subject words must be shared.
const SHARED: usize = 2;

/// Links an article to the entries that share its subject words.
pub(crate) fn relate(work: &mut Work, others: &[Entry], path: &dyn Fn(&Entry) -> String) {
    let mut near: Vec<(usize, &Entry)> = Vec::new();
    for other in others {
        if other.id == work.entry.id || near.iter().any(|(_, known)| known.id == other.id) {
            continue;
        }
        let shared = other.tags.iter().filter(|tag| work.entry.tags.contains(tag)).count();
        if shared >= SHARED {
            near.push((shared, other));
        }
    }
    near.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    let from = path(&work.entry);
    for (_, other) in near.into_iter().take(MOST) {
        let target = other.id.as_str().to_owned();
        let known = work.entry.links.iter().any(|link| link.target == target);
        if known || work.article.related.len() >= MOST {
            continue;
        }
        work.entry.links.push(Link::new(LinkKind::Related, target));
        let title = other.title.replace(['[', ']'], "");
        work.article.related.push(Related { title, path: relative(&from, &path(other)) });
    }
}

/// Writes a path as seen from the folder of another file.
fn relative(from: &str, to: &str) -> String {
    let mut here: Vec<&str> = from.split('/').collect();
    here.pop();
    let there: Vec<&str> = to.split('/').collect();
    let folders = there.len().saturating_sub(1);
    let common = here.iter().zip(&there[..folders]).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", here.len() - common);
    up.chain(there[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_folder() {
        let check = |from: &str, to: &str, expected: &str| assert_eq!(relative(from, to), expected);
        check("decisions/a.md", "decisions/b.md", "b.md");
        check("decisions/a.md", "architecture/b.md", "../architecture/b.md");
        check("a.md", "x/b.md", "x/b.md");
        check("lessons/tooling/a.md", "lessons/b.md", "../b.md");
    }
}
