import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

const cli = join(import.meta.dirname, '../../packages/cli')
const run = globalThis as { isOstlerBuilt?: boolean }

/**
 * Builds the command and the console's page, because tests run the shipped form. Each project that needs it loads a copy of this module, and
 * the first one builds. Watch mode builds again before each rerun, so that no test runs an old command.
 */
export default function buildCommand(project: TestProject): void {
  if (run.isOstlerBuilt) return
  run.isOstlerBuilt = true
  build()
  project.onTestsRerun(build)
}

function build(): void {
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/tsx'), ['build.ts'], {
    cwd: cli,
    stdio: 'pipe',
  })
}
