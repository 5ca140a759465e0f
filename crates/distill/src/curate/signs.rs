//! What is seen of two statements that are near each other: what puts an end to the known one, and what leaves it standing.

use super::agreement::{
    goes_on, is_of_a_part, is_of_one_mind, is_of_others, is_said_of_another, leaves_the_rest,
    measures_the_same, says_why,
};
use super::alike::is_of_one_sort;
use super::aside::{
    counts_for_one_thing, is_about_somebody_named, is_next_in_a_series, is_of_a_kind, is_renaming,
    is_renumbered_now, renames_another, says_again_but_for_a_number,
};
use super::compare::{Features, Side};
use super::difference::{Difference, Evidence};
use super::exchange::moves_from;
use super::lexicon::Class;
use super::near::{Distance, Ties};
use super::outgrown::{outgrows, ran_out, says_again};
use super::outline::Outline;
use super::remade::{
    bound_two_sides, bounds_again, counts_another, demands_first, says_what_is_first, speaks_of_another,
};
use super::slot::Slot;
use super::told::{is_over, puts_a_number_in_place, takes_back, takes_over, tells_of_once, throws_out};
use super::way;

/// Two statements that may be about the same thing, with what was measured on them.
pub(super) struct Pair<'s> {
    pub(super) known: &'s Side,
    pub(super) arriving: &'s Side,
    pub(super) distance: Distance,
    pub(super) ties: Ties,
    pub(super) features: Features,
    pub(super) difference: Difference,
    pub(super) slot: Slot<'s>,
}

impl Pair<'_> {
    /// Tells whether something was measured and reaches a bar.
    pub(super) fn on(&self, name: &str, bar: f64) -> bool {
        self.features.get(name).is_some_and(|value| *value >= bar)
    }

    /// Tells whether most of the words that both have stand in another order.
    fn is_reordered(&self) -> bool {
        self.features.get("reordered").is_some_and(|share| *share > 0.5)
    }
}

/// What is seen of a pair.
pub(super) struct Signs {
    /// They say the same but for which way.
    pub(super) turned_way: bool,
    /// The one says the opposite of the other by a small word.
    pub(super) turns: bool,
    pub(super) reordered: bool,
    /// The known statement is said again with another value.
    pub(super) revalued: bool,
    pub(super) ending: Ending,
    pub(super) accord: Accord,
    /// How plainly the form of the words alone says that the known one is over.
    pub(super) form: Evidence,
}

impl Signs {
    /// Reads the signs off a pair.
    pub(super) fn of(pair: &Pair<'_>) -> Signs {
        let (known, arriving) = (pair.known, pair.arriving);
        let turned_way = way::turns(known, arriving);
        let ending = Ending::of(pair);
        let accord = Accord::of(pair, &ending);
        let elsewhere =
            pair.on("clause_subject", 1.0) || pair.on("other_scope", 1.0) || pair.on("scope_narrower", 1.0);
        let here = !ending.elsewhere_too && !ending.for_one_thing;
        let revalued = here && Outline::revalues(&known.outline, &arriving.outline)
            || here && pair.ties.turned && !elsewhere;
        // Another number of the same sort, wherever in the sentence it stands, and a word that says "now".
        let renumbered =
            pair.on("number_change", 1.0) && pair.on("announced", 1.0) && pair.on("containment", 0.33);
        let reordered = pair.is_reordered();
        let likely = reordered
            || renumbered && !elsewhere
            || ending.taken_over
            || pair.slot.renumbers()
            || Outline::narrows(&known.outline, &arriving.outline)
            || revalued;
        let form = match () {
            () if accord.once => Evidence::None,
            () if ending.over || ending.again => Evidence::Plain,
            () if likely => pair.difference.evidence().max(Evidence::Likely),
            () => pair.difference.evidence(),
        };
        let turns = pair.slot.turns() || turned_way;
        Signs { turned_way, turns, reordered, revalued, ending, accord, form }
    }
}

/// What puts an end to the known statement.
pub(super) struct Ending {
    /// Something else is named in the place of what it says.
    pub(super) taken_over: bool,
    /// Somebody takes their own words back.
    pub(super) taken_back: bool,
    /// What it says is corrected.
    pub(super) corrects: bool,
    /// It is done away with.
    pub(super) over: bool,
    /// It is said again with another number, or with others of a set.
    pub(super) again: bool,
    /// Something is counted otherwise for one thing or place.
    for_one_thing: bool,
    /// What is done away with is of another subject or place.
    pub(super) elsewhere_too: bool,
}

impl Ending {
    fn of(pair: &Pair<'_>) -> Ending {
        let (known, arriving, ties) = (pair.known, pair.arriving, &pair.ties);
        let taken_over = takes_over(&known.said, &arriving.said)
            || moves_from(known.in_english(), arriving.in_english())
            || throws_out(&known.said, &arriving.said)
            || puts_a_number_in_place(&known.said, &arriving.said)
            || ties.dropped
            || ties.remade && !pair.distance.crowded
            || outgrows(&known.said, &arriving.said)
            || ran_out(&known.said, &arriving.said);
        let for_one_thing = counts_for_one_thing(known, arriving);
        let renumbers = pair.slot.renumbers() || says_again_but_for_a_number(known, arriving);
        let again = renumbers && !for_one_thing || ties.of_a_set || is_renumbered_now(known, arriving);
        let is_of_another = pair.difference.other_subject || pair.difference.other_scope;
        // What is done away with in one place may stay in another.
        let elsewhere_too = !again && !taken_over && is_of_another;
        let taken_back = takes_back(&known.said, &arriving.said);
        let corrects = Outline::corrects(&known.outline, &arriving.outline);
        let another = speaks_of_another(&known.said, &arriving.said);
        let over =
            !elsewhere_too && !another && is_over(&known.said, &arriving.said) || taken_back || corrects;
        Ending { taken_over, taken_back, corrects, over, again, for_one_thing, elsewhere_too }
    }
}

/// What lets both statements hold.
pub(super) struct Accord {
    /// Both hold, side by side.
    pub(super) beside: bool,
    /// The one holds for a part of what the other speaks of.
    pub(super) of_a_part: bool,
    /// What arrives tells of one time, of another thing, or stands beside what is known.
    pub(super) once: bool,
}

impl Accord {
    fn of(pair: &Pair<'_>, ending: &Ending) -> Accord {
        let (known, arriving) = (pair.known, pair.arriving);
        // Who says what became of a thing, and where it is now, speaks of all of it.
        let narrowed = arriving.reading.count(Class::Change) == 0 && is_of_a_part(arriving, known);
        let beside = stands_beside(pair);
        let once = tells_of_once(&arriving.said)
            || says_again(&arriving.said)
            || beside
            || ending.for_one_thing && !ending.over
            || renames_another(known, arriving)
            || is_next_in_a_series(known, arriving)
            || is_of_a_kind(known, arriving)
            || !ending.over
                && !ending.taken_over
                && (is_renaming(known, arriving) || is_about_somebody_named(known, arriving));
        let of_a_part = narrowed || is_of_a_part(known, arriving) || is_of_one_sort(known, arriving);
        Accord { beside, of_a_part, once }
    }
}

/// Tells whether what arrives stands beside what is known, however alike the two are worded.
fn stands_beside(pair: &Pair<'_>) -> bool {
    let (known, arriving) = (pair.known, pair.arriving);
    // "No boat leaves before the bell" says what must be first.
    let demands = demands_first(&arriving.said)
        && !demands_first(&known.said)
        && !pair.on("number_change", 0.5)
        && (pair.is_reordered() || !says_what_is_first(&known.said));
    demands
        || bounds_again(&known.said, &arriving.said)
        || bound_two_sides(&known.said, &arriving.said)
        || says_why(known, arriving, &pair.difference)
        || counts_another(&known.said, &arriving.said)
        || goes_on(known, arriving)
        || is_of_one_mind(known, arriving)
        || measures_the_same(known, arriving)
        || is_of_others(known, arriving)
        || leaves_the_rest(arriving)
        || is_said_of_another(known, arriving)
}
