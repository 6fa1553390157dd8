"""A Dockerfile's instructions, as a builder reads them: enough of its language for ours, and an error for the rest."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "deploy" / "Dockerfile"

KNOWN = {"ARG", "FROM", "RUN", "COPY", "ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}


@dataclass(frozen=True)
class Instruction:
    """One of a stage."""

    name: str
    text: str
    """What follows the name, in one line."""

    @property
    def command(self) -> list[str]:
        """What RUN or CMD has executed: the words of the exec form, or a shell with the line."""
        return json.loads(self.text) if self.text.startswith("[") else ["/bin/sh", "-c", self.text]


@dataclass
class Stage:
    """All instructions from one FROM to the next."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def last(self, name: str) -> Instruction:
        """The one of that name that holds."""
        return [one for one in self.instructions if one.name == name][-1]

    def environment(self) -> dict[str, str]:
        texts = [one.text for one in self.instructions if one.name == "ENV"]
        return dict(re.findall(r"(\w+)=(\S+)", " ".join(texts)))


def read(path: Path = DOCKERFILE) -> list[Stage]:
    """Its stages, the last of which is the image."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
    stages: list[Stage] = []
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        name, _, text = line.partition(" ")
        if name not in KNOWN:
            raise ValueError(f"{name} is no instruction that is known here: {line}")
        if name == "FROM":
            stages.append(Stage(text.partition(" AS ")[2]))
        elif stages:
            stages[-1].instructions.append(Instruction(name, text.strip()))
    return stages


def is_sent(path: str, ignored: Path = ROOT / ".dockerignore") -> bool:
    """Whether a file or folder at the top of the tree is sent to the builder: the last pattern that fits decides."""
    sent = True
    for pattern in (line for line in ignored.read_text().splitlines() if line and not line.startswith("#")):
        if pattern.removeprefix("!") in {"*", path}:
            sent = pattern.startswith("!")
    return sent
