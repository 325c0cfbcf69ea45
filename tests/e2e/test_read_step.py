"""What the reader says of small files that we make ourselves, so that every number is known."""

import math
import os
import re

import numpy as np
import pytest
import support_occt as make
from OCP.TopoDS import TopoDS

from witmark.adapters.occt.reader import read_step
from witmark.adapters.occt.surfaces import surface_of
from witmark.adapters.step21 import errors
from witmark.kernel.errors import InputError, UnknownLengthUnitError
from witmark.review.brep import BodyKind, Convexity, CurveKind, SurfaceKind


def only_part(path, **options):
    assembly = read_step(path, **options)
    assert len(assembly.parts) == 1
    return assembly.parts[0].brep


def kinds(brep, kind):
    return np.flatnonzero(brep.face_kind == kind)


def codes(assembly):
    return [notice.code for notice in assembly.notices]


def test_a_box_is_six_planes_and_twelve_convex_right_angles(tmp_path):
    brep = only_part(make.write_part(tmp_path / "a.stp", make.box(10, 20, 30)))

    assert (brep.face_kind == SurfaceKind.PLANE).all()
    assert sorted(brep.face_area_mm2.round(9)) == [200, 200, 300, 300, 600, 600]
    assert (brep.edge_convexity == Convexity.CONVEX).all()
    assert np.allclose(brep.edge_fold_rad, math.pi / 2)
    assert brep.box_mm.tolist() == [0, 0, 0, 10, 20, 30]
    centre = np.array([5, 10, 15])
    away = np.einsum("ij,ij->i", brep.face_axis, brep.face_origin_mm - centre)
    assert (away > 0).all()


def test_a_through_hole_is_a_bore_with_a_full_turn_and_convex_rims(tmp_path):
    brep = only_part(make.write_part(tmp_path / "a.stp", make.drilled_plate(5.0)))
    (hole,) = kinds(brep, SurfaceKind.CYLINDER)

    assert brep.face_radius_mm[hole] == pytest.approx(2.5)
    assert brep.face_side[hole] == -1
    assert brep.face_sweep_rad[hole] == 2 * math.pi
    assert np.ptp(brep.face_along_mm[hole]) == pytest.approx(10)
    assert brep.face_area_mm2[hole] == pytest.approx(math.pi * 5 * 10)
    rims = np.flatnonzero(brep.edge_kind == CurveKind.CIRCLE)
    assert (brep.edge_convexity[rims] == Convexity.CONVEX).all()
    assert np.allclose(brep.edge_radius_mm[rims], 2.5)
    tops = [f for f in kinds(brep, SurfaceKind.PLANE) if len(brep.loops_of(f)) == 2]
    assert np.allclose(brep.face_area_mm2[tops], 40 * 30 - math.pi * 2.5**2)


def test_the_floor_of_a_blind_hole_meets_its_wall_in_a_concave_edge(tmp_path):
    brep = only_part(make.write_part(tmp_path / "a.stp", make.drilled_plate(5.0, depth=6.0)))
    rims = np.flatnonzero(brep.edge_kind == CurveKind.CIRCLE)
    heights = brep.edge_origin_mm[rims, 2]

    assert brep.edge_convexity[rims[heights.argmin()]] == Convexity.CONCAVE
    assert brep.edge_convexity[rims[heights.argmax()]] == Convexity.CONVEX


@pytest.mark.clause("REV-READ-03")
def test_b_splines_that_are_planes_and_cylinders_are_told_as_such(tmp_path):
    plain = only_part(make.write_part(tmp_path / "a.stp", make.drilled_plate()))
    splines = make.as_bsplines(make.drilled_plate())
    brep = only_part(make.write_part(tmp_path / "b.stp", splines))

    assert (brep.face_declared_kind == SurfaceKind.FREEFORM).all()
    assert sorted(brep.face_kind) == sorted(plain.face_kind)
    assert sorted(brep.edge_kind) == sorted(plain.edge_kind)
    assert sorted(brep.face_side) == sorted(plain.face_side)
    assert np.allclose(np.sort(brep.face_area_mm2), np.sort(plain.face_area_mm2), rtol=1e-4)
    assert sorted(brep.edge_convexity) == sorted(plain.edge_convexity)


@pytest.mark.parametrize(
    ("shape", "kind", "radius"),
    [
        (make.ball(7), SurfaceKind.SPHERE, 7),
        (make.ring(20, 3), SurfaceKind.TORUS, 20),
        (make.frustum(10, 4, 12), SurfaceKind.CONE, 10),
    ],
    ids=["sphere", "torus", "cone"],
)
@pytest.mark.parametrize("change", [lambda s: s, make.as_bsplines], ids=["plain", "b-spline"])
def test_round_surfaces_are_known_however_they_are_written(
    tmp_path, shape, kind, radius, change
):
    brep = only_part(make.write_part(tmp_path / "a.stp", change(shape)))
    found = kinds(brep, kind)

    assert len(found) >= 1
    assert (brep.face_kind != SurfaceKind.FREEFORM).all()
    assert np.allclose(brep.face_radius_mm[found], radius, atol=1e-3)
    assert (brep.face_side[found] == 1).all()
    assert brep.body_valid.all()


def test_the_axis_of_a_cone_points_from_its_apex_into_the_face(tmp_path):
    brep = only_part(make.write_part(tmp_path / "a.stp", make.frustum(10, 4, 12)))
    (cone,) = kinds(brep, SurfaceKind.CONE)

    assert np.allclose(brep.face_origin_mm[cone], [0, 0, 20])
    assert np.allclose(brep.face_axis[cone], [0, 0, -1])
    assert np.allclose(brep.face_along_mm[cone], [8, 20])
    assert brep.face_half_angle_rad[cone] == pytest.approx(math.atan2(10, 20))
    assert brep.face_area_mm2[cone] == pytest.approx(math.pi * 14 * math.hypot(6, 12))


@pytest.mark.parametrize("turned", [False, True])
def test_a_sliver_is_no_plane_that_stands_on_its_edge(turned):
    face = make.bowed_sliver(0.05, 0.0002, 0.0009)
    surface = surface_of(TopoDS.Face(face.Reversed()) if turned else face)

    assert surface.kind is SurfaceKind.FREEFORM
    assert surface.axis == pytest.approx((0, 0, -1 if turned else 1), abs=0.05)


@pytest.mark.parametrize("turned", [False, True])
def test_a_recognised_plane_faces_where_its_face_does(turned):
    face = make.bowed_sliver(5.0, 3.0, 0.0009)
    surface = surface_of(TopoDS.Face(face.Reversed()) if turned else face)

    assert surface.kind is SurfaceKind.PLANE
    assert surface.axis == pytest.approx((0, 0, -1 if turned else 1), abs=0.05)


@pytest.mark.clause("REV-READ-03")
def test_an_oval_hole_stays_free_form(tmp_path):
    brep = only_part(make.write_part(tmp_path / "a.stp", make.plate_with_oval_hole(6, 4)))
    (wall,) = kinds(brep, SurfaceKind.FREEFORM)

    assert np.isnan(brep.face_radius_mm[wall])
    assert np.isnan(brep.face_sweep_rad[wall])
    rims = np.flatnonzero(brep.edge_kind == CurveKind.ELLIPSE)
    assert len(rims) == 2
    assert (brep.edge_convexity[rims] == Convexity.CONVEX).all()


def test_a_hole_that_leaves_its_face_is_a_fault(tmp_path):
    """The CAD kernel makes two solids of it, and says nothing."""
    path = make.write_part(tmp_path / "a.stp", make.drilled_plate(5.0))
    text = path.read_text()
    for centre, seam in ((12, 14.5), (39, 41.5)):
        text = text.replace(f"({centre}.,15.,", "(39.,15.,").replace(
            f"({seam},15.,", "(41.5,15.,"
        )
    path.write_text(text)
    brep = only_part(path)

    assert not brep.body_valid.any()
    assert "takes one solid of the file apart" in brep.body_fault[0]


def test_loops_close_and_keep_the_face_on_their_left(tmp_path):
    brep = only_part(make.write_part(tmp_path / "a.stp", make.drilled_plate(5.0, depth=6.0)))

    for face in kinds(brep, SurfaceKind.PLANE):
        for loop in brep.loops_of(int(face)):
            run = brep.loop_points_mm(loop)
            turn = np.cross(run, np.roll(run, -1, axis=0)).sum(axis=0) @ brep.face_axis[face]
            assert (turn > 0) == bool(brep.loop_outer[loop])


@pytest.mark.clause("REV-READ-04")
def test_every_face_names_the_record_and_line_that_made_it(tmp_path):
    path = make.write_part(tmp_path / "a.stp", make.drilled_plate())
    brep = only_part(path)
    lines = path.read_text().splitlines()

    assert len(set(brep.face_step_record.tolist())) == 7
    for record, line in zip(brep.face_step_record, brep.face_step_line, strict=True):
        assert re.match(rf"#{record} = ADVANCED_FACE\(", lines[line - 1])


@pytest.mark.clause("REV-READ-02")
def test_an_inch_file_is_read_in_millimetres(tmp_path):
    assembly = read_step(make.write_part(tmp_path / "a.stp", make.drilled_plate(), unit="INCH"))

    assert (assembly.unit.declared, assembly.unit.mm_per_unit) == ("inch", 25.4)
    assert np.allclose(assembly.parts[0].brep.box_mm, [0, 0, 0, 40, 30, 10])


def without_unit(path):
    bare = re.sub(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\([^)]*\)\)", b"", path.read_bytes())
    path.write_bytes(bare)
    return path


@pytest.mark.clause("REV-READ-02")
def test_a_file_without_a_unit_is_refused_unless_one_is_given(tmp_path):
    path = without_unit(make.write_part(tmp_path / "a.stp", make.drilled_plate()))

    with pytest.raises(UnknownLengthUnitError, match=r"a\.stp"):
        read_step(path)
    scaled = read_step(path, length_unit_mm=25.4)
    assert scaled.unit.declared == "given"
    assert np.allclose(scaled.parts[0].brep.box_mm[3:], np.array([40, 30, 10]) * 25.4)
    assert (scaled.parts[0].brep.face_step_line > 0).all()


@pytest.mark.clause("REV-READ-01")
def test_instances_share_a_part_and_have_paths_of_their_own(tmp_path):
    shifts = [make.moved(0, 0, 0), make.moved(50, 0, 0)]
    path = make.write_assembly(
        tmp_path / "a.stp",
        [(make.drilled_plate(), "plate", shifts), (make.box(1, 2, 3), "螺钉", shifts[1:])],
    )
    assembly = read_step(path)

    paths = [i.component_id for i in assembly.instances]
    assert paths == ["assembly/plate", "assembly/plate#2", "assembly/螺钉"]
    assert [i.part for i in assembly.instances] == [0, 0, 1]
    assert assembly.instances[1].placement.shift_mm.tolist() == [50, 0, 0]
    assert codes(assembly) == []


@pytest.mark.clause("REV-READ-01")
def test_a_mirrored_instance_says_so(tmp_path):
    motions = [make.moved(0, 0, 0), make.mirrored()]
    path = make.write_assembly(tmp_path / "a.stp", [(make.drilled_plate(), "p", motions)])
    plain, mirror = read_step(path).instances

    assert (plain.placement.mirrored, mirror.placement.mirrored) == (False, True)
    assert mirror.placement.points(np.array([12.0, 15.0, 0.0])).tolist() == [-12, 15, 0]


def test_names_in_gbk_are_read(tmp_path):
    path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3), name="plate")
    path.write_bytes(path.read_bytes().replace(b"'plate'", "'底板'".encode("gbk")))

    assert read_step(path).parts[0].name == "底板"


def test_a_name_of_twenty_thousand_bytes_is_shortened_and_noted(tmp_path):
    path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3), name="plate")
    path.write_bytes(path.read_bytes().replace(b"'plate'", b"'" + b"x" * 20_000 + b"'"))
    assembly = read_step(path)

    assert assembly.parts[0].name == "x" * 120 + "…"
    assert set(codes(assembly)) == {"shortened-text"}
    assert (assembly.parts[0].brep.face_step_line > 0).all()


def test_a_nameless_product_still_has_a_path(tmp_path):
    path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3), name="plate")
    path.write_bytes(path.read_bytes().replace(b"'plate'", b"''"))
    (instance,) = read_step(path).instances

    assert instance.component_id


def test_a_sheet_beside_a_solid_is_read_and_noted(tmp_path):
    still = [make.moved(0, 0, 0)]
    path = make.write_assembly(
        tmp_path / "a.stp", [(make.box(1, 2, 3), "b", still), (make.sheet(4, 5), "s", still)]
    )
    assembly = read_step(path)
    (sheet,) = [p for p in assembly.parts if p.brep.faces == 1]

    assert sheet.brep.body_kind.tolist() == [BodyKind.SHEET]
    assert sheet.brep.face_area_mm2.tolist() == pytest.approx([20])
    assert codes(assembly) == ["leaf-without-solid"]


@pytest.mark.parametrize(("scale", "up"), [(2.0, 1.0), (1.0, -1.0)], ids=["scale", "mirror"])
def test_an_operator_that_places_a_component_is_noted(tmp_path, scale, up):
    placed = [(make.box(1, 2, 3), "b", [make.moved(5, 0, 0)])]
    path = make.write_assembly(tmp_path / "a.stp", placed)
    text = re.sub(
        r"(ITEM_DEFINED_TRANSFORMATION\('','',#\d+,)#\d+", r"\1#900001", path.read_text()
    )
    records = (
        "#900001=CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',$,$,#900002,"
        f"{scale},#900003);\n#900002=CARTESIAN_POINT('',(5.,0.,0.));\n"
        f"#900003=DIRECTION('',(0.,0.,{up}));\nENDSEC;\nEND-ISO"
    )
    path.write_text(text.replace("ENDSEC;\nEND-ISO", records))
    notices = [n for n in read_step(path).notices if n.code == "transformation-not-read"]

    assert len(notices) == 1
    line = int(notices[0].subject.removeprefix("a.stp:"))
    assert path.read_text().splitlines()[line - 1].startswith("#900001=")


def test_a_part_of_implausible_size_is_read_and_noted(tmp_path):
    assembly = read_step(make.write_part(tmp_path / "a.stp", make.box(26_000, 10, 10)))

    assert codes(assembly) == ["implausible-size"]


def test_a_solid_without_a_face_is_open_and_not_valid(tmp_path):
    path = make.write_part(tmp_path / "a.stp", make.box(10, 20, 30))
    text = path.read_text()
    shell = re.search(r"CLOSED_SHELL\('',\((#\d+),", text)
    path.write_text(text.replace(shell[0], "CLOSED_SHELL('',(", 1))
    assembly = read_step(path)

    assert not assembly.parts[0].brep.body_valid.any()
    assert "4 free edges" in assembly.parts[0].brep.body_fault[0]
    assert "cannot close" in assembly.parts[0].brep.body_fault[0]
    assert set(codes(assembly)) == {"invalid-body", "records-not-read"}


def test_a_sphere_cut_along_its_seam_keeps_the_right_side_of_its_boundary(tmp_path):
    shape = make.drilled_quarter_shell(60, 1, 36)
    brep = only_part(make.write_part(tmp_path / "a.stp", shape))
    outer, inner = sorted(
        kinds(brep, SurfaceKind.SPHERE), key=lambda f: -brep.face_radius_mm[f]
    )

    for face, radius, side in ((outer, 60, 1), (inner, 59, -1)):
        cap = math.pi * radius * (radius - math.sqrt(radius**2 - 18**2))  # half of it
        assert brep.face_area_mm2[face] == pytest.approx(math.pi * radius**2 - cap, rel=1e-5)
        assert brep.face_side[face] == side
    assert brep.face_box_mm[outer].tolist() == pytest.approx([0, 0, -60, 60, 60, 60])
    assert brep.body_valid.all()


@pytest.mark.parametrize("shape", [make.box(10, 20, 30), make.drilled_plate()])
def test_a_face_whose_sense_is_against_the_others_makes_its_solid_invalid(tmp_path, shape):
    path = make.write_part(tmp_path / "a.stp", shape)
    face = r"(ADVANCED_FACE\('',\(#\d+\),#\d+,)\.([TF])\."
    path.write_text(
        re.sub(
            face, lambda m: m[1] + (".F." if m[2] == "T" else ".T."), path.read_text(), count=1
        )
    )
    assembly = read_step(path)

    assert not assembly.parts[0].brep.body_valid.any()
    assert "not consistently oriented" in assembly.parts[0].brep.body_fault[0]
    assert codes(assembly) == ["invalid-body"]


def test_two_reads_give_the_same_arrays(tmp_path):
    path = make.write_part(tmp_path / "a.stp", make.drilled_plate())
    one, two = only_part(path), only_part(path)

    assert one.edge_point_mm.tobytes() == two.edge_point_mm.tobytes()
    assert one.face_area_mm2.tobytes() == two.face_area_mm2.tobytes()


class TestBadInput:
    """Each is an InputError with a code, the file, a reason and a way out."""

    def refused(self, path, kind, words):
        with pytest.raises(kind, match=words) as caught:
            read_step(path)
        assert isinstance(caught.value, InputError)
        assert caught.value.exit_code == 2
        assert caught.value.hint
        return caught.value

    def test_a_missing_file(self, tmp_path):
        self.refused(tmp_path / "no.stp", errors.UnreadableFileError, "no such file")

    def test_a_folder(self, tmp_path):
        self.refused(tmp_path, errors.UnreadableFileError, "folder")

    def test_links_in_a_circle(self, tmp_path):
        (tmp_path / "a.stp").symlink_to("b.stp")
        (tmp_path / "b.stp").symlink_to("a.stp")
        self.refused(tmp_path / "a.stp", errors.UnreadableFileError, "circle|symbolic")

    def test_a_device(self):
        self.refused("/dev/null", errors.UnreadableFileError, "device")

    def test_a_path_with_a_null(self):
        self.refused("a\0b.stp", errors.UnreadableFileError, "path")

    @pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"\x7fELF\x00\x01", b"hello"])
    def test_something_else(self, tmp_path, data):
        (tmp_path / "a.stp").write_bytes(data)
        self.refused(tmp_path / "a.stp", errors.NotStepError, "a.stp")

    def test_half_a_file(self, tmp_path):
        path = make.write_part(tmp_path / "a.stp", make.drilled_plate())
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        assert self.refused(path, errors.TruncatedStepError, "stops").line > 100

    def test_only_a_sheet(self, tmp_path):
        path = make.write_part(tmp_path / "a.stp", make.sheet(3, 4))
        self.refused(path, errors.NoSolidError, "1 surface bod")

    def test_a_body_beyond_the_horizon(self, tmp_path):
        far = [make.moved(1e9, 0, 0)]
        path = make.write_assembly(tmp_path / "a.stp", [(make.box(1, 1, 1), "b", far)])
        self.refused(path, errors.HugeCoordinatesError, "b")

    def test_a_name_that_is_not_utf_8_is_no_obstacle(self, tmp_path):
        path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3))
        odd = tmp_path / b"\xff\xfe.stp".decode("utf-8", "surrogateescape")
        path.rename(odd)
        assert read_step(odd).parts[0].brep.faces == 6
        odd.write_bytes(b"")
        self.refused(odd, errors.NotStepError, r"\\xff")

    def with_reference(self, tmp_path, name):
        path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3))
        record = f"#900001=DOCUMENT_FILE('{name}','','',#900002,'',$);\nENDSEC;\nEND-ISO"
        path.write_text(path.read_text().replace("ENDSEC;\nEND-ISO", record))
        return path

    @pytest.mark.clause("REV-READ-05")
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("gone.stp", "cannot be found"),
            ("../gone.stp", "cannot be found"),
            ("/etc/x.stp", "absolute"),
            ("C:\\\\x.stp", "absolute"),
            ("a.stp", "refers back"),
        ],
    )
    def test_a_reference_that_leads_nowhere_good(self, tmp_path, name, words):
        path = self.with_reference(tmp_path, name)
        error = self.refused(path, errors.ExternalReferenceError, words)
        assert "#900001" in path.read_text().splitlines()[error.line - 1]

    @pytest.mark.clause("REV-READ-05")
    def test_a_reference_to_a_pipe_is_refused_and_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.stp")
        (tmp_path / "folder.stp").mkdir()
        for name in ("pipe.stp", "folder.stp"):
            path = self.with_reference(tmp_path, name)
            self.refused(path, errors.ExternalReferenceError, "no regular file")

    def test_a_pipe(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.stp")
        self.refused(tmp_path / "pipe.stp", errors.UnreadableFileError, "device")

    def test_a_coordinate_beyond_all_numbers(self, tmp_path):
        path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3))
        path.write_text(path.read_text().replace("(0.,2.,3.)", "(0.,2.,1E300)"))
        error = self.refused(path, errors.HugeCoordinatesError, "CARTESIAN_POINT")
        assert "1E300" in path.read_text().splitlines()[error.line - 1]

    def test_shapes_under_the_schema_of_a_building(self, tmp_path):
        path = make.write_part(tmp_path / "a.stp", make.box(1, 2, 3))
        path.write_text(re.sub(r"FILE_SCHEMA.*;", "FILE_SCHEMA(('IFC4'));", path.read_text()))
        self.refused(path, errors.WrongSchemaError, "IFC4")

    @pytest.mark.clause("REV-READ-05")
    def test_a_reference_out_of_the_folder(self, tmp_path):
        inner = tmp_path / "inner"
        inner.mkdir()
        make.write_part(tmp_path / "out.stp", make.box(1, 2, 3))
        (inner / "link.stp").symlink_to(tmp_path / "out.stp")
        for name in ("../out.stp", "link.stp"):
            path = self.with_reference(inner, name)
            self.refused(path, errors.ExternalReferenceError, "outside the folder")

    def test_a_document_that_is_no_step_is_noted(self, tmp_path):
        path = self.with_reference(tmp_path, "drawing.pdf")
        assert codes(read_step(path)) == ["document-not-read"]
