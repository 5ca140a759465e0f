//! As much HTTP/1.1 as a page of ours needs: one request per connection, small, in time.

use std::io::{self, Read, Write};

/// Longest head of a request.
const HEAD: usize = 16 * 1024;
/// Longest body of a request.
const BODY: usize = 64 * 1024;
/// Most fields in a head.
const FIELDS: usize = 64;

/// What programs are told in.
pub(super) const JSON: &str = "application/json; charset=utf-8";

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    /// The path, without anything behind a question mark.
    pub(super) path: String,
    fields: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// Why a request is not answered as it was asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadRequest {
    /// Nobody spoke, or not to the end.
    Silence,
    /// It is larger than anything our page sends.
    TooLarge,
    /// It is not what we understand.
    Malformed,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) fields: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl HttpRequest {
    /// Returns a field of the head; one that stands there twice counts as missing, because nobody can
    /// tell which was meant.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let mut found = self.fields.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let first = found.next()?;
        found.next().is_none().then_some(first.1.as_str())
    }

    /// Returns the page that the request comes from; where several are named, one that is nobody's.
    pub(super) fn origin(&self) -> Option<&str> {
        if self.has("origin") { Some(self.field("origin").unwrap_or_default()) } else { None }
    }

    /// Tells whether a field stands in the head, however often.
    fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Reads one request.
    pub(super) fn read(from: &mut impl Read) -> Result<HttpRequest, BadRequest> {
        let mut bytes = Vec::new();
        let (mut request, head) = loop {
            if let Some(read) = parsed(&bytes)? {
                break read;
            }
            if bytes.len() > HEAD {
                return Err(BadRequest::TooLarge);
            }
            more(from, &mut bytes)?;
        };
        // A body of which the length is not told plainly is none that we take.
        if request.has("transfer-encoding") {
            return Err(BadRequest::Malformed);
        }
        let length = match request.field("content-length") {
            Some(length) => length.parse::<usize>().map_err(|_| BadRequest::Malformed)?,
            None if request.has("content-length") => return Err(BadRequest::Malformed),
            None => 0,
        };
        if length > BODY {
            return Err(BadRequest::TooLarge);
        }
        while bytes.len() < head + length {
            more(from, &mut bytes)?;
        }
        request.body = bytes.drain(head..head + length).collect();
        Ok(request)
    }
}

/// Reads on; the end of what is said before the end of a request is silence.
fn more(from: &mut impl Read, bytes: &mut Vec<u8>) -> Result<(), BadRequest> {
    let mut part = [0; 4096];
    match from.read(&mut part) {
        Ok(0) | Err(_) => Err(BadRequest::Silence),
        Ok(count) => {
            bytes.extend_from_slice(&part[..count]);
            Ok(())
        }
    }
}

/// Takes the head apart once it is whole, and says where it ends.
fn parsed(bytes: &[u8]) -> Result<Option<(HttpRequest, usize)>, BadRequest> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut read = httparse::Request::new(&mut fields);
    let status = read.parse(bytes).map_err(|_| BadRequest::Malformed)?;
    let httparse::Status::Complete(head) = status else { return Ok(None) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let path = read.path.unwrap_or_default();
    Ok(Some((
        HttpRequest {
            method: read.method.unwrap_or_default().to_owned(),
            path: path.split(['?', '#']).next().unwrap_or_default().to_owned(),
            fields: read.headers.iter().map(|field| (field.name.to_owned(), text(field.value))).collect(),
            body: Vec::new(),
        },
        head,
    )))
}

impl HttpAnswer {
    /// Makes an answer.
    pub(super) fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> HttpAnswer {
        HttpAnswer { status, kind, fields: Vec::new(), body: body.into() }
    }

    /// Makes a refusal in words, as every error of ours is told to programs.
    pub(super) fn refusal(status: u16, words: &str) -> HttpAnswer {
        let none: [&str; 0] = [];
        let error = serde_json::json!({ "message": words, "causes": none, "hints": none });
        let told = serde_json::json!({ "schema": "lore.error/1", "error": error });
        HttpAnswer::new(status, JSON, told.to_string())
    }

    /// Adds a field to the head.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> HttpAnswer {
        self.fields.push((name, value.into()));
        self
    }

    /// Writes it; nobody may keep it, put it in a frame, or take it for anything else than it is.
    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\n",
            self.status,
            reason(self.status),
            self.kind,
            self.body.len()
        );
        for (name, value) in &self.fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        to.write_all(head.as_bytes())?;
        to.write_all(&self.body)?;
        to.flush()
    }
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<HttpRequest, BadRequest> {
        HttpRequest::read(&mut text.as_bytes())
    }

    #[test]
    fn a_request_is_read_with_its_body_and_nothing_behind_it() {
        let text =
            "POST /a/review?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n\r\n";
        let request = read(text).unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/a/review"));
        assert_eq!(request.body, b"{}");
        assert_eq!(request.field("HOST"), Some("h"));
    }

    #[test]
    fn what_is_not_plain_is_refused() {
        let check = |text: &str, expected: BadRequest| assert_eq!(read(text), Err(expected), "{text:?}");
        check("", BadRequest::Silence);
        check("GET / HTTP/1.1\r\nHost: h\r\n", BadRequest::Silence);
        check("hello there\r\n\r\n", BadRequest::Malformed);
        check("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", BadRequest::Malformed);
        check("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}", BadRequest::Malformed);
        check("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", BadRequest::Malformed);
        check("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", BadRequest::TooLarge);
        check("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n{}", BadRequest::Silence);
        check(&format!("GET / HTTP/1.1\r\nA: {}\r\n", "a".repeat(2 * HEAD)), BadRequest::TooLarge);
    }

    #[test]
    fn a_field_that_stands_twice_counts_as_missing() {
        let request = read("GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\nHost: evil.example\r\n\r\n").unwrap();
        assert_eq!(request.field("host"), None);
    }

    #[test]
    fn an_answer_says_that_nobody_may_keep_or_frame_it() {
        let mut out = Vec::new();
        HttpAnswer::refusal(403, "no").with("Allow", "GET").write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("HTTP/1.1 403 Forbidden\r\n") && text.contains("Content-Type: application/json"),
            "{text}"
        );
        let body: serde_json::Value = serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap();
        assert_eq!(
            (&body["schema"], &body["error"]["message"]),
            (&"lore.error/1".into(), &"no".into()),
            "{text}"
        );
        for field in ["Cache-Control: no-store", "X-Frame-Options: DENY", "nosniff", "Allow: GET"] {
            assert!(text.contains(field), "{field}");
        }
    }
}
