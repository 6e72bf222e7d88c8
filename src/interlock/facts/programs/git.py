"""git: its own options, its aliases, and every form of it."""

from __future__ import annotations

from interlock.facts.programs import git_history, git_looks, git_remotes, git_settings, git_small, git_tree
from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.git_settings import settings_of, take_settings
from interlock.facts.programs.table import Program, Table, act

__all__ = ["TABLE"]


def _git(draft: UseDraft) -> None:
    take_settings(draft)
    if draft.words or not draft.operands:
        return
    name, *rest = draft.operands
    for key, text in settings_of(draft):
        if key == f"alias.{name.lower()}" and not text.startswith("!"):
            draft.run("argv", "git", *text.replace("'", "").replace('"', "").split(), *rest)


_OTHERS: Table = {
    "init": Program("q/quiet bare template=read separate-git-dir=create object-format= ref-format= b/initial-branch= "
        "shared?", "create*", "git/changes", special=git_settings.takes_template),
    "sh-setup backfill": act("git/changes", "*", "mention*"),
    "gui citool gitk": act("git/changes interactive", "*", "mention*"),
    "flow": act("git/changes", "*"),
}  # fmt: skip
_FORMS: Table = {
    **git_looks.FORMS, **git_tree.FORMS, **git_history.FORMS, **git_remotes.FORMS, **git_settings.FORMS,
    **git_small.SMALL, **_OTHERS,
}  # fmt: skip
_TOP = (
    "C=base c= exec-path? html-path man-path info-path p/paginate P/no-pager git-dir=read work-tree=base namespace= "
    "bare no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs "
    "glob-pathspecs noglob-pathspecs icase-pathspecs list-cmds= attr-source= config-env= super-prefix= v h/help!dry"
)

TABLE: Table = {
    "git": Program(_TOP, subs=_FORMS, traits="read-only", special=_git),
    "yadm": Program(_TOP, subs=_FORMS, traits="read-only", special=_git),
}
