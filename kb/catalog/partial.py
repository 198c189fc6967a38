"""What can still be judged of a file in which the model refuses some values.

One wrong value must not hide what else is wrong: a person would mend it and be told the next. So a copy of
the values is made to fit: what may lack is taken away, and where something must be, the like of it stands in.
Positions in lists stay, so every place in the file is still right. Rules look at the copy, nothing else does.
"""

from __future__ import annotations

import copy
import types
import typing
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, StringConstraints, ValidationError

from kb.catalog.document import Document, Path, value_at
from kb.catalog.entry import DATE, ID, Look

M = TypeVar("M", bound=BaseModel)
ROUNDS = 8  # each can bring up what the one before hid: an entry nests 7 deep
TEXT = "This text stands in for one that is wrong."
FIRST_DAY, LAST_DAY = "0001-01-01", "9999-12-31"


def partial(
    model: type[M], document: Document, refused: ValidationError, own_id: str
) -> tuple[M | None, frozenset[Path]]:
    """A model of what is right (None: too little is), and the paths of what is wrong or stands in."""
    value, wrong = copy.deepcopy(document.value), set[Path]()
    for _ in range(ROUNDS):
        for detail in refused.errors(include_url=False):
            wrong |= _mend(model, value, wrong_path(detail["loc"]), own_id)
        try:
            return model.model_validate(value), frozenset(wrong)
        except ValidationError as error:
            refused = error
    return None, frozenset(wrong)


def wrong_path(place: tuple[int | str, ...]) -> Path:
    """The place that the model complains about, without the mark for a key."""
    return place[:-1] if place and place[-1] == "[key]" else place


def _mend(model: type[BaseModel], value: Any, path: Path, own_id: str) -> set[Path]:
    """Make the value at a path fit, or that around it; return the paths that were touched."""
    touched = {path}
    while path:
        parent, step = value_at(value, path[:-1]), path[-1]
        if not isinstance(parent, dict | list):
            break  # what is around it has been mended already
        instead = own_id if path == ("id",) else _stand_in(_type_at(model, path), path)
        if _may_lack(model, path) and isinstance(parent, dict):
            parent.pop(step, None)
            break
        if instead is not None and value_at(parent, (step,)) != instead:
            parent[step] = instead  # type: ignore[index]
            break
        path = path[:-1]
        touched.add(path)
    return touched


def _may_lack(model: type[BaseModel], path: Path) -> bool:
    """Whether a key may lack: it is optional, unknown, or of a mapping whose keys are free."""
    around = _plain(_type_at(model, path[:-1]))
    if not isinstance(around, type) or not issubclass(around, BaseModel):
        return True
    field = around.model_fields.get(str(path[-1]))
    return field is None or not field.is_required()


def _type_at(model: type[BaseModel], path: Path) -> Any:
    """The type that the model wants at a path; None where it knows no such key."""
    kind: Any = model
    for step in path:
        kind = _plain(kind)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = typing.get_type_hints(kind, include_extras=True).get(str(step))
        else:
            kind = (get_args(kind) or (None,))[-1]  # of a list's items, or of a mapping's values
    return kind


def _plain(kind: Any) -> Any:
    """A type without its constraints and without None."""
    if get_origin(kind) is typing.Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (typing.Union, types.UnionType):
        return _plain(next(each for each in get_args(kind) if each is not types.NoneType))
    return kind


def _stand_in(kind: Any, path: Path) -> Any:
    """A value of a type that says nothing by itself; None where there is no such value."""
    plain = _plain(kind)
    if plain is Look:
        return {"look": TEXT, "see": TEXT}
    if isinstance(plain, type) and issubclass(plain, BaseModel):
        needed = [name for name, field in plain.model_fields.items() if field.is_required()]
        return {name: _stand_in(_type_at(plain, (name,)), (*path, name)) for name in needed}
    if get_origin(plain) is Literal:
        return get_args(plain)[0]
    if get_origin(plain) in (list, dict):
        return get_origin(plain)()
    patterns = {
        each.pattern for each in getattr(kind, "__metadata__", ()) if isinstance(each, StringConstraints)
    }
    if plain is not str or not patterns <= {None, ID, DATE}:
        return None
    if ID in patterns:
        return "-".join(str(step).replace("_", "-") for step in path)  # unlike any other
    return (LAST_DAY if path[-1] == "modified" else FIRST_DAY) if DATE in patterns else TEXT
