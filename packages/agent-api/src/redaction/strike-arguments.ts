import { isRecord } from '../base/is-record.ts'
import type { AssistantMessage, Message } from '../messages/message.ts'
import type { JsonSchema } from '../messages/tool.ts'
import { redactedMark } from '../base/clean-text.ts'
import { isSecretArgument, isSecretName } from './secret-name.ts'
import { spansOfText } from './secrets-in-commands-and-text.ts'

/** Deeper values are replaced by a note. */
const depthMax = 200
/** Keywords that map names to schemas. Any other nested schema describes the same argument. */
const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])

/**
 * Redacts arguments that are secret by name or by the tool's schema. The rest may be shown and stored. Returns the same reference if
 * nothing was redacted.
 */
export function strikeArguments(args: unknown, passwords: ReadonlySet<string>): unknown {
  return strikeAt(args, passwords, false, 0)
}

function strikeAt(value: unknown, passwords: ReadonlySet<string>, isSecret: boolean, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'number')
    return isSecret && value !== '' ? redactedMark : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return '[too deep]'
  if (Array.isArray(value)) {
    const struck = value.map((item) => strikeAt(item, passwords, isSecret, depth + 1))
    return struck.every((item, index) => Object.is(item, value[index])) ? value : struck
  }
  const named = nameOfPair(value)
  let isSame = true
  const entries = Object.entries(value).map(([key, inner]) => {
    const isInner = isSecret || passwords.has(key) || (named && key === 'value') || isSecretPart(key, inner)
    const struck =
      key === 'arguments' && typeof inner === 'string' && !isInner && inner.startsWith('{')
        ? strikeInput(inner, passwords)
        : strikeAt(inner, passwords, isInner, depth + 1)
    isSame &&= Object.is(struck, inner)
    return [key, struck]
  })
  return isSame ? value : Object.fromEntries(entries)
}

function isSecretPart(key: string, value: unknown): boolean {
  // A number of tokens is a budget.
  if (typeof value === 'number' && /tokens$/i.test(key)) return false
  return isSecretArgument(key, typeof value === 'string' ? value : typeof value)
}

/** True for a secret variable or header in a list: `{ "name": "API_TOKEN", "value": "…" }`. */
function nameOfPair(value: object): boolean {
  const { name } = value as { name?: unknown }
  return typeof name === 'string' && isSecretName(name)
}

/** Longer text takes too long to search. It is not JSON, so no call can run with it. */
const searchedCharsMax = 64 * 1024

/** Like `strikeArguments`, for arguments as a model wrote them, which may be invalid JSON. */
export function strikeInput(input: string, passwords: ReadonlySet<string>): string {
  let args: unknown
  try {
    args = JSON.parse(input)
  } catch {
    return input.length <= searchedCharsMax
      ? strikeSpans(input)
      : `[left out: ${input.length} characters that are not JSON]`
  }
  const struck = strikeArguments(args, passwords)
  return struck === args ? input : JSON.stringify(struck)
}

function strikeSpans(text: string): string {
  let struck = ''
  let kept = 0
  for (const { start, end } of spansOfText(text)) {
    struck += text.slice(kept, start) + redactedMark
    kept = end
  }
  return struck + text.slice(kept)
}

/** Redacts the secret arguments of all calls in a message, before it is stored. */
export function strikeCalls(message: Message, passwords: ReadonlySet<string>): Message {
  if (message.role !== 'assistant') return message
  const parts: AssistantMessage['parts'] = message.parts.map((part) =>
    part.type === 'tool_call' ? { ...part, input: strikeInput(part.input, passwords) } : part,
  )
  return { ...message, parts }
}

const known = new WeakMap<JsonSchema, ReadonlySet<string>>()

/** The arguments that the schema marks as passwords, by `format` or by a reference to such a definition. */
export function passwordsIn(schema: JsonSchema): ReadonlySet<string> {
  const before = known.get(schema)
  if (before !== undefined) return before
  const found = new Set<string>()
  const referrers = new Map<string, string[]>()
  collect(schema, '')
  const names = [...found]
  for (const name of names) {
    for (const referrer of referrers.get(name) ?? []) {
      if (!found.has(referrer)) names.push(referrer)
      found.add(referrer)
    }
  }
  found.delete('')
  known.set(schema, found)
  return found

  function collect(value: unknown, name: string): void {
    if (Array.isArray(value)) for (const item of value) collect(item, name)
    if (!isRecord(value)) return
    const { format, $ref } = value
    if (format === 'password') found.add(name)
    if (typeof $ref === 'string') {
      const target = $ref.slice($ref.lastIndexOf('/') + 1)
      const names = referrers.get(target) ?? []
      names.push(name)
      referrers.set(target, names)
    }
    for (const [key, inner] of Object.entries(value)) {
      if (namedSchemas.has(key) && isRecord(inner))
        for (const [each, schemaOf] of Object.entries(inner)) collect(schemaOf, each)
      else if (typeof inner === 'object') collect(inner, name)
    }
  }
}
