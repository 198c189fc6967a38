"""Bodies that are packed: gzip, and the file of a form. Never more than allowed comes out."""

from __future__ import annotations

import zlib
from email.parser import BytesParser
from email.policy import HTTP

from api.problems import Refused

GZIP = 16 + zlib.MAX_WBITS  # zlib's way of saying: a gzip header is there
STEP = 64 * 1024


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


def form_file(body: bytes, content_type: str) -> bytes:
    """The log in a form: its first file, else the field `text`. Raises Refused (400) when there is none."""
    head = b"Content-Type: " + content_type.encode("latin-1", "replace") + b"\r\n\r\n"
    form = BytesParser(policy=HTTP).parsebytes(head + body)
    parts = list(form.iter_parts()) if form.is_multipart() else []
    files = [part for part in parts if part.get_filename()]
    named = [part for part in parts if part.get_param("name", header="content-disposition") == "text"]
    chosen = next(iter(files or named), None)
    content = chosen.get_payload(decode=True) if chosen is not None else None
    if not isinstance(content, bytes):
        raise Refused(400, "The form has no file. With curl: -F file=@server.log")
    return content
