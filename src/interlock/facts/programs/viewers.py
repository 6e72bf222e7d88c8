"""Showing and asking: files, differences, logs, structured data, pictures in a terminal, disks, machines and names.

Only what is known to write nothing takes every option; the rest names those that write.
"""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]


def _verb_edits(*verbs: str) -> Special:
    """A filter that edits its files when its first word says so."""
    edits = frozenset(verbs)

    def of(draft: UseDraft) -> None:
        if draft.operands[:1] and draft.operands[0] in edits:
            draft.acts()

    return of


def _mlr(draft: UseDraft) -> None:
    """Its verbs and its own language can write files and run commands; what looks like it may."""
    for word in draft.operands:
        sent = ">" in word and any(verb in word for verb in ("tee", "emit", "print", "dump"))
        if sent or word in {"tee", "split", "case"} or "system" in word or "exec" in word or '| "' in word:
            draft.acts()


def _zoxide(draft: UseDraft) -> None:
    """The shell's jump: where it ends is not known."""
    draft.cd = "\0"


_OUT = (
    "o/output/out=write outfile=write output-file=write output-dir/outdir/output-directory/out-dir=write dest=write "
    "save=write export=write log-file/logfile=write"
)
_PLAIN = look(f"{_OUT} *", "read*")  # its only way to write a file is to be told where
_FETCH = look(f"{_OUT} O=write *", "text*", "network")
_EDIT = f"i/in-place/inplace!acts w/write!acts {_OUT} *"

TABLE: Table = {
    # files as text
    "mdcat mdless frogmouth lookatme mdp moar moor hl tailspin tspin humanlog "
    "jl ccze angle-grinder agrind grcat batgrep batdiff batman batpipe "
    "hck choose isutf8 mimetype": _PLAIN,
    "glow": Program("p/pager t/tui s/style=read w/width= a/all l/line-numbers n/preserve-new-lines m/mouse", "fetch*",
        "read-only", subs={"config": act("interactive changes", "*"), "stash": act("network changes", "*"),
            "*": look("p/pager t/tui s/style=read w/width= a/all l/line-numbers n m/mouse *", "fetch*")}),
    "presenterm slides patat tpp sent": look("e/export-pdf!acts E/export-html!acts x/enable-snippet-execution!acts "
        f"X/enable-snippet-execution-replace!acts {_OUT} p/present t/theme= c/config-file=read", "read*",
            "interactive"),
    "lnav": look("c=code:other f=file n I=read q i!acts u!acts e=shell d=write r N H R t V W a m!acts", "read*",
        "interactive"),
    "multitail": look("s= sn= sw= i l=shell L=shell I= Z= R= n= N= k= ke= kr= ks= ec= e= ex=shell eX=shell a=write "
        "A=write g=shell "
        "G=shell cS= c C b= m= M= p x= t= u U q= Q= d= D", "read*", "interactive", long=True),
    "goaccess": look(f"{_OUT} f/log-file=read log-format= date-format= time-format= p/config-file=read "
        "c/config-dialog a/agent-list "
        "real-time-html!network/listens daemonize!acts pid-file=write db-path=write persist!acts restore "
        "l/debug-file=write "
        "invalid-requests=write unknowns-log=write addr= port= ws-url= no-global-config e= q s", "read*"),
    "chroma source-highlight syncat": look(f"{_OUT} O= S= l/lexer= f/formatter= F/filter= g x "
        "s/style/syntax= t= i/input=read out-format= o=write c/style-outfile=write d/outdir=write src-lang= "
        "lang-def=read "
        "html html-only html-styles lexer= formatter= json unbuffered check list trace fail L a N v I/include-style "
        "k= J= "
        "force batch-recursive=write stdout", "read*"),
    "diff-so-fancy difftastic git-delta riff ydiff cdiff interdiff combinediff "
    "csv-diff json-diff jsondiff dyff htmldiff spiff graphtage": look(
        f"{_OUT} *", "read*"),
    "jd": look(f"{_OUT} p!acts f= t= set mset setkeys= color git-diff-driver v2 yaml port=text!network/listens "
        "precision=",
        "read*", long=True),
    "diffoscope diff-pdf latexdiff": look(f"{_OUT} html=write html-dir=write text=write json=write "
        "markdown=write "
        "profile=write output-diff=write restructured-text=write exclude= new-file max-report-size= no-progress "
        "progress "
        "t/type= c/config-cfg=read e/encoding= flatten", "read*"),
    "zdiff xzdiff bzdiff lzdiff zstddiff zcmp xzcmp bzcmp lzcmp xzmore zipgrep zstdless lzless lzmore pdfgrep "
    "ptargrep vgrep "
    "sqfscat isoinfo isosize": look(
        "A= B= C= m= e= f=read c h H i l n o p P q r R v w x a b d E F G I L s t u y z password= page-range= color= "
        "max-count= page-number= ignore-case cache!acts include= exclude= warn-empty unac show= edit!acts", "read*"),
    "ugrep-indexer rnm qmv qcp vimv mcp mln detox convmv edir massren renameutils brename "
    "nomino f2 ren pipe-rename renamer": act("changes", "n/dry-run/notest/pretend!acts *", "mention*"),
    # structured data
    "jo jtbl jpp jsonpp json_pp json_reformat json_verify jp jpterm "
    "csvlens csview tidy-viewer csvtopretty ncdump h5ls h5stat "
    "mmdblookup geoiplookup geoiplookup6 orc-contents dbview": look(
        f"{_OUT} *", "read*"),
    "json5": look("c/convert!acts o/out-file=write s/space= v/validate V", "read*"),
    "yj toml2json toml2yaml yaml2json yaml2toml json2yaml json2toml remarshal json2json hjson jsonc cson2json "
    "plist2json "
    "yaml-to-json xml2json json2xml csv2json json2csv tsv2csv csv2tsv csv2md any2json": look(
        f"{_OUT} i/input=read *", "read write*"),
    "jsonnet": look(f"{_OUT} J/jpath=read V/ext-str= A/tla-str= ext-code= tla-code= ext-str-file=read S/string "
        "y/yaml-stream "
        "m/multi=write c/create-output-dirs e/exec s= t= max-trace= no-trailing-newline", "text*",
            special=lambda draft: draft.reads.extend(draft.operands) if "--exec" not in draft.flags else None),
    "jsonnetfmt jsonnet-lint": look(f"{_EDIT} e/exec test n= string-style= comment-style=", "read*"),
    "cue": Program("E/all-errors i/ignore s/simplify strict trace v/verbose", "text*", "", subs={
        "eval export vet def version": look(f"{_OUT} outfile=write e/expression= out= t/inject= l/path= p/package= "
            "f/force "
            "a/all c/concrete d/schema= escape *", "read*"),
        "fmt fix trim": act("changes", "check!dry n/dry-run!dry d/diff *", "mention*"),
        "cmd": act("runs-project", "*"), "import mod get login": act("changes network", "*", "mention*")}),
    "dhall-to-json dhall-to-yaml dhall-to-bash dhall-to-toml json-to-dhall yaml-to-dhall": look(f"{_OUT} file=read "
        "*", "text*",
        "network"),
    "dhall": Program(f"{_OUT} *", "text*", "network", subs={"type resolve hash diff text encode decode repl version ":
        look(f"{_OUT} file=read annotate alpha *", "text*", "network"), "format freeze lint rewrite-with-schemas": act(
            "changes", "check!dry *", "mention*"), "*": act("changes network", "*", "mention*")}),
    "nickel pkl kcl": Program(f"{_OUT} *", "text*", "", subs={"eval export query typecheck vet version": look(
        f"{_OUT} m/multiple-file-output-path=write f/format= x/expression= p/property= *", "read*", "network"),
            "*": act("changes network", "*", "mention*")}),
    "zq super": Program(f"{_OUT} i= f= z j s pretty= c= *", "text*", "", special=lambda draft: draft.reads.extend(
        draft.operands[1:])),
    "dasel": Program("r/read= w/write= p/parser= f/file=read s/selector= o/out=write c/compact m v/value= t/type= "
        "pretty plain colour length n/null merge-expression=", "text*", "", subs={
            "select query": look("r/read= w/write= p/parser= f/file=read s/selector= o/out=write c/compact m pretty "
                "plain "
                "colour n/null format= length merge-expression=", "text*"),
            "put delete": act("changes", "f/file=edit o/out=write *"),
            "validate version completion man": look("*", "read*"),
            "*": look("r/read= w/write= p/parser= f/file=read s/selector= o/out=write c/compact m pretty plain i/in= "
                "root colour n/null", "text*")}),
    "mlr miller": look("icsv ojson ocsv ijson ixtab oxtab itsv otsv opprint ipprint c2j c2t c2p c2m c2d c2n c2l t2j "
        "t2c t2p j2c "
        "j2t j2p j2m csv json tsv xtab pprint nidx inidx ifs= ofs= ips= ops= irs= ors= fs= ps= rs= implicit-csv-header "
        "headerless-csv-output allow-ragged-csv-input csvlite from=read n I!acts s=read barred right ofmt= "
        "nr-progress-mod= "
        "load=file mload=file tz= no-auto-flatten no-auto-unflatten records-per-batch= hash-records prepipe=shell "
        "prepipex=shell "
        "gzin bz2in zin zstdin x key-color= value-color= M C no-color always-color omd ojsonl ijsonl jsonl", "text*",
            long=True, stops=True, special=_mlr),
    "xsv qsv xan": Program("", "text*", "", subs={
        "count headers frequency stats search select slice sample table flatten sort cat join lang sniff view hist "
        "help "
        "version input ": look(f"{_OUT} d/delimiter= n/no-headers i/ignore-case s/select= l/limit= "
            "e/end= len= v/invert-match r N R no-case left right full cross u c w/width= j/jobs= everything mode "
            "cardinality "
            "median nulls asc p= f= m=", "text*"),
        "split partition index schema validate tojsonl to sqlp excel extdedup": act("changes", "*", "mention*"),
        "luau py foreach apply fetch fetchpost geocode map filter transform": act("only-runs", "*", "mention*"),
        "*": act("changes", "*", "mention*")}),
    "csvtk tsv-filter tsv-select tsv-join tsv-summarize tsv-uniq tsv-append tsv-sample tsv-pretty keep-header "
    "number-lines csvquote": look(f"{_OUT} w/out-file=write i!acts prefix=write out-prefix=write *", "mention*",
        special=_verb_edits("split", "splitxlsx", "genautocomplete",
            "plot")),
    "parquet-tools pqrs parquet-cli parquet": look(
        f"{_OUT} out-without-guess=write *", "text*", special=_verb_edits("merge", "split", "transform", "convert",
            "rewrite")),
    "recsel rec2csv recinf": look("e= q= n= p= P= R= c C t= i d s= S= j= G= U m= x= type= expression=", "read*"),
    "xml": Program("q/quiet no-doc-namespace doc-namespace", "text*", "", subs={
        "sel select el elements val validate fo format c14n canonic esc escape unesc unescape ls list pyx xmln": look(
            "net *", "text*"), "ed edit": look("L/inplace!acts P/pf S/ps O/omit-decl N= d= i= a= s= r= u= t= n= v= x= "
                "m= *",
                "text*"), "tr transform": act("only-runs", "*", "mention*"), "p2x depyx": look("*", "text*")}),
    "xpath hred xsltproc": look(f"{_OUT} e= q s stringparam= param= novalid nonet html noout timing profile "
        "dumpextensions "
        "writesubtree=write path=read maxdepth= xinclude catalogs nodtdattr encoding= debug repeat timing verbose",
            "read*",
            long=True, special=lambda draft: draft.acts() if draft.name == "xsltproc" else None),
    # rewriting, which is told to write
    "fastmod codemod comby grit gritql jscodeshift ast_grep rpl repren sad amber ambs ambr serpl scooter srep ned": act(
        "changes", "matcher= d/dir= m/multiline e/extensions= g/glob= accept-all i/in-place *", "mention*"),
    "grex exrex rure regexer melody": look(f"{_OUT} f/file=read d w s r i x c a D W S", "text*"),
    # disks and trees
    "dysk dfc pydf diskonaut tre as-tree erd erdtree lsix fselect dutree smem vtop "
    "lsfd lslocks uuidparse fincore bottom btm zenith nload bmon "
    "speedometer battop cpufetch ramfetch rfetch macchina nitch archey pfetch hyfetch countryfetch "
    "gpustat nvitop amdgpu_top drm_info eglinfo "
    "clinfo wayland-info xlsclients xlsatoms xlsfonts fc-scan "
    "fc-query fc-pattern decode-dimms systool lsdev lsinitcpio pinout raspinfo hardinfo istats uprecords "
    "runlevel utmpdump routel resolveip ascii errno mcookie manpath readpe eu-readelf pldd": look(
        f"{_OUT} *", "read*"),
    "duc": Program("d/database= v/verbose q/quiet", "text*", "", subs={"info ls ui xml json": look("*", "mention*"),
        "*": act("changes", "*", "mention*")}),
    "fdupes jdupes rdfind rmlint fclones czkawka_cli duperemove dupeguru hardlink findimagedupes": Program(
        f"r/recurse d/delete!acts N/noprompt!forced L/linkhard!acts n s/symlinks q/quiet {_OUT} *", "mention*",
            "changes",
            special=lambda draft: draft.looks("changes") if draft.name in {"fdupes", "jdupes"}
                and not {"--delete", "--linkhard",
                    "--noprompt"} & set(draft.flags) and not any(word[:1] == "-" and set(word) & set(
                    "dNLlBiI") for word in draft.args) else None),
    "broot xplr joshuto clifm felix superfile spf fff cfm rover noice sfm": act("interactive", "*", "mention*"),
    "progress waitpid": look("*", "text*"),
    "inotifywait inotifywatch fswatch fsmon": look(f"m/monitor r/recursive q/quiet e/event= "
        "t/timeout= c/csv f= "
        f"format= timefmt= {_OUT} outfile=write exclude= excludei= include= fromfile=read d/daemon!acts l= x 0 1 n",
            "read*",
            "recursive"),
    # pictures in a terminal
    "viu chafa timg catimg img2sixel tiv icat imgcat pixterm jp2a img2txt ascii-image-converter asciiart cacaview "
    "viewnior nsxiv mcat gifview": look(
        f"{_OUT} save-img=write save-txt=write save-gif=write *", "fetch*"),
    "silicon carbon-now freeze aha ansi2html ansifilter ansi2txt terminal-to-html": Program(
        f"{_OUT} x/execute=shell to-clipboard!clipboard c!clipboard *", "read*", "changes",
            special=lambda draft: draft.looks("changes") if draft.name in {"aha", "ansi2html",
                "ansi2txt"} and not draft.writes
                else None),
    # questions to people's manuals and to the shell's past
    "tealdeer howdoi cht.sh wikit wikiman archwiki-rs texdoc dasht "
    "wtf dict sdcv wn trans ddgr googler cheat.sh tldr++ outfieldr": look(
        f"{_OUT} u/update!acts clear-cache!acts seed-config!acts *", "text*", "network"),
    "perldoc ri": look("d=write server?!network/listens T m l f= q= v= t u n= a= i list interactive dump=read all "
        "profile names format= "
        "pager doc-dir=read system site gems home width=", "text*"),
    "hoogle": look("*", "text*", "network", special=_verb_edits("generate", "server", "replay", "test")),
    "navi": act("interactive only-runs", "*", "mention*"),
    "atuin hstr mcfly resh": Program("*", "text*", "interactive", subs={
        "history": Program("*", "text*", "reads-environment",
            special=lambda draft: draft.looks() if draft.operands[:1] in (
            ["list"], ["last"]) else draft.acts()),
        "search stats info doctor uuid": look("delete!history-wiped delete-it-all!history-wiped *", "text*",
            "reads-environment"), "sync login logout register account": act("network signs-in", "*"),
        "init gen-completions": look("*"), "*": act("changes", "*", "mention*")}),
    "zoxide": Program("", "text*", "", subs={"query init": look("a/all i/interactive l/list s/score exclude= cmd= "
        "hook= no-cmd",
        "text*"), "add remove import edit": act("changes", "*", "mention*")}),
    "z j fasd_cd wd": Program("", "text*", "read-only", special=_zoxide),
    "autojump fasd": look("a=text!acts add=text!acts i=text!acts increase=text!acts d=text!acts decrease=text!acts "
        "purge!acts "
        "A!acts D!acts s/stat complete e= b= B= l f R t r", "text*"),
    "thefuck fuck": act("only-runs interactive", "*"),
    "starship oh-my-posh": Program("", "text*", "", subs={
        "prompt module explain timings print-config session time init completions version debug print": look("*"),
        "*": act("changes", "*", "mention*")}),
    # names, addresses and numbers
    "ipcalc sipcalc subnetcalc cidr cidrcalc grepcidr aggregate6 rolldice roll numbat eva fend kalker bitwise pcalc "
    "insect rink speedcrunch jcal ddate kosmorro hebcal semver uuidgen uuid ulid ksuid nanoid "
    "pwgen pwqgen makepasswd apg xkcdpass diceware phraze genpass lorem fakedata faker pretty-bytes convertall "
    "zdump "
    "pokeget pokego ponysay pridecat nyancat asciiquarium cbonsai pipes.sh unimatrix genact "
    "tty-clock termdown peaclock rig blahaj": look(f"{_OUT} *", "text*"),
    "ipinfo ipapi rdap nicinfo dnstracer adig ahost acountry "
    "networkQuality speedtest-rs speed-test fast-cli librespeed-cli httping tcptraceroute trippy prettyping "
    "ansiweather wttr forecast rsstail hn "
    "is-up npm-name npm-home npm-why yarn-why "
    "tickrs": _FETCH,
}  # fmt: skip
