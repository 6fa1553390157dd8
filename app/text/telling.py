"""Separate sentences that tell something from those that only ask or request; and the signs of it for the index.

"What did I say about my sister?", "forget the dog" and "/memory" tell nothing: a search for the same question would
find them instead of the answer. A doubtful sentence counts as telling, as it would be lost otherwise: a question is
excluded only if it asks for something known, *when was my exam?*, and not *how do I tell her?*
"""

import re
from collections.abc import Iterable
from enum import IntFlag

LONGEST = 400  # Characters; nobody writes more without telling something.

_BEFORE = (  # Words that may come first without changing the meaning.
    r"^[\W_]*(?:(?:and|so|but|ok(?:ay)?|hey|hi|hello|well|oh|also|please|pls|sorry|wait|no|yes|thanks|keepsake|btw|"
    r"by the way|actually|quick question|y|pero|oye|por favor|und|aber|bitte|et|mais|dis|s['’]il te pla[iî]t|e|ma|"
    r"per favore|mas|en|maar|peki|ve|l[uü]tfen)[\s,:;.!-]+)*+"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"{_BEFORE}(?:{'|'.join(patterns)})", re.IGNORECASE)


_COMMAND = re.compile(r"/[a-z]+\b(?!/)", re.IGNORECASE)

# Asks if something is remembered, about anybody, with or without a question mark.
_THEIRS = r"(?:he|she|they|his|her|their|someone|somebody|people)\b"
_ASKS_WHETHER_KNOWN = _any(
    r"(?:do|did|can|could|don['’]?t|would|will) (?:you|u) (?:still |even |ever |actually )?(?:remember|"
    r"recall)\b(?! to\b)",
    r"(?:do|did|can) you (?:still |even |actually )?know (?:me\b|my\b|our\b|anything|everything|where|who|when|which|"
    r"how (?:old|many|much|long)|if (?:i|my|we)\b|whether (?:i|my|we)\b|"
    rf"what (?!happened|it['’]?s like|it is like|{_THEIRS}|the (?:hell|worst|best)))",
    r"what (?:do|did|have|else do|exactly do) you (?:know|remember|learn|recall|keep|have|say|tell|suggest|"
    r"recommend)\b",
    r"(?:have|did|had) (?:i|we) (?:ever |already |not |once )?(?:told|tell|mention(?:ed)?|said|say|shown?|talk(?:ed)?|"
    r"sp(?:eak|oken)|discuss(?:ed)?)\b(?: to)?(?: you)?(?: (?:about|of|what|where|who|when|which|how|why|my|our|"
    r"anything|it|this|something)\b|\W*$)",
    r"remember (?:me|when|the|my|our|what|who|how|him|her|that time)\b[^.!]*[?？]",
    r"(?:te )?(?:acuerdas|recuerdas)\b|sabes (?:qui[eé]n|cu[aá]ndo|d[oó]nde|c[oó]mo se|mi|algo)\b",
    r"erinnerst du|weißt du (?:noch|wer|wann|wo|welch|wie|mein|was (?:ich|mein))",
    r"(?:est-ce que )?tu (?:te (?:souviens|rappelles)|sais (?:qui|quand|o[uù]|comment|mon|ma|mes|ce que))\b|"
    r"te souviens-tu",
    r"(?:ti )?ricordi\b|sai (?:chi|quando|dove|come)\b",
    r"(?:voc[eê] )?(?:se )?lembras?\b",
    r"weet je (?:nog|wie|wanneer|waar|mijn)\b",
    r".*\bhat[ıi]rl[ıi]yor musun|.*\bbiliyor musun[?？]\W*$",
    r"(?:你|您)?(?:还)?记(?:不记)?得.*[吗嗎?？]",
    r".*覚えて(?:い)?(?:る|ます)か?[?？]?\W*$",
    r".*기억(?:나|해|하).*[?？]",
)

# A question for something known, if it ends with a question mark or is worded as a question.
_ADVICE = (
    r"(?:should|shall|can|could|would|might|must|if|about|do (?:i|we) do|am i (?:going|supposed|to|doing)|"
    r"are we going|will)\b"
)
_ASKS_FOR = _any(
    rf"(?:what(?:['’]?s|['’]re|['’]d)?|which|who(?:['’]s|se|m)?|when(?:['’]?s)?|where(?:['’]?s)?)\b(?!\s+{_ADVICE})"
    r"(?! (?:\w+ ){1,3}(?:should|shall) i\b)",
    r"how (?:old|long|many|much|far|tall|big|often|late|early)\b|how (?:did|was|were|is|are|do you (?:say|spell|"
    r"know))\b(?! (?:i|we|he|she|they|you)\b)|why (?:do|did|would|are) you\b",
    r"(?:do|does|did) (?:i|we) (?:still |even |ever |already |actually )*(?:have|own|like|live|work|need|eat|drink|"
    r"take|speak|play|know|owe|start)\b|did (?:i|we) (?:ever|already)\b|am i (?:still )?(?:allergic|vegan|vegetarian|"
    r"married)\b",
    r"(?:(?:can|could|would|will) you )?(?:please )?tell me (?:again )?(?:what|who|when|where|which|how|my|about|"
    r"everything)\b",
    r"(?:a |de |con |por )?qu[eé] (?!(?:hago|debo|puedo|hacemos|tal si)\b)\w|qui[eé]n(?:es)?\b|cu[aá]ndo\b|d[oó]nde\b|"
    r"cu[aá]l(?:es)?\b|cu[aá]nt[oa]s?\b|c[oó]mo (?:se llama|era|fue|estuvo)\b",
    r"wer\b|wann\b|wo\b|welche[rsn]?\b|was (?!(?:soll|kann|mache?|wenn|tun)\b)\w|wie (?:hei(?:ß|ss)t|hie(?:ß|ss)|alt|"
    r"lange|viele?|war|ist)\b",
    r"qui\b|quand\b|o[uù]\b|quel(?:le)?s?\b|combien\b|qu['’]est-ce (?:que|qui)\b(?! je (?:dois|peux|fais))|"
    r"qu['’](?:ai-je|avais-je)\b|que (?:sais|savais)-tu|comment (?:s['’]appelle|[ée]tait)\b",
    r"chi\b|quando\b|dove\b|quale?\b|(?:che )?cosa (?!(?:devo|posso|faccio)\b)\w|come si chiama",
    r"quem\b|onde\b|qual\b|o que (?!(?:devo|posso|fa[çc]o)\b)\w|como se chama",
    r"wie\b|wanneer\b|waar\b|welke\b|wat (?!(?:moet|kan|als)\b)\w|hoe (?:heet|oud|lang|was)\b",
    r".*\b(?:kim|kimdi|nerede|neredeydi|hangi|neydi|nedir|ka[çc]|ne zaman\w*|ne (?:dedim|demi[sş]tim|s[oö]yledim|"
    r"biliyorsun))\b",
    r".*(?:什么时候|什麼時候|哪(?:里|儿|裡|天|个|個|一)|谁|誰|几(?:点|岁|号)|多少|叫什么|什么名字|(?:说|說)(?:过|過|了)?(?:什么|什麼)|知道(?:我|什么))",
    r".*(?:いつ|どこ|誰|だれ|何(?:時|と|を|歳)|名前は)",
    r".*(?:언제|어디|누구|뭐|무엇|몇)",
)
_MARK = re.compile(r"[?？؟]\W*$")
_PUT_AS_ONE = _any(
    r"(?:what|who|when|where|which|how \w+)(?:['’]?s| (?:is|are|was|were|do|does|did|had|has|have))\b"
    r"(?! (?:he|she|it|they|you) (?:\w+ )?(?:is|was|said|did)\b)(?! (?:why|how|what|when|where|who)\b)|"
    r"who (?:won|wrote|made|invented|sang|sings)\b|(?:(?:can|could) you )?tell me\b|did (?:i|we)\b|do (?:i|we)\b|why\b"
)

# A request about known things, or for a later time. "Remember that I'm vegan" and "don't forget I'm vegan" tell.
_WISHED = (
    r"(?:(?:(?:can|could|would|will) (?:you|u)|i(?:['’]d| would) like you to|i (?:really )?(?:want|need) you to|"
    r"i asked you to|you (?:can|should|may|must|need to|have to)|(?:can|could) i (?:ask|get) you to|go ahead and|"
    r"just) )?(?:please |just |now |also |kindly )*"
)
_REQUEST = _any(
    rf"{_WISHED}(?:forget|delete|erase|undo|unlearn|take back|"
    r"(?:remove|drop|scratch|wipe|clear|list|repeat|show) (?:me|us|my|all|every\w+|the|that|this|it|what))\b"
    r"(?! [^,]*, (?:i|we|my|he|she|it)\b)",
    rf"{_WISHED}(?:remind me\b(?! of\b)|tell me (?:a|another|one|some)\b|(?:translate|spell|define|convert|flip|roll|"
    r"google|look up)\b)",
    rf"{_WISHED}(?:(?:do not|don['’]?t|never|stop) (?:remember|keep|save|store|mention|bring(?:ing)? up|mentioning|"
    r"remind|reminding|text|texting)\b|(?:do not|don['’]?t) forget to\b)",
    r"olv[ií]d(?:a|ate|e|es|elo|alo)\b|borra\b|recu[eé]rdame\b|deja de recordar|no recuerdes",
    r"vergiss\b|vergessen sie|l[oö]sch\w*\b|erinnere? mich\b",
    r"oublie[zs]?\b|efface\b|rappelle[- ]moi\b",
    r"dimentica\w*\b|cancella\b|ricordami\b",
    r"esque[çc]a?\b|apaga\b|lembra-me|me lembre\b",
    r"vergeet\b|wis\b|herinner me",
    r".*\b(?:unut|sil|hat[ıi]rlat)(?:ur musun|ir misin)?\W*$",
    r"(?:请|請|把).*忘了|(?:(?:请|請).*|把.*)?(?:忘(?:记|記|掉)|删(?:除|掉)|刪(?:除|掉)|提醒我)",
    r".*忘れて(?:ください|くれ)?\W*$",
    r".*잊어\s?(?:줘|주세요)",
)


def tells_something(sentence: str) -> bool:
    """True if a sentence says what is or happened; False if it only asks what is known or makes a request."""
    words = sentence.strip()
    if len(words) > LONGEST:
        return True
    if _COMMAND.match(words) or _REQUEST.match(words) or _ASKS_WHETHER_KNOWN.match(words):
        return False
    is_question = bool(_MARK.search(words) or _PUT_AS_ONE.match(words))
    return not (is_question and _ASKS_FOR.match(words))


HEAD_CHARS = 300  # Characters looked at: a long reply would show every sign somewhere.


class Sign(IntFlag):
    """One bit per sign; bit 0 stays free, and all fit one byte."""

    ASKS = 2  # The text ends with a question: the only sign against it.
    ONESELF = 4  # The speaker speaks of themselves.
    HAPPENED = 8  # The speaker says what they did, or how something was.
    TIMED = 16  # The text has a time or a number.
    NAMES = 32  # The text has a name: a word within a sentence begins with a capital.


_ASKS = re.compile(r"[?？؟՞]\W*$")  # Smileys and quotes may follow.
_ONESELF = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'll|me|my|our|us|mine)\b", re.IGNORECASE)
_HAPPENED = re.compile(
    r"\b(?:i|we)(?:'ve|'d)?\b[^.!?\n]{0,20}?\b(?:\w{2,}ed|went|got|had|was|were|made|took|met|found|saw|bought|ran|won|did|"
    r"came|told|gave|felt|read|left|lost|been|ate|drove|flew|wrote|paid|sold|sent|spent|heard|began|broke|built|"
    r"caught|chose|fell|forgot|grew|hurt|kept|knew|learnt|lent|said|slept|spoke|swam|taught|thought|threw|woke|wore)\b",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekends?|months?|years?|mondays?|tuesdays?|"
    r"wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|june|july|august|september|"
    r"october|november|december|recently|just|since)\b|\d",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[^.!?\s]) +[\"'(]?[A-Z][a-z]\w+")

_SHOWN_BY = ((Sign.ONESELF, _ONESELF), (Sign.HAPPENED, _HAPPENED), (Sign.TIMED, _TIMED), (Sign.NAMES, _NAME))


def signs(text: str, names: Iterable[str] = ()) -> int:
    """The `Sign` bits of a text; `names` of the people taking part do not count as names."""
    head = text[:HEAD_CHARS]
    if len(text) > HEAD_CHARS:
        head = head.rpartition(" ")[0]  # Half a word may look like another one: *i* of *is*.
    head = head.replace("’", "'")
    for name in names:
        head = re.sub(rf"\b{re.escape(name)}\b", "x", head)
    found = Sign(0)
    if _ASKS.search(text[-HEAD_CHARS:]):
        found |= Sign.ASKS
    for sign, pattern in _SHOWN_BY:
        if pattern.search(head):
            found |= sign
    return int(found)
