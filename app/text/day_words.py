"""The words for days in languages beside English, and how a day is written in each: tables alone.

A rule is a regular expression and what it means: `day`, `evening`, `night`, `week`, `month` and `year` with how many of
them from now; `weekday` with 1 for the coming one, -1 for the one before, 0 for either, as its sentence has it, and
`weekday of the week` with how many weeks from now; `ahead` and `ago` count units. In it `{weekday}`, `{count}` and
`{unit}` stand for the words of the language. A phrase of several words shows its language by itself.
"""

from dataclasses import dataclass, field

Rule = tuple[str, str, int]


@dataclass(frozen=True)
class DayWords:
    """One language."""

    months: tuple[str, ...]
    weekday_words: tuple[str, ...]
    """As people type them: regular expressions, from Monday on."""
    rules: tuple[Rule, ...]
    day: str
    """How a day is written."""
    counts: dict[str, int] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    """The words for units, as regular expressions, and `day`, `week`, `month` or `year`."""
    past: str = r"(?!)"
    """What shows in a clause that it speaks of what was."""
    future: str = r"(?!)"
    breaks: str = r"[,;]"
    """Where a clause ends."""
    ending: str = ""
    """The endings that a phrase may take, a regular expression."""


def _numbered(words: str) -> dict[str, int]:
    return {word: number for number, one in enumerate(words.split(), 1) for word in one.split("/")}


_ES = DayWords(
    months=tuple("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()),
    weekday_words=("lunes", "martes", "mi[ée]rcoles", "jueves", "viernes", "s[áa]bado", "domingo"),
    rules=(
        (r"pasado mañana", "day", 2),
        (r"anteayer|antes de ayer|antier", "day", -2),
        (r"hoy", "day", 0),
        (r"esta noche", "evening", 0),
        (r"anoche", "night", -1),
        (r"ayer", "day", -1),
        (r"(?<!la )(?<!una )(?<!esta )(?<!cada )(?<!de )(?<!pasado )mañana", "day", 1),
        (r"(?:el )?(?:próximo|proximo) {weekday}|(?:el )?{weekday} (?:que viene|próximo|proximo)", "weekday", 1),
        (r"(?:el )?{weekday} (?:de la )?(?:próxima semana|semana que viene)", "weekday of the week", 1),
        (r"(?:el )?(?:{weekday} pasado|pasado {weekday}|último {weekday})", "weekday", -1),
        (r"(?<!todo )(?<!cada )(?:este|el) {weekday}", "weekday", 0),
        (r"(?:en )?la (?:próxima semana|proxima semana|semana que viene|semana próxima)", "week", 1),
        (r"(?:en )?la (?:semana pasada|pasada semana)", "week", -1),
        (r"(?:en )?esta semana", "week", 0),
        (r"(?:en )?el (?:próximo mes|proximo mes|mes que viene|mes próximo)", "month", 1),
        (r"(?:en )?el (?:mes pasado|pasado mes)", "month", -1),
        (r"(?:en )?este mes", "month", 0),
        (r"(?:en )?el (?:próximo año|proximo año|año que viene|año próximo)", "year", 1),
        (r"(?:en )?el año pasado", "year", -1),
        (r"(?:en )?este año", "year", 0),
        (r"(?:dentro de|en) {count} {unit}", "ahead", 1),
        (r"hace {count} {unit}", "ago", -1),
    ),
    day="el {d} de {month} de {y}",
    counts=_numbered("un/una dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    units={r"días?|dias?": "day", r"semanas?": "week", r"mes(?:es)?": "month", r"años?": "year"},
    past=r"\b(?:fui|fue|fuimos|fueron|estuv\w+|tuv\w+|hic\w+|hizo|vi|vio|vimos|vieron|dij\w+|vin\w+|pud\w+|quis\w+|murió|"
    r"nació|(?:he|ha|hemos|han|había\w*) \w+(?:ado|ido|to|cho)|\w+(?:é|ó|aron|ieron|aste|iste)|era|eran|estaba\w*)\b",
    future=r"\b(?:\w+(?:aré|eré|iré|drá|dré|ará|erá|irá|arán|erán|irán|remos|ría|rían|ríamos)|"
    r"(?:voy|va|vas|vamos|van|iba|iban|íbamos) a|(?:tengo|tiene|tenemos|tienen|hay|tenía|había) que|debo|debe|"
    r"quier\w+)\b",
    breaks=r"[,;:]|\b(?:que|pero|porque|y cuando|cuando)\b",
)

_FR = DayWords(
    months=tuple("janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()),
    weekday_words=tuple("lundi mardi mercredi jeudi vendredi samedi dimanche".split()),
    rules=(
        (r"après-demain|apres-demain", "day", 2),
        (r"avant-hier", "day", -2),
        (r"aujourd['’]hui", "day", 0),
        (r"ce soir", "evening", 0),
        (r"hier soir|la nuit dernière", "night", -1),
        (r"(?<!avant-)hier", "day", -1),
        (r"(?<!après-)(?<!apres-)demain", "day", 1),
        (r"{weekday} de la semaine prochaine", "weekday of the week", 1),
        (r"{weekday} prochain", "weekday", 1),
        (r"{weekday} dernier", "weekday", -1),
        (r"(?<!chaque )(?<!tous les )(?<!le )(?:ce )?{weekday}", "weekday", 0),
        (r"la semaine prochaine", "week", 1),
        (r"la semaine (?:dernière|derniere|passée)", "week", -1),
        (r"cette semaine", "week", 0),
        (r"le mois prochain", "month", 1),
        (r"le mois (?:dernier|passé)", "month", -1),
        (r"ce mois-ci", "month", 0),
        (r"l['’](?:année prochaine|an prochain)", "year", 1),
        (r"l['’](?:année dernière|an dernier|année passée)", "year", -1),
        (r"cette année", "year", 0),
        (r"dans {count} {unit}", "ahead", 1),
        (r"il y a {count} {unit}", "ago", -1),
    ),
    day="le {d} {month} {y}",
    counts=_numbered("un/une deux trois quatre cinq six sept huit neuf dix onze douze"),
    units={r"jours?": "day", r"semaines?": "week", r"mois": "month", r"ans?|années?": "year"},
    past=r"(?:\b(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont)|j['’]ai|l['’]ai) (?:\w+ )?"
    r"\w+(?:é|ée|és|ées|i|ie|is|it|u|ue|us|ues|ert|ait)\b|\b(?:était|étaient|étais|avait|avais|avaient|allait|fut)\b",
    future=r"\b(?:\w+(?:erai|era|erons|eront|irai|ira|iront|drai|dra|dront|rait|raient|rais)|vais|va|vas|allons|allez|"
    r"vont|dois|doit|devons|doivent|devait|devais|faut|veux|veut|de \w+(?:er|ir))\b",
    breaks=r"[,;:]|\bqu['’]|\b(?:que|qui|mais|parce|car|quand)\b",
)

_DE = DayWords(
    months=tuple("Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()),
    weekday_words=("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag|Sonnabend", "Sonntag"),
    rules=(
        (r"übermorgen|uebermorgen", "day", 2),
        (r"vorgestern", "day", -2),
        (r"heute abend", "evening", 0),
        (r"gestern abend|gestern nacht|letzte nacht", "night", -1),
        (r"heute", "day", 0),
        (r"gestern", "day", -1),
        (
            r"(?<!guten )(?<!am )(?<!jeden )(?<!heute )(?<!gestern )(?<!der )(?<!den )(?<!diesen )(?<!eines )morgen",
            "day",
            1,
        ),
        (r"nächste woche (?:am )?{weekday}|(?:am )?{weekday} nächste(?:r|n)? woche", "weekday of the week", 1),
        (r"(?:am )?(?:nächste[nrms]?|kommende[nrms]?|naechsten) {weekday}", "weekday", 1),
        (r"(?:am )?(?:letzte[nrms]?|vergangene[nrms]?|vorigen) {weekday}", "weekday", -1),
        (r"(?:am|diesen) {weekday}", "weekday", 0),
        (r"(?:in der )?(?:nächste[rn]?|kommende[rn]?|naechste) woche", "week", 1),
        (r"(?:in der )?(?:letzte[rn]?|vergangene[rn]?|vorige) woche", "week", -1),
        (r"(?:in )?diese[r]? woche", "week", 0),
        (r"(?:im )?(?:nächste[nm]?|kommende[nm]?|naechsten) monat", "month", 1),
        (r"(?:im )?(?:letzte[nm]?|vergangene[nm]?|vorigen) monat", "month", -1),
        (r"diese[nm] monat", "month", 0),
        (r"(?:im )?(?:nächste[sn]|kommende[sn]|naechstes) jahr", "year", 1),
        (r"(?:im )?(?:letzte[sn]|vergangene[sn]|voriges) jahr", "year", -1),
        (r"(?:in )?diese[sm] jahr", "year", 0),
        (r"in {count} {unit}", "ahead", 1),
        (r"vor {count} {unit}", "ago", -1),
    ),
    day="{d}. {month} {y}",
    counts=_numbered("ein/eine/einem/einer/einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
    units={r"tag(?:en?)?": "day", r"wochen?": "week", r"monat(?:en?)?": "month", r"jahr(?:en?)?": "year"},
    past=r"\b(?:war|waren|warst|hatte\w*|ging\w*|kam\w*|sah\w*|traf\w*|fuhr\w*|gab|blieb|flog|sagte\w*|wurde\w*|konnte\w*|"
    r"(?:auf|an|ein|aus|ab|um|mit|vor|zu)?ge\w{2,}(?:t|en)|(?:be|ver|er|zer|ent)\w+t(?=\s*$))\b",
    future=r"\b(?:werden?|wird|wirst|würden?|will|wollen|wollten?|muss|müssen|soll|sollen|sollten?|kann|können|möchten?|"
    r"zu \w+en|\w+zu\w+en)\b",
    breaks=r"[,;:]|\b(?:und dass|dass|weil|aber|wenn)\b",
)

_TR = DayWords(
    months=tuple("Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık".split()),
    weekday_words=(
        "pazartesi",
        "sal[ıi]",
        "[çc]ar[şs]amba",
        "per[şs]embe",
        "cuma(?!rtesi)",
        "cumartesi",
        "pazar(?!tesi)",
    ),
    rules=(
        (r"öbür gün|obur gun|yarından sonraki gün", "day", 2),
        (r"evvelsi gün|evvelki gün|önceki gün", "day", -2),
        (r"bu akşam|bu gece|bu aksam", "evening", 0),
        (r"dün (?:gece|akşam)", "night", -1),
        (r"yarın akşam", "evening", 1),
        (r"bugün|bugun", "day", 0),
        (r"yarın|yarin", "day", 1),
        (r"dün", "day", -1),
        (r"haftaya {weekday}(?: günü)?", "weekday of the week", 1),
        (r"(?:gelecek|önümüzdeki|onumuzdeki) {weekday}(?: gün)?", "weekday", 1),
        (r"(?:geçen|gecen) {weekday}(?: gün)?", "weekday", -1),
        (r"(?<!her )(?:bu )?{weekday} gün|bu {weekday}", "weekday", 0),
        (r"(?:gelecek|önümüzdeki|onumuzdeki) hafta(?! ?sonu)", "week", 1),
        (r"haftaya", "week", 1),
        (r"(?:geçen|gecen) hafta(?! ?sonu)", "week", -1),
        (r"bu hafta(?! ?sonu)", "week", 0),
        (r"(?:gelecek|önümüzdeki|onumuzdeki) ay", "month", 1),
        (r"(?:geçen|gecen) ay", "month", -1),
        (r"bu ay", "month", 0),
        (r"(?:gelecek|önümüzdeki|onumuzdeki) (?:yıl|yil|sene)|seneye", "year", 1),
        (r"(?:geçen|gecen) (?:yıl|yil|sene)", "year", -1),
        (r"bu (?:yıl|yil|sene)", "year", 0),
        (r"{count} {unit} (?:sonra|içinde)", "ahead", 1),
        (r"{count} {unit} (?:önce|once)", "ago", -1),
    ),
    day="{d} {month} {y} gün",
    counts=_numbered("bir iki üç dört beş altı yedi sekiz dokuz on"),
    units={r"gün|gun": "day", r"hafta": "week", r"ay": "month", r"yıl|yil|sene": "year"},
    past=r"\w+(?:d[ıiuü]|t[ıiuü]|m[ıiuü]ş)(?:m|n|k|lar|ler|n[ıiuü]z)?\b",
    future=r"\w+(?:aca[kğ]|ece[kğ])\w*|\w+m[ae]m[ıi]? (?:gerek|lazım|söylendi)|\bgerek\w*|\blazım\b",
    ending=r"['’]?(?:(?:ü?n)?k[iıuü]|(?:ün|[yn])?[aeıiuü]|(?:ün|n)?[dt][ae]n?|ü?)",
)

_ZH_DAY = "{y}年{m}月{d}日"
_ZH = DayWords(
    months=(),
    weekday_words=("一", "二", "三", "四", "五", "六", "[日天]"),
    rules=(
        (r"大后天|大後天", "day", 3),
        (r"大前天", "day", -3),
        (r"(?<![天周年月])(?:后天|後天)(?!努力|的)", "day", 2),
        (r"(?<!天)前天", "day", -2),
        (r"今天晚上|今晚", "evening", 0),
        (r"昨天晚上|昨晚|昨夜", "evening", -1),
        (r"明天晚上|明晚", "evening", 1),
        (r"今天|今日", "day", 0),
        (r"明天|明日", "day", 1),
        (r"昨天|昨日", "day", -1),
        (r"下下(?:个)?(?:周|週|星期|礼拜)(?![一二三四五六日天末])", "week", 2),
        (r"下(?:个|個)?(?:周|週|星期|礼拜|禮拜){weekday}", "weekday of the week", 1),
        (r"上(?:个|個)?(?:周|週|星期|礼拜|禮拜){weekday}", "weekday of the week", -1),
        (r"(?:这|這|本)(?:个|個)?(?:周|週|星期|礼拜|禮拜){weekday}", "weekday of the week", 0),
        (r"(?<![每个個到至两兩二三四五六七八九十\d])(?:周|週|星期|礼拜|禮拜){weekday}(?![到至])", "weekday", 0),
        (r"下(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?!末)", "week", 1),
        (r"上(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?!末)", "week", -1),
        (r"(?:这|這|本)(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?!末)", "week", 0),
        (r"下(?:个|個)?月", "month", 1),
        (r"上(?:个|個)?月", "month", -1),
        (r"(?:这|這)(?:个|個)?月|本月", "month", 0),
        (r"明年", "year", 1),
        (r"去年", "year", -1),
        (r"(?<!年)前年", "year", -2),
        (r"(?<!年)(?:后年|後年)", "year", 2),
        (r"今年", "year", 0),
        (r"{count}(?:个|個)?{unit}(?:之|以)?(?:后|後)", "ahead", 1),
        (r"{count}(?:个|個)?{unit}(?:之|以)?前", "ago", -1),
    ),
    day=_ZH_DAY,
    counts=_numbered("一 二/两/兩 三 四 五 六 七 八 九 十 十一 十二"),
    units={r"天": "day", r"周|週|星期|礼拜|禮拜": "week", r"月": "month", r"年": "year"},
    past=r"[了过過]|已经|刚才|是在",
    future=r"要|会|會|将|將|打算|准备|計劃|计划|想|得去|必须",
    breaks=r"[,;:，；：。！？]|说|說|告诉我|告訴我",
)

_IT = DayWords(
    months=tuple(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()
    ),
    weekday_words=(),
    rules=(
        (r"dopodomani", "day", 2),
        (r"l['’]altro ieri", "day", -2),
        (r"oggi", "day", 0),
        (r"ieri", "day", -1),
        (r"domani", "day", 1),
    ),
    day="il {d} {month} {y}",
)
_PT = DayWords(
    months=tuple("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()),
    weekday_words=(),
    rules=(
        (r"depois de amanhã", "day", 2),
        (r"anteontem", "day", -2),
        (r"hoje", "day", 0),
        (r"ontem", "day", -1),
        (r"(?<!depois de )amanhã", "day", 1),
    ),
    day="{d} de {month} de {y}",
)
_NL = DayWords(
    months=tuple("januari februari maart april mei juni juli augustus september oktober november december".split()),
    weekday_words=(),
    rules=(
        (r"overmorgen", "day", 2),
        (r"eergisteren", "day", -2),
        (r"vandaag|vanavond", "day", 0),
        (r"gisteren|gisteravond", "day", -1),
        (r"(?<!goede )(?<!iedere )(?<!elke )morgen", "day", 1),
    ),
    day="{d} {month} {y}",
)

DAY_WORDS = {"es": _ES, "fr": _FR, "de": _DE, "tr": _TR, "zh": _ZH, "it": _IT, "pt": _PT, "nl": _NL}
