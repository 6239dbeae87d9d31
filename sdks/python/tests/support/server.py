from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[4]
STANDALONE = Path(os.environ.get("SVC_STANDALONE") or ROOT / "dist" / "standalone.cjs")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def poll(probe: Callable[[], object], what: str, timeout: float = 30) -> None:
    """Calls `probe` until it returns a true value."""
    deadline = time.monotonic() + timeout
    while not probe():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {timeout} s for {what}")
        time.sleep(0.02)


class Server:
    """The product in one process with its own data. A restart keeps the port and the data."""

    def __init__(self, **settings: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="svcforms-python-")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.api_key = f"svc_key_{secrets.token_urlsafe(32)}"
        self._log = Path(self.folder) / "log"
        node = shutil.which("node")
        if node is None:
            raise RuntimeError("node is not on the PATH")
        self._command = [node, str(STANDALONE)]
        self._environment = {
            "PATH": os.environ["PATH"],
            "LOG_LEVEL": "warn",
            "SVC_PORT": str(self.port),
            "SVC_DATA_DIR": str(Path(self.folder) / "data"),
            "SVC_BOOTSTRAP_EMAIL": "owner@example.com",
            "SVC_BOOTSTRAP_PASSWORD": "owner password",
            "SVC_BOOTSTRAP_API_KEY": self.api_key,
            "SVC_ALLOWED_TARGETS": "127.0.0.0/8",
            "SVC_ALLOW_HTTP": "true",
            "SVC_RATE_LIMIT_KEY": "0",
            "SVC_RATE_LIMIT_INBOUND": "0",
            "SVC_RATE_LIMIT_PUBLIC": "0",
            **settings,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, env=self._environment, stdout=log, stderr=log)
        poll(self._is_ready, f"{self.url}/readyz")

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGKILL) -> None:
        self.kill(how)
        self.start()

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _is_ready(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError(f"the server exited:\n{self._log.read_text()}")
        try:
            return httpx.get(f"{self.url}/readyz", trust_env=False).is_success
        except httpx.TransportError:
            return False
