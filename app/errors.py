"""Every error Keepsake raises on purpose.

    KeepsakeError
    ├── SettingsError          a setting is missing or malformed
    ├── DatabaseError          the database file is newer, foreign, corrupt or locked
    ├── NotFound               what was asked for is not there
    ├── Conflict               it is there already, or changed meanwhile
    ├── Refused                understood, and not allowed
    ├── Overtaken              another process has taken the turn over
    └── OutsideError           something outside did not do its part
        ├── ModelError
        │   └── ContextTooLong
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


class Overtaken(KeepsakeError):
    """Another process has taken this turn over; nothing more may be done for it here."""

    code = "overtaken"
    http_status = 409


class OutsideError(KeepsakeError):
    """Something outside did not answer as it should."""

    code = "outside"
    http_status = 502


class ModelError(OutsideError):
    """The model did not give a whole answer."""

    code = "model"


class ContextTooLong(ModelError):
    """The conversation is longer than the model accepts."""

    code = "context_too_long"


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
