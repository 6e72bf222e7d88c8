"""Python texts by their syntax tree: what they evidently do, and when that cannot be told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.code.python import effects_of_python
from interlock.facts.code.python.reader import CONFUSED
from interlock.facts.effects import MODULES

DROPS = {"database/drops", "database/writes"}


def effects(text: str) -> dict[str, Any]:
    found = effects_of_python(text)
    return {name: getattr(found, name) for name in found.__struct_fields__ if getattr(found, name)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import os; os.remove('a')", {"deletes": ["a"]}),
        ("from shutil import rmtree as gone\ngone('/etc')", {"deletes": ["/etc"]}),
        ("from os import *\nremove('a')", {"deletes": ["a"]}),
        ("import shutil; shutil.rmtree('a', ignore_errors=True)", {"deletes": ["a"]}),
        ("import shutil; shutil.rmtree(path='a')", {"deletes": ["a"]}),
        ("from pathlib import Path; Path('a').unlink()", {"deletes": ["a"]}),
        ("open('a', 'w').write('x')", {"writes": ["a"]}),
        ("open('a', mode='ab')", {"writes": ["a"]}),
        ("open('a', 'r+')", {"writes": ["a"], "reads": ["a"]}),
        ("open('a', m)", {"writes": ["a"], "reads": ["a"]}),
        ("print(open('a').read())", {"reads": ["a"]}),
        ("import io, codecs, gzip; io.open('a'); codecs.open('b'); gzip.open('c')", {"reads": ["a", "b", "c"]}),
        ("import zipfile; zipfile.ZipFile('a').extractall('/b')", {"reads": ["a"], "writes": ["/b"]}),
        ("import tarfile\nwith tarfile.open('a') as t: t.extractall()", {"reads": ["a"], "writes": ["."]}),
        ("import shutil; shutil.unpack_archive('a', '/b')", {"reads": ["a"], "writes": ["/b"]}),
        ("import logging; logging.basicConfig(filename='/a/b.log')", {"writes": ["/a/b.log"]}),
        ("import logging.handlers as h; h.RotatingFileHandler('/a')", {"writes": ["/a"]}),
        ("import fileinput\nfor l in fileinput.input('a', inplace=True): print(l)", {"writes": ["a"]}),
        ("import os; fd = os.open('a', os.O_RDONLY)", {"reads": ["a"]}),
        ("import os; fd = os.open('a', os.O_WRONLY | os.O_CREAT)", {"writes": ["a"]}),
        ("import pandas as pd; pd.read_csv('a').to_csv('b')", {"reads": ["a"], "writes": ["b"]}),
        ("import matplotlib.pyplot as plt; plt.plot([1]); plt.savefig('a.png')", {"writes": ["a.png"]}),
        ("import os; os.rename('a', 'b')", {"deletes": ["a"], "reads": ["a"], "writes": ["b"]}),
        ("import os; os.link('a', 'b')", {"reads": ["a"], "writes": ["a", "b"]}),
        ("from pathlib import Path; Path('/a').open('w').write('x')", {"writes": ["/a"]}),
        ("from pathlib import Path; Path('/a').open().read()", {"reads": ["/a"]}),
        ("from pathlib import Path; Path('/a').rename('b')", {"deletes": ["/a"], "writes": ["b"]}),
        ("from pathlib import Path; Path('/a').symlink_to('b')", {"writes": ["/a"]}),
        ("from pathlib import Path; Path('/a').read_text().replace('b', 'c')", {"reads": ["/a"]}),
        ("import os; os.system('rm b')", {"shell": ["rm b"]}),
        ("import subprocess as s; s.run(['rm', '-r', 'a b'])", {"shell": ["rm -r 'a b'"]}),
        ("import subprocess as s; s.run('rm b', shell=True)", {"shell": ["rm b"]}),
        ("import subprocess as s; s.Popen(args=['ls'], cwd='/a')", {"shell": ["cd /a && ls"]}),
        ("import subprocess as s; s.run(['bash'], input='ls a')", {"shell": ["bash <<< 'ls a'"]}),
        ("import subprocess as s; s.run(['ls'], env={'LD_PRELOAD': '/a'})", {"shell": ["LD_PRELOAD=/a ls"]}),
        ("import subprocess, sys; subprocess.run([sys.executable, '-m', 'x'])", {"shell": ["python3 -m x"]}),
        ("import os; os.execl('/bin/ls', 'ls', '-l')", {"shell": ["/bin/ls -l"]}),
        ("import os; os.execvp('ls', ['ls', '-l'])", {"shell": ["ls -l"]}),
        ("import os; os.spawnlp(os.P_WAIT, 'ls', 'ls', '-l')", {"shell": ["ls -l"]}),
        ("import os; os.popen('ls', 'r')", {"shell": ["ls"]}),
        ("import pty; pty.spawn(['/bin/bash'])", {"shell": ["/bin/bash"]}),
        ("import asyncio; asyncio.run(asyncio.create_subprocess_exec('ls', '-l'))", {"shell": ["ls -l"]}),
        ("import runpy; runpy.run_path('a.py')", {"shell": ["python3 a.py"]}),
        ("exec(open('a.py').read())", {"reads": ["a.py"], "shell": ["python3 a.py"]}),
        ("exec(compile(open('a.py').read(), 'a.py', 'exec'))", {"reads": ["a.py"], "shell": ["python3 a.py"]}),
        ("exec('import os; os.remove(\"a\")')", {"deletes": ["a"]}),
        ("exec('p = \"a\"')\nopen(p)", {"reads": ["a"]}),
        ("import os; eval('os.remove(\"a\")')", {"deletes": ["a"]}),
        ("import os; os.kill(1234, 9)", {"shell": ["kill -9 1234"]}),
        ("import os, signal; os.kill(1234, signal.SIGTERM)", {"shell": ["kill -TERM 1234"]}),
        ("import os; os.kill(os.getpid(), 9)", {}),
        ("import os; os.kill(1, 0)", {}),
        ("import os\nwhile True: os.fork()", {"shell": [":(){ :|:& };:"]}),
        ("import os\nwhile True:\n  if os.fork() == 0: break", {}),
        ("import psutil\nfor p in psutil.process_iter():\n  p.kill()", {"traits": {"kills"}}),
        ("import psutil; psutil.Process(1).terminate()", {"traits": {"kills"}}),
        ("import sqlite3; sqlite3.connect('a').execute('DROP TABLE t')", {"reads": ["a"], "traits": DROPS}),
        ("import sqlite3; sqlite3.connect('a').execute('select 1')", {"reads": ["a"]}),
        ("from sqlalchemy import text\ndef f(e): e.execute(text('drop table a'))", {"traits": DROPS}),
        ("from http.server import *; HTTPServer(('', 80), x).serve_forever()", {"traits": {"network/listens"}}),
        ("import tempfile; d = tempfile.mkdtemp(); open(d + '/a')", {"reads": ["/tmp/made-by-this-program/a"]}),
        ("import os; os.remove('a'); os.chdir('/b'); os.remove('c')", {"deletes": ["a", "/b/c"]}),
        ("import os; os.chdir('/b'); os.chdir('c'); os.system('rm d')", {"shell": ["cd /b/c && rm d"]}),
        ("import os; os.chdir(x); os.remove('c')", {"deletes": ["\0/c"]}),
    ],
)  # fmt: skip
def test_effects_of_known_functions_are_read(text, found):
    assert effects(text) == found


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("p = 'a'\nwith open(p) as f: f.read()", "a"),
        ("p = '/a/' + 'b'; open(p)", "/a/b"),
        ("p = 'a'\nif x: open(p)", "a"),
        ("p = 'a'\ntry: open(p)\nexcept OSError: pass", "a"),
        ("try: p = 'a'\nfinally: open(p)", "a"),
        ("def f(p): return open(p)\nf('a')", "a"),
        ("def f(p='a'): return open(p)\nf()", "a"),
        ("def f(*ps):\n  for p in ps: open(p)\nf('a')", "a"),
        ("def f(**k): open(k['p'])\nf(p='a')", "a"),
        ("def f(p): return p + '/b'\nopen(f('/a'))", "/a/b"),
        ("f = lambda p: open(p)\nf('a')", "a"),
        ("p = 'a'\ndef f():\n  open(p)\nf()", "a"),
        ("def f():\n  global p\n  p = 'a'\nf()\nopen(p)", "a"),
        ("async def f(p):\n  open(p)\nimport asyncio; asyncio.run(f('a'))", "a"),
        ("class A:\n  def __init__(self, p): self.p = p\n  def go(self): open(self.p)\nA('a').go()", "a"),
        ("class A:\n  p = 'a'\n  def go(self): open(self.p)\nA().go()", "a"),
        ("class A:\n  @property\n  def p(self): return 'a'\nopen(A().p)", "a"),
        ("class A:\n  def __enter__(self): return open('a')\n  def __exit__(self, *a): pass\nwith A() as f: pass", "a"),
        ("def of(p):\n  yield p\nfor f in of('a'): open(f)", "a"),
        ("[open(p) for p in ['a']]", "a"),
        ("d = {'x': 'a'}; open(d['x'])", "a"),
        ("d = {'x': 'a'}\nfor k, v in d.items(): open(v)", "a"),
        ("p, q = 'a', 1; open(p)", "a"),
        ("(p := 'a'); open(p)", "a"),
        ("open('%s/%s' % ('a', 'b'))", "a/b"),
        ("open('{}/{n}'.format('a', n='b'))", "a/b"),
        ("x = 'a'; open(f'{x}/b')", "a/b"),
        ("open('/'.join(['a', 'b']))", "a/b"),
        ("open('b/a'[::-1])", "a/b"),
        ("open(b'YS9i'.decode())", "YS9i"),
        ("import base64; open(base64.b64decode('YS9i').decode())", "a/b"),
        ("import codecs; open(codecs.decode('n/o', 'rot13'))", "a/b"),
        ("open(bytes.fromhex('612f62').decode())", "a/b"),
        ("open(''.join(map(chr, [97, 47, 98])))", "a/b"),
        ("open(''.join(chr(c) for c in [97, 47, 98]))", "a/b"),
        ("s = ''\nfor c in [97, 47, 98]: s += chr(c)\nopen(s)", "a/b"),
        ("open(chr(97) + chr(47) + chr(98))", "a/b"),
        ("open('x/b'.replace('x', 'a'))", "a/b"),
        ("import os; open(os.path.join('a', 'b'))", "a/b"),
        ("import os; open(os.path.expanduser('~/a'))", "~/a"),
        ("import os; open(os.environ['HOME'] + '/a')", "~/a"),
        ("import os; open(os.path.join(os.path.expanduser('~'), 'a', 'b'))", "~/a/b"),
        ("from pathlib import Path; open(Path.home() / 'a' / 'b')", "~/a/b"),
        ("from pathlib import Path; Path.home().joinpath('.a', 'b').read_text()", "~/.a/b"),
        ("from pathlib import Path; (Path('~').expanduser() / '.a').read_text()", "~/.a"),
        ("from pathlib import Path; (Path('/a/b/c').parent / 'd').read_bytes()", "/a/b/d"),
        ("from pathlib import Path; Path('/a', 'b').with_suffix('.x').read_bytes()", "/a/b.x"),
        ("from pathlib import Path as P; p = P('/a'); p /= 'b'; p.read_text()", "/a/b"),
        ("from pathlib import Path; list(map(Path.read_text, [Path('a')]))", "a"),
        ("match x:\n  case 1: p = 'a'\nopen(p)", "a"),
    ],
)  # fmt: skip
def test_names_and_constants_are_followed(text: str, path: str):
    assert effects(text) == {"reads": [path]}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("p = 'a' if x else 'b'; open(p)", ["a", "b"]),
        ("p = x or 'b'\nimport os\nopen(os.getenv('A', p))", ["\0", "b"]),
        ("p = 'a'\nif x: p = 'b'\nopen(p)", ["b", "a"]),
        ("if x: p = 'a'\nelif y: p = 'b'\nelse: p = 'c'\nopen(p)", ["a", "b", "c"]),
        ("for p in ['a', 'b']: open(p)", ["a", "b"]),
        ("for p in ('a', 'b'):\n  for q in 'cd': open(p + q)", ["ac", "ad", "bc", "bd"]),
        ("p = 'a'\nwhile x:\n  open(p)\n  p = 'b'", ["a", "b"]),
        ("while x:\n  if y: open(p)\n  p = 'b'", ["\0", "b"]),
        ("p = 'a'\ntry:\n  p = 'b'\n  x()\n  p = 'c'\nexcept E: open(p)", ["c", "a", "b"]),
        ("import glob\nfor f in glob.glob('/a/*'): open(f)", ["/a/*"]),
        ("import os\nfor n in os.listdir('/a'): open('/a/' + n)", ["/a/\0"]),
        ("import os\nfor r, d, f in os.walk('/a'):\n  for n in f: open(os.path.join(r, n))", ["/a/\0"]),
        ("import os\nwith os.scandir('/a') as it:\n  for e in it: open(e.path)", ["/a/*"]),
        ("from pathlib import Path; [p.read_text() for p in Path('a').rglob('*.o')]", ["a/*"]),
        ("for p in x: open(p)", ["\0"]),
        ("def f(p): open(p)", ["\0"]),
        ("def f(p='a'): open(p)", ["a", "\0"]),
        ("open(input())", ["\0"]),
        ("p = 'a'; p += input(); open(p)", ["a\0"]),
        ("p = 'a'\nfor p in input(): open(p)", ["\0"]),
        ("import tempfile; open(tempfile.mkdtemp(dir='/b'))", ["/b/\0"]),
        ("from pathlib import Path\nfor p in Path('a').glob('../*'): open(p)", ["\0"]),
    ],
)  # fmt: skip
def test_a_name_that_may_mean_several_things_means_each_of_them(text: str, paths: list[str]):
    assert effects_of_python(text).reads == paths


@pytest.mark.parametrize(
    "text",
    [
        "import os; f = os.system; f('ls a')",
        "import os as o; o.system('ls a')",
        "from os import system as s; s('ls a')",
        "__import__('os').system('ls a')",
        "import importlib; importlib.import_module('os').system('ls a')",
        "import os; getattr(os, 'sys' + 'tem')('ls a')",
        "import os; os.__dict__['system']('ls a')",
        "import os; vars(os)['system']('ls a')",
        "import sys; sys.modules['os'].system('ls a')",
        "import os; globals()['os'].system('ls a')",
        "import builtins; builtins.__import__('os').system('ls a')",
        "import shutil; shutil.os.system('ls a')",
        "import posix; posix.system('ls a')",
        "import os; os.__getattribute__('system')('ls a')",
        "import os, functools; functools.partial(os.system, 'ls a')()",
        "import os, operator; operator.methodcaller('system', 'ls a')(os)",
        "import os, operator; operator.attrgetter('system')(os)('ls a')",
        "import os; list(map(os.system, ['ls a']))",
        "import os; [f('ls a') for f in [os.system]]",
        "import os; {'x': os.system}['x']('ls a')",
        "import os; (lambda f: f('ls a'))(os.system)",
        "import os, threading; threading.Thread(target=os.system, args=('ls a',)).start()",
        "import os\nfrom concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(os.system, 'ls a')",
        "import os, atexit; atexit.register(os.system, 'ls a')",
        "import os\nprint = os.system\nprint('ls a')",
        "import os, builtins\nbuiltins.print = os.system\nprint('ls a')",
        "import os, builtins\nsetattr(builtins, 'len', os.system)\nlen('ls a')",
        "import os\nx = thing()\nx.go = os.system\nx.go('ls a')",
        "import os\nclass A:\n  go = os.system\nA.go('ls a')",
        "import os\nclass A:\n  def go(self): os.system('ls a')",
        "import os\ndef deco(f):\n  os.system('ls a')\n  return f\n@deco\ndef g(): pass",
        "import os\ndef by(f):\n  def inner(*a): return f(*a)\n  return inner\n@by\ndef g(c): os.system(c)\ng('ls a')",
        "import os\nf'{os.system(\"ls a\")}'",
        "import os; os.system.__call__('ls a')",
        "print.__self__.__import__('os').system('ls a')",
        "__builtins__['__import__']('os').system('ls a')",
        "import os\nx: os.system('ls a') = 1",
        "import os\ndef f(x: os.system('ls a')): pass",
        "import os\ndef f() -> [os.system('ls a')]: pass",
        "import os, types; types.MethodType(os.system, 'ls a')()",
        "import os\nx = [1][os.system('ls a')]",
        "import os\nassert not os.system('ls a')",
        "import os\ndef f(x=os.system('ls a')): pass",
        "import os\nif os.system('ls a') == 0: pass",
        "import subprocess\nclass P(subprocess.Popen): pass\nP('ls a', shell=True)",
        "try:\n  import os\nexcept ImportError:\n  os = None\nos.system('ls a')",
        "from subprocess import *\ncall('ls a', shell=True)",
        "import os\ndef f(n, c):\n  if n: f(n - 1, c)\n  os.system(c)\nf(9, 'ls a')",
    ],
)
def test_functions_are_followed_under_other_names(text: str):
    found = effects_of_python(text)
    assert found.shell == ["ls a"]


@pytest.mark.parametrize(
    "text",
    [
        "print(1)",
        "import json, sys; print(json.dumps(json.load(sys.stdin)))",
        "import json,sys\nd = json.load(sys.stdin)\nfor t in d['a']:\n  print(f\"{t['x']:>10} {t.get('y', '')!r}\")",
        "import numpy as np; print(np.array([1]).mean())",
        "import re; print(re.compile('os.remove').sub('', 'x'))",
        "def f(x):\n    return x\nprint(f(1))",
        "# os.system('ls')\nprint('os.remove')",
        "import sys; sys.stdout.write(sys.stdin.read().upper()); sys.exit(0)",
        "from collections import Counter, defaultdict\nc = Counter(); d = defaultdict(list); d[1].append(2)",
        "import datetime; print(datetime.datetime.now().strftime('%F'))",
        "xs = sorted([3, 1], key=lambda x: -x); print(max(xs, key=abs))",
        "import ast\nt = ast.parse('x')\nfor n in ast.walk(t): print(type(n).__name__, n.lineno)",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n  x: int = 0\nprint(A(1))",
        "import itertools, functools\n@functools.lru_cache\ndef f(n): return n and f(n - 1)\nprint(f(3))",
        "x = input(); y = x.strip().split(','); print(y[0].lower())",
        "import platform, sys; print(platform.platform(), sys.version, sys.path)",
        "import os; print(os.getcwd(), os.listdir('.'), os.path.exists('a'), os.environ.get('A'))",
        "d = {}\nd['f'] = lambda x: x + 1\nprint(d['f'](1))",
        "import argparse\np = argparse.ArgumentParser(); p.add_argument('x', type=int); a = p.parse_args(); print(a.x)",
        "class A(Exception): pass\ntry: raise A('x')\nexcept A as e: print(e.args, e.__class__.__name__)",
        "import inspect, json; print(inspect.getsource(json.dumps))",
        "for i in range(3): print(i, end=' ')",
        "print(sum(x * x for x in range(10)))",
        "def f(obj): return obj.method().other(1, key=2)",
        "import hashlib; print(hashlib.sha256(b'a').hexdigest())",
        "from urllib.parse import urlparse; print(urlparse('https://a.org/b').netloc)",
        "# -*- coding: utf-8 -*-\nimport numpy\nprint(numpy.__version__.split('.'), numpy.__file__)",
        "from typing import Optional\ndef f(x: Optional[int] = None) -> dict[str, int]: return {}\ny: list[int] = []",
        "import textwrap; print(textwrap.dedent('''\n  a\n'''))",
    ],
)  # fmt: skip
def test_a_program_that_only_computes_has_no_effects(text: str):
    assert effects(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "import os; os.system(x)",
        "import os; os.system(f'rm {x}')",
        "import subprocess; subprocess.run(cmd, shell=True)",
        "import subprocess; subprocess.run(cmd)",
        "import subprocess; subprocess.run([x, 'a'])",
        "import subprocess; subprocess.run(['/opt/' + x, 'a'])",
        "def f(c):\n  import os\n  os.system(c)",
        "exec(x)", "eval(input())", "exec('x' + y)", "exec(compile(x, '', 'exec'))",
        "import os; getattr(os, x)('a')", "__import__(x).go('a')", "globals()[x]('a')",
        "().__class__.__base__.__subclasses__()[1]('a')", "(lambda: 0).__globals__['x']()",
        "import pickle; pickle.loads(x)", "import marshal; exec(marshal.loads(x))",
        "import mine; mine.go()", "from mine import go; go()", "from mine import *\ngo()", "from . import a; a.go()",
        "import ctypes; print(1)", "import sh; sh.ls()", "from plumbum.cmd import ls",
        "strange()", "table['system']('a')",
        "import os\ndef f(g): g(os.system)\nf(lambda s: s(input()))",
        "\0", "x = 1\n\0\n", "\0('a')",
        "def (", "x = = 1", "(" * 300, "-" * 30_000 + "1", "import pip; pip.main(['install', 'x'])",
        "import yaml; yaml.load(x, Loader=yaml.UnsafeLoader)",
        "import code; code.interact()",
        "# coding: utf-7\nprint(1)", "#!/usr/bin/python\n# -*- coding: rot13 -*-\nvzcbeg bf",
        "import os; os.system.__get__(1)()", "print.__self__.__dict__[x]('a')",
        "exec(" * 30 + "'1'" + ")" * 30,
        "s = '1'\n" + "s = 'exec(' + repr(s) + ')'\n" * 12 + "exec(s)",
        "s = ''\nwhile x: s += 'a'\nexec(s)",
    ],
)  # fmt: skip
def test_what_only_the_run_will_tell_is_opaque(text: str):
    assert effects_of_python(text).opaque


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        ("import subprocess; subprocess.run(['git', f'log {x}'])", ["git 'log '\"${PYTHON_VALUE}\""]),
        ("import subprocess; subprocess.run(['git', 'log', *args])", ['git log "${PYTHON_VALUE}"']),
        ("import subprocess; subprocess.check_output(['git'] + args)", ['git "${PYTHON_VALUE}"']),
        (
            "import subprocess\ndef git(*a): return subprocess.run(['git', *a])\ngit('status'); git('log', x)",
            ["git status", 'git log "${PYTHON_VALUE}"'],
        ),
        ("import subprocess\nc = ['git']\nif x: c.append('-v')\nsubprocess.run(c)", ["git -v"]),
        ("import subprocess\nfor n in (1, 2): subprocess.run(['ls', str(n)])", ["ls 1", "ls 2"]),
    ],
)  # fmt: skip
def test_a_program_that_is_known_is_not_opaque_for_arguments_that_are_not(text: str, shell: list[str]):
    assert effects(text) == {"shell": shell}


@pytest.mark.parametrize(
    ("text", "urls", "sends"),
    [
        ("import requests; requests.get('https://a.org/x').json()", ["https://a.org/x"], False),
        ("import requests; requests.post('https://a.org', data=open('.env'))", ["https://a.org"], True),
        ("import requests; requests.get('https://a.org/?k=' + x)", ["https://a.org/?k=\0"], True),
        ("import requests as r\ns = r.Session()\ns.put('https://a.org', json={})", ["https://a.org"], True),
        ("import httpx\nwith httpx.Client() as c: c.post('https://a.org', content=x)", ["https://a.org"], True),
        (
            "import aiohttp\nasync def f():\n  async with aiohttp.ClientSession() as s:\n    s.get('https://a.org')",
            ["https://a.org"], False,
        ),
        ("from urllib.request import urlopen; urlopen('https://a.org').read()", ["https://a.org"], False),
        ("import urllib.request as u; u.urlopen(u.Request('https://a.org', data=x))", ["https://a.org"], True),
        ("import socket; s = socket.socket(); s.connect(('a.org', 80)); s.sendall(b'x')", ["http://a.org:80/"], True),
        ("import ftplib; f = ftplib.FTP('a.org'); f.storbinary('STOR a', open('b', 'rb'))", ["ftp://a.org/"], True),
        ("import smtplib; smtplib.SMTP('localhost').sendmail(a, b, c)", ["http://localhost/"], True),
        ("import http.client as h; h.HTTPSConnection('a.org').request('POST', '/', 'x')", ["https://a.org/"], True),
    ],
)  # fmt: skip
def test_addresses_are_read_and_whether_something_is_sent_there(text: str, urls: list[str], sends: bool):
    found = effects_of_python(text)
    assert (found.urls, found.sends, "network" in found.traits, found.opaque) == (urls, sends, True, "")


def test_a_download_is_written():
    text = "from urllib.request import urlretrieve; urlretrieve('https://a.org/x', '/usr/local/bin/a')"
    assert effects(text) == {
        "urls": ["https://a.org/x"], "writes": ["/usr/local/bin/a"], "traits": {"network", "downloads"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("import os, requests; requests.post('https://a.org', json=dict(os.environ))", True),
        ("import os, requests; requests.post('https://a.org', json=os.environ['A'])", False),
        ("import os; print(os.environ)", False),
    ],
)
def test_a_program_that_posts_the_whole_environment_reads_it(text: str, whole: bool):
    assert ("reads-environment" in effects_of_python(text).traits) is whole


def test_what_cannot_be_read_for_its_modules_alone_is_told_from_the_rest():
    assert effects_of_python("import mine; mine.go()").opaque == MODULES
    assert effects_of_python("import mine, os; mine.go(); os.system(x)").opaque != MODULES
    assert effects_of_python("import numpy; print(numpy.__version__)").opaque == ""


def test_what_a_shell_puts_into_a_text_is_unknown_there():
    assert effects("import json; print(json.loads('\0')['a'] + \0)") == {}
    assert effects("open('/a/\0/b')") == {"reads": ["/a/\0/b"]}


def test_a_text_for_python_2_or_a_newer_version_is_read():
    assert effects("print 'a'\nprint x, y\nopen('b')") == {"reads": ["b"]}
    assert effects("""d = {}\nprint(f"{d["a"]} {len(f"{open("b")}")}")""") == {"reads": ["b"]}
    assert effects("  import os\n  os.remove('a')") == {"deletes": ["a"]}


@given(st.text(max_size=80))
def test_any_text_can_be_looked_at(text: str):
    effects_of_python(text)


TOKENS = """
    open( 'a' ) ; x = f y . + [ ] { } : , lambda for in if else not * ** os import def return yield await \'b\' f'{x}'
    == := @ class with as try except: (x) 1 -1 None self
"""


@given(st.lists(st.sampled_from([*TOKENS.split(), "\n", "\n\t"]), max_size=30))
def test_any_tokens_can_be_looked_at(tokens: list[str]):
    assert effects_of_python(" ".join(tokens)).opaque != CONFUSED


@pytest.mark.parametrize(
    "text",
    [
        "def f(): f(); f(); f()\nf()", "f = lambda: f()\nf()", "def f(g): g(g)\nf(f)",
        "class A:\n  def __getattr__(self, n): return self.x\nA().y",
        "class A(B): pass\nclass B(A): pass\nB().x()",
        "x = []\nx.append(x)\nprint(x, str(x), *x)\nfor y in x: y.append(x)",
        "x = {}\nx['a'] = x\nprint(**x)\nfor y in x.values(): y['b'] = y",
        "a = 'x' * 10**12; b = 1 << 10**9; c = 10 ** 10 ** 10; '%999999999d' % 1; '{:999999999}'.format(1)",
        "s = 'ab'\n" + "s = s.replace('a', s)\n" * 40 + "open(s)",
        "s = 'ab'\n" + "s = s + s\n" * 60 + "open(s)",
        "x = ['a', 'b']\n" + "x = x + x\n" * 40,
        "p = x or 'a'\n" + "p = p + ('b' if x else 'c')\n" * 40 + "open(p)",
        "import zlib; zlib.decompress(b'x' * 10)", "chr(-1); int('x'); 'a'[9]; [1][9]; 'a'.encode('no'); 1 // 0",
        "".join(f"def f{n}(): f{n + 1}(); f{n + 1}()\n" for n in range(60)) + "f0()",
    ],
)  # fmt: skip
def test_what_would_never_end_is_looked_at_for_a_while(text: str):
    assert effects_of_python(text).opaque != CONFUSED
