"""What every page for people carries: who may load, frame and be told what."""

from typing import Final

_BARRED: Final = ("base-uri", "form-action", "frame-ancestors")


def page_headers(**sources: str) -> dict[str, str]:
    """Return the headers of a page that may load these: ``script="'self'"`` and nothing else."""
    policy = {"default-src": "'none'"}
    policy |= {f"{kind}-src": allowed for kind, allowed in sources.items()}
    policy |= dict.fromkeys(_BARRED, "'none'")
    return {
        "Content-Security-Policy": "; ".join(f"{kind} {said}" for kind, said in policy.items()),
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
    }
