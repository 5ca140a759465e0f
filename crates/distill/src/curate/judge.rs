//! What a claim that arrives means for one that is known.

use lore_core::Voice;

use super::agreement::is_allowed_somewhere;
use super::alike::forbids_the_same;
use super::aside::{is_elsewhere, is_refilled};
use super::change::{self, ChangeOdds};
use super::compare::{self, Features, Order, Side};
use super::difference::Evidence;
use super::exchange::swaps;
use super::grounds::{content, reasons};
use super::judgement::{Judgement, Plainness, Reach, Relation};
use super::lexicon::Class;
use super::near::{Distance, Ties};
use super::remainder::Parts;
use super::signs::{Pair, Signs};
use super::slot::Slot;
use super::token::Form;
use super::told::{denies_another, puts_in_place};
use super::way;
use super::weights::Weights;

/// Judges a pair: contradiction first, then whether it says the same.
///
/// Whether there is a contradiction is read off the words; who spoke, and when, decides later who
/// is right.
pub(crate) fn judge(known: &Side, arriving: &Side, weights: &Weights, distance: Distance) -> Judgement {
    let mut features = compare::overlap(known, arriving);
    if known.said != arriving.said && known.measured.is_same_as(&arriving.measured) {
        return without_contrast(Relation::Same, 1.0, features);
    }
    let ties = Ties::between(known, arriving, &features, distance);
    if ties.are_missing() {
        return without_contrast(Relation::Apart, ties.closeness, features);
    }
    if known.said != arriving.said && forbids_the_same(known, arriving) {
        return without_contrast(Relation::Same, 1.0, features);
    }
    compare::contrast(known, arriving, &mut features);
    let conflict = weights.conflict(&features);
    let (difference, slot) =
        (compare::difference(known, arriving), Slot::between(&known.said, &arriving.said));
    let pair = Pair { known, arriving, distance, ties, features, difference, slot };
    let signs = Signs::of(&pair);
    let strength = Strength::of(&pair, &signs);
    let told = is_told(&pair, &signs, &strength, (conflict, weights));
    let order = compare::order(known, arriving);
    let relation = relation(&pair, &signs, told, order);
    let end = match relation {
        Relation::Conflict => End::of(&pair, &signs, &strength),
        _ => End::default(),
    };
    Judgement {
        relation,
        certain: end.certain,
        ends: end.ends,
        plainness: end.plainness,
        overtaken: order == Order::Earlier && told && (strength.evidence == Evidence::Plain || strength.sure),
        restated: end.restated,
        of_a_part: signs.accord.of_a_part,
        reach: end.reach,
        closeness: pair.ties.closeness,
        conflict,
        reasons: reasons(relation, &pair.features, order),
        features: pair.features,
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

/// How strong the evidence is that the known statement is over.
struct Strength {
    evidence: Evidence,
    /// Nearly everything that is seen of the words says so.
    sure: bool,
    /// So much says so that it counts whoever says it.
    told_so: bool,
    /// More speaks for it than against it.
    leans: bool,
    /// They are one sentence but for the value that it gives.
    restated: bool,
}

impl Strength {
    fn of(pair: &Pair<'_>, signs: &Signs) -> Strength {
        let (known, arriving) = (pair.known, pair.arriving);
        let restated = signs.revalued || signs.ending.again;
        let longer = known.words.len().max(arriving.words.len());
        if longer > FEW_WORDS {
            return Strength { evidence: signs.form, sure: false, told_so: false, leans: false, restated };
        }
        let seen = change::seen(known, arriving, &pair.difference, &pair.features);
        let odds = ChangeOdds::shipped().of(&seen);
        // Agents tell more in a sentence than people, and among many claims there is always one that is near.
        let is_long = longer > ONE_THING;
        let apart = pair.distance.crowded || is_long || known.voice.min(arriving.voice) < Voice::Person;
        // What a person says of what an agent did counts for more than the other way round.
        let bar = if arriving.voice >= Voice::Person { ENDS } else { TOLD };
        let told_so = odds >= bar && !pair.distance.crowded && !is_long;
        let here = !signs.ending.elsewhere_too;
        let restated = restated || pair.slot.exchanges_a_word() && odds >= 0.0 && here;
        let otherwise = signs.reordered || signs.turns || signs.ending.taken_over || restated;
        let evidence = match weighed(signs.form, odds, pair.on("announced", 1.0)) {
            _ if (signs.ending.over || signs.ending.again) && !signs.accord.once => signs.form,
            weighed if otherwise => weighed.max(Evidence::Likely),
            weighed if leaves_standing(pair, signs, told_so) || apart && !told_so => weighed.min(signs.form),
            weighed => weighed,
        };
        Strength { evidence, sure: odds >= ENDS && !apart && here, told_so, leans: odds > 0.0, restated }
    }
}

/// Tells whether what arrives puts no end to what is known: it says only that, adds to it, or names an exception.
fn leaves_standing(pair: &Pair<'_>, signs: &Signs, told_so: bool) -> bool {
    let difference = &pair.difference;
    signs.accord.once
        || difference.holds_arriving && difference.turned <= 0.0 && !signs.turns
        || difference.adds
        || is_allowed_somewhere(pair.known, pair.arriving) && !difference.announced
        || pair.arriving.reading.count(Class::Exception) > 0 && !told_so
}

/// Tells whether what arrives says that the known statement is over, so plainly that it counts among all that is known.
fn is_told(
    pair: &Pair<'_>,
    signs: &Signs,
    strength: &Strength,
    (conflict, weights): (f64, &Weights),
) -> bool {
    let (known, arriving, crowded) = (pair.known, pair.arriving, pair.distance.crowded);
    let plainly = strength.evidence == Evidence::Plain || strength.told_so || strength.restated;
    // An agent tells much in a breath, and part of it resembles whatever a person once said.
    let heard = arriving.voice >= known.voice || plainly && arriving.reading.terms.len() <= FEW_TERMS;
    pair.ties.are_tight(known, arriving, pair.distance)
        && heard
        && match strength.evidence {
            Evidence::Plain => true,
            Evidence::Likely => !crowded || signs.turned_way || conflict >= weights.gate,
            Evidence::None => crowded && conflict >= weights.threshold,
        }
}

/// Says how the two stand to each other.
fn relation(pair: &Pair<'_>, signs: &Signs, told: bool, order: Order) -> Relation {
    let content = match content(&pair.features) {
        // "Rounded up" and "rounded" are not the same, though all that they name is.
        Relation::Same if way::differs(pair.known, pair.arriving) => Relation::Neighbours,
        content => content,
    };
    // What was said in the same breath, or before, does not replace what is known.
    let later = matches!(order, Order::Later | Order::Unknown);
    if later && !signs.accord.beside && told && (signs.turns || content != Relation::Same) {
        Relation::Conflict
    } else if pair.ties.closeness < pair.distance.same_subject {
        Relation::Apart
    } else if signs.turns {
        Relation::Neighbours
    } else {
        content
    }
}

/// How plainly, and how far, a conflict puts an end to the known statement.
#[derive(Default)]
struct End {
    certain: bool,
    ends: bool,
    plainness: Plainness,
    restated: bool,
    reach: Reach,
}

impl End {
    fn of(pair: &Pair<'_>, signs: &Signs, strength: &Strength) -> End {
        let (known, arriving) = (pair.known, pair.arriving);
        let (ending, of_a_part) = (&signs.ending, signs.accord.of_a_part);
        let exchanged = ending.taken_back || ending.taken_over || puts_in_place(&known.said, &arriving.said);
        let astray = !exchanged && !swaps(&known.said, &arriving.said) && is_elsewhere(known, arriving);
        let certain = strength.evidence == Evidence::Plain && !astray && !of_a_part;
        let ends = strength.sure && !of_a_part;
        let fills = pair.difference.place && pair.difference.value > 0.0;
        let leans = strength.leans || is_refilled(known, arriving, fills);
        let plainness = match () {
            () if of_a_part || denies_another(&known.said, &arriving.said) => Plainness::Doubtful,
            () if certain => Plainness::Certain,
            () if ends || !astray && (leans || exchanged || strength.restated) => Plainness::Likely,
            // Who says "now" says otherwise, wherever it is said to hold.
            () if leans && pair.on("announced", 1.0) => Plainness::Likely,
            () => Plainness::Doubtful,
        };
        let reach = match () {
            () if !ending.taken_back && Parts::leaves(&known.parts, &arriving.parts) => Reach::Part,
            () if ending.corrects && names_more(known, arriving) => Reach::Part,
            () if astray || of_a_part => Reach::Elsewhere,
            () => Reach::Whole,
        };
        End { certain, ends, plainness, restated: strength.restated, reach }
    }
}

/// Tells whether a statement names things that another leaves out.
fn names_more(known: &Side, arriving: &Side) -> bool {
    // "Ben's" speaks of Ben.
    let is_told = |stem: &str| arriving.reading.terms.iter().any(|term| stem.starts_with(&term.stem));
    known.reading.of_form(Form::Name).any(|term| !is_told(&term.stem))
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

/// A statement with more words that matter says more than one thing.
const FEW_TERMS: usize = 20;
