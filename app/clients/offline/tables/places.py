"""Where people live and come from."""

from app.clients.offline.patterns import any_of, pattern
from app.clients.offline.words import NATIONALITIES

PLACES = (
    pattern(
        r"I (?:live|reside|stay) (?P<lower>in|at|near|on|outside|by|close to) (?P<place>.+)",
        "Lives {lower} {place}", "places",
    ),
    pattern(r"I am (?:living|staying permanently|residing|settled) in (?P<place>.+)", "Lives in {place}", "places"),
    pattern(r"I am (?:currently )?(?:based|located) (?:in|out of) (?P<place>.+)", "Lives in {place}", "places"),
    pattern(r"my home is in (?P<place>.+)", "Lives in {place}", "places"),
    pattern(r"(?P<place>[A-Z].+) is where I live", "Lives in {place}", "places"),
    pattern(
        r"I (?:have )?(?:just )?(?:moved|relocated)(?: from .+?)?(?: back)? to "
        r"(?P<town>.+?)(?: (?:last|this|in (?:\d{4}|january|february|march|april|may|june|july|august|september|"
        r"october|november|december)|\w+ (?:days?|weeks?|months?|years?) ago|recently|yesterday|from) ?.*)?",
        "Lives in {town}", "places", changed=True,
    ),
    pattern(r"my (?:new )?(?:home|city|town) is (?P<place>[A-Z].+)", "Lives in {place}", "places"),
    pattern(
        r"I (?:do not live|no longer live) in (?P<place>.+?)(?: anymore| any longer)?",
        "No longer lives in {place}", "places", changed=True, ends="Lives in {place}",
    ),
    pattern(r"I used to live in (?P<place>.+)", "Used to live in {place}", "places"),
    pattern(r"I live (?P<lower>alone|by myself|on my own)", "Lives alone", "places"),
    pattern(r"I (?:have )?moved (?:back )?in with (?P<thing>.+)", "Lives with {thing}", "places"),
    pattern(r"I live with (?P<thing>.+)", "Lives with {thing}", "places"),
    pattern(r"I (?:am|come) (?:originally )?from (?P<place>.+)", "Is from {place}", "places"),
    pattern(r"I was born in (?P<lower>\d{4})", "Was born in {lower}", "dates"),
    pattern(
        r"I was born in (?P<place>(?!january|february|march|april|may\b|june|july|august|september|october|"
        r"november|december|the \d).+)",
        "Was born in {place}", "places",
    ),
    pattern(r"I (?:grew up|was raised|was born and raised) in (?P<place>.+)", "Grew up in {place}", "places"),
    pattern(r"my home ?town is (?P<place>.+)", "Is from {place}", "places"),
    pattern(rf"I am (?:an? )?(?P<word>(?:half )?{any_of(NATIONALITIES)})", "Is {word}", "personal"),
    pattern(
        r"my (?P<lower>home address|work address|address|postcode|zip code|zip) is (?P<tail>.+)",
        "{lower} is{tail}", "places",
    ),
    pattern(r"I am (?P<lower>moving|relocating) to (?P<place>.+)", "Is {lower} to {place}", "places"),
)  # fmt: skip
