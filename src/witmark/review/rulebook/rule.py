"""One rule in full, as cards compile to it and as the judge applies it."""

from dataclasses import dataclass
from enum import StrEnum

from witmark.review.rulebook.predicate import AnyOf, Predicate, text

STORE_FORMAT = "chapter18_rule_store_v1"
STORE_FILE = "diagnostic_index/chapter18_rule_store_v1.json"


class Severity(StrEnum):
    """How much a violation matters, worst first."""

    CRITICAL = "critical"  # unlikely to be makeable
    MAJOR = "major"  # high quality risk
    MINOR = "minor"  # cost, or some risk
    INFO = "info"


SEVERITY_ORDER = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Tier:
    """One severity, when it is reached, and how well founded that limit is (a, b or c)."""

    severity: Severity
    when: Predicate
    grade: str


@dataclass(frozen=True, slots=True)
class Words:
    """The same text in Chinese and English."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True, eq=False)  # one object per rule: a cheap cache key
class Rule:
    """One rule in full. ``tiers`` run from the worst down; their disjunction is ``bad_if``.

    ``grade`` is that of the rule: a, a public source was read; b, a named standard, recalled;
    c, shop convention. ``grade_note`` says where a single limit differs.
    """

    rule_id: str
    catalogue_id: str
    title: Words
    knowledge_category: str
    primary_view: str
    applies_to: tuple[str, ...]
    applies_if: Predicate
    required_facts: tuple[str, ...]
    required_model_facts: tuple[str, ...]
    tiers: tuple[Tier, ...]
    good_if: Predicate
    unknown_if: tuple[Predicate, ...]
    source: str
    grade: str
    grade_note: str
    why: Words
    mend: Words
    note: Words
    card: str
    card_digest: str

    @property
    def bad_if(self) -> Predicate:
        """What makes a violation of any severity."""
        whens = tuple(tier.when for tier in self.tiers)
        return whens[0] if len(whens) == 1 else AnyOf(whens)

    def to_plain(self) -> dict[str, object]:
        """The contract's store item, with our keys beside the contract's."""
        return {
            "rule_id": self.rule_id,
            "title": self.title.zh,
            "verification_rule": {
                "required_facts": list(self.required_facts),
                "required_model_facts": list(self.required_model_facts),
                "bad_if": text(self.bad_if),
                "good_if": text(self.good_if),
                "unknown_if": [text(item) for item in self.unknown_if],
                "applies_to": list(self.applies_to),
                "applies_if": text(self.applies_if),
                "severity_tiers": [
                    {
                        "severity": tier.severity.value,
                        "when": text(tier.when),
                        "grade": tier.grade,
                    }
                    for tier in self.tiers
                ],
            },
            "title_en": self.title.en,
            "catalogue_id": self.catalogue_id,
            "knowledge_category": self.knowledge_category,
            "primary_view": self.primary_view,
            "source": self.source,
            "grade": self.grade,
            "grade_note": self.grade_note,
            "why_zh": self.why.zh,
            "why_en": self.why.en,
            "mend_zh": self.mend.zh,
            "mend_en": self.mend.en,
            "note_zh": self.note.zh,
            "note_en": self.note.en,
            "card": self.card,
            "card_digest": self.card_digest,
        }
