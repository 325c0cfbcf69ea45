"""The pictures of a page: numbered by what they show, described from the facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from witmark.adapters.html.markup import Html, el, join, picture_source
from witmark.adapters.html.phrases import phrase
from witmark.adapters.html.pieces import numbered
from witmark.review import wire
from witmark.review.spelling import fact_words, name_words, place_words, value_text
from witmark.review.words import LANGS, Lang, Words


@dataclass(slots=True)
class Figures:
    """Numbers the pictures of a page by what they show.

    A card always shows its large picture. A thumbnail of what is on the page already is a
    link to it, so pictures that places share do not make the page heavy. Pictures whose bytes
    were not handed in are left out.
    """

    pictures: Mapping[str, bytes]
    sizes: Mapping[str, tuple[int, int]]  # id → width, height in pixels
    numbers: dict[bytes, int] = field(default_factory=dict)

    def lead(self, verdict: wire.Verdict, place: Html) -> Html:
        """The large picture of a card."""
        png = self.pictures[verdict.picture or ""]
        anchor = {} if png in self.numbers else {"id": f"figure-{len(self.numbers) + 1}"}
        number = self.numbers.setdefault(png, len(self.numbers) + 1)
        below = el("figcaption", numbered("figure", number), " · ", place)
        return el("figure.lead", self._image(verdict), below, **anchor)

    def thumbnail(self, verdict: wire.Verdict) -> Html:
        """A small picture that opens where it stands, or where on the page it already is."""
        png = self.pictures.get(verdict.picture or "")
        if png is None:
            return join()
        if number := self.numbers.get(png):
            link = el("a", numbered("same_figure", number), href=f"#figure-{number}")
            return el("p.see", link)
        number = self.numbers[png] = len(self.numbers) + 1
        summary = el("summary", self._image(verdict), el("span", numbered("figure", number)))
        return el("details.thumb", summary, id=f"figure-{number}", name="picture")

    def _image(self, verdict: wire.Verdict) -> Html:
        picture = verdict.picture or ""
        alt = _alt(verdict)
        width, height = self.sizes[picture]
        return el(
            "img",
            src=picture_source(self.pictures[picture]),
            alt=f"{alt.zh} / {alt.en}",
            data_zh=alt.zh,
            data_en=alt.en,
            width=str(width),
            height=str(height),
        )


def _alt(verdict: wire.Verdict) -> Words:
    """What a picture shows, from the facts, for those who cannot see it."""
    return Words(*(_alt_in(verdict, lang) for lang in LANGS))


def _alt_in(verdict: wire.Verdict, lang: Lang) -> str:
    where = place_words(verdict).of(lang)
    facts = [
        f"{fact_words(f.fact).of(lang)} {value_text(f.value, f.unit, lang)}"
        for f in verdict.measured
    ]
    comma, stop = ("，", "。") if lang == "zh" else (", ", ". ")
    seen = comma.join([name_words(verdict.component_name).of(lang), where, *facts])
    return seen + stop + phrase("shown").of(lang)
