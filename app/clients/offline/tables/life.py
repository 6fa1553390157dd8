"""Pronouns, dates, languages, hobbies, possessions, habits and appointments."""

from app.clients.offline.patterns import OFTEN, VERB, WHEN, any_of, pattern
from app.clients.offline.words import FAITHS, IDENTITIES, LANGUAGES, OWNED, SPORTS_AND_INSTRUMENTS

_TONGUE = any_of(LANGUAGES)
_TONGUES = (
    rf"(?:(?:fluent |some |a little |a bit of |native |basic |only |conversational )*{_TONGUE}(?:,? and |, | & |$| ?))+"
)
_EVENT = (
    r"(?:appointment|meeting|interview|exam|test|flight|surgery|operation|wedding|party|trip|checkup|"
    r"check-up|class|concert|conference|deadline|presentation|vacation|holiday|reunion|recital|"
    r"marathon|race|game|match|graduation|due date|anniversary|date|call|lesson|tournament)"
)
_PRONOUN = r"(?:she|he|they|ze|xe|it|any|her|him|them|hers|his|theirs|zir|hir|xem|all)"
_OWN_NOUN = (
    r"(?:(?:favou?rite )?[\w-]+ number|locker(?: number)?|shoe size|ring size|shirt size|"
    r"dress size|t-shirt size|star sign|zodiac sign|sign|gym|bank|insurance|landline|commute|bedtime|"
    r"first language|native language|mother tongue|eye color|eye colour|hair color|hair colour|car|"
    r"bike|truck|boat|laptop|phone model|computer|parking spot|seat|room|desk|flight number|bus|train|"
    r"goal|motto|dream job|new year's resolution|size|email|email address|wifi name|server|nas)"
)

LIFE = (
    # Pronouns, age, faith
    pattern(rf"my pronouns are (?P<lower>{_PRONOUN}(?: ?/ ?{_PRONOUN})*)", "Uses {lower} pronouns", "personal"),
    pattern(
        rf"(?:I (?:use|go by|prefer) )?(?:the )?(?:pronouns )?(?P<lower>{_PRONOUN}(?:/{_PRONOUN})+)(?: pronouns)?",
        "Uses {lower} pronouns", "personal",
    ),
    pattern(rf"pronouns:? (?P<lower>{_PRONOUN}(?: ?/ ?{_PRONOUN})*)", "Uses {lower} pronouns", "personal"),
    pattern(
        r"I (?:am|just turned|have turned|turned) (?P<lower>1[0-9]|[2-9]\d)(?: years? old| yo| y/o|"
        r" yrs old)?(?: today| yesterday| last \w+)?",
        "Was {lower} years old in {now}", "personal",
    ),
    pattern(r"my age is (?P<lower>\d\d)", "Was {lower} years old in {now}", "personal"),
    pattern(rf"I am (?:an? )?(?:practi[cs]ing )?(?P<word>{any_of(FAITHS)})", "Is {word}", "personal"),
    pattern(rf"I am an? (?P<lower>(?:[a-z-]+ )?{any_of(IDENTITIES)})", "Is {a_lower}", "personal"),
    pattern(
        r"I am (?P<word>gay|lesbian|bisexual|bi|straight|queer|trans|transgender|nonbinary|non-binary|asexual)",
        "Is {word}", "personal",
    ),
    # Dates
    pattern(r"my birthday (?:is|falls) (?:on )?(?P<date>.+)", "Birthday is {date}", "dates"),
    pattern(r"birthday:? (?P<date>.+)", "Birthday is {date}", "dates"),
    pattern(
        rf"I am (?P<word>busy|free|off|off work|away|in the office) (?P<tail>{OFTEN}.*)",
        "Is {word}{tail}", "personal",
    ),
    pattern(r"I was born on (?P<date>.+)", "Birthday is {date}", "dates"),
    pattern(r"I was born in (?P<date>.+)", "Was born in {date}", "dates"),
    pattern(r"I was born (?P<date>.+)", "Birthday is {date}", "dates"),
    pattern(r"(?P<date>.+) is my birthday", "Birthday is {date}", "dates"),
    pattern(r"(?:my|our) (?P<lower>(?:wedding )?anniversary) is (?:on )?(?P<date>.+)", "{lower} is {date}", "dates"),
    pattern(
        rf"I have (?P<thing>(?:an? |my |the )?(?:[\w'-]+ ){{0,4}}{_EVENT} (?:with .+ |in .+ |at .+ |to .+ )?{WHEN})",
        "Has {thing}", "dates",
    ),
    pattern(rf"my (?P<lower>(?:[\w'-]+ ){{0,2}}{_EVENT}) is (?P<tail>{WHEN})", "{lower} is{tail}", "dates"),
    pattern(
        r"I am (?P<lower>getting married|flying|travell?ing|visiting|moving|retiring|graduating|starting|"
        r"having surgery|having a baby|due)(?P<tail>(?: .+)? (?:in|on|next|this) (?:january|february|march|april|"
        r"may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|monday|tuesday|"
        r"wednesday|thursday|friday|saturday|sunday|week|month|year|\d).*)",
        "Is {lower}{tail}", "dates",
    ),
    # Languages
    pattern(
        rf"I (?:can )?speak (?P<word>{_TONGUES})(?P<tail> (?:fluently|at home|natively|with .+))?",
        "Speaks {word}{tail}", "personal",
    ),
    pattern(rf"I do not speak (?:any )?(?P<word>{_TONGUE})", "Does not speak {word}", "personal"),
    pattern(
        rf"my (?:first|native|mother|main) (?:language|tongue) is (?P<word>{_TONGUE})",
        "Native language is {word}", "personal",
    ),
    pattern(rf"I am fluent in (?P<word>{_TONGUES})", "Speaks {word}", "personal"),
    pattern(r"I am (?:trying to )?learn(?:ing)? (?P<thing>.+)", "Is learning {thing}", "personal"),
    # Hobbies
    pattern(
        rf"I play (?:the )?(?P<word>(?:[\w-]+ )?{any_of(SPORTS_AND_INSTRUMENTS)})(?P<tail> .+)?",
        "Plays {word}{tail}", "personal",
    ),
    pattern(
        r"my (?:main |favou?rite )?(?:hobby|hobbies|pastime)s? (?:is|are|includes?) (?P<thing>.+)",
        "Enjoys {thing}", "personal",
    ),
    pattern(
        rf"(?:in my (?:free|spare) time|on weekends|for fun),? I {VERB}(?P<tail> .+)?",
        "{verb}{tail} in their free time", "personal",
    ),
    pattern(
        rf"I {VERB}(?P<tail> .+)? (?:in my (?:free|spare) time|for fun|as a hobby)",
        "{verb}{tail} in their free time", "personal",
    ),
    pattern(
        r"I (?P<verb>collect|volunteer|mentor|garden|knit|crochet|sew|foster|tutor|blog|vlog)(?P<tail> .+)?",
        "{verb}{tail}", "personal",
    ),
    pattern(r"I am training for (?P<thing>.+)", "Is training for {thing}", "personal"),
    pattern(
        r"I am (?:a member of|in a|part of) (?P<thing>(?:an? |the |my )?(?:[\w'-]+ )*(?:band|choir|club|team|"
        r"league|orchestra|book club).*)",
        "Is a member of {thing}", "personal",
    ),
    # Possessions
    pattern(r"I drive (?P<thing>(?:an?|my) .+)", "Drives {thing}", "personal"),
    pattern(
        rf"I (?:have|own|got|bought) (?P<thing>(?:an? |two |three )(?:[\w-]+ ){{0,4}}{any_of(OWNED)}(?: (?:named|"
        r"called|in|from|with) .+)?)",
        "Has {thing}", "personal",
    ),
    pattern(r"I have (?P<thing>an? (?:[\w-]+ ){1,3}(?:named|called) .+)", "Has {thing}", "personal"),
    pattern(r"I (?:own|got myself) (?P<thing>(?:an?|two|three) .+)", "Owns {thing}", "personal"),
    pattern(
        r"I do not (?:have|own) (?P<thing>(?:an? )(?:car|tv|television|smartphone|passport|driver's licen[sc]e|"
        r"driving licen[sc]e|bike|garden))",
        "Does not have {thing}", "personal",
    ),
    pattern(
        r"I have (?P<word>(?:brown|blue|green|black|blond|blonde|red|grey|gray|curly|long|short|hazel|"
        r"dark) (?:\w+ )?(?:eyes|hair))",
        "Has {word}", "personal",
    ),
    pattern(
        r"my (?P<lower>(?:(?:cell|mobile|home|work) )?(?:phone|mobile|"
        r"cell)(?: number)?) is (?P<tail>\+?[\d(][\d ().-]{4,})",
        "{lower} is{tail}", "personal",
    ),
    pattern(rf"my (?P<word>{_OWN_NOUN}) (?:is|are) (?P<thing>.+)", "{word} is {thing}", "personal"),
    # Habits
    pattern(r"I (?:wake up|get up|rise) (?P<tail>.+)", "Wakes up{tail}", "personal"),
    pattern(r"I (?:go to bed|go to sleep) (?P<tail>.+)", "Goes to bed{tail}", "personal"),
    pattern(
        rf"I (?P<lower>usually|always|often|never|rarely|typically|normally|generally|mostly) {VERB}(?P<tail> .+)",
        "{lower} {verb}{tail}", "personal",
    ),
    pattern(
        rf"(?P<lower>every \w+|on \w+days|on weekends),? I {VERB}(?P<tail> .+)?",
        "{verb}{tail} {lower}", "personal",
    ),
    pattern(rf"I (?P<verb>work out|work) (?P<tail>.*{OFTEN}.*)", "{verb}{tail}", "personal"),
    pattern(rf"I (?!have an? .+ at \d\S*(?: ?[ap]m)?$){VERB}(?P<tail> (?:.+ )?{OFTEN}.*)", "{verb}{tail}", "personal"),
    pattern(
        r"I have (?P<thing>(?!an? .+ at \d\S*(?: ?[ap]m)?$|to\b|been\b|no\b|the (?:right|feeling)|"
        rf"an? (?:question|idea|feeling|headache|cold|problem)).+ {OFTEN}.*)",
        "Has {thing}", "personal",
    ),
    pattern(r"I (?:commute|travel) to work by (?P<thing>.+)", "Commutes by {thing}", "personal"),
    pattern(r"I (?:like|prefer) to be called (?P<name>.+)", "Likes to be called {name}", "personal"),
)  # fmt: skip
