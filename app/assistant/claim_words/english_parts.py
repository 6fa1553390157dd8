"""Words that the English patterns of claims are made of."""

PARTS = {
    "SO": (
        r"(?:just|now|also|already|all|both|gone ahead and|went ahead and|gone and|went and|been and|"
        r"successfully|safely|duly|quickly|"
        r"officially|finally|happily|gladly|carefully|permanently|completely|fully|been|got|gotten|properly)"
    ),
    "I_HAVE": r"\bi(?:'ve| have)?(?: {SO})*",
    "I_WILL": (
        r"(?:\b(?:i'll|i will|i'm going to|i am going to|i'm gonna|i shall|let me)|{START}(?:will|gonna))"
        r"(?: (?:also|always|definitely|then|now|be sure to|make sure to|make sure i|certainly|just|go ahead and|"
        r"gladly|happily|of course|surely|be|try to))*"
    ),
    "IS": r"(?:'s|'re| is| are|(?: has| have|'ve) (?:now |also |already )?(?:been|got(?:ten)?))(?: {SO})*",
    "THAT": (
        r"(?:(?:both|all|all (?:of )?(?:the|these|those|your|three|four|five|\d+)) {FACT}|it|that|this|they|"
        r"those|these|everything|all of (?:it|that|them)|both|that one)"
    ),
    "LOOKED": (
        r"(?:seen|checked|looked|searched|found|read|had|have|got|known|sent|shown|listed|gone|been|heard|"
        r"noticed|counted|"
        r"reviewed|thought|meant|liked|loved|needed|wanted|mentioned|told|missed|received|used|promised|tried|"
        r"failed|scanned|"
        r"written|drafted|shortened|translated|wished|remembered|never|not|no|only|suggested|asked|offered|"
        r"scrolled|consulted)\b"
    ),
    "LATER": (
        r"(?:tomorrow|tonight|later|every|each|at (?:\d|noon|midnight)|in (?:\d+|an?|the morning|the evening|"
        r"half)|on {ONE}day|"
        r"(?:this|next) (?:evening|afternoon|week|{ONE}day|month)|by \d|before (?:you|your|then|\d)|when it's|"
        r"when the)\b"
    ),
    "NOTE": r"(?:the|that|this|my|those|these) (?:{ONE} )?{FACT}(?: {ONE}){0,5}?",
    "NO_NOUN": (
        r"(?:as|i|he|she|they|you|we|it|that|who|which|when|once|if|until|after|not|is|was|were|are|be|being|"
        r"been|has|had|"
        r"have|to|time|money|lives|life|energy|euros|dollars|minutes|hours|get|gets|got|what|where|how|can|"
        r"could|will)\b"
    ),
    "IT": (
        r"(?:{THAT}|(?:your|his|her|their|{ONE}'s)(?: {ONE}){1,4}?|{NOTE}|"
        r"(?:everything|all)(?: {ONE}){1,5}?|(?:all|every) (?:traces?|mentions?|memory|memories|record|"
        r"records|{FACT})(?: {ONE}){0,4}?)"
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
    "THING": r"(?:that|this|it|them|those|these|everything|all of (?:it|that)|both|him|her)\b",
    "MEMORY": (
        r"(?:(?:long[- ]term|mental|shopping|grocery|to-?do|own|little|personal|packing) )*(?:memor(?:y|ies)"
        r"(?: banks?)?|notes?|notebook|profile|lists?|records?|files?|database|books?|diary|brain|preferences)\b"
    ),
    "FACT": (
        r"(?:facts?|notes?|entry|entries|details?|info|information|records?|memory|memories|preferences?|rules?|"
        r"birthday|address|names?|profile|quiet hours|instructions?|corrections?|changes?|updates?|data|"
        r"mental note)\b"
    ),
    "HERE": (
        r"(?:to|in|into|from|on|onto|off|out of|under|of) (?:(?:my|your|the) {MEMORY}|memory\b|record\b|"
        r"file\b)"
    ),
    "ROUTINE": (
        r"(?:reminders?|routines?|alarms?|timers?|texts?|messages?|briefings?|check-?ins?|nudges?|alerts?|"
        r"notifications?|wake-?up (?:calls?|texts?)|pings?)\b"
    ),
    "CALENDAR": r"(?:calendars?|agenda|schedule)\b",
    "KEPT": (
        r"(?:saved|noted|stored|recorded|logged|memori[sz]ed|registered|captured|committed to memory|"
        r"locked in|jotted down|written down|noted down|put down|marked down|filed(?: away)?|tucked away|"
        r"stored away|pinned|"
        r"documented|catalogued|retained|preserved|etched|banked|squirreled away)"
    ),
    "CHANGED": r"(?:added|updated|corrected|changed|fixed|amended|adjusted|edited|revised|switched|entered|set|"
    r"renamed|"
    r"replaced|refreshed|swapped|tweaked|modified|included|appended|inserted|merged)",
    "GAP": r"(?: (?!(?:that|how|what|who|you (?!an?\b|the\b|up\b|your\b)) )[\w:'’-]+)",
    "GONE": (
        r"(?:forgotten|forgot|removed|deleted|erased|wiped(?: (?:out|clean))?|cleared(?: out)?|scrubbed|purged|"
        r"expunged|discarded|unlearned|dropped|ditched|trashed|binned|zapped|crossed out|(?:got|gotten) rid of)"
    ),
    "SET": r"(?:scheduled|rescheduled|set(?: up)?|created|added|booked|queued(?: up)?|programmed|resumed|"
    r"moved|pushed(?: back)?|started|turned (?:back )?on|activated|planned|updated|changed|arranged|"
    r"lined up|saved|"
    r"organi[sz]ed|locked in|confirmed|prepared|slotted|put in place|pencil?led in)",
    "OFF": (
        r"(?:cancell?ed|paused|snoozed|skipped|turned off|switched off|called off|stopped|ended|"
        r"disabled|silenced|muted|deactivated|postponed|suspended|halted|scrapped|axed|killed|on hold|"
        r"put on hold|"
        r"shut off|discontinued)"
    ),
    "PLUGGED": r"(?:(?:dis|re)?connected|(?:un)?linked|hooked up|synced)",
    "YOURS": r"(?:your|the|a|an|that|this|all|all your|all the|those|these|both|one|another|any)",
}
