import { shownLimit, suggest, counted, type StoredGrant } from '@ostler/agent-api/internal'
import type { Grants } from '@ostler/workbench'
import { defineCommand } from '../command-line/command.ts'
import { agentFlag, jsonFlag, stateDirFlag } from '../command-line/shared-flags.ts'
import { usageError } from '../command-line/usage-error.ts'
import type { Io } from '../terminal/io.ts'
import { agentFileOf, requireStateDir } from '../state/places.ts'
import { formatTime } from '../terminal/format-time.ts'
import { formatTable } from '../terminal/format-table.ts'
import { printJson } from '../terminal/print-json.ts'

export const command = defineCommand({
  synopsis: ['[list] [options]', 'revoke ID... [options]', 'revoke --all [options]'],
  about: 'Shows and revokes your "always" answers. Running agents apply the change at once.',
  flags: {
    agent: agentFlag('The agent file of the grants (default: OSTLER_AGENT, then your own ostler.yaml)'),
    'state-dir': stateDirFlag,
    json: jsonFlag,
    all: { type: 'boolean', default: false, help: 'Revoke all grants' },
  },
  words: [['list', 'revoke'], 'nothing'],
  async run(io, { values, words }) {
    const [action, ...ids] = words
    const run = toRun(action, ids, values)
    const place = { file: agentFileOf(io, values).path, env: io.env, stateDir: requireStateDir(io, values) }
    const { openGrants } = await import('../state/open-agent-state.ts')
    const grants = await openGrants(place)
    try {
      return await run(grants, io)
    } finally {
      grants[Symbol.dispose]()
    }
  },
})

type Run = (grants: Grants, io: Io) => number | Promise<number>

/** Validates the whole command line before anything is opened. */
function toRun(
  action: string | undefined,
  words: readonly string[],
  { json, all }: { json: boolean; all: boolean },
): Run {
  if (action === undefined || action === 'list') {
    if (words.length > 0 || all) throw usageError('list takes no IDs')
    return json ? printList : showList
  }
  if (action !== 'revoke')
    throw usageError(`unknown command 'grants ${action}'${suggest(action, ['list', 'revoke'])}`)
  if (all === words.length > 0) throw usageError('revoke needs IDs or --all')
  const ids = words.map(parseId)
  return all ? (grants, io) => revokeAll(grants, io, json) : (grants, io) => revoke(grants, ids, io, json)
}

function parseId(word: string): number {
  if (!/^[1-9]\d{0,14}$/.test(word)) throw usageError(`'${word}' is not the ID of a grant`)
  return Number(word)
}

function printList(grants: Grants, io: Io): number {
  const rows = grants.list().map(({ id, verdict, ref, command, origin, createdAt }) => {
    return {
      id,
      verdict,
      server: ref.server,
      tool: ref.tool,
      command,
      origin,
      createdAt,
    }
  })
  printJson(io, { agent: grants.agent, grants: rows })
  return 0
}

function showList(grants: Grants, { stdout }: Io): number {
  const rows = grants
    .list()
    .map((grant) => [
      String(grant.id),
      grant.verdict,
      grant.ref.server ?? '(Ostler)',
      nameOf(grant),
      formatTime(grant.createdAt),
    ])
  if (rows.length === 0) stdout.write(`No grants for the agent '${grants.agent}'.\n`)
  else stdout.write(`${formatTable([['ID', 'VERDICT', 'SERVER', 'TOOL', 'GIVEN'], ...rows])}\n`)
  return 0
}

function nameOf(grant: StoredGrant): string {
  const limit = shownLimit(grant)
  return limit === undefined ? grant.ref.tool : `${grant.ref.tool} ${limit}`
}

async function revokeAll(grants: Grants, io: Io, json: boolean): Promise<number> {
  const ids = grants.list().map(({ id }) => id)
  const revoked = await revokeEach(grants, ids)
  if (json) printJson(io, { agent: grants.agent, revoked })
  else io.stdout.write(`Revoked ${counted(revoked.length, 'grant')} of the agent '${grants.agent}'.\n`)
  return 0
}

async function revoke(grants: Grants, ids: readonly number[], io: Io, json: boolean): Promise<number> {
  const revoked = await revokeEach(grants, ids)
  const unknown = ids.filter((id) => !revoked.includes(id))
  if (json) printJson(io, { agent: grants.agent, revoked, unknown })
  else if (revoked.length > 0) io.stdout.write(`Revoked ${revoked.join(', ')}.\n`)
  if (unknown.length > 0)
    io.stderr.write(`ostler: the agent '${grants.agent}' has no grant ${unknown.join(', ')}\n`)
  return unknown.length > 0 ? 1 : 0
}

/** Returns the IDs that existed. */
async function revokeEach(grants: Grants, ids: readonly number[]): Promise<readonly number[]> {
  const revoked: number[] = []
  for (const id of ids) if (await grants.revoke(id)) revoked.push(id)
  return revoked
}
