//! What a claim that arrives means for one that is known.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::redact::MARK;
use lore_core::{Kind, Voice};

use super::agreement::{
    goes_on, is_of_a_part, is_of_one_mind, is_of_others, is_said_of_another, leaves_the_rest,
    measures_the_same,
};
use super::aside::{
    counts_for_one_thing, is_about_somebody_named, is_elsewhere, is_next_in_a_series, is_of_a_kind,
    is_refilled, is_renaming, is_renumbered_now, renames_another, says_again_but_for_a_number,
    says_again_but_for_a_set,
};
use super::change::{self, ChangeOdds};
use super::compare::{self, Features, Order, Side};
use super::difference::{Difference, Evidence};
use super::exchange::{is_replaced, moves_from, swaps};
use super::foreign;
use super::grounds::{content, reasons};
use super::judgement::{Judgement, Plainness, Reach, Relation};
use super::lexicon::{self, Class};
use super::measured::Measured;
use super::outgrown::{outgrows, ran_out, says_again};
use super::outline::Outline;
use super::period::recurs_otherwise;
use super::reading::{Reading, Term};
use super::remade::{
    bound_two_sides, bounds_again, brings_to_another_version, counts_another, demands_first,
    goes_to_another_number, has_another_charge, makes_into, recounts, says_what_is_first, speaks_of_another,
};
use super::remainder::Parts;
use super::slot::{Slot, plain_words};
use super::token::Form;
use super::told::{
    denies_another, is_over, is_scoped_away, puts_a_number_in_place, puts_in_place, takes_back, takes_over,
    tells_of_once, throws_out,
};
use super::turned::{drops_by_name, makes_it, remeasures, switches};
use super::way;
use super::weights::Weights;
use crate::extract::phrases::ANSWERING;
use crate::fitted;
use crate::ruling::own_words;

/// How close two claims must be, depending on how much there is to be close to.
///
/// Among a thousand claims some are near by chance, among three none is: the bars rise with the
/// logarithm of what is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Distance {
    /// To be about the same subject at all.
    pub(crate) same_subject: f64,
    /// To belong into the article of the other.
    pub(crate) joins: f64,
    /// There are so many claims that some read as if they contradicted each other.
    pub(crate) crowded: bool,
}

/// From so many claims on a base is crowded.
const CROWD: usize = 60;

impl Distance {
    /// Returns the bars for a base of so many claims.
    pub(crate) fn among(claims: usize) -> Distance {
        let share = |many: f64| ((claims as f64).max(1.0).ln() / many.ln()).min(1.0);
        // A dozen subjects are enough to mistake one for another.
        let (dozen, many) = (share(12.0), share(1000.0));
        Distance { same_subject: 0.28, joins: 0.28 + 0.08 * dozen + 0.14 * many, crowded: claims >= CROWD }
    }
}

/// One claim with what is known about its origin, ready to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The claim itself.
    pub text: String,
    /// The words it was said in; empty where they are not known.
    pub quote: String,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// Whose words it rests on.
    pub voice: Voice,
    /// When it was said.
    pub at: Option<Timestamp>,
    /// Sessions and lines it stands in.
    pub places: BTreeSet<(String, u32)>,
}

impl Statement {
    /// Makes a statement of unknown origin.
    pub fn plain(text: impl Into<String>, kind: Kind) -> Statement {
        Statement {
            text: text.into(),
            quote: String::new(),
            kind,
            voice: Voice::Agent,
            at: None,
            places: BTreeSet::new(),
        }
    }

    /// Takes it apart, weighing words by how rare they are in the base.
    pub(crate) fn side_with(&self, rarity: &dyn Fn(&str) -> f64) -> Side {
        // What was taken out says nothing, and two of them are not the same.
        let text = self.text.replace(MARK, "…");
        // "The consultant wrote “you deploy with Flux”, which is wrong": what is reported is nobody's claim here.
        let own = own_words(&text);
        let text = if own.contains(char::is_alphanumeric) { own.trim() } else { text.as_str() };
        let mut side = Side {
            // Every answer says that it is one.
            reading: Reading::of(&text.replace(ANSWERING, " (")),
            words: fitted::words::tokens(text),
            said: plain_words(text),
            measured: Measured::of(text),
            lent: foreign::lent(text),
            outline: Outline::of(text),
            parts: Parts::of(text),
            quote: Reading::of(&self.quote),
            kind: self.kind,
            voice: self.voice,
            at: self.at,
            places: self.places.clone(),
        };
        side.reading.weigh(rarity);
        side.quote.weigh(rarity);
        side
    }
}

/// Judges a pair: contradiction first, then whether it says the same.
///
/// Whether there is a contradiction is read off the words; who spoke, and when, decides later who
/// is right.
pub(crate) fn judge(known: &Side, arriving: &Side, weights: &Weights, distance: Distance) -> Judgement {
    let mut features = compare::overlap(known, arriving);
    if known.said != arriving.said && known.measured.is_same_as(&arriving.measured) {
        return without_contrast(Relation::Same, 1.0, features);
    }
    let closeness = closeness(&features);
    let of_a_set = says_again_but_for_a_set(known, arriving);
    let dropped = drops_by_name(&known.said, &arriving.said);
    let is_far = closeness < distance.same_subject * APART || is_frame_alone(known, arriving);
    // Among few claims a few words in common are enough, where they say that something is otherwise.
    let looks_closer = !is_far || !distance.crowded;
    let turned = looks_closer && is_turned(known, arriving);
    let remade = looks_closer && is_remade(known, arriving);
    if is_far && !of_a_set && !dropped && !turned && !remade {
        return without_contrast(Relation::Apart, closeness, features);
    }
    compare::contrast(known, arriving, &mut features);
    let conflict = weights.conflict(&features);
    let order = compare::order(known, arriving);
    // What was said in the same breath, or before, does not replace what is known.
    let later = matches!(order, Order::Later | Order::Unknown);
    let slot = Slot::between(&known.said, &arriving.said);
    let turned_way = way::turns(known, arriving);
    let turns = slot.turns() || turned_way;
    let reordered = features.get("reordered").is_some_and(|share| *share > 0.5);
    let difference = compare::difference(known, arriving);
    // Another number of the same sort, wherever in the sentence it stands, and a word that says "now".
    let on = |name: &str, bar: f64| features.get(name).is_some_and(|value| *value >= bar);
    let renumbered = on("number_change", 1.0) && on("announced", 1.0) && on("containment", 0.33);
    let elsewhere = on("clause_subject", 1.0) || on("other_scope", 1.0) || on("scope_narrower", 1.0);
    let taken_over = takes_over(&known.said, &arriving.said)
        || moves_from(known.in_english(), arriving.in_english())
        || throws_out(&known.said, &arriving.said)
        || puts_a_number_in_place(&known.said, &arriving.said)
        || dropped
        || remade && !distance.crowded
        || outgrows(&known.said, &arriving.said)
        || ran_out(&known.said, &arriving.said);
    let for_one_thing = counts_for_one_thing(known, arriving);
    let renumbers = slot.renumbers() || says_again_but_for_a_number(known, arriving);
    let again = renumbers && !for_one_thing || of_a_set || is_renumbered_now(known, arriving);
    // What is done away with in one place may stay in another.
    let elsewhere_too = !again && !taken_over && (difference.other_subject || difference.other_scope);
    let taken_back = takes_back(&known.said, &arriving.said);
    let corrects = Outline::corrects(&known.outline, &arriving.outline);
    let another = speaks_of_another(&known.said, &arriving.said);
    let over = !elsewhere_too && !another && is_over(&known.said, &arriving.said) || taken_back || corrects;
    // "No boat leaves before the bell" says what must be first.
    let demands = demands_first(&arriving.said)
        && !demands_first(&known.said)
        && !on("number_change", 0.5)
        && (reordered || !says_what_is_first(&known.said));
    let beside = demands
        || bounds_again(&known.said, &arriving.said)
        || bound_two_sides(&known.said, &arriving.said)
        || says_why(known, arriving, &difference)
        || counts_another(&known.said, &arriving.said)
        || goes_on(known, arriving)
        || is_of_one_mind(known, arriving)
        || measures_the_same(known, arriving)
        || is_of_others(known, arriving)
        || leaves_the_rest(arriving)
        || is_said_of_another(known, arriving);
    // Who says what became of a thing, and where it is now, speaks of all of it.
    let narrowed = arriving.reading.count(Class::Change) == 0 && is_of_a_part(arriving, known);
    let of_a_part = narrowed || is_of_a_part(known, arriving);
    let once = tells_of_once(&arriving.said)
        || says_again(&arriving.said)
        || beside
        || for_one_thing && !over
        || renames_another(known, arriving)
        || is_next_in_a_series(known, arriving)
        || is_of_a_kind(known, arriving)
        || !over && !taken_over && (is_renaming(known, arriving) || is_about_somebody_named(known, arriving));
    let narrows = Outline::narrows(&known.outline, &arriving.outline);
    let revalued = !elsewhere_too && !for_one_thing && Outline::revalues(&known.outline, &arriving.outline);
    let revalued = revalued || turned && !elsewhere_too && !elsewhere && !for_one_thing;
    let likely =
        reordered || renumbered && !elsewhere || taken_over || slot.renumbers() || narrows || revalued;
    let form = match () {
        () if once => Evidence::None,
        () if over || again => Evidence::Plain,
        () if likely => difference.evidence().max(Evidence::Likely),
        () => difference.evidence(),
    };
    let (mut sure, mut told_so, mut leans) = (false, false, false);
    let mut restated = revalued || again;
    let evidence = if known.words.len().max(arriving.words.len()) <= FEW_WORDS {
        let odds = ChangeOdds::shipped().of(&change::seen(known, arriving, &difference, &features));
        // Agents tell more in a sentence than people, and among many claims there is always one that is near.
        let is_long = known.words.len().max(arriving.words.len()) > ONE_THING;
        let apart = distance.crowded || is_long || known.voice.min(arriving.voice) < Voice::Person;
        // What a person says of what an agent did counts for more than the other way round.
        let bar = if arriving.voice >= Voice::Person { ENDS } else { TOLD };
        leans = odds > 0.0;
        told_so = odds >= bar && !distance.crowded && !is_long;
        sure = odds >= ENDS && !apart && !elsewhere_too;
        restated |= slot.exchanges_a_word() && odds >= 0.0 && !elsewhere_too;
        // Who says only what is known, adds to it, or names an exception, puts no end to it.
        let leaves = once
            || difference.holds_arriving && difference.turned <= 0.0 && !turns
            || difference.adds
            || is_allowed_somewhere(known, arriving) && !difference.announced
            || arriving.reading.count(Class::Exception) > 0 && !told_so;
        match weighed(form, odds, on("announced", 1.0)) {
            _ if (over || again) && !once => form,
            weighed if reordered || turns || taken_over || restated => weighed.max(Evidence::Likely),
            weighed if leaves || apart && !told_so => weighed.min(form),
            weighed => weighed,
        }
    } else {
        form
    };
    // Among many claims some read by chance as if they contradicted each other; those do not belong
    // into one article.
    let near = (dropped || turned || remade) && !distance.crowded
        || if distance.crowded { closeness >= distance.joins } else { is_tied(known, arriving) };
    // An agent tells much in a breath, and part of it resembles whatever a person once said.
    let heard = arriving.voice >= known.voice
        || (evidence == Evidence::Plain || told_so || restated) && arriving.reading.terms.len() <= FEW_TERMS;
    let told = near
        && heard
        && match evidence {
            Evidence::Plain => true,
            Evidence::Likely => !distance.crowded || turned_way || conflict >= weights.gate,
            Evidence::None => distance.crowded && conflict >= weights.threshold,
        };
    let content = match content(&features) {
        // "Rounded up" and "rounded" are not the same, though all that they name is.
        Relation::Same if way::differs(known, arriving) => Relation::Neighbours,
        content => content,
    };
    let relation = if later && !beside && told && (turns || content != Relation::Same) {
        Relation::Conflict
    } else if closeness < distance.same_subject {
        Relation::Apart
    } else if turns {
        Relation::Neighbours
    } else {
        content
    };
    let reasons = reasons(relation, &features, order);
    let is_conflict = relation == Relation::Conflict;
    let exchanged = taken_back || taken_over || puts_in_place(&known.said, &arriving.said);
    let astray =
        is_conflict && !exchanged && !swaps(&known.said, &arriving.said) && is_elsewhere(known, arriving);
    let certain = is_conflict && evidence == Evidence::Plain && !astray && !of_a_part;
    let ends = is_conflict && sure && !of_a_part;
    let leans = leans || is_refilled(known, arriving, difference.place && difference.value > 0.0);
    let plainness = match () {
        () if of_a_part || is_conflict && denies_another(&known.said, &arriving.said) => Plainness::Doubtful,
        () if certain => Plainness::Certain,
        () if ends || is_conflict && !astray && (leans || exchanged || restated) => Plainness::Likely,
        // Who says "now" says otherwise, wherever it is said to hold.
        () if is_conflict && leans && on("announced", 1.0) => Plainness::Likely,
        () => Plainness::Doubtful,
    };
    let overtaken = order == Order::Earlier && told && (evidence == Evidence::Plain || sure);
    let restated = restated && is_conflict;
    let reach = match () {
        () if is_conflict && !taken_back && Parts::leaves(&known.parts, &arriving.parts) => Reach::Part,
        () if is_conflict && corrects && names_more(known, arriving) => Reach::Part,
        () if astray || is_conflict && of_a_part => Reach::Elsewhere,
        () => Reach::Whole,
    };
    Judgement {
        relation,
        certain,
        ends,
        plainness,
        overtaken,
        restated,
        of_a_part,
        reach,
        closeness,
        conflict,
        reasons,
        features,
    }
}

/// Judges a pair of which what both have tells enough.
fn without_contrast(relation: Relation, closeness: f64, features: Features) -> Judgement {
    Judgement {
        relation,
        certain: false,
        ends: false,
        plainness: Plainness::Doubtful,
        overtaken: false,
        restated: false,
        of_a_part: false,
        reach: Reach::Whole,
        closeness,
        conflict: 0.0,
        reasons: reasons(relation, &features, Order::Unknown),
        features,
    }
}

/// Tells whether a statement names things that another leaves out.
fn names_more(known: &Side, arriving: &Side) -> bool {
    // "Ben's" speaks of Ben.
    let is_told = |stem: &str| arriving.reading.terms.iter().any(|term| stem.starts_with(&term.stem));
    known.reading.of_form(Form::Name).any(|term| !is_told(&term.stem))
}

/// A state, a measure or a count of what is known is another one.
fn is_turned(known: &Side, arriving: &Side) -> bool {
    let (known, arriving) = (known.in_english(), arriving.in_english());
    switches(known, arriving)
        || remeasures(known, arriving)
        || recounts(known, arriving)
        || recurs_otherwise(known, arriving)
        || makes_it(known, arriving)
}

/// What is known was made into something else, brought to another version, or is in other hands.
fn is_remade(known: &Side, arriving: &Side) -> bool {
    let exchanges =
        swaps(&known.said, &arriving.said) || is_replaced(known.in_english(), arriving.in_english());
    let (known, arriving) = (known.in_english(), arriving.in_english());
    exchanges
        || makes_into(known, arriving)
        || brings_to_another_version(known, arriving)
        || has_another_charge(known, arriving)
        || goes_to_another_number(known, arriving)
}

/// "Never sail at night", "sailing at night is fine in the bay": an exception beside the rule, unless it says "now".
pub(super) fn is_allowed_somewhere(known: &Side, arriving: &Side) -> bool {
    known.reading.count(Class::Negator) > 0
        && arriving.reading.count(Class::Permission) > 0
        && arriving.reading.count(Class::Negator) == 0
        && is_scoped_away(&known.said, &arriving.said)
}

/// "The lamp is lit at six, since it is dark by then": all that is known is said again, and why it is so.
pub(super) fn says_why(known: &Side, arriving: &Side, difference: &Difference) -> bool {
    let numbers = |side: &Side| -> BTreeSet<String> {
        side.reading.of_form(Form::Number).map(|term| term.stem.clone()).collect()
    };
    difference.holds_known
        && difference.turned <= 0.0
        && !difference.announced
        && arriving.reading.count(Class::Reason) > 0
        && numbers(known).is_subset(&numbers(arriving))
}

/// In longer statements what is seen of the words has another meaning …
const FEW_WORDS: usize = 45;
/// … and those of more words than this say more than one thing, of which the form alone tells which.
const ONE_THING: usize = 20;
/// From these log-odds on a text reads as if the other no longer held, by how plainly its form says so.
const LIKELY: [(Evidence, f64); 3] =
    [(Evidence::Plain, -1.5), (Evidence::Likely, -1.0), (Evidence::None, 0.0)];
/// From these log-odds on it ends the other however it was said.
const ENDS: f64 = 1.0;
/// From these log-odds on it does so whoever says it, in a base that is small enough to tell.
const TOLD: f64 = 4.0;
/// Below these log-odds even what reads plainly is shown beside the other.
const DOUBTED: f64 = -0.5;

/// … and where its words announce a change and its form says that there is one.
const ANNOUNCED: f64 = -2.5;

/// Returns how plainly a text tells that another no longer holds, by its form and by all that is seen of the two.
fn weighed(form: Evidence, odds: f64, announced: bool) -> Evidence {
    let is_likely = LIKELY.iter().any(|(of, bar)| *of == form && odds >= *bar)
        || announced && form != Evidence::None && odds >= ANNOUNCED;
    match form {
        Evidence::Plain if odds >= DOUBTED => Evidence::Plain,
        _ if is_likely => Evidence::Likely,
        _ => Evidence::None,
    }
}

/// Tells whether two statements have more in common than a word that a long one would share with anything.
fn is_tied(known: &Side, arriving: &Side) -> bool {
    let stems = |side: &Side| -> BTreeSet<String> {
        side.reading.terms.iter().map(|term| term.stem.clone()).collect()
    };
    let (known, arriving) = (stems(known), stems(arriving));
    known.intersection(&arriving).count() * TIED >= known.len().max(arriving.len())
}

/// "We decided to use brass instead of iron", "we decided to use red instead of blue": what they share is how something is laid
/// down, and neither speaks of what the other is about. Who goes back to something need not name it.
pub(super) fn is_frame_alone(known: &Side, arriving: &Side) -> bool {
    let speaks = |term: &&Term| !term.stem.is_empty() && !term.part;
    let of_known: BTreeSet<&str> =
        known.reading.terms.iter().filter(speaks).map(|term| term.stem.as_str()).collect();
    let mut shared =
        arriving.reading.terms.iter().map(|term| term.stem.as_str()).filter(|stem| of_known.contains(stem));
    let goes_back = arriving.said.iter().any(|word| word == "back");
    !goes_back && shared.next().is_some_and(lexicon::is_frame) && shared.all(lexicon::is_frame)
}

/// One word in so many of the longer statement ties it to the other.
const TIED: usize = 8;

/// A statement with more words that matter says more than one thing.
const FEW_TERMS: usize = 20;

/// Two claims may be less alike than those of one subject and still contradict each other, down to
/// this share of it.
const APART: f64 = 0.6;

/// Returns how close two subjects are.
pub(crate) fn closeness(features: &Features) -> f64 {
    let get = |name: &str| features.get(name).copied().unwrap_or(0.0);
    // The words it was said in help where the statements are worded differently; where they are the
    // same text, they must not count twice.
    let words = get("containment").max(0.55 * get("containment") + 0.5 * get("quote_containment"));
    (0.65 * words + 0.2 * get("subject") + 0.15 * get("same_name")).min(1.0)
}
