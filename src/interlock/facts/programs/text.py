"""Searching, cutting, sorting and rewriting text."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import SINKS, UseDraft
from interlock.facts.programs.little_scripts import Effects, awk_effects, sed_effects
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _apply(draft: UseDraft, effects: Effects) -> None:
    draft.reads += effects.reads
    written = [word for word in effects.writes if word not in SINKS]
    draft.writes += written
    for text in effects.shell:
        draft.aside(text)
    if written or effects.shell or not effects.sure:
        draft.acts()


def _reads_script(draft: UseDraft) -> None:
    """A script that comes in on the standard input is not known before it runs."""
    if any(name == "--file" and value in {"-", "/dev/stdin"} for name, value in draft.values):
        draft.run("shell", "\0")


def _sed(draft: UseDraft) -> None:
    files = draft.operands
    _reads_script(draft)
    scripts = [value for name, value in draft.values if name == "--expression"]
    if not scripts and "--file" not in draft.flags:
        scripts, files = files[:1], files[1:]
        if draft.doubtful:
            scripts, files = draft.operands[:2], draft.operands[1:]
    for script in scripts:
        _apply(draft, sed_effects(script) if "\0" not in script else Effects(sure=False))
    if "--in-place" in draft.flags:
        # BSD's -i takes the next word, so what we took for the script may be a file.
        draft.writes += files
    draft.reads += files


def _awk(draft: UseDraft) -> None:
    files = draft.operands
    _reads_script(draft)
    scripts = [value for name, value in draft.values if name == "--source"]
    if draft.value("--include") == "inplace":
        draft.writes += files[0 if "--file" in draft.flags else 1 :]
    if not scripts and "--file" not in draft.flags:
        scripts, files = files[:1], files[1:]
    for script in scripts:
        _apply(draft, awk_effects(script))
    if "--include" in draft.flags or "--load" in draft.flags:
        draft.acts()
    draft.reads += [word for word in files if "=" not in word or "/" in word.partition("=")[0]]


def _rg(draft: UseDraft) -> None:
    if "--files" in draft.flags and draft.operands:
        draft.reads.append(draft.operands[0])
    if "--regexp" not in draft.flags and "--file" not in draft.flags and "--files" not in draft.flags:
        draft.reads += draft.operands[1:]
    else:
        draft.reads += draft.operands


def _sd(draft: UseDraft) -> None:
    files = draft.operands[2:]
    draft.reads += files
    if "--preview" not in draft.flags:
        draft.writes += files


def _yq(draft: UseDraft) -> None:
    files = draft.operands if "--from-file" in draft.flags or "--expression" in draft.flags else draft.operands[1:]
    if draft.operands and draft.operands[0] in {"e", "ea", "eval", "eval-all"}:
        files = draft.operands[2:]
    draft.reads += files
    if "--inplace" in draft.flags:
        draft.writes += files
    if "--split-exp" in draft.flags:
        draft.writes.append("\0")
    if any("env(" in word or "$ENV" in word or "strenv" in word for word in draft.operands[:2]):
        draft.add("reads-environment")


def _jq(draft: UseDraft) -> None:
    if any("$ENV" in word or word == "env" or "env." in word for word in draft.operands[:1]):
        draft.add("reads-environment")


def _patch(draft: UseDraft) -> None:
    if draft.operands:
        draft.writes.append(draft.operands[0])
    else:
        draft.writes.append("\0")
    draft.reads += draft.operands[1:]


def _split(draft: UseDraft) -> None:
    draft.reads += [word for word in draft.operands[:1] if word != "-"]
    draft.writes.append((draft.operands[1] if len(draft.operands) > 1 else "x") + "\0")


def _uniq(draft: UseDraft) -> None:
    draft.reads += [word for word in draft.operands[:1] if word != "-"]
    draft.writes += [word for word in draft.operands[1:2] if word != "-"]


def _reckon(draft: UseDraft) -> None:
    """dc: a line that starts with `!` is a shell's."""
    for name, value in draft.values:
        if name == "--expression" and "!" in value:
            draft.aside(value.partition("!")[2])
    if draft.values:
        draft.stdin = "data"


def _pager(draft: UseDraft) -> None:
    """`less +!cmd`: the first command can be a shell's."""
    for word in draft.operands:
        if word.startswith("+") and "!" in word:
            draft.aside(word.partition("!")[2])


def _preview(draft: UseDraft) -> None:
    """fzf runs what its bindings and preview say."""
    for name, value in draft.values:
        if name in {"--preview", "--with-shell"}:
            draft.run("shell", value)
        elif name == "--bind" and (found := _RUNNING.search(value)):
            inner = found[2].partition("(")[2].rpartition(")")[0] if found[2][:1] == "(" else found[2][1:]
            draft.aside(inner or "\0")


# The actions of a binding that are given a command: `ctrl-e:execute(vi {})`, `enter:become:cat {}`, `f1:preview[ls]`.
_RUNNING = re.compile(
    r"(?:^|[:+,])(execute(?:-silent|-multi)?|reload(?:-sync)?|become|preview|transform(?:-[a-z-]+)?|bg-transform(?:-[a-z-]+)?"
    r"|change-preview)(?=[^a-z-])([\s\S]*)"
)


_GREP = (
    "E/extended-regexp F/fixed-strings G/basic-regexp P/perl-regexp e/regexp=text< f/file=read< i/y/ignore-case "
    "no-ignore-case w/word-regexp x/line-regexp "
    "z/null-data s/no-messages v/invert-match m/max-count= b/byte-offset n/line-number line-buffered H/with-filename "
    "h/no-filename label= o/only-matching "
    "q/quiet/silent binary-files= a/text I d/directories= D/devices= r/recursive!recursive "
    "R/dereference-recursive!recursive include= exclude= exclude-from=read "
    "exclude-dir= L/files-without-match l/files-with-matches c/count T/initial-tab Z/null B/before-context= "
    "A/after-context= C/context= "
    "color? colour? U/binary u O p S V 0 1 2 3 4 5 6 7 8 9"
)


def _m4(draft: UseDraft) -> None:
    """m4 has macros that run commands; cpp has none."""
    if draft.name == "m4" and not draft.operands:
        draft.stdin = "code:other"


TABLE: Table = {
    "grep egrep fgrep rgrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep ggrep": look(_GREP, "text read*"),
    "rg": look(
        "e/regexp= f/file=read pre=program pre-glob= search-zip/z crlf dfa-size-limit= engine= F/fixed-strings "
        "i/ignore-case v/invert-match x/line-regexp m/max-count= "
        "mmap multiline/U multiline-dotall no-unicode null-data P/pcre2 regex-size-limit= S/smart-case "
        "s/case-sensitive stop-on-nonmatch a/text j/threads= w/word-regexp "
        "auto-hybrid-regex binary L/follow g/glob= glob-case-insensitive ./hidden iglob= ignore-file=read "
        "ignore-file-case-insensitive max-depth/d= max-filesize= no-ignore no-ignore-dot "
        "no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-require-git "
        "one-file-system t/type= T/type-not= type-add= type-clear= u/unrestricted "
        "A/after-context= B/before-context= C/context= b/byte-offset color= colors= column context-separator= "
        "field-context-separator= field-match-separator= heading hostname-bin=program "
        "hyperlink-format= include-zero n/line-number N/no-line-number max-columns/M= max-columns-preview 0/null "
        "o/only-matching path-separator= passthru p/pretty q/quiet r/replace= "
        "sort= sortr= trim vimgrep H/with-filename I/no-filename c/count count-matches l/files-with-matches "
        "files-without-match json debug no-ignore-messages no-messages stats trace files "
        "generate= no-config pcre2-version type-list E/encoding= no-heading no-mmap no-column no-hidden sort-files "
        "no-pre no-follow h V line-buffered block-buffered",
        "text*", "recursive", special=_rg),
    "ag ack ugrep ug pt ripgrep-all rga": look(
        _GREP.replace("text<", "text").replace("read<", "read").replace("d/directories= ", "").replace("D/devices= ",
            "") +
        " hidden depth= ignore= G= g t nocolor nogroup group column noheading vimgrep type= passthru js py ruby "
        "python nopager heading break k ignore-dir= type-set= Q literal smart-case",
        "text read*", "recursive"),
    "ast-grep": Program("p/pattern= l/lang= r/rewrite= i/interactive U/update-all!changes json? c/config=read",
        "text*", "changes", subs={
        "run": look("p/pattern= l/lang= r/rewrite= U/update-all!changes json? i/interactive!changes A/after= "
            "B/before= C/context= color= heading= globs= no-ignore= strictness= selector= stdin debug-query?",
            "read*"),
        "scan": look("r/rule=read c/config=read inline-rules= U/update-all!changes json? filter= "
            "i/interactive!changes report-style= format= error? off? warning?", "read*"),
    }),
    "sort gsort": look(
        "b/ignore-leading-blanks d/dictionary-order f/ignore-case g/general-numeric-sort i/ignore-nonprinting "
        "M/month-sort h/human-numeric-sort n/numeric-sort "
        "R/random-sort random-source=read r/reverse sort= V/version-sort batch-size= c/check? C "
        "compress-program=program debug files0-from=read k/key= m/merge "
        "o/output=write s/stable S/buffer-size= t/field-separator= T/temporary-directory= parallel= u/unique "
        "z/zero-terminated", "read*"),
    "uniq": look("c/count d/repeated D all-repeated? f/skip-fields= group? i/ignore-case s/skip-chars= u/unique "
        "z/zero-terminated w/check-chars= 0 1 2 3 4 5 6 7 8 9", special=_uniq),
    "cut": look("b/bytes= c/characters= d/delimiter= f/fields= n complement s/only-delimited output-delimiter= "
        "z/zero-terminated w", "read*"),
    "paste join comm": look("d/delimiters= s/serial z/zero-terminated a= e= i/ignore-case j= o= t= v= 1 2 3 "
        "check-order nocheck-order header output-delimiter= total", "read*"),
    "tr": look("c/C/complement d/delete s/squeeze-repeats t/truncate-set1 u"),
    "pr": look("a/across c/show-control-chars d/double-space D/date-format= e/expand-tabs? f/F/form-feed h/header= "
        "i/output-tabs? J/join-lines l/length= m/merge n/number-lines? N/first-line-number= o/indent= "
        "r/no-file-warnings s/separator? S/sep-string? t/omit-header T/omit-pagination v/show-nonprinting w/width= "
        "W/page-width= pages= columns= 0 1 2 3 4 5 6 7 8 9", "read*"),
    "column": look("c/output-width= d/table-noheadings e/table-header-repeat E/table-noextreme= H/table-hide= "
        "i/tree-id= J/json "
        "l/table-columns-limit= L/keep-empty-lines m/table-maxout n/table-name= N/table-columns= o/output-separator= "
        "O/table-order= p/tree-parent= r/tree= R/table-right= s/separator= S/use-spaces= t/table T/table-truncate= V "
        "W/table-wrap= x/fillrows C/table-column=", "read*"),
    "nl": look("b/body-numbering= d/section-delimiter= f/footer-numbering= h/header-numbering= i/line-increment= "
        "l/join-blank-lines= n/number-format= p/no-renumber s/number-separator= v/starting-line-number= "
        "w/number-width=",
            "read*"),
    "rev fold fmt expand unexpand colrm col tsort ptx ul look": look(
        "b/bytes s/spaces w/width= c/crown-margin p= t/tabs= u/uniform-spacing g/goal= i/initial first-only a/all d= "
        "f= h= l= n= v= o= O= N= C= x J R= H= E= r= e T= S= m D A F G "
        "number-lines= separator= output-separator= table table-columns= output-width= json table-name= "
        "body-numbering= header-numbering= footer-numbering= line-increment= "
        "join-blank-lines= number-format= number-separator= starting-line-number= number-width= no-renumber "
        "section-delimiter= 1 2 3 4 5 6 7 8 9 0", "read*"),
    "shuf": look("e/echo i/input-range= n/head-count= o/output=write random-source=read r/repeat z/zero-terminated",
        "read*"),
    "split csplit": Program("a/suffix-length= additional-suffix= b/bytes= C/line-bytes= d numeric-suffixes? x "
        "hex-suffixes? e/elide-empty-files filter=shell l/lines= n/number= t/separator= "
        "u/unbuffered verbose f/prefix= k/keep-files z s/quiet/silent p=", special=_split),
    "sed gsed ssed": look("n/quiet/silent debug e/expression= f/file=file E/r/regexp-extended follow-symlinks "
        "i/in-place? I? l/line-length= posix s/separate sandbox u/unbuffered z/null-data a b H",
                          special=_sed),
    "awk gawk mawk nawk goawk": look("f/file=file F/field-separator= v/assign= e/source= i/include= l/load= "
        "E/exec=file b/characters-as-bytes c/traditional C/copyright d/dump-variables?write D/debug? "
        "g/gen-pot h I/trace L/lint? M/bignum N/use-lc-numeric n/non-decimal-data "
        "o/pretty-print?write O/optimize p/profile?write P/posix r/re-interval "
        "s/no-optimize S/sandbox t/lint-old V W= k/csv", special=_awk, stops=True),
    "sd": Program("p/preview s/F/fixed-strings/string-mode n/max-replacements= f/flags= A/across", "text*",
        special=_sd),
    "diff colordiff sdiff diff3 cmp": look(
        "normal q/brief s/report-identical-files c C/context= u U/unified? e/ed n/rcs y/side-by-side W/width= "
        "left-column suppress-common-lines p/show-c-function F/show-function-line= label= "
        "t/expand-tabs T/initial-tab tabsize= suppress-blank-empty l/paginate r/recursive!recursive no-dereference "
        "N/new-file unidirectional-new-file ignore-file-name-case from-file=read "
        "to-file=read i/ignore-case E/ignore-tab-expansion Z/ignore-trailing-space b/ignore-space-change "
        "w/ignore-all-space B/ignore-blank-lines I/ignore-matching-lines= a/text "
        "strip-trailing-cr D/ifdef= x/exclude= X/exclude-from=read S/starting-file= horizon-lines= d/minimal "
        "speed-large-files color? palette= L= o/output=write binary line-format= old-line-format= new-line-format= "
        "unchanged-line-format= old-group-format= new-group-format= unchanged-group-format= changed-group-format= "
        "GTYPE= "
        "print-bytes bytes= verbose 0 1 2 3 4 5 6 7 8 9 m A", "read*"),
    "vimdiff meld kdiff3 opendiff delta difft icdiff wdiff dwdiff diffstat": look("s/side-by-side n/line-numbers "
        "side-by-side paging= color= c d f x y display= p= w= 1 2 3 N L= U= width= "
        "no-gitconfig dark light", "read*",
            "interactive"),
    "patch": Program("b/backup B/prefix= binary c/context d/directory=base D/ifdef= dry-run!dry e/ed "
        "E/remove-empty-files f/force!forced F/fuzz= g/get= i/input=read l/ignore-whitespace merge? "
        "n/normal N/forward o/output=write p/strip= posix quoting-style= r/reject-file=write read-only= "
        "R/reverse s/silent/quiet follow-symlinks t/batch T/set-time u/unified "
        "v V/version-control= verbose Y/basename-prefix= z/suffix= Z/set-utc", special=_patch),
    "tree-sitter": act("runs-project", "*"),
    "jq gojq jaq": look("n/null-input R/raw-input s/slurp c/compact-output r/raw-output raw-output0 j/join-output "
        "a/ascii-output S/sort-keys C/color-output M/monochrome-output tab indent= unbuffered "
        "stream stream-errors seq f/from-file=read< L/library-path=read arg= argjson= slurpfile= "
        "rawfile= args jsonargs e/exit-status b/binary h V build-configuration",
                        "text read*", special=_jq),
    "yq": look("i/inplace/in-place n/null-input r/raw-output/unwrapScalar? P/prettyPrint o/output-format= "
        "p/input-format= I/indent= C/colors M/no-colors N/no-doc j/tojson J e/exit-status f/front-matter= "
        "from-file= expression= s/split-exp= v/verbose y/yaml-output x/xml-output t/toml-output arg= "
        "c/compact-output S/sort-keys width= 0/nul-output header-preprocess xml-attribute-prefix= "
        "csv-auto-parse string-interpolation security-disable-env-ops", special=_yq),
    "xq tomlq htmlq pup gron fx jless jc jid jnv xidel xmllint xmlstarlet hxselect": look(
        "r/raw-output c/compact u/ungron s/stream m/monochrome i= f/file=read p= w= t/text a/attribute= n/noout "
        "xpath= format/xmlout noent html noblanks dtdvalid= schema= o=write output=write k/insecure "
        "j color plain e/extract= silent encode= recover valid C x q v S", "text*", long=False),
    "csvcut csvgrep csvstat csvlook csvsort csvjson csvjoin csvclean in2csv csvformat csvstack": look(
        "c/columns= n/names r/regex= m/match= d/delimiter= t/tabs q/quotechar= H/no-header-row i/invert-match f= "
        "e/encoding= y/snifflimit= l/linenumbers csv icsv ojson json tsv opprint ixtab C/not-columns= "
        "o/output=write s/select= j u/quoting= reverse S/no-inference K/skip-lines= max-rows= max-columns= "
        "max-column-width=", "mention*"),
    "iconv recode uconv": look("f/from-code= t/to-code= c l/list o/output=write s/silent verbose byte-subst= "
        "unicode-subst=", "read*"),
    "dos2unix unix2dos mac2unix unix2mac": Program("b/keep-bom f/force!forced k/keepdate l/newline n/newfile "
        "o/oldfile q/quiet r/remove-bom s/safe v/verbose i/info?!dry 7 c/convmode= m/add-bom 1252", "edit*"),
    "base64 base32 base16 basenc base58 ascii85 b64encode b64decode gbase64": look(
        "d/D/decode i/ignore-garbage w/wrap= b/break= o/output=write base64 base64url base32 base32hex base16 "
        "base2msbf base2lsbf z85 m r p h input=read e/encode n/noerrcheck u copyright", "read*", "encodes"),
    "od": look("A/address-radix= a b c d f i l o s x v/output-duplicates j/skip-bytes= N/read-bytes= S/strings? "
        "t/format= w/width? endian= traditional", "read*"),
    "hexdump hd": look("b/one-byte-octal c/one-byte-char C/canonical d e/format= f/format-file=read L/color? n/length= "
        "o s/skip= v/no-squeezing x X", "read*"),
    "strings": look("a/all d/data e/encoding= f/print-file-name n/bytes= o t/radix= T/target= w/include-all-whitespace "
        "s/output-separator= U/unicode= 4 6 8 arch=", "read*"),
    "hexyl": look("n/length= c/bytes= s/skip= block-size= v/no-squeezing color= border= p/plain no-characters C "
        "g/group-size= o/display-offset= panels= b/base= terminal-width= endianness= character-table=", "read*"),
    "xxd": look("a/autoskip b/bits c/cols= C/capitalize d e E/EBCDIC g/groupsize= i/include l/len= n/name= o= "
        "p/ps/plain/postscript r/revert!encodes R= s/seek= t u v", "read write"),
    "uuencode uudecode": look("m o=write p c e=  r", "read*", "encodes"),
    "less more most pg zless zmore bzless xzless": look("a A b= B c C d D= e E f F g G h= i I j= J k=read K L m M n "
        "N o=write O=write p= P= q Q r R s S t= T=read u U v w W x= X y= z= "
        "chop-long-lines no-init quit-if-one-screen RAW-CONTROL-CHARS "
        "raw-control-chars line-numbers ignore-case LINE-NUMBERS "
        "0 1 2 3 4 5 6 7 8 9", "read*", "interactive", special=_pager),
    "man info tldr help cheat pinfo": look("a/all k/apropos f/whatis K l/local-file P/pager=shell s/sections= S= "
        "M/manpath= w/where/path W H/html?shell L/locale= m/systems= T? t u/update i I n o=write p/platform= c r "
        "list language= d/debug e x/example q/quiet render=read", "mention*"),
    "fzf sk skim peco percol gum dmenu rofi": look(
        "x/extended e/exact i +i s/sort +s n/nth= with-nth= d/delimiter= tac track no-sort multi/m? no-mouse bind= "
        "cycle keep-right scroll-off= hscroll-off= filepath-word jump-labels= height= min-height= layout= "
        "reverse border? border-label= margin= padding= info= separator= scrollbar= prompt= pointer= marker= header= "
        "header-lines= header-first ellipsis= ansi tabstop= color= no-bold no-color history=write history-size= "
        "preview= preview-window= preview-label= q/query= 1/select-1 0/exit-0 f/filter= print-query expect= read0 "
        "print0 sync listen?!network/listens listen-unsafe?!network/listens with-shell= algo= tiebreak= "
        "disabled phony no-info inline-info literal no-hscroll no-unicode black gap? highlight-line tmux? style= "
        "input-border? list-border? walker= walker-root=read walker-skip= bash zsh fish man accept-nth= "
        "ghost= scheme= tail= footer-border? footer-label= no-ignore-case no-tty-default no-input no-multi "
        "no-scrollbar preview-border? header-border? footer= no-separator smart-case ignore-case freeze-left= "
        "threads= wrap? wrap-sign= raw id-nth= profile-cpu=write "
        "no-multi-line marker-multi-line= no-ansi no-exact gap-line? border-label-pos= preview-label-pos= "
        "info-command=shell header-label= input-label= list-label= no-extended no-literal no-cycle",
        "text*", "", special=_preview),
    "calc": act("changes", "*", "mention*"),
    "envsubst": look("v/variables", "text*", "reads-environment"),
    "m4 cpp": Program("D= U= I= E e s P Q g G d? t= o=write F/freeze-state=write R/reload-state=read", "read*",
        "only-runs", special=_m4),
    "dc": Program("e/expression= f/file=file", "file*", "read-only", special=_reckon, stdin="code:other"),
    "bc": look("h i/interactive l/mathlib q/quiet s/standard w/warn e/expression= f/file=read", "read*"),
    "units qalc": look("t v c e s f= p terse"),
    "spell aspell hunspell": look("l a d= c!changes H t mode= lang= list -1 -2 -3", "read*"),
    "pv": look("p t e r b a n q W s= l 0 L= B= i= w= H= N= f c F= R= P=write d= progress timer eta rate bytes size= "
        "line-mode name= average-rate wait", "read*"),
    "ts": look("r i s m"),
    "vipe vidir": act("interactive changes", "*"),
    "tokei cloc scc sloccount loc": look("e/exclude= f/files l/languages n o/output= s/sort= t/type= h by-file json "
        "csv exclude-dir= include-lang= quiet i/include-ext= no-cocomo wide w format= git vcs= md yaml hidden "
        "no-ignore by-percent= "
        "x/exclude-ext= diff out=write report-file=write", "read*", "recursive"),
    "pandoc": Program("f/r/from/read= t/w/to/write= o/output=write s/standalone template=read F/filter=program "
        "L/lua-filter=file c/css= toc number-sections metadata= M= V/variable= pdf-engine=program data-dir= "
        "d/defaults=read extract-media=write self-contained embed-resources list-input-formats "
        "list-output-formats wrap= columns= bibliography=read csl=read citeproc reference-doc=read "
        "highlight-style= H/include-in-header=read B= A= log=write sandbox", "fetch*", "changes"),
    "enca chardetect uchardet": look("L= g i m x=!changes", "read*"),
    "lolcat figlet toilet fortune banner sl cmatrix": look("*", "mention*"),
}  # fmt: skip
