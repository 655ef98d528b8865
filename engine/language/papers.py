# ruff: noqa: E501  (an expression is one line)
"""How documents, source code, terminals and mails look: expressions for ``outline`` and ``wrapping``.

What is told apart here is the kind of a text. A program's own lines look like none of these.
"""

from __future__ import annotations

import re

from ..patterns import lazy_pattern

_TITLES = (
    r"known[ -](?:issues?|problems?|bugs?|errors?|limitations?|defects?|failures?)|trouble[- ]?shooting(?: guide| section| tips| table)?|faqs?|frequently asked questions|q ?& ?a"
    r"|(?:common|typical|frequent|possible|popular|usual|known|sample|example) (?:\w{1,16} )?(?:errors?|problems?|issues?|failures?|mistakes?|pitfalls?|messages?|symptoms?|causes?|outputs?|logs?)(?: messages?| codes?| and (?:their )?(?:\w{1,12} )?\w{1,12})?"
    r"|(?:\w{1,16} )?(?:error|exit|status|return|xid|fault|event)s? (?:codes?|messages|reference|catalog(?:ue)?|list|table|index)(?: reference| list| table| and \w{1,12})?"
    r"|examples?|release notes?|change ?log|what'?s new|limitations?|caveats?|gotchas?|pitfalls?|appendix(?: \w)?|glossary|runbook|playbook|cookbook|cheat ?sheet|best practices|failure modes?|lessons learned|post-?mortems?|incident history|history"
    r"|(?:\w{1,24} ){0,4}(?:handbook|manual|guide|tutorial|how-?to|runbook|playbook|wiki|knowledge base|reference(?: manual)?|troubleshooting|faq|cheat ?sheet)"
    r"|symptoms?(?: (?:and|&|/) (?:\w{1,12} )?\w{1,12})|diagnos(?:is|tics?) (?:table|guide|reference)|(?:fixed|resolved|closed|solved|past|old|previous) (?:issues?|bugs?|problems?|incidents?|tickets?|in \S{1,16})|bug ?fixes|fixed|fixes|test (?:cases?|data|fixtures?|vectors?)"
    r"|things that can go wrong|if something goes wrong|what can go wrong|when things go wrong"
    r"|bekannte (?:probleme|fehler)|fehler(?:behebung|suche|codes?|meldungen)|häufige (?:fehler|probleme|fragen)|problembehebung"
    r"|(?:solución|resolución) de problemas|(?:problemas|errores) (?:conocidos|comunes|frecuentes)|preguntas frecuentes"
    r"|dépannage|(?:problèmes|erreurs) (?:connus|connues|courants|courantes|fréquentes)|résolution des problèmes|foire aux questions"
    r"|(?:solução|resolução) de problemas|(?:problemas|erros) (?:conhecidos|comuns|frequentes)|perguntas frequentes"
    r"|известные (?:проблемы|ошибки)|устранение неполадок|решение проблем|частые (?:ошибки|вопросы)"
    r"|(?:常见|已知|典型)(?:问题|错误|故障|报错)\w{0,6}|(?:故障|问题|错误)(?:排查|排除|处理|解决|代码|列表|手册)\w{0,6}|排错\w{0,4}|错误码\w{0,4}|示例|附录|更新日志|发行说明"
    r"|トラブルシューティング|既知の(?:問題|不具合)|よくある(?:質問|エラー|問題)|문제 해결|알려진 (?:문제|이슈)|자주 묻는 질문"
)
DOCUMENT = lazy_pattern(
    rf"^\W{{0,8}}(?:(?:h[1-6]\.|chapter|section|part|kapitel|cap[íi]tulo)\s?[\dA-Z.]{{0,6}}\W{{0,4}})?(?:the |our |some |list of |table of )?(?:{_TITLES})[\W\dv]{{0,12}}$",
    re.IGNORECASE,
)
"""What a document calls a part of itself in which errors are listed that happen to others. The whole title."""
DOCUMENT_WORDS = lazy_pattern(
    r"\b(?:known (?:issues?|problems?|bugs?|errors?)|troubleshooting|faq|common (?:errors?|problems?|issues?)|error (?:codes?|messages? reference)|release notes?|change ?log)\b|常见问题|已知问题|故障排查",
    re.IGNORECASE,
)
"""The same as a part of a heading that is marked as one."""

_REMEDY = (
    r"fix(?:ed by)?|replace[ds]?|re-?seat|re-?install|reboot|restart|update|upgrade|downgrade|install|remove|set|unset|use|check|run|increase|decrease|raise|lower|disable|enable|contact|rma|power[ -]?cycle|reset|reload|unload|add|change|switch|rebuild|recreate|delete|clean|verify|ensure|make sure|kill|swap|pin|see|means?|indicates?|caused by|happens|bad|broken|faulty|wrong|missing|faulted|usually|often"
    r"|更换|重启|重装|检查|升级|设置|降级|修复|表示|说明"
)
REMEDY = lazy_pattern(
    rf"(?:[:;,]\s|\s[-–—]{{1,3}}\s|[-=]>|→|：|\|\s{{0,20}}|[(（])\s{{0,4}}(?:please |then |try to |try |just |to |you (?:must|should|need to) |the |it |this )?(?:{_REMEDY})(?![\w.=/])",
    re.IGNORECASE,
)
"""What to do about it, behind an error in a list: no program prints its own error as an item with this behind it."""
ARROW = lazy_pattern(rf"(?:[-=]>|→)\s{{0,4}}(?:please |try |the |a )?(?:{_REMEDY})(?![\w.=/])", re.IGNORECASE)
BULLET = lazy_pattern(r"^\s{0,12}(?:[-*+•·◦]|\d{1,3}[.)]|\(?[a-z][.)])\s{1,4}\S")
CELL_RULE = lazy_pattern(r"^\s{0,8}\|?\s{0,8}:?-{2,}:?\s{0,8}(?:\|\s{0,8}:?-{2,}:?\s{0,8}){0,20}\|?\s{0,4}$")
"""The line below the head of a table in Markdown."""
BOX_RULE = lazy_pattern(r"^\s{0,8}[+|][-=+]{6,}[+|]?\s{0,4}$")
"""A line of the boxes that tools draw."""
TAG = lazy_pattern(
    r"<(?:t[dhr]|li|p|d[tdl]|h[1-6]|code|em|strong|b|i|blockquote|span|div|figcaption|kbd|samp|tt|q|cite|a|font|option|title|string|source|target|match|regex|pattern|rule|item|entry|description|summary|seg|translation|note|comment|example|query|label|text)(?:\s[^<>]{0,200})?>",
    re.IGNORECASE,
)
"""What HTML puts before a text."""

ASIDE = lazy_pattern(
    r"^\s{0,8}(?:\.\. (?:note|warning|tip|hint|important|caution|danger|error|admonition|topic|code-block|code|literalinclude|parsed-literal|prompt|example)::|:{3}\s?\w|[!?]{3} ?\w|>?\s?\[!\w{2,12}\]|\.(?:TP|SH|SS|IP|PP|B|BR|I|RS|nf|EX)\b|\\(?:begin|item|section|verb)|<(?:t[dhr]|li|p|d[tdl]|[uo]l|blockquote|div|section|article|table)\b[^<>]{0,120}>\s{0,4}$)",
    re.IGNORECASE,
)
"""What stands above a block that a document sets apart."""
LABEL = lazy_pattern(
    r"^\W{0,8}(?:q|question|user|human|prompt|instruction|assistant|ai|bot|customer|alert|expr|summary|description|title|pattern|regexp?|match(?:es)?|example|error_text|signature|query|keyword|subject|expect(?:ed)?|sample|search results(?: for)?|label: ?\d{1,3}, text)\*{0,2}\s?[:：]\s|^\s{0,8}\\(?:item|texttt|verb|emph|section)\b|^\s{0,8}(?:\(\*|\{[#-]|;;)\s",
    re.IGNORECASE,
)
"""What a dialogue, a rule for alerts, a script for typesetting or a comment puts before a text."""
MARKED = lazy_pattern(r"^\W{0,4}(?:\*\*|`|\"|“|「|'')")
MARKED_END = lazy_pattern(
    r"(?:\*\*|`|\"|”|」|'')\s{0,3}(?:[-–—:=]{1,3}>?\s{0,3}[^\W\d]|→|(?:means?|indicates?|tells|signals|happens|occurs|appears|points|comes|usually)\b)"
)
"""A text between marks, and what it means behind it."""
CODED = lazy_pattern(r"^\W{0,6}(?P<code>[A-Z]{1,5}[- _]?\d{2,6})\s?[:.)|–—-]\s")
"""The number of an error before its text: with another beside it, a list of errors."""
ANSWERED = lazy_pattern(r"^\s{0,12}(?:=>|->|→|➜)\s{0,4}[^\W\d]")

_SYMPTOM = r"symptoms?|problems?|errors?|error (?:message|text|line|string)s?|messages?|issues?|signs?|signatures?|q|question|title|log line|fehler|fehlermeldung|problema|síntoma|sintoma|symptôme|erreur|problème|erro|ошибка|симптом|现象|症状|问题|报错|错误|故障现象|症状|エラー|증상|오류"
_EXPLAINED = r"(?:root |possible |probable |likely |common |usual |typical )?causes?|fix(?:es)?|solutions?|work-?arounds?|resolutions?|remed(?:y|ies)|(?:recommended |required |corrective |suggested |operator )?actions?|explanations?|meanings?|what (?:it means|to do|causes it)|how to (?:fix|solve|resolve)(?: it)?|answers?|mitigations?|treatments?|recommendations?|ursachen?|lösung(?:en)?|behebung|abhilfe|causas?|solución(?:es)?|soluç(?:ão|ões)|remedio|remède|причина|решение|原因|解决(?:方法|方案|办法)?|处理(?:方法|方式)?|办法|对策|対策|対処(?:法)?|解決(?:策)?|원인|해결(?:책| 방법)?"
SYMPTOM = lazy_pattern(
    rf"^[\W\d]{{0,12}}(?:{_SYMPTOM})[*_`\s]{{0,4}}[:：|=]|^\s{{0,12}}<\w{{1,12}}>\s{{0,4}}(?:{_SYMPTOM})\b",
    re.IGNORECASE,
)
EXPLAINED = lazy_pattern(rf"^[\W\d]{{0,12}}(?:{_EXPLAINED})[*_`\s]{{0,4}}[:：|]", re.IGNORECASE)
"""The label of an error, and that of its explanation beside it: an entry of a handbook."""

STATUS = lazy_pattern(
    r"(?:[\[(【]|^\W{0,8})(?:resolved|solved|fixed|closed|done|wont-?fix|duplicate|obsolete|outdated|old|archived?|historic(?:al)?|stale|invalid|not ours|fyi|example|sample|template|mock|fake|demo|sim(?:ulated)?|quoted?|retired|decommissioned|scrapped|old log|known issue|已解决|已修复|已关闭|示例)(?:[\])】]|(?<=d)\s{0,2}:|\s{0,2}:\s)[\s:\-–—]{0,4}",
    re.IGNORECASE,
)
"""A tag of a ticket before its title: it is over, or not meant."""
PLACE = lazy_pattern(
    r"^\W{0,8}(?:(?:on|in|at|from|for|env(?:ironment)?|host|machine|site|cluster)\s{0,2}[:=]?\s{1,2})?(?:the )?(?:staging|stage|pre-?prod(?:uction)?|production|prod|dev(?:elopment)?|testing|qa|uat|sandbox|lab|backup|spare|neighbou?r|customer|client [a-z]|vendor|upstream|the other|other|theirs|them|elsewhere|home|laptop|old[- ]?(?:box|node|host|server|cluster)?)(?:[- ]?(?:cluster|site|env|box|node|server|host|machine|system)?[- ]?\d{0,4})?[\])]?\s{0,2}[:：\]|]",
    re.IGNORECASE,
)
"""The name of another place before a line."""
STRUCK = lazy_pattern(r"^\W{0,8}~~|^\W{0,8}<(?:s|del|strike)>|^\W{0,4}[✅✔☑]")

READS = (
    r"strings|objdump|readelf|nm|hexdump|xxd|echo|printf|logger|cowsay|man|apropos|whatis|history|fortune|(?:e|f)?grep\s{1,4}(?:-\w{0,8}\s{1,4}){0,4}-\w{0,8}[rR]\w{0,8}|(?:e|f)?grep\s{1,4}--recursive|rg|ag|ack|git\s{1,4}(?:grep|show|log|diff|blame|cat-file)|svn\s{1,4}(?:log|diff|cat)|gh\s{1,4}\w|jira|gpudoctor\s{1,4}(?:explain|search|kb|chat)|pip3?\s{1,4}(?:show|download)|modinfo|locate|sqlite3|psql|mysql|"
    r"(?:curl|wget|lynx|w3m|links)\s[^|]{0,200}(?:github|gitlab|docs?\b|forum|stackoverflow|wiki|pastebin|gist|raw\.|[\w-]{1,40}\.(?:com|org|io)\b|readthedocs|\.md\b|\.rst\b|\.html\b)|"
    r"(?:cat|less|more|head|tail|bat|batcat|sed|awk|zcat|xzcat|nl|vim?|nano|view|tac|cut|sort|fold|pandoc|glow|mdcat|type|get-content|gc)\s[^|]{0,200}(?:\.(?:md|rst|adoc|html?|tex|py|c|cc|cpp|cxx|cu|cuh|h|hpp|go|rs|java|js|ts|sh|patch|diff|po|pot|ipynb|in|tmpl|j2|csv|docx?|pdf|mbox|eml|1|3|5|7|8)\b|readme|changelog|/usr/share/doc|/usr/include|/usr/src|/tests?/|fixtures?/|docs?/|examples?/|man/|templates?/)"
)
_PROMPT = r"(?:\([\w.-]{1,32}\) ?)?(?:\[?[\w.+-]{1,32}@[\w.-]{1,40}[ :][^\]$#%>]{0,60}\]?\s?|[\w.-]{1,24}:[~/][^$#%> ]{0,60}|PS [A-Z]:[^>]{0,80})?(?:[$#%❯➜λ]|(?<=[\w~\]/\\ ])>)\s{0,2}"
COMMAND = lazy_pattern(rf"^\s{{0,8}}(?:\+{{1,4}} |{_PROMPT})(?=[\w./~(\"'-])")
"""A prompt with a command behind it."""
READING = lazy_pattern(
    rf"^\s{{0,8}}(?:\+{{1,4}} |{_PROMPT})(?:sudo |time |command )?(?:{READS})(?![\w:])", re.IGNORECASE
)
"""A command that prints what stands in a file of others: source code, a library, a page. A log is none."""
LOGS = lazy_pattern(
    r"/var/log|\.log\b|\blogs?/|/logs?\b|journal|syslog|/messages|kern\b|\.(?:out|err)\b", re.IGNORECASE
)
"""Where logs lie: what is found there was printed."""
BARE = lazy_pattern(
    r"^\s{0,4}(?:sudo )?(?:strings|objdump|readelf|xxd|hexdump)\s+[-\w./]{1,200}(?:\s{1,4}[|>].{0,200}|\s{1,4}[-\w./]{1,80}){0,3}\s{0,4}$"
    r"|^\s{0,4}(?:[ef]?grep\s{1,4}(?:-\w{1,12}\s{1,4}){0,3}-\w{0,8}[rR]\w{0,8}|git\s{1,4}(?:grep|show|log|diff)|cat\s+[\w./-]{0,120}\.(?:md|rst|py|c|cc|cpp|h|html))(?:\s.{0,200})?$"
)
"""The same without a prompt."""
WRITES = lazy_pattern(
    rf"^\s{{0,8}}(?:\+{{1,4}} |{_PROMPT})?(?:sudo )?(?:echo|printf|logger|wall|notify-send|cowsay|git\s{{1,4}}(?:commit|tag)|gh\s{{1,4}}\w{{1,12}}|sed|awk|perl|ruby|node|python3?\s{{1,4}}-c|(?:ba|z|k)?sh\s{{1,4}}-c|tee|mail|mutt|curl|wget|xdotool|tmux\s{{1,4}}send-keys|alert|say)\s{{1,4}}(?:-[-\w=.,]{{1,24}}\s{{1,4}}(?:[\w.]{{1,16}}\s{{1,4}})?){{0,4}}[^|\"']{{0,400}}(?:[\"'].{{0,400}})?$",
    re.IGNORECASE,
)
"""A command that gets the text as its argument."""
WRITERS = ("echo", "printf", "logger", "rite-", "print", "say", "speak", "figlet", "wall")
WRITTEN = lazy_pattern(
    r"(?:^\s{0,12}|[;&|(=@$`]\s{0,2}|[\"'\[]\s{0,2}|/bin/|\b(?:RUN|run:|exec|shell|then|do|else|--)\s{1,4}(?:-\w{1,8} ){0,2}|\s-a\s)[\"']?(?:echo|printf|logger|wall|espeak|spd-say|figlet|write-(?:host|output|error|warning|verbose|eventlog))(?:\s|[\"'],).{0,400}$|(?<=[\w:/.-] )echo\s{1,4}[\"']",
    re.IGNORECASE,
)
"""The same inside a file of commands, a list of arguments, a command for another machine."""
ARGUMENT = lazy_pattern(
    r"^\s{0,8}(?:[\w.+-]{1,32}@[\w.-]{1,40}[: ][^$#]{0,60})?\$\s{1,2}(?:sudo\s)?[a-z][\w./-]{0,40}\s[^\"']{0,200}[\"'](?!.{0,200}[\"']).{0,400}$"
    r"|^[^\"']{0,200}\s--?(?:message|msg|text|title|body|description|query|pattern|line|reason|comment|grep|[SG])[= ]?(?P<quote>[\"'])(?!.{0,400}(?P=quote)[\s:,;)]).{0,400}$"
)
"""A text in quotes that are still open, behind a prompt and a command, or behind an option that takes a text."""
ECHOES = lazy_pattern(
    rf"^\s{{0,8}}(?:\+{{1,4}} |{_PROMPT})(?:sudo )?(?:echo|printf|logger|wall)\s{{1,4}}\S.{{20}}",
    re.IGNORECASE,
)
"""A command that prints its own argument."""
REPL = lazy_pattern(r"^(?:>>>|In \[\d{1,5}\]:)\s")
PRINTS = lazy_pattern(r"\bprint\s?\(\s{0,2}[rfbu]?[\"']")
"""An interpreter that is told to print a text."""
TEXT_OPENS = lazy_pattern(
    r"^[\w.\[\]]{1,60}\s?(?:=|\()\s{0,2}[rfbu]{0,2}(?:\"{3}|'{3})$|^(?:return|yield) [rfbu]{0,2}(?:\"{3}|'{3})$"
)
"""Source code up to a text of several lines."""
HEREDOC = lazy_pattern(
    r"<<-?\s?(?P<mark>[\"']?)(?P<word>[A-Za-z_]\w{0,24})(?P=mark)\s{0,4}(?:[|>&;)].{0,200})?$|<<-?\s?[\"']?(?P<bare>[A-Z_]{3,24})[\"']?"
)
LITERAL = lazy_pattern(
    r"^\s{0,40}(?:(?:static|const|export|let|var|final|public|private|char|auto|val|constexpr|std::\w{1,12}|my|our|local)\s+){0,4}[\w.$*@:<>\[\]]{1,60}\s{0,4}(?::?=|\+=|:\s{0,2}[\w\[\], ]{1,40}=)\s{0,4}[\[({]{1,3}\s{0,4}.{0,200}[rfbuL]{0,2}[\"'`]$"
    r"|^\s{0,40}(?:msgid|msgstr|(?:export |set )?[A-Z_][A-Z0-9_]{0,40}=|\d{1,6}\s{0,3}:|[{(\[]\s{0,3}[\w.]{1,40}\s{0,3},)\s{0,3}[\"'`]$"
    r"|^\s{0,40}[rfbuL]{0,2}[\"'`]$|^\s{0,40}[\[({]\s{0,2}[rfbuL]{0,2}[\"'`]$|^\s{0,40}[\w.]{1,60}\s{0,2}=\s{0,2}[rfbuL]{0,2}\"{3}$"
)
"""A literal of source code up to the text in it: an assignment of a list, or a line that is an item of one."""
LITERAL_END = lazy_pattern(r"[\"'`]\s{0,4}(?:[,\])};]|:\s(?!\s{0,4}\d)|=>)")
KEYED = lazy_pattern(r"[\"'`]\s{0,4}(?::|=>|->|,)\s{0,4}[rfbu]?[\"'`\[({](?!\w{1,24}[\"']\s{0,2}:)")
"""A text that is the key of a table, with what belongs to it behind it."""
LISTED_IN = lazy_pattern(
    r"^(?:(?:[\w.+@-]{1,60}/){0,12}[\w.+@-]{1,80}\.(?:md|rst|adoc|html?|tex|po|pot|py|pyi|c|cc|cpp|cxx|cu|cuh|h|hpp|go|rs|java|js|ts|sh|ipynb|patch|diff|yaml|yml|json|toml|j2|in))[:-]\d{1,6}[:-](?=[^\s\d:])"
    r"|^(?=[\w.+@-]{1,60}/)(?:[\w.+@-]{1,60}/){1,12}[\w.+@-]{1,80}\.(?:md|rst|adoc|html?|tex|po|pot|py|pyi|c|cc|cpp|cxx|cu|cuh|h|hpp|go|rs|java|js|ts|sh|ipynb|patch|diff)[:-](?!\w{0,60}[:(\])\s]{1,2}\d|\d)(?!:)"
    r"|^[\w.+@-]{1,80}\.(?:md|rst|adoc|html?|tex|pot?):(?=[^\s\d:])"
)
"""What a search through the files of a project puts before a line."""

HEADER = lazy_pattern(
    r"^[\s>|*]{0,8}(?:From|To|Cc|Bcc|Sent|Subject|Date|Reply-To|Message-ID|Von|An|Gesendet|Betreff|De|Para|Asunto|Assunto|Envoyé|Objet|Тема|От|发件人|收件人|主题|日期|差出人|件名|보낸 사람|제목)\*{0,2}\s?[:：]\*{0,2}\s{0,4}\S"
)
FORWARDED = lazy_pattern(
    r"^\W{0,20}(?:(?:begin )?forwarded (?:message|by|from)|original message|forwarded conversation|weitergeleitete nachricht|ursprüngliche nachricht|mensaje (?:reenviado|original)|message (?:transféré|d'origine|original)|mensagem (?:encaminhada|original)|пересылаемое сообщение|原始邮件|转发的?邮件|転送)\b.{0,80}$"
    r"|^.{0,120}\b(?:wrote|schrieb|escribió|a écrit|escreveu|пишет|написал\w?|写道|寫道)(?:\s(?:on|at|am|um|el|le|a|em|yesterday|gestern)\b.{0,40})?\s{0,2}[:：]\s{0,4}$"
    r"|^\s{0,8}\*{0,2}@?[a-z][\w.-]{1,24}(?: [a-z][\w.]{1,24})?\*{0,2}\s{1,4}\[?\d{1,2}:\d\d\]?(?: ?[ap]m)?\s{0,4}$",
    re.IGNORECASE,
)
PATCHED = lazy_pattern(
    r"^(?:diff --git |@@ -\d{1,7}(?:,\d{1,7})? \+\d{1,7}|Index: \S+$|commit [0-9a-f]{7,40}$|commit [0-9a-f]{12,40}\b|(?:\+\+\+|---) [ab]/\S|Merge (?:pull request|branch|remote-tracking) )"
)
SPEAKER = lazy_pattern(
    r"^\s{0,8}(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?\s{1,3})?[\[<(]?(?P<name>[A-Za-z\u00c0-\u04ff][\w.-]{1,20})[\]>)][:\s]\s{0,3}(?P<said>\S.{0,300})",
    re.IGNORECASE,
)
"""A line of somebody in a chat, by the form."""
