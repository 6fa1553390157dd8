"""Texts in other languages: the offline model reads English alone, and says so in theirs."""

import re

# Words that English does not have.
_LANGUAGES = {
    "es": "hola gracias que qué es soy estoy tengo vivo llamo mis el una y en por para pero muy como cómo cuando "
    "cuándo donde dónde sabes eres buenos buenas días tardes noches quiero mañana hermana hermano tiene",
    "fr": "bonjour salut merci je suis j'ai mon les une et dans mais très comment quand où c'est est que qui vous tu "
    "habite m'appelle bonsoir oui veux soeur frère",
    "de": "hallo danke ich bin habe heiße wohne mein meine der das ein eine und ist nicht mit für aber sehr wie wann "
    "wo guten morgen abend ja bitte schwester bruder",
    "pt": "olá oi obrigado obrigada eu sou estou tenho moro chamo meu minha uma em para mas muito como quando onde "
    "você não sim bom boa dia noite que irmã irmão",
    "it": "ciao grazie io sono ho mio mia il gli una molto quando dove che non sì chiamo abito buongiorno buonasera "
    "sorella fratello voglio",
}
_WORDS = {language: frozenset(words.split()) for language, words in _LANGUAGES.items()}
LEAST_WORDS = 2  # One may be a name, or a dish.
_ALONE = {
    "es": "gracias",
    "fr": "bonjour salut merci bonsoir",
    "de": "hallo danke",
    "pt": "olá oi obrigado obrigada",
    "it": "grazie buongiorno buonasera",
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
}
_THANKED = {"es": "¡De nada!", "fr": "De rien !", "de": "Gern geschehen!", "pt": "De nada!", "it": "Prego!"}
_THANKS = re.compile(r"\W*(?:muchas |mille |molte |vielen |muito )?(?:gracias|merci|danke|obrigad[oa]|grazie)\b.{0,20}")
_ENGLISH_TOO = "(Offline I only understand simple English.)"


def answer(words: str) -> str | None:
    """What is said to a text in another language, in it; None where it may be English."""
    text = words.casefold().replace("’", "'")
    said = set(re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text))
    thanks = _THANKS.fullmatch(text) is not None
    if thanks or len(said) == 1:
        language = next((one for one, alone in _ALONE.items() if said & set(alone.split())), None)
    else:
        counts = {one: len(said & known) for one, known in _WORDS.items()}
        language = max(counts, key=lambda one: counts[one])
        if counts[language] < LEAST_WORDS or counts[language] <= len(said & _ENGLISH):
            return None
    if language is None:
        return None
    return _THANKED[language] if thanks else f"{_ANSWERS[language]} {_ENGLISH_TOO}"
