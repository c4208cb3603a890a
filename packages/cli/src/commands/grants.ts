import { shownLimit, suggest, counted, type StoredGrant } from '@ostler/agent-api/internal'
import type { Grants } from '@ostler/workbench'
import {
  agentFlag,
  defineCommand,
  jsonFlag,
  stateDirFlag,
  switchFlag,
  usageError,
} from '../command-line/command.ts'
import type { Io } from '../terminal/io.ts'
import { agentFileOf, requireStateDir } from '../state/places.ts'
import { formatTime } from '../terminal/format-time.ts'
import { formatTable, print, printJson, warn } from '../terminal/print.ts'

export const command = defineCommand({
  synopsis: ['[list] [options]', 'revoke ID... [options]', 'revoke --all [options]'],
  about: 'Shows and revokes your "always" answers. Running agents apply the change at once.',
  flags: {
    agent: agentFlag('The agent file of the grants (default: OSTLER_AGENT, then your own ostler.yaml)'),
    'state-dir': stateDirFlag,
    json: jsonFlag,
    all: switchFlag('Revoke all grants'),
  },
  words: [['list', 'revoke'], 'nothing'],
  async run(io, { values, words }) {
    const [action, ...ids] = words
    const run = toRun(action, ids, values)
    const place = { file: agentFileOf(io, values).path, env: io.env, stateDir: requireStateDir(io, values) }
    const { openGrants } = await import('../state/open-agent-state.ts')
    using grants = await openGrants(place)
    return await run(grants, io)
  },
})

type Run = (grants: Grants, io: Io) => number | void | Promise<number>

/** Validates the whole command line before anything is opened. */
function toRun(
  action: string | undefined,
  words: readonly string[],
  { json, all }: { json: boolean; all: boolean },
): Run {
  if (action === undefined || action === 'list') {
    if (words.length > 0 || all) throw usageError('list takes no IDs')
    return (grants, io) => list(grants, io, json)
  }
  if (action !== 'revoke')
    throw usageError(`unknown command 'grants ${action}'${suggest(action, ['list', 'revoke'])}`)
  if (all === words.length > 0) throw usageError('revoke needs IDs or --all')
  const ids = words.map(parseId)
  return (grants, io) => (all ? revokeAll(grants, io, json) : revoke(grants, ids, io, json))
}

function parseId(word: string): number {
  if (!/^[1-9]\d{0,14}$/.test(word)) throw usageError(`'${word}' is not the ID of a grant`)
  return Number(word)
}

function list(stored: Grants, io: Io, json: boolean): void {
  const { agent } = stored
  const all = stored.list()
  const grants = all.map(({ id, verdict, ref: { server, tool }, command, origin, createdAt }) => ({
    id,
    verdict,
    server,
    tool,
    command,
    origin,
    createdAt,
  }))
  print(io, { json }, { agent, grants }, () => {
    if (all.length === 0) return `No grants for the agent '${agent}'.`
    const rows = all.map((grant) => [
      String(grant.id),
      grant.verdict,
      grant.ref.server ?? '(Ostler)',
      nameOf(grant),
      formatTime(grant.createdAt),
    ])
    return formatTable([['ID', 'VERDICT', 'SERVER', 'TOOL', 'GIVEN'], ...rows])
  })
}

function nameOf(grant: StoredGrant): string {
  const limit = shownLimit(grant)
  return limit === undefined ? grant.ref.tool : `${grant.ref.tool} ${limit}`
}

async function revokeAll(grants: Grants, io: Io, json: boolean): Promise<number> {
  const { agent } = grants
  const ids = grants.list().map(({ id }) => id)
  const revoked = await revokeEach(grants, ids)
  print(
    io,
    { json },
    { agent, revoked },
    () => `Revoked ${counted(revoked.length, 'grant')} of the agent '${agent}'.`,
  )
  return 0
}

async function revoke(grants: Grants, ids: readonly number[], io: Io, json: boolean): Promise<number> {
  const { agent } = grants
  const revoked = await revokeEach(grants, ids)
  const unknown = ids.filter((id) => !revoked.includes(id))
  if (json) printJson(io, { agent, revoked, unknown })
  else if (revoked.length > 0) io.stdout.write(`Revoked ${revoked.join(', ')}.\n`)
  if (unknown.length > 0) warn(io, `the agent '${agent}' has no grant ${unknown.join(', ')}`)
  return unknown.length > 0 ? 1 : 0
}

/** Returns the IDs that existed. */
async function revokeEach(grants: Grants, ids: readonly number[]): Promise<readonly number[]> {
  const revoked: number[] = []
  for (const id of ids) if (await grants.revoke(id)) revoked.push(id)
  return revoked
}
