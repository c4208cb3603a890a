import { styleText } from 'node:util'
import { toDiscoveredTools, type DiscoveredTool } from '@ostler/workbench'
import { defineCommand, usageError } from '../../command-line/command.ts'
import { formatList, print } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { findTool, toToolRows } from './tool-rows.ts'
import { serverFlags, withServer } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [TOOL] [options]'],
  about: 'Lists the tools of a server. With TOOL, shows that tool in full.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const [name, tool, ...others] = words
    if (name === undefined || others.length > 0) throw usageError('tools needs the name of one server')
    return withServer(io, values, name, toDiscoveredTools, (tools) => {
      if (tool !== undefined) print(io, values, findTool(tools, name, tool), formatTool)
      else print(io, values, { tools }, () => formatList(toToolRows(tools), 'No tools.'))
    })
  },
})

function formatTool({ name, title, description, inputSchema, annotations, leftOut }: DiscoveredTool): string {
  const hints = Object.entries(annotations ?? {}).flatMap(([hint, value]) =>
    typeof value === 'boolean' ? [`${hint}: ${value}`] : [],
  )
  return [
    styleText('bold', toShown(name)),
    ...(title === undefined ? [] : [toShown(title)]),
    ...(description === '' ? [] : ['', toShown(description).trim()]),
    ...(hints.length === 0 ? [] : ['', `Declared hints: ${hints.join(', ')}`]),
    ...(leftOut === undefined ? [] : ['', `Not offered: ${leftOut}.`]),
    '',
    toShown(JSON.stringify(inputSchema, null, 2)),
  ].join('\n')
}
