import { platform } from 'node:os'
import { OstlerError } from '@ostler/agent-api'
import { findHome } from '@ostler/agent-api/internal'
import {
  listedPrograms,
  loadProgramServers,
  officialRegistry,
  searchRegistry,
  type FoundServer,
  type ListedProgram,
  type ServerService,
} from '@ostler/workbench'
import { z } from 'zod'
import type { FoundPrograms, ImportPreview, ImportServer, ProgramServers, RegistrySearch } from '../../api.ts'
import type { ConsoleContext, Environment } from '../context.ts'
import {
  type Candidates,
  candidatesIn,
  foundCandidates,
  pickServer,
  registryCandidates,
  toPreview,
} from '../import-candidates.ts'
import { parseRequest } from '../parse-request.ts'
import { parseConfirmed } from '../server-consent.ts'
import { replies, serviceRoutes } from './route-table.ts'
import { addServer } from './servers.ts'

const valueCharsMax = 64 * 1024
const searchCharsMax = 2_000
const previewSchema = z.strictObject({ text: z.string() })
const searchSchema = z.strictObject({
  address: z.string().max(searchCharsMax),
  search: z.string().max(searchCharsMax),
})
const importSchema = z.strictObject({
  text: z.string().optional(),
  program: z.enum(listedPrograms).optional(),
  registry: searchSchema.optional(),
  server: z.string(),
  name: z.string(),
  values: z.record(z.string(), z.string().max(valueCharsMax)).default({}),
})

/** Adds servers from a pasted text, other programs and registries. No file that a pasted text names is read. */
export function importRoutes(context: ConsoleContext) {
  const { env } = context
  const searched = createRegistryCache()

  async function candidates(
    { text, program, registry }: Pick<ImportServer, 'text' | 'program' | 'registry'>,
    signal: AbortSignal,
  ): Promise<Candidates> {
    if (registry !== undefined) return searched(registry, signal)
    return program === undefined ? candidatesIn(text ?? '', env) : programCandidates(program, env)
  }

  return [
    ...serviceRoutes(context, {
      'POST /api/import/preview': async ({ service, body }): Promise<ImportPreview> =>
        toPreview(candidatesIn(parseRequest(previewSchema, body).text, env), await takenNames(service), env),
      async 'GET /api/import/programs'({ service }): Promise<FoundPrograms> {
        const taken = await takenNames(service)
        return { programs: listedPrograms.flatMap((program) => readProgram(program, taken, env)) }
      },
      async 'POST /api/import/registry'({ service, body, signal }): Promise<ImportPreview> {
        const found = await searched(parseRequest(searchSchema, body), signal)
        return toPreview(found, await takenNames(service), env)
      },
    }),
    ...replies({
      async 'POST /api/import'({ body, signal }) {
        const [request, confirmed] = parseConfirmed(importSchema, body)
        const found = await candidates(request, signal)
        const { entry, secret } = pickServer(found, request.server, request.values)
        return addServer({ name: request.name.trim(), entry, secret }, confirmed, context)
      },
    }),
  ]
}

async function takenNames(service: ServerService): Promise<ReadonlySet<string>> {
  return new Set(
    (await service.listServers()).filter(({ origin }) => origin === 'stored').map(({ name }) => name),
  )
}

/** Empty if the program has no settings here. */
function readProgram(program: ListedProgram, taken: ReadonlySet<string>, env: Environment): ProgramServers[] {
  try {
    const { paths, ...found } = programCandidates(program, env)
    return found.servers.length + found.skipped.length === 0
      ? []
      : [{ program, paths, ...toPreview(found, taken, env) }]
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    return [{ program, paths: [], servers: [], skipped: [], notes: [error.message] }]
  }
}

/** The servers from all settings of a program. If two have the same name, the first is used. */
function programCandidates(
  program: ListedProgram,
  env: Environment,
): Candidates & { readonly paths: readonly string[] } {
  const home = findHome(env)
  const sources = home === undefined ? [] : loadProgramServers(program, { platform: platform(), home, env })
  const servers = new Map<string, FoundServer>()
  for (const server of sources.flatMap(({ list }) => list.servers))
    if (!servers.has(server.name)) servers.set(server.name, server)
  const inputs = sources.flatMap(({ list }) => list.inputs)
  return {
    paths: sources.map(({ path }) => path),
    servers: foundCandidates([...servers.values()], inputs, env),
    skipped: sources.flatMap(({ list }) => list.skipped),
    notes: sources.flatMap(({ list }) => list.notes),
  }
}

const searchesKept = 20

/** The person adds exactly the server that was shown, so a result is kept for a while. */
function createRegistryCache() {
  const results = new Map<string, Candidates>()
  return async ({ address, search }: RegistrySearch, signal: AbortSignal): Promise<Candidates> => {
    const key = JSON.stringify([address, search])
    const kept = results.get(key)
    if (kept !== undefined) return kept
    const from = address.trim() === '' ? officialRegistry : address.trim()
    const found = registryCandidates(await searchRegistry(from, search.trim(), { signal }))
    results.set(key, found)
    const [oldest] = results.keys()
    if (oldest !== undefined && results.size > searchesKept) results.delete(oldest)
    return found
  }
}
