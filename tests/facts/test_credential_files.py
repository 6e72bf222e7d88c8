"""The table of credential files: which paths are credentials, and which only lie beside them."""

from __future__ import annotations

import re

import pytest

from interlock.facts.credential_files import CREDENTIALS, LIKELY, PUBLIC, SAMPLES, TOOLS, everyones
from interlock.facts.paths import Places, glob_regex, kind_of_path

HERE = Places("/proj", "/proj", "/home/dev")


def means(globs: tuple[str, ...], path: str) -> bool:
    return any(re.match(glob_regex(glob, HERE).replace(r"\z", r"\Z"), path) for glob in globs)


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_what_a_tool_keeps_is_a_secret_place(tool):
    for glob in TOOLS[tool]:
        path = glob.replace("~", "/home/dev", 1).replace("**/", "/proj/x/").replace("*", "x").rstrip("/")
        path = path if path.startswith("/") else f"/proj/{path}"
        assert kind_of_path(path, HERE) == "secret", path
        assert means(CREDENTIALS, path), path


@pytest.mark.parametrize(
    "path",
    [
        "/proj/.env", "/proj/apps/web/.dev.vars", "/proj/config/master.key", "/proj/terraform.tfvars",
        "/proj/private.key", "/proj/rclone.conf", "/proj/client_secret_1.json", "/home/dev/.npmrc",
    ],
)  # fmt: skip
def test_files_that_usually_contain_credentials_are_likely_ones(path):
    assert means(LIKELY, path)
    assert not means(SAMPLES, path)


@pytest.mark.parametrize(
    "path",
    [
        "/proj/.env.example", "/proj/terraform.tfvars.example", "/proj/tests/fixtures/server.key", "/proj/public.key",
        "/proj/testdata/client.pem", "/proj/cacert.pem",
    ],
)  # fmt: skip
def test_samples_and_public_halves_are_told_apart(path):
    assert means(SAMPLES, path)


@pytest.mark.parametrize(
    "path",
    [
        "/home/dev/.ssh/known_hosts", "/home/dev/.ssh/README.md", "/home/dev/.ssh/id_ed25519.pub",
        "/home/dev/.ssh/config", "/home/dev/.gnupg/gpg.conf",
    ],
)  # fmt: skip
def test_what_everybody_may_know_is_public(path):
    assert means(CREDENTIALS, path)
    assert means(PUBLIC, path)


@pytest.mark.parametrize(
    "path",
    [
        "/proj/config.yml", "/proj/src/auth.py", "/proj/settings.json", "/home/dev/.config/gh/config.yml",
        "/home/dev/.config/nvim/init.lua", "/home/dev/.gitconfig", "/home/dev/.docker/daemon.json", "/proj/auth.json",
        "/etc/ssl/openssl.cnf", "/proj/package.json",
    ],
)  # fmt: skip
def test_ordinary_settings_are_no_credentials(path):
    assert not means(CREDENTIALS, path)
    assert not means(LIKELY, path)


def test_a_glob_below_a_home_stands_for_every_home():
    assert list(everyones(["~/.netrc", "/etc/shadow"])) == [
        "~/.netrc", "/root/.netrc", "/home/*/.netrc", "/Users/*/.netrc", "/etc/shadow",
    ]  # fmt: skip


def test_no_glob_stands_twice_in_a_group():
    for group in (CREDENTIALS, LIKELY, PUBLIC, SAMPLES):
        assert len(group) == len(set(group))
