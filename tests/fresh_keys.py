"""For schemathesis: every request that should be accepted has an Idempotency-Key of its own.

A key that comes back with another body is refused (422), as it should be, and the schema of one
request cannot say so.
"""

import uuid
from typing import Any

import schemathesis

NAME = "Idempotency-Key"


@schemathesis.hook
def before_call(
    context: Any,  # noqa: ARG001 - the hook's own words
    case: schemathesis.Case,
    kwargs: Any,  # noqa: ARG001 - likewise
) -> None:
    if case.meta and case.meta.generation.mode.is_positive and NAME in case.headers:
        case.headers[NAME] = str(uuid.uuid4())
