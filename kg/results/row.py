"""What a result model is, and where all of them are found."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

__all__ = ["ElementRow", "Row", "result_models"]


class Row(BaseModel):
    """Base of all result models; fields are columns, a column more or less is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    query: ClassVar[str]


class ElementRow(Row):
    """A node, and how to reach it in this transaction."""

    label: str
    id: str
    element: str


def result_models() -> dict[str, type[Row]]:
    """Every imported result model by the name of its query. Raises ValueError if a query has two."""
    found: dict[str, type[Row]] = {}
    todo = list(Row.__subclasses__())
    while todo:
        model = todo.pop()
        todo += model.__subclasses__()
        if "query" in model.__dict__:
            if model.query in found:
                raise ValueError(f"{model.query} has two result models")
            found[model.query] = model
    return found
