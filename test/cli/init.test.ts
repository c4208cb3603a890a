import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileSchema, readAgentFile } from '../support/agent-files.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runCli } from '../support/run-cli.ts'

test('ostler init writes a file that only its owner can read, with its schema, and prints the next step', async () => {
  await using dir = await openTempDir()
  const env = { XDG_CONFIG_HOME: dir.path }
  const file = join(dir.path, 'ostler', 'ostler.yaml')
  const schema = join(dir.path, 'ostler', 'ostler.schema.json')

  const { code, stdout, stderr } = await runCli(['init'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const text of [`Wrote ${file}\n`, `Wrote ${schema}`, 'ostler check --connect'])
    expect(stdout).toContain(text)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(join(dir.path, 'ostler'))).mode & 0o777).toBe(0o700)
  expect((await readFile(file, 'utf8')).split('\n')[0]).toBe(
    '# yaml-language-server: $schema=./ostler.schema.json',
  )
  expect(await readFile(schema, 'utf8')).toBe((await runCli(['schema'])).stdout)

  const check = await runCli(['check', '--json', '--state-dir', join(dir.path, 'state')], { env })
  expect(check).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, file, foundBy: 'default', warnings: [] })
})

test('with all its examples uncommented, the file is valid for Ostler and for an editor', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'mine.yaml')
  const written = await runCli(['init', '--agent', file], { env: { XDG_CONFIG_HOME: dir.path } })
  expect(written.stdout).toContain(`ostler acp --agent ${file}`)
  // An example is a `#` without a space after it.
  const text = (await readFile(file, 'utf8')).replace(/^#(?! \S)/gm, '')
  await writeFile(file, text)
  expect(await readAgentFile(file)).toMatchObject({
    model: expect.any(String),
    mcpServers: { files: {}, customers: {} },
    maxSteps: 100,
  })

  const env = { XDG_CONFIG_HOME: dir.path, WORK_API_KEY: 'k', CUSTOMERS_TOKEN: 't' }
  const check = await runCli(['check', '--agent', file, '--json', '--state-dir', join(dir.path, 'state')], {
    env,
  })
  expect(check).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(check.stdout)).toMatchObject({
    ok: true,
    warnings: [],
    servers: [{ name: 'files' }, { name: 'customers' }],
  })
  const isValid = compileSchema(JSON.parse(await readFile(join(dir.path, 'ostler.schema.json'), 'utf8')))
  expect(isValid(await readAgentFile(file)), JSON.stringify(isValid.errors)).toBe(true)
})

test('an existing file is kept without --force', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'ostler.yaml')
  await writeFile(file, 'name: mine\n', { mode: 0o644 })
  expect(await runCli(['init', '--agent', file])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(file),
  })
  expect(await readFile(file, 'utf8')).toBe('name: mine\n')
  expect(await runCli(['init', '--agent', file, '--force'])).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(file, 'utf8')).toContain('yaml-language-server')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('in the default location, a file with another name also counts', async () => {
  await using dir = await openTempDir()
  const env = { XDG_CONFIG_HOME: dir.path }
  expect(await runCli(['init'], { env })).toMatchObject({ code: 0 })
  expect(await runCli(['init'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ostler.yaml'),
  })
  await using other = await openTempDir()
  await writeFile(join(other.path, 'named.yaml'), '')
  expect(
    await runCli(['init'], {
      env: { XDG_CONFIG_HOME: other.path, OSTLER_AGENT: join(other.path, 'named.yaml') },
    }),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`--agent ${join(other.path, 'ostler', 'ostler.yaml')}`),
  })
  await using json = await openTempDir()
  await runCli(['init'], { env: { XDG_CONFIG_HOME: json.path } })
  await writeFile(join(json.path, 'ostler', 'ostler.json'), '{}')
  await rm(join(json.path, 'ostler', 'ostler.yaml'))
  expect(await runCli(['init'], { env: { XDG_CONFIG_HOME: json.path } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ostler.json'),
  })
})

test('a location that cannot be written is reported', async () => {
  // HOME is not writable in these tests.
  const { code, stdout, stderr } = await runCli(['init'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^ostler: The agent file could not be written: .+\n$/)
})

test.each([
  [['init', 'here'], 'here'],
  [['init', '--dance'], '--dance'],
  [['init', '--agent', ''], '--agent needs a value'],
  [['init', '--agent', 'x.json'], '--agent must name'],
])('ostler %j is invalid: exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler init\b/m)
})
