"""Which forms only look, and their nearest neighbours that do more."""

from __future__ import annotations

import pytest

from tests.facts.programs.reading import looks, runs, said, use


@pytest.mark.parametrize(
    "line",
    [
        # a page of help, wherever it stands alone
        "cargo -h", "unzip -h", "7z --help", "git commit -h", "frob --help", "frob --version",
            "ansible-vault help", "docker help run", "cargo help build",
        # what is thrown away is not written
        "curl -s -o /dev/null https://x.org", "awk '{print > \"/dev/null\"}' f", "script -q /dev/null ls",
        # subcommands that show
        "git notes show", "git notes list HEAD", "git rerere status", "git replace -l", "git sparse-checkout list",
            "git shortlog --summary --numbered", "npm run --list", "npm find x", "npm cache ls", "brew -S x",
        "brew --repo", "brew log --oneline x", "brew analytics state", "docker trust inspect x",
            "gh workflow view x --yaml", "launchctl plist /a", "lipo -info a", "journalctl -b -1",
        "defaults -host h read a.b", "binhex probe f", "compression_tool -decode -i f", "plutil f.plist",
            "curl -Q PWD ftp://x.org", "sqlcmd query 'SELECT 1'", "sqlite3 a.db 'PRAGMA table_info(t)'",
        "sqlite3 -readonly a.db 'DROP TABLE t'", "aws cognito-idp admin-get-user --username x",
            "fzf --bind=ctrl-/:toggle-preview", "terraform console",
        # checkers and formatters
        "shellcheck -o all -S warning a.sh", "shfmt -i 2 -d .", "yamllint -d relaxed .", "clang-format a.c",
            "tidy -q -e a.html",
            "stylua --check .", "mdformat --check a.md", "scalafmt --test", "swiftformat --lint .", "taplo lint",
        "buf lint", "buf format -d", "statix check .", "semgrep --config auto .", "hlint src", "ormolu --mode check "
        "a.hs",
            "gosec ./...", "lychee a.md", "google-java-format A.java", "elm-format --validate src", "cppcheck src",
        # viewers and filters
        "glow a.md", "mlr --icsv --ojson cat a.csv", "xsv stats a.csv", "dasel -f a.json .x", "toml2json a.toml",
            "cue vet a.cue",
            "jsonnet a.jsonnet", "uuidgen", "jar tf a.jar", "jcmd 1 VM.version", "pkg-config --cflags x", "ghcup list",
        "make --version", "ninja -t targets", "xcodebuild -list", "cmake --list-presets", "zig env", "zig fmt --check "
        ".",
            "dart analyze", "dart format -o none .", "biome check .", "dotnet --list-sdks", "cargo --list", "php -l "
            "a.php",
        "ruby -v", "lua -v", "exiftool a.jpg", "adb devices", "emulator -list-avds", "go tool cover -func=c.out",
            "flutter config --list", "dnf history", "mise config", "conda env export", "exiv2 pr a.jpg",
        "comrak a.md", "csvtk head b.csv", "hoogle map", "perldoc File::Spec", "exif a.jpg", "osv-scanner -r .",
        "column -s, -t a", "nl -s: a", "pr -4t a", "git effort", "cargo +nightly tree", "diff --new-line-format=%L a b",
        "pamtopng a.pam", "exiv2 a.jpg", "metaflac --list a.flac", "timew summary", "todo.sh ls", "pw-dump",
        "cast call 0x1 f", "wasm2wat a.wasm", "ocamlformat a.ml", "packer fmt -check .", "packer validate a.hcl",
            "chezmoi diff", "stow -n x", "samtools view a.bam", "hledger bal", "cmark a.md", "nbdiff a b",
                "git-sizer", "fdupes -r .", "zoxide query a", "duc ls", "json5 a.json5", "rtk gain",
    ],
)  # fmt: skip
def test_it_looks(line):
    assert looks(line)


@pytest.mark.parametrize(
    "line",
    [
        # a script that lies about may not care for its words; `-h` is not help everywhere
        "./frob --help", "frob -h", "frob --help x", "frob x --help", "shutdown -h", "chown -h me f", "touch -h f",
            "git § -h",
        # a rehearsal that runs code of the project, or hooks, or brings itself up to date
        "cargo publish --dry-run", "npm publish --dry-run", "npm pack --dry-run", "git push --dry-run",
            "brew install -n x", "brew upgrade --dry-run", "cargo bloat", "cargo udeps", "cargo metadata --config x=1",
        "cargo audit fix", "pydoc thing", "json.tool a b",
        # the same words with something to change
        "git notes add -m x", "git rerere forget f", "git replace a b", "git replace -d a", "git sparse-checkout set a",
            "git rerere", "npm cache verify", "npm cache clean", "brew analytics off", "docker trust sign x",
        "gh extension browse", "launchctl", "lipo a -output b", "defaults -host h write a.b c", "plutil -convert x f",
            "binhex encode f", "compression_tool -decode -i f -o g", "curl -Q 'DELE f' ftp://x.org",
        "curl -o f https://x.org", "sqlcmd query 'DROP TABLE t'", "sqlite3 a.db 'PRAGMA optimize'",
            "sqlite3 a.db 'PRAGMA journal_mode=wal'", "aws license-manager check-in-license --token x",
        "ansible-vault encrypt_string x", "docker exec web", "kubectl exec pod",
        "shfmt -w .", "clang-format -i a.c", "tidy -m a.html", "stylua .", "mdformat a.md", "scalafmt", "swiftformat .",
            "astyle a.c", "sqlfmt .", "pint", "alejandra .", "nixfmt a.nix", "phpcbf src", "php-cs-fixer fix", "taplo "
            "fmt",
        "buf format -w", "buf generate", "buf push", "statix fix .", "semgrep --autofix .", "semgrep publish r.yml",
            "hlint --refactor a.hs", "ormolu -i a.hs", "ormolu --mode inplace a.hs", "gosec -out=a ./...", "typos -w",
        "google-java-format -i A.java", "elm-format src", "perltidy a.pl", "phpstan analyse", "sqlfluff fix .",
        "mlr --csv tee b.csv a.csv", "mlr -I --csv sort -f a a.csv", "mlr --c2p put '$z = system(\"ls\")' a.csv",
            "mlr --csv put 'tee > $a.\".csv\", $*' a.csv", "xsv index a.csv", "dasel put -f a.json -v 1 .x", "cue fmt",
        "rake -T", "mix help", "make -n", "ninja -t clean", "ninja", "zig fmt .", "dart format .", "biome check "
        "--write .",
            "go tool compile a.go", "go tool pprof -http=:1 x", "mat2 a.jpg", "exiftool -Artist=x a.jpg", "exiv2 rm "
            "a.jpg",
        "adb logcat -c", "flutter config --enable-web", "flutter channel beta", "dnf history undo 3", "mise config "
        "set a b",
            "conda env export -f a.yml", "pod cache clean", "direnv export bash", "atuin history prune",
        "pamsplit a.pam", "giftopnm -alphaout=b a.gif", "metaflac --remove-all a.flac", "timew start x", "todo.sh add "
        "x",
            "exiv2 -d a a.jpg", "bspc quit", "obsidian", "mid3v2 -t x a.mp3",
        "rcup", "comrak -i a.md", "csvtk split -f a b.csv", "hoogle server", "perldoc -d x File::Spec", "exif -r a.jpg",
            "llvm-dis a.bc", "osv-scanner fix", "samtools view -U x a.bam", "ronn a.ronn", "auth0 test token",
        "git clear", "git obliterate f", "git delete-branch b", "git subtree push -P a o b", "cargo +stable publish",
        "jar xf a.jar", "jar cf a.jar b", "jcmd 1 GC.heap_dump x", "ghcup install ghc", "cast send 0x1", "wat2wasm "
        "a.wat",
            "ocamlformat -i a.ml", "packer fmt .", "packer build .", "chezmoi apply", "stow x", "samtools sort a.bam",
        "hledger add", "rst2html a.rst b.html", "bfg --delete-files x", "help2man ./x", "croc send f", "gist f",
        "jsonnet -m out a.jsonnet", "fdupes -rdN .", "rtk init", "json5 -c a.json5", "toml2json a.toml b.json",
    ],
)  # fmt: skip
def test_it_does_more_than_look(line):
    assert not looks(line)


@pytest.mark.parametrize(
    ("line", "nested"),
    [
        ("rtk rm -rf x", ("argv", "rm", "-rf", "x")), ("rtk proxy rm -rf x", ("argv", "rm", "-rf", "x")),
        ("dotenv -f a.env run -- rm -rf x", ("argv", "rm", "-rf", "x")), ("dotenvx run -- rm -rf x", ("argv", "rm",
            "-rf", "x")),
        ("cross-env A=b rm -rf x", ("argv", "env", "A=b", "rm", "-rf", "x")), ("retry -t 3 rm -rf x", ("argv", "rm",
            "-rf", "x")),
        ("xterm -e rm -rf x", ("argv", "rm", "-rf", "x")), ("xterm -T a -e 'rm -rf x'", ("shell", "rm -rf x")),
        ("gnome-terminal -- rm -rf x", ("argv", "rm", "-rf", "x")), ("footclient rm -rf x", ("argv", "rm", "-rf", "x")),
        ("viddy -n 1 rm -rf x", ("shell", "rm -rf x")), ("bear -- rm -rf x", ("argv", "rm", "-rf", "x")),
        ("mpirun -np 4 rm -rf x", ("argv", "rm", "-rf", "x")), ("pee 'rm -rf x' cat", ("shell", "rm -rf x")),
        ("py-spy record -- rm -rf x", ("argv", "rm", "-rf", "x")), ("dtach -A /tmp/s rm -rf x", ("argv", "rm", "-rf",
            "x")),
        ("pssh -h hosts rm -rf x", ("shell", "rm -rf x")), ("ttyd -p 80 rm -rf x", ("argv", "rm", "-rf", "x")),
    ],
)  # fmt: skip
def test_what_a_launcher_starts_is_read(line, nested):
    assert nested in runs(line)


def test_files_that_leave_are_named():
    for line in ("croc send key.txt", "wormhole send key.txt", "ffsend upload key.txt", "gist -p key.txt"):
        assert said(line, "sent") == {"sent": ("key.txt",)}, line


def test_a_shell_behind_a_page_is_a_shell_for_others():
    assert {"network/listens", "network/shell"} <= use("ttyd -p 80 bash").traits
    assert "network/shell" not in use("ttyd htop").traits


def test_a_rehearsed_publication_publishes_nothing():
    for line in ("npm publish --dry-run", "cargo publish -n", "git push -n", "git push -nf", "git push -n origin :x"):
        found = use(line)
        assert not found.sends, line
        assert not found.traits & {"publishes-package", "git/publishes", "git/force-publishes", "git/deletes-remote"}
    assert said("git push -n", "traits")["traits"] >= {"git/runs-hooks"}
