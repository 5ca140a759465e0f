//! One pass over a text: anchors first, a closer look around each.

use std::ops::Range;
use std::sync::LazyLock;

use super::anchors::Finder;
use super::bytes::{ALNUM, BASE64, BASE64_BODY, DASH, Mix, Runs, SLUG, UNDER, run_end, starts_word, within};
use super::providers::{PROVIDERS, Proof, Provider};
use super::shapes::{self, SHAPES};
use super::words::next_long_word;
use super::{Finding, assignment, blocks, headers, names, urls, values};

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
    Putty,
    Jwt,
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
    add("eyJ", Anchor::Jwt);
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
static PREFIXES: LazyLock<Vec<Vec<u16>>> = LazyLock::new(|| {
    let mut buckets = vec![Vec::new(); BUCKETS];
    for (index, provider) in PROVIDERS.iter().enumerate() {
        let prefix = provider.prefix.as_bytes();
        buckets[bucket(prefix[0], prefix[1])].push(index as u16);
    }
    buckets
});

const BUCKETS: usize = 4096;

fn bucket(first: u8, second: u8) -> usize {
    (usize::from(first) << 5 ^ usize::from(second)) % BUCKETS
}

/// Rules that say no more than that something is a secret.
pub(super) const GENERAL: &[&str] = &["password", "secret", "key-or-token", "assignment", "random-value"];

/// The shortest key of the table, prefix included, is not shorter.
pub(super) const SHORTEST_KEY: usize = 14;
/// Lengths of a value that is taken for a key without a name that says so.
const LONE_LEAST: usize = 24;
const LONE_MOST: usize = 120;

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
            Anchor::Cookie => {
                let mut values = Vec::new();
                headers::cookies(text, at, &mut values);
                values.into_iter().for_each(|value| self.note("cookie", Some(value)));
            }
            Anchor::Address => self.note("url-password", urls::password(text, at.end)),
            Anchor::Armour => self.note("private-key", blocks::pem(text, at.start)),
            Anchor::EncodedArmour if exact("LS0tLS1CRUdJTi") => {
                self.note("private-key", blocks::encoded(text, at.start));
            }
            Anchor::Putty => self.note("private-key", blocks::putty(text, at.end)),
            Anchor::Jwt if exact("eyJ") => self.jwt(at.start),
            Anchor::EncodedArmour | Anchor::Jwt => {}
        }
    }

    fn note(&mut self, rule: &'static str, value: Option<Range<usize>>) {
        self.out.extend(value.map(|range| Finding { rule, range }));
    }

    fn name(&mut self, at: Range<usize>) {
        if at.start < self.names_done {
            return;
        }
        let look = assignment::look(self.text, at, &mut self.runs);
        self.names_done = look.name_end;
        self.note(look.rule, look.value);
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
            self.note("jwt", Some(start..end));
        }
    }

    /// Looks at every word that is long enough to be a key: first for a known prefix, then for a value
    /// that looks drawn by lot and stands where one is assigned, whatever the name.
    fn long_words(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(word) = next_long_word(bytes, at) {
            self.prefixes(word.start, word.end);
            self.lone_values(word.start, word.end);
            at = word.end;
        }
    }

    fn prefixes(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        for at in start..end - 1 {
            // Only where a word starts; an escape before the run is looked at by `starts_word`.
            if at > start + 1 && within(ALNUM, bytes[at - 1]) {
                continue;
            }
            let candidates = &PREFIXES[bucket(bytes[at], bytes[at + 1])];
            if candidates.is_empty() || !starts_word(bytes, at) {
                continue;
            }
            let inside = at > start && matches!(bytes[at - 1], b'+' | b'/');
            for index in candidates {
                let provider = &PROVIDERS[usize::from(*index)];
                // Within base64 a short prefix comes about by chance.
                if inside && provider.prefix.len() < 4 {
                    continue;
                }
                if bytes[at..].starts_with(provider.prefix.as_bytes()) {
                    self.provider(provider, at..at + provider.prefix.len());
                }
            }
        }
    }

    fn lone_values(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let body = BASE64_BODY | DASH | UNDER;
        let mut from = start;
        while from < end {
            // `=` joins a name with its value as well as it fills up base64.
            let mut to = run_end(&bytes[..end], from, body);
            while to < end && bytes[to] == b'=' && to - from >= LONE_LEAST {
                to += 1;
            }
            if (LONE_LEAST..=LONE_MOST).contains(&(to - from)) {
                self.lone_value(from, to);
            }
            from = to.max(from) + 1;
        }
    }

    fn lone_value(&mut self, start: usize, end: usize) {
        let assigned = start.checked_sub(1).map(|before| self.text.as_bytes()[before]);
        if !matches!(assigned, Some(b'"' | b'\'' | b'`' | b'=' | b':' | b' ' | b'>')) {
            return;
        }
        let value = &self.text[start..end];
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
