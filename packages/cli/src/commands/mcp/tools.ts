import { styleText } from 'node:util'
import { toDiscoveredTools, type DiscoveredTool } from '@ostler/workbench'
import { defineCommand } from '../../command-line/command.ts'
import { serverFlags } from './server-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { formatTable, toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { withServer } from './connect.ts'
import { findTool, toToolRows } from './tool-rows.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME [TOOL] [options]'],
  about: 'Lists the tools of a server. With TOOL, shows that tool in full.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const [name, tool, ...others] = words
    if (name === undefined || others.length > 0) throw usageError('tools needs the name of one server')
    const { json } = values
    return withService(io, values, async (service, signal) => {
      const tools = await withServer(io, service, name, signal, toDiscoveredTools)
      if (tool !== undefined) {
        const found = findTool(tools, name, tool)
        if (json) printJson(io, found)
        else io.stdout.write(formatTool(found))
      } else if (json) printJson(io, { tools })
      else io.stdout.write(tools.length === 0 ? 'No tools.\n' : `${formatTable(toToolRows(tools))}\n`)
    })
  },
})

function formatTool({ name, title, description, inputSchema, annotations, leftOut }: DiscoveredTool): string {
  const hints = Object.entries(annotations ?? {}).flatMap(([hint, value]) =>
    typeof value === 'boolean' ? [`${hint}: ${value}`] : [],
  )
  return `${[
    styleText('bold', toShown(name)),
    ...(title === undefined ? [] : [toShown(title)]),
    ...(description === '' ? [] : ['', toShown(description).trim()]),
    ...(hints.length === 0 ? [] : ['', `Declared hints: ${hints.join(', ')}`]),
    ...(leftOut === undefined ? [] : ['', `Not offered: ${leftOut}.`]),
    '',
    toShown(JSON.stringify(inputSchema, null, 2)),
  ].join('\n')}\n`
}
