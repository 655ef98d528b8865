# ruff: noqa: E501  (an expression is one line; other alphabets)
"""The common words of denial, another machine, another time and this one beyond English and Chinese.

Spanish, German, French, Portuguese, Russian, Japanese, Korean: expressions for ``cues``. Those of the last three, and
words that begin or end with a letter beyond ASCII, stand apart as ``*_BEYOND``: they need such a character.
"""

from ..patterns import lazy_pattern

_NOT_LETTER = r"(?<![\u0400-\u04ff])"
_END = r"(?![\u0400-\u04ff])"

PERSON = (
    r"\b(?:nosotros|nuestr[oa]s?|vemos|obtenemos|tenemos|recibimos|wir|unser\w{0,2}|mein(?:e[mnrs]?)?|sehen|bekommen|kriegen|j'ai|notre|nossos?|nossas?|recebemos|esse erro|nous (?:ne|n'|avons|voyons|obtenons|recevons))\b",
    r"\b(?:(?:este|ese|el|nuestro) (?:error|mensaje)|dieser? (?:fehler|meldung|zeile)|der fehler|die meldung|das ist|cette (?:erreur|ligne)|l'erreur|le message|este erro|o erro|esta mensagem)\b",
)
PERSON_BEYOND = r"[\u0400-\u04ff\u3040-\u30ff\uac00-\ud7a3]|não"

DENIED = (
    r"\b(?:ning[uú]n(?:o|a)?|nunca|jam[aá]s|tampoco|sin (?:el|este|ese|ning[uú]n)|nicht|kein(?:e[mnrs]?)?|niemals|nirgends|weder|ohne)\b",
    r"\bn'(?:est|avons|avez|ont|a|y|ai|appara|existe|obtenons)|\bne (?:\w{1,16} )?(?:pas|jamais|plus|voyons|vois|sommes)\b|\b(?:jamais|aucune?|sans (?:le|la|l'|cette|aucune?))\b|\bpas (?:de|d'|le|la|cette|notre|chez)\b",
    r"\b(?:nao|nenhum(?:a)?|sem (?:o|a|esse|este|nenhum))\b",
)
DENIED_BEYOND = (
    rf"não\b|{_NOT_LETTER}(?:не|нет|ни|без|никогда|отсутствует){_END}"
    r"|ない|ません|なかった|無し|なしに|없|않|아니|아닙|아닌"
)
"""Russian: ne, net, ni, bez, nikogda, otsutstvuyet; Japanese: nai, masen, nakatta, nashi; Korean: eop-, an-, ani-."""

DENIED_AFTER = (
    r"\bno (?:aparece|sale|ocurre|existe|se (?:ve|muestra|produce)|es (?:nuestr|el nuestro|lo nuestro)|est[aá] en|lo (?:vemos|tenemos))|\bya no\b",
    r"\b(?:tritt|kommt|erscheint|steht|taucht|sehen wir|haben wir|gibt es|ist|sind|war) (?:\w{1,12} ){0,2}(?:nicht|nie|nirgends)\b|\bnicht (?:unser|mehr|vorhanden|zu sehen)|\bbei uns nicht\b",
    r"\bn'(?:appara|est pas|existe pas|arrive p)|\bne (?:s'affiche|se produit|figure|nous concerne) p",
    r"\bn[aã]o (?:aparece|ocorre|existe|temos|vemos|acontece|[eé]\b|est[aá])",
)
DENIED_AFTER_BEYOND = (
    rf"{_NOT_LETTER}(?:не (?:наш|наблюд|появ|вид|возник|встреч|было)|нет{_END}|отсутств)"
    r"|ない|ません|なかった|違います|없|않|아니|아닙|아닌"
)

ELSEWHERE = (
    r"\botr[oa]s? (?:m[aá]quina|servidor|equipo|nodo|cl[uú]ster|ordenador|computador|usuario|persona|cliente|sistema|sitio|lugar)",
    r"\b(?:mi|un|una|del?|otro) (?:compa[nñ]er[oa]|colega|amig[oa]|cliente|vecin[oa])\b",
    r"\bandere[mnrs]? (?:\w{1,12} )?(?:rechner|maschine|server|knoten|cluster|system|computer|nutzer|benutzer|kunde|kiste|node|ger[aä]t|leute)|\b(?:anderswo|woanders)\b",
    r"\b(?:ein(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|des|vom|beim) (?:kollegen?|kollegin|freund(?:es|in)?|kunden?|kundin|bekannten?|nachbarn?)\b|\bbei (?:einem|einer|anderen|jemand)\b",
    r"\bnicht (?:auf|bei|von) (?:diese|unser|uns)",
    r"\bautres? (?:\w{1,12} )?(?:machine|serveur|n(?:oe|œ)ud|ordinateur|cluster|grappe|syst[eè]me|utilisateur|client|poste|personne)|\b(?:un|une|mon|ma|d'une?) (?:coll[eè]gue|amie?|cliente?|voisine?)\b|\bailleurs\b",
    r"\boutr[oa]s? (?:m[aá]quina|servidor|computador|n[oó]\b|cluster|usu[aá]rio|cliente|sistema|pessoa|lugar)|\b(?:meu|minha|um|uma|do|da) (?:colega|amig[oa]|cliente|vizinh[oa])\b",
)
ELSEWHERE_BEYOND = (
    r"друг(?:ой|ом|ая|ую|их|ие|ого|ому)|коллег|знаком(?:ого|ых)|у (?:друга|клиент|сосед)|чуж(?:ом|ой)"
    r"|別の|他の|ほかの|同僚|友人|知人|お客|顧客|他社|다른|동료|친구|고객|타사"
)

TIMES = (
    r"\b(?:a[nñ]o|semana|mes|trimestre|ano|m[eê]s) passad[oa]\b|\b(?:a[nñ]o|semana|mes) pasad[oa]\b|\b(?:ayer|antiguamente|anteriormente|ontem|antigamente)\b|\ben el pasado\b",
    r"\b(?:hace|h[aá]) (?:\w{1,12} )?(?:a[nñ]os?|anos?|mes(?:es)?|semanas?|d[ií]as?|m[eê]s)\b|\b(?:ya|j[aá]) (?:\w{1,8} )?(?:resuel|solucionad|arreglad|resolvid|corrigid|consertad)|\bantes de (?:la|actualizar|cambiar|atualizar|trocar)\b",
    r"\b(?:letzte[mnrs]?|vorige[mnrs]?|vergangene[mnrs]?) (?:jahr|woche|monat|mal|sommer|winter)|\b(?:gestern|damals|vorgestern|ehemals)\b|\bfr(?:ü|ue)her\b|\bvor (?:\w{1,12} )?(?:jahr(?:en)?|monat(?:en)?|wochen?|tagen)\b|\b(?:inzwischen|schon|bereits|l(?:ä|ae)ngst|mittlerweile) (?:behoben|gel(?:ö|oe)st|repariert|weg)\b|\bnicht mehr\b",
    r"\b(?:ann[eé]e|semaine) derni[eè]re\b|\b(?:an|mois) dernier\b|\b(?:auparavant|autrefois|avant-hier)\b|\bc'[eé]tait hier\b|\bhier (?:soir|matin|nous|on|j'|il)\b|\bil y a (?:\w{1,12} )?(?:ans?|mois|semaines?|jours?|longtemps)\b|\bd[eé]j[aà] (?:r[eé]solu|corrig[eé])|\bavant (?:la mise|le changement|de changer)\b",
)
TIMES_BEYOND = (
    r"в прошл|прошл(?:ый|ом|ой|ую)|вчера|назад|раньше|ранее|когда-то|тогда|уже (?:исправ|реш|устран)|больше не"
    r"|昨年|先月|先週|昨日|かつて|年前|か月前|ヶ月前|週間前|解決済|以前|過去"
    r"|작년|지난|어제|예전|과거|이전에|당시|년 전|개월 전|주 전|해결되|해결됐|더 이상"
)

HYPOTHETICAL = (
    r"\bsi (?:aparece|ves|sale|ocurre|vous|s'affiche|on voit)\b|\bse (?:aparecer|voc[eê]|ocorrer)\b|\b(?:wenn|falls|sofern) (?:\w{1,12} ){0,3}(?:erscheint|auftritt|kommt|steht|die|der|man|sie|du|es)\b|\b(?:zum beispiel|por ejemplo|par exemple|por exemplo|beispiel)\b",
)
HYPOTHETICAL_BEYOND = r"если|например|もし|場合|例えば|만약|예를 들|예시"

TOLD = (
    r"\b(?:dokumentation|handbuch|anleitung|documentaci[oó]n|manual de|gu[ií]a|documenta[cç][aã]o|manuel d|notice d|laut (?:dem|der|einem)|seg[uú]n (?:el|la|un)|selon (?:le|la|un|l')|segundo (?:o|a|um))\b",
)
TOLD_BEYOND = r"документац|руководств|ドキュメント|マニュアル|記事|문서|매뉴얼|블로그"

HERE = (
    r"\b(?:aber|pero|mais|mas) (?:hier|jetzt|nun|bei uns|aqu[ií]|ahora|ici|maintenant|agora)\b",
    r"\b(?:auf|en|sur|em) (?:diese[mr]|unsere[mr]|esta|este|nuestr[ao]|cette|notre|nossa|nosso) (?:rechner|maschine|server|knoten|m[aá]quina|servidor|machine|serveur)\b|\b(?:nesta|neste) (?:m[aá]quina|servidor)\b",
)
HERE_BEYOND = (
    r"но (?:здесь|сейчас|у нас)|на этой маш|しかし(?:ここ|今)|このマシンで|하지만 (?:여기|지금)|이 서버에서"
)
BACK = r"\b(?:aber|jetzt|nun|bei uns|pero|aqu[ií]|ahora|mais|maintenant|mas|agora)\b|но|здесь|сейчас|у нас|今|ここ|このマシン|여기|현재|지금|이 서버"

_ALPHABET = lazy_pattern(r"[\u0400-\u04ff\u3040-\u30ff\uac00-\ud7a3]")
_COMMON = lazy_pattern(
    r"(?i)\b(?:der|das|den|dem|ein|eine|einen|und|oder|wenn|ist|sind|nicht|auch|wird|werden|wurde|von|zur?|bei|aus|auf|f(?:ü|ue)r|wie|noch|nur|aber|ich"
    r"|le|les|une|est|dans|pour|avec|qui|sur|cette|quand|mais|je|nous|vous"
    r"|los|las|una|del|por|para|como|cuando|est[aá]|pero|yo"
    r"|uma|um|n[aã]o|quando|mas|isso)\b"
)
"""Common words that are neither English nor names of computers."""
_FEW_LETTERS, _FEW_WORDS = 5, 3
_OURS = lazy_pattern(
    r"(?i)\b(?:wir|uns|unser\w{0,2}|mein(?:e[mnrs]?)?|mir|bei uns|nosotros|nuestr[oa]s?|mis?|me|tenemos|nous|notre|nos|mon|mes|chez (?:nous|moi)|j'ai|meus?|minhas?|nossos?|nossas?|temos)\b"
    r"|(?<![\u0400-\u04ff])(?:мы|нас|нам|наш\w{0,3}|мо[йяеиё]\w{0,2}|меня|мне)(?![\u0400-\u04ff])"
    r"|\b(?:hilfe|helfen|ayuda|ayudar|aide|aider|aidez|ajuda|ajudar)\b|помо[гщ]|подскажите"
    r"|\b(?:(?:wie|was) kann (?:man|ich)|beheben|arregla\w{0,3}|soluciona\w{0,3}|corriger|r[eé]soudre|resolver|corrigir)\b"
    r"|教えて|助けて|どうすれば|直りますか|解決方法|対処|도와|어떻게|해결"
    r"|私|僕|うち|弊社|当方|自分|我々|当社|この(?:サーバ|マシン|ノード|環境)|手元|우리|저희|제가|제 |내 "
)


def is_foreign(text: str) -> bool:
    """Whether a text is in one of these languages, as its letters or its common words tell."""
    if len(_ALPHABET.findall(text)) >= _FEW_LETTERS:
        return True
    return len({word.lower() for word in _COMMON.findall(text)}) >= _FEW_WORDS


def is_ours(text: str) -> bool:
    """Whether somebody speaks of themselves, or asks for help, in one of these languages."""
    return bool(_OURS.search(text))
