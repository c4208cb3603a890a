import { suggest } from '../../base/did-you-mean.ts'
import { OstlerError } from '../../base/errors.ts'
import type { ServerRow } from '../../history/servers.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { ServerSecrets, ServerSecretValues } from '../stored/server-secrets.ts'
import { isShadowed } from '../stored/stored-choice.ts'
import type { StoredServers } from '../stored/stored-servers.ts'
import type { FileServers } from './file-servers.ts'
import type { ServerLogins } from './server-logins.ts'
import type { ServerId, ServerView } from '../server-service.ts'
import { toFileServerView, toStoredServerView, type Now } from './server-view.ts'
import type { ServiceConnections } from './service-connections.ts'

/** Servers as a person is shown them, each with its state at the moment. */
export interface ServerViews {
  list(): Promise<readonly ServerView[]>
  /** Throws `servers.unknown`. */
  get(idOrName: string): Promise<ServerView>
  of(row: ServerRow): Promise<ServerView>
}

export interface ServerViewsOptions {
  readonly files: FileServers
  readonly stored: StoredServers
  readonly secrets: ServerSecrets
  readonly connections: ServiceConnections
  readonly logins: ServerLogins
  readonly redactor: Redactor
}

export function createServerViews({ files, stored, secrets, connections, logins, redactor }: ServerViewsOptions): ServerViews {
  /** Stored servers whose secrets could not be read at the last look. */
  const unreadable = new Set<ServerId>()

  /** Undefined if they cannot be read. The server then has this error until they can be read again. */
  async function secretsOf({ id, secretStore }: ServerRow): Promise<ServerSecretValues | undefined> {
    try {
      const values = await secrets.read(id, secretStore)
      for (const value of Object.values(values)) redactor.add(value)
      if (unreadable.delete(id)) connections.forget(id)
      return values
    } catch (error) {
      unreadable.add(id)
      connections.fail(id, error)
      return undefined
    }
  }

  async function viewOf(row: ServerRow): Promise<ServerView> {
    const values = await secretsOf(row)
    const shadowed = isShadowed(row.name, files.names)
    return toStoredServerView(row, { values, shadowed, ...nowOf(row.id), login: await logins.stateOfStored(row, values) })
  }

  function fileViews(): Promise<ServerView[]> {
    return Promise.all(
      files.all.map(async ({ id, name, entry, server }) => {
        const now = { ...nowOf(id), login: await logins.stateOf(server.config) }
        return toFileServerView(name, entry, now, redactor)
      }),
    )
  }

  function nowOf(id: ServerId): Now {
    const { client, resources } = connections.find(id) ?? {}
    return { status: connections.status(id), tools: client?.tools.length, prompts: client?.prompts.length, resources }
  }

  return {
    of: viewOf,
    list: async () => [...(await fileViews()), ...(await Promise.all(stored.list().map(viewOf)))],
    async get(idOrName) {
      const own = await fileViews()
      const found = own.find(({ id, name }) => id === idOrName || name === idOrName)
      return (
        found ??
        viewOf(
          storedServer(
            stored,
            idOrName,
            own.map(({ name }) => name),
          ),
        )
      )
    },
  }
}

/** Throws `servers.unknown`. */
export function storedServer(stored: Pick<StoredServers, 'find' | 'list'>, idOrName: string, others: readonly string[] = []): ServerRow {
  const row = stored.find(idOrName) ?? stored.list().find(({ name }) => name === idOrName)
  if (row !== undefined) return row
  const near = suggest(idOrName, [...stored.list().map(({ name }) => name), ...others])
  throw new OstlerError('servers.unknown', `There is no server named '${idOrName}'${near === '' ? '.' : near}`)
}
