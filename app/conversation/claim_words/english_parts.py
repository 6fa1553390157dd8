"""Words that the English patterns of claims are made of.

`_VERBS` has each family of verbs once, as `base` or, where it is irregular, `base:past`. The patterns take them as they
stand behind "I'll" (`KEEP`), behind "I've" (`KEPT`) and behind "I'm" (`KEEPING`).
"""

import re

_DOUBLED = re.compile(r"(?:for|com|un|re)?[^aeiou]*[aeiou][bdglmnpt]")
"""A verb that doubles its last letter: "dropped", "forgetting"."""
_VERBS = {
    ("KEEP", "KEPT", "KEEPING"): (
        "save note store record log memori[sz]e register capture retain preserve document catalogue bank etch pin "
        "file file_away stash squirrel_away tuck_away store_away commit_to_memory lock_in "
        "jot_down note_down mark_down put_down:put_down write_down:written_down write_down:wrote_down"
    ),
    ("CHANGE", "CHANGED", "CHANGING"): (
        "add update correct change fix amend adjust edit revise switch swap enter rename replace refresh tweak "
        "modify "
        "include append insert merge overwrite set:set"
    ),
    ("PUT", "STOWED", "STOWING"): (
        "put:put pop tuck stick:stuck file place enter commit lock keep:kept jot write:written write:wrote scribble "
        "take:taken take:took mark stash store note squirrel pencil pencill slot log"
    ),
    ("LOSE", "GONE", "LOSING"): (
        "forget:forgotten forget:forgot remove delete erase wipe wipe_clean wipe_out clear clear_out scrub "
        "purge expunge "
        "discard unlearn drop ditch trash bin zap nuke shred strike:struck blank nix yank cross_out "
        "throw_out:thrown_out let_go_of:let_go_of "
        "get_rid_of:got_rid_of get_rid_of:gotten_rid_of"
    ),
    ("SCHEDULE", "SET", "SETTING"): (
        "schedule reschedule set:set set_up:set_up create add book queue queue_up programm resume restart "
        "restore move "
        "bump shift push push_back start turn_on turn_back_on activate reactivate plan update change adjust "
        "swap switch "
        "arrange dial bring:brought extend delay postpone snooze line_up save organi[sz]e lock_in confirm "
        "prepare slot pencil_in pencill_in put_in_place:put_in_place"
    ),
    ("CANCEL", "OFF", "CANCELLING"): (
        "cancel cancell pause skip turn_off switch_off shut_off:shut_off call_off stop end disable silence mute "
        "deactivate suspend halt scrap axe kill scratch nix lift discontinue unschedule put_on_hold:put_on_hold "
        "put_on_hold:on_hold"
    ),
    ("PLUG", "PLUGGED", "PLUGGING"): "connect disconnect reconnect link unlink hook_up unhook sync unsync pair",
}


def _forms(verbs: str) -> tuple[str, str, str]:
    """As they stand behind "I'll", "I've" and "I'm"."""
    bases, pasts, gerunds = [], [], []
    for base, _, past in (verb.partition(":") for verb in verbs.split()):
        word, _, more = base.replace("_", " ").partition(" ")
        stem = word + word[-1] if _DOUBLED.fullmatch(word) else word.removesuffix("e")
        regular = f"{stem[:-1]}ied" if stem.endswith("fy") else f"{stem}ed"
        bases.append(f"{word} {more}".strip())
        pasts.append(past.replace("_", " ") or f"{regular} {more}".strip())
        gerunds.append(f"{stem}ing {more}".strip())
    return _either(bases), _either(pasts), _either(gerunds)


def _either(words: list[str]) -> str:
    return f"(?:{'|'.join(dict.fromkeys(words))})"


PARTS = {
    **{name: one for names, verbs in _VERBS.items() for name, one in zip(names, _forms(verbs), strict=True)},
    "I_HAVE": r"\bi(?:'ve)?(?: (?:now|already|both|all|been|got|gotten|had))*",
    "I_AM": r"(?:\bi'm |{START})(?:now |already )?",
    "I_WILL": r"\bi'll",
    "SO": r"(?:now|already|all|both|been|got|gotten)",
    "IS": r"(?:'s|'re| is| are|(?: has| have|'ve) (?:now |also |already )?(?:been|got(?:ten)?))(?: {SO})*",
    "THAT": (
        r"(?:it|that|this|they|those|these|everything|both|that one|all of (?:it|that|them)|"
        r"all (?:of )?(?:the|these|those|your|\w+) {FACT})"
    ),
    "LOOKED": (
        r"(?:seen|checked|looked|searched|found|read|had|have|got|known|sent|shown|listed|gone|been|heard|"
        r"noticed|counted|"
        r"reviewed|thought|meant|liked|loved|needed|wanted|mentioned|told|missed|received|used|promised|tried|"
        r"failed|scanned|"
        r"written|drafted|shortened|translated|wished|remembered|never|not|no|only|suggested|asked|offered|"
        r"scrolled|consulted|answered|explained|described|covered|outlined|summari[sz]ed|attached|assumed|enjoyed|"
        r"misunderstood|messed|mixed|missed|confused|helped|rewritten|polished|trimmed|tightened|kept|calculated|"
        r"converted|compared|considered|decided|double-checked|verified|guessed|experienced|learned|included|worked|"
        r"picked|based|proofread|simplified|expanded|condensed|rephrased|reworded|highlighted|numbered|"
        r"formatted|felt|lost|understood|reali[sz]ed|recogni[sz]ed|gathered|mapped|researched|skimmed|"
        r"browsed|tested|solved|split|divided|rounded|ranked|grouped|replied|responded|finished|visited|followed|"
        r"wondered|hoped|ignored|pulled|marked|laid|broken)\b"
    ),
    "LATER": (
        r"(?:tomorrow|tonight|later|daily|weekly|(?:every|each) (?:{ONE} )?(?:day|morning|evening|night|afternoon|"
        r"week|month|year|hour|time|few|{ONE}day|weekend|\d+)|at (?:\d|noon|midnight|half|quarter|lunch|"
        r"bedtime)|in (?:\d+|(?:half )?an? "
        r"(?:hour|min|bit|while|few|day|week|month)\w*|the (?:morning|evening))|on (?:{ONE}day|the \d\w*)|"
        r"(?:this|next) (?:evening|afternoon|week|{ONE}day|month)|by \d|before (?:you|your|then|\d)|when it's|"
        r"when the)\b"
    ),
    "DEFINITE": r"(?:{THING}|(?:your|both|all|sure|myself|{ONE}'s)\b)",
    "NOTE": r"(?:the|that|this|my|those|these|both) (?:{ONE} )?{FACT}(?: {ONE}){0,5}?",
    "NO_NOUN": (
        r"(?:as|i|he|she|they|you|we|it|that|who|which|when|once|if|until|after|not|is|was|were|are|be|being|"
        r"been|has|had|"
        r"have|to|time|money|lives|life|energy|euros|dollars|minutes|hours|get|gets|got|what|where|how|can|"
        r"could|will)\b"
    ),
    "IT": (
        r"(?:it|that|this|they|those|these|both|that one|all of (?:it|that|them)|{NOTE}|"
        r"(?:your|his|her|their|all|every|{ONE}'s)(?: {ONE}){1,5}?|everything(?: {ONE}){0,5}?)"
    ),
    "NOTHING": (
        r"(?! (?:nothing|none|no\b|neither|above|below|us\b|time\b|money\b|the (?:day|best)\b|"
        r"you (?:an?|the|some|time|from)\b))"
    ),
    "WHEN": (
        r"(?:for|at|on|in|every|each|daily|weekly|to|from|until|tomorrow|tonight|today|next|about|by|as|back|"
        r"once)\b.*"
    ),
    "WHILE": r"(?:for|until|till|til|'til|from|tomorrow|tonight|today|this|next|on|as|again|by)\b.*",
    "ONE": r"[\w'’-]+",
    "CLOCK": (
        r"(?:{ONE}day|(?:half )?an? (?:hour|while|bit|day|week)|tomorrow|tonight|noon|midnight|midday|\d|half|"
        r"quarter|next|this|the (?:morning|evening|afternoon|\d)|"
        r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    ),
    "THING": r"(?:that|this|it|them|those|these|everything|all of (?:it|that)|both|him|her)\b",
    "MEMORY": (
        r"(?:(?:long[- ]term|mental|shopping|grocery|to-?do|own|personal|packing|vegetarian) )?(?:memor(?:y|"
        r"ies)(?: banks?)?|notes?|notebook|profile|lists?|records?|files?|database|"
        r"books?|diary|"
        r"brain|preferences|radar|head|system|settings)\b"
    ),
    "FACT": (
        r"(?:facts?|notes?|entry|entries|details?|info|information|records?|memory|memories|preferences?|rules?|"
        r"birthday|address|(?:nick)?names?|profile|quiet hours|time ?zone|location|language|instructions?|"
        r"corrections?|changes?|updates?|data|"
        r"mental note)\b"
    ),
    "HERE": (
        r"(?:to|in|into|from|on|onto|off|out of|under|of) (?:(?:my|your|the) {MEMORY}|memory\b|record\b|"
        r"file\b|what i know\b)"
    ),
    "ROUTINE": (
        r"(?:(?:reminder|routine|alarm|timer|text|message|briefing|check-?in|nudge|alert|notification|ping|digest|"
        r"roundup|follow-?up|countdown|wake-?up(?: call| text)?)s?|summar(?:y|ies)|shout|buzz|heads[- ]up|"
        r"daily (?:quote|weather|tip|joke|affirmation|word|poem|fact|prompt|question|update|report|forecast)s?)\b"
    ),
    "REMINDER": r"(?:(?:reminder|routine|alarm|check-?in|nudge|wake-?up(?: call| text)?|ping|briefing|digest)s?|"
    r"(?:daily|weekly|morning|evening) summar(?:y|ies)|daily quote)\b",
    "MINE": (
        r"(?:your (?:{ONE} ){0,3}?{REMINDER}|(?:{YOURS} )?(?:{ONE} ){0,3}?"
        r"(?:(?:reminder|nudge|ping|wake-?up (?:call|text))s?|(?:daily|weekly|morning|evening) (?:quote|summary))\b)"
    ),
    "OF_ONES": r"(?:{THING}|(?:your|the|both|all|those|these|{ONE}'s)(?: {ONE}){1,4}?)",
    "CALENDAR": r"(?:calendars?|agenda|schedule)\b",
    "GAP": r"(?: (?!(?:that|how|what|who|you (?!an?\b|the\b|up\b|your\b)) )[\w:'’-]+)",
    "YOURS": r"(?:your|the|a|an|that|this|all|all your|all the|those|these|both|one|another|any)",
}
PLAINER = {
    r"^(?:(?:ok|okay|got (?:it|you|that)(?! (?:all )?(?:down|noted|saved|set|scheduled|sorted|written|"
    r"logged))|sure(?: thing)?|great|perfect|al ?right|right|yes|yep|yup|yeah|thanks|thank you|"
    r"oh|ah|sorry|understood|absolutely|of course|cool|nice|lovely|awesome|gotcha|copy that|roger(?: that)?|"
    r"voila|"
    r"excellent|hi|hey|you got it|my (?:bad|mistake|apologies)|apologies|ta-?da|whoops|oops|no problem) )+": "",
    r"\b(?:just(?! (?:say|ask|tell|let|text))|also|successfully|safely|duly|quickly|officially|as good as|"
    r"practically|basically|finally|happily|gladly|"
    r"carefully|permanently|completely|fully|definitely|certainly|surely|always|personally|"
    r"(?:gone|went|go) ahead and|gone and|went and|been and)(?: |$)": "",
    r"(?:\b(?:i will|i'll|i'm going to|i am going to|i'm gonna|i shall|let me(?! know))|^(?:will|gonna))"
    r"(?: (?:then|now|be sure to|make sure to|make sure i|of course|be|try to|make a point (?:of|"
    r"to)))*(?!\w)": "i'll",
    r"\bi have\b": "i've",
    r"\bi am\b": "i'm",
}
"""Words that say how or how soon, and the longer forms of "I'll" and "I've"."""
ELSEWHERE = (
    r"\b(?:drafts?|paragraphs?|sentences?|wording|commas?|typos?|spelling|grammar|versions?|essay|poem|letter|"
    r"(?<!your )(?<!old )(?<!new )e-?mail|intro|verses?|stanza|punctuation|tone|rewrite|caption|recipe|"
    r"ingredients?|formula|code|"
    r"numbers|"
    r"adverbs?|adjectives?|words|rhymes?|scenes?|toast|speech|endings?|openings?|steps|"
    r"pinch|salt|sugar|my (?:mind|tune))\b"
)
