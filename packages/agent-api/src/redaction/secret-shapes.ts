/** A range of a text; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

interface Shape {
  readonly prefix: string
  /** Matches the characters after the prefix. */
  readonly body: RegExp
  readonly bodyLengthMin: number
  /** For prefixes that ordinary words begin with: letters alone do not make a token. */
  readonly needsDigit?: boolean
}

/** Prefixes by which vendors' tokens can be recognized. Each body is a single run of characters, so nothing is scanned twice. */
const shapes: readonly Shape[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'shpat_', 'dop_v1_'].map((prefix) => ({
    prefix,
    body: /\w*/y,
    bodyLengthMin: 10,
  })),
  ...['glpat-', 'xoxa-', 'xoxb-', 'xoxp-', 'xoxs-', 'xoxr-', 'pypi-'].map((prefix) => ({
    prefix,
    body: /[\w-]*/y,
    bodyLengthMin: 10,
  })),
  { prefix: 'sk-', body: /[\w-]*/y, bodyLengthMin: 16, needsDigit: true },
  { prefix: 'AIza', body: /[\w-]*/y, bodyLengthMin: 20 },
  { prefix: 'ya29.', body: /[\w.-]*/y, bodyLengthMin: 10 },
  ...['npm_', 'hf_'].map((prefix) => ({ prefix, body: /[A-Za-z\d]*/y, bodyLengthMin: 16 })),
  ...['AKIA', 'ASIA'].map((prefix) => ({ prefix, body: /[A-Z\d]{0,16}(?![A-Za-z\d])/y, bodyLengthMin: 16 })),
  // Parts separated by dots. `partsAfter` lists the minimum lengths of the parts after the first.
  { prefix: 'eyJ', body: /[\w-]*/y, bodyLengthMin: 4 },
  { prefix: 'SG.', body: /[\w-]*/y, bodyLengthMin: 8 },
]
const prefixes = new RegExp(shapes.map(({ prefix }) => prefix.replace('.', String.raw`\.`)).join('|'), 'g')
const shapeOf: ReadonlyMap<string, Shape> = new Map(shapes.map((shape) => [shape.prefix, shape]))
const partsAfter: Readonly<Record<string, readonly number[]>> = { eyJ: [4, 0], 'SG.': [8] }
const part = /\.[\w-]*/y

/** A shorter value does not count as generated. */
const generatedLengthMin = 12
/** In larger texts, secrets are not searched for by their shape. */
export const searchedLengthMax = 64 * 1024
/** Short words, numbers and years with separators, as a person makes them up: `time-server-v2`, `model-4.5-2026`. */
const wordy =
  /^(?:[A-Z]?[a-z]{1,15}|[a-z]?(?:\d{1,3}|20\d\d))(?:[-_.](?:[A-Z]?[a-z]{1,15}|[a-z]?(?:\d{1,3}|20\d\d)))+$/

/** True if a whole value looks like a credential. */
export function looksSecret(value: string): boolean {
  return (
    value.length >= generatedLengthMin &&
    value.length <= searchedLengthMax &&
    /^[\w+=.~-]+$/.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !wordy.test(value)
  )
}

export function spansOfTokens(text: string): Span[] {
  if (text.length > searchedLengthMax) return []
  const spans: Span[] = []
  // If a run of characters is not a token, no later part of it is one. Skipping the run keeps the work linear.
  const doneUntil = new Map<Shape, number>()
  prefixes.lastIndex = 0
  for (let match = prefixes.exec(text); match !== null; match = prefixes.exec(text)) {
    const { 0: prefix, index } = match
    const shape = shapeOf.get(prefix)
    if (shape === undefined || index < (doneUntil.get(shape) ?? 0) || !isBeginning(text, index)) continue
    const { end, isToken } = readToken(text, index, shape)
    if (isToken) {
      spans.push({ start: index, end })
      prefixes.lastIndex = end
    } else {
      doneUntil.set(shape, end)
    }
  }
  return spans
}

function readToken(
  text: string,
  start: number,
  { prefix, body, bodyLengthMin, needsDigit }: Shape,
): { end: number; isToken: boolean } {
  const from = start + prefix.length
  const bodyEnd = endOf(body, text, from)
  const isBody =
    bodyEnd - from >= bodyLengthMin && (needsDigit !== true || /\d/.test(text.slice(from, bodyEnd)))
  const parts = partsAfter[prefix]
  if (!isBody || parts === undefined) return { end: bodyEnd, isToken: isBody }
  let end = bodyEnd
  for (const lengthMin of parts) {
    const next = endOf(part, text, end)
    if (next - end - 1 < lengthMin) return { end: bodyEnd, isToken: false }
    end = next
  }
  return { end, isToken: true }
}

/** True unless `index` is inside a word. Percent-encoding and escapes of JSON count as characters, not as words. */
function isBeginning(text: string, index: number): boolean {
  return (
    !/[A-Za-z\d]$/.test(text.slice(index - 1, index)) ||
    /(?:%[\dA-Fa-f]{2}|\\[nrt])$/.test(text.slice(Math.max(0, index - 3), index))
  )
}

/** PEM private keys. One without an end extends to the end of the text. */
export function spansOfKeys(text: string): Span[] {
  if (text.length > searchedLengthMax) return []
  const spans: Span[] = []
  const head = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const foot = text.indexOf('-----END ', head.lastIndex)
    const footEnd = foot === -1 ? -1 : text.indexOf('-----', foot + '-----END '.length)
    const end = footEnd === -1 ? text.length : footEnd + '-----'.length
    spans.push({ start: match.index, end })
    head.lastIndex = end
  }
  return spans
}

export function endOf(run: RegExp, text: string, from: number): number {
  run.lastIndex = from
  return run.test(text) ? run.lastIndex : from
}
