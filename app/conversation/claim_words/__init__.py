"""How a reply claims that something was saved, forgotten, scheduled: one table for each language."""

from app.conversation.claim_words.arabic import ARABIC
from app.conversation.claim_words.chinese import CHINESE
from app.conversation.claim_words.dutch import DUTCH
from app.conversation.claim_words.english import ENGLISH
from app.conversation.claim_words.french import FRENCH
from app.conversation.claim_words.german import GERMAN
from app.conversation.claim_words.hindi import HINDI
from app.conversation.claim_words.italian import ITALIAN
from app.conversation.claim_words.japanese import JAPANESE
from app.conversation.claim_words.polish import POLISH
from app.conversation.claim_words.portuguese import PORTUGUESE
from app.conversation.claim_words.russian import RUSSIAN
from app.conversation.claim_words.spanish import SPANISH
from app.conversation.claim_words.swedish import SWEDISH
from app.conversation.claim_words.turkish import TURKISH

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
