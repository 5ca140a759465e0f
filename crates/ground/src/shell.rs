//! A command line as a shell reads it: the programs that it starts, each with its words and where its output goes.
//!
//! Only as much of a shell as it takes to see through quotes, joined commands, other shells and programs that merely
//! start another one. Whatever cannot be read is left out: a command is never run by us.

/// One program that a command line starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Started {
    /// Its name without the folder it lies in.
    pub(crate) program: String,
    /// What it is given.
    pub(crate) words: Vec<String>,
    /// The files that its output is sent to.
    pub(crate) written: Vec<String>,
    /// What is done to its variables before it: `NAME=value`, `-NAME` where one is taken away, `-*` where all are.
    pub(crate) variables: Vec<String>,
}

impl Started {
    /// Tells whether it is given one of these words.
    pub(crate) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Lists what it is given besides switches.
    pub(crate) fn operands(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.words.iter().map(String::as_str).filter(|word| !word.starts_with('-'))
    }

    /// Tells whether one of its short switches, alone or among others, is this letter. Switches that take the rest of
    /// the word end the search.
    pub(crate) fn has_short(&self, letter: char, taking: &[char]) -> bool {
        self.words.iter().filter_map(|word| word.strip_prefix('-')).any(|cluster| {
            let mut letters = cluster.chars().take_while(|c| c.is_alphanumeric() && !taking.contains(c));
            letters.any(|c| c == letter)
        })
    }
}

/// So deep commands may stand within commands.
const DEEPEST: usize = 6;

/// Words of the shell that stand before a command.
const KEYWORDS: [&str; 9] = ["then", "do", "else", "elif", "if", "while", "until", "!", "{"];

/// Programs that start the one named after them, with those of their switches that take a word of their own.
const LEADS: [(&str, &[&str]); 16] = [
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-U", "-D", "-R"]),
    ("doas", &["-u", "-C"]),
    ("env", &["-u", "--unset", "-C", "--chdir"]),
    ("command", &[]),
    ("builtin", &[]),
    ("exec", &["-a"]),
    ("nice", &["-n", "--adjustment"]),
    ("ionice", &["-c", "-n"]),
    ("nohup", &[]),
    ("setsid", &[]),
    ("time", &["-f", "-o"]),
    ("timeout", &["-s", "--signal", "-k", "--kill-after"]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("xargs", &["-I", "-n", "-P", "-L", "-d", "-s", "-a", "-E"]),
    ("rtk", &[]),
    ("chronic", &[]),
];

/// Shells, which run what they are given with `-c`.
pub(crate) const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"];

/// Lists the programs that a command line starts, in order.
pub(crate) fn started(command: &str) -> Vec<Started> {
    let mut found = Vec::new();
    read(command, DEEPEST, &mut found);
    found
}

fn read(text: &str, depth: usize, found: &mut Vec<Started>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let mut reader = Reader { rest: text.chars().collect(), at: 0, ..Reader::default() };
    reader.run();
    for step in reader.steps {
        let Some(one) = unwrapped(step.words) else { continue };
        if SHELLS.contains(&one.program.as_str()) {
            let script = one.words.iter().position(|word| is_script_switch(word));
            // Agents that hand over a list of words leave the script without its quotes.
            let script = script.map(|at| one.words[at + 1..].join(" "));
            // Without a script of its own a shell reads what it is sent.
            for script in script.iter().chain(&step.sent) {
                read(script, depth, found);
            }
        }
        if one.program == "eval" {
            read(&one.words.join(" "), depth, found);
        }
        if one.program == "find" {
            let started = one.words.split(|word| matches!(word.as_str(), "-exec" | "-execdir" | "-ok"));
            let words =
                started.skip(1).map(|words| words.iter().take_while(|word| *word != ";" && *word != "+"));
            found.extend(words.filter_map(|words| unwrapped(words.cloned().collect())));
        }
        found.push(Started { written: step.written, ..one });
    }
    for inner in reader.inner {
        read(&inner, depth, found);
    }
}

/// `-c`, also together with other switches.
fn is_script_switch(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.ends_with('c') && rest.chars().all(char::is_alphabetic))
}

/// Finds the program that is meant, behind whatever only leads to it.
fn unwrapped(words: Vec<String>) -> Option<Started> {
    let mut words = words.into_iter().peekable();
    let mut variables = Vec::new();
    while let Some(word) = words.next_if(|word| KEYWORDS.contains(&word.as_str()) || is_setting(word)) {
        variables.extend(Some(word).filter(|word| is_setting(word)));
    }
    loop {
        let Some(first) = words.next() else {
            // What is only set holds for what follows.
            let written = Vec::new();
            return (!variables.is_empty()).then(|| Started { written, variables, ..Started::default() });
        };
        let program = name(&first).to_owned();
        let Some((_, taking)) = LEADS.iter().find(|(lead, _)| *lead == program) else {
            return Some(Started { program, words: words.collect(), written: Vec::new(), variables });
        };
        while let Some(word) = words.next_if(|word| word.starts_with('-') || is_setting(word)) {
            if program == "env" {
                variables.extend(taken_away(&word, words.peek()));
            }
            variables.extend(Some(&word).filter(|word| is_setting(word)).cloned());
            // `command -v git` only asks where it is.
            if program == "command" && matches!(word.as_str(), "-v" | "-V") {
                return None;
            }
            if taking.contains(&word.as_str()) {
                words.next();
            }
        }
        if program == "timeout" {
            words.next();
        }
    }
}

/// Tells which variables a switch of `env` takes away.
fn taken_away(switch: &str, next: Option<&String>) -> Option<String> {
    let one = |name: &str| format!("-{name}");
    match switch {
        "-" | "--ignore-environment" => Some(one("*")),
        "-u" | "--unset" => next.map(|name| one(name)),
        _ if switch.starts_with("--unset=") => switch.strip_prefix("--unset=").map(one),
        _ if switch.starts_with("--") => None,
        _ if switch.starts_with("-u") => switch.strip_prefix("-u").map(one),
        _ => switch.contains('i').then(|| one("*")),
    }
}

/// Returns the name of a program without its folder.
fn name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Tells whether a word only sets a variable.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
        name.starts_with(is_first) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// One command as it stands: its words, and where its output goes and its input comes from.
#[derive(Debug, Default)]
struct Step {
    words: Vec<String>,
    written: Vec<String>,
    /// What it is sent in the line itself.
    sent: Vec<String>,
}

/// What the next word is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Next {
    #[default]
    Word,
    /// A file that is written to.
    Written,
    /// A file that is read from.
    Read,
    /// The word that ends a text of several lines.
    Mark,
    /// A text to be read.
    Sent,
}

#[derive(Debug, Default)]
struct Reader {
    rest: Vec<char>,
    at: usize,
    steps: Vec<Step>,
    step: Step,
    word: Option<String>,
    next: Next,
    /// The ends of texts that begin on the next line.
    marks: Vec<String>,
    /// Commands whose output stands in another.
    inner: Vec<String>,
}

impl Reader {
    fn run(&mut self) {
        while let Some(c) = self.take() {
            match c {
                '\\' => {
                    if let Some(next) = self.take().filter(|next| *next != '\n') {
                        self.push(next);
                    }
                }
                '\'' => {
                    let quoted = self.until('\'');
                    self.word.get_or_insert_default().push_str(&quoted);
                }
                '"' => self.double_quoted(),
                '`' | '$' if self.is_substitution(c) => self.substitution(c),
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1
                    }
                }
                '\n' => {
                    self.end_step();
                    self.texts();
                }
                c if c.is_whitespace() => self.end_word(),
                '>' | '<' => self.redirected(c),
                // `&>` sends both outputs.
                '&' if self.peek() == Some('>') => self.end_word(),
                ';' | '|' | '&' | '(' | ')' => self.end_step(),
                c => self.push(c),
            }
        }
        self.end_step();
    }

    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn until(&mut self, end: char) -> String {
        let mut text = String::new();
        while let Some(c) = self.take().filter(|c| *c != end) {
            text.push(c);
        }
        text
    }

    fn double_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(c) = self.take() {
            match c {
                '"' => return,
                '\\' => {
                    if let Some(next) = self.take() {
                        if !matches!(next, '"' | '\\' | '$' | '`') {
                            self.push('\\');
                        }
                        self.push(next);
                    }
                }
                '`' | '$' if self.is_substitution(c) => self.substitution(c),
                c => self.push(c),
            }
        }
    }

    fn is_substitution(&self, c: char) -> bool {
        c == '`' || self.peek() == Some('(')
    }

    /// What a command inside prints is not known; that something stands there is.
    fn substitution(&mut self, c: char) {
        let inner = if c == '`' { self.until('`') } else { self.parenthesised() };
        self.inner.push(inner);
        self.push('$');
    }

    /// Takes everything to the parenthesis that closes the one before us.
    fn parenthesised(&mut self) -> String {
        let mut text = String::new();
        let mut open = 0_usize;
        while let Some(c) = self.take() {
            match c {
                '(' => open += 1,
                ')' if open <= 1 => break,
                ')' => open -= 1,
                _ => {}
            }
            if !(c == '(' && open == 1 && text.is_empty()) {
                text.push(c);
            }
        }
        text
    }

    fn redirected(&mut self, mark: char) {
        // `2>` is about the second stream, whose number is no word.
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
            let errors = self.word.take().is_some_and(|word| word == "2");
            self.next = if errors || mark == '<' { Next::Read } else { Next::Written };
        } else {
            // `->` and `=>` are no redirections where they stand inside a word, and neither is a comparison.
            let is_arrow = self.word.as_ref().is_some_and(|word| word.ends_with(['-', '=']));
            let compares =
                self.step.words.first().is_some_and(|word| matches!(word.as_str(), "[[" | "test" | "["));
            if mark == '>' && (is_arrow || compares) {
                self.push(mark);
                return;
            }
            self.end_word();
            self.next = if mark == '<' { Next::Read } else { Next::Written };
        }
        if mark == '<' && self.peek() == Some('<') {
            self.at += 1;
            self.next = Next::Mark;
            if self.peek() == Some('<') {
                self.at += 1;
                self.next = Next::Sent;
            } else if self.peek() == Some('-') {
                self.at += 1;
            }
        }
        while self.peek().is_some_and(|c| matches!(c, '>' | '|')) {
            self.at += 1;
        }
        // `>&1` names a stream and no file.
        if self.peek() == Some('&') {
            self.at += 1;
            self.next = Next::Read;
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::take(&mut self.next) {
            Next::Word => self.step.words.push(word),
            Next::Written => self.step.written.push(word),
            Next::Read => {}
            Next::Mark => self.marks.push(word),
            Next::Sent => self.step.sent.push(word),
        }
    }

    fn end_step(&mut self) {
        self.end_word();
        self.next = Next::Word;
        let step = std::mem::take(&mut self.step);
        if !step.words.is_empty() || !step.written.is_empty() {
            self.steps.push(step);
        }
    }

    /// Takes the texts of several lines that were announced; they belong to the last command.
    fn texts(&mut self) {
        for mark in std::mem::take(&mut self.marks) {
            let mut text = String::new();
            while self.at < self.rest.len() {
                let line = self.until('\n');
                if line.trim() == mark {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            if let Some(last) = self.steps.last_mut() {
                last.sent.push(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes what was found as `program word word >file`, one after the other.
    fn shown(command: &str) -> String {
        let one = |started: Started| {
            let written = started.written.iter().map(|file| format!(">{file}"));
            let words = std::iter::once(started.program).chain(started.words).chain(written);
            words.collect::<Vec<_>>().join(" ")
        };
        started(command).into_iter().map(one).collect::<Vec<_>>().join(" ; ")
    }

    #[test]
    fn a_line_is_read_as_a_shell_reads_it() {
        let check = |command: &str, expected: &str| assert_eq!(shown(command), expected, "{command}");
        check("A=b env -u C D=e /usr/bin/git commit", "git commit");
        check("sudo -u ada nice -n 5 time -p timeout 5 make all", "make all");
        check("command -v git", "");
        check("if true; then git push; fi", "true ; git push ; fi");
        check("a 'b; c' \"d $(e f) g\" h\\ i", "a b; c d $ g h i ; e f");
        check("(cd x && make) | tee -a log & wait", "cd x ; make ; tee -a log ; wait");
        check("bash -lc \"git commit -m 'x y'\"", "git commit -m x y ; bash -lc git commit -m 'x y'");
        check("cat > src/a <<'EOF'\ngit commit\nEOF\nls", "cat >src/a ; ls");
        check("bash -lc git commit -m x", "git commit -m x ; bash -lc git commit -m x");
        check("sh <<EOF\ngit push\nEOF", "git push ; sh");
        check(
            "find . -name '*.py' -exec sed -i x {} \\;",
            "sed -i x {} ; find . -name *.py -exec sed -i x {} ;",
        );
        check("run >>out 2>err 2>&1 <in &>both", "run >out >both");
        check("[[ a > b ]] # git push", "[[ a > b ]]");
        check("echo 'never closed", "echo never closed");
        check("", "");
    }
}
