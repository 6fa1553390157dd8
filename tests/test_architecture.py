"""The project's rules, checked on the source. A made-up violation shows that each rule works."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("app", "bench", "migrations", "tests")

LAYERS = (
    "web cli jobs wiring",
    "features",
    "conversation operations.checks operations.evaluation operations.replay",
    "tools",
    "memory routines people delivery operators operations",
    "clients embeddings background",
    "models",
    "store text services settings errors clock prompts",
)
ROWS = {"": 1} | {part: row for row, parts in enumerate(LAYERS, 1) for part in parts.split()}
"""Parts and their rows, outermost first; a module imports only from its own row or below. The longest match counts."""

ROOT_FILES = {"__init__", "wiring", "errors", "clock", "prompts"}
HEADLESS = frozenset("What Who Whom Whose Whoever Whether How Where Which Why".split())
CHOSEN_BY_WIRING = {"clients", "embeddings", "background", "delivery.twilio"}
PARTS = {*ROWS, *CHOSEN_BY_WIRING}
ENVIRONMENT = {"os.environ", "os.getenv", "os.environb"}
WAITS_ON_THE_NETWORK = set(
    "call_tool complete embed embedded events forecast look_up picture received send server_tools sent_to summarise "
    "troubles".split()
)
SPEAKS_HTTP = {"aiohttp", "http.client", "httpcore2", "httpx", "httpx2", "requests", "urllib.request"}
WALL_CLOCK = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.localtime"}
VAGUE = re.compile(r"(^|_)(utils?|helpers?|common|managers?|base\d|v\d)$")
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _part(names: list[str], parts: Collection[str]) -> str:
    """The longest part that the dotted name begins with; otherwise its first name, or an empty string."""
    prefixes = [".".join(names[:length]) for length in range(len(names), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in parts), "".join(names[:1]))


def _row(part: str) -> int:
    return ROWS[part if part in ROWS else part.split(".", maxsplit=1)[0]]


class Module:
    """One source file."""

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        """The dotted name from the root: `app.web.sms`, `tests.test_db`."""
        self.source = source
        self.part = _part(name.split(".")[1:], PARTS)
        """The part of app, as in `ROWS`: `web`, `operations.checks`, `` for app itself."""

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(ast.parse(self.source)))

    @cached_property
    def imports(self) -> list[str]:
        """Dotted names of all imports, also within functions; `from app import people` is `app.people`."""
        found = [alias.name for node in self.nodes if isinstance(node, ast.Import) for alias in node.names]
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                found += [f"{node.module}.{alias.name}" for alias in node.names]
        return found

    @property
    def imported_parts(self) -> list[str]:
        """Parts of app that it imports, `` for app itself."""
        names = [name.split(".")[1:] for name in self.imports if name.split(".")[0] == "app"]
        return [part if part in PARTS else "" for part in (_part(name, PARTS) for name in names)]

    @cached_property
    def dotted(self) -> list[str]:
        """The last two names of every dotted expression: `datetime.datetime.now` is `datetime.now`."""
        attributes = (node for node in self.nodes if isinstance(node, ast.Attribute))
        return [".".join(ast.unparse(node).split(".")[-2:]) for node in attributes]


Rule = Callable[[Module], Iterator[str]]


def imports_point_inward(module: Module) -> Iterator[str]:
    for part in set(module.imported_parts):
        if _row(part) < _row(module.part):
            yield f"row {_row(module.part)} imports app.{part}, row {_row(part)}"


def every_part_has_a_row(module: Module) -> Iterator[str]:
    if module.part.split(".")[0] not in ROWS:
        yield f"app.{module.part} stands in no row"


def only_wiring_chooses(module: Module) -> Iterator[str]:
    for part in set(module.imported_parts) & CHOSEN_BY_WIRING:
        if module.part not in {part, "features", "wiring"}:
            yield f"imports app.{part}, which app.wiring and features alone choose"


def features_are_reached_by_their_tuple(module: Module) -> Iterator[str]:
    own = ".".join(module.name.split(".")[:3])
    for name in module.imports:
        named = ".".join(name.split(".")[:3])
        if not named.startswith("app.features"):
            continue
        by_tuple = named in {"app.features", "app.features.FEATURES"} and _row(module.part) == 1
        if not (by_tuple or module.name == "app.features" or named == own):
            yield f"imports {name}, which app.features alone names"


def only_settings_read_the_environment(module: Module) -> Iterator[str]:
    if module.part != "settings":
        yield from (f"reads {name}" for name in {*module.dotted, *module.imports} & ENVIRONMENT)


def only_the_transaction_commits(module: Module) -> Iterator[str]:
    if module.name not in {"app.store.db", "app.store.sqlite"}:
        yield from (f"commits in line {call.lineno}" for call in _calls(module.nodes, {"commit"}))


def only_the_clock_tells_the_time(module: Module) -> Iterator[str]:
    if module.name != "app.clock":
        yield from (f"asks {name}" for name in module.dotted if name in WALL_CLOCK)


def nothing_waits_on_the_network_with_the_database_open(module: Module) -> Iterator[str]:
    for node in module.nodes:
        with_db = isinstance(node, Function) and _takes_db(node)
        with_block = isinstance(node, ast.With) and any(_opens_database(item) for item in node.items)
        if with_db or with_block:
            for call in _calls(ast.walk(node), WAITS_ON_THE_NETWORK):
                yield f"line {call.lineno} waits on the network while the database is open"


def only_clients_speak_http(module: Module) -> Iterator[str]:
    if module.part in {"clients", "embeddings", "delivery.twilio", "features"}:
        return
    for name in module.imports:
        if any(name == library or name.startswith(f"{library}.") for library in SPEAKS_HTTP):
            yield f"imports {name}"


def names_say_what_is_inside(module: Module) -> Iterator[str]:
    vague = [part for part in module.name.split(".") if VAGUE.search(part)]
    yield from (f"{part} says nothing" for part in vague)
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and re.search(r"(Utils?|Helpers?|Manager|V\d)$", node.name):
            yield f"class {node.name} says nothing"


def docstrings_begin_with_their_subject(module: Module) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            first = (ast.get_docstring(node) or "").partition(" ")[0]
            if first in HEADLESS:
                name = "the module" if isinstance(node, ast.Module) else node.name
                yield f"{name} is described from its {first!r} on; begin with the thing"


def files_are_short(module: Module) -> Iterator[str]:
    lines = module.source.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"has {lines} lines; {MAX_FILE_LINES} are enough"


def functions_are_short(module: Module) -> Iterator[str]:
    if module.name.startswith(("migrations.", "tests.")):
        return  # A table is as long as its columns, and a story of seven days as long as the days.
    for node in module.nodes:
        if isinstance(node, Function) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{node.name} has {lines} lines; {MAX_FUNCTION_LINES} are enough"


def _takes_db(function: Function) -> bool:
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any(
        argument.arg == "db" or (argument.annotation is not None and ast.unparse(argument.annotation) == "Session")
        for argument in arguments
    )


def _opens_database(item: ast.withitem) -> bool:
    call = item.context_expr
    return isinstance(call, ast.Call) and ast.unparse(call.func).endswith((".transaction", ".reading"))


def _calls(nodes: Iterable[ast.AST], methods: set[str]) -> Iterator[ast.Call]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
            yield node


RULES_OF_APP: tuple[Rule, ...] = (
    every_part_has_a_row,
    imports_point_inward,
    only_wiring_chooses,
    features_are_reached_by_their_tuple,
    only_settings_read_the_environment,
    only_the_transaction_commits,
    only_the_clock_tells_the_time,
    nothing_waits_on_the_network_with_the_database_open,
    only_clients_speak_http,
    docstrings_begin_with_their_subject,
)
RULES = (*RULES_OF_APP, names_say_what_is_inside, files_are_short, functions_are_short)

BREAKS: list[tuple[Rule, str, str]] = [
    (every_part_has_a_row, "app.chat", ""),
    (imports_point_inward, "app.memory.recall", "from app.conversation import turn"),
    (imports_point_inward, "app.services", "import app.models"),
    (imports_point_inward, "app.store.db", "def late():\n    from app.models import Fact"),
    (only_wiring_chooses, "app.web.sms", "from app.delivery.twilio.send import TwilioCarrier"),
    (only_wiring_chooses, "app.conversation.turn", "from app import background"),
    (features_are_reached_by_their_tuple, "app.web.sms", "from app.features.weather import WEATHER"),
    (features_are_reached_by_their_tuple, "app.conversation.loop", "from app.features import FEATURES"),
    (features_are_reached_by_their_tuple, "app.features.weather", "from app.features.offline import model"),
    (docstrings_begin_with_their_subject, "app.people", '"""Who texts."""'),
    (docstrings_begin_with_their_subject, "app.people", 'def f():\n    """Whether they text."""'),
    (only_settings_read_the_environment, "app.web.sms", "import os\nos.environ['A']"),
    (only_settings_read_the_environment, "app.web.sms", "from os import getenv"),
    (only_the_transaction_commits, "app.people", "def add(db):\n    db.commit()"),
    (only_the_clock_tells_the_time, "app.people", "from datetime import datetime\ndatetime.now()"),
    (only_the_clock_tells_the_time, "app.people", "import time\ntime.time()"),
    (
        nothing_waits_on_the_network_with_the_database_open,
        "app.conversation.loop",
        "def f(db: Session, model):\n    model.complete(1)",
    ),
    (
        nothing_waits_on_the_network_with_the_database_open,
        "app.conversation.loop",
        "def f(services):\n    with services.transaction() as db:\n        services.model.complete(1)",
    ),
    (only_clients_speak_http, "app.web.sms", "import requests"),
    (names_say_what_is_inside, "app.web.utils", ""),
    (names_say_what_is_inside, "app.memory.recall", "class MemoryManager: ..."),
    (files_are_short, "app.web.sms", "\n" * 401),
    (functions_are_short, "app.web.sms", "def f():\n" + "    f()\n" * 60),
]


@cache
def modules() -> list[Module]:
    paths = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))
    named = ((".".join(path.relative_to(ROOT).with_suffix("").parts), path) for path in paths)
    return [Module(name.removesuffix(".__init__"), path.read_text()) for name, path in named]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule: Rule) -> None:
    held = [one for one in modules() if rule not in RULES_OF_APP or one.name.split(".")[0] == "app"]
    assert [f"{module.name}: {how}" for module in held for how in rule(module)] == []


@pytest.mark.parametrize(("rule", "name", "source"), BREAKS)
def test_the_rule_bites(rule: Rule, name: str, source: str) -> None:
    assert list(rule(Module(name, source)))


def test_few_files_stand_at_the_root() -> None:
    assert {path.stem for path in (ROOT / "app").glob("*.py")} == ROOT_FILES


def test_every_rule_is_shown_to_bite() -> None:
    assert {rule for rule, _, _ in BREAKS} == set(RULES)


def test_the_rules_see_the_whole_tree() -> None:
    names = {module.name for module in modules()}
    assert {"app", "app.store.db", "app.web.sms", "tests.test_architecture", "migrations.env"} <= names
    seen = Module(
        "app.web.sms", "import app.services\nfrom app import people\nfrom app.store.db import Base\nfrom app import x"
    )
    assert seen.imported_parts == ["services", "people", "store", ""]
