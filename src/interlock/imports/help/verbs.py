"""What a subcommand does, by its words and the sentence that explains it; and what a program works on.

Every guess is on the safe side: a subcommand only looks if nothing in its name or its help speaks against it.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from msgspec import Struct

from interlock.facts.programs.readers.cloud_verbs import Verb, touches_secrets
from interlock.facts.programs.readers.cloud_verbs import verb_of as verb_in_services
from interlock.facts.programs.table import words as set_of

__all__ = [
    "Subject",
    "Verb",
    "VerbGuess",
    "deletion_trait",
    "guess_subject",
    "guess_verb",
    "is_deletion",
    "set_of",
    "traits_for",
    "verb_of",
    "verbs_in",
]

Subject: TypeAlias = Literal["", "cluster", "cloud", "database", "forge", "container"]

# They look in a service. Under these names, a program of one's own may write a file, run code or reach another machine.
_NEED_HELP = set_of(
    "test check format fmt render template synth plan scan filter query watch select report doctor completion simulate "
    "lint console-output read dashboard poll url docs browse discover detect version"
)
# They take something away in a service; elsewhere they only end or undo it.
_ENDS = set_of(
    "stop cancel detach disassociate disable pause suspend shutdown poweroff halt down leave drain kill abort archive "
    "hibernate deactivate unset unlist reset deallocate unassign unmap release-address invalidate expire"
)
# Verbs of programs that work on this machine, and of sentences that explain them.
_OWN: dict[str, Verb] = {
    **dict.fromkeys(("clean", "cleanup", "autoremove", "expunge", "shred", "zap", "gc"), "deletes"),
    **dict.fromkeys(("return", "output", "compare", "retrieve"), "looks"),
}
_LOOKS_IN_HELP = set_of("list show display print get describe view inspect explain")
_MOST_TEXT = 600  # characters
_FIRST = re.compile(r"[A-Za-z][\w-]*")
_ALSO = re.compile(r"(?:\b(?:and|or|then|to)\b|[,;/])\s*(?:optionally |also |then |and |or )*([A-Za-z][\w-]*)")


class VerbGuess(Struct, frozen=True):
    """What a subcommand seems to do, and why a person should look at it."""

    kind: Verb
    verb: str
    doubt: str = ""


def verb_of(word: str) -> Verb:
    """What a word tells a program to do."""
    return _OWN.get(word) or verb_in_services(word)


def guess_verb(words: tuple[str, ...], text: str, *, is_leaf: bool = False) -> VerbGuess:
    """What a subcommand does, by its words and the sentence that explains it. `is_leaf`: it has no subcommands."""
    word = words[-1]
    named = verb_of(word)
    if not named and len(words) > 1:
        named = verb_of(words[-2])  # `get pods`, where every resource has a form of its own
    verbs = verbs_in(text)
    first, kind = verbs[0] if verbs else ("", "")
    if named in ("", "looks"):
        acts = next((one for one in sorted(verbs, key=_is_milder) if one[1] not in ("", "looks")), None)
        if acts is not None:
            return VerbGuess(acts[1], acts[0], "its name and its help disagree" if named else "")
        if any(pattern.match(word) for pattern, _ in _MORE):
            return VerbGuess("makes", word)
        if _joins_unknown_verb(text):
            return VerbGuess("", word, "what does it do?")
        if named == "looks" and (kind == "looks" or not (text or _needs_help(word.lower()))):
            return VerbGuess("looks", word) if not _hints_at_more(text) else VerbGuess("", word, "does it only look?")
        if kind == "looks" and first in _LOOKS_IN_HELP:
            # Without its own page, `auth  Inspect authorization` may be a group of which some forms do more.
            sure = is_leaf and not named and not _hints_at_more(text)
            return VerbGuess("looks" if sure else "", word, "does it only look?")
        return VerbGuess("", word, "does it only look?" if named else "what does it do?")
    deletion = next((verb for verb, kind in verbs if is_deletion(kind, verb)), None)
    if named != "deletes" and deletion is not None:
        return VerbGuess("deletes", deletion, "does it delete something?")
    return VerbGuess(named, word)


def _needs_help(word: str) -> bool:
    """Whether a name alone does not show that it only looks: `fmt`, `install-test`."""
    first = re.split(r"[-_]", word)[0]
    return not {word, first}.isdisjoint(_NEED_HELP) or (first != word and verb_of(first) != "looks")


def _is_milder(verb: tuple[str, Verb]) -> bool:
    return not is_deletion(verb[1], verb[0])


def _hints_at_more(text: str) -> bool:
    """`Get a lock, releasing the old one`, `with --fix it is repaired`: a participle or an option that acts."""
    words = re.findall(r"[a-z]+ing\b", text.lower())
    return "--" in text or any(verb_of(_plain_form(word)) not in ("", "looks") for word in words)


def _joins_unknown_verb(text: str) -> bool:
    """`Inspect and manage the cache`: the second verb may be anything."""
    found = re.match(r"\w+(?:,|,? (?:and|or)|/) ?(?:optionally )?([A-Za-z][\w-]*)", text)
    return found is not None and verb_of(_plain_form(found[1].lower())) != "looks"


def verbs_in(text: str) -> list[tuple[str, Verb]]:
    """The first word of each sentence and those joined to it, with what they do: `List, create or delete x`."""
    return [verb for sentence in re.split(r"[.!?:;]\s+", text[:_MOST_TEXT]) for verb in _verbs_of_sentence(sentence)]


def _verbs_of_sentence(text: str) -> list[tuple[str, Verb]]:
    words = [word.lower() for word in _FIRST.findall(text) if not word.endswith("ly") or verb_of(word.lower())]
    if not words:
        return []
    first = words[0]
    verb = _plain_form(first)
    # `Show logs and tags` goes on with a noun; only what has the form of the first verb is another one.
    rest = [word.lower() for word in _ALSO.findall(text) if "-" not in word]
    rest = [_plain_form(word) for word in rest] if verb != first else rest
    return [(one, verb_of(one)) for one in (verb, *rest)]


def _plain_form(word: str) -> str:
    """`lists`, `listing` → `list`; `creates`, `creating` → `create`."""
    tries = [word]
    if word.endswith("s"):
        tries += [word[:-1], word.removesuffix("es"), word.removesuffix("ies") + "y"]
    if word.endswith("ing"):
        stem = word[:-3]
        tries += [stem, stem + "e", stem[:-1]]
    return next((one for one in tries if verb_of(one)), word)


def is_deletion(kind: Verb, verb: str) -> bool:
    """Whether a verb takes something away for good: `delete`, `delete-all`, not `disable-cache`."""
    return (
        kind == "deletes"
        and any(
            verb_of(part) == "deletes" and part not in _ENDS
            for part in (verb.lower(), *re.split(r"[-_:]", verb.lower())[:2])
        )
        and re.split(r"[-_:]", verb.lower())[0] not in _ENDS
    )


# --- what a program works on -------------------------------------------------------------------------------------

_SUBJECTS: dict[Subject, frozenset[str]] = {  # nouns, without the s of several
    "cluster": set_of("cluster pod kubernete k8 replica node namespace helm workload"),
    "cloud": set_of(
        "cloud instance region deploy deployment environment tenant bucket stack app vm staging production "
        "infrastructure"
    ),
    "database": set_of("database table sql schema migration row postgre mysql redi"),
    "forge": set_of("issue pull-request merge-request ticket milestone"),
    "container": set_of("container image docker registry"),
}
_LEAST = 3  # explanations that speak of it
_SHARE = 6  # one in so many


def guess_subject(texts: list[str]) -> Subject:
    """What a program works on, if its help speaks of that often, and of nothing else as often."""
    said = [
        {word.removesuffix("s") for word in re.findall(r"[a-z0-9-]+", re.sub(r" (request)", r"-\1", text.lower()))}
        for text in texts
    ]
    # One noun alone, such as `environment`, may mean anything.
    speaks = [name for name, nouns in _SUBJECTS.items() if len(nouns & set().union(*said)) > 1]
    counts = {name: sum(not _SUBJECTS[name].isdisjoint(words) for words in said) for name in speaks}
    most = max(counts.values(), default=0)
    names = [name for name, count in counts.items() if count == most]
    return names[0] if most >= _LEAST and most * _SHARE >= len(texts) and len(names) == 1 else ""


_LOOKS: dict[Subject, str] = {
    "": "read-only",
    "cluster": "read-only cluster/reads",
    "cloud": "read-only cloud/reads",
    "database": "read-only database/reads",
    "forge": "read-only",
    "container": "read-only",
}
_DELETES: dict[Subject, str] = {
    "": "told-to-delete",
    "cluster": "cluster/deletes",
    "cloud": "cloud/deletes",
    "database": "database/deletes",
    "forge": "forge/deletes",
    "container": "container/removes",
}
_RUNS: dict[Subject, str] = {
    "": "changes",
    "cluster": "cluster/runs",
    "cloud": "cloud/runs",
    "database": "database/writes",
    "forge": "forge/writes",
    "container": "container/runs",
}
_CHANGES: dict[Subject, str] = {
    "": "changes",
    "cluster": "cluster/changes",
    "cloud": "cloud/changes",
    "database": "database/writes",
    "forge": "forge/writes",
    "container": "container/changes",
}
_DROPS = set_of("drop truncate wipe reset purge nuke empty")
_OTHER_MACHINES: tuple[Subject, ...] = ("cluster", "cloud", "forge")
# Words that say more than their verb does, wherever the program works.
_MORE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^(?:login|logout|signin|signout)$"), "signs-in"),
    (re.compile(r"^(?:serve|server|listen)$"), "network/listens"),
    (re.compile(r"^(?:port-forward|tunnel|proxy)$"), "network/tunnels"),
    (re.compile(r"^(?:download|pull|fetch)$"), "downloads network"),
    (re.compile(r"^(?:upload|push)$"), "network"),
    (re.compile(r"^(?:schedule|cron)$"), "schedules"),
    (re.compile(r"^kill$"), "kills"),
    (re.compile(r"^(?:re)?install(?:-|$)"), "installs-package"),
    (re.compile(r"^uninstall$"), "removes-package"),
)


def deletion_trait(subject: Subject) -> str:
    """The trait for taking something away there."""
    return _DELETES[subject]


def traits_for(words: tuple[str, ...], guess: VerbGuess, subject: Subject) -> str:
    """The traits of a subcommand, as the key of a `does` map."""
    if guess.kind == "looks":
        found = [_LOOKS[subject]]
    elif guess.kind == "deletes":
        found = [_DELETES[subject] if is_deletion(guess.kind, guess.verb) or subject else _CHANGES[subject]]
        if subject == "database" and guess.verb in _DROPS:
            found = ["database/drops"]
    elif guess.kind == "runs":
        found = [_RUNS[subject]]
    else:
        found = [_CHANGES[subject]]
    if found == ["told-to-delete"]:
        found = ["changes", "told-to-delete"]
    if subject == "cloud" and guess.kind in ("deploys", "access"):
        found.append(f"cloud/{guess.kind}")
    if subject == "database" and guess.verb == "restore":
        found.append("database/restores")
    if guess.kind != "looks":
        found += [traits for pattern, traits in _MORE if pattern.match(words[-1])]
    if touches_secrets(list(words)) and not (guess.kind == "looks" and guess.verb.startswith(("list", "ls"))):
        found.append("reads-secret" if guess.kind == "looks" else "writes-secret")
    if subject in _OTHER_MACHINES:
        found.append("network")
    return " ".join(dict.fromkeys(" ".join(found).split()))
