//! What is said to the other about the work, and lays nothing down.

use super::words::words_of;

/// What is said to the other about the work: a question without its mark, a guess, a plan, leave to go on.
pub(super) fn is_talk(body: &str) -> bool {
    const ASKED: [&str; 16] = [
        " are we ",
        " do we ",
        " did we ",
        " should we ",
        " can we ",
        " are you ",
        " do you ",
        " did you ",
        " have you ",
        " what are the ",
        " what is the ",
        " how do i ",
        " how do we ",
        " why are ",
        " why is ",
        " why do ",
    ];
    const GUESSED: [&str; 4] =
        [" some sort of ", " some kind of ", " must have been ", " would've expected "];
    const OPENS: [&str; 14] = [
        "getting ",
        "seeing ",
        "still ",
        "somehow ",
        "we will ",
        "we'll ",
        "continue ",
        "proceed ",
        "go on ",
        "one final ",
        "one last ",
        "one more ",
        "do you ",
        "next ",
    ];
    let lower = format!(" {} ", body.trim().to_lowercase().replace('’', "'"));
    ASKED.iter().chain(&GUESSED).any(|words| lower.contains(words))
        || OPENS.iter().any(|words| lower.trim_start().starts_with(words))
        || tells_what_never_was(body)
        || lower.contains(" current ") && lower.contains("let's ")
}

/// "We never dealt with storms": what was, and not what is never done.
fn tells_what_never_was(body: &str) -> bool {
    const WAS: [&str; 14] = [
        "dealt", "had", "got", "saw", "did", "were", "was", "made", "went", "came", "seen", "heard", "known",
        "thought",
    ];
    words_of(body).windows(2).any(|pair| {
        matches!(pair[0].text.as_str(), "never" | "always")
            && (pair[1].text.ends_with("ed") || WAS.contains(&pair[1].text.as_str()))
    }) && !body.to_lowercase().contains(" be ")
}

/// "If the tide is right, the boat never touches", "because the boat always touches": how it comes out.
pub(super) fn supposes(body: &str) -> bool {
    let words = words_of(body);
    words.first().is_some_and(|word| {
        matches!(word.text.as_str(), "if" | "because" | "coz" | "cuz" | "cause" | "since" | "so" | "as")
    })
}

/// "We have a leak now …": a thought that is left to the other.
pub(super) fn trails_off(body: &str) -> bool {
    body.ends_with("...") || body.ends_with('…')
}

/// "…, please take a look".
pub(super) fn asks_a_favour(body: &str) -> bool {
    words_of(body).iter().skip(1).any(|word| word.text == "please")
}
