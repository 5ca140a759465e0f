//! What holds elsewhere or nowhere: what somebody else is said to claim and the person asks about, what is only supposed,
//! how it was at another house or in a story.
//!
//! “The customer says that invoices must be numbered” passes on what is wanted. “My cousin claims that invoices must be
//! numbered, is that so?” wants to know.

use std::sync::LazyLock;

use regex::Regex;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("the pattern is a constant"));
    };
}

// "Let's pretend that …": nobody says that it is so.
pattern!(
    SUPPOSES,
    r"(?xi)^(?: let(?:'s|\ us)\ (?:pretend|imagine) | pretend\ (?:that|we|there|it) | suppos(?:e|ing)\b | imagine\b | hypothetically\b
      | for\ the\ sake\ of\ argument | angenommen\b | stell(?:t|en\ sie)?\ (?:dir|euch)\ (?:mal\ )?vor | tun\ wir\ (?:mal\ )?so | nehmen\ wir\ (?:mal\ )?an
      | supongamos | imagin[ae](?:mos)?\ que | finjamos | supposons | imaginons | imagine\ qu | admettons | faisons\ comme\ si
      | suponhamos | suponha | vamos\ fingir | supponiamo | immagin[ai](?:amo)?\ che | facciamo\ finta | stel\ (?:dat|je\ voor) | 仮に | もし仮に )"
);
// "Let's say …" decides as often as it supposes; a question behind it tells.
pattern!(
    SAYS_SO,
    r"(?i)^(?:let(?:'s|\ us)\ (?:say|assume)|assum(?:e|ing)\b|say that\b|sagen wir|digamos|disons|diciamo|zeg dat)"
);
// "In the company where I was", "in the novel I write", "the competitor".
pattern!(
    ELSEWHERE,
    r"(?xi)^(?: (?:back\ )?(?:in|at)\ (?:my|our|the|an?)\ (?:old|last|previous|former|other|first|ex-?)\ ?(?:company|job|team|employer|firm|startup|workplace|office|place)\b
      | in\ my\ (?:novel|book|story|film|movie|game|dream|play|poem|comic)\b
      | in\ (?:the|a|this)\ (?:novel|book|story|film|movie|series|game|dream|play|poem|comic)\ (?:that\ |which\ )?(?:i|we)(?:'m|\ am|\ are|'re)?\ (?:writ|wrot|read|watch|saw|play)
      | (?:the|a|an|our|one\ of\ our|some\ of\ our)\ (?:main\ |biggest\ |other\ )?(?:competitors?|competition|rivals?)\b
      | in\ (?:meiner|der|unserer)\ (?:alten|letzten|früheren|vorigen)\ (?:firma|arbeit|stelle)\b | in\ meine[mr]\ (?:roman|buch|geschichte|film|traum)\b
      | (?:die|unsere)\ konkurrenz\b | (?:der|unser)\ (?:konkurrent|mitbewerber|wettbewerber)\b
      | en\ (?:mi|la|nuestra)\ (?:antigua|anterior)\ (?:empresa|oficina)\b | en\ mi\ (?:novela|libro|cuento|sueño)\b | (?:la|nuestra)\ competencia\b
      | dans\ (?:mon|notre|l')\ ?(?:ancienne|ancien|précédente?)\ (?:boîte|entreprise|travail|équipe)\b | dans\ mon\ (?:roman|livre|histoire|rêve)\b | (?:la|notre)\ concurrence\b
      | na\ (?:minha\ )?antiga\ (?:empresa|firma)\b | n[oa]\ (?:meu|minha)\ (?:romance|livro|história|sonho)\b | (?:a|nossa)\ concorrência\b | o\ concorrente\b
      | nella\ (?:mia\ )?vecchia\ (?:azienda|ditta)\b | nel\ mio\ (?:romanzo|libro|sogno)\b | la\ concorrenza\b
      | (?:bij|in)\ (?:mijn|ons)\ (?:oude|vorige)\ (?:bedrijf|werk|baan)\b | in\ mijn\ (?:roman|boek)\b | de\ concurrent(?:ie)?\b )"
);
// "…, so we don't either": what follows from it for us.
pattern!(
    FOR_US,
    r"(?i)\b(?:so|but|therefore|hence|unlike|aber|deshalb|also|pero|mais|donc|mas|ma|quindi|maar|dus)\b.*\b(?:we|us|our|here|wir|uns|hier|nosotros|aquí|nous|ici|on|nós|aqui|noi|qui|wij|ons)\b"
);
/// Verbs by which people report what another said.
const SAYS: &str = r"(?:keeps?\ (?:saying|claiming|telling)|claim(?:s|ed)?|insist(?:s|ed)?|say(?:s|ing)?|said|writes?|wrote|posts?|posted|tells?\ me|told\ (?:me|us)|thinks?|thought|believes?|believed|reckons?|argues?|argued|swears?|suggests?|suggested|mentioned|recommends?|recommended
      |behauptet|behaupten|sagt|sagen|sagte|meint|meinte|schreibt|schrieb|glaubt|dicen?|dijo|afirman?|aseguran?|escribió|dit|disent|prétend(?:ent)?|affirme(?:nt)?|écrit|pense|diz(?:em)?|disse|acha|dice|dicono|sostiene|afferma|ha\ scritto|zegt|zeggen|beweert|schrijft|denkt)";
// Programs that answer anything, and places where anybody writes.
const STRANGERS: &str = r"(?:chat\s?gpt|gpt(?:-[\w.]+)?|copilot|gemini|claude(?:\ code)?|grok|perplexity|deepseek|mistral|llama|codex|the\ (?:other\ )?(?:ai|bot|chatbot|assistant|llm|internet|web)|an(?:other)?\ (?:ai|llm|chatbot)|die\ ki|reddit|stack\ ?overflow|hacker\ news|youtube|twitter|linkedin|wikipedia|tiktok|quora)";
static REPORTS: LazyLock<Regex> = LazyLock::new(|| {
    let text = format!(
        r"(?xi)^(?:(?:well|but|and|so|hm+|also|hey|hi|apparently|according\ to\ him)[,\ ]+)*
          (?P<who>(?:[\p{{L}}\p{{N}}'’.-]+\ ){{1,7}}?)(?:just\ |also\ |always\ |now\ |once\ |recently\ |has\ |have\ |had\ |hat\ )?{SAYS}\b"
    );
    Regex::new(&text).expect("the pattern is a constant")
});
static ACCORDING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:according to|laut|según|selon|d['’]après|segundo|secondo|volgens)\s+(?P<who>[^,:]{2,60})[,:\s]")
        .expect("the pattern is a constant")
});
static STRANGER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)\b{STRANGERS}\b")).expect("the pattern is a constant"));
// "A bot told me this: …": what follows is shown.
pattern!(SHOWN, r"(?i)\b(?:this|that|the following|folgendes|das|esto|ceci|ça|isto|questo|dit)?:(?:\s|$)");
// Who says "I say" or "we think" reports nobody else.
pattern!(
    OWN,
    r"(?i)\b(?:i|we|you|ich|wir|du|yo|nosotros|je|nous|eu|nós|io|noi|ik|wij|what|as|if|when|whoever|who|nobody|it|this|that|which|the (?:label|sign|page|screen|error|log|message|test|button|banner))\s*$"
);
// Whose word is what is wanted.
pattern!(
    AUTHORITY,
    r"(?i)\b(?:customers?|clients?|legal|lawyers?|compliance|boss|management|manager|auditors?|accountants?|accounting|security|owner|po|regulators?|law|contract|spec|specification|ceo|cto|board|authority|kund\w*|chef\w*|recht\w*|jurist\w*|anwalt|anwältin|cliente\w*|jef[ea]|abogad\w*|juridique|patron\w*|avocat\w*|jurídico|advogad\w*|capo|legale|avvocat\w*|klant\w*|baas|juridisch\w*)\b"
);
// "Is that true?", "agree?": whether it is so.
pattern!(
    DOUBTS,
    r"(?i)\b(?:agree|true|right|correct|really|believe|think|opinion|thoughts|nonsense|legit|make[s]? sense|stimmt|richtig|wirklich|wahr|meinst|verdad|cierto|crees|vrai|penses|verdade|acha|vero|pensi|waar|klopt)\b|ですか"
);
// "Can you add a lamp?" is asked for, "can you check whether it is so?" asks.
pattern!(
    ERRAND,
    r"(?i)^(?:(?:so|and|ok|then|now|also)[,\s]+)*(?:can|could|would|will|may|shall|should) (?:you|we|i) (?:please |also |then |now |just )?(?:add|make|build|write|change|fix|mend|update|implement|create|remove|move|put|use|set|do|turn|rename|replace|delete|drop|enable|disable|migrate|refactor)\b|^(?:kannst|könntest) du .*(?:einbauen|ändern|bauen|umbauen|anpassen|machen|reparieren|hinzufügen)\b"
);
// What a person says for themselves again.
pattern!(
    OWN_WORD,
    r"(?i)^(?:we|our|i|i'm|let's|please|from now on|always|never|don't|use|rule|decision|so|ok|anyway|wir|ab jetzt|bitte|nosotros|nous|on|nós|noi|wij)\b"
);

/// Returns a message without what it reports and asks about, supposes, or tells of elsewhere.
pub(super) fn without_hearsay(message: &str) -> String {
    let sentences = sentences(message);
    let asked =
        |from: usize| sentences[from..].iter().find(|sentence| is_question(sentence.text)).map(|it| it.text);
    let mut out = String::with_capacity(message.len());
    let mut dropped = None;
    for (at, sentence) in sentences.iter().enumerate() {
        let text = sentence.text.trim_start_matches(|c: char| !c.is_alphanumeric());
        // What goes on with it stands in its paragraph, up to the question.
        let goes_on = dropped == Some(sentence.paragraph) && !OWN_WORD.is_match(text) && !is_question(text);
        let question = || asked(at).filter(|_| !is_question(text));
        let reported = is_reported(text, question()) || SAYS_SO.is_match(text) && question().is_some();
        let supposed = SUPPOSES.is_match(text) && !is_question(text);
        let elsewhere = ELSEWHERE.is_match(text) && !FOR_US.is_match(text);
        if reported || supposed || elsewhere || goes_on {
            let follows = reported || supposed && question().is_some() || goes_on;
            dropped = follows.then_some(sentence.paragraph);
            out.extend(sentence.text.chars().filter(|c| *c == '\n'));
        } else {
            dropped = None;
            out.push_str(sentence.text);
        }
    }
    out
}

/// Tells whether a sentence reports what somebody else said, for the sake of a question or as a paste.
fn is_reported(text: &str, question: Option<&str>) -> bool {
    let who = REPORTS.captures(text).or_else(|| ACCORDING.captures(text)).and_then(|found| found.name("who"));
    let Some(who) = who.map(|who| who.as_str()).filter(|who| !OWN.is_match(who.trim())) else { return false };
    if STRANGER.is_match(who) && SHOWN.is_match(text) {
        return true;
    }
    question.is_some_and(|question| match AUTHORITY.is_match(who) {
        true => DOUBTS.is_match(question) && !ERRAND.is_match(question.trim()),
        false => !ERRAND.is_match(question.trim()),
    })
}

fn is_question(text: &str) -> bool {
    text.trim_end_matches([' ', '\n', '"', ')', '!']).ends_with(['?', '？'])
}

/// A sentence with what stands behind it, and its paragraph.
struct Said<'t> {
    text: &'t str,
    paragraph: usize,
}

/// Cuts a text into its sentences, leaving nothing out.
fn sentences(text: &str) -> Vec<Said<'_>> {
    let mut out = Vec::new();
    let (mut from, mut paragraph) = (0, 0);
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let rest = &text[end..];
        let ends = match c {
            '\n' | '。' | '？' | '！' => true,
            '.' | '!' | '?' => {
                rest.is_empty() || rest.starts_with(' ') && !lore_core::text::abbreviates(&text[from..at])
            }
            _ => rest.is_empty(),
        };
        if ends {
            out.push(Said { text: &text[from..end], paragraph });
            from = end;
            paragraph += usize::from(c == '\n' && rest.starts_with('\n'));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn left(message: &str, expected: &str) {
        assert_eq!(without_hearsay(message).trim(), expected, "{message}");
    }

    #[test]
    fn what_somebody_is_said_to_claim_and_is_asked_about_is_left_out() {
        left(
            "Our pilot claims that lamps must never be lit. They go out. Can you check that?",
            "Can you check that?",
        );
        left("Someone on a forum wrote that ropes must never be oiled. Agree?", "Agree?");
        left("According to Copilot every berth needs two lamps. Is that so?", "Is that so?");
        left("My colleague says boats are limited to five guests.\nDo we do that?", "Do we do that?");
        left("chatgpt told me this: never oil a rope at night. Lamps are always red.", "");
        left("Unser Lotse behauptet, dass Lampen nie brennen dürfen. Stimmt das?", "Stimmt das?");
        left("Mi primo dice que las cuerdas nunca se engrasan. ¿Es verdad?", "¿Es verdad?");
        left("Selon un ami, on ne graisse jamais les cordes. C'est vrai ?", "C'est vrai ?");
        left("The customer says that lamps must be red. Is that right?", "Is that right?");
    }

    #[test]
    fn what_is_supposed_or_told_of_elsewhere_is_left_out() {
        left("Let's pretend that boats are limited to five guests. What breaks?", "What breaks?");
        left("Stell dir vor, jedes Boot hat nur eine Lampe. Was geht kaputt?", "Was geht kaputt?");
        left("Let's say lamps are always red. What breaks?", "What breaks?");
        left("The competitor never charges for berths.", "");
        left("In my old company we always rang the bell on Fridays. Ring it now.", "Ring it now.");
        left("In the novel I write ferries never moor at night.", "");
        left("In meiner alten Firma haben wir immer geläutet.", "");
        left(
            "Our competitors never charge for berths, so we don't either.",
            "Our competitors never charge for berths, so we don't either.",
        );
    }

    #[test]
    fn what_is_passed_on_stays() {
        for message in [
            "The customer says that every lamp must be red.",
            "The customer says that every lamp must be red. Can you add a check?",
            "Legal says we must never keep names. Where do we keep them?",
            "The harbour master says that boats must be counted twice.",
            "My colleague says that ropes are oiled twice. Can you add that to the list?",
            "We said that ropes are oiled twice. Is that done?",
            "I think lamps must be red. What do you think?",
            "Let's say 30 minutes.",
            "Our boats are never longer than the pier. Is that a problem?",
            "The sign says no entry. Why is it red?",
            "Lamps are red.\n\nRopes are oiled.",
        ] {
            left(message, message);
        }
    }
}
