import { OstlerError } from '@ostler/agent-api'
import { suggest } from '@ostler/agent-api/internal'
import type { DiscoveredTool } from '@ostler/workbench'
import { headerOf, type Cell } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'

export function findTool(tools: readonly DiscoveredTool[], server: string, name: string): DiscoveredTool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool !== undefined) return tool
  const near = suggest(
    name,
    tools.map((candidate) => candidate.name),
  )
  throw new OstlerError(
    'mcp.unknown_tool',
    `The server '${server}' has no tool '${toShown(name)}'${toShown(near)}${near === '' ? '.' : ''}`,
  )
}

const shownColumns = 100

/** A row for each tool: its name, its parameters (optional ones with a question mark) and its description. */
export function toToolRows(tools: readonly DiscoveredTool[]): Cell[][] {
  const header = headerOf('TOOL', 'ARGUMENTS', 'DESCRIPTION')
  const rows = tools.map(({ name, inputSchema, title, description, leftOut }): Cell[] => [
    name,
    parametersOf(inputSchema),
    `${leftOut === undefined ? '' : `(${leftOut}) `}${toSummary(title, description)}`,
  ])
  return [header, ...rows]
}

function parametersOf(schema: DiscoveredTool['inputSchema']): string {
  const { properties, required } = schema
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return names
    .map((name) => (Array.isArray(required) && required.includes(name) ? name : `${name}?`))
    .join(' ')
}

export function toSummary(title: string | undefined, description: string | undefined): string {
  const line = (description || title || '').trim().split('\n')[0] ?? ''
  return line.length <= shownColumns ? line : `${line.slice(0, shownColumns)}…`
}
