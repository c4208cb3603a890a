import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStoredState } from '@ostler/agent-api/internal'
import { openDatabase } from '../../../packages/agent-api/src/state/db/database.ts'
import type { ModelRequest, Reply } from '../../support/loopback-model/index.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import { openConsoleLab, openSession, type ConsoleLab } from './console-lab.ts'

const commands = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))

const file = (webUrl: string) => `# The agent of the house.
approval:
  mode: trusted-only # reading is fine
  trustedTools: ['files:read_text_file', 'files:list_directory']
storedServers: [files, everything]
toolbox:
  maxConcurrent: 8
  tools:
    - { name: write_file, server: files, approval: ask, timeout: 10s }
mcpServers:
  web:
    type: http
    url: ${webUrl}
    mode: dynamic
    defaultToolConfig: {}
`

/** A console with content on each page: running servers, a failing one, a session with its calls, other calls of some days, and a grant. */
export async function openFurnishedLab({ pastDays = 28 } = {}): Promise<ConsoleLab> {
  await using opened = new AsyncDisposableStack()
  opened.use(findCommands())
  const web = opened.use(await startHttpFixture('whole-server.mjs', 'http'))
  const lab = opened.use(await openConsoleLab({ file: file(web.url), script: answer }))
  const notes = join(lab.path, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'plan.md'), '# Plan\n\n- mend the gate\n- feed the horses\n')
  await addServers(lab, notes)
  await addPast(lab, pastDays)
  await addSession(lab, notes)
  const all = opened.move()
  return { ...lab, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function addServers({ console }: ConsoleLab, notes: string): Promise<void> {
  const servers = [
    {
      name: 'files',
      entry: {
        type: 'stdio',
        command: 'mcp-server-filesystem',
        args: [notes],
        description: 'Notes, to read and write',
        env: { NOTES_TOKEN: 'hush-hush-hush' },
      },
    },
    { name: 'everything', entry: { type: 'stdio', command: 'mcp-server-everything', args: ['stdio'] } },
    {
      name: 'tickets',
      entry: { type: 'stdio', command: 'tickets-server', args: ['--project', 'stables'], retryAttempts: 0 },
    },
  ]
  for (const server of servers) {
    const { json } = await console.ask('POST', '/api/servers', { ...server, confirmed: true })
    await console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
  }
  const { json } = await console.ask('GET', '/api/servers')
  const web = json.servers.find(({ name }: { name: string }) => name === 'web')
  await console.ask('POST', `/api/servers/${web.id}/connect`, { confirmed: true })
}

const tools = [
  ['files', 'read_text_file'],
  ['files', 'list_directory'],
  ['files', 'write_file'],
  ['everything', 'get-sum'],
  ['everything', 'echo'],
  ['web', 'add'],
] as const
/** The calls are created now and then backdated. */
async function addPast({ stateDir }: ConsoleLab, pastDays: number): Promise<void> {
  const times: (readonly [id: string, at: string, durationMs: number])[] = []
  {
    using history = createStoredState({ stateDir })
    const recorder = history.calls.recorder({ agent: 'default' })
    for (let day = pastDays; day > 0; day--) {
      for (let index = 0; index < 3 + ((day * 7) % 5); index++) {
        const [server, tool] = tools[(day * 3 + index) % tools.length] ?? tools[0]
        const id = `call_${day}_${index}`
        const hasFailed = (day + index) % 9 === 0
        const record = await recorder.start({ id, server, tool, arguments: { path: 'notes/plan.md' } })
        record.decided('allow', { by: 'trusted', how: 'tool' })
        record.running()
        const text = hasFailed ? 'ENOENT: no such file or directory' : '# Plan'
        record.ended(hasFailed ? 'error' : 'success', {
          isError: hasFailed,
          content: [{ type: 'text', text }],
        })
        const at = new Date(Date.now() - day * 24 * 60 * 60_000 + index * 60_000).toISOString()
        times.push([id, at, 20 + ((day * 37 + index * 91) % 400)])
      }
    }
  }
  const { database } = openDatabase(stateDir)
  const update = database.prepare(
    'UPDATE tool_calls SET started_at = ?, ended_at = ?, duration_ms = ? WHERE id = ?',
  )
  for (const [id, at, durationMs] of times) update.run(at, at, durationMs, id)
  database.close()
}

/** Two sessions of one agent. In the first one, the person always allows everything. */
async function addSession(lab: ConsoleLab, notes: string): Promise<void> {
  let optionId = 'allow-always'
  await using editor = lab.edit({ onPermission: () => ({ outcome: { outcome: 'selected', optionId } }) })
  await editor.prompt(
    await openSession(editor, lab),
    `What is in the plan in ${join(notes, 'plan.md')}, and how much is 40 and 2?`,
  )
  optionId = 'reject-once'
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  await editor.prompt(sessionId, 'Sum it up')
}

/** Servers inherit the PATH of this process, and are found in it by their names. */
function findCommands(): Disposable {
  const before = process.env['PATH'] ?? ''
  process.env['PATH'] = `${commands}${delimiter}${before}`
  return { [Symbol.dispose]: () => void (process.env['PATH'] = before) }
}

/** A prompt that changes the plan. */
export const gateIsMended = 'The gate is mended. Cross it off.'

/** Reads the plan and adds numbers, then reports the results. */
function answer({ messages, tools: offered }: ModelRequest): Reply {
  const names = new Set(offered.map(({ name }) => name))
  if (messages.at(-1)?.parts.some(({ type }) => type === 'tool_result') === true)
    return {
      thoughts: 'Both are there now.',
      text: 'The plan has two points: mend the gate, and feed the horses. And 40 and 2 are 42.',
    }
  if (JSON.stringify(messages.at(-1)).includes(gateIsMended))
    return {
      toolCalls: [
        {
          name: 'edit_file',
          args: {
            path: 'notes/plan.md',
            edits: [{ old_text: '- mend the gate', new_text: '- ~~mend the gate~~' }],
          },
        },
      ],
    }
  const path = /\S+plan\.md/.exec(JSON.stringify(messages))?.[0] ?? 'plan.md'
  const calls = [
    { name: 'files__read_text_file', args: { path } },
    { name: 'everything__get-sum', args: { a: 40, b: 2 } },
    { name: 'web__add', args: { a: 40, b: 2 } },
  ].filter(({ name }) => names.has(name))
  return { text: 'I look into the plan first.', toolCalls: calls }
}
