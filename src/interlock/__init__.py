"""Interlock decides what an AI agent may do, before it does it."""

TYPE_CHECKING = False  # `typing` itself would double the cost of this import

if TYPE_CHECKING:
    from interlock.gate import Gate
    from interlock.hooks.opinions import (
        allow,
        ask,
        change,
        context,
        defer,
        deny,
        interrupt,
        notify,
        output,
        set_state,
    )
    from interlock.hooks.registry import hook

__all__ = [
    "Gate",
    "allow",
    "ask",
    "change",
    "context",
    "defer",
    "deny",
    "hook",
    "interrupt",
    "notify",
    "output",
    "set_state",
]

__version__ = "0.1.0"

# Looked up on first use: `import interlock` must cost next to nothing, since agents start processes all the time.
_HOMES = dict.fromkeys(__all__, "interlock.hooks.opinions") | {
    "Gate": "interlock.gate",
    "hook": "interlock.hooks.registry",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module `interlock` has no attribute `{name}`")
    from importlib import import_module  # noqa: PLC0415 - see above

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
