"""Settings and pinned versions, then and now: what differs around the source."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from witmark.diagnosis.case import InputKind, RawInput
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.reporting import by_class, found_in_case, input_quote
from witmark.diagnosis.ports import CaseView, Limits, Look
from witmark.diagnosis.settings_files import (
    NotUnderstoodError,
    Settings,
    normal,
    pins_in,
    settings_in,
)
from witmark.diagnosis.sorting import kind_of

_GOOD = frozenset({"good", "source-good", "last-good", "before", "old"})
_SIDES = _GOOD | {"bad", "now", "after", "new", "source", "src", "code", "config", "configs"}
_CAUSE = {InputKind.CONFIG: CauseClass.CONFIGURATION, InputKind.LOCK: CauseClass.ENVIRONMENT}
_WHAT = {InputKind.CONFIG: "setting", InputKind.LOCK: "pinned version of"}


@dataclass(frozen=True, slots=True)
class _File:
    """A file of settings or pins that was understood."""

    input: RawInput
    kind: InputKind
    is_good: bool
    key: str  # its path without the folders that only say which side it is of
    settings: Settings


class ConfigurationInvestigator:
    """Compares settings and locks of two sides, and locks with versions people name."""

    name = "configuration"
    needs = "settings of a good and of a bad side, or a lock file and a version"
    reserve = 4

    def can_look(self, view: CaseView) -> bool:
        """Whether there are two sides to compare, or versions to hold against a lock."""
        sides = {(_kind(one), _is_good(one)) for one in view.inventory.inputs} - {
            (None, True),
            (None, False),
        }
        is_pinned = any(kind is InputKind.LOCK for kind, _ in sides)
        is_paired = any((kind, True) in sides and (kind, False) in sides for kind in _CAUSE)
        return is_paired or (is_pinned and bool(view.interpretation.versions))

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A setting that differs tells configuration from code."""
        del view, found
        return 0.55

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report what differs; where nothing does, that too."""
        unread: list[str] = []
        files = list(_files(view, unread))
        who = (self.name, action, Group.DIFF)
        pairs = list(_pairs(files))
        findings: list[Finding] = []
        for kind in _CAUSE:
            of_kind = [pair for pair in pairs if pair[0].kind is kind]
            differing = [
                f for old, new in of_kind for f in _differing(view, old, new, who, limits)
            ]
            findings += differing
            if of_kind and not differing and not unread:
                findings.append(_same(view, of_kind, who, limits))
        findings += _against_report(view, files, who, limits)
        paired = {one.input.path for pair in pairs for one in pair}
        told = [
            f"{one.input.origin}: nothing to compare it with"
            for one in files
            if one.input.path not in paired and one.kind is InputKind.CONFIG
        ]
        if len(findings) > limits.most_findings:
            unread.append(f"{len(findings) - limits.most_findings} further differences")
        whole = Completeness.PARTIAL if unread else Completeness.COMPLETE
        kept = tuple(findings[: limits.most_findings])
        return Look(kept, whole, (*unread, *told), min(self.reserve, 1 + len(pairs)))


def _kind(one: RawInput) -> InputKind | None:
    """Settings or pins, by the file's own name, wherever it lies."""
    own = kind_of(one.origin.rpartition("/")[2])
    if one.kind in _CAUSE:
        return own if own is InputKind.LOCK else one.kind
    is_source = one.kind in {InputKind.SOURCE, InputKind.GOOD_SOURCE}
    return own if is_source and own in _CAUSE else None


def _is_good(one: RawInput) -> bool:
    return any(part.lower() in _GOOD for part in one.origin.split("/")[:-1])


def _files(view: CaseView, unread: list[str]) -> Iterator[_File]:
    readers: Mapping[InputKind, Callable[[str, str], Settings]] = {
        InputKind.CONFIG: settings_in,
        InputKind.LOCK: pins_in,
    }
    for one in view.inventory.inputs:
        kind = _kind(one)
        if kind is None:
            continue
        *folders, name = one.origin.split("/")
        key = "/".join([*(part for part in folders if part.lower() not in _SIDES), name])
        try:
            text = view.read(one).decode("utf-8")
            yield _File(one, kind, _is_good(one), key, readers[kind](name, text))
        except (UnicodeDecodeError, NotUnderstoodError) as error:
            unread.append(f"{one.origin}: {_short(error)}")


def _short(error: ValueError) -> str:
    return "it is no text" if isinstance(error, UnicodeDecodeError) else str(error)


def _pairs(files: Iterable[_File]) -> Iterator[tuple[_File, _File]]:
    by_side: dict[tuple[InputKind, str], dict[bool, _File]] = {}
    for one in files:
        by_side.setdefault((one.kind, one.key), {}).setdefault(one.is_good, one)
    for _, sides in sorted(by_side.items()):
        if len(sides) == 2:
            yield sides[True], sides[False]


_Who = tuple[str, str, Group]


def _differing(
    view: CaseView, old: _File, new: _File, who: _Who, limits: Limits
) -> Iterator[Finding]:
    """One finding per name; values stand in the quotes alone, where secrets are found."""
    what = _WHAT[new.kind]
    for name in sorted(old.settings.keys() | new.settings.keys()):
        before, now = old.settings.get(name), new.settings.get(name)
        if before is not None and now is not None and before.value == now.value:
            continue
        quotes = [
            input_quote(view, file.input.digest, one.start, one.end, limits)
            for file, one in ((old, before), (new, now))
            if one is not None
        ]
        how = "is new" if before is None else "is gone" if now is None else "is another one"
        yield found_in_case(
            f"{new.input.origin}: the {what} {name} {how} compared with {old.input.origin}",
            who=who,
            kind=FindingKind.DIRECT,
            bears_on=by_class(view, {_CAUSE[new.kind]: Direction.FOR}),
            quotes=[one for one in quotes if one],
            strength=1.0,
        )


def _same(
    view: CaseView, pairs: list[tuple[_File, _File]], who: _Who, limits: Limits
) -> Finding:
    kind = pairs[0][0].kind
    heads = [
        input_quote(view, one.input.digest, 0, one.input.size, limits)
        for pair in pairs
        for one in pair
    ]
    what = _WHAT[kind].removesuffix(" of")
    return found_in_case(
        f"in all {len(pairs)} compared files every {what} is the same",
        who=who,
        kind=FindingKind.DERIVED,
        bears_on=by_class(view, {_CAUSE[kind]: Direction.AGAINST}),
        quotes=[one for one in heads if one],
    )


def _against_report(
    view: CaseView, files: Iterable[_File], who: _Who, limits: Limits
) -> Iterator[Finding]:
    """Versions that people name, held against the pins of the failing side."""
    locks = [one for one in files if one.kind is InputKind.LOCK and not one.is_good]
    for version in view.interpretation.versions:
        if version.is_good:
            continue
        for lock in locks:
            pin = lock.settings.get(normal(version.subject)) if version.subject else None
            if pin is None:
                continue
            is_same = pin.value == version.version
            quote = input_quote(view, lock.input.digest, pin.start, pin.end, limits)
            said = Quote(version.at.ref, version.at.quote)
            yield found_in_case(
                f"the report names {version.subject} {version.version}, {lock.input.origin} "
                + ("pins it" if is_same else "pins another version"),
                who=who,
                kind=FindingKind.DIRECT,
                bears_on=by_class(
                    view,
                    {CauseClass.ENVIRONMENT: Direction.NEUTRAL if is_same else Direction.FOR},
                ),
                quotes=[one for one in (said, quote) if one],
                strength=0.5,
            )
