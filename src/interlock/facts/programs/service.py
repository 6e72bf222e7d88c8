"""Command lines of services are built alike: groups, a verb, names. What a verb means depends on the service."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.cloud_verbs import (
    Verb,
    find_verb,
    leading_words,
    touches_access,
    touches_secrets,
    verb_of,
)
from interlock.facts.programs.readers.databases import judge_sql
from interlock.facts.programs.table import Service, Special, words
from interlock.facts.programs.use import Place

__all__ = ["service"]

# What each kind of verb is for a kind of service.
_TRAITS: dict[str, dict[Verb, tuple[str, ...]]] = {
    "cloud": {
        "looks": ("cloud/reads",),
        "makes": ("cloud/changes",),
        "deploys": ("cloud/changes", "cloud/deploys"),
        "deletes": ("cloud/deletes",),
        "access": ("cloud/changes", "cloud/access"),
        "runs": ("cloud/runs",),
        "": ("cloud/changes",),
    },
    "cluster": {
        "looks": ("cluster/reads",),
        "makes": ("cluster/changes",),
        "deploys": ("cluster/changes",),
        "deletes": ("cluster/deletes",),
        "access": ("cluster/changes", "cloud/access"),
        "runs": ("cluster/runs",),
        "": ("cluster/changes",),
    },
    "database": {
        "looks": ("database/reads",),
        "makes": ("database/writes",),
        "deploys": ("database/writes", "cloud/deploys"),
        "deletes": ("database/deletes",),
        "access": ("database/writes", "cloud/access"),
        "runs": ("database/writes",),
        "": ("database/writes",),
    },
    "forge": {
        "looks": (),
        "makes": ("forge/writes",),
        "deploys": ("forge/writes",),
        "deletes": ("forge/deletes",),
        "access": ("forge/writes", "cloud/access"),
        "runs": ("forge/writes", "cloud/runs"),
        "": ("forge/writes",),
    },
    "machine": {
        "looks": (),
        "makes": ("virtual-machine",),
        "deploys": ("virtual-machine",),
        "deletes": ("virtual-machine", "container/removes"),
        "access": ("virtual-machine",),
        "runs": ("virtual-machine", "container/runs"),
        "": ("virtual-machine",),
    },
    "local": {
        "looks": (),
        "makes": ("changes",),
        "deploys": ("changes",),
        "deletes": ("changes",),
        "access": ("changes",),
        "runs": ("runs-project",),
        "": ("changes",),
    },
}
_REHEARSALS = words("--dry-run --dryrun --dry_run --preview-only --simulate --help --validate-only --what-if")
_HELP = words("help --help -h version --version")
# Options ahead of the verb that take a value.
_VALUED = words(
    "--app -a --profile --region --project --org --team --token -t --config -c --env -e --namespace -n --context "
    "--host -H --server -s --address --account --cluster --stage --format -o --output --url -u --scope --cwd --repo "
    "--api-key --endpoint --http-addr --port -p --user --environment --log-level --kubeconfig --kube-context --name "
    "--instance --workspace --filename -f --kubeconfig-context --conn --creds --ssh-key --path --tenant --channel"
)


def service(described: Service) -> Special:
    """How a service's words are understood: as its kind has it, except for phrases and options with their own meaning.

    What stands behind `--` is a command, which runs on another machine, or `here`.
    """
    kind = described.kind
    traits = _TRAITS[kind]
    whole = {
        tuple(phrase.split()): tuple(meaning.split())
        for meaning, phrases in described.phrases.items()
        for phrase in phrases
    }
    noted = {key: tuple(value.split()) for key, value in described.flags.items()}
    place: Place = "here" if described.here else "host"

    def of(draft: UseDraft) -> None:
        args = draft.args
        said = leading_words(args, _VALUED)
        draft.operands = [word for word in args if word[:1] != "-"]
        marks = draft.marks(_VALUED)
        asks = len(args) > 1 and args[-1] in {"--help", "-h"} and args[-1] in marks and "--" not in args
        if not said or said[0] in _HELP or asks:
            draft.dry = bool(args) and not (marks - _HELP)
            if not noted.keys() & marks:
                _whole(draft, whole.get((), ("read-only",)))
            _flags(draft, noted, marks)
            return
        if _REHEARSALS & marks and not {"--dry-run=none", "--dry-run=false"} & set(args):
            draft.dry = True
        draft.add("network")
        _nested(draft, place)
        for size in (4, 3, 2, 1):
            meant = whole.get(tuple(said[:size]))
            if meant is not None and (size >= len(said) or not _goes_on(said[size], meant)):
                _whole(draft, meant)
                if not _CALM.intersection(meant):
                    _flags(draft, noted, marks)
                if "database/writes" in meant:
                    _queries(draft)
                return
        at = find_verb(said)
        verb = verb_of(said[at])
        if verb == "" or "\0" in said[at]:
            # Options may stand between a group and its verb.
            later = [word for word in draft.operands[len(said) :] if verb_of(word) == "deletes"]
            verb = "deletes" if later else ""
        _verb(draft, traits, verb, said[: at + 1])
        _flags(draft, noted, marks)
        if kind == "database" or "database/writes" in (draft.traits or ()):
            _queries(draft)

    return of


def _verb(draft: UseDraft, traits: dict[Verb, tuple[str, ...]], verb: Verb, said: list[str]) -> None:
    draft.add(*traits[verb])
    touchy = touches_secrets(said)
    if verb == "looks":
        draft.looks()
        if touchy and not said[-1].startswith(("list", "ls", "describe", "info", "help", "versions", "search")):
            draft.add("reads-secret")
        return
    if touchy:
        draft.add("writes-secret")
        if "cloud/changes" in traits[verb] and said[-1] in {"set", "put", "import", "upload", "update"}:
            draft.add("cloud/deploys")
    if touches_access(said) and "changes" not in traits[verb] and "virtual-machine" not in traits[verb]:
        draft.add("cloud/access")


_CALM = frozenset({"runs-project", "cloud/reads", "cluster/reads"})


def _goes_on(word: str, meant: tuple[str, ...]) -> bool:
    """Whether the word behind a phrase says that more is done: `sites delete`, `deployments rollback`."""
    verb = verb_of(word)
    return (verb == "deletes" and not _takes_away(meant)) or (word in _TURNS and "read-only" in meant)


# Verbs that nobody's thing is called by.
_TURNS = frozenset({"rollback", "promote", "redeploy", "revert", "restart"})


def _takes_away(meant: tuple[str, ...]) -> bool:
    return any(trait.endswith(("deletes", "destroys", "drops", "removes", "shreds", "runs")) for trait in meant)


def _queries(draft: UseDraft) -> None:
    """A word with spaces in it, for a store of data, is a query."""
    for word in draft.args:
        if " " in word.strip():
            judge_sql(draft, word)


def _whole(draft: UseDraft, meant: tuple[str, ...]) -> None:
    if "read-only" in meant:
        draft.looks()
    draft.add(*meant)


def _flags(draft: UseDraft, noted: dict[str, tuple[str, ...]], marks: set[str]) -> None:
    for mark in noted.keys() & marks:
        draft.add(*noted[mark])


def _nested(draft: UseDraft, where: Place) -> None:
    args = draft.args
    if "--" in args and args.index("--") + 1 < len(args):
        draft.run("argv", *args[args.index("--") + 1 :], where=where)
    elif "--command" in args and args.index("--command") + 1 < len(args):
        draft.run("shell", args[args.index("--command") + 1], where=where)
