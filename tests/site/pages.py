"""Reading rendered HTML in tests: its text, its headings, what it links to."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

HEADINGS = {f"h{level}": level for level in range(1, 7)}
VOID = {"input", "br", "hr", "img", "link", "meta"}


@dataclass
class Heading:
    level: int
    text: str = ""
    has_body: bool = False


@dataclass
class Page(HTMLParser):
    """`Page.read(html)`; then its tags, ids, text, headings and addresses."""

    tags: set[str] = field(default_factory=set)
    ids: list[str] = field(default_factory=list)
    text: str = ""
    headings: list[Heading] = field(default_factory=list)
    links: list[str] = field(default_factory=list)  # what a person may follow
    loads: list[str] = field(default_factory=list)  # what the browser fetches by itself
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    @classmethod
    def read(cls, html: str) -> "Page":
        page = cls()
        page.feed(html)
        page.close()
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        if "id" in values:
            self.ids.append(values["id"])
        if tag not in VOID:
            self._open.append(tag)
        if tag in HEADINGS:
            self.headings.append(Heading(HEADINGS[tag]))
        if tag in {"img", "table", "pre", "svg", "input"}:
            self._body()
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") != "canonical":
            self.loads.append(values["href"])
        elif "src" in values:
            self.loads.append(values["src"])

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        if {"script", "style"} & set(self._open):
            return
        if HEADINGS.keys() & set(self._open):
            self.headings[-1].text += data
        elif data.strip():
            self._body()

    def _body(self) -> None:
        """What stands here is the body of the last heading and of those it stands under."""
        level = 7
        for heading in reversed(self.headings):
            if heading.level < level:
                heading.has_body = True
                level = heading.level
