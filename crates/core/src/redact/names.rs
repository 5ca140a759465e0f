//! What the name of a setting says about its value.

/// How plainly a name says that its value is a secret, and of which kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A password: any literal may be one.
    Password,
    /// A number that opens something.
    Pin,
    /// A secret, by that word.
    Secret,
    /// A key or token of an interface.
    Key,
    /// A key of something that we do not know: the value has to look like one, or be a UUID.
    Owned,
    /// A name that often, but not plainly, holds a secret: the value has to look like one.
    Weak,
    /// The value of an `Authorization` header.
    Authorization,
    /// The value of a `Cookie` header.
    Cookie,
}

/// Words that make a scan look at the name around them.
#[rustfmt::skip]
pub(super) const ANCHORS: &[&str] = &[
    "pass", "pwd", "psw", "secret", "token", "key", "auth", "cred", "login", "license", "_pat", "jwt", "hmac",
    "senha", "contrase", "kennwort", "mdp", "_api", "pin:", "pin=", "pin ", "pincode", "pin_code", "_pin",
    "\"pin\"", "sessid", "sessionid=", "connect.sid", "masterauth", "salt", "seed", "pw:", "pw=", "psk", "creds",
];

#[rustfmt::skip]
const PASSWORDS: &[&str] = &[
    "password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "pass", "passcode", "psw", "pswd",
    "senha", "contrasena", "contraseña", "mdp", "userpass", "dbpass", "storepass", "keypass", "requirepass", "masterauth",
    "rootpass", "adminpass", "mypass", "smtppass", "ftppass", "bindpw", "rootpw", "sshpass", "testpass", "pw", "psk",
];
/// What a word may end in and still be a password, as in `dbpassword`.
#[rustfmt::skip]
const PASSWORD_ENDS: &[&str] = &[
    "password", "passwd", "passphrase", "passwort", "pwd",
];

/// Words before `key` that make it a secret.
#[rustfmt::skip]
const KEY_OWNERS: &[&str] = &[
    "api", "access", "secret", "private", "encryption", "signing", "auth", "master", "account", "shared",
    "service", "subscription", "consumer", "app", "application", "deploy", "stream", "client", "license",
    "storage", "session", "webhook", "integration", "ingest", "ingestion", "insert", "query", "admin",
    "server", "device", "unseal", "recovery", "decryption", "crypto", "cipher", "aes", "hmac", "jwt",
    "hmacsha256", "rest", "write", "read", "personal", "host", "ssh", "instrumentation", "sas", "root", "user",
    "provision", "registration", "functions", "function",
];
/// The same, written as one word.
#[rustfmt::skip]
const GLUED_KEYS: &[&str] = &[
    "apikey", "accesskey", "secretkey", "privatekey", "authkey", "masterkey", "accountkey", "appkey",
    "signingkey", "encryptionkey", "licensekey", "servicekey", "sharedkey", "deploykey", "streamkey",
    "consumerkey", "clientkey", "sharedaccesskey", "apitoken", "apisecret", "querykey", "insertkey",
    "adminkey",
];
/// Words before `key` or `token` that say that it is none.
#[rustfmt::skip]
const HARMLESS_OWNERS: &[&str] = &[
    "public", "pub", "recv", "primary", "foreign", "partition", "sort", "cache", "hash", "object", "row",
    "idempotency", "dedup", "i18n", "translation", "map", "unique", "composite", "lookup", "index",
    "join", "group", "registry", "bucket", "s3", "metadata", "page", "next",
    "continuation", "pagination", "cursor", "stop", "eos", "bos", "pad", "unk", "sep", "special", "syntax",
    "lex", "max", "min", "total", "num", "prompt", "completion", "cached", "cancellation", "cancel", "column",
    "field", "property", "attribute", "event", "issue", "project", "json", "yaml", "config", "label", "tag",
    "sync", "style", "design", "color", "theme", "known", "host",
];
/// Tails that add nothing to what stands before them.
#[rustfmt::skip]
const NEUTRAL_TAILS: &[&str] = &[
    "value", "val", "str", "string", "text", "txt", "plain", "plaintext", "cleartext", "raw", "b64", "base64",
    "encoded", "enc", "prod", "production", "dev", "development", "test", "testing", "staging", "stage",
    "live", "sandbox", "local", "default", "current", "new", "old", "primary", "secondary", "main", "backup",
    "env", "literal", "const", "confirmation", "confirm", "override",
];
/// Tails that name something about the secret, not the secret.
#[rustfmt::skip]
const OTHER_TAILS: &[&str] = &[
    "id", "ids", "name", "names", "file", "files", "filename", "path", "paths", "dir", "url", "uri", "urls",
    "endpoint", "type", "types", "size", "len", "length", "count", "counts", "limit", "limits", "max", "min",
    "expiry", "expires", "expiration", "ttl", "age", "timeout", "field", "fields", "label", "labels",
    "variable", "var", "vars", "hint", "policy", "regex", "regexp", "pattern", "patterns", "placeholder",
    "form", "header", "headers", "prefix", "suffix", "index", "idx", "alias", "ref", "refs", "source",
    "sources", "provider", "providers", "manager", "store", "service", "handler", "version", "algorithm",
    "alg", "method", "mode", "status", "state", "enabled", "disabled", "required", "optional", "rotation",
    "cache", "budget", "usage", "hash", "hashed", "digest", "checksum", "strength", "error", "errors",
    "message", "format", "map", "list", "pair", "scope", "scopes", "role", "arn", "region", "user", "users",
    "username", "owner", "email", "domain", "page", "help", "desc", "description", "title", "link", "button",
    "input", "prompt", "class", "schema", "model", "test", "tests", "spec", "stream", "parser", "set", "bits",
    "usages", "ops", "fingerprint", "created", "updated", "date", "time", "at", "by", "for", "in", "from",
    "to", "is", "if", "or", "and", "key2", "management", "generator", "validator", "validation", "reset",
    "changed", "change", "match", "less", "free",
];

/// Says what a name tells; `None` when it tells nothing.
pub(super) fn kind(name: &str) -> Option<Kind> {
    let mut spelled = String::with_capacity(name.len() + 8);
    spell(name, &mut spelled);
    let words: Vec<&str> = spelled.split('_').filter(|word| !word.is_empty()).collect();
    let mut last = words.len();
    while last > 1 && (NEUTRAL_TAILS.contains(&words[last - 1]) || is_number(words[last - 1])) {
        last -= 1;
    }
    let word = *words.get(last.checked_sub(1)?)?;
    let before = last.checked_sub(2).map(|index| words[index]);
    if word == "id" && before == Some("secret") {
        return Some(Kind::Secret);
    }
    if matches!(word, "pin" | "pincode" | "passcode")
        || word == "code" && matches!(before, Some("pin" | "pass"))
    {
        return Some(Kind::Pin);
    }
    if OTHER_TAILS.contains(&word) {
        return None;
    }
    if let Some(kind) = by_word(word, before) {
        return Some(kind);
    }
    let harmless = words.iter().any(|word| OTHER_TAILS.contains(word) || HARMLESS_OWNERS.contains(word));
    let named = words.iter().enumerate().any(|(index, word)| {
        let before = index.checked_sub(1).map(|index| words[index]);
        !matches!(by_word(word, before), None | Some(Kind::Weak | Kind::Owned | Kind::Cookie))
    });
    (named && !harmless || word == "api").then_some(Kind::Weak)
}

/// Tells whether a word before `key` or `token` says what it is the key of.
pub(super) fn is_owner(word: &str) -> bool {
    KEY_OWNERS.iter().chain(HARMLESS_OWNERS).any(|owner| owner.eq_ignore_ascii_case(word))
}

/// Tells whether the value of a name that says nothing may still be a secret: it is not the name of a
/// digest, an identifier, a place or a piece of content.
pub(super) fn may_hold_a_secret(name: &str) -> bool {
    #[rustfmt::skip]
    const NEVER: &[&str] = &[
        "hash", "sha", "sha1", "sha256", "sha512", "md5", "checksum", "integrity", "digest", "signature",
        "sig", "etag", "commit", "rev", "revision", "data", "image", "img", "icon", "content", "contents",
        "body", "cursor", "cert", "certificate", "public", "pub", "fingerprint", "thumbprint", "nonce",
        "thought", "thinking", "encrypted", "query", "diff", "patch", "tree", "blob", "resolution",
        "resolved", "base", "font", "https", "http", "file", "svg", "d", "blurhash", "hmac", "mac", "proof",
        "payload", "message", "msg", "trace", "span", "request", "response", "session", "channel", "video",
        "playlist", "thread", "conversation", "uuid", "guid", "slug", "v", "q", "e", "t", "s",
    ];
    let mut spelled = String::with_capacity(name.len() + 8);
    spell(name, &mut spelled);
    name.len() > 2
        && !spelled.split('_').any(|word| {
            word.starts_with("pubkey")
                || NEVER.contains(&word)
                || OTHER_TAILS.contains(&word)
                || HARMLESS_OWNERS.contains(&word)
        })
}

fn by_word(word: &str, before: Option<&str>) -> Option<Kind> {
    let owner = before.unwrap_or_default();
    if PASSWORDS.contains(&word) || PASSWORD_ENDS.iter().any(|end| word.ends_with(end)) {
        return Some(Kind::Password);
    }
    if word == "secret" || word == "secrete" || word.ends_with("secret") {
        return Some(Kind::Secret);
    }
    if GLUED_KEYS.contains(&word) {
        return Some(Kind::Key);
    }
    if word == "key" || word == "token" {
        return match owner {
            _ if HARMLESS_OWNERS.contains(&owner) => None,
            _ if word == "token" || KEY_OWNERS.contains(&owner) => Some(Kind::Key),
            "" => Some(Kind::Weak),
            _ => Some(Kind::Owned),
        };
    }
    if word.ends_with("token") || word.ends_with("apikey") {
        return Some(if GLUED_KEYS.contains(&word) { Kind::Key } else { Kind::Owned });
    }
    if let Some(owner) = word.strip_suffix("key")
        && owner.len() > 2
        && !HARMLESS_OWNERS.contains(&owner)
        && !matches!(
            word,
            "monkey" | "donkey" | "turkey" | "hockey" | "jockey" | "whiskey" | "passkey" | "hotkey"
        )
    {
        return Some(if KEY_OWNERS.contains(&owner) { Kind::Key } else { Kind::Owned });
    }
    match word {
        "authorization" => Some(Kind::Authorization),
        "phpsessid" | "jsessionid" | "aspsessionid" | "sessid" | "sessionid" => Some(Kind::Owned),
        "sid" if owner == "connect" => Some(Kind::Owned),
        "salt" | "seed" if !owner.is_empty() => Some(Kind::Weak),
        "cookie" => Some(Kind::Cookie),
        "keys" | "tokens" | "secrets" | "passwords" if !HARMLESS_OWNERS.contains(&owner) => Some(Kind::Weak),
        "auth" | "cred" | "creds" | "credential" | "credentials" | "login" | "license" | "licence"
        | "pat" | "jwt" | "hmac" | "session" | "bearer" | "webhook" => Some(Kind::Weak),
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    !digits.is_empty() && digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes the words of a name in lower case with one `_` between them.
fn spell(name: &str, out: &mut String) {
    let bytes = name.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let before = index.checked_sub(1).map_or(b'_', |index| bytes[index]);
        let after = bytes.get(index + 1).copied().unwrap_or(b'_');
        match byte {
            b'A'..=b'Z' => {
                let starts = before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || before.is_ascii_uppercase() && after.is_ascii_lowercase();
                if starts {
                    out.push('_');
                }
                out.push(byte.to_ascii_lowercase() as char);
            }
            b'a'..=b'z' => out.push(*byte as char),
            b'0'..=b'9' => {
                if before.is_ascii_alphabetic() && !after.is_ascii_alphabetic() {
                    out.push('_');
                }
                out.push(*byte as char);
            }
            _ => out.push('_'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<Kind>) {
        assert_eq!(kind(name), expected, "{name}");
    }

    #[test]
    fn names_say_what_they_hold() {
        check("password", Some(Kind::Password));
        check("spring.datasource.password", Some(Kind::Password));
        check("DB_PASS", Some(Kind::Password));
        check("PGPASSWORD", Some(Kind::Password));
        check("clientSecret", Some(Kind::Secret));
        check("API_KEY", Some(Kind::Key));
        check("API_KEY_2", Some(Kind::Key));
        check("openaiApiKeyProd", Some(Kind::Key));
        check("X-Auth-Token", Some(Kind::Key));
        check("key", Some(Kind::Weak));
        check("apikey_myservice", Some(Kind::Weak));
        check("Proxy-Authorization", Some(Kind::Authorization));
    }

    #[test]
    fn names_around_a_secret_are_not_the_secret() {
        for name in [
            "tokenizer",
            "public_key",
            "primaryKey",
            "cache_key",
            "passwordField",
            "password_hash",
            "secretName",
            "token_count",
            "next_page_token",
            "keyboard",
            "monkey",
            "author",
            "max_tokens_limit",
            "tokenUrl",
        ] {
            check(name, None);
        }
    }
}
