//! The words, language by language, with which people ask about a text that they show.

/// What is said of a shown text in one language: words with a blank between them, and patterns of words.
///
/// In a pattern `a|b` are alternatives, `a~` begins a word, `a?` may be missing, `!a` must not follow, `…` stands for
/// some words, `SMALL` for none or some of those behind a pointer, `$` for the end and such words before it, `THIS` for what points at the text, `TEXT` for what texts are
/// called and `WHENCE` for whom and where they come from.
pub(super) struct Tongue {
    /// What points at a text alone: “it”.
    pub(super) pointing: &'static str,
    /// What stands before the name of a text: “this …”.
    pub(super) naming: &'static str,
    /// What texts are called.
    pub(super) texts: &'static str,
    /// Who writes texts and where they stand, when they are somebody else's.
    pub(super) whence: &'static str,
    /// What may stand behind a word that points alone.
    pub(super) behind: &'static str,
    /// What begins a question, for those who type no mark.
    pub(super) asking: &'static str,
    /// Asks about the text: for it in other words, what it means, whether it is true, how to answer it.
    pub(super) about: &'static [&'static str],
    /// Says that it came from somebody else; beside a question it was shown for that.
    pub(super) from: &'static [&'static str],
}

pub(super) static TONGUES: [Tongue; 6] = [ENGLISH, GERMAN, SPANISH, FRENCH, PORTUGUESE, ITALIAN];

const ENGLISH: Tongue = Tongue {
    pointing: "this that it these those them",
    naming: "this that these those such",
    texts: "mail~ email~ message~ letter~ text~ paragraph~ article~ post posts thread guide~ rule rules \
        point points minutes line lines quote~ passage~ notice~ statement~ advice comment~ chat \
        conversation thing things stuff excerpt~ list",
    whence: "thread forum blog mail email newsletter internet web website site channel chat group board \
        book article post issue ticket customer~ client~ user~ friend~ colleague~ coworker~ boss \
        vendor~ supplier~ competitor~ stranger~ reviewer~ guy~ somebody someone company companies",
    behind: "for to in into as with briefly please pls and or by on at from here there again today \
        yesterday then now up down shortly quickly anyway really actually even about somewhere \
        online when while right means mean says say come comes coming true legit legitimate real \
        spam phishing a an one some is are was were",
    asking: "how what where why who which is are does do any can should",
    about: &[
        "summari~|translat~|rephrase|reword|paraphrase|proofread|interpret|decipher THIS !in|into",
        "summari~|translat~|rephrase|reword|paraphrase|proofread|interpret|decipher THIS in|into !the|our|my|your",
        "summari~|translat~ THIS … for me|us",
        "summari~|translat~|rephrase|reword|paraphrase|proofread $",
        "summari~|translat~|shorten THIS? to|in|into a|one|two|three|few|english|german|french|spanish|italian|portuguese",
        "gist $",
        "gist|tldr of",
        "tldr please|pls|plz|for|me|us|this",
        "give|want|need … tldr",
        "sum|break THIS up|down",
        "summary|translation of THIS",
        "explain me|us … THIS",
        "explain THIS to me|us",
        "explain … what … means|mean|meant",
        "explain point|item|paragraph|section",
        "answer|reply|response|respond to THIS|him|her|them",
        "draft|write|formulate me|us … answer|reply|response $",
        "how|what do|should|would|could|can i|we|you answer|reply|tell|say THIS|to? him|her|them",
        "do|should|must i|we … reply|respond|react|care|follow|worry|bother about|to? THIS? $",
        "i|we have|need to reply|respond|react|care|follow|worry about|to? THIS? $",
        "what do|would you think|make|say|reckon of|about|to THIS",
        "what is|what's|whats your take|opinion|view|verdict on|of|about THIS",
        "thoughts|opinions|comments on|about THIS",
        "agree with THIS|him|her|them",
        "believe|trust THIS|him|her|them",
        "truth to|in THIS",
        "is|are|was|were|if|whether THIS|he|she|they is|are? really|actually|even? a|an|some|just|only? prompt? true|legit|legitimate|phishing|spam|scam|hoax|fake|joke|trolling|joking|kidding|serious|nonsense|satire|real|injection !for|of|in",
        "is THIS for real",
        "who is? right|wrong",
        "who's right|wrong",
        "is|was that|this|the guy|man|woman|author|person right|wrong|serious",
        "smells|looks|sounds|reads|feels like … phishing|spam|scam|joke|hoax|trolling|satire|nonsense|injection",
        "what do|does|did he|she|they|the|THIS … mean|meant !for",
        "what do|does|did he|she|they want|wants",
        "what he|she|they mean|means|meant|want|wants|wanted !for",
        "what he|she|they say|says|claim|claims|write|writes is|are",
        "what do|does the|this|that|these TEXT say|mean|want",
        "what language is THIS",
        "what THIS mean|means|meant !for",
        "what's|what is? meant by|with",
        "where do|does|did|could|can|would THIS … come",
        "where do|does|did|could|can|would … such … come",
        "where do|does|did|could|can|would … like THIS … come",
        "who|what wrote|writes|sent|says|said|prints|printed THIS",
        "who|what wrote|writes|sent|says|said|prints|printed such",
        "why do|does|did|would he|she|they|it|anybody|anyone|somebody|someone say|write|print|claim|put|want THIS",
    ],
    from: &[
        "got|found|received|saw|read|discovered this|that|these|those today|yesterday|by|from|via|online|somewhere",
        "got|found|received|saw|read|discovered this|that|these|those in|on|at … WHENCE",
        "got|found|received|saw|read|discovered this|these|those … TEXT",
        "got|found|received|saw|read this|these|those $",
        "copied|pasted THIS from",
        "TEXT that|which? i|we found|got|received|saw|read",
        "somebody|someone|he|she|they|people|WHENCE has|have|had|just? put|posted|wrote|written|sent|left|shared|forwarded|pasted|claims|claimed !it|them THIS",
        "sent|forwarded|showed|mailed|handed|gave|passed me|us THIS",
        "sent|forwarded|showed|mailed|handed|gave|passed THIS to me|us",
        "is|was|are|were|come|comes|came|that's|it's from|by|in|on a|an|another|some|the|his|her|their|my … WHENCE",
        "is|was|are|were|come|comes|came|that's|it's from|by somebody|someone|another",
        "i|we haven't|didn't|never write|wrote|written|say|said|type|typed THIS $",
        "i|we have|did not|never write|written|say|said|type|typed THIS $",
        "not|isn't|wasn't mine",
        "not|isn't|wasn't from me|us",
    ],
};

const GERMAN: Tongue = Tongue {
    pointing: "das dies dieses es dazu davon darüber sowas",
    naming: "dieser diese dieses diesen diesem solche solcher solchen",
    texts: "mail~ nachricht~ text~ brief~ absatz~ artikel~ protokoll~ regel~ punkt~ anleitung~ liste~ \
        beitrag~ post zeile~ zitat~ hinweis~ kommentar~ satz~ sätze~ ding~ sache~ notiz~ chat~ \
        leitfaden~ aussage~",
    whence: "forum~ blog~ mail~ newsletter~ internet~ netz~ kanal~ chat~ gruppe~ buch~ artikel~ kunde~ \
        kundin~ nutzer~ freund~ kolleg~ chef~ anbieter~ firma~ jemand~ verein~",
    behind: "zwei drei einem einen satz sätze~ worten wenigen kurzen einfachen eigenen ins englisch~ deutsch~ französisch~ spanisch~ italienisch~ heiß~ bitte mir uns in auf mal kurz für als einmal so hier da denn überhaupt wirklich echt alles \
        mit von aus oder und zusammen~ übersetz~ erklär~ umformulier~ kürz~ vereinfach~ heute \
        gestern gerade eben wahr spam phishing ein eine ernst auch ganz genau eigentlich hat haben \
        hab habe",
    asking: "wie was wo woher warum wieso wer welche welcher ist sind kann kannst",
    about: &[
        "THIS SMALL zusammenfass~|zusammengefasst|zusammenzufassen|übersetz~|umformulier~",
        "bitte|kurz|mal SMALL übersetzen|zusammenfassen|korrekturlesen $",
        "fass|fasse|fasst|übersetz|übersetze|übersetzt du|ihr? mir|uns? THIS",
        "mir|uns THIS … erklär~|vereinfach~|kürz~",
        "erklär|erkläre|erklärt mir|uns … THIS",
        "zusammenfassung|übersetzung davon",
        "zusammenfassung|übersetzung von THIS",
        "was meinst|denkst|sagst|hältst|haltet|meint|sagt|denkt du|ihr|sie? dazu|davon|darüber",
        "was meinst|denkst|sagst|hältst|haltet|meint|sagt|denkt du|ihr|sie? zu|von|über THIS",
        "wie findest|findet du|ihr THIS",
        "meinung|einschätzung dazu|davon|darüber",
        "was heißt|heisst|bedeutet|bedeuten|soll THIS !für",
        "was will|wollen|meint|meinen er|sie|der|die|man … damit|sagen|mir|uns",
        "stimmt das|es|THIS",
        "ist|sind|war das|es|er|sie|THIS wirklich|echt? ein|eine|nur? wahr|phishing|spam|betrug|ernst|seriös|quatsch|unsinn|scherz|witz|fake|satire",
        "ist das|es echt $",
        "woher kommt|kommen|stammt|stammen|kam das|es|so|sowas|THIS",
        "wer schreibt|schrieb|sagt|druckt so|sowas|THIS",
        "antwort~ darauf|ihm|ihnen",
        "antwort~ auf THIS",
        "was|wie soll|kann|könnte|würdest ich|man|wir|du … antworten",
        "soll|sollte|sollten|muss|müssen ich|man|wir … antworten|reagieren|befolgen $",
    ],
    from: &[
        "hab|habe|haben ich|wir? … WHENCE gefunden|bekommen|gelesen|erhalten|gekriegt|kopiert|entdeckt",
        "das|dies|THIS hab|habe|haben ich|wir heute|gestern|gerade|eben? bekommen|erhalten|gekriegt",
        "den|die|das ich|wir … WHENCE gefunden|bekommen|gelesen|erhalten|entdeckt",
        "hat|haben mir|uns … geschickt|geschrieben|weitergeleitet|gegeben|gezeigt|gemailt",
        "hat|haben jemand|wer|einer|mein|meine|WHENCE … geschrieben|gepostet|geschickt|gemailt|weitergeleitet",
        "hat|haben der|die … WHENCE geschrieben|gepostet|geschickt|gemailt|weitergeleitet",
        "ist|sind|kam|kommt|stammt|stammen von|vom|aus|per|über … WHENCE",
        "ist|sind|stammt|kommt nicht von mir|uns",
        "nicht von mir|uns",
    ],
};

const SPANISH: Tongue = Tongue {
    pointing: "esto eso lo ello",
    naming: "este esta estos estas ese esa esos esas",
    texts: "guía~ guia~ correo~ mensaje~ texto~ regla~ norma~ párrafo~ artículo~ carta~ acta~ lista~ \
        publicación hilo~ nota~ documento~ aviso~ comentario~ reseña~ punto~ línea~",
    whence: "foro~ blog~ correo~ internet web canal~ chat~ grupo~ libro~ artículo~ cliente~ usuari~ amig~ \
        colega~ compañer~ jef~ proveedor~ empresa~ alguien",
    behind: "en al a para por favor con de y o que aquí hoy ayer puedes puede podrías es verdad cierto \
        significa resum~ tradu~ explic~",
    asking: "cómo qué dónde por quién cuál cuáles es son puedes hay",
    about: &[
        "qué|que opinas|opina|opináis|piensas|piensa|dices|crees|opinan de|sobre THIS",
        "qué|que te|le|os parece|parecen THIS",
        "qué|que opinas|opináis|piensas $",
        "resume|resumir|resumirme|resúmeme|traduce|traducir|traducirme|tradúceme THIS",
        "resúmelo|resúmemelo|resumirlo|resumírmelo|tradúcelo|tradúcemelo|traducirlo|traducírmelo|explícamelo|explicármelo",
        "me|nos lo|la|los|las puedes|podrías? resumir|traducir|explicar|resumes|traduces|explicas",
        "explícame|explicarme THIS",
        "qué|que significa|significan|quiere|quieren decir? $",
        "qué|que significa|significan|quiere|quieren decir? con? THIS",
        "es|son|será una|un|algo? verdad|cierto|phishing|spam|estafa|timo|broma|legítimo|fiable !que",
        "de dónde viene|vienen|sale|salen $",
        "de dónde viene|vienen|sale|salen THIS",
        "quién escribe|escribió|dice|manda THIS",
        "qué|cómo le|les? respondo|contesto|respondería|responder|contestar $",
        "respond~|contest~|respuesta a THIS",
    ],
    from: &[
        "TEXT que me|nos? he|hemos? encontré|encontrado|leí|leído|vi|visto|recibí|recibido|mandaron|enviaron|pasaron",
        "me|nos lo|la|los|las|esto? ha|han? mandó|mandaron|mandado|envió|enviaron|enviado",
        "me|nos lo|la|los|las|esto ha|han? pasó|pasaron|pasado|llegó|llegaron|llegado|dio|dieron",
        "me|nos llegó|llegaron|mandó|mandaron|envió|enviaron THIS",
        "encontré|leí|vi|encontramos THIS|lo? … WHENCE",
        "recibí|recibimos THIS",
        "es|son|viene|vienen|sale de|del … WHENCE",
        "no es|son mío|mía|nuestro|nuestra|míos|nuestros",
        "no lo|la|los escribí|escribimos",
    ],
};

const FRENCH: Tongue = Tongue {
    pointing: "ça ceci cela",
    naming: "ce cet cette ces",
    texts: "mail~ courriel~ message~ texte~ règle~ paragraphe~ article~ lettre~ guide~ liste~ post fil \
        note~ document~ avis commentaire~ point~ ligne~ compte~",
    whence: "forum~ blog~ mail~ courriel~ internet web canal chat groupe~ livre~ article~ client~ \
        utilisat~ ami amie amis collègue~ chef~ fournisseur~ boîte entreprise~ quelqu'un",
    behind: "en au à pour s'il stp svp avec de et ou ici hier résum~ tradui~ expliqu~ veut vient dit dans \
        sur par aujourd'hui vrai sérieux",
    asking: "comment que qu'est où d'où pourquoi qui quel quelle quels est c'est",
    about: &[
        "qu'en penses|pensez|dis|dites",
        "en penses|pensez tu|vous? quoi? $",
        "que|quoi penses|pensez tu|vous? de THIS",
        "qu'est ce que tu|vous penses|pensez de THIS",
        "résume|résumer|résumez|traduis|traduire|traduisez|reformule~ moi|nous? THIS",
        "me|nous le|la|les résumer|traduire|expliquer|reformuler",
        "résume|traduis|explique moi le|la|les $",
        "explique|expliquer|expliquez moi? THIS",
        "que|qu'est … veut|veulent il|elle|ils|THIS? dire",
        "THIS veut dire quoi",
        "c'est quoi THIS",
        "c'est|est|serait ce|ça|il? du|une|un? vrai|sérieux|phishing|spam|arnaque|blague|légitime|hameçonnage !que",
        "d'où vient|viennent|sort|sortent THIS",
        "THIS vient|sort d'où",
        "qui dit|écrit THIS",
        "qui a écrit|dit THIS",
        "que|comment lui|leur? répondre|répondrais|répondriez $",
        "réponse|répondre à THIS",
    ],
    from: &[
        "reçu THIS",
        "l'ai|l'avons|l'a reçu|reçue",
        "trouvé|lu|vu|récupéré THIS? … WHENCE",
        "TEXT que j'ai|on|nous a|avons? trouvé|reçu|lu|vu|envoyé",
        "m'a|m'ont|l'a|l'ont envoyé|transféré|donné|montré|écrit",
        "nous a|ont envoyé|transféré|donné|montré|écrit",
        "vient|viennent|sort d'un|d'une|du|de … WHENCE",
        "pas de moi|nous",
        "n'ai|n'avons pas écrit THIS",
    ],
};

const PORTUGUESE: Tongue = Tongue {
    pointing: "isto isso disto disso",
    naming: "este esta estes estas esse essa esses essas deste desta destes destas desse dessa desses \
        dessas",
    texts: "guia~ mail~ email~ mensagem mensagens texto~ regra~ parágrafo~ artigo~ carta~ ata lista~ \
        nota~ documento~ aviso~ comentário~ ponto~ linha~ post",
    whence: "fórum blog~ mail~ email~ internet web canal chat grupo~ livro~ artigo~ cliente~ usuári~ \
        amig~ colega~ chefe~ fornecedor~ empresa~ alguém",
    behind: "em para pra por favor com de e ou aqui hoje ontem é verdade quer vem no na num numa",
    asking: "como que o onde porque por quem qual quais é pode",
    about: &[
        "que|quê você|vocês|tu|cê? acha|achas|acham|pensa|pensas|diz THIS",
        "que|quê você|vocês|tu|cê? acha|achas|acham|pensa|pensas de|sobre THIS",
        "resume|resuma|resumir|traduz|traduza|traduzir pra|para|me? mim? THIS",
        "resume|resuma|resumir|traduz|traduza|traduzir|explica isto|isso|THIS? pra|para mim|nós $",
        "explica|explique|explicar pra|para|me? mim? THIS",
        "que significa|significam|quer|querem dizer? THIS",
        "que THIS quer|querem|significa",
        "que ele|ela|eles quer|querem dizer",
        "é|será um|uma? verdade|golpe|phishing|spam|sério|verdadeiro|legítimo|piada|brincadeira !que",
        "de onde vem|vêm|saiu|sai THIS",
        "que|como eu? lhe? respondo|responder $",
        "respond~|resposta a|para THIS",
    ],
    from: &[
        "recebi THIS",
        "encontrei|li|vi|achei THIS? … WHENCE",
        "TEXT que encontrei|recebi|li|vi|achei|me",
        "me|nos mandou|mandaram|enviou|enviaram|passou|passaram",
        "é|são|vem|veio de|do|da|dum|duma … WHENCE",
        "não é|são meu|minha|nosso|nossa",
        "não fui|fomos eu|nós",
    ],
};

const ITALIAN: Tongue = Tongue {
    pointing: "questo ciò quello",
    naming: "questo questa questi queste quel quella quei quelle",
    texts: "mail~ messaggio messaggi testo testi regola regole paragrafo articolo articoli lettera \
        verbale guida lista post nota note documento avviso commento commenti punti punto riga righe \
        email~",
    whence: "forum blog mail email~ internet web canale chat gruppo libro articolo cliente clienti utente \
        utenti amico amica collega colleghi capo fornitore azienda ditta qualcuno",
    behind: "in per favore con di da e o qui oggi ieri è vero vuol significa su nel nella",
    asking: "come che cosa dove perché chi quale quali è puoi",
    about: &[
        "che|cosa ne pensi|pensate|dici|dite",
        "che|cosa pensi|pensate|dici di THIS",
        "riassumi|riassumere|riassumermi|traduci|tradurre|tradurmi|riformula THIS",
        "me|ce lo|la|li puoi? riassumi|riassumere|traduci|tradurre|spieghi|spiegare",
        "riassumimelo|traducimelo|spiegamelo|riassumerlo|tradurlo|riassumermelo|tradurmelo",
        "spiegami|spiegarmi|spiegaci THIS",
        "che|cosa significa|significano|vuol|vuole|vogliono dire? $",
        "che|cosa significa|significano|vuol|vuole|vogliono dire? THIS",
        "è|sarà un|una|uno? vero|vera|phishing|truffa|spam|serio|scherzo|legittimo !che",
        "da dove viene|vengono|arriva|esce $",
        "da dove viene|vengono|arriva|esce THIS",
        "cosa|come gli|le? rispondo|rispondere|rispondiamo $",
        "rispond~|risposta a THIS",
    ],
    from: &[
        "ricevuto THIS",
        "mi|ci è|sono arrivato|arrivata|arrivate|arrivati",
        "trovato|letto|visto THIS? … WHENCE",
        "TEXT che ho|abbiamo|mi hanno|ha? trovato|trovata|ricevuto|ricevuta|letto|letta|mandato|mandata",
        "mi|ci|me ha|hanno|l'ha|l'hanno mandato|mandata|inviato|inviata|girato|girata|scritto",
        "è|viene|arriva|sono da|di|del|dal … WHENCE",
        "non è|sono mio|mia|nostro|nostra|miei|nostri",
        "non l'ho|l'abbiamo scritto|scritta",
    ],
};

/// Japanese is written without blanks: what asks about a text, wherever it stands.
pub(super) const JAPANESE: [&str; 15] = [
    "要約して",
    "翻訳して",
    "訳して",
    "どういう意味",
    "どう思いますか",
    "どう思う？",
    "本当ですか",
    "本物ですか",
    "詐欺ですか",
    "フィッシングですか",
    "返信を書いて",
    "どう返事",
    "どう返信",
    "どこから来",
    "が送ってき",
];
