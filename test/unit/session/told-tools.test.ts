import { expect, test } from 'vitest'
import { mergeToolConfig } from '../../../packages/agent-api/src/policy/tool-config.ts'
import {
  createTold,
  earlierPlan,
  keepPlan,
  namedIn,
  tellTools,
} from '../../../packages/agent-api/src/session/waiting-tools.ts'
import type { OfferedTool } from '../../../packages/agent-api/src/tools/offered-tool.ts'

const toOffered = (server: string, tool: string, description = `Does ${tool}.`) =>
  ({
    tool: {
      ref: { server, tool },
      description,
      inputSchema: { type: 'object' },
      kind: 'other',
      execute: () => Promise.reject(new Error()),
    },
    config: mergeToolConfig([]),
    home: { type: 'local' },
  }) as OfferedTool
const named = (...args: Parameters<typeof toOffered>) => ({
  name: `${args[0]}__${args[1]}`,
  entry: toOffered(...args),
})

test('a plan is stored once a schema waits, for each model', () => {
  const tools = createTold('one')
  keepPlan(tools, 'one', { full: ['a'], waits: false }, false)
  expect(tools.memory.briefing?.told).toEqual({})
  expect(earlierPlan(tools, 'one')).toEqual({ full: ['a'], waits: false, isDecided: false })
  expect(earlierPlan(tools, 'two')).toEqual({ full: [], waits: false, isDecided: false })
  keepPlan(tools, 'one', { full: ['a'], waits: true }, true)
  tools.memory.listed = undefined
  expect(earlierPlan(tools, 'one')).toEqual({ full: ['a'], waits: true, isDecided: true })
  expect(earlierPlan(tools, 'two').isDecided).toBe(false)
  const before = tools.memory.briefing?.told
  keepPlan(tools, 'one', { full: ['a'], waits: true }, true)
  expect(tools.memory.briefing?.told).toBe(before)
})

test('each thing is told once: new tools, matching ones, changed ones, and servers that are gone', () => {
  const tools = createTold('one')
  const [x, y, z] = [named('a', 'x'), named('a', 'y'), named('b', 'z')] as const
  const tell = (listed: ReturnType<typeof named>[], matching: typeof listed = [], isVendorLoading = false) =>
    tellTools(tools, {
      listed,
      matching,
      callable: [...listed, y],
      off: [],
      isVendorLoading,
    }).map(({ role, ...note }) =>
      role === 'user' && 'content' in note
        ? note.content.map((block) => ('text' in block ? block.text : '')).join()
        : '',
    )
  expect(tell([])).toEqual([])
  expect(tell([x])).toEqual([expect.stringMatching(/Server 'a':\n- a__x: Does x\.$/)])
  expect(tell([x])).toEqual([])
  expect(tell([x, y, z])).toEqual([
    expect.stringMatching(/Server 'a':\n- a__y: .*\nServer 'b':\n- b__z: Does z\.$/),
  ])
  expect(tell([x, z])).toEqual([])
  expect(tell([x, z], [z])).toEqual([
    'These tools match the prompt:\n- b__z: Does z.\n  Arguments: {"type":"object"}',
  ])
  expect(tell([x, z], [z])).toEqual([])
  expect(tell([x, z], [named('b', 'z', 'Is new.')], true)).toEqual([
    "These tools match the prompt:\nServer 'b':\n- b__z: Is new.",
  ])
  expect(tell([x])).toEqual(["The tools of the server 'b' cannot be called now."])
  expect(tell([x])).toEqual([])
  expect(tell([x, z])).toEqual([expect.stringMatching(/- b__z/)])
})

test('a tool that an earlier version told by its wire name alone is not told as gone', () => {
  const told = createTold('one')
  told.conversation.change({ type: 'told', told: { 'tool:a__x': 'hash' } })
  const none = { callable: [], off: [], listed: [], matching: [], isVendorLoading: false }
  expect(tellTools(told, none)).toEqual([])
})

test('a tool that is switched off is told as that, not as gone, and is listed again when it is on', () => {
  const told = createTold('one')
  const { change } = told.conversation
  const later: typeof told = {
    ...told,
    conversation: { change, messages: [{ role: 'assistant', id: 'msg_1', parts: [] }] },
  }
  const [x, y] = [named('a', 'x'), named('a', 'y')] as const
  const tell = (callable: readonly (typeof x)[], off: typeof callable = [], listed = callable) =>
    tellTools(later, { callable, off, listed, matching: [], isVendorLoading: false })
      .flatMap((note) => (note.role === 'user' ? note.content : []))
      .map((block) => ('text' in block ? block.text : ''))
  tell([x, y])
  expect(tell([y], [x])).toEqual([
    'The person has switched off these tools, so they cannot be called: x of a.',
  ])
  expect(tell([y], [x])).toEqual([])
  // Its server leaves.
  expect(tell([])).toEqual(["The tools of the server 'a' cannot be called now."])
  expect(tell([y], [x])).toEqual([expect.stringMatching(/Server 'a':\n- a__y: Does y\.$/)])
  expect(tell([x, y])).toEqual([
    expect.stringMatching(
      /- a__x: Does x\.\n\nThe person has switched on these tools, so they can be called: x of a\.$/,
    ),
  ])
  expect(tell([x, y])).toEqual([])
  // Its schema does not wait.
  tell([y], [x], [y])
  expect(tell([x, y], [], [y])).toEqual([
    'The person has switched on these tools, so they can be called: x of a.',
  ])
  expect(tell([x, y], [], [y])).toEqual([])
})

test.each([
  ['Use shop:buy', ['shop:buy']],
  ['Use shop__buy, then stop', ['shop:buy']],
  ['buy in the shop', ['shop:buy']],
  ['buy some milk', []],
  ['call get_price.', ['shop:get_price']],
  ['call forget_price', []],
  ['(toLower)', ['shop:toLower']],
  [`${'x '.repeat(10_000)}get_price`, []],
])('the tools that are named in %j', (prompt, expected) => {
  const tools = ['buy', 'get_price', 'toLower'].map((tool) => toOffered('shop', tool))
  expect([...namedIn(prompt, tools)]).toEqual(expected)
})
