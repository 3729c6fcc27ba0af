"""The contract every game must pass. A plugin runs it on itself.

::

@pytest.mark.parametrize("case", arbitre.testing.cases(SYSTEM), ids=str)
def test_contract(case):
case.run()
"""

from arbitre.rules.examples import Example, load_examples
from arbitre.testing.cases import Case, cases

__all__ = ["Case", "Example", "cases", "load_examples"]
