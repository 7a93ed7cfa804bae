"""Invented messages in which the words around a value make it a secret, in fourteen languages."""

from random import Random

from pipeline.testing.secrets_set.dice import HEX, LOWER, Draw, Planted, mixed, run, snowflake
from pipeline.testing.secrets_set.talk import figures, opaque, password, said, url_password

_SEED_WORDS = """
about abandon anchor apple arrive basket bicycle blanket bronze cactus canyon castle cereal
chapter cherry cinnamon clever cluster coconut copper cotton cradle cruise dinosaur dolphin
dragon drastic elbow elegant embrace engine fabric famous fiction flower fossil galaxy garlic
gentle giraffe gospel gravity guitar hammer harvest hybrid icon identify insect ivory jacket
jungle kangaroo ketchup kitchen ladder lecture lizard lobster magnet marble maximum mimic
mountain mushroom noble nuclear obvious ocean olive orbit ostrich oxygen panther peanut pencil
pioneer planet pottery puzzle pyramid quantum rabbit raccoon ribbon rookie saddle salmon satoshi
scissors shield silver skeleton spider spirit squirrel stadium sunset symbol tackle tattoo
timber tobacco tomato tortoise trumpet tunnel umbrella unveil vacuum velvet vibrant village
volcano walnut whisper window winter wisdom zebra
"""
SEED_WORDS = _SEED_WORDS.split()


def seed_phrase(dice: Random) -> str:
    """Draw 12 or 24 wallet words."""
    return " ".join(dice.choices(SEED_WORDS, k=dice.choice((12, 12, 24))))


def numbered_seed(dice: Random) -> Planted:
    """Twelve wallet words in a numbered list."""
    words = dice.choices(SEED_WORDS, k=12)
    body = " ".join(f"{place}. {word}" for place, word in enumerate(words, 1))
    return Planted("my recovery words, in order: ", body)


def letter_blocks(dice: Random) -> str:
    """Four blocks of four letters, as mail providers make them for one app."""
    return dice.choice((" ", "-")).join(run(dice, 4, LOWER) for _ in range(4))


PHRASES: dict[str, Draw] = {
    "password said, english": said(
        "the password is {}",
        "my netflix password is {}",
        "password: {}",
        "Password = {}",
        "pw is {}",
        "pass: {}",
        "the password for the wifi at my place is {}",
        "passwd: {}",
        "psw: {}",
        "the new admin password will be {}",
    ),
    "password said backwards": said(
        "{} is the password",
        "use {} as the password",
        "{} is my steam password",
        "try {} as password",
    ),
    "password quoted": said(
        'the password is "{}"', "password: `{}`", "pw: ||{}||", "password is '{}'"
    ),
    "password quoted plain word": said(
        'the password is "{}"',
        "the password is `{}`",
        "password: **{}**",
        value=lambda d: d.choice(("swordfish", "marmalade", "thunderbird", "rosebud")),
    ),
    "passphrase of words": said(
        'the passphrase is "{}"',
        "passphrase: {}",
        value=lambda d: " ".join(d.choices(SEED_WORDS, k=5)),
    ),
    "password said, german": said(
        "das Passwort ist {}",
        "Passwort: {}",
        "das Kennwort lautet {}",
        "PW für den Server: {}",
        "passwort vom wlan ist {}",
    ),
    "password said, french": said(
        "mdp : {}", "le mot de passe est {}", "le mdp du wifi c'est {}", "mot de passe: {}"
    ),
    "password said, spanish": said(
        "la contraseña es {}",
        "contraseña: {}",
        "la clave del wifi es {}",
        "mi contraseña de steam: {}",
    ),
    "password said, portuguese": said(
        "a senha é {}", "senha: {}", "a palavra-passe é {}", "senha do wifi: {}"
    ),
    "password said, italian": said(
        "la password è {}", "la password del wifi è {}", "parola d'ordine: {}"
    ),
    "password said, dutch": said("het wachtwoord is {}", "wachtwoord: {}", "ww: {}"),
    "password said, polish": said("hasło: {}", "hasło to {}", "hasło do wifi: {}"),
    "password said, turkish": said("şifre: {}", "wifi şifresi: {}", "parola: {}"),
    "password said, swedish": said("lösenordet är {}", "lösenord: {}"),
    "password said, russian": said(
        "пароль: {}", "пароль от вайфая: {}", "Пароль {}", "мой пароль — {}", "пароль такой: {}"
    ),
    "password said, chinese": said("密码是{}", "密码：{}", "wifi密码: {}", "密碼是 {}", "口令：{}"),
    "password said, japanese": said(
        "パスワードは{}です", "パスワード：{}", "パスワードは「{}」", "パスは {} だよ"
    ),
    "password said, korean": said("비밀번호는 {} 입니다", "비번: {}", "비밀번호: {}"),
    "wifi line": said(
        "SSID: Kellerbar / Password: {}",
        "wifi: Kellerbar, pw {}",
        "WiFi name guest5 key: {}",
        "WLAN-Schlüssel: {}",
        "wifi Kellerbar / {}",
    ),
    "wifi code": said("WIFI:T:WPA;S:Kellerbar;P:{};;", value=url_password),
    "login and password": said(
        "login maren / pw {}",
        "user: maren pass: {}",
        "login: maren\npw: {}",
        "username maren password {}",
        "benutzer maren, passwort {}",
        "логин maren пароль {}",
        "账号 maren 密码 {}",
        "usuario: maren clave: {}",
    ),
    "credentials pair": said("creds: maren:{}", "login is maren:{}", "creds are maren / {}"),
    "api key said": said(
        "my api key is {}",
        "api key: {}",
        "API-Key: {}",
        "here's the weather api key {}",
        "apikey={}",
        "the key for the api is {}",
        value=lambda d: d.choice((run(d, 32, HEX), mixed(d, 32), mixed(d, 40))),
    ),
    "api key said, other languages": said(
        "mein API-Schlüssel ist {}",
        "la clé API c'est {}",
        "la clave de la api es {}",
        "a chave da API é {}",
        "ключ апи: {}",
        "API密钥是{}",
        "APIキーは{}です",
        value=lambda d: d.choice((run(d, 32, HEX), mixed(d, 36))),
    ),
    "token said": said(
        "bot token: {}",
        "the access token is {}",
        "TOKEN={}",
        "токен: {}",
        "トークンは{}",
        "令牌：{}",
        "mein token ist {}",
        "refresh_token: {}",
        value=opaque(40),
    ),
    "app password": said(
        "app password: {}",
        "my google app password is {}",
        "the app password {} still works",
        value=letter_blocks,
    ),
    "pin said": said(
        "my pin is {}",
        "PIN: {}",
        "the pin for the gate is {}",
        "der pin ist {}",
        "le code pin c'est {}",
        "el pin es {}",
        "пин-код: {}",
        "暗証番号は{}です",
        value=figures(4, 6),
    ),
    "one-time code": said(
        "2fa code: {}",
        "the verification code is {}",
        "your login code is {}",
        "2fa: {}",
        "otp {}",
        "código de verificación: {}",
        "der Bestätigungscode lautet {}",
        "код подтверждения: {}",
        "验证码是{}",
        "認証コード：{}",
        value=figures(6),
    ),
    "door code": said(
        "the door code is {}", "gate code: {}", "alarm code is {}", value=figures(4, 6)
    ),
    "card code": said("cvv {}", "cvc: {}", "exp 09/29 cvv: {}", value=figures(3)),
    "backup codes": said(
        "backup codes: {}",
        "recovery code: {}",
        value=lambda d: f"{run(d, 5, HEX)}-{run(d, 5, HEX)}",
    ),
    "seed phrase named": said(
        "my seed phrase: {}",
        "seed: {}",
        "recovery phrase is {}",
        "wallet backup\n{}",
        "mnemonic = '{}'",
        "die seed phrase lautet {}",
        value=seed_phrase,
    ),
    "seed phrase alone": said("{}", "```\n{}\n```", value=seed_phrase),
    "seed phrase numbered": numbered_seed,
    "invite to a locked channel": said(
        "channel key for #den is {}", "/join #den {}", value=password
    ),
    "snowflake and password": lambda d: Planted(f"server {snowflake(d)} password ", password(d)),
}
