"""Files fetched from a hostile server of this machine; what is fetched, from where, and with whose key."""

import base64
import io
from collections.abc import Iterator
from contextlib import closing

import pytest
from PIL import Image

from app.errors import MediaError
from app.features.pictures.files import picture_source
from app.features.pictures.reader import LONG_SIDE, MAX_JPEG_BYTES, MAX_SCANS
from app.features.pictures.twilio_media import FILE_HOSTS, TwilioMedia, read_picture
from app.settings import Settings
from app.text.hosts import is_public
from app.wiring import build_services
from tests.file_servers import File, MediaServer, picture, redirect
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, twilio_settings

ME = f"/2010-04-01/Accounts/{ACCOUNT_SID}/Messages/MM{'1' * 32}/Media/ME{'1' * 32}"
BASIC = "Basic " + base64.b64encode(f"{ACCOUNT_SID}:{AUTH_TOKEN}".encode()).decode()


@pytest.fixture
def cdn() -> Iterator[MediaServer]:
    with MediaServer() as server:
        yield server


def fetch(server: MediaServer, url: str, cdn: MediaServer | None = None, **given: str) -> bytes:
    hosts = (*FILE_HOSTS, *([f"{cdn.url}/files/"] if cdn else []))
    with closing(TwilioMedia(twilio_settings(twilio_api_url=server.url, **given), file_hosts=hosts)) as media:
        return media.picture(url, 10.0)


def opened(jpeg: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(jpeg))
    image.load()
    return image


def test_a_picture_is_fetched_with_the_auth_token_or_the_api_key_and_comes_as_a_jpeg(files: MediaServer) -> None:
    shown = fetch(files, files.put(File(picture("PNG"), "image/png")))
    assert (opened(shown).format, opened(shown).size) == ("JPEG", (64, 48))
    assert files.asked[0].headers["authorization"] == BASIC
    assert files.asked[0].headers["accept-encoding"] == "identity"
    key = "SK" + "2e" * 16
    fetch(files, files.put(File(picture())), twilio_api_key=key, twilio_api_secret="the-secret")
    login = files.asked[1].headers["authorization"].removeprefix("Basic ")
    assert base64.b64decode(login) == f"{key}:the-secret".encode()


def test_a_redirect_to_twilios_files_is_followed_without_credentials(files: MediaServer, cdn: MediaServer) -> None:
    cdn.files["/files/abc"] = File(picture())
    shown = fetch(files, files.put(redirect(f"{cdn.url}/files/abc?Expires=1&Signature=x")), cdn=cdn)
    assert opened(shown).size == (64, 48)
    assert cdn.asked[0].path == "/files/abc?Expires=1&Signature=x"
    assert "authorization" not in cdn.asked[0].headers


def test_who_is_redirected_away_and_back_gets_no_credentials_any_more(files: MediaServer, cdn: MediaServer) -> None:
    second = files.put(File(picture()), 2)
    cdn.files["/files/abc"] = redirect(second)
    with pytest.raises(MediaError, match="no host of Twilio's files"):
        fetch(files, files.put(redirect(f"{cdn.url}/files/abc")), cdn=cdn)
    assert len(files.asked) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/other/file",
        ME.replace(ACCOUNT_SID, "AC" + "9" * 32),
        f"/2010-04-01/Accounts/{ACCOUNT_SID}/../AC{'9' * 32}/Media/ME1",
        f"/2010-04-01/Accounts/{ACCOUNT_SID}/%2e%2e/AC{'9' * 32}/Media/ME1",
        f"/2010-04-01/Accounts/{ACCOUNT_SID}/..%2f..%2fAC{'9' * 32}",
    ],
)
def test_of_the_api_only_our_own_account_is_asked(files: MediaServer, path: str) -> None:
    with pytest.raises(MediaError, match="not Twilio's API for this account"):
        fetch(files, files.url + path)
    assert files.asked == []


def test_a_redirect_within_the_api_keeps_them_and_three_are_the_most(files: MediaServer) -> None:
    for number in range(1, 4):
        files.put(redirect(ME[:-32] + f"{number + 1:032x}"), number)
    files.put(File(picture()), 4)
    assert opened(fetch(files, files.url + ME[:-32] + f"{1:032x}"))
    assert [asked.headers["authorization"] for asked in files.asked] == [BASIC] * 4
    files.put(redirect(ME[:-32] + f"{1:032x}"), 4)
    with pytest.raises(MediaError, match="answered with HTTP 307"):
        fetch(files, files.url + ME[:-32] + f"{1:032x}")
    assert len(files.asked) == 8


def test_a_file_that_is_cut_off_is_no_picture(files: MediaServer) -> None:
    with pytest.raises(MediaError, match="could not be fetched"):
        fetch(files, files.put(File(picture(), cut=True)))


OURS = """127.0.0.1 127.8.9.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 240.0.0.1
    255.255.255.255 192.0.2.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1
    ::ffff:169.254.169.254 64:ff9b::a00:1 64:ff9b::7f00:1 2002:a00:1:: 2001:0:1:2::3 2001:db8::1 fec0::1
    192.0.0.192 ::ffff:192.0.0.192 168.63.129.16 64:ff9b::a83f:8110""".split()


@pytest.mark.parametrize("address", [*OURS, "54.172.60.1", "2600:1f18::1", "::ffff:54.172.60.1", "64:ff9b::36ac:3c01"])
def test_an_address_of_a_machine_or_network_of_our_own_is_not_public(address: str) -> None:
    assert is_public(address) is (address not in OURS)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "WEBP"])
def test_every_form_that_phones_send_is_shown_whatever_it_is_called(form: str, files: MediaServer) -> None:
    shown = fetch(files, files.put(File(picture(form), "application/octet-stream")))
    red, green, blue = opened(shown).convert("RGB").getpixel((30, 20))  # type: ignore[misc]
    assert red > 240
    assert max(green, blue) < 20


def test_a_large_picture_is_made_as_small_as_the_model_sees_it() -> None:
    shown = read_picture(picture("JPEG", (4000, 3000)), 10.0)
    assert opened(shown).size == (LONG_SIDE, 1176)


def test_a_jpeg_with_more_pictures_in_it_is_bounded_as_any_other_jpeg() -> None:
    more = [Image.new("RGB", (64, 48))]
    shown = read_picture(picture("MPO", (6400, 4800), save_all=True, append_images=more), 10.0)
    assert opened(shown).size == (LONG_SIDE, 1176)
    with pytest.raises(MediaError, match="scans"):
        read_picture(picture("MPO", save_all=True, append_images=more) + b"\xff\xda" * MAX_SCANS, 10.0)


def test_a_picture_is_turned_upright_and_carries_nothing_but_its_pixels() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # Turned by a quarter.
    exif[0x010E] = "Alex, 12 Elm Street"
    exif.get_ifd(0x8825)[1] = "N"
    given = picture("JPEG", (60, 40), exif=exif, comment=b"Alex's phone", icc_profile=b"profile" * 40)
    shown = read_picture(given, 10.0)
    assert opened(shown).size == (40, 60)
    assert b"Elm" in given
    for name in (b"Elm", b"Exif", b"Alex", b"profile"):
        assert name not in shown
    assert opened(shown).info.keys() <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


WHITE: list[tuple[str, str, int | tuple[int, ...]]] = [
    ("PNG", "RGBA", (0, 0, 0, 0)), ("PNG", "LA", (0, 0)), ("WEBP", "RGBA", (0, 0, 0, 0)), ("PNG", "I;16", 65535),
    ("PNG", "1", 1), ("PNG", "L", 255), ("JPEG", "CMYK", (0, 0, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("form", "mode", "colour"), WHITE)
def test_every_kind_of_colour_is_shown_and_what_is_transparent_is_white(
    form: str, mode: str, colour: int | tuple[int, ...]
) -> None:
    shown = opened(read_picture(picture(form, mode=mode, colour=colour), 10.0))
    assert min(shown.getpixel((30, 20))) > 250  # type: ignore[arg-type]


def test_a_picture_of_noise_still_fits() -> None:
    noise = Image.effect_noise((3000, 3000), 100).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "JPEG", quality=60)
    assert len(read_picture(out.getvalue(), 10.0)) <= MAX_JPEG_BYTES


def test_heic_is_told_by_its_name() -> None:
    with pytest.raises(MediaError, match="HEIC") as raised:
        read_picture(b"\0\0\0\x18ftypheic" + b"\0" * 64, 10.0)
    assert "screenshot" in raised.value.as_told


@pytest.mark.parametrize("seconds", [0.01, 0.0, -1.0])
def test_a_picture_whose_time_is_over_is_given_up(seconds: float) -> None:
    with pytest.raises(MediaError, match="too long"):
        read_picture(picture(), seconds)


def test_a_jpeg_of_very_many_scans_is_refused_before_it_is_decoded() -> None:
    given = picture("JPEG", (640, 480), progressive=True)
    scan = given[given.rindex(b"\xff\xda") : -2]
    with pytest.raises(MediaError, match="scans"):
        read_picture(given[:-2] + scan * MAX_SCANS + given[-2:], 10.0)


@pytest.mark.parametrize(
    ("given", "has_eyes"),
    [
        (twilio_settings(), False),
        (twilio_settings(anthropic_api_key="sk-ant-x"), True),
        (Settings(anthropic_api_key="sk-ant-x"), False),
    ],
)
def test_pictures_are_fetched_where_twilio_has_them_and_a_model_sees_them(given: Settings, *, has_eyes: bool) -> None:
    services = build_services(given)
    with closing(services.store):
        assert (picture_source(services) is not None) == has_eyes
