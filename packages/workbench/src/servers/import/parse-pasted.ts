import { OstlerError } from '@ostler/agent-api'
import { addressOf, isRecord } from '@ostler/agent-api/internal'
import { markGaps } from './asked-values.ts'
import { nameOfCommand, nameOfUrl } from './name-server.ts'
import { parseJsonc } from './parse-jsonc.ts'
import { parseServerList } from './parse-server-list.ts'
import type { FoundServer, ServerList, SkippedServer } from './server-list.ts'
import { toCommandParts, toWords, toWordsWithVariables } from './split-command-line.ts'

export type Pasted = Omit<ServerList, 'format'>

/**
 * Reads what a person pastes to add servers: a command line, a URL, an entry, or settings of a program. Values that documentation leaves open
 * become inputs. Throws `import.invalid` or `import.no_servers`. Reads no file, and starts nothing.
 */
export function parsePasted(text: string): Pasted {
  const bare = withoutFence(text.replace(/^\uFEFF/, '')).trim()
  if (bare === '') throw new OstlerError('import.invalid', 'There is nothing to add.')
  if (/^https?:\/\/\S+$/i.test(bare)) return withGaps(fromEntry(nameOfAddress(bare), { url: bare }))
  if (/^\[mcp_servers\b/m.test(bare)) return withGaps(parseServerList(bare, { format: 'codex' }))
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
  const bare = withoutExports(line.replace(/^\$\s+/, ''))
  const plainWords = toWords(bare)
  const words = plainWords ?? toWordsWithVariables(bare)
  const toList = plainWords === undefined ? fromEntry : literal
  if (words === undefined)
    throw new OstlerError(
      'import.invalid',
      'This line needs a shell, or has an open quote. Paste one command with its arguments, a URL, or JSON.',
    )
  const [program = '', flag, json = ''] = words
  if (/^code(?:-insiders)?$/.test(program) && flag === '--add-mcp') return fromJson(json)
  const added = addCommand(words, toList)
  if (added !== undefined) return added
  const parts = toCommandParts(words)
  if (parts === undefined) throw new OstlerError('import.invalid', 'There is no command in it.')
  const { command, args, env } = parts
  if (/^[a-z][\w+.-]*:\/\//i.test(command))
    throw new OstlerError('import.invalid', 'The URL must begin with https:// or http://.')
  if (args.length === 0 && /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\//i.test(command))
    throw new OstlerError('import.invalid', 'This looks like an address. Put https:// in front of it.')
  return withGaps(toList(nameOfCommand(command, args), { command, args, env: Object.fromEntries(env) }))
}

const serversMax = 200

const adding = /^(?:claude|codex|gemini|ostler|qwen)$/
const valueOptions = new Set(
  '-s --scope -t --transport -e --env -H --header --timeout --description --include-tools --exclude-tools --client-id --callback-port --bearer-token-env-var'.split(
    ' ',
  ),
)

/** `claude mcp add NAME -- COMMAND` and the like add the server to another program; here it is added to Ostler. */
function addCommand(words: readonly string[], toList: typeof literal): Pasted | undefined {
  const [program = '', mcp, add, ...rest] = words
  if (!adding.test(program) || mcp !== 'mcp' || add !== 'add') return undefined
  const pairs: { env: Record<string, string>; headers: Record<string, string> } = { env: {}, headers: {} }
  const plain: string[] = []
  let transport: string | undefined
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (word === '--') {
      plain.push(...rest.slice(at + 1))
      break
    }
    // Options after a command belong to the command.
    const isOption = word.startsWith('-') && (plain.length < 2 || isAddress(plain[1]))
    if (!isOption) plain.push(word)
    const [option = '', joined] = isOption ? word.split(/=(.*)/s) : []
    if (!valueOptions.has(option)) continue
    const value = joined ?? rest[++at] ?? ''
    const isVariable = option === '-e' || option === '--env'
    const values = [value]
    // An option may take several values.
    while (isVariable && /^[A-Za-z_]\w*=/.test(rest[at + 1] ?? '')) values.push(rest[++at] ?? '')
    if (option === '-t' || option === '--transport') transport = value
    if (isVariable) for (const each of values) addPair(pairs.env, each, '=')
    if (option === '-H' || option === '--header') addPair(pairs.headers, value, ':')
  }
  const [name, first, ...args] = plain
  if (name === undefined || first === undefined)
    throw new OstlerError(
      'import.invalid',
      `The command '${program} mcp add' needs a name, and a command or a URL.`,
    )
  const isUrl = isAddress(first)
  const entry = isUrl ? { url: first, headers: pairs.headers } : { command: first, args, env: pairs.env }
  return withGaps(toList(name, { ...entry, ...(isUrl && transport !== undefined && { type: transport }) }))
}

function isAddress(word: string | undefined): boolean {
  return /^https?:\/\//i.test(word ?? '')
}

function addPair(pairs: Record<string, string>, text: string, separator: '=' | ':'): void {
  const at = text.indexOf(separator)
  if (at > 0) pairs[text.slice(0, at).trim()] = text.slice(at + 1).trim()
}

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

/** `export NAME=VALUE` in a line before the command gives the command a variable. */
function withoutExports(lines: string): string {
  return lines.replace(/^\s*export\s+(?=[A-Za-z_]\w*=)/gm, '')
}

/** Text copied from Markdown may have its fence. */
function withoutFence(text: string): string {
  return /^\s*```[\w-]*\n([^]*?)\n?```\s*$/.exec(text)?.[1] ?? text
}
