"""Client settings from arguments and the environment."""

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
    """The base URL and the API key."""

    base_url: str
    api_key: str = field(repr=False)

    @property
    def masked_key(self) -> str:
        """The key's prefix and last characters."""
        return mask(self.api_key)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {
            "Authorization": f"Bearer {self.api_key}",
            "User-Agent": f"svcforms-python/{version('svcforms')}",
        }


def read_settings(api_key: str | None, base_url: str | None) -> Settings:
    """Reads the settings. Arguments take precedence over `SVC_API_KEY` and `SVC_BASE_URL`.

    Raises:
        ConfigurationError: the API key is missing, or the API key or base URL is invalid.
    """
    key = (api_key if api_key is not None else os.environ.get("SVC_API_KEY", "")).strip()
    if not key:
        raise ConfigurationError("The API key is missing: pass api_key, or set SVC_API_KEY")
    if not _VISIBLE.fullmatch(key):
        raise ConfigurationError("The API key contains invalid characters; check for spaces and line breaks")
    text = base_url if base_url is not None else os.environ.get("SVC_BASE_URL") or DEFAULT_BASE_URL
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL as error:
        raise ConfigurationError(f"The base URL {text!r} is not a URL: {error}") from error
    if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment or url.userinfo:
        raise ConfigurationError(
            "The base URL must look like https://forms.example.com, without credentials or a query; "
            f"got {str(url.copy_with(username=None, password=None))!r}"
        )
    return Settings(base_url=str(url).rstrip("/"), api_key=key)


def choose_timeout(timeout: float | httpx.Timeout | None, of_client: httpx.Timeout | None) -> httpx.Timeout:
    """Returns the caller's timeout, else the one that was configured for their httpx client, else
    the default.
    """
    if timeout is not None:
        return httpx.Timeout(timeout)
    if of_client is not None and of_client != httpx.Timeout(5):  # httpx's own default
        return of_client
    return DEFAULT_TIMEOUT


def mask(secret: str) -> str:
    """Masks a secret as `svc_key_…Zm9y`. Shows nothing of a short secret."""
    if len(secret) < 20:
        return "…"
    prefix = re.match(r"(?:svc_[a-z]{3}_)?", secret)
    return f"{prefix.group() if prefix else ''}…{secret[-4:]}"
