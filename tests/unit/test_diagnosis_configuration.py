"""Settings and pinned versions of two sides, and what a report says of versions."""

import pytest
from diagnosis_views import LIMITS, check_quotes, hypothesis, view_of

from witmark.diagnosis.findings import Completeness, Direction, FindingKind
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.configuration import ConfigurationInvestigator
from witmark.diagnosis.settings_files import NotUnderstoodError, pins_in, settings_in

REPORT = "# It fails\n\nlib 2.0 fails to load.\n"


def look_at(**files):
    named = {"report.md": REPORT} | {name.replace("__", "/"): t for name, t in files.items()}
    view = view_of(named)
    return view, ConfigurationInvestigator().look(view, "A1", LIMITS)


def two_sides(old, new, name="app.toml"):
    view = view_of({"report.md": REPORT, f"config/good/{name}": old, f"config/bad/{name}": new})
    return view, ConfigurationInvestigator().look(view, "A1", LIMITS)


@pytest.mark.clause("DIA-INV-04")
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("app.toml", "[db]\nhost = 'a'\nport = 1\n", "[db]\nhost = 'a'\nport = 2\n"),
        (
            "app.json",
            '{"db": {"host": "a",\n "port": 1}}',
            '{"db": {"host": "a",\n "port": 2}}',
        ),
        ("app.ini", "[db]\nhost = a\nport = 1\n", "[db]\nhost = a\nport: 2\n"),
        ("app.properties", "db.host=a\ndb.port=1\n", "db.host=a\ndb.port=2\n"),
    ],
)
def test_a_setting_that_differs_speaks_for_the_configuration(name, old, new):
    view, look = two_sides(old, new, name)

    (found,) = look.findings
    assert "db.port is another one" in found.statement
    assert found.kind is FindingKind.DIRECT
    assert found.bears_on == {hypothesis(view, CauseClass.CONFIGURATION): Direction.FOR}
    assert [("1" in q.text, "2" in q.text) for q in found.quotes] == [
        (True, False),
        (False, True),
    ]
    check_quotes(view, look)


def test_equal_settings_speak_against_the_configuration_if_all_were_read():
    view, look = two_sides("a = 1\n", "a = 1  # the same\n")

    (found,) = look.findings
    assert found.bears_on == {hypothesis(view, CauseClass.CONFIGURATION): Direction.AGAINST}
    assert look.completeness is Completeness.COMPLETE
    check_quotes(view, look)


@pytest.mark.clause("DIA-INV-01")
def test_a_file_that_is_not_understood_makes_the_look_partial_and_no_absence_is_told():
    view = view_of(
        {
            "report.md": REPORT,
            "config/good/app.toml": "a = 1\n",
            "config/bad/app.toml": "a = 1\n",
            "config/bad/more.yaml": "a: 2\n",
        }
    )
    look = ConfigurationInvestigator().look(view, "A1", LIMITS)

    assert look.findings == ()
    assert look.completeness is Completeness.PARTIAL
    assert look.not_looked_at == ("config/bad/more.yaml: files of this kind are not read",)


def test_a_secret_value_stands_in_no_statement():
    _, look = two_sides("password = 'hunter2222'\n", "password = 'hunter3333'\n")

    assert "hunter" not in look.findings[0].statement


def test_a_pin_that_moved_speaks_for_the_environment():
    view = view_of(
        {
            "report.md": REPORT,
            "good/requirements.txt": "other==1.0\nlib==1.9\n",
            "source/requirements.txt": "other==1.0\nLib==2.0  # new\n",
        }
    )
    look = ConfigurationInvestigator().look(view, "A1", LIMITS)

    environment = hypothesis(view, CauseClass.ENVIRONMENT)
    assert look.findings[0].bears_on == {environment: Direction.FOR}
    assert [q.text for q in look.findings[0].quotes] == ["lib==1.9", "Lib==2.0"]
    check_quotes(view, look)


@pytest.mark.parametrize(("pin", "way"), [("2.0", Direction.NEUTRAL), ("1.7", Direction.FOR)])
def test_a_version_that_the_report_names_is_held_against_the_lock(pin, way):
    view, look = look_at(**{"requirements.txt": f"lib=={pin}\n"})

    (found,) = look.findings
    assert found.bears_on == {hypothesis(view, CauseClass.ENVIRONMENT): way}
    check_quotes(view, look)


def test_one_side_alone_is_nothing_to_look_at():
    view = view_of({"report.md": "# It fails\n", "config/app.toml": "a = 1\n"})

    assert not ConfigurationInvestigator().can_look(view)


@pytest.mark.parametrize(
    ("name", "text", "package", "version"),
    [
        ("poetry.lock", '[[package]]\nname = "a.b"\nversion = "1"\n', "a-b", "1"),
        ("package-lock.json", '{"packages": {"node_modules/a": {"version": "3"}}}', "a", "3"),
        ("Pipfile.lock", '{"default": {"a": {"version": "==3"}}}', "a", "3"),
        ("go.mod", "require (\n\texample.test/a v1.2.3\n)\n", "example-test/a", "1.2.3"),
    ],
)
def test_locks_of_other_tools_are_read(name, text, package, version):
    assert pins_in(name, text)[package].value == version


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "a = "])
def test_what_is_broken_is_not_understood(text):
    with pytest.raises(NotUnderstoodError):
        settings_in("a.toml" if text == "a = " else "a.json", text)
