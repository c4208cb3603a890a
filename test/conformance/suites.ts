import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleOf } from '../support/program-path.ts'
import { run } from './run.ts'

/** Part of the official suite, for one revision of the protocol. */
export interface Suite {
  readonly name: string
  /** The command of the official suite. */
  readonly script: string
  /** Revision on the wire. Undefined if each scenario chooses its own. */
  readonly revision?: string
  readonly scenarios: readonly Scenario[]
}

export interface Scenario {
  readonly name: string
  /** True if the revision requires it. Others are extensions, or newer than the revision. */
  readonly isRequired: boolean
}

export type ReleaseName = 'conformance-release' | 'conformance-preview'
export type SuiteName = 'release' | '2026-07-28' | '2025-11-25'
export const suiteNames: readonly SuiteName[] = ['release', '2026-07-28', '2025-11-25']

export function loadSuite(name: SuiteName): Promise<Suite> {
  return name === 'release' ? loadRelease() : loadRequirements(name)
}

/** All scenarios of the released suite. */
async function loadRelease(): Promise<Suite> {
  const script = scriptOf('conformance-release')
  const { output } = await run(process.execPath, [script, 'list', '--client'], {})
  const names = [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name)
  return {
    name: '0.1.16',
    script,
    scenarios: names.map((scenario) => ({ name: scenario, isRequired: true })),
  }
}

/** All scenarios that a revision requires, and those that the suite only reports for it. */
async function loadRequirements(revision: string): Promise<Suite> {
  const script = scriptOf('conformance-preview')
  const text = await readFile(
    join(folderOf('conformance-preview'), 'requirements', `${revision}.yaml`),
    'utf8',
  )
  const [, required = '', others = ''] = /^client:\n([^]*?)^not_scored:\n([^]*)/m.exec(text) ?? []
  return {
    name: `0.2.0-alpha.12 ${revision}`,
    script,
    revision,
    scenarios: [
      ...[...required.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => ({ name, isRequired: true })),
      ...[...others.matchAll(/^ {2}- scenario: (\S+)\n {4}leg: client$/gm)].map(([, name = '']) => ({
        name,
        isRequired: false,
      })),
    ],
  }
}

/** The folder of a release of the suite. */
function folderOf(name: ReleaseName): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
}

/** The script of a release as installed. */
export function installedScriptOf(name: ReleaseName): string {
  return join(folderOf(name), 'dist/index.js')
}

function scriptOf(name: ReleaseName): string {
  return bundleOf(`${name}.mjs`) ?? installedScriptOf(name)
}
