"""Claims in English."""

from app.assistant import kind_words
from app.assistant.claim_words.english_parts import PARTS
from app.assistant.claim_words.language import Language

ENGLISH = Language(
    parts=PARTS,
    hence=r"from now on|going forward|from here on(?: out)?|in future|in the future",
    leads=(
        r"ok|okay|got it|sure|sure thing|great|perfect|right|alright|all right|yes|yep|yup|yeah|thanks|"
        r"thank you|and|so|"
        r"all|duly|consider {ONE}|now|oh|ah|sorry|understood|absolutely|of course|cool|nice|lovely|"
        r"awesome|gotcha|copy that|roger that|voila|just|successfully|officially|safely|excellent|done|there|poof|"
        r"got you|got that|hi|hey|you got it|and it's|my (?:bad|mistake|apologies)|apologies|ta-?da"
    ),
    tails=(
        r"now|too|as well|also|already|again|safely|successfully|forever|permanently|then|here|away|down|up|in|"
        r"right away|just now|just for you|tight|"
        r"for (?:you|me|later|next time|the future|future reference|good|ever|sure|now|us|keeps|safekeeping|"
        r"safe keeping)|"
        r"{HERE}(?: for .*)?|as (?:requested|you asked|you wished|promised|always|asked|well)|as {ONE}(?: {ONE})?|"
        r"like you asked|per your request|on my (?:end|side)|with pleasure|for all time|for real|and .*|thanks.*|"
        r"under {ONE}(?: {ONE})?|with {ONE}(?: {ONE})?"
    ),
    done={
        "saved": (
            r"{I_HAVE} (?!locked|pinned){KEPT}\b{NOTHING}",
            r"{I_HAVE} remembered(?: (?:that|it|this))?(?: for .*)?$",
            (
                r"{I_HAVE} (?:made|taken|took|left|added|written|kept)(?: myself)?(?: a| an| it a|"
                r" some)?(?: {ONE})? ?notes?\b"
            ),
            (
                r"{I_HAVE} {CHANGED}(?:$| (?:now|for you)\b| {THING}| your\b| my {MEMORY}| {ONE}'s\b| to (?:my|your)|"
                r" as | that\b)"
            ),
            r"{I_HAVE} {CHANGED} (?:in |out |over )?(?:the|a|this|that|some) (?:{ONE} ){0,2}{FACT}",
            (
                r"{I_HAVE} (?:put|popped|tucked|stuck|filed|placed|entered|committed|locked|{CHANGED}|"
                r"kept)(?: {ONE}){0,6}? {HERE}"
            ),
            (
                r"{I_HAVE} (?:written|wrote|jotted|scribbled|noted|put|taken|took|filed|tucked|stored|squirreled|"
                r"locked|marked)"
                r"(?: {ONE}){1,4}? (?:down|away|in)\b"
            ),
            (
                r"\bi(?:'ve| have)(?: got| gotten| had| now)* (?:{THING}|your(?: {ONE}){1,4}?)(?: {SO})* (?:{KEPT}|"
                r"{CHANGED}|down$)\b"
            ),
            r"{I_HAVE} (?:set|kept|made|{CHANGED}|{KEPT})(?: (?:that|this|it|the|a|your|as))*(?: {ONE})? rule\b",
            (
                r"\bi'm (?:{SO} )?(?:saving|noting|storing|adding|updating|recording|logging|jotting|correcting|"
                r"changing|"
                r"memori[sz]ing|making a note|taking note)\b(?=$| {THING}| your\b| down\b| that\b| of\b| {ONE}'s\b)"
            ),
            r"{START}(?:{KEPT}|{CHANGED}|put|popped|tucked|filed|kept)(?: {ONE}){0,6}? {HERE}",
            (
                r"{START}(?:saving|noting|storing|adding|updating|recording|logging|jotting|correcting|changing|"
                r"memori[sz]ing|remembering)"
                r" (?:{THING}|your\b|down\b|{ONE}'s\b)"
            ),
            r"{START}(?:making|taking)(?: a| a {ONE})? note\b",
            (
                r"(?:{START}|\bi'm (?:{SO} )?)(?:putting|popping|filing|tucking|saving|adding|storing|writing|"
                r"jotting)(?: {ONE}){0,5}? {HERE}"
            ),
            r"\b(?:{KEPT}|{CHANGED})\b(?: {ONE}){0,3}? (?:in|into|to|on) my {MEMORY}",
            r"{START}(?:got|have) {THING} (?:all )?down$",
            r"{START}(?:made|took)(?: a| a {ONE})? note\b",
        ),
        "forgotten": (
            r"{I_HAVE} {GONE}\b{NOTHING}(?! (?:to|how|what|who|where|why|when|which)\b)",
            (
                r"{I_HAVE} (?:taken|took|crossed|struck|pulled|cut|stripped|thrown|tossed)(?: {ONE}){1,5}? (?:off|out|"
                r"away|{HERE})"
            ),
            r"{I_HAVE} let (?:{THING}|your(?: {ONE}){1,3}) go\b",
            r"\b{GONE}\b(?: {ONE}){0,3}? (?:from|off|out of) my {MEMORY}",
            r"\bi'm (?:{SO} )?(?:deleting|removing|erasing|forgetting|wiping|clearing) (?:{THING}|your\b|all\b)",
            r"{START}(?:deleting|removing|erasing|forgetting|wiping|clearing) (?:{THING}|your\b|all\b)",
        ),
        "scheduled": (
            r"{I_HAVE} (?:scheduled|rescheduled|programmed|queued(?: up)?)\b{NOTHING}",
            r"{I_HAVE} {SET}{GAP}{0,5}? {ROUTINE}",
            (
                r"{I_HAVE} (?:put|added|popped|entered|booked|got)(?: [\w:'’-]+){1,6}? (?:on|in|into|to) (?:your|the|"
                r"my) {CALENDAR}"
            ),
            (
                r"\bi(?:'ve| have)(?: got)? (?:{THING}|you|your(?: {ONE}){1,3}?)(?: {ONE}){0,2}? "
                r"(?:scheduled|set up|set for|down for)\b"
            ),
            r"\bi(?:'m| am) (?:{SO} )?(?:scheduling|setting(?: up)?|creating) (?:{THING}|(?:{ONE} ){1,4}{ROUTINE})",
            r"{START}(?:scheduling|setting(?: up)?|creating) (?:{THING}|(?:{ONE} ){1,4}?{ROUTINE})",
            (
                r"{I_HAVE} (?:set|moved|pushed|booked|scheduled|put|pencil?led|slotted|marked) (?:it|that|this|"
                r"you)(?: in| down)? (?:up|(?:for|to|at|back to) (?:{ONE}day|tomorrow|tonight|noon|midnight|"
                r"\d{ONE}?))(?!\w)"
            ),
        ),
        "cancelled": (
            r"{I_HAVE} (?:{OFF}|{GONE}|taken|took){GAP}{1,5}? (?:{ROUTINE}|off {CALENDAR})",
            r"{I_HAVE} {OFF} (?:{THING}|all\b|tomorrow|today|tonight)",
            r"{I_HAVE} (?:turned|called|switched) (?:{THING}|(?:{ONE} ){1,4}?{ROUTINE}) off\b",
            (
                r"\bi'm (?:{SO} )?(?:cancell?ing|pausing|stopping|skipping|snoozing) (?:{THING}|"
                r"(?:{ONE} ){1,4}?{ROUTINE})"
            ),
            r"{START}(?:cancell?ing|pausing|snoozing) (?:for\b|until\b|{THING}|(?:{ONE} ){1,4}?{ROUTINE})",
        ),
        "connected": (r"{I_HAVE} {PLUGGED}(?: {ONE}){0,4}? (?:{CALENDAR}|it|that)",),
        "done": (
            (
                r"\bi(?:'ve| have)(?: {SO})* (?!{LOOKED}){ONE}{GAP}{1,4}? (?:{ROUTINE}|(?:my|your) {MEMORY}|"
                r"your {CALENDAR})"
            ),
            (
                r"\bi (?!{LOOKED})(?:{ONE}ed|put|took|set|cut|made)\b{GAP}{1,4}? (?:your|the|that|"
                r"all) (?:{ONE} ){0,2}?(?:{ROUTINE}|{MEMORY}|{CALENDAR})"
            ),
            (
                r"{I_HAVE} (?:handled|sorted(?: out)?|done|taken care of|took care of|made) (?:{THING}|the changes?|"
                r"that change)"
            ),
        ),
    },
    alone={
        "saved": (
            r"(?:{KEPT}|remembered|(?!set\b|entered\b){CHANGED})(?: {THING})?",
            r"(?:saved|noted|updated|corrected|stored) (?:{THING}|your|my {MEMORY})(?: {ONE}){0,5}",
            r"(?:changed|updated|corrected|switched)(?: {THING})? to(?: {ONE}){1,5}",
            r"added {ONE}(?:'s|s')(?: {ONE}){1,3}|noted(?: that)?(?: {ONE}){1,4}",
            (
                r"(?:{FACT}|(?:your|new|the|that|this|{ONE}) {FACT})(?: {SO})* (?:{KEPT}|{CHANGED}|made|taken|"
                r"in place|active)"
            ),
            r"{IT}{IS} (?:{KEPT}|remembered|{CHANGED})",
            (
                r"{IT}{IS}(?: {ONE}){0,2}? (?:in|on|into|to|under|part of) (?:(?:my|your|the) {MEMORY}|memory|record|"
                r"file)"
            ),
            r"{IT}{IS} up[- ]to[- ]date",
            r"(?:(?!{NO_NOUN})[a-z'’-]+ ){1,4}(?:noted|stored|recorded|logged|saved|updated)",
            r"(?:(?:my|your|the|that|this) )?(?:{ONE} )?rule{IS} (?:{KEPT}|{CHANGED}|kept|active|in place)",
            r"(?:your|the) quiet hours are now .*",
        ),
        "forgotten": (
            r"{GONE}(?: (?:{THING}|the {FACT}|your(?: {ONE}){1,3}))?",
            r"(?:that |this |the |your |it |{ONE} )?(?:{FACT} )?(?:{GONE}|gone)",
            r"{IT}{IS} (?:{GONE})",
            r"(?:{THAT}|{NOTE}){IS} (?:gone|history|out of (?:my|the) {MEMORY})",
        ),
        "scheduled": (
            (
                r"(?:re)?scheduled(?: {THING})?(?: {WHEN})?|set {WHEN}|moved (?:it )?to .*\d.*|"
                r"pushed (?:it )?(?:back )?{WHEN}"
            ),
            (
                r"(?:{ONE} ){0,4}?{ROUTINE}(?: all)? {SET}(?: {WHEN})?|"
                r"(?:{ONE} ){0,3}{ROUTINE} (?:is )?all set(?: {WHEN})?"
            ),
            r"(?:set|created|added|started|scheduled)(?: [\w:'’-]+){1,4}? {ROUTINE}(?: {WHEN})?",
            r"(?:added|put|penciled|pencilled)(?: {ONE}){0,5}? (?:in|to|on) (?:your|the) {CALENDAR}(?: {WHEN})?",
        ),
        "cancelled": (
            r"{OFF}(?: {THING})?(?: {WHILE})?|(?:{ONE} ){0,4}?{ROUTINE} (?:{OFF}|{GONE}|off)(?: {WHILE})?",
            r"(?:{OFF}|{GONE})(?: [\w:'’-]+){1,4}? {ROUTINE}(?: {WHILE})?|(?:resumed|snoozed)(?: .*)?",
        ),
        "connected": (r"(?:{ONE} ){0,3}?{CALENDAR}(?: is| has been)?(?: now)? {PLUGGED}|{PLUGGED}",),
        "done": (
            (
                r"done and (?:done|dusted)|all (?:set|done|sorted|good to go)|you're (?:all|good and) set|sorted|"
                r"handled|"
                r"(?:all )?taken care of|(?:it|that|this)(?:'s| is) (?:all )?(?:done|sorted|handled|taken care of|"
                r"all set)|"
                r"mission accomplished|changes? (?:made|saved|done)|i've got (?:it|that|you) covered"
            ),
        ),
    },
    state={
        "scheduled": (
            r"you're (?:all )?(?:set|good|booked) (?:for|to)\b.*",
            (
                r"{THAT}{IS} (?:scheduled|rescheduled|set(?: up)? (?:for|to)|(?:booked|pencil?led|slotted|"
                r"locked)(?: in)?(?: (?:for|on|at))|set up)(?: .*)?"
            ),
            r"(?:{YOURS} )?(?:{ONE} ){0,4}?{ROUTINE}(?: {ONE}){0,5}?{IS} (?:all )?{SET}(?: {WHEN})?",
            (
                r"(?:{YOURS} )?(?:{ONE} ){0,4}?{ROUTINE}(?: {ONE}){0,5}?{IS} (?:on|active|live|back on|ready|in place|"
                r"good to go|go|up|running|ticking)(?: {WHEN})?"
            ),
            r"{THAT}{IS} (?:now |all )?on (?:your|the|my) {CALENDAR}(?: {WHEN})?",
        ),
        "cancelled": (
            r"{THAT}{IS} {OFF}(?: {WHILE})?",
            r"(?:{YOURS} )?(?:{ONE} ){0,4}?{ROUTINE}(?: {ONE}){0,4}?{IS} (?:{OFF}|{GONE}|gone|off)(?: {WHILE})?",
        ),
        "connected": (r"(?:your|the) (?:{ONE} )?{CALENDAR}{IS} {PLUGGED}",),
    },
    will={
        "saved": (
            (
                r"{I_WILL} (?:remember(?:ing)?\b|know (?:that )?(?:for )?next time|(?:make|take|keep)(?: a|"
                r" a {ONE})? (?:note|record)\b)"
            ),
            (
                r"{I_WILL} (?:note|save|store|update|record|add|log|memori[sz]e|correct|fix|change|jot|file|put|"
                r"commit|tuck)"
                r" (?:{THING}|your\b|down\b|you as\b|his\b|their\b)(?! (?:in|through|here|below|up)\b)"
            ),
            r"{I_WILL} (?:keep|bear|hold)(?: {ONE}){1,4}? (?:in mind|on file|on record|handy|in my {MEMORY})",
            r"{I_WILL} (?:hold|hang) on ?to (?:{THING}|your)",
            r"\b(?:{HENCE}) {I_WILL}|{I_WILL}\b.{1,80}\b(?:{HENCE})\b",
        ),
        "forgotten": (
            r"{I_WILL} (?:forget|delete|remove|erase|wipe|clear|scrub|drop) (?:{THING}|about|your\b|all\b|the {FACT})",
        ),
        "scheduled": (
            (
                r"{I_WILL} (?:remind(?:ing)?|prompt|text(?:ing)?|messag(?:e|ing)|ping(?:ing)?|nudg(?:e|ing)|wak(?:e|"
                r"ing)|"
                r"get back to|check(?:ing)? (?:back )?in (?:with|on)|alert|notify|buzz|poke) you\b"
            ),
            r"{I_WILL} (?:check back|follow up|check in\b|reach out|be in touch|touch base|in touch)",
            r"{I_WILL} let you know (?:when|once|as soon as|tomorrow|tonight|at \d|on \w+day)",
            (
                r"{I_WILL} (?:send|sending|give|giving|drop|shoot) you(?: (?:a|an|the|your|another))?(?: {ONE})? "
                r"(?:{ROUTINE}|nudge|ping|shout|heads[- ]up|buzz|call|poke|line)\b"
            ),
            r"{I_WILL} send (?:you|it|that|this)\b.*\b(?:tomorrow|tonight|later|every|at \d|in \d+|on \w+day)",
            (
                r"{I_WILL} (?:set|schedule|create|put|add|book|move|reschedule)(?: up)?(?: {ONE}){0,4}? (?:{ROUTINE}|"
                r"{CALENDAR})"
            ),
            r"{I_WILL} (?:schedule|reschedule) (?:{THING}|your\b)",
            (
                r"{I_WILL} (?!see|miss|help|show|find|give|be|meet|catch|need|leave|let){ONE} (?:up )?(?:with |"
                r"to )?you\b.*?{LATER}"
            ),
            r"(?:{LATER}|{HENCE}).*{I_WILL} (?:send|ask|tell|quiz|prompt|call|share|deliver)\b",
            r"{I_WILL} (?:send|share|deliver)\b.*{LATER}",
            r"{I_WILL} make sure you (?:get|wake|hear|have)\b",
            (
                r"\byou(?:'ll| will) (?:get|receive|have|hear|see)(?: (?:a|an|your|the|my|from|"
                r"another))*(?: {ONE}){0,2}? ?"
                r"(?:{ROUTINE}|from me\b|nudge|ping|heads[- ]up)"
            ),
            r"\bexpect (?:a|an|my|your|to hear)(?: {ONE})? (?:{ROUTINE}|from me|nudge|ping)",
            r"{START}(?:reminding|texting|messaging|pinging|waking) you\b",
        ),
        "cancelled": (
            (
                r"{I_WILL} (?:cancel|pause|snooze|skip|turn off|stop|end) (?:{THING}|(?:(?:your|the|all|those|"
                r"these) )+"
                r"(?:{ONE} ){0,3}?{ROUTINE}|(?:reminding|texting|sending|messaging|pinging)\b)"
            ),
        ),
    },
    wont={
        "saved": (
            r"\b(?:i )?(?:won't|will not|shan't) forget\b(?! (?:to|when|how|what|the day|that day)\b)",
            r"{START}no (?:more )?.{1,60}\b(?:{HENCE})|\b(?:{HENCE}) no\b",
            r"\bi(?:'ll| will) never forget(?: (?:it|that|this))?$",
            r"\b(?:{HENCE}) i (?:won't|will not)\b|\bi (?:won't|will not)\b.{1,80}\b(?:{HENCE})\b",
        ),
        "forgotten": (
            (
                r"{START}(?:{IT}){IS} no longer (?:(?:in|on) (?:my|the) {MEMORY}|stored|saved|"
                r"remembered)(?: (?:any ?more|now))?$"
            ),
            r"\bi (?:no longer|don't|do not) (?:have|remember|know|hold|store|keep)\b.*\b(?:any ?more|any longer)$",
            r"\bi no longer (?:have|remember|know|hold|store|keep) (?:{THING}|your|anything|any)\b",
        ),
        "cancelled": (
            (
                r"{START}no (?:more (?:{ONE} ){0,3}?{ROUTINE}|(?:{ONE} ){0,2}?{ROUTINE} (?:until|till|for|today|"
                r"tonight|tomorrow|any ?more))"
            ),
            r"\byou (?:won't|will not|will no longer) be (?:reminded|texted|bothered|woken|pinged|messaged)\b",
            r"\byou (?:won't|will not|will no longer) (?:get|receive|be getting|hear|see)\b.*(?:{ROUTINE}|from me)",
            (
                r"\bi (?:won't|will not|will no longer) (?:remind|text|message|ping|nudge|wake|bother|send) you\b.*\b"
                r"(?:any ?more|again|any longer|until .*|about .*)$"
            ),
        ),
    },
    denied=(
        r"\b(?:not|never|no|none|nothing|nobody|cannot|without|unable|failed|nor|neither|hardly|instead of|couldn't|"
        r"haven't|isn't)\b|n't\b"
    ),
    offered=(
        r"\b(?:if|whenever|unless|once|(?:(?:^|, )(?:(?:just|please|simply) )?(?:ask|tell|send|give|text|say|"
        r"share|drop|message|reply|type|forward|confirm|pick|choose|call))|tell me|let me know|text me|"
        r"send me|give me|just say|say the word|want me to|"
        r"should i|shall i|as soon as you|when you (?:tell|say|send|text|give)|share|which means|would)\b"
    ),
    wish=(
        r"\b(?:if you(?:'d| would)? (?:like|want|wish|prefer|say|tell|send|ask|need|let|give|share|text)|once you|"
        r"as soon as you|when you (?:tell|say|send|text|give)|just say|say the word|if that|shall i|should i|"
        r"if needed)\b"
    ),
    retold=(
        r"\b(?:what|whatever|everything|anything|all|things?|facts?|memories|details|ones?|as|like|if|once|when|"
        r"whenever|until|after|before|unless|whether|because|have|has|did|had|should|shall|can|could|may|must|"
        r"would|do|"
        r"she and|he and|and then|what's|{ONE} (?:that|which)(?:'s| is| are| has been)|is|are|was|were|get|"
        r"gets|got|being|be)(?: that)?\s*$"
    ),
    past=(
        r"yesterday|earlier|previously|back (?:in|on|then)|a while (?:ago|back)|last (?:{ONE})|at the time|"
        r"(?:{ONE} ){1,3}ago|when you (?:told|first|said|mentioned|asked)|the other day|before|in the past|once|"
        r"in (?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d)"
    ),
    aside=(
        r"(?:no (?:worries|problem|prob|sweat|biggie|need to (?:repeat|worry)[^,;.!]*?|doubt)|"
        r"not (?:a problem|to worry)|"
        r"don't (?:you )?worry(?: about (?:it|that|a thing))?|never fear|why not|have no fear|without fail|"
        r"not only|no fuss)\b"
    ),
    elsewhere=(
        r"\b(?:drafts?|paragraphs?|sentences?|wording|commas?|typos?|spelling|grammar|versions?|essay|poem|letter|"
        r"e-?mail|intro|verses?|stanza|punctuation|tone|rewrite|caption|recipe|ingredients?|formula|code|mind|"
        r"numbers|"
        r"pinch|salt|sugar|my (?:mind|tune))\b"
    ),
    ambiguous=(
        r"\b(?:added|updated|corrected|changed|fixed|removed|deleted|erased|cleared|dropped|put|set|made|"
        r"took)\b"
    ),
    already=r"\b(?:already|still)\b",
    own_name=r"\byour (?:(?:own|first|last|full) )?name\b",
    not_done=kind_words.NOT_DONE,
)
