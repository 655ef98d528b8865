"""Places in which nothing but a secret stands: behind a word, an option, in an address."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

from ..patterns import lazy_pattern
from .marked import Place, place

_END = r"[^\s'\"]"


def _after(mark: str, *parts: str) -> Place:
    return place(mark, lazy_pattern("".join(parts)))


def _from(mark: str, *parts: str) -> Place:
    """The same where the mark is how the place begins."""
    return place(mark, lazy_pattern("".join(parts)), begins=True)


_SPOKEN = (
    r"(?:[ ](?:(?:that )?(?:we|i|you) use|provided|expired|rejected|revoked|used|given|invalid|value)){0,2}"
    r"(?:[ ](?:is|was))?[ ]?[:(]?[ ]?['\"\u201c]?"
)
"""What people and programs put between the word for a secret and the secret."""
_RANDOM = (
    r"((?!~)(?=[\w+/=~-]{10})(?=[^\s'\"\d]{0,200}\d[^\s'\"A-Za-z]{0,200}[A-Za-z][^\s'\"\d]{0,200}\d)"
    r"(?=[^\s'\"]{0,200}(?-i:[a-z]))(?=[^\s'\"]{0,200}(?-i:[A-Z]))[\w+/=~-]{10,200})"
)
"""Digits apart from one another, and letters of both kinds: no name of a class."""

PLACES = (
    # user:password before a host
    _after("@", r"([A-Za-z][A-Za-z0-9+.-]{1,30}://)",
        r"([^\s/@:'\"]{0,200}:[^\s/'\"]{1,300}|[^\s/@:'\"]{16,300}|(?=[^\s/@:'\"]{0,16}\d)[^\s/@:'\"]{6,300}:)(?=@)"),
    _after("@", r"((?<![A-Za-z0-9+.-])(?!ssh|s?ftp|s?cp|rsync|abfs|wasb|gs|hdfs|docker|git\+ssh|oci|image)[A-Za-z][A-Za-z0-9+.-]{1,30}://)",
        r"((?=[^\s/@:'\"]{0,16}\d)[^\s/@:'\"]{6,16})(?=@(?!sha\d))"),
    _after("@", r"((?i:proxy)\\{0,4}['\"]?[ ]{0,3}[=:][ ]{0,3}['\"]?)", r"([^\s:@/'\"]{1,100}:[^\s'\"/]{1,200})(?=@)"),
    _after("@", r"(?<![\w/.:@-])([\w.%+-]{1,64}:)([^\s:/@'\"]{1,200})",
        r"(?=@(?!sha\d)(?:(?:tcp|unix)\(|[\w.-]{1,200}:\d))"),
    _after("@", r"(?<![\w/.:@+-])((?!mailto)[\w.-]{1,40}:)((?=[^\s:/@'\"]{0,60}\d)(?=[^\s:/@'\"]{0,60}[A-Za-z])[^\s:/@'\"]{6,200})",
        r"(?=@(?:[\w-]{1,60}\.){1,6}[a-z]{2,12}:/)"),
    _after("@", r"(\bjdbc:oracle:\w{1,20}:[^/\s]{1,100}/|\bsqlplus[ ]{1,4}[^/\s]{1,100}/)", r"([^\s@]{1,200})(?=@)"),
    _after(":5432:", r"(?<![\w.:])((?:[\w.-]{1,100}|\*):5432:[\w*-]{1,60}:[\w*.-]{1,60}:)", r"(\S{1,200})"),
    _after(":*:", r"(?<![\w.:])((?:[\w.-]{1,100}|\*):\*:[\w*-]{1,60}:[\w*.-]{1,60}:)", r"(\S{1,200})"),
    # parameters of an address, and addresses that are secrets
    *(_from(sign, r"(?i)([?&;](?:(?:x-(?:amz|goog|oss)-)?(?:signature|sig|credential|security-token)|[a-z-]{1,20}signature|key|code|pwd|pw|pass|auth",
        r"|sas|[a-z_-]{0,30}token|api_?key)=)([^\s'\"&<>]{3,})") for sign in "?&;"),
    _from("hooks.slack", r"(hooks\.slack\.com/(?:services|workflows|triggers)/)([\w/+-]{8,})"),
    _after("webhooks/", r"(discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/)([\w/-]{8,})"),
    _after("/bot", r"(api\.telegram\.org/(?:file/)?bot)([\w:-]{6,})"),
    _after("webhook", r"(\boffice\.com/webhook(?:b2)?/)([\w@/-]{6,})"),
    _from("://hooks.", r"(://hooks\.[\w.-]{1,60}/(?:[\w-]{1,20}/){0,4})", r"((?=[^\s/]{0,80}\d)(?=[^\s/]{0,80}[a-z])[\w-]{6,200})(?![\w-]|\.\w)"),
    _from("/hooks/catch/", r"(/hooks/catch/(?:\w{1,20}/){0,3})", r"((?=[^\s/]{0,80}[a-z])[\w-]{6,200})"),
    _after("hook", r"(?i)(://[^\s'\"/]{1,200}(?:/[^\s'\"/]{1,60}){0,6}?/(?:web)?hooks?/)",
        r"((?=[^\s/]{0,80}\d)(?=[^\s/]{0,80}[a-z])[\w@-]{10,200})(?![\w@-]|\.\w)"),
    _from("pagerduty.com/integration/", r"(pagerduty\.com/integration/)([\w-]{8,})"),
    _from("ftqq.com/", r"(ftqq\.com/)(\w{8,})"),
    _from("api.day.app/", r"(api\.day\.app/)(\w{8,})"),
    _after("netloc", r"(\bnetloc=['\"][^\s:@'\"]{0,100}:)", r"([^\s'\"@]{1,300})(?=@)"),
    # headers
    _from("bearer", r"(?i)(\bbearer(?:\\?[ \t]){1,3})([\w.~+/=-]{8,}|(?=[a-z]{0,12}\d)[a-z0-9]{4,7}(?![\w-]))"),
    _after("__token__", r"(\s__token__\s{1,4}-p[ =]?['\"]?)", rf"({_END}{{1,400}})"),
    _after("set ", r"(\b(?:npm|yarn|pnpm)(?: config)? set [^\s=]{0,200}(?i:auth|authtoken|password|token)[ =]{1,3}['\"]?)",
        rf"({_END}{{1,400}})"),
    _from("basic", r"(?i)(\bbasic[ \t]{1,3})((?=[a-z+/]{0,400}[0-9=])[a-z0-9+/]{8,}={0,2})"),
    _from("bearer.authorization.k8s.io.", r"(bearer\.authorization\.k8s\.io\.)([\w=-]{8,})"),
    *(_from(name, rf"(?i)(\b{name}[ ]{{0,2}}[:=][ ]{{0,3}})", r"([^\s'\"]{8,400})")
      for name in ("asp.net_sessionid", "x-honeycomb-team", "x-jfrog-art-api", "connect.sid", "sonar.login")),
    _from("oauth2:", r"(\boauth2:)", r"([^\s:/@'\"]{1,200})(?=@)"),
    _after("token:", r"(\b(?:x-access-token|gitlab-ci-token):)", r"([^\s:/@'\"]{1,200})(?=@)"),
    _from("__token__:", r"(\b__token__:)", r"([^\s:/@'\"]{1,200})(?=@)"),
    _after("/t/", r"(anaconda\.org/t/|/t/(?=tk-)|://[\w.:-]{1,200}/t/(?=[A-Za-z]{0,60}\d)(?=\d{0,60}[A-Za-z])(?=\w{6,200}/))", r"([\w-]{6,})"),
    # as people write
    # asked and told
    _from("pass", r"(?i)(\b(?:password|passwd|passphrase|passcode)(?:[ ]\(?(?:for|of|on|to|at|is generated for)[ ][^\s:]{1,80}"
        r"(?:[ ][^\s:]{1,80})?(?::(?=//)[^\s]{1,100})?){1,2}\)?['\"]?(?:[ ](?:is|was|=)[ ]|:[ ]))",
        r"(?!(?:not|no|is|required|invalid|incorrect|wrong|failed|expired|unknown|permission|authentication|the|a)\b)(\S{4,200})"),
    *(_from(f"{word} here", rf"(?i)(\b{word}[ ]here[ ]{{0,2}}[:=][ ]{{0,3}})", r"(\S{4,400})") for word in ("key", "token", "password", "secret")),
    *(_from(f"{word} {verb}", rf"(?i)(\b{word} {verb}(?: now| set to)?:? ['\"]?)", r"((?=[^\s'\"]{0,99}\d)(?=[^\s'\"]{0,99}[a-z])[^\s'\"]{6,200})")
      for word in ("token", "secret", "key", "code") for verb in ("is", "was")),
    *(_from(mark, rf"(?i)(\b{mark}(?:[a-z]{{2,12}}[ ]){{0,2}}(?:token|key|secret|password|pin|passphrase|pw)(?:[ ]is)?:?[ ]['\"]?)",
        r"((?=[^\s'\"]{0,99}\d)(?=[^\s'\"]{0,99}[a-z])[^\s'\"/.,()<>\[\]=]{6,200})(?=['\"]?(?:[\s,;]|\.?\Z|\.\s))")
      for mark in ("my ", "our ", "your ", "use the ", "used the ")),
    *(_from(f"{word} ", rf"(?i)(\b{word} (?:that )?(?:we|i|you|they) (?:use|set|chose|gave)(?: is|:) ['\"]?)", r"((?=[\w-]{0,99}\d)(?=[\w-]{0,99}[a-z])[\w-]{6,200})")
      for word in ("token", "secret", "key", "password")),
    *(_from(f"{word} (", rf"(?i)(\b{word} \()", r"((?=[\w+/=~-]{0,99}\d)(?=[\w+/=~-]{0,99}[a-z])[\w+/=~-]{8,400})(?=\))")
      for word in ("key", "token", "password", "secret")),
    _from("-server", r"(-server[ ](?:[\w.:-]{1,60}[ ])?(?:[\w.-]{1,20}[ ]){0,4}key[ ](?:\d[ ])?)", r"(\S{4,200})"),
    _after("authentication-key ", r"(\bauthentication-key[ ](?:\d[ ])?)", r"(\S{4,200})"),
    _from("secret.key ", r"(\bsecret\.key[ ]{1,4})", r"([^\s=:]{6,200})"),
    _from("experiment(", r"(\bExperiment\([ ]?['\"])", r"((?=[^'\"\n]{0,99}\d)[\w-]{10,200})(?=['\"])"),
    _from("credentials are ", r"(?i)(\bcredentials are ['\"]?[\w.@-]{1,60}[ ]?[:/][ ]?)", r"([^\s'\"]{4,200})"),
    _from("creds: ", r"(?i)(\bcreds: ['\"]?(?:[\w.@-]{1,60}|\[hidden\])[ ]?[:/][ ]?)", r"([^\s'\"]{4,200})"),
    _from("password's ", r"(?i)(\bpassword's[ ])", r"((?=\S{0,99}\d)\S{4,200})"),
    *(_from(word, rf"(?i)(\b{word}['\"]?:?[ \t\r]{{0,4}}\n\s{{0,8}})", r"((?=\S{0,99}\d)(?=\S{0,99}[a-z])[\w+/=-]{12,400})(?=\s|\Z)")
      for word in ("api key", "the key", "my key", "our key", "token", "password", "passphrase")),
    _from("use token ", r"(?i)(\buse token[ ]['\"]?)", r"((?=[^\s'\"]{0,99}\d)[\w-]{6,200})"),
    *(_after(f" is {whose} ", r"(?i)(?<![^\s'\"(#])()", rf"((?=[^\s'\"]{{0,99}}\d)[^\s'\"]{{6,200}})(?=['\"]? is {whose} (?:\w{{1,12}} ){{0,2}}(?:password|passphrase|token|pw|pin|key|login)\b)")
      for whose in ("the", "my", "our", "your")),
    *(_from(f"{verb} ", rf"(?i)(\b{verb}(?:[ ](?:as|for|is|failed)){{0,2}}:?[ ][\w.-]{{1,40}}[/:])",
        r"((?=[^\s'\"]{0,99}\d)(?=[^\s'\"]{0,99}[a-z])[^\s/:'\"]{6,200})(?=[\s'\",;.]|\Z)")
      for verb in ("login", "logon", "logged in", "credentials", "creds")),
    *(_from(f"{verb} ", rf"(?i)(\b{verb}(?:[ ](?:as|for))?[ ][\w.-]{{1,40}}[/:])", rf"{_RANDOM}(?=[\s'\",;.]|\Z)") for verb in ("authenticate", "authenticated")),
    *(_from(f"{thing} pin", rf"(?i)(\b{thing} pin[ ])", r"((?=\w{0,40}\d)\w{4,40})(?![\w.-])") for thing in ("yubikey", "card", "sim", "hsm", "tpm")),
    _from("kv put ", r"(\bkv put[ ][\w./-]{0,100}(?:token|key|secret|pass|password)[ ]['\"]?)", rf"({_END}{{4,400}})"),
    _after("<(", r"(?i)((?:cred|pass|token|key|secret)[\w-]{0,20}[ =]<\((?:echo|printf)[ ](?:-n[ ])?['\"]?)", r"([^\s'\")]{4,400})"),
    _from("pin code", r"(?i)(\bpin[ -]code[ ]?(?:is|[:=])?[ ]{0,2})", r"((?=\w{0,40}\d)\w{4,40})"),
    _after("time code", r"(?i)(\bone[ -]time[ -]code[ ]?(?:is|[:=])?[ ]{0,2})", r"((?=\w{0,40}\d)\w{4,40})"),
    *(_after(f"{mark}pass", r"((?<![\w.@-])[\w.@-]{1,40} ?/ ?)", rf"(\S{{4,200}})(?= ?\((?:user(?:name)?|login){mark}pass)") for mark in ("/", " / ")),
    _after(" as ", r"(?i)(\b(?:use|with|and|enter|try|set) ['\"]?)", r"([^\s'\"]{4,200})(?=['\"]? as (?:the |your |my )?(?:\w{1,20} )?(?:password|passphrase|token|secret|pin)\b)"),
    _after(" / ", r"(?i)((?:\b(?:login|credentials?|bmc|ipmi|idrac|ilo)|登录|账号|帐号|账户)(?:[ ]?：[ ]?|[ ]?[:=][ ]?|[ ](?:is|are)[ ])(?:[\w.@-]{1,60}|\[hidden\]) / )", r"(\S{4,200})"),
    *(_from(f"{name}/pass", rf"(?i)(\b{name}[ ]?/[ ]?pass(?:word|wd|phrase)?['\"]?(?:[ ]?[:=][ ]?|[ ](?:is|are|was)[ ])['\"]?(?:[\w.@-]{{1,60}}|\[hidden\])[ ]?[/:][ ]?)", r"([^\s'\"]{4,200})")
      for name in ("user", "username", "login")),
    _after("identified", r"(?i)(\b(?:user|role|grant|to)\b[^\n]{0,100}?\bidentified[ ]{1,4}(?:(?:with|via)[ ]\S{1,60}[ ])?(?:by|as|using)[ ]{1,4}(?:password[ ])?['\"]?)", r"([^\s'\";]{1,200})"),
    *(_from(word, rf"(?i)((?:{word})(?!or)\w{{0,20}}['\"]?[ ]?(?:[=:]?[ ]?[\[({{]\[?|=)[ ]?"
        r"(?:['\"][^'\"\n]{0,80}['\"],[ ]?['\"]|[\w.]{1,40},[ ]?['\"](?=[^'\"/\n]{0,99}\d)))",
        r"([^'\"\n]{1,400}(?:['\"],[ ]?['\"][^'\"\n]{0,400}){0,3})") for word in ("auth", "login", "credential", "creds", "userpass", "sign_in", "signin", "simple_bind")),
    *(_from(f"{word.lower()}(", rf"((?<!\w){word}\((?:[ ]?(?:\w{{1,20}}=)?(?:['\"][^'\"\n]{{0,200}}['\"]|[\w.]{{1,40}}),){{2}}[ ]?['\"])", r"([^'\"\n]{1,400})")
      for word in ("Minio", "connect")),
    _after("auth ", r"((?<![\w-])AUTH (?:(?:[A-Z]{4,12}|default|\w{1,30}) )?)(?=[^\s'\"]{0,99}\d)(?=[^\s'\"]{0,99}[A-Za-z])",
        r"(\S{4,400})(?=[ \r]{0,4}(?:\n|\Z))"),
    _after("pass ", r"((?:(?:>|C:) ?|\bUSER \S{1,60}\r?\n)PASS )", r"(\S{1,200})"),
    _after("login ", r"(\b\w{1,10} LOGIN \S{1,80} )", r"(\S{1,200})"),
    _after("identify", r"(?i)(\bnickserv\b[^\n]{0,10}\bidentify )", r"(\S{1,200})"),
    *(_from(f"{call}(", rf"(\b{call}\([ ]?['\"])", r"([^'\"\n]{6,400})(?=['\"][ ]?\))") for call in ("authenticate", "auth")),
    _after("securestring", r"(\bConvertTo-SecureString[ ](?:-String[ ])?['\"])", r"([^'\"\n]{1,400})"),
    _from("pass", r"(?i)(\b(?:password|passwd|passphrase|passcode) [\[({<])", r"((?=[^\s\])}>]{0,99}\d)[^\s\])}>]{4,200})(?=[\])}>])"),
    _after("setuser", r"(?i)(\bacl setuser \S{1,60}[^\n]{0,100}? >)", r"(\S{1,200})"),
    _from("bearer", r"(?i)(\bbearer[ \t]{0,4}\\?\r?\n[ \t]{1,20})", r"((?=\S{0,200}\d)[\w.~+/=-]{6,2000})(?=[ \t\r]{0,4}(?:\n|\Z))"),
    # configuration of routers and mail
    *(_from(word, rf"(\b{word} \d )", r"((?=[^\s]{0,99}[\dA-Z$./])[^\s'\"]{4,300})") for word in ("secret", "password", "key")),
    _from("community", r"(\bcommunity )", r"([^\s'\"]{3,100})(?= R[OW]\b)"),
    _after("psk", r"(: ?PSK ['\"])", r"([^'\"\n]{1,400})"),
    _after("]:", r"(\[[\w-]{1,60}\.[\w.-]{1,100}\]:\d{2,5}[ \t]{1,8}[\w.@+-]{1,80}:)", r"(\S{1,200})(?=[ \t\r]{0,4}(?:\n|\Z))"),
    _after("@", r"((?<![\w./:@-])[\w.-]{1,40}/[\w.-]{1,40}:)", r"([^\s@/:]{1,200})(?=@(?!sha\d)[\w.-])"),
    _from("x-session", r"(?i)(\bx-session-(?:id|token):[ ]{0,3})", r"(\S{6,400})"),
    *(_from(word, rf"((?:[{word[0]}{word[0].upper()}]{word[1:]}|{word.upper()})s?\b{_SPOKEN})", _RANDOM)
      for word in ("password", "passphrase", "passcode", "key", "token", "secret", "credential")),
    _after("securestring", r"(\bType['\"]?[ ]?[:=][ ]?['\"]?SecureString['\"]?,\s{0,40}['\"]?Value['\"]?[ ]?[:=][ ]?['\"])", r"([^'\"\n]{1,4096})"),
    *(_from(word, rf"(\b{word}[ ](?:write|set|put|add|store)[ ]{{1,3}}(?!-)[\w./-]{{1,80}}[ ]{{1,3}}['\"]?)",
        r"((?=[^\s'\"=]{0,99}\d)(?=[^\s'\"=]{0,99}[A-Za-z])[^\s'\"=]{6,400})") for word in ("secret", "secrets")),
    _after("credentials(", r"(\b\w{0,60}(?:[kK]ey|[aA]ccess|[aA]uth|[tT]oken|[sS]ecret)\w{0,20}Credentials\((?:[^()\n]{0,200}?,[ ]?)?(?:key|token|value|secret)=['\"])", r"([^'\"\n]{1,400})"),
    _from("secretstr(", r"(\bSecret(?:Str|Bytes)\((?:\w{1,20}=)?b?['\"])", r"([^'\"\n]{1,400})"),
    _after("login(", r"(\b(?:\w{1,20}_)?login\([ ]?(?:(?:key|token)[ ]?=[ ]?)?['\"])", r"([^'\"\n]{6,400})"),
    # logging in
    _after("ogin", r"(\blogin\b[^\n|]{0,200}?[ \t]-p[ =]?['\"]?)", rf"({_END}{{1,200}})"),
    _after("ogin", r"(\blogin\s{1,20}\S{1,200}\s{1,20}password\s{1,20})", r"(\S{1,400})"),
    _from("wandb", r"(?i)((?<![a-z])wandb(?![a-z])[^\n]{0,80}?[ =:'\"])", r"((?-i:[0-9a-f]{40}))(?![0-9a-f])"),
    *(_after(word.lower(), r"(\b(?:echo|printf)[ ]{1,3}(?:-n[ ])?['\"]?(?:[\w.-]{1,40}:(?=[^|]{1,400}\bchpasswd\b))?)",
        rf"([^\s'\"|]{{1,400}})(?=['\"]?[ ]{{0,3}}\|[^\n|]{{0,100}}\b{word}\b)")
      for word in ("login", "sudo -S", "chpasswd", "passwd --stdin")),
    _from("vault login", r"(\bvault[ ]{1,3}login[ ]{1,3})", r"(?!-|method)([^\s'\"]{8,400})"),
    _from("authtoken", r"(\bauthtoken[ ]{1,3})", r"([\w-]{8,400})"),
    *(_from(word, rf"(\b{word}\w{{0,12}}\b[^\n|]{{0,200}}?[ ]-[pPc][ ]?['\"]?)", rf"({_END}{{1,300}})")
      for word in ("racadm", "redfish", "ilorest", "mongo", "useradd", "unzip",
                   "sqlcmd", "cqlsh", "zip", "bcp")),
    _after("7z", r"(\b7z[ar]?\b[^\n|]{0,200}?[ ]-p)", rf"({_END}{{4,300}})"),
    _after("rar ", r"(\b(?:un)?rar\b[^\n|]{0,200}?[ ]-h?p)", rf"({_END}{{4,300}})"),
    _from("ssh-keygen", r"(\bssh-keygen\b[^\n|]{0,200}?[ ]-[NP][ ]{1,3}['\"]?)", rf"({_END}{{1,300}})"),
    _from("openssl", r"(\bopenssl\b[^\n|]{0,200}?[ ]-[kK][ ]{1,3}['\"]?)", rf"({_END}{{4,300}})"),
    _after(" -a", r"(\b(?:https?|xhs?)[ ](?:[^\s|]{1,60}[ ]){0,4}?-a[ ]{1,3}['\"]?[^\s:'\"]{1,100}:)", rf"({_END}{{1,300}})"),
    _from("wpa_passphrase", r"(\bwpa_passphrase[ ]{1,3}\S{1,64}[ ]{1,3})", rf"({_END}{{4,300}})"),
    _from("chpasswd", r"(\bchpasswd\b[^\n|]{0,40}<<<[ ]{0,3}['\"]?[\w.-]{1,40}:)", rf"({_END}{{1,300}})"),
    _after("login", r"(\b(?:cargo|flyctl|fly|railway)[ ]{1,3}login[ ]{1,3})", r"(?!-)([\w-]{6,400})"),
    _after(" -t ", r"(\b(?:codecov|doctl)\b[^\n|]{0,80}?[ ]-t[ ]{1,3})", rf"({_END}{{8,300}})"),
    _after(" -k ", r"(\bprefect\b[^\n|]{0,80}?[ ]-k[ ]{1,3})", rf"({_END}{{8,300}})"),
    *(_from(word, rf"(\b{word}[ ]{{1,3}})", rf"({_END}{{6,300}})")
      for word in ("rclone obscure", "vault operator unseal", "cloudflared service install", "conda token set")),
    *(_from(word, rf"(\b{word}[ ]{{1,3}}['\"]?)", rf"({_END}{{6,300}})") for word in ("requirepass", "masterauth")),
    _from("mit-magic-cookie", r"(MIT-MAGIC-COOKIE-1[ ]{1,4})", r"(\w{8,})"),
    _from("mc ",
        r"(\bmc[ ]{1,3}(?:alias|config[ ]{1,3}host)[ ]{1,3}(?:set|add)[ ]{1,3}\S{1,60}(?:[ ]{1,3}\S{1,99}){2}[ ]{1,3})",
        rf"({_END}{{4,300}})"),
    _from("xauth add", r"(\bxauth add[ ]{1,3}\S{1,100}[ ]{1,3}\S{1,30}[ ]{1,3})", r"(\w{8,})"),
    _after("community", r"(\bsnmp\w{0,2}[ ][^\n]{0,40}?\bcommunity[ :=]{1,3})", r"([^\s'\"]{4,100})"),
    _from(",pass=", r"(,pass=)", r"([^\s,'\"]{1,200})"),
    # hashes of passwords, keys of vaults, joins, documents of keys
    _from("$", r"(\$(?:1|5|6|7|y|gy|apr1|sha1)\$(?:rounds=\d{1,9}\$)?(?:[\w./]{1,24}\$){1,2})", r"([\w./]{11,200})"),
    _from("*", r"(\*(?<![\w*].))", r"([0-9A-F]{40}(?!\w))"),
    *(_after(mark, r"(:\d{1,10}:)", r"((?:[0-9a-fA-F]{32}|X{32}):[0-9a-fA-F]{32})(?=:)") for mark in (":::", ":[u")),
    _from("sha1:", r"(\bsha1:[0-9a-f]{12}:)", r"([0-9a-f]{40}(?!\w))"),
    _from("stringdata", r"(\bstringData\\{0,4}\"?[ ]?:[ ]?\{)", r"([^{}\n]{1,4000})(?=\})"),
    _from("$2", r"(\$2[abxy]?\$\d\d\$)", r"([\w./]{20,100})"),
    _from("$", r"(\$(?:argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,10})\$)", r"([\w./,=+$-]{12,400})"),
    _after("key ", r"(\b(?i:unseal|recovery|root|vault:) (?i:key)[ ]\d{1,2}:[ ]{1,4})", r"(\S{8,200})"),
    _from("token", r"(\b(?i:tokens?)['\":= ]{1,5})", r"([a-z0-9]{6}\.[a-z0-9]{16})(?!\w)"),
    _from("twilio", r"(?i)(\btwilio[^\n]{0,40}?\bAC\w{4,40}:)", r"([\w-]{8,})"),
    _after(":: ", r"(?i)((?:password|secret|token):: )", r"([\w+/=]{4,400})"),
    _after('"kty"', r'("(?:d|k|p|q|dp|dq|qi)"[ ]?:[ ]?")', r'([\w-]{8,4096})'),
    _from("<d>", r"(<D>)", r"([\w+/=]{16,4096})(?=</D>)"),
    _from("encrypt", r"(\bencrypt(?:_key)?\"?[ ]{0,3}[=:][ ]{0,3}[\"'])", r"([\w+/]{12,}={0,2})(?![\w+/.-])"),
    *(_after(f"sk{sign}", r"((?<![\w.-])(?i:ak)[ ]{0,2}[:=][ ]{0,2}\S{1,100}?[ ,;/]{1,3}(?i:sk)[ ]{0,2}[:=][ ]{0,2}['\"]?)",
        r"([^\s'\"]{8,200})") for sign in ("=", ":", " =", " :")),
    # a name and a password in short
    *(_after(f"p{sign}", r"(?i)((?<![\w.-])u(?:ser)?[ ]?[:=][ ]{0,2}[\w.@-]{1,60}[ ,;/]{1,3}p[ ]?[:=][ ]{0,2}['\"]?)",
        r"(?!\d{0,3}\.\d{1,9}(?![^\s,;)]))([^\s'\"]{3,200})") for sign in (":", "=", " :", " =")),
    _from("login", r"(\b[Ll]ogin:?[ ]{1,2}[\w.@-]{1,60}[ ]{0,2}/[ ]{0,2})",
        r"((?=[^\s'\"]{0,60}\d)(?=[^\s'\"]{0,60}(?:[a-z][^\s'\"]{0,60}[A-Z]|[A-Z][^\s'\"]{0,60}[a-z]|\d[A-Za-z]))[^\s'\"/]{6,200})(?![/\w])"),
    _after("登", r"((?<![\w.-])[A-Za-z][\w.-]{1,30}[ ]?/[ ]?)",
        r"((?=[!-~]{0,60}\d)(?=[!-~]{0,60}[A-Za-z])[!-.0-~]{6,200})(?=[ ]{0,3}登[录陆錄])"),
    _after("<<<", r"(--(?:with-token|password-stdin)[ ]{0,3}<<<[ ]{0,3}['\"]?)", rf"({_END}{{1,400}})"),
    _after(
        "assword",
        r"(?i)((?:^|\n)[ \t]{0,20}password[ \t]{1,8})(?!(?:is|for|was|of|and|or|not|authentication|required)\b)",
        r"(\S{1,400})(?=[ \t\r]{0,8}(?:\n|\Z))",
    ),
    _from("password", r"(?i)(\bpassword[ \t]{1,3}\\?['\"])((?=[^'\"\n]{0,400}\w)[^'\"\n]{1,400})(?=['\"])"),
    _from("bindpw", r"(\bbindpw[ ]{1,4})", rf"({_END}{{1,300}})"),
    # options of one letter
    _after(
        "-u",
        r"((?:[\s'\"]|\A)(?:-[uU]|--user|--proxy-user)['\"]?[ =,]{0,2}['\"]?(?![0-9$])[^\s:'\"$/]{1,100}:)",
        rf"(?!//|\d+(?![^\s'\"]))({_END}{{1,300}})",
    ),
    _from("curl", r"(\bcurl\b[^\n|]{0,300}?\s-[A-Za-z]{1,8}u[ ]?['\"]?[^\s:'\"$/]{1,100}:)", rf"({_END}{{1,300}})"),
    _after("pass", r"(\bsshpass[ ]{1,3}-p[ ]{0,3}['\"]?|\bpass(?:in|out)?[ =]{1,3}pass:)", rf"({_END}{{1,300}})"),
    _from("redis-cli", r"(\bredis-cli\b[^\n|]{0,200}?[ ]-a[ ]{1,3}['\"]?)", rf"({_END}{{1,300}})"),
    _from("--from-literal", r"(--from-literal[= ]['\"]?[\w.-]{1,100}=)", rf"({_END}{{1,400}})"),
)  # fmt: skip
"""A text without which a place need not be looked for; what is kept, and what is hidden."""
