"""Allergies, diets and health."""

from app.clients.offline.patterns import COUNT, any_of, pattern
from app.clients.offline.words import CONDITIONS, DIETS, HEALTH_STATES, MEDICINES

_OFTEN = r"(?:daily|every|each|once|twice|three times|in the|at night|at \d|before|after|for (?:my|the)|when|\d+ ?mg)"
_FOODS = (
    r"(?:gluten|dairy|lactose|milk|cheese|nuts|peanuts|shellfish|fish|eggs|soy|wheat|sugar|alcohol|pork|beef|meat|"
    r"caffeine|coffee|fructose|sesame|bread|pasta|tofu|honey|chocolate|seafood|tomatoes|onions|garlic|grapefruit)"
)
_THIS_ONCE = r"(?:today|tonight|tomorrow|another|so much|that much|now|right now|at all)\b"

_OVER = r"(?: anymore| any longer| again| at last| these days)?"
_ALLERGY = r"(?:allergy|intolerance)"
_IS_GONE = (
    r"(?:(?:is|are|has|have|was|were) (?:all |completely |finally |now |been )*(?:gone|over|cured|better|history|past|"
    r"disappeared|vanished|gone away|cleared up|healed)|went away|disappeared|cleared up)(?: completely)?"
)
_GOT_RID_OF = (
    r"(?:(?:do not|no longer) have|have (?:outgrown|got over|gotten over|lost|grown out of)|outgrew|got over|lost|"
    r"grew out of|got rid of|am over|am cured of|am free of)"
)

# Endings that name no allergy: all that are known, or the only one.
ANY_ALLERGY, AN_ALLERGY = "Any allergy", "An allergy"

HEALTH = (
    pattern(
        rf"my (?P<word>(?!only |old )[\w' -]{{2,30}}?) {_ALLERGY} {_IS_GONE}{_OVER}",
        "No longer has {a_word} allergy", "health", only_known=True, ends="Has {a_word} allergy",
    ),
    pattern(
        rf"I {_GOT_RID_OF} (?:my |the |an? |any )?(?P<word>(?!only |old )[\w' -]{{2,30}}?) {_ALLERGY}{_OVER}",
        "No longer has {a_word} allergy", "health", only_known=True, ends="Has {a_word} allergy",
    ),
    pattern(
        rf"(?:my {_ALLERGY} {_IS_GONE}|I {_GOT_RID_OF} (?:my|the|an?) {_ALLERGY}){_OVER}",
        "Is no longer allergic", "health", only_known=True, ends=AN_ALLERGY,
    ),
    pattern(
        rf"(?:(?:all )?my (?:allergies|intolerances) {_IS_GONE}|I {_GOT_RID_OF} (?:all )?(?:my |the |any )?"
        rf"(?:allergies|intolerances)|I am (?:not|no longer) allergic(?: to anything)?){_OVER}",
        "Is no longer allergic", "health", only_known=True, ends=ANY_ALLERGY,
    ),
    pattern(r"I am (?:also )?(?:really )?allergic to (?P<thing>.+)", "Is allergic to {thing}", "health"),
    pattern(r"I am (?:also )?(?P<lower>\w+ly) allergic to (?P<thing>.+)", "Is {lower} allergic to {thing}", "health"),
    pattern(
        r"I am (?:no longer allergic to (?P<thing>.+)|"
        r"not allergic to (?P<thing2>.+?) (?:anymore|any longer|these days))",
        "Is no longer allergic to {thing}{thing2}", "health", changed=True, ends="Is allergic to {thing}{thing2}",
    ),
    pattern(
        r"I am not allergic to (?P<thing>.+)",
        "Is not allergic to {thing}", "health", ends="Is allergic to {thing}",
    ),
    pattern(
        r"I (?:can|am allowed to|am able to) (?:(?:again|safely|even|finally|now) )*"
        r"(?:eat|have|tolerate|digest) (?:any )?"
        rf"(?P<thing>(?!{_THIS_ONCE}|an? |it\b|this\b|that\b).+?){_OVER}",
        "Can eat {thing}", "food", only_known=True, ends="Cannot eat {thing}",
    ),
    pattern(
        rf"I can (?:(?:again|safely|finally) )*drink (?P<thing>(?!{_THIS_ONCE}|an? |it\b|this\b|that\b).+?){_OVER}",
        "Can drink {thing}", "food", only_known=True, ends="Cannot drink {thing}",
    ),
    pattern(
        r"I (?:have )?(?:(?:just|now) )*(?:started|begun|began|went back to|am back to) (?P<lower>eat|drink)ing "
        rf"(?P<thing>(?!{_THIS_ONCE}).+?){_OVER}",
        "Can {lower} {thing}", "food", only_known=True, ends="Does not {lower} {thing}",
    ),
    pattern(
        r"I (?P<word>eat|drink) (?P<thing>.+) again",
        "Can {word} {thing}", "food", only_known=True, ends="Does not {word} {thing}",
    ),
    pattern(
        r"I have an? (?P<word>(?:(?:severe|bad|mild|serious) )?(?:[a-z]+ ){1,2}(?:allergy|intolerance))",
        "Has {a_word}", "health",
    ),
    pattern(r"I have an? (?:\w+ )?(?:allergy|intolerance) to (?P<thing>.+)", "Is allergic to {thing}", "health"),
    pattern(r"my (?:only )?allerg(?:y|ies) (?:is|are)(?: to)? (?P<thing>.+)", "Is allergic to {thing}", "health"),
    pattern(
        r"(?P<thing>[a-z ]{3,40}) (?:gives? me|causes? me) (?P<word>hives|a rash|a reaction|migraines|headaches)",
        "Gets {word} from {thing}", "health",
    ),
    pattern(
        rf"I am (?:an? |on an? |on the )?(?P<lower>(?:strict |lifelong )?{any_of(DIETS)})(?: diet)?",
        "Is {lower}", "food",
    ),
    pattern(
        r"I (?:have become|became|turned|have gone|went|have turned) "
        rf"(?:an? )?(?P<lower>{any_of(DIETS)})(?P<tail> .+)?",
        "Is {lower}", "food", changed=True,
    ),
    pattern(
        rf"I am (?:not|no longer) (?:an? )?(?P<lower>{any_of(DIETS)})(?: anymore)?",
        "Is not {lower}", "food", changed=True, ends="Is {lower}",
    ),
    pattern(
        rf"I cannot (?P<word>eat|drink|tolerate|digest|"
        rf"have(?= (?:any )?{_FOODS}\b)) (?:any )?(?P<thing>(?!{_THIS_ONCE}).+)",
        "Cannot {word} {thing}", "food",
    ),
    pattern(
        rf"I (?:do not|never) (?P<word>eat|drink) (?P<thing>(?!{_THIS_ONCE}).+)",
        "Does not {word} {thing}", "food",
    ),
    pattern(r"I (?:only )?keep (?P<lower>(?:strictly )?(?:kosher|halal))", "Keeps {lower}", "food"),
    pattern(
        r"I am an? (?:strict )?(?P<lower>halal|kosher|keto|paleo|plant[- ]based|gluten[- ]free|vegan|vegetarian) eater",
        "Eats {lower}", "food",
    ),
    pattern(
        r"I (?:stopped|quit|gave up) (?P<gerund>eating|drinking|smoking)(?P<tail> .+)?",
        "No longer {gerund}{tail}", "food", changed=True,
    ),
    pattern(r"I do not (?P<word>smoke|drink|vape)", "Does not {word}", "health"),
    pattern(
        r"I (?:eat|follow) (?:an? )?(?P<thing>(?:halal|kosher|keto|paleo|low[- ]carb|plant[- ]based|gluten[- ]free).*)",
        "Eats {thing}", "food",
    ),
    pattern(
        rf"I have (?P<word>(?:type [12] |chronic |mild |severe |bad |high |low |seasonal )?(?:{any_of(CONDITIONS)}|"
        r"blood pressure|cholesterol|allergies))(?P<tail> (?:since|in|and) .+)?",
        "Has {word}{tail}", "health",
    ),
    pattern(r"I (?:suffer|am suffering) from (?P<thing>.+)", "Suffers from {thing}", "health"),
    pattern(
        rf"I am (?:an? )?(?P<lower>{any_of(HEALTH_STATES)})(?P<tail>,? (?:in|on|with|since|due) .+)?",
        "Is {lower}{tail}", "health",
    ),
    pattern(r"I (?:was|have been|got) diagnosed with (?P<thing>.+)", "Was diagnosed with {thing}", "health"),
    pattern(
        r"I take (?P<thing>(?!it\b|that\b|this\b|them\b|a break|a look|a nap|care|"
        rf"the (?:bus|train|subway|metro|tube)).+? {_OFTEN}\b.*)",
        "Takes {thing}", "health",
    ),
    pattern(
        rf"I (?:take|am on|am taking) (?P<word>(?:\w+ )?{any_of(MEDICINES)})(?P<tail> .+)?",
        "Takes {word}{tail}", "health",
    ),
    pattern(
        r"I wear (?P<thing>(?:reading )?glasses|contacts|contact lenses|a hearing aid|hearing aids|braces|a size .+)",
        "Wears {thing}", "health",
    ),
    pattern(
        r"I have (?P<thing>an? pacemaker|a bad (?:back|knee|shoulder|hip)|bad (?:knees|eyesight)|insomnia|"
        r"a heart condition)",
        "Has {thing}", "health",
    ),
    pattern(r"my blood (?:type|group) is (?P<tail>(?:AB|A|B|O)[ +-]?.*)", "Blood type is{tail}", "health"),
    pattern(
        rf"I had {COUNT} (?P<word>(?:knee|hip|heart|back|eye) (?:surgeries|operations))",
        "Had {count} {word}", "health",
    ),
    pattern(
        r"I am (?P<word>\d(?:'|ft| feet| foot)[ \d\w\"']*|\d[.,]\d+ ?(?:m|meters|metres)|\d{3} ?cm)(?: tall)?",
        "Is {word} tall", "health",
    ),
    pattern(r"I weigh (?P<thing>\d.+)", "Weighs {thing}", "health"),
)  # fmt: skip
