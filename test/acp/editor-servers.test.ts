import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
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
  readonly effects: readonly { readonly server: string; readonly tool: string }[]
  /** The number of requests of each task. */
  readonly steps: readonly number[]
  readonly text: string
  readonly requests: readonly ModelRequest[]
}

/** One session does all tasks, a prompt each. */
async function runTasks(vendor: Format, habit: Habit, schemas: 'full' | 'deferred'): Promise<Ran> {
  await using dir = await openTempDir()
  const log = join(dir.path, 'calls')
  await using session = await openScriptedSession({
    vendor,
    script: (request) => answerTask(request, habit),
    mcpServers: editorServers(log),
    agent: { mode: 'auto', sessionServers: { schemas } },
  })
  const { editor, sessionId, model } = session
  const steps: number[] = []
  for (const task of editorTasks.keys()) {
    const before = model.requests.length
    await editor.prompt(sessionId, promptOf(task))
    steps.push(model.requests.length - before)
  }
  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  const effects = lines.map((line) => JSON.parse(line) as Ran['effects'][number])
  return { effects, steps, text: editor.text(sessionId), requests: model.requests }
}

test('the servers are those of a well equipped editor, and the tasks need tools of all of them', () => {
  const keys = serverNames.flatMap((name) => readServer(name).tools.map((tool) => `${name}:${tool.name}`))
  const needed = editorTasks.flatMap(({ steps }) => steps)
  expect([serverNames.length, keys.length, editorTasks.length]).toEqual([11, 178, 20])
  expect(keys).toEqual(expect.arrayContaining(needed.map(keyOf)))
  expect(new Set(needed.map(({ server }) => server))).toEqual(new Set(serverNames))
})

/** The requests of each task if no schema has to be read first, and how many of its tools no task before it needed. */
const keyOf = ({ server, tool }: { readonly server: string; readonly tool: string }) => `${server}:${tool}`

const expected = editorTasks.map(({ steps }, task) => {
  const before = new Set(editorTasks.slice(0, task).flatMap((other) => other.steps.map(keyOf)))
  return { requests: steps.length + 1, fresh: steps.filter((step) => !before.has(keyOf(step))).length }
})

const wanted = editorTasks.flatMap(({ steps }) => steps.map(keyOf))

/** The calls that have run if everything was in each request. */
let full: Ran

beforeAll(async () => {
  full = await runTasks('anthropic', 'asks', 'full')
})

test('with everything in the request, each task takes one step for each call', () => {
  expect(full.effects.map(keyOf)).toEqual(wanted)
  expect(full.steps).toEqual(expected.map(({ requests }) => requests))
  expect(full.text.match(/Task \d+ is done/g)).toHaveLength(editorTasks.length)
  expect(full.requests[0]?.tools.length).toBeGreaterThan(178)
})

describe.each(formats)('if schemas wait, in the format %s', (vendor) => {
  test.each<Habit>(['asks', 'guesses'])(
    'the same calls end the same way, with at most one step more for each new tool: the model %s',
    async (habit) => {
      const { effects, steps, text, requests } = await runTasks(vendor, habit, 'deferred')
      expect(effects).toEqual(full.effects)
      expect(text.match(/Task \d+ is done: .*/g)).toEqual(full.text.match(/Task \d+ is done: .*/g))
      for (const [task, { requests: least, fresh }] of expected.entries()) {
        expect(steps[task]).toBeGreaterThanOrEqual(least)
        expect(steps[task], editorTasks[task]?.prompt).toBeLessThanOrEqual(least + fresh)
      }
      const sent = requests[0]?.tools.filter(({ isDeferred }) => isDeferred !== true) ?? []
      expect(sent.filter(({ name }) => name.includes('__'))).toEqual([])
    },
  )
})
