import logging
import sys


def log_to_stderr(level: int) -> None:
    """Keepsake's own log from `level` on, and the libraries' from WARNING on.

    Below that, HTTP libraries log what they send: people's words, numbers and keys.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("app").setLevel(level)
