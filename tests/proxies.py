"""Real proxies in front of a local Keepsake, in the set-ups that operators may have."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.forking import ROOT
from tests.loopback import HeldPort

SITE = "keepsake.example.org"
DEPLOY = ROOT / "deploy"
KEEPSAKE_OF_THE_FILE = "127.0.0.1:8080"
"""Keepsake's address in `deploy/nginx.conf`: the only part of the file that a test replaces."""

Proxy = Callable[[int], AbstractContextManager[int]]
"""Takes Keepsake's port, and runs until the block ends; the block gets the proxy's own port."""

# From 1.29.7 on nginx keeps the connection open by default; before, it has to be told not to send "close".
HTTP_1_1 = 'proxy_http_version 1.1;\nproxy_set_header Connection "";'
HEADER_LINES = """
proxy_set_header Host $host;
proxy_set_header X-Forwarded-Host $host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
proxy_set_header X-Forwarded-Proto $scheme;
"""


def program(name: str) -> str:
    """The path of the program."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found is not None, f"{name} is not installed: sh tests/install_programs.sh"
    return found


@contextmanager
def running(command: Callable[[int, Path], Sequence[str]], ready: str, **environment: str) -> Iterator[int]:
    """Run a program during the block, and yield its port once it has printed `ready`.

    `command` gets the port and an empty folder.
    """
    printed: list[str] = []
    with HeldPort() as port, TemporaryDirectory() as folder:
        given = {"PATH": os.environ["PATH"], "HOME": folder, **environment}
        arguments = command(port, Path(folder))
        with subprocess.Popen(arguments, cwd=folder, env=given, stderr=subprocess.PIPE, text=True) as process:
            try:
                for line in process.stderr or ():
                    printed.append(line)
                    if ready in line:
                        yield port
                        return
            finally:
                process.kill()
    raise AssertionError("".join(printed))


def nginx(locations: str, upstream: int) -> AbstractContextManager[int]:
    """nginx in one process, with these lines in its only server block; `KEEPSAKE` in them stands for its address."""

    def command(port: int, folder: Path) -> list[str]:
        # By default its temporary files are in folders that only root may write.
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        server = f"server {{\nlisten 127.0.0.1:{port};\nserver_name {SITE};\n{locations}\n}}"
        config = folder / "nginx.conf"
        config.write_text(
            f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log stderr notice;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}{server.replace('KEEPSAKE', f'127.0.0.1:{upstream}')}\n}}\n"
        )
        return [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(config)]

    return running(command, "event method")  # nginx prints this once it has the port.


def handed_on(lines: str) -> Proxy:
    """nginx that forwards everything, with these additional lines."""
    return partial(nginx, f"location / {{\nproxy_pass http://KEEPSAKE;\n{lines}\n}}")


def nginx_as_deployed(upstream: int) -> AbstractContextManager[int]:
    """nginx with `deploy/nginx.conf`."""
    lines = (DEPLOY / "nginx.conf").read_text()
    assert lines.count(KEEPSAKE_OF_THE_FILE) == 1
    return nginx(lines.replace(KEEPSAKE_OF_THE_FILE, "KEEPSAKE"), upstream)


def caddy(config: str, upstream: int) -> AbstractContextManager[int]:
    """Caddy with that Caddyfile."""

    def command(port: int, folder: Path) -> list[str]:
        # Its admin port stays closed, because two tests at once would collide there.
        options = f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port {port}\n}}\n"
        path = folder / "Caddyfile"
        path.write_text(options + config)
        return [program("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"]

    given = {"PUBLIC_URL": f"http://{SITE}", "KEEPSAKE": f"127.0.0.1:{upstream}"}
    return running(command, "serving initial configuration", **given)


def relay(upstream: int) -> AbstractContextManager[int]:
    """A relay that forwards byte for byte, as `ssh -R`, stunnel or a load balancer does."""

    def command(port: int, _: Path) -> list[str]:
        here = f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork"
        return [program("socat"), "-d", "-d", here, f"TCP:127.0.0.1:{upstream}"]

    return running(command, "listening on")


OPEN: dict[str, Proxy] = {
    "nginx, HTTP/1.0, no header lines: its default before 1.29.7": handed_on("proxy_http_version 1.0;"),
    "nginx, HTTP/1.0, `Host $host` and `X-Forwarded-…`": handed_on(f"proxy_http_version 1.0;\n{HEADER_LINES}"),
    "nginx, HTTP/1.1, no header lines: its default since 1.29.7": handed_on(HTTP_1_1),
    "nginx, HTTP/1.1, `Host $host`": handed_on(f"{HTTP_1_1}\nproxy_set_header Host $host;"),
    "nginx, HTTP/1.1, `Host $host` and `X-Forwarded-…`": handed_on(f"{HTTP_1_1}\n{HEADER_LINES}"),
    "a TCP relay (socat)": relay,
    "Caddy, `reverse_proxy` alone": partial(caddy, "http:// {\n\treverse_proxy {$KEEPSAKE}\n}\n"),
}
"""Proxies that forward everything, so that only Keepsake controls access."""

DEPLOYED: dict[str, Proxy] = {
    "nginx, `deploy/nginx.conf`": nginx_as_deployed,
    "Caddy, `deploy/Caddyfile`": partial(caddy, (DEPLOY / "Caddyfile").read_text()),
}
"""Proxies with the configurations in `deploy/`."""

PROXIES = OPEN | DEPLOYED
