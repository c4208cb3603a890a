import type { OfferedTool } from './offered-tool.ts'
import type { ToolRef } from '../messages/tool.ts'

/** The name of a tool as a person writes it: `server:tool`, or the bare name of a local tool. */
export function toolKey({ server, tool }: ToolRef): string {
  return server === null ? tool : `${server}:${tool}`
}

/** The agent's tools that are offered only when they match. Those of the session are always offered, whatever the agent file says. */
export function searchableTools(all: readonly OfferedTool[]): OfferedTool[] {
  return all.filter(
    ({ config, home }) =>
      home.type === 'server' && home.owner === 'agent' && config.include.value === 'agent',
  )
}

/** True for a tool that only a person adds. */
export function isManual({ config, home }: OfferedTool): boolean {
  return home.type === 'server' && home.owner === 'agent' && config.include.value === 'manual'
}
