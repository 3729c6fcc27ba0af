"""The GraphQL door: the same calls, types and refusals as REST, derived from the registry."""
