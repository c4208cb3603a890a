import { redactedMark } from '../base/clean-text.ts'
import { stripHidden } from '../base/strip-hidden.ts'
import { createOpenEnd, createStrike } from './strike.ts'
import { shellCharacters } from './shell-values.ts'

/** Knows the secret values of this process and redacts them in text, in every form they are likely to take. */
export interface Redactor {
  add(secret: string): void
  /** Also finds secrets that are interrupted by hidden characters. Such a text is returned without its hidden characters. */
  redact(text: string): string
  /** For a command that a person is asked to approve. Redacts only secrets without white space and shell metacharacters. */
  redactCommand(text: string): string
  /** Number of characters at the end of a text that may be the beginning of a secret. */
  openEnd(text: string): number
}

/** Shorter values (`1`, `true`, `dev`) occur in too many harmless places. */
const secretLengthMin = 6
/** Minimum length of a line of a multi-line key. Shorter lines, such as its last, could occur anywhere. */
const secretLineLengthMin = 16
/** Longer forms are redacted in pieces of this length. This bounds the work at each position of a text. */
const pieceLength = 256
const manyMarks = /(?:\[redacted\]){2,}/g

/** Makes a redactor that knows no secrets yet. */
export function createRedactor(): Redactor {
  const forms = new Set<string>()
  let hasPieces = false
  let strike: ((text: string) => string) | undefined
  let strikeWords: ((text: string) => string) | undefined
  let measure: ((text: string) => number) | undefined
  return {
    add(secret) {
      const before = forms.size
      for (const form of formsOf(secret)) {
        const pieces = piecesOf(form)
        hasPieces ||= pieces.length > 1
        for (const piece of pieces) forms.add(piece)
      }
      if (forms.size !== before) strike = strikeWords = measure = undefined
    },
    redact(text) {
      if (forms.size === 0) return text
      strike ??= createStrike(forms, redactedMark)
      return strikeSeen(text, strike)
    },
    redactCommand(text) {
      if (forms.size === 0) return text
      strikeWords ??= createStrike(
        [...forms].filter((form) => !shellCharacters.test(form)),
        redactedMark,
      )
      return strikeSeen(text, strikeWords)
    },
    openEnd(text) {
      measure ??= createOpenEnd(forms)
      return measure(text)
    },
  }

  /** Redacts twice, in the original text and in the visible text: a secret may itself contain hidden characters. */
  function strikeSeen(text: string, strikeIn: (text: string) => string): string {
    const struck = joined(strikeIn(text))
    const seen = stripHidden(struck)
    if (seen === struck) return struck
    const struckSeen = joined(strikeIn(seen))
    return struckSeen === seen ? struck : struckSeen
  }

  function joined(struck: string): string {
    return hasPieces ? struck.replace(manyMarks, redactedMark) : struck
  }
}

/** The last piece is longer rather than shorter, because a short piece could occur anywhere. */
function piecesOf(form: string): string[] {
  const count = Math.max(1, Math.floor(form.length / pieceLength))
  if (count === 1) return [form]
  return Array.from({ length: count }, (_, index) =>
    form.slice(index * pieceLength, index === count - 1 ? undefined : (index + 1) * pieceLength),
  )
}

function formsOf(secret: string): string[] {
  // A value read from a file often ends in a line break, which is usually missing when it is printed.
  const texts = new Set([secret, secret.trim(), stripHidden(secret).trim(), ...linesOf(secret)])
  return [...texts].flatMap((text) =>
    text.length < secretLengthMin
      ? []
      : [text, ...urlForms(text), ...jsonForms(text), ...base64Forms(text), ...hexForms(text)],
  )
}

function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  return lines.length === 1
    ? []
    : lines.filter((line) => line.length >= secretLineLengthMin && !line.startsWith('-----'))
}

function urlForms(text: string): string[] {
  // A lone surrogate has no UTF-8 encoding, and no encoder would accept it.
  const component = encodeURIComponent(text.toWellFormed())
  const strict = component.replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  return [component, strict, component.replaceAll('%2F', '/'), form]
}

/**
 * Variants of JSON: as JavaScript writes it, ASCII only (Python), escaped slashes (PHP), safe for HTML (Go), and nested in a JSON string.
 */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replace(/[\u007f-\uffff]/g, escapeUnit)
  return [
    json,
    ascii,
    json.replaceAll('/', String.raw`\/`),
    json.replace(/[<>&\u2028\u2029]/g, escapeUnit),
    JSON.stringify(json).slice(1, -1),
  ]
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function base64Forms(text: string): string[] {
  const base64 = Buffer.from(text).toString('base64')
  return [base64, base64.replace(/=+$/, ''), Buffer.from(text).toString('base64url')]
}

/** As one run, as in a hex dump, separated by colons, percent-encoded, and as a string literal. */
function hexForms(text: string): string[] {
  const bytes = Buffer.from(text).toString('hex').match(/../g) ?? []
  return [
    bytes.join(''),
    bytes.join(' '),
    bytes.join(':'),
    `%${bytes.join('%')}`,
    String.raw`\x${bytes.join(String.raw`\x`)}`,
  ]
}
