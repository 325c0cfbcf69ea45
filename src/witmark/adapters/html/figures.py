"""The pictures of a page: numbered, carried once, described from the facts."""

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
    """Numbers the pictures of a page, and carries each one only once.

    A picture that two rules share is shown at its first place and referred to by number at
    the others. Pictures whose bytes were not handed in are left out.
    """

    pictures: Mapping[str, bytes]
    sizes: Mapping[str, tuple[int, int]]  # id → width, height in pixels
    numbers: dict[str, int] = field(default_factory=dict)

    def lead(self, verdict: wire.Verdict, place: Html) -> Html:
        """The large picture of a card, or where on the page it already is."""
        image, caption = self._picture(verdict)
        if image is None:
            return caption
        below = el("figcaption", caption, " · ", place)
        return el("figure.lead", image, below, id=self._anchor(verdict.picture))

    def thumbnail(self, verdict: wire.Verdict) -> Html:
        """A small picture that opens where it stands, or where on the page it already is."""
        image, caption = self._picture(verdict)
        if image is None:
            return caption
        summary = el("summary", image, el("span", caption))
        return el("details.thumb", summary, id=self._anchor(verdict.picture), name="picture")

    def _anchor(self, picture: str | None) -> str:
        return f"figure-{self.numbers[picture or '']}"

    def _picture(self, verdict: wire.Verdict) -> tuple[Html | None, Html]:
        """An image and its caption; no image when there is none, or it was shown before."""
        picture = verdict.picture
        if picture is None or picture not in self.pictures:
            return None, join()
        if picture in self.numbers:
            words = numbered("same_figure", self.numbers[picture])
            return None, el("p.see", el("a", words, href=f"#{self._anchor(picture)}"))
        self.numbers[picture] = len(self.numbers) + 1
        alt = _alt(verdict)
        width, height = self.sizes[picture]
        image = el(
            "img",
            src=picture_source(self.pictures[picture]),
            alt=f"{alt.zh} / {alt.en}",
            data_zh=alt.zh,
            data_en=alt.en,
            width=str(width),
            height=str(height),
            decoding="async",
        )
        return image, numbered("figure", self.numbers[picture])


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
