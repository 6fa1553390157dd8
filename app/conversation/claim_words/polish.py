"""Claims in Polish, whose verbs say by themselves who did it."""

from app.conversation.claim_words.language import european, truths

POLISH = european(
    signs=r"[ąćęłńóśźż]|\b(?:się|ci|jest|mam|twoj[ea]|na|w|od|do)\b|\w{3,}[aoe]n[aoye]\b|gotowe|jutro|[łtn]am\b|"
    r"n[ou]tuj",
    parts={
        "LOOKED": r"mam|sprawdz|szuka|znalaz|przejrza|widzia",
        "TO_YOU": (
            r"(?!polec|radz|życz|widz|pomog|dziękuj|rozumi)[^ ]+ę (?:do )?(?:ci|cię|ciebie)|(?:ci|cię|"
            r"do ciebie) (?!polec|radz|życz|widz|pomog|dziękuj|rozumi)[^ ]+ę|dostaniesz"
        ),
        "LATER": (
            r"(?<!\w)(?:jutro|o \d|codziennie|co (?:dzień|tydzień|rano|wieczór|poniedziałek|godzinę)|każdego|"
            r"każdy|wieczorem|w (?:poniedziałek|wtorek|środę|czwartek|piątek|sobotę|niedzielę)|za \d+|"
            r"później)(?!\w)"
        ),
        "YOUR": r"(?:twój|twoja|twoje|twoją)",
        "STORED": r"(?:zapisan|zanotowan|zapamiętan|odnotowan)[eyao]",
        "HAVE": r"\b(?:(?:już )?(?:to )?mam(?: to)?)",
        "KEPT": (
            r"(?:(?:zapisa|zanotowa|zapamięta|odnotowa|doda|zaktualizowa|poprawio|zmienio|wpisa|zachowa|"
            r"uaktualnio|skorygowa)n[eyao])"
        ),
        "GONE": r"(?:(?:usunię|wykreślo|skasowa|zapomnia|wymaza|wyczyszczo)[tn][eyao])",
        "SET": (
            r"(?:(?:ustawio|zaplanowa|utworzo|doda|stworzo|zaprogramowa|przesunię|odłożo|włączo|aktywowa|"
            r"zapisa)[tn][eyao]|gotowe|nastawion[eyao])"
        ),
        "OFF": r"(?:(?:anulowa|odwoła|wstrzyma|wyłączo|zatrzyma|pominię|zawieszo)[tn][eyao])",
        "PLUGGED": r"(?:(?:połączon|podłączon|odłączon|rozłączon)[eyao])",
        "IT_IS": r"(?:(?:(?:to|już|wszystko|teraz|informacja) )*(?:jest|zostało|zostały|została|został|mam))",
        "IS": r"(?:jest|są|zostało|zostały|została|został)",
        "THE": r"(?:twoje|twój|twoja|twoją|to|ten|ta|wszystkie|moje|moja)",
        "FACT": (
            r"(?:dane|informacj[ae]|notatka|pamięć|profil|preferencj[ae]|zasada|reguła|adres|imię|urodziny|"
            r"zmian[ay])"
        ),
        "IN_MEMORY": (
            r"(?:w|z|do|na) (?:(?:mojej|moich|twojej|twoim|twoich|swojej) )?(?:pamięci|notatkach|notatek|profilu|"
            r"listy|liście|listę)"
        ),
        "ROUTINE": r"(?:przypomnieni[ea]|budzik|alarm|rutyna|minutnik|powiadomieni[ea]|wiadomości)\b",
        "CALENDAR": r"kalendarz\b",
        "THING": r"(?:to|wszystko|dla|w|jako)\b.*",
        "THAT": r"co|że|bo|jeśli|kiedy",
        "WHEN": r"(?:na|o|jutro|codziennie|co|w)\b",
        "PLANNED": r"(?:zaplanowan[eyao])",
        "UNTIL": r"(?:do|na|zgodnie|jak)\b",
        "ALL_DONE": r"(?:(?:już |wszystko |to )?(?:gotowe|zrobione|załatwione)|masz to jak w banku|się robi)",
    },
    did={
        "saved": (
            r"(?:zapisa|dopisa|zanotowa|zapamięta|odnotowa|doda|dorzuci|uzupełni|zaktualizowa|wpisa|zachowa|"
            r"uaktualni|zarejestrowa|"
            r"poprawi|zmieni|skorygowa)ł[ae]m|"
            r"(?:zapisuję|notuję|zapamiętuję|dodaję|aktualizuję)"
        ),
        "forgotten": (
            r"(?:usunął|usunęła|usunęł|skasowa[łl]|wykreśli[łl]|wymaza[łl]|wyczyści[łl]|zapomnia[łl])[ae]?m|"
            r"usuwam|kasuję"
        ),
        "scheduled": (
            r"(?:ustawi|zaplanowa|utworzy|stworzy|nastawi|przesunę|przesuną|doda|"
            r"włączy)ł[ae]m(?: [^ ]+){0,4}? (?:przypomnieni[ea]|budzik|alarm|powiadomieni[ea])|"
            r"(?:przypomnieni[ea]|budzik|alarm)(?: [^ ]+){0,3}? (?:ustawi|zaplanowa|nastawi)ł[ae]m|"
            r"zaplanowa(?:łem|łam)|ustawiam(?: [^ ]+){0,3}? (?:przypomnienie|budzik|alarm)"
        ),
        "cancelled": (
            r"(?:anulowa|odwoła|wstrzyma|wyłączy|zatrzyma|zawiesi)ł[ae]m|(?:pominę|pominą|usuną|"
            r"usunę)ł[ae]m(?: [^ ]+){0,3}? (?:przypomnieni[ea]|budzik|alarm|powiadomienia)"
        ),
        "connected": r"(?:połączy|podłączy|odłączy)ł[ae]m",
    },
    will={
        "saved": (
            r"zapamiętam|(?:będę|na pewno będę)(?: [^ ]+){0,3}? (?:pamiętać|pamiętał|pamiętała|mieć na uwadze|"
            r"uwzględniać)|zanotuję|zapiszę|odnotuję|"
            r"wezmę (?:to )?pod uwagę|mam to na uwadze|(?:będę|mam) (?:to )?mi?e?ć? ?na uwadze|(?:{HENCE}) .*(?:ę|m)"
        ),
        "forgotten": r"(?:usunę|skasuję|zapomnę)(?: o tym| to)?",
        "scheduled": (
            r"(?:przypomnę|obudzę|powiadomię)(?: [^ ]+)?|napiszę (?:do ciebie|ci)|dam (?:ci )?znać|odezwę się|"
            r"wyślę ci|dostaniesz (?:ode mnie )?(?:przypomnienie|wiadomość)|będę (?:ci|cię) (?:przypominać|"
            r"przypominał|przypominała|budzić)|"
            r"ustawię(?: [^ ]+){0,3}? (?:przypomnienie|budzik|alarm)"
        ),
        "cancelled": r"(?:anuluję|wstrzymam|odwołam|wyłączę)(?: [^ ]+){0,3}",
    },
    wont=r"nie zapomnę(?: o tym)?|(?:{HENCE}) nie będę.*|nie będę (?:ci )?już (?:przypominać|wysyłać).*",
    hence=r"(?:od teraz|odtąd|od tej pory|na przyszłość|w przyszłości)",
    leads=(
        r"ok|dobrze|dobra|jasne|świetnie|super|oczywiście|tak|dzięki|dziękuję|i|rozumiem|już|to|wszystko|"
        r"przepraszam|zrozumiano|pewnie|spoko|doskonale|sobie|gotowe"
    ),
    tails=(
        r"dla ciebie|na (?:później|zawsze|przyszłość|następny raz|stałe)|{IN_MEMORY}|teraz|już|też|"
        r"jak (?:chciałeś|chciałaś|prosiłeś|prosiłaś)|zgodnie .*|i .*|dzięki.*|pomyślnie|poprawnie"
    ),
    denied=r"\b(?:nie|nic|nigdy|bez|ani|żadn[a-zęąy]*|ona|on|oni)\b",
    offered=r"\b(?:jeśli|jeżeli|gdy|kiedy|jak tylko|powiedz|chcesz|mogę|mógłbym|mogłabym|czy|daj znać)\b",
    wish=r"\b(?:jeśli (?:chcesz|mi|tylko)|jeżeli|gdy mi|kiedy mi|jak tylko)\b",
    retold=r"\b(?:co|że|jak|gdy|kiedy|jeśli|które|którą|czy)",
    past=(
        r"wczoraj|wcześniej|kiedyś|(?:w )?(?:zeszłym|ubiegłym|poprzednim|zeszły|zeszłą) [^ ]+|"
        r"(?:[^ ]+ ){1,2}temu|w (?:styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrześniu|"
        r"październiku|listopadzie|grudniu)|ostatnio|przedtem"
    ),
    aside=r"\b(?:nie ma (?:problemu|sprawy|za co)|bez problemu|nie martw się|nie przejmuj się|żaden problem)\b",
    elsewhere=r"\b(?:szkic|akapit|zdanie|tekst|mail|list|przecinek|przepis|sól|wiersz|kod|wersj[aęi]|ton)\b",
    ambiguous=r"doda|aktual|popraw|zmien|usun|skasow|wykreśl|skoryg",
    already=r"\b(?:już wcześniej|nadal)\b",
    own_name=r"\btwoje imię\b",
    not_done=truths(
        "(Dla jasności: niczego teraz nie zapisano.)",
        "(Dla jasności: niczego teraz nie usunięto.)",
        "(Dla jasności: niczego teraz nie zaplanowano.)",
        "(Dla jasności: niczego teraz nie anulowano.)",
        "(Dla jasności: niczego teraz nie połączono ani nie odłączono.)",
        "(Dla jasności: niczego teraz nie zmieniono.)",
    ),
)
