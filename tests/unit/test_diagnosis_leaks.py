"""No piece of a secret leaves the stored inputs, however it was cut on the way."""

import asyncio

import pytest
from diagnosis_folders import PYTHON, laid_out
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.bootstrap.case_packages import store
from witmark.bootstrap.diagnosing import desk, package_of
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.use_cases import diagnose

SECRETS = {
    "model key": ('api_key = "{}"', "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEf"),
    "GitLab": ("we used {} there", "glpat-QwErTyUiOpAsDfGhJk12"),
    "two halves": ("key {}", "sk-proj-ZxCvBnMaSdFg-HjKlQwErTy98"),
    "URL": ("postgres://bob:{}@db/x", "CorrectHorse-BatteryStaple9"),
    "bearer": ("Authorization: Bearer {}", "abCDefGH12.ijKLmnOP34.qrSTuvWX56"),
    "prose": ("I log in with Password={}", "hunter2secret9Blue"),
    "setting": ("db_password: {}", "tr0ub4dor_AndThree.Words"),
}
SHORTEST = 8
BEFORE = tuple(f"analysis/{one}/" for one in ("interpretation", "hypotheses", "investigation"))
"""Phases that keep quotes as inputs do; all that comes after them is redacted."""


def pieces(secret):
    return {secret[at : at + SHORTEST] for at in range(len(secret) - SHORTEST + 1)}


@pytest.mark.clause("DIA-CASE-09")
@pytest.mark.parametrize("kind", SECRETS)
def test_no_piece_of_a_secret_is_in_what_is_decided_on_or_published(
    tmp_path, monkeypatch, kind
):
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path / "home"))
    frame, secret = SECRETS[kind]
    line = frame.format(secret)
    files = PYTHON | {
        "report.md": f"{PYTHON['report.md']}\nIt seems that {line} matters; it should not.\n",
        "logs/run.log": f"2026-01-01 00:00:00 INFO start {line}\n2026-01-01 ERROR {line}\n",
        "config/app.toml": f'a = 1\nb = 3\ntoken = "{secret}"\n',
    }
    case_id, package_id, _ = package_of(laid_out(tmp_path / "case", files))
    made = desk(load_settings(None), DiagnosisConfig(), use_model=False)
    manifest = asyncio.run(diagnose(case_id, package_id, made)).manifest
    disk = store().disk(case_id, package_id)
    places = [p for p in manifest.pointers.values() if not p.startswith(BEFORE)]
    told = {
        place: (disk.read(place) or b"").decode()
        for place in (*places, "journals/diagnosis-0001.jsonl")
    }

    assert {"context.json", "diagnosis_result.json", "diagnosis_result.md"} <= {
        place.rpartition("/")[2] for place in told
    }
    assert any("[redacted " in text for text in told.values())
    for place, text in told.items():
        assert not {one for one in pieces(secret) if one in text}, place


CHARS = st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")


@settings(max_examples=200, deadline=None)
@given(st.text(CHARS, min_size=12, max_size=60), st.data())
def test_a_piece_of_a_known_secret_is_marked_wherever_it_was_cut(secret, data):
    start = data.draw(st.integers(0, len(secret) - SHORTEST))
    end = data.draw(st.integers(start + SHORTEST, len(secret)))
    shown = Redactor({secret: "assigned-secret"}).text(f"before {secret[start:end]} after")
    piece = secret[start:end]
    if not piece.isalpha():
        assert piece not in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")


def test_a_word_that_also_stands_in_a_secret_stays():
    redactor = Redactor({"kubernetes-admin-2024": "assigned-secret"})

    assert redactor.text("kubernetes restarts") == "kubernetes restarts"
    assert redactor.text("admin-2024 is it") == "[redacted assigned-secret 1] is it"
