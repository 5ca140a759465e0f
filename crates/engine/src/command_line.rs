//! Command lines of the user's own, as settings and variables hold them.

/// Splits a command line at spaces; quotes keep words together.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_taken_apart() {
        let check = |line: &str, expected: &[&str]| assert_eq!(words(line), expected, "{line}");
        check("claude -p", &["claude", "-p"]);
        check("  llm  -m 'a b' \"\" ", &["llm", "-m", "a b", ""]);
        check("\"/my tools/ed\" -w", &["/my tools/ed", "-w"]);
        check("", &[]);
    }
}
