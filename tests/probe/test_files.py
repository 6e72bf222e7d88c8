"""What rules may ask of the file system: where links lead, what patterns stand for, and small texts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interlock.probe.files import MachineFiles


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("a.txt", "b.txt", ".hidden.txt", "src/x.py", "src/deep/y.py"):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    return root


def files(project: Path, home: str = "/nowhere") -> MachineFiles:
    return MachineFiles(str(project), home)


def test_a_path_without_links_leads_to_itself(project: Path):
    assert files(project).real(f"{project}/src/../a.txt") == f"{project}/a.txt"
    assert files(project).real(f"{project}/gone/b") == f"{project}/gone/b"


def test_a_link_leads_where_it_points_though_nothing_is_there(project: Path, tmp_path: Path):
    (project / "out").symlink_to(tmp_path / "elsewhere")
    assert files(project).real(f"{project}/out/x") == f"{tmp_path}/elsewhere/x"


def test_the_way_up_from_a_link_is_that_of_its_target(project: Path, tmp_path: Path):
    (tmp_path / "other" / "in").mkdir(parents=True)
    (project / "link").symlink_to(tmp_path / "other" / "in")
    assert files(project).real(f"{project}/link/../x") == f"{tmp_path}/other/x"


def test_what_is_deleted_is_the_link_and_not_its_target(project: Path, tmp_path: Path):
    (project / "out").symlink_to(tmp_path / "elsewhere")
    assert files(project).real(f"{project}/out", follow=False) == f"{project}/out"
    assert files(project).real(f"{project}/out/x", follow=False) == f"{tmp_path}/elsewhere/x"


def test_a_project_that_is_reached_through_a_link_keeps_its_name(project: Path, tmp_path: Path):
    link = tmp_path / "named"
    link.symlink_to(project)
    assert files(link).real(f"{link}/src/x.py") == f"{link}/src/x.py"
    assert files(link).real(f"{project}/src/x.py") == f"{project}/src/x.py"


def test_links_in_a_circle_lead_somewhere_and_raise_nothing(project: Path):
    (project / "one").symlink_to(project / "two")
    (project / "two").symlink_to(project / "one")
    assert files(project).real(f"{project}/one/x") is not None


def test_a_pattern_stands_for_files_as_in_a_shell(project: Path):
    found = files(project).glob
    assert found(f"{project}/*.txt") == (f"{project}/a.txt", f"{project}/b.txt")
    assert found(f"{project}/.h*") == (f"{project}/.hidden.txt",)
    assert found(f"{project}/s*/*.py") == (f"{project}/src/x.py",)
    assert found(f"{project}/[ab].txt") == (f"{project}/a.txt", f"{project}/b.txt")
    assert found(f"{project}/*/x.py") == (f"{project}/src/x.py",)
    assert found(f"{project}/*.gone") == ()


def test_a_pattern_for_too_many_files_stands_for_nobody_knows_what(project: Path):
    for number in range(120):
        (project / f"n{number}").touch()
    assert files(project).glob(f"{project}/n*") is None


def test_the_names_in_a_folder_and_of_no_folder(project: Path):
    assert set(files(project).entries(str(project))) == {"a.txt", "b.txt", ".hidden.txt", "src"}
    assert files(project).entries(f"{project}/a.txt") == ()
    assert files(project).entries("/no\0where") == ()


def test_a_small_text_of_the_project_is_read_and_no_other(project: Path, tmp_path: Path):
    (tmp_path / "outside.sh").write_text("x", encoding="utf-8")
    (project / "link.sh").symlink_to(tmp_path / "outside.sh")
    (project / "large.sh").write_text("x" * 70_000, encoding="utf-8")
    (project / "bytes.sh").write_bytes(b"\xff\xfe")
    os.mkfifo(project / "pipe.sh")
    read = files(project).read
    assert read(f"{project}/a.txt") == "a.txt"
    for name in ("link.sh", "large.sh", "bytes.sh", "pipe.sh", "src", "gone.sh", "../outside.sh", "a\0.txt\0x"):
        assert read(f"{project}/{name}") is None
