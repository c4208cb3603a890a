import type { z } from 'zod'
import { isRecord } from '../base/is-record.ts'
import { agentFileSchema } from './agent-file-schema.ts'
import { isWithin, type ConfigPath } from './config-path.ts'
import { describeIssue, valueAt, type ConfigProblem } from './describe-issue.ts'
import { withValue } from './environment-overrides.ts'
import { isLoopback } from '../base/loopback.ts'
import { missingDefault } from '../policy/agent-server.ts'

/** All problems of the data. `isValid`: the schema has accepted it. */
export function findIssues(data: unknown, isValid: boolean): readonly ConfigProblem[] {
  const issues = isValid ? [] : schemaIssues(data)
  return [...issues.flatMap((issue) => describeIssue(issue, data)), ...checkServers(data)]
}

/**
 * If `type` is missing or wrong, the schema reports nothing else about an entry. The entry is then checked as the type that it matches
 * best. If several match equally well, only the issues they share are returned.
 */
function schemaIssues(data: unknown): readonly z.core.$ZodIssue[] {
  const issues = agentFileSchema.safeParse(data).error?.issues ?? []
  return issues.flatMap((issue) => issuesInside(data, issue) ?? [issue, ...hiddenIssues(data, issue)])
}

/** The issues of an object that may also be a plain value. */
function issuesInside(data: unknown, issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (
    issue.code !== 'invalid_union' ||
    issue.discriminator !== undefined ||
    !isRecord(valueAt(data, toConfigPath(issue.path)))
  )
    return undefined
  const fitting = issue.errors.find((errors) =>
    errors.every(
      ({ code, path }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value'),
    ),
  )
  return fitting?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function hiddenIssues(data: unknown, issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined || !('options' in issue)) return []
  const path = toConfigPath(issue.path).slice(0, -1)
  const entry = valueAt(data, path)
  if (!isRecord(entry) || !Array.isArray(issue.options)) return []
  // Check this server alone.
  const server = withValue({}, path.slice(0, 2), valueAt(data, path.slice(0, 2)))
  const found = issue.options.map((type) => {
    const alone = withValue(server, path, { ...entry, [String(issue.discriminator)]: type })
    const issues = schemaIssues(alone).filter((other) => isWithin(toConfigPath(other.path), path))
    return { issues, strangeness: issues.reduce((sum, other) => sum + strangenessOf(other, alone), 0) }
  })
  const least = Math.min(...found.map(({ strangeness }) => strangeness))
  const [first = [], ...others] = found
    .filter(({ strangeness }) => strangeness === least)
    .map(({ issues }) => issues)
  return first.filter((one) => others.every((issues) => issues.some((other) => isSame(one, other))))
}

/** Unknown and missing fields count against a type; wrong values do not. */
function strangenessOf(issue: z.core.$ZodIssue, data: unknown): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length
  return valueAt(data, toConfigPath(issue.path)) === undefined ? 1 : 0
}

function toConfigPath(path: readonly PropertyKey[]): ConfigPath {
  return path.filter((key) => typeof key !== 'symbol')
}

function isSame(one: z.core.$ZodIssue, other: z.core.$ZodIssue): boolean {
  return one.code === other.code && JSON.stringify(one.path) === JSON.stringify(other.path)
}

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
    ...checkStart(name, server),
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

function checkStart(name: string, server: unknown): ConfigProblem[] {
  const isDecisive = valueAt(server, ['mode']) === 'strict' || valueAt(server, ['required']) === true
  if (valueAt(server, ['start']) !== 'known-on-demand' || !isDecisive) return []
  const message = 'a strict or required server is checked at the start, so it cannot wait'
  return [{ path: ['mcpServers', name, 'start'], message }]
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
