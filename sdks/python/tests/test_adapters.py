"""Runs the examples of the adapters as separate programs, kills them while they wait, and resumes them."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from svcforms import Form, SvcForms, Task

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
    # The program has the state from before the decision, as if it had been killed right after the refund.
    assert "did not run again" in start(name).line()
    assert refunds(tmp_path) == ["A-17 120"]
    assert len(list(reviewer.tasks.list(template_id=form.id))) == 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_agent_hears_why_its_action_was_rejected(
    name: str, start: Start, reviewer: SvcForms, form: Form, tmp_path: Path
) -> None:
    program = start(name)
    reviewer.tasks.decide(waiting_task(reviewer, form).id, "rejected", comment="Too much")
    line = program.line()
    assert "refund was rejected" in line
    assert "Too much" in line
    assert refunds(tmp_path) == []
