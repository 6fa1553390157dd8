"""Attacks through the address of a picture, and their outcome."""

import gzip
import io
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import closing

import pytest
from PIL import Image

from app.errors import MediaError
from app.features.pictures.twilio_media import MAX_BYTES, TwilioMedia, read_picture
from tests.file_servers import File, MediaServer, picture, redirect
from tests.tables import rows
from tests.twilio_server import ACCOUNT_SID, twilio_settings

PATH = f"/2010-04-01/Accounts/{ACCOUNT_SID}/Messages/MM{'1' * 32}/Media/ME{'1' * 32}"
TWILIO = f"https://api.twilio.com{PATH}"
ADDRESSES = [*rows("never_fetched.txt"), "https://\u0000evil.example/", "https://" + "a" * 3000 + ".example/"]


@pytest.fixture
def victim() -> Iterator[MediaServer]:
    """Another service of this machine, which nobody outside is to reach."""
    with MediaServer() as server:
        server.files["/files/1"] = File(picture())
        yield server


def fetch(url: str, api_url: str = "https://api.twilio.com", seconds: float = 5.0) -> bytes:
    with closing(TwilioMedia(twilio_settings(twilio_api_url=api_url))) as media:
        return media.picture(url, seconds)


@pytest.mark.parametrize("address", ADDRESSES)
def test_r97_an_address_that_is_not_twilios_is_never_asked_and_no_redirect_to_it_is_followed(
    address: str, files: MediaServer, victim: MediaServer
) -> None:
    evil = address.format(port=victim.port)
    with pytest.raises(MediaError):
        fetch(evil)
    with pytest.raises(MediaError):
        fetch(files.put(redirect(evil.replace("\0", "%00"))), files.url)  # No header can hold it as it is.
    assert (victim.asked, len(files.asked)) == ([], 1)


@pytest.mark.parametrize(
    "inner", ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::ffff:10.0.0.1", "::1", "fd00:ec2::254"]
)
@pytest.mark.parametrize("among", [[], ["54.172.60.1"]])
def test_r97_a_name_of_twilios_that_leads_into_our_network_is_not_connected(inner: str, among: list[str]) -> None:
    source = TwilioMedia(twilio_settings(), lookup=lambda *_: [*among, inner])
    with closing(source) as media, pytest.raises(MediaError, match="not public"):
        media.picture(TWILIO, 5.0)


def test_r97_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(files: MediaServer) -> None:
    """A resolver that answers otherwise the second time finds nobody who asks a second time."""
    asked: list[str] = []

    def rebinding(host: str, port: int, seconds: float) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    files.put(File(picture()))
    url = f"http://twilio.test:{files.port}"
    with closing(TwilioMedia(twilio_settings(twilio_api_url=url), lookup=rebinding)) as media:
        media.picture(f"{url}{PATH[:-32]}{1:032x}", 5.0)
    assert asked == ["twilio.test"]
    assert files.asked[0].headers["host"] == f"twilio.test:{files.port}"


def test_r97_a_file_host_in_our_network_is_not_connected_to_as_the_api(files: MediaServer, victim: MediaServer) -> None:
    cdn = f"http://cdn.test:{victim.port}/files/"
    settings = twilio_settings(twilio_api_url=f"http://twilio.test:{files.port}")
    path = files.put(redirect(f"{cdn}1")).removeprefix(files.url)
    source = TwilioMedia(settings, lookup=lambda *_: ["127.0.0.1"], file_hosts=(cdn,))
    with closing(source) as media, pytest.raises(MediaError, match=r"cdn\.test has the address 127\.0\.0\.1"):
        media.picture(f"{settings.twilio_api_url}{path}", 5.0)
    assert victim.asked == []


def test_r97_a_name_without_an_address_is_told() -> None:
    source = TwilioMedia(twilio_settings(), lookup=lambda *_: [])
    with closing(source) as media, pytest.raises(MediaError, match="could not be fetched"):
        media.picture(TWILIO, 5.0)


@pytest.mark.parametrize(
    "file",
    [File(b"x", headers={"Content-Length": "2147483648"}), File(b"x" * 65536, endless=True)],
    ids=["2 GB", "without end"],
)
def test_r97_a_body_of_gigabytes_is_read_no_further_than_the_limit(files: MediaServer, file: File) -> None:
    with pytest.raises(MediaError, match="5,242,880 bytes"):
        fetch(files.put(file), files.url)
    assert files.sent_bytes < 4 * MAX_BYTES  # What lies in the sockets' buffers comes on top.


@pytest.mark.parametrize("hops", [0, 2])
def test_r97_a_drip_ends_when_the_time_is_over(files: MediaServer, hops: int) -> None:
    address = files.put(File(b"x" * 10_000, drips=True), 9)
    for number in range(hops):
        address = files.put(redirect(address), number)
    began = time.monotonic()
    with pytest.raises(MediaError, match="in time"):
        fetch(address, files.url, seconds=0.5)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "x-gzip"])
def test_r97_a_gzip_bomb_is_not_unpacked(files: MediaServer, encoding: str) -> None:
    bomb = gzip.compress(b"\0" * 50 * 1024 * 1024)
    with pytest.raises(MediaError, match="compressed"):
        fetch(files.put(File(bomb, headers={"Content-Encoding": encoding})), files.url)


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 1024 * 1024)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(60_000, 60_000), (8_000, 7_000), (5_100, 5_100)])
def test_r97_a_png_of_too_many_pixels_is_refused_by_its_header(files: MediaServer, size: tuple[int, int]) -> None:
    with pytest.raises(MediaError, match="pixels") as raised:
        fetch(files.put(File(png_that_claims(*size), "image/png")), files.url)
    assert raised.value.as_told == "a picture that was too large to open"


def gif_that_claims(size: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", size, size) + picture("GIF")[10:]


def truncated() -> bytes:
    return picture("PNG", (500, 500))[:200]


SCRIPT = b"<script>fetch('https://evil.example')</script>"


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml"),
        (b"<!doctype html>" + SCRIPT, "image/jpeg"),
        (b"%PDF-1.7\n" + SCRIPT, "image/png"),
        (b"", "image/jpeg"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 100, "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "image/png"),
        (truncated(), "image/png"),
        (picture("TIFF"), "image/tiff"),
        (picture("BMP"), "image/bmp"),
        (picture("ICO"), "image/x-icon"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "application/postscript"),
        (gif_that_claims(65_535), "image/gif"),
        (gzip.compress(picture()), "image/jpeg"),
    ],
    ids=lambda given: given if isinstance(given, str) else None,
)
def test_r97_what_is_no_picture_of_a_phone_is_refused(files: MediaServer, content: bytes, content_type: str) -> None:
    with pytest.raises(MediaError):
        fetch(files.put(File(content, content_type)), files.url)


def test_r97_what_hides_behind_a_pictures_end_does_not_come_through() -> None:
    shown = read_picture(picture("JPEG", (64, 48), comment=SCRIPT) + b"PK\x03\x04" + SCRIPT, 10.0)
    assert SCRIPT not in shown
    assert b"PK\x03\x04" not in shown
    assert Image.open(io.BytesIO(shown)).size == (64, 48)
