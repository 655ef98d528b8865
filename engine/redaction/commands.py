"""Command lines of tools whose options do not say that a secret follows, and what is handed over on standard input."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

from ..patterns import lazy_pattern
from .marked import Place, place

_OPEN = r"\\{0,8}['\"]?"
_VALUE = r"((?<=')[^'\n]{1,300}|(?<=\")[^\"\n\\]{1,300}|(?<!['\"])(?!-|[|<>&;])[^\s'\"|]{1,300})"
"""A quoted value to its end, or a word that is no option."""
_BETWEEN = rf"(?:\\{{0,8}}['\"],[ \t\n]{{0,40}}|[ \t]{{0,4}}=?[ \t]{{0,4}}){_OPEN}"
_APART = rf"(?:\\{{0,8}}['\"],[ \t\n]{{0,40}}|[ \t]{{1,4}}){_OPEN}"
_WORDS = r"[^\n|]{0,300}?"


def _option(tools: str, options: str, between: str = _BETWEEN) -> tuple[Place, ...]:
    """What follows an option of some tools, whose names are separated by blanks."""
    return tuple(
        place(
            tool.lower(),
            lazy_pattern(rf"(\b(?i:{tool})[\w.-]{{0,20}}\b{_WORDS}[\s'\"](?:{options}){between}){_VALUE}"),
            begins=True,
        )
        for tool in tools.split()
    )


def _word(tool: str, words: str) -> Place:
    """What follows some words of a tool."""
    return place(tool, lazy_pattern(rf"(\b{tool}\b{words}{_APART}){_VALUE}"), begins=True)


_ARGUMENT = r"[ \t]{1,4}(?!-)[^\s|]{1,100}"
_OPTIONS = r"(?:[ \t]{1,4}-[^\s|]{1,40}){0,6}"
_READERS = (
    r"(?:sudo\b[^|\n]{0,60}[ ](?:-[a-zA-Z]{0,6}S|--stdin)\b|(?:kinit|chpasswd|kpasswd|smbpasswd|vncpasswd|mkpasswd"
    r"|grub-mkpasswd-pbkdf2|ssh-add|htpasswd|slappasswd|tigervncpasswd|cryptsetup|kubeseal|sshpass|secret-tool|keyctl|ansible-vault|base64|gpg2?"
    r"|openssl|adcli|sops|wg|su|bw|ecryptfs-\S{1,40}|zfs[ ]load-key|clevis|systemd-creds|lpass|runuser|login)(?![\w.-])"
    r"|--(?:password|token|passphrase|key|secret|pass)-stdin\b|--with-token\b|passwd\b[^|\n]{0,60}--stdin"
    r"|\bcreate secret\b|\bsecrets?[ ](?:create|set|put|add|versions)\b|\bpass[ ]insert\b|\bvault[ ](?:kv|write|login)\b"
    r"|\brealm[ ]join\b|--passphrase-fd\b|pass(?:in|out)?[ :=](?:stdin|fd:0)|\bauth[ ]login\b)"
)
"""Commands that read a secret from their standard input."""
_KEPT = r"[^\s|;&]{0,200}(?:passw|passphrase|token|secret|credential|netrc|pgpass|\.key\b|_key\b|my\.cnf|htpasswd|_rsa\b)"
"""Files whose names say that they hold a secret."""


def _printed(command: str) -> Place:
    """What a command prints for one that reads a secret, or into a file of secrets."""
    shape = lazy_pattern(
        rf"(\b{command}[ \t]{{1,4}}(?=[^|>\n]{{0,300}}[|>])(?:-[neEr]{{1,3}}[ \t]{{1,3}}){{0,2}}(?:--[ ])?"
        rf"(?:{_OPEN}%[^\s'\"|]{{1,12}}{_OPEN}[ \t]{{1,4}})?{_OPEN})([^|\n'\"<>]{{1,300}}?)(?={_PIPED})"
    )
    return place(f"{command.lower()} ", shape, begins=True)


_PIPED = rf"{_OPEN}[ \t)]{{0,4}}(?:\|[^\n|]{{0,100}}?\b{_READERS}|\|[^\n|]{{0,100}}--\w{{4,20}}-stdin|\|[^\n|]{{0,60}}--with-token|\|[ ]{{0,3}}(?:sudo[ ])?passwd\b|>{{1,2}}[ ]{{0,3}}{_OPEN}{_KEPT}|\|[ ]{{0,3}}(?:sudo[ ])?tee[ ]{_KEPT})"

COMMANDS = (
    # LDAP, Windows shares, mail, files
    *_option("ldap", "-[wy]|-[aA]?s(?=[ ](?!base|one|sub|child))"),
    *_option("slappasswd", "-s"),
    *_option("xfreerdp wfreerdp freerdp rdesktop sdl-freerdp", r"/p:|/password:|/gp:|-p"),
    *_option("sshpass", "-p"),
    *_option("mysql mariadb", "-p", _OPEN),
    *_option("mosquitto", "-[P]"),
    *_option("isql tsql bteq osql", "-P"),
    *_option("vsql", "-w"),
    *_option("beeline", "-p"),
    *_option("psexec winexe wmic", "-p|/password:|-password"),
    *_option("signtool certutil", "[-/]p", _APART),
    *_option("schtasks", "/(?:rp|p)", _APART),
    *_option("usermod useradd", "-p|--password"),
    *_option("twine poetry rabbitmqadmin", "-p"),
    *_option("rancher frpc", "-t", _APART),
    *_option("kaggle", "-v", _APART),
    *_option("caddy", "--plaintext"),
    *_option("swanlab", "-k", _APART),
    *_option("ttyd", r"-c[ ]?\S{1,60}:", ""),
    *_option("pkcs11-tool pkcs15-tool ykman yubico-piv-tool", "-[pP]|--(?:so-)?pin|--new-pin"),
    *_option("gitlab-runner", "-[rt]|--registration-token"),
    *_option("ansible-vault", "--vault-password"),
    *_option("kafkacat kcat", r"-X[ ]{0,2}(?:sasl\.password|ssl\.key\.password)"),
    *_option("snmpwalk snmpget snmpset snmpbulkwalk snmptrap", "-[cAX]"),
    *_option("net-snmp-create-v3-user net-snmp-config", "-[AXax]"),
    *_option("pdftk", "(?:input_pw|user_pw|owner_pw)", _APART),
    *_option("hydra medusa crackmapexec nxc netexec evil-winrm impacket", "-[p]"),
    *_option("rcon mcrcon", "-[pP]"),
    *_option("sqlplus impdp expdp rman sqlldr", rf"{_OPEN}[\w$]{{1,40}}/", ""),
    *_option("nmcli", r"[\w.-]{0,40}(?:password|psk|wep-key\d)", _APART),
    *_option("security", r"-[wpP]", _APART),
    *_option("borg restic duplicity rustic kopia", "--(?:password|passphrase)", _BETWEEN),
    *_option("influx", "-p|--password"),
    *_option("ipmitool ipmi", r"-[PYyk]"),
    *_option("curl", r"--(?:pass|proxy-pass|key-pass|tlspassword)", _APART),
    *_option("huggingface-cli hf modelscope wandb clearml comet neptune", r"login(?:[ ]--(?:cloud|verify|relogin|anonymously))?|--relogin|--key", rf"{_APART}(?!--?[a-z])"),
    *_option("aria2c", "--(?:http|ftp)-passwd"),
    *_option("rsync", "--password"),
    *_option("plink pscp psftp putty kitty", "-pw"),
    *_option("vncviewer x11vnc", "-passwd"),
    *_option("mount mount.cifs", r"-o[ ]{0,2}[^\s]{0,200}?(?:pass|password|password2)="),
    *_option("sacctmgr", r"(?i:password)="),
    *_option("kadmin", "-(?:w|pw)"),
    *_option("dsconf dsctl ldclt", "-w"),
    *_option("wpa_cli", r"(?:set_network[ ]\d{1,3}[ ](?:psk|password)|password[ ]\d{1,3})", _APART),
    # words in a place of their own
    place("-u", lazy_pattern(rf"((?:\s|['\"])(?:-U|--user(?:name)?)(?:[ =]|['\"],[ ]?){{0,2}}{_OPEN}[\w.@$/\\-]{{1,100}}%){_VALUE}")),
    place("user=", lazy_pattern(r"(\bcifs\b[^\n]{0,200}?\buser(?:name)?=[\w.\\-]{1,60}%)([^\s,'\"]{1,200})")),
    place("lftp", lazy_pattern(rf"(\blftp\b{_WORDS}[ ]-u[ ]{{0,3}}{_OPEN}[^\s,'\"]{{1,100}},){_VALUE}"), begins=True),
    place("smbclient", lazy_pattern(rf"(\bsmbclient[ ]{{1,4}}{_OPEN}(?://|\\\\)[^\s'\"]{{1,200}}{_OPEN}[ ]{{1,4}}{_OPEN}){_VALUE}"), begins=True),
    place("htpasswd", lazy_pattern(
        rf"(\bhtpasswd(?=(?:[ ]{{1,4}}-\S{{1,20}}){{0,6}}[ ]{{1,4}}-\w{{0,9}}b)(?:[ ]{{1,4}}-\S{{1,20}}(?:[ ]\d{{1,3}})?){{1,6}}"
        rf"(?:(?<=n)|(?<=nb.)|{_ARGUMENT}){_ARGUMENT}{_APART}){_VALUE}(?![ \t]{{1,4}}[^\s-])"), begins=True),
    place("htpasswd", lazy_pattern(
        rf"(\bhtpasswd(?:[ ]{{1,4}}-\w{{0,9}}n\w{{0,9}}){{1,3}}{_ARGUMENT}{_APART}){_VALUE}"), begins=True),
    _word("set password", r"[ \t]{1,4}(?:0x)?[0-9a-fA-F]{1,3}"),
    place("racadm", lazy_pattern(rf"(\bracadm\b{_WORDS}\b(?i:\w{{0,40}}(?:password|passphrase|communityname|passwd))(?:[ ]-i[ ]\d{{1,3}})?{_APART}){_VALUE}"), begins=True),
    place("net use", lazy_pattern(rf"((?i:\bnet[ ]{{1,4}}use)\b(?=[^\n]{{0,300}}/user:)(?:[ ]{{1,4}}\S:)?[ ]{{1,4}}{_OPEN}\\\\[^\s'\"]{{1,200}}{_OPEN}"
                             rf"(?:[ ]{{1,4}}/\S{{1,100}}){{0,3}}{_APART}){_VALUE}"), begins=True),
    place("net user", lazy_pattern(rf"((?i:\bnet[ ]{{1,4}}user)(?!\w){_ARGUMENT}{_APART})(?!/){_VALUE}"), begins=True),
    place("dscl", lazy_pattern(rf"(\bdscl\b{_WORDS}-passwd{_ARGUMENT}{_APART}){_VALUE}"), begins=True),
    _word("add_user", _ARGUMENT), _word("change_password", _ARGUMENT), _word("authenticate_user", _ARGUMENT),
    place("mysqladmin", lazy_pattern(rf"(\bmysqladmin\b{_WORDS}[ ]password{_APART}){_VALUE}"), begins=True),
    place("passwd", lazy_pattern(rf"(\b(?:openssl passwd|mkpasswd)\b[^\n|]{{0,80}}?{_APART}){_VALUE}(?={_OPEN}[ ]{{0,4}}(?:\n|\Z|[|;>&]))")),
    place("gh secret", lazy_pattern(rf"(\bgh secret set\b{_WORDS}[ ](?:-b|--body){_BETWEEN}){_VALUE}"), begins=True),
    place("vault", lazy_pattern(rf"(\bvault[ ](?:kv[ ](?:put|patch)|write)[ ]{{1,4}}(?:-\S{{1,40}}[ ]){{0,4}}[^\s=]{{1,200}}[ ]{{1,4}}{_OPEN}[\w.-]{{1,60}}=){_VALUE}"), begins=True),
    place("-e ", lazy_pattern(rf"(\bcurl\b{_WORDS}[ ]-E[ ]{{0,3}}[^\s:'\"]{{1,200}}:){_VALUE}")),
    place("--cert", lazy_pattern(rf"(\bcurl\b{_WORDS}[ ]--cert[ =]{{1,3}}[^\s:'\"]{{1,200}}:){_VALUE}")),
    place("send ", lazy_pattern(r"(\bsend[ ]{1,3}(?:--[ ])?\\{0,4}['\"])((?=[^\s'\"\\]{0,99}\d)[^\s'\"\\]{4,200})(?=\\{1,4}[rn])"), begins=True),
    place("smcipmitool", lazy_pattern(rf"(\b(?i:SMCIPMITool){_ARGUMENT}{_ARGUMENT}{_APART}){_VALUE}"), begins=True),
    place("sum ", lazy_pattern(rf"(\bsum[ ]-u[ ]\S{{1,60}}[ ]-p[ ]){_VALUE}"), begins=True),
    place("db2 ", lazy_pattern(rf"((?i:\bdb2[ ]connect[ ]to)\b{_WORDS}[ ](?i:using)[ ]){_VALUE}"), begins=True),
    place("connect ", lazy_pattern(r"((?<![\w-])(?i:connect)[ ][\w$]{1,40}/)([^\s@/]{1,200})(?=@\w)"), begins=True),
    place("rootpw", lazy_pattern(rf"(\brootpw\b(?:[ ]{{1,4}}--\w{{1,20}}){{0,3}}{_APART}){_VALUE}"), begins=True),
    place("community", lazy_pattern(rf"(\br[ow](?:user|community)6?{_APART}){_VALUE}")),
    place("com2sec", lazy_pattern(rf"(\bcom2sec6?(?:[ ]-Cn{_ARGUMENT})?{_ARGUMENT}{_ARGUMENT}{_APART}){_VALUE}"), begins=True),
    place("createuser", lazy_pattern(rf"((?i:\bcreateuser)(?:[ ]-e{_ARGUMENT})?{_ARGUMENT}[ ]{{1,4}}(?:MD5|SHA[\d-]{{0,4}}){_APART}){_VALUE}"), begins=True),
    place("createuser", lazy_pattern(rf"((?i:\bcreateuser)\b[^\n]{{0,200}}[ ](?:DES|AES[\d-]{{0,4}}){_APART}){_VALUE}"), begins=True),
    _word("set-auth-token", ""),
    _word("encrypt_string", ""),
    place("gem ", lazy_pattern(rf"(\bgem[ ](?:push|signin|yank|owner)\b{_WORDS}[ ](?:-k|--key){_BETWEEN}){_VALUE}"), begins=True),
    place("swift ", lazy_pattern(rf"(\bswift[ ]-{_WORDS}[ ](?:-K|--key){_BETWEEN}){_VALUE}"), begins=True),
    place("http-basic", lazy_pattern(rf"(\bhttp-basic\.\S{{1,60}}{_ARGUMENT}{_APART}){_VALUE}"), begins=True),
    place("admin user add", lazy_pattern(rf"(\badmin user add{_ARGUMENT}{_ARGUMENT}{_APART}){_VALUE}"), begins=True),
    place("--value", lazy_pattern(rf"(\b(?:keyvault secret|secrets? (?:set|create|put|add)|ssm put-parameter)\b{_WORDS}[ ]--value{_BETWEEN}){_VALUE}")),
    place("curl", lazy_pattern(rf"(\bcurl\b{_WORDS}[ ](?:-b|--cookie)[ =]{{0,2}}{_OPEN}[\w.-]{{1,60}}=){_VALUE}"), begins=True),
    place("get-auth-token", lazy_pattern(r"(\bget-auth-token[^\n]{0,60}\n)(\S{1,400})"), begins=True),
    # what is printed into a command, and what stands behind <<<
    *map(_printed, ("echo", "printf", "print", "yes", "Write-Output")),
    place("<<<", lazy_pattern(rf"(\b{_READERS}[^\n|]{{0,100}}?<<<[ ]{{0,3}}{_OPEN}){_VALUE}")),
    place("<<<", lazy_pattern(rf"(--\w{{4,20}}-stdin\b[^\n|]{{0,100}}?<<<[ ]{{0,3}}{_OPEN}){_VALUE}")),
    place("<<", lazy_pattern(rf"(<<-?[ ]{{0,3}}['\"]?\w{{1,20}}['\"]?[ ]{{0,3}}\|[^\n|]{{0,200}}?\b{_READERS}[^\n]{{0,100}}\n[ \t]{{0,40}})([^\n]{{1,400}})")),
    place("<<", lazy_pattern(rf"(\b{_READERS}[^\n|]{{0,100}}?<<-?[ ]{{0,3}}['\"]?\w{{1,20}}['\"]?[^\n]{{0,100}}\n[ \t]{{0,40}})([^\n]{{1,400}})")),
)  # fmt: skip
"""A text without which a command need not be looked for; what is kept, and what is hidden."""
MARKS = (
    " -",
    "login",
    "/p",
    "<<",
    "|",
    "'-",
    '"-',
    " /",
    "user",
    "password",
    "passwd",
    "pw",
    "community",
    "com2sec",
    "auth",
    "> ",
    ">>",
    "vault",
    "send ",
    "connect ",
    "ipmi",
    "-basic",
)
"""A text with none of these holds no such command."""
