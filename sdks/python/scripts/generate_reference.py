"""Generates docs/reference.md from the docstrings. With --check, only checks that it is up to date.

python scripts/generate_reference.py [--check]
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import svcforms
from svcforms import models

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference.md"
INTRODUCTION = """# Reference

`python scripts/generate_reference.py` generates this page from the docstrings.

`AsyncSvcForms` has the same methods as `SvcForms`. Await them, iterate over lists and streams with `async for`, and
close the client with `aclose`.
"""


def reference() -> str:
    """Builds the whole page."""
    client = svcforms.SvcForms
    resources = {name: vars(inspect.getmodule(client))[kind] for name, kind in client.__annotations__.items()}
    parts = [INTRODUCTION, "## The client", f"### `SvcForms{signature(client)}`", text(client), text(client.__init__)]
    parts += methods("client.", client)
    for name, resource in resources.items():
        parts += [f"## client.{name}", text(resource), *methods(f"client.{name}.", resource)]
        for part, kind in inspect.get_annotations(resource).items():
            within = vars(inspect.getmodule(resource))[kind]
            parts += [f"## client.{name}.{part}", text(within), *methods(f"client.{name}.{part}.", within)]
    parts += ["## Lists, streams and raw responses"]
    for kind in (svcforms.Pager, svcforms.Page, svcforms.EventStream, svcforms.RawResponse):
        parts += [f"### `{kind.__name__}`", text(kind), *methods("", kind, level=4)]
    parts += ["## Functions"]
    for function in (
        svcforms.require_approval,
        svcforms.verify_webhook,
        svcforms.sign_inbound,
        svcforms.verify_inbound_signature,
    ):
        parts += [f"### `{function.__name__}{signature(function)}`", text(function)]
    parts += ["### `VerifiedWebhook`", text(svcforms.VerifiedWebhook), *methods("", svcforms.VerifiedWebhook, level=4)]
    parts += ["## Errors", errors(svcforms.SvcFormsError), "`code` of an `APIStatusError` is one of:", codes()]
    parts += ["## Models", "The models are in `svcforms.models`. Attributes are the API's keys in snake case."]
    for name in models.__all__:
        kind = getattr(models, name)
        if inspect.isclass(kind) and issubclass(kind, BaseModel) and kind is not models.Model:
            parts += [f"### `{name}`", text(kind), fields(kind)]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(parts)).rstrip() + "\n"


def methods(prefix: str, kind: type, level: int = 3) -> list[str]:
    """Builds sections for the public methods and properties, in source order."""
    parts: list[str] = []
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            parts += [f"{'#' * level} `{prefix}{name}`", text(member)]
        elif inspect.isfunction(member):
            parts += [f"{'#' * level} `{prefix}{name}{signature(member)}`", text(member)]
    return parts


def signature(function: Any) -> str:
    """Formats the parameters without `self`, and the return type."""
    found = inspect.signature(function)
    parts: list[str] = []
    for name, parameter in found.parameters.items():
        if name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parts.append(f"{name}: {parameter.annotation}{default}")
    returns = "" if found.return_annotation in (None, "None", found.empty) else f" -> {found.return_annotation}"
    return f"({', '.join(parts)}){returns}"


def text(thing: Any) -> str:
    """Converts a docstring to Markdown, with sections as lists."""
    lines: list[str] = []
    section = ""
    for line in (inspect.getdoc(thing) or "").splitlines():
        if re.fullmatch(r"(Args|Raises|Example):", line):
            section = line[:-1]
            lines.append("" if section == "Example" else f"\n**{section}**\n")
        elif section == "Example":
            lines.append(line.removeprefix("    "))
        elif section and (entry := re.fullmatch(r"    (\w+): (.*)", line)):
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        else:
            lines.append(line.strip() if section else line)
    return "\n".join(lines)


def fields(kind: type[BaseModel]) -> str:
    """Lists the attributes of a model with their annotations."""
    rows: list[str] = []
    for name in kind.model_fields:
        owner = next(one for one in kind.__mro__ if name in vars(one).get("__annotations__", {}))
        annotation = re.sub(r"\bOpen\[((?:[^\[\]]|\[[^\[\]]*\])*)\]", r"\1", owner.__annotations__[name])
        rows.append(f"- `{name}: {annotation}`")
    return "\n".join(rows)


def errors(kind: type[BaseException], depth: int = 0) -> str:
    """Builds the tree of exceptions."""
    first = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
    below = [errors(sub, depth + 1) for sub in kind.__subclasses__() if not sub.__name__.startswith("_")]
    hidden = [s for sub in kind.__subclasses__() if sub.__name__.startswith("_") for s in sub.__subclasses__()]
    below += [errors(sub, depth + 1) for sub in hidden]
    return "\n".join([f"{'  ' * depth}- `{kind.__name__}`: {first}", *below])


def codes() -> str:
    """Lists the error codes with their statuses."""
    return "\n".join(f"- `{code}` ({status})" for code, status in svcforms.ERROR_CODES.items())


if __name__ == "__main__":
    if "--check" not in sys.argv:
        TARGET.write_text(reference())
    elif not TARGET.exists() or TARGET.read_text() != reference():
        sys.exit("docs/reference.md is out of date; run python scripts/generate_reference.py")
