"""Words that call for help now: of whoever wants to die, of a body in danger, of what was swallowed.

Of a wish to die any doubt counts as one. What a body does counts when it does it now: what was years ago, what is in a
film, and what somebody asks to be found again is told like anything else.
"""

import re
from typing import Literal

from app.features.offline.english import sentences, tidy
from app.text.despair import any_of_lines, is_despair

Kind = Literal["life", "poison", "body"]

_ENDS = r"(?=\s*(?:[.,!?;\n]|$)| (?:and|but|so|because)\b)"
_WHOSE = r"(?:my|his|her|their|the)"
_SOMEBODY = (
    r"(?:I|he|she|they|someone|somebody|(?:my|our|the|this|a) (?:[\w-]+ )?(?:mother|mom|mum|father|dad|sister|brother|"
    r"wife|husband|spouse|partner|boyfriend|girlfriend|son|daughter|child|kid|grand\w+|aunt|uncle|niece|nephew|cousin|"
    r"friend|neighbou?r|colleague|dog|cat|baby|toddler|man|woman|boy|girl|roommate|flatmate))"
)

_PILL = (
    r"(?:pills?|tablets?|capsules?|caplets?|tabs|gummies|edibles?|meds|medicines?|medications?|painkillers?|"
    r"sleeping pills?|"
    r"antidepressants?|vitamins?|paracetamols?|acetaminophens?|tylenols?|ibuprofens?|advils?|nurofens?|"
    r"aspirins?|aleves?|"
    r"naproxens?|benadryls?|melatonins?|xanax|valiums?|diazepams?|ambiens?|zopiclones?|benzos?|oxy\w*|percocets?|"
    r"vicodins?|codeines?|co-codamols?|tramadols?|morphine|opioids?|sertralines?|zolofts?|prozacs?|fluoxetines?|"
    r"citaloprams?|lithium|metformins?|warfarins?|iron (?:pills?|tablets?)|beta ?blockers?)"
)
_TAKEN = r"(?:took|take[ns]?|taking|swallow(?:ed|ing)?|ate|eaten|had|popped|downed|drank|overdosed on)"
_ABOUT = r"(?:about |around |like |maybe |over |nearly |almost |more than |at least |up to |some |all |just )*"
_MANY = (
    r"(?:[1-9]\d|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|"
    r"forty|fifty|"
    r"sixty|a hundred|a dozen|dozens of)"
)
_NOT_THESE = r"(?! (?:left|remaining|back|open|out of|to the))"
_NOT_ALL_OF_THEM = r"(?! (?:on time|as (?:usual|prescribed|always|told|directed)|for (?:today|the day|tonight)))"
_POISON = (
    r"bleach|poison|rat poison|detergent|antifreeze|drain cleaner|oven cleaner|toilet cleaner|cleaning (?:fluid|"
    r"products?|"
    r"liquid)|cleaner|disinfectant|batter(?:y|ies)|pesticides?|insecticide|weed ?killer|paint thinner|"
    r"white spirit|petrol|"
    r"gasoline|turpentine|ammonia|methanol|laundry pods?|tide pods?|(?:dish)?washer (?:tablets?|pods?)|lighter fluid|"
    r"nail polish remover|rubbing alcohol|hand saniti[sz]er|magnets?|mothballs?|poisonous \w+|toadstools?|lamp oil|lye|"
    r"descaler"
)
_SWALLOWED = rf"""
(?<!died of an )(?<!died from an )overdos(?:e|ed|ing)
{_TAKEN} {_ABOUT}{_MANY} (?!mg|mcg|ml|g\b|iu\b|units?|minutes?|hours?|days?|weeks?|months?|years?|
    photos?)(?:of )?(?:(?:my|the|his|her|those|these) )?(?:[\w-]+ ){{0,2}}{_PILL}\b{_NOT_THESE}
{_TAKEN} {_ABOUT}(?:\d{{3}}|hundreds of) (?:[\w-]+ ){{0,2}}(?:pills|tablets|capsules|tabs)\b
{_TAKEN} (?:way |far |just |probably |a bit )*(?:too|so) (?:many|much)(?: (?:of )?(?:(?:my|the|his|her|those|
    these|them) ?)?(?:[\w-]+ ){{0,2}}{_PILL}\b| of them\b)
{_TAKEN} (?:way |far )*too many{_ENDS}
{_TAKEN} (?:all|every one) (?:of )?(?:my|the|his|her|those|these) {_PILL}\b(?: \w+ {_PILL})?
    {_NOT_THESE}{_NOT_ALL_OF_THEM}
{_TAKEN} (?:a|an|the|my|his|her|that|\d+|two|three|four|several)? ?(?:whole |entire |full )?(?:bottles?|
    box(?:es)?|packets?|packs?|strips?|handfuls?|fistful|bunch|load) of (?:(?:my|the|his|her) )?
    (?:[\w-]+ ){{0,2}}{_PILL}\b
{_TAKEN} the (?:whole|entire) (?:bottle|packet|strip)(?! of (?:wine|beer|water|milk|juice))
{_TAKEN} (?:a |my )?(?:double|triple) (?:the )?(?:dose|amount)
(?:{_TAKEN}|drink(?:ing)?|drunk|inhaled|injected|got into|licked) (?:(?:a|an|the|some|my|of|bit|little|button|
    our|sip|whole|small|two|all) ){{0,4}}(?:{_POISON})\b
(?:been|was|is|am|were|has|have) poisoned|carbon monoxide (?:alarm|detector) (?:is|went|keeps|goes)
carbon monoxide poisoning
"""

_IN_DANGER = rf"""
chest pains?|pains? in (?:my|his|her|the) chest|chest (?:pressure|tightness)
(?:pressure|tightness|tight feeling) (?:in|on) (?:my|his|her) chest
chest (?:hurts|feels (?:really |so |very )?tight)
(?:my|his|her) chest (?:is |feels |has been |keeps |really |still |so |just |very |all )*(?:hurts?|hurting|
    aches?|aching|burning|tight|heavy|being crushed)
(?:having|have|has|be|it is|this is) a (?:heart attack|stroke|seizure)(?! (?:of|when|if|in \d))
is (?:seizing|convulsing)
{_WHOSE} (?:face|mouth|smile) (?:is |has |looks |feels |went |has gone |just |all |suddenly )*(?:drooping|
    droopy|droops|dropped|lopsided|numb|hanging)
one side of {_WHOSE} (?:face|body|mouth)|face (?:is )?drooping
(?:slurred speech|speech is (?:\w+ )?slurred|slurring {_WHOSE} (?:words|speech)|(?:is|are|am) slurring)
(?:left|right|one) (?:arm|leg|side|hand) (?:is |went |has gone |feels |just |suddenly |all )*(?:numb|weak|
    limp|heavy|paraly[sz]ed|dead)
numb (?:left|right) (?:arm|side)
cannot (?:move|feel|lift|raise) {_WHOSE} (?:left |right )?(?:arms?|legs?|face|side)
suddenly (?:cannot (?:see|speak|talk|walk)|blind|confused)|worst headache of (?:my|his|her) life
cannot (?:really |barely |even )?(?:breathe?|catch (?:my|his|her) breath)
(?:trouble|difficulty|problems?|hard time|hard|struggling|struggles|struggle|fighting|difficult) (?:to )?
    breath(?:e|ing)
(?:barely|hardly) breath(?:e|ing)|short(?:ness)? of breath|gasping for (?:air|breath)|(?:not|stopped) breathing
I am suffocating|lips? (?:is|are) (?:turning |going )?blue|(?:turning|turned|going) blue|(?:is|am|are) choking(?! up)
choking on|is drowning(?! in (?!the |a |water))|think (?:that )?I am dying(?! (?:to|of|for))
bleeding (?:really |very |so |pretty )?(?:badly|heavily|a lot|much|everywhere|out|profusely|non-?stop|hard)
bleeding (?:is |does |do |will |has |just |still )*not (?:stop|stopping|stopped)
(?:not|never) stop(?:ped|ping)? (?:the )?bleeding
cannot (?:get .{{1,30}} to )?stop (?:the |my |his |her |it )?bleed(?:ing)?
(?:it|wound|cut|nose|finger|hand|leg|arm|head|he|she) (?:just )?keeps (?:on )?bleeding
(?:lost|losing|loses) (?:a lot of|so much|too much|lots of) blood|blood everywhere|so much blood
(?:coughing|throwing|vomiting|puking|spitting|coughed|threw) (?:up )?(?:lots of )?blood
uncon(?:sc|s|c)ious\b|unresponsive|not (?:responding|responsive)(?! to (?:my )?(?:texts?|messages?|emails?|calls?))
(?:will not|cannot|does not|is not) (?:wake|waking) (?:up|{_WHOSE} \w+ up|him|her)(?! (?:for|before|early|at|
    on time|in time|until|without))
cannot wake (?:him|her|{_WHOSE} \w+)(?! (?:for|before|early|at))
{_SOMEBODY} (?:has |have |just |suddenly )*(?:collapsed|fainted)
{_SOMEBODY} (?:has |have )*just (?:passed|blacked) out|keeps? (?:fainting|passing out|blacking out)
(?:having|had|has|have|getting|is|be) (?:an? )?(?:(?:bad|severe|serious|strong|terrible|huge|really|very) )*
    allergic reaction
anaphylactic shock|going into anaphyla\w+|used (?:my|an|the|his|her) epi-?pen
throat (?:is |feels )(?:\w+ )?tight
(?:throat|tongue|tounge|lips?|mouth|airways?|face) (?:is |are |feels |has |have |getting |all |so |really |
    just |starting to )*(?:be )?(?:swelling|swollen|swell up|swelled|swoll?e?n up|closing|close|closed up|tightening)
swelling (?:up )?(?:of|in|around) {_WHOSE} (?:throat|tongue|lips?|mouth|face)|swollen (?:throat|tongue|lips?)
(?:call|phone|dial|ring|get me|send|need|get|want) (?:for )?(?:911|999|112|an ambulance)|is an emergency
(?:should|must|do|does) (?:I|we|he|she|they|my \w+) (?:need to |have to )?(?:go to|be in|visit|call|
    be seen (?:at|in)|need|be taken to|get to) (?:the |an? )?(?:ER|A&E|emergency(?: room| department)?|hospital|
    ambulance)
am in danger|being followed(?! on)|someone (?:is )?break(?:ing|s) in|someone is in my (?:house|flat|apartment|home)
(?:he|she) is going to (?:kill|hurt) (?:me|us)|(?:she|he) (?:hit|hits|beats?) me(?! (?:up|at|in|to|with))|being abused
(?:house|home|flat|apartment|kitchen|room|building|car) is on fire|bitten by a snake
snake (?:just )?bit (?:me|him|her)|(?:got|was|been|being|is) (?:electrocuted|stabbed)
(?:I|he|she) (?:just )?(?:got|was|has been|have been) shot(?! (?:down|of))
"""
_IN_DANGER_ABROAD = r"""
(?:me duele (?:mucho )?el|dolor (?:de|en el)) pecho|no puedo respirar|no respira
mal (?:à|a) la poitrine|(?:n'arrive|ne peux|peux) (?:pas|plus) (?:à )?respirer|ne respire (?:pas|plus)
brustschmerzen|schmerzen in der brust|kann nicht (?:mehr |richtig )?atmen|keine luft|atmet nicht
dolore al petto|non riesco a respirare|non respira|dor no peito|n[ãa]o consigo respirar|n[ãa]o (?:est[áa] a )?respira
pijn op (?:de|mijn) borst|kan niet ademen
"""
# What is over, imagined, asked to be found or forgotten, or has another cause that the sentence names.
_NOT_NOW = re.compile(
    r"\b(?:no|not any|without(?: any)?|never had(?: any)?|no more) (?:chest pains?|(?:trouble|difficulty) breathing|"
    r"shortness of breath)|\bno longer\b|(?:weeks?|months?|years?|decades?) ago|\blast (?:week|month|year|"
    r"summer|winter)|"
    r"\b(?:in|since) (?:19|20)\d\d\b|\bused to\b|\bwhen I was\b|\bas a (?:kid|child)\b|"
    r"\bin (?:the|a|that|this|my) (?:book|film|movie|show|series|game|play|story|novel|episode|dream)\b|"
    r"\b(?:the|that|this) (?:book|film|movie|novel|episode|series)\b|"
    r"\b(?:did|have|had) I (?:ever )?(?:tell|told|mention|mentioned|say|said)\b|^what did I (?:say|tell|mention)|"
    r"^(?:please )?forget (?:about|that|my|the|what)\b|"
    r"\b(?:laugh\w*|hilarious|so funny|lmao|rofl)\b|\bthrough (?:my|his|her) nose\b|\bslept on\b|\bto visit\b|"
    r"\b(?:dentist|wisdom)\b|"
    r"\bfood poisoning\b|\b(?:does|do|did) not take\b",
    re.IGNORECASE,
)


def _any(*blocks: str) -> re.Pattern[str]:
    return re.compile(any_of_lines(*blocks), re.IGNORECASE | re.MULTILINE)


_MENTIONED = re.compile(r"\bsuicid\w+(?! squad)|\btook (?:his|her) own life\b", re.IGNORECASE)
_SWALLOWING = _any(_SWALLOWED)
_BODY = _any(_IN_DANGER, _IN_DANGER_ABROAD)


def danger(text: str) -> Kind | None:
    """What the text calls for help against, as the person wrote it; None for what is no danger."""
    words = tidy(text)
    if is_despair(words) or _MENTIONED.search(words):
        return "life"
    now = [sentence for sentence in sentences(words) if not _NOT_NOW.search(sentence)]
    if any(map(_SWALLOWING.search, now)):
        return "poison"
    return "body" if any(map(_BODY.search, now)) else None
