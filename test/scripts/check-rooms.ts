// Checks that every room imports only what this table allows. Run by `pnpm check`. A room is a folder of a package's `src`, or the files
// next to the folders ('.'). A row lists the rooms and packages that it may import; `type:` allows types only. The rooms of a package are
// in order: none imports one below it, not even its types. The folders inside a room do not import each other in a circle either; they share
// the files next to them. Other packages enter agent-api by its doors: `agent-api` for agents, sessions and tools, `/internal` for
// shared parts, `/browser` for what a browser can load as well.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

type Table = Readonly<Record<string, string>>

const packages: Readonly<Record<string, Table>> = {
  'agent-api': {
    base: '',
    messages: 'base',
    redaction: 'base type:messages',
    'secret-store': 'base redaction node:sqlite',
    http: 'base',
    processes: 'base redaction',
    fence: 'base type:messages http processes',
    mcp: 'base messages redaction secret-store http processes fence @modelcontextprotocol/client node:http',
    policy: 'base type:messages processes type:fence mcp',
    tools: 'base messages redaction type:mcp policy re2js node:sqlite',
    workspace: 'base messages http processes fence policy type:tools htmlparser2 node:http node:https re2js',
    config: 'base messages fence mcp policy tools type:workspace yaml zod',
    state: 'base messages redaction type:mcp policy type:config @hpke/core node:sqlite zod',
    provider:
      'base messages http tools @ai-sdk/anthropic @ai-sdk/google @ai-sdk/openai @ai-sdk/openai-compatible @ai-sdk/provider',
    context: 'base messages provider type:@ai-sdk/provider yaml',
    turn: 'base messages policy tools state provider context type:@ai-sdk/provider',
    servers: 'base type:messages type:redaction secret-store type:mcp policy tools config type:state',
    session:
      'base messages redaction type:mcp policy tools workspace state type:provider context turn servers',
    agent:
      'base redaction processes fence mcp policy type:tools workspace config state provider servers session',
    '.': 'base messages redaction secret-store http processes fence mcp policy tools workspace config state provider turn servers session agent',
  },
  workbench: {
    'agent-file': 'agent-api agent-api/internal yaml',
    servers: 'agent-file agent-api agent-api/internal smol-toml',
    judge: 'type:servers type:agent-api agent-api/internal',
    check: 'agent-file judge agent-api agent-api/internal',
    '.': 'agent-file servers judge check',
  },
  'acp-server': {
    wire: 'agent-api agent-api/internal type:@agentclientprotocol/sdk',
    editor: 'agent-api agent-api/internal @agentclientprotocol/sdk',
    'exit-watchdog': 'type:agent-api agent-api/internal',
    '.': 'wire editor exit-watchdog agent-api agent-api/internal @agentclientprotocol/sdk',
  },
  cli: {
    terminal: 'agent-api agent-api/internal',
    state: 'terminal agent-api workbench agent-api/internal',
    single: 'state',
    'command-line': 'type:terminal agent-api/internal',
    client: 'terminal agent-api agent-api/internal type:acp-server',
    commands: 'terminal state command-line client agent-api workbench agent-api/internal acp-server console',
    '.': 'terminal state command-line commands agent-api agent-api/internal',
  },
  console: {
    '.': 'type:agent-api type:workbench type:agent-api/internal',
    server: 'type:. agent-api workbench agent-api/internal node:http zod',
    page: 'type:. workbench/command-line agent-api/browser marked preact preact/hooks',
  },
}

/**
 * The only files of these rooms that import `redaction`. The other files, and the rooms whose rows lack it, handle clean values
 * (docs/decisions/0010-redaction.md).
 */
const redactingFiles: Readonly<Record<string, readonly string[]>> = {
  'agent-api/tools': ['call-membrane.ts', 'cap-result.ts'],
  'agent-api/state': ['open-state.ts'],
  'agent-api/session': ['membranes.ts', 'redact-events.ts'],
}

interface ReservedCall {
  readonly what: string
  readonly call: RegExp
  readonly files: readonly string[]
}

/** Calls that only these files of agent-api and the workbench contain. */
const reservedCalls: readonly ReservedCall[] = [
  { what: 'run a tool', call: /\.execute\(/, files: ['agent-api/turn/run-tool-call.ts'] },
  // The last one is the check of a server for its author.
  {
    what: 'call a tool of a server',
    call: /\.callTool\(/,
    files: [
      'agent-api/mcp/sdk-connection.ts',
      'agent-api/tools/mcp-tool.ts',
      'workbench/servers/service/examine-server.ts',
    ],
  },
  // Each of them limits the response.
  {
    what: 'send a request',
    call: /(?<![.\w])fetch\(/,
    files: [
      'agent-api/mcp/transports/guarded-fetch.ts',
      'agent-api/provider/catalog/fetch-model-list.ts',
      'agent-api/provider/answer-limits.ts',
      'workbench/servers/registry/fetch-registry.ts',
      // Only to load Node's implementation.
      'agent-api/session/preload-turn.ts',
    ],
  },
  // Requests to the server itself. The addresses that it names pass auth-fetch.
  {
    what: 'send a request to a server',
    call: /(?<!function )\bcreateGuardedFetch\(/,
    files: [
      'agent-api/mcp/transports/http-transport.ts',
      'agent-api/mcp/oauth/auth-fetch.ts',
      'agent-api/mcp/oauth/discover.ts',
    ],
  },
]

/** Takes the text of a rule apart, or writes one. */
const ruleText =
  /\brule\b\??\.(?:startsWith|endsWith|split|match|replace|slice|includes)\(|\brule (?:NOT )?(?:LIKE|GLOB)\b|['"`](?:person|answer|grant|mode|effect|pin|turn|call|tool):(?:[a-z]|\$\{)/
const ruleFile = 'agent-api/src/policy/decision-rule.ts'

/** An embedding program must find its way at a glance. What only the packages here share belongs to `internal.ts`. */
const publicNamesMax = 46

/** Node modules that a room may import only if its row lists them. Others are free, except in a browser. */
const guardedModules: ReadonlySet<string> = new Set(['node:http', 'node:https', 'node:sqlite'])
const browserRooms: ReadonlySet<string> = new Set(['console/page'])

interface Import {
  readonly specifier: string
  readonly isType: boolean
}

const repository = join(import.meta.dirname, '../..')
const problems = [
  ...Object.entries(packages).flatMap(([name, table]) => [
    ...checkOrder(name, Object.keys(table), Object.values(table)),
    ...checkPackage(name, table),
    ...checkFolders(name),
  ]),
  ...checkPublicDoor(),
  ...checkDoors(),
  ...checkReservedCalls(),
  ...Object.keys(packages).flatMap(checkRules),
]
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) {
  process.stderr.write('test/scripts/check-rooms.ts lists what each room may import\n')
  process.exitCode = 1
}

function checkPackage(name: string, table: Table): string[] {
  const source = join(repository, 'packages', name, 'src')
  const unused = new Map(
    Object.entries(table).map(([room, row]) => [
      room,
      new Set(row.split(' ').filter((entry) => entry !== '')),
    ]),
  )
  const wrong = sourcesIn(source).flatMap((path) => {
    const room = roomOf(path)
    const row = table[room]
    if (row === undefined) return [`packages/${name}/src/${path}: the room ${room} is not in the table`]
    const allowed = new Set(row.split(' '))
    return importsOf(readFileSync(join(source, path), 'utf8')).flatMap(({ specifier, isType }) => {
      const target = targetOf(specifier, join(source, dirname(path)), source)
      if (target === undefined || target === room || isFree(target, `${name}/${room}`)) return []
      const redacting = target === 'redaction' ? redactingFiles[`${name}/${room}`] : undefined
      if (redacting?.includes(relative(room, path)) === false)
        return [
          `packages/${name}/src/${path}: among the files of ${room}, only ${redacting.join(', ')} may import redaction`,
        ]
      const entry = [target, ...(isType ? [`type:${target}`] : [])].find((each) => allowed.has(each))
      if (entry === undefined)
        return [`packages/${name}/src/${path}: ${room} may not import ${target} (${specifier})`]
      if (entry !== target || !isType) unused.get(room)?.delete(entry)
      return []
    })
  })
  const idle = [...unused].flatMap(([room, entries]) =>
    [...entries].map((entry) => `packages/${name}: ${room} does not import ${entry}`),
  )
  return [...wrong, ...idle.map((problem) => `${problem}: take it out of the table, or allow only its types`)]
}

function checkOrder(name: string, rooms: readonly string[], rows: readonly string[]): string[] {
  return rows.flatMap((row, index) =>
    row
      .split(' ')
      .filter((entry) => rooms.indexOf(entry.replace(/^type:/, '')) >= index)
      .map((entry) => `packages/${name}: ${rooms[index]} lists ${entry}, which is not above it`),
  )
}

/** A room may be divided into folders. Removes folders that import no remaining one. The folders that are left have circular imports. */
function checkFolders(name: string): string[] {
  const source = join(repository, 'packages', name, 'src')
  const imports = new Map<string, Set<string>>()
  for (const path of sourcesIn(source).filter(isInFolder)) {
    const folder = dirname(path)
    const own = imports.get(folder) ?? new Set()
    for (const { specifier } of importsOf(readFileSync(join(source, path), 'utf8'))) {
      const target = relative(source, resolve(source, folder, specifier))
      if (specifier.startsWith('.') && isInFolder(target) && roomOf(target) === roomOf(path))
        own.add(dirname(target))
    }
    own.delete(folder)
    imports.set(folder, own)
  }
  for (;;) {
    const free = [...imports]
      .filter(([, own]) => [...own].every((each) => !imports.has(each)))
      .map(([folder]) => folder)
    if (free.length === 0) break
    for (const folder of free) imports.delete(folder)
  }
  return imports.size === 0
    ? []
    : [`packages/${name}: these folders import each other in a circle: ${[...imports.keys()].join(', ')}`]
}

/** True for a file of a folder inside a room. */
function isInFolder(path: string): boolean {
  return dirname(path).includes(sep)
}

function sourcesIn(source: string): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
}

function checkPublicDoor(): string[] {
  const path = 'packages/agent-api/src/index.ts'
  const lists = [...readFileSync(join(repository, path), 'utf8').matchAll(/\{([^}]*)\}/g)]
  const count = lists
    .flatMap(([, names = '']) => names.split(','))
    .filter((name) => name.trim() !== '').length
  return count <= publicNamesMax ? [] : [`${path}: ${count} names, at most ${publicNamesMax} are public`]
}

/** A bundler skips a door that only passes names on. With code of its own, it is loaded whole: so is all that it names. */
function checkDoors(): string[] {
  return Object.keys(packages).flatMap((name) =>
    ['index.ts', 'internal.ts', 'browser.ts']
      .map((file) => `packages/${name}/src/${file}`)
      .filter((path) => existsSync(join(repository, path)))
      .filter((path) =>
        /^export (?:async |const|function|class)/m.test(readFileSync(join(repository, path), 'utf8')),
      )
      .map((path) => `${path}: a door only passes names on`),
  )
}

function checkReservedCalls(): string[] {
  return ['agent-api', 'workbench'].flatMap((name) => {
    const source = join(repository, 'packages', name, 'src')
    return sourcesIn(source).flatMap((path) => {
      const text = readFileSync(join(source, path), 'utf8')
      const file = `${name}/${path.replaceAll(sep, '/')}`
      return reservedCalls
        .filter(({ call, files }) => call.test(text) && !files.includes(file))
        .map(({ what, files }) => `packages/${name}/src/${path}: only ${files.join(', ')} may ${what}`)
    })
  })
}

function checkRules(name: string): string[] {
  return sourcesIn(join(repository, 'packages', name, 'src'))
    .map((path) => `${name}/src/${path}`)
    .filter((path) => path.replaceAll(sep, '/') !== ruleFile)
    .filter((path) => ruleText.test(readFileSync(join(repository, 'packages', path), 'utf8')))
    .map((path) => `packages/${path}: only ${ruleFile} writes the text of a rule, or takes it apart`)
}

/** The room of an imported file, or the name of an external import. */
function targetOf(specifier: string, directory: string, source: string): string | undefined {
  if (!specifier.startsWith('.')) return specifier.replace(/^@ostler\//, '')
  const path = relative(source, resolve(directory, specifier))
  return path === join('..', 'package.json') ? undefined : roomOf(path)
}

function roomOf(path: string): string {
  const [first = '', ...rest] = path.split(sep)
  return rest.length === 0 ? '.' : first
}

function isFree(target: string, room: string): boolean {
  return target.startsWith('node:') && !guardedModules.has(target) && !browserRooms.has(room)
}

/** Sources are formatted, so imports have a fixed shape. */
function importsOf(text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export) (type )?(?:(\{[^}]*\}|[^'{}]*?) from )?'([^']+)'/gm)
  const found = [...statements].map(([, type, names = '', specifier = '']) => ({
    specifier,
    isType: type !== undefined || namesTypes(names),
  }))
  const lazy = [...text.matchAll(/\bimport\('([^']+)'\)(\.[A-Z])?/g)]
  return [...found, ...lazy.map(([, specifier = '', type]) => ({ specifier, isType: type !== undefined }))]
}

function namesTypes(names: string): boolean {
  const each = names
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return each.length > 0 && each.every((name) => name.startsWith('type '))
}
