"""The weight of a sentence in a life: a scale, and the words that tell where on it a sentence stands. Pure.

Source of the scale: T. H. Holmes and R. H. Rahe, The Social Readjustment Rating Scale, Journal of Psychosomatic
Research 11, 1967: life change units, 100 for the death of a spouse, as 394 people rated them. What it does not name
stands beside its nearest: a quarrel with anybody beside *arguments with spouse* (35), an allergy between an illness
(53) and *change in eating habits* (15), a strong feeling a little below *trouble with boss* (23). Whose it is decides
as well: the scale has 100 for a spouse, 63 for close family and 37 for a close friend; of an illness 53 for one's own
and 44 for one in the family.
"""

import re
from collections.abc import Mapping

MOST = 100.0
_DOUBTED = 0.3  # Of what is supposed, dreamt, feared of, or seen in a film.
_ASKED = 0.7


def _words(spaced: str, unspaced: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{spaced})" + (f"|{unspaced}" if unspaced else ""), re.IGNORECASE)


# Whose it is, the first that is found. Without any it is the person's own: "lost my job", "me casé".
_WHOSE = {
    "partner": _words(
        r"wife\b|husband|spouse|fianc|boyfriend|girlfriend|(?:my|our) (?:partner|son|daughter|baby|child|boy|girl|"
        r"kids?\b|"
        r"children|twins)|the baby\b|espos[ao]\b|marido|mujer\b|novi[oa]\b|hij[oa]s?\b|ehefrau|ehemann|mein(?:e|en|"
        r"er)? "
        r"(?:frau|mann|kind)|tochter|sohn\b|(?:ma|ta) femme|mari\b|ma fille|mon fils|enfants?\b|moglie|marito|"
        r"figli[oa]?\b|"
        r"mulher\b|filh[oa]s?\b|eşim|karım|kocam|oğlum|kızım\b|çocuğum|bebeğim|vrouw\b|zoon\b|dochter",
        "妻子|老婆|丈夫|老公|儿子|女儿|孩子|妻が|夫が|息子|娘|아내|남편|아들|딸",
    ),
    "family": _words(
        r"mother|mom\b|mum\b|mama\b|father|dad\b|papa\b|parents?\b|sister|brother|sibling|grand(?:ma|pa|mother|"
        r"father|son|"
        r"daughter|parent)|nan(?:a|na)?\b|aunt\b|auntie|uncle\b|cousin|niece|nephew|(?:mother|father|sister|"
        r"brother)-in-law|"
        r"in-laws|madre|padres?\b|herman[oa]|abuel[oa]|t[ií][oa]\b|prim[oa]\b|mutter|vater|schwester|bruder|eltern|"
        r"oma\b|"
        r"opa\b|groß(?:mutter|vater)|onkel|tante|mère|père|frère|s(?:œ|oe)ur|parents|oncle|fratello|sorella|nonn[oa]|"
        r"zi[oa]\b|"
        r"mãe|pai\b|irmã(?:o)?|av[óô]\b|anne(?:m|miz|si)\b|babam|babamız|babası|kardeş|abim|ablam|dedem|ninem|"
        r"büyükanne|büyükbaba|moeder|zus\b|broer",
        "母亲|妈妈|父亲|爸爸|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|外公|外婆|父母|母が|父が|兄|姉|祖父|祖母|어머니|아버지|엄마|아빠",
    ),
    "other": _words(
        r"president|actor|actress|singer|king\b|queen\b|pope\b|celebrit|footballer|politician|minister|senator|"
        r"players?\b|characters?\b|the (?:man|woman|team|company|guy)\b|actriz|cantante|sänger|schauspieler|"
        r"acteur|chanteur|oyuncu|şarkıcı",
        "明星|总统|演员|歌手",
    ),
    "friend": _words(
        r"friends?\b|buddy|colleague|coworker|neighbou?r|flatmate|roommate|teacher|boss\b|dog\b|cat\b|puppy|kitten|"
        r"pet\b|"
        r"horse|rabbit|hamster|he\b|she\b|they\b|him\b|amig[oa]|perr[oa]\b|gat[oa]\b|freund(?:in)?\b|hund\b|katze|"
        r"kollege|"
        r"amie?\b|chien|chat\b|amic[oa]|cane\b|gatto|cachorro|arkadaş|köpe[kğ]|kedi|vriend|hond\b",
        "朋友|同事|邻居|狗|猫|友達|犬|친구|강아지|고양이",
    ),
}
_ONESELF = re.compile(
    r"^\W*(?:(?:and|so|but|today|yesterday|finally|ok|well|then|now|just|last night)[ ,]+)*(?:i|i['’]\w+|we|"
    r"we['’]\w+|ich|wir|je|j['’]\w+|yo|"
    r"io|eu|ben|biz|ik|wij)\b|^(?:我(?!父|母|爸|妈|哥|弟|姐|妹|爷|奶|妻|老|丈|儿|女|的|朋)|我们)",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:movie|film|in (?:the|a|this|my) (?:novel|book)|the novel\b|the book\b|book about|series|season|episode|"
    r"show\b|video game|game\b|dream(?:t|ed)|dream about|if\b|"
    r"imagine|pretend|almost|nobody|no one|never had|joke|laughing|could have|película|novela|serie\b|soñé|wenn ich|"
    r"buch|roman\b|"
    r"geträumt|livre|rêvé|filmi|dizi|rüya)|电影|小说|梦见|如果",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"\b(?:battery|phone|laptop|computer|plants?|engine|wi-?fi|app\b|server|tv\b|printer|camera|tablet|kettle|fridge|"
    r"batería|móvil|akku|"
    r"handy|batterie|téléphone|telefon\w*|pil(?:i|im)\b)|手机|电池|电脑",
    re.IGNORECASE,
)


_LEVELS = ("partner", "own", "family", "friend", "other")


def _kind(units: str, spaced: str, unspaced: str = "") -> tuple[dict[str, float], re.Pattern[str]]:
    """Units of a partner's or a child's, of one's own, of the family's, of a friend's, of anybody's; and the words."""
    return dict(zip(_LEVELS, map(float, units.split()), strict=True)), _words(spaced, unspaced)


_KINDS = {
    "death": _kind(
        "100 37 63 37 8",
        r"die[ds]\b|dying\b(?! to\b)|death of|passed away|passed on\b|funeral|burial|buried|put (?:him|her) (?:down|"
        r"to sleep)|had to put \w+ (?:down|to sleep)|killed|"
        r"miscarr|stillb|lost (?:my|our|the) (?:mother|mom|mum|father|dad|sister|brother|wife|husband|son|daughter|"
        r"baby|child|"
        r"grand\w+|best friend|friend|dog|cat|uncle|aunt|cousin)\b|murió|muri[eó]|falleci|funeral|entierro|ha muerto|"
        r"gestorben|"
        r"verstorben|starb\b|beerdigung|begräbnis|ist tot\b|est morte?\b|décéd|enterrement|obsèques|è mort[oa]|"
        r"morreu|faleceu|"
        r"öldü|vefat|kaybettik|cenaze|overleden|gestorven",
        "去世|过世|死了|逝世|葬礼|流产|亡くな|葬儀|돌아가|죽었",
    ),
    "prison and violence": _kind(
        "63 63 45 20 5",
        r"arrested|jail|prison|raped?\b|assault|beaten up|hits me|beat me|abus(?:e|ed|ive)\b|stabbed|shot at|cárcel|"
        r"detuvieron|verhaftet|"
        r"gefängnis|arrêté|arrestat|preso\b|tutuklan|hapis",
        "被捕|坐牢|逮捕",
    ),
    "separation": _kind(
        "65 65 29 15 5",
        r"divorc|separat(?:ed|ing) (?:from|after)|we(?:['’]re| are) separating|broke up|break(?:ing)? up|split up|"
        r"left me\b|left (?:my|her|his) (?:husband|wife|partner|boyfriend|girlfriend)|leaving me|"
        r"walked out on|dumped|cheat(?:ed|ing) on|affair\b|called off the (?:wedding|engagement)|se separ|me dejó|"
        r"rompi(?:mos|ó)|"
        r"geschieden|scheidung|getrennt|verlassen|schluss gemacht|rompu|quittée?\b|séparé|divorzi|lasciat[oa]|"
        r"terminou comigo|"
        r"boşan|ayrıldı[kğm]|terk etti|uit elkaar|gescheiden",
        "离婚|分手|出轨|離婚|別れ|이혼|헤어졌",
    ),
    "illness and injury": _kind(
        "53 53 44 25 5",
        r"cancer|tumou?r|leuk|stroke\b|heart attack|diagnos|chemo|surgery|operation\b|operated on|hospital|"
        r"emergency room|\bER\b|icu\b|coma\b|"
        r"dementia|alzheimer|parkinson|multiple sclerosis|hiv\b|overdose|suicid|self.?harm|seizure|ulcer|biopsy|"
        r"the scan|lump\b|accident|"
        r"crash(?:ed)? (?:the|my|into)|car crash|plane crash|hit by a|broke (?:my|his|her|a|an|both) (?:leg|arm|hip|"
        r"back|wrist|ankle|foot|neck|nose|rib|"
        r"shoulder|collar)|fractur|concussion|paraly[sz]|blind\b|depress(?:ed|ion)|panic attack|breakdown|relaps|"
        r"rehab|cáncer|infarto|"
        r"derrame|diagnosticaron|operan|operar|operación|cirugía|accidente|krebs|schlaganfall|herzinfarkt|"
        r"krankenhaus|operiert|unfall|"
        r"diagnose|gebrochen|avc\b|crise cardiaque|hôpital|opéré|accident|ospedale|tumore|câncer|cirurgia|acidente|"
        r"kanser|"
        r"ameliyat|hastane|felç|kalp krizi|kaza geçir|kanker|ziekenhuis|beroerte",
        "癌|手术|住院|医院|中风|车祸|心脏病|抑郁|確診|确诊|手術|入院|事故|脳卒中|수술|병원|사고",
    ),
    "wedding": _kind(
        "50 50 25 15 4",
        r"married|marry(?:ing)?\b|wedding|engaged\b|propos(?:ed|al)\b(?! a\b)|said yes\b|me (?:caso|casé)|nos casa|"
        r"boda\b|comprometi|heirat|"
        r"hochzeit|verlobt|mariage|marié|fiancé|sposat|sposiamo|matrimonio|casamento|casei|casar\b|evlen|nişanlan|"
        r"düğün|trouwen|getrouwd|bruiloft",
        "结婚|婚礼|订婚|求婚|結婚|婚約|결혼",
    ),
    "work lost or ended": _kind(
        "47 47 26 12 4",
        r"fired\b|laid off|lay-?offs?\b|sacked|made redundant|lost (?:my|his|her|the|our) job|quit (?:my|his|her|"
        r"the) job|resign(?:ed|ing)|"
        r"handed in my notice|retir(?:ed|ing|ement)|unemployed|me despidieron|despid|perdí (?:mi|el) trabajo|"
        r"me jubil|gekündigt|kündig|"
        r"entlassen|in rente|licencié|viré\b|perdu mon (?:travail|emploi|boulot)|démission|retraite|licenziat|"
        r"demitid|desempregad|"
        r"işten (?:çıkar|atıl|kovul)|işimi kaybet|kovuldum|emekli|ontslagen",
        "被解雇|失业|裁员|辞职|退休|クビ|退職|해고|퇴사",
    ),
    "birth": _kind(
        "40 40 25 15 3",
        r"pregnan|gave birth|(?:was|were|is|are) born\b|expecting (?:a |our |twins)|having a baby|adopt(?:ing|ed|"
        r"ion)\b(?! a (?:dog|cat|puppy|"
        r"kitten))|ivf\b|due date|embaraz|nació|dio a luz|adopta|schwanger|geboren|geburt|enceinte|naissance|"
        r"est née?\b|accouch|"
        r"incinta|è nat[oa]|grávida|nasceu|hamile|doğdu|doğum yap|zwanger",
        "怀孕|出生|生了|收养|妊娠|生まれ|임신|태어났",
    ),
    "money": _kind(
        "38 38 20 10 3",
        r"bankrupt|evict|foreclos|debts?\b|lawsuit|sued\b|court (?:case|agrees|date)|lost (?:all )?(?:my|"
        r"our) savings|gambl|lottery|inherit|scammed|"
        r"robbed|burgl|broke into|stolen|stole\b|desahuci|deudas|herencia|schulden|pleite|geerbt|gestohlen|dettes?\b|"
        r"expuls|hérit|volé\b|"
        r"debiti|dívida|borç|iflas|miras|çalındı",
        "破产|债|被骗|被偷|遗产|借金|盗まれ",
    ),
    "new work": _kind(
        "36 36 26 12 3",
        r"(?:got|getting|offered|accepted|took|start(?:ed|ing|s)?|landed|found) (?:me )?(?:an? |the |my |his |"
        r"her )?(?:\w+ ){0,2}(?:job|position|offer|"
        r"promotion)\b|promot(?:ed|ion)|job offer|start(?:ing|s|ed)? as an?|first day at work|hired|own (?:business|"
        r"company|shop|practice)|"
        r"nuevo (?:trabajo|empleo)|conseguí (?:el|un) trabajo|ascendieron|neuen? (?:job|stelle|arbeit)|befördert|"
        r"nouveau (?:travail|boulot|poste)|"
        r"embauché|promu|nuovo lavoro|assunt[oa]|novo emprego|promovid|yeni (?:bir )?iş|işe (?:alın|başla)|terfi|"
        r"nieuwe baan",
        "新工作|升职|录用|入职|就職|昇進|취직|승진",
    ),
    "quarrel": _kind(
        "35 35 29 18 3",
        r"argu(?:ed|ment|ing)\b|fight with|fought|yelled|screamed at|(?:isn['’]?t|not|stopped) (?:talking|"
        r"speaking) to|lied to|betray|"
        r"bull(?:ied|ying)|blackmail|threaten|discut|pele[ée]|gestritten|streit\b|angeschrien|disput[ée]|engueul|"
        r"litigat|briguei|kavga|tartıştık|ruzie",
        "吵架|争吵|背叛|霸凌|喧嘩|いじめ|싸웠",
    ),
    "lasting condition": _kind(
        "35 35 20 10 3",
        r"allerg|anaphyla|coeliac|celiac|diabet|asthma|epilep|intoleran|penicillin|medication|antidepressant|insulin|"
        r"wheelchair|"
        r"alérg|asma\b|allergi|zöliakie|diabète|alerji|astım|şeker hastası",
        "过敏|糖尿病|哮喘|アレルギー|알레르기",
    ),
    "house": _kind(
        "31 31 15 8 3",
        r"bought (?:a|the|our|my) (?:\w+ )?(?:house|flat|apartment|home)|mortgage|sold (?:the|our|my) (?:house|flat|"
        r"home)|closing (?:is|on)|"
        r"compr(?:é|amos) (?:una )?casa|hipoteca|haus gekauft|acheté (?:une )?maison|comprato casa|ev (?:aldık|aldım)",
        "买了房|买房|家を買",
    ),
    "achievement": _kind(
        "28 28 26 12 4",
        r"passed (?:my|the|his|her)|pass(?:ed)? (?:all|both)|graduat|got in(?:to)?\b|accepted (?:to|into|at)|"
        r"scholarship|won\b|finished (?:my|the|writing) (?:\w+ )?(?:thesis|novel|book|degree|studies|school|training|"
        r"treatment)|"
        r"published|marathon|first place|medal|award|failed\b|admitted to|orchestra said yes|citizenship|aprob(?:é|"
        r"ó)|suspendí|gradu|gané|bestanden|"
        r"durchgefallen|abschluss|gewonnen|réussi|diplôm|gagné|raté|superato|laure|vinto|passei|formei|"
        r"sınavı (?:geçti|kazan)|mezun|kazandı[mk]|"
        r"geslaagd",
        "通过了|考上|毕业|赢了|录取|合格|卒業|합격|졸업",
    ),
    "study": _kind(
        "26 26 20 8 3",
        r"exams?\b|college|university|degree|thesis|dissertation|med(?:ical)? school|starts? school|audition|examen|"
        r"universidad|prüfung|"
        r"studium|abitur|bac\b|thèse|esame|prova\b|sınav|üniversite|tentamen",
        "考试|大学|论文|試験|시험",
    ),
    "decision and habit": _kind(
        "24 24 15 8 3",
        r"decided\b(?! on (?:the|an?)\b)|decision|made up (?:my|our) mind|quit(?:ting)? (?:smoking|drinking|sugar|"
        r"caffeine)|sober|gave up|giving up|going vegan|came out|"
        r"coming out|for the first time|my first|our first|first time|first (?:date|kiss|tooth|steps?|words?)|therap|"
        r"decid[ií]|dejé de|"
        r"primera vez|entschieden|beschlossen|aufgehört|zum ersten mal|décidé|arrêté de|première fois|deciso|"
        r"smesso di|prima volta|karar ver|"
        r"bıraktı[mk]|ilk (?:kez|defa)|besloten",
        "决定|戒烟|戒酒|第一次|初めて|決め|결정|처음",
    ),
    "work trouble": _kind(
        "23 23 15 8 3",
        r"deadline|boss\b|overtime|stressed|burn(?:ed|t)? ?out|took the credit|(?:job )?interview|entrevista|"
        r"vorstellungsgespräch|entretien|colloquio|"
        r"iş görüşmesi|mülakat",
        "面试|加班|压力|面接|면접",
    ),
    "feeling": _kind(
        "20 20 15 12 5",
        r"scared|terrif|afraid|worr(?:y|ied)|cr(?:y|ied|ying)\b|lonely|alone\b|guilty|ashamed|furious|heartbroken|"
        r"overwhelm|hopeless|proud\b|"
        r"can['’]?t sleep|in love|fell for|love (?:him|her)|miss (?:him|her|them|my)|grie(?:f|ving)|devastated|"
        r"so (?:sad|happy|angry)|jealous|"
        r"miedo|llor|sola?\b|triste|enamorad|orgullos|angst|geweint|weine|einsam|traurig|verliebt|stolz|peur|pleur|"
        r"seule?\b|amoureu|paura|"
        r"piang|medo\b|chor|korkuyorum|ağl|yalnız|üzgün|aşık|gurur|bang\b",
        "害怕|哭|孤独|难过|爱上|骄傲|怖い|泣|寂し|무서|울었|외로",
    ),
    "move": _kind(
        "20 20 15 10 3",
        r"mov(?:e|ed|es|ing) (?:to|in|out|back|into|away|there|house|here)\b|the move\b|landlord|apartment|emigrat|"
        r"me mud|mudamos|mudanza|umzug|"
        r"umziehen|umgezogen|ziehe|déménag|trasfer|taşın|verhui",
        "搬家|搬到|移民|引っ越|이사",
    ),
    "journey and feast": _kind(
        "13 13 11 8 3",
        r"trip\b|travel|flight|fly(?:ing)? to|vacation|holiday|birthday|party\b|christmas|anniversary|festival|"
        r"concert|viaje|cumpleaños|reise|urlaub|"
        r"geburtstag|voyage|anniversaire|vacances|viaggio|viagem|gezi|tatil|doğum günü|uçuyor",
        "旅行|生日|飞往|誕生日|여행|생일",
    ),
    "ailment": _kind(
        "12 12 10 6 2",
        r"flu\b|fever|a cold\b|headache|migraine|tooth|dentist|doctor|\bill\b|sick\b|pain\b|hurts?\b|gripe|fiebre|"
        r"médico|krank\b|fieber|kopfschmerzen|"
        r"arzt|malade|fièvre|médecin|febbre|medico|gripe|ateşim|başım ağrı|doktor|ziek\b",
        "感冒|发烧|头疼|医生|風邪|熱が|감기",
    ),
}


def units(sentence: str) -> dict[str, float]:
    """The kinds of changes that a sentence tells of, each with its life change units, 0 to `MOST`."""
    held = {name: of for name, (of, words) in _KINDS.items() if words.search(sentence)}
    if not held:
        return {}
    whose = next((who for who, words in _WHOSE.items() if words.search(sentence)), "own")
    if whose in {"friend", "other"} and _ONESELF.search(sentence):
        whose = "own"
    if whose == "own" and _THINGS.search(sentence):
        held.pop("death", None)
    share = _DOUBTED if _DOUBTS.search(sentence) else _ASKED if sentence.rstrip().endswith(("?", "？")) else 1.0
    return {name: share * of[whose] for name, of in held.items()}


def weight(sentence: str) -> float:
    """How much the sentence's changes weigh together, 0 to `MOST`."""
    return together(units(sentence))


def together(changes: Mapping[str, float]) -> float:
    """The greatest, and a quarter of each other: two losses are more than one, and no two quarrels are a death."""
    ordered = sorted(changes.values(), reverse=True)
    return min(MOST, sum(ordered[:1]) + sum(ordered[1:]) / 4)
