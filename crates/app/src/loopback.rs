//! Who may talk to a door that we open on this machine.
//!
//! A port on the loopback address is open to every program of this machine and, through a browser,
//! to every page that its user visits. So three things have to fit before anything is read or done:
//! the name the caller used for us (a foreign name that was pointed at this machine is DNS
//! rebinding), the page it calls from (a foreign one is cross-site request forgery), and a secret
//! that only whoever saw our output knows.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use crate::error::Failure;

/// Bytes of chance in a secret.
const CHANCE: usize = 24;

/// A door on this machine: where it is, and the secret that opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loopback {
    port: u16,
    secret: String,
}

/// What a caller says about itself, as it stands in the head of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Knock<'a> {
    /// The name it used for us: `Host`.
    pub(crate) host: Option<&'a str>,
    /// The page it calls from: `Origin`; programs that are no browsers send none.
    pub(crate) origin: Option<&'a str>,
    /// The secret, from wherever the door takes it.
    pub(crate) secret: Option<&'a str>,
}

/// Why a caller is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnedAway {
    /// It used another name for us than this machine's own.
    Host,
    /// It calls from a page that is not ours.
    Origin,
    /// It does not know the secret.
    Secret,
}

impl TurnedAway {
    /// Says it in a sentence.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            TurnedAway::Host => "this door answers to this machine's own name only",
            TurnedAway::Origin => "this door is not open to other pages",
            TurnedAway::Secret => "the token is missing or wrong; it stands in the address that was printed",
        }
    }
}

impl Loopback {
    /// Opens a port on the loopback address, any free one for 0, with a new secret.
    pub(crate) fn open(port: u16) -> Result<(TcpListener, Loopback), Failure> {
        let failed = |error: &dyn std::error::Error| {
            Failure::environment(format!("port {port} of this machine cannot be opened"), error).and_hint(
                "`--port N` names another, `--port 0` finds a free one; what serves there may be one of ours",
            )
        };
        let listener =
            TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(|e| failed(&e))?;
        let port = listener.local_addr().map_err(|e| failed(&e))?.port();
        Ok((listener, Loopback { port, secret: secret()? }))
    }

    /// Takes a secret that programs know already.
    pub(crate) fn with_secret(self, secret: String) -> Loopback {
        Loopback { secret, ..self }
    }

    /// Returns where it is, such as `http://127.0.0.1:4711`.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the secret that opens it.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// Tells whether a caller may come in: the right name, no foreign page, the right secret.
    pub(crate) fn allowed(&self, knock: Knock<'_>) -> Result<(), TurnedAway> {
        self.ours(knock)?;
        let known = knock.secret.is_some_and(|secret| same(secret.as_bytes(), self.secret.as_bytes()));
        if known { Ok(()) } else { Err(TurnedAway::Secret) }
    }

    /// Tells whether a caller uses our own name and calls from no foreign page, whatever it knows.
    pub(crate) fn ours(&self, knock: Knock<'_>) -> Result<(), TurnedAway> {
        if !knock.host.is_some_and(|host| self.is_name(host)) {
            return Err(TurnedAway::Host);
        }
        match knock.origin {
            None => Ok(()),
            Some(origin) if origin.strip_prefix("http://").is_some_and(|host| self.is_name(host)) => Ok(()),
            Some(_) => Err(TurnedAway::Origin),
        }
    }

    /// Tells whether this is one of this machine's own names, with our port.
    fn is_name(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        let name = name.to_ascii_lowercase();
        matches!(name.as_str(), "127.0.0.1" | "localhost" | "[::1]") && port.parse() == Ok(self.port)
    }
}

/// Makes a secret that nobody can guess, of letters that stand in an address as they are.
fn secret() -> Result<String, Failure> {
    let mut bytes = [0u8; CHANCE];
    getrandom::fill(&mut bytes).map_err(|error| {
        let error = io::Error::other(error.to_string());
        Failure::environment("this machine gives no random numbers", &error)
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares without telling by its duration how much fits.
fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Loopback {
        Loopback { port: 4711, secret: "c0ffee".to_owned() }
    }

    #[test]
    fn only_our_own_names_and_pages_come_in() {
        let check = |host: &str, origin: Option<&str>, expected: Result<(), TurnedAway>| {
            let knock = Knock { host: Some(host), origin, secret: Some("c0ffee") };
            assert_eq!(door().allowed(knock), expected, "{host} {origin:?}");
        };
        check("127.0.0.1:4711", None, Ok(()));
        check("localhost:4711", Some("http://localhost:4711"), Ok(()));
        check("LOCALHOST:4711", Some("http://127.0.0.1:4711"), Ok(()));
        check("[::1]:4711", None, Ok(()));
        // Another name for this machine, another port, no port, something that only begins right.
        check("rebound.example:4711", None, Err(TurnedAway::Host));
        check("127.0.0.1:80", None, Err(TurnedAway::Host));
        check("127.0.0.1", None, Err(TurnedAway::Host));
        check("127.0.0.1:4711.evil.example", None, Err(TurnedAway::Host));
        check("127.0.0.1.evil.example:4711", None, Err(TurnedAway::Host));
        check("evil@127.0.0.1:4711", None, Err(TurnedAway::Host));
        check("", None, Err(TurnedAway::Host));
        // Pages elsewhere, files, sandboxes, the same name over another protocol.
        check("127.0.0.1:4711", Some("https://evil.example"), Err(TurnedAway::Origin));
        check("127.0.0.1:4711", Some("null"), Err(TurnedAway::Origin));
        check("127.0.0.1:4711", Some("https://127.0.0.1:4711"), Err(TurnedAway::Origin));
        check("127.0.0.1:4711", Some("http://127.0.0.1:4712"), Err(TurnedAway::Origin));
        check("127.0.0.1:4711", Some(""), Err(TurnedAway::Origin));
    }

    #[test]
    fn nobody_comes_in_without_the_secret() {
        let check = |secret: Option<&str>, expected: Result<(), TurnedAway>| {
            let knock = Knock { host: Some("127.0.0.1:4711"), origin: None, secret };
            assert_eq!(door().allowed(knock), expected, "{secret:?}");
            assert_eq!(door().ours(knock), Ok(()));
        };
        check(Some("c0ffee"), Ok(()));
        check(Some("c0ffef"), Err(TurnedAway::Secret));
        check(Some("c0ffee0"), Err(TurnedAway::Secret));
        check(Some(""), Err(TurnedAway::Secret));
        check(None, Err(TurnedAway::Secret));
        assert_eq!(door().allowed(Knock::default()), Err(TurnedAway::Host));
    }

    #[test]
    fn a_door_is_on_this_machine_only_and_each_has_its_own_secret() {
        let (listener, first) = Loopback::open(0).unwrap();
        let (_, second) = Loopback::open(0).unwrap();
        assert!(listener.local_addr().unwrap().ip().is_loopback());
        assert!(first.address().starts_with("http://127.0.0.1:") && first.port != 0);
        assert_eq!(first.secret().len(), 2 * CHANCE);
        assert_ne!(first.secret(), second.secret());
    }
}
