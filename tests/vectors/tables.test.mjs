// The verifier of the page at /verify, in node: its parts against the vectors, and every log of
// tests/golden, whose faults the manifest names.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as verifier from '../../service/arbitre/api/verifier/verify.mjs'

const { canonical, fromHex, toHex, utf8 } = verifier
const read = (name) => readFileSync(new URL(name, import.meta.url))
const vectors = JSON.parse(read('tables.json'))
const manifest = JSON.parse(read('../golden/forged/manifest.json'))
const linesOf = (name) => verifier.readLines(read(`../golden/${name}`))

const web = await verifier.means()
const plain = await verifier.means(null) // as on a page without WebCrypto
const places = Object.entries({ WebCrypto: web, 'plain http': plain })

// What only signatures show is another fault, or none, where they cannot be checked.
const unsigned = {
  'edited.jsonl': 'state 1',
  'moved-to-another-table.jsonl': 'none',
  'signed-by-another-key.jsonl': 'none',
  'started-anew-under-another-key.jsonl': 'fork 1',
  'false-receipt.jsonl': 'fork 3',
  'false-receipt-beyond-the-end.jsonl': 'truncated 6',
}

test('node has WebCrypto with Ed25519, and a plain page has none', () => {
  assert.deepEqual([web.why, plain.why], [null, 'insecure'])
  assert.equal(plain.hashes, verifier.ownHashes)
})

for (const [name, by] of places) {
  const { hashes } = by

  test(`${name}: hashes, the pool, commitments, veils`, async () => {
    const bytes = fromHex
    const found = {
      sha256: (row) => hashes.sha256(bytes(row.in)),
      hmac: (row) => hashes.hmac(bytes(row.key), bytes(row.in)),
      mix: (row) => verifier.mix(hashes, bytes(row.pool), row.who, row.words),
      commit: (row) => verifier.commitment(hashes, bytes(row.table), row.epoch, bytes(row.seed)),
      veil: (row) => verifier.veil(hashes, bytes(row.salt), row.value),
      entry: (row) => verifier.entryHash(hashes, row.in),
    }
    for (const [kind, make] of Object.entries(found)) {
      for (const row of vectors[kind]) {
        assert.equal(toHex(await make(row)), row.out, `${kind} ${JSON.stringify(row)}`)
      }
    }
  })

  test(`${name}: the faces of every vector`, async () => {
    const text = String(read('dice.json')).replace(/"seq":(\d+)/g, '"seq":"$1"')
    const rows = JSON.parse(text).filter(({ seq }) => Number.isSafeInteger(Number(seq)))
    assert.ok(rows.length > 10)
    for (const { seed, table, epoch, seq, pool, draws, name: vector } of rows) {
      const dice = draws.flatMap(({ sides, faces }) => faces.map(() => sides))
      const where = [fromHex(seed), fromHex(table), epoch, Number(seq), fromHex(pool)]
      const found = await verifier.faces(hashes, ...where, dice)
      assert.deepEqual(found, draws.flatMap(({ faces }) => faces), vector)
    }
  })

  test(`${name}: the golden log`, async () => {
    const lines = linesOf('table-v1.jsonl')
    const verdict = await verifier.verifyLog(lines, { by, receipts: lines })
    assert.deepEqual(verdict.failures, [])
    for (const [field, value] of Object.entries(vectors.golden)) {
      assert.deepEqual(verdict[field], value, field)
    }
    assert.equal(verdict.rules, 'not-run')
    assert.equal(verdict.signatures, by.why ?? 'checked')
  })

  for (const row of manifest) {
    test(`${name}: ${row.log}`, async () => {
      const receipts = row.receipts ? linesOf(`forged/${row.receipts}`) : []
      const options = { by, receipts, key: row.key ?? '' }
      const { first } = await verifier.verifyLog(linesOf(`forged/${row.log}`), options)
      const named = row.fault && !row.rules ? `${row.fault} ${row.entry}` : 'none'
      const expected = by === plain ? (unsigned[row.log] ?? named) : named
      assert.equal(first ? `${first.fault} ${first.seq}` : 'none', expected)
    })
  }
}

test('canonical texts', () => {
  for (const { in: text, out } of vectors.canonical) {
    let found = null
    try {
      found = canonical(JSON.parse(text))
    } catch {
      // no canonical form
    }
    // 1.0 and 1 are one number to JSON.parse: what counts is whether the text is its own form
    assert.equal(found === text, out === text, text)
    if (found !== null && out !== null) assert.equal(found, out, text)
  }
})

test('weak keys', () => {
  for (const { key, weak } of vectors.weak) assert.equal(verifier.weakKey(fromHex(key)), weak, key)
})

test('lines are read from exports and from answers', () => {
  const line = { entry: 'é', sig: '00' }
  const text = [line, { log: line, id: 1 }, 1, [], {}, { entry: 1, sig: '' }, { log: 1 }]
  const found = verifier.readLines(utf8(`${text.map((row) => JSON.stringify(row)).join('\r\n')}\n \n`))
  assert.deepEqual(found, [line, line, null, null, null, null, null])
  assert.deepEqual(verifier.readLines(Uint8Array.of(0xff, 10, 10, 0x78)), [null, null])
  assert.deepEqual(verifier.readLines(new Uint8Array(0)), [])
})

test('a change of any byte of the golden log is seen, in each entry', async () => {
  const lines = linesOf('table-v1.jsonl').slice(0, 6)
  for (let at = 0; at < lines.length; at++) {
    const { entry, sig } = lines[at]
    for (let index = 0; index < entry.length; index += 7) {
      const other = String.fromCharCode(entry.charCodeAt(index) ^ 1)
      const changed = entry.slice(0, index) + other + entry.slice(index + 1)
      const forged = [...lines.slice(0, at), { entry: changed, sig }]
      const { first } = await verifier.verifyLog(forged, { by: web })
      assert.equal(first?.seq, at, `${at} ${index}`)
    }
  }
})
