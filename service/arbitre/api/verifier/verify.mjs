// Verifies the log of a table as arbitre/audit/ledger.py does, except that no rule is run again.
//
// The formats are those of arbitre/audit/{tables,signing,forms}.py and arbitre/dice/seeded.py.
// Runs in browsers and in node; asks nothing of any network.

const LARGEST_ENTRY = 1 << 20
const DEEPEST = 200
const MOST_TEXT = 500
const MOST_DICE = 5000
const MOST_SIDES = 2 ** 32
const NO_HASH = '0'.repeat(64)

// Bytes

const encoder = new TextEncoder()

export const utf8 = (text) => encoder.encode(text)

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function bigEndian(number, size) {
  const bytes = new Uint8Array(size)
  for (let rest = number, at = size - 1; at >= 0; at--) {
    bytes[at] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return bytes
}

// SHA-256 and HMAC: our own, for pages from which browsers withhold theirs

const primes = []
for (let n = 2; primes.length < 64; n++) {
  if (primes.every((prime) => n % prime)) primes.push(n)
}
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32)
const START = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUND = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

function sha256(bytes) {
  const padded = new Uint8Array((bytes.length + 9 + 63) & ~63)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  padded.set(bigEndian(bytes.length * 8, 8), padded.length - 8)
  const state = START.slice()
  const words = new Uint32Array(64)
  const view = new DataView(padded.buffer)
  const turn = (x, by) => (x >>> by) | (x << (32 - by))
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + 4 * i)
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15]
      const y = words[i - 2]
      const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
      const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10)
      words[i] = words[i - 16] + low + words[i - 7] + high
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const one = (h + high + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0
      const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word
  }
  return join(...Array.from(state, (word) => bigEndian(word, 4)))
}

function hmac(key, message) {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const inner = sha256(join(block.map((byte) => byte ^ 0x36), message))
  return sha256(join(block.map((byte) => byte ^ 0x5c), inner))
}

export const ownHashes = { sha256, hmac }

export function webHashes(subtle) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return {
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes)),
    hmac: async (key, message) => {
      const imported = await subtle.importKey('raw', key, algorithm, false, ['sign'])
      return new Uint8Array(await subtle.sign('HMAC', imported, message))
    },
  }
}

// Returns what this place can do: its hashes, and the check of signatures or why there is none.
export async function means(crypto = globalThis.crypto) {
  const subtle = crypto?.subtle
  if (!subtle) return { hashes: ownHashes, check: null, why: 'insecure' }
  const hashes = webHashes(subtle)
  const imported = new Map()
  const keyOf = (key) => {
    const name = toHex(key)
    if (!imported.has(name)) {
      imported.set(name, subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']))
    }
    return imported.get(name)
  }
  try {
    await keyOf(fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'))
  } catch {
    return { hashes, check: null, why: 'unsupported' }
  }
  const check = async (key, sig, message) => {
    try {
      return await subtle.verify({ name: 'Ed25519' }, await keyOf(key), sig, message)
    } catch {
      return false // no point of the curve
    }
  }
  return { hashes, check, why: null }
}

// Whether a key is not canonical, or of small order: under it anything is well signed.
export function weakKey(bytes) {
  let y = 0n
  for (const byte of [...bytes].reverse()) y = y * 256n + BigInt(byte)
  y &= 2n ** 255n - 1n
  const p = 2n ** 255n - 19n
  const eighth = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n
  return y >= p || [0n, 1n, p - 1n, eighth, p - eighth].includes(y)
}

// One value, one text: RFC 8785, for whole numbers of 53 bits

const halfCharacter = /\p{Surrogate}/u

export function canonical(value, depth = 0) {
  if (typeof value === 'string') {
    if (halfCharacter.test(value)) throw new TypeError('half a character')
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError('no whole number')
    return String(value)
  }
  if (value === null || typeof value === 'boolean') return String(value)
  if (depth === DEEPEST) throw new TypeError('too deep')
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`
  }
  const fields = Object.keys(value).sort()
  return `{${fields.map((name) => `${canonical(name)}:${canonical(value[name], depth + 1)}`).join(',')}}`
}

// The form of each entry

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const whole = (value) => Number.isSafeInteger(value) && value >= 0
const hex = (size) => (value) => typeof value === 'string' && value.length === size && /^[0-9a-f]+$/.test(value)
const lengthOf = (value) => [...value].length
const text = (value) => typeof value === 'string' && lengthOf(value) <= MOST_TEXT
const one = (...choices) => (value) => choices.includes(value)
const perhaps = (fits) => (value) => value === undefined || value === null || fits(value)

const words = (value) => {
  return typeof value === 'string' && lengthOf(value) >= 16 && lengthOf(value) <= 64
}

const record = (fields) => (value) => {
  if (!isObject(value)) return false
  if (!Object.keys(value).every((name) => Object.hasOwn(fields, name))) return false
  return Object.keys(fields).every((name) => {
    return fields[name](Object.hasOwn(value, name) ? value[name] : undefined)
  })
}

const isDie = (pair) => {
  if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isSafeInteger)) return false
  const [sides, face] = pair
  return sides >= 2 && sides <= MOST_SIDES && face >= 1 && face <= sides
}

const dice = (value) => Array.isArray(value) && value.length <= MOST_DICE && value.every(isDie)

const hash = hex(64)
const common = {
  v: one(1),
  table: hex(32),
  seq: whole,
  prev: hash,
  ts: whole,
  st: record({ epoch: whole, salt: hex(32), cs: hash, n: whole }),
  idem: perhaps(hash),
  fp: perhaps(hash),
}
const commit = record({ open: hash, veil: hash })
const three = record({ req: hash, draws: hash, outcome: hash })
const asked = { note: perhaps(text), ruleset: text, resolver: text, req: isObject }
const roll = {
  who: text,
  client: (value) => value === null || words(value),
  entropy: one('own', 'pool', 'server-only', 'hand'),
}
const openRoll = { ...roll, role: one('gm', 'player'), ...asked, draws: dice, outcome: isObject }
const sealed = (value) => typeof value === 'string' && /^([0-9a-f]{2})+$/.test(value)
const secretRoll = { ...roll, role: one('gm'), veil: three, sealed }

const lane = one('open', 'veil')
const typed = (type, fields) => record({ ...common, type: one(type), ...fields })
const FORMS = new Map([
  ['genesis', typed('genesis', { origin: text, key: hash, commit, settings: isObject })],
  ['seed', typed('seed', { who: text, seed: words })],
  ['roll open', typed('roll', { ...openRoll, lane })],
  ['roll veil', typed('roll', { ...secretRoll, lane })],
  ['rotate', typed('rotate', { commit })],
  ['reveal', typed('reveal', { epoch: whole, lane, seed: hash })],
  [
    'unveil',
    typed('unveil', {
      target: whole,
      values: record({ req: record(asked), draws: dice, outcome: isObject }),
      salts: three,
    }),
  ],
  ['close', typed('close', { reason: text })],
])

function formed(data) {
  const name = data.type === 'roll' ? `roll ${data.lane}` : data.type
  return FORMS.get(name)?.(data) ?? false
}

// Lines

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Returns each line {"entry": "…", "sig": "…"} of a file; null for any other.
export function readLines(bytes) {
  const found = []
  let start = 0
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) continue
    const line = bytes.subarray(start, at)
    start = at + 1
    if (line.some((byte) => byte !== 32 && (byte < 9 || byte > 13))) found.push(readLine(line))
  }
  return found
}

function readLine(bytes) {
  try {
    let row = JSON.parse(decoder.decode(bytes))
    if (!isObject(row)) return null
    if (Object.hasOwn(row, 'log')) row = row.log
    const { entry, sig } = row
    if (typeof entry !== 'string' || typeof sig !== 'string') return null
    return halfCharacter.test(entry + sig) ? null : { entry, sig }
  } catch {
    return null
  }
}

// What entries derive from

export const mix = async ({ sha256 }, pool, who, said) => {
  const parts = [utf8('arbitre/mix/v1\0'), pool, await sha256(utf8(who)), await sha256(utf8(said))]
  return sha256(join(...parts))
}

export const commitment = ({ sha256 }, table, epoch, seed) => {
  return sha256(join(utf8('arbitre/commit/v1\0'), table, bigEndian(epoch, 4), seed))
}

export const veil = ({ sha256 }, salt, value) => {
  return sha256(join(utf8('arbitre/veil/v1\0'), salt, utf8(canonical(value))))
}

export const entryHash = ({ sha256 }, entry) => sha256(join(Uint8Array.of(0), utf8(entry)))

export const signedMessage = (table, seq, leaf) => {
  return join(utf8('arbitre/entry/v1\0'), table, bigEndian(seq, 8), leaf)
}

// Returns the faces of dice with these numbers of sides, in this order.
export async function faces({ hmac }, seed, table, epoch, seq, pool, dice) {
  const message = join(
    utf8('arbitre/dice/v1\0'), table, bigEndian(epoch, 4), bigEndian(seq, 8), pool,
  )
  let block = 0
  let bytes = new Uint8Array(0)
  let at = 0
  const drawn = []
  for (const sides of dice) {
    const width = sides <= 256 ? 1 : sides <= 65536 ? 2 : 4
    const all = 256 ** width
    for (;;) {
      if (at + width > bytes.length) {
        bytes = join(bytes.subarray(at), await hmac(seed, join(message, bigEndian(block++, 4))))
        at = 0
      }
      let x = 0
      for (const end = at + width; at < end; at++) x = x * 256 + bytes[at]
      if (x < all - (all % sides)) {
        drawn.push(1 + (x % sides))
        break
      }
    }
  }
  return drawn
}

// The log

class Stop extends Error {}

class Ledger {
  constructor({ hashes, check, why }, key) {
    this.hashes = hashes
    this.check = check
    this.pinned = key
    this.state = null
    this.ts = 0
    this.heads = []
    this.commits = []
    this.salts = new Set()
    this.idems = new Set()
    this.seeds = new Map()
    this.rolls = new Map()
    this.unveiled = new Map()
    this.verdict = {
      table: '',
      key: '',
      entries: 0,
      head: '',
      failures: [],
      first: null,
      entropy: {},
      verified: 0,
      waiting: 0,
      secret: 0,
      backwards: 0,
      signatures: why ?? 'checked',
      rules: 'not-run',
    }
  }

  fail(fault, values = {}, seq = this.heads.length) {
    this.verdict.failures.push({ seq, fault, values })
  }

  stop(fault, values) {
    this.fail(fault, values)
    return new Stop(fault)
  }

  async run(lines, receipts, progress) {
    const { verdict } = this
    try {
      for (const [index, line] of lines.entries()) {
        if (index % 200 === 199) await progress(index / lines.length)
        await this.line(line)
      }
      if (!this.heads.length) this.fail('empty')
    } catch (error) {
      if (!(error instanceof Stop)) throw error
    }
    verdict.entries = this.heads.length
    for (const receipt of receipts) await this.receipt(receipt)
    for (const [seq, rolled] of this.rolls) await this.roll(seq, rolled)
    verdict.head = this.heads.at(-1) ?? ''
    for (const failure of verdict.failures) {
      if (verdict.first === null || failure.seq < verdict.first.seq) verdict.first = failure
    }
    return verdict
  }

  async line(line) {
    if (line === null) throw this.stop('not-a-line')
    const entry = this.read(line.entry)
    if (!formed(entry)) throw this.stop('fields', { pointer: '' })
    const state = this.place(entry)
    const leaf = await entryHash(this.hashes, line.entry)
    if (!(await this.signed(line.sig, leaf, this.verdict.key, state.seq))) throw this.stop('signature')
    const left = await this.left(entry, state)
    const { epoch, salt, cs, n } = entry.st
    if (left.epoch !== epoch || left.salt !== salt || left.pool !== cs || left.n !== n) {
      this.fail('state')
    }
    const idem = entry.idem ?? null
    if (idem !== null) {
      if (this.idems.has(idem)) this.fail('idem-twice')
      this.idems.add(idem)
    }
    if (entry.ts < this.ts) this.verdict.backwards += 1
    this.ts = entry.ts
    const head = toHex(leaf)
    this.state = { ...left, seq: state.seq + 1, head }
    this.heads.push(head)
  }

  read(entry) {
    let reason = 'not-json'
    try {
      if (utf8(entry).length > LARGEST_ENTRY) reason = 'too-large'
      else {
        const data = JSON.parse(entry)
        reason = 'not-canonical'
        if (canonical(data) === entry) {
          if (isObject(data)) return data
          reason = 'not-an-object'
        }
      }
    } catch {
      // the reason says how far it came
    }
    throw this.stop('form', { reason })
  }

  place(entry) {
    let { state } = this
    if (state === null) {
      if (entry.type !== 'genesis') throw this.stop('no-genesis')
      const { table, key } = entry
      state = { table, seq: 0, head: NO_HASH, epoch: 0, salt: '', pool: NO_HASH, n: 0, closed: false }
      Object.assign(this.verdict, { table, key })
      if (weakKey(fromHex(key))) throw this.stop('weak-key')
      if (this.pinned && key !== this.pinned) {
        this.fail('other-key', { expected: this.pinned, found: key })
      }
    } else if (entry.type === 'genesis') throw this.stop('genesis-again')
    if (entry.table !== state.table) throw this.stop('other-table', { found: entry.table })
    if (entry.seq !== state.seq) {
      throw this.stop('number', { expected: state.seq, found: entry.seq })
    }
    if (entry.prev !== state.head) throw this.stop('chain')
    if (state.closed) throw this.stop('after-close')
    return state
  }

  // True as well where nothing can be checked: the verdict then says so.
  async signed(sig, leaf, key, seq) {
    if (!hex(128)(sig)) return false
    if (this.check === null) return true
    const message = signedMessage(fromHex(this.verdict.table), seq, leaf)
    return this.check(fromHex(key), fromHex(sig), message)
  }

  async left(entry, state) {
    switch (entry.type) {
      case 'genesis':
        return this.opened(entry, state)
      case 'rotate':
        return this.opened(entry, { ...state, epoch: state.epoch + 1 })
      case 'seed':
        return this.contributed(state, entry.who, entry.seed)
      case 'roll':
        return this.rolled(entry, state)
      case 'reveal':
        await this.revealed(entry, state)
        return state
      case 'unveil':
        await this.openedOne(entry)
        return state
      default:
        return { ...state, closed: true }
    }
  }

  opened({ commit, st }, state) {
    if (this.salts.has(st.salt)) this.fail('salt-again')
    this.salts.add(st.salt)
    this.commits[state.epoch] = commit
    return { ...state, salt: st.salt, pool: NO_HASH, n: 0 }
  }

  async contributed(state, who, said) {
    const pool = toHex(await mix(this.hashes, fromHex(state.pool), who, said))
    return { ...state, pool, n: state.n + 1 }
  }

  async rolled(entry, before) {
    let state = before
    const hand = entry.entropy === 'hand'
    if ((entry.client !== null) !== (entry.role === 'player' && !hand)) this.fail('client')
    let fair = state.n ? 'pool' : 'server-only'
    if (entry.client !== null) {
      state = await this.contributed(state, entry.who, entry.client)
      fair = 'own'
    }
    if (!hand && entry.entropy !== fair) {
      this.fail('entropy', { expected: fair, found: entry.entropy })
    }
    const { entropy } = this.verdict
    entropy[entry.entropy] = (entropy[entry.entropy] ?? 0) + 1
    this.rolls.set(state.seq, { entry, epoch: state.epoch, pool: state.pool })
    return state
  }

  async revealed({ epoch, lane, seed }, state) {
    if (epoch >= state.epoch) {
      this.fail('reveal-early', { epoch })
      return
    }
    const bytes = fromHex(seed)
    const found = await commitment(this.hashes, fromHex(state.table), epoch, bytes)
    if (toHex(found) !== this.commits[epoch][lane]) this.fail('reveal-wrong', { epoch, lane })
    else this.seeds.set(`${epoch} ${lane}`, bytes)
  }

  async openedOne({ target, values, salts }) {
    const secret = this.rolls.get(target)?.entry
    if (secret?.lane !== 'veil' || this.unveiled.has(target)) {
      this.fail('unveil-target', { target })
      return
    }
    for (const field of ['req', 'draws', 'outcome']) {
      const found = await veil(this.hashes, fromHex(salts[field]), values[field])
      if (toHex(found) !== secret.veil[field]) {
        this.fail('unveil-wrong', { target, field })
        return
      }
    }
    this.unveiled.set(target, values.draws)
  }

  async receipt(receipt) {
    const place = placeOf(receipt)
    const length = this.heads.length
    if (place === null) {
      this.fail('receipt')
      return
    }
    const { seq, table } = place
    if (table !== this.verdict.table) {
      this.fail('receipt-table')
      return
    }
    const leaf = await entryHash(this.hashes, receipt.entry)
    if (seq < length && toHex(leaf) === this.heads[seq]) return
    const key = this.pinned || this.verdict.key
    const at = Math.min(seq, length)
    if (weakKey(fromHex(key)) || !(await this.signed(receipt.sig, leaf, key, seq))) {
      this.fail('receipt-unsigned', { seq }, at)
    } else if (seq < length) this.fail('fork', {}, at)
    else this.fail('truncated', { seq }, at)
  }

  async roll(seq, { entry, epoch, pool }) {
    const draws = entry.lane === 'open' ? entry.draws : this.unveiled.get(seq)
    if (!draws) {
      this.verdict.secret += 1
      return
    }
    if (entry.entropy === 'hand') return
    const seed = this.seeds.get(`${epoch} ${entry.lane}`)
    if (!seed) {
      this.verdict.waiting += 1
      return
    }
    const dice = draws.map(([sides]) => sides)
    const table = fromHex(entry.table)
    const drawn = await faces(this.hashes, seed, table, epoch, seq, fromHex(pool), dice)
    const index = draws.findIndex(([, face], at) => face !== drawn[at])
    if (index < 0) this.verdict.verified += 1
    else this.fail('faces', { number: index + 1 }, seq)
  }
}

function placeOf(receipt) {
  try {
    const { seq, table } = JSON.parse(receipt.entry)
    return whole(seq) && typeof table === 'string' ? { seq, table } : null
  } catch {
    return null
  }
}

// Verifies the lines of a log; ``key`` is the public key to trust, ``receipts`` what players kept.
export async function verifyLog(lines, { key = '', receipts = [], by = null, progress = pause } = {}) {
  return new Ledger(by ?? (await means()), key).run(lines, receipts, progress)
}

const pause = () => new Promise((resolve) => setTimeout(resolve))
