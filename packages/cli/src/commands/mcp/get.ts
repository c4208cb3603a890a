import { styleText } from 'node:util'
import type { ServerView } from '@ostler/workbench'
import { defineCommand } from '../../command-line/command.ts'
import { formatFullTime } from '../../terminal/format-time.ts'
import { factRows, formatTable, print } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { namesIn, problemOf, secretStoreNames, startRows } from './server-rows.ts'
import { serverFlags, withServers } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]'],
  about: 'Shows the details of a server, without its secrets. Nothing is started.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  needs: 'get needs the name of one server',
  async run(io, { values, word: name }) {
    return withServers(io, values, async (list) =>
      print(io, values, await list.getServer(name), formatServer),
    )
  },
})

/** Fields that have their own row. */
const shownFields = new Set('type command args url cwd env headers enabled description mode'.split(' '))

function formatServer(server: ServerView): string {
  const { name, description, origin, entry, transport, enabled, secrets, secretStore } = server
  const rest = Object.entries(entry).filter(([field, value]) => !shownFields.has(field) && !isEmpty(value))
  const { mode } = entry
  const rows = [
    ['From:', origin === 'file' ? 'the agent file' : 'stored'],
    ...startRows(server),
    ['Transport:', transport],
    ...factRows([
      ['Variables:', namesIn(entry['env'])],
      ['Headers:', namesIn(entry['headers'])],
    ]),
    ...secrets.map((secret, index) => [
      index === 0 ? 'Secrets:' : '',
      `${secret.name}${secret.set ? '' : ' (cannot be read)'}`,
    ]),
    ...factRows([
      ['Secrets in:', secretStore && secretStoreNames[secretStore]],
      ['Enabled:', enabled ? 'yes' : 'no'],
      ['Mode:', typeof mode === 'string' ? mode : undefined],
    ]),
    ...rest.map(([field, value]) => [`${field}:`, typeof value === 'string' ? value : JSON.stringify(value)]),
    ...factRows([
      ['Stored:', timeOf(server.createdAt)],
      ['Changed:', timeOf(server.updatedAt)],
      ['Last connected:', timeOf(server.lastConnectedAt)],
      ['Problem:', problemOf(server)],
    ]),
  ]
  return [
    styleText('bold', toShown(name)),
    ...(description === undefined ? [] : [toShown(description)]),
    formatTable(rows),
    ...(server.shadowed ? ['The agent uses the server of this name from the agent file.'] : []),
  ].join('\n')
}

function timeOf(at: string | undefined): string | undefined {
  return at && formatFullTime(at)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
