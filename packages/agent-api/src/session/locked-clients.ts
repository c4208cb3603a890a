import type { McpClient } from '../mcp/mcp-client.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import { definitionKey } from '../policy/definition-key.ts'
import {
  leftOutBy,
  loadLocks,
  refusalBy,
  type LeftOut,
  type ServerAsWritten,
} from '../servers/lock/apply-locks.ts'

/** The servers of a session as the locks have them: the lock beside the agent file, and that of the folder. Both only leave out. */
export interface LockedClients {
  /** The reason why the server must not be started, if there is one. */
  refusalOf(server: ServerAsWritten): string | undefined
  /** The client without what is left out of it. Undefined if it is refused. */
  view(client: McpClient): McpClient | undefined
  leavesOut(client: McpClient, tool: string): boolean
  refused(clients: Iterable<McpClient>): ServerReport['failed']
  notes(clients: Iterable<McpClient>): readonly string[]
}

interface Look extends Pick<McpClient, 'tools' | 'prompts' | 'instructions'> {
  readonly refusal: string | undefined
  readonly leftOut: LeftOut | undefined
  readonly view: McpClient
}

/** Most sessions have no lock, and share this. */
const unlocked: LockedClients = {
  refusalOf: () => undefined,
  view: (client) => client,
  leavesOut: () => false,
  refused: () => [],
  notes: () => [],
}

export function createLockedClients(
  paths: ReadonlySet<string>,
  asWritten: (client: McpClient) => ServerAsWritten,
): LockedClients {
  const locks = loadLocks(paths)
  if (locks.length === 0) return unlocked
  const looks = new WeakMap<McpClient, Look>()

  function lookAt(client: McpClient): Look {
    const { tools, prompts, instructions } = client
    const last = looks.get(client)
    if (last?.tools === tools && last.prompts === prompts && last.instructions === instructions) return last
    const server = asWritten(client)
    const refusal = refusalBy(locks, server)
    const offer = { tools, prompts, server: instructions === undefined ? {} : { instructions } }
    const leftOut = refusal === undefined ? leftOutBy(locks, server, offer) : undefined
    const view = leftOut === undefined ? client : without(client, leftOut.parts)
    const look = { tools, prompts, instructions, refusal, leftOut, view }
    looks.set(client, look)
    return look
  }

  return {
    refusalOf: (server) => refusalBy(locks, server),
    view(client) {
      const { refusal, view } = lookAt(client)
      return refusal === undefined ? view : undefined
    },
    leavesOut(client, tool) {
      const look = lookAt(client)
      return (
        look.refusal !== undefined || look.leftOut?.parts.has(definitionKey('tool', { name: tool })) === true
      )
    },
    refused: (clients) =>
      [...clients].flatMap((client) => {
        const reason = lookAt(client).refusal
        return reason === undefined ? [] : { server: client.name, reason }
      }),
    notes: (clients) => [...clients].flatMap((client) => lookAt(client).leftOut?.note ?? []),
  }
}

const wholes = new WeakMap<McpClient, McpClient>()

/** The client itself, of which this may be a view. */
export function wholeOf(client: McpClient): McpClient {
  return wholes.get(client) ?? client
}

function without(client: McpClient, parts: ReadonlySet<string>): McpClient {
  const { tools, prompts, instructions } = client
  const view = Object.create(client, {
    tools: { value: tools.filter(({ name }) => !parts.has(definitionKey('tool', { name }))) },
    prompts: { value: prompts.filter(({ name }) => !parts.has(definitionKey('prompt', { name }))) },
    instructions: { value: parts.has('instructions') ? undefined : instructions },
  }) as McpClient
  wholes.set(view, client)
  return view
}
