"""Tests of `require_approval`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from svcforms import (
    ApprovalCancelledError,
    ApprovalExpiredError,
    ApprovalRejectedError,
    AsyncSvcForms,
    DedupeKeyReusedError,
    Form,
    SvcForms,
    Task,
    TaskTimeoutError,
    require_approval,
)

from .support.server import Server, poll

ran: list[tuple[Any, ...]] = []


@pytest.fixture(autouse=True)
def reset_ran() -> None:
    ran.clear()


@pytest.fixture
def reviewer(server: Server) -> Iterator[SvcForms]:
    with SvcForms(server.api_key, base_url=server.url) as reviewer:
        yield reviewer


@pytest.fixture
def money(reviewer: SvcForms) -> Form:
    fields = [{"name": "amount", "type": "number"}, {"name": "order", "type": "text"}]
    return reviewer.forms.create("Refund", fields=fields)


Review = Callable[[SvcForms, Task], object]


def reviewed(reviewer: SvcForms, form: Form, review: Review, call: Callable[[], Any]) -> Any:
    """Runs `call` while a reviewer handles its task."""
    tasks: list[Task] = []

    def look() -> bool:
        tasks[:] = list(reviewer.tasks.list(template_id=form.id, status="awaiting"))
        return bool(tasks)

    def act() -> None:
        poll(look, "a task to review")
        review(reviewer, tasks[0])

    thread = threading.Thread(target=act)
    thread.start()
    try:
        return call()
    finally:
        thread.join()


def approve(reviewer: SvcForms, task: Task) -> object:
    return reviewer.tasks.decide(task.id, "approved")


Kind = Callable[..., Callable[..., Any]]


@pytest.fixture(params=["plain function", "coroutine function", "coroutine function, synchronous client"])
def guarded(request: pytest.FixtureRequest, server: Server, money: Form) -> Iterator[Kind]:
    """`guarded(**options)` returns a blocking function that requires approval."""

    clients: list[SvcForms] = []

    def synchronous() -> SvcForms:
        clients.append(SvcForms(server.api_key, base_url=server.url))
        return clients[-1]

    def plain(**options: Any) -> Callable[..., Any]:
        @require_approval(synchronous(), money.id, **options)
        def refund(order: str, amount: float, *rest: str, note: str = "none") -> str:
            ran.append((order, amount, *rest, note))
            return f"{order}: {amount}"

        return refund

    def coroutine(**options: Any) -> Callable[..., Any]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            async with AsyncSvcForms(server.api_key, base_url=server.url) as asynchronous:
                client = synchronous() if "synchronous client" in request.param else asynchronous

                @require_approval(client, money.id, **options)
                async def refund(order: str, amount: float, *rest: str, note: str = "none") -> str:
                    await asyncio.sleep(0)
                    ran.append((order, amount, *rest, note))
                    return f"{order}: {amount}"

                typed: Awaitable[str] = refund(*args, **kwargs)
                return await typed

        return lambda *args, **kwargs: asyncio.run(call(*args, **kwargs))

    yield plain if request.param == "plain function" else coroutine
    for client in clients:
        client.close()


def test_an_approved_call_runs(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    seen: list[Task] = []

    def review(reviewer: SvcForms, task: Task) -> None:
        assert ran == []
        seen.append(task)
        approve(reviewer, task)

    refund = guarded(title="Refund?", priority="urgent")
    result = reviewed(reviewer, money, review, lambda: refund("A-17", 120.5, "x", note="lost"))
    assert result == "A-17: 120.5"
    assert ran == [("A-17", 120.5, "x", "lost")]
    (task,) = seen
    assert (task.title, task.priority, task.editable_fields) == ("Refund?", "urgent", [])
    for shown in ("refund(", "order='A-17'", "amount=120.5", "rest=('x',)", "note='lost'"):
        assert shown in str(task.description)


def test_the_function_runs_with_the_approved_values(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    def less(reviewer: SvcForms, task: Task) -> object:
        assert task.prefill == {"amount": 120}
        return reviewer.tasks.decide(task.id, "approved", fields={"amount": 50})

    refund = guarded(editable_fields=["amount"])
    assert reviewed(reviewer, money, less, lambda: refund("A-17", amount=120)) == "A-17: 50"
    assert ran == [("A-17", 50, "none")]


def test_a_cleared_number_is_none_and_a_cleared_text_is_empty(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    def clear(reviewer: SvcForms, task: Task) -> object:
        return reviewer.tasks.decide(task.id, "approved", fields={"amount": "", "order": ""})

    refund = guarded(editable_fields=["amount", "order"])
    reviewed(reviewer, money, clear, lambda: refund("A-17", amount=120))
    assert ran == [("", None, "none")]


def test_options_can_depend_on_the_arguments(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    refund = guarded(
        title=lambda order, amount: f"Refund {amount} for {order}?",
        description=lambda order, amount: "**Look**",
        prefill=lambda order, amount: {"order": order, "amount": amount},
        dedupe_key=lambda order, amount: f"{money.id}-{order}",
    )

    def review(reviewer: SvcForms, task: Task) -> None:
        assert (task.title, task.description) == ("Refund 1 for A-17?", "**Look**")
        assert task.prefill == {"order": "A-17", "amount": 1}
        approve(reviewer, task)

    reviewed(reviewer, money, review, lambda: refund("A-17", 1))
    # The second call finds the resolved task.
    assert refund("A-17", 1) == "A-17: 1"
    assert len(ran) == 2


def test_a_rejected_call_does_not_run(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    refund = guarded(reject_options=["Too much"])

    def reject(reviewer: SvcForms, task: Task) -> object:
        return reviewer.tasks.decide(task.id, "rejected", reject_option="Too much", comment="Ask me again")

    with pytest.raises(ApprovalRejectedError, match=r"was rejected .*: Too much; Ask me again") as caught:
        reviewed(reviewer, money, reject, lambda: refund("A-17", 1))
    assert caught.value.task.status == "rejected"
    assert ran == []


def test_a_cancelled_call_does_not_run(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    with pytest.raises(ApprovalCancelledError):
        reviewed(reviewer, money, lambda r, task: r.tasks.cancel(task.id), lambda: guarded()("A-17", 1))
    assert ran == []


def test_a_call_without_a_decision_does_not_run(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    started = time.time()
    with pytest.raises(TaskTimeoutError) as caught:
        guarded(timeout=0.5)("A-17", 1)
    assert ran == []
    # The task expires soon, because nobody waits for it anymore.
    assert 50 < caught.value.task.expires_at.timestamp() - started < 65


def test_an_expired_task_raises_its_own_error(server: Server, money: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    client = SvcForms(server.api_key, base_url=server.url)
    task = client.tasks.create(money.id)
    client.tasks.cancel(task.id)
    expired = client.tasks.get(task.id).model_copy(update={"status": "expired"})
    monkeypatch.setattr(client.tasks, "request_and_wait", lambda *_, **__: expired)
    with pytest.raises(ApprovalExpiredError, match="was not approved in time"):
        require_approval(client, money.id)(lambda: ran.append(()))()
    assert ran == []
    client.close()


def test_a_call_whose_timeout_expires_the_task_raises_approval_expired(server: Server, money: Form) -> None:
    def blocking() -> None:
        with SvcForms(server.api_key, base_url=server.url) as client:
            require_approval(client, money.id, timeout=60)(lambda: ran.append(()))()

    async def coroutine() -> None:
        async with AsyncSvcForms(server.api_key, base_url=server.url) as client:

            @require_approval(client, money.id, timeout=60)
            async def refund() -> None:
                ran.append(())

            await refund()

    # A minute is the shortest time in which a task can expire, so both wait at once.
    with ThreadPoolExecutor() as pool:
        for call in [pool.submit(blocking), pool.submit(lambda: asyncio.run(coroutine()))]:
            with pytest.raises(ApprovalExpiredError, match="was not approved in time"):
                call.result(90)
    assert ran == []


def test_invalid_decorators_and_calls_raise_type_errors(server: Server, money: Form) -> None:
    def refund(order: str) -> str:
        return order

    synchronous = SvcForms(server.api_key, base_url=server.url)
    with pytest.raises(TypeError, match="has no parameter amount"):
        require_approval(synchronous, money.id, editable_fields=["amount"])(refund)
    with pytest.raises(TypeError, match="make it async def"):
        require_approval(AsyncSvcForms(server.api_key, base_url=server.url), money.id)(refund)
    decorated = require_approval(synchronous, money.id)(refund)
    assert (decorated.__name__, decorated.__wrapped__) == ("refund", refund)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="missing a required argument"):
        decorated()  # type: ignore[call-arg]
    synchronous.close()


def test_calls_with_the_same_arguments_share_a_task(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    refund = guarded()
    reviewed(reviewer, money, approve, lambda: refund("A-1", 10))
    assert refund("A-1", amount=10, note="none") == "A-1: 10"
    assert len(list(reviewer.tasks.list(template_id=money.id))) == 1


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (("A-1", 9000), {}),
        (("A-2", 10), {}),
        (("A-1", "10"), {}),
        (("A-1", 10, "express"), {}),
        (("A-1", 10), {"note": "lost"}),
    ],
)
def test_another_argument_creates_another_task(
    guarded: Kind, reviewer: SvcForms, money: Form, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    # The title and the description are the same, so only the arguments differ.
    texts = {"title": "Refund?", "description": "As agreed"}
    reviewed(reviewer, money, approve, lambda: guarded(**texts)("A-1", 10))
    ran.clear()
    with pytest.raises(TaskTimeoutError):
        guarded(**texts, timeout=0.5)(*args, **kwargs)
    assert ran == []


def test_another_question_creates_another_task(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    reviewed(reviewer, money, approve, lambda: guarded(title="Refund?")("A-1", 10))
    with pytest.raises(TaskTimeoutError):
        guarded(title="Refund in full?", timeout=0.5)("A-1", 10)
    assert len(ran) == 1


def test_without_a_dedupe_key_every_call_creates_a_task(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    refund = guarded(dedupe_key=None)
    for _ in range(2):
        reviewed(reviewer, money, approve, lambda: refund("A-1", 10))
    assert len(list(reviewer.tasks.list(template_id=money.id))) == 2


def test_a_custom_key_is_refused_for_other_arguments(guarded: Kind, reviewer: SvcForms, money: Form) -> None:
    refund = guarded(dedupe_key=lambda order, amount: f"{money.id}-{order}")
    reviewed(reviewer, money, approve, lambda: refund("A-1", 10))
    with pytest.raises(DedupeKeyReusedError) as caught:
        refund("A-1", 9000)
    assert (caught.value.status, caught.value.issues[0].pointer) == (422, "/dedupeKey")
    assert ran == [("A-1", 10, "none")]
    assert refund("A-1", 10) == "A-1: 10"


@pytest.mark.parametrize("value", [object(), {1: "x"}, float("nan"), {"deep": [{2}]}, b"x"])
def test_other_arguments_than_json_need_a_custom_key(
    guarded: Kind, reviewer: SvcForms, money: Form, value: Any
) -> None:
    with pytest.raises(TypeError, match=r"refund: the argument amount is not a JSON value .*pass dedupe_key="):
        guarded()("A-1", value)
    assert ran == []
    assert list(reviewer.tasks.list(template_id=money.id)) == []
    refund = guarded(dedupe_key=lambda order, amount: f"{money.id}-{order}")
    reviewed(reviewer, money, approve, lambda: refund("A-1", value))
    assert len(ran) == 1


AGENT = """
import sys
from svcforms import SvcForms, require_approval

client = SvcForms(sys.argv[1], base_url=sys.argv[2])

@require_approval(client, sys.argv[3])
def refund(order: str, items: dict[str, int]) -> None:
    print("refunded", order, flush=True)

refund("A-1", {sys.argv[4]: 1, sys.argv[5]: 1})
"""


def test_a_restarted_program_finds_its_task(server: Server, reviewer: SvcForms, money: Form) -> None:
    def agent(*keys: str) -> subprocess.Popen[str]:
        arguments = [server.api_key, server.url, money.id, *keys]
        return subprocess.Popen([sys.executable, "-c", AGENT, *arguments], stdout=subprocess.PIPE, text=True)

    first = agent("a", "b")
    poll(lambda: list(reviewer.tasks.list(template_id=money.id)), "the task")
    first.kill()
    assert first.communicate()[0] == ""
    (task,) = reviewer.tasks.list(template_id=money.id)
    approve(reviewer, task)
    # The order of keys in an object doesn't matter.
    second = agent("b", "a")
    assert second.communicate(timeout=30)[0] == "refunded A-1\n"
    assert len(list(reviewer.tasks.list(template_id=money.id))) == 1


MANY_WAITING_CALLS = """
import asyncio
import sys
from svcforms import SvcForms, require_approval

client = SvcForms(sys.argv[1], base_url=sys.argv[2])

@require_approval(client, sys.argv[3])
async def refund(order: int) -> None:
    print("refunded", order, flush=True)

async def main() -> None:
    # More than the event loop has threads.
    calls = [asyncio.create_task(refund(order)) for order in range(40)]
    while sum(1 for _ in await asyncio.to_thread(lambda: list(client.tasks.list(template_id=sys.argv[3])))) < 40:
        await asyncio.sleep(0.05)
    try:
        await asyncio.wait_for(asyncio.gather(*calls), 1)
    except asyncio.TimeoutError:
        print("stopped", flush=True)

asyncio.run(main())
"""


def test_a_cancelled_call_with_a_synchronous_client_ends_its_wait(server: Server, money: Form) -> None:
    arguments = [sys.executable, "-c", MANY_WAITING_CALLS, server.api_key, server.url, money.id]
    program = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        assert program.communicate(timeout=60)[0] == "stopped\n"
    finally:
        program.kill()
        program.communicate()


AGENT_WITH_SETS = """
import sys
from svcforms import SvcForms, require_approval

client = SvcForms(sys.argv[1], base_url=sys.argv[2])

@require_approval(client, sys.argv[3], dedupe_key=lambda tags, rest: sys.argv[3])
def label(tags: set[str], rest: dict[str, frozenset[int]]) -> None:
    print(sorted(tags), flush=True)

label({"a", "b", "c", "d"}, {"ids": frozenset([3, 1, 2])})
"""


def test_a_restarted_program_finds_its_task_with_sets(server: Server, reviewer: SvcForms, money: Form) -> None:
    arguments = [sys.executable, "-c", AGENT_WITH_SETS, server.api_key, server.url, money.id]

    # The order of the members of a set depends on this variable, which is random by default.
    def agent(seed: str) -> subprocess.Popen[str]:
        env = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.Popen(arguments, env=env, stdout=subprocess.PIPE, text=True)

    first = agent("1")
    poll(lambda: list(reviewer.tasks.list(template_id=money.id)), "the task")
    first.kill()
    first.communicate()
    (task,) = reviewer.tasks.list(template_id=money.id)
    assert task.description is not None
    assert "tags={'a', 'b', 'c', 'd'}" in task.description
    assert "rest={'ids': frozenset({1, 2, 3})}" in task.description
    approve(reviewer, task)
    assert agent("2").communicate(timeout=30)[0] == "['a', 'b', 'c', 'd']\n"
