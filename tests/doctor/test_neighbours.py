"""Worktrees and nested repositories are named where a session in them would not be guarded."""

from __future__ import annotations

from pathlib import Path

from interlock.doctor.neighbours import look
from tests.doctor.conftest import Shop, told
from tests.hosts.claude_code.test_settings_state import worktree_of

NOT_ALL = "is not guarded: Interlock's entries would not all run"


def test_a_nested_repository_is_named(shop: Shop):
    shop.install()
    nested = shop.folder("vendor/lib/.git").parent
    assert told(look(shop.root, shop.root)) == [("note", f"a session started in {nested} {NOT_ALL}")]
    shop.install(scope="user")
    assert told(look(shop.root, shop.root)) == []


def test_of_many_only_some_are_named(shop: Shop):
    shop.install()
    for number in range(7):
        shop.folder(f"{number}/.git")
    found = told(look(shop.root, shop.root))
    assert (len(found), found[-1]) == (6, ("note", "and 2 more"))


def test_where_the_project_itself_is_not_guarded_that_is_enough(shop: Shop):
    shop.folder("vendor/lib/.git")
    assert told(look(shop.root, shop.root)) == []


def test_a_worktree_in_which_the_policy_does_not_hold_is_named_from_both_sides(shop: Shop, tmp_path: Path):
    shop.install(starter="version: 1\n")
    tree = worktree_of(shop.root, tmp_path / "wt")
    assert told(look(shop.root, shop.root)) == [
        ("note", f"the policy of {shop.root} does not apply to a session started in {tree}")
    ]
    assert told(look(tree, tree)) == [
        ("problem", f"this is a worktree of {shop.root}, whose policy does not apply here")
    ]
    (tree / "interlock.yaml").write_text("version: 1\n", encoding="utf-8")
    assert told(look(shop.root, shop.root)) == []
    assert told(look(tree, tree)) == []


def test_a_worktree_in_which_entries_do_not_run_is_named(shop: Shop, tmp_path: Path):
    shop.install(scope="project")
    tree = worktree_of(shop.root, tmp_path / "wt")
    assert told(look(shop.root, shop.root)) == [("note", f"a session started in {tree} {NOT_ALL}")]
