import {
  type Calls,
  type Presence,
  type KnownServers,
  type KnownServer,
  silentLogger,
  defaultTiming,
  type FileChanges,
  openBuiltinTools,
  createWorkspaceMemory,
} from '@ostler/agent-api/internal'
import type { PolicyView } from '../servers/server-service.ts'
import type { JudgedServer, JudgedTool } from './judge.ts'

interface ListJudgedToolsOptions {
  readonly agent: string
  readonly servers: readonly PolicyView[]
  readonly calls: Calls
  readonly presence: Presence
  readonly known: KnownServers
}

interface JudgedTools {
  readonly tools: readonly JudgedTool[]
  /** No agent was connected to them, and neither is this process. */
  readonly unknown: readonly string[]
}

/**
 * The tools of an agent: the built-in ones, those of its servers as they are now or were last, and those of
 * open sessions. Also the called tools of other sessions' servers, of which only the names are known.
 */
export async function listJudgedTools({
  agent,
  servers,
  calls,
  presence,
  known,
}: ListJudgedToolsOptions): Promise<JudgedTools> {
  const live = presence.servers().filter((server) => server.agent === agent)
  const found = new Map<string, KnownServer | undefined>()
  const find = (identity: string | undefined) => {
    if (identity === undefined) return undefined
    if (!found.has(identity)) found.set(identity, known.findLast(identity))
    return found.get(identity)
  }

  const unknown: string[] = []
  const own = servers.flatMap((view): JudgedTool[] => {
    // A running agent may have found another program of that name.
    const running = live.find(({ owner, name }) => owner === 'agent' && name === view.name)?.identity
    const pin =
      running === undefined || running === view.pin?.identity ? view.pin : { identity: running, parts: {} }
    // A running agent knows its tools as it saw them, which may be later than this process did.
    const known = find(pin?.identity)?.tools
    const tools = (running === undefined ? undefined : known) ?? view.tools ?? known
    if (tools === undefined) unknown.push(view.name)
    return toolsOf(toJudgedServer(view, pin), tools)
  })
  const sessions = new Map(
    live
      .filter(({ owner }) => owner === 'session')
      .map((server) => [`${server.name}\n${server.identity}`, server]),
  )
  const ofSessions = [...sessions.values()].flatMap(({ name, identity }): JudgedTool[] => {
    const tools = find(identity)?.tools
    if (tools === undefined) unknown.push(name)
    return toolsOf(
      {
        name,
        origin: 'session',
        enabled: true,
        ...(identity !== undefined && { pin: { identity, parts: {} } }),
      },
      tools,
    )
  })
  const all = [...(await builtinTools()), ...own, ...ofSessions]
  const names = new Set([...servers, ...sessions.values()].map(({ name }) => name))
  const called = calls.tools().flatMap(({ server, tools }): JudgedTool[] => {
    if (server === null || names.has(server)) return []
    const past: JudgedServer = { name: server, origin: 'session', enabled: true }
    return tools.map((tool) => ({ ref: { server, tool }, server: past }))
  })
  return { tools: [...all, ...called], unknown: [...new Set(unknown)] }
}

function toJudgedServer({ name, origin, enabled, policy }: PolicyView, pin: PolicyView['pin']): JudgedServer {
  return { name, origin, enabled, policy, pin }
}

function toolsOf(server: JudgedServer, tools: KnownServer['tools'] = []): JudgedTool[] {
  return tools.map((definition) => ({
    ref: { server: server.name, tool: definition.name },
    server,
    definition,
  }))
}

/** Created only for their descriptions; they never run. */
async function builtinTools(): Promise<JudgedTool[]> {
  await using builtin = openBuiltinTools({
    roots: [],
    ownFiles: [],
    stateDir: undefined,
    isFenced: () => false,
    editor: undefined,
    configured: [],
    settings: {},
    changes: noChanges,
    memory: createWorkspaceMemory(),
    runTask: () => Promise.reject(new Error('this tool is only described')),
    others: [],
    timing: defaultTiming,
    logger: silentLogger,
    cleaner: { clean: (text) => text, rest: (_before, text) => text, openEnd: () => 0 },
  })
  await builtin.load()
  return builtin.tools.map(({ tool }) => {
    const { ref, title, description, inputSchema, annotations } = tool
    return { ref, definition: { name: ref.tool, title, description, inputSchema, annotations } }
  })
}

const noChanges: FileChanges = { begin() {}, done() {}, drop() {}, last: () => undefined, forget() {} }
