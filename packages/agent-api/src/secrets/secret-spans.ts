/** Where in a text a secret stands. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  /** What it is, where a text holds more than one value: `password`, `query.api_key`. */
  readonly part?: string
}

/** Words that say of a variable, header, flag or parameter that its value is nobody else's business. */
const secretName =
  /(?:^|[_-])(?:key|auth|dsn|pin|pass)(?:$|[_-])|[_-]pwd$|key$|pass$|token|secret|passw|passphrase|credential|authorization|cookie|private|signature|bearer/i
/** What a generated credential looks like, whatever it is called: long, letters and digits, nothing that a path or a sentence has. */
const generated = /^(?=.*[A-Za-z])(?=.*\d)[\w+=.~-]{12,}$/
/** Small words, short numbers and years with something between them: `time-server-v2`, `model-4.5-2026`. A person made that up. */
const wordy = /^(?:[A-Z]?[a-z]{1,15}|[a-z]?(?:\d{1,3}|20\d\d))(?:[-_.](?:[A-Z]?[a-z]{1,15}|[a-z]?(?:\d{1,3}|20\d\d)))+$/
/** What stands before a credential and is none. A passphrase has spaces, too, so any first word will not do. */
const scheme = /^\s*(?:basic|bearer|token|apikey|api-key|negotiate)\s+(?=\S+\s*$)/i
/** A quote ends an address, except in the password of one. */
const address = /[a-z][\w+.-]*:\/\/(?:[^\s/\\?#]*@)?[^\s"'<>`]*/gi
const addressParts = /^([a-z][\w+.-]*:\/\/)(?:([^/\\?#]*)@)?([^/\\?#]*)([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/i

export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

export function isSecretPair(name: string, value: string): boolean {
  return isSecretName(name) || looksSecret(value)
}

/** A variable, a header, a flag with its value: the whole value but for the name of its scheme, or what is secret in the addresses it holds. */
export function spansOfPair(name: string, value: string): SecretSpan[] {
  return isSecretPair(name, value) ? spansOfCredential(value) : spansOfText(value)
}

/** A value that is secret, whatever it says. */
export function spansOfCredential(value: string): SecretSpan[] {
  const start = scheme.exec(value)?.[0].length ?? 0
  return value.length > start ? [{ start, end: value.length }] : []
}

/** `--token=value`, `--token value`, `NAME=value`, `Header: Bearer value`, an address, or a value that looks like a secret by itself. */
export function spansOfArgument(argument: string, before: string | undefined): SecretSpan[] {
  const named = /^(?:--?)?([\w.-]+)(?:=|:\s*)/.exec(argument)
  if (named !== null && !argument.startsWith('//', named[0].length)) {
    return moved(spansOfPair(named[1] ?? '', argument.slice(named[0].length)), named[0].length)
  }
  if (argument.startsWith('-')) return []
  return spansOfPair(before?.startsWith('-') === true ? before : '', argument)
}

/** Token or password, secret-looking segments and telling parameters of one address. */
export function spansOfUrl(url: string): SecretSpan[] {
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

/** What is secret in the addresses that stand in a text. */
export function spansOfText(text: string): SecretSpan[] {
  return [...text.matchAll(address)].flatMap((match) => moved(spansOfUrl(match[0]), match.index))
}

/** A name before a password is only a name (`postgres`); alone on the web it is how a token is written. */
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
    looksSecret(match[0]) ? [{ start: match.index, end: match.index + match[0].length, part: 'path' }] : [],
  )
}

function spansOfParameters(parameters: string, part: string): SecretSpan[] {
  return [...parameters.matchAll(/([^&=]+)=([^&]+)/g)].flatMap((match) => {
    const [whole, name = '', value = ''] = match
    const end = match.index + whole.length
    return isSecretPair(decodedParameter(name), decodedParameter(value))
      ? [{ start: end - value.length, end, part: `${part}.${name}` }]
      : []
  })
}

function looksSecret(value: string): boolean {
  return generated.test(value) && !wordy.test(value)
}

function moved(spans: readonly SecretSpan[], by: number): SecretSpan[] {
  return spans.map((span) => ({ ...span, start: span.start + by, end: span.end + by }))
}

function decodedParameter(text: string): string {
  return decoded(text.replaceAll('+', ' '))
}

/** Percent-encoding undone where it is one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
