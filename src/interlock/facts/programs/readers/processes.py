"""Processes: looking at them, ending them, and the machine they run on."""

from __future__ import annotations

import re
from itertools import pairwise

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Rewrite, Special, words

# Servers and runners of a project's own code, which are started again with one command.
_WORKSHOP = words("""
    vite vitest next nuxt astro remix gatsby webpack webpack-dev-server rollup parcel turbo nodemon ts-node tsx
    react-scripts storybook start-storybook expo metro ng vue-cli-service svelte-kit jest mocha cypress playwright
    chromedriver uvicorn gunicorn hypercorn flask fastapi runserver manage.py streamlit gradio celery http.server
    pytest rails puma sidekiq rackup jekyll hugo mkdocs artisan bootRun spring-boot:run json-server live-server
    http-server wrangler miniflare
""")
_SOURCE = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".rb", ".php", ".go", ".jar", ".exs")
# Where a machine's own services listen, whoever works on what.
_KEPT_PORTS = words("3306 5432 5433 27017 6379 9200 11211 5672 2375 2376 2379 6443 8500 33060 1433 1521 5900 3389")


def _kill(draft: UseDraft) -> None:
    given = draft.args
    draft.operands += [word for word in given if not word.startswith("-") or word.lstrip("-").isdigit()]
    draft.flags += [word for word in given if word.startswith("-")]
    if given and given[0] in {"-l", "-L", "--list", "--table", "-0", "-s0"}:
        draft.looks("kills")
    elif given and given[0].lstrip("-").removeprefix("SIG") == "CONT":
        draft.drop("kills")  # what was stopped goes on
        draft.add("changes")
    elif "-1" in given[1:] or given == ("-1",):
        draft.add("forced")
    elif _are_own(_targets(given)):
        draft.drop("kills")
        draft.add("changes")


def _targets(given: tuple[str, ...]) -> list[str]:
    """What `kill` is to end, without the signal."""
    found = list(given)
    if found[:1] and found[0] in {"-s", "-n", "--signal"}:
        del found[:2]
    elif found[:1] and found[0].startswith("-") and not found[0].startswith("-%") and found[0] != "--":
        del found[0]
    return found[1:] if found[:1] == ["--"] else found


def _are_own(targets: list[str]) -> bool:
    """Whether all are jobs of the shell itself (`%1`), or have a port on which people develop (`%:3000`)."""
    return bool(targets) and all(
        is_workshop_port(one[2:]) if one.startswith("%:") else re.fullmatch("-?%.+", one) for one in targets
    )


def is_workshop_port(port: str) -> bool:
    """Whether no service of the machine usually listens there."""
    return port.isdigit() and len(port) < 6 and int(port) >= 1024 and port not in _KEPT_PORTS


def _pkill(draft: UseDraft) -> None:
    """By the line it was started with, a server of the project is told from everybody else's processes."""
    pattern = " ".join(draft.operands)
    if {"-CONT", "-SIGCONT", "--signal=CONT"} & set(draft.args):
        draft.drop("kills")
        draft.add("changes")
    elif "--full" in draft.flags and draft.name == "pkill" and re.fullmatch(r"[\w ./:@=-]+", pattern):
        parts = [part.rpartition("/")[2] for part in pattern.split()]
        if any(part in _WORKSHOP or part.endswith(_SOURCE) for part in parts):
            draft.drop("kills")
            draft.add("changes")


def _ps(args: tuple[str, ...]) -> tuple[str, ...]:
    """`ps aux`: letters need no dash."""
    if args and args[0][:1].isalpha() and args[0].isalnum():
        return ("-" + args[0], *args[1:])
    return args


def _dmesg(draft: UseDraft) -> None:
    if {"--clear", "--read-clear"} & set(draft.flags):
        draft.add("log-wiped")


_PARTS = frozenset({
    "memory", "processor", "cpu", "cache", "slot", "connector", "disk", "storage", "volume", "network", "display",
    "multimedia", "input", "printer", "power", "communication", "disk,storage",
})  # fmt: skip


def _parts_only(draft: UseDraft) -> None:
    """`lshw -c disk`, `dmidecode -t memory`, `hwinfo --cpu`: nothing of the machine as a whole is asked for."""
    words = draft.args
    if draft.name == "hwinfo":
        asked = [word.lstrip("-") for word in words if word not in {"--short", "--help"}]
    else:
        asked = [value for option, value in pairwise(words) if option in {"-t", "--type", "-c", "-C", "-class"}]
        asked += ["all"] if any(word in {"-s", "--string"} for word in words) else []
    if (asked and _PARTS.issuperset(asked)) or words == ("--help",):
        draft.drop("fingerprints")


def _sysctl(draft: UseDraft) -> None:
    if (
        "--write" in draft.flags
        or "--load" in draft.flags
        or "--system" in draft.flags
        or any("=" in word for word in draft.operands)
    ):
        draft.add("kernel")
    elif any(word.startswith(_TELLING) for word in draft.operands):
        draft.add("fingerprints")


# Names of the kernel that say which machine this is, and whether it is a real one.
_TELLING = ("hw.model", "hw.hv_", "hw.serial", "kern.hv_", "kern.uuid", "kern.vm_guest", "machdep.hypervisor")


READERS: dict[str, Special] = {
    "dmesg": _dmesg,
    "kill": _kill,
    "parts_only": _parts_only,
    "pkill": _pkill,
    "sysctl": _sysctl,
}


REWRITES: dict[str, Rewrite] = {
    "ps": _ps,
}
