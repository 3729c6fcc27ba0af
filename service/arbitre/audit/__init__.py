"""Entries that anybody can replay: canonical bytes, signatures, verdicts."""

from arbitre.audit.canonical import NotCanonicalError, canonical
from arbitre.audit.entry import Entropy, Signed, entropy_of, fresh_seed, new_id, pairs, roll_entry
from arbitre.audit.master import MasterSecretError, load_master
from arbitre.audit.replay import (
    Check,
    Checked,
    Line,
    Reason,
    Status,
    Verdict,
    replay,
    verify_lines,
)
from arbitre.audit.signing import Signer, entry_hash, verify, weak_key

__all__ = [
    "Check",
    "Checked",
    "Entropy",
    "Line",
    "MasterSecretError",
    "NotCanonicalError",
    "Reason",
    "Signed",
    "Signer",
    "Status",
    "Verdict",
    "canonical",
    "entropy_of",
    "entry_hash",
    "fresh_seed",
    "load_master",
    "new_id",
    "pairs",
    "replay",
    "roll_entry",
    "verify",
    "verify_lines",
    "weak_key",
]
