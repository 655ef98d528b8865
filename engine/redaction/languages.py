"""What people call a secret in other languages than English, with the secret behind it."""
# ruff: noqa: E501 - an expression

from __future__ import annotations

from ..patterns import lazy_pattern
from .marked import place

_FAR = ("密码", "密钥", "口令", "令牌", "密碼", "金鑰", "權杖", "暗証番号", "パスワード", "비밀번호", "암호", "비번", "пароль", "токен", "ключ api", "hasło",
        "mật khẩu", "şifre", "lösenord", "contraseña", "clé", "schlüssel")  # fmt: skip
_NEAR = ("mot de passe", "password", "kennwort", "senha", "heslo", "parola", "clave", "kata sandi", "wachtwoord",
         "salasana", "passwort")  # fmt: skip
_MIXED_SIGNS = ("token", "api key", "apikey")
_IS = r"[ ]{0,3}[:：=＝是为為은는は（]{1,2}"
_VERB = r"(?:[ ](?:lautet|ist|est|es|è|é|to|je|ist:|es:)(?=[ ])|[ ][-—](?=[ ]))"
"""What says that the secret follows."""
_OPEN = r"[ ]{0,3}['\"“「]?"
_VALUE = r"([!-~]{4,200})"
_PLAIN = r"((?=[!-~]{0,60}\d)(?=[!-~]{0,60}[A-Za-z])[!-~]{6,200})"

TOLD_IN_LETTERS = tuple(
    place(word, lazy_pattern(rf"(?i)(?<![a-z])({word}['\"]?{_IS}{_OPEN}){_VALUE}"), begins=True)
    for word in _NEAR
) + tuple(
    place(word, lazy_pattern(rf"(?i)(?<![a-z])({word}['\"]?{_VERB}{_OPEN}){_PLAIN}"), begins=True)
    for word in _NEAR
)
"""Words of letters that English has, too, each with what stands behind it."""
TOLD = (
    lazy_pattern(rf"(?i)((?:{'|'.join(_FAR)})['\"]?{_IS}{_OPEN}){_VALUE}"),
    lazy_pattern(rf"(?i)((?:{'|'.join(_FAR)})['\"]?(?:{_VERB})?{_OPEN}){_PLAIN}"),
    lazy_pattern(rf"(?i)((?:{'|'.join(_MIXED_SIGNS)})[ ]?[是为為은는は：（]{_OPEN}){_PLAIN}"),
)
"""The same for texts with other letters."""
