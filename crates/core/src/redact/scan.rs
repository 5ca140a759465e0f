//! One pass over a text: anchors first, a closer look around each.

use std::ops::Range;
use std::sync::LazyLock;

use super::anchors::Finder;
use super::bytes::{ALNUM, BASE64, DOT, EQUALS, Mix, Runs, SLUG, WORD, run_end, starts_word, within};
use super::providers::{PROVIDERS, Proof, Provider};
use super::runs::Place;
use super::shapes::{self, SHAPES};
use super::{
    Finding, assignment, blocks, commands, gutters, headers, manifests, names, phrases, runs, urls, values,
};

/// What an anchor leads to.
#[derive(Debug, Clone, Copy)]
enum Anchor {
    Shape(usize),
    Name,
    Authorization,
    Bearer,
    Cookie,
    Address,
    Armour,
    EncodedArmour,
    ArmourEnd,
    Putty,
    Jwt,
    EncodedJwt,
    Command(usize),
    SeedPhrase,
    Codes,
    OneTimeSeed,
    Manifest,
}

struct Anchors {
    finder: Finder,
    meaning: Vec<Anchor>,
}

static ANCHORS: LazyLock<Anchors> = LazyLock::new(|| {
    let mut literals: Vec<&'static str> = Vec::new();
    let mut meaning = Vec::new();
    let mut add = |literal: &'static str, anchor| {
        literals.push(literal);
        meaning.push(anchor);
    };
    for (index, shape) in SHAPES.iter().enumerate() {
        add(shape.anchor, Anchor::Shape(index));
    }
    for name in names::ANCHORS {
        add(name, Anchor::Name);
    }
    add("authorization", Anchor::Authorization);
    add("bearer", Anchor::Bearer);
    add("cookie", Anchor::Cookie);
    add("://", Anchor::Address);
    add("-----BEGIN", Anchor::Armour);
    add("---- BEGIN", Anchor::Armour);
    add("LS0tLS1CRUdJTi", Anchor::EncodedArmour);
    add("Private-Lines:", Anchor::Putty);
    add("-----END", Anchor::ArmourEnd);
    add("eyJ", Anchor::Jwt);
    add("ZXlK", Anchor::EncodedJwt);
    for (index, program) in commands::anchors().enumerate() {
        add(program, Anchor::Command(index));
    }
    phrases::PHRASES.iter().for_each(|words| add(words, Anchor::SeedPhrase));
    phrases::CODES.iter().for_each(|words| add(words, Anchor::Codes));
    phrases::SEEDS.iter().for_each(|words| add(words, Anchor::OneTimeSeed));
    add("kind: Secret", Anchor::Manifest);
    add("\"kind\": \"Secret", Anchor::Manifest);
    Anchors { finder: Finder::new(literals), meaning }
});

/// Finds every secret of our own rules; findings may overlap.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let mut pass = Pass { text, runs: Runs::new(text.as_bytes()), names_done: 0, out };
    for (range, anchor) in ANCHORS.finder.find(text.as_bytes()) {
        pass.follow(ANCHORS.meaning[anchor], range);
    }
    pass.long_words();
}

/// Providers by the first two bytes of their prefix.
struct Prefixes {
    by_pair: Vec<Vec<u16>>,
    /// One bit for every pair that has any.
    is_used: [u64; BUCKETS / 64],
}

static PREFIXES: LazyLock<Prefixes> = LazyLock::new(|| {
    let mut prefixes = Prefixes { by_pair: vec![Vec::new(); BUCKETS], is_used: [0; BUCKETS / 64] };
    for (index, provider) in PROVIDERS.iter().enumerate() {
        let prefix = provider.prefix.as_bytes();
        let bucket = bucket(prefix[0], prefix[1]);
        prefixes.by_pair[bucket].push(index as u16);
        prefixes.is_used[bucket / 64] |= 1 << (bucket % 64);
    }
    prefixes
});

const BUCKETS: usize = 4096;

fn bucket(first: u8, second: u8) -> usize {
    (usize::from(first) << 5 ^ usize::from(second)) % BUCKETS
}

/// Returns the places at the start of a word where the first two bytes are those of a prefix: the
/// start itself, and the one behind the letter of an escaped line break or tabulator.
fn may_be_prefix(bytes: &[u8], start: usize) -> impl Iterator<Item = usize> {
    let is_escape = matches!(bytes[start], b'n' | b'r' | b't') && start > 0 && bytes[start - 1] == b'\\';
    let is_used = move |at: &usize| {
        let bucket = bucket(bytes[*at], bytes[*at + 1]);
        PREFIXES.is_used[bucket / 64] >> (bucket % 64) & 1 != 0
    };
    [Some(start), is_escape.then_some(start + 1)].into_iter().flatten().filter(is_used)
}

/// Tells whether what stands before a value may assign it.
fn is_assigned(bytes: &[u8], start: usize) -> bool {
    let before = start.checked_sub(1).map(|before| bytes[before]);
    matches!(before, Some(b'"' | b'\'' | b'`' | b'=' | b':' | b' ' | b'>'))
}

/// Rules that say no more than that something is a secret.
pub(super) const GENERAL: &[&str] = &["password", "secret", "key-or-token", "assignment", "random-value"];

/// The shortest key of the table, prefix included, is not shorter.
pub(super) const SHORTEST_KEY: usize = 14;
/// Lengths of a value that is taken for a key without a name that says so.
pub(super) const LONE_LEAST: usize = 24;
const LONE_MOST: usize = 120;
/// How long a line is at least that a terminal has broken.
const WRAP_LEAST: usize = 38;

struct Pass<'a> {
    text: &'a str,
    runs: Runs<'a>,
    names_done: usize,
    out: &'a mut Vec<Finding>,
}

impl Pass<'_> {
    fn follow(&mut self, anchor: Anchor, at: Range<usize>) {
        let text = self.text;
        let exact = |literal: &str| text.as_bytes()[at.clone()] == *literal.as_bytes();
        match anchor {
            Anchor::Shape(index) => self.note(SHAPES[index].name, shapes::find(text, index, at)),
            Anchor::Name => self.name(at),
            Anchor::Authorization => self.note("authorization", headers::authorization(text, at)),
            Anchor::Bearer => self.note("bearer-token", headers::bearer(text, at)),
            Anchor::Cookie => self.all("cookie", |out| headers::cookies(text, at, out)),
            Anchor::Address => self.all("url-password", |out| urls::passwords(text, at.end, out)),
            Anchor::Armour => self.note("private-key", blocks::pem(text, at.start)),
            Anchor::EncodedArmour if exact("LS0tLS1CRUdJTi") => {
                self.note("private-key", blocks::encoded(text, at.start));
            }
            Anchor::Putty => self.note("private-key", blocks::putty(text, at.end)),
            Anchor::Jwt if exact("eyJ") => self.jwt(at.start),
            Anchor::ArmourEnd => self.note("private-key", blocks::pem_tail(text, at.start)),
            Anchor::EncodedJwt if exact("ZXlK") => self.note("jwt", blocks::encoded_jwt(text, at.start)),
            Anchor::Command(index) => {
                self.all("command-password", |out| commands::passwords(text, index, at, out));
            }
            Anchor::SeedPhrase => self.note("seed-phrase", phrases::seed_phrase(text, at.end)),
            Anchor::Codes => self.all("recovery-code", |out| phrases::codes(text, at.end, out)),
            Anchor::OneTimeSeed => self.note("one-time-seed", phrases::one_time_seed(text, at.end)),
            Anchor::Manifest => self.all("kubernetes-secret", |out| manifests::values(text, at, out)),
            Anchor::EncodedArmour | Anchor::Jwt | Anchor::EncodedJwt => {}
        }
    }

    fn note(&mut self, rule: &'static str, value: Option<Range<usize>>) {
        self.out.extend(value.map(|range| Finding { rule, range }));
    }

    fn all(&mut self, rule: &'static str, find: impl FnOnce(&mut Vec<Range<usize>>)) {
        let mut found = Vec::new();
        find(&mut found);
        self.out.extend(found.into_iter().map(|range| Finding { rule, range }));
    }

    fn name(&mut self, mut at: Range<usize>) {
        // Short words are looked for together with a sign.
        let bytes = self.text.as_bytes();
        while at.len() > 2 && !within(WORD, bytes[at.end - 1]) {
            at.end -= 1;
        }
        while at.len() > 2 && !within(WORD, bytes[at.start]) {
            at.start += 1;
        }
        if at.start < self.names_done {
            return;
        }
        let look = assignment::look(self.text, at, &mut self.runs);
        self.names_done = look.name_end;
        let Some(value) = look.value else { return self.all(look.rule, |out| out.extend(look.column)) };
        // Passwords are short; what goes on over the end of a line is a key.
        let end = if look.rule == "password" { value.end } else { self.wrapped(&value) };
        self.note(look.rule, Some(value.start..end));
    }

    /// Returns where a key ends that a terminal has broken at the width of its lines.
    fn wrapped(&self, value: &Range<usize>) -> usize {
        let bytes = self.text.as_bytes();
        let line = gutters::line_start(bytes, value.start, 400);
        let mut end = value.end;
        // Lines are broken where they are full, so the first one is long, and each is but a piece.
        while end - line >= WRAP_LEAST
            && let Some((_, next)) = gutters::line_end(bytes, end, end + 2).filter(|(at, _)| *at == end)
        {
            let start = gutters::skip(bytes, next);
            let piece = run_end(bytes, start, SLUG | BASE64 | DOT);
            let closed = matches!(
                bytes.get(piece),
                None | Some(b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b'`' | b',' | b';')
            );
            let mix = Mix::of(&bytes[start..piece.min(start + 256)]);
            let alike = mix.length >= 4 && mix.mixed() && (mix.changes >= 2 || mix.length < 10);
            if !closed || !alike || bytes[start..piece].contains(&b'=') && !bytes[..piece].ends_with(b"=") {
                break;
            }
            end = piece;
            if mix.length < 20 {
                break;
            }
        }
        end
    }

    fn provider(&mut self, provider: &Provider, at: Range<usize>) {
        let bytes = self.text.as_bytes();
        let mut end = self.runs.end(at.end, provider.body);
        while end > at.end && matches!(bytes[end - 1], b'.' | b':') {
            end -= 1;
        }
        let length = end - at.end;
        let open = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric());
        if length < provider.least || length > provider.most || open {
            return;
        }
        let body = &self.text[at.end..end];
        // A long run is judged by its head: it is either all key or nothing of it.
        let mix = Mix::of(&body.as_bytes()[..length.min(256)]);
        let proven = match provider.proof {
            Proof::Prefix => true,
            Proof::Digit => mix.digits > 0,
            Proof::Random => mix.random() || mix.hexadecimal() || mix.mixed_case(),
        };
        if proven && !values::is_placeholder(&body[..length.min(256)]) {
            let end = self.wrapped(&(at.start..end));
            self.note(provider.name, Some(at.start..end));
        }
    }

    fn jwt(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        if !starts_word(bytes, start) {
            return;
        }
        let first = self.runs.end(start, SLUG);
        if first - start < 16 || bytes.get(first) != Some(&b'.') {
            return;
        }
        let mut end = first;
        for _ in 0..4 {
            let next =
                if bytes.get(end) == Some(&b'.') { run_end(bytes, end + 1, SLUG | BASE64) } else { end };
            if next <= end + 1 {
                break;
            }
            end = next;
        }
        if end - first >= 12 {
            let end = self.wrapped(&(start..end));
            self.note("jwt", Some(start..end));
        }
    }

    /// Looks at every word that is long enough to be a key: for a known prefix, and for a value that
    /// looks drawn by lot and stands where one is assigned, whatever the name.
    fn long_words(&mut self) {
        let bytes = self.text.as_bytes();
        runs::each(bytes, |place| match place {
            Place::Word(at) => {
                may_be_prefix(bytes, at).for_each(|at| self.prefix(at));
                if matches!(bytes[at], b'M' | b'N' | b'O') {
                    self.discord(at);
                }
            }
            Place::Value(start) if is_assigned(bytes, start) => {
                // `=` joins a name with its value as well as it fills up base64.
                let end = run_end(bytes, runs::end_of_value(bytes, start), EQUALS);
                if end - start <= LONE_MOST {
                    self.lone_value(start, end);
                }
            }
            Place::Value(_) => {}
        });
    }

    /// Looks for a token of Discord: the number of an account in base64, a time and a signature.
    fn discord(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        let part = |from: usize, most: usize| {
            let ceiling = bytes.len().min(from + most + 1);
            run_end(&bytes[..ceiling], from.min(ceiling), SLUG) - from.min(ceiling)
        };
        let first = part(at, 30);
        let time = at + first + 1;
        if !(23..=28).contains(&first) || bytes.get(time - 1) != Some(&b'.') || part(time, 8) != 6 {
            return;
        }
        let signature = time + 7;
        let length = part(signature, 40);
        let open = bytes.get(signature + length).is_some_and(|byte| within(ALNUM, *byte));
        if bytes.get(signature - 1) == Some(&b'.') && (27..=40).contains(&length) && !open {
            let mix = Mix::of(&bytes[at..signature + length]);
            if mix.digits > 2 && mix.upper > 4 && mix.lower > 4 {
                self.note("discord-token", Some(at..signature + length));
            }
        }
    }

    fn prefix(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        if !starts_word(bytes, at) {
            return;
        }
        // Within base64 a short prefix comes about by chance.
        let inside = at > 0 && matches!(bytes[at - 1], b'+' | b'/');
        for index in &PREFIXES.by_pair[bucket(bytes[at], bytes[at + 1])] {
            let provider = &PROVIDERS[usize::from(*index)];
            if inside && provider.prefix.len() < 4 {
                continue;
            }
            if bytes[at..].starts_with(provider.prefix.as_bytes()) {
                self.provider(provider, at..at + provider.prefix.len());
            }
        }
    }

    fn lone_value(&mut self, start: usize, end: usize) {
        let value = &self.text[start..end];
        // Paths and long names have none, as a rule.
        if !value.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        let mix = Mix::of(value.as_bytes());
        let cases = mix.upper > 2 && mix.lower > 2 && mix.digits > 2;
        let strewn = mix.length >= 30
            && mix.digits > 4
            && mix.hex < mix.length
            && mix.letters() + mix.digits == mix.length;
        let alike = mix.random() && (cases || strewn);
        if !alike || !values::is_strong_alone(value, &mix) || values::is_placeholder(value) {
            return;
        }
        if assignment::name_before(self.text, start).is_some_and(names::may_hold_a_secret) {
            self.note("random-value", Some(start..end));
        }
    }
}
