"""The process that decodes one picture, run by `bounded_reader.py`.

It imports nothing of Keepsake: it starts for each picture, and needs nothing but the pixels.
"""

import io
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "GIF", "WEBP")  # Formats of phones and messengers. HEIC would need another decoder.
AS_JPEG = ("JPEG", "MPO")  # A JPEG that some phones make, with more pictures in it, is opened as MPO.
MAX_PIXELS = 50_000_000  # The default of the largest phone cameras.
MAX_PLAIN_PIXELS = 25_000_000  # All formats but JPEG are decoded whole, at four bytes a pixel.
MAX_SCANS = 100  # A progressive JPEG has about ten; thousands of empty scans would keep a decoder busy for minutes.
LONG_SIDE = 1568  # A larger one is scaled down before the model sees it. Source: Anthropic's documentation, "Vision".
MAX_JPEG_BYTES = 1_000_000
QUALITIES = (85, 70, 50, 30)

_HEIC = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heif")


class Refused(Exception):
    """The picture will not be shown; the message says why, for the operator and for the model."""

    def __init__(self, why: str, as_told: str = "a picture that could not be opened") -> None:
        super().__init__(why)
        self.as_told = as_told


def read(content: bytes) -> bytes:
    """A JPEG of at most `MAX_JPEG_BYTES`."""
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC:
        raise Refused("It is HEIC.", "a picture in the HEIC form, which cannot be opened; a screenshot of it can")
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            _check(image, content)
            if image.format in AS_JPEG:
                image.draft("RGB", (LONG_SIDE, LONG_SIDE))  # Decodes no more of a large one than is needed.
            return _encoded(_plain(image))
    except UnidentifiedImageError:
        raise Refused(f"It is none of {', '.join(FORMATS)}, or broken from its beginning.") from None
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise _too_large(f"more than {MAX_PIXELS:,}", MAX_PIXELS) from None


def _check(image: Image.Image, content: bytes) -> None:
    pixels, most = image.width * image.height, MAX_PIXELS if image.format in AS_JPEG else MAX_PLAIN_PIXELS
    if pixels > most:
        raise _too_large(f"{image.width:,} x {image.height:,}", most)
    scans = content.count(b"\xff\xda")
    if image.format in AS_JPEG and scans > MAX_SCANS:
        raise Refused(f"It is a JPEG of {scans:,} scans; {MAX_SCANS} are the most.")


def _too_large(pixels: str, most: int) -> Refused:
    return Refused(f"It has {pixels} pixels; {most:,} are the most.", "a picture that was too large to open")


def _plain(image: Image.Image) -> Image.Image:
    """The first frame, upright on white, small enough, with neither metadata nor colour profile."""
    image.load()
    ImageOps.exif_transpose(image, in_place=True)
    upright: Image.Image = image
    if upright.mode.startswith("I"):  # 16 bits of grey, which a conversion would cut off instead of scaling.
        upright = upright.convert("I").point(lambda grey: grey * (1 / 256)).convert("L")
    clear = upright.convert("RGBA") if upright.has_transparency_data else upright.convert("RGB")
    clear.thumbnail((LONG_SIDE, LONG_SIDE), Image.Resampling.LANCZOS)
    plain = Image.new("RGB", clear.size, "white")
    plain.paste(clear, mask=clear.getchannel("A") if clear.mode == "RGBA" else None)
    return plain


def _encoded(image: Image.Image) -> bytes:
    for quality in QUALITIES:
        out = io.BytesIO()
        image.save(out, "JPEG", quality=quality)
        if out.getbuffer().nbytes <= MAX_JPEG_BYTES:
            break
    return out.getvalue()
