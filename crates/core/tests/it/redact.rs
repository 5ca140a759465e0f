//! Redaction in the forms that people and tools write; values are made up here, from parts, so that no
//! scanner takes this file for a leak.

use lore_core::redact::{MARK, Redactor};
use proptest::prelude::*;

const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Draws a value of a length from an alphabet, always the same for the same seed.
fn drawn(alphabet: &[u8], length: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state % alphabet.len() as u64) as usize] as char
    };
    (0..length).map(|_| next()).collect()
}

fn key() -> String {
    drawn(LETTERS, 32, 7)
}

/// Puts a value for `{}`, redacts, and expects exactly the mark in its place, now and the second time.
#[track_caller]
fn check_value(template: &str, value: &str) {
    let text = template.replace("{}", value);
    let expected = template.replace("{}", MARK);
    let redacted = Redactor::standard().redact(&text);
    assert_eq!(redacted.text, expected);
    assert!(Redactor::standard().redact(&redacted.text).findings.is_empty(), "twice: {expected}");
}

#[track_caller]
fn check_stays(text: &str) {
    let redacted = Redactor::standard().redact(text);
    assert_eq!(redacted.text, text, "{:?}", redacted.findings);
}

#[test]
fn the_contract_example() {
    check_value("API_KEY={}", "abc123");
}

#[test]
fn literals_behind_every_operator() {
    for template in [
        "API_KEY={}",
        "export API_KEY={}",
        "API_KEY = {}",
        "api_key: {}",
        "api_key: \"{}\"",
        "  apiKey: '{}',",
        "{\"api_key\": \"{}\"}",
        "{\\\"api_key\\\": \\\"{}\\\"}",
        "api_key = \"{}\"",
        "api_key := \"{}\"",
        "API_KEY ?= \"{}\"",
        "$apiKey .= \"{}\";",
        "'api_key' => '{}',",
        "<api_key>{}</api_key>",
        "<add key=\"ApiKey\" value=\"{}\" />",
        "{\"name\": \"API_KEY\", \"value\": \"{}\"}",
        "System.setProperty(\"API_KEY\", \"{}\")",
        "config[\"api_key\"] = \"{}\"",
        "let api_key: &str = \"{}\";",
        "var apiKey string = \"{}\"",
        "const apiKey: string = `{}`;",
        "if api_key == \"{}\" {",
        "if (\"{}\" === apiKey) {",
        "tool --api-key {}",
        "tool --api-key={} --verbose",
        "https://host.example/v1?api_key={}&page=2",
        "const key = process.env.API_KEY || \"{}\";",
        "api key: {}",
        "the token is {}, keep it",
        "api_token: |\n  {}\nnext: 1",
        "{\"env\": \"API_KEY={}\\nDEBUG=1\"}",
    ] {
        check_value(template, &key());
    }
}

#[test]
fn passwords_need_not_be_strong() {
    check_value("password = \"{}\"", "hunter2");
    check_value("password: '{}'", "correct horse");
    check_value("DB_PASSWORD={}", "letmein");
    check_value("{\"user\": \"a\", \"pass\": \"{}\"}", "swordfish1");
    check_value("Server=db;User Id=sa;Password={};Timeout=3", "Tr0ub4dor");
    check_value("machine host.example login joe password {}", "xyzzy12");
    check_value("mysql -u root -p{} shop", "xyzzy12");
    check_value("sshpass -p {} ssh host", "xyzzy12");
}

#[test]
fn a_user_and_a_password_may_be_told_together() {
    for template in [
        "Login for the staging console is admin / {}.",
        "The credentials for the NAS are backup:{}.",
        "the login (lab only): bench / {}, please rotate it",
        "Creds of the old relay were post:{} until May",
    ] {
        check_value(template, "Pa55word!99");
        check_value(template, "Tr0ub4dor&3");
    }
    check_stays("The login for the console is https://console.example:8443/start");
    check_stays("Login for the lab is bench:8080.");
    check_stays("The login is handled by auth / session.");
    check_stays("Credentials are kept in vault / kv2 under relay.");
}

#[test]
fn addresses_keep_user_and_host() {
    check_value("postgres://app:{}@db.example:5432/shop", "s3cr3t");
    check_value("redis://:{}@cache:6379", "s3cr3t");
    check_value("git clone https://joe:{}@host.example/repo.git", &key());
    check_value("DATABASE_URL=\"mysql://app:{}@localhost/db\"", "pa55");
}

#[test]
fn headers_keep_their_scheme() {
    check_value("Authorization: Bearer {}", &key());
    check_value("Authorization: Basic {}", "dXNlcjpwYXNzd29yZDE=");
    check_value("curl -H 'Authorization: Token {}' https://host.example", &key());
    check_value("{\"Authorization\": \"Bearer {}\"}", &key());
    check_value("Proxy-Authorization: Basic {}", "dXNlcjpwYXNzd29yZDE=");
    check_value("x-api-key: {}", &key());
    check_value("X-Auth-Token: {}", &key());
    check_value("Cookie: theme=dark; sid={}", &drawn(LETTERS, 24, 3));
    check_value("Set-Cookie: sid={}; Path=/; HttpOnly", &drawn(LETTERS, 24, 3));
}

#[test]
fn web_tokens_go_whole() {
    let part = |head: &str, seed| format!("{head}{}", drawn(LETTERS, 30, seed));
    let token = format!("{}.{}.{}", part("eyJ", 1), part("eyJ", 2), part("", 3));
    check_value("got {} from the server", &token);
}

#[test]
fn private_keys_go_whole() {
    let body = |line: &str| (0..4).map(|seed| drawn(LETTERS, 60, seed + 1) + line).collect::<String>();
    for label in ["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "] {
        let block = |line: &str| {
            let (begin, end) =
                (format!("-----BEGIN {label}PRIVATE KEY-----"), format!("-----END {label}PRIVATE KEY-----"));
            format!("{begin}{line}{}{end}", body(line))
        };
        check_value("before\n{}\nafter", &block("\n"));
        check_value("{\"private_key\": \"{}\\n\"}", &block("\\n"));
    }
    let cut = format!("-----BEGIN PRIVATE KEY-----\n{}", body("\n"));
    check_value("cut off:\n{}\n", cut.trim_end());
    check_stays("a file that starts with `-----BEGIN PRIVATE KEY-----` holds a key");
    check_stays("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----");
    let age = format!("AGE-SECRET-KEY-1{}", drawn(b"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, 4));
    check_value("identity: {}", &age);
    check_value(
        "Private-Lines: 2\n{}\nPrivate-MAC: 00",
        &format!("{}\n{}", drawn(LETTERS, 64, 5), drawn(LETTERS, 44, 6)),
    );
}

#[test]
fn what_is_no_secret_stays() {
    let hash = drawn(b"0123456789abcdef", 40, 9);
    let digest = drawn(LETTERS, 86, 10);
    for text in [
        format!("fixed in {hash}"),
        format!("commit {hash}\nAuthor: A. Person <a@host.example>"),
        format!("uses: actions/checkout@{hash} # v4"),
        format!("checksum = \"{}\"", drawn(b"0123456789abcdef", 64, 11)),
        format!("integrity: sha512-{digest}=="),
        format!("golang.org/x/text v0.3.0/go.mod h1:{}=", drawn(LETTERS, 43, 12)),
        format!("\"id\": \"{}\"", "01234567-89ab-cdef-0123-456789abcdef"),
        format!("src=\"data:image/png;base64,{}\"", drawn(LETTERS, 200, 13)),
    ] {
        check_stays(&text);
    }
    for text in [
        "KEY=[REDACTED]",
        "api_key = \"[REDACTED]\"",
        "password: bytes | str",
        "password: string;",
        "def login(user: str, password: str = \"\") -> None:",
        "token = get_token()",
        "token = request.headers.token",
        "api_key = os.environ[\"API_KEY\"]",
        "apiKey: process.env.API_KEY,",
        "API_KEY=${API_KEY}",
        "API_KEY=$API_KEY",
        "API_KEY=<your-key>",
        "API_KEY=your-api-key-here",
        "password = \"********\"",
        "secret = \"xxxxxxxxxxxxxxxx\"",
        "password: {{ .Values.password }}",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "token: bucket",
        "secret: true",
        "key: value",
        "max_tokens: 4096",
        "\"input_tokens\": 1234, \"cache_read_input_tokens\": 56789",
        "The password is stored in the keychain.",
        "Tokens are refreshed when the secret rotates; see the API key page.",
        "Enter your password: ",
        "private_key_path: /etc/ssl/private/server.key",
        "secretName: app-credentials",
        "--- PASS: TestReadsEveryRecord (0.00s)",
        "public_key = \"ssh-ed25519\"",
        "https://host.example/tokens/list?page=2",
        "https://user@host.example/path",
        "postgres://user:${PASSWORD}@db/shop",
        "curl -u \"$USER:$PASSWORD\" https://host.example",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "s.sessionHasNewContentFromTranscript(state)",
        "crates/core/src/redact/assignment.rs:120",
        "primaryKey: id, foreignKey: user_id",
    ] {
        check_stays(text);
    }
}

#[test]
fn long_texts_take_time_in_proportion() {
    for (character, megabytes) in [("a", 10), ("-", 1), ("=", 1)] {
        let text = character.repeat(megabytes << 20);
        assert!(Redactor::standard().redact(&text).findings.is_empty());
    }
    for piece in
        ["sk-", "key=", "key=\"", "://a:", "-----BEGIN PRIVATE KEY-----", "eyJ.", "token: ", "curl -u ", "_-"]
    {
        let text = piece.repeat((16 << 10) / piece.len());
        let once = Redactor::standard().redact(&text).text.into_owned();
        assert!(Redactor::standard().redact(&once).findings.is_empty());
    }
}

#[test]
fn the_kept_corpus_settles() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/redact");
    let mut replayed = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let redacted = Redactor::standard().redact(&text);
        assert!(!redacted.findings.is_empty(), "{text}");
        assert!(Redactor::standard().redact(&redacted.text).findings.is_empty(), "{text}");
        replayed += 1;
    }
    assert!(replayed > 8, "the corpus is there");
}

/// Pieces that rules look for, in any order.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "password",
        "API_KEY",
        "token",
        "secret_key",
        "Authorization",
        "Bearer ",
        "Cookie: a",
        "curl -u ",
        "=",
        ": ",
        " = ",
        "=>",
        ":=",
        "\"",
        "'",
        "\\\"",
        "`",
        "\\n",
        "\n",
        " ",
        "://",
        "@",
        "user:",
        "sk-",
        "ghp_",
        "AKIA",
        "eyJ",
        ".",
        "<",
        ">",
        "</",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "[REDACTED]",
        "[",
        "]",
        "REDACTED",
        ";",
        ",",
        "(",
        ")",
        "value=",
        "is ",
        "- ",
        "||",
        "${",
        "}",
        "{{",
        "xxxx",
        "…",
        "ü",
    ];
    prop_oneof![
        3 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => (any::<u64>(), 1..60usize).prop_map(|(seed, length)| drawn(LETTERS, length, seed)),
        1 => "\\PC{0,6}",
    ]
}

proptest! {
    #[test]
    fn redacting_twice_is_redacting_once(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = pieces.concat();
        let redacted = Redactor::standard().redact(&text);
        let again = Redactor::standard().redact(&redacted.text);
        prop_assert!(again.findings.is_empty(), "{:?} -> {:?} -> {:?}", text, redacted.text, again.findings);
        let ends: Vec<usize> = redacted.findings.iter().map(|finding| finding.range.end).collect();
        for (finding, end) in redacted.findings.iter().skip(1).zip(ends) {
            prop_assert!(finding.range.start >= end, "in order, without overlap");
        }
    }
}
