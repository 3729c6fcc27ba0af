"""One operation: parsed and validated once for each text, measured, executed, put in words."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing
from functools import lru_cache
from inspect import isawaitable
from typing import Any, Final, NamedTuple, cast

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    OperationType,
    execute,
    get_operation_ast,
    parse,
    subscribe,
    validate,
)

from arbitre.api.graphql.limits import LABELS, TOKENS, check, check_variables
from arbitre.api.graphql.schema import Context, refusal
from arbitre.api.problems import Problem

_KEPT: Final = 128
"""Documents kept parsed and validated."""

_LONG: Final = 8_000
"""Documents of more characters are not kept."""

_DESCRIPTIONS: Final = 8
"""Answers about the schema itself that are kept."""

_ERRORS: Final = 5
"""Faults of a document that are told."""

_SAID: Final = 300
"""Most characters of a fault."""

_log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """What an operation answers; ``ran`` is false when nothing was executed."""

    document: dict[str, Any]
    ran: bool


class _Document(NamedTuple):
    node: DocumentNode
    introspects: frozenset[str | None]


class _RefusedError(Exception):
    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__()
        self.errors = errors


class Operations:
    """Runs the operations of one schema."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._kept = lru_cache(_KEPT)(self._read)
        self._descriptions = lru_cache(_DESCRIPTIONS)(self._describe)
        self._describing = asyncio.Lock()

    async def run(
        self,
        text: str,
        variables: dict[str, Any] | None,
        name: str | None,
        context: Context,
        *,
        only_reads: bool = False,
    ) -> Answer:
        """Answer one operation; a ``Problem`` is raised for a mutation where one only reads."""
        try:
            document = self._document(text)
            check_variables(variables)
        except _RefusedError as refused:
            return Answer({"errors": told(refused.errors, context.language)}, ran=False)
        except Problem as problem:
            return Answer(refused_document(problem, context.language), ran=False)
        chosen = get_operation_ast(document.node, name)
        if chosen and (chosen.name.value if chosen.name else None) in document.introspects:
            async with self._describing:  # it is long: rolls go on meanwhile
                result = await asyncio.to_thread(self._described, text, name, variables)
            return _answer(result, context.language)
        if only_reads and chosen and chosen.operation is not OperationType.QUERY:
            raise Problem(405, "get-reads", labels=LABELS, headers={"Allow": "POST"})
        if chosen and chosen.operation is OperationType.SUBSCRIPTION:
            raise Problem(400, "subscribe", labels=LABELS)
        running = self._execute(document, variables, name, context)
        result = running if isinstance(running, ExecutionResult) else await running
        return _answer(result, context.language)

    async def stream(
        self, text: str, variables: dict[str, Any] | None, name: str | None, context: Context
    ) -> AsyncIterator[dict[str, Any]]:
        """Give each answer of one operation: one of a query, many of a subscription."""
        try:
            document = self._document(text)
            check_variables(variables)
        except _RefusedError as refused:
            yield {"errors": told(refused.errors, context.language)}
            return
        except Problem as problem:
            yield refused_document(problem, context.language)
            return
        chosen = get_operation_ast(document.node, name)
        if chosen is None or chosen.operation is not OperationType.SUBSCRIPTION:
            yield (await self.run(text, variables, name, context)).document
            return
        found = subscribe(
            self._schema,
            document.node,
            context_value=context,
            variable_values=variables,
            operation_name=name,
        )
        results = await found if isawaitable(found) else found
        if isinstance(results, ExecutionResult):
            yield _answer(results, context.language).document
            return
        async with aclosing(cast("AsyncGenerator[ExecutionResult, None]", results)) as stream:
            async for result in stream:
                yield _answer(result, context.language).document

    def _document(self, text: str) -> _Document:
        return self._kept(text) if len(text) <= _LONG else self._read(text)

    def _read(self, text: str) -> _Document:
        try:
            node = parse(text, max_lexical_tokens=TOKENS, max_comments=TOKENS)
        except GraphQLError as error:
            raise _RefusedError([error]) from None
        introspects = check(node)
        errors = validate(self._schema, node, max_errors=_ERRORS, hide_suggestions=True)
        if errors:
            raise _RefusedError(errors[:_ERRORS])
        return _Document(node, introspects)

    def _described(
        self, text: str, name: str | None, variables: dict[str, Any] | None
    ) -> ExecutionResult:
        if variables or len(text) > _LONG:
            return self._describe(text, name, variables)
        return self._descriptions(text, name, None)

    def _describe(
        self, text: str, name: str | None, variables: dict[str, Any] | None
    ) -> ExecutionResult:
        result = self._execute(self._document(text), variables, name, None)
        assert isinstance(result, ExecutionResult)  # noqa: S101 - nothing in it waits
        return result

    def _execute(
        self,
        document: _Document,
        variables: dict[str, Any] | None,
        name: str | None,
        context: Context | None,
    ) -> ExecutionResult | Awaitable[ExecutionResult]:
        return execute(
            self._schema,
            document.node,
            context_value=context,
            variable_values=variables,
            operation_name=name,
            max_coercion_errors=_ERRORS,
            hide_suggestions=True,
        )


def refused_document(problem: Problem, language: str) -> dict[str, Any]:
    """Return the answer to a request that a problem ended before it began."""
    return {"errors": told([refusal(problem, language)], language)}


def told(errors: list[GraphQLError], language: str) -> list[dict[str, Any]]:
    """Put errors in words: our own as they are, GraphQL's shortened, the unexpected masked."""
    return [_told(error, language) for error in errors]


def _told(error: GraphQLError, language: str) -> dict[str, Any]:
    cause = error.original_error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    extensions: dict[str, Any] | None
    if cause is None:
        message = error.message if len(error.message) <= _SAID else f"{error.message[:_SAID]}…"
        extensions = {"code": "invalid-query", "status": 400}
    elif isinstance(cause, Problem):
        message, extensions = error.message, error.extensions
    else:
        _log.error("a field failed", exc_info=cause)
        masked = refusal(Problem(500, "internal"), language)
        message, extensions = masked.message, masked.extensions
    answer: dict[str, Any] = {"message": message, "extensions": extensions}
    if error.locations:
        answer["locations"] = [
            {"line": place.line, "column": place.column} for place in error.locations
        ]
    if error.path is not None:
        answer["path"] = error.path
    return answer


def _answer(result: ExecutionResult, language: str) -> Answer:
    if not result.errors:
        return Answer({"data": result.data}, ran=True)
    errors = told(result.errors, language)
    if result.data is None and all(error.path is None for error in result.errors):
        return Answer({"errors": errors}, ran=False)
    return Answer({"errors": errors, "data": result.data}, ran=True)
