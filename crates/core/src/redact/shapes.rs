//! Keys that are known by a sign in their middle or end, by their surroundings or by a command: a table.
//!
//! Each pattern is tried only around its anchor, on a stretch of bounded length, so that the whole scan
//! stays linear. Group `v` is what is taken out; without it the whole match is.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use super::bytes::starts_word;
use super::values;

/// One kind of secret that needs more than a prefix.
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// A literal that every match contains; letter case does not matter.
    pub(super) anchor: &'static str,
    /// How far before the anchor a match may start.
    before: usize,
    /// How far behind the anchor a match may end.
    after: usize,
    pattern: &'static str,
}

const fn shape(
    name: &'static str,
    anchor: &'static str,
    before: usize,
    after: usize,
    pattern: &'static str,
) -> Shape {
    Shape { name, anchor, before, after, pattern }
}

const AZURE_SECRET: &str = r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}";
const BCRYPT: &str = r"\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}";

/// Every kind of secret that is known by its shape.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    shape("azure-client-secret", "0Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "1Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "2Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "3Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "4Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "5Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "6Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "7Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "8Q~", 3, 48, AZURE_SECRET),
    shape("azure-client-secret", "9Q~", 3, 48, AZURE_SECRET),
    shape("azure-key", "JQQJ99", 90, 60, r"[A-Za-z0-9]{52,}JQQJ9[A-Za-z0-9]{20,}"),
    shape("azure-devops-token", "AZDO", 90, 8, r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    shape("azure-key", "+ASt", 90, 12, r"[A-Za-z0-9/+]{76}\+ASt[A-Za-z0-9/+]{5,6}={0,2}"),
    shape("azure-key", "ACDb", 90, 12, r"[A-Za-z0-9/+]{76}ACDb[A-Za-z0-9/+]{5,6}={0,2}"),
    shape("azure-key", "AzSe", 60, 12, r"[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}"),
    shape("azure-key", "+ACR", 60, 8, r"[A-Za-z0-9/+]{42}\+ACR[A-Za-z0-9/+]{6}"),
    shape("azure-connection-key", "AccountKey=", 0, 120, r#"AccountKey=(?P<v>[A-Za-z0-9+/]{20,}={0,2})"#),
    shape("azure-sas", "sig=", 0, 120, r"sig=(?P<v>[A-Za-z0-9%+/_-]{30,}(?:%3[dD]|=){0,2})"),
    shape("azure-connection-key", "azconfig.io", 0, 200, r"azconfig\.io;Id=[^;\s]{4,80};Secret=(?P<v>[A-Za-z0-9+/]{30,}={0,2})"),
    shape("openai-key", "T3BlbkFJ", 200, 200, r"sk-[A-Za-z0-9_-]{10,}T3BlbkFJ[A-Za-z0-9_-]{16,}"),
    shape("anthropic-oauth-token", "sk-ant-o", 0, 200, r"sk-ant-o[a-z0-9]+-[A-Za-z0-9_-]{20,}"),
    shape("gitlab-session", "_gitlab_session=", 0, 80, r"_gitlab_session=(?P<v>[0-9A-Za-z_-]{32,64})"),
    shape("mailchimp-key", "-us", 32, 4, r"[0-9a-f]{32}-us[0-9]{1,2}"),
    shape("terraform-token", ".atlasv1.", 20, 120, r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    shape("newrelic-key", "NRAL", 40, 0, r"[0-9a-zA-Z]{36}NRAL"),
    shape("slack-webhook", "hooks.slack.com/", 8, 200, r"(?:https?://)?hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}"),
    shape("discord-webhook", "/api/webhooks/", 40, 140, r"https?://(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{10,20}/[A-Za-z0-9_-]{40,}"),
    shape("teams-webhook", ".webhook.office.com/", 80, 300, r"https?://[a-z0-9-]+\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{60,}"),
    shape("teams-webhook", "outlook.office.com/webhook/", 10, 300, r"https?://outlook\.office\.com/webhook/[A-Za-z0-9@/_-]{60,}"),
    shape("google-chat-webhook", "chat.googleapis.com/", 8, 300, r"(?:https://)?chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]+/messages\?key=[A-Za-z0-9_-]+&token=[A-Za-z0-9_%=-]+"),
    shape("zapier-webhook", "hooks.zapier.com/", 8, 120, r"(?:https?://)?hooks\.zapier\.com/hooks/(?:catch/)?[0-9]{4,}/[A-Za-z0-9/]{5,}"),
    shape("telegram-token", ":AA", 12, 40, r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}"),
    shape("firebase-server-key", ":APA91b", 14, 200, r"[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{100,}"),
    shape("google-client-secret", "client_secret\"", 0, 80, r#"client_secret"\s*:\s*"(?P<v>[A-Za-z0-9_-]{20,40})""#),
    shape("cloudinary-url", "cloudinary://", 0, 120, r"cloudinary://[0-9]{10,}:(?P<v>[A-Za-z0-9_-]{20,})@"),
    shape("zoho-token", "1000.", 0, 80, r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    shape("1password-secret-key", "A3-", 0, 48, r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}"),
    shape("fly-token", "FlyV1 ", 0, 1200, r"FlyV1 [A-Za-z0-9+/=_,-]{40,}"),
    shape("okta-token", "SSWS ", 0, 80, r"SSWS (?P<v>[A-Za-z0-9_-]{38,})"),
    shape("braintree-token", "access_token$", 0, 120, r"access_token\$(?:production|sandbox)\$[0-9a-z]{8,}\$[0-9a-f]{30,}"),
    shape("roblox-cookie", "_|WARNING:-DO-NOT-SHARE", 0, 2000, r"_\|WARNING:-DO-NOT-SHARE[^|]{20,200}\|_(?P<v>[A-Za-z0-9_-]{60,})"),
    shape("facebook-app-token", "facebook", 0, 120, r"\b(?P<v>[0-9]{13,17}\|[A-Za-z0-9_-]{24,44})"),
    shape("salesforce-token", "00D", 0, 160, r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,}"),
    shape("twitch-stream-key", "live_", 0, 60, r"live_[0-9]{6,12}_[A-Za-z0-9]{28,}"),
    shape("sidekiq-key", "contribsys", 32, 80, r"(?P<v>[0-9a-fA-F]{8}:[0-9a-fA-F]{8})@(?:gems|enterprise)\.contribsys"),
    shape("sidekiq-key", "BUNDLE_", 0, 80, r#"BUNDLE_[A-Z_]*CONTRIBSYS__COM[A-Za-z_]*["']?(?:\s+string)?\s*[:=.?]{1,4}>?\s*["'`]?(?P<v>[0-9a-f]{8}:[0-9a-f]{8})"#),
    shape("password-hash", "$2a$", 0, 64, BCRYPT),
    shape("password-hash", "$2b$", 0, 64, BCRYPT),
    shape("password-hash", "$2x$", 0, 64, BCRYPT),
    shape("password-hash", "$2y$", 0, 64, BCRYPT),
    shape("password-hash", "$argon2", 0, 240, r"\$argon2(?:id?|d)\$v=[0-9]+\$[a-z0-9=,]+\$[A-Za-z0-9+/=]{8,}\$[A-Za-z0-9+/=]{16,}"),
    shape("password-hash", "$6$", 0, 140, r"\$6\$(?:rounds=[0-9]+\$)?[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{86}"),
    shape("password-hash", "$5$", 0, 100, r"\$5\$(?:rounds=[0-9]+\$)?[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{43}"),
    shape("password-hash", "$1$", 0, 60, r"\$1\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}"),
    shape("password-hash", "$apr1$", 0, 60, r"\$apr1\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}"),
    shape("password-hash", "$8$", 0, 70, r"\$[89]\$[./A-Za-z0-9]{14}\$[./A-Za-z0-9]{43}"),
    shape("maxmind-key", "_mmk", 40, 0, r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    shape("voiceflow-key", "VF.", 0, 70, r"VF\.[A-Z]{2,3}\.[0-9a-f]{24}\.[A-Za-z0-9]{16}"),
    shape("password-hash", "$y$", 0, 140, r"\$y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]{8,}\$[./A-Za-z0-9]{43}"),
    shape("kerberos-hash", "$krb5", 0, 1200, r"\$krb5(?:asrep|tgs|pa)\$[0-9]{1,2}\$[^\s]{40,}"),
    shape("netrc-password", "machine ", 0, 300, r#"machine\s+[^\s\\]+(?:\\[nrt]|[\W\d])+login\s+[^\s\\]+(?:\\[nrt]|[\W\d])+password\s+(?P<v>[^\s"'\\{]+)"#),
    shape("npmrc-token", ":_auth", 0, 200, r#":_auth(?:Token)?\s*=\s*"?(?P<v>[^\s"$]{6,})"#),
    shape("vault-unseal-key", "unseal ", 0, 60, r"unseal\s+(?P<v>[A-Za-z0-9+/]{43,44}=?)"),
    shape("curl-user", "curl", 0, 800, r#"curl\b[^\n|;&]{0,400}?\s(?:-u|--user|--proxy-user)[ =]?\s*(?P<v>"[^"\n]{3,120}"|'[^'\n]{3,120}'|[^\s"':]+:(?:"[^"\n]{3,80}"|'[^'\n]{3,80}')|[^\s"']{3,120})"#),
    shape("curl-user", "wget", 0, 400, r#"wget\b[^\n|;&]{0,200}?\s--(?:http-|ftp-|proxy-)?password[ =]["']?(?P<v>[^\s"']{3,})"#),
    shape("go-dsn-password", "@tcp(", 160, 4, r#"[A-Za-z0-9_.%-]+:(?P<v>[^\s"'`<>]{2,})@tcp\("#),
    shape("go-dsn-password", "@unix(", 160, 4, r#"[A-Za-z0-9_.%-]+:(?P<v>[^\s"'`<>]{2,})@unix\("#),
    shape("oracle-password", "oracle:thin:", 0, 120, r"oracle:thin:[\w$#]+/(?P<v>[^@\s/]{3,})@"),
    shape("pgpass-password", ":5432:", 100, 200, r#"[A-Za-z0-9_.*-]+:5432:[^:\s"'`]+:[^:\s"'`]+:(?P<v>[^\s"'`|\\]{3,})"#),
    shape("pgpass-password", ":*:", 100, 200, r#"[A-Za-z0-9_.*-]+:(?:[0-9]{2,5}|\*):[^:\s"'`]+:[^:\s"'`]+:(?P<v>[^\s"'`|\\*]{3,})"#),
    shape("signed-address", "Signature=", 12, 600, r"(?i)[?&](?:amp;)?(?:x-amz-|x-goog-)?signature=(?P<v>[A-Za-z0-9%+/=_~-]{20,})"),
    shape("ifttt-key", "/with/key/", 0, 80, r"/with/key/(?P<v>[A-Za-z0-9_-]{20,})"),
    shape("make-webhook", ".make.com/", 12, 60, r"hook\.[a-z0-9]+\.make\.com/(?P<v>[a-z0-9]{24,})"),
    shape("feishu-webhook", "/bot/v2/hook/", 0, 60, r"/bot/v2/hook/(?P<v>[0-9a-f-]{32,36})"),
    shape("teams-webhook", "/workflows/", 0, 300, r"/workflows/[0-9a-f]{32}/triggers/[^\s]*?sig=(?P<v>[A-Za-z0-9_%-]{30,})"),
    shape("pushover-webhook", "/hooks/", 0, 40, r"/hooks/(?P<v>[a-z0-9]{26})\b"),
    shape("sentry-dsn", ".ingest.", 60, 10, r"https?://(?P<v>[0-9a-f]{32})@[a-z0-9.]+\.ingest\."),
    shape("wireguard-key", "PrivateKey", 0, 80, r"PrivateKey\s*=\s*(?P<v>[A-Za-z0-9+/]{43}=)"),
    shape("wireguard-key", "PresharedKey", 0, 80, r"PresharedKey\s*=\s*(?P<v>[A-Za-z0-9+/]{43}=)"),
    shape("shared-password", "chpasswd", 160, 0, r#"echo\s+["']?[\w.-]+:(?P<v>[^\s"':|]{3,})["']?\s*\|\s*(?:sudo\s+)?chpasswd"#),
    shape("shared-password", "sudo -S", 120, 0, r#"echo\s+["']?(?P<v>[^\s"'|$]{3,})["']?\s*\|\s*sudo\s+-S"#),
    shape("shared-password", "--password-stdin", 300, 0, r#"echo\s+(?:-n\s+)?["']?(?P<v>[^\s"'|$]{4,})["']?\s*\|\s*\S+ login"#),
    shape("shared-password", "passwd --stdin", 120, 0, r#"echo\s+["']?(?P<v>[^\s"'|$]{3,})["']?\s*\|\s*(?:sudo\s+)?passwd --stdin"#),
    shape("shared-password", "send \"", 80, 80, r#"assword[\s\S]{0,60}?send\s+(?:--\s+)?"(?P<v>[^"\\\n$]{3,})"#),
    shape("proxy-password", "proxy=", 0, 120, r#"(?i)proxy=["']?[\w.-]+:(?P<v>[^\s@"'/:]{3,})@[\w.-]+"#),
    shape("basic-password", "auth(\"", 24, 140, r#"(?i)[\w.]*auth\("[^"\n]{1,60}"\s*,\s*"(?P<v>[^"\n]{3,})""#),
    shape("basic-password", "auth('", 24, 140, r#"(?i)[\w.]*auth\('[^'\n]{1,60}'\s*,\s*'(?P<v>[^'\n]{3,})'"#),
    shape("basic-password", "auth=(", 0, 140, r#"auth=\(["'][^"'\n]{1,60}["']\s*,\s*["'](?P<v>[^"'\n]{3,})["']"#),
    shape("bootstrap-token", "bootstrap", 0, 80, r#"(?i)bootstrap[-_]?token["']?\s*[:= ]\s*["']?(?P<v>[a-z0-9]{6}\.[a-z0-9]{16})\b"#),
    shape("thingsboard-token", "thingsboard", 0, 60, r"thingsboard\.cloud/api/v1/(?P<v>[a-z0-9]{20})\b"),
    shape("jwk", "\"kty\"", 300, 400, r#""d"\s*:\s*"(?P<v>[A-Za-z0-9_-]{32,})""#),
];

static COMPILED: LazyLock<Vec<OnceLock<Option<Regex>>>> =
    LazyLock::new(|| SHAPES.iter().map(|_| OnceLock::new()).collect());

/// Looks for a shape around its anchor and returns where its value stands.
pub(super) fn find(text: &str, index: usize, anchor: Range<usize>) -> Option<Range<usize>> {
    let shape = &SHAPES[index];
    // The table's patterns are compiled by a test, so that none is left out silently.
    let pattern = COMPILED[index].get_or_init(|| Regex::new(shape.pattern).ok()).as_ref()?;
    let start = floor(text, anchor.start.saturating_sub(shape.before));
    let end = floor(text, (anchor.end + shape.after).min(text.len()));
    let captures = pattern.captures(&text[start..end.max(anchor.end)])?;
    let whole = captures.get(0)?;
    let value = captures.name("v").unwrap_or(whole);
    let first = start + whole.start();
    if text.as_bytes()[first].is_ascii_alphanumeric() && !starts_word(text.as_bytes(), first) {
        return None;
    }
    let range = start + value.start()..start + value.end();
    let shown = &text[range.clone()];
    let open = shape.name == "curl-user" && !values::is_user_and_password(shown);
    // A value whose form is fixed can only be masked; any other may be a template.
    let stands_in =
        if captures.name("v").is_some() { values::is_placeholder(shown) } else { values::is_masked(shown) };
    (!open && !stands_in).then_some(range)
}

/// Returns the nearest border of a character at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|index| text.is_char_boundary(*index)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for shape in SHAPES {
            assert!(Regex::new(shape.pattern).is_ok(), "{}", shape.name);
        }
    }
}
