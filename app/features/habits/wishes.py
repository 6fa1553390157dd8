"""Wishes in a person's texts that could come by themselves, and the likeness of two wishes: pure.

What a text is can only be told roughly from its words. Doubt speaks against a wish: what is not seen is not suggested,
and what is suggested wrongly is a text that nobody wanted.
"""

import re

from app.text.wording import folded, subjects

LONGEST_CHARS = 160  # One text; who writes more tells something, or asks for something that does not repeat.
NAMED_WORDS = 4  # "weather in Lima today": so many words without a verb name what is wanted.

# Said to be kind, to begin or to end, or to answer: nothing that could come by itself.
_SMALL_TALK = re.compile(
    r"^\W*(?:(?:hi|hey|hello|yo|hiya|good (?:morning|afternoon|evening|night|day)|g?morning|gm|gn|night(?: night)?|bye|"
    r"see you|thanks?|thank you|thx|ty|ok(?:ay)?|yes|yeah|yep|no|nope|sure|cool|great|nice|lol|haha\w*|wow|done|fine|"
    r"sorry|congrats|happy \w+|merry \w+|hola|buen[oa]s(?: \w+)?|gracias|vale|adi[oó]s|hasta \w+|jaja\w*|s[ií]|"
    r"hallo|moin|servus|guten? \w+|danke|bitte|tsch[uü]ss|ja|nein|bis \w+|selam|merhaba|g[uü]nayd[iı]n|"
    r"iyi (?:geceler|ak[sş]amlar|g[uü]nler|sabahlar)|te[sş]ekk[uü]rler|sa[gğ] ?ol|tamam|evet|hay[iı]r|"
    r"bonjour|bonsoir|salut|merci|oui|non|bonne \w+|ciao|grazie|buongiorno|buonanotte|ol[aá]|obrigad[oa]|bom dia|"
    r"boa \w+)"
    r"\b[\s,.!]*)+(?:\b(?:all|there|everyone|friend|buddy|a lot|so much|again|as well|then|too|love)\b[\s,.!]*)*\W*$|"
    r"^\W*(?:how (?:are|r) (?:you|u)|how['’]?s it going|what['’]?s up|sup|are you (?:there|awake|up|ok)|you there|"
    r"how (?:did|was) (?:you|your)|c[oó]mo est[aá]s|qu[eé] tal|wie geht['’]?s|wie geht es dir|nas[iı]ls[iı]n|ne haber|"
    r"(?:comment )?[cç]a va|come stai|tudo bem)\b.{0,30}$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？¿]|^\W*(?:what|whats|who|where|when|which|how|is there|are there|will it|do i|qu[eé]|cu[aá]l|cu[aá]nt[oa]s?|"
    r"c[oó]mo|d[oó]nde|cu[aá]ndo|qui[eé]n|hay|was|wer|wo|wann|welche[rs]?|wie|gibt es|ne(?: zaman|rede|ler)?|ka[cç]|"
    r"nas[iı]l|hangi|kim|quel(?:le)?s?|que|comment|combien|o[uù]|quand|cosa|quale|quanto|dove|quando)\b|"
    r"\b(?:ka[cç]|nas[iı]l|m[iıuü]|ne kadar)\W*$",
    re.IGNORECASE,
)
_BIDS = re.compile(
    r"\b(?:please|pls|plz|por favor|bitte|l[uü]tfen|s['’]il (?:te|vous) pla[iî]t|per favore|(?:can|could|will|would) "
    r"(?:you|we|i)|let['’]?s|i(?: a|['’])?m? ?(?:want|need|would like|['’]?d like)|quiero|necesito|me gustar[ií]a|"
    r"ich (?:m[oö]chte|brauche|h[aä]tte gern)|istiyorum|laz[iı]m|je veux|j['’]aimerais|vorrei|quero)\b|"
    r"^\W*(?:(?:and|now|ok|okay|hey|hi|y|und|et|e)\W+)?(?:give|tell|show|send|read|plan|list|suggest|recommend|find|"
    r"check|get|write|make|pick|choose|summari[sz]e|translate|explain|quiz|teach|play|update|look up|brief|ask|help|"
    r"wake|sing|count|draw|compare|convert|calculate|dime|d[ie]me|dame|mu[eé]strame|env[ií]ame|m[aá]ndame|"
    r"recomi[eé]ndame|prop[oó]nme|busca|haz|escribe|cu[eé]ntame|resume|sag|sagt|gib|zeig|schick|nenn|such|mach|"
    r"empfiehl|erz[aä]hl|erkl[aä]r|lies|schreib|plane?|s[oö]yle|g[oö]ster|ver|g[oö]nder|anlat|[oö]ner|bul|yaz|oku|"
    r"donne|dis|montre|envoie|raconte|propose|dammi|dimmi|mostrami|mandami|me d[eê]|diga|mostre|envie)\b|"
    r"\b(?:s[oö]yle|ver|g[oö]ster|anlat|[oö]ner)\W*$",
    re.IGNORECASE,
)
# What tells something: how it is, what was done, what is to be kept.
_TELLS = re.compile(
    r"^\W*(?:(?:so|and|well|ok|oh|then|und|y|also|ve)\W+)?(?:i|i['’]?(?:m|ve|ll|d)|im|we|we['’]?\w+|he|she|they|it|"
    r"it['’]s|my|our|this|that|there|just|got|had|went|ran|did|took|made|finished|done|home|back|at|on my way|heading|"
    r"leaving|going|arrived|off to|still|not|no|never|remember|note|fyi|yo|mi|mis|me|he|hoy|ayer|acabo|estoy|estamos|"
    r"voy|ya|el (?:coche|perro|gato)|ich|wir|mein\w*|heute (?:war|habe?|bin)|gestern|bin|war|habe?|gerade|ben|biz|"
    r"bug[uü]n [cç]ok|d[uü]n|eve|i[sş]e|je|j['’]|nous|mon|ma|io|ho|sono|mio|mia|eu|meu|minha)\b|"
    # What is done, by its ending: "gym finished", "eve geldim", "Sport gemacht".
    r"(?:[a-z]{2,}ed|done|over|\w{2,}[dt][iıuü](?:m|k|n|ler|lar)?|ge\w{3,}(?:t|en)|tamam|fertig|listo|hecho|fini)\W*$",
    re.IGNORECASE,
)
# What is done with something that is given anew each time.
_GIVEN = re.compile(
    r"\b(?:translat\w*|traduc\w*|traduis\w*|tradur\w*|traduz\w*|[uü]bersetz\w*|[cç]evir\w*|how (?:do|would) (?:you|i|"
    r"we) "
    r"(?:say|spell)|c[oó]mo se (?:dice|escribe)|wie (?:sagt|schreibt) man|nas[iı]l (?:denir|yaz[iı]l[iı]r)|"
    r"comment (?:dit|[eé]crit)-on|(?:this|these|diese[nrs]?|est[aeo]s?|ce(?:tte|s)?|bu) (?:text|email|e-mail|notes?|"
    r"message|article|nachricht|mail|texto|mensaje|texte|metni?))\b",
    re.IGNORECASE,
)
_NOTES = re.compile(r"\d|[!…]$")  # "72.4", "weight 71.8 today", "home!"
_SCHEDULES = re.compile(
    r"\b(?:remind|reminder|alarm|wake me|snooze|schedule|timer|recu[eé]rda(?:me)?|av[ií]same|despi[eé]rtame|alarma|"
    r"erinner\w*|weck\w*|wecker|hat[iı]rlat\w*|uyand[iı]r\w*|alarm\w*|rappelle|r[eé]veille|ricordami|svegliami|lembre|"
    r"me lembra|forget|olvida|vergiss|unut)\b",
    re.IGNORECASE,
)
# What is hard: worry, illness, grief, danger. Nobody wants to be offered a routine for it, nor anything else just then.
_HARD = re.compile(
    r"\b(?:can(?:['’]?t|not) (?:i )?(?:sleep|breathe|cope|go on|stop crying|do this)|couldn['’]?t sleep|not sleep\w*|"
    r"insomnia|"
    r"(?:so |feel(?:ing)? |i['’]?m |am |all )+(?:alone|lonely|sad|low|scared|afraid|hopeless|worthless|empty|lost|"
    r"sick|dizzy|numb)|hurts?|hurting|pain\w*|aches?|aching|anxi\w+|panic\w*|depress\w+|worr(?:y|ied|ies)|stress\w*|"
    r"overwhelm\w*|cry(?:ing)?|cried|griev\w*|grief|mourn\w*|funeral|passed away|died|dying|(?:to|gonna|might|will|"
    r"could) die|dead|death|widow\w*|"
    r"miss (?:him|her|them|my|you)|suicid\w*|kill (?:my|him|her)self|end it|self[- ]?harm|overdos\w*|relaps\w*|abus\w*|"
    r"miscarr\w*|cancer|chemo\w*|tumou?r\w*|(?:blood|my) (?:sugar|pressure)|glucose|insulin|fasting|hospital\w*|"
    r"emergency|"
    r"ambulance|bleed\w*|fever|symptoms?|nause\w*|"
    r"migraine|surgery|biops\w*|medic(?:ine|ation)s?|pills?|dos(?:e|age)|doctor|therap\w+|diagnos\w*|divorc\w*|"
    r"broke up|laid off|lost my|craving\w*|drink again|"
    r"no puedo (?:dormir|respirar|m[aá]s)|me duele\w*|duele\w*|dolor\w*|ansiedad|p[aá]nico|deprim\w*|depresi[oó]n|"
    r"trist\w*|llor\w+|muri[oó]|muert[oea]\w*|falleci\w*|funeral|c[aá]ncer|urgencias|hospital|fiebre|s[ií]ntoma\w*|"
    r"pastillas?|medicinas?|preocup\w+|miedo|suicid\w*|m[eé]dico|sola?\b.{0,10}siento|"
    r"kann nicht (?:schlafen|mehr|atmen)|nicht (?:ein)?schlafen|schmerz\w*|tut (?:\w+ )?weh|weh ?tut|angst\w*|panik\w*|"
    r"depress\w*|traurig\w*|wein(?:e|en|t)|gestorben|tot|tod|trauer\w*|beerdigung|krebs|krankenhaus|notarzt|fieber|"
    r"symptome?|tabletten?|medikament\w*|sorgen|einsam\w*|allein\w*|selbstmord|arzt|"
    r"uyuyam\w+|nefes alam\w+|a[gğ]r[iı]\w*|ac[iı]yor|panik|depresyon\w*|[uü]zg[uü]n\w*|a[gğ]l[iıa]\w*|[oö]ld[uü]\w*|"
    r"cenaze|kanser\w*|hastane\w*|ate[sş]im|ila[cç]\w*|endi[sş]e\w*|korku\w*|korkuyor\w*|yaln[iı]z\w*|intihar\w*|"
    r"doktor\w*|kayg[iı]\w*|"
    r"dors pas|dormir plus|mal (?:au|à|aux)|angoiss\w*|d[eé]prim\w*|pleur\w*|d[eé]c[eé]d\w*|mort(?:e|s|es)?|"
    r"enterrement|"
    r"h[oô]pital|fi[eè]vre|m[eé]dicaments?|seule?\b|peur|inquiet\w*|"
    r"non riesco a dormire|ansia|dolore|ospedale|febbre|paura|n[aã]o consigo dormir|ansiedade|dor|medo|rem[eé]dio)\b",
    re.IGNORECASE,
)

# What every wish may hold beside its matter, folded; subjects' own list is English alone.
_OF_EVERY_WISH = subjects(
    folded(
        "what whats how who which when where why will would can could should shall please give tell show send get read "
        "make let us want need like look looks today todays tonight tomorrow morning evening night noon afternoon now "
        "day days daily this next latest current again some any please pls going there here up out one do me text them "
        "their they check new quick quickly hey hi hello thanks good great "
        "que cual cuanto cuanta cuantos cuantas como donde cuando quien el la los las un una de del al a en y o para "
        "por "
        "con mi mis tu me te se es son esta estan hay hoy manana tarde noche ahora dime dame cuentame favor va hacer "
        "hace tener quiero puedes "
        "was wer wo wann wie welche welcher welches warum der die das den dem des ein eine einen einem ist sind wird "
        "werden mir mich ich du es im in am an auf fur mit von zu zum zur und oder heute morgen abend nacht jetzt "
        "bitte "
        "gib sag zeig mal denn so gibt hat haben kommt kannst mein meine meinen "
        "ne kac nasil hangi kim bir bu su ve ile icin mi mu bugun yarin simdi sabah aksam gece lutfen bana soyle ver "
        "goster var yok oldu olacak "
        "quel quelle quels est il elle les le des du au aux et pour dans sur fait aujourd hui demain matin soir moi "
        "che qual e il lo gli per oggi domani mattina sera o os as do da no na hoje amanha manha"
    )
)
_SHORTENED_TO = 6  # Letters: endings differ in all these languages, and beginnings seldom do.


def is_wish(words: str) -> bool:
    """Whether the text asks for something that could as well come by itself."""
    said = words.strip()
    if not said or len(said) > LONGEST_CHARS or said.startswith("/"):
        return False
    if is_hard(said) or _SCHEDULES.search(said) or _GIVEN.search(said) or _SMALL_TALK.search(said) or not matter(said):
        return False
    if _ASKS.search(said) or _BIDS.search(said):
        return True
    return len(said.split()) <= NAMED_WORDS and not _TELLS.search(said) and not _NOTES.search(said)


def is_hard(words: str) -> bool:
    """Whether it speaks of worry, illness, grief or danger."""
    return _HARD.search(words) is not None


def matter(words: str) -> frozenset[str]:
    """What the wish is about: its words without those that every wish has, each shortened to its beginning."""
    return frozenset(
        short for word in subjects(folded(words)) if word not in _OF_EVERY_WISH and (short := word[:_SHORTENED_TO])
    )


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """How like two wishes are by their words, 0 to 1 (Dice)."""
    both = len(one & other)
    return 2 * both / (len(one) + len(other)) if both else 0.0


def covered(wish: frozenset[str], by: frozenset[str]) -> float:
    """Which share of a wish's words something else has, 0 to 1: a briefing of four things covers each."""
    return len(wish & by) / len(wish) if wish else 0.0
