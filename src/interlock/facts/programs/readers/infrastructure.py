"""Infrastructure as code and configuration management."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special, words


def _salt(draft: UseDraft) -> None:
    """`salt TARGET MODULE.FUNCTION …`, and the same without a target for this machine."""
    said = draft.operands[1:] if draft.name in {"salt", "salt-ssh"} else draft.operands
    function = said[0] if said else ""
    if function in {"cmd.run", "cmd.shell", "cmd.run_all", "cmd.script"} and said[1:]:
        draft.run("shell", said[1], where="host")
    elif function in _SALT_LOOKS or function.endswith((".list", ".show", ".get", ".status", ".items", ".ls", ".info")):
        draft.looks("infra/applies")
    elif "test=true" in [word.lower() for word in said]:
        draft.dry = True


_SALT_LOOKS = words(
    "test.ping test.version grains.items grains.item grains.get pillar.items sys.doc sys.list_functions disk.usage "
    "status.uptime "
    "network.interfaces pkg.version pkg.list_pkgs manage.status manage.up manage.down jobs.list_jobs jobs.lookup_jid "
    "state.show_top "
    "state.show_sls state.show_highstate service.status file.read file.stats"
)


def _ansible(draft: UseDraft) -> None:
    """`ansible hosts -m shell -a CMD`."""
    draft.hosts += [word for word in draft.operands[:1] if word not in {"all", "localhost"}]
    module, arguments = draft.value("--module-name") or "command", draft.value("--args") or ""
    short = module.rpartition(".")[2]
    if short in {"shell", "command", "raw", "script", "win_shell"} and arguments:
        draft.run("shell", arguments, where="host")
    elif short in {"ping", "setup", "debug", "stat", "getent", "gather_facts"} and "--become" not in draft.flags:
        draft.drop("infra/applies")
        draft.acts()


_LISTS = frozenset({"--list-hosts", "--list-tasks", "--list-tags", "--syntax-check"})


def _playbook(draft: UseDraft) -> None:
    """A playbook is code: it runs, unless it is only listed."""
    draft.reads += draft.operands
    if _LISTS.isdisjoint(draft.flags):
        for word in draft.operands:
            draft.run("file", word, by="ansible-playbook")


def _puppet_resource(draft: UseDraft) -> None:
    """`puppet resource user ann ensure=absent` changes what it is given a value for."""
    if any("=" in word for word in draft.operands):
        draft.add("infra/applies")


READERS: dict[str, Special] = {
    "ansible": _ansible,
    "playbook": _playbook,
    "puppet_resource": _puppet_resource,
    "salt": _salt,
}
