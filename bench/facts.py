"""The facts' rows: shell lines beside `shlex.split`, the slowest of them, long ones, Python texts, and scoring."""

from __future__ import annotations

import ast
import json
import shlex
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.python_texts import PYTHON_TEXTS
from bench.rows import Part, Row, Run, Values
from interlock.config.bundles import core_policy, find_pack
from interlock.facts.code.javascript.parse import parse_javascript
from interlock.facts.code.javascript.read import javascript_effects
from interlock.facts.code.python import effects_of_python
from interlock.facts.shell import read_shell
from interlock.policy.load import load_policy
from interlock.testing.score import judge_rows, read_corpus, workers_for

ROWS = {
    "shell": Row("shell facts / shlex.split of the same line", 5),
    "p99.9": Row("  99.9th percentile / median", 20),
    "long": Row("  100 kB of anything", 50, "ms"),
    "python": Row("Python facts / ast.parse of the same text", 3),
    "javascript": Row("JavaScript facts / parsing the same text", 4),
    "score": Row("scoring a row", 500, "us"),
}
_FOLDERS = ("src", "tests/unit", "~/work/shop", "/var/tmp/build", "packages/web")
_WORDS = ("error", "TODO", "user_id", "timeout=30", "def main")
_PATTERNS = (
    "ls -la {folder}",
    "cat {folder}/a.txt",
    "git status",
    "git log --oneline -n 20 -- {folder}",
    "git diff HEAD~1 -- {folder}/b.py",
    "git commit -am '{word}: say why'",
    "grep -rn '{word}' {folder} --include='*.py' | head -n 50",
    "find {folder} -type f -name '*.log' -mtime +7 -print",
    "find {folder} -name '*.tmp' -exec rm -f {{}} \\;",
    "find {folder} -type f | xargs grep -l '{word}' | sort -u",
    "sed -i 's/{word}/fixed/g' {folder}/c.conf",
    "awk -F: '{{ print $1, $3 }}' {folder}/d.csv | sort -k2 -n | uniq -c",
    "tar -czf backup.tgz {folder}",
    "cp -r {folder} /tmp/copy && rm -rf /tmp/copy/cache",
    "mkdir -p {folder}/new && cd {folder}/new && touch e f g",
    "curl -s https://api.example.org/v1/items?q={word} | jq '.items[].id'",
    "npm run build && npm test -- --watch=false",
    "python3 -m pytest {folder} -k '{word}' -x -q",
    'docker run --rm -v "$PWD":/work -w /work node:20 npm ci',
    'for f in {folder}/*.txt; do echo "$f"; wc -l "$f"; done',
    "if [ -d {folder} ]; then du -sh {folder}; else echo none; fi",
    "ps aux | grep -v grep | grep '{word}' | awk '{{print $2}}'",
    "chmod +x {folder}/run.sh",
    "head -n 5 {folder}/h.md; tail -n 5 {folder}/h.md",
    'echo "$(date +%F) {word}" >> notes.txt',
    "diff <(sort {folder}/i) <(sort {folder}/j)",
    "sort {folder}/k.txt | uniq -c | sort -rn | head",
    "which python3 || command -v python",
    "kubectl get pods -n web -o wide",
    "make -j4 test",
)
LINES = [pattern.format(folder=folder, word=word) for pattern in _PATTERNS for folder in _FOLDERS for word in _WORDS]
_SCRIPTS = (
    "console.log(JSON.parse(require('fs').readFileSync('package.json', 'utf8')).version)",
    "let s = ''; process.stdin.on('data', c => s += c).on('end', () => console.log(JSON.parse(s).items.map(i => i.a)))",
    "const {execSync} = require('child_process'); for (const b of ['a', 'b']) execSync(`git log ${b} --oneline`)",
    "const fs = require('fs'), path = require('path'); fs.readdirSync('src').filter(f => f.endsWith('.ts')).forEach("
    "f => fs.writeFileSync(path.join('out', f), fs.readFileSync(path.join('src', f), 'utf8').replace('a', 'b')))",
    "fetch('https://api.example.org/v1').then(r => r.json()).then(d => console.log(d.length)).catch(console.error)",
    "class A { constructor(n) { this.n = n } get() { return this.n + 1 } } const a = new A(1); console.log(`${a.n}`)",
)
_LONG = {
    "one word": "echo " + "a" * 100_000,
    "many words": "echo " + "a " * 50_000,
    "many commands": "ls; " * 25_000,
    "deep brackets": "$(" * 50_000,
    "quotes": "echo " + "'a' " * 25_000,
    "here documents": "cat <<A\nx\nA\n" * 8_000,
    "pipes": "a|" * 50_000,
    "braces": "echo " + "{a,b}" * 20_000,
    "variables": "x=1; echo " + "$x" * 50_000,
}


def _times(task: Callable[[str], object], lines: list[str], blocks: int) -> list[float]:
    """The median seconds of each line, hot."""
    found: list[list[float]] = [[] for _ in lines]
    for _ in range(blocks):
        for place, line in enumerate(lines):
            start = time.thread_time()
            task(line)
            found[place].append(time.thread_time() - start)
    return [statistics.median(times) for times in found]


@contextmanager
def _opens() -> Iterator[Run]:
    file, text = find_pack("guarded", "")
    policies = [load_policy(text, file, find_pack), core_policy()]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        corpus.write_text("".join(json.dumps({"command": line}) + "\n" for line in LINES), encoding="utf-8")
        rows = read_corpus(corpus).rows * 3
    list(judge_rows(rows[:50], policies))  # hot
    yield lambda: {**_reading(), "python": _reading_python(), "score": _scoring(rows, policies) * 1e6}


def _reading() -> Values:
    plain = statistics.median(_times(shlex.split, LINES, 3))
    read = sorted(_times(read_shell, LINES, 3))
    median = statistics.median(read)
    slowest = max(min(_once(text) for _ in range(3)) for text in _LONG.values())
    parsed = statistics.median(_times(parse_javascript, list(_SCRIPTS), 20))
    return {
        "javascript": statistics.median(_times(javascript_effects, list(_SCRIPTS), 20)) / parsed,
        "shell": median / plain,
        "p99.9": read[min(len(read) - 1, int(len(read) * 0.999))] / median,
        "long": slowest * 1e3,
    }


def _reading_python() -> float:
    """The least of several: what else the machine does only adds to a time."""
    plain, read = (
        sum(min(_times(task, [text], 1)[0] for _ in range(25)) for text in PYTHON_TEXTS)
        for task in (ast.parse, effects_of_python)
    )
    return read / plain


def _once(text: str) -> float:
    start = time.thread_time()
    read_shell(text)
    return time.thread_time() - start


def _scoring(rows: Sequence[Any], policies: Sequence[Any]) -> float:
    start = time.perf_counter()
    assert not [row for row in judge_rows(rows, policies, workers_for(10_000)) if row.error]
    return (time.perf_counter() - start) / len(rows)


PART = Part("facts", ROWS, _opens)
