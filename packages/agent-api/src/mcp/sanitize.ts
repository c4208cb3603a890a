import { isRecord } from '../is-record.ts'
import type { ToolAnnotations, JsonSchema } from '../tools/tool.ts'
import type { McpPromptDefinition, McpToolDefinition } from './mcp-client.ts'
import { stripHidden, stripHiddenLine } from './strip-hidden.ts'

/** What a server offers, as far as it is fit to be used, and a line on each thing that is not. */
export interface Sanitized<T> {
  readonly items: readonly T[]
  readonly warnings: readonly string[]
}

const toolsMax = 2_000
const promptsMax = 2_000
const nameLengthMax = 512
const titleLengthMax = 256
const descriptionBytesMax = 16 * 1024
const schemaBytesMax = 64 * 1024
const schemaDepthMax = 32

/** So many warnings are worth reading. */
const warningsMax = 50
const promptArgumentsMax = 100
const shownNameLength = 80

/** One malformed tool costs that tool, never the others. */
export function sanitizeTools(raw: readonly unknown[]): Sanitized<McpToolDefinition> {
  return sanitizeList('tool', raw, toolsMax, sanitizeTool)
}

export function sanitizePrompts(raw: readonly unknown[]): Sanitized<McpPromptDefinition> {
  return sanitizeList('prompt', raw, promptsMax, sanitizePrompt)
}

type Sanitizer<T> = (item: Readonly<Record<string, unknown>>, name: string) => T | Excluded

interface Excluded {
  readonly excluded: string
}

function sanitizeList<T extends object>(kind: string, raw: readonly unknown[], max: number, sanitize: Sanitizer<T>): Sanitized<T> {
  const items: T[] = []
  const warnings: string[] = []
  const seen = new Set<string>()
  for (const [index, item] of raw.entries()) {
    if (items.length >= max) {
      warnings.push(`only the first ${max} ${kind}s are used, the rest is left out`)
      break
    }
    const outcome = sanitizeItem(item, seen, sanitize)
    if (!('excluded' in outcome)) items.push(outcome)
    else if (warnings.length < warningsMax) warnings.push(`${kind} ${describe(item, index)} left out: ${outcome.excluded}`)
  }
  return { items, warnings }
}

function sanitizeItem<T extends object>(item: unknown, seen: Set<string>, sanitize: Sanitizer<T>): T | Excluded {
  if (!isRecord(item)) return { excluded: 'it is not an object' }
  const name = item['name']
  if (typeof name !== 'string') return { excluded: 'its name is not a text' }
  if (name.includes('\0')) return { excluded: 'its name holds a NUL' }
  if (name.length > nameLengthMax) return { excluded: `its name is longer than ${nameLengthMax} characters` }
  const shown = stripHiddenLine(name)
  if (shown === '') return { excluded: 'its name is empty' }
  // Two names that look the same are one name to whoever approves a call.
  if (seen.has(shown)) return { excluded: 'another one has the same name' }
  const outcome = sanitize(item, name)
  if (!('excluded' in outcome)) seen.add(shown)
  return outcome
}

function sanitizeTool(item: Readonly<Record<string, unknown>>, name: string): McpToolDefinition | Excluded {
  const schema = sanitizeSchema(item['inputSchema'])
  if ('excluded' in schema) return schema
  const annotations = sanitizeAnnotations(item['annotations'])
  return {
    name,
    ...titleOf(item['title'] ?? annotations?.title, name),
    description: sanitizeText(item['description']),
    inputSchema: schema.schema,
    ...(annotations !== undefined && { annotations }),
  }
}

function sanitizePrompt(item: Readonly<Record<string, unknown>>, name: string): McpPromptDefinition {
  const description = sanitizeText(item['description'])
  const given = Array.isArray(item['arguments']) ? item['arguments'].slice(0, promptArgumentsMax).filter(isRecord) : []
  return {
    name,
    ...titleOf(item['title'], name),
    ...(description !== '' && { description }),
    arguments: given.flatMap((argument) => {
      const argumentName = argument['name']
      if (typeof argumentName !== 'string' || argumentName === '') return []
      const about = sanitizeText(argument['description'])
      return [{ name: argumentName, ...(about !== '' && { description: about }), required: argument['required'] === true }]
    }),
  }
}

/** A name that holds what cannot be seen gets a title without it. */
function titleOf(title: unknown, name: string): { title?: string } {
  const given = typeof title === 'string' ? stripHiddenLine(title).slice(0, titleLengthMax).toWellFormed() : ''
  if (given !== '') return { title: given }
  const shown = stripHiddenLine(name)
  return shown === name ? {} : { title: shown.slice(0, titleLengthMax).toWellFormed() }
}

export function sanitizeText(value: unknown): string {
  return typeof value === 'string' ? cutToBytes(stripHidden(value), descriptionBytesMax) : ''
}

function sanitizeSchema(value: unknown): { schema: JsonSchema } | Excluded {
  if (!isRecord(value)) return { excluded: 'its input schema is not an object' }
  if (value['type'] !== undefined && value['type'] !== 'object') return { excluded: 'its input schema is not one of an object' }
  // Before anything that recurses, which a deep enough value would bring down.
  if (isDeeperThan(value, schemaDepthMax)) return { excluded: `its input schema is nested deeper than ${schemaDepthMax}` }
  if (Buffer.byteLength(JSON.stringify(value)) > schemaBytesMax) {
    return { excluded: `its input schema is larger than ${schemaBytesMax / 1024} KiB` }
  }
  return { schema: { ...(cleanTexts(value) as JsonSchema), type: 'object' } }
}

/** Descriptions inside a schema reach the model just as the tool's own does. */
function cleanTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanTexts)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isText = (key === 'description' || key === 'title') && typeof inner === 'string'
      return [key, isText ? stripHidden(inner) : cleanTexts(inner)]
    }),
  )
}

function isDeeperThan(value: unknown, depthMax: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : [])).filter(isNested)
  }
  return false
}

function sanitizeAnnotations(value: unknown): ToolAnnotations | undefined {
  if (!isRecord(value)) return undefined
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = value
  return {
    ...(typeof title === 'string' && { title: stripHiddenLine(title).slice(0, titleLengthMax) }),
    ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
    ...(typeof idempotentHint === 'boolean' && { idempotentHint }),
    ...(typeof openWorldHint === 'boolean' && { openWorldHint }),
  }
}

/** Cut where a character ends. */
function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  return `${bytes
    .subarray(0, bytesMax - 3)
    .toString()
    .replace(/\ufffd+$/, '')}…`
}

function describe(item: unknown, index: number): string {
  const name = isRecord(item) && typeof item['name'] === 'string' ? stripHiddenLine(item['name']).slice(0, shownNameLength) : ''
  return name === '' ? `number ${index + 1}` : JSON.stringify(name.toWellFormed())
}

function isNested(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}
