"""Runs the examples of the adapters as separate programs, kills them while they wait, and resumes them.

What the examples don't do runs in this process.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pydantic_ai
import pytest
from agents import Agent, Model, ModelResponse, Runner, ShellTool, Usage, function_tool, set_tracing_disabled
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from openai.types.responses import (
    ResponseFunctionShellToolCall,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from openai.types.responses.response_function_shell_tool_call import Action
from pydantic_ai import DeferredToolRequests, FunctionToolset, ModelMessage, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from svcforms import AsyncSvcForms, Form, SvcForms, Task
from svcforms import langgraph as langgraph_adapter
from svcforms import openai_agents as openai_agents_adapter
from svcforms import pydantic_ai as pydantic_ai_adapter

from .support.program import Program
from .support.server import Server, poll

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*_refund.py"))

Start = Callable[[str], Program]


@pytest.fixture(scope="module")
def reviewer(server: Server) -> Iterator[SvcForms]:
    with SvcForms(server.api_key, base_url=server.url) as reviewer:
        yield reviewer


@pytest.fixture(scope="module")
def agent_key(reviewer: SvcForms) -> str:
    """A key that can't decide tasks."""
    return str(reviewer.keys.create("agent", ["tasks:create", "tasks:read"]).key)


@pytest.fixture
def agent(server: Server, agent_key: str) -> Iterator[SvcForms]:
    with SvcForms(agent_key, base_url=server.url) as agent:
        yield agent


@pytest.fixture
def form(reviewer: SvcForms) -> Form:
    return reviewer.forms.create("Refund", fields=[{"name": "note", "type": "text"}])


@pytest.fixture
def start(tmp_path: Path, server: Server, agent_key: str, form: Form) -> Iterator[Start]:
    """Starts an example; all programs of a test share a folder."""
    programs: list[Program] = []
    call = f"call_{secrets.token_hex(8)}"
    shutil.copy(EXAMPLES / "scripted_models.py", tmp_path)

    def start(name: str) -> Program:
        shutil.copy(EXAMPLES / f"{name}.py", tmp_path)
        known = {"SVC_API_KEY": agent_key, "SVC_BASE_URL": server.url, "FORM_ID": form.id}
        programs.append(Program([f"{name}.py"], tmp_path, {**known, "CALL_ID": call, "THREAD_ID": call}))
        assert programs[-1].line() == "started"
        return programs[-1]

    yield start
    for program in programs:
        program.close()


def waiting_task(reviewer: SvcForms, form: Form) -> Task:
    tasks: list[Task] = []

    def look() -> bool:
        tasks[:] = reviewer.tasks.list(template_id=form.id, status="awaiting")
        return bool(tasks)

    poll(look, "a task of the agent")
    return tasks[0]


def refunds(folder: Path) -> list[str]:
    log = folder / "refunds.log"
    return [line.split(".")[0] for line in log.read_text().splitlines()] if log.exists() else []


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_agent_killed_while_it_waits_continues_and_acts_once(
    name: str, start: Start, reviewer: SvcForms, form: Form, tmp_path: Path
) -> None:
    first = start(name)
    task = waiting_task(reviewer, form)
    assert task.action is not None
    assert task.action.tool == "refund"
    assert {key: task.action.args[key] for key in ("order", "amount")} == {"order": "A-17", "amount": 120}
    # SIGKILL. The decision comes while no program runs.
    first.close()
    assert refunds(tmp_path) == []
    reviewer.tasks.decide(task.id, "approved")
    assert start(name).line() in {"refunded 120 for A-17", "refunded 120.0 for A-17"}
    assert refunds(tmp_path) == ["A-17 120"]
    assert [one.id for one in reviewer.tasks.list(template_id=form.id)] == [task.id]
    assert reviewer.tasks.get(task.id).receipt_redeemed_at is not None


@pytest.mark.parametrize("name", ["openai_agents_refund", "plain_refund"])
def test_an_approval_runs_an_action_once(
    name: str, start: Start, reviewer: SvcForms, form: Form, tmp_path: Path
) -> None:
    first = start(name)
    reviewer.tasks.decide(waiting_task(reviewer, form).id, "approved")
    assert first.line().startswith("refunded")
    # The program has the state from before the decision, as if it had been killed right after the
    # refund.
    assert "did not run again" in start(name).line()
    assert refunds(tmp_path) == ["A-17 120"]
    assert len(list(reviewer.tasks.list(template_id=form.id))) == 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_agent_gets_the_reason_of_a_rejection(
    name: str, start: Start, reviewer: SvcForms, form: Form, tmp_path: Path
) -> None:
    program = start(name)
    reviewer.tasks.decide(waiting_task(reviewer, form).id, "rejected", comment="Too much")
    line = program.line()
    assert "refund was rejected" in line
    assert "Too much" in line
    assert refunds(tmp_path) == []


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_langgraph_call_without_approval_runs_once_after_the_others_are_decided(
    is_async: bool, agent: SvcForms, reviewer: SvcForms, form: Form
) -> None:
    ran: list[str] = []

    def note(text: str) -> str:
        """Stores a note."""
        ran.append(text)
        return "stored"

    def refund(order: str) -> str:
        """Refunds an order."""
        ran.append(order)
        return "refunded"

    approvals = langgraph_adapter.Approvals(agent, form.id, tools=["refund"])
    tools: Any = ToolNode(
        [note, refund], wrap_tool_call=approvals.wrap_tool_call, awrap_tool_call=approvals.awrap_tool_call
    )
    builder = StateGraph(MessagesState).add_node("tools", tools).add_edge(START, "tools")
    graph = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": secrets.token_hex(8)}}

    def run(input: Any) -> Any:  # noqa: A002
        return asyncio.run(graph.ainvoke(input, config)) if is_async else graph.invoke(input, config)

    # A message without a call that needs approval doesn't wait.
    run({"messages": [AIMessage("", tool_calls=[{"name": "note", "args": {"text": "alone"}, "id": "call_0"}])]})
    assert ran == ["alone"]
    calls: list[Any] = [
        {"name": "note", "args": {"text": "A-17 is late"}, "id": "call_1"},
        {"name": "refund", "args": {"order": "A-17"}, "id": "call_2"},
    ]
    run({"messages": [AIMessage("", tool_calls=calls)]})
    assert ran == ["alone"]
    task = waiting_task(reviewer, form)
    assert task.action is not None
    assert task.action.tool == "refund"
    reviewer.tasks.decide(task.id, "approved")
    results = run(approvals.wait(graph, config))["messages"][-2:]
    assert [one.content for one in results] == ["stored", "refunded"]
    assert sorted(ran) == ["A-17", "A-17 is late", "alone"]
    assert len(list(reviewer.tasks.list(template_id=form.id))) == 1


def test_openai_agents_leaves_calls_without_arguments_pending(
    agent_key: str, server: Server, reviewer: SvcForms, form: Form
) -> None:
    set_tracing_disabled(True)

    class ScriptedModel(Model):
        async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
            def function_call(name: str) -> ResponseFunctionToolCall:
                return ResponseFunctionToolCall(
                    arguments='{"order":"A-17"}', call_id=secrets.token_hex(8), name=name, type="function_call"
                )

            action = Action(commands=["rm -r data"])
            shell = ResponseFunctionShellToolCall(
                id="sh_1", call_id="call_shell", action=action, status="completed", type="shell_call"
            )
            return ModelResponse([function_call("refund"), function_call("cancel"), shell], Usage(), None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    def refund(order: str) -> str:
        """Refunds an order."""
        return f"refunded {order}"

    def cancel(order: str) -> str:
        """Cancels an order."""
        return f"cancelled {order}"

    async def run(client: AsyncSvcForms) -> list[str | None]:
        approvals = openai_agents_adapter.Approvals(client, form.id)
        tools: list[Any] = [
            approvals.tool(refund),
            function_tool(cancel, needs_approval=True),
            ShellTool(executor=lambda _: "done", needs_approval=True),
        ]
        orders = Agent(name="Orders", model=ScriptedModel(), tools=tools)
        result = await Runner.run(orders, "Refund order A-17")
        resolving = asyncio.create_task(approvals.resolve(result.to_state()))
        for _ in ("refund", "cancel"):
            task = await asyncio.to_thread(waiting_task, reviewer, form)
            await asyncio.to_thread(reviewer.tasks.decide, task.id, "approved")
        result = await Runner.run(orders, await asyncio.wait_for(resolving, 20))
        return [item.tool_name for item in result.interruptions]

    async def run_and_close() -> list[str | None]:
        async with AsyncSvcForms(agent_key, base_url=server.url) as client:
            return await run(client)

    assert asyncio.run(run_and_close()) == ["shell"]
    assert {one.title for one in reviewer.tasks.list(template_id=form.id)} == {"Run cancel?", "Run refund?"}


@pytest.mark.parametrize("is_older", [False, True], ids=["renamed", "asked-by-an-older-version"])
def test_pydantic_ai_runs_an_approved_call_of_a_renamed_tool(
    is_older: bool, agent_key: str, server: Server, reviewer: SvcForms, form: Form
) -> None:
    ran: list[str] = []

    def refund(order: str) -> str:
        """Refunds an order."""
        ran.append(order)
        return f"refunded {order}"

    call = ToolCallPart(
        "refund" if is_older else "shop_pay_back", {"order": "A-17"}, tool_call_id=f"call_{secrets.token_hex(8)}"
    )

    def respond(messages: list[ModelMessage], _: AgentInfo) -> pydantic_ai.ModelResponse:
        return pydantic_ai.ModelResponse([call if len(messages) == 1 else TextPart(str(messages[-1].parts[-1]))])

    async def run() -> None:
        async with AsyncSvcForms(agent_key, base_url=server.url) as client:
            approvals = pydantic_ai_adapter.Approvals(client, form.id)
            tools = approvals.toolset(FunctionToolset([refund]))
            if not is_older:
                tools = tools.renamed({"pay_back": "refund"}).prefixed("shop")
            shop: Any = pydantic_ai.Agent(
                FunctionModel(respond), toolsets=[tools], output_type=[str, DeferredToolRequests]
            )
            result = await shop.run("Refund order A-17")
            if is_older:
                # As an older version stored it
                result.output.metadata[call.tool_call_id]["svcforms"].pop("tool", None)
            resolving = asyncio.create_task(approvals.resolve(result.output))
            task = await asyncio.to_thread(waiting_task, reviewer, form)
            await asyncio.to_thread(reviewer.tasks.decide, task.id, "approved")
            results = await asyncio.wait_for(resolving, 20)
            await shop.run(message_history=result.all_messages(), deferred_tool_results=results)

    asyncio.run(run())
    assert ran == ["A-17"]
    assert [one.title for one in reviewer.tasks.list(template_id=form.id)] == ["Run refund?"]


NOT_JSON = "The arguments of refund must be a JSON object."
NOT_FINITE = "refund did not run, because nobody can approve these arguments: NaN and infinite numbers aren't JSON"
TOO_LARGE = "refund did not run, because nobody can approve these arguments: /cents must be at most 2^53 - 1 in size"


def pay_back(cents: int) -> str:
    """Refunds an amount."""
    raise AssertionError(cents)


@pytest.mark.parametrize(("argument", "reason"), [(2**53, TOO_LARGE), (math.nan, NOT_FINITE)], ids=["large", "nan"])
@pytest.mark.parametrize("is_refused_first", [True, False], ids=["first", "last"])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_langgraph_says_why_nobody_can_approve_a_call(
    is_async: bool,
    is_refused_first: bool,
    argument: float,
    reason: str,
    agent: SvcForms,
    reviewer: SvcForms,
    form: Form,
) -> None:
    def refund(cents: float) -> str:
        """Refunds an amount."""
        return f"refunded {cents}"

    approvals = langgraph_adapter.Approvals(agent, form.id)
    tools: Any = ToolNode([refund], wrap_tool_call=approvals.wrap_tool_call, awrap_tool_call=approvals.awrap_tool_call)
    graph = StateGraph(MessagesState).add_node("tools", tools).add_edge(START, "tools").compile(InMemorySaver())
    config: Any = {"configurable": {"thread_id": secrets.token_hex(8)}}

    def run(input: Any) -> Any:  # noqa: A002
        return asyncio.run(graph.ainvoke(input, config)) if is_async else graph.invoke(input, config)

    calls: list[Any] = [{"name": "refund", "args": {"cents": cents}, "id": f"call_{cents}"} for cents in (argument, 7)]
    calls = calls if is_refused_first else calls[::-1]
    run({"messages": [AIMessage("", tool_calls=calls)]})
    reviewer.tasks.decide(waiting_task(reviewer, form).id, "approved")
    results = {one.tool_call_id: one for one in run(approvals.wait(graph, config))["messages"][-2:]}
    refused = results[f"call_{argument}"]
    assert refused.content.startswith(reason)
    assert refused.status == "error"
    assert results["call_7"].content == "refunded 7.0"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [('{"cents":9007199254740992}', TOO_LARGE), ('{"cents":NaN}', NOT_JSON), ('{"cents":1e999}', NOT_JSON)],
    ids=["too-large", "not-a-number", "without-a-value"],
)
@pytest.mark.parametrize("is_approved_elsewhere", [False, True], ids=["resolved", "approved-elsewhere"])
def test_openai_agents_says_why_nobody_can_approve_a_call(
    arguments: str, reason: str, is_approved_elsewhere: bool, agent_key: str, server: Server, form: Form
) -> None:
    set_tracing_disabled(True)

    class ScriptedModel(Model):
        async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
            last = input[-1] if isinstance(input, list) else {}
            text = ResponseOutputText(text=str(last.get("output")), type="output_text", annotations=[])
            output: Any = ResponseOutputMessage(
                id="msg_1", content=[text], role="assistant", status="completed", type="message"
            )
            if "output" not in last:
                output = ResponseFunctionToolCall(
                    arguments=arguments, call_id=secrets.token_hex(8), name="refund", type="function_call"
                )
            return ModelResponse([output], Usage(), None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    async def run() -> Any:
        async with AsyncSvcForms(agent_key, base_url=server.url) as client:
            approvals = openai_agents_adapter.Approvals(client, form.id)
            refund = function_tool(pay_back, name_override="refund")
            shop = Agent(name="Shop", model=ScriptedModel(), tools=[approvals.tool(refund)])
            result = await Runner.run(shop, "Refund everything")
            state = result.to_state()
            if is_approved_elsewhere:
                state.approve(result.interruptions[0])
            else:
                await approvals.resolve(state)
            return (await Runner.run(shop, state)).final_output

    assert asyncio.run(run()).startswith(reason)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [('{"cents":9007199254740992}', TOO_LARGE), ('{"cents":NaN}', NOT_FINITE), ('{"cents":1e999}', NOT_FINITE)],
    ids=["too-large", "not-a-number", "without-a-value"],
)
def test_pydantic_ai_says_why_nobody_can_approve_a_call(
    arguments: str, reason: str, agent_key: str, server: Server, form: Form
) -> None:
    def pay_back(cents: int | float) -> str:
        """Refunds an amount."""
        raise AssertionError(cents)

    call = ToolCallPart("refund", arguments, tool_call_id=f"call_{secrets.token_hex(8)}")

    def respond(messages: list[ModelMessage], _: AgentInfo) -> pydantic_ai.ModelResponse:
        last: Any = messages[-1].parts[-1]
        return pydantic_ai.ModelResponse([call if len(messages) == 1 else TextPart(last.content)])

    async def run() -> str:
        async with AsyncSvcForms(agent_key, base_url=server.url) as client:
            approvals = pydantic_ai_adapter.Approvals(client, form.id)
            tools = approvals.toolset(FunctionToolset([pydantic_ai.Tool(pay_back, name="refund")]))
            shop: Any = pydantic_ai.Agent(
                FunctionModel(respond), toolsets=[tools], output_type=[str, DeferredToolRequests]
            )
            result = await shop.run("Refund everything")
            if isinstance(result.output, DeferredToolRequests):
                results = await approvals.resolve(result.output)
                result = await shop.run(message_history=result.all_messages(), deferred_tool_results=results)
            return str(result.output)

    assert asyncio.run(run()).startswith(reason)
