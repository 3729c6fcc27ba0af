"""The composition root: settings and games become one ASGI application."""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from arbitre import __version__
from arbitre.api.desk import Desk
from arbitre.api.docs import DOCS
from arbitre.api.graphql.ide import PLAYGROUND, Ide, load_ide
from arbitre.api.graphql.route import GraphQLEndpoint
from arbitre.api.graphql.schema import build_schema
from arbitre.api.guarantees import GUARANTEES
from arbitre.api.http import best_language
from arbitre.api.landing import LANDING
from arbitre.api.openapi import document
from arbitre.api.pages import PAGES
from arbitre.api.problems import Fault, Problem
from arbitre.api.rest import Front, hot_calls
from arbitre.api.table_pages import TABLES
from arbitre.api.tables import TableDesk
from arbitre.api.verifier import VERIFIER
from arbitre.audit.master import load_master
from arbitre.audit.tables import TableKeys
from arbitre.registry import Registry, load_registry
from arbitre.rules.labels import LANGUAGES
from arbitre.settings import Settings
from arbitre.store.interface import Log
from arbitre.store.open import store_from


def create_app(
    settings: Settings,
    registry: Registry | None = None,
    store: Log | None = None,
    ide: Ide | None = None,
) -> Front:
    """Return the whole service; all but ``settings`` are for other compositions."""
    if registry is None:
        registry = load_registry()
    settings.data.mkdir(parents=True, exist_ok=True)
    keys = TableKeys(load_master(settings.master_key, settings.data))
    if store is None:
        store = store_from(
            redis_url=settings.redis_url,
            data_dir=settings.data,
            ttl=settings.roll_ttl,
            allow_volatile=settings.redis_volatile,
        )
    desk = Desk(
        registry,
        keys.signer,
        store,
        tables=TableDesk(registry, keys, store),
        odds_threads=settings.odds_threads,
    )
    ide = ide or load_ide()
    graphql = GraphQLEndpoint(build_schema(registry), desk, ide)
    return Front(hot_calls(desk), _pages(desk, ide), graphql, _methods)


def from_environment() -> Front:
    """Return the service as the environment sets it: what each worker process runs."""
    return create_app(Settings.from_environment())


_ROUTERS: Final = (PAGES, TABLES, LANDING, DOCS, PLAYGROUND, VERIFIER, GUARANTEES)


def _methods(path: str) -> str:
    """Return what an address allows, as ``Allow`` lists it; nothing where there is nothing."""
    scope = {"type": "http", "path": path, "method": "GET"}
    found = {
        method
        for router in _ROUTERS
        for route in router.routes
        if isinstance(route, Route) and route.matches(scope)[0] is not Match.NONE
        for method in route.methods or ()
    }
    if not found:
        return ""
    return ", ".join(sorted({*found, "OPTIONS"} | ({"HEAD"} if "GET" in found else set())))


def _pages(desk: Desk, ide: Ide) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        try:
            await desk.store.open()
            # odds on their threads give the event loop its turn a thousand times a second
            sys.setswitchinterval(0.001)
            # what start-up made stays; without this, waiting rolls set off full collections
            gc.collect()
            gc.freeze()
            gc.set_threshold(50_000, 20, 50)
            yield
        finally:
            await desk.store.close()

    app = FastAPI(
        title="Arbitre",
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.desk = desk
    app.state.ide = ide
    app.state.openapi = cache(lambda: orjson.dumps(document(desk.registry)))
    for router in _ROUTERS:
        app.include_router(router)
    app.add_exception_handler(Problem, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _told)
    return app


async def _told(request: Request, error: Exception) -> Response:
    problem = error if isinstance(error, Problem) else Problem(500, "internal")
    language = request.query_params.get("lang")
    if language not in LANGUAGES:
        language = best_language(request.headers.get("accept-language", ""))
    request.state.language = language
    return Response(
        orjson.dumps(problem.document(language)),
        problem.status,
        {"Content-Type": "application/problem+json", **problem.headers},
    )


async def _invalid(request: Request, error: Exception) -> Response:
    faults = tuple(
        Fault("?" + str(fault["loc"][-1])[:80], "invalid-value")
        for fault in getattr(error, "errors", list)()
    )
    return await _told(
        request, Problem(422, "invalid", faults=faults, values={"faults": len(faults)})
    )


async def _http(request: Request, error: Exception) -> Response:
    if getattr(error, "status_code", 404) == 405:  # noqa: PLR2004
        allowed = _methods(_path(request))
        return await _told(request, Problem(405, "method", headers={"Allow": allowed}))
    return await _told(request, Problem(404, _unknown(request)))


def _path(request: Request) -> str:
    path: str = request.scope["path"]
    return path.removeprefix(request.scope.get("root_path", ""))


def _unknown(request: Request) -> str:
    """Say which part of an address is not there: the game, its rule, or all of it."""
    match _path(request).split("/"):
        case ["", "v1", system, _] | ["", "v1", system, _, "odds"]:
            return "no-resolver" if system in request.app.state.desk.registry else "no-system"
        case _:
            return "not-found"
