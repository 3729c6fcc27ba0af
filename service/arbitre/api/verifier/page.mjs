// The page around verify.mjs: what was picked or pasted, and the verdict in words.

import { means, readLines, utf8, verifyLog } from './verify.mjs'
import words from './words.mjs'

const COUNTS = ['own', 'pool', 'server-only', 'hand']
const FURTHER = ['verified', 'waiting', 'secret', 'backwards']
const MOST_FAULTS = 20

const at = (id) => document.getElementById(id)
const by = means()
let language = navigator.languages.find((name) => /^(fr|en)\b/.test(name))?.slice(0, 2) ?? 'fr'
let shown = null

const say = (key, values = {}, table = 'verifier') => {
  return words[language][table][key].replace(/\{(\w+)\}/g, (_, name) => values[name])
}

// Characters that hide, or turn the text around, are spelled out.
const plain = (text) => {
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0).toString(16)}}`
  })
}

function element(name, text, style) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = plain(text)
  if (style) made.className = style
  return made
}

function speak() {
  document.documentElement.lang = language
  document.title = say('title')
  for (const part of document.querySelectorAll('[data-say]')) part.textContent = say(part.dataset.say)
  at('language').textContent = say('language')
  at('language').lang = language === 'fr' ? 'en' : 'fr'
}

const because = ({ seq, fault, values }) => {
  const reason = words[language].reasons[values.reason]
  const why = say(fault, values, 'log-faults') + (reason ? ` (${reason})` : '')
  return say('entry', { seq, why }, 'log-verdicts')
}

function tell({ verdict, lines, kept, pinned }) {
  const good = verdict.first === null
  const signed = verdict.signatures === 'checked'
  const title = good ? (signed ? 'valid' : 'aside') : 'invalid'
  const style = good ? (signed ? 'good' : undefined) : 'bad'
  const parts = [element('h2', say(title, {}, 'log-verdicts'), style)]
  if (!good) {
    parts.push(element('p', because(verdict.first), 'bad'))
    const line = lines[verdict.first.seq]
    if (line) parts.push(element('h3', say('shown')), element('pre', line.entry.slice(0, 4000)))
    const others = verdict.failures.filter((failure) => failure !== verdict.first)
    if (others.length) {
      const list = element('ul')
      list.append(...others.slice(0, MOST_FAULTS).map((failure) => element('li', because(failure))))
      parts.push(element('h3', say('others')), list)
    }
  }
  parts.push(element('p', say('chain-checked')))
  parts.push(element('p', say(`signatures-${verdict.signatures}`), signed ? undefined : 'bad'))
  parts.push(element('p', say('rules-not-run')))
  if (!pinned) parts.push(element('p', say('taken', {}, 'log-verdicts')))
  const receipts = kept ? say('kept', { count: kept }, 'log-verdicts') : say('no-receipts', {}, 'log-verdicts')
  parts.push(element('p', receipts))
  const facts = element('dl')
  const fact = (name, value) => {
    facts.append(element('dt', say(name, {}, 'log-counts')), element('dd', value))
  }
  for (const name of ['table', 'key', 'entries', 'head']) fact(name, verdict[name])
  for (const name of COUNTS) fact(name, verdict.entropy[name] ?? 0)
  for (const name of FURTHER) fact(name, verdict[name])
  parts.push(facts)
  at('result').replaceChildren(...parts)
  at('result').dataset.verdict = good ? 'valid' : `${verdict.first.fault} ${verdict.first.seq}`
}

const complain = (key) => {
  shown = () => at('result').replaceChildren(element('p', say(key), 'bad'))
  shown()
  at('result').dataset.verdict = key
}

async function given(name) {
  const parts = [utf8(at(name).value)]
  for (const file of at(`${name}-file`).files) {
    parts.push(utf8('\n'), new Uint8Array(await file.arrayBuffer()))
  }
  return readLines(new Uint8Array(await new Blob(parts).arrayBuffer()))
}

async function check() {
  const key = at('key').value.trim().toLowerCase()
  if (key && !/^[0-9a-f]{64}$/.test(key)) return complain('bad-key')
  const [lines, receipts] = [await given('log'), await given('receipts')]
  if (!lines.length && !receipts.length) return complain('nothing')
  at('result').replaceChildren(element('p', say('checking')))
  const verdict = await verifyLog(lines, { key, receipts, by: await by })
  shown = () => tell({ verdict, lines, kept: receipts.length, pinned: key !== '' })
  return shown()
}

at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  at('check').disabled = true
  try {
    await check()
  } finally {
    at('check').disabled = false
  }
})

at('language').addEventListener('click', () => {
  language = language === 'fr' ? 'en' : 'fr'
  speak()
  shown?.()
})

// The other way to give a log takes the place of the first.
for (const name of ['log', 'receipts']) {
  at(`${name}-file`).addEventListener('change', () => (at(name).value = ''))
  at(name).addEventListener('input', () => (at(`${name}-file`).value = ''))
}

speak()
document.querySelector('main').hidden = false
