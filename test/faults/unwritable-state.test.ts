import { chown, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAgent, type Agent, type TurnEvent } from '../../packages/agent-api/src/index.ts'
import { openServerService } from '../../packages/workbench/src/index.ts'
import { createStoredState } from '../../packages/agent-api/src/state/open-state.ts'
import { openAcpInProcess } from '../support/acp-harness.ts'
import { createLogLines } from '../support/history-lab.ts'
import { stdioEntry } from '../support/service-lab.ts'
import { canMount, mountDisk, remountDisk, unmountDisk } from '../support/small-disk.ts'
import { openTempDir } from '../support/temp-dir.ts'

const secret = 'canary-2290-of-the-server'

/** Creates a state with a grant, and with a stored server that has a secret. */
async function fill(stateDir: string): Promise<void> {
  await using service = await openServerService({ stateDir, env: {}, secretStore: 'file' })
  await service.addServer({
    name: 'whole',
    entry: { ...stdioEntry('whole-server.mjs', 'stdio'), env: { API_TOKEN: secret } },
  })
  using history = createStoredState({ stateDir })
  const pin = { definition: 'd', identity: 'i', parts: {} }
  await history.servers
    .grants('default')
    .add([{ ref: { server: 'whole', tool: 'length' }, verdict: 'allow', scope: 'always', pin }])
}

async function runPrompt(
  agent: Agent,
  cwd: string,
  prompts: readonly string[],
): Promise<readonly TurnEvent[]> {
  await using session = agent.createSession({ cwd })
  await session.serversSettled
  const events: TurnEvent[] = []
  for (const text of prompts)
    for await (const event of session.prompt([{ type: 'text', text }])) events.push(event)
  return events
}

const warningsIn = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === 'server_report' ? event.report.warnings : []))
const textIn = (events: readonly TurnEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

/** Runs the work with a state on a small disk. */
async function withDisk(work: (stateDir: string, folder: string) => Promise<void>): Promise<void> {
  await using folder = await openTempDir()
  const disk = join(folder.path, 'disk')
  await mkdir(disk)
  mountDisk(disk, '2m')
  try {
    await fill(join(disk, 'state'))
    await work(join(disk, 'state'), folder.path)
  } finally {
    unmountDisk(disk)
  }
}

it.skipIf(!canMount)(
  'stored servers and grants are there on a disk that may only be read, and one message says that nothing is kept',
  () =>
    withDisk(async (stateDir, folder) => {
      remountDisk(join(folder, 'disk'), 'ro')
      const log = createLogLines()
      await using agent = await openAgent({ stateDir, env: {}, model: 'offline', logger: log.logger })
      const events = await runPrompt(agent, folder, [
        '/mcp',
        '/mcp',
        `/call whole:length {"name":"API_TOKEN"}`,
      ])
      const warning = expect.stringMatching(
        /^This session will not be saved: .*\/state cannot be used: the disk is read-only\.$/,
      )
      expect(warningsIn(events)).toEqual([warning])
      expect(textIn(events)).toContain('**whole**: connected')
      expect(textIn(events)).toContain('This session will not be saved')
      expect(log.warnings().filter((line) => line.includes('read'))).toHaveLength(1)
      expect(agent.listSessions({ limit: 9 })).toHaveLength(1)
    }),
)

it.skipIf(!canMount)('rows that another process has not moved into the file yet are read', () =>
  withDisk(async (stateDir, folder) => {
    const copy = join(folder, 'copy')
    {
      // As after a power failure: with the write-ahead log beside the file.
      await using service = await openServerService({ stateDir, env: {}, secretStore: 'file' })
      await service.addServer({ name: 'late', entry: stdioEntry('whole-server.mjs', 'stdio') })
      await cp(stateDir, copy, { recursive: true })
    }
    expect(await readdir(copy)).toContain('ostler.db-wal')
    await rm(stateDir, { recursive: true })
    await cp(copy, stateDir, { recursive: true })
    remountDisk(join(folder, 'disk'), 'ro')
    await using agent = await openAgent({ stateDir, env: {}, model: 'offline' })
    const text = textIn(await runPrompt(agent, folder, ['/mcp']))
    for (const name of ['whole', 'late']) expect(text).toContain(`**${name}**: connected`)
  }),
)

it.skipIf(!canMount)('stored servers are there on a disk that is full', () =>
  withDisk(async (stateDir, folder) => {
    await writeFile(join(folder, 'disk/full'), Buffer.alloc(4 * 1024 * 1024)).catch(() => undefined)
    await using agent = await openAgent({ stateDir, env: {}, model: 'offline' })
    const events = await runPrompt(agent, folder, ['/mcp'])
    expect(textIn(events)).toContain('**whole**: connected')
    expect(warningsIn(events)).toEqual([expect.stringContaining('This session will not be saved')])
  }),
)

it('unreadable state is reported in the editor, with the reason', async () => {
  await using folder = await openTempDir()
  await mkdir(join(folder.path, 'state/ostler.db'), { recursive: true })
  const stateDir = join(folder.path, 'state')
  await using editor = openAcpInProcess({
    openAgent: (logger) => openAgent({ stateDir, env: {}, model: 'offline', logger }),
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: folder.path })
  const text = () =>
    editor
      .updates(sessionId)
      .flatMap((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
          ? [update.content.text]
          : [],
      )
      .join('')
  await editor.prompt(sessionId, '/tools')
  expect(text()).toMatch(
    /> This session will not be saved, and stored servers could not be read: the state directory .*\/state cannot be used: .+\./,
  )
  await editor.prompt(sessionId, '/tools')
  expect(text().match(/will not be saved/g)).toHaveLength(1)
  await editor.prompt(sessionId, '/mcp')
  expect(text()).not.toContain('This session has no MCP servers.')
})

// Only root can give a file away.
it.runIf(process.getuid?.() === 0).each(['.', 'ostler.db', 'ostler.db-wal'])(
  'what another user could have granted counts for nothing: %s',
  async (name) => {
    await using folder = await openTempDir()
    const stateDir = join(folder.path, 'state')
    await fill(stateDir)
    await writeFile(join(stateDir, 'ostler.db-wal'), '', { flag: 'a' })
    await chown(join(stateDir, name), 65_534, 65_534)
    await using agent = await openAgent({ stateDir, env: {}, model: 'offline' })
    const events = await runPrompt(agent, folder.path, ['/mcp'])
    expect(warningsIn(events)).toEqual([
      expect.stringMatching(
        /^This session will not be saved, and stored servers could not be read: .* belongs to another user, so it is not used/,
      ),
    ])
    expect(textIn(events)).not.toContain('whole')
    expect(() => createStoredState({ stateDir })).toThrow('belongs to another user')
  },
)

it('without any state, nothing is reported about stored servers, and without a place for it nothing at all', async () => {
  await using folder = await openTempDir()
  await writeFile(join(folder.path, 'file'), '')
  await using agent = await openAgent({
    stateDir: join(folder.path, 'file/state'),
    env: {},
    model: 'offline',
  })
  expect(warningsIn(await runPrompt(agent, folder.path, ['/tools']))).toEqual([
    expect.stringMatching(/^This session will not be saved: .* part of the path is a file\.$/),
  ])
  await using other = await openAgent({ env: {}, model: 'offline' })
  expect(warningsIn(await runPrompt(other, folder.path, ['/tools']))).toEqual([])
})
