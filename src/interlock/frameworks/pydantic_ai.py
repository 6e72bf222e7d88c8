"""Pydantic AI under a policy: a capability around every call of an agent's tools, deferred where it is asked about."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass, replace
from dataclasses import fields as fields_of
from typing import Any, TypeAlias

from msgspec import json

from interlock.frameworks import needs

with needs("pydantic-ai"):
    from pydantic import AliasChoices, BaseModel, SecretBytes, SecretStr
    from pydantic.fields import FieldInfo
    from pydantic_ai import RunContext, ToolReturn
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.capabilities.abstract import CapabilityOrdering
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.output import OutputContext
    from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, PreparedToolset, ToolsetTool, WrapperToolset

from interlock.approvals.approval import Approval, Request
from interlock.errors import InterlockError
from interlock.frameworks.calls import Names, PauseSignal, ToolAnswer, answer_of, plain_value, refuse_unguarded
from interlock.gate.gate import Gate
from interlock.gate.prompts import PromptNotes, question_id

__all__ = ["InterlockCapability"]

JsonObject: TypeAlias = dict[str, Any]


class InterlockCapability(AbstractCapability[Any]):
    """Judges every call of an agent's function tools, from whichever toolset they come.

    With `pause`, a call that the policy asks about is deferred, unless the gate has an approver; the agent's output
    type must contain `DeferredToolRequests`. `names` maps a tool's name to the one that policies know it by.
    `unguarded` names what no gate sees: native tools, external ones and output functions; any other is refused.
    """

    def __init__(
        self, gate: Gate, *, pause: bool = True, names: Names | None = None, unguarded: Iterable[str] = ()
    ) -> None:
        self._gate = gate
        self._pause = pause
        self._names = dict(names or {})
        self._unguarded = frozenset(unguarded)

    def get_ordering(self) -> CapabilityOrdering:
        # What other capabilities change is judged, too.
        return CapabilityOrdering(position="innermost")

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        # Around all tools and what prepares their definitions, but around no other capability.
        if type(toolset) is not PreparedToolset or type(toolset.wrapped) is not CombinedToolset:
            raise InterlockError(
                f"another capability could change a call after it was judged: `{type(toolset).__name__}` is inside",
                help="do not order a capability with a wrapper toolset as the innermost, or inside InterlockCapability",
            )
        return _GuardedToolset(toolset, self)

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        native = [str(one.kind) for one in request_context.model_request_parameters.native_tools]
        for settings in (request_context.model.settings, request_context.model_settings):
            native += [name for name, value in (settings or {}).items() if name.endswith("_native_tools") and value]
        refuse_unguarded("Pydantic AI", native, self._unguarded)
        return request_context

    async def wrap_output_process(
        self, ctx: RunContext[Any], *, output_context: OutputContext, output: Any, handler: Any
    ) -> Any:
        if output_context.has_function:  # it gets what the model wrote, like a tool, but is not called as one
            refuse_unguarded("Pydantic AI", [output_context.function_name or "output function"], self._unguarded)
        return await handler(output)

    def refuse_external(self, tools: Iterable[ToolsetTool[Any]]) -> None:
        """An external tool is run by the application, after the agent's run."""
        external = [tool.tool_def.name for tool in tools if tool.tool_def.kind == "external"]
        refuse_unguarded("Pydantic AI", external, self._unguarded)

    async def call(
        self, name: str, args: JsonObject, ctx: RunContext[Any], tool: ToolsetTool[Any], wrapped: AbstractToolset[Any]
    ) -> Any:
        """What a tool returns, or what the model reads instead."""
        given = _as_written(args, tool)

        async def run(running: JsonObject) -> Any:
            same = json.encode(running) == json.encode(given)
            # The tool gets the objects that its arguments became, and those of a change become objects again.
            values = args if same else await _as_objects(running, tool, ctx)
            try:
                return await wrapped.call_tool(name, values, ctx, tool)
            except (ApprovalRequired, CallDeferred) as error:
                raise PauseSignal(error, comes_again=isinstance(error, ApprovalRequired)) from None

        prompt = _DeferredApproval(ctx, tool, given) if self._pause else None
        life = self._gate.life(self._names.get(name, name), prompt=prompt, session=ctx.conversation_id)
        return _reply(await answer_of(self._gate, life, given, run, _readable))


@dataclass
class _GuardedToolset(WrapperToolset[Any]):
    """All tools of an agent, around nothing but the tools."""

    guard: InterlockCapability

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        tools: dict[str, ToolsetTool[Any]] = await super().get_tools(ctx)
        self.guard.refuse_external(tools.values())
        return tools

    async def call_tool(self, name: str, tool_args: JsonObject, ctx: RunContext[Any], tool: ToolsetTool[Any]) -> Any:
        return await self.guard.call(name, tool_args, ctx, tool, self.wrapped)


def _as_written(args: JsonObject, tool: ToolsetTool[Any]) -> JsonObject:
    """The arguments in the form in which the model writes them."""
    given: Any = plain_value(_laid_open(args))
    known = tool.tool_def.parameters_json_schema.get("properties", {})
    if len(args) == 1 and not args.keys() & known.keys():
        (only,) = given.values()
        return only if isinstance(only, dict) else given  # the fields of a model that is the only parameter
    return given  # type: ignore[no-any-return]


async def _as_objects(given: JsonObject, tool: ToolsetTool[Any], ctx: RunContext[Any]) -> JsonObject:
    """What the tool gets for arguments that the model could have written, if the tool accepts them."""
    text = json.encode(given)
    values: JsonObject = tool.args_validator.validate_json(text, context=ctx.validation_context)
    if tool.args_validator_func is not None:
        accepted = tool.args_validator_func(ctx, **values)
        if inspect.isawaitable(accepted):
            await accepted
    return values


def _laid_open(value: Any) -> Any:
    """A value with all that the tool will see of it, also fields that pydantic would leave out or mask as JSON."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        named = {_written_name(name, field): getattr(value, name) for name, field in fields.items()}
        return _laid_open({**named, **(value.model_extra or {})})
    if isinstance(value, SecretStr | SecretBytes):
        return value.get_secret_value()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _laid_open(getattr(value, field.name)) for field in fields_of(value)}
    if isinstance(value, dict):
        return {name: _laid_open(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_laid_open(item) for item in value]
    return value


def _written_name(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        alias = alias.choices[0]
    return alias if isinstance(alias, str) else name


class _DeferredApproval:
    """Asks by deferring the call, which shows it as the model wrote it."""

    host = "Pydantic AI"
    shows_changes = False

    def __init__(self, ctx: RunContext[Any], tool: ToolsetTool[Any], given: JsonObject) -> None:
        self.key = ctx.tool_call_id or ""
        self._is_approved = ctx.tool_call_approved
        self._written = _arguments_in(ctx)
        self._is_edited = self._is_approved and _is_edited(self._written, tool, given, ctx)

    async def is_resumed(self, notes: PromptNotes) -> bool:
        return self._is_approved and await notes.are_there()

    async def ask(self, question: Request, notes: PromptNotes) -> Approval:
        # A person who gives other arguments with their yes was asked about those in the history.
        edited = self._written if self._is_edited else None
        if self._is_approved and await notes.spend(question, edited=edited):
            return Approval(True)
        await notes.add(question, written=self._written)
        raise ApprovalRequired(
            metadata={"reason": question.reason, "input": question.input, "question": question_id(question)}
        )


def _arguments_in(ctx: RunContext[Any]) -> JsonObject | None:
    """The arguments of the call in the history."""
    for message in reversed(ctx.messages):
        for part in message.parts:
            if isinstance(part, ToolCallPart) and part.tool_call_id == ctx.tool_call_id:
                found: JsonObject = part.args_as_dict()
                return found
    return None


def _is_edited(written: JsonObject | None, tool: ToolsetTool[Any], given: JsonObject, ctx: RunContext[Any]) -> bool:
    """Whether the call has other arguments than those in the history."""
    if written is None:
        return False
    try:
        text = json.encode(written)
        before = _as_written(tool.args_validator.validate_json(text, context=ctx.validation_context), tool)
    except ValueError:  # they would not have been asked about
        return False
    return json.encode(before, order="sorted") != json.encode(given, order="sorted")


def _readable(result: Any) -> Any:
    """What the model will read of a result."""
    if not isinstance(result, ToolReturn):
        return plain_value(result)
    if result.content is None:
        return plain_value(result.return_value)
    return {"result": plain_value(result.return_value), "content": plain_value(result.content)}


def _reply(answer: ToolAnswer) -> Any:
    if answer.refusal is not None:
        raise ToolFailed(answer.refusal)
    result = answer.result
    if not answer.context:
        return result
    if not isinstance(result, ToolReturn):
        return ToolReturn(result, content=answer.context)
    before = [result.content] if isinstance(result.content, str) else list(result.content or ())
    return replace(result, content=[*before, answer.context])
