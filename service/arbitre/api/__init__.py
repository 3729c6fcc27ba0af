"""The doors: REST and GraphQL, both derived from the registry."""
