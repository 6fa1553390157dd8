"""Family, friends and pets."""

from app.clients.offline.patterns import COUNT, KIN, NAMED, PET, any_of, pattern
from app.clients.offline.tables.others import LASTING, STATE
from app.clients.offline.words import MARITAL

_IS_CALLED = r"(?:'s name is| is called| is named| goes by)"
_ARE_CALLED = r"(?:'s? names are|'s? are called|'s? are named| are called| are named| names are)"
_AGES = r"(?P<lower>\d{1,2}(?:, \d{1,2})*,? (?:and|&) \d{1,2})(?: years? old)?"

PEOPLE = (
    # Pets
    pattern(rf"my {PET}{_IS_CALLED} (?P<name>.+)", "Has {a_pet} named {name}", "pets"),
    pattern(rf"the name of my {PET} is (?P<name>.+)", "Has {a_pet} named {name}", "pets"),
    pattern(rf"my {PET}{_ARE_CALLED} (?P<names>.+)", "Has {pet} named {names}", "pets"),
    pattern(rf"my {PET} are (?P<names>[A-Z].+)", "Has {pet} named {names}", "pets"),
    pattern(rf"my {PET} is (?P<person>.+)", "Has {a_pet} named {person}", "pets"),
    pattern(rf"I have an? (?:pet )?{PET} ?{NAMED} (?P<name>.+)", "Has {a_pet} named {name}", "pets"),
    pattern(rf"I have an? (?:pet )?{PET} (?P<person>[A-Z][\w'-]+)", "Has {a_pet} named {person}", "pets"),
    pattern(rf"I have {COUNT} {PET} ?{NAMED} (?P<names>.+)", "Has {count} {pet} named {names}", "pets"),
    pattern(rf"I have {COUNT} {PET}", "Has {count} {pet}", "pets"),
    pattern(
        rf"I have an? (?:pet )?{PET}(?P<tail> (?:at home|who .+|that .+|from .+|with .+))?",
        "Has {a_pet}{tail}", "pets",
    ),
    pattern(
        rf"I no longer have (?:an?|my|the|any) {PET}",
        "No longer has {a_pet}", "pets", ends="Has {a_pet}", changed=True,
    ),
    pattern(
        rf"I do not have (?:an?|my|the|any) {PET} (?:anymore|any longer)",
        "No longer has {a_pet}", "pets", ends="Has {a_pet}", changed=True,
    ),
    pattern(
        rf"I (?:do not have|have not got) (?P<lower>any|an?) {PET}",
        "Does not have {lower} {pet}", "pets", ends="Has {a_pet}",
    ),
    pattern(
        rf"my {PET} is (?P<count>\d{{1,2}}|one|two|three|four|five|six) years? old",
        "{pet} was {count} years old in {now}", "pets",
    ),
    pattern(rf"my {PET} is an? (?P<pet2>(?:[a-z-]+ ){{0,2}}[a-z-]+)", "{pet} is {a_pet2}", "pets"),
    pattern(rf"my {PET} is allergic to (?P<thing>.+)", "{pet} is allergic to {thing}", "pets"),
    pattern(rf"(?P<person>[A-Z][\w'-]+) is my {PET}(?: s name)?", "Has {a_pet} named {person}", "pets"),
    pattern(
        rf"my {PET},? (?P<person>[A-Z][\w'-]+),?(?P<tail> {LASTING})",
        "Has {a_pet} named {person} who{tail}", "pets",
    ),
    pattern(rf"my {PET} (?P<person>[A-Z][\w'-]+) (?P<rest>.+)", "Has {a_pet} named {person}", "pets", partial=True),
    pattern(rf"my {PET},? (?P<person>[A-Z][\w'-]+)", "Has {a_pet} named {person}", "pets"),
    # Family and others
    pattern(rf"my {KIN} is (?P<count>\d{{1,2}})(?: years? old)?", "{kin} was {count} years old in {now}", "kin"),
    pattern(
        rf"my {KIN} is (?:back )?in (?:the )?hospital(?P<tail> (?:with|for|after|in|since) .+)?",
        "{kin} was in hospital{tail} in {now}", "kin",
    ),
    pattern(
        rf"my {KIN} is (?:back home|home again|(?:back|home|out)(?: again)? (?:from|of) (?:the )?hospital)"
        r"(?: again| now)?",
        "{kin} is out of hospital", "kin", only_known=True, ends="{kin} was in hospital",
    ),
    pattern(rf"my {KIN} are {_AGES}", "{kin} were {lower} years old in {now}", "kin"),
    pattern(
        rf"I have {COUNT} {KIN},? (?:aged?|who are|ages|of) {_AGES}",
        "Has {count} {kin} who were {lower} years old in {now}", "kin",
    ),
    pattern(
        rf"my {KIN}(?:'s birthday| has (?:a|their|her|his) birthday) (?:is )?(?:on )?(?P<date>.+)",
        "{kin}'s birthday is {date}", "dates",
    ),
    pattern(rf"my {KIN} was born (?P<date>(?:in|on) .+)", "{kin} was born {date}", "dates"),
    pattern(rf"my {KIN} is allergic to (?P<thing>.+)", "{kin} is allergic to {thing}", "kin"),
    pattern(rf"my {KIN} is (?:an? )?(?P<lower>{STATE})", "{kin} is {lower}", "kin"),
    pattern(rf"my {KIN}{_IS_CALLED} (?P<name>.+)", "Has {a_kin} named {name}", "kin"),
    pattern(rf"the name of my {KIN} is (?P<name>.+)", "Has {a_kin} named {name}", "kin"),
    pattern(rf"my {KIN}{_ARE_CALLED} (?P<names>.+)", "Has {kin} named {names}", "kin"),
    pattern(rf"my {KIN} are (?P<names>[A-Z][\w'-]+(?:,| and) .+)", "Has {kin} named {names}", "kin"),
    pattern(rf"my {KIN} is (?P<person>.+)", "Has {a_kin} named {person}", "kin"),
    pattern(rf"I have an? {KIN} ?{NAMED} (?P<name>.+)", "Has {a_kin} named {name}", "kin"),
    pattern(rf"I have an? {KIN} (?P<person>[A-Z][\w'-]+)", "Has {a_kin} named {person}", "kin"),
    pattern(rf"I have {COUNT} {KIN} ?{NAMED} (?P<names>.+)", "Has {count} {kin} named {names}", "kin"),
    pattern(rf"I have {COUNT} (?:{KIN})(?P<tail> (?:aged|who|in|under) .+)?", "Has {count} {kin}{tail}", "kin"),
    pattern(
        rf"I have an? {KIN}(?P<tail> (?:in|from|at|living in|who lives|who works) .+)?",
        "Has {a_kin}{tail}", "kin",
    ),
    pattern(
        rf"I (?:do not have|have not got) (?P<lower>any|an?) {KIN}",
        "Does not have {lower} {kin}", "kin", ends="Has {a_kin}",
    ),
    pattern(r"I am an only child", "Is an only child", "family"),
    pattern(rf"(?P<person>[A-Z][\w'-]+) is my {KIN}(?:'s name)?", "Has {a_kin} named {person}", "kin"),
    pattern(
        rf"my {KIN},? (?P<person>[A-Z][\w'-]+),?(?P<tail> {LASTING})",
        "Has {a_kin} named {person} who{tail}", "kin",
    ),
    pattern(rf"my {KIN},? (?P<person>[A-Z][\w'-]+),? (?P<rest>.+)", "Has {a_kin} named {person}", "kin", partial=True),
    pattern(rf"my {KIN} (?P<person>[A-Z][\w'-]+)", "Has {a_kin} named {person}", "kin"),
    pattern(r"I am married to (?P<name>.+)", "Is married to {name}", "family"),
    pattern(r"I am engaged to (?P<name>.+)", "Is engaged to {name}", "family"),
    pattern(r"I am dating (?P<name>.+)", "Is dating {name}", "family"),
    pattern(rf"I am (?P<lower>{any_of(MARITAL)})", "Is {lower}", "family"),
    pattern(
        r"I (?:have )?(?:just )?got (?P<lower>married|divorced|engaged)(?: (?:yesterday|recently|last \w+))?",
        "Is {lower}", "family", changed=True,
    ),
    pattern(r"I got (?P<lower>married|divorced|engaged)(?P<tail> (?:to|in|on|this) .+)", "Got {lower}{tail}", "family"),
    pattern(
        r"I am an? (?P<lower>mother|father|mom|mum|dad|parent|grandmother|grandfather) (?:of|to) (?P<tail>.+)",
        "Is {a_lower} of{tail}", "family",
    ),
    pattern(r"I am getting (?P<lower>divorced|separated)(?P<tail> from .+)?", "Is getting {lower}{tail}", "family"),
    pattern(
        r"I am expecting (?P<lower>a baby|twins|a girl|a boy)(?P<tail> .+)?",
        "Is expecting {lower}{tail}", "family",
    ),
    pattern(
        r"my (?P<lower>maiden name|surname|last name|middle name|nickname|full name) is (?P<name>.+)",
        "{lower} is {name}", "personal",
    ),
)  # fmt: skip
