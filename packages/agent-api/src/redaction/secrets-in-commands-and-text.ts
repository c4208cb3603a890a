import { loadsCode } from '../base/loads-code.ts'
import { isSecretByName, isSecretName } from './secret-name.ts'
import {
  endOf,
  looksSecret,
  searchedLengthMax,
  spansOfKeys,
  spansOfTokens,
  type Span,
} from './secret-shapes.ts'
import { quotesIn, shellCharacters, spansOfValue, type Quotes } from './shell-values.ts'

export interface SecretSpan extends Span {
  /** If a text contains several values: `password`, `query.api_key`. */
  readonly part?: string
}

/** The authentication scheme before a credential. Only known words count, because a passphrase also contains spaces. */
const scheme = /^\s*(?:basic|bearer|token|apikey|api-key|negotiate)\s+(?=\S+\s*$)/i
const schemeInText = /(?:basic|bearer|token|apikey|api-key|negotiate)[ \t]+(?=\S)/iy
const addressParts = /^([a-z][\w+.-]*:\/\/)(?:([^/\\?#]*)@)?([^/\\?#]*)([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/i
const flagName = /^--?[\w.-]{1,128}$/
const nameLengthMax = 128
/** Lines of a key. Shorter lines could be anything. */
const keyLine = /[A-Za-z\d+=][A-Za-z\d+/=]{15,}/g

export function isSecretPair(name: string, value: string): boolean {
  return isSecretByName(name, value) || (looksSecret(value) && !loadsCode(name))
}

/**
 * Secrets in the value of a variable or header: the whole value without its scheme if the pair is secret, otherwise the secrets inside it. A
 * value that loads code is always shown, except the credentials of addresses.
 */
export function spansOfPair(name: string, value: string): SecretSpan[] {
  if (isSecretPair(name, value)) return spansOfCredential(value)
  return loadsCode(name)
    ? spansOfAddresses(value).filter(({ part }) => part === 'username' || part === 'password')
    : spansOfText(value)
}

/** The whole of a secret value, without its scheme. */
export function spansOfCredential(value: string): SecretSpan[] {
  const start = scheme.exec(value)?.[0].length ?? 0
  return value.length > start ? [{ start, end: value.length }] : []
}

/**
 * Secrets in one argument of a command. The whole argument is secret after a flag that says so, or if it looks like a secret; otherwise
 * only values in it. Text that may be a command of its own is never redacted: the person who is asked about it must see it.
 */
export function spansOfArgument(argument: string, before: string | undefined): SecretSpan[] {
  const flag = before !== undefined && flagName.test(before) ? before : ''
  if (!argument.startsWith('-')) {
    if (looksSecret(argument)) return spansOfCredential(argument)
    if (isSecretByName(flag, argument)) {
      const [whole] = spansOfCredential(argument)
      if (whole !== undefined && isOneValue(argument.slice(whole.start), flag)) return [whole]
      const isCommand = !flag.startsWith('--') || argument.startsWith('-----BEGIN ')
      const first = isCommand ? [] : spansOfValue(argument, whole?.start ?? 0, quotesIn(argument))
      return merged([...first, ...spansOfCommand(argument)])
    }
  }
  return spansOfCommand(argument)
}

/** Shells also have single-dash flags: `bash -c -auth 'touch x'` runs `touch x`. */
function isOneValue(value: string, flag: string): boolean {
  const plain = value.replace(/\$\{[A-Za-z_]\w*(?::-[^{}$`;|&<>\s]*)?\}/g, '')
  return !(flag.startsWith('--') ? /[;|&<>`\r\n]|\$[({]/ : shellCharacters).test(plain)
}

/** Secret values in text that may be read as a command. They contain no shell metacharacters, and white space only in quotes. */
export function spansOfCommand(text: string): SecretSpan[] {
  const keys = spansOfKeys(text).flatMap(({ start, end }) =>
    moved([...text.slice(start, end).matchAll(keyLine)].map(spanOfMatch), start),
  )
  const addresses = spansOfAddresses(text).flatMap((span) => {
    const length = text.slice(span.start, span.end).search(shellCharacters)
    if (length === 0) return []
    return [length === -1 ? span : { ...span, end: span.start + length }]
  })
  return merged([...addresses, ...spansOfNamed(text), ...spansOfTokens(text), ...keys])
}

/** Secrets in text that is never executed, such as the value of a variable or header. */
export function spansOfText(text: string): SecretSpan[] {
  return merged([
    ...spansOfAddresses(text),
    ...spansOfNamed(text),
    ...spansOfTokens(text),
    ...spansOfKeys(text),
  ])
}

/** Secrets of one address: user, password, secret-looking path segments, and secret parameters. */
export function spansOfUrl(url: string): SecretSpan[] {
  return merged([...spansOfAddress(url), ...spansOfTokens(url)])
}

function spansOfAddress(url: string): SecretSpan[] {
  const [, protocol = '', user, host = '', path = '', query, fragment] = addressParts.exec(url) ?? []
  const pathStart = protocol.length + (user === undefined ? 0 : user.length + 1) + host.length
  const queryStart = pathStart + path.length + 1
  const fragmentStart = queryStart + (query === undefined ? 0 : query.length + 1)
  return [
    ...moved(spansOfUser(user ?? '', protocol), protocol.length),
    ...moved(spansOfPath(path), pathStart),
    ...moved(spansOfParameters(query ?? '', 'query'), queryStart),
    ...moved(spansOfParameters(fragment ?? '', 'fragment'), fragmentStart),
  ]
}

/** An address ends at white space, at a quote, or at the next address. A quote within a password does not end it. */
function spansOfAddresses(text: string): SecretSpan[] {
  if (text.length > searchedLengthMax) return []
  const starts: { readonly start: number; readonly host: number }[] = []
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const run = beginOfRun(text, at, /[\w+.-]/)
    const start = run + text.slice(run, at).search(/[a-z]/i)
    if (start >= run) starts.push({ start, host: at + 3 })
  }
  return starts.flatMap(({ start, host }, index) => {
    const limit = starts[index + 1]?.start ?? text.length
    const rest = text.slice(host, limit)
    const at = rest.slice(0, endOf(/[^\s/\\?#]*/y, rest, 0)).lastIndexOf('@')
    const end = host + endOf(/[^\s"'<>`]*/y, rest, at + 1)
    return moved(spansOfAddress(text.slice(start, end)), start)
  })
}

/** Values of `NAME=value`, `Header: Bearer value`, `"name": "value"` and `--flag value`, anywhere in the text. */
function spansOfNamed(text: string): SecretSpan[] {
  const quotes = quotesIn(text)
  const spans: SecretSpan[] = []
  const sign = /[=:]/g
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    const { index } = match
    if (text.startsWith('://', index)) continue
    const name = nameBefore(text, index)
    const value = name === '' ? [] : spansOfNamedAt(text, name, valueAfter(text, index, name), quotes)
    for (const span of value) spans.push(span)
    // Do not scan a value again, so that the work stays linear.
    sign.lastIndex = value.at(-1)?.end ?? sign.lastIndex
    if (value.length === 0 && name !== '' && match[0] === '=')
      spans.push(...spansOfGenerated(text, index + 1))
  }
  for (const match of text.matchAll(/(?<![\w-])(--?\w[\w.-]{0,127})[ \t]+(?![ \t-])/g)) {
    for (const span of spansOfNamedAt(text, match[1] ?? '', match.index + match[0].length, quotes))
      spans.push(span)
  }
  return spans
}

function spansOfNamedAt(text: string, name: string, from: number, quotes: Quotes): Span[] {
  if (!isSecretName(name)) return []
  const spans = spansOfValue(text, from, quotes).flatMap(({ start, end }) =>
    moved(spansOfCredential(text.slice(start, end)), start),
  )
  return isSecretByName(name, spans.map(({ start, end }) => text.slice(start, end)).join('')) ? spans : []
}

function spansOfGenerated(text: string, from: number): Span[] {
  const end = endOf(/["']?[\w+.~-]*={0,2}/y, text, from)
  const start = endOf(/["']?/y, text, from)
  return !/[^\s"';|&<>()]/.test(text.charAt(end)) && looksSecret(text.slice(start, end))
    ? [{ start, end }]
    : []
}

/** Returns the name before `=` or `:`, without quotes. A name inside `${…}` does not count. */
function nameBefore(text: string, index: number): string {
  const end = /["']/.test(text.charAt(index - 1)) ? index - 1 : index
  const start = beginOfRun(text, text.charAt(end - 1) === '\\' ? end - 1 : end, /[\w.-]/)
  return text.slice(start - 2, start) === '${' ? '' : text.slice(start, end)
}

/** After `NAME=`, a shell reads the next word as a command. So there is no scheme and no space to skip. */
function valueAfter(text: string, index: number, name: string): number {
  const isColon = text[index] === ':'
  const from = isColon ? endOf(/[ \t]*/y, text, index + 1) : index + 1
  return isColon || name.startsWith('-') ? endOf(schemeInText, text, from) : from
}

function beginOfRun(text: string, end: number, character: RegExp): number {
  let start = end
  while (start > 0 && end - start < nameLengthMax && character.test(text.charAt(start - 1))) start--
  return start
}

/** A user name with a password is not secret (`postgres`). Without a password, on the web, it is usually a token. */
function spansOfUser(user: string, protocol: string): SecretSpan[] {
  const colon = user.indexOf(':')
  const nameEnd = colon === -1 ? user.length : colon
  const name = user.slice(0, nameEnd)
  const hasPassword = colon !== -1 && colon + 1 < user.length
  const isSecretUser = name !== '' && (looksSecret(name) || (!hasPassword && /^https?:/i.test(protocol)))
  return [
    ...(isSecretUser ? [{ start: 0, end: nameEnd, part: 'username' }] : []),
    ...(hasPassword ? [{ start: colon + 1, end: user.length, part: 'password' }] : []),
  ]
}

function spansOfPath(path: string): SecretSpan[] {
  return [...path.matchAll(/[^/\\]+/g)].flatMap((match) =>
    looksSecret(match[0]) ? [{ ...spanOfMatch(match), part: 'path' }] : [],
  )
}

function spansOfParameters(parameters: string, part: string): SecretSpan[] {
  let at = 0
  return parameters.split('&').flatMap((parameter) => {
    const start = at
    at += parameter.length + 1
    const sign = parameter.indexOf('=')
    const [name, value] = [parameter.slice(0, sign), parameter.slice(sign + 1)]
    if (sign < 1 || value === '' || !isSecretPair(decodedParameter(name), decodedParameter(value))) return []
    return [{ start: start + sign + 1, end: start + parameter.length, part: `${part}.${name}` }]
  })
}

/** Adds every place of the known secrets to the spans that were found. */
export function withKnown(
  text: string,
  known: readonly string[],
  found: readonly SecretSpan[],
): SecretSpan[] {
  const places = known.flatMap((value) => {
    const all: SecretSpan[] = []
    for (
      let at = value === '' ? -1 : text.indexOf(value);
      at !== -1;
      at = text.indexOf(value, at + value.length)
    )
      all.push({ start: at, end: at + value.length })
    return all
  })
  return merged([...found, ...places])
}

function merged(spans: readonly SecretSpan[]): SecretSpan[] {
  const all: SecretSpan[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const before = all.at(-1)
    if (before === undefined || span.start >= before.end) all.push(span)
    else if (span.end > before.end) all[all.length - 1] = { ...before, end: span.end }
  }
  return all
}

function spanOfMatch({ 0: text, index }: RegExpExecArray): Span {
  return { start: index, end: index + text.length }
}

function moved(spans: readonly SecretSpan[], by: number): SecretSpan[] {
  return spans.map((span) => ({ ...span, start: span.start + by, end: span.end + by }))
}

function decodedParameter(text: string): string {
  return decoded(text.replaceAll('+', ' '))
}

/** A text whose percent-encoding is invalid stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
