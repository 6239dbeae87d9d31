"""Makes `svcforms/_sync` from `svcforms/_async`; with --check only says whether it is up to date.

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
    "AsyncBaseTransport": "BaseTransport",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
}
RULES = {
    r"AsyncGenerator\[([\w.]+), None\]": r"Generator[\1, None, None]",
    r"\bAsyncGenerator\b": "Generator",
    # Docstrings speak of the client at hand.
    r"The asynchronous client\..*": 'The synchronous client, made from `_async` by `scripts/generate_sync.py`."""',
    r"\basync (with|for|def)\b": r"\1",
    r"\bawait ": "",
    r"^import asyncio\n": "",
    r"\basyncio\.sleep\b": "time.sleep",
    r"\bAsync([A-Z]\w+)": r"\1",
}


def synchronous(source: str) -> str:
    """The same code without waiting for anything but by blocking."""
    for name, replacement in NAMES.items():
        source = re.sub(rf"\b{name}\b", replacement, source)
    for pattern, replacement in RULES.items():
        source = re.sub(pattern, replacement, source, flags=re.MULTILINE)
    return source


def generate(target: Path) -> None:
    """Writes the whole folder anew."""
    shutil.rmtree(target, ignore_errors=True)
    for path in sorted(SOURCE.rglob("*.py")):
        made = target / path.relative_to(SOURCE)
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(synchronous(path.read_text()))
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(PACKAGE.parent.parent / "pyproject.toml")]
    subprocess.run(
        [*ruff, "check", "--quiet", "--fix", "--exit-zero", *config, str(target)], check=True, capture_output=True
    )
    subprocess.run([*ruff, "format", "--quiet", *config, str(target)], check=True)


def stale() -> list[str]:
    """The files that differ from what would be made."""
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
