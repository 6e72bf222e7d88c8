"""What calls do that reach other machines, databases, and the agent that runs them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interlock.facts.code.python.actions import Action, names_of
from interlock.facts.code.python.values import ANY, PythonCall, Ref, Value, alternatives, texts_of
from interlock.facts.code.sql import effects_of_sql
from interlock.facts.shell import UNKNOWN

if TYPE_CHECKING:
    from interlock.facts.code.python.interpreter import Interpreter

__all__ = ["NETWORK", "query"]

_SENT = ("data", "json", "files", "content", "body")
_SQL = re.compile(
    r"(?i)[\s(]*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(?:drop|truncate|delete|alter|update|grant|revoke|insert|create|replace|"
    r"merge|with|copy|load|attach|vacuum|do|call|exec|execute|begin|set|pragma|rename|comment|import|export|install)\b",
    re.DOTALL,
)


def _requests(run: Interpreter, call: PythonCall) -> Value:
    """`requests.get(url)`, `Session().post(url, data=…)`."""
    verb = call.name.rpartition(".")[2]
    at = 1 if verb in ("request", "stream") else 0
    url = call.get(at, "url", ANY)
    method = call.get(0, "method", ANY) if at else verb
    reads = method in ("get", "GET", "head", "HEAD", "options", "OPTIONS", "delete", "DELETE")
    sends = (
        not reads
        or any(call.named.get(name) is not None for name in _SENT)
        or (at == 0 and len(call.args) > 1 and verb != "get")
    )
    run.reaches(url, sends=sends)
    return ANY


def _session(run: Interpreter, call: PythonCall) -> Value:
    run.reaches(call.named.get("base_url"))
    return Ref("requests.Session()")


def _urlopen(run: Interpreter, call: PythonCall) -> Value:
    url, data = call.get(0, "url", ANY), call.get(1, "data", None)
    if type(url) is Ref and url.name == "urllib.request.Request()":
        return ANY
    run.reaches(url, sends=data is not None)
    return ANY


def _request(run: Interpreter, call: PythonCall) -> Value:
    method = call.named.get("method", "GET")
    run.reaches(call.get(0, "url", ANY), sends=call.get(1, "data", None) is not None or method not in ("GET", "HEAD"))
    return Ref("urllib.request.Request()")


def _retrieve(run: Interpreter, call: PythonCall) -> Value:
    run.reaches(call.get(0, "url", ANY))
    run.effects.traits.add("downloads")
    target = call.get(1, "filename", call.named.get("out", "." if call.name.startswith("wget") else None))
    run.writes(target)
    return ANY


def _connection(kind: str, scheme: str = "http", at: int = 0) -> Action:
    """Something that is connected to a host."""

    def connect(run: Interpreter, call: PythonCall) -> Value:
        host = call.get(at, "host", None)
        port = call.get(at + 1, "port", None)
        _reach_host(run, host, port, scheme)
        return Ref(kind)

    return connect


def _reach_host(run: Interpreter, host: Value, port: Value, scheme: str = "http") -> None:
    run.effects.traits.add("network")
    for one in texts_of(host) if host is not None else ():
        if one and UNKNOWN not in one and "/" not in one:
            end = f":{port}" if type(port) is int else ""
            run.effects.urls.append(f"{scheme}://{one}{end}/")


def _socket(run: Interpreter, call: PythonCall) -> Value:
    run.effects.traits.add("network")
    return Ref("socket.socket()")


def _connect(run: Interpreter, call: PythonCall) -> Value:
    address = call.get(0, "address", ANY)
    for one in alternatives(address):
        if type(one) in (list, tuple) and len(one) >= 2:
            _reach_host(run, one[0], one[1])
        else:
            run.effects.traits.add("network")
    return Ref("socket.socket()") if call.name.endswith("create_connection") else None


def _binds(run: Interpreter, call: PythonCall) -> Value:
    """A socket with a name in the file system; an address is a pair."""
    at = 1 if call.name.endswith("_server") else 0
    for one in alternatives(call.get(at, "path", ANY)):
        if type(one) is str and one and ":" not in one and UNKNOWN not in one:
            run.writes(one)
    return ANY


def _listens(run: Interpreter, call: PythonCall) -> Value:
    run.effects.traits.add("network/listens")
    return ANY


def _sends(run: Interpreter, call: PythonCall) -> Value:
    run.reaches(sends=True)
    return ANY


def _http_request(run: Interpreter, call: PythonCall) -> Value:
    body = call.get(2, "body", None)
    run.reaches(sends=body is not None or call.get(0, "method", ANY) not in ("GET", "HEAD"))
    return ANY


def _database(run: Interpreter, call: PythonCall) -> Value:
    if call.name.startswith("sqlite3") or call.name.startswith(("aiosqlite", "duckdb")):
        path = call.get(0, "database", None)
        if path != ":memory:":
            run.reads(path)
    return Ref("database()")


def query(run: Interpreter, call: PythonCall) -> Value:
    """A text for a database, if it looks like one that changes something."""
    value = (
        call.args[0] if call.args else call.named.get("sql", call.named.get("query", call.named.get("statement", ANY)))
    )
    for text in texts_of(value):
        if _SQL.match(text):
            found = effects_of_sql(text)
            run.effects.traits |= found.traits
            run.reads_more(found)
    return Ref("database()")


def _same_text(run: Interpreter, call: PythonCall) -> Value:
    return call.args[0] if call.args else ANY


def _agent(run: Interpreter, call: PythonCall) -> Value:
    run.effects.traits.update(("agent/starts", "agent/unguarded"))
    return ANY


_VERBS = "get post put patch delete head options request stream send ws_connect"
NETWORK: dict[str, Action] = {
    **names_of(" ".join(f"requests.{verb}" for verb in _VERBS.split()), _requests),
    **names_of(" ".join(f"requests.Session().{verb}" for verb in _VERBS.split()), _requests),
    **names_of("urllib3.PoolManager().request urllib3.PoolManager().urlopen", _requests),
    **names_of("urllib3.request aiohttp.request", _requests),
    "requests.Session": _session,
    **names_of("urllib3.PoolManager urllib3.HTTPConnectionPool urllib3.HTTPSConnectionPool",
               lambda run, call: Ref("urllib3.PoolManager()")),
    "urllib.request.urlopen": _urlopen,
    "urllib.request.Request": _request,
    "urllib.request.OpenerDirector().open": _urlopen,
    **names_of("urllib.request.build_opener", lambda run, call: Ref("urllib.request.OpenerDirector()")),
    **names_of("urllib.request.urlretrieve urllib.request.URLopener().retrieve wget.download", _retrieve),
    **names_of("http.client.HTTPConnection", _connection("http.client()")),
    **names_of("http.client.HTTPSConnection", _connection("http.client()", "https")),
    "http.client().request": _http_request,
    **names_of("http.client().send http.client().endheaders", _sends),
    "socket.socket": _socket,
    **names_of("socket.socket().connect socket.socket().connect_ex socket.create_connection", _connect),
    **names_of("asyncio.open_connection telnetlib.Telnet", _connection("socket.socket()")),
    **names_of("""
        socket.socket().send socket.socket().sendall socket.socket().sendto socket.socket().sendmsg
        socket.socket().sendfile ftplib.FTP().storbinary ftplib.FTP().storlines smtplib.SMTP().sendmail
        smtplib.SMTP().send_message websocket.create_connection().send
    """, _sends),
    **names_of("ftplib.FTP ftplib.FTP_TLS", _connection("ftplib.FTP()", "ftp")),
    **names_of("smtplib.SMTP smtplib.SMTP_SSL", _connection("smtplib.SMTP()")),
    **names_of("poplib.POP3 poplib.POP3_SSL imaplib.IMAP4 imaplib.IMAP4_SSL nntplib.NNTP", _connection("mail()")),
    "websocket.create_connection": _requests,
    "websockets.connect": _requests,
    **names_of("xmlrpc.client.ServerProxy", _requests),
    **names_of("webbrowser.open webbrowser.open_new webbrowser.open_new_tab", _requests),
    **names_of("""
        socket.socket().bind socketserver.UnixStreamServer socketserver.UnixDatagramServer
        socketserver.ThreadingUnixStreamServer asyncio.start_unix_server
    """, _binds),
    **names_of("""
        socketserver.TCPServer socketserver.ThreadingTCPServer http.server.HTTPServer http.server.ThreadingHTTPServer
        socketserver.UDPServer asyncio.start_server wsgiref.simple_server.make_server xmlrpc.server.SimpleXMLRPCServer
        socket.socket().listen socket.create_server http.server.test websockets.serve
        multiprocessing.managers.BaseManager multiprocessing.connection.Listener
    """, _listens),
    **names_of("""
        sqlite3.connect psycopg2.connect pymysql.connect MySQLdb.connect asyncpg.connect aiosqlite.connect
        duckdb.connect sqlalchemy.create_engine psycopg2.Connection.connect sqlalchemy.ext.asyncio.create_async_engine
    """, _database),
    "sqlalchemy.text": _same_text,
    **names_of("""
        database().execute database().executemany database().executescript database().exec_driver_sql duckdb.sql
        duckdb.query duckdb.execute database().fetch database().fetchrow database().fetchval database().copy_expert
        pd.read_sql pd.read_sql_query database().sql
    """, query),
    **names_of("claude_agent_sdk.query claude_agent_sdk.ClaudeSDKClient claude_code_sdk.query "
               "claude_code_sdk.ClaudeSDKClient", _agent),
}  # fmt: skip
