"""Python: packages, environments, checkers and runners."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _pip_install(draft: UseDraft) -> None:
    """Requirements that are files, directories or URLs; where they come from."""
    for word in draft.operands:
        if "://" in word:
            draft.urls.append(word.removeprefix("git+"))
        elif word.startswith((".", "/", "~")) or word.endswith((".whl", ".tar.gz", ".zip")):
            draft.reads.append(word)
            draft.add("runs-project")
    if {"--break-system-packages", "--system"} & set(draft.flags):
        draft.add("system-package")
    if {"--index-url", "--extra-index-url", "--trusted-host", "--find-links"} & set(draft.flags):
        draft.add("package-source")


def _run_argv(draft: UseDraft) -> None:
    words = draft.operands
    if words and words[0].endswith(".py"):
        draft.reads.append(words[0])
        draft.run("file", *words, by="python")
    elif words:
        draft.run("argv", *words)


def _uv_run(draft: UseDraft) -> None:
    # Bringing the project's own environment up to date does not count; packages named here do.
    if {"--with", "--with-requirements", "--with-editable"} & set(draft.flags):
        draft.add("installs-package")
    if "--module" in draft.flags:
        draft.run("argv", "python", "-m", *draft.operands)
    elif "--script" in draft.flags and draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by="python")
    elif draft.operands == ["-"]:
        draft.stdin = "code:python"
    else:
        _run_argv(draft)


def _tool(draft: UseDraft) -> None:
    """A package that is fetched if need be, and run."""
    words = list(draft.operands)
    if not words:
        return
    words[0] = words[0].partition("@")[0].partition("==")[0] or words[0]
    draft.run("argv", *words)


def _pytest(draft: UseDraft) -> None:
    files = [word.partition("::")[0] for word in draft.operands]
    draft.reads += files
    for file in files:
        if file.startswith(("/", "~")):
            draft.run("file", file, by=draft.name)
    if {"--collect-only", "--fixtures", "--markers"} & set(draft.flags):
        draft.acts()


_PIP = (
    "isolated require-virtualenv python= v/verbose q/quiet log=write no-input keyring-provider= proxy=host retries= "
    "timeout= exists-action= trusted-host= cert=read client-cert=read cache-dir= no-cache-dir "
    "disable-pip-version-check no-color "
    "no-python-version-warning use-feature= use-deprecated= debug V!dry h!dry"
)
_PIP_INSTALL = (
    "r/requirement=read c/constraint=read no-deps pre e/editable=read dry-run!dry t/target=write platform= "
    "python-version= implementation= abi= user root=write prefix=write src= U/upgrade upgrade-strategy= "
    "force-reinstall I/ignore-installed "
    "ignore-requires-python no-build-isolation use-pep517 no-use-pep517 check-build-dependencies "
    "break-system-packages C/config-settings= global-option= compile no-compile no-warn-script-location "
    "no-warn-conflicts no-binary= only-binary= prefer-binary "
    "require-hashes progress-bar= root-user-action= report=write group= no-clean i/index-url/pypi-url=url "
    "extra-index-url=url no-index f/find-links= d/dest=write w/wheel-dir=write"
)
_UV = (
    "q/quiet v/verbose color= native-tls offline allow-insecure-host= no-progress directory=base project=base "
    "config-file=read no-config n/no-cache cache-dir= managed-python no-managed-python no-python-downloads "
    "python-preference= "
    "p/python= i/index-url=url extra-index-url=url default-index=url index=url f/find-links= no-index "
    "index-strategy= keyring-provider= resolution= prerelease= exclude-newer= link-mode= refresh? "
    "refresh-package= no-build no-binary upgrade/U P/upgrade-package= "
    "frozen locked no-sync no-dev dev only-dev group= only-group= no-group= all-groups extra= all-extras no-extra= "
    "active isolated no-project reinstall reinstall-package= compile-bytecode config-setting/C= h!dry V!dry "
    "no-editable no-build-isolation fork-strategy= "
    "no-sources no-build-package= no-binary-package= preview package= all-packages exact"
)
_UV_RUN = (
    _UV + " m/module s/script with= with-editable=read with-requirements=read env-file=read no-env-file gui-script w="
)
_POETRY = "q/quiet ansi no-ansi n/no-interaction no-plugins no-cache P/project=base C/directory=base v/verbose"
_LINT = (
    "config=read select= ignore= extend-select= extend-ignore= fixable= unfixable= per-file-ignores= output-format= "
    "o/output-file=write target-version= preview no-preview respect-gitignore exclude= extend-exclude= "
    "force-exclude statistics n/no-cache isolated cache-dir= "
    "stdin-filename= e/exit-zero exit-non-zero-on-fix show-files show-settings w/watch q/quiet s/silent v/verbose "
    "show-fixes line-length= extension= range= check!dry diff!dry no-fix color= min-confidence= l= h!dry"
)


def _notebook(draft: UseDraft) -> None:
    """It listens on this machine alone, unless it is told an address."""
    if draft.operands[:1] == ["list"]:
        draft.looks("runs-project")
    elif (draft.value("--ip") or "localhost") not in {"localhost", "127.0.0.1", "::1"}:
        draft.add("network/listens")


# Which index is asked, whom it is believed to be, and what pip runs or reads besides.
_PIP_SOURCES = (
    "index", "extra", "find-links", "no-index", "trusted", "cert", "client-cert", "proxy", "constraint", "requirement",
    "keyring", "python", "target", "root", "prefix", "editor", "config", "build", "global-option", "install-option",
    "src", "hash", "require", "only", "no-binary", "pre", "isolated", "use",
)  # fmt: skip


def _pip_setting(draft: UseDraft) -> None:
    """`pip config set global.timeout 60` says nothing of where packages come from."""
    key = draft.operands[0].rpartition(".")[2] if draft.operands else ""
    if key and "\0" not in key and not key.startswith(_PIP_SOURCES):
        draft.drop("package-source")
        draft.add("changes")


TABLE: Table = {
    "pip pip3 pip2": Program(_PIP, subs={
        "install": act("installs-package network", f"{_PIP} {_PIP_INSTALL}".replace("dry-run!dry", "dry-run"),
            special=_pip_install),
        "download wheel": act("downloads network", f"{_PIP} {_PIP_INSTALL}", special=_pip_install),
        "lock": act("changes network", f"{_PIP} {_PIP_INSTALL} o/output=write"),
        "uninstall": act("removes-package", f"{_PIP} y/yes!forced r/requirement=read root-user-action= "
            f"break-system-packages!system-package"),
        "list freeze show check inspect debug help version": look(f"{_PIP} o/outdated u/uptodate e/editable l/local "
            "user "
            f"path=read pre format= not-required exclude-editable include-editable exclude= r/requirement=read all "
            f"f/files i/index-url=url extra-index-url=url no-index f/find-links= ".replace("f/find-links= ",
                    "find-links= ")),
        "index search": look(f"{_PIP} pre i/index-url=url extra-index-url=url index= platform= python-version= "
            f"ignore-requires-python json", "text*", "network", subs={}),
        "hash": look(f"{_PIP} a/algorithm=", "read*"),
        "cache": Program(_PIP, subs={"dir info list": look(_PIP + " format="), "remove purge": act("changes", _PIP)}),
        "config": Program(_PIP + " editor=shell", subs={"list get debug": look(_PIP + " user global site"),
            "set unset edit": act("package-source", _PIP + " user global site editor=shell", special=_pip_setting)}),
        "completion": look(_PIP + " bash zsh fish"),
    }),
    "uv": Program(_UV, traits="read-only", subs={
        "run": Program(_UV_RUN, "text*", "read-only", special=_uv_run, stops=True),
        "tool": Program(_UV, subs={
            "run": Program(_UV_RUN + " from=", "text*", "runs-package network", special=_tool, stops=True),
            "list dir": look(_UV + " show-paths show-version-specifiers show-with show-extras bin outdated "
                "show-python"),
            "install upgrade": act("installs-package network", _UV + " with= with-editable=read force!forced all "
                "e/editable"), "uninstall": act("removes-package", _UV + " all"),
                    "update-shell": act("shell-state changes", _UV),
        }),
        "pip": Program(_UV, subs={
            "install": act("installs-package network", f"{_UV} r/requirement/requirements=read e/editable=read "
                f"c/constraint/constraints=read system!system-package break-system-packages!system-package "
                f"target=write prefix=write dry-run!dry no-deps t= overrides=read strict user",
                        special=_pip_install),
            "uninstall": act("removes-package", _UV + " r/requirement=read system!system-package "
                "break-system-packages!system-package dry-run!dry y/yes"),
            "sync": act("installs-package removes-package network", _UV + " dry-run!dry system!system-package",
                "read*"),
            "compile": act("network", _UV + " o/output-file=write c/constraint=read no-header no-annotate "
                "generate-hashes universal python-version= no-emit-package= emit-index-url no-strip-extras "
                "annotation-style= python-platform=", "read*"),
            "list freeze show check tree": look(_UV + " e/editable exclude-editable exclude= format= outdated strict "
                "system no-system f/files d/depth= prune= invert no-dedupe show-version-specifiers path= user"),
        }),
        "python": Program(_UV, subs={"list find dir": look(_UV + " all-versions all-platforms all-arches "
            "only-installed only-downloads show-urls output-format= bin system no-system script= resolve-links "
            "show-version"), "install uninstall pin upgrade update-shell": act("installs-package network",
                    _UV + " default f/force all reinstall rm global")}),
        "add": act("installs-package network", _UV + " r/requirements=read editable raw bounds= rev= tag= branch= "
            "optional= script=edit no-workspace workspace c/constraints=read raw-sources marker=",
                special=_pip_install),
        "remove": act("removes-package", _UV + " optional= script=edit"),
        "sync": act("installs-package removes-package network",
            _UV + " inexact no-install-project no-install-workspace script= dry-run!dry check!dry"),
        "lock": act("changes network", _UV + " check!dry dry-run!dry script= check-exists!dry"),
        "export": look(_UV + " format= o/output-file=write no-hashes no-header no-annotate no-emit-project prune= "
            "script= no-emit-workspace no-emit-package="),
        "tree version help": look(_UV + " universal d/depth= prune= no-dedupe invert outdated show-sizes "
            "output-format= short bump=text!changes dry-run script= python-version= python-platform="),
        "init": act("changes", _UV + " name= lib app package no-package bare script vcs= build-backend= no-readme "
            "no-pin-python no-workspace description= author-from= no-description", "create*"),
        "venv": act("changes", _UV + " seed clear allow-existing prompt= system-site-packages relocatable",
        "create*"),
        "build": act("runs-project", _UV + " sdist wheel o/out-dir=write list!dry all clear", "read*"),
        "publish": act("publishes-package network", _UV + " publish-url=url check-url=url u/username= p/password= "
            "t/token= trusted-publishing= dry-run!dry", "send*"),
        "cache": Program(_UV, subs={"dir size": look(_UV), "clean prune": act("changes", _UV + " ci force")}),
        "self": Program(_UV, subs={"version": look(_UV + " short output-format="),
            "update": act("installs-package network", _UV)}),
        "format": act("changes", _UV + " check!dry diff!dry", "text*"),
        "generate-shell-completion": look(_UV),
        "auth": act("signs-in writes-secret", _UV + " *"),
    }),
    "uvx": Program(_UV_RUN + " from=", "text*", "runs-package network", special=_tool, stops=True),
    "pipx": Program("q/quiet v/verbose global", subs={
        "run": Program("spec= no-cache path pypackages python= i/index-url=url pip-args= system-site-packages "
            "fetch-missing-python with= q/quiet v/verbose", "text*", "runs-package network", special=_tool,
            stops=True),
        "list environment completions help interpreter": look("*"),
        "install inject upgrade upgrade-all reinstall reinstall-all install-all ensurepath upgrade-shared pin unpin":
            act("installs-package network", "*"),
        "uninstall uninstall-all uninject": act("removes-package", "*"),
        "runpip": Program("", "text argv", "installs-package", special=None),
    }),
    "poetry": Program(_POETRY, subs={
        "run": Program(_POETRY, "text*", "read-only", special=_run_argv, stops=True),
        "show check about list version search help": look(_POETRY + " t/tree l/latest o/outdated a/all with= "
            "without= only= T/top-level why lock strict s/short dry-run raw format= no-truncate with-groups=",
                special=lambda draft: draft.acts() if draft.words == ["version"] and draft.operands else None),
        "env": Program(_POETRY, subs={"info list activate": look(_POETRY + " p/path e/executable full-path"),
            "use remove": act("changes", _POETRY + " all")}),
        "add install update sync": act("installs-package network", _POETRY + " G/group= D/dev e/editable E/extras= "
            "optional python= platform= source= allow-prereleases dry-run!dry lock with= without= only= only-root "
            "no-root no-directory all-extras all-groups compile no-dev remove-untracked"),
        "remove": act("removes-package", _POETRY + " G/group= D/dev dry-run!dry lock"),
        "lock": act("changes network", _POETRY + " no-update regenerate check!dry"),
        "build": act("runs-project", _POETRY + " f/format= o/output=write clean"),
        "publish": act("publishes-package network", _POETRY + " r/repository= u/username= p/password= build "
            "dry-run!dry skip-existing cert=read dist-dir="),
        "config source self cache init new shell export": act("changes", "*"),
    }),
    "pipenv pdm hatch rye": Program("v/verbose q/quiet p/project=base e/env= no-color python= dry-run!dry", subs={
        "run": Program("s/site-packages e/env= skip=", "text*", "only-runs", special=_run_argv, stops=True),
        "graph check list info show status version requirements scripts outdated": look("*"),
        "install add sync update lock upgrade": act("installs-package network", "*"),
            "uninstall remove": act("removes-package", "*"), "publish": act("publishes-package network", "*"),
        "build test fmt shell clean init new config env use dep venv cache self plugin fix python lint tools": act(
            "runs-project", "*"),
    }),
    "conda mamba micromamba pixi": Program("v/verbose q/quiet json no-plugins V!dry", subs={
        "list info search tree repoquery": look("*", "text*", "network"),
        "run": Program("n/name= p/prefix= v/verbose no-capture-output live-stream cwd=base e/environment= "
            "manifest-path=read frozen locked", "argv", "read-only"),
        "install update create upgrade add": act("installs-package network", "d/dry-run!dry *"),
            "remove uninstall": act("removes-package", "d/dry-run!dry *"),
        "env": Program("", subs={"list export": look("f/file=write *"), "create update": act("installs-package "
            "network", "*"),
            "remove": act("removes-package", "*"), "config": act("changes", "*")}),
        "activate deactivate shell init config clean build package rename notices doctor compare exec global task "
        "project": act("changes", "*"),
    }),
    "pyenv asdf mise rtx nodenv rbenv nvm fnm n volta jenv goenv tfenv sdk rvm chruby proto": Program(
        "q/quiet v/verbose y/yes C/cd=base E/env=", subs={
        "versions version which whence ls list current where root prefix commands latest ls-remote list-all "
        "plugin-list info status doctor shims completions help outdated registry bin-paths": look("*",
                "text*"),
        "config": act("changes", "*", special=lambda draft: draft.looks("changes") if draft.operands in ([],
            ["ls"]) else None),
        "exec x": Program("", "argv", "read-only"),
        "install uninstall global local use shell default alias update upgrade plugin plugins add remove reshim "
        "rehash activate deactivate trust self-update set unset prune cache implode link init pin reset flush "
        "offline env direnv watch sync generate edit": act("installs-package network", "*"),
        "run tasks r": act("runs-project", "*"),
    }),
    "venv virtualenv": act("changes", "system-site-packages symlinks copies clear upgrade without-pip prompt= "
        "upgrade-deps p/python= v/verbose q/quiet seeder= no-pip download without-scm-ignore-files", "create*"),
    "pytest py.test unittest nose2 nosetests behave tox nox": act("runs-project", "*", "text*", special=_pytest),
    "coverage": Program("", subs={"report": look("*"), "run": Program("m= branch a/append p/parallel-mode source= "
        "omit= include= rcfile=read concurrency= data-file=write", "script", "only-runs"),
            "html xml json lcov annotate combine erase": act("changes", "*"), "debug help": look("*")}),
    "ruff": Program("q/quiet s/silent v/verbose config=read isolated color= h!dry V!dry", subs={
        "check": look(_LINT.replace("check!dry diff!dry", "diff") + " fix!changes unsafe-fixes no-unsafe-fixes "
            "fix-only!changes add-noqa?!changes", "read*"),
        "format": Program(_LINT, "edit*"),
        "rule config linter version help": look("all output-format= *"),
        "analyze server": look("*"), "clean": act("changes", "*"),
    }),
    "black autopep8 yapf docformatter autoflake pyupgrade blue": Program(
        _LINT + " S/skip-string-normalization C/skip-magic-trailing-comma t/target-version= i/in-place r/recursive "
            "a/aggressive code= fast safe W/workers= include= pyi ipynb workers= remove-all-unused-imports "
            "d/diff!dry p/parallel y= c= required-version= line-ranges= x= v "
            "enable-unstable-feature= S -version", "edit*"),
    "isort": Program(_LINT + " c/check-only/check!dry d/diff!dry profile= m/multi-line= sp/settings-path= "
        "sl/force-single-line-imports a/add-import= rr/remove-import= sg/skip-glob= skip= p= o= show-config!dry "
        "interactive atomic overwrite-in-place j/jobs= stdout!dry filter-files w= s= float-to-top tc "
        "trailing-comma up use-parentheses fgw= ac vn/version-number!dry "
        "gitignore af only-modified src= py= known-first-party= line-ending= dont-follow-links",
                                 "edit*", long=False),
    "flake8 pylint mypy pyright pyre pytype bandit vulture radon xenon pydocstyle pycodestyle pyflakes safety "
    "pip-audit deptry basedpyright ty prospector pyroma interrogate dmypy": look(
        "strict ignore-missing-imports config-file=read config=read p/package/project= m/module= c/code= "
        "show-error-codes no-incremental cache-dir= python-version= python-executable= exclude= select= ignore= "
        "max-line-length= max-complexity= count statistics show-source format= f= o/output=write "
        "r/recursive!recursive l ll ll s/skip= a n j/jobs= "
        "rcfile=read disable= enable= output-format= score= errors-only E verbose v quiet q pretty "
        "install-types!installs-package non-interactive html-report=write xml-report=write txt-report=write "
        "junit-xml=write explicit-package-bases namespace-packages warn-unused-ignores follow-imports= "
        "outputjson level= stats w/watch i platform= "
        "requirement= fix!changes dry-run b= t= tests= min-confidence= no-color-output check-untyped-defs "
        "disallow-untyped-defs tb show-traceback pdb warnings typeshed-path= allow-redefinition sqlite-cache "
        "show-column-numbers", "read*", long=False),
    "twine": act("network", "", subs={"check": look("strict", "read*"), "upload": act("publishes-package network",
        "r/repository= repository-url=url u= p= skip-existing *", "send*"),
            "register": act("publishes-package network", "*")}),
    "pyproject-build maturin setuptools-scm cibuildwheel pyinstaller nuitka cx_Freeze briefcase": act(
        "runs-project", "*", "mention*"),
    "pip-compile pip-sync pip-tools pipreqs pipdeptree pip-review pip-autoremove": act("changes network", "*",
        "mention*"),
    "pre-commit": Program("", subs={
        "run": act("runs-project", "c/config=file *"), "install install-hooks uninstall autoupdate "
        "clean gc migrate-config try-repo init-templatedir": act("git/config", "*"),
            "validate-config validate-manifest sample-config help": look("*"), "hook-impl": act("runs-project",
            "*")}),
    "jupyter jupyter-lab jupyter-notebook": Program("version paths data-dir config-dir",
        subs={"notebook lab server console qtconsole": act("runs-project", "ip= port= no-browser notebook-dir= *",
                special=_notebook),
            "nbconvert execute run": act("runs-project", "*", "mention*"), "kernelspec troubleshoot": act("changes",
                "*")}),
    "uvicorn gunicorn hypercorn celery streamlit gradio fastapi daphne scrapy "
    "mkdocs sphinx-build invoke fab cookiecutter copier papermill": act(
            "runs-project", "*", "mention*"),
    "easy_install ensurepip get-pip": act("installs-package network", "*"),
    "2to3 python-modernize": look("w/write!changes n f= l j= p x=", "read*"),
}  # fmt: skip
