"""Signals that a text gives orders to a model: what each looks like, and how much it says.

None of them is enough alone. Ordinary pages tell their readers what to run, forms ask for passwords, and books on
language models address them. What ordinary text does not do is several of these within a few lines.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import re2
from msgspec import Struct

from interlock.facts.injections.languages import LANGUAGES
from interlock.facts.injections.words import TRIGGERS, pattern_of

__all__ = ["CORE", "SIGNALS", "Signal", "searches", "trigger_search"]


class Signal(Struct, frozen=True):
    """One sign. At least one core sign is in every passage that gives orders."""

    name: str
    weight: float
    patterns: tuple[str, ...]
    core: bool = False


def _signal(name: str, weight: float, *patterns: str, core: bool = False) -> Signal:
    return Signal(name, weight, tuple(map(pattern_of, patterns)), core)


SIGNALS: tuple[Signal, ...] = (
    _signal(
        "override", 0.75,
        r"\b<void>\b<~40>\b<prior>\b<~30>\b<rules>\b",
        r"\b<void>\b<~40>\b<rules>\b<~25>\b<told>\b",
        r"\b<void>\b<~15>\b(?:your|its|their|my)\b<~25>\b<rules>\b",
        r"\b<void>\b<~15>\b(?:everything|anything|whatever|what|all)\b<~30>\b(?:above|so far|earlier|previously"
        r"|told|taught|before)\b",
        r"\b<void>\b<~15>\b(?:system prompt|tasks? (?:that )?you (?:were|have|got))",
        r"\bset\b<~15>\b<prior>\b<~15>\b<rules>\b<~10>\baside\b",
        r"\b(?:<void>|bypass(?:ing)?|suspend)\b<~15>\b(?:security|safety|content|ethical"
        r"|standard)\b<~15>\b(?:<rules>|checks|measures|filters|protections|mechanisms)\b",
        r"\b(?:everything|whatever) you (?:were|have been) told\b<~30>\b(?:<ended>|no longer applies)",
        core=True,
    ),
    _signal(
        "void rules", 0.45,
        r"\b(?:your|previous|prior|earlier|original|safety|current|all|these|rules in|instructions in"
        r"|the)\b<~25>\b(?:<rules>|claude\.md|agents\.md)"
        r"<~30>\b(?:(?:do|does) not apply|no longer appl(?:y|ies)|must not be followed|(?:is|are|were|was"
        r"|have been|has been) <ended>)",
        r"\b(?:not bound by|no longer bound by|free from|exempt from) (?:your|any|all|the) <~20><rules>",
        r"\bwithout (?:any )?(?:restrictions|safety rules|rules)\b",
        r"\bviolates? your <rules>",
        r"\b(?:no longer have to|need not|don'?t have to) (?:observe|follow|obey) (?:any|your|the) <~10>(?:<rules>"
        r"|policy)",
        core=True,
    ),
    _signal(
        "addressed", 0.6,
        r"\b(?:notes?|attention|instructions?|message|notice|heads-up|warning|reminder|comment"
        r"|attn)\b[\s,:;!*(#@-]{1,4}"
        r"(?:(?:to|for|from|all|any|the|an?|my|other|every) ){0,3}(?:<model>|<broad>)\b(?: \([^)\n]{0,60}\))?"
        r"[^.!?,;\n]{0,40}:",
        r"\b(?:hello|dear|psst|attention|attn|listen)\b[\s,:;!*(#@-]{1,4}(?:all |any |the |my )?(?:<model>"
        r"|<broad>)\b",
        r"\bif (?:you are|you're) an? (?:\w+ )?(?:<model>|<broad>)\b",
        r"\b(?:if|when|whenever) an? (?:<model>|agent) (?:is|reads|processes|sees|encounters|summari[sz]es)\b",
        r"\b(?:<model>|agents?|models?|bots?)\b(?: \([^)]{0,60}\))?,? ?(?:that |who |which )?(?:reading|processing"
        r"|reviewing|summari[sz]ing|read|process|parse|looking at"
        r"|working on|processes|triages) (?:this|the (?:page|text|file|issue|document))\b",
        r"\b(?:<model>|agents?|bots?|automated (?:systems?|processors?|readers?))[ _-]{1,2}(?:directives?"
        r"|commands?|instructions?|override|notice|alert|orders?)\b",
        r"(?:^|[.!?>*\"(] |\n\s*\n\W{0,6}|\n[ \t]*[#*>/-]\W{0,5}|// ?|# ?)"
        r"(?:hey |hi |hello |ok |dear |@)?(?:claude|copilot|chatgpt|assistant"
        r"|chatbot|language models?|(?-i:AI))[,!:] ",
        r"(?:^|[.!?\n] ?)(?-i:Agent|Model|Bot), ",
        r"(?:^|\n|[>(\"] ?|<!-- ?)(?:<model>|(?-i:Agents|Models|Bots|AGENTS))(?: \w+)?: ",
        r"\b(?:if|when|in case) an? <model> (?:\w+ )?reads\b",
        r"@(?:claude|copilot|cursor|codex)\b",
        r"\bfor (?:LLMs?|(?-i:AI) \w+|any automated \w+|AI (?:agents|assistants|reviewers))\b[^.!?,\n]{0,30}:",
        r"\b(?:you are|you're|as) (?:now )?an? (?-i:AI)\b",
        r"\b(?:(?-i:As)|working as) an? (?:\w+[ -]){0,2}(?:agent|assistant|bot)[,:]? (?:you\b|please\b|[a-z]+ )",
        r"\bautomated (?:processors|readers|systems): ",
        core=True,
    ),
    _signal(
        "duty of a model", 0.4,
        r"\b<model>\b<~40>\b(?:must|shall|should|has to|have to|(?:is|are) (?:required|instructed|expected|asked"
        r"|obliged|to)\b|no longer needs?|may (?:not|skip))",
        r"\b(?:as|like) an? <model>,? you\b",
        core=True,
    ),
    _signal(
        "duty of an agent", 0.35,
        r"\b(?:the |all |any |this |ai )?<broad> (?:must|shall|should|has to|have to|needs? to|(?:is"
        r"|are) (?:required|instructed) to|may (?:not|skip))\b",
        r"\b(?:model|agent) (?:first (?:reads|executes|sends|calls)|does (?:what|everything|as))",
        core=True,
    ),
    _signal(
        "persona", 0.4,
        r"\byou are (?:now|no longer|hereby) ",
        r"\byou (?:are|will be) (?:an? |the )?<~25>\b(?:<model>|agent|bot|model)\b",
        r"\byou(?:'re| are) an? (?:[\w-]+ ){0,4}(?:agent|assistant)\b|\brole-?play\b",
        r"\b(?:pretend (?:that|to be|you)|act as (?:her|him|if|an?|though|[A-Z])|answer as)\b",
        r"\byou (?:answer|respond|reply|obey|comply|will obey|will comply)\b",
    ),
    _signal(
        "concealment", 0.55,
        r"\b<not>\b<~15>\b<tell>\b<~25>\b(?:<person>|the maintainers|the team)\b",
        r"\b<not>\b<~10>\b<tell>\b<~20>\b(?:this (?:message|note|sentence|text|line|remark|step)|in (?:the"
        r"|your) (?:summary|report|answer|reply)|that (?:you|this))\b",
        r"\b(?:the )?<person> (?:must|should|may) not (?:be )?(?:informed|told|notified|know|see|notice|learn"
        r"|hear|asked)\b",
        r"\b<not>\b<~5>\blet\b<~25>\bknow\b",
        r"\bso (?:that )?(?:they|(?:the )?user) (?:do not|don'?t|does not|doesn'?t|won'?t) (?:notice|see|know)\b",
        r"\bkeep (?:this|it|that) <~15>(?:secret|between us|hidden|to yourself)\b|\blet'?s keep\b<~30>\bout of it\b",
        r"\b(?:hide|conceal) (?:that|the fact|this from)\b|\bleave no trace\b|\bleave (?:this|it) out of\b"
        r"|\bwithout telling\b",
        r"\bnever (?:mention|reveal|disclose|say) (?:it|this|that|these)\b|\bkeep quiet\b|\bwithout mentioning\b",
        r"\b(?:do not|don'?t|never) (?:flag|explain) (?:it|this|the change|why)\b|\bconceal that\b",
        r"\b(?:not|never) (?:want to )?be reminded\b|\bdo not (?:question|explain why)\b",
        core=True,
    ),
    _signal(
        "stealth", 0.3,
        r"\b(?:secretly|silently|quietly|discreetly|covertly)\b",
        r"\bdo (?:it|this|so) (?:silently|quietly|now)\b",
    ),
    _signal(
        "system prompt", 0.7,
        r"\b<show> (?:me |out |with )?(?:(?:the|your|its|this|their) )?(?:\w+ ){0,4}?(?:(?:of|from) (?:your"
        r"|the) )?(?:system prompt|initial prompt|system message|your (?:\w+ ){0,3}(?:prompt|instructions"
        r"|rules))\b",
        r"\b(?:contents?|text) of your <~20>(?:prompt|instructions)\b",
        r"\b(?:repeat|print|output) (?:everything|all|the text|the words) <~20>above\b",
        core=True,
    ),
    _signal(
        "secrets wanted", 0.4,
        r"\b(?:<send>|<show>)\b<~60>(?:\b|\B)<secret>",
        r"\bcall\b<~30>\b(?:entire|full|whole) conversation\b",
        r"\b(?:contents?|values?) of (?:\w+ ){0,4}(?:<secret>|environment)",
    ),
    _signal("sent out", 0.3, r"\b<send>\b<~80><place>", r"\b(?:visit|fetch|open|request to|request with)\b<~60>https?://"),
    _signal(
        "picture that sends", 0.6, r"!\[[^\]\n]{0,60}\]\(https?://[^)\n]{1,120}[?=/][^)\n]{0,60}[{\[<]",
        core=True,
    ),
    _signal(
        "code from the network", 0.35,
        r"\b(?:curl|wget|iwr|irm)\b[^\n|]{0,120}\|\s*(?:sudo )?(?:ba|z|da)?sh\b",
        r"\b(?:bash|sh) <\(curl\b",
        r"\breverse shell\b|\beval\(atob\b|\bexec\([^\n]{0,40}urlopen\b|\bos\.system\(requests\b",
        r"\bdecode (?:and|it and)\b<~20>\b(?:execute|run|follow|do)\b|\bthen do what it says\b",
    ),
    _signal(
        "told to run", 0.2,
        r"\b(?:run|execute|carry out|perform|invoke|call|install|do) (?:the |this |these |it |`|whatever |all "
        r"|any |every )",
        r"\bfollow (?:the steps|this|mine|it)\b",
    ),
    _signal(
        "far-reaching act", 0.25,
        r"\b(?:delete|force-push|publish|merge|transfer|rotate|invite|wipe) (?:the|it|them|all|every|\w+@|without"
        r"|\d)",
        r"\bpush (?:it|with|the branch)\b|\bset-url\b|\bmerge without\b",
        r"\bmake (?:the|it|this)\b<~20>\b(?:public|readable for|world)\b|\bas an? (?:admin|owner)\b"
        r"|\bwrite access\b|\bgive everyone\b",
        r"\bchange the recipient\b|\bpay the\b|\bauthorized_keys\b|\bchmod -R 777\b",
        r"\bcard number\b|\bbank account\b",
    ),
    _signal(
        "claimed consent", 0.45,
        r"\b(?:user|operator|administrator|admin|maintainers?|owner|team|developer|person|human)s?\b (?:has|have"
        r"|had|already|says?|knows?|wants?)\b<~30>\b(?:<allowed>|about this|you to)\b",
        r"\bpermission (?:has been|was) (?:granted|given)\b|\bpermission is (?:granted|given) by the\b"
        r"|\byou have (?:been granted|permission)\b",
        r"\b(?:user|person|operator|human) (?:says|wants you|has asked you|asked you|really|actually"
        r"|wanted something)\b",
        r"\b(?:approved|allowed|authori[sz]ed|requested) by (?:an? |the )?(?:admin\w*|user|operator|team"
        r"|site owner)\b",
        core=True,
    ),
    _signal(
        "no need to ask", 0.35,
        r"\byou (?:don'?t|do not|no longer|needn'?t|need not)(?: (?:need|have) to)? ask\b|\b(?:all|every"
        r"|any) (?:further|following|future|later) (?:\w+ )?(?:commands?|actions?|calls?|steps?)\b",
    ),
    _signal(
        "no questions", 0.35,
        r"\bwithout (?:(?:any|further|the|user|human|user's) ){0,2}(?:asking|confirmation|confirming|prompting"
        r"|approval|review|permission|reading|validation|consent)\b",
        r"\bno (?:further )?(?:<consent>|need to (?:confirm|ask))\b(?: (?:is|are))?",
        r"\b(?:skip|bypass|no longer (?:need|ask for|require)s?|don'?t need|do not need)\b<~25>\b<consent>\b",
        r"\b(?:don'?t|do not|never|no longer) ask\b<~25>\b(?:again|permission|confirmation|approval|any ?more|me)\b",
    ),
    _signal(
        "guard off", 0.4,
        r"\b(?:disable|turn(?:ed)? off|switch(?:ed)? off|deactivate|remove)\b<~15>\b(?:all |the |any )?<guard>\b",
        r"\b<guard>\b(?: \w+){0,4}? (?:is|are|has been|have been) (?:off|disabled|lifted|suspended|switched off"
        r"|turned off|not in force)\b",
        r"\bbypassPermissions\b",
    ),
    _signal(
        "claimed authority", 0.5,
        r"\b(?:messages?|notice|instructions?|order|override) from (?:your |the )?(?:anthropic|openai|developers?"
        r"|operator|principal|admin\w*|safety team)\b",
        r"\b(?:admin\w*|emergency|operator|system|security|developer|root|protocol|safety)[ _:-]override\b"
        r"|\boverride (?:security|safety|your)\b",
        r"\b(?:anthropic|openai|google)(?:'s)? (?:safety|compliance|security|policy)\b",
        r"\b(?:developer|jailbreak|maintenance|god|unrestricted|DAN) mode\b",
        r"\bsystem (?:notice|notification|override|update)\b|\bas your (?:principal|operator|developer)\b"
        r"|\byour operator\b|\bsecurity policy updated\b",
        core=True,
    ),
    _signal(
        "new task", 0.5,
        r"\byour (?:new|updated|real|only|actual|true|sole) (?:task|goal|job|objective|instructions?|mission"
        r"|purpose)\b",
        r"\b(?:new|next|real|updated) (?:task|objective|goal|instructions?|policy)\b<~20>\b(?:<model>|model"
        r"|agents?)\b",
        r"\byour (?:instructions|goals?|task|objectives?) (?:have|has) (?:been )?(?:updated|changed|replaced)\b",
        r"\b(?:stop|abandon|cancel|drop|leave) (?:what you are doing|(?:the|your) (?:current|present) (?:task|work"
        r"|assignment))\b|\bthe real task\b",
        r"\b(?:user's|the) (?:original |initial |real )?request\b<~35>\b(?:cancell?ed|withdrawn|replaced)\b",
        r"\bwhat the user (?:really|actually)\b|\bthe user (?:really|actually) (?:wants?|needs?|wanted)\b"
        r"|\buser wanted something else\b",
        r"\b(?:follow|obey) (?:mine|this (?:file|comment|page|text|document)|the (?:text|comment)) ?(?:instead"
        r"|in this|below|and)?",
        r"\b(?:new|updated) instructions?(?: \w+){0,4} ?:|\binstructions updated\b|\bthe real (?:request|task)\b"
        r"|\bpriority over the user\b",
        r"\b(?:treat|consider|regard) (?:the |this )?(?:text|message|author)\b<~25>\b(?:as"
        r"|to be)\b<~20>\b(?:instructions?|message|your)\b",
        core=True,
    ),
    _signal(
        "marks of a role", 0.6,
        r"\[/?INST\]|<</?SYS>>|<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id"
        r"|endoftext)\|>",
        r"</?(?:system-reminder|user-prompt-submit-hook|function_results?|function_calls|tool_results?"
        r"|tool_response|tool_use|antml:\w+)\b",
        r"</?(?:system|assistant|secret|IMPORTANT)>",
        core=True,
    ),
    _signal("forged call", 0.5, r"<(?:antml:)?(?:invoke|parameter|tool_use) name=|<function_calls>", core=True),
    _signal(
        "line of a role", 0.4,
        r"(?:^|\n)[ \t]*(?:#{1,4} ?)?(?-i:System|SYSTEM)(?: (?-i:NOTICE|MESSAGE|PROMPT))? ?:",
        r"(?:^|\n)[ \t]*\[(?:system|interlock|claude code)\]",
        r"\b(?:Pre|Post)ToolUse hook\b|\bmessage to (?:claude|the (?:model|assistant))\b",
        core=True,
    ),
    _signal("line of a person", 0.4, r"(?:^|\n)[ \t]*(?-i:Human|User|User message) ?: ", core=True),
    _signal("line of an assistant", 0.25, r"(?:^|\n|\. )[ \t]*(?-i:Assistant|AI|Claude) ?: "),
    _signal(
        "out of sight", 0.3,
        r"<!--|\[//\]: ?#|\[comment\]: ?<>|\{#|\.\. comment",
        r"display: ?none|font-size: ?0|visibility: ?hidden|color: ?(?:white|#fff|transparent)\b|opacity: ?0\b",
    ),
    _signal(
        "addressed by its work", 0.5,
        r"\b(?:when|while|before|after) (?:you )?(?:summari[sz]e|summari[sz]ing|translat(?:e|ing)|review(?:ing)?"
        r"|process(?:ing)?|refactor(?:ing)?) (?:this|the) (?:page|document|text|article|e-?mail|file|module|issue"
        r"|repository)\b",
        r"\b(?:in|with|into|to|from) your (?:next |final )?(?:summary|answer|reply|response|report)\b",
        core=True,
    ),
    _signal(
        "word for word", 0.3,
        r"\b(?:word for word|verbatim|in full|complete(?:ly)? and unchanged|inside a code block|before you answer)\b",
    ),
    _signal(
        "dictated answer", 0.3,
        r"\b(?:rate|mark|grade|label|summari[sz]e|recommend|approve) (?:this|it|the)\b<~40>\b(?:as|over|an?"
        r"|without)\b",
        r"\b(?:reply|respond|answer) (?:only|solely|just|\"|with (?:only|the word))|\blgtm\b|\bfull marks\b"
        r"|\bgive it an? [A-F]\b",
        r"\bsay that (?:they|it|this)\b|\btell the reader\b|\bclaim that\b|\bleave out\b|\breplace the\b",
        r"\bbefore (?:you answer|giving any answer|you continue|you go on|using this tool)\b",
        r"\bto your reply\b|\byour next (?:web )?request\b|\bevery request that you\b",
    ),
    _signal(
        "you must", 0.2,
        r"\byou (?:must|shall|have to|need to|should now|may not|are (?:required|to|instructed))\b",
        r"\bmust (?:also|first|always|begin)\b",
    ),
    _signal(
        "from now on", 0.25,
        r"\bfrom (?:now|here) on\b|\buntil further notice\b|\beffective (?:immediately|today)\b|\bany longer\b"
        r"|\binstead\b",
    ),
    _signal(
        "urgency", 0.15,
        r"\b(?-i:IMPORTANT|ATTENTION|URGENT|EMERGENCY)\b|\bimmediately\b|\bright (?:now|away)\b|\bstraight away\b"
        r"|\bjust run it\b",
    ),
    # Signs that a text is about orders, or speaks to a reader who has done something else. They take away.
    _signal(
        "an example", -0.5,
        r"\b(?:such as|phrases?|sentences?|e\.g\.|for example|for instance|examples?|attackers?|prompt injections?"
        r"|known attacks?)\b[^.!?\n]{0,60}[\"“'`«]",
    ),
    _signal(
        "a condition", -0.35,
        r"\b(?:if|unless|when|wenn|falls|si|se)\b[^.!?\n]{3,80}, ?(?:then |please )?"
        r"(?:ignor\w+|disregard|forget|skip|olvide|oubliez|dimentica\w*)\b",
    ),
    *(_signal(name, weight, *patterns, core=core) for name, weight, core, patterns in LANGUAGES),
)  # fmt: skip

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.case_sensitive = False
_OPTIONS.max_mem = 64 << 20


def _union(patterns: tuple[str, ...]) -> Any:
    return re2.compile("|".join(f"(?:{one})" for one in patterns).encode(), options=_OPTIONS)


@cache
def searches() -> tuple[tuple[Signal, Any], ...]:
    """A search for each signal. Compiled when the first text has a core signal."""
    return tuple((one, _union(one.patterns)) for one in SIGNALS)


@cache
def trigger_search() -> Any:
    """One search for words without which no core signal is there."""
    return _union(tuple(map(pattern_of, TRIGGERS)))


CORE = frozenset(one.name for one in SIGNALS if one.core)
