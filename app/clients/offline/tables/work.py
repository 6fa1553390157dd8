"""Work and study."""

from app.clients.offline.patterns import any_of, pattern
from app.clients.offline.words import OCCUPATIONS, STANDINGS

_JOB = rf"(?P<job>(?:[\w/+#&'.-]+ ){{0,4}}{any_of(OCCUPATIONS)})"
_WHERE = r"(?P<tail> (?:at|for|in|with|on|from) .+)?"

# "I quit my job" ends whatever job is known.
ANY_JOB = "Works"
JOB_QUIT, JOB_LOST = "Quit their job", "Lost their job"

WORK = (
    pattern(
        r"I (?:work|am working|am employed|have been working|worked my way up) as (?P<job>.+)",
        "Works as {job}", "work",
    ),
    pattern(
        r"I (?:now )?(?:got|have|took|started|found|landed) an? (?:new )?(?:job|position|role) as (?P<job>.+)",
        "Works as {job}", "work", changed=True,
    ),
    pattern(
        r"I (?:got|have|took|started|found|landed) an? (?:new )?(?:job|position|role) (?:at|with|for) (?P<thing>.+)",
        "Works at {thing}", "work", changed=True,
    ),
    pattern(
        r"I (?:just )?(?:started|began) (?:working|to work) (?:at|for) (?P<thing>.+)",
        "Works at {thing}", "work", changed=True,
    ),
    pattern(
        r"I (?:just )?(?:started|began) (?:working|to work|work) as (?P<job>.+)",
        "Works as {job}", "work", changed=True,
    ),
    pattern(
        r"I (?:do not work|no longer work) (?P<lower>at|for|in) (?P<thing>.+?)(?: anymore| any longer)?",
        "No longer works {lower} {thing}", "work", changed=True, ends="Works {lower} {thing}",
    ),
    pattern(r"I do not work (?P<tail>on .+)", "Does not work{tail}", "work"),
    pattern(
        r"I (?:left|quit|resigned from) (?:my job (?:at|with) )(?P<thing>.+)",
        "No longer works at {thing}", "work", changed=True, ends="Works at {thing}",
    ),
    pattern(
        r"I (?:have )?(?:just )?(?:quit|left|resigned from) (?:my|the) job"
        r"(?: (?:today|yesterday|recently|last \w+|this \w+))?",
        JOB_QUIT, "work", changed=True, ends=ANY_JOB,
    ),
    pattern(
        r"I (?:have )?(?:just )?(?:lost my job|(?:got|was|have been) (?:fired|sacked|laid off|made redundant))"
        r"(?: (?:today|yesterday|recently|last \w+|this \w+))?",
        JOB_LOST, "work", changed=True, ends=ANY_JOB,
    ),
    pattern(
        r"I (?:work|am working) (?P<lower>at|for) (?P<thing>.+) as (?P<job>an? .+)",
        "Works as {job} {lower} {thing}", "work",
    ),
    pattern(r"I (?:work|am working) (?P<lower>at|for) (?P<thing>.+)", "Works {lower} {thing}", "work"),
    pattern(r"I am employed (?:at|by|with) (?P<thing>.+)", "Works at {thing}", "work"),
    pattern(r"my (?:employer|company|workplace) is (?:called )?(?P<thing>.+)", "Works at {thing}", "work"),
    pattern(
        r"I (?:work|am working) (?P<word>from home|remotely|remote|part[- ]time|full[- ]time|nights|night shifts?|"
        r"weekends|freelance|shifts|in tech|in it|on weekends)(?P<tail> (?:at|for|as|in|on) .+)?",
        "Works {word}{tail}", "work",
    ),
    pattern(
        r"I am (?:working )?(?P<word>self[- ]employed|unemployed|retired|between jobs)(?P<tail> (?:from|since) .+)?",
        "Is {word}{tail}", "work",
    ),
    pattern(rf"I am (?P<lower>{any_of(STANDINGS)})", "Is {lower}", "work"),
    pattern(
        r"I (?:work|am working) (?P<lower>in|on) (?P<thing>(?!it\b|that\b|this\b|something|a (?:new|big)? ?project).+)",
        "Works {lower} {thing}", "work",
    ),
    pattern(
        r"I work (?P<tail>(?:\d+ (?:hours|days)|four days|three days|five days|every|mondays?|from \d|nine to five|"
        r"9 to 5|9-5).*)",
        "Works{tail}", "work",
    ),
    pattern(
        r"my (?:job|profession|occupation|job title) is (?:(?:to be|"
        rf"being) )?(?P<job>an? .+|{_JOB[len('(?P<job>'):-1]})",
        "Works as {job}", "work",
    ),
    pattern(
        r"my (?:job|profession|occupation) is (?P<thing>(?!(?:really |so |very |too )?(?:hard|boring|fun|great|"
        r"good|bad|stressful|killing|ok)\b).+)",
        "Job is {thing}", "work",
    ),
    pattern(
        r"I (?P<verb>teach|write|build|sell|design|paint|bake) (?P<thing>.+?) for a living",
        "{verb} {thing} for a living", "work",
    ),
    pattern(r"I do (?P<thing>.+?) for (?:a living|work)", "Does {thing} for work", "work"),
    pattern(r"I teach (?P<thing>.+)", "Teaches {thing}", "work"),
    pattern(rf"I am (?:the|an?) {_JOB}{_WHERE}", "Works as {a_job}{tail}", "work"),
    pattern(r"I (?P<verb>run|own|manage|lead) (?P<thing>(?:an?|my|my own|the|our) .+)", "{verb} {thing}", "work"),
    pattern(
        r"I (?P<lower>founded|co-founded|started) (?P<thing>(?:an?|my|my own|our) (?:\w+ )?(?:company|business|"
        r"startup|shop|bakery|restaurant|studio|agency|charity).*)",
        "{lower} {thing}", "work",
    ),
    pattern(r"I freelance(?P<tail> .+)?", "Freelances{tail}", "work"),
    pattern(
        r"I am (?P<thing>(?:the|an?) (?:CEO|CTO|CFO|COO|VP|owner|co-?owner|co-?founder|founder|head|president|"
        r"vice president|chair|captain) (?:of|at) .+)",
        "Is {thing}", "work",
    ),
    pattern(r"I have been (?:working as )?an? (?P<job>.+?) (?:for|since) .+", "Works as {a_job}", "work"),
    # Study
    pattern(
        r"I am an? (?P<lower>(?:[a-z-]+ ){0,3}(?:student|sophomore|freshman|postgraduate|undergraduate|undergrad|"
        r"apprentice|intern))(?P<tail> (?:at|in|of|with) .+)?",
        "Is {a_lower}{tail}", "work",
    ),
    pattern(r"I (?:study|am studying) (?P<thing>.+)", "Studies {thing}", "work"),
    pattern(
        r"I (?:go to|attend) (?P<thing>.*(?:university|college|school|high|academy|institute|uni|UW|MIT|UCLA|NYU)\b.*)",
        "Goes to {thing}", "work",
    ),
    pattern(r"my major is (?P<thing>.+)", "Majors in {thing}", "work"),
    pattern(r"I (?:am majoring|major|majored) in (?P<thing>.+)", "Majors in {thing}", "work"),
    pattern(r"I graduated (?P<lower>from|in) (?P<thing>.+)", "Graduated {lower} {thing}", "work"),
    pattern(
        r"I have an? (?P<thing>(?:[\w'-]+ )?(?:degree|phd|masters|master's|bachelor's|mba|diploma)\b.*)",
        "Has {a_thing}", "work",
    ),
    pattern(r"my (?P<lower>school|university|college) is (?P<thing>.+)", "Goes to {thing}", "work"),
)  # fmt: skip
