import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { formatTable, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpResourcesCommand } from '../specs/mcp-connected.ts'
import { withServer } from './connect.ts'
import { toSummary } from './tools.ts'
import { withService } from './with-service.ts'

export async function runMcpResources(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpResourcesCommand, args)
  if (line === undefined) return 0
  const [name, ...others] = line.words
  if (name === undefined || others.length > 0) throw usageError(mcpResourcesCommand, 'resources needs the name of one server')
  return withService(line.values, async (service, signal) => {
    const resources = await withServer(service, name, ({ id }) => service.listResources(id, { signal }))
    const header = ['URI', 'NAME', 'TYPE', 'DESCRIPTION'].map((text): Cell => ({ text, style: 'bold' }))
    const rows = resources.map(({ uri, name: title, mimeType, description }): Cell[] => [
      uri,
      title,
      mimeType ?? '',
      toSummary(undefined, description),
    ])
    if (line.values.json) printJson({ resources })
    else process.stdout.write(rows.length === 0 ? 'It offers no resources.\n' : `${formatTable([header, ...rows])}\n`)
    return 0
  })
}
