import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const acpServer = join(import.meta.dirname, '../../packages/acp-server')

/** The command is tested as it is shipped, with the page of its console: built once, before the first test. */
export default function buildCommand(): void {
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/tsx'), ['build.ts'], { cwd: acpServer, stdio: 'pipe' })
}
