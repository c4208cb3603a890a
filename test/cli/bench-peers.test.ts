import { join } from 'node:path'
import { expect, test } from 'vitest'
import { initialize } from '../bench/agents.ts'
import { installPeer } from '../bench/peers/install-peer.ts'
import { openStage, type Limits } from '../bench/peers/open-stage.ts'
import type { Installed, Peer } from '../bench/peers/peer.ts'
import { processesOf } from '../bench/peers/run-processes.ts'
import { runTrials, type Result } from '../bench/peers/run-trials.ts'
import { trials, type Trial } from '../bench/peers/trials.ts'
import { openTempDir } from '../support/temp-dir.ts'

const script = join(import.meta.dirname, '../fixtures/agents/fake-agent.mjs')
/** Memory takes seconds to settle. */
const quick = trials.filter(({ rows }) => rows.every(({ unit }) => unit !== 'MiB'))
const patient: Limits = { requestMs: 60_000, graceMs: 10_000 }
const impatient: Limits = { requestMs: 6_000, graceMs: 100 }

const fake = (mode: string): Peer => ({
  name: mode,
  program: script,
  args: [mode],
  vendor: 'openai',
  setUp: () => ({}),
})

async function run(
  modes: readonly string[],
  chosen: readonly Trial[],
  limits: Limits,
  rounds = 2,
): Promise<{ results: Map<string, Result>; left: number[] }> {
  await using folder = await openTempDir()
  const installed: Installed[] = []
  for (const mode of modes) installed.push(await installPeer(fake(mode), folder.path))
  const results = await runTrials(installed, { trials: chosen, rounds, limits, folder: folder.path })
  return { results, left: processesOf(folder.path) }
}

test('an agent that does everything has a value for each row and round', async () => {
  const { results, left } = await run(['correct'], quick, patient)
  const { values, reasons } = results.get('correct')!
  expect(reasons).toEqual(new Map())
  expect(new Set(values.keys())).toEqual(new Set(quick.flatMap(({ rows }) => rows.map(({ id }) => id))))
  for (const each of values.values()) expect(each).toHaveLength(2)
  expect(values.get('updates')).toEqual([20_000, 20_000])
  expect(left).toEqual([])
})

test('an agent that dies says so in each row, and the others are measured', async () => {
  const { results, left } = await run(['dies', 'correct'], quick.slice(0, 1), patient)
  const { values, reasons } = results.get('dies')!
  expect(values).toEqual(new Map())
  const reason = 'initialize: the process has ended with 3 (the disk is full)'
  expect([...reasons.values()]).toEqual(quick[0]!.rows.map(() => [reason]))
  expect(results.get('correct')!.values.get('call')).toHaveLength(2)
  expect(left).toEqual([])
})

test('a row that an agent cannot do says so, and its other rows are measured', async () => {
  const { results } = await run(['trusts'], quick.slice(0, 1), patient)
  const { values, reasons } = results.get('trusts')!
  const reason = 'no tool was called with a question'
  expect(reasons).toEqual(new Map([['call', [reason, reason, reason]]]))
  expect(values.get('prompt')).toHaveLength(2)
})

test('the end of an agent counts the processes that are left, and ends them', async () => {
  await using folder = await openTempDir()
  const installed = await installPeer(fake('hangs'), folder.path)
  await using stage = await openStage(installed, folder.path, { ...patient, graceMs: 100 })
  await using agent = stage.start()
  await initialize(agent.client)
  expect(await agent.end()).toBe(2)
  expect(processesOf(folder.path)).toEqual([])
  await expect(initialize(agent.client)).rejects.toThrow('initialize: the process has ended with SIGKILL')
})

test('an agent that hangs is given up after the limit, and leaves no process', async () => {
  const hanging = trials.filter(({ rows }) => rows.some(({ id }) => id === 'hanging' || id === 'five'))
  const { results, left } = await run(['hangs'], hanging, impatient, 1)
  const { values, reasons } = results.get('hangs')!
  expect(reasons.get('five')).toEqual(['session/new: no answer within 6 s'])
  expect(values.get('hanging')).toEqual([Infinity])
  expect(reasons.get('beside')).toEqual(['no session was opened'])
  expect(left).toEqual([])
})

test('an agent that cannot be installed says why', async () => {
  await using folder = await openTempDir()
  const lost: Peer = { ...fake('correct'), package: { name: 'file:lost', version: '1' } }
  await expect(installPeer(lost, folder.path)).rejects.toThrow('npm cannot install file:lost@1')
})
