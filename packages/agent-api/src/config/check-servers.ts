import { isLoopback } from '../base/loopback.ts'
import { missingDefault } from '../policy/agent-server.ts'
import { valueAt, type ConfigProblem } from './describe-issue.ts'

/**
 * Checks rules that involve several fields of a server. Works on the raw data: the schema would check such rules only once everything else
 * is valid, but a person wants to see all problems at once.
 */
export function checkServers(data: unknown): ConfigProblem[] {
  const servers = valueAt(data, ['mcpServers'])
  if (typeof servers !== 'object' || servers === null) return []
  return Object.entries(servers).flatMap(([name, server]) => [
    ...checkDefault(name, server),
    ...checkUrl(name, server),
  ])
}

function checkDefault(name: string, server: unknown): ConfigProblem[] {
  if (valueAt(server, ['mode']) !== 'dynamic' || valueAt(server, ['defaultToolConfig']) !== undefined)
    return []
  return [
    {
      path: ['mcpServers', name, 'defaultToolConfig'],
      message: `${missingDefault(name)}; write defaultToolConfig: {} for the default limits`,
    },
  ]
}

function checkUrl(name: string, server: unknown): ConfigProblem[] {
  const url = valueAt(server, ['url'])
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'http:') return []
  if (isLoopback(url) || valueAt(server, ['allowInsecureHttp']) === true) return []
  return [
    {
      path: ['mcpServers', name, 'url'],
      message: 'must use https: plain http to other machines requires allowInsecureHttp: true',
    },
  ]
}
