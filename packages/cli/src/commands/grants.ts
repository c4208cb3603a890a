import { locateAgentFile, openGrants, OstlerError, type Grants } from '@ostler/agent-api'
import { bareError, readCommandLine, unknownCommand, usageError } from '../command-line/command-line.ts'
import { formatTable } from '../terminal/format-table.ts'
import { stateDirOf } from '../state/state-dir.ts'
import { grantsCommand } from './specs/grants.ts'

export async function runGrants(args: string[]): Promise<number> {
  const line = readCommandLine(grantsCommand, args)
  if (line === undefined) return 0
  const { values } = line
  const [action, ...words] = line.words
  const run = toRun(action, words, values)
  const stateDir = stateDirOf(values['state-dir'], process.env)
  if (stateDir === undefined) throw new OstlerError('history.no_place', 'There is no place for state. Name one with --state-dir.')
  const grants = await openGrants({ file: locateAgentFile(values.agent, process.env).path, env: process.env, stateDir })
  try {
    return await run(grants)
  } finally {
    grants[Symbol.dispose]()
  }
}

type Run = (grants: Grants) => number | Promise<number>

/** The command line is checked as a whole before anything is opened. */
function toRun(action: string | undefined, words: readonly string[], { json, all }: { json: boolean; all: boolean }): Run {
  if (action === 'list') {
    if (words.length > 0 || all) throw usageError(grantsCommand, 'list shows all grants; it takes no IDs')
    return (grants) => list(grants, json)
  }
  if (action === undefined) throw bareError(grantsCommand, 'list or revoke?')
  if (action !== 'revoke') throw unknownCommand(grantsCommand, action, ['list', 'revoke'])
  if (json) throw usageError(grantsCommand, '--json goes with list')
  if (all === words.length > 0) throw usageError(grantsCommand, 'revoke needs either IDs or --all')
  const ids = words.map(parseId)
  return all ? revokeAll : (grants) => revoke(grants, ids)
}

function parseId(word: string): number {
  if (!/^[1-9]\d{0,14}$/.test(word)) throw usageError(grantsCommand, `'${word}' is not the ID of a grant`)
  return Number(word)
}

function list(grants: Grants, json: boolean): number {
  const rows = grants.list().map(({ id, verdict, ref, createdAt }) => ({ id, verdict, server: ref.server, tool: ref.tool, createdAt }))
  if (json) {
    process.stdout.write(`${JSON.stringify({ agent: grants.agent, grants: rows }, null, 2)}\n`)
  } else if (rows.length === 0) {
    process.stdout.write(`No grants are kept for the agent '${grants.agent}'.\n`)
  } else {
    const cells = rows.map(({ id, verdict, server, tool, createdAt }) => [String(id), verdict, server ?? '(Ostler)', tool, createdAt])
    process.stdout.write(`${formatTable([['ID', 'VERDICT', 'SERVER', 'TOOL', 'GIVEN'], ...cells])}\n`)
  }
  return 0
}

async function revokeAll(grants: Grants): Promise<number> {
  const ids = grants.list().map(({ id }) => id)
  const revoked = await revokeEach(grants, ids)
  process.stdout.write(`Revoked ${revoked.length === 1 ? '1 grant' : `${revoked.length} grants`} of the agent '${grants.agent}'.\n`)
  return 0
}

async function revoke(grants: Grants, ids: readonly number[]): Promise<number> {
  const revoked = await revokeEach(grants, ids)
  const unknown = ids.filter((id) => !revoked.includes(id))
  if (revoked.length > 0) process.stdout.write(`Revoked ${revoked.join(', ')}.\n`)
  if (unknown.length > 0) process.stderr.write(`ostler: the agent '${grants.agent}' has no grant ${unknown.join(', ')}\n`)
  return unknown.length > 0 ? 1 : 0
}

/** Says which of them there were. */
async function revokeEach(grants: Grants, ids: readonly number[]): Promise<readonly number[]> {
  const revoked: number[] = []
  for (const id of ids) if (await grants.revoke(id)) revoked.push(id)
  return revoked
}
