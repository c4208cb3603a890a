import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { expect, test } from 'vitest'
import { fromSources, ostlerScript } from '../support/acp-harness.ts'
import { runCli } from '../support/run-cli.ts'

async function snippet(editor: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(['editor', editor])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Does what an editor would do. */
async function initialize(command: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: {} })
  child.stdin.end('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  await new Promise((resolve) => child.on('close', resolve))
  return JSON.parse(output)
}

test.each([
  ['zed', { type: 'custom' }],
  ['jetbrains', {}],
])('the snippet for %s is JSON, and its command starts from anywhere without any environment', async (editor, extra) => {
  const settings = JSON.parse(await snippet(editor)) as { agent_servers: { Ostler: { command: string; args: string[] } } }
  const { command, args } = settings.agent_servers.Ostler
  expect(settings.agent_servers.Ostler).toMatchObject(extra)
  expect(args).toEqual([ostlerScript, 'acp'])
  expect([command, args[0]].every((path) => isAbsolute(path ?? ''))).toBe(true)
  expect(await initialize(command, args)).toMatchObject({ id: 0, result: { protocolVersion: 1 } })
})

test('the snippets for neovim and emacs name the same command, and their brackets match', async () => {
  const lua = await snippet('neovim')
  expect(lua).toContain(`commands = { default = { "${process.execPath}", "${ostlerScript}", "acp" } }`)
  const lisp = await snippet('emacs')
  expect(lisp).toContain(`:command "${process.execPath}"`)
  expect(lisp).toContain(`:command-params '("${ostlerScript}" "acp")`)
  for (const text of [lua, lisp]) expect(unclosed(text.replace(/"(\\.|[^"\\])*"/g, ''))).toBe('')
})

/** `script` is part of util-linux, and provides a terminal. */
const script = '/usr/bin/script'

test.runIf(process.platform === 'linux' && existsSync(script)).each([
  ['zed', "Zed's settings.json"],
  ['jetbrains', 'acp.json'],
  ['neovim', 'CodeCompanion'],
  ['emacs', 'init.el'],
])('on a terminal, the command says where the snippet for %s belongs', async (editor, place) => {
  const child = spawn(script, ['-qec', `"${process.execPath}" "${ostlerScript}" editor ${editor}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  expect(output.split('\n')[0]).toMatch(/^Add this to /)
  expect(output.split('\n')[0]).toContain(place)
})

function unclosed(text: string): string {
  const brackets = text.replace(/[^()[\]{}]/g, '')
  const shorter = brackets.replace(/\(\)|\[\]|\{\}/g, '')
  return shorter === brackets ? brackets : unclosed(shorter)
}

test.skipIf(fromSources)(
  'the old path of the command, which editors have in their settings, still works; the snippet names the new one',
  async () => {
    const oldScript = join(import.meta.dirname, '../../packages/acp-server/dist/ostler.js')
    expect(await initialize(process.execPath, [oldScript, 'acp'])).toMatchObject({ result: { protocolVersion: 1 } })
    const { stdout } = spawnSync(process.execPath, [oldScript, 'editor', 'zed'], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({ agent_servers: { Ostler: { args: [ostlerScript, 'acp'] } } })
  },
)
