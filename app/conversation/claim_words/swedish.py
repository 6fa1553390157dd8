"""Claims in Swedish."""

from app.conversation.claim_words.language import european, truths

SWEDISH = european(
    signs=r"[åäö]|\b(?:jag|det|din|ditt|dina|dig|har|är|klart|ordnat|fixat|gjort|bort\w+|glömt|klar)\b|lagt\b|"
    r"ställ|\w{2,}[^\We]a[dt]s?e?\b",
    parts={
        "LOOKED": r"tittat|sökt|hittat|kollat|sett|läst",
        "TO_YOU": (
            r"jag (?!har|ser|önskar|rekommenderar|kan|vill|är|hoppas|tror|förstår)[^ ]+r (?:dig|ett meddelande|"
            r"en påminnelse)|(?:skickar|påminner|skriver|väcker|meddelar) jag|hör av mig"
        ),
        "LATER": (
            r"(?<!\w)(?:imorgon|i morgon|klockan|varje|ikväll|på (?:måndag|tisdag|onsdag|torsdag|fredag|lördag|"
            r"söndag)|om \d+|senare)(?!\w)"
        ),
        "YOUR": r"(?:din|ditt|dina)",
        "STORED": r"(?:sparad|noterad|sparat|noterat|lagrad|lagrat|sparade|noterade)",
        "HAVE": r"(?:\bjag har|\bhar jag|{START}har)",
        "KEPT": (
            r"(?:(?:sparat|noterat|antecknat|registrerat|lagrat|uppdaterat|ändrat|rättat|korrigerat)|(?:sparad|"
            r"noterad|uppdaterad|"
            r"ändrad|lagrad)e?|skrivit (?:ner|upp)|lagt (?:till|in|det på minnet)|lagts till|memorerat|sparats|"
            r"noterats|nedskrivet|tillagt)"
        ),
        "GONE": (
            r"(?:raderat|tagit bort|glömt|suddat|raderad|borttaget|borttagen|strukit|borta|raderats|tagits bort|"
            r"rensat)"
        ),
        "SET": (
            r"(?:inställd|inställt|ställt(?: in)?|satt|skapat|skapad|lagt (?:in|till)|schemalagt|schemalagd|"
            r"planerat|planerad|"
            r"bokat|flyttat|aktiverat|aktiverad|klar|ställd)"
        ),
        "OFF": (
            r"(?:avbokat|avbokad|avbrutit|stoppat|stoppad|pausat|pausad|pausade|stängt av|avstängd|hoppat över|"
            r"avaktiverat)"
        ),
        "PLUGGED": r"(?:kopplat|kopplad|anslutit|ansluten|frånkopplad)",
        "IT_IS": r"(?:(?:(?:det|allt|den|detta|nu|de|din [^ ]+|ditt [^ ]+) )*(?:är|har|blev|ligger|finns|har jag))",
        "IS": r"(?:är|har|blev|ligger)",
        "THE": r"(?:din|ditt|dina|en|ett|alla|den|det|de|min|mitt)",
        "FACT": (
            r"(?:info|informationen?|uppgift(?:en|er)?|anteckning(?:en)?|minnet|profilen?|regeln?|adressen?|"
            r"namnet?|födelsedag(?:en)?|ändringen)"
        ),
        "IN_MEMORY": (
            r"(?:i|på|från|ur|till) (?:(?:mitt|min|mina|din|ditt|dina) )?(?:minnet?|anteckningar|profil|lista|"
            r"listan|inköpslista)"
        ),
        "ROUTINE": r"(?:påminnelse(?:n|r|rna)?|larm(?:et)?|alarm(?:et)?|rutin(?:en)?|timern?|meddelanden?)\b",
        "CALENDAR": r"(?:kalendern?)\b",
        "THING": r"(?:det|allt|för|i|som)\b.*",
        "THAT": r"vad|att|om|eftersom",
        "WHEN": r"(?:för|till|på|klockan|varje|i)\b",
        "PLANNED": r"(?:schemalag[td]|inplanerad)",
        "UNTIL": r"(?:till|för|som)\b",
        "ALL_DONE": r"(?:det är |allt är )?(?:klart|fixat|gjort|ordnat)|det är på gång",
    },
    did={"saved": r"jag (?:sparade|noterade|antecknade|uppdaterade)", "forgotten": r"jag (?:raderade|tog bort)"},
    will={
        "saved": (
            r"(?:kommer|ska) jag (?:att )?(?:ihåg|komma ihåg|minnas)|jag (?:kommer (?:att )?|ska )(?:ihåg|minnas|"
            r"komma ihåg|spara|notera|tänka på)(?: det)?|"
            r"jag (?:lägger|skriver|noterar|sparar|antecknar) (?:det|ner|upp|in)(?: [^ ]+){0,3}|(?:noterar|sparar|"
            r"antecknar) jag|jag (?:ska )?(?:ha|har) det i åtanke|"
            r"(?:{HENCE}) .*\bjag\b.*|\bjag\b.* (?:{HENCE})"
        ),
        "forgotten": r"jag (?:ska|kommer att) (?:glömma|radera|ta bort)|jag (?:raderar|tar bort|glömmer) (?:det|"
        "allt)",
        "scheduled": (
            r"jag (?:påminner|väcker|meddelar|varnar) (?:dig|er)|påminner jag dig|jag (?:ska|"
            r"kommer att?) (?:påminna|väcka|skriva till|meddela) dig|"
            r"jag (?:skickar|ger|hör av mig)(?: [^ ]+){0,4}? (?:påminnelse|meddelande|klockan|imorgon)|"
            r"du får (?:en )?påminnelse|jag (?:ställer|sätter|lägger in)(?: [^ ]+){0,3}? (?:påminnelse|larm|alarm)"
        ),
        "cancelled": r"jag (?:avbokar|stoppar|pausar|stänger av)(?: [^ ]+){1,3}",
    },
    wont=(
        r"jag (?:glömmer (?:det |inte )?inte|ska inte glömma|kommer inte att? glömma|glömmer inte)(?: det)?|"
        r"(?:det )?glömmer jag inte"
    ),
    hence=r"(?:från och med nu|hädanefter|framöver|i fortsättningen)",
    leads=(
        r"ok|okej|bra|perfekt|toppen|självklart|ja|tack|och|förstått|jag förstår|absolut|visst|uppfattat|"
        r"förlåt|nu|klart|fint|härligt|är"
    ),
    tails=(
        r"åt dig|för (?:dig|senare|alltid|framtiden)|till (?:dig|nästa gång|senare)|{IN_MEMORY}|nu|också|"
        r"redan|som (?:du .*|önskat)|och .*|tack.*|direkt|så"
    ),
    denied=r"\b(?:inte|inget|inga|ingen|aldrig|utan|varken|hon har|han har)\b",
    denied_after=r"[ ,]*(?:[^ ,]+ ){0,2}?(?:inte|aldrig)\b",
    offered=r"\b(?:om|när du|så fort|säg till|vill du|ska jag|kan|skulle|berätta)\b",
    wish=r"\b(?:om du|när du|så fort du|säg bara)\b",
    retold=r"\b(?:vad|som|att|om|när|det)(?<!^det)",
    past=(
        r"igår|tidigare|förut|(?:förra|i förra) [^ ]+|för [^ ]+ [^ ]+ sedan|i (?:januari|februari|mars|april|"
        r"maj|juni|juli|augusti|september|oktober|november|december)|häromdagen"
    ),
    aside=r"\b(?:inga problem|ingen fara|oroa dig inte|inget problem)\b",
    elsewhere=r"\b(?:utkast|stycke|mening|text|mejl|brev|kommatecken|recept|salt|dikt|kod|version|ton)\b",
    ambiguous=r"uppdater|ändr|rätta|korriger|lagt|rader|tagit|tog|ställt",
    already=r"\b(?:redan|fortfarande)\b",
    own_name=r"\bditt (?:för)?namn\b",
    not_done=truths(
        "(För tydlighetens skull: jag har inte sparat något nu.)",
        "(För tydlighetens skull: jag har inte tagit bort något nu.)",
        "(För tydlighetens skull: jag har inte schemalagt något nu.)",
        "(För tydlighetens skull: jag har inte avbokat något nu.)",
        "(För tydlighetens skull: jag har inte kopplat något nu.)",
        "(För tydlighetens skull: jag har inte ändrat något nu.)",
    ),
)
