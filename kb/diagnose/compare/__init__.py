"""Comparisons and arithmetic over captures and facts: `unallocated >= wanted`, `k8s_reason == OOMKilled`.

Written in entries, parsed once by us and never evaluated as Python. Three-valued: what is not known makes a
comparison unknown (None), never false.
"""

from kb.diagnose.compare.evaluate import Scope, evaluate
from kb.diagnose.compare.nodes import CompareError, Expression
from kb.diagnose.compare.parse import names, parse
from kb.diagnose.compare.values import format_size, number

__all__ = ["CompareError", "Expression", "Scope", "evaluate", "format_size", "names", "number", "parse"]
