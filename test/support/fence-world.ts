import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { createServer, type AddressInfo, type ListenOptions } from 'node:net'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homeSockets, secretFiles, socketsOfTheRuntime, type World } from '../fixtures/fence/attacks.ts'

const fixtures = fileURLToPath(new URL('../fixtures/fence', import.meta.url))
/** On the disk, and not in a temporary directory, which a fence hides as a whole. */
const place = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

export interface FenceWorld extends AsyncDisposable {
  readonly world: World
  /** The command line of an attacker, which is in the project. */
  readonly attacker: { readonly program: string; readonly args: readonly string[] }
  readonly env: Readonly<Record<string, string>>
}

/** A machine's worth of things to steal and to break, in a folder, with services and processes. */
export async function openFenceWorld(): Promise<FenceWorld> {
  await using opened = new AsyncDisposableStack()
  const mark = `heron-${randomBytes(4).toString('hex')}`
  await mkdir(place, { recursive: true })
  const root = await mkdtemp(join(place, 'w-'))
  opened.defer(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
  const [home, project, tree] = [join(root, 'home'), join(root, 'project'), join(root, 'tree')]
  const [main, bare, runtime, queries] = [
    join(root, 'main'),
    join(root, 'bare'),
    join(root, 'run'),
    join(root, 'queries'),
  ]
  const state = join(home, '.local/state/ostler')
  await writeFiles(root, {
    ...Object.fromEntries(secretFiles.map((path) => [`home/${path}`, mark])),
    'home/.bashrc': '',
    'home/.local/state/ostler/secrets.key': mark,
    ...repository('project'),
    ...repository('project/packages/nested'),
    ...repository('main'),
    'project/ostler.json': '{}',
    'tree/ostler.lock': '{}',
    'project/.vscode/tasks.json': '{}',
    'project/.claude/settings.json': '{}',
    'main/.git/worktrees/tree/commondir': '../..\n',
    'main/.git/worktrees/tree/gitdir': `${tree}/.git\n`,
    'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/other\n',
    'tree/.git': `gitdir: ${main}/.git/worktrees/tree\n`,
    'bare/read-me.md': '',
  })
  await mkdir(runtime, { mode: 0o700 })
  for (const name of ['attacks', 'attacker']) await copyProgram(name, project)

  const greet = async (at: ListenOptions) => {
    if (at.path?.startsWith('/') === true) await mkdir(dirname(at.path), { recursive: true })
    const server = createServer((socket) => socket.on('error', () => undefined).end(mark)).listen(at)
    opened.defer(() => void server.close())
    await once(server, 'listening')
    return server.address() as AddressInfo
  }
  for (const path of homeSockets) await greet({ path: join(home, path) })
  for (const name of socketsOfTheRuntime) await greet({ path: join(runtime, name) })
  const abstract = `fence-${randomBytes(4).toString('hex')}`
  await greet({ path: `\0${abstract}` })
  const { port: ipv4 } = await greet({ host: '127.0.0.1', port: 0 })
  const ipv6 = await greet({ host: '::1', port: 0 }).then(
    ({ port }) => port,
    () => 0,
  )
  const names = createSocket('udp4').on('message', (message) => appendFileSync(queries, message))
  opened.defer(() => void names.close())
  names.bind(0, '127.0.0.1')
  await once(names, 'listening')

  const keep = (command: string, args: readonly string[], env: Record<string, string> = {}) => {
    const path = process.env['PATH'] ?? ''
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: path, ...env } })
    opened.defer(() => void child.kill('SIGKILL'))
    return child
  }
  const told = keep('sleep', ['600'], { NOTE: mark })
  const victim = keep('sleep', ['600'])
  const knows = keep(process.execPath, ['-e', keepInMemory])
  knows.stdin?.write(mark)
  await once(knows.stdout, 'data')
  const terminal = await openTerminal(keep)
  const shared = shareMemory(mark)
  if (shared !== undefined) opened.defer(() => void spawnSync('ipcrm', ['-m', shared]))

  const { homedir: realHome } = userInfo()
  const users = { home: realHome, entries: (await readdir(realHome)).length }
  const world: World = {
    mark,
    home,
    users,
    state,
    project,
    tree,
    main,
    bare,
    runtime,
    queries,
    abstract,
    ports: { ipv4, ipv6, names: names.address().port },
    pids: { told: told.pid!, knows: knows.pid!, victim: victim.pid! },
    terminal,
  }
  const worldFile = join(project, 'world.json')
  await writeFile(worldFile, JSON.stringify(world))
  opened.defer(async () => {
    for (const folder of ['/tmp', '/dev/shm']) await rm(join(folder, `${mark}-shared`), { force: true })
  })
  const all = opened.move()
  return {
    world,
    attacker: { program: process.execPath, args: [join(project, 'attacker.mjs'), worldFile] },
    env: {
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
      SSH_AUTH_SOCK: join(runtime, 'agent.sock'),
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus`,
      // A command does not get Ostler's own variables.
      OSTLER_NOTE: mark,
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** As JavaScript, because Node removes types only outside of `node_modules`. */
async function copyProgram(name: string, folder: string): Promise<void> {
  const source = await readFile(join(fixtures, `${name}.ts`), 'utf8')
  await writeFile(
    join(folder, `${name}.mjs`),
    stripTypeScriptTypes(source).replace("'./attacks.ts'", "'./attacks.mjs'"),
  )
}

const keepInMemory = `
let kept
process.stdin.on('data', (data) => { kept = Buffer.from(data); console.log('ready') })
setInterval(() => kept, 60_000)
`

function repository(folder: string): Record<string, string> {
  return {
    [`${folder}/.git/HEAD`]: 'ref: refs/heads/main\n',
    [`${folder}/.git/config`]: '[core]\n\trepositoryformatversion = 0\n',
    [`${folder}/.git/hooks/pre-commit`]: '#!/bin/sh\n',
    [`${folder}/.git/objects/info/packs`]: '',
    [`${folder}/.git/refs/heads/.keep`]: '',
  }
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const terminalProgram = `
import os, pty, time
master, slave = pty.openpty()
print(os.ttyname(slave), flush=True)
time.sleep(600)
`

/** A terminal that belongs to somebody else. */
async function openTerminal(keep: (command: string, args: readonly string[]) => ChildProcess) {
  if (spawnSync('python3', ['-c', '']).status !== 0) return undefined
  const [path] = (await once(keep('python3', ['-c', terminalProgram]).stdout!, 'data')) as [Buffer]
  return path.toString().trim()
}

const shareProgram = `
import ctypes, sys
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
id = libc.shmget(0, 4096, 0o1600)
ctypes.memmove(libc.shmat(id, None, 0), sys.argv[1].encode(), len(sys.argv[1]))
print(id)
`

/** Shared memory stays until it is removed. Returns its number. */
function shareMemory(mark: string): string | undefined {
  const { status, stdout } = spawnSync('python3', ['-c', shareProgram, mark], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
