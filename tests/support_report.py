"""A report as the review desk would publish it: small enough to read, nasty enough to test."""

import copy
import struct
import zlib
from typing import Any

FACTS = "sha256:" + "a1" * 32
SECOND = "sha256:" + "b2" * 32
SOURCE = "sha256:" + "c3" * 32

HOSTILE_NAMES = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    '"><img src=x onerror=alert(1)>',
    "[red]壳体[/red] {0} [x](file:///etc)",
)
HOUSING = "减速器壳体 A型"
BRACKET = HOSTILE_NAMES[0]

RULES = (
    {
        "rule_id": "18.P14",
        "catalogue_id": "P14",
        "title": "内角半径应与深度匹配",
        "title_en": "Corner radius against depth",
        "knowledge_category": "manufacturing_structure",
        "primary_view": "part_local_shape",
        "severity": ["critical", "major", "minor"],
        "source": "DM, PR (1/3); NL, VT (1/4)",
        "grade": "a",
        "why_zh": "立铣刀是圆的，两壁之间的竖直内角不可能比刀具半径更小。"
        "半径过小迫使使用细长刀具，刀具易振动，壁面留下振纹；半径为零则根本铣不出来。",
        "why_en": "An end mill is round, so a vertical corner between two walls cannot be "
        "tighter than the cutter. A small radius forces a long, thin cutter that chatters; "
        "a sharp one cannot be milled at all.",
        "mend_zh": "把内角半径增大到深度的三分之一以上。\n\n若配合件需要清角，改用工艺孔。",
        "mend_en": "Enlarge the radius to a third of the depth or more.\n\n"
        "If a mating part needs the corner, add a relief hole instead.",
        "card": "machined-parts/P14.md",
    },
    {
        "rule_id": "18.P29",
        "catalogue_id": "P29",
        "title": "避免深孔",
        "title_en": "Avoid deep holes",
        "knowledge_category": "manufacturing_structure",
        "primary_view": "hole_feature",
        "severity": ["major", "minor"],
        "source": "NL, ZK, VT",
        "grade": "a",
        "why_zh": "孔越深，排屑和冷却越困难，钻头越容易偏斜、折断。",
        "why_en": "The deeper the hole, the harder it is to clear chips and cool the drill, "
        "and the more the drill wanders or breaks.",
        "mend_zh": "减小深度，或加大孔径；也可从两面钻孔，或设计成阶梯孔。",
        "mend_en": "Shorten the hole or enlarge it; drill from both sides, or step it.",
        "card": "machined-parts/P29.md",
    },
    {
        "rule_id": "18.P34",
        "catalogue_id": "P34",
        "title": "采用标准孔径",
        "title_en": "Standard diameters",
        "knowledge_category": "manufacturing_structure",
        "primary_view": "hole_feature",
        "severity": ["minor"],
        "source": "AC, QC; ISO 235",
        "grade": "b",
        "why_zh": "非标准孔径需要专用刀具。",
        "why_en": "An odd diameter needs a special drill.",
        "mend_zh": "改为最接近的标准钻头直径。",
        "mend_en": "Move to the nearest drill size.",
        "card": "machined-parts/P34.md",
    },
    {
        "rule_id": "18.2.4",
        "catalogue_id": "P01",
        "title": "加工面与不加工面不应平齐",
        "title_en": "Step or groove between machined and as-made surface",
        "knowledge_category": "manufacturing_structure",
        "primary_view": "surface_role_boundary",
        "severity": ["minor"],
        "source": "shop convention",
        "grade": "c",
        "why_zh": "平齐时加工范围没有明确的分界。",
        "why_en": "Flush surfaces leave the machined area without a border.",
        "mend_zh": "设 2 mm 以上的台阶或沟槽。",
        "mend_en": "Add a step or groove of 2 mm or more.",
        "card": "machined-parts/P01.md",
    },
)


def sample_report(deep_holes: int = 120) -> dict[str, Any]:
    """One housing, one bracket with a hostile name, one screw that is only context."""
    verdicts = [_sharp_corner(), *(_deep_hole(i) for i in range(deep_holes)), _flush()]
    verdicts += [_kept(HOUSING, 7, grey=False), _kept(BRACKET, 2, grey=True), _no_pocket()]
    return copy.deepcopy(
        {
            "format": "witmark.review/1",
            "tool": {"name": "witmark", "version": "0.1.0"},
            "source": {
                "path": "in/arm assembly 机械臂#1.step",
                "digest": SOURCE,
                "bytes": 2569871,
                "schema": "AUTOMOTIVE_DESIGN",
                "length_unit": "millimetre",
                "referred": [],
            },
            "rulebook": {
                "name": "machined-parts",
                "index": "sha256:" + "d4" * 32,
                "store": "sha256:" + "e5" * 32,
                "rules": 17,
            },
            "facts": [FACTS, SECOND],
            "graph": "sha256:" + "9a" * 32,
            "coverage": {
                "faces": 472,
                "explained": 412,
                "share": 0.872881,
                "parts": [
                    {"name": HOUSING, "faces": 436, "explained": 380, "share": 0.87156},
                    {"name": BRACKET, "faces": 36, "explained": 32, "share": 0.888889},
                ],
                "families_not_evaluated": [
                    {"zh": "螺纹", "en": "threads"},
                    {"zh": "薄壁", "en": "thin walls"},
                    {"zh": "装配关系", "en": "assembly relations"},
                ],
            },
            "counts": {
                "violated": 1 + deep_holes,
                "undetermined": 1,
                "satisfied": 9,
                "not_applicable": 1,
                "by_severity": {"critical": 1, "major": deep_holes, "minor": 0, "info": 0},
            },
            "rules": list(RULES),
            "verdicts": verdicts,
            "context": [
                {
                    "component_id": "arm/内六角螺钉 M5x20",
                    "name": "内六角螺钉 M5x20",
                    "scope_reasons": ["name: 螺钉", "shape: 94% about one axis"],
                }
            ],
            "requests": [
                {
                    "id": "r0001",
                    "fact": "hole.edge_dist",
                    "component_id": f"arm/{HOUSING}",
                    "semantic_location": "顶面左侧直径 5 mm 的通孔",
                    "semantic_location_en": "5 mm through hole on the left of the top face",
                    "suggested_extraction": "computed B-rep check",
                    "answered": True,
                    "value": 4.25,
                    "ref": f"{SECOND}#/answers/0",
                },
                {
                    "id": "r0002",
                    "fact": "surface.role_a",
                    "component_id": f"arm/{HOUSING}",
                    "semantic_location": "底部大平面",
                    "semantic_location_en": "large plane at the bottom",
                    "suggested_extraction": "additional standard/context image",
                    "answered": False,
                    "value": None,
                    "ref": None,
                },
            ],
            "notices": [
                {
                    "code": "leaf-without-solid",
                    "subject": HOSTILE_NAMES[2],
                    "detail": "2 faces",
                },
                {"code": "some-new-code", "subject": "arm", "detail": ""},
            ],
            "pictures": [
                {
                    "id": f"p{i:04d}",
                    "file": f"pictures/p{i:04d}.png",
                    "digest": "sha256:" + f"{i:02x}" * 32,
                    "visible_pixels": 5210 + i,
                    "width": 1000,
                    "height": 750,
                }
                for i in range(1, 5)
            ],
            "gates": [{"name": "neutrality", "outcome": "holds", "because": ""}],
        }
    )


def sample_pictures() -> dict[str, bytes]:
    """Four tiny pictures that are told apart by their colour."""
    return {f"p{i:04d}": png((40 * i, 90, 160)) for i in range(1, 5)}


def png(colour: tuple[int, int, int], width: int = 4, height: int = 3) -> bytes:
    """A picture in one colour, as PNG bytes."""
    rows = (b"\0" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _verdict(rule: str, catalogue: str, name: str, **more: Any) -> dict[str, Any]:
    anchor = {
        "kind": "feature",
        "id": "part_0_feature_2",
        "solidworks_name": name,
        "component_file_name": "",
        "inferred_role": None,
    }
    blank = {
        "severity": None,
        "grey": False,
        "semantic_location": "整个零件",
        "semantic_location_en": "whole part",
        "anchor": anchor,
        "retrieval_sentence": f"{name}的孔径共 3 种。",
        "retrieval_sentence_en": f"{name} has 3 different hole diameters.",
        "measured": [],
        "limit": None,
        "fact_refs": [],
        "source_refs": [],
        "missing": [],
        "trace": [],
        "picture": None,
        "count": None,
    }
    return {
        **blank,
        "rule_id": rule,
        "catalogue_id": catalogue,
        "component_id": f"arm/{name}",
        "component_name": name,
        **more,
    }


def _sharp_corner() -> dict[str, Any]:
    at = f"{FACTS}#/parts/1/features/0/facts"
    return _verdict(
        "18.P14",
        "P14",
        BRACKET,
        id="v0001",
        verdict="violated",
        severity="critical",
        semantic_location="前侧开口凹腔的竖直内角",
        semantic_location_en="vertical internal corner of the open pocket at the front",
        retrieval_sentence=f"{BRACKET} 凹腔深 18.5 mm，最小宽 24 mm，竖直内角半径 0 mm。",
        retrieval_sentence_en=f"{BRACKET}: pocket 18.5 mm deep, 24 mm wide, corner 0 mm.",
        measured=[
            {
                "fact": "pocket.corner_r",
                "value": 0.0,
                "unit": "mm",
                "ref": f"{at}/pocket.corner_r",
            },
            {"fact": "pocket.depth", "value": 18.5, "unit": "mm", "ref": f"{at}/pocket.depth"},
        ],
        limit={
            "expression": "pocket.corner_r == 0 mm",
            "zh": "内角半径 = 0 mm",
            "en": "corner radius = 0 mm",
            "source": "DM, PR",
            "grade": "a",
        },
        fact_refs=[f"{at}/pocket.corner_r", f"{at}/pocket.depth"],
        source_refs=[{"record": 1532, "line": 1541, "ref": f"{FACTS}#/parts/1/faces/12"}],
        trace=[
            {
                "clause": "applies_if",
                "expression": "pocket.corners > 0",
                "outcome": "true",
                "severity": None,
                "values": {"hole.ld": 12.5},
            },
            {
                "clause": "bad_if",
                "expression": "pocket.corner_r == 0 mm",
                "outcome": "true",
                "severity": "critical",
                "values": {"hole.ld": 12.5},
            },
        ],
        picture="p0001",
    )


def _deep_hole(i: int) -> dict[str, Any]:
    at = f"{FACTS}#/parts/0/features/{i}/facts"
    ratio = round(10.4 + i / 30, 6)
    return _verdict(
        "18.P29",
        "P29",
        HOUSING,
        id=f"v{i + 100:04d}",
        verdict="violated",
        severity="major",
        semantic_location=f"{HOUSING}：顶面第 {i + 1} 个直径 5 mm 的盲孔",
        semantic_location_en=f"{HOUSING}: blind hole {i + 1} of 5 mm on the top face",
        retrieval_sentence=f"{HOUSING}上直径 5 mm 的盲孔，深径比 {ratio:.2f}，孔底为锥形。",
        retrieval_sentence_en=f"5 mm blind hole in {HOUSING}, depth to diameter {ratio:.2f}.",
        measured=[{"fact": "hole.ld", "value": ratio, "unit": "1", "ref": f"{at}/hole.ld"}],
        limit={
            "expression": "hole.ld > 10",
            "zh": "深径比 > 10",
            "en": "depth to diameter > 10",
            "source": "NL, ZK, VT",
            "grade": "a",
        },
        fact_refs=[f"{at}/hole.ld"],
        source_refs=[
            {"record": 200 + i, "line": 230 + i, "ref": f"{FACTS}#/parts/0/faces/{i}"}
        ],
        trace=[
            {
                "clause": "bad_if",
                "expression": "hole.ld > 10",
                "outcome": "true",
                "severity": "major",
                "values": {"hole.ld": 12.5},
            }
        ],
        picture=f"p{i + 2:04d}" if i < 3 else "p0002" if i == 3 else None,
    )


def _flush() -> dict[str, Any]:
    return _verdict(
        "18.2.4",
        "P01",
        HOUSING,
        id="v0900",
        verdict="undetermined",
        semantic_location="底部大平面与相邻凸台面",
        semantic_location_en="large plane at the bottom and the pad beside it",
        measured=[
            {
                "fact": "surface.step_height",
                "value": 0.4,
                "unit": "mm",
                "ref": f"{FACTS}#/parts/0/features/9/facts/surface.step_height",
            }
        ],
        missing=[
            {
                "fact": "surface.role_a",
                "why_needed": "只有一面加工、另一面不加工时，这条规则才有意义。",
                "why_needed_en": "The rule matters when one face is machined and one is not.",
                "suggested_extraction": "粗糙度标注、颜色或接触关系",
                "suggested_extraction_en": "a finish mark, a colour, or a contact",
            }
        ],
        trace=[
            {
                "clause": "unknown_if",
                "expression": "surface.role_a is unknown",
                "outcome": "true",
                "severity": None,
                "values": {"hole.ld": 12.5},
            }
        ],
    )


def _kept(name: str, count: int, *, grey: bool) -> dict[str, Any]:
    return _verdict(
        "18.P34",
        "P34",
        name,
        id=f"v095{count}",
        verdict="satisfied",
        grey=grey,
        count=count,
    )


def _no_pocket() -> dict[str, Any]:
    return _verdict("18.P14", "P14", HOUSING, id="v0960", verdict="not_applicable", count=1)
