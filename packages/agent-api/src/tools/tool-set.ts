import type { JsonSchema, Tool, WireTool } from '../messages/tool.ts'
import type { OfferedTool } from './offered-tool.ts'
import { toWireNames } from './tool-name.ts'
import { toBriefSchema } from './to-brief-schema.ts'
import { builtinEffects } from '../policy/builtin-tools.ts'

/** The tools of one model step. Names are looked up here; an unknown name is not a tool. */
export interface ToolSet {
  readonly wireTools: readonly WireTool[]
  find(wireName: string): OfferedTool | undefined
}

/** The model does not read of denied tools. If it calls one nevertheless, it reads that the call is denied. */
export function createToolSet(offered: readonly OfferedTool[], denied: readonly OfferedTool[] = []): ToolSet {
  const all = [...offered, ...denied]
  const names = toWireNames(all.map(({ tool }) => tool.ref))
  const byName = new Map(all.map((entry, index) => [names[index] ?? '', entry]))
  return {
    wireTools: [...byName]
      .slice(0, offered.length)
      .map(([name, { tool }]) => ({ name, description: tool.description, inputSchema: schemaOf(tool) })),
    find: (wireName) => byName.get(wireName),
  }
}

function schemaOf({ ref, inputSchema }: Tool): JsonSchema {
  return ref.server === null && Object.hasOwn(builtinEffects, ref.tool) ? toBriefSchema(inputSchema) : inputSchema
}
