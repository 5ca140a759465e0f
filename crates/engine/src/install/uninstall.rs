//! Taking us out again, and leaving each file as it was.

use super::agents::Agent;
use super::pieces::{Piece, Planned};
use super::records::Records;
use super::{
    Done, FileChange, GIT, InstallOptions, InstallReport, Whose, git, installed, not_ours_to_touch,
    project_of, read, remove, write,
};
use crate::{Error, World};

/// Takes us out again: byte for byte, or, where somebody changed the file since, just our part.
pub fn uninstall(world: &World, options: &InstallOptions) -> Result<InstallReport, Error> {
    // Who is held by the hooks must not take them out.
    if let Some(agent) = world.agent().filter(|_| !options.dry_run) {
        return Err(Error::request(
            format!("{agent} cannot take out what was installed; only a person can"),
            format!("run `lore uninstall {}` in a terminal of your own", options.agent),
        ));
    }
    if options.agent == GIT {
        return git::wire(world, options, None);
    }
    let agent = Agent::named(&options.agent)?;
    let project = project_of(world);
    let records = Records::of(world)?;
    let mut files = Vec::new();
    for file in agent.planned(world, &project, options.whose)? {
        files.push(take_out(&records, agent, file, options.dry_run)?);
    }
    if !options.dry_run {
        records.tidy()?;
    }
    let mut notes = Vec::new();
    let other = if options.whose == Whose::Project { Whose::User } else { Whose::Project };
    if installed(world, agent, &project, other).is_some() {
        let flag = if other == Whose::User { " --user" } else { "" };
        let whose = if other == Whose::User { "your own settings" } else { "this project's settings" };
        notes.push(format!("it is also in {whose}: `lore uninstall {}{flag}`", agent.name));
    }
    Ok(InstallReport {
        agent: agent.name.to_owned(),
        whose: options.whose,
        files,
        dry_run: options.dry_run,
        trust: None,
        notes,
    })
}

fn take_out(records: &Records, agent: &Agent, file: Planned, dry_run: bool) -> Result<FileChange, Error> {
    let before = read(&file.path)?;
    let kept = records.get(&file.path);
    let needed_by: Vec<String> =
        kept.iter().flat_map(|kept| &kept.agents).filter(|other| *other != agent.name).cloned().collect();
    if !needed_by.is_empty() {
        if let (false, Some(kept)) = (dry_run, kept) {
            records.release(kept, agent.name)?;
        }
        let done = if before.is_some() { Done::Kept } else { Done::Unchanged };
        return Ok(FileChange {
            path: file.path,
            done,
            after: before.clone(),
            before,
            backup: None,
            needed_by,
        });
    }
    let (after, done) = match (&before, &kept) {
        (Some(text), Some(kept)) if kept.is_as_left(text) => match &kept.before {
            Some(original) => (Some(original.clone()), Done::Restored),
            None => (None, Done::Removed),
        },
        (Some(text), _) => {
            let mut out = Some(text.clone());
            for piece in &file.pieces {
                let Some(text) = &out else { break };
                out = piece.take_out(text).map_err(|why| not_ours_to_touch(&file.path, &why))?;
            }
            match out {
                None => (None, Done::Removed),
                Some(out) if out == *text => {
                    // A server of our name that starts something else is somebody's own as well.
                    let is_theirs = |piece: &Piece| match piece {
                        Piece::Own(_) => true,
                        Piece::Server(_) => piece.is_in(&out),
                        _ => false,
                    };
                    let own = file.pieces.iter().any(is_theirs);
                    (Some(out), if own { Done::Kept } else { Done::Unchanged })
                }
                Some(out) => (Some(out), Done::Changed),
            }
        }
        (None, _) => (None, Done::Unchanged),
    };
    if !dry_run {
        match (&after, done) {
            (_, Done::Unchanged | Done::Kept) => {}
            (Some(text), _) => write(&file.path, text)?,
            (None, _) => remove(&file.path)?,
        }
        records.forget(&file.path)?;
    }
    Ok(FileChange { path: file.path, done, before, after, backup: None, needed_by })
}
