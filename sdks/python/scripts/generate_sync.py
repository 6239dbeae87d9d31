"""Generates `svcforms/_sync` from `svcforms/_async`. With --check, only checks that it is up to date.

python scripts/generate_sync.py [--check]
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "svcforms"
SOURCE, TARGET = PACKAGE / "_async", PACKAGE / "_sync"

NAMES = {
    "aclose": "close",
    "anext": "next",
    "aread": "read",
    "aiter_bytes": "iter_bytes",
    "AsyncIterator": "Iterator",
    "StopAsyncIteration": "StopIteration",
    "AsyncClient": "Client",
    "client_per_loop": "single_client",
    "AsyncBaseTransport": "BaseTransport",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
}
RULES = {
    r"AsyncGenerator\[([\w.]+), None\]": r"Generator[\1, None, None]",
    r"\bAsyncGenerator\b": "Generator",
    # Docstrings name the client that they belong to.
    r"The asynchronous client\..*": 'The synchronous client. `scripts/generate_sync.py` generates it from `_async`."""',
    r"\basync (with|for|def)\b": r"\1",
    r"\bawait ": "",
    r"^import asyncio\n": "",
    r"\basyncio\.sleep\b": "time.sleep",
    r"\bAsync([A-Z]\w+)": r"\1",
}


def synchronous(source: str) -> str:
    """Converts asynchronous source code to blocking code."""
    for name, replacement in NAMES.items():
        source = re.sub(rf"\b{name}\b", replacement, source)
    for pattern, replacement in RULES.items():
        source = re.sub(pattern, replacement, source, flags=re.MULTILINE)
    return source


def generate(target: Path) -> None:
    """Replaces the whole folder."""
    shutil.rmtree(target, ignore_errors=True)
    for path in sorted(SOURCE.rglob("*.py")):
        generated = target / path.relative_to(SOURCE)
        generated.parent.mkdir(parents=True, exist_ok=True)
        generated.write_text(synchronous(path.read_text()))
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(PACKAGE.parent.parent / "pyproject.toml")]
    subprocess.run(
        [*ruff, "check", "--quiet", "--fix", "--exit-zero", *config, str(target)], check=True, capture_output=True
    )
    subprocess.run([*ruff, "format", "--quiet", *config, str(target)], check=True)


def stale() -> list[str]:
    """Lists the files that differ from freshly generated ones."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "_sync"
        generate(fresh)
        return [
            str(name)
            for name in sorted({p.relative_to(r) for r in (fresh, TARGET) for p in r.rglob("*.py")})
            if not (fresh / name).exists()
            or not (TARGET / name).exists()
            or (fresh / name).read_text() != (TARGET / name).read_text()
        ]


if __name__ == "__main__":
    if "--check" not in sys.argv:
        generate(TARGET)
    elif differing := stale():
        sys.exit(f"out of date: {', '.join(differing)}; run python scripts/generate_sync.py")
