"""Words of which orders to a model are made, as parts of patterns. `<name>` in a pattern stands for one of them."""

from __future__ import annotations

import re

__all__ = ["TRIGGERS", "WORDS", "pattern_of"]

_GAP = r"[^.!?;]"

WORDS: dict[str, str] = {
    # Who is addressed. Agents and models are also people, browsers and tables, so those words count less.
    "model": (
        r"(?:(?-i:AI|A\.I\.|LLMs?|GPT)(?:[ -](?:assistants?|agents?|models?|systems?|tools?|bots?|based tools?"
        r"|reviewers?"
        r"|graders?|readers?|crawlers?))?|LLM-based \w+|(?:large )?language models?|(?:chat|code|coding|automated"
        r"|virtual) ?"
        r"(?:bots?|assistants?|agents?)|assistants?|claude|copilot|chatgpt|chatbots?)"
    ),
    "broad": r"(?:agents?|models?|bots?|cursor|gemini|codex)",
    "person": r"(?:users?|humans?|persons?|people|readers?|customers?|operators?|owners?|anyone|anybody|somebody)",
    # What a model was told before, and what becomes of it.
    "rules": (
        r"(?:instructions?|directives?|directions|prompts?|rules?|guidelines?|guardrails|restrictions?|policies"
        r"|orders"
        r"|constraints|system messages?|assignments?|programming|commands|(?:security|safety) (?:protocols?|checks"
        r"|measures|mechanisms|filters)"
        r"|protocols?)"
    ),
    "prior": (
        r"(?:previous(?:ly)?|prior|above|earlier|before|preceding|original|initial|existing|former|so far"
        r"|up to (?:now|here)"
        r"|you (?:were|have been|had been|have|got|received))"
    ),
    "told": (
        r"(?:previous(?:ly)?|prior|above|earlier|preceding|so far|up to (?:now|here)|before (?:this|now)"
        r"|you (?:were|have been|had been|have|got|received))"
    ),
    "void": (
        r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|overrule|neglect|abandon|dismiss|discard"
        r"|set aside"
        r"|pay no (?:attention|heed) to|(?:do|does|must|should) not (?:follow|obey|heed|observe)|don'?t (?:follow"
        r"|obey|heed)"
        r"|stop (?:following|obeying)|no longer (?:follow|obey|observe|have to (?:follow|obey|observe))|never mind)"
    ),
    "ended": (
        r"(?:void|null|invalid|obsolete|suspended|lifted|revoked|withdrawn|superseded|overridden|cancell?ed"
        r"|not in force|not binding|no longer in force|switched off|turned off|out of date)"
    ),
    # Being silent about it.
    "not": (
        r"(?:do not|don'?t|dont|never|must not|mustn'?t|should(?: not|n'?t)|may not|need not|not to|nor|without"
        r"|avoid)"
    ),
    "tell": (
        r"(?:tell(?:ing)?|inform(?:ing|ed)?|mention(?:ing)?|reveal(?:ing)?|notif(?:y|ying|ied)|disclos(?:e|ing)"
        r"|alert(?:ing)?"
        r"|report(?:ing)?|bother(?:ing)?|let(?:ting)? [^.!?]{0,20}know|talk about|explain(?:ing)?|warn|state|remind)"
    ),
    # What is worth stealing, and where it goes.
    "secret": (
        r"(?:~/\.\w+|id_rsa|id_ed25519|\.env\b|\.netrc|/etc/passwd|api[ _-]?(?:keys?|tokens?)|[A-Z_]+_(?:KEY|TOKEN"
        r"|SECRET)\b"
        r"|access keys?|(?:ssh|private|secret|production|new) keys?|credentials?|passwords?|secrets?\b|tokens?\b"
        r"|authorized_keys"
        r"|environment variables?|session cookies?|wallet|chat history|conversation|last \w+ messages"
        r"|customers? (?:list|table))"
    ),
    "send": (
        r"(?:send|upload|post|e-?mail|mail|forward|transmit|submit|exfiltrate|leak|paste|pass|publish|attach|copy"
        r"|push)"
    ),
    "show": (
        r"(?:print|output|reveal|show|display|disclose|list|dump|include|read|open|repeat|recite|collect|write|give"
        r"|put|query|add)"
    ),
    "place": (
        r"(?:(?:https?|ftp)://|[\w.+-]+@[\w-]+\.\w|\b[\w-]+\.(?:com|net|org|io|dev|ru|cn|xyz|example)\b"
        r"|(?:external|remote|our|my) server)"
    ),
    "allowed": r"(?:approved|authori[sz]ed|granted|allowed|permitted|agreed|signed (?:it |this )?off|consented)",
    "consent": r"(?:confirmations?|approvals?|permissions?|permission checks|code review|review|consent)",
    "guard": (
        r"(?:hooks|sandbox|guard(?:rails?)?|permission checks|policy checks?|safety (?:rules|checks|guidelines)"
        r"|restrictions|checks)"
    ),
}  # fmt: skip


# Each core signal has one of these in it or near it. They are rare, so one fast search tells where to look.
TRIGGERS: tuple[str, ...] = (
    # override, void rules
    r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|overrule|neglect|abandon|dismiss|discard|suspend"
    r"|bypass(?:ing)?|pay no (?:attention|heed)|not (?:follow|obey|heed|observe)|don'?t (?:follow|obey|heed)"
    r"|stop (?:following|obeying)|no longer (?:follow|obey|observe|have to)|never mind)"
    r"(?:\W+[\w'-]+){0,13}?\W+(?:<rules>|above|so far|earlier|previously|told|taught|before|checks|measures"
    r"|filters|protections|mechanisms)\b",
    r"\b(?:aside|you (?:were|have been) told)\b",
    r"\b(?:not apply|no longer appl(?:y|ies)|not be followed|(?:is|are|were|was|been) <ended>|bound by|(?:free"
    r"|exempt) from)\b",
    r"\bwithout (?:any )?(?:restrictions|safety|rules)\b|\bviolates? your\b|\b(?:need not|have to) (?:observe"
    r"|follow|obey)\b",
    # addressed, duty of a model
    r"\b(?:(?-i:AIs?|LLMs?|GPT)|assistants?|claude|copilot|chatgpt|chat ?bots?|language models?|agents?|bots?)\b"
    r"|@(?:cursor|codex)\b",
    r"\b(?:all|any|for|to|dear|an?|the|you|[.!?\n]) ?models?\b[ ,](?:that|who|which|reading|read|process|must"
    r"|should|[a-z])",
    r"\bautomated (?:systems?|processors?|readers?)\b|\boverride\b",
    # concealment
    r"\bdoes ?n['o]t notice\b|\b<not> (?:[\w']+ ){0,3}(?:<tell>|tell|be (?:informed|told|notified|reminded))\b"
    r"|\b<not> (?:\w+ )?let\b|\b<not> (?:\w+ )?(?:know|see|notice|learn|hear)\b",
    r"\bkeep (?:this|it|that) |\blet'?s keep\b|\b(?:hide|conceal) (?:that|the fact|this)\b|\bno trace\b"
    r"|\bleave (?:this|it) out\b|\bnot question\b",
    # system prompt, picture that sends
    r"\b(?:system|initial) (?:prompt|message)\b|\byour (?:\w+ ){0,3}(?:prompt|instructions|rules)\b|\b(?:of|all"
    r"|everything|words|text) <~12>above\b|!\[",
    # claimed authority, new task
    r"\bfrom (?:your |the )?(?:anthropic|openai|developers?|operator|principal|admin\w*|safety team)\b"
    r"|[ -]override\b|\b(?:anthropic|openai|google)(?:'s)? (?:safety|compliance|security|policy)\b",
    r"\b(?:developer|jailbreak|maintenance|god|unrestricted|DAN) mode\b|\bsystem (?:notice|notification|override"
    r"|update)\b|\byour (?:principal|operator|developer)\b|\bpolicy updated\b",
    r"\byour (?:new|updated|real|only|actual|true|sole|instructions|goals?|task|objectives?|current|present)\b"
    r"|\b(?:new|next|real|updated) (?:task|objective|goal|instructions?|policy)\b",
    r"\bwhat you are doing\b|\bcurrent (?:task|work|assignment)\b|\bthe (?:original |initial |real )?request\b"
    r"|\buser's (?:\w+ )?request\b|\buser (?:really|actually|wanted)\b",
    r"\b(?:follow|obey) (?:mine|this|the (?:text|comment))\b|\b(?:treat|consider|regard) (?:the |this )?(?:text"
    r"|message|author)\b",
    # claimed consent, addressed by its work
    r"\b(?:has|have|had|was|been) (?:\w+ )?<allowed>\b|\bpermission (?:has|was|is)\b|\byou have permission\b"
    r"|\b(?:approved|allowed|authori[sz]ed|requested) by\b",
    r"\b(?:user|person|operator|human|team|owner|maintainers?|developer) (?:\w+ )?(?:knows?|wants?|says|asked)\b"
    r"|\bhas asked you\b",
    r"\byour (?:\w+ )?(?:summary|answer|reply|response|report)\b|\b(?:summari[sz]\w+|translat\w+|reviewing"
    r"|refactor\w+|process(?:ing)?) (?:this|the) (?:page|document|text|article|e-?mail|file|module|issue"
    r"|repository)\b",
    # marks and lines of roles
    r"\[/?INST\]|<</?SYS>>|<\|\w+\|>|</?(?:system|user-prompt|function_|tool_|antml:|assistant>|secret>"
    r"|IMPORTANT>)|<(?:invoke|parameter) name=",
    r"(?:^|\n)[ \t]*(?:#{1,4} ?)?(?-i:System|SYSTEM|Human|User)\b|\[(?:system|interlock|claude code)\]"
    r"|ToolUse hook\b",
    # other languages
    r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie|beachte\w*|befolge\w*|nutzer\w*|benutzer\w*|anwender\w*"
    r"|menschen?|wenn du|du bist)\b|(?-i:\bKIs?\b|Sprachmodell|Assistenten)",
    r"\b(?:ignor(?:ez|a|ad|ar|are|ate|es?|en)|oubli\w*|pas compte|utilisateur\w*|si tu|olvid\w*|descart\w*|usuario"
    r"|dimentic\w*|trascur\w*|utente|esqueç\w*|desconsider\w*|usuário|utilizador)\b",
    r"\b(?:negeer|vergeet|gebruiker|nessuno|ninguém|nadie|modelos?|asistentes?|assistent[ei]|modèles?|(?-i:IA))\b"
    r"|instrucci|istruzion|instruç",
    r"игнориру|забудь|не обращай|отбрось|не следуй|пользовател|никому|если ты|внимание",
    r"忽略|无视|無視|忘记|忘記|不要|不必|告诉|告訴|告知|用户|人工智能|AI助手|语言模型|指示|命令|ユーザ|無視|지시|명령|규칙|사용자|프롬프트|인공지능",
)


def pattern_of(text: str) -> str:
    """A pattern with its words filled in. `<~N>` is up to N characters of the same sentence."""
    text = re.sub(r"<~(\d+)>", lambda hit: f"{_GAP}{{0,{hit[1]}}}?", text)
    return re.sub(r"<(\w+)>", lambda hit: WORDS.get(hit[1], hit[0]), text)
