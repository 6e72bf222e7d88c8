"""Tools around a project: tests, documents, diagrams, schemas, releases, dotfiles, notebooks, data, models, and "
"sending files."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _sends(draft: UseDraft) -> None:
    """Every operand that is no URL is a file that leaves."""
    files = [word for word in draft.operands if "://" not in word]
    if files:
        draft.send(*files)
    else:
        draft.add("sends-stdin")


def _shares(draft: UseDraft) -> None:
    if {"--list", "--read"} & set(draft.flags):
        draft.looks()
    elif (
        draft.name == "airshare" and len(draft.operands) < 2 and not {"--upload", "--file-path", "-f"} & set(draft.args)
    ):
        draft.add("downloads")  # a code alone: what somebody offers under it is fetched
    else:
        _sends(draft)


_OUT = (
    "o/output/out=write outfile=write output-file=write output-dir/outdir/output-directory/out-dir=write dest=write "
    "save=write export=write log-file/logfile=write i/in-place/inplace!acts"
)
_ANY = f"{_OUT} *"
_RUNS = act("runs-project", _ANY, "mention*")
_WRITES = act("changes", _ANY, "mention*")
_SHOWS = look(_ANY, "read*")
_ASKS = act("network interactive", _ANY, "mention*")


def _listens_to_others(draft: UseDraft) -> None:
    """A server for this machine alone, unless it is given another address."""
    for name, value in draft.values:
        if name == "--host" and value not in {"localhost", "127.0.0.1", "::1"}:
            draft.add("network/listens")


_LOCAL = Program("host/address/a/bind/ip= p/port= r/root=read c/config=read d/database=write f/file=read *", "mention*",
    "interactive", special=_listens_to_others)  # fmt: skip


def _verbs(shows: str, otherwise: str = "changes", traits: str = "", **more: Program) -> Program:
    """A program of subcommands: those that show, and what the rest does."""
    return Program("*", "text*", "", subs={shows: look(_ANY, "mention*", traits), **more,
        "*": act(otherwise, _ANY, "mention*")})  # fmt: skip


TABLE: Table = {
    # tests and measurements
    "robot pabot bats shunit2 shellspec busted codecept kahlan phpspec paratest karate dredd schemathesis pact "
    "pact-broker pitest "
    "mull-runner artillery gatling jmeter taurus bzt backstop percy chromatic axe lost-pixel reg-suit loki happo "
    "web-test-runner wtr uvu zora qunit ospec intern jest-cli poku node-tap borp japa appium maestro "
    "testem zombie webdriver-manager selenium-side-runner testcontainers venom bruno-cli "
    "bru newman hurl tavern pytest-watch ptw hypothesis testmon slipcover trial zope-testrunner green ward stestr "
    "subunit "
    "sus riot cutest shoulda turn test-kitchen kitchen inspec serverspec goss dgoss container-structure-test terratest "
    "cucumber-js godog behaver gauge reqnroll specflow nunit3-console nunit-console xunit.console vstest.console "
    "dotnet-coverage coverlet reportgenerator mutant cmocka ceedling simplecov": _RUNS,
    "lighthouse lhci pa11y pa11y-ci sitespeed.io unlighthouse webhint hint yellowlabtools": act("changes network",
        _ANY, "url*"),
    "oha autocannon ddosify plow cassowary loadtest slowhttptest baton fortio rewrk": act("network",
        f"{_OUT} *", "url*"),
    "benchstat benchcmp critcmp cargo-benchcmp asv pyperf": _verbs("compare show stats hist check ",
        "runs-project"),
    # documents
    "cmark cmark-gfm markdown md2html discount lowdown pulldown-cmark comrak scdoc mandoc "
    "pod2man pod2text "
    "rst2html rst2man rst2latex rst2odt rst2xml docutils md2man go-md2man gmi2html texcount "
    "detex "
    "untex opendetex delatex dvi2tty odt2txt unrtf grap refer colcrt "
    "html2text html2markdown html2md turndown readability-cli trafilatura txt2html": look(f"{_ANY}", "read write*"),
    "tectonic latexrun arara ptex uplatex dvipdfm dvipdfmx dvisvgm xdvipdfmx makeindex xindy makeglossaries "
    "latexpand pdfcrop pdfjam pdfjoin pdfbook2 pdfxup pdfposter texliveonfly fmtutil fmtutil-sys fmtutil-user "
    "mktexlsr texhash updmap "
    "mktexfmt lilypond abcm2ps musescore mscore fop xmlto dblatex po4a po4a-gettextize po4a-translate po4a-updatepo "
    "itstool "
    "marp slidev reveal-md decktape markdown2pdf md-to-pdf grip-export mdpdf ebook-convert ebook-meta calibredb "
    "kindlegen "
    "pdfbook bookbinder gitbook honkit docsify docsify-cli docusaurus vuepress vitepress antora nanoc middleman "
    "pelican lektor hakyll "
    "hakyll-init soupault sphinx-autobuild sphinx-apidoc sphinx-autogen sphinx-multiversion pdoc pdoc3 pydoctor "
    "mkdocstrings lazydocs "
    "documentation dartdoc exdoc ex_doc redoc-cli widdershins shins slate aglio apidoc swagger-markdown staticjinja "
    "staticrypt "
    "quarto jupyter-book bookdown blogdown": _RUNS,
    "livereload browser-sync sirv servor updog simplehttpserver dufs "
    "http-server-upload static-server ecstatic sfz": act(
        "network/listens", "*", "read*"),
    "grip filebrowser": _LOCAL,
    # diagrams
    "sfdp twopi osage patchwork d2 blockdiag seqdiag actdiag nwdiag packetdiag rackdiag nomnoml svgbob svgbob_cli "
    "structurizr "
    "structurizr-cli pikchr drawio excalidraw-cli erdantic eralchemy schemaspy pyreverse code2flow pyan3 pydeps "
    "pycallgraph "
    "mermaid mermaid-filter bytefield-svg wavedrom wavedrom-cli dbml2sql sql2dbml dbml-renderer umlet kroki gladtex "
    "gource "
    "asymptote asy mpost metapost ipe dia inkmake svg2png svgexport svgr rsvg": _WRITES,
    "graph-easy gvpack unflatten tred gc acyclic ccomps bcomps sccmap dijkstra nop gvcolor gvgen gvmap gml2gv gv2gml "
    "gv2gxl gxl2gv "
    "graphml2gv mm2gv gxl2dot dot2gxl edgepaint cluster": look(f"{_OUT} x!acts *", "read*"),
    "tbls": _verbs("diff ls lint version coverage", "changes network", "network database/reads"),
    # schemas and generated code
    "openapi-generator openapi-generator-cli swagger-codegen swagger oapi-codegen ogen openapi-typescript "
    "openapi-python-client "
    "openapi2postmanv2 orval kiota autorest nswag quicktype json-schema-to-typescript json2ts datamodel-codegen capnp "
    "flatcc "
    "grpc_tools protoc-gen-grpc-web ent sea-orm-cli graphql-codegen graphql-inspector gql-gen apollo apollo-codegen "
    "cynic-cli async-graphql ariadne-codegen xjc wsimport wsdl2java mybatis-generator hibernate kitex hz "
    "hertztool goctl kratos twirp smithy asyncapi typespec fern speakeasy stainless liblab jhipster yeoman "
    "ignite redwood blitz sails loopback lb4 nestia meteor": _RUNS,
    "avro-tools": _verbs("cat tojson getschema getmeta count totext canonical fingerprint"),
    "grpcui": act("network/listens", "*"),
    "ghz": act("network", f"{_OUT} *", "text*"),
    # repositories and releases
    "git-sizer git-fame git-who gitinspector git-effort git-summary git-count "
    "git-recent "
    "git-standup gitlogg code-maat": _SHOWS,
    "git-absorb git-branchless git-town git-machete git-extras git-open legit git-revise git-imerge git-spice av spr "
    "ghstack "
    "git-stack stg quilt mr myrepos patchman guilt topgit": act("git/changes", "n/dry-run *", "mention*"),
    "gt graphite charcoal": Program("*", "text*", "", subs={"log ls ll state info parent children ": look("*", "text*"),
        "submit ss s stack push": act("git/publishes network git/runs-hooks", "*"), "sync get": act("git/changes "
            "network", "*"),
        "auth": act("writes-secret", "*"), "*": act("git/changes", "*")}),
    "git-filter-repo bfg git-filter-branch": act("git/rewrites-history", "*", "mention*"),
    "gitmoji gitmoji-cli opencommit oco aicommits git-cz": act("git/commits git/runs-hooks", "l/list!dry *"),
    "cog cocogitto": _verbs("check log get-version verify", "git/commits"),
    "bump2version bumpversion bump-my-version commit-and-tag-version tbump punch cargo-release cargo-smart-release "
    "auto-changelog "
    "versioneer versionbump mike bumpp": act("changes git/commits",
        "list!dry *", "mention*"),
    "dunamai gitversion git-semver svu": look(f"{_OUT} *", "text*"),
    "conventional-changelog git-chglog towncrier clog lerna-changelog github-changelog-generator "
    "github_changelog_generator "
    "changie scriv reno antsibull-changelog generate-changelog": _RUNS,
    "gitlab-ci-local concourse dagu woodpecker laminar": _RUNS,
    "hut": _verbs("list show log ls", "forge/writes network", "network"),
    "vcsh": act("git/changes", "*", "mention*"),
    "chezmoi": _verbs("diff status managed unmanaged data doctor cat dump source-path target-path verify ignored help "
        "license dump-config completion"),
    "stow": act("changes", "n/no/simulate!dry d/dir=read t/target=write v/verbose? S/stow R/restow D/delete adopt "
        "no-folding ignore= "
        "defer= override= p", "text*"),
    "xstow rcm rcup rcdn mkrc dotbot homeshick homesick tuckr dotter dotdrop konsave mackup bashdot topgrade": act(
        "changes", "dry-run *", "mention*"),
    "lsrc": look("*", "text*"),
    "gitstats git-of-theseus ronn ronn-ng multimarkdown pod2html pkgdiff": act("changes", "*", "mention*"),
    "emulator": act("device", "list-avds!dry version!dry help!dry accel-check!dry webcam-list!dry avd= *", long=True),
    # machine images
    "packer": Program("", "text*", "read-only", subs={
        "version": look("*"), "validate inspect": look("syntax-only no-warn-undeclared-var evaluate-datasources "
            "except= "
            "only= machine-readable var= var-file=read use-sequential-evaluation", "read*", long=True),
        "fmt": Program("check!dry diff recursive write=", "mention*", "changes", long=True,
            special=lambda draft: draft.looks("changes") if "-write=false" in draft.args else None),
        "console": look("var= var-file=read config-type=", "read*", "interactive", long=True),
        "build fix hcl2_upgrade": act("virtual-machine runs-project network", "*", "mention*"),
        "init": act("installs-package network", "*"),
        "plugins": Program("", "text*", "", subs={"installed required": look("*"), "*": act("installs-package network",
            "*")})}),
    # notebooks, data and workflows
    "nbdiff nbshow": look("s/sources o/outputs a/attachments m/metadata i/id d/details color-words no-color no-git "
        "no-use-diff "
        f"{_OUT}", "read*"),
    "nbstripout jupytext nbconvert nbmerge nbdev jupyter-nbconvert jupyter-execute treon nbmake voila marimo "
    "jupyter-server "
    "snakemake nextflow nf-core cwltool toil cromwell miniwdl zenml mlrun pachctl "
    "great_expectations soda soda-core sqlmesh meltano airbyte-cdk singer dlt feast bentoml ray sky modal runpod "
    "vastai replicate "
    "truss accelerate deepspeed torchrun torchx horovodrun llamafactory-cli axolotl unsloth autotrain "
    "colossalai": _RUNS,
    "h5dump h5diff gdalinfo ogrinfo gdallocationinfo gdalsrsinfo gdalcompare.py proj projinfo cs2cs geod "
    "tiffdump listgeo": look(f"{_OUT} *", "read*"),
    "gdal_translate gdalwarp gdaldem gdaladdo gdalbuildvrt gdaltindex gdal_rasterize gdal_contour gdal_grid "
    "gdal_merge.py "
    "gdal_polygonize.py gdal_calc.py gdal2tiles.py ogr2ogr ogrmerge.py nccopy ncgen ncks ncrcat ncra cdo h5repack "
    "h5copy osmium "
    "osmosis osm2pgsql tippecanoe pdal qgis_process grass saga_cmd whitebox_tools mapshaper": _WRITES,
    "samtools bcftools htsfile seqkit seqtk bedtools vcftools bamtools": _verbs("flagstat idxstats depth "
        "mpileup head quickcheck "
        "tview coverage bedcov query fq2fa comp size grep locate fx2tab tab2fx seq intersect subtract "
        "closest window complement genomecov jaccard nuc fisher reldist summary version help",
        view=look(f"{_OUT} U/unoutput/output-unselected=write *", "mention*")),
    "blastn blastp blastx tblastn tblastx": look("out=write query=read db= outfmt= evalue= num_threads= "
        "max_target_seqs= task= subject=read "
        "remote perc_identity= word_size= import_search_strategy=read export_search_strategy=write html *", "text*",
            "network", long=True),
    "makeblastdb bwa bowtie bowtie2 minimap2 hisat2 STAR salmon kallisto fastqc multiqc trimmomatic cutadapt fastp "
    "spades.py megahit prokka "
    "gatk picard-tools mafft muscle clustalo iqtree raxml FastTree treetime nextclade obabel antechamber gmx "
    "lmp": _WRITES,
    "hledger ledger beancount bean-query bean-check bean-report": Program("f/file=read b/begin= e/end= p/period= D W "
        "M Q Y depth= cost "
        f"X= V {_OUT} *", "text*", "", subs={
            "accounts a areg aregister bal balance balancesheet bs balancesheetequity bse cashflow cf check codes "
            "commodities "
            "descriptions desc diff files help incomestatement is notes payees prices print reg register roi stats "
            "tags test "
            "activity xact cleared equity source select query": look(f"f/file=read {_OUT} *", "text*"),
            "*": act("changes interactive", "*", "mention*")}),
    "hledger-ui": act("interactive", "*", "mention*"),
    "hledger-web fava": _LOCAL,
    # models
    "fabric tgpt chatgpt gpt4all shell-gpt shell_gpt yai deepseek amazonq "
    "cody rawdog chatblade oatmeal elia parllama tenere lmstudio lms openai "
    "anthropic mistral groq-cli": _ASKS,
    "repomix code2prompt yek gitingest ai-digest llm-context": act("changes network", _ANY, "mention*"),
    "files-to-prompt": look("e/extension= include-hidden ignore-files-only ignore-gitignore ignore= c/cxml m/markdown "
        "n/line-numbers 0/null "
        "o/output=write", "read*", "recursive"),
    "llama-cli llama-run llama-bench llama-perplexity llama-simple koboldcpp whisper-cli whisper-cpp": act("changes",
        _ANY,
        "mention*"),
    "vllm text-generation-launcher tgi sglang localai local-ai lmdeploy "
    "infinity_emb": act("network/listens",
        "*", "mention*"),
    "llama-server": _LOCAL,
    # files that leave, and arrive
    "croc wormhole magic-wormhole wormhole-william": Program("*", "text*", "", subs={
        "send tx s": Program("code= c= text= no-compress zip git 0 v *", "text*", "network", special=_sends),
        "receive recv rx r": act("downloads network", f"{_OUT} accept-file only-text *"),
        "relay ssh-add ssh": act("network/listens", "*"), "help": look("*"),
        "*": act("downloads network", "yes overwrite out=write *", "text*")}),
    "ffsend": Program("*", "text*", "network", subs={"upload u up": Program("d/downloads= e/expiry-time= p/password? "
        "c/copy a/archive n/name= "
        "host= s/shorten o/open q v y f i", "text*", "network", special=_sends), "download d down": act("downloads "
            "network", _ANY),
        "info exists version history debug": look("*", "text*", "network"), "*": act("changes network", "*")}),
    "transfersh transfer.sh pastebinit termbin ix.io dpaste pb 0x0 wgetpaste fpaste gist bepasty-cli sprunge haste "
    "hastebin snip "
    "imgur imgur-uploader uguu catbox litterbox airpaste airshare sharik landrop localsend-cli qrcp webwormhole "
    "ww": Program(
        "p/private d/description= f/filename= u/update= r/read= s shorten o open c copy l/list *", "text*", "network",
            special=_shares),
    "gdown mega-get megadl megatools megatools-dl spotdl deemix ytmdl svtplay-dl annie get_iplayer animdl ani-cli "
    "webtorrent peerflix transmission-cli deluge deluged qbittorrent-nox aria2p depotdownloader single-file "
    "wpull grab-site zimit archivebox suckit goclone": act("downloads network", f"{_OUT} d/dest/directory=write "
        "O=write *",
        "text*"),
    "skicka rclone-browser mega-put megaput ia maestral insync filen internxt duck cyberduck": _verbs(
        "list ls ll info about status du search metadata whoami version help account filestatus", "network changes",
            "network",
        **{"upload put push up sync import copy cp": Program("*", "text*", "network", special=_sends),
           "download get pull": act("downloads network", _ANY), "delete rm trash purge remove": act("cloud/deletes "
               "network", "*")}),
    # recordings of a terminal
    "vhs terminalizer ttygif ttyrec termtosvg svg-term svg-term-cli t-rec betamax": act("runs-project",
        _ANY, "mention*"),
    "agg ttyplay ttytime": _WRITES,
}  # fmt: skip
