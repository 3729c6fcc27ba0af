"""The GraphQL door: the same calls, types and refusals as REST, derived from the registry."""

from arbitre.api.graphql.route import GraphQLEndpoint
from arbitre.api.graphql.schema import build_schema, sdl

__all__ = ["GraphQLEndpoint", "build_schema", "sdl"]
