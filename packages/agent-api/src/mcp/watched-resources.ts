import { createListeners } from '../base/listeners.ts'
import type { Logger } from '../base/logger.ts'
import type { Connection } from './connection.ts'

const watchedMax = 200

/** The resources of one server that were read. Their changes are reported, also after a reconnect. */
export function createWatchedResources(name: string, logger: Logger) {
  const watched = new Set<string>()
  const listeners = createListeners<[string]>(`the resources of the MCP server ${name}`, logger)
  const subscribe = (connection: Connection, uri: string) =>
    void connection
      .subscribe(uri)
      .catch((error: unknown) =>
        logger.debug(`MCP server ${name}: no subscription`, { error: String(error) }),
      )
  return {
    list: () => [...watched],
    add(uri: string, connection: Connection | undefined): void {
      if (watched.has(uri) || watched.size >= watchedMax) return
      watched.add(uri)
      if (connection !== undefined) subscribe(connection, uri)
    },
    remove(uri: string, connection: Connection | undefined): void {
      if (!watched.delete(uri)) return
      void connection
        ?.unsubscribe(uri)
        .catch((error: unknown) =>
          logger.debug(`MCP server ${name}: still subscribed`, { error: String(error) }),
        )
    },
    /** Subscribes again: a server forgets the subscriptions of an earlier connection. */
    connected(connection: Connection): void {
      for (const uri of watched) subscribe(connection, uri)
    },
    changed(uri: string): void {
      if (watched.has(uri)) listeners.tell(uri)
    },
    onChange: listeners.add,
  }
}
