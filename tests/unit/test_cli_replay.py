"""``witmark replay`` of a report says everything that was decided again."""

import pytest
from click.testing import CliRunner

from witmark import bootstrap
from witmark.cli.replay import command
from witmark.review.use_cases import Verified


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (0, "5 verdicts decided again"),
        (2, "5 verdicts decided again, 2 recorded replies judged again"),
    ],
)
def test_a_replayed_report_says_how_many_replies_were_judged_again(
    questions, told, tmp_path, monkeypatch
):
    (tmp_path / "manifest.json").write_text("{}")
    monkeypatch.setattr(bootstrap, "verify", lambda _: Verified(3, 5, questions), raising=False)
    ran = CliRunner().invoke(command, [str(tmp_path)])
    assert ran.output == f"{tmp_path}: identical; 3 files as published, {told}\n"
