//! The client that waits for a tool: hears how far it is, and may call it off.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use lore_engine::Onlooker;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// No more often than this a client hears something.
const OFTEN: Duration = Duration::from_millis(100);

/// A client and its request.
pub(super) struct Waiting {
    called_off: CancellationToken,
    /// Where it wants to hear of it, if it does.
    progress: Option<(Peer<RoleServer>, ProgressToken, Handle)>,
    /// What it heard last, and when: progress only ever rises.
    heard: Mutex<Option<(f64, Instant)>>,
}

impl Waiting {
    pub(super) fn new(context: &RequestContext<RoleServer>) -> Waiting {
        let token = context.meta.get_progress_token();
        Waiting {
            called_off: context.ct.clone(),
            progress: token.map(|token| (context.peer.clone(), token, Handle::current())),
            heard: Mutex::new(None),
        }
    }
}

impl Onlooker for Waiting {
    fn at(&self, done: u64, total: u64, doing: &str) {
        let Some((peer, token, runtime)) = &self.progress else { return };
        let Ok(mut heard) = self.heard.lock() else { return };
        // Steps of different sorts follow each other; each goes on from where the last one was.
        let progress = match *heard {
            Some((_, at)) if at.elapsed() < OFTEN => return,
            Some((before, _)) => before + 1.0,
            None => 1.0,
        };
        *heard = Some((progress, Instant::now()));
        let message = if total == 0 { doing.to_owned() } else { format!("{doing}: {done} of {total}") };
        let told = ProgressNotificationParam::new(token.clone(), progress).with_message(message);
        let peer = peer.clone();
        runtime.spawn(async move {
            // A client that cannot hear it any more goes without.
            let _ = peer.notify_progress(told).await;
        });
    }

    fn is_gone(&self) -> bool {
        self.called_off.is_cancelled()
    }
}
