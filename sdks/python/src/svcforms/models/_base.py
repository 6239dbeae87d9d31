"""What all models have in common."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic.alias_generators import to_camel

T = TypeVar("T")


class Model(BaseModel):
    """Attributes are called as in Python, keys as in the API; what a newer server adds is kept."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", protected_namespaces=())

    def to_api(self) -> dict[str, Any]:
        """The JSON object as the API takes it: what was never set stays out."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _keep_text(value: Any, known: ValidatorFunctionWrapHandler) -> Any:
    try:
        return known(value)
    except ValidationError:
        if isinstance(value, str):
            return value
        raise


Open = Annotated[T, WrapValidator(_keep_text)]
"""A value of a fixed set, to which a newer server may add: an unknown one is kept as it came."""
