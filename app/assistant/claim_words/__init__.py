"""How a reply claims that something was saved, forgotten, scheduled: one table for each language."""

from app.assistant.claim_words.arabic import ARABIC
from app.assistant.claim_words.chinese import CHINESE
from app.assistant.claim_words.dutch import DUTCH
from app.assistant.claim_words.english import ENGLISH
from app.assistant.claim_words.french import FRENCH
from app.assistant.claim_words.german import GERMAN
from app.assistant.claim_words.hindi import HINDI
from app.assistant.claim_words.italian import ITALIAN
from app.assistant.claim_words.japanese import JAPANESE
from app.assistant.claim_words.polish import POLISH
from app.assistant.claim_words.portuguese import PORTUGUESE
from app.assistant.claim_words.russian import RUSSIAN
from app.assistant.claim_words.spanish import SPANISH
from app.assistant.claim_words.swedish import SWEDISH
from app.assistant.claim_words.turkish import TURKISH

LANGUAGES = (
    ENGLISH,
    SPANISH,
    FRENCH,
    GERMAN,
    ITALIAN,
    PORTUGUESE,
    DUTCH,
    SWEDISH,
    POLISH,
    RUSSIAN,
    TURKISH,
    CHINESE,
    JAPANESE,
    HINDI,
    ARABIC,
)
