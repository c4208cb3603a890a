import { mapInSlices } from '../base/in-slices.ts'
import { isRecord } from '../base/is-record.ts'
import { exceededLimit } from '../base/json-limits.ts'
import { hasUnseen, stripHidden, stripHiddenLine } from '../base/strip-hidden.ts'
import type { ToolAnnotations, JsonSchema } from '../messages/tool.ts'
import type { Redactor } from '../redaction/redact.ts'
import { cleanListed, hasHidden } from './clean-listed.ts'
import type { McpPromptDefinition, McpToolDefinition } from './mcp-client.ts'
import { createIconReader } from './read-icons.ts'
import { lookUpRef } from '../messages/schema-ref.ts'
import { text, type ContentBlock } from '../messages/content.ts'
import { textOf } from '../messages/tool-output.ts'
import { cleanOutputs } from '../redaction/redact-result.ts'
import { fromMcpContent } from './from-mcp-content.ts'

/** The usable items of a server's list, with a warning for each problem. */
export interface Sanitized<T> {
  readonly items: readonly T[]
  readonly warnings: readonly string[]
}

const toolsMax = 2_000
const promptsMax = 2_000
const nameLengthMax = 512
const titleLengthMax = 256
const appUriLengthMax = 2_048
const descriptionBytesMax = 16 * 1024
const schemaBytesMax = 64 * 1024
const schemaDepthMax = 32
/** Limit on a schema's values with references expanded: a few references can make a small schema huge. */
const schemaNodesMax = 100_000
/** Longer text is dropped: if it were cut before redaction, it might end in half a secret. */
export const readTextCharsMax = 1024 * 1024

const warningsMax = 50
const promptArgumentsMax = 100
const shownNameLength = 80

/** Removes hidden characters and secrets from a part of a list, like `cleanListed`. */
type Clean = (part: unknown) => unknown

/** A malformed tool is left out without affecting the others. */
export function sanitizeTools(
  raw: readonly unknown[],
  clean: Clean,
  { hasTasks = false }: { readonly hasTasks?: boolean } = {},
): Promise<Sanitized<McpToolDefinition>> {
  const readIcons = createIconReader()
  return sanitizeList('tool', raw, toolsMax, (item, name) => {
    const runsAsTask = isRecord(item['execution']) && item['execution']['taskSupport'] === 'required'
    if (runsAsTask && !hasTasks)
      return { excluded: 'it runs only as a task, and its server offers no tasks for calls' }
    const outcome = sanitizeTool(item, name, clean)
    if ('excluded' in outcome) return outcome
    return { ...outcome, ...(runsAsTask && { runsAsTask }), ...readIcons(item['icons']) }
  })
}

export function sanitizePrompts(
  raw: readonly unknown[],
  clean: Clean,
): Promise<Sanitized<McpPromptDefinition>> {
  const readIcons = createIconReader()
  return sanitizeList('prompt', raw, promptsMax, (item, name) => {
    const outcome = sanitizePrompt(item, name, clean)
    return 'excluded' in outcome ? outcome : { ...outcome, ...readIcons(item['icons']) }
  })
}

type Fields = Readonly<Record<string, unknown>>
type Sanitizer<T> = (item: Fields, name: string) => T | Excluded

interface Excluded {
  /** The reason, for a warning. Undefined if no warning is needed. */
  readonly excluded: string | undefined
}

async function sanitizeList<T extends object>(
  kind: string,
  raw: readonly unknown[],
  max: number,
  sanitize: Sanitizer<T>,
): Promise<Sanitized<T>> {
  const items: T[] = []
  const warnings: string[] = []
  const seen = new Set<string>()
  let isFull = false
  await mapInSlices(raw, (item, index) => {
    if (isFull) return
    if (items.length >= max) {
      isFull = true
      warnings.push(`only the first ${max} ${kind}s are used, the rest is left out`)
      return
    }
    const outcome = sanitizeItem(item, seen, sanitize)
    if (!('excluded' in outcome)) items.push(outcome)
    else if (outcome.excluded !== undefined && warnings.length < warningsMax)
      warnings.push(`${kind} ${describe(item, index)} left out: ${outcome.excluded}`)
  })
  return { items, warnings }
}

function sanitizeItem<T extends object>(
  item: unknown,
  seen: Set<string>,
  sanitize: Sanitizer<T>,
): T | Excluded {
  if (!isRecord(item)) return { excluded: 'it is not an object' }
  const name = item['name']
  if (typeof name !== 'string') return { excluded: 'its name is not a string' }
  if (name.length > nameLengthMax) return { excluded: `its name is longer than ${nameLengthMax} characters` }
  const shown = stripHiddenLine(name)
  if (shown === '') return { excluded: 'its name is empty' }
  if (hasUnseen(name)) return { excluded: 'its name has hidden characters or a line break' }
  // A person cannot tell apart names that look the same.
  if (seen.has(shown)) return { excluded: 'another one has the same name' }
  const outcome = sanitize(item, name)
  if (!('excluded' in outcome)) seen.add(shown)
  return outcome
}

function sanitizeTool(item: Fields, name: string, clean: Clean): McpToolDefinition | Excluded {
  if (isForAppsOnly(item['_meta'])) return { excluded: undefined }
  const fault = schemaFault(item['inputSchema'])
  if (fault !== undefined) return { excluded: `its input schema ${fault}` }
  const given = clean(readTexts(item, 'title', 'description')) as Fields
  const annotations = sanitizeAnnotations(item['annotations'], clean)
  const inputSchema = clean(item['inputSchema']) as JsonSchema
  if (hasHidden(inputSchema))
    return {
      excluded: 'its input schema has hidden characters in a name or in a value that a call must repeat',
    }
  return {
    name,
    ...titleOf(given['title'] ?? annotations?.title),
    description: sanitizeText(given['description']),
    inputSchema: { ...inputSchema, type: 'object' },
    ...outputSchemaOf(item['outputSchema'], clean),
    ...(annotations !== undefined && { annotations }),
    ...appOf(item['_meta'], clean),
  }
}

/** Only used to check results, so an unusable one is dropped. Revision 2026-07-28 allows any type. */
function outputSchemaOf(schema: unknown, clean: Clean): { outputSchema?: JsonSchema } {
  if (!isRecord(schema) || schemaFault({ ...schema, type: 'object' }) !== undefined) return {}
  return { outputSchema: clean(schema) as JsonSchema }
}

/** A tool that only the server's own page calls (MCP Apps). A model must not see it. */
function isForAppsOnly(meta: unknown): boolean {
  const visibility = uiOf(meta)['visibility']
  return Array.isArray(visibility) && !visibility.includes('model')
}

/** The address of the tool's app, if it is valid and contains no secret. */
function appOf(meta: unknown, clean: Clean): { appUri?: string } {
  const uri = uiOf(meta)['resourceUri']
  if (typeof uri !== 'string' || uri.length > appUriLengthMax || !/^ui:\/\/[!-~]+$/.test(uri)) return {}
  return clean(uri) === uri ? { appUri: uri } : {}
}

function uiOf(meta: unknown): Fields {
  const ui = isRecord(meta) ? meta['ui'] : undefined
  return isRecord(ui) ? ui : {}
}

function sanitizePrompt(item: Fields, name: string, clean: Clean): McpPromptDefinition | Excluded {
  const listed = Array.isArray(item['arguments'])
    ? item['arguments'].slice(0, promptArgumentsMax).filter(isRecord)
    : []
  // A person types these names.
  if (hasHidden(listed.map((argument) => argument['name'])))
    return { excluded: 'the name of an argument has hidden characters' }
  const given = clean(readTexts(item, 'title', 'description')) as Fields
  const description = sanitizeText(given['description'])
  return {
    name,
    ...titleOf(given['title']),
    ...(description !== '' && { description }),
    arguments: listed.flatMap((argument) => {
      const argumentName = argument['name']
      if (typeof argumentName !== 'string' || argumentName === '' || argumentName.length > nameLengthMax)
        return []
      const about = sanitizeText((clean(readTexts(argument, 'description')) as Fields)['description'])
      return [
        {
          name: argumentName,
          ...(about !== '' && { description: about }),
          required: argument['required'] === true,
        },
      ]
    }),
  }
}

/** The given text fields, if present and not too long. */
function readTexts(item: Fields, ...fields: string[]): Fields {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = item[field]
      return typeof value === 'string' && value.length <= readTextCharsMax ? [[field, value]] : []
    }),
  )
}

function titleOf(title: unknown): { title?: string } {
  const given =
    typeof title === 'string' ? stripHiddenLine(title).slice(0, titleLengthMax).toWellFormed() : ''
  return given === '' ? {} : { title: given }
}

/** Cleans a single text of a server. Empty if it is missing or too long. */
export function cleanText(value: unknown, redactor: Redactor): string {
  return typeof value === 'string' && value.length <= readTextCharsMax
    ? sanitizeText(cleanListed(value, redactor))
    : ''
}

export function sanitizeText(value: unknown): string {
  return typeof value === 'string' ? cutToBytes(stripHidden(value), descriptionBytesMax) : ''
}

/** The reason why a schema of a tool or form is unusable, if any. Guarantees bounded work for all later steps. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isRecord(schema)) return 'is not an object'
  if (schema['type'] !== undefined && schema['type'] !== 'object') return 'is not an object schema'
  // Before any recursion, which a deeply nested value would overflow.
  const exceeded = exceededLimit(schema, { depthMax: schemaDepthMax, charsMax: schemaBytesMax })
  if (exceeded === 'depthMax') return `is nested deeper than ${schemaDepthMax}`
  if (exceeded === 'charsMax' || Buffer.byteLength(JSON.stringify(schema)) > schemaBytesMax)
    return `is larger than ${schemaBytesMax / 1024} KiB`
  if (writtenOutNodes(schema) > schemaNodesMax)
    return `has more than ${schemaNodesMax} values when its references are expanded`
  return undefined
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

function sanitizeAnnotations(value: unknown, clean: Clean): ToolAnnotations | undefined {
  if (!isRecord(value)) return undefined
  const { title } = clean(readTexts(value, 'title')) as Fields
  return {
    ...(typeof title === 'string' && { title: stripHiddenLine(title).slice(0, titleLengthMax) }),
    ...Object.fromEntries(
      hints.flatMap((hint) => (typeof value[hint] === 'boolean' ? [[hint, value[hint]]] : [])),
    ),
  }
}

function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  return `${bytes
    .subarray(0, bytesMax - 3)
    .toString()
    .replace(/\ufffd+$/, '')}…`
}

function describe(item: unknown, index: number): string {
  const name =
    isRecord(item) && typeof item['name'] === 'string'
      ? stripHiddenLine(item['name'].slice(0, nameLengthMax)).slice(0, shownNameLength)
      : ''
  return name === '' ? `number ${index + 1}` : JSON.stringify(name.toWellFormed())
}

/** No schema nests references this deeply on purpose. */
const writtenOutDepthMax = 1_000

/**
 * Counts the values of a schema with its references expanded. Visits each value once, so the work is linear. Recursion ends where a schema
 * meets itself.
 */
function writtenOutNodes(root: JsonSchema): number {
  const counts = new Map<object, number>()
  return countOf(root, 0)

  function countOf(value: unknown, depth: number): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = counts.get(value)
    if (known !== undefined) return known
    if (depth > writtenOutDepthMax) return Number.POSITIVE_INFINITY
    counts.set(value, 1)
    let count = 1
    for (const [key, inner] of Object.entries(value)) {
      count += countOf(inner, depth + 1)
      if (refKeywords.has(key) && typeof inner === 'string')
        count += countOf(lookUpRef(inner, root), depth + 1)
    }
    counts.set(value, count)
    return count
  }
}

const refKeywords: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/**
 * Cleans text that a server addresses to a model: a message of a prompt or of a sampling request. Text over the limit is replaced by a
 * note.
 */
export function cleanMessage(raw: unknown, redactor: Redactor): readonly ContentBlock[] {
  let charsLeft = readTextCharsMax
  const blocks = fromMcpContent(raw).map((block) => {
    const length = textOf(block)?.length ?? 0
    if (length > charsLeft)
      return text(`[a text was left out: the message is longer than ${readTextCharsMax} characters]`)
    charsLeft -= length
    return block
  })
  return cleanOutputs(blocks, redactor)
}
