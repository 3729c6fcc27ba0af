"""The golden log: written again without a difference, and valid for ever."""

import subprocess

from arbitre.audit import Status, verify_lines
from entries import REGISTRY, SIGNER
from golden.rolls import LOG, golden
from programs import node


def test_the_golden_log_is_regenerated_without_a_difference() -> None:
    assert golden() == LOG.read_text(encoding="utf-8")


def test_the_golden_log_verifies() -> None:
    lines = LOG.read_text(encoding="utf-8").splitlines()
    verdicts = [row.verdict for row in verify_lines(lines, REGISTRY, SIGNER.public_key)]
    assert [verdict.status for verdict in verdicts] == [Status.VALID] * len(lines)
    assert all(check.ok or check.reason == "by-hand" for row in verdicts for check in row.checks)


def test_its_signatures_need_nothing_of_ours() -> None:
    """Node's own cryptography agrees, from the format alone."""
    script = """
      import { createHash, createPublicKey, verify } from 'node:crypto'
      import { readFileSync } from 'node:fs'
      const hash = (bytes) => createHash('sha256').update(bytes).digest()
      const prefix = Buffer.from('302a300506032b6570032100', 'hex')
      for (const line of readFileSync(process.argv[1], 'utf8').trim().split('\\n')) {
        const { entry, sig } = JSON.parse(line)
        const raw = Buffer.from(JSON.parse(entry).key, 'hex')
        const der = Buffer.concat([prefix, raw])
        const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
        const leaf = hash(Buffer.concat([Buffer.from([0]), Buffer.from(entry)]))
        const message = Buffer.concat([Buffer.from('arbitre/entry/v1\\0'), Buffer.alloc(24), leaf])
        console.log(verify(null, message, key, Buffer.from(sig, 'hex')))
      }
    """
    ran = subprocess.run(
        [node(), "--input-type=module", "--eval", script, str(LOG)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(ran.stdout.split()) == {"true"}
