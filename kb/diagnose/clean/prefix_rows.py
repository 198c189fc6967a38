"""The table of prefixes. Rows are tried in this order, so a shape that holds another comes before it."""

from __future__ import annotations

from kb.diagnose.clean.prefix_row import Row
from kb.diagnose.clean.prefixes_of_loggers import PYTHON
from kb.diagnose.clean.prefixes_of_systems import KEPT, SYSTEM
from kb.diagnose.clean.prefixes_of_workers import CPP, HOMEMADE, RANKS, TAGS

ROWS: tuple[Row, ...] = (*TAGS, *RANKS, *CPP, *PYTHON, *SYSTEM, *HOMEMADE, *KEPT)
