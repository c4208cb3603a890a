import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openTempDir } from '../support/temp-dir.ts'
import { startLineClient } from './line-client.ts'
import { compare, timed } from './measure.ts'

/** Compares the start of the single executable with that of the built command, in turns. `pnpm build:single` comes first. */
const rounds = 20
const cli = join(import.meta.dirname, '../../packages/cli')
const starts: Readonly<Record<'plain' | 'single', readonly [string, ...string[]]>> = {
  plain: [process.execPath, join(cli, 'dist/ostler.js')],
  single: [join(cli, 'single/ostler')],
}

await using folder = await openTempDir('ostler-bench-')
const env = { ...process.env, HOME: folder.path, XDG_STATE_HOME: folder.path }

const first = await timed(() => printVersion('single'))
console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, median of ${rounds} interleaved starts\n`,
)
console.log(`very first start, which unpacks       ${first.toFixed(0)} ms`)
for (const [what, measure] of [
  ['--version', printVersion],
  ['spawn → session/new answered', openSession],
] as const) {
  const { plain, single } = await compare(rounds, {
    plain: () => timed(() => measure('plain')),
    single: () => timed(() => measure('single')),
  })
  console.log(
    `${what.padEnd(38)}${plain.toFixed(0)} ms plain, ${single.toFixed(0)} ms single: ${(single / plain).toFixed(2)} ×`,
  )
}

async function printVersion(which: keyof typeof starts): Promise<void> {
  const [program, ...args] = starts[which]
  await once(spawn(program, [...args, '--version'], { stdio: 'ignore', env }), 'exit')
}

/** Ends with the process, which takes the same time for both. */
async function openSession(which: keyof typeof starts): Promise<void> {
  const [program, ...args] = starts[which]
  await using client = startLineClient(program, [...args, 'acp', '--model', 'offline'], { env })
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  await client.request('session/new', { cwd: folder.path, mcpServers: [] })
}
