"""What `clean` promises for any paste."""

from kb.diagnose.clean.text import CleanText

# What may stand where a clean character points to, beside that character: the start of its escape sequence
# (backslash, %20, +, &lt;, =3D, #011), a control that was exchanged for a blank, loguru's "> File".
ESCAPES = "\\%+&=#>\x0b\x0c\x1c\x1d\x1e"


def own_lines(text: str) -> list[str]:
    """The lines of a paste by the letter of the rule, written anew."""
    lines = [""]
    before = ""
    for character in text:
        if character == "\n" and before == "\r":
            pass
        elif character in "\r\n":
            lines.append("")
        else:
            lines[-1] += character
        before = character
    return lines if lines[-1] else lines[:-1]


def check(text: str, cleaned: CleanText) -> None:
    """The promises of CleanText, for any paste."""
    assert cleaned.paste == tuple(own_lines(text))
    assert cleaned.characters == len(text)
    halved = (
        "\0" in text and "misread characters" in cleaned.notes
    )  # UTF-16: half of a character stands there
    for line in cleaned.lines:
        offsets = [piece.offset for piece in line.pieces]
        assert offsets[0] == 0
        assert offsets == sorted(set(offsets))
        assert offsets[-1] < max(len(line.text), 1)
        for offset, character in enumerate(line.text):
            number, column = line.locate(offset)
            assert 0 <= column < len(cleaned.paste[number - 1])
            stood = cleaned.paste[number - 1][column]
            exchanged = halved or stood in ESCAPES or not stood.isascii()
            assert stood == character or exchanged or character == " "  # a blank may join broken lines
