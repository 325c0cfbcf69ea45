"""An error says who has to act, where it is, and what the way out is."""

import pickle
from pathlib import Path

import pytest

from witmark.kernel import errors
from witmark.kernel.errors import (
    DigestMismatchError,
    GenerationTakenError,
    InputError,
    IntegrityError,
    OutsideError,
    OversizedContextError,
    UnknownLengthUnitError,
    UnknownScopeError,
    UnreadableSourceError,
    WitmarkError,
    one_line,
)

CONTRACT = Path(__file__).parents[2] / "docs" / "contracts" / "kernel.md"
KINDS = sorted(
    (kind for kind in vars(errors).values() if isinstance(kind, type)),
    key=lambda kind: kind.__name__,
)


class ForeignKernelError(OutsideError):
    code = "outside.foreign-kernel"
    hint = "try a file that is not broken"


@pytest.mark.clause("KER-ERR-01")
@pytest.mark.parametrize("kind", KINDS)
def test_a_code_says_the_family_and_the_exit_says_who_acts(kind):
    families = {InputError: ("input", 2), IntegrityError: ("integrity", 3)}
    families |= {OutsideError: ("outside", 4)}
    if kind is WitmarkError:
        return
    [(word, exit_code)] = [found for base, found in families.items() if issubclass(kind, base)]
    assert kind.code.split(".")[0] == word
    assert kind.exit_code == exit_code


@pytest.mark.clause("KER-ERR-01")
def test_no_two_errors_share_a_code():
    assert len({kind.code for kind in KINDS}) == len(KINDS)


@pytest.mark.clause("KER-ERR-01")
@pytest.mark.parametrize("kind", KINDS)
def test_every_named_error_has_a_way_out_and_a_reason_to_exist(kind):
    assert kind.__doc__
    if "." in kind.code:
        assert kind.hint


@pytest.mark.clause("KER-ERR-01")
@pytest.mark.parametrize("kind", KINDS)
def test_every_code_stands_in_the_contract(kind):
    if kind is not WitmarkError:
        assert f"`{kind.code}`" in CONTRACT.read_text(encoding="utf-8")


@pytest.mark.clause("KER-ERR-02")
def test_a_line_says_code_place_what_and_way_out():
    error = ForeignKernelError("it crashed", place="arm.step")
    assert (
        one_line(error)
        == "outside.foreign-kernel: arm.step: it crashed; try a file that is not broken"
    )


@pytest.mark.clause("KER-ERR-02")
def test_a_case_may_know_a_better_way_out_than_its_class():
    error = UnreadableSourceError("a.step", "it is a PDF", hint="export the model as STEP")
    assert one_line(error).endswith("it is a PDF; export the model as STEP")
    assert UnreadableSourceError.hint != error.hint


@pytest.mark.clause("KER-ERR-02")
@pytest.mark.parametrize("name", ["a\nb", "\x1b[2Jb", "b\udcff\udc00", "\u2028", "\u202e"])
def test_a_strange_file_name_stays_on_one_printable_line(name):
    line = one_line(UnreadableSourceError(name, "it is empty"))
    assert line.isprintable()
    line.encode()


@pytest.mark.clause("KER-ERR-02")
def test_an_error_without_a_way_out_ends_after_what_is_wrong():
    assert one_line(InputError("no")) == "input: no"


@pytest.mark.clause("KER-ERR-03")
@pytest.mark.parametrize(
    "error",
    [
        ForeignKernelError("crashed", place="孔.step", hint="wait"),
        UnreadableSourceError("a.step", "it is empty"),
        UnknownLengthUnitError("a.step"),
        UnknownScopeError("x", ("a", "b")),
        OversizedContextError(9, 4),
        DigestMismatchError("sha256:a", "sha256:b"),
        GenerationTakenError(3),
    ],
)
def test_an_error_crosses_a_process_border_whole(error):
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert one_line(again) == one_line(error)
    assert vars(again) == vars(error)
