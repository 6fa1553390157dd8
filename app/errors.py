"""Every error Keepsake raises on purpose. A class's docstring is its default message; its code is for programs."""

from typing import Self


class KeepsakeError(Exception):
    """Something went wrong."""

    code = "error"
    http_status = 500

    def __init_subclass__(cls, *, code: str | None = None, http_status: int | None = None) -> None:
        cls.code = code or cls.code
        cls.http_status = http_status or cls.http_status

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__)

    @property
    def is_fault(self) -> bool:
        """True if something broke here: then the words belong in a log, and not in an answer."""
        return self.http_status >= 500  # noqa: PLR2004  (HTTP's boundary between the client's faults and ours)


class SettingsError(KeepsakeError, code="settings"):
    """The settings are not complete."""


class DatabaseError(KeepsakeError, code="database", http_status=503):
    """The database cannot be used."""


class NotFound(KeepsakeError, code="not_found", http_status=404):
    """There is no such thing."""


class Conflict(KeepsakeError, code="conflict", http_status=409):
    """That exists already."""


class Refused(KeepsakeError, code="refused", http_status=403):
    """That is not allowed."""


class Asleep(Refused, code="asleep"):
    """It is within the person's quiet hours."""


class Overtaken(KeepsakeError, code="overtaken", http_status=409):
    """Another process has taken this turn over; nothing more may be done for it here."""


class OverBudget(KeepsakeError, code="budget", http_status=429):
    """The day's budget has no room for this call of the model."""

    def __init__(self, message: str | None = None, *, is_spent: bool) -> None:
        super().__init__(message)
        self.is_spent = is_spent
        """False if only calls under way are in the way: the money they leave over is free in a moment."""


class OutsideError(KeepsakeError, code="outside", http_status=502):
    """Something outside did not answer as it should."""


class SourceError(OutsideError, code="source"):
    """That cannot be looked up now."""


class ModelError(OutsideError, code="model"):
    """The model did not give a whole answer."""

    def __init__(
        self,
        message: str | None = None,
        *,
        again: bool = False,
        is_unusable: bool = False,
        may_be_charged: bool = True,
        retry_after_seconds: float | None = None,
        is_lasting: bool = False,
        timed_out: bool = False,
    ) -> None:
        super().__init__(message)
        self.again = again
        """True if the same request may succeed later."""
        self.is_unusable = is_unusable
        """True if the answer has an unknown form or an unknown reason to stop, and so cannot be used."""
        self.may_be_charged = may_be_charged
        """False only if it is certain that nothing was charged: costs are never counted too low."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds for which the server asks to be left alone; None if it does not ask."""
        self.is_lasting = is_lasting
        """True if only the operator can help: a key, a spend limit, a model that is gone."""
        self.timed_out = timed_out
        """True if nothing was wrong but the time it took: then perhaps this one question takes so long."""

    def reworded(self, message: str) -> Self:
        """The same error in other words."""
        self.args = (message,)
        return self


class ContextTooLong(ModelError, code="context_too_long"):
    """The conversation is longer than the model accepts."""


class RequestRefused(ModelError, code="model_refused"):
    """The model's server refuses the request as it is made: the operator's matter, and the text waits."""


class ThinkingRefused(ModelError, code="thinking_refused"):
    """The thoughts in the request are bound to another conversation; without them it is accepted."""


class ModelDown(ModelError, code="model_down"):
    """The model cannot be had now."""


class EmbeddingError(OutsideError, code="embedding"):
    """The texts could not be embedded; memory is searched by words alone."""


class FetchError(OutsideError, code="fetch"):
    """It could not be fetched."""

    def __init__(self, message: str | None = None, *, is_too_large: bool = False, is_not_public: bool = False) -> None:
        super().__init__(message)
        self.is_too_large = is_too_large
        self.is_not_public = is_not_public


class MediaError(OutsideError, code="media"):
    """The file could not be opened."""

    def __init__(self, message: str | None = None, *, as_told: str = "a picture that could not be opened") -> None:
        super().__init__(message)
        self.as_told = as_told
        """Its name for the model and the person; the message itself is for the operator."""


class CarrierError(OutsideError, code="carrier"):
    """The carrier refused the text."""

    def __init__(self, message: str | None = None, *, carrier_code: int | None = None) -> None:
        super().__init__(message)
        self.carrier_code = carrier_code


class CarrierBusy(CarrierError, code="carrier_busy"):
    """The carrier could not be reached; nothing was sent."""


class CarrierUnknown(CarrierError, code="carrier_unknown"):
    """The carrier broke off before it answered; the text may have been sent."""
