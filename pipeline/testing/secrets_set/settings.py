"""Invented lines out of files, shells and addresses in which a value's place makes it a secret."""

import base64
from random import Random

from pipeline.testing.secrets_set.dice import (
    BASE32,
    BASE64,
    HEX,
    URLSAFE,
    Draw,
    Planted,
    mixed,
    run,
    uuid,
)
from pipeline.testing.secrets_set.talk import hexes, opaque, password, said, url_password


def basic_header(dice: Random) -> Planted:
    """The base64 of name and password after Basic."""
    value = base64.b64encode(f"admin:{password(dice)}".encode()).decode()
    return Planted("Authorization: Basic ", value)


def docker_auth(dice: Random) -> Planted:
    """The auth field of a docker config."""
    value = base64.b64encode(f"maren:{password(dice)}".encode()).decode()
    return Planted('{"auths": {"registry.example.org": {"auth": "', value, '"}}}')


def key_32_bytes(dice: Random) -> str:
    """Draw 32 bytes in base64."""
    return base64.b64encode(dice.randbytes(32)).decode()


SETTINGS: dict[str, Draw] = {
    "password assigned": said(
        "PASS={}", "DB_PASSWORD={}", "export SMTP_PASS='{}'", "PGPASSWORD={} psql"
    ),
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
    "database url": said(
        "postgres://app:{}@db.example.org:5432/shop",
        "postgresql+asyncpg://app:{}@10.0.0.7/shop",
        "mysql://root:{}@localhost/wp",
        "mongodb+srv://maren:{}@cluster0.example.mongodb.net/?retryWrites=true",
        value=url_password,
    ),
    "queue url": said(
        "redis://:{}@cache.example.org:6379/0",
        "amqps://svc:{}@mq.example.org/vh",
        value=url_password,
    ),
    "basic auth url": said(
        "https://maren:{}@cam.example.org/stream",
        "http://admin:{}@192.168.1.1/",
        value=url_password,
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
    "cookie header": said(
        "Cookie: sessionid={}; theme=dark", "cookie: session={}", value=opaque(40)
    ),
    "netrc": said(
        "machine git.example.org login maren password {}", "machine box\nlogin x\npassword {}"
    ),
    "pgpass": said("db.example.org:5432:shop:app:{}", value=url_password),
    "client secret": said(
        "client_secret={}", "client secret: {}", '"clientSecret": "{}"', value=opaque(32)
    ),
    "secret key assigned": said(
        "SECRET_KEY={}",
        "JWT_SECRET={}",
        "SECRET_KEY_BASE={}",
        "SESSION_SECRET='{}'",
        value=hexes(64),
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
    "steam key": said(
        "steam web api key: {}", "STEAM_API_KEY={}", value=lambda d: run(d, 32, HEX).upper()
    ),
    "discord client secret": said(
        "discord client secret {}", "DISCORD_CLIENT_SECRET={}", value=opaque(32, URLSAFE)
    ),
    "mistral key": said("MISTRAL_API_KEY={}", "mistral key: {}", value=opaque(32)),
    "ether private key": said("private key: 0x{}", "PRIVATE_KEY=0x{}", value=hexes(64)),
    "wireguard private key": said(
        "[Interface]\nPrivateKey = {}\nAddress = 10.8.0.2/24", value=key_32_bytes
    ),
    "one-time secret": said(
        "otpauth://totp/Forum:maren?secret={}&issuer=Forum",
        "2fa secret: {}",
        "TOTP seed is {}",
        value=lambda d: run(d, 32, BASE32),
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
}
