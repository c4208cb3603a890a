import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { buildPage } from './build-page.ts'
import { compileEarly } from './compile-early.ts'
import config, { output } from './rolldown.config.ts'

/** The command was built here before it had its own package. Settings of editors contain this path. */
const oldPlace = join(import.meta.dirname, '../acp-server/dist/ostler.js')

const forward = `#!/usr/bin/env node
import { fileURLToPath } from 'node:url'

const script = new URL('../../cli/dist/ostler.js', import.meta.url)
process.argv[1] = fileURLToPath(script)
await import(script)
`

buildPage()
// Uses the API instead of rolldown's command, which lists every chunk: `pnpm start` begins with this.
await using bundle = await rolldown(config)
await bundle.write(output)
await compileEarly(join(import.meta.dirname, 'dist'))
const start = join(import.meta.dirname, 'dist/ostler')
copyFileSync(join(import.meta.dirname, 'ostler.sh'), start)
chmodSync(start, 0o755)
mkdirSync(dirname(oldPlace), { recursive: true })
writeFileSync(oldPlace, forward)
chmodSync(oldPlace, 0o755)
