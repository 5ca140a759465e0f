//! The words, language by language, with which people order something to be made of a text that they hand over.

/// The orders of one language, in the patterns of a [`Tongue`](super::tongues::Tongue).
pub(super) struct Orders {
    /// What may stand before an order.
    pub(super) politely: &'static str,
    /// Orders something to be made of a text that stands below or behind the order.
    pub(super) orders: &'static [&'static str],
}

/// The orders of the languages of [`TONGUES`](super::tongues::TONGUES), in the same order.
pub(super) static ORDERS: [Orders; 6] = [ENGLISH, GERMAN, SPANISH, FRENCH, PORTUGUESE, ITALIAN];

const ENGLISH: Orders = Orders {
    politely: "can could would will you please pls plz kindly now then also and next hi hey hello just ok okay so \
        i we need want to help me us quickly go ahead",
    orders: &[
        "translate|summari~|shorten|rephrase|reword|rewrite|proofread|paraphrase|simplify|condense $",
        "translate|summari~|shorten|rephrase|reword|rewrite|proofread|paraphrase|condense|polish|spellcheck the? THIS|following",
        "translate|summari~|shorten|rephrase|reword|rewrite|proofread|paraphrase|condense|polish|spellcheck the|a following|text|wording|sentence|paragraph",
        "translate THIS? the? following? to|into a? english|german|french|spanish|italian|portuguese|dutch|japanese|chinese",
        "simplify|improve|correct|edit|format|fix THIS|the following? text~|mail~|email~|message~|letter~|paragraph~|sentence~|wording|notice",
        "make|create|build|draw|write|give|generate|do|get me|us? a|an|one … table|list|summary|slide|slides|diagram|checklist|poster|flyer|tldr|overview|chart of|from|out|for|with THIS|these|the|it",
        "turn|convert|make|put|bring THIS|these|those|the … into|in a|an|one|two|three … table|list|summary|slide~|diagram|checklist|poster|mail|email|letter|bullet~|paragraph~|sentence~|poem|tweet",
        "make the? wording|tone|text|sentence~|paragraph~|mail~|message~|notice|THIS … friendl~|nicer|polite~|shorter|clearer|softer|formal|casual|warmer|professional",
        "make it … friendl~|nicer|polite~|formal|casual|warmer|professional",
        "make it|this|that|these sound",
        "put|add|insert|place|show|display|use|paste this|that|these|those|it on|onto|to|in|into|as|at … page~|faq|website|homepage|site|landing|footer|header|banner|newsletter|dialog~|tooltip|popup|mail|email|blog|imprint|poster|flyer",
        "put|add|insert|place|show|display|use|paste the following … on|onto|to|in|into|as|at … page~|faq|website|homepage|site|landing|footer|header|banner|newsletter|dialog~|tooltip|popup|mail|email|blog|imprint|poster|flyer",
        "put|add|insert|place|show|display|paste this|the|a|that text|sentence|paragraph|notice|wording|line on|onto|to|in|into|at … page~|faq|website|homepage|site|landing|footer|header|banner|newsletter|dialog~|tooltip|popup|mail|email|blog|imprint|poster|flyer",
        "tldr please|pls|plz|for|of",
    ],
};

const GERMAN: Orders = Orders {
    politely: "kannst könntest du mir uns bitte mal kurz jetzt dann und nun hallo hi",
    orders: &[
        "übersetz~|zusammenfass~|umformulier~ $",
        "übersetz~|kürz~|formulier~|vereinfach~|überarbeit~|korrigier~ mir? bitte? mal? das|dies|es|THIS|folgende~",
        "übersetz~|kürz~|formulier~|vereinfach~|überarbeit~|korrigier~ mir? bitte? den|folgenden folgenden|text|satz|absatz",
        "übersetz~ … ins|auf englisch~|deutsch~|französisch~|spanisch~|italienisch~",
        "das|dies|THIS bitte? … übersetzen|kürzen|umformulieren|zusammenfassen|vereinfachen",
        "fass|fasse … THIS … zusammen",
        "mach|mache|erstell|erstelle|bau|baue … eine|einen|ein … tabelle|liste|zusammenfassung|checkliste|übersicht|folie|plakat daraus|hieraus|davon|aus",
        "mach|mache … daraus|hieraus … tabelle|liste|zusammenfassung|checkliste|übersicht|folie|plakat",
        "mach|mache|formulier~ das|dies|es|THIS|den … freundlich~|höflich~|kürzer|förmlich~|netter",
        "setz|setze|stell|stelle|füg|füge|schreib|schreibe|pack das|dies|folgendes|THIS … auf|in … seite|faq|website|webseite|startseite|newsletter|impressum|banner|fußzeile",
    ],
};

const SPANISH: Orders = Orders {
    politely: "puedes podrías puede por favor ahora y me nos hola",
    orders: &[
        "traduce|traducir|resume|resumir|acorta|acortar|reformula|reformular $",
        "traduce|traducir|resume|resumir|acorta|acortar|reformula|reformular|corrige|simplifica THIS|siguiente",
        "traduce|traducir … al inglés|español|alemán|francés|italiano|portugués",
        "haz|hazme|hacer|crea … una|un … tabla|lista|resumen|cuadro con|de THIS|esto|estos|estas|lo",
        "haz|hazlo|pon … más amable|corto|formal|cortés",
        "pon|añade|agrega|mete THIS|esto … página|web|faq|portada|boletín",
    ],
};

const FRENCH: Orders = Orders {
    politely: "peux pouvez tu vous peux-tu pouvez-vous s'il te plaît stp svp maintenant et bonjour salut",
    orders: &[
        "traduis|traduire|traduisez|résume|résumer|raccourcis|raccourcir|reformule|reformuler $",
        "traduis|traduire|traduisez|résume|résumer|raccourcis|raccourcir|reformule|reformuler|corrige|simplifie THIS|suivant",
        "traduis|traduire|traduisez … en anglais|français|allemand|espagnol|italien",
        "fais|faire|faites|crée … un|une … tableau|liste|résumé avec|de|à THIS|ça|ceci|cela|ces",
        "rends|formule … plus aimable|poli|court|formel|amical",
        "mets|ajoute|mettez|ajoutez THIS|ça|ceci … page|faq|site|accueil|newsletter",
    ],
};

const PORTUGUESE: Orders = Orders {
    politely: "pode podes poderia você por favor agora e me nos olá oi",
    orders: &[
        "traduz|traduza|traduzir|resume|resuma|resumir|encurta|encurte|reformula|reformule $",
        "traduz|traduza|traduzir|resume|resuma|resumir|encurta|encurte|reformula|reformule|corrige|corrija THIS|seguinte",
        "traduz|traduza|traduzir … para|pra|em o? inglês|português|alemão|espanhol|francês",
        "faz|faça|fazer|cria|crie … uma|um … tabela|lista|resumo com|de|disto|disso|destes|destas|desses|dessas THIS|isto|isso|$",
        "deixa|deixe|torna|torne … mais amigável|educado|curto|formal",
        "coloca|coloque|põe|ponha|adiciona|adicione THIS|isto|isso … página|site|faq|newsletter",
    ],
};

const ITALIAN: Orders = Orders {
    politely: "puoi potresti può per favore adesso ora e mi ci ciao",
    orders: &[
        "traduci|tradurre|riassumi|riassumere|accorcia|accorciare|riformula|riformulare $",
        "traduci|tradurre|riassumi|riassumere|accorcia|accorciare|riformula|riformulare|correggi|semplifica THIS|seguente",
        "traduci|tradurre … in inglese|italiano|tedesco|spagnolo|francese",
        "fai|fammi|fare|crea … una|un … tabella|lista|elenco|riassunto con|di THIS|questi|queste|questo|ciò",
        "rendi|rendilo … più gentile|cortese|breve|formale",
        "metti|mettere|aggiungi THIS|questo … pagina|sito|faq|newsletter",
    ],
};

/// What orders something to be made of a text, in Japanese.
pub(super) const JAPANESE_ORDERS: [&str; 9] = [
    "表にして",
    "表にまとめて",
    "一覧にして",
    "要約して",
    "翻訳して",
    "訳して",
    "言い換えて",
    "丁寧な表現にして",
    "文章を短くして",
];
