"""Sentences of despair: of whoever wants to die, or sees no way to go on. Words, and nothing else.

They are a call for help to whoever reads them when they are said. They are no facts about anybody, and are never read
back unasked. Any doubt counts: words that may be less than they seem are left out of what is kept, too.
"""

import re

from app.text.sentences import sentences

_ENDS = r"(?=\s*(?:[.,!?;\n]|$)| (?:and|but|so|because)\b)"
# Each line holds some; an indented one goes on with the line above. Contractions are written out.
_WISHES = rf"""
(?:want(?:s|ed)? to (?:die|be dead)|feels? like dying|should (?:just )?(?:die|be dead)|ready to die|rather be dead|
    hop(?:e|ing) (?:that )?I die)(?! of)
wish(?:es)? (?:that )?(?:I|they) (?:was|were) (?:dead|never born|not (?:alive|here|born))
wish(?:es)? (?:I|they) had (?:never|not) been born
wish(?:es)? (?:I|they) (?:did not exist|could (?:just )?(?:die|disappear))
wants? to (?:just )?disappear{_ENDS}|wants? to disappear (?:forever|from (?:this|the) (?:world|earth))
kill(?:ing)? (?:my|him|her|your|their|them)sel(?:f|ves)|suicidal|unaliv\w+
(?:commit(?:ting)?|attempt(?:ed|ing)?|thoughts? of|think(?:s|ing)? (?:about|of)|
    consider(?:s|ing)?) (?:my |their )?(?:own )?suicide
(?:hang|shoot|drown|stab|poison)(?:ing)? (?:my|them)sel(?:f|ves)
(?:off|do away with) (?:my|them)sel(?:f|ves)(?= |$|[.,!?])
end(?:ing)? (?:my (?:own )?life|it all)
(?:wants?|going|ready|about|needs?|decided|plans?|planning) to (?:just )?end it{_ENDS}
tak(?:e|ing) (?:my|his|her|their) own life|took my own life
(?:hurt|harm|cut)(?:s|t?ing)? (?:my|them)sel(?:f|ves)(?! (?:shaving|cooking|chopping|slicing|peeling|gardening|playing|
    skiing|running|lifting|while|at (?:the )?(?:gym|work|football|soccer|training|practice)|on (?:a|the|some)))
(?:cut|slit|slash)(?:ting|ing)? (?:my|his|her) (?:own )?wrists?|self[- ]?harm\w*
(?:I am |(?:want|going) to |might |should |will |just )kms|^\W*kms\W*$
no (?:reason|point|will|purpose) (?:left )?(?:to|in|of|for) (?:me )?(?:liv(?:e|ing)|go(?:ing)? on|keep(?:ing)?
     going|carry(?:ing)? on|exist(?:ing)?|be(?:ing)? (?:alive|here)|stay(?:ing)? alive|life)
(?:nothing|not anything|no one|nobody) (?:left )?(?:for me )?to live for
what is the point (?:of|in) (?:living|life|going on|being alive|being here|anything anymore)
(?:life|it) is not worth living|not worth living|life is not worth it
(?:tired|sick|done|fed up|exhausted) (?:of|with) (?:living|life|being alive|existing|being here){_ENDS}
(?:gives?|giving|given|gave) up on (?:life|living)|hates? being alive|not feel like living|feels? like ending it{_ENDS}
not want to (?:live(?! (?:in|at|near|on|here|there|next|alone|close|far|by|under|with (?:him|her|them|my|a|
    \w+mates?))\b)|be alive|exist|go on{_ENDS})
not want to wake up(?: (?:anymore|again|ever|tomorrow))?{_ENDS}|never (?:wants? to )?wakes? up(?: again)?{_ENDS}
better off (?:dead|without (?:me|them))|better (?:off )?if I (?:was|were|am|died|did not) ?(?:dead|gone|not here|exist)?
better (?:place )?without (?:me|them)
no(?:body| one) would (?:even |really |ever )?(?:miss (?:me|them)|(?:notice|care) if (?:I|they))
cannot (?:just )?(?:go on|carry on|keep going)(?: (?:like this|living|with (?:this|it|life)))?
    (?: any ?(?:more|longer))?{_ENDS}
cannot (?:do|take|bear|stand) (?:this|it)(?: all)? any ?(?:more|longer)|cannot live like this
wants? (?:it all|everything|all of (?:it|this)|the pain|my life) to (?:just )?(?:be over|end(?! up| with)|stop)
think(?:s|ing)? (?:about|of) (?:dying(?! (?:my|her|his|the|it))|ending it)|(?:sees?|is) no (?:other )?way out
not be (?:around|alive) (?:much longer|anymore)|(?:I am|feels? like) (?:just |only |such )*a burden
jump(?:ing)? (?:off|from) (?:a|the|my|this) (?:bridge|building|roof|balcony)
jump(?:ing)? in front of (?:a|the) (?:train|bus|car|truck|lorry)|walk(?:ing)? into traffic
"""
_WISHES_ABROAD = r"""
(?:quiero|quisiera|quiere|ganas de) morir(?:me|se)?(?! de)|no (?:quiero|quiere) (?:seguir )?viv(?:ir|iendo)
(?:quiero|voy a) matarme|ya no puedo m[áa]s|nadie me (?:echar[íi]a de menos|extra[ñn]ar[íi]a)
(?:j'ai )?envie de mourir|(?:je )?veu[xt] (?:mourir|me tuer|en finir)|je (?:ne )?veux plus vivre|je n'en peux plus
personne ne me (?:regretterait|pleurerait)
(?:will|m[öo]chte) (?:sterben|tot sein|nicht mehr leben)|mich umbringen|mir das leben nehmen|ich kann nicht mehr{_ENDS}
niemand w[üu]rde mich vermissen
vo(?:glio|rrei) morire|non voglio (?:pi[ùu] )?vivere|non ce la faccio pi[ùu]
que(?:ro|ria) morrer|n[ãa]o quero (?:mais )?viver|n[ãa]o aguento mais{_ENDS}|ningu[ée]m sentiria a minha falta
ik wil (?:dood|sterven|niet meer leven)|niemand zou me missen|[öo]lmek istiyorum|хочу умереть|не хочу жить
chc[ęe] umrze[ćc]|nie chc[ęe] [żz]y[ćc]
""".replace("{_ENDS}", _ENDS)
_UNSPACED = r"想死(?!你)|不想活|活不下去|死にたい|消えたい|죽고 ?싶"
_NOT_HERE = re.compile(r"\bnot want to be here\b(?! (?:when|if|for|at|tomorrow|today|tonight)\b)", re.IGNORECASE)
_PLACE = re.compile(  # Of which somebody may well have had enough.
    r"\b(?:this|the|at|at (?:the|this|a|my)|in (?:the|this|a|my)) (?:[\w-]+ )?(?:party|meeting|class|lecture|"
    r"work|office|"
    r"school|gym|queue|line|traffic|airport|bar|club|pub|dinner|wedding|concert|gig|event|hotel|date|conference|museum|"
    r"shop|store|mall)\b|\b(?:boring|bored)\b",
    re.IGNORECASE,
)
_WRITTEN_OUT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"[’‘ʼ´`]", "'"),
        (r"\s+", " "),
        (r"\b(?:can'?t|can not)\b", "cannot"),
        (r"\bwon'?t\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|would|could|should)n'?t\b", r"\1 not"),
        (r"\bi'?m\b", "I am"),
        (r"\bi'd\b", "I would"),
        (r"\b(they|you|we)'re\b", r"\1 are"),
        (r"\b(life|it|that|what|there)'?s\b", r"\1 is"),
        (r"\bwanna\b", "want to"),
        (r"\bgonna\b", "going to"),
    )
)


def any_of_lines(*blocks: str) -> str:
    """A pattern of the words, of which each line of a block holds some."""
    lines = [line for block in blocks for line in block.replace("\n    ", "").strip().splitlines()]
    return rf"(?<!\w)(?:{'|'.join(f'(?:{line})' for line in lines)})(?!\w)"


_DESPAIR = re.compile(f"{any_of_lines(_WISHES, _WISHES_ABROAD)}|{_UNSPACED}", re.IGNORECASE | re.MULTILINE)


def is_despair(text: str) -> bool:
    """Whether something in the text says that somebody wants to die, or cannot go on."""
    words = text
    for pattern, full in _WRITTEN_OUT:
        words = pattern.sub(full, words)
    return bool(_DESPAIR.search(words) or (_NOT_HERE.search(words) and not _PLACE.search(words)))


def without_despair(words: str) -> str:
    """The words without the sentences that are one; as they are where none is."""
    told = sentences(words)
    kept = [sentence for sentence in told if not is_despair(sentence)]
    return words if len(kept) == len(told) else " ".join(kept)
