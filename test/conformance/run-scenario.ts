import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { programPath } from '../support/program-path.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { run } from './run.ts'
import type { Suite } from './suites.ts'

/** The suite's verdict on one scenario. */
export interface Outcome {
  readonly scenario: string
  readonly passed: number
  readonly failed: number
  readonly warnings: number
  /** The failed checks, and the output of the client. */
  readonly reasons: readonly string[]
}

interface Check {
  readonly name: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly description: string
  readonly errorMessage?: string
}

const scenarioMsMax = 90_000

/** Lets the official suite start its server, and Ostler as its client, for one scenario. */
export async function runScenario({ script, revision }: Suite, scenario: string): Promise<Outcome> {
  await using dir = await openTempDir()
  const command = `"${process.execPath}" "${programPath('conformance/client.ts')}"`
  const args = [
    script,
    'client',
    '--scenario',
    scenario,
    '--command',
    command,
    '--timeout',
    String(scenarioMsMax),
    '--output-dir',
    dir.path,
  ]
  const wire = revision === undefined ? [] : ['--spec-version', revision, '--force']
  const { output } = await run(process.execPath, [...args, ...wire], { HOME: dir.path })
  const checks = await readChecks(dir.path)
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  const failures = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const isBroken = checks.length === 0 || /CLIENT (?:TIMED OUT|EXITED)/.test(output)
  return {
    scenario,
    passed: count('SUCCESS'),
    failed: count('FAILURE') + (isBroken ? 1 : 0),
    warnings: count('WARNING'),
    reasons: [
      ...failures.map(({ name, errorMessage, description }) => `${name}: ${errorMessage ?? description}`),
      ...(isBroken || failures.length > 0 ? [output.slice(-4_000)] : []),
    ],
  }
}

/** The suite writes its checks into a folder of its own choice. */
async function readChecks(folder: string): Promise<Check[]> {
  const files = await readdir(folder, { recursive: true })
  const file = files.find((name) => name.endsWith('checks.json'))
  return file === undefined ? [] : (JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[])
}
