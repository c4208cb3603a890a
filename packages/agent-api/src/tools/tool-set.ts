import type { Message } from '../messages/message.ts'
import type { JsonSchema, WireTool } from '../messages/tool.ts'
import type { OfferedTool } from './offered-tool.ts'
import { toWireNames } from './tool-name.ts'
import { toBriefSchema } from './to-brief-schema.ts'

/** Names are looked up here; an unknown name is not a tool. */
export interface ToolSet {
  readonly wireTools: readonly WireTool[]
  find(wireName: string): OfferedTool | undefined
  /** True for a tool whose schema waits, so the model may not have read it. */
  waits(entry: OfferedTool): boolean
  isDenied(entry: OfferedTool): boolean
  /** Tells the model about tools whose schemas wait, before its next request. Says each thing once. */
  notes(): readonly Message[]
}

interface ToolSetOptions {
  /** Not offered. If the model calls one anyway, it reads that the call is denied. */
  readonly denied?: readonly OfferedTool[]
  readonly deferralOf?: (entry: OfferedTool) => WireTool['deferral']
}

export function createToolSet(
  offered: readonly OfferedTool[],
  { denied = [], deferralOf = () => undefined }: ToolSetOptions = {},
): ToolSet & { readonly nameOf: (entry: OfferedTool) => string } {
  const all = [...offered, ...denied]
  const names = toWireNames(all.map(({ tool }) => tool.ref))
  const byName = new Map(all.map((entry, index) => [names[index] ?? '', entry]))
  const byEntry = new Map([...byName].map(([name, entry]) => [entry, name]))
  const nameOf = (entry: OfferedTool) => byEntry.get(entry) ?? ''
  return {
    wireTools: offered.map((entry) => toWireTool(nameOf(entry), entry, deferralOf(entry))),
    find: (wireName) => byName.get(wireName),
    nameOf,
    waits: (entry) => deferralOf(entry) === 'deferred',
    isDenied: (entry) => denied.includes(entry),
    notes: () => [],
  }
}

function toWireTool(name: string, entry: OfferedTool, deferral: WireTool['deferral']): WireTool {
  const { description, ref } = entry.tool
  return {
    name,
    description,
    inputSchema: schemaOf(entry),
    ...(deferral !== undefined && { deferral, server: ref.server }),
  }
}

function schemaOf({ tool, home }: OfferedTool): JsonSchema {
  return home.type === 'local' && home.isBuiltin === true ? toBriefSchema(tool.inputSchema) : tool.inputSchema
}
