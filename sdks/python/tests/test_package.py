"""Tests of the wheel in clean environments, with type checkers and linters."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.metadata import requires
from pathlib import Path
from typing import Literal

import pytest

from svcforms import SvcForms, Task

from .support.program import Program
from .support.server import Server, poll
from .test_readme import EXAMPLES

PROJECT = Path(__file__).resolve().parent.parent
PYTHONS = os.environ.get("SVC_PYTHONS", sys.executable).split(os.pathsep)

#: A program that uses the package. Type checkers check it, and it runs on every Python.
CONSUMER = """
from __future__ import annotations

import asyncio
import os
from datetime import datetime

from svcforms import AsyncSvcForms, Form, NotFoundError, SvcForms, Task, require_approval, sign_inbound, verify_webhook
from svcforms.models import FormField, TaskStatus


def work(form_id: str) -> tuple[str, datetime]:
    with SvcForms() as client:
        form: Form = client.forms.get(form_id)
        names: list[str] = [one.name for one in client.forms.list(limit=1)]
        hook = client.webhooks.create(form.id, "http://127.0.0.1:9/", ["form.submission.new"])
        secret: str = hook.secret
        signed = sign_inbound(b"{}", secret)
        try:
            client.submissions.get("sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y")
        except NotFoundError as error:
            code: str | None = error.code
            print(code, len(signed), form.name in names)
        return secret, form.created_at


async def work_async(form_id: str) -> TaskStatus:
    async with AsyncSvcForms() as client:
        task: Task = await client.tasks.create(form_id, prefill={"name": "Ada"})
        async for event in client.events.stream("hitl.task.created", last_event_id=task.event_cursor):
            print(event.task_id == task.id)
            break

        @require_approval(client, form_id)
        async def greet(name: str, *, times: int = 1) -> str:
            return name * times

        greeting = greet("Ada", times=2)
        greeting.close()
        return (await client.tasks.cancel(task.id)).status


field = FormField(name="name", type="text")
form_id = os.environ["FORM_ID"]
work(form_id)
print(asyncio.run(work_async(form_id)))
print(verify_webhook.__name__, field.name)
"""
#: Mistakes that the type checkers must find.
MISTAKES = """
from svcforms import SvcForms, require_approval

client = SvcForms("key")
client.tasks.create("frm_1", priority="soon")
client.keys.create("agent", ["everything"])
client.webhooks.create("frm_1", "https://example.com", ["hitl.task.created"])
status: int = client.tasks.get("tsk_1").status


@require_approval(client, "frm_1")
def refund(order: str) -> None: ...


refund(17)
"""


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path = PROJECT) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the wheel from the source distribution, like packagers."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, PROJECT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_contains_only_the_package(wheel: Path) -> None:
    assert wheel.name == "svcforms-0.1.0-py3-none-any.whl"
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    source = PROJECT / "src"
    expected = [
        str(path.relative_to(source)) for path in source.rglob("*") if path.suffix == ".py" or path.name == "py.typed"
    ]
    assert sorted(names) == sorted(expected)


@pytest.mark.parametrize(
    ("adapter", "framework", "extra"),
    [
        ("langgraph", "langchain_core", "langgraph"),
        ("langgraph", "langgraph", "langgraph"),
        ("openai_agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
    ],
)
def test_an_adapter_without_its_framework_names_its_extra(adapter: str, framework: str, extra: str) -> None:
    # Python can't import a module that is None.
    program = f"import sys; sys.modules[{framework!r}] = None; import svcforms.{adapter}"
    done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith("ModuleNotFoundError: ")
    assert f"pip install 'svcforms[{extra}]'" in done.stderr.splitlines()[-1]


def create_environment(folder: Path, python: str, *install: str | Path) -> Path:
    """Returns the Python of a new environment with these packages."""
    run(sys.executable, "-m", "uv", "venv", "--quiet", "--python", python, folder)
    own = folder / "bin" / "python"
    command = ["-m", "uv", "pip", "install", "--quiet", "--system-certs", "--python", own, *install]
    installing = subprocess.run([sys.executable, *map(str, command)], stderr=subprocess.PIPE, text=True, check=False)
    if "Failed to fetch" in installing.stderr and os.environ.get("CI") != "true" and not os.environ.get("SVC_REQUIRE"):
        pytest.skip("Python SDK: PyPI can't be reached")
    assert installing.returncode == 0, installing.stderr
    return own


@pytest.mark.parametrize(
    "python", PYTHONS, ids=[re.sub(r"[^\d.]", "", one.rsplit("/versions/")[-1]) or one for one in PYTHONS]
)
def test_the_wheel_works_in_a_clean_environment(python: str, wheel: Path, tmp_path: Path, server: Server) -> None:
    own = create_environment(tmp_path / "venv", python, wheel)
    (tmp_path / "consumer.py").write_text(CONSUMER)
    with SvcForms(server.api_key, base_url=server.url) as client:
        form = client.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    environment = {"SVC_API_KEY": server.api_key, "SVC_BASE_URL": server.url, "FORM_ID": form.id}
    printed = run(own, "-W", "error", "consumer.py", env=environment, cwd=tmp_path)
    assert printed.split() == ["NOT_FOUND", "64", "True", "True", "cancelled", "verify_webhook", "name"], printed


#: Each adapter's framework, with a cutoff date for its dependencies: its lowest version allows
#: newer packages but doesn't work with them.
FRAMEWORKS = {"langgraph": "2025-11-01", "openai-agents": "2026-03-20", "pydantic-ai-slim": "2025-11-20"}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_adapter_works_with_the_lowest_version(framework: str, wheel: Path, tmp_path: Path, server: Server) -> None:
    lowest = [one.split(";")[0] for one in requires("svcforms") or [] if one.startswith(framework)]
    # Versions without a wheel don't build everywhere.
    options = ["--resolution", "lowest-direct", "--no-build", "--exclude-newer", FRAMEWORKS[framework]]
    own = create_environment(tmp_path / "venv", PYTHONS[-1], *options, wheel, *lowest)
    with SvcForms(server.api_key, base_url=server.url) as reviewer:
        form = reviewer.forms.create("Refund", fields=[{"name": "note", "type": "text"}])

        def look() -> list[Task]:
            return list(reviewer.tasks.list(template_id=form.id, status="awaiting"))

        printed: dict[Literal["approved", "rejected"], str] = {"approved": "refunded 120", "rejected": "was rejected"}
        for outcome, text in printed.items():
            folder = shutil.copytree(PROJECT / "examples", tmp_path / outcome)
            call = f"{outcome}-{form.id}"
            known = {"SVC_API_KEY": server.api_key, "SVC_BASE_URL": server.url, "FORM_ID": form.id}
            example = f"{framework.removesuffix('-slim').replace('-', '_')}_refund.py"
            program = Program([example], folder, {**known, "CALL_ID": call, "THREAD_ID": call}, own)
            try:
                assert program.line() == "started"
                poll(look, "a task of the agent")
                reviewer.tasks.decide(look()[0].id, outcome)
                assert text in program.line()
            finally:
                program.close()


@pytest.fixture(scope="session")
def consumers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("consumers")
    (folder / "consumer.py").write_text(CONSUMER)
    for name, code in EXAMPLES.items():
        (folder / name).write_text(code)
    return folder


MYPY = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(PROJECT / ".mypy_cache")]
PYRIGHT = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]


@pytest.mark.parametrize("checker", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_type_checkers_accept_correct_programs(checker: Sequence[str], consumers: Path) -> None:
    run(*checker, *sorted(consumers.glob("*.py")), cwd=consumers)


@pytest.mark.parametrize(
    ("checker", "pattern"), [(MYPY, r"error: .*"), (PYRIGHT, r"- error: .*")], ids=["mypy", "pyright"]
)
def test_type_checkers_find_mistakes(checker: Sequence[str], pattern: str, tmp_path: Path) -> None:
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    done = subprocess.run([*checker, "mistakes.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = {int(line) for line in re.findall(r"mistakes\.py:(\d+):.*error", done.stdout)}
    assert lines == {5, 6, 7, 8, 15}, done.stdout


@pytest.mark.parametrize(
    "checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]], ids=lambda c: c[0]
)
def test_type_checkers_accept_the_package(checker: list[str]) -> None:
    run(sys.executable, "-m", *checker)


def test_ruff_accepts_the_package() -> None:
    run(sys.executable, "-m", "ruff", "check", ".")
    run(sys.executable, "-m", "ruff", "format", "--check", ".")
