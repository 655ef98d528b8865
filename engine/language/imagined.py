"""Whether the words around a line imagine it, set it as a task, or tell it of somebody whom they only read about.

"What would happen if I pulled the cable? Would I get ...", "Interview question: ...", "Nothing has gone wrong so far."
Such words stand above the line, beside it, or below it, and mostly in a paragraph of their own.
"""
# ruff: noqa: E501  (an expression is one line; other alphabets)

from __future__ import annotations

from functools import lru_cache

from ..patterns import lazy_pattern
from .cues import Words

_MODAL = r"(?:would|could|might|will|can)"
_ME = r"(?:i|we|you|one|it|this|that|they)"
TASK = Words(
    r"\b(?:interview|exam|quiz|exercise|homework|trivia|certification|practice|riddle|test) (?:question|task|problem|paper)s?\b|\b(?:exercise|quiz|puzzle|question) ?#?\d{1,3}[.:)]",
    r"\b(?:a|the|your|each) (?:candidate|student|trainee|apprentice|intern|pupil|attendee|learner)s? (?:is|are|was|were|has|have|gets?|sees?|submits?|runs?|starts?|must|should)\b",
    r"\bname (?:two|three|four|five|the|all|some) (?:\w{1,12} ){0,2}(?:causes?|reasons?|steps?|checks?)\b",
    r"\b(?:interview|exam|certification) prep\w{0,8}\b|\bbe ready to (?:explain|say|answer)\b|\bquestion \d{1,3} of \d|\bwhich (?:component|part|layer|answer|option|team|one)\b.{0,40}\?",
    r"^\W{0,4}a\) (?:the|an?|it|yes|no) |\bnone of the above\b|\bhow many \w{2,20}(?: \w{2,20})? does it take\b",
    r"\b(?:translate|rephrase|paraphrase|proofread|localis?ze|localize) (?:the |this |these )?(?:following |error |message )",
    r"\bfor our (?:\w{1,14} )?(?:help|docs?|documentation|wiki|faq|handbook|runbook|training (?:course|material|session|slide)s?|pages?)\b",
    r"^\W{0,4}q\d{1,3}[.:)]|\bwhich of the following\b|\bdigest, vol\b|\btoday's topics:|\btranslat(?:ion|ions|ed|or) (?:needed|wanted|required|key|string|request)s?\b|\bdifference between (?:these|the two|this)\b(?! (?:\w{1,12} )?(?:hosts?|machines?|nodes?|servers?|systems?|setups?|clusters?|gpus?|cards?|runs?|jobs?|pods?|containers?|images?|environments?|versions?)\b)",
    r"\bfor (?:anyone|anybody|everyone|those) (?:else )?(?:landing|finding|reading|who (?:lands|finds|hits))\b|\b(?:thanks|ok|update|edit)\W{1,3}(?:it is |it's )?(?:solved|fixed|resolved)\b|\bgot rid of (?:it|the error|this)\b",
    chinese=r"课件|讲师|学员|典型故障|提单人|处理结果|[（(]已(?:关闭|解决|结单)|面试题|笔试|考试题|练习题|习题|翻译|告警规则说明",
)
"""A riddle, an exercise, a text to work on: whatever fails in it fails in it."""
IMAGINED = Words(
    r"\bwhat (?:would|will|could|might|happens)\b.{0,80}\b(?:if|when)\b",
    rf"\bwould {_ME} (?:then |also |still |just )?(?:get|see|find|expect|print|show|hit|run into)\b",
    rf"\b{_MODAL} (?:the following|this|that|it|such an?|an?) (?:\w{{1,12}} ){{0,3}}(?:ever )?(?:occur|happen|appear|come up|show up|be printed)\b",
    rf"\b{_MODAL} {_ME} (?:ever |also |then )?(?:get|see|hit|run into) (?:it|this|that|the same) (?:as well|too|then)\b",
    r"\bwhat would you (?:do|check|say|think|look at|try)\b",
    r"\bhow (?:can|could|would|do|should|to) (?:i |we |one |you )?(?:best )?(?:reproduce|provoke|trigger|simulate|inject|match|parse|filter|detect|alert on|grep for|silence)\b",
    r"\b(?:i'd|i would|we'd|we would|i want|we want|i'm trying|trying) (?:like )?to (?:reproduce|provoke|trigger|simulate|inject|match|parse|filter|detect|alert on|silence)\b",
    r"\bexplain (?:the |this |that )?(?:following )?(?:\w{1,12} ){0,2}(?:message|error|line|term)?.{0,20}\b(?:to me like|in simple|for a beginner|like i'm)\b",
    r"\b(?:is|are) there (?:a |any )?(?:list|catalog(?:ue)?|table|overview) of\b",
    r"\b(?:folks|team|guys|people|colleagues?|they|he|she|someone|somebody|neighbou?rs?) (?:\w{1,12} ){0,2}(?:mentioned|told (?:me|us)|said|reported|wrote|complained) that (?:the|their|his|her|it|they)\b",
    r"\b(?:saw|found|read|seen|spotted|heard) (?:this |that |it |about it |of it )?(?:on|in|at|from) (?:an? |the |some(?:one's|body's)? )?(?:\w{1,12} )?(?:reddit|youtube|twitter|x\.com|hacker ?news|discord|facebook|linkedin|mastodon|podcast|video|talk|forum|blog|gist|article|paper|book|newsletter|tweet|slide\w{0,4}|course)\b",
    r"\b(?:guy|person|someone|somebody|user|people|one|man|woman|poster|creator|streamer) (?:on|from|in) (?:youtube|reddit|twitter|discord|hacker ?news|a forum|the forum|a video|tiktok|twitch)\b",
    r"\b(?:reddit|hacker ?news|youtube|hn|twitter|discord|linkedin|quora) (?:comment|thread|post|user|reply|video|answer)s?\b",
    r"\b(?:nothing has (?:gone wrong|failed|broken)|nothing is (?:wrong|broken)|(?:has|have|had|there are|with) no (?:errors?|problems?|faults?)\b(?! message)|everything (?:works|runs|is fine|is ok)|all (?:is|works) (?:fine|well)|works? fine (?:so far|for me|here)|no problems? (?:so far|yet|here))\b",
    r"\b(?:i|we)(?:'ve| have)? only (?:read|heard|seen) (?:it|this|that|them|about)\b",
    r"\b(?:i'm|i am|we're|we are) (?:about|planning|going|thinking|considering|looking) (?:to |of |about )?(?:buy|buying|order|ordering|install|installing|migrate|migrating|rent|renting)\b",
    r"\bbefore (?:i|we) (?:start|buy|order|install|migrate|upgrade|rent|begin|deploy|commit)\b",
    r"\b(?:writing|preparing|giving|making) (?:an? |the |my |our )?(?:\w{1,12} )?(?:blog|docs?|documentation|article|talk|post|book|course|lecture|tutorial|slides?|handbook|runbook|paper|training material)\b",
    r"\bgood example\?|\bhere's an example (?:from|of)\b|\ban example (?:from|in) the (?:\w{1,14} )?(?:docs?|documentation|manual|tutorial|guide|readme)\b",
    r"^\W{0,6}(?:if|when|whenever|once|should|in case) (?!i\b|we\b|my\b|our\b)(?:\w[\w'-]{0,20} ){1,12}?\w{1,20},? (?:then )?(?:the |a |an |it |you )",
    # German, French, Spanish, Portuguese
    r"\bwas (?:würde|passiert|geschieht)\b.{0,60}\bwenn\b|\b(?:käme|bekäme|bekomme ich|würde ich|sähe) (?:dann|ich|man)?|\bich habe (?:sie|es|ihn|das) nur\b|\bwas bedeutet\b.{0,400}\bnur\b",
    r"^\W{0,6}(?:erscheint|steht|sobald|falls|wenn|sollte)\b.{0,200}\b(?:zeile|meldung|fehler|protokoll|so ist|ist der|muss)\b|\bhandbuch\b",
    r"^\W{0,6}(?:si|cuando|en caso de que) (?:aparece|sale|ve|se muestra|apparaît|vous voyez|s'affiche|aparecer)\b|\b(?:reinicie|póngase|contacte|redémarrez|contactez)\b",
    r"\bsi je\b.{0,60}\best-ce que\b|\baurais?-je\b|\bj'aurais?\b|\bque se passerait\b|\bque signifie\b.{0,400}\b(?:je lis|j'ai lu|documentation|article|forum)\b|\bje lis (?:la|le|un)\b",
    r"\bqu[eé] pasar[ií]a\b|\b(?:saldr|aparecer|dar|ver)[ií]a\b|\bsolo lo (?:le[ií]|vi)\b|\bqu[eé] significa\b.{0,400}\b(?:le[ií]|foro|art[ií]culo|documentaci[oó]n)\b",
    r"\bo que (?:aconteceria|acontece se)\b|\bapareceria\b|\bli isso\b|\best[aá] tudo (?:funcionando|bem)\b",
    chinese=r"常见的?(?:报错|错误|故障)|(?:豆包|文心|千问|元宝|助手)[:：]|以为会|什么都没有|告警规则|(?:^|[，。：【\s])当[^，。]{0,30}(?:匹配|出现|发现|看到)[^。]{0,10}时|【?(?:知乎|微博)】|^\s*答[:：]|最常见的|一般是[^。]{0,30}造成|(?:友人|知人|同僚|先輩)の|だそうです|とのことです|うちの環境では問題|会不会(?:出现|报|有|看到)|(?:如果|假如|要是|万一)[^。？?]{0,30}(?:会|能)[^。？?]{0,12}(?:出现|报|看到|吗|么)|面试题|笔试|考试题|练习题|习题|(?:写|加|配)(?:一?[条个])?[^。]{0,8}(?:规则|告警|正则)|怎么(?:匹配|过滤|复现|模拟)|(?:的|助手|模型|一言|千问|豆包|元宝)(?:回答|回复|答复|解释)[:：]|(?:知乎|微博|贴吧|B站|b站|小红书|抖音|视频|网上|论坛)(?:上|里)?(?:看到|有人|说|的)|(?:目前|现在)?(?:一切|都)(?:很)?正常|还没(?:买|装|部署|开始)|準備|もし.{0,40}(?:たら|れば|ると)|出ますか|если .{0,60}(?:появится|будет|выдаст)|появится ли|что будет|나올까요|뜨나요",
)
"""Of the line above, the line itself beside the product's words, and the one below."""
_IF = lazy_pattern(r"^\W{0,6}(?:if|in case|should) (?!i\b|we\b|my\b|our\b|this\b)\w", 2)
_DO = lazy_pattern(
    r"^\W{0,6}(?:then |please )?(?:check|make sure|verify|ensure|restart|replace|reboot|contact|increase|decrease|lower|raise|set|unset|update|upgrade|downgrade|install|reinstall|remove|disable|enable|use|see|refer|open|run|try|look)\b(?!.{0,30}\b(?:we|i)\b)",
    2,
)
"""A condition, and behind the line what to do: an entry of a handbook."""
OWN = Words(
    r"\b(?:yet|but|however|still) (?:\w{1,10} ){0,2}(?:i|we) (?:do |did |always |now )?(?:get|got|see|hit|have)\b",
    r"\b(?:my|our) (?:\w{1,14} ){0,2}(?:fails?|failed|crash\w*|hangs?|hung|dies|died|stops?|stopped|breaks?|broke|says?|prints?|shows?|reports?|throws?|gets?|got|is stuck|won't)\b",
    r"(?<!would )(?<!could )(?<!will )(?<!if )(?<!when )\b(?:i|we) (?:now |always |still |just |then |keep |always )?(?:get|got|getting|see|hit|have|am seeing|are seeing|am getting|are getting|encounter(?:ed)?|ran into|run into)\b(?! no | not )",
    r"\b(?:it|job|run|server|training|engine|worker|process|container|pod) (?:now |always |still |then |just |suddenly )?(?:fails?|failed|crash\w*|hangs?|hung|dies|died|stops?|stopped|aborts?|aborted)\b",
    r"\b(?:my|our) (?:\w{1,14}(?:'s)? ){1,3}(?:console|terminal|log|output|screen|dmesg) (?:shows?|says?|has|prints?)\b",
    chinese=r"我(?:们|这边|这里)?[^。？?]{0,16}(?:报|出现|遇到|看到|卡|挂)|我(?:们)?[^。？?]{0,12}(?:还是|仍|没用|一样|不行)",
)
"""That it has happened here."""
_CONTRAST = Words(
    r"\b(?:on|with|without|using|over) (?:only |just )?(?:a )?(?:\w{1,14}[ -]){0,2}\w{1,14},? (?:everything|all|it) (?:works|runs|is fine|is ok)\b",
    r"\b(?:a single|single|one|1)[ -](?:node|gpu|host|machine|server|card)\b.{0,40}\bworks?\b",
    r"\b(?:everything|all|it) (?:works|runs|is fine|is ok)\b.{0,20}\b(?:on|with|without|using|over) (?:only |just )?(?:a single|one|1|tcp)\b",
)
"""That something else works, so this does not."""


def is_imagined(above: str, beside: str, below: str) -> bool:
    """Whether the words above a line, beside the product's words in it, or below it say that nobody had it here."""
    if any(_tells(text) for text in (above, beside, below) if text.strip(" …")):
        return True
    return bool(_IF.match(above) and _DO.match(below))


@lru_cache(maxsize=1024)
def _tells(text: str) -> bool:
    if TASK.search(text):
        return True
    return bool(IMAGINED.search(text)) and not OWN.search(text) and not _CONTRAST.search(text)
