from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

#: Importing a framework can take half a minute on a busy machine.
WAIT_SECONDS = 120


class Program:
    """A running example and its output."""

    def __init__(
        self, arguments: list[str], folder: Path, environment: dict[str, str], python: str | Path = sys.executable
    ) -> None:
        self._process = subprocess.Popen(
            [python, *arguments],
            cwd=folder,
            env={"PATH": os.environ["PATH"], **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip())

    def line(self) -> str:
        return self._lines.get(timeout=WAIT_SECONDS)

    def exit_code(self) -> int:
        return self._process.wait(WAIT_SECONDS)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
