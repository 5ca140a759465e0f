//! Keys that name their issuer by a prefix: a table.
//!
//! Prefixes, lengths and alphabets are what the issuers publish or what their keys show. Lengths are
//! lower bounds on purpose: issuers lengthen keys, and a longer run behind the prefix is still a key.

use super::bytes::{
    ALNUM, Alphabet, BASE64, BASE64_SIGN, COLON, DASH, DIGIT, DOT, EQUALS, HEX, LOWER, SLUG, UNDER, UPPER,
    WIDE, WORD,
};

/// How much the body has to show before a short or common prefix is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// The prefix says enough.
    Prefix,
    /// At least one digit.
    Digit,
    /// Looks drawn by lot, or is hexadecimal.
    Random,
}

/// One kind of key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Provider {
    pub(super) name: &'static str,
    pub(super) prefix: &'static str,
    pub(super) body: Alphabet,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) proof: Proof,
}

const fn by(name: &'static str, prefix: &'static str, body: Alphabet, least: usize) -> Provider {
    Provider { name, prefix, body, least, most: usize::MAX, proof: Proof::Prefix }
}

const fn digit(name: &'static str, prefix: &'static str, body: Alphabet, least: usize) -> Provider {
    Provider { name, prefix, body, least, most: usize::MAX, proof: Proof::Digit }
}

const fn random(name: &'static str, prefix: &'static str, body: Alphabet, least: usize) -> Provider {
    Provider { name, prefix, body, least, most: usize::MAX, proof: Proof::Random }
}

/// A key of exactly one length, behind a prefix that says little.
const fn exact(name: &'static str, prefix: &'static str, body: Alphabet, length: usize) -> Provider {
    Provider { name, prefix, body, least: length, most: length, proof: Proof::Digit }
}

/// A key of exactly one length, behind a prefix that is rare enough.
const fn sized(name: &'static str, prefix: &'static str, body: Alphabet, length: usize) -> Provider {
    Provider { name, prefix, body, least: length, most: length, proof: Proof::Prefix }
}

const SMALL: Alphabet = LOWER | DIGIT;
const GREAT: Alphabet = UPPER | DIGIT;
const SLUG_EQ: Alphabet = SLUG | EQUALS;
const SLUG_DOT: Alphabet = SLUG | DOT;

/// Every kind of key that is known by its prefix.
pub(super) const PROVIDERS: &[Provider] = &[
    // Clouds.
    sized("aws-access-key", "AKIA", GREAT, 16),
    sized("aws-access-key", "ASIA", GREAT, 16),
    sized("aws-access-key", "ABIA", GREAT, 16),
    sized("aws-access-key", "ACCA", GREAT, 16),
    sized("aws-access-key", "A3T", GREAT, 17),
    by("aws-bedrock-key", "ABSK", BASE64, 100),
    by("aws-bedrock-key", "bedrock-api-key-", BASE64, 24),
    by("aws-mws-key", "amzn.mws.", HEX | DASH, 36),
    by("aws-appsync-key", "da2-", SMALL, 26),
    by("amazon-oauth-secret", "amzn1.oa2-cs.v1.", HEX, 64),
    by("google-api-key", "AIza", SLUG, 35),
    by("google-oauth-secret", "GOCSPX-", SLUG, 24),
    by("google-oauth-token", "ya29.", SLUG_DOT, 20),
    random("google-refresh-token", "1//0", SLUG, 38),
    random("google-hmac-key", "GOOG", GREAT, 20),
    by("digitalocean-token", "dop_v1_", HEX, 64),
    by("digitalocean-token", "doo_v1_", HEX, 64),
    by("digitalocean-token", "dor_v1_", HEX, 64),
    random("alibaba-access-key", "LTAI", ALNUM, 16),
    random("tencent-secret-id", "AKID", ALNUM, 32),
    random("yandex-api-key", "AQVN", SLUG, 35),
    random("yandex-iam-token", "t1.", WIDE, 80),
    random("yandex-oauth-token", "y0_", SLUG, 40),
    random("yandex-access-key", "YC", SLUG, 38),
    by("scaleway-key", "SCW", GREAT, 17),
    by("databricks-token", "dapi", HEX | DASH, 32),
    by("databricks-token", "dose", HEX, 32),
    by("openshift-token", "sha256~", SLUG, 40),
    by("doppler-token", "dp.pt.", ALNUM, 40),
    by("doppler-token", "dp.st.", SLUG_DOT, 40),
    by("doppler-token", "dp.sa.", ALNUM, 40),
    by("doppler-token", "dp.ct.", ALNUM, 40),
    by("doppler-token", "dp.scim.", ALNUM, 40),
    by("doppler-token", "dp.audit.", ALNUM, 40),
    random("fly-token", "fo1_", SLUG, 43),
    by("fly-token", "fm1r_", BASE64, 80),
    by("fly-token", "fm1a_", BASE64, 80),
    by("fly-token", "fm2_", BASE64, 80),
    random("render-key", "rnd_", ALNUM, 24),
    by("vercel-token", "vcp_", ALNUM, 24),
    by("vercel-token", "vck_", ALNUM, 24),
    by("vercel-token", "vci_", ALNUM, 24),
    by("vercel-token", "vca_", ALNUM, 24),
    by("vercel-token", "vcr_", ALNUM, 24),
    digit("cloudflare-token", "cfut_", SLUG, 40),
    digit("cloudflare-token", "cfat_", SLUG, 40),
    digit("cloudflare-token", "cfk_", SLUG, 40),
    digit("mongodb-atlas-secret", "mdb_sa_sk_", SLUG, 40),
    random("portainer-token", "ptr_", BASE64, 40),
    by("vercel-blob-token", "vercel_blob_rw_", WORD, 24),
    by("netlify-token", "nfp_", ALNUM, 32),
    by("netlify-token", "nfc_", ALNUM, 32),
    by("netlify-token", "nfo_", ALNUM, 32),
    by("netlify-token", "nfu_", ALNUM, 32),
    by("heroku-key", "HRKU-", SLUG, 36),
    by("scalingo-token", "tk-us-", SLUG, 48),
    digit("supabase-token", "sbp_", ALNUM, 40),
    by("supabase-token", "sb_secret_", SLUG, 20),
    by("supabase-token", "sbp_oauth_", HEX, 40),
    by("planetscale-key", "pscale_tkn_", SLUG_EQ | DOT, 32),
    by("planetscale-key", "pscale_pw_", SLUG_EQ | DOT, 32),
    by("planetscale-key", "pscale_oauth_", SLUG_EQ | DOT, 32),
    by("neon-key", "napi_", ALNUM, 48),
    by("cloudflare-origin-key", "v1.0-", HEX | DASH, 140),
    by("openstack-token", "gAAAAA", SLUG_EQ, 60),
    // Code hosts and registries.
    by("github-token", "ghp_", ALNUM, 36),
    by("github-token", "gho_", ALNUM, 36),
    by("github-token", "ghu_", ALNUM, 36),
    by("github-token", "ghs_", WIDE, 36),
    by("github-token", "ghr_", ALNUM, 36),
    by("github-token", "github_pat_", WORD, 36),
    by("gitlab-token", "glpat-", SLUG_DOT, 18),
    by("gitlab-token", "gldt-", SLUG, 18),
    by("gitlab-token", "glrt-", SLUG_DOT, 18),
    by("gitlab-token", "glrtr-", SLUG_DOT, 18),
    by("gitlab-token", "glcbt-", SLUG_DOT, 18),
    by("gitlab-token", "glptt-", SLUG, 40),
    by("gitlab-token", "glft-", SLUG, 18),
    by("gitlab-token", "glimt-", SLUG, 25),
    by("gitlab-token", "glagent-", SLUG, 50),
    by("gitlab-token", "gloas-", SLUG, 64),
    by("gitlab-token", "glsoat-", SLUG, 18),
    by("gitlab-token", "glffct-", SLUG, 18),
    by("gitlab-token", "glwt-", SLUG_DOT, 18),
    by("gitlab-token", "GR1348941", SLUG, 20),
    by("bitbucket-token", "ATBB", SLUG_EQ, 28),
    by("bitbucket-token", "ATCTT3", SLUG_EQ, 40),
    by("atlassian-token", "ATATT", SLUG_EQ, 40),
    by("npm-token", "npm_", ALNUM, 36),
    by("pypi-token", "pypi-AgE", SLUG, 50),
    random("crates-token", "cio", ALNUM, 32),
    by("rubygems-key", "rubygems_", HEX, 48),
    by("docker-token", "dckr_pat_", SLUG, 24),
    by("docker-token", "dckr_oat_", SLUG, 24),
    exact("nuget-key", "oy2", SMALL, 43),
    by("clojars-token", "CLOJARS_", ALNUM, 60),
    random("artifactory-key", "AKCp", ALNUM, 64),
    by("artifactory-key", "cmVmdGtu", ALNUM, 50),
    random("artifactory-key", "cmVmd", ALNUM, 59),
    by("sourcegraph-token", "sgp_", WORD, 40),
    by("packagist-token", "packagist_", WORD, 40),
    // Models and their surroundings.
    by("anthropic-key", "sk-ant-", SLUG, 20),
    by("openai-key", "sk-proj-", SLUG, 20),
    by("openai-key", "sk-svcacct-", SLUG, 20),
    by("openai-key", "sk-admin-", SLUG, 20),
    by("openai-key", "sk-None-", SLUG, 20),
    by("openrouter-key", "sk-or-v1-", HEX, 32),
    random("openai-key", "sk-", SLUG, 24),
    by("langfuse-key", "sk-lf-", SLUG, 30),
    digit("groq-key", "gsk_", ALNUM, 40),
    by("xai-key", "xai-", WORD, 60),
    by("perplexity-key", "pplx-", ALNUM, 32),
    random("huggingface-token", "hf_", ALNUM, 30),
    random("huggingface-token", "api_org_", ALNUM, 30),
    by("replicate-token", "r8_", ALNUM, 36),
    by("nvidia-key", "nvapi-", SLUG, 40),
    random("fireworks-key", "fw_", ALNUM, 20),
    by("together-key", "tgp_v1_", SLUG, 30),
    random("jina-key", "jina_", SLUG, 40),
    random("voyage-key", "pa-", SLUG, 40),
    by("langsmith-key", "lsv2_pt_", WORD, 32),
    by("langsmith-key", "lsv2_sk_", WORD, 32),
    by("langchain-key", "ls__", HEX, 32),
    by("pinecone-key", "pcsk_", WORD, 40),
    random("cerebras-key", "csk-", SMALL, 40),
    by("firecrawl-key", "fc-", HEX, 32),
    random("tavily-key", "tvly-", SLUG, 20),
    by("apify-token", "apify_api_", ALNUM, 30),
    by("e2b-key", "e2b_", HEX, 32),
    random("elevenlabs-key", "sk_", HEX, 40),
    by("wandb-key", "wandb_v1_", WORD, 40),
    by("context7-key", "ctx7sk-", SLUG, 20),
    by("kimi-key", "sk-kimi-", SLUG, 20),
    random("friendli-token", "flp_", ALNUM, 40),
    by("endorlabs-key", "endr+", ALNUM, 16),
    // Chat and mail.
    digit("slack-token", "xoxb-", SLUG, 14),
    digit("slack-token", "xoxp-", SLUG, 14),
    digit("slack-token", "xoxa-", SLUG, 10),
    digit("slack-token", "xoxr-", SLUG, 10),
    digit("slack-token", "xoxs-", SLUG, 14),
    digit("slack-token", "xoxo-", SLUG, 14),
    digit("slack-token", "xoxc-", SLUG, 14),
    digit("slack-token", "xoxd-", WIDE, 20),
    digit("slack-token", "xoxe-", SLUG, 20),
    digit("slack-token", "xoxe.xox", SLUG, 30),
    digit("slack-token", "xapp-", SLUG | BASE64_SIGN, 20),
    digit("slack-token", "xwfp-", SLUG, 20),
    by("discord-token", "mfa.", SLUG, 80),
    digit("sendgrid-key", "SG.", SLUG_EQ | DOT, 60),
    by("brevo-key", "xkeysib-", SLUG, 60),
    by("brevo-key", "xsmtpsib-", SLUG, 60),
    by("mailgun-key", "key-", HEX, 32),
    random("mailgun-key", "pubkey-", HEX, 32),
    by("mailersend-key", "mlsn.", HEX, 60),
    random("resend-key", "re_", WORD, 24),
    exact("twilio-key", "SK", HEX, 32),
    exact("twilio-sid", "AC", HEX, 32),
    random("mandrill-key", "md-", SLUG, 22),
    by("intercom-token", "dG9rO", BASE64, 50),
    by("telnyx-key", "KEY0", WORD, 40),
    // Payment and commerce.
    by("stripe-key", "sk_live_", WORD, 10),
    by("stripe-key", "sk_test_", WORD, 10),
    by("stripe-key", "rk_live_", WORD, 10),
    by("stripe-key", "rk_test_", WORD, 10),
    by("stripe-key", "sk_prod_", WORD, 10),
    by("stripe-key", "rk_prod_", WORD, 10),
    digit("stripe-webhook-secret", "whsec_", BASE64, 24),
    digit("stripe-key", "pk_live_", WORD, 16),
    digit("stripe-key", "pk_test_", WORD, 16),
    by("square-key", "sq0atp-", SLUG, 20),
    by("square-key", "sq0csp-", SLUG, 40),
    by("square-key", "sq0idk-", SLUG, 20),
    by("square-key", "sq0idp-", SLUG, 20),
    random("square-or-facebook-token", "EAA", WIDE, 56),
    digit("paypal-secret", "A21AA", SLUG, 60),
    by("adyen-key", "AQE", BASE64, 100),
    by("razorpay-key", "rzp_live_", ALNUM, 14),
    by("razorpay-key", "rzp_test_", ALNUM, 14),
    by("plaid-token", "access-production-", HEX | DASH, 36),
    by("plaid-token", "access-sandbox-", HEX | DASH, 36),
    by("plaid-token", "access-development-", HEX | DASH, 36),
    by("shippo-token", "shippo_live_", HEX, 40),
    by("shippo-token", "shippo_test_", HEX, 40),
    random("easypost-key", "EZAK", ALNUM, 54),
    random("easypost-key", "EZTK", ALNUM, 54),
    by("duffel-token", "duffel_test_", SLUG_EQ, 40),
    by("duffel-token", "duffel_live_", SLUG_EQ, 40),
    by("flutterwave-key", "FLWSECK", SLUG, 12),
    by("flutterwave-key", "FLWPUBK", SLUG, 32),
    random("gocardless-token", "live_", SLUG_EQ, 30),
    random("gocardless-token", "sandbox_", SLUG_EQ, 30),
    random("test-mode-key", "test_", SLUG_EQ, 30),
    digit("shopify-token", "shpat_", ALNUM, 32),
    digit("shopify-token", "shpca_", ALNUM, 32),
    digit("shopify-token", "shppa_", ALNUM, 32),
    digit("shopify-token", "shpss_", ALNUM, 32),
    digit("shopify-token", "shptka_", ALNUM, 32),
    digit("shopify-token", "shpua_", ALNUM, 32),
    digit("shopify-token", "shpit_", ALNUM, 32),
    by("checkout-key", "sk_sbox_", SLUG, 20),
    by("paddle-key", "pdl_live_apikey_", WORD, 30),
    by("paddle-key", "pdl_sdbx_apikey_", WORD, 30),
    by("polar-token", "polar_oat_", ALNUM, 30),
    by("polar-token", "polar_pat_", ALNUM, 30),
    by("xendit-key", "xnd_production_", ALNUM, 30),
    by("xendit-key", "xnd_development_", ALNUM, 30),
    by("ramp-token", "ramp_sec_", ALNUM, 40),
    by("ramp-token", "ramp_tok_", ALNUM, 40),
    // Building, running and watching software.
    by("pulumi-token", "pul-", HEX, 40),
    by("typeform-token", "tfp_", SLUG_EQ | DOT, 40),
    by("vault-token", "hvs.", SLUG, 24),
    by("vault-token", "hvb.", SLUG, 24),
    by("vault-token", "hvr.", SLUG, 24),
    random("vault-token", "s.", SLUG, 24),
    random("vault-token", "b.", SLUG, 24),
    random("vault-token", "r.", SLUG, 24),
    by("sentry-token", "sntrys_", BASE64 | UNDER, 40),
    by("sentry-token", "sntryu_", HEX, 64),
    by("grafana-token", "glsa_", WORD, 32),
    by("grafana-token", "glc_", BASE64, 32),
    by("grafana-key", "eyJrIjoi", BASE64, 40),
    by("newrelic-key", "NRAK-", ALNUM, 24),
    by("newrelic-key", "NRII-", SLUG, 24),
    by("newrelic-key", "NRIQ-", SLUG, 24),
    by("newrelic-key", "NRRA-", HEX, 40),
    by("newrelic-key", "NRAA-", HEX, 24),
    by("newrelic-key", "NRJS-", HEX, 16),
    by("newrelic-key", "px-api-", HEX | DASH, 36),
    by("newrelic-key", "px-dep-", HEX | DASH, 36),
    by("dynatrace-token", "dt0", ALNUM | DOT, 80),
    random("harness-token", "sat.", SLUG_DOT, 50),
    random("harness-token", "pat.", SLUG_DOT, 50),
    by("circleci-token", "CCIPAT_", WORD, 40),
    by("circleci-token", "CCIPRJ_", WORD, 40),
    by("buildkite-token", "bkua_", ALNUM, 40),
    by("buildkite-token", "bkct_", WORD, 30),
    by("buildkite-token", "bkaj_", WORD, 30),
    by("sonar-token", "sqp_", HEX, 40),
    by("sonar-token", "sqa_", HEX, 40),
    by("sonar-token", "squ_", HEX, 40),
    by("tailscale-key", "tskey-", SLUG, 20),
    by("defined-key", "dnkey-", SLUG_EQ, 60),
    by("infracost-key", "ico-", ALNUM, 32),
    by("prefect-key", "pnu_", ALNUM, 36),
    by("prefect-key", "pnb_", ALNUM, 36),
    by("snyk-token", "snyk_uat.", SLUG_DOT, 30),
    by("deno-token", "ddp_", ALNUM, 36),
    by("deno-token", "ddo_", ALNUM, 36),
    by("octopus-key", "API-", GREAT, 25),
    by("launchdarkly-key", "api-", HEX | DASH, 36),
    by("launchdarkly-key", "sdk-", HEX | DASH, 36),
    by("launchdarkly-key", "mob-", HEX | DASH, 36),
    by("rootly-key", "rootly_", HEX, 64),
    by("honeycomb-key", "hcaik_", ALNUM, 50),
    by("honeycomb-key", "hcxik_", ALNUM, 50),
    by("honeycomb-key", "hcbik_", ALNUM, 50),
    by("axiom-token", "xaat-", HEX | DASH, 36),
    by("axiom-token", "xapt-", HEX | DASH, 36),
    by("posthog-key", "phx_", ALNUM, 40),
    by("posthog-key", "phs_", ALNUM, 40),
    by("pagerduty-key", "pdus+", SLUG, 20),
    by("pagerduty-key", "pdeu+", SLUG, 20),
    by("logfire-token", "pylf_v", WORD, 40),
    by("trigger-key", "tr_prod_", ALNUM, 18),
    by("trigger-key", "tr_dev_", ALNUM, 18),
    by("inngest-key", "signkey-", SLUG, 32),
    random("infisical-token", "st.", SLUG_DOT, 60),
    by("bitwarden-token", "0.", HEX | DASH | DOT | COLON | BASE64, 70),
    by("1password-token", "ops_eyJ", BASE64, 60),
    by("age-key", "AGE-SECRET-KEY-1", GREAT, 50),
    by("settlemint-token", "sm_aat_", ALNUM, 16),
    by("settlemint-token", "sm_pat_", ALNUM, 16),
    by("settlemint-token", "sm_sat_", ALNUM, 16),
    random("authress-key", "sc_", SLUG_DOT, 60),
    random("authress-key", "authress_", SLUG_DOT, 60),
    by("stytch-key", "secret-live-", SLUG_EQ, 30),
    by("stytch-key", "secret-test-", SLUG_EQ, 30),
    by("dependency-track-key", "odt_", WORD, 32),
    // Work tools.
    digit("teamwork-token", "tkn.v1_", WIDE, 60),
    digit("scrapfly-key", "scp-live-", HEX, 32),
    by("sourcegraph-license", "slk_", HEX, 64),
    by("linear-key", "lin_api_", ALNUM, 32),
    by("linear-key", "lin_oauth_", ALNUM, 32),
    by("notion-token", "ntn_", ALNUM, 40),
    random("notion-token", "secret_", ALNUM, 40),
    by("figma-token", "figd_", SLUG, 30),
    by("figma-token", "figo_", SLUG, 30),
    by("figma-token", "figu_", SLUG, 30),
    by("postman-key", "PMAK-", HEX | DASH, 50),
    by("postman-key", "PMAT-", ALNUM, 26),
    by("readme-key", "rdme_", SMALL, 60),
    by("contentful-token", "CFPAT-", SLUG, 40),
    by("frameio-token", "fio-u-", SLUG_EQ, 60),
    by("clickup-token", "pk_", DIGIT | UPPER | UNDER, 36),
    by("hubspot-token", "pat-na1-", HEX | DASH, 36),
    by("hubspot-token", "pat-na2-", HEX | DASH, 36),
    by("hubspot-token", "pat-eu1-", HEX | DASH, 36),
    by("mapbox-token", "sk.eyJ", SLUG_DOT, 60),
    by("mapbox-token", "pk.eyJ", SLUG_DOT, 60),
    by("wakatime-key", "waka_", HEX | DASH, 36),
    by("adafruit-key", "aio_", ALNUM, 26),
    by("adobe-secret", "p8e-", SLUG, 30),
    random("adobe-secret", "p8-", SLUG, 30),
    by("airtable-token", "pat", ALNUM | DOT, 78),
    by("dropbox-token", "sl.", SLUG_EQ, 100),
    by("cal-key", "cal_live_", HEX, 32),
    by("retool-token", "retool_", ALNUM, 24),
    by("nightfall-key", "NF-", ALNUM, 32),
    by("persona-key", "persona_sandbox_", ALNUM, 30),
    by("persona-key", "persona_production_", ALNUM, 30),
    by("lichess-token", "lip_", WORD, 20),
    by("lichess-token", "lio_", WORD, 20),
    by("lob-key", "live_pub_", HEX, 30),
    by("lob-key", "test_pub_", HEX, 30),
    by("ubidots-token", "BBFF-", ALNUM, 30),
    by("ubidots-token", "BBUS-", ALNUM, 30),
    by("web3-key", "zpka_", WORD, 40),
];

#[cfg(test)]
mod tests {
    use super::super::bytes::within;
    use super::super::{MARK, Redactor};
    use super::*;

    /// Draws a body of the alphabet, always the same.
    fn body(alphabet: Alphabet, length: usize) -> String {
        let letters: Vec<u8> =
            (b'-'..=b'z').filter(|byte| byte.is_ascii_alphanumeric() && within(alphabet, *byte)).collect();
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            letters[(state >> 33) as usize % letters.len()] as char
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn every_kind_of_key_is_found_and_goes_whole() {
        for provider in PROVIDERS {
            let key = format!("{}{}", provider.prefix, body(provider.body, provider.least));
            let redacted = Redactor::standard().redact(&key).text.into_owned();
            assert_eq!(redacted, MARK, "{} {}", provider.name, key);
            let text = format!("found {key} there");
            assert_eq!(Redactor::standard().redact(&text).text, format!("found {MARK} there"), "{key}");
        }
    }

    #[test]
    fn masks_and_short_bodies_stay() {
        for provider in PROVIDERS {
            let mask = format!("{}{}", provider.prefix, "x".repeat(provider.least.max(8)));
            assert_eq!(Redactor::standard().redact(&mask).text, mask, "{}", provider.name);
        }
    }

    #[test]
    fn no_key_is_too_short_for_the_scan() {
        for provider in PROVIDERS {
            assert!(
                provider.prefix.len() + provider.least >= super::super::scan::SHORTEST_KEY,
                "{}",
                provider.prefix
            );
            assert!(within(ALNUM, provider.prefix.as_bytes()[0]), "{} starts no word", provider.prefix);
        }
    }
}
