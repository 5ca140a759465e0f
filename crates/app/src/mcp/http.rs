//! The same over streamable HTTP, for programs of this machine that know the token.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::Semaphore;

use super::Server;
use crate::loopback::{Knock, Loopback, TurnedAway};

/// Where the protocol is spoken.
pub(crate) const PATH: &str = "/mcp";
/// A longer request is refused.
const MOST_BYTES: usize = 4 << 20;
/// So many connections are served at a time.
const MOST_CALLERS: usize = 64;
/// Whoever does not finish the head of a request within this time is left.
const HEAD: Duration = Duration::from_secs(10);
/// A session of the older protocols that nobody used for so long is over.
const SESSION: Duration = Duration::from_secs(60 * 60);

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Serves until the program ends.
pub(crate) fn serve_http(server: Server, listener: TcpListener, door: Loopback) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION);
        let config = StreamableHttpServerConfig::default().with_max_request_body_bytes(MOST_BYTES);
        let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::new(sessions), config);
        let (door, room) = (Arc::new(door), Arc::new(Semaphore::new(MOST_CALLERS)));
        loop {
            let Ok(seat) = Arc::clone(&room).acquire_owned().await else { return Ok(()) };
            let (stream, _) = match listener.accept().await {
                Ok(accepted) => accepted,
                // The caller went away, or too many files are open: neither is the end.
                Err(error) => {
                    tracing::debug!(%error, "a connection was not made");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            };
            let (service, door) = (service.clone(), Arc::clone(&door));
            tokio::spawn(async move {
                let answer = service_fn(|request| answered(&service, &door, request));
                let mut connection = hyper::server::conn::http1::Builder::new();
                connection.timer(TokioTimer::new()).header_read_timeout(HEAD);
                if let Err(error) = connection.serve_connection(TokioIo::new(stream), answer).await {
                    tracing::debug!(%error, "a connection ended early");
                }
                drop(seat);
            });
        }
    })
}

async fn answered(
    service: &Service,
    door: &Loopback,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    Ok(match door.allowed(knock(&request)) {
        Err(why) => turned_away(why),
        Ok(()) if request.uri().path() != PATH => {
            plain(StatusCode::NOT_FOUND, &format!("the protocol is spoken at {PATH}"))
        }
        Ok(()) => {
            let ends = request.method() == Method::DELETE;
            let mut answer = service.handle(request).await;
            // A session that was ended is gone, and clients take "accepted" for a failure.
            if ends && answer.status() == StatusCode::ACCEPTED {
                *answer.status_mut() = StatusCode::NO_CONTENT;
            }
            answer
        }
    })
}

fn knock(request: &Request<Incoming>) -> Knock<'_> {
    let header = |name: &HeaderName| {
        let mut values = request.headers().get_all(name).iter();
        // Two of them are none: who checks one may act on the other.
        let value = values.next().filter(|_| values.next().is_none())?;
        value.to_str().ok()
    };
    let several = request.headers().get_all(ORIGIN).iter().count() > 1;
    Knock {
        host: header(&HOST),
        origin: if several { Some("several") } else { header(&ORIGIN).or_else(|| unreadable(request)) },
        secret: header(&AUTHORIZATION).and_then(bearer),
    }
}

/// An origin that is no text is a foreign one, not none.
fn unreadable(request: &Request<Incoming>) -> Option<&'static str> {
    request.headers().contains_key(ORIGIN).then_some("unreadable")
}

/// Takes the token out of `Bearer …`, whose first word is written in any case.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn turned_away(why: TurnedAway) -> Answer {
    match why {
        TurnedAway::Host | TurnedAway::Origin => plain(StatusCode::FORBIDDEN, why.sentence()),
        TurnedAway::Secret => {
            let mut answer = plain(
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong; send it as `Authorization: Bearer …`",
            );
            let challenge = hyper::header::HeaderValue::from_static("Bearer realm=\"lore\"");
            answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            answer
        }
    }
}

fn plain(status: StatusCode, sentence: &str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(format!("{sentence}\n"))).boxed());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stands_behind_its_scheme() {
        assert_eq!(bearer("Bearer abc"), Some("abc"));
        assert_eq!(bearer("bearer  abc "), Some("abc"));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("Bearerabc"), None);
    }
}
