import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../../../packages/agent-api/src/messages/content.ts'
import type { AssistantPart, Message } from '../../../packages/agent-api/src/messages/message.ts'
import { vendors, type Vendor } from '../../../packages/agent-api/src/provider/model.ts'
import { toModelPrompt } from '../../../packages/agent-api/src/provider/to-model-prompt.ts'
import type { ToolOutput, ToolResult } from '../../../packages/agent-api/src/messages/tool.ts'

const png = 'iVBORw0KGgo='
const file = (mediaType: string, data = png) => ({ type: 'file', mediaType, data: { type: 'data', data } })
const text = (value: string) => ({ type: 'text', text: value })

function user(...content: ContentBlock[]): Message {
  return { role: 'user', id: 'u', content }
}

function assistant(...parts: AssistantPart[]): Message {
  return { role: 'assistant', id: 'a', parts }
}

function call(id: string, input = '{}'): AssistantPart {
  return { type: 'tool_call', id, wireName: 's__t', input }
}

function result(id: string, result: ToolResult): Message {
  return { role: 'tool', results: [{ id, wireName: 's__t', outcome: 'success', result }] }
}

function prompt(messages: Message[], vendor: Vendor = 'openai'): Promise<LanguageModelV4Prompt> {
  return toModelPrompt('', messages, vendor)
}

const hi = user({ type: 'text', text: 'Hi' })

describe.each<[string, ContentBlock, Partial<Record<Vendor, unknown>> & { all?: unknown }]>([
  ['text', { type: 'text', text: 'Hi' }, { all: text('Hi') }],
  ['half a character', { type: 'text', text: 'a\ud83db' }, { all: text('a\ufffdb') }],
  ['an image', { type: 'image', data: png, mimeType: 'image/png' }, { all: file('image/png') }],
  [
    'an image by another name',
    { type: 'image', data: png, mimeType: 'image/JPG; q=1' },
    { all: file('image/jpeg') },
  ],
  [
    'a drawing',
    { type: 'image', data: png, mimeType: 'image/svg+xml' },
    { anthropic: text('[image/svg+xml, 1 kB: this model cannot read it]'), offline: file('image/svg+xml') },
  ],
  [
    'an invalid image',
    { type: 'image', data: 'data:image/png;base64,xx', mimeType: 'image/png', uri: 'file:///x.png' },
    { all: text('[file:///x.png, image/png, 1 kB: this model cannot read it]') },
  ],
  [
    'audio',
    { type: 'audio', data: png, mimeType: 'audio/wav' },
    {
      anthropic: text('[audio/wav, 1 kB: this model cannot read it]'),
      google: file('audio/wav'),
      'openai-compatible': file('audio/wav'),
    },
  ],
  [
    'a link',
    { type: 'resource_link', name: 'main.rs', uri: 'file:///main.rs' },
    { all: text('[main.rs](file:///main.rs)') },
  ],
  [
    'a link with a title',
    { type: 'resource_link', name: 'n', title: 'Main', uri: 'x:y', description: 'The entry' },
    { all: text('[Main](x:y): The entry') },
  ],
  [
    'a resource',
    { type: 'resource', resource: { uri: 'file:///a.txt', text: 'one' } },
    { all: text('Content of file:///a.txt:\none') },
  ],
  [
    'a resource that is a PDF',
    { type: 'resource', resource: { uri: 'x:y', blob: png, mimeType: 'application/pdf' } },
    { all: file('application/pdf') },
  ],
  [
    'a resource of any bytes',
    { type: 'resource', resource: { uri: 'x:y', blob: png } },
    { google: text('[x:y, application/octet-stream, 1 kB: this model cannot read it]') },
  ],
])('a person sends %s', (_, block, { all, ...some }) => {
  const table = all === undefined ? Object.entries(some) : vendors.map((vendor) => [vendor, all])
  test.each(table as [Vendor, unknown][])('%s', async (vendor, expected) => {
    expect((await prompt([user(block)], vendor))[0]).toMatchObject({ role: 'user', content: [expected] })
  })
})

test('an empty message is not empty', async () => {
  expect(await prompt([user({ type: 'text', text: ' ' })])).toEqual([
    { role: 'user', content: [text('(an empty message)')] },
  ])
})

describe.each<[string, ToolOutput[], unknown]>([
  [
    'text',
    [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
    { type: 'text', value: 'one\ntwo' },
  ],
  ['nothing', [], { type: 'text', value: '(no output)' }],
  [
    'an image',
    [{ type: 'image', data: png, mimeType: 'image/png' }],
    { type: 'content', value: [file('image/png')] },
  ],
  [
    'text and an image',
    [
      { type: 'text', text: 'see' },
      { type: 'image', data: png, mimeType: 'image/png' },
    ],
    { type: 'content', value: [text('see'), file('image/png')] },
  ],
  [
    'audio',
    [{ type: 'audio', data: png, mimeType: 'audio/wav' }],
    { type: 'text', value: '[audio/wav, 1 kB: this model cannot read it]' },
  ],
  ['a link', [{ type: 'resource_link', name: 'n', uri: 'x:y' }], { type: 'text', value: '[n](x:y)' }],
  [
    'a resource',
    [{ type: 'resource', resource: { uri: 'x:y', text: 'z' } }],
    { type: 'text', value: 'Content of x:y:\nz' },
  ],
  [
    'a diff',
    [{ type: 'diff', path: '/a', oldText: 'x', newText: 'y' }],
    { type: 'text', value: 'Edited /a' },
  ],
  [
    'a new file',
    [{ type: 'diff', path: '/a', oldText: null, newText: 'y' }],
    { type: 'text', value: 'Created /a' },
  ],
  ['a terminal', [{ type: 'terminal', terminalId: 't', text: '$ ls' }], { type: 'text', value: '$ ls' }],
])('a tool returns %s', (_, content, expected) => {
  test.each(['anthropic', 'openai'] as const)('%s', async (vendor) => {
    expect(
      (await prompt([hi, assistant(call('c')), result('c', { isError: false, content })], vendor))[2],
    ).toMatchObject({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 's__t', output: expected }],
    })
  })
})

test('structured content is used if there is no text', async () => {
  const outputOf = async (result: Message) => (await prompt([hi, assistant(call('c')), result]))[2]?.content
  expect(await outputOf(result('c', { isError: false, content: [], structured: { a: 1 } }))).toMatchObject([
    { output: { value: '{"a":1}' } },
  ])
  const both = (text: string, structured: unknown) =>
    outputOf(result('c', { isError: false, content: [{ type: 'text', text }], structured }))
  // Data that the text already contains is not repeated; other data is not lost.
  expect(await both('{ "a": 1 }', { a: 1 })).toMatchObject([{ output: { value: '{ "a": 1 }' } }])
  expect(await both('the whole file', { content: 'the whole file' })).toMatchObject([
    { output: { value: 'the whole file' } },
  ])
  expect(await both('ok', { answer: 42 })).toMatchObject([{ output: { value: 'ok\n{"answer":42}' } }])
})

test('an error is marked as one, and never without text', async () => {
  const failed = result('c', { isError: true, content: [] })
  expect((await prompt([hi, assistant(call('c')), failed]))[2]?.content).toMatchObject([
    { output: { type: 'error-text', value: 'The tool failed without a message.' } },
  ])
})

test('every call has exactly one result, in the order of the calls', async () => {
  const answers: Message = {
    role: 'tool',
    results: ['c', 'x', 'a'].map((id) => ({
      id,
      wireName: 's__t',
      outcome: 'success',
      result: { isError: false, content: [{ type: 'text', text: id }] },
    })),
  }
  const [, , tool, after] = await prompt([
    hi,
    assistant(call('a'), call('b'), call('c')),
    answers,
    user({ type: 'text', text: 'And?' }),
  ])
  expect(tool?.content).toMatchObject([
    { toolCallId: 'a', output: { value: 'a' } },
    { toolCallId: 'b', output: { type: 'error-text', value: expect.stringMatching(/interrupted/) } },
    { toolCallId: 'c', output: { value: 'c' } },
  ])
  expect(after?.role).toBe('user')
  // Vendors reject a result without its call.
  expect(await prompt([hi, result('gone', { isError: false, content: [] })])).toHaveLength(1)
})

test.each([
  ['{"a":1}', { a: 1 }],
  ['', {}],
  ['{"a"', { invalid_arguments: '{"a"' }],
  ['[1]', { invalid_arguments: '[1]' }],
  ['null', { invalid_arguments: 'null' }],
  ['{"a":"\\ud83d"}', { a: '\ufffd' }],
])('the arguments %s', async (input, expected) => {
  expect((await prompt([hi, assistant(call('c', input))]))[1]?.content).toMatchObject([{ input: expected }])
})

describe('thoughts', () => {
  const signed: Record<string, AssistantPart> = {
    anthropic: { type: 'thought', text: 'Hm', vendor: { anthropic: { signature: 's' } } },
    openai: {
      type: 'thought',
      text: 'Hm',
      vendor: { openai: { itemId: 'rs', reasoningEncryptedContent: 's' } },
    },
    google: { type: 'thought', text: 'Hm', vendor: { google: { thoughtSignature: 's' } } },
    none: { type: 'thought', text: 'Hm' },
  }
  const said: AssistantPart = { type: 'text', text: 'So' }

  test.each(vendors)('go back to %s only if it signed them', async (vendor) => {
    const messages = [hi, assistant(...Object.values(signed), said), user({ type: 'text', text: 'Go on' })]
    const own = signed[vendor]
    const expected = own
      ? [{ type: 'reasoning', text: 'Hm', providerOptions: own.vendor }, text('So')]
      : [text('So')]
    expect((await prompt(messages, vendor))[1]?.content).toEqual(expected)
  })

  test('without a signature are sent back with calls, to vendors that need them, whatever comes later', async () => {
    const messages = [
      hi,
      assistant({ type: 'thought', text: 'Hm' }, call('c')),
      result('c', { isError: false, content: [] }),
    ]
    expect((await prompt(messages, 'openai-compatible'))[1]?.content).toMatchObject([
      { type: 'reasoning', text: 'Hm' },
      { type: 'tool-call' },
    ])
    expect((await prompt([...messages, hi], 'openai-compatible'))[1]?.content).toMatchObject([
      { type: 'reasoning' },
      { type: 'tool-call' },
    ])
    expect(
      (await prompt([hi, assistant({ type: 'thought', text: 'Hm' }, said)], 'openai-compatible'))[1]?.content,
    ).toEqual([text('So')])
  })

  test('without a continuation are left out', async () => {
    const thought = signed['anthropic'] as AssistantPart
    expect(
      (await prompt([hi, assistant(said, thought), user({ type: 'text', text: 'Go on' })], 'anthropic'))[1]
        ?.content,
    ).toEqual([text('So')])
    expect(
      await prompt([hi, assistant(thought), user({ type: 'text', text: 'Go on' })], 'anthropic'),
    ).toHaveLength(1)
  })
})

test('two consecutive messages of a person are merged', async () => {
  expect(await prompt([hi, user({ type: 'text', text: 'There' })])).toEqual([
    { role: 'user', content: [text('Hi'), text('There')] },
  ])
})

test('call ids fit the strictest server, and stay the same', async () => {
  const messages = [
    hi,
    assistant(call('call_0b0f3a9e-1111-4222-8333-444455556666')),
    result('call_0b0f3a9e-1111-4222-8333-444455556666', { isError: false, content: [] }),
  ]
  const [, first, second] = await prompt(messages, 'openai-compatible')
  const id = expect.stringMatching(/^[a-z0-9]{9}$/)
  expect(first?.content).toMatchObject([{ toolCallId: id }])
  expect(second?.content).toMatchObject([{ toolCallId: id }])
  expect(await prompt(messages, 'openai-compatible')).toEqual(await prompt(messages, 'openai-compatible'))
})

test('a longer conversation begins like the shorter one', async () => {
  const messages = [
    hi,
    assistant({ type: 'text', text: 'Hello' }, call('c')),
    result('c', { isError: false, content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  ]
  for (const vendor of vendors.filter((vendor) => vendor !== 'anthropic')) {
    const before = await toModelPrompt('Be kind', messages, vendor)
    const after = await toModelPrompt(
      'Be kind',
      [...messages, assistant({ type: 'text', text: 'Nice' })],
      vendor,
    )
    expect(after.slice(0, before.length)).toEqual(before)
  }
})

test('messages become the same prompt whatever was made of them before: other neighbours, other models', async () => {
  const shown = user({ type: 'image', data: png, mimeType: 'image/png' })
  const called = assistant(call('c'))
  const answer = result('c', { isError: false, content: [{ type: 'text', text: 'one' }] })
  const other = result('c', { isError: false, content: [{ type: 'text', text: 'two' }] })
  const conversations = [
    [hi, shown],
    [hi, shown, hi],
    [shown, hi],
    [shown],
    [hi, called],
    [hi, called, answer],
    [hi, called, other],
  ]
  const readers = [
    ...vendors.map((vendor) => ({ vendor, takesImages: true })),
    ...vendors.flatMap((vendor) => [false, true].map((takesImages) => ({ vendor, takesImages }))),
  ]
  for (const messages of conversations)
    for (const { vendor, takesImages } of readers)
      expect(await toModelPrompt('', messages, vendor, { takesImages })).toEqual(
        await toModelPrompt('', structuredClone(messages), vendor, { takesImages }),
      )
  expect(await toModelPrompt('', [hi, shown], 'openai')).toEqual(
    await toModelPrompt('', [hi, shown], 'openai'),
  )
  expect((await toModelPrompt('', [hi, shown], 'openai'))[0]?.content).toHaveLength(2)
})
