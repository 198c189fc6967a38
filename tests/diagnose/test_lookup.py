"""Templates of tells are sought line by line, those of several lines in messages."""

from kb.diagnose.clean import clean
from kb.diagnose.lookup import Lookup
from kb.diagnose.read import read_report

TEXT = (
    "RuntimeError: Error(s) in loading state_dict for Net:\n"
    '\tMissing key(s) in state_dict: "module.a.weight", "module.a.bias". \n'
    '\tUnexpected key(s) in state_dict: "module.b.weight". \n'
    "\n"
    'Missing key(s) in state_dict: "module.c"\n'
)
BOTH = 'Missing key(s) in state_dict: "module.{_}\nUnexpected key(s) in state_dict: "module.'


def found(source: str) -> list[int]:
    return [seen.at for seen in Lookup(read_report(clean(TEXT))).find(source)]


def test_a_template_of_one_line_is_found_in_every_line() -> None:
    assert found('Missing key(s) in state_dict: "module.') == [1, 4]


def test_a_template_of_several_lines_is_found_where_it_begins_in_a_message() -> None:
    assert found(BOTH) == [1]


def test_a_template_of_several_lines_is_not_put_together_from_two_messages() -> None:
    assert found('Unexpected key(s) in state_dict: "module.{_}\nMissing key(s) in state_dict:') == []
