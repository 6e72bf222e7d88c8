"""Python texts as agents write them into command lines, for measuring how long it takes to read them."""

from __future__ import annotations

__all__ = ["PYTHON_TEXTS"]

PYTHON_TEXTS = [
    "import json,sys; print(json.load(sys.stdin)['name'])",
    "import json,sys\nd = json.load(sys.stdin)\nfor one in d['items']:\n    print(one['id'], one.get('name', '')[:60])",
    """
import re, sys
from pathlib import Path

path = Path("src/app/settings.py")
text = path.read_text()
old = '''DEBUG = True
TIMEOUT = 30
'''
new = '''DEBUG = False
TIMEOUT = 60
'''
if old not in text:
    sys.exit("not found")
text = text.replace(old, new)
text = re.sub(r"version = \\"(\\d+)\\"", lambda found: f'version = "{int(found[1]) + 1}"', text)
path.write_text(text)
print("changed", path, len(text))
""",
    """
import csv, collections, statistics

rows = []
with open("data/measurements.csv") as file:
    for row in csv.DictReader(file):
        row["value"] = float(row["value"] or 0)
        rows.append(row)

by_kind = collections.defaultdict(list)
for row in rows:
    by_kind[row["kind"]].append(row["value"])

for kind, values in sorted(by_kind.items(), key=lambda pair: -len(pair[1])):
    mean = statistics.mean(values)
    spread = statistics.pstdev(values) if len(values) > 1 else 0
    print(f"{kind:20} {len(values):6d} {mean:8.2f} {spread:8.2f}")
    if mean > 100 and spread < 5:
        print("  steady")
    elif any(value < 0 for value in values):
        print("  negative:", [value for value in values if value < 0][:5])
print(len(rows), "rows")
""",
    """
import subprocess, json, os

def run(*words):
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return done.stdout.strip()

class Report:
    def __init__(self, branch):
        self.branch = branch
        self.lines = []

    def add(self, name, value):
        self.lines.append((name, value))

    def show(self):
        width = max(len(name) for name, _ in self.lines)
        for name, value in self.lines:
            print(name.ljust(width), value)

report = Report(run("branch", "--show-current"))
for name, words in {"head": ("rev-parse", "HEAD"), "files": ("ls-files",)}.items():
    try:
        report.add(name, len(run(*words).splitlines()))
    except (OSError, ValueError) as error:
        report.add(name, str(error))
report.show()
with open(os.path.join("build", "report.json"), "w") as out:
    json.dump(dict(report.lines), out, indent=2)
""",
    """
import asyncio, urllib.request, time

URLS = [f"http://localhost:{port}/health" for port in (3000, 4000, 8080)]

async def check(url):
    start = time.time()
    try:
        with await asyncio.to_thread(urllib.request.urlopen, url, timeout=2) as answer:
            return url, answer.status, time.time() - start
    except OSError as error:
        return url, type(error).__name__, time.time() - start

async def main():
    for url, status, took in await asyncio.gather(*(check(url) for url in URLS)):
        print(url, status, round(took, 3))

asyncio.run(main())
""",
]
