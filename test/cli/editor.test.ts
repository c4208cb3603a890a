import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { editorNames } from '../../packages/cli/src/commands/editor/editors.ts'
import { ownCommandLine } from '../../packages/cli/src/commands/editor/own-command-line.ts'
import { ostlerStart } from '../support/acp-harness.ts'
import { runCli } from '../support/run-cli.ts'
import { canMount, mountDisk, unmountDisk } from '../support/small-disk.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'

async function snippet(editor: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(['editor', editor])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Does what an editor would do, with no more environment than a home, which is not that of this machine's user. */
async function initialize(command: string, args: readonly string[]): Promise<unknown> {
  await using home = await openTempDir()
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { HOME: home.path } })
  child.stdin.end('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  await new Promise((resolve) => child.on('close', resolve))
  return JSON.parse(output)
}

test.each([
  ['zed', { type: 'custom' }],
  ['jetbrains', {}],
])(
  'the snippet for %s is JSON, and its command starts from anywhere without an environment but HOME',
  async (editor, extra) => {
    const settings = JSON.parse(await snippet(editor)) as {
      agent_servers: { Ostler: { command: string; args: string[] } }
    }
    const { command, args } = settings.agent_servers.Ostler
    expect(settings.agent_servers.Ostler).toMatchObject(extra)
    expect({ command, args }).toEqual({ command: ostlerStart, args: ['acp'] })
    expect(await initialize(command, args)).toMatchObject({ id: 0, result: { protocolVersion: 1 } })
  },
)

test("the snippet for vscode is for the extension's settings", async () => {
  const settings = JSON.parse(await snippet('vscode')) as {
    'acp.agents': { Ostler: { command: string; args: string[] } }
  }
  expect(settings['acp.agents'].Ostler).toEqual({ command: ostlerStart, args: ['acp'], env: {} })
})

test('the snippets for neovim and emacs name the same command, and their brackets match', async () => {
  const lua = await snippet('neovim')
  expect(lua).toContain(`commands = { default = { "${ostlerStart}", "acp" } }`)
  const lisp = await snippet('emacs')
  expect(lisp).toContain(`:command "${ostlerStart}"`)
  expect(lisp).toContain(`:command-params '("acp" "--log-level" "error")`)
  for (const text of [lua, lisp]) expect(unclosed(text.replace(/"(\\.|[^"\\])*"/g, ''))).toBe('')
})

test.runIf(hasTerminal).each([
  ['zed', "Zed's settings.json"],
  ['jetbrains', 'acp.json'],
  ['neovim', 'CodeCompanion'],
  ['emacs', 'init.el'],
])('on a terminal, the command says where the snippet for %s belongs', async (editor, place) => {
  const { code, shown } = await runOnTerminal(['editor', editor])
  expect(code).toBe(0)
  expect(shown.split('\n')[0]).toMatch(/^Add this to /)
  expect(shown.split('\n')[0]).toContain(place)
})

test.each(editorNames)(
  'the snippet for %s names no version of Node and no folder of the package manager',
  async (editor) => {
    const text = await snippet(editor)
    expect(text).toContain(`"${ostlerStart}"`)
    expect(text).not.toMatch(/\.pnpm|node_modules|bin\/node/)
  },
)

test('where the command cannot start with a small PATH, the settings name its Node', async () => {
  await using dir = await openTempDir()
  const [script, start] = [join(dir.path, 'ostler.js'), join(dir.path, 'ostler')]
  const self = [process.execPath, script] as const
  const io = { self, platform: 'linux' as const }
  expect(ownCommandLine(io)).toEqual(self)
  await writeFile(start, '#!/bin/sh\nexit 127\n', { mode: 0o755 })
  expect(ownCommandLine(io)).toEqual(self)
  await writeFile(start, '#!/bin/sh\n[ "$PATH" = /usr/bin:/bin ]\n')
  expect(ownCommandLine(io)).toEqual([start])
  // As npm links a command.
  const link = join(dir.path, 'bin/ostler')
  await mkdir(dirname(link))
  await symlink(script, link)
  await writeFile(script, '')
  expect(ownCommandLine({ ...io, self: [process.execPath, link] })).toEqual([start])
  expect(ownCommandLine({ ...io, platform: 'win32' })).toEqual(self)
  expect(ownCommandLine({ ...io, self: [start] })).toEqual([start])
})

async function openHome() {
  const dir = await openTempDir()
  const env = { HOME: dir.path, XDG_CONFIG_HOME: join(dir.path, '.config') }
  return {
    path: (...parts: string[]) => join(dir.path, ...parts),
    env,
    async write(file: string, text: string) {
      await mkdir(dirname(join(dir.path, file)), { recursive: true })
      await writeFile(join(dir.path, file), text)
    },
    read: (file: string) => readFile(join(dir.path, file), 'utf8'),
    register: (editor: string, ...args: string[]) =>
      runCli(['editor', editor, '--write', '--yes', ...args], { env }),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

const settingsFiles = [
  ['zed', '.config/zed/settings.json', 'agent_servers'],
  ['jetbrains', '.jetbrains/acp.json', 'agent_servers'],
  ['vscode', '.config/Code/User/settings.json', 'acp.agents'],
] as const

test.each(settingsFiles)('--write registers Ostler in %s, once', async (editor, file, agents) => {
  await using home = await openHome()
  await home.write(file, '{\n  // mine\n  "theme": "dark"\n}\n')
  await chmod(home.path(file), 0o640)
  const { code, stdout, stderr } = await home.register(editor)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`--- ${home.path(file)}\n`)
  expect(stdout).toMatch(/^ {3}\/\/ mine\n-  "theme": "dark"\n\+  "theme": "dark",\n/m)
  const after = await home.read(file)
  expect(after).toContain('  // mine\n')
  const settings = JSON.parse(after.replace(/ *\/\/ mine/, '')) as Record<
    string,
    { Ostler: { command: string; args: string[] } }
  >
  expect(settings[agents]?.Ostler).toMatchObject({ command: ostlerStart, args: ['acp'] })
  expect((await stat(home.path(file))).mode & 0o777).toBe(0o640)

  const backup = /^The old file is (.*)$/m.exec(stdout)?.[1] ?? ''
  expect(await readFile(backup, 'utf8')).toBe('{\n  // mine\n  "theme": "dark"\n}\n')
  const again = await home.register(editor)
  expect(again).toEqual({
    code: 0,
    stdout: `Ostler is already registered in ${home.path(file)}. Nothing was changed.\n`,
    stderr: '',
  })
  expect(await home.read(file)).toBe(after)
  expect(await readdir(dirname(home.path(file)))).toHaveLength(2)
})

test.each([
  ['neovim', '.config/nvim/lua/ostler.lua', 'require("ostler")'],
  ['emacs', '.emacs.d/ostler.el', '(locate-user-emacs-file "ostler")'],
])(
  '--write writes a file of its own for %s, and prints the line that loads it',
  async (editor, file, line) => {
    await using home = await openHome()
    const { code, stdout } = await home.register(editor)
    expect(code).toBe(0)
    expect(stdout).toContain(line)
    expect(await home.read(file)).toContain(`"${ostlerStart}"`)
    expect((await home.register(editor)).stdout).toContain('Ostler is already registered')
  },
)

test('--json tells what was done, without the difference', async () => {
  await using home = await openHome()
  const file = home.path('.jetbrains/acp.json')
  expect(JSON.parse((await home.register('jetbrains', '--json')).stdout)).toEqual({
    editor: 'jetbrains',
    file,
    changed: true,
  })
  expect(JSON.parse((await home.register('jetbrains', '--json')).stdout)).toEqual({
    editor: 'jetbrains',
    file,
    changed: false,
  })
  const printed = await runCli(['editor', 'zed', '--json'])
  expect(JSON.parse(printed.stdout)).toMatchObject({
    editor: 'zed',
    text: expect.stringContaining('agent_servers'),
  })
})

test('a link to the settings stays a link, and its target is changed', async () => {
  await using home = await openHome()
  await home.write('dotfiles/zed.json', '{}\n')
  await mkdir(home.path('.config/zed'), { recursive: true })
  const link = home.path('.config/zed/settings.json')
  await symlink(home.path('dotfiles/zed.json'), link)
  expect((await home.register('zed')).code).toBe(0)
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(JSON.parse(await home.read('dotfiles/zed.json'))).toMatchObject({
    agent_servers: { Ostler: { type: 'custom' } },
  })
})

test.each([
  ['broken settings', (file: string) => writeFile(file, '{ "theme": '), 'it is not JSON'],
  [
    'a link to a missing file',
    (file: string) => symlink('/nowhere/settings.json', file),
    'no such file or directory',
  ],
  ['a directory', (file: string) => mkdir(file), 'it is not a regular file'],
  [
    'other than UTF-8',
    (file: string) => writeFile(file, Buffer.from([0x7b, 0xff, 0x7d])),
    'it is not UTF-8 text',
  ],
])('%s: an error that names the file, and nothing is written', async (_, make, reason) => {
  await using home = await openHome()
  const file = home.path('.config/zed/settings.json')
  await mkdir(dirname(file), { recursive: true })
  await make(file)
  const before = await readlink(file).catch(() => readFile(file, 'utf8').catch(() => 'a directory'))
  const { code, stdout, stderr } = await home.register('zed')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^ostler: ${file} .*${reason}.*\n$`))
  expect(await readlink(file).catch(() => readFile(file, 'utf8').catch(() => 'a directory'))).toBe(before)
  expect(await readdir(dirname(file))).toEqual(['settings.json'])
})

test('secrets near the change are not shown', async () => {
  await using home = await openHome()
  const secret = `sk-ant-${'a1B2'.repeat(12)}`
  await home.write(
    '.jetbrains/acp.json',
    `{\n  "agent_servers": { "Other": { "command": "x", "env": { "ANTHROPIC_API_KEY": "${secret}" } } }\n}\n`,
  )
  const { code, stdout } = await home.register('jetbrains')
  expect({ code, shows: stdout.includes(secret) }).toEqual({ code: 0, shows: false })
  expect(await home.read('.jetbrains/acp.json')).toContain(secret)
})

test.runIf(canMount)('a full disk changes nothing', async () => {
  await using home = await openHome()
  const folder = home.path('.config/zed')
  await mkdir(folder, { recursive: true })
  mountDisk(folder, '16k')
  try {
    const before = JSON.stringify({ pad: 'x'.repeat(6_000) })
    await writeFile(join(folder, 'settings.json'), before)
    const { code, stderr } = await home.register('zed')
    expect(code).toBe(1)
    expect(stderr).toContain('was not changed: the disk is full')
    expect(await readFile(join(folder, 'settings.json'), 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['settings.json'])
  } finally {
    unmountDisk(folder)
  }
})

test.runIf(hasTerminal)('on a terminal, --write asks, and anything but a yes changes nothing', async () => {
  await using home = await openHome()
  const file = home.path('.config/zed/settings.json')
  const question = `Change ${file}? [y/N] `
  const no = await runOnTerminal(['editor', 'zed', '--write'], { env: home.env, typed: [[question, '\n']] })
  expect(no.code).toBe(1)
  expect(no.shown).toContain('Nothing was changed.')
  expect(existsSync(file)).toBe(false)
  const yes = await runOnTerminal(['editor', 'zed', '--write'], { env: home.env, typed: [[question, 'y\n']] })
  expect(yes.code).toBe(0)
  expect(existsSync(file)).toBe(true)
})

test.each([
  [['zed', '--write'], 'without a terminal, --write needs --yes'],
  [['zed', '--yes'], '--yes needs --write'],
  [['zed', '--file', 'x'], '--file needs --write'],
  [['Zed'], "no settings for 'Zed'; expected zed, jetbrains, neovim, emacs or vscode; did you mean 'zed'?"],
])('ostler editor %j is a usage error', async (args, message) => {
  const { code, stdout, stderr } = await runCli(['editor', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`ostler: ${message}`)
})

const installed = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

function outputOf(program: string, args: readonly string[], env: Readonly<Record<string, string>>): string {
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  })
  return `${stdout}${stderr}`.trim()
}

/** Both ages of the plugin's helpers. The module must name the handlers that each calls. */
test.runIf(installed('nvim')).each([
  ['before', 'form_messages', 'handlers.form_messages'],
  ['after', 'build_messages', 'handlers.request.build_messages'],
])('in Neovim, the module has the handlers of CodeCompanion %s the change', async (_, helper, handler) => {
  await using home = await openHome()
  await home.register('neovim')
  await home.write(
    '.config/nvim/lua/codecompanion/adapters/acp/helpers.lua',
    `return { ${helper} = function() return "sent" end }\n`,
  )
  const check = `local a = require("ostler")(); io.stdout:write(a.${handler}() .. " " .. table.concat(a.commands.default, " "))`
  await home.write('check.lua', check)
  const args = [
    '--headless',
    '--clean',
    '--cmd',
    `set rtp^=${home.path('.config/nvim')}`,
    '-c',
    `luafile ${home.path('check.lua')}`,
    '-c',
    'qa!',
  ]
  expect(outputOf('nvim', args, home.env)).toBe(`sent ${ostlerStart} acp`)
})

test.runIf(installed('emacs'))('Emacs reads the file, and registers the agent', async () => {
  await using home = await openHome()
  await home.register('emacs')
  const stand = `(provide 'agent-shell) (setq agent-shell-agent-configs nil) (defun agent-shell-make-agent-config (&rest r) (plist-get r :mode-line-name))`
  const load = `(progn ${stand} (load "${home.path('.emacs.d/ostler.el')}" nil t) (princ agent-shell-agent-configs))`
  expect(outputOf('emacs', ['--batch', '-Q', '--eval', load], home.env)).toBe('(Ostler)')
})

function unclosed(text: string): string {
  const brackets = text.replace(/[^()[\]{}]/g, '')
  const shorter = brackets.replace(/\(\)|\[\]|\{\}/g, '')
  return shorter === brackets ? brackets : unclosed(shorter)
}

test('the old path of the command, which editors have in their settings, still works; the snippet names the new one', async () => {
  const oldScript = join(import.meta.dirname, '../../packages/acp-server/dist/ostler.js')
  expect(await initialize(process.execPath, [oldScript, 'acp'])).toMatchObject({
    result: { protocolVersion: 1 },
  })
  const { stdout } = spawnSync(process.execPath, [oldScript, 'editor', 'zed'], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toMatchObject({
    agent_servers: { Ostler: { command: ostlerStart, args: ['acp'] } },
  })
})
