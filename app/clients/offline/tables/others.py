"""What is said of relatives, friends and animals, after the word that says of whom: `is a nurse`."""

from app.clients.offline.patterns import any_of, pattern
from app.clients.offline.words import CONDITIONS, DIETS, HEALTH_STATES, MARITAL, PETS, RELATIONS

STATE = any_of(DIETS | HEALTH_STATES)
# What stays true of somebody for longer than today.
LASTING = (
    r"(?:(?:lives|works|studies|teaches|plays|speaks|likes|loves|hates|dislikes|collects|drives|is from|is allergic|"
    r"is getting married|is moving to|is expecting|is married|is engaged|is turning|is (?:really |very )?afraid of|"
    r"is (?:really |very )?scared of|is into|is learning|is retired|cannot (?:eat|have|drink)|"
    r"does not (?:eat|like|drink|speak)|"
    r"goes to (?:[\w']+ ){0,3}(?:school|university|college|kindergarten|nursery|daycare)|was born (?:in|on)) .+|"
    rf"is (?:{STATE}|{any_of(MARITAL)}|pregnant|retired|unemployed)|"
    r"is an? (?!bit\b|little\b|lot\b|mess\b|\d|good idea\b|pain\b|shame\b|pity\b|problem\b).+|"
    r"does not (?:smoke|drink|drive|swim|eat meat))"
)

OTHERS = (
    pattern(
        r"(?:has )?(?:just |recently )*(?:moved|relocated) to (?P<town>.+)",
        "lives in {town}", "kin", changed=True,
    ),
    pattern(
        r"(?:has )?(?:just |recently )*started (?:work|working|a new job) (?P<lower>at|as) (?P<thing>.+)",
        "works {lower} {thing}", "kin", changed=True,
    ),
    pattern(r"(?:'s birthday is|has (?:his|her|a) birthday)(?: on)? (?P<date>.+)", "'s birthday is {date}", "dates"),
    pattern(
        r"'s (?P<word>favou?rite [\w'-]+(?: [\w'-]+)?|job|school|dress size|shoe size|phone number|number|email|"
        r"address|pronouns|nickname|surname|last name|middle name|husband|wife|partner|son|daughter) (?:is|are)"
        r"(?: called| named)? (?P<thing>.+)",
        "'s {word} is {thing}", "kin",
    ),
    pattern(
        rf"has (?P<word>(?:type [12] |chronic |mild |severe |bad |high |low )?(?:{any_of(CONDITIONS)}|blood pressure))",
        "has {word}", "kin",
    ),
    pattern(
        rf"has (?P<thing>(?:an?|two|three|four|\d) (?:[a-z-]+ ){{0,2}}(?:{any_of(PETS | RELATIONS)})\b.*)",
        "has {thing}", "kin",
    ),
    pattern(
        r"is (?:back )?in (?:the )?hospital(?P<tail> (?:with|for|after|in|since) .+)?",
        "was in hospital{tail} in {now}", "kin",
    ),
    pattern(rf"(?P<tail>{LASTING})", "{tail}", "kin"),
)  # fmt: skip
