import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createAcpPeer } from '../support/acp-peer.ts'
import { openTempDir } from '../support/temp-dir.ts'

const repository = join(import.meta.dirname, '../..')
const page = await readFile(join(repository, 'docs/containers.md'), 'utf8')
const [, dockerfile = ''] = /^```dockerfile\n([^]*?)^```$/m.exec(page) ?? []
const instructions = dockerfile
  .trim()
  .split('\n')
  .map((line) => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? ['?', line])
const all = (name: string) => instructions.flatMap(([at, rest = '']) => (at === name ? [rest] : []))
const [entryPoint = '[]'] = all('ENTRYPOINT')
const [volume = ''] = all('VOLUME')
const project = '/home/me/project'

test('the Dockerfile has a user without rights, who owns the volume, and its lines are ones of a shell', () => {
  expect(all('?')).toEqual([])
  expect(all('USER')).toEqual(['node'])
  expect(all('RUN').join('\n')).toContain(`chown node:node ${volume}`)
  for (const line of all('RUN')) expect(spawnSync('sh', ['-nc', line]).status, line).toBe(0)
  // npm's name for the package that the page packs.
  expect(all('COPY')).toEqual(['ostler-cli-*.tgz /tmp/'])
  expect(JSON.parse(entryPoint)).toEqual(['ostler', 'acp', '--state-dir', volume])
})

test('the lines of the page run the image with its volume, and mount the project where the editor has it', () => {
  const [line = ''] = /^docker run -i .*$/m.exec(page) ?? []
  for (const part of ['--read-only', '--tmpfs /tmp', `:${volume} `, `--volume ${project}:${project} `])
    expect(line).toContain(part)
  expect(line).not.toMatch(/ -i?t /)
})

const words = (line: string) => line.split(' ')

/** The system of this machine with the command as npm installs it. Nothing can be written but the volume, the project and `/tmp`. */
function container(state: string, work: string): readonly string[] {
  const cli = '/usr/local/lib/node_modules/@ostler/cli'
  const system = ['/usr', '/bin', '/lib', '/lib64', '/etc'].flatMap((path) => ['--ro-bind-try', path, path])
  const installed = [
    ...words(`--tmpfs /usr/local --ro-bind ${process.execPath} /usr/local/bin/node`),
    ...words(`--ro-bind ${join(repository, 'packages/cli')} ${cli}`),
    ...words(`--symlink ${cli}/dist/ostler.js /usr/local/bin/ostler --remount-ro /usr/local`),
  ]
  const env = ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/home/node', ...all('ENV')]
  return [
    ...words('--unshare-all --uid 1000 --gid 1000 --die-with-parent --clearenv --tmpfs /'),
    ...system,
    ...installed,
    ...words('--proc /proc --dev /dev --tmpfs /tmp --dir /home/node'),
    ...words(`--bind ${state} ${volume} --bind ${work} ${project} --remount-ro / --chdir /`),
    ...env.flatMap((entry) => ['--setenv', ...entry.split('=')]),
    '--',
  ]
}

test.skipIf(inject('fenceProblem') !== undefined)(
  'the entry point answers a prompt on a read-only root, and keeps its state in the volume',
  async () => {
    await using dir = await openTempDir()
    const [state, work] = [join(dir.path, 'state'), join(dir.path, 'work')]
    await Promise.all([mkdir(state), mkdir(work)])
    const inside = container(state, work)
    for (const place of ['/', '/usr/local', '/home/node'])
      expect(spawnSync('bwrap', [...inside, 'touch', join(place, 'made')]).status, place).not.toBe(0)

    const command = [...(JSON.parse(entryPoint) as string[]), '--model', 'offline']
    const child = spawn('bwrap', [...inside, ...command], { stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'close')
    try {
      const editor = createAcpPeer(child.stdout, child.stdin)
      await editor.initialize()
      const { sessionId } = await editor.newSession({ cwd: project, mcpServers: [] })
      expect(await editor.prompt(sessionId, 'hello')).toMatchObject({ stopReason: 'end_turn' })
      expect(editor.text(sessionId)).not.toBe('')
    } finally {
      child.stdin.end()
    }
    expect(await ended).toEqual([0, null])
    expect(await readdir(state)).toContain('ostler.db')
  },
)
