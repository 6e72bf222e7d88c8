"""Toolchains of languages: what inspects, what compiles, what runs, and who brings them."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _jar(draft: UseDraft) -> None:
    """`jar tf a.jar`, `jar -tf a.jar`, `jar --list --file a.jar`: the first word says what is done."""
    first = draft.args[0] if draft.args else ""
    letters = first.lstrip("-") if first[:2] != "--" else ""
    files = [word for word in draft.args[1:] if word[:1] != "-"]
    if first in {"--list", "--describe-module", "--validate"} or letters[:1] in {"t", "d"}:
        draft.unknown.clear()
        draft.reads += files
        draft.looks("changes")
    elif first == "--extract" or letters[:1] == "x":
        draft.reads += files
        draft.writes.append("./\0")
    else:
        draft.writes += files[:1] or ["\0"]
        draft.reads += files[1:]


def _jcmd(draft: UseDraft) -> None:
    asked = draft.operands[1:2]
    shows = ("help", "VM.version", "VM.flags", "VM.uptime", "VM.command_line", "Thread.print", "GC.class_histogram",
             "GC.heap_info", "VM.native_memory", "PerfCounter.print", "JFR.check")  # fmt: skip
    if not draft.operands or (asked and asked[0] in shows):
        draft.looks("debugger")


def _jmap(draft: UseDraft) -> None:
    """`-dump:file=x` copies the memory; the rest counts what is in it."""
    if any(word.startswith("-dump") for word in draft.args):
        draft.add("captures")


def _help_page(draft: UseDraft) -> None:
    """help2man asks the program itself."""
    for word in draft.operands[:1]:
        draft.run("argv", word, "--help")


_OUT = (
    "o/output/out=write outfile=write output-file=write output-dir/outdir/output-directory/out-dir=write dest=write "
    "save=write export=write log-file/logfile=write"
)
_ANY = f"{_OUT} *"
_RUNS = act("runs-project", _ANY, "mention*")
_WRITES = act("changes", _ANY, "mention*")

TABLE: Table = {
    # Java and its kin
    "jar": Program("*", "text*", "changes", special=_jar),
    "javap": look("c v verbose l s p private protected public package sysinfo constants cp= classpath= bootclasspath= "
        "module= h= help version J=", "mention*", long=True),
    "jdeps": look("cp= classpath= s summary v verbose p= package= e= regex= f= filter= m= module= recursive R "
        "jdkinternals "
        "multi-release= dotoutput=write generate-module-info=write generate-open-module=write print-module-deps "
        "list-deps ignore-missing-deps api-only include= module-path= apionly version", "read*", long=True),
    "jstack jinfo": look("l e F m sysprops flags flag=text!changes", "text*", "debugger", long=True),
    "jmap": act("debugger", "*", "mention*", long=True,
        special=_jmap),
    "jhat": act("network/listens", "p= J= h!dry *", "read*", long=True),
    "jhsdb jconsole jvisualvm jmc visualvm": act("debugger captures", "*", "mention*"),
    "jcmd": act("debugger", "l f=file h!dry", special=_jcmd, stops=True),
    "jfr": Program("", "text*", "", subs={"print summary view metadata": look("*", "read*"), "*": act("changes", "*",
        "mention*")}),
    "jlink jpackage jmod native-image proguard r8 d8": _WRITES,
    "cs coursier": Program("", "text*", "", subs={
        "search list version complete-dep resolve java-home": look("*", "text*", "network"),
        "launch": act("runs-package network", "*"), "*": act("installs-package network", "*", "mention*")}),
    "scala-cli amm ammonite bleep seed boot shadow-cljs lumo planck cljs figwheel nbb "
    "kscript kotlin-native konan gosh": _RUNS,
    "joker clj-kondo kibit eastwood splint": look("lint=read config=read parallel cache? fail-level= dialect= lang= "
        "filename= copy-configs!acts dependencies skip-lint l/lint cache-dir=write", "read*"),
    "bundletool apkanalyzer apksigner aapt2 dexdump apktool jadx zipalign bundletool.jar": Program("", "text*", "",
        subs={
        "verify validate dump apk files dex resources manifest version get-device-spec get-size": look("*", "mention*"),
        "*": act("changes", "o=write output=write *", "mention*")}),
    # Rust and Go
    "cross cargo-nextest cargo-llvm-cov cargo-tarpaulin cargo-mutants cargo-fuzz cargo-expand cargo-bloat cargo-geiger "
    "cargo-criterion cargo-make makers cargo-run-script cargo-hakari cargo-careful trunk wasm-pack dioxus leptos "
    "cargo-leptos cargo-lambda cargo-pgrx cargo-bundle cargo-dist dist": _RUNS,
    "cargo-binstall cargo-update cargo-edit cargo-install-update rustup-init rustup-init.sh foundryup": act(
        "installs-package network", "*"),
    "rust-analyzer gopls zls clangd ccls pyright-langserver pylsp jdtls metals sourcekit-lsp elixir-ls erlang_ls "
    "ocamllsp "
    "haskell-language-server haskell-language-server-wrapper typescript-language-server tsserver "
    "vscode-json-languageserver "
    "bash-language-server yaml-language-server docker-langserver terraform-ls lua-language-server nil nixd texlab "
    "marksman "
    "vtsls omnisharp csharp-ls fsautocomplete kotlin-language-server intelephense solargraph "
    "ruby-lsp": act("interactive", "*",
        "mention*"),
    "gotestsum ginkgo richgo gotest go-test-coverage mockgen mockery wire stringer gomock moq go-enum easyjson ffjson "
    "gqlgen templ goverter protoc-gen-go gox xgo garble fyne wails go-bindata packr statik pkger": _RUNS,
    "go-junit-report gotestfmt tparse gocov-html": look(f"{_OUT} *", "read*"),
    "gomodifytags gotests impl fillstruct iferr goplay gorename": act("changes", "*", "mention*"),
    "pkgsite": act("network/listens", "*", "mention*"),
    "godoc": Program("http=text!network/listens goroot= index play v src q", "mention*", "read-only", long=True),
    "gops": Program("", "text*", "debugger", subs={"stack memstats stats version help tree": look("*", "text*"),
        "*": act("debugger", "*")}),
    "pprof gperftools google-pprof": look(f"{_OUT} http=text!network/listens proto!acts pdf!acts png!acts svg!acts "
        "gif!acts top text "
        "tree raw web!interactive list= peek= focus= ignore= sample_index= seconds= base= diff_base= nodecount= cum "
        "flat", "mention*",
            "network", long=True),
    "zig": Program("", "text*", "", subs={
        "version env targets zen help libc std ast-check": look("*", "read*"),
        "fmt": Program("check!dry stdin!dry exclude= ast-check color=", "edit*", "changes"),
        "cc c++ ar ranlib dlltool lib objcopy translate-c build-exe build-lib build-obj init fetch": act("changes",
            "o=write *",
            "mention*"), "build test test-obj run": act("runs-project", "*", "mention*")}),
    "dart": Program("v verbose enable-analytics!changes disable-analytics!changes suppress-analytics version!dry",
        "text*", "", subs={
        "analyze": look("fatal-infos fatal-warnings no-fatal-warnings format= cache=write", "read*"),
        "format": Program("o/output= set-exit-if-changed l/line-length= fix show= summary= page-width= "
            "language-version=", "read*",
            "changes", special=lambda draft: draft.looks("changes") if draft.value("--output") in {"none", "show",
                "json"}
                else draft.writes.extend(draft.operands)),
        "info": look("*"), "fix": act("changes", "n/dry-run!dry apply *"), "pub": act("installs-package network", "*"),
        "*": act("runs-project", "*", "mention*")}),
    # C and C++
    "pkg-config pkgconf": look("cflags libs libs-only-l libs-only-L libs-only-other cflags-only-I cflags-only-other "
        "modversion exists atleast-version= exact-version= max-version= list-all list-package-names print-errors "
        "short-errors "
        "variable= define-variable= static shared print-variables print-requires print-requires-private "
        "print-provides debug "
        "silence-errors errors-to-stdout env-only path validate uninstalled maximum-traverse-depth= with-path= "
        "prefix-variable= "
        "keep-system-cflags keep-system-libs digraph solution simulate", "text*"),
    "llvm-config krb5-config curl-config cups-config sdl2-config freetype-config python3-config python-config "
    "php-config icu-config apr-1-config apu-1-config gsl-config libpng-config xml2-config xslt-config pcre-config "
    "pcre2-config "
    "mysql_config mariadb_config nc-config geos-config gdal-config net-snmp-config nspr-config nss-config "
    "wx-config root-config magick-config neon-config": look("*", "text*"),
    "libtool rlibtool": Program("mode= n/dry-run!dry tag= quiet silent verbose debug config!dry features!dry "
        "preserve-dup-deps",
        "argv", "changes"),
    "llvm-nm llvm-objdump llvm-readelf llvm-readobj llvm-size llvm-symbolizer llvm-bcanalyzer llvm-dwarfdump "
    "llvm-strings "
    "llvm-cxxfilt llvm-undname FileCheck eu-nm eu-size eu-strings eu-stack eu-addr2line eu-elfcmp "
    "eu-objdump "
    "readobj undname demumble rustfilt swift-demangle": look(f"{_OUT} *", "read*"),
    "llc lli llvm-dis gocov llvm-as llvm-link llvm-mc opt llvm-ar llvm-ranlib llvm-strip llvm-objcopy llvm-lib "
    "llvm-rc llvm-cat "
    "clang-cl clang-cpp "
    "clang-repl clang-offload-bundler lld-link wasm-ld ld64 gprbuild gprclean gprinstall gnatprep gnatbind gnatlink "
    "gnatls "
    "mpicc mpic++ mpicxx mpif90 mpifort mpijavac nvlink ptxas dtc ghdl iverilog vvp verilator yosys nextpnr-ice40 "
    "nextpnr-ecp5 "
    "vala cython cythonize f2py pybind11-stubgen nuitka3 pythran mypyc monodis ilasm ildasm mkbundle dpp bindgen "
    "cbindgen": _WRITES,
    "gn": Program("", "text*", "", subs={"ls desc refs path outputs meta help": look("*", "text*"),
        "*": act("runs-project",
        "*", "mention*")}),
    "cdecl c++decl cppinsights cppman cinclude2dot": look(f"{_OUT} *", "read*"),
    # WebAssembly
    "wasm-objdump wasm2wat wat2wasm wasm-decompile wasm-validate wasm-stats wasm-dis wasm-nm twiggy": look(
        f"{_OUT} *", "read*", special=lambda draft: draft.acts() if draft.name == "wat2wasm" else None),
    "wasm-opt wasm-as wasm-bindgen wasm-strip wasm-ctor-eval wasm-merge wasm-metadce wasm2c wasm2js wasm-reduce "
    "wasm-split "
    "wit-bindgen componentize-js jco wasm-tools emar emranlib emcmake emmake emconfigure": _WRITES,
    "wasmtime wasmer wasmedge wazero iwasm wasm3": Program("dir= mapdir= env= invoke= S= W= C= preload= fuel= wasm= *",
        "script", "only-runs"),
    # Functional
    "haddock hpack cabal-install cabal2nix happy c2hs hsc2hs stack2nix nix-prefetch hie-bios implicit-hie "
    "gen-hie": _WRITES,
    "ocamlfind": Program("", "text*", "", subs={"list query printconf lint": look("*", "text*"), "*": act("changes",
        "*",
        "mention*")}),
    "ocamlformat": look(f"{_OUT} i/inplace!acts check enable-outside-detected-project name= impl intf p/profile= m= "
        "print-config disable", "read*"),
    "esy melange menhir ocamllex ocamlyacc ocamlbuild ocamlmktop js_of_ocaml ocamldebug refmt": _WRITES,
    "roc lamdera idris idris2 agda lean lake coqc rocq coqtop isabelle twelf fstar.exe unison ucm": _RUNS,
    # Scripting
    "prove nokogiri slimrb haml carton minil dzil milla": _RUNS,
    "phar phar.phar box": Program("", "text*", "", subs={"list info meta-get tree help version verify "
        "diff": look("*", "read*"),
        "*": act("changes", "*", "mention*")}),
    "luac": Program("l p!dry s o=write v", "read*", "changes"),
    "rdoc yard yardoc sdoc appledoc jazzy docfx sassdoc esdoc ldoc luadoc natural-docs headerdoc2html": _RUNS,
    "swipl gprolog yap sicstus mercury mmc": act("only-runs", "g=code:other t=code:other c!changes o=write s=file "
        "l=file f=file q *",
        "file*"),
    "matlab mathematica wolframscript wolfram maple scilab scilab-cli sagemath": act("only-runs",
        "r=code:other batch=code:other c/code=code:other e=code:other f/file=file nodisplay nosplash *", "file*",
            long=True),
    "kramdown liquid rouge rougify": look(f"{_OUT} e=code:ruby *", "read*", "network"),
    "ros qlot clpm ultralisp buildapp cl-launch csi gambit gsi gsc gxi chez": _RUNS,
    # Swift and Apple
    "carthage tuist xcodegen mint accio xcake": Program("", "text*", "", subs={"version outdated list dump graph help":
        look("*", "text*", "network"), "*": act("runs-project network", "*", "mention*")}),
    "xcpretty xcbeautify xcresultparser xclogparser": look(f"{_OUT} r/report= report-path=write s/simple t/test "
        "c/color q quiet "
        "renderer= disable-logging is-ci preserve-unbeautified", "text*"),
    # Contracts
    "solc solcjs vyper": look("o/output-dir=write overwrite!acts abi bin-runtime ast-compact-json asm opcodes hashes "
        "gas userdoc "
        "devdoc metadata storage-layout optimize optimize-runs= base-path= include-path=read allow-paths= "
        "combined-json= "
        "standard-json? ir via-ir evm-version= f= p= pretty-json", "read*",
            special=lambda draft: draft.acts() if draft.name == "solcjs" else None),
    "cast": Program("", "text*", "", subs={
        "call block balance age code storage tx receipt logs gas-price chain chain-id client nonce block-number "
        "basefee codesize "
        "codehash proof 4byte 4byte-decode 4byte-event sig sig-event calldata abi-encode abi-decode calldata-decode "
        "keccak "
        "namehash to-hex to-dec to-wei from-wei to-ascii to-utf8 to-unit to-bytes32 to-uint256 to-int256 to-base "
        "to-check-sum-address "
        "compute-address create2 estimate interface lookup-address resolve-name source etherscan-source "
        "decode-transaction pretty-calldata "
        "max-uint max-int min-int address-zero hash-zero concat-hex index parse-units format-units shl shr from-utf8 "
        "from-rlp to-rlp "
        "access-list find-block implementation admin disassemble selectors version": look("r/rpc-url=url *", "text*",
            "network"),
        "send publish mktx": act("network changes", "*"), "wallet w": act("writes-secret reads-secret", "*"),
        "*": act("changes network", "*")}),
    "anvil ganache ganache-cli geth anchor solana-test-validator besu nethermind reth erigon": act(
        "runs-project network", "*", "mention*"),
    "solana near aptos sui move starkli snforge sncast scarb cairo-compile cairo-run brownie ape sui-move avalanche "
    "algokit "
    "spl-token octez-client bitcoin-cli electrum hsd-cli hsw-cli lncli lightning-cli monero-wallet-cli": Program("*",
        "text*", "",
        subs={"balance address block-height block-time cluster-version config-get epoch epoch-info fees "
            "gossip help version "
              "getblockcount getblockchaininfo getnetworkinfo getpeerinfo getinfo getrawtransaction "
              "gettransaction": look("*", "text*",
                  "network"), "*": act("changes network", "*", "mention*")}),
    # who brings them
    "g gvm kerl exenv plenv perlbrew phpenv phpbrew luaver evm crenv swiftenv ghcup elan juliaup tgenv aqua pkgx "
    "nodebrew nvs "
    "nodist nodeenv ndenv dvm dnvm gobrew goup zvm zigup zls-up bvm svm vfox pvm kiex swiftly rokit aftman "
    "wally": Program("q/quiet v/verbose *", "text*", "", subs={
        "versions version which whence ls list current where root prefix commands latest ls-remote list-all available "
        "info status "
        "doctor shims completions help outdated show installed whereis tool-requirements debug-info list-remote "
        "listall": look("*", "text*",
            "network"),
        "exec run x": Program("", "text argv", "runs-project"),
        "*": act("installs-package network", "*", "mention*")}),
    "eget stew ubi dra bin gup appman pacstall deb-get": act("installs-package network downloads", "to=write *",
        "mention*"),
    "help2man": Program("n/name= s/section= m/manual= S/source= L/locale= i/include=read I= o/output=write "
        "p/info-page= N/no-info "
        "l/libtool no-discard-stderr h/help-option= v/version-option= version-string=", "text*", "only-runs",
            special=_help_page),
}  # fmt: skip
