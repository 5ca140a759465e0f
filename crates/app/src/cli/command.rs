//! Which commands there are, and what each is like.

use clap::Subcommand;

use super::{
    agents, ask, brief, check, complete, completions, config, context, curate, demo, distill, doctor, edit,
    edits, export, forget, fresh, ground, hook, impact, import, init, install, learn, list, log, man, mcp,
    merge_driver, model, new, open, packet, phase, query, reflect, related, remember, review, rm, schedule,
    sense, sessions, show, signal, spike, surface, told, undo, usage, verify, view, why, written,
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a knowledge base in this repository
    Init(init::Args),
    /// Show how the base is doing and what to look at next
    #[command(after_help = "Example:\n  lore status --json")]
    Status,
    /// List entries, newest first
    #[command(visible_alias = "ls")]
    List(list::Args),
    /// Show one entry
    Show(show::Args),
    /// Read the whole base as one page in your browser; with `--serve` decide what waits
    View(view::Args),
    /// Tell why an entry says what it says: whose words, what it replaced, which runs
    Why(why::Args),
    /// Open any reference we print: entry, footnote, session line, commit, file, issue
    Open(open::Args),
    /// Keep a sentence of yours: a rule, a decision, a fact
    Remember(remember::Args),
    /// Write a new entry
    #[command(visible_alias = "add")]
    New(new::Args),
    /// Open an entry in your editor and check it on return
    Edit(edit::Args),
    /// Mark entries as confirmed by you
    #[command(visible_alias = "confirm")]
    Verify(verify::Args),
    /// Remove an entry for good, also in other clones
    #[command(visible_alias = "remove", alias = "delete")]
    Rm(rm::Args),
    /// Take back a run: a curation, a review, an import, an edit
    Undo(undo::Args),
    /// Erase words, a session or a person everywhere we write
    Forget(forget::Args),
    /// Tell what was added, changed, disputed and removed, run by run
    #[command(alias = "history")]
    Log(log::Args),
    /// List what AGENTS.md, rules and decision records say, and where the base disagrees
    Written(written::Args),
    /// Show exactly what agents were given, when and why
    Told(told::Args),
    /// Find everything that is wrong with the base
    Check(check::Args),
    /// List what is no longer true, by the conditions entries rest on
    Fresh(fresh::Args),
    /// Hold a question or a design against code, history and, if set up, the web
    Ground(ground::Args),
    /// List the files a design will change, with risk and order
    Impact(impact::Args),
    /// Show and correct where a change stands between the wish and the commit
    Phase(phase::Args),
    /// Take in another tool's store
    Import(import::Args),
    /// Print the base as one document, or keep decision records, a book or notes of it
    Export(export::Args),
    /// Turn past sessions into articles
    Curate(curate::Args),
    /// Go through what is new or disputed: keep, edit, merge, reject, supersede
    Review(review::Args),
    /// Curate by itself: git hook, cron, systemd timer or GitHub Actions
    Schedule(schedule::Args),
    /// Hand the next packet of sessions to an editor
    #[command(alias = "candidates")]
    Packet(packet::Args),
    /// Take an editor's answer, every word of it checked
    #[command(alias = "refine")]
    Edits(edits::Args),
    /// Show what would be kept of one session, and why
    Distill(distill::Args),
    /// Ask a question in words and get a short answer with its sources
    Ask(ask::Args),
    /// Find entries by words, files or issue
    #[command(visible_alias = "search", alias = "find")]
    Query(query::Args),
    /// Gather what to know before work on an issue or a subject begins
    Brief(brief::Args),
    /// Show what is linked to an entry and what is alike
    Related(related::Args),
    /// Take in what was learned: by hand, from an issue, a review or JSON
    Learn(learn::Args),
    /// Record how agents did, and show it
    Agents(agents::Args),
    /// List, install and verify local models for the search by meaning
    Model(model::Args),
    /// Show what an agent is told at the start and with a prompt
    Context(context::Args),
    /// Find what is known for a step of work, by role
    Surface(surface::Args),
    /// Answer an open question by experiment, once
    Spike(spike::Args),
    /// Look for friction in sessions, plans and history
    Sense(sense::Args),
    /// Write down, list and settle friction that was noticed
    Signal(signal::Args),
    /// Turn signals that recur into lessons, and tell what is drifting
    Reflect(reflect::Args),
    /// Show which entries earn their place and which never did
    Usage(usage::Args),
    /// Serve the base to agents over MCP, on standard input and output
    Mcp(mcp::Args),
    /// Wire this base into coding agents, or show how each stands
    Install(install::Args),
    /// Take it out of coding agents again
    Uninstall(install::OutArgs),
    /// See whether everything is in place, trusted and working
    Doctor(doctor::Args),
    /// Answer a coding agent's hook
    #[command(hide = true)]
    Hook(hook::Args),
    /// Do what a worker does: curate the sessions that wait, bring the index into step
    Work(hook::WorkArgs),
    /// List what could stand at the cursor
    #[command(hide = true)]
    Complete(complete::Args),
    /// Merge one file for git
    #[command(hide = true)]
    MergeDriver(merge_driver::Args),
    /// List, read and search past sessions of coding agents
    Sessions(sessions::Args),
    /// Look at settings and change them
    Config(config::Args),
    /// Print a completion script for your shell
    Completions(completions::Args),
    /// Look around on sample sessions, in a throw-away folder
    Demo(demo::Args),
    /// Print the manual page, of all or of one command
    Man(man::Args),
}

impl Command {
    /// Returns what whoever says it means: of one entry `view` shows what `show` does.
    pub(super) fn meant(self) -> Command {
        match self {
            Command::View(args) => args.one_entry().map_or(Command::View(args), Command::Show),
            other => other,
        }
    }

    /// Tells whether agents, git, a shell or we ourselves start it, where nobody reads what is wrong.
    pub(super) fn is_for_programs(&self) -> bool {
        match self {
            Command::Hook(_) | Command::Work(_) | Command::Complete(_) | Command::MergeDriver(_) => true,
            Command::Phase(args) => args.is_for_programs(),
            _ => false,
        }
    }

    /// Tells whether it prints something to read, and asks nothing meanwhile.
    pub(super) fn pages(&self) -> bool {
        matches!(
            self,
            Command::Agents(_)
                | Command::Ask(_)
                | Command::Brief(_)
                | Command::Context(_)
                | Command::Distill(_)
                | Command::Export(_)
                | Command::Fresh(_)
                | Command::Impact(_)
                | Command::List(_)
                | Command::Log(_)
                | Command::Open(_)
                | Command::Query(_)
                | Command::Related(_)
                | Command::Sessions(_)
                | Command::Show(_)
                | Command::Surface(_)
                | Command::Told(_)
                | Command::Usage(_)
                | Command::Why(_)
                | Command::Written(_)
        )
    }

    /// Names a command that tells what is known, and says what it was asked; a context that names its
    /// session is written down on its own.
    pub(super) fn tells(&self) -> Option<(&'static str, String)> {
        Some(match self {
            Command::Ask(args) => ("ask", args.asked()),
            Command::Brief(args) => ("brief", args.asked()),
            Command::Context(args) => ("context", args.asked()?),
            Command::Open(args) => ("open", args.asked()),
            Command::Query(args) => ("query", args.asked()),
            Command::Show(args) => ("show", args.asked()),
            Command::Spike(args) => ("spike", args.asked()?),
            Command::Surface(args) => ("surface", args.asked()?),
            Command::Why(args) => ("why", args.asked()),
            _ => return None,
        })
    }
}
