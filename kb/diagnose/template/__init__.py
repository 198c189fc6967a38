"""The signature language: parse a template, find it in a text, take its captures.

`LoRA rank {rank:int} is greater than max_lora_rank {limit:int}`: literal text with typed placeholders, found
by its literal fragments in order, with word edges and without backtracking, so that no text can make it slow.
"""

from kb.diagnose.template.anchors import anchors, literal_words, required_words, specificity, words
from kb.diagnose.template.find import find, find_each_line
from kb.diagnose.template.parse import parse
from kb.diagnose.template.partial import find_partial
from kb.diagnose.template.parts import Found, Template, TemplateError
from kb.diagnose.template.prepared import Prepared, prepare
from kb.diagnose.template.reworded import find_reworded
from kb.diagnose.template.weigh import SPECIFICITY_FLOOR

__all__ = [
    "SPECIFICITY_FLOOR",
    "Found",
    "Prepared",
    "Template",
    "TemplateError",
    "anchors",
    "find",
    "find_each_line",
    "find_partial",
    "find_reworded",
    "literal_words",
    "parse",
    "prepare",
    "required_words",
    "specificity",
    "words",
]
