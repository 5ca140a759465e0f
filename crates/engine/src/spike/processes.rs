//! What the processes of an experiment take, and how they are ended, whatever they do.
//!
//! The resident size is watched rather than the address space limited: some runtimes reserve far more
//! than they use and would not start. A group of its own makes one signal reach all of them; a mark in
//! the environment finds those that left the group.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

/// A variable that every process of a run has, so that none is lost.
pub(super) const MARK: &str = "LORE_SPIKE_RUN";

/// What some processes take together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Taken {
    /// How many there are.
    pub(super) count: usize,
    /// Memory they hold, in bytes.
    pub(super) resident: u64,
}

/// The processes that one command started, as far as they were seen.
pub(super) struct Family {
    leader: u32,
    known: BTreeSet<u32>,
}

impl Family {
    pub(super) fn new(leader: u32) -> Family {
        Family { leader, known: BTreeSet::from([leader]) }
    }

    /// Looks for new members and adds up what all of them take.
    pub(super) fn look(&mut self) -> Taken {
        let found = system::family(&self.known);
        self.known.extend(found.iter().map(|(pid, _)| *pid));
        Taken { count: found.len(), resident: found.iter().map(|(_, resident)| *resident).sum() }
    }

    /// Returns the time on processors that the leader and its children took, in milliseconds; asked
    /// when the leader has ended and nobody has waited for it.
    pub(super) fn cpu_ms(&self) -> Option<f64> {
        system::cpu_ms(self.leader)
    }

    /// Ends every member, and whatever bears the mark of the run.
    pub(super) fn end(&mut self, mark: &str) -> usize {
        let mut ended = BTreeSet::new();
        let leader = i32::try_from(self.leader).ok().and_then(Pid::from_raw);
        // Who forks while being ended has children that are ended in the next pass.
        for _ in 0..20 {
            if let Some(leader) = leader {
                let _ = kill_process_group(leader, Signal::KILL);
            }
            let mut left: BTreeSet<u32> = system::marked(mark);
            left.extend(system::family(&self.known).into_iter().map(|(pid, _)| pid));
            left.remove(&self.leader);
            for pid in &left {
                if let Some(pid) = i32::try_from(*pid).ok().and_then(Pid::from_raw) {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            let gone = leader.is_none_or(|leader| test_kill_process_group(leader).is_err());
            if left.is_empty() && gone {
                break;
            }
            ended.extend(left);
        }
        ended.len()
    }
}

/// Ends what a process started, and not the process itself: whoever waits for it ends that.
pub(crate) fn end_descendants(leader: u32) {
    let known = BTreeSet::from([leader]);
    for _ in 0..20 {
        let left = system::family(&known).into_iter().map(|(pid, _)| pid).filter(|pid| *pid != leader);
        let left: Vec<Pid> = left.filter_map(|pid| i32::try_from(pid).ok().and_then(Pid::from_raw)).collect();
        if left.is_empty() {
            break;
        }
        for pid in left {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Ends what an earlier run left behind, when whoever watched it is gone.
pub(super) fn end_marked(mark: &str) -> usize {
    let left = system::marked(mark);
    for pid in &left {
        if let Some(pid) = i32::try_from(*pid).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    left.len()
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeSet;
    use std::fs;

    use super::MARK;

    /// Lists the living members of a family with their resident size: those known, and their children.
    pub(super) fn family(known: &BTreeSet<u32>) -> Vec<(u32, u64)> {
        let mut found = Vec::new();
        let mut seen: BTreeSet<u32> = known.clone();
        let mut pending: Vec<u32> = known.iter().copied().collect();
        while let Some(pid) = pending.pop() {
            let Some(stat) = stat(pid).filter(|stat| !matches!(stat.state, 'Z' | 'X')) else { continue };
            found.push((pid, stat.resident));
            let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
            for task in tasks {
                let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
                let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
                pending.extend(children.filter(|pid| seen.insert(*pid)));
            }
        }
        found
    }

    /// Lists the processes that have the mark in their environment.
    pub(super) fn marked(mark: &str) -> BTreeSet<u32> {
        let wanted = format!("{MARK}={mark}");
        let has = |pid: &u32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes())
        };
        let names = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = names.filter_map(|name| name.file_name().to_str()?.parse().ok());
        pids.filter(has)
            .filter(|pid| stat(*pid).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X')))
            .collect()
    }

    pub(super) fn cpu_ms(pid: u32) -> Option<f64> {
        let per_second = rustix::param::clock_ticks_per_second() as f64;
        Some(stat(pid)?.ticks as f64 * 1000.0 / per_second)
    }

    struct Stat {
        state: char,
        ticks: u64,
        resident: u64,
    }

    /// Reads `/proc/PID/stat`; the name in it may hold anything, so fields count from its end.
    fn stat(pid: u32) -> Option<Stat> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
        Some(Stat {
            state: fields.first()?.chars().next()?,
            ticks: (11..=14).map(number).sum(),
            resident: number(21) * rustix::param::page_size() as u64,
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::collections::BTreeSet;
    use std::process::Command;

    /// Asks `ps` for process, parent and kilobytes.
    fn table() -> Vec<(u32, u32, u64)> {
        let said = Command::new("ps").args(["-axo", "pid=,ppid=,rss="]).output();
        let text = said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
        let row = |line: &str| {
            let mut fields = line.split_whitespace();
            Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
        };
        text.lines().filter_map(row).collect()
    }

    pub(super) fn family(known: &BTreeSet<u32>) -> Vec<(u32, u64)> {
        let table = table();
        let mut seen = known.clone();
        loop {
            let more: Vec<u32> = table
                .iter()
                .filter(|(pid, parent, _)| seen.contains(parent) && !seen.contains(pid))
                .map(|(pid, ..)| *pid)
                .collect();
            if more.is_empty() {
                break;
            }
            seen.extend(more);
        }
        table
            .into_iter()
            .filter(|(pid, ..)| seen.contains(pid))
            .map(|(pid, _, kilobytes)| (pid, kilobytes << 10))
            .collect()
    }

    pub(super) fn marked(_: &str) -> BTreeSet<u32> {
        BTreeSet::new()
    }

    pub(super) fn cpu_ms(_: u32) -> Option<f64> {
        None
    }
}
