"""Talk as people write it: what gives a secret away, and what only speaks of one."""

import pytest

from pipeline.chat.redact import MARK, compile_rules


@pytest.fixture(scope="module")
def redactor():
    return compile_rules()


# `<…>` bounds what must go, and nothing else may.
GIVEN_AWAY = """
hey the pw for the minecraft server is <Kr33per!boom>
the password's <83927461029384756103>
my password is literally just <password123>
user: admin / <hunter2>
login: tilly@example.org Passwort: <Sommer2024!>
das PW ist jetzt: <Hase#Igel9>
Kannst du dich einloggen? user = tilly pw = <geheim123>
das Passwort wurde geändert, neues Passwort lautet <Igel-Hase-99>
Le mot de passe pour le NAS : <Chaussette!42>
le code d'accès est <4821>
mon mdp c'est <toto1234>
la contraseña del servidor es <Creeper_2021>
contraseña → <hola1234>
a senha do servidor é <Abacaxi99>
minha senha: <q1w2e3r4>
пароль от сервера: <Qwerty12345>
пароль <qwerty123>
мой логин vasya, пароль <krasota88>
密码: <abc12345>
密码是 <Xiaoming88>，记得改
WiFi密码改成 <hello2024> 了
パスワード: <sakura2024>
PWは「<neko1234>」です
パスは<neko1234>だよ
비밀번호는 <hello1234!>
pass is <t0ps3cr3t>
try pass '<letmein99>'
the admin pass is now <Zebra-Crossing-77>
password <hunter2>
pw <hunter2>
PIN <4711>
mein PIN ist <4711>
the 2FA code was <582 113>
here's the 2FA code <582113>
your login code is: <582113>
<G-582113> is your Example verification code
the code is <582113>
door code <4821>#
CVV is <123>
card: <4539 1488 0343 6467> exp 04/27 cvc <123>
ssh-key passphrase: <correct horse battery staple>
mysql://root:<hunter2>@127.0.0.1/db
https://tilly:<p@ss/w0rd>@git.example.org/x.git
mongodb://u:<p%40ss>@h1:27017,h2:27017/db
wget --user=tilly --password=<Tr0ub4dor> http://x
psql "host=db user=app password=<Xk29fjq> dbname=shop"
net use Z: \\\\nas\\share /user:tilly <Gh5!kkl2>
smb password of the nas: tilly / <Winter.99>
password (for the ftp): <Tr0ub4dor&3>
password: "<p4ss, with comma>"
"password":"<Pa$$w0rd>"
spring.datasource.password=<Xy77zz!>
ansible_become_pass: <hunter2>
Server=db1;User Id=app;Password=<Xk29fjq>;Encrypt=true
the username is tilly and the password is <Tr0ub4dor&3>.
google gave me: <wxyz abcd qrst hjkl> as app password
app-specific password: <abcd-efgh-ijkl-mnop>
<hunter22> is my steam password
use <Kuhglocke88> as the password
my secret key is <9f8e7d6c5b4a39281706f5e4d3c2b1a0>
der API-Schlüssel ist <9f8e7d6c5b4a39281706f5e4d3c2b1a0>
ключ апи: <9f8e7d6c5b4a39281706f5e4d3c2b1a0>
""".strip().splitlines()

ONLY_SPOKEN_OF = """
the password field is required, min 8 chars
password strength: strong
password: at least 8 characters
Password:
password? what password
password is case-sensitive
the password is same as yesterday
my password is my dog's name
password hashing with argon2id is better than sha256
forgot password? click https://example.org/reset
password must match ^[A-Za-z0-9]{8,}$
my password expires in 30days
reset password for user123
password1 and password2 fields
what's the default password for raspberry pi4
pass me the salt
boarding pass: gate 12
pass@1 is 0.43
test pass: 12/14
token limit is 128000
token: 0x6B175474E89094C44Da98b954EedeAC495271d0F
nft token id 8817
token id: 550e8400-e29b-41d4-a716-446655440000 is fine? no, but bot id is 1048576048576048576
promo code: SAVE2024
coupon code 482911
error code: 0x80070005
error code 500123
zip code: 123456
the code is 404
the PIN number of that board is A4
pins 1234 are vcc
500 rows with 120 pinned -> 100 left
the keyboard: 9f8e7d6c5b4a39281706f5e4d3c2b1a0 is its serial
OTP is such a cute ship
2fa enabled 2024-01-02
primary key is id
API key: see pinned message
apikey is None
public key: 3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29
my public wireguard key is hV2kq8c7Yb1m4nX5t6z7w8e9r0a1s2d3f4g5h6j7k8I=
client id: 1048576048576048576
https://medium.com/@tilly/my-secret-key-to-happiness-9f8e7d6c5b4a
https://example.org:8080/@tilly/inbox
ssh://git@github.com:22/tilly/bot.git
Passwortmanager: KeePassXC
das passwort war leider zu kurz
mein Passwort ist 14 Zeichen lang
le mot de passe est obligatoire
la clave del éxito es: constancia
a senha expirou
пароль: минимум 8 символов
密码至少8位
パスワードは8文字以上です
login/logout is broken
"auth": "basic"
bearer of bad news
basic training2 starts
docker run -p 8080:80 -d nginx
ssh -p2222 box
nickserv identify is the command
minecraft seed 4172144997902289642
seed phrase is what you write down on paper and never ever show anyone else
visa 4111 1111 1111 1111 is the test card
xoxo-kisses-and-hugs-to-everyone
sk-learn-contrib-extras-package
hf_hub_download(repo_id)
api_key=os.environ["KEY"]
const token = await getToken();
PASSWORD=$(openssl rand -base64 32)
export TOKEN=`cat token.txt`
password: !vault |
password: "{{ db_pass }}"
DB_PASSWORD=""
"token": "string"
?token=TOKEN
unlock code for samsung s10
security code review2024
""".strip().splitlines()


@pytest.mark.parametrize("line", GIVEN_AWAY)
def test_what_gives_a_secret_away_loses_the_secret_and_nothing_else(redactor, line):
    """The span only: the words around it stay as they were."""
    before, _, rest = line.partition("<")
    text, wanted = before, before
    while rest:
        secret, _, after = rest.partition(">")
        between, _, rest = after.partition("<")
        text += secret + between
        wanted += MARK + between
    assert redactor.redact(text) == wanted


@pytest.mark.parametrize("line", ONLY_SPOKEN_OF)
def test_what_only_speaks_of_secrets_stays_as_it_is(redactor, line):
    """No false alarm: the transcript would lose words that were meant."""
    assert redactor.redact(line) == line


def test_spare_codes_go_as_one(redactor):
    """A list of codes over several lines is one secret."""
    text = "backup codes:\n1a2b3-c4d5e\n6f7g8-h9i0j\nkeep them"
    assert redactor.redact(text) == f"backup codes:\n{MARK}\nkeep them"


def test_wallet_words_are_known_by_what_they_are_not(redactor):
    """Twelve plain words in a row go; twelve words of a sentence stay."""
    words = "lobster saddle umbrella cactus fossil giraffe orbit tuna velvet wagon zebra ribbon"
    talk = "apple pie with banana bread and the other cakes were gone before lunch today"
    assert redactor.redact(f"hey\n{words}\nok") == f"hey\n{MARK}\nok"
    assert redactor.redact(talk) == talk
    assert redactor.redact(f"here are my 12 words {words}") == f"here are my 12 words {MARK}"


def test_a_card_number_must_pass_its_check_and_stand_alone(redactor):
    """A wrong last digit, or a longer row of blocks, is no card."""
    assert MARK in redactor.redact("4539 1488 0343 6467")
    assert MARK not in redactor.redact("4539 1488 0343 6460")
    assert MARK not in redactor.redact("9400 4539 1488 0343 6467 0000")


def test_a_signed_picture_link_is_left_to_its_own_room(redactor):
    """The query of Discord's CDN is cut elsewhere, as a whole."""
    link = (
        "https://cdn.discordapp.com/attachments/381870553235193857/1048576048576048576/a.png"
        f"?ex=65f1a2b3&is=65df2db3&hm={'0f1e2d3c' * 8}&"
    )
    assert redactor.redact(link) == link


def test_a_network_password_is_found_with_both_of_its_words():
    """ "wifi password is" is one word for a password, not "wifi pass" with something behind it."""
    value = "ember" + "-" + "Tq7LmXe4ka"
    redactor = compile_rules()
    for text in (f"the wifi password is {value} by the way", f"WLAN Passwort ist {value} übrigens"):
        assert [text[s.start : s.end] for s in redactor.spans(text)] == [value]


def test_where_two_rules_take_the_same_the_named_one_names_it():
    """The table then says github-token and not that it stood after a word for a key."""
    value = "ghp" + "_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
    spans = compile_rules().spans(f"token: {value}")
    assert [s.rule for s in spans] == ["github-token"]


def test_a_bot_token_glued_to_a_name_goes_with_what_is_glued_to_it():
    """A name that ran into the token is no cover for it."""
    token = (
        "MTI5xMjM0NTY3ODkwMTIzNDU2Nzg" + "." + "GaBcDe" + "." + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7"
    )
    for text in (f"@m{token} hi", f"user_{token}", f"ä{token}"):
        assert token not in compile_rules().redact(text)
