"""How one variable changes: it is merged or replaced, becomes unknown when a result is lost, and known again."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from interlock.errors import InterlockError
from interlock.store.base import UNKNOWN

__all__ = ["NOTHING", "StateValue", "change", "encode_value", "lose", "value_of"]


class StateValue(NamedTuple):
    """One variable: its JSON, or None if it was never set, and the keys that are unknown (None: all of it)."""

    value: str | None
    unknown: frozenset[str | None] = frozenset()


NOTHING = StateValue(None)


def encode_value(name: str, value: Any) -> str:
    """The JSON of a value. Raises InterlockError for a value that could not be read back unchanged."""
    try:
        # Not msgspec: it writes NaN as null, which would be a different state.
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InterlockError(f"state `{name}` is set to something that is not JSON: {error}") from error


def value_of(held: StateValue) -> Any:
    """What a reader sees: UNKNOWN if any part is unknown. Only for a variable that was set or lost."""
    if held.unknown or held.value is None:
        return UNKNOWN
    return json.loads(held.value)


def lose(held: StateValue, key: str | None) -> StateValue:
    """The variable after the result that would have set `key` was lost."""
    return held._replace(unknown=held.unknown | {key})


def change(held: StateValue, value: str, *, whole: bool = False) -> StateValue:
    """The variable after it was set to the JSON `value`.

    INVARIANT: a map sets only the keys it names, so a lost result that may have set any key stays lost.
    """
    if whole or not value.startswith("{"):
        return StateValue(value)
    if held.value is None:
        return StateValue(value, _still_unknown(held, json.loads(value)))
    if not held.value.startswith("{"):
        return StateValue(value)
    update = json.loads(value)
    merged = json.dumps({**json.loads(held.value), **update}, separators=(",", ":"))
    return StateValue(merged, _still_unknown(held, update))


def _still_unknown(held: StateValue, update: dict[str, Any]) -> frozenset[str | None]:
    return held.unknown - update.keys() if held.unknown else held.unknown
