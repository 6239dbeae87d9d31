"""The base class of all models."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic.alias_generators import to_camel

T = TypeVar("T")


class Model(BaseModel):
    """Attributes use snake case, JSON keys camel case. Unknown keys of a newer server are kept."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", protected_namespaces=())

    def to_api(self) -> dict[str, Any]:
        """Returns the JSON object for the API, without unset attributes."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _keep_text(value: Any, known: ValidatorFunctionWrapHandler) -> Any:
    try:
        return known(value)
    except ValidationError:
        if isinstance(value, str):
            return value
        raise


Open = Annotated[T, WrapValidator(_keep_text)]
"""A value of an enumeration that a newer server may extend. Unknown text is kept."""
