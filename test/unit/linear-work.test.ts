import { describe, expect, test } from 'vitest'
import {
  estimateRequest,
  measureMessages,
  estimateMessage,
  sum,
} from '../../packages/agent-api/src/context/estimate-tokens.ts'
import {
  planCompaction,
  planShortening,
  planTrimming,
} from '../../packages/agent-api/src/context/plan-compaction.ts'
import { toPlainSummary } from '../../packages/agent-api/src/context/write-summary.ts'
import { fitMessages } from '../../packages/agent-api/src/context/fit-messages.ts'
import { restoreConversation } from '../../packages/agent-api/src/state/sessions/restore-conversation.ts'
import type { SessionEntry } from '../../packages/agent-api/src/state/sessions/session-entry.ts'
import {
  applyChange,
  createConversation,
  type ContextChange,
} from '../../packages/agent-api/src/messages/conversation.ts'
import type { Message } from '../../packages/agent-api/src/messages/message.ts'
import { foldTranscript } from '../../packages/agent-api/src/messages/transcript.ts'
import { vendors } from '../../packages/agent-api/src/provider/model.ts'
import { readConversation } from '../../packages/agent-api/src/provider/offline/conversation.ts'
import { toModelPrompt } from '../../packages/agent-api/src/provider/to-model-prompt.ts'
import { closeLastTurn } from '../../packages/agent-api/src/session/unanswered-prompt.ts'
import type { McpClient } from '../../packages/agent-api/src/mcp/mcp-client.ts'
import { mergeToolConfig } from '../../packages/agent-api/src/policy/tool-config.ts'
import { nameCollisions } from '../../packages/agent-api/src/servers/name-collisions.ts'
import { toAdmission } from '../../packages/agent-api/src/servers/admission.ts'
import { namedIn } from '../../packages/agent-api/src/session/waiting-tools.ts'
import { listWaiting } from '../../packages/agent-api/src/tools/list-waiting.ts'
import { planSchemas } from '../../packages/agent-api/src/tools/plan-schemas.ts'
import type { OfferedTool } from '../../packages/agent-api/src/tools/offered-tool.ts'
import { toWireNames } from '../../packages/agent-api/src/tools/tool-name.ts'
import { createToolSet } from '../../packages/agent-api/src/tools/tool-set.ts'
import { countWork } from '../support/count-work.ts'
import { longConversation } from '../support/long-conversation.ts'

const estimateMessages = (messages: readonly Message[]) => sum(messages.map(estimateMessage))

const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ id }) => ({ call: id, chars: 100 })) : [],
  )

const changes: Readonly<Record<ContextChange['type'], (messages: readonly Message[]) => ContextChange>> = {
  cleared: () => ({ type: 'cleared' }),
  withdrawn: () => ({ type: 'withdrawn', last: 1 }),
  shortened: (messages) => ({ type: 'shortened', results: resultsOf(messages) }),
  compacted: (messages) => ({
    type: 'compacted',
    summary: 'all',
    kept: messages.length / 2,
    prompt: messages.length,
  }),
  briefed: () => ({ type: 'briefed', text: '', servers: {}, told: {} }),
  told: () => ({ type: 'told', told: {} }),
}

/** Each turn as it is stored. A message about instructions is a change after each turn. */
const entriesOf = (messages: readonly Message[]): readonly SessionEntry[] =>
  messages.flatMap((message, index): SessionEntry[] => {
    const turn = Math.floor(index / 4)
    if (message.role === 'user')
      return [
        { turn, kind: 'prompt', content: message.content },
        { turn, kind: 'message', message },
      ]
    if (message.role === 'tool' || index % 4 === 1) return [{ turn, kind: 'message', message }]
    return [
      { turn, kind: 'event', event: { type: 'text', messageId: message.id, text: 'answer' } },
      { turn, kind: 'message', message },
      { turn, kind: 'change', change: { type: 'told', told: {} } },
    ]
  })

/** Everything that reads the whole conversation. `size` is smaller than the conversation, so that there is much to leave out. */
const readers: Readonly<Record<string, (messages: readonly Message[], size: number) => unknown>> = {
  estimateRequest: (messages) =>
    estimateRequest({ systemPrompt: '', tools: { wireTools: [], tokens: 0 } }, messages),
  measureMessages,
  planShortening: (messages, size) => planShortening(messages, size, size),
  planTrimming: (messages, size) => planTrimming(messages, size),
  'planCompaction of an open turn': (messages, size) => planCompaction(messages, size, true),
  'planCompaction by hand': (messages, size) => planCompaction(messages, size, false),
  toPlainSummary,
  'fitMessages by shortening': (messages) => fitMessages(messages, estimateMessages(messages) * 0.8),
  'fitMessages by leaving out': (messages, size) => fitMessages(messages, size / 10),
  'add a message': (messages) =>
    createConversation({ messages }).add({ role: 'user', id: 'last', content: [] }),
  'close the last turn': (messages) => closeLastTurn(createConversation({ messages: messages.slice(0, -1) })),
  restoreConversation: (messages) =>
    restoreConversation([entriesOf(messages)], () => undefined, { isOwnCommand: () => false }),
  foldTranscript: (messages) =>
    foldTranscript(entriesOf(messages).filter((entry) => entry.kind === 'prompt' || entry.kind === 'event')),
  'the offline model': async (messages) => readConversation(await toModelPrompt('', messages, 'offline')),
  ...Object.fromEntries(
    vendors.map((vendor) => [
      `toModelPrompt for ${vendor}`,
      (messages: readonly Message[]) => toModelPrompt('', messages, vendor),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(changes).map(([type, toChange]) => [
      `change: ${type}`,
      (messages: readonly Message[]) => applyChange(messages, toChange(messages)),
    ]),
  ),
}

function toOffered(name: string): OfferedTool {
  const tool = {
    ref: { server: 's', tool: name },
    description: '',
    inputSchema: {},
    kind: 'other',
    execute: never,
  } as const
  return {
    tool,
    config: mergeToolConfig([]),
    home: { type: 'server', owner: 'agent', client: { name: 's' } as McpClient },
  }
}

function never(): never {
  throw new Error('This test runs no tool.')
}

const turns = 200
const tokensPerTurn = 350

describe('the work of a conversation four times as long is four times as much', () => {
  test.each(Object.entries(readers))('%s', async (_, read) => {
    const workFor = (length: number) => {
      const messages = longConversation(length)
      return countWork(() => read(messages, (length * tokensPerTurn) / 4))
    }
    const short = await workFor(turns)
    expect(await workFor(4 * turns)).toBeLessThan(4.5 * short + 100)
  })
})

/** Messages that count how often their content is read. */
function withCountedReads(messages: readonly Message[]) {
  const reads = { count: 0 }
  const counted = messages.map((message) => {
    const content = new Map(
      Object.entries(message).filter(([, value]) => Array.isArray(value)) as [string, unknown][],
    )
    const getters = [...content].map(([name, value]) => [
      name,
      { enumerable: true, get: () => (reads.count++, value) },
    ])
    return Object.defineProperties({ ...message }, Object.fromEntries(getters) as PropertyDescriptorMap)
  })
  return { messages: counted, reads }
}

describe('a later step converts only what is new, however long the conversation is', () => {
  test.each(vendors)('%s', async (vendor) => {
    const readsFor = async (length: number) => {
      const { messages, reads } = withCountedReads(longConversation(length))
      // The last step made a call, and the next one reads its result.
      await toModelPrompt('', messages.slice(0, -2), vendor)
      const first = reads.count
      const next = await toModelPrompt('', messages, vendor)
      expect(next).toEqual(await toModelPrompt('', longConversation(length), vendor))
      return { first, next: reads.count - first }
    }
    const short = await readsFor(turns)
    const long = await readsFor(4 * turns)
    expect(long.first).toBeGreaterThan(3 * short.first)
    expect(long.next).toBe(short.next)
  })
})

/** Everything that reads all tools of the servers. */
const toPlanned = (key: string) => ({ key, tokens: 1, schemas: 'auto' as const, rank: 2 })

const toolReaders: Readonly<Record<string, (names: readonly string[]) => unknown>> = {
  toAdmission: (offered) => {
    const configured = offered.flatMap((name) => [{ name }, { name: `missing ${name}`, server: 's' }])
    toAdmission({ server: 's', origin: '', policy: { mode: 'strict' }, offered, configured })
  },
  'planSchemas beyond the share': (names) =>
    planSchemas(
      names.map(toPlanned),
      { tokensMax: 1, countMax: 128 },
      { full: [], waits: false, isDecided: false },
      () => true,
    ),
  'planSchemas beyond the count': (names) =>
    planSchemas(
      names.map(toPlanned),
      { tokensMax: Infinity, countMax: names.length / 2 },
      { full: names, waits: true, isDecided: true },
      () => false,
    ),
  listWaiting: (names) => listWaiting(names.map((name) => ({ name, entry: toOffered(name) }))),
  namedIn: (names) => namedIn(names.join(' '), names.map(toOffered)),
  'nameCollisions of one tool': (names) =>
    nameCollisions(new Map(names.map((name) => [name, ['read', name]]))),
  createToolSet: (names) => createToolSet(names.map(toOffered)),
  toWireNames: (names) =>
    toWireNames(names.flatMap((name) => ['.', ' '].map((end) => ({ server: 's', tool: name + end })))),
}

describe('the work of four times as many tools is four times as much', () => {
  test.each(Object.entries(toolReaders))('%s', async (_, read) => {
    const workFor = (count: number) =>
      countWork(() => read(Array.from({ length: count }, (__, index) => `tool ${index}`)))
    const few = await workFor(500)
    expect(await workFor(2_000)).toBeLessThan(4.5 * few + 100)
  })
})
