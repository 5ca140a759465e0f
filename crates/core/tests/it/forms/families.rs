//! What secrets look like where people leave them.

use super::{CLOSE, Family, OPEN};

const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const SMALL: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const GREAT: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8] = b"0123456789abcdef";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const WORDS: &[&str] = &[
    "anchor", "basil", "cobalt", "dolphin", "ember", "falcon", "ginger", "harbor", "indigo", "jasmine",
    "kettle", "lantern", "maple", "nectar", "orchid", "pepper", "quartz", "raven", "saddle", "thistle",
    "umbra", "violet", "walnut", "yonder", "zephyr",
];

/// Draws values, always the same ones.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn of(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length).map(|_| alphabet[(self.next() % alphabet.len() as u64) as usize] as char).collect()
    }

    fn word(&mut self) -> &'static str {
        WORDS[(self.next() % WORDS.len() as u64) as usize]
    }

    /// A word and a number, as people have them: `Falcon42`.
    fn weak(&mut self) -> String {
        let word = self.word();
        format!("{}{}{}", word[..1].to_uppercase(), &word[1..], 10 + self.next() % 90)
    }

    fn joined(&mut self) -> String {
        format!("{}-{}-{}", self.word(), self.word(), self.word())
    }

    fn signed(&mut self) -> String {
        format!("{}!{}#{}", self.of(LETTERS, 4), self.of(LETTERS, 4), self.of(LETTERS, 3))
    }

    fn lines(&mut self, count: usize, width: usize) -> String {
        (0..count).map(|_| self.of(BASE64, width)).collect::<Vec<_>>().join("\n")
    }

    fn jwt(&mut self) -> String {
        format!("eyJ{}.eyJ{}.{}", self.of(LETTERS, 33), self.of(LETTERS, 60), self.of(LETTERS, 43))
    }
}

fn secret(value: &str) -> String {
    format!("{OPEN}{value}{CLOSE}")
}

/// Encodes in base64.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits =
            chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place <= chunk.len() {
                out.push(BASE64[(bits >> (18 - 6 * place) & 63) as usize] as char);
            } else {
                out.push('=');
            }
        }
    }
    out
}

/// Makes every family.
pub(crate) fn families() -> Vec<Family> {
    let mut out = Vec::new();
    let mut draw = Draw(0x5eed_cafe);
    keys(&mut draw, &mut out);
    settings(&mut draw, &mut out);
    addresses(&mut draw, &mut out);
    arguments(&mut draw, &mut out);
    words(&mut draw, &mut out);
    blocks(&mut draw, &mut out);
    out
}

/// Keys that show who issued them.
fn keys(draw: &mut Draw, out: &mut Vec<Family>) {
    #[rustfmt::skip]
    let issued: &[(&'static str, &str, &[u8], usize)] = &[
        ("GitHub", "ghp_", LETTERS, 36), ("GitHub fine-grained", "github_pat_", LETTERS, 60),
        ("GitLab", "glpat-", LETTERS, 20), ("npm", "npm_", LETTERS, 36), ("PyPI", "pypi-AgEI", LETTERS, 90),
        ("crates.io", "cio", LETTERS, 32), ("Docker Hub", "dckr_pat_", LETTERS, 27),
        ("Stripe", "sk_live_", LETTERS, 24), ("SendGrid", "SG.", LETTERS, 66), ("OpenAI", "sk-proj-", LETTERS, 60),
        ("Anthropic", "sk-ant-api03-", LETTERS, 80), ("Hugging Face", "hf_", LETTERS, 34),
        ("Google", "AIza", LETTERS, 35), ("DigitalOcean", "dop_v1_", HEX, 64), ("Vault", "hvs.", LETTERS, 90),
        ("Databricks", "dapi", HEX, 32), ("Linear", "lin_api_", LETTERS, 40), ("Notion", "ntn_", LETTERS, 46),
        ("Figma", "figd_", LETTERS, 40), ("Sentry", "sntrys_", LETTERS, 80), ("AWS access key", "AKIA", GREAT, 16),
        ("Twilio", "SK", HEX, 32), ("Slack", "xoxb-", LETTERS, 50),
    ];
    for (name, prefix, alphabet, length) in issued {
        let key = format!("{prefix}{}", draw.of(alphabet, *length));
        out.push(Family { name, text: format!("deploying with {} today", secret(&key)) });
    }
    let mut add = |name, text: String| out.push(Family { name, text });
    let discord = format!("M{}.{}.{}", draw.of(LETTERS, 23), draw.of(LETTERS, 6), draw.of(LETTERS, 38));
    add("Discord token", format!("client.login({})", secret(&discord)));
    add(
        "Terraform",
        format!(
            "credentials {}.atlasv1.{}",
            format_args!("{OPEN}{}", draw.of(LETTERS, 14)),
            format_args!("{}{CLOSE}", draw.of(LETTERS, 67))
        ),
    );
    add("web token", format!("received {} from the server", secret(&draw.jwt())));
    add("base64 of a web token", format!("received {} from the store", secret(&encoded(&draw.jwt()))));
    add(
        "Azure key",
        format!(
            "AccountKey={};EndpointSuffix=core.windows.net",
            secret(&format!("{}==", draw.of(BASE64, 86)))
        ),
    );
}

/// Names with values.
fn settings(draw: &mut Draw, out: &mut Vec<Family>) {
    let mut add = |name, text: String| out.push(Family { name, text });
    add("env file, password", format!("DB_HOST=db\nDB_PASSWORD={}", secret(&draw.weak())));
    add("env file, key", format!("API_KEY={}\nDEBUG=1", secret(&draw.of(LETTERS, 32))));
    add("export", format!("export ADMIN_PASSWORD={}", secret(&draw.signed())));
    add("YAML, weak password", format!("db:\n  user: app\n  password: {}", secret(&draw.weak())));
    add("YAML, joined words", format!("user: app\npassword: {}", secret(&draw.joined())));
    add("YAML, one word", format!("user: app\npassword: {}", secret("swordfish")));
    add(
        "YAML, quoted words",
        format!("password: \"{}\"", secret(&format!("{} {}", draw.word(), draw.word()))),
    );
    add("JSON", format!("{{\"user\": \"app\", \"password\": \"{}\"}}", secret(&draw.weak())));
    add("TOML", format!("[db]\npassword = \"{}\"", secret(&draw.joined())));
    add("properties", format!("spring.datasource.password={}", secret(&draw.weak())));
    add(
        "k8s name and value",
        format!("env:\n  - name: DB_PASSWORD\n    value: \"{}\"", secret(&draw.joined())),
    );
    add(
        "k8s name and bare value",
        format!("env:\n- name: API_TOKEN\n  value: {}", secret(&draw.of(LETTERS, 28))),
    );
    add("k8s secret", format!("kind: Secret\ndata:\n  extra: {}", secret(&encoded(&draw.joined()))));
    add("Dockerfile ENV", format!("FROM x\nENV DB_PASSWORD {}", secret(&draw.weak())));
    add("Dockerfile ARG", format!("ARG NPM_TOKEN={}", secret(&draw.of(SMALL, 30))));
    add("compose", format!("environment:\n  - POSTGRES_PASSWORD={}", secret(&draw.joined())));
    add("XML", format!("<password>{}</password>", secret(&draw.weak())));
    add("XML name and value", format!("<name>db.password</name>\n<value>{}</value>", secret(&draw.weak())));
    add("source", format!("const apiKey = \"{}\";", secret(&draw.of(LETTERS, 30))));
    add("source with a type", format!("let api_secret: &str = \"{}\";", secret(&draw.of(LETTERS, 30))));
    add("pgpass", format!("db.example:5432:shop:app:{}", secret(&draw.weak())));
    add("netrc", format!("machine git.example\n  login bob\n  password {}", secret(&draw.weak())));
    add("netrc on one line", format!("machine git.example login bob password {}", secret(&draw.weak())));
    add("npmrc", format!("//registry.example/:_authToken={}", secret(&draw.of(SMALL, 36))));
    add("redis.conf", format!("requirepass {}", secret(&draw.joined())));
    add(
        "CSV with a header",
        format!("name,password,team\nbob,{},red\namy,{},blue", secret(&draw.weak()), secret(&draw.signed())),
    );
    add(
        "Markdown table, header",
        format!("| user | password |\n|---|---|\n| bob | {} |", secret(&draw.weak())),
    );
    add(
        "Markdown table, row",
        format!("| setting | value |\n|---|---|\n| password | {} |", secret(&draw.joined())),
    );
    add("Markdown bold", format!("**Password:** {}", secret(&draw.weak())));
    add("Markdown list", format!("- **API key**: `{}`", secret(&draw.of(LETTERS, 24))));
    add("WireGuard", format!("[Interface]\nPrivateKey = {}", secret(&format!("{}=", draw.of(BASE64, 43)))));
}

/// Addresses and headers.
fn addresses(draw: &mut Draw, out: &mut Vec<Family>) {
    let mut add = |name, text: String| out.push(Family { name, text });
    add("URL password", format!("postgres://app:{}@db.example:5432/shop", secret(&draw.weak())));
    add(
        "URL, several hosts",
        format!("mongodb://a:{}@h1:27017,b:{}@h2:27017/shop", secret(&draw.weak()), secret(&draw.weak())),
    );
    add("Go DSN", format!("dsn: app:{}@tcp(db:3306)/shop", secret(&draw.weak())));
    add("ADO", format!("Server=db;User Id=sa;Password={};Encrypt=true", secret(&draw.signed())));
    add("JDBC", format!("jdbc:mysql://db/shop?user=app&password={}&ssl=true", secret(&draw.weak())));
    add("Bearer", format!("Authorization: Bearer {}", secret(&draw.of(LETTERS, 40))));
    add("Basic", format!("Authorization: Basic {}", secret(&encoded(&format!("bob:{}", draw.weak())))));
    add("API key header", format!("X-Api-Key: {}", secret(&draw.of(LETTERS, 32))));
    add("Cookie", format!("Cookie: theme=dark; sid={}", secret(&draw.of(LETTERS, 32))));
    add("session cookie", format!("PHPSESSID={}", secret(&draw.of(SMALL, 26))));
    add(
        "Slack webhook",
        secret(&format!(
            "https://hooks.slack.com/services/T{}/B{}/{}",
            draw.of(GREAT, 8),
            draw.of(GREAT, 8),
            draw.of(LETTERS, 24)
        )),
    );
    add(
        "Discord webhook",
        secret(&format!(
            "https://discord.com/api/webhooks/{}/{}",
            draw.of(b"123456789", 18),
            draw.of(LETTERS, 68)
        )),
    );
    add(
        "SAS",
        format!(
            "https://a.blob.core.windows.net/c?sv=2024&sig={}",
            secret(&format!("{}%3D", draw.of(LETTERS, 43)))
        ),
    );
    add(
        "presigned URL",
        format!("https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature={}", secret(&draw.of(HEX, 64))),
    );
    add("query string", format!("GET /v1/items?api_key={}&page=2", secret(&draw.of(LETTERS, 30))));
}

/// Arguments of programs, and SQL.
fn arguments(draw: &mut Draw, out: &mut Vec<Family>) {
    let mut add = |name, text: String| out.push(Family { name, text });
    add("mysql -p", format!("mysql -u root -p{} shop", secret(&draw.weak())));
    add("sshpass", format!("sshpass -p '{}' ssh host", secret(&draw.joined())));
    add("curl -u", format!("curl -u bob:{} https://host.example", secret(&draw.weak())));
    add("PGPASSWORD", format!("PGPASSWORD={} psql -h db", secret(&draw.joined())));
    add("redis-cli -a", format!("redis-cli -h cache -a {} ping", secret(&draw.weak())));
    add("docker login -p", format!("docker login -u bob -p {} registry.example", secret(&draw.weak())));
    add(
        "az login -p",
        format!("az login --service-principal -u app -p {} --tenant t", secret(&draw.of(LETTERS, 34))),
    );
    add("aws configure", format!("aws configure set aws_secret_access_key {}", secret(&draw.of(BASE64, 40))));
    add("gcloud", format!("gcloud sql users set-password root --password={}", secret(&draw.weak())));
    add("openssl -passin", format!("openssl rsa -in k.pem -passin pass:{}", secret(&draw.joined())));
    add("ldapsearch -w", format!("ldapsearch -D cn=admin -w {} -b dc=x", secret(&draw.weak())));
    add("mongosh -p", format!("mongosh -u app -p {} --host db", secret(&draw.weak())));
    add(
        "list of arguments",
        format!("run([\"sqlcmd\", \"-U\", \"sa\", \"-P\", \"{}\"])", secret(&draw.weak())),
    );
    add("--password", format!("tool --user bob --password {} --verbose", secret(&draw.weak())));
    add("IDENTIFIED BY", format!("CREATE USER 'bob'@'%' IDENTIFIED BY '{}';", secret(&draw.joined())));
    add("ALTER USER", format!("ALTER USER bob WITH PASSWORD '{}';", secret(&draw.joined())));
    add("sudo -S", format!("echo {} | sudo -S apt update", secret(&draw.weak())));
}

/// What people tell each other.
fn words(draw: &mut Draw, out: &mut Vec<Family>) {
    let mut add = |name, text: String| out.push(Family { name, text });
    add("sentence", format!("the password is {}, please keep it", secret(&draw.weak())));
    add("sentence with a place", format!("the password for the staging db is {}.", secret(&draw.weak())));
    add("sentence with joined words", format!("I set the root password to {}", secret(&draw.joined())));
    add("sentence the other way", format!("{} is the password", secret(&draw.weak())));
    add("PIN", format!("the PIN is {}", secret(&draw.of(b"123456789", 4))));
    add("one-time seed", format!("TOTP secret: {}", secret(&draw.of(GREAT, 32))));
    add(
        "one-time seed in groups",
        format!(
            "2FA key: {} {} {} {}",
            format_args!("{OPEN}{}", draw.of(GREAT, 4)),
            draw.of(GREAT, 4),
            draw.of(GREAT, 4),
            format_args!("{}{CLOSE}", draw.of(GREAT, 4))
        ),
    );
    let code = |draw: &mut Draw| secret(&format!("{}7-4{}", draw.of(HEX, 4), draw.of(HEX, 4)));
    add("recovery codes", format!("Recovery codes:\n{}\n{}\n{}", code(draw), code(draw), code(draw)));
    let phrase = (0..12).map(|_| draw.word()).collect::<Vec<_>>().join(" ");
    add("seed phrase", format!("seed phrase: {}", secret(&phrase)));
}

/// Private keys.
fn blocks(draw: &mut Draw, out: &mut Vec<Family>) {
    for (name, label) in [
        ("PEM", "PRIVATE KEY"),
        ("RSA", "RSA PRIVATE KEY"),
        ("EC", "EC PRIVATE KEY"),
        ("OpenSSH", "OPENSSH PRIVATE KEY"),
        ("PGP", "PGP PRIVATE KEY BLOCK"),
    ] {
        let body = draw.lines(5, 64);
        let key = format!("-----BEGIN {label}-----\n{body}\n{}\n-----END {label}-----", draw.of(BASE64, 22));
        out.push(Family { name, text: format!("id_key:\n{}", secret(&key)) });
    }
    let mut add = |name, text: String| out.push(Family { name, text });
    let body = draw.lines(4, 64);
    add("key without its beginning", format!("{}\n-----END RSA PRIVATE KEY-----", secret(&body)));
    let body = draw.lines(4, 64);
    add("key without its end", format!("-----BEGIN RSA PRIVATE KEY-----\n{}", secret(&body)));
    let body = draw.lines(3, 64);
    add("PuTTY", format!("Private-Lines: 3\n{}\nPrivate-MAC: 00", secret(&body)));
    let escaped = draw.lines(4, 64).replace('\n', "\\n");
    let key = format!("-----BEGIN PRIVATE KEY-----\\n{escaped}\\n-----END PRIVATE KEY-----\\n");
    add(
        "service account",
        format!("{{\"type\": \"service_account\", \"private_key\": \"{}\"}}", secret(&key)),
    );
    let token = draw.jwt();
    let (head, tail) = token.split_at(72);
    add("wrapped token", format!("export SESSION_TOKEN={OPEN}{head}\n{tail}{CLOSE}"));
}
