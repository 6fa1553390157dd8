"""The operator's pages: one file per page, each adding its routes to the same blueprint."""

from importlib import import_module
from pkgutil import iter_modules

from app.web.admin.blueprint import bp

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")

__all__ = ["bp"]
