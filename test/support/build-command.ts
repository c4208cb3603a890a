import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { wantedFiles } from './wanted-files.ts'

const cli = join(import.meta.dirname, '../../packages/cli')
const unitTests = join(import.meta.dirname, '../unit/')

/** Builds the command and the console's page once before the first test, because tests run the shipped form. Unit tests do not need it. */
export default async function buildCommand(project: TestProject): Promise<void> {
  const files = await wantedFiles(project)
  if (files.every((file) => file.startsWith(unitTests))) return
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/tsx'), ['build.ts'], { cwd: cli, stdio: 'pipe' })
}
