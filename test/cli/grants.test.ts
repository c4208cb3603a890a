import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStoredState } from '../../packages/agent-api/src/state/open-state.ts'
import type { Grant } from '../../packages/agent-api/src/policy/approval.ts'
import { openTempDir, type TempDir } from '../support/temp-dir.ts'
import { runCli } from '../support/run-cli.ts'

const grant = (server: string | null, tool: string, verdict: Grant['verdict'] = 'allow'): Grant => ({
  ref: { server, tool },
  verdict,
  scope: 'always',
  pin: { definition: 'd', identity: 'i', parts: {} },
})

/** The state as a running agent has it open while the command works on it. */
function openState(dir: TempDir, agent = 'default') {
  const stateDir = join(dir.path, 'state')
  const history = createStoredState({ stateDir })
  return Object.assign(history.servers.grants(agent), {
    run: (...args: readonly string[]) =>
      runCli(['grants', ...args, '--state-dir', stateDir], { env: { XDG_CONFIG_HOME: dir.path } }),
    history,
    [Symbol.dispose]: () => history[Symbol.dispose](),
  })
}

test('missing state is an empty list, and reading does not create it', async () => {
  await using dir = await openTempDir()
  const stateDir = join(dir.path, 'state')
  const run = (...args: readonly string[]) =>
    runCli(['grants', ...args, '--state-dir', stateDir], { env: { XDG_CONFIG_HOME: dir.path } })
  expect(await run('list')).toEqual({ code: 0, stdout: "No grants for the agent 'default'.\n", stderr: '' })
  expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ agent: 'default', grants: [] })
  expect(await run('revoke', '--all')).toMatchObject({
    code: 0,
    stdout: "Revoked 0 grants of the agent 'default'.\n",
  })
  expect(existsSync(stateDir)).toBe(false)
})

test('grants are listed and revoked while an agent has them open, and the agent notices', async () => {
  await using dir = await openTempDir()
  using state = openState(dir)
  await state.add([
    grant('files', 'read_file'),
    grant('files', 'write_file', 'deny'),
    grant(null, 'sum_numbers'),
  ])

  const { code, stdout, stderr } = await state.run('list')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^ID {2}VERDICT {2}SERVER {4}TOOL {9}GIVEN$/)
  expect(lines[1]).toMatch(/^1 {3}allow {4}files {5}read_file {4}\d\d:\d\d:\d\d$/)
  expect(lines[2]).toMatch(/^2 {3}deny {5}files {5}write_file {3}\d\d:/)
  expect(lines[3]).toMatch(/^3 {3}allow {4}\(Ostler\) {2}sum_numbers {2}\d\d:/)
  expect(JSON.parse((await state.run('list', '--json')).stdout)).toEqual({
    agent: 'default',
    grants: [
      { id: 1, verdict: 'allow', server: 'files', tool: 'read_file', createdAt: expect.any(String) },
      { id: 2, verdict: 'deny', server: 'files', tool: 'write_file', createdAt: expect.any(String) },
      { id: 3, verdict: 'allow', server: null, tool: 'sum_numbers', createdAt: expect.any(String) },
    ],
  })

  expect(await state.run('revoke', '1', '3')).toEqual({ code: 0, stdout: 'Revoked 1, 3.\n', stderr: '' })
  expect(state.list().map(({ id }) => id)).toEqual([2])
  expect(await state.run('revoke', '7', '2')).toEqual({
    code: 1,
    stdout: 'Revoked 2.\n',
    stderr: "ostler: the agent 'default' has no grant 7\n",
  })
  await state.add([grant('files', 'read_file'), grant('files', 'write_file')])
  expect(await state.run('revoke', '--all')).toMatchObject({
    code: 0,
    stdout: "Revoked 2 grants of the agent 'default'.\n",
  })
  expect(state.list()).toEqual([])
})

test('a grant for a command shows the command and its folder', async () => {
  await using dir = await openTempDir()
  using state = openState(dir)
  const ofCommand = (words: readonly string[], isExact = true): Grant => ({
    ...grant(null, 'run_command'),
    command: { words, isExact, cwd: '/work/project' },
  })
  await state.add([ofCommand(['npm', 'test']), ofCommand(['git', 'status'], false)])
  // The same command again replaces its grant, and leaves the other.
  await state.add([ofCommand(['npm', 'test'])])

  const lines = (await state.run('list')).stdout.trimEnd().split('\n')
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(
      /^2 {3}allow {4}\(Ostler\) {2}run_command "git status …" in \/work\/project {2}\d\d:/,
    ),
    expect.stringMatching(/^3 {3}allow {4}\(Ostler\) {2}run_command "npm test" in \/work\/project +\d\d:/),
  ])
  expect(JSON.parse((await state.run('list', '--json')).stdout)).toMatchObject({
    grants: [{ id: 2 }, { id: 3, command: { words: ['npm', 'test'], isExact: true, cwd: '/work/project' } }],
  })
  expect(await state.run('revoke', '3')).toMatchObject({ code: 0 })
  expect(state.list()).toMatchObject([{ id: 2, command: { words: ['git', 'status'] } }])
})

test('the grants are those of the agent that the file names', async () => {
  await using dir = await openTempDir()
  using state = openState(dir, 'reviewer')
  await state.add([grant('files', 'read_file')])
  const file = join(dir.path, 'reviewer.yaml')
  await writeFile(file, 'name: reviewer\n')
  expect(JSON.parse((await state.run('list', '--json', '--agent', file)).stdout)).toMatchObject({
    agent: 'reviewer',
    grants: [{ id: 1 }],
  })
  expect(JSON.parse((await state.run('list', '--json')).stdout)).toMatchObject({
    agent: 'default',
    grants: [],
  })
  expect(await state.run('revoke', '1')).toMatchObject({ code: 1 })
  expect(state.list()).toHaveLength(1)
})

test.each([
  [['grants', 'show'], "unknown command 'grants show'"],
  [['grants', 'list', '1'], 'takes no IDs'],
  [['grants', 'list', '--all'], 'takes no IDs'],
  [['grants', 'revoke'], 'needs IDs or --all'],
  [['grants', 'revoke', '1', '--all'], 'needs IDs or --all'],
  [['grants', 'revoke', 'one'], "'one' is not the ID"],
  [['grants', 'list', '--dance'], '--dance'],
  [['grants', 'list', '--agent', ''], '--agent needs a value'],
])('ostler %j is invalid: exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler grants\b/m)
})
