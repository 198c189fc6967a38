"""Bodies that are packed: gzip, and the file of a form. Never more than allowed comes out."""

from __future__ import annotations

import re
import zlib

from api.problems import Refused

GZIP = 16 + zlib.MAX_WBITS  # zlib's way of saying: a gzip header is there
STEP = 64 * 1024

MOST_PARTS, LONGEST_HEAD = 100, 4096
BOUNDARY = re.compile(r';\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)
FILE = re.compile(rb"^content-disposition:[^\r\n]*;\s*filename\*?=", re.IGNORECASE | re.MULTILINE)
NAME = re.compile(
    rb'^content-disposition:[^\r\n]*;\s*name="?(text|given)"?\s*(?:;|\r|$)', re.IGNORECASE | re.MULTILINE
)


def gunzip(body: bytes, most: int) -> bytes:
    """The content of a gzip body. Raises Refused: 413 when it is larger than `most`, 400 when it is none."""
    unpacked = bytearray()
    packed = body
    try:
        while packed:  # several members may follow each other, as `cat a.gz b.gz` makes them
            stream = zlib.decompressobj(GZIP)
            while not stream.eof:
                piece = stream.decompress(packed, STEP)
                packed = stream.unconsumed_tail
                unpacked += piece
                if len(unpacked) > most:
                    raise Refused(
                        413,
                        f"The paste is larger than {most:,} bytes when it is unpacked. Send the part around "
                        "the first error.",
                    )
                if not piece and not packed and not stream.eof:
                    raise Refused(
                        400, "The gzip body ends too early. Send the whole file, or its text unpacked."
                    )
            packed = stream.unused_data.lstrip(b"\0")
    except zlib.error:
        raise Refused(400, "The body is not gzip, though Content-Encoding says so.") from None
    return bytes(unpacked)


def form_parts(body: bytes, content_type: str) -> tuple[bytes, bytes]:
    """The log in a form, its first file or else the field `text`, and the field `given`, which may be empty.
    Raises Refused (400) when there is no log.

    Read by its boundary alone, in one pass: a parser of mail would follow parts inside of parts, and
    encodings that no form has.
    """
    boundary = BOUNDARY.search(content_type)
    file: bytes | None = None
    named = {b"text": b"", b"given": b""}
    if boundary:
        mark = b"\r\n--" + (boundary[1] or boundary[2]).encode("latin-1")
        for part in (b"\r\n" + body).split(mark, MOST_PARTS)[1:MOST_PARTS]:
            head, gap, content = part.partition(b"\r\n\r\n")
            if not gap or part.startswith(b"--") or len(head) > LONGEST_HEAD:
                continue
            name = NAME.search(head)
            if FILE.search(head):
                file = content if file is None else file
            elif name:
                named[name[1].lower()] = named[name[1].lower()] or content
    if file is None and not named[b"text"]:
        raise Refused(400, "The form has no file. With curl: -F file=@server.log")
    return named[b"text"] if file is None else file, named[b"given"]
