"""Models that request one refund and then repeat the result of the tool."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents import Model
    from langchain_core.messages import AIMessage, AnyMessage
    from pydantic_ai.models.function import FunctionModel

ARGUMENTS = {"order": "A-17", "amount": 120}
#: Unique, like the ids of a real model's tool calls: a call with the id of another one is refused.
CALL_ID = os.environ.get("CALL_ID") or f"call_{secrets.token_hex(8)}"


def langchain_model(messages: list[AnyMessage]) -> AIMessage:
    """Stands for `ChatModel.bind_tools(tools).invoke`."""
    from langchain_core.messages import AIMessage, ToolMessage

    if isinstance(messages[-1], ToolMessage):
        return AIMessage(str(messages[-1].content))
    return AIMessage("", tool_calls=[{"name": "refund", "args": ARGUMENTS, "id": CALL_ID, "type": "tool_call"}])


def openai_agents_model() -> Model:
    """Stands for a model of OpenAI."""
    import json

    from agents import Model, ModelResponse, Usage, set_tracing_disabled
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    # Traces go to OpenAI.
    set_tracing_disabled(True)

    class ScriptedModel(Model):
        async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002, ARG002
            last = input[-1] if isinstance(input, list) else {}
            output: Any
            if last.get("type") == "function_call_output":
                text = ResponseOutputText(text=str(last["output"]), type="output_text", annotations=[])
                output = ResponseOutputMessage(
                    id="msg_1", content=[text], role="assistant", status="completed", type="message"
                )
            else:
                output = ResponseFunctionToolCall(
                    arguments=json.dumps(ARGUMENTS), call_id=CALL_ID, name="refund", type="function_call"
                )
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    return ScriptedModel()


def pydantic_ai_model() -> FunctionModel:
    """Stands for any model of Pydantic AI."""
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def respond(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        last = messages[-1].parts[-1]
        if isinstance(last, ToolReturnPart):
            return ModelResponse(parts=[TextPart(str(last.content))])
        return ModelResponse(parts=[ToolCallPart("refund", ARGUMENTS, tool_call_id=CALL_ID)])

    return FunctionModel(respond)
