//! Finds statements worth keeping in one session: deterministic, without a model, and able to say why.
//!
//! A session is seen as a conversation ([`scene`]), cut into passages of one to three sentences
//! ([`passage`]), each of which is observed ([`features`]) and weighed ([`model`]). Near copies are
//! joined ([`select`]), and what remains is worded so that it can be read without the session
//! ([`wording`], [`title`]).

pub(crate) mod choice;
mod chosen;
pub(crate) mod commit;
mod features;
pub(crate) mod flaws;
mod headline;
pub(crate) mod keywords;
mod lexicon;
mod model;
mod passage;
pub(crate) mod phrases;
pub(crate) mod scene;
pub(crate) mod segment;
mod select;
pub(crate) mod sentence;
mod shape;
mod sift;
pub(crate) mod terms;
pub(crate) mod title;
pub(crate) mod wording;

pub use features::Features;
pub use keywords::files as files_in;
pub use model::{Linear, Model, logistic};
pub use sentence::sentences as sentences_in;

use lore_core::{Backing, Candidate, Confidence, ENTRY_BAR, Kind, Route, Session};

use crate::extract::passage::{Origin, Passage};
use crate::extract::scene::{Reply, Scene};
use crate::extract::select::Rated;

/// The most that a candidate can weigh when its session has yielded enough already.
const BELOW_BAR: f64 = ENTRY_BAR - 0.01;

/// A reply of more words explains; one of fewer says what was found or done.
const BRIEF_REPLY: usize = 120;

/// Finds the candidates of a session, the weightiest first; those below the bar come too.
pub fn extract(session: &Session) -> Vec<Candidate> {
    extract_with(Model::built_in(), session)
}

/// Finds the candidates of a session with a given model.
pub fn extract_with(model: &Model, session: &Session) -> Vec<Candidate> {
    let scene = Scene::new(session);
    let mut rated: Vec<Rated> = Vec::new();
    let mut observed: Vec<Features> = Vec::new();
    for passage in passage::passages(&scene) {
        let features = features::observe(&scene, &passage);
        rated.push(Rated { chance: model.chance(&features), passage, copies: Vec::new() });
        observed.push(features);
    }
    let kept = select::select(&mut rated);
    // What people laid down has a way of its own, and what they said besides makes no page.
    let said = crate::ruling::rulings(session);
    let is_agents = |(index, _): &(usize, f64)| rated[*index].passage.origin != Origin::Person;
    let kept: Vec<(usize, f64)> = kept.into_iter().filter(is_agents).collect();
    let allowance = model.allowance(scene.views.last().map_or(0, |view| view.task));
    let word = |(place, (index, chance)): (usize, (usize, f64))| {
        let mut candidate = candidate(&scene, &rated[index].passage, model, &observed[index]);
        candidate.weight = weight(chance, model.bar);
        if place >= allowance || is_for_the_editor(&rated[index].passage) {
            candidate.weight = candidate.weight.min(BELOW_BAR);
        }
        for copy in rated[index].copies.iter().take(4) {
            candidate.evidence.extend(passage::evidence(&scene, &rated[*copy].passage));
        }
        candidate
    };
    said.into_iter().chain(kept.into_iter().enumerate().map(word)).collect()
}

/// Tells whether somebody has to read around a passage to know what it is worth: out of a plan or a long
/// explanation a sentence tells half of it, mostly the cause without the remedy.
fn is_for_the_editor(passage: &Passage) -> bool {
    match passage.origin {
        Origin::Commit | Origin::Person => false,
        Origin::Plan => true,
        Origin::Agent => passage.message_words > BRIEF_REPLY,
    }
}

/// Observes and words every passage of a session, before any choice: what a model is fitted on.
pub fn observe(session: &Session) -> Vec<(Candidate, Features)> {
    let scene = Scene::new(session);
    let model = Model::default();
    let each = |passage: Passage| {
        let features = features::observe(&scene, &passage);
        (candidate(&scene, &passage, &model, &features), features)
    };
    passage::passages(&scene).into_iter().map(each).collect()
}

fn candidate(scene: &Scene<'_>, passage: &Passage, model: &Model, features: &Features) -> Candidate {
    let chosen = chosen_in(passage);
    let route = if chosen.is_some() { Route::Choice } else { Route::Statement };
    let (title, text) = match chosen {
        Some(chosen) => (chosen.title, chosen.text),
        None => (title::title(passage), wording::statement(passage)),
    };
    // What a commit mends happened; what it builds was decided.
    let mends = passage.origin == Origin::Commit && title.starts_with("Fix ");
    let kind = match model.kind(features) {
        _ if mends => Kind::Event,
        _ if route == Route::Choice => Kind::Decision,
        // How things should be done is for people to say; who does it decides.
        Kind::Preference if passage.origin != Origin::Person => Kind::Decision,
        kind => kind,
    };
    Candidate {
        kind,
        confidence: confidence(passage),
        keywords: keywords::keywords(&title, &text),
        files: keywords::files(&text),
        issue: scene.session.issue.clone(),
        evidence: passage::evidence(scene, passage),
        weight: model.chance(features),
        features: model.explain(features),
        at: scene.views[passage.view].turn.at,
        title,
        text,
        route,
        backing: backing(scene, passage),
    }
}

/// Returns what shows that a passage tells of something that was done.
fn backing(scene: &Scene<'_>, passage: &Passage) -> Backing {
    let view = &scene.views[passage.view];
    let closes = passage.origin == Origin::Agent && view.closes_task;
    let is_agreed = closes && view.reply == Reply::Accepted;
    match passage.origin {
        Origin::Commit => Backing::Commit,
        _ if view.before_commit || closes && view.after_edits || is_agreed => Backing::Work,
        _ => Backing::Words,
    }
}

/// Returns what an agent tells that it chose, in a reply that says little else.
fn chosen_in(passage: &Passage) -> Option<chosen::Chosen> {
    let is_brief = passage.origin == Origin::Agent && passage.message_words <= BRIEF_REPLY;
    passage.sentences.first().filter(|_| is_brief).and_then(|sentence| chosen::chosen(sentence))
}

/// Explicit is what a person said or the agent reports as done; a guess is what is hedged.
fn confidence(passage: &Passage) -> Confidence {
    if features::is_hedged(&passage.text()) {
        return Confidence::Low;
    }
    let cues = passage.cues;
    match passage.origin {
        Origin::Person if passage.sentences.iter().all(|sentence| sentence.ends_with('?')) => {
            Confidence::Medium
        }
        Origin::Person | Origin::Commit => Confidence::High,
        Origin::Plan => Confidence::Medium,
        Origin::Agent if cues.has("reporting") || cues.has("diagnosing") || cues.has("behaving") => {
            Confidence::High
        }
        Origin::Agent => Confidence::Medium,
    }
}

/// Stretches the chance so that the model's bar falls on the bar of an entry.
fn weight(chance: f64, bar: f64) -> f64 {
    if bar <= 0.0 || bar >= 1.0 {
        return chance;
    }
    if chance >= bar {
        ENTRY_BAR + (chance - bar) / (1.0 - bar) * (1.0 - ENTRY_BAR)
    } else {
        chance / bar * ENTRY_BAR
    }
}
