//! Whether a literal is a secret, a stand-in for one, or something else altogether.

use std::sync::LazyLock;

use regex::Regex;

use super::MARK;
use super::bytes::{Mix, is_uuid};
use super::names::Kind;
use super::wordlike::{is_joined_words, is_sized_type, is_weak_password};

/// How a value stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Between quotes or tags.
    Quoted,
    /// Bare, directly behind `=`.
    Tight,
    /// Bare, behind an operator with space around it.
    Loose,
}

/// Tells whether the value of a name of this kind is a secret.
pub(super) fn is_secret(kind: Kind, form: Form, value: &str) -> bool {
    let length = value.len();
    if kind == Kind::Pin {
        return (4..=8).contains(&length)
            && value.bytes().all(|byte| byte.is_ascii_digit())
            && !is_mask(value);
    }
    if length < 32 && is_numbered_name(value) && !matches!(kind, Kind::Password) {
        return false;
    }
    if length < 4 || is_type_or_word(value) || is_place(value) {
        return false;
    }
    if form != Form::Quoted && (is_code(value) || is_sized_type(value)) {
        return false;
    }
    let mix = Mix::of(value.as_bytes());
    if mix.letters() == 0 && !is_numeric_password(kind, form, &mix) {
        return false;
    }
    let alike = match kind {
        Kind::Password => is_password(form, value, &mix),
        Kind::Secret => is_named_secret(form, value, &mix),
        Kind::Key => is_key(form, value, &mix),
        Kind::Weak => is_strong_alone(value, &mix),
        Kind::Owned => {
            is_strong_alone(value, &mix) || is_uuid(value.as_bytes()) || is_long_and_mixed(value, &mix)
        }
        Kind::Authorization | Kind::Cookie => mix.digits > 0 && length >= 8 || length >= 16,
        Kind::Pin => false,
    };
    // The patterns cost most, so they come last.
    alike && !is_placeholder(value)
}

/// Tells whether a value would be called a key without any name beside it.
pub(super) fn is_strong_alone(value: &str, mix: &Mix) -> bool {
    let spaces = value.bytes().any(|byte| byte.is_ascii_whitespace());
    mix.length >= 14
        && !spaces
        && !is_place(value)
        && !is_uuid(value.as_bytes())
        && !is_path_like(value)
        && (mix.random() || mix.hexadecimal() && mix.length >= 24 || mix.mixed_case() && mix.length >= 20)
}

/// Tells whether one unbroken word of letters and digits is too long for a name.
fn is_long_and_mixed(value: &str, mix: &Mix) -> bool {
    mix.length >= 20
        && mix.digits >= 3
        && mix.distinct >= 6
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Tells whether a value is a mask and nothing else.
pub(super) fn is_masked(value: &str) -> bool {
    value.contains(MARK) || value.contains("...") || is_mask(value)
}

/// Tells whether a value stands in for a secret: a mask, a template, a request to fill it in.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'');
    value.contains(MARK)
        || is_mask(value)
        || value.starts_with('<') && value.ends_with('>')
        || value.starts_with('[') && value.ends_with(']')
        || value.contains("...")
        || value.contains('…')
        || value.starts_with('$') && TEMPLATE_VARIABLE.is_match(value)
        || value.contains(['{', '%', '$', '<']) && TEMPLATE.is_match(value)
        || value.len() <= LONGEST_REQUEST && FILL_IN.is_match(value)
}

/// Nobody asks to fill in a value with more words than this.
const LONGEST_REQUEST: usize = 120;

static TEMPLATE_VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\$(?:env:)?[A-Za-z_][A-Za-z0-9_.>\[\]'-]*$|^\$[0-9@*#]$|^\$[({]").expect("a fixed pattern")
});
static TEMPLATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"\$\{[A-Za-z_][^{}()>#]*\}|\$\{\{[^{}]*\}\}|\$\([^()]*\)|\{\{[^{}]+\}\}|^\{[^{}]*\}$|^[\w .:/@-]*(?:\{[A-Za-z_][\w.]*\}[\w .:/@-]*)+$|^%[A-Za-z_][A-Za-z0-9_]*%$|%[sv]|%d(?:[^0-9A-Fa-f]|$)|%\([a-z_]+\)s|<%|#\{[^{}]*\}|(?:^|[:/@ ,=])\$[A-Z][A-Z0-9_]{2,}|<[A-Za-z][A-Za-z0-9 _.:-]*>"#,
    )
    .expect("a fixed pattern")
});
static FILL_IN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(?:your|my|some|the|an?|enter|insert|put|add|replace|paste|set|change|fake|dummy|sample|example|test|todo|tbd|foo|bar|baz|redacted|hidden|masked|none|null|not|no|missing|invalid|empty|unset|changeme|change-me|placeholder|n/?a)[-_ ].*[-_ ]?(?:key|token|secret|password|passwd|pass|value|here|me|this|it|set|id|string|code)s?$|(?:^|[^a-z])(?:your|insert|replace|enter|put)[-_ ]|placeholder|change_?-?me|(?:key|token|secret|password)[-_ ]?(?:goes)?[-_ ]?here|^redacted|^x{3,}|x{6,}|X{6,}|\*{3,}|example[-_]?(?:key|token|secret|password)|not-set|^(?:dummy|fake|sample|example|foobar|changeit)$",
    )
    .expect("a fixed pattern")
});

/// Tells whether only a few mask characters make the value.
fn is_mask(value: &str) -> bool {
    let masks = |c: &char| matches!(c, 'x' | 'X' | '*' | '.' | '-' | '_' | '#' | '0' | '•' | '?' | '/');
    let others = value.chars().filter(|c| !masks(c)).count();
    others == 0 || value.len() >= 16 && others * 8 < value.chars().count()
}

/// Types, literals of languages and words that stand where a secret could stand but are none.
pub(super) fn is_type_or_word(value: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "true", "false", "null", "none", "nil", "undefined", "yes", "no", "on", "off", "string", "str",
        "bytes", "int", "integer", "bool", "boolean", "number", "float", "object", "array", "list", "dict",
        "map", "any", "void", "char", "text", "varchar", "password", "passwd", "passphrase", "pass", "pwd",
        "secret", "token", "tokens", "key", "apikey", "api_key", "api-key", "access_token", "refresh_token",
        "id_token", "client_secret", "secret_key", "private_key", "access_key", "auth_token", "credentials",
        "credential", "bearer", "basic", "required", "optional", "hidden", "default", "empty", "unset",
        "default_token", "value", "todo", "self", "this", "super", "new", "await", "async", "return", "const",
        "static", "public", "private", "session", "cookie", "cookies", "header", "query", "body", "username",
        "user", "email", "name", "test", "example", "env", "environment", "file", "keyring", "keychain",
        "vault", "prompt", "input", "stdin", "inherit", "write", "read", "oauth", "oauth2",
        "enabled", "disabled", "unknown", "missing", "invalid", "expired", "valid", "plaintext", "encrypted",
        "redacted", "salt", "current-password", "new-password", "one-time-code", "unspecified", "uuid", "random",
        "auto", "never", "always", "buffer", "uint8array", "bytea", "blob", "secretstr", "securestring",
        "arraybuffer", "bytestring", "charsequence", "datetime", "nullable", "sensitive", "revoked", "rotated",
        "hashed", "changed", "prompted", "generated", "external", "inline", "literal", "masked", "confidential",
        "plain", "login", "reset", "known", "saved", "typed", "wrong",  "flag", "option", "argument", "field", "parameter", "setting", "provided", "supplied", "configured",
    ];
    let plain = value.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(plain))
}

/// Tells whether the value is a place where something is, or data that says what it is: a path, an
/// address, a digest, a number, a picture, a name that a compiler has mangled.
pub(super) fn is_place(value: &str) -> bool {
    const STARTS: &[&str] = &[
        "www.", "arn:", "data:", "./", "../", "~/", "@/", "sha1-", "sha256-", "sha512-", "sha256:", "h1:",
        "_ZN", "iVBORw0K", "R0lGOD", "/9j/",
    ];
    #[rustfmt::skip]
    const ENDINGS: &[&str] = &[
        ".pem", ".key", ".json", ".yml", ".yaml", ".txt", ".crt", ".toml", ".go", ".rs", ".py", ".ts", ".js",
        ".md", ".env", ".com", ".org", ".io", ".html", ".sh", ".java", ".rb", ".php", ".local", ".lock",
        ".log", ".tsx",
    ];
    value.contains("://")
        || STARTS.iter().any(|start| value.starts_with(start))
        || ENDINGS.iter().any(|ending| value.ends_with(ending))
        || value.starts_with("0x") && value.len() < 40
        || value.strip_prefix('#').is_some_and(is_words)
        || is_path_like(value)
}

/// Tells whether slashes part the value into names.
fn is_path_like(value: &str) -> bool {
    if !value.contains('/') {
        return false;
    }
    let whole = Mix::of(value.as_bytes());
    if whole.length >= 20 && whole.upper > 2 && whole.lower > 2 && whole.changes * 100 >= whole.length * 28 {
        return false;
    }
    let mut parts = 0;
    let mut wild = 0;
    for part in value.split('/').filter(|part| !part.is_empty()) {
        parts += 1;
        let mix = Mix::of(part.as_bytes());
        wild += usize::from(mix.length >= 8 && mix.random());
    }
    let plain = !value.contains(['+', '=']);
    (value.starts_with('/') && wild == 0 && parts >= 1)
        || parts >= 2 && wild == 0 && plain && value.len() / parts < 24
}

/// Tells whether a bare value is an expression: a call, a member, a name of a variable.
fn is_code(value: &str) -> bool {
    let first = value.as_bytes()[0];
    if matches!(
        first,
        b'(' | b'[' | b'{' | b'$' | b'&' | b'@' | b'*' | b'|' | b'-' | b'!' | b'%' | b'<' | b'>'
    ) && !value[1..].contains(['!', '@', '%', '^'])
    {
        return true;
    }
    if value.contains("::") || value.contains("->") || value.contains("||") || value.contains('(') {
        return true;
    }
    // A constant.
    if value.contains('_')
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    {
        return true;
    }
    // A chain of names: `settings.github.secret`, but not parts that look drawn by lot.
    let dotted = value.contains('.');
    if dotted {
        return value.split('.').all(|part| {
            let mix = Mix::of(part.as_bytes());
            !part.is_empty() && is_name(part) && !(mix.length >= 10 && mix.random() || mix.hexadecimal())
        });
    }
    false
}

fn is_name(part: &str) -> bool {
    !part.as_bytes()[0].is_ascii_digit()
        && part.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'?' || byte == b'!' || byte == b'-'
        })
}

/// Tells whether only words make the value: letters, joined by `_`, `-`, `.`, `:` or space.
fn is_words(value: &str) -> bool {
    value.bytes().all(|byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.' | b' ' | b':' | b'/' | b'#')
    })
}

fn is_numeric_password(kind: Kind, form: Form, mix: &Mix) -> bool {
    match kind {
        Kind::Password => {
            mix.digits >= 4 && form != Form::Loose || mix.signs + mix.digits >= 6 && mix.signs > 0
        }
        Kind::Secret | Kind::Key => mix.digits >= 12 && form != Form::Loose,
        _ => false,
    }
}

fn is_password(form: Form, value: &str, mix: &Mix) -> bool {
    match form {
        Form::Quoted => {
            let words = value.split_whitespace().count();
            let asks = value.ends_with([':', '?'])
                || value.ends_with('.') && words > 1
                || value.starts_with(['#', '.']);
            let speaks = words > 1
                && (words > 4
                    || names_a_secret(value)
                    || mix.digits + mix.signs == 0 && value.as_bytes()[0].is_ascii_uppercase());
            let label = is_words(value) && value.contains(['_', '-', '.', '/', ':']) && names_a_secret(value);
            !asks && !speaks && !label && !is_call(value, mix) || mix.random() && words == 1
        }
        Form::Tight => length_of_word(value) < value.len() || value.len() >= 6 && !is_variable(value),
        Form::Loose => {
            let numbered = is_numbered_name(value) && !is_weak_password(value);
            value.len() >= 5 && mix.mixed() && !numbered
                || value.len() >= 6 && mix.signs > 0 && mix.letters() >= 4
                || is_joined_words(value)
        }
    }
}

fn is_named_secret(form: Form, value: &str, mix: &Mix) -> bool {
    let spaces = value.bytes().any(|byte| byte.is_ascii_whitespace());
    if spaces {
        return false;
    }
    is_key(form, value, mix)
        || form == Form::Quoted && value.len() >= 8 && mix.signs > 0 && !is_call(value, mix)
}

fn is_key(form: Form, value: &str, mix: &Mix) -> bool {
    if value.bytes().any(|byte| byte.is_ascii_whitespace()) || is_call(value, mix) {
        return false;
    }
    if is_words(value) {
        // Letters alone: long, and changing case as no name does, or one very long unbroken word.
        let parts = value.split(['_', '-', '.', ':', '/']).map(str::len).max().unwrap_or(0);
        return parts >= 20
            && (mix.mixed_case() || mix.changes == 0 && form != Form::Loose && mix.distinct >= 8);
    }
    if mix.letters() == 0 {
        return mix.digits >= 12 && form != Form::Loose;
    }
    let signed = form == Form::Quoted && mix.signs >= 4 && mix.letters() >= 6 && value.len() >= 12;
    match form {
        _ if signed => true,
        Form::Quoted | Form::Tight => {
            value.len() >= 6 && mix.mixed() && (value.len() >= 16 || !is_numbered_name(value))
        }
        Form::Loose => {
            value.len() >= 8
                && mix.mixed()
                && !is_numbered_name(value)
                && (value.len() >= 16 || mix.changes >= 2)
        }
    }
}

/// Tells whether the value calls something; passwords with a bracket have other signs as well.
fn is_call(value: &str, mix: &Mix) -> bool {
    value.contains('\n') || value.contains('(') && mix.signs < 4
}

/// Tells whether the value speaks of secrets instead of being one.
pub(super) fn names_a_secret(value: &str) -> bool {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)passw|secret|token|\bkey|credential|\b(?:your|enter|must|should|please|the|is|and|or|not|new|for|with|this|that|invalid|confirm|forgot|reset|change)\b")
            .expect("a fixed pattern")
    });
    WORDS.is_match(value)
}

/// Returns how many leading bytes are letters, digits and underscores.
fn length_of_word(value: &str) -> usize {
    value.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// Tells whether a bare word reads like the name of a variable that holds the secret.
pub(super) fn is_variable(value: &str) -> bool {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[a-z_]*(?:pass|passw(?:or)?d|pwd|secret|token|key|cred(?:ential)?s?|value|auth)[a-z_]*[0-9]?$")
            .expect("a fixed pattern")
    });
    NAME.is_match(value)
}

/// Tells whether a value is a name with a number: `step1`, `token_2`, `v1beta1`, `sha256`.
pub(super) fn is_numbered_name(value: &str) -> bool {
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^(?:[a-z]+[-_. ])*(?:pass|passw(?:or)?d|pwd|secret|token|key|step|test|foo|bar|node|version|user|item|sha|md|utf|base|rsa|aes|hs|rs|es|v|p|n|t|k|x|s|id|part|case|level|phase|plan)[-_]?[0-9]{1,4}(?:[-_.][a-z]+)*$|^[a-z]+(?:[-_][a-z]+)+[-_]?[0-9]{1,2}$|^[a-z]+[-_][0-9]{1,4}$|^[\^~>=v]*[0-9]+(?:[.][0-9x*]+)*[a-z%]{0,5}$|^#[0-9a-f]{3,8}$|^[0-9]{4}-[0-9]{2}-[0-9]{2}")
            .expect("a fixed pattern")
    });
    NUMBERED.is_match(value)
}

/// Tells whether the argument of `curl -u` holds a password beside the user.
pub(super) fn is_user_and_password(value: &str) -> bool {
    let bare = value.trim_matches(['"', '\'']);
    let Some((user, password)) = bare.split_once(':') else { return false };
    if user.is_empty() && password.is_empty() || is_placeholder(user) && is_placeholder(password) {
        return false;
    }
    let both = if password.is_empty() { user } else { password };
    both.len() >= 3
        && !is_placeholder(both)
        && !is_type_or_word(both)
        && !both.starts_with(['$', '%', '{', '<', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: Kind, form: Form, value: &str, expected: bool) {
        assert_eq!(is_secret(kind, form, value), expected, "{kind:?} {form:?} {value}");
    }

    #[test]
    fn passwords_may_be_weak() {
        check(Kind::Password, Form::Quoted, "hunter2", true);
        check(Kind::Password, Form::Quoted, "open sesame", true);
        check(Kind::Password, Form::Tight, "correcthorse", true);
        check(Kind::Password, Form::Loose, "string", false);
        check(Kind::Password, Form::Loose, "get_password()", false);
        check(Kind::Password, Form::Quoted, "Enter your password", false);
        check(Kind::Password, Form::Quoted, "${DB_PASSWORD}", false);
        check(Kind::Password, Form::Quoted, "<password>", false);
    }

    #[test]
    fn keys_show_letters_and_digits() {
        check(Kind::Key, Form::Tight, "abc123", true);
        check(Kind::Key, Form::Loose, "bucket", false);
        check(Kind::Key, Form::Quoted, "bucket", false);
        check(Kind::Key, Form::Quoted, "token2", false);
        check(Kind::Key, Form::Loose, "settings.github.token", false);
        check(Kind::Key, Form::Tight, "$TOKEN", false);
        check(Kind::Key, Form::Quoted, "your-api-key-123", false);
        check(Kind::Key, Form::Quoted, "/etc/ssl/key1", false);
        check(Kind::Key, Form::Loose, "kT4vBqLmZ/rW8nXsPd/yHg2JcFtR6uQaEb", true);
        check(Kind::Password, Form::Quoted, "Pa$SWORD%d41", true);
        check(Kind::Key, Form::Tight, "0x00000013", false);
    }

    #[test]
    fn weak_names_need_strong_values() {
        check(Kind::Weak, Form::Quoted, "abc123", false);
        check(Kind::Weak, Form::Quoted, "q7Xk2PzR9vLm4TbWn3Ys", true);
        check(Kind::Weak, Form::Quoted, "01234567-89ab-cdef-0123-456789abcdef", false);
    }
}
