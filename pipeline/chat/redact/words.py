"""The words by which chat, in many languages, says that a secret follows."""

# Words for a password. Latin ones may stand inside a name (DB_PASSWORD); short ones only alone.
PASSWORD = (
    "password|passwd|passwor[td]|passwort|kennwort|zugangscode|passphrase|pass phrase|pass-phrase|passcode"
    "|mot de passe|motdepasse|contrase[ñn]a|palavra[- ]passe|parola d'ordine|wachtwoord|has[łl]o(?: to)?"
    "|[şs]ifre(?:si|m|niz|miz)?|l[öo]senord(?:et)?|adgangskode(?:n)?|passord(?:et)?|salasana|heslo|jelsz[óo]"
    "|m[ậa]t kh[ẩa]u|kata sandi|senha|passwörter|wachtwoorden"
    "|[Пп]ароль|ПАРОЛЬ|[Пп]арол[яье]|[Пп]асворд|κωδικός|密码|密碼|口令|パスワード|パスコード|暗証番号"
    "|비밀번호|비번|패스워드|암호|كلمة السر|كلمة المرور|סיסמה|סיסמא|पासवर्ड"
)
SHORT_PASSWORD = "pass|pw|pwd|psw|pswd|pword|mdp|ww|parola|clave|parole"
NETWORK_KEY = (
    r"(?:wi-?fi|wlan|wpa2?|network|netzwerk|router|channel|hotspot)[- ]?(?:key|code|pass|schl[üu]ssel)"
    r"|cl[ée] (?:du )?wi-?fi|code (?:du )?wi-?fi|clave (?:del )?wi-?fi|chave (?:do )?wi-?fi|chiave wi-?fi"
)
# Words for a key or token that a machine made.
API_KEY = (
    "(?:api|access|secret|private|auth|encryption|account|master|server|service|signing|admin|license"
    "|licence|deploy|app|application|client|bot|webhook|shared|consumer|subscription|storage|session"
    "|refresh|bearer|id|personal access|oauth|user|login|jwt|web)"
    "[-_ ]?(?:access[-_ ]?)?(?:key|token|secret|pat)"
    "|apikey|api[- ]schl[üu]ssel|cl[ée] (?:de l')?api|clave (?:de (?:la )?)?api|chave (?:da |de )?api|chiave api"
    "|sicherheitsschl[üu]ssel|jeton|zugangstoken|kl[íi][čc] api|klucz api|api anahtar[ıi]"
    "|[Кк]люч (?:апи|api|API)|(?:апи|api|API)[- ]ключ|[Тт]окен|секретный ключ"
    "|密钥|密鑰|令牌|秘钥|API\\s?キー|apiキー|APIキー|トークン|シークレット|토큰|API 키|인증키"
)
BARE_TOKEN = "token|tokens|secret|secrets|key|keys|schlüssel|clé|clave|chave|ключ|pat|creds?|credentials?"

# "is", in the languages above, with the small words that may follow it.
IS = (
    r"is|was|are|will be|would be|should be|ist|lautet|heißt|heisst|wäre|war|est|c'est|c’est|sera|es|era|é|è|eh|to jest"
    r"|är|er|var|jest|такой|это|вот|тут|είναι|là|adalah"
)
NOW = r"now|still|just|currently|simply|only|literally|basically|actually|probably|always|apparently|also|jetzt|noch|einfach|nun|maintenant|ahora|agora|adesso|nu|теперь|сейчас"
# "the password FOR the wifi at my place is"
FOR = (
    r"for|of|to|on|at|in|from|für|fürs|von|vom|zum|zur|im|beim|du|de|del|des|da|do|di|dell'|pour|para|na|no|per|voor"
    r"|van|do|od|dla|от|для|до|к|на|у|för|til|for"
)
CJK_IS = "是|为|為|就是|は|が|：|:|=|는|은|이|가|改成了|改为|改成|변경"
# Words that make the key after them no secret.
OPEN = (
    "public|publishable|primary|foreign|cache|partition|sort|site|host|map|dict|json|translation|any|arrow|enter"
    "|escape|home|hot|function|f|registry|lookup|index|idempotency|react|object|s3|license|licence|ssh|gpg|pgp|pub"
    "|öffentlicher|publique|pública|csrf|xsrf|csp|nonce|next|page|cursor|sync|continuation"
)
SEED = (
    "(?:12|24|twelve|twenty[- ]four) words|seed ?phrase|seed ?words?|seedphrase|seed|mnemonics?|recovery ?(?:phrase|words?|seed)|wallet ?(?:backup|words?|phrase)"
    "|backup ?(?:phrase|words?)|secret ?(?:phrase|words?)|phrase de récupération|frase (?:semilla|de recuperación)"
    "|wiederherstellungs(?:phrase|wörter)|frase-semente|сид[- ]?фраза|мнемоника|助记词|助記詞|シードフレーズ|니모닉"
)
CODE = (
    "(?:2fa|mfa|otp|verification|login|security|auth|authentication|confirmation|access|backup|recovery|one[- ]time"
    "|sms|door|gate|alarm|lock|safe|unlock|entry|garage|bike ?lock|sign[- ]?in|reset|steam guard|guard)[- ]?(?:codes?|pin|number)"
    "|code pin|code d['’]acc[èe]s|pin(?:[- ]?codes?|s)?|2fa|mfa|t?otp|tan|cvv2?|cvc2?|passcode|zahlencode|geheimzahl|geheimcode"
    "|best[äa]tigungscode|sicherheitscode|t[üu]rcode|anmeldecode|code de (?:vérification|sécurité|confirmation)|digicode"
    "|código (?:de )?(?:verificaci[óo]n|seguridad|verifica[çc][ãa]o|segurança|acceso|acesso)|codice di (?:verifica|sicurezza)"
    "|[Пп]ин(?:-?код)?|[Кк]од (?:подтверждения|доступа|безопасности|из смс|домофона|2fa)"
    "|验证码|驗證碼|校验码|取件码|認証コード|確認コード|暗証番号|ピン|인증번호|인증 ?코드"
)
LOGIN = (
    "creds|credentials|logins?|log-in|logindaten|zugangsdaten|identifiants|credenciale?s|credenciais|credenziali"
    "|учётка|доступ|账号|アカウント"
)
SERVICE = (
    "elevenlabs|eleven labs|datadog|deepgram|cohere|mistral|openweather(?:map)?|deepl|tmdb|omdb|steam|giphy|tenor"
    "|twilio|algolia|cloudflare|last\\.?fm|wolfram|assemblyai|newsapi|alchemy|infura|etherscan|serpapi|imgbb"
)
# Words before "code" that make six figures after it no secret.
OPEN_CODE = (
    "error|exit|status|zip|postal|area|country|promo|product|discount|coupon|order|item|source|color|colour|stop|return"
    "|bar|qr|hs|http|reason|response|result|dial|friend|switch|airport|tax|sort|swift|dress|course|class"
)
LOGIN_LINK = rf"(?:\s(?:for|für|pour|para)\s[^\s:]{{1,24}})?(?:\s(?:{IS})|\s?[:=：])?\s{{0,2}}"
# Plain words that stand where a password could, and are none.
NO_SECRET = frozenset(
    """
    a about again all already also always and any anymore are as ask at back bad be because been before being between blank
    both but by can cannot case changed check com compromised correct could created default deleted different disabled do
    does done easy either empty enabled encrypted enough entered even everything exactly expired false fine first fixed for
    forgotten found free from generated get given good gone got guess had hard has hash hashed have he hello help her here
    hidden him his how i if important in incorrect input insecure instead invalid is it its just kept known last leaked
    least like long lost manager me mine missing more most much must my needed never new no none not nothing now null nil
    of off ok okay old on one only optional or other our out over please plain plaintext policy private prompt protected public
    random real really required reset reused right safe salted same saved secret secure sent set shared she short should
    shown simple simply so some someone something somewhere still stored stolen string strong such sure text than that the
    their them then there they this to too true type typed undefined unique unknown unset until up updated use used user
    username using valid very visible was weak well were what when where which who why will with within without working
    works would written wrong yes yet you your password passwort passwd pass pw pwd token key keys login secret secrets
    not-null str int bool bytes any object text varchar char boolean number array optional none self required
    falsch richtig abgelaufen geändert vergessen leer sicher unsicher lang kurz zu nicht kein keine der die das ein eine auch
    noch nur schon immer gleich bekannt unbekannt gespeichert weg hier da dort ist und oder wenn dass wie was wo warum ändern
    faux incorrect oublié trop court longue bon mauvais le la les un une pas plus sur dans pour avec changé expiré
    incorrecta incorrecto olvidada correcta segura muy es la el los las no tener que con para por cambiada débil tener
    errada incorreta correta fraca forte muito não que com para está
    неверный неправильный не забыл нет это как что где слишком правильный сменил сбросил простой сложный тут там есть
    """.split()
)
