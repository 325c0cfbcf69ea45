"""The committed samples are what the script makes, and say nothing about where it ran."""

import pytest

from tools import make_samples


@pytest.mark.parametrize("name", sorted(make_samples.MADE))
def test_a_committed_sample_is_what_the_script_makes(name):
    made = make_samples.MADE[name]().encode("ascii")

    assert (make_samples.SAMPLES / name).read_bytes() == made


def test_check_says_which_sample_has_drifted(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_samples, "SAMPLES", tmp_path)
    (tmp_path / "bearing_cover.step").write_bytes(b"old")

    assert make_samples.main(["--check"]) == 1
    assert "bearing_cover.step is not what" in capsys.readouterr().out


def test_chinese_names_are_written_in_ascii():
    assert make_samples.ascii_only("'轴'") == "'\\X2\\8F74\\X0\\'"
