"""What secrets look like by themselves: marks of services, and blocks of keys.

The marks were compared with those that gitleaks lists (github.com/gitleaks/gitleaks, config/gitleaks.toml).
"""

from __future__ import annotations

from ..patterns import lazy_pattern

_UUID = r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"
KNOWN = lazy_pattern(
    r"(?<![A-Za-z0-9])(?=[\w~.%:/=+-]{13})(?:"
    rf"(?:[sp]k-lf|pat-[a-z]{{2}}\d|ms|sdk|access-(?:production|sandbox|development)|pdus\+\w{{1,20}})[-_]{_UUID}|"
    r"(?:sk|key)_[a-f0-9]{40,}|rzp_(?:live|test)_\w{14,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|[a-f0-9]{32}\.(?=[a-z0-9]{0,15}[A-Z])[A-Za-z0-9]{16}(?!\w)|"
    r"(?:(?:hf|api_org|gh[opsur]|github_pat|npm|dckr_[po]at|do[opr]_v1|glc|glsa|ntn|pscale_(?:tkn|oauth|pw)|rubygems|lin_api"
    r"|sntryu|sntrys|shp(?:at|ca|pa|ss)|[spr]k_(?:live|test|prod)|whsec|r8|sgp|pnu|rdme|tfp|wandb|sm_[aps]at"
    r"|sbp|napi|rpa|bkua|sq[apu]|e2b|dtn|lsv2_(?:pt|sk)|CLOJARS|CCIPAT|figd|aio|vcp|csk|fw|tgp_v1|pcsk|jina|KGAT)_"
    r"|(?:sk|nvapi|pypi|pplx|xai|GOCSPX|xkeysib|PMAK|NRAK|HRKU|API|pul|ico|tskey|p8e|sq0(?:atp|csp)|csk|tk-us|flwseck|tvly|fc|CFPAT|fio-u|v1\.0|ak|as)-)(?P<maybe>[\w-]{16,})"
    r"|sk-(?=[A-Za-z]{0,14}\d)(?=\d{0,14}[A-Za-z])[A-Za-z0-9]{10,15}(?![\w-])"
    r"|gl(?:pat|rt|cbt|dt|ft|imt|agent|oas|ptt|soat|ffct|rtr|wt)-[\w.-]{16,}|GR1348941[\w-]{16,}"
    r"|xox[a-z]-[\w%-]{8,}|xwfp-\d-[\w-]{8,}|xapp-\d-[\w-]{8,}|xoxe\.xox[bp]-[\w-]{8,}"
    r"|(?:hv[sbr]|SG|ya29|dp\.[a-z]{2}|dt0c01)\.[\w.=-]{16,}|(?<![\w/.])s\.[A-Za-z0-9]{24}(?![\w.])"
    r"|(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])|ABSK[\w+/=]{40,}|LTAI[A-Za-z0-9]{16,24}(?!\w)"
    r"|AIza[\w-]{30,}|AQVN[\w-]{30,}|AKCp[A-Za-z0-9]{30,}|cmVmd[A-Za-z0-9]{40,}|(?:dapi|dkea|dose)[a-f0-9]{32}(?:-\d)?|EZ[AT]K[a-z0-9]{54}|oy2[a-z0-9]{43}|SCW[A-Z0-9]{17}(?!\w)|"
    r"[a-f0-9]{32}-us\d{1,2}(?!\w)|K10[a-f0-9]{32,}::[\w:-]{8,}|EAA[AMC][\w-]{40,}"
    r"|eyJ[A-Za-z0-9_-]{10,500}\.{1,2}[\w-]{10,}(?:\.[\w-]{0,4000}){0,3}|v1\.[a-f0-9]{40}(?!\w)|ops_eyJ[\w+/=-]{40,}|eyJrIjoi[\w+/=-]{40,}"
    r"|AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,20})-1[A-Z0-9]{20,}|A3(?:-[A-Z0-9]{5,11}){5,6}|fo1_[\w-]{30,}|fm\d[ar]?_[\w+/=-]{40,}"
    r"|sha256~[\w-]{30,}|key-[a-f0-9]{32}(?!\w)|SK[a-f0-9]{32}(?!\w)|\d{6,12}:A[\w-]{34}(?![\w-])"
    r"|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{30,}|[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{30,40}"
    r"|MUNGE:[\w+/=]{20,}:?|SWMTKN-1-[a-z0-9-]{40,}|ATATT3x[\w=-]{20,}|1//0[\w-]{30,}"
    r"|LS0tLS1CRUdJTi[\w+/=]{20,}|b3BlbnNzaC1rZXktdjE[\w+/=]{20,}"
    r"|(?P<mixed>(?!sha\d)[a-z][a-z0-9]{1,9}[_-](?:[a-z0-9]{2,8}[_-])?"
    r"(?=[a-z0-9]{0,99}[A-Z])(?=[A-Z0-9]{0,99}[a-z])(?=[A-Za-z]{0,99}\d)[A-Za-z0-9]{30,})"
    r")"
)
"""Beginnings by which services mark their tokens; the last: a lower-case mark before 30 mixed characters.

``maybe`` is what stands behind a mark that names of variables and kernels begin with, too: see ``is_random``;
``mixed`` is a mark that may be part of a name that a compiler made.
"""
_PIECES = lazy_pattern(r"[A-Za-z0-9]+")
_LONGEST_WORD = 30


def is_random(text: str) -> bool:
    """Whether text behind a mark is a token and not words: ``wandb_run_id_of_the_job`` is none."""
    return any(
        len(piece) >= _LONGEST_WORD
        or (len(piece) >= 16 and any(map(str.isdigit, piece)))
        or (
            len(piece) >= 8
            and any(map(str.isdigit, piece))
            and any(map(str.isupper, piece))
            and any(map(str.islower, piece))
        )
        for piece in _PIECES.findall(text)
    )


_ENCLOSED = r"(?:PRIVATE KEY(?: BLOCK)?|AGE ENCRYPTED FILE|PGP MESSAGE)"
PRIVATE = lazy_pattern(
    rf"-----?[ ]?BEGIN [A-Z0-9 ]{{0,40}}{_ENCLOSED}[ ]?-----?(?:[^-]|-(?!----)){{0,32768}}"
    rf"(?:-----?[ ]?END [A-Z0-9 ]{{0,40}}{_ENCLOSED}[ ]?-----?)?"
    r"|(?:Private-Lines: \d{1,4}|encrypted secret key|\$ANSIBLE_VAULT;[\w.;]{1,40})(?:\s{1,4}[\w+/=-]{16,4096}){1,200}"
    r"|Private-MAC: [0-9a-f]{40,64}"
)
PRIVATE_MARKS = ("---- BEGIN ", "-----BEGIN ", "Private-", "encrypted secret key", "$ANSIBLE_VAULT")
"""Without one of these there is no such block."""
