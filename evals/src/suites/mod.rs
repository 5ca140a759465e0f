//! One file per claim.

mod attack;
mod base;
mod bootstrap;
mod capture;
mod context;
mod curate;
mod curator;
mod distil_table;
mod extract;
mod fitted;
mod freshness;
mod ground_replay;
mod hooks;
mod impact;
mod plain;
mod program;
mod qa;
mod query_perf;
mod reflect;
mod retrieval;
mod router;
mod secrets;
mod signals;
mod spikes;
mod store;
mod store_roundtrip;
mod stream;
mod week;

use crate::context::{Context, Failure};
use crate::report::Report;

pub(crate) use capture::files_below;

/// A suite's name, what it measures, and how.
type Suite = (&'static str, &'static str, fn(&Context) -> Result<Report, Failure>);

/// Every suite, by name.
pub(crate) const ALL: &[Suite] = &[
    ("roundtrip", "Whether real files survive being read, changed and imported", store_roundtrip::run),
    ("attack", "Every threat of docs/security.md, by the tests that hold it", attack::run),
    (
        "bootstrap",
        "Whole corpora into an empty base: time, memory, articles, and one session more",
        bootstrap::run,
    ),
    ("base", "What stands in the articles that a project's sessions leave behind", base::run),
    ("capture", "Whether transcripts are read right, and how fast", capture::run),
    ("context", "Whether an agent is told what it needs, and nothing otherwise", context::run),
    ("context-fit", "Writes what the floor of the context could look at", context::run_fit),
    ("context-perf", "How long an agent waits for what it is told", context::run_speed),
    ("context-replay", "Real sessions as hook events: curated once, no process left", context::run_replay),
    ("curate", "Whether curation tells what is new, the same, replaced or disputed", curate::run),
    ("curate-fit", "Fits the weights of the contradiction check and says what to expect", curate::run_fit),
    ("curator", "What an editor makes of a project, proof-read: recorded answers or a command", curator::run),
    ("distil-table", "Makes the static table of the product from a sentence model", distil_table::run),
    ("extract", "Whether extraction finds what people would keep", extract::run),
    ("extract-fit", "Fits the weights of extraction and says what to expect of them", extract::run_fit),
    ("freshness", "Whether conditions are judged right in every ecosystem", freshness::run),
    ("ground-replay", "Real sessions as hook events: every design step has a record", ground_replay::run),
    ("hooks", "Every agent's hooks: right shape, exit 0, and how long the agent waits", hooks::run),
    ("impact", "Which files a design changes, against what was changed", impact::run),
    ("impact-fit", "Fits the weights of the impact scan, each project left out once", impact::run_fit),
    ("pairs", "Whether a statement puts an end to another, on authors left out", fitted::run_pairs),
    ("pairs-fit", "Fits the numbers by which one statement ends another", fitted::run_pairs_fit),
    (
        "suspect-fit",
        "Fits the numbers by which one statement may have ended another",
        fitted::run_suspect_fit,
    ),
    ("plain", "Sentences that anyone would type, through the program that users run", plain::run),
    ("qa", "Questions asked later of what a project's sessions left behind", qa::run),
    ("query-perf", "How long a question takes in a process that has just begun", query_perf::run),
    (
        "reflect",
        "What a real store of signals teaches, and whether sensors find its signals again",
        reflect::run,
    ),
    ("retrieval", "Turns of long conversations, found by questions asked later", retrieval::run),
    ("router", "Whether a question is put to the source it belongs to", router::run),
    ("router-fit", "Fits the weights of the router, each source left out once", router::run_fit),
    ("secrets", "What the redactor takes out and leaves alone", secrets::run),
    ("sentences", "Whether what people type is told to last, on authors left out", fitted::run_sentences),
    ("sentences-fit", "Fits the numbers by which sentences are told to last", fitted::run_sentences_fit),
    (
        "signals",
        "Whether friction is noticed where people saw it, and not where it only looks so",
        signals::run,
    ),
    ("spikes", "Whether an answered question is known again, and workspaces are taken whole", spikes::run),
    ("store", "Whether the store survives everything, and how fast it is", store::run),
    ("stream", "Whether changes are noticed as labelled statements arrive one by one", stream::run),
    ("week", "A week of five agents as hook events, with kills: curated once, nothing lost", week::run),
    ("store-worker", "Writes until it is killed; started by `store`", store::run_worker),
];
