import { homedir, platform } from 'node:os'
import { OstlerError } from '@ostler/agent-api'
import {
  askedValues,
  fillAsked,
  freeServerName,
  listedPrograms,
  loadProgramServers,
  parsePasted,
  previewServer,
  type FoundServer,
  type ListedProgram,
  type ServerList as FoundList,
  type ServerService,
} from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { ImportPreview, ImportServer, ProgramServers } from '../../api.ts'
import type { ConsoleContext, Environment } from '../context.ts'
import { json } from '../http/route.ts'
import type { Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { consentFields, requireValid } from '../server-consent.ts'
import { serviceRoute } from './service-route.ts'

const valueCharsMax = 64 * 1024
const sourceFields = { text: z.string().optional(), program: z.enum(listedPrograms).optional() }
const previewSchema = z.strictObject({ text: z.string() })
const importSchema = z.strictObject({
  ...sourceFields,
  ...consentFields,
  server: z.string(),
  name: z.string(),
  values: z.record(z.string(), z.string().max(valueCharsMax)).default({}),
})

type Found = Pick<FoundList, 'servers' | 'skipped' | 'inputs' | 'notes'>

/** Adds servers from a pasted text, and from the settings of other programs. No file that a pasted text names is read. */
export function importRoutes(context: ConsoleContext): readonly Route[] {
  const { audit, consent, env } = context
  return [
    serviceRoute(context, 'POST', '/api/import/preview', async ({ service, body }) => {
      const { kind, ...found } = parsePasted(parseRequest(previewSchema, body).text)
      return json(toPreview(kind, found, await takenNames(service), env))
    }),
    serviceRoute(context, 'GET', '/api/import/programs', async ({ service }) => {
      const taken = await takenNames(service)
      return json({ programs: listedPrograms.flatMap((program) => readProgram(program, taken, env)) })
    }),
    serviceRoute(context, 'POST', '/api/import', async ({ service, body }) => {
      const { text, program, server: wanted, name, values, ...confirmed }: ImportServer = parseRequest(importSchema, body)
      const found = program === undefined ? parsePasted(text ?? '').servers : loadFound(program, env).servers
      const server = found.find((candidate) => candidate.name === wanted)
      if (server === undefined) throw new OstlerError('import.unknown', `There is no server '${wanted}' in it any more.`)
      const filled = fillAsked(server, values ?? {})
      if ('reason' in filled) throw new OstlerError('import.invalid', `The server cannot be added: ${filled.reason}.`)
      const added = { name: name.trim(), entry: filled.entry, secret: filled.secret }
      const previewed = previewServer(added, env)
      requireValid(previewed)
      if (added.entry['enabled'] !== false) await consent.require(confirmed, previewed)
      return json(await audit.run('add-server', { name: added.name, entry: previewed.entry }, () => service.addServer(added)), 201)
    }),
  ]
}

async function takenNames(service: ServerService): Promise<ReadonlySet<string>> {
  return new Set((await service.listServers()).filter(({ origin }) => origin === 'stored').map(({ name }) => name))
}

function toPreview(kind: string, { servers, skipped, inputs, notes }: Found, taken: ReadonlySet<string>, env: Environment): ImportPreview {
  return {
    kind,
    servers: servers.map((server) => ({
      name: server.name,
      freeName: freeServerName(server.name, taken),
      transport: String(server.entry['type']),
      commandLine: previewServer(withStandIns(server), env).commandLine,
      secrets: server.secrets,
      asked: askedValues(server, inputs, env),
      notes: notesOf(server),
    })),
    skipped,
    notes,
  }
}

/** The command line before its inputs are known: each is shown by its name. */
function withStandIns(server: FoundServer): FoundServer {
  const filled = fillAsked(server, Object.fromEntries(server.inputs.map((id) => [id, `<${id}>`])))
  return 'entry' in filled ? filled : server
}

function notesOf({ notes, envFile }: FoundServer): readonly string[] {
  return envFile === undefined ? notes : [...notes, `its variables in ${envFile} are not imported`]
}

/** Empty if the program has no settings here. */
function readProgram(program: ListedProgram, taken: ReadonlySet<string>, env: Environment): ProgramServers[] {
  try {
    const { paths, ...found } = loadFound(program, env)
    const preview = toPreview(program, found, taken, env)
    return preview.servers.length + preview.skipped.length === 0 ? [] : [{ program, paths, ...preview }]
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    return [{ program, paths: [], kind: program, servers: [], skipped: [], notes: [error.message] }]
  }
}

/** The servers of all places of a program. Of two with one name, the first is taken. */
function loadFound(program: ListedProgram, env: Environment): Found & { readonly paths: readonly string[] } {
  const sources = loadProgramServers(program, { platform: platform(), home: env['HOME'] || homedir(), env })
  const servers = new Map<string, FoundServer>()
  for (const server of sources.flatMap(({ list }) => list.servers)) if (!servers.has(server.name)) servers.set(server.name, server)
  return {
    paths: sources.map(({ path }) => path),
    servers: [...servers.values()],
    skipped: sources.flatMap(({ list }) => list.skipped),
    inputs: sources.flatMap(({ list }) => list.inputs),
    notes: sources.flatMap(({ list }) => list.notes),
  }
}
