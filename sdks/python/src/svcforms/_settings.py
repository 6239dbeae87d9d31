"""What a client is told about its server, from arguments or the environment."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from importlib.metadata import version

import httpx

from .errors import ConfigurationError

DEFAULT_BASE_URL = "http://localhost:8080"
DEFAULT_TIMEOUT = httpx.Timeout(30, connect=5)

_VISIBLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class Settings:
    """Where the server is, and who calls."""

    base_url: str
    api_key: str = field(repr=False)

    @property
    def masked_key(self) -> str:
        """Enough of the key to tell keys apart."""
        return mask(self.api_key)

    @property
    def headers(self) -> dict[str, str]:
        """Headers of every request."""
        return {
            "Authorization": f"Bearer {self.api_key}",
            "User-Agent": f"svcforms-python/{version('svcforms')}",
        }


def read_settings(api_key: str | None, base_url: str | None) -> Settings:
    """Arguments win over `SVC_API_KEY` and `SVC_BASE_URL`.

    Raises:
        ConfigurationError: there is no API key, or one of the two can't be what it should.
    """
    key = (api_key if api_key is not None else os.environ.get("SVC_API_KEY", "")).strip()
    if not key:
        raise ConfigurationError("No API key: pass api_key, or set SVC_API_KEY")
    if not _VISIBLE.fullmatch(key):
        raise ConfigurationError("The API key has characters that no key has; is it a whole line of a file?")
    given = base_url if base_url is not None else os.environ.get("SVC_BASE_URL") or DEFAULT_BASE_URL
    try:
        url = httpx.URL(given.strip())
    except httpx.InvalidURL as error:
        raise ConfigurationError(f"The base URL {given!r} is not a URL: {error}") from error
    if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment or url.userinfo:
        raise ConfigurationError(
            f"The base URL must be like https://forms.example.com, without credentials or a query; "
            f"got {str(url.copy_with(username=None, password=None))!r}"
        )
    return Settings(base_url=str(url).rstrip("/"), api_key=key)


def mask(secret: str) -> str:
    """`svc_key_…Zm9y`: kind and end of a secret; nothing of one that is too short for that."""
    if len(secret) < 20:
        return "…"
    kind = re.match(r"(?:svc_[a-z]{3}_)?", secret)
    return f"{kind.group() if kind else ''}…{secret[-4:]}"
