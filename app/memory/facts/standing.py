"""The weight of each fact by itself at an instant: rows to numbers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Row

from app.clock import days_between
from app.memory.index.ranking import standing
from app.models import Fact

COLUMNS = (Fact.importance, Fact.confidence, Fact.pinned, Fact.fresh_at)
"""What a row needs to have."""


def standing_of(rows: Sequence[Row[*tuple[Any, ...]]], at: datetime) -> list[float]:
    """As `ranking.standing`, for rows that have the columns `COLUMNS` among others."""
    stands: list[float] = standing(
        np.array([row.importance for row in rows], np.float64),
        np.array([row.confidence for row in rows], np.float64),
        np.array([row.pinned for row in rows], bool),
        np.array([days_between(row.fresh_at, at) for row in rows], np.float64),
    ).tolist()
    return stands
