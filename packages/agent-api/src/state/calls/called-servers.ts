import type { CalledServer } from './call.ts'
import type { Statements } from '../db/statements.ts'

/** A stored server may have been renamed. */
export const serverNow = 'coalesce((SELECT name FROM servers WHERE servers.id = server_id), server)'

const formerNames =
  'SELECT DISTINCT server FROM called_server_names JOIN servers ON servers.id = server_id WHERE servers.name = ? AND server <> servers.name'
const calledTools = `SELECT DISTINCT coalesce(servers.name, called_tools.server) AS server, tool FROM called_tools
  LEFT JOIN called_server_names ON called_server_names.server = called_tools.server
  LEFT JOIN servers ON servers.id = server_id ORDER BY 1, 2`

export function recordedNames(statements: Statements, server: string | null): readonly (string | null)[] {
  return server === null
    ? [null]
    : [server, ...statements.all(formerNames, server).map((row) => String(row['server']))]
}

export function listCalledTools(statements: Statements): readonly CalledServer[] {
  const byServer = Map.groupBy(statements.all(calledTools), ({ server }) => String(server))
  return [...byServer].map(([server, own]) => ({
    server: server === '' ? null : server,
    tools: own.map(({ tool }) => String(tool)),
  }))
}
