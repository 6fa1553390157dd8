"""Claims in English."""

from app.conversation.claim_words.english_parts import ELSEWHERE, PARTS, PLAINER
from app.conversation.claim_words.language import Language
from app.text import kind_words

ENGLISH = Language(
    parts=PARTS,
    hence=r"from now on|from (?:today|tomorrow)(?: on)?|as of (?:now|today)|starting (?:now|today|tomorrow)|"
    r"going forward|from here on(?: out)?|in future|in the future",
    plainer=PLAINER,
    leads=r"all|now|and|so|done|there|consider {ONE}|{ONE}ed and|and it's|poof",
    tails=(
        r"now|too|as well|also|already|again|safely|successfully|forever|permanently|then|here|away|down|up|in|"
        r"right away|just now|just for you|tight|"
        r"for (?:you|me|later|next time|the future|future reference|good|ever|sure|now|us|keeps|safekeeping|"
        r"safe keeping)|"
        r"{HERE}(?: for .*)?|{HENCE}|as (?:requested|you asked|you wished|promised|always|asked|well)|as "
        r"{ONE}(?: {ONE})?|accordingly|"
        r"like you asked|per your request|on my (?:end|side)|with pleasure|for all time|for real|and .*|thanks.*|"
        r"under {ONE}(?: {ONE})?|with {ONE}(?: {ONE})?"
    ),
    done={
        "saved": (
            r"{I_HAVE} (?!locked|pinned){KEPT}\b{NOTHING}",
            r"{I_HAVE} remembered(?:(?: (?:that|it|this))?(?: for .*)?$| your\b)",
            (
                r"{I_HAVE} (?:made|taken|took|left|added|written|kept)(?: myself)?(?: a| an| it a|"
                r" some)?(?: {ONE})? ?notes?\b"
            ),
            (
                r"{I_HAVE} {CHANGED}(?:$| (?:now|for you)\b| {THING}| your\b| my {MEMORY}| what i know| "
                r"{ONE}'s\b| to (?:my|your)|"
                r" as | that\b)"
            ),
            r"{I_HAVE} {CHANGED} (?:in |out |over )?(?:the|a|this|that|some) (?:{ONE} ){0,2}{FACT}",
            (
                r"{I_HAVE} (?:{STOWED}|{CHANGED})(?: {ONE}){0,6}? (?:{HERE}|(?:to|on|in|under|into|off|from) "
                r"(?:your|my)\b)"
            ),
            (
                r"(?:{I_HAVE} {STOWED}(?: {ONE}){1,4}?|{START}(?!put|set){STOWED} {THING}(?: all)?) (?:down|away|"
                r"in(?: now)?$)(?!\w)"
            ),
            (
                r"\bi(?:'ve)? now (?:got|have|know) (?:{THING}|your\b|you\b|{ONE}'s\b|(?:{ONE} ){1,6}?{HERE})"
                r"|\bi've {THING} {HERE} now"
            ),
            (
                r"\bi've(?: got| gotten| had| now)* (?:{THING}|your(?: {ONE}){1,4}?)(?: {SO})* (?:{KEPT}|"
                r"{CHANGED}|down$)\b"
            ),
            r"{I_HAVE} (?:set|kept|made|{CHANGED}|{KEPT})(?: (?:that|this|it|the|a|your|as))*(?: {ONE})? rule\b",
            (
                r"{I_AM}(?:(?:{KEEPING}|{CHANGING}|remembering)(?=$| {THING}| your\b| _| down\b| that\b| {ONE}'s\b)|"
                r"(?:making|taking)(?: a| a {ONE})? note\b|(?:keeping|bearing|holding) {OF_ONES} (?:in mind|on file|"
                r"on record)|"
                r"{STOWING}(?: {ONE}){0,5}? (?:{HERE}|down$|away$))"
            ),
            r"{START}(?!(?:put|set)\b(?!.* my\b))(?:{STOWED}|{CHANGED})(?: {ONE}){0,6}? {HERE}",
            r"\b(?:{KEPT}|{CHANGED})\b(?: {ONE}){0,3}? (?:in|into|to|on) (?:my|your) {MEMORY}",
            (
                r"{START}(?:got|have) {THING} (?:all )?(?:down$|{KEPT})|\b(?:my|your) {MEMORY} now {ONE}|"
                r"{START}into (?:my|"
                r"your|the) {MEMORY}"
            ),
            r"{START}(?:made|took)(?: a| a {ONE})? note\b",
        ),
        "forgotten": (
            r"{I_HAVE} {GONE}\b{NOTHING}(?! (?:to|how|what(?! (?:you|i)\b)|who|where|why|when|which)\b)",
            (
                r"{I_HAVE} (?:taken|took|crossed|struck|pulled|cut|stripped|thrown|tossed)(?: {ONE}){1,5}? "
                r"(?:off|out|"
                r"away|{HERE})"
            ),
            (
                r"\b(?:(?:was|were) )?(?:{GONE}|gone)\b(?: {ONE}){0,3}? (?:from|off|out of) (?:(?:my|your) {MEMORY}|"
                r"memory\b)"
            ),
            r"(?:{I_AM}|\band ){LOSING} (?:{THING}|your\b|all\b|what you\b)",
        ),
        "scheduled": (
            r"{I_HAVE} (?:scheduled|rescheduled|programmed|queued(?: up)?)\b{NOTHING}",
            r"{I_HAVE} {SET}{GAP}{0,5}? {ROUTINE}",
            (
                r"{I_HAVE} (?:set(?: up)?|lined up|arranged|planned|queued(?: up)?|slotted in){GAP}{1,5}? (?:for|at|"
                r"on|every) {CLOCK}"
            ),
            (
                r"{I_HAVE} (?:put|added|popped|entered|booked|got)(?: [\w:'’-]+){1,6}? (?:on|in|into|to) (?:your|the|"
                r"my) {CALENDAR}"
            ),
            (
                r"\bi've(?: got)? (?:{THING}|you|your(?: {ONE}){1,3}?)(?: {ONE}){0,2}? "
                r"(?:scheduled|set up|set for|down for)\b"
            ),
            r"{I_AM}(?:(?:re)?scheduling {THING}|{SETTING} (?:{ONE} ){1,4}?{ROUTINE}|setting {THING})",
            (
                r"(?:{I_HAVE} |{START}(?!put|set))(?!changed|updated|adjusted)(?:{SET}|put|marked) (?:{THING}|"
                r"things|you)(?: {ONE}| for you)? "
                r"(?:up$|(?:for|to|at|till|until|on) {CLOCK}|{CLOCK} (?:later|earlier))"
            ),
            r"{I_HAVE} set (?:{THING}|things|you|it all) up\b",
        ),
        "cancelled": (
            r"{I_HAVE} (?:{OFF}|{GONE}|taken|took){GAP}{1,5}? (?:{ROUTINE}|off {CALENDAR})",
            r"{I_HAVE} {OFF} (?:{THING}|myself|all\b|tomorrow|today|tonight|(?:send|text|remind|messag)ing)",
            r"{I_HAVE} (?:unsubscribed|opted|taken|took|signed) you (?:from|out|off)\b",
            r"{I_HAVE} (?:turned|called|switched|shut|put) (?:{THING}|(?:{ONE} ){1,4}?{ROUTINE}) (?:off\b|on hold\b)",
            r"{I_AM}{CANCELLING} (?:{THING}|for\b|until\b|(?:{ONE} ){1,4}?{ROUTINE})",
        ),
        "connected": (r"{I_HAVE} {PLUGGED}(?: {ONE}){0,4}? (?:{CALENDAR}|it|that)",),
        "done": (
            (
                r"\bi've(?: {SO})* (?!{LOOKED}){ONE}{GAP}{1,4}? (?:{ROUTINE}|(?:my|your) {MEMORY}|from memory\b|"
                r"your {CALENDAR})"
            ),
            r"\b(?:i'll (?:get|have)|i've (?:got|had|gotten)) {OF_ONES} (?:{KEPT}|{CHANGED}|{GONE}|booked|scheduled)",
            r"\bi've(?: {SO})* (?:added|updated) (?!(?:you|up|together|an?|some|several|no|my mind)\b){ONE}",
            (
                r"{I_HAVE} (?:(?:done|taken care of|took care of) {THING}|made (?:the|that|those) (?:change|"
                r"correction|update|edit|swap|fix)s?)"
            ),
            r"\bi've(?: {SO})* (?!{LOOKED})(?:{ONE}ed|put|set|made|taken|brought|held|cut|let|shut) {DEFINITE}",
            (
                r"\bi (?!{LOOKED})(?:{ONE}ed|put|took|set|cut|made)\b{GAP}{1,4}? (?:your|the|that|"
                r"all) (?:{ONE} ){0,2}?(?:{ROUTINE}|{MEMORY}|{CALENDAR})"
            ),
        ),
    },
    alone={
        "saved": (
            r"(?:{KEPT}|remembered|(?!set\b|entered\b){CHANGED})(?: {THING})?|{KEPT}(?: {THING})? (?:under|as)",
            r"(?!set\b)(?:{KEPT}|{CHANGED}) (?:{THING}|your|my {MEMORY})(?: {ONE}){0,8}",
            r"(?:changed|updated|corrected|switched)(?: {THING})? to(?: {ONE}){1,5}",
            r"noted(?: that)?(?! (?:in|on|by|as)\b)(?: {ONE}){1,4}",
            (
                r"(?:{FACT}|(?:your|new|the|that|this|{ONE}) {FACT})(?:{IS})?(?: {SO})* (?:{KEPT}|{CHANGED}|"
                r"made|taken|"
                r"in place|active)(?: (?:to|as|from)\b.*)?"
            ),
            (
                r"(?!(?:your|his|her|their) (?:{ONE} )?(?:order|booking|flight|delivery|parcel|package|ticket|"
                r"subscription|account|app|"
                r"phone|train|bus)\b){IT}{IS} (?:{KEPT}|remembered|{CHANGED})(?: to {CLOCK}.*)?|(?!.* under "
                r")(?:the|both|all)(?: "
                r"{ONE}){1,5}?{IS} {KEPT}"
            ),
            r"the (?:old|new) (?:{ONE} ?){1,3}?{IS} (?:in|out|gone|live)|{THAT}{IS} in",
            (
                r"added(?: (?!{NO_NOUN}){ONE}){1,3}|(?:all )?(?:in|on) (?:(?:my|your|the) {MEMORY}|file|record)|"
                r"mental note"
            ),
            (
                r"(?:{ONE} ){0,3}?{MEMORY}(?:{IS})?(?: {SO})* {CHANGED}|{IT}(?:'ll| will) be (?:{KEPT}|remembered|"
                r"{CHANGED})"
            ),
            (
                r"{IT}{IS}(?: {ONE}){0,2}? (?:in|on|into|to|under|part of) (?:(?:my|your|the) {MEMORY}|memory|record|"
                r"file)"
            ),
            r"{IT}{IS} up[- ]to[- ]date",
            r"(?:(?!{NO_NOUN})[a-z'’-]+ ){1,4}(?:noted|stored|recorded|logged|saved|updated)",
            (
                r"(?:(?:my|your|the|that|this) )?(?:{ONE} )?rule{IS} (?:{KEPT}|{CHANGED}|kept|active|live|in "
                r"(?:place|force|effect))"
            ),
            r"(?:(?:your|the) )?(?:quiet hours|time ?zone)(?: is| are)? now .*",
            r"(?:{ONE} ){1,6}?(?:is|are) (?:now (?:part )?{HERE}|{HERE} now)(?: .*)?",
        ),
        "forgotten": (
            r"{GONE}(?: (?:{THING}|(?:the|that)(?: {ONE})? {FACT}(?: .*)?|(?:your|everything|all)(?: {ONE}){1,5}))?",
            r"(?:{IT}|both(?: {ONE}){1,2})(?:{IS}|'ll be| will be) {GONE}",
            r"(?:that |this |the |your |it |{ONE} )?(?:{FACT} )?(?:{GONE}|gone)",
            r"(?:{THAT}|{NOTE}){IS} (?:gone|history|out of (?:my|the) {MEMORY})",
        ),
        "scheduled": (
            r"(?:re)?scheduled(?: {THING})?(?: {WHEN})?|(?<!all )set(?: {WHEN})?",
            r"(?:it's )?now (?:at|on|for|every) {CLOCK}.*",
            (
                r"(?:moved|bumped|shifted|pushed|switched|nudged)(?: {OF_ONES})?(?: {ONE})? (?:for|to|till|until|by|"
                r"from) {CLOCK}.*"
            ),
            (
                r"(?:{ONE} ){0,4}?{ROUTINE}(?: all)? {SET}(?: {WHEN})?|"
                r"(?:{ONE} ){0,3}{ROUTINE} (?:is )?all set(?: {WHEN})?"
            ),
            r"(?:set|created|added|started|scheduled)(?: [\w:'’-]+){1,4}? {ROUTINE}(?: {WHEN})?",
            r"(?:added|put|penciled|pencilled)(?: {ONE}){0,5}? (?:in|to|on) (?:your|the) {CALENDAR}(?: {WHEN})?",
        ),
        "cancelled": (
            r"{OFF}(?: {OF_ONES})?(?: {WHILE})?|(?:{ONE} ){0,4}?{ROUTINE} (?:{OFF}|{GONE}|off)(?: {WHILE})?",
            r"(?:{OFF}|{GONE})(?: [\w:'’-]+){1,4}? {ROUTINE}(?: {WHILE})?|(?:resumed|snoozed)(?: .*)?",
        ),
        "connected": (
            r"(?:{ONE} ){0,3}?{CALENDAR}(?: {ONE}){0,2}?(?:{IS})?(?: {SO})* {PLUGGED}|(?:you're (?:now )?)?{PLUGGED}",
        ),
        "done": (
            (
                r"done and (?:done|dusted)|all (?:set|done|sorted|good to go)|you're (?:all|good and) set|sorted|"
                r"handled|"
                r"(?:all )?taken care of|(?:it|that|this)(?:'s| is) (?:all )?(?:done|sorted|handled|taken care of|"
                r"all set)|"
                r"mission accomplished|done|changes? (?:made|saved|done)|i've got (?:it|that|you) covered"
            ),
        ),
    },
    state={
        "scheduled": (
            (
                r"(?:you|we)'re (?:all )?(?:set|good|booked)(?: in)? (?:for|to) (?:(?:an? |your )?{CLOCK}|get\b|"
                r"hear\b|"
                r"receive\b|.*{ROUTINE}).*"
            ),
            (
                r"{THAT}{IS} (?:scheduled|rescheduled|set(?: up)? (?:for|to)|(?:booked|pencil?led|slotted|"
                r"locked)(?: in)?(?: (?:for|on|at))|set up)(?: .*)?"
            ),
            r"(?:{YOURS} )?(?:{ONE} ){0,4}?{ROUTINE}(?: {ONE}){0,5}?{IS} (?:all )?{SET}(?: {WHEN})?",
            (
                r"(?:{YOURS} )?(?:{ONE} ){0,4}?{ROUTINE}(?: {ONE}){0,5}?{IS} (?:on|active|live|back on|ready|in "
                r"place|"
                r"good to go|go|up|running|ticking|all yours)(?: {WHEN})?"
            ),
            (
                r"{MINE}(?:{IS}|(?:'ll| will) (?:now )?{ONE}| (?:now|coming|starts?|"
                r"begins?|comes|runs|goes))"
                r"(?: (?!(?:that|to|if|when|not)\b){ONE}){0,4}? (?:{LATER}|(?:at|on|for|from|every) {CLOCK}|now$).*"
            ),
            r"{MINE}(?:'s| is| are) now .*",
            r"that's (?:you|{ONE}) (?:down|booked|signed up|scheduled)\b.*",
            r"you're (?:now )?(?:subscribed|signed up|scheduled|down for {CLOCK}|on the list)(?: .*)?",
            r"you've got (?:an?|your) (?:{ONE} ){0,2}?{ROUTINE} (?:coming|{SET})(?: .*)?",
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
            r"{I_WILL} (?:hold|hang) on ?to (?:{THING}|your)|{I_WILL} (?:take|factor) {THING} (?:in\b|into account)",
            r"{I_WILL} (?:call|address) you (?!back|at|on|in|later|tomorrow|tonight|when|then|every|to\b)",
            r"\b(?:{HENCE}) {I_WILL}|{I_WILL}\b.{1,80}\b(?:{HENCE})\b",
        ),
        "forgotten": (
            (
                r"{I_WILL} (?:forget|delete|remove|erase|wipe|clear|scrub|drop) (?:{THING}|about|your\b|all\b|the "
                r"{FACT})"
            ),
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
            r"{I_WILL} (?:schedule|reschedule) (?:{THING}|your\b)",
            (
                r"{I_WILL} (?!(?:see|miss|help|show|find|give|be|meet|catch|need|leave|let|wait|look|explain|"
                r"answer|think|thinking|rooting|cheering|here|there|around|happy|glad|back|remember|keep|note|save|"
                r"store|hold|bear|know|record|log|forget|delete|remove|erase|wipe)\b)"
                r"{ONE}\b.*?{LATER}"
            ),
            r"(?:{LATER}).*{I_WILL} (?:send|ask|tell|quiz|prompt|call|share|deliver)\b",
            (
                r"\byou'll (?:get|receive) (?:your|an?|the) (?:{ONE} ){0,2}?(?:daily|weekly|nightly|morning|evening|"
                r"bedtime|weather|news)\b"
            ),
            r"\byou'll be (?:reminded|texted|woken|pinged|nudged|notified|messaged|hearing from)\b",
            (
                r"{I_WILL} (?!(?:need|wait|ask|check|see|look|explain|show|list|suggest|help|read|stop|cancel|"
                r"pause|remember|forget|know|bear)\b){ONE}"
                r".{0,60}? (?:{REMINDER}|your {CALENDAR})"
            ),
            (
                r"\b(?:you(?:'ll| will| can| get to)(?: now)? (?:get|be getting|receive|have|hear|be hearing|"
                r"see|count on|"
                r"expect|look forward to)|expect|count on|watch for|look out for)"
                r"(?: (?:a|an|your|the|my|to|from|hear|hearing|another))*(?: {ONE}){0,2}? ?"
                r"(?:{ROUTINE}|from me\b)"
            ),
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
            r"{I_WILL} (?:make sure|see to it|take care|be careful)(?: that)?(?: i)? (?:never|not|don't)\b",
            r"\bi'll never forget(?: (?:it|that|this))?$",
            r"\b(?:{HENCE}) i (?:won't|will not)\b|\bi (?:won't|will not)\b.{1,80}\b(?:{HENCE})\b",
        ),
        "done": (
            r"\bi'll never (?:suggest|mention|recommend|bring up|offer|ask|text|message|call)\b",
            r"\byou (?:won't|will not) hear from me\b",
            r"\bi(?: won't| will not|'ll never) (?!be able).*\b(?:again|any ?more|any longer|ever)$",
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
                r"{START}no (?:more (?:{ONE} ){0,3}?(?:{ROUTINE}|updates?\b|tips?\b)|(?:{ONE} ){0,2}?{ROUTINE} "
                r"(?:until|till|for|today|"
                r"tonight|tomorrow|any ?more))"
            ),
            (
                r"(?:{ONE} ){0,4}?{ROUTINE} (?:no longer exists?|(?:is|are) no more|(?:won't|will no longer|"
                r"will not) "
                r"(?:exist|go off|come|fire|ring|arrive|run|be (?:coming|sent)))\b"
            ),
            r"\byou (?:won't|will not|will no longer) be (?:reminded|texted|bothered|woken|pinged|messaged)\b",
            r"\byou (?:won't|will not|will no longer) (?:get|receive|be getting|hear|see)\b.*{ROUTINE}",
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
        r"would|do|you|we|they|she|he|who|"
        r"she and|he and|and then|what's|{ONE} (?:that|which)(?:'s| is| are| has been)|is|are|was|were|get|"
        r"gets|got|being|be)(?: that)?\s*$"
    ),
    past=(
        r"yesterday|earlier|previously|back (?:in (?!place)|then)|a while (?:ago|back)|last (?:{ONE})|at the time|"
        r"(?:{ONE} ){1,3}ago|when you (?:told|first|said|mentioned|asked)|the other day|before|in the past|"
        r"once(?! (?:an?|every|per)\b)|"
        r"in (?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d)"
    ),
    aside=(
        r"(?:ready, set, go|game, set|no (?:worries|problem|prob|sweat|biggie|need to (?:repeat|worry)[^,;.!]*?|"
        r"doubt)|"
        r"not (?:a problem|to worry)|"
        r"don't (?:you )?worry(?: about (?:it|that|a thing))?|never fear|why not|have no fear|without fail|"
        r"not only|no fuss)\b"
    ),
    elsewhere=ELSEWHERE,
    ambiguous=(
        r"^(?!.*\b(?:saved?|not(?:ed|ing)|stor(?:ed|ing)|remember|forg[eo]t|(?:re)?schedul|record|logg|memor|"
        r"cancel|paus|"
        r"remind|alarm|connect|link|my notes|my records|my profile))"
    ),
    already=r"\b(?:already|still)\b",
    own_name=r"\byour (?:(?:own|first|last|full) )?name\b",
    not_done=kind_words.NOT_DONE,
)
