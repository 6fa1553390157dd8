"""`make container`: carries out `deploy/Dockerfile`, starts the result as in production, and tests it.

It needs root on Linux, and uses a chroot instead of a container engine: RUN and COPY work on an overlay of a base
system that replaces the image of FROM. Then CMD runs as USER, with a read-only root file system, without capabilities,
and with VOLUME as the only persistent place.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from tests.loopback import HeldPort

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "deploy" / "Dockerfile"

KNOWN = {"ARG", "FROM", "RUN", "COPY", "ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}

FOLDER = "KEEPSAKE_CONTAINER_FOLDER"  # Names the working folder of the process in its own mount namespace.
START_SECONDS = 120.0
PATHS = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
CAPABILITIES = ("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--clear-groups")
HANDED_ON = ("PIP_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE")
"""Variables about access to a package index that the build gets; none of them stays in the image."""

ALEX = "+12065550100"


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile."""

    name: str
    text: str  # The rest of the instruction, in one line.

    @property
    def command(self) -> list[str]:
        """The command of RUN or CMD: the words of the exec form, or a shell with the line."""
        return json.loads(self.text) if self.text.startswith("[") else ["/bin/sh", "-c", self.text]


@dataclass
class Stage:
    """All instructions from one FROM to the next."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def last(self, name: str) -> Instruction:
        """The last instruction of that name, which is the one in effect."""
        return [one for one in self.instructions if one.name == name][-1]

    def environment(self) -> dict[str, str]:
        texts = [one.text for one in self.instructions if one.name == "ENV"]
        return dict(re.findall(r"(\w+)=(\S+)", " ".join(texts)))


def read(path: Path = DOCKERFILE) -> list[Stage]:
    """The stages of the Dockerfile; the last is the image."""
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
    """True if a top-level file or folder is sent to the builder; the last matching pattern decides."""
    sent = True
    for pattern in (line for line in ignored.read_text().splitlines() if line and not line.startswith("#")):
        if pattern.removeprefix("!") in {"*", path}:
            sent = pattern.startswith("!")
    return sent


class Chroot:
    """Carries out the Dockerfile's steps in a mount namespace that ends with this process."""

    def __init__(self, port: int, folder: Path, base: Path, binds: Sequence[Path]) -> None:
        self._port = port
        self._folder = folder
        self._base = base
        self._binds = binds
        self._stages = read()
        self._roots: dict[str, Path] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def build(self) -> None:
        for number, stage in enumerate(self._stages):
            root = self._overlay(str(number))
            self._roots[stage.name] = root
            self._carry_out(stage, root)
        self._harden(self._roots[self._stages[-1].name])

    def start(self) -> None:
        self._process = subprocess.Popen(self._as_user(self._stages[-1].last("CMD").command))

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command beside the running container, as the image's user."""
        return subprocess.run(self._as_user(command), check=False, capture_output=True, text=True)

    def health(self) -> int:
        """The exit code of the health check."""
        return self.run(*health_check(self._stages[-1])).returncode

    def stop(self) -> int:
        """Send SIGTERM to the running command, and return its exit code."""
        if self._process is None:
            return 0
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=30)

    def _overlay(self, name: str) -> Path:
        upper, work, root = (self._folder / f"{part}{name}" for part in ("upper", "work", "root"))
        for one in (upper, work, root):
            one.mkdir()
        options = f"lowerdir={self._base},upperdir={upper},workdir={work}"
        mount("-t", "overlay", "overlay", "-o", options, str(root))
        for inside in ("proc", "dev"):
            mount("--rbind", f"/{inside}", str(root / inside))
        return root

    def _carry_out(self, stage: Stage, root: Path) -> None:
        folder = Path("/")
        given = [f"{name}={value}" for name, value in os.environ.items() if name.startswith(HANDED_ON)]
        bound = [root / one.relative_to("/") for one in self._binds]
        for source, target in zip(self._binds, bound, strict=True):
            (target if source.is_dir() else target.parent).mkdir(parents=True, exist_ok=True)
            if not source.is_dir():
                target.touch()
            mount("--bind", str(source), str(target))
        for step in stage.instructions:
            match step.name:
                case "WORKDIR":
                    folder = folder / step.text
                    (root / folder.relative_to("/")).mkdir(parents=True, exist_ok=True)
                case "COPY":
                    self._copy(step.text.split(), root, folder)
                case "RUN":
                    click.echo(f"RUN {' '.join(step.command)[:100]}")
                    inside = ["env", "-i", "-C", str(folder), PATHS, *given]
                    subprocess.run(["chroot", str(root), *inside, *step.command], check=True)
        for target in reversed(bound):
            subprocess.run(["umount", str(target)], check=True)

    def _copy(self, words: list[str], root: Path, folder: Path) -> None:
        source = ROOT
        if words[0].startswith("--from="):
            source = self._roots[words.pop(0).removeprefix("--from=")]
        *names, to = words
        for name in names:
            if source is ROOT and not is_sent(name):
                raise FileNotFoundError(f".dockerignore keeps {name} from the builder.")
            found, target = source / name.lstrip("/"), root / (folder / to).relative_to("/")
            if found.is_dir():
                ignored = shutil.ignore_patterns("__pycache__") if source is ROOT else None
                shutil.copytree(found, target, symlinks=True, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(found, target)

    def _harden(self, root: Path) -> None:
        volume = root / "app/instance"
        kept = self._folder / "volume"
        shutil.copytree(volume, kept)  # An engine fills a new volume with the image's files and owner, too.
        owner = volume.stat()
        os.chown(kept, owner.st_uid, owner.st_gid)
        mount("-o", "remount,ro", str(root))
        mount("--bind", str(kept), str(volume))
        mount("-t", "tmpfs", "-o", "mode=1777,size=64m", "tmpfs", str(root / "tmp"))

    def _as_user(self, command: Sequence[str]) -> list[str]:
        last = self._stages[-1]
        user, _, group = last.last("USER").text.partition(":")
        given = {**last.environment(), "PORT": str(self._port)}
        root = str(self._roots[last.name])
        limited = ["setpriv", f"--reuid={user}", f"--regid={group}", *CAPABILITIES]
        inside = ["env", "-i", "-C", last.last("WORKDIR").text, *(f"{name}={value}" for name, value in given.items())]
        return ["chroot", root, *limited, *inside, *command]


def health_check(stage: Stage) -> list[str]:
    """The command of HEALTHCHECK."""
    return Instruction("CMD", stage.last("HEALTHCHECK").text.partition("CMD ")[2]).command


def mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def check(what: str, holds: bool) -> None:
    click.echo(f"{'ok  ' if holds else 'FAIL'}  {what}")
    if not holds:
        sys.exit(1)


def become_healthy(image: Chroot) -> None:
    until = time.monotonic() + START_SECONDS
    while image.health() != 0:
        if time.monotonic() > until:
            check(f"healthy within {START_SECONDS:.0f} s", holds=False)
        time.sleep(1)
    check("the health check passes", holds=True)


def try_out(image: Chroot) -> None:
    """Start the image, use it, stop it, and start it again."""
    image.start()
    become_healthy(image)
    who = image.run("id", "-u").stdout.strip()
    check(f"it runs as user {who}, not as root", who not in {"", "0"})
    status = image.run("cat", "/proc/self/status").stdout
    check("it has no capability", "CapEff:\t0000000000000000" in status and "CapBnd:\t0000000000000000" in status)
    check("it can gain none", "NoNewPrivs:\t1" in status)
    check("its own files cannot be written", image.run("touch", "/app/app/new.py").returncode != 0)
    check("nor the rest of the root", image.run("touch", "/new").returncode != 0)
    answered = image.run("keepsake", "text", "My dog is called Max", "--from", ALEX)
    check(f"a text is answered: {answered.stdout.strip()[:60]}", answered.returncode == 0)
    made = image.run("keepsake", "backup", "instance/tried.backup")
    check(f"a backup is made: {(made.stdout or made.stderr).strip()}", made.returncode == 0)
    check("it ends when asked, with exit code 0", image.stop() == 0)
    check("the health check fails then", image.health() != 0)
    image.start()
    become_healthy(image)
    check("what it was told is still there", "Max" in image.run("keepsake", "facts", "list").stdout)


def base_system(folder: Path) -> Path:
    """A new Debian with its Python, which replaces the image of FROM."""
    base = folder / "base"
    wanted = "--include=python3,python3-venv,ca-certificates"
    subprocess.run(["debootstrap", "--variant=minbase", wanted, "bookworm", str(base)], check=True)
    return base


@click.command()
@click.option("--base", type=click.Path(path_type=Path), help="The base system of the chroot. [default: debootstrap's]")
@click.option("--bind", "binds", multiple=True, type=click.Path(path_type=Path), help="Seen by the build alone.")
def main(base: Path | None, binds: tuple[Path, ...]) -> None:
    """Build the image and try it."""
    if os.geteuid() != 0 or not sys.platform.startswith("linux"):
        sys.exit("The Dockerfile's steps in a chroot take root on Linux: run this as root.")
    if FOLDER not in os.environ:
        with tempfile.TemporaryDirectory(prefix="keepsake-container-") as made:
            # The mounts belong to the child and end with it, so the folder is removed without them.
            apart = ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.orig_argv[1:]]
            sys.exit(subprocess.run(apart, env={**os.environ, FOLDER: made}, check=False).returncode)
    folder, held = Path(os.environ[FOLDER]), HeldPort()
    base = base or base_system(folder)
    python = base / "usr/local/bin/python"
    if not python.exists():
        python.symlink_to("/usr/bin/python3")
    network = [one for one in (Path("/etc/resolv.conf"), Path("/etc/ssl/certs")) if one.exists()]
    image = Chroot(held.number, folder, base, [*network, *binds])
    image.build()
    try:
        try_out(image)
    finally:
        image.stop()


if __name__ == "__main__":
    main()
