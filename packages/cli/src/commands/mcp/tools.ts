import { styleText } from 'node:util'
import { OstlerError, type DiscoveredTool } from '@ostler/agent-api'
import { readCommandLine, usageError, suggest } from '../../command-line/command-line.ts'
import { formatTable, toShown, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpToolsCommand } from '../specs/mcp-connected.ts'
import { withServer } from './connect.ts'
import { withService } from './with-service.ts'

export async function runMcpTools(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpToolsCommand, args)
  if (line === undefined) return 0
  const [name, tool, ...others] = line.words
  if (name === undefined || others.length > 0) throw usageError(mcpToolsCommand, 'tools needs the name of one server')
  const { json } = line.values
  return withService(line.values, async (service, signal) => {
    const tools = await withServer(service, name, ({ id }) => service.discoverTools(id, { signal }))
    if (tool !== undefined) {
      const found = findTool(tools, name, tool)
      if (json) printJson(found)
      else process.stdout.write(formatTool(found))
    } else if (json) printJson({ tools })
    else process.stdout.write(tools.length === 0 ? 'It offers no tools.\n' : `${formatTable(toToolRows(tools))}\n`)
    return 0
  })
}

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

/** One line for each: its parameters, those it insists on without a question mark, and what it says it does. */
export function toToolRows(tools: readonly DiscoveredTool[]): Cell[][] {
  const header = ['TOOL', 'ARGUMENTS', 'DESCRIPTION'].map((text): Cell => ({ text, style: 'bold' }))
  const rows = tools.map(({ name, inputSchema, title, description }): Cell[] => [
    name,
    parametersOf(inputSchema),
    toSummary(title, description),
  ])
  return [header, ...rows]
}

function parametersOf(schema: DiscoveredTool['inputSchema']): string {
  const { properties, required } = schema
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return names.map((name) => (Array.isArray(required) && required.includes(name) ? name : `${name}?`)).join(' ')
}

export function toSummary(title: string | undefined, description: string | undefined): string {
  const line = (description || title || '').trim().split('\n')[0] ?? ''
  return line.length <= shownColumns ? line : `${line.slice(0, shownColumns)}…`
}

function formatTool({ name, title, description, inputSchema, annotations, config }: DiscoveredTool): string {
  const hints = Object.entries(annotations ?? {}).flatMap(([hint, value]) => (typeof value === 'boolean' ? [`${hint}: ${value}`] : []))
  return `${[
    styleText('bold', toShown(name)),
    ...(title === undefined ? [] : [toShown(title)]),
    ...(description === '' ? [] : ['', toShown(description).trim()]),
    ...(hints.length === 0 ? [] : ['', `It says of itself: ${hints.join(', ')}`]),
    ...(config === undefined ? ['', 'Agents leave it out: its server is strict, and toolbox.tools does not name it.'] : []),
    '',
    toShown(JSON.stringify(inputSchema, null, 2)),
  ].join('\n')}\n`
}
