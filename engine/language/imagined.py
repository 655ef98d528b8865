"""Whether the words around a line imagine it, set it as a task, or tell it of somebody whom they only read about.

"What would happen if I pulled the cable? Would I get ...", "Interview question: ...", "Nothing has gone wrong so far."
Such words stand above the line, beside it, or below it, and mostly in a paragraph of their own.
"""
# ruff: noqa: E501  (an expression is one line; other alphabets)

from __future__ import annotations

from .cues import Words

_MODAL = r"(?:would|could|might|will|can)"
_ME = r"(?:i|we|you|one|it|this|that|they)"
IMAGINED = Words(
    r"\bwhat (?:would|will|could|might|happens)\b.{0,80}\b(?:if|when)\b",
    rf"\bwould {_ME} (?:then |also |still |just )?(?:get|see|find|expect|print|show|hit|run into)\b",
    rf"\b{_MODAL} (?:the following|this|that|it|such an?|an?) (?:\w{{1,12}} ){{0,3}}(?:ever )?(?:occur|happen|appear|come up|show up|be printed)\b",
    rf"\b{_MODAL} {_ME} (?:ever |also |then )?(?:get|see|hit|run into) (?:it|this|that|the same) (?:as well|too|then)\b",
    r"\bwhat would you (?:do|check|say|think|look at|try)\b",
    r"\bhow (?:can|could|would|do|should|to) (?:i |we |one |you )?(?:best )?(?:reproduce|provoke|trigger|simulate|inject|match|parse|filter|detect|alert on|grep for|silence)\b",
    r"\b(?:i'd|i would|we'd|we would|i want|we want|i'm trying|trying) (?:like )?to (?:reproduce|provoke|trigger|simulate|inject|match|parse|filter|detect|alert on|silence)\b",
    r"\b(?:interview|exam|quiz|exercise|homework|trivia|certification|practice|riddle|test) (?:question|task|problem|paper)s?\b|\b(?:exercise|quiz|puzzle|question) ?#?\d{1,3}[.:)]",
    r"\b(?:a|the|your|each) (?:candidate|student|trainee|apprentice|intern|pupil|attendee|learner)s? (?:is|are|was|were|has|have|gets?|sees?|submits?|runs?|starts?|must|should)\b",
    r"\bname (?:two|three|four|five|the|all|some) (?:\w{1,12} ){0,2}(?:causes?|reasons?|steps?|checks?)\b",
    r"\bexplain (?:the |this |that )?(?:following )?(?:\w{1,12} ){0,2}(?:message|error|line|term)?.{0,20}\b(?:to me like|in simple|for a beginner|like i'm)\b",
    r"\b(?:is|are) there (?:a |any )?(?:list|catalog(?:ue)?|table|overview) of\b",
    r"\b(?:saw|found|read|seen|spotted|heard) (?:this |that |it |about it |of it )?(?:on|in|at|from) (?:an? |the |some(?:one's|body's)? )?(?:\w{1,12} )?(?:reddit|youtube|twitter|x\.com|hacker ?news|discord|facebook|linkedin|mastodon|podcast|video|talk|forum|blog|gist|article|paper|book|newsletter|tweet|slide\w{0,4}|course)\b",
    r"\b(?:guy|person|someone|somebody|user|people|one|man|woman|poster|creator|streamer) (?:on|from|in) (?:youtube|reddit|twitter|discord|hacker ?news|a forum|the forum|a video|tiktok|twitch)\b",
    r"\b(?:reddit|hacker ?news|youtube|hn|twitter|discord|linkedin|quora) (?:comment|thread|post|user|reply|video|answer)s?\b",
    r"\b(?:nothing has (?:gone wrong|failed|broken)|nothing is (?:wrong|broken)|(?:has|have|had|there are|with) no (?:errors?|problems?|faults?)\b(?! message)|everything (?:works|runs|is fine|is ok)|all (?:is|works) (?:fine|well)|works? fine (?:so far|for me|here)|no problems? (?:so far|yet|here))\b",
    r"\b(?:i|we)(?:'ve| have)? only (?:read|heard|seen) (?:it|this|that|them|about)\b",
    r"\b(?:i'm|i am|we're|we are) (?:about|planning|going|thinking|considering|looking) (?:to |of |about )?(?:buy|buying|order|ordering|install|installing|migrate|migrating|rent|renting)\b",
    r"\bbefore (?:i|we) (?:start|buy|order|install|migrate|upgrade|rent|begin|deploy|commit)\b",
    r"\b(?:writing|preparing|giving|making) (?:an? |the |my |our )?(?:\w{1,12} )?(?:blog|article|talk|post|book|course|lecture|tutorial|slides?|handbook|runbook|paper|training material)\b",
    r"\bgood example\?|\bhere's an example (?:from|of)\b|\ban example (?:from|in) the (?:\w{1,14} )?(?:docs?|documentation|manual|tutorial|guide|readme)\b",
    # German, French, Spanish, Portuguese
    r"\bwas (?:würde|passiert|geschieht)\b.{0,60}\bwenn\b|\b(?:käme|bekäme|bekomme ich|würde ich|sähe) (?:dann|ich|man)?|\bich habe (?:sie|es|ihn|das) nur\b|\bwas bedeutet\b.{0,400}\bnur\b",
    r"\bsi je\b.{0,60}\best-ce que\b|\baurais?-je\b|\bj'aurais?\b|\bque se passerait\b|\bque signifie\b.{0,400}\b(?:je lis|j'ai lu|documentation|article|forum)\b|\bje lis (?:la|le|un)\b",
    r"\bqu[eé] pasar[ií]a\b|\b(?:saldr|aparecer|dar|ver)[ií]a\b|\bsolo lo (?:le[ií]|vi)\b|\bqu[eé] significa\b.{0,400}\b(?:le[ií]|foro|art[ií]culo|documentaci[oó]n)\b",
    r"\bo que (?:aconteceria|acontece se)\b|\bapareceria\b|\bli isso\b|\best[aá] tudo (?:funcionando|bem)\b",
    chinese=r"会不会(?:出现|报|有|看到)|(?:如果|假如|要是|万一)[^。？?]{0,30}(?:会|能)[^。？?]{0,12}(?:出现|报|看到|吗|么)|面试题|笔试|考试题|练习题|习题|(?:写|加|配)(?:一?[条个])?[^。]{0,8}(?:规则|告警|正则)|怎么(?:匹配|过滤|复现|模拟)|(?:的|助手|模型|一言|千问|豆包|元宝)(?:回答|回复|答复|解释)[:：]|(?:知乎|微博|贴吧|B站|b站|小红书|抖音|视频|网上|论坛)(?:上|里)?(?:看到|有人|说|的)|(?:目前|现在)?(?:一切|都)(?:很)?正常|还没(?:买|装|部署|开始)|準備|もし.{0,40}(?:たら|れば|ると)|出ますか|если .{0,60}(?:появится|будет|выдаст)|появится ли|что будет|나올까요|뜨나요",
)
"""Of the line above, the line itself beside the product's words, and the one below."""
OWN = Words(
    r"\b(?:my|our) (?:\w{1,14} ){0,2}(?:fails?|failed|crash\w*|hangs?|hung|dies|died|stops?|stopped|breaks?|broke|says?|prints?|shows?|reports?|throws?|gets?|got|is stuck|won't)\b",
    r"(?<!would )(?<!could )(?<!will )(?<!if )(?<!when )\b(?:i|we) (?:now |always |still |just |then |keep |always )?(?:get|got|getting|see|hit|have|am seeing|are seeing|am getting|are getting|encounter(?:ed)?|ran into|run into)\b(?! no | not )",
    r"\b(?:it|job|run|server|training|engine|worker|process|container|pod) (?:now |always |still |then |just |suddenly )?(?:fails?|failed|crash\w*|hangs?|hung|dies|died|stops?|stopped|aborts?|aborted)\b",
    chinese=r"我(?:们|这边|这里)?[^。？?]{0,16}(?:报|出现|遇到|看到|卡|挂)",
)
"""That it has happened here."""


def is_imagined(above: str, beside: str, below: str) -> bool:
    """Whether the words above a line, beside the product's words in it, or below it say that nobody had it here."""
    for text in (above, beside, below):
        if text and IMAGINED.search(text) and not OWN.search(text):
            return True
    return False
