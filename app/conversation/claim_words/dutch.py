"""Claims in Dutch."""

from app.conversation.claim_words.language import european, truths

DUTCH = european(
    signs=r"\b(?:ik|je|jouw|jij|het|dat|dit|die|deze|de|een|uw|u|alles|staat|wordt|klaar|opge\w+|ont\w+|"
    r"aange\w+|uitge\w+|"
    r"toege\w+)\b|\b(?:ge|ver)\w{2,}(?:d|t|en)\b|gedaan|regeld",
    parts={
        "LOOKED": r"gekeken|gezocht|gevonden|gecheckt|gezien|gelezen|bekeken|nagekeken",
        "TO_YOU": (
            r"ik (?!raad|wens|zie|kan|hoop|begrijp|heb|ben|wil|zou|help|geloof|denk|bedank)[^ ]+ (?:je|u|jou)|"
            r"(?:krijg|hoor|ontvang) je|(?:je|u) (?:krijgt|hoort|ontvangt)|(?!raad|wens|zie|kan|heb|ben|wil|zou|"
            r"help)(?:(?<=^)|(?<= ))[^ ]+ ik (?:je|jou|u)"
        ),
        "LATER": (
            r"(?<!\w)(?:morgen|om \d|elke|iedere|vanavond|op (?:maandag|dinsdag|woensdag|donderdag|vrijdag|"
            r"zaterdag|zondag)|over \d+|later|straks|dagelijks)(?!\w)"
        ),
        "YOUR": r"(?:je|jouw|uw)",
        "STORED": r"(?:opgeslagen|genoteerd|vastgelegd|bewaard|onthouden)",
        "HAVE": r"(?:\bik heb|\bheb ik|{START}heb|\bik ben)",
        "KEPT": (
            r"(?:opgeslagen|genoteerd|onthouden|bewaard|opgeschreven|toegevoegd|aangepast|bijgewerkt|gewijzigd|"
            r"gecorrigeerd|"
            r"veranderd|vastgelegd|geregistreerd|ingevoerd|opgenomen|verbeterd|erbij gezet|neergezet|"
            r"in mijn hoofd|erin|erop|op de lijst gezet|"
            r"in mijn geheugen gezet|notitie van gemaakt|een notitie gemaakt)"
        ),
        "GONE": r"(?:verwijderd|gewist|vergeten|geschrapt|weggehaald|weggegooid|eruit gehaald|weg)",
        "SET": (
            r"(?:ingesteld|gezet|(?:in)?gepland|aangemaakt|gemaakt|ingeroosterd|verplaatst|toegevoegd|klaargezet|"
            r"aangezet|"
            r"hervat|verzet|gewijzigd|opgeslagen|klaar|actief|ingeschakeld)"
        ),
        "OFF": (
            r"(?:geannuleerd|afgezegd|stopgezet|uitgezet|gepauzeerd|gestopt|overgeslagen|uitgeschakeld|opgeschort|"
            r"beëindigd)"
        ),
        "PLUGGED": r"(?:gekoppeld|ontkoppeld|verbonden|losgekoppeld)",
        "IT_IS": (
            r"(?:(?:(?:het|dat|dit|alles|die|deze|ze|nu|zo|je [^ ]+) )*(?:is|staat|staan|zijn|werd|wordt|komt|"
            r"gaat))"
        ),
        "IS": r"(?:is|zijn|staat|staan|werd|wordt)",
        "THE": r"(?:je|jouw|uw|de|het|een|alle|deze|die|mijn)",
        "FACT": (
            r"(?:info|informatie|gegevens|notitie|geheugen|profiel|voorkeur(?:en)?|regel|adres|naam|verjaardag|"
            r"wijziging(?:en)?|feit)"
        ),
        "IN_MEMORY": (
            r"(?:in|uit|op|aan|bij) (?:(?:mijn|je|jouw|de|het) )?(?:geheugen|notities|profiel|lijst|lijstje|"
            r"boodschappenlijst|boodschappenlijstje|lijsten)"
        ),
        "ROUTINE": (
            r"(?:herinnering(?:en)?|wekker|alarm|routines?|timer|berichten|bericht|melding(?:en)?|reminder|"
            r"seintje)\b"
        ),
        "CALENDAR": r"(?:agenda|kalender)\b",
        "THING": r"(?:dat|het|alles|voor|in|als)\b.*",
        "THAT": r"wat|dat (?:je|jij|u|het|de|hij|zij|ze|er|jouw|uw|mijn)|omdat|als|of",
        "WHEN": r"(?:voor|om|op|morgen|elke|iedere|vanaf)\b",
        "PLANNED": r"(?:(?:in)?gepland|ingeroosterd)",
        "UNTIL": r"(?:tot|voor|zoals)\b",
        "ALL_DONE": (
            r"(?:is |het is |dat is |alles is |helemaal )?(?:gedaan|klaar|geregeld|gefikst|gebeurd|voor elkaar|"
            r"in orde)|komt in orde|komt goed|komt voor elkaar"
        ),
    },
    did={},
    will={
        "saved": (
            r"(?:onthoud|onthou|noteer|bewaar) ik(?: [^ ]+){0,3}|ik (?:onthoud|onthou|noteer|bewaar)(?: (?:het|"
            r"dat|dit|je|alles))(?: [^ ]+){0,3}|"
            r"(?:ik zal|zal ik|ik ga|ga ik)(?: [^ ]+){0,5}? (?:onthouden|bewaren|noteren|opslaan|opschrijven|"
            r"houden|aanpassen|denken)|"
            r"ik sla (?:het|dat|dit|je)(?: [^ ]+){0,3}? op|(?:dat )?sla ik(?: [^ ]+){0,2}? op|ik hou(?:d)? (?:er|"
            r"daar|hier)(?: [^ ]+)? ?rekening mee|"
            r"(?:daar|hier) hou(?:d)? ik rekening mee|ik schrijf (?:het|dat)(?: [^ ]+)? op|"
            r"(?:dat )?schrijf ik(?: [^ ]+)? op|ik zet (?:het|dat) (?:in|op) (?:mijn|je|de)|"
            r"(?:{HENCE}) .*\bik\b.*|\bik\b.* (?:{HENCE})"
        ),
        "forgotten": (
            r"(?:ik zal|zal ik|ik ga)(?: [^ ]+){0,4}? (?:vergeten|wissen|verwijderen)|ik (?:wis|verwijder|"
            r"vergeet) (?:het|dat|alles)"
        ),
        "scheduled": (
            r"ik (?:herinner|waarschuw|wek|app|sms) (?:je|jou|u)\b|(?:herinner|waarschuw|wek) ik (?:je|jou|u)|"
            r"(?:ik zal|zal ik|ik ga|ga ik) (?:je|jou|u)(?: [^ ]+){0,6}? (?:herinneren|waarschuwen|appen|sturen|"
            r"wekken|geven|melden|berichten)|"
            r"ik (?:stuur|geef) (?:je|jou|u)(?: [^ ]+){0,4}? (?:herinnering|bericht|berichtje|seintje|reminder|"
            r"appje)|ik maak je(?: [^ ]+){0,3}? wakker|"
            r"ik laat (?:het )?je(?: [^ ]+){0,4}? weten|(?:je|u) (?:krijgt|"
            r"ontvangt)(?: [^ ]+){0,5}? (?:herinnering|bericht|berichtje|seintje)|"
            r"ik (?:zet|stel|plan|maak)(?: [^ ]+){0,3}? (?:herinnering|wekker|alarm|reminder)|ik meld me (?:om|"
            r"morgen)"
        ),
        "cancelled": (
            r"ik (?:annuleer|pauzeer|stop|zet|schrap)(?: [^ ]+){0,3}? (?:herinnering(?:en)?|wekker|meldingen)|"
            r"ik zal (?:je )?(?:de )?(?:herinnering(?:en)? )?(?:annuleren|stoppen|pauzeren)"
        ),
    },
    wont=(
        r"(?:ik zal|zal ik)(?: [^ ]+){0,3}? niet vergeten|ik vergeet (?:het|dat|dit)(?: [^ ]+)? niet|"
        r"(?:dat )?vergeet ik niet|"
        r"(?:{HENCE}) .*\bik\b.*(?:niet|geen)\b|ik zal je(?: [^ ]+){0,4}? niet meer (?:herinneren|sturen|appen)"
    ),
    hence=r"(?:vanaf nu|voortaan|van nu af aan|in het vervolg|in de toekomst)",
    leads=(
        r"ok|oké|okay|alles|prima|goed|top|super|perfect|begrepen|ja|bedankt|dank je|en|duidelijk|natuurlijk|zeker|"
        r"sorry|komt goed|"
        r"is|staat|al|nu|hierbij|fijn|leuk|helemaal|helder|uiteraard|zo|check|graag gedaan|excuses"
    ),
    tails=(
        r"voor (?:je|jou|later|de volgende keer|altijd|u|straks)|{IN_MEMORY}|nu|ook|al|zoals (?:gevraagd|"
        r"je .*|u .*)|en .*|bedankt.*|"
        r"meteen|hoor|direct|goed|hierbij|netjes|inmiddels|zo"
    ),
    denied=r"\b(?:niet|niets|niks|nooit|geen|zonder|noch|ze heeft|hij heeft|zij heeft)\b",
    denied_after=r"[ ,]*(?:[^ ,]+ ){0,3}?(?:niet|nooit|geen)\b",
    offered=r"\b(?:als|wanneer|zodra|indien|vertel me|zeg het|wil je|zal ik|kan|kun|kunt|zou|mag)\b",
    wish=r"\b(?:als (?:je|u|jij)|zodra (?:je|u)|wanneer (?:je|u)|mocht je|indien)\b",
    retold=r"\b(?:wat|dat|zoals|als|toen|of|wanneer|die)(?<!^dat)",
    past=(
        r"gisteren|eerder|destijds|vroeger|laatst|(?:de )?(?:vorige?|afgelopen) [^ ]+|(?:[^ ]+ ){1,2}geleden|"
        r"in (?:januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)|toen je"
    ),
    aside=r"\b(?:geen (?:probleem|zorgen|dank|punt|stress)|maak je geen zorgen|niets te danken)\b",
    elsewhere=r"\b(?:concept|alinea|zin|tekst|mail|brief|komma|recept|zout|gedicht|code|versie|toon)\b",
    ambiguous=r"toegevoegd|aangepast|bijgewerkt|gewijzigd|gecorrigeerd|veranderd|verbeterd|verwijderd|geschrapt|"
    r"gezet",
    already=r"\b(?:al|reeds|nog)\b",
    own_name=r"\b(?:je|jouw|uw) (?:eigen )?(?:voor)?naam\b",
    not_done=truths(
        "(Voor de duidelijkheid: ik heb nu niets opgeslagen.)",
        "(Voor de duidelijkheid: ik heb nu niets gewist.)",
        "(Voor de duidelijkheid: ik heb nu niets ingepland.)",
        "(Voor de duidelijkheid: ik heb nu niets geannuleerd.)",
        "(Voor de duidelijkheid: ik heb nu niets gekoppeld of ontkoppeld.)",
        "(Voor de duidelijkheid: ik heb nu niets veranderd.)",
    ),
)
