"""How one test falls at each threshold, counted by the rules themselves."""

from arbitre.rules.tables import Table
from arbitre.systems.night_prowler.test import (
    DIE,
    Adjustment,
    NightProwlerNullSuccess,
    NightProwlerVerdict,
    Verdict,
    judge,
)

PLAIN = Adjustment(None, NightProwlerNullSuccess.NONE, False, 0, 0)


def row(threshold: int) -> tuple[int, ...]:
    """Count the faces of each quality, then critical results and successes."""
    read = [judge(face, threshold, PLAIN) for face in range(1, DIE + 1)]
    botched = [one for one in read if one.critical is NightProwlerVerdict.FAILURE]
    return (
        threshold,
        *(_with(read, quality) for quality in range(1, 6)),
        _with(read, -5) - len(botched),
        *(_with(read, quality) for quality in range(-4, 0)),
        len(botched),
        sum(one.critical is NightProwlerVerdict.SUCCESS for one in read),
        sum(one.success for one in read),
    )


def _with(read: list[Verdict], quality: int) -> int:
    return sum(one.quality == quality for one in read)


DISTRIBUTION = Table(
    "distribution",
    ("NP-07", "NP-08", "NP-09"),
    (
        "threshold", "q1", "q2", "q3", "q4", "q5", "f5", "f4", "f3", "f2", "f1",
        "critical_failure", "critical_success", "successes",
    ),
    tuple(row(threshold) for threshold in range(DIE + 2)),
)  # fmt: skip
"""From 0, which stands for every threshold under 1, to 21, for every one over 20."""
