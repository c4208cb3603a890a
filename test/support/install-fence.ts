import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { installPackage, say } from './install-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Why no fence works on this machine. Tests of what runs inside a fence are then skipped, and the others expect refusals. */
    readonly fenceProblem: string | undefined
  }
}

/** Installs bubblewrap before the tests, or reports why that is impossible. */
export default function installFence(project: TestProject): void {
  const problem =
    process.platform === 'linux' ? findProblem() : `there is no bubblewrap for ${process.platform}`
  project.provide('fenceProblem', problem)
  if (problem !== undefined) say(`the tests inside a fence are skipped: ${problem}`)
}

function findProblem(): string | undefined {
  const before = tryFence()
  if (before === undefined || !before.isMissing) return before?.text
  return installPackage('bubblewrap', 'bubblewrap') ?? tryFence()?.text
}

/** Asks the system, and not Ostler, whether a process can have namespaces of its own. */
function tryFence(): { readonly isMissing: boolean; readonly text: string } | undefined {
  const args = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--unshare-all', '/bin/true']
  const { status, error, stderr } = spawnSync('bwrap', args, { encoding: 'utf8' })
  if (error !== undefined) return { isMissing: true, text: `bwrap: ${error.message}` }
  return status === 0 ? undefined : { isMissing: false, text: stderr.trim() }
}
