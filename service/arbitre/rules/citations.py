"""``rules.toml``: every rule and ruling of a game, with where it stands in the book."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule or ruling.

    ``section`` and ``page`` cite the book; ``unclaimed`` says why no resolver applies it.
    """

    id: str
    title: dict[str, str]
    section: str
    page: int | None
    unclaimed: str | None
    ruling: bool


def load_rules(package: str, prefix: str) -> dict[str, Rule]:
    """Read a game's ``rules.toml``: for each id, ``fr`` and ``en`` titles, section, page."""
    raw = tomllib.loads(files(package).joinpath("rules.toml").read_text(encoding="utf-8"))
    rules = {}
    for id_, row in raw.items():
        unknown = row.keys() - {"fr", "en", "section", "page", "unclaimed"}
        if not id_.startswith(f"{prefix}-") or unknown or not row.keys() >= {"fr", "en", "section"}:
            msg = f"{package} rules.toml, {id_}: fr, en and section, and page or unclaimed"
            raise ValueError(msg)
        rules[id_] = Rule(
            id=id_,
            title={"fr": row["fr"], "en": row["en"]},
            section=row["section"],
            page=row.get("page"),
            unclaimed=row.get("unclaimed"),
            ruling=id_.startswith(f"{prefix}-R"),
        )
    return rules
