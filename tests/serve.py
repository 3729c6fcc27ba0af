"""A service of two games, so that it starts sooner: ``serve.py PORT``, as the environment says."""

import sys

import uvicorn

from arbitre.app import create_app
from arbitre.settings import Settings
from entries import REGISTRY

if __name__ == "__main__":
    uvicorn.run(
        create_app(Settings.from_environment(), REGISTRY),
        port=int(sys.argv[1]),
        http="arbitre.api.wire:Protocol",
        access_log=False,
    )
