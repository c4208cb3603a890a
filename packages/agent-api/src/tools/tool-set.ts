import { toWireNames } from './tool-name.ts'
import type { JsonSchema, Tool } from './tool.ts'

/** A tool as a model is told of it. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** The tools of one model step. What the model names is looked up here; a name that is not here is no tool. */
export interface ToolSet {
  readonly tools: readonly Tool[]
  readonly wireTools: readonly WireTool[]
  find(wireName: string): Tool | undefined
}

export function createToolSet(tools: readonly Tool[]): ToolSet {
  const names = toWireNames(tools.map((tool) => tool.ref))
  const byName = new Map(tools.map((tool, index) => [names[index] ?? '', tool]))
  return {
    tools,
    wireTools: [...byName].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
    find: (wireName) => byName.get(wireName),
  }
}
