"""Texts in other languages: the offline model reads English alone, and says so in theirs."""

import re

from app.clients.offline import heard

# Words that English does not have.
_LANGUAGES = {
    "es": "hola gracias que qué es soy estoy tengo vivo llamo mis el la una y en por para pero muy como cómo cuando "
    "cuándo donde dónde sabes eres buenos buenas días tardes noches quiero mañana hermana hermano tiene mi ayer hoy "
    "anoche murió fui fue tuvo madre padre abuela abuelo perro gata gato hijo hija nuestro nuestra con nació "
    "perdí rompí del los las",
    "fr": "bonjour salut merci je suis j'ai mon les une et dans mais très comment quand où c'est est que qui vous tu "
    "habite m'appelle bonsoir oui veux soeur frère mort morte hier aujourd'hui père mère grand chien chat "
    "avons nous notre sœur né née fils fille avec du des",
    "de": "hallo danke ich bin habe heiße wohne mein meine der das ein eine und ist nicht mit für aber sehr wie wann "
    "wo guten morgen abend ja bitte schwester bruder gestern heute meiner meinem unser unsere gestorben oma opa "
    "mutter vater katze hund wir haben sind",
    "pt": "olá oi obrigado obrigada eu sou estou tenho moro chamo meu minha uma em para mas muito como quando onde "
    "você não sim bom boa dia noite que irmã irmão ontem hoje morreu avô avó mãe pai cachorro gato nosso nossa fui "
    "com ele ela nasceu perdi",
    "it": "ciao grazie io sono ho mio mia il gli una molto quando dove che non sì chiamo abito buongiorno buonasera "
    "sorella fratello voglio ieri oggi è morto morta nonno nonna madre padre gatto cane abbiamo nostro nostra con "
    "figlio figlia nato nata della",
    "tr": "merhaba selam teşekkürler sağol ben bir bu çok ve için ama değil var yok dün bugün yarın annem babam dedem "
    "ninem kardeşim ablam abim eşim kızım oğlum köpeğim kedim öldü oldu geldi gitti gittim aldım yaptım evet hayır "
    "nasıl nasılsın ne neden kim nerede günaydın iyi kötü yeni işe başladım benim bizim evlendim doğdu sonra",
}
_WORDS = {language: frozenset(words.split()) for language, words in _LANGUAGES.items()}
LEAST_WORDS = 2  # One may be a name, or a dish.
_ALONE = {
    "es": "gracias",
    "fr": "bonjour salut merci bonsoir",
    "de": "hallo danke",
    "pt": "olá oi obrigado obrigada",
    "it": "grazie buongiorno buonasera",
    "tr": "merhaba selam teşekkürler sağol",
}
_ENGLISH = frozenset(
    "the is are am i you my me we he she it they what where when who how do does did have has to of and in on for not "
    "with that this was will can like love work live remember forget know thanks yes no please".split()
)
_ANSWERS = {
    "es": "Lo siento, por ahora solo entiendo inglés sencillo. ¿Me lo dices en inglés?",
    "fr": "Désolé, pour l'instant je ne comprends qu'un anglais simple. Peux-tu me le dire en anglais ?",
    "de": "Tut mir leid, im Moment verstehe ich nur einfaches Englisch. Sagst du es mir auf Englisch?",
    "pt": "Desculpe, por agora entendo apenas inglês simples. Pode me dizer em inglês?",
    "it": "Mi dispiace, per ora capisco solo un inglese semplice. Me lo dici in inglese?",
    "tr": "Üzgünüm, şimdilik yalnızca basit İngilizce anlıyorum. Bunu İngilizce söyler misin?",
    "zh": "抱歉，我现在只懂简单的英语。可以用英语告诉我吗？",
}
# What is said to who tells of what befell them, by its tone; the hard ones also where only a death shows.
_HEARD = {
    "es": ("Lo siento muchísimo.", "Lo siento mucho.", "¡Qué alegría!", "Gracias por contármelo."),
    "fr": ("Toutes mes condoléances.", "Je suis vraiment désolé.", "Quelle bonne nouvelle !", "Merci de me le dire."),
    "de": ("Mein herzliches Beileid.", "Das tut mir leid.", "Wie schön!", "Danke, dass du mir das erzählst."),
    "pt": ("Sinto muito pela sua perda.", "Sinto muito.", "Que alegria!", "Obrigado por me contar."),
    "it": ("Le mie condoglianze.", "Mi dispiace molto.", "Che bella notizia!", "Grazie per avermelo detto."),
    "tr": ("Başın sağ olsun.", "Çok üzüldüm.", "Ne güzel!", "Anlattığın için teşekkür ederim."),
    "zh": ("请节哀。", "我很难过听到这个。", "太好了！", "谢谢你告诉我。"),
}
_TONES = ("loss", "hard", "glad", "plain")
# What shows that something is told of: a day that is past, or a verb that is.
_PAST = re.compile(
    r"\b(?:ayer|anoche|hoy|fui|fue|fuimos|tuvo|tuve|hemos|hier|aujourd'hui|avons|gestern|heute|ontem|hoje|ieri|oggi|"
    r"abbiamo|dün|bugün)\b|昨天|今天|了",
)
_THANKED = {
    "es": "¡De nada!",
    "fr": "De rien !",
    "de": "Gern geschehen!",
    "pt": "De nada!",
    "it": "Prego!",
    "tr": "Rica ederim!",
}
_HAN, _LETTER, _KANA = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[^\W\d_]"), re.compile(r"[\u3040-\u30ff]")
_THANKS = re.compile(
    r"\W*(?:muchas |mille |molte |vielen |muito |çok )?"
    r"(?:gracias|merci|danke|obrigad[oa]|grazie|teşekkürler|sağol)\b.{0,20}"
)
_ENGLISH_TOO = "(Offline I only understand simple English.)"


def answer(words: str) -> str | None:
    """What is said to a text in another language, in it; None where it may be English."""
    text = words.casefold().replace("’", "'")
    said = set(re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text))
    thanks = _THANKS.fullmatch(text) is not None
    language = _language(text, said, thanks=thanks)
    if language is None:
        return None
    if thanks:
        return _THANKED[language]
    tone = heard.tone(words)
    tells = "?" not in words and "？" not in words and (tone in {"loss", "hard"} or _PAST.search(text))
    first = _HEARD[language][_TONES.index(tone)] if tells else _ANSWERS[language]
    return f"{first} {_ENGLISH_TOO}"


def _language(text: str, said: set[str], *, thanks: bool) -> str | None:
    if len(_HAN.findall(text)) > len(_LETTER.findall(text)) / 2 and not _KANA.search(text):
        return "zh"
    if thanks or len(said) == 1:
        return next((one for one, alone in _ALONE.items() if said & set(alone.split())), None)
    counts = {one: len(said & known) for one, known in _WORDS.items()}
    language = max(counts, key=lambda one: counts[one])
    return language if counts[language] >= LEAST_WORDS and counts[language] > len(said & _ENGLISH) else None
