"""Real proxies before a Keepsake on this machine, each as somebody may have set it up."""

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
"""Where `deploy/nginx.conf` looks for Keepsake: the one thing of it that a test puts in its place."""

Proxy = Callable[[int], AbstractContextManager[int]]
"""Takes Keepsake's port, and runs until the block ends; the block gets the proxy's own port."""

# Since 1.29.7 nginx leaves the connection open by itself; before, it has to be told not to say "close".
HTTP_1_1 = 'proxy_http_version 1.1;\nproxy_set_header Connection "";'
HEADER_LINES = """
proxy_set_header Host $host;
proxy_set_header X-Forwarded-Host $host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
proxy_set_header X-Forwarded-Proto $scheme;
"""


def program(name: str) -> str:
    """Where the program is."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found is not None, f"{name} is not installed: sh tests/install_programs.sh"
    return found


@contextmanager
def running(command: Callable[[int, Path], Sequence[str]], ready: str, **environment: str) -> Iterator[int]:
    """The port of a program, from the moment at which it prints that it listens; it ends with the block.

    `command` is made of the port and of an empty folder.
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
    """nginx in one process, with these lines in its only server block; `KEEPSAKE` in them is where Keepsake is."""

    def command(port: int, folder: Path) -> list[str]:
        # Its temporary files would be where only root may write.
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

    return running(command, "event method")  # Printed once the port is its own.


def handed_on(lines: str) -> Proxy:
    """nginx that hands all on, with these lines besides."""
    return partial(nginx, f"location / {{\nproxy_pass http://KEEPSAKE;\n{lines}\n}}")


def nginx_as_deployed(upstream: int) -> AbstractContextManager[int]:
    """nginx with `deploy/nginx.conf`."""
    lines = (DEPLOY / "nginx.conf").read_text()
    assert lines.count(KEEPSAKE_OF_THE_FILE) == 1
    return nginx(lines.replace(KEEPSAKE_OF_THE_FILE, "KEEPSAKE"), upstream)


def caddy(config: str, upstream: int) -> AbstractContextManager[int]:
    """Caddy with that Caddyfile."""

    def command(port: int, folder: Path) -> list[str]:
        # Its own door for orders stays shut: two tests at once would meet there.
        options = f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port {port}\n}}\n"
        path = folder / "Caddyfile"
        path.write_text(options + config)
        return [program("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"]

    given = {"PUBLIC_URL": f"http://{SITE}", "KEEPSAKE": f"127.0.0.1:{upstream}"}
    return running(command, "serving initial configuration", **given)


def relay(upstream: int) -> AbstractContextManager[int]:
    """Whatever comes, byte for byte, as `ssh -R`, stunnel or a load balancer hands it on."""

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
"""Those that hand everything on: Keepsake alone says who may have what."""

DEPLOYED: dict[str, Proxy] = {
    "nginx, `deploy/nginx.conf`": nginx_as_deployed,
    "Caddy, `deploy/Caddyfile`": partial(caddy, (DEPLOY / "Caddyfile").read_text()),
}
"""Those of `deploy/`."""

PROXIES = OPEN | DEPLOYED
