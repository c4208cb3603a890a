import type { Client } from '@modelcontextprotocol/client'
import { messageOf } from '../base/errors.ts'
import type { ConnectOptions } from './connection.ts'

const listenAgainMs = 5_000
/** Limit for a server that ends every subscription. */
const listensMax = 10

/**
 * Subscribes to list changes, as required from revision 2026-07-28 on. Notifications pass the guard like any other. Returns a function that
 * stops it.
 */
export function listenForChanges(
  client: Client,
  { config, logger, onListChanged }: ConnectOptions,
): () => void {
  const { tools, prompts } = client.getServerCapabilities() ?? {}
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
  }
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined

  async function listen(count: number) {
    try {
      const subscription = await client.listen(filter, { signal: stopped.signal })
      // Lists may have changed between subscriptions.
      if (count > 1) for (const list of ['tools', 'prompts'] as const) onListChanged(list)
      await subscription.closed
    } catch (error) {
      logger.debug(`MCP server ${config.name}: no subscription to changes`, { error: messageOf(error) })
    }
    if (stopped.signal.aborted || client.transport === undefined || count >= listensMax) return
    timer = setTimeout(() => void listen(count + 1), listenAgainMs).unref()
  }

  if (Object.keys(filter).length > 0) void listen(1)
  return () => {
    clearTimeout(timer)
    stopped.abort()
  }
}

/** The subscriptions to resources of one connection, in one request. Each new resource replaces the request by a larger one. */
export function createResourceListener(client: Client, { config, logger }: ConnectOptions) {
  const uris = new Set<string>()
  let current = new AbortController()

  function listen(): void {
    const before = current
    current = new AbortController()
    if (uris.size === 0) return before.abort()
    client.listen({ resourceSubscriptions: [...uris] }, { signal: current.signal }).then(
      () => before.abort(),
      (error: unknown) =>
        logger.debug(`MCP server ${config.name}: no subscription to resources`, { error: messageOf(error) }),
    )
  }

  return {
    add(uri: string): void {
      if (uris.has(uri)) return
      uris.add(uri)
      listen()
    },
    remove(uri: string): void {
      if (uris.delete(uri)) listen()
    },
    stop: () => current.abort(),
  }
}
