"""Every game keeps the contract."""

import pytest

from arbitre.registry import load_registry
from arbitre.testing import Case, cases

CASES = [(system.id, case) for system in load_registry().values() for case in cases(system)]


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[f"{s}: {c}" for s, c in CASES])
def test_the_contract_holds(case: Case) -> None:
    case.run()
