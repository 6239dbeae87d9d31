"""Runs the examples of the README as separate programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from svcforms import SvcForms

from .support.program import Program
from .support.server import Server, free_port, poll

PROJECT = Path(__file__).resolve().parent.parent
EXAMPLES = {
    code.splitlines()[0].removeprefix("# "): code
    for code in re.findall(r"```python\n(# \w+\.py\n.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
}


Run = Callable[..., Program]


@pytest.fixture
def run(tmp_path: Path, server: Server) -> Iterator[Run]:
    programs: list[Program] = []

    def start(name: str, *arguments: str, **environment: str) -> Program:
        (tmp_path / name).write_text(EXAMPLES[name])
        known = {"SVC_API_KEY": server.api_key, "SVC_BASE_URL": server.url, **environment}
        programs.append(Program(list(arguments) or [name], tmp_path, known))
        return programs[-1]

    yield start
    for program in programs:
        program.close()


@pytest.fixture
def reviewer(server: Server) -> Iterator[SvcForms]:
    with SvcForms(server.api_key, base_url=server.url) as reviewer:
        yield reviewer


def test_the_readme_has_three_examples() -> None:
    assert sorted(EXAMPLES) == ["agent.py", "receiver.py", "watcher.py"]


def test_the_agent_waits_for_approval(run: Run, reviewer: SvcForms) -> None:
    form = reviewer.forms.create("Refund", fields=[{"name": "amount", "type": "number"}])
    agent = run("agent.py", FORM_ID=form.id)

    def pending_task() -> str:
        found: list[str] = []

        def look() -> bool:
            found[:] = [task.id for task in reviewer.tasks.list(template_id=form.id, status="awaiting")]
            return bool(found)

        poll(look, "a task of the agent")
        return found[0]

    reviewer.tasks.decide(pending_task(), "approved", fields={"amount": 100})
    assert agent.line() == "refunded 100 for A-17"
    reviewer.tasks.decide(pending_task(), "rejected", comment="Too much")
    assert agent.line().startswith("not done: refund was rejected")
    assert agent.exit_code() == 0


def test_the_receiver_verifies_webhooks(run: Run, reviewer: SvcForms) -> None:
    form = reviewer.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    port = free_port()
    url = f"http://127.0.0.1:{port}/hooks"
    hook = reviewer.webhooks.create(form.id, url, ["form.submission.new"])
    receiver = run(
        "receiver.py",
        *("-m", "uvicorn", "receiver:app", "--port", str(port), "--log-level", "warning"),
        WEBHOOK_SECRET=hook.secret,
    )
    poll(lambda: _is_listening(url), "the receiver to listen")
    forged = httpx.post(url, json={}, headers={"svc-signature": "t=1,v1=" + "a" * 64}, trust_env=False)
    assert forged.status_code == 401
    submission_id = reviewer.submissions.create(form.id, {"name": "Ada"})
    assert receiver.line() == f"form.submission.new {submission_id} {{'name': 'Ada'}}"


def _is_listening(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).status_code == 405
    except httpx.TransportError:
        return False


def _line_about(program: Program, *task_ids: str) -> str:
    """Returns the next line about one of the tasks. The stream has events of other tests too."""
    while not (line := program.line()).endswith(task_ids):
        pass
    return line


def test_the_watcher_continues_after_the_last_event(run: Run, reviewer: SvcForms, tmp_path: Path) -> None:
    form = reviewer.forms.create("Contact")
    first = reviewer.tasks.create(form.id)
    (tmp_path / "last-event-id").write_text(first.event_cursor or "")
    watcher = run("watcher.py")
    assert _line_about(watcher, first.id) == f"hitl.task.created {first.id}"
    reviewer.tasks.cancel(first.id)
    cancelled = f"hitl.task.cancelled {first.id}"
    assert _line_about(watcher, first.id) == cancelled
    watcher.close()
    second = reviewer.tasks.create(form.id)
    again = run("watcher.py")
    line = _line_about(again, first.id, second.id)
    # The last event may arrive again if the program ended before it stored the id.
    if line == cancelled:
        line = _line_about(again, first.id, second.id)
    assert line == f"hitl.task.created {second.id}"
