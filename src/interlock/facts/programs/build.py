"""Compilers, build tools, test runners and documentation."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, join
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _make(draft: UseDraft) -> None:
    if draft.dry:
        return
    file = draft.value("--file") or "Makefile"
    targets = [word for word in draft.operands if "=" not in word]
    if file == "-":
        draft.stdin = "code:other"
    else:
        draft.run("file", file, *targets, by="make")
    for name, value in draft.values:
        if name == "--eval":
            draft.run("code:other", value)
    for word in draft.operands:
        name, mark, value = word.partition("=")
        if mark and name in _TOOLS and value.rpartition("/")[2] not in _MAKE_SHELLS:
            draft.aside(value)


# Variables of a makefile that name the programs it runs; any of the usual shells may be its shell.
_TOOLS = frozenset({"SHELL", "CC", "CXX", "LD", "AR", "AS", "CPP", "PYTHON", "GO", "CARGO", "NPM"})
_MAKE_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})


def _just(draft: UseDraft) -> None:
    if draft.dry:
        return
    if {"--list", "--summary", "--show", "--dump", "--evaluate", "--variables", "--groups"} & set(draft.flags):
        draft.looks("runs-project")
        return
    if (command := draft.value("--command")) is not None:
        draft.run("argv", command, *draft.operands)
        return
    draft.run("file", draft.value("--justfile") or "justfile", *draft.operands, by="just")


def _compiler(draft: UseDraft) -> None:
    if {"--version", "-v"} & set(draft.flags) and not draft.operands:
        draft.dry = True
    draft.reads += [word[1:] if word[:2] in {"@/", "@~"} else word for word in draft.operands]
    if "-o" not in draft.flags and draft.operands and not {"-E", "--fsyntax-only"} & set(draft.flags):
        draft.writes.append("a.out" if "-c" not in draft.flags and "-S" not in draft.flags else "\0")
    for at, word in enumerate(draft.args):
        if word.startswith(("-fplugin=", "-specs=")):
            draft.run("file", word.partition("=")[2] or "\0", by=draft.name)
        elif word == "-wrapper":
            draft.aside(" ".join(draft.args[at + 1 : at + 2]).replace(",", " ") or "\0")


def _cmake(draft: UseDraft) -> None:
    if draft.dry:
        return
    flags = set(draft.flags)
    if "-E" in flags:
        words = draft.operands
        if words[:1] in (["remove"], ["rm"], ["remove_directory"]):
            draft.deletes += words[1:]
        elif words[:1] and words[0] in {"cat", "md5sum", "sha256sum", "compare_files"}:
            draft.reads += words[1:]
        elif words[:1] == ["env"] or words[:1] == ["time"]:
            draft.run("argv", *words[1:])
        elif words[:1] and words[0].startswith(("copy", "rename", "touch", "make_directory", "create_symlink")):
            draft.writes += words[1:]
        return
    if "--build" in flags or "--install" in flags:
        return
    if (script := draft.value("-P")) is not None:
        draft.run("file", script, by="cmake")
    elif not draft.dry:
        draft.run(
            "file",
            join(draft.value("-S") or (draft.operands[0] if draft.operands else "."), "CMakeLists.txt"),
            by="cmake",
        )


_MAKE = (
    "B/always-make C/directory=base d debug? e/environment-overrides E/eval= f/file/makefile= i/ignore-errors "
    "I/include-dir= j/jobs? k/keep-going S/no-keep-going/stop l/load-average? L/check-symlink-times "
    "n/just-print/dry-run/recon o/old-file/assume-old= O/output-sync? p/print-data-base q/question "
    "r/no-builtin-rules R/no-builtin-variables s/silent/quiet t/touch trace v w/print-directory "
    "no-print-directory W/what-if/new-file/assume-new= warn-undefined-variables shuffle?"
)
_CC = (
    "o=write c S E v x= I= L= l? D= U= O? g? W? f? m? std= M MM MD MP MF=write MT= MQ= include=read isystem= iquote= "
    "idirafter= shared static pthread pipe save-temps? print-search-dirs print-file-name= dumpmachine "
    "dumpversion T=read e= u= z= nostdlib nodefaultlibs nostartfiles rdynamic s w pedantic ansi arch= "
    "target= sysroot= framework= P C X= B= fsyntax-only"
)


def _rails(draft: UseDraft) -> None:
    """What it is told to run, and whose input is code."""
    task, rest = (draft.operands[0], draft.operands[1:]) if draft.operands else ("", [])
    if task in {"runner", "r"} and rest:
        draft.run("code:ruby", rest[0]) if re.search(r"[\s()]", rest[0]) else draft.run("file", rest[0], by="ruby")
    elif task in {"console", "c"}:
        draft.stdin = "code:ruby"
    elif task in {"dbconsole", "db"}:
        draft.add("database/writes")
        draft.stdin = "code:sql"


TABLE: Table = {
    "make gmake bmake remake nmake": Program(_MAKE, "text*", "runs-project", special=_make),
    "just": Program("l/list summary s/show= dump evaluate variables groups f/justfile= d/working-directory=base "
        "n/dry-run q/quiet set= shell= shell-arg= c/command= e/edit i/init choose fmt!changes check unstable "
        "v/verbose color= no-deps dotenv-path=read g/global-justfile u/unsorted alias-style= timestamp yes "
        "list-heading= list-prefix= list-submodules one",
                    "text*", "runs-project", special=_just),
    "task": Program("l/list!dry a/list-all!dry t/taskfile= d/dir=base n/dry f/force w/watch s/silent v/verbose "
        "p/parallel summary!dry status!dry init!changes g/global y/yes C= o= x i json", "text*", "runs-project",
            special=lambda draft: None if draft.dry else draft.run("file", draft.value("--taskfile")
                or "Taskfile.yml", *draft.operands, by="task")),
    "rake": act("runs-project", "e=code:ruby f/rakefile=file *", "mention*"),
    "rails": act("runs-project", "e/environment= *", "mention*", special=_rails),
    "thor spring guard rspec minitest cucumber jekyll brakeman rubocop standardrb erb "
    "capistrano puma sidekiq rackup unicorn": act("runs-project", "e=code:ruby *", "mention*"),
    "ant lein mill bazel bazelisk buck buck2 pants please scons waf "
    "meson xmake premake premake5 tup redo bjam cordova dune rebar elm "
    "spago purs shake nant msbuild cake psake jake brunch hugo zola eleventy hexo jbang quarkus micronaut "
    "pio platformio arduino-cli esptool idf.py west mbed qmk openocd avrdude": Program("version!dry help!dry q *",
        "mention*", "runs-project"),
    "ninja samu": Program("C=base f=read j= k= l= n!dry v quiet d= w= t= version!dry h!dry", "text*", "runs-project",
        special=lambda draft: draft.looks("runs-project") if draft.value("-t") in {"list", "targets", "query",
            "commands",
            "deps", "graph", "rules", "compdb", "compdb-targets", "missingdeps", "inputs", "multi-inputs",
                "msvc"} else None),
    "xcodebuild": Program("list!dry version!dry showsdks!dry showdestinations!dry showTestPlans!dry json quiet "
        "verbose usage!dry "
        "checkFirstLaunchStatus!dry workspace=read project=read scheme= target= sdk= *", "mention*", "runs-project",
            long=True),
    "cmake ctest cpack ccmake": Program("S= B=create G= D= U= A= T= P= E N L? build= install= target= t= j= "
        "parallel? config= prefix= component= v/verbose preset= list-presets?!dry C=read fresh toolchain= Wno-dev Wdev "
        "graphviz=write system-information!dry trace log-level= debug-output open= workflow R= output-on-failure "
        "V VV test-dir= H= I= O=write Q F W=", "text*", "runs-project", special=_cmake, long=False,
                    stops=False),
    "autoconf automake autoreconf configure ./configure libtoolize aclocal autoheader config.status": act(
        "runs-project", "*", "mention*"),
    "gcc cc g++ c++ clang clang++ tcc icc emcc em++ gfortran musl-gcc ld ld.gold ld.lld lld mold nasm yasm as "
    "fasm nvcc hipcc dmd ldc2 gdc gnat gnatmake ocamlc ocamlopt fpc javac kotlinc scalac groovyc swiftc csc "
    "mcs fsc vbc erlc valac tinygo": Program(_CC, "text*", "changes", special=_compiler),
    "objdump readelf nm size ldd otool dwarfdump addr2line c++filt pahole lsdiff rabin2 radare2 r2 checksec": look(
        "a/archive-headers A/arch-specific b= C/demangle? d/disassemble? D/disassemble-all e f/file-headers "
        "g/debugging G h/section-headers i/info j/section= l/line-numbers L= m= M= n/notes o p/program-headers "
        "r/reloc R/dynamic-reloc s/full-contents/symbols S/source t/syms T/dynamic-syms u/unwind v "
        "V/version-info w/debug-dump? W/wide x/hex-dump= z E= F H I dyn-syms all headers q c "
        "undefined-only defined-only extern-only size-sort print-size numeric-sort "
        "no-sort radix= format= dynamic no-show-raw-insn start-address= stop-address=", "read*"),
    "objcopy strip install_name_tool patchelf elfedit chrpath dsymutil lipo upx": Program("*", "read*", "changes",
        special=lambda draft: draft.looks("changes") if draft.name == "lipo" and {"-info", "-archs", "-detailed_info",
            "-verify_arch"} & set(draft.args) else draft.writes.extend(draft.operands)),
    "ccache sccache distcc": Program("s/show-stats!dry *", "argv", "changes"),
    "ctags etags cscope gtags global": act("changes", "f=write o=write *", "read*"),
    "doxygen javadoc typedoc jsdoc sphinx-quickstart asciidoctor asciidoc mdbook "
    "bibtex biber typst context makeinfo texi2pdf": Program(
            "shell-escape!forced pdf o/output=write output-directory=write c C f g interaction= halt-on-error "
            "jobname= *", "read*", "runs-project"),
    "protoc flatc thrift swig bison yacc flex lex ragel antlr4 re2c gperf qmake moc uic rcc glib-compile-schemas "
    "glib-compile-resources gettext msgfmt xgettext msgmerge msginit": act("runs-project", "*",
            "mention*"),
    "phpunit pest behat codeception atoum infection artisan symfony laravel "
    "bin/console phinx deployer": act("runs-project", "*", "mention*"),
    "nvprof nsys cuda-gdb": act("debugger", "*", "argv"),
    "lit mutmut cosmic-ray stryker": act("runs-project", "*"),
}  # fmt: skip
