import { OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { nextTurn } from '../base/in-slices.ts'
import { createListeners } from '../base/listeners.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { StrictViolation } from '../policy/strict-violation.ts'
import type { ConfiguredTool, EffectiveToolConfig, ServerPolicy } from '../policy/tool-config.ts'
import { toAdmission } from './admission.ts'

/** The tools of a server that may be used, by name. */
export type AdmittedTools = ReadonlyMap<string, EffectiveToolConfig>

/**
 * The MCP servers of one owner (an agent, a session, a person) and their admitted tools. A server starts when it is added, or when it is used
 * if its client was opened so, and ends with the set at the latest. Its key is its name unless the owner gives another.
 */
export interface ServerSet<P extends ServerPolicy = ServerPolicy> extends AsyncDisposable {
  readonly clients: ReadonlyMap<string, McpClient>
  readonly policies: ReadonlyMap<string, P>
  readonly admitted: (key: string) => AdmittedTools
  /** Settles when every server that is in the set at the call, or announced, has connected or failed once. */
  settled(): Promise<void>
  /** Like `settled`, but waits neither for servers whose tools are known nor for the attempts in `waitedFor`. */
  ready(waitedFor?: WeakSet<Promise<void>>): Promise<void>
  /** `settled` waits for this promise, and then for the servers that were added until then. */
  announce(servers: Promise<unknown>): void
  /** Throws `mcp.duplicate_server`, and `session.closed` after the end of the set. */
  add(config: McpServerConfig, policy: P, key?: string): McpClient
  /**
   * Opens the client in a later turn of the event loop, or when something first looks at the set. For a caller that has to answer first: the
   * first client loads code. Throws as `add` does.
   */
  addSoon(config: McpServerConfig, policy: P): void
  /** Settles when the process of the server is gone. Throws `mcp.unknown_server`. */
  remove(key: string): Promise<void>
  /** Returns a function that removes the listener. */
  onChange(listener: (change: ServerChange) => void): () => void
}

export interface ServerChange {
  readonly key: string
  readonly client: McpClient
  /** `connected` comes once for each new connection, `changed` for any other news of the client. */
  readonly what: 'added' | 'connected' | 'changed' | 'removed'
}

interface ServerSetOptions<P> {
  readonly open: (config: McpServerConfig, policy: P, key: string) => McpClient
  /** Read at each look: the configuration of a person's tools may change. */
  readonly configured: readonly ConfiguredTool[]
  readonly logger: Logger
  /** Called for a strict server with unconfigured tools. */
  readonly onViolation: (violation: StrictViolation, key: string) => void
}

interface Admitted {
  readonly list: McpClient['tools']
  /** Undefined if the list is only anticipated. */
  readonly names: ReadonlySet<string> | undefined
  readonly configured: readonly ConfiguredTool[]
  readonly tools: AdmittedTools
}

const none: AdmittedTools = new Map()

export function openServerSet<P extends ServerPolicy>(options: ServerSetOptions<P>): ServerSet<P> {
  const { open, logger } = options
  const clients = new Map<string, McpClient>()
  const policies = new Map<string, P>()
  const admissions = createAdmissions(options, policies)
  const connected = new Set<string>()
  const listeners = createListeners<[ServerChange]>('the MCP servers', logger)
  const announced = new Set<Promise<unknown>>()
  const removals = new Set<Promise<void>>()
  const due = new Map<string, readonly [McpServerConfig, P]>()
  let disposed: Promise<void> | undefined

  function checkNew(name: string, key: string): void {
    if (disposed !== undefined) throw new OstlerError('session.closed', 'The session is closed.')
    if (clients.has(key) || due.has(key))
      throw new OstlerError('mcp.duplicate_server', `There is already a server named '${name}'.`)
  }

  /** Tells afterwards: a listener that looks at the set would open the rest, which tells again. */
  function openDue(): void {
    const opened = [...due].map(([key, [config, policy]]) => [key, openClient(config, policy, key)] as const)
    for (const [key, client] of opened) listeners.tell({ key, client, what: 'added' })
  }

  function openClient(config: McpServerConfig, policy: P, key: string): McpClient {
    due.delete(key)
    const client = open(config, policy, key)
    clients.set(key, client)
    policies.set(key, policy)
    if (client.isAnticipated) admissions.anticipate(key, client)
    client.onChange(() => follow(key, client))
    return client
  }

  function announce(servers: Promise<unknown>): void {
    const added = servers.catch(() => undefined).finally(() => announced.delete(added))
    announced.add(added)
  }

  function follow(key: string, client: McpClient): void {
    if (clients.get(key) !== client) return
    const isConnected = client.status.state === 'connected'
    const what = isConnected && !connected.has(key) ? 'connected' : 'changed'
    if (isConnected) connected.add(key)
    else connected.delete(key)
    // Runs before the listeners, so that they find the newly admitted tools.
    if (isConnected) admissions.follow(key, client)
    listeners.tell({ key, client, what })
  }

  return {
    get clients() {
      openDue()
      return clients
    },
    policies,
    admitted(key) {
      const client = clients.get(key)
      return client === undefined ? none : admissions.of(key, client)
    },
    async settled() {
      await Promise.all(announced)
      await Promise.all([...clients.values()].map((client) => client.settled))
    },
    async ready(waitedFor) {
      await Promise.all(announced)
      const awaited = [...clients.values()].filter(
        ({ isAnticipated, settled }) => !isAnticipated && !waitedFor?.has(settled),
      )
      await Promise.all(awaited.map((client) => client.settled))
    },
    announce,
    add(config, policy, key = config.name) {
      checkNew(config.name, key)
      openDue()
      const client = openClient(config, policy, key)
      listeners.tell({ key, client, what: 'added' })
      return client
    },
    addSoon(config, policy) {
      checkNew(config.name, config.name)
      if (due.size === 0) announce(nextTurn().then(openDue))
      due.set(config.name, [config, policy])
    },
    async remove(key) {
      openDue()
      const client = clients.get(key)
      if (client === undefined)
        throw new OstlerError('mcp.unknown_server', `There is no server named '${key}'.`)
      for (const byKey of [clients, policies, admissions, connected]) byKey.delete(key)
      listeners.tell({ key, client, what: 'removed' })
      const removal = Promise.resolve(client[Symbol.asyncDispose]()).finally(() => removals.delete(removal))
      removals.add(removal)
      await removal
    },
    onChange: listeners.add,
    [Symbol.asyncDispose]() {
      due.clear()
      disposed ??= Promise.all([
        ...removals,
        ...[...clients.values()].map((client) => client[Symbol.asyncDispose]()),
      ]).then(() => undefined)
      return disposed
    },
  }
}

/** The admitted tools of each server, as its last list and the configuration have them. */
function createAdmissions(
  options: Omit<ServerSetOptions<never>, 'open'>,
  policies: ReadonlyMap<string, ServerPolicy>,
) {
  const { logger, onViolation } = options
  const admissions = new Map<string, Admitted>()

  function admit(key: string, client: McpClient): void {
    const { list, names, configured, admission } = lookAt(key, client, admissions.get(key)?.names)
    const { tools, notes, violation } = admission
    admissions.set(key, { list, names, configured, tools })
    for (const { level, message } of notes) logger[level](message)
    if (violation !== undefined) onViolation(violation, key)
  }

  function lookAt(
    key: string,
    { name, origin, tools: list }: McpClient,
    before: ReadonlySet<string> | undefined,
  ) {
    const offered = list.map((tool) => tool.name)
    const { configured } = options
    const policy = policies.get(key) ?? { mode: 'strict' }
    const admission = toAdmission({ server: name, origin, policy, offered, configured, before })
    return { list, names: new Set(offered), configured, admission }
  }

  return {
    delete: (key: string) => admissions.delete(key),
    follow(key: string, client: McpClient): void {
      if (admissions.get(key)?.list !== client.tools) admit(key, client)
    },
    /** Admits the tools that a server offered in an earlier process. They are not reported until the server confirms them. */
    anticipate(key: string, client: McpClient): void {
      const { list, configured, admission } = lookAt(key, client, undefined)
      admissions.set(key, { list, names: undefined, configured, tools: admission.tools })
    },
    of(key: string, client: McpClient): AdmittedTools {
      if (client.status.state === 'connected' && admissions.get(key)?.configured !== options.configured)
        admit(key, client)
      return admissions.get(key)?.tools ?? none
    },
  }
}
