"""The language of a note: stated, else named by its path, else shown by its script."""

import pytest

from witmark.answers.languages import language_of_note, language_of_path, language_of_text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A cup of water.", "en"),
        ("Une tasse d'été à Genève", "en"),
        ("水杯", "zh"),
        ("使用 Kubernetes 的 Deployment 部署应用", "zh"),
        ("水のガラス", "ja"),
        ("東京都は日本の首都である", "ja"),
        ("東京都港区", "zh"),
        ("유리컵", "ko"),
        ("Стакан воды", "ru"),
        ("كأس ماء", "ar"),
        ("ποτήρι", "el"),
        ("पानी का गिलास", "hi"),
        ("𠀀𠀁𠀂", "zh"),
        ("12 + 30 = 42", "und"),
        ("", "und"),
        ("👍🏽", "und"),
        ("half \ud800 水", "en"),
    ],
)
def test_a_text_shows_its_language(text, language):
    assert language_of_text(text) == language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("content/zh-cn/pod.md", "zh"),
        ("content/en/pod.md", "en"),
        ("docs/pt-br/a/b.md", "pt"),
        ("i18n/zh_Hans/x.md", "zh"),
        ("es-419/x.md", "es"),
        ("en/de/x.md", "de"),
        ("zh.md", "und"),
        ("docs/is it/x.md", "und"),
        ("wg-x1/notes.md", "und"),
        ("xx/notes.md", "und"),
    ],
)
def test_a_path_names_a_language(path, language):
    assert language_of_path(path) == language


def test_what_the_note_states_comes_first():
    assert language_of_note("en/x.md", "zh-Hant", "water") == "zh"
    assert language_of_note("de/x.md", "", "water") == "de"
    assert language_of_note("de/x.md", "Klingon", "water") == "de"
    assert language_of_note("x.md", None, "water") == "en"
