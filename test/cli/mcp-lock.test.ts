import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changingServer, entryOf, openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { runCli } from '../support/run-cli.ts'

const state = (lab: AgentLab) => ['--state-dir', join(lab.path, 'state')]
const lockFile = (lab: AgentLab) => join(lab.path, 'ostler.lock')
const lockOf = (lab: AgentLab) => readFile(lockFile(lab), 'utf8')

/** `ostler mcp ACTION`, with the agent file of the lab. */
const mcp = (lab: AgentLab, args: readonly string[], env: Record<string, string> = {}) => {
  const [action = '', ...rest] = args
  return runCli(['mcp', action, '--agent', join(lab.path, 'ostler.json'), ...state(lab), ...rest], {
    cwd: lab.path,
    env: { HOME: lab.path, OSTLER_SECRET_STORE: 'file', ...env },
  })
}

async function openLab(over: object = {}): Promise<AgentLab> {
  const lab = await openAgentLab()
  await lab.offer('work', {
    tools: [{ name: 'do', description: 'Does it' }, 'rest'],
    prompts: [{ name: 'ask', description: 'Asks' }],
    instructions: 'Be brief.',
  })
  await lab.writeAgentFile({ mcpServers: { work: entryOf(lab, 'work', over) } })
  return lab
}

it('the lock has a line for each part of the servers that the agent uses, without their texts', async () => {
  await using lab = await openLab({ env: { API_TOKEN: 'tok-4711-secret' } })
  await lab.offer('stored', ['keep'])
  await lab.offer('idle', ['sleep'])
  for (const name of ['stored', 'idle']) {
    const { command, args } = lab.command(name)
    expect((await mcp(lab, ['add', name, '--', command, ...args])).code).toBe(0)
  }
  expect((await mcp(lab, ['disable', 'idle'])).code).toBe(0)

  const { code, stdout } = await mcp(lab, ['lock'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Wrote ${lockFile(lab)}: 7 lines\n`,
  })
  const text = await lockOf(lab)
  expect(text.split('\n').map((line) => line.replace(/ [\da-f]{32}$/, ''))).toEqual([
    '# Made by `ostler mcp lock`, to be committed. Agents leave out what differs from it.',
    'ostler.lock 1',
    '',
    'agent "stored" entry',
    'agent "stored" tool:keep',
    'agent "work" entry',
    'agent "work" instructions',
    'agent "work" prompt:ask',
    'agent "work" tool:do',
    'agent "work" tool:rest',
    '',
  ])
  // Again, with another secret: the same text.
  await lab.writeAgentFile({ mcpServers: { work: entryOf(lab, 'work', { env: { API_TOKEN: 'another' } }) } })
  await mcp(lab, ['lock'])
  expect(await lockOf(lab)).toBe(text)
})

it('a variable in an entry counts as it is written, so the lock is the same on other machines', async () => {
  await using lab = await openLab({ args: [changingServer, '${PLACE}'] })
  const here = await mcp(lab, ['lock'], { PLACE: join(lab.path, 'work.json') })
  expect(here).toMatchObject({ code: 0 })
  const text = await lockOf(lab)
  await writeFile(join(lab.path, 'other.json'), await readFile(join(lab.path, 'work.json')))
  expect(await mcp(lab, ['lock', '--check'], { PLACE: join(lab.path, 'other.json') })).toMatchObject({
    code: 0,
  })
  await mcp(lab, ['lock'], { PLACE: join(lab.path, 'other.json') })
  expect(await lockOf(lab)).toBe(text)
})

it('--check shows what differs, line by line, and writes nothing', async () => {
  await using lab = await openLab()
  await mcp(lab, ['lock'])
  const same = await mcp(lab, ['lock', '--check'])
  expect(same).toMatchObject({ code: 0, stdout: `Nothing differs from ${lockFile(lab)}.\n`, stderr: '' })
  const before = { text: await lockOf(lab), at: (await stat(lockFile(lab))).mtimeMs }

  await lab.offer('work', {
    tools: [{ name: 'do', description: 'Sends it away' }, 'extra'],
    instructions: 'Be brief.',
  })
  const { code, stdout } = await mcp(lab, ['lock', '--check'])
  expect(code).toBe(1)
  const changed = stdout.split('\n').filter((line) => /^[-+] agent/.test(line))
  expect(changed.map((line) => line.replace(/ [\da-f]{32}$/, ''))).toEqual([
    '- agent "work" prompt:ask',
    '- agent "work" tool:do',
    '- agent "work" tool:rest',
    '+ agent "work" tool:do',
    '+ agent "work" tool:extra',
  ])
  const json = await mcp(lab, ['lock', '--check', '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toEqual({
    ok: false,
    file: lockFile(lab),
    removed: ['prompt:ask', 'tool:do', 'tool:rest'].map((part) => expect.stringContaining(part)),
    added: ['tool:do', 'tool:extra'].map((part) => expect.stringContaining(part)),
    unseen: [],
  })
  expect({ text: await lockOf(lab), at: (await stat(lockFile(lab))).mtimeMs }).toEqual(before)
})

it('a server that cannot be connected is named, and nothing is written', async () => {
  await using lab = await openLab()
  await lab.writeAgentFile({
    mcpServers: { work: entryOf(lab, 'work'), gone: entryOf(lab, 'gone', { command: '/no/such/program' }) },
  })
  const { code, stderr } = await mcp(lab, ['lock'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/gone: .*no\/such\/program/)
  await expect(lockOf(lab)).rejects.toThrow('ENOENT')
})

it('without an agent file, the lock is written to the working directory', async () => {
  await using lab = await openLab()
  const run = (args: readonly string[]) =>
    runCli(['mcp', ...args, ...state(lab)], {
      cwd: lab.path,
      env: { HOME: lab.path, OSTLER_SECRET_STORE: 'file' },
    })
  const missing = await run(['lock', '--check'])
  expect(missing).toMatchObject({ code: 1 })
  expect(missing.stderr).toContain(`There is no ${lockFile(lab)}. \`ostler mcp lock\` writes it.`)
  expect(await run(['lock'])).toMatchObject({ code: 0 })
  expect(await lockOf(lab)).toMatch(/\nostler\.lock 1\n\n$/)
  expect(await run(['lock', '--check', '--folder'])).toMatchObject({ code: 2 })
})

it('a lock that cannot be read is an error with its line, and none that is a link is written', async () => {
  await using lab = await openLab()
  await writeFile(lockFile(lab), 'ostler.lock 1\nagent work\n')
  const broken = await mcp(lab, ['lock', '--check'])
  expect(broken).toMatchObject({ code: 1 })
  expect(broken.stderr).toContain(
    `${lockFile(lab)} cannot be used: line 2 is not one more part of a server with its hash.`,
  )
  await rm(lockFile(lab))
  await writeFile(join(lab.path, 'precious'), 'mine')
  await symlink(join(lab.path, 'precious'), lockFile(lab))
  const linked = await mcp(lab, ['lock'])
  expect(linked).toMatchObject({ code: 1 })
  expect(linked.stderr).toContain('it is not a regular file')
  expect(await readFile(join(lab.path, 'precious'), 'utf8')).toBe('mine')
})

it('--folder adds the servers that an editor passed in this folder, and --check compares those', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({})
  const prompt = async () => {
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [{ name: 'work', ...lab.command('work'), env: [] }])
    await editor.prompt(sessionId, '/mcp reconnect work')
    await editor.prompt(sessionId, 'hello')
  }
  await prompt()
  expect((await mcp(lab, ['lock'])).stdout).toContain('0 lines')
  expect((await mcp(lab, ['lock', '--folder'])).stdout).toContain('2 lines')
  expect((await lockOf(lab)).match(/^editor .* (?=[\da-f]{32}$)/gm)).toEqual([
    'editor "work" entry ',
    'editor "work" tool:do ',
  ])
  expect(await mcp(lab, ['lock', '--check'])).toMatchObject({ code: 0 })

  await lab.offer('work', ['do', 'extra'])
  await prompt()
  const { code, stdout } = await mcp(lab, ['lock', '--check'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining('+ editor "work" tool:extra '),
  })

  // In another folder, nobody has seen it.
  const elsewhere = await runCli(
    [
      'mcp',
      'lock',
      '--check',
      '--agent',
      join(lab.path, 'ostler.json'),
      '--state-dir',
      join(lab.path, 'other'),
    ],
    { cwd: '/', env: { HOME: lab.path } },
  )
  expect(elsewhere).toMatchObject({ code: 0 })
  expect(elsewhere.stderr).toContain(
    'not compared, because their servers were not seen in this folder: 2 lines',
  )
})
