//! V20: what a later line denies, corrects or gives up is not written as if it held.
//!
//! Who says so is heard by how people turn something down and by who speaks, in whichever session of the packet it
//! is; what is said there has to be about the same. Code cannot be sure, so the edit is looked at a second time and
//! its editor is asked to say what holds in the end.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::{LineClass, PacketLine};
use regex::Regex;

use super::polarity::denies;
use super::{Galley, Noticed, Room};
use crate::curator::given_up::names_given_up;
use crate::curator::numbers::{numbers, stated};
use crate::curator::words::{Cover, content, names};
use crate::extract::sentence::sentences;

/// A line says a statement with this share of its telling words; who answers the line answers that.
const SAID: f64 = 0.5;
/// A line that turns something down and says no more of it than this turns the statement down.
const NOT_SAID: f64 = 0.4;
/// So many sentences of an answer are its opening.
const OPENING: usize = 2;
/// So many lines on, an agent takes back its own first guess.
const SOON: u32 = 4;
/// Sentences about the same share so many telling words, and half of what the shorter one has.
const SHARED: usize = 3;

/// How somebody turns down what was said before, at the beginning of what they say.
static TURNS_DOWN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^\W*(?:(?:well|hm+|oh|uh|sorry|but|ah|ok(?:ay)?|wait|stop|actually|ach|also|äh)\b[\s,.!:;–—-]*)*
        (?: (?:no+|nope|nein|nee+|não|nao|non)\s*(?:$|[,.!:;–—-]|(?:that|this|it|thats|its|not|wait|you|dont|don['’]t|das|es|so|eso|isso|ce)\b)
          | (?:that|this|it)\s*(?:['’]?s|\ is|\ was|\ isn['’]?t|\ wasn['’]?t)\s+(?:so\ |simply\ |plain\ |just\ |totally\ |completely\ )?(?:not\b|wrong|incorrect|false|nonsense|untrue|a\ mistake|mistaken)
          | (?:that|this|it)\s+(?:isn['’]?t|wasn['’]?t)\b
          | (?:wrong|incorrect|not\ (?:true|quite|right|correct|that|this|so)|you(?:['’]re|\ are|\ were)\ (?:wrong|mistaken)|i\ (?:don['’]?t|do\ not)\ (?:think|believe)\ so)\b
          | (?:falsch|stimmt\ nicht|quatsch|das\ (?:stimmt\ nicht|ist\ (?:falsch|es\ nicht|nicht))|nicht\ (?:so|ganz)|faux|c['’]est\ faux|ce\ n['’]est\ pas|pas\ (?:du\ tout|vrai)
             |no\ es\ (?:eso|as[ií]|cierto|verdad|correcto)|eso\ no\ es|incorrecto|(?:isso\ )?não\ é|errado|incorreto)\b
          | いいえ|いや|違い?|ちがい?|そうじゃな|そうではな )",
    )
    .expect("the pattern is a constant")
});

/// How somebody takes back their own words, anywhere in a sentence.
static TAKES_BACK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: (?:that|this|it|i|we|my\ (?:\w+\ ){1,2}|the\ (?:first|earlier|previous|initial|old)\ (?:\w+\ ){1,2})\s*(?:was|were)\s+(?:plain\ |simply\ |just\ |completely\ )?(?:wrong|mistaken|incorrect|not\ (?:it|right|true|correct|the\ (?:cause|reason|problem)))
          | turned\ out\ to\ be\ (?:wrong|false) | das\ war\ (?:falsch|ein\ irrtum) | ich\ (?:lag\ falsch|habe\ mich\ (?:geirrt|getäuscht)) | je\ me\ suis\ trompée? | c['’]était\ faux | me\ equivoqu[ée] | eso\ era\ falso | (?:me\ enganei|eu\ estava\ errad[oa]|isso\ estava\ errado) )\b
          | 間違いでした|間違っていました",
    )
    .expect("the pattern is a constant")
});

/// How somebody corrects what they said a moment ago, at the beginning of a sentence.
static CORRECTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^\W*(?:(?:hm+|oh|uh|ah|ok(?:ay)?|äh)\b[\s,.!:;–—-]*)*
        (?: actually | (?:no[\s,.!–—-]*)?(?:wait|hold\ on) | on\ second\ thoughts? | scratch\ that | correction | i\ meant | make\ (?:it|that) | i\ changed\ my\ mind | changed\ my\ mind | come\ to\ think\ of\ it
          | doch | halt | moment | warte | quatsch | ich\ meinte | lieber\ doch | en\ fait | finalement | attends | je\ voulais\ dire | espera | mejor | en\ realidad | quise\ decir | na\ verdade | melhor | espere | quis\ dizer | いや | やっぱり | 訂正 )",
    )
    .expect("the pattern is a constant")
});

/// Where somebody who types in haste begins anew, in small letters too.
static PAUSE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[.?!]+\s+").expect("the pattern is a constant"));

/// How somebody asks for something to be done.
static REQUESTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:can|could|would|will) you\b|\b(?:kannst|könntest) du\b|\b(?:peux|pourrais)-tu\b|\b(?:puedes|podrías|pode|poderia)\b")
        .expect("the pattern is a constant")
});

/// V20: the edit is looked at a second time.
pub(super) fn holds_in_the_end(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    taken_back(galley, room).map_or(Noticed::Fine, |line| Noticed::Flag(said_of(line)))
}

/// Says what the editor is asked for.
pub(super) fn said_of(line: u32) -> String {
    format!("line {line} may take it back: say what holds in the end, and cite it")
}

/// Finds the later line that takes back what is told as something that holds.
pub(super) fn taken_back(galley: &Galley<'_>, room: &Room<'_>) -> Option<u32> {
    let lines = &room.context.packet.lines;
    let said = sentences(galley.edit.said());
    let claims: Vec<Claimed<'_>> = said.into_iter().map(Claimed::of).collect();
    let cited = galley.cited(room);
    let spoken = || cited.iter().copied().filter(|line| line.class != LineClass::Pasted);
    for claim in &claims {
        for line in spoken() {
            let own = Cover::of([line.text.as_str()]);
            if own.share(claim.text) < SAID {
                continue;
            }
            // Who also cites who says it again later knows how it ended.
            let is_said_later = |after: u32| {
                spoken().any(|other| {
                    other.number > after && Cover::of([other.text.as_str()]).share(claim.text) >= SAID
                })
            };
            let found = denied(line, claim, lines)
                .or_else(|| corrected(line, claim, lines))
                .or_else(|| given_up(line, claim, lines));
            let is_known = |number: u32| {
                let is_cited = galley.edit.lines.contains(&number) && number != line.number;
                is_cited && line_of(lines, number).is_some_and(|later| claim.is_told_by(&later.text))
                    || is_said_later(number)
            };
            if let Some(number) = found.filter(|number| !is_known(*number)) {
                return Some(number);
            }
        }
    }
    None
}

fn line_of(lines: &[PacketLine], number: u32) -> Option<&PacketLine> {
    lines.iter().find(|line| line.number == number)
}

/// A sentence of an edit.
struct Claimed<'t> {
    text: &'t str,
    stems: BTreeSet<String>,
}

impl<'t> Claimed<'t> {
    fn of(text: &'t str) -> Claimed<'t> {
        Claimed { text, stems: content(text).into_iter().collect() }
    }

    /// Counts the telling words that a sentence shares with it.
    fn shared(&self, sentence: &str) -> usize {
        content(sentence).into_iter().collect::<BTreeSet<String>>().intersection(&self.stems).count()
    }

    /// Tells whether a line that turns something down says this, so that it is what came instead.
    fn is_told_by(&self, line: &str) -> bool {
        denies(self.text) || Cover::of([line]).share(self.text) >= NOT_SAID
    }

    /// Tells whether a sentence has a number, in digits or in words, or a name that this one has not.
    fn lacks_a_value_of(&self, sentence: &str) -> bool {
        let (own, values) = (Cover::of([self.text]), stated(self.text));
        stated(sentence).iter().any(|value| !values.contains(value))
            || names(sentence).iter().any(|name| !own.has_name(name))
    }
}

/// What an agent said and the person who answers it turns down, or the agent itself a moment later.
fn denied(line: &PacketLine, claim: &Claimed<'_>, lines: &[PacketLine]) -> Option<u32> {
    if !matches!(line.class, LineClass::Closing | LineClass::Passing) {
        return None;
    }
    let mut later = lines.iter().filter(|other| other.number > line.number && other.session == line.session);
    let opening = |other: &PacketLine| -> Vec<String> {
        sentences(&other.text).into_iter().take(OPENING).map(str::to_owned).collect()
    };
    let turns_down = |other: &&PacketLine| {
        let opens = opening(other);
        other.class == LineClass::Typed
            && (opens.first().is_some_and(|first| TURNS_DOWN.is_match(first))
                || opens.iter().any(|part| TAKES_BACK.is_match(part)))
    };
    // A person answers what was said last.
    let answer = later
        .clone()
        .find(|other| matches!(other.class, LineClass::Typed | LineClass::Closing | LineClass::Passing));
    let is_about = |other: &&PacketLine| !claim.is_told_by(&other.text);
    if let Some(answer) = answer.filter(turns_down).filter(is_about) {
        return Some(answer.number);
    }
    let own = later.find(|other| {
        other.class.is_agents()
            && other.number <= line.number + SOON
            && opening(other).iter().any(|part| TAKES_BACK.is_match(part))
            && claim.shared(&other.text) > 0
    });
    own.filter(is_about).map(|own| own.number)
}

/// What the same voice, or a person, says otherwise later in the session: with a word of correction, or with another
/// value of the same.
fn corrected(line: &PacketLine, claim: &Claimed<'_>, lines: &[PacketLine]) -> Option<u32> {
    let may_correct = |other: &&PacketLine| {
        let is_person = other.class == LineClass::Typed;
        other.session == line.session
            && other.number >= line.number
            && (is_person || line.class.is_agents() && other.class.is_agents())
    };
    let mut typed = 0;
    for other in lines.iter().filter(may_correct) {
        let parts: Vec<&str> = other.text.lines().flat_map(pieces).collect();
        // Of the line itself only what follows the sentence that says it.
        let from = match other.number == line.number {
            true => parts
                .iter()
                .enumerate()
                .max_by_key(|(at, part)| (claim.shared(part), std::cmp::Reverse(*at)))
                .map_or(0, |(at, _)| at + 1),
            false => 0,
        };
        typed += usize::from(other.number > line.number && other.class == LineClass::Typed);
        for part in parts.into_iter().skip(from) {
            let shared = claim.shared(part);
            // Who only asks for more corrects nothing.
            let is_own =
                line.class == other.class && line.class == LineClass::Typed || line.number == other.number;
            let corrects = is_own && CORRECTS.is_match(part) && !asks(part) && claim.lacks_a_value_of(part);
            let is_near = shared > 1 || shared == 1 && typed <= 1;
            let differs = other.number > line.number && is_another_value(other, part, claim);
            if corrects && is_near || differs {
                return Some(other.number);
            }
        }
    }
    None
}

/// Cuts a line behind each end of a sentence.
fn pieces(line: &str) -> Vec<&str> {
    let mut ends: Vec<usize> = PAUSE.find_iter(line).map(|found| found.end()).collect();
    ends.push(line.len());
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).map(|(from, to)| line[from..*to].trim()).filter(|piece| !piece.is_empty()).collect()
}

/// Tells whether a sentence says another number of the same thing. Agents report numbers all day; of theirs only what is
/// otherwise word for word the same counts.
fn is_another_value(line: &PacketLine, sentence: &str, claim: &Claimed<'_>) -> bool {
    let theirs: BTreeSet<String> = content(sentence).into_iter().collect();
    let shared = theirs.intersection(&claim.stems).count();
    let (fewer, more) = (claim.stems.len().min(theirs.len()), claim.stems.len().max(theirs.len()));
    let is_same = match line.class {
        LineClass::Typed => shared * 3 >= 2 * fewer,
        _ => shared * 4 >= 3 * more,
    };
    let (here, there) = (numbers(claim.text), Cover::of([sentence]));
    let own = Cover::of([claim.text]);
    let values = measured(claim.text)
        .zip(measured(sentence))
        .is_some_and(|(own, other)| own.iter().any(|unit| other.contains(unit)))
        && names(sentence).iter().all(|name| own.has_name(name));
    !asks(sentence)
        && values
        && !here.iter().any(|(_, ways)| there.has_number(ways))
        && shared >= SHARED
        && is_same
}

/// Lists what the numbers of a sentence count; nothing where one of them counts nothing: “gate 3” is another than “gate 4”.
fn measured(sentence: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let places = (0..words.len()).filter(|at| is_number(&words[*at]));
    let unit = |at: usize| {
        let inside = words[at].trim_start_matches(|c: char| !c.is_alphabetic());
        let next = if inside.is_empty() { words.get(at + 1).copied().unwrap_or_default() } else { inside };
        content(next).into_iter().next()
    };
    places.map(unit).collect::<Option<Vec<String>>>().filter(|units| !units.is_empty())
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end().ends_with(['?', '？']) || REQUESTS.is_match(sentence)
}

/// What a person gives up by its name, in this session or a later one.
fn given_up(line: &PacketLine, claim: &Claimed<'_>, lines: &[PacketLine]) -> Option<u32> {
    let own: Vec<String> = names(claim.text);
    if own.is_empty() || denies(claim.text) {
        return None;
    }
    let ends = |sentence: &str| {
        let lower = sentence.to_lowercase();
        let is_end = ["no longer", "anymore", "any more", "get off", "get rid of"]
            .iter()
            .any(|sign| lower.contains(sign));
        let gone = names_given_up(sentence);
        is_end && own.iter().any(|name| gone.contains(name))
    };
    let mut later =
        lines.iter().filter(|other| other.class == LineClass::Typed && other.number > line.number);
    later.find(|other| other.text.lines().flat_map(sentences).any(ends)).map(|other| other.number)
}
