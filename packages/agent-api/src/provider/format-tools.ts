import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonSchema } from '../tools/tool.ts'
import type { Vendor } from './model.ts'
import { cleanSchema } from './schema/clean-schema.ts'
import { dialects } from './schema/dialect.ts'

/** A tool as the model will know it: the name is the wire name. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/**
 * Tools the way a vendor takes them, and the only place that shapes their schemas. One schema that is refused fails the whole request, every
 * other tool with it, so what a vendor does not take is said more loosely: arguments are checked against the real schema before a tool runs.
 * The same tools give the same bytes, for the vendors' caches.
 */
export function formatToolsForProvider(tools: readonly WireTool[], vendor: Vendor): LanguageModelV4FunctionTool[] {
  const dialect = dialects[vendor]
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: shortened(tool.description.toWellFormed(), dialect.descriptionLengthMax),
    inputSchema: cleanSchema(tool.inputSchema, dialect) as JSONSchema7,
    // Left unset, OpenAI makes every optional argument required.
    ...(vendor === 'openai' && { strict: false }),
  }))
}

function shortened(text: string, lengthMax: number): string {
  // A cut through a surrogate pair leaves half a character.
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
