import { styleText } from 'node:util'
import { counted, describeSizes } from '@ostler/agent-api/internal'
import { toMeasuredTools, type DiscoveredTool } from '@ostler/workbench'
import { defineCommand, usageError } from '../../command-line/command.ts'
import { formatTable, headerOf, print } from '../../terminal/print.ts'
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
    return withServer(io, values, name, toMeasuredTools, (tools) => {
      if (tool !== undefined) print(io, values, findTool(tools, name, tool), formatTool)
      else print(io, values, { tools }, () => formatTools(tools))
    })
  },
})

function formatTools(tools: readonly DiscoveredTool[]): string {
  if (tools.length === 0) return 'No tools.'
  const [header = [], ...rows] = toToolRows(tools)
  const sized = rows.map((row, index) => row.toSpliced(-1, 0, String(tools[index]?.tokens)))
  const table = formatTable([header.toSpliced(-1, 0, ...headerOf('TOKENS')), ...sized])
  const offered = tools.filter(({ leftOut }) => leftOut === undefined)
  const whole = describeSizes(offered.map(({ tokens = 0 }) => ({ sent: tokens, saved: 0 })))
  const waiting = describeSizes(offered.map(({ waitingTokens = 0 }) => ({ sent: waitingTokens, saved: 0 })))
  return `${table}\n\n${counted(offered.length, 'tool')}, ${whole}; ${waiting} while their schemas wait`
}

function formatTool({
  name,
  title,
  description,
  inputSchema,
  annotations,
  leftOut,
  tokens = 0,
}: DiscoveredTool): string {
  const hints = Object.entries(annotations ?? {}).flatMap(([hint, value]) =>
    typeof value === 'boolean' ? [`${hint}: ${value}`] : [],
  )
  return [
    styleText('bold', toShown(name)),
    ...(title === undefined ? [] : [toShown(title)]),
    ...(description === '' ? [] : ['', toShown(description).trim()]),
    ...(hints.length === 0 ? [] : ['', `Declared hints: ${hints.join(', ')}`]),
    '',
    `Size: ${describeSizes([{ sent: tokens, saved: 0 }])}`,
    ...(leftOut === undefined ? [] : ['', `Not offered: ${leftOut}.`]),
    '',
    toShown(JSON.stringify(inputSchema, null, 2)),
  ].join('\n')
}
