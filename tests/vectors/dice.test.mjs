// Derives the faces of dice.json anew, from the description in dice/seeded.py alone.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

function* stream({ seed, table, epoch, seq, pool }) {
  const where = Buffer.alloc(12)
  where.writeUInt32BE(epoch, 0)
  where.writeBigUInt64BE(BigInt(seq), 4)
  const message = Buffer.concat([
    Buffer.from('arbitre/dice/v1\0'),
    Buffer.from(table, 'hex'),
    where,
    Buffer.from(pool, 'hex'),
  ])
  for (let i = 0; ; i++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(i)
    yield* createHmac('sha256', Buffer.from(seed, 'hex')).update(message).update(number).digest()
  }
}

function face(bytes, sides) {
  const width = sides <= 256 ? 1 : sides <= 65536 ? 2 : 4
  const all = 256 ** width
  for (;;) {
    let x = 0
    for (let i = 0; i < width; i++) x = x * 256 + bytes.next().value
    if (x < all - (all % sides)) return 1 + (x % sides)
  }
}

const text = readFileSync(new URL('dice.json', import.meta.url), 'utf8')
// numbers of 64 bits are beyond JSON.parse: keep them as text
const vectors = JSON.parse(text.replace(/"seq":(\d+)/g, '"seq":"$1"'))

for (const vector of vectors) {
  test(vector.name, () => {
    const bytes = stream(vector)
    for (const { sides, faces } of vector.draws) {
      assert.deepEqual(faces.map(() => face(bytes, sides)), faces)
    }
  })
}
