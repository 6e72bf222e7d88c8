"""Databases and what is asked of them."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, host_of, join
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


def _connect(draft: UseDraft, *hosts: str) -> None:
    for name, value in draft.values:
        if name in hosts and not value.startswith("/") and value not in {"localhost", "127.0.0.1", "::1"}:
            draft.hosts.append(host_of(value))


def _ask(draft: UseDraft, texts: list[str]) -> None:
    for text in texts:
        draft.run("code:sql", text)
        judge_sql(draft, text)


def _psql(draft: UseDraft) -> None:
    _connect(draft, "--host")
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
        if (
            not {"database/writes", "database/drops", "database/deletes"} & (draft.traits or set())
            and "--file" not in draft.flags
        ):
            draft.looks()
    else:
        draft.add("database/writes")
        if "--file" not in draft.flags:
            draft.stdin = "code:sql"


def _meta(draft: UseDraft, text: str) -> None:
    """psql's own commands: `\\!` is a shell, `\\copy` moves files."""
    if text.startswith("\\!"):
        draft.aside(text[2:].strip())
    elif not re.match(r"\\(?:d\w*[S+]*|l|l\+|list|z|conninfo|\?|h|timing|x|sf\+?|sv\+?|encoding)(?:\s|$)", text):
        draft.add("database/writes")


def _mysql(draft: UseDraft) -> None:
    _connect(draft, "--host")
    texts = [value for name, value in draft.values if name in {"--execute", "--init-command", "--query"}]
    for text in texts:
        if text.lstrip().startswith(("\\!", "system ")):
            draft.aside(text.lstrip().partition(" ")[2])
    _ask(draft, texts)
    if texts:
        if not {"database/writes", "database/drops", "database/deletes"} & (draft.traits or set()):
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
    elif {"database/writes", "database/drops", "database/deletes"} & noted:
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


def _dump(draft: UseDraft) -> None:
    _connect(draft, "--host")


def _mongo(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "--eval":
            draft.run("code:js", value)
            if re.search(r"drop\w*\(|deleteMany\(\s*\{\s*\}", value):
                draft.add("database/drops")
            elif re.search(r"(?:\.|\[['\"])(?:delete|remove|findOneAndDelete)|update(?:Many)?\(\s*\{\s*\}", value):
                draft.add("database/deletes")
    _connect(draft, "--host")
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
_REDIS_STOPS = words("debug replicaof slaveof failover migrate restore swapdb module")
# They rewrite what the server is, or where it writes its files.
_REDIS_SETS = {
    ("config", "set"), ("config", "rewrite"), ("cluster", "reset"), ("cluster", "forget"), ("cluster", "flushslots"),
    ("cluster", "failover"), ("acl", "setuser"), ("acl", "deluser"), ("script", "flush"), ("script", "kill"),
    ("client", "kill"), ("function", "flush"), ("function", "delete"), ("xgroup", "destroy"),
}  # fmt: skip


def _redis(draft: UseDraft) -> None:
    _connect(draft, "-h")
    words = draft.operands
    if "--cluster" in draft.flags and words[:1] and words[0] not in {"info", "check", "help"}:
        draft.add("database/deletes")
    if (url := draft.value("-u")) is not None:
        draft.urls.append(url)
    if not words:
        if {"--scan", "--bigkeys", "--memkeys", "--stat", "--latency", "--hotkeys"} & set(draft.flags):
            draft.looks("database/writes")
        return
    verb = words[0].lower()
    if verb in {"flushall", "flushdb"}:
        draft.add("database/drops")
    elif verb in {
        "del",
        "unlink",
        "hdel",
        "srem",
        "zrem",
        "lrem",
        "ltrim",
        "xdel",
        "xtrim",
        "getdel",
        "spop",
        "lpop",
        "rpop",
    }:
        draft.add("database/deletes")
    elif verb == "shutdown" or verb in _REDIS_STOPS or (verb, words[1].lower() if words[1:] else "") in _REDIS_SETS:
        draft.add("service", "database/deletes")
    elif verb in {"eval", "evalsha", "fcall"}:
        if "flush" in " ".join(words[1:]).lower():
            draft.add("database/drops")
    elif verb in _REDIS_LOOK and not (
        verb in {"config", "client", "memory", "slowlog", "latency"}
        and words[1:2]
        and words[1].lower()
        not in {"get", "list", "usage", "stats", "info", "doctor", "len", "getname", "id", "history", "latest"}
    ):
        draft.looks("database/writes")
        draft.add("database/reads")


def _asks(*names: str) -> Special:
    """A client whose options or operands carry queries."""

    def of(draft: UseDraft) -> None:
        texts = [value for name, value in draft.values if name in names]
        if draft.operands[:1] == ["query"]:  # `sqlcmd query TEXT`
            texts += draft.operands[1:]
        elif draft.name in {"cypher-shell", "usql", "surreal"}:
            texts += [word for word in draft.operands if " " in word]
        _connect(draft, "--host", "--server", "-h", "-S")
        _ask(draft, texts)
        if texts and not {"database/writes", "database/drops", "database/deletes"} & (draft.traits or set()):
            draft.looks()
        elif not texts and not draft.dry:
            draft.add("database/writes")
            draft.stdin = "code:sql"

    return of


def _cockroach(draft: UseDraft) -> None:
    """A server, its nodes and its shell in one program."""
    said = draft.operands[:2]
    if said[:1] == ["sql"] or not said:
        _asks("--execute", "--query", "--command")(draft)
    elif said in (["node", "decommission"], ["node", "drain"]) or said[:1] in (["quit"], ["drain"]):
        draft.add("database/deletes", "service")
    elif said in (["node", "status"], ["node", "ls"]) or said[:1] in (["version"], ["gen"]):
        draft.looks()
        draft.add("database/reads")
    elif said[:1] in (["start"], ["start-single-node"], ["init"], ["demo"], ["workload"]):
        draft.add("service", "database/writes")
    else:
        draft.add("database/writes")


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
    _connect(draft, "--host")
    names = draft.operands
    if draft.name == "dropdb" and names and all(re.fullmatch(_FOR_TESTS, name) for name in names) and not draft.hosts:
        draft.drop("database/drops")
        draft.add("database/writes")


def _pg_data(draft: UseDraft) -> None:
    if draft.name in {"pg_resetwal", "pg_rewind"} and {"-n", "--dry-run", "-?"} & set(draft.args):
        draft.dry = True
    if draft.name in {"pg_resetwal", "pg_rewind"} or (draft.name == "pg_ctl" and "stop" in draft.operands):
        draft.add("database/deletes")
    elif draft.name == "pg_ctl" and draft.operands[:1] == ["status"]:
        draft.looks("service", "database/writes")
    if (where := draft.value("--pgdata")) is not None:
        draft.writes.append(join(where, ""))


READERS: dict[str, Special] = {
    "cockroach": _cockroach,
    "curator": (
        lambda draft: (
            draft.looks("database/writes", "database/deletes")
            if draft.operands[:1] in (["show_indices"], ["show_snapshots"], ["show-indices"])
            else None
        )
    ),
    "document": _document,
    "dropdb": _dropdb,
    "dump": _dump,
    "mongo": _mongo,
    "mongoimport": (
        lambda draft: draft.add("database/deletes") if draft.value("--mode") in {"delete", "upsert", "merge"} else None
    ),
    "mysql": _mysql,
    "mysqladmin": (
        lambda draft: (
            draft.add("database/drops")
            if "drop" in draft.operands
            else draft.add("database/deletes")
            if {
                "shutdown",
                "password",
                "kill",
                "stop-slave",
                "stop-replica",
                "old-password",
                "flush-hosts",
                "flush-logs",
            }
            & set(draft.operands)
            else draft.looks("database/writes", "service")
            if draft.operands[:1]
            in (["status"], ["ping"], ["processlist"], ["variables"], ["version"], ["extended-status"])
            else None
        )
    ),
    "pg_data": _pg_data,
    "psql": _psql,
    "redis": _redis,
    "sqlcmd": (_asks("--query", "-q", "--execute", "--command", "-c")),
    "sqlite": _sqlite,
}
