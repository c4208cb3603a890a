import { OstlerError } from '@ostler/agent-api'
import { addressOf, isRecord } from '@ostler/agent-api/internal'
import { markGaps } from './asked-values.ts'
import { nameOfCommand, nameOfUrl } from './name-server.ts'
import { parseJsonc } from './parse-jsonc.ts'
import { parseServerList } from './parse-server-list.ts'
import type { FoundServer, ServerList, SkippedServer } from './server-list.ts'
import { toCommandParts, toWords } from './split-command-line.ts'

export type Pasted = Omit<ServerList, 'format'>

/**
 * Reads what a person pastes to add servers: a plain command line, a URL, an entry, or settings of a program as JSON. Values that
 * documentation leaves open become inputs. Throws `import.invalid` or `import.no_servers`. Reads no file, and starts nothing.
 */
export function parsePasted(text: string): Pasted {
  const bare = text.replace(/^\uFEFF/, '').trim()
  if (bare === '') throw new OstlerError('import.invalid', 'There is nothing to add.')
  if (/^https?:\/\/\S+$/i.test(bare)) return withGaps(fromEntry(nameOfAddress(bare), { url: bare }))
  if (/^(?:[{[]|\/[/*])/.test(bare)) return fromJson(bare)
  // Pages often show a part of the settings only.
  if (/^"[^"\n]*"\s*:\s*\{/.test(bare)) return fromJson(`{${bare.replace(/,\s*$/, '')}}`)
  return fromCommandLine(bare)
}

function fromJson(text: string): Pasted {
  const data = parseJsonc(text)
  if (!isRecord(data)) throw new OstlerError('import.invalid', 'It is not an object with servers.')
  if (!isEntry(data)) return withGaps(parseServerList(text))
  const { name, ...entry } = data
  return withGaps(fromEntry(typeof name === 'string' && name !== '' ? name : nameOfEntry(entry), entry))
}

/** True for the settings of one server, without its name. */
function isEntry(data: Readonly<Record<string, unknown>>): boolean {
  return typeof data['command'] === 'string' || typeof addressOf(data) === 'string'
}

function nameOfEntry(entry: Readonly<Record<string, unknown>>): string {
  const { command, args } = entry
  if (typeof command === 'string') return nameOfCommand(command, Array.isArray(args) ? args.map(String) : [])
  return nameOfAddress(String(addressOf(entry)))
}

function nameOfAddress(url: string): string {
  return URL.canParse(url) ? nameOfUrl(url) : 'server'
}

function fromCommandLine(line: string): Pasted {
  const words = toWords(line.replace(/^\$\s+/, ''))
  if (words === undefined)
    throw new OstlerError(
      'import.invalid',
      'This line needs a shell, or has an open quote. Paste one command with its arguments, a URL, or JSON.',
    )
  const parts = toCommandParts(words)
  if (parts === undefined) throw new OstlerError('import.invalid', 'There is no command in it.')
  const { command, args, env } = parts
  if (args[0] === 'mcp' && args[1] === 'add')
    throw new OstlerError(
      'import.invalid',
      `This line adds a server to ${command}. Paste only the server's own command or URL, and its variables before it.`,
    )
  if (/^[a-z][\w+.-]*:\/\//i.test(command))
    throw new OstlerError('import.invalid', 'The URL must begin with https:// or http://.')
  if (args.length === 0 && /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\//i.test(command))
    throw new OstlerError('import.invalid', 'This looks like an address. Put https:// in front of it.')
  return withGaps(literal(nameOfCommand(command, args), { command, args, env: Object.fromEntries(env) }))
}

const serversMax = 200

/** An entry whose texts may refer to variables, as most programs write them. */
function fromEntry(name: string, entry: Readonly<Record<string, unknown>>): ServerList {
  return parseServerList(JSON.stringify({ mcpServers: { [name]: entry } }), { format: 'mcpServers' })
}

/** An entry without references: a shell would already have replaced them, and Zed has none. */
function literal(name: string, entry: Readonly<Record<string, unknown>>): ServerList {
  return parseServerList(JSON.stringify({ context_servers: { [name]: entry } }), { format: 'zed' })
}

function withGaps({ servers, skipped, inputs, notes }: Pasted): Pasted {
  if (servers.length + skipped.length > serversMax)
    throw new OstlerError(
      'import.invalid',
      `It has more than ${serversMax} servers. Paste a part of it, or use: ostler mcp import FILE`,
    )
  const marked = servers.map(markGaps)
  return {
    servers: marked.flatMap(({ server }): FoundServer[] => ('entry' in server ? [server] : [])),
    skipped: [
      ...skipped,
      ...marked.flatMap(({ server }): SkippedServer[] => ('reason' in server ? [server] : [])),
    ],
    inputs: [
      ...inputs,
      ...marked.flatMap((each) => each.inputs.filter(({ id }) => !inputs.some((input) => input.id === id))),
    ],
    notes,
  }
}
