import { styleText } from 'node:util'
import type { ServerView } from '@ostler/workbench'
import { defineCommand } from '../../command-line/command.ts'
import { serverFlags } from './server-flags.ts'
import { onlyWord } from '../../command-line/usage-error.ts'
import { formatFullTime } from '../../terminal/format-time.ts'
import { formatTable, toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { secretStoreNames } from './secret-store-names.ts'
import { startRows } from './start-rows.ts'
import { withServers } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]'],
  about: 'Shows the details of a server, without its secrets. Nothing is started.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const name = onlyWord(words, 'get needs the name of one server')
    return withServers(io, values, async (list) => {
      const server = await list.getServer(name)
      if (values.json) printJson(io, server)
      else io.stdout.write(`${formatServer(server)}\n`)
    })
  },
})

/** Fields that have their own row. */
const shownFields = new Set([
  'type',
  'command',
  'args',
  'url',
  'cwd',
  'env',
  'headers',
  'enabled',
  'description',
  'mode',
])

function formatServer(server: ServerView): string {
  const { name, description, origin, entry, transport, enabled, secrets, secretStore, status } = server
  const rest = Object.entries(entry).filter(([field, value]) => !shownFields.has(field) && !isEmpty(value))
  const rows = [
    ['From:', origin === 'file' ? 'the agent file' : 'stored'],
    ...startRows(server),
    ['Transport:', transport],
    ...pairs('Variables:', entry['env']),
    ...pairs('Headers:', entry['headers']),
    ...secrets.map((secret, index) => [
      index === 0 ? 'Secrets:' : '',
      `${secret.name}${secret.set ? '' : ' (cannot be read)'}`,
    ]),
    ...(secretStore === undefined ? [] : [['Secrets in:', secretStoreNames[secretStore]]]),
    ['Enabled:', enabled ? 'yes' : 'no'],
    ...text('Mode:', entry['mode']),
    ...rest.map(([field, value]) => [`${field}:`, typeof value === 'string' ? value : JSON.stringify(value)]),
    ...time('Stored:', server.createdAt),
    ...time('Changed:', server.updatedAt),
    ...time('Last connected:', server.lastConnectedAt),
    ...(status.state === 'error' ? [['Problem:', status.reason ?? 'it cannot be used']] : []),
  ]
  return [
    styleText('bold', toShown(name)),
    ...(description === undefined ? [] : [toShown(description)]),
    formatTable(rows),
    ...(server.shadowed ? ['The agent uses the server of this name from the agent file.'] : []),
  ].join('\n')
}

function text(label: string, value: unknown): string[][] {
  return typeof value === 'string' && value !== '' ? [[label, value]] : []
}

/** Shows names only. The values are available with --json, with placeholders for secrets. */
function pairs(label: string, value: unknown): string[][] {
  const names = Object.keys(value ?? {})
  return names.length === 0 ? [] : [[label, names.join(', ')]]
}

function time(label: string, at: string | undefined): string[][] {
  return at === undefined ? [] : [[label, formatFullTime(at)]]
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
