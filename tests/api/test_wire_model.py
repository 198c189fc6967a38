"""The API's models of the wire form are the wire form."""

import types
import typing
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from pydantic import BaseModel

from api import wire_model
from api.examples import ANSWER, REQUEST
from api.models import MatchRequest
from api.wire_model import DiagnosisModel
from kb.diagnose import wire

PARTS: set[type[BaseModel]] = {
    part
    for part in vars(wire_model).values()
    if isinstance(part, type) and issubclass(part, wire_model.Part) and part is not wire_model.Part
}


def shape(annotation: Any) -> Any:
    """A type as plain values: keys of objects with their shapes, element shapes, names of scalars."""
    if is_typeddict(annotation):
        return {key: shape(value) for key, value in get_type_hints(annotation).items()}
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = annotation.model_fields
        return {field.alias or name: shape(field.annotation) for name, field in fields.items()}
    origin = get_origin(annotation)
    if origin is Literal:
        assert all(isinstance(value, str) for value in get_args(annotation))
        return "str"
    if origin in {typing.Union, types.UnionType}:
        return ("one of", *sorted((shape(part) for part in get_args(annotation)), key=str))
    if origin in {list, dict}:
        return (origin.__name__, *(shape(part) for part in get_args(annotation)))
    assert annotation in {str, int, float, bool, type(None)}, annotation
    return annotation.__name__


def test_the_models_and_the_wire_form_have_the_same_keys_and_types() -> None:
    assert shape(DiagnosisModel) == shape(wire.WireDiagnosis)


def test_the_comparison_sees_a_difference_deep_inside() -> None:
    class OtherFacts(wire_model.FactsModel):
        gpu: int | None  # type: ignore[assignment]

    assert shape(OtherFacts) != shape(wire.WireFacts)


def test_every_part_of_the_models_is_checked_against_the_wire_form() -> None:
    """A model that the diagnosis does not reach would never be compared."""
    reached: set[Any] = set()

    def reach(annotation: Any) -> None:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            reached.add(annotation)
            for field in annotation.model_fields.values():
                reach(field.annotation)
        for part in get_args(annotation):
            reach(part)

    reach(DiagnosisModel)
    assert reached == PARTS


@pytest.mark.parametrize("model", sorted(PARTS - {wire_model.GivenModel}, key=str))
def test_no_key_of_the_wire_form_may_be_left_out_but_what_comes_in_too(model: type[BaseModel]) -> None:
    assert [name for name, field in model.model_fields.items() if not field.is_required()] == []


def test_the_examples_of_the_description_are_a_request_and_an_answer() -> None:
    MatchRequest.model_validate(REQUEST)
    answer = DiagnosisModel.model_validate(ANSWER)
    assert answer.model_dump(by_alias=True) == ANSWER
    evidence = ANSWER["failures"][0]["hypotheses"][0]["evidence"][0]
    line = REQUEST["text"].splitlines()[evidence["line"] - 1]
    assert line[evidence["start"] : evidence["end"]] == "LoRA rank 64 is greater than max_lora_rank 16"
