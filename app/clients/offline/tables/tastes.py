"""Likes, dislikes, favourites and how people want things done."""

from app.clients.offline.patterns import any_of, pattern
from app.clients.offline.words import VERBS

_OVER = r"(?: anymore| any longer| these days)"

TASTES = (
    pattern(
        rf"I (?:do not|no longer) (?:really )?(?:like|love|enjoy|care for|want) (?P<thing>.+?){_OVER}",
        "Dislikes {thing}", "preferences", changed=True, ends="Likes {thing}",
    ),
    pattern(
        r"I no longer (?:like|love|enjoy|care for) (?P<thing>.+)",
        "Dislikes {thing}", "preferences", changed=True, ends="Likes {thing}",
    ),
    pattern(
        r"I (?:have )?(?:stopped|quit) (?:liking|loving|enjoying) (?P<thing>.+)",
        "Dislikes {thing}", "preferences", changed=True, ends="Likes {thing}",
    ),
    pattern(
        r"I (?:have gone|went) off (?P<thing>.+)",
        "Dislikes {thing}", "preferences", changed=True, ends="Likes {thing}",
    ),
    pattern(
        r"I (?:do not|did not|never) (?:really |particularly |even |much )?(?:liked?|love|enjoy|"
        r"care for) (?P<thing>.+)",
        "Dislikes {thing}", "preferences",
    ),
    pattern(
        r"I am not (?:really )?(?:an? )?(?:big |huge |much of an? )?(?:fan of|into|fond of|keen on|"
        r"crazy about) (?P<thing>.+)",
        "Dislikes {thing}", "preferences",
    ),
    pattern(r"I (?:dislike) (?P<thing>.+)", "Dislikes {thing}", "preferences"),
    pattern(r"I (?:hate|detest|loathe|despise|cannot stand|cannot bear) (?P<thing>.+)", "Hates {thing}", "preferences"),
    pattern(rf"I used to (?P<word>{any_of(VERBS - {'live'})})(?P<tail> .+)?", "Used to {word}{tail}", "preferences"),
    pattern(r"I like (?P<thing>.+)", "Likes {thing}", "preferences"),
    pattern(r"I (?:love|adore) (?P<thing>.+)", "Loves {thing}", "preferences"),
    pattern(r"I enjoy (?P<thing>.+)", "Enjoys {thing}", "preferences"),
    pattern(r"I am (?:an? )?(?:big |huge |massive |great )?fan of (?P<thing>.+)", "Likes {thing}", "preferences"),
    pattern(
        r"I am (?P<lower>(?:really |very |quite )?(?:into|fond of|obsessed with|crazy about|keen on|"
        r"passionate about|addicted to)) (?P<thing>.+)",
        "Is {lower} {thing}", "preferences",
    ),
    pattern(
        r"my (?P<word>(?:(?:all[- ]time|absolute|least) )?favou?rite(?: [\w'-]+){1,4}) (?P<lower>is|are) (?P<thing>.+)",
        "{word} {lower} {thing}", "preferences",
    ),
    pattern(
        r"(?P<thing>(?!what|that|it\b|this).{2,60}) (?P<lower>is|are) my (?P<word>favou?rite(?: [\w'-]+){1,4})",
        "{word} {lower} {thing}", "preferences",
    ),
    pattern(r"I prefer (?P<thing>.+)", "Prefers {thing}", "preferences"),
    pattern(
        r"I am (?P<thing>more of an? [\w-]+ person|an? (?:[\w-]+ ){0,4}(?:person|lover|enthusiast|addict|nerd|fan|"
        r"junkie|buff))",
        "Is {thing}", "preferences",
    ),
    pattern(
        r"(?:please )?keep (?:it|them|your (?:replies|answers|messages|texts|responses)|the (?:replies|answers)|"
        r"things) (?P<lower>short|brief|simple|concise)(?: and \w+)?",
        "Prefers {lower} replies", "preferences",
    ),
    pattern(
        r"(?:please )?(?:be brief|be concise|be short|short (?:replies|answers) please|"
        r"give me short (?:answers|replies))",
        "Prefers short replies", "preferences",
    ),
    pattern(
        r"(?:please )?(?:always )?(?:reply|answer|write|text|talk)(?: to)?(?: me)? in (?P<word>[A-Z][a-z]+|french|"
        r"spanish|german|english)",
        "Prefers replies in {word}", "preferences",
    ),
    pattern(
        r"(?:please )?do not (?:text|message|write|bother|disturb|wake)(?: me|"
        r" to me)? (?P<tail>(?:after|before|between|at|on|during|while) .+)",
        "Prefers not to be texted{tail}", "preferences",
    ),
    pattern(
        r"(?:please )?do not call me (?P<tail>(?:after|before|between|at|on|during|while) .+)",
        "Prefers not to be called{tail}", "preferences",
    ),
    pattern(
        r"I (?:do not want|would rather not|do not like) to be (?P<word>called|texted|disturbed|"
        r"contacted)(?P<tail> .+)?",
        "Prefers not to be {word}{tail}", "preferences",
    ),
    pattern(
        r"(?:please )?(?:do not use|no|stop using|never use) (?P<lower>emojis?|exclamation marks|slang|"
        r"abbreviations)(?: please)?(?: with me)?",
        "Prefers no {lower}", "preferences",
    ),
    pattern(r"I (?:support|root for) (?P<thing>.+)", "Supports {thing}", "preferences"),
    pattern(
        r"my (?P<lower>(?:football |soccer |baseball |basketball |hockey )?team) is (?P<thing>.+)",
        "Supports {thing}", "preferences",
    ),
    pattern(r"I take my (?P<lower>coffee|tea) (?P<thing>.+)", "Takes their {lower} {thing}", "food"),
)  # fmt: skip
