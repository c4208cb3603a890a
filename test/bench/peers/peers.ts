import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTempDir } from '../../support/temp-dir.ts'
import { checkNames, WrongArgument } from '../wrong-argument.ts'
import { toColumn, type Column, type Comparison, type Conditions } from './comparison.ts'
import { toPage, toTable } from './comparison-page.ts'
import { toPicture } from './comparison-picture.ts'
import { cacheFolder, installPeer } from './install-peer.ts'
import type { Installed, Peer } from './peer.ts'
import { ostler, peers } from './roster.ts'
import { killProcessesOf } from './run-processes.ts'
import { runTrials } from './run-trials.ts'
import { trials } from './trials.ts'

const repository = join(import.meta.dirname, '../../..')
const limits = { requestMs: 45_000, graceMs: 5_000 }

export interface PeersOptions {
  /** All, if empty. */
  readonly names: readonly string[]
  readonly rounds: number
}

/** Measures the agents beside Ostler, and prints a table. With all of them, it writes the page and its picture. */
export async function runPeers({ names, rounds }: PeersOptions): Promise<void> {
  const known = peers.map(({ name }) => name)
  checkNames('agents', names, known)
  if (!(rounds >= 1)) throw new WrongArgument('--rounds needs a number from 1')
  const chosen = [ostler, ...peers.filter(({ name }) => names.length === 0 || names.includes(name))]
  const comparison = await compareAgents(chosen, rounds)
  console.log(toTable(comparison))
  if (names.length > 0) return
  const page = join(repository, 'docs/comparison.md')
  await writeFile(page, toPage(comparison))
  await writeFile(join(repository, 'docs/comparison.svg'), toPicture(comparison))
  await promisify(execFile)(join(repository, 'node_modules/.bin/oxfmt'), [page])
}

async function compareAgents(chosen: readonly Peer[], rounds: number): Promise<Comparison> {
  await using folder = await openTempDir('ostler-peers-')
  // A copy, because PSS shares what other programs with the same Node have loaded.
  const node = join(folder.path, 'node')
  await copyFile(process.execPath, node)
  const [installed, problems] = await installAll(chosen, node)
  // The agents have groups of their own, which a signal to this process does not reach.
  process.once('exit', () => {
    killProcessesOf(folder.path)
    rmSync(folder.path, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const before = loadavg()[0] ?? 0
  const log = (line: string) => console.error(line)
  const results = await runTrials(installed, { trials, rounds, limits, folder: folder.path, log })
  const rows = trials.flatMap((trial) => trial.rows)
  const source = await commitOf(repository)
  const columns = chosen.map((peer): Column => {
    const { name, version } = peer.package ?? { name: 'this repository', version: source }
    const result = results.get(peer.name) ?? problems.get(peer.name) ?? 'not started'
    return toColumn(peer, `\`${name}\` ${version}`, rows, result)
  })
  return { conditions: conditionsOf(rounds, before), rows, columns }
}

/** An agent that cannot be installed keeps its column, which says why. */
async function installAll(
  chosen: readonly Peer[],
  node: string,
): Promise<[installed: Installed[], problems: Map<string, string>]> {
  const [installed, problems]: [Installed[], Map<string, string>] = [[], new Map()]
  for (const peer of chosen) {
    console.error(`installing ${peer.name}`)
    try {
      installed.push(await installPeer(peer, cacheFolder(), node))
    } catch (error) {
      problems.set(peer.name, error instanceof Error ? error.message : String(error))
    }
  }
  return [installed, problems]
}

function conditionsOf(rounds: number, before: number): Conditions {
  const [processor] = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${processor?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1_024 ** 3)} GiB, ${process.platform} ${process.arch}`,
    cores: cpus().length,
    node: process.versions.node,
    rounds,
    limitMs: limits.requestMs,
    load: [before, loadavg()[0] ?? 0],
  }
}

async function commitOf(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['describe', '--always', '--dirty'], { cwd: folder })
  return stdout.trim()
}
