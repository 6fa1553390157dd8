"""Claims in German."""

from app.conversation.claim_words.language import european, truths

GERMAN = european(
    signs=r"[äöüß]|\b(?:ich|ist|sind|wird|wurden?|das|alles|deine?|dich|dir|mir|du|ihre?|ihnen|hab|weg)\b|"
    r"ge\w{2,}(?:t|en)\b|iert\b|merkt?\b|\b(?:kommt|steht|auf|im)\b|erledigt|fertig|passt|im kasten",
    parts={
        "LOOKED": r"gesehen|geschaut|gefunden|gesucht|geprüft|gelesen|nachgesehen|nachgeschaut|durchgesehen",
        "TO_YOU": (
            r"ich (?!empf|wünsche|rate|sehe|seh|kann|soll|würde|habe|hab|bin|könnte|mag|verstehe|glaube|treffe|"
            r"danke|helfe)[^ ]+ (?:dich|dir|ihnen|euch)|(?!empf|wünsche|rate|sehe|kann|soll|würde|habe|hab|bin|"
            r"könnte|helfe)(?:(?<=^)|(?<= ))[^ ]+ ich (?:dich|dir|ihnen|euch)|(?:bekommst|kriegst|erhältst|"
            r"hörst) du|du (?:bekommst|kriegst|erhältst|hörst)|bekommen sie"
        ),
        "LATER": (
            r"(?<!\w)(?:morgen|um \d|jeden|jede|heute abend|am (?:montag|dienstag|mittwoch|donnerstag|freitag|"
            r"samstag|sonntag)|in \d+|später|täglich)(?!\w)"
        ),
        "YOUR": r"(?:deine?[rn]?|ihre?[rn]?)",
        "STORED": r"(?:gespeichert|notiert|vermerkt|hinterlegt|eingetragen|festgehalten)",
        "HAVE": r"(?:\bich habe?|\bhabe? ich|{START}habe?(?:'s)?|\bhab's|\bich hab's)",
        "KEPT": (
            r"(?:(?:ab)?gespeichert|notiert|gemerkt|vermerkt|aufgeschrieben|eingetragen|festgehalten|hinterlegt|"
            r"aktualisiert|"
            r"korrigiert|geändert|angepasst|hinzugefügt|ergänzt|aufgenommen|berichtigt|abgelegt|eingespeichert|"
            r"gesichert|"
            r"auf dem schirm|auf der liste|im kopf)"
        ),
        "GONE": r"(?:gelöscht|vergessen|entfernt|gestrichen|getilgt|rausgenommen|raus|weg)",
        "SET": (
            r"(?:eingestellt|gestellt|gesetzt|eingerichtet|angelegt|erstellt|(?:ein)?geplant|programmiert|"
            r"eingetragen|"
            r"verschoben|vorgemerkt|aktiviert|fortgesetzt|terminiert|gespeichert|notiert|geändert|an)"
        ),
        "OFF": (
            r"(?:abgesagt|gestrichen|abgebrochen|storniert|pausiert|abgestellt|ausgeschaltet|deaktiviert|"
            r"abgeschaltet|"
            r"übersprungen|gestoppt|ausgesetzt|beendet|gekündigt|aufgehoben|verworfen)"
        ),
        "PLUGGED": r"(?:verbunden|verknüpft|getrennt|angebunden)",
        "IT_IS": (
            r"(?:(?:(?:das|es|alles|dies|jetzt|nun|so|schon|deine? [^ ]+|die info|ist) )*(?:ist|wurde|sind|wird|"
            r"wurden|steht|kommt|wandert))"
        ),
        "IS": r"(?:ist|sind|wurde|wurden|steht|läuft)",
        "THE": r"(?:dein|deine|die|der|das|den|ihr|ihre|eine|ein|alle|diese|dieser|meine|mein)",
        "FACT": (
            r"(?:infos?|informationen?|notiz|daten|profil|vorlieben?|regel|adresse|name|geburtstag|"
            r"änderung(?:en)?|erinnerung daran|eintrag|gedächtnis)"
        ),
        "IN_MEMORY": (
            r"(?:in|im|aus|auf) (?:(?:meinem|meinen|meiner|dem|deinem|deiner|deinen|die|der|meine|"
            r"deine) )?(?:gedächtnis|notizen|profil|speicher|liste|kopf)"
        ),
        "ROUTINE": (
            r"(?:[^ ]*erinnerung(?:en)?|wecker|routinen?|alarm|timer|[^ ]*nachrichten?|[^ ]*briefing|"
            r"benachrichtigung(?:en)?)\b"
        ),
        "CALENDAR": r"[^ ]*kalender\b",
        "THING": r"(?:das|es|alles|dir|für|im|in|wie)\b.*",
        "THAT": r"was|dass|weil|wenn|ob",
        "WHEN": r"(?:für|um|auf|morgen|jeden|am|heute)\b",
        "PLANNED": r"(?:(?:ein)?geplant|vorgemerkt|terminiert|im kalender)",
        "UNTIL": r"(?:bis|für|wie)\b",
        "ALL_DONE": (
            r"(?:ist |schon |alles |wird |das ist )?(?:erledigt|gemacht|fertig|geregelt)|alles (?:bereit|"
            r"klar gemacht)|passt, ist drin"
        ),
    },
    did={"saved": r"ist im kasten"},
    will={
        "saved": (
            r"(?:merke?|notiere?|speichere?|behalte?|schreibe?) ich(?: (?:mir|es|das|dir))*(?: (?:auf|ab|"
            r"im (?:kopf|hinterkopf)|gerne?))?|"
            r"ich (?:merke?|notiere?|speichere?|schreibe?) (?:es|das|mir|dir)(?: [^ ]+){0,3}|ich behalte? (?:es|"
            r"das)(?: [^ ]+){0,3}|"
            r"(?:ich werde|werde ich|werd ich)(?: [^ ]+){0,7}? (?:merken|speichern|notieren|behalten|aufschreiben|"
            r"denken|berücksichtigen|aktualisieren|eintragen)|"
            r"ich (?:denke?|werde) (?:daran|dran)(?: denken)?|wird (?:notiert|gemerkt|gespeichert|vermerkt)|"
            r"(?:ich )?(?:nehme?|nehm) (?:ich )?(?:das|es) (?:mit )?auf|ich berücksichtige das|"
            r"(?:{HENCE}) .*\bich\b.*|\bich\b.* (?:{HENCE})\b.*"
        ),
        "forgotten": (
            r"(?:ich werde|werde ich)(?: [^ ]+){0,5}? (?:löschen|vergessen|entfernen)|ich (?:lösche|vergesse|"
            r"entferne) (?:das|es)|(?:lösche|vergesse) ich"
        ),
        "scheduled": (
            r"ich (?:erinnere?|wecke?|benachrichtige) (?:dich|sie|euch)|(?:erinnere?|wecke?) ich (?:dich|sie|euch)|"
            r"(?:ich werde|werde ich) (?:dich|sie|euch|dir|ihnen|mich)(?: [^ ]+){0,6}? (?:erinnern|wecken|"
            r"schreiben|schicken|melden|geben|benachrichtigen)|"
            r"ich (?:schreibe?|schicke?|sage?) (?:dir|ihnen)(?: [^ ]+){0,3}? (?:um|morgen|heute|jeden|am|bescheid|"
            r"eine erinnerung)|"
            r"ich melde? mich (?:um|morgen|heute|am|dann|jeden)|melde ich mich|ich gebe? (?:dir|"
            r"ihnen)(?: [^ ]+){0,4}? bescheid|"
            r"(?:du bekommst|sie bekommen|du kriegst|bekommst du)(?: [^ ]+){0,5}? (?:erinnerung|nachricht)|"
            r"ich (?:stelle?|setze?|richte?|lege?|plane?)(?: [^ ]+){0,4}? (?:erinnerung|wecker|timer|alarm)"
        ),
        "cancelled": (
            r"ich (?:streiche|storniere|pausiere|beende|stoppe) (?:das|es|die|alle|deine)|(?:ich werde|"
            r"werde ich)(?: [^ ]+){0,5}? (?:absagen|stornieren|pausieren|abstellen|ausschalten)"
        ),
    },
    wont=(
        r"ich vergesse? (?:das|es)(?: [^ ]+){0,2}? nicht|vergesse? ich(?: [^ ]+){0,2}? nicht|(?:ich werde|"
        r"werde ich)(?: [^ ]+){0,3}? nicht (?:mehr )?vergessen|"
        r"(?:{HENCE}) .*\bich\b.*(?:nicht|keine?)\b|ich erinnere dich nicht mehr"
    ),
    hence=r"(?:ab jetzt|von nun an|ab sofort|in zukunft|künftig|zukünftig)",
    leads=(
        r"ok|okay|alles|klar|alles klar|gut|super|perfekt|prima|verstanden|ja|danke|und|so|na klar|gerne|sorry|"
        r"entschuldigung|"
        r"natürlich|toll|ist|schon|bereits|jetzt|nun|wird|hiermit|wie gewünscht|sehr gerne|jawohl|schön|aha|"
        r"ah|oh|gemerkt und"
    ),
    tails=(
        r"für (?:dich|später|das nächste mal|immer|die zukunft|sie)|{IN_MEMORY}|jetzt|nun|schon|bereits|auch|"
        r"wie (?:gewünscht|du .*|besprochen)|"
        r"und .*|danke.*|worden|sofort|so|damit|hiermit|direkt|gleich|ebenfalls|soeben"
    ),
    denied=r"\b(?:nicht|nichts|nie|niemals|kein[a-z]*|ohne|weder|sie hat|er hat|noch nicht)\b",
    denied_after=r"[ ,]*(?:[^ ,]+ ){0,3}?(?:nicht|nie|kein[a-z]*)\b",
    offered=r"\b(?:wenn|falls|sobald|sag mir|sagen sie|soll|sollte|möchtest|willst|kann|könnte|schreib mir)\b",
    wish=r"\b(?:wenn (?:du|sie)|falls (?:du|sie|gewünscht)|sobald (?:du|sie)|sag einfach|sag bescheid)\b",
    retold=r"\b(?:was|dass|wie|wenn|ob|als|das|alles was|weil)(?<!\bdas)",
    past=(
        r"gestern|vorher|früher|damals|neulich|(?:letzte|vorige|vergangene)[snr]? [^ ]+|vor [^ ]+ (?:tagen|"
        r"wochen|monaten|jahren|woche|monat)|"
        r"im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|als du"
    ),
    aside=(
        r"\b(?:keine? (?:problem|sorge|ursache|thema|frage)|mach dir keine (?:sorgen|gedanken)|kein (?:ding|"
        r"stress)|nichts zu danken)\b"
    ),
    elsewhere=(
        r"\b(?:entwurf|absatz|satz|text|mail|brief|komma|rezept|salz|gedicht|code|version|ton|dein(?:e|"
        r"en)? text)\b"
    ),
    ambiguous=r"aktualisiert|korrigiert|geändert|angepasst|hinzugefügt|ergänzt|gelöscht|entfernt|gestrichen",
    already=r"\b(?:schon|bereits|noch)\b",
    own_name=r"\bdeinen? (?:eigenen )?(?:vor)?namen?\b",
    not_done=truths(
        "(Um klar zu sein: Ich habe gerade nichts gespeichert.)",
        "(Um klar zu sein: Ich habe gerade nichts gelöscht.)",
        "(Um klar zu sein: Ich habe gerade nichts eingeplant.)",
        "(Um klar zu sein: Ich habe gerade nichts abgesagt.)",
        "(Um klar zu sein: Ich habe gerade nichts verbunden oder getrennt.)",
        "(Um klar zu sein: Ich habe gerade nichts geändert.)",
    ),
)
