import { expect, test } from 'vitest'
import { flagsOf, type CommandEntry } from '../../packages/cli/src/command-line/command.ts'
import { ostler } from '../../packages/cli/src/commands.ts'
import { runCli } from '../support/run-cli.ts'
import { openMcpLab } from './mcp-lab.ts'
import { openStateLab } from './state-lab.ts'

/** Commands that serve, that print a script or a document in a format of its own, or that have another way to choose the format. */
const others = new Set([
  'ostler',
  'ostler acp',
  'ostler console',
  'ostler chat',
  'ostler completion',
  'ostler schema',
  'ostler mcp export',
  'ostler sessions export',
])

test('every command that lists or changes has --json', async () => {
  const without: string[] = []
  const visit = async (entry: CommandEntry, path: string): Promise<void> => {
    if (entry.summary === undefined && path !== 'ostler') return
    if (!('json' in flagsOf((await entry.load()).command))) without.push(path)
    for (const sub of entry.subcommands ?? []) await visit(sub, `${path} ${sub.name}`)
  }
  await visit(ostler, 'ostler')
  expect(without.filter((path) => !others.has(path))).toEqual([])
})

test('changes of stored servers are reported as JSON', async () => {
  await using lab = await openMcpLab()
  await lab.run(['add', 'one', '--', 'one'])
  await lab.run(['add', 'two', '--', 'two'])
  expect(await lab.json(['disable', 'one', 'two'])).toMatchObject({
    servers: [
      { name: 'one', enabled: false },
      { name: 'two', enabled: false },
    ],
  })
  expect(await lab.json(['enable', 'two'])).toMatchObject({ servers: [{ name: 'two', enabled: true }] })
  expect(await lab.json(['remove', 'one', 'two'])).toEqual({ removed: ['one', 'two'] })
  await lab.run(['add', 'far', 'https://far.example/mcp'])
  expect(await lab.json(['logout', 'far'])).toEqual({ server: 'far', wasLoggedIn: false })
})

test('deleted sessions and calls are reported as JSON', async () => {
  await using lab = await openStateLab()
  const { id } = lab.addSession({ title: 'one' })
  expect(await lab.json('sessions', 'delete', id, '--yes')).toEqual({ deleted: [id] })
  expect(await lab.json('history', 'clear', '--yes')).toEqual({ deleted: 0 })
  await lab.addCall({ end: 'success' })
  expect(await lab.json('history', 'clear', '--yes')).toEqual({ deleted: 1 })
})

test('revoked grants are reported as JSON, also if there were none', async () => {
  await using lab = await openStateLab()
  expect(await lab.json('grants', 'revoke', '--all')).toEqual({ agent: 'default', revoked: [] })
  const { code, stdout, stderr } = await lab.run('grants', 'revoke', '7', '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: "ostler: the agent 'default' has no grant 7\n" })
  expect(JSON.parse(stdout)).toEqual({ agent: 'default', revoked: [], unknown: [7] })
})

test('hidden characters of names are escaped in the JSON of grants and of check', async () => {
  await using lab = await openStateLab()
  const name = 'read\u009b2J\u202efile'
  const shown = String.raw`read\u009b2J\u202efile`
  const pin = { definition: 'd', identity: 'i', parts: {} }
  await lab.history.servers
    .grants('default')
    .add([{ ref: { server: 'files', tool: name }, verdict: 'allow', scope: 'always', pin }])
  for (const args of [
    ['grants', 'list'],
    ['check', '--agent', `/nowhere/${name}.yaml`],
  ]) {
    const { stdout } = await lab.run(...args, '--json')
    expect(stdout).toContain(shown)
    expect(stdout).not.toMatch(/[^\P{C}\n]/u)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(name)
  }
})

test.each([['mcp'], ['sessions'], ['grants']])('ostler %s alone lists, like ostler %s list', async (name) => {
  await using lab = await openStateLab()
  lab.addSession({ title: 'the only one' })
  for (const flags of [[], ['--json']]) {
    const listed = await lab.run(name, 'list', ...flags)
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(await lab.run(name, ...flags)).toEqual(listed)
  }
})

test('a server that does not exist: the nearest name, of the file or stored', async () => {
  await using lab = await openMcpLab()
  await lab.run(['add', 'customers', '--', 'one'])
  for (const args of [
    ['get', 'custmers'],
    ['remove', 'custmers'],
    ['tools', 'Customer'],
  ])
    expect(await lab.run(args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^ostler: There is no server named '\w+'; did you mean 'customers'\?\n$/),
    })
  expect((await lab.run(['get', 'x'])).stderr).toBe("ostler: There is no server named 'x'.\n")
  expect((await runCli(['mcp', 'lst'])).stderr).toContain("did you mean 'list'?")
})
