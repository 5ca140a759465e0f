//! Passwords among the arguments of programs that take them there: a table.

use std::ops::Range;

use super::bytes::starts_word;
use super::wordlike;

/// How far the arguments of a command are read.
const REACH: usize = 600;

/// How a program is given a password.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// The argument behind this one, or joined with it by `=`.
    Behind(&'static str),
    /// The same argument, behind this beginning.
    Within(&'static str),
    /// What follows this sign in the argument behind a flag: `-u user:password`.
    Part(&'static str, char),
    /// The argument of this number, flags aside; it has to look like a key or a password.
    Place(usize),
    /// The quoted argument behind this word, as in SQL.
    Quoted(&'static str),
}

use Way::{Behind, Part, Place, Quoted, Within};

/// Programs and how each is given a password; the name is also what the scan looks for.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &[Way])] = &[
    ("mysql", &[Within("-p"), Behind("--password")]),
    ("mariadb", &[Within("-p"), Behind("--password")]),
    ("sshpass", &[Behind("-p"), Within("-p")]),
    ("redis-cli", &[Behind("-a"), Behind("--pass")]),
    ("valkey-cli", &[Behind("-a"), Behind("--pass")]),
    ("docker login", &[Behind("-p"), Within("-p"), Behind("--password")]),
    ("podman login", &[Behind("-p"), Behind("--password")]),
    ("registry login", &[Behind("-p"), Behind("--password")]),
    ("oras login", &[Behind("-p"), Behind("--password")]),
    ("crane auth", &[Behind("-p"), Behind("--password")]),
    ("skopeo", &[Part("--creds", ':'), Part("--src-creds", ':'), Part("--dest-creds", ':')]),
    ("az login", &[Behind("-p"), Behind("--password")]),
    ("oc login", &[Behind("-p"), Behind("--token")]),
    ("cf login", &[Behind("-p")]),
    ("ldapsearch", &[Behind("-w"), Within("-w")]),
    ("ldapadd", &[Behind("-w"), Within("-w")]),
    ("ldapmodify", &[Behind("-w"), Within("-w")]),
    ("ldapdelete", &[Behind("-w"), Within("-w")]),
    ("ldapwhoami", &[Behind("-w"), Within("-w")]),
    ("ldappasswd", &[Behind("-w"), Behind("-s"), Behind("-a")]),
    ("mongo", &[Behind("-p"), Behind("--password")]),
    ("cqlsh", &[Behind("-p"), Behind("--password")]),
    ("sqlcmd", &[Behind("-P"), Within("-P")]),
    ("mssql-cli", &[Behind("-P")]),
    ("clickhouse", &[Behind("--password")]),
    ("influx", &[Behind("-password"), Behind("-t"), Behind("-p")]),
    ("rabbitmqctl add_user", &[Place(1)]),
    ("rabbitmqctl change_password", &[Place(1)]),
    ("rabbitmqadmin", &[Behind("-p")]),
    ("mosquitto_", &[Behind("-P"), Behind("--pw")]),
    ("ipmitool", &[Behind("-P")]),
    ("snmp", &[Behind("-c"), Behind("-A"), Behind("-X")]),
    ("openssl", &[Within("pass:"), Behind("-k"), Behind("-K")]),
    ("zip -", &[Behind("-P")]),
    ("zip a ", &[Within("-p")]),
    ("7z ", &[Within("-p")]),
    ("7za ", &[Within("-p")]),
    ("htpasswd", &[Place(2)]),
    ("ssh-keygen", &[Behind("-N"), Behind("-P")]),
    ("keytool", &[Behind("-storepass"), Behind("-keypass"), Behind("-srcstorepass"), Behind("-deststorepass")]),
    ("jarsigner", &[Behind("-storepass"), Behind("-keypass")]),
    ("smbclient", &[Part("-U", '%'), Part("--user", '%')]),
    ("mount.cifs", &[Within("password=")]),
    ("rpcclient", &[Part("-U", '%')]),
    ("lftp", &[Part("-u", ','), Part("--user", ',')]),
    ("httpie", &[Part("-a", ':')]),
    ("http ", &[Part("-a", ':'), Part("--auth", ':')]),
    ("https ", &[Part("-a", ':'), Part("--auth", ':')]),
    ("xh ", &[Part("-a", ':'), Part("--auth", ':')]),
    ("xfreerdp", &[Within("/p:")]),
    ("rdesktop", &[Behind("-p")]),
    ("plink", &[Behind("-pw")]),
    ("pscp", &[Behind("-pw")]),
    ("evil-winrm", &[Behind("-p")]),
    ("twine", &[Behind("-p"), Behind("--password")]),
    ("wpa_passphrase", &[Place(1)]),
    ("nmcli", &[Behind("password")]),
    ("sqlplus", &[Part("", '/')]),
    ("cargo login", &[Place(0)]),
    ("vault login", &[Place(0)]),
    ("vault operator unseal", &[Place(0)]),
    ("add-authtoken", &[Place(0)]),
    ("ngrok authtoken", &[Place(0)]),
    ("useradd", &[Behind("-p"), Behind("--password")]),
    ("usermod", &[Behind("-p"), Behind("--password")]),
    ("mc alias set", &[Place(3)]),
    ("gh secret set", &[Behind("-b"), Behind("--body")]),
    ("secrets create", &[Behind("--data")]),
    ("create-secret", &[Behind("--secret-string")]),
    ("put-parameter", &[Behind("--value")]),
    ("secret set", &[Behind("--value")]),
    ("set aws_secret_access_key", &[Place(0)]),
    ("set aws_session_token", &[Place(0)]),
    ("ALTER ROLE", &[Quoted("PASSWORD")]),
    ("ALTER USER", &[Quoted("PASSWORD"), Quoted("BY")]),
    ("CREATE USER", &[Quoted("PASSWORD"), Quoted("BY")]),
    ("CREATE ROLE", &[Quoted("PASSWORD")]),
    ("IDENTIFIED", &[Quoted("BY"), Quoted("AS")]),
];

/// Returns the words that the scan looks for.
pub(super) fn anchors() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|(name, _)| *name)
}

/// One argument: where it stands, without its quotes.
struct Argument {
    at: Range<usize>,
    quoted: bool,
}

/// Looks behind a program of the table for passwords.
pub(super) fn passwords(text: &str, index: usize, anchor: Range<usize>, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let (_, ways) = PROGRAMS[index];
    if !starts_word(bytes, anchor.start) {
        return;
    }
    let given = arguments(text, anchor.end);
    let shown = |argument: &Argument| &text[argument.at.clone()];
    let is_flag = |argument: &Argument| !argument.quoted && shown(argument).starts_with(['-', '/']);
    for way in ways {
        match *way {
            Behind(flag) => {
                for (place, argument) in given.iter().enumerate() {
                    let word = shown(argument);
                    if let Some(rest) = strip(word, flag).and_then(|rest| rest.strip_prefix('=')) {
                        accept(text, argument.at.end - rest.len()..argument.at.end, argument.quoted, out);
                    } else if strip(word, flag) == Some("")
                        && let Some(next) = given.get(place + 1).filter(|next| !is_flag(next))
                    {
                        accept(text, next.at.clone(), next.quoted, out);
                    }
                }
            }
            Within(flag) => {
                for argument in &given {
                    if let Some(rest) = shown(argument).strip_prefix(flag).filter(|rest| !rest.is_empty()) {
                        let rest = rest.trim_start_matches(['"', '\'']);
                        accept(text, argument.at.end - rest.len()..argument.at.end, argument.quoted, out);
                    }
                }
            }
            Part(flag, sign) => {
                let pairs = given.iter().zip(given.iter().skip(1));
                let named = pairs.filter(|(before, _)| !flag.is_empty() && shown(before) == flag);
                let first = given.iter().find(|argument| !is_flag(argument)).filter(|_| flag.is_empty());
                for argument in named.map(|(_, value)| value).chain(first) {
                    let word = shown(argument);
                    let Some((user, rest)) = word.split_once(sign) else { continue };
                    let secret = if flag.is_empty() { rest.split('@').next().unwrap_or(rest) } else { rest };
                    let start = argument.at.start + user.len() + sign.len_utf8();
                    if !user.is_empty() {
                        accept(text, start..start + secret.len(), argument.quoted, out);
                    }
                }
            }
            Place(number) => {
                let mut plain = given.iter().filter(|argument| !is_flag(argument));
                if let Some(argument) = plain.nth(number).filter(|found| wordlike::is_no_word(shown(found))) {
                    accept(text, argument.at.clone(), argument.quoted, out);
                }
            }
            Quoted(word) => {
                let pairs = given.iter().zip(given.iter().skip(1));
                for (_, value) in
                    pairs.filter(|(before, value)| value.quoted && shown(before).eq_ignore_ascii_case(word))
                {
                    accept(text, value.at.clone(), true, out);
                }
            }
        }
    }
}

/// Takes a beginning away, letter case aside for words of a language that does not mind it.
fn strip<'w>(word: &'w str, flag: &str) -> Option<&'w str> {
    let head = word.get(..flag.len())?;
    let same = head == flag || !flag.starts_with('-') && head.eq_ignore_ascii_case(flag);
    same.then(|| &word[flag.len()..])
}

fn accept(text: &str, value: Range<usize>, quoted: bool, out: &mut Vec<Range<usize>>) {
    let Some(shown) = text.get(value.clone()) else { return };
    if wordlike::is_argument_secret(shown, quoted) {
        out.push(value);
    }
}

/// Splits what stands behind a program into arguments, up to the end of the command. A list of strings,
/// as programs start other programs, is read in the same way.
fn arguments(text: &str, from: usize) -> Vec<Argument> {
    let bytes = text.as_bytes();
    let ceiling = (from + REACH).min(bytes.len());
    // The rest of the program's own name: `dump` behind `mysql`.
    let named = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let own = if bytes.get(from.wrapping_sub(1)) == Some(&b' ') {
        0
    } else {
        bytes[from..ceiling].iter().take_while(named).count()
    };
    let mut at = from + own;
    // The quote that closes the name of the program in a list.
    at += match bytes[at..ceiling] {
        [b'"' | b'\'', b',', ..] => 1,
        [b'\\', b'"' | b'\'', b',', ..] => 2,
        _ => 0,
    };
    let mut out = Vec::new();
    while at < ceiling && out.len() < 48 {
        match bytes[at] {
            b' ' | b'\t' | b',' | b')' | b']' => at += 1,
            // A line that goes on.
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n')) => at += 2,
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\'')) => at += 1,
            b'\n' | b'\r' | b'|' | b';' | b'&' | b'`' => break,
            quote @ (b'"' | b'\'') => {
                let start = at + 1;
                let length = bytes[start..ceiling].iter().position(|byte| *byte == quote || *byte == b'\n');
                let mut end = start + length.unwrap_or(ceiling - start);
                if end > start && bytes[end - 1] == b'\\' {
                    end -= 1;
                }
                push(text, start..end, true, &mut out);
                at = start + length.map_or(ceiling - start, |length| length + 1);
            }
            _ => {
                let start = at;
                while at < ceiling && !matches!(bytes[at], b' ' | b'\t' | b'\n' | b'\r' | b'|' | b';' | b'`')
                {
                    // Quotes may begin within an argument: `-p'x y'`, `--password="x"`.
                    if matches!(bytes[at], b'"' | b'\'') && at > start {
                        let quote = bytes[at];
                        let inner =
                            bytes[at + 1..ceiling].iter().position(|byte| *byte == quote || *byte == b'\n');
                        at += 1 + inner.unwrap_or(0);
                        break;
                    }
                    at += 1;
                }
                push(text, start..at, false, &mut out);
                at += usize::from(matches!(bytes.get(at), Some(b'"' | b'\'')));
            }
        }
    }
    out
}

fn push(text: &str, at: Range<usize>, quoted: bool, out: &mut Vec<Argument>) {
    if text.is_char_boundary(at.start) && text.is_char_boundary(at.end) && at.end > at.start {
        out.push(Argument { at, quoted });
    }
}
