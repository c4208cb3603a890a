import type { JsonSchema, WireTool } from '../messages/tool.ts'
import type { OfferedTool } from './offered-tool.ts'
import { toWireNames } from './tool-name.ts'
import { toBriefSchema } from './to-brief-schema.ts'

/** Names are looked up here; an unknown name is not a tool. */
export interface ToolSet {
  readonly wireTools: readonly WireTool[]
  find(wireName: string): OfferedTool | undefined
}

/** Denied tools are not offered. If the model calls one anyway, it reads that the call is denied. */
export function createToolSet(offered: readonly OfferedTool[], denied: readonly OfferedTool[] = []): ToolSet {
  const all = [...offered, ...denied]
  const names = toWireNames(all.map(({ tool }) => tool.ref))
  const byName = new Map(all.map((entry, index) => [names[index] ?? '', entry]))
  return {
    wireTools: [...byName]
      .slice(0, offered.length)
      .map(([name, entry]) => ({ name, description: entry.tool.description, inputSchema: schemaOf(entry) })),
    find: (wireName) => byName.get(wireName),
  }
}

function schemaOf({ tool, home }: OfferedTool): JsonSchema {
  return home.type === 'local' && home.isBuiltin === true ? toBriefSchema(tool.inputSchema) : tool.inputSchema
}
