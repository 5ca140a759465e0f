//! Standard input and output as a transport that also answers what is no JSON.
//!
//! The library reads and writes; of a line that it cannot parse it says nothing, so that a client with a fault in
//! its writing waits for ever. We look at the lines beside it and send the error that JSON-RPC asks for, through the
//! library's own writer, so that no two messages run into each other. Whose request it was is not known: the `id` is
//! left out, as the protocol says for this case.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use rmcp::RoleServer;
use rmcp::model::ErrorData;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::{AsyncRwTransport, DEFAULT_MAX_LINE_LENGTH};
use serde::de::IgnoredAny;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

/// Lines that are no JSON and have not been answered.
#[derive(Debug, Default)]
struct Unread {
    count: AtomicUsize,
    more: Notify,
}

impl Unread {
    fn add(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.more.notify_one();
    }

    /// Takes one of them, where there is one.
    fn take(&self) -> bool {
        let fewer = |count: usize| count.checked_sub(1);
        self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok()
    }
}

/// Passes bytes on and looks at the lines that they make.
struct Watched<R> {
    inner: R,
    /// The line so far; nothing of one that is too long for the library as well.
    line: Option<Vec<u8>>,
    unread: Arc<Unread>,
}

impl<R> Watched<R> {
    fn see(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if let Some(line) = &mut self.line {
                line.extend_from_slice(part);
                if line.len() > DEFAULT_MAX_LINE_LENGTH {
                    self.line = None;
                }
            }
            if part.ends_with(b"\n") {
                if self.line.as_deref().is_some_and(|line| !is_json(line)) {
                    self.unread.add();
                }
                self.line.get_or_insert_default().clear();
            }
        }
    }
}

/// Tells whether a line is empty or JSON, whatever it says.
fn is_json(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.trim_ascii().is_empty() || serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        if let Poll::Ready(Ok(())) = &polled {
            self.see(buffer.filled().get(before..).unwrap_or_default());
        }
        polled
    }
}

/// The library's transport, and an answer to lines that it passes over.
pub(super) struct Streams<R: AsyncRead + Unpin, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, Watched<R>, W>,
    unread: Arc<Unread>,
}

impl<R, W> Streams<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new((input, output): (R, W)) -> Streams<R, W> {
        let unread = Arc::new(Unread::default());
        let input = Watched { inner: input, line: Some(Vec::new()), unread: unread.clone() };
        Streams { inner: AsyncRwTransport::new(input, output), unread }
    }

    fn answer(&mut self) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let error = ErrorData::parse_error("Parse error: the line is not JSON", None);
        self.inner.send(TxJsonRpcMessage::<RoleServer>::error(error, None))
    }
}

impl<R, W> Transport<RoleServer> for Streams<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // Whoever waits for a message may stop waiting at any time, and half an answer must not be left.
            while self.unread.take() {
                tokio::spawn(self.answer());
            }
            let unread = self.unread.clone();
            tokio::select! {
                biased;
                message = self.inner.receive() => {
                    if message.is_none() {
                        // Nobody asks again after the end.
                        while self.unread.take() {
                            let _ = self.answer().await;
                        }
                    }
                    return message;
                }
                () = unread.more.notified() => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.inner.close().await
    }
}
