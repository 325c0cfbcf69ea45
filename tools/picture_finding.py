"""Make ``docs/pictures/finding.png``: one finding of our own sample, as its report shows it.

    python tools/picture_finding.py

Reviews ``samples/bearing_bracket.step`` in a temporary folder and has Chromium draw its worst
finding in English. Fonts differ between machines, so the picture is not compared by a check.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

from witmark import bootstrap

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "samples" / "bearing_bracket.step"
TARGET = ROOT / "docs" / "pictures" / "finding.png"

WINDOW = "1000,1400"
LONGEST_S = 120
ONE_CARD = """<style>
body > *:not(main), main > *:not(.findings), .findings > *:not(.critical) { display: none; }
html, body { background: #fff; border: 0; }
</style>"""
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def main() -> int:
    """Exit 0 when the picture is written, 4 when there is no Chromium to draw it."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("picture_finding: no Chromium: apt-get install chromium", file=sys.stderr)
        return 4
    with tempfile.TemporaryDirectory() as made:
        folder = bootstrap.review_here(SAMPLE, Path(made) / "report", pictures=60)
        page = Path(made) / "card.html"
        page.write_text(_one_card((folder / "report.html").read_text(encoding="utf-8")))
        shot = Path(made) / "shot.png"
        _draw(browser, page, shot)
        _trimmed(shot).save(TARGET, optimize=True)
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size} bytes")
    return 0


def _one_card(page: str) -> str:
    """The page without its policy, which allows no style but its own, and without the rest."""
    return POLICY.sub("", page, count=1).replace("</head>", f"{ONE_CARD}</head>", 1)


def _draw(browser: str, page: Path, shot: Path) -> None:
    asked = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--lang=en"]
    subprocess.run(
        [browser, *asked, f"--window-size={WINDOW}", f"--screenshot={shot}", page.as_uri()],
        check=True,
        capture_output=True,
        timeout=LONGEST_S,
    )


def _trimmed(shot: Path) -> Image.Image:
    """Without the white around it, in 64 colours, which are enough for a drawing."""
    picture = Image.open(shot).convert("RGB")
    paper = Image.new("RGB", picture.size, "white")
    box = ImageChops.difference(picture, paper).getbbox()
    return picture.crop(box).quantize(64)


if __name__ == "__main__":
    sys.exit(main())
