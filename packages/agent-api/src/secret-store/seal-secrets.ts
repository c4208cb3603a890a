import { OstlerError } from '../base/errors.ts'
import { loadsCode } from '../base/loads-code.ts'
import { isRecord, isTexts } from '../base/is-record.ts'
import { mapTexts } from '../base/map-texts.ts'
import {
  spansOfArgument,
  spansOfCommand,
  spansOfCredential,
  spansOfPair,
  spansOfUrl,
  withKnown,
  type SecretSpan,
} from '../redaction/secrets-in-commands-and-text.ts'

/** A server as written in the agent file, before variables are expanded: plain JSON. */
export type ServerEntry = Readonly<Record<string, unknown>>

/** Variables and headers that a person marked as secret, regardless of their names. */
export interface MarkedSecrets {
  readonly env?: readonly string[]
  readonly headers?: readonly string[]
  /** Texts that are secret wherever they stand in the arguments or the URL. */
  readonly values?: readonly string[]
}

export interface SealedEntry {
  readonly sealed: ServerEntry
  /** Secrets by label: `env.API_KEY`, `auth.token`, `args.2`, `url.password`. */
  readonly secrets: Readonly<Record<string, string>>
}

const placeholderStart = /\$\{secret:(?!-)/
/** A reference to an environment variable without a default. A default may itself be a secret. */
const reference = /\$\{[A-Za-z_]\w*(?::-)?\}/g
/** Characters around references that do not make a value secret. */
const onlyPunctuation = /^[\s:;,/@|]*$/
/** The secret fields of `auth`, of every type. */
const authSecrets = [
  'token',
  'key',
  'password',
  'clientSecret',
  'privateKey',
  'idToken',
  'idpClientSecret',
  'assertion',
] as const

/**
 * Replaces each secret in a server's entry by `${secret:LABEL}`. `unsealSecrets` reverses this exactly, and must run before variables are
 * expanded.
 */
export function sealSecrets(entry: ServerEntry, marked: MarkedSecrets = {}): SealedEntry {
  refusePlaceholders(entry)
  const secrets: Labels = { values: new Map(), counts: new Map() }
  const isMarkedVariable = (name: string) => marked.env?.includes(name) === true
  const isMarkedHeader = (name: string) =>
    marked.headers?.some((header) => header.toLowerCase() === name.toLowerCase()) === true
  const spansOf = (text: string, found: readonly SecretSpan[]) => withKnown(text, marked.values ?? [], found)
  const sealed: Record<string, unknown> = { ...entry }

  const { command, args, env, headers, url, auth } = entry
  // A URL given as the command starts nothing, but it is stored, so its secrets are sealed.
  if (typeof command === 'string')
    sealed['command'] = seal(command, spansOfCommand(command), 'command', secrets)
  if (isTexts(args))
    sealed['args'] = args.map((text, index) =>
      seal(text, spansOf(text, spansOfArgument(text, args[index - 1])), `args.${index}`, secrets),
    )
  if (isRecord(env)) sealed['env'] = sealPairs(env, 'env', isMarkedVariable, secrets)
  if (isRecord(headers)) sealed['headers'] = sealPairs(headers, 'headers', isMarkedHeader, secrets)
  if (typeof url === 'string') sealed['url'] = seal(url, spansOf(url, spansOfUrl(url)), 'url', secrets)
  if (isRecord(auth)) sealed['auth'] = sealAuth(auth, secrets)
  return { sealed, secrets: Object.fromEntries(secrets.values) }
}

/** Puts the secrets back. Throws if one is missing: a placeholder must not reach a server in place of the secret. */
export function unsealSecrets(sealed: ServerEntry, secrets: Readonly<Record<string, string>>): ServerEntry {
  const unseal = (text: string) =>
    replacePlaceholders(text, (label) => {
      const secret = Object.hasOwn(secrets, label) ? secrets[label] : undefined
      if (secret !== undefined) return secret
      throw new OstlerError(
        'secrets.missing',
        `The secret '${label}' of this server is not in the secret store. Set it again.`,
        {
          data: { label },
        },
      )
    })
  return mapTexts(sealed, unseal) as ServerEntry
}

export interface SecretDescription {
  readonly set: boolean
  /** To tell two keys apart. Only set for secrets that are long enough to reveal them. */
  readonly lastFour?: string
}

const describedLengthMin = 12

export function describeSecrets(
  secrets: Readonly<Record<string, string>>,
): Record<string, SecretDescription> {
  return Object.fromEntries(
    Object.entries(secrets).map(([label, value]): [string, SecretDescription] => {
      const characters = [...value]
      const set = value !== ''
      return [
        label,
        characters.length < describedLengthMin ? { set } : { set, lastFour: characters.slice(-4).join('') },
      ]
    }),
  )
}

function sealPairs(
  pairs: Readonly<Record<string, unknown>>,
  field: string,
  isMarked: (name: string) => boolean,
  secrets: Labels,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      const spans = isMarked(name) && !loadsCode(name) ? spansOfCredential(value) : spansOfPair(name, value)
      return [name, seal(value, spans, `${field}.${name}`, secrets)]
    }),
  )
}

function sealAuth(auth: Readonly<Record<string, unknown>>, secrets: Labels): Record<string, unknown> {
  const sealed: Record<string, unknown> = { ...auth }
  for (const name of authSecrets) {
    const value = auth[name]
    if (typeof value === 'string')
      sealed[name] = seal(value, [{ start: 0, end: value.length }], `auth.${name}`, secrets)
  }
  return sealed
}

function seal(text: string, spans: readonly SecretSpan[], field: string, secrets: Labels): string {
  let sealed = ''
  let kept = 0
  for (const { start, end, part } of spans) {
    const value = text.slice(start, end)
    if (value === '' || isOnlyReferences(value)) continue
    const label = addSecret(secrets, part === undefined ? field : `${field}.${part}`, value)
    sealed += `${text.slice(kept, start)}\${secret:${label}}`
    kept = end
  }
  return sealed + text.slice(kept)
}

function isOnlyReferences(value: string): boolean {
  const rest = value.replace(reference, '')
  // `$$` is a dollar sign, so the text after one is not a reference.
  return rest !== value && !value.includes('$$') && onlyPunctuation.test(rest)
}

interface Labels {
  readonly values: Map<string, string>
  /** Number of labels per base name. A URL may have thousands of parameters with the same name. */
  readonly counts: Map<string, number>
}

function addSecret({ values, counts }: Labels, name: string, value: string): string {
  const base = name.replace(/[^\w.-]/g, '_')
  let count = counts.get(base) ?? 1
  let label = count === 1 ? base : `${base}-${count}`
  while (values.has(label)) label = `${base}-${++count}`
  counts.set(base, count + 1)
  values.set(label, value)
  return label
}

function refusePlaceholders(entry: ServerEntry): void {
  mapTexts(entry, (text) => {
    if (!placeholderStart.test(text)) return text
    throw new OstlerError(
      'secrets.reserved',
      'A value of this server contains `${secret:`, which Ostler reserves as a placeholder for secrets. Use the secret itself, or write the value differently.',
    )
  })
}

/** `${secret:LABEL}` replaces a secret; `${secret:-text}` is a variable with a default. */
const placeholder = /\$\{secret:([^-}$][^}$]*)\}/g

export function labelsIn(data: unknown): string[] {
  return [...JSON.stringify(data).matchAll(placeholder)].map(([, label = '']) => label)
}

export function replacePlaceholders(text: string, replace: (label: string) => string): string {
  return text.replace(placeholder, (_, label: string) => replace(label))
}

/** For a person, who may see that there is a secret. */
export function maskPlaceholders(text: string): string {
  return replacePlaceholders(text, () => '[redacted]')
}
