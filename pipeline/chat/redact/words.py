"""The words by which chat, in many languages, says that a secret follows."""

# Words for a password. Latin ones may stand inside a name (DB_PASSWORD); short ones only alone.
PASSWORD = (
    r"password|passwd|passwor[td]|passwort|kennwort|zugangscode|passphrase|pass phrase"  # noqa: S105 - words, no password
    r"|pass-phrase|passcode|mot de passe|motdepasse|contrase[ñn]a|palavra[- ]passe"
    r"|parola d'ordine|wachtwoord|has[łl]o(?: to)?|[şs]ifre(?:si|m|niz|miz)?"
    r"|l[öo]senord(?:et)?|adgangskode(?:n)?|passord(?:et)?|salasana|heslo|jelsz[óo]"
    r"|m[ậa]t kh[ẩa]u|kata sandi|senha|passwörter|wachtwoorden|[Пп]ароль|ПАРОЛЬ"
    r"|[Пп]арол[яье]|[Пп]асворд|κωδικός|密码|密碼|口令|パスワード|パスコード|暗証番号"
    r"|비밀번호|비번|패스워드|암호|كلمة السر|كلمة المرور|סיסמה|סיסמא|पासवर्ड"
)
SHORT_PASSWORD = r"pass|pw|pwd|psw|pswd|pword|mdp|ww|parola|clave|parole"  # noqa: S105 - words, no password
NETWORK_KEY = (
    r"(?:wi-?fi|wlan|wpa2?|network|netzwerk|router|channel|hotspot)[- ]?(?:key|code"
    r"|pass(?:wor[dt])?|schl[üu]ssel)|cl[ée] (?:du )?wi-?fi|code (?:du )?wi-?fi"
    r"|clave (?:del )?wi-?fi|chave (?:do )?wi-?fi|chiave wi-?fi"
)
# Words for a key or token that a machine made.
API_KEY = (
    r"(?:api|access|secret|private|auth|encryption|account|master|server|service|signing"
    r"|admin|license|licence|deploy|app|application|client|bot|webhook|shared|consumer"
    r"|subscription|storage|session|refresh|bearer|id|personal access|oauth|user|login|jwt"
    r"|web)[-_ ]?(?:access[-_ ]?)?(?:key|token|secret|pat)|apikey|api[- ]schl[üu]ssel"
    r"|cl[ée] (?:de l')?api|clave (?:de (?:la )?)?api|chave (?:da |de )?api|chiave api"
    r"|sicherheitsschl[üu]ssel|jeton|zugangstoken|kl[íi][čc] api|klucz api|api anahtar[ıi]"
    r"|[Кк]люч (?:апи|api|API)|(?:апи|api|API)[- ]ключ|[Тт]окен|секретный ключ|密钥|密鑰"
    r"|令牌|秘钥|API\s?キー|apiキー|APIキー|トークン|シークレット|토큰|API 키|인증키"
)
BARE_TOKEN = (
    r"token|tokens|secret|secrets|key|keys|schlüssel|clé|clave|chave|ключ|pat|creds?"  # noqa: S105 - words, no password
    r"|credentials?"
)
# "is", in the languages above, and the small words that may follow it.
IS = (
    r"is|was|are|will be|would be|should be|ist|lautet|heißt|heisst|wäre|war|est|c'est|c’est"
    r"|sera|es|era|é|è|eh|to jest|är|er|var|jest|такой|это|вот|тут|είναι|là|adalah"
)
NOW = (
    r"now|still|just|currently|simply|only|literally|basically|actually|probably|always"
    r"|apparently|also|jetzt|noch|einfach|nun|maintenant|ahora|agora|adesso|nu|теперь|сейчас"
)
# "the password FOR the wifi at my place is"
FOR = (
    r"for|of|to|on|at|in|from|für|fürs|von|vom|zum|zur|im|beim|du|de|del|des|da|do|di|dell'"
    r"|pour|para|na|no|per|voor|van|do|od|dla|от|для|до|к|на|у|för|til|for"
)
CJK_IS = r"是|为|為|就是|は|が|：|:|=|는|은|이|가|改成了|改为|改成|변경"
# Words that make the key after them no secret.
OPEN = (
    r"public|publishable|primary|foreign|cache|partition|sort|site|host|map|dict|json"
    r"|translation|any|arrow|enter|escape|home|hot|function|f|registry|lookup|index"
    r"|idempotency|react|object|s3|ssh|gpg|pgp|pub|öffentlicher|publique|pública|csrf|xsrf"
    r"|csp|nonce|next|page|cursor|sync|continuation"
)
SEED = (
    r"(?:12|24|twelve|twenty[- ]four) words|seed ?phrase|seed ?words?|seedphrase|seed"
    r"|mnemonics?|recovery ?(?:phrase|words?|seed)|wallet ?(?:backup|words?|phrase)"
    r"|backup ?(?:phrase|words?)|secret ?(?:phrase|words?)|phrase de récupération"
    r"|frase (?:semilla|de recuperación)|wiederherstellungs(?:phrase|wörter)|frase-semente"
    r"|сид[- ]?фраза|мнемоника|助记词|助記詞|シードフレーズ|니모닉"
)
CODE = (
    r"(?:2fa|mfa|otp|verification|login|security|auth|authentication|confirmation|access"
    r"|backup|recovery|one[- ]time|sms|door|gate|alarm|lock|safe|unlock|entry|garage"
    r"|bike ?lock|sign[- ]?in|reset|steam guard|guard)[- ]?(?:codes?|pin|number)|code pin"
    r"|code d['’]acc[èe]s|pin(?:[- ]?codes?|s)?|2fa|mfa|t?otp|tan|cvv2?|cvc2?|passcode"
    r"|zahlencode|geheimzahl|geheimcode|best[äa]tigungscode|sicherheitscode|t[üu]rcode"
    r"|anmeldecode|code de (?:vérification|sécurité|confirmation)|digicode"
    r"|código (?:de )?(?:verificaci[óo]n|seguridad|verifica[çc][ãa]o|segurança|acceso"
    r"|acesso)|codice di (?:verifica|sicurezza)|[Пп]ин(?:-?код)?|[Кк]од (?:подтверждения"
    r"|доступа|безопасности|из смс|домофона|2fa)|验证码|驗證碼|校验码|取件码|認証コード"
    r"|確認コード|暗証番号|ピン|인증번호|인증 ?코드"
)
# Words before "code" that make six figures after it no secret.
OPEN_CODE = (
    r"error|exit|status|zip|postal|area|country|promo|product|discount|coupon|order|item"
    r"|source|color|colour|stop|return|bar|qr|hs|http|reason|response|result|dial|friend"
    r"|switch|airport|tax|sort|swift|dress|course|class"
)
LOGIN = (
    r"creds|credentials|logins?|log-in|logindaten|zugangsdaten|identifiants|credenciale?s"
    r"|credenciais|credenziali|учётка|доступ|账号|アカウント"
)
LOGIN_LINK = rf"(?:\s(?:for|für|pour|para)\s[^\s:]{{1,24}})?(?:\s(?:{IS})|\s?[:=：])?\s{{0,2}}"
# Services whose keys have no shape of their own.
SERVICE = (
    r"elevenlabs|eleven labs|datadog|deepgram|cohere|mistral|openweather(?:map)?|deepl|tmdb"
    r"|omdb|steam|giphy|tenor|twilio|algolia|cloudflare|last\.?fm|wolfram|assemblyai|newsapi"
    r"|alchemy|infura|etherscan|serpapi|imgbb"
)
_PLAIN = """
a abgelaufen about again all already also always and any anymore are array as ask at auch avec
back bad be because been before being bekannt between blank bon bool boolean both but by bytes
cambiada can cannot case changed char check com compromised con correct correcta correta could
court created da dans das dass default deleted der die different disabled do does done dort easy
ein eine either el empty enabled encrypted enough entered errada es even everything exactly
expired falsch false faux fine first fixed for forgotten forte found fraca free from generated
gespeichert get given gleich gone good got guess had hard has hash hashed have he hello help her
here hidden hier him his how i if immer important in incorrect incorrecta incorrecto incorreta
input insecure instead int invalid is ist it its just kein keine kept key keys known kurz la
lang las last le leaked least leer les like login long longue los lost manager mauvais me mine
missing more most much muito must muy my needed never new nicht nil no noch none not not-null
nothing now null number nur object oder of off ok okay old olvidada on one only optional or
other our out over para pas pass passwd password passwort plain plaintext please plus policy por
pour private prompt protected public pw pwd que random real really required reset reused richtig
right safe salted same saved schon secret secrets secure segura self sent set shared she short
should shown sicher simple simply so some someone something somewhere still stolen stored str
string strong such sur sure tener text than that the their them then there they this to token
too trop true type typed un unbekannt und undefined une unique unknown unset unsicher until up
updated use used user username using valid varchar vergessen very visible warum was weak weg
well wenn were what when where which who why wie will with within without wo working works would
written wrong yes yet you your zu changé débil está expiré geändert não oublié ändern где есть
забыл как не неверный неправильный нет правильный простой сбросил слишком сложный сменил там тут
что это
"""
# Plain words that stand where a password could, and are none.
NO_SECRET = frozenset(_PLAIN.split())
