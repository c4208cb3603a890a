import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentConfig } from '@ostler/agent-api'
import { describe, expect, test } from 'vitest'
import { readServer, serverNames } from '../fixtures/editor-servers/catalogue.mjs'
import { formats, openScriptedSession } from '../support/acp-scripted.ts'
import { editorTasks } from '../support/editor-tasks.ts'
import type { ModelRequest } from '../support/loopback-model/index.ts'
import { programPath } from '../support/program-path.ts'
import { answerTask, promptOf, type Habit } from '../support/task-model.ts'
import { openTempDir } from '../support/temp-dir.ts'

type Format = (typeof formats)[number]

const program = programPath('fixtures/editor-servers/server.mjs')

/** Each call that has run is a line of the log. */
function editorServers(log: string): object[] {
  return serverNames.map((name) => ({ name, command: process.execPath, args: [program, name, log], env: [] }))
}

interface Ran {
  /** The calls that the servers have run, in their order. */
  readonly effects: readonly string[]
  /** How many requests each task took. */
  readonly steps: readonly number[]
  readonly text: string
  readonly requests: readonly ModelRequest[]
}

/** One session does all tasks, a prompt each. */
async function runTasks(vendor: Format, habit: Habit, agent: AgentConfig = {}): Promise<Ran> {
  await using dir = await openTempDir()
  const log = join(dir.path, 'calls')
  await using session = await openScriptedSession({
    vendor,
    script: (request) => answerTask(request, habit),
    mcpServers: editorServers(log),
    agent: { mode: 'auto', ...agent },
  })
  const { editor, sessionId, model } = session
  const steps: number[] = []
  for (const task of editorTasks.keys()) {
    const before = model.requests.length
    await editor.prompt(sessionId, promptOf(task))
    steps.push(model.requests.length - before)
  }
  const effects = (await readFile(log, 'utf8')).trim().split('\n')
  return { effects, steps, text: editor.text(sessionId), requests: model.requests }
}

test('the servers are those of a well equipped editor, and the tasks need tools of all of them', () => {
  const keys = serverNames.flatMap((name) => readServer(name).tools.map((tool) => `${name}:${tool.name}`))
  const needed = editorTasks.flatMap(({ steps }) => steps)
  expect([serverNames.length, keys.length, editorTasks.length]).toEqual([11, 178, 20])
  expect(keys).toEqual(expect.arrayContaining(needed.map(({ server, tool }) => `${server}:${tool}`)))
  expect(new Set(needed.map(({ server }) => server))).toEqual(new Set(serverNames))
})

/** The requests of each task if no schema has to be read first, and how many of its tools no task before it needed. */
const expected = editorTasks.map(({ steps }, task) => {
  const before = new Set(editorTasks.slice(0, task).flatMap((other) => other.steps.map(({ tool }) => tool)))
  return { requests: steps.length + 1, fresh: steps.filter(({ tool }) => !before.has(tool)).length }
})

describe.each(formats)('in the format %s', (vendor) => {
  test('a model does every task, with at most one step more for each tool that it has to find', async () => {
    const { effects, steps, text, requests } = await runTasks(vendor, 'asks')
    const calls = editorTasks.flatMap(({ steps: wanted }) =>
      wanted.map(({ server, tool }) => ({ server, tool })),
    )
    const ran = effects.map((line) => JSON.parse(line) as { server: string; tool: string })
    expect(ran.map(({ server, tool }) => ({ server, tool }))).toEqual(calls)
    expect(text.match(/Task \d+ is done/g)).toHaveLength(editorTasks.length)
    const listsAll = (requests[0]?.tools.length ?? 0) > 178
    for (const [task, { requests: least, fresh }] of expected.entries()) {
      expect(steps[task]).toBeGreaterThanOrEqual(least)
      expect(steps[task], editorTasks[task]?.prompt).toBeLessThanOrEqual(listsAll ? least : least + fresh)
    }
  })
})
