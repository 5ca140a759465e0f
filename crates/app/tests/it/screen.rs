//! The review on a real terminal: `script` lends one to the binary, and the keys come through it.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::desk::Desk;
use crate::sessions::desk_with_sessions;

/// A review that runs, with what it has drawn so far.
struct Running {
    child: Child,
    drawn: std::sync::mpsc::Receiver<Vec<u8>>,
    seen: String,
}

impl Running {
    fn begin(desk: &Desk, editor: &str) -> Running {
        let lore = env!("CARGO_BIN_EXE_lore");
        let mut command = Command::new("script");
        command
            .args(["-qec", &format!("stty rows 24 cols 80; exec {lore} review"), "/dev/null"])
            .current_dir(desk.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("HOME", desk.home())
            .env("EDITOR", editor)
            .env("LORE_USER", "ada");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("`script` can be run");
        let mut out = child.stdout.take().expect("the output is a pipe");
        let (send, drawn) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Running { child, drawn, seen: String::new() }
    }

    fn type_in(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().expect("the input is a pipe");
        input.write_all(keys.as_bytes()).and_then(|()| input.flush()).expect("keys can be sent");
    }

    /// Waits until something holds, taking in what is drawn meanwhile.
    #[track_caller]
    fn until(&mut self, what: &str, holds: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !holds(&self.seen) {
            assert!(begun.elapsed() < Duration::from_secs(120), "{what}: {}", self.seen);
            if let Ok(bytes) = self.drawn.recv_timeout(Duration::from_millis(50)) {
                self.seen.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
    }
}

fn confirmed(desk: &Desk) -> usize {
    let mut count = 0;
    let mut folders = vec![desk.project().join("knowledge")];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).expect("can be listed").flatten() {
            match item.path() {
                path if path.is_dir() => folders.push(path),
                path => {
                    let text = std::fs::read_to_string(path).unwrap_or_default();
                    count += usize::from(text.contains("by: human:ada"));
                }
            }
        }
    }
    count
}

#[test]
fn keys_decide_take_back_and_give_the_terminal_back() {
    let desk = desk_with_sessions();
    assert_eq!(desk.lore(&["curate", "--sessions", "sessions"]).code, 0);
    assert_eq!(confirmed(&desk), 0);
    let mut review = Running::begin(&desk, "false");
    review
        .until("the screen is taken", |seen| seen.contains("\u{1b}[?1049h") && seen.contains("lore review"));
    review.until("the page is shown", |seen| seen.contains("rests on"));
    review.type_in("y");
    review.until("one is kept", |_| confirmed(&desk) == 1);
    review.type_in("u");
    review.until("it is taken back", |_| confirmed(&desk) == 0);
    review.type_in("?");
    review.type_in(" ");
    review.type_in("q");
    review.until("the screen is given back", |seen| seen.contains("\u{1b}[?1049l"));
    assert!(review.child.wait().expect("ends").success());
    let place = std::fs::read_to_string(desk.project().join(".git/lore/knowledge/review.json"));
    assert!(place.is_ok_and(|text| text.contains("\"entry\":\"")), "where it stopped is kept");
    assert_eq!(desk.lore(&["check"]).code, 0);
}
