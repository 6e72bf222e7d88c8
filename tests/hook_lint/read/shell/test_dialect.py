"""What only bash and its like understand, and which shell is named."""

from __future__ import annotations

import pytest

from interlock.hook_lint.read.shell.dialect import shell_of
from tests.hook_lint.read.shell.reading import program


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("[[ -f x ]] && exit 2", "[["),
        ("((x > 1)) && exit 2", "(("),
        ("a=(1 2)", "name=(…)"),
        ("echo ${a[0]}", "name[…]"),
        ("a[1]=x", "name[…]"),
        ("a+=x", "+="),
        ("cat <<< x", "<<<"),
        ("diff <(a) <(b)", "<(…)"),
        ("echo x &> /dev/null", "&>"),
        ("echo ${a//b/c}", "${name//…}"),
        ("echo ${a/b/c}", "${name/…}"),
        ("echo ${a:0:3}", "${name:…}"),
        ("echo ${a^^}", "${name^^}"),
        ("echo ${a,,}", "${name,,}"),
        ("echo ${!a}", "${!name}"),
        ("function f { :; }", "function"),
        ("source x", "source"),
        ("IFS=$'\\t'", "$'…'"),
        ('[ "$a" == b ]', "[ … == … ]"),
        ("read -a x", "read -a"),
        ("set -euo pipefail", "set -o pipefail"),
        ("trap 'exit 2' ERR", "trap … ERR"),
        ("declare -i x", "declare"),
        ("mapfile -t x", "mapfile"),
        ("let x=1", "let"),
        ("if true; then f() { while read -r l; do [[ $l ]]; done; }; fi", "[["),
        ('x="$(cat <<< y)"', "<<<"),
    ],
)
def test_a_form_that_a_plain_shell_has_not(text, form):
    assert form in [one.name for one in program(text).beyond_posix]


@pytest.mark.parametrize(
    "text",
    [
        '[ "$a" = b ] && [ -f x ]',
        'f() { local x=1; echo "${x:-y}" "${x#a}" "${x%%b}" "${#x}"; }',
        "cat <<'EOF'\n[[ ${a//b/c} ]]\nEOF",
        "echo '[[ x ]]' | grep -q '\\[\\['",
        "x=$((1 + 2))",
        "echo x > /dev/null 2>&1",
        "while read -r line; do :; done",
        "case $x in *[[:space:]]*) ;; esac",
        "grep -E '(a|b)' x | sed 's/a/b/'",
        ". ./lib",
        "printf '%s\\n' \"$x\"",
        "trap 'rm -f x' EXIT INT",
        "bash -c '[[ -f x ]]'",
        "set -eu",
    ],
)
def test_a_form_that_every_shell_has(text):
    assert program(text).beyond_posix == ()


def test_each_form_is_given_once_where_it_is_first():
    found = program("echo a\n[[ -f x ]]\n[[ -f y ]]\n")
    assert [(one.name, one.span.line) for one in found.beyond_posix] == [("[[", 3)]


@pytest.mark.parametrize(
    ("first", "shell"),
    [
        ("#!/bin/sh", "sh"),
        ("#!/usr/bin/env bash", "bash"),
        ("#! /usr/bin/env -S zsh -f", "zsh"),
        ("#!/bin/bash -e", "bash"),
        ("#!/usr/bin/env", ""),
        ("echo x", ""),
        ("", ""),
    ],
)
def test_the_shell_that_the_first_line_names(first, shell):
    assert shell_of(f"{first}\necho y\n") == shell
