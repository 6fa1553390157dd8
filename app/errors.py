"""Every error Keepsake raises on purpose.

    KeepsakeError
    ├── SettingsError          a setting is missing or malformed
    ├── DatabaseError          the database file is newer, foreign, corrupt or locked
    ├── NotFound               what was asked for is not there
    ├── Conflict               it is there already, or changed meanwhile
    ├── Refused                understood, and not allowed
    │   └── Asleep             not in quiet hours, unless whoever asks knows the hour there
    ├── Overtaken              another process has taken the turn over
    ├── OverBudget             the day's money does not allow the call
    └── OutsideError           something outside did not do its part
        ├── EmbeddingError     no vector for a text; memory is searched by words alone
        ├── FetchError         an address gave nothing, or more than it may
        ├── MediaError         a file could not be fetched, or may not be shown
        ├── SourceError        what is looked up for a person could not be; the sentence is for the model
        ├── ModelError
        │   ├── ContextTooLong
        │   └── ModelDown      nobody gets an answer now; the same question may be answered later
        └── CarrierError       refused: it will not be sent
            ├── CarrierBusy    not sent, and may be tried again
            └── CarrierUnknown may or may not have been sent: never blindly sent again

A class's docstring is its default message, so that each error is explained once, here.
"""


class KeepsakeError(Exception):
    """Something went wrong."""

    code = "error"
    http_status = 500

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or " ".join((type(self).__doc__ or "").split()))

    @property
    def is_fault(self) -> bool:
        """Whether something broke here: then the words belong in a log, and not in an answer."""
        return self.http_status >= 500  # noqa: PLR2004  (HTTP's own border between the asker's faults and ours)


class SettingsError(KeepsakeError):
    """The settings are not complete."""

    code = "settings"


class DatabaseError(KeepsakeError):
    """The database cannot be used."""

    code = "database"
    http_status = 503


class NotFound(KeepsakeError):
    """There is no such thing."""

    code = "not_found"
    http_status = 404


class Conflict(KeepsakeError):
    """That exists already."""

    code = "conflict"
    http_status = 409


class Refused(KeepsakeError):
    """That is not allowed."""

    code = "refused"
    http_status = 403


class Asleep(Refused):
    """It is within the person's quiet hours."""

    code = "asleep"


class Overtaken(KeepsakeError):
    """Another process has taken this turn over; nothing more may be done for it here."""

    code = "overtaken"
    http_status = 409


class OverBudget(KeepsakeError):
    """The day's budget has no room for this call of the model."""

    code = "budget"
    http_status = 429

    def __init__(self, message: str | None = None, *, is_spent: bool) -> None:
        super().__init__(message)
        self.is_spent = is_spent
        """False when only calls that are under way stand in the way: what they leave over is free in a moment."""


class OutsideError(KeepsakeError):
    """Something outside did not answer as it should."""

    code = "outside"
    http_status = 502


class SourceError(OutsideError):
    """That cannot be looked up now."""

    code = "source"


class ModelError(OutsideError):
    """The model did not give a whole answer."""

    code = "model"
    may_be_charged = True  # Unless whoever raises it knows that nothing was made: money is never counted too low.


class ContextTooLong(ModelError):
    """The conversation is longer than the model accepts."""

    code = "context_too_long"


class RequestRefused(ModelError):
    """The model's server refuses the request as it is made: the operator's matter, and the text waits."""

    code = "model_refused"


class ThinkingRefused(ModelError):
    """The thoughts in the request are bound to another conversation; without them it is accepted."""

    code = "thinking_refused"


class ModelDown(ModelError):
    """The model cannot be had now."""

    code = "model_down"

    def __init__(
        self,
        message: str | None = None,
        *,
        retry_after_seconds: float | None = None,
        is_lasting: bool = False,
        timed_out: bool = False,
    ) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        """How long the server asks to be left alone, where it does."""
        self.is_lasting = is_lasting
        """Whether it needs the operator: a key, a spend limit, a model that is gone."""
        self.timed_out = timed_out
        """Whether nothing was wrong but the time it took: then it may be this one question that takes so long."""


class EmbeddingError(OutsideError):
    """The texts could not be embedded; memory is searched by words alone."""

    code = "embedding"


class FetchError(OutsideError):
    """It could not be fetched."""

    code = "fetch"

    def __init__(self, message: str | None = None, *, is_too_large: bool = False, is_not_public: bool = False) -> None:
        super().__init__(message)
        self.is_too_large = is_too_large
        self.is_not_public = is_not_public


class MediaError(OutsideError):
    """The file could not be opened."""

    code = "media"

    def __init__(self, message: str | None = None, *, as_told: str = "a picture that could not be opened") -> None:
        super().__init__(message)
        self.as_told = as_told
        """What it is called before the model and the person; the message itself is the operator's."""


class CarrierError(OutsideError):
    """The carrier refused the text."""

    code = "carrier"

    def __init__(self, message: str | None = None, *, carrier_code: int | None = None) -> None:
        super().__init__(message)
        self.carrier_code = carrier_code


class CarrierBusy(CarrierError):
    """The carrier could not be reached; nothing was sent."""

    code = "carrier_busy"


class CarrierUnknown(CarrierError):
    """The carrier broke off before it answered; the text may have been sent."""

    code = "carrier_unknown"
