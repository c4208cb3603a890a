import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAcpPeer } from '../support/acp-peer.ts'
import { openTempDir, type TempDir } from '../support/temp-dir.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../../packages/cli')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
/** Not tried on other systems. The first `--build-sea` is in Node 25.5. */
const canBuild = process.platform === 'linux' && (major > 25 || (major === 25 && minor >= 5))

let work: TempDir
let ostler: string
let env: Record<string, string>

beforeAll(async () => {
  work = await openTempDir()
  ostler = join(work.path, 'ostler')
  env = { PATH: process.env['PATH'] ?? '', HOME: work.path, TMPDIR: join(work.path, 'tmp') }
  await mkdir(join(work.path, 'tmp'))
  if (canBuild) await run(join(cli, '../../node_modules/.bin/tsx'), [join(cli, 'build-single.ts'), ostler])
})

afterAll(() => work[Symbol.asyncDispose]())

const programs = () => join(work.path, '.local/state/ostler/programs')

test.skipIf(!canBuild)('the executable unpacks itself once, and is its own command line', async () => {
  const [first, second] = await Promise.all([
    run(ostler, ['--version'], { env }),
    run(ostler, ['--version'], { env }),
  ])
  expect(first.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(second).toEqual(first)
  expect(await readdir(programs())).toHaveLength(1)
  const { stdout } = await run(ostler, ['editor', 'zed'], { env })
  expect(JSON.parse(stdout)).toMatchObject({ agent_servers: { Ostler: { command: ostler, args: ['acp'] } } })
  // With a script and without a channel, it does not act as Node.
  await expect(run(ostler, ['-e', 'process.exit(0)'], { env })).rejects.toMatchObject({ code: 2 })
})

test.skipIf(!canBuild)(
  'it answers prompts over ACP, searches, and unpacks again what is missing',
  async () => {
    await writeFile(join(work.path, 'hay.txt'), 'a needle\n')
    const child = spawn(ostler, ['acp', '--model', 'offline'], { cwd: work.path, env })
    const exit = once(child, 'close')
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk))
    const editor = createAcpPeer(child.stdout, child.stdin)
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: work.path })
    expect(await editor.prompt(sessionId, '/mcp')).toMatchObject({ stopReason: 'end_turn' })
    await editor.prompt(sessionId, '/call search_files {"pattern":"needle","glob":"*.txt"}')
    expect(JSON.stringify(editor.updates(sessionId))).toContain('a needle')
    child.stdin.end()
    expect(await exit).toEqual([0, null])
    expect(stderr).toBe('')
    editor.check()
    const [hash = ''] = await readdir(programs())
    const unpacked = join(programs(), hash, 'node_modules/@vscode')
    await rm(unpacked, { recursive: true })
    await run(ostler, ['--version'], { env })
    expect(await readdir(unpacked)).toContain('ripgrep')
  },
)

test.skipIf(!canBuild)('its console serves the page', async () => {
  const child = spawn(ostler, ['console', '--no-open'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'close')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const address = /https?:\/\/\S+/.exec(line)?.[0] ?? ''
  const page = await fetch(address)
  const text = await page.text()
  child.kill('SIGTERM')
  await exit
  expect(page.status).toBe(200)
  expect(text).toMatch(/<script type="module"[^>]* src="/)
})

test.skipIf(!canBuild)('it runs its own helpers, which have a channel to it, as Node does', async () => {
  const module = join(work.path, 'helper.cjs')
  await writeFile(module, 'exports.name = "keyring"')
  const script = 'process.send(require(process.argv[1]).name); process.disconnect()'
  const child = spawn(ostler, ['-e', script, module], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  expect(await once(child, 'message')).toMatchObject(['keyring', undefined])
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.skipIf(!canBuild)('where nothing can be written, it says so', async () => {
  const nowhere = { ...env, HOME: '/proc/nowhere', TMPDIR: '/proc/nowhere' }
  await expect(run(ostler, ['--version'], { env: nowhere })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^ostler: the executable cannot unpack its files: .+\n$/),
  })
  const withoutHome = { ...env, HOME: '/proc/nowhere' }
  expect((await run(ostler, ['--version'], { env: withoutHome })).stderr).toBe('')
})
