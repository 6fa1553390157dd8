"""The operator's pages in a browser, as `tests/web/admin` has them."""

from tests.web.admin.conftest import browser, masked, operator

__all__ = ["browser", "masked", "operator"]
