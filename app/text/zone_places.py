"""Places where people live or stay, and the zone of each: cities, countries and states, as people name them.

A name that means several places, or something else as well, is in none of the lists: nobody is to be woken by a guess.
"""

import re
from functools import cache
from zoneinfo import available_timezones

# Besides the cities by which zones are called.
_PLACES: dict[str, str] = {
    "America/New_York": "new york city, nyc, brooklyn, manhattan, queens, the bronx, boston, philadelphia, atlanta, "
    "washington dc, dc, baltimore, pittsburgh, charlotte, orlando, tampa, cleveland, cincinnati, miami, new jersey, "
    "massachusetts, connecticut, rhode island, vermont, new hampshire, maine, pennsylvania, ohio, maryland, virginia, "
    "west virginia, delaware, north carolina, south carolina, florida, new york state, michigan",
    "America/Chicago": "dallas, houston, austin, san antonio, minneapolis, milwaukee, st louis, st. louis, "
    "new orleans, kansas city, oklahoma city, omaha, texas, illinois, wisconsin, minnesota, iowa, missouri, arkansas, "
    "louisiana, mississippi, alabama, oklahoma, kansas",
    "America/Denver": "colorado, utah, new mexico, wyoming, montana, salt lake city, albuquerque, colorado springs",
    "America/Phoenix": "arizona, tucson",
    "America/Los_Angeles": "la, san francisco, sf, seattle, san diego, oakland, sacramento, "
    "las vegas, california, nevada, washington state, oregon",
    "America/Anchorage": "alaska",
    "Pacific/Honolulu": "hawaii, oahu, maui",
    "America/Toronto": "ottawa, montreal, quebec city, ontario, quebec",
    "America/Vancouver": "british columbia",
    "America/Edmonton": "calgary, alberta",
    "America/Halifax": "nova scotia",
    "America/Argentina/Buenos_Aires": "argentina",
    "America/Bogota": "colombia, medellin",
    "America/Lima": "peru",
    "America/Sao_Paulo": "rio de janeiro, brasilia",
    "Europe/London": "england, scotland, wales, uk, the uk, britain, great britain, united kingdom, "
    "the united kingdom, manchester, edinburgh, glasgow, liverpool, leeds, cardiff",
    "Europe/Dublin": "ireland",
    "Europe/Paris": "france, lyon, marseille, toulouse, bordeaux, strasbourg",
    "Europe/Berlin": "germany, munich, hamburg, cologne, frankfurt, stuttgart, leipzig, dresden",
    "Europe/Madrid": "spain, barcelona, seville, bilbao, malaga",
    "Europe/Rome": "italy, milan, turin, bologna, palermo",
    "Europe/Amsterdam": "the netherlands, netherlands, holland, rotterdam, the hague, utrecht",
    "Europe/Brussels": "belgium, antwerp, ghent",
    "Europe/Zurich": "switzerland, geneva, basel, bern",
    "Europe/Vienna": "austria, salzburg, graz",
    "Europe/Stockholm": "sweden, gothenburg",
    "Europe/Oslo": "norway, bergen",
    "Europe/Copenhagen": "denmark",
    "Europe/Helsinki": "finland",
    "Europe/Warsaw": "poland, krakow",
    "Europe/Prague": "czechia, czech republic, the czech republic",
    "Europe/Budapest": "hungary",
    "Europe/Bucharest": "romania",
    "Europe/Sofia": "bulgaria",
    "Europe/Athens": "greece, thessaloniki",
    "Europe/Istanbul": "istanbul, turkey, türkiye, ankara, izmir, antalya",
    "Europe/Kyiv": "ukraine",
    "Europe/Lisbon": "portugal, porto",
    "Atlantic/Canary": "the canary islands, tenerife, gran canaria, las palmas",
    "Atlantic/Reykjavik": "iceland",
    "Africa/Casablanca": "morocco, marrakesh, rabat",
    "Africa/Cairo": "egypt",
    "Africa/Lagos": "nigeria, abuja",
    "Africa/Nairobi": "kenya",
    "Africa/Johannesburg": "south africa, cape town",
    "Asia/Dubai": "uae, the uae, abu dhabi",
    "Asia/Jerusalem": "israel, tel aviv",
    "Asia/Kolkata": "india, mumbai, delhi, new delhi, bangalore, bengaluru, chennai, hyderabad, pune, calcutta",
    "Asia/Karachi": "pakistan, lahore, islamabad",
    "Asia/Dhaka": "bangladesh",
    "Asia/Bangkok": "thailand, chiang mai, phuket",
    "Asia/Ho_Chi_Minh": "vietnam, hanoi, saigon",
    "Asia/Manila": "the philippines, philippines, cebu",
    "Asia/Shanghai": "china, beijing, shenzhen, guangzhou",
    "Asia/Taipei": "taiwan",
    "Asia/Tokyo": "japan, osaka, kyoto, nagoya, sapporo, fukuoka, yokohama",
    "Asia/Seoul": "south korea, korea, busan",
    "Asia/Makassar": "bali",
    "Australia/Sydney": "canberra",
    "Australia/Brisbane": "queensland, gold coast",
    "Pacific/Auckland": "new zealand, wellington, christchurch",
}
# After a town alone: most are words besides, or mean two places by themselves.
_REGIONS: dict[str, str] = {
    "America/New_York": "new york, ny, nj, ma, ct, ri, vt, nh, me, pa, oh, md, va, wv, de, nc, sc, ga, fl, mi, d.c.",
    "America/Chicago": "tx, il, wi, mn, ia, mo, ar, la, ms, al, ok, ks",
    "America/Denver": "co, ut, nm, wy, mt",
    "America/Phoenix": "az",
    "America/Los_Angeles": "ca, nv, wa, or, washington",
    "Pacific/Honolulu": "hi",
    "America/Toronto": "on, qc",
    "America/Vancouver": "bc",
}
_WIDE = frozenset(
    "usa|the usa|us|the us|united states|the united states|america|canada|mexico|brazil|russia|australia|chile|"
    "indonesia|kazakhstan".split("|")
)
"""Countries of several zones: the town before them tells which."""
_NOT_PLACES = frozenset(
    "act atlantic bahia beulah canary casey center central christmas continental cordoba creston currie davis dawson "
    "dominica dumontdurville east east-indiana easter eastern ensenada eucla general halifax hobart indiana-starke "
    "jersey johnston kanton kirov knox knox_in la_paz la_rioja lhi madeira marengo mawson mcmurdo mendoza merida "
    "midway monticello mountain nome norfolk north nsw oral pacific palmer petersburg regina resolute rosario rothera "
    "salta samoa san_juan san_luis santa_isabel santarem santiago south south_pole st_johns stanley syowa tell_city "
    "thule troll victoria vincennes virgin vostok wake wallis west yap".split()
)
"""Names of zones that no place is called by, or more than one."""
_STATES = (
    "alabama|alaska|alberta|arizona|arkansas|british columbia|california|colorado|connecticut|delaware|florida|hawaii|"
    "illinois|iowa|kansas|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nevada|"
    "new hampshire|new jersey|new mexico|north carolina|nova scotia|ohio|oklahoma|ontario|oregon|pennsylvania|quebec|"
    "rhode island|south carolina|texas|utah|vermont|virginia|west virginia|wisconsin|wyoming"
).split("|")
_BY_PLACE = {name: zone for zone, names in _PLACES.items() for name in names.split(", ")}
_BY_REGION = {name: zone for zone, names in _REGIONS.items() for name in names.split(", ")}
_AT_HOME = re.compile(r"Lives (?:in|near|outside) (?P<place>[\w .,'’-]+)")


def zone_of_place(words: str) -> str | None:
    """The IANA name of the zone in which the place lies; None where that is not known for certain."""
    place = re.sub(r"\s+", " ", words.lower().replace("’", "'")).strip(" .")
    town, comma, region = place.rpartition(", ")
    if not comma:
        return _known().get(place) or _of_state_named_last(place)
    if state := _BY_REGION.get(region) or _of_state(region):  # Paris, Texas.
        return state
    return (zone_of_place(town) or _known().get(region)) if region in _WIDE or region in _known() else None


def zone_of_home(fact: str) -> str | None:
    """The zone of the place in which a fact says that the person lives."""
    home = _AT_HOME.fullmatch(fact)
    return zone_of_place(home["place"]) if home else None


@cache
def iana_zones() -> dict[str, str]:
    """Zones that lie somewhere, by their name in lower case."""
    zones = sorted(available_timezones())
    return {zone.lower(): zone for zone in zones if "/" in zone and not zone.startswith(("Etc/", "posix", "right"))}


@cache
def iana_cities() -> dict[str, str]:
    """Those zones by the city that they are called by, in lower case, `_` for a space."""
    return {zone.rpartition("/")[2].lower(): zone for zone in reversed(iana_zones().values())}


@cache
def _known() -> dict[str, str]:
    named = {city.replace("_", " "): zone for city, zone in iana_cities().items() if city not in _NOT_PLACES}
    return named | _BY_PLACE


def _of_state_named_last(place: str) -> str | None:
    """`Austin Texas`: two words are tried before one, as in `Charleston West Virginia`."""
    words = place.split()
    ends = (" ".join(words[-many:]) for many in (2, 1) if len(words) > many)
    return next((zone for end in ends if (zone := _of_state(end))), None)


def _of_state(name: str) -> str | None:
    return _BY_PLACE[name] if name in _STATES else None
