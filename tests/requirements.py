"""What the founding documents ask for: ID → one sentence and its source.

`test_requirements.py` checks it both ways: every requirement is named by a test, every ID a test names is here.
"""

PRE_TOOL_USE = "PreToolUse specification: decisions and changed input"
RETURNS = "PreToolUse returns, and the bugs between them"
PROPOSAL = "Proposal: changed input beside an ask"
OUTPUTS = "Hook outputs specification"
PAYLOADS = "Hook payloads specification"

REQUIREMENTS: dict[str, tuple[str, str]] = {
    "S0-01": (
        "An ask with a changed input carries both, and the person is asked about the changed call.",
        PRE_TOOL_USE,
    ),
    "S0-02": ("The person sees the message; yes runs the sanitised command, no blocks it.", PRE_TOOL_USE),
    "S0-03": ("An ask alone asks about the original input.", PRE_TOOL_USE),
    "S0-04": ("A change replaces the fields it names and keeps the others.", PRE_TOOL_USE),
    "S0-05": ("Allow runs unprompted, with the change applied.", PRE_TOOL_USE),
    "S0-06": ("Deny blocks, and the message reaches the model.", PRE_TOOL_USE),
    "S0-07": ("The message of an ask reaches the person and not the model.", PRE_TOOL_USE),
    "S0-08": ("A decision beats `blocked`, with a logged warning.", PRE_TOOL_USE),
    "S0-09": ("Without a decision, `blocked` decides.", PRE_TOOL_USE),
    "S0-10": ("A result is serialised with exactly its five keys.", PRE_TOOL_USE),
    "S0-11": ("What is not set is null or absent, and still valid.", PRE_TOOL_USE),
    "S0-12": ("Strings, numbers, booleans, arrays and objects survive uncoerced.", PRE_TOOL_USE),
    "S1-01": ("A denied tool does not run, the reason reaches the model, and a missing reason is called out.", RETURNS),
    "S1-02": ("An allowed change runs the tool with it; unchanged fields are kept.", RETURNS),
    "S1-03": ("No opinion leaves the call as it was.", RETURNS),
    "S1-04": ("A denial that was built or printed and not returned is caught.", RETURNS),
    "S1-05": ("A change without a decision is never lost in silence.", RETURNS),
    "S1-06": ("Made-up JSON is recognised as a mistake and fails closed.", RETURNS),
    "S1-07": ("Wrong decision words are reported with the right one and fail closed.", RETURNS),
    "S1-08": ("A hook that raises fails closed and is named.", RETURNS),
    "S1-09": ("A reason can name the tool to use instead, with values from the call.", RETURNS),
    "S1-10": ("A hook gets no way to run a tool.", RETURNS),
    "S1-11": ("A name also catches the MCP tool of that name.", RETURNS),
    "S1-12": ("Every reason of several denials reaches the model, numbered, in one message.", RETURNS),
    "S1-13": ("A change is told to the model unless it is marked as not changing meaning.", RETURNS),
    "S1-14": ("The policy can give the model its rules as prompt text, from the same source.", RETURNS),
    "S1-15": ("What one hook learns from a result, another uses to decide a later call.", RETURNS),
    "S1-16": ("Blocking after the fact, or changing results before it, is reported as a mistake.", RETURNS),
    "S2-01": ("Old results without the new fields still load and behave the same.", PROPOSAL),
    "S2-02": ("An ask with a changed input works from event to answer.", PROPOSAL),
    "S2-03": ("The same verdict can be written in the native envelope too.", PROPOSAL),
    "S3-01": ("A permission request can be allowed as it is.", OUTPUTS),
    "S3-02": ("A permission request can be allowed with a changed input.", OUTPUTS),
    "S3-03": ("A permission request can be denied with a message.", OUTPUTS),
    "S3-04": ("A denied permission request can interrupt the turn.", OUTPUTS),
    "S3-05": ("Context reaches a subagent that starts.", OUTPUTS),
    "S3-06": ("Without context a subagent starts as usual.", OUTPUTS),
    "S3-07": ("A changed input goes to the tool instead of the original.", OUTPUTS),
    "S3-08": ("Without a change the tool gets the original.", OUTPUTS),
    "S3-09": ("A changed result is used instead of the real one.", OUTPUTS),
    "S3-10": ("Without a change the real result is used.", OUTPUTS),
    "S4-01": ("A permission request carries tool, input and the base fields.", PAYLOADS),
    "S4-02": ("An event is read from JSON whole.", PAYLOADS),
    "S4-03": ("The base fields can be read off it.", PAYLOADS),
    "S4-04": ("All payloads are one union, tagged by the event's name.", PAYLOADS),
    "S4-05": ("Matching on the variant is plain.", PAYLOADS),
    "S4-06": ("The shared fields can be read on every variant.", PAYLOADS),
    "S4-07": ("Calls are judged the same with and without permission requests beside them.", PAYLOADS),
    "S4-08": ("Other events are not affected by permission requests.", PAYLOADS),
    "S4-09": ("Mixed events of one session are routed right and do not disturb each other.", PAYLOADS),
}
