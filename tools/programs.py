"""Compile the descriptions of programs: `make programs`. Every entry is read and every case is tried first."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from interlock.facts.programs import lexicon
from interlock.policy.positions import LocatedErrors
from interlock.policy.programs.cases import case_errors
from interlock.policy.programs.coverage import forms_without_cases
from interlock.policy.programs.families import module_of, read_families, reading

FAMILIES = Path(lexicon.__file__).parents[2] / "programs"
COMPILED = Path(lexicon.__file__).with_name("compiled.py")


def main() -> int:
    """Write the compiled descriptions, or say what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if the compiled file is not current"
    )
    parser.add_argument("--uncovered", action="store_true", help="list the forms that act and that no case tries")
    asked = parser.parse_args()
    files = {file.name: file.read_bytes() for file in FAMILIES.glob("*.yaml")}
    try:
        descriptions = read_families(files)
        use_of = reading(descriptions)
        errors = [error for one in descriptions for case in one.cases for error in case_errors(case, use_of)]
    except LocatedErrors as found:
        errors = list(found.errors)
    if errors:
        for error in errors:
            sys.stderr.write(f"{error.source}: {error.message}\n    {error.help or ''}\n")
        return 1
    if asked.uncovered:
        for one, form in forms_without_cases(descriptions, use_of):
            sys.stdout.write(f"{one.source}: {one.names[0]} {form}\n")
        return 0
    text = module_of(descriptions)
    names = sum(len(one.names) for one in descriptions)
    cases = sum(len(one.cases) for one in descriptions)
    told = f"{len(files)} families, {len(descriptions)} entries, {names} names, {cases} cases"
    if asked.check:
        current = COMPILED.exists() and COMPILED.read_text(encoding="utf-8") == text
        sys.stdout.write(f"{told}: {'current' if current else 'not current; run `make programs`'}\n")
        return 0 if current else 1
    COMPILED.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
