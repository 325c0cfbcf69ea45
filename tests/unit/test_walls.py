"""The import contracts of pyproject.toml refuse what they are there to refuse."""

import copy

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.application.user_options import UserOptions
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from support_cli import ROOT

BUILDER = "The builder knows neither a queue nor a feedback surface"


@pytest.fixture(scope="module")
def house():
    return grimp.build_graph("witmark", include_external_packages=True, cache_dir=None)


def keeps(name, graph):
    """Whether a contract of ours, as it stands in pyproject.toml, holds for these imports."""
    configure()
    ours: UserOptions = read_user_options(str(ROOT / "pyproject.toml"))
    [options] = [one for one in ours.contracts_options if one["name"] == name]
    contract = ForbiddenContract(name, ours.session_options, options)
    return contract.check(graph, verbose=False).kept


@pytest.mark.clause("DIA-QUE-06", "DIA-SEED-73")
def test_the_builder_reaches_no_queue_and_no_feedback(house):
    assert keeps(BUILDER, copy.deepcopy(house))


@pytest.mark.clause("DIA-QUE-06")
@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("builder", "dispatch"),
        ("builder", "working"),
        ("builder", "feedback"),
        ("builder", "use_cases"),
        ("gates", "dispatch"),  # by way of something that it imports
        ("package", "feedback"),
    ],
)
def test_an_import_that_leads_the_builder_there_is_refused(house, importer, imported):
    planted = copy.deepcopy(house)
    names = (f"witmark.diagnosis.{importer}", f"witmark.diagnosis.{imported}")
    planted.add_import(importer=names[0], imported=names[1])
    assert not keeps(BUILDER, planted)


@pytest.mark.clause("DIA-QUE-06")
def test_a_desk_that_opens_the_queue_itself_is_refused(house):
    planted = copy.deepcopy(house)
    planted.add_import(importer="witmark.diagnosis.working", imported="apsw")
    assert not keeps("Desks and kernel touch no technology", planted)
