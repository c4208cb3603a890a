import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { isRecord } from '../base/is-record.ts'
import type { JsonSchema } from '../messages/tool.ts'
import type { Vendor } from './model.ts'
import { lengthOf } from './schema/budget.ts'
import { cleanSchema, schemaCharsMax } from './schema/clean-schema.ts'
import { dialects } from './schema/dialect.ts'

/** A tool as the model will know it: the name is the wire name. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** No model reads more than this of all tools together. Tools beyond it are told in short, so that no request becomes huge. */
const toolsCharsMax = 4 * 1024 * 1024
const inShort = { descriptionCharsMax: 500, schemaCharsMax: 2_000 }

/**
 * Tools the way a vendor takes them, and the only place that shapes their schemas. One schema that is refused fails the whole request, every
 * other tool with it, so what a vendor does not take is said more loosely: arguments are checked against the real schema before a tool runs.
 * The same tools give the same bytes, for the vendors' caches.
 */
export function formatToolsForProvider(tools: readonly WireTool[], vendor: Vendor): LanguageModelV4FunctionTool[] {
  return tools.map(createToolFormatter(vendor))
}

/** For the tools of one request, one after the other. */
export function createToolFormatter(vendor: Vendor): (tool: WireTool) => LanguageModelV4FunctionTool {
  const { descriptionLengthMax } = dialects[vendor]
  let charsLeft = toolsCharsMax
  return (tool) => {
    const isShort = charsLeft <= 0
    const description = shortened(tool.description.toWellFormed(), isShort ? inShort.descriptionCharsMax : descriptionLengthMax)
    const inputSchema = cleaned(tool.inputSchema, vendor, isShort ? inShort.schemaCharsMax : schemaCharsMax)
    charsLeft -= description.length + lengthOf(inputSchema)
    return {
      type: 'function',
      name: tool.name,
      description,
      inputSchema: inputSchema as JSONSchema7,
      // Left unset, OpenAI makes every optional argument required.
      ...(vendor === 'openai' && { strict: false }),
    }
  }
}

const known = new WeakMap<JsonSchema, Map<string, JsonSchema>>()

/** A definition lives as long as its server's list, and is sent with every step. */
function cleaned(schema: JsonSchema, vendor: Vendor, charsMax: number): JsonSchema {
  if (!isRecord(schema)) return cleanSchema({}, dialects[vendor], charsMax)
  let ofSchema = known.get(schema)
  if (ofSchema === undefined) known.set(schema, (ofSchema = new Map()))
  const key = `${vendor} ${charsMax}`
  const result = ofSchema.get(key) ?? cleanSchema(schema, dialects[vendor], charsMax)
  ofSchema.set(key, result)
  return result
}

function shortened(text: string, lengthMax: number): string {
  // A cut through a surrogate pair leaves half a character.
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
