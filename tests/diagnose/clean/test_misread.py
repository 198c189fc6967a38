"""UTF-8 read as Latin-1 or Windows-1252 is put right where the whole text is."""

import pytest

from kb.diagnose.clean import clean

TEXT = (
    "Größe prüfen – “gestartet”, 東京 │\n"
    '  File\u00a0"/srv/ä.py", line 3\n'
    "ValueError: LoRA\u00a0rank 64 ‘zu groß’"
)
PLAIN = [line.text for line in clean(TEXT).lines]


def misread(text: str, encoding: str) -> str:
    """As a program shows the octets of UTF-8 that takes them for another encoding."""
    octets = text.encode("utf-8")
    return "".join(
        bytes([octet]).decode(encoding) if encoding == "latin-1" or octet not in UNSHOWN else chr(octet)
        for octet in octets
    )


UNSHOWN = frozenset((0x81, 0x8D, 0x8F, 0x90, 0x9D))  # Windows-1252 has no character for these


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_misread_text_is_put_right(encoding: str) -> None:
    cleaned = clean(misread(TEXT, encoding))
    assert [line.text for line in cleaned.lines] == PLAIN
    assert "misread characters" in cleaned.notes


def test_closing_quotes_that_lost_their_last_octet() -> None:
    assert clean("\xe2\u20ac\u0153up\xe2\u20ac\ufffd").lines[0].text == "“up”"


def test_places_are_those_of_the_text_as_handed_in() -> None:
    paste = misread(TEXT, "latin-1")
    for line in clean(paste).lines:
        for word in ("prüfen", "line", "rank"):
            if word in line.text:
                number, column = line.locate(line.text.index(word))
                assert paste.split("\n")[number - 1][column:].startswith(misread(word, "latin-1"))


@pytest.mark.parametrize("text", ["Größe: ß", "prix: 3 € Ã©tat et café", "Â", "naïve résumé", "“up”"])
def test_other_text_is_left_alone(text: str) -> None:
    cleaned = clean(text)
    assert [line.text for line in cleaned.lines] == [text]
    assert "misread characters" not in cleaned.notes
