"""Reads a page as a browser would: elements, attributes, and the text in them."""

from html.parser import HTMLParser

VOID = {"br", "col", "img", "input", "meta"}


class Page(HTMLParser):
    """A page taken apart; a tag that closes something else is an error."""

    def __init__(self, data):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.feed(data.decode())
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.elements.append((tag, found, tuple(self.open)))
        if tag not in VOID:
            self.open.append((tag, found))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        self.texts.append((data, tuple(self.open)))

    def every(self, tag):
        return [attrs for name, attrs, _ in self.elements if name == tag]

    def text(self, *, inside=None):
        """All text, or that of the element with an id; never of style and script."""
        return "".join(
            data
            for data, around in self.texts
            if not {"style", "script"} & {tag for tag, _ in around}
            and (inside is None or any(a.get("id") == inside for _, a in around))
        )

    @property
    def bones(self):
        """The elements and the names of their attributes, without any text."""
        return [(tag, tuple(sorted(attrs))) for tag, attrs, _ in self.elements]
