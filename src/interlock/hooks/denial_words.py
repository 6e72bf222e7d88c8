"""The words that hooks deny with, and the words that turn a denial into a mere report: tables for `said_no`."""

from __future__ import annotations

import re

__all__ = [
    "ALLOWED",
    "ANSI",
    "ANYWHERE",
    "BEGINNING",
    "COUNTED",
    "DENIED_WORDS",
    "DONE",
    "FAINT",
    "IN_QUESTION",
    "IS",
    "LAST_WORD",
    "LINES",
    "NEGATED",
    "OTHERS",
    "PREFIX",
    "PROGRESS",
    "REPORT",
    "ROUTINE",
    "STATED",
    "SUPPOSED",
    "TAG",
]

# --- denials -----------------------------------------------------------------------------------------------

DONE = (
    r"(?:blocked|denied|rejected|refused|forbidden|prohibited|disallowed|vetoed|banned|unauthori[sz]ed"
    r"|not\s+(?:been\s+)?(?:allowed|permitted|authori[sz]ed|approved))"
)
_DOING = r"(?:blocking|denying|rejecting|refusing|forbidding|prohibiting|disallowing|vetoing)"
_ORDER = r"(?:block|deny|reject|refuse|forbid|disallow|veto)"
_DOES = r"(?:blocks|denies|rejects|refuses|forbids|prohibits|disallows|vetoes)"
_EDGE = r"(?![\w/]|[-.]\w|\()"  # the end of a word that is not part of an identifier, a path or a call
_VIOLATION = (
    r"(?:(?:(?:security|safety|company)\s+)?(?:policy|security|safety|rule|guardrail|permission|compliance)[\s-]violation"
    r"|violation\s+of\s+(?:the\s+)?policy)"
)
_CODE = (
    r"(?-i:(?:ACCESS|PERMISSION|REQUEST|CALL|TOOL|COMMAND|OPERATION|ACTION)_(?:DENIED|BLOCKED|REJECTED|REFUSED|FORBIDDEN"
    r"|NOT_ALLOWED))"
)
# What a hook calls the thing it decides about (_ABOUT) and what it calls itself (_ACTOR).
_ABOUT = (
    r"(?:access|permission|operation|command|tool(?:[\s-](?:call|use))?|call|request|action|execution|invocation|write"
    r"|edit|read|deletion|change|input|prompt|file|path|url|query|commit|push|refund|transaction|attempt)"
)
_ACTOR = (
    r"(?:i|we|hook|guard|gate|policy|security|firewall|guardrail|interlock|pre-?tool-?use(?:\s+hook)?|validator|filter"
    r"|rule|sandbox)"
)
IS = r"(?:(?:is|was|are|were|ha(?:s|ve|d)\s+been|being|gets|got|will\s+be)\s+)?(?:\w+ly\s+)?"
_VERDICT = r"(?:(?:final\s+)?(?:permission\s*)?(?:decision|verdict|action|result|status|outcome|answer|permission))"
DENIED_WORDS = ("deny", "denied", "block", "blocked", "reject", "rejected", "refuse", "refused", "forbidden")

# The beginning of a line that denies. Some groups count only if the rest of the line makes a statement: see STATED.
BEGINNING = re.compile(
    rf"""(?:
        (?P<done>(?:request(?:ed)?\s+)?{DONE}){_EDGE}
      | (?P<doing>{_DOING}){_EDGE}
      | (?:(?:the|this|that|your)\s+)?(?:[\w.'"`-]+\s+){{0,2}}?{_ABOUT}\s+(?:(?:to|of|for)\s+\S+(?:\s\S+)?\s+)?{IS}
        (?P<passive>{DONE}){_EDGE}
      | (?P<violation>{_VIOLATION}){_EDGE} | (?P<code>{_CODE}){_EDGE}
      | (?P<order>(?!(?-i:block)\s*$){_ORDER}){_EDGE}(?=\s*$|\s*[:!]|\s+[-–—>→=*#<])
      | (?:this|it|that)(?:'s|\s+{IS})\s*(?P<pointed>{DONE}){_EDGE}
      | (?:(?:the|our|a)\s+)?(?:\w+\s+)?{_ACTOR}\s+(?:(?:has|have|will|must)\s+)?
        (?P<active>{DONE}|{_DOES}|{_ORDER}){_EDGE}
        (?=\s*$|\s*[:!.]|\s+(?:the|this|that|it|your|a|an|to|tool|call|command)\b)
      | you\s+(?:(?:are|were|'re|may|must|can|do)\s+not|(?:are|do|must)n't|can(?:not|'t))\s+
        (?P<you>allowed|permitted|authori[sz]ed|(?:have\s+)?permission|run|use|do|call|delete|execute|access|edit|write
        |read|push){_EDGE}
      | (?P<wont>(?:cannot|can't|can\s+not|won't|will\s+not|do\s+not|don't)\s+(?:allow|permit)){_EDGE}
      | {_VERDICT}\s*[:=]+>?\s*["'`]?(?P<verdict>{_ORDER}|{DONE}){_EDGE}(?!\s*[:=])
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# What follows a denial that is a statement: the end, a pause, a reason, or the thing that is denied.
STATED = re.compile(
    rf"""\W*$ | \s*[:!.,;—–…\])>|*=] | \s+[-–—>→=*\#<(+"'`“«$]
      | \s+(?:by|because|due|for|from|to|in|on|under|since|as|without|per|at|with|against|here|now|again|via|after)\b
      | \s+(?:this|the|that|it|your|our|my|a|an|all|any)\b
      | \s+(?:\w+\s+)?{_ABOUT}(?=\s*$|\s*[:!.,;—–(]|\s+(?:to|by|for|from|in|because|due|of|on|["'`-]))
      | \s+(?=\S*[_/.@-]|\S*[a-z]\S*\d|\S*[A-Z]\S*\d)\S*\w\S* | \s+\w+\s+[-/]
      | \s+\w*[^\Ws]\s*[!.]*$ | \s+(?!\w+(?<!ou)(?<!s)s\b)[\w\s/()-]{{1,60}}:\s+(?!\d)\S | \s+\w{{3,}}ing\s
      | \s+(?!\w+(?<!ou)(?<!s)s\b)\w+(?:\s\w+)?\s+(?:from|of|to|in|on|by|because|due|for)\b""",
    re.IGNORECASE | re.VERBOSE,
)
TAG = re.compile(r"\[\s*([^\]\[]{1,40}?)\s*\]")
# Denials anywhere in a line. Of the orders, only those that cannot be nouns as well ("block" can).
ANYWHERE = re.compile(
    rf"(?<![\w./'\"`-])(?:(?P<done>{DONE})|(?P<doing>{_DOING})|(?P<does>(?!blocks){_DOES})|(?P<order>deny|reject|refuse|forbid)"
    rf"|(?P<loud>(?-i:BLOCK|DENY))|(?P<violation>{_VIOLATION})|(?P<code>{_CODE}))s?{_EDGE}",
    re.IGNORECASE,
)
LAST_WORD = re.compile(rf"(?:\.{{2,}}|…|[-=]>|→|:)\s*{DONE}\s*[.!]*$", re.IGNORECASE)
# Words that deny only if the line also names the call.
FAINT = re.compile(
    r"[🚫⛔🛑✋🙅]|\b(?:stop(?:ped|ping)?|prevent(?:ed|ing)|abort(?:ed|ing)|cancel(?:l?ed|l?ing)|halt(?:ed|ing)"
    r"|intercept(?:ed|ing)|quarantined|do(?:es)? not run|don't run|will not run|won't run|not running|not executing"
    r"|must not|may not|(?:cannot|can't|can not) (?:be|run|allow|permit|let)|off limits|is protected|violates)\b",
    re.IGNORECASE,
)

# --- reports -----------------------------------------------------------------------------------------------

_NOT = r"(?:\bno|\bnot|\bnone|\bnever|\bnothing|\bnobody|\bneither|\bnor|\bwithout|n[o']t|\b0|\bzero)"
NEGATED = re.compile(rf"{_NOT}(?:[ -]+[\w']+){{0,3}}[ -]+$", re.IGNORECASE)
SUPPOSED = re.compile(
    r"\b(?:would|could|should|might|may|can|to be|previously|formerly|earlier|last|once|expected?)\b[^,;:]{0,40}$",
    re.IGNORECASE,
)
IN_QUESTION = re.compile(r"\b(?:if|whether|when|unless|until)\b[^,;:]{0,40}$", re.IGNORECASE)
ALLOWED = re.compile(r"\b(?:allow|permitt|approv)(?:ed|ing)\b", re.IGNORECASE)
# What turns the denial before it into a number, a list, a question or a state of waiting.
REPORT = re.compile(
    r"""\s*(?:
        [:=]\s*(?:(?:none|no|false|null|nothing|n/?a|-)\s*(?:$|[,;.|)])|[\[{(])
      | [:=(]*\s*(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*(?:%|ms|s|of|/\s*\d+)?(?![\w.:/-])
      | [^:=]{1,60}[:=]\s*(?:\d+(?:[.,]\d+)*\s*%?|none|no|nothing|clean|passed|ok|false|null|n/?a|\[\]|\{\}|-)\W*$
      | [^:=]{1,60}\b(?:passed|ok|clean|finished|succeed(?:ed|s)|successful|complete|ready|loaded|refreshed|deprecated
        |miss|hit|skipped|empty|ignored)\W*$
      | \s(?:nothing|none|no|nobody|zero)\b | \{ | \? | s?[-_ ]*(?:list|set|map|table|count|rate|ratio|size|total|mode
        |time|queue|thread|i/?o|socket|state|status|percentage|event|until|since|factor|rule|cache|metric)s?\b
      | \s+(?!to\s)(?:\w+\s+){0,2}?(?:domains|hosts|ips|addresses|words|terms|patterns|rules|paths|files|commands|users
        |imports|items|entries|urls|extensions|tools|licen[sc]es|packages|dependencies|modules|calls|operations|requests
        |connections|names|keys|ports|countries|accounts|senders|origins|keywords|regexes|prefixes|reads|writes|tasks
        |threads|issues|cookies|trackers|ads|types|branches|characters|tags|tokens|attempts|errors|changes|promises
        |processes|candidates)(?!\s+(?:is|are)\s+not)\b
      | \s+on\s+(?:review|ci\b|merge|approval|input|lock|i/?o|upstream|\#|\d|[a-z]+-\d|stdin|resource)
      | \s+by\s+(?:\#|\d|cors\b|task|issue|ticket|upstream|nothing|none|nobody|no\s|(?:a\s+|another\s+)?(?:lock|pid
        |process|transaction|session\b)) | \s+\(publickey | \s+for\s+(?:user\s|url\b|\d)
      | ,?\s*please\s+try\s+again | .{0,40}requested\s+access\s+to\s+the\s+resource | \s+while\s+trying
      | \s+(?:a\s+frame|loading|script\s+execution|mixed)\b
      | \s+(?:call|operation|read|write|request|task|wait)s?\s+(?:took|takes|in|on|detected|for)\b
      | (?<=using)\s+to\s+(?:overwrite|merge|install|start|load|connect|create|update|fetch|lose|follow|downgrade
        |upgrade|reload|open|clobber|replace)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
COUNTED = re.compile(r"\s*[:=(]*\s*[1-9]\d*(?![\w.:/%-]|\s*(?:ms|s)\b)")
# Errors of the system or a library that say "denied" or "refused" of something other than the call.
OTHERS = re.compile(
    r"\[Errno \d+\]|updates were rejected|^!?\s*\[(?:remote )?rejected\]|403 (?:client error: )?forbidden(?!\s*:)"
    r"|(?:^|\s)(?:remote|docker|ssh|zsh|bash|sh|fish|sudo|kubectl):\s.*(?:denied|forbidden)|\bgot permission denied"
    r"|connect\w*[^,;]{0,40}refused|refused to connect|\bE(?:PERM|ACCES|CONNREFUSED)\b|\brejected\]|by CORS policy"
    r"|(?:pipe|host|server|peer|port \d+|socket)[: ]+(?:connection )?refused|unhandled (?:promise )?rejection"
    r"|: permission denied\s*$|: operation not permitted\s*$|(?:^|\s)[\w.]*\w(?-i:Error|Exception|Warning|Denied): ",
    re.IGNORECASE,
)
# A line of a test runner, a linter or a table.
ROUTINE = re.compile(
    r"^\s*(?:[✓✔√☑|]|(?:not )?ok \d|PASS(?:ED)?\b|SKIP(?:PED)?\b|RUNS?\b|describe\b|it\()|\(\d+(?:\.\d+)? ?m?s\)\s*$"
    r"|(?:^|\s)[\w.-]*[/\\][\w./\\-]*\.\w{1,5}:\d+(?!\d*\])|\.\w{1,5}:\d+:\d+|\.\w{1,5}\(\d+|::test_|\|\s*(?:allowed|asked|passed)\s*\|"
    r"|^\s*\d+:\d+\s+(?:error|warning|warn)\b|\bno-[a-z]+(?:-[a-z]+)*\s*$"
)
# The beginning of a line that says what is being done rather than what was decided.
PROGRESS = re.compile(
    r"(?:load|check|scan|read|regist|compil|start|initiali|using|uses|evaluat|runn|process|test|assert|allow|permit(?!ted)"
    r"|approv|pass|ok\b|skip|todo|fixme|usage|help|hint|example|default|config|expect|watch|polic(?:y|ies) load|fatal:"
    r"|parse|match(?:ing|es)|enabl|sync|updat|download|cache|fetch)",
    re.IGNORECASE,
)

# --- what comes before them --------------------------------------------------------------------------------

ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]")
LINES = re.compile(r"[\r\n\v\f\x85\u2028\u2029]+")
_LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRITICAL|CRIT|FATAL|SEVERE|ALERT"
PREFIX = re.compile(
    rf"""(?:
        [IWEF]\d{{4}}\s\S+\s+\d+\s\S+\] | \[[^\]\[]{{0,60}}\] | \([^()]{{0,40}}\) (?=\s) | <[^<>]{{0,40}}>
      | \d{{4}}[-/]\d\d[-/]\d\d (?:[T ]\s*\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)? (?:Z|[+-]\d\d:?\d\d)?
      | \d{{1,2}}:\d\d(?::\d\d)?(?:[.,]\d+)? (?:\s*[AP]M)? | \d{{9,}}(?:[.,]\d+)?
      | (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\s+\d+
        (?:\s+\d\d:\d\d:\d\d)?(?:\s+[A-Z]{{3}})?(?:\s+\d{{4}})?
      | (?:level|lvl|time|ts|t|logger|name|pid|hook|tool|component|caller)=(?:"[^"]*"|\S+) | (?:msg|message|event)=["']?
      | (?:{_LEVELS}|[DIWEF])\b | (?i:{_LEVELS})(?=\s*[:|\]])
      | (?i:sorry|nope|no|oops|stop|alert|attention|unfortunately)[,!:.]+\s
      | [\w-]+\.\w{{1,5}}:\d+:?\s
      | (?!(?i:todo|fixme|fatal|help|hint|usage|example|expected|previous|last)\b)
        [\w.@-]{{1,40}}(?:\[\d+\]|:\d+)?:(?!//|\d) | [\w.-]{{1,40}}>\s
      | [\w.-]{{1,40}}\s+(?=[-–—|]\s) | [/\\][/\\!*]*(?=\s)
      | [^\w\s\[\](){{}}<>"'`/\\$%&@+~]+ | \s+ | (["'`])(?=.*["'`]\W*$) | [<>]+
    )""",
    re.VERBOSE,
)
