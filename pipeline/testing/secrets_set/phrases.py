"""Invented messages in which the words around a value make it a secret, in fourteen languages."""

import base64
from collections.abc import Callable
from random import Random

from pipeline.testing.secrets_set.talk import password, url_password
from pipeline.testing.secrets_set.tokens import (
    ALNUM,
    BASE32,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    URLSAFE,
    Draw,
    Planted,
    mixed,
    run,
    snowflake,
    uuid,
)

SEED_WORDS = (
    "about abandon anchor apple arrive basket bicycle blanket bronze cactus canyon castle cereal"
    " chapter cherry cinnamon clever cluster coconut copper cotton cradle cruise dinosaur dolphin"
    " dragon drastic elbow elegant embrace engine fabric famous fiction flower fossil galaxy garlic"
    " gentle giraffe gospel gravity guitar hammer harvest hybrid icon identify insect ivory jacket"
    " jungle kangaroo ketchup kitchen ladder lecture lizard lobster magnet marble maximum mimic"
    " mountain mushroom noble nuclear obvious ocean olive orbit ostrich oxygen panther peanut pencil"
    " pioneer planet pottery puzzle pyramid quantum rabbit raccoon ribbon rookie saddle salmon satoshi"
    " scissors shield silver skeleton spider spirit squirrel stadium sunset symbol tackle tattoo"
    " timber tobacco tomato tortoise trumpet tunnel umbrella unveil vacuum velvet vibrant village"
    " volcano walnut whisper window winter wisdom zebra"
).split()


def said(*frames: str, value: Callable[[Random], str] = password) -> Draw:
    """Give a draw of one of the frames with its `{}` filled."""

    def draw(dice: Random) -> Planted:
        before, after = dice.choice(frames).split("{}")
        return Planted(before, value(dice), after)

    return draw


def hexes(length: int) -> Callable[[Random], str]:
    """Give a draw of lower-case hex digits."""
    return lambda dice: run(dice, length, HEX)


def opaque(length: int, alphabet: str = ALNUM) -> Callable[[Random], str]:
    """Give a draw of a mixed token."""
    return lambda dice: mixed(dice, length, alphabet)


def seed_phrase(dice: Random) -> str:
    """Draw 12 or 24 wallet words."""
    return " ".join(dice.choices(SEED_WORDS, k=dice.choice((12, 12, 24))))


def figures(*lengths: int) -> Callable[[Random], str]:
    """Give a draw of that many digits."""
    return lambda dice: run(dice, dice.choice(lengths), DIGITS)


def basic_header(dice: Random) -> Planted:
    """The base64 of name and password after Basic."""
    value = base64.b64encode(f"admin:{password(dice)}".encode()).decode()
    return Planted("Authorization: Basic ", value)


def docker_auth(dice: Random) -> Planted:
    """The auth field of a docker config."""
    value = base64.b64encode(f"maren:{password(dice)}".encode()).decode()
    return Planted('{"auths": {"registry.example.org": {"auth": "', value, '"}}}')


def numbered_seed(dice: Random) -> Planted:
    """Twelve wallet words in a numbered list."""
    words = dice.choices(SEED_WORDS, k=12)
    body = " ".join(f"{place}. {word}" for place, word in enumerate(words, 1))
    return Planted("my recovery words, in order: ", body)


def letter_blocks(dice: Random) -> str:
    """Four blocks of four letters, as mail providers make them for one app."""
    return dice.choice((" ", "-")).join(run(dice, 4, LOWER) for _ in range(4))


def key_32_bytes(dice: Random) -> str:
    """Draw 32 bytes in base64."""
    return base64.b64encode(dice.randbytes(32)).decode()


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
        "{} is the password", "use {} as the password", "{} is my steam password", "try {} as password"
    ),
    "password quoted": said('the password is "{}"', "password: `{}`", "pw: ||{}||", "password is '{}'"),
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
        "la contraseña es {}", "contraseña: {}", "la clave del wifi es {}", "mi contraseña de steam: {}"
    ),
    "password said, portuguese": said(
        "a senha é {}", "senha: {}", "a palavra-passe é {}", "senha do wifi: {}"
    ),
    "password said, italian": said("la password è {}", "la password del wifi è {}", "parola d'ordine: {}"),
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
    "password assigned": said("PASS={}", "DB_PASSWORD={}", "export SMTP_PASS='{}'", "PGPASSWORD={} psql"),
    "password in yaml": said("db:\n  user: app\n  password: {}\n", "  passwd: '{}'\n  port: 22"),
    "password in json": said(
        'config: "password": "{}",',
        '"db_pass": "{}"',
        '"passwd":"{}"',
    ),
    "password on a command line": said(
        "mysql -u root -p{} shop",
        "sshpass -p '{}' ssh root@box.example.org",
        "curl -u admin:{} https://box.example.org/api",
        "./login.sh --user maren --password {}",
        "docker login -u maren -p {}",
        "redis-cli -a {} ping",
        value=url_password,
    ),
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
    "database url": said(
        "postgres://app:{}@db.example.org:5432/shop",
        "postgresql+asyncpg://app:{}@10.0.0.7/shop",
        "mysql://root:{}@localhost/wp",
        "mongodb+srv://maren:{}@cluster0.example.mongodb.net/?retryWrites=true",
        value=url_password,
    ),
    "queue url": said(
        "redis://:{}@cache.example.org:6379/0", "amqps://svc:{}@mq.example.org/vh", value=url_password
    ),
    "basic auth url": said(
        "https://maren:{}@cam.example.org/stream", "http://admin:{}@192.168.1.1/", value=url_password
    ),
    "file server url": said(
        "ftp://maren:{}@ftp.example.org/pub", "smb://maren:{}@nas/share", value=url_password
    ),
    "git url": said(
        "git clone https://maren:{}@git.example.org/bot.git",
        "https://oauth2:{}@git.example.org/bot.git",
        value=opaque(24),
    ),
    "bearer header": said(
        "Authorization: Bearer {}", "-H 'authorization: bearer {}'", value=opaque(40, URLSAFE)
    ),
    "basic header": basic_header,
    "api key header": said("X-Api-Key: {}", "curl -H 'x-api-key: {}'", value=opaque(32)),
    "cookie header": said("Cookie: sessionid={}; theme=dark", "cookie: session={}", value=opaque(40)),
    "netrc": said("machine git.example.org login maren password {}", "machine box\nlogin x\npassword {}"),
    "pgpass": said("db.example.org:5432:shop:app:{}", value=url_password),
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
    "client secret": said("client_secret={}", "client secret: {}", '"clientSecret": "{}"', value=opaque(32)),
    "secret key assigned": said(
        "SECRET_KEY={}", "JWT_SECRET={}", "SECRET_KEY_BASE={}", "SESSION_SECRET='{}'", value=hexes(64)
    ),
    "aws secret key": said(
        "aws_secret_access_key = {}",
        "AWS_SECRET_ACCESS_KEY={}",
        "the aws secret is {}",
        value=opaque(40, BASE64),
    ),
    "twilio auth token": said("twilio auth token: {}", "TWILIO_AUTH_TOKEN={}", value=hexes(32)),
    "datadog key": said("DD_API_KEY={}", "datadog api key {}", value=hexes(32)),
    "heroku key": said("HEROKU_API_KEY={}", "heroku api key: {}", value=uuid),
    "cloudflare token": said("CF_API_TOKEN={}", "cloudflare token: {}", value=opaque(40, URLSAFE)),
    "steam key": said("steam web api key: {}", "STEAM_API_KEY={}", value=lambda d: run(d, 32, HEX).upper()),
    "discord client secret": said(
        "discord client secret {}", "DISCORD_CLIENT_SECRET={}", value=opaque(32, URLSAFE)
    ),
    "mistral key": said("MISTRAL_API_KEY={}", "mistral key: {}", value=opaque(32)),
    "ether private key": said("private key: 0x{}", "PRIVATE_KEY=0x{}", value=hexes(64)),
    "wireguard private key": said("[Interface]\nPrivateKey = {}\nAddress = 10.8.0.2/24", value=key_32_bytes),
    "one-time secret": said(
        "otpauth://totp/Forum:maren?secret={}&issuer=Forum",
        "2fa secret: {}",
        "TOTP seed is {}",
        value=lambda d: run(d, 32, BASE32),
    ),
    "app password": said(
        "app password: {}", "my google app password is {}", "the app password {} still works", value=letter_blocks
    ),
    "signed storage url": said(
        "https://b.s3.amazonaws.com/x.zip?X-Amz-Expires=600&X-Amz-Signature={}", value=hexes(64)
    ),
    "token in a url": said(
        "https://api.example.org/v1/me?access_token={}",
        "https://api.example.org/w?q=bonn&api_key={}",
        "https://hub.example.org/feed?format=rss&token={}",
        value=opaque(32),
    ),
    "meeting url": said("https://us02web.zoom.us/j/81234567890?pwd={}", value=opaque(32)),
    "telegram url": said(
        "https://api.telegram.org/bot{}/getMe",
        value=lambda d: f"{d.randrange(10**9, 10**10)}:AA{mixed(d, 33, URLSAFE)}",
    ),
    "bus connection string": said(
        "Endpoint=sb://q.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey={}",
        value=key_32_bytes,
    ),
    "sql connection string": said(
        "Server=db1;Database=shop;User Id=app;Password={};Encrypt=true", value=url_password
    ),
    "docker auth": docker_auth,
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
    "door code": said("the door code is {}", "gate code: {}", "alarm code is {}", value=figures(4, 6)),
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
    "invite to a locked channel": said("channel key for #den is {}", "/join #den {}", value=password),
    "snowflake and password": lambda d: Planted(f"server {snowflake(d)} password ", password(d)),
}
