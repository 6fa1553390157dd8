"""The manner in which a person keeps asking to be answered, in corrections or in the wish: shorter, as bullets. Pure.

A correction is a text that says nothing else and comes at once after what it corrects. A form ("as bullets") may stand
in any wish. What is in no list here counts as a correction only in words that correct ("no, …", "without …").
"""

import re
from dataclasses import dataclass

from app.text.wording import folded, normalise

LONGEST_WORDS = 8  # Of a correction: a longer one says something besides.


@dataclass(frozen=True)
class Manner:
    """One way to be answered."""

    key: str
    """The same for all words that ask for it."""
    procedure: str
    """As a rule says it."""
    is_form: bool = False
    """Whether it counts inside a wish, too."""


_UNITS = {
    "kilometres": r"kilomet(?:er|re)s?|kms?|kil[oó]metros|kilometern?|kilometre(?: cinsinden)?",
    "miles": r"miles?|millas|meilen",
    "Celsius": r"celsius|centigrade|°c",
    "Fahrenheit": r"fahrenheit|°f",
    "metric units": r"metric(?: units?)?|metrisch|m[eé]trico",
    "grams": r"grams?|gramm|gramos|gram(?: cinsinden)?|grammes",
    "the 24-hour clock": r"24[- ]?h(?:ours?|r)?(?: (?:clock|time|format))?",
    "euros": r"euros?|eur|€",
    "dollars": r"dollars?|usd|d[oó]lares",
    "pounds": r"pounds?|gbp",
    "lira": r"(?:t[uü]rk )?liras[iı]|lira|tl|try",
}
_LANGUAGES = {
    "English": r"english|ingl[eé]s|englisch|ingilizce|anglais|inglese",
    "Spanish": r"spanish|espa[nñ]ol|castellano|spanisch|ispanyolca|espagnol",
    "German": r"german|alem[aá]n|deutsch|almanca|allemand|tedesco",
    "Turkish": r"turkish|turco|t[uü]rkisch|t[uü]rk[cç]e|turc",
    "French": r"french|franc[eé]s|franz[oö]sisch|frans[iı]zca|fran[cç]ais|francese",
    "Italian": r"italian[o]?|italienisch|italyanca|italien",
    "Portuguese": r"portuguese|portugu[eê]s|portugiesisch|portekizce|portugais",
    "Dutch": r"dutch|holand[eé]s|niederl[aä]ndisch|nederlands|felemenk[cç]e",
    "Polish": r"polish|polaco|polnisch|polski|leh[cç]e",
    "Russian": r"russian|ruso|russisch|русски|rus[cç]a",
    "Arabic": r"arabic|[aá]rabe|arabisch|arap[cç]a",
    "Hindi": r"hindi",
    "Chinese": r"chinese|mandarin|chino|chinesisch|[cç]ince",
    "Japanese": r"japanese|japon[eé]s|japanisch|japonca",
}
_PLAIN = (
    (
        Manner("short", "Keep answers short"),
        (
            r"(?:much |a bit |even |make (?:it|that|them) |keep (?:it|answers?|replies|them) )*(?:shorter|"
            r"short(?! (?:story|"
            r"hair|rib|cut))|brief(?:er|ly)?|concise(?:ly)?|less text)|(?:way |much )?too (?:long|much(?: text|"
            r" detail)?)|"
            r"tl;?dr|m[aá]s (?:corto|breve|corta)|demasiado largo|resum[ei](?:do|lo)?|k[uü]rzer(?: fassen)?|zu lang|"
            r"kurz(?: fassen)?|daha k[iı]sa|k[iı]sa(?:ca| tut| yaz)?|[cç]ok uzun|plus court|trop long|"
            r"pi[uù] (?:corto|breve)|"
            r"mais curto"
        ),
    ),
    (
        Manner("long", "Answer in more detail"),
        (
            r"longer|more details?|(?:much )?more detailed|in (?:more )?detail|too short|elaborate|m[aá]s (?:largo|"
            r"detalles?)|"
            r"con m[aá]s detalle|ausf[uü]hrlicher|mehr details?|daha (?:uzun|detayl[iı]|ayr[iı]nt[iı]l[iı])|"
            r"plus de d[eé]tails?"
        ),
    ),
    (
        Manner("simple", "Use simple words"),
        (
            r"simpler|simple words|easier words|plain (?:english|words|language)|(?:explain )?like i['’]?m five|eli5|"
            r"m[aá]s (?:simple|sencillo|f[aá]cil)|einfacher|daha basit|plus simple"
        ),
    ),
    (
        Manner("no emojis", "Never use emojis"),
        (
            r"(?:no|without|stop (?:using|with)(?: the)?|skip the|drop the|lose the|fewer) emojis?|sin emojis?|"
            r"(?:keine|ohne) emojis?|emoji(?:siz| yok| kullanma)|(?:pas d['’]|sans )[eé]mojis?"
        ),
    ),
)
_FORMS = (
    (
        Manner("bullets", "Use bullet points", is_form=True),
        (
            r"bullet(?:s|ed|[- ]?points?)?(?: (?:points?|list))?|vi[nñ]etas|(?:als |in )?(?:stich|"
            r"aufz[aä]hlungs)punkte?n?|"
            r"madde(?:ler)?(?: madde| h[aâ]linde)?|puces|(?:elenco )?puntat[oi]"
        ),
    ),
    (
        Manner("numbered", "Number what is listed", is_form=True),
        (r"numbered(?: list)?|as a numbered list|lista numerada|nummeriert\w*|numaral[iı]\w*|num[eé]rot[eé]\w*"),
    ),
    (
        Manner("table", "Answer in a table where it fits", is_form=True),
        (r"(?:as|in) a table|en (?:una )?tabla|als tabelle|tablo (?:olarak|h[aâ]linde)|en tableau"),
    ),
    (
        Manner("one line", "Answer in one line", is_form=True),
        (
            r"(?:in |as )?(?:one|a single|1)[- ](?:line|liner|sentence)s?|en una (?:sola )?(?:l[ií]nea|frase)|"
            r"in einem satz|in einer zeile|tek (?:c[uü]mle(?:yle|de)?|sat[iı]r(?:da|la)?)|"
            r"en une (?:seule )?(?:phrase|ligne)"
        ),
    ),
    (
        Manner("steps", "Answer step by step", is_form=True),
        (r"step[- ]by[- ]step|paso a paso|schritt f[uü]r schritt|ad[iı]m ad[iı]m|[eé]tape par [eé]tape"),
    ),
    (
        Manner("answer alone", "Give the answer alone, without explaining it", is_form=True),
        (
            r"(?:just|only) the (?:answer|number|result|names?)|no explanations?|s[oó]lo la respuesta|"
            r"sin explicaci[oó]n|"
            r"nur die (?:antwort|zahl)|ohne erkl[aä]rung|sadece (?:cevap|cevab[iı]|sonu[cç])"
        ),
    ),
)


def _in(names: str) -> str:
    return rf"(?:(?:in|en|auf|im|als|use|with|as|into|convert to|speak|habla|sprich) (?:the )?)?(?:{names})"


_ALL = tuple(
    (manner, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE))
    for manner, words in (
        *_FORMS,
        *_PLAIN,
        *((Manner(f"in {name}", f"Answer in {name}"), _in(words)) for name, words in _LANGUAGES.items()),
        *((Manner(f"in {name}", f"Give figures in {name}"), _in(words)) for name, words in _UNITS.items()),
    )
)
# What a correction says besides.
_BESIDE = frozenset(
    folded(
        "no not please pls again i said told you to ok okay still always just and but the it that this them answer "
        "answers reply replies respond write say make keep can could would always a bit much way too be more so in as "
        "use give me show with for rather instead only format form km kilometres miles points list next time from now "
        "por favor otra vez he dicho te dije siempre y pero responde contesta escribe la el lo en con no ni eso "
        "bitte nein nochmal immer doch aber auf antworte schreib sag mir das es und nicht mal lieber "
        "lutfen hayir yine tekrar hep ama cevap ver yaz yanit olarak ile bana "
        "s il te vous plait non encore toujours mais reponds per favore ancora sempre rispondi"
    ).split()
)
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|not|don['’]?t|do not|never|stop|without|i said|again|use|sin|nunca|nein|nicht|ohne|kein\w*|"
    r"hay[iı]r|"
    r"non|sans|pas|senza|sem|n[aã]o)\b[\s,:;.!–—-]+(?P<what>\w.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NOT_THAT = re.compile(
    r"\b(?:and not|not|no|instead of|rather than|y no|und nicht|nicht|statt|et pas)\s+\w+\W*$", re.IGNORECASE
)
_NO_CORRECTION = re.compile(
    r"\b(?:thanks?|thank you|worries|problem|idea|way|clue|rush|need|yet|now|today|tonight|sure|really|more|gracias|"
    r"danke|te[sş]ekk\w+|merci|grazie)\b",
    re.IGNORECASE,
)


def corrected(words: str) -> Manner | None:
    """What the text wants to be done otherwise, if it says nothing else."""
    said = " ".join(words.split())
    if not 0 < len(said.split()) <= LONGEST_WORDS:
        return None
    for manner, pattern in _ALL:
        found = pattern.search(said)
        if found and not set(folded(_NOT_THAT.sub(" ", pattern.sub(" ", said))).split()) - _BESIDE:
            return manner
    found = _CORRECTS.match(said)
    if found is None or "?" in said or _NO_CORRECTION.search(said):
        return None
    what = folded(found["what"])
    if not what or not set(what.split()) - _BESIDE:
        return None
    return Manner(f"words {normalise(said)}", f'Mind what they keep correcting: "{said.strip(" .!")}"')


def form_asked_for(words: str) -> Manner | None:
    """The form in which something is wanted."""
    return next((one for one, pattern in _ALL if one.is_form and pattern.search(words)), None)


def said_in_rule(procedure: str) -> set[str]:
    """The keys of all that a rule speaks of."""
    return {manner.key for manner, pattern in _ALL if pattern.search(procedure)}
