//! Values that are given without a verb: so much for this, one of these per each of those, a version and where it runs.

/// Numbered things that a talk is made of, and no project.
const OF_THE_TALK: [&str; 12] = [
    "option", "step", "phase", "task", "issue", "item", "question", "point", "case", "test", "variant", "pr",
];

/// Tells whether a phrase gives a number for something named: "port 8080 for the metrics endpoint".
pub(super) fn is_value_for(body: &str) -> bool {
    let lower = body.to_lowercase();
    lower.split_once(" for ").is_some_and(|(value, what)| {
        let few = value.split_whitespace().count() <= 4;
        let of_the_talk = value.split_whitespace().next().is_some_and(|name| OF_THE_TALK.contains(&name));
        few && !of_the_talk
            && value.contains(|c: char| c.is_ascii_digit())
            && what.split_whitespace().count() >= 2
    })
}

/// "Ubuntu 20.04 on the build agents", "tar between hull and deck": a thing by its name or version, and where it goes.
pub(super) fn is_placed_value(body: &str) -> bool {
    const TROUBLE: &str =
        "error errors bug bugs line page screenshot warning failure exception crash build log";
    let words: Vec<&str> = body.trim_end_matches(['.', '!']).split_whitespace().collect();
    let place = words.iter().take(5).position(|word| {
        matches!(word.to_lowercase().as_str(), "on" | "in" | "between" | "for" | "as" | "at")
    });
    let Some(at) = place.filter(|at| (1..=3).contains(at) && words.len() > at + 2) else { return false };
    let lower = words[0].to_lowercase();
    let named = words[..at].iter().any(|word| {
        let letters = word.chars().filter(|c| c.is_alphabetic());
        word.starts_with(|c: char| c.is_ascii_digit())
            || letters.clone().count() > 1 && letters.skip(1).any(char::is_uppercase)
    });
    let of_a_sort =
        words.get(at + 1).is_some_and(|word| !matches!(*word, "this" | "that" | "my" | "your" | "it"));
    named
        && of_a_sort
        && !OF_THE_TALK.contains(&lower.as_str())
        && !words.iter().any(|word| TROUBLE.split(' ').any(|no| no == word.to_lowercase()))
}

/// "Berth 12 for the night ferry": what looks like a verb has a number for its object, and is the name of a thing.
pub(super) fn is_numbered_for(body: &str) -> bool {
    let mut words = body.split_whitespace().skip(1);
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    words.next().is_some_and(is_number) && words.next() == Some("for") && is_value_for(body)
}

/// "One lamp per gate": how many of a sort go with each of another.
pub(super) fn is_so_many_per(body: &str) -> bool {
    let lower = body.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let counts = ["one", "two", "three", "max", "only", "a", "at", "no"];
    let per = words.iter().position(|word| *word == "per");
    let few =
        words.first().is_some_and(|word| counts.contains(word) || word.chars().all(|c| c.is_ascii_digit()));
    few && per.is_some_and(|at| (2..=6).contains(&at) && at + 1 < words.len())
}

/// "Ropes: hemp for the big boats, nylon just for buoys": of a sort of things, which is for what.
pub(super) fn is_share_out(body: &str) -> bool {
    const REPORTS: &str =
        "error warning note todo result output status fix bug options question questions ask";
    let Some((label, shares)) = body.split_once(": ") else { return false };
    let lower = label.to_lowercase();
    let shared = |share: &str| {
        let words: Vec<&str> = share.split_whitespace().collect();
        let at = words.iter().position(|word| matches!(*word, "for" | "in" | "on"));
        (3..=7).contains(&words.len()) && at.is_some_and(|at| (1..=3).contains(&at) && at + 1 < words.len())
    };
    let shares: Vec<&str> = shares.trim_end_matches(['.', '!']).split([',', ';']).collect();
    label.split_whitespace().count() <= 3
        && shares.len() > 1
        && shares.iter().all(|share| shared(share) && !share.contains('?'))
        && !lower.split_whitespace().any(|word| REPORTS.split(' ').any(|no| no == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_for_a_thing_is_no_deed() {
        let check = |body: &str, expected: bool| assert_eq!(is_numbered_for(body), expected, "{body}");
        check("Berth 12 for the night ferry.", true);
        check("Berth the night ferry for the guests", false);
        check("Option 2 for the first question", false);
        check("Berth 12 boats for the night", false);
    }

    #[test]
    fn a_sort_of_things_is_shared_out() {
        assert!(is_share_out("Ropes: hemp for the big boats, nylon just for buoys"));
        assert!(!is_share_out("note: hemp for the big boats, nylon for buoys"));
        assert!(!is_share_out("Ropes: look at the hemp, then at the nylon"));
    }

    #[test]
    fn a_placed_value_names_a_thing_and_where_it_goes() {
        for placed in ["Gullmotor 20.04 on the tugs", "XTAR on the hull between tide and rail"] {
            assert!(is_placed_value(placed), "{placed}");
        }
        for none in
            ["error 500 on the board of tides", "the lamp on the pier", "step 3 in the list of berths"]
        {
            assert!(!is_placed_value(none), "{none}");
        }
    }
}
