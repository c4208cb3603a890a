import { OstlerError } from '@ostler/agent-api'
import {
  askedValues,
  fillInputs,
  freeServerName,
  parsePasted,
  parseRegistry,
  previewServer,
  shortName,
  toServerDraft,
  type AskedValue,
  type FoundServer,
  type RegistryList,
  type RegistryServer,
  type RegistryWay,
  type ServerListInput,
  type SkippedServer,
} from '@ostler/workbench'
import type { FoundEntry, FoundName, ImportPreview } from '../api.ts'
import type { Environment } from './context.ts'

export interface Candidate extends FoundName {
  toServer(values: Readonly<Record<string, string>>): FoundServer | SkippedServer
}

export interface Candidates extends Omit<ImportPreview, 'servers'> {
  readonly servers: readonly Candidate[]
}

/** Reads a pasted text, also a `server.json` of a registry. Throws `import.*` or `registry.*`. */
export function candidatesIn(text: string, env: Environment): Candidates {
  const document = registryDocument(text)
  if (document !== undefined) return registryCandidates(parseRegistry(document))
  const { servers, inputs, ...rest } = parsePasted(text)
  return { servers: foundCandidates(servers, inputs, env), ...rest }
}

export function foundCandidates(
  servers: readonly FoundServer[],
  inputs: readonly ServerListInput[],
  env: Environment,
): Candidate[] {
  return servers.map((server) => ({
    name: server.name,
    shortName: server.name,
    asked: askedValues(server, inputs),
    notes: [
      ...server.notes,
      ...server.variables
        .filter((variable) => env[variable] === undefined)
        .map((variable) => `the variable ${variable} is not set here; the server needs it`),
    ],
    toServer: (values) => fillInputs(server, values),
  }))
}

/** Each way to run a server of a registry is a candidate. */
export function registryCandidates({ servers, skipped }: RegistryList): Candidates {
  return {
    servers: servers.flatMap((server) => server.ways.map((way) => toCandidate(server, way))),
    skipped: [
      ...skipped,
      ...servers.flatMap(({ name, ways, refused }) =>
        ways.length > 0
          ? []
          : [
              {
                name,
                reason:
                  refused.map(({ label, reason }) => `${label}: ${reason}`).join('; ') ||
                  'it has no package and no URL',
              },
            ],
      ),
    ],
    notes: [],
  }
}

function toCandidate(server: RegistryServer, way: RegistryWay): Candidate {
  const { name, version, description, status } = server
  return {
    name: `${name} ${version} (${way.id})`,
    shortName: shortName(server),
    description: description || undefined,
    asked: way.inputs.map((input) => ({
      ...input,
      description: input.isRequired
        ? input.description
        : [input.description?.replace(/\.?$/, '.'), 'Optional.'].filter(Boolean).join(' '),
    })),
    notes: [...(status === 'active' ? [] : [`the registry marks it as ${status}`]), ...way.notes],
    toServer(values) {
      const draft = toServerDraft(server, way, values)
      if ('server' in draft) return draft.server
      const labelOf = (id: string | undefined) => way.inputs.find((input) => input.id === id)?.label
      return {
        name,
        reason: draft.problems
          .map(({ input, message }) => [labelOf(input), message].filter(Boolean).join(' '))
          .join('; '),
      }
    },
  }
}

export function toPreview(
  { servers, skipped, notes }: Candidates,
  taken: ReadonlySet<string>,
  env: Environment,
): ImportPreview {
  return { servers: servers.map((candidate) => toEntry(candidate, taken, env)), skipped, notes }
}

function toEntry(
  { toServer, ...candidate }: Candidate,
  taken: ReadonlySet<string>,
  env: Environment,
): FoundEntry {
  const { name, asked, notes, description } = candidate
  const named = toServer(
    Object.fromEntries(asked.filter(isNeeded).map((value) => [value.id, standIn(value)])),
  )
  const given = 'entry' in named ? named : toServer({})
  const known = 'entry' in given ? given : undefined
  return {
    name,
    shortName: candidate.shortName,
    freeName: freeServerName(candidate.shortName, taken),
    transport: String(known?.entry['type'] ?? 'stdio'),
    commandLine: known === undefined ? '' : previewServer(known, env).commandLine,
    secrets: known?.secrets ?? [],
    asked,
    notes,
    description,
  }
}

/** A choice that nobody has made is not a part of the command. */
function isNeeded({ isRequired, choices, preset }: AskedValue): boolean {
  return isRequired || choices === undefined || preset !== undefined
}

function standIn({ label, preset, choices }: AskedValue): string {
  return preset ?? choices?.[0] ?? `<${label}>`
}

function registryDocument(text: string): unknown {
  try {
    const data = JSON.parse(text) as Readonly<Record<string, unknown>> | null
    if (typeof data !== 'object' || data === null) return undefined
    const server = (data['server'] ?? data) as Readonly<Record<string, unknown>>
    const isOne =
      typeof server['name'] === 'string' &&
      (Array.isArray(server['packages']) || Array.isArray(server['remotes']))
    return isOne || Array.isArray(data['servers']) ? data : undefined
  } catch {
    return undefined
  }
}

/** Throws `import.*`. */
export function pickServer(
  { servers }: Candidates,
  name: string,
  values: Readonly<Record<string, string>>,
): FoundServer {
  const candidate = servers.find((each) => each.name === name)
  if (candidate === undefined)
    throw new OstlerError('import.unknown', `There is no server '${name}' in it any more.`)
  const server = candidate.toServer(
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  )
  if ('reason' in server)
    throw new OstlerError('import.invalid', `The server cannot be added: ${server.reason}.`)
  return server
}
