import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { isRecord } from '../base/is-record.ts'
import type { JsonSchema, WireTool } from '../messages/tool.ts'
import type { Vendor } from './model.ts'
import { lengthOf } from './schema/budget.ts'
import { cleanSchema, schemaCharsMax } from './schema/clean-schema.ts'
import { dialects } from './schema/dialect.ts'

/** Limit on all tools together, beyond what any model reads. Further tools are shortened, so that requests stay bounded. */
const toolsCharsMax = 4 * 1024 * 1024
const inShort = { descriptionCharsMax: 500, schemaCharsMax: 2_000 }

/**
 * Converts tools to the form that a vendor accepts. Schemas are adapted nowhere else. One rejected schema would fail the whole request, so
 * unsupported parts are loosened; arguments are checked against the original schema before a tool runs. The result is deterministic, for
 * the vendors' caches.
 */
export function formatToolsForProvider(
  tools: readonly WireTool[],
  vendor: Vendor,
): LanguageModelV4FunctionTool[] {
  return tools.map(createToolFormatter(vendor))
}

/** Formats the tools of one request, one after another. */
export function createToolFormatter(vendor: Vendor): (tool: WireTool) => LanguageModelV4FunctionTool {
  const { descriptionLengthMax } = dialects[vendor]
  let charsLeft = toolsCharsMax
  return (tool) => {
    const isShort = charsLeft <= 0
    const description = shortened(
      tool.description.toWellFormed(),
      isShort ? inShort.descriptionCharsMax : descriptionLengthMax,
    )
    const inputSchema = cleaned(tool.inputSchema, vendor, isShort ? inShort.schemaCharsMax : schemaCharsMax)
    charsLeft -= description.length + lengthOf(inputSchema)
    return {
      type: 'function',
      name: tool.name,
      description,
      inputSchema: inputSchema as JSONSchema7,
      // Without this, OpenAI makes every optional argument required.
      ...(vendor === 'openai' && { strict: false }),
    }
  }
}

const known = new WeakMap<JsonSchema, Map<string, JsonSchema>>()

/** Cached: a definition lives as long as its server's list, and is sent with every step. */
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
  // A cut within a surrogate pair leaves half a character.
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
