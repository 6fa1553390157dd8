"""Greetings, thanks and the like: what kind a sentence is, and what is said to it."""

import re

from app.clients.offline.scene import Scene

_HELLO = r"(?:hi+|hello+|hey+|hiya|howdy|yo|good (?:morning|afternoon|evening)|morning|greetings|sup|heya|hola|g'day)"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:{expression})", re.IGNORECASE))
    for kind, expression in (
        ("hello", rf"(?:{_HELLO}(?: (?:there|again|keepsake|you|everyone|friend|buddy|all|assistant))*[ ,!]*)+"),
        (
            "how_are_you",
            (
                rf"(?:(?:{_HELLO}|so|and)[ ,!]+(?:there |keepsake )?)?(?:how are (?:you|"
                r"things)(?: (?:doing|today|feeling|going))*|"
                r"how is it going|how do you do|what is (?:up|new)|how is (?:your day|life|everything)(?: going)?|"
                r"are you (?:ok|okay|well)|you ok)"
            ),
        ),
        (
            "thanks",
            (
                r"(?:ok |okay |great |perfect |cool |oh |alright |awesome )?,? ?(?:many |lots of )?(?:thanks|"
                r"thank you|thx|ty|cheers|much appreciated|appreciate it)(?: (?:so much|a lot|very much|again|"
                r"a bunch|for .+|keepsake|then|you|anyway))*"
            ),
        ),
        (
            "goodbye",
            (
                r"(?:ok(?:ay)?,? )?(?:bye+(?: ?bye)?|goodbye|good night|goodnight|night|see you(?: .+)?|see ya|"
                r"talk (?:to you )?(?:later|soon)|later|take care|cya|have a (?:good|nice|great) .+|i have to go|"
                r"i am (?:off|going) to (?:bed|sleep)|ttyl|gotta go)(?: (?:then|for now|now))*"
            ),
        ),
        ("nice_to_meet", r"(?:it is )?(?:nice|good|great|lovely|pleased) to (?:meet|see|talk to) you(?: too)?"),
        (
            "help",
            (
                r"(?:help|\?|help me|what can you do(?: for me)?|what do you do|"
                r"how (?:do|does) (?:you|this|it) work|what are you able to do|"
                r"what can i (?:do|ask|say|text)(?: you)?(?: here)?|commands|menu|options|"
                r"how do i use (?:this|you|it)|i need help|info|instructions)"
            ),
        ),
        (
            "who_are_you",
            (
                r"(?:who are you|what are you|what is your name|are you (?:a |an )?(?:bot|robot|human|ai|real|"
                r"claude|person|computer|real person|chatgpt|machine|there)|is this (?:a )?(?:bot|claude|real)|"
                r"do you have a name|who am i (?:talking|texting|speaking) (?:to|with))"
            ),
        ),
        (
            "reminder",
            (
                r"(?:remind me\b(?! (?:what|where|when|who|how|which|of)\b).*|"
                r"(?:set|make|create|add)(?: me)? (?:an? |the |my )?(?:\w+ )?(?:reminder|alarm|timer)\b.*|"
                r"wake me (?:up )?.+|text me (?:at|in|when|tomorrow) .+)"
            ),
        ),
        (
            "cannot_do",
            (
                r"(?:(?:book|order|buy|reserve|schedule)(?: (?:me|us))?|"
                r"(?:get|fetch) (?:me|us)) (?:an?|some|the|two|tickets) .+|"
                r"(?:book|order|buy|reserve) (?:me|us|my|our) .+|(?:google|look up|search (?:for|the)|translate) .+|"
                r"(?:send|write) (?:an? )?(?:email|e-mail|message|text|letter) to .+|(?:email|phone|pay) (?:my|the) .+|"
                r"play (?:me |some )\w.+|turn (?:on|off) the .+"
            ),
        ),
        (
            "why",
            (
                r"why (?:do|did|would|are) you (?:think|say|believe|know|remember|assume|sure|so sure)\b.*|"
                r"how (?:do|did|would) you (?:know|learn|find out) (?:that |about |my |I |where I |what I ).+|"
                r"how do you know(?: that| this)?|where did you (?:get|learn|hear) (?:that|this|it)\b.*|"
                r"who told you .+"
            ),
        ),
        (
            "forget_that",
            r"(?:(?:no|please|wait|oops)[,!]? )*undo(?: (?:that|it|this|the last (?:one|thing|fact)))?(?: please)?",
        ),
        (
            "time",
            (
                r"(?:what is the time|what time is it|what is the time(?: now)?|"
                r"do you (?:know|have) (?:what time it is|the time)|(?:tell me )?the time(?: please)?|"
                r"what time is it (?:now|there|here|for me)|time|current time|what is the current time|"
                r"tell me what time it is)(?: now| please)*"
            ),
        ),
        (
            "date",
            (
                r"(?:what (?:day|date) is (?:it|today)(?: today)?|what is (?:the date|today(?:'s date)?|"
                r"the day)(?: today)?|what is today's date|which day is (?:it|today)|date|today's date|"
                r"what day of the week is it|what year is it|what month is it|tell me the date)(?: please)?"
            ),
        ),
        (
            "yes_no",
            (
                r"(?:yes|no|yeah|nope|yep|yup|nah|sure|of course|absolutely|definitely|exactly|correct|right|"
                r"that is (?:right|correct|true)|true)(?: please)?"
            ),
        ),
        (
            "acknowledged",
            (
                r"(?:ok(?:ay)?|k|kk|cool|nice|great|good|perfect|awesome|alright|got it|i see|fine|wow|lol|haha+|"
                r"hehe|hmm+|oh|ah|interesting|sounds good|good to know|no worries|never ?mind|nvm|no problem|np|"
                r"that is (?:great|good|nice|cool|fine|awesome|funny)|i (?:really )?(?:like|love) (?:it|that|this|"
                r"you|them)(?: (?:a lot|too|very much|so much))?|love it|me too|same|indeed|fair enough|whatever|"
                r"test|testing|you are (?:welcome|great|the best|funny|nice|right|awesome|sweet|kind)|"
                r"good (?:bot|job|one|idea)|well done|well|so|anyway|i am (?:\w+ )?busy|do you know what|you know what|"
                r"guess what)(?: then)?"
            ),
        ),
        (
            "sorry",
            (
                r"(?:i am )?(?:so |very |really )?sorry(?: (?:about|for) .+)?|my bad|my apologies|oops|"
                r"i apologi[sz]e"
            ),
        ),
        (
            "scolded",
            (
                r"(?:you|this|it) (?:are|is|were) (?:so |such |really |just |pretty |totally |absolutely )*(?:an? )?"
                r"(?:useless|stupid|dumb|bad|terrible|awful|annoying|rubbish|no help|"
                r"not (?:helpful|helping|very smart)|idiot|joke|disappointing|boring)"
                r"(?: (?:bot|assistant|program|today|again))?|you suck|i hate you|"
                r"you (?:do not|never) (?:understand|get|listen|help|remember)(?: .{1,30})?"
            ),
        ),
        (
            "good_mood",
            (
                r"i am (?:(?!gluten|dairy|lactose|sugar|nut|meat|alcohol|smoke|drug)\w+ )?(?:fine|good|"
                r"great|ok|okay|well|happy|excited|"
                r"doing (?:well|fine|good|great|ok|okay)|alright|glad|so happy|home|here|back|ready|not bad|"
                r"better|awesome|amazing|proud|relaxed|free|done)(?: (?:now|today|thanks|thank you|too|again|"
                r"at last|as well))*"
            ),
        ),
        (
            "low_mood",
            (
                r"(?:i am|i feel|i am feeling)(?: (?:so|very|really|a bit|a little|kind of|just|quite|pretty|"
                r"super|too|totally))* (?:tired|sad|exhausted|bored|sick|stressed|stressed out|angry|"
                r"lonely|ill|cold|hot|sleepy|anxious|worried|upset|overwhelmed|nervous|scared|down|"
                r"depressed|unhappy|lost|late|stuck|broke|confused|annoyed|mad|frustrated|"
                r"not (?:well|ok|okay|good|great|happy|feeling well)|under the weather)(?: "
                r"(?!.*\b(?:and|but|so) (?:I|my)\b)[^,]{1,60})?"
            ),
        ),
        (
            "worry",
            (
                r"(?:it is \d+ ?(?:am|in the morning|o'clock)[ ,]*(?:and |but )?)?(?:(?:i|we) (?:still |really |just )*"
                r"(?:cannot (?:sleep|fall asleep|get to sleep|stop (?:worrying|crying|thinking)|cope|switch off|"
                r"calm down)|"
                r"am (?:still |wide )?awake|woke up(?: again)?|(?:feel|am|am feeling) (?:so |very |really |all )*"
                r"(?:alone|lonely|hopeless|terrible|awful|low|empty|guilty|useless|worthless|heartbroken|afraid|"
                r"panicky|homesick)|am (?:worried|panicking|crying|having a panic attack|having a hard time|"
                r"struggling)|had a (?:bad |horrible |terrible )?(?:nightmare|bad dream|bad day|hard day|rough day|"
                r"bad night)|miss (?:my|him|her) ?.*|do not know what to do|broke up|split up)(?: .{1,60})?|"
                r"(?:me and my|my) [\w-]+(?: and I)? (?:just )?(?:broke up|split up|left me|dumped me|broke up with me)"
                r"(?: .{1,40})?|i (?:just )?(?:broke up|split up) with .{1,40}|"
                r"today was (?:awful|terrible|hard|horrible))"
            ),
        ),
        (
            "good_news",
            (
                r"i (?:have )?(?:just |finally )*(?:got (?:an? |the )(?:new )?(?:job|raise|promotion|offer)|"
                r"got promoted|passed my .{1,40}|won .{1,40}|got in)(?: today| yesterday)?"
            ),
        ),
        (
            "hungry",
            (
                r"(?:i am|i feel)(?: (?:so|very|really|a bit|a little|kind of|just|quite|pretty|super|too))* "
                r"(?:hungry|thirsty|starving|peckish)(?: (?:now|today|again|too|right now))*"
            ),
        ),
        (
            "low_mood",
            (
                r"my (?:[\w'-]+ ){1,3}is (?:very |so |really |a bit )?(?:sick|ill|unwell|"
                r"not well|in pain|sad)(?: .{1,40})?|i have (?:an? |the )(?:bad |terrible |slight )?(?:cold|"
                r"headache|fever|flu|hangover|sore throat|toothache|stomach ache)(?: .{1,40})?"
            ),
        ),
        (
            "grief",
            (
                r"(?:my|our) (?:[\w'-]+ ){1,3}(?:just |has |sadly |recently |suddenly )*(?:died|passed away|"
                r"passed|is dying|was put down)(?: .+)?|i lost (?:my (?!keys|phone|wallet|job)|"
                r"the baby|our ).*|(?:i|we) (?:just |have |had )*had an? (?:miscarriage|stillbirth)(?: .+)?"
            ),
        ),
    )
)
_OPENING = re.compile(r"(?:hi|hello|hiya|howdy|greetings|good (?:morning|afternoon|evening))\b", re.IGNORECASE)

# Said before what was kept of it.
_BAD_NEWS = re.compile(
    r"\b(?:in (?:the )?hospital|(?:has|have|got|diagnosed with) (?:cancer|leukaemia|leukemia|dementia|alzheimer's|"
    r"parkinson's|ms)|lost my job|got (?:fired|laid off|sacked)|getting divorced|got divorced|"
    r"had a (?:stroke|heart attack))\b",
    re.IGNORECASE,
)

TELLING = frozenset({"grief", "bad_news", "good_news", "low_mood", "worry"})
"""The kinds that tell how somebody is or what befell them, and are no mere politeness."""

CAN_DO = (
    'You can tell me facts ("my dog is called Max"), correct them ("actually, I moved to Seattle"), '
    'have me forget them ("forget about my dog") and ask "what do you know about me?"'
)
OFFLINE_NOTE = "(I'm Keepsake's offline model: simple rules, not Claude. Setting ANTHROPIC_API_KEY gives full replies.)"

_ANSWERS = {
    "thanks": "You're welcome!",
    "goodbye": "Bye for now{name}!",
    "nice_to_meet": "Nice to meet you too{name}!",
    "how_are_you": "I'm well, thank you{name}. How are you?",
    "help": CAN_DO + " - or text /help for all commands.",
    "who_are_you": (
        "I'm Keepsake, an assistant that remembers. Right now I run on my offline model: simple rules, not Claude."
    ),
    "yes_no": "Okay.",
    "acknowledged": "Okay!",
    "sorry": "No worries at all.",
    "good_mood": "Good to hear{name}!",
    "low_mood": "Sorry to hear that{name}. I hope it gets better soon.",
    "worry": "I'm sorry, that sounds hard{name}. I'm only a simple program, but you can text me at any hour. "
    "Talking to someone you trust may help.",
    "good_news": "Congratulations{name}!",
    "bad_news": "I'm sorry to hear that{name}.",
    "hungry": "Time for a bite or a drink, then{name}!",
    "cannot_do": "I can't do that, sorry: I only remember what you tell me and answer from it.",
    "why": "Text /memory to see my facts, numbered. Then /memory why 1 shows what you said that fact 1 comes from.",
    "grief": "I'm so sorry for your loss{name}.",
    "shared_sorrow": "I'm so sorry{name}, that must be hard. You can text me at any hour.",
    "scolded": "I'm sorry that I'm not more help{name}. I'm only the offline model, and know a few simple rules.",
    "wrong": "Sorry about that. Tell me what is right in a whole sentence; /undo takes back what I kept last.",
    "joke": "Ha, fair enough. I've kept none of that.",
    "forget_that": "To take back the last thing I learned, text /undo. Or tell me what to forget, such as "
    '"forget about my dog".',
    "forget_a_day": "I can't pick out what you said at one time. Tell me what it was about, such as \"forget about my "
    'exam": that forgets all of it. /undo takes back the last thing I learned.',
    "forget_everything": "Text /memory to see all I know, numbered. Then /memory forget 1 2 3 forgets those numbers.",
    "reminder": "Say what and when in one text, such as: remind me tomorrow at 9 to call Ana.",
}


def kind(sentence: str) -> str | None:
    """The kind of small talk that the whole sentence is, or None."""
    bare = sentence.strip(" .!?,")
    return next((kind for kind, expression in _KINDS if expression.fullmatch(bare)), None)


def opening(sentence: str) -> str | None:
    """`hello` when more follows a greeting, `bad_news` where the sentence is to be met with sympathy."""
    if _BAD_NEWS.search(sentence):
        return "bad_news"
    return "hello" if _OPENING.match(sentence) else None


def answer(kind_of_talk: str, scene: Scene) -> str:
    """What is said to one kind of small talk."""
    name = f", {scene.name}" if scene.name else ""
    if kind_of_talk == "hello":
        return f"Hello{name}!"
    if kind_of_talk in {"time", "date"}:
        return _clock(kind_of_talk, scene)
    return _ANSWERS.get(kind_of_talk, "Okay.").format(name=name)


def _clock(kind_of_talk: str, scene: Scene) -> str:
    now = scene.now
    if now is None:
        return "I can't see a clock just now, sorry."
    if kind_of_talk == "time":
        return f"It's {now:%H:%M}."
    return f"It's {now:%A}, {now.day} {now:%B %Y}."
