"""What secrets look like by themselves: marks of services, and places in which nothing else stands.

The marks were compared with those that gitleaks lists (github.com/gitleaks/gitleaks, config/gitleaks.toml).
"""

from __future__ import annotations

import re

from ..patterns import lazy_pattern

KNOWN = lazy_pattern(
    r"(?<![A-Za-z0-9])(?=[\w~.])(?:"
    r"(?:(?:hf|api_org|gh[opsur]|github_pat|npm|dckr_[po]at|do[opr]_v1|glc|glsa|ntn|pscale_(?:tkn|oauth|pw)|rubygems|lin_api"
    r"|sntryu|sntrys|shp(?:at|ca|pa|ss)|[spr]k_(?:live|test|prod)|whsec|r8|sgp|pnu|rdme|tfp|wandb|sm_[aps]at)_"
    r"|(?:sk|nvapi|pypi|pplx|xai|GOCSPX|xkeysib|PMAK|NRAK|HRKU|API|pul|ico|tskey|p8e|sq0(?:atp|csp))-)(?P<maybe>[\w-]{16,})"
    r"|gl(?:pat|rt|cbt|dt|ft|imt|agent|oas|ptt|soat|ffct|rtr)-[\w.-]{16,}|GR1348941[\w-]{16,}"
    r"|xox[abeoprs]-[\w-]{8,}|xapp-\d-[\w-]{8,}|xoxe\.xox[bp]-[\w-]{8,}"
    r"|(?:hv[sbr]|SG|ya29|dp\.[a-z]{2}|dt0c01)\.[\w.=-]{16,}|(?<![\w/.])s\.[A-Za-z0-9]{24}(?![\w.])"
    r"|(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])|ABSK[\w+/=]{40,}|LTAI[A-Za-z0-9]{16,24}(?!\w)"
    r"|AIza[\w-]{30,}|AQVN[\w-]{30,}|AKCp[A-Za-z0-9]{30,}|cmVmd[A-Za-z0-9]{40,}|dapi[a-f0-9]{32}|EAA[AMC][\w-]{40,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]{0,4000})?|ops_eyJ[\w+/=-]{40,}|eyJrIjoi[\w+/=-]{40,}"
    r"|AGE-SECRET-KEY-1[A-Z0-9]{30,}|A3(?:-[A-Z0-9]{5,11}){5,6}|fo1_[\w-]{30,}|fm\d[ar]?_[\w+/=-]{40,}"
    r"|sha256~[\w-]{30,}|key-[a-f0-9]{32}(?!\w)|SK[a-f0-9]{32}(?!\w)|\d{6,12}:A[\w-]{34}(?![\w-])"
    r"|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{30,}|[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{30,40}"
    r"|MUNGE:[\w+/=]{20,}:?"
    r"|LS0tLS1CRUdJTi[\w+/=]{20,}|b3BlbnNzaC1rZXktdjE[\w+/=]{20,}"
    r"|(?!sha\d)[a-z][a-z0-9]{1,9}[_-](?:[a-z0-9]{2,8}[_-])?(?=[a-z0-9]{0,99}[A-Z])(?=[A-Z0-9]{0,99}[a-z])(?=[A-Za-z]{0,99}\d)"
    r"[A-Za-z0-9]{30,}"
    r")"
)
"""Beginnings by which services mark their tokens; the last: a lower-case mark before 30 mixed characters.

``maybe`` is what stands behind a mark that names of variables and kernels begin with, too: see ``is_random``.
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


PRIVATE = lazy_pattern(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,8192}"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
)
_END = r"[^\s'\"]"


def _after(mark: str, *parts: str) -> tuple[str, re.Pattern[str]]:
    return mark, lazy_pattern("".join(parts))


_SPOKEN = (
    r"(?:[ ](?:(?:that )?(?:we|i|you) use|provided|expired|rejected|revoked|used|given|invalid|value)){0,2}"
    r"(?:[ ](?:is|was))?[ ]?[:(]?[ ]?['\"\u201c]?"
)
"""What people and programs put between the word for a secret and the secret."""
_RANDOM = (
    r"((?=[^\s'\"]{0,200}\d[^\s'\"]{0,200}[A-Za-z][^\s'\"]{0,200}\d)"
    r"(?=[^\s'\"]{0,200}(?-i:[a-z]))(?=[^\s'\"]{0,200}(?-i:[A-Z]))[\w+/=~-]{10,200})"
)
"""Digits apart from one another, and letters of both kinds: no name of a class."""

PLACES = (
    # user:password before a host
    _after("://", r"([A-Za-z][A-Za-z0-9+.-]{1,30}://)",
        r"([^\s/@:'\"]{0,200}:[^\s/'\"]{1,300}|[^\s/@:'\"]{16,300})(?=@)"),
    _after("@", r"((?i:proxy)\\{0,4}['\"]?[ ]{0,3}[=:][ ]{0,3}['\"]?)", r"([^\s:@/'\"]{1,100}:[^\s'\"/]{1,200})(?=@)"),
    _after("@", r"(?<![\w/.:@-])([\w.%+-]{1,64}:)([^\s:/@'\"]{1,200})",
        r"(?=@(?!sha\d)(?:(?:tcp|unix)\(|[\w.-]{1,200}:\d))"),
    _after("@", r"(\bjdbc:oracle:\w{1,20}:[^/\s]{1,100}/|\bsqlplus[ ]{1,4}[^/\s]{1,100}/)", r"([^\s@]{1,200})(?=@)"),
    _after(":5432:", r"(?<![\w.:])((?:[\w.-]{1,100}|\*):5432:[\w*-]{1,60}:[\w*.-]{1,60}:)", r"(\S{1,200})"),
    _after(":*:", r"(?<![\w.:])((?:[\w.-]{1,100}|\*):\*:[\w*-]{1,60}:[\w*.-]{1,60}:)", r"(\S{1,200})"),
    # parameters of an address, and addresses that are secrets
    _after(
        "=",
        r"(?i)([?&;](?:(?:x-(?:amz|goog|oss)-)?(?:signature|sig|credential|security-token)|key|code|pwd|pw|pass|auth",
        r"|[a-z_-]{0,30}token|api_?key)=)([^\s'\"&<>]{3,})",
    ),
    _after("hooks.slack", r"(hooks\.slack\.com/(?:services|workflows|triggers)/)([\w/+-]{8,})"),
    _after("webhooks/", r"(discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/)([\w/-]{8,})"),
    _after("/bot", r"(api\.telegram\.org/(?:file/)?bot)([\w:-]{6,})"),
    _after("webhookb2/", r"(webhook\.office\.com/webhookb2/)([\w@/-]{8,})"),
    # headers
    _after("earer", r"(?i)(\bbearer[ \t]{1,3})([\w.~+/=-]{8,})"),
    _after("asic", r"(?i)(\bbasic[ \t]{1,3})((?=[a-z+/]{0,400}[0-9=])[a-z0-9+/]{8,}={0,2})"),
    _after("oauth2:", r"(\boauth2:)", r"([^\s:/@'\"]{1,200})(?=@)"),
    _after("token", r"(\b(?:x-access-token|gitlab-ci-token|__token__):)", r"([^\s:/@'\"]{1,200})(?=@)"),
    _after("/t/", r"(anaconda\.org/t/|/t/(?=tk-))", r"([\w-]{8,})"),
    # as people write
    *(_after(word, rf"({word}[ ]{{0,3}}[:\uff1a=\uff1d\u662f\u4e3a][ ]{{0,3}}['\"\u201c\u300c]?)", r"([!-~]{4,200})")
      for word in ("\u5bc6\u7801", "\u5bc6\u94a5", "\u53e3\u4ee4", "\u4ee4\u724c")),
    *(_after(word, rf"((?:[{word[0]}{word[0].upper()}]{word[1:]}|{word.upper()})s?\b{_SPOKEN})", _RANDOM)
      for word in ("password", "passphrase", "key", "token", "secret", "credential")),
    _after("secretstr(", r"(\bSecretStr\(['\"])", r"([^'\"\n]{1,400})"),
    _after("login(", r"(\b(?:\w{1,20}_)?login\([ ]?(?:(?:key|token)[ ]?=[ ]?)?['\"])", r"([^'\"\n]{6,400})"),
    # logging in
    _after("ogin", r"(\blogin\b[^\n|]{0,200}?[ \t]-p[ =]?['\"]?)", rf"({_END}{{1,200}})"),
    _after("ogin", r"(\blogin\s{1,20}\S{1,200}\s{1,20}password\s{1,20})", r"(\S{1,400})"),
    _after("ogin", r"(\bwandb[ ]{1,3}login[ ](?:--\w{1,20}[ ]){0,3})", r"([0-9a-f]{40})"),
    *(_after(word.lower(), r"(\b(?:echo|printf)[ ]{1,3}(?:-n[ ])?['\"]?(?:[\w.-]{1,40}:(?=[^|]{1,400}\bchpasswd\b))?)",
        rf"([^\s'\"|]{{1,400}})(?=['\"]?[ ]{{0,3}}\|[^\n|]{{0,100}}\b{word}\b)")
      for word in ("login", "sudo -S", "chpasswd", "passwd --stdin")),
    _after("vault login", r"(\bvault[ ]{1,3}login[ ]{1,3})", r"(?!-|method)([^\s'\"]{8,400})"),
    _after("authtoken", r"(\bauthtoken[ ]{1,3})", r"([\w-]{8,400})"),
    *(_after(word, rf"(\b{word}\w{{0,12}}\b[^\n|]{{0,200}}?[ ]-[pPc][ ]?['\"]?)", rf"({_END}{{1,300}})")
      for word in ("ipmitool", "racadm", "redfish", "ilorest", "snmpwalk", "snmpget", "mongo", "useradd", "unzip")),
    _after("<<<", r"(--(?:with-token|password-stdin)[ ]{0,3}<<<[ ]{0,3}['\"]?)", rf"({_END}{{1,400}})"),
    _after(
        "assword",
        r"(?i)((?:^|\n)[ \t]{0,20}password[ \t]{1,8})(?!(?:is|for|was|of|and|or|not|authentication|required)\b)",
        r"(\S{1,400})(?=[ \t\r]{0,8}(?:\n|\Z))",
    ),
    _after("assword", r"(?i)(\bpassword[ \t]{1,3}\\?['\"])((?=[^'\"\n]{0,400}\w)[^'\"\n]{1,400})(?=['\"])"),
    _after("bindpw", r"(\bbindpw[ ]{1,4})", rf"({_END}{{1,300}})"),
    # options of one letter
    _after(
        "-u",
        r"((?:\s|\A)(?:-u|--user|--proxy-user)[ =]?['\"]?(?![0-9$])[^\s:'\"$/]{1,100}:)",
        rf"(?!\d+(?![^\s'\"]))({_END}{{1,300}})",
    ),
    _after("pass", r"(\bsshpass[ ]{1,3}-p[ ]{0,3}['\"]?|\bpass(?:in|out)?[ =]{1,3}pass:)", rf"({_END}{{1,300}})"),
    _after("-p", r"(\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n|]{0,200}?[ ]-p)", rf"({_END}{{1,300}})"),
    _after("-a", r"(\bredis-cli\b[^\n|]{0,200}?[ ]-a[ ]{1,3}['\"]?)", rf"({_END}{{1,300}})"),
    _after("--from-literal", r"(--from-literal[= ]['\"]?[\w.-]{1,100}=)", rf"({_END}{{1,400}})"),
)  # fmt: skip
"""A text without which a place need not be looked for; what is kept, and what is hidden."""
