"""Which modules of Python only compute, which act by themselves, and what their names stand for."""

from __future__ import annotations

__all__ = [
    "ACTING", "ATTRIBUTES", "BUILTINS", "HARMLESS", "OTHER_NAMES", "REENTRIES", "RISKY", "full_name",
]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Modules that reckon, read what they are given, or whose calls that do more are all in the tables of actions.
HARMLESS = _words("""
    __builtin__ __future__ _io _thread abc aifc aiofiles aiohttp aiosqlite argparse array arrow ast
    asyncio asyncpg atexit attr attrs babel base64 bdb binascii bisect bs4 builtins bz2 cachetools calendar certifi
    cgi chardet charset_normalizer chunk click cmath cmd code codecs codeop collections colorama colorsys commands
    compileall concurrent ConfigParser configparser contextlib contextvars copy copyreg coverage cPickle cProfile
    cssselect cStringIO csv curses cv2 dataclasses datetime dateutil dbm decimal difflib dis doctest docx dotenv
    duckdb email encodings ensurepip enum errno fastavro faulthandler fcntl filecmp fileinput fitz fnmatch fractions
    ftplib functools gc genericpath geopandas getopt getpass gettext glob graphlib graphviz grp gzip h5py hashlib
    heapq hmac html html5lib http httplib httpx humanize hypothesis idlelib idna imageio imaplib imghdr importlib
    inspect io ipaddress itertools jinja2 json jsonpath_ng jsonschema keyword linecache locale logging lxml lzma
    mailbox mako markdown markdown2 marshal math matplotlib mimetypes mistune mmap modulefinder more_itertools msgspec
    msvcrt multiprocessing MySQLdb netCDF4 netrc networkx nltk nntplib np nt ntpath numbers numpy opcode openpyxl
    operator optparse orjson os packaging pandas pathlib pd pdb pdfplumber pendulum pickle pickletools PIL pkgutil
    platform plistlib plotly polars poplib posix posixpath posixshmem pprint pptx profile pstats psutil psycopg
    psycopg2 pty pwd py_compile pyarrow pyclbr pydantic pydoc pygments pymongo pymysql pypdf PyPDF2 pytest pytz queue
    Queue quopri random re readline redis regex reportlab reprlib requests resource rich rlcompleter ruamel runpy
    sched scipy seaborn secrets select selectors send2trash shapely shelve shlex shutil signal simplejson site six
    skimage sklearn smtplib sndhdr socket socketserver sortedcontainers soupsieve sqlalchemy sqlite3 ssl stat
    statistics statsmodels string StringIO stringprep struct subprocess sympy symtable sys sysconfig syslog tabulate
    tarfile tempfile termcolor termios test textwrap this threading tiktoken time timeit token tokenize toml
    tomli tomlkit tomllib toolz tqdm trace traceback tracemalloc tty typer types typing typing_extensions tzlocal
    ujson unicodedata unidecode unittest urllib urllib2 urllib3 urlparse uuid venv warnings watchdog wave weakref
    webbrowser websocket websockets wget wsgiref xarray xdrlib xlrd xml xmlrpc yaml zipapp zipfile zipimport zlib
    zoneinfo
""")
# Modules made to act on the machine or on other ones; what they do is not read.
RISKY = _words("""
    ctypes cffi paramiko fabric telnetlib pexpect scapy winreg _winreg _ctypes boto3 botocore kubernetes docker azure
    hvac keyring browser_cookie3 pynput pyautogui sh plumbum sarge delegator envoy invoke win32api win32com win32file
    _winapi _posixsubprocess dbus
""")
# Modules that do things by themselves, whatever else they are loaded for: what is called in them is not passed over.
ACTING = _words("pip setuptools distutils git dulwich pygit2 interlock IPython ansible_runner crontab")
BUILTINS = _words("""
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr
    dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
    isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range
    repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__
    __build_class__ exit quit copyright credits license
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup
    FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
    IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
    TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
    UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError PythonFinalizationError
    Ellipsis NotImplemented __debug__ __name__ __file__ __doc__ __spec__ __loader__ __package__ __annotations__
    __cached__ __path__ __dict__ __class__ __qualname__ __module__
    raw_input unicode xrange reduce long basestring unichr execfile file reload display get_ipython
""")
# What else has the same name as something in the tables.
OTHER_NAMES = dict(
    pair.split("=")
    for pair in _words("""
    posix=os nt=os posixpath=os.path ntpath=os.path genericpath=os.path _io=io commands=subprocess
    __builtin__=builtins __builtins__=builtins urllib2=urllib.request urlparse=urllib.parse cPickle=pickle
    _pickle=pickle httplib=http.client imp=importlib _socket=socket _sqlite3=sqlite3 _thread=threading
    _codecs=codecs multiprocess=multiprocessing pathlib.PosixPath=pathlib.Path pathlib.WindowsPath=pathlib.Path
    pathlib.PurePath=pathlib.Path pathlib.PurePosixPath=pathlib.Path pathlib.PureWindowsPath=pathlib.Path
    io.open=open io.FileIO=open codecs.open=open io.open_code=open file=open aiofiles.open=open os.popen2=os.popen
    os.popen3=os.popen os.popen4=os.popen urllib.urlopen=urllib.request.urlopen
    urllib.urlretrieve=urllib.request.urlretrieve
    asyncio.subprocess.create_subprocess_exec=asyncio.create_subprocess_exec
    asyncio.subprocess.create_subprocess_shell=asyncio.create_subprocess_shell importlib.__import__=__import__
    httpx.AsyncClient=requests.Session httpx.Client=requests.Session requests.session=requests.Session
    requests.sessions.Session=requests.Session aiohttp.ClientSession=requests.Session requests.api=requests
    httpx=requests psycopg=psycopg2 logging.handlers=logging numpy=np pandas=pd
    multiprocessing.dummy=multiprocessing ssl.SSLSocket=socket.socket os.path.os=os tokenize.open=open path=os.path
""")
)
# Modules that other modules have taken in, and so have under their own name: `shutil.os.system`.
REENTRIES = {
    **{name: name for name in ("os", "sys", "subprocess", "shutil", "builtins", "socket", "importlib", "ctypes", "io")},
    "_os": "os", "_sys": "sys", "_subprocess": "subprocess", "_shutil": "shutil", "__builtins__": "builtins",
    "_socket": "socket", "_io": "io",
}  # fmt: skip
# Values that modules have.
ATTRIBUTES = {
    "os.sep": "/", "os.path.sep": "/", "os.curdir": ".", "os.pardir": "..", "os.extsep": ".", "os.devnull": "/dev/null",
    "os.path.pardir": "..", "os.path.curdir": ".", "os.linesep": "\n", "os.name": "posix", "os.pathsep": ":",
    "sys.executable": "python3", "string.ascii_lowercase": "abcdefghijklmnopqrstuvwxyz",
    "string.ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "string.digits": "0123456789",
    "string.ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "tempfile.tempdir": "/tmp",  # noqa: S108
}  # fmt: skip


def full_name(name: str) -> str:
    """The name in the tables of something that has several."""
    found = OTHER_NAMES.get(name)
    if found is not None:
        return found
    return name[9:] if name.startswith("builtins.") else name
