"""Archives are unpacked as far as they can be trusted, and what is left out is named."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile

import pytest

from witmark.adapters.archives import ArchiveLimits, unpack

SMALL = ArchiveLimits(max_members=5, max_member_bytes=100, max_total_bytes=200)
pytestmark = pytest.mark.clause("DIA-CASE-02")


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(*members, mode="w", **fields):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            for field, value in fields.items():
                setattr(info, field, value)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


FILES = (("pkg/a.py", b"x = 1\n"), ("./pkg/名.txt", "名".encode()))
WANTED = {"pkg/a.py": b"x = 1\n", "pkg/名.txt": "名".encode()}


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.zip", zipped(*FILES)),
        ("a.whl", zipped(*FILES, method=zipfile.ZIP_STORED)),
        ("a.zip", zipped(*FILES, method=zipfile.ZIP_BZIP2)),
        ("a.tar", tarred(*FILES)),
        ("a.tar.gz", tarred(*FILES, mode="w:gz")),
        ("a.tbz", tarred(*FILES, mode="w:bz2")),
        ("a.tar.xz", tarred(*FILES, mode="w:xz")),
    ],
)
def test_every_member_comes_out_whole(name, raw):
    found = unpack(name, raw)
    assert (dict(found.members), found.left_out) == (WANTED, ())


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_single_packed_file_is_one_member(pack):
    name = {gzip.compress: "gz", bz2.compress: "bz2", lzma.compress: "xz"}[pack]
    assert dict(unpack(f"app.log.{name}", pack(b"one\n")).members) == {"app.log": b"one\n"}


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize(
    ("name", "because"),
    [
        ("../evil", "leads out"),
        ("a/../../evil", "leads out"),
        ("a\\..\\evil", "leads out"),
        ("/etc/evil", "absolute"),
        ("C:/evil", "absolute"),
        ("a//b", "no name"),
        ("x" * 300, "too long"),
    ],
)
def test_a_name_that_leads_astray_is_left_out_and_named(pack, name, because):
    found = unpack("a.zip", pack((name, b"!"), ("good.txt", b"kept")))
    assert dict(found.members) == {"good.txt": b"kept"}
    (told,) = found.left_out
    assert because in told


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("second", ["A/B.txt", "a/b.txt/c", "a", "a/b.txt"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_names_that_are_one_on_some_system_keep_the_first(pack, second):
    found = unpack("a.zip", pack(("a/b.txt", b"first"), (second, b"second")))
    assert dict(found.members) == {"a/b.txt": b"first"}
    assert len(found.left_out) == 1


def test_two_spellings_of_one_accent_are_one_name():
    found = unpack("a.zip", zipped(("\u00e9", b"1"), ("e\u0301", b"2")))
    assert list(found.members.values()) == [b"1"]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_of_a_tar_are_left_out(kind):
    found = unpack("a.tar", tarred(("evil", b""), type=kind, linkname="/etc/passwd"))
    assert (dict(found.members), found.left_out) == ({}, ("evil: a link or no plain file",))


def test_a_link_in_a_zip_is_left_out():
    info = zipfile.ZipInfo("evil")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    found = unpack("a.zip", zipped((info, "/etc/passwd")))
    assert found.left_out == ("evil: a link or no plain file",)


def test_an_encrypted_member_is_left_out():
    raw = bytearray(zipped(("a", b"secret")))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    assert unpack("a.zip", bytes(raw)).left_out == ("a: encrypted",)


def test_an_archive_in_an_archive_is_kept_and_told():
    inner = zipped(("b", b"1"))
    found = unpack("a.zip", zipped(("in.zip", inner)))
    assert dict(found.members) == {"in.zip": inner}
    assert "not unpacked" in found.left_out[0]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_too_many_members_end_the_unpacking_and_keep_the_first(pack):
    found = unpack("a.zip", pack(*((f"{n}", b"1") for n in range(9))), SMALL)
    assert list(found.members) == ["0", "1", "2", "3", "4"]
    assert "more than 5 members" in found.left_out[-1]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_too_many_bytes_end_the_unpacking_and_keep_the_first(pack):
    found = unpack("a.zip", pack(*((f"{n}", b"1" * 90) for n in range(4))), SMALL)
    assert list(found.members) == ["0", "1"]
    assert "unpacks to" in found.left_out[-1]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_member_that_is_too_large_is_left_out_alone(pack):
    found = unpack("a.zip", pack(("big", b"1" * 101), ("small", b"1")), SMALL)
    assert list(found.members) == ["small"]
    assert found.left_out == ("big: larger than one file may be",)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.zip", zipped(("bomb", bytes(40 << 20)))),
        ("a.tar.gz", tarred(("bomb", bytes(40 << 20)), mode="w:gz")),
        ("a.log.xz", lzma.compress(bytes(40 << 20))),
    ],
)
def test_a_bomb_ends_before_it_is_unpacked(name, raw):
    found = unpack(name, raw)
    assert not found.members
    assert "unpacks to" in found.left_out[-1]


def test_a_size_in_a_header_is_not_believed():
    """The header says one byte; what counts is what comes out."""
    raw = bytearray(zipped(("bomb", bytes(40 << 20))))
    at = raw.index(b"PK\x01\x02") + 24
    raw[at : at + 4] = (1).to_bytes(4, "little")
    found = unpack("a.zip", bytes(raw))
    assert found.left_out


@pytest.mark.parametrize(
    "raw", [zipped(*FILES), tarred(*FILES, mode="w:gz"), tarred(*FILES, mode="w:xz")]
)
def test_a_cut_or_spoilt_archive_never_raises(raw):
    for at in range(0, len(raw), 7):
        cut = unpack("a.zip", raw[:at])
        spoilt = unpack("a.zip", raw[:at] + bytes([raw[at] ^ 0xFF]) + raw[at + 1 :])
        for found in (cut, spoilt):
            assert found.left_out or found.members or not raw[:at]


def test_what_only_has_the_name_of_an_archive_is_told():
    assert "none that is read" in unpack("a.zip", b"hello").left_out[0]
