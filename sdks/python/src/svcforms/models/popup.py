"""`settings.popup` of a form: when and where the popup opens."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ._base import Model, Open

SimpleTrigger = Literal["exit", "delay", "scroll", "inactivity", "click", "visible", "intent"]
Trigger = Literal["exit", "delay", "scroll", "inactivity", "click", "visible", "intent", "all"]


class PopupCondition(Model):
    """One of the two conditions of the trigger `all`, with its parameter."""

    trigger: Open[SimpleTrigger]
    delay_ms: int | None = None
    scroll_percent: float | None = None
    selector: str | None = None
    intent_level: Open[Literal["warm", "hot"]] | None = None


class PopupPages(Model):
    """Page targeting: the pages of the site that show the popup."""

    include: list[str] | None = None
    exclude: list[str] | None = None


class PopupDecline(Model):
    """The decline button."""

    enabled: bool | None = None
    text: str | None = None
    suppress_days: int | None = None


class TrackingConsent(Model):
    """Where the site's consent banner stores the visitor's choice."""

    cookie: str | None = None
    storage_key: str | None = None
    window_path: str | None = None
    category: str | None = None
    consent_mode: bool | str | None = None


class Popup(Model):
    """Popup settings of a form. `forms.replace` removes a trigger parameter that is None."""

    enabled: bool | None = None
    trigger: Open[Trigger] | None = None
    delay_ms: int | None = None
    scroll_percent: float | None = None
    intent_level: Open[Literal["warm", "hot"]] | None = None
    selector: str | None = None
    and_: list[PopupCondition] | None = Field(default=None, validation_alias="and", serialization_alias="and")
    exit_sensitivity_px: int | None = None
    mouse_leave_delay_ms: int | None = None
    devices: Open[Literal["all", "desktop", "mobile"]] | None = None
    pages: PopupPages | None = None
    frequency_days: int | None = None
    max_shows: int | None = None
    decline: PopupDecline | None = None
    tracking_consent: TrackingConsent | None = None
