"""What each query returns: a model for each whose rows are read, its fields the columns of the `// returns:` line.

A model names its query; `Store.rows(Model, **params)` runs it and gives the rows. They are in a module for each topic.
"""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

__all__ = ["ElementRow", "Row"]


class Row(BaseModel):
    """Base of all result models; fields are columns, a column more or less is an error.

    Validators are made at the first row: a command reads few of the models that it imports.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    query: ClassVar[str]


class ElementRow(Row):
    """A node, and how to reach it in this transaction."""

    label: str
    id: str
    element: str
