import { existsSync } from 'node:fs'
import type { ServerService, ServerView } from '@ostler/agent-api'
import { ownTerminal } from '../../terminal/ask.ts'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpAddCommand } from '../specs/mcp-servers.ts'
import { askSecrets } from './ask-secrets.ts'
import { toEntryChanges, warnOfUnset, withInner } from './entry-flags.ts'
import { splitCommand, withCommandHint } from './split-command.ts'
import { secretStoreNames } from './secret-store-names.ts'
import { withService } from './with-service.ts'

export async function runMcpAdd(args: readonly string[]): Promise<number> {
  const { own, command: behind } = splitCommand(args)
  const line = withCommandHint(mcpAddCommand, behind !== undefined, () => readCommandLine(mcpAddCommand, own))
  if (line === undefined) return 0
  const { values, words } = line
  const { name, target } = toTarget(words, behind, values.transport)
  const changes = toEntryChanges(mcpAddCommand, values, 'url' in target)
  const { env, headers, fields, inner, secret } = await askSecrets(mcpAddCommand, changes, values['secret-stdin'], ownTerminal())
  const pairs = 'url' in target ? { headers } : { env }
  const entry = withInner({ ...target, ...pairs, ...fields, ...(values.disabled && { enabled: false }) }, inner)
  warnOfUnset(values.env)
  return withService(values, async (service) => {
    const view = await service.addServer({ name, entry, secret })
    if (values.json) printJson(view)
    else await sayStored(service, view, 'Stored')
    return 0
  })
}

type Target =
  | { readonly type: string; readonly url: string }
  | { readonly type: string; readonly command: string; readonly args: readonly string[] }

function toTarget(
  words: readonly string[],
  behind: readonly string[] | undefined,
  transport: string | undefined,
): { name: string; target: Target } {
  const wrong = (message: string) => usageError(mcpAddCommand, message)
  const [name, ...rest] = words
  if (name === undefined) throw wrong('add needs a name for the server')
  if (behind !== undefined && rest.length > 0) throw wrong(`what is '${rest[0]}' for? The command stands behind --`)
  const [first, ...others] = behind ?? rest
  if (first === undefined || first === '') throw wrong('add needs the URL of the server, or its command behind --')
  const isUrl = behind === undefined && /^https?:\/\//i.test(first)
  if (!isUrl && behind === undefined) refuseAddress(first)
  if (!isUrl && transport !== undefined && transport !== 'stdio') throw wrong(`--transport ${transport} needs a URL`)
  if (!isUrl) return { name, target: { type: 'stdio', command: first, args: others } }
  if (transport === 'stdio') throw wrong('--transport stdio needs a command')
  if (others.length > 0) throw wrong(`what is '${others[0]}' for?`)
  return { name, target: { type: transport ?? 'http', url: first } }
}

/** Without its scheme an address would be taken for a command. */
function refuseAddress(word: string): void {
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(word)?.[1]
  if (scheme !== undefined)
    throw usageError(mcpAddCommand, `the URL of a server begins with https:// or http://, and not with ${scheme}://`)
  const host = /^(localhost|[\w-]+(?:\.[\w-]+)+)(?:\/|:\d+(?:\/|$))/i.exec(word)?.[1]
  if (host === undefined || existsSync(word)) return
  const likely = host === 'localhost' ? 'http' : 'https'
  throw usageError(mcpAddCommand, `${host} looks like an address: write ${likely}:// in front of it, or -- in front of a command`)
}

/** What was done, where its secrets are now, and what to do next. */
export async function sayStored(service: ServerService, view: ServerView, what: 'Stored' | 'Changed'): Promise<void> {
  const { name, secrets, secretStore, shadowed } = view
  const lines = [
    `${what} the server '${name}'.`,
    ...(secretStore === undefined
      ? []
      : [`Its secrets are in ${secretStoreNames[secretStore]}: ${secrets.map((secret) => secret.name).join(', ')}`]),
    `Try it: ostler mcp test ${/^[\w.-]+$/.test(name) ? name : `'${name}'`}`,
  ]
  process.stdout.write(`${toShown(lines.join('\n'))}\n`)
  if (shadowed) process.stderr.write(`ostler: ${toShown(`the agent file has a server '${name}' as well, and the agent uses that one`)}\n`)
  if (secretStore === undefined) return
  const { problem } = await service.secretStore()
  if (problem !== undefined) process.stderr.write(`ostler: ${toShown(problem)}\n`)
}
