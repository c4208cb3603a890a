import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Schema } from './schema-shape.ts'

export interface OfflineTool {
  readonly name: string
  readonly description: string
  readonly schema: Schema
}

/** Offered tools have passed `formatToolsForProvider`, so their schemas contain only known keywords. */
export function toOfflineTool({ name, description, inputSchema }: LanguageModelV4FunctionTool): OfflineTool {
  return { name, description: description ?? '', schema: inputSchema as Schema }
}
