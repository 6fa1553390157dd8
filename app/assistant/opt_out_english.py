"""How people ask, in their own words, not to be texted any more: one language of the table in `opt_out_words.py`.

A clause is such a wish when it is, from its first word to its last, any number of `leads`, one of `wishes`, and any
number of `tails`. So a word that is not foreseen makes it an ordinary text: "before 9", "my boss won't". What is in
`alone` is a wish only when nothing but leads and tails is around it in the whole text.

Patterns are regular expressions over folded words (no capitals, accents, apostrophes or hyphens); they may be written
with accents all the same, for the table is folded too. `{TEXTS}` and its like stand for the `parts` of the language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Language:
    stems: str
    """One of these, with `|` between them, is in each wish and in each of `alone`: a language without any is passed."""
    wishes: tuple[str, ...]
    leads: tuple[str, ...] = ()
    tails: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    space: str = " "
    """What stands between words; nothing in Chinese and Japanese."""


ENGLISH = Language(
    stems=(
        " list| off|authoriz|bother|ceas|consent|contac|databa|haras|hear from|hitting me|leave me|leave us"
        "|left alone|messag|my number|my phone|opt me|opt out|opt us|optout|permission|pester|pinging"
        "|reaching|record|remove|send|service|sms|spam|stop|system|text|this number|this phone|unsu|writ"
    ),
    parts={
        "TEXTS": r"(?:texts?|text messages?|messages?|messaging|texting|sms|spam)",
        "STOP": r"(?:stop|quit|cease|discontinue)",
        "NOT_MINE": (
            r"dont(?! know)|he|she|they|him|her|them|his|their|we|who|whom|that|wont|cant|couldnt|didnt|doesnt|"
            r"wouldnt|never|not|told|"
            r"said|says?|saying|ask|asks|asked|tell|tells|wants?|to|how|why|what|when|where|did|does|would|should|"
            r"if|my|"
            r"a|an|the|make|makes|made|let|lets|get|gets|want|need|text|texts|texted|message|send|sent|reply|"
            r"write|wrote|"
            r"means?|spell|translate|keeps?|will|is|are|was|were|everyone|everybody|people|nobody|and|or|of|for|"
            r"like|about"
        ),
        "MANY": r"(?:texts|text messages|messages|texting|messaging|sms)",
        "THE": (
            r"(?:(?:any|all|of|these|those|the|this|your|ur|of your|more|anymore|further|future|other|stupid|"
            r"annoying) )*"
        ),
        "ME": r"(?:me here|me|us|(?:this|my) (?:phone number|cell phone|number|phone|cell|line)|here)",
        "THESE": r"(?:these|this|your|all these|all your)",
        "ASKING": (
            r"(?:texting|messaging|contacting|bothering|spamming|harassing|pestering|writing to|writing|sending|"
            r"reaching out to|pinging)"
        ),
        "ASK": r"(?:text|message|contact|bother|spam|harass|write to|write|text or call|call or text|sms)",
        "LIST": (
            r"(?:your|ur|this|that|the|these|those) (?:(?:texting|mailing|contact|contacts|phone|text|sms|calling) )?"
            r"(?:list|lists|system|database|records|texts|messages|contacts|service)"
        ),
        "NUMBER": r"(?:my|this) (?:phone )?number",
        "WANT": (
            r"(?:i|we) (?:(?:really|just|do|would|hereby) )?(?:want|wish|like|need|prefer)|(?:id|wed) (?:like|"
            r"rather|prefer)"
        ),
        "DONT_WANT": r"(?:i|we) (?:(?:really|just) )?(?:dont|no longer|never) (?:want|wish|care|need)",
    },
    leads=(
        r"please|kindly|hey|hi|hello|yo|ok|okay|omg|ugh|dude|bro|man|sir|keepsake|seriously|just|now|sorry|thanks|no",
        r"thank you|(?:im )?(?:not|no longer) interested|(?:this is (?:the|a) )?wrong number",
        r"you (?:have|got) the wrong \w+|once again|again|then|so|and|but|lol|look|listen|well|also|fuck off",
        r"(?:can|could|would|will) (?:you|u)|you(?: guys| people)? (?:need to|have to|must|should|better)",
        r"i (?:want|need|would like) (?:you|u|this|it) to|id like (?:you|u) to",
        r"(?:i would|id|i) (?:prefer|rather)(?: that)? (?:you|u)|im asking (?:you|u) to",
        r"(?:i|ive|i have)(?: already)? (?:told|asked|begged) (?:you|u)(?: guys)?(?: nicely| already| twice)?(?: to)?",
        r"(?:id|i would) (?:appreciate|like|love|prefer) it if (?:you|u) (?:would|could|can)",
        r"im begging (?:you|u)(?: to)?",
        r"i(?: already)? said(?: to)?|for the (?:last|second|third|hundredth) time|i am asking (?:you|u) to",
        r"make it stop",
    ),
    wishes=(
        r"{STOP} {ASKING} {ME}",
        r"{STOP} (?:texting|messaging|contacting)",
        r"{STOP} sending(?: {ME})? {THE}{TEXTS}(?: to {ME})?",
        r"{STOP} sending (?:me (?:anything|stuff|shit|crap)|(?:me )?(?:these|this|those|them))",
        (
            r"(?:id|i would) (?:appreciate|like|love|prefer)(?: it)? if (?:you|u) (?:stopped|quit|"
            r"didnt) (?:{ASKING}|{ASK}) {ME}"
        ),
        r"(?:{STOP}|end|cancel) {THE}{MANY}",
        r"(?:turn off|shut off) (?:all|these|your) {THE}{MANY}",
        r"(?:stop|quit|enough)(?: it)? with {THE}{MANY}|enough {THE}{MANY}",
        r"(?:stop|quit) (?:blowing up my phone|hitting me up)",
        r"no (?:more|further) {MANY}(?: me)?|(?:{WANT}) no (?:more|further) {MANY}",
        r"(?:dont|never)(?: ever)? (?:text|message|contact) (?:again|anymore)",
        # After words that are not foreseen, but make it nobody else's and no question either.
        r"(?:(?!(?:{NOT_MINE})\b)\w+ ){1,8}(?:{STOP} {ASKING} {ME}|leave me alone)",
        r"(?:dont|never)(?: you| u)?(?: ever| even)? (?:{ASK} {ME}|bother {ASKING} {ME})",
        r"(?:dont|never)(?: ever)? send(?: {ME})? (?:any|anymore|more|another|these|all)(?: more| of)? ?{TEXTS}",
        r"(?:dont|never)(?: ever)? send me (?:{TEXTS}|anything|nothing)",
        (
            r"(?:take|get|remove|delete|erase|drop)(?: {ME}| {NUMBER}| my info) (?:off|from|out)(?: of| from)?"
            r" (?:{LIST}|{THE}{MANY})"
        ),
        r"remove (?:me|us|{NUMBER})|(?:delete|lose|erase) (?:{NUMBER}|my contact(?: info| information| details)?)",
        r"i (?:asked|want|need|demand) to be removed|(?:i|we) want (?:off|out of) (?:of )?{LIST}",
        r"leave (?:me|us) (?:alone|be)",
        r"unsubscribe (?:me|us|{NUMBER})(?: from (?:this|{LIST}|{THE}{TEXTS}|everything|all))?",
        r"(?:unsubscribe|opt out)(?: of| from) (?:this|{THE}{MANY}|{LIST}|all|everything)",
        r"opt (?:me|us) out(?: of (?:this|{LIST}|{THE}{TEXTS}))?|i opt out|(?:can|could|may) i be removed from {LIST}",
        r"take (?:{ME}|{NUMBER}) off|(?:why do )?(?:you|u) keep {ASKING} {ME}(?: please)? stop",
        r"(?:{WANT}) to (?:unsubscribe|opt out|be removed)(?: (?:of|from) (?:this|{LIST}|{THE}{MANY}))?",
        r"(?:{WANT}) to (?:be taken|get) off (?:of )?{LIST}|(?:{WANT}) (?:to be )?left alone by you",
        r"(?:{WANT}) to stop (?:getting|receiving) {THE}{MANY}|(?:{WANT}) {THE}{MANY} to stop",
        (
            r"i (?:hereby )?(?:(?:want|wish|would like) to )?(?:revoke|withdraw) (?:my |all )?(?:consent|"
            r"permission|authorization)(?: to .*)?"
        ),
        r"i (?:dont|no longer|never) consent to {THE}(?:{MANY}|being texted|being contacted|receiving {THE}{MANY})",
        r"(?:{DONT_WANT})(?: to (?:get|receive|see|have))? {THE}{MANY}",
        r"(?:{DONT_WANT}) (?:you|u) to {ASK} {ME}",
        r"(?:{DONT_WANT}) to (?:be (?:texted|contacted|messaged|on {LIST})|hear from (?:you|u))",
        (
            r"if (?:you|u) (?:dont stop|keep|ever|continue)?(?: to)? ?(?:{ASKING}|{ASK}) {ME}(?: again| one more time)?"
            r" (?:i|im|ill|i will|we) .*(?:report|police|sue|suing|block|lawyer|complain|fcc|legal).*"
        ),
        (
            r"how (?:do|can) (?:i|we|you) (?:(?:stop|end|cancel|turn off|stop getting) {THESE}(?: {TEXTS}| list)"
            r"|stop {THESE}|(?:unsubscribe from|opt out of) {THESE}(?: {TEXTS}| list)?)"
        ),
        r"how (?:do|can) (?:i|we) get off (?:of )?(?:this|your) (?:list|{TEXTS})",
    ),
    tails=(
        r"please|again|anymore|ever|at all|thanks|thx|thank you|dude|bro|man|sir|ok|okay|already|immediately|forever",
        r"asap|seriously|lol|now|right now|for good|from now on|no more|more|else|here|period|bye|wtf|ffs|i mean it",
        r"(?:to|on|at|from) (?:this|my) (?:number|phone)|from you|to me|(?:or|because|cause) .*",
        r"im (?:serious|not interested|reporting you|blocking you)|i (?:mean it|beg (?:you|u))|goodbye|jeez|jesus|god",
        (
            r"(?:you )?(?:creeps?|idiots?|jerks?|morons?|weirdo|people|guys|losers?|freaks?|stalker|spammers?|bot|"
            r"scammers?|assholes?)"
        ),
    ),
    alone=(
        r"consent (?:is )?(?:revoked|withdrawn)|stop(?: stop)*|unsubscribe|opt out|optout|cease and desist",
        r"unsub|stop (?:everything|all)",
        r"do (?:stop|unsubscribe)|stop (?:this|these)",
        r"how (?:do|can) i (?:opt out|unsubscribe|make (?:this|these|it) stop)",
    ),
)
