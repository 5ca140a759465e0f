//! Another value for the same topic, told in Japanese, which is written without blanks.

/// What is said of a topic in Japanese ends so.
const COPULAS: [&str; 6] = ["になりました", "にします", "になります", "です", "である", "だ"];
/// A value of more letters is a story.
const VALUE: usize = 24;

/// Compares what both say of a topic, where both are written without blanks.
pub(super) fn is_another_value_in_japanese(known: &[String], arriving: &[String]) -> bool {
    let is_kana = |c: char| ('\u{3040}'..='\u{30ff}').contains(&c);
    let is_written = |said: &[String]| said.iter().any(|word| word.contains(is_kana));
    if !is_written(known) || !is_written(arriving) {
        return false;
    }
    let (known, arriving) = (known.concat(), arriving.concat());
    gives_another_value(&known, &arriving) || turns_from(&known, &arriving) || sets_anew(&known, &arriving)
}

/// "灯りを A から B に変えました": from what is known to something else.
fn turns_from(known: &str, arriving: &str) -> bool {
    const CHANGES: [&str; 10] = [
        "変え",
        "変更",
        "移行",
        "切り替え",
        "乗り換え",
        "移し",
        "書き直",
        "書き換え",
        "置き換え",
        "入れ替え",
    ];
    let is_name =
        |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') || ('ァ'..='ヶ').contains(c);
    let gone = arriving.split_once("から").map(|(before, _)| {
        let name: Vec<char> = before.chars().rev().take_while(is_name).collect();
        name.into_iter().rev().collect::<String>()
    });
    CHANGES.iter().any(|word| arriving.contains(word))
        && gone.is_some_and(|name| {
            name.chars().count() > 1 && known.to_lowercase().contains(&name.to_lowercase())
        })
}

/// 「桟橋の灯りは3つです」、「桟橋の灯りを5つに増やしました」: what is known has another value since.
fn sets_anew(known: &str, arriving: &str) -> bool {
    const SETS: [&str; 10] =
        ["引き上げ", "引き下げ", "変更", "変え", "増やし", "減らし", "延長", "短縮", "切り替え", "広げ"];
    let Some((topic, rest)) = arriving.split_once('を') else { return false };
    let set = rest.split_once('に').is_some_and(|(value, verb)| {
        value.chars().count() <= VALUE
            && SETS.iter().any(|sets| verb.starts_with(sets))
            && !known.contains(value)
    });
    let said_of_it = known.split_once('は').is_some_and(|(of, _)| of == topic);
    set && topic.chars().count() > 1 && said_of_it
}

/// Tells whether two Japanese sentences say different things of the same topic: "枝の名前は A です", "… B です".
fn gives_another_value(known: &str, arriving: &str) -> bool {
    let parts = |text: &str| -> Option<(String, String)> {
        let (topic, rest) = text.split_once('は')?;
        let rest = rest.trim_end_matches(['。', '！', '.']);
        let value = COPULAS.iter().find_map(|copula| rest.strip_suffix(copula))?;
        let plain = !value.is_empty() && value.chars().count() <= VALUE && !value.contains(['は', '、']);
        (plain && topic.chars().count() > 1).then(|| (topic.to_owned(), value.to_owned()))
    };
    match (parts(known), parts(arriving)) {
        (Some((topic, value)), Some((same, other))) => topic == same && value != other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_has_one_value() {
        assert!(gives_another_value("桟橋の名前は North です。", "桟橋の名前は South です。"));
        assert!(gives_another_value("桟橋の名前はNorthです", "桟橋の名前は South になりました。"));
        assert!(turns_from("灯りにはBrassを使っています。", "灯りはBrassからGlassに変えました。"));
        assert!(!turns_from("灯りにはBrassを使っています。", "縄はHempからSteelに変えました。"));
        assert!(!gives_another_value("桟橋の名前は North です。", "灯台の名前は South です。"));
        assert!(!gives_another_value("桟橋の名前は North です。", "桟橋の名前は North です"));
    }
}
