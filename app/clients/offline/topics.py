"""What people ask about themselves, and the facts that answer it."""

import re
from collections.abc import Sequence

from app.clients.offline.patterns import A_PET, any_of
from app.clients.offline.words import DIETS, NATIONALITIES, OCCUPATIONS, RELATIONS, STANDINGS

LIKING = (
    r"(?:Likes|Loves|Enjoys|Adores|Is (?:\w+ )?(?:into|fond of|obsessed with|crazy about|keen on|passionate about))\b"
)


DISLIKING = (
    r"(?:Dislikes|Hates|Does not (?:like|love|enjoy)|No longer (?:likes|loves|enjoys)|Used to (?:like|love|enjoy))\b"
)


# The person's own, not that of a son who is allergic too.
OWN_ALLERGY = r"(?:Is (?:not )?(?:\w+ )?allergic|Has (?!.*\b(?:who|whose|with|named)\b).*\ballerg|Allerg|Only allerg)"
_BUSINESS = (
    r"(?:(?:Runs|Manages) (?:an?|the|their|our) (?!(?:half )?marathons?\b|mile\b)|"
    r"Owns (?:an?|the|their) (?:[\w-]+ ){0,3}(?:company|business|startup|shop|store|bakery|restaurant|cafe|studio|"
    r"agency|farm|firm|salon|bar)\b)"
)
_WORKS = r"Works (?!out\b)"
_JOBS = (
    rf"(?:{_WORKS}|{_BUSINESS}|Teaches|Freelances|Is an? (?:[\w-]+ )*(?:{any_of(OCCUPATIONS)}|student)\b|"
    rf"Is {any_of(STANDINGS)}|Does .+ for work|.+ for a living|Job is)"
)


_TOPICS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(question, re.IGNORECASE), re.compile(fact, re.IGNORECASE))
    for question, fact in (
        (
            (
                r"(?:where|in (?:what|which) (?:city|town|country|state)) (?:do|am) i (?:live|living|based|"
                r"located|reside|staying|stay)|(?:what|which) (?:city|town|country|state|place) (?:do|"
                r"am) i (?:live|living|based|in)(?: in)?|where is my home|what is my (?:city|home)|where am i"
            ),
            r"Lives (?!with|alone)|Address|Home address|Is based|Is moving|Is relocating",
        ),
        (r"who do i live with|do i live alone", r"Lives (?:with|alone)"),
        (r"what is my (?:home )?address", r"(?:Home )?address"),
        (
            (
                r"where (?:am i|do i come) (?:originally )?from|what is my (?:home ?town|nationality)|"
                r"what nationality am i|where did i grow up|where was i born"
            ),
            rf"Is from|Was born in [A-Z]|Grew up|Home ?town|Is (?:an? )?{any_of(NATIONALITIES)}",
        ),
        (
            (
                r"what do i do(?: for (?:work|a living|a job))?|what is my (?:job|profession|occupation|work|"
                r"job title|career)|what (?:kind of )?(?:work|job) do i (?:do|have)|what am i working as|"
                r"do i have a job|how do i (?:earn|make) (?:my living|money)"
            ),
            _JOBS,
        ),
        (
            (
                r"where do i work|who do i work for|(?:what|which) company do i work (?:for|at)|"
                r"who is my employer|what is my (?:employer|company|workplace)"
            ),
            rf"{_WORKS}|{_BUSINESS}|Is self|Freelances",
        ),
        (
            (
                r"(?:what|where) (?:do|am) i (?:study|studying)|what is my (?:major|school|university|college)|"
                r"(?:which|what) (?:school|university|college) (?:do|did) i (?:go to|attend)|"
                r"where do i go to (?:school|university|college)"
            ),
            r"Studies|Goes to|Majors|Graduated|Is an? .*student",
        ),
        (
            (
                r"(?:when|what|what day|what date) (?:is|was) my (?:birthday|date of birth|birth ?date)|"
                r"when was i born"
            ),
            r"Birthday|Was born (?:on|in \d)",
        ),
        (r"how old am i|what is my age", r"(?:Is|Was) \d+ years old|Birthday|Was born (?:on|in \d)"),
        (
            (
                r"(?:what|which foods?|which things?) am i allergic to|do i have (?:any )?allergies|"
                r"am i allergic(?: to anything)?|what are my allergies|what is my allergy|what allergies do i have"
            ),
            OWN_ALLERGY,
        ),
        (
            (
                r"what (?:can|should|do|must) (?:i not|not i|i avoid) (?:eat|eating)?|what is my diet|"
                r"what (?:cannot|do not|should not) i eat|do i have (?:any )?dietary (?:restrictions|needs)|"
                r"what do i not eat|what (?:can|may) i eat|can i eat .+"
            ),
            rf"Is (?:an? )?(?:\w+ )?{any_of(DIETS)}|Does not eat|Cannot (?:eat|have|tolerate|digest)|"
            rf"Keeps (?:kosher|halal)|Eats |" + OWN_ALLERGY,
        ),
        (
            (
                r"what (?:things |stuff |sort of things |kind of things )?do i (?:like|love|"
                r"enjoy)(?: to (?:do|eat|drink)| doing| eating| drinking)?|what are my likes"
            ),
            rf"{LIKING}|.*favou?rite",
        ),
        (
            (
                r"what (?:things |stuff )?(?:do i (?:hate|dislike|not like)|do not i like|do i do not like)|"
                r"what are my dislikes"
            ),
            DISLIKING,
        ),
        (r"what do i prefer|what are my preferences", r"Prefers"),
        (
            (
                r"what are my hobbies|what is my hobby|what do i do (?:for fun|in my (?:free|spare) time)|"
                r"do i have (?:any )?hobbies"
            ),
            rf"{LIKING}|Plays|Collects|.* in their free time|Is learning|Volunteers|Gardens|Knits",
        ),
        (
            (
                r"do i have (?:any )?pets|what pets do i have|(?:what|who) are my pets(?:' names| called)?|"
                r"what animals do i have|how many pets do i have|what are (?:the names of my pets|my pets' names)"
            ),
            rf"(?:Has|Does not have|No longer has) .*\b{A_PET}",
        ),
        (
            (
                r"do i have (?:any |a )?(?:family|siblings|relatives)|who is in my family|what is my family like|"
                r"who are my (?:family|relatives)"
            ),
            rf"(?:Has|Does not have) .*\b{any_of(RELATIONS)}\b|Is married|Is an? (?:mother|father|only child)",
        ),
        (
            (
                r"(?:what|which) languages? (?:do|can) i (?:speak|know)|how many languages do i speak|"
                r"what is my (?:native |first )?(?:language|tongue)"
            ),
            r"Speaks|Native language|Does not speak|Is learning",
        ),
        (r"what (?:are my pronouns|pronouns do i use)", r"Uses .* pronouns|Pronouns"),
        (
            (
                r"(?:what|which) (?:medication|medicine|medicines|meds|pills|drugs)s? (?:do|am) i (?:take|on|"
                r"taking)|what do i take"
            ),
            r"Takes",
        ),
        (
            (
                r"do i have (?:any )?(?:health|medical) (?:conditions|problems|issues)|"
                r"what (?:health|medical) (?:conditions|problems) do i have"
            ),
            r"Has .*|Is (?:diabetic|asthmatic|pregnant|deaf|blind|celiac|coeliac)|Was diagnosed|Suffers",
        ),
        (
            (
                r"(?:what|which)(?: kind of| sort of)? (?:car|vehicle)? ?(?:do i drive|do i have|is my car)|"
                r"what car do i (?:drive|have|own)|what do i drive"
            ),
            r"Drives|Has .*\bcar\b|Car is",
        ),
        (
            (
                r"(?:what|which) (?:instruments?|sports?|games?) do i play|what do i play|"
                r"do i play (?:an instrument|any instruments?|any sports?)"
            ),
            r"Plays",
        ),
        (r"(?:when|what time|at what time) do i (?:wake up|get up|rise)", r".*\bwakes? up"),
        (r"(?:when|what time|at what time) do i (?:go to (?:bed|sleep)|sleep)", r".*\bgoes to bed"),
        (
            (
                r"am i (?:married|single|engaged|divorced|in a relationship)|who am i married to|"
                r"do i have a (?:partner|spouse)|what is my marital status"
            ),
            (
                r"Is (?:married|single|engaged|divorced|widowed|separated|dating)|"
                r"Has an? (?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc)|"
                r"Got (?:married|divorced|engaged)"
            ),
        ),
    )
)


def is_topic(asked: str) -> bool:
    return any(question.fullmatch(asked) for question, _ in _TOPICS)


def on_topic(asked: str, facts: Sequence[str]) -> list[str]:
    wanted = [fact for question, fact in _TOPICS if question.fullmatch(asked)]
    return [fact for fact in facts if any(expression.match(fact) for expression in wanted)]
