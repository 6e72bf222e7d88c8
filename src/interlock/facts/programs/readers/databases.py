"""Databases and what is asked of them."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, host_of
from interlock.facts.programs.readers.little_scripts import Effects
from interlock.facts.programs.readers.sql_scripts import sql_effects
from interlock.facts.programs.table import Special, words

# Compiled when first used: importing tables stays quick.
_TEXT = r"(?s)'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
_TEXT_OR_COMMENT = _TEXT + r"|--[^\n]*|/\*(?!!).*?\*/"  # MySQL runs what stands in `/*! … */`
_RUNS_TEXT = r"(?i)\bexec(?:ute)?(?:\s+immediate)?\s*[(']|\bprepare\b"
# A database whose name says that it is made anew for each run of some tests.
_FOR_TESTS = r"(?:test_\w+|\w+_test(?:_?\d+)?)"
_DROPS_TESTS = rf"(?i)\bdrop\s+database\s+(?:if\s+exists\s+)?[`\"]?{_FOR_TESTS}[`\"]?\s*(?=;|$)"
# Who is let in, and to everything.
_RIGHTS = (
    r"(?i)\bgrant\s+all\b[^;]*\bon\s+\*\.\*|\bgrant\b[^;]*(?:\bto\s+public\b|\bwith\s+(?:grant|admin)\s+option\b)|"
    r"\b(?:create|alter)\s+(?:role|user)\b[^;]*\bsuperuser\b"
)
_DROPS = (
    r"(?i)\b(?:drop\s+(?:database|schema|table|view|index|user|role|keyspace|collection|materialized|tablespace|owned|warehouse|extension|sequence|catalog|dictionary|stage|partition|"
    r"function|column)|truncate\b|alter\s+table\s+\S+\s+drop)"
)
_DELETES = r"(?i)\bdelete\s+from\b|\balter\s+table\s+\S+\s+(?:on\s+\S+\s+)?delete\b|\bdetach\s+delete\b"
# The server is told to start a program, or to let somebody in.
_PROGRAMS = r"(?i)\b(?:to|from)\s+program\b|\bxp_cmdshell\b|\bsys_(?:exec|eval)\b|\binto\s+(?:out|dump)file\b"
_UPDATES = r"(?i)^\s*update\s+\S+\s+set\b"
_WHERE = r"(?i)\bwhere\b(?!\s+(?:1\s*=\s*1|true\b))"
_LOOKING = (
    r"(?i)\s*(?:(?:select|show|explain|describe|desc|with|values|table|use|help|summarize|from)\b|"
    r"pragma\s+(?:\w+\.)?(?:table_x?info|table_list|index_list|index_x?info|foreign_key_(?:list|check)|database_list|"
    r"collation_list|function_list|module_list|pragma_list|compile_options|(?:integrity|quick)_check|user_version|"
    r"schema_version|application_id|journal_mode|page_count|page_size|freelist_count|encoding|foreign_keys|cache_size|"
    r"synchronous|auto_vacuum|data_version|show_tables\w*|database_size|version|platform|show|storage_info|functions|"
    r"collations|metadata_info|user_agent)(?:\s*\([^=]*\))?\s*$)"
)
_WRITES = (
    r"(?i)\b(?:insert|update|delete|merge|create|alter|grant|revoke|set\s+role|copy|load|call|do|lock|vacuum|reindex|"
    r"rename|attach|install|import|export|exec(?:ute)?|pg_read_\w+|pg_write\w*|pg_ls_\w+|lo_export|lo_import|pg_sleep|"
    r"pg_terminate_backend|pg_cancel_backend|dblink\w*|load_extension|load_file|writefile|readfile|edit|fts3_tokenizer|"
    r"xp_cmdshell|setval|nextval|set_config|pg_reload_conf|query_to_xml|pg_promote|pg_rotate_logfile|into)\b|"
    r"\b(?:read_csv|read_parquet|read_json|read_text|read_blob|system|sys_exec|sys_eval)\w*\s*\("
)


_CHANGES = frozenset({"database/writes", "database/drops", "database/deletes"})


def judge_sql(draft: UseDraft, text: str) -> None:
    """Traits of some SQL; what is not plainly a query may write."""
    bare = re.sub(_TEXT_OR_COMMENT, lambda found: found[0] if found[0][0] in "'\"" else " ", text)
    bare = re.sub(_DROPS_TESTS, "create", bare)
    plain = bare if re.search(_RUNS_TEXT, bare) else re.sub(_TEXT, "''", bare)
    if "\0" in plain:
        draft.add("database/writes")
        draft.acts()
    if not plain.strip(" ;\n\t"):
        draft.add("database/writes")  # a text that says nothing is no query
    if re.search(_DROPS, plain):
        draft.add("database/drops")
    for statement in plain.split(";"):
        if not statement.strip():
            continue
        if re.search(_PROGRAMS, statement):
            draft.add("cloud/runs")
        if re.search(_RIGHTS, statement):
            draft.add("users")
        if re.search(_UPDATES, statement) and not re.search(_WHERE, statement):
            draft.add("database/deletes")
        if re.search(_DELETES, statement):
            draft.add("database/deletes" if re.search(_WHERE, statement) else "database/drops")
        if not re.match(_LOOKING, statement) or re.search(_WRITES, statement):
            draft.add("database/writes")


_HOSTS = frozenset({"--host", "--server", "-h", "-S"})


def _connect(draft: UseDraft) -> None:
    """Another machine than this one is reached; a path is a socket of this one."""
    for name, value in draft.values:
        if name in _HOSTS and not value.startswith("/") and value not in {"localhost", "127.0.0.1", "::1"}:
            draft.hosts.append(host_of(value))


def _ask(draft: UseDraft, texts: list[str]) -> None:
    for text in texts:
        draft.run("code:sql", text)
        judge_sql(draft, text)


def _psql(draft: UseDraft) -> None:
    _connect(draft)
    for word in draft.operands:
        if "://" in word:
            draft.urls.append(word)
    texts = [value for name, value in draft.values if name == "--command"]
    for text in list(texts):
        if text.lstrip().startswith("\\"):
            texts.remove(text)
            _meta(draft, text.lstrip())
    _ask(draft, texts)
    if "--list" in draft.flags or texts or "--command" in draft.flags:
        if not _CHANGES & (draft.traits or set()) and "--file" not in draft.flags:
            draft.looks()
    else:
        draft.add("database/writes")
        if "--file" not in draft.flags or draft.value("--file") == "-":
            draft.stdin = "code:sql"


def _meta(draft: UseDraft, text: str) -> None:
    """psql's own commands: `\\!` is a shell, `\\copy` moves files."""
    if text.startswith("\\!"):
        draft.aside(text[2:].strip())
    elif not re.match(r"\\(?:d\w*[S+]*|l|l\+|list|z|conninfo|\?|h|timing|x|sf\+?|sv\+?|encoding)(?:\s|$)", text):
        draft.add("database/writes")


def _mysql(draft: UseDraft) -> None:
    _connect(draft)
    texts = [value for name, value in draft.values if name in {"--execute", "--init-command", "--query"}]
    for text in texts:
        if text.lstrip().startswith(("\\!", "system ")):
            draft.aside(text.lstrip().partition(" ")[2])
    _ask(draft, texts)
    if texts:
        if not _CHANGES & (draft.traits or set()):
            draft.looks()
    elif not {"--help", "--version"} & set(draft.flags):
        draft.add("database/writes")
        draft.stdin = "code:sql"


def _sqlite(draft: UseDraft) -> None:
    texts = draft.operands[1:]
    file = draft.operands[0] if draft.operands else ""
    texts += [value for name, value in draft.values if name in {"--cmd", "-c", "-s"}]
    if file and file != ":memory:":
        draft.reads.append(file)
    asked = []
    forgotten = file == ":memory:" and not any("attach" in text.lower() for text in texts)
    if forgotten:
        file = ""
    for text in texts:
        if text.lstrip().startswith("."):
            _dots(draft, text.lstrip())
        else:
            asked.append(text)
    if "--readonly" in draft.flags or "--safe" in draft.flags:
        # It refuses to write, or to leave its own file.
        for text in asked:
            judge_sql(draft, text)
    elif not forgotten or any(sql_effects(text) != Effects() for text in asked):
        _ask(draft, asked)
    noted = draft.traits or set()
    if "--readonly" in draft.flags:
        draft.drop("database/writes", "database/drops", "database/deletes")
        if not texts:
            draft.stdin = "code:sql"
        if not any(re.search(r"(?i)writefile|load_extension|edit\s*\(|\bcopy\b|\bexport\b", text) for text in texts):
            draft.looks()
    elif _CHANGES & noted:
        if file:
            draft.writes.append(file)
    elif texts and "--init" not in draft.flags:
        draft.looks()
    elif not texts:
        draft.stdin = "code:sql"
        if "--readonly" not in draft.flags:
            draft.add("database/writes")
            if file:
                draft.writes.append(file)


def _dots(draft: UseDraft, text: str) -> None:
    name, _, rest = text.partition(" ")
    if name in {".shell", ".system", ".sh", ".sys"}:
        draft.aside(rest)
    elif name in {".output", ".once", ".excel", ".backup", ".save", ".clone", ".log", ".export", ".trace"}:
        draft.writes += rest.split()[-1:]
        if rest.lstrip().startswith("|"):
            draft.aside(rest.lstrip()[1:])
    elif name in {".import", ".read", ".restore", ".load", ".open", ".archive", ".ar"}:
        draft.reads += rest.split()[:1]
        draft.add("database/writes")
        if rest.lstrip().startswith("|"):
            draft.aside(rest.lstrip()[1:])


def _mongo(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "--eval":
            draft.run("code:js", value)
            if re.search(r"drop\w*\(|deleteMany\(\s*\{\s*\}", value):
                draft.add("database/drops")
            elif re.search(r"(?:\.|\[['\"])(?:delete|remove|findOneAndDelete)|update(?:Many)?\(\s*\{\s*\}", value):
                draft.add("database/deletes")
    _connect(draft)
    for word in draft.operands:
        if "://" in word:
            draft.urls.append(word)
        elif word.endswith(".js"):
            draft.reads.append(word)
            draft.run("file", word, by="mongosh")
    if "--eval" not in draft.flags and not draft.operands:
        draft.stdin = "code:js"


_REDIS_LOOK = words(
    "get mget keys scan exists ttl pttl type info ping dbsize lrange llen lindex smembers scard sismember hget "
    "hgetall hkeys hlen hmget hexists zrange zcard zscore zrank strlen getrange time lastsave memory object "
    "slowlog client command "
    "xlen xrange xread pubsub randomkey hscan sscan zscan bitcount getbit monitor echo config latency"
)
_REDIS_DELETES = words("del unlink hdel srem zrem lrem ltrim xdel xtrim getdel spop lpop rpop")
_REDIS_STOPS = words("shutdown debug replicaof slaveof failover migrate restore swapdb module")
# They rewrite what the server is, or where it writes its files.
_REDIS_SETS = {
    ("config", "set"), ("config", "rewrite"), ("cluster", "reset"), ("cluster", "forget"), ("cluster", "flushslots"),
    ("cluster", "failover"), ("acl", "setuser"), ("acl", "deluser"), ("script", "flush"), ("script", "kill"),
    ("client", "kill"), ("function", "flush"), ("function", "delete"), ("xgroup", "destroy"),
}  # fmt: skip
_REDIS_GROUPS = words("config client memory slowlog latency")
_REDIS_ASKS = words("get list usage stats info doctor len getname id history latest")


def _redis(draft: UseDraft) -> None:
    """Verbs in any case, which the tables of subcommands do not have; `--cluster` tells many servers."""
    _connect(draft)
    said = [word.lower() for word in draft.operands]
    if "--cluster" in draft.flags and said and said[0] not in {"info", "check", "help"}:
        draft.add("database/deletes")
    if not said:
        if {"--scan", "--bigkeys", "--memkeys", "--stat", "--latency", "--hotkeys"} & set(draft.flags):
            draft.looks("database/writes")
        return
    verb, second = said[0], said[1] if said[1:] else ""
    if verb in {"flushall", "flushdb"}:
        draft.add("database/drops")
    elif verb in _REDIS_DELETES:
        draft.add("database/deletes")
    elif verb in _REDIS_STOPS or (verb, second) in _REDIS_SETS:
        draft.add("service", "database/deletes")
    elif verb in {"eval", "evalsha", "fcall"}:
        if "flush" in " ".join(said[1:]):
            draft.add("database/drops")
    elif verb in _REDIS_LOOK and not (verb in _REDIS_GROUPS and second and second not in _REDIS_ASKS):
        draft.looks("database/writes")
        draft.add("database/reads")


_QUERIES = frozenset({"--query", "-q", "--execute", "--command", "-c"})


def _asks(draft: UseDraft) -> None:
    """A client whose options carry queries, or what stands behind `query`."""
    texts = [value for name, value in draft.values if name in _QUERIES]
    _answer(draft, texts + (draft.operands[1:] if draft.operands[:1] == ["query"] else []))


def _asks_words(draft: UseDraft) -> None:
    """A client that takes queries as words too: those with spaces in them."""
    texts = [value for name, value in draft.values if name in _QUERIES]
    _answer(draft, texts + [word for word in draft.operands if " " in word])


def _answer(draft: UseDraft, texts: list[str]) -> None:
    _connect(draft)
    _ask(draft, texts)
    if texts and _CHANGES.isdisjoint(draft.traits or ()):
        draft.looks()
    elif not texts and not draft.dry:
        draft.add("database/writes")
        draft.stdin = "code:sql"


def _document(draft: UseDraft) -> None:
    """Clients whose language is not SQL: what the code they are given names."""
    code = " ".join([value for _, value in draft.values] + draft.operands)
    if re.search(
        r"(?i)_?drop(?:database|collection|index)?\b|_?truncate\b|remove\s+(?:database|table|namespace)", code
    ):
        draft.add("database/drops")
    elif re.search(r"(?i)\b(?:delete|remove|purge)", code):
        draft.add("database/deletes")


def _dropdb(draft: UseDraft) -> None:
    _connect(draft)
    names = draft.operands
    if names and all(re.fullmatch(_FOR_TESTS, name) for name in names) and not draft.hosts:
        draft.drop("database/drops")
        draft.add("database/writes")


READERS: dict[str, Special] = {
    "asks": _asks,
    "asks_words": _asks_words,
    "connect": _connect,
    "document": _document,
    "dropdb": _dropdb,
    "mongo": _mongo,
    "mysql": _mysql,
    "psql": _psql,
    "redis": _redis,
    "sqlite": _sqlite,
}
