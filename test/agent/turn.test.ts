import type { ApprovalQuestion, Tool, TurnEvent } from '@ostler/agent-api'
import { describe, expect, it } from 'vitest'
import { openState } from '../../packages/agent-api/src/state/open-state.ts'
import { endsOf, lastOf, openAgent, promptText, textOf } from './agent-harness.ts'

/** Records its arguments. */
function recordingTool(
  run: (args: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<string> | string,
): Tool & { calls: unknown[] } {
  const calls: unknown[] = []
  return {
    calls,
    ref: { server: null, tool: 'record' },
    description: 'Writes a word down',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    kind: 'other',
    async execute(args, { signal }) {
      calls.push(args)
      return { isError: false, content: [{ type: 'text', text: await run(args, signal) }] }
    },
  }
}

const call = (args: unknown, name = 'record') => ({ toolCalls: [{ name, args }] })

describe('a turn', () => {
  it('runs the calls of one step concurrently and answers them in order', async () => {
    let running = 0
    const both = Promise.withResolvers<void>()
    const tool = recordingTool(async ({ word }) => {
      if (++running === 2) both.resolve()
      await both.promise
      return `wrote ${String(word)}`
    })
    const script = [
      { toolCalls: ['one', 'two'].map((word) => ({ name: 'record', args: { word } })) },
      { text: 'done' },
    ]
    await using setup = await openAgent(script, { tools: [tool] })
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
    expect(endsOf(events)).toEqual(['success', 'success'])
    const results = setup.model.requests[1]?.messages.at(-1)?.parts
    expect(results).toMatchObject([{ text: 'wrote one' }, { text: 'wrote two' }])
  })

  it.each([
    ['arguments that do not fit', call({ word: 1 }), 'invalid', /word must be string/],
    ['arguments that are no JSON', call('{"word": "o'), 'invalid', /not valid JSON/],
    ['a tool that does not exist', call({}, 'nothing'), 'unknown', /There is no tool named 'nothing'/],
    ['a name in other letters', call({ word: 'x' }, 'Record'), 'unknown', /There is no tool named 'Record'/],
  ])('does not run %s, and tells the model', async (_, reply, end, text) => {
    const tool = recordingTool(() => 'ran')
    using history = openState()
    await using setup = await openAgent([reply, { text: 'sorry' }], { tools: [tool], history })
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
    expect(tool.calls).toEqual([])
    expect(endsOf(events)).toEqual([end])
    expect(history.calls.list({ limit: 9 })).toMatchObject([
      { status: 'error', decision: null, rule: end === 'unknown' ? end : null },
    ])
    // Only what exists has statistics.
    expect((await history.calls.statistics({ by: 'tool' })).map((one) => one.tool)).toEqual(
      end === 'unknown' ? [] : ['record'],
    )
    expect(setup.model.requests[1]?.messages.at(-1)?.parts).toMatchObject([
      { text: expect.stringMatching(text), isError: true },
    ])
    expect(textOf(events)).toBe('sorry')
  })

  it('reports a throwing tool to the model', async () => {
    const tool = recordingTool(() => Promise.reject(new Error('the pen broke')))
    await using setup = await openAgent([call({ word: 'x' }), { text: 'pity' }], { tools: [tool] })
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
    expect(endsOf(events)).toEqual(['error'])
    expect(setup.model.requests[1]?.messages.at(-1)?.parts).toMatchObject([
      { text: 'The tool failed: the pen broke', isError: true },
    ])
  })

  it('ends when the model repeats the same call', async () => {
    const tool = recordingTool(() => 'still the same')
    await using setup = await openAgent(() => call({ word: 'x' }), { tools: [tool] })
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
    expect(lastOf(events)).toMatchObject({ stopReason: 'max_turn_requests' })
    expect(tool.calls).toHaveLength(10)
  })

  it('ends after the maximum number of steps', async () => {
    const tool = recordingTool(() => 'ok')
    await using setup = await openAgent((_, index) => call({ word: String(index) }), {
      tools: [tool],
      maxSteps: 3,
    })
    expect(lastOf(await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go'))).toMatchObject({
      stopReason: 'max_turn_requests',
    })
    expect(tool.calls).toHaveLength(3)
  })

  it('runs nothing of an answer that was cut within a call', async () => {
    const tool = recordingTool(() => 'ran')
    const script = [
      { text: 'Let me write', ...call({ word: 'x' }), cutAfter: 'half_tool_call' as const },
      { text: 'again' },
    ]
    await using setup = await openAgent(script, { tools: [tool] })
    const session = setup.agent.createSession({ cwd: setup.folder })
    const events = await promptText(session, 'go')
    expect(tool.calls).toEqual([])
    expect(lastOf(events)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' })
    expect(textOf(events)).toMatch(/Let me write.*Anthropic/s)
    // The conversation is intact: the next prompt contains no call without a result.
    expect(textOf(await promptText(session, 'and now?'))).toBe('again')
    const parts = setup.model.requests[1]?.messages.flatMap((message) =>
      message.parts.map((part) => part.type),
    )
    expect(parts).not.toContain('tool_call')
  })

  it('adds up the usage of its steps', async () => {
    const tool = recordingTool(() => 'ok')
    const usage = { inputTokens: 100, outputTokens: 10 }
    await using setup = await openAgent(
      [
        { ...call({ word: 'x' }), usage },
        { text: 'done', usage: { inputTokens: 150, outputTokens: 5 } },
      ],
      { tools: [tool] },
    )
    const end = lastOf(await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go'))
    expect(end).toMatchObject({
      usage: { inputTokens: 250, outputTokens: 15, contextUsed: 155, contextSize: 200_000 },
    })
  })
})

describe('a cancelled turn', () => {
  async function cancelWhen(
    script: Parameters<typeof openAgent>[0],
    isTime: (event: TurnEvent) => boolean,
    tools: Tool[] = [],
  ) {
    await using setup = await openAgent(script, { tools })
    const session = setup.agent.createSession({ cwd: setup.folder })
    const events: TurnEvent[] = []
    for await (const event of session.prompt([{ type: 'text', text: 'go' }])) {
      events.push(event)
      if (isTime(event)) session.cancel()
    }
    return { events, again: textOf(await promptText(session, 'and now?')), requests: setup.model.requests }
  }

  it('ends at once while the model is answering, and keeps its text', async () => {
    const { events, again, requests } = await cancelWhen(
      [{ text: 'Once upon', hang: 'after_text' }, { text: 'fine' }],
      ({ type }) => type === 'text',
    )
    expect(lastOf(events)).toMatchObject({ type: 'turn_end', stopReason: 'cancelled' })
    expect(again).toBe('fine')
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('does not wait for a running tool that ignores the cancellation', async () => {
    const deaf = recordingTool(() => new Promise(() => {}))
    const { events, again, requests } = await cancelWhen(
      [call({ word: 'x' }), { text: 'fine' }],
      (event) => event.type === 'tool_call_update' && event.update.status === 'in_progress',
      [deaf],
    )
    expect(endsOf(events)).toEqual(['cancelled'])
    expect(events.findLast((event) => event.type === 'tool_call_update')).toMatchObject({
      update: { status: 'failed', content: [{ type: 'text', text: 'cancelled' }] },
    })
    expect(lastOf(events)).toMatchObject({ stopReason: 'cancelled' })
    expect(again).toBe('fine')
    expect(requests[1]?.messages.at(1)?.parts).toMatchObject([{ type: 'tool_call' }])
  })

  it('stops when the stream is left, as well', async () => {
    await using setup = await openAgent([{ text: 'Once upon', hang: 'after_text' }, { text: 'fine' }])
    const session = setup.agent.createSession({ cwd: setup.folder })
    for await (const event of session.prompt([{ type: 'text', text: 'go' }])) if (event.type === 'text') break
    await setup.model.waitForDisconnect()
    expect(textOf(await promptText(session, 'and now?'))).toBe('fine')
  })

  it('asks no model if it was cancelled before it began', async () => {
    await using setup = await openAgent([{ text: 'never' }])
    const session = setup.agent.createSession({ cwd: setup.folder })
    expect(lastOf(await promptText(session, 'go', AbortSignal.abort()))).toMatchObject({
      stopReason: 'cancelled',
    })
    expect(setup.model.requests).toEqual([])
  })
})

describe('several simultaneous calls', () => {
  it('all end when the person cancels one question', async () => {
    const slow = recordingTool(() => new Promise(() => {}))
    const script = [
      { toolCalls: ['one', 'two', 'three'].map((word) => ({ name: 'record', args: { word } })) },
    ]
    await using setup = await openAgent(script, { tools: [slow], mode: 'always-ask' })
    let questions = 0
    const person = {
      ask: async () =>
        ++questions === 1
          ? ({ verdict: 'allow', scope: 'once' } as const)
          : ({ verdict: 'cancelled' } as const),
    }
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder, person }), 'go')
    expect(questions).toBe(2)
    expect(endsOf(events)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(lastOf(events)).toMatchObject({ stopReason: 'cancelled' })
  })

  it('ask in their order, however long each is planned. Only questions wait, and only for questions', async () => {
    const free = Promise.withResolvers<void>()
    const lastAsked = Promise.withResolvers<void>()
    const tool = (name: string, wait: Promise<void> | undefined): Tool => ({
      ...recordingTool(async () => {
        if (name === 'free') free.resolve()
        if (name === 'slow') await lastAsked.promise
        return 'ran'
      }),
      ref: { server: null, tool: name },
      isInternal: name === 'free',
      plan: async () => {
        await wait
        return { title: name, effect: 'run' }
      },
    })
    const tools = [tool('slow', free.promise), tool('quick', undefined), tool('free', undefined)]
    const step = { toolCalls: tools.map(({ ref }) => ({ name: ref.tool, args: { word: '' } })) }
    await using setup = await openAgent([step, { text: 'done' }], { tools, mode: 'always-ask' })
    const asked: string[] = []
    const person = {
      ask: async ({ ref }: ApprovalQuestion) => {
        asked.push(ref.tool)
        if (ref.tool === 'quick') lastAsked.resolve()
        return { verdict: 'allow', scope: 'once' } as const
      },
    }
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder, person }), 'go')
    expect(endsOf(events)).toEqual(['success', 'success', 'success'])
    expect(asked).toEqual(['slow', 'quick'])
  })

  it('run up to a limit, and one result reports all others', async () => {
    const tool = recordingTool(() => 'ok')
    const script = [
      { toolCalls: Array.from({ length: 70 }, (_, word) => ({ name: 'record', args: { word: `${word}` } })) },
      { text: 'done' },
    ]
    await using setup = await openAgent(script, { tools: [tool] })
    const events = await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
    expect(events.filter((event) => event.type === 'tool_call')).toHaveLength(65)
    expect(tool.calls).toHaveLength(64)
    expect(endsOf(events).filter((end) => end === 'invalid')).toHaveLength(1)
    const told = setup.model.requests[1]?.messages.at(-1)?.parts
    expect(told).toHaveLength(65)
    expect(told?.at(-1)).toMatchObject({
      text: expect.stringContaining('at most 64 tools can be called at once. Nor were the 5 calls after it.'),
    })
  })
})

describe('a local tool', () => {
  it.each([
    ['', /100000 of 200000 characters omitted\]/],
    // Nothing is left of the first part that is stored.
    ['\u2060'.repeat(70_000), /the whole result is kept: 200000 characters/],
  ])('needs permission like any other, and its result is capped %#', async (hidden, text) => {
    const tool = recordingTool(() => hidden + 'x'.repeat(200_000))
    await using setup = await openAgent([call({ word: 'x' }), { text: 'long' }], {
      tools: [tool],
      mode: 'always-ask',
    })
    const questions: string[] = []
    const session = setup.agent.createSession({
      cwd: setup.folder,
      person: {
        ask: async ({ call: view }: ApprovalQuestion) => {
          questions.push(view.title)
          return { verdict: 'allow', scope: 'once' }
        },
      },
    })
    await promptText(session, 'go')
    expect(questions).toEqual(['record x'])
    const result = setup.model.requests[1]?.messages.at(-1)?.parts[0]
    expect(result).toMatchObject({ type: 'tool_result', text: expect.stringMatching(text) })
  })
})
