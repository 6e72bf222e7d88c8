"""JavaScript: package managers, runners, checkers and bundlers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _script(draft: UseDraft) -> None:
    """`npm run T`: a script of package.json."""
    if draft.operands:
        draft.run("file", "package.json", *draft.operands, by=draft.name)
    else:
        draft.looks("runs-project")


def _lifecycle(draft: UseDraft) -> None:
    draft.run("file", "package.json", *draft.words, *draft.operands, by=draft.name)


def _exec(draft: UseDraft) -> None:
    """A package's program: installed, or fetched and run."""
    call = draft.value("--call")
    if call is not None:
        draft.run("shell", call)
        return
    words = list(draft.operands)
    if not words:
        return
    name = words[0]
    rest = name.rpartition("/")[2] if name.startswith("@") else name
    words[0] = rest.partition("@")[0] or name
    draft.run("argv", *words)


def _install(draft: UseDraft) -> None:
    for word in draft.operands:
        if "://" in word or word.startswith("git@"):
            draft.reach(word)
        elif word.startswith((".", "/", "~")):
            draft.reads.append(word)
    if "--global" in draft.flags:
        draft.add("system-package")
    if "--registry" in draft.flags:
        draft.add("package-source")


def _yarn_unknown(draft: UseDraft) -> None:
    """`yarn NAME` and `bun NAME` run a script of that name, or a file."""
    if not draft.known and draft.unknown and draft.unknown[-1] == (draft.operands or [""])[0]:
        draft.unknown.pop()
        draft.known = True
        word = draft.operands[0]
        if draft.name == "bun" and ("/" in word or word.endswith((".js", ".ts", ".tsx", ".jsx", ".mjs"))):
            draft.reads.append(word)
            draft.run("file", *draft.operands, by="bun")
        else:
            draft.run("file", "package.json", *draft.operands, by=draft.name)


# Settings that say how much is printed and how a project's own file is written; nothing of where packages come from.
_MILD = (
    "audit-level", "color", "engine-strict", "fetch-retr", "fetch-timeout", "fund", "init-author", "init-license",
    "init-version", "init.author", "init.license", "init.version", "legacy-peer-deps", "loglevel", "maxsockets",
    "package-lock", "prefer-offline", "progress", "save", "tag-version-prefix", "timing", "unicode", "update-notifier",
)  # fmt: skip


def _config(draft: UseDraft) -> None:
    words = draft.operands
    if words[:1] in (["set"], ["delete"], ["edit"], ["rm"], ["fix"], ["unset"]):
        keys = words[1::2] if words[0] == "set" and "=" not in "".join(words[1:2]) else words[1:]
        mild = keys and all(key.partition("=")[0].startswith(_MILD) for key in keys)
        draft.add("changes" if mild or words[0] == "fix" else "package-source")
        draft.acts()
    elif words[:1] == ["get"] and any("token" in word.lower() or "auth" in word.lower() for word in words[1:]):
        draft.add("reads-secret")


def _rehearses(draft: UseDraft) -> None:
    """Rehearsing a publication packs all the same, which runs the project's scripts."""
    if "--dry-run" in draft.flags:
        draft.drop("publishes-package")


def _writes_if_asked(draft: UseDraft) -> None:
    if {"--write", "--fix", "--apply", "--update-snapshot"} & set(draft.flags):
        draft.writes += draft.operands


_NPM = (
    (
        "g/global l/long json parseable p/ registry=url loglevel= s/silent q/quiet d dd ddd verbose prefix=base "
        "C=base w/workspace= ws/workspaces include-workspace-root iwr no-workspaces userconfig=read "
        "globalconfig=read cache= offline prefer-offline prefer-online "
        "legacy-peer-deps strict-peer-deps force/f!forced no-audit audit no-fund fund no-progress progress color? "
        "no-color unicode tag= otp= y/yes! if-present ignore-scripts foreground-scripts no-package-lock "
        "package-lock package-lock-only omit= include= only= production "
        "S/save D/save-dev O/save-optional P/save-prod E/save-exact B/save-bundle no-save save-peer dry-run!dry "
        "depth= a/all install-links no-bin-links install-strategy= scope= before= timing logs-max= https-proxy= "
        "proxy= noproxy= strict-ssl? cafile=read loglevel= "
        "allow-same-version h!dry v!dry diff= script-shell=program node-options= engine-strict heading= long access= "
        "list sbom-format= sbom-type= provenance searchlimit= description lockfile-version= update-notifier "
        "no-update-notifier"
    )
    .replace("p/ ", "p ")
    .replace("yes! ", "yes ")
)
_PNPM = (
    _NPM + " r/recursive filter= F= dir=base stream parallel sequential aggregate-output bail no-bail "
    "workspace-concurrency= frozen-lockfile no-frozen-lockfile lockfile-only fix-lockfile shamefully-hoist "
    "latest/L i/interactive dev prod no-optional reporter= use-node-version= changed-files-ignore-pattern= "
    "resume-from= workspace-root only-projects lockfile"
)
_YARN = (
    _PNPM + " immutable check-cache mode= inline-builds exact caret tilde dev peer optional cached W "
    "ignore-workspace-root-check non-interactive pure-lockfile flat har modules-folder= cwd=base "
    "network-timeout= ignore-engines ignore-optional ignore-platform check-files pattern= level= groups= "
    "since? no-private themselves R v/verbose A"
)
_BUN = (
    _YARN
    + " watch hot smol b/bun env-file=read inspect? c/config=read print= p= e/eval=code:js r/preload=file cwd=base "
    "backend= trust!forced analyze minify target= outdir=write outfile=write format= splitting sourcemap? "
    "external= entry-naming= compile bytecode define= no-bundle port= silent timeout= rerun-each= todo "
    "coverage t/test-name-pattern= update-snapshots"
)


def _pkg(draft: UseDraft) -> None:
    """package.json is changed; what its scripts are to run is a shell's text."""
    if draft.operands[:1] in (["set"], ["delete"], ["fix"]):
        draft.writes.append("package.json")
        for word in draft.operands[1:]:
            name, mark, text = word.partition("=")
            if mark and name.startswith("scripts"):
                draft.run("shell", text)


TABLE: Table = {
    "npm cnpm tnpm": Program(_NPM, subs={
        "ls list la ll outdated view v info show why explain query search find find-dupes root prefix bin ping whoami "
        "docs repo bugs home fund help help-search doctor completion sbom diff stars s se": look(_NPM, "text*",
                "network"),
        "install i add in ins isntall ci clean-install install-test it install-ci-test cit update up upgrade udpate "
        "link ln dedupe ddp rebuild rb": act("installs-package network", _NPM, special=_install),
        "uninstall un remove rm r unlink prune": act("removes-package", _NPM),
        "run run-script rum urn": Program(_NPM, "text*", "runs-project", special=_script),
        "test t tst start stop restart": Program(_NPM, "text*", "runs-project", special=_lifecycle),
        "exec x": Program(_NPM + " package= c/call=", "text*", "runs-package", special=_exec, stops=True),
        "init create innit": act("runs-package network", _NPM),
        "publish": act("publishes-package network runs-project", _NPM.replace("dry-run!dry", "dry-run"),
            special=_rehearses),
        "unpublish deprecate undeprecate dist-tag dist-tags access owner author team org profile hook": act(
            "publishes-package network", _NPM,
                special=lambda draft: draft.looks("publishes-package") if draft.operands[:1] in (["ls"], ["list"],
                    ["get"]) else None),
        "pack": act("runs-project", _NPM.replace("dry-run!dry", "dry-run") + " pack-destination=write"),
        "version": look(_NPM + " preid= git-tag-version no-git-tag-version commit-hooks sign-git-tag m/message=",
            special=lambda draft: draft.add("git/commits") if draft.operands else None),
        "audit": look(_NPM + " audit-level=", "text*", "network",
            special=lambda draft: draft.add("installs-package") if draft.operands[:1] == ["fix"] else None),
        "config c": look(_NPM + " location= L= editor=", special=_config),
        "get": look(_NPM), "set": act("package-source", _NPM),
        "login adduser add-user logout": act("signs-in network", _NPM + " auth-type="),
        "token": act("writes-secret cloud/access network", _NPM + " read-only cidr=",
            special=lambda draft: draft.looks("writes-secret", "cloud/access") if draft.operands[:1] in ([], ["list"],
                ["ls"]) else None),
        "cache": act("changes", _NPM, special=lambda draft: draft.looks("changes") if draft.operands[:1] in (["ls"],
            ["list"]) else None),
        "pkg": look(_NPM, special=_pkg),
        "set-script": act("changes", _NPM, special=lambda draft: draft.run("shell", *draft.operands[1:2])),
        "explore": act("changes", _NPM, special=lambda draft: draft.run("argv", *draft.operands[1:])),
        "star unstar edit shrinkwrap": act("changes", _NPM),
    }),
    "npx pnpx bunx": Program(_NPM + " package= c/call= no-install ignore-existing n= shell-auto-fallback? bun",
        "text*", "runs-package network", special=_exec, stops=True),
    "pnpm": Program(_PNPM, special=_yarn_unknown, subs={
        "ls list la ll outdated why view info show root bin licenses help doctor search ping whoami docs": look(_PNPM,
            "text*", "network"),
        "install i add ci update up upgrade link ln dedupe rebuild rb import fetch install-test it approve-builds "
        "patch patch-commit patch-remove": act("installs-package network", _PNPM, special=_install),
        "remove rm uninstall un unlink prune": act("removes-package", _PNPM),
        "run run-script": Program(_PNPM, "text*", "runs-project", special=_script), "test t tst start": Program(_PNPM,
            "text*", "runs-project", special=_lifecycle),
        "exec": Program(_PNPM + " c/shell-mode", "text*", "read-only", special=_exec, stops=True),
            "dlx": Program(_PNPM + " package= c/shell-mode", "text*", "runs-package network", special=_exec,
                stops=True),
        "publish": act("publishes-package network", _PNPM), "pack deploy create init env setup self-update server "
            "cache": act("changes network", _PNPM),
        "audit": look(_PNPM + " fix!changes audit-level=", "text*", "network"),
        "store": act("changes", _PNPM,
            special=lambda draft: draft.looks("changes") if draft.operands[:1] in (["path"], ["status"]) else None),
        "config c": look(_PNPM + " location=", special=_config),
    }),
    "yarn yarnpkg": act("installs-package network", _YARN, special=_yarn_unknown, subs={
        "list outdated why info licenses bin help versions node-modules-path explain search": look(_YARN, "text*",
            "network"),
        "install add up upgrade upgrade-interactive link import dedupe rebuild global": act(
            "installs-package network", _YARN, special=_install),
        "remove unlink autoclean": act("removes-package", _YARN),
        "run": Program(_YARN, "text*", "runs-project", special=_script), "test start": Program(_YARN, "text*",
            "runs-project", special=_lifecycle),
        "exec node": Program(_YARN, "argv", "read-only"), "dlx": Program(_YARN + " p/package=", "text*",
            "runs-package network", special=_exec, stops=True),
        "npm": Program(_YARN, subs={"info audit whoami": look(_YARN, "text*", "network"),
            "publish tag": act("publishes-package network", _YARN), "login logout": act("signs-in network", _YARN)}),
        "publish": act("publishes-package network", _YARN), "audit": look(_YARN, "text*", "network"),
        "workspace": Program(_YARN, "text*", "runs-project", special=_lifecycle),
        "workspaces": Program(_YARN, subs={"list info": look(_YARN), "foreach run focus": act("runs-project",
        _YARN)}),
        "version": act("git/commits", _YARN), "config": look(_YARN + " home json", special=_config),
        "cache": act("changes", _YARN, special=lambda draft: draft.looks("changes") if draft.operands[:1] in (["dir"],
            ["list"]) else None),
        "create init set plugin patch patch-commit pack login logout owner tag team self-update policies unplug "
        "rebase check generate-lock-entry prune constraints sdks": act("changes network", _YARN),
    }),
    "bun": Program(_BUN, special=_yarn_unknown, subs={
        "run": Program(_BUN, "text*", "runs-project", special=_script, stops=True), "test": act("runs-project", _BUN),
        "x": Program(_BUN + " package=", "text*", "runs-package network", special=_exec, stops=True),
            "exec": Program(_BUN, "shell+", "read-only"),
        "install i add a update link ci": act("installs-package network", _BUN, special=_install),
            "remove rm unlink": act("removes-package", _BUN),
        "publish": act("publishes-package network", _BUN), "outdated why info audit list": look(_BUN, "text*",
            "network"),
        "pm": Program(_BUN, subs={"ls bin hash hash-string hash-print whoami view why": look(_BUN),
            "cache trust untrusted migrate pack default-trusted version pkg": act("changes", _BUN)}),
        "build": act("changes", _BUN, "read*"),
            "create c init upgrade patch patch-commit repl completions discord": act("changes network", _BUN),
    }),
    "corepack": act("installs-package network", "*"),
    "tsc vue-tsc tsgo": Program("noEmit!dry p/project=read w/watch b/build outDir=write outFile=write declaration "
        "strict target= module= lib= skipLibCheck showConfig!dry listFiles init!changes pretty t= d m= incremental "
        "tsBuildInfoFile=write emitDeclarationOnly noEmitOnError explainFiles listFilesOnly!dry v!dry h!dry all "
        "traceResolution allowJs checkJs jsx= esModuleInterop",
                                "read*", "runs-project", long=False),
    "eslint tslint stylelint jshint jscs standard xo oxlint htmlhint markdownlint markdownlint-cli2 textlint alex "
    "write-good": Program(
        "c/config=file no-eslintrc env= ext= global= parser= parser-options= resolve-plugins-relative-to= plugin= "
        "rule= rulesdir=read fix!acts fix-dry-run fix-type= ignore-path=read no-ignore ignore-pattern= stdin "
        "stdin-filename= quiet max-warnings= o/output-file=write f/format= color no-color no-inline-config "
        "report-unused-disable-directives cache cache-file=write "
        "cache-location=write init!changes debug no-error-on-unmatched-pattern print-config= p/dot i= r= s=", "read*",
            "runs-project",
            special=_writes_if_asked),
    # Its settings are data; it loads no code of the project.
    "biome rome": Program("V!dry", "text*", "", subs={
        "check lint format ci": look("write!acts fix!acts apply!acts apply-unsafe!acts unsafe suppress?!acts reason= "
            "staged "
            "changed since= config-path=read max-diagnostics= diagnostic-level= reporter= colors= use-server!acts "
            "verbose "
            "skip-errors error-on-warnings no-errors-on-unmatched files-ignore-unknown= log-level= only= skip= "
            "stdin-file-path= json-pretty json formatter-enabled= linter-enabled= organize-imports-enabled= "
            "assist-enabled= "
            "vcs-enabled= vcs-use-ignore-file= indent-style= indent-width= line-width=", "read*"),
        "explain rage version search": look("*", "text*"), "*": act("changes", "*", "mention*")}),
    "prettier dprint": Program("w/write c/check l/list-different config=read no-config ignore-path=read "
        "parser= plugin= stdin-filepath= loglevel= log-level= cache single-quote tab-width= print-width= "
        "trailing-comma= no-semi u/ignore-unknown apply fix apply-unsafe find-config-path= support-info "
        "file-info=", "read*", "runs-project", special=_writes_if_asked),
    "jest vitest mocha ava karma cypress playwright jasmine tap tape wdio testcafe nightwatch c8 nyc storybook": act(
        "runs-project", "config=file r/require=file *", "text*"),
    "webpack vite rollup esbuild parcel swc babel rspack turbopack snowpack browserify gulp grunt turbo "
    "next nuxt gatsby astro remix svelte-kit ng vue vue-cli-service react-scripts expo react-native ember "
    "ionic cap capacitor electron electron-builder nest hardhat truffle "
"sass postcss tailwindcss terser uglifyjs svgo forge tauri "
    "standard-version plop hygen yo create-react-app create-vite create-next-app "
    "degit husky lint-staged commitlint concurrently npm-run-all npm-check-updates ncu depcheck madge "
    "license-checker patch-package zx": act(
        "runs-project", "*", "mention*"),
}  # fmt: skip
